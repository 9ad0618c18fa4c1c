"""Sums: what a public suite's arithmetic functions answer."""

import math
import statistics
from collections.abc import Callable, Mapping
from typing import Any

type Result = Mapping[str, Any]

_UNITS: Mapping[tuple[str, str], Callable[[float], float]] = {
    ("km", "miles"): lambda v: v * 0.621371,
    ("miles", "km"): lambda v: v / 0.621371,
    ("kg", "lb"): lambda v: v * 2.20462,
    ("lb", "kg"): lambda v: v / 2.20462,
    ("celsius", "fahrenheit"): lambda v: v * 9 / 5 + 32,
    ("fahrenheit", "celsius"): lambda v: (v - 32) * 5 / 9,
    ("cm", "in"): lambda v: v / 2.54,
    ("in", "cm"): lambda v: v * 2.54,
    ("m", "ft"): lambda v: v * 3.28084,
    ("ft", "m"): lambda v: v / 3.28084,
}
_PREFIXES: Mapping[str, float] = {"k": 1e3, "c": 1e-2, "m": 1e-3, "u": 1e-6, "n": 1e-9}


class SumProgram:
    """Answers sums; what a case gives it to start with is not needed."""

    def __init__(self, first: Mapping[str, Any]) -> None:
        """Take the first state, of which nothing is kept."""
        del first

    def functions(self) -> Mapping[str, Callable[..., Result]]:
        """Return the functions by name."""
        return {
            "add": lambda a, b: {"result": a + b},
            "subtract": lambda a, b: {"result": a - b},
            "multiply": lambda a, b: {"result": a * b},
            "divide": lambda a, b: {"result": a / b},
            "power": lambda base, exponent: {"result": base**exponent},
            "percentage": lambda part, whole: {"result": part / whole * 100},
            "absolute_value": lambda number: {"result": abs(number)},
            "square_root": lambda number, precision: {"result": round(math.sqrt(number), precision)},
            "logarithm": lambda value, base, precision: {"result": round(math.log(value, base), precision)},
            "round_number": lambda number, decimal_places=0: {"result": round(number, decimal_places)},
            "mean": lambda numbers: {"result": statistics.fmean(numbers)},
            "standard_deviation": lambda numbers: {"result": statistics.pstdev(numbers)},
            "sum_values": lambda numbers: {"result": sum(numbers)},
            "max_value": lambda numbers: {"result": max(numbers)},
            "min_value": lambda numbers: {"result": min(numbers)},
            "imperial_si_conversion": _converted,
            "si_unit_conversion": _scaled,
        }


def _converted(value: float, unit_in: str, unit_out: str) -> Result:
    convert = _UNITS.get((unit_in.lower(), unit_out.lower()))
    return {"error": "these units are not known"} if convert is None else {"result": convert(value)}


def _scaled(value: float, unit_in: str, unit_out: str) -> Result:
    return {"result": value * _factor(unit_in) / _factor(unit_out)}


def _factor(unit: str) -> float:
    return _PREFIXES.get(unit[0], 1.0) if len(unit) > 1 else 1.0
