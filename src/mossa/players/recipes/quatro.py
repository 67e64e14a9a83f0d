"""The three players of the Connect 4 report."""

from mossa.players.base import Player
from mossa.players.chooser import DEPTH, ITERATIONS, NODES, PLAIN, TIME, Recipe, falling_lines
from mossa.players.registry import SEED, Group, PlayerKind, limits_from


def _make_quatro_minimax(options: dict[str, str]) -> Player:
    """Make the minimax of the Connect 4 report: five levels counting the root.

    Differs: the evaluation is ours (windows of k by stones), as the report does not define its own.
    """
    limits = limits_from({"depth": "4"} | options)
    return Recipe(
        "quatro-minimax", falling_lines, "minimax", {"evaluate": "windows"}, limits=limits
    )


def _make_quatro_alphabeta(options: dict[str, str]) -> Player:
    """Make the same with alpha-beta cuts, columns from left to right, and nothing else."""
    limits = limits_from({"depth": "4"} | options)
    search = PLAIN | {"evaluate": "windows", "order": "none", "deepen": "off"}
    return Recipe("quatro-alphabeta", falling_lines, "alphabeta", search, limits=limits)


def _make_quatro_mcts(options: dict[str, str]) -> Player:
    """Make the Monte Carlo tree search of the Connect 4 report.

    Follows it in: UCB1, a leaf gets all its children and one of them is played out at random, only
    wins count, 1000 iterations, the most visited move. The report prints no constant for UCB1; this
    is its usual one, the square root of two.
    """
    limits = limits_from({"iterations": "1000"} | options)
    search = {"c": "1.414", "draws": "0", "solver": "off", "reuse": "off"}
    search |= {"seed": options.get("seed", "1")}
    return Recipe("quatro-mcts", falling_lines, "mcts", search, limits=limits)


KINDS = (
    PlayerKind(
        "quatro-minimax",
        "the Connect 4 report: minimax, four plies (connect)",
        _make_quatro_minimax,
        (TIME, NODES, DEPTH),
        group=Group.recipes,
        example="quatro-minimax:depth=4",
    ),
    PlayerKind(
        "quatro-alphabeta",
        "the Connect 4 report: alpha-beta, four plies (connect)",
        _make_quatro_alphabeta,
        (TIME, NODES, DEPTH),
        group=Group.recipes,
        example="quatro-alphabeta:depth=4",
    ),
    PlayerKind(
        "quatro-mcts",
        "the Connect 4 report: Monte Carlo tree search, 1000 iterations (connect)",
        _make_quatro_mcts,
        (TIME, ITERATIONS, SEED),
        group=Group.recipes,
        example="quatro-mcts:iterations=1000",
    ),
)
