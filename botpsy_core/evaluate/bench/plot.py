"""A picture of the figures: each value over its bar, the bar at the middle line."""

from html import escape

from botpsy_core.evaluate.bench.rows import Row

_WIDTH, _LINE, _LEFT, _BAR_AT = 860, 30, 190, 420


def plot(rows: list[Row]) -> str:
    """Return an SVG picture."""
    height = _LINE * (len(rows) + 2)
    size = f'width="{_WIDTH}" height="{height}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="13">',
        f'<rect {size} fill="white"/>',
        f'<line x1="{_BAR_AT}" y1="{_LINE}" x2="{_BAR_AT}" y2="{height - 10}" stroke="#888" stroke-dasharray="4"/>',
        f'<text x="{_BAR_AT}" y="20" text-anchor="middle" fill="#555">bar</text>',
        *(_line(row, _LINE * (place + 1)) for place, row in enumerate(rows)),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _line(row: Row, top: int) -> str:
    label = f'<text x="{_LEFT - 10}" y="{top + 18}" text-anchor="end">{escape(row.key)}</text>'
    if row.value is None:
        return label + f'<text x="{_LEFT}" y="{top + 18}" fill="#c62828">not measured</text>'
    share = min(row.value / row.bar if row.bar else row.value, 2.0)
    width = max(share * (_BAR_AT - _LEFT), 1)
    colour = "#2e7d32" if row.holds else "#c62828"
    told = "; ".join((f"{row.value:.3g} (bar {row.bar:g})", *map(escape, row.faults)))
    return (
        f'{label}<rect x="{_LEFT}" y="{top + 5}" width="{width:.0f}" height="18" fill="{colour}"/>'
        f'<text x="{_LEFT + width + 8:.0f}" y="{top + 18}">{told}</text>'
    )
