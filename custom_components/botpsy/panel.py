"""The panel in the sidebar: its page, its files, and when it is there."""

from hashlib import sha256
from pathlib import Path
from typing import Final

from homeassistant.components.http.server import StaticPathConfig
from homeassistant.core import HomeAssistant, callback
from homeassistant.util.hass_dict import HassKey

from .const import DEFAULT_NAME, DOMAIN

PAGE: Final = DOMAIN
"""The panel's path."""

ICON: Final = "mdi:robot-happy-outline"

FILES: Final = Path(__file__).parent / "frontend"
STRINGS: Final = Path(__file__).parent / "panel_strings"

SERVED: HassKey[str] = HassKey(f"{DOMAIN}_panel_files")
"""Where the files are served, once they are: another path for other contents, so that no browser keeps old ones."""


async def async_show_panel(hass: HomeAssistant) -> None:
    """Add the panel to the sidebar where Home Assistant has a frontend and the panel is not there yet."""
    if "frontend" not in hass.config.components:
        return
    from homeassistant.components.frontend import async_panel_exists
    from homeassistant.components.panel_custom import async_register_panel

    at = await _served(hass)
    if async_panel_exists(hass, PAGE):
        return
    await async_register_panel(
        hass,
        frontend_url_path=PAGE,
        webcomponent_name="botpsy-panel",
        sidebar_title=DEFAULT_NAME,
        sidebar_icon=ICON,
        module_url=f"{at}/panel.js",
        config={"strings": f"{at}/strings"},
    )


@callback
def async_hide_panel(hass: HomeAssistant) -> None:
    """Take the panel out of the sidebar."""
    if "frontend" not in hass.config.components:
        return
    from homeassistant.components.frontend import async_remove_panel

    async_remove_panel(hass, PAGE, warn_if_unknown=False)


async def _served(hass: HomeAssistant) -> str:
    """Serve the panel's files, once for as long as Home Assistant runs, and return where."""
    if SERVED not in hass.data:
        at = f"/{DOMAIN}_panel/{await hass.async_add_executor_job(_fingerprint)}"
        hass.data[SERVED] = at
        await hass.http.async_register_static_paths(
            [StaticPathConfig(f"{at}/strings", str(STRINGS)), StaticPathConfig(at, str(FILES))]
        )
    return hass.data[SERVED]


def _fingerprint() -> str:
    """Return what changes with the contents of any file; blocks."""
    told = sha256()
    for each in sorted([*FILES.rglob("*.js"), *STRINGS.glob("*.json")]):
        told.update(each.read_bytes())
    return told.hexdigest()[:12]
