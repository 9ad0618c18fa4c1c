"""Quotes: what stands between quotation marks; those words are somebody's own, whatever they say."""

import re

from botpsy_core.domain.heard import Span

_MOST = 500
"""Characters of the longest quotation."""
_MARKS = (('"', '"'), ("\u201c", "\u201d"), ("\u201e", "[\u201c\u201d]"), ("\u00ab", "\u00bb"), ("\u00bb", "\u00ab"))
_CORNERS = (("\u300c", "\u300d"), ("\u300e", "\u300f"))
_INSIDE = "|".join(f"{a}([^{a}{b.strip('[]')}]{{1,{_MOST}}}){b}" for a, b in (*_MARKS, *_CORNERS))
_SINGLE = rf"(?<!\w)['\u2018](?!\s)((?:[^'\u2018\u2019]|(?<=\w)['\u2019](?=\w)){{1,{_MOST}}})['\u2019](?!\w)"
"""Single marks quote only where no apostrophe can stand."""
_QUOTED = re.compile(f"{_INSIDE}|{_SINGLE}")


def quotes_in(text: str) -> tuple[Span, ...]:
    """Return where quoted words stand, without their marks."""
    found = ((m, next(n for n, inner in enumerate(m.groups(), 1) if inner is not None)) for m in _QUOTED.finditer(text))
    return tuple(Span(start=m.start(n), end=m.end(n)) for m, n in found if m[n].strip())
