"""Hostile programs: whatever they try, they are contained, and it is said what stopped them."""

from __future__ import annotations

import json
import os
import select
import shutil
import socket
import subprocess
import sys
import uuid
from dataclasses import replace
from pathlib import Path
from time import monotonic
from types import SimpleNamespace
from typing import Any

import pytest
from confinement import HOSTILE, PYTHON, needs_sandbox, without_groups
from programs import children, until

from mossa import sandbox
from mossa.course import uploads
from mossa.errors import GameError
from mossa.sandbox import Ended, SandboxError, SandboxLimits, bubblewrap, groups, places, tree
from mossa.sandbox.sandbox import Sandbox, _usage

LIMITS = SandboxLimits(memory=64, cpu=2, processes=30, file=2, scratch=8, output=1)
IS_ROOT = sys.platform == "linux" and os.geteuid() == 0


@pytest.fixture(params=["groups", "no groups"])
def guarded(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Try what a machine with control groups does, and what one without them does."""
    if request.param == "no groups":
        without_groups(monkeypatch)
    elif not IS_ROOT:
        pytest.skip("control groups are root's here")


def attack(
    name: str, *arguments: str, limits: SandboxLimits = LIMITS, seconds: float = 20
) -> Ended:
    """Run a hostile program, which must not say that it has escaped."""
    ended = sandbox.run([*PYTHON, str(HOSTILE), name, *arguments], seconds=seconds, limits=limits)
    assert "escaped" not in ended.output
    return ended


# ---------------------------------------------------------------- limits


@needs_sandbox
@pytest.mark.usefixtures("guarded")
@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("fork", "started too many processes: the limit is 30"),
        ("threads", "started too many processes: the limit is 30"),
        ("memory", "ran out of memory: the limit is 64 MB"),
        ("shared_memory", "ran out of memory: the limit is 64 MB"),
        ("stdout", "wrote too much: the limit is 1 MB of output"),
        ("stderr", "wrote too much: the limit is 1 MB of output"),
        ("line", "wrote too much: the limit is 1 MB of output"),
        ("disk", "filled its temporary folder: the limit is 8 MB"),
        ("large_file", "wrote too large a file: the limit is 2 MB"),
    ],
)
def test_limits_hold_and_are_named(name: str, reason: str) -> None:
    # Thirty Pythons need more memory than one.
    ended = attack(name, limits=replace(LIMITS, memory=512) if name == "fork" else LIMITS)
    assert ended.reason == reason
    assert not ended.succeeded


@needs_sandbox
def test_processor_time_is_limited() -> None:
    ended = attack("cpu", limits=SandboxLimits(cpu=1))
    assert ended.reason == "used too much processor time: the limit is 1 s"


@needs_sandbox
def test_a_command_without_an_end() -> None:
    begin = monotonic()
    ended = attack("cpu", seconds=0.5)
    assert ended.reason == "took too long: the limit is 0.5 s"
    assert monotonic() - begin < 10


@needs_sandbox
def test_what_ends_well() -> None:
    ended = sandbox.run(["echo", "hello"], seconds=10)
    assert ended == Ended(0, "hello\n", None)
    assert ended.succeeded
    assert sandbox.run(["false"], seconds=10) == Ended(1, "", None)
    assert not sandbox.run(["no-such-program"], seconds=10).succeeded


@needs_sandbox
def test_what_a_command_wrote_last_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was lost if the command ended just after we had looked for something to read."""
    folder = tmp_path / "place"
    folder.mkdir()
    looks, others = 0, children()

    def look(*given: Any) -> Any:
        nonlocal looks
        looks += 1
        if looks > 1:
            return select.select(*given)
        (folder / "go").touch()
        until(lambda: children() <= others)
        return [], [], []

    monkeypatch.setattr(sys.modules[sandbox.run.__module__], "select", SimpleNamespace(select=look))
    words = ["sh", "-c", "until [ -e go ]; do :; done; echo the end; exit 3"]
    ended = sandbox.run(words, seconds=60, folder=folder, own=folder, writes=[folder])
    assert ended == Ended(3, "the end\n", None)


# ---------------------------------------------------------------- walls


@needs_sandbox
def test_nothing_of_others_can_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOSSA_TEST_PASSWORD", "1234")
    other = tmp_path / "another student" / "player.py"
    other.parent.mkdir()
    other.write_text("a clever idea")
    ended = attack("read", str(other), str(other.parent))
    assert ended.succeeded, ended.output


@needs_sandbox
def test_nothing_can_be_written_but_temporary_files(tmp_path: Path) -> None:
    before = sorted(HOSTILE.parent.iterdir())
    ended = attack("write", str(tmp_path), "/work", str(Path.cwd()), "/var/tmp")
    assert ended.succeeded, ended.output
    assert sorted(HOSTILE.parent.iterdir()) == before
    assert not Path("/tmp/mine").exists()


@needs_sandbox
def test_there_is_no_network(tmp_path: Path) -> None:
    name = f"mossa-{uuid.uuid4()}"
    path = str(tmp_path / "socket")
    with (
        socket.create_server(("127.0.0.1", 0)) as tcp,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp,
        socket.socket(socket.AF_UNIX) as abstract,
        socket.socket(socket.AF_UNIX) as named,
    ):
        udp.bind(("127.0.0.1", 0))
        abstract.bind(f"\0{name}")
        named.bind(path)
        abstract.listen()
        named.listen()
        ports = [str(each.getsockname()[1]) for each in (tcp, udp)]
        ended = attack("network", *ports, name, path)
        assert ended.succeeded, ended.output
        assert not select.select([tcp, udp, abstract, named], [], [], 0)[0]


@needs_sandbox
def test_nobody_else_can_be_killed() -> None:
    bystander = subprocess.Popen(["sleep", "600"])
    try:
        attack("kill")
        assert bystander.poll() is None
    finally:
        bystander.kill()
        bystander.wait()


@needs_sandbox
def test_it_has_no_privileges() -> None:
    ended = attack("privileges")
    assert ended.succeeded, ended.output


def _has_process(token: str) -> bool:
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if token.encode() in path.read_bytes():
                return True
        except OSError:
            continue
    return False


@needs_sandbox
@pytest.mark.usefixtures("guarded")
def test_nothing_is_left_of_it() -> None:
    token = f"mossa-{uuid.uuid4()}"
    attack("linger", token)
    assert not _has_process(token)


@needs_sandbox
def test_it_dies_with_whoever_started_it() -> None:
    token = f"mossa-{uuid.uuid4()}"
    script = f"""
import sys
from mossa import sandbox
sandbox.run(["sh", "-c", "(setsid sleep 601 {token} || sleep 602) & echo {token}; sleep 600"],
            seconds=60)
"""
    parent = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE)
    assert parent.stdout is not None
    deadline = monotonic() + 20
    while not _has_process(token) or not any(_inside(parent.pid)):
        assert monotonic() < deadline
    inside = _inside(parent.pid)
    parent.kill()
    parent.wait()
    parent.stdout.close()
    while not all(map(tree.has_ended, inside)):
        assert monotonic() < deadline


