"""The hooks of git: what a commit message must have, and the style of what is committed."""

from __future__ import annotations

import os
import runpy
import shlex
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from command import posix

ROOT = Path(__file__).parents[1]
HOOKS = ROOT / ".githooks"
problems: Callable[[str], list[str]] = runpy.run_path(str(HOOKS / "commit_message.py"))["problems"]
BODY = "\n\nA swap after second has moved gave away the game.\n"


@pytest.mark.parametrize(
    "message",
    [
        "kalah: refuse a swap" + BODY,
        "records, web: speed up the splitter" + BODY,
        "core/solve: bring bounds together" + BODY + "\nBench: 1234567\n",
        "kalah: refuse a swap" + BODY + "# a comment.\n",
        "kalah: " + "x" * 65 + BODY,
        "kalah: refuse a swap" + BODY + "# ---- >8 ----\ndiff\nBench: new\n",
        "Merge branch 'kalah'\n",
        'Revert "kalah: refuse a swap"\n',
        "fixup! kalah: refuse a swap\n",
    ],
)
def test_a_good_message(message: str) -> None:
    assert problems(message) == []


def test_a_release_can_be_committed() -> None:
    """The command in RELEASING.md had no body, so the hooks refused it."""
    text = (ROOT / "RELEASING.md").read_text(encoding="utf-8")
    (line,) = (each for each in text.splitlines() if "git commit" in each)
    words = shlex.split(line.replace("$(.venv/bin/mossa --version)", "mossa 1.0.0"))
    assert words[:3] + words[4:5] == ["git", "commit", "-am", "-m"]
    assert problems(f"{words[3]}\n\n{words[5]}\n") == []


@pytest.mark.parametrize(
    ("message", "problem"),
    [
        ("", "subject '' does not name its area"),
        ("# nothing but comments\n", "subject '' does not name its area"),
        ("refuse a swap" + BODY, "subject 'refuse a swap' does not name its area"),
        ("Kalah: refuse a swap" + BODY, "subject 'Kalah: refuse a swap' does not name its area"),
        ("kalah:refuse a swap" + BODY, "subject 'kalah:refuse a swap' does not name its area"),
        ("kalah: " + BODY, "subject 'kalah:' does not name its area"),
        ("kalah: " + "x" * 66 + BODY, "has 73 characters; at most 72 fit"),
        ("kalah: refuse a swap." + BODY, "ends with a full stop"),
        ("kalah: added a rule" + BODY, "says 'added'; use the imperative"),
        ("kalah: fixes a rule" + BODY, "says 'fixes'; use the imperative"),
        ("kalah: using a table" + BODY, "says 'using'; use the imperative"),
        ("kalah: refuse a swap", "there is no body"),
        ("kalah: refuse a swap\n\n# why?\n", "there is no body"),
        ("kalah: refuse a swap\n\nBench: 12\nSigned-off-by: A <a@b.c>\n", "there is no body"),
        ("kalah: refuse a swap\nbecause" + BODY, "line 2 is 'because'"),
        ("kalah: refuse a swap" + BODY + "Bench: more\n", "'Bench: more' is no signature"),
        ("kalah: refuse a swap" + BODY + "Bench: 1,234\n", "'Bench: 1,234' is no signature"),
        ("kalah: refuse a swap" + BODY + "Bench:\n", "'Bench:' is no signature"),
    ],
)
def test_a_bad_message(message: str, problem: str) -> None:
    found = problems(message)
    assert any(problem in each for each in found), found
    assert not any("\n" in each for each in found)


# --- in git --------------------------------------------------------------------------------------

in_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


class Repository:
    """A repository with our hooks, as `make hooks` sets them up."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        shutil.copytree(HOOKS, folder / ".githooks")
        shutil.copy(ROOT / "Makefile", folder)
        self.git("init", "-q")
        self.run("make", "-s", "hooks")

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        # Without pre-commit, and with nothing of the repository that the tests may run in.
        kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        person = {
            f"GIT_{who}_{what}": "a@b.c"
            for who in ("AUTHOR", "COMMITTER")
            for what in ("NAME", "EMAIL")
        }
        path = os.pathsep.join(["/usr/bin", "/bin", str(self.folder / "bin")])
        return subprocess.run(
            command,
            cwd=self.folder,
            env={**kept, **person, "PATH": path, "HOME": str(self.folder)},
            capture_output=True,
            text=True,
        )

    def git(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return self.run("git", *arguments)

    def commit(self, message: str, **files: str) -> subprocess.CompletedProcess[str]:
        for name, content in files.items():
            (self.folder / f"{name}.py").write_text(content)
            self.git("add", f"{name}.py")
        return self.git("commit", "--allow-empty", "-m", message)


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path)


@posix
@in_git
def test_git_refuses_a_bad_message_and_keeps_it(repository: Repository) -> None:
    done = repository.commit("Kalah.")
    assert done.returncode != 0
    assert "commit message: subject 'Kalah.' does not name its area" in done.stderr
    assert 'git commit -e -F ".git/COMMIT_EDITMSG"' in done.stderr
    assert (repository.folder / ".git" / "COMMIT_EDITMSG").read_text() == "Kalah.\n"
    assert repository.git("log").returncode != 0

    assert repository.commit("kalah: refuse a swap" + BODY).returncode == 0
    assert repository.git("log", "--format=%s").stdout == "kalah: refuse a swap\n"


@posix
@in_git
def test_git_refuses_files_out_of_shape(repository: Repository) -> None:
    ruff = shutil.which("ruff") or str(ROOT / ".venv" / "bin" / "ruff")
    if not Path(ruff).exists():
        pytest.skip("ruff is not installed")
    (repository.folder / "bin").mkdir()
    (repository.folder / "bin" / "ruff").symlink_to(ruff)
    message = "kalah: refuse a swap" + BODY
    done = repository.commit(message, shape="x  =  1\n")
    assert done.returncode != 0
    assert "make format" in done.stderr
    assert repository.commit(message, shape="import os\n").returncode != 0  # an unused import
    assert repository.commit(message, shape="x = 1\n").returncode == 0


@posix
@in_git
def test_a_missing_tool_is_told_and_stops_nobody(repository: Repository) -> None:
    done = repository.commit("kalah: refuse a swap" + BODY, shape="x  =  1\n")
    assert done.returncode == 0
    assert "NO STYLE CHECK: ruff is missing" in done.stderr


def test_pre_commit_runs_the_same_hooks() -> None:
    """Local hooks only: they work without a network."""
    config = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    assert [line.strip() for line in config.splitlines() if "repo:" in line] == ["- repo: local"]
    entries = [line.split()[-1] for line in config.splitlines() if "entry:" in line]
    assert entries == [".githooks/pre-commit", ".githooks/commit-msg"]
    assert all((ROOT / entry).exists() for entry in entries)
