"""BotPsy: a small local agent that knows when no tool fits."""

from datetime import datetime
from shutil import rmtree

from homeassistant.const import Platform
from homeassistant.core import HomeAssistant, callback
from homeassistant.exceptions import ConfigEntryError, ConfigEntryNotReady
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers.event import async_track_time_interval
from homeassistant.helpers.start import async_at_started
from homeassistant.helpers.typing import ConfigType

from botpsy_core.errors import ConfigurationInvalid, ModelFileInvalid

from .composition import async_build_runtime
from .const import CONF_PATH, DOMAIN, SUBENTRY_TASK
from .engines import look_at_model, state_folder
from .home_checks import AGAIN, async_check
from .issues import ENGINE_FAILED, MEMORY_SMALL, MODEL_CHANGED, MODEL_INVALID, MQTT_MISSING, async_clear, async_raise
from .runtime import BotPsyConfigEntry
from .services import async_register_actions

CONFIG_SCHEMA = cv.config_entry_only_config_schema(DOMAIN)
PLATFORMS = (Platform.CONVERSATION, Platform.SELECT, Platform.SENSOR, Platform.SWITCH)


async def async_setup(hass: HomeAssistant, config: ConfigType) -> bool:
    """Register the actions; they say so themselves while no entry is loaded."""
    async_register_actions(hass)
    return True


async def async_setup_entry(hass: HomeAssistant, entry: BotPsyConfigEntry) -> bool:
    """Put one model to work."""
    try:
        entry.runtime_data = await async_build_runtime(hass, entry)
    except ConfigurationInvalid as error:
        raise ConfigEntryError(
            translation_domain=DOMAIN,
            translation_key="configuration_invalid",
            translation_placeholders={"error": str(error)},
        ) from error
    except ModelFileInvalid as error:
        async_raise(hass, entry, MODEL_INVALID, error=str(error))
        # A share that is mounted late, or a file that is put back, is found again without anybody's help.
        raise ConfigEntryNotReady(
            translation_domain=DOMAIN,
            translation_key="model_file_invalid",
            translation_placeholders={"error": str(error)},
        ) from error
    async_clear(hass, entry, MODEL_INVALID, MQTT_MISSING)
    await _look_at_model(hass, entry)
    entry.runtime_data.platforms = _platforms(entry)
    await hass.config_entries.async_forward_entry_setups(entry, entry.runtime_data.platforms)
    entry.async_on_unload(entry.add_update_listener(async_reload))

    _follow_health(hass, entry)
    entry.runtime_data.async_start(entry)
    return True


def _platforms(entry: BotPsyConfigEntry) -> tuple[Platform, ...]:
    """Return the platforms of an entry; AI tasks bring much with them, so only who has one loads them."""
    has_task = any(each.subentry_type == SUBENTRY_TASK for each in entry.subentries.values())
    return (*PLATFORMS, Platform.AI_TASK) if has_task else PLATFORMS


@callback
def _follow_health(hass: HomeAssistant, entry: BotPsyConfigEntry) -> None:
    """Show what is wrong as repair issues, and take them back, for as long as the entry is loaded."""
    watch = entry.runtime_data.engine

    @callback
    def health_changed() -> None:
        if watch.health.available:
            async_clear(hass, entry, ENGINE_FAILED)
        else:
            async_raise(hass, entry, ENGINE_FAILED, error=watch.health.problem)

    async def look(_now: datetime | None = None) -> None:
        await async_check(hass, entry, entry.runtime_data)

    async def home_is_there(hass: HomeAssistant) -> None:
        await entry.runtime_data.async_load_foreign()
        await look()

    entry.async_on_unload(watch.async_listen(health_changed))
    entry.async_on_unload(async_at_started(hass, home_is_there))
    entry.async_on_unload(async_track_time_interval(hass, look, AGAIN))


async def _look_at_model(hass: HomeAssistant, entry: BotPsyConfigEntry) -> None:
    """Tell of a model that is not the one that was set up any more, or no longer fits this machine."""
    look = await hass.async_add_executor_job(look_at_model, entry.data)
    if look.changed:
        async_raise(hass, entry, MODEL_CHANGED, path=str(entry.data[CONF_PATH]))
    else:
        async_clear(hass, entry, MODEL_CHANGED)
    if look.memory_mb and look.needed_mb > look.memory_mb:
        async_raise(hass, entry, MEMORY_SMALL, needed=str(look.needed_mb), memory=str(look.memory_mb))
    else:
        async_clear(hass, entry, MEMORY_SMALL)


async def async_unload_entry(hass: HomeAssistant, entry: BotPsyConfigEntry) -> bool:
    """Free the model and everything that was listened to."""
    if not await hass.config_entries.async_unload_platforms(entry, entry.runtime_data.platforms):
        return False
    await entry.runtime_data.async_close()
    return True


async def async_reload(hass: HomeAssistant, entry: BotPsyConfigEntry) -> None:
    """Start anew with what was changed."""
    await hass.config_entries.async_reload(entry.entry_id)


async def async_remove_entry(hass: HomeAssistant, entry: BotPsyConfigEntry) -> None:
    """Leave nothing behind but the model's file, which is the owner's."""
    async_clear(hass, entry)
    await hass.async_add_executor_job(rmtree, state_folder(hass, entry.data), True)  # noqa: FBT003 - rmtree's own order
