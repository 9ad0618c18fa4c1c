"""Acts that wait for something to happen: understood in each language, done once when it does, never done at once."""

from dataclasses import replace
from datetime import timedelta

import pytest
from test_agent_plans import House

from botpsy_core.agent import Missed, run
from botpsy_core.agent.awaiting import PATIENCE
from botpsy_core.catalog import load_tools
from botpsy_core.domain.context import Origin
from botpsy_core.domain.events import TurnStatus
from botpsy_core.domain.home import Entity
from botpsy_core.domain.messages import Transcript
from botpsy_core.evaluate.demo_home import DEMO_HOME
from botpsy_core.evaluate.simulator import SimulatedHome

MORE = (
    Entity(id="binary_sensor.window", name="Window", device_class="window", state="off"),
    Entity(id="sensor.dryer", name="Dryer", state="running"),
    Entity(id="person.tom", name="Tom", state="not_home"),
)
HOME = replace(DEMO_HOME, entities=tuple(sorted((*DEMO_HOME.entities, *MORE), key=lambda e: e.id)))


@pytest.fixture
def house(clock) -> House:
    house = House(clock)
    house.home = SimulatedHome(HOME, load_tools(), now=clock.now)
    house.start()
    return house


async def say(house: House, text: str, language: str = "en"):
    turn = house.agent.turn(
        text,
        transcript=Transcript(),
        home=house.home.home,
        toolbox=house.toolbox,
        context=house.context(Origin.CHAT, language=language, person_id="person.tom"),
    )
    return await run(turn)


async def becomes(house: House, entity_id: str, state: str | None) -> None:
    entity = replace(house.home._states[entity_id], state=state)
    house.home._states[entity_id] = entity
    await house.plans.notice(entity)
    await house.wait(seconds=1)


SENTENCES = [
    ("en", "turn off the kitchen light when the dryer is done", "sensor.dryer", "done"),
    ("en", "when the window opens turn off the kitchen light", "binary_sensor.window", "open"),
    ("en", "as soon as I get home, turn off the kitchen light", "person.tom", "home"),
    ("de", "schalte das Kitchen Light aus, wenn Window aufgeht", "binary_sensor.window", "open"),
    ("de", "sobald der Dryer fertig ist, schalte das Kitchen Light aus", "sensor.dryer", "done"),
    ("de", "schalte das Kitchen Light aus, wenn ich nach Hause komme", "person.tom", "home"),
    ("fr", "éteins Kitchen Light quand Dryer est terminé", "sensor.dryer", "done"),
    ("fr", "quand je rentre, éteins Kitchen Light", "person.tom", "home"),
    ("es", "apaga Kitchen Light cuando Dryer termine", "sensor.dryer", "done"),
    ("es", "apaga Kitchen Light cuando Window se abra", "binary_sensor.window", "open"),
    ("it", "spegni Kitchen Light quando Dryer ha finito", "sensor.dryer", "done"),
    ("it", "quando Window si apre, spegni Kitchen Light", "binary_sensor.window", "open"),
    ("pt", "apaga Kitchen Light quando Dryer terminar", "sensor.dryer", "done"),
    ("pt", "apaga Kitchen Light quando Window abrir", "binary_sensor.window", "open"),
    ("nl", "zet Kitchen Light uit als Dryer klaar is", "sensor.dryer", "done"),
    ("nl", "zet Kitchen Light uit als Window opengaat", "binary_sensor.window", "open"),
    ("pl", "wyłącz Kitchen Light, kiedy Dryer skończy", "sensor.dryer", "done"),
    ("pl", "wyłącz Kitchen Light, kiedy Window się otworzy", "binary_sensor.window", "open"),
    ("ru", "выключи Kitchen Light, когда Dryer закончит", "sensor.dryer", "done"),
    ("ru", "когда Window откроется, выключи Kitchen Light", "binary_sensor.window", "open"),
    ("zh", "Dryer完成后关闭Kitchen Light", "sensor.dryer", "done"),
    ("zh", "Window打开的时候关闭Kitchen Light", "binary_sensor.window", "open"),
    ("hi", "जब Dryer पूरा हो जाए तो Kitchen Light बंद करो", "sensor.dryer", "done"),
    ("hi", "जब Window खुल जाए तो Kitchen Light बंद करो", "binary_sensor.window", "open"),
]
HAPPENS = {"sensor.dryer": "finished", "binary_sensor.window": "on", "person.tom": "home"}


