"""The bench's homes, figures and picture; the measuring itself needs a real model and an hour."""

import pytest

from botpsy_core.domain.engine import Finished
from botpsy_core.evaluate.bench.dialogue import Cost
from botpsy_core.evaluate.bench.figures import decodes, fresh, loop, size_ratio, wall
from botpsy_core.evaluate.bench.homes import COMMANDS, SIZES, home_of, later, listing, overview
from botpsy_core.evaluate.bench.plot import plot
from botpsy_core.evaluate.bench.rows import Row, percentile, table


def cost(text, *, seconds=1.0, words=6, evaluated=35, steps=3, written=30):
    finished = Finished(
        prompt_tokens=800,
        prompt_tokens_evaluated=evaluated,
        generated_tokens=written,
        decode_steps=steps,
        seconds=seconds,
        reason="grammar",
        compute_seconds=seconds / 2,
    )
    return Cost(text=text, seconds=seconds, words=words, generations=[finished])


@pytest.mark.parametrize("size", SIZES)
def test_a_home_has_its_size_and_what_the_commands_speak_of(size):
    home = home_of(size)
    assert len(home.entities) == size
    assert len({e.id for e in home.entities}) == size
    assert {"light.kitchen", "media_player.speaker", "climate.thermostat"} <= {e.id for e in home.entities}
    assert all(home.area(e.area_id) for e in home.entities if e.area_id)


def test_sensors_move_between_two_commands():
    home = home_of(100)
    moved = later(home, 1)
    changed = [a.id for a, b in zip(home.entities, moved.entities, strict=True) if a != b]
    assert changed
    assert all(id_.startswith("sensor.") for id_ in changed)
    assert listing(home) != listing(moved)
    assert overview(home) == overview(moved)


def test_the_figures_follow_from_the_costs():
    dialogues = {
        size: [[cost(text, seconds=1.0 + size / 10_000) for text in COMMANDS] for _ in range(3)] for size in SIZES
    }
    assert fresh(dialogues).value == pytest.approx(0.5)
    assert size_ratio(dialogues).value == pytest.approx(1.1 / 1.001)
    asked = [one for rounds in dialogues.values() for costs in rounds for one in costs]
    assert wall(asked).value == pytest.approx(2.0)
    assert not wall(asked).holds
    assert decodes(asked).value == pytest.approx(0.1)


def test_the_loop_may_lag_twice_as_much_as_an_idle_one_on_a_noisy_machine():
    assert loop([1.0] * 100, [20.0] * 100).holds
    assert not loop([1.0] * 100, [30.0] * 100).holds
    assert loop([20.0] * 100, [30.0] * 100).holds


def test_percentiles_are_values_that_were_measured():
    values = [float(n) for n in range(100)]
    assert percentile(values, 0.95) == 95.0
    assert percentile([3.0], 0.99) == 3.0


def test_what_was_not_measured_does_not_hold():
    rows = [
        Row(key="one", what="x", value=0.5, bar=1.0),
        Row(key="two", what="x", value=0.5, bar=1.0, at_least=True),
        Row(key="three", what="x", value=None, bar=1.0),
    ]
    assert [row.holds for row in rows] == [True, False, False]
    assert "NO" in table(rows)
    picture = plot(rows)
    assert picture.startswith("<svg")
    assert all(row.key in picture for row in rows)
