"""Text that somebody else wrote, made harmless to show; it stays untrusted all the same."""

import re
import unicodedata

MAX_LENGTH = 64

_TEMPLATE_TOKEN = re.compile(r"<\|[^|>]{0,40}\|?>|</?[A-Za-z_][A-Za-z0-9_ -]{0,40}>|\[/?[A-Z_]{2,20}\]")
_DANGEROUS = frozenset("<>|{}[]`\\")


def quoted(text: str) -> str:
    """Return a text without control, zero-width and bidirectional characters, without chat-template tokens, capped."""
    plain = _TEMPLATE_TOKEN.sub(" ", unicodedata.normalize("NFKC", text[: MAX_LENGTH * 16]))
    kept = (" " if c.isspace() else c for c in plain if c.isspace() or _harmless(c))
    return " ".join("".join(kept).split())[:MAX_LENGTH].rstrip()


def _harmless(character: str) -> bool:
    """Return True for what a name or a place may be written with."""
    # Cc control, Cf format (zero-width, bidirectional), Cs surrogate, Co private use, Cn unassigned
    return unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Co", "Cn") and character not in _DANGEROUS
