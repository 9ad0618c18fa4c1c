"""What an utterance means while a question is open, and what an answer sets going."""

import re
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace

from botpsy_core.agent.clarify import asked_about, fill, is_fragment, joined
from botpsy_core.agent.turn import Turn
from botpsy_core.catalog.amounts import time_choices
from botpsy_core.domain.events import Decided, TurnEvent, TurnStatus
from botpsy_core.domain.heard import PAIR, Heard, Mood, ValueKind
from botpsy_core.domain.offer import Choice
from botpsy_core.domain.plans import WHEN
from botpsy_core.domain.tools import Argument, Role, ToolSpec
from botpsy_core.domain.verdicts import AskKind, Refuse
from botpsy_core.hearing import hear
from botpsy_core.safety import Pending

_DIGITS = re.compile(r"[\d\s.,-]*\d[\d\s.,-]*")
"""An utterance that is nothing but a number: while a PIN is asked for, it is meant as one."""


_TAKEN_BACK = frozenset({Mood.DENIAL, Mood.NEGATED, Mood.CONDITIONAL})
"""Moods after a yes that make it none: "yes, but not now"."""


def as_answer(pending: Pending, heard: Heard, turn: Turn) -> tuple[int, AsyncIterator[TurnEvent]]:
    """Return how many clauses answer the open question, and what follows; anything else closes it."""
    first = heard.clauses[0]
    if pending.ask.kind is AskKind.PIN and _DIGITS.fullmatch(heard.text.strip()):
        turn.secret = True  # however short it is
        pin = re.sub(r"\D", "", heard.text) if turn.policy.spoken_pin else None
        return len(heard.clauses), put_answer(pending, turn, accept=True, pin=pin)
    if first.mood is Mood.ASSENT and any(c.mood in _TAKEN_BACK for c in heard.clauses[1:]):
        return len(heard.clauses), put_answer(pending, turn, accept=False, pin=None)
    spec = _spec(pending, turn)
    if first.mood is Mood.ASSENT or (spec is not None and _leaves_it_open(pending, heard, spec, turn)):
        return 1, put_answer(pending, turn, accept=True, pin=None)
    if first.mood is Mood.DENIAL:
        return 1, put_answer(pending, turn, accept=False, pin=None)
    turn.confirmations.drop(pending.id)
    if pending.ask.kind is AskKind.CLARIFY and spec is not None:
        return _as_slot(pending, heard, spec, turn)
    return 0, nothing()


def _as_slot(pending: Pending, heard: Heard, spec: ToolSpec, turn: Turn) -> tuple[int, AsyncIterator[TurnEvent]]:
    """Put an answer into the slot that was asked about; where it fits no slot, read question and answer as one."""
    if pending.ask.argument == WHEN:
        return _as_time(pending, heard, turn)
    specs, home = turn.toolbox.specs(), turn.speech.home
    turn.listen_for_a_pin(pending.heard.text)
    argument = spec.argument(pending.ask.argument or "")
    if argument is not None and argument.role is Role.TIME and (taken := _as_reading(pending, heard, argument, turn)):
        return taken
    filled = fill(pending, heard, spec=spec, tools=specs, home=home, context=turn.context)
    if filled is not None:
        evidence = replace(pending.evidence, p_args={})
        return 1, turn.judge(filled.call, filled.clause, filled.heard, evidence=evidence, offered=filled.offered)
    first = heard.clauses[0]
    if first.values and is_fragment(heard, tools=specs, home=home, context=turn.context):
        return 1, turn.clause(*joined(pending, heard))
    return 0, nothing()


def _leaves_it_open(pending: Pending, heard: Heard, spec: ToolSpec, turn: Turn) -> bool:
    """Return True for a "both" where more than two things were asked about: it names none of them."""
    argument = spec.argument(pending.ask.argument or "")
    if pending.ask.kind is not AskKind.CLARIFY or argument is None or argument.role is not Role.TARGET:
        return False
    home = turn.speech.home
    if not heard.clauses[0].both or len(asked_about(argument, pending, home)) == PAIR:
        return False
    return is_fragment(heard, tools=turn.toolbox.specs(), home=home, context=turn.context)


