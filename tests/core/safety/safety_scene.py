"""A small home and ready-made parts of a decision, for the guard's tests."""

from dataclasses import replace
from datetime import UTC, datetime

from botpsy_core.domain.context import Origin, TurnContext
from botpsy_core.domain.heard import Clause, Heard, How, Mood, Span, Target
from botpsy_core.domain.home import Area, Entity, Home
from botpsy_core.domain.offer import OfferedTool, Slot
from botpsy_core.domain.tools import Argument, Direction, Risk, Role, ToolCall, ToolSpec
from botpsy_core.domain.verdicts import Evidence, Readiness, Verdict
from botpsy_core.safety import Standing, decide, load_policy

HOME = Home(
    entities=(
        Entity(id="light.kitchen", name="Kitchen Light", area_id="kitchen"),
        Entity(id="light.hall", name="Hall Light", area_id="hall"),
        Entity(id="lock.front", name="Front Door", area_id="hall"),
        Entity(id="cover.garage", name="Garage Door", device_class="garage"),
        Entity(id="switch.oven", name="Oven", area_id="kitchen"),
        Entity(id="switch.smoke", name="Smoke Detector", area_id="kitchen"),
        Entity(id="climate.main", name="Thermostat", area_id="hall"),
        Entity(id="vehicle.leaf", name="Leaf"),
    ),
    areas=(Area(id="kitchen", name="Kitchen"), Area(id="hall", name="Hall")),
)
CONTEXT = TurnContext(
    conversation_id="c1",
    origin=Origin.CHAT,
    now=datetime(2026, 5, 4, 12, tzinfo=UTC),
    user_id="anna",
    device_id="phone",
)
POLICY = load_policy()
WITH_PIN = Standing(pin_set=True)
TARGET = Argument(name="target", role=Role.TARGET, schema={"type": "array"}, required=True)


def tool(name="turn_on", *, risk=Risk.COMFORT, direction=Direction.ON, arguments=(TARGET,), **more):
    return ToolSpec(name=name, description="Do it.", risk=risk, direction=direction, arguments=tuple(arguments), **more)


TURN_ON = tool()
TURN_OFF = tool("turn_off", direction=Direction.OFF)
UNLOCK = tool("unlock", risk=Risk.SECURITY, direction=Direction.UNLOCK)
OPEN = tool("open_cover", direction=Direction.OPEN)
SET_TEMPERATURE = tool(
    "set_temperature",
    direction=Direction.SET,
    arguments=(
        TARGET,
        Argument(
            name="temperature",
            role=Role.NUMBER,
            required=True,
            schema={"type": "number", "minimum": 5, "maximum": 35, "x-unit": "°C"},
        ),
    ),
)
NOTIFY = tool(
    "notify",
    direction=Direction.SEND,
    arguments=(Argument(name="message", role=Role.TEXT, schema={"type": "string"}, required=True),),
    cues={"en": (("notify", "tell"),)},
)
READ = tool("get_state", risk=Risk.READ, direction=None)


def span_of(words, text):
    start = text.lower().index(words.lower())
    return Span(start=start, end=start + len(words))


def heard_target(text, words, *ids, how=How.NAME, score=1.0):
    return Target(
        label=words,
        entities=tuple(sorted(ids)),
        score=score,
        how=how,
        span=span_of(words, text) if words in text else None,
    )


def said(text, *, mood=Mood.COMMAND, directions=(), targets=(), **more):
    """A clause that is the whole utterance; `targets` as (words, ids...) tuples or ready targets."""
    ready = tuple(t if isinstance(t, Target) else heard_target(text, *t) for t in targets)
    clause = Clause(
        text=text, span=Span(start=0, end=len(text)), mood=mood, directions=tuple(directions), targets=ready, **more
    )
    return clause, Heard(text=text, language="en", clauses=(clause,))


def judge(
    spec,
    args,
    clause_heard,
    *,
    home=HOME,
    evidence=None,
    readiness=None,
    policy=POLICY,
    context=CONTEXT,
    standing=WITH_PIN,
    confirmation=None,
    offered=...,
) -> Verdict:
    clause, heard = clause_heard
    call = ToolCall(id="1", name=spec.name, args=args)
    if offered is ...:
        offered = OfferedTool(tool=spec, slots=tuple(Slot(argument=a) for a in spec.arguments), score=0.5)
    return decide(
        call,
        spec=spec,
        clause=clause,
        heard=heard,
        home=home,
        evidence=evidence or Evidence(p_call=0.9),
        readiness=readiness or Readiness(),
        policy=policy,
        context=context,
        offered=offered,
        standing=standing,
        confirmation=confirmation,
    )


def from_(origin):
    return replace(CONTEXT, origin=origin)


LIGHT_ON = said("turn on the kitchen light", directions=[Direction.ON], targets=[("kitchen light", "light.kitchen")])
UNLOCK_FRONT = said("unlock the front door", directions=[Direction.UNLOCK], targets=[("front door", "lock.front")])
