"""A whole class: which player is in what a student hands in, and grades that cost nobody else."""

from __future__ import annotations

import csv
import io
import json
import shlex
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from command import call, complaint, good, posix
from programs import BAD_BOT, BOTS, Sudden, children

from mossa import InvalidPlayerError
from mossa.arena import students
from mossa.arena.grade import Graded, read_suite
from mossa.arena.referee import seated
from mossa.arena.school_class import Student, class_csv, class_junit, class_pages, grade_class
from mossa.arena.students import Entry, entries, handed_in
from mossa.errors import shorten
from mossa.players.clocks import Conditions
from mossa.protocols.external import is_program
from mossa.scaffold import LANGUAGES, new_player

SUITE = """
name = "Second week"
time = 4
start = 60

[[positions]]
name = "win at once"
game = "tictactoe"
moves = "a1 b1 a2 b2"
best = ["a3"]
points = 2

[[opponents]]
player = "random:seed=1"
game = "tictactoe"
games = 2
score = 0
"""

WINS = """
def choose(position):
    for move in position.moves:
        if position.play(move).outcome:
            return move
    return position.moves[0]
"""


STARTER = (BOTS / "bot.py").read_text(encoding="utf-8")


@pytest.fixture
def suite_file(tmp_path: Path) -> Path:
    path = tmp_path / "suite.toml"
    path.write_text(SUITE)
    return path


def program(path: Path, text: str) -> None:
    """Write a script that can be executed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!{sys.executable} -SE\n{text}")
    path.chmod(0o755)


def folder_of(path: Path, files: dict[str, str]) -> Path:
    """Write what a student hands in: ``#!name`` is a program, ``x name`` is marked as one."""
    path.mkdir()
    for name, text in files.items():
        if name.startswith("#!"):
            program(path / name[2:], text)
        else:
            written = path / name.removeprefix("x ")
            written.write_text(text)
            written.chmod(0o755 if name.startswith("x ") else 0o644)
    return path


def misbehaving(how: str) -> str:
    code = BAD_BOT.read_text(encoding="utf-8")
    return f"import sys\nsys.argv = ['bad', {how!r}]\nexec({code!r})\n"


