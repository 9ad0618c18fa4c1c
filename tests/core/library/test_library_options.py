"""Options that only a description lists are options all the same."""

import pytest

from botpsy_core.catalog.options import told_default, with_options


@pytest.mark.parametrize(
    ("description", "options"),
    [
        ('The mode. [Enum]: ["on", "off"]', ["on", "off"]),
        ("It can be either 'men' or 'women'. Default is 'men'.", ["men", "women"]),
        ("Supported values: 'a', 'b', or 'c'", ["a", "b", "c"]),
        ("One of `left` | `right`", ["left", "right"]),
    ],
)
def test_a_list_of_options_is_read(description, options):
    assert with_options({"type": "string"}, description) == {"type": "string", "enum": options}


def test_a_list_takes_them_as_what_it_may_hold():
    schema = with_options({"type": "array", "items": {"type": "string"}}, 'Doors. [Enum]: ["left", "right"]')

    assert schema == {"type": "array", "items": {"type": "string", "enum": ["left", "right"]}}


@pytest.mark.parametrize(
    ("schema", "description"),
    [
        ({"type": "string"}, "The city, such as 'Rome' or 'Oslo'."),
        ({"type": "string"}, 'Broken. [Enum]: ["on", off]'),
        ({"type": "string"}, "One of 'a'"),
        ({"type": "integer"}, '[Enum]: ["1", "2"]'),
        ({"type": "string", "enum": ["x"]}, '[Enum]: ["on", "off"]'),
        ({"type": "array", "items": {"type": "integer"}}, '[Enum]: ["on", "off"]'),
    ],
)
def test_examples_and_other_types_stay_open(schema, description):
    assert with_options(schema, description) == schema


@pytest.mark.parametrize(
    ("kind", "description", "default"),
    [
        ("integer", "How many. Default is 6.", 6),
        ("number", "How far. Default value is approximately 9.81 m/s^2.", 9.81),
        ("number", "Defaults to 0", 0),
        ("boolean", "Loud or not. Default: false", False),
        ("string", "The unit. Default is 'metric'.", "metric"),
        ("string", "The unit. Default is 6.", None),
        ("integer", "The default is the present year", None),
        ("integer", "Seats from 4 to 6", None),
    ],
)
def test_a_default_is_read_where_it_has_the_type(kind, description, default):
    assert told_default({"type": kind}, description) == default
