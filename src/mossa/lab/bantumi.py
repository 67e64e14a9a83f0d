"""The Bantumi report's table of moves examined, figure for figure, and its bots in games.

The report counts every move its searches try from the start of the game, to a depth of 1 to 5 hands
(a hand is a turn of both sides). Its alpha-beta passes only one of the two bounds on when the turn
passes, so it cuts less than it could; beside its figures stand those of the same search with both
bounds, and with a cut on equal values too.

Its table of games has bots of 1 to 4 hands with an opening study, against programs for telephones
and a person. These are not at hand: here the bots play each other, with and without the study.
"""

from collections.abc import Mapping, Sequence

from mossa._core import Side
from mossa.lab import runner
from mossa.quantities import counted

# Moves examined by hands, as the report prints them; by the order its moves are tried in.
MINIMAX = {1: 129, 2: 8727, 3: 882215, 4: 99569593}
ALPHABETA = {
    "ascending": {1: 112, 2: 3057, 3: 84577, 4: 2676841, 5: 81995855},
    "descending": {1: 83, 2: 2209, 3: 56770, 4: 1320574, 5: 25298451},
    "Val": {1: 97, 2: 2405, 3: 50387, 4: 1148562, 5: 23123673},
}
_ORDERS = {"ascending": "none", "descending": "descending", "Val": "store-first"}

# How alpha-beta treats its bounds: the report's way, the textbook's, and cutting on equal values.
_BOUNDS = {
    "as the report": "strict=on,forget=on",
    "both bounds": "strict=on,forget=off",
    "cut on equal": "strict=off,forget=off",
}
_PLAIN = "deepen=off,table=off,pvs=off,killers=off,history=off"


def _work(settings: runner.Settings) -> Sequence[runner.OneSearch]:
    most = 3 if settings.quick else 5
    work = []
    for repetition in range(1, (settings.runs or 1) + 1):
        for hands in range(1, most + 1):
            if hands in MINIMAX:
                work.append(_search("minimax", "", hands, f"minimax:hands={hands}", repetition))
            for order, core_order in _ORDERS.items():
                for bounds, options in _BOUNDS.items():
                    spec = f"alphabeta:hands={hands},order={core_order},{options},{_PLAIN}"
                    work.append(_search(bounds, order, hands, spec, repetition))
    return work


def _search(variant: str, order: str, hands: int, spec: str, repetition: int) -> runner.OneSearch:
    case = f"{counted(hands, 'hand')}{order and ', '}{order}"
    extra: dict[str, runner.Cell] = {"hands": hands, "order": order}
    return runner.OneSearch(case, variant, spec, "bantumi", repetition=repetition, extra=extra)


def _tables(rows: Sequence[runner.Row]) -> list[runner.Table]:
    lines: list[tuple[runner.Cell, ...]] = []
    for hands, published in MINIMAX.items():
        if ours := runner.mean(runner.pick(rows, variant="minimax", hands=hands), "nodes"):
            mark = _mark(published, ours)
            lines.append(("minimax", hands, published, ours, mark, None, None))
    for order, column in ALPHABETA.items():
        for hands, published in column.items():
            here = runner.pick(rows, hands=hands, order=order)
            ours, both, equal = (
                runner.mean(runner.pick(here, variant=each), "nodes") for each in _BOUNDS
            )
            if ours:
                mark = _mark(published, ours)
                lines.append((f"alpha-beta {order}", hands, published, ours, mark, both, equal))
    columns = ("", "hands", "report", "mossa", "", "both\nbounds", "cut on\nequal")
    equal_count = sum(line[4] == "=" for line in lines)
    return [
        runner.Table(
            "Moves examined from the start of Bantumi",
            columns,
            lines,
            (
                f"{equal_count} of {len(lines)} figures equal the report's.",
                "The report's alpha-beta forgets a bound when the turn passes. Both bounds: the "
                "same search without that. Cut on equal: it cuts on values equal to a bound too.",
            ),
        )
    ]


def _mark(published: int, ours: float) -> str:
    return "=" if ours == published else "differs"


