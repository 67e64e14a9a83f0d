"""Brains of Gomocup as players."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

import mossa
from mossa.protocols import check_player
from mossa.protocols.gomocup.drive import GomocupPlayer

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="external programs are for POSIX")

COMMAND = [sys.executable, "-S", "-E", str(Path(__file__).with_name("brain.py"))]


def brain(fault: str = "") -> str:
    return "gomocup:" + shlex.join([*COMMAND, fault])


@pytest.mark.parametrize("game", ["gomoku", "mnk:3x5x3", "tictactoe"])
def test_a_brain_plays_on_squares_and_rectangles(game: str) -> None:
    record = mossa.match(brain(), "random:seed=2", game, time=10)
    assert "forfeit" not in record.extra
    record = mossa.match("random:seed=2", brain(), game, clock="60+1")
    assert "forfeit" not in record.extra


def test_a_brain_goes_on_from_an_opening_and_a_board() -> None:
    record = mossa.match(brain(), brain(), "mnk:7x7x5", opening="d4 d5 e4", time=10)
    assert "forfeit" not in record.extra
    game = mossa.game("mnk:5x5x4")
    position = game.from_text(game.position("c3 c4 b3").text)
    player = GomocupPlayer(COMMAND)
    try:
        # The first free cell from the top left.
        assert player.choose(position, mossa.Limits(time=10)).move == "a5"
    finally:
        player.close()


@pytest.mark.parametrize(
    ("fault", "kind", "reason"),
    [
        ("off", "illegal", "'99,99' is off the board"),
        ("babble", "output", "'my move is h8' is not a move: expected x,y"),
        ("taken", "illegal", "illegal move"),
    ],
)
def test_a_brain_that_errs_forfeits(fault: str, kind: str, reason: str) -> None:
    record = mossa.match("random:seed=1", brain(fault), "gomoku", time=10)
    forfeit = record.extra["forfeit"]
    assert isinstance(forfeit, dict)
    assert (forfeit["side"], forfeit["kind"]) == ("second", kind)
    assert reason in forfeit["reason"]


def test_a_brain_that_refuses_the_board_is_refused() -> None:
    why = "does not start: answered START 15 with 'ERROR unsupported size' instead of OK"
    with pytest.raises(mossa.InvalidPlayerError, match=why):
        mossa.match("random:seed=1", brain("size"), "gomoku", time=10)


def test_a_brain_that_knows_no_settings_plays_all_the_same() -> None:
    record = mossa.match(brain("unknown"), "random:seed=2", "mnk:7x7x5", time=10)
    assert "forfeit" not in record.extra
    record = mossa.match("random:seed=2", brain("unknown"), "mnk:7x7x5", clock="60+1")
    assert "forfeit" not in record.extra


def test_only_mnk() -> None:
    with pytest.raises(mossa.InvalidPlayerError, match="does not play connect:6x7x4"):
        mossa.match(brain(), "random", "connect4")


def test_a_good_brain_passes_the_checks() -> None:
    checks = list(check_player(GomocupPlayer(COMMAND), mossa.game("mnk:5x5x4"), margin=5))
    assert [check.name for check in checks if not check.passed] == []
    assert len(checks) == 11
