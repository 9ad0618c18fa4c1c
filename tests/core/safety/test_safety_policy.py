"""The policy is data: read, merged, and refused where it is wrong."""

import pytest
from safety_scene import HOME, OPEN, TURN_ON, tool
from safety_scene import said as words_of

from botpsy_core.domain.home import Entity, Part
from botpsy_core.domain.tools import Direction, Risk
from botpsy_core.domain.verdicts import AskKind
from botpsy_core.errors import ConfigurationInvalid
from botpsy_core.safety import load_policy
from botpsy_core.safety.grounding import ways_left


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"classes": {"security": {"confirm": "shout"}}}, "security"),
        ({"clases": {}}, "clases"),
        ({"entities": {"lock.front": {"hours": ["25:00", "06:00"]}}}, "hours"),
        ({"confirmation": {"tries": 0}}, "tries"),
    ],
)
def test_a_wrong_change_names_its_place(changes, words):
    with pytest.raises(ConfigurationInvalid, match=words):
        load_policy(changes)


def test_changes_are_merged_key_by_key():
    policy = load_policy({"classes": {"security": {"max_targets": 3}}})
    assert policy.classes[Risk.SECURITY].max_targets == 3
    assert policy.classes[Risk.SECURITY].confirm is AskKind.PIN


@pytest.mark.parametrize(
    ("kind", "direction", "risk", "confirm"),
    [
        ("lock", Direction.UNLOCK, Risk.SECURITY, AskKind.PIN),
        ("lock", Direction.LOCK, Risk.COMFORT, None),
        ("cover.garage", Direction.OPEN, Risk.SECURITY, AskKind.PIN),
        ("cover.garage", None, Risk.SECURITY, AskKind.PIN),
        ("cover.gate", Direction.CLOSE, Risk.SECURITY, AskKind.CONFIRM),
        ("cover.blind", Direction.OPEN, Risk.COMFORT, None),
        ("cover.window", Direction.OPEN, Risk.SECURITY, AskKind.PIN),
        ("valve.gas", Direction.OPEN, Risk.HAZARD, AskKind.PIN),
        ("valve", Direction.OPEN, Risk.SECURITY, AskKind.CONFIRM),
        ("alarm_control_panel", Direction.OFF, Risk.SECURITY, AskKind.PIN),
        ("siren", Direction.ON, Risk.SECURITY, AskKind.CONFIRM),
        ("camera", Direction.OFF, Risk.SECURITY, AskKind.PIN),
        ("script", Direction.START, Risk.SECURITY, AskKind.CONFIRM),
        ("scene", Direction.ON, Risk.COST, AskKind.CONFIRM),
        ("update", Direction.START, Risk.FORBIDDEN, AskKind.PIN),
        ("light", Direction.ON, Risk.COMFORT, None),
    ],
)
def test_every_kind_of_thing_has_its_class(kind, direction, risk, confirm):
    domain, _, device_class = kind.partition(".")
    entity = Entity(id=f"{domain}.one", name="One", device_class=device_class or None)
    stake = load_policy().stake(tool(direction=direction), (entity,))
    assert (stake.risk, stake.confirm) == (risk, confirm)


@pytest.mark.parametrize(
    ("name", "direction", "risk"),
    [
        ("Oven", Direction.ON, Risk.SECURITY),
        ("Heizlüfter Bad", Direction.ON, Risk.SECURITY),
        ("Oven", Direction.OFF, Risk.COMFORT),
        ("Smoke detector", Direction.OFF, Risk.HAZARD),
        ("Oxygen concentrator", Direction.OFF, Risk.HAZARD),
        ("Freezer", Direction.OFF, Risk.SECURITY),
        ("Garage Door", Direction.ON, Risk.SECURITY),
        ("Garage Light", Direction.ON, Risk.COMFORT),
        ("Coffee machine", Direction.ON, Risk.COMFORT),
        ("Environment lamp", Direction.ON, Risk.COMFORT),
    ],
)
def test_a_name_tells_what_hangs_on_a_switch(name, direction, risk):
    entity = Entity(id="switch.one", name=name)
    assert load_policy().stake(tool(direction=direction), (entity,)).risk is risk


