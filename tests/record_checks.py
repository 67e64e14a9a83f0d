"""What the tests of all record formats need."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from mossa.records import InvalidRecordError, Record, read_records

DATA = Path(__file__).parent / "data" / "records"

PSQ = "Piskvorky 15x15, 0:0, 0\n"


def moves(record: Record) -> str:
    return " ".join(map(str, record.moves))


def check_refusal(path: Path, text: str, line: int, reason: str) -> None:
    """A file with this text is refused: one line that names the file, its line and the reason."""
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidRecordError) as caught:
        read_records(path)
    message = str(caught.value)
    assert message.startswith(f"{path}:{line}: ")
    assert reason in message
    assert message.isprintable()
    assert len(message) < 500
    assert (caught.value.source, caught.value.line) == (str(path), line)
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.line, again.reason) == (message, line, caught.value.reason)