def _inside(pid: int) -> list[int]:
    """Return the processes of a sandbox that a process has started, once there are some."""
    found = tree.descendants(pid)
    return found if len(found) > 2 else []


@needs_sandbox
@pytest.mark.skipif(not IS_ROOT, reason="control groups are root's here")
def test_groups_are_removed_and_those_of_the_dead_forgotten() -> None:
    _, parent = next(groups._parents())
    dead = subprocess.Popen(["true"])
    dead.wait()
    left = parent / f"mossa-{dead.pid}-1"
    left.mkdir()
    attack("write")
    assert not left.exists()
    for _, each in groups._parents():
        assert not list(each.glob(f"mossa-{os.getpid()}-*"))


# ---------------------------------------------------------------- compilers


@pytest.fixture
def source(tmp_path: Path) -> Path:
    if shutil.which("g++") is None:
        pytest.skip("there is no C++ compiler here")
    folder = tmp_path / "player"
    folder.mkdir()
    return folder / "player.cpp"


def compiled(source: Path, *, seconds: float = 20, memory: int = 256) -> Ended:
    return sandbox.run(
        ["g++", "-o", str(source.with_suffix("")), str(source)],
        seconds=seconds,
        limits=SandboxLimits(memory=memory, cpu=10, file=16, scratch=32, output=1),
        folder=source.parent,
        own=source.parent,
        writes=[source.parent],
    )


