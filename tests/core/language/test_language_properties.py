"""What holds for every text, not for examples.

`BOTPSY_PARSER_PIECES=1000000` makes the last test feed that many pieces instead of a few.
"""

import os
import random
from itertools import pairwise

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from language_samples import NAMES, Checker, model

from botpsy_core.dialect import Parser, Renderer, Values, build_grammar, write_calls
from botpsy_core.dialect.families import FAMILIES
from botpsy_core.domain.decisions import Item, Malformed, RawCall, Said, Thought
from botpsy_core.domain.messages import AssistantMessage, Transcript, UserMessage
from botpsy_core.domain.offer import Choice, Offer, OfferedTool, Slot
from botpsy_core.domain.tools import RESERVED_NAMES, Argument, Role, ToolCall, ToolSpec

PIECES = int(os.environ.get("BOTPSY_PARSER_PIECES", "20000"))
CHECKER = Checker()

families = st.sampled_from(FAMILIES)
characters = st.characters(exclude_categories=["Cs"])
texts = st.text(characters, max_size=40)
tricky = st.sampled_from(
    ["<think>", "</think>", "```json", "```", "{", "}", '"', "\\", "]]>", "<![CDATA[", "</param>", "\n", "'", "&", "<"]
)
awkward = st.lists(st.one_of(texts, tricky), max_size=4).map("".join)
scalars = st.one_of(awkward, st.integers(-(10**9), 10**9), st.booleans(), st.none(), st.floats(-1e6, 1e6))
values = st.recursive(scalars, lambda v: st.one_of(st.lists(v, max_size=3), st.dictionaries(texts, v, max_size=3)))
keys = st.sampled_from(["target", "item", "brightness", "when"])
names = st.sampled_from(sorted(NAMES | RESERVED_NAMES))
calls = st.builds(RawCall, name=names, args=st.dictionaries(keys, values, max_size=3))
tagged_safe = awkward.filter(lambda text: text == text.strip("\n") and "parameter>" not in text)
plain_calls = st.builds(RawCall, name=names, args=st.dictionaries(keys, tagged_safe, max_size=3))


def read(family, pieces, **options):
    parser = Parser(family, NAMES, **options)
    items: list[Item] = [item for piece in pieces for item in parser.feed(piece)]
    return (*items, *parser.finish())


def cut(text, places):
    edges = [0, *sorted({place % (len(text) + 1) for place in places}), len(text)]
    return [text[a:b] for a, b in pairwise(edges)]


def scraps(family):
    """Return texts made of everything that a model might write, whole and broken."""
    whole = st.lists(calls, min_size=1, max_size=2).map(lambda some: write_calls(family, some))
    broken = st.tuples(whole, st.integers(0, 400), st.integers(0, 400)).map(
        lambda t: t[0][: t[1]] + t[0][t[1] + t[2] :]
    )
    markers = st.sampled_from([m for f in FAMILIES for m in (f.opening, f.closing, f.think_open, f.think_close)])
    return st.lists(st.one_of(whole, broken, markers, tricky, texts), max_size=6).map("".join)


@given(st.data())
def test_any_split_gives_the_same_items(data):
    family = data.draw(families)
    text = data.draw(scraps(family))
    options = {"thinking": data.draw(st.booleans()), "lenient": data.draw(st.booleans())}
    pieces = cut(text, data.draw(st.lists(st.integers(0, 1000), max_size=12)))
    assert read(family, pieces, **options) == read(family, [text], **options) == read(family, text, **options)


@given(
    family=families, some=st.lists(calls, min_size=1, max_size=3), plain=st.lists(plain_calls, min_size=1, max_size=3)
)
def test_what_was_written_parses_back(family, some, plain):
    exact = some if family.values in {Values.JSON, Values.PYTHON} else plain
    assert read(family, [write_calls(family, exact)]) == tuple(exact)


@given(st.data())
def test_nothing_becomes_a_call_but_a_block_that_is_whole_known_and_outside_every_thought(data):
    family = data.draw(families)
    text = data.draw(scraps(family))
    items = read(family, [text])
    for item in items:
        match item:
            case RawCall(name=name):
                assert name in NAMES | RESERVED_NAMES
                assert text.count(family.opening) >= 1
                assert text.count(family.closing) >= 1
            case Said(text=said):
                assert said in text
                assert not any(m in said for f in FAMILIES for m in (f.opening, f.think_open, f.think_close))
            case Thought() | Malformed():
                assert item.text


@given(family=families, text=st.data(), call=calls)
def test_a_thought_that_stays_open_hides_everything(family, text, call):
    inside = text.draw(scraps(family))
    assume(family.think_close not in inside)
    for pieces, options in (([family.think_open + inside], {}), ([inside], {"thinking": True})):
        items = read(family, [*pieces, write_calls(family, [RawCall(name=call.name)])], **options)
        assert all(isinstance(item, Thought) for item in items)


