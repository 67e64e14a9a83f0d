"""Files: text that users write, read or refused in one line; writing whole files or none."""

import os
import secrets
import stat
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from mossa.errors import GameError, blaming

DATA = Path(__file__).parent / "data"
"""Books and studies that come with the package."""


def data_folder() -> Path:
    """Return the folder that the system has for a user's data, and ours in it."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", "~"))
    elif sys.platform == "darwin":
        base = Path("~/Library/Application Support")
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or "~/.local/share")
    return base.expanduser() / "mossa"


def read_text(path: Path, error: type[GameError] = GameError) -> str:
    """Return the text of a file; raise the error if it is no text."""
    try:
        return path.read_bytes().decode("utf-8")
    except UnicodeDecodeError:
        raise error(f"{path}: not UTF-8 text; save the file as UTF-8") from None


def read_toml(path: Path, error: type[GameError] = GameError) -> dict[str, Any]:
    """Return the tables of a TOML file; raise the error if it is none."""
    try:
        return tomllib.loads(read_text(path, error))
    except tomllib.TOMLDecodeError as fault:
        raise error(f"{path}: not TOML: {fault}") from None
    except RecursionError:
        raise error(f"{path}: its lists are nested too deeply") from None
    except GameError:
        raise
    except ValueError:  # Python reads no number of more than 4,300 digits
        raise error(f"{path}: a number in it is too long") from None


@contextmanager
def replacing_file(path: Path) -> Iterator[BinaryIO]:
    """Write a file in one step: whatever happens, it is there whole, or as it was before.

    A link stays a link. What is no file, such as a pipe or ``/dev/stdout``, is written to as it is.
    """
    if path.parts[:2] == ("/", "dev") or (path.exists() and not path.is_file()):
        with blaming(path), path.open("wb") as file:
            yield file
            file.flush()
        return
    path = path.resolve()
    draft = path.with_name(f".mossa-{secrets.token_hex(8)}.tmp")
    try:
        with blaming(path), draft.open("xb") as file:
            with suppress(FileNotFoundError):
                draft.chmod(stat.S_IMODE(path.stat().st_mode))
            yield file
            file.flush()
            os.fsync(file.fileno())
        with blaming(path):
            draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    if os.name == "posix":  # the new name itself must reach the disk as well
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def replace_file(path: Path, content: bytes) -> None:
    """Write these bytes to a file, in one step."""
    with replacing_file(path) as file:
        file.write(content)
