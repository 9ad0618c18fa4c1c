"""What is heard in sentences of each language."""

import pytest

from botpsy_core.domain.heard import ValueKind
from tests.core.hearing.tables import best, heard, home_of, languages, shown, table

TIMES = {ValueKind.TIME, ValueKind.TIME_RANGE, ValueKind.DURATION}
HOMES = {language: home_of(table(language)["home"]) for language in languages()}
CASES = [
    pytest.param(language, row, id=f"{language}-{row['say']}")
    for language in languages()
    for row in table(language)["cases"]
]


@pytest.mark.parametrize(("language", "row"), CASES)
def test_a_sentence_is_heard_like_this(language, row):
    clauses = heard(row["say"], home=HOMES[language], language=language)
    expected = [row, *row.get("then", [])]
    assert [c.text for c in clauses if not c.text] == []
    assert len(clauses) == len(expected)
    for clause, told in zip(clauses, expected, strict=True):
        assert str(clause.mood) == told.get(
            "mood", "command" if clause is clauses[0] or "go" in told else str(clause.mood)
        )
        if "go" in told:
            assert sorted(map(str, clause.directions)) == told["go"]
        if "top" in told:
            assert best(clause) == told["top"]
        assert list(clause.absent) == told.get("absent", list(clause.absent) if told.get("top") == [] else [])
        if "values" in told:
            assert [shown(v) for v in clause.values if v.kind not in TIMES] == told["values"]
