"""What a profile must keep to and a JSON Schema cannot say: names that exist, types that fit, no hidden toggle."""

import re
from collections.abc import Iterable

from botpsy_core.bridge import payload as payloads
from botpsy_core.bridge.profile import AckKind, Command, Correlate, Profile, Verify
from botpsy_core.bridge.signals import Compare, Condition, Signal, SignalType
from botpsy_core.bridge.template import Hole, HoleKind, Template
from botpsy_core.bridge.yaml_file import Place, YamlFile, as_mapping
from botpsy_core.domain.tools import Risk
from botpsy_core.domain.values import JsonObject, JsonValue

_ARGUMENT = re.compile(r"\{arg:([a-z][a-z0-9_]*)\}")


def check_rules(profile: Profile, file: YamlFile) -> None:
    """Raise ConfigurationInvalid at the first rule that the profile breaks."""
    _Rules(profile, file).check()


def argument_of(value: JsonValue) -> str | None:
    """Return the argument that a condition's value stands for, or None."""
    found = _ARGUMENT.fullmatch(value) if isinstance(value, str) else None
    return found[1] if found else None


class _Rules:
    """One walk over one profile."""

    def __init__(self, profile: Profile, file: YamlFile) -> None:
        self._profile = profile
        self._file = file

    def check(self) -> None:
        profile = self._profile
        for name, var in profile.vars.items():
            if var.discover is not None:
                self._holes(Template.parse(var.discover).holes, ("vars", name, "discover"), args=(), txid=False)
        for index, availability in enumerate(profile.availability):
            self._holes(availability.topic.holes, ("availability", index), args=(), txid=False)
        for name, signal in profile.signals.items():
            self._signal(signal, ("signals", name))
        if profile.clock is not None:
            clock = profile.signals.get(profile.clock)
            self._need(
                clock is not None and clock.type is SignalType.TIMESTAMP,
                ("clock", "signal"),
                f"{profile.clock!r} is no signal of type timestamp",
                "name one that is",
            )
        if profile.refresh is not None:
            holes = (*profile.refresh.topic.holes, *payloads.holes(profile.refresh.payload))
            self._holes(holes, ("refresh",), args=(), txid=False)
        for index, denied in enumerate(profile.deny_topics):
            self._holes(denied.holes, ("deny_topics", index), args=(), txid=False)
        for command in profile.commands.values():
            self._command(command, ("commands", command.name))

    def _need(self, good: bool, place: Place, problem: str, fix: str) -> None:  # noqa: FBT001  reads as an assertion
        if not good:
            raise self._file.fault(place, problem, fix)

    def _holes(self, holes: Iterable[Hole], place: Place, *, args: Iterable[str], txid: bool) -> None:
        """Every placeholder names something that is declared."""
        for hole in holes:
            known: Iterable[str]
            match hole.kind:
                case HoleKind.VAR:
                    known = self._profile.vars
                case HoleKind.SECRET:
                    known = self._profile.secrets
                case HoleKind.ARG:
                    known = tuple(args)
                case HoleKind.TXID:
                    self._need(
                        txid, place, "{txid} has no meaning here", "use it in a command's topic, payload or answer"
                    )
                    continue
            self._need(
                hole.name in known,
                place,
                f"{hole.kind} {hole.name!r} is not declared",
                f"declare it, or use one of {sorted(known)}",
            )

    def _signal(self, signal: Signal, place: Place) -> None:
        self._holes(signal.topic.holes, (*place, "topic"), args=(), txid=False)
        if signal.minimum is not None and signal.maximum is not None:
            self._need(signal.minimum < signal.maximum, (*place, "min"), "min is not below max", "swap them")
        if signal.type is SignalType.ENUM and signal.parse.map is not None:
            strangers = sorted(str(v) for v in signal.parse.map.values() if str(v) not in signal.values)
            self._need(
                not strangers, (*place, "parse", "map"), f"{strangers} are not among the values", "add them to `values`"
            )
        for key in signal.parse.map or ():
            self._holes(Template.parse(key).holes, (*place, "parse", "map"), args=(), txid=False)

    def _command(self, command: Command, place: Place) -> None:
        args = as_mapping(command.args["properties"])
        required = command.args.get("required", ())
        assert isinstance(required, list | tuple)
        for name in required:
            self._need(name in args, (*place, "args", "required"), f"{name!r} is no argument", "add it to `properties`")
        for name in command.encode:
            self._need(name in args, (*place, "encode", name), f"{name!r} is no argument", "remove it")
        known = command.about is None or command.about in self._profile.signals
        self._need(known, (*place, "about"), f"{command.about!r} is no signal", "name the signal that it is about")
        self._publish(command, args, frozenset(str(r) for r in required), place)
        self._answer(command, args, place)
        for index, condition in enumerate(command.preconditions):
            self._condition(condition, args, (*place, "preconditions", index))
        if command.noop_if is not None:
            self._condition(command.noop_if, args, (*place, "noop_if"))
        if command.verify is not None:
            self._verify(command.verify, args, (*place, "verify"))

    def _publish(self, command: Command, args: JsonObject, required: frozenset[str], place: Place) -> None:
        holes = (*command.topic.holes, *payloads.holes(command.payload))
        self._holes(holes, (*place, "publish"), args=args, txid=True)
        for hole in holes:
            if hole.kind is HoleKind.ARG:
                self._need(
                    hole.name in required,
                    (*place, "args"),
                    f"{hole.name!r} is published and may be left out",
                    "list it under `required`",
                )
        for hole in command.topic.holes:
            if hole.kind is HoleKind.ARG:
                closed = "enum" in as_mapping(args[hole.name])
                self._need(
                    closed,
                    (*place, "publish", "topic"),
                    f"{hole.name!r} in a topic is not a closed set",
                    "give it an `enum`",
                )
        toggles = any("toggle" in text.lower() for text in payloads.literals(command.payload))
        mapped = (str(v) for e in command.encode.values() for v in (e.map or {}).values())
        toggles = toggles or any("toggle" in text.lower() for text in mapped)
        self._need(
            not toggles or command.risk is Risk.HAZARD,
            (*place, "risk"),
            "a toggle does the opposite every second time",
            "use a payload that names the state, or risk: hazard",
        )

    def _answer(self, command: Command, args: JsonObject, place: Place) -> None:
        ack = command.ack
        if ack.topic is not None:
            self._holes(ack.topic.holes, (*place, "ack", "topic"), args=args, txid=True)
        sent = {h.kind for h in (*command.topic.holes, *payloads.holes(command.payload))}
        if ack.kind is AckKind.RESPONSE_TOPIC and ack.topic is not None:
            by_topic = any(h.kind is HoleKind.TXID for h in ack.topic.holes)
            match ack.correlate:
                case Correlate.TOPIC_SEGMENT:
                    self._need(
                        by_topic and HoleKind.TXID in sent,
                        (*place, "ack"),
                        "the answer cannot be told by its topic",
                        "put {txid} into both topics",
                    )
                case Correlate.JSON_PATH:
                    self._need(
                        HoleKind.TXID in sent,
                        (*place, "ack"),
                        "the answer cannot be told by its id",
                        "put {txid} into the payload",
                    )
                case Correlate.SINGLE_FLIGHT | Correlate.V5_CORRELATION_DATA:
                    self._need(
                        not by_topic,
                        (*place, "ack", "topic"),
                        "{txid} stands in the topic",
                        "write `correlate: topic_segment`",
                    )

    def _verify(self, verify: Verify, args: JsonObject, place: Place) -> None:
        self._condition(verify.condition, args, place)
        if verify.negative is not None:
            self._holes(verify.negative.topic.holes, (*place, "negative"), args=(), txid=False)
            self._holes(Template.parse(verify.negative.regex).holes, (*place, "negative"), args=(), txid=False)

    def _condition(self, condition: Condition, args: JsonObject, place: Place) -> None:
        """Hold that the signal exists, and that it can have the value asked for."""
        signal = self._profile.signals.get(condition.signal)
        if signal is None:
            raise self._file.fault(
                (*place, "signal"), f"{condition.signal!r} is no signal", f"use one of {sorted(self._profile.signals)}"
            )
        if condition.compare is Compare.FRESH:
            return
        if (name := argument_of(condition.value)) is not None:
            self._need(name in args, (*place, "value"), f"{name!r} is no argument", "declare it")
            return
        ordered = condition.compare in (Compare.LT, Compare.LE, Compare.GT, Compare.GE, Compare.APPROX)
        self._need(
            not ordered or signal.type is SignalType.NUMBER,
            (*place, "op"),
            f"{condition.compare} needs a number",
            "compare with eq, ne or in",
        )
        listed = condition.value
        if condition.compare is Compare.IN:
            self._need(
                isinstance(listed, list) and bool(listed), (*place, "value"), "`in` needs a list", "write a list"
            )
        wanted = listed if isinstance(listed, list) else [listed]
        for value in wanted:
            self._need(
                _fits(signal, value),
                (*place, "value"),
                f"{value!r} is no value of {signal.name!r} ({signal.type})",
                "compare with a value that it can have",
            )


def _fits(signal: Signal, value: JsonValue) -> bool:
    """Return True if the signal can have that value."""
    match signal.type:
        case SignalType.BOOL:
            return isinstance(value, bool)
        case SignalType.NUMBER | SignalType.TIMESTAMP:
            return isinstance(value, (int, float)) and not isinstance(value, bool)
        case SignalType.ENUM:
            return value in signal.values
        case SignalType.TEXT:
            return isinstance(value, str)
