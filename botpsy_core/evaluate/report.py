"""The figures as tables for people and as JSON for programs."""

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import median, quantiles
from typing import Any

from botpsy_core.domain.values import JsonObject, JsonValue
from botpsy_core.evaluate.prediction import Prediction
from botpsy_core.evaluate.tally import STOPPING, Judged, Kind, Tally, grouped, interval

_COLUMNS = ("n", "acted right", "acted wrong", "stopped right", "stopped wrong", "malformed", "unsafe", "asked right")


def report_of(judged: Sequence[Judged]) -> dict[str, JsonValue]:
    """Return everything that was counted, and the verdict on each case."""
    return {
        "categories": {name: group.to_json() for name, group in grouped(judged, lambda j: j.case.category).items()},
        "languages": {name: group.to_json() for name, group in by_language(judged).items()},
        "acting": {name: group.to_json() for name, group in _by_duty(judged).items()},
        "decided_without_model": _share_by_code(judged),
        "cost": _cost(judged),
        "wrong_stops_by_reason": dict(_reasons(judged)),
        "cases": [_case(one) for one in judged],
    }


def table_of(judged: Sequence[Judged], other: Sequence[Judged] | None = None) -> str:
    """Return the tables; `other` puts what another run passed into a last column."""
    others = {} if other is None else grouped(other, lambda j: j.case.category)
    parts = []
    for title, stopping in (("Where acting is right", False), ("Where stopping is right", True)):
        chosen = [j for j in judged if (j.case.rule in STOPPING) is stopping]
        if chosen:
            groups = grouped(chosen, lambda j: j.case.category)
            parts.append(_table(title, groups, others, compared=other is not None))
    parts.append(_table("By language", by_language(judged), {}, compared=False))
    parts.append("\n".join(summary_of(judged, other)))
    return "\n\n".join(parts)


def comparison_of(runs: Mapping[str, Sequence[Judged]]) -> str:
    """Return what each run passed in each category, side by side, and where runs differ from the first."""
    first = next(iter(runs.values()))
    grouped_runs = {name: grouped(judged, lambda j: j.case.category) for name, judged in runs.items()}
    rows = [["passed [95 %]", *runs]]
    rows += [
        [category, *(_share(groups[category]) for groups in grouped_runs.values())]
        for category in grouped(first, lambda j: j.case.category)
    ]
    rows.append(["differs from the first", *(_differences(first, judged) for judged in runs.values())])
    return "\n".join(_aligned(rows))


def _share(group: Tally) -> str:
    low, high = interval(group.passed, group.n)
    return f"{group.passed / group.n:.2f} [{low:.2f}-{high:.2f}]"


def _differences(first: Sequence[Judged], other: Sequence[Judged]) -> str:
    """Return how many cases the other run lost and won."""
    pairs = [(a.score.passed, b.score.passed) for a, b in zip(first, other, strict=True)]
    return f"-{sum(a and not b for a, b in pairs)} +{sum(b and not a for a, b in pairs)}"


def _table(title: str, groups: Mapping[str, Tally], others: Mapping[str, Tally], *, compared: bool) -> str:
    header = [title, *_COLUMNS, "passed [95 %]", *(["other run"] if compared else [])]
    rows = [header, *(_row(name, group, others.get(name), compared=compared) for name, group in groups.items())]
    head, *lines = _aligned(rows)
    return "\n".join([head, "-" * len(head), *lines])


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows as lines, the first column to the left and the others to the right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return [
        "  ".join([row[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(row[1:], widths[1:], strict=True))])
        for row in rows
    ]


def _row(name: str, group: Tally, other: Tally | None, *, compared: bool) -> list[str]:
    asked = f"{group.asked}/{group.n_asked}" if group.n_asked else ""
    cells = [name, str(group.n), *(str(group.kinds.get(kind, 0)) for kind in Kind), str(group.unsafe), asked]
    cells.append(_share(group))
    return [*cells, *([f"{other.passed / other.n:.2f}" if other is not None else "-"] if compared else [])]


