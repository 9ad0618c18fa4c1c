"""Slips of finger and ear: letters of a text made wrong as people do it, by language, always the same.

`python -m tests.core.hearing.slips` prints how many of each language's sentences are still understood.
"""

import random
import sys

from tests.core.hearing.tables import best, heard, home_of, languages, table

KEYS = {
    "en": ("qwertyuiop", "asdfghjkl", "zxcvbnm"),
    "de": ("qwertzuiopü", "asdfghjklöä", "yxcvbnm"),
    "fr": ("azertyuiop", "qsdfghjklm", "wxcvbn"),
    "ru": ("йцукенгшщзхъ", "фывапролджэ", "ячсмитьбю"),
    "hi": ("ौैाीूबहगदजड", "ोे्िुपरकतचट", "मनवलसय"),
}
"""Keyboards, row by row; other languages type on the first."""
SOUNDS = {
    "en": ("ck", "sz", "iy", "ei", "ao", "td", "gj"),
    "de": ("td", "bp", "gk", "sz", "fv", "äe", "iy"),
    "ru": ("оа", "ие", "тд", "бп", "гк", "сз", "шщ", "вф"),  # noqa: RUF001 Cyrillic is meant
    "hi": ("िी", "ुू", "शस", "डद", "टत", "बव", "णन"),
    "": ("aá", "eé", "iy", "sz", "bv", "ck", "gj", "td", "pb", "mn"),
}
"""Letters that sound alike."""
HOMOPHONES = (
    "灯登等蹬",
    "开凯揩",
    "关观官冠",
    "厨橱除",
    "房防仿",
    "客克课",
    "厅听汀",
    "卧握沃",
    "室是事市",
    "门扪们",
    "窗疮",
    "帘连联怜",
    "空孔控",
    "调条跳",
    "温文瘟",
    "度杜渡",
    "音因阴",
    "量亮两晾",
    "电店点垫",
    "视试势",
    "机鸡击",
    "车彻撤",
    "库裤酷",
    "走奏",
    "廊郎狼",
    "浴玉育",
    "书叔输",
    "阳洋羊",
    "台抬太",
    "楼搂漏",
    "上尚",
    "下夏吓",
    "锁琐索",
    "全泉权",
    "部布步",
    "落洛",
    "地弟第",
    "壁必币",
    "操糙",
    "作做坐",
    "沙杀纱",
    "扇善",
    "咖卡",
    "啡飞",
    "吸西洗",
    "尘陈晨",
    "器气汽",
    "播拨波",
    "放方访",
    "乐月越",
    "暖卵",
    "冷愣",
    "热惹",
    "遥摇",
    "床创",
    "头投",
    "主煮",
    "卫位",
    "生声",
    "间尖",
    "二耳",
    "一衣",
    "把靶",
    "打答",
    "闭避",
    "停亭",
    "暗岸案",
    "大达",
    "小晓",
    "高糕",
    "低滴",
    "清青轻",
    "单丹",
    "购够",
    "物雾",
    "牛妞",
    "奶乃",
    "加家佳",
    "添天",
    "解姐界",
    "帮邦",
)
"""Chinese characters that sound alike or nearly so: what a wrong candidate of a Pinyin keyboard, or an ear, writes."""
LETTERS = 4
"""Letters of a word that may hold a slip, at least."""


def neighbours(language):
    rows = KEYS.get(language, KEYS["en"])
    near = {}
    for row, below in zip(rows, (*rows[1:], ""), strict=True):
        for at, key in enumerate(row):
            for other in (*row[max(0, at - 1) : at], *below[max(0, at - 1) : at + 1]):
                near.setdefault(key, set()).add(other)
                near.setdefault(other, set()).add(key)
    return {key: sorted(others) for key, others in near.items()}


def slip(word, near, sounds, rng):
    """Return a word with one letter wrong: left out, doubled, swapped, a key beside it, or one that sounds like it."""
    at = rng.randrange(len(word))
    letter = word[at].lower()
    alike = sorted({o for pair in sounds if letter in pair for o in pair} - {letter})
    kind = rng.randrange(5)
    if kind == 0:
        return word[:at] + word[at + 1 :]
    if kind == 1 and at:
        return word[: at - 1] + word[at] + word[at - 1] + word[at + 1 :]
    if kind == 2 and near.get(letter):
        return word[:at] + rng.choice(near[letter]) + word[at + 1 :]
    if kind == 3 and alike:
        return word[:at] + rng.choice(alike) + word[at + 1 :]
    return word[:at] + word[at] + word[at:]


def misheard(text, *, wrong, rng):
    """Return a text with that many of its Chinese characters written as others that sound alike; None if it has few."""
    places = [n for n, sign in enumerate(text) if any(sign in group for group in HOMOPHONES)]
    if len(places) < wrong:
        return None
    signs = list(text)
    for at in rng.sample(places, wrong):
        group = next(g for g in HOMOPHONES if signs[at] in g)
        signs[at] = rng.choice([o for o in group if o != signs[at]])
    return "".join(signs)


def slipped(text, language, *, wrong, rng):
    """Return a text with that many letters wrong in its longer words."""
    if language == "zh":
        return misheard(text, wrong=wrong, rng=rng)
    near, sounds = neighbours(language), SOUNDS.get(language, SOUNDS[""])
    words = text.split()
    for _ in range(wrong):
        long = [n for n, word in enumerate(words) if len(word) >= LETTERS and not any(c.isdigit() for c in word)]
        if not long:
            return None
        at = rng.choices(long, [len(words[n]) for n in long])[0]
        words[at] = slip(words[at], near, sounds, rng)
    return " ".join(words)


def cases(language):
    """Yield the plain commands of a language's table with what they mean."""
    for row in table(language)["cases"]:
        if row.get("top") and "then" not in row and not row.get("mood"):
            yield row["say"], row["top"]


def meaning(text, language, home):
    clauses = heard(text, home=home, language=language)
    return best(clauses[0]), clauses[0].directions, len(clauses)


def figures(language, wrong, *, seed=11, times=8, told=lambda *_: None):
    """Return the share that still means the same, against the share of clean ones, and how many reach further."""
    rng, home = random.Random(seed), home_of(table(language)["home"])
    right = total = wider = 0
    for text, top in cases(language):
        clean = meaning(text, language, home)
        if clean[0] != top:
            continue
        for _ in range(times):
            said = slipped(text, language, wrong=wrong, rng=rng)
            if said is None:
                break
            clause = heard(said, home=home, language=language)[0]
            got = meaning(said, language, home)
            total += 1
            right += got == clean
            sure = bool(clause.targets) and clause.targets[0].score >= 0.8
            reached = sure and not set(got[0]) <= set(top) and bool(clause.directions)
            wider += reached
            if got != clean:
                told(said, text, got, clause, reached)
    return right / max(total, 1), wider / max(total, 1), total


def shown(said, text, got, clause, reached):
    mark = "WIDER " if reached else ""
    sys.stdout.write(f"   {mark}{said!r} for {text!r}: {got} {[t.score for t in clause.targets[:1]]} {clause.absent}\n")


def main(arguments):
    for language in arguments or languages():
        told = shown if arguments else lambda *_: None
        one, two = (figures(language, wrong, told=told) for wrong in (1, 2))
        further = f"reach further {one[1]:.3f}, {two[1]:.3f}"
        sys.stdout.write(f"{language}: one letter {one[0]:.2f}, two {two[0]:.2f}; {further}; of {one[2]}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
