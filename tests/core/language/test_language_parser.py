import pytest
from language_samples import LIGHT, LIST, NAMES, STOP

from botpsy_core.dialect import Parser, write_calls
from botpsy_core.dialect.families import CALL_LIST, FAMILIES, FENCED, FUNCTION_XML, HERMES, TAGGED
from botpsy_core.domain.decisions import Malformed, RawCall, Said, Thought
from botpsy_core.domain.tools import NO_SUITABLE_TOOL

CALL = RawCall(name="list_add", args={"item": "milk"})


@pytest.fixture(params=FAMILIES, ids=lambda family: family.name)
def family(request):
    return request.param


def read(family, text, **options):
    parser = Parser(family, NAMES, **options)
    return (*parser.feed(text), *parser.finish())


def test_several_calls_come_out_in_order_with_the_speech_around_them(family):
    calls = (CALL, RawCall(name="stop-all"), RawCall(name=NO_SUITABLE_TOOL))
    assert read(family, "One moment." + write_calls(family, calls) + "Ready.") == (
        Said(text="One moment."),
        *calls,
        Said(text="Ready."),
    )


def test_a_call_comes_out_as_soon_as_it_ends(family):
    text = write_calls(family, [CALL])
    parser = Parser(family, NAMES)
    assert parser.feed(text[:-1]) == ()
    assert parser.feed(text[-1]) == (CALL,)
    assert parser.finish() == ()


def test_an_unknown_tool_is_no_call_and_no_speech(family):
    items = read(family, write_calls(family, [RawCall(name="unlock")]))
    assert [type(item) for item in items] == [Malformed]


def test_half_a_call_is_no_call_and_no_speech(family):
    text = write_calls(family, [CALL])
    for size in range(2, len(text)):
        items = read(family, text[:size])
        assert not any(isinstance(item, RawCall | Said) for item in items), text[:size]


def test_a_call_inside_a_thought_is_a_thought(family):
    text = write_calls(family, [CALL])
    assert read(family, f"<think>{text}</think>No.") == (Thought(text=text), Said(text="No."))
    assert read(family, f"{text}</think>No.", thinking=True) == (Thought(text=text), Said(text="No."))


def test_a_thought_that_never_closes_is_never_spoken(family):
    assert read(family, "<think>hm, lights") == (Thought(text="hm, lights"),)
    assert read(family, "hm, lights", thinking=True) == (Thought(text="hm, lights"),)


def test_what_stands_before_a_lonely_end_of_thought_is_not_spoken(family):
    assert read(family, "let me see</think>Yes.") == (Thought(text="let me see"), Said(text="Yes."))


def test_a_format_of_another_family_is_neither_call_nor_speech(family):
    for other in FAMILIES:
        if other.opening == family.opening:
            continue
        items = read(family, write_calls(other, [CALL]))
        assert not any(isinstance(item, RawCall | Said) for item in items), other.name


@pytest.mark.parametrize(
    "body",
    [
        '{"name": "list_add", "arguments": {"item": "a"}, "arguments": {"item": "b"}}',
        '{"name": "list_add", "arguments": {"item": "a", "item": "b"}}',
        '{"name": "list_add", "arguments": ["a"]}',
        '{"name": "list_add"}',
        '{"name": ["list_add"], "arguments": {}}',
        '{"name": "list_add", "arguments": {"item": NaN}}',
        '{"name": "list_add", "arguments": {"item": "\\ud800"}}',
        '{"name": "list_add", "arguments": {"item": "a"}} {"name": "list_add", "arguments": {"item": "b"}}',
        '{"name": "list_add", "arguments": {"item": ' + "[" * 5000 + "]" * 5000 + "}}",
        '{"name": "list_add", "arguments": {"item": ' + "9" * 5000 + "}}",
        '{"name": "list_add", "arguments": {"item": "' + "x" * 30000 + '"}}',
        "",
    ],
    ids=lambda body: body[:60],
)
def test_json_that_is_not_exactly_one_call_is_malformed(body):
    items = read(HERMES, f"<tool_call>\n{body}\n</tool_call> Done!")
    assert [type(item) for item in items] == [Malformed, Said]


