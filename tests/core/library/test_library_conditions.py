"""A condition is met, or not, or not spoken of, by what a result tells."""

import pytest

from botpsy_core.catalog import holds

TYRES = {"frontTirePressure": 35.0, "rearTirePressure": 28.0, "healthy": True}


@pytest.mark.parametrize(
    ("language", "condition", "met"),
    [
        ("en", "If any tire pressure is under 30 PSI", True),
        ("en", "Should any tire fall below the 20 PSI mark", False),
        ("en", "If it falls under 30", True),
        ("en", "If the tire pressure is over 34.5", True),
        ("en", "If the tire pressure is not under 30", None),
        ("en", "If the tire pressure is between 20 and 30", None),
        ("en", "If the tire pressure is 30", None),
        ("de", "Falls der Druck unter 30 liegt", True),
        ("de", "Falls der Druck über 35,5 liegt", False),
        ("fr", "Si la pression est au-dessus de 40", False),
        ("es", "Si la presión es menor que 30", True),
        ("it", "Se la pressione è sotto 30", True),
        ("pt", "Se a pressão estiver abaixo de 30", True),
        ("nl", "Als de druk lager dan 20 is", False),
        ("pl", "Jeśli ciśnienie jest poniżej 30", True),
        ("ru", "Если давление ниже 30", True),
        ("zh", "如果胎压低于30", True),
        ("hi", "अगर दबाव 30 से कम है", True),
    ],
)
def test_a_number_is_compared_with_any_that_was_told(language, condition, met):
    assert holds(condition, TYRES, language) is met


@pytest.mark.parametrize(
    ("condition", "can", "met"),
    [
        ("If it is not sufficient", False, True),
        ("In case it can't", False, True),
        ("In case it can't", True, False),
        ("If it is enough", True, True),
        ("If it is enough", False, False),
    ],
)
def test_the_one_thing_that_is_so_or_not_is_what_a_condition_without_a_number_is_about(condition, can, met):
    assert holds(condition, {"canDrive": can}, "en") is met


@pytest.mark.parametrize("told", [{}, {"a": True, "b": False}, {"shop": "Main Street 1"}])
def test_a_result_that_says_nothing_of_it_leaves_it_open(told):
    assert holds("If it is not enough", told, "en") is None


def test_numbers_of_several_kinds_are_no_it():
    assert holds("If it is under 30", {"speed": 10.0, "height": 40.0}, "en") is None
