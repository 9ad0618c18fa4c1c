"""What is said to the home, and what must be so afterwards: every other fact must be as it was."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from demo.onboarding import CALENDAR, TODO
from demo.talk import Way
from demo.world import Facts


@dataclass(frozen=True, slots=True, kw_only=True)
class Becomes:
    """A condition on a fact, with words for it."""

    words: str
    holds: Callable[[Any, Any], bool]
    """Gets the fact before and after."""


type Wanted = Mapping[str, Any]
"""By fact: a value that it must have, or a Becomes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One utterance."""

    text: str
    way: Way = Way.CHAT
    verdict: str = "allow"
    wanted: Wanted = field(default_factory=dict)
    """What must have changed; nothing else may have."""
    names: str | None = None
    """A fact whose value the reply must name, for a question."""
    kills: bool = False
    """True where the model's process is killed while it works on this one."""

    @property
    def expect(self) -> str:
        """Return in words what must be so."""
        changes = "; ".join(
            f"{fact} {value.words if isinstance(value, Becomes) else f'= {value}'}"
            for fact, value in self.wanted.items()
        )
        named = f"names {self.names}" if self.names else ""
        return "; ".join(part for part in (self.verdict, changes or "nothing changes", named) if part)


def gains(words: str) -> Becomes:
    """Return: one more item, and it holds these words."""
    return Becomes(
        words=f"gains {words!r}",
        holds=lambda before, after: (
            len(after) == len(before) + 1 and any(words in str(new).lower() for new in after if new not in before)
        ),
    )


def ticked(words: str) -> Becomes:
    """Return: the one open item that is these words is done, and nothing else is another."""
    return Becomes(
        words=f"ticks off {words!r}",
        holds=lambda before, after: (
            [
                old.replace("(needs_action)", "(completed)") if str(old).lower().startswith(words) else old
                for old in before
            ]
            == list(after)
            and list(before) != list(after)
        ),
    )


def gains_event(words: str, day_offset: int, at: time, zone: ZoneInfo) -> Becomes:
    """Return: one more event with these words, at that local time so many days from today."""

    def holds(before: Any, after: Any) -> bool:
        start = datetime.combine(datetime.now(zone).date() + timedelta(days=day_offset), at, tzinfo=zone)
        new = [event for event in after if event not in before]
        return (
            len(new) == 1
            and words in new[0][0].lower()
            and datetime.fromisoformat(new[0][1]).timestamp() == start.timestamp()
        )

    return Becomes(words=f"gains {words!r} in {day_offset} day(s) at {at:%H:%M}", holds=holds)


def brightness(percent: int) -> Becomes:
    """Return: this bright, give or take the rounding of a step."""
    return Becomes(
        words=f"= {percent} %",
        holds=lambda _, after: after is not None and abs(after / 255 * 100 - percent) <= 1,
    )


ANY = Becomes(words="may change", holds=lambda *_: True)


def light(name: str, state: str) -> dict[str, Any]:
    """Return what belongs to a light that was switched."""
    return {f"light.{name}": state, f"light.{name}.brightness": ANY}


def scenario(zone: ZoneInfo) -> tuple[Line, ...]:
    """Return the lines in order; each starts where the one before it ended."""
    return (*lights(), *climate(), *day(zone), *car(), *nothing_fits(), *other_ways(), *crash())


def lights() -> tuple[Line, ...]:
    """Return: by name and by room, in percent, two rooms in one sentence, and a question."""
    return (
        Line(text="Turn on the kitchen light", wanted=light("kitchen_light", "on")),
        Line(text="Set the kitchen light to 40 percent", wanted={"light.kitchen_light.brightness": brightness(40)}),
        Line(
            text="Turn on the lights in the living room",
            wanted=light("ceiling_lamp", "on") | light("floor_lamp", "on"),
        ),
        Line(
            text="Turn off the kitchen light and turn on the bedside lamp",
            wanted=light("kitchen_light", "off") | light("bedside_lamp", "on"),
        ),
        Line(
            text="Turn off the lights in the living room and the bedroom",
            wanted=light("ceiling_lamp", "off") | light("floor_lamp", "off") | light("bedside_lamp", "off"),
        ),
        Line(text="Is the kitchen light on?", names="light.kitchen_light"),
        Line(text="Turn on the coffee machine", wanted={"switch.coffee_machine": "on"}),
        Line(text="Turn off the coffee machine", way=Way.AUTOMATION, wanted={"switch.coffee_machine": "off"}),
        Line(text="Set the speaker's volume to 50 percent", wanted={"media_player.speaker.volume_level": 0.5}),
    )


