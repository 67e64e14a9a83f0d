"""Players in a sandbox: they play as they would outside, and nothing else."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import tarfile
import uuid
from pathlib import Path
from threading import Event
from time import monotonic

import pytest
from command import ENVIRONMENT, call, good
from confinement import HOSTILE, PYTHON, needs_sandbox, without_groups
from programs import BOTS

import mossa
from mossa.arena.driver import first_pairings
from mossa.arena.plan import Entrant, Plan
from mossa.arena.referee import seated
from mossa.arena.store import Store
from mossa.errors import GameError, InvalidPlayerError, PlayerFailedError
from mossa.players import Choice, PlayerLike
from mossa.players.clocks import Conditions
from mossa.protocols import UgiPlayer
from mossa.sandbox import SandboxLimits, tree

BOX = SandboxLimits(memory=512, processes=64, output=1)
CONDITIONS = Conditions(time=2, margin=1, memory=256, sandbox=BOX)
GAME = mossa.game("connect4")


def hostile(attack: str, *arguments: str) -> str:
    return "ugi:" + shlex.join([*PYTHON, str(HOSTILE), "ugi", attack, *arguments])


def played(first: PlayerLike, conditions: Conditions = CONDITIONS) -> str:
    """Play against our own player, and return how the game ended."""
    record = mossa.match(first, "random:seed=1", "tictactoe", conditions=conditions)
    return str(record.extra["end"])


@needs_sandbox
@pytest.mark.parametrize(
    ("attack", "end"),
    [
        ("nothing", "3 in a row"),
        (
            "memory",
            "first crashed: ran out of memory: the limit is 256 MB; ended by signal SIGKILL",
        ),
        ("stdout", "first gave an invalid answer: wrote too much: the limit is 1 MB of output"),
        ("stderr", "first gave an invalid answer: wrote too much: the limit is 1 MB of output"),
        ("line", "first gave an invalid answer: a line of more than 65,536 bytes"),
        ("write", "3 in a row"),
        ("read", "3 in a row"),
    ],
)
def test_a_program_plays_or_loses(attack: str, end: str) -> None:
    if attack == "memory" and os.geteuid():
        pytest.skip("who is not root hears of it from Python itself")
    assert played(hostile(attack)).startswith(end)


@needs_sandbox
def test_nothing_of_a_program_is_left_after_its_game() -> None:
    token = f"mossa-{uuid.uuid4()}"
    played(hostile("linger", token))
    lines = [path.read_bytes() for path in Path("/proc").glob("[0-9]*/cmdline") if path.exists()]
    assert not any(token.encode() in line for line in lines)


# ---------------------------------------------------------------- the opponent's time


def _asked(spec: str, limits: SandboxLimits) -> UgiPlayer:
    """Return a program that has made its first move."""
    player = seated(spec, Conditions(time=5, margin=5, sandbox=limits))
    assert isinstance(player, UgiPlayer)
    player.prepare(GAME)
    player.choose(GAME.start())
    return player


def _used(player: UgiPlayer) -> float:
    assert player._sandbox is not None
    return tree.cpu_seconds(player._sandbox._members())


def _used_while_waiting(player: UgiPlayer, seconds: float) -> float:
    """Return the processor time of a program while its opponent would think."""
    before = _used(player)
    Event().wait(seconds)
    return _used(player) - before


@needs_sandbox
@pytest.mark.parametrize("grouped", [True, False])
def test_nobody_thinks_in_the_opponents_time(
    monkeypatch: pytest.MonkeyPatch, grouped: bool
) -> None:
    if not grouped:
        without_groups(monkeypatch)
    player = _asked(hostile("ponder"), BOX)
    try:
        assert _used_while_waiting(player, 0.3) == 0
        assert player.choose(GAME.position("44")).move in GAME.position("44").moves
        assert _used_while_waiting(player, 0.1) == 0
    finally:
        player.close()


@needs_sandbox
def test_a_course_may_let_them_think() -> None:
    player = _asked(hostile("ponder"), SandboxLimits(ponder=True))
    try:
        used = 0.0
        for _ in range(50):  # the machine may be busy
            used += _used_while_waiting(player, 0.1)
            if used > 0.02:
                return
        raise AssertionError("it did not think")
    finally:
        player.close()


@needs_sandbox
def test_who_will_not_stand_still_loses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a group to freeze, they are stopped by signals, which a program can undo."""
    without_groups(monkeypatch)
    player = _asked(hostile("sleepless"), BOX)
    try:
        _used_while_waiting(player, 0.3)
        with pytest.raises(PlayerFailedError, match="in its opponent's time"):
            player.choose(GAME.position("44"))
    finally:
        player.close()


