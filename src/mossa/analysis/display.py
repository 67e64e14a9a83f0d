"""How an analysis or a review looks in a terminal or a notebook."""

from __future__ import annotations

from mossa._core import Side
from mossa.analysis.analyst import Analysis
from mossa.analysis.grades import Grade, MoveReview, Review, UngradedMove
from mossa.networks import NetworkEstimate
from mossa.notebook import Bar, shows, to_html
from mossa.quantities import counted, duration, percentages
from mossa.render import side_label, title
from mossa.render.looks import look_of
from mossa.search import advantage
from mossa.sheets import Note, Sheet

TOP = 12
"""Moves shown by default: a board may have thousands."""

_GRADE_COLOURS = {
    Grade.best: "#2e9e5b",
    Grade.good: "#86c06c",
    Grade.inaccuracy: "#e3b341",
    Grade.mistake: "#e08a3c",
    Grade.blunder: "#d1453b",
}


# ---------------------------------------------------------------- analysis


def moves_sheet(analysis: Analysis, top: int = TOP) -> Sheet:
    """Return the best moves; moves without a score also count as left out."""
    rows = tuple(
        (str(move), str(found.score), str(found.depth), " ".join(map(str, found.line)))
        for move, found in list(analysis.moves.items())[:top]
    )
    left_out = len(analysis.position.moves) - len(rows)
    return Sheet(("move", "score", "depth", "line"), rows, frozenset({0, 3}), "move", left_out)


def analysis_notes(analysis: Analysis) -> list[Note]:
    """Return the notes below the moves: threats, a network's opinion, the effort."""
    effort = f"{counted(analysis.nodes, 'node')}, {duration(analysis.time)}"
    return [
        *([Note(f"threats: {analysis.threats}")] if analysis.threats else []),
        *([Note(_chances(analysis.network))] if analysis.network else []),
        Note(f"depth {analysis.depth}, {effort}", "quiet"),
    ]


def _chances(estimate: NetworkEstimate) -> str:
    win, draw, loss = percentages(estimate.win, estimate.draw, estimate.loss)
    return f"network: win {win}%, draw {draw}%, loss {loss}%"


@shows(Analysis)
def analysis_html(analysis: Analysis) -> str:
    """Return what a notebook shows: the board, who is ahead, the best moves."""
    position = analysis.position
    parts: list[Sheet | Note | Bar] = [_lead(analysis), moves_sheet(analysis)]
    parts += analysis_notes(analysis)
    return to_html(title(position), parts, board=position)


def _lead(analysis: Analysis) -> Bar:
    """Return a bar that shows who is ahead: the more of a side's colour, the better for it."""
    position, score = analysis.position, analysis.score
    lean = advantage(score, position.game.traits.scoring)
    share = (1 + (lean if position.side is Side.first else -lean)) / 2
    colours = look_of(position.game).colours
    said = [side_label(position.game, side) for side in Side]
    parts = zip((share, 1 - share), colours, said, strict=True)
    return Bar(f"{position.side.name} {score}", tuple(parts))


# ---------------------------------------------------------------- review


def review_title(graded: Review) -> str:
    """Return what was reviewed: the game, who played, the result."""
    record = graded.record
    names = (
        f"{side_label(record.game, side)} {name}"
        for side, name in zip(Side, (record.first, record.second), strict=True)
    )
    return f"{record.game}: {' against '.join(names)}, {record.result}"


def review_sheet(graded: Review) -> Sheet:
    """Return a row for every move of the game."""
    columns = ("", "side", "move", "score", "better", "score")
    rows = tuple(map(_review_row, graded.rows))
    return Sheet(columns, rows, frozenset({1, 2, 4}), "move")


def _review_row(move: MoveReview | UngradedMove) -> tuple[str, ...]:
    if isinstance(move, UngradedMove):
        why = "opening" if move.reason == "opening" else "not graded"
        return f"{move.ply + 1}", move.side.name, str(move.move), why, "", ""
    better = ("", "") if move.grade is Grade.best else (str(move.best), str(move.best_score))
    return f"{move.ply + 1}", move.side.name, f"{move.move}{move.mark}", str(move.score), *better


def sides_sheet(graded: Review) -> Sheet:
    """Return how many moves of each grade either side made."""
    columns = ("", "best moves", *(grade.value for grade in Grade))
    rows = tuple(
        (
            side.name,
            "-" if summary.accuracy is None else f"{summary.accuracy:.0%}",
            *map(str, summary.counts.values()),
        )
        for side, summary in graded.sides.items()
    )
    return Sheet(columns, rows, frozenset(range(len(columns))), "side")


def late_text(graded: Review) -> str:
    """Return which moves there was no time for; empty if none."""
    late = [str(move.ply + 1) for move in graded.ungraded if move.reason == "time"]
    return f"not graded for want of time: {' '.join(late)}" if late else ""


@shows(Review)
def review_html(graded: Review) -> str:
    """Return what a notebook shows: the last position, the grades of both sides, the moves."""
    late = late_text(graded)
    parts: list[Sheet | Note | Bar] = [
        *(_grades(side.name, summary.counts) for side, summary in graded.sides.items()),
        sides_sheet(graded),
        review_sheet(graded),
        *([Note(late)] if late else []),
    ]
    return to_html(review_title(graded), parts, board=graded.record.position)


def _grades(name: str, counts: dict[Grade, int]) -> Bar:
    total = sum(counts.values()) or 1
    return Bar(
        name,
        tuple(
            (number / total, _GRADE_COLOURS[grade], f"{number} {grade.value}")
            for grade, number in counts.items()
        ),
    )
