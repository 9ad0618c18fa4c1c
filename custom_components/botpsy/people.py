"""Who is reached by which devices: a message to a person goes to all of theirs."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from homeassistant.const import STATE_UNAVAILABLE
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import entity_registry as er

from botpsy_core.domain.tools import Role, ToolCall, ToolSpec
from botpsy_core.domain.values import JsonValue

from .discretion import Discretion
from .hass_home import HassHome

PERSON = "person."


@dataclass(frozen=True, slots=True, kw_only=True)
class Reached:
    """A call with devices in place of the people that it is for."""

    call: ToolCall
    gone: tuple[str, ...] = ()
    """Devices of theirs that cannot be reached now."""
    without: tuple[str, ...] = ()
    """People of whom no device may be written to, or none can be reached."""


@dataclass(frozen=True, slots=True, kw_only=True)
class People:
    """The `notify` entities of Home Assistant's persons, as far as they are exposed and may be written to."""

    hass: HomeAssistant
    home: HassHome
    discretion: Discretion

    @callback
    def reached(self, spec: ToolSpec, call: ToolCall) -> Reached:
        """Return the call to devices; one that is gone is left out where another one of the same person is there."""
        gone: list[str] = []
        without: list[str] = []
        args: dict[str, JsonValue] = dict(call.args)
        for argument in spec.arguments_of(Role.TARGET):
            ids = call.args.get(argument.name)
            if not isinstance(ids, list | tuple) or not any(str(each).startswith(PERSON) for each in ids):
                continue
            found: list[str] = []
            for each in map(str, ids):
                if not each.startswith(PERSON):
                    found.append(each)
                    continue
                devices = self._devices(each)
                there = [d for d in devices if not self.hass.states.is_state(d, STATE_UNAVAILABLE)]
                gone += [d for d in devices if d not in there]
                without += [] if there else [each]
                found += there
            args[argument.name] = list(dict.fromkeys(found))
        return Reached(call=replace(call, args=args), gone=tuple(gone), without=tuple(without))

    def _devices(self, person_id: str) -> list[str]:
        state, entities = self.hass.states.get(person_id), er.async_get(self.hass)
        attributes: Mapping[str, object] = state.attributes if state else {}
        trackers = attributes.get("device_trackers")
        entries = [entities.async_get(str(t)) for t in trackers] if isinstance(trackers, list | tuple) else []
        devices = dict.fromkeys(entry.device_id for entry in entries if entry and entry.device_id)
        found = [e for device in devices for e in er.async_entries_for_device(entities, device) if e.domain == "notify"]
        return [e.entity_id for e in found if self.home.entity(e.entity_id) and self._may([e.entity_id])]

    def _may(self, ids: list[str]) -> bool:
        return self.discretion.may_receive(ids)
