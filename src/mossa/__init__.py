"""mossa plays, analyses, solves and compares two-player board games.

>>> import mossa
>>> position = mossa.game("connect4").position("4453")
>>> position.side.name, len(position.moves), position.outcome
('first', 7, None)
"""

from mossa import recipes as recipes  # makes the names of its players known
from mossa._core import Game, Move, Outcome, Position, Side
from mossa.analysis import Analysis, Grade, MoveAnalysis, MoveReview, Review, analyse, review
from mossa.book import Book, BookError
from mossa.book_build import build_book, check_book
from mossa.errors import (
    GameError,
    IllegalMoveError,
    InvalidGameError,
    InvalidMoveError,
    InvalidPlayerError,
    InvalidPositionError,
)
from mossa.evaluations import Alignment, Alignments, Candidate, Priority, candidates
from mossa.games import game
from mossa.players import Choice, Player, player
from mossa.records import InvalidRecordError, Record, read_records, write_records
from mossa.search import (
    Bound,
    Estimate,
    Exact,
    Info,
    Limits,
    PythonGameSearch,
    PythonPosition,
    Score,
    Search,
    StopToken,
    Trace,
)
from mossa.solver import Solution, Solver, solve, solve_many
from mossa.trace import SearchTrace, trace_search

__all__ = [
    "Alignment",
    "Alignments",
    "Analysis",
    "Book",
    "BookError",
    "Bound",
    "Candidate",
    "Choice",
    "Estimate",
    "Exact",
    "Game",
    "GameError",
    "Grade",
    "IllegalMoveError",
    "Info",
    "InvalidGameError",
    "InvalidMoveError",
    "InvalidPlayerError",
    "InvalidPositionError",
    "InvalidRecordError",
    "Limits",
    "Move",
    "MoveAnalysis",
    "MoveReview",
    "Outcome",
    "Player",
    "Position",
    "Priority",
    "PythonGameSearch",
    "PythonPosition",
    "Record",
    "Review",
    "Score",
    "Search",
    "SearchTrace",
    "Side",
    "Solution",
    "Solver",
    "StopToken",
    "Trace",
    "analyse",
    "build_book",
    "candidates",
    "check_book",
    "game",
    "player",
    "read_records",
    "review",
    "solve",
    "solve_many",
    "trace_search",
    "write_records",
]
