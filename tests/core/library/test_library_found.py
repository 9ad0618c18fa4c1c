"""What earlier results hold fills arguments that the words leave open, and the words choose among it."""

import json

import pytest

from botpsy_core.catalog import facts_of, foreign_tool, found, names_in, need_of
from botpsy_core.domain.heard import Clause, Mood, Span
from botpsy_core.domain.messages import ResultMessage
from botpsy_core.domain.offer import Choice, Offer, OfferedTool, Slot
from botpsy_core.domain.tools import Outcome, ToolCall, ToolResult, ToolSpec
from botpsy_core.domain.values import JsonValue


def a_tool(name: str, *, reads: bool = False, **properties: object) -> ToolSpec:
    parameters = {"type": "object", "properties": properties, "required": list(properties)}
    return foreign_tool({"name": name, "description": "Does it.", "parameters": parameters}, read_only=reads)


def a_text(description: str = "") -> dict[str, object]:
    return {"type": "string", "description": description}


def told(tool: str, data: JsonValue, outcome: Outcome = Outcome.DONE) -> ResultMessage:
    call = ToolCall(id=tool, name=tool)
    body = data if isinstance(data, dict) else {"result": data}
    return ResultMessage(call=call, result=ToolResult(call_id=tool, outcome=outcome, data=body))


def a_clause(text: str) -> Clause:
    words = [Span(start=text.find(w), end=text.find(w) + len(w)) for w in text.split()]
    return Clause(text=text, span=Span(start=0, end=len(text)), mood=Mood.COMMAND, unexplained=tuple(words))


def offered(tool: ToolSpec, words: str = "") -> Offer:
    slots = tuple(Slot(argument=a, words=words, required=a.required) for a in tool.arguments)
    return Offer(tools=(OfferedTool(tool=tool, slots=slots),))


def choices(tool: ToolSpec, text: str, *results: ResultMessage, said_before: str = "") -> dict[str, list[JsonValue]]:
    offer = found(offered(tool, text), facts_of(results), clause=a_clause(text), said_before=said_before)
    return {s.argument.name: [c.value for c in s.choices] for s in offer.tools[0].slots}


PLACES = told(
    "search_places",
    json.dumps(
        {
            "places": [
                {"id": "p1", "name": "Golden Fork", "phone_number": "+49 1"},
                {"id": "p2", "name": "Blue Spoon", "phone_number": "+49 2"},
            ]
        }
    ),
)
ROUTES = told(
    "find_routes",
    {
        "routes": [
            {"route_id": "r_1", "start_id": "s", "via": "A7", "alias": ["fastest"], "toll": True},
            {"route_id": "r_2", "start_id": "s", "via": "B12", "alias": ["second"], "toll": False},
        ]
    },
)


def test_the_record_that_the_words_name_gives_the_value_and_the_words_are_where_it_comes_from() -> None:
    tool = a_tool("call_somebody", phone_number=a_text())

    offer = found(offered(tool), facts_of([PLACES]), clause=a_clause("call Blue Spoon please"))

    assert offer.tools[0].slots[0].choices == (Choice(label="+49 2", value="+49 2", span=Span(start=5, end=15)),)


def test_where_no_word_tells_one_record_from_another_all_are_choices_without_words() -> None:
    tool = a_tool("call_somebody", phone_number=a_text())

    offer = found(offered(tool), facts_of([PLACES]), clause=a_clause("ring them"))

    assert [(c.value, c.span) for c in offer.tools[0].slots[0].choices] == [("+49 1", None), ("+49 2", None)]


@pytest.mark.parametrize(
    ("text", "said_before", "route"),
    [("take the fastest", "", "r_1"), ("start it now", "The second one goes via B12 without toll.", "r_2")],
)
def test_a_list_takes_the_thing_that_the_user_or_our_last_reply_spoke_of(
    text: str, said_before: str, route: str
) -> None:
    tool = a_tool("go", route_ids={"type": "array", "items": {"type": "string"}})

    assert choices(tool, text, ROUTES, said_before=said_before) == {"route_ids": [[route]]}


