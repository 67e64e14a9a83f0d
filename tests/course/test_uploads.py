"""What strangers send: every trick is refused in one sentence and leaves nothing behind."""

from __future__ import annotations

import errno
import io
import os
import re
import stat
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from mossa.course.uploads import Limits, UploadError, clean_name, remove, unpack

LIMITS = Limits(bytes=100_000, files=50)
BOT = b"def choose(position):\n    return position.moves[0]\n"

Entry = tuple[str | zipfile.ZipInfo, bytes]


def _zip(*entries: Entry, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, content in entries:
            archive.writestr(name, content)
    return out.getvalue()


def _info(name: str, mode: int = 0, flags: int = 0) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.create_system = 3
    info.external_attr = mode << 16
    info.flag_bits |= flags
    return info


def _unpack(folder: Path, content: bytes, name: str = "bot.zip") -> Path:
    upload = folder / "upload"
    upload.write_bytes(content)
    unpack(upload, name, folder / "files", LIMITS)
    return folder / "files"


def _names(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


# ---------------------------------------------------------------- what is taken


def test_a_single_file(tmp_path: Path) -> None:
    files = _unpack(tmp_path, BOT, "bot.py")
    assert (files / "bot.py").read_bytes() == BOT
    assert stat.S_IMODE((files / "bot.py").stat().st_mode) == 0o644


def test_a_program_can_be_run_though_its_mark_was_lost_on_the_way(tmp_path: Path) -> None:
    files = _unpack(tmp_path, b"#!/bin/sh\n", "bot")
    assert stat.S_IMODE((files / "bot").stat().st_mode) == 0o755


def test_a_jar_is_a_file_and_not_a_zip(tmp_path: Path) -> None:
    assert _names(_unpack(tmp_path, _zip(("A.class", b"x")), "bot.jar")) == ["bot.jar"]


@pytest.mark.parametrize("folder", ["", "my bot/", "a/b/c/"])
def test_a_zip_of_files_or_of_their_folder(tmp_path: Path, folder: str) -> None:
    content = _zip((f"{folder}bot.py", BOT), (f"{folder}lib/more.py", b"#"))
    assert _names(_unpack(tmp_path, content)) == ["bot.py", "lib", "lib/more.py"]


def test_what_other_programs_leave_behind_is_left_out(tmp_path: Path) -> None:
    content = _zip(
        ("bot/player.py", BOT),
        ("__MACOSX/bot/._player.py", b"x"),
        ("bot/.DS_Store", b"x"),
        ("bot/__pycache__/player.pyc", b"x"),
    )
    assert _names(_unpack(tmp_path, content)) == ["player.py"]


def test_marks_of_programs_are_kept_and_others_are_not(tmp_path: Path) -> None:
    content = _zip(
        (_info("bot", stat.S_IFREG | 0o4777), b"\x7fELF"),
        (_info("a.py", stat.S_IFREG | 0o600), BOT),
    )
    files = _unpack(tmp_path, content)
    assert stat.S_IMODE((files / "bot").stat().st_mode) == 0o755
    assert stat.S_IMODE((files / "a.py").stat().st_mode) == 0o644


# ---------------------------------------------------------------- what is not

HOSTILE: dict[str, tuple[Callable[[], bytes], str]] = {
    "up": (lambda: _zip(("../evil.py", BOT)), "'../evil.py', which would leave its folder"),
    "up later": (lambda: _zip(("a/../../evil.py", BOT)), "which would leave its folder"),
    "root": (lambda: _zip(("/etc/evil", BOT)), "a path from the root"),
    "drive": (lambda: _zip(("C:/evil.py", BOT)), "a path from the root"),
    "backslash": (lambda: _zip(("..\\evil.py", BOT)), "strange name"),
    "dot": (lambda: _zip(("a/./b.py", BOT)), "strange name"),
    "double slash": (lambda: _zip(("a//b.py", BOT)), "strange name"),
    "control": (lambda: _zip(("a\nb.py", BOT)), "strange name"),
    "long": (lambda: _zip(("a" * 200 + ".py", BOT)), "too long a name"),
    "deep": (lambda: _zip(("a/" * 20 + "b.py", BOT)), "too many folders"),
    "link": (
        lambda: _zip((_info("bot.py", stat.S_IFLNK | 0o777), b"/etc/passwd")),
        "the zip holds a link, 'bot.py'",
    ),
    "device": (
        lambda: _zip((_info("null", stat.S_IFCHR | 0o666), b"")),
        "neither a file nor a folder",
    ),
    "pipe": (lambda: _zip((_info("p", stat.S_IFIFO), b"")), "neither a file nor a folder"),
    "socket": (lambda: _zip((_info("s", stat.S_IFSOCK), b"")), "neither a file nor a folder"),
    "folder that is a file": (
        lambda: _zip((_info("d", stat.S_IFDIR | 0o755), b"x")),
        "neither a file nor a folder",
    ),
    "case": (
        lambda: _zip(("bot.py", BOT), ("BOT.py", b"")),
        "'bot.py' and 'BOT.py', which are one file on some systems",
    ),
    "case of folders": (lambda: _zip(("lib/a.py", BOT), ("LIB/b.py", b"")), "one file on some"),
    "unicode": (
        lambda: _zip(("caf\u00e9.py", BOT), ("cafe\u0301.py", b"")),
        "which are one file on some systems",
    ),
    "file and folder": (
        lambda: _zip(("a", BOT), ("a/b.py", BOT)),
        "'a' as a file and as a folder",
    ),
    "folder and file": (
        lambda: _zip(("a/b.py", BOT), ("a", BOT)),
        "'a' as a file and as a folder",
    ),
    "zeros": (lambda: _zip(("zeros.bin", bytes(2_000_000))), "too large when it is unpacked"),
    "many zeros": (
        lambda: _zip(*((f"z{n}", bytes(60_000)) for n in range(40))),
        "too large when it is unpacked: 0.954 MB is the most",
    ),
    "many files": (
        lambda: _zip(*((f"{n}.py", b"") for n in range(60))),
        "the zip holds 60 files; 50 is the most",
    ),
    "nested": (lambda: _zip(("inner.zip", _zip(("bot.py", BOT)))), "nothing but another zip"),
    "empty": (lambda: _zip(), "the zip is empty"),
    "only folders": (lambda: _zip(("a/", b"")), "the zip is empty"),
    "cut short": (lambda: _zip(("bot.py", BOT * 20))[:-30], "the zip is damaged"),
    "rubbish": (lambda: b"PK\x03\x04" + bytes(500), "the zip is damaged"),
    "other packing": (
        lambda: _repacked(_zip(("bot.py", BOT), method=zipfile.ZIP_STORED), 99),
        "uses a compression that mossa cannot read",
    ),
    "bzip2 bomb, unpacked at once by zipfile": (
        lambda: _zip(("bot.py", BOT), method=zipfile.ZIP_BZIP2),
        "the zip uses a compression that mossa cannot read: use plain zip (deflate)",
    ),
    "LZMA bomb, unpacked at once by zipfile": (
        lambda: _zip(("bot.py", BOT), method=zipfile.ZIP_LZMA),
        "the zip uses a compression that mossa cannot read: use plain zip (deflate)",
    ),
    "gzip": (lambda: b"\x1f\x8b" + bytes(50), "'bot.zip' is a gzip file"),
    "rar": (lambda: b"Rar!" + bytes(50), "'bot.zip' is a rar archive"),
    "7z": (lambda: b"7z\xbc\xaf" + bytes(50), "'bot.zip' is a 7z archive"),
    "text": (lambda: b"hello", "'bot.zip' is not a zip, whatever its name says"),
    "nothing": (lambda: b"", "the file is empty"),
    "too large": (lambda: bytes(100_001), "the file is too large: 100,001 bytes"),
}


def _repacked(content: bytes, method: int) -> bytes:
    """Say that files are packed in another way, in both places."""
    changed = bytearray(content)
    local = content.index(b"PK\x03\x04")
    struct.pack_into("<H", changed, local + 8, method)
    central = content.index(b"PK\x01\x02")
    struct.pack_into("<H", changed, central + 10, method)
    return bytes(changed)


@pytest.mark.parametrize("trick", HOSTILE)
def test_a_trick_is_refused_in_one_sentence_and_leaves_nothing(tmp_path: Path, trick: str) -> None:
    make, reason = HOSTILE[trick]
    with pytest.raises(UploadError, match=re.escape(reason)) as caught:
        _unpack(tmp_path, make())
    assert "\n" not in str(caught.value)
    assert ("damaged" in str(caught.value)) is ("damaged" in reason)
    assert _names(tmp_path) == ["upload"]


def test_a_zip_that_lies_about_its_size_writes_no_more_than_it_may(tmp_path: Path) -> None:
    """The sizes are counted, not believed."""
    content = bytearray(_zip(("zeros.bin", bytes(5_000_000))))
    for signature, offset in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        struct.pack_into("<I", content, content.index(signature) + offset, 1000)
    with pytest.raises(UploadError, match=r"damaged|too large"):
        _unpack(tmp_path, bytes(content))
    assert _names(tmp_path) == ["upload"]


def test_an_encrypted_zip_is_refused(tmp_path: Path) -> None:
    content = bytearray(_zip(("bot.py", BOT)))
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = content.index(signature) + offset
        struct.pack_into("<H", content, at, struct.unpack_from("<H", content, at)[0] | 1)
    with pytest.raises(UploadError, match="the zip is encrypted"):
        _unpack(tmp_path, bytes(content))


@pytest.mark.parametrize("name", ["notes.txt", "bot.exe", "bot", "bot.rs"])
def test_a_file_that_nobody_could_run_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UploadError, match="is nothing that could play: expected Python"):
        _unpack(tmp_path, b"hello", name)
    assert _names(tmp_path) == ["upload"]


def test_a_full_disk_is_told_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("mossa.course.uploads.shutil.copyfile", full)
    with pytest.raises(UploadError, match=r"disk of the server is full: nothing was changed"):
        _unpack(tmp_path, BOT, "bot.py")
    assert _names(tmp_path) == ["upload"]


@pytest.mark.parametrize(
    ("given", "name"),
    [("bot.py", "bot.py"), ("/tmp/x/bot.py", "bot.py"), ("C:\\me\\bot.py", "bot.py")],
)
def test_of_a_name_only_the_last_part_counts(given: str, name: str) -> None:
    assert clean_name(given) == name


@pytest.mark.parametrize("given", ["", "..", "a/..", "x\0.py", "a\nb.py", "n" * 130])
def test_names_that_are_none(given: str) -> None:
    with pytest.raises(UploadError, match="is no name for a file"):
        clean_name(given)


# --- removing -------------------------------------------------------------------------------------


def _dive(folder: Path, name: str, levels: int) -> None:
    """Make folders in folders, deeper than any path can say."""
    at = os.open(folder, os.O_RDONLY)
    for _ in range(levels):
        os.mkdir(name, dir_fd=at)
        inner = os.open(name, os.O_RDONLY, dir_fd=at)
        os.close(os.open("file", os.O_CREAT | os.O_WRONLY, dir_fd=at))
        os.close(at)
        at = inner
    os.close(at)


def test_a_tree_too_deep_for_rmtree_was_left(tmp_path: Path) -> None:
    folder = tmp_path / "player"
    folder.mkdir()
    _dive(folder, "d" * 200, 30)  # too long a path
    _dive(folder, "d", 1500)  # too many calls in each other
    remove(folder)
    assert list(tmp_path.iterdir()) == []


def test_a_closed_folder_and_links_are_removed(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "file").touch()
    folder = tmp_path / "player"
    (folder / "a" / "b").mkdir(parents=True)
    (folder / "a" / "b" / "file").touch()
    (folder / "a" / "link").symlink_to(other)
    (folder / "a" / "b").chmod(0)
    (folder / "a").chmod(0o300)
    remove(folder)
    assert sorted(each.name for each in tmp_path.rglob("*")) == ["file", "other"]
    remove(folder)  # it has gone
    folder.symlink_to(other)
    remove(folder)
    assert (other / "file").exists()
    assert not folder.is_symlink()
