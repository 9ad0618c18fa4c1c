"""An export holds what was confirmed and corrected, and nothing that is private."""

import json

from botpsy_core.__main__ import main
from botpsy_core.agent import FileJournal, examples, read_journal
from botpsy_core.catalog import load_tools


def calls_of(chats):
    return [
        (
            c["messages"][0]["content"],
            c["messages"][1]["tool_calls"][0]["function"]["name"],
            json.loads(c["messages"][1]["tool_calls"][0]["function"]["arguments"]),
        )
        for c in chats
    ]


async def said(talk, tmp_path, *lines):
    file = tmp_path / "journal.jsonl"
    journal = FileJournal(file)
    line = talk(journal=journal)
    for each in lines:
        await line.say(each)
    journal.close()
    return file


def exported(file, **more):
    return list(examples(read_journal(file), load_tools(), **more))


async def test_what_a_pin_confirmed_is_an_example(talk, tmp_path):
    file = await said(talk, tmp_path, "unlock the front door", "/pin 1234")
    assert calls_of(exported(file)) == [("unlock the front door", "unlock", {"target": "Front Door"})]


async def test_what_was_only_done_is_one_if_asked_for(talk, tmp_path):
    file = await said(talk, tmp_path, "turn on the bedroom light")
    assert exported(file) == []
    assert calls_of(exported(file, every=True)) == [
        ("turn on the bedroom light", "turn_on", {"target": "Bedroom Light"})
    ]


async def test_an_undone_turn_teaches_what_was_meant_instead(talk, tmp_path):
    file = await said(talk, tmp_path, "turn on the bedroom light", "undo", "turn on the ceiling light")
    assert calls_of(exported(file)) == [("turn on the bedroom light", "turn_on", {"target": "Ceiling Light"})]


async def test_dictated_words_stay_at_home(talk, tmp_path):
    file = await said(talk, tmp_path, "tell the phone that Anna waits outside")
    [chat] = exported(file, every=True)
    assert "Anna" not in json.dumps(chat)
    assert chat["messages"][0]["content"].startswith("tell the phone")


def test_numbers_and_addresses_stay_at_home():
    clause = {
        "text": "turn on the bedroom light, says anna@example.org, call +49 170 1234567",
        "call": {"name": "turn_on", "args": {"target": ["light.bedroom"]}},
        "verdict": {"kind": "allow"},
        "confirmed": True,
    }
    entry = {"kind": "turn", "status": "done", "conversation": "c", "clauses": [clause]}
    [chat] = examples([entry], load_tools())
    content = chat["messages"][0]["content"]
    assert content == "turn on the bedroom light, says [mail], call [number]"
    assert list(examples([{**entry, "secret": True}], load_tools())) == []


async def test_the_command_prints_a_chat_a_line(talk, tmp_path, capsys):
    file = await said(talk, tmp_path, "unlock the front door", "/pin 1234")
    capsys.readouterr()
    assert main(["export", str(file)]) == 0
    [line] = capsys.readouterr().out.splitlines()
    assert json.loads(line)["tools"][0]["function"]["name"] == "unlock"
