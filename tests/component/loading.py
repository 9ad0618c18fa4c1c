"""Load an entry as a restart does."""

from pathlib import Path

from homeassistant.config_entries import ConfigSubentryData
from homeassistant.core import HomeAssistant
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.botpsy.const import DOMAIN
from custom_components.botpsy.engines import check_file

AGENT = ConfigSubentryData(data={"max_history": 20}, subentry_type="conversation", title="BotPsy", unique_id=None)


async def load(
    hass: HomeAssistant, model_file: Path, *more: ConfigSubentryData, options: dict | None = None
) -> MockConfigEntry:
    """Load one model with one agent, and what else a test gives."""
    digest = check_file(str(model_file)).unique_id
    entry = MockConfigEntry(
        domain=DOMAIN,
        title="Tiny",
        unique_id=digest,
        data={"source": "file", "path": str(model_file), "digest": digest},
        options=options or {},
        subentries_data=[AGENT, *more],
    )
    entry.add_to_hass(hass)
    assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done()
    return entry
