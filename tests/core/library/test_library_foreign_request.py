"""What code makes of a request for tools of which only schema and text are known, before and after the model."""

from dataclasses import replace
from datetime import date

import pytest
from library_home import CONTEXT, HOME

from botpsy_core.catalog import foreign_tool, grounded, parts_of, shortlist, spread, stands_alone
from botpsy_core.catalog.foreign_words import figures, is_spoken_of, moments, names_in, stems
from botpsy_core.domain.decisions import RawCall
from botpsy_core.domain.heard import Clause, Heard, Mood, Span, Value, ValueKind

TEXT = {"type": "string"}
WHOLE = {"type": "integer"}
FLAG = {"type": "boolean"}


def tool(name, description, needed=None, may=None):
    properties = {**(needed or {}), **(may or {})}
    parameters = {"type": "object", "properties": properties, "required": list(needed or {})}
    return foreign_tool({"name": name, "description": description, "parameters": parameters})


def heard(text, *values):
    clause = Clause(text=text, span=Span(start=0, end=len(text)), mood=Mood.COMMAND, values=values)
    return Heard(text=text, language="en", clauses=(clause,))


def offered(spec, said):
    return shortlist(said.clauses[0], heard=said, tools=[spec], home=HOME, context=CONTEXT).tools[0]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("a barn of 12,500 bricks and 3.5 tons", [12500, 3.5]),
        ("in the 18th century", [18]),
        ("the seasons 2018-2019", [2018, 2019]),
        ("on 2024-06-07 at 10:30", []),
        ("for ticket A77 and part x9-44-b", []),
        ("minus -4 and $99.90, 7kg", [-4, 99.9, 7]),
        ("at 9 m/s^2", [9]),
        ("\n1. the first\n2. the second", []),
    ],
)
def test_numbers_are_read_as_they_are_written(text, numbers):
    said = heard(text)
    assert [f.value for f in figures(said.clauses[0], said)] == numbers


def test_a_number_word_counts_where_the_ear_heard_one():
    said = heard("book three rooms", Value(kind=ValueKind.NUMBER, value=3, span=Span(start=5, end=10)))
    assert [f.value for f in figures(said.clauses[0], said)] == [3]


def test_a_day_that_tells_its_year_comes_before_one_that_does_not():
    text = "this Sunday, 2024.6.9"
    said = heard(text, Value(kind=ValueKind.TIME, value="2026-03-29", span=Span(start=0, end=11)))
    assert [day for day, _ in moments(said.clauses[0], said)] == [date(2024, 6, 9)]
    text = "on June 9th, 2021"
    said = heard(text, Value(kind=ValueKind.TIME, value="2026-06-09", span=Span(start=3, end=11)))
    assert [day for day, _ in moments(said.clauses[0], said)] == [date(2021, 6, 9)]


def test_names_are_quoted_or_have_a_capital_inside_a_sentence():
    assert names_in("Find 'the old mill' near Bad Tölz. I like it") == ("the old mill", "Bad Tölz")


def test_an_argument_is_spoken_of_by_words_that_only_its_own_text_has():
    spec = tool("f1", "Find a way between two towns.", {"v1": TEXT}, {"v2": {**FLAG, "description": "Avoid ferries."}})
    assert is_spoken_of(spec.arguments[1], spec, stems("a way to Rab that avoids every ferry"))
    assert not is_spoken_of(spec.arguments[1], spec, stems("a way to Rab"))


@pytest.mark.parametrize(
    ("text", "kept"),
    [("a hut for 6 in Bled", {"beds": 6, "town": "Bled"}), ("a hut in Bled", {"town": "Bled"})],
)
def test_an_optional_value_stays_only_where_it_was_said(text, kept):
    spec = tool("find_hut", "Find a hut.", {"town": TEXT}, {"beds": WHOLE, "owner": TEXT})
    said = heard(text)
    written = RawCall(name="find_hut", args={"town": "Bled", "beds": 6, "owner": "Bled"})
    assert dict(grounded(written, offered(spec, said), said.clauses[0], said).args) == kept


def test_a_digit_inside_another_value_is_no_number_of_its_own():
    spec = tool("plot", "Plot a curve.", {"curve": TEXT}, {"zoom": {"type": "number"}})
    written = RawCall(name="plot", args={"curve": "4y^2 + 7", "zoom": 7})
    said = heard("Plot the curve 4y^2 + 7")
    assert dict(grounded(written, offered(spec, said), said.clauses[0], said).args) == {"curve": "4y^2 + 7"}
    said = heard("Plot the curve 4y^2 + 7, zoom 7")
    assert grounded(written, offered(spec, said), said.clauses[0], said).args["zoom"] == 7


