from dataclasses import replace

import pytest
from library_home import NOW

from botpsy_core.catalog import Action, actions_of, load_tools, needed_attributes
from botpsy_core.domain.tools import ToolCall
from botpsy_core.errors import BadArguments

TOOLS = {t.name: t for t in load_tools()}


def actions(name, attributes=None, **args):
    return actions_of(TOOLS[name], ToolCall(id="1", name=name, args=args), now=NOW, attributes=attributes)


def data(name, attributes=None, **args):
    (action,) = actions(name, attributes, **args)
    return dict(action.data)


def test_each_domain_gets_its_own_action():
    assert actions("turn_on", target=["light.a", "switch.b", "light.c"]) == (
        Action(domain="light", action="turn_on", entities=("light.a", "light.c")),
        Action(domain="switch", action="turn_on", entities=("switch.b",)),
    )
    assert [(a.domain, a.action) for a in actions("open_cover", target=["cover.a", "valve.b"])] == [
        ("cover", "open_cover"),
        ("valve", "open_valve"),
    ]
    assert [(a.domain, a.action) for a in actions("start_cleaning", target=["vacuum.a", "lawn_mower.b"])] == [
        ("vacuum", "start"),
        ("lawn_mower", "start_mowing"),
    ]


def test_values_are_scaled_to_what_the_action_takes():
    assert data("set_volume", target=["media_player.a"], volume=30) == {"volume_level": 0.3}
    assert data("set_brightness", target=["light.a"], brightness=30) == {"brightness_pct": 30}


def test_a_change_without_a_size_takes_the_tools_own_step():
    assert data("dim", target=["light.a"]) == {"brightness_step_pct": -15}
    assert data("dim", target=["light.a"], amount=20) == {"brightness_step_pct": -20}


def test_a_change_starts_from_each_things_own_value_and_stays_in_bounds():
    now = {"climate.a": {"temperature": 20.5}, "climate.b": {"temperature": 34}}
    assert [
        (a.entities, a.data) for a in actions("raise_temperature", now, target=["climate.a", "climate.b"], amount=2)
    ] == [
        (("climate.a",), {"temperature": 22.5}),
        (("climate.b",), {"temperature": 35}),
    ]
    assert needed_attributes(TOOLS["raise_temperature"]) == {"temperature"}
    assert needed_attributes(TOOLS["turn_on"]) == set()


def test_a_change_of_something_unknown_says_so():
    with pytest.raises(BadArguments, match="volume_level"):
        actions("volume_up", {"media_player.a": {}}, target=["media_player.a"])


@pytest.mark.parametrize(
    ("args", "start", "end"),
    [
        ({"start": "2026-12-02T15:00:00+01:00"}, "2026-12-02T15:00:00+01:00", "2026-12-02T16:00:00+01:00"),
        (
            {"start": "2026-12-02T15:00:00+01:00", "duration": 5400},
            "2026-12-02T15:00:00+01:00",
            "2026-12-02T16:30:00+01:00",
        ),
        (
            {"start": "2026-12-02T15:00:00+01:00", "end": "2026-12-02T17:00:00+01:00"},
            "2026-12-02T15:00:00+01:00",
            "2026-12-02T17:00:00+01:00",
        ),
    ],
)
def test_an_event_has_an_end(args, start, end):
    made = data("create_event", calendar=["calendar.a"], summary="dentist", **args)
    assert made == {"summary": "dentist", "start_date_time": start, "end_date_time": end}


def test_an_all_day_event_ends_on_the_day_after():
    made = data("create_event", calendar=["calendar.a"], summary="trip", start="2026-12-31")
    assert made == {"summary": "trip", "start_date": "2026-12-31", "end_date": "2027-01-01"}


def test_a_day_is_read_from_midnight_to_midnight_across_daylight_saving():
    (action,) = actions("find_events", calendar=["calendar.a"], start="2027-03-28")
    assert action.response
    assert action.data == {
        "start_date_time": "2027-03-28T00:00:00+01:00",
        "end_date_time": "2027-03-29T00:00:00+02:00",
    }


def test_without_a_time_events_are_read_from_now_for_two_weeks():
    assert data("find_events", calendar=["calendar.a"]) == {
        "start_date_time": "2026-12-01T10:00:00+01:00",
        "end_date_time": "2026-12-15T10:00:00+01:00",
    }


def test_a_message_to_nobody_in_particular_goes_on_the_homes_own_board():
    assert actions("send_message", message="hi") == (
        Action(domain="persistent_notification", action="create", data={"message": "hi"}),
    )
    assert actions("send_message", message="hi", recipient=["notify.tom"]) == (
        Action(domain="notify", action="send_message", data={"message": "hi"}, entities=("notify.tom",)),
    )


@pytest.mark.parametrize(
    ("said", "language", "items"),
    [
        ("milk", "en", ["milk"]),
        ("milk and eggs", "en", ["milk", "eggs"]),
        ("milk, brown eggs and bread", "en", ["milk", "brown eggs", "bread"]),
        ("Milch und Eier", "de", ["Milch", "Eier"]),
        ("vitamin e capsules", "en", ["vitamin e capsules"]),
        ("sandals", "en", ["sandals"]),
        ("молоко и хлеб", "ru", ["молоко", "хлеб"]),
        ("牛奶和鸡蛋", "zh", ["牛奶", "鸡蛋"]),
    ],
)
def test_several_items_are_added_one_by_one(said, language, items):
    call = ToolCall(id="1", name="add_item", args={"list": ["todo.a"], "item": said})
    made = actions_of(TOOLS["add_item"], call, now=NOW, language=language)
    assert [a.data for a in made] == [{"item": item} for item in items]
    assert {a.entities for a in made} == {("todo.a",)}


def test_a_repeated_event_has_a_rule():
    when = "2026-12-07T09:00:00+01:00"
    made = data("create_event", calendar=["calendar.a"], summary="gym", start=when, repeat="weekdays")
    assert made["rrule"] == "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"


def test_a_tool_with_a_thing_of_its_own_acts_on_that():
    spec = replace(TOOLS["lock"], arguments=(), target="lock.shed")
    (action,) = actions_of(spec, ToolCall(id="1", name="lock"), now=NOW)
    assert action.entities == ("lock.shed",)


def test_a_tool_that_needs_a_thing_makes_no_action_without_one():
    assert actions("turn_on") == ()
    assert actions("unlock") == ()