@pytest.mark.parametrize("name", ["Kitchen-Oven", "Oven (left)", "Anna's oven"])
def test_a_short_word_counts_between_any_marks(name):
    assert load_policy().stake(TURN_ON, (Entity(id="switch.one", name=name),)).risk is Risk.SECURITY


@pytest.mark.parametrize(
    ("part", "risk", "confirm"),
    [
        (Part(entity=Entity(id="switch.oven", name="Oven")), Risk.SECURITY, AskKind.CONFIRM),
        (Part(entity=Entity(id="switch.oven", name="Oven"), ways=frozenset({Direction.OFF})), Risk.COMFORT, None),
        (Part(entity=HOME.entity("lock.front"), ways=frozenset({Direction.UNLOCK})), Risk.SECURITY, AskKind.PIN),
        (Part(entity=HOME.entity("lock.front"), ways=frozenset({Direction.LOCK})), Risk.COMFORT, None),
        (Part(entity=HOME.entity("lock.front"), ways=frozenset()), Risk.SECURITY, AskKind.PIN),
    ],
    ids=["as the whole goes", "a way of its own", "opened by it", "locked by it", "nobody knows"],
)
def test_a_whole_is_as_bad_as_the_worst_that_it_moves(part, risk, confirm):
    stake = load_policy().stake(TURN_ON, (Entity(id="switch.all", name="All", parts=(part,)),))
    assert (stake.risk, stake.confirm) == (risk, confirm)


def test_the_owners_word_about_a_whole_counts_for_all_that_it_moves():
    part = Part(entity=Entity(id="switch.oven", name="Oven"))
    policy = load_policy({"entities": {"switch.all": {"risk": "comfort"}}})
    assert policy.stake(TURN_ON, (Entity(id="switch.all", name="All", parts=(part,)),)).risk is Risk.COMFORT


@pytest.mark.parametrize(("name", "risk"), [("Garage door", Risk.SECURITY), ("Outdoor blind", Risk.COMFORT)])
def test_a_door_without_a_class_is_still_a_door(name, risk):
    assert load_policy().stake(OPEN, (Entity(id="cover.one", name=name),)).risk is risk


@pytest.mark.parametrize(
    ("also", "said", "risk"),
    [
        ({Direction.LOCK, Direction.OPEN}, [Direction.LOCK], Risk.COMFORT),
        ({Direction.LOCK, Direction.OPEN}, [Direction.OPEN], Risk.SECURITY),
        ({Direction.LOCK, Direction.OPEN}, [], Risk.SECURITY),
        ({Direction.LOCK, Direction.UNLOCK}, [Direction.LOCK], Risk.SECURITY),
    ],
    ids=["locking", "opening", "nothing said", "it may do either"],
)
def test_a_tool_of_several_ways_is_judged_by_those_that_the_words_leave(also, said, risk):
    both = tool(also=frozenset(also))
    clause, _ = words_of("do it", directions=said)
    stake = load_policy().stake(both, (HOME.entity("lock.front"),), ways=ways_left(both, clause))
    assert stake.risk is risk


def test_the_worst_of_several_targets_counts_and_the_strictest_question():
    lamp, garage = HOME.entity("light.hall"), HOME.entity("cover.garage")
    assert load_policy().stake(TURN_ON, (lamp, garage)).risk is Risk.SECURITY
    scene = Entity(id="scene.one", name="One")
    stake = load_policy().stake(OPEN, (garage, scene))
    assert (stake.risk, stake.confirm) == (Risk.SECURITY, AskKind.PIN)


def test_the_worlds_floor_raises_and_never_lowers():
    policy = load_policy()
    lamp = HOME.entity("light.hall")
    assert policy.stake(TURN_ON, (lamp,), floor=Risk.HAZARD).risk is Risk.HAZARD
    assert policy.stake(tool(risk=Risk.SECURITY), (lamp,), floor=Risk.READ).risk is Risk.SECURITY
