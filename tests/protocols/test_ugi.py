"""UGI from both ends: driving programs, serving players, and what is said between them."""

from __future__ import annotations

import shlex
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from queue import SimpleQueue

import pytest
from programs import BOTS, ROOT, bad, bot, children

import mossa
from mossa._core import Limits
from mossa.players import Choice
from mossa.players.clocks import Turn
from mossa.protocols import UgiPlayer, check_player, hosted, serve
from mossa.protocols.check import program_of
from mossa.protocols.gomocup.drive import GomocupPlayer
from mossa.protocols.ugi.drive import go_line, position_line, read_info, read_score, write_score
from mossa.search import Estimate, Exact

HOSTED = [sys.executable, "-P", "-u", "-m", "mossa", "engine", "ugi", "--player"]

posix = pytest.mark.skipif(sys.platform == "win32", reason="external programs are for POSIX")


# --- what is sent ---------------------------------------------------------------------------------


def test_positions() -> None:
    game = mossa.game("connect:4x4x3")
    assert position_line(game.start()) == "position startpos"
    assert position_line(game.position("12")) == "position startpos moves 1 2"
    board = game.from_text(game.position("12").text)
    assert position_line(board) == f"position fen {board.text}"
    assert position_line(board.play("3")) == f"position fen {board.text} moves 3"


@pytest.mark.parametrize(
    ("turn", "line"),
    [
        (Turn(Limits(), 60), "go"),
        (Turn(Limits(time=0.5), 1, 0.5), "go movetime 500"),
        (Turn(Limits(depth=4, nodes=100), 60), "go depth 4 nodes 100"),
        (
            Turn(Limits(time=1), 9, None, (10.0, -0.5), 0.5),
            "go p1time 10000 p1inc 500 p2time 0 p2inc 500",
        ),
        (
            Turn(Limits(time=1), 9, 2, (10.0, 9.0)),
            "go p1time 10000 p1inc 0 p2time 9000 p2inc 0 movetime 2000",
        ),
    ],
)
def test_limits_and_clocks(turn: Turn, line: str) -> None:
    start = mossa.game("connect:4x4x3").start()
    assert go_line(start, turn, set()) == line
    assert go_line(start, turn, {"searchmoves"}) == f"{line} searchmoves 1 2 3 4"


@pytest.mark.parametrize("score", [Exact(1, 7), Exact(-12), Exact(0, 3), Estimate(-35.5)])
def test_scores_there_and_back(score: mossa.Score) -> None:
    assert read_score(write_score(score).split()) == score


def test_info_lines() -> None:
    words = ["info", "depth", "7", "score", "cp", "35", "nodes", "1234", "pv", "4", "4", "5"]
    info = read_info(words, mossa.Move("4"), 0.5)
    assert info is not None
    assert (info.depth, info.nodes, info.score) == (7, 1234, Estimate(35))
    assert list(map(str, info.line)) == ["4", "4", "5"]
    for text in ("", "info depth 7", "info score", "info score cp", "info score mate 3"):
        assert read_info(text.split(), mossa.Move("4"), 0.5) is None


# --- serving --------------------------------------------------------------------------------------


def talk(*lines: str, player: str = "alphabeta:depth=3") -> list[str]:
    said: list[str] = []
    done = threading.Event()

    def feed() -> Iterator[str]:
        for line in lines:
            yield line
            if line.startswith("go") and "infinite" not in line:
                assert done.wait(60)
                done.clear()

    def write(line: str) -> None:
        said.append(line)
        if line.startswith("bestmove"):
            done.set()

    serve(player, feed(), write)
    return said


def test_the_handshake() -> None:
    said = talk("ugi", "isready", "quit")
    assert said[0].startswith("id name mossa ")
    assert said[-2:] == ["ugiok", "readyok"]
    assert "option name game type string default connect:6x7x4" in said


def test_a_player_says_a_game_that_it_plays() -> None:
    for player, game in (("bantumi", "kalah:6x4"), ("tris", "mnk:15x15x5")):
        option = f"option name game type string default {game}"
        assert option in talk("ugi", player=player)


def test_the_side_is_heard() -> None:
    assert talk("side first", "side second", "isready") == ["readyok"]


