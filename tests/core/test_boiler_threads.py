"""The number of threads follows how long decodes really take."""

import math

import pytest

from botpsy_core.engine.threads import EXPONENT, Governor, fastest, levels


class Machine:
    """A clock and a processor with a neighbour that comes and goes."""

    def __init__(self):
        self.now = 0.0
        self.busy = False

    def seconds(self, threads, rows):
        slow = threads > 1 and self.busy
        base = 0.03 / min(threads, 2) if not slow else 0.3
        return base * rows**EXPONENT

    def run(self, governor, count, rows=1):
        for _ in range(count):
            spent = self.seconds(governor.threads, rows)
            self.now += spent
            governor.observe(rows, spent)


@pytest.fixture
def machine():
    return Machine()


@pytest.fixture
def governor(machine):
    return Governor((2, 1), clock=lambda: machine.now)


def test_one_slow_decode_is_enough_to_give_way(machine, governor):
    machine.run(governor, 10)
    machine.busy = True
    machine.run(governor, 1)
    assert governor.threads == 1


def test_it_comes_back_when_the_neighbour_has_gone(machine, governor):
    machine.run(governor, 10)
    machine.busy = True
    machine.run(governor, 50)
    machine.busy = False
    machine.run(governor, 2000)
    assert governor.threads == 2


def test_a_neighbour_that_stays_is_asked_ever_more_rarely(machine, governor):
    machine.run(governor, 10)
    machine.busy = True
    tries = 0
    while machine.now < 300:
        machine.run(governor, 1)
        tries += governor.threads == 2
    assert tries < 12


def test_a_longer_batch_is_no_slow_decode(machine, governor):
    for rows in (1, 2, 4, 8, 16, 64, 128) * 10:
        machine.run(governor, 1, rows)
        assert governor.threads == 2


def test_one_thread_stays_one(machine):
    governor = Governor((1,), clock=lambda: machine.now)
    for spent in (0.01, 0.5, 0.01, 5.0):
        assert governor.observe(1, spent) == 1


@pytest.mark.parametrize(
    ("limit", "expected"), [(1, (1,)), (2, (2, 1)), (4, (4, 2, 1)), (6, (6, 3, 1)), (8, (8, 4, 2, 1))]
)
def test_the_levels_halve(limit, expected):
    assert levels(limit) == expected


def test_without_a_limit_the_machine_sets_it():
    assert levels(None)[-1] == 1


def test_the_fastest_is_measured():
    times = {4: 3.0, 2: 1.0, 1: 2.0}
    assert fastest((4, 2, 1), lambda threads, _: times[threads]) == 2


def test_threads_that_wait_for_each_other_are_given_up_early():
    spent = []

    def run(threads, limit_s):
        seconds = {2: 100.0, 1: 2.0}[threads]
        spent.append(min(seconds, limit_s))
        return seconds if seconds <= limit_s else math.inf

    assert fastest((2, 1), run) == 1
    assert sum(spent) <= 8.0
