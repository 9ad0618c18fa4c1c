"""Put back what was done; the gate judges each call as if it had been said."""

from collections.abc import AsyncIterator

from botpsy_core.agent.turn import Turn
from botpsy_core.agent.undo import UndoBook, as_if_said, restoring
from botpsy_core.domain.events import TurnEvent, TurnStatus
from botpsy_core.domain.verdicts import Evidence, Reason


async def put_back(turn: Turn, book: UndoBook) -> AsyncIterator[TurnEvent]:
    """Put back what this person's newest turn that acted has changed; each call is judged as if it was said."""
    turn.undoing = True
    home, speech = turn.speech.home, turn.speech
    plan = restoring(book.take(turn.context), home=home, tools=turn.toolbox.specs())
    for call, spec in plan.calls:
        clause, heard, offered = as_if_said(call, spec, home=home, language=turn.context.language)
        evidence = Evidence(by_code=True, likeness=1.0)
        async for event in turn.judge(call, clause, heard, evidence=evidence, offered=offered):
            yield event
    for act in plan.stuck:
        sentence = speech.phrases.say("turn", "undo_stuck", act=speech.act("do", act.call, act.spec))
        turn.ledger.note(TurnStatus.REFUSED, sentence, Reason.NO_SUITABLE_TOOL)
    if not turn.ledger.results:
        turn.ledger.note(TurnStatus.REFUSED, speech.phrases.say("turn", "undo_nothing"), Reason.EXPIRED)
