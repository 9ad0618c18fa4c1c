"""Do something for a while: now, and its opposite later, or neither."""

from collections.abc import AsyncIterator

from botpsy_core.agent.spells import Spell, spell_in
from botpsy_core.agent.turn import Turn
from botpsy_core.domain.cues import cue_hits
from botpsy_core.domain.events import Executed, TurnEvent, TurnStatus
from botpsy_core.domain.heard import Clause
from botpsy_core.domain.tools import Outcome, Role

_BEGUN = frozenset({TurnStatus.DONE, TurnStatus.UNCONFIRMED})
"""How an act ended that may have happened, so that its end must come."""


def spell_of(clause: Clause, turn: Turn) -> Spell | None:
    """Return what a clause wants for a while, or None where it wants that of nothing or acts cannot be put off."""
    if turn.plans is None or turn.awaiting is not None:
        return None
    speech = turn.speech
    lasting = (t for t in turn.toolbox.specs() if any(a.required for a in t.arguments_of(Role.DURATION)))
    hits = (cue_hits(t.cues, clause.text, speech.phrases.language) for t in lasting)
    if any(groups and all(groups) for groups in hits):
        return None  # a timer is set, not done for a while
    return spell_in(clause, phrases=speech.phrases, home=speech.home, transcript=turn.transcript, context=turn.context)


async def for_a_while(spell: Spell, turn: Turn) -> AsyncIterator[TurnEvent]:
    """Do something only where its opposite may be put off, and put off nothing where it was not done."""
    assert turn.plans is not None
    ledger, known = turn.ledger, len(turn.planned)
    turn.firm = True
    async for event in turn.clause(*spell.back):
        yield event
    planned = turn.planned[known:]
    if planned or turn.context.dry_run:
        then, results = ledger.said[-1:], len(ledger.results)
        idle = False
        async for event in turn.clause(*spell.now):
            idle = idle or (isinstance(event, Executed) and event.result.outcome is Outcome.ALREADY_SO)
            yield event
        begun = all(status in _BEGUN for status, _ in ledger.results[results:])
        if begun and not (idle and spell.rests):
            ledger.said = [*(s for s in ledger.said if s not in then), *then]
        else:
            await turn.plans.cancel(planned)
            ledger.said = [s for s in ledger.said if s not in then]
    turn.firm = False