def test_why_there_is_no_move(tmp_path: Path) -> None:
    path = tmp_path / "bot.py"
    path.write_text("def crash(position):\n    1 / 0\ndef wrong(position):\n    return 'zz99'\n")
    crash = f"info string crash: {path}:2: ZeroDivisionError: division by zero"
    wrong = "info string illegal: invalid move 'zz99' in connect:6x7x4: a move is a column, 1 to 7"
    for name, why in (("crash", crash), ("wrong", wrong)):
        assert talk("go", player=f"{path}:{name}") == [why, "bestmove none"]


def test_a_game_over_ugi() -> None:
    said = talk(
        "setoption name game value mnk:3x3x3",
        "uginewgame",
        "position startpos moves a1 b1 a2 b2",
        "query p1turn",
        "query gameover",
        "query result",
        "go depth 2",
        "position startpos moves a1 b1 a2 b2 a3",
        "query gameover",
        "query result",
        "go",
    )
    assert said[:3] == ["response true", "response false", "response none"]
    assert "bestmove a3" in said
    assert any("score exact 1 in 1" in line for line in said)
    assert said[-4:-2] == ["response true", "response p1win"]
    assert said[-1] == "bestmove none"


def test_board_texts_are_served() -> None:
    game = mossa.game("connect4")
    text = game.position("1212121").text
    assert talk(f"position fen {text}", "query result") == ["response p1win"]


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("xyzzy", "info string unknown command 'xyzzy'"),
        ("position", "info string expected position startpos"),
        ("position startpos moves 9", "info string "),
        ("position fen ???", "info string "),
        ("setoption name hash value 3", "info string unknown option 'hash'"),
        ("setoption name game value chess", "info string unknown game 'chess'"),
        ("query weather", "response unknown"),
        ("side third", "info string expected side first or side second"),
    ],
)
def test_what_cannot_be_understood_is_told_and_forgotten(line: str, answer: str) -> None:
    said = talk(line, "", "\0", "isready")
    assert said[0].startswith(answer)
    assert said[-1] == "readyok"


def test_stop_ends_a_search_without_limits() -> None:
    lines: SimpleQueue[str] = SimpleQueue()
    said: SimpleQueue[str] = SimpleQueue()
    for line in ("position startpos", "go infinite", "stop"):
        lines.put(line)
    thread = threading.Thread(target=serve, args=("mcts", iter(lines.get, "quit"), said.put))
    thread.start()
    while not said.get(timeout=60).startswith("bestmove"):
        pass
    lines.put("quit")
    thread.join(60)
    assert not thread.is_alive()


def test_the_clock_is_shared_out() -> None:
    class Watch:
        name = "watch"
        seen: float | None = None

        def choose(self, position: mossa.Position, limits: Limits) -> Choice:
            Watch.seen = limits.time
            return Choice(position.moves[0])

    from mossa.players import Group, PlayerKind, register

    register(
        PlayerKind(
            "watch-test", "", lambda options: Watch(), group=Group.people, example="watch-test"
        )
    )
    try:
        talk(
            "position startpos", "go p1time 50000 p1inc 1000 p2time 9 p2inc 0", player="watch-test"
        )
        assert Watch.seen == pytest.approx(50 / 21 + 0.8)  # 42 cells are left
        talk("position startpos", "go movetime 250", player="watch-test")
        assert Watch.seen == 0.25
    finally:
        from mossa.players import registry

        del registry._KINDS["watch-test"]


@posix
def test_the_command_serves(tmp_path: object) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mossa", "engine", "ugi", "--player", "random:seed=1"],
        input="ugi\nposition startpos\ngo\nquit\n",
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0
    assert "bestmove" in done.stdout
    assert not done.stderr


# --- driving --------------------------------------------------------------------------------------


@posix
@pytest.mark.parametrize("language", ["python", "java", "c"])
def test_starter_bots_play_every_game(language: str) -> None:
    spec = "ugi:" + shlex.join(bot(language))
    for game in ("connect4", "kalah,swap=yes", "mnk:20x20x5"):
        record = mossa.match(spec, "random:seed=1", game, time=10)
        assert "forfeit" not in record.extra, record.extra["end"]


