"""What waits: open questions, planned acts, and what can be put back; each for whom it is."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from homeassistant.auth.models import User
from homeassistant.components.websocket_api.connection import ActiveConnection
from homeassistant.components.websocket_api.messages import event_message
from homeassistant.core import HomeAssistant, callback
from homeassistant.util.ulid import ulid_now

from botpsy_core.agent import Speech, phrases_for, visible_to
from botpsy_core.domain.context import Origin, TurnContext
from botpsy_core.domain.plans import PlannedAct
from botpsy_core.domain.tools import ToolSpec
from botpsy_core.domain.verdicts import AskKind
from botpsy_core.errors import BotPsyError
from botpsy_core.safety import Pending

from .answering import response_of
from .chat_bridge import Deltas
from .const import DOMAIN
from .entry import BotPsyConfigEntry
from .errors import translated
from .runtime import BotPsyRuntime

GONE = "gone"
"""An id that no question has."""


async def async_subscribe(
    hass: HomeAssistant, connection: ActiveConnection, msg: dict[str, Any], entry: BotPsyConfigEntry
) -> None:
    """Tell what waits for this user, now and after every change."""
    runtime, user = entry.runtime_data, connection.user
    frame = await frame_of(hass, connection, entry)
    await runtime.async_home_for(frame)  # reads the language ahead

    @callback
    def changed(_deltas: Deltas | None = None) -> None:
        connection.send_message(event_message(msg["id"], _waiting(runtime, user, frame)))

    stops = (runtime.news.async_listen(changed), runtime.plans.on_change(changed))

    @callback
    def stop() -> None:
        for each in stops:
            each()

    connection.subscriptions[msg["id"]] = stop
    changed()


async def async_confirm(
    hass: HomeAssistant, connection: ActiveConnection, msg: dict[str, Any], entry: BotPsyConfigEntry
) -> dict[str, Any]:
    """Say yes to a question, with the PIN where it wants one."""
    return await _answer(hass, connection, msg, entry, accept=True)


async def async_deny(
    hass: HomeAssistant, connection: ActiveConnection, msg: dict[str, Any], entry: BotPsyConfigEntry
) -> dict[str, Any]:
    """Say no to a question."""
    return await _answer(hass, connection, msg, entry, accept=False)


async def async_forget(
    hass: HomeAssistant, connection: ActiveConnection, msg: dict[str, Any], entry: BotPsyConfigEntry
) -> dict[str, Any]:
    """Forget planned acts, as far as they are this user's."""
    plans = entry.runtime_data.plans
    own = {act.id for act in visible_to(plans.acts, await frame_of(hass, connection, entry))}
    gone = await plans.cancel([each for each in msg["ids"] if each in own])
    return {"forgotten": [act.id for act in gone]}


async def async_undo(
    hass: HomeAssistant, connection: ActiveConnection, msg: dict[str, Any], entry: BotPsyConfigEntry
) -> dict[str, Any]:
    """Put back what this user's newest turn of a talk has changed."""
    runtime = entry.runtime_data
    talk = msg["talk"]
    key = next((k for k, agent in runtime.agents.items() if talk in agent.undoable(connection.user.id)), "")
    frame = await frame_of(hass, connection, entry, conversation_id=talk)
    try:
        deltas = await runtime.async_undo(context=frame, agent_id=DOMAIN, subentry_id=key)
    except BotPsyError as error:
        raise translated(error) from error
    return response_of(deltas, frame)


async def frame_of(
    hass: HomeAssistant, connection: ActiveConnection, entry: BotPsyConfigEntry, *, conversation_id: str | None = None
) -> TurnContext:
    """Return the frame of a turn in the name of who is logged in."""
    return await entry.runtime_data.askers.frame(
        connection.context({"id": 0}), origin=Origin.CHAT, conversation_id=conversation_id or ulid_now()
    )


async def _answer(
    hass: HomeAssistant,
    connection: ActiveConnection,
    msg: dict[str, Any],
    entry: BotPsyConfigEntry,
    *,
    accept: bool,
) -> dict[str, Any]:
    """Answer a question that this user may see; whoever names another one finds it closed."""
    runtime = entry.runtime_data
    meant = next((p for p in _questions(runtime, connection.user) if p.id == msg["pending"]), None)
    key = "" if meant is None else _agent_of(runtime, meant)
    frame = await frame_of(hass, connection, entry)
    try:
        deltas = await runtime.async_confirm(
            GONE if meant is None else meant.id,
            accept=accept,
            pin=msg.get("pin"),
            context=frame,
            agent_id=DOMAIN,
            subentry_id=key,
        )
    except BotPsyError as error:
        raise translated(error) from error
    return response_of(deltas, frame)


def _waiting(runtime: BotPsyRuntime, user: User, frame: TurnContext) -> dict[str, Any]:
    frame = replace(frame, is_admin=user.is_admin, now=runtime.clock.now())
    speech = Speech(phrases=phrases_for(frame.language), home=runtime.home.home(frame.language), now=frame.now)
    return {
        "questions": [_question(runtime, each, speech) for each in _questions(runtime, user)],
        "planned": [_planned(each) for each in visible_to(runtime.plans.acts, frame)],
        "undo": [
            {"talk": talk, "acts": [speech.act("done", act.call, act.spec) for act in acts]}
            for agent in runtime.agents.values()
            for talk, acts in agent.undoable(user.id).items()
        ],
    }


def _questions(runtime: BotPsyRuntime, user: User) -> list[Pending]:
    """Return the questions that are this user's to answer: their own, nobody's in particular, all for an admin."""
    asked = runtime.confirmations.open_questions
    return [each for each in asked if user.is_admin or each.context.user_id in {None, user.id}]


def _question(runtime: BotPsyRuntime, pending: Pending, speech: Speech) -> dict[str, Any]:
    ask = pending.ask
    spec = _specs(runtime, _agent_of(runtime, pending)).get(ask.call.name)
    return {
        "id": pending.id,
        "question": "" if spec is None else speech.question(ask, spec),
        "kind": ask.kind.value,
        "in_words": ask.kind is AskKind.CLARIFY,
        "reason": ask.reason.value,
        "risk": ask.risk.value,
        "options": list(ask.options),
        "user": pending.context.user_id,
        "origin": pending.context.origin.value,
        "left_s": round(runtime.confirmations.left_s(pending)),
    }


def _planned(act: PlannedAct) -> dict[str, Any]:
    told = {"id": act.id, "act": act.act, "at": act.at.isoformat(), "user": act.user_id}
    return told if act.on is None else {**told, "when": act.on.said}


def _agent_of(runtime: BotPsyRuntime, pending: Pending) -> str:
    """Return the agent that has the tool which a question is about."""
    name = pending.ask.call.name
    return next((key for key in runtime.speakers if name in _specs(runtime, key)), "")


def _specs(runtime: BotPsyRuntime, key: str) -> Mapping[str, ToolSpec]:
    return {spec.name: spec for spec in runtime.speakers[key].toolbox.specs()}
