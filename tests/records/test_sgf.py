"""SGF: trees, escapes and set-up stones, of people and of engine matches."""

from __future__ import annotations

import itertools
import random
from pathlib import Path

import pytest
from record_checks import DATA, check_refusal, moves

import mossa
from mossa import Position
from mossa.records import Record, parse_records, read_records, to_jsonl, to_sgf, to_text
from mossa.records.branches import follow, split_moves

SGF = "(;FF[4]GM[4]SZ[3]RU[mnk:3x3x3]"


def test_sgf_main_lines_escapes_and_setup() -> None:
    tree, setup = read_records(DATA / "tree.sgf")
    assert tree.game.name == "mnk:15x15x5"
    assert moves(tree) == "h8 i9 g7 g9"
    assert tree.branches == "h8 i9 (h9) g7 g9 (i7 j6)"
    assert (tree.first, tree.second) == ("Ann [black]", "Bob \\ Co.")
    assert (tree.date, tree.result) == ("2026-11-15", "0-1")
    assert tree.comment == "A [study] of\ntwo lines: a\\b"
    assert setup.game.name == "mnk:4x3x3"
    assert (setup.start, moves(setup)) == ("xo./.../..x/...", "a3 b3")


def test_sgf_stones_are_set_up_in_rectangles_too() -> None:
    [record] = parse_records("(;GM[4]SZ[5]AB[aa:ba][ee][ec]AW[ad:be];B[cc])", "sgf")
    assert record.start == "xx.../...../....x/oo.../oo..x"


def test_sgf_of_an_engine_match() -> None:
    exact, draw = read_records(DATA / "match.sgf")
    assert exact.game.name == "mnk:20x20x5,exact=yes"
    assert (exact.first, exact.second, exact.date) == ("alpha", "beta", "2026.11.15 20:15:00")
    # Six in a row on the way, which is no win here; RE says that W lost in some other way.
    assert len(exact.moves) == 14
    assert (exact.position.outcome, exact.result) == (None, "1-0")
    assert (draw.game.name, draw.result, len(draw.moves)) == ("mnk:20x20x5", "1/2", 2)


def test_sgf_as_mossa_writes_it() -> None:
    game = mossa.game("mnk:3x4x3")
    played = Record.from_position(game.position("a1 b2 b1 b3 c1"), first="a]b", second="c\\d")
    setup = Record.from_position(game.from_text("x.../..o./...x").play("a1"))
    assert to_sgf([played, setup]) == (
        "(;FF[4]GM[4]CA[UTF-8]AP[mossa]SZ[4:3]RU[mnk:3x4x3]PB[a\\]b]PW[c\\\\d]RE[B+]\n"
        ";B[ac];W[bb];B[bc];W[ba];B[cc])\n"
        "\n"
        "(;FF[4]GM[4]CA[UTF-8]AP[mossa]SZ[4:3]RU[mnk:3x4x3]AB[aa][dc]AW[cb]PL[W]\n"
        ";W[ac])\n"
    )


def test_sgf_with_branches_as_mossa_writes_it() -> None:
    """Branches were left out of what was written, without a word."""
    game = mossa.game("mnk:3x4x3")
    record = Record.from_position(
        game.position("a1 b2 b1"), branches="a1 b2 (c2 c1 (d1)) (d2) b1 (b3)"
    )
    text = to_sgf([record])
    assert text == (
        "(;FF[4]GM[4]CA[UTF-8]AP[mossa]SZ[4:3]RU[mnk:3x4x3]\n"
        ";B[ac]\n"
        "(;W[bb]\n"
        "(;B[bc])\n"
        "(;B[ba]))\n"
        "(;W[cb]\n"
        "(;B[cc])\n"
        "(;B[dc]))\n"
        "(;W[db]))\n"
    )
    assert parse_records(text, "sgf") == [record]


def random_branches(position: Position, rng: random.Random, most: int) -> list[str]:
    """Moves from a position on, with branches of branches."""
    words: list[str] = []
    while position.outcome is None and rng.random() < 0.9:
        chosen, *others = rng.sample(position.moves, k=min(len(position.moves), rng.randint(1, 3)))
        words.append(str(chosen))
        for other in others[: most if rng.random() < 0.3 else 0]:
            rest = random_branches(position.play(other), rng, most - 1)
            words += ["(", str(other), *rest, ")"]
        position = position.play(chosen)
    return words


@pytest.mark.parametrize("seed", range(20))
def test_branches_survive_every_format_that_has_room(seed: int) -> None:
    rng = random.Random(seed)
    start = mossa.game("mnk:5x4x4").start()
    words = random_branches(start, rng, 3)
    last, _ = follow(start, words)
    record = Record.from_position(last, branches=" ".join(words))
    for form, write in (("sgf", to_sgf), ("jsonl", to_jsonl), ("text", to_text)):
        assert parse_records(write([record]), form) == [record]


def test_branches_may_be_deep_and_many() -> None:
    game = mossa.game("mnk:52x52x52")
    cells = [str(move) for move in game.start().moves]
    comb = " ".join(f"{a} ({b})" for a, b in itertools.pairwise(cells[:600]))
    nested = " (".join(f"{a} {b}" for a, b in itertools.pairwise(cells[::-1][:1200])) + ")" * 1198
    for branches in (comb, nested):
        last, _ = follow(game.start(), split_moves(game, branches))
        record = Record.from_position(last, branches=branches)
        assert parse_records(to_sgf([record]), "sgf") == [record]


