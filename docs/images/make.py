"""Make the pictures of the documentation with mossa's own renderer.

Run ``python docs/images/make.py`` after a change of the renderer; a test compares the files with
what ``pictures()`` returns.
"""

import re
from pathlib import Path

import mossa
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


def _size(svg: str) -> tuple[int, int]:
    found = re.search(r'width="(\d+)" height="(\d+)"', svg)
    if found is None:
        raise ValueError("a picture without width and height")
    return int(found[1]), int(found[2])


def _placed(svg: str, x: int, y: int) -> str:
    return svg.replace("<svg ", f'<svg x="{x}" y="{y}" ', 1)


if __name__ == "__main__":
    for name, content in pictures().items():
        (FOLDER / name).write_text(content + "\n", encoding="utf-8")
        print(FOLDER / name)
