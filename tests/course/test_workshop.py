"""Versions are built, checked and graded: good ones, bad ones, and those that mean harm."""

from __future__ import annotations

import io
import os
import shutil
import zipfile
from pathlib import Path

import pytest
from confinement import needs_sandbox
from course_data import School, found, hand_in
from programs import STARTERS

from mossa.arena.grade import Suite, read_suite
from mossa.arena.students import handed_in
from mossa.course import workshop
from mossa.course.store import Version
from mossa.course.workshop import GameJob, Job, Seat, plain, play_game, seen_at, seen_from

pytestmark = needs_sandbox

GOOD = b"""
def choose(position):
    for move in position.moves:
        outcome = position.play(move).outcome
        if outcome is not None and outcome.winner is position.side:
            return move
    return position.moves[len(position.moves) // 2]
"""
NAME = "Ada Lovelace"
PATIENT = "time = 0.5\nmargin = 8\nstart = 60"
"""A machine that tests other things besides may take long to start a player."""
needs_c = pytest.mark.skipif(shutil.which("cc") is None, reason="NO C COMPILER: C is not tried")
needs_java = pytest.mark.skipif(shutil.which("javac") is None, reason="NO JDK: Java is not tried")


@pytest.fixture
def school(tmp_path: Path) -> School:
    return found(tmp_path / "course", plan=f'{PATIENT}\nsuite = ""\nrivals = []')


def _job(school: School, version: Version, suite: Suite | None = None, needed: float = 0.0) -> Job:
    plan = school.course.plan
    return Job(
        version.id,
        school.course.folder / "versions" / version.folder,
        plan.boards,
        plan.conditions(),
        plan.languages,
        suite,
        needed,
        version.file,
        school.course.limits,
    )


def _try(school: School, content: bytes, file: str = "bot.py", **more: object) -> workshop.Tested:
    return workshop.test_version(_job(school, hand_in(school, NAME, content, file), **more))  # type: ignore[arg-type]


def _zip(**files: str | bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "."), content)
    return out.getvalue()


def test_a_python_function_passes_and_is_graded(tmp_path: Path) -> None:
    school = found(tmp_path / "course", plan=f"{PATIENT}\nrivals = []")
    tested = _try(school, GOOD, suite=school.course.plan.read_suite(), needed=0.5)
    assert tested.told == "It passed all checks, got 3 of 3 points, and is on the ladder."
    assert tested.passed
    assert tested.spec == "bot.py:choose"
    assert tested.grade is not None
    assert tested.grade["points"] == 3
    required = [each["name"] for each in tested.checks if each["required"]]
    assert required[:2] == ["handshake", "first move"]


@needs_c
def test_c_is_compiled_without_being_told_how(school: School) -> None:
    source = (STARTERS / "c" / "bot.c").read_bytes()
    tested = _try(school, source, "my bot.c")
    assert tested.passed, tested
    assert tested.spec == "ugi:./bot"


@needs_c
def test_a_program_that_does_not_compile_is_refused_with_the_log(school: School) -> None:
    tested = _try(school, b"int main(void) { return x; }\n", "bot.c")
    assert not tested.passed
    assert tested.told.startswith("It could not be built: cannot build with 'cc -O2")
    assert "x" in tested.log


@pytest.mark.slow
@needs_java
def test_java_of_the_template(school: School) -> None:
    folder = STARTERS / "java"
    files = {
        path.name.replace(".", "__"): path.read_bytes()
        for path in folder.iterdir()
        if path.is_file()
    }
    tested = _try(school, _zip(**files), "bot.zip")
    assert tested.passed, tested


@pytest.mark.slow
@needs_java
def test_java_of_a_course_in_bologna(school: School) -> None:
    source = b"""
    import connectx.*;
    public class Mine implements CXPlayer {
        public void initPlayer(int m, int n, int x, boolean first, int seconds) { }
        public int selectColumn(CXBoard board) { return board.getAvailableColumns()[0]; }
        public String playerName() { return "Mine"; }
    }
    """
    tested = _try(school, source, "Mine.java")
    assert tested.passed, tested
    assert tested.spec.startswith("bologna-connect:")
    assert str(school.course.folder) not in tested.spec


