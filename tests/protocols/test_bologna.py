"""Java players of the courses in Bologna: their specs, and how they play."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import cast

import pytest
from command import posix
from java_files import folder_of, source
from programs import children

import mossa
from mossa._core import Limits
from mossa.errors import InvalidPlayerError, PlayerFailedError
from mossa.players.clocks import Conditions, Turn
from mossa.protocols import check_player
from mossa.protocols.bologna.drive import BolognaConnectPlayer, BolognaMnkPlayer
from mossa.protocols.bologna.frameworks import CONNECT, FRAMEWORKS, MNK, Framework
from mossa.protocols.check import program_of as program_to_check

HERE = Path(__file__).parent / "bologna"

java = pytest.mark.skipif(
    shutil.which("javac") is None, reason="there is no JDK here: no Java player is tried"
)

pytestmark = posix


# --- specs ----------------------------------------------------------------------------------------


def test_options_before_the_path(tmp_path: Path) -> None:
    place = folder_of(tmp_path / "a,b=c", Mine=source("Mine"))
    player = mossa.player(f"bologna-mnk:heap=512,time=2,start=30,memory=2048,{place}")
    assert isinstance(player, BolognaMnkPlayer)
    assert (player._heap, player._time, player._memory, player.start) == (512, 2, 2048, 30)
    twin = player.anew()
    assert (twin._heap, twin._time, twin.name) == (512, 2, player.name)
    with pytest.raises(InvalidPlayerError, match="invalid value '1' of 'heap'"):
        mossa.player(f"bologna-mnk:heap=1,{place}")
    with pytest.raises(InvalidPlayerError, match="invalid player 'bologna-connect:"):
        mossa.player(f"bologna-connect:{place}")


def test_what_they_play(tmp_path: Path) -> None:
    mnk = BolognaMnkPlayer([str(folder_of(tmp_path / "m", A=source("A")))])
    connect = BolognaConnectPlayer(
        [str(folder_of(tmp_path / "c", A=source("A", "implements CXPlayer")))]
    )
    names = ("mnk:7x7x4", "mnk:9x9x5,exact=yes", "connect4", "kalah", "breakthrough:5x5")
    games = [mossa.game(name) for name in names]
    assert [mnk.plays(game) for game in games] == [True, False, False, False, False]
    assert [connect.plays(game) for game in games] == [False, False, True, False, False]
    with pytest.raises(InvalidPlayerError, match="does not play kalah"):
        mossa.match(mnk, "random", "kalah")


@pytest.mark.parametrize(
    ("own", "given", "seconds"),
    [
        (None, 10, 10),
        (None, 2.9, 2),
        (None, 0.1, 1),
        (3, 10, 3),
        (20, 10, 10),
        (None, None, 10),
        (None, 1e9, 3600),
    ],
)
def test_whole_seconds(
    own: float | None, given: float | None, seconds: int, tmp_path: Path
) -> None:
    player = BolognaMnkPlayer([str(folder_of(tmp_path, A=source("A")))], time=own)
    assert player._seconds(given) == seconds


def test_about_how_long_a_move_may_take() -> None:
    assert Conditions().usual_time is None
    assert Conditions(time=3).usual_time == 3
    assert Conditions.of(clock="60+1").usual_time == pytest.approx(2.8)
    assert Conditions(time=1, clock=600).usual_time == 1


@pytest.mark.parametrize("framework", FRAMEWORKS, ids=lambda each: each.name)
def test_what_comes_with_the_package(framework: Framework) -> None:
    for path in [*framework.host_files, *map(framework.stand_in, framework.types)]:
        assert path.read_text(encoding="utf-8").startswith("package ")


# --- with Java ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def shared_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def odd(shared_cache: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """What the odd players do; they are compiled once for all tests."""
    monkeypatch.setenv("MOSSA_CACHE", str(shared_cache))
    yield monkeypatch
    assert not children()


def forfeit_of(record: mossa.Record) -> dict[str, str]:
    return cast(dict[str, str], record.extra["forfeit"])


ODD = f"bologna-mnk:{HERE / 'mnk'}"
ODD_COLUMN = f"bologna-connect:{HERE / 'connect'}"


@java
@pytest.mark.parametrize("how", ["good", "print", "read", "threads", "interrupt"])
def test_a_player_may_do_as_it_likes_between_its_moves(how: str, odd: pytest.MonkeyPatch) -> None:
    odd.setenv("MOSSA_ODD", how)
    record = mossa.match(ODD, "random:seed=1", "tictactoe", time=5)
    assert "forfeit" not in record.extra


@java
@pytest.mark.parametrize(
    ("how", "kind", "reason"),
    [
        ("constructor", "start",
         "java.lang.IllegalStateException: not today at odd.Odd.<init> (Odd.java:15); what it"),
        ("init", "start",
         "java.lang.IllegalStateException: no board for me at odd.Odd.initPlayer (Odd.java:20); "),
        ("throw", "crash", "java.lang.ArrayIndexOutOfBoundsException: "),
        ("recurse", "crash", "java.lang.StackOverflowError at odd.Odd.selectCell (Odd.java:"),
        ("heap", "crash", "java.lang.OutOfMemoryError: Java heap space at odd.Odd.selectCell "),
        ("exit", "crash", "ended with exit code 3; it said 'the player called System.exit'"),
        ("hang", "time", "no answer; the limit is 0.2 s, plus 0.1 s of grace"),
        ("null", "output", "selectCell returned null"),
        ("off", "illegal", "selectCell returned the cell -1,99, which is off the board"),
        ("occupied", "illegal", "illegal move '"),
    ],
)  # fmt: skip
def test_a_player_that_fails_loses_its_game_and_nothing_else(
    how: str, kind: str, reason: str, odd: pytest.MonkeyPatch
) -> None:
    odd.setenv("MOSSA_ODD", how)
    spec = ODD.replace(":", ":heap=64,", 1)
    time = 0.2 if how == "hang" else 10.0
    record = mossa.match(spec, "random:seed=1", "tictactoe", time=time)
    assert record.result == "0-1"
    forfeit = forfeit_of(record)
    assert (forfeit["side"], forfeit["kind"]) == ("first", kind)
    assert forfeit["reason"].startswith(reason) and "\n" not in forfeit["reason"]
    if " is in " in forfeit["reason"]:  # the whole of it is in the log
        log = Path(forfeit["reason"].rpartition(" is in ")[2])
        assert "\tat odd.Odd." in log.read_text()


@java
def test_what_a_player_is_told(odd: pytest.MonkeyPatch) -> None:
    odd.setenv("MOSSA_ODD", "told")
    game = mossa.game("mnk:4x5x3")
    # a1 is the bottom left cell, in row 3 of theirs.
    record = mossa.match("random", ODD, game, opening="a1 b4 e1", time=2.9)
    assert forfeit_of(record)["reason"].startswith(
        "java.lang.IllegalStateException: 4 5 3 false 2 games 1 marked 3,0P1;0,1P2;3,4P1; at odd"
    )
    record = mossa.match(ODD, "random", game, clock="300+1")
    assert ": 4 5 3 true 10 games 1 marked at odd" in forfeit_of(record)["reason"]
    record = mossa.match("random", ODD_COLUMN, "connect:4x5x4", opening="5 5 1", time=1)
    assert ": 3,4P12,4P23,0P1 at odd" in forfeit_of(record)["reason"]


@java
def test_the_time_to_begin_is_not_that_of_a_move(odd: pytest.MonkeyPatch) -> None:
    odd.setenv("MOSSA_ODD", "slow init")
    assert "forfeit" not in mossa.match("random", ODD, "tictactoe", time=0.9).extra
    player = mossa.player(ODD)
    player.limit(memory=1024, start=0.7)
    position = mossa.game("tictactoe").start()
    with pytest.raises(PlayerFailedError, match=r"not ready within 0\.7 s"):
        player.choose_within(position, Turn(Limits(time=5), 5, 5))


@java
def test_a_board_that_was_set_up_is_refused(odd: pytest.MonkeyPatch) -> None:
    game = mossa.game("tictactoe")
    player = mossa.player(ODD)
    with pytest.raises(PlayerFailedError, match="cannot start from a board that was set up"):
        player.ask(game.from_text(game.position("a1").text), Limits(time=5))
    player.close()


@java
@pytest.mark.parametrize(
    ("how", "reason"),
    [
        ("good", None),
        ("full", "column 1 is full"),
        ("off", "selectColumn returned 5, and the columns are 0 to 4"),
    ],
)
def test_columns(how: str, reason: str | None, odd: pytest.MonkeyPatch) -> None:
    odd.setenv("MOSSA_ODD", how)
    record = mossa.match(ODD_COLUMN, ODD_COLUMN, "connect:4x5x4", time=5)
    if reason is None:
        assert record.result == "1-0" and record.extra["end"] == "4 in a row"
    else:
        assert forfeit_of(record)["kind"] == "illegal"
        assert reason in forfeit_of(record)["reason"]


@java
@pytest.mark.slow
def test_wide_boards_have_columns_of_two_letters(odd: pytest.MonkeyPatch) -> None:
    odd.setenv("MOSSA_ODD", "occupied")
    game = mossa.game("mnk:3x60x3")
    for move in ("z1", "aa2", "az3", "ba1", "bh3"):
        player = mossa.player(ODD)
        with pytest.raises(PlayerFailedError, match=f"illegal move '{move}'"):
            player.ask(game.position(move), Limits(time=10))
        player.close()


@java
@pytest.mark.slow
def test_a_tournament_goes_on(tmp_path: Path, odd: pytest.MonkeyPatch) -> None:
    odd.setenv("MOSSA_ODD", "exit")
    report = mossa.tournament(
        {"bad": ODD, "one": "random:seed=1", "two": "random:seed=2"},
        ["tictactoe"],
        time=5,
        plies=0,
        store=tmp_path / "games.db",
    )
    assert report.complete and report.done == 6
    assert {row["player"]: row["forfeits"] for row in report.standings} == {
        "bad": 4, "one": 0, "two": 0,
    }  # fmt: skip


@java
@pytest.mark.slow
def test_the_checks(odd: pytest.MonkeyPatch) -> None:
    program = program_to_check(ODD, start=30)
    checks = {each.name: each for each in check_player(program, margin=5)}
    assert [each for each in checks.values() if not each.passed] == []
    assert checks["handshake"].detail == "odd.Odd is ready for mnk:3x3x3"
    assert not {"legal moves", "board text", "stop"} & set(checks)


def compiled(folder: Path, *files: str | Path, classpath: Sequence[Path] = ()) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = os.pathsep.join(map(str, classpath)) or "."
    subprocess.run(["javac", "-nowarn", "-cp", path, "-d", folder, *files], check=True)
    return folder


@java
@pytest.mark.slow
def test_a_player_of_another_version_of_the_framework(
    tmp_path: Path, odd: pytest.MonkeyPatch
) -> None:
    """Its classes call a method that boards do not have here."""
    types = {each: MNK.stand_in(each).read_text() for each in MNK.types}
    board = types["MNKBoard"].replace("public void reset", "public void later() {}\nvoid reset", 1)
    other = folder_of(tmp_path / "framework", **(types | {"MNKBoard": board}))
    framework = compiled(tmp_path / "fw", *other.glob("*.java"))
    late = source("Late").replace("{}", """{
        public void initPlayer(int M, int N, int K, boolean f, int t) {
            new MNKBoard(M, N, K).later(); }
        public MNKCell selectCell(MNKCell[] FC, MNKCell[] MC) { return FC[0]; }
        public String playerName() { return "Late"; } }""")  # fmt: skip
    lone = folder_of(tmp_path / "player", Late=late)
    classes = compiled(tmp_path / "classes", lone / "Late.java", classpath=[framework])

    record = mossa.match(f"bologna-mnk:{classes}", "random", "tictactoe", time=5)
    assert forfeit_of(record)["kind"] == "start"
    assert "java.lang.NoSuchMethodError" in forfeit_of(record)["reason"]
    with pytest.raises(InvalidPlayerError) as error:  # its source does not compile here
        mossa.match(f"bologna-mnk:{lone}", "random", "tictactoe", time=5)
    assert str(error.value).endswith(
        "javac cannot compile it: p/Late.java:5: cannot find symbol: method later()"
    )
    shutil.copytree(framework, classes, dirs_exist_ok=True)  # with its own framework it plays
    jar = shutil.make_archive(str(tmp_path / "player"), "zip", classes)
    for path in (classes, jar):
        record = mossa.match(f"bologna-mnk:{path}", "random", "tictactoe", time=5)
        assert "forfeit" not in record.extra


@java
@pytest.mark.slow
def test_a_folder_is_compiled_as_far_as_the_player_needs_it(
    tmp_path: Path, odd: pytest.MonkeyPatch
) -> None:
    """Folders of courses hold what does not compile, and classes in files of other names."""
    mine = source("Mine").replace("{}", """{
        public void initPlayer(int M, int N, int K, boolean f, int t) { Help.me(); }
        public MNKCell selectCell(MNKCell[] FC, MNKCell[] MC) { return FC[0]; }
        public String playerName() { return "Mine"; } }""")  # fmt: skip
    place = folder_of(
        tmp_path,
        src__Mine=mine,
        src__Tools="package p; class Help { static void me() {} }",
        test__Broken="package q; import org.junit.*; class Broken {",
    )
    assert "forfeit" not in mossa.match(f"bologna-mnk:{place}", "random", "tictactoe").extra
    folder_of(tmp_path, src__Tools="package p; class Help { void you() {} }")
    with pytest.raises(
        InvalidPlayerError, match=r"p/Mine\.java:4: cannot find symbol: variable Help"
    ):
        mossa.match(f"bologna-mnk:{place}", "random", "tictactoe")


@java
@pytest.mark.slow
@pytest.mark.parametrize(
    ("head", "reason"),
    [
        ("Mine(int size) {}", "p.Mine has no constructor without arguments"),
        ("static int x = 1 / 0;", "java.lang.ArithmeticException: / by zero at p.Mine.<clinit>"),
    ],
)
def test_a_class_that_cannot_be_made(
    head: str, reason: str, tmp_path: Path, odd: pytest.MonkeyPatch
) -> None:
    place = folder_of(tmp_path, Mine=source("Mine").replace("{}", f"""{{ {head}
        public void initPlayer(int M, int N, int K, boolean f, int t) {{}}
        public MNKCell selectCell(MNKCell[] FC, MNKCell[] MC) {{ return FC[0]; }}
        public String playerName() {{ return "Mine"; }} }}"""))  # fmt: skip
    try:
        record = mossa.match(f"bologna-mnk:{place}", "random", "tictactoe")
        told = forfeit_of(record)["reason"]
    except InvalidPlayerError as error:  # it is refused before the first game
        told = str(error)
    assert reason in told


@java
@pytest.mark.slow
@pytest.mark.parametrize("framework", [MNK, CONNECT], ids=lambda each: each.name)
def test_the_stand_ins_know_the_rules(framework: Framework, tmp_path: Path) -> None:
    """Random games on a board of the framework end as they do under our rules."""
    is_mnk = framework is MNK
    main = HERE / ("Replay.java" if is_mnk else "ReplayColumns.java")
    classes = compiled(tmp_path / "c", main, *map(framework.stand_in, framework.types))
    game = mossa.game("mnk:4x5x4" if is_mnk else "connect:4x5x4")
    lines, ends = [], []
    for seed in range(200):
        record = mossa.match(f"random:seed={seed}", f"random:seed={seed + 999}", game)
        moves = [str(move) for move in record.moves]
        lines.append(" ".join(
            f"{4 - int(move[1:])},{ord(move[0]) - ord('a')}" if is_mnk else f"0,{int(move) - 1}"
            for move in moves
        ))  # fmt: skip
        ends.append({"1-0": "WINP1", "0-1": "WINP2", "1/2": "DRAW"}[record.result])
    assert len(set(ends)) == 3
    done = subprocess.run(
        ["java", "-cp", classes, main.stem, "4", "5", "4"],
        input="\n".join(lines) + "\n", capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.split() == ends
