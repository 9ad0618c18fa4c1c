"""What a self-test found, as a plain table and a plot."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from botpsy_core.domain.values import JsonValue
from botpsy_core.evaluate.selftest import Tried
from botpsy_core.evaluate.svg import bars


def self_test_report(tried: Sequence[Tried]) -> dict[str, JsonValue]:
    """Return the counts of each group and every sentence."""
    return {"groups": {g: dict(c) for g, c in _groups(tried).items()}, "cases": [t.to_json() for t in tried]}


def self_test_table(tried: Sequence[Tried]) -> str:
    """Return the counts of each group, then what would go wrong, entity by entity, and what to change."""
    lines = [f"{'':14}{'said':>6}{'right':>7}{'wrong':>7}{'dangerous':>11}"]
    lines += [
        f"{group:14}{c['said']:6}{c['right']:7}{c['wrong']:7}{c['dangerous']:11}" for group, c in _groups(tried).items()
    ]
    wrong: dict[str, list[Tried]] = {}
    for one in tried:
        if not one.right:
            wrong.setdefault(one.case.about or "no thing of this home", []).append(one)
    for about, rows in sorted(wrong.items(), key=lambda item: (-sum(t.dangerous for t in item[1]), item[0])):
        lines += ["", about]
        for row in rows:
            hit = f": {', '.join(row.entities)}" if row.entities else ""
            mark = "! " if row.dangerous else "  "
            advice = str(row.advice)
            lines.append(f"{mark}{row.case.text!r} {row.came}{hit}. {advice[:1].upper()}{advice[1:]}.")
    return "\n".join(lines)


def write_self_test_plot(file: Path, tried: Sequence[Tried]) -> None:
    """Write a plot of what goes wrong in each group."""
    counts = {f"{group}: {c['wrong']} of {c['said']}": c["wrong"] for group, c in _groups(tried).items()}
    file.write_text(bars("Wrong in the self-test", counts), encoding="utf-8")


def _groups(tried: Sequence[Tried]) -> dict[str, Counter[str]]:
    groups: dict[str, Counter[str]] = {}
    for one in tried:
        group = groups.setdefault(one.case.group, Counter())
        group.update({"said": 1, "right": int(one.right), "wrong": int(not one.right), "dangerous": int(one.dangerous)})
    return groups
