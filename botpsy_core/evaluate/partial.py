"""A finer scale than right or wrong: tool names, argument names and argument values, each in part."""

from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import Any

from botpsy_core.evaluate.cases import Case, Record, Rule
from botpsy_core.evaluate.match import OPTIONAL, canonical, value_matches
from botpsy_core.evaluate.prediction import Made

_MOST_TRIED = 6
"""Calls whose every order is tried; longer lists are matched one after another."""


def partial_credit(case: Case, calls: Sequence[Made]) -> float | None:
    """Return 0 to 1 for calls against the true ones, or None where a case has no true calls.

    Three parts add up, as in training by rewards: the shared names over all names; for each true call the shared
    argument names over all argument names; and one for each right value. The sum is over the most that it could be.
    """
    truths = _truths(case)
    if truths is None:
        return None
    if not truths:
        return 0.0 if calls else 1.0
    most = 1.0 + len(truths) + sum(len(_needed(truth)) for truth in truths)
    return (_names(calls, truths) + _best(case, calls, truths)) / most


def _truths(case: Case) -> Sequence[Record] | None:
    match case.rule:
        case Rule.CALLS | Rule.CALLS_NEXT:
            return list(case.expected["calls"])
        case Rule.HA_ACTION:
            accepted = case.expected["accepted"]
            return list(accepted[0]["calls"]) if accepted else None
        case _:
            return None


def _names(calls: Sequence[Made], truths: Sequence[Record]) -> float:
    made, true = [call.name for call in calls], [str(truth["name"]) for truth in truths]
    shared = sum(min(made.count(name), true.count(name)) for name in set(true))
    return shared / (len(made) + len(true) - shared)


def _best(case: Case, calls: Sequence[Made], truths: Sequence[Record]) -> float:
    """Return the credit of the pairing that is best for the calls."""
    padded: list[Made | None] = [*calls, *[None] * max(0, len(truths) - len(calls))]
    if len(padded) <= _MOST_TRIED:
        orders = permutations(padded, len(truths))
        return max(sum(_pair(case, c, t) for c, t in zip(order, truths, strict=True)) for order in orders)
    credit = 0.0
    for truth in truths:
        best = max(padded, key=lambda call: _pair(case, call, truth))
        credit += _pair(case, best, truth)
        padded.remove(best)
    return credit


def _pair(case: Case, call: Made | None, truth: Record) -> float:
    if call is None or call.name != truth["name"]:
        return 0.0
    needed, known = _needed(truth), _known(truth)
    given = set(call.args)
    everything = needed | given
    names = len(given & set(known)) / len(everything | (given & set(known))) if everything else 1.0
    return names + sum(_right(case, call, name, truth) for name in needed if name in call.args)


def _right(case: Case, call: Made, name: str, truth: Record) -> float:
    value = call.args[name]
    accepted = truth.get("accepted_args")
    if accepted is None:
        return float(canonical(value) == canonical(truth["args"][name]))
    properties = case.functions[call.name]["parameters"].get("properties", {})
    return float(name in properties and value_matches(value, accepted[name], properties[name]))


def _known(truth: Record) -> Mapping[str, Any]:
    known: Mapping[str, Any] = truth.get("accepted_args") or truth.get("args") or {}
    return known


def _needed(truth: Record) -> set[str]:
    accepted = truth.get("accepted_args")
    if accepted is None:
        return set(truth.get("args") or {})
    return {name for name, values in accepted.items() if OPTIONAL not in values}