# --- which player ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("files", "spec"),
    [
        ({"player.toml": 'player = "ugi:node bot.js"'}, "ugi:node bot.js"),
        ({"player.toml": 'player = "gomocup:./b"\nbuild = "make"'}, "gomocup:./b"),
        ({"player.toml": 'player = "mine.py:f"', "player.py": WINS}, "mine.py:f"),
        ({"player.py": WINS, "helpers.py": "def a(x): pass"}, "player.py:choose"),
        ({"anna.py": WINS}, "anna.py:choose"),
        ({"anna.py": WINS, "test_anna.py": "def choose(x): pass"}, "anna.py:choose"),
        ({"anna.py": WINS, "helpers.py": "def best(x): pass"}, "anna.py:choose"),
        ({"anna.py": "def mine(position): pass\ndef _f(x): pass"}, "anna.py:mine"),
        (
            {"anna.py": "def mine(position, depth=3, *, w=1): pass\ndef main(): pass"},
            "anna.py:mine",
        ),
        ({"anna.py": "class Player:\n def choose(self, p, l): pass"}, "anna.py:Player"),
        ({"anna.py": "class A:\n def choose(self, p, l): pass\nclass B: pass"}, "anna.py:A"),
        ({"player.py": WINS, "notes.txt": "", ".hidden.py": WINS}, "player.py:choose"),
        ({"#!bot": ""}, "ugi:./bot"),
        ({"#!bot": "", "#!tool": "", "player.py": WINS}, "ugi:./bot"),
        ({"#!run.py": ""}, "ugi:./run.py"),
        ({"#!it's": ""}, "ugi:'./it'\"'\"'s'"),
        ({"x marked.py": WINS}, "marked.py:choose"),  # an archive marks everything as executable
    ],
)
def test_the_player_in_a_folder(files: dict[str, str], spec: str, tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "anna", files)
    found = handed_in(folder)
    assert (found.spec, found.folder) == (spec, folder)
    assert found.build == ("make" if "gomocup" in spec else None)


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({}, "there is no player.toml, no executable program, no Python, no Java, no C and no C++"),
        ({"notes.txt": "hello"}, "there is no player.toml, no executable program"),
        ({"a.py": "x = 1"}, "a.py has no function choose(position)"),
        ({"a.py": "def f(p): pass\ndef g(p): pass"}, "a.py has f, g: call one of them choose"),
        ({"a.py": "def choose(a, b, c): pass"}, "a.py: choose takes 3 arguments; a player takes"),
        ({"a.py": "def choose(:"}, "a.py:1: "),
        ({"a.py": "x = " + "(" * 5000}, "a.py"),
        ({"a.py": "\x00"}, "a.py"),
        ({"a.py": "#" * (1 << 21)}, "a.py is too large"),
        ({"player.toml": "#" * (1 << 21)}, "player.toml is too large"),
        ({"a.py": WINS, "b.py": WINS}, "a.py, b.py of 2 Python files could be it: call it player"),
        ({"a.py": "x = 1", "b.py": ""}, "none of them of 2 Python files could be it"),
        ({"#!one": "", "#!two": ""}, "one, two can be executed: call one of them bot"),
        ({"A.java": "class A {}"}, "no class in "),
        ({"player.toml": "player = "}, "{folder}/player.toml: not TOML"),
        ({"player.toml": "x = 1"}, "player.toml: unknown key 'x': there are player, build"),
        ({"player.toml": 'build = "make"'}, "player.toml: player is missing: a spec"),
        ({"player.toml": "player = 7"}, "player.toml: player must be a spec"),
        ({"player.toml": 'player = " "'}, "player.toml: player must be a spec"),
        (
            {"player.toml": 'player = "engine"'},
            "player.toml: player 'engine' is nothing that a",
        ),
        (
            {"player.toml": 'player = "alphabeta:depth=9"'},
            "player.toml: player 'alphabeta:depth=9' ",
        ),
        ({"player.toml": 'player = "./bot"'}, "player.toml: player './bot' is nothing that a stu"),
    ],
)
def test_no_player_in_a_folder(files: dict[str, str], said: str, tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "anna", files)
    with pytest.raises(InvalidPlayerError) as refused:
        handed_in(folder)
    assert str(refused.value).startswith(f"no player found: {said.format(folder=folder)}")
    assert "\n" not in str(refused.value)


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"\xff\xfe")
    with pytest.raises(InvalidPlayerError, match=r"no player found: .*a\.py: not UTF-8 text"):
        handed_in(tmp_path / "a.py")


def test_files_that_students_hand_in(tmp_path: Path) -> None:
    (tmp_path / "anna.py").write_text(WINS)
    program(tmp_path / "bert", "")
    (tmp_path / "notes.txt").write_text("")
    (tmp_path / "gone").symlink_to(tmp_path / "nowhere")
    assert handed_in(tmp_path / "anna.py").spec == "anna.py:choose"
    assert handed_in(tmp_path / "bert").spec == "ugi:./bert"
    for name in ("notes.txt", "gone"):
        with pytest.raises(InvalidPlayerError, match=f"no player found: '{name}' is n"):
            handed_in(tmp_path / name)


@pytest.mark.parametrize(
    ("interface", "kind"), [("MNKPlayer", "bologna-mnk"), ("CXPlayer", "bologna-connect")]
)
def test_java_players_of_the_courses(interface: str, kind: str, tmp_path: Path) -> None:
    source = tmp_path / "anna" / "src" / "Mine.java"
    source.parent.mkdir(parents=True)
    source.write_text(f"public class Mine implements {interface} {{ }}\n")
    assert handed_in(tmp_path / "anna").spec == f"{kind}:{tmp_path / 'anna'}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_mossa_new_writes_is_understood(language: str, tmp_path: Path) -> None:
    found = handed_in(new_player("my_bot", language, tmp_path))
    assert found.folder == tmp_path / "my_bot"
    assert (found.build is None) == (language in ("python", "javascript"))


