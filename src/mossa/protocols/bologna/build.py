"""Compile a player once: the result stays in the user's cache, under a checksum of its content.

Several processes may need the same player at the same time. Each compiles into a folder of its own
and gives it its final name in one step; whoever comes second uses what is there.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from tempfile import mkdtemp

from mossa.errors import InvalidPlayerError, PlayerFailedError, shorten
from mossa.protocols.bologna.frameworks import HOST_PACKAGE, Framework
from mossa.protocols.bologna.material import (
    Material,
    find_player,
    name_in,
    read_material,
    split_path,
)
from mossa.protocols.java import JDK, tool
from mossa.sandbox import COMPILING, SandboxError, run

CACHE = "MOSSA_CACHE"
"""The variable that names the user's folder for caches."""

_PATIENCE = 120  # seconds for javac
_KEEP = 30 * 24 * 3600.0  # seconds that a player is kept after its last use
_MOST_LOGS = 50
_DRAFT = "draft-"


@dataclass(frozen=True)
class Source:
    """A player that was found but has not been compiled yet."""

    framework: Framework
    material: Material
    name: str
    """Its class."""


@dataclass(frozen=True)
class Program:
    """A player that can be started."""

    java: str
    classes: Path
    host: str
    name: str

    def command(self, *, heap: int, log: Path) -> list[str]:
        """Return the command that starts it, with a heap of some megabytes."""
        return [
            self.java,
            f"-Xmx{heap}m",
            "-XX:+UseSerialGC",  # one thread: the others are the opponent's
            "-XX:-UsePerfData",
            "-XX:+DisplayVMOutputToStderr",  # where a program's last words are looked for
            "-Djava.awt.headless=true",
            "-cp",
            str(self.classes),
            f"{HOST_PACKAGE}.{self.host}",
            self.name,
            str(log),
        ]


def find(framework: Framework, text: str) -> Source:
    """Return the player of ``PATH`` or ``PATH#package.Class``; raise InvalidPlayerError."""
    if not text.strip():
        raise InvalidPlayerError(
            f"no player: expected a folder or a jar, as in {framework.name}:path/to/player"
        )
    try:
        path, wanted = split_path(text.strip())
        if path.suffix in (".java", ".class") and path.is_file():
            wanted = wanted or name_in(path)
        material = read_material(path)
    except OSError as error:
        raise InvalidPlayerError(f"cannot read {shorten(text)}: {error.strerror}") from None
    return Source(framework, material, find_player(material, framework, path, wanted))


# ---------------------------------------------------------------- the cache


def cache_folder() -> Path:
    """Return the folder for compiled players and what they print."""
    if given := os.environ.get(CACHE):
        return Path(given).absolute() / "bologna"
    given = os.environ.get("XDG_CACHE_HOME", "")
    if Path(given).is_absolute():
        return Path(given) / "mossa" / "bologna"
    try:
        home = Path.home()
    except RuntimeError:
        raise PlayerFailedError(
            "start", f"there is no home folder: set {CACHE} to a folder for compiled players"
        ) from None
    usual = home / "Library" / "Caches" if sys.platform == "darwin" else home / ".cache"
    return usual / "mossa" / "bologna"


def new_log(name: str) -> Path:
    """Return a file for what a player prints, and delete the oldest others."""
    folder = _made(cache_folder() / "logs")
    logs = sorted(folder.glob("*.log"), key=_age)
    for each in logs[: max(0, len(logs) - _MOST_LOGS + 1)]:
        with suppress(OSError):
            each.unlink()
    return folder / f"{name}-{os.getpid()}-{time.time_ns():x}.log"


def _age(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:  # somebody else has removed it
        return 0.0


def _made(folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise PlayerFailedError(
            "start",
            f"cannot use {shorten(str(folder))} ({error.strerror}): "
            f"set {CACHE} to a folder that you can write to",
        ) from None
    return folder


def key_of(source: Source, javac: Path) -> str:
    """Return a checksum of everything that the compiled player depends on."""
    digest = hashlib.sha256()

    def add(name: str, data: bytes) -> None:
        digest.update(f"{name}\0{len(data)}\0".encode(errors="surrogateescape"))
        digest.update(data)

    there = javac.resolve()
    add("javac", f"{there} {there.stat().st_mtime_ns}".encode(errors="surrogateescape"))
    add("player", source.name.encode())
    for name, text in sorted(_staged(source).items()):
        add(name, text.encode(errors="replace"))
    for name, data in sorted(source.material.classes.items()):
        add(name, data)
    return digest.hexdigest()[:32]


# ---------------------------------------------------------------- compiling


def program_of(source: Source, *, confined: bool = False) -> Program:
    """Return the player, compiled; raise PlayerFailedError if it cannot be.

    What strangers wrote is ``confined``: it is compiled in a sandbox.
    """
    javac, java = (Path(tool(need)) for need in JDK)
    folder = _made(cache_folder() / "players")
    try:
        place = folder / key_of(source, javac)
        if not place.is_dir():
            _build(source, javac, folder, place, confined)
        with suppress(PermissionError):
            os.utime(place)  # it is in use
    except OSError as error:
        raise PlayerFailedError(
            "start", f"cannot compile into {shorten(str(folder))}: {error.strerror or error}"
        ) from None
    return Program(str(java), place, source.framework.host, source.name)


def _staged(source: Source) -> dict[str, str]:
    """Return all sources by the paths where javac looks for them, whatever folders they were in.

    What of the framework is missing is added, and so is the program that hosts the player.
    """
    material, framework = source.material, source.framework
    staged = {
        f"{_path(name)}.java": material.texts[path] for name, path in _nearest(source).items()
    }
    for each in framework.types:
        name = f"{framework.package}.{each}"
        if name not in material.heads and f"{_path(name)}.java" not in staged:
            staged[f"{_path(name)}.java"] = framework.stand_in(each).read_text(encoding="utf-8")
    for path in framework.host_files:
        staged[f"{HOST_PACKAGE}/{path.name}"] = path.read_text(encoding="utf-8")
    return staged


def _path(name: str) -> str:
    return name.replace(".", "/")


def _nearest(source: Source) -> dict[str, Path]:
    """Return the source file of every class: of copies the one in the player's neighbourhood."""
    sources = source.material.sources
    own = source.material.homes.get(source.name)
    home = sources[own][0].parts if own else ()

    def shared(path: Path) -> int:
        both = zip(home, path.parts, strict=False)
        return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], both))

    return {name: max(copies, key=shared) for name, copies in sources.items()}


