"""Another integration's tool is judged by its schema and text: what was said for it, what was not, what cannot be."""

from dataclasses import replace

import pytest
from safety_scene import CONTEXT, HOME, POLICY

from botpsy_core.catalog import foreign_tool
from botpsy_core.domain.heard import Heard, Span
from botpsy_core.domain.messages import Transcript
from botpsy_core.domain.offer import OfferedTool
from botpsy_core.domain.tools import Risk, ToolCall
from botpsy_core.domain.verdicts import Allow, Ask, AskKind, Evidence, Readiness, Reason, Refuse
from botpsy_core.hearing import hear
from botpsy_core.safety import Tilt, case_of, decide, in_doubt
from botpsy_core.safety.coverage import coverage
from botpsy_core.safety.hollow import is_hollow
from botpsy_core.safety.offending import offence_in
from botpsy_core.safety.saying import is_explained, is_said


def tool_with(properties, required=(), *, name="book_table", description="Book a table at a restaurant."):
    parameters = {"type": "object", "properties": properties, "required": list(required)}
    return foreign_tool({"name": name, "description": description, "parameters": parameters}, read_only=True)


BOOK = tool_with(
    {
        "restaurant": {"type": "string", "description": "Name of the restaurant"},
        "guests": {"type": "integer", "minimum": 1, "maximum": 12},
        "day": {"type": "string", "pattern": r"^\d{4}-\d{2}-\d{2}$", "description": "Day as YYYY-MM-DD"},
        "area": {"type": "string", "enum": ["inside", "terrace"]},
    },
    required=("restaurant", "guests"),
)


def heard_of(text):
    return hear(text, home=replace(HOME, entities=(), areas=()), transcript=Transcript(), context=CONTEXT)


def known(text, spec=BOOK, *, evidence=None, **more):
    heard = heard_of(text)
    return {
        "spec": spec,
        "clause": heard.clauses[0],
        "heard": heard,
        "home": HOME,
        "evidence": evidence or Evidence(likeness=0.6, p_call=0.99),
        "readiness": Readiness(),
        "policy": POLICY,
        "context": CONTEXT,
        "offered": OfferedTool(tool=spec),
        **more,
    }


def verdict_on(text, args, spec=BOOK, **more):
    return decide(ToolCall(id="1", name=spec.name, args=args), **known(text, spec, **more))


GOOD = "Book a table at the restaurant Luigi for 4 guests"


def test_what_was_said_goes_out():
    assert isinstance(verdict_on(GOOD, {"restaurant": "Luigi", "guests": 4}), Allow)


@pytest.mark.parametrize(
    ("args", "argument"),
    [
        ({"restaurant": "Luigi"}, "guests"),
        ({"restaurant": "Luigi", "guests": 7}, "guests"),
        ({"restaurant": "Marios Trattoria", "guests": 4}, "restaurant"),
        ({"restaurant": "restaurant", "guests": 4}, "restaurant"),
    ],
)
def test_a_needed_value_that_nobody_said_is_asked_for_by_name(args, argument):
    verdict = verdict_on(GOOD, args)
    assert isinstance(verdict, Ask)
    assert (verdict.kind, verdict.reason, verdict.argument) == (AskKind.CLARIFY, Reason.MISSING_ARGUMENT, argument)


@pytest.mark.parametrize(
    ("text", "argument", "said"),
    [
        ("Book a table at the restaurant Luigi for 40 guests", "guests", "40"),
        ("Book a table at Luigi for 4 guests on the day 3.May.2026", "day", "3.May.2026"),
    ],
)
def test_a_value_that_cannot_be_is_named_with_what_can(text, argument, said):
    verdict = verdict_on(text, {"restaurant": "Luigi"})
    assert isinstance(verdict, Ask)
    assert (verdict.reason, verdict.argument, verdict.detail["value"]) == (Reason.WRONG_ARGUMENT, argument, said)


def test_too_little_in_common_is_refused_even_where_nothing_but_reading_hangs_on_it():
    verdict = verdict_on("who wrote Hamlet", {"restaurant": "Hamlet"}, evidence=Evidence(likeness=0.0, p_call=0.2))
    assert isinstance(verdict, Refuse)
    assert verdict.reason is Reason.NO_SUITABLE_TOOL


