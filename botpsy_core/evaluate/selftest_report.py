"""What a self-test found, as a plain table and a plot, in the home's language."""

import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from botpsy_core.domain.values import JsonValue
from botpsy_core.evaluate.selftest import Tried
from botpsy_core.evaluate.selftest_cases import report_words
from botpsy_core.evaluate.svg import bars

_COLUMNS = ("said", "right", "wrong", "dangerous")


def self_test_report(tried: Sequence[Tried], language: str = "en") -> dict[str, JsonValue]:
    """Return the counts of each group and every sentence."""
    return {"groups": {g: dict(c) for g, c in _groups(tried).items()}, "cases": [t.to_json(language) for t in tried]}


def self_test_table(tried: Sequence[Tried], language: str = "en") -> str:
    """Return the counts of each group, then what would go wrong, entity by entity, and what to change."""
    words = report_words(language)
    rows = [["", *(words[column] for column in _COLUMNS)]]
    rows += [[words["groups"][g], *(str(c[column]) for column in _COLUMNS)] for g, c in _groups(tried).items()]
    lines = list(_aligned(rows))
    wrong: dict[str, list[Tried]] = {}
    for one in tried:
        if not one.right:
            wrong.setdefault(one.case.about or words["nothing_of_home"], []).append(one)
    for about, found in sorted(wrong.items(), key=lambda item: (-sum(t.dangerous for t in item[1]), item[0])):
        lines += ["", about, *(_line(one, words, language) for one in found)]
    return "\n".join(lines)


def write_self_test_plot(file: Path, tried: Sequence[Tried], language: str = "en") -> None:
    """Write a plot of what goes wrong in each group."""
    words = report_words(language)
    counts = {f"{words['groups'][group]}: {c['wrong']}/{c['said']}": c["wrong"] for group, c in _groups(tried).items()}
    file.write_text(bars(words["title"], counts), encoding="utf-8")


def _line(one: Tried, words: Mapping[str, Any], language: str) -> str:
    hit = f"[{', '.join(one.entities)}] " if one.entities else ""
    line = words["line"].format(text=one.case.text, came=words["came"][one.came])
    advice = one.advice.said(language) if one.advice is not None else ""
    return f"{'! ' if one.dangerous else '  '}{line} {hit}{advice}"


def _aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Return the rows, the first column to the left and the others to the right, as wide as a terminal draws them."""
    widths = [max(map(_cells, column)) for column in zip(*rows, strict=True)]
    for first, *others in rows:
        padded = [first + " " * (widths[0] - _cells(first))]
        padded += [" " * (width - _cells(cell)) + cell for cell, width in zip(others, widths[1:], strict=True)]
        yield "  ".join(padded).rstrip()


def _cells(text: str) -> int:
    """Return how many cells of a terminal a text takes."""
    kinds = [(unicodedata.category(letter), unicodedata.east_asian_width(letter)) for letter in text]
    return sum(0 if category in {"Mn", "Me"} else 2 if width in "WF" else 1 for category, width in kinds)


def _groups(tried: Sequence[Tried]) -> dict[str, Counter[str]]:
    groups: dict[str, Counter[str]] = {}
    for one in tried:
        group = groups.setdefault(one.case.group, Counter())
        group.update({"said": 1, "right": int(one.right), "wrong": int(not one.right), "dangerous": int(one.dangerous)})
    return groups
