"""What ``mossa solve --journal`` shows: how far a proof is, what is left, and plots of it."""

from __future__ import annotations

import math
from math import isinf
from pathlib import Path
from typing import Any

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table

from mossa._core import Move, Scoring
from mossa.analysis import score_data
from mossa.cli.display import Display
from mossa.errors import GameError, shorten
from mossa.quantities import counted, duration
from mossa.render import position_data, title
from mossa.search import Bound, Exact
from mossa.solving.proof_jobs import Proof, ProofProgress


class ProofDisplay(Display):
    """How far a proof is, on a line of standard error that is overwritten."""

    def __init__(self, silent: bool) -> None:
        """Show nothing if ``silent``, or if nobody is watching."""
        console = Console(stderr=True, highlight=False)
        live = Live(console=console, transient=True, auto_refresh=False)
        super().__init__(live, not silent and console.is_terminal)
        self.last: ProofProgress | None = None

    def update(self, progress: ProofProgress) -> None:
        """Show this from now on."""
        self.last = progress
        if self.shown:
            self.live.update(_progress_line(progress), refresh=True)


def _progress_line(progress: ProofProgress) -> str:
    parts = [str(progress.score)]
    if progress.question is not None:
        parts.append(f"at least {question_text(progress.question)}?")
        parts.append(f"proof {_count(progress.proof)}, disproof {_count(progress.disproof)}")
    parts.append(
        f"{counted(progress.done, 'job')} done, {progress.running} running, {progress.open:,} open"
    )
    parts.append(
        f"{counted(progress.nodes, 'node')}  {duration(progress.seconds)}  "
        f"{progress.rate / 1e6:.1f} M/s"
    )
    if progress.lost:
        parts.append(f"{counted(progress.lost, 'worker')} lost")
    return "  ".join(parts)


def question_text(question: Exact) -> str:
    """Return the score that is asked about: ``+1``, ``0``, ``+1 in 29``, ``+12``."""
    ends = question.distance is not None and question.distance < 10_000
    return str(question if ends else Exact(question.value))


def _count(number: float) -> str:
    return "never" if isinf(number) else f"{max(1, round(number)):,}" if number else "0"


def left_text(progress: ProofProgress) -> str:
    """Return what is left of a proof, as far as anybody can know."""
    if progress.question is None:
        return "nothing is left to prove"
    yes, no = _count(progress.proof), _count(progress.disproof)
    return (
        f"is it at least {question_text(progress.question)}? Proof number {yes}, disproof number "
        f"{no}: about so many jobs for a yes or a no, if each of them succeeds; "
        f"{counted(progress.open, 'position')} open"
    )


def spent_text(progress: ProofProgress, journal: Path) -> str:
    """Return what a proof has cost, and where it is kept."""
    jobs, nodes = counted(progress.done, "job"), counted(progress.nodes, "node")
    return f"{jobs}, {nodes}, {duration(progress.seconds)}; kept in {journal}"


def proof_table(proof: Proof, line: list[Move], moves: bool, journal: Path) -> Group:
    """Return what is proven, for people."""
    # The proof of a score bounds every move; before that, only what is settled is worth a line.
    done = isinstance(proof.score, Exact)
    shown = {move: s for move, s in proof.moves.items() if done or isinstance(s, Exact)}
    table = Table("move", "score", box=None, header_style="bold", pad_edge=False)
    table.columns[1].justify = "right"
    for move in sorted(shown, key=lambda move: _best_and_worst(shown[move]), reverse=True):
        table.add_row(str(move), str(shown[move]))
    return Group(
        title(proof.position),
        f"score {proof.score}",
        *([table] if moves and shown else []),
        *([f"line {' '.join(map(str, line))}"] if line else []),
        *([left_text(proof.progress)] if isinstance(proof.score, Bound) else []),
        spent_text(proof.progress, journal),
    )


def _best_and_worst(score: Exact | Bound) -> tuple[Exact, Exact]:
    return (score.high, score.low) if isinstance(score, Bound) else (score, score)


def proof_data(proof: Proof, line: list[Move], journal: Path) -> dict[str, Any]:
    """Return what is proven, for programs."""
    progress = proof.progress
    question = progress.question
    return {
        **position_data(proof.position),
        "score": score_data(proof.score),
        "line": [str(move) for move in line],
        "nodes": progress.nodes,
        "seconds": round(progress.seconds, 3),
        "journal": str(journal),
        "jobs": progress.done,
        "open": progress.open,
        "question": None if question is None else question_text(question),
        "proof_number": _number(progress.proof, question),
        "disproof_number": _number(progress.disproof, question),
        "analysis": [
            {"move": str(move), "score": score_data(score)} for move, score in proof.moves.items()
        ],
    }


def _number(number: float, question: Exact | None) -> float | None:
    return None if question is None or isinf(number) else round(number, 2)


# ---------------------------------------------------------------- plots


def check_plot(path: Path | None) -> None:
    """Raise GameError if a plot could not be drawn, before the work that it is to show."""
    if path is None:
        return
    from mossa.lab import plots

    if path.suffix.lower() not in plots.FORMATS:
        raise GameError(
            f"cannot draw {shorten(str(path))}: plots end in {', '.join(plots.FORMATS)}"
        )
    plots.check_installed()


def draw(proof: Proof, path: Path) -> None:
    """Draw how a proof went: its numbers, its bounds and its nodes over time."""
    from mossa.lab import plots

    path.write_bytes(plots.to_image(_panels(proof), path.suffix[1:].lower(), columns=1))


_POINTS = 200
"""Results that are drawn; more would be a smear."""


def _panels(proof: Proof) -> list[Any]:
    from mossa.lab.runner import Panel

    if not proof.history:
        raise GameError("there is nothing to draw: the journal has no results yet")
    numbers: dict[str, dict[Any, float]] = {"to prove": {}, "to disprove": {}}
    nodes: dict[Any, float] = {}
    bounds: dict[str, dict[Any, float]] = {"at least": {}, "at most": {}}
    spent = 0
    step = math.ceil(len(proof.history) / _POINTS)
    for at, (entry, (low, high)) in enumerate(zip(proof.history, proof.bounds, strict=True), 1):
        spent += entry.nodes
        if at % step and at < len(proof.history):
            continue
        nodes[entry.at] = spent
        for name, number in (("to prove", entry.proof), ("to disprove", entry.disproof)):
            if number > 0 and not isinf(number):
                numbers[name][entry.at] = number
        bounds["at least"][entry.at] = low.value
        bounds["at most"][entry.at] = high.value
    name = str(proof.position.game)
    unit = proof.position.game.traits.unit
    score = f"score in {unit}" if proof.position.game.traits.scoring is Scoring.margin else "score"
    seconds = "seconds of all runs"
    return [
        Panel(f"{name}: what is left", seconds, "jobs, estimated", numbers, lines=True),
        Panel("What is proven", seconds, score, bounds, lines=True, log=False),
        Panel("Work", seconds, "nodes", {"nodes": nodes}, lines=True),
    ]
