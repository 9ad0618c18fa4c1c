"""From what somebody said to the clauses of a turn, and through each of them."""

import re
from collections.abc import AsyncIterator, Sequence

from botpsy_core.agent.awaiting import waiting_in
from botpsy_core.agent.gathering import gathered
from botpsy_core.agent.lasting import for_a_while, spell_of
from botpsy_core.agent.limits import MAX_CHARACTERS, MAX_CLAUSES
from botpsy_core.agent.questions import as_answer
from botpsy_core.agent.retry import asked_again
from botpsy_core.agent.sun import by_the_clock
from botpsy_core.agent.supplement import supplemented
from botpsy_core.agent.turn import Turn
from botpsy_core.agent.undo import UndoBook
from botpsy_core.agent.undoing import put_back
from botpsy_core.domain.cues import LETTER
from botpsy_core.domain.events import TurnEvent, TurnStatus
from botpsy_core.domain.heard import Clause, Heard, Mood
from botpsy_core.domain.verdicts import AskKind, Reason, Refuse
from botpsy_core.hearing import hear


async def take(text: str, turn: Turn, book: UndoBook) -> AsyncIterator[TurnEvent]:
    """Take what was said through: an undo, an answer to the open question, or clause after clause."""
    phrases = turn.speech.phrases
    open_question = turn.confirmations.pending(turn.context)
    asked = open_question is not None and open_question.ask.kind is AskKind.PIN
    turn.listen_for_a_pin(text, asked=asked)
    if not text.strip():
        turn.ledger.note(TurnStatus.REFUSED, phrases.say("turn", "empty"), Reason.NOT_A_COMMAND)
        return
    if len(text) > MAX_CHARACTERS:
        sentence = phrases.say("turn", "too_long", most=str(MAX_CHARACTERS))
        turn.ledger.note(TurnStatus.REFUSED, sentence, Reason.TOO_LONG)
        return
    if _names(text, phrases.words("undo_words")):
        async for event in put_back(turn, book):
            yield event
        return
    heard = _heard(text, turn)
    clauses = list(heard.clauses)
    if open_question is not None and clauses:
        answered, events = as_answer(open_question, heard, turn)
        async for event in events:
            yield event
        clauses = clauses[answered:]
    clauses, heard = _waiting(*_whole(clauses, heard, turn), turn)
    clauses = gathered(clauses, heard, tools=turn.toolbox.specs(), home=turn.speech.home, context=turn.context)
    if len(clauses) > MAX_CLAUSES:
        refusal = Refuse(reason=Reason.RATE_LIMITED)
        turn.ledger.note(TurnStatus.REFUSED, turn.speech.refusal(refusal), refusal.reason)
        return
    turn.several = len(clauses) > 1
    for clause in clauses:
        async for event in _clause(clause, heard, turn):
            yield event


async def _clause(clause: Clause, heard: Heard, turn: Turn) -> AsyncIterator[TurnEvent]:
    phrases = turn.speech.phrases
    match clause.mood:
        case Mood.THANKS:
            turn.ledger.note(TurnStatus.DONE, phrases.say("turn", "thanks"))
        case Mood.ASSENT | Mood.DENIAL if len(heard.clauses) > 1:
            pass  # "no, the bedroom light": what follows is what counts
        case Mood.ASSENT | Mood.DENIAL:
            turn.ledger.note(TurnStatus.REFUSED, phrases.say("turn", "nothing_open"), Reason.EXPIRED)
        case _ if (spell := spell_of(clause, turn)) is not None:
            async for event in for_a_while(spell, turn):
                yield event
        case _:
            async for event in turn.clause(*_by_the_sun(clause, heard, turn)):
                yield event


def _waiting(clauses: list[Clause], heard: Heard, turn: Turn) -> tuple[list[Clause], Heard]:
    """Return the one act that waits for something to happen, where that is what was asked for."""
    if turn.plans is None or len(clauses) != len(heard.clauses):
        return clauses, heard
    waiting = waiting_in(heard.text, turn.speech, transcript=turn.transcript, context=turn.context)
    if waiting is None:
        return clauses, heard
    turn.awaiting = waiting.awaited
    return [waiting.clause], waiting.heard


def _by_the_sun(clause: Clause, heard: Heard, turn: Turn) -> tuple[Clause, Heard]:
    """Return a clause that waits for the sun as one that waits for a time, where acts can be put off."""
    speech = turn.speech
    if turn.plans is None or clause.mood is not Mood.CONDITIONAL:
        return clause, heard
    timed = by_the_clock(clause.text, speech.phrases, speech.home, speech.now)
    if timed is None:
        return clause, heard
    read = hear(timed, home=speech.home, transcript=turn.transcript, context=turn.context)
    alone = len(read.clauses) == 1 and read.clauses[0].mood is Mood.COMMAND
    return (read.clauses[0], read) if alone else (clause, heard)


def _names(text: str, listed: Sequence[str]) -> bool:
    """Return True if an utterance is one of some phrases and nothing more."""
    return _words(text) in {_words(phrase) for phrase in listed}


def _words(text: str) -> str:
    return " ".join(re.findall(rf"(?:{LETTER}|')+", text.casefold()))


def _heard(text: str, turn: Turn) -> Heard:
    """Return what was heard, or what was said before where the words only ask for it once more."""
    heard = hear(text, home=turn.speech.home, transcript=turn.transcript, context=turn.context)
    before = asked_again(heard, turn.transcript, turn.speech.phrases.words("again_words"), turn.toolbox.specs())
    if before is None:
        return heard
    return hear(before, home=turn.speech.home, transcript=turn.transcript, context=turn.context)


def _whole(clauses: list[Clause], heard: Heard, turn: Turn) -> tuple[list[Clause], Heard]:
    """Return the last request and what these words add to it as one, where they do and neither is about the home."""
    text = supplemented(heard, turn.transcript, turn.toolbox.specs()) if len(clauses) == len(heard.clauses) else None
    if text is None:
        return clauses, heard
    whole = hear(text, home=turn.speech.home, transcript=turn.transcript, context=turn.context)
    about_home = any(c.targets or c.absent for c in whole.clauses)
    return (clauses, heard) if about_home else (list(whole.clauses), whole)
