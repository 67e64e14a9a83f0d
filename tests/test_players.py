"""Players: named by a text, made from functions and objects, with the abilities they declare."""

from __future__ import annotations

import io
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from player_checks import play_game
from rich.console import Console

import mossa
from mossa import (
    Choice,
    Estimate,
    Exact,
    Game,
    GameError,
    Info,
    InvalidPlayerError,
    Limits,
    Move,
    Position,
    StopToken,
    terminal,
)
from mossa.games import KINDS, example_of
from mossa.players import player_kinds
from mossa.players.levels import ABILITIES
from mossa.protocols import serve
from mossa.search import NO_LIMITS, SEARCHES

CONNECT4 = mossa.game("connect4")


# --- names and specs ------------------------------------------------------------------------------


SPECS = [
    "human",
    "random",
    "random:seed=1",
    "alphabeta",
    "alphabeta:depth=6",
    "alphabeta:time=0.5,depth=6,nodes=90",
    "alphabeta:depth=8,order=centre,width=10,table=off",
    "minimax:hands=2",
    "gametree:depth=3",
    "mcts:iterations=100,c=0.7,seed=3",
]


@pytest.mark.parametrize("spec", SPECS)
def test_a_player_is_named_as_it_was_asked_for(spec: str) -> None:
    assert mossa.player(spec).name == spec
    assert mossa.player(f" {spec} ").name == spec


@pytest.mark.parametrize("spec", SPECS[1:])
def test_every_spec_plays(spec: str) -> None:
    for name in ("connect:4x4x3", "tictactoe", "kalah:3x2"):
        start = mossa.game(name).start()
        choice = mossa.player(spec).choose(start, Limits(nodes=500))
        assert start.is_legal(choice.move)


def test_every_search_is_a_player() -> None:
    assert player_kinds().keys() >= {"human", "random", *SEARCHES}
    for name in SEARCHES:
        start = mossa.game("connect4" if name == "gravity" else "tictactoe").start()
        choice = mossa.player(f"{name}:nodes=100").choose(start, NO_LIMITS)
        assert start.is_legal(choice.move)


def test_a_player_is_taken_as_it_is() -> None:
    player = mossa.player("random")
    assert mossa.player(player) is player


@pytest.mark.parametrize(
    ("spec", "parts"),
    [
        ("", ["''", "human", "random", "alphabeta"]),
        (":", ["':'"]),
        ("chess", ["'chess'", "human", "random", "alphabeta"]),
        ("alphbeta", ["'alphbeta'", "did you mean 'alphabeta'?"]),
        ("Random", ["'Random'", "did you mean 'random'?"]),
        ("alphabeta:dept=3", ["'dept'", "did you mean 'depth'?", "alphabeta takes"]),
        ("alphabeta:seed=3", ["'seed'", "alphabeta takes", "depth", "nodes", "time"]),
        ("random:depth=3", ["'depth'", "random takes seed"]),
        ("human:time=3", ["'time'", "human takes no options"]),
        ("alphabeta:depth", ["'depth'", "a whole number"]),
        ("alphabeta:depth=", ["'depth'", "a whole number"]),
        ("alphabeta:depth=x", ["'x'", "'depth'", "a whole number"]),
        ("alphabeta:depth=2.5", ["'2.5'", "'depth'", "a whole number"]),
        ("alphabeta:depth=3,depth=4", ["'depth'", "twice"]),
        ("alphabeta:depth=0", ["'alphabeta:depth=0'", "'depth'", "1 to 10000"]),
        ("alphabeta:depth=-1", ["'-1'", "1 to 10000"]),
        ("alphabeta:depth=99999999999999999999", ["99999999999999999999", "1 to 10000"]),
        ("alphabeta:nodes=0", ["'0'", "'nodes'"]),
        ("alphabeta:time=nan", ["'nan'", "'time'", "a number"]),
        ("alphabeta:time=inf", ["'inf'", "'time'", "a number"]),
        ("alphabeta:time=-1", ["'-1'", "'time'", "a number"]),
        ("alphabeta:table=maybe", ["'maybe'", "on, off"]),
        ("alphabeta:forget=on", ["forget=on", "pvs"]),
        ("random:seed=one", ["'one'", "'seed'", "a whole number"]),
        ("random:seed=1e400", ["'1e400'", "'seed'"]),
        ("ran\ndom", [r"'ran\ndom'", "did you mean 'random'?"]),
        pytest.param("x" * 100_000, ["(100000 characters)"], id="long-name"),
        pytest.param("alphabeta:" + "x" * 100_000, ["(100000 characters)"], id="long-option"),
        pytest.param("alphabeta:depth=" + "9" * 100_000, ["(100000 characters)"], id="long-value"),
    ],
)
def test_a_spec_that_names_no_player(spec: str, parts: list[str]) -> None:
    with pytest.raises(InvalidPlayerError) as error:
        mossa.player(spec)
    message = str(error.value)
    for part in parts:
        assert part in message
    assert "\n" not in message
    assert len(message) < 700


