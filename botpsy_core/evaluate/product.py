"""One case through the product's own turn."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from botpsy_core.agent import Agent, messages_of
from botpsy_core.agent.limits import TurnLimits
from botpsy_core.domain.events import Decided, Ended, Executed, TurnEvent, ended_of
from botpsy_core.domain.messages import Transcript
from botpsy_core.domain.values import JsonObject, JsonValue
from botpsy_core.domain.verdicts import Allow, Ask, Refuse
from botpsy_core.evaluate.case_toolbox import CaseToolbox
from botpsy_core.evaluate.cases import Case, Rule
from botpsy_core.evaluate.prediction import Made, Prediction
from botpsy_core.evaluate.programs import simulation_of
from botpsy_core.evaluate.scene import Scene, scene_of, specs_of
from botpsy_core.evaluate.watched import Watched
from botpsy_core.ports import Engine
from botpsy_core.safety import Confirmations, Policy

_PATIENT = TurnLimits(generation_s=600.0)
"""A slow machine reads a long prompt for minutes; how long is measured, not limited here."""

_LONGEST_TALK = 24
"""Messages of the talk so far that a turn gets to see."""


class _Still:
    """A clock that stands at a case's own time, so that every run is the same."""

    def __init__(self, now: datetime) -> None:
        self._now = now

    def now(self) -> datetime:
        """Return the case's time."""
        return self._now

    def monotonic(self) -> float:
        """Return always the same."""
        return 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Product:
    """The agent as it stands; `gate_open` shows what it would do if nothing were ever stopped at the gate."""

    engine: Engine | None
    policy: Policy
    gate_open: bool = False

    async def predict(self, case: Case) -> Prediction:
        """Return what the product answers; raise HostFault where the model failed, which is no refusal."""
        scene = scene_of(case)
        if case.rule is Rule.MULTI_TURN:
            return await self._talk(case, scene)
        events, made = await self._turn(scene, CaseToolbox(scene), scene.utterance, scene.transcript)
        ended = ended_of(events)
        return Prediction(id=case.id, calls=made, text=ended.reply, final_text=ended.reply, facts=_facts(events, ended))

    async def _talk(self, case: Case, scene: Scene) -> Prediction:
        transcript = Transcript()
        tools = list(case.tools)
        turns: list[tuple[Made, ...]] = []
        told: list[JsonObject] = []
        simulation = simulation_of(case)
        asked = Confirmations(_Still(scene.now))
        for turn in case.expected["turns"]:
            tools += turn.get("tools_added", ())
            toolbox = CaseToolbox(scene, specs_of(tools), simulation)
            text = "\n".join(str(message["content"]) for message in turn["user"])
            events, made = await self._turn(scene, toolbox, text, transcript, asked)
            turns.append(made)
            told.append({**_facts(events, ended_of(events)), "reply": ended_of(events).reply})
            transcript = transcript.extended(*messages_of(text, events))
        return Prediction(
            id=case.id, text=str(told[-1]["reply"]) if told else "", turns=tuple(turns), facts=_of_all(told)
        )

    async def _turn(
        self,
        scene: Scene,
        toolbox: CaseToolbox,
        text: str,
        transcript: Transcript,
        asked: Confirmations | None = None,
    ) -> tuple[list[TurnEvent], tuple[Made, ...]]:
        engine = None if self.engine is None else Watched(self.engine)
        agent = Agent(
            engine=engine,
            tools=toolbox.specs(),
            policy=self.policy,
            clock=_Still(scene.now),
            confirmations=asked,
            limits=_PATIENT,
            instructions=scene.instructions,
        )
        talk = Transcript(messages=transcript.messages[-_LONGEST_TALK:])
        turn = agent.turn(text, transcript=talk, home=scene.home, toolbox=toolbox, context=scene.context())
        events = [event async for event in turn]
        if engine is not None:
            engine.check()
        if not self.gate_open:
            return events, tuple(toolbox.made)
        wanted = [e.verdict.call for e in events if isinstance(e, Decided) and e.verdict.call is not None]
        for call in wanted:
            if not any(isinstance(e, Executed) and e.call is call for e in events):
                events.insert(-1, Executed(call=call, result=await toolbox.execute(call, scene.context())))
        return events, tuple(made for call in wanted for made in toolbox.written(call))


def _facts(events: Sequence[TurnEvent], ended: Ended) -> JsonObject:
    """Return what the rooms made of the last words, and what it cost."""
    decided = [e for e in events if isinstance(e, Decided)]
    first = decided[0] if decided else None
    clauses = ended.trace.get("clauses")
    traced: list[JsonValue] = list(clauses) if isinstance(clauses, Sequence) and not isinstance(clauses, str) else []
    return {
        "verdict": None if first is None else _word(first),
        "status": ended.status.value,
        "reason": None if ended.reason is None else ended.reason.value,
        "p_call": None if first is None else first.evidence.p_call,
        "p_refuse": None if first is None else first.evidence.p_refuse,
        "by_code": bool(decided) and all(d.evidence.by_code for d in decided),
        "heard": {"clauses": traced},
        "evidence": {} if first is None else _evidence(first),
        "seconds": round(ended.usage.engine_seconds, 3),
        "prompt_tokens": ended.usage.prompt_tokens,
        "prompt_tokens_evaluated": ended.usage.prompt_tokens_evaluated,
        "generated_tokens": ended.usage.generated_tokens,
    }


_SUMMED = ("seconds", "prompt_tokens", "prompt_tokens_evaluated", "generated_tokens")
_OF_EACH = ("verdict", "status", "reason", "reply", "prompt_tokens")


def _of_all(turns: Sequence[JsonObject]) -> JsonObject:
    """Return the facts of a whole talk: those of its last turn, what all cost, and how each ended."""
    if not turns:
        return {}
    costs: JsonObject = {key: round(sum(_number(turn[key]) for turn in turns), 3) for key in _SUMMED}
    each: list[JsonValue] = [{key: turn[key] for key in _OF_EACH} for turn in turns]
    last = {key: value for key, value in turns[-1].items() if key != "reply"}
    return {**last, **costs, "told": each}


def _number(value: JsonValue) -> float:
    return value if isinstance(value, int | float) else 0.0


def _word(decided: Decided) -> str:
    match decided.verdict:
        case Allow():
            return "allow"
        case Ask():
            return "ask"
        case Refuse():
            return "refuse"


def _evidence(decided: Decided) -> JsonObject:
    e = decided.evidence
    return {
        "p_call": e.p_call,
        "p_refuse": e.p_refuse,
        "p_args": dict(e.p_args),
        "gain": e.gain,
        "likeness": e.likeness,
        "by_code": e.by_code,
        "tainted": e.tainted,
    }
