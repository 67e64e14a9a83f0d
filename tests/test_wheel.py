"""The package as it is shipped: an sdist, the wheel that is built from it, and a clean install.

The wheel is installed from the package index's point of view: dependencies come from there, and
no compiler can be found. With MOSSA_DIST a folder with both files is tested instead of new ones
(`make test-wheel`).
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import httpx
import pytest
from command import posix

ROOT = Path(__file__).parent.parent
COMPILERS = re.compile(
    r"(.*-)?(cc|c\+\+|gcc|g\+\+|clang|clang\+\+|cpp|ld|as|cmake|ninja|make)(-[\d.]+)?"
)
TESTED = [
    "tests/test_games.py",
    "tests/test_laws.py",
    "tests/test_players.py",
    "tests/test_book.py",
    "tests/test_networks.py",
    "tests/test_render.py",
    "tests/test_scaffold.py",
    "tests/test_terminal.py",
    "tests/test_trace.py",
    "tests/arena/test_referee.py",
    "tests/cli/test_match.py",
    "tests/cli/test_play.py",
    "tests/cli/test_show.py",
    "tests/cli/test_solve.py",
    "tests/protocols/test_ugi.py",
    "tests/records",
    "tests/search",
    "tests/session",
]
"""Tests that need pytest and the package, and little else."""

pytestmark = [posix, pytest.mark.slow]


def known_files() -> set[str]:
    """What git knows, or would if it was told: what is ignored is nobody's."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    if listed.returncode:
        pytest.skip("this is no checkout")
    return {name for name in listed.stdout.splitlines() if (ROOT / name).is_file()}


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist and the wheel."""
    given = os.environ.get("MOSSA_DIST")
    if given:
        return Path(given)
    pytest.importorskip("build", reason="the group release is not installed")
    tree, folder = tmp_path_factory.mktemp("tree"), tmp_path_factory.mktemp("dist")
    for name in known_files():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, tree / name)
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(tree)]
    subprocess.run(command, check=True, cwd=folder)
    return folder


def only(folder: Path, pattern: str) -> Path:
    (found,) = folder.glob(pattern)
    return found


def test_the_sdist_is_what_git_knows(dist: Path) -> None:
    with tarfile.open(only(dist, "*.tar.gz")) as archive:
        names = {member.name.partition("/")[2] for member in archive if member.isfile()}
    assert names == known_files() | {"PKG-INFO"}


def test_the_wheel_has_what_is_needed_and_nothing_else(dist: Path) -> None:
    """Every file of the package, the core with its stub, and what pip wants to know."""
    wheel = only(dist, "*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if not name.endswith("/")}
    about = "-".join(wheel.name.split("-")[:2]) + ".dist-info/"
    assert {name.removeprefix(about) for name in names if name.startswith(about)} == {
        "METADATA",
        "RECORD",
        "WHEEL",
        "entry_points.txt",
        "licenses/LICENSE",
    }
    package = {name for name in names if not name.startswith(about)}
    made = {name for name in package if re.fullmatch(r"mossa/_core\.(pyi|.*\.(so|pyd))", name)}
    assert len(made) == 2
    sources = {name.removeprefix("src/") for name in known_files() if name.startswith("src/")}
    assert package - made == sources


def test_an_index_would_take_both(dist: Path) -> None:
    """What it shows is the page of the package, rendered without a warning."""
    pytest.importorskip("twine", reason="the group release is not installed")
    pytest.importorskip("readme_renderer", reason="the group release is not installed")
    files = [only(dist, "*.tar.gz"), only(dist, "*.whl")]
    done = subprocess.run(
        [sys.executable, "-m", "twine", "--no-color", "check", "--strict", *files],
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout.count("PASSED")) == (0, 2), done.stdout + done.stderr


class Installed:
    """A new environment with the wheel, the extras of the boards and pytest in it."""

    def __init__(self, wheel: Path, folder: Path) -> None:
        self.folder = folder / "venv"
        subprocess.run([sys.executable, "-m", "venv", self.folder], check=True)
        self.python = self.folder / "bin" / "python"
        tools = folder / "tools"
        tools.mkdir()
        for place in reversed(os.environ["PATH"].split(os.pathsep)):
            for each in Path(place).glob("*"):
                if not COMPILERS.fullmatch(each.name):
                    (tools / each.name).unlink(missing_ok=True)
                    (tools / each.name).symlink_to(each)
        path = os.pathsep.join([str(self.folder / "bin"), str(tools)])
        assert not any(shutil.which(name, path=path) for name in ("cc", "c++", "g++", "cmake"))
        self.environment: dict[str, str] = {**os.environ, "PATH": path, "COLUMNS": "80"}
        self.run(
            "python", "-m", "pip", "install", "-q", "--only-binary", ":all:", f"{wheel}[web,tui]"
        )
        more = ["pytest>=8", "pytest-xdist>=3", "hypothesis>=6.100", "numpy>=1.26", "httpx>=0.27"]
        self.run("python", "-m", "pip", "install", "-q", "--only-binary", ":all:", *more)

    def run(
        self, program: str, *arguments: str | Path, typed: str = "", folder: Path = ROOT
    ) -> str:
        """Run a program of the environment, and return what it says."""
        done = subprocess.run(
            [self.folder / "bin" / program, *arguments],
            input=typed,
            capture_output=True,
            text=True,
            env=self.environment,
            cwd=folder,
        )
        assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-8000:]
        return done.stdout


@pytest.fixture(scope="module")
def installed(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return Installed(only(dist, "*.whl"), tmp_path_factory.mktemp("clean"))


def test_it_is_the_installed_package_that_runs(installed: Installed, dist: Path) -> None:
    where = installed.run("python", "-c", "import mossa; print(mossa.__file__)")
    assert Path(where.strip()).is_relative_to(installed.folder)
    version = only(dist, "*.whl").name.split("-")[1]
    assert installed.run("mossa", "--version") == f"mossa {version}\n"


def test_what_people_do_first(installed: Installed, tmp_path: Path) -> None:
    played = installed.run(
        "mossa", "play", "--plain", "connect4", typed="4\nquit\n", folder=tmp_path
    )
    assert "first (x)" in played
    installed.run("mossa", "new", "player", "hal", folder=tmp_path)
    assert "passed" in installed.run("python", "-m", "pytest", "-q", "hal", folder=tmp_path)
    spec = str(tmp_path / "hal" / "player.py") + ":choose"
    match = ["match", spec, "random", "tictactoe", "--start", "60"]  # a busy machine takes its time
    assert installed.run("mossa", *match, folder=tmp_path)
    installed.run("mossa", "trace", "tictactoe", "--nodes", "20", folder=tmp_path)
    assert "<html" in (tmp_path / "trace.html").read_text(encoding="utf-8")


def test_the_board_in_the_browser(installed: Installed, tmp_path: Path) -> None:
    shipped = {path.name for path in (ROOT / "src/mossa/web/static").iterdir()}
    arguments = ["--port", "0", "--no-browser", "--games", str(tmp_path / "games.sqlite")]
    process = subprocess.Popen(
        [installed.folder / "bin" / "mossa", "web", *arguments],
        stdout=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        env=installed.environment,
        # Ctrl-C may be ignored where the tests run; the command is to hear it.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    try:
        assert process.stdout is not None
        found = re.search(r"http://\S+/", process.stdout.readline())
        assert found
        with httpx.Client(base_url=found[0], timeout=20) as client:
            for path in ("", "search", "arena", "docs", "pages/search", "pages/arena/"):
                assert client.get(f"/{path}").status_code == 200, path
            for name in shipped:
                assert client.get(f"/static/{name}").status_code == 200, name
            new = {"game": "connect4", "second": "level:1"}
            assert client.post("/api/games", json=new).status_code == 201
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=20) == 130


def test_the_tests_pass_there(installed: Installed) -> None:
    said = installed.run("python", "-m", "pytest", "-q", "-n", "auto", *TESTED)
    passed = re.search(r"(\d+) passed", said)
    assert passed
    assert int(passed[1]) > 500
