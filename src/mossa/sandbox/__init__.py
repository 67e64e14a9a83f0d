"""Programs that strangers wrote, in a world of their own: no network, few files, hard limits."""

from mossa.sandbox.bubblewrap import SCRATCH, check_sandbox, missing
from mossa.sandbox.limits import SandboxError, SandboxLimits
from mossa.sandbox.run import COMPILING, Ended, run
from mossa.sandbox.sandbox import Sandbox

__all__ = [
    "COMPILING",
    "SCRATCH",
    "Ended",
    "Sandbox",
    "SandboxError",
    "SandboxLimits",
    "check_sandbox",
    "missing",
    "run",
]
