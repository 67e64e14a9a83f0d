"""Whole tournaments: formats, crashes of workers and drivers, and what must never be lost."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from programs import bad, bot, children, gone, programs_of, until

import mossa
from mossa.arena.driver import drive, first_pairings
from mossa.arena.plan import Entrant, InvalidTournamentError, Plan
from mossa.arena.store import Finished, Store
from mossa.players.clocks import Conditions

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="signals and programs of POSIX")


def ids(path: Path) -> list[int]:
    with Store.look(path) as store:
        return [pairing.id for pairing, _ in store.records()]


# --- the Python API -------------------------------------------------------------------------------


def test_a_tournament_in_python_gives_plain_rows() -> None:
    report = mossa.tournament(
        ["alphabeta:depth=4", "random"], ["tictactoe", "connect:4x4x3"], rounds=2
    )
    assert report.complete
    assert (report.done, report.total) == (8, 8)
    assert [row["player"] for row in report.standings] == ["alphabeta:depth=4", "random"]
    assert report.standings[0]["points"] >= 6
    assert sum(report.standings[0]["pairs"]) == 4
    assert {row["game"] for row in report.games} == {"mnk:3x3x3", "connect:4x4x3"}
    assert {row["player"] for row in report.moves} == {"alphabeta:depth=4", "random"}
    json.dumps(report.to_dict())
    lines = report.to_csv().splitlines()
    assert len(lines) == 9
    assert lines[0].startswith("id,round,pair,game,opening,first,second,result")


def test_rows_go_into_data_frames() -> None:
    pandas = pytest.importorskip("pandas")
    report = mossa.tournament(["a=random", "b=random"], ["tictactoe"], workers=1)
    frame = pandas.DataFrame(report.games)
    assert list(frame["result"]) == [row["result"] for row in report.games]


def test_a_plain_script_needs_no_guard(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import mossa\n"
        "report = mossa.tournament(['alphabeta:depth=2', 'random'], ['tictactoe'], workers=2)\n"
        "print([row['end'].startswith('not played') for row in report.games])\n"
    )
    done = subprocess.run(
        [sys.executable, script], capture_output=True, encoding="utf-8", timeout=60
    )
    assert (done.stdout, done.stderr) == ("[False, False]\n", "")


def test_python_objects_play_here_and_are_named() -> None:
    def first(position: mossa.Position) -> mossa.Move:
        return position.moves[0]

    report = mossa.tournament({"mine": first, "other": "random"}, ["tictactoe"], rounds=2)
    assert sorted(row["player"] for row in report.standings) == ["mine", "other"]
    assert report.done == 4


def test_a_stored_tournament_goes_on_with_the_same_call(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    players = ["a=random", "b=random"]
    one, two = (mossa.tournament(players, ["tictactoe"], store=path, workers=1) for _ in "ab")
    assert one.games == two.games
    with pytest.raises(InvalidTournamentError, match="holds another tournament"):
        mossa.tournament(["a=random", "b=random"], ["connect4"], store=path)


def test_the_same_seed_gives_the_same_tournament() -> None:
    def results(seed: int) -> list[object]:
        report = mossa.tournament(
            ["a=random", "b=random"], ["connect4"], rounds=5, seed=seed, workers=1
        )
        return [(row["opening"], row["plies"], row["result"]) for row in report.games]

    assert results(3) == results(3)
    assert results(3) != results(4)


def test_a_swiss_tournament_plays_all_its_rounds(tmp_path: Path) -> None:
    players = [f"p{n}=random" for n in range(5)]
    report = mossa.tournament(players, ["tictactoe"], format="swiss", rounds=3)
    assert report.done == 3 * 2 * 2
    assert [row["round"] for row in report.games] == [1] * 4 + [2] * 4 + [3] * 4
    couples = [frozenset((row["first"], row["second"])) for row in report.games[::2]]
    assert len(set(couples)) == len(couples)


def test_a_sequential_test_ends_the_tournament_early() -> None:
    report = mossa.tournament(
        ["alphabeta:depth=4", "random"],
        ["connect4"],
        rounds=1000,
        sprt=mossa.Sprt(0, 100),
        workers=1,
    )
    assert report.sprt is not None
    assert report.sprt["verdict"] == "H1"
    assert report.complete
    assert report.done < 200


@POSIX
def test_forfeits_count_and_are_told() -> None:
    report = mossa.tournament(
        {"bad": bad("illegal"), "good": "ugi:" + " ".join(bot("python"))},
        ["connect4"],
        workers=2,
        conditions=Conditions(time=5),
    )
    table = {row["player"]: row for row in report.standings}
    assert table["bad"]["forfeits"] == 2
    assert table["good"]["points"] == 2
    assert all("illegal move '99'" in row["end"] for row in report.games)


@POSIX
def test_a_program_that_does_not_exist_is_told_before_the_first_game(tmp_path: Path) -> None:
    with pytest.raises(InvalidTournamentError, match=r"'bot' does not start: .*No such file"):
        mossa.tournament({"bot": f"ugi:{tmp_path}/nothing", "r": "random"}, ["connect4"])
    with pytest.raises(InvalidTournamentError, match=r"'bot' does not start: .*No such file"):
        mossa.tournament(
            {"bot": f"ugi:{tmp_path}/nothing", "mine": lambda position: position.moves[0]},
            ["connect4"],
        )


def test_people_do_not_play_tournaments() -> None:
    with pytest.raises(mossa.InvalidPlayerError, match="a person plays in mossa play"):
        mossa.tournament(["human", "random"], ["connect4"])


# --- workers that die -----------------------------------------------------------------------------


@POSIX
def test_killed_workers_lose_no_game_and_double_none(tmp_path: Path) -> None:
    """Every worker is killed as soon as it shows up, ten times over."""
    path = tmp_path / "t.db"
    plan = Plan(
        (Entrant("a", "random"), Entrant("b", "alphabeta:depth=4")), ("connect:6x7x4",), rounds=15
    )
    killed: list[int] = []

    def kill(store: Store, game: Finished | None) -> None:
        for pid in children():
            if len(killed) < 4 and game is not None and pid not in killed:
                os.kill(pid, signal.SIGKILL)
                killed.append(pid)

    with Store.create(path, plan, first_pairings(plan)) as store:
        outcome = drive(store, count=2, progress=kill)
    assert (outcome.done, outcome.total) == (30, 30)
    assert len(killed) == 4
    assert ids(path) == list(range(1, 31))


# --- drivers that die -----------------------------------------------------------------------------


def command(*arguments: str | Path) -> list[str]:
    return [sys.executable, "-m", "mossa", "tournament", *map(str, arguments)]


PLAYERS = ("a=random", "b=alphabeta:depth=3", "--game", "connect4", "--game", "kalah:4x3")


def some_games(path: Path, count: int) -> bool:
    try:
        with Store.look(path) as store:
            return store.counts()[0] >= count
    except mossa.GameError:
        return False  # not there yet


@POSIX
def test_kill_9_of_the_driver_loses_no_game_and_doubles_none(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    rng = random.Random(5)
    arguments = command("run", path, *PLAYERS, "--rounds", "100", "--workers", "2")
    kept: dict[int, str] = {}
    for _ in range(3):
        driver = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        until(lambda: some_games(path, len(kept) + 5))  # noqa: B023
        time.sleep(rng.random() * 0.1)  # anywhere in the middle of its work
        workers = children(driver.pid)
        driver.kill()
        driver.communicate()
        assert all(map(gone, workers))  # they notice, and do not play on for nobody
        with Store.look(path) as store:
            now = {pairing.id: str(record.extra) for pairing, record in store.records()}
        assert kept.items() <= now.items()  # nothing lost, nothing played again
        kept = now
        arguments = command("resume", path)
    done = subprocess.run([*command("resume", path), "--json"], capture_output=True, check=True)
    report = json.loads(done.stdout)
    assert (report["done"], report["total"]) == (400, 400)
    assert ids(path) == list(range(1, 401))
    with Store.look(path) as store:
        now = {pairing.id: str(record.extra) for pairing, record in store.records()}
    assert kept.items() <= now.items()


@POSIX
def test_ctrl_c_ends_it_with_what_is_played(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    driver = subprocess.Popen(
        command("run", path, *PLAYERS, "--rounds", "1000"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # Ctrl-C may be ignored where the tests run; the command is to hear it.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    until(lambda: some_games(path, 5))
    os.killpg(driver.pid, signal.SIGINT)  # as the terminal does
    output, errors = driver.communicate(timeout=60)
    assert driver.returncode == 130
    assert "of 4,000 games saved in" in errors
    assert "Traceback" not in errors
    assert "player" in output
    refused = subprocess.run(
        command("run", path, *PLAYERS), capture_output=True, text=True, timeout=60
    )
    assert refused.returncode == 2
    assert "is a tournament already: mossa tournament resume continues it" in refused.stderr


@POSIX
def test_two_drivers_on_one_file(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    driver = subprocess.Popen(
        command("run", path, *PLAYERS, "--rounds", "1000"), stdout=subprocess.DEVNULL
    )
    try:
        until(lambda: some_games(path, 1))
        second = subprocess.run(command("resume", path), capture_output=True, text=True, timeout=60)
        assert second.returncode == 2
        assert f"another process (PID {driver.pid}) is playing" in second.stderr
        status = subprocess.run(
            command("status", path), capture_output=True, text=True, timeout=60, check=True
        )
        assert "of 4,000 games" in status.stdout  # looking is allowed
    finally:
        driver.kill()
        driver.wait()


@POSIX
def test_a_full_disk_ends_it_clearly_and_it_can_go_on(tmp_path: Path) -> None:
    """A limit on the size of files is what a full disk looks like to the database."""
    path = tmp_path / "t.db"
    limited = [sys.executable, "-c", LIMITED, "run", str(path), *PLAYERS, "--rounds", "60"]
    done = subprocess.run(limited, capture_output=True, text=True, timeout=120)
    assert done.returncode == 2, done.stderr
    assert "the disk is full or failing; finished games are safe" in done.stderr
    assert "Traceback" not in done.stderr
    kept = ids(path)
    assert 0 < len(kept) < 240
    subprocess.run(command("resume", path), capture_output=True, check=True, timeout=120)
    assert ids(path) == list(range(1, 241))


LIMITED = """
import resource, sys
from mossa.cli import main
if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_FSIZE, (120_000, resource.RLIM_INFINITY))
    sys.argv.insert(1, "tournament")
    main()
