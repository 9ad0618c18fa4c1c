"""The gate's rule about whom words go to: to nobody instead of the one who was named."""

import re

from botpsy_core.domain.cues import listed_words, word_hits
from botpsy_core.domain.heard import TIMES
from botpsy_core.domain.tools import Argument, Direction, Role
from botpsy_core.domain.verdicts import Reason
from botpsy_core.safety.case import Case, Finding

_ADDRESS = re.compile(r"\+?\d[\d\s()/.-]{3,}\d|\S@\S|https?://")
"""A telephone number, an e-mail address or a link."""


def stranger(case: Case) -> Finding:
    """Never let words for somebody who was named by a number or an address go to somebody else instead."""
    if Direction.SEND not in case.spec.directions:
        return None
    for argument in case.spec.arguments_of(Role.TEXT):
        text = case.call.args.get(argument.name)
        if isinstance(text, str) and _is_addressed(case, argument, text):
            return case.refuse(Reason.NO_SUITABLE_TOOL)
    return None


def _is_addressed(case: Case, argument: Argument, text: str) -> bool:
    """Return True if an address stands where a recipient would: before a word like "that", or where no such word is."""
    after = listed_words(argument.schema, "x-after", case.heard.language)
    if not after:
        return False
    hits = word_hits(after, text)
    span = case.grounding.spans.get(argument.name)
    before = _timeless(case)[: span.start].rstrip().lower() if span is not None else ""
    heads = [text[: hit.start] for hit in hits]
    if not before.endswith(after[0]) and case.grounding.target is None:  # "that" stands first; "message" proves nothing
        heads.append(text)
    if case.grounding.target is None:  # nobody of the home was named, so a number before the text is whom it is for
        heads.append(before)
    return any(_ADDRESS.search(head) for head in heads)


def _timeless(case: Case) -> str:
    """Return what was said with its times blanked, so that "at 19.30" is no telephone number."""
    text = case.heard.text
    for value in (v for clause in case.heard.clauses for v in clause.values if v.kind in TIMES):
        start, end = value.span.start, value.span.end
        text = f"{text[:start]}{' ' * (end - start)}{text[end:]}"
    return text
