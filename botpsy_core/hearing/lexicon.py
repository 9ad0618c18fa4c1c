"""Lexicon: one language's function words, directions, kinds and markers, read from its data file."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from itertools import groupby
from typing import Any

import yaml

from botpsy_core.domain.heard import Quality
from botpsy_core.errors import ConfigurationInvalid
from botpsy_core.hearing.numbers import number_words
from botpsy_core.hearing.senses import BOTH, SOUND, Count, Meaning, Sense
from botpsy_core.hearing.slips import Keys
from botpsy_core.hearing.tokens import words_of

DEFAULT_LANGUAGE = "en"
_GAP = "..."
_Loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_SLOT = re.compile(r"\{\w+\}")


_VALUED: Mapping[str, Meaning] = {BOTH: Meaning(Sense.ALL, BOTH), SOUND: Meaning(Sense.NOUN, SOUND)}
"""Lists of words that are more than a sense."""
_SECTIONS: Mapping[str, Sense] = {
    "directions": Sense.DIRECTION,
    "conditions": Sense.CONDITION,
    "particles": Sense.PARTICLE,
    "references": Sense.REFERENCE,
    "verb_kinds": Sense.VERB_KIND,
    "colors": Sense.COLOR,
    "places": Sense.PLACE,
    "floors": Sense.FLOOR,
}

_OF_QUALITY: Mapping[Quality, str] = {
    Quality.LIGHT: "light",
    Quality.HEAT: "thermostat",
    Quality.SOUND: "media",
    Quality.AIR: "fan",
    Quality.HUMIDITY: "humidifier",
}
"""The kind of things that a complaint is about."""

type Phrases = Mapping[tuple[str, ...], tuple[Meaning, ...]]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lexicon:
    """Everything that the ear knows of one language."""

    language: str
    phrases: Phrases
    longest: int
    """Words in the longest phrase."""
    parted: Mapping[tuple[str, ...], Mapping[tuple[str, ...], Meaning]]
    """First words of phrases that open around their object ("schließ ... ab") -> last words -> meaning."""
    endings: tuple[str, ...]
    """Inflections that may stand at the end of a name's word; longest first."""
    linkers: tuple[str, ...]
    """Sounds between the parts of a compound; empty where the language writes none."""
    kinds: Mapping[str, frozenset[str]]
    """Concept -> `domain` or `domain.device_class`."""
    pro_drop: bool
    """True where a statement may begin with its copula ("está oscuro")."""
    bare_modifiers: bool
    """True where a verb's bare form may stand before a noun ("the cool light")."""
    known: frozenset[str]
    """Every word that the file knows; a known word is no misspelling of another."""
    sounds: tuple[tuple[str, str], ...]
    """Spellings -> how they sound, in the order in which they are written anew."""
    keys: Keys
    """Letters that are taken for each other."""
    data: Mapping[str, Any] = field(repr=False)
    """The whole file, for numbers, values and times."""

    @property
    def value_texts(self) -> Iterator[str]:
        """Yield what the file says of values ("half", "a bit", "percent")."""
        for text in _leaves(self.data.get("values", {})):
            yield from expand(text)

    def sound(self, word: str) -> str:
        """Return a spelling that words which sound alike share; empty where the file does not tell sounds."""
        if not self.sounds:
            return ""
        for spelling, sound in self.sounds:
            word = word.replace(spelling, sound)
        word = "".join(letter for letter, _ in groupby(word))
        return word.removesuffix("e") if len(word) > 2 else word

    def longest_at(self, words: Sequence[str], start: int, stop: int) -> tuple[int, tuple[Meaning, ...]]:
        """Return how many words the longest phrase at `start` has, and its meanings; 0 where there is none."""
        for length in range(min(self.longest, stop - start), 0, -1):
            meanings = self.phrases.get(tuple(words[start : start + length]))
            if meanings:
                return length, meanings
        return 0, ()


def expand(template: str) -> Iterator[str]:
    """Yield every text that a template with `[optional]` and `(a|b)` stands for."""
    found = re.search(r"\[([^\[\]()]*)\]|\(([^\[\]()]*)\)", template)
    if not found:
        yield " ".join(template.split())
        return
    options = ("", *found[1].split("|")) if found[1] is not None else found[2].split("|")
    for option in options:
        yield from expand(template[: found.start()] + option + template[found.end() :])


def lexicon_for(language: str) -> Lexicon:
    """Return the lexicon of a language (any case, region ignored); English where there is none."""
    return _lexicon(language.replace("_", "-").partition("-")[0].lower())


