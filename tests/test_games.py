"""Games, positions and moves as a user meets them: names, values, and what errors say."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TypeVar

import hypothesis
import pytest
from hypothesis import strategies as st

import mossa

T = TypeVar("T")

# --- names ---------------------------------------------------------------------------------------

PRESETS = {
    "tictactoe": "mnk:3x3x3",
    "gomoku": "mnk:15x15x5",
    "connect4": "connect:6x7x4",
    "kalah": "kalah:6x4",
    "bantumi": "kalah:6x3,empty_capture=yes,leftover=none,end=mover,majority=yes",
    "oware": "oware:6x4",
    "tris:10x4": "mnk:10x10x4",
    "tris:3x3": "mnk:3x3x3",
}

CANONICAL = {
    "mnk:3x4x3,exact=no": "mnk:3x4x3",
    "mnk:3x4x3,exact=yes": "mnk:3x4x3,exact=yes",
    "kalah:6x4,empty_capture=no,leftover=owner,end=any,majority=no,swap=no,first_extra=yes": (
        "kalah:6x4"
    ),
    "kalah:7x7,first_extra=no,swap=yes": "kalah:7x7,swap=yes,first_extra=no",
    "kalah:1x1,majority=yes,end=mover,leftover=opponent,empty_capture=yes": (
        "kalah:1x1,empty_capture=yes,leftover=opponent,end=mover,majority=yes"
    ),
    "connect:100x100x100": "connect:100x100x100",
    "mnk:1x1x1": "mnk:1x1x1",
    "mnk:1x100x100": "mnk:1x100x100",
    "kalah:12x12": "kalah:12x12",
}

KALAH_DEFAULTS = {
    "empty_capture": "no",
    "leftover": "owner",
    "end": "any",
    "majority": "no",
    "swap": "no",
    "first_extra": "yes",
}


@pytest.mark.parametrize(("given", "name"), [*PRESETS.items(), *CANONICAL.items()])
def test_name(given: str, name: str) -> None:
    game = mossa.game(given)
    assert game.name == name
    assert str(game) == name
    assert game == mossa.game(name)
    assert hash(game) == hash(mossa.game(name))
    assert game.kind == name.partition(":")[0]


def test_games_differ_by_name_only() -> None:
    names = {*PRESETS.values(), *CANONICAL.values()}
    assert len({mossa.game(name) for name in names}) == len(names)
    assert mossa.game("mnk:3x4x3") != mossa.game("mnk:4x3x3")
    assert mossa.game("mnk:3x3x3") != mossa.game("connect:3x3x3")
    assert mossa.game("mnk:6x6x5") != mossa.game("mnk:6x6x5,exact=yes")
    assert mossa.game("connect4") != "connect:6x7x4"
    assert mossa.game("mnk:3x3x3").start() != mossa.game("connect:3x3x3").start()
    assert mossa.game("kalah:6x4").start() != mossa.game("kalah:6x4,end=mover").start()


def test_sizes_and_options() -> None:
    assert mossa.game("connect4").sizes == {"rows": 6, "cols": 7, "k": 4}
    assert mossa.game("connect4").options == {}
    assert mossa.game("mnk:4x5x3").sizes == {"rows": 4, "cols": 5, "k": 3}
    assert mossa.game("mnk:4x5x3").options == {"exact": "no"}
    assert mossa.game("mnk:4x5x3,exact=yes").options == {"exact": "yes"}
    assert mossa.game("kalah").sizes == {"pits": 6, "seeds": 4}
    assert mossa.game("kalah").options == KALAH_DEFAULTS
    assert mossa.game("bantumi").options == KALAH_DEFAULTS | {
        "empty_capture": "yes",
        "leftover": "none",
        "end": "mover",
        "majority": "yes",
    }


def test_names_forgive_capitals_and_blanks_around() -> None:
    assert mossa.game(" Connect4\n") == mossa.game("connect4")
    assert mossa.game("MNK:3X3X3") == mossa.game("tictactoe")


# --- errors in names -----------------------------------------------------------------------------


def refusal(error: type[mossa.GameError], call: Callable[[], object], *fragments: str) -> str:
    """The text with which a call is refused: one short line that has all the fragments."""
    with pytest.raises(error) as caught:
        call()
    text = str(caught.value)
    assert isinstance(caught.value, ValueError)
    assert isinstance(caught.value, mossa.GameError)
    assert "\n" not in text
    assert len(text) < 600
    for fragment in fragments:
        assert fragment in text, text
    return text


def answer(error: type[mossa.GameError], call: Callable[[], T]) -> T | None:
    """What a call returns; None if it is refused with this error, in one short line."""
    try:
        return call()
    except error as caught:
        if "\n" in str(caught) or len(str(caught)) >= 600:
            raise AssertionError(f"not one short line: {caught}") from caught
        return None


BAD_NAMES = [
    ("connect:0x7x4", ["'connect:0x7x4'", "rows", "1", "100"]),
    ("connect:6x0x4", ["'connect:6x0x4'", "cols", "1", "100"]),
    ("connect:101x7x4", ["'connect:101x7x4'", "rows", "100"]),
    ("connect:6x101x4", ["'connect:6x101x4'", "cols", "100"]),
    ("connect:6x7x0", ["'connect:6x7x0'", "k", "7"]),
    ("connect:6x7x8", ["'connect:6x7x8'", "k", "7"]),
    ("mnk:3x3x9", ["'mnk:3x3x9'", "k", "3"]),
    ("mnk:3x3", ["'mnk:3x3'", "ROWSxCOLSxK"]),
    ("mnk:3x3x3x3", ["'mnk:3x3x3x3'", "ROWSxCOLSxK"]),
    ("mnk:-3x3x3", ["'mnk:-3x3x3'"]),
    ("mnk:3.5x3x3", ["'mnk:3.5x3x3'"]),
    ("mnk:axbxc", ["'mnk:axbxc'", "ROWSxCOLSxK"]),
    ("mnk:", ["'mnk:'", "ROWSxCOLSxK"]),
    ("mnk", ["'mnk'", "ROWSxCOLSxK"]),
    ("mnk:99999999999999999999x3x3", ["'mnk:99999999999999999999x3x3'"]),
    ("mnk:4294967299x3x3", ["'mnk:4294967299x3x3'"]),
    ("mnk:18446744073709551619x3x3", ["'mnk:18446744073709551619x3x3'"]),
    ("mnk:3x3x3,exact", ["'mnk:3x3x3,exact'", "exact"]),
    ("mnk:3x3x3,exact=", ["'mnk:3x3x3,exact='", "exact"]),
    ("mnk:3x3x3,exact=YES", ["exact=YES", "yes", "no"]),
    ("mnk:3x3x3,swap=yes", ["swap", "exact"]),
    ("connect:6x7x4,exact=yes", ["exact"]),
    ("mnk:3x3x3,", ["'mnk:3x3x3,'"]),
    ("mnk:3x3x3,,", ["'mnk:3x3x3,,'"]),
    ("kalah:6", ["'kalah:6'", "PITSxSEEDS"]),
    ("kalah:6x4x2", ["'kalah:6x4x2'", "PITSxSEEDS"]),
    ("kalah:13x4", ["'kalah:13x4'", "pits", "12"]),
    ("kalah:6x13", ["'kalah:6x13'", "seeds", "12"]),
    ("kalah:0x4", ["'kalah:0x4'", "pits", "1"]),
    ("kalah:6x0", ["'kalah:6x0'", "seeds", "1"]),
    ("kalah:6x4,foo=1", ["'foo'", "empty_capture", "first_extra"]),
    ("kalah:6x4,end=maybe", ["'end=maybe'", "mover", "any"]),
    ("kalah:6x4,leftover=yes", ["leftover", "owner", "none", "opponent"]),
    ("kalah:6x4,end=any,end=any", ["'kalah:6x4,end=any,end=any'", "end"]),
    ("kalah:6x4,end=any,end=mover", ["'kalah:6x4,end=any,end=mover'", "end"]),
    ("kalah:6x4,swap=yes,swap=yes", ["swap"]),
    ("tris:3", ["'tris:3'", "SIZExSERIES"]),
    ("tris:3x4", ["'tris:3x4'"]),
    ("tris:101x4", ["'tris:101x4'"]),
    ("", ["''"]),
    (" ", ["' '"]),
    (":", ["':'"]),
    ("chess", ["'chess'", "mnk", "connect", "kalah"]),
    ("connect4x", ["'connect4x'"]),
    ("mnk: 3x3x3", ["'mnk: 3x3x3'"]),
    ("connect4:6x7x4", ["'connect4:6x7x4'"]),
    ("é", ["'é'"]),
    ("mnk:٣x3x3", ["٣"]),
    ("mnk:3x3x3\0", ["mnk:3x3x3"]),
]


@pytest.mark.parametrize(("name", "fragments"), BAD_NAMES)
def test_bad_name(name: str, fragments: list[str]) -> None:
    refusal(mossa.InvalidGameError, lambda: mossa.game(name), *fragments)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("conect4", "connect4"),
        ("conect:6x7x4", "connect"),
        ("kalha", "kalah"),
        ("kalha:6x4", "kalah"),
        ("tictacto", "tictactoe"),
        ("gomuku", "gomoku"),
        ("bantumy", "bantumi"),
    ],
)
def test_near_name(name: str, meant: str) -> None:
    refusal(mossa.InvalidGameError, lambda: mossa.game(name), repr(name), repr(meant))


def test_long_name_is_shortened() -> None:
    for name in ("x" * 10**6, "mnk:" + "3" * 10**6, "kalah:6x4," + "foo=1," * 10**5):
        text = refusal(mossa.InvalidGameError, lambda name=name: mossa.game(name))  # type: ignore[misc]
        assert name[:20] in text


@hypothesis.given(
    st.text() | st.from_regex(r"(mnk|connect|kalah|tris):[0-9x,=a-z]*", fullmatch=True)
)
def test_any_text_as_a_name(text: str) -> None:
    """Whatever is given, the answer is a game or an InvalidGameError in one line."""
    game = answer(mossa.InvalidGameError, lambda: mossa.game(text))
    assert game is None or mossa.game(game.name) == game


# --- moves ---------------------------------------------------------------------------------------


def test_move_is_its_text() -> None:
    move = mossa.Move("4")
    assert str(move) == "4"
    assert repr(move) == "Move('4')"
    assert move == "4"
    assert move == mossa.Move("4")
    assert move != "5"
    assert move != 4
    assert hash(move) == hash("4")
    assert {"4": "yes"}[move] == "yes"  # type: ignore[index]
    assert move in ["4"]
    assert "4" in [move]
    assert (move.number, move.row, move.col) == (4, None, None)


def test_move_names_a_cell() -> None:
    for text, row, col in [
        ("a1", 0, 0),
        ("h8", 7, 7),
        ("z10", 9, 25),
        ("aa1", 0, 26),
        ("az99", 98, 51),
        ("ba2", 1, 52),
        ("cv100", 99, 99),
    ]:
        move = mossa.Move(text)
        assert (move.number, move.row, move.col, str(move)) == (None, row, col, text)
        assert hash(move) == hash(text)
        assert move == text
    swap = mossa.Move("swap")
    assert (swap.number, swap.row, swap.col, str(swap)) == (None, None, None, "swap")


def test_moves_are_ordered_as_positions_list_them() -> None:
    rng = random.Random(1)
    for name in ("connect:6x12x4", "mnk:12x30x5", "kalah:12x2,swap=yes"):
        position = mossa.game(name).start()
        if name.startswith("kalah"):
            position = position.play("3")
            assert position.moves[-1] == "swap"
        moves = position.moves
        assert sorted(rng.sample(moves, len(moves))) == moves
    cells = [str(move) for move in mossa.game("mnk:2x3x2").start().moves]
    assert cells == ["a1", "b1", "c1", "a2", "b2", "c2"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "x",
        "é",
        "4;5",
        "4 4",
        " 4",
        "4 ",
        "-1",
        "+4",
        "4.0",
        "4x",
        "1a",
        "a",
        "aaa1",
        "a-1",
    ],
)
def test_no_move_at_all(text: str) -> None:
    refusal(mossa.InvalidMoveError, lambda: mossa.Move(text), repr(text))


@pytest.mark.parametrize(
    "text",
    ["swapp", "SWAP ", "\N{ARABIC-INDIC DIGIT THREE}", "4\n", "4\0", "9" * 30, "a" + "9" * 30],
)
def test_almost_a_move(text: str) -> None:
    refusal(mossa.InvalidMoveError, lambda: mossa.Move(text))


@hypothesis.given(st.text(max_size=12) | st.from_regex(r"[a-z]{0,3}[0-9]{0,4}", fullmatch=True))
def test_any_text_as_a_move(text: str) -> None:
    """A move reads back as it was written, but in small letters; or it is refused."""
    move = answer(mossa.InvalidMoveError, lambda: mossa.Move(text))
    assert move is None or str(move) == text.lower()
    assert move is None or hash(move) == hash(str(move))


# --- positions -----------------------------------------------------------------------------------


def test_a_session() -> None:
    game = mossa.game("connect4")
    position = game.position("4453")
    assert position.game == game
    assert position.side == mossa.Side.first
    assert mossa.Side.first.value == 0
    assert position.moves == ["1", "2", "3", "4", "5", "6", "7"]
    assert position.outcome is None
    after = position.play("4")
    assert after.side == mossa.Side.second
    assert mossa.Side.second.value == 1
    assert after.play(mossa.Move("4")) == position.play(mossa.Move("4")).play("4")
    assert after.history_text == "4 4 5 3 4"
    assert after.last_move == "4"
    assert after.last_cell == (2, 3)
    assert after.cells[0] == (0, 0, 2, 1, 1, 0, 0)
    assert after.text == "......./......./......./...x.../...o.../..oxx.."
    assert game.position([mossa.Move("4"), mossa.Move("4")]) == game.position("44")
    assert game.position(iter(after.history)) == after
    assert game.position("") == game.position("  ") == game.position([]) == game.start()


def test_outcomes() -> None:
    won = mossa.game("connect4").position("1212121")
    assert won.outcome is not None
    assert won.outcome.winner == mossa.Side.first
    assert won.outcome.value == 1
    assert sorted(won.winning_cells) == [(0, 0), (1, 0), (2, 0), (3, 0)]
    lost = mossa.game("tictactoe").position("a1 b1 a2 b2 c3 b3")
    assert lost.outcome is not None
    assert lost.outcome.winner == mossa.Side.second
    assert lost.outcome.value == -1
    drawn = mossa.game("tictactoe").from_text("xox/xox/oxo")
    assert drawn.outcome is not None
    assert drawn.outcome.winner is None
    assert drawn.outcome.value == 0
    assert drawn.winning_cells == []
    assert drawn.moves == []
    assert won.outcome != lost.outcome
    assert won.outcome != drawn.outcome


def test_crossing_lines_are_all_shown() -> None:
    """One stone may complete a row and both diagonals at once."""
    position = mossa.game("mnk:5x5x3").from_text("o.o../x.x../..o../xox../.....").play("b3")
    assert position.outcome is not None
    assert set(position.winning_cells) == {(1, 0), (2, 1), (3, 2), (1, 2), (3, 0)}


def test_exact_run() -> None:
    """Six in a row win a free game and not an exact one."""
    moves = "a1 a3 b1 b3 c1 d3 e1 e3 f1 f3 d1"
    free = mossa.game("mnk:3x6x5").position(moves)
    assert free.outcome is not None
    assert free.outcome.winner == mossa.Side.first
    assert set(free.winning_cells) == {(0, col) for col in range(6)}
    exact = mossa.game("mnk:3x6x5,exact=yes").position(moves)
    assert exact.outcome is None
    assert exact.winning_cells == []


def test_kalah_by_hand() -> None:
    game = mossa.game("kalah")
    position = game.start()
    assert position.text == "4,4,4,4,4,4,0/4,4,4,4,4,4,0 first"
    position = position.play("3")  # ends in the store: first again
    assert position.side == mossa.Side.first
    assert position.cells == ((4, 4, 0, 5, 5, 5, 1), (4, 4, 4, 4, 4, 4, 0))
    assert position.last_cell == (0, 2)
    position = position.play("6")
    assert position.side == mossa.Side.second
    assert position.cells == ((4, 4, 0, 5, 5, 0, 2), (5, 5, 5, 5, 4, 4, 0))
    captured = game.from_text("0,1,0,0,0,0,20/0,0,0,7,1,0,19 first").play("2")
    assert captured.cells == ((0, 0, 0, 0, 0, 0, 28), (0, 0, 0, 0, 0, 0, 20))
    lap = game.from_text("13,0,0,0,0,1,14/1,0,0,0,0,0,19 first").play("1")
    assert lap.cells == ((0, 1, 1, 1, 1, 2, 17), (2, 1, 1, 1, 1, 0, 19))
    assert lap.side == mossa.Side.second


def test_kalah_swap() -> None:
    game = mossa.game("kalah:3x2,swap=yes")
    assert "swap" not in game.start().moves
    position = game.position("1")
    assert position.text == "0,3,3,0/2,2,2,0 second,swap"
    assert position.moves == ["1", "2", "3", "swap"]
    swapped = position.play("swap")
    assert swapped.text == "2,2,2,0/0,3,3,0 first"
    assert swapped.side == mossa.Side.first
    assert swapped.last_cell is None
    assert game.position("1 swap") == swapped
    declined = position.play("1")
    assert "swap" not in declined.play("2").moves
    without = game.from_text("0,3,3,0/2,2,2,0 second")
    assert without.moves == ["1", "2", "3"]
    assert without != position
    assert without.key != position.key


def test_kalah_first_extra() -> None:
    """Without the first extra turn only the very first move of the game loses it."""
    assert mossa.game("kalah:6x4,first_extra=yes").position("3").side == mossa.Side.first
    game = mossa.game("kalah:6x4,first_extra=no")
    position = game.position("3")
    assert position.side == mossa.Side.second
    assert position.play("3").side == mossa.Side.second
    assert game.from_text(game.start().text).play("3").side == mossa.Side.second


def test_history_counts_from_the_set_up() -> None:
    game = mossa.game("connect4")
    text = "......./......./......./......./...o.../...x..."
    position = game.from_text(text).play("1").play("2")
    assert position.start_text == text
    assert position.history == ["1", "2"]
    assert position.ply == 2
    assert position == game.position("4412")
    assert position.history != game.position("4412").history


def test_repr_draws() -> None:
    for name in ("connect4", "gomoku", "kalah", "mnk:100x100x5"):
        position = mossa.game(name).start()
        position = position.play(position.moves[1])
        assert name in repr(position) or position.game.name in repr(position)
        assert repr(position) != repr(mossa.game(name).start())
        assert "<svg" in position._repr_svg_()


# --- errors in moves -----------------------------------------------------------------------------


def test_full_column_says_so() -> None:
    game = mossa.game("connect4")
    expected = (
        "illegal move '4' in connect:6x7x4 after '4 4 4 4 4 4': "
        "column 4 is full; legal: 1 2 3 5 6 7"
    )
    with pytest.raises(mossa.IllegalMoveError) as caught:
        game.position("444444").play("4")
    assert str(caught.value) == expected


ILLEGAL = [
    ("connect4", "", "9", ["'9'", "connect:6x7x4", "legal: 1 2 3 4 5 6 7"]),
    ("connect4", "44", "8", ["'8'", "after '4 4'"]),
    ("connect4", "1212121", "3", ["'3'", "after '1 2 1 2 1 2 1'", "over"]),
    ("tictactoe", "b2", "b2", ["'b2'", "mnk:3x3x3", "after 'b2'", "taken", "legal: a1 b1 c1 a2"]),
    ("tictactoe", "", "d1", ["'d1'", "mnk:3x3x3"]),
    ("tictactoe", "", "a4", ["'a4'"]),
    ("tictactoe", "a1 b1 a2 b2 a3", "c1", ["'c1'", "over"]),
    ("kalah", "1", "7", ["'7'", "kalah:6x4", "legal: 1 2 3 4 5 6"]),
    ("kalah", "3", "3", ["'3'", "after '3'", "empty", "legal: 1 2 4 5 6"]),
    ("kalah", "1", "swap", ["'swap'"]),
    ("kalah:6x4,swap=yes", "", "swap", ["'swap'"]),
    ("kalah:6x4,swap=yes", "1 1 3", "swap", ["'swap'"]),
    ("kalah:1x1", "1", "1", ["'1'", "over"]),
]


@pytest.mark.parametrize(("name", "moves", "move", "fragments"), ILLEGAL)
def test_illegal_move(name: str, moves: str, move: str, fragments: list[str]) -> None:
    game = mossa.game(name)
    position = game.position(moves)
    assert not position.is_legal(move)
    text = refusal(mossa.IllegalMoveError, lambda: position.play(move), *fragments)
    assert text.startswith("illegal move ")
    together = [*position.history, mossa.Move(move)]
    assert refusal(mossa.IllegalMoveError, lambda: game.position(together)) == text
    listed = " ".join(map(str, together))
    assert refusal(mossa.IllegalMoveError, lambda: game.position(listed)) == text


@pytest.mark.parametrize("text", ["", " ", "é", "4;5", "x", "4 4", "4\n", "\0", "-4", "4.5"])
@pytest.mark.parametrize("name", ["connect4", "tictactoe", "kalah"])
def test_not_a_move(name: str, text: str) -> None:
    position = mossa.game(name).start()
    message = refusal(mossa.InvalidMoveError, lambda: position.play(text))
    assert not text.isprintable() or repr(text) in message


@pytest.mark.parametrize(
    ("name", "move"),
    [
        ("connect4", "a1"),
        ("connect4", "swap"),
        ("connect4", "0"),
        ("tictactoe", "4"),
        ("tictactoe", "swap"),
        ("tictactoe", "a0"),
        ("kalah", "a1"),
        ("kalah", "0"),
    ],
)
def test_move_of_another_game(name: str, move: str) -> None:
    refusal(mossa.GameError, lambda: mossa.game(name).start().play(move), repr(move))


@pytest.mark.parametrize(
    ("name", "moves", "fragments"),
    [
        ("connect4", "44x3", ["x"]),
        ("connect4", "4;5", [";"]),
        ("connect4", "é", ["é"]),
        ("connect4", "4,5", [","]),
        ("connect4", "4 4 9", ["'9'", "after '4 4'"]),
        ("connect4", "4 a1", ["a1"]),
        ("connect:6x10x4", "4453", ["4453"]),
        ("tictactoe", "a1 b", ["'b'"]),
        ("tictactoe", "a1;b1", [";"]),
        ("kalah", "1 2 ?", ["?"]),
    ],
)
def test_stray_characters(name: str, moves: str, fragments: list[str]) -> None:
    refusal(mossa.GameError, lambda: mossa.game(name).position(moves), *fragments)


def test_long_input_stays_a_short_message() -> None:
    long = 10**6
    for name in ("connect4", "tictactoe", "kalah"):
        game = mossa.game(name)
        for moves in ("x" * long, "4" * long, "4 " * long, "a1 " * long, "é" * long, "." * long):
            text = refusal(mossa.GameError, lambda g=game, m=moves: g.position(m))  # type: ignore[misc]
            assert len(text) < 400
            refusal(mossa.InvalidMoveError, lambda m=moves: mossa.Move(m))  # type: ignore[misc]
            refusal(mossa.GameError, lambda g=game, m=moves: g.start().play(m))  # type: ignore[misc]
            refusal(mossa.InvalidPositionError, lambda g=game, m=moves: g.from_text(m))  # type: ignore[misc]


def test_many_legal_moves_stay_a_short_message() -> None:
    position = mossa.game("mnk:100x100x5").start().play("a1")
    refusal(mossa.IllegalMoveError, lambda: position.play("a1"), "'a1'", "taken", "legal: b1 c1")


# --- errors in board texts -----------------------------------------------------------------------

BAD_BOARDS = [
    # not a board of this size
    ("tictactoe", ""),
    ("tictactoe", "..."),
    ("tictactoe", ".../..."),
    ("tictactoe", ".../.../.../..."),
    ("tictactoe", ".../.../.."),
    ("tictactoe", ".../.../...."),
    ("tictactoe", ".../.../.../"),
    ("tictactoe", "......... "),
    ("tictactoe", ".../.../..x first"),
    ("tictactoe", "4,4,4,4,4,4,0/4,4,4,4,4,4,0 first"),
    # not a stone
    ("tictactoe", ".../.../..y"),
    ("tictactoe", ".../.../..é"),
    ("tictactoe", ".../.../..\0"),
    ("tictactoe", ".../.../..X"),
    # counts that no game has
    ("tictactoe", ".../.../..o"),
    ("tictactoe", ".../.../.xx"),
    ("tictactoe", ".../.oo/.ox"),
    ("connect4", "......./......./......./......./......./...xx.."),
    # two winners
    ("tictactoe", "xxx/.../ooo"),
    ("mnk:3x4x3", "xxxo/xooo/xo.."),
    # play after a win: first has its line, and second has moved since
    ("tictactoe", "xxx/oo./o.."),
    ("tictactoe", "ooo/xx./x.x"),
    ("connect4", "......./......./......./o....../ooo..../xxxx..."),
    # play after a win: first has two lines that no single last stone completes
    ("mnk:3x8x3", "oo.oo.o./......../xxx..xxx"),
    # stones in the air
    ("connect4", "......./......./......./......./...x.../......."),
    ("connect4", "......./......./......./...x.../......./...o..."),
    ("connect4", "x....../......./......./......./......./......o"),
    # kalah: not a board of this size
    ("kalah", ""),
    ("kalah", "first"),
    ("kalah", "4,4,4,4,4,4,0/4,4,4,4,4,4,0"),
    ("kalah", "4,4,4,4,4,4,0/4,4,4,4,4,4,0 third"),
    ("kalah", "4,4,4,4,4,4,0/4,4,4,4,4,4,0 first second"),
    ("kalah", "4,4,4,4,4,4,0 4,4,4,4,4,4,0 first"),
    ("kalah", "4,4,4,4,4,0/4,4,4,4,4,4,0 first"),
    ("kalah", "4,4,4,4,4,4,0,0/4,4,4,4,4,4,0 first"),
    ("kalah", "4,4,4,4,4,4,0/4,4,4,4,4,4,0/0 first"),
    ("kalah", ".../.../... first"),
    # kalah: not the seeds of this game
    ("kalah", "4,4,4,4,4,4,0/4,4,4,4,4,4,1 first"),
    ("kalah", "4,4,4,4,4,3,0/4,4,4,4,4,4,0 first"),
    ("kalah", "-4,4,4,4,4,4,8/4,4,4,4,4,4,0 first"),
    ("kalah", "4,4,4,4,4,4,-1/4,4,4,4,4,4,1 first"),
    ("kalah", "4,4,4,4,4,4,+0/4,4,4,4,4,4,0 first"),
    ("kalah", "4,4,4,4,4,4,/4,4,4,4,4,4,0 first"),
    ("kalah", "4,4,4,4,4,4,x/4,4,4,4,4,4,0 first"),
    ("kalah", "4,4,4,4,4,4,0.0/4,4,4,4,4,4,0 first"),
    ("kalah", "99999999999999999999,4,4,4,4,4,0/4,4,4,4,4,4,0 first"),
    ("kalah", "4294967300,4,4,4,4,4,0/4,4,4,4,4,4,0 first"),
    ("kalah", "18446744073709551620,4,4,4,4,4,0/4,4,4,4,4,4,0 first"),
    ("kalah", "260,4,4,4,4,4,0/4,4,4,4,4,4,0 first"),
    # kalah: a right that this game, or this side, does not have
    ("kalah", "0,5,5,5,5,4,0/4,4,4,4,4,4,0 second,swap"),
    ("kalah:6x4,swap=yes", "0,5,5,5,5,4,0/4,4,4,4,4,4,0 second,foo"),
]


@pytest.mark.parametrize(("name", "text"), BAD_BOARDS)
def test_bad_board(name: str, text: str) -> None:
    game = mossa.game(name)
    message = refusal(mossa.InvalidPositionError, lambda: game.from_text(text))
    if text.isprintable() and len(text) <= 60:
        assert repr(text) in message


@pytest.mark.parametrize("name", ["tictactoe", "connect:3x3x3", "kalah:2x2,swap=yes"])
@hypothesis.given(text=st.text("xo./0123, -firstecondwap", max_size=40) | st.text(max_size=20))
def test_any_text_as_a_board(name: str, text: str) -> None:
    """Whatever is given, the answer is a position or an InvalidPositionError in one line."""
    game = mossa.game(name)
    position = answer(mossa.InvalidPositionError, lambda: game.from_text(text))
    assert position is None or game.from_text(position.text) == position


@hypothesis.given(
    st.lists(st.sampled_from("xo."), min_size=9, max_size=9).map("".join),
)
def test_every_board_that_is_read_is_possible(flat: str) -> None:
    """Tic-tac-toe: a board is accepted exactly when a game can lead to it."""
    text = "/".join((flat[:3], flat[3:6], flat[6:]))
    lines = [flat[i : i + 3] for i in (0, 3, 6)] + [flat[i::3] for i in (0, 1, 2)]
    lines += [flat[0::4], flat[2:7:2]]
    surplus = flat.count("x") - flat.count("o")
    possible = (
        surplus in (0, 1)
        and not ("xxx" in lines and surplus != 1)
        and not ("ooo" in lines and surplus != 0)
    )
    if possible:
        assert mossa.game("tictactoe").from_text(text).text == text
    else:
        refusal(mossa.InvalidPositionError, lambda: mossa.game("tictactoe").from_text(text), text)
