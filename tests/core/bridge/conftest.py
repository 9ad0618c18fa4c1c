"""What the bridge's tests share; makes the modules beside it importable."""

import sys
from pathlib import Path

import pytest

from botpsy_core.bridge import InMemoryTransport, ProfileToolbox

sys.path.insert(0, str(Path(__file__).parent))

from bridge_bench import Car, ShiftedClock, car_device


@pytest.fixture(autouse=True)
def loopback_for_brokers(request):
    """The Home Assistant test plugin forbids sockets; a broker's tests need loopback."""
    if request.node.get_closest_marker("broker"):
        request.getfixturevalue("socket_enabled")


@pytest.fixture
def clock():
    return ShiftedClock()


@pytest.fixture
def transport(clock):
    return InMemoryTransport(clock)


@pytest.fixture
async def toolbox(transport, clock):
    toolbox = ProfileToolbox([car_device()], transport, clock)
    await toolbox.start()
    yield toolbox
    await toolbox.close()


@pytest.fixture
async def car(transport, toolbox):
    car = Car(transport)
    car.come_online()
    return car
