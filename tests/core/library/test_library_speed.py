import time
from dataclasses import replace

import pytest
from library_home import CONTEXT, HOME

from botpsy_core.catalog import load_tools, shortlist
from botpsy_core.domain.home import Entity, Home
from botpsy_core.domain.messages import Transcript
from botpsy_core.hearing import hear

TOOLS = (*load_tools(), *(replace(t, name=f"{t.name}_again") for t in load_tools()[:14]))
LIMIT_S = 0.01


def large_home() -> Home:
    kinds = ("light", "switch", "sensor", "cover", "binary_sensor")
    areas = [area.id for area in HOME.areas]
    more = [
        Entity(
            id=f"{kinds[i % 5]}.more_{i}", name=f"Thing {i} {kinds[i % 5]}", area_id=areas[i % len(areas)], state="on"
        )
        for i in range(1000 - len(HOME.entities))
    ]
    return replace(HOME, entities=(*HOME.entities, *more))


LARGE = large_home()


@pytest.mark.parametrize("text", ["turn off all lights", "dim the kitchen light to 30 percent", "which doors are open"])
def test_a_shortlist_takes_under_ten_milliseconds_in_a_home_of_a_thousand(text):
    assert len(LARGE.entities) == 1000
    assert len(TOOLS) >= 60
    said = hear(text, home=LARGE, transcript=Transcript(), context=CONTEXT)
    taken = []
    for _ in range(7):
        start = time.process_time()
        assert shortlist(said.clauses[0], heard=said, tools=TOOLS, home=LARGE, context=CONTEXT).tools
        taken.append(time.process_time() - start)
    assert min(taken) < LIMIT_S