@pytest.mark.parametrize("seed", ["1000", "1e3"])
def test_a_number_may_be_written_in_any_way_that_is_accepted(seed: str) -> None:
    choice = mossa.player(f"random:seed={seed}").choose(CONNECT4.start(), NO_LIMITS)
    assert choice == mossa.player("random:seed=1000").choose(CONNECT4.start(), NO_LIMITS)


def test_an_invalid_player_is_a_game_error_and_a_value_error() -> None:
    assert issubclass(InvalidPlayerError, GameError)
    assert issubclass(InvalidPlayerError, ValueError)


@pytest.mark.parametrize("spec", [None, 3, ["random"]])
def test_what_is_neither_a_text_nor_a_player_is_refused_at_once(spec: object) -> None:
    with pytest.raises((TypeError, InvalidPlayerError)):
        mossa.player(spec)  # type: ignore[arg-type]


# --- random ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["connect4", "gomoku", "kalah"])
def test_the_same_seed_plays_the_same_game(name: str) -> None:
    game = mossa.game(name)
    games = [
        play_game(game, mossa.player(f"random:seed={seed}"), mossa.player("random:seed=9")).history
        for seed in (1, 1, 2)
    ]
    assert games[0] == games[1]
    assert games[0] != games[2]


def test_without_a_seed_games_differ() -> None:
    player = mossa.player("random")
    games = {
        play_game(mossa.game("gomoku"), player, mossa.player("random")).history_text
        for _ in range(3)
    }
    assert len(games) == 3


def test_random_plays_every_legal_move_and_none_more_than_its_share() -> None:
    position = CONNECT4.position("444444")
    player = mossa.player("random:seed=1")
    counts = Counter(str(player.choose(position, NO_LIMITS).move) for _ in range(1200))
    assert set(counts) == {"1", "2", "3", "5", "6", "7"}
    assert all(120 < count < 280 for count in counts.values())  # 200 is fair, sigma is 13


def test_random_ignores_the_limits_and_knows_nothing_of_its_move() -> None:
    choice = mossa.player("random").choose(CONNECT4.start(), Limits(time=0))
    assert choice.info is None


@pytest.mark.parametrize("spec", ["random", "alphabeta:depth=2"])
def test_a_finished_game_has_no_move_to_choose(spec: str) -> None:
    with pytest.raises(GameError):
        mossa.player(spec).choose(CONNECT4.position("4141414"), NO_LIMITS)


# --- functions ------------------------------------------------------------------------------------


