"""A real Home Assistant with a small home, a model file, and a model that says what a test tells it to."""

from pathlib import Path

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry

from botpsy_core.engine import ScriptedEngine
from custom_components.botpsy.engines import ENGINE_BUILDER
from tests.component.loading import load
from tests.component.world import World
from tests.core.tiny_gguf import build


@pytest.fixture
def hass_config_dir(hass_tmp_config_dir: str) -> str:
    """Give every test a configuration folder of its own."""
    return hass_tmp_config_dir


@pytest.fixture(autouse=True)
async def _custom_integrations(hass: HomeAssistant, enable_custom_integrations: None) -> None:
    """Let Home Assistant find the integration under test, and what bootstrap loads before any integration."""
    assert await async_setup_component(hass, "homeassistant", {})


@pytest.fixture(scope="session")
def model_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a GGUF file that llama.cpp could load."""
    return build(tmp_path_factory.mktemp("models") / "tiny.gguf", seed=1, layers=1, name="Tiny")


@pytest.fixture(scope="session")
def other_model_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write another one."""
    return build(tmp_path_factory.mktemp("models") / "other.gguf", seed=2, layers=1, name="Other")


@pytest.fixture(autouse=True)
def engine(hass: HomeAssistant) -> ScriptedEngine:
    """Stand a scripted model in for a loaded one; a test extends its script."""
    scripted = ScriptedEngine()
    hass.data[ENGINE_BUILDER] = lambda _hass, _data: scripted
    return scripted


@pytest.fixture
async def world(hass: HomeAssistant) -> World:
    """Build the home of the tests."""
    made = World()
    await made.build(hass)
    return made


@pytest.fixture
async def entry(hass: HomeAssistant, engine: ScriptedEngine, model_file: Path) -> MockConfigEntry:
    """Load one model with one agent."""
    return await load(hass, model_file)
