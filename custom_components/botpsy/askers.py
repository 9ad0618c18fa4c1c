"""Who asks in a turn: the frame that the core reads, with Home Assistant's own context and user kept beside it."""

from typing import Final

from homeassistant.auth.models import User
from homeassistant.core import CALLBACK_TYPE, Context, Event, HomeAssistant, callback
from homeassistant.util import dt as dt_util
from homeassistant.util.limited_size_dict import LimitedSizeDict

from botpsy_core.domain.context import Origin, TurnContext

from .hass_home import area_of_device

EVENT_BUTTON: Final = "mobile_app_notification_action"
"""Fired by the companion app in the name of its owner."""

TURN_S: Final = 60.0
"""Seconds that a turn may take where its caller says nothing else."""

KEPT: Final = 200
"""Contexts that are remembered; an open question outlives its turn by minutes, not by hundreds of turns."""


class Askers:
    """Makes frames, and finds again what a frame only names."""

    def __init__(self, hass: HomeAssistant) -> None:
        """Begin with nobody."""
        self._hass = hass
        self._contexts: LimitedSizeDict[str, Context] = LimitedSizeDict(size_limit=KEPT)

    @callback
    def async_listen(self) -> CALLBACK_TYPE:
        """Remember who pressed a button on a phone: an automation may hand that answer on. Return what stops it."""

        @callback
        def pressed(event: Event) -> None:
            self._contexts[event.context.id] = event.context

        return self._hass.bus.async_listen(EVENT_BUTTON, pressed)

    def person_behind(self, context: Context) -> Context:
        """Return the context of the person who began this: the caller, or who pressed the button that began it."""
        began = self._contexts.get(context.parent_id or "")
        return context if context.user_id or began is None or began.user_id is None else began

    async def frame(
        self,
        context: Context,
        *,
        origin: Origin,
        conversation_id: str,
        language: str | None = None,
        device_id: str | None = None,
        deadline_s: float = TURN_S,
    ) -> TurnContext:
        """Return the frame of a turn that Home Assistant asked for."""
        self._contexts[context.id] = context
        user = await self._user(context.user_id)
        return TurnContext(
            conversation_id=conversation_id,
            origin=origin,
            now=dt_util.now(),
            language=language or self._hass.config.language,
            user_id=context.user_id,
            is_admin=bool(user and user.is_active and user.is_admin),
            person_id=person_of(self._hass, context.user_id),
            device_id=device_id,
            area_id=area_of_device(self._hass, device_id),
            hass_context_id=context.id,
            deadline_s=deadline_s,
        )

    def context_of(self, frame: TurnContext) -> Context:
        """Return the context that acts of this turn carry, so that the logbook names who or what began it."""
        known = self._contexts.get(frame.hass_context_id or "")
        return known or Context(user_id=frame.user_id, id=frame.hass_context_id)

    async def user_of(self, frame: TurnContext) -> User | None:
        """Return the asking user, or None where there is none or it is gone."""
        return await self._user(frame.user_id)

    async def _user(self, user_id: str | None) -> User | None:
        return await self._hass.auth.async_get_user(user_id) if user_id else None


@callback
def person_of(hass: HomeAssistant, user_id: str | None) -> str | None:
    """Return the `person` entity of a user, or None."""
    people = hass.states.async_all("person") if user_id else ()
    return next((each.entity_id for each in people if each.attributes.get("user_id") == user_id), None)
