"""Which family a model belongs to, from what its file says of itself."""

from dataclasses import replace

from botpsy_core.dialect.families import CALL_LIST, FENCED, FUNCTION_XML, HERMES, TAGGED, Family
from botpsy_core.domain.engine import ModelInfo

_SIGNS: tuple[tuple[Family, tuple[str, ...]], ...] = (
    (FUNCTION_XML, (FUNCTION_XML.name_open, FUNCTION_XML.arg_open)),
    (TAGGED, (TAGGED.name_open, TAGGED.arg_open)),
    (HERMES, (HERMES.begin, '"arguments"')),
    (CALL_LIST, (CALL_LIST.begin,)),
    (CALL_LIST, ("List of tools: [",)),
)
"""Texts that all stand in a template of that family; the more telling first."""

_ARCHITECTURES: tuple[tuple[str, Family], ...] = (("lfm2", CALL_LIST), ("qwen35", TAGGED), ("qwen", HERMES))
"""What an architecture's name begins with, for a file without a telling template."""


def family_of(info: ModelInfo) -> Family:
    """Return the family of a model, with the markers that its vocabulary holds as single tokens."""
    family = _by_template(info.template) or _by_architecture(info.architecture) or FENCED
    known = frozenset(info.special)
    return replace(family, special=frozenset(m for m in family.markers if m in known), control=known)


def _by_template(template: str) -> Family | None:
    return next((f for f, signs in _SIGNS if all(sign in template for sign in signs)), None)


def _by_architecture(architecture: str) -> Family | None:
    return next((f for start, f in _ARCHITECTURES if architecture.startswith(start)), None)
