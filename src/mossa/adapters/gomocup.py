"""Our players as archives for Gomocup's managers: a program, and beside it all that it needs.

The archive is a zip with pbrain-mossa at its top. It needs Python, of the version and on the kind
of machine it was written on, but no package.
"""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

from mossa.adapters.portable import RUNS_ON, packed_player, with_settings
from mossa.files import replace_file
from mossa.games import game
from mossa.packages import version

GAME = "mnk:15x15x5"
"""What is played there; boards of other sizes need nothing else."""

PROGRAM = "pbrain-mossa"
"""Managers take what begins with pbrain for a program that speaks by pipes."""

_WRITTEN = (1980, 1, 1, 0, 0, 0)  # as early as a zip can say: the same files make the same bytes


def export(spec: str, path: str | Path) -> str:
    """Write the brain of a player; return the spec that it plays by.

    Raise InvalidPlayerError if the player cannot go there.
    """
    spec, package = packed_player(spec, game(GAME))
    main = Path(__file__).with_name("pbrain.py")
    program = with_settings(main, PLAYER=spec, NEEDS=RUNS_ON)
    about = f"Metadata-Version: 2.1\nName: mossa\nVersion: {version()}\n"
    files = {PROGRAM: program, f"mossa-{version()}.dist-info/METADATA": about.encode()}
    replace_file(Path(path), _packed(files | package))
    return spec


def _packed(files: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in files.items():
            about = zipfile.ZipInfo(name, _WRITTEN)
            about.compress_type = zipfile.ZIP_DEFLATED
            about.external_attr = (0o755 if name == PROGRAM else 0o644) << 16
            archive.writestr(about, content)
    return packed.getvalue()