@pytest.mark.parametrize(
    ("text", "held"), [("the mean of the two weights", []), ("the mean of the weights two and 5", [2, 5])]
)
def test_how_many_a_list_holds_is_not_in_it(text, held):
    weights = {"type": "array", "items": {"type": "integer"}, "description": "The weights to be averaged."}
    spec = tool("mean", "Mean of a list.", {"weights": weights})
    at = text.index("two")
    said = heard(text, Value(kind=ValueKind.NUMBER, value=2, span=Span(start=at, end=at + 3)))
    assert [c.value for c in offered(spec, said).slots[0].choices] == held


SERVICE = "The kind of work: '1' for a roof repair, '2' for painting, and '3' for the thorough painting of doors."


@pytest.mark.parametrize(
    ("text", "codes"), [("somebody for roofs in Bled", [1]), ("somebody to paint a wall", []), ("somebody", [])]
)
@pytest.mark.parametrize("shape", [WHOLE, {"type": "integer", "enum": [1, 2, 3]}])
def test_a_number_that_the_description_gives_a_meaning_is_said_by_its_words(shape, text, codes):
    spec = tool("find_help", "Find help.", {"work": {**shape, "description": SERVICE}})
    slot = offered(spec, heard(text)).slots[0]
    assert [c.value for c in slot.choices if c.span] == codes


def test_an_optional_number_in_words_stays():
    spec = tool("find_help", "Find help.", {"town": TEXT}, {"work": {**WHOLE, "description": SERVICE}})
    said = heard("somebody for roofs in Bled")
    written = RawCall(name="find_help", args={"town": "Bled", "work": 1})
    assert dict(grounded(written, offered(spec, said), said.clauses[0], said).args) == {"town": "Bled", "work": 1}


def test_an_option_in_another_form_was_said_where_its_own_word_stands():
    kinds = {"type": "string", "enum": ["old maps", "old letters"]}
    said = heard("find an old letter")
    (slot,) = offered(tool("find", "Find a thing.", {}, {"kind": kinds}), said).slots
    assert [(c.value, said.text[c.span.start : c.span.end]) for c in slot.choices] == [("old letters", "letter")]


@pytest.mark.parametrize(("text", "day"), [("huts in Bled on Monday", "Monday"), ("huts in Bled", "any day")])
def test_a_needed_text_that_nobody_said_falls_back_to_the_schemas_default(text, day):
    spec = tool("find_hut", "Find a hut.", {"day": {**TEXT, "default": "any day"}})
    said = heard(text)
    call = grounded(RawCall(name="find_hut", args={"day": "Monday"}), offered(spec, said), said.clauses[0], said)
    assert call.args["day"] == day


def test_a_text_that_goes_on_where_the_words_end_is_cut_there():
    spec = tool("say", "Say something.", {"message": {**TEXT, "description": "What to say."}})
    said = heard("Tell the parrot: who is a clever bird")
    written = RawCall(name="say", args={"message": "who is a clever bird? You are"})
    call = grounded(written, offered(spec, said), said.clauses[0], said)
    assert call.args["message"] == "who is a clever bird?"


def test_a_form_that_the_description_quotes_is_taken():
    town = {**TEXT, "description": "Town and canton, in the format 'Town, Canton', such as 'Chur, GR'."}
    spec = tool("weather", "The weather.", {"town": town})
    said = heard("the weather in Chur")
    call = grounded(RawCall(name="weather", args={"town": "Chur"}), offered(spec, said), said.clauses[0], said)
    assert call.args["town"] == "Chur, GR"


