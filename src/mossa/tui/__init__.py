"""The full-screen board of the terminal, behind `mossa play`. Needs the extra ``tui``.

Drawings and games know nothing of screens; widgets and screens know no rules. Which widget shows a
game is told by its traits: cells, columns, pieces that move, pits.
"""
