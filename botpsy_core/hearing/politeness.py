"""Tell a request from a statement by how it begins, whatever its verb: "could you reconcile ...", "my town is ..."."""

import re

from botpsy_core.hearing.lexicon import lexicon_for
from botpsy_core.hearing.senses import Sense
from botpsy_core.hearing.tokens import words_of

_SENTENCE = re.compile(r"[.?!;\n\u3002\uff1f\uff01\uff1b]+")
_LATEST = 2
"""Words that may come before: "hello", "so, please"."""
_ABOUT = frozenset({Sense.ARTICLE, Sense.SUBJECT, Sense.REFERENCE, Sense.RETRACT})
_ASKING = frozenset({Sense.ASK, Sense.EXPLAIN, Sense.IF, Sense.REPORTED, Sense.NEGATION})


def asks_to_act(text: str, language: str) -> bool:
    """Return True if a sentence begins as a request and holds no word that asks, denies, reports or makes terms."""
    return any(_is_request(words_of(sentence), language) for sentence in _SENTENCE.split(text))


def begins_by_telling(text: str, language: str) -> bool:
    """Return True if a sentence begins with who or what it is about, or "I mean", and so with no verb of a request."""
    words = words_of(text)
    _, meanings = lexicon_for(language).longest_at(words, 0, len(words))
    return not _ABOUT.isdisjoint(meaning.sense for meaning in meanings)


def _is_request(words: tuple[str, ...], language: str) -> bool:
    lexicon = lexicon_for(language)
    begins, at = False, 0
    while at < len(words):
        length, meanings = lexicon.longest_at(words, at, len(words))
        senses = {meaning.sense for meaning in meanings}
        if senses & _ASKING:
            return False
        begins = begins or (at <= _LATEST and Sense.POLITE in senses)
        at += max(length, 1)
    return begins
