"""Packages of npm that checks need: fetched once, kept in ``.npm`` at the root of the project.

``python tests/npm.py NAME`` fetches a package and prints its folder. Nothing of them is shipped.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parents[1] / ".npm"
VERSIONS = {"axe-core": "4.10", "typescript": "5.9"}


class NoNpmError(Exception):
    """There is no npm, or it cannot fetch what is wanted."""


def npm_package(name: str) -> Path:
    """Return the folder of a package."""
    package = FOLDER / "node_modules" / name
    if shutil.which("node") is None or (shutil.which("npm") is None and not package.exists()):
        raise NoNpmError("node and npm are not installed")
    FOLDER.mkdir(exist_ok=True)
    with (FOLDER / "lock").open("w") as lock:  # tests run in several processes
        if sys.platform != "win32":
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX)
        if not (package / "package.json").exists():
            _install(f"{name}@{VERSIONS[name]}")
    return package


def _install(wanted: str) -> None:
    command = [
        "npm",
        "install",
        "--prefix",
        str(FOLDER),
        "--no-audit",
        "--no-fund",
        "--loglevel=error",
        wanted,
    ]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    except subprocess.TimeoutExpired:
        raise NoNpmError("npm does not answer") from None
    if done.returncode:
        lines = (done.stderr or done.stdout).strip().splitlines()
        raise NoNpmError(
            f"npm install {wanted} failed: {lines[-1] if lines else 'no reason given'}"
        )


if __name__ == "__main__":
    try:
        print(npm_package(sys.argv[1]))
    except NoNpmError as error:
        sys.exit(f"no {sys.argv[1]}: {error}")
