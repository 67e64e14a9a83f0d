"""What students hand in: whether they may, and how it is received and kept."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import time

from mossa.course import uploads
from mossa.course.folder import DRAFTS, VERSIONS, CourseFolder
from mossa.course.store import Version
from mossa.course.uploads import Limits, UploadError
from mossa.quantities import counted

ROOM = 1 << 30
"""Bytes that must be free on the disk for anything to be handed in."""

_DAY = 86_400.0
_STALE = 900.0  # seconds after which an upload that has not ended is forgotten


class ClosedError(UploadError):
    """A student may hand in nothing: the course is closed, or he is disqualified."""


class BusyError(UploadError):
    """A student hands in two files at once, or too many a day."""


class FullError(UploadError):
    """The disk has no room for what students hand in."""


ClosedError.__module__ = BusyError.__module__ = FullError.__module__ = "mossa"


class Inbox(CourseFolder):
    """Where students hand in their players."""

    def __init__(self, folder: Path) -> None:
        """Open the course in a folder; raise CourseError if there is none, or a file is wrong."""
        super().__init__(folder)
        self._uploading: dict[int, float] = {}
        self._lock = threading.Lock()
        self._unpacking = threading.Lock()

    @property
    def limits(self) -> Limits:
        """How much may be handed in."""
        return Limits(self.plan.upload_limit)

    def check_upload(self, student: int, size: int | None = None) -> None:
        """Raise UploadError if a student may not hand in a file, before any of it is read.

        ClosedError says that the course is closed for him, BusyError that he hands in too much,
        FullError that the disk is almost full.
        """
        found = self.student(student)
        if found.rival is not None:
            raise ClosedError("a player of mossa's own hands in nothing")
        if found.disqualified is not None:
            raise ClosedError(f"you are disqualified: {found.disqualified}")
        if self.plan.is_closed():
            assert self.plan.closes is not None
            when = self.plan.closes.astimezone().strftime("%d %B %Y, %H:%M")
            raise ClosedError(f"the course closed on {when}: nothing can be handed in any more")
        if self.store.setting("final"):
            raise ClosedError("the course is closed: nothing can be handed in any more")
        if size is not None:
            uploads.check_size(size, self.limits)
        today = self.store.uploads_since(student, time() - _DAY)
        if today >= self.plan.uploads_a_day:
            raise BusyError(
                f"you handed in {counted(today, 'version')} within 24 hours, which is the most; "
                "try again later"
            )
        if shutil.disk_usage(self.folder).free < ROOM:
            raise FullError(
                "the disk of the server is almost full, so nothing can be handed in now; "
                "your last version still plays; tell your teacher"
            )

    @contextmanager
    def uploading(self, student: int) -> Iterator[Path]:
        """Give a folder to receive a student's file in; one at a time for each of them.

        Put the file into it and call `submit`; the folder is gone afterwards.
        """
        self.check_upload(student)
        with self._lock:
            if time() - self._uploading.get(student, 0.0) < _STALE:
                raise BusyError("you are handing in another file: wait until it has arrived")
            began = self._uploading[student] = time()
        try:
            with uploads.draft(self.folder / DRAFTS) as place:
                yield place
        finally:
            with self._lock:
                if self._uploading.get(student) == began:
                    del self._uploading[student]

    def submit(self, student: int, upload: Path, name: str) -> Version:
        """Take a file that a student hands in under this name; raise UploadError if it is bad.

        It is unpacked and kept, not run. The driver tests it; until it has passed, the student's
        last version goes on playing. The file itself is left where it is.
        """
        self.check_upload(student, upload.stat().st_size)
        name = uploads.clean_name(name)
        with uploads.draft(self.folder / DRAFTS) as place:
            inside = place / "version"
            try:
                inside.mkdir()
                shutil.copyfile(upload, inside / "upload")
            except OSError as error:
                raise uploads.no_room(error) from None
            with self._unpacking:  # one at a time: what a hostile zip may take is bounded
                uploads.unpack(inside / "upload", name, inside / "files", self.limits)
            folder = place.name.removeprefix("draft-")
            kept = self.folder / VERSIONS / folder
            try:
                kept.parent.mkdir(exist_ok=True)
                _sync(inside)
                inside.rename(kept)
                _sync_one(kept.parent)
            except OSError as error:
                raise uploads.no_room(error) from None
            try:
                return self.store.add_version(student, name, folder, upload.stat().st_size)
            except BaseException:
                shutil.rmtree(kept, ignore_errors=True)
                raise

    def uploaded_file(self, version: Version) -> Path:
        """Return the file that was handed in, as it came."""
        return self.folder / VERSIONS / version.folder / "upload"


def _sync(folder: Path) -> None:
    """Have files reach the disk before the file of the course speaks of them."""
    for parent, _, files in os.walk(folder):
        for name in files:
            _sync_one(Path(parent, name))
        _sync_one(Path(parent))


def _sync_one(path: Path) -> None:
    if path.is_dir() and os.name != "posix":
        return  # a folder cannot be opened there
    handle = os.open(path, os.O_RDONLY if os.name == "posix" else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
