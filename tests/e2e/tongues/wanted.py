"""What a line is to have done, in a small notation, and whether it has.

Parts stand side by side with commas: `lamp off`, `lamp 20%`, `lamp +`, `lamp blue`, `heating 22.5`, `tv muted`,
`shopping +eggs`, `shopping -milk`, `calendar +vet 1d 16:30`, `phone +dinner`. `in 10m:` or `at 10:45:` before them is
when, `says 7|seven` is an answer that changes nothing, `remind cake 20m` is a reminder of any kind, and `nothing` is
nothing.
"""

import re
from collections.abc import Mapping
from datetime import datetime, time, timedelta
from typing import Any

from homeassistant.util import dt as dt_util

from tests.e2e.tongues import things as of

type Facts = Mapping[str, Mapping[str, Any]]
"""By thing: everything that can change of it."""

HUES = {"red": (345, 15), "green": (90, 150), "blue": (210, 260), "purple": (265, 300)}
"""By colour: the degrees between which its hue lies."""

LEVELS = ("brightness", "current_position", "temperature", "volume_level", "percentage")
WHOLE = {"brightness": 255, "current_position": 100, "volume_level": 1, "percentage": 100}
LATER = re.compile(r"(?:in (?P<minutes>\d+)m|at (?P<clock>\d+:\d+)): (?P<then>.*)")


def facts(made: Mapping[str, of.Thing]) -> Facts:
    """Return how everything is."""
    return {key: _of(thing) for key, thing in made.items()}


def _of(thing: of.Thing) -> Mapping[str, Any]:
    match thing:
        case of.TodoList():
            return {"items": tuple(thing.open_items())}
        case of.Calendar():
            return {"items": tuple(f"{each.start_datetime_local.isoformat()} {each.summary}" for each in thing.events)}
        case of.Phone():
            return {"items": tuple(thing.messages)}
    state = thing.hass.states.get(thing.entity_id)
    assert state is not None
    return {"state": state.state, **{key: value for key, value in state.attributes.items() if key in HELD}}


HELD = {*LEVELS, "hs_color", "is_volume_muted", "media_title"}


def changed(before: Facts, after: Facts) -> set[str]:
    """Return the things that are not as they were."""
    return {key for key in before if before[key] != after[key]}


def due(want: str, now: datetime) -> tuple[datetime | None, str]:
    """Return when what is wanted is to be so, None for at once, and the rest of it."""
    if not (told := LATER.fullmatch(want)):
        return None, want
    if minutes := told["minutes"]:
        return now + timedelta(minutes=int(minutes)), told["then"]
    return datetime.combine(now.date(), time.fromisoformat(told["clock"]), now.tzinfo), told["then"]


def holds(want: str, before: Facts, after: Facts, now: datetime) -> bool:
    """Return True if everything wanted is so, and nothing else has changed."""
    wanted = _parts(want)
    return (
        within(want, before, after, now)
        and all(_holds(value, before[thing], after[thing], now) for thing, value in wanted)
        and all(
            _moves(before[key], after[key]) == [thing for thing, _ in wanted].count(key) for key in _texts(want, before)
        )
    )


def within(want: str, before: Facts, after: Facts, now: datetime) -> bool:
    """Return True if whatever has changed is some of what was wanted."""
    wanted = _parts(want)
    new = changed(before, after)
    if any(_moves(before[key], after[key]) > [thing for thing, _ in wanted].count(key) for key in _texts(want, before)):
        return False
    return all(
        any(each == thing and _holds(value, before[thing], after[thing], now) for each, value in wanted)
        for thing in new
    )


def _parts(want: str) -> list[tuple[str, str]]:
    """Return each thing and what it is to be."""
    return [(part.split(" ", 1)[0], part.split(" ", 1)[1]) for part in want.split(", ")]


def _texts(want: str, before: Facts) -> set[str]:
    """Return the things wanted that hold texts."""
    return {thing for thing, _ in _parts(want) if "items" in before[thing]}


def _moves(before: Mapping[str, Any], after: Mapping[str, Any]) -> int:
    """Return how many texts have come or gone."""
    return len(set(before["items"]) ^ set(after["items"]))


def _holds(value: str, before: Mapping[str, Any], after: Mapping[str, Any], now: datetime) -> bool:
    if "items" in before:
        return _has(value, before["items"], after["items"], now)
    level = next((key for key in LEVELS if key in before), "")
    was, is_now = before.get(level) or 0, after.get(level) or 0
    ways: Mapping[str, Any] = {"+": is_now > was, "-": is_now < was, "muted": after.get("is_volume_muted")}
    if value in ways:
        return bool(ways[value])
    if value.endswith("%"):
        return abs(is_now / WHOLE[level] * 100 - float(value[:-1])) <= 1
    if value in HUES:
        low, high = HUES[value]
        return low <= (after.get("hs_color") or (-1,))[0] <= high
    return value == after["state"] or value == f"{after.get('temperature') or 0:g}"


def _has(value: str, before: tuple[str, ...], after: tuple[str, ...], now: datetime) -> bool:
    sign, text = value[0], value[1:].casefold()
    if sign == "-":
        return any(text in each.casefold() for each in before if each not in after)
    new = [each for each in after if each not in before]
    if told := re.fullmatch(r"(.+) (\d)d (\d+:\d+)", text):
        day = now.date() + timedelta(days=int(told[2]))
        start = datetime.combine(day, time.fromisoformat(told[3]), now.tzinfo).isoformat()
        return any(each.startswith(start) and told[1] in each.casefold() for each in new)
    return any(text in each.casefold() for each in new)


def reminds(want: str, before: Facts, after: Facts, now: datetime) -> bool:
    """Return True if a list, a calendar or a phone holds the reminder, and nothing else has changed."""
    word, minutes = want.split()
    at = dt_util.as_local(now + timedelta(minutes=int(minutes[:-1])))
    ways = (f"tasks +{word}", f"calendar +{word} 0d {at:%H:%M}", f"phone +{word}")
    return any(holds(way, before, after, now) for way in ways)