def test_who_is_in_a_class(tmp_path: Path) -> None:
    for name in ("Anna", "bert"):
        (tmp_path / name).mkdir()
    for name in ("carla.py", "bert.py", "suite.toml", ".DS_Store", "notes.txt"):
        (tmp_path / name).write_text("")
    (tmp_path / "__pycache__").mkdir()
    found = entries(tmp_path, but=[tmp_path / "suite.toml"])
    assert [each.student for each in found] == ["Anna", "bert", "bert.py", "carla", "notes"]
    (tmp_path / "player.toml").write_text('player = "carla.py:choose"')
    assert entries(tmp_path) == [Entry(tmp_path.name, tmp_path)]


# --- building -------------------------------------------------------------------------------------


def built(folder: Path, command: str) -> str:
    """What is said of a command that builds nothing."""
    about = f'player = "ugi:./bot"\nbuild = {json.dumps(command)}'
    (folder / "player.toml").write_text(about)
    with pytest.raises(InvalidPlayerError) as refused:
        handed_in(folder).player()
    return str(refused.value)


@posix
def test_builds_that_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    python = shlex.quote(sys.executable)
    assert built(tmp_path, "/no/such/cc x.c") == (
        "cannot build with '/no/such/cc x.c': No such file or directory"
    )
    assert built(tmp_path, "'").startswith("invalid command")
    failing = f"{python} -SEc \"print('line 1\\\\nline 2'); raise SystemExit(3)\""
    assert built(tmp_path, failing).endswith(": line 1 line 2")
    assert built(tmp_path, f"{python} -SEc 'raise SystemExit(3)'").endswith(": exit code 3")
    closing = f"{python} -SEc 'import os; os.close(1); os.close(2); os._exit(4)'"
    assert built(tmp_path, closing).endswith(": exit code 4")
    monkeypatch.setattr(students, "BUILD_TIME", 0.2)
    for body in ("pass", "print(9)"):
        forever = f"{python} -SEc 'while True: {body}'"
        assert built(tmp_path, forever).endswith(": it took over 0.2 s")
    assert not children()