def _build(source: Source, javac: Path, folder: Path, place: Path, confined: bool) -> None:
    """Compile the player into a draft, and give it its place."""
    _forget_old(folder)
    draft = Path(mkdtemp(prefix=_DRAFT, dir=folder))
    try:
        sources, classes = draft / "sources", draft / "classes"
        for name, text in _staged(source).items():
            _write(sources / name, text.encode(errors="replace"))
        classes.mkdir()
        for name, data in source.material.classes.items():
            _write(classes / f"{_path(name)}.class", data)
        _compile(source, _Javac(javac, sources, classes, confined))
        with suppress(OSError):  # somebody else was faster
            classes.rename(place)
        if not place.is_dir():
            raise OSError(f"no {place}")
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def _forget_old(folder: Path) -> None:
    """Remove what nobody has used for a long time: players, and drafts of killed processes."""
    for each in folder.iterdir():
        if time.time() - _age(each) > _KEEP:
            shutil.rmtree(each, ignore_errors=True)


@dataclass(frozen=True)
class _Javac:
    """The compiler at work on some sources."""

    path: Path
    sources: Path
    classes: Path
    confined: bool


def _compile(source: Source, javac: _Javac) -> None:
    """Compile the host and the player with all they need, and nothing else.

    Folders of courses are full of other classes that need not compile. Only if something is missing
    the player's neighbours are compiled too: a class may be in a file of another name.
    """
    needed = [f"{HOST_PACKAGE}/{path.name}" for path in source.framework.host_files]
    own = source.material.homes.get(source.name)
    if own:
        needed.append(f"{_path(own)}.java")
    fault = _javac(needed, javac)
    if fault is not None and own:
        folder = (javac.sources / f"{_path(own)}.java").parent
        around = (path.relative_to(javac.sources).as_posix() for path in folder.glob("*.java"))
        if _javac(sorted({*needed, *around}), javac) is None:
            return
    if fault is not None:
        raise PlayerFailedError("start", f"javac cannot compile it: {fault}")


def _javac(files: Sequence[str], javac: _Javac) -> str | None:
    """Compile; return the first error in one line, or None."""
    command = [
        str(javac.path),
        "-J-Duser.language=en",
        "-J-XX:TieredStopAtLevel=1",  # it runs for a second
        "-J-XX:+UseSerialGC",
        "-proc:none",  # a jar must not run code of its own now
        "-nowarn",
        "-encoding",
        "UTF-8",
        "-implicit:class",
        "-sourcepath",
        ".",
        "-cp",
        str(javac.classes),
        "-d",
        str(javac.classes),
        *(f"./{name}" for name in files),  # a name may begin with a dash
    ]
    if javac.confined:
        return _javac_confined(command, javac)
    try:
        done = subprocess.run(
            command,
            cwd=javac.sources,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            timeout=_PATIENCE,
        )
    except subprocess.TimeoutExpired:
        return f"took longer than {_PATIENCE} s"
    return None if done.returncode == 0 else first_error(done.stdout)


def _javac_confined(command: list[str], javac: _Javac) -> str | None:
    """Compile in a sandbox, which has less memory than Java believes."""
    command.insert(1, f"-J-Xmx{COMPILING.memory * 2 // 3}m")
    try:
        ended = run(
            command,
            seconds=_PATIENCE,
            folder=javac.sources,
            own=javac.sources,
            writes=[javac.classes],
        )
    except SandboxError as error:
        raise PlayerFailedError("start", str(error)) from None
    if ended.succeeded:
        return None
    return ended.reason or first_error(ended.output)


_ERROR = re.compile(r"^(?:(?P<place>\S[^\n]*?:\d+): )?error: (?P<what>.*)$", re.MULTILINE)
_SYMBOL = re.compile(r"^\s+symbol:\s+(.*)$", re.MULTILINE)


def first_error(output: str) -> str:
    """Return the first error of javac in one line: ``a/B.java:7: cannot find symbol: class C``."""
    errors = list(_ERROR.finditer(output))
    if not errors:
        lines = output.strip().splitlines()
        return lines[-1].strip() if lines else "it does not say why"
    first = errors[0]
    end = errors[1].start() if len(errors) > 1 else len(output)
    symbol = _SYMBOL.search(output, first.end(), end)
    place = first["place"] and first["place"].removeprefix("./")
    parts = (place, first["what"], symbol and symbol[1])
    return " ".join(": ".join(filter(None, parts)).split())
