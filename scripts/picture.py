"""Draw what a terminal showed: ANSI text on standard input becomes an SVG on standard output.

picture.py FIRST LAST    chooses the lines
"""

import html
import re
import sys

COLOURS = {"31": "#f07178", "32": "#9ece6a", "33": "#e0af68", "34": "#7aa2f7", "35": "#bb9af7", "2": "#7f849c"}
FONT = 14
FAMILY = "ui-monospace, DejaVu Sans Mono, Menlo, Consolas, monospace"
WIDTH, HEIGHT = FONT * 0.602, FONT * 1.45
PAD = 18


def spans(line: str) -> str:
    """Return one terminal line as SVG spans."""
    parts: list[str] = []
    style = ""
    for piece in re.split(r"(\x1b\[[0-9;]*m)", line):
        if found := re.fullmatch(r"\x1b\[([0-9;]*)m", piece):
            code = found[1]
            style = ' font-weight="bold"' if code == "1" else f' fill="{COLOURS[code]}"' if code in COLOURS else ""
        elif piece:
            parts.append(f"<tspan{style}>{html.escape(piece, quote=False)}</tspan>")
    return "".join(parts)


def draw(lines: list[str]) -> str:
    """Return the picture of these lines."""
    columns = max(len(re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", line)) for line in lines)
    width, height = columns * WIDTH + 2 * PAD, len(lines) * HEIGHT + 2 * PAD
    rows = "\n".join(
        f'<text x="{PAD}" y="{PAD + (n + 0.75) * HEIGHT:.1f}" xml:space="preserve">{spans(line)}</text>'
        for n, line in enumerate(lines)
        if line.strip()
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="img" aria-label="A terminal: the demo talks to its home">\n'
        f'<rect width="100%" height="100%" rx="10" fill="#1a1b26"/>\n'
        f'<g fill="#c8d0f0" font-family="{FAMILY}" font-size="{FONT}">\n'
        f"{rows}\n</g>\n</svg>\n"
    )


def main() -> None:
    """Read, choose, draw."""
    shown = [
        re.sub(r"\x1b\[K", "", line.rpartition("\r")[2] or line).rstrip("\r") for line in sys.stdin.read().split("\n")
    ]
    first, last = (int(each) for each in sys.argv[1:3])
    sys.stdout.write(draw(shown[first - 1 : last]))


if __name__ == "__main__":
    main()
