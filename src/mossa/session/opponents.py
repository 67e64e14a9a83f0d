"""Players at a board: other people's Python code has a process of its own."""

from mossa.arena.referee import seated
from mossa.players import Player, is_foreign
from mossa.players.clocks import PATIENCE, START, Conditions
from mossa.protocols.external import is_program


def opponent_of(spec: str, *, echo: bool = False) -> Player:
    """Return a player whose crash leaves the board alone.

    Code in a file has a minute to load, as nobody but the person at the board is waiting; with
    ``echo``, what it prints is shown.
    """
    foreign = is_foreign(spec)
    player = seated(spec, Conditions(start=PATIENCE if foreign else START), people=True)
    if foreign and is_program(player):
        player.echoes = echo
    return player
