"""Opening books: against the solver, killed and gone on with, damaged, foreign and too large."""

from __future__ import annotations

import errno
import functools
import os
import pathlib
import random
import signal
import struct
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Callable

import pytest
from command import posix
from programs import until_lines

import mossa
from mossa import Book, BookError, Exact, Game, GameError, Position, Solver, build_book, check_book
from mossa.solving.journal import Journal, journal_of


def reachable(game: Game, plies: int) -> dict[int, list[Position]]:
    """Every position that is not over, by its number of stones, mirror images too."""
    found = {0: [game.start()]}
    for stones in range(plies):
        after = {
            one.key: one for each in found[stones] for m in each.moves if (one := each.play(m))
        }
        found[stones + 1] = [each for each in after.values() if each.outcome is None]
    return found


@functools.cache
def small_book() -> tuple[pathlib.Path, bytes]:
    """A book that was made without a break, and its bytes."""
    folder = pathlib.Path(tempfile.mkdtemp())
    path = folder / "small.book"
    build_book(mossa.game("connect:4x4x4"), 6, path, memory=2)
    return path, path.read_bytes()


@pytest.mark.parametrize(
    ("size", "plies"),
    [
        ("4x4x4", 6),
        ("4x4x4", 9),
        ("3x4x3", 12),
        ("5x4x4", 5),
        ("5x5x4", 3),
        ("2x6x3", 7),
        ("6x2x4", 12),
        ("1x5x3", 5),
        ("5x1x3", 5),
        ("1x1x1", 1),
        ("7x2x2", 14),
        ("3x3x1", 2),
        ("32x2x2", 8),  # two words
        ("22x3x3", 2),
        ("1x40x2", 2),
    ],
)
def test_every_position_has_the_score_that_the_solver_finds(
    size: str, plies: int, tmp_path: pathlib.Path
) -> None:
    game = mossa.game(f"connect:{size}")
    book = build_book(game, plies, tmp_path / "a.book", memory=2, threads=2)
    solver = Solver(game, memory=2, book=None)
    positions = reachable(game, plies + 1)
    deepest = max(stones for stones in range(plies + 1) if positions[stones])
    assert book.plies == max(deepest, 1)
    for stones in range(plies + 1):
        for position in positions[stones]:
            assert book.get(position) == solver.solve(position).score, position.history_text
    assert [book.get(each) for each in positions[plies + 1]] == [None] * len(positions[plies + 1])
    images = {each.canonical_key for stones in range(plies + 1) for each in positions[stones]}
    assert book.positions == len(images)
    check_book(book, 10, memory=2, seed=1)
    assert sorted(tmp_path.iterdir()) == [tmp_path / "a.book"]


def test_what_is_not_in_a_book() -> None:
    path, _ = small_book()
    book = Book.open(path)
    assert book.get(book.game.position("1212121")) is None  # over, and too many stones
    assert book.get(book.game.position("1234123")) is None
    impossible = book.game.from_text("..../..../x.../o...")  # who put the lower stone there?
    assert book.get(impossible) is None
    with pytest.raises(
        GameError, match="this book is for connect:4x4x4, but the position is from connect:"
    ):
        book.get(mossa.game("connect4").start())


def test_the_solver_looks_into_the_book() -> None:
    book = Book.open(small_book()[0])
    with_book, without = (Solver(book.game, memory=2, book=each) for each in (book, None))
    for moves in ("", "1", "44", "123412"):
        position = book.game.position(moves)
        found = with_book.solve(position)
        assert (found.nodes, found.score) == (0, without.solve(position).score)
        assert len(found.line) == found.proven.distance
        assert dict(with_book.moves(position)) == dict(without.moves(position))
    # A search from a position that no game leads to ends at those that are in the book.
    impossible = book.game.from_text("..../..../x.../o...")
    for solver in (with_book, without):
        solver.clear()
    found, searched = with_book.solve(impossible), without.solve(impossible)
    assert found.score == searched.score
    assert found.nodes < searched.nodes / 2


