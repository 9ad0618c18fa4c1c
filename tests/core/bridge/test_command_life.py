import asyncio

import pytest
from bridge_bench import PREFIX, Car, car_device, context, run
from simulators import SIMULATORS

from botpsy_core.bridge import Delivery, InMemoryTransport, ProfileToolbox
from botpsy_core.domain.tools import Outcome, ToolCall


def commands_sent(transport):
    return [payload.decode() for topic, payload in transport.published if "/command/" in topic]


async def test_a_command_that_the_car_acknowledges_and_shows_is_done(toolbox, transport, car):
    result = await run(toolbox, "car_start_climate")
    assert (result.outcome, result.data["reason"]) == (Outcome.DONE, "")
    assert commands_sent(transport) == ["climatecontrol on"]


async def test_a_command_whose_effect_is_not_seen_is_only_accepted(toolbox, car):
    car.frozen = True
    assert (await run(toolbox, "car_start_climate")).outcome is Outcome.ACCEPTED


async def test_an_error_text_is_a_refusal_by_the_device(toolbox, car):
    car.refuses = True
    assert (await run(toolbox, "car_start_climate")).outcome is Outcome.REFUSED_BY_DEVICE


async def test_silence_is_unconfirmed_and_nothing_is_sent_again(toolbox, transport, car):
    car.silent = True
    assert (await run(toolbox, "car_start_climate", 0.3)).outcome is Outcome.UNCONFIRMED
    transport.cut()
    transport.mend()
    await asyncio.sleep(0.05)
    assert commands_sent(transport) == ["climatecontrol on"]


async def test_only_a_set_point_goes_out_a_second_time_and_under_a_new_id(transport, clock):
    toolbox = ProfileToolbox([car_device()], transport, clock)
    await toolbox.start()
    car = Car(transport, silent=True)
    car.come_online()
    car.tell()
    device = toolbox.devices[0]
    timeout_s = device.commands["set_charge_current"].ack.timeout_s
    task = asyncio.create_task(run(toolbox, "car_set_charge_current", 3 * timeout_s, amperes=10))
    await asyncio.sleep(0.1)
    clock.shift(timeout_s + 1)
    car.silent = False
    assert (await asyncio.wait_for(task, 10)).outcome is Outcome.DONE
    first, second = (topic.rpartition("/")[2] for topic, _ in transport.published if "/command/" in topic)
    assert first != second


async def test_a_state_that_holds_already_sends_nothing(toolbox, transport, car):
    assert (await run(toolbox, "car_stop_climate")).outcome is Outcome.ALREADY_SO
    assert commands_sent(transport) == []


async def test_without_a_connection_nothing_is_sent_now_or_later(toolbox, transport, car):
    transport.cut()
    result = await run(toolbox, "car_start_climate")
    assert (result.outcome, result.data["reason"]) == (Outcome.NOT_SENT, "not_connected")
    transport.mend()
    await asyncio.sleep(0.05)
    assert commands_sent(transport) == []


@pytest.mark.parametrize(
    ("delivery", "detail"),
    [(Delivery.NOBODY_LISTENING, "nobody_listening"), (Delivery.NOT_ALLOWED, "not_allowed")],
)
async def test_the_brokers_reason_ends_a_command_as_not_sent(toolbox, transport, car, delivery, detail):
    transport.delivery = delivery
    result = await run(toolbox, "car_start_climate")
    assert (result.outcome, result.data["reason"]) == (Outcome.NOT_SENT, detail)


async def test_a_lost_broker_answer_is_never_done(toolbox, transport, car):
    car.silent = True
    transport.delivery = Delivery.UNKNOWN
    assert (await run(toolbox, "car_start_climate", 0.3)).outcome is Outcome.UNCONFIRMED


async def test_a_doubled_answer_makes_one_result(toolbox, transport, car):
    transport.copies = 3
    assert (await run(toolbox, "car_start_climate")).outcome is Outcome.DONE
    assert car.done == ["climatecontrol on"]


