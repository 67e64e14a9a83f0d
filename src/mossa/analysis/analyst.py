"""Analysis of a position: a score and a line for every move.

``analyse`` plays every legal move and has a player search the position after it, to depth 1, then
2, 3 ...: all moves equally deep, so that their scores compare. One search does it all, and its
table carries over from move to move. A move's score is for the side that makes it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING, Any

from mossa._core import Limits, Move, Position, StopToken
from mossa.analysis.scores import estimate_data, score_data, texts
from mossa.errors import GameError, InvalidPlayerError, shorten, shorten_end
from mossa.evaluations import threat_text
from mossa.games import PositionLike, lines_anywhere, position_of
from mossa.networks import NetworkEstimate
from mossa.notebook import data_frame
from mossa.players import DEFAULT_TIME, Player, PlayerLike, limits_from, stricter
from mossa.players import player as player_named
from mossa.players.engine import STRONGEST
from mossa.quantities import counted
from mossa.render import position_data
from mossa.search import (
    SEARCHES,
    Exact,
    Info,
    Score,
    Search,
    final_score,
    move_score,
    root_moves,
    score_columns,
)

if TYPE_CHECKING:
    from mossa.notebook import DataFrame

MANY_MOVES = 400
"""On larger boards a review compares the move played with the analysing player's choice and others:
to score all moves would take longer than anybody waits."""
OTHERS = 4
"""How many others, taken from all over the board: they show what a poor move costs."""
PROOF_SHARE = 0.3
"""Of the time, for a proof of the score of the position itself, where the player can try that."""
FIRST_LOOK = 0.25
"""Seconds after which somebody who waits sees what is known, complete or not."""
PLAYOUTS = 64
"""What a search that counts play-outs does for depth 1; every further depth doubles it."""


@dataclass(frozen=True)
class MoveAnalysis:
    """What is known about one move."""

    score: Score
    """For the side that makes the move."""
    line: list[Move]
    """How the game would continue: this move first."""
    depth: int
    """How deep the position after the move was searched; 0 if the game is over there."""


@dataclass(frozen=True)
class Analysis:
    """What is known about a position: a score for every move, best first."""

    position: Position
    moves: dict[Move, MoveAnalysis]
    depth: int
    """The depth reached by every move whose score is not exact."""
    nodes: int
    iterations: int
    """Play-outs, if the player counts them; estimates are then shares of games won."""
    time: float
    """Seconds."""
    network: NetworkEstimate | None = None
    """What the player's network says about the position without a search; None without one."""

    def __repr__(self) -> str:
        """Return one line: the position, its best move and score."""
        after = f" after {self.position.history_text}" if self.position.history else ""
        scored = counted(len(self.moves), "move")
        known = f"best {self.move}, {self.score}, depth {self.depth}, {scored}"
        return f"<Analysis of {self.position.game}{shorten_end(after)}: {known}>"

    @property
    def move(self) -> Move:
        """The best move."""
        return next(iter(self.moves))

    @property
    def score(self) -> Score:
        """The position's score for the side to move: that of its best move."""
        return self.moves[self.move].score

    @property
    def line(self) -> list[Move]:
        """How the game would continue."""
        return self.moves[self.move].line

    @property
    def threats(self) -> str:
        """What the moves of the line threaten, in words; empty if the game has no threats."""
        if not lines_anywhere(self.position.game):
            return ""
        return threat_text(self.position, self.line)

    def to_pandas(self) -> DataFrame:
        """Return a data frame with a row for every move, best first; needs pandas."""
        return data_frame(
            {
                "move": str(move),
                **score_columns(found.score),
                "depth": found.depth,
                "line": " ".join(texts(found.line)),
            }
            for move, found in self.moves.items()
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the analysis as plain data for JSON."""
        return {
            **position_data(self.position),
            "move": str(self.move),
            "score": score_data(self.score),
            "line": texts(self.line),
            "threats": self.threats,
            "depth": self.depth,
            "nodes": self.nodes,
            "iterations": self.iterations,
            "seconds": round(self.time, 3),
            "network": self.network and estimate_data(self.network),
            "analysis": [
                {
                    "move": str(move),
                    "score": score_data(found.score),
                    "line": texts(found.line),
                    "depth": found.depth,
                }
                for move, found in self.moves.items()
            ],
        }


def analyse(
    position: PositionLike,
    *,
    time: float | None = None,
    depth: int | None = None,
    nodes: int | None = None,
    player: PlayerLike = STRONGEST,
    stop: StopToken | None = None,
    partial: bool = False,
) -> Iterator[Analysis]:
    """Yield an analysis of all moves for each depth, until a limit; the last one is the answer.

    The limits apply to all moves together, those in the player's spec to each move. Without limits
    it takes a second; ``time=math.inf`` goes on until the caller leaves the loop. It ends early
    once every score is exact, and ``stop`` ends it from another thread. A depth cut short counts
    only for what it proved, because scores of different depths do not compare. If even depth 1 is
    cut short, the moves that look worst are missing. With ``partial`` you also get such incomplete
    analyses before depth 1 is done: on large boards that takes a while, and a person would rather
    see something.

    >>> import mossa
    >>> position = mossa.game("connect4").position("1 1 2 2 3 3")
    >>> *_, last = mossa.analyse(position, depth=4)
    >>> str(last.move), str(last.score)
    ('4', '+1 in 1')
    """
    # Check everything now, not when the caller wants the first analysis.
    position = position_of(position, "analyse()")
    searcher = searching_player(player)
    searcher.check_game(position.game)
    if position.outcome is not None:
        raise GameError(f"nothing to analyse in {position.game}: {position.outcome}")
    limits = limits_of(player, time, depth, nodes)
    return _analyses(Analyst(position, searcher, limits, stop=stop), partial=partial)


def _analyses(analyst: Analyst, *, partial: bool) -> Iterator[Analysis]:
    yield from analyst.run(partial=partial)
    if not analyst.known and not analyst.is_stopped:
        raise GameError(
            f"the limits leave no room to search a single move of {analyst.position.game}; "
            "allow more time or nodes"
        )


def searching_player(player: PlayerLike) -> Player:
    """Return a player that gives scores."""
    made = player_named(player)
    if made.is_person:  # a person would type a move, without a score
        raise _no_scores(made)
    return made


def _no_scores(player: Player) -> InvalidPlayerError:
    return InvalidPlayerError(
        f"player {shorten(player.name)} does not report scores: analysis needs one that searches, "
        f"such as {', '.join(SEARCHES)}"
    )


def limits_of(
    player: PlayerLike, time: float | None, depth: int | None, nodes: int | None
) -> Limits:
    """Return the limits for a whole analysis: as given, or else a second."""
    given = Limits(time=None if time == inf else time, nodes=nodes, depth=depth)
    options = spec_options(player) if isinstance(player, str) else {}
    own = limits_from(options)
    if given == own == Limits() and time is None and "hands" not in options:
        return Limits(time=DEFAULT_TIME)
    # The player stops at its own depth anyway; asking for more would only repeat it.
    return stricter(given, Limits(depth=own.depth))


def spec_options(spec: str) -> dict[str, str]:
    """Return the options of a valid player spec."""
    parts = filter(None, (part.strip() for part in spec.partition(":")[2].split(",")))
    return {name: value for name, _, value in (part.partition("=") for part in parts)}


class Analyst:
    """One analysis at work: what is known, what is left to do, and the limits that remain."""

    def __init__(
        self,
        position: Position,
        player: Player,
        limits: Limits,
        *,
        urgent: Move | None = None,
        stop: StopToken | None = None,
    ) -> None:
        """Take the position and the player; ``urgent`` is a move that must be included."""
        self.stop = stop
        self.begin = perf_counter()
        self.position = position
        self.player = player
        self.limits = limits
        network = player.network_of(position.game)
        self.network = None if network is None else network.estimate(position)
        self.nodes = self.iterations = 0
        self.known: dict[Move, MoveAnalysis] = {}
        self.best = self._proven()
        # By a static look, so that a short analysis has seen the likely moves, and of moves with
        # equal scores the likelier comes first.
        self.order = self._candidates(urgent) or self._glance()
        # What can still get a better score; the urgent move gets one even if little time is left.
        still_open = (move for move in self.order if move not in self.known)
        self.open = sorted(still_open, key=lambda move: move != urgent)

    def run(self, *, partial: bool = False) -> Iterator[Analysis]:
        """Yield what is known after each depth; nothing if the limits leave no time for a move.

        With ``partial`` also yield what is known before depth 1 is complete.
        """
        for depth in count(1):
            for is_news in self._round(depth, partial and depth == 1):
                if is_news or (depth == 1 and self.known):
                    yield self._analysis()
            if not self.open or self._is_spent() or depth == self.limits.depth:
                return

    def _candidates(self, urgent: Move | None) -> list[Move]:
        """Return the player's choice and a few others, if there are too many to score all."""
        time, moves = self.limits.time, self.position.moves
        if urgent is None or time is None or len(moves) <= MANY_MOVES:
            return []
        info = self._choose(self.position, Limits(time=PROOF_SHARE * time))
        self.nodes += info.nodes
        return list(dict.fromkeys((info.move, urgent, *moves[:: len(moves) // OTHERS][:OTHERS])))

    def _proven(self) -> Move | None:
        """The best move, if the score of the position itself is proven in a share of the time.

        That takes less than to prove the scores of all moves, and estimates must not belie it.
        """
        time = self.limits.time
        if time is None or self.is_stopped:
            return None
        info = self.player.prove(self.position, Limits(time=PROOF_SHARE * time), stop=self.stop)
        if info is None:
            return None
        self.nodes += info.nodes
        self.known[info.move] = MoveAnalysis(info.score, info.line, info.depth)
        return info.move

    def _glance(self) -> list[Move]:
        """Return the moves by what the position after them seems worth, best first."""
        seen = root_moves(Search(self.position.game, "minimax"), self.position)
        values = {each.move: each.value for each in seen}
        return sorted(self.position.moves, key=lambda move: -values.get(move, -inf))

    def _round(self, depth: int, partial: bool) -> Iterator[bool]:
        """Search every open move to this depth; at the end, yield whether anything new is known.

        With ``partial`` it also yields on the way, each time after twice as long, so that even
        thousands of moves give only a few reports.
        """
        found: dict[Move, MoveAnalysis] = {}
        finished: set[Move] = set()
        due = FIRST_LOOK if partial else inf
        for move in self.open:
            if self._is_spent():
                break
            result, ended = self._search(move, depth)
            if result is None and not ended:
                break
            if result is not None:
                found[move] = result
            if ended:
                finished.add(move)
            if found and self._seconds() >= due:
                self.known |= found
                yield True
                due = 2 * self._seconds()
        else:
            self.known |= found
            still_open = set(self.open) - finished
            self.open = [move for move in self._best_first() if move in still_open]
            yield bool(found)
            return
        if depth > 1:
            found = {m: one for m, one in found.items() if isinstance(one.score, Exact)}
        self.known |= found
        yield bool(found)

    def _search(self, move: Move, depth: int) -> tuple[MoveAnalysis | None, bool]:
        """Return what a search to this depth finds, if that is new, and whether the move is done.

        Nothing and not done: the limits of the analysis cut it short.
        """
        after = self.position.play(move)
        if after.outcome is not None:
            score: Score = move_score(final_score(after), self.position, after)
            return MoveAnalysis(score, [move], 0), True
        playouts = PLAYOUTS << min(depth - 1, 40)
        info = self._choose(after, self._left(depth, playouts))
        self.nodes += info.nodes
        self.iterations += info.iterations
        exact = isinstance(info.score, Exact)
        reached = info.iterations >= playouts if info.iterations else info.depth == depth
        if not (exact or reached):
            if self._is_spent():
                return None, False
            # A search that stopped at another depth has hit the player's own limit.
            known = self.known[move].depth if move in self.known else 0
            if not info.iterations and info.depth <= known:
                return None, True
        score = move_score(info.score, self.position, after)
        return MoveAnalysis(score, [move, *info.line], info.depth), exact or not reached

    def _choose(self, position: Position, limits: Limits) -> Info:
        info = self.player.ask(position, limits, stop=self.stop).info
        if info is None:
            raise _no_scores(self.player)
        return info

    def _left(self, depth: int, playouts: int) -> Limits:
        time, nodes = self.limits.time, self.limits.nodes
        return Limits(
            time=None if time is None else max(0.0, time - self._seconds()),
            nodes=None if nodes is None else nodes - self.nodes,
            iterations=playouts,
            depth=depth,
        )

    def _is_spent(self) -> bool:
        time, nodes = self.limits.time, self.limits.nodes
        return (
            (time is not None and self._seconds() >= time)
            or (nodes is not None and self.nodes >= nodes)
            or self.is_stopped
        )

    @property
    def is_stopped(self) -> bool:
        """Whether nobody wants the analysis any longer."""
        return self.stop is not None and self.stop.stopped

    def _seconds(self) -> float:
        return perf_counter() - self.begin

    def _best_first(self) -> list[Move]:
        known = (move for move in self.order if move in self.known)

        def promise(move: Move) -> tuple[bool, Score]:
            return move == self.best, self.known[move].score

        return sorted(known, key=promise, reverse=True)

    def _analysis(self) -> Analysis:
        depths = [one.depth for one in self.known.values() if not isinstance(one.score, Exact)]
        return Analysis(
            self.position,
            {move: self.known[move] for move in self._best_first()},
            min(depths, default=max(one.depth for one in self.known.values())),
            self.nodes,
            self.iterations,
            self._seconds(),
            self.network,
        )
