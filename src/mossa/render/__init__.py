"""Position -> picture: plain text, coloured terminal text, SVG.

The three functions are pure and know no rules: all they look at is the position's cells, its side
to move, its last and winning cells, its outcome, and the name, kind and sizes of its game.
"""

from mossa.render.svg import to_svg
from mossa.render.text import to_rich, to_text
from mossa.render.words import column_name, side_label, side_name, status

__all__ = ["column_name", "side_label", "side_name", "status", "to_rich", "to_svg", "to_text"]
