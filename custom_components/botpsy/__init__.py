"""BotPsy: a small local agent that knows when no tool fits.

Home Assistant's start waits for nothing here: what an entry is made of is loaded once the home is up.
"""

from collections.abc import Awaitable, Callable
from datetime import datetime
from shutil import rmtree
from typing import TYPE_CHECKING

from homeassistant.config_entries import ConfigEntryState
from homeassistant.const import Platform
from homeassistant.core import CoreState, HomeAssistant, callback
from homeassistant.exceptions import ConfigEntryError, ConfigEntryNotReady
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers.event import async_track_time_interval
from homeassistant.helpers.start import async_at_started
from homeassistant.helpers.typing import ConfigType

from botpsy_core.errors import ConfigurationInvalid, ModelFileInvalid

from .attempt_store import HassAttemptStore
from .beginning import Beginning
from .const import CONF_PATH, DOMAIN, ENTRY_VERSION, SUBENTRY_TASK
from .engines import Look, look_at_model, state_folder
from .entry import BotPsyConfigEntry
from .home_checks import AGAIN, async_check
from .issues import (
    ENGINE_FAILED,
    ENGINE_SLOW,
    MEMORY_SMALL,
    MODEL_CHANGED,
    MODEL_INVALID,
    MQTT_MISSING,
    async_clear,
    async_raise,
)
from .panel import async_hide_panel, async_show_panel
from .plan_store import HassPlanStore
from .policy_store import HassPolicyStore
from .services import async_register_actions
from .websocket import async_register_commands

if TYPE_CHECKING:
    from .runtime import BotPsyRuntime

CONFIG_SCHEMA = cv.config_entry_only_config_schema(DOMAIN)
PLATFORMS = (Platform.CONVERSATION, Platform.SELECT, Platform.SENSOR, Platform.SWITCH)


async def async_setup(hass: HomeAssistant, config: ConfigType) -> bool:
    """Register the actions and the panel's commands; they say so themselves while no entry is loaded."""
    async_register_actions(hass)
    async_register_commands(hass)
    return True


async def async_setup_entry(hass: HomeAssistant, entry: BotPsyConfigEntry) -> bool:
    """Put one model to work, at once or when Home Assistant has started."""
    entry.async_on_unload(entry.add_update_listener(async_reload))
    await async_show_panel(hass)
    if hass.state is CoreState.running:
        await _begin(hass, entry)
        return True
    beginning = Beginning(hass, entry, lambda: _begin_late(hass, entry))
    entry.async_on_unload(beginning.async_stop)
    beginning.async_wait_for_start()
    return True


async def _begin_late(hass: HomeAssistant, entry: BotPsyConfigEntry) -> None:
    """Put a model to work after the start; whatever is in its way is shown as a set-up at any other time shows it."""
    async with entry.setup_lock:
        if entry.state is not ConfigEntryState.LOADED:
            return
        try:
            await _begin(hass, entry)
        except ConfigEntryError, ConfigEntryNotReady:
            hass.config_entries.async_schedule_reload(entry.entry_id)


async def _begin(hass: HomeAssistant, entry: BotPsyConfigEntry) -> None:
    """Build an entry's runtime and its entities; raise ConfigEntryError or ConfigEntryNotReady."""
    try:
        look = await hass.async_add_import_executor_job(look_at_model, entry.data)
        build = await hass.async_add_import_executor_job(_builder)
        entry.runtime_data = await build(hass, entry)
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
    _tell_of_model(hass, entry, look)
    platforms = _platforms(entry)
    await hass.config_entries.async_forward_entry_setups(entry, platforms)
    entry.runtime_data.platforms = platforms
    _follow_health(hass, entry)
    entry.runtime_data.async_start(entry)


def _builder() -> Callable[[HomeAssistant, BotPsyConfigEntry], Awaitable[BotPsyRuntime]]:
    """Load everything that an entry is made of; blocks for about half a second the first time."""
    from .composition import async_build_runtime

    return async_build_runtime


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
        if watch.health.slow:
            async_raise(hass, entry, ENGINE_SLOW)
        else:
            async_clear(hass, entry, ENGINE_SLOW)

    async def look(_now: datetime | None = None) -> None:
        await async_check(hass, entry, entry.runtime_data)

    async def home_is_there(hass: HomeAssistant) -> None:
        await entry.runtime_data.async_load_foreign()
        await look()

    entry.async_on_unload(watch.async_listen(health_changed))
    entry.async_on_unload(async_at_started(hass, home_is_there))
    entry.async_on_unload(async_track_time_interval(hass, look, AGAIN))


@callback
def _tell_of_model(hass: HomeAssistant, entry: BotPsyConfigEntry, look: Look) -> None:
    """Tell of a model that is not the one that was set up any more, or no longer fits this machine."""
    if look.changed:
        async_raise(hass, entry, MODEL_CHANGED, path=str(entry.data[CONF_PATH]))
    else:
        async_clear(hass, entry, MODEL_CHANGED)
    if look.memory_mb and look.needed_mb > look.memory_mb:
        async_raise(hass, entry, MEMORY_SMALL, needed=str(look.needed_mb), memory=str(look.memory_mb))
    else:
        async_clear(hass, entry, MEMORY_SMALL)


def _forget_journal(hass: HomeAssistant, entry_id: str) -> None:
    """Remove what an entry has written down; blocks."""
    from .journal import journal_file, remove_journal

    remove_journal(journal_file(hass, entry_id))


async def async_migrate_entry(hass: HomeAssistant, entry: BotPsyConfigEntry) -> bool:
    """Take an entry of this or an older version as it is; what a newer BotPsy has stored cannot be read."""
    return entry.version <= ENTRY_VERSION


async def async_unload_entry(hass: HomeAssistant, entry: BotPsyConfigEntry) -> bool:
    """Free the model and everything that was listened to."""
    runtime: BotPsyRuntime | None = getattr(entry, "runtime_data", None)
    if runtime is None:
        return True
    if not await hass.config_entries.async_unload_platforms(entry, runtime.platforms):
        return False
    await runtime.async_close()
    return True


async def async_reload(hass: HomeAssistant, entry: BotPsyConfigEntry) -> None:
    """Start anew with what was changed."""
    await hass.config_entries.async_reload(entry.entry_id)


async def async_remove_entry(hass: HomeAssistant, entry: BotPsyConfigEntry) -> None:
    """Leave nothing behind but the model's file, which is the owner's."""
    async_clear(hass, entry)
    if not hass.config_entries.async_entries(DOMAIN):
        async_hide_panel(hass)
    await HassPlanStore(hass, entry.entry_id).async_remove()
    await HassAttemptStore(hass, entry.entry_id).async_remove()
    await HassPolicyStore(hass, entry.entry_id).async_remove()
    await hass.async_add_executor_job(_forget_journal, hass, entry.entry_id)
    await hass.async_add_executor_job(rmtree, state_folder(hass, entry.data), True)  # noqa: FBT003 - rmtree's own order
