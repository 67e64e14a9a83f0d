"""Submissions for Kaggle's ConnectX, as archives that need nothing installed.

An archive has main.py, which is `submission.py` with the player's spec, and the package: the
modules that a player may need, the compiled core, the books and networks of connect boards.
"""

from __future__ import annotations

import gzip
import io
import tarfile
from collections.abc import Iterator
from pathlib import Path
from zlib import crc32

from mossa import _core
from mossa.adapters.kaggle.serve import KIND
from mossa.analysis.analyst import spec_options
from mossa.errors import GameError, InvalidPlayerError, shorten
from mossa.files import DATA, replace_file
from mossa.games import game
from mossa.networks import SHIPPED, network_for, network_name
from mossa.players import is_foreign, player, player_kinds
from mossa.solving.container import own_folder

GAME = f"{KIND}:6x7x4"
"""What is played there."""

MOST_BYTES = 100 << 20
"""Of an archive, on Kaggle."""

MEMORY = 64
"""Megabytes for each table of a player that does not say how many: Kaggle's machines are small."""

_HERE = Path(__file__).parent
_ROOT = _HERE.parents[1]
_LEFT_OUT = {"cli", "lab", "web", "terminal.py", "__main__.py"}
"""What people look at: no player needs it, and it needs other packages."""

_OF_THE_GAME = (f"{KIND}-*.book", f"{KIND}-*.study", "falling-*.net")
"""The files among our data, and among the user's own, that players of connect boards look for."""


def export(spec: str, path: str | Path) -> str:
    """Write the submission of a player; return the spec that it plays by.

    Raise InvalidPlayerError if the player cannot go there.
    """
    spec, data = _portable(spec.strip())
    core = Path(str(_core.__file__))
    files = {"main.py": _main(PLAYER=spec, CORE=(core.name, crc32(core.read_bytes())))}
    files |= {f"mossa/{name}": content for name, content in _modules()}
    files[f"mossa/{core.name}"] = core.read_bytes()
    files |= {f"mossa/data/{name}": content for name, content in data.items()}
    archive = _packed(files)
    if len(archive) > MOST_BYTES:
        raise GameError(
            f"the submission of {shorten(spec)} has {len(archive) >> 20} MB, "
            f"and Kaggle takes {MOST_BYTES >> 20}: use a smaller book or network"
        )
    replace_file(Path(path), archive)
    return spec


def _portable(spec: str) -> tuple[str, dict[str, bytes]]:
    """Return a spec that means the same elsewhere, and the data that goes with it."""
    kind = player_kinds().get(spec.partition(":")[0])
    if is_foreign(spec):
        raise _refused(spec, "it is code of your own: make it a main.py yourself")
    if kind is not None and kind.runs_commands:
        raise _refused(spec, "it is a program outside of mossa")
    known = player(spec)  # objects to what is no spec
    assert kind is not None
    if known.is_person:
        raise _refused(spec, "it is a person")
    rules = game(GAME)
    known.check_game(rules)
    options = spec_options(spec)
    data = _data()
    for name in kind.files:
        if (given := options.get(name)) and not _option(kind.options, name).accepts(given):
            network = network_for(given, rules)
            assert network is not None
            data[network_name(rules)] = network.content
            spec = spec.replace(f"{name}={given}", f"{name}={SHIPPED}")
    if "memory" not in options and any(each.name == "memory" for each in kind.options):
        spec += f"{',' if ':' in spec else ':'}memory={MEMORY}"
    return spec, data


def _option(options: tuple[_core.Option, ...], name: str) -> _core.Option:
    return next(each for each in options if each.name == name)


def _refused(spec: str, why: str) -> InvalidPlayerError:
    return InvalidPlayerError(f"cannot export {shorten(spec)}: {why}")


def _main(**settings: object) -> bytes:
    """Return main.py: a file that stands alone, with these values of its constants."""
    text = _HERE.joinpath("submission.py").read_text(encoding="utf-8")
    for name, value in settings.items():
        head, found, tail = text.partition(f"\n{name} = ")
        assert found
        text = f"{head}{found}{value!r}\n{tail.partition(chr(10))[2]}"
    return text.encode()


def _modules() -> Iterator[tuple[str, bytes]]:
    """Yield the modules of the package that a player may need."""
    for path in sorted(_ROOT.rglob("*.py")):
        place = path.relative_to(_ROOT)
        if place.parts[0] not in _LEFT_OUT:
            yield place.as_posix(), path.read_bytes()


def _data() -> dict[str, bytes]:
    """Return the books, studies and networks for connect boards; the user's own come first."""
    return {
        path.name: path.read_bytes()
        for folder in (DATA, own_folder())
        if folder is not None
        for pattern in _OF_THE_GAME
        for path in sorted(folder.glob(pattern))
    }


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
