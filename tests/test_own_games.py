"""Games written in Python: played, analysed and solved like ours, or refused in one line."""

from __future__ import annotations

import json
import pickle
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from command import call, complaint, good
from laws import python_games
from own_games import GAMES, odd, written

import mossa
from mossa import BrokenGameError, Exact, GameError, Limits, watch
from mossa import python_games as own
from mossa.code_files import from_file

ROOT = Path(__file__).parents[1]
MISERE = f"{ROOT / 'examples' / 'misere_tictactoe.py'}:Misere"


@pytest.fixture
def nim(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with small games in it."""
    monkeypatch.chdir(tmp_path)
    with written(tmp_path):
        yield tmp_path


def test_misere_tictactoe_is_played_to_its_end() -> None:
    record = mossa.match("alphabeta:depth=9", "random:seed=2", MISERE)
    assert record.game.name == MISERE
    assert record.position.outcome is not None
    assert record.result in ("1-0", "1/2")
    scores = record.extra["scores"]
    assert isinstance(scores, list) and scores[0]["text"] == "0"


def test_misere_tictactoe_obeys_the_laws() -> None:
    import misere_tictactoe

    for seed in range(5):
        python_games.check(misere_tictactoe.Misere, seed=seed)


@pytest.mark.parametrize("player", ["nim.py:first", "nim.py:number", "minimax:depth=2"])
def test_python_functions_and_searches_play(nim: Path, player: str) -> None:
    record = mossa.match(player, "random:seed=1", "nim.py:Nim")
    assert "forfeit" not in record.extra, record.extra["end"]
    assert sum(map(int, map(str, record.moves))) == 6


def test_an_illegal_move_forfeits(nim: Path) -> None:
    record = mossa.match("nim.py:cheat", "random", "nim.py:Nim")
    assert record.result == "0-1"
    assert record.extra["end"] == (
        "first made an illegal move: illegal move '7' in 'nim.py:Nim': legal: 1 2 3"
    )


def test_moves_before_the_players_begin(nim: Path) -> None:
    record = mossa.match("random", "random", "nim.py:Nim", opening="3 2")
    assert [str(move) for move in record.moves[:2]] == ["3", "2"]
    assert record.result == "1-0"
    with pytest.raises(
        GameError, match=r"illegal move '9' in 'nim\.py:Nim' after '3': legal: 1 2 3"
    ):
        mossa.match("random", "random", "nim.py:Nim", opening="3 9")
    with pytest.raises(GameError, match=r"illegal move '1' .*: the game is over \(second wins by"):
        mossa.match("random", "random", "nim.py:Nim", opening="3 3 1")


def test_the_command_shows_the_position_as_the_game_writes_it(nim: Path) -> None:
    name = odd("def __str__(self): return f'{self.heap} left'")
    shown = good(call("match", "alphabeta:depth=6", "random:seed=1", name))
    assert shown.startswith("0 left\n")
    assert shown.splitlines()[-1] == "1-0: by the rules of the game"
    record = json.loads(good(call("match", "random:seed=1", "random:seed=2", name, "--json")))
    assert record["game"] == name


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("none.py:Nim", "cannot load game 'none.py:Nim': there is no file 'none.py'"),
        ("nim.py:Nimm", "no 'Nimm' in 'nim.py': did you mean 'Nim'? there are Nim, first"),
        ("nim.py:first", "'nim.py:first' does not start: TypeError"),
        ("nim.py:__name__", "'nim.py:__name__' is not a game: expected a class or a function"),
        ("bad.py:Nim", "cannot load game 'bad.py:Nim': SyntaxError"),
        ("exit.py:Nim", "'exit.py' ends with sys.exit(3)"),
        (
            "text.py:Text",
            "'text.py:Text' is not a game: a position has side, moves, play, outcome, ",
        ),
    ],
)
def test_what_is_no_game(nim: Path, name: str, said: str) -> None:
    Path("bad.py").write_text("class Nim(\n")
    Path("exit.py").write_text("raise SystemExit(3)\n")
    Path("text.py").write_text("class Text(str):\n    side = 0\n")
    assert complaint(call("match", "random", "random", name)).startswith(said)


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (
            ["def play(self, move): return 1 / 0"],
            r"'odd.py:Odd' fails: play\(\d\): odd.py:\d+: ZeroDiv",
        ),
        (["def __init__(self, *a): super().__init__(*a); self.side = 2"], "side is '2'; it must"),
        (
            ["def __init__(self, *a): super().__init__(*a); self.moves = []"],
            "moves: there are none, and no out",
        ),
        (["def __init__(self, *a): super().__init__(*a); self.moves = [1, 1]"], "the same text"),
        (["def __init__(self, *a): super().__init__(*a); self.moves = ['a b']"], "blanks"),
        (
            ["def __init__(self, *a): super().__init__(*a); self.outcome = 'x'"],
            "outcome is \"'x'\"",
        ),
        (["def __init__(self, *a): super().__init__(*a); self.outcome = float('nan')"], "'nan'"),
        (["def __init__(self, *a): super().__init__(*a); self.outcome = 1"], "over before it beg"),
        (["def play(self, move): return None"], "'NoneType' object has no attribute"),
    ],
)
def test_a_game_that_is_broken_is_to_blame_and_no_player(
    nim: Path, lines: list[str], said: str
) -> None:
    name = odd(*lines)
    for player in ("random:seed=1", "nim.py:first", "alphabeta:depth=3"):
        with pytest.raises(mossa.InvalidGameError, match=said):
            mossa.match(player, "random:seed=2", name)


def test_a_game_without_an_end_is_broken(nim: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own, "MOST_PLIES", 50)
    name = odd("def play(self, move): return self")
    with pytest.raises(mossa.InvalidGameError, match="moves: it goes on for more than 50 of them"):
        mossa.match("random:seed=1", "random:seed=2", name)


@pytest.mark.parametrize(
    ("player", "said"),
    [
        (
            "ugi:./bot",
            "ugi:./bot does not play games written in Python: searches, levels, engine, human, "
            "random and Python functions do",
        ),
        ("tree", "tree plays mnk, not nim.py:Nim"),
        ("bantumi", "bantumi plays kalah and oware, not nim.py:Nim"),
        ("threats", "threats is for mnk only: in no other game may a stone go on any cell"),
        ("alphabeta:threads=2", "a game in Python is searched by one thread"),
        ("alphabeta:evaluate=net", "evaluate=net needs a network for nim.py:Nim: give net=FILE"),
    ],
)
def test_players_that_need_a_game_of_the_core(nim: Path, player: str, said: str) -> None:
    assert complaint(call("match", player, "random", "nim.py:Nim")).startswith(said)


# ---------------------------------------------------------------- a game like any other


@pytest.mark.parametrize("name", GAMES)
def test_all_that_is_asked_of_a_position_is_there(nim: Path, name: str) -> None:
    """What the core's class has: only then may it stand wherever that one stands."""
    game = mossa.game(name)
    ours = mossa.game("connect4")
    for mine, theirs in ((game, ours), (game.start(), ours.start())):
        assert {each for each in dir(theirs) if each[0] != "_"} <= set(dir(mine))
    assert {each for each in dir(ours.traits) if each[0] != "_"} <= set(dir(game.traits))
    rng = random.Random(1)
    position = game.start()
    while position.outcome is None:
        assert position == game.position(position.history_text)
        assert pickle.loads(pickle.dumps(position)) == position
        assert all(map(position.is_legal, position.moves))
        position = position.play(rng.choice(position.moves))
    assert position.moves == []
    assert position != game.start()


def test_counting(nim: Path) -> None:
    start = mossa.game("nim.py:Nim").start()
    assert [start.perft(depth) for depth in range(8)] == [1, 3, 9, 17, 15, 6, 1, 0]
    assert start.count_states() == 12  # 6 first; 5 to 0 either side, but 5 not first
    assert sum(start.play_outs(50)) == 50
    with pytest.raises(GameError, match="more than 5 positions can be reached in nim"):
        start.count_states(limit=5)
    shown = good(call("perft", "nim.py:Nim", "3"))
    assert shown.splitlines()[-1].split()[:2] == ["3", "17"]
    assert "12" in good(call("perft", "nim.py:Nim", "--states"))


def test_a_class_or_a_position_is_a_game_too(nim: Path) -> None:
    nim_class = from_file("nim.py:Nim", "game", GameError)
    assert mossa.game(nim_class).name == "nim.py:Nim"
    assert mossa.match("random:seed=1", "alphabeta:depth=6", nim_class).result in ("1-0", "0-1")
    seven = nim_class(7)
    assert mossa.solve(seven).score == Exact(1)
    assert str(mossa.solve(seven).move) == "3"
    *_, last = mossa.analyse(nim_class, depth=6)
    assert (str(last.move), last.score.value) == ("2", 1)
    record = mossa.match("alphabeta:depth=9", "random:seed=1", seven)
    assert record.game.name == "Nim" and record.result == "1-0"
    with pytest.raises(GameError, match="Nim is known in this process only"):
        pickle.dumps(record.game)
    with pytest.raises(GameError, match=r"game\(\) takes a name, such as 'connect4', not 3"):
        mossa.game(3)  # type: ignore[arg-type]


def test_a_class_that_is_in_no_file_plays_a_tournament_here(nim: Path) -> None:
    nim_class: Any = type("Heap", (from_file("nim.py:Nim", "game", GameError),), {})
    report = mossa.tournament(["random", "alphabeta:depth=6"], [nim_class], depth=6)
    assert report.plan.games == ("Heap",)
    assert len(report.games) == 2


def test_the_file_is_loaded_again_when_it_has_changed(nim: Path) -> None:
    before = mossa.game("nim.py:Nim")
    assert mossa.game("nim.py:Nim") is before
    Path("nim.py").write_text(Path("nim.py").read_text().replace("heap=6", "heap=9"))
    after = mossa.game("nim.py:Nim")
    assert after != before
    assert after.start().text.endswith("9 left")
    with pytest.raises(GameError, match=r"the file of 'nim\.py:Nim' has changed since"):
        pickle.loads(pickle.dumps(before))


def test_paths_with_blanks_are_refused(nim: Path) -> None:
    Path("my games").mkdir()
    Path("nim.py").rename("my games/nim.py")
    with pytest.raises(GameError, match="records name a game by its path, which must be without"):
        mossa.game("my games/nim.py:Nim")


# ---------------------------------------------------------------- the commands


def test_show(nim: Path) -> None:
    assert good(call("show", "nim.py:Nim", "2")).splitlines()[:2] == ["||||", "4 left"]
    tiny = good(call("show", "tiny.py:Tiny", "b1 c1"))
    assert "o" in tiny or "○" in tiny
    assert "<tspan" in good(call("show", "nim.py:Nim", "--svg"))
    assert 'class="stone first"' in good(call("show", "race.py:Race", "0-1", "--svg"))
    data = json.loads(good(call("show", "race.py:Race", "0-1", "--json")))
    assert data["cells"] == [[0, 1, 0, 0, 0], [0, 0, 0, 0, 2]]
    assert data["legal"] == ["4-3", "4-2"]
    assert complaint(call("show", "nim.py:Nim", "--board", "x")) == (
        "'nim.py:Nim' is written in Python and reads no boards: give moves"
    )


def test_solve_is_exact_or_says_that_it_is_not(nim: Path) -> None:
    shown = good(call("solve", "nim.py:Nim")).splitlines()
    assert shown[:2] == ["nim.py:Nim: first to move", "score +1"]
    assert shown[3].split() == ["2", "+1"]
    shown = good(call("solve", "race.py:Race")).splitlines()
    assert shown[1] == "score +3"
    endless = odd("def play(self, move): return type(self)(self.heap, 1 - self.side)")
    shown = good(call("solve", endless, "--time", "0.05")).splitlines()
    assert shown[1] == "not solved within the limits"
    endless = odd("unit = 'points'", "def play(self, move): return type(self)(6, 1 - self.side)")
    solution = mossa.solve(mossa.game(endless).start(), limits=Limits(time=0.05))
    assert isinstance(solution.score, mossa.Bound)


def test_analyse(nim: Path) -> None:
    shown = good(call("analyse", "nim.py:Nim", "--depth", "6")).splitlines()
    assert shown[0] == "nim.py:Nim: first to move"
    assert shown[2].split()[:2] == ["2", "+1"]
    for player in ("mcts:iterations=200", "minimax:depth=3", "level:8"):
        good(call("analyse", "tiny.py:Tiny", "--player", player, "--time", "0.2"))
    assert complaint(call("analyse", "nim.py:Nim", "--player", "tris")).startswith("tris plays mnk")


@pytest.mark.parametrize("form", ["jsonl", "mossa"])
@pytest.mark.parametrize("name", GAMES)
def test_records_are_written_read_and_reviewed(nim: Path, name: str, form: str) -> None:
    path = f"games.{form}"
    good(call("match", "level:1", "random:seed=3", name, "--save", path))
    own._LOADED.clear()  # as in another process
    assert complaint(call("review", path)) == (
        f"{path}:1: {name!r} is written in Python, and only you may have its file loaded: "
        "name it on the command line"
    )
    shown = good(call("review", path, "--rules", name, "--depth", "6"))
    assert shown.startswith(f"{name}: first")
    assert "best moves" in shown
    assert good(call("convert", path, "copy.jsonl", "--rules", name)).startswith("1 game")


def test_a_file_of_records_runs_no_code(nim: Path) -> None:
    Path("evil.py").write_text("open('ran', 'w').close()\nclass Nim: pass\n")
    Path("games.jsonl").write_text('{"game": "evil.py:Nim", "moves": []}\n')
    for command in (("review", "games.jsonl"), ("play", "--load", "games.jsonl", "--plain")):
        assert "only you may have its file loaded" in complaint(call(*command))
    assert not Path("ran").exists()


def test_play_line_by_line(nim: Path) -> None:
    lines = ["2", "moves", "9", "hint", "undo", "2", "save game.mossa", "quit"]
    shown = good(call("play", "nim.py:Nim", "--plain", "--second", "nim.py:first", lines=lines))
    assert "|||\n3 left" in shown
    assert "illegal move '9' in 'nim.py:Nim' after '2 1': legal: 1 2 3" in shown
    assert "hint: play 3" in shown
    again = good(call("play", "nim.py:Nim", "--load", "game.mossa", "--plain", lines=["3"]))
    assert "first wins: by the rules of the game" in again


def test_players_for_every_game_play_it(nim: Path) -> None:
    for name in GAMES:
        for player in ("level:1", "level:5", "level:9", "engine:nodes=200", "mcts:iterations=20"):
            record = mossa.match(player, "random:seed=1", name, time=0.05)
            assert "forfeit" not in record.extra, (name, player, record.extra["end"])


def test_what_needs_the_core_says_so(nim: Path) -> None:
    position: Any = mossa.game("nim.py:Nim").start()
    for ask in (mossa.evaluate, mossa.candidates, mossa.Alignments):
        with pytest.raises(GameError, match=r"is for mossa's own games, not for one in Python"):
            ask(position)
    with pytest.raises(GameError, match=r"build_book\(\) is for mossa's own games, not for nim.py"):
        mossa.build_book(position.game, 1, "x.book")
    assert complaint(call("trace", "nim.py:Nim", "-o", "x.html")) == (
        "trace_search() is for mossa's own games, not for one in Python"
    )


# ---------------------------------------------------------------- games that fail


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["def __str__(self): return 1 / 0"], "fails: str\\(position\\): odd.py:"),
        (["cells = 3", "def target(self, move): return 0, 0"], "fails: cells: TypeError"),
        (["cells = [[0, 3]]", "def target(self, move): return 0, 0"], "cells must be rows of one"),
        (["cells = [[0], [0, 0]]", "def target(self, move): return 0, 0"], "cells must be rows"),
        (["cells = [[0, 0]]", "def target(self, move): return 0, 2"], r"target\(1\) is '\(0, 2\)'"),
        (["cells = [[0, 0]]", "def source(self, move): return 'a'"], r"source\(1\) is \"'a'\""),
        (["cells = [[0, 0]]", "def target(self, move): return 7"], r"target\(1\): TypeError"),
        (
            ["def __init__(self, *a): super().__init__(*a); self.key = []"],
            r"hash\(key\): TypeError",
        ),
        (["unit = 3"], "unit is 3; it must be a text"),
        (["def evaluate(self): return 'x'"], r"evaluate\(\): ValueError"),
        (
            ["def __init__(self, *a): super().__init__(*a); self.moves = iter(int, 1)"],
            "moves: there are more than 1000",
        ),
        (
            [
                "def __getattribute__(self, n): return exit() if n == 'side' else super()."
                "__getattribute__(n)"
            ],
            "side: odd.py:\\d+: SystemExit",
        ),
    ],
)
def test_whatever_fails_is_named(nim: Path, lines: list[str], said: str) -> None:
    name = odd(*lines)

    def search() -> None:
        game = mossa.game(name)
        mossa.Search(game, "alphabeta").run(game.start(), Limits(depth=2))

    with pytest.raises(mossa.InvalidGameError, match=said) as raised:
        search()
    assert "odd.py:Odd" in str(raised.value) and "\n" not in str(raised.value)


ENDLESS = [
    "def play(self, move):\n        while True:\n            pass",
    "def play(self, move):\n        while True:\n            try:\n                "
    "self.play\n            except Exception:\n                pass",
]


@pytest.mark.parametrize("line", ENDLESS)
@pytest.mark.parametrize("player", ["random:seed=1", "alphabeta:depth=3", "level:2"])
def test_a_game_that_hangs_is_stopped(
    nim: Path, line: str, player: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "LONGEST", 0.1)
    with pytest.raises(BrokenGameError, match=r"play\(\d\): still running after 0\.1 s"):
        mossa.match(player, "random:seed=2", odd(line))


def test_a_file_that_hangs_is_not_loaded(nim: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "LONGEST", 0.1)
    Path("hang.py").write_text("while True: pass\n")
    with pytest.raises(GameError, match=r"cannot load game 'hang\.py:Nim': its file is still runn"):
        mossa.game("hang.py:Nim")
