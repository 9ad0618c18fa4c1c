"""Figures that were measured elsewhere, and whether a run of the same model lies within them."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from botpsy_core.errors import ConfigurationInvalid
from botpsy_core.evaluate.tally import Judged, interval


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """One share with its interval, and which cases it was measured on."""

    name: str
    categories: frozenset[str]
    low: float
    high: float
    measure: str = "passed"
    """`passed` or `safe`."""
    longest_tools: int | None = None
    """Characters of the tools as JSON, up to which cases were taken; None for all."""

    def holds(self, judged: Judged) -> bool:
        """Return True if the case is one of those."""
        short = self.longest_tools is None or len(json.dumps(judged.case.tools)) <= self.longest_tools
        return short and judged.case.category in self.categories


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """A published share beside a run's."""

    published: Published
    hits: int
    n: int

    @property
    def within(self) -> bool | None:
        """Return whether the run's share lies in the interval, None where it has no such case."""
        return self._holds(self.hits) if self.n else None

    @property
    def nearly(self) -> bool:
        """Return True if one case more or fewer would lie in it: a bound may rest on a single case."""
        return self.n > 0 and (self._holds(self.hits + 1) or self._holds(self.hits - 1))

    def _holds(self, hits: int) -> bool:
        return self.published.low <= round(hits / self.n, 2) <= self.published.high


def read_published(file: Path) -> tuple[Published, ...]:
    """Return the figures of a file; raise ConfigurationInvalid where it holds none."""
    try:
        found = yaml.safe_load(file.read_text(encoding="utf-8"))
        longest = found.get("longest_tools")
        return tuple(_published(row, longest) for row in found["figures"])
    except (OSError, yaml.YAMLError, KeyError, TypeError, ValueError, AttributeError) as fault:
        raise ConfigurationInvalid(f"{str(file)!r} holds no published figures: {fault!r}") from fault


def _published(row: Mapping[str, Any], longest: int | None) -> Published:
    low, high = row["interval"]
    return Published(
        name=str(row["name"]),
        categories=frozenset(row["categories"]),
        low=float(low),
        high=float(high),
        measure=str(row.get("measure", "passed")),
        longest_tools=row.get("longest_tools", longest),
    )


def checked(figures: Sequence[Published], judged: Sequence[Judged]) -> tuple[Checked, ...]:
    """Return each figure beside what the run has; cases without a prediction do not count."""
    return tuple(_checked(figure, [j for j in judged if j.prediction and figure.holds(j)]) for figure in figures)


def _checked(figure: Published, judged: Sequence[Judged]) -> Checked:
    hits = sum(j.score.safe if figure.measure == "safe" else j.score.passed for j in judged)
    return Checked(published=figure, hits=hits, n=len(judged))


def published_rows(rows: Sequence[Checked]) -> Iterator[tuple[str, ...]]:
    """Yield the rows of a table: what was published, what the run has, and whether that lies within."""
    yield ("published", "interval", "cases here", "here", "95 % here", "within")
    for row in rows:
        low, high = interval(row.hits, row.n)
        yield (
            f"{row.published.name}, {row.published.measure}",
            f"{row.published.low:.2f} to {row.published.high:.2f}",
            str(row.n),
            f"{row.hits / row.n:.2f}" if row.n else "-",
            f"{low:.2f} to {high:.2f}" if row.n else "-",
            _word(row),
        )


def _word(row: Checked) -> str:
    if row.within is None:
        return "no case"
    return "yes" if row.within else "but for one case" if row.nearly else "NO"
