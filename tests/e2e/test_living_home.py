"""The whole path on real parts: the scenario, then what nobody should send, then the broker's end."""

import json
import os
import signal
import time
from pathlib import Path

import pytest
import requests
from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion
from pytest_socket import enable_socket

from demo.crash import model_processes

pytestmark = [pytest.mark.model, pytest.mark.broker, pytest.mark.timeout(1000)]

KEYS = {"text", "expect", "calls", "verdict", "outcome", "reply", "seconds", "prompt_tokens_evaluated", "ok"}


@pytest.fixture(scope="module")
def user(home):
    enable_socket()
    return home.log_in()


def test_every_line_of_the_scenario_holds(home):
    assert [(row["text"], row["expect"], row["reply"]) for row in home.told if not row["ok"]] == []


def test_the_report_says_of_every_utterance_what_happened(home):
    assert len(home.told) >= 30
    for row in home.told:
        assert set(row) == KEYS
        assert row["verdict"] in {"allow", "ask", "refuse"}
        assert all(set(call) == {"name", "args"} for call in row["calls"])
        assert row["reply"]
        assert row["seconds"] >= 0


def test_what_was_refused_or_asked_made_no_call(home):
    assert [row["text"] for row in home.told if row["verdict"] != "allow" and row["calls"]] == []


def test_home_assistant_has_nothing_to_complain_of(home):
    said = (home.folder / "config" / "home-assistant.out").read_text().splitlines()
    ours = [line for line in said if "botpsy" in line and ("ERROR" in line or "blocking call" in line)]
    assert ours == []


def test_an_empty_utterance_does_nothing_and_is_answered(home, user):
    answer = home.run("   ", user)
    assert answer["status"] in {"refused", "failed"}
    assert answer["calls"] == []
    assert answer["reply"]


def test_ten_thousand_characters_do_nothing_and_are_answered(home, user):
    began = time.monotonic()
    answer = home.run("turn on the kitchen light " * 385, user)
    assert answer["calls"] == []
    assert answer["reply"]
    assert time.monotonic() - began < 10


def test_a_request_that_is_not_json_is_turned_away_and_the_next_one_served(home, user):
    port = broker_port(home)
    heard = []
    client = Client(CallbackAPIVersion.VERSION2)
    client.on_message = lambda _c, _u, message: heard.append(json.loads(message.payload))
    client.connect("127.0.0.1", port)
    client.subscribe("botpsy/response/demo/#", qos=1)
    client.loop_start()
    time.sleep(0.5)
    client.publish("botpsy/request/demo", "turn on everything {", qos=1)
    client.publish("botpsy/request/demo", json.dumps({"id": "after", "text": "Order a pizza"}), qos=1)
    deadline = time.monotonic() + 60
    while not any(answer.get("id") == "after" for answer in heard) and time.monotonic() < deadline:
        time.sleep(0.1)
    client.disconnect()
    client.loop_stop()
    (served,) = [answer for answer in heard if answer.get("id") == "after"]
    assert served["status"] == "refused"
    assert not any(answer.get("calls") for answer in heard)


@pytest.mark.parametrize(
    "content", [b"PK\x03\x04 no model at all", b"GGUF\x03\x00\x00\x00"], ids=["no-gguf", "cut-off"]
)
def test_a_file_that_is_no_model_is_named_in_the_form(home, user, tmp_path, content):
    path = tmp_path / "model.gguf"
    path.write_bytes(content)
    told = add_file(home, user, path)
    assert told["errors"] == {"path": "model_file_invalid"}
    assert told["description_placeholders"]["error"]


def test_half_of_a_real_model_is_no_model(home, user, model, tmp_path):
    path = tmp_path / "half.gguf"
    with model.open("rb") as whole, path.open("wb") as half:
        half.write(whole.read(model.stat().st_size // 2))
    assert add_file(home, user, path)["errors"] == {"path": "model_file_invalid"}


def test_home_assistant_never_loads_the_model_library(home):
    running = home.children()["homeassistant"]
    (worker,) = model_processes(running)
    assert "libllama" in Path(f"/proc/{worker}/maps").read_text()
    assert "libllama" not in Path(f"/proc/{running}/maps").read_text()


def test_a_killed_model_comes_back(home, user):
    children = home.children()
    for pid in model_processes(children["homeassistant"]):
        os.kill(pid, signal.SIGKILL)
    first = home.run("I would like some coffee now", user)["status"]
    assert first in {"done", "failed"}
    assert home.run("I would like some coffee now", user)["status"] == "done"
    assert requests.get(f"{home.url}/api/", headers=user, timeout=10).status_code == 200


def test_without_its_broker_the_home_says_so_and_stays_up(home, user):
    os.kill(home.children()["mosquitto"], signal.SIGTERM)
    time.sleep(2)
    answer = home.run("Preheat the car", user)
    assert answer["status"] in {"refused", "failed", "unconfirmed"}
    assert answer["reply"]
    assert not any(call["outcome"] == "done" for call in answer["calls"])
    assert requests.get(f"{home.url}/api/", headers=user, timeout=10).status_code == 200


def add_file(home, user, path):
    at = "/api/config/config_entries/flow"
    flow = home.post(at, user, handler="botpsy", show_advanced_options=False)
    flow = home.post(f"{at}/{flow['flow_id']}", user, next_step_id="file")
    told = home.post(f"{at}/{flow['flow_id']}", user, path=str(path))
    requests.delete(f"{home.url}{at}/{flow['flow_id']}", headers=user, timeout=30)
    return told


def broker_port(home):
    settings = (home.folder / "mosquitto.conf").read_text()
    return int(settings.split()[1])
