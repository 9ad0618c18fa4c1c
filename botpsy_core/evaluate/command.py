"""`botpsy eval`: the same figures for a developer, a user and a sceptic."""

import argparse
import asyncio
import json
import sys
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import aiohttp

from botpsy_core.engine import EngineSettings, LocalEngine
from botpsy_core.engine.remote import RemoteEngine, RemoteSettings
from botpsy_core.errors import ConfigurationInvalid
from botpsy_core.evaluate.cases import Case, load_cases
from botpsy_core.evaluate.charts import write_charts
from botpsy_core.evaluate.markdown import markdown_of, markdown_table, put_into
from botpsy_core.evaluate.prediction import Prediction, read_predictions
from botpsy_core.evaluate.product import Product
from botpsy_core.evaluate.published import checked, published_rows, read_published
from botpsy_core.evaluate.recall import recall_table, recalls
from botpsy_core.evaluate.reference import disagreements, load_reference
from botpsy_core.evaluate.renamed import Renamed
from botpsy_core.evaluate.replay import ReplayEngine
from botpsy_core.evaluate.report import comparison_of, report_of, table_of
from botpsy_core.evaluate.run import Predictor, Progress, run_cases
from botpsy_core.evaluate.suites import load_suite
from botpsy_core.evaluate.tally import Judged, judge
from botpsy_core.evaluate.trivial import Habit, Trivial
from botpsy_core.evaluate.unguarded import Unguarded
from botpsy_core.ports import Engine
from botpsy_core.safety import load_policy

ANSWERS = Path("~/.cache/botpsy/answers.jsonl")
"""Where models' answers are kept unless told otherwise."""

_CONTEXT = 16_384
"""Tokens; the longest public cases need them."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what `botpsy eval` takes."""
    parser.add_argument("cases", nargs="*", type=Path, help="JSONL files of cases, or folders of them")
    parser.add_argument("--suite", help="a public suite: bfcl[:CATEGORY], agentdojo[:SUITE], or a path")
    parser.add_argument("--model", type=Path, help="a GGUF file (default: BOTPSY_MODEL, else a stand-in on disk)")
    parser.add_argument("--compare", type=Path, nargs="+", metavar="GGUF", help="run these models, side by side")
    parser.add_argument("--server", help="the address of an OpenAI-compatible server instead of a file")
    parser.add_argument("--predictions", type=Path, metavar="OUT", help="write one line a case; resumes with --resume")
    parser.add_argument("--json", type=Path, metavar="REPORT", help="write every figure and the verdict on each case")
    parser.add_argument("--plots", type=Path, metavar="FOLDER", help="write the plots as SVG")
    parser.add_argument("--smoke", action="store_true", help="only the cases that are marked for quick runs")
    parser.add_argument("--limit", type=int, metavar="N", help="only the first N cases")
    parser.add_argument("--resume", action="store_true", help="keep what an earlier run has predicted")
    parser.add_argument("--answers", type=Path, default=ANSWERS, metavar="RUN", help="where answers are kept")
    parser.add_argument("--replay", type=Path, metavar="RUN", help="decide again from kept answers, without a model")
    parser.add_argument("--score", type=Path, metavar="PREDICTIONS", help="score these predictions and run nothing")
    parser.add_argument("--against", type=Path, metavar="PREDICTIONS", help="show another run beside this one")
    parser.add_argument("--markdown", metavar="DOC#PART", help="put the tables into a document, `-` prints them")
    parser.add_argument("--published", type=Path, metavar="FIGURES", help="check the run against published intervals")
    parser.add_argument("--reference", type=Path, metavar="SCORER", help="check each verdict against another scorer's")
    parser.add_argument("--renamed", action="store_true", help="the same cases under other names of tools")
    parser.add_argument("--recall", action="store_true", help="how often what is meant is among what the prompt shows")
    way = parser.add_mutually_exclusive_group()
    way.add_argument("--unguarded", action="store_true", help="the bare model in its own format")
    way.add_argument("--allow-all", action="store_true", help="the product with the gate open")
    way.add_argument("--trivial", type=Habit, choices=list(Habit), help="always the same answer, without a model")
    parser.add_argument("--no-model", action="store_true", help="no model: words alone decide")


def evaluate(options: argparse.Namespace, *, find_model: Callable[[Path | None], Path]) -> int:
    """Run what the options ask for, print the tables, and return the exit status."""
    cases = _cases(options)
    if options.recall:
        sys.stdout.write(recall_table(recalls(cases)) + "\n")
        return 0
    if options.compare:
        runs = {model.stem: _run_of(options, model, cases, find_model) for model in options.compare}
        sys.stdout.write(comparison_of({name: judge(cases, run) for name, run in runs.items()}) + "\n")
        return 0
    if options.score is not None:
        predictions = read_predictions(options.score)
    else:
        predictions = asyncio.run(_predict(options, cases, find_model))
    judged = judge(cases, predictions)
    other = None if options.against is None else _judged_part(cases, read_predictions(options.against))
    status = _show(options, judged, other)
    if options.json is not None:
        text = json.dumps(report_of(judged), ensure_ascii=False, indent=1, sort_keys=True)
        options.json.write_text(text + "\n", encoding="utf-8")
    if options.plots is not None:
        write_charts(options.plots, judged, other)
    return status if options.reference is None else max(status, _agree(options.reference, cases, predictions))


