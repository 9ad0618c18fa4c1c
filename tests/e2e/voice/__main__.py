"""What a home does with what Whisper heard: right of what was heard right, wrong of what was not.

`python -m tests.e2e.voice` reads the kept transcripts; `tests/e2e/voice/hear.py` makes them anew. Nothing here loads
a model: what the words alone do not decide ends without an act.
"""

import asyncio
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from botpsy_core.agent import Agent
from botpsy_core.catalog import load_tools
from botpsy_core.domain.home import Entity, Home
from botpsy_core.evaluate.demo_home import DEMO_HOME
from botpsy_core.evaluate.simulator import SimulatedHome
from botpsy_core.evaluate.talk import Talk
from botpsy_core.hearing.lexicon import lexicon_for
from botpsy_core.hearing.numbers import number_at
from botpsy_core.hearing.tokens import words_of
from botpsy_core.safety import Confirmations, PinHash, load_policy
from tests.e2e.tongues.in_memory import home_in

HERE = Path(__file__).parent
CONDITIONS = ("clean", "noise", "second voice")
type Transcripts = Mapping[str, Mapping[str, Mapping[str, str]]]
"""Language -> what was said -> condition -> what was heard."""
type Changes = frozenset[str]


class NoonClock:
    """A clock that stands still at noon."""

    def now(self) -> datetime:
        """Return the local time."""
        return datetime(2026, 5, 4, 12, tzinfo=UTC)

    def monotonic(self) -> float:
        """Return seconds."""
        return 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """One command as one condition let it be heard, and what the home did."""

    language: str
    condition: str
    said: str
    heard: str
    wanted: Changes
    done: Changes

    @property
    def faithful(self) -> bool:
        """Whether the words arrived as they were said; numbers may be written as digits."""
        return plain(self.said, self.language) == plain(self.heard, self.language)

    @property
    def right(self) -> bool:
        """Whether what was wanted, and only that, has changed."""
        return self.done == self.wanted

    @property
    def wrong(self) -> bool:
        """Whether anything has changed that the speaker did not want."""
        return bool(self.done - self.wanted)


def plain(text: str, language: str) -> str:
    """Return the words alone, without case, accents and signs, numbers as digits."""
    units = lexicon_for(language).data["values"]
    text = text.replace("°", f" {units['degree'][1]} ")
    text = text.replace("%", f" {units['percent'][1]} ")
    return " ".join(in_digits(words_of(text), language))


def in_digits(words: Sequence[str], language: str) -> Iterator[str]:
    """Yield the words, each number that they spell as digits."""
    at = 0
    while at < len(words):
        size, number = number_at(words, at, language) or (1, words[at])
        yield f"{number:g}" if isinstance(number, float) else number
        at += size


def commands(language: str) -> dict[str, Changes]:
    """Return what shall have changed after each command."""
    lines = (HERE / "commands" / f"{language}.txt").read_text("utf-8").splitlines()
    parted = [line.partition("|") for line in lines if "|" in line]
    return {said.strip(): frozenset(wanted.split()) - {"-"} for said, _, wanted in parted}


def changes(before: dict[str, Entity], after: tuple[Entity, ...]) -> Changes:
    """Return what differs between two states of a home."""
    found: set[str] = set()
    for entity in after:
        was = before[entity.id]
        if entity.state != was.state:
            found.add(f"{entity.id}={entity.state}")
            continue
        for name, value in entity.attributes.items():
            if value != was.attributes.get(name):
                shown = f"{value:g}" if isinstance(value, float) else value
                found.add(f"{entity.id}.{name}={shown}")
    return frozenset(found)


async def done_with(text: str, home: Home) -> Changes:
    """Say a text to a fresh home and return what has changed."""
    clock = NoonClock()
    book = Confirmations(clock, pin=PinHash.of("1234"))
    agent = Agent(engine=None, policy=load_policy(None), clock=clock, confirmations=book, journal=None)
    simulated = SimulatedHome(home, load_tools(), now=clock.now)
    await Talk(agent=agent, home=simulated, engine=None, clock=clock, language=home.language).say(text)
    return changes({e.id: e for e in home.entities}, simulated.home.entities)


async def measured(transcripts: Transcripts) -> list[Heard]:
    """Say everything that was heard, English to the demo's flat and another language to a home of its own."""
    rows = []
    for language, spoken in transcripts.items():
        wanted, home = commands(language), DEMO_HOME if language == "en" else home_in(language)
        rows += [
            Heard(
                language=language,
                condition=condition,
                said=said,
                heard=heard,
                wanted=wanted[said],
                done=await done_with(heard, home),
            )
            for said, by_condition in spoken.items()
            for condition, heard in by_condition.items()
        ]
    return rows


def table(rows: list[Heard]) -> str:
    """Return the figures as Markdown."""
    head = ("language", "condition", "spoken", "heard right", "right of those", "misheard", "right too")
    columns = (*head, "wrongly executed of those")
    lines = ["| " + " | ".join(columns) + " |", "|---" * len(columns) + "|"]
    for language, condition in dict.fromkeys((r.language, r.condition) for r in rows):
        own = [r for r in rows if (r.language, r.condition) == (language, condition)]
        faithful, misheard = [r for r in own if r.faithful], [r for r in own if not r.faithful]
        right = sum(r.right for r in faithful)
        share = f"{right} ({100 * right / len(faithful):.0f} %)" if faithful else "0"
        anyway, wrong = sum(r.right for r in misheard), sum(r.wrong for r in misheard)
        figures = (len(own), len(faithful), share, len(misheard), anyway, wrong)
        lines.append(f"| {language} | {condition} | " + " | ".join(map(str, figures)) + " |")
    return "\n".join(lines)


def main() -> None:
    """Print the table, and with `-v` each row that is not right."""
    rows = asyncio.run(measured(json.loads((HERE / "transcripts.json").read_text("utf-8"))))
    order = list(dict.fromkeys(row.language for row in rows))
    rows.sort(key=lambda row: (order.index(row.language), CONDITIONS.index(row.condition)))
    sys.stdout.write(table(rows) + "\n")
    if "-v" in sys.argv:
        for row in (r for r in rows if r.wrong or (r.faithful and not r.right)):
            kind = "WRONG" if row.wrong else "left"
            where = f"{row.language}, {row.condition}"
            sys.stdout.write(f"{kind} [{where}] {row.said!r} heard {row.heard!r}: {sorted(row.done)}\n")


if __name__ == "__main__":
    main()