@posix
@pytest.mark.parametrize("look", range(1, 12))
def test_why_a_build_failed_is_told(
    look: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a compiler wrote last was lost if it ended just after we had read what there was."""
    gate = tmp_path / "gate"
    monkeypatch.setattr(students, "SYSTEM", Sudden(gate, look))
    failing = f"sh -c 'echo one; read x < {gate}; echo two; echo three >&2; exit 3'"
    said = built(tmp_path, failing).rpartition(": ")[2]
    assert sorted(said.split()) == ["one", "three", "two"]


# --- the class ------------------------------------------------------------------------------------


@posix
def test_what_a_player_does_costs_only_its_student(suite_file: Path, tmp_path: Path) -> None:
    folder = tmp_path / "class"
    folder.mkdir()
    (folder / "anna.py").write_text(WINS)
    program(folder / "bert" / "bot", STARTER)
    for name, how in (("crash", "crash"), ("exits", "exit"), ("hangs", "stall")):
        program(folder / name / "bot", misbehaving(how))
    program(folder / "kills" / "bot", "import os\ninput()\nos.kill(os.getppid(), 9)\n")
    program(folder / "rubbish" / "bot", misbehaving("bytes"))
    (folder / "never").mkdir()
    (folder / "never" / "player.toml").write_text('player = "ugi:./nothing"')
    (folder / "notes.txt").write_text("no player")
    pages, table, xml = tmp_path / "pages", tmp_path / "class.csv", tmp_path / "class.xml"
    outputs: list[str | Path] = ["--csv", table, "--junit", xml, "--pages", pages]
    done = call("grade", folder, "--suite", suite_file, *outputs, "--workers", "2", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    data = json.loads(done.stdout)
    assert data["complete"] is True
    grades = {each["student"]: each for each in data["students"]}
    assert list(grades) == [
        *("anna", "bert", "crash", "exits", "hangs", "kills", "never", "notes", "rubbish"),
    ]
    assert (grades["anna"]["points"], grades["anna"]["problem"]) == (3, None)
    assert grades["anna"]["player"] == "anna.py:choose"
    assert grades["bert"]["problem"] is None and grades["bert"]["points"] >= 1
    for name, why in (("crash", "cucumber"), ("hangs", "ran out of time")):
        assert why in grades[name]["exercises"][0]["detail"]
        assert not grades[name]["exercises"][0]["passed"]
        assert len(grades[name]["exercises"]) == 2
    assert grades["kills"]["problem"] == ("could not be graded: a worker process died (signal 9)")
    assert grades["never"]["problem"].endswith(
        "does not start: cannot start './nothing': No such file or directory"
    )
    assert grades["notes"]["problem"].startswith(
        "no player found: 'notes.txt' is not a Python file"
    )
    assert not children()
    lines = list(csv.DictReader(io.StringIO(table.read_text(encoding="utf-8"))))
    assert [line["student"] for line in lines] == list(grades)
    assert [line["1 win at once"] for line in lines[:3:2]] == ["2", "0"]
    suites = ElementTree.parse(xml).getroot().findall("testsuite")
    assert [each.attrib["name"] for each in suites] == [f"Second week: {name}" for name in grades]
    assert [each.attrib["errors"] for each in suites].count("1") == sum(
        each["problem"] is not None for each in grades.values()
    )
    assert {path.name for path in pages.iterdir()} == {
        "index.html",
        *(f"{name}.html" for name in grades),
    }
    assert "cucumber" in (pages / "crash.html").read_text(encoding="utf-8")


@posix
def test_one_line_for_every_student(suite_file: Path, tmp_path: Path) -> None:
    folder = tmp_path / "class"
    program(folder / "anna" / "bot", STARTER)
    (folder / "bert").mkdir()
    shown = good(call("grade", folder, "--suite", suite_file, "--workers", "1"))
    head, anna, bert = shown.splitlines()
    assert head.split() == ["student", "points", "passed"]
    assert anna.split()[:1] + anna.split()[2:4] == ["anna", "of", "3"]
    assert bert.startswith("bert     0 of 3  0 of 2  no player found: there is no player.toml, ")


@posix
def test_a_folder_with_a_player_of_its_own_is_one_student(suite_file: Path, tmp_path: Path) -> None:
    folder = tmp_path / "my_bot"
    program(folder / "program", STARTER)
    (folder / "player.toml").write_text('player = "ugi:./program"')
    data = json.loads(good(call("grade", folder, "--suite", suite_file, "--json")))
    (student,) = data["students"]
    assert (student["student"], student["problem"]) == ("my_bot", None)
    assert student["points"] >= 1


def test_programs_run_in_the_folder_of_their_student(suite_file: Path, tmp_path: Path) -> None:
    folder = tmp_path / "class" / "anna"
    folder.mkdir(parents=True)
    (folder / "answer.txt").write_text("a3")
    (folder / "player.py").write_text(
        "def choose(position):\n"
        "    best = open('answer.txt').read()\n"
        "    return best if position.is_legal(best) else position.moves[0]\n"
    )
    suite_file.write_text(SUITE.partition("[[opponents]]")[0])
    (student,) = grade_class(entries(folder.parent), read_suite(suite_file), count=1)
    assert student.problem == ""
    assert student.graded[0].detail == "played a3, the best move"


def graded(name: str = "win", *, passed: bool = True) -> Graded:
    return Graded(name, "position", passed, "<b>played</b> 4", 2.0, 0.5)


def test_what_students_write_is_no_markup_and_no_formula(suite_file: Path) -> None:
    suite = read_suite(suite_file)
    names = ["index", "=cmd|' /C calc'!A1", '<b>&"', "Zo\u00eb\x07"]
    class_ = [Student(name, "x", (graded(passed=False),), "<i>why</i>") for name in names]
    pages = dict(class_pages(class_, suite))
    assert len(pages) == 5
    for page in pages.values():
        assert "<b>" not in page and "<i>" not in page
    assert "&lt;i&gt;why" in pages["index.html"] and "index_.html" in pages
    assert "&lt;b&gt;played" in pages["index_.html"]
    lines = list(csv.DictReader(io.StringIO(class_csv(class_, suite))))
    assert lines[1]["student"].startswith("'=")
    ElementTree.fromstring(class_junit(class_, suite).encode())


# --- what is refused ------------------------------------------------------------------------------


def test_bad_input(suite_file: Path, tmp_path: Path) -> None:
    folder = tmp_path / "class"
    folder.mkdir()
    suite: list[str | Path] = ["--suite", suite_file]
    assert complaint(call("grade", folder, *suite)) == (
        f"nobody to grade in {shorten(str(folder))}: expected a file or folder per student"
    )
    (folder / "anna.py").write_text(WINS)
    assert "no such file" in complaint(call("grade", folder, "--suite", "none.toml")).lower()
    for option, value in (("--csv", "x.csv"), ("--pages", "x"), ("--workers", "2")):
        assert complaint(call("grade", "random", *suite, option, value)) == (
            f"{option} is for a folder of students, and 'random' is not one"
        )
    for option in ("--csv", "--junit"):
        assert complaint(call("grade", folder, *suite, option, folder)).endswith("it is a folder")
        nowhere = tmp_path / "no" / "x"
        assert complaint(call("grade", folder, *suite, option, nowhere)).endswith("no such folder")
    assert complaint(call("grade", folder, *suite, "--pages", suite_file)).endswith(
        "it is a file, not a folder"
    )
    assert complaint(call("grade", folder, *suite, "--workers", "0")).startswith(
        "invalid --workers"
    )


@posix
def test_a_bad_opponent_is_refused_before_anybody_is_graded(
    suite_file: Path, tmp_path: Path
) -> None:
    suite_file.write_text(SUITE.replace("random:seed=1", "ugi:/no/such/bot"))
    folder = tmp_path / "class"
    folder.mkdir()
    (folder / "anna.py").write_text(WINS)
    assert "'ugi:/no/such/bot' does not start: " in complaint(
        call("grade", folder, "--suite", suite_file)
    )


def test_a_student_cannot_raise_the_limits(tmp_path: Path) -> None:
    """The options of a spec in player.toml were believed: memory and time to start."""
    (tmp_path / "player.toml").write_text('player = "ugi:memory=99999,start=3000,./bot"\n')
    conditions = Conditions(memory=128, start=3.0)
    player = seated(handed_in(tmp_path).built(), conditions)
    assert is_program(player)
    assert player.start == 3.0
    assert vars(player)["_memory"] == 128
    assert vars(player.anew())["_memory"] == 128


def test_c_needs_no_player_toml(tmp_path: Path) -> None:
    (tmp_path / "my bot.c").write_text("int main(void) { return 0; }\n")
    (tmp_path / "-o.c").write_text("int more;\n")
    found = handed_in(tmp_path)
    assert found.spec == "ugi:./bot"
    assert found.build == "cc -O2 -std=gnu17 -o ./bot ./-o.c './my bot.c' -lm -pthread"
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "x.cpp").write_text("int main() {}\n")
    single = handed_in(tmp_path / "a" / "x.cpp")
    assert single.spec == "ugi:./x"
    assert (single.build or "").startswith("c++ -O2 -std=c++20 -o ./x ./x.cpp")
