"""What a network costs, how many mistakes it saves, and how fast it is made.

    python benchmarks/network.py speed [--net FILE] [--game mnk:15x15x5 ...] [--rounds 3]
    python benchmarks/network.py moves [--net FILE] [--games 400] [--depth 4]
    python benchmarks/network.py learning [--game connect:10x10x5 ...] [--nodes 500 2000]

`speed` counts nodes and evaluations in a CPU second, with a network and without. Without a file the
network knows nothing: every position is worth the same, which costs as much as knowing something.
Both searches look at the same positions, by turns.

`moves` plays Connect 4 against the solver, which knows everything. Alpha-beta looks a few moves
ahead with each evaluation in turn, without a book and without a solver of its own. What counts is
the share of its moves that keep the value: a win stays a win, a draw a draw. It depends on no
clock.

`learning` begins runs of `mossa train` and stops them before their first test: positions a second
of self-play, by nodes a move and workers, and of training, in the second pass over them.
"""

import argparse
import random
import statistics
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from time import process_time

import mossa
from mossa import Exact, Limits, Move, Position, Search, Side, _core
from mossa.arena.oracle import Oracle
from mossa.learning.plan import TrainingPlan
from mossa.learning.run import Progress, begin, train
from mossa.learning.state import Folder
from mossa.networks import Network

GAMES = ["mnk:15x15x5", "connect:10x10x5", "kalah:6x6"]
NODES = Limits(nodes=100_000)
JUDGED = "connect:6x7x4"
"""The board on which the solver knows every position at once."""
WRITTEN = ("windows", "parity")
"""The evaluations of alpha-beta that people wrote."""
OPENING = 8
"""Random moves that a game against the solver begins with, at most."""


def search_of(game: mossa.Game, network: _core.Network | None) -> Search:
    """Return the search that the engine would use."""
    if not game.traits.lines:
        evaluate = "seeds" if network is None else "net"
        return Search(game, "alphabeta", {"evaluate": evaluate, "turns": "on"}, network=network)
    return Search(game, "gravity" if game.traits.falls else "threats", network=network)


def positions(game: mossa.Game, count: int) -> list[Position]:
    """Return positions after a few random moves, without an end in sight."""
    chance = random.Random(game.name)
    found: list[Position] = []
    while len(found) < count:
        position = game.start()
        while position.ply < 8 and position.outcome is None:
            moves = position.moves
            if game.traits.lines and position.ply:
                moves = [each.move for each in mossa.candidates(position)] or moves
            position = position.play(chance.choice(moves))
        if position.outcome is None:
            score = search_of(game, None).run(position, Limits(nodes=2000)).score
            if not isinstance(score, Exact):
                found.append(position)
    return found


def speed(game: mossa.Game, network: _core.Network | None) -> tuple[float, float]:
    """Return stones and evaluations in a CPU second."""
    nodes = evaluations = 0
    some = positions(game, 6)
    begin = process_time()
    for position in some:
        info = search_of(game, network).run(position, NODES)
        nodes += info.nodes
        evaluations += info.evaluations
    taken = process_time() - begin
    return nodes / taken, evaluations / taken


# ---------------------------------------------------------------- moves that keep the value


@dataclass
class Kept:
    """How well a search played where it had something to lose."""

    moves: int = 0
    """All moves in positions that were won or drawn."""
    choices: int = 0
    """Those where another move would have given something away."""
    mistakes: int = 0


def own_evaluation(game: mossa.Game) -> _core.Network:
    """Return a network that corrects nothing: what people wrote speaks alone."""
    blank = bytes(_core.network_shape(game).payload_bytes)
    return _core.Network(_core.pack_network(game, blank, beside=True))


def keeping(oracle: Oracle, position: Position) -> tuple[int, list[Move]]:
    """Return 1, 0 or -1 for a position that is won, drawn or lost, and the moves that keep it."""
    sign = 1 if position.side is Side.first else -1
    values = {}
    for move in position.moves:
        value = oracle.value(position.play(move))
        assert value is not None, "the solver knows Connect 4"
        values[move] = (sign * value > 0) - (sign * value < 0)
    best = max(values.values())
    return best, [move for move, value in values.items() if value == best]


def play(oracle: Oracle, search: Search, depth: int, seed: int, kept: Kept) -> None:
    """Play a game against the solver for as long as there is something to lose."""
    chance = random.Random(seed)
    position = mossa.game(JUDGED).start()
    plies = chance.randrange(OPENING + 1)
    while position.ply < plies:
        after = position.play(chance.choice(position.moves))
        position = after if after.outcome is None else mossa.game(JUDGED).start()
    side = Side.first if seed % 2 else Side.second
    while position.outcome is None:
        value, moves = keeping(oracle, position)
        if position.side is not side:
            position = position.play(chance.choice(moves))
            continue
        if value < 0:
            return
        move = search.run(position, Limits(depth=depth)).move
        kept.moves += 1
        kept.choices += len(moves) < len(position.moves)
        kept.mistakes += move not in moves
        position = position.play(move)


