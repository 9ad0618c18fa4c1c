import pytest
from bridge_bench import ShiftedClock, context, run
from simulators import SIMULATORS, Simulator

from botpsy_core.bridge import InMemoryTransport, ProfileToolbox, shipped_profiles
from botpsy_core.bridge.template import Filling
from botpsy_core.domain.tools import Outcome, Risk, ToolCall

EACH = pytest.mark.parametrize("simulator", SIMULATORS, ids=[s.profile for s in SIMULATORS])
FAILING = [s for s in SIMULATORS if s.fails is not None]


async def started(simulator: Simulator, how: str) -> tuple[ProfileToolbox, ShiftedClock, InMemoryTransport]:
    clock = ShiftedClock()
    transport = InMemoryTransport(clock)
    toolbox = ProfileToolbox([simulator.device()], transport, clock)
    await toolbox.start()
    simulator.attach(transport, how=how)
    return toolbox, clock, transport


def test_every_shipped_profile_has_a_simulator():
    assert sorted(s.profile for s in SIMULATORS) == sorted(shipped_profiles())


@EACH
def test_every_command_of_a_profile_is_tried(simulator):
    assert simulator.acts.keys() == shipped_profiles()[simulator.profile].commands.keys()


@EACH
def test_a_profile_has_at_least_two_commands_or_is_read_only(simulator):
    assert len(simulator.acts) >= 2 or simulator.profile == "teslamate"


@EACH
async def test_each_command_reaches_its_end(simulator):
    toolbox, clock, _ = await started(simulator, "reacts")
    for name, args in simulator.acts.items():
        result = await run(toolbox, f"thing_{name}", 2, **args)
        verified = shipped_profiles()[simulator.profile].commands[name].verify is not None
        assert result.outcome is (Outcome.DONE if verified else Outcome.ACCEPTED), (name, result)
        clock.shift(61)


@EACH
async def test_a_silent_device_is_never_done(simulator):
    toolbox, clock, transport = await started(simulator, "silent")
    for name, args in simulator.acts.items():
        for topic, payload in simulator.states.items():
            transport.say(topic, payload)
        assert (await run(toolbox, f"thing_{name}", 0.05, **args)).outcome in (Outcome.UNCONFIRMED, Outcome.ALREADY_SO)
        clock.shift(61)


@pytest.mark.parametrize("simulator", FAILING, ids=[s.profile for s in FAILING])
async def test_a_failure_told_in_the_devices_way_is_a_refusal(simulator):
    toolbox, _, _ = await started(simulator, "fails")
    name, args = next(iter(simulator.acts.items()))
    assert (await run(toolbox, f"thing_{name}", 2, **args)).outcome is Outcome.REFUSED_BY_DEVICE


@EACH
async def test_nothing_is_sent_to_a_device_that_was_never_seen(simulator):
    clock = ShiftedClock()
    transport = InMemoryTransport(clock)
    toolbox = ProfileToolbox([simulator.device()], transport, clock)
    await toolbox.start()
    for name, args in simulator.acts.items():
        result = await run(toolbox, f"thing_{name}", 0.05, **args)
        assert (result.outcome, result.data["reason"]) == (Outcome.NOT_SENT, "unavailable")
    assert transport.published == []


@EACH
async def test_security_and_hazard_wait_for_the_owner_and_for_a_person(simulator):
    clock = ShiftedClock()
    toolbox = ProfileToolbox([simulator.device(enabled=frozenset())], InMemoryTransport(clock), clock)
    for spec in toolbox.specs():
        readiness = await toolbox.check(
            ToolCall(id="1", name=spec.name, args=_some_args(simulator, spec.name)), context()
        )
        if spec.risk.rank >= Risk.SECURITY.rank:
            assert not readiness.enabled
            assert readiness.confirm is not None


@EACH
async def test_rubbish_makes_every_signal_unknown(simulator):
    toolbox, _, transport = await started(simulator, "reacts")
    device = toolbox.devices[0]
    for signal in device.signals.values():
        transport.say(signal.topic.text(Filling()), b"\xff\x00 rubbish \n{")
        reading = toolbox.reading("thing", signal.name)
        assert reading.value is None, signal.name


async def test_a_foreign_text_is_stripped_and_marked():
    toolbox, _, _ = await started(next(s for s in SIMULATORS if s.profile == "teslamate"), "reacts")
    place = next(e for e in toolbox.entities() if e.id == "sensor.thing_geofence")
    assert place.state == "Home"
    assert place.attributes["untrusted"] is True
    assert "place" not in toolbox.entities()[0].attributes["parts"]


def _some_args(simulator, tool):
    return simulator.acts[tool.removeprefix("thing_")]
