import asyncio
import json

import pytest
from bridge_bench import ShiftedClock

from botpsy_core.bridge import InMemoryTransport
from botpsy_core.bridge.request import RequestServer, RequestSettings
from botpsy_core.bridge.request_parse import Answer, Say, UseTool
from botpsy_core.bridge.transport import Message

DONE = {"status": "done", "calls": [], "reason": None, "reply": "Done."}


class Served:
    """A server whose runner writes down what it was asked."""

    def __init__(self, **settings):
        self.clock = ShiftedClock()
        self.transport = InMemoryTransport(self.clock)
        self.asked = []
        self.result = DONE
        self.takes_s = 0.0
        self.retained = []
        settings = {"users": {"anna": "user-1"}, "burst": 50} | settings
        self.server = RequestServer(
            self.transport, self.clock, self.run, RequestSettings(**settings), on_retained=self.retained.append
        )

    async def run(self, request):
        self.asked.append(request)
        await asyncio.sleep(self.takes_s)
        if isinstance(self.result, Exception):
            raise self.result
        return self.result

    def send(self, payload, user="anna"):
        self.transport.say(
            f"botpsy/request/{user}", payload if isinstance(payload, bytes | str) else json.dumps(payload)
        )

    def answers(self):
        return [(t, json.loads(p)) for t, p in self.transport.published if t.startswith("botpsy/response")]

    async def answer_to(self, payload):
        before = len(self.answers())
        self.send(payload)
        for _ in range(200):
            if len(self.answers()) > before:
                break
            await asyncio.sleep(0.01)
        return self.answers()[-1][1]


@pytest.fixture
async def served():
    served = Served()
    await served.server.start()
    yield served
    await served.server.close()


async def test_words_are_run_in_the_name_of_the_topics_user_and_answered_on_their_topic(served):
    answer = await served.answer_to({"id": "1", "text": "lock the car"})
    assert answer == {**DONE, "id": "1"}
    assert served.answers()[0][0] == "botpsy/response/anna"
    assert (served.asked[0].user, served.asked[0].ask) == ("user-1", Say(text="lock the car"))


@pytest.mark.parametrize(
    ("payload", "ask"),
    [
        ({"tool": "car_lock"}, UseTool(tool="car_lock")),
        ({"tool": "turn_on", "args": {"target": ["light.a"]}}, UseTool(tool="turn_on", args={"target": ["light.a"]})),
        ({"answer": True, "to": "0"}, Answer(accept=True, to="0")),
        ({"answer": "no"}, Answer(accept=False)),
        ({"answer": "4711", "to": "q1"}, Answer(accept=None, pin="4711", to="q1")),
    ],
)
async def test_tools_and_answers_are_told_apart(served, payload, ask):
    await served.answer_to({"id": "1", **payload})
    assert served.asked[0].ask == ask


@pytest.mark.parametrize(
    ("payload", "reason"),
    [
        (b"turn on the light", "malformed"),
        (b"\xff\xfe", "malformed"),
        (b"", "malformed"),
        (b"[1]", "malformed"),
        (b'{"id": "1", "text": NaN}', "malformed"),
        (b"[" * 5000, "malformed"),
        (b'{"id": "1", "text": "a", "text": "b"}', "malformed"),
        ({"text": "no id"}, "malformed"),
        ({"id": 7, "text": "a"}, "malformed"),
        ({"id": "a/b#", "text": "a"}, "malformed"),
        ({"id": "1"}, "malformed"),
        ({"id": "1", "text": ""}, "malformed"),
        ({"id": "1", "text": "a" * 2001}, "malformed"),
        ({"id": "1", "text": "a\x00b"}, "malformed"),
        ({"id": "1", "text": "a", "tool": "b"}, "malformed"),
        ({"id": "1", "text": "a", "user": "root"}, "malformed"),
        ({"id": "1", "text": "a", "reply_to": "home/lock/set"}, "malformed"),
        ({"id": "1", "tool": "x", "args": [1]}, "malformed"),
        ({"id": "1", "answer": "maybe"}, "malformed"),
        ({"id": "1", "text": "a", "deadline": "tomorrow"}, "malformed"),
        ({"id": "1", "text": "a", "deadline": "2026-11-30T12:00:00"}, "malformed"),
        ({"id": "1", "text": "a", "deadline": 1}, "expired"),
        ({"id": "1", "text": "a", "deadline": "2026-11-30T11:59:59+00:00"}, "expired"),
        (json.dumps({"id": "1", "text": "a" * 20000}), "too_large"),
    ],
)
async def test_what_is_no_request_gets_a_structured_answer_and_no_turn(served, payload, reason):
    answer = await served.answer_to(payload)
    assert (answer["status"], answer["reason"], answer["calls"]) == ("refused", reason, [])
    assert served.asked == []


