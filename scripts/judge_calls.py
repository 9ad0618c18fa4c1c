"""Put the calls of a bare model to the gate, without any model: what would have gone out, been asked or refused.

judge_calls.py PREDICTIONS CASES...
PREDICTIONS come from `botpsy eval CASES --unguarded --model M --predictions PREDICTIONS`. The gate sees words, tool and
call alone: neither the model's probabilities nor its gain.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from botpsy_core.agent.evidence import likeness_of, without_inventions
from botpsy_core.domain.heard import Clause, Heard, Span
from botpsy_core.domain.offer import OfferedTool
from botpsy_core.domain.tools import ToolCall
from botpsy_core.domain.verdicts import Evidence, Readiness, Verdict
from botpsy_core.evaluate.cases import Case, load_cases
from botpsy_core.evaluate.prediction import Made, read_predictions
from botpsy_core.evaluate.scene import scene_of
from botpsy_core.evaluate.tally import judge
from botpsy_core.hearing import hear
from botpsy_core.safety import decide, load_policy


def verdicts_on(case: Case, calls: tuple[Made, ...]) -> Iterator[Verdict]:
    """Yield what the gate says to each call of a case."""
    scene, policy = scene_of(case), load_policy()
    heard = hear(scene.utterance, home=scene.home, transcript=scene.transcript, context=scene.context())
    specs = {spec.name: spec for spec in scene.tools}
    for number, made in enumerate(calls):
        if made.name not in specs or not heard.clauses:
            continue
        spec = specs[made.name]
        call = without_inventions(ToolCall(id=str(number), name=made.name, args=made.args), spec, heard)
        yield decide(
            call,
            spec=spec,
            clause=whole(heard),
            heard=heard,
            home=scene.home,
            evidence=Evidence(likeness=likeness_of(made.name, scene.tools, heard, offered=None)),
            readiness=Readiness(),
            policy=policy,
            context=scene.context(),
            offered=OfferedTool(tool=spec),
        )


def whole(heard: Heard) -> Clause:
    """Return the longest clause with the words and values of the whole utterance."""
    longest = max(heard.clauses, key=lambda clause: len(clause.text))
    values = tuple(value for clause in heard.clauses for value in clause.values)
    return replace(longest, text=heard.text, span=Span(start=0, end=len(heard.text)), values=values)


def main() -> None:
    """Read a bare run and print, by category, what the gate says to the first call of each case that acted."""
    predictions = read_predictions(Path(sys.argv[1]))
    cases = tuple(case for case in load_cases([Path(each) for each in sys.argv[2:]]) if case.id in predictions)
    counts: Counter[tuple[str, str, str]] = Counter()
    for judged in judge(cases, predictions):
        found = list(verdicts_on(judged.case, predictions[judged.case.id].calls))
        first = type(found[0]).__name__.lower() if found else "no call"
        counts[judged.case.category, judged.kind.value, first] += 1
    for (category, kind, first), count in sorted(counts.items()):
        print(f"{category:24} bare: {kind:14} gate: {first:8} {count:4}")


if __name__ == "__main__":
    main()
