"""What each agent of an entry has to itself."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from homeassistant.const import CONF_LLM_HASS_API, CONF_PROMPT
from homeassistant.core import HomeAssistant

from botpsy_core.agent import Toolset, TurnLimits
from botpsy_core.dialect import ThinkingBudget
from botpsy_core.ports import Toolbox

from .askers import Askers
from .const import (
    CONF_MAX_HISTORY,
    CONF_POLICY,
    CONF_THINKING,
    CONF_USERS,
    DEFAULT_MAX_HISTORY,
    SUBENTRY_CONVERSATION,
    Preset,
)
from .entry import BotPsyConfigEntry
from .hass_home import HassHome
from .tool_bridge import ForeignToolbox


@dataclass(frozen=True, slots=True, kw_only=True)
class Speaker:
    """One agent, as its owner wants it."""

    instructions: str
    """What its owner tells the model."""
    toolbox: Toolset
    preset: Preset | None = None
    """How careful this one is; None: as careful as the entry."""
    users: frozenset[str] = frozenset()
    """The only users who may talk to it; empty: everybody."""
    history: int = DEFAULT_MAX_HISTORY
    """Messages of a conversation that a turn reads."""
    thinking: bool = False
    """True lets the model think before each decision, within a budget."""
    foreign: ForeignToolbox | None = None
    """Tools of other integrations, a part of the toolbox; read once the home is there."""

    @property
    def limits(self) -> TurnLimits:
        """Return what a turn of this agent may cost."""
        return TurnLimits(thinking=ThinkingBudget() if self.thinking else None)


def speakers_of(
    hass: HomeAssistant, entry: BotPsyConfigEntry, home: HassHome, askers: Askers, toolboxes: Sequence[Toolbox]
) -> Mapping[str, Speaker]:
    """Return an entry's agents by subentry; one without other integrations' tools shares the entry's toolbox."""
    shared = Toolset(toolboxes)
    speakers = {"": Speaker(instructions="", toolbox=shared)}
    for key, each in entry.subentries.items():
        if each.subentry_type == SUBENTRY_CONVERSATION:
            apis = each.data.get(CONF_LLM_HASS_API)
            foreign = ForeignToolbox(hass, home, askers, apis) if apis else None
            preset = str(each.data.get(CONF_POLICY, ""))
            speakers[key] = Speaker(
                instructions=str(each.data.get(CONF_PROMPT, "")),
                toolbox=Toolset([*toolboxes, foreign]) if foreign else shared,
                preset=Preset(preset) if preset in Preset else None,
                users=frozenset(each.data.get(CONF_USERS, ())),
                history=int(each.data.get(CONF_MAX_HISTORY, DEFAULT_MAX_HISTORY)),
                thinking=bool(each.data.get(CONF_THINKING, False)),
                foreign=foreign,
            )
    return speakers
