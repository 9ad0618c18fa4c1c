"""The language room: how a model family reads and writes; formats are data."""

from botpsy_core.dialect.detect import family_of
from botpsy_core.dialect.families import Family, Values
from botpsy_core.dialect.grammar import build_grammar
from botpsy_core.dialect.parse import Parser
from botpsy_core.dialect.render import Renderer, renderer_of
from botpsy_core.dialect.signatures import signatures
from botpsy_core.dialect.thinking import ThinkingBudget, begin_thought, end_thought, goes_round, opens_thought
from botpsy_core.dialect.write import write_calls

__all__ = [
    "Family",
    "Parser",
    "Renderer",
    "ThinkingBudget",
    "Values",
    "begin_thought",
    "build_grammar",
    "end_thought",
    "family_of",
    "goes_round",
    "opens_thought",
    "renderer_of",
    "signatures",
    "write_calls",
]
