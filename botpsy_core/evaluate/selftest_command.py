"""`botpsy self-test`: what would go wrong in this home, and what to change."""

import argparse
import asyncio
import json
import sys
from collections.abc import Callable
from pathlib import Path

from botpsy_core.domain.context import Origin, TurnContext
from botpsy_core.domain.home import Home
from botpsy_core.errors import ConfigurationInvalid
from botpsy_core.evaluate.case_home import read_home
from botpsy_core.evaluate.selftest import Tried, self_test
from botpsy_core.evaluate.selftest_report import self_test_report, self_test_table, write_self_test_plot
from botpsy_core.evaluate.talk import Talk

type BuildTalk = Callable[[Home | None], Talk]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what `botpsy self-test` takes."""
    parser.add_argument("--home", type=Path, help='JSON: {"entities": [...], "areas": [...]} (default: the small home)')
    parser.add_argument("--json", type=Path, metavar="REPORT", help="write the counts and every sentence")
    parser.add_argument("--plot", type=Path, metavar="SVG", help="write a plot of what goes wrong")


def run_self_test(options: argparse.Namespace, *, build: BuildTalk) -> int:
    """Try every sentence dry, print the table, and return 1 if something dangerous would have been done."""
    language = options.language
    tried = asyncio.run(_try(build(home_in(options.home, language))))
    sys.stdout.write(self_test_table(tried, language) + "\n")
    if options.json is not None:
        options.json.write_text(
            json.dumps(self_test_report(tried, language), ensure_ascii=False, indent=1), encoding="utf-8"
        )
    if options.plot is not None:
        write_self_test_plot(options.plot, tried, language)
    return int(any(one.dangerous for one in tried))


def try_context(talk: Talk) -> TurnContext:
    """Return the frame of sentences that are said to a home with nothing carried out."""
    return TurnContext(
        conversation_id="self-test",
        origin=Origin.COMMAND_LINE,
        now=talk.clock.now(),
        language=talk.language,
        user_id="owner",
        is_admin=True,
        dry_run=True,
    )


async def _try(talk: Talk) -> tuple[Tried, ...]:
    context = try_context(talk)
    try:
        return await self_test(talk.agent, home=talk.home.home, toolbox=talk.home, context=context, told=_tell)
    finally:
        await talk.close()


def home_in(file: Path | None, language: str) -> Home | None:
    """Return the home that a file describes, None without one; raise ConfigurationInvalid."""
    if file is None:
        return None
    try:
        return read_home(json.loads(file.read_text(encoding="utf-8")), language=language)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as fault:
        raise ConfigurationInvalid(f"{str(file)!r} describes no home: {fault!r}") from fault


def _tell(done: int, total: int) -> None:
    sys.stderr.write(f"\r{done}/{total}" + ("\n" if done == total else ""))
    sys.stderr.flush()
