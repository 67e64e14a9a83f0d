"""Self-play: the current player plays against itself, and every position that it searches is kept.

Games must differ, or there is nothing to learn from the second one. So they begin with a few random
moves that leave the game about even, and in the moves after those one is random now and then. What
a position is worth after a random move has changed the game is another matter: a shard says from
which ply on the outcome counts. At the end the solver goes backwards through the game, as far as it
is quick, and replaces opinions by exact values.

The moves of a game depend on nothing but its number: they are the same on every machine.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from concurrent.futures import CancelledError, Executor, Future
from dataclasses import dataclass, replace
from functools import lru_cache
from queue import Empty, SimpleQueue
from time import monotonic

from mossa._core import Game, Limits, Move, Position
from mossa.arena.openings import balanced_openings, default_plies
from mossa.cluster import ClusterError, WorkerLostError
from mossa.errors import GameError
from mossa.evaluations import candidates
from mossa.games import KINDS
from mossa.games import game as game_named
from mossa.learning.shards import Played, Sample, ShardWriter
from mossa.players import player as player_named
from mossa.search import Exact, Score, points_of
from mossa.solving.solver import Solver

__all__ = ["Task", "play_game", "play_games", "self_play"]

NOISY = 8
"""So many moves after the opening may be random."""
NATURAL = 8
"""A random move is one of so many that look natural."""
OPENING = 2
"""An opening has as many random moves as suits the game, or up to so many more or fewer."""
MEMORY = 16
"""Megabytes of the solver's table."""
TASK = 2.0
"""Seconds of games that a worker gets at a time."""
MOST_GAMES = 200
"""Games that it gets at most."""
_LOOK = 0.5  # seconds between two looks at the clock
_LOSSES = 5  # workers that may die one after the other


@dataclass(frozen=True)
class Task:
    """Games for a worker: plain data, so that it can be sent anywhere."""

    game: str
    player: str
    nodes: int
    noise: float
    proof_nodes: int
    seed: str
    numbers: range


def play_games(task: Task) -> list[Played]:
    """Play games; runs in a worker."""
    return [play_game(task, number) for number in task.numbers]


def play_game(task: Task, number: int) -> Played:
    """Play one game from a random opening to its end."""
    rules = game_named(task.game)
    rng = random.Random(f"{task.seed} {task.game} {number}")
    usual = default_plies(rules)
    plies = rng.randint(max(0, usual - OPENING), usual + OPENING)
    player = player_named(task.player)
    opening = next(balanced_openings(rules, plies, rng.randrange(2**30), judge=player))
    position = rules.position(opening)
    begin = steady = position.ply
    samples: list[Sample] = []
    searched: list[Position] = []
    while position.outcome is None:
        choice = player.choose(position, Limits(nodes=task.nodes))
        assert choice.info is not None, "the player searches"
        move = choice.move
        if position.ply < begin + NOISY and rng.random() < task.noise:
            move = rng.choice(_natural(position))
        samples.append(_sample(position, choice.info.score, chosen=move == choice.move))
        searched.append(position)
        position = position.play(move)
        if move != choice.move:
            steady = position.ply
    player.close()
    if task.proof_nodes:
        samples = _proven(rules, searched, samples, task.proof_nodes)
    return Played(number, position.history_text, position.outcome.value, steady, tuple(samples))


def _natural(position: Position) -> list[Move]:
    """Return the moves to draw a random one from."""
    if position.game.traits.lines:
        return [each.move for each in candidates(position)[:NATURAL]]
    return position.moves


def _sample(position: Position, score: Score, *, chosen: bool) -> Sample:
    points = points_of(score, position.game.traits.scoring)
    proven = score.value if isinstance(score, Exact) else None
    return Sample(position.ply, points, proven, chosen)


def _proven(
    rules: Game, searched: list[Position], samples: list[Sample], nodes: int
) -> list[Sample]:
    """Return samples with exact values, from the end of the game back to the first hard one."""
    solver = _solver(rules)
    if solver is None:
        return samples
    found = list(samples)
    for at in reversed(range(len(found))):
        if found[at].proven is not None:
            continue
        score = solver.solve(searched[at], Limits(nodes=nodes)).score
        if not isinstance(score, Exact):
            break
        found[at] = replace(found[at], proven=score.value)
    return found


@lru_cache(maxsize=4)
def _solver(rules: Game) -> Solver | None:
    """Return a game's own solver, if it has one at this size."""
    if not KINDS[rules.kind].has_solver:
        return None
    try:
        solver = Solver(rules, memory=MEMORY)
    except GameError:  # under some of its rules there is none
        return None
    return solver if solver.native else None


# ---------------------------------------------------------------- many games


def self_play(
    executor: Executor,
    slots: int,
    make: Callable[[ShardWriter, int, int], Task],
    writers: list[ShardWriter],
    *,
    enough: Callable[[], bool],
    progress: Callable[[], object],
) -> None:
    """Have workers play until there are enough games; each goes to its shard at once.

    ``make`` returns the task of so many games for a shard, from a number on. The board with the
    fewest positions is played next. A worker that dies loses the games it had and nothing else.
    """
    arrived: SimpleQueue[tuple[ShardWriter, float, Future[list[Played]]]] = SimpleQueue()
    numbers = {writer.path: writer.numbers for writer in writers}
    expected = {writer.path: writer.positions for writer in writers}
    sizes = {writer.path: 1 for writer in writers}
    per_game = {writer.path: writer.positions / max(writer.games, 1) for writer in writers}
    running = losses = 0

    def hand_out() -> None:
        writer = min(writers, key=lambda each: expected[each.path])
        path = writer.path
        task = make(writer, numbers[path], sizes[path])
        numbers[path] += sizes[path]
        expected[path] += int(max(per_game[path], 1) * sizes[path])
        begin = monotonic()
        future = executor.submit(play_games, task)
        future.add_done_callback(lambda done: arrived.put((writer, begin, done)))

    try:
        while not enough():
            while running < 2 * slots:  # the next games wait where they will be played
                hand_out()
                running += 1
            try:
                writer, begin, future = arrived.get(timeout=_LOOK)
            except Empty:
                progress()
                continue
            running -= 1
            games = _result(future)
            if games is None:
                losses += 1
                if losses == _LOSSES:
                    raise GameError(
                        f"{_LOSSES} workers died one after the other; the games so far are kept"
                    )
                continue
            losses = 0
            writer.add(games)
            per_game[writer.path] = writer.positions / writer.games
            # A task waits for another one on its core, so half of the time was its own.
            seconds = (monotonic() - begin) / 2 / len(games)
            sizes[writer.path] = max(1, min(int(TASK / max(seconds, 1e-6)), MOST_GAMES))
            progress()
    finally:
        # What has arrived meanwhile was played: it is kept, whatever has happened.
        while not arrived.empty():
            writer, _, future = arrived.get()
            if not future.cancelled() and future.exception() is None:
                writer.add(future.result())


def _result(future: Future[list[Played]]) -> list[Played] | None:
    """Return what a worker has played; None if it died."""
    try:
        return future.result()
    except CancelledError:
        raise ClusterError("the cluster is gone; finished games are saved: resume") from None
    except WorkerLostError:
        return None
    except Exception as error:
        if type(error).__name__ != "KilledWorker":  # Dask's word for the same
            raise
        return None
