"""Checks certificates of exact scores; says by the game of the file which rules they need.

>>> check_certificate("none.json")
Traceback (most recent call last):
FileNotFoundError: [Errno 2] No such file or directory: 'none.json'

The checkers stand alone: they know the rules by themselves and use nothing else of mossa. What a
certificate of a game means, and why the checks suffice, is in the documentation of
``mossa.solving.certificates.mnk``, ``.connect`` and ``.kalah``.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from mossa.solving.certificates import connect, kalah, mnk, reading
from mossa.solving.certificates.reading import CertificateError, Progress, parse, quote, require

__all__ = ["CHECKERS", "CertificateError", "check", "check_certificate", "parse"]

CHECKERS: dict[str, Callable[[Any, Progress | None], dict[str, Any]]] = {
    connect.KIND: connect.check,
    kalah.KIND: kalah.check,
    mnk.KIND: mnk.check,
}
"""By the kind of game, as its name begins."""


def check_certificate(path: Path | str, progress: Progress | None = None) -> dict[str, Any]:
    """Return what a certificate proves (game, board, side, value); raise CertificateError.

    ``progress`` is told now and then how many positions or states have been looked at.
    """
    most = reading.MOST_BYTES
    with Path(path).open("rb") as file:
        content = file.read(most + 1)
    require(len(content) <= most, f"the file has more than {most:,} bytes")
    return check(parse(content), progress)


def check(data: Any, progress: Progress | None = None) -> dict[str, Any]:
    """Check the content of a certificate, as JSON holds it."""
    require(
        type(data) is dict and "game" in data,
        "a JSON object with the fields of a certificate is missing",
    )
    name = data["game"]
    checker = CHECKERS.get(name.partition(":")[0]) if type(name) is str else None
    if checker is None:
        raise CertificateError(f"no certificates of {quote(name)}: {', '.join(CHECKERS)} have them")
    try:
        return checker(data, progress)
    except RecursionError:
        raise CertificateError("the proof is too deep to follow") from None
