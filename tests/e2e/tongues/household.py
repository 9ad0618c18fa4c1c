"""Speaks a language's lines to its home, each to a home put back to how it was, and says what came of them."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from math import isclose
from typing import Any

from freezegun.api import FrozenDateTimeFactory
from homeassistant.auth.const import GROUP_ID_ADMIN
from homeassistant.components import conversation
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers.intent import IntentResponseType
from homeassistant.util import dt as dt_util
from pytest_homeassistant_custom_component.common import MockConfigEntry, async_fire_time_changed

from botpsy_core.engine.scripted import ScriptedEngine
from botpsy_core.evaluate.replay import ReplayEngine
from botpsy_core.ports import Engine
from tests.e2e.tongues import home
from tests.e2e.tongues.assist import PACKAGES, Templates
from tests.e2e.tongues.told import Outcome, Told
from tests.e2e.tongues.wanted import Facts, changed, due, facts, holds, reminds, within

AGENT = "conversation.botpsy"
ASSIST = "conversation.home_assistant"
NOW = "2026-12-02 09:00:00+00:00"
"""A Wednesday, ten o'clock in the home's own time."""


class Household:
    """A built home with its owner in it."""

    def __init__(
        self, hass: HomeAssistant, entry: MockConfigEntry, engine: Engine, freezer: FrozenDateTimeFactory, language: str
    ) -> None:
        """Take a Home Assistant whose agent runs on this engine; `move_in` builds the home."""
        self._hass, self._entry, self._engine, self._freezer = hass, entry, engine, freezer
        self._told = home.read(language)
        self._language = language
        self._user = ""
        self._made: Mapping[str, Any] = {}

    async def move_in(self) -> None:
        """Build the home and make its owner known."""
        await self._hass.config.async_set_time_zone("Europe/Berlin")
        self._freezer.move_to(NOW)
        self._made = await home.build(self._hass, self._told)
        owner = await self._hass.auth.async_create_user("Owner", group_ids=[GROUP_ID_ADMIN])
        self._user = owner.id

    def lines(self, *, fresh: bool = False) -> list[tuple[str, str]]:
        """Return what is said, and what is to come of it; fresh are commands that nothing was mended for."""
        commands = [
            (said, want) for line in self._told["fresh" if fresh else "commands"] for said, want in line.items()
        ]
        if fresh:
            return commands
        return commands + [(said, "nothing") for said in self._told["refusals"]]

    async def tell(self, said: str, want: str) -> Told:
        """Say one line to a home that is as it was at first."""
        await self._put_back()
        now, before, asked = dt_util.now(), facts(self._made), self._asked()
        result = await self._converse(said, self._language, AGENT)
        reply = str(result.response.speech["plain"]["speech"])
        after, planned = facts(self._made), self._entry.runtime_data.plans.acts
        did = [_difference(before, after)] if before != after else []
        did += [f"planned {act.act} at {act.at:%H:%M}" for act in planned]
        match await self._judge(want, now, before, after, reply):
            case True:
                outcome = Outcome.RIGHT
            case False if did:
                outcome = Outcome.WRONG
            case _ if result.continue_conversation:
                outcome = Outcome.ASKED
            case _:
                outcome = Outcome.PARTLY if did else Outcome.REFUSED
        return Told(
            said=said,
            want=want,
            outcome=outcome,
            reply=reply,
            by_words=self._asked() == asked,
            done="; ".join(did),
        )

    def assist_says(self, each: int) -> list[str]:
        """Return sentences that Assist understands about this home, `each` a group of its templates."""
        things: dict[str, list[str]] = {}
        for key, thing in self._made.items():
            things.setdefault(thing.domain, []).append(self._told["things"][key][0])
        places = ([names[0] for names in self._told[kind].values()] for kind in ("areas", "floors"))
        return list(dict.fromkeys(Templates(self._language, things, *places).drawn(each)))

    async def tell_beside_assist(self, said: str) -> Told | None:
        """Say one line to Assist and to us, each to the same home; None where Assist does nothing with it."""
        for turned in (False, True):
            before = await self._start_over(turned=turned)
            answer = await self._converse(said, PACKAGES.get(self._language, self._language), ASSIST)
            wanted = facts(self._made)
            if answer.response.response_type is not IntentResponseType.ACTION_DONE:
                return None
            if changed(before, wanted):
                break
        else:
            return None
        await self._start_over(turned=turned)
        asked = self._asked()
        answer = await self._converse(said, self._language, AGENT)
        after, by_words = facts(self._made), self._asked() == asked
        outcome = Outcome.REFUSED if after == before else Outcome.WRONG
        if _near(after, wanted):
            outcome = Outcome.RIGHT
        elif after == before and answer.continue_conversation:
            outcome = Outcome.ASKED
        return Told(
            said=said,
            want=_difference(before, wanted),
            outcome=outcome,
            reply=str(answer.response.speech["plain"]["speech"]),
            by_words=by_words,
            done=_difference(before, after),
        )

    async def _converse(self, said: str, language: str, agent: str) -> conversation.ConversationResult:
        result = await conversation.async_converse(self._hass, said, None, Context(user_id=self._user), language, agent)
        await self._hass.async_block_till_done()
        return result

    async def _start_over(self, *, turned: bool) -> Facts:
        """Put the home back, or everything in it the other way round; return how it is."""
        await self._put_back()
        if turned:
            for thing in self._made.values():
                thing.turn_round()
            await self._hass.async_block_till_done()
        return facts(self._made)

    async def _judge(self, want: str, now: datetime, before: Facts, after: Facts, reply: str) -> bool | None:
        """Return True if just what was wanted is so, None if some of it is, False if something else is."""
        planned = self._entry.runtime_data.plans.acts
        at, then = due(want, now)
        if want == "nothing" or want.startswith("says "):
            said = any(word in reply.casefold() for word in want[5:].casefold().split("|"))
            return False if planned or before != after else said or None
        if want.startswith("remind "):
            return reminds(want[7:], before, await self._later(planned[0].at) if planned else after, now)
        if at is not None:
            early = before == (after if not planned else await self._later(at - timedelta(seconds=2)))
            return early and holds(then, before, await self._later(at + timedelta(seconds=2)), now)
        if holds(then, before, after, now) and not planned:
            return True
        return None if within(then, before, after, now) and not planned else False

    def _asked(self) -> int:
        """Return how often a model was wanted."""
        match self._engine:
            case ScriptedEngine():
                return len(self._engine.asked)
            case ReplayEngine():
                return self._engine.asked + self._engine.replayed
        raise TypeError(type(self._engine))

    async def _later(self, at: datetime) -> Facts:
        self._freezer.move_to(at)
        async_fire_time_changed(self._hass)
        await self._hass.async_block_till_done(wait_background_tasks=True)
        return facts(self._made)

    async def _put_back(self) -> None:
        runtime = self._entry.runtime_data
        await runtime.plans.cancel([act.id for act in runtime.plans.acts])
        self._freezer.move_to(NOW)
        for thing in self._made.values():
            thing.put_back()
        runtime.async_use_preset(runtime.preset)  # agents that remember nothing
        await self._hass.async_block_till_done()


def _plain(values: Mapping[str, Any]) -> dict[str, Any]:
    return {str(key): value for key, value in values.items() if value is not None}


def _difference(before: Facts, after: Facts) -> str:
    told = [f"{key}: {_plain(before[key])} -> {_plain(after[key])}" for key in sorted(changed(before, after))]
    return "; ".join(told)


def _near(one: Facts, other: Facts) -> bool:
    """Return True if two homes are alike, but for the last digits of a number."""
    return all(
        of_one.keys() == other[key].keys() and all(_alike(of_one[name], other[key][name]) for name in of_one)
        for key, of_one in one.items()
    )


def _alike(one: Any, other: Any) -> bool:
    return bool(one == other or (isinstance(one, float) and isinstance(other, float) and isclose(one, other)))
