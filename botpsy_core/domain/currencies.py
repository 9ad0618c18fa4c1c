"""Money by its name and by its code (ISO 4217): facts that no model has to remember."""

import re
import unicodedata
from collections.abc import Mapping, Sequence

NOUNS: Mapping[str, str] = {
    "dollar": "dollar", "dolar": "dollar", "доллар": "dollar", "डॉलर": "dollar", "元": "yuan",
    "euro": "euro", "евро": "euro", "यूरो": "euro", "欧元": "euro",
    "pound": "pound", "pfund": "pound", "livre": "pound", "libra": "pound", "sterlin": "pound", "pond": "pound",
    "funt": "pound", "фунт": "pound", "पाउंड": "pound", "英镑": "pound",
    "yen": "yen", "jen": "yen", "iene": "yen", "иен": "yen", "येन": "yen", "日元": "yen",
    "yuan": "yuan", "juan": "yuan", "renminbi": "yuan", "юан": "yuan", "人民币": "yuan", "युआन": "yuan",
    "franc": "franc", "frank": "franc", "франк": "franc", "फ्रैंक": "franc",
    "krona": "krona", "kronor": "krona", "krone": "krona", "kroner": "krona", "couronne": "krona", "coron": "krona",
    "coroa": "krona", "kroon": "krona", "kronen": "krona", "koron": "krona", "koruna": "krona", "крон": "krona",
    "rupee": "rupee", "rupie": "rupee", "roupie": "rupee", "rupia": "rupee", "rupi": "rupee", "рупи": "rupee",
    "रुपय": "rupee",
    "peso": "peso", "песо": "peso", "won": "won", "вон": "won", "韩元": "won", "real": "real", "reais": "real",
    "ruble": "ruble", "rouble": "ruble", "rubel": "ruble", "rubl": "ruble", "рубл": "ruble", "卢布": "ruble",
    "lira": "lira", "лир": "lira", "zloty": "zloty", "злот": "zloty", "rand": "rand", "forint": "forint",
    "shekel": "shekel", "dirham": "dirham", "riyal": "riyal", "baht": "baht", "ringgit": "ringgit",
    "美元": "dollar", "港元": "hong kong dollar", "加元": "canadian dollar", "澳元": "australian dollar",
}  # fmt: skip
"""Beginnings of words, without accents -> what the money is called."""
ALONE: Mapping[str, str] = {
    "dollar": "USD", "euro": "EUR", "pound": "GBP", "yen": "JPY", "yuan": "CNY", "franc": "CHF", "rupee": "INR",
    "won": "KRW", "real": "BRL", "ruble": "RUB", "lira": "TRY", "zloty": "PLN", "rand": "ZAR", "forint": "HUF",
    "shekel": "ILS", "dirham": "AED", "riyal": "SAR", "baht": "THB", "ringgit": "MYR", "hong kong dollar": "HKD",
    "canadian dollar": "CAD", "australian dollar": "AUD",
}  # fmt: skip
"""Money -> the code that is meant where no country is said; several have none."""
OF: Mapping[str, Mapping[str, Sequence[str]]] = {
    "dollar": {
        "CAD": ("canad", "kanad", "канад"), "AUD": ("austral", "австрал"), "NZD": ("zealand", "neusee", "зеланд"),
        "HKD": ("kong", "hongkong", "гонконг"), "SGD": ("singap", "сингап"), "TWD": ("taiwan", "тайван"),
    },
    "pound": {"EGP": ("egyp", "agyp", "егип")},
    "krona": {
        "SEK": ("swed", "schwed", "sued", "suec", "sved", "zweed", "szwedz", "швед"),
        "NOK": ("norw", "norv", "noru", "noors", "норв"), "DKK": ("dan", "deens", "dun", "дат"),
        "CZK": ("czech", "tschech", "tchequ", "checa", "cec", "tcheca", "tsjech", "czesk", "чеш"),
        "ISK": ("icel", "islan", "исланд"),
    },
    "rupee": {"PKR": ("pakist", "пакист"), "LKR": ("lank", "ланк"), "NPR": ("nepal", "непал"), "IDR": ("indones",)},
    "peso": {
        "MXN": ("mexic", "mexik", "meksyk", "мексик"), "ARS": ("argent", "аргент"), "CLP": ("chil", "чили"),
        "COP": ("colom", "kolum", "колум"), "PHP": ("philip", "filip", "филип"),
    },
    "riyal": {"QAR": ("qatar",), "OMR": ("oman",)},
}  # fmt: skip
"""Money -> codes of the countries that call theirs so, by the beginnings of their words."""
SIGNS: Mapping[str, str] = {"€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "$": "USD", "₽": "RUB", "₩": "KRW"}
CODES = frozenset({*ALONE.values(), *(code for codes in OF.values() for code in codes)})
ENDING = 4
"""Letters that a form of a word adds to its beginning at most."""
BEFORE = 2
"""Words before the money's name that may tell its country; of some languages it is the one behind it."""
_WORD = re.compile(r"(?:[^\W\d_]|[\u0900-\u097f])+")
_MARK = re.compile(r"[\u0300-\u036f]")
_UNSPACED = re.compile(r"[\u3000-\u9fff]")
_LONGEST_FIRST = sorted(NOUNS, key=len, reverse=True)


def currencies_in(text: str) -> frozenset[str]:
    """Return the codes of the money that a text names, in words of eleven languages, by signs or by codes."""
    words = [_plain(word) for word in _WORD.findall(text)]
    found = {SIGNS[sign] for sign in text if sign in SIGNS} | {w.upper() for w in words if w.upper() in CODES}
    for place, word in enumerate(words):
        for noun in _nouns_in(word):
            found |= _codes_of(NOUNS[noun], words[max(0, place - BEFORE) : place + 2])
    return frozenset(found)


def _nouns_in(word: str) -> list[str]:
    """Return the noun that a word is a form of, or all that a run of words without spaces holds."""
    if _UNSPACED.search(word):
        held = [n for n in _LONGEST_FIRST if n in word]
        return [n for n in held if not any(n in other for other in held if other != n)]
    return [n for n in _LONGEST_FIRST if word.startswith(n) and len(word) <= len(n) + ENDING][:1]


def _codes_of(money: str, beside: Sequence[str]) -> set[str]:
    """Return the code of the country that a word beside the money tells, else the one that is meant without any."""
    told = [c for c, starts in OF.get(money, {}).items() if any(word.startswith(tuple(starts)) for word in beside)]
    return {told[-1]} if told else {ALONE[money]} if money in ALONE else set()


def _plain(word: str) -> str:
    apart = unicodedata.normalize("NFD", word.casefold())
    return unicodedata.normalize("NFC", _MARK.sub("", apart)).replace("ł", "l")