def summary_of(judged: Sequence[Judged], other: Sequence[Judged] | None = None) -> tuple[str, ...]:
    """Return what is no share of a category: cost, reasons, doubts, and how far another run is the same."""
    cost = _cost(judged)
    reasons = ", ".join(f"{reason} {count}" for reason, count in _reasons(judged).most_common(8))
    doubtful = [j for j in judged if j.case.suspect]
    passed = sum(j.score.passed for j in doubtful)
    lines = (
        f"decided without the model: {_share_by_code(judged):.0%}",
        f"seconds of the model a case: median {cost['median_s']}, 95 % under {cost['p95_s']}",
        f"prompt tokens a case: median {cost['median_prompt_tokens']:g}; written: {cost['median_generated_tokens']:g}",
        f"wrong stops by reason: {reasons or 'none'}",
        f"stops that BFCL credits, calls that do not parse among them: {_credited(judged)}",
        f"cases whose label is in doubt: {len(doubtful)}, of which passed {passed}",
    )
    return lines if other is None else (*lines, _sameness(judged, other))


_TIMES = frozenset({"seconds", "prompt_tokens_evaluated"})
"""Facts that depend on the machine and on what it has read before."""


def _sameness(judged: Sequence[Judged], other: Sequence[Judged]) -> str:
    others = {j.case.id: j.prediction for j in other}
    same = sum(_timeless(j.prediction) == _timeless(others.get(j.case.id)) for j in judged)
    return f"predictions that are the same in the other run, times apart: {same} of {len(judged)}"


def _timeless(prediction: Prediction | None) -> JsonObject:
    line = {} if prediction is None else prediction.to_json()
    return {key: value for key, value in line.items() if key not in _TIMES}


def _credited(judged: Sequence[Judged]) -> str:
    notes = [j.score.notes["bfcl_irrelevance"] for j in judged if "bfcl_irrelevance" in j.score.notes]
    return f"{sum(notes)} of {len(notes)}"


def by_language(judged: Sequence[Judged]) -> dict[str, Tally]:
    """Return the counts of each language, acting and stopping apart."""
    return grouped(judged, lambda j: f"{j.case.language} {'stop' if j.case.rule in STOPPING else 'act'}")


def _by_duty(judged: Sequence[Judged]) -> dict[str, Tally]:
    return grouped(judged, lambda j: "stop" if j.case.rule in STOPPING else "act")


def _share_by_code(judged: Sequence[Judged]) -> float:
    """Return the share of cases that were decided and for which the model wrote no token."""
    known = [p.facts for j in judged if (p := j.prediction) is not None and "generated_tokens" in p.facts]
    alone = sum(not facts["generated_tokens"] and facts.get("status") != "failed" for facts in known)
    return alone / len(known) if known else 0.0


def _cost(judged: Sequence[Judged]) -> dict[str, float]:
    seconds, read, written = (_figures(judged, name) for name in ("seconds", "prompt_tokens", "generated_tokens"))
    return {
        "median_s": round(median(seconds), 2) if seconds else 0.0,
        "p95_s": round(quantiles(seconds, n=20)[-1], 2) if len(seconds) > 1 else 0.0,
        "median_prompt_tokens": median(read) if read else 0.0,
        "median_generated_tokens": median(written) if written else 0.0,
    }


def _figures(judged: Sequence[Judged], name: str) -> list[float]:
    values = [j.prediction.facts.get(name) for j in judged if j.prediction is not None]
    return [float(v) for v in values if isinstance(v, (int, float))]


def _reasons(judged: Sequence[Judged]) -> Counter[str]:
    return Counter(j.why for j in judged if j.kind is Kind.STOPPED_WRONG and j.prediction is not None)


def _case(one: Judged) -> dict[str, Any]:
    return {
        "id": one.case.id,
        "category": one.case.category,
        "language": one.case.language,
        "kind": one.kind.value,
        "outcome": one.score.outcome,
        "passed": one.score.passed,
        "safe": one.score.safe,
        "partial_credit": one.credit,
        "suspect": one.case.suspect,
        **one.score.notes,
    }
