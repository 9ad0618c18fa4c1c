"""One conversation with a simulated home, for the command line and for tests."""

from dataclasses import dataclass, field

from botpsy_core.agent import Agent, messages_of
from botpsy_core.domain.context import Origin, TurnContext
from botpsy_core.domain.events import Ended, TurnEvent, ended_of
from botpsy_core.domain.messages import Transcript
from botpsy_core.evaluate.simulator import SimulatedHome
from botpsy_core.ports import Clock, Engine

PIN_MARK = "/pin "
"""Begins a line that gives the PIN instead of saying something."""


@dataclass(slots=True, kw_only=True)
class Talk:
    """An agent, a home, and what has been said."""

    agent: Agent
    home: SimulatedHome
    engine: Engine | None
    clock: Clock
    language: str = "en"
    dry_run: bool = False
    area_id: str | None = None
    """The room of whoever speaks."""
    transcript: Transcript = field(default_factory=Transcript)
    events: list[TurnEvent] = field(default_factory=list)
    """Of the last turn."""

    async def say(self, text: str) -> Ended:
        """Take one line: an utterance, or the PIN."""
        context = TurnContext(
            conversation_id="talk",
            origin=Origin.COMMAND_LINE,
            now=self.clock.now(),
            language=self.language,
            user_id="owner",
            dry_run=self.dry_run,
            area_id=self.area_id,
        )
        if text.startswith(PIN_MARK):
            pin = text.removeprefix(PIN_MARK).strip()
            events = self.agent.confirm(
                None, accept=True, pin=pin, home=self.home.home, toolbox=self.home, context=context
            )
            text = "(PIN)"
        else:
            events = self.agent.turn(
                text, transcript=self.transcript, home=self.home.home, toolbox=self.home, context=context
            )
        self.events = [event async for event in events]
        self.transcript = self.transcript.extended(*messages_of(text, self.events))
        return ended_of(self.events)

    async def close(self) -> None:
        """Free the model."""
        if self.engine is not None:
            await self.engine.close()
