"""Whose events a shared speaker reads out, what else is at the same time, and who may be written to."""

import time
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from homeassistant.components.calendar import CalendarEvent
from homeassistant.components.todo import TodoItem, TodoItemStatus
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util
from pytest_homeassistant_custom_component.common import MockConfigEntry

from botpsy_core.catalog import load_tools
from botpsy_core.domain.context import Origin, TurnContext
from botpsy_core.domain.tools import Outcome, ToolCall
from botpsy_core.domain.values import JsonValue
from custom_components.botpsy.askers import Askers
from custom_components.botpsy.calendar_events import Calendars
from custom_components.botpsy.calendar_toolbox import CalendarToolbox
from custom_components.botpsy.discretion import Discretion
from custom_components.botpsy.hass_home import HassHome
from custom_components.botpsy.hass_toolbox import HassToolbox
from tests.component.world import World

PRIVATE = Discretion(private=frozenset({"calendar.family"}))
SPOKEN = TurnContext(conversation_id="c", origin=Origin.VOICE, now=dt_util.utc_from_timestamp(0), device_id="kitchen")
TYPED = replace(SPOKEN, origin=Origin.CHAT)
FIND_S = 0.2


def call(name: str, **args: JsonValue) -> ToolCall:
    return ToolCall(id="1", name=name, args=args)


def tomorrow(hour: int) -> datetime:
    return dt_util.start_of_local_day() + timedelta(days=1, hours=hour)


def box(hass: HomeAssistant, discretion: Discretion) -> HassToolbox:
    return HassToolbox(hass, HassHome(hass), load_tools(), Askers(hass), discretion)


@pytest.fixture(autouse=True)
async def dentist(world: World) -> None:
    await world.calendar.async_create_event(
        summary="Dentist", location="Main Street", dtstart=tomorrow(15), dtend=tomorrow(16)
    )


@pytest.mark.parametrize(
    ("context", "discretion", "told"),
    [(SPOKEN, PRIVATE, False), (TYPED, PRIVATE, True), (SPOKEN, Discretion(), True)],
)
async def test_a_private_event_is_told_on_a_shared_speaker_as_a_time_alone(
    hass: HomeAssistant, world: World, *, context: TurnContext, discretion: Discretion, told: bool
) -> None:
    find = call("find_events", calendar=["calendar.family"], start=tomorrow(0).date().isoformat())
    delete = call("delete_event", event="dentist")
    bound = CalendarToolbox(Calendars(hass), HassHome(hass), load_tools(), Askers(hass), discretion)

    read = str((await box(hass, discretion).execute(find, context)).data)
    asked = (await bound.check(delete, context)).about

    assert ("Dentist" in read, "Main Street" in read, "Dentist" in asked) == (told, told, told)
    assert f"{tomorrow(15):%H:%M}" in asked


async def test_a_satellite_hears_only_when_somebody_is_busy(
    hass: HomeAssistant, world: World, entry: MockConfigEntry
) -> None:
    hass.config_entries.async_update_entry(entry, options={"private_calendars": ["calendar.family"]})
    await hass.async_block_till_done()
    runtime = entry.runtime_data
    frame = replace(SPOKEN, now=dt_util.now())

    spoken = await runtime.async_utter("what is on my calendar tomorrow?", context=frame, agent_id="botpsy")
    typed = await runtime.async_utter(
        "what is on my calendar tomorrow?", context=replace(frame, origin=Origin.CHAT), agent_id="botpsy"
    )

    assert "busy" in spoken.ended.reply
    assert "16:00" in spoken.ended.reply
    assert "Dentist" not in spoken.ended.reply
    assert "Dentist" in typed.ended.reply


@pytest.mark.parametrize(("hour", "clashes"), [(15, True), (14, False), (16, False)])
async def test_an_event_at_the_same_time_is_told(
    hass: HomeAssistant, world: World, *, hour: int, clashes: bool
) -> None:
    create = call("create_event", calendar=["calendar.family"], summary="Lunch", start=tomorrow(hour).isoformat())

    result = await box(hass, Discretion()).execute(create, TYPED)

    assert result.outcome is Outcome.DONE
    assert ("Dentist" in str(result.data.get("overlaps"))) is clashes


@pytest.mark.parametrize(("recipients", "allowed"), [((), True), (("notify.phone",), True), (("notify.other",), False)])
async def test_only_who_is_on_the_owners_list_is_written_to(
    hass: HomeAssistant, world: World, *, recipients: tuple[str, ...], allowed: bool
) -> None:
    (phone,) = hass.states.async_entity_ids("notify")
    listed = frozenset(phone if each == "notify.phone" else each for each in recipients)

    ready = await box(hass, Discretion(recipients=listed)).check(
        call("send_message", recipient=[phone], message="dinner"), TYPED
    )

    assert ready.exposed is allowed


@pytest.mark.parametrize(("status", "twice"), [(TodoItemStatus.NEEDS_ACTION, True), (TodoItemStatus.COMPLETED, False)])
async def test_what_is_open_on_a_list_is_not_put_there_twice(
    hass: HomeAssistant, world: World, entry: MockConfigEntry, *, status: TodoItemStatus, twice: bool
) -> None:
    world.shopping._attr_todo_items = [TodoItem(summary="Milk", uid="1", status=status)]
    frame = replace(TYPED, now=dt_util.now())

    said = await entry.runtime_data.async_utter("add milk to the shopping list", context=frame, agent_id="botpsy")

    assert len(world.shopping.todo_items) == (1 if twice else 2)
    assert ("already on" in said.ended.reply) is twice


async def test_a_full_agenda_and_a_long_list_are_found_in_quickly(hass: HomeAssistant, world: World) -> None:
    start = tomorrow(0)
    world.calendar.events.extend(
        CalendarEvent(
            summary=f"Meeting {number}",
            start=start + timedelta(minutes=50 * number),
            end=start + timedelta(minutes=50 * number + 30),
            uid=f"m{number}",
        )
        for number in range(10_000)
    )
    world.shopping._attr_todo_items = [
        TodoItem(summary=f"thing {n}", uid=f"t{n}", status=TodoItemStatus.NEEDS_ACTION) for n in range(1_000)
    ]
    toolbox = CalendarToolbox(Calendars(hass), HassHome(hass), load_tools(), Askers(hass))

    def elapsed(since: float) -> float:
        return time.perf_counter() - since

    began = time.perf_counter()
    ready = await toolbox.check(call("delete_event", event="meeting 9999"), TYPED)
    event_s = elapsed(began)
    began = time.perf_counter()
    (shopping,) = hass.states.async_entity_ids("todo")
    items = await box(hass, Discretion()).execute(call("list_items", list=[shopping]), TYPED)
    list_s = elapsed(began)

    print(f"find among 10,000 events {event_s * 1e3:.0f} ms, read 1,000 items {list_s * 1e3:.0f} ms")  # noqa: T201
    assert "9999" in ready.about
    assert "thing 999" in str(items.data)
    assert max(event_s, list_s) < FIND_S
