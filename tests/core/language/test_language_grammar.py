from dataclasses import replace

import pytest
from language_samples import BRIGHTNESS, GOOD, HALL, ITEM, LIGHT, LIST, NAMES, STOP, Checker, model, offer

from botpsy_core.dialect import Parser, build_grammar, family_of, write_calls
from botpsy_core.dialect.families import FAMILIES
from botpsy_core.domain.decisions import RawCall, Said
from botpsy_core.domain.offer import Choice, Offer, OfferedTool, Slot
from botpsy_core.domain.tools import ASK_USER, NO_SUITABLE_TOOL, Argument, Role, ToolSpec

PLAIN = Checker()

BAD = [
    RawCall(name="light_on"),
    RawCall(name="light_on", args={"target": "Bedroom lamp"}),
    RawCall(name="light_on", args={"brightness": 40, "target": HALL.label}),
    RawCall(name="light_on", args={"target": HALL.label, "brightness": 41}),
    RawCall(name="list_add", args={"item": "bread"}),
    RawCall(name="list_add", args={"item": "mil"}),
    RawCall(name="list_add", args={"item": ""}),
    RawCall(name="list_add", args={"item": "milk,"}),
    RawCall(name="list_add", args={"item": " milk"}),
    RawCall(name="list_add", args={"item": "milk eggs"}),
    RawCall(name="stop-all", args={"now": True}),
    RawCall(name="unlock"),
]


@pytest.fixture(params=FAMILIES, ids=lambda family: family.name)
def family(request):
    return request.param


@pytest.mark.parametrize("may_answer", [False, True])
def test_llguidance_finds_no_fault_in_a_grammar(family, may_answer):
    assert PLAIN.problem(build_grammar(family, offer(may_answer=may_answer))) == ""


@pytest.mark.parametrize("call", GOOD, ids=str)
def test_a_grammar_takes_every_offered_call_as_the_family_writes_it_and_it_parses_back(family, call):
    text = write_calls(family, [call])
    assert PLAIN.accepts(build_grammar(family, offer()), text)
    read = Parser(family, NAMES, tools=(LIGHT, LIST, STOP)).feed(text)
    assert read == (call,)


@pytest.mark.parametrize("call", BAD, ids=str)
def test_a_grammar_refuses_what_was_not_offered(family, call):
    assert not PLAIN.accepts(build_grammar(family, offer()), write_calls(family, [call]))


def test_a_grammar_takes_no_second_call(family):
    assert not PLAIN.accepts(build_grammar(family, offer()), write_calls(family, [GOOD[0], GOOD[1]]))


def test_plain_text_needs_permission(family):
    text = "It is on, as far as I know."
    assert PLAIN.accepts(build_grammar(family, offer(may_answer=True)), text)
    assert not PLAIN.accepts(build_grammar(family, offer()), text)
    assert Parser(family, NAMES).feed(text) == ()
    parser = Parser(family, NAMES)
    assert (*parser.feed(text), *parser.finish()) == (Said(text=text),)


def test_nothing_offered_leaves_the_refusal_and_the_question(family):
    grammar = build_grammar(family, Offer())
    assert PLAIN.accepts(grammar, write_calls(family, [RawCall(name=NO_SUITABLE_TOOL)]))
    assert PLAIN.accepts(grammar, write_calls(family, [RawCall(name=ASK_USER)]))


def test_an_optional_argument_for_which_nothing_was_heard_cannot_be_written(family):
    bare = Offer(tools=(OfferedTool(tool=LIGHT, slots=(Slot(argument=BRIGHTNESS),)),))
    grammar = build_grammar(family, bare)
    assert PLAIN.accepts(grammar, write_calls(family, [RawCall(name="light_on")]))
    assert not PLAIN.accepts(grammar, write_calls(family, [RawCall(name="light_on", args={"brightness": 5})]))


def test_a_required_number_that_nobody_said_stays_within_its_schema(family):
    needed = Offer(tools=(OfferedTool(tool=LIGHT, slots=(Slot(argument=BRIGHTNESS, required=True),)),))
    grammar = build_grammar(family, needed)
    assert PLAIN.accepts(grammar, write_calls(family, [RawCall(name="light_on", args={"brightness": 100})]))
    assert not PLAIN.accepts(grammar, write_calls(family, [RawCall(name="light_on", args={"brightness": 101})]))


def test_an_argument_that_is_missing_is_left_out_and_not_made_up(family):
    lost = Offer(tools=(OfferedTool(tool=LIST, slots=(Slot(argument=ITEM, required=True),), missing=("item",)),))
    grammar = build_grammar(family, lost)
    assert PLAIN.accepts(grammar, write_calls(family, [RawCall(name="list_add")]))
    assert not PLAIN.accepts(grammar, write_calls(family, [RawCall(name="list_add", args={"item": "x"})]))


