"""The map of the house names every room's modules once, and none that is not there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PLAN = (ROOT / "docs" / "house.md").read_text().split("## Plan", 1)[1].split("```", 2)[1]
ROOMS = ("domain", "catalog", "hearing", "dialect", "engine", "safety", "agent", "bridge", "evaluate")


def named(folder: str) -> list[str]:
    indent = len(folder) - len(folder.lstrip())
    lines = PLAN.split(f"\n{folder}/", 1)[1].split("\n")
    inside = [lines[0]]
    for line in lines[1:]:
        if not line.startswith(" " * (indent + 2)):
            break
        inside.append(line)
    return sorted(re.findall(r"(?<![\w/])(\w+\.py)", "\n".join(inside)))


@pytest.mark.parametrize("room", ROOMS)
def test_the_map_names_every_module_of_a_room_once_and_no_other(room):
    there = {p.name for p in (ROOT / "botpsy_core" / room).glob("*.py")} - {"__init__.py"}
    assert named(f"  {room}") == sorted(there)


def test_the_map_names_every_module_of_the_annex_once_and_no_other():
    there = {p.name for p in (ROOT / "custom_components" / "botpsy").glob("*.py")}
    assert named("custom_components/botpsy") == sorted(there)