@needs_sandbox
def test_a_compiler_writes_into_the_folder(source: Path) -> None:
    source.write_text('#include <cstdio>\nint main() { std::puts("hello"); }')
    assert compiled(source) == Ended(0, "", None)
    program = source.with_suffix("")
    assert program.stat().st_uid == os.geteuid()
    assert sandbox.run([str(program)], seconds=10) == Ended(0, "hello\n", None)


@needs_sandbox
def test_a_compiler_sees_no_files_of_the_system(source: Path) -> None:
    source.write_text('#include "/etc/passwd"\nint main() {}')
    ended = compiled(source)
    assert ended.code == 1 and "No such file" in ended.output and "root:" not in ended.output


@needs_sandbox
@pytest.mark.parametrize(
    "text",
    [
        pytest.param('#include "/dev/zero"\nint main() {}', id="a file without an end"),
        pytest.param(
            "template<int N> struct A { A<N + 1> next; A<-N> other; };\n"
            "template<int N, int M> struct B : B<N, M - 1>, B<N + (1 << M), M - 1> {};\n"
            "template<int N> struct B<N, 0> { char x[N + 1]; };\n"
            "int main() { B<0, 26> b; (void) b; }",
            id="templates without an end",
        ),
    ],
)
def test_a_compiler_that_never_ends(source: Path, text: str) -> None:
    source.write_text(text)
    ended = compiled(source, seconds=1)
    assert not ended.succeeded
    assert not source.with_suffix("").exists()


@needs_sandbox
def test_a_compiler_that_takes_too_much_memory(source: Path) -> None:
    macros = [f"#define a{n} {','.join([f'a{n - 1}'] * 20)}" for n in range(1, 8)]
    source.write_text("\n".join(["#define a0 1", *macros, "int x[] = {a7};", "int main() {}"]))
    ended = compiled(source, memory=64)
    assert ended.reason == "ran out of memory: the limit is 64 MB"
    assert not source.with_suffix("").exists()


@needs_sandbox
def test_a_build_that_fills_the_disk(tmp_path: Path) -> None:
    folder = tmp_path / "player"
    folder.mkdir()
    ended = sandbox.run(
        ["sh", "-c", "i=0; while :; do i=$((i+1)); head -c 1000000 /dev/zero > file$i; done"],
        seconds=30,
        limits=SandboxLimits(file=8),
        folder=folder,
        own=folder,
        writes=[folder],
    )
    assert ended.reason == "wrote too much: the limit of its folder is 8 MB"


DIVE = """
import os, time
for _ in range(25):
    os.mkdir("d" * 200)
    os.chdir("d" * 200)
at = 0
while True:
    at += 1
    with open(f"file{at}", "wb") as file:
        file.write(bytes(1000))
    time.sleep(0.01)
"""


@needs_sandbox
def test_files_of_a_build_below_the_longest_path_were_not_counted(tmp_path: Path) -> None:
    folder = tmp_path / "player"
    folder.mkdir()
    (folder / "dive.py").write_text(DIVE)
    ended = sandbox.run(
        [*PYTHON, "dive.py"], seconds=30, folder=folder, own=folder, writes=[folder]
    )
    uploads.remove(folder)
    assert ended.reason == "made files that cannot be counted: too deep, or in locked folders"


def test_files_in_a_folder_that_cannot_be_listed_were_not_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scan = os.scandir
    error: OSError = PermissionError(13, "Permission denied")

    def closed(place: str) -> object:  # root may list any folder, so it has to be played
        if str(place).endswith("closed"):
            raise error
        return scan(place)

    (tmp_path / "closed").mkdir()
    assert _usage(tmp_path) is not None
    monkeypatch.setattr(os, "scandir", closed)
    assert _usage(tmp_path) is None
    error = FileNotFoundError(2, "No such file or directory")  # it was removed meanwhile
    assert _usage(tmp_path) is not None
    assert _usage(tmp_path / "nowhere") == (0, 0)


def test_a_file_that_may_be_written_is_counted_as_it_is(tmp_path: Path) -> None:
    """It was taken for a folder that hides something, and a Java player with a log was killed."""
    log = tmp_path / "player.log"
    log.write_bytes(b"x" * 5000)
    assert _usage(log) == (0, log.stat().st_blocks * 512)


