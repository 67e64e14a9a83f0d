"""``mossa book``: building, looking and checking from the command line; ``mossa solve --book``."""

from __future__ import annotations

import json
import re
import signal
from pathlib import Path

import pytest
from command import call, complaint, good, on_terminal, posix, run, start
from programs import until_lines

from mossa.solving.journal import journal_of

BUILT = "{}: connect:4x4x4, all positions of at most 6 stones\n901 scores of 4 bits, 612 bytes\n"


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("books") / "small.book"
    build = ["book", "build", "connect:4x4x4", "--plies", "6", "--memory", "2", "--threads", "2"]
    assert good(run(*build, "--output", path)).startswith(BUILT.format(path))
    return path


def test_info_says_what_a_book_holds(book: Path) -> None:
    assert good(call("book", "info", book)).startswith(BUILT.format(book))
    data = json.loads(good(call("book", "info", book, "--json")))
    assert data["game"] == "connect:4x4x4"
    assert (data["plies"], data["positions"], data["bytes"], data["bits"]) == (6, 901, 612, 4)
    assert data["score"]["text"] == "0 in 16"


def test_check_finds_a_book_right(book: Path) -> None:
    output = good(call("book", "check", book, "--count", "5", "--memory", "2"))
    assert output == f"{book}: 5 random games, all scores are right\n"
    data = json.loads(good(call("book", "check", book, "--seed", "1", "--memory", "2", "--json")))
    assert (data["games"], data["wrong"], data["positions"]) == (20, 0, 901)


def test_the_book_is_named_after_the_game(tmp_path: Path) -> None:
    good(run("book", "build", "connect:3x3x3", "--plies", "2", "--memory", "2", folder=tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == ["connect-3x3x3.book"]


def test_solve_uses_the_book_that_it_is_given(book: Path, tmp_path: Path) -> None:
    solve = ["solve", "connect:4x4x4", "12", "--memory", "2", "--json"]
    found = json.loads(good(call(*solve, "--book", book)))
    searched = json.loads(good(call(*solve, "--book", "none")))
    assert found["nodes"] == 0 < searched["nodes"]
    assert found["score"] == searched["score"]
    assert found["analysis"] == searched["analysis"]
    source = tmp_path / "positions.txt"
    source.write_text("12\n1234\n")
    lines = [
        good(call("solve", "connect:4x4x4", "--file", source, "--memory", "2", "--book", each))
        for each in (str(book), "none")
    ]
    assert lines[0] == lines[1]


def test_solve_uses_the_shipped_book_unasked(tmp_path: Path) -> None:
    source = tmp_path / "positions.txt"
    source.write_text("4\n12\n444\n")  # each of them takes seconds to solve
    solve = ["solve", "connect4", "--memory", "2"]
    lines = good(call(*solve, "--file", source)).splitlines()
    assert [line.split()[:2] for line in lines] == [["4", "-1"], ["12", "-1"], ["444", "-1"]]
    searched = good(call(*solve, "4", "--book", "none", "--time", "0.01", "--no-moves"))
    assert ".." in searched.splitlines()[1]


@posix
def test_ctrl_c_keeps_what_is_solved(tmp_path: Path) -> None:
    path = tmp_path / "stopped.book"
    arguments = ["book", "build", "connect:5x6x4", "--plies", "4", "--output", str(path)]
    process = start(*arguments, "--memory", "8")
    until_lines(journal_of(path), 2, process)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    assert (process.returncode, output) == (130, "")
    assert re.fullmatch(
        r"mossa: stopped: \d+ of [\d,]+ positions kept; the same command goes on\n", errors
    )
    assert not path.exists()


@posix
def test_a_terminal_sees_when_it_will_end(tmp_path: Path) -> None:
    build = ["book", "build", "connect:4x5x4", "--plies", "3", "--memory", "2"]
    code, shown = on_terminal(*build, "--output", str(tmp_path / "shown.book"))
    assert code == 0
    assert "ends in" in shown
    assert "positions/s" in shown


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["build", "connect4", "--plies", "99"], "invalid plies '99': 1 to 42"),
        (["build", "connect4", "--plies", "30"], "has too many positions"),
        (["build", "kalah", "--plies", "3"], "no books for kalah:6x4"),
        (["build", "connect4", "--plies", "2", "--memory", "999999999"], "invalid memory"),
        (["build", "connect:3x3x3", "--plies", "2", "--output", "no/such/a.book"], "No such file"),
        (["build", "connect:3x3x3", "--plies", "2", "--output", "README.md"], "is there already"),
        (["info", "no-such.book"], "'no-such.book': No such file"),
        (["info", "README.md"], "'README.md' is not a book of mossa"),
        (["check", "README.md"], "'README.md' is not a book of mossa"),
    ],
)
def test_mistakes_are_explained(
    arguments: list[str], part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("README.md").write_text("# a page of text, not a book\n")
    assert part in complaint(call("book", *arguments))


def test_solve_refuses_other_books(book: Path) -> None:
    wrong = complaint(call("solve", "connect4", "--book", book))
    assert wrong == "this solver is for connect:6x7x4, but the book is for connect:4x4x4"
    assert "No such file" in complaint(call("solve", "connect4", "--book", "no-such.book"))