@given(family=families, call=plain_calls, size=st.integers(2, 400))
def test_half_a_call_is_never_a_call_and_never_spoken(family, call, size):
    text = write_calls(family, [call])
    assume(size < len(text))
    assert not any(isinstance(item, RawCall | Said) for item in read(family, [text[:size]]))


@given(family=families, call=calls, at=st.integers(0, 400), character=characters)
def test_a_damaged_call_is_whole_or_nothing(family, call, at, character):
    """One wrong character may change a value, but never tool or shape without being noticed."""
    text = write_calls(family, [call])
    assume(at < len(text))
    for damaged in (
        text[:at] + character + text[at + 1 :],
        text[:at] + text[at + 1 :],
        text[:at] + character + text[at:],
    ):
        for item in read(family, [damaged]):
            if isinstance(item, RawCall):
                assert item.name in NAMES | RESERVED_NAMES


labels = st.lists(awkward.map(str.strip).filter(bool), min_size=1, max_size=4, unique=True)


def offers(family):
    """Return offers of awkward labels, words and numbers, as far as a format can hold them."""
    fit = labels.map(lambda some: [" ".join(label.split()) for label in some])
    if family.values is Values.RAW:
        fit = fit.map(lambda some: [label.replace("parameter>", "") for label in some])
    target = Argument(name="target", role=Role.TARGET, schema={"type": "array"}, required=True)
    number = Argument(name="number", role=Role.NUMBER, schema={"type": "integer", "minimum": -5, "maximum": 40})
    text = Argument(name="text", role=Role.TEXT, schema={"type": "string"})
    spec = ToolSpec(name="act", description="Act.", arguments=(target, number, text))
    slot_of_target = fit.filter(all).map(
        lambda some: Slot(argument=target, required=True, choices=tuple(Choice(label=s, value=[s]) for s in some))
    )
    slot_of_number = st.booleans().map(lambda needed: Slot(argument=number, required=needed))
    slot_of_text = awkward.map(lambda words: Slot(argument=text, words=words))
    slots = st.tuples(slot_of_target, slot_of_number, slot_of_text)
    return slots.map(lambda some: Offer(tools=(OfferedTool(tool=spec, slots=some), OfferedTool(tool=spec))))


@given(st.data())
@settings(max_examples=60)
def test_whatever_a_grammar_can_write_is_one_call_of_what_was_offered(data):
    family = data.draw(families)
    offer = data.draw(offers(family))
    grammar = build_grammar(family, offer)
    assert CHECKER.problem(grammar) == ""
    text = CHECKER.walk(grammar, random.Random(data.draw(st.integers(0, 10**6))))
    parser = Parser(family, frozenset({"act"}), tools=tuple(o.tool for o in offer.tools))
    (call,) = (*parser.feed(text), *parser.finish())
    assert isinstance(call, RawCall), text
    target, _, words = offer.tools[0].slots
    assert call.args.get("target", target.choices[0].label) in [c.label for c in target.choices]
    assert call.args.get("number", 0) in range(-5, 41)
    flat = " ".join(words.words.split())
    if "text" in call.args:
        assert str(call.args["text"]) in flat
        assert str(call.args["text"]).strip()


@given(
    said=awkward.filter(str.strip),
    history=st.lists(st.tuples(awkward, plain_calls, awkward), max_size=3),
    template=st.sampled_from(
        ["", "{{ bos_token }}{% for m in messages %}[{{ m.role }}]{{ m.content }}{% endfor %}[do]"]
    ),
)
def test_a_prompt_keeps_its_prefix_whatever_is_said(said, history, template):
    renderer = Renderer(model(template))
    tools = (ToolSpec(name="act", description="Act."),)
    messages = [
        message
        for user, call, answer in history
        for message in (
            UserMessage(text=user),
            AssistantMessage(text=answer, calls=(ToolCall(id="1", name=call.name, args=call.args),)),
        )
    ]
    prompt = renderer.render("Home.", tools, Transcript(messages=tuple(messages)), said)
    assert prompt.prefix == renderer.render("Home.", tools, Transcript(), "x").prefix != ""


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_many_pieces_give_what_the_whole_gives(family):
    """Feed endless babble of markers and calls in random pieces."""
    dice = random.Random(family.name)
    whole = [write_calls(family, [RawCall(name="list_add", args={"item": item})]) for item in ("milk", "a < b", "né\n")]
    parts = [*whole, *(text[: len(text) // 2] for text in whole), "Fine. ", "<think>", "</think>", "\n", "``", "{", "<"]
    parts += [family.opening, family.closing, '"', "\\", " the light ", '{"name": "x"}']
    fed = calls_seen = 0
    while fed < PIECES // len(FAMILIES):
        text = "".join(dice.choices(parts, k=dice.randint(1, 14)))
        pieces = cut(text, [dice.randrange(len(text) + 1) for _ in range(dice.randint(0, len(text)))])
        items = read(family, pieces)
        assert items == read(family, [text])
        calls_seen += sum(isinstance(item, RawCall) for item in items)
        fed += len(pieces)
    assert calls_seen
