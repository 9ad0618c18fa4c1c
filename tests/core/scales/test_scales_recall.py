"""How often what is meant is among what the prompt shows."""

from botpsy_core.evaluate.bench.homes import home_of
from botpsy_core.evaluate.cases import Case
from botpsy_core.evaluate.recall import Recall, recall_table, recalls

TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "HassTurnOn",
            "description": "Turns on a device or entity",
            "parameters": {"type": "object", "properties": {"name": {"type": "string"}, "area": {"type": "string"}}},
        },
    }
]
HOME = {
    "entities": [
        {"id": "light.hall", "name": "Hall Light", "area": "hall", "state": "off"},
        {"id": "light.attic", "name": "Xandor", "area": "attic", "state": "off"},
    ],
    "areas": [{"id": "hall", "name": "Hall"}, {"id": "attic", "name": "Attic"}],
}


def case(text, name):
    return Case(
        id=text,
        category="home_assist",
        language="en",
        messages=[{"role": "user", "content": text}],
        tools=TOOLS,
        expected={
            "type": "ha_action",
            "home": HOME,
            "accepted": [{"calls": [{"name": "HassTurnOn", "args": {"name": name}}]}],
        },
    )


def test_what_is_meant_and_not_shown_is_missed():
    public, *own = recalls([case("turn on the hall light", "Hall Light"), case("turn on the hall light", "Xandor")])
    assert (public.name, public.said, public.share) == ("home_assist", 2, 0.5)
    assert public.missed == ("turn on the hall light",)
    assert [r.name for r in own] == ["own home, 10 things", "own home, 100 things", "own home, 1000 things"]
    assert all(r.share >= 0.99 for r in own)
    assert own[-1].said > len(home_of(1000).entities)


def test_the_table_names_every_sentence_that_was_missed():
    text = recall_table([Recall(name="home", said=2, missed=("turn on the hall light",), shown=1.5)])
    assert "| home | 2 | 0.500 | 1.5 |" in text
    assert "missed in home: turn on the hall light" in text