@pytest.mark.parametrize(
    "body",
    [
        "<function=list_add>\n<parameter=item>\na\n</parameter>\n<parameter=item>\nb\n</parameter>\n</function>",
        "<function=list_add>\n<item>a</item>\n</function>",
        "<function=list_add>\n</function>\n<function=list_add>\n</function>",
        "<function=list_add",
        "<function=list_add>\n",
    ],
)
def test_tags_that_are_not_exactly_one_call_are_malformed(body):
    items = read(TAGGED, f"<tool_call>\n{body}\n</tool_call> Done!")
    assert [type(item) for item in items] == [Malformed, Said]


@pytest.mark.parametrize(
    "body",
    [
        "[list_add(item=__import__('os').system('x'))]",
        "[list_add('milk')]",
        "[list_add(item='a', item='b')]",
        "[list_add(item='a') list_add(item='b')]",
        "list_add(item='a')",
        "[list_add(item=" + "[" * 500 + "]" * 500 + ")]",
        "[list_add(item='a',,)]",
        "[]",
        "[list_add(item=1e999999)]x",
    ],
    ids=lambda body: body[:40],
)
def test_a_list_that_is_not_exactly_calls_is_malformed(body):
    items = read(CALL_LIST, f"<|tool_call_start|>{body}<|tool_call_end|> Done!")
    assert [type(item) for item in items] == [Malformed, Said]


def test_list_values_are_literals():
    body = "[list_add(item='it\\'s', n=-2.5, on=True, off=false, no=None, l=['a', {'b': 1}])]"
    text = f"<|tool_call_start|>{body}<|tool_call_end|>"
    args = {"item": "it's", "n": -2.5, "on": True, "off": False, "no": None, "l": ["a", {"b": 1}]}
    assert read(CALL_LIST, text) == (RawCall(name="list_add", args=args),)


def test_xml_values_may_stand_in_sections():
    text = '<function name="list_add"><param name="item"><![CDATA[a < b]]]]><![CDATA[> c]]></param></function>'
    assert read(FUNCTION_XML, text) == (RawCall(name="list_add", args={"item": "a < b]]> c"}),)


@pytest.mark.parametrize("value", ["a</param>b", "a<b", "<![CDATA[a]]>b"])
def test_xml_values_with_loose_markup_are_malformed(value):
    items = read(FUNCTION_XML, f'<function name="list_add"><param name="item">{value}</param></function>')
    assert not any(isinstance(item, RawCall | Said) for item in items)


@pytest.mark.parametrize(("family", "value"), [(HERMES, "</tool_call>"), (TAGGED, "</tool_call>"), (FENCED, "```")])
def test_a_closing_marker_inside_a_value_does_not_end_the_call(family, value):
    call = RawCall(name="list_add", args={"item": f"say {value} twice {value}"})
    assert read(family, write_calls(family, [call])) == (call,)


def test_loose_spacing_is_read():
    assert read(HERMES, '<tool_call>{ "arguments":{"item":"milk"},\n"name" : "list_add"}</tool_call>') == (CALL,)
    tagged = "<tool_call><function=list_add><parameter=item>milk</parameter></function></tool_call>"
    assert read(TAGGED, tagged) == (CALL,)


def test_raw_values_become_what_their_schema_says():
    text = write_calls(TAGGED, [RawCall(name="light_on", args={"target": "Hall lamp", "brightness": 40})])
    assert read(TAGGED, text, tools=(LIGHT, LIST, STOP))[0].args == {"target": "Hall lamp", "brightness": 40}
    assert read(TAGGED, text)[0].args == {"target": "Hall lamp", "brightness": "40"}


@pytest.mark.parametrize(
    "text",
    [
        '```json\n{"name": "list_add", "arguments": {"item": "milk"}}\n```',
        '{"name": "list_add", "arguments": {"item": "milk"}}',
        'Sure: {"function": "list_add"}',
        "</tool_call>",
        "on it <tool_c",
        "<|im_start|>assistant",
        "<tools>",
    ],
)
def test_what_looks_like_a_call_is_never_spoken(text):
    assert not any(isinstance(item, RawCall | Said) for item in read(HERMES, text))


@pytest.mark.parametrize("text", ["It is 20 °C, 3 < 4, and {so} on.", "Use [the] list: a, b.", "2 > 1"])
def test_honest_text_is_spoken(family, text):
    assert read(family, text) == (Said(text=text),)
