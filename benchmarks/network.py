"""What a network costs: stones and evaluations in a CPU second, with it and without.

    python benchmarks/network.py [--net FILE] [--game mnk:15x15x5 ...] [--rounds 3]

Without a file the network knows nothing: every position is worth the same, which costs as much as
knowing something. Both searches look at the same positions, by turns.
"""

import argparse
import random
import statistics
from time import process_time

import mossa
from mossa import Exact, Limits, Position, Search, _core
from mossa.networks import Network

GAMES = ["mnk:15x15x5", "connect:10x10x5", "kalah:6x6"]
NODES = Limits(nodes=100_000)


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


def main() -> None:
    """Compare each game."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--net", help="a file; of one game's k")
    parser.add_argument("--game", nargs="*", default=GAMES)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    for name in given.game:
        game = mossa.game(name)
        if given.net:
            network = Network.load(given.net).core
        else:
            blank = bytes(_core.network_shape(game).payload_bytes)
            network = _core.Network(_core.pack_network(game, blank))
        rows = [(speed(game, None), speed(game, network)) for _ in range(given.rounds)]
        for what, at in (("nodes", 0), ("evaluations", 1)):
            without = statistics.median(row[0][at] for row in rows)
            with_it = statistics.median(row[1][at] for row in rows)
            print(
                f"{name}: {what} in a CPU second {without:,.0f} without, {with_it:,.0f} with a "
                f"network: {with_it / without:.2f} x",
                flush=True,
            )


if __name__ == "__main__":
    main()
