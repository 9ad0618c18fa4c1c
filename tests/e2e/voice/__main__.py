"""What a home does with what Whisper heard: right of what was heard right, wrong of what was not.

`python -m tests.e2e.voice` reads the kept transcripts; `tests/e2e/voice/hear.py` makes them anew. Nothing here loads
a model: what the words alone do not decide ends without an act.
"""

import asyncio
import json
import re
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from botpsy_core.agent import Agent
from botpsy_core.catalog import load_tools
from botpsy_core.domain.home import Entity
from botpsy_core.evaluate.demo_home import DEMO_HOME
from botpsy_core.evaluate.simulator import SimulatedHome
from botpsy_core.evaluate.talk import Talk
from botpsy_core.safety import Confirmations, PinHash, load_policy

HERE = Path(__file__).parent
WORDS = "ten fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy ninety"
FIGURES = "10 15 16 17 18 19 20 30 40 50 60 70 90"
SMALL = {"two": "2", "three": "3", "four": "4", "five": "5", "hundred": "00"}
NUMBERS = dict(zip(WORDS.split(), FIGURES.split(), strict=True)) | SMALL
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

    condition: str
    said: str
    heard: str
    wanted: Changes
    done: Changes

    @property
    def faithful(self) -> bool:
        """Whether the words arrived as they were said; numbers may be written as digits."""
        return plain(self.said) == plain(self.heard)

    @property
    def right(self) -> bool:
        """Whether what was wanted, and only that, has changed."""
        return self.done == self.wanted

    @property
    def wrong(self) -> bool:
        """Whether anything has changed that the speaker did not want."""
        return bool(self.done - self.wanted)


def plain(text: str) -> str:
    """Return the words alone, numbers as digits."""
    text = text.lower().replace("%", " percent").replace("°", " degrees")
    words = [NUMBERS.get(w, w) for w in re.findall(r"[a-z']+|\d+", text)]
    joined = " ".join(words)
    joined = re.sub(r"\b([2-9])0 ([1-9])\b", r"\1\2", joined)
    return re.sub(r"\b([1-9]) 00\b", r"\g<1>00", joined)


def commands() -> dict[str, Changes]:
    """Return what shall have changed after each command."""
    lines = [line for line in (HERE / "commands.txt").read_text("utf-8").splitlines() if "|" in line]
    parted = [line.partition("|") for line in lines]
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


async def done_with(text: str) -> Changes:
    """Say a text to a fresh home and return what has changed."""
    clock = NoonClock()
    book = Confirmations(clock, pin=PinHash.of("1234"))
    agent = Agent(engine=None, policy=load_policy(None), clock=clock, confirmations=book, journal=None)
    home = SimulatedHome(DEMO_HOME, load_tools(), now=clock.now)
    await Talk(agent=agent, home=home, engine=None, clock=clock).say(text)
    return changes({e.id: e for e in DEMO_HOME.entities}, home.home.entities)


async def measured(transcripts: dict[str, dict[str, str]]) -> list[Heard]:
    """Say everything that was heard."""
    wanted = commands()
    return [
        Heard(condition=condition, said=said, heard=heard, wanted=wanted[said], done=await done_with(heard))
        for said, by_condition in transcripts.items()
        for condition, heard in by_condition.items()
    ]


def table(rows: list[Heard]) -> str:
    """Return the figures as Markdown."""
    lines = [
        "| condition | spoken | heard right | right of those | misheard | wrongly executed of those |",
        "|---|---|---|---|---|---|",
    ]
    for condition in ("clean", "noise", "second voice"):
        own = [r for r in rows if r.condition == condition]
        faithful, misheard = [r for r in own if r.faithful], [r for r in own if not r.faithful]
        right = sum(r.right for r in faithful)
        share = f"{right} ({100 * right / max(1, len(faithful)):.0f} %)"
        wrong = sum(r.wrong for r in misheard)
        lines.append(f"| {condition} | {len(own)} | {len(faithful)} | {share} | {len(misheard)} | {wrong} |")
    return "\n".join(lines)


def main() -> None:
    """Print the table, and with `-v` each row that is not right."""
    rows = asyncio.run(measured(json.loads((HERE / "transcripts.json").read_text("utf-8"))))
    sys.stdout.write(table(rows) + "\n")
    if "-v" in sys.argv:
        for row in (r for r in rows if r.wrong or (r.faithful and not r.right)):
            kind = "WRONG" if row.wrong else "left"
            sys.stdout.write(f"{kind} [{row.condition}] {row.said!r} heard {row.heard!r}: {sorted(row.done)}\n")


if __name__ == "__main__":
    main()