# ---------------------------------------------------------------- what it sees


@needs_sandbox
def test_a_folder_that_only_its_owner_may_read(tmp_path: Path) -> None:
    folder = tmp_path / "player"
    folder.mkdir(mode=0o700)
    (folder / "run.sh").write_text("cat data")
    (folder / "data").write_text("hello")
    (folder / "data").chmod(0o600)
    (folder / "link").symlink_to("/etc/shadow")
    ended = sandbox.run(["sh", "run.sh"], seconds=10, folder=folder, own=folder)
    assert ended == Ended(0, "hello", None)
    assert not sandbox.run(["cat", "link"], seconds=10, folder=folder, own=folder).succeeded


@pytest.mark.skipif(sys.platform != "linux", reason="paths of Linux")
def test_a_folder_must_be_a_players_own() -> None:
    for place in (Path("/"), Path("/etc"), Path.home(), Path.home().parent):
        with pytest.raises(SandboxError, match="holds more than a player"):
            places.check_own(place)


@pytest.mark.skipif(sys.platform != "linux", reason="paths of Linux")
def test_the_folder_of_a_command(tmp_path: Path) -> None:
    script, program = tmp_path / "bots" / "bot.py", tmp_path / "mine" / "bot"
    for each in (script, program):
        each.parent.mkdir()
        each.touch()

    def own(*words: str) -> Path | None:
        return places.own_place(words, tmp_path)

    assert own("python3", "-S", "bots/bot.py", "3") == script.parent
    assert own("mine/bot") == program.parent
    assert own("mine/bot", "--fast") == program.parent
    assert own(str(program), "bots/bot.py") == script.parent  # an interpreter, and its script
    assert own("java", "-cp", "mine", "Bot") == program.parent
    assert own("true") is None


@needs_sandbox
def test_a_command_that_was_handed_in_names_nothing_of_others(tmp_path: Path) -> None:
    mine, other = tmp_path / "mine", tmp_path / "other"
    for each in (mine, other):
        each.mkdir()
        (each / "bot").write_text(f"#!/bin/sh\necho {each.name}\n")
        (each / "bot").chmod(0o755)

    def said(program: Path) -> str:
        box = Sandbox([str(program)], limits=LIMITS, own=mine, handed_in=True)
        try:
            return subprocess.run(box.command, stdout=subprocess.PIPE, text=True).stdout
        finally:
            box.close()

    assert said(mine / "bot") == "mine\n"
    assert said(other / "bot") == ""
    link = tmp_path / "link"
    link.symlink_to(other)
    with pytest.raises(SandboxError, match="is a link: expected a folder"):
        Sandbox(["./bot"], limits=LIMITS, own=link, handed_in=True)


def test_a_command_that_was_handed_in_showed_what_lies_around_its_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, shared = tmp_path / "home", tmp_path / "shared"
    for place in (home / ".cargo" / "bin", shared / "bin"):
        place.mkdir(parents=True)
        (place.parent / "credentials").touch()
    (home / ".cargo" / "bin" / "mine").write_text("#!/bin/sh\n")
    (shared / "bin" / "ours").write_text("#!/bin/sh\n")
    for tool in (home / ".cargo" / "bin" / "mine", shared / "bin" / "ours"):
        tool.chmod(0o755)
    (shared / "bin" / "linked").symlink_to(home / ".cargo" / "bin" / "mine")
    monkeypatch.setenv("HOME", str(home))
    python = Path(sys.executable)
    folders = (home / ".cargo" / "bin", shared / "bin", python.parent)
    monkeypatch.setenv("PATH", os.pathsep.join(map(str, folders)))
    assert places.lent_places("mine") == []
    assert places.lent_places("ours") == [shared / "bin"]
    assert places.lent_places("linked") == [shared / "bin"]
    assert places.lent_places("nobody") == []
    assert places.lent_places(python.name) == places.python_places()
    assert places.tool_places("ours", tmp_path) == [shared]  # named by whoever runs the game