def test_the_argument_named_like_the_key_wins_over_one_that_only_shares_a_word() -> None:
    tool = a_tool("go", route_ids={"type": "array", "items": {"type": "string"}, "description": "ids from the start"})

    assert choices(tool, "go", ROUTES) == {"route_ids": [["r_1"], ["r_2"]]}


def test_an_option_that_was_told_is_the_choice() -> None:
    tool = a_tool("paint", color={"type": "string", "enum": ["RED", "BLUE"]})

    assert choices(tool, "the same as the car", told("get_car", {"car_color": "blue"})) == {"color": ["BLUE"]}


def test_a_number_is_told_by_its_name_and_the_newest_counts() -> None:
    tool = a_tool("reach", distance={"type": "number"})

    results = [told("estimate", {"distance": 980.0}), told("estimate", {"distance": 750.0, "other": 3})]

    assert choices(tool, "can I get there", *results) == {"distance": [750.0]}


def test_an_id_belongs_to_the_tool_that_told_it() -> None:
    tool = a_tool("close_ticket", ticket_id={"type": "integer"})

    assert choices(tool, "close it", told("create_ticket", {"id": 2})) == {"ticket_id": [2]}
    assert choices(tool, "close it", told("post_note", {"id": 7})) == {"ticket_id": []}


@pytest.mark.parametrize(
    "result",
    [
        told("get_city", {"city": "Paris"}),
        told("get_city", {"city": "Paris 12"}, Outcome.FAILED),
        told("get_weather", {"temperature": 3}),
    ],
)
def test_what_people_say_themselves_stays_theirs_to_say(result: ResultMessage) -> None:
    tool = a_tool("look_up", place=a_text("The name of the city."))

    assert choices(tool, "look up Rome", result) == {"place": []}


def test_a_heard_value_is_never_replaced() -> None:
    tool = a_tool("reach", distance={"type": "number"})
    heard = Choice(label="20", value=20, span=Span(start=0, end=2))
    slot = Slot(argument=tool.arguments[0], choices=(heard,), required=True)
    offer = Offer(tools=(OfferedTool(tool=tool, slots=(slot,)),))

    assert found(offer, facts_of([told("e", {"distance": 9.0})]), clause=a_clause("20 miles")) == offer


def test_two_arguments_that_ask_for_the_same_get_one_each_in_the_order_told() -> None:
    code = a_text("The zipcode of the city.")
    tool = a_tool("measure", cityA=code, cityB=code)

    assert choices(tool, "how far", told("one", {"zipcode": "94016"})) == {"cityA": ["94016"], "cityB": ["94016"]}
    assert choices(tool, "how far", told("both", {"zipcode": ["83214", "94016"]})) == {
        "cityA": ["94016"],
        "cityB": ["83214"],
    }


def test_an_identifier_that_a_reading_tool_looks_up_is_a_need_once_for_each_argument() -> None:
    code = a_text("The zipcode of the city.")
    measure = a_tool("measure", cityA=code, cityB=code)
    look_up = a_tool("get_zipcode_by_city", reads=True, city=a_text("The name."))

    need = need_of(offered(measure).tools[0], [look_up, measure])

    assert need is not None
    assert (need.giver.name, [a.name for a in need.arguments]) == ("get_zipcode_by_city", ["cityA", "cityB"])


@pytest.mark.parametrize(
    "other",
    [
        a_tool("get_zipcode_by_city", reads=False, city=a_text()),
        a_tool("get_zipcode", reads=True),
        a_tool("get_zipcode_length", reads=True, cityA=a_text()),
        a_tool("get_city", reads=True, river=a_text()),
    ],
    ids=["acts", "takes nothing", "takes the same", "promises no identifier"],
)
def test_another_tool_is_no_lookup(other: ToolSpec) -> None:
    measure = a_tool("measure", cityA=a_text("The zipcode of the city."))

    assert need_of(offered(measure).tools[0], [other]) is None


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("I live in San Francisco. How far is Rivermist?", ("San Francisco", "Rivermist")),
        ("Tell Bob about the START mode", ("Bob",)),
        ("Could you go on", ()),
    ],
)
def test_names_are_told_by_their_capitals(text: str, names: tuple[str, ...]) -> None:
    assert names_in(text) == names
