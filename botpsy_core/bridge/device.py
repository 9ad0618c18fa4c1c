"""One device of this home: a profile with its owner's values put in."""

import re
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from botpsy_core.bridge import payload as payloads
from botpsy_core.bridge.profile import Ack, Command, Negative, Profile, Refresh, Verify
from botpsy_core.bridge.secret import Secret
from botpsy_core.bridge.signals import Availability, Parse, Signal, SignalType, Var, VarKind
from botpsy_core.bridge.template import Hole, Template, fixed
from botpsy_core.bridge.topics import Filter, Topic, segment
from botpsy_core.errors import ConfigurationInvalid

_SLUG = re.compile(r"[a-z][a-z0-9_]{0,30}")
_WORD = re.compile(r"[A-Za-z0-9_.+:-]{1,60}")
_PATH = re.compile(r"\$(?:\.[A-Za-z0-9_-]+|\[[0-9]{1,3}\])*")
_SECRET = re.compile(r"[A-Za-z0-9_.+:-]{1,64}")


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceSettings:
    """What the owner says about one device."""

    profile: str
    """`Profile.id`."""
    slug: str
    """Lower-case name in tool names and entity ids."""
    name: str
    """How people call it."""
    aliases: tuple[str, ...] = ()
    area_id: str | None = None
    variables: Mapping[str, str] = field(default_factory=dict)
    secrets: Mapping[str, Secret] = field(default_factory=dict)
    enabled: frozenset[str] = frozenset()
    """Commands switched on that start switched off."""
    disabled: frozenset[str] = frozenset()
    """Commands switched off that start switched on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Device:
    """A bound device; its topics have no variables left."""

    profile: Profile
    slug: str
    name: str
    aliases: tuple[str, ...]
    area_id: str | None
    availability: tuple[Availability, ...]
    signals: Mapping[str, Signal]
    commands: Mapping[str, Command]
    enabled: frozenset[str]
    secrets: Mapping[str, Secret]
    refresh: Refresh | None
    denied: tuple[Filter, ...]

    @property
    def entity_id(self) -> str:
        """Return the id of the device as a thing of the home."""
        return f"{self.profile.domain}.{self.slug}"

    def signal_entity_id(self, signal: Signal) -> str:
        """Return the id of one of its signals."""
        # a signal that has its own words ("locked") is no on and off, and is never to be read as one
        domain = "binary_sensor" if signal.type is SignalType.BOOL and not signal.words else "sensor"
        return f"{domain}.{self.slug}_{signal.name}"

    def said(self, text: str) -> str:
        """Return a sentence of the profile with this device's name in it."""
        return text.replace("{device}", self.name)

    def may_publish(self, template: Template, topic: Topic) -> bool:
        """Return False for a topic on the deny list; an exactly named one wins over it."""
        return not template.is_pattern or not any(f.matches(topic.name) for f in self.denied)


def bind(profile: Profile, settings: DeviceSettings) -> Device:
    """Put an owner's values into a profile; raise ConfigurationInvalid."""
    if not _SLUG.fullmatch(settings.slug):
        raise _fault(
            settings,
            f"the short name {settings.slug!r} is not usable",
            "use lower-case letters, digits and `_`, a letter first",
        )
    if (
        not settings.name.strip()
        or len(settings.name) > 60
        or any(ord(c) < 0x20 or c in "<>|{}[]`" for c in settings.name)
    ):
        raise _fault(settings, "the name is empty, too long, or holds one of < > | { } [ ]", "give it a plain name")
    strangers = sorted((settings.enabled | settings.disabled) - profile.commands.keys())
    if strangers:
        raise _fault(
            settings, f"{strangers} are no commands of {profile.id!r}", f"use some of {sorted(profile.commands)}"
        )
    variables = _variables(profile, settings)
    _check_secrets(profile, settings)
    try:
        return _bound(profile, settings, variables)
    except ValueError as error:
        raise _fault(settings, str(error), "mend the variables") from error


def new_variable() -> str:
    """Return a value for a variable that every installation makes for itself."""
    return uuid.uuid4().hex[:16]


def _bound(profile: Profile, settings: DeviceSettings, variables: Mapping[str, str]) -> Device:
    """Build the device; every topic is checked here once."""
    device = Device(
        profile=profile,
        slug=settings.slug,
        name=settings.name.strip(),
        aliases=settings.aliases,
        area_id=settings.area_id,
        availability=tuple(_availability(a, variables) for a in profile.availability),
        signals={name: _signal(s, variables) for name, s in profile.signals.items()},
        commands={name: _command(c, variables) for name, c in profile.commands.items()},
        enabled=frozenset(n for n, c in profile.commands.items() if c.enabled_by_default) - settings.disabled
        | settings.enabled,
        secrets=settings.secrets,
        refresh=_refresh(profile.refresh, variables),
        denied=tuple(t.bound(variables).filter() for t in profile.deny_topics),
    )
    for command in device.commands.values():
        command.topic.filter()
    return device


