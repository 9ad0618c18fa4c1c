"""Programs in memory: a state that calls change, trouble told before it happens, and results as documented."""

import pytest

from botpsy_core.evaluate.programs import ERROR, Simulation

CAR = "VehicleControlAPI"
DOORS = ["driver", "passenger", "rear_left", "rear_right"]


def a_simulation(**car: object) -> Simulation:
    return Simulation((CAR, "TwitterAPI", "MessageAPI", "TicketAPI", "MathAPI", "UnknownAPI"), {CAR: car})


def test_an_engine_starts_only_behind_locked_doors_with_the_brake_pressed_and_fuel() -> None:
    simulation = a_simulation(fuelLevel=10.0)
    start = ("startEngine", {"ignitionMode": "START"})

    assert "rear_left" in simulation.trouble(*start)
    simulation.perform("lockDoors", {"unlock": False, "door": DOORS})
    assert "brake" in simulation.trouble(*start)
    simulation.perform("pressBrakePedal", {"pedalPosition": 0.5})
    assert "fully" in simulation.trouble(*start)
    simulation.perform("pressBrakePedal", {"pedalPosition": 1.0})

    assert simulation.trouble(*start) == ""
    assert simulation.perform(*start) == {"engineState": "running", "fuelLevel": 10.0, "batteryVoltage": 12.6}


def test_asking_for_trouble_changes_nothing() -> None:
    simulation = a_simulation(fuelLevel=10.0)

    assert simulation.trouble("fillFuelTank", {"fuelAmount": 5}) == ""
    assert simulation.perform("displayCarStatus", {"option": "fuel"}) == {"fuelLevel": 10.0}


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("fillFuelTank", {"fuelAmount": 45}),
        ("fillFuelTank", {"fuelAmount": -1}),
        ("fillFuelTank", {"amount": 3}),
        ("fillFuelTank", {"fuelAmount": "much"}),
        ("lockDoors", {"unlock": False, "door": ["boot"]}),
        ("lockDoors", {"unlock": False, "door": "driver"}),
        ("setCruiseControl", {"speed": 50, "activate": True, "distanceToNextVehicle": 20}),
        ("displayCarStatus", {"option": "mood"}),
        ("estimate_distance", {"cityA": "00000", "cityB": "94016"}),
        ("get_tweet", {"tweet_id": 7}),
        ("send_message", {"receiver_id": "USR002", "message": "hello"}),
        ("create_ticket", {"title": "broken"}),
        ("divide", {"a": 1, "b": 0}),
        ("fly", {}),
    ],
)
def test_what_cannot_be_done_is_an_error_and_no_crash(name: str, args: dict[str, object]) -> None:
    assert ERROR in a_simulation(fuelLevel=10.0).perform(name, args)


@pytest.mark.parametrize(
    ("name", "args", "result"),
    [
        ("liter_to_gallon", {"liter": 20.0}, {"gallon": pytest.approx(5.28344)}),
        ("get_zipcode_based_on_city", {"city": "Rivermist"}, {"zipcode": "83214"}),
        ("estimate_distance", {"cityA": "94016", "cityB": "83214"}, {"distance": 980.0}),
        ("estimate_drive_feasibility_by_mileage", {"distance": 200.0}, {"canDrive": True}),
        ("estimate_drive_feasibility_by_mileage", {"distance": 201.0}, {"canDrive": False}),
        (
            "activateParkingBrake",
            {"mode": "engage"},
            {"parkingBrakeStatus": "engaged", "_parkingBrakeForce": 500.0, "_slopeAngle": 10.0},
        ),
        ("mean", {"numbers": [750.0, 320.0, 450.0, 290.0]}, {"result": 452.5}),
        ("logarithm", {"value": 8, "base": 2, "precision": 3}, {"result": 3.0}),
        ("get_user_id", {"user": "Bob"}, {"user_id": "USR002"}),
    ],
)
def test_results_are_as_documented(name: str, args: dict[str, object], result: dict[str, object]) -> None:
    assert a_simulation(fuelLevel=10.0).perform(name, args) == result


def test_posts_messages_and_tickets_are_kept() -> None:
    first = {
        "TwitterAPI": {"authenticated": True, "username": "ann", "tweet_counter": 4, "tweets": {}},
        "MessageAPI": {"current_user": "USR001"},
        "TicketAPI": {"current_user": "ann", "ticket_counter": 2, "ticket_queue": []},
    }
    simulation = Simulation(tuple(first), first)

    assert simulation.perform("post_tweet", {"content": "off we go", "tags": ["#trip"]})["id"] == 4
    assert simulation.perform("retweet", {"tweet_id": 4}) == {"retweet_status": "Successfully retweeted"}
    assert simulation.perform("search_tweets", {"keyword": "#trip"})["matching_tweets"][0]["id"] == 4
    simulation.perform("send_message", {"receiver_id": "USR002", "message": "on my way"})
    assert simulation.perform("view_messages_sent", {}) == {"messages": {"USR002": ["on my way"]}}
    assert simulation.perform("create_ticket", {"title": "Tyre"})["id"] == 2
    simulation.perform("close_ticket", {"ticket_id": 2})
    assert simulation.perform("get_ticket", {"ticket_id": 2})["status"] == "Closed"
