"""What the tests of the sandbox share: a program that tries to do harm, and where there is none."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from mossa import sandbox
from mossa.sandbox import groups

HOSTILE = Path(__file__).parent / "sandbox" / "hostile.py"
PYTHON = [sys.executable, "-I", "-S"]

MISSING = sandbox.missing()
needs_sandbox = pytest.mark.skipif(MISSING is not None, reason=f"no sandbox here: {MISSING}")


def without_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a machine have no control groups that we may use."""

    def none() -> Iterator[tuple[set[str], Path]]:
        return iter(())

    monkeypatch.setattr(groups, "_parents", none)
