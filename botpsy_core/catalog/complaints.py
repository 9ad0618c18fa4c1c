"""Complaint: how well a tool answers "it is too bright", which names no act."""

from enum import StrEnum

from botpsy_core.catalog.slots import Filling, Words
from botpsy_core.domain.effects import effects, relief
from botpsy_core.domain.heard import Complaint, Quality
from botpsy_core.domain.tools import OPPOSITES, Direction, Role, ToolSpec


class Answer(StrEnum):
    """What a tool does about a complaint."""

    BEST = "best"
    GOOD = "good"
    NONE = "none"
    WORSE = "worse"
    """It would bring more of what is too much."""


def answers(complaint: Complaint, tool: ToolSpec, filling: Filling, words: Words) -> Answer:
    """Return how well the tool answers a complaint with the things that it would act on.

    Less or more is asked for, and not off or on; but where it is dark and nothing is lit, a light is switched on.
    """
    values = [c.value for s in filling.slots if s.argument.role is Role.TARGET for c in s.choices]
    ids = [str(i) for value in values if isinstance(value, list) for i in value]
    things = [thing for i in ids if (thing := words.things.by_id.get(i)) is not None]
    wanted = relief(complaint)
    found = effects(complaint.quality, {thing.domain for thing in things}, tool.directions)
    if wanted not in found:
        return Answer.WORSE if found else Answer.NONE
    dark = complaint == Complaint(quality=Quality.LIGHT, excess=Direction.DOWN)
    unlit = dark and not any(thing.state == "on" for thing in things)
    gradual = not {wanted, OPPOSITES[wanted]}.isdisjoint(tool.directions)
    return Answer.BEST if gradual is not unlit else Answer.GOOD
