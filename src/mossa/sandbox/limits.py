"""What a program in a sandbox may use, as plain data."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any

from mossa.errors import GameError, described


class SandboxError(GameError):
    """There is no sandbox on this machine, or it cannot hold what it is given."""


SandboxError.__module__ = "mossa"


@dataclass(frozen=True)
class SandboxLimits:
    """What a program and all its children may use together, unless it says otherwise."""

    memory: int = 512
    """Megabytes, with what is in its temporary files."""
    cpu: int = 3600
    """Seconds of processor time from its start to its end."""
    processes: int = 128
    """Processes and threads at the same time; Java alone has about twenty."""
    file: int = 64
    """Megabytes of a file that it writes."""
    scratch: int = 64
    """Megabytes of temporary files."""
    output: int = 64
    """Megabytes that it may write to its standard output and error."""
    ponder: bool = False
    """Whether it may think in its opponent's time; if not, it stands still between its moves."""

    def __post_init__(self) -> None:
        """Refuse limits that nothing could run with."""
        for name, lowest in (
            ("memory", 16),
            ("cpu", 1),
            ("processes", 4),
            ("file", 1),
            ("scratch", 1),
            ("output", 1),
        ):
            value = getattr(self, name)
            if type(value) is not int or not lowest <= value <= 1 << 24:
                raise SandboxError(
                    f"invalid {name} of a sandbox {described(value)}: "
                    f"a whole number, {lowest} to {1 << 24}"
                )

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> SandboxLimits:
        """Return what to_dict made."""
        known = {field.name for field in fields(cls)}
        return cls(**{name: value for name, value in data.items() if name in known})

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return asdict(self)
