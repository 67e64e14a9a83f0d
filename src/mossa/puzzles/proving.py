"""What proves the worth of moves: a game's solver, or its threat search if it has none.

Both look at every move of a position. The solver scores each one; the threat search says which of
them it has proven to win, and nothing about the others. Node limits make the answers repeatable,
whatever came before.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Protocol

from mossa._core import Game, Move, Position
from mossa.errors import GameError, InvalidPlayerError
from mossa.evaluations import threats
from mossa.puzzles.puzzle import DRAWS, LOSES, UNPROVEN, WINS, Kind, Proof
from mossa.search import NO_LIMITS, Bound, Exact, Limits, Search, final_score, move_score
from mossa.solving.solver import Solver

__all__ = ["Prover", "Scores", "marks_of", "prover", "right_moves"]

Scores = Mapping[str, Exact | None]
"""What every legal move is worth for its side; None if nothing is proven."""

SOLVER_NODES = 200_000
"""Nodes per position: anything that takes more is too hard for people too."""
SOLVER_MEMORY = 64
THREAT_NODES = 3_000
"""Nodes for a move that makes a threat."""
QUIET_NODES = 500
"""Nodes for a move that makes none, and seldom wins."""
THREAT_MEMORY = 8
MARGIN = 10
"""What a search proves within a limit changes with every change of the search. So a check gives a
move that is said to win this many times the nodes, and any other this many times fewer."""
REST = 8
"""Moves of best play shown after the last one to find."""


class Prover(Protocol):
    """Something that knows what moves are worth."""

    def proof(self, position: Position) -> Proof:
        """Return what a position's scores rest on."""

    def promising(self, position: Position) -> bool:
        """Tell quickly whether the side to move may have a win or a draw to find."""

    def scores(self, position: Position, said: str | None = None) -> Scores | None:
        """Return what every legal move is worth; None if that takes too long.

        To check marks, give what they ``said``.
        """

    def is_alone(self, position: Position, move: str) -> bool:
        """Look again, and harder, whether a move is the only right one."""

    def replies(self, position: Position) -> list[str]:
        """Return the best moves for the side that loses or draws; none if unknown."""

    def rest(self, position: Position) -> list[str]:
        """Return how best play continues."""


class SolverProver:
    """Scores by the solver."""

    def __init__(self, game: Game, *, limited: bool = True) -> None:
        """Make a solver, with the books and tables at hand."""
        self.solver = Solver(game, memory=SOLVER_MEMORY)
        self._limits = Limits(nodes=SOLVER_NODES) if limited else NO_LIMITS
        # A proof by threats is seldom the shortest, and may differ the next time.
        self._counts_plies = not _knows_threats(game)

    def proof(self, position: Position) -> Proof:
        """Return whether tables from a file cover this position."""
        tables = self.solver.tables
        looked_up = tables is not None and self._reach(position) >= position.left_to_play
        return Proof.tables if looked_up else Proof.solver

    def _reach(self, position: Position) -> int:
        return self.solver.solve(position, self._limits).tables_to or -1

    def promising(self, position: Position) -> bool:
        """Tell whether the position is won or drawn."""
        score = self.solver.solve(position, self._limits).score
        return isinstance(score, Exact) and score.standing >= 0

    def scores(self, position: Position, said: str | None = None) -> Scores | None:
        """Return the score of every move, whatever was said about them."""
        found: dict[str, Exact | None] = {}
        for move, score in self.solver.moves(position, self._limits):
            if isinstance(score, Bound):
                return None
            found[str(move)] = score if self._counts_plies else Exact(score.value)
        return found

    def is_alone(self, position: Position, move: str) -> bool:
        """Return True: its scores are exact."""
        return True

    def replies(self, position: Position) -> list[str]:
        """Return the moves that lose as late, or by as little, as possible."""
        scores = self.scores(position) or {}
        known = {move: score for move, score in scores.items() if score is not None}
        best = max(known.values(), default=None, key=lambda score: score.rank)
        return [move for move, score in known.items() if best and score.rank == best.rank]

    def rest(self, position: Position) -> list[str]:
        """Return the solver's line."""
        if position.outcome is not None:
            return []
        return [str(move) for move in self.solver.line(position, most=REST, limits=self._limits)]


