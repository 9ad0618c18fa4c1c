"""The steps of the set-up that take their time: bringing the engine, fetching a model, trying it."""

import asyncio
from collections.abc import Coroutine
from typing import Any

from homeassistant.config_entries import ConfigFlow, ConfigFlowResult

from botpsy_core.errors import HostFault, ModelFileInvalid

from .const import CONF_PATH, LOGGER, ModelSource
from .downloads import Download, async_running
from .engine_library import async_install, is_missing
from .engines import Candidate, async_try, check_file, memory_mb


class FetchingFlow(ConfigFlow):
    """Goes on until it holds a model that works; where one does not, back to the step that chose it."""

    def __init__(self) -> None:
        """Begin with nothing chosen."""
        self._download: Download | None = None
        self._candidate: Candidate | None = None
        self._waiting: asyncio.Task[object] | None = None
        self._source = ModelSource.FILE
        self._problem = ""

    async def async_step_engine(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Offer to bring the engine's library here, or to use a server instead."""
        return self.async_show_menu(step_id="engine", menu_options=["install", ModelSource.SERVER])

    async def async_step_engine_failed(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Say why the library cannot be used here, and what else there is."""
        return self.async_show_menu(
            step_id="engine_failed",
            menu_options=["install", ModelSource.SERVER],
            description_placeholders={"error": self._problem},
        )

    async def async_step_install(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Bring the engine's library here and try it, then go on with the model."""
        if self._waiting is None:
            self._waiting = self.hass.async_create_task(_shown(async_install(self.hass)))
        if not self._waiting.done():
            return self.async_show_progress(step_id="install", progress_action="install", progress_task=self._waiting)
        done, self._waiting = self._waiting, None
        self._problem = _problem_of(done)
        return self.async_show_progress_done(next_step_id="engine_failed" if self._problem else self._source)

    async def _async_lacks_engine(self) -> bool:
        return await self.hass.async_add_executor_job(is_missing, self.hass)

    async def async_step_running(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Go on with a download whose dialog was closed, or stop it."""
        self._download, self._source = async_running(self.hass), ModelSource.CATALOGUE
        if self._download is None:
            return await self.async_step_user()
        return self.async_show_menu(
            step_id="running",
            menu_options=["download", "stop_download"],
            description_placeholders={"model": self._download.title, "percent": f"{self._download.share:.0%}"},
        )

    async def async_step_stop_download(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Stop the download; what has arrived is kept."""
        assert self._download is not None
        self._download.async_cancel()
        return self.async_abort(reason="download_stopped")

    async def async_step_download(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Show how far the download is, until it has ended."""
        download = self._download
        assert download is not None
        if self._waiting is None:
            stop = download.async_listen(self.async_update_progress)
            # Closing the dialog ends the waiting and not the download.
            self._waiting = self.hass.async_create_task(_shown(_settled(download.task)))
            self._waiting.add_done_callback(lambda _task: stop())
        if not download.task.done():
            return self.async_show_progress(
                step_id="download",
                progress_action="download",
                progress_task=self._waiting,
                description_placeholders={"model": download.title},
            )
        self._waiting = None
        self._problem = _problem_of(download.task)
        if self._problem:
            return self.async_show_progress_done(next_step_id="catalogue")
        errors, placeholders = await self._async_check(str(download.task.result()))
        if errors:
            self._problem = placeholders.get("error") or "{needed} MB of {memory} MB of memory".format(**placeholders)
        return self.async_show_progress_done(next_step_id="trial" if self._candidate else "catalogue")

    async def async_step_trial(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Start the model once and let it read a sentence."""
        candidate = self._candidate
        assert candidate is not None
        if self._waiting is None:
            self._waiting = self.hass.async_create_task(_shown(async_try(self.hass, candidate.data)))
        if not self._waiting.done():
            return self.async_show_progress(
                step_id="trial",
                progress_action="trial",
                progress_task=self._waiting,
                description_placeholders={"model": candidate.title},
            )
        trial, self._waiting = self._waiting, None
        self._problem = _problem_of(trial)
        return self.async_show_progress_done(next_step_id=self._source if self._problem else "finish")

    async def _async_check(self, path: str) -> tuple[dict[str, str], dict[str, str]]:
        """Look at a file; return errors and their placeholders, and keep it where there are none."""
        self._candidate = None
        try:
            checked = await self.hass.async_add_executor_job(check_file, path, self._source)
        except ModelFileInvalid as error:
            return {CONF_PATH: "model_file_invalid"}, {"error": str(error)}
        memory = await self.hass.async_add_executor_job(memory_mb)
        if memory and checked.needed_mb > memory:
            return {CONF_PATH: "memory_too_small"}, {"needed": str(checked.needed_mb), "memory": str(memory)}
        self._candidate = checked
        return {}, {}


async def _shown(work: Coroutine[Any, Any, None]) -> None:
    """Do some work that is shown as progress; it is never over before it is shown, which would repeat the step."""
    await asyncio.sleep(0)
    await work


def _problem_of(task: asyncio.Task[object]) -> str:
    """Return why some work failed, or nothing; what nobody expected is logged, and shown by its name."""
    error = task.exception()
    if error is None:
        return ""
    if not isinstance(error, HostFault):
        LOGGER.error("the set-up met an unexpected error", exc_info=error)
        return f"{type(error).__name__}: {error}"
    return str(error)


async def _settled(task: asyncio.Task[Any]) -> None:
    """Wait until a task has ended, however it ends; being cancelled does not cancel it."""
    await asyncio.wait({task})
