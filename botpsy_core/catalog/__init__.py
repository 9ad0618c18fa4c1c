"""The library: tool_schemas/ becomes ToolSpec, words and tools become an Offer, a raw call becomes a checked one."""

from botpsy_core.catalog.binding import Action, actions_of, needed_attributes, parts_between
from botpsy_core.catalog.certain import decide_by_words
from botpsy_core.catalog.conditions import holds
from botpsy_core.catalog.facts import facts_of
from botpsy_core.catalog.foreign import foreign_args, foreign_tool, only_schema
from botpsy_core.catalog.foreign_certain import said_by_option
from botpsy_core.catalog.foreign_grounds import grounded
from botpsy_core.catalog.foreign_parts import is_elided, parts_of, stands_alone
from botpsy_core.catalog.foreign_rivals import better_placed
from botpsy_core.catalog.foreign_spread import spread
from botpsy_core.catalog.foreign_words import tells_a_value
from botpsy_core.catalog.found import found, told_for
from botpsy_core.catalog.likeness import likeness
from botpsy_core.catalog.loader import load_plan_tools, load_timer_tools, load_tools
from botpsy_core.catalog.needs import Need, asked_by_names, names_in, need_of
from botpsy_core.catalog.preconditions import named_first
from botpsy_core.catalog.reckoned import Reckoned, is_named_in, reckoned, served
from botpsy_core.catalog.shortlist import shortlist
from botpsy_core.catalog.validate import check_value, resolve

__all__ = [
    "Action",
    "Need",
    "Reckoned",
    "actions_of",
    "asked_by_names",
    "better_placed",
    "check_value",
    "decide_by_words",
    "facts_of",
    "foreign_args",
    "foreign_tool",
    "found",
    "grounded",
    "holds",
    "is_elided",
    "is_named_in",
    "likeness",
    "load_plan_tools",
    "load_timer_tools",
    "load_tools",
    "named_first",
    "names_in",
    "need_of",
    "needed_attributes",
    "only_schema",
    "parts_between",
    "parts_of",
    "reckoned",
    "resolve",
    "said_by_option",
    "served",
    "shortlist",
    "spread",
    "stands_alone",
    "tells_a_value",
    "told_for",
]