@pytest.mark.parametrize(
    ("text", "args", "calls"),
    [
        ("ferries to Rab and Krk", {"a": "Rab"}, [{"a": "Rab"}, {"a": "Krk"}]),
        ("ferries to Rab and Krk", {"a": "Rab and Krk"}, [{"a": "Rab"}, {"a": "Krk"}]),
        ("huts in Rab and Krk's harbours", {"a": "Rab and Krk's harbours"}, [{"a": "Rab"}, {"a": "Krk"}]),
        ("write that Rab and Krk are near", {"a": "Rab and Krk are near"}, [{"a": "Rab and Krk are near"}]),
        ("ferries to Rab, Krk, and Cres", {"a": "Rab"}, [{"a": "Rab"}, {"a": "Krk"}, {"a": "Cres"}]),
        ("the isle of Rab", {"a": "Rab"}, [{"a": "Rab"}]),
        ("ferries to Chur, GR", {"a": "Chur, GR"}, [{"a": "Chur, GR"}]),
        ("huts for 2 and 4 guests", {"n": 2}, [{"n": 2}, {"n": 4}]),
        ("rows from 2 and 4", {"n": 2, "m": 4}, [{"n": 2, "m": 4}]),
        ("the words 'ay' and 'oh'", {"a": "oh"}, [{"a": "ay"}, {"a": "oh"}]),
        ("huts and boats in Rab", {"k": "hut", "a": "Rab"}, [{"k": "hut", "a": "Rab"}, {"k": "boat", "a": "Rab"}]),
    ],
)
def test_values_side_by_side_become_a_call_each(text, args, calls):
    kinds = {"type": "string", "enum": ["hut", "boat", "huts", "boats"]}
    spec = tool("f", "d", {"a": TEXT, "n": WHOLE, "m": WHOLE, "k": kinds})
    if "k" in args:
        args = {**args, "k": "huts"}
        calls = [{**c, "k": f"{c['k']}s"} for c in calls]
    said = heard(text)
    made = spread(RawCall(name="f", args=args), offered(spec, said), said.clauses[0], "en")
    assert [dict(call.args) for call in made] == calls


HUT = tool("find_hut", "Find a mountain hut in a valley.", {"valley": TEXT, "beds": WHOLE})
BOAT = tool("rent_boat", "Rent a boat on a lake.", {"lake": TEXT})
FALL = tool("fall_speed", "Speed after a fall.", {"height": WHOLE, "seconds": WHOLE})


@pytest.mark.parametrize(
    ("tools", "text", "parts"),
    [
        ([HUT], "Find a hut with 6 beds in the valley of Soča", 1),
        ([HUT, BOAT], "Find a hut with 6 beds in Soča. Also, rent a boat on Bohinj.", 2),
        ([HUT, BOAT], "Find a hut with 6 beds in Soča and rent a boat on Bohinj", 2),
        ([HUT], "A hut with 6 beds in Soča, please. And it should be quiet.", 1),
        ([FALL], "A stone falls from 5 m for 1 second. Another falls from 9 m for 2 seconds. How fast are they?", 2),
        ([FALL], "A stone falls from 5 m, and it takes 1 second. How fast is it?", 1),
        ([BOAT], "Rent a boat called 'Sun. And moon.' on Bohinj", 1),
        ([HUT], "We are 9.\n1. Find a hut for 6 in Soča.\n2. Then a hut for 8 in Trenta.", 2),
        ([HUT], "A hut for 2 adults from May 3, 2027 in Soča. Then one for 3 adults from June 4, 2027 in Trenta.", 2),
    ],
)
def test_a_request_is_taken_apart_where_each_part_brings_what_a_tool_needs(tools, text, parts):
    said = heard(text)
    found = parts_of(said.clauses[0], said, tools)
    assert len(found) == parts
    assert all(part.text in text for part in found)
    assert [p.span.start for p in found] == sorted(p.span.start for p in found)


def test_what_is_said_once_serves_each_part():
    flag = {"safe": {**FLAG, "description": "Avoid glaciers."}}
    spec = tool("route", "Way between huts.", {"start": TEXT, "height": WHOLE}, flag)
    said = heard("From Lepena at 700 m. Then from Trenta at 620 m, and avoid each glacier.")
    first, _ = parts_of(said.clauses[0], said, [spec])
    offer = shortlist(first, heard=said, tools=[spec], home=HOME, context=CONTEXT)
    assert [s.argument.name for s in offer.tools[0].slots] == ["start", "height", "safe"]


def test_a_time_that_nobody_said_is_left_to_the_model_and_to_the_gate():
    when = {"when": {**TEXT, "description": "Season in the format YYYY-YYYY"}}
    spec = tool("scores", "Scores of a season.", when)
    tool_offered = offered(spec, heard("scores of the season 2019-2020"))
    assert tool_offered.missing == ()
    assert tool_offered.slots[0].choices == ()


def test_a_yes_or_no_in_words_is_offered_where_it_is_spoken_of():
    words = {"type": "string", "enum": ["True", "False", "dontcare"], "description": "Whether it has a sauna."}
    spec = tool("find_hut", "Find a hut.", {"town": TEXT}, {"extra": words})
    names = [s.argument.name for s in offered(spec, heard("a hut in Bled with a sauna")).slots]
    assert names == ["town", "extra"]
    assert [s.argument.name for s in offered(spec, heard("a hut in Bled")).slots] == ["town"]


