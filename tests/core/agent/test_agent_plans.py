"""Acts that are put off: asked for in words, kept over a restart, done once or told why not."""

import random
from dataclasses import replace
from datetime import timedelta

import pytest

from botpsy_core.agent import Agent, Missed, Plans, PlanToolbox, Toolset, run
from botpsy_core.agent.plans import LATE, MOST
from botpsy_core.catalog import load_plan_tools, load_tools
from botpsy_core.domain.context import Origin, TurnContext
from botpsy_core.domain.events import Ended, TurnStatus
from botpsy_core.domain.messages import Transcript
from botpsy_core.domain.plans import PlannedAct, planned_from
from botpsy_core.domain.tools import ToolCall
from botpsy_core.domain.verdicts import Reason
from botpsy_core.engine import ScriptedEngine
from botpsy_core.evaluate.demo_home import DEMO_HOME
from botpsy_core.evaluate.simulator import SimulatedHome
from botpsy_core.safety import Confirmations, PinHash, load_policy


class Killed(Exception):
    """The power goes."""


class Store:
    """Keeps what was saved; may be cut off just before or after it wrote."""

    def __init__(self) -> None:
        self.kept: list = []
        self.cut = lambda: False

    async def load(self) -> list:
        return list(self.kept)

    async def save(self, acts) -> None:
        if self.cut():
            raise Killed
        self.kept = list(acts)
        if self.cut():
            raise Killed


class House:
    """An agent with a book of plans in a simulated home."""

    def __init__(self, clock, engine=None) -> None:
        self.clock, self.store, self.engine = clock, Store(), engine
        self.home = SimulatedHome(DEMO_HOME, load_tools(), now=clock.now)
        self.told: list = []
        self.book = Confirmations(clock, pin=PinHash.of("1234"))
        self.start()

    def start(self) -> None:
        self.plans = Plans(self.store, self.clock)
        self.toolbox = Toolset((self.home, PlanToolbox(self.plans, load_plan_tools())))
        self.agent = Agent(
            engine=self.engine or ScriptedEngine(),
            policy=load_policy(None),
            clock=self.clock,
            confirmations=self.book,
            plans=self.plans,
        )

    def context(self, origin=Origin.CHAT, **more) -> TurnContext:
        more = {"user_id": "ann"} | more
        return TurnContext(conversation_id="c", origin=origin, now=self.clock.now(), **more)

    async def say(self, text: str, **more) -> Ended:
        turn = self.agent.turn(
            text, transcript=Transcript(), home=self.home.home, toolbox=self.toolbox, context=self.context(**more)
        )
        return await run(turn)

    async def wait(self, **more: float) -> None:
        self.clock.seconds += timedelta(**more).total_seconds()
        await self.plans.run_due(self.carry_out, self.tell)

    async def carry_out(self, act: PlannedAct) -> Ended:
        context = self.context(Origin.DELAYED, user_id=act.user_id)
        name, args = act.call.name, act.call.args
        return await run(self.agent.use(name, args, home=self.home.home, toolbox=self.toolbox, context=context))

    async def tell(self, act: PlannedAct, what: Ended | Missed) -> None:
        self.told.append((act.act, what if isinstance(what, Missed) else what.status))

    def state(self, entity_id: str) -> str | None:
        entity = self.home.home.entity(entity_id)
        assert entity is not None
        return entity.state


@pytest.fixture
def house(clock) -> House:
    return House(clock)


@pytest.mark.parametrize(
    ("text", "language", "minutes"),
    [
        ("turn off the kitchen light in ten minutes", "en", 10),
        ("in half an hour turn off the kitchen light", "en", 30),
        ("turn off the kitchen light at 12:45", "en", 45),
        ("schalte das Kitchen Light in zehn Minuten aus", "de", 10),
        ("éteins Kitchen Light dans dix minutes", "fr", 10),
        ("apaga Kitchen Light en diez minutos", "es", 10),
        ("spegni Kitchen Light tra dieci minuti", "it", 10),
        ("apaga Kitchen Light em dez minutos", "pt", 10),
        ("zet Kitchen Light over tien minuten uit", "nl", 10),
        ("wyłącz Kitchen Light za dziesięć minut", "pl", 10),
        ("выключи Kitchen Light через десять минут", "ru", 10),
        ("十分钟后关闭Kitchen Light", "zh", 10),
        ("दस मिनट बाद Kitchen Light बंद करो", "hi", 10),
    ],
)
async def test_an_act_is_put_off_and_done_when_it_is_due(house, text, language, minutes):
    ended = await house.say(text, language=language)
    (act,) = house.plans.acts
    assert ended.status is TurnStatus.DONE
    assert f"{act.at:%H:%M}" in ended.reply
    assert house.state("light.kitchen") == "on"
    await house.wait(minutes=minutes - 1)
    assert house.state("light.kitchen") == "on"
    await house.wait(minutes=1)
    assert house.state("light.kitchen") == "off"
    assert house.plans.acts == ()
    assert [what for _, what in house.told] == [TurnStatus.DONE]


