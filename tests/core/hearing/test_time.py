"""Words for time become absolute, right to the minute."""

from datetime import date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
import yaml

from botpsy_core.domain.context import Origin, TurnContext
from botpsy_core.domain.heard import ValueKind
from botpsy_core.domain.home import Home
from botpsy_core.domain.messages import Transcript
from botpsy_core.hearing import hear
from botpsy_core.hearing.lexicon import lexicon_for
from botpsy_core.hearing.tokens import fold, words_of

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


@pytest.mark.parametrize(
    ("language", "text", "rule", "first"),
    [
        ("en", "every Monday and Thursday at nine", "FREQ=WEEKLY;BYDAY=MO,TH", "2026-10-22T09:00"),
        ("en", "every day at 7 am", "FREQ=DAILY", "2026-10-22T07:00"),
        ("en", "on Mondays at noon", "FREQ=WEEKLY;BYDAY=MO", "2026-10-26T12:00"),
        ("en", "every other Friday", "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR", "2026-10-23"),
        ("en", "every two hours", "FREQ=HOURLY;INTERVAL=2", "2026-10-21T12:00"),
        ("en", "every weekday at 8 am", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "2026-10-22T08:00"),
        ("de", "jeden Montag und Donnerstag um 9:00", "FREQ=WEEKLY;BYDAY=MO,TH", "2026-10-22T09:00"),
        ("de", "montags um 9:00", "FREQ=WEEKLY;BYDAY=MO", "2026-10-26T09:00"),
        ("fr", "tous les lundis et jeudis à 9:00", "FREQ=WEEKLY;BYDAY=MO,TH", "2026-10-22T09:00"),
        ("es", "todos los lunes y jueves a las 9 de la mañana", "FREQ=WEEKLY;BYDAY=MO,TH", "2026-10-22T09:00"),
        ("it", "ogni lunedì e giovedì alle 9:00", "FREQ=WEEKLY;BYDAY=MO,TH", "2026-10-22T09:00"),
        ("pt", "todas as segundas e quintas às 9:00", "FREQ=WEEKLY;BYDAY=MO,TH", "2026-10-22T09:00"),
        ("nl", "elke maandag en donderdag om 9:00", "FREQ=WEEKLY;BYDAY=MO,TH", "2026-10-22T09:00"),
        ("pl", "w każdy poniedziałek i czwartek o 9:00", "FREQ=WEEKLY;BYDAY=MO,TH", "2026-10-22T09:00"),
        ("ru", "каждый понедельник и четверг в 9:00", "FREQ=WEEKLY;BYDAY=MO,TH", "2026-10-22T09:00"),
        ("zh", "每周一和周四上午九点", "FREQ=WEEKLY;BYDAY=MO,TH", "2026-10-22T09:00"),
        ("hi", "हर सोमवार और गुरुवार को सुबह नौ बजे", "FREQ=WEEKLY;BYDAY=MO,TH", "2026-10-22T09:00"),
    ],
)
def test_what_recurs_is_a_rule_and_its_first_time(language, text, rule, first):
    context = TurnContext(conversation_id="c", origin=Origin.CHAT, now=WEDNESDAY, language=language)
    (clause,) = hear(text, home=Home(), transcript=Transcript(), context=context).clauses
    assert not clause.everything
    assert {str(v.kind): v.value if v.kind is ValueKind.RECURRENCE else short(v.value) for v in clause.values} == {
        "recurrence": rule,
        "time": first,
    }


MONTHS = {
    "month",
    "months",
    "monat",
    "monats",
    "mois",
    "mes",
    "mese",
    "mês",
    "maand",
    "miesiąca",
    "месяца",
    "月",
    "महीने",
    "ano",
}


def shifted(value, weeks):
    if isinstance(value, dict):
        return {part: shifted(point, weeks) for part, point in value.items()}
    if not isinstance(value, str):
        return value
    if len(value) == 10:
        return (date.fromisoformat(value) + timedelta(weeks=weeks)).isoformat()
    point = datetime.fromisoformat(value).replace(tzinfo=None) + timedelta(weeks=weeks)
    return point.replace(tzinfo=ZONE).isoformat()


