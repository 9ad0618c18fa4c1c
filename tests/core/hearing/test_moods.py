"""Reports, ways, reasons, others' acts, conditions and later times are told from commands in every language."""

from pathlib import Path

import pytest
import yaml

from tests.core.hearing.tables import heard, home_of, languages, table

MOODS = yaml.safe_load((Path(__file__).parent / "moods.yaml").read_text("utf-8"))


def test_every_language_has_its_moods():
    assert sorted(MOODS) == languages()


@pytest.mark.parametrize(("language", "text"), [(lang, text) for lang, rows in MOODS.items() for text in rows])
def test_the_mood_of_a_sentence_is_heard(language, text):
    clauses = heard(text, home=home_of(table(language)["home"]), language=language)
    assert {c.mood.value for c in clauses} == {MOODS[language][text]}
