"""Shards: whatever happens to the file, the games that are whole are read."""

from __future__ import annotations

import errno
import math
from pathlib import Path
from typing import Any

import pytest

from mossa import BookError
from mossa.learning.shards import Played, Sample, ShardWriter, read_shard

GAMES = [
    Played(0, "4 4 5 3", 1, 2, (Sample(2, 35.5), Sample(3, -math.inf, -1, False))),
    Played(1, "1 2", 0, 0, (Sample(0, 0.0, 0), Sample(1, math.inf))),
    Played(5, "7", -12, 1, ()),
]


def written(path: Path, games: list[Played] = GAMES) -> bytes:
    with ShardWriter(path, "connect:6x7x4", "engine", again="make room") as writer:
        writer.add(games)
    return path.read_bytes()


def test_what_is_written_is_read(tmp_path: Path) -> None:
    content = written(tmp_path / "a.shard")
    shard = read_shard(tmp_path / "a.shard")
    assert (shard.game, shard.player, shard.games) == ("connect:6x7x4", "engine", GAMES)
    assert (shard.positions, shard.end, shard.damaged, shard.cut) == (4, len(content), 0, 0)


def test_a_shard_that_was_cut_short_keeps_its_whole_games(tmp_path: Path) -> None:
    path = tmp_path / "a.shard"
    ends = [len(written(tmp_path / f"{count}.shard", GAMES[:count])) for count in range(4)]
    content = written(path)
    for size in range(len(content)):
        path.write_bytes(content[:size])
        shard = read_shard(path)
        whole = max((count for count, end in enumerate(ends) if end <= size), default=0)
        assert shard.games == GAMES[:whole]
        assert shard.end == (ends[whole] if size >= ends[0] else 0)
        assert shard.end + shard.cut == size


@pytest.mark.parametrize("size", [0, 3, 10, 20, 60, 100, 150])
def test_work_goes_on_after_what_was_cut_short(size: int, tmp_path: Path) -> None:
    path = tmp_path / "a.shard"
    content = written(path)
    path.write_bytes(content[:size])
    kept = len(read_shard(path).games)
    with ShardWriter(path, "connect:6x7x4", "engine", again="make room") as writer:
        assert writer.games == kept
        assert writer.numbers == (GAMES[kept - 1].number + 1 if kept else 0)
        writer.add(GAMES[kept:])
    assert path.read_bytes() == content


def test_a_damaged_game_is_left_out_and_the_others_are_not(tmp_path: Path) -> None:
    path = tmp_path / "a.shard"
    begin = len(written(tmp_path / "1.shard", GAMES[:1]))
    content = bytearray(written(path))
    content[begin + 12] ^= 1  # in the second game, behind its length and checksum
    path.write_bytes(content)
    shard = read_shard(path)
    assert (shard.games, shard.damaged, shard.cut) == ([GAMES[0], GAMES[2]], 1, 0)


@pytest.mark.parametrize("content", [b"something else, and long enough to have a head", b"xyz"])
def test_a_file_of_others_is_refused(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.shard").write_bytes(content)
    with pytest.raises(BookError, match=r"a.shard' is not a shard of games of mossa"):
        read_shard(tmp_path / "a.shard")
    with pytest.raises(BookError, match="is not a shard"):
        written(tmp_path / "a.shard")
    assert (tmp_path / "a.shard").read_bytes() == content


def test_games_of_another_player_do_not_go_into_it(tmp_path: Path) -> None:
    written(tmp_path / "a.shard")
    with pytest.raises(BookError, match="has games of engine on connect:6x7x4, not of random"):
        ShardWriter(tmp_path / "a.shard", "connect:6x7x4", "random", again="")


class FullDisk:
    def __init__(self, file: Any, room: int) -> None:
        self.file, self.room = file, room

    def write(self, content: bytes) -> int:
        if not self.room:
            raise OSError(errno.ENOSPC, "No space left on device")
        size = self.file.write(content[: self.room])
        self.room -= size
        return int(size)

    def close(self) -> None:
        self.file.close()


def test_a_full_disk_costs_the_game_that_was_being_written(tmp_path: Path) -> None:
    path = tmp_path / "a.shard"
    with ShardWriter(path, "connect:6x7x4", "engine", again="make room") as writer:
        writer._file = FullDisk(writer._file, 80)  # type: ignore[assignment]
        with pytest.raises(BookError, match=r"a.shard': No space left on device; make room"):
            writer.add(GAMES)
    shard = read_shard(path)
    assert shard.games == GAMES[: len(shard.games)]
    assert shard.cut
    with ShardWriter(path, "connect:6x7x4", "engine", again="make room") as writer:
        writer.add(GAMES[writer.games :])
    assert read_shard(path).games == GAMES
