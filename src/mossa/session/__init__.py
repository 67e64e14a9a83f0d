"""A game that people play: what may be done with it, its clocks, what is said of it.

A game in progress is a `Record`: whoever makes a move, takes one back or resigns gets a new one. So
a board can keep games in a file, as that in the browser does, or in memory, as that of the terminal
does. `Session` adds the players, who think in threads of their own.
"""
