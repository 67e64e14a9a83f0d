"""Writes certificates of exact scores: proofs that anybody can check without the solver.

``mossa.solving.certificate_check`` checks them, and ``docs/solving.md`` says what they hold.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mossa._core import Position
from mossa.errors import GameError, expect_position
from mossa.files import replacing_file
from mossa.solving.certificates import (
    connect,
    connect_writer,
    kalah,
    kalah_writer,
    mnk,
    mnk_writer,
)
from mossa.solving.certificates.reading import CertificateError
from mossa.solving.certificates.writing import States, Write
from mossa.solving.solver import Solver

LIMIT = 1_000_000
"""States that a certificate has at most unless said otherwise: of mnk about 4 GB."""

WRITERS: dict[str, Any] = {
    connect.KIND: connect_writer,
    kalah.KIND: kalah_writer,
    mnk.KIND: mnk_writer,
}
"""By the kind of game."""


def write_certificate(
    solver: Solver,
    position: Position,
    path: Path | str,
    *,
    limit: int = LIMIT,
    progress: Callable[[int], object] | None = None,
) -> int:
    """Write the proof of a position's score and return how many states it has.

    Raises GameError for games that have none, and if there would be more than ``limit`` states.
    Until the proof is whole, nothing has its name.
    """
    with replacing_file(Path(path)) as file:

        def write(record: Any) -> None:
            file.write(json.dumps(record, separators=(",", ":")).encode() + b"\n")

        return _certify(solver, position, States(limit, progress), write)


def certificate(
    solver: Solver,
    position: Position,
    *,
    limit: int = LIMIT,
    progress: Callable[[int], object] | None = None,
) -> tuple[list[Any], int]:
    """Return the proof of a position's score, as check() takes it, and how many states it has."""
    records: list[Any] = []
    return records, _certify(solver, position, States(limit, progress), records.append)


def _certify(solver: Solver, position: Position, states: States, write: Write) -> int:
    expect_position(position, "certificate()")
    game = position.game
    writer = WRITERS.get(game.kind)
    why = f"{', '.join(WRITERS)} have them" if writer is None else writer.refusal(solver)
    if writer is None or why is not None:
        raise GameError(f"no certificates of {game.name}: {why}")
    try:
        writer.certificate(solver, position, states, write)
    except CertificateError as error:  # the check would take too long
        raise GameError(f"no certificate of this position: {error}") from None
    return states.count
