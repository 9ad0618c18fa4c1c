"""What people of eleven languages say at home, and what a whole Home Assistant does of it.

`python -m tests.e2e.tongues [--model GGUF] [--answers FILE] [--language de ...]`: without a model, words alone decide.
"""

import argparse
import sys
from collections import Counter
from pathlib import Path

import pytest

from botpsy_core.engine import EngineSettings, LocalEngine
from botpsy_core.engine.scripted import ScriptedEngine
from botpsy_core.evaluate.replay import ReplayEngine
from botpsy_core.ports import Engine
from tests.e2e.tongues.told import LANGUAGES, Outcome, Told

ROOT = Path(__file__).resolve().parents[3]
COLUMNS = ("", "right", "by words", "asked", "refused or partly", "refusals kept", "wrongly executed")


class Reading:
    """A plugin of the test run: says which engine answers, and tells what came of a language's lines."""

    def __init__(self, model: Path | None, answers: Path | None, *, fresh: bool, each: int) -> None:
        """Take the model's file, None for words alone, the file where its answers are kept, and Assist's share."""
        self.model, self.answers, self.fresh, self.each = model, answers, fresh, each

    def pytest_configure(self, config: pytest.Config) -> None:
        """Remember who holds back what is printed."""
        self._held = config.pluginmanager.getplugin("capturemanager")

    def engine(self) -> Engine:
        """Return what answers."""
        if self.model is None:
            return ScriptedEngine()
        local = LocalEngine(EngineSettings(model=self.model))
        return ReplayEngine(self.answers or Path("/dev/null"), local)

    def tell(self, language: str, told: list[Told]) -> None:
        """Print a language's row, and below it each line that did not end as wanted."""
        with self._held.global_and_fixture_disabled():
            print("\n| " + " | ".join(row(language, told)) + " |")
            for each in told:
                if each.outcome is Outcome.WRONG or (each.is_command and each.outcome is not Outcome.RIGHT):
                    print(f"      {each.outcome:8} {each.said}\n               {each.want}; {each.done or each.reply}")


def row(language: str, told: list[Told]) -> tuple[str, ...]:
    """Return a language's line of the table."""
    commands = [each for each in told if each.is_command]
    by = Counter(each.outcome for each in commands)
    words = sum(each.by_words for each in commands if each.outcome is Outcome.RIGHT)
    kept = sum(each.outcome is not Outcome.WRONG for each in told if not each.is_command)
    wrong = sum(each.outcome is Outcome.WRONG for each in told)
    cells = (
        f"{by[Outcome.RIGHT]} of {len(commands)}",
        words,
        by[Outcome.ASKED],
        by[Outcome.REFUSED] + by[Outcome.PARTLY],
        kept,
        wrong,
    )
    return (language, *map(str, cells))


def main() -> int:
    """Run the lines of each language and print its row of the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.e2e.tongues", description=__doc__)
    parser.add_argument("--model", type=Path, help="a GGUF file that is asked where words leave a choice")
    parser.add_argument("--answers", type=Path, help="where the model's answers are kept, to be used again")
    parser.add_argument("--language", nargs="+", choices=LANGUAGES, default=LANGUAGES)
    parser.add_argument(
        "--fresh", action="store_true", help="eight more commands a language, which nothing was mended for"
    )
    parser.add_argument(
        "--assist", type=int, metavar="N", help="instead, N sentences a group of Assist's own templates, beside Assist"
    )
    options = parser.parse_args()
    reading = Reading(options.model, options.answers, fresh=options.fresh, each=options.assist or 0)
    test = f"{ROOT}/tests/component/test_tongues.py::test_words_alone_do_nothing_that_nobody_asked_for"
    if options.assist:
        test = f"{ROOT}/tests/component/beside_assist.py::test_what_assist_understands"
    names = [f"{test}[{each}]" for each in options.language]
    quiet = ["-qq", "-p", "no:cacheprovider", "-p", "no:logging", "--rootdir", str(ROOT)]
    print("| " + " | ".join(COLUMNS) + " |")
    print("|---" * len(COLUMNS) + "|", flush=True)
    return int(pytest.main([*quiet, "-o", "timeout=0", *names], plugins=[reading]))


if __name__ == "__main__":
    sys.exit(main())