def test_a_part_that_lacks_a_value_does_not_stand_alone():
    text = "Find a hut in Soča for 6. Then the same hut for 8."
    said = heard(text)
    first, second = parts_of(said.clauses[0], said, [HUT])
    assert stands_alone(first, said, [HUT])
    assert not stands_alone(second, said, [HUT])


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "ferries to Rab and Krk"),
        ("de", "Fähren nach Rab und Krk"),
        ("fr", "bateaux pour Rab et Krk"),
        ("es", "barcos a Rab y Krk"),
        ("it", "traghetti per Rab e Krk"),
        ("pt", "barcos para Rab e Krk"),
        ("nl", "boten naar Rab of Krk"),
        ("pl", "promy do Rab i Krk"),
        ("ru", "паромы в Rab и Krk"),
        ("zh", "去 Rab和Krk 的渡轮"),
        ("hi", "Rab और Krk की नाव"),
    ],
)
def test_each_language_has_its_own_word_between_values(language, text):
    spec = tool("f", "d", {"a": TEXT})
    said = heard(text)
    made = spread(RawCall(name="f", args={"a": "Rab"}), offered(spec, said), said.clauses[0], language)
    assert [call.args["a"] for call in made] == ["Rab", "Krk"]


@pytest.mark.parametrize(
    ("argument", "text", "written", "kept"),
    [
        ("fire_type", "a wood-fired oven", "wood-fired", "wood"),
        ("paintColor", "a dark-colored boat", "dark-colored", "dark"),
        ("coast", "a sea-side hut", "sea-side", "sea-side"),
        ("topic", "What of Malta today?", "Malta, latest news, politics, sport, weather", "Malta"),
        (
            "topic",
            "What of Malta today?",
            "Malta of the knights and of the English kings",
            "Malta of the knights and of the English kings",
        ),
    ],
)
def test_a_text_ends_where_what_was_said_ends(argument, text, written, kept):
    spec, said = tool("find_thing", "Find a thing.", {argument: TEXT}), heard(text)
    raw = RawCall(name="find_thing", args={argument: written})
    assert grounded(raw, offered(spec, said), said.clauses[0], said).args == {argument: kept}


@pytest.mark.parametrize(("written", "kept"), [("Malmö, SE", {"city": "Malmö, SE"}), ("Ystad, SE", {})])
def test_a_form_that_a_description_gives_adds_what_nobody_said(written, kept):
    city = {**TEXT, "description": "The town, in the format of 'Town, Country', such as 'Oslo, NO'."}
    spec, said = tool("find_show", "Find a show.", {}, {"city": city}), heard("a show of Sven at Malmö")
    raw = RawCall(name="find_show", args={"city": written})
    assert grounded(raw, offered(spec, said), said.clauses[0], said).args == kept


def test_a_span_of_days_ends_with_its_last_day():
    span = {"start": "2026-05-05", "end": "2026-05-11"}
    text = "from 5 May to 10 May"
    said = heard(text, Value(kind=ValueKind.TIME_RANGE, value=span, span=Span(start=0, end=len(text))))
    assert [day for day, _ in moments(said.clauses[0], said)] == [date(2026, 5, 5), date(2026, 5, 10)]


@pytest.mark.parametrize(
    ("name", "description", "written", "kept"),
    [
        ("to_currency", "The currency to pay in.", "Norwegian kroner", "NOK"),
        ("currency", "Code of the currency, such as 'ISK'.", "norwegian_kroner", "NOK"),
        ("currency", "The currency, such as 'Icelandic krona'.", "Norwegian kroner", "Norwegian kroner"),
        ("ware", "What is paid for.", "Norwegian kroner", "Norwegian kroner"),
        ("to_currency", "The currency to pay in.", "euros", "euros"),
    ],
)
def test_a_currency_goes_by_its_code(name, description, written, kept):
    spec = tool("pay_fee", "Pay a fee.", {name: {**TEXT, "description": description}})
    said = heard("pay the fee in Norwegian kroner")
    raw = RawCall(name="pay_fee", args={name: written})
    assert grounded(raw, offered(spec, said), said.clauses[0], said).args == {name: kept}


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("read it aloud in Polish and slowly", ["pl-PL"]),
        ("read the poem of the Polish poet", []),
        ("read it aloud", []),
    ],
)
def test_a_language_is_an_option_by_its_name(text, left):
    tags = {"type": "string", "enum": ["en-GB", "pl-PL", "nl-NL"], "default": "en-GB"}
    slots = offered(tool("read_aloud", "Read aloud.", {}, {"language": tags}), heard(text)).slots
    assert [c.value for s in slots for c in s.choices] == left


