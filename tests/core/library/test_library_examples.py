"""Every example sentence of every tool, heard by the real ear in a home that has everything."""

import pytest
from library_home import CONTEXT, HOME

from botpsy_core.catalog import decide_by_words, load_tools, shortlist
from botpsy_core.domain.heard import Mood
from botpsy_core.domain.messages import Transcript
from botpsy_core.hearing import hear

TOOLS = load_tools()


def listen(text):
    said = hear(text, home=HOME, transcript=Transcript(), context=CONTEXT)
    for clause in said.clauses:
        yield clause, shortlist(clause, heard=said, tools=TOOLS, home=HOME, context=CONTEXT)


def offered(text):
    return [[t.tool.name for t in offer.tools] for _, offer in listen(text)]


@pytest.mark.parametrize("tool", TOOLS, ids=lambda t: t.name)
def test_an_example_puts_its_own_tool_first(tool):
    firsts = [names[0] for example in tool.examples for names in offered(example) if names]
    assert tool.name in firsts


def test_examples_are_offered_their_own_tool():
    missed = [e for t in TOOLS for e in t.examples if not any(t.name in names for names in offered(e))]
    assert len(missed) <= 0.01 * sum(len(t.examples) for t in TOOLS), missed


def test_what_words_alone_decide_is_never_another_tool():
    wrong = [
        (example, raw.name)
        for tool in TOOLS
        for example in tool.examples
        for clause, offer in listen(example)
        if (raw := decide_by_words(offer, clause)) and raw.name != tool.name
    ]
    assert wrong == []


def test_a_question_is_never_offered_a_tool_that_writes():
    for tool in TOOLS:
        for example in tool.examples:
            for clause, offer in listen(example):
                assert clause.mood is not Mood.QUESTION or all(t.tool.read_only for t in offer.tools)
