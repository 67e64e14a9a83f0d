"""The public names of mossa, and where each is defined: `__init__.py` reads them from here."""

from mossa import protocols as protocols
from mossa._core import Game, Move, Outcome, Position, Scoring, Shape, Side, Traits
from mossa.analysis import (
    Analysis,
    Grade,
    MoveAnalysis,
    MoveReview,
    Review,
    UngradedMove,
    analyse,
    review,
)
from mossa.arena import Conditions, Report, Sprt, match, tournament
from mossa.arena.plan import InvalidTournamentError
from mossa.cluster import ClusterError
from mossa.errors import (
    BrokenGameError,
    GameError,
    IllegalMoveError,
    InvalidGameError,
    InvalidMoveError,
    InvalidPlayerError,
    InvalidPositionError,
    PlayerFailedError,
)
from mossa.evaluations import (
    Alignment,
    Alignments,
    Candidate,
    LineAlignment,
    Priority,
    Threat,
    align,
    candidates,
    evaluate,
    threat_text,
    threats,
)
from mossa.games import game
from mossa.learning.plan import InvalidTrainingError
from mossa.networks import Network
from mossa.players import Choice, Player, player
from mossa.players.clocks import InvalidClockError
from mossa.python_games import PythonPosition
from mossa.records import InvalidRecordError, Record, read_records, write_records
from mossa.search import (
    Bound,
    Estimate,
    Exact,
    Info,
    Limits,
    PythonGameSearch,
    Score,
    Search,
    StopToken,
    Trace,
)
from mossa.solving.book import Book, BookError
from mossa.solving.book_build import build_book, check_book
from mossa.solving.solver import Solution, Solver, solve, solve_many
from mossa.solving.study import Study
from mossa.solving.study_build import study_opening
from mossa.solving.tables import Tables, build_tables, check_tables
from mossa.trace import SearchTrace, trace_search

__version__: str

__all__ = [
    "Alignment",
    "Alignments",
    "Analysis",
    "Book",
    "BookError",
    "Bound",
    "BrokenGameError",
    "Candidate",
    "Choice",
    "ClusterError",
    "Conditions",
    "Estimate",
    "Exact",
    "Game",
    "GameError",
    "Grade",
    "IllegalMoveError",
    "Info",
    "InvalidClockError",
    "InvalidGameError",
    "InvalidMoveError",
    "InvalidPlayerError",
    "InvalidPositionError",
    "InvalidRecordError",
    "InvalidTournamentError",
    "InvalidTrainingError",
    "Limits",
    "LineAlignment",
    "Move",
    "MoveAnalysis",
    "MoveReview",
    "Network",
    "Outcome",
    "Player",
    "PlayerFailedError",
    "Position",
    "Priority",
    "PythonGameSearch",
    "PythonPosition",
    "Record",
    "Report",
    "Review",
    "Score",
    "Scoring",
    "Search",
    "SearchTrace",
    "Shape",
    "Side",
    "Solution",
    "Solver",
    "Sprt",
    "StopToken",
    "Study",
    "Tables",
    "Threat",
    "Trace",
    "Traits",
    "UngradedMove",
    "align",
    "analyse",
    "build_book",
    "build_tables",
    "candidates",
    "check_book",
    "check_tables",
    "evaluate",
    "game",
    "match",
    "player",
    "read_records",
    "review",
    "solve",
    "solve_many",
    "study_opening",
    "threat_text",
    "threats",
    "tournament",
    "trace_search",
    "write_records",
]
