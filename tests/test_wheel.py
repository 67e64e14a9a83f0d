"""The package as it is shipped: installed from a wheel, it has all it needs."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import httpx
import pytest
from command import posix

ROOT = Path(__file__).parent.parent


@posix
@pytest.mark.slow
def test_a_wheel_serves_the_board(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", ROOT],
        check=True,
        cwd=tmp_path,
    )
    (wheel,) = tmp_path.glob("*.whl")
    check_wheel(wheel, tmp_path / "venv")


def check_wheel(wheel: Path, folder: Path) -> None:
    """Install a wheel where nothing else of this project is, and ask its server for every file."""
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if "/web/static/" in name]
        java = {name for name in archive.namelist() if name.endswith(".java")}
        templates = {name for name in archive.namelist() if "/templates/" in name}
    shipped = {Path(name).name for name in names}
    assert shipped == {path.name for path in (ROOT / "src/mossa/web/static").iterdir()}
    sources = ROOT / "src"
    assert (
        java == {path.relative_to(sources).as_posix() for path in sources.rglob("*.java")} != set()
    )
    assert {name for name in templates if "__pycache__" not in name} == {
        path.relative_to(sources).as_posix()
        for path in (sources / "mossa" / "templates").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    # What the package depends on is taken from here; the package itself is not: a path in such a
    # file is searched, but what this environment has installed for development is not started.
    (site,) = folder.glob("lib/python*/site-packages")
    (site / "here.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    subprocess.run(
        [python, "-m", "pip", "install", "-q", "--no-deps", "--no-index", wheel], check=True
    )
    games = str(folder / "games.sqlite")
    process = subprocess.Popen(
        [folder / "bin" / "mossa", "web", "--port", "0", "--no-browser", "--games", games],
        stdout=subprocess.PIPE,
        text=True,
        cwd=folder,
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
        where = "import mossa; print(mossa.__file__)"
        used = subprocess.run([python, "-c", where], capture_output=True, text=True, cwd=folder)
        assert Path(used.stdout.strip()).is_relative_to(folder)
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=20) == 130
