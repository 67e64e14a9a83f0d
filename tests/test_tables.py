"""End-game tables of kalah, and the solver that uses them."""

import csv
import json
import os
import random
import signal
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest
from brute_force import BruteForce
from command import run
from programs import until_lines

import mossa
from mossa.solving.book import BookError
from mossa.solving.tables import Tables, build_tables, check_tables, tables_name

OPTIONS = [
    ",".join(f"{name}={value}" for name, value in zip(names, values, strict=True))
    for names in [("empty_capture", "leftover", "end", "majority", "swap", "first_extra")]
    for values in product(
        ["no", "yes"],
        ["owner", "none", "opponent"],
        ["any", "mover"],
        ["no", "yes"],
        ["no", "yes"],
        ["yes", "no"],
    )
]

TABLE_OPTIONS = [
    f"empty_capture={capture},leftover={leftover},end={end}"
    for capture, leftover, end in product(
        ["no", "yes"], ["owner", "none", "opponent"], ["any", "mover"]
    )
]


def later(position: mossa.Position, plies: int, draw: random.Random) -> mossa.Position:
    for _ in range(plies):
        if position.outcome is None:
            position = position.play(draw.choice(position.moves))
    return position


def values_of(solution: mossa.Solution) -> list[int]:
    """The margins that the moves lead to."""
    return [score.value for score in solution.moves.values() if isinstance(score, mossa.Exact)]


@pytest.mark.parametrize("options", OPTIONS)
def test_every_rule_set_against_brute_force(options: str) -> None:
    oracle = BruteForce()
    draw = random.Random(options)
    for size in ("2x2", "3x1", "1x4"):
        game = mossa.game(f"kalah:{size},{options}")
        solver = mossa.Solver(game, memory=16)
        assert solver.native
        for plies in range(5):
            position = later(game.start(), plies, draw)
            if position.outcome is not None:
                continue
            solution = solver.solve(position)
            assert solution.score == oracle.score(position)
            assert {str(move): score for move, score in solution.moves.items()} == oracle.moves(
                position
            )
            end = position
            for move in solution.line:
                end = end.play(move)
            assert end.outcome is not None
            assert end.outcome.value * (1 if position.side is mossa.Side.first else -1) == (
                solution.proven.value
            )


@pytest.mark.parametrize("pits", range(4, 13))
def test_boards_of_every_width(pits: int) -> None:
    """Against alpha-beta to the end, which knows nothing of the solver's boards."""
    game = mossa.game(f"kalah:{pits}x1")
    solver = mossa.Solver(game, memory=16)
    assert solver.native
    search = mossa.Search(game, "alphabeta", {"memory": "16"})
    draw = random.Random(pits)
    tried = 0
    while tried < 10:
        position = later(game.start(), 4 * pits, draw)
        if position.outcome is None:
            assert solver.solve(position).score == search.run(position, mossa.Limits()).score
            tried += 1


def test_many_seeds_in_one_pit() -> None:
    """More than the five bits that the narrow board has for a pit, at the root and behind it."""
    game = mossa.game("kalah:6x6")
    for text in (
        "0,0,0,0,0,34,12/1,0,0,0,0,0,25 first",
        "33,0,0,0,0,1,20/1,0,1,0,0,0,16 first",
        "0,0,0,0,1,31,12/0,0,0,0,0,1,27 first",
    ):
        position = game.from_text(text)
        solution = mossa.Solver(game, memory=64).solve(position)
        assert solution.proven.value == max(values_of(solution))


def published() -> list[object]:
    """Every known margin, small boards first; those that take long are slow tests."""
    path = Path(__file__).parent / "data" / "kalah-values.csv"
    with path.open(encoding="utf-8", newline="") as file:
        known = list(csv.DictReader(file))
    tests: list[object] = []
    for row in known:
        pits, seeds = int(row["pits"]), int(row["seeds"])
        if pits * seeds > 25:
            continue  # hours, or minutes and gigabytes: benchmarks/RESULTS.md
        name = f"kalah:{pits}x{seeds},empty_capture={row['empty_capture']}"
        marks = [pytest.mark.slow] if pits * seeds >= 24 else []
        tests.append(pytest.param(name, int(row["first_player_margin"]), marks=marks))
    return tests


