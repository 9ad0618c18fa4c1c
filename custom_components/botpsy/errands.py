"""One action at a time: run in somebody's name, waited for, and judged by what its targets show."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import voluptuous as vol
from homeassistant.core import Context, Event, EventStateChangedData, HomeAssistant, callback
from homeassistant.exceptions import HomeAssistantError, Unauthorized
from homeassistant.helpers.event import async_track_state_change_event

from botpsy_core.catalog.binding import Action
from botpsy_core.domain.tools import Outcome
from botpsy_core.domain.values import JsonValue

from .calendar_events import Calendars
from .effects import Seen, seen
from .letters import Letters, is_letter
from .todo_items import is_listed

ACTION_TIMEOUT_S = 15.0
"""An action that takes longer is left to itself and reported as unconfirmed."""

EFFECT_TIMEOUT_S = 2.0
"""How long a state may take to show what an action did."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What became of one action."""

    outcome: Outcome
    detail: str = ""
    response: JsonValue = None

    @property
    def failed(self) -> bool:
        """Whether it did not work, or nobody knows."""
        return self.outcome in (Outcome.FAILED, Outcome.UNCONFIRMED)


class Errands:
    """Carries actions out."""

    def __init__(self, hass: HomeAssistant, calendars: Calendars) -> None:
        """Keep what acts."""
        self._hass = hass
        self._calendars = calendars
        self._letters = Letters(hass=hass)

    async def run(self, action: Action, asker: Context) -> Done:
        """Run one action in somebody's name; what its targets show afterwards decides the outcome."""
        if is_listed(self._hass, action):
            return Done(outcome=Outcome.ALREADY_SO)
        data: dict[str, JsonValue] = dict(action.data)
        if action.entities:
            data["entity_id"] = list(action.entities)
        task = self._hass.async_create_task(
            self._call(action, data, asker), name=f"botpsy {action.domain}.{action.action}", eager_start=True
        )
        # A device that is slow must not be told twice: the call goes on when the waiting for it ends.
        _, late = await asyncio.wait({task}, timeout=ACTION_TIMEOUT_S)
        if late:
            task.add_done_callback(_forget_error)
            return Done(outcome=Outcome.UNCONFIRMED, detail="timeout")
        try:
            told = task.result()
        except Unauthorized:
            return Done(outcome=Outcome.FAILED, detail="not_allowed")
        except (HomeAssistantError, vol.Invalid) as error:
            return Done(outcome=Outcome.FAILED, detail=str(error))
        if action.response:
            return Done(outcome=Outcome.DONE, response=told)
        return Done(outcome=await self._effect(action))

    async def _call(self, action: Action, data: dict[str, JsonValue], asker: Context) -> JsonValue:
        if makes_an_event(action) and "rrule" in data:
            # The action takes no repetition; the calendar does.
            for calendar in action.entities:
                await self._calendars.repeat(calendar, data)
            return None
        if is_letter(action):
            await self._letters.send(action, asker)
            return None
        return await self._hass.services.async_call(
            action.domain, action.action, data, blocking=True, context=asker, return_response=action.response
        )

    async def _effect(self, action: Action) -> Outcome:
        """Wait until every target's state shows the effect, at most for the time that states are given."""
        waiting = {each for each in action.entities if self._seen(action, each) is Seen.NO}
        if not waiting:
            return Outcome.DONE
        shown: asyncio.Future[None] = self._hass.loop.create_future()

        @callback
        def changed(event: Event[EventStateChangedData]) -> None:
            if self._seen(action, event.data["entity_id"]) is not Seen.NO:
                waiting.discard(event.data["entity_id"])
            if not waiting and not shown.done():
                shown.set_result(None)

        stop = async_track_state_change_event(self._hass, list(waiting), changed)
        try:
            await asyncio.wait_for(shown, EFFECT_TIMEOUT_S)
        except TimeoutError:
            return Outcome.ACCEPTED
        finally:
            stop()
        return Outcome.DONE

    def _seen(self, action: Action, entity_id: str) -> Seen:
        return seen(action, self._hass.states.get(entity_id))

    def already_so(self, actions: Sequence[Action]) -> bool:
        """Return whether every target is already as wanted."""
        pairs = [(action, each) for action in actions for each in action.entities]
        return bool(pairs) and all(self._seen(action, each) is Seen.YES for action, each in pairs)


def makes_an_event(action: Action) -> bool:
    """Return whether an action puts an event into a calendar."""
    return (action.domain, action.action) == ("calendar", "create_event")


def worst(outcomes: Sequence[Outcome]) -> Outcome:
    """Return the outcome of a call out of those of its actions."""
    if outcomes and set(outcomes) == {Outcome.ALREADY_SO}:
        return Outcome.ALREADY_SO
    order = (Outcome.FAILED, Outcome.UNCONFIRMED, Outcome.ACCEPTED)
    return next((each for each in order if each in outcomes), Outcome.DONE)


def _forget_error(task: asyncio.Task[object]) -> None:
    """Fetch the error of an action that nobody waits for any more."""
    if not task.cancelled():
        task.exception()