@needs_sandbox
def test_a_sandbox_lends_a_handed_in_command_no_more_than_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, tools = tmp_path / "mine", tmp_path / "tools" / "bin"
    mine.mkdir()
    tools.mkdir(parents=True)
    (tools.parent / "credentials").write_text("secret")
    (tools / "peep").write_text(f"#!/bin/sh\necho here; cat {tools.parent}/credentials\n")
    (tools / "peep").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}{os.pathsep}{os.environ['PATH']}")
    ended = sandbox.run(["peep"], seconds=30, own=mine, folder=mine, handed_in=True)
    assert ended.output.startswith("here")
    assert "secret" not in ended.output


# ---------------------------------------------------------------- machines without


def test_nothing_runs_without_bubblewrap(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    why = sandbox.missing()
    assert why is not None
    if sys.platform == "linux":
        assert why == "bubblewrap is not installed: apt install bubblewrap"
    with pytest.raises(SandboxError, match=r"bubblewrap"):
        sandbox.run([sys.executable, "-c", "print()"], seconds=1)


@pytest.mark.skipif(sys.platform != "linux", reason="bubblewrap is for Linux")
def test_bubblewrap_that_may_not_do_its_work(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    fake = tmp_path / "bwrap"
    fake.write_text(
        "#!/bin/sh\necho 'bwrap: No permissions to create new user namespace' >&2; exit 1"
    )
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    for each in (bubblewrap._missing, bubblewrap._can_nest, bubblewrap._allows_disabling):
        each.cache_clear()
    try:
        why = sandbox.missing()
    finally:
        for each in (bubblewrap._missing, bubblewrap._can_nest, bubblewrap._allows_disabling):
            each.cache_clear()
    assert why is not None and "may not make user namespaces here" in why and "\n" not in why


@pytest.mark.parametrize("wrong", [{"memory": 1}, {"cpu": 0}, {"processes": 2.5}, {"file": "x"}])
def test_limits_that_make_no_sense(wrong: dict[str, object]) -> None:
    with pytest.raises(GameError, match=f"invalid {next(iter(wrong))} of a sandbox"):
        SandboxLimits(**wrong)  # type: ignore[arg-type]


def test_limits_as_plain_data() -> None:
    data = json.loads(json.dumps(LIMITS.to_dict()))
    assert SandboxLimits.from_dict({**data, "from a later version": 1}) == LIMITS


# ---------------------------------------------------------------- as somebody else


_ORDINARY = """
import json, sys
from mossa import sandbox
found = {}
for name in ("fork", "memory", "write", "privileges", "disk"):
    ended = sandbox.run([sys.executable, "-I", "-S", sys.argv[1], name], seconds=20,
        limits=sandbox.SandboxLimits(memory=512 if name == "fork" else 64, cpu=2, processes=30,
                                     file=2, scratch=8, output=1))
    assert "escaped" not in ended.output, ended.output
    found[name] = ended.reason
print(json.dumps(found))
"""


@needs_sandbox
@pytest.mark.skipif(not IS_ROOT, reason="all the other tests are run by an ordinary user")
def test_an_ordinary_user_has_the_same_walls(tmp_path: Path) -> None:
    packages = [each for each in sys.path if each and Path(each).is_dir()]
    python = f"/usr/bin/python{sys.version_info.major}.{sys.version_info.minor}"
    as_nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "env", "-i"]
    as_nobody += ["PATH=/usr/bin:/bin", f"PYTHONPATH={':'.join(packages)}", python, "-P", "-c"]
    tried = subprocess.run([*as_nobody, "import mossa"], cwd="/", capture_output=True)
    if tried.returncode:
        pytest.skip("no Python here that can run mossa is another user's, too")
    allowed = subprocess.run(
        [*as_nobody, "from mossa import sandbox; print(sandbox.missing())"],
        cwd="/",
        capture_output=True,
        text=True,
    )
    if allowed.stdout.strip() != "None":
        pytest.skip(f"ordinary users have no sandbox here: {allowed.stdout}")
    done = subprocess.run(
        [*as_nobody, _ORDINARY, str(HOSTILE)], cwd="/", capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {
        "fork": "started too many processes: the limit is 30",
        "memory": "ran out of memory: the limit is 64 MB",
        "write": None,
        "privileges": None,
        "disk": "filled its temporary folder: the limit is 8 MB",
    }
