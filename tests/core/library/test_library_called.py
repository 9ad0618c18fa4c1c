"""A tool whose names say nothing behaves as one whose names say what its descriptions say."""

import pytest
from library_home import HOME
from test_library_measures import heard, offered

from botpsy_core.catalog import foreign_args, foreign_tool
from botpsy_core.catalog.called import argument_names, tool_title

NUMBER, WHOLE, TEXT, TRUTH = ({"type": t} for t in ("number", "integer", "string", "boolean"))
DAY = {"type": "string", "format": "date"}


def tool(plain, description, **arguments):
    return plain, description, {name: {**schema, "description": told} for name, (schema, told) in arguments.items()}


TOOLS = (
    tool(
        "rent_bike",
        "Rents a bike at a station for some days.",
        start_date=(DAY, "The start date of the rental."),
        end_date=(DAY, "The end date of the rental."),
        number_of_helmets=(WHOLE, "The total number of helmets to hand out."),
    ),
    tool(
        "find_kennel",
        "Find kennels for dogs that have room.",
        lowest_price=(NUMBER, "The lowest price that is of interest."),
        highest_price=(NUMBER, "The highest price that is of interest."),
    ),
    tool(
        "compute_braking",
        "Compute the braking distance of a train.",
        initial_speed=(NUMBER, "The initial speed of the train in m/s."),
        deceleration=(NUMBER, "The deceleration of the train in m/s^2."),
    ),
    tool(
        "book_ferry",
        "Books a ferry crossing for passengers and their car.",
        departure_date=(DAY, "The departure date of the crossing."),
        return_date=(DAY, "The return date, if any."),
        number_of_passengers=(WHOLE, "Number of passengers on board."),
    ),
    tool(
        "order_soil",
        "Orders soil for the garden by weight.",
        weight=(NUMBER, "Weight of the soil in kilograms."),
        price=(NUMBER, "The price of a bag at most."),
    ),
    tool(
        "brew_tea",
        "Brews tea in the machine of the kitchen.",
        temperature=(NUMBER, "The temperature of the water in degrees Celsius."),
        duration=(NUMBER, "The duration of the brew in minutes."),
    ),
    tool(
        "plan_hike",
        "Plan a hike through the hills.",
        avoid_main_roads=(TRUTH, "Whether to avoid main roads on the way."),
        length=(NUMBER, "The length of the hike in kilometers."),
    ),
    tool(
        "mix_concrete",
        "Calculate how much cement a slab of concrete needs.",
        width=(NUMBER, "The width of the slab."),
        depth=(NUMBER, "The depth of the slab."),
        thickness=(NUMBER, "The thickness of the slab."),
    ),
    tool(
        "schedule_lesson",
        "Schedules a lesson with a teacher of an instrument.",
        teacher_name=(TEXT, "The name of the teacher."),
        number_of_students=(WHOLE, "The number of students."),
    ),
    tool(
        "print_photos",
        "Prints photos on paper and sends them by post.",
        number_of_copies=(WHOLE, "The number of copies of each photo."),
        width=(NUMBER, "Width of a print."),
    ),
    tool(
        "share_bill",
        "Split the bill of a restaurant between friends.",
        total=(NUMBER, "The total of the bill."),
        number_of_friends=(WHOLE, "How many friends share it."),
    ),
    tool(
        "fill_pool",
        "Fills the pool with water.",
        volume=(NUMBER, "The volume of water to let in, in liters."),
        depth=(NUMBER, "The depth of the water."),
    ),
    tool(
        "sort_post",
        "Sorts letters by when they came.",
        first_week=(WHOLE, "The first week that counts."),
        last_week=(WHOLE, "The last week that counts."),
    ),
    tool(
        "convert_money",
        "Converts money from one currency into another.",
        amount=(NUMBER, "The amount to be converted."),
        fee=(NUMBER, "The fee of the bank in percent."),
    ),
    tool(
        "feed_fish",
        "Feeds the fish of the pond.",
        portion_size=(NUMBER, "The portion size in grams."),
        number_of_portions=(WHOLE, "The number of portions."),
    ),
)
REQUESTS = (
    "rent a bike from 3 May 2026 to 6 May 2026 with 2 helmets",
    "rent a bike from 2026-07-01 until 2026-07-09",
    "find a kennel for my dog between 20 and 35 euros",
    "compute the braking of a train with an initial speed of 40 and a deceleration of 2",
    "how far does a train brake with deceleration of 1.5 and initial speed of 30",
    "book a ferry on 2026-08-02 and back on 2026-08-16 for 4 passengers",
    "book the ferry for three passengers tomorrow",
    "order soil with a weight of 40 kilograms at a price of 12",
    "order soil with a price of 9 and a weight of 25",
    "brew tea at a temperature of 80 for a duration of 4 minutes",
    "brew tea for 3 minutes at 95 degrees",
    "plan a hike of 12 kilometers and avoid main roads",
    "plan a hike with a length of 8",
    "concrete for a slab: width 3, depth 2, thickness 0.2",
    "concrete with a thickness of 0.15, a width of 4 and a depth of 5",
    "schedule a lesson with Mira Kovac for 3 students",
    "print photos, 5 copies with a width of 13",
    "split the bill, the total is 84, between 4 friends",
    "fill the pool with a volume of 800 liters to a depth of 1.4",
    "convert money, amount 250, with a fee of 2",
    "feed the fish 3 portions with a portion size of 20",
)


