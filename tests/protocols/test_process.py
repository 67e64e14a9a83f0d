"""A program that dies: whatever the moment, what it wrote before is read."""

from __future__ import annotations

import sys
from pathlib import Path
from time import monotonic

import pytest
from programs import Sudden

import mossa
from mossa.protocols import process
from mossa.protocols.process import Process

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="gates are pipes of POSIX")

PATIENCE = 20.0
PYTHON = [sys.executable, "-S", "-E", "-c"]
DYING = """
import os, sys
gate, answer = sys.argv[1:]
os.write(2, b"ply ")
open(gate).close()
os.write(2, b"3 ")
os.write(1, answer.encode())
os._exit(3)
"""


@pytest.mark.parametrize("answer", ["", "1\n"])
@pytest.mark.parametrize("look", range(1, 9))
def test_what_a_dying_program_wrote_is_read(
    look: int,
    answer: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """On a busy machine its end was noticed before its words were read, and these were lost.

    So was its answer. The words before an answer could also be shown only after the next one.
    """
    gate = tmp_path / "gate"
    monkeypatch.setattr(process, "SYSTEM", Sudden(gate, look))
    program = Process([*PYTHON, DYING, str(gate), answer], memory=512)
    program.echo = True
    deadline = monotonic() + PATIENCE
    if answer:
        assert program.read_line(deadline) == "1"
        assert program.last_line == "ply 3"
    with pytest.raises(mossa.PlayerFailedError) as failed:
        program.read_line(deadline)
    assert failed.value.kind == "crash"
    assert str(failed.value) == "ended with exit code 3; it said 'ply 3'"
    assert capsys.readouterr().err == "ply 3 "


def test_what_a_program_said_before_it_was_asked_again_is_read() -> None:
    """The last words of one that had ended between two moves were always lost."""
    program = Process([*PYTHON, "import os; os.write(2, b'no more'); os._exit(3)"], memory=512)
    assert program.wait(PATIENCE)
    with pytest.raises(mossa.PlayerFailedError) as failed:
        program.send("go", deadline=monotonic() + PATIENCE)
    assert str(failed.value) == "ended with exit code 3; it said 'no more'"
