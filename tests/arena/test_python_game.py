"""Games written in Python under the referee: played by the rules, and refused in one line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import call, complaint, good
from laws import python_games

import mossa
from mossa import GameError
from mossa.arena import python_game

ROOT = Path(__file__).parents[2]
MISERE = f"{ROOT / 'examples' / 'misere_tictactoe.py'}:Misere"

NIM = """
class Nim:
    def __init__(self, heap=6, side=0):
        self.heap, self.side = heap, side
        self.moves = list(range(1, min(3, heap) + 1))
        self.key = heap, side
        self.outcome = None if heap else (1 if side == 1 else -1)

    def play(self, move):
        return type(self)(self.heap - move, 1 - self.side)

def first(position):
    return position.moves[0]

def number(position):
    return position.moves[0].number

def cheat(position):
    return "7"
"""


@pytest.fixture
def nim(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a small game in it."""
    monkeypatch.chdir(tmp_path)
    Path("nim.py").write_text(NIM)
    return tmp_path


def with_lines(*lines: str, name: str = "odd.py") -> str:
    """A game that differs in something, by the lines of its class; its name."""
    body = "".join(f"    {line}\n" for line in lines)
    Path(name).write_text(f"{NIM}\nclass Odd(Nim):\n{body}")
    return f"{name}:Odd"


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
    with pytest.raises(GameError, match=r"illegal move '1' .*: the game is over \(second wins\)"):
        mossa.match("random", "random", "nim.py:Nim", opening="3 3 1")


def test_the_command_shows_the_position_as_the_game_writes_it(nim: Path) -> None:
    name = with_lines("def __str__(self): return f'{self.heap} left'")
    shown = good(call("match", "alphabeta:depth=6", "random:seed=1", name))
    assert shown.startswith("0 left\n")
    assert shown.splitlines()[-1] == "1-0: first wins"
    record = json.loads(good(call("match", "random:seed=1", "random:seed=2", name, "--json")))
    assert record["game"] == name
    assert complaint(call("match", "random", "random", name, "--save", "x.jsonl")).startswith(
        "--save has no effect with a game written in Python"
    )


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("none.py:Nim", "cannot load game 'none.py:Nim': there is no file 'none.py'"),
        ("nim.py:Nimm", "no 'Nimm' in 'nim.py': did you mean 'Nim'? there are Nim, first"),
        ("nim.py:first", "'nim.py:first' does not start: TypeError"),
        ("nim.py:__name__", "'nim.py:__name__' is no game: expected a class or a function"),
        ("bad.py:Nim", "cannot load game 'bad.py:Nim': SyntaxError"),
        ("exit.py:Nim", "'exit.py' ends with sys.exit(3)"),
        ("text.py:Text", "'text.py:Text' is no game: a position has side, moves, play, outcome, "),
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
        (["def __init__(self, *a): super().__init__(*a); self.moves = []"], "no moves, and no out"),
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
    name = with_lines(*lines)
    for player in ("random:seed=1", "nim.py:first", "alphabeta:depth=3"):
        with pytest.raises(mossa.InvalidGameError, match=said):
            mossa.match(player, "random:seed=2", name)


def test_a_game_without_an_end_is_broken(nim: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(python_game, "MOST_PLIES", 50)
    name = with_lines("def play(self, move): return self")
    with pytest.raises(mossa.InvalidGameError, match="it goes on for more than 50 moves"):
        mossa.match("random:seed=1", "random:seed=2", name)


@pytest.mark.parametrize("player", ["engine", "level:2", "human", "ugi:./bot", "tree"])
def test_players_that_need_a_game_of_the_core(nim: Path, player: str) -> None:
    assert complaint(call("match", player, "random", "nim.py:Nim")) == (
        f"{player} does not play games written in Python: searches, random and Python functions do"
    )


def test_searches_of_one_kind_of_game(nim: Path) -> None:
    with pytest.raises(GameError, match="threats is for mnk only"):
        mossa.match("threats", "random", "nim.py:Nim")
