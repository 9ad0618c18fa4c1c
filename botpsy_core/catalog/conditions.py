"""Whether what was read just now meets a condition: "if any pressure is below 30", "if it is not enough"."""

import re
from collections.abc import Iterator, Mapping, Sequence

from botpsy_core.catalog.facts import name_words
from botpsy_core.catalog.foreign_words import said_in, with_points
from botpsy_core.domain.values import JsonObject, JsonValue

BELOW: Mapping[str, str] = {
    "en": r"below|under|less than|lower than|fewer than",
    "de": r"unter|weniger als|niedriger als|kleiner als",
    "fr": r"en dessous de|au-dessous de|sous|moins de|inférieure? à",
    "es": r"por debajo de|menos de|inferior a|menor que",
    "it": r"sotto|al di sotto di|meno di|inferiore a",
    "pt": r"abaixo de|menos de|inferior a|menor que",
    "nl": r"onder|minder dan|lager dan",
    "pl": r"poniżej|mniej niż|niższ\w+ niż",
    "ru": r"ниже|меньше|менее",
    "zh": r"低于|少于|小于|不到",
    "hi": r"से कम|से नीचे",
}
ABOVE: Mapping[str, str] = {
    "en": r"above|over|more than|higher than|greater than|exceeds?",
    "de": r"über|mehr als|höher als|größer als",
    "fr": r"au-dessus de|plus de|supérieure? à",
    "es": r"por encima de|más de|superior a|mayor que",
    "it": r"sopra|al di sopra di|più di|superiore a",
    "pt": r"acima de|mais de|superior a|maior que",
    "nl": r"boven|meer dan|hoger dan",
    "pl": r"powyżej|więcej niż|wyższ\w+ niż",
    "ru": r"выше|больше|более",
    "zh": r"高于|超过|大于",
    "hi": r"से अधिक|से ज़्यादा|से ऊपर",
}
NOT: Mapping[str, str] = {
    "en": r"not|\w+n['\u2019]t|cannot|insufficient|inadequate|short",
    "de": r"nicht|keine?|unzureichend",
    "fr": r"pas|insuffisante?",
    "es": r"no|insuficiente",
    "it": r"non|insufficiente",
    "pt": r"não|insuficiente",
    "nl": r"niet|geen|onvoldoende",
    "pl": r"nie|niewystarczając\w+",
    "ru": r"не|недостаточно",
    "zh": r"不|没",
    "hi": r"नहीं",
}
"""Words of each language; English where it has none of its own."""
NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?")
WORD = re.compile(r"[^\W\d_]+")


def holds(condition: str, told: JsonObject, language: str) -> bool | None:
    """Return whether a result meets a condition, for any of its numbers; None where the two do not speak of the same.

    A condition without a number is about the one thing that a result says is so or is not.
    """
    numbers = NUMBER.findall(with_points(condition, language))
    below, above = (said_in(words, condition, language) is not None for words in (BELOW, ABOVE))
    if not numbers:
        truths = [value for _, value in _leaves(told, "") if isinstance(value, bool)]
        return None if len(truths) != 1 else truths[0] is (said_in(NOT, condition, language) is None)
    found = _spoken_of(condition, told)
    if len(numbers) != 1 or below is above or not found or said_in(NOT, condition, language):
        return None
    bound = float(numbers[0])
    return any(value < bound if below else value > bound for value in found)


def _spoken_of(condition: str, told: JsonObject) -> Sequence[float]:
    """Return the numbers whose keys the condition names, or all where they are of one kind and it names none."""
    words = frozenset(w for word in WORD.findall(condition) for w in name_words(word.lower()))
    numbers = [
        (name_words(k), float(v))
        for k, v in _leaves(told, "")
        if isinstance(v, int | float) and not isinstance(v, bool)
    ]
    named = [value for key, value in numbers if key & words]
    alike = bool(numbers) and bool(frozenset.intersection(*(key for key, _ in numbers)))
    return named or ([value for _, value in numbers] if alike else [])


def _leaves(value: JsonValue, key: str) -> Iterator[tuple[str, JsonValue]]:
    match value:
        case Mapping():
            for name, inner in value.items():
                yield from _leaves(inner, name)
        case list() | tuple():
            for inner in value:
                yield from _leaves(inner, key)
        case _:
            yield key, value
