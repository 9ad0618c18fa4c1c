"""The owner's rules in the panel: what holds, what a change would have meant, and putting it in force."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from homeassistant.components.select import DOMAIN as SELECT_DOMAIN
from homeassistant.components.select import SERVICE_SELECT_OPTION
from homeassistant.components.websocket_api.connection import ActiveConnection
from homeassistant.const import ATTR_ENTITY_ID
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import entity_registry as er

from botpsy_core.domain.context import Origin, TurnContext
from botpsy_core.domain.home import Home
from botpsy_core.domain.tools import ToolCall, ToolSpec
from botpsy_core.domain.values import JsonObject, mapping_of
from botpsy_core.errors import ConfigurationInvalid
from botpsy_core.safety import Past, Policy, judged, looser

from .const import DOMAIN, Preset
from .entry import BotPsyConfigEntry
from .errors import translated
from .panel_home import WEEK, things
from .panel_waiting import frame_of
from .policies import Rules, read_policies
from .policy_store import HassPolicyStore

SHOWN: Final = 20
"""Requests that a preview names."""

BY_POLICY: Final = frozenset({"not_enabled", "not_allowed", "too_many_targets"})
"""Refusals that another policy could have been without."""


async def async_get(
    hass: HomeAssistant, connection: ActiveConnection, msg: dict[str, Any], entry: BotPsyConfigEntry
) -> dict[str, Any]:
    """Return every thing with what holds for it, the owner's own rules, and what stands in the owner's file."""
    runtime = entry.runtime_data
    home = await runtime.async_home_for(await frame_of(hass, connection, entry))
    policy = runtime.policies[runtime.preset]
    return {
        "preset": runtime.preset.value,
        "presets": [each.value for each in Preset],
        "pin_set": runtime.confirmations.pin_set,
        "rules": runtime.rules.panel.get("entities", {}),
        "in_file": sorted(runtime.rules.file.get("entities", {})),
        "entities": await hass.async_add_executor_job(things, home, policy, runtime.toolbox.specs()),
    }


async def async_set(
    hass: HomeAssistant, connection: ActiveConnection, msg: dict[str, Any], entry: BotPsyConfigEntry
) -> dict[str, Any]:
    """Put the owner's rule for one thing in force, or take it back, and keep it."""
    runtime = entry.runtime_data
    rules = await _with(hass, entry, msg)
    await HassPolicyStore(hass, entry.entry_id).async_save(dict(rules.panel))
    runtime.async_use_rules(rules)
    return await async_get(hass, connection, msg, entry)


async def async_preset(
    hass: HomeAssistant, connection: ActiveConnection, msg: dict[str, Any], entry: BotPsyConfigEntry
) -> dict[str, Any]:
    """Choose how careful the entry is, as its select entity does."""
    registered = er.async_entries_for_config_entry(er.async_get(hass), entry.entry_id)
    chosen = next((each.entity_id for each in registered if each.domain == SELECT_DOMAIN), None)
    if chosen is None:
        raise HomeAssistantError(translation_domain=DOMAIN, translation_key="not_loaded")
    await hass.services.async_call(
        SELECT_DOMAIN,
        SERVICE_SELECT_OPTION,
        {ATTR_ENTITY_ID: chosen, "option": msg["preset"]},
        blocking=True,
        context=connection.context(msg),
    )
    return await async_get(hass, connection, msg, entry)


async def async_preview(
    hass: HomeAssistant, connection: ActiveConnection, msg: dict[str, Any], entry: BotPsyConfigEntry
) -> dict[str, Any]:
    """Return how the requests of the last week would have gone with another rule; nothing is changed."""
    runtime = entry.runtime_data
    frame = await frame_of(hass, connection, entry)
    home = await runtime.async_home_for(frame)
    after = (await _with(hass, entry, msg)).policies[Preset(msg.get("preset", runtime.preset))]
    before = runtime.policies[runtime.preset]
    week = await runtime.journal.async_since(frame.now - WEEK, keep=lambda each: each.get("kind") == "turn")
    admins = {user.id for user in await hass.auth.async_get_users() if user.is_admin and user.is_active}
    specs = {spec.name: spec for spec in runtime.toolbox.specs()}
    changed = await hass.async_add_executor_job(
        lambda: _compared(week, specs=specs, home=home, before=before, after=after, admins=admins)
    )
    return {
        "requests": len(week),
        "changed": len(changed),
        "looser": any(each["looser"] for each in changed),
        "lines": changed[:SHOWN],
    }


async def _with(hass: HomeAssistant, entry: BotPsyConfigEntry, msg: Mapping[str, Any]) -> Rules:
    """Return the rules with one thing's changed; raise HomeAssistantError for a rule that is none."""
    entities = dict(entry.runtime_data.rules.panel.get("entities", {}))
    if "entity_id" in msg:
        entities.pop(msg["entity_id"], None)
        if msg.get("rule"):
            entities[msg["entity_id"]] = msg["rule"]
    folder = Path(hass.config.path(DOMAIN))
    try:
        return await hass.async_add_executor_job(read_policies, folder, {"entities": entities} if entities else {})
    except ConfigurationInvalid as error:
        raise translated(error) from error


def _compared(
    week: Sequence[JsonObject],
    *,
    specs: Mapping[str, ToolSpec],
    home: Home,
    before: Policy,
    after: Policy,
    admins: set[str],
) -> list[dict[str, Any]]:
    """Return the calls that would have gone another way, newest first; blocks."""
    changed = []
    for each in week:
        for past, spec in _pasts(each, specs, admins):
            was, would = (judged(past, spec=spec, home=home, policy=policy) for policy in (before, after))
            if was is not would:
                changed.append(
                    {
                        "at": each["at"],
                        "text": each.get("text", ""),
                        "before": was.value,
                        "after": would.value,
                        "looser": looser(would, was),
                    }
                )
    return changed


def _pasts(each: JsonObject, specs: Mapping[str, ToolSpec], admins: set[str]) -> Iterator[tuple[Past, ToolSpec]]:
    """Yield the calls of a journal's entry that the policy has decided about."""
    clauses = each.get("clauses")
    for clause in clauses if isinstance(clauses, Sequence) else ():
        call, verdict = mapping_of(mapping_of(clause).get("call")), mapping_of(mapping_of(clause).get("verdict"))
        spec = specs.get(str(call.get("name")))
        by_words = verdict.get("kind") == "refuse" and verdict.get("reason") not in BY_POLICY
        if spec is None or not verdict or by_words:
            continue
        evidence = mapping_of(mapping_of(clause).get("evidence"))
        certainty = evidence.get("certainty")
        user = each.get("user")
        context = TurnContext(
            conversation_id="",
            origin=Origin(str(each.get("origin", Origin.CHAT))),
            now=datetime.fromisoformat(str(each["at"])),
            user_id=None if user is None else str(user),
            is_admin=user in admins,
        )
        made = ToolCall(id="call_1", name=spec.name, args=mapping_of(call.get("args")))
        yield Past(call=made, context=context, certainty=certainty if isinstance(certainty, float) else None), spec
