"""Checks certificates of exact scores; says by the game of the file which rules they need.

>>> check_certificate("none.json")
Traceback (most recent call last):
FileNotFoundError: [Errno 2] No such file or directory: 'none.json'

The checkers stand alone: they know the rules by themselves and use nothing else of mossa. What a
certificate of a game means, and why the checks suffice, is in the documentation of
``mossa.solving.certificates.mnk``, ``.connect`` and ``.kalah``.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import count
from pathlib import Path
from typing import Any, BinaryIO

from mossa.solving.certificates import connect, kalah, mnk, reading
from mossa.solving.certificates.reading import CertificateError, Progress, parse, quote, require

__all__ = ["CHECKERS", "CertificateError", "check", "check_certificate", "records_in"]


Checker = Callable[[Any, Iterator[Any], Progress | None], dict[str, Any]]
"""Gets the first record, the ones that follow, and whom to tell how far it is."""


def _alone(checker: Callable[[Any, Progress | None], dict[str, Any]]) -> Checker:
    """Return a checker for certificates of one record."""
    return lambda claim, _, progress: checker(claim, progress)


CHECKERS: dict[str, Checker] = {
    connect.KIND: _alone(connect.check),
    kalah.KIND: _alone(kalah.check),
    mnk.KIND: mnk.check,
}
"""By the kind of game, as its name begins."""


def check_certificate(path: Path | str, progress: Progress | None = None) -> dict[str, Any]:
    """Return what a certificate proves (game, board, side, value); raise CertificateError.

    ``progress`` is told now and then how many positions or states have been looked at. The file is
    read line by line, so it may be larger than the memory.
    """
    with Path(path).open("rb") as file:
        return check(records_in(file), progress)


def records_in(file: BinaryIO) -> Iterator[Any]:
    """Yield the records of a certificate; raise CertificateError for a line that is none."""
    most = reading.MOST_BYTES
    for number in count(1):
        line = file.readline(most + 1)
        if not line and number > 1:
            return
        require(len(line) <= most, f"line {number} has more than {most:,} bytes")
        try:
            yield parse(line)
        except CertificateError as error:
            raise CertificateError(f"line {number}: {error}") from None


def check(records: Iterable[Any], progress: Progress | None = None) -> dict[str, Any]:
    """Check the records of a certificate, each as JSON holds it."""
    rest = iter(records)
    claim: Any = next(rest, None)
    require(
        type(claim) is dict and "game" in claim,
        "a JSON object with the fields of a certificate is missing",
    )
    name = claim["game"]
    checker = CHECKERS.get(name.partition(":")[0]) if type(name) is str else None
    if checker is None:
        raise CertificateError(f"no certificates of {quote(name)}: {', '.join(CHECKERS)} have them")
    try:
        proven = checker(claim, rest, progress)
    except RecursionError:
        raise CertificateError("the proof is too deep to follow") from None
    require(not any(True for _ in rest), "there is more after the proof")
    return proven
