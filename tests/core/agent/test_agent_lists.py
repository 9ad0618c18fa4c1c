"""What stands on lists: ticked off, removed and moved where it is found, and nothing else."""

from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from test_agent_plans import House

from botpsy_core.catalog import load_tools
from botpsy_core.domain.events import TurnStatus
from botpsy_core.domain.home import Entity
from botpsy_core.evaluate.demo_home import DEMO_HOME
from botpsy_core.evaluate.simulator import SimulatedHome

SAID = yaml.safe_load(Path(__file__).with_name("lists.yaml").read_text("utf-8"))
SHOPPING, WORK = "todo.shopping_list", "todo.work"
NAMES = {
    SHOPPING: (
        *("Einkaufsliste", "liste de courses", "lista de la compra", "lista della spesa", "lista de compras"),
        *("boodschappenlijst", "lista zakupów", "список покупок", "购物清单", "खरीदारी सूची"),
    ),
    WORK: (
        *("Arbeitsliste", "liste de travail", "lista de trabajo", "lista di lavoro", "lista de trabalho"),
        *("werklijst", "lista pracy", "рабочий список", "工作清单", "काम की सूची"),
    ),
}
DONE = [(language, text) for language, said in SAID.items() for text in said["done"]]


@pytest.fixture
def house(clock) -> House:
    """Return a home with two lists that have a name in each language."""
    made = House(clock)
    lists = (Entity(id=WORK, name="Work List", state="0"), *DEMO_HOME.entities)
    named = tuple(sorted((replace(e, aliases=NAMES.get(e.id, ())) for e in lists), key=lambda e: e.id))
    made.home = SimulatedHome(replace(DEMO_HOME, entities=named), load_tools(), now=clock.now)
    made.start()
    return made


def put(house: House, *items: str, on: str = SHOPPING) -> None:
    house.home.items[on] = [{"summary": item, "status": "needs_action"} for item in items]


def left(house: House, on: str = SHOPPING) -> list[str]:
    return [str(item["summary"]) for item in house.home.items.get(on, [])]


@pytest.mark.parametrize(("language", "text"), DONE)
async def test_what_is_there_already_is_ticked_off(house, language, text):
    put(house, SAID[language]["item"], "other")
    ended = await house.say(text, language=language)

    assert (ended.status, left(house)) == (TurnStatus.DONE, ["other"])
    assert SAID[language]["item"] in ended.reply


@pytest.mark.parametrize("language", [language for language, said in SAID.items() if "move" in said])
async def test_an_item_moves_to_another_list(house, language):
    put(house, SAID[language]["item"], "other")
    ended = await house.say(SAID[language]["move"], language=language)

    assert ended.status is TurnStatus.DONE
    assert (left(house), left(house, WORK)) == (["other"], [SAID[language]["item"]])


@pytest.mark.parametrize(
    "text", ["we have guests tomorrow", "we have milk", "the milk is done", "tick off milk", "take milk off the list"]
)
async def test_what_is_on_no_list_changes_nothing(house, text):
    put(house, "bread")
    await house.say(text)

    assert left(house) == ["bread"]


async def test_several_at_once_are_found_where_they_are_and_the_rest_is_told(house):
    put(house, "milk", "eggs")
    put(house, "butter", on=WORK)
    ended = await house.say("tick off eggs, butter and salt")

    assert (left(house), left(house, WORK)) == (["milk"], [])
    assert ended.reply.endswith("\u201csalt\u201d is on no list.")


async def test_what_is_on_two_lists_is_asked_by_its_list(house):
    put(house, "milk")
    put(house, "milk", on=WORK)
    told = await house.say("we have milk")
    await house.say("remove milk from the work list")

    assert "more than one list" in told.reply
    assert (left(house), left(house, WORK)) == (["milk"], [])


async def test_what_is_on_the_other_list_already_is_not_moved_there_twice(house):
    put(house, "milk")
    put(house, "Milk", on=WORK)
    ended = await house.say("move milk from the shopping list to the work list")

    assert ended.status is TurnStatus.REFUSED
    assert (left(house), left(house, WORK)) == (["milk"], ["Milk"])
