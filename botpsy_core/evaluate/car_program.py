"""A car in memory: engine, doors, brakes, tank, climate, tyres, and a few towns to drive between."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from botpsy_core.domain.values import JsonValue

type Result = Mapping[str, Any]
type _Function = Callable[..., Result]

_TANK = 50.0
"""Gallons."""
_MILES_A_GALLON = 20.0
_FULL_BRAKE = 1000.0
"""Newtons."""
_DOORS = ("driver", "passenger", "rear_left", "rear_right")
_TYRES = ("frontLeftTirePressure", "frontRightTirePressure", "rearLeftTirePressure", "rearRightTirePressure")
_TOWNS: Mapping[str, str] = {
    "San Francisco": "94016",
    "Rivermist": "83214",
    "Stonebrook": "74532",
    "Silverpine": "62947",
}
_UNKNOWN_TOWN = "00000"
_MILES: Mapping[frozenset[str], float] = {
    frozenset({"94016", "83214"}): 980.0,
    frozenset({"94016", "74532"}): 880.0,
    frozenset({"94016", "62947"}): 780.0,
    frozenset({"83214", "74532"}): 750.0,
}
_WORKSHOP = "456 Oakwood Avenue, Rivermist, 83214"
_FIRST: Mapping[str, JsonValue] = {
    "fuelLevel": 0.0,
    "batteryVoltage": 12.6,
    "engineState": "stopped",
    "doorStatus": dict.fromkeys(_DOORS, "unlocked"),
    "acTemperature": 25.0,
    "fanSpeed": 50,
    "acMode": "auto",
    "humidityLevel": 50.0,
    "headLightStatus": "off",
    "parkingBrakeStatus": "released",
    "parkingBrakeForce": 0.0,
    "slopeAngle": 0.0,
    "brakePedalStatus": "released",
    "brakePedalForce": 0.0,
    "distanceToNextVehicle": 50.0,
    "cruiseStatus": "inactive",
    "destination": "None",
    **dict.fromkeys(_TYRES, 32.0),
}
_SHOWN: Mapping[str, Mapping[str, str]] = {
    "fuel": {"fuelLevel": "fuelLevel"},
    "battery": {"batteryVoltage": "batteryVoltage"},
    "doors": {"doorStatus": "doorStatus"},
    "climate": {
        "currentACTemperature": "acTemperature",
        "fanSpeed": "fanSpeed",
        "climateMode": "acMode",
        "humidityLevel": "humidityLevel",
    },
    "headlights": {"headlightStatus": "headLightStatus"},
    "parkingBrake": {
        "parkingBrakeStatus": "parkingBrakeStatus",
        "parkingBrakeForce": "parkingBrakeForce",
        "slopeAngle": "slopeAngle",
    },
    "brakePedal": {"brakePedalStatus": "brakePedalStatus", "brakePedalForce": "brakePedalForce"},
    "engine": {"engineState": "engineState", "fuelLevel": "fuelLevel", "batteryVoltage": "batteryVoltage"},
}
"""By what may be displayed: the names shown, and the parts of the state behind them."""


class CarProgram:
    """One car."""

    def __init__(self, first: Mapping[str, Any]) -> None:
        """Take the parts of the first state that are not as in any new car."""
        self.state: dict[str, Any] = {**_FIRST, **first}
        self.state["doorStatus"] = dict(self.state["doorStatus"])

    def functions(self) -> Mapping[str, _Function]:
        """Return the functions by name."""
        return {
            "startEngine": self._start,
            "fillFuelTank": self._fill,
            "lockDoors": self._lock,
            "adjustClimateControl": self._climate,
            "get_outside_temperature_from_google": lambda: {"outsideTemperature": 30.0},
            "get_outside_temperature_from_weather_com": lambda: {"error": "the service cannot be reached"},
            "setHeadlights": self._lights,
            "displayCarStatus": self._show,
            "activateParkingBrake": self._parking_brake,
            "pressBrakePedal": self._brake,
            "releaseBrakePedal": lambda: self._brake(0.0),
            "setCruiseControl": self._cruise,
            "get_current_speed": lambda: {"currentSpeed": 0.0 if self.state["engineState"] == "stopped" else 50.0},
            "estimate_drive_feasibility_by_mileage": self._feasible,
            "liter_to_gallon": lambda liter: {"gallon": liter * 0.264172},
            "gallon_to_liter": lambda gallon: {"liter": gallon * 3.78541},
            "estimate_distance": _distance,
            "get_zipcode_based_on_city": lambda city: {"zipcode": _TOWNS.get(city, _UNKNOWN_TOWN)},
            "set_navigation": self._navigate,
            "check_tire_pressure": self._tyres,
            "find_nearest_tire_shop": lambda: {"shopLocation": _WORKSHOP},
            "display_log": lambda messages: {"log": messages},
        }

    def _start(self, ignitionMode: str) -> Result:  # noqa: N803  # the suite's name
        s = self.state
        if ignitionMode == "STOP":
            s["engineState"] = "stopped"
        elif ignitionMode == "START":
            if troubles := self._not_ready():
                return {"error": troubles[0]}
            s["engineState"] = "running"
        else:
            return {"error": "The ignition mode must be START or STOP."}
        return {k: s[k] for k in ("engineState", "fuelLevel", "batteryVoltage")}

    def unmet(self, name: str, args: Mapping[str, Any]) -> Sequence[str]:
        """Return everything that has to be so before a call, and is not."""
        return self._not_ready() if name == "startEngine" and args.get("ignitionMode") == "START" else ()

    def _not_ready(self) -> Sequence[str]:
        s = self.state
        troubles = []
        if unlocked := [door for door, state in s["doorStatus"].items() if state == "unlocked"]:
            names = ", ".join(unlocked)
            troubles.append(f"All doors must be locked before the engine starts. Unlocked doors: {names}.")
        if s["brakePedalStatus"] != "pressed":
            troubles.append("The brake pedal must be pressed before the engine starts.")
        elif s["brakePedalForce"] != _FULL_BRAKE:
            troubles.append("The brake pedal must be pressed fully before the engine starts.")
        return [*troubles, *(["The fuel tank is empty."] if s["fuelLevel"] <= 0 else [])]

    def _fill(self, fuelAmount: float) -> Result:  # noqa: N803  # the suite's name
        if fuelAmount < 0:
            return {"error": "The amount of fuel must not be negative."}
        if self.state["fuelLevel"] + fuelAmount > _TANK:
            return {"error": "The tank cannot hold that much fuel."}
        self.state["fuelLevel"] += fuelAmount
        return {"fuelLevel": self.state["fuelLevel"]}

    def _lock(self, unlock: bool, door: Sequence[str]) -> Result:  # noqa: FBT001  # the suite's own argument
        doors = self.state["doorStatus"]
        unknown = [d for d in door if d not in doors]
        if unknown or isinstance(door, str):
            return {"error": f"There is no door {', '.join(unknown)}; there are {', '.join(doors)}."}
        doors.update(dict.fromkeys(door, "unlocked" if unlock else "locked"))
        left = sum(state == "unlocked" for state in doors.values())
        return {"lockStatus": "unlocked" if unlock else "locked", "remainingUnlockedDoors": left}

    def _climate(
        self,
        temperature: float,
        unit: str = "celsius",
        fanSpeed: int = 50,  # noqa: N803  # the suite's name
        mode: str = "auto",
    ) -> Result:
        if not 0 <= fanSpeed <= 100 or mode not in {"auto", "cool", "heat", "defrost"}:
            return {"error": "The fan goes from 0 to 100, the mode is auto, cool, heat or defrost."}
        celsius = (temperature - 32) * 5 / 9 if unit == "fahrenheit" else temperature
        self.state |= {"acTemperature": celsius, "fanSpeed": fanSpeed, "acMode": mode}
        humidity = self.state["humidityLevel"]
        return {"currentACTemperature": temperature, "climateMode": mode, "humidityLevel": humidity}

    def _lights(self, mode: str) -> Result:
        if mode not in {"on", "off", "auto"}:
            return {"error": "The headlights can be on, off or auto."}
        self.state["headLightStatus"] = "on" if mode == "on" else "off"
        return {"headlightStatus": self.state["headLightStatus"]}

    def _show(self, option: str) -> Result:
        shown = _SHOWN.get(option)
        return {n: self.state[p] for n, p in shown.items()} if shown else {"error": f"Nothing is shown of {option!r}."}

    def _parking_brake(self, mode: str) -> Result:
        if mode not in {"engage", "release"}:
            return {"error": "The parking brake can be engaged or released."}
        status, force, slope = ("engaged", 500.0, 10.0) if mode == "engage" else ("released", 0.0, 10.0)
        self.state |= {"parkingBrakeStatus": status, "parkingBrakeForce": force, "slopeAngle": slope}
        return {"parkingBrakeStatus": status, "_parkingBrakeForce": force, "_slopeAngle": slope}

    def _brake(self, pedalPosition: float) -> Result:  # noqa: N803  # the suite's name
        if not 0 <= pedalPosition <= 1:
            return {"error": "The pedal goes from 0 to 1."}
        status, force = "pressed" if pedalPosition else "released", _FULL_BRAKE * pedalPosition
        self.state |= {"brakePedalStatus": status, "brakePedalForce": force}
        return {"brakePedalStatus": status, "brakePedalForce": force}

    def _cruise(self, speed: float, activate: bool, distanceToNextVehicle: float) -> Result:  # noqa: FBT001, N803
        if self.state["engineState"] != "running":
            return {"error": "The engine must run before cruise control is set."}
        if not 0 <= speed <= 120 or speed % 5:
            return {"error": "The speed must be a multiple of 5 from 0 to 120."}
        status = "active" if activate else "inactive"
        self.state |= {"cruiseStatus": status, "distanceToNextVehicle": distanceToNextVehicle}
        return {"cruiseStatus": status, "currentSpeed": speed, "distanceToNextVehicle": distanceToNextVehicle}

    def _feasible(self, distance: float) -> Result:
        return {"canDrive": self.state["fuelLevel"] * _MILES_A_GALLON >= distance}

    def _navigate(self, destination: str) -> Result:
        self.state["destination"] = destination
        return {"status": f"Navigating to {destination}"}

    def _tyres(self) -> Result:
        pressures = {name: self.state[name] for name in _TYRES}
        mean = sum(pressures.values()) / len(pressures)
        return {**pressures, "healthy_tire_pressure": 30 <= mean <= 35, "car_info": {}}


def _distance(cityA: str, cityB: str) -> Result:  # noqa: N803  # the suite's names
    miles = _MILES.get(frozenset({cityA, cityB}))
    return {"error": "No distance is known between these two."} if miles is None else {"distance": miles}
