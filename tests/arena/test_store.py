"""The file of a tournament: what is finished stays, and one driver at a time may write."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

import mossa
from mossa.arena.plan import Entrant, InvalidTournamentError, Plan
from mossa.arena.referee import match
from mossa.arena.schedule import all_pairings
from mossa.arena.store import FORMAT, Store, finished

PLAN = Plan((Entrant("a", "random"), Entrant("b", "random")), ("mnk:3x3x3",), rounds=3)


def new(path: Path) -> Store:
    return Store.create(path, PLAN, all_pairings(PLAN))


def test_finished_games_are_there_for_every_reader_at_once(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    record = match("random:seed=1", "random:seed=2", "tictactoe")
    with new(path) as store:
        assert store.counts() == (0, 6)
        assert store.finish(finished(2, record, 0.5))
        with Store.look(path) as reader:
            assert reader.plan == PLAN
            assert reader.counts() == (1, 6)
            assert [pairing.id for pairing in reader.open_pairings()] == [1, 3, 4, 5, 6]
            [(pairing, read)] = reader.records()
        assert (pairing.id, read) == (2, record)


def test_a_game_is_never_finished_twice(tmp_path: Path) -> None:
    one = match("random:seed=1", "random:seed=2", "tictactoe")
    other = match("random:seed=3", "random:seed=4", "tictactoe")
    with new(tmp_path / "t.db") as store:
        assert store.finish(finished(1, one, 0.1))
        assert not store.finish(finished(1, other, 0.1))
        assert next(store.records())[1] == one
        assert not store.finish(finished(99, other, 0.1))  # there is no such game


def test_a_second_driver_is_refused_and_told_who_is_there(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    with new(path):
        for again in (Store.resume, new):
            with pytest.raises(InvalidTournamentError, match=r"another process \(PID \d+\) is"):
                again(path)
    with Store.resume(path) as store:  # it is free again
        assert store.counts() == (0, 6)
    assert [each.name for each in tmp_path.iterdir()] == ["t.db"]


def test_a_file_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    with new(path):
        pass
    with pytest.raises(InvalidTournamentError, match="is a tournament already: mossa tourn"):
        new(path)
    with Store.resume(path):  # the refused one has left no lock
        pass


@pytest.mark.parametrize("opening", [Store.resume, Store.look])
def test_files_that_are_no_tournaments(opening: object, tmp_path: Path) -> None:
    def fails(path: Path, message: str) -> None:
        with pytest.raises(InvalidTournamentError, match=message):
            opening(path)  # type: ignore[operator]
        assert not (tmp_path / f"{path.name}.lock").exists()

    fails(tmp_path / "nowhere", "there is no tournament file")
    fails(tmp_path, "there is no tournament file")
    (tmp_path / "text").write_text("not a database, but long enough to look like one" * 100)
    fails(tmp_path / "text", "not a tournament file")
    (tmp_path / "empty").touch()
    fails(tmp_path / "empty", "not a tournament file")
    other = sqlite3.connect(tmp_path / "other")
    other.execute("CREATE TABLE t (x)")
    other.close()
    fails(tmp_path / "other", "not a tournament file")


def test_a_file_of_another_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    with new(path):
        pass
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {FORMAT + 1}")
    connection.close()
    message = f"of version {FORMAT + 1}; this mossa reads version {FORMAT}"
    with pytest.raises(InvalidTournamentError, match=message):
        Store.resume(path)


def test_a_damaged_file_is_told_wherever_the_damage_is(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    with new(path) as store:
        store.finish(finished(1, match("random:seed=1", "random:seed=2", "tictactoe"), 0.1))
    whole = path.read_bytes()
    for begin in range(4096, len(whole), 4096):
        path.write_bytes(whole[:begin] + b"\xff" * 4096 + whole[begin + 4096 :])
        with (
            pytest.raises(InvalidTournamentError, match="it is damaged"),
            Store.look(path) as store,
        ):
            assert list(store.records()) and store.open_pairings()


def test_a_folder_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(mossa.GameError, match=r"'no/t\.db': there is no folder 'no'"):
        new(Path("no", "t.db"))


def test_a_new_tournament_replaces_nothing(tmp_path: Path) -> None:
    """A text was told to be a tournament to go on with."""
    for name, content in (("notes.txt", b"hello"), ("long.txt", b"hello" * 5000)):
        path = tmp_path / name
        path.write_bytes(content)
        with pytest.raises(InvalidTournamentError, match=r"exists, but is not a tournament file$"):
            new(path)
        assert path.read_bytes() == content
    with pytest.raises(InvalidTournamentError, match="is not a file"):
        new(tmp_path)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["long.txt", "notes.txt"]


def test_a_full_disk_is_told_and_loses_nothing(tmp_path: Path) -> None:
    """The limit of pages is SQLite's own way to have no more room."""
    path = tmp_path / "t.db"
    record = match("random:seed=1", "random:seed=2", "tictactoe")
    with new(path) as store:
        assert store.finish(finished(1, record, 0.1))
        pages = store._connection.execute("PRAGMA page_count").fetchone()[0]
        store._connection.execute(f"PRAGMA max_page_count = {pages}")
        big = mossa.Record(record.game, record.moves, comment="x" * 100_000)
        with pytest.raises(InvalidTournamentError, match="the disk is full or failing; finished"):
            store.finish(finished(2, big, 0.1))
    with Store.resume(path) as store:
        assert store.counts() == (1, 6)
        assert store.finish(finished(2, record, 0.1))
