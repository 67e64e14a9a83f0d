"""What students send: a file or a zip, taken apart without trusting it.

Nothing of it is run here. A zip may hold plain files and folders below its own top, and no more of
them than fit; anything else is refused in one sentence, and leaves nothing behind.
"""

from __future__ import annotations

import errno
import os
import re
import secrets
import shutil
import stat
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from struct import error as StructError  # noqa: N812

from mossa.course.plan import CourseError
from mossa.errors import shorten
from mossa.protocols.bologna.material import PACKINGS, UNKNOWN_PACKING
from mossa.quantities import counted

MOST_FILES = 2000
MOST_TIMES = 10
"""A zip may hold so many times what may be handed in."""
_LONGEST_NAME = 120
_DEEPEST = 12  # folders in folders
_PIECE = 1 << 16
_NOISE = re.compile(r"(^|/)(__MACOSX|\.DS_Store|Thumbs\.db|\.git|__pycache__|\.idea|\.vscode)(/|$)")
"""What other programs leave in folders."""
_BINARIES = (b"#!", b"\x7fELF")
_OTHERS = {
    b"\x1f\x8b": "a gzip file",
    b"BZh": "a bzip2 file",
    b"\xfd7zXZ": "an xz file",
    b"7z\xbc\xaf": "a 7z archive",
    b"Rar!": "a rar archive",
}
_SUFFIXES = (".py", ".c", ".cc", ".cpp", ".cxx", ".java", ".jar", ".zip")


class UploadError(CourseError):
    """What was handed in cannot be taken."""


UploadError.__module__ = "mossa"


@dataclass(frozen=True)
class Limits:
    """How much may be handed in."""

    bytes: int
    files: int = MOST_FILES

    @property
    def unpacked(self) -> int:
        """Bytes of all files of a zip together."""
        return self.bytes * MOST_TIMES


def check_size(size: int, limits: Limits) -> None:
    """Raise UploadError if a file of this size is too large to be handed in."""
    if size > limits.bytes:
        raise UploadError(
            f"the file is too large: {_megabytes(size)}; at most {_megabytes(limits.bytes)}"
        )


def clean_name(name: str) -> str:
    """Return the name of a file as it may be used here; raise UploadError if it is none."""
    last = name.replace("\\", "/").rpartition("/")[2].strip()
    text = unicodedata.normalize("NFC", last)
    if not text or text in (".", "..") or len(text) > _LONGEST_NAME or not text.isprintable():
        raise UploadError(
            f"{shorten(name)} is no name for a file: expected one such as player.py or player.zip"
        )
    return text


def unpack(upload: Path, name: str, target: Path, limits: Limits) -> None:
    """Put what was handed in as ``name`` into a new folder, or raise UploadError and leave none."""
    try:
        size = upload.stat().st_size
        check_size(size, limits)
        if not size:
            raise UploadError("the file is empty")
        target.mkdir()
        with upload.open("rb") as file:
            head = file.read(8)
        if head.startswith(b"PK") and not name.lower().endswith(".jar"):
            _unzip(upload, target, limits)
            _lift(target)
        else:
            _put(upload, name, head, target)
    except BaseException as error:
        shutil.rmtree(target, ignore_errors=True)
        if isinstance(error, OSError):
            raise no_room(error) from None
        raise