@pytest.mark.parametrize(
    ("text", "args", "kept"),
    [
        ("Look for a used Norton Commando bike in Turin", {"make": "Commando"}, {"make": "Norton Commando"}),
        ("a way from the Museum of the Sea to Ghent", {"make": "Sea"}, {"make": "Museum of the Sea"}),
        ("Find Commando bikes", {"make": "Commando"}, {"make": "Commando"}),
        ("a bike of Norton Commando", {"make": "Norton", "line": "Commando"}, {"make": "Norton", "line": "Commando"}),
        ("a bike of Make Norton", {"make": "Norton"}, {"make": "Norton"}),
    ],
)
def test_a_part_of_a_name_is_the_whole_name(text, args, kept):
    spec, said = tool("find_bike", "Find a bike.", dict.fromkeys(args, TEXT)), heard(text)
    assert grounded(RawCall(name="find_bike", args=args), offered(spec, said), said.clauses[0], said).args == kept


def test_a_number_of_a_closed_set_stands_where_it_was_said():
    seats = {"type": "integer", "enum": [1, 2, 3], "description": "How many guests come along."}
    spec, said = (
        tool("find_boat", "Find a boat.", {"lake": TEXT}, {"guests": seats}),
        heard("a boat on Bled for 2 guests"),
    )
    raw = RawCall(name="find_boat", args={"lake": "Bled", "guests": 2})
    assert grounded(raw, offered(spec, said), said.clauses[0], said).args == {"lake": "Bled", "guests": 2}
    raw = RawCall(name="find_boat", args={"lake": "Bled", "guests": 3})
    assert grounded(raw, offered(spec, said), said.clauses[0], said).args == {"lake": "Bled"}


def test_examples_of_a_description_that_stand_side_by_side_are_a_call_each():
    fact = {**TEXT, "description": "What is asked for. E.g., 'deepest_dive', 'total_dives'."}
    spec = tool("get_diver", "Facts of a diver.", {"fact": fact})
    said = heard("her deepest dive and the total dives of 2020")
    calls = spread(RawCall(name="get_diver", args={"fact": "deepest_dive"}), offered(spec, said), said.clauses[0], "en")
    assert [c.args["fact"] for c in calls] == ["deepest_dive", "total_dives"]


@pytest.mark.parametrize(
    ("text", "written", "kept"),
    [
        ("Take me to that gorgeous spot in my mom's town", "The beautiful spot in my mom's town", {}),
        ("Take me to 21 Mill Lane, Ely", "21 Mill Lane, Ely", {"goal": "21 Mill Lane, Ely"}),
        ("take me to berlin main station", "berlin main station", {"goal": "berlin main station"}),
        ("Take me to the old mill near Ely", "the old mill near Ely", {"goal": "the old mill near Ely"}),
    ],
)
def test_words_that_name_no_place_are_no_address(text, written, kept):
    goal = {"type": "string", "description": "Where to go, in the format of street, city, state."}
    spec = foreign_tool(
        {"name": "navigate", "parameters": {"type": "object", "properties": {"goal": goal}, "required": ["goal"]}}
    )
    said = heard(text)

    assert (
        grounded(RawCall(name="navigate", args={"goal": written}), offered(spec, said), said.clauses[0], said).args
        == kept
    )


@pytest.mark.parametrize(
    ("language", "text", "numbers"),
    [
        ("de", "12,5 von 1.250 und 1.000,75", [12.5, 1250, 1000.75]),
        ("en", "12.5 of 1,250", [12.5, 1250]),
        ("ru", "2.5", [2.5]),
    ],
)
def test_decimals_are_read_as_a_language_writes_them(language, text, numbers):
    said = replace(heard(text), language=language)
    assert [f.value for f in figures(said.clauses[0], said)] == numbers


@pytest.mark.parametrize(
    ("language", "text", "value", "beside"),
    [
        ("en", "ferries to Rab and Krk.", "Rab", ["Rab", "Krk"]),
        ("en", "ferries to Rab and U.S.", "Rab", ["Rab", "U.S."]),
        ("de", "Masse von 3,5 und 4,25", 3.5, [3.5, 4.25]),
    ],
)
def test_values_side_by_side_are_written_as_they_were_meant(language, text, value, beside):
    kind = TEXT if isinstance(value, str) else {"type": "number"}
    said = replace(heard(text), language=language)
    spec = tool("f", "d", {"a": kind})
    made = spread(RawCall(name="f", args={"a": value}), offered(spec, said), said.clauses[0], language)
    assert [call.args["a"] for call in made] == beside
