"""What is to be seen in Home Assistant once an action has worked, as data."""

from collections.abc import Mapping
from enum import Enum
from typing import Final

from homeassistant.const import STATE_UNAVAILABLE, STATE_UNKNOWN
from homeassistant.core import State

from botpsy_core.catalog.binding import Action
from botpsy_core.domain.values import JsonValue

ON_DOMAINS: Final = frozenset(
    {"fan", "humidifier", "input_boolean", "light", "remote", "siren", "switch", "automation", "group"}
)
"""Domains whose state is `on` or `off` and nothing else."""

RUNNING_DOMAINS: Final = frozenset({"climate", "media_player", "water_heater"})
"""Domains that show what they do while they are on."""

SETTLED: Final[Mapping[str, frozenset[str]]] = {
    "alarm_control_panel.alarm_disarm": frozenset({"disarmed"}),
    "cover.close_cover": frozenset({"closed"}),
    "cover.open_cover": frozenset({"open"}),
    "lawn_mower.dock": frozenset({"docked", "returning"}),
    "lawn_mower.start_mowing": frozenset({"mowing"}),
    "lock.lock": frozenset({"locked"}),
    "lock.open": frozenset({"open"}),
    "lock.unlock": frozenset({"unlocked"}),
    "media_player.media_pause": frozenset({"paused"}),
    "media_player.media_play": frozenset({"playing"}),
    "media_player.media_stop": frozenset({"idle", "off", "standby"}),
    "timer.cancel": frozenset({"idle"}),
    "timer.start": frozenset({"active"}),
    "vacuum.return_to_base": frozenset({"docked", "returning"}),
    "vacuum.start": frozenset({"cleaning"}),
    "valve.close_valve": frozenset({"closed"}),
    "valve.open_valve": frozenset({"open"}),
}
"""The states that an action ends in, or on the way to its end: a vacuum that returns was sent back."""

SHOWN_AS: Final[Mapping[str, tuple[str, float, float]]] = {
    "brightness_pct": ("brightness", 2.55, 2.0),
    "humidity": ("humidity", 1, 0.5),
    "percentage": ("percentage", 1, 10.0),
    "position": ("current_position", 1, 1.0),
    "temperature": ("temperature", 1, 0.25),
    "volume_level": ("volume_level", 1, 0.011),
}
"""A key of an action's data: the attribute that shows it, the factor between them, and how far off is near enough."""


class Seen(Enum):
    """Whether an effect is to be seen."""

    YES = "yes"
    NO = "no"
    UNTOLD = "untold"
    """This action shows in no state."""


def seen(action: Action, state: State | None) -> Seen:
    """Return whether a target's state shows that the action has worked, or that nothing was left to do."""
    if state is None or state.state in (STATE_UNAVAILABLE, STATE_UNKNOWN):
        return Seen.NO if _settled(action) else Seen.UNTOLD
    answers = [_shown(key, value, state) for key, value in action.data.items() if key in SHOWN_AS]
    if (ends := _settled(action)) is not None:
        answers.append(state.state in ends)
    elif action.action == "turn_on" and action.domain in RUNNING_DOMAINS:
        answers.append(state.state != "off")
    if _says_more(action):
        # A colour or an effect shows in too many ways to be judged; the action's own success has to do.
        return Seen.UNTOLD if all(answers) else Seen.NO
    return Seen.UNTOLD if not answers else Seen.YES if all(answers) else Seen.NO


def _settled(action: Action) -> frozenset[str] | None:
    if action.action in ("turn_on", "turn_off") and action.domain in ON_DOMAINS:
        return frozenset({action.action.removeprefix("turn_")})
    if action.action == "turn_off" and action.domain in RUNNING_DOMAINS:
        return frozenset({"off", "standby"})
    return SETTLED.get(f"{action.domain}.{action.action}")


def _says_more(action: Action) -> bool:
    return any(key not in SHOWN_AS for key in action.data)


def _shown(key: str, value: JsonValue, state: State) -> bool:
    attribute, factor, near = SHOWN_AS[key]
    shown = state.attributes.get(attribute)
    if not isinstance(shown, int | float) or not isinstance(value, int | float):
        return False
    return abs(shown - value * factor) <= near