def test_a_book_serves_many_threads() -> None:
    book = Book.open(small_book()[0])
    positions = [each for some in reachable(book.game, 6).values() for each in some]
    found = mossa.solve_many(positions, memory=4, threads=2, book=book)
    assert [one.score for one in found] == [book.get(each) for each in positions]


# --- building ------------------------------------------------------------------------------------


def test_a_build_goes_on_where_it_was_cut(tmp_path: pathlib.Path) -> None:
    """At whatever byte: what is whole is kept, and the book is the same."""
    game, (_, whole) = mossa.game("connect:4x4x4"), small_book()
    path = tmp_path / "cut.book"
    journal = journal_of(path)
    write = Journal.write
    lines: list[str] = []

    def noted(self: Journal, text: str) -> None:
        lines.append(text)
        write(self, text)
        if len(lines) == 40:
            raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Journal, "write", noted)
        with pytest.raises(KeyboardInterrupt):
            build_book(game, 6, path, memory=2)
    assert not path.exists()
    content = journal.read_bytes()
    for size in (0, 5, 60, len(content) // 2, len(content) - 1, len(content)):
        path.unlink(missing_ok=True)
        journal.write_bytes(content[:size])
        told: list[tuple[int, int]] = []
        build_book(game, 6, path, memory=2, report=lambda *each: told.append(each))  # noqa: B023
        assert path.read_bytes() == whole
        assert not journal.exists()
        assert told[-1][0] == told[-1][1]
    path.unlink()
    whole_lines = content.splitlines(keepends=True)
    damaged = b"".join(
        (*whole_lines[:9], whole_lines[9].replace(b" ", b"  ", 1), *whole_lines[10:])
    )
    journal.write_bytes(damaged)
    with pytest.raises(BookError, match=r"is damaged: the checksum of line 10 does not hold"):
        build_book(game, 6, path, memory=2)
    assert journal.read_bytes() == damaged
    journal.write_bytes(b"".join(whole_lines[:9]))  # as the message says
    assert build_book(game, 6, path, memory=2).positions == 901
    assert path.read_bytes() == whole


BUILD = """
import sys, mossa
mossa.build_book(mossa.game(sys.argv[1]), int(sys.argv[2]), sys.argv[3], memory=2, threads=2)
"""


def start(
    *arguments: str | pathlib.Path, before: Callable[[], None] | None = None
) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", BUILD, *map(str, arguments)],
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=before,
    )


@posix
def test_a_killed_build_gives_the_same_book(tmp_path: pathlib.Path) -> None:
    path, same = tmp_path / "killed.book", tmp_path / "same.book"
    game = mossa.game("connect:4x6x4")
    process = start(game.name, "4", path)
    journal = journal_of(path)
    until_lines(journal, 5, process)
    with pytest.raises(BookError, match=r"'.*\.book' is being made already"):
        build_book(game, 4, path)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert not path.exists()
    build_book(game, 4, path, memory=2)
    build_book(game, 4, same, memory=2, threads=2)
    assert path.read_bytes() == same.read_bytes()


