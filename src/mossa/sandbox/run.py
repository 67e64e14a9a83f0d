"""Run a command in a sandbox to its end: a compiler, a script that builds something."""

from __future__ import annotations

import os
import select
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic

from mossa.sandbox.limits import SandboxError, SandboxLimits
from mossa.sandbox.sandbox import Sandbox

COMPILING = SandboxLimits(memory=1024, cpu=120, file=256, scratch=256, output=4)
"""What a compiler may use."""

_SLICE = 0.05


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int
    output: str
    """What it wrote to its standard output and error, up to its limit."""
    reason: str | None = None
    """Which limit ended it, in plain words; None: it left by itself."""

    @property
    def succeeded(self) -> bool:
        """Whether it succeeded."""
        return self.code == 0 and self.reason is None


def run(
    words: Sequence[str],
    *,
    seconds: float,
    limits: SandboxLimits = COMPILING,
    folder: Path | None = None,
    own: Path | None = None,
    reads: Sequence[Path] = (),
    writes: Sequence[Path] = (),
    handed_in: bool = False,
    marks: dict[str, str] | None = None,
) -> Ended:
    """Run a command for at most so many seconds; nothing of it is left afterwards.

    The other arguments are those of `Sandbox`. Raise SandboxError if there is no sandbox here.
    """
    sandbox = Sandbox(
        words,
        limits=replace(limits, ponder=True),
        folder=folder,
        own=own,
        reads=reads,
        writes=writes,
        handed_in=handed_in,
        marks=marks,
    )
    try:
        return _run(sandbox, seconds)
    finally:
        sandbox.close()


def _run(sandbox: Sandbox, seconds: float) -> Ended:
    try:
        process = subprocess.Popen(
            sandbox.command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except OSError as error:
        raise SandboxError(f"cannot start a sandbox: {error.strerror or error}") from None
    assert process.stdout is not None
    sandbox.started(process.pid)
    most = sandbox.limits.output << 20
    heard = bytearray()
    reason = None
    deadline = monotonic() + seconds
    try:
        while len(heard) <= most:
            if monotonic() > deadline:
                reason = f"took too long: the limit is {seconds:g} s"
                break
            exited = process.poll() is not None  # asked first: what it wrote before is there then
            if select.select([process.stdout], [], [], _SLICE)[0]:
                piece = os.read(process.stdout.fileno(), 1 << 16)
                heard += piece
                if not piece and _left(process, deadline):
                    break
            elif exited:
                break
        else:
            reason = f"wrote too much: the limit is {sandbox.limits.output} MB of output"
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        process.stdout.close()
    output = bytes(heard[:most]).decode(errors="replace")
    if reason is None and process.returncode:
        reason = sandbox.verdict(process.returncode, output[-2000:])
    return Ended(process.returncode, output, reason)


def _left(process: subprocess.Popen[bytes], deadline: float) -> bool:
    """Wait for a process that has closed its output; False if it does not end in time."""
    try:
        process.wait(max(0.0, deadline - monotonic()))
    except subprocess.TimeoutExpired:
        return False
    return True