def climate() -> tuple[Line, ...]:
    """Return: the thermostat, and reading."""
    return (
        Line(text="Set the thermostat to 22 degrees", wanted={"climate.thermostat.temperature": 22}),
        Line(text="What is the temperature in the living room?", names="climate.thermostat.current_temperature"),
        Line(text="What is the outdoor temperature?", names="sensor.outdoor_temperature"),
        Line(text="Is the front door locked?", names="lock.front_door"),
    )


def day(zone: ZoneInfo) -> tuple[Line, ...]:
    """Return: calendar, notification, shopping list."""
    return (
        Line(
            text="Add a dentist appointment to my calendar tomorrow at three",
            wanted={CALENDAR: gains_event("dentist", 1, time(15), zone)},
        ),
        Line(text="What is on my calendar tomorrow?", names=CALENDAR),
        Line(text="What do I have tomorrow?", names=CALENDAR),
        Line(text="When is my next appointment?", names=CALENDAR),
        Line(text="Add dinner to my calendar at eight", verdict="ask"),
        Line(text="Send a notification to my phone that dinner is ready", wanted={"phone": gains("dinner is ready")}),
        Line(text="Add milk to the shopping list", wanted={TODO: gains("milk")}),
        Line(text="What is on the shopping list?", names=TODO),
        Line(text="We have milk", wanted={TODO: ticked("milk")}),
    )


def car() -> tuple[Line, ...]:
    """Return: what car and wallbox are asked; done only when they acknowledge, after a yes, or after the PIN."""
    return (
        Line(text="How much battery does the car have?", names="car.v.b.soc"),
        Line(text="Preheat the car", wanted={"car.v.e.hvac": "yes"}),
        Line(text="Lock the car", wanted={"car.v.e.locked": "yes"}),
        Line(text="Open the charge flap of the car", verdict="ask"),
        Line(text="Yes", way=Way.ANSWER, wanted={"car.xcar.v.flap": "yes"}),
        Line(text="Unlock the car", verdict="ask"),
        Line(text="No", way=Way.ANSWER, verdict="refuse"),
        Line(text="Unlock the car", verdict="ask"),
        Line(text="(the PIN)", way=Way.PIN, wanted={"car.v.e.locked": "no"}),
        Line(text="Set the wallbox to solar", wanted={"wallbox.mode": "pv"}),
        Line(text="Stop charging at the wallbox", wanted={"wallbox.mode": "off"}),
    )


def nothing_fits() -> tuple[Line, ...]:
    """Return: what no tool can do."""
    return tuple(
        Line(text=text, verdict="refuse")
        for text in (
            "Order a pizza",
            "Open the bedroom window",
            "Transfer 200 euros to Anna",
            "Feed the cat",
            "Turn on the light in the attic",
        )
    )


def other_ways() -> tuple[Line, ...]:
    """Return: words that leave the choice to the model; an Assist pipeline, an automation, a message on the broker."""
    return (
        Line(text="I would like some coffee now", wanted={"switch.coffee_machine": "on"}),
        Line(text="It is too hot in here, 19 degrees please", wanted={"climate.thermostat.temperature": 19}),
        Line(text="Turn on the floor lamp", way=Way.PIPELINE, wanted=light("floor_lamp", "on")),
        Line(text="Turn on the ceiling lamp", way=Way.REQUEST, wanted=light("ceiling_lamp", "on")),
    )


def crash() -> tuple[Line, ...]:
    """Return: the model's process dies in mid-sentence, and the next sentence works."""
    return (
        Line(text="I would like some coffee now", kills=True, verdict="refuse"),
        Line(text="Turn off the ceiling lamp", wanted=light("ceiling_lamp", "off")),
    )


def holds(line: Line, before: Facts, after: Facts) -> bool:
    """Return True if what was wanted is so and every other fact is as it was."""
    for fact, value in line.wanted.items():
        was, is_now = before.get(fact), after.get(fact)
        if not (value.holds(was, is_now) if isinstance(value, Becomes) else is_now == value):
            return False
    return all(before.get(fact) == after.get(fact) for fact in {*before, *after} - set(line.wanted))