@posix
@pytest.mark.parametrize("language", ["python", "java", "c"])
def test_starter_bots_pass_the_checks(language: str) -> None:
    checks = list(check_player(UgiPlayer(bot(language)), mossa.game("connect4"), margin=5))
    assert [check for check in checks if not check.passed] == []
    assert len(checks) == 13


def test_the_starter_bot_is_short_and_tells_how_to_start() -> None:
    text = (BOTS / "bot.py").read_text(encoding="utf-8")
    assert len(text.splitlines()) < 60
    assert "mossa match" in text
    assert "examples/bots/bot.py" in (ROOT / "docs" / "ugi.md").read_text(encoding="utf-8")


@posix
def test_our_own_engine_tells_what_it_found() -> None:
    spec = f"ugi:{sys.executable} -m mossa engine ugi --player alphabeta:depth=4"
    record = mossa.match(spec, "random:seed=1", "connect4", time=20)
    assert "forfeit" not in record.extra
    depths, nodes, scores = (record.extra[name] for name in ("depths", "nodes", "scores"))
    assert isinstance(depths, list) and isinstance(nodes, list) and isinstance(scores, list)
    assert depths[0] == 4
    assert nodes[0] > 10
    assert scores[0]["text"].startswith("~ ")


def test_python_in_a_file_has_the_time_to_start_that_a_match_gives_it() -> None:
    """It had ten seconds, whatever --start and a suite said."""
    player = hosted("bot.py:choose")
    player.limit(memory=100, start=77)
    assert player.start == 77
    assert player.anew().start == 77


@posix
def test_a_program_lives_from_game_to_game_and_starts_again_after_its_death() -> None:
    player = UgiPlayer(bot("python"))
    try:
        start = mossa.game("connect4").start()
        player.choose(start, Limits(time=10))
        [pid] = children()
        player.choose(mossa.game("kalah").start(), Limits(time=10))
        assert children() == {pid}
        player.kill()
        assert not children()
        player.choose(start, Limits(time=10))
        assert len(children()) == 1
    finally:
        player.close()
    assert not children()


LOG_BOT = ROOT / "tests" / "protocols" / "log_bot.py"


def logged(log: Path, *arguments: str) -> list[str]:
    return [sys.executable, "-S", "-E", str(LOG_BOT), str(log), *arguments]


@posix
def test_programs_are_told_their_side_before_the_first_go(tmp_path: Path) -> None:
    paths = [tmp_path / "first", tmp_path / "second"]
    first, second = (f"ugi:{shlex.join(logged(path))}" for path in paths)
    record = mossa.match(first, second, "tictactoe", time=20)
    assert "forfeit" not in record.extra
    for path in paths:
        lines = path.read_text().splitlines()
        words = [line.split()[0] for line in lines]
        assert lines.count(f"side {path.name}") == words.count("side") == 1
        assert words[: words.index("go")] == [
            "ugi", "setoption", "uginewgame", "isready", "side", "position"
        ]  # fmt: skip


@posix
def test_a_program_that_plays_both_sides_is_told_whose_move_it_is(tmp_path: Path) -> None:
    player = UgiPlayer(logged(tmp_path / "log"))
    try:
        position = mossa.game("tictactoe").start()
        for _ in range(3):
            position = position.play(player.choose(position, Limits(time=20)).move)
    finally:
        player.close()
    told = [line for line in (tmp_path / "log").read_text().splitlines() if "side" in line]
    assert told == ["side first", "side second", "side first"]


@posix
def test_a_program_with_a_time_limit_of_its_own(tmp_path: Path) -> None:
    spec = f"ugi:time=0.7,{shlex.join(logged(tmp_path / 'log'))}"
    for given, told in (({}, "700"), ({"time": 9.0}, "700"), ({"time": 0.5}, "500")):
        conditions = mossa.Conditions(**given, margin=20)  # type: ignore[arg-type]
        record = mossa.match(spec, "random:seed=1", "tictactoe", conditions=conditions)
        assert "forfeit" not in record.extra
        lines = (tmp_path / "log").read_text().splitlines()
        assert [line for line in lines if line.startswith(f"go movetime {told} ")]
    slow = bad("stall").replace("ugi:", "ugi:time=0.2,")
    record = mossa.match(slow, "random", "tictactoe", time=60)
    told = "first ran out of time: no answer; the limit is 0.2 s, plus 0.1 s of grace"
    assert record.extra["end"] == told