def _show(options: argparse.Namespace, judged: Sequence[Judged], other: Sequence[Judged] | None) -> int:
    """Print the tables, or put them into a document, and return 1 where a published interval is missed."""
    rows = () if options.published is None else checked(read_published(options.published), judged)
    beside = [markdown_table(list(published_rows(rows))) + "\n"] if rows else []
    if options.markdown is None:
        sys.stdout.write("\n".join([table_of(judged, other) + "\n", *beside]))
    elif options.markdown == "-":
        sys.stdout.write("\n".join([markdown_of(judged, other), *beside]))
    else:
        put_into(options.markdown, "\n".join([markdown_of(judged, other), *beside]))
    return int(any(row.within is False and not row.nearly for row in rows))


def _agree(scorer: Path, cases: Sequence[Case], predictions: Mapping[str, Prediction]) -> int:
    """Print on how many cases the two scorers agree and where not, and return 1 where they differ."""
    found = list(disagreements(cases, predictions, load_reference(scorer)))
    scored = sum(case.id in predictions for case in cases)
    lines = [f"the two scorers agree on {scored - len(found)} of {scored} cases", *(f"{i}: {how}" for i, how in found)]
    sys.stdout.write("\n" + "\n".join(lines) + "\n")
    return int(bool(found))


def _judged_part(cases: tuple[Case, ...], predictions: Mapping[str, Prediction]) -> tuple[Judged, ...]:
    """Return the cases that the other run has, judged."""
    return judge([case for case in cases if case.id in predictions], predictions)


def _cases(options: argparse.Namespace) -> tuple[Case, ...]:
    if options.suite is not None:
        return load_suite(options.suite)[: options.limit]
    if not options.cases:
        raise ConfigurationInvalid("name files of cases, or a suite with --suite")
    return load_cases(options.cases, smoke=options.smoke, limit=options.limit)


def _run_of(
    options: argparse.Namespace, model: Path, cases: tuple[Case, ...], find_model: Callable[[Path | None], Path]
) -> dict[str, Prediction]:
    """Run one of the models that are compared, its predictions in a file of its own."""
    file = options.predictions
    own = None if file is None else file.with_name(f"{file.stem}.{model.stem}{file.suffix}")
    chosen = argparse.Namespace(**{**vars(options), "model": model, "predictions": own})
    return asyncio.run(_predict(chosen, cases, find_model))


async def _predict(
    options: argparse.Namespace, cases: tuple[Case, ...], find_model: Callable[[Path | None], Path]
) -> dict[str, Prediction]:
    async with _engine(options, find_model) as engine:
        predictor = _predictor(options, engine)
        started = time.monotonic()
        found = await run_cases(cases, predictor, file=options.predictions, resume=options.resume, told=_tell)
        if engine is not None and engine.asked:
            sys.stderr.write(cost_of(time.monotonic() - started, engine) + "\n")
        return found


@asynccontextmanager
async def _engine(
    options: argparse.Namespace, find_model: Callable[[Path | None], Path]
) -> AsyncIterator[ReplayEngine | None]:
    """Open what answers: nothing, a kept run, a server, or a model's file; the last two fill the store."""
    async with AsyncExitStack() as stack:
        engine: ReplayEngine | None = None
        if options.replay is not None:
            if not options.replay.exists():  # nothing else waits here
                raise ConfigurationInvalid(f"there is no run at {str(options.replay)!r} to replay")
            engine = ReplayEngine(options.replay)
        elif options.server is not None:
            session = await stack.enter_async_context(aiohttp.ClientSession())
            settings = RemoteSettings(url=options.server, context_tokens=_CONTEXT)
            engine = ReplayEngine(options.answers.expanduser(), RemoteEngine(settings, session))
        elif not (options.no_model or options.trivial):
            local = LocalEngine(EngineSettings(model=find_model(options.model), context_tokens=_CONTEXT))
            engine = ReplayEngine(options.answers.expanduser(), local)
        if engine is not None:
            stack.push_async_callback(engine.close)
        yield engine


def cost_of(seconds: float, engine: ReplayEngine) -> str:
    """Return what a run took, beside what the model alone took of it."""
    share = seconds / engine.waited_s
    return f"{seconds:.1f} s, of which the model {engine.waited_s:.1f} s: the scales cost {share:.2f} x"


def _predictor(options: argparse.Namespace, engine: Engine | None) -> Predictor:
    predictor = _plain_predictor(options, engine)
    return Renamed(predictor) if options.renamed else predictor


def _plain_predictor(options: argparse.Namespace, engine: Engine | None) -> Predictor:
    if options.trivial is not None:
        return Trivial(options.trivial)
    if options.unguarded:
        if engine is None:
            raise ConfigurationInvalid("the bare model needs a model")
        return Unguarded(engine)
    return Product(engine=engine, policy=load_policy({}), gate_open=options.allow_all)


def _tell(progress: Progress) -> None:
    filled = round(20 * progress.done / max(progress.total, 1))
    bar = "#" * filled + "." * (20 - filled)
    left = round(progress.left_s)
    end = "\n" if progress.done == progress.total else ""
    sys.stderr.write(f"\r[{bar}] {progress.done}/{progress.total}  {left // 60}:{left % 60:02d} left {end}")
    sys.stderr.flush()
