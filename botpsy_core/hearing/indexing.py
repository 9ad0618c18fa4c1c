"""Indexing: makes a home's index once, from its names, places and kinds."""

from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from threading import Lock

from botpsy_core.domain.home import Area, Entity, Floor, Home
from botpsy_core.hearing.compounds import compounds_of, known_pairs, place_heads, split_compound
from botpsy_core.hearing.index import Bits, HomeIndex, Name, Place
from botpsy_core.hearing.lexicon import DEFAULT_LANGUAGE, Lexicon, lexicon_for
from botpsy_core.hearing.senses import Meaning, Sense
from botpsy_core.hearing.tokens import is_unspaced, words_of
from botpsy_core.hearing.vocabulary import Vocabulary, followers, stems_of

_KEPT = 8
"""Homes whose index is kept; a host has one, a test run many."""
_LONG_STEM = 5
"""Letters of a stem that may be recognised through a slip."""


_kept: OrderedDict[tuple[object, ...], HomeIndex] = OrderedDict()
_lock = Lock()


def index_for(home: Home, lexicon: Lexicon) -> HomeIndex:
    """Return the home's index, from the last few made where names, places and kinds are the same."""
    key = (
        lexicon.language,
        tuple((e.id, e.name, e.aliases, e.device_class, e.area_id) for e in home.entities),
        home.areas,
        home.floors,
    )
    with _lock:
        if key in _kept:
            _kept.move_to_end(key)
            return _kept[key]
    made = _build(home, lexicon)
    with _lock:
        _kept[key] = made
        while len(_kept) > _KEPT:
            _kept.popitem(last=False)
    return made


def content_words(text: str, lexicon: Lexicon) -> tuple[str, ...]:
    """Return the words of a name without articles and links, or all where nothing else is left."""
    words = words_of(text)
    light = {Sense.ARTICLE, Sense.LINK}
    kept = tuple(w for w in words if not light & {m.sense for m in lexicon.phrases.get((w,), ())})
    return kept or words


def _build(home: Home, lexicon: Lexicon) -> HomeIndex:
    heads = place_heads(home, lexicon)
    names = tuple(_names(entity, heads, lexicon) for entity in home.entities)
    areas, kinds = _sorted_out(home.entities)
    places = tuple(_places(home, areas, lexicon))
    place_words: dict[str, tuple[Place, ...]] = defaultdict(tuple)
    for place in places:
        for word in {w for name in place.names for w in name}:
            place_words[word] = (*place_words[word], place)
    exact, name_words, units = _by_name(names, lexicon)
    wholes = {name: 0 for place in places for name in place.names} | exact
    for n, own in enumerate(names):
        for name in own:
            wholes[name.whole] = wholes.get(name.whole, 0) | 1 << n
    compounds = compounds_of(home, known_pairs(home, lexicon), heads, lexicon)
    vocabulary = Vocabulary.of((*name_words, *place_words), lexicon)
    stems = _stems(vocabulary.words, lexicon)
    after, before = followers(wholes)
    return HomeIndex(
        entities=home.entities,
        everything=(1 << len(home.entities)) - 1,
        names=names,
        exact=exact,
        wholes=wholes,
        longest=max(map(len, wholes), default=0),
        name_words=name_words,
        units=units,
        places=places,
        place_words=dict(place_words),
        concepts=_concepts(home.entities, names, kinds, lexicon),
        stems=stems,
        long_stems=Vocabulary.of((stem for stem in stems if len(stem) >= _LONG_STEM), lexicon),
        vocabulary=vocabulary,
        after=after,
        before=before,
        compounds=compounds,
        wholes_as_one=Vocabulary.of(compounds, lexicon),
        heads=heads,
        synonyms=_synonyms(names, lexicon),
        areas=areas,
    )


def _sorted_out(entities: Sequence[Entity]) -> tuple[Mapping[str, Bits], Mapping[str, Bits]]:
    """Return the entities of each area and of each kind."""
    areas: dict[str, Bits] = defaultdict(int)
    kinds: dict[str, Bits] = defaultdict(int)
    for n, entity in enumerate(entities):
        if entity.area_id:
            areas[entity.area_id] |= 1 << n
        for kind in {entity.domain, entity.kind}:
            kinds[kind] |= 1 << n
    return dict(areas), dict(kinds)


def _concepts(
    entities: Sequence[Entity], names: Sequence[tuple[Name, ...]], kinds: Mapping[str, Bits], lexicon: Lexicon
) -> dict[str, Bits]:
    """Return the entities that each kind word may mean.

    A kind that is told by its class ("television") takes a thing without a class too, unless its name says another
    such kind ("Speaker").
    """
    classed = {c: {k.partition(".")[0] for k in covered if "." in k} for c, covered in lexicon.kinds.items()}
    plain: dict[tuple[str, frozenset[str]], Bits] = defaultdict(int)
    for n, entity in enumerate(entities):
        if entity.device_class is None:
            called = _called([word for name in names[n] for word in name.words], lexicon)
            plain[entity.domain, frozenset(c for c in called if entity.domain in classed[c])] |= 1 << n

    def covers(concept: str, kind: str) -> Bits:
        if kind not in classed[concept]:
            return kinds.get(kind, 0)
        return _union(
            bits for (domain, called), bits in plain.items() if domain == kind and concept in (called or {concept})
        )

    return {c: _union(covers(c, kind) for kind in covered) for c, covered in lexicon.kinds.items()}


