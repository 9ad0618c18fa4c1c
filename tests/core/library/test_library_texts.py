"""What a text may be made of: the whole of a name that nothing here has, and never a piece of it."""

from datetime import UTC, datetime

from botpsy_core.catalog import load_tools
from botpsy_core.catalog.texts import text_in, words_in
from botpsy_core.domain.context import Origin, TurnContext
from botpsy_core.domain.home import Entity, Home
from botpsy_core.domain.messages import Transcript
from botpsy_core.domain.tools import Role
from botpsy_core.hearing import hear

HOME = Home(entities=(Entity(id="todo.shopping", name="Shopping list"),))
CONTEXT = TurnContext(conversation_id="t", origin=Origin.CHAT, now=datetime(2026, 5, 4, 12, tzinfo=UTC))
ADD = next(t for t in load_tools() if t.name == "add_item")
ITEM = next(a for a in ADD.arguments_of(Role.TEXT) if a.required)


def test_a_name_that_begins_with_a_place_stays_whole():
    clause = hear("we need toilet paper", home=HOME, transcript=Transcript(), context=CONTEXT).clauses[0]
    assert clause.absent == ("toilet paper",)

    text = text_in(ITEM, clause=clause, language="en", taken=(), cues=())

    assert text is not None
    assert words_in(text.span, clause) == "toilet paper"
