"""Whether being fast changes what is done: calls with snapshots, forced runs and shortlist on and off."""

from dataclasses import replace
from datetime import datetime
from pathlib import Path

from botpsy_core.agent.decision import Decider
from botpsy_core.agent.drafting import draft
from botpsy_core.agent.evidence import evidence_of
from botpsy_core.agent.limits import TurnLimits
from botpsy_core.catalog import load_tools, shortlist
from botpsy_core.domain.context import Origin, TurnContext
from botpsy_core.domain.engine import Limits
from botpsy_core.domain.heard import Clause, Heard
from botpsy_core.domain.home import Home
from botpsy_core.domain.messages import Transcript
from botpsy_core.domain.offer import Choice, Offer, OfferedTool, Slot
from botpsy_core.domain.tools import Role, ToolCall, ToolSpec
from botpsy_core.domain.values import JsonValue
from botpsy_core.domain.verdicts import Allow, Evidence
from botpsy_core.engine import EngineSettings, LocalEngine
from botpsy_core.errors import ModelFault
from botpsy_core.evaluate.bench.dialogue import hold
from botpsy_core.evaluate.bench.homes import COMMANDS, home_of
from botpsy_core.evaluate.bench.rows import Row
from botpsy_core.evaluate.simulator import SimulatedHome
from botpsy_core.hearing import hear
from botpsy_core.ports import Engine
from botpsy_core.safety import decide, load_policy

MODES: dict[str, dict[str, bool]] = {
    "as shipped": {},
    "no forced runs": {"forced_runs": False},
    "nothing kept": {"reuse": False},
}


async def same_calls(model: Path, state: Path) -> Row:
    """Compare what the model writes and what is done in each mode."""
    texts: dict[str, list[tuple[list[str], list[str]]]] = {}
    wide: dict[str, JsonValue] = {}
    for mode, options in MODES.items():
        engine = LocalEngine(EngineSettings(model=model, state_dir=state, **options))
        try:
            texts[mode] = [(cost.pieces, cost.calls) for cost in await hold(engine, home_of(10))]
            if mode == "as shipped":
                wide = await _with_and_without_shortlist(engine)
        finally:
            await engine.close()
    plain, *others = texts.values()
    pairs = [(a, b) for other in others for a, b in zip(plain, other, strict=True)]
    same = sum(a == b for a, b in pairs) / len(pairs)
    return Row(
        key="identical_calls",
        what="texts and calls the same with snapshots and forced runs on and off; see raw for the shortlist",
        value=same,
        bar=1.0,
        at_least=True,
        raw={"shortlist": wide, "written": {mode: [list(text) for text, _ in kept] for mode, kept in texts.items()}},
    )


async def _with_and_without_shortlist(engine: Engine) -> dict[str, JsonValue]:
    """Ask each command with the offer of the shortlist and with every tool on everything."""
    asker = _Asker(engine, home_of(10))
    same, other_target, kept = 0, 0, []
    for text in COMMANDS:
        short, whole = await asker.ask(text, whole=False), await asker.ask(text, whole=True)
        same += short == whole
        other_target += bool(whole and short and whole[1] != short[1])
        kept.append({"text": text, "shortlist": str(short), "everything": str(whole)})
    return {"identical": same / len(COMMANDS), "another_target": other_target, "calls": kept}


class _Asker:
    """Puts a command to the model and to the gate, with the shortlist or without."""

    def __init__(self, engine: Engine, home: Home) -> None:
        self._decider = Decider(engine)
        self._tools = load_tools()
        self._home = home
        self._context = TurnContext(
            conversation_id="bench", origin=Origin.COMMAND_LINE, now=datetime.now().astimezone(), user_id="owner"
        )
        self._world = SimulatedHome(home, self._tools, now=lambda: self._context.now)

    async def ask(self, text: str, *, whole: bool) -> tuple[str, str] | None:
        """Return the tool and the targets of the call that the gate lets out, or None."""
        heard = hear(text, home=self._home, transcript=Transcript(), context=self._context)
        clause = heard.clauses[0]
        offer = shortlist(clause, heard=heard, tools=self._tools, home=self._home, context=self._context)
        if whole:
            offer = self._widened(offer, clause)
        limits = Limits(max_tokens=TurnLimits().tokens)
        try:
            made = await self._decider.decide(offer, clause, tools=self._tools, transcript=Transcript(), limits=limits)
            call = draft(made.raw, offer, "call_1")
        except ModelFault:
            return None
        offered = offer.tool(call.name)
        score = None if offered is None else offered.score
        evidence = evidence_of(call, made.pieces, likeness=score, tainted=False)
        return await self._out(call, clause, heard, evidence=evidence, offer=offer)

    async def _out(
        self, call: ToolCall, clause: Clause, heard: Heard, *, evidence: Evidence, offer: Offer
    ) -> tuple[str, str] | None:
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
            policy=load_policy({}),
            context=self._context,
            offered=offer.tool(call.name),
        )
        return (call.name, str(sorted(spec.targets_of(call)))) if isinstance(verdict, Allow) else None

    def _widened(self, offer: Offer, clause: Clause) -> Offer:
        """Return every tool on everything that it can act on, with what was heard for its other arguments."""
        return Offer(tools=tuple(self._on_everything(tool, offer.tool(tool.name), clause) for tool in self._tools))

    def _on_everything(self, tool: ToolSpec, heard: OfferedTool | None, clause: Clause) -> OfferedTool:
        known = {slot.argument.name: slot for slot in heard.slots} if heard is not None else {}
        slots = []
        for argument in tool.arguments:
            slot = known.get(argument.name) or Slot(
                argument=argument,
                words=clause.text if argument.role is Role.TEXT else "",
                required=argument.required,
            )
            if argument.role is Role.TARGET:
                every = tuple(
                    Choice(label=e.name, value=[e.id])
                    for e in self._home.entities
                    if not argument.kinds or {e.domain, e.kind} & argument.kinds
                )
                labels = {choice.label for choice in slot.choices}
                slot = replace(slot, choices=(*slot.choices, *(c for c in every if c.label not in labels)))
            slots.append(slot)
        return OfferedTool(tool=tool, slots=tuple(slots), score=heard.score if heard is not None else 0.0)