def _called(words: Iterable[str], lexicon: Lexicon) -> set[str]:
    """Return the kinds that the words of a name say."""
    meanings = (m for word in words for m in lexicon.phrases.get((word,), ()))
    return {m.value for m in meanings if m.sense is Sense.KIND and m.value in lexicon.kinds}


type _Named = dict[tuple[str, ...], Bits]


def _by_name(names: Sequence[tuple[Name, ...]], lexicon: Lexicon) -> tuple[_Named, dict[str, Bits], _Named]:
    """Return the entities of each name, of each word of a name, and of each unspaced part of one."""
    exact: _Named = defaultdict(int)
    words: dict[str, Bits] = defaultdict(int)
    units: _Named = defaultdict(int)
    for n, own in enumerate(names):
        for name in own:
            exact[name.words] |= 1 << n
            for word in name.words:
                if not is_unspaced(word):
                    words[word] |= 1 << n
            for unit in _units(name.words, lexicon):
                units[unit] |= 1 << n
    return dict(exact), dict(words), dict(units)


def _units(words: tuple[str, ...], lexicon: Lexicon) -> Iterator[tuple[str, ...]]:
    """Yield the runs of unspaced words that a name is made of: words of the language, and what stands between."""
    run: list[str] = []
    at = 0
    while at < len(words):
        unspaced = is_unspaced(words[at])
        size = lexicon.longest_at(words, at, len(words))[0] if unspaced else 1
        if not unspaced or size:
            yield from (tuple(run),) if run else ()
            run = []
        if unspaced and size:
            yield words[at : at + size]
        elif unspaced:
            run.append(words[at])
        at += max(size, 1)
    if run:
        yield tuple(run)


def _names(entity: Entity, heads: frozenset[str], lexicon: Lexicon) -> tuple[Name, ...]:
    spoken = ((entity.name, False), *((alias, True) for alias in entity.aliases))
    return tuple(Name(_parts(text, heads, lexicon), words_of(text), alias) for text, alias in spoken if words_of(text))


def _parts(text: str, heads: frozenset[str], lexicon: Lexicon) -> tuple[str, ...]:
    words = content_words(text, lexicon)
    return tuple(part for word in words for part in split_compound(word, heads, lexicon) or (word,))


def _synonyms(names: Sequence[tuple[Name, ...]], lexicon: Lexicon) -> Mapping[Meaning, Bits]:
    found: dict[Meaning, Bits] = defaultdict(int)
    for n, own in enumerate(names):
        for name in own:
            for meaning in _places_in(name.words, lexicon):
                found[meaning] |= 1 << n
    return found


def _places_in(words: Sequence[str], lexicon: Lexicon) -> Iterator[Meaning]:
    for at in range(len(words)):
        for size in range(1, len(words) - at + 1):
            found = lexicon.phrases.get(tuple(words[at : at + size]), ())
            yield from (m for m in found if m.sense in {Sense.PLACE, Sense.FLOOR})


def _places(home: Home, areas: Mapping[str, Bits], lexicon: Lexicon) -> Iterator[Place]:
    for area in home.areas:
        yield _place(area, areas.get(area.id, 0), Sense.PLACE, lexicon)
    for floor in home.floors:
        bits = _union(areas.get(a.id, 0) for a in home.areas if a.floor_id == floor.id)
        yield _place(floor, bits, Sense.FLOOR, lexicon)


def _place(place: Area | Floor, bits: Bits, sense: Sense, lexicon: Lexicon) -> Place:
    names = tuple(words for text in (place.name, *place.aliases) if (words := content_words(text, lexicon)))
    languages = (lexicon, lexicon_for(DEFAULT_LANGUAGE))
    groups = frozenset(
        m.value
        for text in (place.name, *place.aliases)
        for spoken in languages
        for m in spoken.phrases.get(words_of(text), ())
        if m.sense is sense
    )
    return Place(place.id, place.name, names, bits, groups, sense is Sense.FLOOR)


def _stems(vocabulary: Iterable[str], lexicon: Lexicon) -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for word in vocabulary:
        for stem in stems_of(word, lexicon.endings):
            found[stem].add(word)
    return {stem: frozenset(words) for stem, words in found.items()}


def _union(sets: Iterable[Bits]) -> Bits:
    union = 0
    for bits in sets:
        union |= bits
    return union