def test_a_version_whose_copies_were_cleared_is_unpacked_again(school: School) -> None:
    """Regression: every version kept its upload, its files and its player for ever."""
    version = hand_in(school, NAME, _zip(player__py=GOOD, notes__txt="mine"), "bot.zip")
    job = _job(school, version)
    workshop.clear(job.folder)
    assert [path.name for path in job.folder.iterdir()] == ["upload"]
    assert workshop.test_version(job).passed
    assert (job.folder / "player" / "notes.txt").read_text() == "mine"
    workshop.clear(job.folder)
    workshop.clear(job.folder)
    assert [path.name for path in job.folder.iterdir()] == ["upload"]


# ---------------------------------------------------------------- what fails


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"def choose(position, more):\n    pass\n", "No player found: bot.py: choose takes 2"),
        (b"def choose(position): return 1 +\n", "No player found: bot.py:1: "),
        (b"x = 1\n", "No player found: bot.py has no function choose(position)"),
        (b"def choose(position)\n", "No player found: bot.py:1: "),
        (b"raise ValueError('broken')\ndef choose(position): pass\n", "It does not start: "),
        (b"import nothing_of_the_kind\ndef choose(position): pass\n", "It does not start: "),
    ],
)
def test_a_player_that_cannot_play_is_told_why(school: School, content: bytes, told: str) -> None:
    tested = _try(school, content)
    assert not tested.passed
    assert tested.told.startswith(told)
    assert tested.told.endswith(".")
    assert str(school.course.folder) not in tested.told


def test_a_player_of_ours_is_no_homework(school: School) -> None:
    tested = _try(school, _zip(player__toml='player = "engine"'), "bot.zip")
    assert "is nothing that a student has written" in tested.told


def test_a_language_that_is_not_accepted(tmp_path: Path) -> None:
    school = found(tmp_path / "course", plan='languages = ["java"]\nsuite = ""')
    tested = _try(school, GOOD)
    assert tested.told == "It is written in python, and this course accepts java."


@pytest.mark.parametrize(
    ("files", "language"),
    [
        ({"player.py": GOOD, "fast.c": b"", "a.java": b""}, "python"),
        ({"bot": b"\x7fELF", "a.java": b"", "b.py": b"", "c.c": b"", "d.cpp": b""}, "program"),
        ({"bot.c": b"", "notes.txt": b""}, "c"),
        ({"bot.cpp": b"", "bot.h": b""}, "c++"),
        ({"player.toml": b'player = "ugi:./bot"\nbuild = "make"', "bot.c": b""}, "program"),
        ({"player.toml": b'player = "mine.py:choose"', "mine.py": GOOD, "a.java": b""}, "python"),
        ({"Mine.java": b"public class Mine implements CXPlayer { }", "b.c": b""}, "java"),
    ],
)
def test_the_language_is_that_of_what_is_started(
    tmp_path: Path, files: dict[str, bytes], language: str
) -> None:
    """Regression: a binary with an empty a.java next to it passed as Java."""
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
        (tmp_path / name).chmod(0o755)
    assert workshop.language_of(handed_in(tmp_path)) == language


@pytest.mark.slow
def test_another_board_is_tried_too(tmp_path: Path) -> None:
    school = found(
        tmp_path / "c", plan=f'boards = ["tictactoe", "connect4"]\nsuite = ""\n{PATIENT}'
    )
    picky = b"""
def choose(position):
    assert str(position.game).startswith("mnk"), "what is this?"
    return position.moves[0]
"""
    tested = _try(school, picky)
    assert not tested.passed
    assert tested.told.startswith("It fails a move at connect:6x7x4: ")
    assert "what is this?" in tested.told


@pytest.mark.slow
def test_too_few_points_keep_it_off_the_ladder(tmp_path: Path) -> None:
    school = found(tmp_path / "course", plan=f"{PATIENT}\nrivals = []")
    suite = tmp_path / "s.toml"
    suite.write_text('[[positions]]\ngame = "connect4"\nmoves = "112233"\nbest = ["4"]\n')
    tested = _try(
        school,
        b"def choose(position):\n    return position.moves[0]\n",
        suite=read_suite(suite),
        needed=0.5,
    )
    assert tested.told == "It got 0 of 1 point, and 50% of them are needed to join the ladder."
    assert tested.grade is not None


# ---------------------------------------------------------------- what means harm


