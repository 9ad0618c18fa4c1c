"""`botpsy explain` tells in plain lines what each room made of an utterance."""

import json

import pytest

from botpsy_core.__main__ import main


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "turn off everything upstairs except the hall",
            ["a command: off", "everything in Upstairs except Hall", "turn_off: target = Bedroom Light", "let through"],
        ),
        ("turn on the disco ball", ['there is no "disco ball" here', "chosen    nothing", "stopped: absent device"]),
        ("unlock the front door", ["by its name, 100 %", "asks first (needs pin), as security"]),
        ("dim the kitchen light to 30 percent at sunset", ["not for now", "percent: 30", "stopped: not a command"]),
        ("is the kitchen light on", ["a question: on", "get_state", "the model was not asked"]),
    ],
)
def test_each_room_says_what_it_made_of_the_words(capsys, text, told):
    assert main(["explain", "--no-model", text]) == 0
    out = capsys.readouterr().out
    assert [part for part in told if part not in out] == []


def test_the_same_can_be_had_as_json(capsys):
    assert main(["explain", "--no-model", "--json", "turn on the kitchen light"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["clauses"][0]["call"]["args"] == {"target": ["light.kitchen"]}
