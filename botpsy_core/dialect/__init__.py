"""The language room: how a model family reads and writes; formats are data."""

from botpsy_core.dialect.detect import family_of
from botpsy_core.dialect.families import Family, Values
from botpsy_core.dialect.grammar import build_grammar
from botpsy_core.dialect.parse import Parser
from botpsy_core.dialect.render import Renderer
from botpsy_core.dialect.write import write_calls

__all__ = ["Family", "Parser", "Renderer", "Values", "build_grammar", "family_of", "write_calls"]
