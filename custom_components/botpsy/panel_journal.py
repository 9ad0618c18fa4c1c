"""What the panel shows of the journal: one's own entries, and everybody's to an administrator."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from homeassistant.auth.models import User
from homeassistant.components.websocket_api.connection import ActiveConnection
from homeassistant.components.websocket_api.messages import event_message
from homeassistant.core import HomeAssistant, callback

from botpsy_core.agent import Row
from botpsy_core.domain.events import TurnStatus
from botpsy_core.domain.tools import Risk
from botpsy_core.domain.values import JsonObject
from botpsy_core.domain.verdicts import Reason

from .entry import BotPsyConfigEntry

LINE: Final = (
    *("at", "kind", "user", "origin", "text", "status", "reason", "reply", "dry_run", "secret"),
    *("device", "command", "outcome", "told"),
)
"""What a line shows before it is opened."""

AS_ASKED: Final = frozenset({Reason.NEGATED, Reason.DENIED})
"""Reasons of refusals that are what was asked for."""


async def async_list(
    hass: HomeAssistant, connection: ActiveConnection, msg: dict[str, Any], entry: BotPsyConfigEntry
) -> dict[str, Any]:
    """Return lines before a mark, newest first."""
    mine = may_see(connection.user)
    status, words = msg.get("status"), msg.get("words", "").casefold()

    def wanted(each: JsonObject) -> bool:
        return mine(each) and (not status or each.get("status") == status) and (not words or _says(each, words))

    page = await entry.runtime_data.journal.async_page(before=msg.get("before"), count=msg["count"], keep=wanted)
    return {"lines": [line_of(row) for row in page.rows], "older": page.older}


async def async_entry(
    hass: HomeAssistant, connection: ActiveConnection, msg: dict[str, Any], entry: BotPsyConfigEntry
) -> JsonObject | None:
    """Return an entry whole; None where there is none, or none that this user may see."""
    found = await entry.runtime_data.journal.async_entry(msg["mark"])
    return found if found is not None and may_see(connection.user)(found) else None


async def async_subscribe(
    hass: HomeAssistant, connection: ActiveConnection, msg: dict[str, Any], entry: BotPsyConfigEntry
) -> None:
    """Tell of every new line from now on."""
    mine = may_see(connection.user)

    @callback
    def written(row: Row) -> None:
        if mine(row.entry):
            connection.send_message(event_message(msg["id"], line_of(row)))

    connection.subscriptions[msg["id"]] = entry.runtime_data.journal.async_listen(written)


def may_see(user: User) -> Callable[[JsonObject], bool]:
    """Return what tells the entries that a user may see."""
    return lambda each: user.is_admin or (each.get("user") is not None and each.get("user") == user.id)


def line_of(row: Row) -> dict[str, Any]:
    """Return an entry as one line."""
    usage = row.entry.get("usage")
    return {
        "mark": row.mark,
        **{key: value for key in LINE if (value := row.entry.get(key)) is not None},
        "became": _became(row.entry),
        "seconds": usage.get("seconds") if isinstance(usage, Mapping) else None,
    }


def _became(entry: JsonObject) -> str | None:
    """Return what became of a request in more than its status: left as it is, planned, or only answered."""
    status = entry.get("status")
    if status == TurnStatus.REFUSED:
        return "left" if entry.get("reason") in AS_ASKED else None
    clauses = entry.get("clauses")
    allowed = [
        verdict
        for clause in (clauses if isinstance(clauses, list) else ())
        if isinstance(clause, Mapping) and isinstance(verdict := clause.get("verdict"), Mapping)
    ]
    if status != TurnStatus.DONE or not allowed:
        return None
    if any("at" in verdict for verdict in allowed):
        return "planned"
    return "answered" if all(verdict.get("risk") == Risk.READ for verdict in allowed) else None


def _says(each: JsonObject, words: str) -> bool:
    return any(words in str(each.get(key, "")).casefold() for key in ("text", "reply", "told", "device"))