def test_a_comment_that_is_a_branch_changes_nothing() -> None:
    [record] = parse_records(f"{SGF};B[aa](;W[bb](;C[x])(;B[cc]))(;C[y]))", "sgf")
    assert (moves(record), record.branches) == ("a3 b2 c1", None)


def test_a_deep_tree_is_read() -> None:
    deep = "(;C[x]" * 50_000
    text = f"(;GM[4]SZ[3]RU[mnk:3x3x3];B[aa]{deep};W[bb]{')' * 50_000})"
    [record] = parse_records(text, "sgf")
    assert moves(record) == "a3 b2"


BAD: list[tuple[str, int, str]] = [
    (f"{SGF};B[aa](;W[bb])\n(;W[aa]))", 2, "illegal move 'a3'"),
    (f"{SGF};B[aa](;W[bb])\n(;B[cc]))", 2, "B moves when it is W's turn"),
    (f"{SGF};B[aa](;W[bb])\n(;W[]))", 2, "nobody may pass"),
    (f"{SGF}(;B[bb])\n(;AB[aa];W[bb]))", 2, "AB changes the board"),
    ("B[aa]", 1, "expected '(' to start a game, not 'B'"),
    (f"{SGF})\n;B[aa]", 2, "expected '(' to start a game, not ';'"),
    ("((;B[aa]))", 1, "expected ';' after '(', not '('"),
    ("()", 1, "expected ';' after '(', not ')'"),
    (f"{SGF}\n;B;W[aa])", 2, "property 'B' has no value"),
    (f"{SGF};\n[aa])", 2, "value '[aa]' belongs to no property"),
    (f"{SGF}\n;B[aa]\n", 2, "the file ends inside a game: ')' is missing"),
    (f"{SGF}\n;B[aa];W[b\n\n", 2, "'[' is never closed by ']'"),
    (f"{SGF}\n;B[aa];W[b\\]\n\n", 2, "'[' is never closed by ']'"),
    (f"{SGF}\n;B[aa]\n;W5)", 3, "unexpected '5)'"),
    ("(;FF[4]\nGM[1]SZ[19];B[aa])", 2, "GM '1' is another game; accepted: GM[4]"),
    (
        "(;GM[4]\nSZ[53];B[aa])",
        2,
        "SZ '53' is not a board; accepted: SZ[15], SZ[COLUMNS:ROWS], up to 52",
    ),
    ("(;GM[4]SZ[0];B[aa])", 1, "SZ '0' is not a board"),
    ("(;GM[4]SZ[15x15];B[aa])", 1, "SZ '15x15' is not a board"),
    (f"(;GM[4]SZ[{'9' * 5000}])", 1, "is not a board"),
    ("(;GM[4]SZ[3])", 1, "invalid game 'mnk:3x3x5'"),
    ("(;GM[4]SZ[15]\nRU[mnk:3x3x3])", 2, "rules 'mnk:3x3x3' contradict a board 15 wide, 15 high"),
    ("(;GM[4]SZ[15]RU[Renju])", 1, "mossa plays neither renju nor caro"),
    ("(;GM[4]SZ[15]RU[4])", 1, "mossa plays neither renju nor caro"),
    ("(;GM[4]SZ[15]RU[9])", 1, "mossa plays neither renju nor caro"),
    ("(;GM[4]\nRE[Black])", 2, "RE 'Black' is not a result; accepted: B+... W+..."),
    (f"{SGF};B[ac];W[aa];B[bc];W[ba];B[cc]\nRE[W+])", 2, "result '0-1' contradicts the board: 1-0"),
    (f"{SGF};B[aa]\n;W[])", 2, "a pass, but nobody may pass"),
    (f"{SGF};B[aa]\n;W[tt])", 2, "'tt' is not a cell; accepted: 'aa' (top left) to 'cc'"),
    (f"{SGF};B[aa]\n;W[b2])", 2, "'b2' is not a cell"),
    (f"{SGF};B[aa]\n;W[aa])", 2, "cell a3 is taken"),
    (f"{SGF};W[aa])", 1, "W moves when it is B's turn; B moves first"),
    (f"{SGF};B[aa]\n;B[bb])", 2, "B moves when it is W's turn"),
    (f"{SGF}AB[aa]\n;B[bb])", 2, "B moves when it is W's turn"),
    (f"{SGF}AB[aa][bb])", 1, "invalid position 'x../.x./...'"),
    (f"{SGF}AB[aa]\nAW[aa])", 2, "AW 'aa' sets up a cell that is already set up"),
    (f"{SGF}AB[aa:bb][bb])", 1, "AB 'bb' sets up a cell that is already set up"),
    (f"{SGF}AB[aa:dd])", 1, "'dd' is not a cell"),
    (f"{SGF};B[aa]\n;AW[bb])", 2, "AW changes the board; only AB and AW before the first move may"),
    (f"{SGF}AE[aa])", 1, "AE changes the board"),
    (f"{SGF}PB[\x07])", 1, "control character"),
]


@pytest.mark.parametrize(("text", "line", "reason"), BAD, ids=range(len(BAD)))
def test_bad_files_are_refused_with_line_and_reason(
    text: str, line: int, reason: str, tmp_path: Path
) -> None:
    check_refusal(tmp_path / "games.sgf", text, line, reason)
