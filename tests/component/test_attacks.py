"""Random talk with a dangerous home in a real Home Assistant: nothing risky happens unconfirmed.

`BOTPSY_HOUSE_TURNS=1000` makes it that many turns instead of a few. The oracle looks at states alone.
"""

import os
import random
from pathlib import Path
from typing import Any

import pytest
import yaml
from homeassistant.components import conversation
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.components.switch import SwitchEntity
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers.entity import Entity
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockUser, async_capture_events

from custom_components.botpsy.engines import ENGINE_BUILDER
from custom_components.botpsy.pins import hashed
from tests.component.loading import load
from tests.component.world import Garage, Light, Lock, Thing
from tests.core.agent.eager_engine import EagerEngine

TURNS = int(os.environ.get("BOTPSY_HOUSE_TURNS", "500"))
TALKS = 2
PIN = "4711"
PIECES = yaml.safe_load((Path(__file__).parents[1] / "core" / "agent" / "attacks.yaml").read_text())
POLICY = """
classes: {comfort: {per_minute: 9999}, cost: {per_minute: 9999}, security: {per_minute: 9999}}
confirmation: {tries: 10}
"""
"""The attack takes seconds and would else be stopped by its rate alone."""
ANSWERS = ("yes", "no", "ok", "do it", "sure", "never mind", "yes, thanks", "4711", "the first one", "both")
NEEDS_PIN = {
    "lock.front_door": "unlocked",
    "lock.neighbour_s_door": "unlocked",
    "cover.garage_door": "opening",
    "switch.smoke_alarm": "off",
    "switch.oxygen_concentrator": "off",
    "switch.tiny_act": "off",
}
NEEDS_YES = {"switch.oven": "on", "switch.space_heater": "on", "switch.freezer": "off", "cover.garage_door": "closed"}


class Plug(Thing, SwitchEntity):
    """A switch that works."""

    def __init__(self, name: str, unique_id: str, *, on: bool) -> None:
        super().__init__(name, unique_id)
        self._attr_is_on = on

    async def async_turn_on(self, **kwargs: Any) -> None:
        self._attr_is_on = True
        self.async_write_ha_state()

    async def async_turn_off(self, **kwargs: Any) -> None:
        self._attr_is_on = False
        self.async_write_ha_state()


async def dangerous_home(hass: HomeAssistant) -> None:
    things: dict[str, list[Entity]] = {
        "light": [Light("Hall light", "hall"), Light("Nursery light", "nursery")],
        "lock": [Lock("Front door", "front"), Lock("Neighbour's door", "neighbour")],
        "cover": [Garage("Garage door", "garage")],
        "switch": [
            *(Plug(name, name, on=True) for name in ("Smoke alarm", "Oxygen concentrator", "Freezer")),
            *(Plug(name, name, on=False) for name in ("Oven", "Space heater")),
        ],
    }
    for domain, entities in things.items():
        assert await async_setup_component(hass, domain, {})
        await hass.data[domain].async_add_entities(entities)
        for entity in entities:
            async_expose_entity(hass, "conversation", entity.entity_id, should_expose=True)
    await hass.async_block_till_done()


class Attack:
    """One talk: random words, answers and PINs, by every way in."""

    def __init__(self, hass: HomeAssistant, seed: int, users: list[str | None], device_id: str) -> None:
        self.hass = hass
        self.dice = random.Random(seed)
        self.users = users
        self.user, self.talk = users[0], "a"
        self.device_id = device_id
        self.turns = async_capture_events(hass, "botpsy_turn")
        self.names = [state.name for state in hass.states.async_all(("lock", "cover", "switch", "light"))]
        self.things = [*PIECES["things"], *self.names]

    def states(self) -> dict[str, str]:
        return {s.entity_id: s.state for s in self.hass.states.async_all(("lock", "cover", "switch"))}

    def words(self) -> str:
        pick = self.dice.choice
        if pick((True, False)):
            return f"{pick(('unlock', 'open', 'close', 'turn on', 'turn off'))} the {pick(self.names)}"
        return str(pick(PIECES["frames"])).format(
            verb=pick(PIECES["verbs"]), thing=pick(self.things), verb2=pick(PIECES["verbs"]), thing2=pick(self.things)
        )

    async def step(self) -> tuple[str, bool, bool]:
        """Do one thing; return what it was, whether a right PIN and whether a yes was given."""
        asked = bool(self.turns) and self.turns[-1].data["status"] == "asked"
        weights = [1, 0, 0, 4, 8] if asked else [4, 2, 2, 1, 1]
        kind = self.dice.choices(["chat", "voice", "run", "answer", "confirm"], weights=weights)[0]
        if not asked or self.dice.random() < 0.2:  # else the one who was asked answers
            self.user, self.talk = self.dice.choice(self.users), self.dice.choice("ab")
        context, talk = Context(user_id=self.user), self.talk
        if kind == "confirm":
            pending = [each.data["pending"] for each in self.turns[-3:] if each.data["pending"]]
            pin = self.dice.choices([PIN, "0000", None], weights=[8, 1, 3])[0]
            accept = self.dice.choices([True, None, False], weights=[4, 1, 1])[0]
            which = {"pending": self.dice.choice(pending)} if pending else {"conversation_id": talk}
            data = which | ({"pin": pin} if pin else {}) | ({} if accept is None else {"accept": accept})
            await self.hass.services.async_call("botpsy", "confirm", data, blocking=True, context=context)
            return f"confirm {data}", pin == PIN and accept is not False, accept is True
        if kind == "run":
            text = self.words()
            data = {"text": text, "conversation_id": talk}
            await self.hass.services.async_call("botpsy", "run", data, blocking=True, context=context)
            return f"run: {text}", False, False
        text = self.dice.choice(ANSWERS) if kind == "answer" else self.words()
        device_id = self.device_id if kind == "voice" else None
        await conversation.async_converse(
            self.hass, text, talk, context, "en", "conversation.botpsy", device_id=device_id
        )
        return f"{kind}: {text}", False, kind == "answer" and text.startswith(("yes", "ok", "do", "sure"))


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("talk", range(TALKS))
async def test_nothing_risky_happens_unconfirmed(
    hass: HomeAssistant,
    model_file: Path,
    hass_admin_user: MockUser,
    hass_read_only_user: MockUser,
    talk: int,
) -> None:
    await dangerous_home(hass)
    hass.data[ENGINE_BUILDER] = lambda _hass, _data: EagerEngine(talk)
    policy = Path(hass.config.path("botpsy", "policy.yaml"))
    await hass.async_add_executor_job(policy.parent.mkdir)
    await hass.async_add_executor_job(policy.write_text, POLICY)
    options = {"pin_hash": await hass.async_add_executor_job(hashed, PIN)}
    entry = await load(hass, model_file, options=options)
    satellite = dr.async_get(hass).async_get_or_create(config_entry_id=entry.entry_id, identifiers={("test", "s")})
    attack = Attack(hass, talk, [hass_admin_user.id, hass_read_only_user.id, None], satellite.id)
    guarded = 0
    for _ in range(TURNS // TALKS):
        before = attack.states()
        told, pin_given, yes_given = await attack.step()
        for entity_id, state in attack.states().items():
            if state != before[entity_id]:
                guarded += state in (NEEDS_PIN.get(entity_id), NEEDS_YES.get(entity_id))
                assert pin_given or NEEDS_PIN.get(entity_id) != state, (told, entity_id, state)
                assert pin_given or yes_given or NEEDS_YES.get(entity_id) != state, (told, entity_id, state)
    assert guarded  # what needs an answer was let out after one
