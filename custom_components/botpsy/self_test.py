"""The self-test of an entry: one at a time, followed live, its result kept while the entry is loaded."""

import asyncio
from collections.abc import Callable
from typing import Any

from homeassistant.core import CALLBACK_TYPE, HomeAssistant, callback
from homeassistant.util import dt as dt_util

from botpsy_core.domain.context import TurnContext
from botpsy_core.evaluate.selftest import Tried, self_test
from botpsy_core.evaluate.selftest_report import self_test_report

from .const import DOMAIN
from .entry import BotPsyConfigEntry

TOLD_EVERY = 5
"""Sentences between two words about how far it is."""


class SelfTest:
    """Runs on one entry, and tells whoever looks."""

    def __init__(self, entry: BotPsyConfigEntry) -> None:
        """Begin with nothing tried."""
        self._entry = entry
        self._task: asyncio.Task[None] | None = None
        self._listeners: list[Callable[[], None]] = []
        self._done = self._total = 0
        self._result: dict[str, Any] | None = None
        self._problem = ""

    @property
    def running(self) -> bool:
        """Return True while sentences are said."""
        return self._task is not None and not self._task.done()

    def told(self) -> dict[str, Any]:
        """Return how far it is, and what was found last."""
        return {
            "running": self.running,
            "done": self._done,
            "total": self._total,
            "result": self._result,
            "problem": self._problem,
        }

    @callback
    def async_listen(self, listener: Callable[[], None]) -> CALLBACK_TYPE:
        """Call back when there is something to tell; return what stops it."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    @callback
    def async_start(self, hass: HomeAssistant, frame: TurnContext) -> None:
        """Begin, where it does not run already; it ends with the entry."""
        if self.running:
            return
        self._done = self._total = 0
        self._problem = ""
        self._task = self._entry.async_create_background_task(hass, self._run(frame), name=f"{DOMAIN} self-test")
        self._task.add_done_callback(self._ended)
        self._tell()

    @callback
    def async_stop(self) -> None:
        """Stop; what was found before stays."""
        if self._task is not None:
            self._task.cancel()

    async def _run(self, frame: TurnContext) -> None:
        runtime = self._entry.runtime_data
        home = await runtime.async_home_for(frame)
        tried = await self_test(
            runtime.examinee(""), home=home, toolbox=runtime.toolbox, context=frame, told=self._went_on
        )
        self._result = _report(tried, frame.language)

    def _went_on(self, done: int, total: int) -> None:
        self._done, self._total = done, total
        if done % TOLD_EVERY == 0:
            self._tell()

    @callback
    def _ended(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            self._problem = str(error)
        self._task = None
        self._tell()

    def _tell(self) -> None:
        for listener in tuple(self._listeners):
            listener()


def _report(tried: tuple[Tried, ...], language: str) -> dict[str, Any]:
    return {
        "at": dt_util.now().isoformat(),
        "total": len(tried),
        "right": sum(each.right for each in tried),
        "dangerous": sum(each.dangerous for each in tried),
        "groups": self_test_report(tried, language)["groups"],
        "wrong": [each.to_json(language) for each in tried if not each.right],
    }