def test_a_model_is_asked_for_its_gain_only_where_that_settles_it():
    call = ToolCall(id="1", name=BOOK.name, args={"restaurant": "Luigi", "guests": 4})
    sure = case_of(call, **known(GOOD, evidence=Evidence(likeness=0.9, p_call=1.0)))
    grey = case_of(call, **known(GOOD, evidence=Evidence(likeness=0.15, p_call=0.8)))
    assert not in_doubt(sure)
    assert in_doubt(grey)
    assert not in_doubt(replace(grey, evidence=replace(grey.evidence, gain=3.0)))
    missing = case_of(replace(call, args={}), **known(GOOD, evidence=Evidence(likeness=0.9, p_call=1.0)))
    assert not in_doubt(missing)
    hardly = case_of(replace(call, args={}), **known(GOOD, evidence=Evidence(likeness=0.05, p_call=0.7)))
    assert in_doubt(hardly)
    hidden = replace(grey, readiness=Readiness(exposed=False))
    assert not in_doubt(hidden)


@pytest.mark.parametrize("acts", [False, True])
def test_what_code_looks_up_is_no_guess_and_what_code_does_is_weighed(acts):
    place = {"place": {"type": "string"}}
    lookup = tool_with(place, place, name="get_zone_id", description="Postal area.")
    text = "Sail my brothers and sisters around the old boats near Krk"
    evidence = Evidence(by_code=True, likeness=0.01)
    verdict = verdict_on(
        text, {"place": "Krk"}, replace(lookup, risk=Risk.COMFORT) if acts else lookup, evidence=evidence
    )
    assert getattr(verdict, "reason", None) == (Reason.NO_SUITABLE_TOOL if acts else None)
    assert isinstance(verdict, Refuse if acts else Allow)


def test_more_gain_is_more_certain():
    call = ToolCall(id="1", name=BOOK.name, args={"restaurant": "Luigi", "guests": 4})
    grey = case_of(call, **known(GOOD))
    assert grey.certainty_with(0.0) < grey.certainty_with(20.0)


def test_an_unmeasured_model_is_read_with_caution_until_it_is_calibrated():
    call = ToolCall(id="1", name=BOOK.name, args={"restaurant": "Luigi", "guests": 4})
    evidence = Evidence(likeness=0.4, p_call=0.95, model="never seen")
    plain = case_of(call, **known(GOOD, evidence=replace(evidence, model="")))
    cautious = case_of(call, **known(GOOD, evidence=evidence))
    trusted = replace(POLICY, tilts={"never seen": Tilt(slope=1.0, shift=1.0)})
    calibrated = case_of(call, **known(GOOD, evidence=evidence, policy=trusted))
    assert cautious.certainty < plain.certainty < calibrated.certainty


def test_a_foreign_act_needs_the_same():
    acting = replace(BOOK, risk=Risk.COMFORT)
    assert isinstance(verdict_on(GOOD, {"restaurant": "Luigi", "guests": 4}, acting), Allow)
    assert isinstance(verdict_on(GOOD, {"restaurant": "Luigi", "guests": 5}, acting), Ask)


@pytest.mark.parametrize(
    ("value", "text", "said"),
    [
        ("Berlin", "weather in Berlin", True),
        ("Berliner Straße", "the Berlin street", True),
        ("Hamburg", "weather in Berlin", False),
        (2000, "from 2,000 metres", True),
        (2.5, "2,5 litres", True),
        (3, "from 2 metres", False),
        (["a.b@c.org", 5], "mail a.b@c.org 5 times", True),
        (["a.b@c.org", 6], "mail a.b@c.org 5 times", False),
        ("3x2+2x", "the function 3x^2 + 2x", True),
        (20, "no more than wrong20km", False),
        ("GBP", "change British pounds", True),
        ("JPY", "change Japanese yen", True),
        ("GBP", "change Bavarian beer", False),
        ("CHF", "wechsle 50 Schweizer Franken", True),
        ("CAD", "change 20 Canadian dollars", True),
        ("USD", "change 20 Canadian dollars", False),
        ("CHF", "change British pounds", False),
        ("luigi@example.org", "write to Luigi", False),
        ("luigi@example.org", "write to luigi@example.org", True),
        (4, "accelerated at 4 m/s^2", True),
        ([], "anything", False),
    ],
)
def test_a_value_is_said_in_whatever_dress(value, text, said):
    assert is_said(value, Heard(text=text, language="en", clauses=())) is said


@pytest.mark.parametrize(
    ("name", "value", "text", "hollow"),
    [
        ("device_id", "my old phone", "recycle my old phone", True),
        ("device_id", "AX-77", "recycle AX-77", False),
        ("dashboardId", "dashing", 'get the dashboard "dashing"', False),
        ("city", "Rome", "a table in Rome", False),
        ("city", "table", "a table in Rome", True),
    ],
)
def test_words_that_merely_fill_a_place_are_no_value(name, value, text, hollow):
    spec = tool_with({name: {"type": "string"}}, [name], description="Find a table.")
    argument = spec.argument(name)
    assert is_hollow(argument, value, spec=spec, heard=heard_of(text), taken=()) is hollow
    assert is_hollow(argument, value, spec=spec, heard=heard_of(text), taken=(value.casefold(),))


