"""Reads the tables of sentences: one file a language, a home and what is heard in it."""

from datetime import datetime
from functools import cache
from pathlib import Path
from zoneinfo import ZoneInfo

import yaml

from botpsy_core.domain.context import Origin, TurnContext
from botpsy_core.domain.home import Area, Entity, Floor, Home
from botpsy_core.domain.messages import Transcript
from botpsy_core.hearing import hear

FOLDER = Path(__file__).parent / "sentences"
NOW = datetime(2026, 10, 21, 10, tzinfo=ZoneInfo("Europe/Berlin"))


def languages():
    return sorted(path.stem for path in FOLDER.glob("*.yaml"))


@cache
def table(language):
    return yaml.load((FOLDER / f"{language}.yaml").read_text("utf-8"), Loader=yaml.CSafeLoader)


def home_of(rows):
    return Home(
        entities=tuple(_entity(entity_id, row) for entity_id, row in rows["entities"].items()),
        areas=tuple(_area(area_id, row) for area_id, row in rows["areas"].items()),
        floors=tuple(Floor(id=floor_id, name=name) for floor_id, name in rows.get("floors", {}).items()),
    )


def _entity(entity_id, row):
    name, *aliases = row["name"].split(" | ")
    return Entity(
        id=entity_id,
        name=name,
        aliases=tuple(aliases),
        area_id=row.get("in"),
        device_class=row.get("class"),
        state=row.get("state"),
    )


def _area(area_id, row):
    name, *aliases = row["name"].split(" | ")
    return Area(id=area_id, name=name, aliases=tuple(aliases), floor_id=row.get("on floor"))


def heard(text, *, home, language="en", transcript=None, room=None, now=NOW):
    context = TurnContext(conversation_id="c", origin=Origin.CHAT, now=now, language=language, area_id=room)
    return hear(text, home=home, transcript=transcript or Transcript(), context=context).clauses


def best(clause):
    return list(clause.targets[0].entities) if clause.targets else []


def shown(value):
    text = f"{value.kind} {value.value}{value.unit if value.unit in ('°C', '°F') else ''}"
    return f"{text} more" if value.relative else text
