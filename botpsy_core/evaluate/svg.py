"""Plain plots as SVG text; no library draws them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

_WIDTH, _HEIGHT, _MARGIN = 480, 320, 48
_INK, _GRID = "#222222", "#dddddd"
_COLOURS = ("#1f77b4", "#d62728", "#2ca02c", "#9467bd")


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """Points of one curve, each 0 to 1 both ways."""

    name: str
    points: Sequence[tuple[float, float]]
    dots: bool = False


def curves(title: str, across: str, up: str, lines: Sequence[Line], *, diagonal: bool = False) -> str:
    """Return a plot of shares against shares."""
    parts = [_axes(across, up)]
    if diagonal:
        parts.append(f'<path d="M{_x(0)} {_y(0)} L{_x(1)} {_y(1)}" stroke="{_GRID}" stroke-dasharray="4"/>')
    for i, line in enumerate(lines):
        colour = _COLOURS[i % len(_COLOURS)]
        if line.dots:
            parts += [f'<circle cx="{_x(x)}" cy="{_y(y)}" r="4" fill="{colour}"/>' for x, y in line.points]
        elif line.points:
            path = " L".join(f"{_x(x)} {_y(y)}" for x, y in line.points)
            parts.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts.append(_text(_WIDTH - _MARGIN, _MARGIN + 14 * i, line.name, anchor="end", colour=colour))
    return _page(title, _HEIGHT, parts)


def bars(title: str, counts: Mapping[str, int]) -> str:
    """Return a plot of counts, the largest first."""
    most = max([1, *counts.values()])
    parts = []
    for i, (name, count) in enumerate(sorted(counts.items(), key=lambda item: -item[1])):
        y, length = _MARGIN + 22 * i, round((_WIDTH - 260) * count / most)
        parts.append(_text(190, y + 12, name, anchor="end"))
        parts.append(f'<rect x="196" y="{y}" width="{length}" height="16" fill="{_COLOURS[0]}"/>')
        parts.append(_text(202 + length, y + 12, str(count)))
    return _page(title, max(_MARGIN + 22 * len(counts) + 16, 96), parts)


def _axes(across: str, up: str) -> str:
    parts = []
    for i in range(5):
        share = i / 4
        parts.append(f'<path d="M{_x(0)} {_y(share)} H{_x(1)}" stroke="{_GRID}"/>')
        parts.append(_text(_x(0) - 6, _y(share) + 4, f"{share:.2f}", anchor="end"))
        parts.append(_text(_x(share), _y(0) + 16, f"{share:.2f}", anchor="middle"))
    parts.append(_text(_WIDTH // 2, _HEIGHT - 8, across, anchor="middle"))
    middle = _HEIGHT // 2
    parts.append(f'<g transform="rotate(-90 12 {middle})">{_text(12, middle, up, anchor="middle")}</g>')
    return "".join(parts)


def _page(title: str, height: int, parts: Sequence[str]) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" font-family="sans-serif">'
    heading = _text(_WIDTH // 2, 20, title, anchor="middle", size=14)
    return f'{head}<rect width="100%" height="100%" fill="white"/>{heading}{"".join(parts)}</svg>\n'


def _text(x: float, y: float, text: str, *, anchor: str = "start", colour: str = _INK, size: int = 11) -> str:
    look = f'text-anchor="{anchor}" font-size="{size}" fill="{colour}"'
    return f'<text x="{x}" y="{y}" {look}>{escape(text)}</text>'


def _x(share: float) -> float:
    return round(_MARGIN + share * (_WIDTH - 2 * _MARGIN), 1)


def _y(share: float) -> float:
    return round(_HEIGHT - _MARGIN - share * (_HEIGHT - 2 * _MARGIN), 1)
