"""Make what is said from what happened; nothing here can claim an act without its outcome."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from botpsy_core.agent.facts import as_number
from botpsy_core.agent.moments import say_duration, say_moment
from botpsy_core.agent.naming import say_act, say_named, say_names, say_number
from botpsy_core.agent.phrases import Phrases
from botpsy_core.catalog import only_schema
from botpsy_core.domain.home import Home
from botpsy_core.domain.plans import WHEN, PlannedAct
from botpsy_core.domain.tools import Argument, Outcome, Role, ToolCall, ToolResult, ToolSpec
from botpsy_core.domain.values import JsonValue
from botpsy_core.domain.verdicts import Ask, AskKind, Reason, Refuse

_PARTED = re.compile(r"_|(?<=[a-z])(?=[A-Z])")
"""Where the words of an argument's name part."""

_BESIDES: Mapping[str, str] = {"unreached": "partly", "urgent": "urgent", "not_urgent": "not_urgent"}
"""What a result tells of some of those that something was sent to, and the sentence for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Speech:
    """What is needed to say anything: the language's sentences, the home's names, the time."""

    phrases: Phrases
    home: Home
    now: datetime

    def outcome(self, call: ToolCall, result: ToolResult, spec: ToolSpec) -> str:
        """Return what to say about a write that was carried out."""
        failed = _strings(result.data.get("failed"))
        own = self._forgotten(result.data.get("forgotten")) or self._timer(result.data.get("timer"))
        own = own or self._items(result.data.get("items"))
        if own:
            return own
        ids = spec.targets_of(call)
        match result.outcome:
            case Outcome.DONE if not failed:
                return self.act("done", call, spec)
            case Outcome.ALREADY_SO:
                return self.act("so", call, spec)
            case _ if failed and set(failed) < set(ids):
                return self._partly(call, spec, failed)
            case Outcome.DONE:
                return self._plain(Outcome.FAILED, ids, result.detail)
            case other:
                return self._plain(other, ids, result.detail)

    def _forgotten(self, acts: JsonValue) -> str:
        """Return which planned acts were forgotten; empty where none was."""
        listed = acts if isinstance(acts, list | tuple) else ()
        said = [str(each["act"]) for each in listed if isinstance(each, Mapping)]
        return self.phrases.say("turn", "forgotten", act=self.phrases.listed(said)) if said else ""

    def _items(self, items: JsonValue) -> str:
        """Return what became of items of lists, list by list; empty where it was about none."""
        if not isinstance(items, Mapping):
            return ""
        listed = items["done"]
        done = [each for each in (listed if isinstance(listed, list) else ()) if isinstance(each, Mapping)]
        to = items.get("to")
        lists = dict.fromkeys(str(to or each["list"]) for each in done)
        told = []
        for on in lists:
            said = self.phrases.listed([str(each["item"]) for each in done if str(to or each["list"]) == on])
            names = say_names(self.phrases, [on], self.home)
            told.append(self.phrases.say("lists", str(items["operation"]), items=said, names=names))
        left = ((key, _strings(items.get(key))) for key in ("absent", "listed", "failed"))
        told += [self.phrases.say("lists", key, items=self.phrases.listed(said)) for key, said in left if said]
        return " ".join(told)

    def _timer(self, timer: JsonValue) -> str:
        """Return what became of a timer; empty where it was about none."""
        if not isinstance(timer, Mapping):
            return ""
        left, length = (say_duration(self.phrases, as_number(timer.get(key)) or 0) for key in ("left", "length"))
        named = say_named(str(timer.get("name") or ""))
        return self.phrases.say("timers", str(timer["did"]), named=named, left=left, length=length)

    def besides(self, result: ToolResult) -> str:
        """Return what else is to be told of those that something was sent to; empty where there is nothing."""
        told = ((key, _strings(result.data.get(at))) for at, key in _BESIDES.items())
        said = ((key, ids, say_names(self.phrases, ids, self.home)) for key, ids in told if ids)
        return " ".join(self.phrases.say("outcomes", key, count=len(ids), failed=n, names=n) for key, ids, n in said)

    def _partly(self, call: ToolCall, spec: ToolSpec, failed: Sequence[str]) -> str:
        kept = {
            a.name: [i for i in _strings(call.args[a.name]) if i not in failed]
            for a in spec.arguments_of(Role.TARGET)
            if a.name in call.args
        }
        rest = ToolCall(id=call.id, name=call.name, args={**call.args, **kept})
        names = say_names(self.phrases, failed, self.home)
        return f"{self.act('done', rest, spec)} {self.phrases.say('outcomes', 'partly', failed=names)}"

    def _plain(self, outcome: Outcome, ids: Sequence[str], detail: str) -> str:
        names = say_names(self.phrases, ids, self.home)
        key = outcome.value if names else f"{outcome.value}_bare"
        return self.phrases.say("outcomes", key, count=max(1, len(ids)), names=names, detail=_sentence(detail))

    def act(self, form: str, call: ToolCall, spec: ToolSpec) -> str:
        """Return a call in words."""
        return say_act(self.phrases, form, call, spec=spec, home=self.home, now=self.now)

    def planned(self, act: PlannedAct) -> str:
        """Return what to say about an act that was put off."""
        when = say_moment(self.phrases, act.at.isoformat(), self.now)
        if act.on is not None:
            names = say_names(self.phrases, [act.on.entity], self.home)
            said = self.phrases.say("turn", "planned_on", act=act.act, said=act.on.said, names=names, when=when)
            return f"{said[:1].upper()}{said[1:]}"
        return self.phrases.say("turn", "planned", act=act.act, when=when)

    def missed(self, act: PlannedAct, why: str) -> str:
        """Return why a planned act was not done when it was due."""
        when = say_moment(self.phrases, act.at.isoformat(), self.now)
        said = "" if act.on is None else act.on.said
        return self.phrases.say("turn", f"missed_{why}", act=act.act, when=when, said=said)

    def refusal(self, refuse: Refuse) -> str:
        """Return what to say where nothing was done."""
        detail = {k: v for k, v in refuse.detail.items() if k != "count"}
        key = refuse.reason.value
        if refuse.reason is Reason.ABSENT_DEVICE and detail.get("nearest"):
            key = "absent_device_near"
        if refuse.reason is Reason.EXCLUDED_TOPIC:
            detail["topic"] = self.phrases.say("topics", detail["topic"])
        if "problem" in detail:
            detail["problem"] = _sentence(detail["problem"])
        count = refuse.detail.get("count", "1")
        return self.phrases.say("refusals", key, count=int(count) if count.isdigit() else 1, **detail)

    def question(self, ask: Ask, spec: ToolSpec) -> str:
        """Return the question that an Ask puts; it ends with a question mark."""
        options = self.phrases.listed(list(ask.options), "or")
        match ask.kind:
            case AskKind.PIN:
                wanted = self.phrases.say("questions", "pin", act=self.act("do", ask.call, spec))
                return f"{ask.readback} {wanted}".strip()
            case AskKind.CONFIRM if ask.reason is Reason.AMBIGUOUS_TARGET and options:
                return self.phrases.say("questions", "did_you_mean", options=options)
            case AskKind.CONFIRM:
                problem = _sentence(ask.detail.get("problem", ""))
                if ask.readback.endswith(("?", "\uff1f")) and not ask.call.args:  # the profile's words know no values
                    return f"{problem} {ask.readback}".strip()
                about = _sentence(ask.readback or ask.detail.get("about", ""))
                key = "confirm_stale" if problem else "confirm_about" if about else "confirm"
                act = self.act("do", ask.call, spec)
                return self.phrases.say("questions", key, act=act, problem=problem, about=about)
            case AskKind.CLARIFY:
                return self._clarify(ask, spec, options)

    def _clarify(self, ask: Ask, spec: ToolSpec, options: str) -> str:
        argument = spec.argument(ask.argument or "")
        if ask.argument == WHEN and not options:
            return self.phrases.say("questions", "missing_time")
        allowed = self._range(argument) or ask.detail.get("range", "")
        if ask.reason is Reason.WRONG_ARGUMENT:
            key, value = "wrong_range" if allowed else "wrong", ask.detail.get("value", "")
            if argument is not None and argument.role is Role.DURATION:
                value = say_duration(self.phrases, as_number(value) or 0)
            return self.phrases.say("questions", key, value=value, range=allowed)
        if argument is None or argument.role is Role.TARGET or (argument.role is Role.TIME and options):
            if ask.reason is Reason.MISSING_ARGUMENT and not options:
                return self.phrases.say("questions", "missing_target")
            return self.phrases.say("questions", "which" if options else "which_bare", options=options)
        name = _PARTED.sub(" ", argument.name).lower()
        named = only_schema(spec) and argument.role is Role.TEXT  # a tool of ours has one text, theirs may have several
        key = "missing" if named else f"missing_{argument.role.value}"
        listed = argument.role in {Role.NUMBER, Role.OPTION}
        if self.phrases.find("questions", key) is None or (listed and not (allowed or options)):
            key = "missing_range" if allowed else "missing"
        return self.phrases.say("questions", key, argument=name, range=allowed or options)

    def _range(self, argument: Argument | None) -> str:
        """Return from where to where a number or a while goes; empty for anything else."""
        ends = [] if argument is None else [argument.schema.get(end) for end in ("minimum", "maximum")]
        if argument is None or not all(isinstance(end, int | float) for end in ends):
            return ""
        start, end = (as_number(end) or 0 for end in ends)
        if argument.role is Role.DURATION:
            low, high = say_duration(self.phrases, start), say_duration(self.phrases, end)
        else:
            unit = str(argument.schema.get("x-unit") or "")
            low, high = say_number(self.phrases, start), say_number(self.phrases, end, unit)
        return self.phrases.say("number", "range", low=low, high=high)


def _sentence(text: str) -> str:
    text = text.strip()
    if not text:
        return ""
    return f"{text[0].upper()}{text[1:]}" + ("" if text[-1] in ".!?\u3002\u0964" else ".")


def _strings(value: JsonValue) -> list[str]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        return []
    return [str(v) for v in value if not isinstance(v, Mapping)]