@pytest.mark.parametrize(("language", "text", "entity_id", "way"), SENTENCES)
async def test_an_act_waits_for_what_was_said_and_is_done_once(house, language, text, entity_id, way):
    ended = await say(house, text, language)
    (act,) = house.plans.acts
    assert ended.status is TurnStatus.DONE
    assert (act.on.entity, act.on.way, act.targets) == (entity_id, way, ("light.kitchen",))
    await house.wait(hours=3)
    assert house.state("light.kitchen") == "on"
    await becomes(house, entity_id, HAPPENS[entity_id])
    assert house.state("light.kitchen") == "off"
    assert (house.plans.acts, [what for _, what in house.told]) == ((), [TurnStatus.DONE])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("tell me when the dryer is done", "the dryer is done"),
        ("remind me when I get home to water the plants", "water the plants"),
        ("remind me to water the plants when I get home", "water the plants"),
        ("tell the phone that dinner is ready when Tom gets home", "dinner is ready"),
    ],
)
async def test_a_message_waits_as_well(house, text, message):
    await say(house, text)
    await becomes(house, "sensor.dryer", "finished")
    await becomes(house, "person.tom", "home")
    assert [action.data["message"] for action in house.home.sent] == [message]


@pytest.mark.parametrize(
    "text",
    [
        "unlock the front door when I get home",
        "open the garage door when the window opens",
        "turn off the kitchen light when it rains",
        "turn off the kitchen light when the dryer is not done",
        "turn off the kitchen light when the coffee machine is done",
        "every time the window opens turn off the kitchen light",
        "when the window opens, is the kitchen light on?",
        "don't turn off the kitchen light when the window opens",
        "turn off the kitchen light when the dryer is done in ten minutes",
        "turn off a light when the dryer is done",
    ],
)
async def test_what_is_not_wholly_understood_or_must_not_wait_is_left(house, text):
    ended = await say(house, text)
    assert (ended.status, house.plans.acts, ended.calls) == (TurnStatus.REFUSED, (), ())
    assert house.state("light.kitchen") == "on"


async def test_being_so_already_is_not_what_was_waited_for(house):
    await becomes(house, "binary_sensor.window", "on")
    await say(house, "turn off the kitchen light when the window opens")
    await becomes(house, "binary_sensor.window", "on")
    assert house.state("light.kitchen") == "on"
    await becomes(house, "binary_sensor.window", None)
    await becomes(house, "binary_sensor.window", "off")
    await becomes(house, "binary_sensor.window", "on")
    assert house.state("light.kitchen") == "off"


async def test_it_is_told_with_what_it_waits_for_and_forgotten_by_voice(house):
    await say(house, "turn off the kitchen light when the dryer is done")
    assert "the dryer is done" in (await say(house, "what is planned?")).reply
    assert (await say(house, "forget the kitchen light")).status is TurnStatus.DONE
    await becomes(house, "sensor.dryer", "finished")
    assert house.state("light.kitchen") == "on"


async def test_after_all_patience_it_is_left_and_told(house):
    await say(house, "turn off the kitchen light when the dryer is done")
    await house.wait(seconds=PATIENCE.total_seconds() + 1)
    assert [what for _, what in house.told] == [Missed.NEVER]
    assert house.plans.acts == ()


@pytest.mark.parametrize(("meanwhile", "told"), [("finished", [Missed.UNSEEN]), ("running", [])])
async def test_a_restart_keeps_it_and_what_happened_meanwhile_is_told_and_left(house, meanwhile, told):
    await say(house, "turn off the kitchen light when the dryer is done")
    house.start()
    await house.plans.load()
    await becomes(house, "sensor.dryer", meanwhile)
    assert [what for _, what in house.told] == told
    assert house.state("light.kitchen") == "on"
    if not told:
        await becomes(house, "sensor.dryer", "finished")
        assert house.state("light.kitchen") == "off"


async def test_it_passes_the_gate_again(house):
    await say(house, "turn off the kitchen light when the dryer is done")
    house.home._states["light.kitchen"] = replace(house.home._states["light.kitchen"], state="off")
    del house.home._states["light.kitchen"]
    house.home._home = replace(
        house.home._home, entities=tuple(e for e in house.home._home.entities if e.id != "light.kitchen")
    )
    await becomes(house, "sensor.dryer", "finished")
    assert [what for _, what in house.told] == [TurnStatus.REFUSED]