def _as_time(pending: Pending, heard: Heard, turn: Turn) -> tuple[int, AsyncIterator[TurnEvent]]:
    """Take an answer as the time until which the asked act is put off: one of the readings, or what it adds to them."""
    offered = pending.offered
    fitting = _fitting(pending.heard, offered.at, heard, turn) if offered is not None else ()
    if offered is None or not fitting:
        return 0, nothing()
    put_off = replace(offered, at=fitting)
    call, clause, asked = pending.ask.call, pending.clause, pending.heard
    return 1, turn.judge(call, clause, asked, evidence=pending.evidence, offered=put_off)


def _as_reading(
    pending: Pending, heard: Heard, argument: Argument, turn: Turn
) -> tuple[int, AsyncIterator[TurnEvent]] | None:
    """Take an answer as one of the readings of a time that was said for an argument, or None where it is none."""
    offered = pending.offered
    slot = next((s for s in offered.slots if s.argument.name == argument.name), None) if offered is not None else None
    fitting = _fitting(pending.heard, slot.choices, heard, turn) if slot is not None and len(slot.choices) > 1 else ()
    if offered is None or slot is None or not fitting:
        return None
    call = replace(pending.ask.call, args={**pending.ask.call.args, argument.name: fitting[0].value})
    slots = tuple(replace(s, choices=fitting) if s is slot else s for s in offered.slots)
    offered = replace(offered, slots=slots, missing=tuple(m for m in offered.missing if m != argument.name))
    return 1, turn.judge(call, pending.clause, pending.heard, evidence=pending.evidence, offered=offered)


def _fitting(asked: Heard, readings: Sequence[Choice], heard: Heard, turn: Turn) -> tuple[Choice, ...]:
    """Return the one reading of a time that an answer leaves, or all that it says where nothing else was open."""
    if len(heard.clauses) != 1 or not readings:
        return ()
    span, home = readings[0].span, turn.speech.home
    said = asked.text[span.start : span.end] if span is not None else ""
    known = {str(choice.value) for choice in readings}
    for text in (f"{said} {heard.text}", heard.text):
        whole = hear(text, home=home, transcript=turn.transcript, context=turn.context)
        values = [v for clause in whole.clauses for v in clause.values if v.kind is ValueKind.TIME]
        choices = [replace(c, span=span) for v in values for c in time_choices(v, whole, part="start")]
        fitting = [c for c in choices if str(c.value) in known] or [c for c in choices if len(known) == 1]
        if fitting and (len(known) == 1 or len({str(c.value) for c in fitting}) == 1):
            return tuple(fitting[:2]) if len(known) == 1 else tuple(fitting[:1])
    return ()


async def put_answer(pending: Pending, turn: Turn, *, accept: bool, pin: str | None) -> AsyncIterator[TurnEvent]:
    """Put an answer to the book of questions; a proof sends the stored call through the gate again."""
    ledger, spec = turn.ledger, _spec(pending, turn)
    turn.listen_for_a_pin(pending.heard.text)
    if accept and pending.ask.kind is AskKind.CLARIFY:
        # Neither "yes" nor "both" names one of the things that were asked about.
        if spec is not None:
            ledger.ask(turn.speech.question(pending.ask, spec), pending.id, pending.ask.reason)
        return
    proof = turn.confirmations.answer(pending, accept=accept, pin=pin, context=turn.context)
    if isinstance(proof, Refuse):
        yield _not_proven(proof, pending, turn)
        return
    asker, answerer = pending.context, turn.context
    turn.context = replace(
        asker,
        now=answerer.now,
        user_id=answerer.user_id or asker.user_id,
        is_admin=answerer.is_admin,
        hass_context_id=answerer.hass_context_id,
        dry_run=answerer.dry_run,
    )
    async for event in turn.judge(
        pending.ask.call,
        pending.clause,
        pending.heard,
        evidence=pending.evidence,
        offered=pending.offered,
        confirmation=proof,
    ):
        yield event


def _not_proven(refuse: Refuse, pending: Pending, turn: Turn) -> Decided:
    sentence = turn.speech.refusal(refuse)
    if turn.confirmations.get(pending.id) is not None:
        turn.ledger.ask(sentence, pending.id, refuse.reason)
    else:
        turn.ledger.note(TurnStatus.REFUSED, sentence, refuse.reason)
    return Decided(verdict=refuse, evidence=pending.evidence, clause=turn.written(pending.clause.text))


def _spec(pending: Pending, turn: Turn) -> ToolSpec | None:
    return next((s for s in turn.toolbox.specs() if s.name == pending.ask.call.name), None)


async def nothing() -> AsyncIterator[TurnEvent]:
    """Yield no event."""
    events: tuple[TurnEvent, ...] = ()
    for event in events:
        yield event
