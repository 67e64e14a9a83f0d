"""What books, studies and tables have in common, byte by byte."""

from __future__ import annotations

import os
import struct
import zlib
from pathlib import Path

import pytest

import mossa
from mossa import Book, BookError, GameError, Study, Tables, build_tables
from mossa.files import DATA
from mossa.solving import book, container, study, tables

SHIPPED = sorted(path for path in DATA.iterdir() if path.suffix in (".book", ".study"))


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.suffix)
def test_what_was_shipped_before_reads_and_writes_the_same(path: Path) -> None:
    """Files outlive the code that made them: its head is taken apart here by hand."""
    content = path.read_bytes()
    if path.suffix == ".book":
        layout, form = "<8sHHbBHQ", book._FORMAT
        magic, version, plies, lowest, width, name_size, positions = struct.unpack_from(
            layout, content
        )
        numbers, text_sizes = [plies, lowest, width, positions], [name_size]
        found: Book | Study = Book.open(path)
    else:
        layout, form = "<8sHHHHHI", study._FORMAT
        magic, version, plies, key_size, name_size, spec_size, positions = struct.unpack_from(
            layout, content
        )
        numbers, text_sizes = [plies, key_size, positions], [name_size, spec_size]
        found = Study.open(path)
    texts, at = [], struct.calcsize(layout)
    for size in text_sizes:
        texts.append(content[at : at + size].decode())
        at += size
    assert (magic, version) == (form.magic, form.version)
    assert form.read_head(content) == (numbers, texts, at)
    assert form.head(numbers, *texts) == content[:at]
    assert container.sealed(content[:-4]) == content
    assert (found.game.name, found.plies, found.positions) == (texts[0], plies, positions)
    assert (found.size, found.checksum) == (len(content), zlib.crc32(content[:-4]))


def test_tables_are_written_as_they_were_before(tmp_path: Path) -> None:
    game = mossa.game("kalah:2x2")
    made = build_tables(game, 2, tmp_path / "t")
    content = (tmp_path / "t").read_bytes()
    head = struct.pack("<8sHHH", b"mossaet\n", 1, 2, 9) + b"kalah:2x2"
    layers, rest = content[len(head) : len(head) + made.positions], content[-16:]
    counts = [1, 4, 10]  # boards of 4 pits with exactly 0, 1, 2 seeds
    assert made.positions == sum(counts)
    ends = [sum(counts[:n]) for n in range(4)]
    sums = b"".join(struct.pack("<I", zlib.crc32(layers[ends[n] : ends[n + 1]])) for n in range(3))
    assert content == head + layers + rest
    assert rest == sums + struct.pack("<I", zlib.crc32(head + sums))


@pytest.mark.parametrize("form", [book._FORMAT, study._FORMAT, tables._FORMAT])
def test_a_head_that_promises_too_much_is_no_harm(form: container.Format) -> None:
    """Sizes of texts beyond the end of the file: what is there is no game."""
    texts = ["x" * 60_000 for _ in form.sizes]
    numbers = [1] * (len(form.numbers) - len(texts))
    head = form.read_head(form.head(numbers, *texts)[:100])
    assert head.numbers == numbers
    with pytest.raises(GameError, match="is damaged: unknown game 'xxx"):
        head.game  # noqa: B018


def test_studies_that_unpack_to_more_than_they_say_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "bomb.study"
    head = study._FORMAT.head((1, 1, 1), "connect4", "x")
    path.write_bytes(container.sealed(head + zlib.compress(bytes(1 << 26), 9)))
    with pytest.raises(BookError, match="its positions are not all there; remove it and make it"):
        Study.open(path)


def test_a_file_is_opened_again_only_if_it_has_changed(tmp_path: Path) -> None:
    path = tmp_path / "file"
    read: list[str] = []

    def open_file(path: Path) -> str:
        read.append(path.read_text())
        return read[-1]

    assert container.opened(open_file, path) is None
    path.write_text("old")
    assert [container.opened(open_file, path) for _ in range(2)] == ["old", "old"]
    path.write_text("new")
    os.utime(path, ns=(1, 1))
    assert container.opened(open_file, path) == "new"
    assert read == ["old", "new"]


def test_tables_are_looked_for_where_a_game_has_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MOSSA_BOOKS", str(tmp_path))
    for name in ("connect4", "breakthrough:4x3", "kalah:2x2"):
        assert Tables.find(mossa.game(name)) is None
    for name in ("breakthrough-4x3.tables", "kalah-2x2.tables"):
        (tmp_path / name).write_bytes(b"nonsense")
    assert Tables.find(mossa.game("breakthrough:4x3")) is None
    with pytest.raises(BookError, match=r"2x2.tables' is not a file of end-game tables of mossa"):
        Tables.find(mossa.game("kalah:2x2"))