async def test_changes_made_at_once_are_all_kept(house, clock):
    import asyncio

    await say(house, "turn off the kitchen light when the dryer is done")
    await say(house, "turn off the kitchen light when the window opens")
    entities = [replace(e, state=HAPPENS[e.id]) for e in MORE if e.id != "person.tom"]
    save = house.store.save

    async def slow(acts):
        await asyncio.sleep(0)
        await save(acts)

    house.store.save = slow
    await asyncio.gather(*(house.plans.notice(e) for e in entities))
    assert [act.on for act in house.plans.acts] == [None, None]
    assert {act.at for act in house.plans.acts} == {clock.now()}
    assert len(house.store.kept) == 2
    assert house.plans.next_at <= clock.now() + timedelta(seconds=1)


@pytest.mark.parametrize(
    ("language", "text", "message"),
    [
        ("en", "notify me that dinner is ready", "dinner is ready"),
        ("en", "send me a message that dinner is ready", "dinner is ready"),
        ("de", "benachrichtige mich, dass das Essen fertig ist", "das Essen fertig ist"),
        ("en", "tell Tom that dinner is ready", "dinner is ready"),
        ("de", "sag Tom, dass das Essen fertig ist", "das Essen fertig ist"),
        ("fr", "dis à Tom que le repas est prêt", "le repas est prêt"),
    ],
)
async def test_a_person_is_written_to_and_me_is_the_asker(house, language, text, message):
    more = Entity(id="notify.tablet", name="Tablet")
    house.home = SimulatedHome(replace(HOME, entities=(*HOME.entities, more)), load_tools(), now=house.clock.now)
    house.start()
    await say(house, text, language)
    assert [(a.entities, a.data["message"]) for a in house.home.sent] == [(("person.tom",), message)]


NUMBERS = [
    ("en", "turn on the coffee machine when the bedroom temperature is over 25"),
    ("en", "when the bedroom temperature rises above 25 degrees turn on the coffee machine"),
    ("de", "schalte Coffee Machine ein, wenn Bedroom Temperature über 25 Grad steigt"),
    ("fr", "allume Coffee Machine quand Bedroom Temperature dépasse 25"),
    ("es", "enciende Coffee Machine cuando Bedroom Temperature supere 25"),
    ("it", "accendi Coffee Machine quando Bedroom Temperature supera 25"),
    ("pt", "liga Coffee Machine quando Bedroom Temperature ultrapassa 25"),
    ("nl", "zet Coffee Machine aan als Bedroom Temperature boven 25 komt"),
    ("pl", "włącz Coffee Machine gdy Bedroom Temperature przekroczy 25"),
    ("ru", "включи Coffee Machine когда Bedroom Temperature превысит 25"),
    ("hi", "जब Bedroom Temperature 25 से ऊपर हो तो Coffee Machine चालू करो"),
]


@pytest.mark.parametrize(("language", "text"), NUMBERS)
async def test_a_number_is_waited_for(house, language, text):
    ended = await say(house, text, language)
    (act,) = house.plans.acts

    assert (ended.status, act.call.name, act.call.args) == (
        TurnStatus.DONE,
        "turn_on",
        {"target": ["switch.coffee_machine"]},
    )
    assert act.on is not None
    assert (act.on.entity, act.on.way, act.on.seen) == ("sensor.bedroom_temperature", "above:25", True)


async def test_it_is_done_once_the_number_is_passed_and_not_before(house):
    await say(house, "turn on the coffee machine when the bedroom temperature is over 25")
    await becomes(house, "sensor.bedroom_temperature", "25")
    before = house.home.home.entity("switch.coffee_machine").state
    await becomes(house, "sensor.bedroom_temperature", "25.1")

    assert (before, house.home.home.entity("switch.coffee_machine").state) == ("off", "on")
    assert house.plans.acts == ()


@pytest.mark.parametrize(
    "text",
    [
        "turn on the coffee machine when the temperature is over 77 °F",
        "turn on the coffee machine when the bedroom temperature is over 25 and under 30",
        "turn on the coffee machine every time the bedroom temperature is over 25",
        "unlock the front door when the bedroom temperature is over 25",
        "turn on the coffee machine when the kitchen light is over 25",
    ],
)
async def test_what_is_no_one_number_of_one_thing_is_not_waited_for(house, text):
    before = house.home.home.entities
    await say(house, text)

    assert (house.plans.acts, house.home.home.entities) == ((), before)
