"""What people of eleven languages say at home: what words alone do of it, and that nothing else is done.

`python -m tests.e2e.tongues` runs the same lines with or without a model, and prints what came of them.
"""

from pathlib import Path

import pytest
from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import HomeAssistant

from botpsy_core.engine import ScriptedEngine
from custom_components.botpsy.engines import ENGINE_BUILDER
from tests.component.loading import load
from tests.e2e.tongues.household import Household
from tests.e2e.tongues.told import LANGUAGES, Outcome


@pytest.mark.parametrize("language", LANGUAGES)
async def test_words_alone_do_nothing_that_nobody_asked_for(
    hass: HomeAssistant,
    engine: ScriptedEngine,
    model_file: Path,
    freezer: FrozenDateTimeFactory,
    language: str,
    request: pytest.FixtureRequest,
) -> None:
    reading = next((each for each in request.config.pluginmanager.get_plugins() if hasattr(each, "tell")), None)
    asked = reading.engine() if reading else engine
    hass.data[ENGINE_BUILDER] = lambda _hass, _data: asked
    entry = await load(hass, (reading and reading.model) or model_file)
    household = Household(hass, entry, asked, freezer, language)
    await household.move_in()

    told = [await household.tell(said, want) for said, want in household.lines(fresh=bool(reading and reading.fresh))]

    if reading:
        reading.tell(language, told)
    else:
        assert [(each.said, each.done) for each in told if each.outcome is Outcome.WRONG] == []
