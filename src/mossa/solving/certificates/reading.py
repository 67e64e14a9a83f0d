"""What all certificates have in common: how they are read, and what is refused before any proof.

A certificate is JSON, one record on each line; a table of moves has one. Every number, list and
field that docs/solving.md does not name is refused, so that what is read is what was meant. The
checkers use this module and nothing else of mossa.
"""

import json
from collections.abc import Callable
from typing import Any

FORMAT = "mossa certificate 2"
MOST_BYTES = 200_000_000
"""Of a line: ten times what the largest table takes that is written unless asked for."""
MOST_LOOKS = 2_000_000
"""Positions that a checker looks at by itself; their memory is what it needs."""

Progress = Callable[[int], object]


class CertificateError(ValueError):
    """A certificate that proves nothing."""


def parse(content: bytes) -> Any:
    """Return what the bytes of a line hold; raise CertificateError."""
    try:
        return json.loads(
            content.decode("utf-8"),
            object_pairs_hook=_object,
            parse_int=_integer,
            parse_constant=_no_constant,
        )
    except UnicodeDecodeError:
        raise CertificateError("not UTF-8 text") from None
    except json.JSONDecodeError as error:
        raise CertificateError(f"not JSON: {error}") from None
    except RecursionError:
        raise CertificateError("the lists are nested too deeply") from None


def require(fact: bool, otherwise: str) -> None:
    """Raise CertificateError unless something is so."""
    if not fact:
        raise CertificateError(otherwise)


def quote(value: Any) -> str:
    """Return something from the file for a message of one line."""
    if type(value) is int and abs(value) < 10**9:
        return str(value)
    return ascii(value[:150]) if type(value) is str else f"a JSON {type(value).__name__}"


def fields(data: Any, *names: str) -> None:
    """Require an object with exactly these fields."""
    require(
        type(data) is dict and set(data) == set(names),
        f"a JSON object with the fields {', '.join(names)} is missing, or has others",
    )


def expect_format(data: Any) -> None:
    """Require the format that the checkers know."""
    require(data["format"] == FORMAT, f"the format is {quote(data['format'])}, not {FORMAT!r}")


class Looks:
    """Counts the positions that a checker looks at, over all proofs of a certificate."""

    def __init__(self, progress: Progress | None = None, most: int | None = None) -> None:
        """Tell ``progress`` now and then; raise CertificateError after ``most``."""
        self.count = 0
        self.most = MOST_LOOKS if most is None else most
        self._progress = progress or (lambda _: None)

    def add(self) -> None:
        """Count one more."""
        self.count += 1
        if self.count > self.most:
            raise CertificateError(f"the proof takes more than {self.most:,} positions")
        if self.count % 1000 == 0:
            self._progress(self.count)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    require(len(found) == len(pairs), "a JSON object has a field twice")
    return found


def _integer(text: str) -> int:
    require(len(text) <= 9, f"the number {text[:20]}... is too large")
    return int(text)


def _no_constant(text: str) -> None:
    raise CertificateError(f"{text} is not a number of JSON")
