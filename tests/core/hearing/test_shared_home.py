"""How often the right things are among the targets, on commands that others collected."""

import json
from pathlib import Path

import pytest

from botpsy_core.domain.home import Area, Entity, Floor, Home
from tests.core.hearing.tables import heard

pytestmark = pytest.mark.shared

CASES = Path(__file__).resolve().parents[4] / "shared" / "eval" / "dev" / "home.jsonl"
ENOUGH = {
    ("home_assist", "en"): 0.9,
    ("home_intent", "en"): 0.95,
    ("home_intent", "ru"): 0.9,
    ("home_intent", "zh-cn"): 0.9,
}
"""Share of commands whose things are among the targets; some labels of the set are known to be in doubt."""


def home_of(data):
    floors = sorted({a["floor"] for a in data["areas"] if a.get("floor")})
    return Home(
        entities=tuple(
            Entity(
                id=e["id"],
                name=e["name"],
                aliases=tuple(a for a in e.get("aliases", ()) if a != e["name"]),
                device_class=e.get("device_class"),
                area_id=e.get("area"),
            )
            for e in data["entities"]
        ),
        areas=tuple(Area(id=a["id"], name=a["name"], floor_id=a.get("floor")) for a in data["areas"]),
        floors=tuple(Floor(id=f, name=f) for f in floors),
    )


def named_by(call, home):
    """Return the things that a reference call names, by name, area, floor, domain and device class."""
    args = call["args"]
    domains = args.get("domain") or []
    domains = [domains] if isinstance(domains, str) else domains
    areas = {
        a.id
        for a in home.areas
        if args.get("area", a.name).casefold() in {a.name.casefold(), a.id}
        and args.get("floor", a.floor_id) == a.floor_id
    }
    return {
        e.id
        for e in home.entities
        if (not domains or e.domain in domains)
        and ("name" not in args or args["name"].casefold() in {n.casefold() for n in (e.name, *e.aliases)})
        and (not ({"area", "floor"} & set(args)) or e.area_id in areas)
    }


def is_heard(case):
    home = home_of(case["expected"]["home"])
    clauses = heard(case["messages"][-1]["content"], home=home, language=case["lang"])
    sets = [set(t.entities) for c in clauses for t in c.targets]
    for accepted in case["expected"]["accepted"]:
        wanted = [named_by(call, home) for call in accepted["calls"]]
        if all(any(want <= got or (got and got <= want) for got in sets) for want in wanted if want):
            return True
    return False


@pytest.mark.parametrize(("kind", "share"), sorted(ENOUGH.items()))
def test_the_right_things_are_among_the_targets(kind, share):
    cases = [json.loads(line) for line in CASES.read_text("utf-8").splitlines()]
    chosen = [c for c in cases if (c["category"], c["lang"]) == kind]
    found = [is_heard(c) for c in chosen]
    assert chosen
    assert sum(found) / len(found) >= share