def is_dated(language, text):
    """Return True for a sentence that names a month, or hours beyond a day: it does not move with the week."""
    data = lexicon_for(language).data["time"]
    named = {word for months in data["months"] for name in months for word in words_of(name) if not word.isdigit()}
    return bool(set(words_of(text)) & (named | set(map(fold, MONTHS)))) or "96" in text or "28" in text


@pytest.mark.parametrize("weeks", [-30, 1, 22])
@pytest.mark.parametrize(("language", "row"), CASES)
def test_the_same_words_mean_the_same_in_other_weeks(language, row, weeks):
    if is_dated(language, row["say"]):
        return
    there = times(row["say"], language=language)
    here = times(
        row["say"],
        language=language,
        now=(WEDNESDAY.replace(tzinfo=None) + timedelta(weeks=weeks)).replace(tzinfo=ZONE),
    )
    assert [v.value for v in here] == [shifted(v.value, weeks) for v in there]
    assert [v.ambiguous for v in here] == [tuple(shifted(r, weeks) for r in v.ambiguous) for v in there]


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


MOMENTS = {
    "new_year": datetime(2026, 12, 31, 23, 50, tzinfo=ZONE),
    "february": datetime(2027, 2, 28, 6, 55, tzinfo=ZONE),
    "spring": datetime(2026, 3, 29, 1, 30, tzinfo=ZONE),
    "autumn": datetime(2026, 10, 24, 23, 30, tzinfo=ZONE),
    "twice": datetime(2026, 10, 25, 2, 30, tzinfo=ZONE),
}
ELSEWHERE = yaml.safe_load(Path(__file__).with_name("positions.yaml").read_text("utf-8"))


def with_offset(value):
    if isinstance(value, dict):
        return f"{with_offset(value['start'])}|{with_offset(value['end'])}"
    return value if len(value) == len("2026-10-21") else value[:16] + value[19:22]


def elsewhere(row, moment):
    """Return what a sentence of the Wednesday means at another moment; its own line wins over its neighbours'."""
    same = [e for e in ELSEWHERE if e["wednesday"] == [row["is"], *row.get("also", [])]]
    return min((e for e in same if row["say"] in e.get("only", [row["say"]])), key=lambda e: "only" not in e)[moment]


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
@pytest.mark.parametrize("moment", MOMENTS)
def test_at_other_hours_at_the_ends_of_months_and_around_both_changes_of_the_clock(path, moment):
    rows = [row for row in yaml.safe_load(path.read_text("utf-8")) if isinstance(row["is"], str)]
    assert len(rows) >= 40
    wrong = []
    for row in rows:
        (value,) = times(row["say"], language=path.stem, now=MOMENTS[moment])
        found = [with_offset(reading) for reading in (value.value, *value.ambiguous)]
        if found != elsewhere(row, moment):
            wrong.append((row["say"], found))
    assert wrong == []


@pytest.mark.parametrize(
    ("clock_24", "text", "readings"),
    [
        (True, "tomorrow at 7:00", ["07:00"]),
        (True, "tomorrow at 3:30", ["03:30"]),
        (True, "tomorrow at 7", ["07:00", "19:00"]),
        (True, "tomorrow at 7:00 pm", ["19:00"]),
        (False, "tomorrow at 7:00", ["07:00", "19:00"]),
        (False, "tomorrow at 07:00", ["07:00"]),
    ],
)
def test_minutes_that_are_written_are_one_time_where_the_clock_goes_to_24(clock_24, text, readings):
    context = TurnContext(conversation_id="c", origin=Origin.CHAT, now=WEDNESDAY, language="en")
    heard = hear(text, home=Home(clock_24=clock_24), transcript=Transcript(), context=context)
    (value,) = heard.clauses[0].values

    assert [str(each)[11:16] for each in (value.value, *value.ambiguous)] == readings
