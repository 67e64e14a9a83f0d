"""The engine on connect: is it perfect on Connect 4, and does it beat others where nobody is?

    python benchmarks/engine.py [--games 20] [--time 1]
    python benchmarks/engine.py --against alphabeta --boards connect:8x8x4 connect:20x20x10

The first plays Connect 4 from the empty board, as first and as second in turn, against opponents of
every strength, and has a solver without limits judge every move: a move that gives away outcome or
distance is counted. The second plays pairs of games from random openings, sides swapped, and prints
the engine's share of the points with two standard errors.
"""

import argparse
import random
import statistics
from time import perf_counter

import mossa
from mossa import Exact, Limits, Position, Solver

GAME = mossa.game("connect4")
OPPONENTS = ("random", "level:5", "level:9", "perfect")


def best_moves(position: Position, solver: Solver) -> list[mossa.Move]:
    """Return the moves that keep outcome and distance."""
    scores = dict(solver.moves(position))
    best = max(score for score in scores.values() if isinstance(score, Exact))
    return [move for move, score in scores.items() if score == best]


def keeps_outcome(position: Position, move: mossa.Move, solver: Solver) -> bool:
    """Tell whether a move keeps the outcome, if not the distance."""
    scores = dict(solver.moves(position))
    return scores[move].value == max(score.value for score in scores.values())  # type: ignore[union-attr]


def perfection(games: int, seconds: float) -> None:
    """Play Connect 4 and judge every move of the engine."""
    judge = Solver(GAME, memory=1024)
    rng = random.Random(1)
    moves, slips, blunders, times = 0, 0, 0, []
    for number in range(games):
        opponent_name = OPPONENTS[number // 2 % len(OPPONENTS)]
        opponent = None if opponent_name == "perfect" else mossa.player(opponent_name)
        engine = mossa.player(f"engine:time={seconds:g}")
        position = GAME.start()
        while position.outcome is None:
            if (position.side is mossa.Side.first) == (number % 2 == 0):
                begin = perf_counter()
                move = engine.choose(position, Limits()).move
                times.append(perf_counter() - begin)
                moves += 1
                if move not in best_moves(position, judge):
                    slips += 1
                    blunders += not keeps_outcome(position, move, judge)
                    print(f"{position.history_text}: {move} is not among the best", flush=True)
            elif opponent is None:
                move = rng.choice(best_moves(position, judge))
            else:
                move = opponent.choose(position, Limits()).move
            position = position.play(move)
        print(f"game {number + 1} against {opponent_name}: {position.outcome}", flush=True)
    print(
        f"{moves} moves at {seconds:g} s: {blunders} changed the outcome, {slips - blunders} more "
        f"the distance; {statistics.mean(times):.3f} s a move on average, {max(times):.2f} at most"
    )


def opening(game: mossa.Game, rng: random.Random, plies: int) -> Position:
    """Return a position after so many random moves that nobody can win at once."""
    while True:
        position = game.start()
        for _ in range(plies):
            if position.outcome is None:
                position = position.play(rng.choice(position.moves))
        if position.outcome is None and all(
            position.play(move).outcome is None for move in position.moves
        ):
            return position


def duel(board: str, other: str, games: int, seconds: float) -> None:
    """Play pairs of games and print the engine's share of the points."""
    game, rng = mossa.game(board), random.Random(1)
    pairs = []
    for _ in range(games // 2):
        start, points = opening(game, rng, 4), 0.0
        for side in mossa.Side:
            players = {side: mossa.player(f"engine:time={seconds:g}")}
            players[mossa.Side.second if side is mossa.Side.first else mossa.Side.first] = (
                mossa.player(other)
            )
            position = start
            while position.outcome is None:
                choice = players[position.side].choose(position, Limits(time=seconds))
                position = position.play(choice.move)
            winner = position.outcome.winner
            points += 0.5 if winner is None else float(winner is side)
        pairs.append(points / 2)
    error = 2 * statistics.stdev(pairs) / len(pairs) ** 0.5 if len(pairs) > 1 else 0.5
    share = statistics.mean(pairs)
    print(
        f"{board}, {seconds:g} s: engine {share:.0%} +- {error:.0%} of {2 * len(pairs)} "
        f"against {other}",
        flush=True,
    )


def main() -> None:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--games", type=int, default=16)
    parser.add_argument("--time", type=float, default=1.0, help="seconds a move")
    parser.add_argument("--against", nargs="+", default=[], help="other players")
    parser.add_argument("--boards", nargs="+", default=["connect:8x8x4"])
    given = parser.parse_args()
    if not given.against:
        perfection(given.games, given.time)
    for board in given.boards:
        for other in given.against:
            duel(board, other, given.games, given.time)


if __name__ == "__main__":
    main()