def no_room(error: OSError) -> UploadError:
    """Say what a full or failing disk means to a student."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        why = "the disk of the server is full"
    else:
        why = f"the server cannot save it ({error.strerror or error})"
    return UploadError(
        f"{why}: nothing was changed, and your last version still plays; tell your teacher"
    )


def _put(upload: Path, name: str, head: bytes, target: Path) -> None:
    """Take a single file."""
    for magic, what in _OTHERS.items():
        if head.startswith(magic):
            raise UploadError(f"{shorten(name)} is {what}: hand in a zip, or a single file")
    if name.lower().endswith(".zip"):
        raise UploadError(f"{shorten(name)} is not a zip, whatever its name says")
    runs = head.startswith(_BINARIES)
    if not runs and not name.lower().endswith(_SUFFIXES):
        raise UploadError(
            f"{shorten(name)} is nothing that could play: expected Python (.py), C (.c), C++ "
            "(.cpp), Java (.java, .jar), a program that can be run, or a zip of these"
        )
    place = target / name
    shutil.copyfile(upload, place)
    place.chmod(0o755 if runs else 0o644)


# ---------------------------------------------------------------- zips


def _unzip(upload: Path, target: Path, limits: Limits) -> None:
    try:
        with zipfile.ZipFile(upload) as archive:
            left = limits.unpacked
            for info in _checked(archive.infolist(), limits):
                left -= _extract(archive, info, target, left, limits)
    except UploadError:
        raise
    except (
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        StructError,
        IndexError,
        ValueError,
        OverflowError,
        UnicodeError,
    ) as error:
        raise UploadError(f"the zip is damaged: {_one_line(error)}") from None
    except NotImplementedError:
        raise UploadError(UNKNOWN_PACKING) from None


def _checked(entries: list[zipfile.ZipInfo], limits: Limits) -> Iterator[zipfile.ZipInfo]:
    """Return the files and folders of a zip; raise UploadError if there is anything else.

    All is looked at before the first byte is written.
    """
    if len(entries) > limits.files:
        raise UploadError(
            f"the zip holds {counted(len(entries), 'file')}; {limits.files:,} is the most"
        )
    wanted = [each for each in entries if not _NOISE.search(each.filename)]
    files: dict[str, str] = {}
    folders: dict[str, str] = {}
    for info in wanted:
        _check_entry(info)
        _check_unique(info, files, folders)
    total = sum(info.file_size for info in wanted)
    if total > limits.unpacked:
        raise _too_much(limits)
    if not any(not info.is_dir() for info in wanted):
        raise UploadError("the zip is empty")
    return iter(wanted)


def _check_entry(info: zipfile.ZipInfo) -> None:
    name = info.filename
    shown = shorten(name)
    raw = getattr(info, "orig_filename", name)
    parts = name.removesuffix("/").split("/")
    if "\\" in raw or "\0" in raw or not name.isprintable():
        raise UploadError(f"the zip holds a file with a strange name: {shown}")
    if name.startswith("/") or re.match(r"[A-Za-z]:", name):
        raise UploadError(f"the zip holds {shown}, a path from the root: pack relative names")
    if ".." in parts:
        raise UploadError(f"the zip holds {shown}, which would leave its folder")
    if any(part in ("", ".") for part in parts):
        raise UploadError(f"the zip holds a file with a strange name: {shown}")
    if len(parts) > _DEEPEST or any(len(part.encode()) > _LONGEST_NAME for part in parts):
        raise UploadError(f"the zip holds {shown}: too long a name, or too many folders")
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind == stat.S_IFLNK:
        raise UploadError(f"the zip holds a link, {shown}: pack the file itself")
    wanted = (0, stat.S_IFDIR) if info.is_dir() else (0, stat.S_IFREG)
    if kind not in wanted:
        raise UploadError(f"the zip holds {shown}, which is neither a file nor a folder")
    if info.compress_type not in PACKINGS:
        raise UploadError(UNKNOWN_PACKING)
    if info.flag_bits & 0x1:
        raise UploadError("the zip is encrypted: pack it without a password")


def _check_unique(info: zipfile.ZipInfo, files: dict[str, str], folders: dict[str, str]) -> None:
    """Refuse names that are one file to some systems, or a file and a folder at once."""
    parts = info.filename.removesuffix("/").split("/")
    paths = ["/".join(parts[:count]) for count in range(1, len(parts) + 1)]
    inner = paths if info.is_dir() else paths[:-1]
    for path in inner:
        key = _key(path)
        if key in files:
            raise UploadError(f"the zip holds {shorten(path)} as a file and as a folder")
        if folders.setdefault(key, path) != path:
            raise _same_name(folders[key], path)
    if info.is_dir():
        return
    key = _key(paths[-1])
    if key in folders:
        raise UploadError(f"the zip holds {shorten(paths[-1])} as a file and as a folder")
    if key in files:
        raise _same_name(files[key], paths[-1])
    files[key] = paths[-1]


def _key(path: str) -> str:
    return unicodedata.normalize("NFC", path).casefold()


def _same_name(one: str, other: str) -> UploadError:
    if one == other:
        return UploadError(f"the zip holds {shorten(one)} twice")
    return UploadError(
        f"the zip holds {shorten(one)} and {shorten(other)}, which are one file on some systems"
    )


def _extract(
    archive: zipfile.ZipFile, info: zipfile.ZipInfo, target: Path, left: int, limits: Limits
) -> int:
    """Write a file of a zip; return its size, which is counted and not believed."""
    place = target / info.filename
    if info.is_dir():
        place.mkdir(parents=True, exist_ok=True)
        return 0
    place.parent.mkdir(parents=True, exist_ok=True)
    size = 0
    with archive.open(info) as source, place.open("xb") as goal:
        while piece := source.read(_PIECE):
            size += len(piece)
            if size > left:
                raise _too_much(limits)
            goal.write(piece)
    # Files of a zip made on Windows have no such marks, and a script need not have been marked.
    marked = info.external_attr >> 16 & 0o111
    place.chmod(0o755 if marked or _is_script(place) else 0o644)
    return size


def _is_script(path: Path) -> bool:
    if path.suffix:
        return False
    with path.open("rb") as file:
        return file.read(4).startswith(_BINARIES)


def _lift(target: Path) -> None:
    """Where all is in one folder, take its place: people pack the folder or what is in it."""
    for _ in range(_DEEPEST):
        inside = list(target.iterdir())
        if len(inside) != 1 or not inside[0].is_dir():
            break
        moved = target.with_name(f"{target.name}-{secrets.token_hex(4)}")
        inside[0].rename(moved)
        target.rmdir()
        moved.rename(target)
    alone = list(target.iterdir())
    if len(alone) == 1 and zipfile.is_zipfile(alone[0]) and alone[0].suffix.lower() != ".jar":
        raise UploadError("the zip holds nothing but another zip: hand in that one")


def _too_much(limits: Limits) -> UploadError:
    return UploadError(
        f"the zip is too large when it is unpacked: {_megabytes(limits.unpacked)} is the most"
    )


def _megabytes(size: int) -> str:
    if size < 1 << 17:
        return f"{size:,} bytes"
    amount = size / (1 << 20)
    return f"{amount:,.0f} MB" if amount >= 100 else f"{amount:.3g} MB"


def _one_line(error: Exception) -> str:
    return "".join(each if each.isprintable() else "?" for each in str(error))[:100]


def remove(folder: Path) -> None:
    """Remove a folder with all that is in it, if there is one.

    What a build has made may be too deep for the paths of this system, or closed to its owner. So
    every folder is opened and moved to the top before anybody looks into it.
    """
    if folder.is_symlink() or not folder.is_dir():
        folder.unlink(missing_ok=True)
        return
    folder.chmod(0o700)
    prefix = secrets.token_hex(8)  # nobody has called a file that
    found = [folder]
    for number, place in enumerate(found):  # it grows meanwhile
        for at, each in enumerate(list(place.iterdir())):
            if each.is_symlink() or not each.is_dir():
                each.unlink()
                continue
            each.chmod(0o700)
            found.append(each.rename(folder / f"{prefix}-{number}-{at}"))
        if place != folder:
            place.rmdir()
    folder.rmdir()


@contextmanager
def draft(folder: Path) -> Iterator[Path]:
    """Give a folder for something that is not finished; it goes if it has not been moved."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        place = folder / f"draft-{secrets.token_hex(8)}"
        place.mkdir()
    except OSError as error:
        raise no_room(error) from None
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)


def open_to_all(folder: Path) -> None:
    """Let every user read what is in a folder: players run as users that nobody else is."""
    for parent, folders, files in os.walk(folder):
        for path in (Path(parent), *(Path(parent, name) for name in (*folders, *files))):
            mode = path.lstat().st_mode
            if stat.S_ISLNK(mode):
                continue
            runs = stat.S_ISDIR(mode) or mode & 0o111
            path.chmod(0o755 if runs else 0o644)
