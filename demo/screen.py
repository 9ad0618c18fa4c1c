"""How the demo looks: calm, aligned, colours on a terminal only."""

import os
import shutil
import sys
import textwrap

from demo.client import Json
from demo.scenario import Line
from demo.talk import Turn, Way

COLOURS = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "blue": "34", "magenta": "35"}
VERDICTS = {"allow": "green", "ask": "yellow", "refuse": "magenta"}
SHOWN = {Way.PIPELINE: "Assist pipeline", Way.AUTOMATION: "automation", Way.REQUEST: "MQTT", Way.PIN: "botpsy.confirm"}


class Screen:
    """Writes to standard output."""

    def __init__(self) -> None:
        """Look once at where it writes."""
        self._colours = sys.stdout.isatty() and "NO_COLOR" not in os.environ
        self._width = min(shutil.get_terminal_size((100, 24)).columns, 110)
        self._count = 0

    def paint(self, text: str, colour: str) -> str:
        """Return the text in a colour, where there are any."""
        return f"\033[{COLOURS[colour]}m{text}\033[0m" if self._colours else text

    def say(self, text: str = "") -> None:
        """Print a line."""
        print(text, flush=True)

    def step(self, text: str, seconds: float) -> None:
        """Print one thing that is ready."""
        self.say(f"  {text:<{self._width - 12}}{self.paint(f'{seconds:6.1f} s', 'dim')}")

    def turn(self, line: Line, turn: Turn, *, ok: bool, problem: str) -> None:
        """Print an utterance, the calls, the verdict, the reply and the time."""
        self._count += 1
        aside = SHOWN.get(line.way) or ("the model's process is killed meanwhile" if line.kills else "")
        way = f"  ({aside})" if aside else ""
        mark = self.paint("✓", "green") if ok else self.paint("✗", "red")
        time_text = self.paint(f"{turn.seconds:5.2f} s", "dim")
        self.say()
        said = f"{self._count:>3}  {line.text}"
        gap = self._width - len(said) - len(way) - 9
        self.say(f"{self.paint(said, 'bold')}{self.paint(way, 'dim')}{' ' * max(gap, 1)}{time_text} {mark}")
        more = [each for each in turn.outcome.split(", ") if each not in {"", "asked", "refused"}]
        outcome = ", ".join(dict.fromkeys((turn.verdict, *more)))
        calls = [f"{call['name']}  {arguments(call['args'])}".rstrip() for call in turn.calls] or ["no call"]
        room = self._width - 9 - len(outcome)
        for number, call in enumerate(calls):
            shown = f"{call[: room - 2]} …" if len(call) > room else call
            verdict = "" if number else self.paint(outcome, VERDICTS[turn.verdict])
            self.say(f"     {self.paint('→', 'blue')} {shown:<{room}}  {verdict}".rstrip())
        for part in textwrap.wrap(turn.reply, self._width - 10) or ["(nothing)"]:
            self.say(f"       {part}")
        if problem:
            self.say(self.paint(f"       {problem}", "red"))


def arguments(args: Json) -> str:
    """Return a call's arguments as short as they can be."""
    return "  ".join(
        f"{name}: {', '.join(map(str, value)) if isinstance(value, list) else value}" for name, value in args.items()
    )
