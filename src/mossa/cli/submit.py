"""``mossa submit``: hand in a player to a course."""

import http.client
import io
import json
import os
import select
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from time import monotonic, sleep
from typing import Annotated, Any, BinaryIO
from urllib.parse import quote, urlsplit

import typer

from mossa.cli.display import progress_bar
from mossa.cli.ending import fail
from mossa.errors import shorten
from mossa.quantities import duration

_PATIENCE = 60.0  # seconds without an answer
_LOOK = 1.0  # seconds between two questions what has become of it
_LARGEST = 100 << 20  # bytes: no course takes more
_PIECE = 1 << 16
_SKIPPED = ("__pycache__", ".git", ".venv", ".DS_Store")


def run(
    link: Annotated[
        str, typer.Argument(metavar="LINK", help="Your personal link, from your teacher.")
    ],
    path: Annotated[
        Path, typer.Argument(metavar="FILE", help="A file, a zip, or a folder that is zipped.")
    ],
    wait: Annotated[
        bool, typer.Option("--wait", help="Wait until it has been tested, and say what came of it.")
    ] = False,
    timeout: Annotated[
        float, typer.Option(min=1, metavar="SECONDS", help="How long to wait at most.")
    ] = 600.0,
) -> None:
    """Hand in a player: Python, Java, C, C++, or a program that speaks UGI.

    With --wait the exit code is 1 if it was not accepted.
    """
    server = _Server.of(link)
    name, content, size = _content(path)
    with content, progress_bar(False) as bar:
        task = bar.add_task("", total=size, name=name)
        answer = server.send(
            f"/api/course/submissions?name={quote(name)}",
            _Watched(content, lambda count: bar.update(task, advance=count)),
            size,
        )
    number = answer.get("version")
    print(f"version {number} has arrived", flush=True)
    if wait:
        _await(server, number, monotonic() + timeout)


def _await(server: "_Server", number: object, deadline: float) -> None:
    """Wait for the verdict and print it."""
    told = ""
    while True:
        about = server.ask(f"/api/course/versions/{number}")
        if about.get("decided"):
            break
        if (now := str(about.get("told", ""))) != told:
            told = now
            print(told, flush=True)
        if monotonic() > deadline:
            fail("it takes too long to test; look at your page later")
        sleep(_LOOK)
    for line in about.get("lines") or [about.get("told", "")]:
        print(line)
    if about.get("state") == "failed":
        sys.exit(1)


def _content(path: Path) -> tuple[str, BinaryIO, int]:
    """Return the name of what is sent, its content and its size; a folder becomes a zip."""
    try:
        if path.is_dir():
            return _zipped(path)
        size = path.stat().st_size
        if size > _LARGEST:
            fail(f"{shorten(str(path))} is too large: {size >> 20} MB")
        if not size:
            fail(f"{shorten(str(path))} is empty")
        return path.name, path.open("rb"), size
    except OSError as error:
        fail(f"cannot read {shorten(str(path))}: {error.strerror}")


def _zipped(folder: Path) -> tuple[str, BinaryIO, int]:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for parent, folders, files in os.walk(folder):
            folders[:] = sorted(each for each in folders if each not in _SKIPPED)
            for each in sorted(files):
                if each not in _SKIPPED:
                    place = Path(parent, each)
                    archive.write(place, place.relative_to(folder))
            if out.tell() > _LARGEST:
                fail(f"{shorten(str(folder))} is too large: over {_LARGEST >> 20} MB")
    size = out.tell()
    out.seek(0)
    return f"{folder.absolute().name}.zip", out, size


class _Watched:
    """A file that tells how much of it was read."""

    def __init__(self, file: BinaryIO, tell: Callable[[int], object]) -> None:
        self._file, self._tell = file, tell

    def read(self, size: int = -1) -> bytes:
        piece = self._file.read(size if 0 < size < _PIECE else _PIECE)
        self._tell(len(piece))
        return piece


class _Server:
    """Where a course is, and the secret that opens it."""

    def __init__(self, address: str, base: str, secret: str) -> None:
        self._address, self._base, self._secret = address, base, secret

    @classmethod
    def of(cls, link: str) -> "_Server":
        """Read a link such as https://host/course/me#SECRET."""
        example = "expected your personal link, such as https://host/course/me#SECRET"
        try:
            parts = urlsplit(link.strip())
            port = parts.port
        except ValueError:
            fail(f"{shorten(link)} is no link: {example}")
        if parts.scheme not in ("http", "https") or not parts.hostname:
            fail(f"{shorten(link)} is no link: {example}")
        if not parts.fragment:
            fail(f"{shorten(link)} has no secret after a #: {example} (in quotes)")
        if parts.path.rstrip("/").endswith("/teacher"):
            fail("this is the link of a teacher; a student's link hands in players")
        if not parts.fragment.isascii() or not parts.fragment.isprintable():
            fail(f"{shorten(link)} is no link of a course: {example}")
        base = parts.path.removesuffix("/").removesuffix("/course/me")
        host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
        place = host if port is None else f"{host}:{port}"
        return cls(f"{parts.scheme}://{place}", base, parts.fragment)

    def send(self, path: str, content: _Watched, size: int) -> dict[str, Any]:
        """Send a file; return what is answered."""
        return self._call("PUT", path, content, size)

    def ask(self, path: str) -> dict[str, Any]:
        """Return what is answered."""
        return self._call("GET", path)

    def _call(
        self, method: str, path: str, content: _Watched | None = None, size: int = 0
    ) -> dict[str, Any]:
        connection = self._connection()
        try:
            connection.connect()
        except (OSError, ValueError) as error:
            fail(f"cannot reach {self._address}: {_reason(error)}")
        try:
            connection.putrequest(method, f"{self._base}{path}")
            connection.putheader("Authorization", f"Bearer {self._secret}")
            connection.putheader("Accept", "application/json")
            if content is not None:
                connection.putheader("Content-Type", "application/octet-stream")
                connection.putheader("Content-Length", str(size))
            connection.endheaders()
            if content is not None:
                _send(connection, content)
            answer = connection.getresponse()
            told = _decoded(answer.read(1 << 22))
        except TimeoutError:
            fail(f"no answer from {self._address} within {duration(_PATIENCE)}")
        except (OSError, http.client.HTTPException) as error:
            fail(f"{self._address} broke off: {_reason(error)}")
        finally:
            connection.close()
        if answer.status >= 300:
            refused = f"the server refused it: {answer.status} {answer.reason}"
            fail(str(told.get("error") or refused))
        return told

    def _connection(self) -> http.client.HTTPConnection:
        parts = urlsplit(self._address)
        kind = (
            http.client.HTTPSConnection if parts.scheme == "https" else (http.client.HTTPConnection)
        )
        return kind(parts.hostname or "", parts.port, timeout=_PATIENCE)


def _send(connection: http.client.HTTPConnection, content: _Watched) -> None:
    """Send a file, or as much of it as the server wants to see before it answers."""
    while piece := content.read(_PIECE):
        if select.select([connection.sock], [], [], 0)[0]:
            return  # it has an answer already: the file is too large, or not wanted
        try:
            connection.send(piece)
        except (BrokenPipeError, ConnectionResetError):
            return  # and now it has hung up; what it said may still be read


def _decoded(content: bytes) -> dict[str, Any]:
    try:
        found = json.loads(content)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _reason(error: object) -> str:
    return str(getattr(error, "strerror", None) or error)
