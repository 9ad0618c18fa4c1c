"""An exchange as a picture: what was said and what came back on one line of time."""

import html

from tests.e2e.voice.exchange import Exchange
from tests.e2e.voice.sound import Sound

WIDTH, LEFT, ROW = 880, 24, 190
HALF = 34
"""Half the height of a wave."""
LETTER = 8.0
"""How wide a letter of a sentence is, on average."""
FAMILY = "system-ui, Segoe UI, Roboto, Helvetica, Arial, sans-serif"
ASKED, ANSWERED, DIM, INK = "#7aa2f7", "#9ece6a", "#8b93b5", "#c8d0f0"


def draw(exchanges: list[Exchange]) -> str:
    """Return the picture of these exchanges, one below the other, on one scale of time."""
    ends = max(each.times["first-sound"] + each.reply.seconds for each in exchanges)
    scale = (WIDTH - 2 * LEFT) / ends
    height = ROW * len(exchanges) + 16
    rows = "\n".join(_row(each, 16 + ROW * number, scale) for number, each in enumerate(exchanges))
    label = "; ".join(f"spoken: {each.said} answered: {each.answer}" for each in exchanges)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
        f'role="img" aria-label="{html.escape(label)}">\n'
        f'<rect width="100%" height="100%" rx="10" fill="#1a1b26"/>\n'
        f'<g font-family="{FAMILY}" font-size="14" fill="{INK}">\n{rows}\n</g>\n</svg>\n'
    )


def _row(each: Exchange, top: float, scale: float) -> str:
    speech, answer = LEFT, LEFT + each.times["first-sound"] * scale
    middle = top + 72
    parts = [
        f'<line x1="{LEFT}" y1="{middle:.1f}" x2="{WIDTH - LEFT}" y2="{middle:.1f}" stroke="#2f334d"/>',
        _wave(each.question, speech, middle, scale, ASKED),
        _wave(each.reply, answer, middle, scale, ANSWERED),
        _text(speech, top + 24, each.said, ASKED, 15),
        _answer(answer, top + 24, each.answer),
    ]
    below = (
        (each.question.seconds, "end of speech", 0),
        (each.times["stt-end"], f"heard: {each.heard}  +{each.after_speech('stt-end'):.2f} s", 1),
        (each.times["intent-end"], f"decided  +{each.after_speech('intent-end'):.2f} s", 2),
        (each.times["first-sound"], f"first sound  +{each.after_speech('first-sound'):.2f} s", 3),
    )
    for at, text, row in below:
        x, y = LEFT + at * scale, middle + HALF + 12 + 16 * row
        parts.append(
            f'<line x1="{x:.1f}" y1="{middle - HALF:.1f}" x2="{x:.1f}" y2="{y:.1f}" stroke="{DIM}" '
            f'stroke-dasharray="2 3"/>'
        )
        parts.append(_text(x - 6, y, text, DIM, 12, "end") if x > WIDTH / 2 else _text(x + 6, y, text, DIM, 12))
    return "\n".join(parts)


def _answer(x: float, y: float, text: str) -> str:
    """Return the answer's words above its sound, or up to the margin where they are longer."""
    fits = x + len(text) * LETTER < WIDTH - LEFT
    return _text(x, y, text, ANSWERED, 15) if fits else _text(WIDTH - LEFT, y, text, ANSWERED, 15, "end")


def _text(x: float, y: float, text: str, colour: str, size: int, anchor: str = "start") -> str:
    shown = html.escape(text, quote=False)
    return f'<text x="{x:.1f}" y="{y:.1f}" fill="{colour}" font-size="{size}" text-anchor="{anchor}">{shown}</text>'


def _wave(sound: Sound, left: float, middle: float, scale: float, colour: str) -> str:
    columns = max(1, int(sound.seconds * scale / 3))
    bars = "".join(
        f"M{left + 3 * number:.1f} {middle - max(1.0, peak * HALF):.1f}v{2 * max(1.0, peak * HALF):.1f}"
        for number, peak in enumerate(sound.peaks(columns))
    )
    return f'<path d="{bars}" stroke="{colour}" stroke-width="2" stroke-linecap="round" fill="none"/>'
