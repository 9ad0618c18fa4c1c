"""Whatever is said, the ear neither fails nor takes long."""

import time
from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from botpsy_core.domain.context import Origin, TurnContext
from botpsy_core.domain.messages import Transcript
from botpsy_core.evaluate.demo_home import DEMO_HOME
from botpsy_core.hearing import hear
from tests.core.hearing.tables import languages, table

LONGEST_S = 2.0
"""A tenth of it is usual; the rest is for a machine under load."""
PIECES = [
    *["½", "፫", "²", "١٢", "Ⅷ", "1/2", "12,000", "1e999", "25:99", "31st", ":", ",", "...", "?", ";", "(", "“", "💡"],
    *[
        "照明",
        "العربية",
        "at",
        "in",
        "every",
        "year",
        "from",
        "between",
        "to",
        "until",
        "99999999999999999999999",
        "but",
    ],
    *["and", "not", "no", "except", "it", "percent", "degrees", "\u200b", "\u202e", "\u0345", "a\u0301", "\x00"],
]


def listen(text, language):
    now = datetime(2026, 5, 4, 12, tzinfo=UTC)
    context = TurnContext(conversation_id="c", origin=Origin.CHAT, now=now, language=language)
    return hear(text, home=DEMO_HOME, transcript=Transcript(), context=context)


@pytest.mark.parametrize("language", languages())
def test_any_text_is_heard(language):
    own = [word for row in table(language)["cases"] for word in row["say"].split()]
    pieces = st.lists(st.sampled_from([*PIECES, *own]) | st.text(max_size=12), max_size=24).map(" ".join)

    @settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
    @given(pieces)
    def heard(text):
        found = listen(text, language)
        assert all(text[c.span.start : c.span.end] == c.text for c in found.clauses)

    heard()


@pytest.mark.parametrize(
    "piece", ["1/2 ", "but ", "照明", "1e999 ", "½", "turn on the light and ", ": ", "every day at "]
)
def test_two_thousand_characters_of_the_same_take_no_time(piece):
    listen("turn on the light", "en")
    begun = time.process_time()
    listen((piece * 2000)[:2000], "en")
    assert time.process_time() - begun < LONGEST_S