def read(name, description, properties):
    parameters = {"type": "object", "properties": properties, "required": list(properties)}
    return foreign_tool({"name": name, "description": description, "parameters": parameters})


def by_plain_name():
    return [read(*tool) for tool in TOOLS]


def by_counting():
    """Return the same tools under names that only count."""
    return [
        read(f"function_{i}", told, {f"arg{n}": schema for n, schema in enumerate(properties.values(), 1)})
        for i, (_, told, properties) in enumerate(TOOLS, 1)
    ]


def left(spec, text):
    return [(s.argument.name, s.required, [c.value for c in s.choices]) for s in offered(spec, heard(text)).slots]


@pytest.mark.parametrize("at", range(len(TOOLS)))
def test_arguments_are_called_what_their_descriptions_say(at):
    assert [a.name for a in by_counting()[at].arguments] == [a.name for a in by_plain_name()[at].arguments]


@pytest.mark.parametrize("text", REQUESTS)
def test_words_leave_a_tool_the_same_under_any_name(text):
    for plain, counted in zip(by_plain_name(), by_counting(), strict=True):
        assert left(counted, text) == left(plain, text)


def test_a_call_goes_out_under_the_names_that_the_tool_knows():
    spec = by_counting()[0]
    args = {"start_date": "2026-05-03", "end_date": "2026-05-06", "number_of_helmets": 2}
    assert foreign_args(spec, args, HOME) == ({"arg1": "2026-05-03", "arg2": "2026-05-06", "arg3": 2},)


def test_a_tool_stays_known_by_its_own_name():
    assert [(t.name, t.called) for t in (by_counting()[0], by_plain_name()[0])] == [
        ("function_1", "rents_bike"),
        ("rent_bike", "rent_bike"),
    ]


@pytest.mark.parametrize(
    ("description", "name"),
    [
        ("The name of the lighthouse.", "lighthouse_name"),
        ("The keeper's name", "keeper_name"),
        ("Number of lamps that are lit", "number_of_lamps"),
        ("Maximum number of lamps to light", "maximum_lamps"),
        ("Whether to include a map of the coast", "include_map"),
        ("If true, ring the bell", "ring"),
        ("Optional: the colour of the beam, white by default", "colour"),
        ("The height the lamp stands at, in meters", "height"),
        ("List of harbours to call at", "harbours"),
        ("The volume level from 0 to 10", "volume"),
        ("The check-in date for the cabin", "check_in_date"),
        ("", "arg1"),
        ("To be told.", "arg1"),
        ("The target.", "arg1"),
        ("要查询的城市名称", "arg1"),
    ],
)
def test_the_head_of_a_description_is_the_name(description, name):
    assert argument_names({"arg1": {"description": description}}) == {"arg1": name}


@pytest.mark.parametrize(
    ("one", "other", "names"),
    [
        ("The name of the keeper", "The name of the ship", ["keeper_name", "ship_name"]),
        ("The colour of the beam", "The colour of the door", ["beam_colour", "door_colour"]),
        ("The coin to convert from", "The coin to convert to", ["coin_from", "coin_to"]),
        ("The depth", "The depth", ["arg1", "arg2"]),
    ],
)
def test_two_of_the_same_head_are_told_apart(one, other, names):
    found = argument_names({"arg1": {"description": one}, "arg2": {"description": other}})
    assert list(found.values()) == names


def test_a_name_is_never_given_twice():
    found = argument_names({"colour": {}, "arg1": {"description": "The colour of the beam"}})
    assert found == {"colour": "colour", "arg1": "beam_colour"}
    assert argument_names({"colour": {}, "arg1": {"description": "The colour"}})["arg1"] == "arg1"


@pytest.mark.parametrize("name", ["city", "number1", "side2", "x", "a", "pm10", "value", "start_date"])
def test_a_name_that_says_something_stays(name):
    assert argument_names({name: {"description": "The speed of the wind."}}) == {name: name}


@pytest.mark.parametrize(
    ("description", "title"),
    [
        ("Lights the lamp of a lighthouse.", "lights_lamp"),
        ("This tool is used to turn off the fog horn.", "turn_off_fog_horn"),
        ("Search for ships that are near.", "search_for_ships"),
        ("", ""),
    ],
)
def test_a_tool_is_called_by_its_verb_and_what_that_is_about(description, title):
    assert tool_title("tool-7", description) == title
    assert tool_title("light_lamp", description) == ""


def test_the_way_that_a_tool_goes_is_read_from_its_title():
    ways = [read(f"tool{n}", f"Turns {way} the fog horn.", {}).direction for n, way in enumerate(("on", "off"))]
    assert [way.value for way in ways] == ["on", "off"]