def test_processes_build_the_same_book(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "processes.book"
    told: list[tuple[int, int]] = []
    build_book(
        mossa.game("connect:4x4x4"), 6, path, memory=2, count=2, report=lambda *e: told.append(e)
    )
    assert path.read_bytes() == small_book()[1]
    assert told[0][0] == 0
    assert told[-1][0] == told[-1][1]
    with pytest.raises(mossa.GameError, match="invalid workers '0': 1 to 256"):
        build_book(mossa.game("connect:4x4x4"), 6, tmp_path / "a.book", count=0)


@posix
def test_a_full_disk_is_no_loss(tmp_path: pathlib.Path) -> None:
    import resource

    path = tmp_path / "full.book"
    limit = functools.partial(resource.setrlimit, resource.RLIMIT_FSIZE, (300, 300))
    _, errors = start("connect:4x4x4", "6", path, before=limit).communicate(timeout=60)
    assert "BookError: cannot write" in errors
    assert "File too large; what is solved is kept: build again" in errors
    assert journal_of(path).stat().st_size == 300
    build_book(mossa.game("connect:4x4x4"), 6, path, memory=2)
    assert path.read_bytes() == small_book()[1]


def test_a_disk_that_is_full_at_the_end(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "full.book"
    game = mossa.game("connect:4x4x4")

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(BookError, match=r"cannot write '.*': No space left on device; what is"):
            build_book(game, 6, path, memory=2)
    assert list(tmp_path.iterdir()) == [journal_of(path)]
    told: list[int] = []
    build_book(game, 6, path, memory=2, report=lambda done, _: told.append(done))
    assert min(told) == max(told)  # nothing was solved again
    assert path.read_bytes() == small_book()[1]


def test_work_on_another_book_is_not_mixed_up(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "a.book"
    journal_of(path).write_bytes(b"mossa book journal 1: connect:4x4x4, 5 plies\n")
    with pytest.raises(
        BookError,
        match=r"is of other work \(.*connect:4x4x4, 5 plies.\): remove it",
    ):
        build_book(mossa.game("connect:4x4x4"), 6, path, memory=2)
    path.write_bytes(b"")
    with pytest.raises(BookError, match="is there already: remove it, or choose another name"):
        build_book(mossa.game("connect:4x4x4"), 6, path, memory=2)


@pytest.mark.parametrize(
    ("name", "plies", "message"),
    [
        ("connect4", 0, "invalid plies '0': 1 to 42 in connect:6x7x4"),
        ("connect4", 43, "invalid plies '43': 1 to 42 in connect:6x7x4"),
        ("connect4", 30, "a book of 30 plies of connect:6x7x4 has too many positions"),
        ("connect:1x64x4", 60, "has too many positions: choose fewer plies"),
        ("connect:100x1x4", 100, "has too many positions"),
        ("kalah", 4, "no books for kalah:6x4: books are only for connect"),
        ("tictactoe", 4, "no books for mnk:3x3x3: books are only for connect"),
        ("connect:20x20x10", 2, r"no books for .*: \(rows \+ 1\) x cols is more than 128"),
    ],
)
def test_books_that_cannot_be(name: str, plies: int, message: str, tmp_path: pathlib.Path) -> None:
    with pytest.raises(GameError, match=message):
        build_book(mossa.game(name), plies, tmp_path / "a.book", memory=2)
    assert not list(tmp_path.iterdir())


def test_a_book_must_fit_into_memory(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mossa.solving.book_build.machine_memory", lambda: 50)
    with pytest.raises(
        BookError, match=r"has up to .* and making it may take \d+ MB: this machine"
    ):
        build_book(mossa.game("connect4"), 12, tmp_path / "a.book", memory=2)
    with pytest.raises(GameError, match="invalid threads '0'"):
        build_book(mossa.game("connect4"), 2, tmp_path / "a.book", threads=0)
    with pytest.raises(GameError, match="invalid memory '1000000000'"):
        build_book(mossa.game("connect4"), 2, tmp_path / "a.book", memory=10**9)


# --- files that are no books ---------------------------------------------------------------------


def test_every_damaged_byte_is_seen(tmp_path: pathlib.Path) -> None:
    _, whole = small_book()
    path = tmp_path / "damaged.book"
    for at in [*range(60), *random.Random(1).sample(range(60, len(whole)), 40)]:
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << at % 8]) + whole[at + 1 :])
        with pytest.raises(BookError, match=r"'.*damaged\.book' is "):
            Book.open(path)


@pytest.mark.parametrize("size", [0, 1, 7, 8, 23, 24, 30, 100, -5, -1])
def test_a_part_of_a_book_is_refused(size: int, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "part.book"
    path.write_bytes(small_book()[1][:size])
    with pytest.raises(BookError, match=r"is not a book of mossa|is damaged or incomplete"):
        Book.open(path)


def altered(at: int, field: bytes) -> bytes:
    """The small book with other bytes in its header, and a checksum that holds."""
    content = small_book()[1][:-4]
    content = content[:at] + field + content[at + len(field) :]
    return content + struct.pack("<I", zlib.crc32(content))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (lambda: b"\x89PNG\r\n\x1a\n" + bytes(100), "is not a book of mossa"),
        (lambda: altered(8, b"\x07\x00"), "is a book of format 7; this program reads format 1"),
        (lambda: altered(10, b"\x07\x00"), r"is damaged: \d+ bytes of scores do not match"),
        (lambda: altered(10, b"\xff\xff"), "is damaged: invalid plies '65535': 1 to 16"),
        (lambda: altered(13, b"\x00"), r"is damaged: \d+ bytes of scores do not match"),
        (lambda: altered(13, b"\xff"), r"is damaged: \d+ bytes of scores do not match"),
        (lambda: altered(24, b"kalah:6x4    "), "is damaged: no books for kalah"),
        (lambda: altered(24, b"connect:9x9x4"), r"is damaged: \d+ bytes of scores do not match"),
        (lambda: altered(24, b"checkers:8x8!"), "is damaged: unknown game"),
        (lambda: altered(24, b"\xff" * 13), "is damaged: "),
    ],
)
def test_foreign_files_are_refused(
    content: Callable[[], bytes], message: str, tmp_path: pathlib.Path
) -> None:
    path = tmp_path / "foreign.book"
    path.write_bytes(content())
    with pytest.raises(BookError, match=message):
        Book.open(path)


