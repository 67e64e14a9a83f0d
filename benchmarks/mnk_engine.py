"""The engine on mnk: does it win what can be won, how fast is it, and does it keep its time?

    python benchmarks/mnk_engine.py strength [--time 0.1] [--opponent-time 1] [--against NAME ...]
    python benchmarks/mnk_engine.py speed
    python benchmarks/mnk_engine.py tactics
    python benchmarks/mnk_engine.py deadlines [--games 200] [--time 0.1]
    python benchmarks/mnk_engine.py gomoku [--time 1] [--games 10] [--against SPEC ...]

`strength` plays the 25 boards of a course's tournaments, as first and as second, against the
recipes for mnk and against plain alpha-beta, and says where the engine missed what it should reach:
a win as first where the first player wins, at least a draw as first, and as second where the game
is a draw. `speed` counts stones put by the search in a CPU second. `tactics` solves
tests/data/mnk-tactics.csv. `deadlines` plays short games and counts moves that took longer than
allowed. `gomoku` plays pairs of 15x15 games from random openings, sides swapped.
"""

import argparse
import csv
import random
import statistics
from collections import Counter
from pathlib import Path
from time import perf_counter, process_time

import mossa
from mossa import Exact, Limits, Position, Search

DATA = Path(__file__).parent.parent / "tests" / "data"
BOARDS = [
    *["3x3x3", "4x3x3", "4x4x3", "4x4x4", "5x4x4", "5x5x4", "5x5x5", "6x4x4", "6x5x4", "6x6x4"],
    *["6x6x5", "6x6x6", "7x4x4", "7x5x4", "7x6x4", "7x7x4", "7x5x5", "7x6x5", "7x7x5", "7x7x6"],
    *["7x7x7", "8x8x4", "10x10x5", "50x50x10", "70x70x10"],
]
OPPONENTS = ["tree", "tris", "alphabeta"]
MOST_PLIES = 200
"""Of a game on more than 100 cells; then it counts as a draw."""
GRACE = 0.01
"""Seconds that a move may take beyond its limit before it counts as late."""


def known_values() -> dict[str, str]:
    """Return W or D by board, where it is known."""
    values = {}
    for row in csv.DictReader((DATA / "mnk-values.csv").open()):
        for rows, cols in ((row["m"], row["n"]), (row["n"], row["m"])):
            values[f"{rows}x{cols}x{row['k']}"] = row["value"]
    return values


def play(
    position: Position,
    players: tuple[mossa.Player, mossa.Player],
    most: int | None,
    late: list[float],
) -> int:
    """Play to the end; what first got. `late` gets the seconds of every move of the engine."""
    while position.outcome is None and (most is None or position.ply < most):
        player = players[position.side.value]
        begin = perf_counter()
        choice = player.choose(position, Limits())
        if player.name.startswith("engine"):
            late.append(perf_counter() - begin)
        position = position.play(choice.move)
    return position.outcome.value if position.outcome else 0


def strength(
    seconds: float, opponent_seconds: float, games: int, boards: list[str], opponents: list[str]
) -> None:
    """Play every board against every opponent, both ways."""
    values = known_values()
    results: Counter[str] = Counter()
    missed, times = [], list[float]()
    for board in boards:
        game = mossa.game(f"mnk:{board}")
        cells = game.sizes["rows"] * game.sizes["cols"]
        most = MOST_PLIES if cells > 100 else None
        scores = []
        for name in opponents:
            for as_first in (True, False) * games:
                engine = mossa.player(f"engine:time={seconds:g}")
                opponent = mossa.player(f"{name}:time={opponent_seconds:g}")
                players = (engine, opponent) if as_first else (opponent, engine)
                got = play(game.start(), players, most, times) * (1 if as_first else -1)
                results[["win", "draw", "loss"][1 - got]] += 1
                value = values.get(board, "D" if cells > 100 else "?")
                due = (1 if value == "W" else 0) if as_first else (0 if value == "D" else -1)
                scores.append(f"{'+=-'[1 - got]}")
                if got < due:
                    missed.append(f"{board} as {'first' if as_first else 'second'} against {name}")
        print(f"{board:9} {values.get(board, '?')}  {' '.join(scores)}", flush=True)
    print(f"{results['win']} won, {results['draw']} drawn, {results['loss']} lost")
    print(f"missed: {len(missed)}", *missed, sep="\n  ")
    print(f"longest move {1000 * max(times):.0f} ms of {1000 * seconds:.0f}")


def undecided(game: mossa.Game, chance: random.Random) -> Position:
    """Return a position after twelve random moves near the stones in which no win is in sight."""
    while True:
        position = game.start()
        while position.ply < 12 and position.outcome is None:
            near = [each.move for each in mossa.candidates(position)]
            position = position.play(chance.choice(near))
        if position.outcome is None:
            score = Search(game, "threats", {"memory": "1"}).run(position, Limits(nodes=5000)).score
            if not isinstance(score, Exact):
                return position


