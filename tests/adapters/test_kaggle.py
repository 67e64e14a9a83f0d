"""Submissions for Kaggle's ConnectX as players here."""

from __future__ import annotations

import io
import json
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from command import posix
from programs import gone

import mossa
from mossa.adapters.kaggle import drive
from mossa.players import player_kinds
from mossa.players.clocks import Turn
from mossa.protocols import check_player
from mossa.protocols.check import program_of

pytestmark = posix

GAME = mossa.game("connect4")
FIRST_OPEN = "next(each for each in range(c.columns) if o.board[each] == 0)"
GOOD = f"def agent(o, c):\n    return {FIRST_OPEN}\n"

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a submission, main.py unless named otherwise."""

    def write(text: str = GOOD, name: str = "main.py") -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    return write


def forfeit(spec: str, **conditions: Any) -> tuple[str, str]:
    """How a player loses its first game without being beaten."""
    record = mossa.match(spec, "random:seed=1", GAME, **conditions)
    found = record.extra["forfeit"]
    assert isinstance(found, dict) and found["side"] == "first"
    return found["kind"], found["reason"]


def ask(path: Path, moves: str = "", limits: mossa.Limits | None = None) -> str:
    player = mossa.player(f"kaggle:{path}")
    try:
        return str(player.choose(GAME.position(moves), limits or mossa.Limits(time=10)).move)
    finally:
        player.close()


# ---------------------------------------------------------------- submissions as players


@pytest.mark.parametrize("game", ["connect4", "connect:3x12x3", "connect:9x5x5", "connect:1x1x1"])
def test_a_submission_plays_boards_of_any_size(write: Write, game: str) -> None:
    spec = f"kaggle:{write()}"
    for players in ((spec, "random:seed=2"), ("random:seed=2", spec)):
        record = mossa.match(*players, game, time=10)
        assert "forfeit" not in record.extra


def test_an_agent_is_told_what_kaggle_would_tell(write: Write, tmp_path: Path) -> None:
    path = write(
        "import json\n"
        "def agent(observation, configuration):\n"
        "    assert observation.board is observation['board']\n"
        "    assert configuration.rows == configuration['rows'] == 2\n"
        "    assert configuration.get('nothing', 5) == 5\n"
        "    with open('told.json', 'a') as file:\n"
        "        file.write(json.dumps([observation, configuration]) + '\\n')\n"
        "    return 1\n"
    )
    player = mossa.player(f"kaggle:{path}")
    position = mossa.game("connect:2x3x3").position("1 2 1")
    for each in (position, mossa.game("connect:2x3x3").from_text(position.text)):
        player.choose(each, mossa.Limits())
    player.close()
    told = [json.loads(line) for line in tmp_path.joinpath("told.json").read_text().splitlines()]
    assert told[0] == told[1]
    observation, configuration = told[0]
    assert observation == {
        "board": [1, 0, 0, 1, 2, 0],
        "mark": 2,
        "step": 3,
        "remainingOverageTime": 60,
    }
    assert configuration == {
        "rows": 2,
        "columns": 3,
        "inarow": 3,
        "actTimeout": 2,
        "timeout": 2,
        "agentTimeout": 60,
        "episodeSteps": 1000,
        "runTimeout": 1200,
        "__raw_path__": str(path),
    }


TELL_TIME = """
def agent(o, c):
    with open("times", "a") as file:
        print(c.actTimeout, c.timeout, round(o.remainingOverageTime, 3), file=file)
    return 3
