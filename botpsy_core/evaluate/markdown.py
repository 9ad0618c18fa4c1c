"""The figures as the tables of a document, so that no figure is typed by hand."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from botpsy_core.errors import ConfigurationInvalid
from botpsy_core.evaluate.report import by_language, summary_of
from botpsy_core.evaluate.tally import STOPPING, Judged, Kind, Tally, grouped, interval

_ACTING = (Kind.ACTED_RIGHT, Kind.ACTED_WRONG, Kind.STOPPED_WRONG, Kind.MALFORMED)
_STOPPING = (Kind.STOPPED_RIGHT, Kind.ACTED_WRONG, Kind.STOPPED_WRONG, Kind.MALFORMED)

type Groups = Mapping[str, Tally]


def markdown_of(judged: Sequence[Judged], other: Sequence[Judged] | None = None) -> str:
    """Return every table; `other` is the bare model's run, shown beside."""
    parts = []
    for title, stopping in (("acting is right", False), ("stopping is right", True)):
        chosen = _of_duty(judged, stopping)
        if chosen:
            beside = None if other is None else _by_category(_of_duty(other, stopping))
            parts.append(_table(title, _by_category(chosen), beside, _STOPPING if stopping else _ACTING))
    beside = None if other is None else by_language(other)
    parts.append(_table("by language", by_language(judged), beside, tuple(Kind)))
    parts.append("\n".join(f"- {line}" for line in summary_of(judged)))
    return "\n\n".join(parts) + "\n"


def put_into(place: str, text: str) -> None:
    """Replace what stands between `<!-- figures: NAME -->` and `<!-- end -->` of a document, given `FILE#NAME`.

    Raises ConfigurationInvalid where the document has no such place.
    """
    file, _, name = place.rpartition("#")
    marks = rf"(<!-- figures: {re.escape(name)} -->\n).*?(<!-- end -->)"
    try:
        document = Path(file).read_text(encoding="utf-8")
    except OSError as fault:
        raise ConfigurationInvalid(f"{file!r} cannot be read: {fault}") from fault
    changed, count = re.subn(marks, lambda found: f"{found[1]}{text}{found[2]}", document, flags=re.DOTALL)
    if count != 1:
        raise ConfigurationInvalid(f"{file!r} has {count} places called {name!r}; it needs one")
    Path(file).write_text(changed, encoding="utf-8")


def markdown_table(rows: Sequence[Sequence[str]]) -> str:
    """Return rows as a table, the first one as its head."""
    head, *body = rows
    lines = [" | ".join(row) for row in (head, ["---"] * len(head), *body)]
    return "\n".join(f"| {line} |" for line in lines)


def _of_duty(judged: Sequence[Judged], stopping: bool) -> list[Judged]:  # noqa: FBT001  # one of two duties
    return [j for j in judged if (j.case.rule in STOPPING) is stopping]


def _by_category(judged: Sequence[Judged]) -> Groups:
    return grouped(judged, lambda j: j.case.category)


def _table(title: str, groups: Groups, beside: Groups | None, kinds: Sequence[Kind]) -> str:
    asked = any(group.n_asked for group in groups.values())
    credit = any(group.credit is not None for group in groups.values())
    head = [title, "cases", *(kind.value for kind in kinds), "passed, 95 %", "without doubtful labels"]
    head += ["asked right"] * asked + ["partial credit"] * credit
    head += [] if beside is None else ["bare: passed, 95 %", "bare: acted wrong", "bare: malformed"]
    rows = [head]
    for name, group in groups.items():
        row = [name, str(group.n), *(str(group.kinds.get(kind, 0)) for kind in kinds), _share(group)]
        row.append(f"{group.passed_clean} of {group.n_clean}")
        row += [f"{group.asked} of {group.n_asked}" if group.n_asked else ""] * asked
        row += ["" if group.credit is None else f"{group.credit:.2f}"] * credit
        rows.append([*row, *_cells_of(beside, name, group.n)])
    return markdown_table(rows)


def _cells_of(beside: Groups | None, name: str, n: int) -> Iterator[str]:
    if beside is None:
        return
    group = beside.get(name)
    if group is None:
        yield from ("not run", "", "")
        return
    yield _share(group) + ("" if group.n == n else f", {group.n} cases")
    yield from (str(group.kinds.get(kind, 0)) for kind in (Kind.ACTED_WRONG, Kind.MALFORMED))


def _share(group: Tally) -> str:
    low, high = interval(group.passed, group.n)
    return f"{group.passed / group.n:.2f} [{low:.2f} to {high:.2f}]"