def test_options_before_the_command() -> None:
    timed = mossa.player("gomocup:time=1.5,start=3,./brain")
    assert isinstance(timed, GomocupPlayer)
    assert (timed.command, timed._time, timed.start) == (["./brain"], 1.5, 3)
    player = mossa.player("ugi:start=3,memory=99,./bot --depth=3,4 x=y")
    assert isinstance(player, UgiPlayer)
    assert player.command == ["./bot", "--depth=3,4", "x=y"]
    assert (player.start, player._memory) == (3, 99)
    player.limit(memory=1, start=1)  # what the spec says wins
    assert (player.start, player._memory) == (3, 99)
    with pytest.raises(mossa.InvalidPlayerError, match="invalid value 'x' of 'start'"):
        mossa.player("ugi:start=x,./bot")
    with pytest.raises(mossa.InvalidPlayerError, match="no command"):
        mossa.player("ugi:")
    with pytest.raises(mossa.InvalidPlayerError, match="No closing quotation"):
        mossa.player("ugi:'")


# --- checking -------------------------------------------------------------------------------------


@posix
@pytest.mark.parametrize(
    ("how", "failing"),
    [
        ("mute", {"handshake"}),
        ("illegal", {"first move", "reply", "legal moves", "whole game", "second game",
                     "deadlines", "clock", "board text"}),
        ("undying", {"quit", "whole game"}),
    ],
)  # fmt: skip
def test_the_checks_find_what_is_wrong(how: str, failing: set[str]) -> None:
    command = shlex.split(bad(how).removeprefix("ugi:"))
    checks = list(check_player(UgiPlayer(command, start=2), mossa.game("connect4"), margin=5))
    found = {check.name for check in checks if not check.passed}
    assert found == failing
    assert all(check.detail for check in checks)


@posix
@pytest.mark.parametrize(
    ("said", "game"),
    [
        ([], "connect:6x7x4"),
        (["default kalah:6x3"], "kalah:6x3"),
        (["var tictactoe var gomoku"], "mnk:3x3x3"),
    ],
)
def test_a_program_is_tried_at_what_it_says_it_plays(
    said: list[str], game: str, tmp_path: Path
) -> None:
    program = UgiPlayer(logged(tmp_path / "log", *said), start=30)
    handshake = next(check_player(program))
    assert (handshake.passed, handshake.detail) == (True, f"it is ready for {game}")
    program = UgiPlayer(logged(tmp_path / "log", *said), start=30)
    assert next(check_player(program, mossa.game("connect:4x4x3"))).detail.endswith("4x4x3")


@posix
def test_a_program_of_a_game_that_we_do_not_play(tmp_path: Path) -> None:
    [check] = check_player(UgiPlayer(logged(tmp_path / "log", "default chess"), start=30))
    assert not check.passed
    assert check.detail.startswith("unknown game 'chess'")


@pytest.mark.parametrize(
    ("spec", "command"),
    [
        ("ugi:./bot -x", ["./bot", "-x"]),
        ("./bot -x", ["./bot", "-x"]),
        ("bantumi:hands=2", [*HOSTED, "bantumi:hands=2"]),
        ("my_file.py:bot", [*HOSTED, "my_file.py:bot"]),
    ],
)
def test_any_player_is_a_program_to_be_tried(spec: str, command: list[str]) -> None:
    program = program_of(spec)
    assert isinstance(program, UgiPlayer)
    assert program.command == command
    assert isinstance(program_of("gomocup:./brain"), GomocupPlayer)
    assert isinstance(program_of("./brain", protocol="gomocup"), GomocupPlayer)


@posix
def test_a_program_that_does_not_exist_fails_its_handshake() -> None:
    [check] = check_player(UgiPlayer(["/nowhere/bot"]), mossa.game("connect4"))
    assert not check.passed
    assert check.detail == "cannot start '/nowhere/bot': No such file or directory"
