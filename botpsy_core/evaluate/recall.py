"""Recall of the candidates: how often what is meant is among the things that the prompt shows."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from botpsy_core.agent.prompt import narrowed, things_shown
from botpsy_core.catalog import load_tools, shortlist
from botpsy_core.domain.context import Origin, TurnContext
from botpsy_core.domain.home import Home
from botpsy_core.domain.messages import Transcript
from botpsy_core.domain.tools import ToolSpec
from botpsy_core.evaluate.bench.homes import SIZES, home_of
from botpsy_core.evaluate.cases import Case, Rule
from botpsy_core.evaluate.home_match import READING, targets_of
from botpsy_core.evaluate.markdown import markdown_table
from botpsy_core.evaluate.prediction import Made
from botpsy_core.evaluate.scene import scene_of
from botpsy_core.evaluate.selftest_cases import Wanted, self_cases
from botpsy_core.hearing import hear

_NOW = datetime(2026, 5, 4, 12, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recall:
    """One set of sentences."""

    name: str
    said: int
    """Sentences that mean a thing of the home."""
    missed: tuple[str, ...]
    """Those for which a thing that is meant is not shown."""
    shown: float
    """Things shown for a sentence, on average."""

    @property
    def share(self) -> float:
        """Return the share of sentences for which everything that is meant is shown."""
        return 1 - len(self.missed) / self.said if self.said else 0.0


def recalls(cases: Sequence[Case]) -> tuple[Recall, ...]:
    """Return the recall on cases that act on a home, by category, and on homes of our own of every size."""
    acting = [c for c in cases if c.rule is Rule.HA_ACTION]
    by_category = {c.category: [d for d in acting if d.category == c.category] for c in acting}
    public = [_measured(name, (_of_case(c) for c in found)) for name, found in by_category.items()]
    return (*public, *(_measured(f"own home, {size} things", _of_home(home_of(size))) for size in SIZES))


def recall_table(found: Iterable[Recall]) -> str:
    """Return the table, and every sentence for which something was missed."""
    rows = [("sentences of", "said", "everything meant is shown", "things shown")]
    found = tuple(found)
    rows += [(r.name, str(r.said), f"{r.share:.3f}", f"{r.shown:.1f}") for r in found]
    missed = [f"missed in {r.name}: {text}" for r in found for text in r.missed]
    return "\n".join([markdown_table(rows), *missed])


type _Sentence = tuple[str, Sequence[frozenset[str]], frozenset[str], int]
"""What was said, the sets of things that may be meant, what is shown, and in how many lines."""


def _measured(name: str, sentences: Iterable[_Sentence]) -> Recall:
    told = [s for s in sentences if any(s[1])]
    missed = tuple(text for text, meant, shown, _ in told if not any(m <= shown for m in meant if m))
    return Recall(name=name, said=len(told), missed=missed, shown=sum(s[3] for s in told) / max(len(told), 1))


def _of_case(case: Case) -> _Sentence:
    scene, home = scene_of(case), case.expected["home"]
    meant = []
    for accepted in case.expected["accepted"]:
        calls = [Made(name=c["name"], args=c["args"]) for c in accepted["calls"] if c["name"] not in READING]
        meant.append(frozenset(i for call in calls for i in targets_of(call, home)))
    shown, lines = _shown(scene.utterance, scene.home, scene.tools, scene.context(), scene.transcript)
    return scene.utterance, meant, shown, lines


def _of_home(home: Home) -> Iterator[_Sentence]:
    tools = load_tools()
    context = TurnContext(conversation_id="recall", origin=Origin.COMMAND_LINE, now=_NOW, language=home.language)
    for case in self_cases(home, per_entity=1):
        if case.wanted is Wanted.STOP or not (case.acts or case.about):
            continue
        meant = frozenset(act.entity_id for act in case.acts) or frozenset({case.about or ""})
        shown, lines = _shown(case.text, home, tools, context, Transcript())
        yield case.text, (meant,), shown, lines


def _shown(
    text: str, home: Home, tools: Sequence[ToolSpec], context: TurnContext, transcript: Transcript
) -> tuple[frozenset[str], int]:
    """Return what the prompts of all clauses show, and in how many lines."""
    heard = hear(text, home=home, transcript=transcript, context=context)
    offers = [shortlist(c, heard=heard, tools=tools, home=home, context=context) for c in heard.clauses]
    things = [thing for offer in offers for thing in things_shown(narrowed(offer, tools))]
    ids = (i for thing in things for i in (thing.value if isinstance(thing.value, list) else ()))
    return frozenset(str(i) for i in ids), len(things)
