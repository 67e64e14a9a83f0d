"""The lab: experiments that users write in a file."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest
from command import complaint
from lab_checks import call

import mossa
from mossa import lab
from mossa.lab import runner

ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "examples" / "orders.toml"


def written(folder: Path, text: str) -> Path:
    path = folder / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_an_experiment_with_moving_pieces(tmp_path: Path) -> None:
    plan = written(
        tmp_path,
        'name = "steps"\ngames = ["breakthrough:5x4"]\nmoves = ["", "a2a3a4b3"]\n'
        '[players]\nab = "alphabeta:depth=2"\nmcts = "mcts:iterations=20"\n',
    )
    done = call(plan)
    assert (done.returncode, done.stderr) == (0, "")
    assert "steps: breakthrough:5x4 a2a3a4b3" in done.stdout


def test_the_example_runs_and_is_quoted_in_the_docs(tmp_path: Path) -> None:
    rows_file = tmp_path / "orders.csv"
    done = call(EXAMPLE, "--csv", rows_file, "--plot", tmp_path / "orders.png")
    assert (done.returncode, done.stderr) == (0, "")
    page = (ROOT / "docs" / "lab.md").read_text(encoding="utf-8")
    assert f"```toml\n{EXAMPLE.read_text(encoding='utf-8')}```" in page
    with rows_file.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 2 * 3 * 3  # positions, players, runs
    for row in rows:  # the table in the docs, but for its times
        assert re.search(f"{row['variant']} +{int(row['nodes']):,} ", page)


def test_a_file_with_everything(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        """
        name = "all [bold]keys[/bold] {0}"
        games = ["connect4", "mnk:4x4x3"]
        opponent = "random"
        side = "second"
        runs = 2
        [moves]
        "connect4" = ["", "44"]
        [players]
        "[red]a[/red]" = "minimax:depth=2"
        b = "alphabeta"
        [limits]
        depth = 3
        nodes = 1000
        """,
    )
    results = lab.measure(lab.experiment(str(path)))
    assert runner.distinct(results.rows, "case") == ["connect4", "connect4 44", "mnk:4x4x3"]
    assert runner.distinct(results.rows, "repetition") == [1, 2]
    assert all((row.depth or 0) <= 3 for row in results.rows)
    for row in results.rows:
        assert mossa.game(row.game).position(row.moves).side is mossa.Side.second
    # The texts of a user are shown as they are.
    done = call(path)
    assert done.returncode == 0
    assert "all [bold]keys[/bold] {0}: connect4 44\n" in re.sub(" +\n", "\n", done.stdout)
    assert "[red]a[/red]" in done.stdout


def test_quick_runs_and_time_hold_for_a_file_too(tmp_path: Path) -> None:
    text = 'games = ["connect4"]\nplayers = ["alphabeta"]\nruns = 4\nopponent = "self"\n'
    experiment = lab.experiment(str(written(tmp_path, text)))
    rows = lab.measure(experiment, lab.Settings(quick=True, time=0.001)).rows
    assert len(rows) == 6  # one game, of which six moves
    assert all((row.time_ms or 0) < 500 for row in rows)
    assert len(experiment.work(lab.Settings(quick=True))) == 1
    assert len(experiment.work(lab.Settings(runs=2))) == 2
    assert len(experiment.work(lab.Settings())) == 4


GOOD = {"games": '["connect4"]', "players": '["minimax:depth=1"]'}


@pytest.mark.parametrize(
    ("change", "key", "parts"),
    [
        ({"games": None}, "games", ["missing", "'connect4'"]),
        ({"players": None}, "players", ["missing", "specs"]),
        ({"games": "[]"}, "games", ["empty", "a list of games"]),
        ({"games": '"connect4"'}, "games", ["'connect4'", "a list of games"]),
        ({"games": '["conect4"]'}, "games", ["did you mean 'connect4'?"]),
        ({"games": "[3]"}, "games", ["'[3]'", "a list of games"]),
        ({"games": '["connect4", "connect4"]'}, "games", ["'connect4' is given twice"]),
        ({"moves": '["4444444"]'}, "moves", ["illegal move '4'", "column 4 is full"]),
        ({"moves": '["4455667"]'}, "moves", ["over", "'4455667'"]),
        ({"moves": "3"}, "moves", ["'3'", "a list of moves"]),
        ({"moves": '{connect4 = ["9"]}'}, "moves.connect4", ["'9'"]),
        ({"moves": '{gomoku = [""]}'}, "moves.gomoku", ["not among the games"]),
        ({"players": "{}"}, "players", ["empty"]),
        ({"players": "3"}, "players", ["'3'", "a table of player specs"]),
        ({"players": '["alphabta"]'}, "players", ["did you mean 'alphabeta'?"]),
        ({"players": '{x = "alphabeta:depht=3"}'}, "players.x", ["did you mean 'depth'?"]),
        ({"players": "{x = 3}"}, "players.x", ["'3'", "expected a text"]),
        ({"players": '{x = "alphabeta:order=store"}'}, "players.x", ["games with stores"]),
        ({"players": '{x = "alphabeta:deepen=off"}'}, "players.x", ["deepen=off needs a depth"]),
        ({"players": '["human"]'}, "players", ["'human'", "nobody"]),
        ({"opponent": '"nobody"'}, "opponent", ["unknown player 'nobody'"]),
        ({"opponent": "1"}, "opponent", ["expected a text"]),
        ({"opponent": '"human"'}, "opponent", ["nobody"]),
        ({"side": '"second"'}, "side", ["opponent"]),
        ({"side": '"left"', "opponent": '"random"'}, "side", ["'left'", "'first' or 'second'"]),
        ({"runs": "0"}, "runs", ["'0'", "1 to 1000"]),
        ({"runs": "true"}, "runs", ["'True'", "a whole number"]),
        ({"runs": "1.5"}, "runs", ["'1.5'", "a whole number"]),
        ({"limits": "3"}, "limits", ["'3'", "time"]),
        ({"limits": "{tme = 3}"}, "limits.tme", ["did you mean 'time'?", "depth"]),
        ({"limits": "{depth = 0.5}"}, "limits.depth", ["'0.5'", "a whole number"]),
        ({"limits": "{depth = true}"}, "limits.depth", ["'True'", "a whole number"]),
        ({"limits": '{time = "1"}'}, "limits.time", ["'1'", "expected a number"]),
        ({"name": "3"}, "name", ["'3'", "expected a text"]),
        ({"player": '["random"]'}, "player", ["did you mean 'players'?", "limits"]),
    ],
)
def test_what_is_wrong_in_a_file(
    change: dict[str, str | None], key: str, parts: list[str], tmp_path: Path
) -> None:
    given = {**GOOD, **change}
    text = "\n".join(f"{name} = {value}" for name, value in given.items() if value is not None)
    path = written(tmp_path, text)
    line = complaint(call(path))
    assert line.startswith(f"{path}:{key}: ")
    assert [part for part in parts if part not in line] == []


def test_a_bot_that_fails_is_one_line(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("def bot(position):\n    return 1 // 0\n")
    path = written(tmp_path, f'games = ["connect4"]\nplayers = ["{bot}:bot"]\n')
    assert f"{path}:players: {bot}:2: ZeroDivisionError: " in complaint(call(path))


def test_a_file_that_is_no_toml(tmp_path: Path) -> None:
    path = written(tmp_path, 'games = ["connect4"]\nplayers\n')
    assert re.match(f"{re.escape(str(path))}: not TOML: .*line 2", complaint(call(path)))
    path.write_bytes(b"name = '\xff'")
    assert "not UTF-8" in complaint(call(path))
    assert "No such file" in complaint(call(tmp_path / "none.toml"))