@needs_sandbox
def test_a_comet_is_caught_or_loses(monkeypatch: pytest.MonkeyPatch) -> None:
    without_groups(monkeypatch)
    player: UgiPlayer | None = None
    why = "in its opponent's time"
    try:
        player = _asked(hostile("comet"), BOX)
        if _used_while_waiting(player, 0.2) == 0:
            return
        player.choose(GAME.position("44"))
    except PlayerFailedError as error:
        why = error.reason
    finally:
        if player is not None:
            player.close()
    assert "in its opponent's time" in why


@needs_sandbox
def test_a_group_freezes_those_too() -> None:
    for attack in ("sleepless", "comet"):
        player = _asked(hostile(attack), BOX)
        try:
            assert player._sandbox is not None
            if not player._sandbox.groups.can_freeze:
                pytest.skip("there are no groups here that could be frozen")
            assert _used_while_waiting(player, 0.2) == 0
        finally:
            player.close()


_KILLED = """
import sys
from pathlib import Path
import mossa
from mossa.arena.referee import seated
from mossa.players.clocks import Conditions
from mossa.sandbox import SandboxLimits, groups
if sys.argv[2] == "no groups":
    groups._parents = lambda: iter(())
player = seated(sys.argv[1], Conditions(time=5, margin=5, sandbox=SandboxLimits()))
player.prepare(mossa.game("connect4"))
player.choose(mossa.game("connect4").start())
print(*player._sandbox._members(), flush=True)
sys.stdin.read()
"""


