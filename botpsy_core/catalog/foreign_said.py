"""What one part of a request says, read once for all arguments of a foreign tool."""

from dataclasses import dataclass

from botpsy_core.catalog.foreign_words import Figure, figures, names_in, stems
from botpsy_core.domain.heard import Clause, Heard

OPEN_SCORE = 0.5
"""The score of an option or number that nobody said."""


@dataclass(frozen=True, slots=True)
class Said:
    """One part, its numbers, its words' stems, and how many names it says."""

    clause: Clause
    heard: Heard
    figures: tuple[Figure, ...]
    stems: frozenset[str]
    names: int

    @classmethod
    def of(cls, clause: Clause, heard: Heard) -> Said:
        """Return what a part says."""
        return cls(clause, heard, figures(clause, heard), stems(clause.text), len(names_in(clause.text)))