def _variables(profile: Profile, settings: DeviceSettings) -> Mapping[str, str]:
    """Return a checked value for every variable of the profile."""
    for name in settings.variables:
        if name not in profile.vars:
            raise _fault(settings, f"{name!r} is no variable of {profile.id!r}", f"use some of {sorted(profile.vars)}")
    found = {}
    for name, var in profile.vars.items():
        value = settings.variables.get(name, var.default)
        if value is None:
            raise _fault(
                settings,
                f"the variable {name!r} ({var.title}) has no value",
                f"give it one, such as {var.example or new_variable()!r}",
            )
        try:
            _check_variable(var, value)
        except ValueError as error:
            raise _fault(settings, f"the variable {name!r}: {error}", "give it another value") from error
        found[name] = value
    return found


def _check_variable(var: Var, value: str) -> None:
    """Raise ValueError for a value that its kind forbids."""
    if "{" in value or "}" in value:
        raise ValueError("braces are not allowed")
    if var.pattern is not None and not var.pattern.fullmatch(value):
        raise ValueError(f"{value!r} does not look like {var.pattern.pattern!r}")
    match var.kind:
        case VarKind.TOPIC_PREFIX:
            Topic(value)
            if value.startswith("/") or value.endswith("/") or "//" in value:
                raise ValueError(f"{value!r} has an empty level")
        case VarKind.TOPIC_SEGMENT:
            segment(value)
        case VarKind.WORD:
            if not _WORD.fullmatch(value):
                raise ValueError(f"{value!r} is not one plain word")
        case VarKind.JSON_PATH:
            if not _PATH.fullmatch(value):
                raise ValueError(f"{value!r} is no path such as $.state")


def _check_secrets(profile: Profile, settings: DeviceSettings) -> None:
    """Secrets are declared, and one plain word each: the payload is a line of words."""
    for name, secret in settings.secrets.items():
        if name not in profile.secrets:
            raise _fault(settings, f"{name!r} is no secret of {profile.id!r}", f"use some of {sorted(profile.secrets)}")
        if not _SECRET.fullmatch(secret.reveal()):
            raise _fault(settings, f"the secret {name!r} is not one plain word", "use letters, digits and . _ + : -")


def _fault(settings: DeviceSettings, problem: str, fix: str) -> ConfigurationInvalid:
    return ConfigurationInvalid(f"device {settings.slug!r}: {problem}; {fix}")


def _availability(availability: Availability, variables: Mapping[str, str]) -> Availability:
    return replace(
        availability,
        topic=availability.topic.bound(variables),
        online=frozenset(fixed(w, variables) for w in availability.online),
        offline=frozenset(fixed(w, variables) for w in availability.offline),
    )


def _signal(signal: Signal, variables: Mapping[str, str]) -> Signal:
    return replace(signal, topic=signal.topic.bound(variables), parse=_parse(signal.parse, variables))


def _parse(parse: Parse, variables: Mapping[str, str]) -> Parse:
    if parse.map is None:
        return parse if parse.path is None else replace(parse, path=fixed(parse.path, variables))
    path = fixed(parse.path, variables) if parse.path is not None else None
    return replace(parse, path=path, map={fixed(k, variables): v for k, v in parse.map.items()})


def _refresh(refresh: Refresh | None, variables: Mapping[str, str]) -> Refresh | None:
    if refresh is None:
        return None
    return replace(refresh, topic=refresh.topic.bound(variables), payload=payloads.bound(refresh.payload, variables))


def _command(command: Command, variables: Mapping[str, str]) -> Command:
    return replace(
        command,
        topic=command.topic.bound(variables),
        payload=payloads.bound(command.payload, variables),
        ack=_ack(command.ack, variables),
        verify=_verify(command.verify, variables),
    )


def _ack(ack: Ack, variables: Mapping[str, str]) -> Ack:
    return ack if ack.topic is None else replace(ack, topic=ack.topic.bound(variables))


def _verify(verify: Verify | None, variables: Mapping[str, str]) -> Verify | None:
    if verify is None or verify.negative is None:
        return verify
    pattern = "".join(
        re.escape(variables[p.name]) if isinstance(p, Hole) else p for p in Template.parse(verify.negative.regex).parts
    )
    return replace(verify, negative=Negative(topic=verify.negative.topic.bound(variables), regex=pattern))
