"""The living room: the one loop that hears, decides, asks, acts and replies."""

from botpsy_core.agent.aftermath import messages_of, run
from botpsy_core.agent.agent import Agent
from botpsy_core.agent.export import examples
from botpsy_core.agent.journal import FileJournal, NoJournal, read_journal
from botpsy_core.agent.limits import TurnLimits
from botpsy_core.agent.list_toolbox import ListToolbox
from botpsy_core.agent.masking import hidden
from botpsy_core.agent.pages import Page, Row, entries_since, entry_at, page_of
from botpsy_core.agent.phrases import phrases_for
from botpsy_core.agent.plan_toolbox import PlanToolbox, visible_to
from botpsy_core.agent.plans import Missed, Plans
from botpsy_core.agent.read_ahead import read_ahead
from botpsy_core.agent.reply import Speech
from botpsy_core.agent.timer_toolbox import TimerToolbox
from botpsy_core.agent.toolset import Toolset

__all__ = [
    "Agent",
    "FileJournal",
    "ListToolbox",
    "Missed",
    "NoJournal",
    "Page",
    "PlanToolbox",
    "Plans",
    "Row",
    "Speech",
    "TimerToolbox",
    "Toolset",
    "TurnLimits",
    "entries_since",
    "entry_at",
    "examples",
    "hidden",
    "messages_of",
    "page_of",
    "phrases_for",
    "read_ahead",
    "read_journal",
    "run",
    "visible_to",
]
