"""The command `mossa`, called inside the process of the tests."""

from __future__ import annotations

import io
import os
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from unittest.mock import patch

from mossa.cli import main


def call(*arguments: str | Path) -> tuple[int, str, str]:
    """Call the command; its exit code, output and errors."""
    output, errors, code = io.StringIO(), io.StringIO(), 0
    with (
        patch.object(sys, "argv", ["mossa", *map(str, arguments)]),
        patch.dict(os.environ, {"COLUMNS": "80"}),
        redirect_stdout(output),
        redirect_stderr(errors),
    ):
        try:
            main()
        except SystemExit as end:
            code = int(end.code or 0)
    return code, output.getvalue(), errors.getvalue()