"""


def test_an_agent_is_told_the_time_of_the_match(write: Write, tmp_path: Path) -> None:
    player = mossa.player(f"kaggle:{write(TELL_TIME)}")
    turns = [
        Turn(mossa.Limits(time=0.5), 9, 0.5),  # half a second a move
        Turn(mossa.Limits(time=1.5), 9, None, (40.0, 9.0)),  # 40 s a game
        Turn(mossa.Limits(time=1.5), 9, 2, (40.0, 9.0)),  # and at most 2 s a move
        Turn(mossa.Limits(), 9, None, (-0.05, 9.0)),  # in the grace of a clock
    ]
    for turn in turns:
        player.choose_within(GAME.start(), turn)
    player.close()
    assert tmp_path.joinpath("times").read_text().splitlines() == [
        "0.5 0.5 0",
        "1.5 1.5 38.5",
        "1.5 1.5 0.5",
        "0 0 0",
    ]


def test_time_that_is_borrowed_is_missing_later(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drive, "MOVE_TIME", 0.0)
    player = mossa.player(f"kaggle:{write(TELL_TIME)}")
    for _ in range(2):
        player.choose(GAME.start(), mossa.Limits())
    player.prepare(GAME)  # a new game
    player.choose(GAME.start(), mossa.Limits())
    player.close()
    left = [float(line.split()[2]) for line in (tmp_path / "times").read_text().splitlines()]
    assert left[0] == left[2] == 60 > left[1]


@pytest.mark.parametrize(
    ("code", "move"),
    [
        ("def agent(o, c): return 3", "4"),
        ("def agent(o): return 3", "4"),
        ("def agent(): return 3", "4"),
        ("def agent(o, c, more=1): return 3", "4"),
        ("def helper(o, c): return 0\ndef agent(o, c): return helper(o, c) + 3", "4"),
        ("def agent(o, c): return 3\ndef last(o, c): return 2", "3"),
        ("agent = lambda o, c: 3", "4"),
        ("def agent(o, c): return 3\nmark = 1", "4"),
        ("class Agent:\n    def __call__(self, o, c): return 3\nagent = Agent()", "4"),
        ("def act(o, c): return 0\nfrom neighbour import act as agent", "6"),
        ("def agent(o, c): import neighbour; return neighbour.act(o, c)", "6"),
        ("def agent(o, c): return int(open('neighbour.py').read()[-2])", "6"),
        ("try: __file__\nexcept NameError: found = 3\ndef agent(o, c): return found", "4"),
        ("def agent(o, c): return 3 if __name__ != '__main__' else 0", "4"),
        ("print('{\"column\": 0}')\ndef agent(o, c): print(open(0).read()); return 3", "4"),
        ("import os\ndef agent(o, c): os.system('echo hello'); os.write(1, b'x'); return 3", "4"),
        ("import enum\nclass E(enum.IntEnum): A = 3\ndef agent(o, c): return E.A", "4"),
        ("def agent(o, c): o.board[:] = []; o.mark = 7; c.rows = 0; return 3", "4"),
        ("import copy\ndef agent(o, c): return copy.deepcopy(o).board[-1] + 3", "4"),
    ],
)  # fmt: skip
def test_code_runs_as_on_kaggle(write: Write, code: str, move: str) -> None:
    write("def act(o, c): return 5\n# 5\n", "neighbour.py")
    assert ask(write(code)) == move


@pytest.mark.parametrize(
    ("code", "kind", "reason"),
    [
        ("return None", "output", "returned None, which is not a column: return an int"),
        ("return 3.0", "output", "returned 3.0 (float), which is not a column"),
        ("return '3'", "output", "returned '3' (str), which is not a column"),
        ("return True", "output", "returned True (bool), which is not a column"),
        ("return [3] * 9999", "output", "returned [3, 3,"),
        ("import numpy; return numpy.int64(3)", "output", "(numpy.int64), which is not a column"),
        ("return type('X', (), {'__repr__': 1})()", "output", "returned something (X)"),
        ("return 7", "illegal", "column 7 (counted from 0) is off the board; open: 0, 1, 2"),
        ("return -1", "illegal", "column -1 (counted from 0) is off the board"),
        ("return 10 ** 9999", "illegal", "column 2147483648 (counted from 0) is off the board"),
        ("return 1 // 0", "crash", "main.py:2: ZeroDivisionError: integer division or modulo"),
        ("raise ValueError('a\\nb' * 999)", "crash", "main.py:2: ValueError: a ba b"),
        ("return o.nothing", "crash", "main.py:2: AttributeError"),
        ("import sys; sys.exit(3)", "crash", "main.py:2: SystemExit: 3"),
        ("exit()", "crash", "main.py:2: SystemExit"),
        ("import os; os._exit(3)", "crash", "ended with exit code 3"),
        ("import os; os.kill(os.getpid(), 9)", "crash", "ended by signal SIGKILL"),
        ("import os; os.closerange(3, 99); return 3", "crash", "ed "),  # closed or ended
        ("import os; os.write(4, b'rubbish\\n'); return 3", "output", "'rubbish' is not an answer"),
        ("return agent(o, c)", "crash", "RecursionError"),
    ],
)  # fmt: skip
def test_a_bad_answer_loses_with_the_reason(
    write: Write, code: str, kind: str, reason: str
) -> None:
    path = write(f"def agent(o, c):\n    {code}\n")
    found = forfeit(f"kaggle:{path}", time=20)
    assert found[0] == kind
    assert reason in found[1]
    assert len(found[1]) < 400


def test_a_full_column_loses(write: Write) -> None:
    record = mossa.match(
        f"kaggle:{write('def agent(o, c): return 3')}", "random", GAME, opening="444444", time=20
    )
    assert record.extra["end"] == (
        "first made an illegal move: column 3 (counted from 0) is full; open: 0, 1, 2, 4, 5, 6"
    )


def test_one_that_hangs_is_killed(write: Write, tmp_path: Path) -> None:
    path = write(
        "import os, signal\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "def agent(o, c):\n"
        "    child = os.fork()\n"
        "    open('pids', 'a').write(str(os.getpid()) + '\\n')\n"
        "    while True: pass\n"
    )
    assert forfeit(f"kaggle:{path}", time=1) == (
        "time",
        "no answer; the limit is 1 s, plus 0.1 s of grace",
    )
    pids = [int(line) for line in (tmp_path / "pids").read_text().split()]
    assert pids and all(gone(pid) for pid in pids)


def test_its_own_limit_holds(write: Write) -> None:
    path = write("def agent(o, c):\n    while True: pass\n")
    assert forfeit(f"kaggle:time=0.2,{path}")[0] == "time"


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("agent = 3", "ValueError: main.py defines no function"),
        ("def agent(:", "main.py:1: SyntaxError: invalid syntax"),
        ("import nothing_of_that_name", "main.py:1: ModuleNotFoundError: No module named"),
        ("raise SystemExit('bye')", "main.py:1: SystemExit: bye"),
        ("import os; os._exit(1)", "ended with exit code 1"),
        ("while True: pass", "not ready within 0.5 s"),
        ("\0", "null bytes"),
    ],
)
def test_what_does_not_load_is_refused(write: Write, code: str, reason: str) -> None:
    start = 0.5 if "while" in code else 20
    with pytest.raises(mossa.InvalidPlayerError, match="does not start") as caught:
        mossa.match(
            f"kaggle:{write(code)}", "random", GAME, conditions=mossa.Conditions(start=start)
        )
    assert reason in str(caught.value)


def test_bytes_that_are_no_text_are_refused(write: Write) -> None:
    path = write()
    path.write_bytes(b"\xff\xfe\xff")
    with pytest.raises(mossa.InvalidPlayerError, match="does not start: UnicodeDecodeError"):
        mossa.match(f"kaggle:{path}", "random", GAME)


def test_what_is_printed_goes_to_the_log(write: Write, tmp_path: Path) -> None:
    path = write(
        "import os, sys\n"
        "print('loaded')\n"
        "def agent(o, c):\n"
        "    print('thinking \N{SNOWMAN}')\n"
        "    print('badly', file=sys.stderr)\n"
        "    os.system('echo elsewhere')\n"
        "    return 1 // 0\n"
    )
    log = tmp_path / "its, own.log"
    with pytest.raises(mossa.InvalidPlayerError, match="no file"):
        mossa.player(f"kaggle:log={log},{path}")  # the name of a log has no comma
    log = tmp_path / "its.log"
    assert forfeit(f"kaggle:log={log},{path}", time=20)[0] == "crash"
    lines = log.read_text(encoding="utf-8").splitlines()
    assert lines[:4] == ["loaded", "thinking \N{SNOWMAN}", "badly", "elsewhere"]
    assert lines[-1].startswith("ZeroDivisionError")


def test_another_python_may_run_it(write: Write, tmp_path: Path) -> None:
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nexport COLUMN=5\nexec {sys.executable} "$@"\n')
    python.chmod(0o755)
    path = write("import os\ndef agent(o, c): return int(os.environ['COLUMN'])")
    player = mossa.player(f"kaggle:python={python},{path}")
    assert player.choose(GAME.start(), mossa.Limits(time=10)).move == "6"
    player.close()
    with pytest.raises(mossa.InvalidPlayerError, match="cannot start 'no-such-python"):
        mossa.match(f"kaggle:python=no-such-python,{path}", "random", GAME)


def test_nothing_survives_a_game(write: Write) -> None:
    path = write("seen = []\ndef agent(o, c):\n    seen.append(0)\n    return len(seen) - 1\n")
    player = mossa.player(f"kaggle:{path}")
    for _ in range(2):
        player.prepare(GAME)
        assert [player.choose(GAME.start(), mossa.Limits(time=9)).move for _ in "12"] == ["1", "2"]
    player.close()


def test_only_for_connect(write: Write) -> None:
    with pytest.raises(mossa.InvalidPlayerError, match="does not play mnk:3x3x3"):
        mossa.match(f"kaggle:{write()}", "random", "tictactoe")


def test_there_must_be_a_file() -> None:
    why = "no file 'none.py': expected a submission, kaggle:main.py, kaggle:submission.tar.gz"
    with pytest.raises(mossa.InvalidPlayerError, match=why):
        mossa.player("kaggle:none.py")
    for spec in ("kaggle", "kaggle:", "kaggle:" + "x" * 5000, "kaggle:a\0b", "kaggle:log=x"):
        with pytest.raises(mossa.InvalidPlayerError, match="no file '"):
            mossa.player(spec)


def test_strangers_cannot_start_one() -> None:
    assert player_kinds()["kaggle"].runs_commands


def test_the_checks_of_programs_are_for_submissions_too(write: Write) -> None:
    checks = list(check_player(program_of(f"kaggle:{write()}", GAME), GAME, margin=5))
    assert {each.name for each in checks} > {"handshake", "legal moves", "second game", "clock"}
    assert [each for each in checks if not each.passed] == []


# ---------------------------------------------------------------- folders and archives


def packed(files: dict[str, str], odd: tarfile.TarInfo | None = None) -> bytes:
    """An archive of files with this text, and perhaps a member without content."""
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w:gz") as target:
        for name, text in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(text)
            target.addfile(member, io.BytesIO(text.encode()))
        if odd is not None:
            target.addfile(odd)
    return written.getvalue()


def archive(path: Path, files: dict[str, str]) -> Path:
    path.write_bytes(packed(files))
    return path


def test_a_folder_and_an_archive(write: Write, tmp_path: Path) -> None:
    files = {
        "main.py": "from parts.one import x\ndef agent(o, c): return x + int(open('n').read())",
        "parts/one.py": "x = 2",
        "n": "3",
    }
    for name, text in files.items():
        write(text, f"folder/{name}")
    assert ask(tmp_path / "folder") == "6"
    assert ask(archive(tmp_path / "submission.tar.gz", files)) == "6"
    assert ask(archive(tmp_path / "submission.tgz", {f"./{k}": v for k, v in files.items()})) == "6"


def test_an_archive_is_unpacked_for_the_time_of_a_game(tmp_path: Path) -> None:
    place = tmp_path / "place"
    text = f"import os\nopen({str(place)!r}, 'w').write(os.getcwd())\n{GOOD}"
    player = mossa.player(f"kaggle:{archive(tmp_path / 's.tar.gz', {'main.py': text})}")
    player.prepare(GAME)
    unpacked = Path(place.read_text())
    assert (unpacked / "main.py").is_file()
    player.close()
    assert not unpacked.exists()


def hostile(name: str, kind: bytes = tarfile.REGTYPE, link: str = "", size: int = 0) -> bytes:
    """An archive that would write elsewhere, or too much."""
    member = tarfile.TarInfo(name)
    member.type, member.linkname, member.size = kind, link, size
    return packed({"main.py": GOOD}, member)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"nothing of the sort", "ReadError: file could not be opened successfully"),
        (packed({}), "there is no main.py at its top"),
        (packed({"inner/main.py": GOOD}), "there is no main.py at its top"),
        (packed({"main.py": GOOD})[:-30], "EOFError"),
        (hostile("../outside"), "'../outside' in it is not a plain file inside its folder"),
        (hostile("/tmp/outside"), "not a plain file"),
        (hostile("link", tarfile.SYMTYPE, "/etc"), "'link' in it is not a plain file"),
        (hostile("same", tarfile.LNKTYPE, "/etc/passwd"), "is no"),
        (hostile("pipe", tarfile.FIFOTYPE), "'pipe' in it is not a plain file"),
        (hostile("bomb", size=2 << 30), "it unpacks to more than 1024 MB"),
    ],
    ids=["text", "empty", "inner", "cut", "up", "absolute", "symlink", "link", "pipe", "bomb"],
)
def test_a_bad_archive_is_refused(tmp_path: Path, content: bytes, reason: str) -> None:
    path = tmp_path / "submission.tar.gz"
    path.write_bytes(content)
    with pytest.raises(mossa.InvalidPlayerError, match="does not start") as caught:
        mossa.match(f"kaggle:{path}", "random", GAME)
    assert reason in str(caught.value)
    assert not (tmp_path / "outside").exists()


def test_a_folder_without_main_is_refused(tmp_path: Path) -> None:
    with pytest.raises(mossa.InvalidPlayerError, match=r"there is no main\.py at its top"):
        mossa.match(f"kaggle:{tmp_path}", "random", GAME)
