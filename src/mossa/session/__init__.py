"""Games that people play: what they can do, the clocks, and what a board says about the game.

A game in progress is a `Record`: moving, taking back or resigning returns a new one. So a board can
keep games in a file, as the browser's does, or in memory, as the terminal's does. `Session` adds
the players, who think in threads of their own.
"""
