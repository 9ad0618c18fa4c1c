"""The home of a case, as far as Home Assistant would know it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import yaml

from botpsy_core.domain.home import Area, Entity, Floor, Home
from botpsy_core.evaluate.cases import Case, Record

_CONTEXT = re.compile(r"(?:Static|Live) Context:[^\n]*\n(?P<list>- names:.*)", re.DOTALL)
"""How Home Assistant lists a home to a language model."""

IDENTITY = "identity"
"""Key of a renamed tool: what it was called before."""

_LISTING: Mapping[str, str] = {"todo_get_items": "todo", "calendar_get_events": "calendar"}
"""Home Assistant's tools that name the calendars and lists there are, and the domain of those."""
_NAMED_IN = frozenset({"calendar", "todo list"})
"""What the argument that names them is called, or says of itself."""


def home_of(case: Case) -> Home:
    """Return the home that a case gives, or the one that its system message lists, or an empty one."""
    given = case.expected.get("home")
    if isinstance(given, Mapping):
        return read_home(given, language=case.primary_language)
    return _listed(listed_things(case.system), language=case.primary_language)


def listed_things(text: str) -> tuple[Record, ...]:
    """Return the things that a static or live context lists; none where there is no such list."""
    found = _CONTEXT.search(text)
    if found is None:
        return ()
    try:
        things = yaml.safe_load(found["list"])
    except yaml.YAMLError:
        return ()
    return tuple(thing for thing in things if isinstance(thing, Mapping) and "names" in thing)


def with_named_lists(home: Home, tools: Sequence[Record]) -> Home:
    """Return the home with the calendars and lists that Home Assistant's own tools name."""
    added = list(home.entities)
    for tool in tools:
        domain = _LISTING.get(identity_of(tool))
        for name in _listed_by(tool) if domain is not None else ():
            if not any(e.domain == domain and e.name == name for e in added):
                added.append(Entity(id=f"{domain}.{_slug(name)}", name=name))
    return replace(home, entities=tuple(added))


def identity_of(tool: Record) -> str:
    """Return whose tool it is, as a host knows it whatever the tool is called."""
    return str(tool.get(IDENTITY, tool["function"]["name"]))


def _listed_by(tool: Record) -> Iterator[str]:
    properties = (tool["function"].get("parameters") or {}).get("properties") or {}
    for key, schema in properties.items():
        said = (key.replace("_", " "), str(schema.get("description", "")).lower())
        if not _NAMED_IN.isdisjoint(said):
            yield from map(str, schema.get("enum", ()))


def read_home(home: Record, *, language: str) -> Home:
    """Return the home that `{"entities": [...], "areas": [...]}` describes."""
    areas = [a for a in home.get("areas", ()) if isinstance(a, Mapping)]
    floors = dict.fromkeys(str(a["floor"]) for a in areas if a.get("floor"))
    return Home(
        entities=tuple(_entity(e) for e in home.get("entities", ())),
        areas=tuple(
            Area(
                id=str(a["id"]),
                name=str(a["name"]),
                aliases=_others(a),
                floor_id=_slug(str(a["floor"])) if a.get("floor") else None,
            )
            for a in areas
        ),
        floors=tuple(Floor(id=_slug(name), name=name) for name in floors),
        language=language,
    )


def _entity(entity: Record) -> Entity:
    state = entity.get("state")
    return Entity(
        id=str(entity["id"]),
        name=str(entity["name"]),
        aliases=_others(entity),
        device_class=entity.get("device_class"),
        area_id=entity.get("area"),
        state=("on" if state else "off") if isinstance(state, bool) else None if state is None else str(state),
    )


def _others(thing: Record) -> tuple[str, ...]:
    return tuple(str(alias) for alias in thing.get("aliases", ()) if alias != thing["name"])


def _listed(things: tuple[Record, ...], *, language: str) -> Home:
    names = dict.fromkeys(area for thing in things for area in _split(thing.get("areas")))
    return Home(
        entities=tuple(_named(things)),
        areas=tuple(Area(id=_slug(name), name=name) for name in names),
        language=language,
    )


def _named(things: tuple[Record, ...]) -> Iterator[Entity]:
    taken: set[str] = set()
    for thing in things:
        name, *aliases = _split(thing["names"]) or [""]
        if not name:
            continue
        entity_id = f"{thing.get('domain', 'unknown')}.{_slug(name)}"
        while entity_id in taken:
            entity_id += "_2"
        taken.add(entity_id)
        areas = _split(thing.get("areas"))
        attributes = thing.get("attributes")
        shown: Mapping[str, Any] = attributes if isinstance(attributes, Mapping) else {}
        yield Entity(
            id=entity_id,
            name=name,
            aliases=tuple(aliases),
            device_class=shown.get("device_class"),
            area_id=_slug(areas[0]) if areas else None,
            state=None if thing.get("state") is None else str(thing["state"]),
            unit=shown.get("unit_of_measurement"),
            attributes=shown,
        )


def _split(names: object) -> list[str]:
    return [part.strip() for part in str(names).split(",") if part.strip()] if names else []


def _slug(name: str) -> str:
    return re.sub(r"\W+", "_", name.casefold()).strip("_") or "thing"
