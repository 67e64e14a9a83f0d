"""Draw a position as an SVG picture, for a report or a web page.

python examples/draw_position.py                          writes board.svg
python examples/draw_position.py gomoku "h8 h9 i8" my.svg
"""

import sys
from pathlib import Path

import mossa
from mossa.render import to_svg

name, moves, file = sys.argv[1:] or ["connect4", "44535", "board.svg"]
position = mossa.game(name).position(moves)

print(position)
Path(file).write_text(to_svg(position, size=400), encoding="utf-8")
print(f"written to {file}")
