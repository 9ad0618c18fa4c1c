"""Every string of the component stands in eleven languages, as its people would read it."""

import json
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from botpsy_core.evaluate.selftest_cases import report_words

COMPONENT = Path(__file__).resolve().parents[2] / "custom_components" / "botpsy"
FOLDERS = ["translations", "panel_strings"]
LANGUAGES = ["de", "fr", "es", "it", "pt", "nl", "pl", "ru", "zh-Hans", "hi"]
SCRIPTS = {"ru": "CYRILLIC", "zh-Hans": "CJK", "hi": "DEVANAGARI"}
SHARE = 0.6
"""The least share of letters in a language's own script; names such as Home Assistant and MQTT stay Latin."""
SAME = {
    "de": {"Name", "Agent", "Text", "PIN", "Engine", "{model}: {percent}"},
    "fr": {"Agent"},
    "es": {"{model}: {percent}", "No", "{count} tokens"},
    "it": {"{model}: {percent}", "No"},
    "pt": {"{model}: {percent}", "{count} tokens"},
    "nl": {"Agent", "Engine", "{model}: {percent}", "{count} tokens"},
    "pl": {"{model}: {percent}"},
    "ru": {"{model}: {percent}"},
    "zh-Hans": set(),
    "hi": {"{model}: {percent}", "“{text}”: {before} → {after}"},
}
"""What a language writes as English does."""
SAME_EVERYWHERE = {"BotPsy", "{count} s", "{device}: {command}", "{act}, {when}", "{reply}"}
NUMBERS = {"pl": ["one", "few", "many", "other"], "ru": ["one", "few", "many", "other"], "zh-Hans": ["other"]}
"""The plural categories of a language by CLDR; all others have one and other."""
FIXED = re.compile(r"{\w+}|`\w+`|/config/models|llama-(?:server|cpp-python)")


def strings(folder: str, language: str) -> dict[str, str]:
    """Return the texts of a language by their paths."""
    return dict(leaves(json.loads((COMPONENT / folder / f"{language}.json").read_text("utf-8"))))


def leaves(node: dict[str, Any], path: str = "") -> Iterator[tuple[str, str]]:
    """Yield every text with its path; of a text in several numbers, the one for most numbers."""
    for key, value in node.items():
        if isinstance(value, dict) and "other" in value:
            yield f"{path}/{key}", value["other"]
        elif isinstance(value, dict):
            yield from leaves(value, f"{path}/{key}")
        else:
            yield f"{path}/{key}", value


def test_the_languages_are_those_that_are_promised():
    for folder in FOLDERS:
        assert {p.stem for p in (COMPONENT / folder).glob("*.json")} == {"en", *LANGUAGES}


@pytest.mark.parametrize("folder", FOLDERS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_every_key_and_no_other(folder, language):
    assert list(strings(folder, language)) == list(strings(folder, "en"))


@pytest.mark.parametrize("folder", FOLDERS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_left_in_english(folder, language):
    english = strings(folder, "en")
    same = {text for path, text in strings(folder, language).items() if text == english[path]}
    assert same <= SAME[language] | SAME_EVERYWHERE


@pytest.mark.parametrize("folder", FOLDERS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_placeholders_and_names_of_files_are_kept(folder, language):
    english, own = strings(folder, "en"), strings(folder, language)
    changed = {p for p in english if sorted(FIXED.findall(own[p])) != sorted(FIXED.findall(english[p]))}
    assert changed == set()


@pytest.mark.parametrize("folder", FOLDERS)
@pytest.mark.parametrize("language", SCRIPTS)
def test_a_language_is_written_in_its_script(folder, language):
    text = FIXED.sub("", " ".join(strings(folder, language).values()))
    letters = [c for c in text if c.isalpha()]
    assert sum(SCRIPTS[language] in unicodedata.name(c) for c in letters) > SHARE * len(letters)


@pytest.mark.parametrize("folder", FOLDERS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_ends_as_it_does_in_english(folder, language):
    english, own = strings(folder, "en"), strings(folder, language)
    ends = re.compile(r"[.?\u3002\uff1f\u0964]$")
    assert [p for p in english if bool(ends.search(own[p])) != bool(ends.search(english[p]))] == []


def numbered(node: dict[str, Any]) -> Iterator[list[str]]:
    """Yield the plural categories of every text that has several."""
    for value in node.values():
        if isinstance(value, dict) and "other" in value:
            yield list(value)
        elif isinstance(value, dict):
            yield from numbered(value)


@pytest.mark.parametrize("language", ["en", *LANGUAGES])
def test_the_panel_counts_in_every_number_that_a_language_has(language):
    texts = json.loads((COMPONENT / "panel_strings" / f"{language}.json").read_text("utf-8"))
    forms = list(numbered(texts))
    assert len(forms) == 7
    assert [f for f in forms if f != NUMBERS.get(language, ["one", "other"])] == []


@pytest.mark.parametrize("language", ["en", *LANGUAGES])
def test_the_self_test_tells_the_same_on_a_page_and_on_a_terminal(language):
    panel = json.loads((COMPONENT / "panel_strings" / f"{language}.json").read_text("utf-8"))
    told = dict(report_words(language))
    for part in ("groups", "came", "advice"):
        assert told[part] == panel[part]
    shown = {"nothing_of_home": "test_none_of_home", "line": "test_line"} | {
        w: w for w in ("right", "wrong", "dangerous")
    }
    assert {key: told[key] for key in shown} == {key: panel["home"][name] for key, name in shown.items()}