@needs_c
@pytest.mark.parametrize(
    ("build", "source", "told"),
    [
        ("cc -o bot bot.c", '#include "/etc/passwd"\n', "/etc/passwd: No such file"),
        ("cc -o /usr/local/bin/evil bot.c", "int main(void) { return 0; }\n", "could not be built"),
        ("cat ../../../course.db", "", "could not be built"),
        ("/home/anna/compiler bot.c", "", "could not be built"),
        ("sleep 999", "", "took too long"),
    ],
)
def test_a_build_reaches_nothing_but_its_folder(
    school: School, build: str, source: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mossa.arena.students.BUILD_TIME", 2.0)
    about = f'build = "{build}"\nplayer = "ugi:./bot"\n'
    tested = _try(school, _zip(player__toml=about, bot__c=source), "bot.zip")
    assert not tested.passed
    assert told in tested.told
    assert not Path("/usr/local/bin/evil").exists()


@pytest.mark.slow
def test_a_build_that_changes_what_is_played_changes_nothing(school: School) -> None:
    """What the tests found is what plays, whatever a build leaves in the folder."""
    about = "build = \"sh -c 'ln -sf /etc/passwd player.toml; cp real.py bot.py'\"\n"
    about += 'player = "bot.py:choose"\n'
    content = _zip(player__toml=about, real__py=GOOD, bot__py="x = 1\n")
    version = hand_in(school, NAME, content, "bot.zip")
    tested = workshop.test_version(_job(school, version))
    assert tested.passed, tested
    place = school.course.folder / "versions" / version.folder / "player"
    assert (place / "player.toml").is_symlink()
    seat = Seat("Ada", tested.spec, place)
    rival = Seat("random", "random:seed=1", None)
    conditions = school.course.plan.conditions()
    done = play_game(GameJob(7, "connect:6x7x4", "4", (seat, rival), conditions))
    assert done.id == 7
    assert done.result in ("1-0", "0-1", "1/2")
    assert done.forfeit is None


def test_without_a_sandbox_nothing_of_a_stranger_runs(
    school: School, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    witness = tmp_path / "witness"
    content = f"open({str(witness)!r}, 'w')\ndef choose(position): return position.moves[0]\n"
    version = hand_in(school, NAME, content.encode())
    monkeypatch.setattr("shutil.which", lambda *_, **__: None)
    monkeypatch.setattr("mossa.sandbox.bubblewrap.missing", lambda: "bubblewrap is not installed")
    tested = workshop.test_version(_job(school, version))
    assert not tested.passed
    assert "sandbox" in tested.told
    assert not witness.exists()


# ---------------------------------------------------------------- words


def test_specs_forget_where_they_are(tmp_path: Path) -> None:
    for spec in ("bot.py:choose", "ugi:./bot", "ugi:java -cp . Bot"):
        assert seen_from(spec, tmp_path) == spec
        assert seen_at(spec, tmp_path) == spec
    for path in (tmp_path, tmp_path / "x.jar"):
        spec = f"bologna-mnk:{path}"
        short = seen_from(spec, tmp_path)
        assert str(tmp_path) not in short
        assert seen_at(short, tmp_path) == spec


def test_what_a_student_reads_has_no_places_of_the_server() -> None:
    said = "it crashed\x07; what it printed is in /home/anna/.cache/mossa/bologna/logs/X.log"
    assert plain(said) == "it crashed?"
    place = Path("/srv/courses/search of 2027/versions/0123456789abcdef/player")
    assert plain(f"{place}/Bot.java:3: what?", place) == "Bot.java:3: what?"
    assert plain(f"no class in '{place}' plays", place) == "no class in 'the folder' plays"
    cut = f"no class in '{str(place)[:50]}...' (62 characters)"
    assert plain(cut, place).startswith("no class in 'the folder")


def test_what_a_failed_build_has_made_was_kept(school: School) -> None:
    build = "for at in 1 2 3 4 5 6 7 8 9; do mkdir deep; cd deep; touch file; done; false"
    told = _try(
        school,
        _zip(**{"player.toml": f"player = 'ugi:./bot'\nbuild = 'sh -c \"{build}\"'"}),
        "bot.zip",
    )
    assert not told.passed
    assert told.told.startswith("It could not be built")
    (version,) = (school.course.folder / "versions").iterdir()
    assert not (version / "player").exists()
    assert (version / "files").is_dir()


def test_making_room_failed_at_a_deep_tree(tmp_path: Path) -> None:
    at = tmp_path / "player"
    at.mkdir()
    place = os.open(at, os.O_RDONLY)
    for _ in range(1500):  # more folders in folders than Python has calls
        os.mkdir("d", dir_fd=place)
        inner = os.open("d", os.O_RDONLY, dir_fd=place)
        os.close(place)
        place = inner
    os.close(place)
    workshop.clear(tmp_path)
    assert list(tmp_path.iterdir()) == []
