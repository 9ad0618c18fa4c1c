"""What the panel shows of the home: what is exposed, what a mistake with it would mean, what a request costs."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from math import ceil
from statistics import fmean, quantiles
from typing import Any, Final

from homeassistant.components.websocket_api.connection import ActiveConnection
from homeassistant.core import HomeAssistant

from botpsy_core.domain.home import Entity, Home
from botpsy_core.domain.tools import Risk, Role, ToolSpec
from botpsy_core.domain.values import JsonObject
from botpsy_core.domain.verdicts import AskKind
from botpsy_core.errors import BotPsyError
from botpsy_core.safety import Policy

from .const import DOMAIN
from .entry import BotPsyConfigEntry
from .errors import translated
from .panel_journal import may_see
from .panel_waiting import frame_of

WEEK: Final = timedelta(days=7)
BYTES_A_TOKEN: Final = 3.6
"""Of names, as the models of the catalogue cut them; a count by the model itself would cost a call a thing."""


async def async_home(
    hass: HomeAssistant, connection: ActiveConnection, msg: dict[str, Any], entry: BotPsyConfigEntry
) -> dict[str, Any]:
    """Return what this user may see of the exposed home, and what requests cost in the last week."""
    runtime = entry.runtime_data
    home = await runtime.async_home_for(await frame_of(hass, connection, entry))
    policy, specs = runtime.policy_of(runtime.speakers[""]), runtime.toolbox.specs()
    entities = await hass.async_add_executor_job(things, home, policy, specs)
    week = await runtime.journal.async_since(runtime.clock.now() - WEEK, keep=may_see(connection.user))
    return {"entities": entities, "meter": meter(week)}


async def async_dry_run(
    hass: HomeAssistant, connection: ActiveConnection, msg: dict[str, Any], entry: BotPsyConfigEntry
) -> dict[str, Any]:
    """Return what would come of a request, with its way through the rooms; nothing is done."""
    frame = replace(await frame_of(hass, connection, entry), dry_run=True)
    if language := msg.get("language"):
        frame = replace(frame, language=language)
    try:
        deltas = await entry.runtime_data.async_utter(msg["text"], context=frame, agent_id=DOMAIN)
    except BotPsyError as error:
        raise translated(error) from error
    ended = deltas.ended
    assert ended is not None
    usage = ended.usage
    return {
        "status": ended.status.value,
        "reason": ended.reason.value if ended.reason else None,
        "reply": ended.reply,
        "secret": ended.secret,
        "usage": {
            "seconds": usage.seconds,
            "engine_seconds": usage.engine_seconds,
            "prompt_tokens": usage.prompt_tokens,
            "prompt_tokens_evaluated": usage.prompt_tokens_evaluated,
            "generated_tokens": usage.generated_tokens,
        },
        **ended.trace,
    }


def things(home: Home, policy: Policy, specs: Sequence[ToolSpec]) -> list[dict[str, Any]]:
    """Return every thing with the worst class of what can be done to it, and what that needs first."""
    acting = [spec for spec in specs if not spec.read_only and spec.arguments_of(Role.TARGET)]
    areas = {area.id: area.name for area in home.areas}
    return [
        {
            "id": each.id,
            "name": each.name,
            "aliases": list(each.aliases),
            "area": areas.get(each.area_id or "", ""),
            **worst(each, policy, acting),
            "tokens": ceil(sum(len(name.encode()) for name in (each.name, *each.aliases)) / BYTES_A_TOKEN),
        }
        for each in home.entities
    ]


def worst(entity: Entity, policy: Policy, acting: Sequence[ToolSpec]) -> dict[str, Any]:
    """Return the worst class of a thing, and what an act of that class needs first."""
    stakes = [policy.stake(spec, (entity,)) for spec in acting if _fits(spec, entity)]
    if not stakes:
        return {"risk": Risk.READ.value, "first": None, "acts": False}
    found = max(stakes, key=lambda stake: (stake.risk.rank, _level(stake.confirm)))
    return {"risk": found.risk.value, "first": found.confirm.value if found.confirm else None, "acts": True}


def meter(week: Sequence[JsonObject]) -> dict[str, Any]:
    """Return what requests cost: seconds, and tokens that the model read anew."""
    told: list[Any] = [each.get("usage") for each in week if each.get("kind") == "turn"]
    used: list[dict[str, Any]] = [each for each in told if each]
    if not used:
        return {"requests": 0}
    seconds = [float(each["seconds"]) for each in used]
    cut = quantiles(seconds, n=20) if len(seconds) > 1 else [seconds[0]] * 19
    return {
        "requests": len(used),
        "median_s": round(cut[9], 3),
        "p95_s": round(cut[18], 3),
        "without_model": sum(not each["prompt_tokens"] for each in used),
        "read": round(fmean(each["prompt_tokens_evaluated"] for each in used)),
    }


def _fits(spec: ToolSpec, entity: Entity) -> bool:
    """Return True if a tool is for such things; one that is for any, such as forgetting a plan, tells nothing."""
    return any(not a.kinds.isdisjoint((entity.domain, entity.kind)) for a in spec.arguments_of(Role.TARGET))


def _level(confirm: AskKind | None) -> int:
    return (None, AskKind.CONFIRM, AskKind.PIN).index(confirm)
