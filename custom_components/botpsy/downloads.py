"""Model downloads that outlive the dialog that began them."""

import asyncio
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol

from homeassistant.core import CALLBACK_TYPE, HomeAssistant, callback
from homeassistant.util.hass_dict import HassKey

from .const import DOMAIN

MODELS_FOLDER: Final = "models"
"""Below `botpsy` in the configuration folder."""


class Fetch(Protocol):
    """What brings a model to the disk; `models.obtain` is one. It blocks."""

    def __call__(
        self,
        name: str,
        folder: Path | None = None,
        *,
        quantisation: str = ...,
        token: str | None = ...,
        progress: Callable[[int, int], None] = ...,
        cancelled: Callable[[], bool] = ...,
    ) -> Path:
        """Return the file; raise ModelDownloadFailed or ModelFileInvalid."""


MODEL_FETCH: HassKey[Fetch] = HassKey(f"{DOMAIN}_model_fetch")
"""What fetches where it is not `models.obtain`; a test puts its own here."""

DOWNLOADS: HassKey[dict[str, Download]] = HassKey(f"{DOMAIN}_downloads")


@dataclass(slots=True, kw_only=True, eq=False)
class Download:
    """One model on its way; `task` ends with the path of its file."""

    key: str
    """`model/quantisation`."""
    title: str
    share: float = 0.0
    """0 to 1."""
    task: asyncio.Task[Path] = field(init=False)
    _stop: threading.Event = field(default_factory=threading.Event)
    _listeners: list[Callable[[float], None]] = field(default_factory=list)

    @callback
    def async_listen(self, moved: Callable[[float], None]) -> CALLBACK_TYPE:
        """Call back with the share whenever it grows by a percent; return what stops it."""
        self._listeners.append(moved)
        return lambda: self._listeners.remove(moved)

    @callback
    def async_cancel(self) -> None:
        """Stop it; what has arrived is kept and continued next time."""
        self._stop.set()

    @property
    def stopped(self) -> Callable[[], bool]:
        """Return what the fetching thread asks between two blocks."""
        return self._stop.is_set

    @callback
    def async_moved(self, share: float) -> None:
        """Note how far it is."""
        if share < 1 and share - self.share < 0.01:
            return
        self.share = share
        for moved in tuple(self._listeners):
            moved(share)


@callback
def async_running(hass: HomeAssistant) -> Download | None:
    """Return a download that is under way, or None."""
    return next((each for each in hass.data.get(DOWNLOADS, {}).values() if not each.task.done()), None)


@callback
def async_begin(hass: HomeAssistant, key: str, title: str, token: str | None) -> Download:
    """Return the download of a model, begun now or before."""
    known = hass.data.setdefault(DOWNLOADS, {})
    if (there := known.get(key)) and not there.task.done():
        return there
    download = known[key] = Download(key=key, title=title)
    download.task = hass.async_create_background_task(_run(hass, download, token), name=f"{DOMAIN} download {key}")
    return download


async def _run(hass: HomeAssistant, download: Download, token: str | None) -> Path:
    name, _, quantisation = download.key.rpartition("/")

    def progress(done: int, total: int) -> None:
        share = done / total if total else 0.0
        hass.loop.call_soon_threadsafe(download.async_moved, share)

    def work() -> Path:
        from botpsy_core.engine.models import obtain

        fetch = hass.data.get(MODEL_FETCH, obtain)
        return fetch(
            name,
            Path(hass.config.path(DOMAIN, MODELS_FOLDER)),
            quantisation=quantisation,
            token=token,
            progress=progress,
            cancelled=download.stopped,
        )

    return await hass.async_add_executor_job(work)
