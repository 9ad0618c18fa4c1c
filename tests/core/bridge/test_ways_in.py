"""Passwords, TLS with a certificate authority of our own, an ACL, and MQTT 5's own request and response."""

import asyncio
import subprocess

import pytest
from bridge_bench import context
from brokers import Mosquitto
from certificates import authority_and_server

from botpsy_core.bridge import (
    Broker,
    DeviceSettings,
    Filter,
    PahoTransport,
    ProfileToolbox,
    Secret,
    SystemClock,
    Topic,
    bind,
)
from botpsy_core.bridge.profile_file import parse_profile
from botpsy_core.domain.tools import Outcome, ToolCall

pytestmark = pytest.mark.broker


async def attempt(**broker):
    transport = PahoTransport(Broker(host="127.0.0.1", **broker), SystemClock())
    try:
        return await transport.start(wait_s=2), transport.last_error, transport.private
    finally:
        await transport.close()


@pytest.fixture
def passwords(tmp_path):
    path = tmp_path / "passwords"
    subprocess.run(["mosquitto_passwd", "-b", "-c", str(path), "botpsy", "right"], check=True)
    broker = Mosquitto(tmp_path, "allow_anonymous false", f"password_file {path}")
    yield broker
    broker.stop()


async def test_the_right_password_opens_and_a_wrong_one_is_a_clear_error(passwords):
    up, _, _ = await attempt(port=passwords.port, username="botpsy", password=Secret("right"))
    assert up
    up, error, _ = await attempt(port=passwords.port, username="botpsy", password=Secret("wrong"))
    assert (up, error) == (False, "the broker refuses the connection: Not authorized")
    assert "wrong" not in error


@pytest.mark.parametrize(("host", "works"), [("127.0.0.1", True), ("elsewhere.example", False)])
async def test_tls_trusts_a_named_authority_and_checks_the_host(tmp_path, host, works):
    ca, certificate, key = authority_and_server(tmp_path, host=host)
    broker = Mosquitto(tmp_path, "allow_anonymous true", f"certfile {certificate}", f"keyfile {key}")
    try:
        up, error, private = await attempt(port=broker.port, tls=True, ca_file=ca)
        assert (up, private) == (works, True)
        assert works or "certificate verify failed" in error
        up, error, _ = await attempt(port=broker.port, tls=True)
        assert not up
        assert "certificate verify failed" in error
    finally:
        broker.stop()


def test_only_tls_and_loopback_are_private():
    assert Broker(host="127.0.0.1").private
    assert Broker(host="::1").private
    assert Broker(host="localhost").private
    assert Broker(host="broker.example", tls=True).private
    assert not Broker(host="broker.example").private
    assert not Broker(host="192.168.1.5").private
    assert not Broker(host="127.0.0.1.example").private


FIVE = """\
profile_version: 1
id: five
title: A thing that answers by MQTT 5
domain: switch
vars: {}
availability: [{topic: five/status, online: [up]}]
signals:
  power: {title: power, topic: five/power, parse: {kind: text, map: {"1": true, "0": false}, unmapped: unknown},
    type: bool, max_age_s: 60, retained: display_only, llm: value}
commands:
  turn_on:
    description: Turn on {device}.
    polarity: "on"
    risk: comfort
    args: {type: object, additionalProperties: false, properties: {}}
    publish: {topic: five/set, payload: {text: "1", charset: token}, qos: 0, retain: false, expiry_s: 10}
    ack: {kind: response_topic, topic: five/answers, correlate: v5_correlation_data, timeout_s: 2, success: ^ok,
      failure: ^no}
    verify: {signal: power, op: eq, value: true, within_s: 2, require_live: true}
    idempotent: true
    retry: never
    limits: {min_interval_s: 0, per_hour: 100}
"""


@pytest.mark.parametrize(("mine", "outcome"), [(True, Outcome.DONE), (False, Outcome.UNCONFIRMED)])
async def test_an_answer_is_known_by_its_correlation_data(tmp_path, mine, outcome):
    broker = Mosquitto(tmp_path)
    ours = PahoTransport(Broker(host="127.0.0.1", port=broker.port), SystemClock())
    thing = PahoTransport(Broker(host="127.0.0.1", port=broker.port), SystemClock())
    tasks = []

    async def obey(message):
        assert message.response_topic == "five/answers"
        correlation = message.correlation if mine else b"somebody else's"
        await thing.publish(Topic(message.response_topic), b"ok", qos=1, correlation=correlation)
        if mine:
            await thing.publish(Topic("five/power"), b"1")

    try:
        assert await ours.start()
        assert await thing.start()
        await thing.subscribe(Filter("five/set"), lambda m: tasks.append(asyncio.ensure_future(obey(m))))
        device = bind(parse_profile(FIVE), DeviceSettings(profile="five", slug="five", name="five"))
        toolbox = ProfileToolbox([device], ours, SystemClock())
        await toolbox.start()
        await thing.publish(Topic("five/status"), b"up", retain=True)
        await asyncio.sleep(0.3)
        result = await toolbox.execute(ToolCall(id="1", name="five_turn_on"), context(1.0))
        assert result.outcome is outcome
    finally:
        await ours.close()
        await thing.close()
        broker.stop()


async def test_a_subscription_that_the_acl_denies_leaves_the_others_working(tmp_path):
    acl = tmp_path / "acl"
    acl.write_text("topic read open/#\ntopic write open/#\n")
    broker = Mosquitto(tmp_path, "allow_anonymous true", f"acl_file {acl}")
    transport = PahoTransport(Broker(host="127.0.0.1", port=broker.port), SystemClock())
    heard = []
    try:
        assert await transport.start()
        await transport.subscribe(Filter("closed/x"), heard.append)
        await transport.subscribe(Filter("open/x"), heard.append)
        await transport.publish(Topic("open/x"), b"1", qos=1)
        await asyncio.sleep(0.2)
        assert [m.topic for m in heard] == ["open/x"]
    finally:
        await transport.close()
        broker.stop()
