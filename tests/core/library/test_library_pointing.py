"""Arguments that point at things of the home are known by what they say of themselves, whatever they are called."""

import pytest

from botpsy_core.catalog import foreign_args, foreign_tool
from botpsy_core.catalog.pointing import Point, points_of
from botpsy_core.domain.home import Area, Entity, Home
from botpsy_core.domain.tools import Role

TEXT = {"type": "string"}


@pytest.mark.parametrize(
    ("key", "schema", "point"),
    [
        ("name", TEXT, Point.NAME),
        ("device_name", TEXT, Point.NAME),
        ("x1", {**TEXT, "description": "The name of the device."}, Point.NAME),
        ("x1", {**TEXT, "title": "Area"}, Point.AREA),
        ("x1", {**TEXT, "description": "the area it is in"}, Point.AREA),
        ("x1", {**TEXT, "description": "Floor"}, Point.FLOOR),
        ("x1", {"type": "array", "items": {**TEXT, "enum": ["light", "switch"]}}, Point.DOMAIN),
        ("x1", {"type": "array", "items": TEXT, "description": "Domain"}, Point.DOMAIN),
        ("x1", {"type": "array", "items": {**TEXT, "enum": ["blind", "door"]}}, Point.DEVICE_CLASS),
        ("kind", {**TEXT, "enum": ["tv", "speaker"]}, Point.DEVICE_CLASS),
        ("name", {}, Point.NAME),
        ("name", {**TEXT, "enum": ["red", "blue"]}, None),
        ("area", {"type": "number", "description": "The area of the circle."}, None),
        ("x1", {**TEXT, "description": "The name of the city to look up"}, None),
        ("file_name", TEXT, None),
        ("x1", TEXT, None),
    ],
)
def test_an_argument_points_by_its_values_or_by_words_that_stand_alone(key, schema, point):
    assert points_of({key: schema}) == ({} if point is None else {point: key})


def test_a_call_is_written_in_the_words_of_the_tool_whose_arguments_have_other_names():
    tool = foreign_tool(
        {
            "name": "function_1",
            "description": "Turns on a device",
            "parameters": {"properties": {"a": {**TEXT, "description": "Name"}, "b": {**TEXT, "description": "Area"}}},
        }
    )
    home = Home(
        areas=(Area(id="k", name="Kitchen"), Area(id="h", name="Hall")),
        entities=(Entity(id="light.a", name="Lamp", area_id="k"), Entity(id="light.b", name="Lamp", area_id="h")),
    )
    assert [a.role for a in tool.arguments] == [Role.TARGET]
    assert foreign_args(tool, {"target": ["light.b"]}, home) == ({"a": "Lamp", "b": "Hall"},)