def test_a_word_of_the_tool_that_its_argument_gives_as_an_example_is_a_value():
    dish = {"type": "string", "description": "What is served, such as stew or soup."}
    spec = tool_with({"dish": dish}, ["dish"], description="Find a place that serves stew at its table.")
    for value, hollow in (("stew", False), ("table", True)):
        text = "a place with a table that serves stew"
        assert is_hollow(spec.argument("dish"), value, spec=spec, heard=heard_of(text), taken=()) is hollow


@pytest.mark.parametrize(("text", "hollow"), [("from Rome to Rome", False), ("a way to Rome", True)])
def test_what_was_said_twice_may_stand_in_two_arguments(text, hollow):
    spec = tool_with({"end": {"type": "string"}}, ["end"], description="Find a way.")
    assert is_hollow(spec.argument("end"), "Rome", spec=spec, heard=heard_of(text), taken=("rome",)) is hollow


@pytest.mark.parametrize(("guests", "out"), [(6, True), (7, False)])
def test_a_default_that_only_the_description_tells_need_not_be_said(guests, out):
    count = {"type": "integer", "description": "How many come. Default is 6."}
    spec = tool_with({"restaurant": {"type": "string"}, "guests": count}, ["restaurant", "guests"])
    verdict = verdict_on("Book a table at the restaurant Luigi", {"restaurant": "Luigi", "guests": guests}, spec)
    assert isinstance(verdict, Allow if out else Ask)


def test_a_tool_that_was_meant_is_asked_about_where_only_a_value_is_missing():
    poor = Evidence(likeness=0.14, p_call=0.9, p_args={"restaurant": 0.9, "guests": 0.02})
    verdict = verdict_on("Book a table at Luigi tonight", {"restaurant": "Luigi", "guests": 9}, evidence=poor)
    assert isinstance(verdict, Ask)
    assert verdict.argument == "guests"
    elsewhere = Evidence(likeness=0.01, p_call=0.3, p_args={"restaurant": 0.1, "guests": 0.02})
    assert isinstance(
        verdict_on("Who sings at Luigi", {"restaurant": "Luigi", "guests": 9}, evidence=elsewhere), Refuse
    )


@pytest.mark.parametrize(
    ("properties", "text", "found"),
    [
        ({"volume": {"type": "integer", "maximum": 100}}, "set the volume to 300", ("volume", "300")),
        ({"volume": {"type": "integer", "maximum": 100}}, "set the volume to 30", None),
        ({"mail": {"type": "string", "format": "email"}}, "write to anna#example.org", ("mail", "anna#example.org")),
        ({"mail": {"type": "string", "format": "email"}}, "write to anna@example.org", None),
        ({"code": {"type": "string", "pattern": r"^\d{5}$"}}, "for team 123", ("code", "123")),
        (
            {"code": {"type": "string", "pattern": r"^\d{5}$"}, "count": {"type": "integer"}},
            "for team 12345, 123 times",
            None,
        ),
        ({"note": {"type": "string"}}, "note down 123", None),
    ],
)
def test_what_no_argument_can_take_was_meant_for_the_one_that_wants_it(properties, text, found):
    spec = tool_with(properties, properties)
    offence = offence_in(spec, ToolCall(id="1", name=spec.name), heard_of(text))
    assert (offence and (offence.argument.name, offence.said)) == found


@pytest.mark.parametrize(("value", "said"), [(2, True), (1, False), ("GBP", False)])
def test_a_value_that_the_arguments_own_text_explains_by_said_words_is_said(value, said):
    description = "Number of the service (1: cleaning, 2: ironing). Prices are in GBP"
    spec = tool_with({"service": {"type": "integer", "description": description}}, ["service"])
    heard = heard_of("find somebody for ironing in Bangkok")
    assert is_explained(value, spec.argument("service").description, heard) is said


def test_a_number_that_a_model_is_certain_of_may_be_meant_where_it_only_reads():
    args = {"restaurant": "Luigi", "guests": 12}
    text = "Book a table at the restaurant Luigi for a dozen guests"
    certain = Evidence(likeness=0.6, p_call=0.99, p_args={"guests": 0.99})
    unsure = replace(certain, p_args={"guests": 0.6})
    assert isinstance(verdict_on(text, args, evidence=certain), Allow)
    assert isinstance(verdict_on(text, args, evidence=unsure), Ask)
    assert isinstance(verdict_on(text, args, replace(BOOK, risk=Risk.COMFORT), evidence=certain), Ask)


