"""Whether being fast changes what is done: calls with snapshots, forced runs and shortlist on and off."""

from collections.abc import Callable, Sequence
from pathlib import Path

from botpsy_core.domain.values import JsonValue
from botpsy_core.engine import EngineSettings, LocalEngine
from botpsy_core.evaluate.bench.dialogue import Cost, hold
from botpsy_core.evaluate.bench.homes import home_of
from botpsy_core.evaluate.bench.rows import Row, row
from botpsy_core.evaluate.bench.unlisted import SUITES, Compared, compare, sentences

LIKE_SHORTLIST = 0.98
"""Of the calls, at least, when the shortlist does not narrow the home."""

_ENTITIES = 10 + 6 * SUITES

_MODES: dict[str, dict[str, bool]] = {
    "as shipped": {},
    "no forced runs": {"forced_runs": False},
    "nothing kept": {"reuse": False},
}


async def same_calls(model: Path, state: Path, *, say: Callable[[str], object] = str) -> Row:
    """Compare what the model writes and what is done in each mode."""
    written: dict[str, list[Cost]] = {}
    compared: list[Compared] = []
    for mode, options in _MODES.items():
        say(f"  {mode}")
        engine = LocalEngine(EngineSettings(model=model, state_dir=state, **options))
        try:
            written[mode] = await hold(engine, home_of(10))
            for plain, other in _differing(written["as shipped"], written[mode]):
                say(f"  differs: {plain.text}: {plain.pieces} {plain.calls}, {other.pieces} {other.calls}")
            if mode == "as shipped":
                say("  with and without the shortlist")
                compared = await compare(engine, home_of(_ENTITIES), sentences(), say=say)
        finally:
            await engine.close()
    return judged(written, compared)


def judged(written: dict[str, list[Cost]], compared: Sequence[Compared]) -> Row:
    """Return the figure: the share of turns that are the same in every mode, and what the shortlist changes."""
    plain, *others = written.values()
    pairs = [(a, b) for other in others for a, b in zip(plain, other, strict=True)]
    same = 1 - sum(len(_differing(plain, other)) for other in others) / len(pairs)
    alike = sum(each.same for each in compared) / len(compared)
    elsewhere = [each for each in compared if each.other_target]
    faults = []
    if not any(cost.pieces for cost in plain) or not any(each.listed for each in compared):
        faults.append("the model wrote nothing, or nothing was done, so that nothing was compared")
    if alike < LIKE_SHORTLIST:
        faults.append(f"without the shortlist {alike:.0%} of the calls are the same, not {LIKE_SHORTLIST:.0%}")
    if elsewhere:
        faults.append(f"without the shortlist {len(elsewhere)} calls have another target")
    texts: dict[str, JsonValue] = {mode: [list(cost.pieces) for cost in costs] for mode, costs in written.items()}
    raw: dict[str, JsonValue] = {
        "turns_compared": len(pairs),
        "without_shortlist": {
            "calls": len(compared),
            "identical": alike,
            "another_target": len(elsewhere),
            "different": [each.as_json() for each in compared if not each.same],
        },
        "written": texts,
    }
    return row("identical_calls", same, raw, faults=faults)


def _differing(plain: Sequence[Cost], other: Sequence[Cost]) -> list[tuple[Cost, Cost]]:
    pairs = zip(plain, other, strict=True)
    return [(a, b) for a, b in pairs if (a.pieces, a.calls) != (b.pieces, b.calls)]
