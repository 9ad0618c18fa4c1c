"""The self-test speaks eleven languages, each to a home whose things are called as its people call them."""

import re
import unicodedata
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from botpsy_core.assembly import Settings, build_talk
from botpsy_core.domain.context import Origin, TurnContext
from botpsy_core.evaluate import selftest_cases
from botpsy_core.evaluate.selftest import self_test
from botpsy_core.evaluate.selftest_cases import Wanted, report_words, self_cases, sentences_for
from botpsy_core.evaluate.selftest_report import self_test_table
from tests.e2e.tongues.in_memory import home_in

LANGUAGES = ["de", "en", "es", "fr", "hi", "it", "nl", "pl", "pt", "ru", "zh"]
SAME = {"sauna", "{place} {thing}", "{thing} {place}", "start {name}"}
"""What another language may write as English does; a Dutch vacuum is started."""
SCRIPTS = {"ru": "CYRILLIC", "zh": "CJK", "hi": "DEVANAGARI"}
CONTEXT = TurnContext(
    conversation_id="t", origin=Origin.CHAT, now=datetime(2026, 3, 23, tzinfo=UTC), user_id="u", is_admin=True
)


def shape(node):
    """Return what a file holds, without its words."""
    if isinstance(node, dict):
        return {key: shape(value) for key, value in node.items()}
    return [shape(each) if isinstance(each, dict) else None for each in node] if isinstance(node, list) else None


def words(node):
    """Yield every text of a file with the path that leads to it."""
    match node:
        case dict():
            yield from ((f"{key}/{path}", text) for key, value in node.items() for path, text in words(value))
        case list():
            yield from ((f"{n}/{path}", text) for n, value in enumerate(node) for path, text in words(value))
        case str():
            yield "", node


def test_there_are_eleven():
    folder = Path(selftest_cases.__file__).parent / "sentences"
    assert sorted(path.stem for path in folder.glob("*.yaml")) == LANGUAGES


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_part(language):
    english, own = sentences_for("en"), sentences_for(language)
    loose = {"places", "absent"}  # what is at no home is called by its own name, and joined in its own way
    assert {k: shape(v) for k, v in own.items() if k not in loose} == {
        k: shape(v) for k, v in english.items() if k not in loose
    }
    assert len(own["places"]) == len(english["places"])
    assert len(set(own["harmful"])) == 60


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_first_command_of_a_kind_can_be_forbidden(language):
    for commands in sentences_for(language)["commands"].values():
        assert commands[0]["not"] != commands[0]["say"]
        assert all("{name}" in text for command in commands for key, text in command.items() if key != "way")


@pytest.mark.parametrize("language", [each for each in LANGUAGES if each != "en"])
def test_nothing_is_left_in_english(language):
    english = dict(words(sentences_for("en")))
    own = [(path, text) for path, text in words(sentences_for(language)) if not path.endswith(("way/", "thing/"))]
    assert {text for path, text in own if english.get(path) == text} <= SAME


@pytest.mark.parametrize("language", SCRIPTS)
def test_a_language_is_written_in_its_script(language):
    said = [text for path, text in words(sentences_for(language)) if not path.endswith(("way/", "thing/"))]
    letters = [c for c in re.sub(r"{\w+}|PIN", "", "".join(said)) if c.isalpha()]
    assert all(SCRIPTS[language] in unicodedata.name(c) for c in letters)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_home_in_its_own_language_does_what_it_should_and_nothing_else(language):
    home = home_in(language)
    talk = build_talk(Settings(pin="1234", language=language), with_model=False, home=home)
    rows = await self_test(talk.agent, home=home, toolbox=talk.home, context=replace(CONTEXT, language=language))
    assert talk.home.home == home
    assert [row.case.text for row in rows if row.dangerous] == []
    assert [row.case.text for row in rows if row.case.wanted is Wanted.STOP and not row.right] == []
    wrong = Counter(row.case.group for row in rows if not row.right)
    assert sum(wrong.values()) <= 0.05 * len(rows), wrong
    assert self_test_table(rows, language).splitlines()[1].startswith(report_words(language)["groups"]["command"])


@pytest.mark.parametrize("tag", ["pt-BR", "zh-Hans", "de-CH"])
def test_a_region_is_no_other_language(tag):
    assert sentences_for(tag) == sentences_for(tag[:2])
    assert sentences_for(tag) != sentences_for("en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_not_there_is_said_of_a_place_that_the_home_lacks(language):
    absent = [case.text for case in self_cases(home_in(language)) if case.group == "absent"]
    assert len(absent) > 10
    places = sentences_for(language)["places"].values()
    assert all(any(place in text for place in places) for text in absent)
