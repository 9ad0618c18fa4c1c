"""A text whose runs of whole words are the only values of an argument."""

import json
import re

_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
"""Scripts that write words without spaces, or grow them at the end: each letter counts as a word."""

_CHUNK = re.compile(
    rf"\s+|[{_UNSPACED}]|[^\W_{_UNSPACED}]+(?:['\u2019.\-][^\W_{_UNSPACED}]+)*|.",
    re.DOTALL,
)

_EDGE = (
    r"""\s.,;:!?"'()\[\]{}<>\\`"""
    "\u2026\u201e\u201c\u201d\u00ab\u00bb\u2039\u203a\u2018\u2019\u00b7\u3002\uff0c\u3001\uff01\uff1f\uff1b\uff1a"
    "\u300c\u300d\u300e\u300f\uff08\uff09"
)
"""What a value never begins or ends with, in a character class."""

_WHOLE = rf"/[^{_EDGE}](.*[^{_EDGE}])?/"


def chunks(text: str) -> tuple[str, ...]:
    """Return words, spaces and marks, in order; each space is a single one."""
    return tuple(" " if piece.isspace() else piece for piece in _CHUNK.findall(text.strip()))


def runs_of_words(text: str, *, escaped: bool) -> str | None:
    """Return a Lark terminal for the runs of words of a text, or None where it has no word.

    `escaped` writes the words as they stand inside a JSON string.
    """
    pieces = chunks(text)
    if not any(re.fullmatch(rf"[^{_EDGE}]+", piece[0]) for piece in pieces):
        return None
    written = [json.dumps(piece, ensure_ascii=False)[1:-1] for piece in pieces] if escaped else list(pieces)
    return f"%regex {json.dumps({'substring_chunks': written}, ensure_ascii=False)} & {_WHOLE}"