def moves(networks: Sequence[str], games: int, depth: int) -> None:
    """Compare evaluations: those that people wrote, and networks."""
    game, oracle = mossa.game(JUDGED), Oracle(60)

    def learnt(network: _core.Network) -> Search:
        return Search(game, "alphabeta", {"evaluate": "net"}, network=network)

    searches = {name: Search(game, "alphabeta", {"evaluate": name}) for name in WRITTEN}
    searches["that of gravity"] = learnt(own_evaluation(game))
    searches |= {name: learnt(Network.load(name).core) for name in networks}
    for name, search in searches.items():
        kept = Kept()
        for number in range(games):
            play(oracle, search, depth, number, kept)
        print(
            f"{name}, depth {depth}, {games} games: {kept.mistakes} mistakes; "
            f"{1 - kept.mistakes / kept.choices:.1%} of {kept.choices:,} moves that could go wrong "
            f"keep the value, {1 - kept.mistakes / kept.moves:.1%} of all {kept.moves:,}",
            flush=True,
        )


# ---------------------------------------------------------------- speed


def measure_speed(file: str | None, games: Sequence[str], rounds: int) -> None:
    """Compare each game with a network and without."""
    for name in games:
        game = mossa.game(name)
        if file:
            network = Network.load(file).core
        else:
            blank = bytes(_core.network_shape(game).payload_bytes)
            network = _core.Network(_core.pack_network(game, blank))
        rows = [(speed(game, None), speed(game, network)) for _ in range(rounds)]
        for what, at in (("nodes", 0), ("evaluations", 1)):
            without = statistics.median(row[0][at] for row in rows)
            with_it = statistics.median(row[1][at] for row in rows)
            print(
                f"{name}: {what} in a CPU second {without:,.0f} without, {with_it:,.0f} with a "
                f"network: {with_it / without:.2f} x",
                flush=True,
            )


# ---------------------------------------------------------------- learning


class _Enough(Exception):  # noqa: N818 - no error
    """The first generation is trained."""


def learning(game: str, nodes: int, workers: int, positions: int) -> tuple[float, float]:
    """Return the positions a second of self-play and of training."""

    def look(progress: Progress) -> None:
        if progress.phase == "test":
            raise _Enough

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "run")
        begin(path, TrainingPlan((game,), nodes=nodes, positions=positions, proof_nodes=0))
        with suppress(_Enough):
            train(path, budget=3600, count=workers, report=look)
        (first, *_) = Folder(path).read().generations
    last = first.epochs[-1]
    return first.positions / first.seconds, last.positions / last.seconds


def measure_learning(
    games: Sequence[str], nodes: Sequence[int], workers: Sequence[int], positions: int
) -> None:
    """Print the speeds of all combinations."""
    for name, most, count in product(games, nodes, workers):
        playing, training = learning(name, most, count, positions)
        print(
            f"{name}, {most:,} nodes a move, {count} workers: self-play {playing:,.0f} positions a "
            f"second, training {training:,.0f}",
            flush=True,
        )


def main() -> None:
    """Measure what was asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    modes = parser.add_subparsers(dest="mode", required=True)
    mode = modes.add_parser("speed")
    mode.add_argument("--net", help="a file; of one game's k")
    mode.add_argument("--game", nargs="*", default=GAMES)
    mode.add_argument("--rounds", type=int, default=3)
    mode = modes.add_parser("moves")
    mode.add_argument("--net", nargs="*", default=[], help="files, for four in a row")
    mode.add_argument("--games", type=int, default=400)
    mode.add_argument("--depth", type=int, default=4)
    mode = modes.add_parser("learning")
    mode.add_argument("--game", nargs="*", default=GAMES)
    mode.add_argument("--nodes", nargs="*", type=int, default=[500, 2000])
    mode.add_argument("--workers", nargs="*", type=int, default=[1, 2])
    mode.add_argument("--positions", type=int, default=20_000)
    given = parser.parse_args()
    if given.mode == "speed":
        measure_speed(given.net, given.game, given.rounds)
    elif given.mode == "learning":
        measure_learning(given.game, given.nodes, given.workers, given.positions)
    else:
        moves(given.net, given.games, given.depth)


if __name__ == "__main__":
    main()
