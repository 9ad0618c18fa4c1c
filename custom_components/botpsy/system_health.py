"""One line of health for each thing that a user asks about first."""

from typing import Any

from homeassistant.components.system_health import SystemHealthRegistration
from homeassistant.core import HomeAssistant, callback

from .entry import async_ready


@callback
def async_register(hass: HomeAssistant, register: SystemHealthRegistration) -> None:
    """Tell Home Assistant where the lines come from."""
    register.async_register_info(_info)


async def _info(hass: HomeAssistant) -> dict[str, Any]:
    loaded = async_ready(hass)
    if not loaded:
        return {"models": 0}
    health = loaded[0].runtime_data.engine.health
    share = health.cached_share
    return {
        "models": len(loaded),
        "model": health.model.name if health.model else loaded[0].title,
        "available": health.available,
        "tokens_per_second": health.tokens_per_second,
        "prompt_from_cache": None if share is None else f"{share:.0%}",
        "failures": health.failures,
        "last_failure": health.last_failure.isoformat() if health.last_failure else None,
    }