"""


# --- programs of workers and drivers that die -----------------------------------------------------


@POSIX
@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_programs_that_leave_their_group_are_ended_with_the_tournament(tmp_path: Path) -> None:
    tag = f"{tmp_path.name}-daemon"
    report = mossa.tournament(
        {"bad": f"{bad('daemon')} {tag}", "good": "random"}, ["mnk:3x3x3"], workers=1
    )
    assert report.done == 2
    assert not programs_of(tag)


@POSIX
@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize("victim", ["driver", "worker"])
def test_no_program_outlives_a_killed_driver_or_worker(victim: str, tmp_path: Path) -> None:
    """The program never looks at its input: it would not notice by itself."""
    tag = f"{tmp_path.name}-{victim}"
    driver = subprocess.Popen(
        command(
            *("run", tmp_path / "t.db", f"bad={bad('stall')} {tag}", "good=random"),
            *("--game", "connect4", "--time", "300", "--workers", "1"),
        ),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )

    def at_play() -> set[int]:
        """Programs that a worker has started; the driver itself starts one before, for a trial."""
        started = {each for worker in children(driver.pid) for each in children(worker)}
        return programs_of(tag) & started

    try:
        until(lambda: bool(at_play()))
        first = at_play()
        if victim == "driver":
            driver.kill()
        else:
            for pid in children(driver.pid):
                os.kill(pid, signal.SIGKILL)
        assert all(map(gone, first))
    finally:
        driver.kill()
        driver.wait()
    until(lambda: not programs_of(tag))
