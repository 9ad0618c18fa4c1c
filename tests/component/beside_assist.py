"""Speaks sentences of Assist's own templates to Assist and to us; `python -m tests.e2e.tongues --assist N` runs it."""

from pathlib import Path
from unittest.mock import MagicMock

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component

from botpsy_core.engine import ScriptedEngine
from custom_components.botpsy.engines import ENGINE_BUILDER
from tests.component.loading import load
from tests.e2e.tongues.household import Household
from tests.e2e.tongues.told import LANGUAGES


@pytest.mark.parametrize("language", LANGUAGES)
async def test_what_assist_understands(
    hass: HomeAssistant, engine: ScriptedEngine, model_file: Path, language: str, request: pytest.FixtureRequest
) -> None:
    reading = next(each for each in request.config.pluginmanager.get_plugins() if hasattr(each, "tell"))
    asked = reading.engine()
    hass.data[ENGINE_BUILDER] = lambda _hass, _data: asked
    entry = await load(hass, reading.model or model_file)
    household = Household(hass, entry, asked, MagicMock(), language)  # the clock runs: what is waited for has its end
    await household.move_in()
    assert await async_setup_component(hass, "intent", {})

    told = [await household.tell_beside_assist(said) for said in household.assist_says(reading.each)]

    reading.tell(language, [each for each in told if each])
