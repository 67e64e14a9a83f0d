"""Opening studies: what they hold, who looks into them, and what cannot be done to them."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import struct
import subprocess
import sys
import zlib
from pathlib import Path

import pytest
from command import call, posix
from programs import until_lines

import mossa
from mossa import BookError, Estimate, Exact, Game, GameError, Limits, Position
from mossa.solving.journal import Journal, journal_of, read_journal
from mossa.solving.study import Studied, Study, child_mark, study_bytes, study_name
from mossa.solving.study_build import Progress, check_study, study_opening

QUICK = "alphabeta:depth=4"


def make(game: str, plies: int, path: Path, *, player: str = QUICK, **options: object) -> Study:
    given = {"time": 10.0, "count": 1, **options}
    return study_opening(mossa.game(game), plies, path, player=player, **given)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("study") / "small.study"
    make("kalah:4x3", 5, path)
    return path


def wanted(game: Game, plies: int, study: Study) -> set[int]:
    """The positions that a study should hold, by the words of its description."""
    keys = set()
    for side in mossa.Side:
        level = {game.start().canonical_key: game.start()}
        for _ in range(plies):
            following: dict[int, Position] = {}
            for key, position in level.items():
                moves = position.moves
                if position.side is side:
                    keys.add(key)
                    found = study.get(position)
                    assert found is not None
                    moves = [found.move]
                for after in map(position.play, moves):
                    if after.outcome is None:
                        following[after.canonical_key] = after
            level = following
    return keys


# --- what is in it --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "plies"), [("kalah:4x3", 5), ("connect:4x4x3", 4), ("mnk:3x3x3", 4), ("bantumi", 2)]
)
def test_it_holds_the_best_moves_against_all_others(game: str, plies: int, tmp_path: Path) -> None:
    rules = mossa.game(game)
    study = make(game, plies, tmp_path / "a.study")
    assert study.game == rules
    assert (study.plies, study.player) == (plies, QUICK)
    assert len(wanted(rules, plies, study)) == study.positions == check_study(study)


def test_its_moves_and_scores_are_those_of_the_search(small: Path) -> None:
    study = Study.open(small)
    player = mossa.player(QUICK)
    position = study.game.start()
    for _ in range(study.plies):
        found = study.get(position)
        assert found is not None
        choice = player.choose(position, Limits())
        assert choice.info is not None
        assert (found.move, found.score, found.depth) == (
            choice.move,
            choice.info.score,
            choice.info.depth,
        )
        position = position.play(found.move)
    assert study.get(position) is None
    assert len(study.line(study.game.start())) == study.plies


def test_mirror_images_are_one_position(tmp_path: Path) -> None:
    study = make("mnk:4x4x3", 3, tmp_path / "a.study")
    game = study.game
    for moves in ("a1", "d1", "a4", "d4"):
        position = game.position(moves)
        found = study.get(position)
        assert found is not None
        # The same move, turned: it leads to the same canonical position.
        turned = study.get(game.position("a1"))
        assert turned is not None
        assert (
            position.play(found.move).canonical_key
            == game.position("a1").play(turned.move).canonical_key
        )
    from_text = game.from_text(game.position("d1").text)
    assert study.get(from_text) == study.get(game.position("d1"))


def test_scores_there_and_back() -> None:
    game = mossa.game("kalah:6x4")
    position = game.start()
    scores: list[mossa.Score] = [
        Exact(-12),
        Exact(1, 41),
        Estimate(3.5, margin=True),
        Estimate(float("-inf"), 9),
        Exact(0),
    ]
    for score in scores:
        mark = child_mark(position.play("3"))
        data = study_bytes(game, 1, "x", {position.canonical_key: Studied(mark, score, 17)})
        found = Study._read(data).get(position)
        assert found is not None
        assert (str(found.move), found.score, found.depth) == ("3", score, 17)


def test_width_follows_the_plausible_moves_only(tmp_path: Path) -> None:
    narrow = make("kalah:6x4", 4, tmp_path / "narrow.study", width=2, player="alphabeta:depth=2")
    wide = make("kalah:6x4", 4, tmp_path / "wide.study", player="alphabeta:depth=2")
    assert narrow.positions < wide.positions
    assert check_study(narrow) == narrow.positions


def test_other_games_and_positions(small: Path) -> None:
    study = Study.open(small)
    assert study.get(mossa.game("kalah:4x4").start()) is None
    assert study.get(mossa.game("kalah:4x3,empty_capture=yes").start()) is None
    deep = study.game.start()
    rng = random.Random(1)
    while deep.outcome is None:
        deep = deep.play(rng.choice(deep.moves))
    assert study.get(deep) is None


# --- files ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda data: data[:-1], "is damaged or incomplete"),
        (lambda data: data[: len(data) // 2], "is damaged or incomplete"),
        (lambda data: data[:60] + bytes([data[60] ^ 1]) + data[61:], "is damaged or incomplete"),
        (lambda data: b"", "is not an opening study"),
        (lambda data: b"PK" + data, "is not an opening study"),
        (lambda data: data[:8] + b"\x09" + data[9:], "is an opening study of format 9"),
        (lambda data: data + b"\0", "is damaged or incomplete"),
    ],
)
def test_bad_files_are_refused(small: Path, tmp_path: Path, change: object, why: str) -> None:
    path = tmp_path / "bad.study"
    path.write_bytes(change(small.read_bytes()))  # type: ignore[operator]
    with pytest.raises(BookError, match=why) as error:
        Study.open(path)
    assert str(path) in str(error.value)


def test_a_right_checksum_is_not_enough(small: Path, tmp_path: Path) -> None:
    data = small.read_bytes()[:-4]
    path = tmp_path / "bad.study"
    for changed, why in (
        (data.replace(b"kalah:4x3", b"kalah:4x?"), "is damaged: "),
        (data[:18] + struct.pack("<I", 9999) + data[22:], "is damaged: its positions"),
        (data[:-3], "is damaged: "),
    ):
        path.write_bytes(changed + struct.pack("<I", zlib.crc32(changed)))
        with pytest.raises(BookError, match=why):
            Study.open(path)


def test_random_damage_never_goes_unnoticed(small: Path, tmp_path: Path) -> None:
    data, path, rng = small.read_bytes(), tmp_path / "bad.study", random.Random(1)
    for _ in range(200):
        at = rng.randrange(len(data))
        path.write_bytes(data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :])
        with pytest.raises(BookError):
            Study.open(path)


# --- making it ------------------------------------------------------------------------------------


def test_it_goes_on_where_it_was_cut(small: Path, tmp_path: Path) -> None:
    """At whatever byte: what is whole is kept, and the file is the same."""
    path = tmp_path / "cut.study"
    write = Journal.write
    lines: list[str] = []

    def noted(self: Journal, text: str) -> None:
        write(self, text)
        lines.append(text)
        if len(lines) == 20:
            raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Journal, "write", noted)
        with pytest.raises(KeyboardInterrupt):
            make("kalah:4x3", 5, path)
    assert not path.exists()
    content = journal_of(path).read_bytes()
    for size in (0, 5, len(content) // 2, len(content) - 1, len(content)):
        path.unlink(missing_ok=True)
        journal_of(path).write_bytes(content[:size])
        told: list[Progress] = []
        make("kalah:4x3", 5, path, report=told.append)
        assert path.read_bytes() == small.read_bytes()
        assert not journal_of(path).exists()
        assert told[-1].done == told[-1].known == Study.open(path).positions


@posix
def test_a_killed_study_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "killed.study"
    command = [sys.executable, "-m", "mossa", "book", "study", "kalah:6x4", "--plies", "4"]
    command += ["--time", "0.03", "--workers", "1", "--output", str(path)]
    process = subprocess.Popen(command, text=True)
    until_lines(journal_of(path), 5, process)
    with pytest.raises(BookError, match=r"killed.study. is being made already"):
        study_opening(mossa.game("kalah:6x4"), 4, path, time=0.03)
    process.send_signal(signal.SIGKILL)
    process.wait()
    kept = journal_of(path).read_bytes()
    assert not path.exists()
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    study = Study.open(path)
    first = kept.splitlines()[1].split()
    assert int(first[0], 16) == study.game.start().canonical_key
    found = study.get(study.game.start())
    assert found is not None and child_mark(study.game.start().play(found.move)) == int(first[2])


def test_no_file_gets_larger_than_allowed(tmp_path: Path) -> None:
    path = tmp_path / "a.study"
    study = make("kalah:6x4", 4, path, player="alphabeta:depth=1", max_mb=0.002)
    assert path.stat().st_size <= 2100
    assert 1 < study.positions < 30
    assert check_study(study) == study.positions
    with pytest.raises(BookError, match="no room for a single position"):
        make("kalah:6x4", 4, tmp_path / "b.study", max_mb=0.00001)


def test_what_cannot_be_made(tmp_path: Path) -> None:
    path = tmp_path / "a.study"
    path.write_bytes(b"")
    with pytest.raises(BookError, match="is there already: remove it, or choose another name"):
        make("kalah:4x3", 2, path)
    with pytest.raises(GameError, match="unknown player"):
        make("kalah:4x3", 2, tmp_path / "b.study", player="xyzzy")
    with pytest.raises(GameError, match="does not report scores"):
        make("kalah:4x3", 2, tmp_path / "c.study", player="random")
    with pytest.raises(GameError, match="at least 1 ply"):
        make("kalah:4x3", 0, tmp_path / "d.study")
    journal_of(tmp_path / "e.study").write_bytes(b"mossa study journal 1: other\n")
    with pytest.raises(BookError, match="is of other work"):
        make("kalah:4x3", 2, tmp_path / "e.study")


# --- who looks into it ----------------------------------------------------------------------------


def own_book(folder: Path, game: Game, move: str, score: Exact | Estimate, owner: str = "") -> None:
    position = game.start()
    studied = Studied(child_mark(position.play(move)), score, 33)
    player = "alphabeta:hands=7,order=store"
    content = study_bytes(game, 1, player, {position.canonical_key: studied})
    (folder / study_name(game, owner)).write_bytes(content)


def test_the_engine_plays_from_a_study_of_your_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MOSSA_BOOKS", str(tmp_path))
    game = mossa.game("kalah:5x3")
    own_book(tmp_path, game, "2", Estimate(4.0, margin=True))
    choice = mossa.player("engine").choose(game.start(), Limits(time=0.05))
    assert choice.info is not None
    assert (str(choice.move), choice.info.score, choice.info.nodes) == (
        "2",
        Estimate(4.0, margin=True),
        0,
    )
    assert (choice.info.depth, [str(move) for move in choice.info.line]) == (33, ["2"])
    without = mossa.player("engine:book=off").choose(game.start(), Limits(time=0.05))
    assert without.info is not None and without.info.nodes > 0
    # An estimate is no use to who compares depths; what is proven is.
    compared = mossa.player("engine").choose(game.start(), Limits(depth=2))
    assert compared.info is not None and compared.info.depth <= 2
    own_book(tmp_path, game, "3", Exact(7))
    proven = mossa.player("engine").choose(game.start(), Limits(depth=2))
    assert proven.info is not None and proven.info.score == Exact(7)


def test_a_damaged_study_of_your_own_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MOSSA_BOOKS", str(tmp_path))
    game = mossa.game("kalah:5x3")
    (tmp_path / study_name(game)).write_bytes(b"mossast\n" + b"\0" * 30)
    with pytest.raises(BookError, match=r"kalah-5x3\.study"):
        mossa.player("engine").choose(game.start(), Limits(time=0.05))


def test_a_folder_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOSSA_BOOKS", "no/such/folder")
    with pytest.raises(BookError, match="MOSSA_BOOKS is 'no/such/folder', which is not a folder"):
        Study.find(mossa.game("kalah"))


@posix
def test_ctrl_c_keeps_what_is_studied(tmp_path: Path) -> None:
    path = tmp_path / "stopped.study"
    command = [sys.executable, "-m", "mossa", "book", "study", "kalah:6x4", "--plies", "6"]
    command += ["--time", "0.05", "--workers", "1", "--output", str(path)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    until_lines(journal_of(path), 3, process)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    assert re.fullmatch(r"mossa: stopped: \d+ positions? kept; the same command goes on\n", errors)
    assert journal_of(path).exists() and not path.exists()


def test_bantumi_open_plays_from_its_own_study(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MOSSA_BOOKS", str(tmp_path))
    game = mossa.game("kalah:5x3")
    own_book(tmp_path, game, "2", Estimate(4.0, margin=True))
    own_book(tmp_path, game, "1", Estimate(2.0, margin=True), "bantumi-open")
    choice = mossa.player("bantumi-open").choose(game.start(), Limits(time=5))
    assert choice.info is not None
    assert (str(choice.move), choice.info.nodes) == ("1", 0)
    # A study of another depth in hands is not its own.
    other = mossa.player("bantumi-open:hands=1").choose(game.start(), Limits(time=5))
    assert other.info is not None and other.info.nodes > 0


DATA = Path(mossa.__file__).parent / "data"


@pytest.mark.parametrize("path", sorted(DATA.glob("*.study")), ids=lambda path: path.name)
def test_what_is_shipped(path: Path) -> None:
    study = Study.open(path)
    assert path.stat().st_size < 200_000
    owner = path.name.removesuffix(".study").removeprefix(study_name(study.game)[:-6]).lstrip(".")
    assert path.name == study_name(study.game, owner)
    assert Study.find(study.game, owner) == study
    assert check_study(study) == study.positions


@pytest.mark.parametrize("options", ["", ":hands=3", ":time=2", ":nodes=9,study=1,hands=3"])
def test_the_report_s_player_has_a_study(options: str) -> None:
    """Options that do not change what the study is about still find it."""
    game = mossa.game("bantumi")
    choice = mossa.player(f"bantumi-open{options}").choose(game.start(), Limits(time=5))
    assert choice.info is not None and choice.info.nodes == 0
    assert str(choice.move) == "6"


# --- the command ----------------------------------------------------------------------------------


def test_the_command(tmp_path: Path) -> None:
    path = tmp_path / "a.study"
    options = ("--plies", "3", "--time", "5", "--player", QUICK, "--workers", "1")
    done = call("book", "study", "kalah:4x3", *options, "--output", str(path))
    assert done.returncode == 0, done.stderr
    assert "kalah:4x3, the first 3 moves, studied by alphabeta:depth=4" in done.stdout
    info = json.loads(call("book", "info", str(path), "--json").stdout)
    assert info["game"] == "kalah:4x3" and len(info["line"]) == 3
    shown = call("book", "show", str(path)).stdout
    assert shown.startswith("kalah:4x3: first (bottom) to move\nbest ")
    data = json.loads(call("book", "show", str(path), "--json").stdout)
    assert data["line"] == info["line"] and data["depth"] == 4
    assert call("book", "show", str(path), "1 2 3 4").stdout.endswith("not studied\n")
    assert "come up, all is right" in call("book", "check", str(path)).stdout
    assert json.loads(call("book", "check", str(path), "--json").stdout)["wrong"] == 0
    again = call("book", "study", "kalah:4x3", *options, "--output", str(path))
    assert again.returncode == 2
    assert "is there already" in again.stderr


def test_the_command_on_other_files(tmp_path: Path) -> None:
    shipped = str(DATA / "connect-6x7x4.book")
    shown = call("book", "show", shipped, "44").stdout.splitlines()
    assert shown[0].startswith("connect:6x7x4 after 4 4")
    assert shown[1].startswith("score ") and len(shown) == 9
    assert call("book", "show", shipped, "4444").returncode == 0
    bad = tmp_path / "bad"
    bad.write_bytes(b"what?")
    for command in ("info", "show", "check"):
        done = call("book", command, str(bad))
        assert done.returncode == 2
        assert "is not a book of mossa" in done.stderr
    assert call("book", "info", str(tmp_path / "none")).returncode == 2


def test_on_a_cluster(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    os.environ.setdefault("DASK_DISTRIBUTED__LOGGING__DISTRIBUTED", "error")
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None
    ) as cluster:
        path = tmp_path / "a.study"
        study = make("kalah:4x3", 3, path, cluster=cluster.scheduler_address)
    assert study.positions == check_study(study)


def test_a_journal_is_read_while_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    with Journal(path, "some work") as journal:
        assert read_journal(path) == ("some work", [])
        journal.write("one")
        journal.write("two 2")
        assert read_journal(path) == ("some work", ["one", "two 2"])
        path.write_bytes(path.read_bytes() + b"three, cut sho")
        assert read_journal(path) == ("some work", ["one", "two 2"])
    with Journal(path, "some work") as journal:
        assert journal.known == ["one", "two 2"]
