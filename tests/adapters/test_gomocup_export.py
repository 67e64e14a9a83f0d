"""``mossa.adapters.gomocup``: a player packed for Gomocup's managers."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from importlib.metadata import version
from pathlib import Path

import pytest
from learning_checks import write_network

import mossa
from mossa.adapters import gomocup
from mossa.networks import Network

GAME = mossa.game("mnk:15x15x5")


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("exported") / "mossa.zip"
    assert gomocup.export(" engine:nodes=2000 ", path) == "engine:nodes=2000"
    return path


@pytest.fixture
def program(exported: Path, tmp_path: Path) -> Path:
    with zipfile.ZipFile(exported) as files:
        files.extractall(tmp_path / "brain")
    return tmp_path / "brain" / "pbrain-mossa"


def talk(program: Path, *lines: str) -> subprocess.CompletedProcess[str]:
    """Let a brain answer where nothing is installed, from another folder, as managers may."""
    return subprocess.run(
        [sys.executable, "-I", "-S", str(program)],
        input="".join(f"{line}\n" for line in lines),
        cwd=program.anchor,
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_a_brain_plays_where_nothing_is_installed(program: Path) -> None:
    done = talk(program, "START 15", "BOARD", "7,7,1", "0,0,2", "8,7,1", "0,2,2", "9,7,1")
    assert (done.returncode, done.stderr) == (0, "")
    four = ("7,7,1", "0,0,2", "8,7,1", "0,2,2", "9,7,1", "0,4,2", "10,7,1", "6,7,2", "DONE")
    asked = ("ABOUT", "START 15", "INFO timeout_turn 1000", "BOARD", *four)
    brain = subprocess.Popen(
        [sys.executable, "-I", "-S", str(program)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert brain.stdin is not None and brain.stdout is not None
    brain.stdin.write("".join(f"{line}\n" for line in asked))
    brain.stdin.flush()
    about, ok, move = (brain.stdout.readline().strip() for _ in range(3))
    assert f'version="{version("mossa")}"' in about
    assert (ok, move) == ("OK", "11,7")
    assert brain.communicate("END\n", timeout=60) == ("", "")
    assert brain.returncode == 0


def test_a_brain_plays_a_game_here(program: Path) -> None:
    brain = f"gomocup:{sys.executable} -I -S {program}"
    record = mossa.match(brain, "random:seed=1", GAME, time=5)
    assert record.result == "1-0" and "forfeit" not in record.extra


def test_managers_can_start_it(exported: Path) -> None:
    with zipfile.ZipFile(exported) as files:
        first, *others = files.infolist()
    assert first.filename == "pbrain-mossa"
    assert first.external_attr >> 16 == 0o755
    names = {each.filename for each in others}
    assert {"mossa/__init__.py", "mossa/data/lines-5.net"} <= names
    assert not [name for name in names if name.endswith((".html", ".js", ".book", "_core.pyi"))]
    assert not [name for name in names if name.startswith(("mossa/web", "mossa/cli", "mossa/lab"))]
    assert exported.stat().st_size < 8_000_000  # what Gomocup takes without asking


def test_the_same_export_has_the_same_bytes(exported: Path, tmp_path: Path) -> None:
    gomocup.export("engine:nodes=2000", tmp_path / "again.zip")
    assert (tmp_path / "again.zip").read_bytes() == exported.read_bytes()


def test_a_brain_without_its_core_says_what_it_needs(program: Path) -> None:
    (core,) = (program.parent / "mossa").glob("_core*")
    core.unlink()
    done = talk(program, "START 15")
    assert done.returncode == 1
    needs = f"Python {sys.version_info.major}.{sys.version_info.minor} on "
    assert done.stderr.startswith(f"pbrain-mossa needs {needs}")
    assert len(done.stderr.splitlines()) == 1


def test_a_network_of_your_own_goes_along(tmp_path: Path) -> None:
    write_network(tmp_path / "mine.net", GAME)
    spec = gomocup.export(f"engine:net={tmp_path / 'mine.net'}", tmp_path / "s.zip")
    assert spec == "engine:net=shipped"
    with zipfile.ZipFile(tmp_path / "s.zip") as files:
        files.extract("mossa/data/lines-5.net", tmp_path)
    assert Network.load(tmp_path / "mossa/data/lines-5.net") == Network.load(tmp_path / "mine.net")


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ("human", "cannot export 'human': it is a person"),
        ("gomocup:./brain", "it is a program outside of mossa"),
        ("gravity", "gravity is for connect only"),
    ],
)
def test_what_cannot_be_exported_is_refused(spec: str, why: str, tmp_path: Path) -> None:
    with pytest.raises(mossa.InvalidPlayerError, match=why):
        gomocup.export(spec, tmp_path / "s.zip")
    assert list(tmp_path.iterdir()) == []
