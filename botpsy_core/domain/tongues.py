"""Languages by their names, in the words of eleven languages: what a tag like "zh-CN" is said by."""

import re
import unicodedata
from collections.abc import Mapping

NAMES: Mapping[str, str] = {
    "en": "english|englisch|anglais|ingles|inglese|engels|angielsk|англи|英语|英文|अंग्रे",
    "de": "german|deutsch|allemand|aleman|alemao|tedesc|duits|niemieck|немец|德语|德文|जर्मन",
    "fr": "french|franzos|francais|frances|frans|francusk|франц|法语|法文|फ्रेंच|फ्रांसी",
    "es": "spanish|spanisch|espagnol|espanol|espanhol|spagnol|spaans|hiszpansk|испан|西班牙|स्पेन",
    "it": "italian|italien|wlosk|итальян|意大利|इतालवी",
    "pt": "portug|португал|葡萄牙|पुर्तग",
    "nl": "dutch|niederland|hollandisch|neerlandais|holandes|olandes|nederlands|niderlandzk|голланд|нидерланд|荷兰|डच",
    "pl": "polish|polnisch|polonais|polaco|polacc|pools|polsk|польск|波兰|पोलिश",
    "ru": "russi|russ[eo]|ruso|rosyjsk|русск|俄语|俄文|रूसी",
    "zh": "chinese|mandarin|chinesisch|chinois|chino|cines|chinees|chinsk|китай|中文|汉语|普通话|चीनी",
    "hi": "hindi|хинди|印地|हिंदी|हिन्दी",
    "ja": "japanese|japanisch|japonais|japones|giappones|japans|japonsk|япон|日语|日文|जापानी",
    "ko": "korean|koreanisch|coreen|coreano|koreaans|koreansk|корей|韩语|韩文|कोरिया",
    "ar": "arabi|arabe|arabo|arabsk|арабск|阿拉伯|अरबी",
    "tr": "turkish|turkisch|turc|turco|turks|tureck|турец|土耳其|तुर्की",
    "sv": "swedish|schwedisch|suedois|sueco|svedes|zweeds|szwedzk|швед|瑞典",
    "uk": "ukrain|украин|乌克兰",
}
"""Subtag (BCP 47) -> the beginnings of its names, without accents."""
TAG = re.compile(r"([a-z]{2})(?:[-_][a-z]{2,4})?", re.IGNORECASE)
_NAMED = {tag: re.compile(rf"(?:(?<![^\W_])|(?<=[\u3000-\u9fff]))(?:{names})\w{{0,4}}") for tag, names in NAMES.items()}
_ENDS = re.compile(
    r"['\"\u201d\u2019)]*\s*(?:$|[.,;:?!\u3000-\u9fff]|(?:and|or|to|into|from|please|und|oder|nach|et|ou|y|o|e|a|en|of|naar"
    r"|i|lub|na|и|или|на)\b)"
)
"""What may stand behind the name of a language: a noun makes it a country's ("Chinese tea")."""


def subtag(tag: str) -> str:
    """Return the language of a tag ("zh" of "zh-CN"); empty for what is no tag of a known language."""
    found = TAG.fullmatch(tag)
    return found[1].lower() if found and found[1].lower() in NAMES else ""


def tongues_in(text: str) -> Mapping[str, tuple[int, int]]:
    """Return the languages that a text names, by their subtag, each with the place of its name."""
    plain = "".join(unicodedata.normalize("NFD", letter)[0] for letter in text.casefold())
    if len(plain) != len(text):
        plain = text.lower()
    hits = {
        tag: next((m for m in pattern.finditer(plain) if _ENDS.match(plain, m.end())), None)
        for tag, pattern in _NAMED.items()
    }
    return {tag: hit.span() for tag, hit in hits.items() if hit is not None}