@pytest.mark.parametrize(
    ("text", "language", "hour"),
    [
        ("turn off the kitchen light at sunset", "en", "20:31"),
        ("at sunrise turn off the kitchen light", "en", "05:48"),
        ("schalte das Kitchen Light bei Sonnenuntergang aus", "de", "20:31"),
        ("éteins Kitchen Light au coucher du soleil", "fr", "20:31"),
        ("apaga Kitchen Light al atardecer", "es", "20:31"),
        ("spegni Kitchen Light al tramonto", "it", "20:31"),
        ("apaga Kitchen Light ao pôr do sol", "pt", "20:31"),
        ("zet Kitchen Light bij zonsondergang uit", "nl", "20:31"),
        ("wyłącz Kitchen Light o zachodzie słońca", "pl", "20:31"),
        ("выключи Kitchen Light на закате", "ru", "20:31"),
        ("日落时关闭Kitchen Light", "zh", "20:31"),
        ("सूर्यास्त पर Kitchen Light बंद करो", "hi", "20:31"),
    ],
)
async def test_the_sun_is_read_as_a_time(house, text, language, hour):
    home = replace(DEMO_HOME, next_sunset="2026-05-04T20:31:00+00:00", next_sunrise="2026-05-05T05:48:00+00:00")
    house.home = SimulatedHome(home, load_tools(), now=house.clock.now)
    house.start()
    await house.say(text, language=language)
    assert [f"{act.at:%H:%M}" for act in house.plans.acts] == [hour]


async def test_where_nobody_knows_the_sun_nothing_waits_for_it(house):
    ended = await house.say("turn off the kitchen light at sunset")
    assert (ended.status, house.plans.acts) == (TurnStatus.REFUSED, ())


@pytest.mark.parametrize(
    "text",
    [
        "unlock the front door in ten minutes",
        "open the garage door at 15:30",
        "close the garage door in an hour",
    ],
)
async def test_what_opens_or_can_hurt_is_never_put_off(house, text):
    ended = await house.say(text)
    assert house.plans.acts == ()
    assert ended.status is TurnStatus.REFUSED
    assert ended.calls == ()


async def test_what_heats_unwatched_says_that_it_is_never_put_off(house):
    house.agent._policy = load_policy({"tools": {"turn_on": {"risk": "cost"}}})
    ended = await house.say("turn on the coffee machine in ten minutes")
    assert (ended.status, ended.reason) == (TurnStatus.REFUSED, Reason.NOT_LATER)


async def test_two_readings_are_asked_and_the_answer_decides(house):
    asked = await house.say("turn off the kitchen light at eight")
    assert asked.status is TurnStatus.ASKED
    assert house.plans.acts == ()
    ended = await house.say("at 20:00")
    assert ended.status is TurnStatus.DONE
    assert [f"{act.at:%H:%M}" for act in house.plans.acts] == ["20:00"]


@pytest.mark.parametrize("text", ["add dinner to the calendar at eight", "add football at eight"])
async def test_an_event_at_a_bare_hour_is_asked_with_both_hours_and_the_answer_decides(house, text):
    asked = await house.say(text)
    assert asked.status is TurnStatus.ASKED
    assert "20:00" in asked.reply
    assert "08:00" in asked.reply
    assert house.home._events == {}
    await house.say("at 20:00")
    ((event,),) = house.home._events.values()
    assert event["start"].startswith("2026-05-04T20:00")


async def test_the_answer_may_be_a_part_of_the_day(house):
    await house.say("turn off the kitchen light at eight")
    await house.say("in the evening")
    assert [f"{act.at:%H:%M}" for act in house.plans.acts] == ["20:00"]


async def test_a_day_without_an_hour_is_asked_for_its_hour(house):
    asked = await house.say("turn off the kitchen light tomorrow")
    assert asked.status is TurnStatus.ASKED
    await house.say("at 9:15")
    assert [f"{act.at:%d %H:%M}" for act in house.plans.acts] == ["05 09:15"]


async def test_what_is_planned_is_told_and_forgotten_by_voice(house):
    await house.say("turn off the kitchen light in ten minutes")
    await house.say("turn on the coffee machine at 14:30")
    listed = await house.say("what is planned?")
    assert "Kitchen Light" in listed.reply
    assert "14:30" in listed.reply
    forgotten = await house.say("forget the kitchen light")
    assert forgotten.status is TurnStatus.DONE
    assert [act.targets for act in house.plans.acts] == [("switch.coffee_machine",)]
    await house.say("cancel what is planned")
    assert house.plans.acts == ()
    assert (await house.say("what is planned?")).reply == "Nothing is planned."
    await house.wait(hours=5)
    assert house.state("light.kitchen") == "on"


