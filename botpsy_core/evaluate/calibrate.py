"""`botpsy calibrate`: how a model that was never measured is to be read, found on the home's own dry sentences."""

import argparse
import asyncio
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from botpsy_core.agent import Agent
from botpsy_core.domain.context import TurnContext
from botpsy_core.domain.events import Decided
from botpsy_core.domain.home import Home
from botpsy_core.domain.messages import Transcript
from botpsy_core.domain.values import JsonObject
from botpsy_core.errors import ConfigurationInvalid
from botpsy_core.evaluate.fitting import Point, calibration_error, curve, fit_tilt, log_odds, logistic
from botpsy_core.evaluate.selftest import called_right
from botpsy_core.evaluate.selftest_cases import SelfCase, self_cases
from botpsy_core.evaluate.selftest_command import BuildTalk, home_in, try_context
from botpsy_core.ports import Toolbox
from botpsy_core.safety import Tilt, tilt_for

FEWEST = 8
"""Calls of a model, right and wrong ones among them, from which it counts as measured."""
_THRESHOLDS = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """What the dry sentences have told of one model."""

    model: str
    """Its digest; empty where no sentence needed it."""
    tilt: Tilt | None
    """None where there were too few calls; the model is then read with caution as before."""
    calls: int
    error: float
    """Calibration error with the tilt, 0 to 1."""
    trade: tuple[Point, ...]
    """What each threshold lets out and stops, as shares of the wrong and of the right calls."""

    def to_json(self) -> JsonObject:
        """Return it as it is kept."""
        tilt = None if self.tilt is None else asdict(self.tilt)
        return {
            "tilt": tilt,
            "calls": self.calls,
            "error": round(self.error, 3),
            "trade": [asdict(p) for p in self.trade],
        }


async def calibrate(
    agent: Agent,
    *,
    home: Home,
    toolbox: Toolbox,
    context: TurnContext,
    cases: Sequence[SelfCase] | None = None,
    told: Callable[[int, int], None] = lambda _done, _total: None,
) -> Calibration:
    """Say sentences about the home with nothing carried out, and weigh the model's calls by whether they were meant."""
    chosen = self_cases(home) if cases is None else cases
    specs = {spec.name: spec for spec in toolbox.specs()}
    model, points = "", list[tuple[float, bool]]()
    for i, case in enumerate(chosen, 1):
        dry = replace(context, dry_run=True, conversation_id=f"{context.conversation_id}-{i}")
        turn = agent.turn(case.text, transcript=Transcript(), home=home, toolbox=toolbox, context=dry)
        async for event in turn:
            if isinstance(event, Decided) and event.evidence.model and event.verdict.call is not None:
                model = event.evidence.model
                right = called_right(case, event.verdict.call, specs)
                points.append((_plain(event, tilt_for(model, agent.policy.tilts)), right))
        told(i, len(chosen))
    return calibration_of(model, points)


def calibration_of(model: str, points: Sequence[tuple[float, bool]]) -> Calibration:
    """Return what calls with these log odds, right or wrong, tell of a model."""
    enough = len(points) >= FEWEST and {right for _, right in points} == {True, False}
    tilt = fit_tilt(points) if enough else None
    read = tilt or Tilt()
    shown = [(logistic(read.slope * odds + read.shift), right) for odds, right in points]
    return Calibration(
        model=model,
        tilt=tilt,
        calls=len(points),
        error=calibration_error(shown),
        trade=curve(shown, _THRESHOLDS),
    )


def _plain(decided: Decided, tilt: Tilt) -> float:
    """Return the log odds of a call as they were before the tilt in force."""
    return (log_odds(decided.certainty or 0.0) - tilt.shift) / tilt.slope


def read_tilts(file: Path) -> dict[str, Tilt]:
    """Return the tilts that `botpsy calibrate` has kept, by digest; raise ConfigurationInvalid."""
    try:
        kept = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
        return {digest: Tilt(**each["tilt"]) for digest, each in kept.items() if each["tilt"] is not None}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as fault:
        raise ConfigurationInvalid(f"{str(file)!r} holds no calibration: {fault!r}") from fault


def keep(file: Path, found: Calibration) -> None:
    """Write what was found of a model beside what is known of others; raise ConfigurationInvalid."""
    read_tilts(file)
    kept = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    text = json.dumps({**kept, found.model: found.to_json()}, indent=1, sort_keys=True)
    file.write_text(text + "\n", encoding="utf-8")


def table_of(found: Calibration) -> str:
    """Return for people what each threshold costs: wrong acts in a thousand calls of each kind, needless stops."""
    if found.tilt is None:
        return f"{found.calls} calls of the model are too few to measure it; it is read with caution, as before"
    lines = [f"{found.calls} calls of the model; calibration error {found.error:.3f}"]
    lines += ["threshold  wrong acts let out  right acts stopped, in a thousand of each"]
    lines += [f"{p.threshold:9.2f}  {p.wrong * 1000:18.0f}  {p.lost * 1000:18.0f}" for p in found.trade]
    return "\n".join(lines)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what `botpsy calibrate` takes."""
    parser.add_argument("--home", type=Path, help='JSON: {"entities": [...], "areas": [...]} (default: the small home)')
    parser.add_argument("--out", type=Path, metavar="FILE", help="keep what is found; `--calibration FILE` reads it")


def run_calibrate(options: argparse.Namespace, *, build: BuildTalk) -> int:
    """Measure the model on the home's dry sentences, print the trade, and keep it where that was asked for."""
    found = asyncio.run(_run(options, build))
    sys.stdout.write(table_of(found) + "\n")
    if options.out is not None and found.model:
        keep(options.out, found)
    return 0


async def _run(options: argparse.Namespace, build: BuildTalk) -> Calibration:
    talk = build(home_in(options.home, options.language))
    try:
        return await calibrate(talk.agent, home=talk.home.home, toolbox=talk.home, context=try_context(talk))
    finally:
        await talk.close()
