"""What the actions do, each with a structured response."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from homeassistant.components.conversation import UserContent, async_get_chat_log
from homeassistant.core import Context, ServiceCall, ServiceResponse
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.chat_session import async_get_chat_session
from homeassistant.util.ulid import ulid_now

from botpsy_core.agent.plan_toolbox import visible_to
from botpsy_core.agent.tasks import Tasks
from botpsy_core.domain.context import Origin, TurnContext
from botpsy_core.domain.plans import PlannedAct
from botpsy_core.errors import BotPsyError
from botpsy_core.evaluate.selftest import self_test

from .answering import response_of
from .const import ATTR_AGENT, DOMAIN
from .entry import BotPsyConfigEntry, async_ready
from .errors import invalid, translated
from .services import (
    ACTION_CANCEL,
    ACTION_CONFIRM,
    ACTION_EVALUATE,
    ACTION_FORGET,
    ACTION_PLANNED,
    ACTION_RUN,
    ACTION_SELF_TEST,
    ACTION_UNDO,
    ATTR_ACCEPT,
    ATTR_AREAS,
    ATTR_CONVERSATION,
    ATTR_DEADLINE,
    ATTR_DRY_RUN,
    ATTR_ENTITIES,
    ATTR_IDS,
    ATTR_LANGUAGE,
    ATTR_OPTIONS,
    ATTR_PENDING,
    ATTR_PERSON,
    ATTR_PIN,
    ATTR_QUESTION,
    ATTR_TEXT,
    ATTR_TOOLS,
    Handler,
)


async def _run(call: ServiceCall) -> ServiceResponse:
    """Run one utterance that an automation, a script or a program brings."""
    entry, agent_id, subentry_id = _agent(call)
    with (
        async_get_chat_session(call.hass, call.data.get(ATTR_CONVERSATION)) as session,
        async_get_chat_log(call.hass, session) as chat_log,
    ):
        chat_log.async_add_user_content(UserContent(content=call.data[ATTR_TEXT]))
        context = await _frame(call, entry, session.conversation_id, Origin.AUTOMATION)
        if person := call.data.get(ATTR_PERSON):
            context = await _for_whom(call, entry, context, person)
            if not entry.runtime_data.is_open_to(subentry_id, context.user_id):
                raise invalid("not_your_agent")
        context = replace(
            context,
            dry_run=call.data[ATTR_DRY_RUN],
            tools=frozenset(call.data[ATTR_TOOLS]) if ATTR_TOOLS in call.data else None,
            entities=_allowed(call, entry),
            deadline_s=call.data.get(ATTR_DEADLINE, context.deadline_s),
        )
        try:
            deltas = await entry.runtime_data.async_talk(
                chat_log, call.data[ATTR_TEXT], context=context, agent_id=agent_id, subentry_id=subentry_id
            )
        except BotPsyError as error:
            raise translated(error) from error
    return response_of(deltas, context) if call.return_response else None


async def _confirm(call: ServiceCall) -> ServiceResponse:
    """Answer an open question; a person by name where there is one, else an automation."""
    return await _answer(call, accept=call.data.get(ATTR_ACCEPT), pin=call.data.get(ATTR_PIN))


async def _cancel(call: ServiceCall) -> ServiceResponse:
    """Close an open question with no."""
    return await _answer(call, accept=False, pin=None)


async def _answer(call: ServiceCall, *, accept: bool | None, pin: str | None) -> ServiceResponse:
    if ATTR_PENDING not in call.data and ATTR_CONVERSATION not in call.data:
        raise invalid("nothing_to_confirm")
    entry, agent_id, subentry_id = _agent(call)
    frame = await _persons_frame(call, entry)
    try:
        deltas = await entry.runtime_data.async_confirm(
            call.data.get(ATTR_PENDING),
            accept=accept,
            pin=pin,
            context=frame,
            agent_id=agent_id,
            subentry_id=subentry_id,
        )
    except BotPsyError as error:
        raise translated(error) from error
    return response_of(deltas, frame) if call.return_response else None


async def _planned(call: ServiceCall) -> ServiceResponse:
    """Tell what is put off, as far as it is the caller's to see."""
    entry, _, _ = _agent(call)
    frame = await _frame(call, entry, ulid_now(), Origin.CHAT)
    return {"acts": [_told(act) for act in visible_to(entry.runtime_data.plans.acts, frame)]}


async def _forget(call: ServiceCall) -> ServiceResponse:
    """Forget acts by their ids, as far as they are the caller's."""
    entry, _, _ = _agent(call)
    frame = await _frame(call, entry, ulid_now(), Origin.CHAT)
    plans = entry.runtime_data.plans
    own = {act.id for act in visible_to(plans.acts, frame)}
    gone = await plans.cancel([each for each in call.data[ATTR_IDS] if each in own])
    return {"forgotten": [_told(act) for act in gone]} if call.return_response else None


def _told(act: PlannedAct) -> dict[str, Any]:
    """Return an act; one that waits for something has `when`, and `at` is then until when it waits."""
    waits = {} if act.on is None else {"when": act.on.said, "entity_id": act.on.entity}
    return {"id": act.id, "act": act.act, "at": act.at.isoformat(), "tool": act.call.name, **waits}


