"""mossa plays, analyses, solves and compares two-player board games.

>>> import mossa
>>> position = mossa.game("connect4").position("4453")
>>> position.side.name, len(position.moves), position.outcome
('first', 7, None)
"""

from mossa import recipes as recipes  # makes the names of its players known
from mossa._core import Game, Move, Outcome, Position, Side
from mossa.errors import (
    GameError,
    IllegalMoveError,
    InvalidGameError,
    InvalidMoveError,
    InvalidPlayerError,
    InvalidPositionError,
)
from mossa.games import game
from mossa.players import Choice, Player, player
from mossa.records import InvalidRecordError, Record, read_records, write_records
from mossa.search import Estimate, Exact, Info, Limits, Score, Search, StopToken, Trace

__all__ = [
    "Choice",
    "Estimate",
    "Exact",
    "Game",
    "GameError",
    "IllegalMoveError",
    "Info",
    "InvalidGameError",
    "InvalidMoveError",
    "InvalidPlayerError",
    "InvalidPositionError",
    "InvalidRecordError",
    "Limits",
    "Move",
    "Outcome",
    "Player",
    "Position",
    "Record",
    "Score",
    "Search",
    "Side",
    "StopToken",
    "Trace",
    "game",
    "player",
    "read_records",
    "write_records",
]