async def test_a_retained_answer_is_no_answer(toolbox, transport, car):
    car.silent = True
    heard = []
    transport.on_publish(lambda topic, _payload: heard.append(topic))
    task = asyncio.create_task(run(toolbox, "car_start_climate", 0.4))
    await asyncio.sleep(0.1)
    command = next(topic for topic in heard if "/command/" in topic)
    transport.snapshot(command.replace("/command/", "/response/"), "Climate Control  on")
    assert (await task).outcome is Outcome.UNCONFIRMED


async def test_an_answer_with_a_foreign_id_is_no_answer(toolbox, transport, car):
    car.silent = True
    task = asyncio.create_task(run(toolbox, "car_start_climate", 0.4))
    await asyncio.sleep(0.1)
    transport.say(f"{PREFIX}/client/botpsytest/response/{'0' * 32}", "Climate Control  on")
    assert (await task).outcome is Outcome.UNCONFIRMED


async def test_a_late_answer_is_never_taken_for_the_next_command(toolbox, transport, car, clock):
    car.silent = True
    await run(toolbox, "car_start_climate", 0.2)
    first = next(topic for topic, _ in transport.published if "/command/" in topic)
    clock.shift(60)
    car.tell()
    task = asyncio.create_task(run(toolbox, "car_stop_climate", 0.4))
    await asyncio.sleep(0.1)
    transport.say(first.replace("/command/", "/response/"), "Climate Control  off")
    assert (await task).outcome is Outcome.UNCONFIRMED
    assert commands_sent(transport) == ["climatecontrol on", "climatecontrol off"]


async def test_a_retained_state_never_fulfils_a_precondition(transport, clock):
    toolbox = ProfileToolbox([car_device()], transport, clock)
    await toolbox.start()
    for name, value in {"s/v3/connected": "yes", "v/p/speed": "0", "v/e/on": "no", "v/e/locked": "yes"}.items():
        transport.snapshot(f"{PREFIX}/metric/{name}", value)
    clock.shift(1)
    toolbox._courier._refresher._fruitless_until["car"] = clock.monotonic() + 60
    readiness = await toolbox.check(ToolCall(id="1", name="car_unlock"), context())
    assert readiness.stale == ("Whether the car is moving is not known.",)
    assert (await run(toolbox, "car_unlock")).data["reason"] == "stale_state"


async def test_a_command_tells_its_question_and_how_long_the_answer_counts(toolbox, car):
    asked = await toolbox.check(ToolCall(id="1", name="car_unlock"), context())
    assert (asked.readback, asked.confirm_ttl_s) == ("Unlock all doors of car?", 30.0)
    unasked = await toolbox.check(ToolCall(id="1", name="car_start_climate"), context())
    assert (unasked.readback, unasked.confirm_ttl_s) == ("", None)


async def test_a_state_that_changes_after_the_question_stops_the_command(toolbox, transport, car):
    call = ToolCall(id="1", name="car_unlock")
    assert (await toolbox.check(call, context())).unmet == ()
    car.metrics["v/p/speed"] = "31"
    car.tell("v/p/speed")
    result = await toolbox.execute(call, context())
    assert (result.outcome, result.data["reason"]) == (Outcome.NOT_SENT, "unsafe_now")
    assert result.data["say"] == "The car is moving."
    assert commands_sent(transport) == []


async def test_what_was_live_before_an_outage_is_not_live_after_it(toolbox, transport, car, clock):
    transport.cut()
    car.silent = True
    transport.mend()
    toolbox._courier._refresher._fruitless_until["car"] = clock.monotonic() + 60
    assert (await run(toolbox, "car_unlock")).data["reason"] == "stale_state"


async def test_stale_values_are_asked_for_and_then_believed(toolbox, transport, car, clock):
    clock.shift(3600)
    assert (await run(toolbox, "car_unlock")).outcome is Outcome.DONE
    assert any(topic.endswith("/request/metric") for topic, _ in transport.published)


