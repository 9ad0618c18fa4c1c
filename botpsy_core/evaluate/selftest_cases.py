"""Sentences for a home, made of its own names, and what should come of each."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, reduce
from importlib.resources import files
from itertools import pairwise, takewhile
from typing import Any

import yaml

from botpsy_core.domain.home import Area, Entity, Home
from botpsy_core.domain.tools import Direction

_FALLBACK = "en"


class Wanted(StrEnum):
    """What should come of a sentence."""

    ACT = "act"
    """Exactly the named acts, or a question about them."""
    READ = "read"
    """An answer, and nothing is changed."""
    STOP = "stop"
    """Nothing is done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """One act on one thing."""

    entity_id: str
    direction: Direction


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfCase:
    """One sentence to say to a home."""

    group: str
    """What it tries: `command`, `question`, `negation`, `out of range`, `both`, `absent`, `missing`, `harmful` ..."""
    text: str
    wanted: Wanted
    acts: tuple[Act, ...] = ()
    about: str | None = None
    """The entity that the sentence tests."""


def self_cases(home: Home, *, per_entity: int = 3) -> tuple[SelfCase, ...]:
    """Return the sentences for a home, in its language where there are sentences for it."""
    sentences = sentences_for(home.language)
    commands = [c for e in home.entities for c in _commands(e, sentences, per_entity)]
    cases = (
        *commands,
        *(c for e in home.entities for c in _questions(e, sentences)),
        *(c for e in home.entities for c in _negations(e, sentences)),
        *(c for e in home.entities for c in _out_of_range(e, sentences)),
        *_both(commands, sentences),
        *_absent(home, commands, sentences),
        *(
            SelfCase(group=group, text=text, wanted=Wanted.STOP)
            for group in ("missing", "elsewhere", "chat", "harmful")
            for text in sentences[group]
        ),
    )
    return tuple({(case.text, case.about): case for case in cases}.values())


@cache
def sentences_for(language: str) -> Mapping[str, Any]:
    """Return the sentences of a language (BCP 47), English ones where it has none."""
    folder = files("botpsy_core.evaluate") / "sentences"
    file = folder / f"{language.partition('-')[0]}.yaml"
    found: Mapping[str, Any] = yaml.safe_load(
        (file if file.is_file() else folder / f"{_FALLBACK}.yaml").read_text(encoding="utf-8")
    )
    return found


def report_words(language: str) -> Mapping[str, Any]:
    """Return the words in which a language tells what came of the sentences."""
    words: Mapping[str, Any] = sentences_for(language)["report"]
    return words


def _commands(entity: Entity, sentences: Mapping[str, Any], most: int) -> Iterator[SelfCase]:
    for command in sentences["commands"].get(entity.domain, ())[:most]:
        act = Act(entity_id=entity.id, direction=Direction(command["way"]))
        text = _said(command["say"], entity)
        yield SelfCase(group="command", text=text, wanted=Wanted.ACT, acts=(act,), about=entity.id)


def _questions(entity: Entity, sentences: Mapping[str, Any]) -> Iterator[SelfCase]:
    asked = sentences["questions"]
    text = _said(asked.get(entity.domain, asked["any"]), entity)
    yield SelfCase(group="question", text=text, wanted=Wanted.READ, about=entity.id)


def _negations(entity: Entity, sentences: Mapping[str, Any]) -> Iterator[SelfCase]:
    for command in sentences["commands"].get(entity.domain, ())[:1]:
        text = _said(command["not"], entity)
        yield SelfCase(group="negation", text=text, wanted=Wanted.STOP, about=entity.id)


def _out_of_range(entity: Entity, sentences: Mapping[str, Any]) -> Iterator[SelfCase]:
    say = sentences["out_of_range"].get(entity.domain)
    if say:
        yield SelfCase(group="out of range", text=_said(say, entity), wanted=Wanted.STOP, about=entity.id)


def _both(commands: Sequence[SelfCase], sentences: Mapping[str, Any]) -> Iterator[SelfCase]:
    for one, other in list(pairwise(_first_of_each(commands)))[::2]:
        text = sentences["both"].format(command=one.text, other_command=other.text)
        yield SelfCase(group="both", text=text, wanted=Wanted.ACT, acts=(*one.acts, *other.acts), about=one.about)


def _absent(home: Home, commands: Sequence[SelfCase], sentences: Mapping[str, Any]) -> Iterator[SelfCase]:
    """Put what a real name calls its thing at a place that this home does not have."""
    things: tuple[Area | Entity, ...] = (*home.areas, *home.entities)
    known = " ".join(n.casefold() for thing in things for n in (thing.name, *thing.aliases))
    places = [said for place, said in sentences["places"].items() if place.casefold() not in known]
    names = {entity.id: entity.name for entity in home.entities}
    for i, command in enumerate(_first_of_each(commands)):
        name = names.get(command.about or "")
        if not places or name is None or name not in command.text:
            continue
        rule = sentences["absent"]
        absent = rule["say"].format(thing=_kind_in(name, home, rule), place=places[i % len(places)])
        yield SelfCase(group="absent", text=command.text.replace(name, absent), wanted=Wanted.STOP)


def _kind_in(name: str, home: Home, rule: Mapping[str, Any]) -> str:
    """Return what a name calls its thing, without where it stands: the kitchen lamp is a lamp."""
    match rule["thing"]:
        case "last":
            return name.rsplit(maxsplit=1)[-1]
        case "first":
            words = list(takewhile(lambda word: word not in rule["joints"], name.split()))
            return " ".join(words) or name
        case _:  # "rest": names are written without spaces
            return reduce(lambda rest, area: rest.replace(area.name, ""), home.areas, name) or name


def _first_of_each(commands: Sequence[SelfCase]) -> list[SelfCase]:
    return list({command.about: command for command in reversed(commands)}.values())[::-1]


def _said(pattern: str, entity: Entity) -> str:
    return pattern.format(name=entity.name)