@needs_sandbox
@pytest.mark.parametrize("groups", ["groups", "no groups"])
def test_a_halted_player_dies_with_a_referee_that_is_killed(groups: str) -> None:
    referee = subprocess.Popen(
        [sys.executable, "-c", _KILLED, hostile("ponder"), groups],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert referee.stdin is not None and referee.stdout is not None
    inside = list(map(int, referee.stdout.readline().split()))
    assert inside and not any(map(tree.has_ended, inside))
    referee.kill()
    referee.communicate()
    deadline = monotonic() + 20
    while not all(map(tree.has_ended, inside)):
        assert monotonic() < deadline


# ---------------------------------------------------------------- kinds


FILE = """
import os
import helper

def choose(position):
    return position.moves[0]

def look(position):
    raise ValueError(f"{os.path.exists('/etc/passwd')} {helper.NAME} {sorted(os.environ)}")
"""


@pytest.fixture
def python_file(tmp_path: Path) -> Path:
    folder = tmp_path / "student"
    folder.mkdir(mode=0o700)
    (folder / "helper.py").write_text("NAME = 'its neighbour'")
    (folder / "bot.py").write_text(FILE)
    return folder / "bot.py"


@needs_sandbox
def test_a_python_file(python_file: Path) -> None:
    assert played(f"{python_file}:choose") == "3 in a row"
    end = played(f"{python_file}:look")
    assert "False its neighbour" in end and "'HOME'" in end
    assert "MOSSA_OWNER" not in end


@needs_sandbox
def test_a_starter_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(BOTS.parent)
    bot = Path("bots", "bot.py")
    command = shlex.join([*PYTHON, str(bot)])
    record = mossa.match(f"ugi:{command}", "random:seed=1", "connect4", conditions=CONDITIONS)
    assert "forfeit" not in record.extra


@needs_sandbox
def test_a_submission_for_kaggle(tmp_path: Path) -> None:
    folder = tmp_path / "submission"
    folder.mkdir()
    (folder / "main.py").write_text(
        "def agent(observation, configuration):\n"
        "    return next(i for i in range(7) if observation.board[i] == 0)\n"
    )
    with tarfile.open(folder / "submission.tar.gz", "w:gz") as archive:
        archive.add(folder / "main.py", "main.py")
    for name in ("main.py", "submission.tar.gz"):
        record = mossa.match(
            f"kaggle:{folder / name}", "random:seed=1", "connect4", conditions=CONDITIONS
        )
        assert "forfeit" not in record.extra, record.extra["end"]


@pytest.mark.slow
@needs_sandbox
@pytest.mark.skipif(shutil.which("javac") is None, reason="there is no JDK here")
def test_a_java_player_is_compiled_and_plays_inside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MOSSA_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "student"
    folder.mkdir()
    source = folder / "First.java"
    source.write_text(JAVA.replace("BODY", ""))
    conditions = Conditions(time=5, start=60, memory=1024, sandbox=SandboxLimits())
    assert played(f"bologna-mnk:{folder}", conditions) == "3 in a row"
    source.write_text(JAVA.replace("BODY", READS))
    assert "secret: NoSuchFileException" in played(f"bologna-mnk:{folder}", conditions)


JAVA = """
package student;
import mnkgame.*;
public class First implements MNKPlayer {
    public void initPlayer(int m, int n, int k, boolean first, int seconds) {}
    public MNKCell selectCell(MNKCell[] free, MNKCell[] marked) { BODY return free[0]; }
    public String playerName() { return "First"; }
}
"""
READS = """
    try { java.nio.file.Files.readAllBytes(java.nio.file.Path.of("/etc/passwd")); }
    catch (Exception e) { throw new RuntimeException("secret: " + e.getClass().getSimpleName()); }
"""


# ---------------------------------------------------------------- what is refused


def chosen(position: mossa.Position) -> str:
    return str(position.moves[0])


class Thinker:
    """An object of this process."""

    name = "thinker"

    def choose(self, position: mossa.Position, limits: mossa.Limits) -> Choice:
        return Choice(position.moves[0])


@pytest.mark.parametrize("player", [chosen, Thinker()])
def test_what_runs_in_our_own_process_is_refused(player: PlayerLike) -> None:
    message = "cannot run in a sandbox: it runs in mossa's own process"
    with pytest.raises(InvalidPlayerError, match=message):
        mossa.match(player, "random", "tictactoe", conditions=CONDITIONS)
    with pytest.raises(InvalidPlayerError, match=message):
        mossa.tournament([player, "random"], ["tictactoe"], conditions=CONDITIONS)


def test_a_bot_of_openspiel_is_refused() -> None:
    pytest.importorskip("pyspiel")
    with pytest.raises(InvalidPlayerError, match="'openspiel:mcts' cannot run in a sandbox"):
        played("openspiel:mcts")


def test_a_game_written_in_python_is_refused() -> None:
    with pytest.raises(GameError, match=r"no sandbox for 'game.py:Game': a game written in Python"):
        mossa.match("random", "random", "game.py:Game", conditions=CONDITIONS)


def test_our_own_players_need_no_sandbox(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert played("alphabeta:depth=2")


@pytest.mark.parametrize("spec", ["bot.py:choose", "ugi:./bot", "gomocup:./brain"])
def test_nothing_of_others_runs_without_bubblewrap(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, spec: str
) -> None:
    mark = tmp_path / "mark"
    (tmp_path / "bot.py").write_text(f"from pathlib import Path\nPath({str(mark)!r}).touch()")
    for name in ("bot", "brain"):
        (tmp_path / name).write_text(f"#!/bin/sh\n: > {mark}\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    with pytest.raises(InvalidPlayerError, match=r"may run only in a sandbox: .*bubblewrap"):
        played(spec)
    assert not mark.exists()


@needs_sandbox
def test_a_player_in_a_folder_that_holds_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = f"ugi:{sys.executable} {Path.home() / '.'}"
    with pytest.raises(InvalidPlayerError, match="put the player into a folder of its own"):
        played(spec)


# ---------------------------------------------------------------- commands


@needs_sandbox
def test_match_in_a_sandbox() -> None:
    game = ("random:seed=1", "tictactoe", "--json", "--sandbox")
    inside = json.loads(good(call("match", hostile("look"), *game, "on")))
    assert "it said 'nobody is here'" in inside["end"]
    outside = json.loads(good(call("match", hostile("look"), *game, "off")))
    assert "it said 'there are others'" in outside["end"]


def test_a_wrong_switch() -> None:
    done = call("match", "random", "random", "tictactoe", "--sandbox", "maybe")
    assert done.returncode == 2
    assert "invalid --sandbox 'maybe': expected on or off" in done.stderr


@needs_sandbox
def test_a_tournament_keeps_its_sandbox(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    good(
        call(
            *("tournament", "run", path, f"a={hostile('look')}", "random"),
            *("--game", "tictactoe", "--sandbox", "on", "--workers", "1"),
        )
    )
    with Store.look(path) as store:
        plan = store.plan
        assert plan.conditions.sandbox == SandboxLimits()
        assert str(plan.conditions).endswith(", in a sandbox")
        assert Plan.from_dict(json.loads(json.dumps(plan.to_dict()))) == plan
        for _, record in store.records():
            assert "it said 'nobody is here'" in str(record.extra["end"])


def test_resuming_it_without_bubblewrap_is_refused(
    python_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entrants = (Entrant("a", f"{python_file}:choose"), Entrant("random", "random"))
    plan = Plan(entrants, ("mnk:3x3x3",), conditions=Conditions(sandbox=SandboxLimits()))
    path = tmp_path / "games.db"
    with Store.create(path, plan, first_pairings(plan)):
        pass
    monkeypatch.setitem(ENVIRONMENT, "PATH", str(tmp_path))
    done = call("tournament", "resume", path)
    assert done.returncode == 2
    assert "may run only in a sandbox" in done.stderr


def test_conditions_of_old_files_have_no_sandbox() -> None:
    data = Conditions(time=1).to_dict()
    del data["sandbox"]
    assert Conditions.from_dict(data) == Conditions(time=1)
    assert Conditions.from_dict(CONDITIONS.to_dict()) == CONDITIONS
