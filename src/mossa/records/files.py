"""Record files: detecting the format, reading, and writing without ever losing a file."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from mossa.errors import blaming, described
from mossa.files import replace_file
from mossa.records.jsonl import parse_jsonl, to_jsonl
from mossa.records.psq import parse_psq, to_psq
from mossa.records.record import InvalidRecordError, Place, Record, expect_record, quote
from mossa.records.sgf import parse_sgf, to_sgf
from mossa.records.text import parse_text, to_text


class Format(NamedTuple):
    """Everything a file needs to know about a format."""

    parse: Callable[[str, str], list[Record]]  # the text and the name of its source
    write: Callable[[Sequence[Record]], str]
    suffixes: tuple[str, ...]
    beginning: tuple[str, ...]  # what a file of this format starts with
    between: str = ""  # what separates a game from the one before it
    branches: bool = True  # whether it has room for them


# A new format: one module with a parser and a formatter, and one entry here.
FORMATS = {
    "text": Format(parse_text, to_text, (".mossa", ".txt"), ("mossa", "#"), "\n"),
    "jsonl": Format(parse_jsonl, to_jsonl, (".jsonl",), ("{",)),
    "sgf": Format(parse_sgf, to_sgf, (".sgf",), ("(",), "\n"),
    "psq": Format(parse_psq, to_psq, (".psq",), ("Piskvorky",), branches=False),
}
_SUFFIXES = {suffix: name for name, each in FORMATS.items() for suffix in each.suffixes}
_ANYTHING = ".txt"  # a suffix that promises no format: look at the content first


def read_records(path: str | os.PathLike[str]) -> list[Record]:
    """Return all games in a file; its suffix gives the format, or else its content."""
    path = Path(path)
    suffix = path.suffix.lower()
    form = None if suffix == _ANYTHING else _SUFFIXES.get(suffix)
    return parse_records(_decoded(path.read_bytes(), str(path)), form, source=str(path))


def parse_records(text: str, form: str | None = None, *, source: str = "<text>") -> list[Record]:
    """Return all games in a text of a format (`text` `jsonl` `sgf` `psq`), guessed if not given."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if (nul := text.find("\0")) >= 0:
        place = Place(source, text.count("\n", 0, nul) + 1)
        raise place.error("a NUL character; a record file is text in UTF-8")
    if not text.strip():
        raise Place(source, 1).error("empty; a record file holds at least one game")
    records = _named(form or _detected(text, source)).parse(text, source)
    if not records:
        raise Place(source, 1).error("no game, only comments; a record file holds at least one")
    return records


def branches_left_out(form: str, records: Iterable[Record]) -> int:
    """Return how many branches a format (`text` `jsonl` `sgf` `psq`) cannot hold."""
    return 0 if _named(form).branches else sum(record.branch_count for record in records)


def form_of(path: str | os.PathLike[str]) -> str:
    """Return the format for a file's suffix."""
    form = _SUFFIXES.get(Path(path).suffix.lower())
    if form is None:
        raise InvalidRecordError(
            f"{quote(Path(path).name)} names no record format; "
            f"accepted suffixes: {' '.join(_SUFFIXES)}"
        )
    return form


def write_records(
    path: str | os.PathLike[str], records: Iterable[Record], *, append: bool = False
) -> None:
    """Write games to a file, in the format of its suffix; `append` keeps the games already there.

    The file is replaced in one step by a finished copy. Whatever happens in between, a full disk or
    a crash, leaves the old file as it was. Appending copies too: one writer at a time.
    `branches_left_out` counts what the format has no room for.
    """
    path = Path(path)
    form = form_of(path)
    if isinstance(records, Record | str) or not isinstance(records, Iterable):
        raise InvalidRecordError(
            f"write_records() takes a list of Records, not {described(records)}"
        )
    games = list(records)
    for game in games:
        expect_record(game, "write_records()")
    if not games:
        if append:
            return
        raise InvalidRecordError(f"no game to write to {str(path)!r}")
    content = FORMATS[form].write(games)
    if append and path.exists():
        content = _continued(path, form) + content
    with blaming(path):
        replace_file(path, content.encode())


def _continued(path: Path, form: str) -> str:
    """Return what the file holds, ready for more games."""
    old = _decoded(path.read_bytes(), str(path)).rstrip()
    if not old:
        return ""
    if form == "psq":
        raise InvalidRecordError(f"PSQ holds one game per file, and {str(path)!r} has one")
    if (found := _detected(old, str(path))) != form:
        raise InvalidRecordError(f"{str(path)!r} holds {found}, not {form}: nothing is added")
    return f"{old}\n{FORMATS[form].between}"


def _decoded(content: bytes, source: str) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        place = Place(source, content.count(b"\n", 0, error.start) + 1)
        bad = content[error.start]
        raise place.error(f"byte 0x{bad:02x} is not UTF-8; save the file as UTF-8") from None


def _detected(text: str, source: str) -> str:
    head = text.removeprefix("\ufeff").lstrip()
    for name, each in FORMATS.items():
        if head.startswith(each.beginning):
            return name
    raise Place(source, 1).error(
        f"{quote(head[:80])} begins no known format; accepted: "
        "'mossa GAME' (text), '{' (JSONL), '(;' (SGF), 'Piskvorky' (PSQ)"
    )


def _named(form: str) -> Format:
    if form not in FORMATS:
        raise InvalidRecordError(f"unknown format {quote(form)}; accepted: {' '.join(FORMATS)}")
    return FORMATS[form]
