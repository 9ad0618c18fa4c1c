"""Partial credit against values worked out by hand."""

import pytest

from botpsy_core.evaluate.cases import Case
from botpsy_core.evaluate.partial import partial_credit
from botpsy_core.evaluate.prediction import Made

PARAMETERS = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "days": {"type": "integer"}, "unit": {"type": "string"}},
    "required": ["city"],
}
WEATHER = {"type": "function", "function": {"name": "weather", "parameters": PARAMETERS}}
NEWS = {"type": "function", "function": {"name": "news", "parameters": {"type": "object", "properties": {}}}}
ROME = {"name": "weather", "accepted_args": {"city": ["Rome"], "days": [3], "unit": ["C", ""]}}
OSLO = {"name": "weather", "accepted_args": {"city": ["Oslo"], "days": [1], "unit": [""]}}


def case(*truths, rule="calls"):
    return Case(
        id="x",
        category="c",
        language="en",
        messages=[{"role": "user", "content": "?"}],
        tools=[WEATHER, NEWS],
        expected={"type": rule, "calls": list(truths)},
    )


def made(name="weather", **args):
    return Made(name=name, args=args)


# The most for ROME alone: 1 for names, 1 for argument names, 2 for the values of city and days.
@pytest.mark.parametrize(
    ("calls", "worth"),
    [
        ([made(city="Rome", days=3)], 1.0),
        ([made(city="rome ", days=3, unit="C")], 1.0),
        ([made(city="Rome", days=4)], 3 / 4),
        ([made(city="Rome")], (1 + 1 / 2 + 1) / 4),
        ([made()], (1 + 0 + 0) / 4),
        ([made(city="Rome", days=3, hours=2)], (1 + 2 / 3 + 2) / 4),
        ([made("news")], 0.0),
        ([], 0.0),
        ([made(city="Rome", days=3), made("news")], (1 / 2 + 1 + 2) / 4),
    ],
    ids=str,
)
def test_one_call_is_credited_in_parts(calls, worth):
    assert partial_credit(case(ROME), calls) == pytest.approx(worth)


def test_several_calls_are_paired_in_the_order_that_is_best():
    both = case(ROME, OSLO)
    right = [made(city="Oslo", days=1), made(city="Rome", days=3)]
    assert partial_credit(both, right) == 1.0
    assert partial_credit(both, right[::-1]) == 1.0
    assert partial_credit(both, right[:1]) == pytest.approx((1 / 2 + 1 + 2) / 7)


def test_no_call_is_right_where_none_is_true():
    assert partial_credit(case(), []) == 1.0
    assert partial_credit(case(), [made(city="Rome")]) == 0.0


def test_a_case_without_true_calls_has_no_credit():
    assert partial_credit(case(rule="no_call"), []) is None
