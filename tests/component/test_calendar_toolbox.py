"""One event among many is found, shown back, and then moved or deleted."""

from dataclasses import replace
from datetime import datetime, timedelta
from functools import cache

import pytest
from homeassistant.auth.models import Group
from homeassistant.components.calendar import CalendarEntityFeature, CalendarEvent
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.util import dt as dt_util
from pytest_homeassistant_custom_component.common import MockUser

from botpsy_core.catalog import load_tools
from botpsy_core.domain.context import Origin, TurnContext
from botpsy_core.domain.tools import Outcome, ToolCall
from botpsy_core.domain.values import JsonValue
from botpsy_core.domain.verdicts import AskKind
from custom_components.botpsy.askers import Askers
from custom_components.botpsy.calendar_events import Calendars
from custom_components.botpsy.calendar_toolbox import CalendarToolbox
from custom_components.botpsy.hass_home import HassHome
from custom_components.botpsy.hass_toolbox import HassToolbox
from tests.component.world import World

tools = cache(load_tools)


@pytest.fixture
def context() -> TurnContext:
    return TurnContext(conversation_id="c", origin=Origin.CHAT, now=dt_util.now())


@pytest.fixture
def toolbox(hass: HomeAssistant, world: World) -> CalendarToolbox:
    return CalendarToolbox(Calendars(hass), HassHome(hass), tools(), Askers(hass))


def at(days: int, hour: int) -> datetime:
    return dt_util.start_of_local_day() + timedelta(days=days, hours=hour)


@pytest.fixture(autouse=True)
async def events(world: World) -> None:
    for summary, days, hour in (("Dentist", 1, 15), ("Football with Tom", 2, 10), ("Football training", 3, 10)):
        start = at(days, hour)
        await world.calendar.async_create_event(summary=summary, dtstart=start, dtend=start + timedelta(minutes=90))
    day = at(4, 0).date()
    await world.calendar.async_create_event(summary="Holiday", dtstart=day, dtend=day + timedelta(days=1))


def call(name: str, **args: JsonValue) -> ToolCall:
    return ToolCall(id="1", name=name, args=args)


async def test_an_event_is_shown_back_before_it_is_deleted(
    world: World, toolbox: CalendarToolbox, context: TurnContext
) -> None:
    delete = call("delete_event", event="dentist")

    ready = await toolbox.check(delete, context)
    kept = len(world.calendar.events)
    result = await toolbox.execute(delete, context)

    assert (ready.confirm, ready.available) == (AskKind.CONFIRM, True)
    assert ready.about == f"“Dentist”, {at(1, 15):%Y-%m-%d %H:%M}"
    assert kept == 4
    assert result.outcome is Outcome.DONE
    assert "Dentist" not in [each.summary for each in world.calendar.events]


@pytest.mark.parametrize(
    ("args", "problem"),
    [
        ({"event": "football"}, "There are several"),
        ({"event": "pizza"}, "No such event"),
        ({"event": "dentist", "start": "2001-01-01"}, "No such event"),
        ({"event": " "}, "No such event"),
    ],
)
async def test_not_exactly_one_is_not_touched(
    world: World, toolbox: CalendarToolbox, context: TurnContext, args: dict[str, JsonValue], problem: str
) -> None:
    delete = call("delete_event", **args)

    ready, result = await toolbox.check(delete, context), await toolbox.execute(delete, context)

    assert ready.unmet[0].startswith(problem)
    assert result.outcome is Outcome.NOT_SENT
    assert len(world.calendar.events) == 4


async def test_a_calendar_that_cannot_be_read_is_said_so_and_nothing_is_done(
    world: World, toolbox: CalendarToolbox, context: TurnContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object) -> list[CalendarEvent]:
        raise HomeAssistantError("the server does not answer")

    monkeypatch.setattr(world.calendar, "async_get_events", broken)
    delete = call("delete_event", event="dentist")

    ready, result = await toolbox.check(delete, context), await toolbox.execute(delete, context)

    assert (ready.available, ready.problem) == (False, "the server does not answer")
    assert (result.outcome, result.detail) == (Outcome.FAILED, "the server does not answer")
    assert len(world.calendar.events) == 4