def _threat_search(game: Game) -> Search:
    return Search(game, "threats", {"memory": str(THREAT_MEMORY)})


def _knows_threats(game: Game) -> bool:
    try:
        _threat_search(game)
    except InvalidPlayerError:
        return False
    return True


class ThreatProver:
    """Wins by threats, on boards too large to solve."""

    def __init__(self, game: Game) -> None:
        """Raise InvalidPlayerError if no threats are known in this game."""
        self._game = game
        self._search()

    def _search(self) -> Search:
        # What is in its tables changes what a search finds within a limit: so each starts afresh.
        return _threat_search(self._game)

    def proof(self, position: Position) -> Proof:
        """Return that it rests on threats."""
        return Proof.threats

    def promising(self, position: Position) -> bool:
        """Tell whether the side to move has a proven win, by one threat only."""
        score = self._search().run(position, Limits(nodes=THREAT_NODES)).score
        if not isinstance(score, Exact) or score.value < 1 or score.distance == 1:
            return False
        makers = [move for move in position.moves if threats(position, move)]
        wins = (move for move in makers if self._score(position, move) is not None)
        return len(list(islice(wins, 2))) == 1

    def scores(self, position: Position, said: str | None = None) -> Scores | None:
        """Return the moves proven to win; nothing is proven about the others."""
        moves = position.moves
        times = [1.0] * len(moves)
        if said is not None:
            times = [MARGIN if mark.isupper() else 1 / MARGIN for mark in said]
        return {
            str(move): self._score(position, move, times=each)
            for move, each in zip(moves, times, strict=True)
        }

    def is_alone(self, position: Position, move: str) -> bool:
        """Tell whether no other move is proven to win with many times the nodes either."""
        others = (each for each in position.moves if str(each) != move)
        return all(self._score(position, each, times=MARGIN) is None for each in others)

    def _score(self, position: Position, move: Move, *, times: float = 1) -> Exact | None:
        after = position.play(move)
        if after.outcome is not None:
            return move_score(final_score(after), position, after)
        nodes = THREAT_NODES if threats(position, move) else QUIET_NODES
        score = self._search().run(after, Limits(nodes=int(times * nodes))).score
        if not isinstance(score, Exact) or score.value >= 0:
            return None
        return move_score(score, position, after)

    def replies(self, position: Position) -> list[str]:
        """Return the move that holds out longest."""
        info = self._search().run(position, Limits(nodes=THREAT_NODES))
        return [str(info.move)]

    def rest(self, position: Position) -> list[str]:
        """Return nothing: a line of threats is played to its end."""
        return []


def prover(game: Game, *, limited: bool = True) -> Prover:
    """Return the prover for a game's puzzles; raise GameError if there is none.

    A solver has a limit when it looks for puzzles, but not when it checks one.
    """
    solver = SolverProver(game, limited=limited)
    if solver.solver.native or game.start().left_to_play <= SMALL:
        return solver
    try:
        return ThreatProver(game)
    except InvalidPlayerError:
        raise GameError(
            f"no puzzles for {game}: it has no solver of its own and no threats, and its board is "
            "too large to search to the end"
        ) from None


SMALL = 20
"""Cells or pieces of a board that alpha-beta can search to the end, without a solver."""


def right_moves(scores: Scores, kind: Kind) -> list[str]:
    """Return the moves that fulfil the task."""
    known = {move: score for move, score in scores.items() if score is not None}
    if kind is Kind.draw:
        return [move for move, score in known.items() if score.standing >= 0]
    wins = {move: score for move, score in known.items() if score.standing > 0}
    if kind is Kind.win or not wins:
        return list(wins)
    best = max(wins.values())
    return [move for move, score in wins.items() if score.rank == best.rank]


def marks_of(scores: Scores, kind: Kind) -> str:
    """Return a letter for each move, in their order; see Step.marks."""
    right = set(right_moves(scores, kind))
    letters = {1: WINS, 0: DRAWS, -1: LOSES}
    marks = (UNPROVEN if score is None else letters[score.standing] for score in scores.values())
    pairs = zip(scores, marks, strict=True)
    return "".join(mark.upper() if move in right else mark for move, mark in pairs)
