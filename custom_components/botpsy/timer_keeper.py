"""Home Assistant's own timers, which ring on the satellite that they were asked from."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from homeassistant.components.intent import DOMAIN as INTENT_DOMAIN
from homeassistant.components.intent import async_device_supports_timers
from homeassistant.components.intent.const import TIMER_DATA
from homeassistant.components.intent.timers import TimerManager, TimerNotFoundError
from homeassistant.core import HomeAssistant

from botpsy_core.domain.context import TurnContext
from botpsy_core.domain.timers import Timer
from botpsy_core.domain.tools import Role, ToolCall, ToolSpec
from botpsy_core.errors import ToolboxFailed

from .people import People


@dataclass(frozen=True, slots=True, kw_only=True)
class HassTimers:
    """The timer manager of the `intent` integration; where a device has no timers, who may be written to instead."""

    hass: HomeAssistant
    people: People
    writer: ToolSpec | None
    """The tool that writes a text to a person, or None where there is none."""

    def keeps(self, context: TurnContext) -> bool:
        """Return whether the device of this turn rings."""
        return context.device_id is not None and async_device_supports_timers(self.hass, context.device_id)

    def timers(self, _context: TurnContext) -> Sequence[Timer]:
        """Return the timers of all devices; a command that waits for a time is none."""
        manager: TimerManager | None = self.hass.data.get(TIMER_DATA)
        kept = [] if manager is None else [t for t in manager.timers.values() if not t.conversation_command]
        return [
            Timer(
                id=each.id,
                name=each.name or "",
                length=each.created_seconds,
                left=each.seconds_left,
                active=each.is_active,
                device_id=each.device_id,
            )
            for each in kept
        ]

    def start(self, seconds: int, name: str, context: TurnContext) -> None:
        """Start a timer on the device of this turn."""
        minutes, rest = divmod(seconds, 60)
        hours, minutes = divmod(minutes, 60)
        language = context.language
        self._do(
            lambda manager: manager.start_timer(
                context.device_id, hours or None, minutes or None, rest or None, language=language, name=name or None
            )
        )

    def cancel(self, timer_id: str) -> None:
        """Forget a timer."""
        self._do(lambda manager: manager.cancel_timer(timer_id))

    def pause(self, timer_id: str) -> None:
        """Let a timer stand still."""
        self._do(lambda manager: manager.pause_timer(timer_id))

    def resume(self, timer_id: str) -> None:
        """Let a paused timer run on."""
        self._do(lambda manager: manager.unpause_timer(timer_id))

    def add(self, timer_id: str, seconds: int) -> None:
        """Give a timer more time, or less."""
        self._do(lambda manager: manager.add_time(timer_id, seconds))

    def message(self, text: str, context: TurnContext) -> ToolCall | None:
        """Return a message to the asker's devices, or None where the asker is not known or has none."""
        if self.writer is None or context.person_id is None or not self.people.home.entity(context.person_id):
            return None
        argument = self.writer.arguments_of(Role.TARGET)[0].name
        written = self.writer.arguments_of(Role.TEXT)[0].name
        call = ToolCall(id="call_1", name=self.writer.name, args={argument: [context.person_id], written: text})
        return None if self.people.reached(self.writer, call).without else call

    def _do(self, act: Callable[[TimerManager], object]) -> None:
        manager: TimerManager | None = self.hass.data.get(TIMER_DATA)
        if manager is None:
            raise ToolboxFailed(f"{INTENT_DOMAIN} is not loaded")
        try:
            act(manager)
        except (TimerNotFoundError, KeyError) as error:
            raise ToolboxFailed("the timer is gone") from error