@pytest.mark.parametrize("exact", [True, False])
async def test_a_time_tells_two_of_one_name_apart(
    world: World, toolbox: CalendarToolbox, context: TurnContext, *, exact: bool
) -> None:
    when = at(3, 10)
    said = when.isoformat() if exact else when.date().isoformat()

    ready = await toolbox.check(call("delete_event", event="football", start=said), context)

    assert "Football training" in ready.about


async def test_a_moved_event_lasts_as_long_as_before(
    world: World, toolbox: CalendarToolbox, context: TurnContext
) -> None:
    to = at(6, 9)

    result = await toolbox.execute(call("move_event", event="dentist", start=to.isoformat()), context)

    moved = next(each for each in world.calendar.events if each.summary == "Dentist")
    assert result.outcome is Outcome.DONE
    assert (moved.start, moved.end) == (to, to + timedelta(minutes=90))


async def test_moved_to_another_day_it_keeps_its_hour(
    world: World, toolbox: CalendarToolbox, context: TurnContext
) -> None:
    await toolbox.execute(call("move_event", event="dentist", start=at(6, 0).date().isoformat()), context)

    moved = next(each for each in world.calendar.events if each.summary == "Dentist")
    assert moved.start == at(6, 15)


async def test_a_whole_day_moved_to_an_hour_lasts_one(
    world: World, toolbox: CalendarToolbox, context: TurnContext
) -> None:
    await toolbox.execute(call("move_event", event="holiday", start=at(6, 9).isoformat()), context)

    moved = next(each for each in world.calendar.events if each.summary == "Holiday")
    assert (moved.start, moved.end) == (at(6, 9), at(6, 10))


async def test_a_calendar_that_cannot_delete_says_so(
    world: World, toolbox: CalendarToolbox, context: TurnContext
) -> None:
    world.calendar._attr_supported_features = CalendarEntityFeature.CREATE_EVENT

    ready = await toolbox.check(call("delete_event", event="dentist"), context)

    assert not ready.available
    assert ready.problem == "Family"


async def test_a_hidden_calendar_is_not_searched(toolbox: CalendarToolbox, context: TurnContext) -> None:
    hidden = await toolbox.check(call("delete_event", calendar=["calendar.secret"], event="dentist"), context)

    assert not hidden.exposed


async def test_the_asking_users_rights_count(
    hass: HomeAssistant, toolbox: CalendarToolbox, context: TurnContext
) -> None:
    user = MockUser(groups=[Group(name="nothing", policy={})]).add_to_hass(hass)

    ready = await toolbox.check(call("delete_event", event="dentist"), replace(context, user_id=user.id))

    assert not ready.allowed


async def test_an_event_may_repeat(hass: HomeAssistant, world: World, context: TurnContext) -> None:
    box = HassToolbox(hass, HassHome(hass), tools(), Askers(hass))
    args = {"calendar": ["calendar.family"], "summary": "yoga", "start": at(1, 18).isoformat(), "repeat": "weekly"}

    result = await box.execute(call("create_event", **args), context)

    yoga = next(each for each in world.calendar.events if each.summary == "yoga")
    assert result.outcome is Outcome.DONE
    assert (yoga.rrule, yoga.start, yoga.end) == ("FREQ=WEEKLY", at(1, 18), at(1, 19))


async def test_a_calendar_that_takes_nothing_says_so(hass: HomeAssistant, world: World, context: TurnContext) -> None:
    world.calendar._attr_supported_features = CalendarEntityFeature(0)
    box = HassToolbox(hass, HassHome(hass), tools(), Askers(hass))
    args = {"calendar": ["calendar.family"], "summary": "yoga", "start": at(1, 18).isoformat(), "repeat": "weekly"}

    result = await box.execute(call("create_event", **args), context)

    assert result.outcome is Outcome.FAILED
