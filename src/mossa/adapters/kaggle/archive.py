"""Submissions for Kaggle's ConnectX, as archives that need nothing installed.

An archive has main.py, which is `submission.py` with the player's spec, and beside it the package.
"""

from __future__ import annotations

import gzip
import io
import tarfile
from pathlib import Path
from zlib import crc32

from mossa import _core
from mossa.adapters.kaggle.serve import KIND
from mossa.adapters.portable import packed_player, with_settings
from mossa.errors import GameError, shorten
from mossa.files import replace_file
from mossa.games import game

GAME = f"{KIND}:6x7x4"
"""What is played there."""

MOST_BYTES = 100 << 20
"""The largest archive that Kaggle takes, in bytes."""

MEMORY = 64
"""Megabytes for each table of a player that does not say how many: Kaggle's machines are small."""


def export(spec: str, path: str | Path) -> str:
    """Write the submission of a player; return the spec that it plays by.

    Raise InvalidPlayerError if the player cannot go there.
    """
    spec, package = packed_player(spec, game(GAME), memory=MEMORY)
    core = Path(str(_core.__file__))
    main = with_settings(
        Path(__file__).with_name("submission.py"),
        PLAYER=spec,
        CORE=(core.name, crc32(core.read_bytes())),
    )
    archive = _packed({"main.py": main} | package)
    if len(archive) > MOST_BYTES:
        raise GameError(
            f"the submission of {shorten(spec)} has {len(archive) >> 20} MB, "
            f"but Kaggle takes at most {MOST_BYTES >> 20}: use a smaller book or network"
        )
    replace_file(Path(path), archive)
    return spec


def _packed(files: dict[str, bytes]) -> bytes:
    """Return an archive; the same files make the same bytes."""
    packed = io.BytesIO()
    with (
        gzip.GzipFile(fileobj=packed, mode="wb", compresslevel=6, mtime=0) as zipped,
        tarfile.open(fileobj=zipped, mode="w") as archive,
    ):
        for name, content in files.items():
            about = tarfile.TarInfo(name)
            about.size = len(content)
            about.mode = 0o644
            archive.addfile(about, io.BytesIO(content))
    return packed.getvalue()
