"""Which of other people's tools a prompt lists, so that many of them do not make every turn slow."""

import pytest

from botpsy_core.agent.prompt import listed_of, narrowed, note_of
from botpsy_core.catalog import foreign_tool
from botpsy_core.domain.heard import Clause, Mood, Span
from botpsy_core.domain.offer import Offer, OfferedTool


def tools(count):
    return [
        foreign_tool({"name": f"tool_{i}", "description": f"Does {i}.", "parameters": {"type": "object"}})
        for i in range(count)
    ]


def offer(listed):
    return Offer(tools=tuple(OfferedTool(tool=t) for t in listed))


@pytest.mark.parametrize(("count", "in_full", "offered"), [(3, 3, 3), (16, 16, 16), (17, 0, 10), (60, 0, 10)])
def test_a_few_are_listed_in_full_and_of_many_only_those_that_may_be_meant(count, in_full, offered):
    all_of_them = tools(count)

    assert len(listed_of(all_of_them)) == in_full
    assert len(narrowed(offer(all_of_them), all_of_them).tools) == offered


def test_a_tool_that_is_not_listed_stands_in_the_note_with_its_text():
    one, other = tools(2)
    clause = Clause(text="go", span=Span(start=0, end=2), mood=Mood.COMMAND)

    assert note_of(offer([one, other]), clause, [one, other]) == "Tools: tool_0, tool_1, no_suitable_tool"
    assert note_of(offer([one, other]), clause, [one]).splitlines() == [
        "tool_1(): Does 1",
        "Tools: tool_0, no_suitable_tool",
    ]
