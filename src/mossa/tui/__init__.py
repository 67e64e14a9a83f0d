"""The full-screen board in the terminal, behind `mossa play`. Needs the extra ``tui``.

Drawings and games know nothing about screens; widgets and screens know no rules. A game's traits
decide which widget shows it: cells, columns, pieces that move, pits.
"""
