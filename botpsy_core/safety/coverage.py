"""How much of what was said a foreign tool's text and a call's values speak of."""

import re

from botpsy_core.domain.heard import Heard, Span
from botpsy_core.domain.tools import ToolCall, ToolSpec
from botpsy_core.safety.hollow import stems
from botpsy_core.safety.saying import leaves_of

ENGLISH = "en"
"""The language of tool texts; words of another one say nothing by their letters."""
_JOINING = frozenset({"all", "and", "based", "for", "from", "the", "with"})
"""Words that join a tool's name."""


def coverage(call: ToolCall, spec: ToolSpec, heard: Heard, *, part: Span | None = None) -> float | None:
    """Return the share of the content words, 0 to 1, that tool and values cover; None where words cannot tell.

    Content words are those that hearing explains by a thing, or not at all; of a part only its own.
    """
    if heard.language != ENGLISH:
        return None
    spans = [s for clause in heard.clauses for s in clause.unexplained]
    spans += [t.span for clause in heard.clauses for t in clause.targets if t.span is not None]
    said = stems(" ".join(heard.text[s.start : s.end] for s in spans if part is None or s.overlaps(part)))
    if not said:
        return None
    about = [spec.called, spec.description]
    for argument in spec.arguments:
        options = argument.schema.get("enum")
        about += [argument.name, argument.description, *(map(str, options) if isinstance(options, list) else ())]
    values = (str(leaf) for value in call.args.values() for leaf in leaves_of(value))
    return len(said & stems(" ".join([*about, *values]))) / len(said)


def is_spoken_of(spec: ToolSpec, heard: Heard) -> bool:
    """Return True if at least half of the words of a foreign tool's name were said; its verb counts where it acts."""
    verb = re.split(r"[_\-.]|(?<=[a-z])(?=[A-Z])", spec.called, maxsplit=1)[0]
    own = stems(spec.called) - _JOINING - (stems(verb) if spec.read_only else frozenset())
    return bool(own) and 2 * len(own & stems(heard.text)) >= len(own)
