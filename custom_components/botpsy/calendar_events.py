"""What calendars can do and no action of Home Assistant offers: repeat, find, move and delete one event."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, Final

from homeassistant.components.calendar import CalendarEntity, CalendarEvent
from homeassistant.components.calendar.const import DATA_COMPONENT, CalendarEntityFeature
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.util import dt as dt_util

from botpsy_core.domain.values import JsonValue

LOOK_BACK: Final = timedelta(days=1)
LOOK_AHEAD: Final = timedelta(days=400)
"""How far an event may be away to be found by its words."""

ENOUGH: Final = 5
"""Candidates that are named where more than one fits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One event of one calendar."""

    calendar: CalendarEntity
    event: CalendarEvent

    @property
    def words(self) -> str:
        """Return the event as a person would point at it."""
        return f"“{self.event.summary}”, {self.when}"

    @property
    def when(self) -> str:
        """Return its begin alone, for who may not hear more."""
        start = self.event.start
        return start.isoformat() if not isinstance(start, datetime) else _local(start).strftime("%Y-%m-%d %H:%M")

    def told(self, *, private: bool) -> dict[str, JsonValue]:
        """Return the event as an answer tells it."""
        times: dict[str, JsonValue] = {"start": self.event.start.isoformat(), "end": self.event.end.isoformat()}
        return {**times, "private": True} if private else {**times, "summary": self.event.summary}


class Calendars:
    """The calendar entities of Home Assistant."""

    def __init__(self, hass: HomeAssistant) -> None:
        """Look entities up when they are needed."""
        self._hass = hass

    async def find(self, calendars: Sequence[str], words: str, at: JsonValue) -> list[Found]:
        """Return the events that hold these words, at that time if one is given; of a series the next one alone."""
        now = dt_util.now()
        entities = [entity for each in calendars if (entity := self._entity(each))]
        read = [each.async_get_events(self._hass, now - LOOK_BACK, now + LOOK_AHEAD) for each in entities]
        found = [
            Found(calendar=entity, event=event)
            for entity, events in zip(entities, await asyncio.gather(*read), strict=True)
            for event in sorted(events, key=lambda e: e.start_datetime_local)
            if _holds(event, words) and _is_at(event, at)
        ]
        series: dict[tuple[str, str], Found] = {}
        for each in found:
            series.setdefault((each.calendar.entity_id, each.event.uid or str(id(each))), each)
        return list(series.values())

    def can(self, found: Found, operation: str) -> bool:
        """Return True if the event's calendar can do that at all."""
        feature = CalendarEntityFeature.DELETE_EVENT if operation == "delete" else CalendarEntityFeature.UPDATE_EVENT
        return bool(found.event.uid) and bool((found.calendar.supported_features or 0) & feature)

    async def delete(self, found: Found) -> None:
        """Delete the event; of a series only this one."""
        assert found.event.uid
        await found.calendar.async_delete_event(found.event.uid, recurrence_id=found.event.recurrence_id)

    async def move(self, found: Found, to: str) -> None:
        """Let the event begin at another time and last as long as before."""
        event = found.event
        assert event.uid
        lasts = event.end_datetime_local - event.start_datetime_local
        begins = _moment(to)
        if isinstance(begins, datetime) and event.all_day:
            lasts = timedelta(hours=1)
        elif not isinstance(begins, datetime) and not event.all_day:
            begins = event.start_datetime_local.replace(year=begins.year, month=begins.month, day=begins.day)
        changed = {"summary": event.summary, "dtstart": begins, "dtend": begins + lasts}
        kept = {"description": event.description, "location": event.location}
        changed |= {key: value for key, value in kept.items() if value is not None}
        await found.calendar.async_update_event(event.uid, changed, recurrence_id=event.recurrence_id)

    async def overlapping(self, calendar: str, data: Mapping[str, Any]) -> list[Found]:
        """Return what else is in a calendar while a new event lasts; whole days are in nobody's way."""
        entity, start, end = self._entity(calendar), data.get("start_date_time"), data.get("end_date_time")
        if entity is None or not isinstance(start, str) or not isinstance(end, str):
            return []
        first, last = _moment(start), _moment(end)
        assert isinstance(first, datetime)
        assert isinstance(last, datetime)
        events = await entity.async_get_events(self._hass, first, last)
        others = [each for each in events if not each.all_day and not _is_new(each, data["summary"], first)]
        return [Found(calendar=entity, event=each) for each in others[:ENOUGH]]

    async def repeat(self, calendar: str, data: Mapping[str, Any]) -> None:
        """Add an event that repeats."""
        entity = self._entity(calendar)
        if entity is None or not (entity.supported_features or 0) & CalendarEntityFeature.CREATE_EVENT:
            raise HomeAssistantError(f"{calendar} takes no events")
        start = data.get("start_date_time") or data["start_date"]
        end = data.get("end_date_time") or data["end_date"]
        event = {"summary": data["summary"], "rrule": data["rrule"], "dtstart": _moment(start), "dtend": _moment(end)}
        if location := data.get("location"):
            event["location"] = location
        await entity.async_create_event(**event)

    def _entity(self, entity_id: str) -> CalendarEntity | None:
        component = self._hass.data.get(DATA_COMPONENT)
        return component.get_entity(entity_id) if component else None


def _is_new(event: CalendarEvent, summary: str, start: datetime) -> bool:
    return event.summary == summary and event.start_datetime_local == start


def _holds(event: CalendarEvent, words: str) -> bool:
    said, summary = words.casefold().split(), event.summary.casefold()
    return bool(said) and all(word in summary for word in said)


def _is_at(event: CalendarEvent, at: JsonValue) -> bool:
    if at is None:
        return True
    moment = _moment(str(at))
    if isinstance(moment, datetime):
        return event.start_datetime_local <= moment < event.end_datetime_local
    day = dt_util.start_of_local_day(moment)
    return event.start_datetime_local < day + timedelta(days=1) and event.end_datetime_local > day


def _moment(text: str) -> date | datetime:
    return date.fromisoformat(text) if len(text) == len("2000-01-01") else _local(datetime.fromisoformat(text))


def _local(moment: datetime) -> datetime:
    return dt_util.as_local(moment)
