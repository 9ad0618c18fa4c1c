"""Tell a request from a statement by how it begins, whatever its verb: "could you reconcile ...", "my town is ..."."""

import re

from botpsy_core.hearing.lexicon import lexicon_for
from botpsy_core.hearing.senses import Sense
from botpsy_core.hearing.tokens import words_of

_SENTENCE = re.compile(r"[.?!;\n\u3002\uff1f\uff01\uff1b]+")
_COMMA = re.compile(r"[,\u060c\u3001\uff0c]")
_LATEST = 2
"""Words that may come before: "hello", "so, please"."""
_ABOUT = frozenset({Sense.ARTICLE, Sense.SUBJECT, Sense.REFERENCE, Sense.RETRACT})
_ASKING = frozenset({Sense.ASK, Sense.EXPLAIN, Sense.IF, Sense.REPORTED, Sense.NEGATION})


def asks_to_act(text: str, language: str) -> bool:
    """Return True if a sentence, or what follows a comma in it, begins as a request.

    It holds no word that asks, denies, reports or makes terms.
    """
    return any(_is_request(sentence, language) for sentence in _SENTENCE.split(text))


def begins_by_telling(text: str, language: str) -> bool:
    """Return True if a sentence begins with who or what it is about, or "I mean", and so with no verb of a request."""
    words = words_of(text)
    _, meanings = lexicon_for(language).longest_at(words, 0, len(words))
    return not _ABOUT.isdisjoint(meaning.sense for meaning in meanings)


def _is_request(sentence: str, language: str) -> bool:
    parts = [_senses(words_of(part), language) for part in _COMMA.split(sentence)]
    if any(senses & _ASKING for part in parts for _, senses in part):
        return False
    heads = parts[:1] if begins_by_telling(sentence, language) else parts
    return any(at <= _LATEST and Sense.POLITE in senses for part in heads for at, senses in part)


def _senses(words: tuple[str, ...], language: str) -> list[tuple[int, frozenset[Sense]]]:
    """Return what each phrase does, by the number of words before it."""
    lexicon = lexicon_for(language)
    found: list[tuple[int, frozenset[Sense]]] = []
    at = 0
    while at < len(words):
        length, meanings = lexicon.longest_at(words, at, len(words))
        found.append((at, frozenset(meaning.sense for meaning in meanings)))
        at += max(length, 1)
    return found