@pytest.mark.parametrize(("name", "margin"), published())
def test_known_margins(name: str, margin: int) -> None:
    start = mossa.game(name).start()
    assert mossa.solve(start, memory=1000).score == mossa.Exact(margin)


def test_first_moves_of_kalah_and_bantumi() -> None:
    def values(name: str) -> list[int]:
        return values_of(mossa.solve(mossa.game(name).start(), memory=64))

    assert values("kalah:6x3") == [-14, -16, -10, -2, 2, 0]
    assert values("kalah:6x2,empty_capture=yes") == [-14, -8, -6, -14, 10, -2]
    assert values("bantumi") == [-8, -12, -10, 0, 0, 1]


@pytest.mark.slow
def test_first_moves_of_larger_kalah() -> None:
    def values(name: str) -> list[int]:
        return values_of(mossa.solve(mossa.game(name).start(), memory=2000))

    assert values("kalah:6x3,empty_capture=yes") == [-12, -16, -10, -2, 2, 0]
    assert values("kalah:6x3,empty_capture=yes,leftover=none,end=mover") == [-9, -12, -10, 0, 0, 1]
    assert values("kalah:6x4") == [-14, -10, 8, -2, -8, 4]
    assert values("kalah:6x4,empty_capture=yes") == [-14, -8, 10, -2, -6, 4]


def test_threads_and_limits() -> None:
    start = mossa.game("kalah:6x3").start()
    assert mossa.solve(start, threads=2, memory=64).score == mossa.Exact(2)
    told: list[mossa.Solution] = []
    stopped = mossa.solve(start, memory=64, limits=mossa.Limits(nodes=5000), report=told.append)
    assert isinstance(stopped.score, mossa.Bound)
    assert stopped.nodes == 5000
    assert stopped.line == []


def test_tables_hold_what_the_solver_finds(tmp_path: Path) -> None:
    game = mossa.game("kalah:3x3")
    tables = build_tables(game, 9, tmp_path / "t.tables", threads=2)
    assert tables.positions == 5005
    assert tables.size > 5005
    check_tables(tables, 2000, 1)
    oracle = BruteForce()
    draw = random.Random(3)
    looked_up = 0
    while looked_up < 50:
        position = later(game.start(), draw.randrange(4, 16), draw)
        if position.outcome is not None:
            continue
        stores = [row[-1] for row in position.cells]
        margin = (stores[0] - stores[1]) * (1 if position.side is mossa.Side.first else -1)
        to_come = tables.get(position)
        if sum(stores) < 9:
            assert to_come is None
        else:
            assert to_come is not None
            assert margin + to_come == oracle.score(position).value
            looked_up += 1
    solver = mossa.Solver(game, memory=16, tables=tables)
    assert solver.solve(game.start()).score == mossa.Exact(2)


@pytest.mark.parametrize("rules", TABLE_OPTIONS)
@pytest.mark.parametrize(
    ("size", "seeds"), [("1x6", 12), ("2x8", 31), ("3x5", 30), ("5x3", 12), ("6x4", 10), ("7x2", 8)]
)
def test_tables_agree_with_their_moves(size: str, seeds: int, rules: str, tmp_path: Path) -> None:
    """Rows of every length on both sides, and sowings that go around the board."""
    tables = build_tables(
        mossa.game(f"kalah:{size},{rules}"), seeds, tmp_path / "t.tables", threads=2
    )
    check_tables(tables, 20_000, 1)