async def test_a_command_that_the_owner_did_not_enable_is_not_sent(transport, clock):
    toolbox = ProfileToolbox([car_device(enabled=frozenset())], transport, clock)
    await toolbox.start()
    Car(transport).come_online()
    assert not (await toolbox.check(ToolCall(id="1", name="car_unlock"), context())).enabled
    assert (await run(toolbox, "car_unlock")).data["reason"] == "not_enabled"


async def test_a_second_command_in_the_same_moment_waits_for_nothing_and_is_not_sent(toolbox, car):
    car.silent = True
    first = asyncio.create_task(run(toolbox, "car_start_climate", 0.4))
    await asyncio.sleep(0.05)
    assert (await run(toolbox, "car_lock")).data["reason"] == "busy"
    assert (await first).outcome is Outcome.UNCONFIRMED


async def test_a_command_sent_too_soon_again_says_when(toolbox, car):
    await run(toolbox, "car_start_climate")
    car.metrics["v/e/hvac"] = "no"
    car.tell("v/e/hvac")
    result = await run(toolbox, "car_start_climate")
    assert result.data["reason"] == "unsafe_now"
    assert "again in" in result.data["say"]


async def test_a_secret_is_neither_offered_nor_sent_over_a_connection_that_logs(clock):
    transport = InMemoryTransport(clock, private=False, answers=False)
    toolbox = ProfileToolbox([car_device()], transport, clock)
    await toolbox.start()
    Car(transport).come_online()
    assert {"car_lock", "car_unlock"} <= toolbox.unoffered().keys()
    assert not {"car_lock", "car_unlock"} & {spec.name for spec in toolbox.specs()}
    assert (await run(toolbox, "car_unlock")).outcome is Outcome.NOT_SENT
    assert b"1234" not in b"".join(payload for _, payload in transport.published)


async def test_a_secret_goes_over_the_private_connection_only(clock):
    public = InMemoryTransport(clock, private=False, answers=False)
    private = InMemoryTransport(clock)
    toolbox = ProfileToolbox([car_device()], public, clock, private=private)
    await toolbox.start()
    car = Car(public)
    car.come_online()
    await run(toolbox, "car_unlock", 0.2)
    assert [payload for topic, payload in private.published if "/command/" in topic] == [b"unlock 1234"]
    assert all(b"1234" not in payload for _, payload in public.published)


async def test_no_secret_is_in_a_result_or_in_any_repr(toolbox, car):
    result = await run(toolbox, "car_unlock")
    assert "1234" not in repr(result)
    assert "1234" not in repr(toolbox.devices)


async def test_a_transport_that_breaks_its_word_leaves_the_outcome_open(toolbox, transport, car):
    def explode(topic, _payload):
        if "/command/" in topic:
            raise RuntimeError("boom")

    transport._devices.insert(0, explode)
    assert (await run(toolbox, "car_start_climate")).outcome is Outcome.UNCONFIRMED


async def test_a_command_that_somebody_retained_is_found(clock):
    transport = InMemoryTransport(clock)
    simulator = next(s for s in SIMULATORS if s.profile == "zigbee2mqtt_lock")
    toolbox = ProfileToolbox([simulator.device()], transport, clock)
    await toolbox.start()
    assert await toolbox.retained_commands(wait_s=0) == ()
    transport.snapshot("zigbee2mqtt/front/set", '{"state": "UNLOCK"}')
    assert await toolbox.retained_commands(wait_s=0) == ("zigbee2mqtt/front/set",)
    assert transport.published == []


async def test_why_nothing_was_sent_is_a_sentence(toolbox, transport, car):
    transport.delivery = Delivery.NOBODY_LISTENING
    assert (await run(toolbox, "car_start_climate")).detail == "Nobody listens to it on MQTT."
    transport.cut()
    assert (await run(toolbox, "car_lock")).detail == "There is no connection to the MQTT broker."
