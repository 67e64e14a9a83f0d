"""Position -> picture: plain text, coloured terminal text, SVG.

They know no rules: all they look at is the position's cells, its side to move, the cells of its
last move, its winning cells, its outcome, and the name, traits and sizes of its game.
"""

from mossa.render.data import position_data
from mossa.render.flights import flights
from mossa.render.looks import board_data, column_name, drawings
from mossa.render.svg import to_svg
from mossa.render.text import draw, only_ascii, to_rich, to_text
from mossa.render.words import drawable, last_cells, side_label, side_name, spoken, status, title

__all__ = [
    "board_data",
    "column_name",
    "draw",
    "drawable",
    "drawings",
    "flights",
    "last_cells",
    "only_ascii",
    "position_data",
    "side_label",
    "side_name",
    "spoken",
    "status",
    "title",
    "to_rich",
    "to_svg",
    "to_text",
]