async def _undo(call: ServiceCall) -> ServiceResponse:
    """Put back what the newest turn of a conversation has changed."""
    entry, agent_id, subentry_id = _agent(call)
    frame = await _persons_frame(call, entry)
    try:
        deltas = await entry.runtime_data.async_undo(context=frame, agent_id=agent_id, subentry_id=subentry_id)
    except BotPsyError as error:
        raise translated(error) from error
    return response_of(deltas, frame) if call.return_response else None


async def _persons_frame(call: ServiceCall, entry: BotPsyConfigEntry) -> TurnContext:
    """Return the frame in the name of the person who called or pressed a button, else of an automation."""
    askers = entry.runtime_data.askers
    person = askers.person_behind(call.context)
    return await askers.frame(
        person,
        origin=Origin.CHAT if person.user_id else Origin.AUTOMATION,
        conversation_id=call.data.get(ATTR_CONVERSATION) or ulid_now(),
        language=call.data.get(ATTR_LANGUAGE),
    )


async def _evaluate(call: ServiceCall) -> ServiceResponse:
    """Weigh the answers to a question by the model's own probabilities."""
    entry, _, subentry_id = _agent(call)
    tasks = Tasks(entry.runtime_data.engine, instructions=entry.runtime_data.speakers[subentry_id].instructions)
    try:
        weighed = await tasks.weigh(call.data[ATTR_QUESTION], call.data[ATTR_OPTIONS])
    except BotPsyError as error:
        raise translated(error) from error
    if weighed is None:
        raise HomeAssistantError(translation_domain=DOMAIN, translation_key="no_probabilities")
    answer = max(weighed, key=lambda option: weighed[option])
    return {"answer": answer, "probabilities": {option: round(p, 4) for option, p in weighed.items()}}


async def _self_test(call: ServiceCall) -> ServiceResponse:
    """Try sentences about this very home, with nothing carried out, and say what would go wrong."""
    entry, _, subentry_id = _agent(call)
    frame = await _frame(call, entry, ulid_now(), Origin.CHAT)
    runtime = entry.runtime_data
    tried = await self_test(
        runtime.examinee(subentry_id),
        home=await runtime.async_home_for(frame),
        toolbox=runtime.speakers[subentry_id].toolbox,
        context=frame,
    )
    rows: list[Any] = [each.to_json(frame.language) for each in tried]
    return {
        "right": sum(each.right for each in tried),
        "dangerous": sum(each.dangerous for each in tried),
        "total": len(tried),
        "rows": rows,
    }


def _agent(call: ServiceCall) -> tuple[BotPsyConfigEntry, str, str]:
    """Return the loaded entry that is meant, the agent that speaks for it, and the agent's subentry."""
    agent_id: str | None = call.data.get(ATTR_AGENT)
    registered = er.async_get(call.hass).async_get(agent_id) if agent_id else None
    if agent_id and (registered is None or registered.platform != DOMAIN):
        raise invalid("unknown_agent", agent=agent_id)
    entry_id = registered.config_entry_id if registered else None
    entry = next((each for each in async_ready(call.hass) if entry_id in {None, each.entry_id}), None)
    if entry is None:
        raise invalid("not_loaded")
    subentry_id = (registered.config_subentry_id if registered else None) or ""
    if call.context.user_id and not entry.runtime_data.is_open_to(subentry_id, call.context.user_id):
        raise invalid("not_your_agent")
    return entry, agent_id or DOMAIN, subentry_id


async def _frame(call: ServiceCall, entry: BotPsyConfigEntry, conversation_id: str, origin: Origin) -> TurnContext:
    return await entry.runtime_data.askers.frame(
        call.context, origin=origin, conversation_id=conversation_id, language=call.data.get(ATTR_LANGUAGE)
    )


async def _for_whom(call: ServiceCall, entry: BotPsyConfigEntry, frame: TurnContext, person: str) -> TurnContext:
    """Return the frame in a person's name: their rights hold, and never more than an automation may."""
    askers = entry.runtime_data.askers
    caller = await askers.user_of(frame)
    user_id = getattr(call.hass.states.get(person), "attributes", {}).get("user_id")
    if user_id is None:
        raise invalid("person_without_user", person=person)
    if caller is not None and not caller.is_admin and caller.id != user_id:
        raise invalid("not_for_others")
    named = Context(user_id=user_id, parent_id=call.context.id)
    theirs = await askers.frame(
        named, origin=frame.origin, conversation_id=frame.conversation_id, language=frame.language
    )
    return replace(theirs, is_admin=theirs.is_admin and frame.is_admin)


def _allowed(call: ServiceCall, entry: BotPsyConfigEntry) -> frozenset[str] | None:
    """Return the only things that may be acted on: those that are named and those in the rooms that are; None: all."""
    if ATTR_ENTITIES not in call.data and ATTR_AREAS not in call.data:
        return None
    home = entry.runtime_data.home.home(call.hass.config.language)
    areas = frozenset(call.data.get(ATTR_AREAS, ()))
    if unknown := areas - {each.id for each in home.areas}:
        raise invalid("unknown_area", area=", ".join(sorted(unknown)))
    return frozenset(call.data.get(ATTR_ENTITIES, ())) | {each.id for each in home.entities if each.area_id in areas}


HANDLERS: Final[Mapping[str, Handler]] = {
    ACTION_CANCEL: _cancel,
    ACTION_CONFIRM: _confirm,
    ACTION_EVALUATE: _evaluate,
    ACTION_FORGET: _forget,
    ACTION_PLANNED: _planned,
    ACTION_RUN: _run,
    ACTION_SELF_TEST: _self_test,
    ACTION_UNDO: _undo,
}
