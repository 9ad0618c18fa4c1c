"""What is done when the shortlist does not narrow the home: the same, or nothing, never something to another thing."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from botpsy_core.agent.decision import Decider
from botpsy_core.agent.drafting import draft
from botpsy_core.agent.evidence import evidence_of
from botpsy_core.agent.limits import TurnLimits
from botpsy_core.agent.obvious import decide_without_model
from botpsy_core.catalog import load_tools, shortlist
from botpsy_core.domain.context import Origin, TurnContext
from botpsy_core.domain.engine import Limits
from botpsy_core.domain.heard import Clause, Heard
from botpsy_core.domain.home import Home
from botpsy_core.domain.messages import Transcript
from botpsy_core.domain.offer import Choice, Offer, OfferedTool
from botpsy_core.domain.tools import Role, ToolCall
from botpsy_core.domain.values import JsonValue
from botpsy_core.domain.verdicts import Allow, Evidence
from botpsy_core.errors import ModelFault
from botpsy_core.evaluate.simulator import SimulatedHome
from botpsy_core.hearing import hear
from botpsy_core.ports import Engine
from botpsy_core.safety import decide, load_policy

SUITES = 5
"""Rooms whose things the sentences speak of."""

_FORMS = (
    "turn on the suite {} lamp",
    "turn off the suite {} socket",
    "close the suite {} blind",
    "set the suite {} lamp to 40 percent",
    "turn the light in suite {} off",
    "open the blind in suite {}",
    "switch the socket in suite {} on",
    "what is the temperature in suite {}",
    "is the window in suite {} open",
    "make suite {} brighter",
)

type Act = tuple[str, str]
"""A tool and its targets."""


def sentences() -> tuple[str, ...]:
    """Return fifty sentences about things that have many near neighbours."""
    return tuple(form.format(number) for number in range(1, SUITES + 1) for form in _FORMS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """How the two ways agree."""

    text: str
    listed: Act | None
    """With the shortlist; None where the gate lets nothing out."""
    unlisted: Act | None

    @property
    def same(self) -> bool:
        """Return True where the same is done, or nothing."""
        return self.listed == self.unlisted

    @property
    def other_target(self) -> bool:
        """Return True where something is done to another thing."""
        return self.unlisted is not None and (self.listed is None or self.unlisted[1] != self.listed[1])

    def as_json(self) -> JsonValue:
        """Return it for a file."""
        return {"text": self.text, "shortlist": str(self.listed), "no shortlist": str(self.unlisted)}


async def compare(
    engine: Engine, home: Home, texts: Sequence[str], *, say: Callable[[str], object] = str
) -> list[Compared]:
    """Put each sentence to hearing, words and model, and gate; then to the model on all of the home, and gate."""
    asker = _Asker(engine, home)
    found = []
    for text in texts:
        found.append(Compared(text=text, listed=await asker.ask(text), unlisted=await asker.ask(text, whole=True)))
        if not found[-1].same:
            say(f"  differs: {found[-1].as_json()}")
    return found


class _Asker:
    """Puts a sentence to the model and to the gate."""

    def __init__(self, engine: Engine, home: Home) -> None:
        self._decider = Decider(engine)
        self._tools = load_tools()
        self._home = home
        self._policy = load_policy({})
        self._context = TurnContext(
            conversation_id="bench", origin=Origin.COMMAND_LINE, now=datetime.now().astimezone(), user_id="owner"
        )
        self._world = SimulatedHome(home, self._tools, now=lambda: self._context.now)

    async def ask(self, text: str, *, whole: bool = False) -> Act | None:
        """Return the tool and the targets of the call that the gate lets out, or None."""
        heard = hear(text, home=self._home, transcript=Transcript(), context=self._context)
        clause = heard.clauses[0]
        offer = shortlist(clause, heard=heard, tools=self._tools, home=self._home, context=self._context)
        if whole:
            offer = Offer(tools=tuple(self._widened(tool) for tool in offer.tools), may_answer=offer.may_answer)
        try:
            call, evidence = await self._decided(offer, clause, by_words=not whole)
        except ModelFault:
            return None
        return await self._let_out(call, clause, heard, evidence=evidence, offer=offer)

    async def _decided(self, offer: Offer, clause: Clause, *, by_words: bool) -> tuple[ToolCall, Evidence]:
        """Return what the words decide where they may, or else the model."""
        raw = decide_without_model(offer, clause) if by_words else None
        if raw is not None:
            offered = offer.tool(raw.name)
            likeness = offered.score if offered is not None else None
            return draft(raw, offer, "call_1"), Evidence(by_code=True, likeness=likeness)
        limits = Limits(max_tokens=TurnLimits().tokens)
        made = await self._decider.decide(offer, clause, tools=self._tools, transcript=Transcript(), limits=limits)
        call = draft(made.raw, offer, "call_1")
        offered = offer.tool(call.name)
        score = None if offered is None else offered.score
        return call, evidence_of(call, made.pieces, likeness=score, tainted=False)

    async def _let_out(
        self, call: ToolCall, clause: Clause, heard: Heard, *, evidence: Evidence, offer: Offer
    ) -> Act | None:
        spec = next((tool for tool in self._tools if tool.name == call.name), None)
        if spec is None:
            return None
        verdict = decide(
            call,
            spec=spec,
            clause=clause,
            heard=heard,
            home=self._home,
            evidence=evidence,
            readiness=await self._world.check(call, self._context),
            policy=self._policy,
            context=self._context,
            offered=offer.tool(call.name),
        )
        return (call.name, str(sorted(spec.targets_of(call)))) if isinstance(verdict, Allow) else None

    def _widened(self, offered: OfferedTool) -> OfferedTool:
        """Return the tool on everything that it can act on, beside what was heard."""
        slots = []
        for slot in offered.slots:
            if slot.argument.role is not Role.TARGET:
                slots.append(slot)
                continue
            kinds, known = slot.argument.kinds, {choice.label for choice in slot.choices}
            fit = [e for e in self._home.entities if not kinds or {e.domain, e.kind} & kinds]
            others = [Choice(label=e.name, value=[e.id], score=0.0) for e in fit if e.name not in known]
            slots.append(replace(slot, choices=(*slot.choices, *others)))
        return replace(offered, slots=tuple(slots))