def test_a_wrong_score_is_found(tmp_path: pathlib.Path) -> None:
    whole = small_book()[1]
    at = len(whole) // 2
    folder = pathlib.Path(tempfile.mkdtemp())
    (folder / "wrong.book").write_bytes(
        altered(at, bytes(byte ^ 0x11 for byte in whole[at : at + 9]))
    )
    with pytest.raises(
        BookError, match=r"wrong score after [\d ]+: .* in the book, .* by the solver"
    ):
        check_book(Book.open(folder / "wrong.book"), 500, memory=2, seed=1)


def test_a_book_of_another_game_is_refused(tmp_path: pathlib.Path) -> None:
    book = Book.open(small_book()[0])
    for name in ("connect4", "connect:4x4x3", "kalah"):
        with pytest.raises(GameError, match="but the book is for connect:4x4x4"):
            Solver(mossa.game(name), memory=2, book=book)
    with pytest.raises(FileNotFoundError):
        Book.open(tmp_path / "none.book")
    with pytest.raises(IsADirectoryError):
        Book.open(tmp_path)


# --- the book that comes with the package --------------------------------------------------------


def shipped() -> Book:
    book = Book.shipped(mossa.game("connect4"))
    assert book is not None
    return book


def test_the_shipped_book_is_small_and_used_unasked() -> None:
    book = shipped()
    assert book.size < 500_000
    assert Book.shipped(mossa.game("connect:5x5x4")) is None
    start = book.game.start()
    solver = Solver(book.game, memory=2)
    assert solver.book is book
    found = solver.solve(start)
    assert (found.nodes, found.score) == (0, Exact(1, 41))
    # Allis 1988: only the middle wins, the columns next to it draw. The plies: John Tromp.
    scores = [str(score) for _, score in solver.moves(start)]
    assert scores == [
        "-1 in 40",
        "-1 in 42",
        "0 in 42",
        "+1 in 41",
        "0 in 42",
        "-1 in 42",
        "-1 in 40",
    ]
    assert mossa.solve(start, memory=2).nodes == 0
    assert [one.nodes for one in mossa.solve_many([start], memory=2)] == [0]
    short = mossa.solve(start, memory=2, book=None, limits=mossa.Limits(nodes=1000))
    assert isinstance(short.score, mossa.Bound)


def test_the_scores_of_the_shipped_book_follow_from_each_other() -> None:
    book = shipped()
    solver = Solver(book.game, memory=2)
    chosen = random.Random(2)
    for _ in range(100):
        position = book.game.start()
        while position.ply < book.plies:
            scores = [score for _, score in solver.moves(position) if isinstance(score, Exact)]
            assert book.get(position) == max(scores)
            position = position.play(chosen.choice(position.moves))
            if position.outcome is not None:
                break


@pytest.mark.slow
def test_the_shipped_book_agrees_with_the_solver() -> None:
    check_book(shipped(), 20, memory=1024, seed=3)
