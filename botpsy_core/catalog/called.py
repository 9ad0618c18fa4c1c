"""What other people's tools and arguments are called where a name says nothing (`arg1`): the head words of its text.

Tool texts are English. A name that says something stays as it is.
"""

import re
from collections.abc import Mapping, Sequence

from botpsy_core.domain.values import JsonObject

OPAQUE = re.compile(
    r"(?:\w+__)?(?:a|action|api|arg|argument|attr|attribute|command|endpoint|f|field|fn|func|function|in|input|k|key|method|op"
    r"|operation|opt|option|p|par|param|parameter|prop|property|t|tool|v|val|value|var|variable)s?[_.\-]?\d+",
    re.IGNORECASE,
)
"""A name that only counts: `arg1`, `value_2`, `cafe__function_3`."""
MOST_WORDS = 4
"""Of a name."""
MOST_OWN = 2
"""Words that tell a name from another."""
TAKEN = "target"
"""What the things of the home are called, in a tool that acts on them."""
PREAMBLE = re.compile(
    r"(?:this|the|an?) (?:function|tool|api|method|endpoint)\b"
    r"(?: (?:is|can be) (?:(?:used|designed|intended) )?(?:to|for)"
    r"| will| can| allows (?:you|users?|one) to| helps (?:you |users? )?(?:to )?)?\s*"
)
"""How a tool's description begins that says of itself what it is."""
_LEAD = re.compile(
    r"\s*(?:\[[^\]]*\]|\([^)]*\)|(?:optional|required)\b(?! \w)|(?:if|when) (?:set to )?(?:true|set|given|provided)\b"
    r"|true (?:if|when)\b"
    r"|(?:an? |the )?(?:boolean|bool)?\s*(?:flag|option|switch|parameter|indicator|setting|boolean|value|string)"
    r"(?: (?:that|which))? (?:to|for|of|indicating|indicates|specifying|specifies|determines|determining|representing"
    r"|controlling|describing|whether|if)\b"
    r"|(?:an? |the )?(?:lists?|arrays?|tuples?|sets?|series|sequences?|collections?|strings?|dictionary|object)"
    r" (?:of|containing|with|representing)\b"
    r"|(?:indicates?|indicating|specify|specifies|specifying|determines?|determining|decides?|defines?|controls?|states?"
    r"|stating|represents?|representing|describes?|describing|contains?|containing|sets?|setting)\b"
    r"(?= (?:whether|if|to|the|an?|what|which|how)\b)"
    r"|to (?:indicate|specify|determine|decide|define|control|state)\b|whether(?: or not)?\b|if\b|to\b|so that\b"
    r"|(?:the|an?|its|your|their|this|these|any|all|each|exact|full|desired|preferred|specific|specified|given|chosen"
    r"|requested|official|certain|particular|optional|required|valid|unique|user's)\b(?= \w)|[\s:,;.\-])",
    re.IGNORECASE,
)
"""What may stand before the word that says what an argument is."""
_STOP = frozenset({
    "about", "above", "after", "against", "along", "among", "and", "are", "around", "as", "at", "based", "be", "been",
    "before", "being", "below", "between", "by", "can", "could", "default", "defaults", "due", "during", "e", "either",
    "expressed", "for", "formatted", "from", "given", "has", "have", "having", "how", "if", "in", "included",
    "including", "into", "involved", "is", "it", "like", "may", "measured", "must", "needed", "of", "on", "onto", "or",
    "over", "per", "preferred", "represented", "representing", "required", "should", "since", "so", "specified",
    "such", "than", "that", "through", "to", "under", "until", "used", "using", "via", "was", "were", "what", "when",
    "where", "whether", "which", "while", "who", "whose", "will", "with", "within", "without", "would", "you",
})  # fmt: skip
"""Words that end the head of a text."""
_SMALL = frozenset({"a", "an", "the", "its", "your", "their", "this", "these", "that", "each", "any", "all"})
_EMPTY = frozenset({"additional", "certain", "current", "desired", "different", "given", "particular", "specific",
    "specified", "total", "various"})  # fmt: skip
