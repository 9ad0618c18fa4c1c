"""A model is measured on dry sentences: its numbers mean what they say afterwards, and too few calls change nothing."""

import json
import random

import pytest

from botpsy_core.errors import ConfigurationInvalid
from botpsy_core.evaluate.calibrate import FEWEST, calibration_of, keep, read_tilts, table_of
from botpsy_core.evaluate.fitting import (
    Example,
    calibration_error,
    curve,
    fit,
    fit_tilt,
    left_out,
    log_odds,
    logistic,
    noise_floor,
)
from botpsy_core.safety import Tilt


def boasting(n=400, seed=1):
    """Calls of a model that is far too sure of itself: its log odds are twice what they should be, and two too many."""
    chance = random.Random(seed)
    true_odds = [chance.gauss(0, 2) for _ in range(n)]
    return [(2 * odds + 2, chance.random() < logistic(odds)) for odds in true_odds]


def test_a_tilt_takes_the_boasting_out():
    points = boasting()
    tilt = fit_tilt(points)
    plain = calibration_error((logistic(odds), right) for odds, right in points)
    read = calibration_error((logistic(tilt.slope * odds + tilt.shift), right) for odds, right in boasting(seed=2))
    assert tilt.slope == pytest.approx(0.5, abs=0.12)
    assert read < 0.06 < plain


def test_few_calls_leave_the_caution_as_it_is():
    assert calibration_of("m", boasting()[: FEWEST - 1]).tilt is None
    assert calibration_of("m", [(1.0, True)] * 50).tilt is None
    assert "too few" in table_of(calibration_of("m", []))


def test_what_was_found_is_kept_beside_what_is_known(tmp_path):
    file = tmp_path / "calibration.json"
    first, second = calibration_of("a", boasting()), calibration_of("b", [])
    for found in (first, second):
        keep(file, found)
    assert read_tilts(file) == {"a": first.tilt}
    assert set(json.loads(file.read_text())) == {"a", "b"}
    assert read_tilts(tmp_path / "none.json") == {}
    file.write_text("[1]")
    with pytest.raises(ConfigurationInvalid):
        read_tilts(file)


def test_a_higher_threshold_lets_out_less_and_stops_more():
    points = curve([(logistic(odds), right) for odds, right in boasting()], (0.2, 0.5, 0.8))
    assert [p.wrong for p in points] == sorted((p.wrong for p in points), reverse=True)
    assert [p.lost for p in points] == sorted(p.lost for p in points)


def test_weights_follow_what_tells_right_from_wrong_and_leave_the_rest():
    chance = random.Random(3)
    examples = [
        Example(signals={"tells": right + chance.gauss(0, 0.3), "noise": chance.gauss(0, 1)}, right=right, source=s)
        for s in ("a", "b", "c")
        for right in (True, False) * 20
    ]
    weights = fit(examples, {"bias": 0.0, "tells": 0.0, "noise": 0.0})
    assert weights["tells"] > 3 * abs(weights["noise"])
    unseen = left_out(examples, {"bias": 0.0, "tells": 0.0, "noise": 0.0})
    assert sum((p > 0.5) is right for p, right in unseen) > 0.85 * len(unseen)


def test_what_is_fitted_unbalanced_can_be_read_as_a_probability():
    examples = [Example(signals={}, right=n < 20, source="a") for n in range(100)]
    assert logistic(fit(examples, {"bias": 0.0}, ridge=0.002, balanced=False)["bias"]) == pytest.approx(0.2, abs=0.02)
    assert logistic(fit(examples, {"bias": 0.0}, ridge=0.002)["bias"]) == pytest.approx(0.5, abs=0.02)


def test_exact_probabilities_show_an_error_by_chance_that_many_cases_take_away():
    chance = random.Random(5)
    few = [(chance.random(), True) for _ in range(50)]
    many = [(chance.random(), True) for _ in range(5000)]
    mean, most = noise_floor(few, draws=20)
    assert 0.05 < mean < most
    assert noise_floor(many, draws=20)[0] < 0.02


@pytest.mark.parametrize("probability", [0.0, 0.1, 0.5, 0.99, 1.0])
def test_odds_and_probability_are_one(probability):
    assert logistic(log_odds(probability)) == pytest.approx(probability, abs=1e-6)


def test_an_empty_set_has_no_error():
    assert calibration_error([]) == 0.0
    assert fit_tilt([]) == Tilt()