async def test_a_deadline_bounds_the_turn(served):
    await served.answer_to({"id": "1", "text": "a", "deadline": "2026-11-30T12:00:10+00:00"})
    assert 9 < served.asked[0].deadline_s <= 10


async def test_a_doubled_request_is_answered_from_memory(served):
    first = await served.answer_to({"id": "1", "text": "a"})
    assert await served.answer_to({"id": "1", "text": "a"}) == first
    assert len(served.asked) == 1
    assert len(served.answers()) == 2


async def test_a_doubled_request_in_flight_is_not_run_twice(served):
    served.takes_s = 0.05
    served.send({"id": "1", "text": "a"})
    served.send({"id": "1", "text": "a"})
    await asyncio.sleep(0.15)
    assert len(served.asked) == len(served.answers()) == 1


async def test_an_id_that_stands_for_something_else_is_refused(served):
    await served.answer_to({"id": "1", "text": "a"})
    assert (await served.answer_to({"id": "1", "text": "b"}))["reason"] == "reused_id"
    assert len(served.asked) == 1


async def test_a_retained_request_is_ignored_and_reported(served):
    served.transport.snapshot("botpsy/request/anna", json.dumps({"id": "1", "text": "unlock the car"}))
    await asyncio.sleep(0.02)
    assert served.asked == served.answers() == []
    assert served.retained == ["botpsy/request/anna"]


async def test_only_enabled_users_are_listened_to(served):
    served.send({"id": "1", "text": "a"}, user="mallory")
    await asyncio.sleep(0.02)
    assert served.asked == served.answers() == []


async def test_with_no_user_enabled_nothing_is_subscribed():
    served = Served(users={})
    await served.server.start()
    assert served.transport._subscriptions == []


@pytest.mark.parametrize("topic", ["home/lock/set", "botpsy/response/ben", "botpsy/response/annabel", "a/#", "$SYS/x"])
async def test_a_response_topic_outside_the_users_own_is_refused(served, topic):
    message = Message(
        topic="botpsy/request/anna",
        payload=b'{"id": "1", "text": "a"}',
        retain=False,
        received=served.clock.monotonic(),
        response_topic=topic,
    )
    served.server._receive(message)
    await asyncio.sleep(0.02)
    assert served.asked == []
    assert [t for t, _ in served.answers()] == ["botpsy/response/anna"]


async def test_too_many_requests_are_told_so_and_a_flood_is_dropped():
    served = Served(burst=3)
    await served.server.start()
    for number in range(1000):
        served.send({"id": str(number), "text": "a"})
    await asyncio.sleep(0.1)
    assert len(served.asked) == 3
    assert [a["reason"] for _, a in served.answers()].count("rate_limited") == len(served.answers()) - 3
    assert len(served.answers()) <= 21
    assert served.server.counts.dropped >= 979
    await served.server.close()


async def test_a_runner_that_breaks_is_answered_as_failed(served):
    served.result = RuntimeError("boom")
    answer = await served.answer_to({"id": "1", "text": "a"})
    assert (answer["status"], answer["reason"]) == ("failed", "failed")
    served.result = DONE
    assert (await served.answer_to({"id": "2", "text": "a"}))["status"] == "done"


async def test_a_turn_that_overruns_its_deadline_is_unconfirmed_and_not_torn_off(served, monkeypatch):
    monkeypatch.setattr("botpsy_core.bridge.request._GRACE_S", 0.05)
    served.takes_s = 0.3
    until = served.clock.now().timestamp() + 0.1
    served.send({"id": "1", "text": "a", "deadline": until})
    await asyncio.sleep(0.25)
    assert served.answers()[-1][1]["status"] == "unconfirmed"
    await asyncio.sleep(0.2)


async def test_a_request_that_no_bridge_could_claim_is_told_so_and_may_be_asked_again(monkeypatch):
    monkeypatch.setattr("botpsy_core.bridge.claims._WAIT_S", 0.05)
    served = Served(group="bots")
    await served.server.start()
    served.transport._subscriptions = [s for s in served.transport._subscriptions if "claim" not in s[0].pattern]
    answer = await served.answer_to({"id": "1", "text": "a"})
    assert (answer["status"], answer["reason"]) == ("refused", "failed")
    assert served.asked == []
    assert (await served.answer_to({"id": "1", "text": "a"}))["reason"] == "failed"
    await served.server.close()