@pytest.mark.parametrize(("risk", "out"), [(Risk.COMFORT, True), (Risk.SECURITY, False)])
def test_only_what_is_risky_must_be_said_in_the_words_of_the_tools_own_name(risk, out):
    parameters = {"type": "object", "properties": {"title": {"type": "string"}}, "required": ["title"]}
    tool = foreign_tool({"name": "create_article", "description": "Create a news article.", "parameters": parameters})
    assert tool.directions
    verdict = verdict_on("publish a news article titled Julian", {"title": "Julian"}, replace(tool, risk=risk))
    assert isinstance(verdict, Allow if out else Refuse)


def test_what_is_asked_of_a_part_is_not_measured_by_the_words_of_the_rest():
    text = "My aunt collects stamps, coins and porcelain in Vienna. Book a table at Luigi's."
    heard = heard_of(text)
    call = ToolCall(id="1", name="book_table", args={"restaurant": "Luigi's"})
    part = Span(start=text.index("Book"), end=len(text))
    assert coverage(call, BOOK, heard, part=part) > 2 * coverage(call, BOOK, heard)


OVEN = tool_with(
    {"minutes": {"type": "integer"}, "loaves": {"type": "integer"}, "note": {"type": "string"}},
    required=("minutes", "loaves"),
    name="bake_item",
    description="Bake items.",
)


@pytest.mark.parametrize(
    ("text", "args", "ungrounded"),
    [
        ("bake for 5 minutes", {"minutes": 5, "loaves": 5}, ("loaves",)),
        ("bake 5 loaves for 5 minutes", {"minutes": 5, "loaves": 5}, ()),
        ("bake five loaves for 5 minutes", {"minutes": 5, "loaves": 5}, ()),
        ("bake 6 loaves for 5 minutes", {"minutes": 5, "loaves": 6}, ()),
    ],
)
def test_a_number_that_was_said_once_is_no_value_of_two_arguments(text, args, ungrounded):
    call = ToolCall(id="1", name=OVEN.name, args=args)
    assert case_of(call, **known(text, OVEN)).grounding.ungrounded == ungrounded


@pytest.mark.parametrize(
    ("value", "hollow"), [("second item", True), ("the last item", True), ("second rye bread", False)]
)
def test_a_place_in_a_row_names_nothing(value, hollow):
    note = OVEN.argument("note")
    assert is_hollow(note, value, spec=OVEN, heard=heard_of(f"bake the {value}"), taken=()) is hollow


def test_an_option_that_nobody_said_is_asked_for_however_sure_the_model_is():
    spec = tool_with({"area": {"type": "string", "enum": ["inside", "terrace"]}}, required=("area",))
    sure = Evidence(likeness=0.6, p_call=0.99, p_args={"area": 0.99})
    verdict = verdict_on("Book a table at a restaurant", {"area": "inside"}, spec, evidence=sure)
    assert isinstance(verdict, Ask)
    assert verdict.argument == "area"


HATCH = foreign_tool(
    {
        "name": "secure_hatch",
        "description": "Locks or unlocks the hatch of the van.",
        "parameters": {
            "type": "object",
            "properties": {"unlock": {"type": "boolean", "description": "True to unlock, False to lock."}},
        },
    },
    destructive=False,
)


@pytest.mark.parametrize(
    ("text", "unlock", "stopped"),
    [
        ("lock the hatch of the van", True, True),
        ("lock the hatch of the van", False, False),
        ("unlock the hatch of the van", False, True),
        ("unlock the hatch of the van", True, False),
        ("make sure that the hatch of the van is locked and set", True, True),
    ],
)
def test_a_yes_that_goes_the_other_way_than_the_words_is_stopped(text, unlock, stopped):
    verdict = verdict_on(text, {"unlock": unlock}, HATCH)
    assert (getattr(verdict, "reason", None) is Reason.OPPOSITE) == stopped


@pytest.mark.parametrize(("value", "hollow"), [(["Rome"], True), (["Rome", "Pisa"], False), (["Pisa"], False)])
def test_a_list_of_what_another_argument_holds_is_no_value(value, hollow):
    spec = tool_with({"stops": {"type": "array", "items": {"type": "string"}}}, ["stops"], description="Pack bags.")
    said = heard_of("pack bags for Rome, not Pisa")
    assert is_hollow(spec.argument("stops"), value, spec=spec, heard=said, taken=("rome",)) is hollow
