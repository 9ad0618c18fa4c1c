"""Unnamed: what a clause means that names nothing: a reference, everything, or what its verb implies."""

from collections.abc import Sequence
from dataclasses import replace

from botpsy_core.domain.heard import How, Target
from botpsy_core.domain.tools import Direction
from botpsy_core.hearing.fitting import Fit, Group
from botpsy_core.hearing.index import Bits
from botpsy_core.hearing.labels import label_of
from botpsy_core.hearing.reading import Segment
from botpsy_core.hearing.references import referred
from botpsy_core.hearing.scene import Hint, Scene
from botpsy_core.hearing.senses import Sense
from botpsy_core.hearing.targets import Implied, Phrase, resolve

_LEFT_OUT = 0.7
"""Score of what was acted on last, where a clause names nothing."""
_DOUBTED = 0.55
"""Score of a thing of the right kind, where "it" meant another thing before."""
_STEERING = frozenset({Direction.UP, Direction.DOWN, Direction.SET, Direction.ON, Direction.OFF, Direction.STOP})


def without_words(
    segments: Sequence[Segment], directions: Sequence[Direction], scene: Scene, hint: Hint, phrase: Phrase
) -> list[Target]:
    """Return the things that a clause without names means."""
    index = scene.reading.index
    pointing = [s for s in segments if s.has(Sense.REFERENCE)]
    if phrase.everything:
        pointing = [s for s in pointing if not s.has(Sense.COPULA)]  # "está todo cerrado", and no "esta"
    references = [m.value for s in pointing for m in s.meanings if m.sense is Sense.REFERENCE]
    if references:
        impersonal = any(s.has(Sense.COMPLAINT) for s in segments) and not directions  # "it's too cold"
        found = _referents(references[0], scene, hint)
        fitting = _fitting(found, phrase.implied, scene)
        return _here(phrase, scene) or fitting if impersonal and not _share(found, fitting) else fitting
    if phrase.everything and phrase.implied is None:
        everything = replace(phrase, fits=(Fit.anything(index.everything),))
        return list(resolve(everything, scene.reading))
    implied = phrase.implied.bits if phrase.implied else 0
    found = [_implied(n, implied, scene) for n in index.members(implied)]
    if any(s.has(Sense.COMPLAINT) for s in segments) and not directions:
        found = _here(phrase, scene) or found
    steered = bool(_STEERING & set(directions)) or any(s.value for s in segments)
    if steered and not hint.antecedents:
        last = index.bits_of(scene.past.entities)
        if last and (phrase.implied is None or not last & ~implied):
            found = [t for t in found if t.entities != index.ids(last)]
            found.append(_referent(last, scene, _LEFT_OUT))
    return found


def _here(phrase: Phrase, scene: Scene) -> list[Target]:
    """Return what of the implied kind is in the room where it was said; nothing where that is not known."""
    places = [p for p in scene.reading.index.places if p.bits == scene.room and not p.floor][:1]
    if not places or phrase.implied is None or not scene.room & phrase.implied.bits:
        return []
    room = Group(scene.room, places=tuple(places))
    return list(resolve(replace(phrase, fits=(Fit(scene.room, (room,), ()),)), scene.reading))


def _share(found: list[Target], fitting: list[Target]) -> bool:
    return bool({i for t in found for i in t.entities} & {i for t in fitting for i in t.entities})


def _implied(number: int, implied: Bits, scene: Scene) -> Target:
    several = bool(implied & (implied - 1))
    entity = scene.reading.index.entities[number]
    in_room = bool(scene.room >> number & 1)
    score = 0.8 if not several else 0.65 if in_room else 0.55
    return Target(label=entity.name, entities=(entity.id,), score=score, how=How.ROOM if in_room else How.KIND)


def _fitting(found: list[Target], implied: Implied | None, scene: Scene) -> list[Target]:
    """Return the referents that are of the implied kind ("make it warmer"); else what is of it, to be asked about."""
    if implied is None:
        return found
    index = scene.reading.index
    fitting = [t for t in found if not index.bits_of(t.entities) & ~implied.bits]
    if fitting:
        return fitting
    of_kind = [_implied(n, implied.bits, scene) for n in index.members(implied.bits)]
    return [replace(t, how=How.FUZZY, score=min(t.score, _DOUBTED)) for t in of_kind] if found else of_kind


def _referents(reference: str, scene: Scene, hint: Hint) -> list[Target]:
    """Return what "it", "them", "there" or "the other one" may mean."""
    if hint.antecedents and reference in {"it", "them"}:
        return [replace(t, how=How.REFERENCE, span=None) for t in hint.antecedents]
    sets = referred(reference, scene.past, scene.reading.index)
    return [_referent(bits, scene, 0.9 if len(sets) == 1 else 0.6) for bits in sets]


def _referent(bits: Bits, scene: Scene, score: float) -> Target:
    index = scene.reading.index
    return Target(label=label_of(bits, index), entities=index.ids(bits), score=score, how=How.REFERENCE)
