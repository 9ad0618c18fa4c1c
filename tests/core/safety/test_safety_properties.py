"""What holds for every call, whatever was said, thought, or configured."""

import copy
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st
from safety_scene import (
    CONTEXT,
    HOME,
    NOTIFY,
    OPEN,
    READ,
    SET_TEMPERATURE,
    TURN_OFF,
    TURN_ON,
    UNLOCK,
    judge,
    tool,
)

from botpsy_core.domain.context import Origin
from botpsy_core.domain.heard import Clause, Heard, How, Mood, Span, Target, Value, ValueKind
from botpsy_core.domain.tools import Direction, Risk, ToolCall
from botpsy_core.domain.verdicts import Allow, Ask, AskKind, Evidence, Readiness
from botpsy_core.safety import Confirmation, Standing, load_policy

RISKY = (Risk.SECURITY, Risk.HAZARD, Risk.FORBIDDEN)
CAR = tool("unlock_car", risk=Risk.SECURITY, direction=Direction.UNLOCK, arguments=(), target="vehicle.leaf")
TOOLS = (TURN_ON, TURN_OFF, OPEN, UNLOCK, SET_TEMPERATURE, NOTIFY, READ, CAR)
IDS = tuple(e.id for e in HOME.entities)
TEXT = "please do not unlock the front door and turn on kitchen light 21 if it rains"
POLICIES = (
    load_policy(),
    load_policy({"classes": {"hazard": {"enabled": True}, "security": {"max_targets": 5}}}),
    load_policy({"turn": {"max_risky": 9}, "origins": {"mqtt": {"max_risk": "hazard", "above": "ask"}}}),
)

spans = st.builds(
    lambda a, b: Span(start=min(a, b), end=max(a, b) + 1), st.integers(0, len(TEXT) - 1), st.integers(0, len(TEXT) - 1)
)
shares = st.floats(0, 1)
maybe = st.none() | shares
targets = st.builds(
    Target,
    label=st.sampled_from(["front door", "kitchen light", "it"]),
    entities=st.lists(st.sampled_from(IDS), min_size=1, max_size=3, unique=True).map(lambda ids: tuple(sorted(ids))),
    score=shares,
    how=st.sampled_from(How),
    span=st.none() | spans,
)
values = st.builds(Value, kind=st.sampled_from(ValueKind), value=st.integers(0, 100), span=spans)
clauses = st.builds(
    Clause,
    text=st.just(TEXT),
    span=st.just(Span(start=0, end=len(TEXT))),
    mood=st.sampled_from(Mood),
    directions=st.lists(st.sampled_from(Direction), max_size=2).map(tuple),
    targets=st.lists(targets, max_size=3).map(tuple),
    values=st.lists(values, max_size=2).map(tuple),
    absent=st.lists(st.sampled_from(["sauna", "front door"]), max_size=1).map(tuple),
    unexplained=st.lists(spans, max_size=3).map(tuple),
    everything=st.booleans(),
)
evidences = st.builds(
    Evidence,
    p_call=maybe,
    p_refuse=maybe,
    gain=st.none() | st.floats(-60, 60),
    likeness=maybe,
    by_code=st.booleans(),
    tainted=st.booleans(),
)
readinesses = st.builds(
    Readiness,
    risk=st.none() | st.sampled_from(Risk),
    confirm=st.none() | st.sampled_from([AskKind.CONFIRM, AskKind.PIN]),
    unmet=st.sampled_from([(), ("no",)]),
    stale=st.sampled_from([(), ("old",)]),
)
contexts = st.builds(lambda o: replace(CONTEXT, origin=o), st.sampled_from(Origin))
standings = st.builds(Standing, risky=st.integers(0, 1), pin_set=st.booleans(), locked_out=st.booleans())


@st.composite
def calls(draw):
    spec = draw(st.sampled_from(TOOLS))
    args = {}
    for argument in spec.arguments:
        if argument.name == "target":
            args["target"] = draw(st.lists(st.sampled_from(IDS), max_size=3, unique=True))
        elif argument.name == "temperature":
            args["temperature"] = draw(st.integers(0, 100))
        else:
            args[argument.name] = draw(st.sampled_from(["front door", "nothing of the kind"]))
    return spec, args


decisions = st.fixed_dictionaries(
    {
        "evidence": evidences,
        "readiness": readinesses,
        "policy": st.sampled_from(POLICIES),
        "context": contexts,
        "standing": standings,
    }
)


def heard(clause):
    return clause, Heard(text=TEXT, language="en", clauses=(clause,))


@settings(max_examples=300, deadline=None)
@given(calls(), clauses, decisions)
def test_no_risky_call_is_allowed_without_a_confirmation(made, clause, more):
    spec, args = made
    verdict = judge(spec, args, heard(clause), **more)
    assert not (isinstance(verdict, Allow) and verdict.risk in RISKY), verdict


@settings(max_examples=200, deadline=None)
@given(calls(), calls(), clauses, decisions, st.sampled_from([AskKind.CONFIRM, AskKind.PIN]))
def test_a_confirmation_lets_out_its_own_call_and_no_other(made, asked, clause, more, level):
    spec, args = made
    stored = ToolCall(id="1", name=asked[0].name, args=asked[1])
    proof = Confirmation(call=stored, level=level, conversation_id=CONTEXT.conversation_id)
    verdict = judge(spec, args, heard(clause), confirmation=proof, **more)
    if isinstance(verdict, Allow) and verdict.risk in RISKY:
        assert verdict.call == stored
        assert verdict.risk is not Risk.FORBIDDEN


@settings(max_examples=300, deadline=None)
@given(calls(), clauses, decisions, st.booleans())
def test_what_is_no_command_never_writes_even_after_a_pin(made, clause, more, with_pin):
    spec, args = made
    proof = Confirmation(
        call=ToolCall(id="1", name=spec.name, args=args), level=AskKind.PIN, conversation_id=CONTEXT.conversation_id
    )
    verdict = judge(spec, args, heard(clause), confirmation=proof if with_pin else None, **more)
    wordless = more["context"].origin in {Origin.AGENT, Origin.DELAYED}  # judged by its words when it was put off
    if clause.mood in {Mood.COMMAND, Mood.STATEMENT} or spec.read_only or wordless:
        return
    assert not isinstance(verdict, Allow | Ask), verdict


@settings(max_examples=200, deadline=None)
@given(calls(), clauses, decisions)
def test_everything_that_goes_out_was_named(made, clause, more):
    spec, args = made
    verdict = judge(spec, args, heard(clause), **more)
    wordless = more["context"].origin in {Origin.AGENT, Origin.DELAYED}
    if not isinstance(verdict, Allow) or spec.read_only or wordless or spec.target:
        return
    named = {i for t in clause.targets for i in t.entities}
    assert set(verdict.call.args.get("target", ())) <= named


@settings(max_examples=100, deadline=None)
@given(calls(), clauses, decisions)
def test_the_gate_is_pure(made, clause, more):
    spec, args = made
    before = copy.deepcopy((args, clause, more["evidence"], more["readiness"], more["standing"]))
    first = judge(spec, args, heard(clause), **more)
    assert judge(spec, args, heard(clause), **more) == first
    assert (args, clause, more["evidence"], more["readiness"], more["standing"]) == before


@settings(max_examples=100, deadline=None)
@given(calls(), clauses, decisions)
def test_a_verdict_is_about_the_call_as_it_came(made, clause, more):
    spec, args = made
    verdict = judge(spec, args, heard(clause), **more)
    assert verdict.call == ToolCall(id="1", name=spec.name, args=args)