@pytest.mark.parametrize(
    ("schema", "good", "bad"),
    [
        ({"type": "boolean"}, True, 3),
        ({"type": "array", "items": {"type": "integer"}, "maxItems": 2}, [1, 2], [1, 2, 3]),
        ({"type": "string", "enum": ["eco", "sport & co"]}, "eco", "comfort"),
        ({"type": "object", "properties": {"a": {"type": "number"}}, "required": ["a"]}, {"a": 1.5}, {"b": 1}),
        ({"type": "string", "pattern": "^(?=odd)", "format": "strange"}, "some text", "x" * 900),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}], "$comment": "x"}, 7, [7]),
    ],
)
def test_a_foreign_schema_bounds_its_argument_and_never_breaks_the_grammar(family, schema, good, bad):
    free = Argument(name="value", role=Role.FREE, schema=schema, required=True)
    tool = ToolSpec(name="foreign", description="Foreign.", arguments=(free,))
    grammar = build_grammar(family, Offer(tools=(OfferedTool(tool=tool, slots=(Slot(argument=free, required=True),)),)))
    assert PLAIN.problem(grammar) == ""
    text = write_calls(family, [RawCall(name="foreign", args={"value": good})])
    if family.values == "python":
        text = text.replace("True", "true")
    assert PLAIN.accepts(grammar, text)
    assert not PLAIN.accepts(grammar, write_calls(family, [RawCall(name="foreign", args={"value": bad})]))


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ('call it "Zoë\'s <b> & co"', "it \"Zoë's <b> & co"),
        ("добавь молоко и 3,5 кг муки", "3,5 кг муки"),
        ("把牛奶加到购物清单", "牛奶"),
        ("우유를 목록에 추가해", "우유"),
        ("back\\slash and\ttab  \n gaps", "slash and tab gaps"),
        ("don't forget the e-mail at 50%", "the e-mail at 50%"),
    ],
)
def test_text_arguments_are_runs_of_the_words_that_were_said(family, words, value):
    said = build_grammar(family, offer(words=words))
    call = RawCall(name="list_add", args={"item": value})
    assert PLAIN.problem(said) == ""
    assert PLAIN.accepts(said, write_calls(family, [call]))


def test_words_that_hold_no_word_leave_the_schema(family):
    assert PLAIN.problem(build_grammar(family, offer(words="?! ..."))) == ""


@pytest.mark.parametrize("name", ["hermes", "tagged", "call_list"])
def test_markers_that_are_tokens_are_written_as_tokens(name):
    plain = next(f for f in FAMILIES if f.name == name)
    template = {"hermes": '<tool_call> "arguments"', "tagged": "<function= <parameter=", "call_list": plain.begin}[name]
    family = family_of(model(template, special=(plain.begin, plain.stop, "<other>")))
    assert family.special == {plain.begin, plain.stop}
    checker = Checker(special=(plain.begin, plain.stop))
    grammar = build_grammar(family, offer())
    assert checker.problem(grammar) == ""
    assert checker.accepts(grammar, write_calls(family, [GOOD[0]]))
    assert checker.forced(grammar, "").startswith(plain.begin)


def test_labels_that_begin_alike_are_told_apart(family):
    alike = (Choice(label="Lamp", value=["a.a"]), Choice(label="Lamp 2", value=["a.b"]), Choice(label="2", value=2))
    target = LIGHT.arguments[0]
    grammar = build_grammar(
        family, Offer(tools=(OfferedTool(tool=LIGHT, slots=(Slot(argument=target, choices=alike, required=True),)),))
    )
    for value in ("Lamp", "Lamp 2", 2):
        assert PLAIN.accepts(grammar, write_calls(family, [RawCall(name="light_on", args={"target": value})]))


def test_special_tokens_in_names_and_words_are_left_out(family):
    special = (*family.markers, "<|im_end|>")
    guarded = replace(family, special=frozenset(special[:2]), control=frozenset(special))
    odd = (HALL, Choice(label="Lamp <|im_end|>", value=["light.odd"]))
    slots = (
        Slot(argument=LIGHT.arguments[0], choices=odd, required=True),
        Slot(argument=ITEM, words="say <|im_end|> twice"),
    )
    grammar = build_grammar(guarded, Offer(tools=(OfferedTool(tool=LIGHT, slots=slots),)))
    assert "im_end" not in grammar.lark
    assert '"twice"' in grammar.lark


def test_where_a_call_must_be_made_there_is_no_refusal(family):
    grammar = build_grammar(family, replace(offer(), must_call=True))
    assert PLAIN.accepts(grammar, write_calls(family, [GOOD[0]]))
    assert not PLAIN.accepts(grammar, write_calls(family, [RawCall(name=NO_SUITABLE_TOOL)]))


def test_a_list_holds_some_of_the_choices_or_what_its_schema_says(family):
    argument = Argument(name="days", role=Role.FREE, schema={"type": "array", "items": {"type": "string"}})
    days = tuple(Choice(label=day, value=day) for day in ("mon", "tue"))
    tool = ToolSpec(name="plan", description="Plan.", arguments=(argument,))
    for choices, good in ((days, True), (days[:1], False), ((), True)):
        slot = Slot(argument=argument, choices=choices, required=True, several=True)
        grammar = build_grammar(family, Offer(tools=(OfferedTool(tool=tool, slots=(slot,)),)))
        text = write_calls(family, [RawCall(name="plan", args={"days": ["mon", "tue"]})])
        assert PLAIN.problem(grammar) == ""
        assert PLAIN.accepts(grammar, text) is good
