"""Other integrations' tools in our hands, behind our gate."""

from pathlib import Path
from typing import Any

import pytest
import voluptuous as vol
from homeassistant.components import conversation
from homeassistant.config_entries import ConfigSubentryData
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry, MockUser

from botpsy_core.domain.context import Origin
from botpsy_core.domain.tools import Outcome, Risk, ToolCall
from tests.component.loading import load
from tests.component.world import World


class Coffee(llm.Tool):
    """Another integration's tool."""

    name = "cafe__make_coffee"
    description = "Make coffee."
    parameters = vol.Schema({vol.Required("cups"): vol.All(int, vol.Range(min=1, max=8))})
    annotations = llm.ToolAnnotations(read_only=False, destructive=False)
    integration = "cafe"

    def __init__(self) -> None:
        self.calls: list[tuple[dict[str, Any], str | None]] = []
        self.answer: llm.ToolResult | Exception = llm.ToolResult(data={"brewing": True})

    async def async_call(
        self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: llm.LLMContext
    ) -> llm.ToolResult:
        context = llm_context.context
        self.calls.append((tool_input.tool_args, context.user_id if context else None))
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


class Explode(Coffee):
    """A tool that declares nothing, and is taken for the worst."""

    name = "cafe__explode"
    description = "Explode."
    annotations = llm.ToolAnnotations()


class Grinder(Coffee):
    """A tool whose names say nothing."""

    name = "cafe__tool_2"
    description = "Grinds coffee beans."
    parameters = vol.Schema({vol.Required("arg1", description="The number of spoons."): int})


class Broken(Coffee):
    """A tool whose name is not allowed."""

    name = "ask_user"


class CafeAPI(llm.API):
    """Another integration's API."""

    tools: list[llm.Tool]

    async def async_get_api_instance(self, llm_context: llm.LLMContext) -> llm.APIInstance:
        return llm.APIInstance(api=self, api_prompt="", llm_context=llm_context, tools=TOOLS)


TOOLS: list[llm.Tool] = []


@pytest.fixture
def coffee(hass: HomeAssistant) -> Coffee:
    TOOLS[:] = [Coffee(), Explode(), Broken(), Grinder()]
    llm.async_register_api(hass, CafeAPI(hass=hass, id="cafe", name="Cafe"))
    return TOOLS[0]


@pytest.fixture
async def entry(hass: HomeAssistant, world: World, coffee: Coffee, model_file: Path) -> MockConfigEntry:
    barista = ConfigSubentryData(
        data={"llm_hass_api": ["cafe"]}, subentry_type="conversation", title="Barista", unique_id=None
    )
    made = await load(hass, model_file, barista)
    await hass.async_block_till_done(wait_background_tasks=True)
    return made


def barista_of(entry: MockConfigEntry) -> str:
    return next(key for key, each in entry.subentries.items() if each.title == "Barista")


async def test_only_the_agent_that_has_the_api_gets_its_tools_and_their_dangers_are_known(
    entry: MockConfigEntry, caplog: pytest.LogCaptureFixture
) -> None:
    speakers = entry.runtime_data.speakers

    barista = {spec.name: spec for spec in speakers[barista_of(entry)].toolbox.specs()}

    assert barista["cafe__make_coffee"].risk is Risk.COST
    assert barista["cafe__explode"].risk is Risk.HAZARD
    assert "ask_user" not in barista
    assert any("the tool ask_user cannot be used" in each.message for each in caplog.get_records("setup"))
    assert "turn_on" in barista
    assert "cafe__make_coffee" not in {spec.name for spec in entry.runtime_data.toolbox.specs()}


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (llm.ToolResult(data={"brewing": True}), Outcome.DONE),
        (llm.ToolResult(data={"error": "no beans"}, error=True), Outcome.FAILED),
        (HomeAssistantError("no beans"), Outcome.FAILED),
    ],
)
async def test_a_call_goes_out_in_the_askers_name(
    entry: MockConfigEntry,
    coffee: Coffee,
    hass_admin_user: MockUser,
    answer: llm.ToolResult | Exception,
    outcome: Outcome,
) -> None:
    coffee.answer = answer
    runtime = entry.runtime_data
    frame = await runtime.askers.frame(Context(user_id=hass_admin_user.id), origin=Origin.CHAT, conversation_id="c")
    toolbox = runtime.speakers[barista_of(entry)].toolbox
    call = ToolCall(id="1", name="cafe__make_coffee", args={"cups": 2})

    ready, result = await toolbox.check(call, frame), await toolbox.execute(call, frame)

    assert ready.available
    assert result.outcome is outcome
    assert result.untrusted
    assert coffee.calls == [({"cups": 2}, hass_admin_user.id)]


async def test_a_call_goes_out_under_names_that_say_nothing(entry: MockConfigEntry, coffee: Coffee) -> None:
    runtime = entry.runtime_data
    frame = await runtime.askers.frame(Context(), origin=Origin.CHAT, conversation_id="c")
    toolbox = runtime.speakers[barista_of(entry)].toolbox
    grinder = next(spec for spec in toolbox.specs() if spec.name == "cafe__tool_2")

    await toolbox.execute(ToolCall(id="1", name=grinder.name, args={"number_of_spoons": 3}), frame)

    assert [a.name for a in grinder.arguments] == ["number_of_spoons"]
    assert TOOLS[3].calls == [({"arg1": 3}, None)]


async def test_what_declares_nothing_stays_switched_off(
    hass: HomeAssistant, entry: MockConfigEntry, coffee: Coffee
) -> None:
    frame = await entry.runtime_data.askers.frame(Context(), origin=Origin.AGENT, conversation_id="c")
    agent = entry.runtime_data.agents[barista_of(entry)]
    toolbox = entry.runtime_data.speakers[barista_of(entry)].toolbox
    home = await entry.runtime_data.async_home_for(frame)

    events = [e async for e in agent.use("cafe__explode", {"cups": 1}, home=home, toolbox=toolbox, context=frame)]

    assert events[-1].status == "refused"
    assert TOOLS[1].calls == []


async def test_our_own_tools_are_not_handed_back_to_us(hass: HomeAssistant, world: World, model_file: Path) -> None:
    assert await async_setup_component(hass, "llm", {})
    both = ConfigSubentryData(
        data={"llm_hass_api": ["assist"]}, subentry_type="conversation", title="Both", unique_id=None
    )
    entry = await load(hass, model_file, both)
    await hass.async_block_till_done(wait_background_tasks=True)

    key = next(key for key, each in entry.subentries.items() if each.title == "Both")
    names = {spec.name for spec in entry.runtime_data.speakers[key].toolbox.specs()}

    assert not [name for name in names if name.startswith(("botpsy__", "intent__", "homeassistant__"))]


async def test_an_api_that_is_gone_is_told_of_and_the_rest_works(
    hass: HomeAssistant, world: World, model_file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    lost = ConfigSubentryData(
        data={"llm_hass_api": ["gone"]}, subentry_type="conversation", title="Lost", unique_id=None
    )
    await load(hass, model_file, lost)
    await hass.async_block_till_done(wait_background_tasks=True)

    await conversation.async_converse(
        hass, "turn on the kitchen light", None, Context(), "en", agent_id="conversation.lost"
    )

    assert "the tools of gone cannot be used" in caplog.text
    assert hass.states.is_state("light.kitchen_light", "on")
