"""The sentences of one language, read once from its file."""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from botpsy_core.errors import ConfigurationInvalid

FALLBACK = "en"


class Phrases:
    """Finds and fills the sentences of a language; English where a language has none of its own."""

    def __init__(self, language: str, data: Mapping[str, Any], fallback: Mapping[str, Any]) -> None:
        """Take the file's content and English's."""
        self.language = language
        self._data = data
        self._fallback = fallback

    def find(self, *path: str) -> Any | None:
        """Return what stands at a path of keys, or None."""
        for data in (self._data, self._fallback):
            found: Any = data
            for key in path:
                found = found.get(key) if isinstance(found, Mapping) else None
            if found is not None:
                return found
        return None

    def say(self, *path: str, count: int = 1, **values: str) -> str:
        """Return the sentence at a path with its placeholders filled; a placeholder without a value is left out."""
        found = self.find(*path)
        if isinstance(found, Mapping):
            found = found.get(plural_form(self.language, count)) or found.get("other")
        if not isinstance(found, str):
            raise ConfigurationInvalid(f"sentences/{self.language}.yaml: there is no sentence at {'.'.join(path)!r}")
        return found.format_map(_Blank(count=str(count), **values)).strip()

    def words(self, key: str) -> tuple[str, ...]:
        """Return a list of words of the language and of English, which is spoken beside it."""
        return tuple(dict.fromkeys((*self._data.get(key, ()), *self._fallback.get(key, ()))))

    def listed(self, names: Sequence[str], word: str = "and") -> str:
        """Return names as one enumeration."""
        if len(names) < 2:
            return names[0] if names else ""
        return self.say(word, most=", ".join(names[:-1]), last=names[-1])


class _Blank(dict[str, str]):
    def __missing__(self, key: str) -> str:
        return ""


def phrases_for(language: str) -> Phrases:
    """Return the sentences of a language, whatever its region, else of English."""
    return _phrases(language.replace("_", "-").partition("-")[0].lower())


@cache
def _phrases(primary: str) -> Phrases:
    root = files("botpsy_core.agent.sentences")
    fallback = yaml.safe_load(root.joinpath(f"{FALLBACK}.yaml").read_text("utf-8"))
    file = root.joinpath(f"{primary}.yaml")
    if primary == FALLBACK or not primary.isalpha() or not file.is_file():
        return Phrases(FALLBACK, fallback, fallback)
    return Phrases(primary, yaml.safe_load(file.read_text("utf-8")), fallback)


def plural_form(language: str, count: int) -> str:
    """Return which plural form a language uses for a whole number: one, few, many or other."""
    tens, hundreds = count % 10, count % 100
    few = 2 <= tens <= 4 and not 12 <= hundreds <= 14
    match language:
        case "zh":
            form = "other"
        case "fr" | "hi" | "pt":
            form = "one" if count <= 1 else "other"
        case "ru":
            form = "one" if tens == 1 and hundreds != 11 else "few" if few else "many"
        case "pl":
            form = "one" if count == 1 else "few" if few else "many"
        case _:
            form = "one" if count == 1 else "other"
    return form
