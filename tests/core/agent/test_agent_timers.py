"""Timers: started, changed, told and cancelled in words, on a device that keeps them and on one that does not."""

from pathlib import Path

import pytest
import yaml
from test_agent_plans import House

from botpsy_core.agent import PlanToolbox, TimerToolbox, Toolset
from botpsy_core.catalog import load_plan_tools, load_timer_tools
from botpsy_core.domain.events import TurnStatus
from botpsy_core.domain.verdicts import Reason
from botpsy_core.evaluate.simulated_timers import SimulatedTimers

SATELLITE = "satellite"
LIVES = yaml.safe_load(Path(__file__).with_name("timers.yaml").read_text("utf-8"))


class Kitchen(House):
    """A house with one satellite that rings, and perhaps somebody who can be written to."""

    def __init__(self, clock, recipient=None) -> None:
        super().__init__(clock)
        self.timers = SimulatedTimers(clock.now, devices=[SATELLITE], recipient=recipient)
        boxes = (self.home, PlanToolbox(self.plans, load_plan_tools()))
        self.toolbox = Toolset((*boxes, TimerToolbox(self.timers, self.plans, clock, load_timer_tools())))

    async def ask(self, text, **more):
        return await self.say(text, **{"device_id": SATELLITE, **more})

    @property
    def running(self):
        return [(t.name, t.left, t.active) for t in self.timers.timers(self.context())]


@pytest.mark.parametrize("language", LIVES)
async def test_a_timer_lives_in_every_language(clock, language):
    kitchen = Kitchen(clock)
    start, pause, resume, extend, shorten, tell, cancel = LIVES[language]
    lefts = []
    for sentence in (start, pause, resume, extend, shorten):
        ended = await kitchen.ask(sentence, language=language)
        assert (sentence, ended.status) == (sentence, TurnStatus.DONE)
        lefts += [(left, active) for _, left, active in kitchen.running]
        clock.seconds += 10
    told = await kitchen.ask(tell, language=language)
    gone = await kitchen.ask(cancel, language=language)

    assert lefts == [(600, True), (590, False), (590, True), (880, True), (750, True)]
    assert [c.name for c in told.calls] == ["get_timers"]
    assert (gone.status, kitchen.running) == (TurnStatus.DONE, [])


@pytest.mark.parametrize(
    ("text", "name", "seconds"),
    [
        ("pizza timer 12 minutes", "pizza", 720),
        ("set a pizza timer for 12 minutes", "pizza", 720),
        ("timer for 5 minutes", "", 300),
        ("set a timer for the pasta for nine minutes", "pasta", 540),
        ("set a timer for ten minutes called tea", "tea", 600),
        ("add a timer for five minutes", "", 300),
        ("set a timer for an hour and a half", "", 5400),
    ],
)
async def test_a_timer_has_a_name_and_a_length(clock, text, name, seconds):
    kitchen = Kitchen(clock)
    await kitchen.ask(text)
    assert kitchen.running == [(name, seconds, True)]


@pytest.mark.parametrize(
    "text",
    [
        "the pizza timer takes 12 minutes",
        "the timer was five minutes",
        "the timer is set to ten minutes",
        "don't set a timer for ten minutes",
        "how do I set a timer for ten minutes?",
        "if it rains set a timer for ten minutes",
        "set a timer",
        "set a timer for three days",
        "add a timer to the shopping list",
        "tell the phone that the timer is ten minutes",
    ],
)
async def test_nothing_else_starts_one(clock, text):
    kitchen = Kitchen(clock)
    await kitchen.ask(text)
    assert kitchen.running == []


async def test_the_one_that_is_named_is_meant(clock):
    kitchen = Kitchen(clock)
    await kitchen.ask("pizza timer 12 minutes")
    await kitchen.ask("set a timer for five minutes")
    asked = await kitchen.ask("cancel the timer")
    unknown = await kitchen.ask("cancel the pasta timer")
    await kitchen.ask("cancel the pizza timer")

    assert (asked.status, asked.reason) == (TurnStatus.REFUSED, Reason.UNSAFE_NOW)
    assert "pizza" in asked.reply
    assert unknown.status is TurnStatus.REFUSED
    assert kitchen.running == [("", 300, True)]


async def test_a_device_without_timers_says_so(clock):
    kitchen = Kitchen(clock)
    ended = await kitchen.ask("set a timer for ten minutes", device_id="phone")

    assert (ended.status, kitchen.running) == (TurnStatus.REFUSED, [])
    assert "keeps no timers" in ended.reply


async def test_where_no_timer_is_kept_a_message_is_offered_and_is_as_good(clock):
    kitchen = Kitchen(clock, recipient="notify.phone")
    offered = await kitchen.ask("set a pizza timer for ten minutes", device_id="phone")
    before = kitchen.plans.acts
    agreed = await kitchen.ask("yes", device_id="phone")
    clock.seconds += 60
    told = await kitchen.ask("how long is left on the timer", device_id="phone")
    await kitchen.ask("add five minutes to the pizza timer", device_id="phone")
    held = await kitchen.ask("pause the timer", device_id="phone")
    (act,) = kitchen.plans.acts

    assert (offered.status, before, agreed.status) == (TurnStatus.ASKED, (), TurnStatus.DONE)
    assert "9 minutes" in told.reply
    assert "pizza" in told.reply
    assert held.status is TurnStatus.REFUSED
    assert (act.call.name, act.call.args["message"]) == ("send_message", "The time is up: pizza, 10 minutes.")
    assert (act.at - clock.now()).total_seconds() == 14 * 60
    await kitchen.ask("cancel the timer", device_id="phone")
    assert kitchen.plans.acts == ()


async def test_what_is_to_be_done_later_is_no_timer(clock):
    kitchen = Kitchen(clock)
    await kitchen.ask("turn off the kitchen light in ten minutes")

    assert (len(kitchen.plans.acts), kitchen.running) == (1, [])