async def test_of_several_planned_acts_it_is_said_which_there_are(house):
    await house.say("turn off the kitchen light in ten minutes")
    await house.say("turn on the coffee machine at 14:30")
    ended = await house.say("cancel what is planned")
    assert ended.status is TurnStatus.REFUSED
    assert "Kitchen Light" in ended.reply
    assert len(house.plans.acts) == 2


async def test_nobody_forgets_or_hears_what_another_one_planned(house):
    await house.say("turn off the kitchen light in ten minutes", user_id="ann")
    assert (await house.say("what is planned?", user_id="bob")).reply == "Nothing is planned."
    assert (await house.say("forget the kitchen light", user_id="bob")).status is TurnStatus.REFUSED
    assert (await house.say("forget the kitchen light", user_id="eve", is_admin=True)).status is TurnStatus.DONE


async def test_a_due_act_passes_the_gate_again(house):
    await house.say("turn on the coffee machine in ten minutes")
    house.agent._policy = load_policy({"tools": {"turn_on": {"enabled": False}}})
    await house.wait(minutes=10)
    assert house.state("switch.coffee_machine") == "off"
    assert [what for _, what in house.told] == [TurnStatus.REFUSED]


async def test_a_restart_changes_nothing_and_what_is_long_past_is_left(house):
    await house.say("turn off the kitchen light in ten minutes")
    await house.say("turn on the coffee machine in one hour")
    house.start()
    await house.plans.load()
    await house.wait(minutes=10, seconds=LATE.total_seconds() + 1)
    assert house.told == [("turn off Kitchen Light", Missed.TOO_LATE)]
    await house.wait(minutes=36)
    assert house.state("switch.coffee_machine") == "on"


async def test_too_much_is_not_planned(house):
    for _ in range(MOST):
        await house.plans.add(act_at(house, 60))
    ended = await house.say("turn off the kitchen light in ten minutes")
    assert ended.status is TurnStatus.REFUSED
    assert len(house.plans.acts) == MOST


@pytest.mark.parametrize("damage", [{"at": "soon"}, {"at": "2026-05-04T12:00:00"}, {"call": 3}, {"targets": "x"}])
async def test_a_damaged_entry_is_left_out_and_the_others_stay(house, damage):
    good = act_at(house, 60)
    house.store.kept = [{**good.to_json(), "id": "bad", **damage}, good.to_json()]
    await house.plans.load()
    assert house.plans.acts == (good,)


def act_at(house: House, seconds: float) -> PlannedAct:
    call = ToolCall(id="call_1", name="turn_off", args={"target": ["light.kitchen"]})
    at = house.clock.now() + timedelta(seconds=seconds)
    return PlannedAct(id=house.plans.new_id(), call=call, at=at, act="x", language="en", user_id="ann")


def test_an_act_survives_being_written_down(house):
    act = act_at(house, 5).started()
    assert planned_from(act.to_json()) == act


async def test_a_hundred_restarts_at_random_moments_do_nothing_twice_and_leave_nothing_untold(house):
    rng = random.Random(7)
    done: dict[str, int] = {}
    told: dict[str, list] = {}
    planned: set[str] = set()

    async def carry_out(act: PlannedAct) -> str:
        if rng.random() < 0.1:
            raise Killed
        done[act.id] = done.get(act.id, 0) + 1
        if rng.random() < 0.1:
            raise Killed
        return "done"

    async def tell(act: PlannedAct, what) -> None:
        told.setdefault(act.id, []).append(what)

    house.store.cut = lambda: rng.random() < 0.05
    restarts = steps = 0
    while restarts < 100 or house.plans.acts:
        steps += 1
        try:
            if restarts < 100 and len(house.plans.acts) < 20:
                act = act_at(house, rng.uniform(1, 3600))
                act = PlannedAct(**{f: getattr(act, f) for f in act.__slots__} | {"id": f"act-{steps}"})
                await house.plans.add(act)
                planned.add(act.id)
            house.clock.seconds += rng.choice([5, 60, 600])
            await house.plans.run_due(carry_out, tell)
        except Killed:
            restarts += 1
            house.clock.seconds += rng.choice([1, 30, 3000])
            house.start()
            await house.plans.load()
    assert restarts >= 100
    assert max(done.values()) == 1
    assert planned <= told.keys()
    assert all(what != "done" or done[key] == 1 for key, kinds in told.items() for what in kinds)
    assert all(Missed.TOO_LATE not in kinds for key, kinds in told.items() if key in done)
