"""Tools about timers: the host's own ones, and a message in their place where a device keeps none."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from botpsy_core.agent.moments import say_duration
from botpsy_core.agent.phrases import Phrases, phrases_for
from botpsy_core.agent.plan_toolbox import visible_to
from botpsy_core.agent.plans import Plans
from botpsy_core.domain.context import TurnContext
from botpsy_core.domain.cues import cue_hits
from botpsy_core.domain.plans import PlannedAct
from botpsy_core.domain.timers import Timer
from botpsy_core.domain.tools import Outcome, ToolCall, ToolResult, ToolSpec
from botpsy_core.domain.values import JsonObject, number_of
from botpsy_core.domain.verdicts import AskKind, Readiness
from botpsy_core.errors import LimitReached, ToolboxFailed
from botpsy_core.ports import Clock, TimerKeeper

MESSAGE = "timer-"
"""How the id of a planned message begins that stands for a timer; its length in seconds follows."""
_STANDING = {"pause": True, "resume": False}
"""Which timers an operation is about: those that run, or those that stand still."""


class TimerToolbox:
    """Starts, changes and tells timers; the one that is meant is found by its name, its length and its device."""

    def __init__(self, keeper: TimerKeeper, plans: Plans, clock: Clock, tools: Sequence[ToolSpec]) -> None:
        """Take who keeps timers, the book for what is sent in their place, and the tools that are bound to them."""
        self._keeper = keeper
        self._plans = plans
        self._clock = clock
        self._specs = {s.name: s for s in sorted(tools, key=lambda s: s.name)}

    def specs(self) -> tuple[ToolSpec, ...]:
        """Return the tools, sorted by name."""
        return tuple(self._specs.values())

    async def check(self, call: ToolCall, context: TurnContext) -> Readiness:
        """Return whether a timer can be started there, or that exactly one is meant."""
        spec, phrases = self._specs[call.name], phrases_for(context.language)
        operation = str(spec.binding["operation"])
        if spec.read_only:
            return Readiness()
        if operation == "start":
            return self._may_start(context, phrases)
        meant = self._meant(call, context)
        if not meant:
            return Readiness(unmet=(phrases.say("timers", "none"),))
        if len(meant) > 1:
            items = phrases.listed([said(phrases, facts(t)) for t in meant])
            return Readiness(unmet=(phrases.say("timers", "several", items=items),))
        if meant[0].told and operation in _STANDING:
            return Readiness(unmet=(phrases.say("timers", "stuck"),))
        return Readiness()

    def _may_start(self, context: TurnContext, phrases: Phrases) -> Readiness:
        if self._keeper.keeps(context):
            return Readiness()
        if self._keeper.message("", context) is None:
            return Readiness(unmet=(phrases.say("timers", "here"),))
        return Readiness(confirm=AskKind.CONFIRM, about=phrases.say("timers", "offer"))

    async def execute(self, call: ToolCall, context: TurnContext) -> ToolResult:
        """Carry the call out on the timer that is meant now."""
        spec = self._specs[call.name]
        operation = str(spec.binding["operation"])
        if spec.read_only:
            told = [facts(t) for t in self._meant(call, context)]
            others = any(t["name"] for t in told)  # whoever set a timer chose its name
            return ToolResult(call_id=call.id, outcome=Outcome.DONE, data={"timers": told}, untrusted=others)
        try:
            if operation == "start":
                return await self._start(call, context)
            meant = self._meant(call, context)
            if len(meant) != 1:
                return ToolResult(call_id=call.id, outcome=Outcome.NOT_SENT)
            did, left = await self._change(operation, meant[0], _seconds(call))
        except LimitReached, ToolboxFailed:
            return ToolResult(call_id=call.id, outcome=Outcome.FAILED)
        return _result(call, did, {**facts(meant[0]), "left": left})

    async def _start(self, call: ToolCall, context: TurnContext) -> ToolResult:
        seconds, name = _seconds(call), _name(call, self._specs[call.name], context)
        told: JsonObject = {"name": name, "length": seconds, "left": seconds}
        if self._keeper.keeps(context):
            self._keeper.start(seconds, name, context)
            return _result(call, "started", told)
        phrases = phrases_for(context.language)
        key, length = "up_named" if name else "up", say_duration(phrases, seconds)
        text = phrases.say("timers", key, name=name, length=length)
        message = self._keeper.message(text, context)
        if message is None:
            return ToolResult(call_id=call.id, outcome=Outcome.NOT_SENT)
        await self._plans.add(
            PlannedAct(
                id=f"{MESSAGE}{seconds}-{self._plans.new_id()}",
                call=message,
                at=self._clock.now() + timedelta(seconds=seconds),
                act=f"{name} ({length})" if name else length,
                language=context.language,
                user_id=context.user_id,
                device_id=context.device_id,
            )
        )
        return _result(call, "written", told)

    async def _change(self, operation: str, timer: Timer, seconds: int) -> tuple[str, int]:
        """Change one timer; return what was done, and what was or is left of it."""
        match operation:
            case "cancel" if timer.told:
                await self._plans.cancel([timer.id])
                return "cancelled", timer.left
            case "cancel":
                self._keeper.cancel(timer.id)
                return "cancelled", timer.left
            case "pause":
                self._keeper.pause(timer.id)
                return "halted", timer.left
            case "resume":
                self._keeper.resume(timer.id)
                return "resumed", timer.left
        step = max(seconds if operation == "extend" else -seconds, -timer.left)
        if timer.told:
            await self._plans.shift(timer.id, step)
        else:
            self._keeper.add(timer.id, step)
        return "changed", timer.left + step

    def _meant(self, call: ToolCall, context: TurnContext) -> list[Timer]:
        """Return the timers that the words mean; of several, those of the device that was spoken to."""
        spec = self._specs[call.name]
        found = self._all(context)
        active = _STANDING.get(str(spec.binding["operation"]))
        if active is not None:
            found = [t for t in found if t.active is active or t.told]
        name = _name(call, spec, context).casefold()
        if name:
            same = [t for t in found if t.name.casefold() == name]
            found = same or [t for t in found if name in t.name.casefold()]
        if "length" in call.args:
            found = [t for t in found if t.length == call.args["length"]]
        here = [t for t in found if t.device_id is not None and t.device_id == context.device_id]
        return here if here and len(found) > 1 and not spec.read_only else found

    def _all(self, context: TurnContext) -> list[Timer]:
        own = [a for a in visible_to(self._plans.acts, context) if a.id.startswith(MESSAGE)]
        now = self._clock.now()
        timers = [*self._keeper.timers(context), *(_of(act, now) for act in own)]
        return sorted(timers, key=lambda t: (t.left, t.id))


def facts(timer: Timer) -> JsonObject:
    """Return what is told of a timer."""
    return {"name": timer.name, "length": timer.length, "left": timer.left, "active": timer.active}


def said(phrases: Phrases, timer: JsonObject) -> str:
    """Return a timer as "pizza, 3 minutes of 12 minutes"."""
    seconds = number_of(timer.get("left"))
    left, length = (say_duration(phrases, n) for n in (seconds, max(seconds, number_of(timer.get("length")))))
    item = phrases.say(
        "timers", "item_named" if timer.get("name") else "item", name=str(timer.get("name")), left=left, length=length
    )
    return item if timer.get("active", True) else phrases.say("timers", "paused", item=item)


def _of(act: PlannedAct, now: datetime) -> Timer:
    length = int(act.id.removeprefix(MESSAGE).partition("-")[0])
    left = max(0, round((act.at - now).total_seconds()))
    name = act.act.rpartition(f" ({say_duration(phrases_for(act.language), length)})")[0]
    return Timer(id=act.id, name=name, length=length, left=left, device_id=act.device_id, told=True)


def _name(call: ToolCall, spec: ToolSpec, context: TurnContext) -> str:
    """Return what the timer is for, without the tool's own words around it."""
    name = str(call.args.get("name", ""))
    for hits in cue_hits(spec.cues, name, context.language.partition("-")[0])[:1]:
        for hit in sorted(hits, key=lambda span: -span.start):
            name = f"{name[: hit.start]} {name[hit.end :]}"
    return " ".join(name.split()).strip(" -")


def _seconds(call: ToolCall) -> int:
    return round(number_of(call.args.get("duration")))


def _result(call: ToolCall, did: str, timer: JsonObject) -> ToolResult:
    return ToolResult(call_id=call.id, outcome=Outcome.DONE, data={"timer": {**timer, "did": did}})
