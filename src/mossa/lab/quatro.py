"""The Connect 4 report's comparison of minimax, alpha-beta and Monte Carlo tree search.

The report gives, for five games of each player, the number of its moves and the mean time of one,
and bounds for the nodes it holds in memory; for Monte Carlo tree search that bound grows with the
iterations, and with few of them it holds less than minimax. The report's opponents are not known;
here they are random ones, who move first and play the same games every day. The report does not
define the evaluation at the horizon either: ours counts windows of four.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from mossa._core import Side
from mossa.games import game
from mossa.lab import runner


@dataclass(frozen=True)
class _Published:
    """What the report says of a player."""

    spec: str
    games: tuple[tuple[int, float], ...]  # moves of the player, mean milliseconds of one
    bound: int  # nodes in memory
    root: int  # 1 if our count of nodes leaves the root out


PLAYERS = {
    "minimax": _Published(
        "quatro-minimax",
        ((4, 41.75), (7, 34.96), (8, 22.12), (12, 17.58), (14, 21.51)),
        2801,
        1,
    ),
    "alpha-beta": _Published(
        "quatro-alphabeta",
        ((4, 8.58), (6, 12.81), (8, 12.70), (12, 11.88), (16, 9.85)),
        2801,
        1,
    ),
    "mcts": _Published(
        "quatro-mcts",
        ((4, 70.41), (6, 66.08), (9, 62.00), (12, 55.43), (18, 47.77)),
        7001,
        0,
    ),
}


def _work(settings: runner.Settings) -> Sequence[runner.WholeGame]:
    games = settings.runs or (2 if settings.quick else 5)
    return [
        runner.WholeGame(
            "connect4",
            {name: player.spec},
            "connect4",
            opponent="random",
            side=Side.second,
            repetition=repetition,
        )
        for name, player in PLAYERS.items()
        for repetition in range(1, games + 1)
    ]


def _games(rows: Sequence[runner.Row], name: str) -> list[list[runner.Row]]:
    """The games of a player, the shortest first, as the report has them."""
    numbers = dict.fromkeys(row.repetition for row in runner.pick(rows, variant=name))
    games = [runner.pick(rows, variant=name, repetition=number) for number in numbers]
    return sorted(games, key=len)


def _tables(rows: Sequence[runner.Row]) -> list[runner.Table]:
    lines: list[tuple[runner.Cell, ...]] = []
    for name, player in PLAYERS.items():
        for i, played in enumerate(_games(rows, name)):
            moves, ms = player.games[i] if i < len(player.games) else (None, None)
            held = [nodes + player.root for nodes in runner.values(played, "nodes")]
            lines.append(
                (
                    name,
                    len(played),
                    runner.mean(played, "time_ms"),
                    moves,
                    ms,
                    sum(held) / len(held),
                    int(max(held)),
                    player.bound,
                )
            )
    return [
        runner.Table(
            "Connect 4: milliseconds and nodes in memory for a move, by game",
            (
                "",
                "moves",
                "mean\nms",
                "report\nmoves",
                "report\nms",
                "mean\nnodes",
                "most\nnodes",
                "report\nbound",
            ),
            lines,
            (
                "Games are ordered by their length; the report's are not the same games.",
                "The nodes of minimax and alpha-beta include the root.",
            ),
        )
    ]


def _panels(rows: Sequence[runner.Row]) -> list[runner.Panel]:
    ours: dict[str, dict[runner.Cell, float]] = {"mossa": {}}
    theirs: dict[runner.Cell, float] = {}
    nodes: dict[str, dict[runner.Cell, float]] = {"mean": {}, "most": {}}
    bounds: dict[runner.Cell, float] = {}
    for name, player in PLAYERS.items():
        here = runner.pick(rows, variant=name)
        if not here:
            continue
        ours["mossa"][name] = runner.mean(here, "time_ms") or 0
        theirs[name] = sum(ms for _, ms in player.games) / len(player.games)
        held = [count + player.root for count in runner.values(here, "nodes")]
        nodes["mean"][name] = sum(held) / len(held)
        nodes["most"][name] = max(held)
        bounds[name] = player.bound
    return [
        runner.Panel(
            f"Time of a move, {runner.games_text(rows)} each",
            "",
            "milliseconds",
            {**ours, "report": theirs},
            counts=False,
        ),
        runner.Panel("Nodes in memory", "", "nodes", {**nodes, "report, bound": bounds}, log=False),
    ]


# ---------------------------------------------------------------- memory by iterations

ITERATIONS = (50, 100, 200, 400, 1000, 2000, 5000, 10_000)
BRANCHING = 7
"""Moves in a position at most: the bound is that many nodes an iteration, and the root."""


def _memory_work(settings: runner.Settings) -> Sequence[runner.OneSearch]:
    rules = game("connect4")
    positions = settings.runs or (2 if settings.quick else 10)
    return [
        runner.OneSearch(
            "connect4",
            "mcts",
            f"quatro-mcts:iterations={iterations}",
            rules.name,
            # The start, then positions ever later in the game.
            runner.random_moves(rules, 2 * (number - 1), number),
            number,
            extra={"iterations": iterations},
        )
        for iterations in (ITERATIONS[:4] if settings.quick else ITERATIONS)
        for number in range(1, positions + 1)
    ]


def _bound(iterations: int) -> int:
    return BRANCHING * iterations + 1


def _memory_tables(rows: Sequence[runner.Row]) -> list[runner.Table]:
    return [
        runner.table(
            "Connect 4, mcts: nodes in memory after a move",
            "iterations",
            runner.groups(rows, "iterations", ITERATIONS),
            {
                "positions": len,
                "mean\nnodes": runner.mean_of("nodes", rounded=True),
                "most\nnodes": runner.most_of("nodes", rounded=True),
                "report\nbound": lambda here: _bound(int(here[0].extra["iterations"] or 0)),
                "most\nkilobytes": lambda here: round(max(runner.values(here, "memory")) / 1024),
            },
            (
                f"Minimax and alpha-beta hold {PLAYERS['minimax'].bound:,} nodes at most: "
                "as many as 400 iterations.",
            ),
        )
    ]


def _memory_panels(rows: Sequence[runner.Row]) -> list[runner.Panel]:
    bounds: dict[runner.Cell, float] = {each: _bound(each) for each in ITERATIONS}
    positions = len(runner.distinct(rows, "repetition"))
    return [
        runner.Panel(
            f"Monte Carlo tree search: nodes in memory, {positions} positions",
            "iterations",
            "nodes",
            {"mean": runner.means(rows, "nodes", "iterations")},
            published={"mean": bounds},
            lines=True,
            log_x=True,
            level=("report: minimax and alpha-beta", PLAYERS["minimax"].bound),
        )
    ]


MEMORY = runner.Experiment(
    "quatro-memory",
    "nodes that Monte Carlo tree search keeps, by iterations (Connect 4 report)",
    _memory_work,
    _memory_tables,
    _memory_panels,
    takes="two seconds",
)
TIMES = runner.Experiment(
    "quatro-times",
    "time and nodes per move, three players, five games each (Connect 4 report)",
    _work,
    _tables,
    _panels,
    takes="a second",
)