def middle(position: Position) -> Move:
    return position.moves[len(position.moves) // 2]


def first_as_text(position: Position) -> str:
    return str(position.moves[0])


def test_a_function_is_a_player() -> None:
    one, other = mossa.player(middle), mossa.player(first_as_text)
    assert (one.name, other.name) == ("middle", "first_as_text")
    assert one.choose(CONNECT4.start(), NO_LIMITS) == Choice(Move("4"))
    assert other.choose(CONNECT4.start(), NO_LIMITS) == Choice(Move("1"))
    for name in ("connect4", "tictactoe", "kalah"):
        assert play_game(mossa.game(name), one, other).outcome is not None


def test_a_callable_without_a_name_is_a_player_too() -> None:
    class Last:
        def __call__(self, position: Position) -> Move:
            return position.moves[-1]

    player = mossa.player(Last())
    assert player.name == "function"
    assert player.choose(CONNECT4.start(), NO_LIMITS).move == "7"


def test_a_function_that_answers_no_move_is_an_error() -> None:
    def wrong(position: Position) -> str:
        return "four"

    with pytest.raises(mossa.PlayerFailedError, match="invalid move 'four'") as error:
        mossa.player(wrong).choose(CONNECT4.start(), NO_LIMITS)
    assert error.value.kind == "illegal"


class Whole:
    """A whole number that is no int, as NumPy has them."""

    def __init__(self, number: int) -> None:
        self._number = number

    def __index__(self) -> int:
        return self._number


@pytest.mark.parametrize("answer", [Move("4"), "4", 4, Whole(4), Choice(Move("4"))])
def test_a_function_may_answer_a_move_its_text_or_its_number(answer: Any) -> None:
    choice = mossa.player(lambda position: answer).choose(CONNECT4.start(), NO_LIMITS)
    assert choice == Choice(Move("4"))


@pytest.mark.parametrize(
    ("answer", "what"),
    [
        (None, "returned None (is a return statement missing?), which is not a move"),
        (True, "returned True (bool), which is not a move"),
        (4.0, "returned 4.0 (float), which is not a move"),
        ((1, 2), "returned (1, 2) (tuple), which is not a move"),
        pytest.param(10**5000, "(int), which is not a move", id="huge"),
        ("x" * 5000, "(5000 characters)"),
    ],
)
def test_what_is_not_a_move_is_answered_by_what_to_return(answer: Any, what: str) -> None:
    for name, forms in (
        ("connect4", "or its text, such as '1', or its number, such as 1"),
        ("kalah,swap=yes", "or its text, such as '1', or its number, such as 1"),
        ("tictactoe", "or its text, such as 'a1'"),
    ):
        with pytest.raises(mossa.PlayerFailedError) as error:
            mossa.player(lambda position: answer).choose(mossa.game(name).start(), NO_LIMITS)
        assert what in error.value.reason
        assert len(error.value.reason) < 300
        if not isinstance(answer, str):
            assert error.value.kind == "output"
            assert error.value.reason.endswith(f"return one of position.moves, {forms}")


def test_a_number_is_not_a_move_where_moves_are_cells() -> None:
    with pytest.raises(mossa.PlayerFailedError, match=r"returned 4 \(int\), which is not a move"):
        mossa.player(lambda position: 4).choose(mossa.game("tictactoe").start(), NO_LIMITS)


def test_an_object_with_choose_is_a_player() -> None:
    class Careful:
        name = "careful"

        def choose(self, position: Position, limits: Limits) -> Choice:
            return Choice(position.moves[0])

    careful = mossa.player(Careful())
    assert isinstance(careful, mossa.Player)
    assert careful.name == "careful"
    start = CONNECT4.start()
    assert careful.choose(start, NO_LIMITS) == careful.ask(start, NO_LIMITS) == Choice(Move("1"))
    with pytest.raises(mossa.InvalidPlayerError, match=r"Careful is a class.*: .*Careful\(\)"):
        mossa.player(Careful)  # type: ignore[arg-type]


# --- abilities ------------------------------------------------------------------------------------


class Bare:
    """The least that is a player: a name, and the first legal move."""

    name = "bare"

    def choose(self, position: Position, limits: Limits) -> Choice:
        return Choice(position.moves[0])


def test_a_name_and_choose_are_enough_everywhere(tmp_path: Path) -> None:
    game = mossa.game("tictactoe")
    record = mossa.match(Bare(), mossa.player(Bare()), game)
    assert (record.first, record.result, "forfeit" in record.extra) == ("bare", "1-0", False)

    report = mossa.tournament({"one": Bare(), "two": "random"}, ["tictactoe"])
    assert {row["player"] for row in report.standings} == {"one", "two"}

    output = io.StringIO()
    played = terminal.play(game, Bare(), Bare(), console=Console(file=output))
    assert played.outcome is not None
    assert "bare against second (o) bare" in output.getvalue()

    with pytest.raises(mossa.InvalidPlayerError, match="player 'bare' does not report scores"):
        list(mossa.analyse(game.start(), player=Bare(), depth=1))

    path = tmp_path / "bare.py"
    path.write_text(
        "import mossa\n"
        "class Bare:\n"
        "    name = 'bare'\n"
        "    def choose(self, position, limits):\n"
        "        return mossa.Choice(position.moves[0])\n"
    )
    said: list[str] = []
    # A question, unlike quit, waits for the answer to the one before.
    asked = ["ugi", "setoption name game value tictactoe", "go", "query gameover"]
    serve(f"{path}:Bare", asked, said.append)
    assert "bestmove a1" in said


def test_what_a_bare_player_cannot_do_is_no_error() -> None:
    bare, game = mossa.player(Bare()), mossa.game("tictactoe")
    assert not (bare.keeps_time or bare.is_person or bare.protocol)
    assert bare.plays(game)
    assert bare.prove(game.start(), NO_LIMITS) is None
    assert bare.width(game) is None
    bare.prepare(game)
    bare.warm_up(game)
    told: list[Info] = []
    choice = bare.ask(game.start(), NO_LIMITS, report=told.append, stop=StopToken())
    assert (choice, told) == (Choice(Move("a1")), [])
    bare.close()


def test_an_object_declares_what_it_can_do() -> None:
    class Able(Bare):
        keeps_time = True
        pondering = True

        def plays(self, game: Game) -> bool:
            return game.traits.falls

        def width(self, game: Game) -> int:
            return 5

        def stop_pondering(self) -> None:
            self.pondering = False

    able = Able()
    wrapped = mossa.player(able)
    assert wrapped.keeps_time
    assert wrapped.width(CONNECT4) == 5
    assert wrapped.plays(CONNECT4)
    with pytest.raises(mossa.InvalidPlayerError, match="bare does not play kalah:6x4"):
        wrapped.check_game(mossa.game("kalah"))
    wrapped.close()
    assert not able.pondering


def test_a_player_without_a_name_is_refused() -> None:
    class Nameless(mossa.Player):
        def choose(self, position: Position, limits: Limits = NO_LIMITS) -> Choice:
            return Choice(position.moves[0])

    with pytest.raises(mossa.InvalidPlayerError, match="a Nameless is not a player yet"):
        mossa.match(Nameless(), "random", "tictactoe")


def test_a_player_of_your_own_may_prove_scores() -> None:
    class Seer(mossa.Player):
        name = "seer"

        def choose(self, position: Position, limits: Limits = NO_LIMITS) -> Choice:
            move = position.moves[0]
            return Choice(move, Info(move, Estimate(0.0), [move], 1, 1, 0.0, 0))

        def prove(
            self, position: Position, limits: Limits, *, stop: StopToken | None = None
        ) -> Info:
            move = position.moves[-1]
            return Info(move, Exact(1, 9), [move], 9, 1, 0.0, 0)

    *_, last = mossa.analyse(CONNECT4.start(), player=Seer(), time=0.5, depth=1)
    assert (last.move, last.score) == (Move("7"), Exact(1, 9))


@pytest.mark.parametrize(
    ("spec", "games"),
    [
        ("random", ["mnk", "connect", "kalah", "breakthrough"]),
        ("alphabeta", ["mnk", "connect", "kalah", "breakthrough"]),
        ("engine", ["mnk", "connect", "kalah", "breakthrough"]),
        ("level:5", ["mnk", "connect", "kalah", "breakthrough"]),
        ("threats", ["mnk"]),
        ("gravity", ["connect"]),
        ("alphabeta:order=store", ["kalah"]),
        ("alphabeta:order=priority", ["mnk", "connect"]),
        ("tree", ["mnk"]),
        ("pojam", ["connect"]),
        ("bantumi", ["kalah"]),
        ("gomocup:brain", ["mnk"]),
    ],
)
def test_players_say_which_games_they_play(spec: str, games: list[str]) -> None:
    player = mossa.player(spec)
    known = {
        kind: mossa.game(example_of(kind)) for kind in ("mnk", "connect", "kalah", "breakthrough")
    }
    assert [kind for kind, game in known.items() if player.plays(game)] == games
    for kind in known.keys() - set(games):
        with pytest.raises(mossa.InvalidPlayerError):
            player.check_game(known[kind])


def test_every_player_that_plays_a_game_finishes_it() -> None:
    """On every game there is, those that nobody has thought of here too."""
    specs = [*SEARCHES, "engine", *(f"level:{level}" for level in range(1, len(ABILITIES) + 1))]
    for kind in KINDS:
        game = mossa.game(example_of(kind))
        for spec in specs:
            player = mossa.player(spec)
            if not player.plays(game):
                continue
            limits = Limits(nodes=300, time=0.05)
            position = play_game(game, player, mossa.player("random:seed=1"), limits)
            assert position.outcome is not None, (kind, spec)


# --- human ----------------------------------------------------------------------------------------


def test_a_person_is_asked_until_the_move_is_legal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("four\n9\n 4 \n"))
    choice = mossa.player("human").choose(CONNECT4.start(), NO_LIMITS)
    assert choice == Choice(Move("4"))
    output = capsys.readouterr().out
    assert "invalid move 'four'" in output
    assert "illegal move '9'" in output
    assert output.count("first to move> ") == 3
