"""The `botpsy` command: talk to a home in memory, look at what each room saw, list models."""

import argparse
import asyncio
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from botpsy_core import __version__
from botpsy_core.agent import FileJournal, examples, read_journal
from botpsy_core.assembly import Settings, build_bridge_agent, build_talk, find_model
from botpsy_core.bridge import serve_command
from botpsy_core.catalog import load_tools
from botpsy_core.engine import models
from botpsy_core.errors import BotPsyError
from botpsy_core.evaluate import calibrate, selftest_command
from botpsy_core.evaluate import command as evaluation
from botpsy_core.evaluate.bench import add_arguments as add_bench_arguments
from botpsy_core.evaluate.bench import run as run_bench
from botpsy_core.evaluate.demo_home import DEMO_HOME
from botpsy_core.evaluate.explained import explain

type Command = Callable[[argparse.Namespace], int]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one subcommand and return its exit status."""
    options = _parser().parse_args(arguments)
    try:
        return COMMANDS[options.command](options)
    except BotPsyError as error:
        print(f"botpsy: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="botpsy", description=__doc__)
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(dest="command", required=True)
    chat = commands.add_parser("chat", help="talk to a small home in memory")
    chat.add_argument(
        "utterances", nargs="*", help="say these and leave; without any, read lines until the end of input"
    )
    chat.add_argument(
        "--pin", default="1234", help="the home's PIN (default %(default)s); answer a question with /pin 1234"
    )
    chat.add_argument("--journal", type=Path, help="write down here what was asked, decided and why")
    explained = commands.add_parser(
        "explain", help="print what each room saw, offered, chose and decided; nothing is done"
    )
    explained.add_argument("utterances", nargs="+", metavar="utterance")
    for command in (chat, explained):
        command.add_argument("--json", action="store_true", help="print one JSON object an utterance")
    trial = commands.add_parser("self-test", help="try sentences on a home, dry, and say what would go wrong")
    selftest_command.add_arguments(trial)
    weigh = commands.add_parser("calibrate", help="measure how far to believe a model, on a home's dry sentences")
    calibrate.add_arguments(weigh)
    for command in (chat, explained, trial):
        command.add_argument("--calibration", type=Path, help="what `botpsy calibrate` has kept")
    for command in (chat, explained, trial, weigh):
        command.add_argument(
            "--model",
            type=Path,
            help="a GGUF file or a name that `models` lists (default: BOTPSY_MODEL, else one on disk)",
        )
        command.add_argument(
            "--server", default="", help="a model server to ask instead; --model answers while it is gone"
        )
        command.add_argument("--think", action="store_true", help="let the model think first, for at most ten seconds")
        command.add_argument("--no-model", action="store_true", help="let the words alone decide")
        command.add_argument("--language", default="en")
    command = commands.add_parser("eval", help="measure how often it acts right, acts wrong and stops right")
    evaluation.add_arguments(command)
    bridge = commands.add_parser("bridge", help="serve MQTT devices and requests over MQTT, without Home Assistant")
    serve_command.add_arguments(bridge)
    bench = commands.add_parser("bench", help="measure how fast, small and steady the engine is, next to its rivals")
    add_bench_arguments(bench)
    export = commands.add_parser("export", help="write a journal's confirmed and corrected turns as chat-format JSONL")
    export.add_argument("journal", type=Path, help="the journal's file")
    export.add_argument("--all", action="store_true", help="every act that was done and not undone as well")
    known = commands.add_parser("models", help="list the models that are known by name, and fetch one")
    known.add_argument("--get", metavar="NAME", help="fetch a listed model, or a hub repository (owner/name)")
    known.add_argument("--quantisation", default="Q4", help="Q4, Q8, BF16, or a file's own (default %(default)s)")
    return parser


def _chat(options: argparse.Namespace) -> int:
    return asyncio.run(_converse(options, dry_run=False))


def _explain(options: argparse.Namespace) -> int:
    return asyncio.run(_converse(options, dry_run=True))


async def _converse(options: argparse.Namespace, *, dry_run: bool) -> int:
    settings = _settings(options, pin=getattr(options, "pin", "1234"))
    kept: Path | None = getattr(options, "journal", None)
    journal = None if kept is None else FileJournal(kept)
    talk = build_talk(settings, with_model=not options.no_model, dry_run=dry_run, journal=journal)
    try:
        for line in options.utterances or _lines():
            ended = await talk.say(line)
            if options.json:
                told = {"text": line, "status": ended.status.value, "reply": ended.reply, **ended.trace}
                print(json.dumps(told, ensure_ascii=False, indent=2 if dry_run else None))
            elif dry_run:
                print(explain(line, ended, talk.home.home))
            else:
                if options.utterances:
                    print(f"> {line}")
                print(f"{ended.reply}   [{ended.status.value}, {ended.usage.seconds:.1f} s]")
    finally:
        await talk.close()
        if journal is not None:
            journal.close()
    return 0


def _settings(options: argparse.Namespace, *, pin: str) -> Settings:
    return Settings(
        model=options.model,
        server=options.server,
        language=options.language,
        pin=pin,
        calibration=getattr(options, "calibration", None),
        thinking=options.think,
    )


def _eval(options: argparse.Namespace) -> int:
    return evaluation.evaluate(options, find_model=lambda named: find_model(Settings(model=named)))


def _self_test(options: argparse.Namespace) -> int:
    settings = _settings(options, pin="1234")
    with_model = not options.no_model
    return selftest_command.run_self_test(
        options, build=lambda home: build_talk(settings, with_model=with_model, home=home or DEMO_HOME)
    )


def _bridge(options: argparse.Namespace) -> int:
    return serve_command.serve(options, build=build_bridge_agent)


def _calibrate(options: argparse.Namespace) -> int:
    settings = _settings(options, pin="1234")
    with_model = not options.no_model
    return calibrate.run_calibrate(
        options, build=lambda home: build_talk(settings, with_model=with_model, home=home or DEMO_HOME)
    )


def _export(options: argparse.Namespace) -> int:
    for chat in examples(read_journal(options.journal), load_tools(), every=options.all):
        print(json.dumps(chat, ensure_ascii=False))
    return 0


def _lines() -> Iterator[str]:
    for line in sys.stdin:
        yield line.rstrip("\n")


def _models(options: argparse.Namespace) -> int:
    if options.get:
        return _get(options.get, options.quantisation)
    try:
        print(f"runs now: {find_model(Settings())}")
    except BotPsyError as error:
        print(f"runs now: none; {error}")
    for model in models.catalogue():
        sizes = ", ".join(f"{name} {size} MB" for name, size in model.quantisations.items())
        print(f"{model.key}: {model.title}, {model.licence}, {'/'.join(model.languages)}; {sizes}")
        print(f"    {models.on_disk(model) or 'not on this machine'}", *model.cautions, sep="\n    ")
    return 0


def _get(name: str, quantisation: str) -> int:
    def show(done: int, total: int) -> None:
        print(f"\r{name}: {done / max(total, 1):.0%}", end="", file=sys.stderr, flush=True)

    path = models.obtain(name, quantisation=quantisation, progress=show)
    print(file=sys.stderr)
    print(path)
    return 0


COMMANDS: dict[str, Command] = {
    "bench": run_bench,
    "bridge": _bridge,
    "calibrate": _calibrate,
    "chat": _chat,
    "eval": _eval,
    "explain": _explain,
    "export": _export,
    "models": _models,
    "self-test": _self_test,
}
"""Subcommand to what it runs."""


if __name__ == "__main__":
    sys.exit(main())
