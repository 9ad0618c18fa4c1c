"""What the demo says when it cannot go on, and how it judges."""

import socket
import subprocess
import sys
from pathlib import Path

import pytest

from demo.house import names, write, wrong
from demo.scenario import Line, brightness, gains, holds, light
from demo.talk import Turn

ROOT = Path(__file__).resolve().parents[2]


def demo(*arguments):
    command = [sys.executable, "-m", "demo", "--model", "/nonexistent.gguf", "--once", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)


def test_a_port_in_use_is_one_clear_line():
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        port = busy.getsockname()[1]
        told = demo("--port", str(port))
    assert told.returncode == 1
    assert told.stderr == f"botpsy: port {port} is in use: end what listens there, or choose another with --port\n"


def test_a_folder_that_cannot_be_made_is_one_clear_line():
    told = demo("--folder", "/dev/null/home")
    assert told.returncode == 1
    assert told.stderr.startswith("botpsy: ")
    assert "Traceback" not in told.stderr


def test_a_full_disk_raises_what_the_command_turns_into_a_line():
    with pytest.raises(OSError, match="No space left"):
        write([{"text": "x"}] * 10_000, Path("/dev/full"))


BEFORE = {"light.a": "off", "light.a.brightness": None, "light.b": "off", "todo": ("milk",)}


@pytest.mark.parametrize(
    ("wanted", "changes", "expected"),
    [
        (light("a", "on"), {"light.a": "on", "light.a.brightness": 255}, True),
        (light("a", "on"), {}, False),
        (light("a", "on"), {"light.a": "on", "light.b": "on"}, False),
        ({}, {}, True),
        ({}, {"light.b": "on"}, False),
        ({"light.a.brightness": brightness(40)}, {"light.a.brightness": 102}, True),
        ({"light.a.brightness": brightness(40)}, {"light.a.brightness": 128}, False),
        ({"todo": gains("bread")}, {"todo": ("milk", "Bread")}, True),
        ({"todo": gains("bread")}, {"todo": ("bread",)}, False),
    ],
)
def test_a_line_holds_when_what_was_wanted_is_so_and_nothing_else_changed(wanted, changes, expected):
    assert holds(Line(text="", wanted=wanted), BEFORE, BEFORE | changes) is expected


def test_a_reply_that_claims_success_does_not_make_a_line_hold():
    turn = Turn(reply="Turned on A.", verdict="allow", status="done")
    assert "changed: nothing" in wrong(Line(text="", wanted=light("a", "on")), turn, BEFORE, BEFORE)


@pytest.mark.parametrize(
    ("reply", "value", "expected"),
    [
        ("It is 21.3 °C.", 21.3, True),
        ("It is 20 °C.", 21.3, False),
        ("On the list: milk and bread.", ("milk (needs_action)", "bread (needs_action)"), True),
        ("On the list: milk.", ("milk (needs_action)", "bread (needs_action)"), False),
        ("Nothing is planned.", (), False),
    ],
)
def test_an_answer_names_what_home_assistant_says(reply, value, expected):
    assert names(reply, value) is expected
