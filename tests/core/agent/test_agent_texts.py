"""A text that is written down or sent is what was dictated, whole and nothing else; a command in it is no command."""

from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from botpsy_core.domain.events import Executed
from botpsy_core.domain.home import Entity
from tests.core.hearing.tables import home_of, table

TABLE = yaml.safe_load(Path(__file__).with_name("texts.yaml").read_text("utf-8"))


def rows(kind):
    return [
        pytest.param(language, row, id=f"{language} {row if isinstance(row, str) else row[0]}")
        for language, by_kind in TABLE.items()
        for row in by_kind.get(kind, ())
    ]


@pytest.fixture
def calls(talk):
    """Say something to a language's home with one phone; return the calls that went out."""

    async def said(language, text):
        home = home_of(table(language)["home"])
        entities = (*home.entities, Entity(id="notify.anna", name=TABLE[language]["phone"]))
        t = talk(engine=None, home=replace(home, entities=entities), language=language)
        await t.say(text)
        return [(e.call.name, dict(e.call.args)) for e in t.events if isinstance(e, Executed)]

    return said


@pytest.mark.parametrize(("language", "row"), rows("add"))
async def test_what_is_written_on_a_list_is_one_run_of_what_was_said(calls, language, row):
    assert await calls(language, row[0]) == [("add_item", {"list": ["todo.shopping"], "item": row[1]})]


@pytest.mark.parametrize(("language", "row"), rows("send"))
async def test_what_is_sent_is_one_run_of_what_was_said(calls, language, row):
    assert await calls(language, row[0]) == [("send_message", {"recipient": ["notify.anna"], "message": row[1]})]


@pytest.mark.parametrize(("language", "row"), rows("open"))
async def test_words_that_may_be_no_text_are_not_sent_unasked(calls, language, row):
    assert await calls(language, row) == []
