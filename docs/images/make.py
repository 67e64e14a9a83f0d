"""Make the pictures of the documentation with mossa's own renderer.

Run ``python docs/images/make.py`` after a change of the renderer; a test compares the files with
what ``pictures()`` returns. The curves of learning are drawn from learning.csv, because networks
that learn on other machines differ a little; ``python docs/images/make.py learn`` learns anew.
"""

import csv
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import mossa
from mossa import lab
from mossa.lab import learning
from mossa.render import to_svg

FOLDER = Path(__file__).parent

CONNECT = mossa.game("connect4").position("422224444522433136335")
GOMOKU = mossa.game("gomoku").position(
    "h8 i9 j8 g8 i7 g9 k9 h6 g10 g6 l10 m11 k8 f6 i6 h9 l8 i8 m8 n8 f9 e6 d6 f7 i10 d5"
)
KALAH = mossa.game("kalah").position("6 2 1 3 6 5 2 6 2 4 2 6 6")
BREAKTHROUGH = mossa.game("breakthrough").position(
    "c2d3 d7d6 d3c4 d6c5 c4b5 a7a6 b5a6 b7a6 a2a3 c5c4 a3a4 c4b3 a1a2 a6b5 a4b5 c7c6"
)
OWARE = mossa.game("oware").position("1 1 3 1 4 4 4 3 1")
TICTACTOE = mossa.game("tictactoe").position("b2 a1 c1 a3 a2 c2 b3 b1 c3")


def pictures() -> dict[str, str]:
    """Return the content of every picture by the name of its file."""
    return {
        "boards.svg": _boards(),
        "breakthrough.svg": to_svg(BREAKTHROUGH, size=400),
        "connect.svg": to_svg(CONNECT, size=400),
        "gomoku.svg": to_svg(GOMOKU, size=480),
        "kalah.svg": to_svg(KALAH, size=480),
        "learning.svg": _curves(),
        "oware.svg": to_svg(OWARE, size=480),
        "tictactoe.svg": to_svg(TICTACTOE, size=260),
    }


def _boards() -> str:
    """Connect 4 above kalah, and gomoku at their side."""
    gap = 14
    connect, kalah = to_svg(CONNECT, size=400), to_svg(KALAH, size=380)
    column_width = max(_size(connect)[0], _size(kalah)[0])
    height = _size(connect)[1] + gap + _size(kalah)[1]
    gomoku = to_svg(GOMOKU, size=height)
    width = column_width + gap + _size(gomoku)[0]
    placed = [
        _placed(connect, (column_width - _size(connect)[0]) // 2, 0),
        _placed(kalah, (column_width - _size(kalah)[0]) // 2, _size(connect)[1] + gap),
        _placed(gomoku, column_width + gap, 0),
    ]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}">',
            "<title>Connect 4, kalah and gomoku as mossa draws them</title>",
            *placed,
            "</svg>",
        ]
    )


# ---------------------------------------------------------------- the curves of learning

CURVES = FOLDER / "learning.csv"
COLOURS = {
    learning.ONE_AHEAD: "#0072b2",
    learning.GLANCE: "#d55e00",
    learning.HAND_MADE: "#009e73",
    learning.BLIND: "#777777",
    learning.RANDOM: "#777777",
}
WIDTH, HEIGHT, LEFT, TOP = 300, 200, 40, 34


def learn() -> None:
    """Let networks learn, and keep their curves: the share of moves that keep the value."""
    rows = lab.measure(lab.experiment("learning")).rows
    with CURVES.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("game", "variant", "generation", "share"))
        for row in rows:
            if row.variant in COLOURS:
                writer.writerow((row.game, row.variant, row.repetition, row.get("share")))


def _curves() -> str:
    """Draw a chart for each game, side by side, and what the colours mean below them."""
    with CURVES.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    games = list(dict.fromkeys(row["game"] for row in rows))
    width, height = (WIDTH + LEFT + 20) * len(games), TOP + HEIGHT + 78
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
        "<title>Learning from nothing: moves that keep the value, by generation</title>",
        f'<rect width="{width}" height="{height}" fill="white"/>',
    ]
    for at, name in enumerate(games):
        parts.append(f'<g transform="translate({at * (WIDTH + LEFT + 20) + LEFT},{TOP})">')
        parts += _chart(name, [row for row in rows if row["game"] == name])
        parts.append("</g>")
    x = LEFT
    for variant in (learning.ONE_AHEAD, learning.GLANCE, learning.HAND_MADE):
        parts.append(f'<text x="{x}" y="{height - 10}" fill="{COLOURS[variant]}">{variant}</text>')
        x += 8 * len(variant) + 12
    return "\n".join([*parts, "</svg>"])


def _chart(name: str, rows: list[dict[str, str]]) -> Iterator[str]:
    last = max(int(row["generation"]) for row in rows)

    def y(share: float) -> str:
        return f"{HEIGHT * (1 - share):.1f}"

    yield f'<text y="-14" font-weight="bold">{name}: moves that keep the value</text>'
    for percent in range(0, 101, 20):
        at = y(percent / 100)
        yield f'<path d="M0 {at}H{WIDTH}" stroke="#dddddd"/>'
        yield f'<text x="-6" y="{at}" text-anchor="end" dy="4">{percent}%</text>'
    for number in range(last + 1):
        x = WIDTH * number // last
        yield f'<text x="{x}" y="{HEIGHT + 18}" text-anchor="middle">{number}</text>'
    yield f'<text x="{WIDTH // 2}" y="{HEIGHT + 36}" text-anchor="middle">generation</text>'
    for variant, colour in COLOURS.items():
        found = {
            int(row["generation"]): y(float(row["share"]))
            for row in rows
            if row["variant"] == variant
        }
        if len(found) > 1:
            points = " ".join(f"{WIDTH * each // last},{found[each]}" for each in sorted(found))
            yield f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>'
        else:  # it learns nothing
            dashed = f'stroke="{colour}" stroke-dasharray="6 4" stroke-width="1.5"'
            yield f'<path d="M0 {found[0]}H{WIDTH}" {dashed}/>'
            if variant != learning.HAND_MADE:
                end = f'x="{WIDTH}" y="{found[0]}" text-anchor="end"'
                above = -4 if variant == learning.BLIND else 13
                yield f'<text {end} dy="{above}" fill="{colour}">{variant}</text>'


def _size(svg: str) -> tuple[int, int]:
    found = re.search(r'width="(\d+)" height="(\d+)"', svg)
    if found is None:
        raise ValueError("a picture without width and height")
    return int(found[1]), int(found[2])


def _placed(svg: str, x: int, y: int) -> str:
    return svg.replace("<svg ", f'<svg x="{x}" y="{y}" ', 1)


if __name__ == "__main__":
    if sys.argv[1:] == ["learn"]:
        learn()
    for name, content in pictures().items():
        (FOLDER / name).write_text(content + "\n", encoding="utf-8")
        print(FOLDER / name)
