"""The probability that people are shown: of the score, and of what the gate found."""

import pytest
from safety_scene import CONTEXT, HOME, LIGHT_ON, POLICY, TURN_ON, UNLOCK, UNLOCK_FRONT, WITH_PIN, said

from botpsy_core.domain.heard import Mood
from botpsy_core.domain.offer import OfferedTool, Slot
from botpsy_core.domain.tools import Direction, ToolCall
from botpsy_core.domain.verdicts import Allow, Ask, AskKind, Evidence, Readiness, Reason, Refuse
from botpsy_core.safety import case_of, likelihood, verdict_on
from botpsy_core.safety.calibration import scale_for, shown

SCORES = (0.0, 0.01, 0.3, 0.5, 0.8, 0.99, 1.0)
NO_LIGHT = said(
    "do not turn on the kitchen light",
    mood=Mood.NEGATED,
    directions=[Direction.ON],
    targets=[("kitchen light", "light.kitchen")],
)


def case_for(spec, target, clause_heard):
    clause, heard = clause_heard
    return case_of(
        ToolCall(id="1", name=spec.name, args={"target": [target]}),
        spec=spec,
        clause=clause,
        heard=heard,
        home=HOME,
        evidence=Evidence(p_call=0.9),
        readiness=Readiness(),
        policy=POLICY,
        context=CONTEXT,
        offered=OfferedTool(tool=spec, slots=tuple(Slot(argument=a) for a in spec.arguments), score=0.5),
        standing=WITH_PIN,
    )


@pytest.mark.parametrize("objected", [False, True])
@pytest.mark.parametrize("foreign", [False, True])
def test_more_that_speaks_for_a_call_is_shown_as_likelier(foreign, objected):
    found = [shown(score, scale_for(foreign=foreign), objected=objected) for score in SCORES]
    assert found == sorted(set(found))
    assert all(0.0 < p < 1.0 for p in found)


def test_a_call_that_goes_out_is_shown_as_likely_and_one_that_the_words_forbid_is_not():
    going, forbidden = (case_for(TURN_ON, "light.kitchen", words) for words in (LIGHT_ON, NO_LIGHT))
    assert isinstance(verdict_on(going), Allow)
    assert likelihood(going, verdict_on(going)) > 0.9
    assert verdict_on(forbidden).reason is Reason.NEGATED
    assert likelihood(forbidden, verdict_on(forbidden)) < 0.5 < forbidden.certainty


def test_a_pin_that_is_asked_for_says_nothing_of_what_was_meant():
    case = case_for(UNLOCK, "lock.front", UNLOCK_FRONT)
    asked = verdict_on(case)
    assert asked.reason is Reason.NEEDS_PIN
    assert likelihood(case, asked) == likelihood(case, Allow(call=case.call, risk=asked.risk))


@pytest.mark.parametrize("reason", [Reason.MISSING_ARGUMENT, Reason.WRONG_ARGUMENT, Reason.AMBIGUOUS_TARGET])
def test_a_question_about_the_call_makes_it_unlikely_as_it_stands(reason):
    case = case_for(TURN_ON, "light.kitchen", LIGHT_ON)
    ask = Ask(call=case.call, risk=case.stake.risk, kind=AskKind.CLARIFY, reason=reason)
    assert likelihood(case, ask) < likelihood(case, Refuse(reason=Reason.UNAVAILABLE, call=case.call))
