import pytest
from language_samples import NAMES

from botpsy_core.dialect import Parser
from botpsy_core.dialect.families import HERMES
from botpsy_core.domain.decisions import Malformed, RawCall, Said, Thought

CALL = RawCall(name="list_add", args={"item": "milk"})


def read(text):
    parser = Parser(HERMES, NAMES, lenient=True)
    return (*parser.feed(text), *parser.finish())


@pytest.mark.parametrize(
    "text",
    [
        '```json\n{"name": "list_add", "arguments": {"item": "milk"}}\n```',
        '{"name": "list_add", "parameters": {"item": "milk"}}',
        '[{"name": "list_add", "arguments": {"item": "milk"}}]',
        '{"function": {"name": "list_add", "arguments": "{\\"item\\": \\"milk\\"}"}}',
        '{"tool_calls": [{"function": {"name": "list_add", "arguments": {"item": "milk"}}}]}',
        '<tool_call>\n{"tool": "list_add", "args": {"item": "milk"}}\n</tool_call>',
        '<tool_call>\n{"name": "list_add", "arguments": {"item": "milk"}}',
        '<tool_call>\n{"name": "list_add", "arguments": {"item": "milk"}}\n</tool_call>',
    ],
)
def test_a_call_in_any_dress_is_taken_when_asked_to(text):
    assert read(text) == (CALL,)


def test_speech_around_a_fenced_call_is_kept():
    text = 'I will do it:\n```json\n{"name": "stop-all", "arguments": {}}\n```\nDone.'
    assert read(text) == (RawCall(name="stop-all"), Said(text="I will do it:\nDone."))


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "list_add", "description": "Put an item on a list.", "parameters": {}}',
        '{"name": "unlock", "arguments": {}}',
        '```json\n{"name": "list_add", "arguments": {"item": \n```',
        '{"name": "list_add", "arguments": "milk"}',
        '[{"name": "list_add", "arguments": {}}, {"name": "unlock", "arguments": {}}]',
    ],
)
def test_attempts_that_are_no_calls_stay_malformed(text):
    assert [type(item) for item in read(text)] == [Malformed]


def test_plain_text_and_plain_data_are_speech():
    assert read("I cannot order a pizza.") == (Said(text="I cannot order a pizza."),)
    assert read('The answer is {"a": 1}.') == (Said(text='The answer is {"a": 1}.'),)


def test_thoughts_hold_no_calls_here_either():
    text = '<think>{"name": "stop-all", "arguments": {}}</think>'
    assert read(text) == (Thought(text='{"name": "stop-all", "arguments": {}}'),)