def speed() -> None:
    """Print stones put in a second of CPU time, and of time with two threads."""
    for board in ("10x10x5", "15x15x5", "20x20x5", "30x30x6", "50x50x10", "70x70x10"):
        game = mossa.game(f"mnk:{board}")
        position = undecided(game, random.Random(board))
        rates = []
        for threads in (1, 2):
            search = Search(game, "threats", {"threads": str(threads)})
            begin, wall = process_time(), perf_counter()
            info = search.run(position, Limits(time=2))
            cpu, wall = process_time() - begin, perf_counter() - wall
            rates.append(
                f"{threads} thread{'s' * (threads > 1)}: {info.nodes / cpu:,.0f} a CPU second, "
                f"{info.nodes / wall:,.0f} a second, depth {info.depth}"
            )
        print(f"{board:9} {'; '.join(rates)}", flush=True)


def tactics(seconds: float) -> None:
    """Solve the positions that are won by threats."""
    by_game: dict[str, list[float]] = {}
    failed = []
    for row in csv.DictReader((DATA / "mnk-tactics.csv").open()):
        position = mossa.game(row["game"]).position(row["moves"])
        search = Search(position.game, "threats", {})
        begin = process_time()
        score = search.run(position, Limits(time=seconds)).score
        by_game.setdefault(row["game"], []).append(process_time() - begin)
        if not isinstance(score, Exact) or score.value != 1:
            failed.append(f"{row['game']} {row['moves']}: {score}")
    for name, times in by_game.items():
        print(
            f"{name}: {len(times)} positions, median {1000 * statistics.median(times):.1f} ms, "
            f"longest {1000 * max(times):.0f} ms of CPU time"
        )
    print(f"not solved in {seconds:g} s: {len(failed)}", *failed, sep="\n  ")


def deadlines(games: int, seconds: float) -> None:
    """Count moves that come late, on boards of all sizes."""
    boards = ("15x15x5", "10x10x5", "20x20x5", "50x50x10", "70x70x10", "100x100x5")
    times = list[float]()
    chance = random.Random(1)
    for number in range(games):
        game = mossa.game(f"mnk:{boards[number % len(boards)]}")
        players = (mossa.player(f"engine:time={seconds:g}"), mossa.player("level:2,seed=1"))
        if chance.random() < 0.5:
            players = players[::-1]
        play(game.start(), players, 24, times)
    late = [each for each in times if each > seconds + GRACE]
    beyond = sorted(each - seconds for each in times)
    print(
        f"{games} games, {len(times)} moves at {1000 * seconds:.0f} ms: {len(late)} more than "
        f"{1000 * GRACE:.0f} ms late; beyond the limit: "
        f"median {1000 * beyond[len(beyond) // 2]:.1f} ms, "
        f"99% {1000 * beyond[len(beyond) * 99 // 100]:.1f}, most {1000 * beyond[-1]:.1f} ms"
    )


def gomoku(seconds: float, games: int, opponents: list[str]) -> None:
    """Play pairs of games from random openings of five stones, sides swapped."""
    game = mossa.game("gomoku")
    for spec in opponents:
        chance = random.Random(3)
        pairs = []
        for _ in range(games // 2):
            opening = game.position("h8")
            while opening.ply < 5:
                near = [each.move for each in mossa.candidates(opening)]
                opening = opening.play(chance.choice(near))
            points = 0.0
            for as_first in (True, False):
                engine, opponent = mossa.player(f"engine:time={seconds:g}"), mossa.player(spec)
                players = (engine, opponent) if as_first else (opponent, engine)
                got = play(opening, players, None, []) * (1 if as_first else -1)
                points += (got + 1) / 2
            pairs.append(points / 2)
        share = statistics.mean(pairs)
        error = 2 * statistics.stdev(pairs) / len(pairs) ** 0.5 if len(pairs) > 1 else 0
        print(f"against {spec}: {share:.0%} +- {error:.0%} of {2 * len(pairs)} games", flush=True)


def main() -> None:
    """Do what the arguments say."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument(
        "what", choices=["strength", "speed", "tactics", "deadlines", "gomoku"], help="the figure"
    )
    parser.add_argument("--time", type=float, default=None, help="seconds a move of the engine")
    parser.add_argument("--opponent-time", type=float, default=1, help="seconds of its opponents")
    parser.add_argument("--games", type=int, default=None)
    parser.add_argument("--boards", nargs="*", default=BOARDS)
    parser.add_argument(
        "--against",
        nargs="*",
        help="the opponents; of strength by name, of gomoku with all their options",
    )
    given = parser.parse_args()
    if given.what == "strength":
        strength(
            given.time or 0.1,
            given.opponent_time,
            given.games or 1,
            given.boards,
            given.against or OPPONENTS,
        )
    elif given.what == "speed":
        speed()
    elif given.what == "tactics":
        tactics(given.time or 5)
    elif given.what == "deadlines":
        deadlines(given.games or 200, given.time or 0.1)
    else:
        levels = [f"level:{n}" for n in range(5, 10)]
        against = given.against or ["alphabeta:near=2,width=12,time=1", *levels]
        gomoku(given.time or 1, given.games or 10, against)


if __name__ == "__main__":
    main()
