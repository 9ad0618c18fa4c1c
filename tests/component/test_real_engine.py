"""The integration on a real model in a real child process."""

import asyncio
import os
import signal
from pathlib import Path

import pytest
from homeassistant.core import HomeAssistant
from pytest_homeassistant_custom_component.common import MockConfigEntry

from botpsy_core.domain.engine import Limits, Prompt
from botpsy_core.engine import LocalEngine
from botpsy_core.errors import EngineFailed
from custom_components.botpsy.engines import ENGINE_BUILDER
from tests.component.loading import load
from tests.component.world import World

pytestmark = pytest.mark.model


@pytest.fixture
async def real(hass: HomeAssistant, world: World, model_file: Path) -> MockConfigEntry:
    hass.data.pop(ENGINE_BUILDER)
    entry = await load(hass, model_file)
    await hass.async_block_till_done(wait_background_tasks=True)
    return entry


def engine_of(entry: MockConfigEntry) -> LocalEngine:
    engine: LocalEngine = entry.runtime_data.engine._engine
    return engine


def children() -> set[int]:
    """Return the processes that this one has started and that still run."""
    found: set[int] = set()
    for task in Path("/proc/self/task").iterdir():
        found |= {int(pid) for pid in (task / "children").read_text().split()}
    return {pid for pid in found if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"}


async def say(hass: HomeAssistant, text: str) -> dict:
    answer = await hass.services.async_call("botpsy", "run", {"text": text}, blocking=True, return_response=True)
    assert answer is not None
    return dict(answer)


async def test_a_home_is_run_by_a_model_in_a_process_of_its_own(hass: HomeAssistant, real: MockConfigEntry) -> None:
    await say(hass, "turn on the kitchen light")

    assert engine_of(real).pid not in {None, os.getpid()}
    assert hass.states.is_state("light.kitchen_light", "on")


async def test_a_killed_model_costs_one_request_and_the_next_one_works(
    hass: HomeAssistant, real: MockConfigEntry
) -> None:
    first = engine_of(real).pid
    assert first is not None

    async def read() -> None:
        async for _ in real.runtime_data.engine.generate(
            Prompt(prefix="", tail="hello " * 200), None, Limits(max_tokens=200)
        ):
            os.kill(first, signal.SIGKILL)

    with pytest.raises(EngineFailed):
        await read()
    gone = hass.states.get("conversation.botpsy")
    await real.runtime_data.async_warm()
    back = hass.states.get("conversation.botpsy")

    assert gone is not None
    assert gone.state == "unavailable"
    assert back is not None
    assert back.state != "unavailable"
    assert engine_of(real).pid != first


def held() -> tuple[int, int]:
    """Return how many files and tasks there are."""
    return len(list(Path("/proc/self/fd").iterdir())), len(asyncio.all_tasks())


@pytest.mark.timeout(600)
async def test_fifty_reloads_and_a_removal_leave_nothing(hass: HomeAssistant, real: MockConfigEntry) -> None:
    others = children() - {engine_of(real).pid}
    await hass.config_entries.async_reload(real.entry_id)
    await hass.async_block_till_done(wait_background_tasks=True)
    before, heard = held(), dict(hass.bus.async_listeners())

    for number in range(50):
        await hass.config_entries.async_reload(real.entry_id)
        # Most are cut off while the model loads; some have it loaded.
        await hass.async_block_till_done(wait_background_tasks=number % 10 == 9)
    loaded, after = children() - others, held()
    grown = {event: count for event, count in hass.bus.async_listeners().items() if count > heard.get(event, 0)}
    await hass.config_entries.async_remove(real.entry_id)
    await asyncio.sleep(0.5)

    assert len(loaded) == 1
    assert after == before
    assert grown == {}
    assert children() - others == set()


async def test_removing_while_the_model_loads_leaves_no_process(
    hass: HomeAssistant, world: World, model_file: Path
) -> None:
    hass.data.pop(ENGINE_BUILDER)
    others = children()
    entry = await load(hass, model_file)

    await hass.config_entries.async_remove(entry.entry_id)
    await asyncio.sleep(0.5)

    assert children() - others == set()
