"""From the checked JSON of a profile file to values."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from jsonschema import Draft202012Validator

from botpsy_core.bridge.payload import Charset, EmptyPayload, JsonPayload, Payload, TextPayload
from botpsy_core.bridge.profile import (
    Ack,
    AckKind,
    Command,
    ConfirmLevel,
    Correlate,
    Encode,
    Encoding,
    Negative,
    Refresh,
    Verify,
)
from botpsy_core.bridge.signals import (
    Availability,
    Compare,
    Condition,
    OnUnknown,
    Parse,
    ParseKind,
    Retained,
    Shown,
    Signal,
    SignalType,
    Var,
    VarKind,
)
from botpsy_core.bridge.template import Template
from botpsy_core.bridge.yaml_file import Place, YamlFile
from botpsy_core.domain.tools import Risk


class ProfileBuilder:
    """Turns checked JSON into values; a template or a regex may still be wrong."""

    def __init__(self, file: YamlFile) -> None:
        self._file = file

    def template(self, text: str, place: Place) -> Template:
        """Return a template; raise ConfigurationInvalid."""
        try:
            return Template.parse(text)
        except ValueError as error:
            raise self._file.fault(place, str(error), "mend the placeholder") from error

    def regex(self, text: str | None, place: Place) -> re.Pattern[str] | None:
        """Return a pattern that ends in bounded time; raise ConfigurationInvalid."""
        if text is None:
            return None
        if re.search(r"\([^()]*[+*}][^()]*\)[+*{]", text) or re.search(r"\\[1-9]|\(\?[=!<P(]", text):
            raise self._file.fault(
                place,
                f"the pattern {text!r} can take for ever",
                "write it without repeats inside repeats, back references and look-arounds",
            )
        try:
            return re.compile(text)
        except re.error as error:
            raise self._file.fault(place, f"no regular expression: {error}", "mend it") from error

    def var(self, name: str, data: Mapping[str, Any]) -> Var:
        """Return a variable."""
        return Var(
            kind=VarKind(data["kind"]),
            title=data["title"],
            default=data.get("default"),
            example=data.get("example", ""),
            generate="generate" in data,
            pattern=self.regex(data.get("pattern"), ("vars", name, "pattern")),
            discover=data.get("discover"),
        )

    def availability(self, data: Mapping[str, Any], place: Place) -> Availability:
        """Return one availability topic."""
        return Availability(
            topic=self.template(data["topic"], place),
            online=frozenset(data.get("online", ())),
            anything="any" in data,
            offline=frozenset(data.get("offline", ())),
            path=data.get("path"),
            device=data.get("role", "device") == "device",
        )

    def refresh(self, data: Mapping[str, Any]) -> Refresh:
        """Return the read request."""
        place: Place = ("refresh",)
        return Refresh(
            topic=self.template(data["topic"], place),
            payload=self.payload(data["payload"], place),
            wakes_device=data["wakes_device"],
        )

    def payload(self, data: Mapping[str, Any], place: Place) -> Payload:
        """Return a payload of its kind."""
        if "text" in data:
            return TextPayload(template=self.template(data["text"], (*place, "text")), charset=Charset(data["charset"]))
        return JsonPayload(tree=data["json"]) if "json" in data else EmptyPayload()

    def signal(self, name: str, data: Mapping[str, Any]) -> Signal:
        """Return one signal."""
        place: Place = ("signals", name)
        parse: Mapping[str, Any] = data["parse"]
        return Signal(
            name=name,
            title=data["title"],
            topic=self.template(data["topic"], (*place, "topic")),
            parse=Parse(
                kind=ParseKind(parse["kind"]),
                path=parse.get("path"),
                index=parse.get("index", 0),
                regex=self.regex(parse.get("regex"), (*place, "parse", "regex")),
                map=parse.get("map"),
                scale=float(parse.get("scale", 1)),
                offset=float(parse.get("offset", 0)),
            ),
            type=SignalType(data["type"]),
            max_age_s=data["max_age_s"],
            retained=Retained(data["retained"]),
            shown=Shown(data["llm"]),
            unit=data.get("unit"),
            device_class=data.get("device_class"),
            values=tuple(data.get("values", ())),
            words=data.get("words", {}),
            minimum=data.get("min"),
            maximum=data.get("max"),
            private=data.get("pii", False),
        )

    def condition(self, data: Mapping[str, Any]) -> Condition:
        """Return a condition."""
        return Condition(
            signal=data["signal"],
            compare=Compare(data["op"]),
            value=data.get("value"),
            tolerance=float(data.get("tolerance", 0)),
            max_age_s=data.get("max_age_s"),
            on_unknown=OnUnknown(data.get("on_unknown", "refuse")),
            say=data.get("say", ""),
            say_unknown=data.get("say_unknown", ""),
        )

    def ack(self, data: Mapping[str, Any], place: Place) -> Ack:
        """Return what an answer looks like."""
        return Ack(
            kind=AckKind(data["kind"]),
            topic=self.template(data["topic"], (*place, "topic")) if "topic" in data else None,
            correlate=Correlate(data.get("correlate", "single_flight")),
            path=data.get("path"),
            timeout_s=float(data.get("timeout_s", 10)),
            success=self.regex(data.get("success"), (*place, "success")),
            failure=self.regex(data.get("failure"), (*place, "failure")),
        )

    def verify(self, data: Mapping[str, Any] | None, place: Place) -> Verify | None:
        """Return what proves the effect, or None."""
        if data is None:
            return None
        negative = data.get("negative")
        if negative:
            self.regex(negative["regex"], (*place, "negative", "regex"))
        return Verify(
            condition=self.condition(data),
            within_s=float(data["within_s"]),
            optimistic=data.get("optimistic", False),
            negative=Negative(topic=self.template(negative["topic"], (*place, "negative")), regex=negative["regex"])
            if negative
            else None,
        )

    def encode(self, data: Mapping[str, Any]) -> Encode:
        """Return an argument's way to the wire."""
        return Encode(map=data.get("map"), format=Encoding(data["format"]) if "format" in data else None)

    def command(self, name: str, data: Mapping[str, Any]) -> Command:
        """Return one command."""
        place: Place = ("commands", name)
        publish: Mapping[str, Any] = data["publish"]
        confirm: Mapping[str, Any] = data.get("confirm", {"level": "none"})
        return Command(
            name=name,
            description=data["description"],
            polarity=data["polarity"],
            risk=Risk(data["risk"]),
            topic=self.template(publish["topic"], (*place, "publish", "topic")),
            payload=self.payload(publish["payload"], (*place, "publish", "payload")),
            expiry_s=publish.get("expiry_s"),
            ack=self.ack(data["ack"], (*place, "ack")),
            verify=self.verify(data.get("verify"), (*place, "verify")),
            args=data["args"],
            validator=Draft202012Validator(data["args"]),
            encode={arg: self.encode(encode) for arg, encode in data.get("encode", {}).items()},
            preconditions=tuple(self.condition(c) for c in data.get("preconditions", ())),
            noop_if=self.condition(data["noop_if"]) if "noop_if" in data else None,
            confirm=ConfirmLevel(confirm["level"]),
            readback=confirm.get("readback", ""),
            confirm_ttl_s=float(confirm["ttl_s"]) if "ttl_s" in confirm else None,
            resend=data["retry"] == "if_not_acked",
            min_interval_s=float(data["limits"]["min_interval_s"]),
            per_hour=data["limits"]["per_hour"],
            enabled_by_default=data.get("enabled_by_default", True),
            about=data.get("about"),
            cues=_cues(data.get("cues", {})),
            examples=tuple(data.get("examples", ())),
        )


def _cues(data: Mapping[str, Iterable[Iterable[str]]]) -> Mapping[str, tuple[tuple[str, ...], ...]]:
    """Freeze groups of words."""
    return {language: tuple(tuple(group) for group in groups) for language, groups in data.items()}
