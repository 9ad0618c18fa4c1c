"""Acts that were put off: kept over a restart, and begun by Home Assistant's clock when they are due."""

import asyncio
from datetime import datetime, timedelta
from typing import Final

from homeassistant.components import persistent_notification
from homeassistant.core import CALLBACK_TYPE, Context, Event, EventStateChangedData, HomeAssistant, callback
from homeassistant.helpers.event import async_track_point_in_utc_time, async_track_state_change_event
from homeassistant.helpers.start import async_at_started
from homeassistant.util import dt as dt_util

from botpsy_core.agent import Missed, Plans, read_ahead
from botpsy_core.agent.phrases import phrases_for
from botpsy_core.agent.reply import Speech
from botpsy_core.domain.context import Origin
from botpsy_core.domain.events import Ended, TurnStatus
from botpsy_core.domain.plans import PlannedAct
from botpsy_core.errors import BotPsyError

from .const import DOMAIN
from .runtime import BotPsyRuntime

AGAIN: Final = timedelta(seconds=30)
"""How soon acts are looked at again that could not be written down."""


class Planner:
    """Wakes up when an act is due, and puts it through the gate with its asker's rights."""

    def __init__(self, runtime: BotPsyRuntime, plans: Plans) -> None:
        """Take the runtime; nothing is begun yet."""
        self._runtime = runtime
        self._hass = runtime.hass
        self._plans = plans
        self._alarm: CALLBACK_TYPE | None = None
        self._lock = asyncio.Lock()
        self._stops: list[CALLBACK_TYPE] = []
        self._watched: frozenset[str] = frozenset()
        self._unwatch: CALLBACK_TYPE | None = None

    @callback
    def async_start(self) -> None:
        """Do what is due once everything else is loaded, and from then on in time."""
        self._stops.append(self._plans.on_change(self._changed))
        self._stops.append(async_at_started(self._hass, self._home_is_there))

    async def async_close(self) -> None:
        """Begin nothing any more, and wait for the act that is being done: two books must never keep one file."""
        for stop in self._stops:
            stop()
        self._stops.clear()
        self._clear_alarm()
        self._watch(frozenset())
        async with self._lock:
            self._plans.close()

    async def _home_is_there(self, _hass: HomeAssistant) -> None:
        self._watch(self._plans.awaited)
        for each in self._plans.awaited:
            await self._notice(each)
        await self._run()

    @callback
    def _changed(self) -> None:
        self._set_alarm()
        if self._hass.is_running:
            self._watch(self._plans.awaited)

    @callback
    def _watch(self, entity_ids: frozenset[str]) -> None:
        """Follow the states of what something waits for."""
        if entity_ids == self._watched:
            return
        if self._unwatch:
            self._unwatch()
            self._unwatch = None
        self._watched = entity_ids
        if entity_ids:
            self._unwatch = async_track_state_change_event(self._hass, sorted(entity_ids), self._state_changed)

    async def _state_changed(self, event: Event[EventStateChangedData]) -> None:
        await self._notice(event.data["entity_id"])

    async def _notice(self, entity_id: str) -> None:
        """Take in how a thing is now; one that is not exposed any more is not looked at."""
        entity = self._runtime.home.entity(entity_id)
        if entity is not None:
            await self._plans.notice(entity)

    @callback
    def _clear_alarm(self) -> None:
        if self._alarm:
            self._alarm()
            self._alarm = None

    @callback
    def _set_alarm(self, at: datetime | None = None) -> None:
        self._clear_alarm()
        due = at or self._plans.next_at
        if due is not None and self._stops and self._hass.is_running:
            self._alarm = async_track_point_in_utc_time(self._hass, self._ring, dt_util.as_utc(due))

    async def _ring(self, _now: datetime) -> None:
        self._alarm = None
        await self._run()

    async def _run(self) -> None:
        if self._lock.locked():
            return  # an act is being done; the alarm is set anew after it
        async with self._lock:
            again: datetime | None = dt_util.utcnow() + AGAIN
            try:
                await self._plans.run_due(self._carry_out, self._tell)
                again = None
            finally:
                self._set_alarm(again)

    async def _carry_out(self, act: PlannedAct) -> Ended:
        frame = await self._runtime.askers.frame(
            Context(user_id=act.user_id),
            origin=Origin.DELAYED,
            conversation_id=f"planned-{act.id}",
            language=act.language,
            device_id=act.device_id,
        )
        try:
            deltas = await self._runtime.async_use(act.call.name, act.call.args, context=frame, agent_id=DOMAIN)
        except BotPsyError as error:
            return Ended(status=TurnStatus.FAILED, reply=str(error))
        assert deltas.ended is not None
        return deltas.ended

    async def _tell(self, act: PlannedAct, what: Ended | Missed) -> None:
        """Tell of an act that was not done; one that was done shows in the logbook like any other."""
        if isinstance(what, Ended) and what.status is TurnStatus.DONE:
            return
        await self._hass.async_add_executor_job(read_ahead, act.language)
        speech = Speech(
            phrases=phrases_for(act.language), home=self._runtime.home.home(act.language), now=dt_util.now()
        )
        said = speech.missed(act, what.value) if isinstance(what, Missed) else f"{act.act}: {what.reply}"
        persistent_notification.async_create(self._hass, said, title="BotPsy", notification_id=f"{DOMAIN}_{act.id}")
        self._runtime.journal.record({"kind": "planned", "id": act.id, "told": said})
