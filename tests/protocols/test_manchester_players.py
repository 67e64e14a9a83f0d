"""Programs of Manchester's tournament as players here."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

import pytest
from command import call

import mossa
from mossa.protocols import check_player
from mossa.protocols.java import JRE
from mossa.protocols.manchester.drive import ManchesterPlayer
from mossa.protocols.manchester.serve import GAME

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="external programs are for POSIX")

COMMAND = [sys.executable, "-S", "-E", str(Path(__file__).with_name("manchester_bot.py"))]


def bot(fault: str = "", log: Path | None = None) -> str:
    more = [] if log is None else [str(log)]
    return "manchester:" + shlex.join([*COMMAND, fault, *more])


def stayer(position: mossa.Position) -> str:
    """A player that never swaps."""
    return str(position.moves[0])


def swapper(position: mossa.Position) -> str:
    """A player that swaps when it can."""
    return str(position.moves[-1] if "swap" in map(str, position.moves) else position.moves[0])


@pytest.mark.parametrize("other", ["random:seed=1", "random:seed=2", "random:seed=3"])
def test_whole_games_on_either_side(other: str) -> None:
    for players in ((bot(), other), (other, bot())):
        record = mossa.match(*players, GAME, time=20)
        assert "forfeit" not in record.extra, record.extra
        assert record.position.outcome is not None


@pytest.mark.parametrize("fault", ["", "swap"])
@pytest.mark.parametrize("opponent", [stayer, swapper])
@pytest.mark.parametrize("first", [True, False])
def test_what_it_hears_is_what_the_referee_of_the_course_says(
    tmp_path: Path, fault: str, opponent: mossa.players.PlayerLike, first: bool
) -> None:
    log = tmp_path / "log"
    own = bot(fault, log)
    south, north = (own, opponent) if first else (opponent, own)
    record = mossa.match(south, north, GAME, time=20)
    assert "forfeit" not in record.extra
    assert log.read_text().splitlines() == referee(record, first)


def referee(record: mossa.Record, first: bool) -> list[str]:
    """What the course's referee tells one of the players of a game; a second way to say it."""
    position = mossa.game(GAME).start()
    own = position.side if first else mossa.Side.second
    said = [f"START;{'South' if first else 'North'}"]
    rows_turned = False
    for move in record.moves:
        mover, position = position.side, position.play(move)
        if str(move) == "swap":
            rows_turned = True
            if mover is own:
                continue
        rows = list(position.cells)
        south, north = rows[::-1] if rows_turned else rows
        turn = "END" if position.outcome else "YOU" if position.side is own else "OPP"
        board = ",".join(map(str, [*north, *south]))
        said.append(f"CHANGE;{str(move).upper()};{board};{turn}")
    return [*said, "END"]


@pytest.mark.parametrize(
    ("fault", "kind", "reason"),
    [
        ("junk", "output", "'thinking hard ...' is not an answer: expected MOVE;N or SWAP"),
        ("number", "output", "'MOVE;one' is not an answer"),
        ("far", "illegal", "illegal move '99'"),
        ("late swap", "illegal", "illegal move 'swap'"),
        ("crash", "crash", "RuntimeError: no idea"),
        ("exit", "crash", "ended with exit code 3"),
        ("babble", "output", "is not an answer"),
        ("silent", "time", "no answer; the limit is 0.3 s"),
    ],
)
def test_one_that_errs_forfeits_with_the_reason(fault: str, kind: str, reason: str) -> None:
    limit = 0.3 if fault == "silent" else 20
    record = mossa.match(bot(fault), stayer, GAME, time=limit)
    forfeit = record.extra["forfeit"]
    assert isinstance(forfeit, dict)
    assert (forfeit["side"], forfeit["kind"]) == ("first", kind)
    assert reason in forfeit["reason"]


def test_the_next_game_has_a_process_of_its_own(tmp_path: Path) -> None:
    log = tmp_path / "log"
    report = mossa.tournament({"bot": bot("", log), "other": stayer}, [GAME], plies=0, time=20)
    assert report.done == 2 and not report.forfeits
    heard = log.read_text().splitlines()
    starts = [line for line in heard if line.startswith("START")]
    assert sorted(starts) == ["START;North", "START;South"]
    assert heard.count("END") >= 2


def test_no_openings() -> None:
    why = "plays whole games only: it takes no openings; a tournament without them has --plies 0"
    with pytest.raises(mossa.InvalidPlayerError, match=why):
        mossa.match(bot(), stayer, GAME, opening="1")
    with pytest.raises(mossa.InvalidPlayerError, match=why):
        mossa.tournament([bot(), "random"], [GAME])
    player = ManchesterPlayer([*COMMAND])
    position = mossa.game(GAME).position("1 2 3")
    for each in (position, position.game.from_text(position.text)):
        with pytest.raises(mossa.PlayerFailedError, match="the protocol is for whole games"):
            player.choose(each, mossa.Limits(time=10))
    player.close()


def test_a_player_may_be_asked_again_from_the_start() -> None:
    player = ManchesterPlayer([*COMMAND])
    start = mossa.game(GAME).start()
    try:
        for _ in range(2):
            assert player.choose(start, mossa.Limits(time=10)).move == "1"
            assert player.choose(start.play("2"), mossa.Limits(time=10)).move == "1"
    finally:
        player.close()


@pytest.mark.parametrize("game", ["connect4", "oware", "tictactoe"])
def test_only_kalah(game: str) -> None:
    with pytest.raises(mossa.InvalidPlayerError, match="does not play"):
        mossa.match(bot(), "random", game)


def test_other_sizes_and_rules_are_tried() -> None:
    """The protocol tells the board, not the rules: a program that can, plays any kalah."""
    assert ManchesterPlayer(COMMAND).plays(mossa.game("kalah"))


def test_the_checks() -> None:
    checks = list(check_player(ManchesterPlayer(COMMAND), margin=5))
    assert [each.name for each in checks if not each.passed] == []
    names = [each.name for each in checks]
    assert names == [
        "handshake",
        "first move",
        "reply",
        "whole game",
        "second game",
        "quit",
        "end of input",
    ]
    bad = check_player(ManchesterPlayer([*COMMAND, "junk"], start=0.5), margin=5)
    failed = {each.name for each in bad if not each.passed}
    assert {"first move", "reply", "whole game", "second game"} <= failed


def test_check_player_on_the_command_line() -> None:
    done = call("check-player", bot("number"))
    assert done.returncode == 1
    assert "'MOVE;one' is not an answer: expected MOVE;N or SWAP" in done.stdout


# --- jars -----------------------------------------------------------------------------------------


def test_a_jar_without_java(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("JAVA_HOME", raising=False)
    why = re.escape(f"does not start: {JRE.refusal}")
    with pytest.raises(mossa.InvalidPlayerError, match=why):
        mossa.match("manchester:agent.jar", "random", GAME)


def test_a_jar_is_run_by_java(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    java = tmp_path / "java"
    java.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/args\nexec {shlex.join(COMMAND)} "" \n')
    java.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    spec = "manchester:memory=400,'my agent.jar' deep"
    record = mossa.match(spec, "random:seed=1", GAME, time=20)
    assert "forfeit" not in record.extra
    assert (tmp_path / "args").read_text() == "-Xmx300m -jar my agent.jar deep\n"
