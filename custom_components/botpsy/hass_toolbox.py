"""Home Assistant's actions and states as a toolbox, in the asking user's name."""

from collections.abc import Mapping, Sequence

from homeassistant.auth.models import User
from homeassistant.auth.permissions.const import POLICY_CONTROL, POLICY_READ
from homeassistant.const import STATE_UNAVAILABLE
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from botpsy_core.catalog.binding import Action, actions_of
from botpsy_core.domain.context import TurnContext
from botpsy_core.domain.home import Entity
from botpsy_core.domain.tools import Outcome, ToolCall, ToolResult, ToolSpec
from botpsy_core.domain.values import JsonObject, JsonValue
from botpsy_core.domain.verdicts import Readiness
from botpsy_core.errors import BadArguments

from .askers import Askers
from .calendar_events import Calendars
from .discretion import Discretion
from .errands import Done, Errands, makes_an_event, worst
from .hass_home import HassHome
from .letters import Letters, for_each
from .people import People, Reached

KINDS = frozenset({"action", "state", "clock"})
"""The bindings that this toolbox carries out."""


class HassToolbox:
    """Carries tools out by their binding."""

    def __init__(
        self,
        hass: HomeAssistant,
        home: HassHome,
        tools: Sequence[ToolSpec],
        askers: Askers,
        discretion: Discretion | None = None,
    ) -> None:
        """Offer those of the tools whose binding is Home Assistant's."""
        self._discretion = discretion or Discretion()
        self._hass = hass
        self._home = home
        self._askers = askers
        self._people = People(hass=hass, home=home, discretion=self._discretion)
        self._calendars = Calendars(hass)
        self._letters = Letters(hass=hass)
        self._errands = Errands(hass, self._calendars)
        self._specs = {spec.name: spec for spec in sorted(tools, key=lambda s: s.name) if _kind(spec) in KINDS}

    def specs(self) -> tuple[ToolSpec, ...]:
        """Return the tools, sorted by name; the same ones for as long as the entry is loaded."""
        return tuple(self._specs.values())

    async def check(self, call: ToolCall, context: TurnContext) -> Readiness:
        """Return whether the targets are exposed, allowed, reachable, and already as wanted."""
        spec = self._specs[call.name]
        targets = spec.targets_of(call)
        user = await self._askers.user_of(context)
        policy = POLICY_READ if spec.read_only else POLICY_CONTROL
        found = {each: self._home.entity(each) for each in targets}
        reached = self._people.reached(spec, call)
        if reached.without and all(found.values()):
            return Readiness(available=False, problem=self._unreachable(reached))
        recipients = spec.targets_of(reached.call)
        try:
            actions = self._actions(spec, reached.call, context)
        except BadArguments as error:
            return Readiness(available=False, problem=error.problem)
        gone = [each for each in recipients if self._hass.states.is_state(each, STATE_UNAVAILABLE)]
        return Readiness(
            exposed=all(found.values()) and (not _writes_to_people(spec) or self._discretion.may_receive(recipients)),
            allowed=self._allowed(user, context, targets, policy),
            available=not gone and all(self._hass.services.has_service(a.domain, a.action) for a in actions),
            already_so=not spec.read_only and self._errands.already_so(actions),
            problem=", ".join(self._name(each) for each in gone),
        )

    async def execute(self, call: ToolCall, context: TurnContext) -> ToolResult:
        """Carry the call out; what a target's state shows afterwards decides the outcome."""
        spec = self._specs[call.name]
        match _kind(spec):
            case "clock":
                return ToolResult(call_id=call.id, outcome=Outcome.DONE, data={"now": dt_util.now().isoformat()})
            case "state":
                return self._read(spec, call)
            case _:
                return await self._act(spec, call, context)

    def _read(self, spec: ToolSpec, call: ToolCall) -> ToolResult:
        entities = [entity for each in spec.targets_of(call) if (entity := self._home.entity(each))]
        return ToolResult(
            call_id=call.id,
            outcome=Outcome.DONE if entities else Outcome.FAILED,
            data={"states": [_facts(entity) for entity in entities]},
            untrusted=spec.untrusted_result or any(each.attributes.get("untrusted") for each in entities),
        )

    async def _act(self, spec: ToolSpec, call: ToolCall, context: TurnContext) -> ToolResult:
        reached = self._people.reached(spec, call)
        try:
            actions = self._actions(spec, reached.call, context) if not reached.without else ()
        except BadArguments as error:
            return ToolResult(call_id=call.id, outcome=Outcome.FAILED, detail=error.problem)
        if not actions:
            return ToolResult(call_id=call.id, outcome=Outcome.NOT_SENT)
        asker = self._askers.context_of(context)
        done = [await self._errands.run(action, asker) for action in actions]
        outcome = worst([each.outcome for each in done])
        return ToolResult(
            call_id=call.id,
            outcome=outcome,
            data={**await self._told(actions, done, context), **_unreached(reached)},
            detail="; ".join(each.detail for each in done if each.detail),
            untrusted=spec.untrusted_result,
        )

    def _actions(self, spec: ToolSpec, call: ToolCall, context: TurnContext) -> tuple[Action, ...]:
        if _kind(spec) != "action":
            return ()
        states = {each: state for each in spec.targets_of(call) if (state := self._hass.states.get(each))}
        attributes = {each: state.attributes for each, state in states.items()}
        language = context.language.partition("-")[0]
        return for_each(actions_of(spec, call, now=dt_util.now(), attributes=attributes, language=language))

    async def _told(self, actions: Sequence[Action], done: Sequence[Done], context: TurnContext) -> JsonObject:
        told: dict[str, JsonValue] = {}
        targets = tuple(each for action in actions for each in action.entities)
        if targets:
            told["states"] = {each: state.state for each in targets if (state := self._hass.states.get(each))}
        failed = [each for action, d in zip(actions, done, strict=True) if d.failed for each in action.entities]
        if failed:
            told["failed"] = failed
        responses = [each.response for each in done if isinstance(each.response, Mapping)]
        if responses:
            answered = {key: value for response in responses for key, value in response.items()}
            told["response"] = self._discretion.told(answered, context)
        told |= self._letters.how([a for a, d in zip(actions, done, strict=True) if not d.failed])
        made = [a for a, d in zip(actions, done, strict=True) if makes_an_event(a) and d.outcome is Outcome.DONE]
        found = [await self._calendars.overlapping(each, a.data) for a in made for each in a.entities]
        overlaps = [o.told(private=self._discretion.hides(o.calendar.entity_id, context)) for f in found for o in f]
        if overlaps:
            told["overlaps"] = overlaps
        return told

    def _unreachable(self, reached: Reached) -> str:
        names = ", ".join(self._name(each) for each in reached.without)
        away = ", ".join(self._name(each) for each in reached.gone)
        return f"{names}: {away or 'no device that may be written to'}"

    def _allowed(self, user: User | None, context: TurnContext, targets: Sequence[str], policy: str) -> bool:
        """Return what Home Assistant's permissions say; without a user the gate's own policy decides."""
        if context.user_id is None:
            return True
        if user is None or not user.is_active:
            return False
        return all(user.permissions.check_entity(each, policy) for each in targets)

    def _name(self, entity_id: str) -> str:
        state = self._hass.states.get(entity_id)
        return state.name if state else entity_id


def _unreached(reached: Reached) -> dict[str, JsonValue]:
    return {"unreached": list(reached.gone)} if reached.gone else {}


def _kind(spec: ToolSpec) -> JsonValue:
    return spec.binding.get("kind")


def _writes_to_people(spec: ToolSpec) -> bool:
    return str(spec.binding.get("action", "")).startswith("notify.")


def _facts(entity: Entity) -> dict[str, JsonValue]:
    facts: dict[str, JsonValue] = {"id": entity.id, "name": entity.name, "state": entity.state}
    if entity.unit:
        facts["unit"] = entity.unit
    if entity.changed:
        facts["changed"] = entity.changed
    if entity.attributes:
        facts["attributes"] = dict(entity.attributes)
    return facts
