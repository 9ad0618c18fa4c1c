"""What another integration's tool has read is told as it named it, and never at length."""

import pytest

from botpsy_core.agent.readout import LONGEST, read_out
from botpsy_core.catalog import foreign_tool
from botpsy_core.dialect.signatures import signatures
from botpsy_core.domain.offer import OfferedTool, Slot


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ({"fuelLevel": 10.0}, "fuel level: 10.0"),
        ({"result": "All is well"}, "All is well"),
        ({"result": '{"can_drive": false, "left": {"miles": 3}}'}, "can drive: false, miles: 3"),
        ({"doors": ["driver", "rear"]}, "doors: driver, doors: rear"),
        ({}, ""),
        ({"result": None, "note": "  "}, ""),
        ({"result": "{no json"}, "{no json"),
    ],
)
def test_each_fact_has_its_name(data, told):
    assert read_out(data) == told


def test_long_texts_and_long_lists_are_cut():
    assert len(read_out({"text": "word " * 200})) <= LONGEST + len("text: ")
    assert read_out({"n": list(range(20))}).endswith("n: 7, (+12)")


def test_a_tool_is_one_line():
    properties = {
        "window": {"type": "string", "enum": ["ALL", "DRIVER"]},
        "percentage": {"type": "number", "minimum": 0, "maximum": 100, "description": "How far. 0 is closed."},
        "doors": {"type": "array", "items": {"type": "string"}},
        "now": {"type": "boolean"},
    }
    parameters = {"type": "object", "properties": properties, "required": ["window", "percentage"]}
    tool = foreign_tool({"name": "move", "description": "Moves a window. Not for doors.", "parameters": parameters})
    offered = OfferedTool(tool=tool, slots=tuple(Slot(argument=a) for a in tool.arguments))

    assert signatures([offered]) == (
        "move(window: ALL|DRIVER, percentage: 0 to 100 (How far), [doors: list of text], [now: true|false]): "
        "Moves a window"
    )