@cache
def _lexicon(primary: str) -> Lexicon:
    folder = resources.files("botpsy_core.hearing") / "languages"
    file = folder / f"{primary}.yaml"
    if primary.startswith("_") or not file.is_file():
        file = folder / f"{DEFAULT_LANGUAGE}.yaml"
    kinds = folder / "_kinds.yaml"
    return _build(_read(file.read_text("utf-8"), file.name), _read(kinds.read_text("utf-8"), kinds.name))


def _read(text: str, name: str) -> Mapping[str, Any]:
    """Parse a data file; every scalar stays a string, so that "on" and "no" are words."""
    try:
        data = yaml.load(text, Loader=_Loader)  # noqa: S506 - a base loader makes strings only
    except yaml.YAMLError as error:
        raise ConfigurationInvalid(f"language file {name!r} is no YAML: {error}") from error
    if not isinstance(data, dict):
        raise ConfigurationInvalid(f"language file {name!r} holds no mapping")
    return data


def _build(data: Mapping[str, Any], kinds: Mapping[str, Any]) -> Lexicon:
    phrases: dict[tuple[str, ...], tuple[Meaning, ...]] = {}
    parted: dict[tuple[str, ...], dict[tuple[str, ...], Meaning]] = {}
    for template, meaning in _entries(data):
        for text in expand(template):
            head, gap, tail = text.partition(_GAP)
            said = meaning
            if gap:
                parted.setdefault(words_of(head), {})[words_of(tail)] = meaning
                said = Meaning(Sense.TAIL)
                _add(phrases, words_of(head + tail), meaning)  # "metti in pausa la radio"
            _add(phrases, words_of(tail or head) or (text,), said)
    return Lexicon(
        language=data["language"],
        phrases=phrases,
        longest=max(map(len, phrases)),
        parted=parted,
        endings=tuple(sorted(set(data.get("endings", ())) | {""}, key=len, reverse=True)),
        linkers=tuple(data.get("linkers", ())),
        kinds={concept: frozenset(covered) for concept, covered in kinds.items()},
        pro_drop=data.get("pro_drop") == "true",
        bare_modifiers=data.get("bare_modifiers") == "true",
        known=frozenset(word for key in phrases for word in key) | _other_words(data),
        sounds=tuple((str(a), str(b)) for a, b in data.get("sounds", ())),
        keys=Keys.of(data.get("keys", ()), data.get("alike", ())),
        data=data,
    )


def _add(phrases: dict[tuple[str, ...], tuple[Meaning, ...]], key: tuple[str, ...], meaning: Meaning) -> None:
    if meaning not in phrases.get(key, ()):
        phrases[key] = (*phrases.get(key, ()), meaning)


def _entries(data: Mapping[str, Any]) -> Iterator[tuple[str, Meaning]]:
    """Yield every template of a file with its meaning."""
    for section, sense in _SECTIONS.items():
        for value, templates in data.get(section, {}).items():
            yield from ((t, Meaning(sense, value)) for t in templates)
    for name, templates in data.get("words", {}).items():
        meaning = _VALUED.get(name) or Meaning(Sense(name))
        yield from ((t, meaning) for t in templates)
    for direction, templates in data.get("texts", {}).items():
        yield from ((t, Meaning(Sense.TEXT)) for t in templates)
        yield from ((t, Meaning(Sense.DIRECTION, direction)) for t in templates if direction)
    yield from ((t, Meaning(Sense.TO)) for name in ("to", "by") for t in data.get("values", {}).get(name, ()))
    for quality, sides in data.get("complaints", {}).items():
        for excess, templates in sides.items():
            yield from ((t, Meaning(Sense.COMPLAINT, f"{quality}.{excess}")) for t in templates)
            yield from ((t, Meaning(Sense.VERB_KIND, _OF_QUALITY[Quality(quality)])) for t in templates)
    for concept, forms in data.get("kinds", {}).items():
        for count, templates in forms.items():
            yield from ((t, Meaning(Sense.KIND, concept, Count(count))) for t in templates)


def _other_words(data: Mapping[str, Any]) -> frozenset[str]:
    """Return the words of numbers, values and times."""
    numbers = number_words(data["language"])
    spelt = {word for table in (numbers.cardinals, numbers.ordinals) for key in table for word in key}
    texts = _leaves([data.get("values", {}), data.get("time", {})])
    return frozenset(spelt | {word for text in texts for part in expand(text) for word in words_of(part)})


def _leaves(data: Any) -> Iterator[str]:
    if isinstance(data, str):
        yield _SLOT.sub(" ", data)
    elif isinstance(data, Mapping):
        yield from _leaves(list(data.values()))
    else:
        for inner in data:
            yield from _leaves(inner)