"""Words that tell no two things apart."""
_DOING = frozenset({
    "add", "allow", "apply", "avoid", "calculate", "carry", "compute", "create", "enable", "force", "get", "have",
    "include", "make", "manage", "play", "return", "show", "use",
})  # fmt: skip
"""Verbs behind which an article goes on with the same: whether to include a map."""
_PARTICLE = re.compile(r"(on|off|up|down|out|in|back|for|to)\s+", re.IGNORECASE)
"""What belongs to the verb before it: "turns on", "search for"."""
_ENDS_OF = frozenset({"after", "at", "before", "from", "in", "since", "to", "until"})
"""Small words that tell one end of a thing from the other."""
_OF_OTHERS = frozenset({"id", "identifier", "kind", "level", "name", "title", "type", "unit"})
"""Heads that say little without what they are of: the name of a team is a `team_name`."""
_COUNTS = frozenset({"count", "number", "quantity"})
"""Heads that count: what they count follows, `number_of_guests`."""
_AMOUNT = "amount"
_TAILS = frozenset({"level", "preference", "profile"})
"""Last words that add nothing: a volume level is a `volume`."""
_DONE = re.compile(r"(?!.*eed$)\w{4,}ed|flowing|travell?ing")
"""What was done to a thing ("distance travelled") is none of its name."""
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*(?:'s)?")
_HOW_MANY = re.compile(r"\bhow many ((?:\w+ ){0,2}?\w+s)\b.*", re.IGNORECASE)
_ENDS = re.compile(r"[.;()\n](?!\w)|[,:]\s|\(")
_OF = "of"


def argument_names(properties: Mapping[str, JsonObject]) -> Mapping[str, str]:
    """Return what each argument is called; its own name where that says something, or where its text tells no better.

    No two of a tool are called the same: those that would be are told apart by what they are of, then by the words that
    only their own text has, or keep their names.
    """
    texts = {k: _said(str(v.get("description") or "")) for k, v in properties.items() if OPAQUE.fullmatch(k)}
    names = {key: key for key in properties}
    for way in (_short, _whole, _own):
        open_ = {key: texts[key] for key in texts if names[key] == key}
        found = {key: way(text, [t for k, t in open_.items() if k != key]) for key, text in open_.items()}
        for key, name in found.items():
            if name and name not in (TAKEN, *names.values()) and sum(other == name for other in found.values()) == 1:
                names[key] = name
    return names


def tool_title(name: str, description: str) -> str:
    """Return what a tool is called where its name says nothing: its verb and what that is about; else empty."""
    if not OPAQUE.fullmatch(name):
        return ""
    said = description.strip()
    preamble = PREAMBLE.match(said.lower())
    verb, _, rest = said[preamble.end() if preamble else 0 :].partition(" ")
    plain, particle = _WORD.match(verb), _PARTICLE.match(rest)
    if plain is None or not plain[0].isascii():
        return ""
    what = _short(_said(rest[particle.end() if particle else 0 :]), ())
    return "_".join(filter(None, (plain[0].lower(), particle[1].lower() if particle else "", what)))


def _said(text: str) -> list[str]:
    """Return the words of a text from the one on that may say what it is about, up to the end of its clause."""
    text, begins = _HOW_MANY.sub(r"number of \1", text), 0
    while (lead := _LEAD.match(text, begins)) and lead.end() > begins:
        begins = lead.end()
    return _WORD.findall(_ENDS.split(text[begins:], maxsplit=1)[0].lower())


def _short(words: Sequence[str], _: Sequence[Sequence[str]]) -> str:
    """Return the head of a text as a name, with what it is of where it says little without."""
    head, other = _parts(words)
    if head and head[-1] in _COUNTS and other:
        return _name((*head[:-1], *other) if head[:-1] else ("number", _OF, *other))
    if len(head) == MOST_OWN and head[-1] in _TAILS and not head[0].endswith("ing"):
        return _name(head[:-1])
    if head == [_AMOUNT] and other:
        return _name((_AMOUNT, _OF, *other))
    return _name(([*other, *head] if head and head[-1] in _OF_OTHERS else head)[-MOST_WORDS:])


def _whole(words: Sequence[str], _: Sequence[Sequence[str]]) -> str:
    """Return the head of a text with what it is of."""
    head, other = _parts(words)
    return _name((*other, *head))


def _own(words: Sequence[str], others: Sequence[Sequence[str]]) -> str:
    """Return the head of a text with a few words that no other has: a currency to convert `from`."""
    known = {word for other in others for word in other}
    own = [word for word in words if word not in known and (word in _ENDS_OF or word not in _STOP | _SMALL)][:MOST_OWN]
    if not own and words and words[-1] in _ENDS_OF and all(words[-1:] != other[-1:] for other in others):
        own = [words[-1]]
    head, _ = _parts(words)
    return _name((*head, *own)) if head and own and others else ""


def _name(words: Sequence[str]) -> str:
    name = "_".join(words).replace("-", "_").replace("'s", "")
    return name if name.isascii() else ""


def _parts(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the head of a text and whose it is: what stands behind its "of", or owns it ("the player's name")."""
    groups: list[list[str]] = [[]]
    owner: list[str] = []
    for word in words:
        if word.endswith("'s"):
            owner, groups[-1] = [*groups[-1], word.removesuffix("'s")], []
        elif word == _OF and groups[-1]:
            groups.append([])
        elif word in _STOP or (word in _SMALL and groups[-1] and groups[-1][-1] not in _DOING):
            break  # "the height the object falls from": another article begins another clause
        elif word not in _SMALL:
            groups[-1].append(word)
    head, *others = groups
    while len(head) > 1 and _DONE.fullmatch(head[-1]):
        head.pop()
    kept = [word for word in head[:-1] if word not in _EMPTY]
    return [*kept, *head[-1:]], others[0] if others else owner
