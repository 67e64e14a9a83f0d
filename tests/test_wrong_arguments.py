"""What is called with the wrong thing says in one line which, and what it takes instead."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import mossa
from mossa.errors import described

CONNECT4 = mossa.game("connect4")
POSITION = CONNECT4.position("4455")
RECORD = mossa.Record.from_position(POSITION)
TWO = ["random:seed=1", "random:seed=2"]
ANY: Any = mossa  # calls of the wrong type are what this file is about

A_POSITION = "takes a Position, such as mossa.game('connect4').position('4455'), not"
A_MOVE = "takes a Move or its text, such as '1', not"
SOME_MOVES = "takes moves as a text, such as '1', or in a list, not"
A_GAME = "takes a Game, such as mossa.game('connect4'), not"

WRONG: dict[str, tuple[Callable[[], object], type[mossa.GameError], str]] = {
    "play a number": (
        lambda: ANY.game("connect4").start().play(4),
        mossa.InvalidMoveError,
        f"play() {A_MOVE} 4 (int)",
    ),
    "play several": (
        lambda: ANY.game("gomoku").start().play(["h8", "i9"]),
        mossa.InvalidMoveError,
        "play() takes a Move or its text, such as 'a1', not ['h8', 'i9'] (list)",
    ),
    "play half a character": (
        lambda: POSITION.play("\udc80"),
        mossa.InvalidMoveError,
        rf"play() {A_MOVE} '\udc80' (str)",
    ),
    "a number that might be legal": (
        lambda: ANY.game("connect4").start().is_legal(4),
        mossa.InvalidMoveError,
        f"is_legal() {A_MOVE} 4 (int)",
    ),
    "the source of nothing": (
        lambda: ANY.game("connect4").start().source(None),
        mossa.InvalidMoveError,
        f"source() {A_MOVE} None",
    ),
    "the target of a position": (
        lambda: ANY.game("connect4").start().target(POSITION),
        mossa.InvalidMoveError,
        f"target() {A_MOVE} a Position",
    ),
    "moves as a number": (
        lambda: ANY.game("connect4").position(44),
        mossa.InvalidMoveError,
        f"position() {SOME_MOVES} 44 (int)",
    ),
    "moves as bytes": (
        lambda: ANY.game("connect4").position(b"44"),
        mossa.InvalidMoveError,
        f"position() {SOME_MOVES} a bytes",
    ),
    "moves as numbers": (
        lambda: ANY.game("connect4").position([4, 4]),
        mossa.InvalidMoveError,
        f"position() {A_MOVE} 4 (int)",
    ),
    "after nothing": (
        lambda: ANY.game("connect4").start().after(None),
        mossa.InvalidMoveError,
        f"after() {SOME_MOVES} None",
    ),
    "split a number": (
        lambda: ANY.game("connect4").split_moves(44),
        mossa.InvalidMoveError,
        "split_moves() takes moves as a text, such as '1', not 44 (int)",
    ),
    "no board text": (
        lambda: ANY.game("connect4").from_text(None),
        mossa.InvalidPositionError,
        "from_text() takes a board text, as Position.text is, not None",
    ),
    "perft of less than nothing": (
        lambda: POSITION.perft(-1),
        mossa.GameError,
        "perft() takes a depth, a whole number from 0, not -1 (int)",
    ),
    "perft in letters": (
        lambda: ANY.game("connect4").start().perft("3"),
        mossa.GameError,
        "perft() takes a depth, a whole number from 0, not '3' (str)",
    ),
    "half a play-out": (
        lambda: ANY.game("connect4").start().play_outs(0.5),
        mossa.GameError,
        "play_outs() takes a number of games, a whole number from 0, not 0.5 (float)",
    ),
    "play-outs without a seed": (
        lambda: ANY.game("connect4").start().play_outs(1, seed=None),
        mossa.GameError,
        "play_outs() takes a seed, a whole number from 0, not None",
    ),
    "solve a text": (
        lambda: ANY.solve("4455"),
        mossa.InvalidPositionError,
        f"solve() {A_POSITION} '4455' (str)",
    ),
    "solve a game": (
        lambda: ANY.solve(CONNECT4),
        mossa.InvalidPositionError,
        f"solve() {A_POSITION} a Game",
    ),
    "solve many at once": (
        lambda: list(ANY.solve_many(POSITION)),
        mossa.InvalidPositionError,
        "solve_many() takes a list of Positions, not a Position",
    ),
    "solve many texts": (
        lambda: list(ANY.solve_many(["44"])),
        mossa.InvalidPositionError,
        f"solve_many() {A_POSITION} '44' (str)",
    ),
    "a solver of a name": (
        lambda: ANY.Solver("connect4"),
        mossa.InvalidGameError,
        f"Solver() {A_GAME} 'connect4' (str)",
    ),
    "a solver of texts": (
        lambda: ANY.Solver(CONNECT4).solve("44"),
        mossa.InvalidPositionError,
        f"Solver.solve() {A_POSITION} '44' (str)",
    ),
    "analyse nothing": (
        lambda: ANY.analyse(None),
        mossa.InvalidPositionError,
        f"analyse() {A_POSITION} None",
    ),
    "review a position": (
        lambda: ANY.review(POSITION),
        mossa.InvalidRecordError,
        "review() takes a Record, such as mossa.Record.from_position(position), not a Position",
    ),
    "trace a text": (
        lambda: ANY.trace_search("44", "alphabeta"),
        mossa.InvalidPositionError,
        f"trace_search() {A_POSITION} '44' (str)",
    ),
    "evaluate a text": (
        lambda: ANY.evaluate("44"),
        mossa.InvalidPositionError,
        f"evaluate() {A_POSITION} '44' (str)",
    ),
    "candidates of a text": (
        lambda: ANY.candidates("44"),
        mossa.InvalidPositionError,
        f"candidates() {A_POSITION} '44' (str)",
    ),
    "alignments of a text": (
        lambda: ANY.Alignments("44"),
        mossa.InvalidPositionError,
        f"Alignments() {A_POSITION} '44' (str)",
    ),
    "threats of a number": (
        lambda: ANY.threats(mossa.game("gomoku").start(), 5),
        mossa.InvalidMoveError,
        "threats() takes a Move or its text, such as 'h8', not 5 (int)",
    ),
    "threats in a text": (
        lambda: ANY.threats("h8", "h9"),
        mossa.InvalidPositionError,
        f"threats() {A_POSITION} 'h8' (str)",
    ),
    "a search of a name": (
        lambda: ANY.Search("connect4", "alphabeta"),
        mossa.InvalidGameError,
        f"Search() {A_GAME} 'connect4' (str)",
    ),
    "a search of a text": (
        lambda: ANY.Search(CONNECT4, "minimax").run("44", mossa.Limits(depth=1)),
        mossa.InvalidPositionError,
        f"Search.run() {A_POSITION} '44' (str)",
    ),
    "a search for a number": (
        lambda: ANY.Search(CONNECT4, "minimax").run(POSITION, 5),
        mossa.GameError,
        "Search.run() takes Limits, such as mossa.Limits(time=1), not 5 (int)",
    ),
    "a player and a text": (
        lambda: ANY.player("alphabeta:depth=1").choose("44"),
        mossa.InvalidPositionError,
        f"choose() {A_POSITION} '44' (str)",
    ),
    "a random player and a game": (
        lambda: ANY.player("random").choose(CONNECT4),
        mossa.InvalidPositionError,
        f"choose() {A_POSITION} a Game",
    ),
    "an engine and a text": (
        lambda: ANY.player("engine").choose("44"),
        mossa.InvalidPositionError,
        f"choose() {A_POSITION} '44' (str)",
    ),
    "a player and a number": (
        lambda: ANY.player("alphabeta:depth=1").choose(POSITION, 3),
        mossa.GameError,
        "choose() takes Limits, such as mossa.Limits(time=1), not 3 (int)",
    ),
    "a number for a game": (
        lambda: ANY.game(5),
        mossa.InvalidGameError,
        "game() takes a name, such as 'connect4', not 5 (int)",
    ),
    "a match at a number": (
        lambda: ANY.match("random", "random", 5),
        mossa.InvalidGameError,
        "game() takes a name, such as 'connect4', not 5 (int)",
    ),
    "a tournament at a text": (
        lambda: ANY.tournament(TWO, "connect4"),
        mossa.InvalidTournamentError,
        "tournament() takes a list of games, such as ['connect4'], not 'connect4' (str)",
    ),
    "a tournament of a text": (
        lambda: ANY.tournament("random", ["connect4"]),
        mossa.InvalidTournamentError,
        "tournament() takes a list of players, such as ['random', 'level:3'], not 'random' (str)",
    ),
    "a tournament of nobody": (
        lambda: ANY.tournament(None, ["connect4"]),
        mossa.InvalidTournamentError,
        "tournament() takes a list of players, such as ['random', 'level:3'], not None",
    ),
    "a tournament at a number": (
        lambda: ANY.tournament(TWO, [5]),
        mossa.InvalidGameError,
        "game() takes a name, such as 'connect4', not 5 (int)",
    ),
    "rounds in letters": (
        lambda: ANY.tournament(TWO, ["connect4"], rounds="2"),
        mossa.InvalidTournamentError,
        "invalid rounds '2' (str): a whole number, 1 to 1000000",
    ),
    "time in letters": (
        lambda: ANY.tournament(TWO, ["connect4"], time="1"),
        mossa.InvalidClockError,
        "invalid time '1' (str): a number of seconds",
    ),
    "a record of a name": (
        lambda: ANY.Record("connect4", ("4",)),
        mossa.InvalidGameError,
        f"Record() {A_GAME} 'connect4' (str)",
    ),
    "a record from a game": (
        lambda: ANY.Record.from_position(CONNECT4),
        mossa.InvalidPositionError,
        f"Record.from_position() {A_POSITION} a Game",
    ),
    "write one record": (
        lambda: ANY.write_records("game.mossa", RECORD),
        mossa.InvalidRecordError,
        "write_records() takes a list of Records, not a Record",
    ),
    "write a position": (
        lambda: ANY.write_records("game.mossa", [POSITION]),
        mossa.InvalidRecordError,
        "write_records() takes a Record, such as mossa.Record.from_position(position), "
        "not a Position",
    ),
    "study a name": (
        lambda: ANY.study_opening("connect4", 3, "x.study", time=1),
        mossa.InvalidGameError,
        f"study_opening() {A_GAME} 'connect4' (str)",
    ),
    "a book of a name": (
        lambda: ANY.build_book("connect4", 3, "x.book"),
        mossa.InvalidGameError,
        f"build_book() {A_GAME} 'connect4' (str)",
    ),
    "tables of a name": (
        lambda: ANY.build_tables("kalah:3x3", 3, "x.tables"),
        mossa.InvalidGameError,
        f"build_tables() {A_GAME} 'kalah:3x3' (str)",
    ),
    "the study of a name": (
        lambda: ANY.Study.find("kalah"),
        mossa.InvalidGameError,
        f"Study.find() {A_GAME} 'kalah' (str)",
    ),
    "the book of a name": (
        lambda: ANY.Book.shipped("connect4"),
        mossa.InvalidGameError,
        f"Book.shipped() {A_GAME} 'connect4' (str)",
    ),
    "the tables of a name": (
        lambda: ANY.Tables.find("kalah"),
        mossa.InvalidGameError,
        f"Tables.find() {A_GAME} 'kalah' (str)",
    ),
    "the network of a name": (
        lambda: ANY.Network.shipped("gomoku"),
        mossa.InvalidGameError,
        f"Network.shipped() {A_GAME} 'gomoku' (str)",
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_argument_is_told_by_name(what: str) -> None:
    call, error, message = WRONG[what]
    with pytest.raises(error) as caught:
        call()
    assert str(caught.value) == message


def test_moves_may_be_texts_or_moves_or_both() -> None:
    assert CONNECT4.position(["4", mossa.Move("4")]).after(iter("55")) == POSITION
    assert POSITION.target("1") == POSITION.target(mossa.Move("1")) == (0, 0)


def test_an_error_of_what_gives_the_moves_is_not_ours() -> None:
    with pytest.raises(ZeroDivisionError):
        CONNECT4.position(str(1 // number) for number in (1, 0))


def test_a_tournament_takes_games_as_well_as_their_names() -> None:
    rules = mossa.game("tictactoe")
    assert mossa.tournament(TWO, [rules, "tictactoe"]).plan.games == (rules.name,)


class Nasty:
    def __repr__(self) -> str:
        raise RuntimeError("no repr")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (None, "None"),
        (True, "True (bool)"),
        (2.5, "2.5 (float)"),
        ([1, 2], "[1, 2] (list)"),
        (POSITION, "a Position"),
        (Nasty(), "a Nasty"),
        (mossa.Alignments(POSITION), "an Alignments"),
        (10**10_000, "something (int)"),
        ("line\nline", r"'line\nline' (str)"),
    ],
    ids=["none", "bool", "float", "list", "position", "no repr", "vowel", "digits", "lines"],
)
def test_what_was_given_is_described_in_one_line(given: object, said: str) -> None:
    assert described(given) == said


def test_what_was_given_stays_short() -> None:
    assert len(described("x" * 100_000)) < 100
    assert len(described(list(range(100_000)))) < 100


# --- players without limits -----------------------------------------------------------------------


def choose_first(position: mossa.Position) -> mossa.Move:
    return position.moves[0]


class Minimal:
    name = "minimal"

    def choose(self, position: mossa.Position, limits: mossa.Limits) -> mossa.Choice:
        assert limits == mossa.Limits()
        return mossa.Choice(position.moves[-1])


@pytest.mark.parametrize(
    "given",
    ["random", "alphabeta:depth=2", "mcts:iterations=10", "level:1", "tris", "engine:time=0.01"],
)
def test_a_player_chooses_without_limits(given: str) -> None:
    position = mossa.game("tictactoe").position("b2 a1 c1")
    assert mossa.player(given).choose(position).move in position.moves


@pytest.mark.parametrize("given", [choose_first, Minimal()])
def test_code_of_other_people_chooses_without_limits(given: Any) -> None:
    position = mossa.game("tictactoe").start()
    assert mossa.player(given).choose(position).move in position.moves