def _panels(rows: Sequence[runner.Row]) -> list[runner.Panel]:
    series = {"minimax": runner.means(runner.pick(rows, variant="minimax"), "nodes", "hands")}
    published: dict[str, Mapping[runner.Cell, float]] = {"minimax": dict(MINIMAX.items())}
    for order, column in ALPHABETA.items():
        here = runner.pick(rows, order=order)
        label = f"alpha-beta, {order}"
        series[label] = runner.means(runner.pick(here, variant="as the report"), "nodes", "hands")
        published[label] = dict(column.items())
    descending = runner.pick(rows, variant="both bounds", order="descending")
    series["descending, both bounds"] = runner.means(descending, "nodes", "hands")
    return [
        runner.Panel(
            "Bantumi: moves examined from the start",
            "hands",
            "moves examined",
            series,
            published,
            lines=True,
        )
    ]


# ---------------------------------------------------------------- the bots in games

BOT_HANDS = (1, 2, 3, 4)
BOTS = {
    **{f"{hands}": f"bantumi:hands={hands}" for hands in BOT_HANDS},
    **{
        # Nodes and not seconds end a study that takes long, so that every run plays the same games.
        f"open {hands}": f"bantumi-open:hands={hands},nodes=5000000,study=60,time=60"
        for hands in BOT_HANDS
    },
}
"""The players by label: a number is a depth in hands, ``open`` has the opening study."""


def _bots_work(settings: runner.Settings) -> Sequence[runner.OneGame]:
    bots = {
        label: spec
        for label, spec in BOTS.items()
        if not settings.quick or label.endswith(("1", "2"))
    }
    return [
        runner.OneGame("bantumi", one, spec, other, against, "bantumi", repetition=repetition)
        for repetition in range(1, (settings.runs or 1) + 1)
        for one, spec in bots.items()
        for other, against in bots.items()
        if one != other
    ]


def _bots_tables(rows: Sequence[runner.Row]) -> list[runner.Table]:
    margins: list[tuple[runner.Cell, ...]] = []
    totals: list[tuple[runner.Cell, ...]] = []
    for label in BOTS:
        margins.append((label, *(_margin_text(rows, label, other) for other in BOTS)))
        found = runner.tally(rows, label)
        if found.games:
            totals.append((label, found.games, found.won, found.drawn, found.lost, found.points))
    return [
        runner.Table(
            "Bantumi: first's margin, first left, second above",
            ("first", *BOTS),
            [line for line in margins if any(line[1:])],
            ("In seeds. A number is a depth in hands; open: with the opening study.",),
        ),
        runner.Table(
            "Bantumi: results as first and as second",
            ("bot", "games", "won", "drawn", "lost", "points"),
            totals,
            ("A win is a point, a draw half a point.",),
        ),
    ]


def _margin_text(rows: Sequence[runner.Row], first: str, second: str) -> str | None:
    margins = runner.values(
        runner.pick(rows, variant=first, against=second, side=Side.first.name), "margin"
    )
    if not margins:
        return None
    return f"{int(margins[0]):+d}" if margins[0] else "0"


def _bots_panels(rows: Sequence[runner.Row]) -> list[runner.Panel]:
    points: dict[str, dict[runner.Cell, float]] = {"without a study": {}, "with the study": {}}
    games = 0
    for label in BOTS:
        found = runner.tally(rows, label)
        if found.games:
            kind = "with the study" if label.startswith("open") else "without a study"
            points[kind][int(label[-1])] = found.points
            games = max(games, found.games)
    return [
        runner.Panel(
            f"Bantumi: points against all other bots, {games} games each",
            "hands",
            "points",
            {kind: by_hands for kind, by_hands in points.items() if by_hands},
            lines=True,
            log=False,
        )
    ]


BOTS_EXPERIMENT = runner.Experiment(
    "bantumi-bots",
    "games of bots that look 1 to 4 hands ahead, with and without a study (Bantumi report)",
    _bots_work,
    _bots_tables,
    _bots_panels,
    takes="a minute",
)
NODES = runner.Experiment(
    "bantumi-nodes",
    "moves examined by minimax and alpha-beta, 1 to 5 hands deep (Bantumi report)",
    _work,
    _tables,
    _panels,
    takes="half a minute",
)
