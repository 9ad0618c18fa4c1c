"""Words for time become absolute, right to the minute."""

from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
import yaml

from botpsy_core.domain.context import Origin, TurnContext
from botpsy_core.domain.heard import ValueKind
from botpsy_core.domain.home import Home
from botpsy_core.domain.messages import Transcript
from botpsy_core.hearing import hear

ZONE = ZoneInfo("Europe/Berlin")
WEDNESDAY = datetime(2026, 10, 21, 10, tzinfo=ZONE)
TIMES = {ValueKind.TIME, ValueKind.TIME_RANGE, ValueKind.DURATION}
TABLES = sorted((Path(__file__).parent / "times").glob("*.yaml"))
CASES = [
    pytest.param(path.stem, row, id=f"{path.stem}-{row['say']}")
    for path in TABLES
    for row in yaml.safe_load(path.read_text("utf-8"))
]


def times(text, *, language="en", now=WEDNESDAY):
    context = TurnContext(conversation_id="c", origin=Origin.CHAT, now=now, language=language)
    heard = hear(text, home=Home(), transcript=Transcript(), context=context)
    return [v for clause in heard.clauses for v in clause.values if v.kind in TIMES]


def short(value):
    if isinstance(value, dict):
        return f"{short(value['start'])}|{short(value['end'])}"
    return value[:16] if isinstance(value, str) else value


@pytest.mark.parametrize(("language", "row"), CASES)
def test_a_sentence_means_this_time(language, row):
    (value,) = times(row["say"], language=language)
    assert short(value.value) == row["is"]
    assert [short(v) for v in value.ambiguous] == row.get("also", [])


@pytest.mark.parametrize(
    ("now", "text", "expected"),
    [
        (datetime(2026, 3, 28, 12, tzinfo=ZONE), "tomorrow at 2:30 am", "2026-03-29T03:30:00+02:00"),
        (datetime(2026, 3, 29, 1, 30, tzinfo=ZONE), "in one hour", "2026-03-29T03:30:00+02:00"),
        (datetime(2026, 10, 25, 1, 30, tzinfo=ZONE), "in two hours", "2026-10-25T02:30:00+01:00"),
        (datetime(2026, 10, 24, 12, tzinfo=ZONE), "tomorrow at noon", "2026-10-25T12:00:00+01:00"),
        (datetime(2026, 3, 28, 12, tzinfo=ZONE), "in 24 hours", "2026-03-29T13:00:00+02:00"),
    ],
)
def test_changes_of_the_clock_are_kept_apart_from_hours(now, text, expected):
    (value,) = times(text, now=now)
    assert value.value == expected


@pytest.mark.parametrize("hour", [0, 6, 11, 12, 16, 23])
def test_a_time_without_a_day_lies_ahead(hour):
    now = WEDNESDAY.replace(hour=hour, minute=17)
    (value,) = times("at quarter past six", now=now)
    for reading in (value.value, *value.ambiguous):
        assert now < datetime.fromisoformat(reading) <= now + timedelta(days=1)


@pytest.mark.parametrize("text", ["turn on the night light", "set it to 20 percent", "the second light", "channel 5"])
def test_other_words_are_no_time(text):
    assert times(text) == []


@pytest.mark.parametrize("text", ["list: milk : eggs", "at : 5", ":", "12:", ":30", "a:b", "²:30"])
def test_a_colon_that_is_no_clock_is_no_time(text):
    assert not [v for v in times(text) if v.kind is ValueKind.TIME and ":" in text[v.span.start : v.span.end]]