def test_tables_are_found_in_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = mossa.game("kalah:6x3")
    build_tables(game, 5, tmp_path / tables_name(game))
    assert Tables.find(game) is None
    monkeypatch.setenv("MOSSA_BOOKS", str(tmp_path))
    found = mossa.Solver(game, memory=16).tables
    assert found is not None
    assert found.seeds == 5
    assert mossa.Solver(game, memory=16, tables=None).tables is None


def test_files_that_are_no_tables(tmp_path: Path) -> None:
    path = tmp_path / "t.tables"
    build_tables(mossa.game("kalah:4x2"), 4, path)
    whole = path.read_bytes()
    begin = whole.index(b"kalah")
    for content in (
        b"",
        b"something else entirely",
        whole[:-1],
        whole + b"\0",
        whole[:100] + bytes([whole[100] ^ 1]) + whole[101:],
        whole[:10] + b"\x09" + whole[11:],
        whole[:begin] + b"kolah" + whole[begin + 5 :],
        whole[:8] + b"\x09" + whole[9:],
    ):
        path.write_bytes(content)
        with pytest.raises(BookError, match="mossa tables build"):
            Tables.open(path)
    path.write_bytes(whole)
    assert Tables.open(path).seeds == 4


def test_what_has_no_tables(tmp_path: Path) -> None:
    for name, seeds, why in (
        ("connect4", 5, "they are only for sowing games"),
        ("bantumi", 5, "majority"),
        ("oware,repeat=share,majority=yes", 5, "majority"),
        ("oware", 5, "repeat=row .* use oware:6x4,repeat=share"),
        ("kalah:2x1", 9, "0 to 4"),
        ("kalah", 40, "0 to 31"),
        ("kalah", 31, "MB are allowed"),
    ):
        with pytest.raises(mossa.GameError, match=why):
            build_tables(mossa.game(name), seeds, tmp_path / "t")
    assert list(tmp_path.iterdir()) == []
    tables = build_tables(mossa.game("kalah:2x2"), 3, tmp_path / "t")
    with pytest.raises(mossa.GameError, match=r"kalah:2x3.*kalah:2x2"):
        mossa.Solver(mossa.game("kalah:2x3"), tables=tables)


def test_a_killed_build_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "k.tables"
    command = [sys.executable, "-m", "mossa", "tables", "build", "kalah", "--seeds", "13"]
    command += ["--output", str(path)]
    process = subprocess.Popen(command, text=True)
    journal = Path(f"{path}.journal")
    until_lines(journal, 8, process)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert not path.exists()
    # The last layer of what was written is damaged as well: it is made again.
    kept = journal.read_text().count("\n") - 1
    part = Path(f"{path}.part")
    part.write_bytes(part.read_bytes()[:-1] + b"\x55")
    result = run("tables", "build", "kalah", "--seeds", "13", "--output", str(path), "--json")
    assert json.loads(result.stdout)["seeds"] == 13
    assert kept >= 8
    assert sorted(each.name for each in tmp_path.iterdir()) == ["k.tables"]
    assert run("tables", "verify", str(path), "--count", "20000").returncode == 0


def test_the_command(tmp_path: Path) -> None:
    path = str(tmp_path / "k.tables")
    built = run("tables", "build", "kalah:4x3", "--seeds", "6", "--output", path)
    assert "kalah:4x3, up to 6 seeds" in built.stdout
    assert "3,003 boards" in built.stdout
    assert json.loads(run("tables", "info", path, "--json").stdout)["positions"] == 3003
    assert "all values are right" in run("tables", "verify", path, "--seed", "1").stdout
    refused = run("tables", "info", __file__)
    assert refused.returncode == 2
    assert (
        "is not a file of end-game tables of mossa; mossa tables build makes one" in refused.stderr
    )


def test_an_error_names_the_tables_and_not_the_files_beside_them(tmp_path: Path) -> None:
    path = tmp_path / "no" / "t.tables"
    with pytest.raises(FileNotFoundError) as error:
        build_tables(mossa.game("kalah:2x2"), 3, path)
    assert error.value.filename == str(path)
