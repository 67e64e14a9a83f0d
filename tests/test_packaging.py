"""What the package says of itself: its version, its extras, its page on the index, its release.

tests/test_wheel.py builds it and tries it out.
"""

from __future__ import annotations

import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from command import call, good

import mossa
from mossa import errors
from mossa.errors import how_to_install

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
VERSION: str = PROJECT["project"]["version"]
EXTRAS: dict[str, list[str]] = PROJECT["project"]["optional-dependencies"]


# --- the version ----------------------------------------------------------------------------------


def test_everybody_asks_for_the_version() -> None:
    assert good(call("--version")) == f"mossa {VERSION}\n"
    assert mossa.__version__ == VERSION


def test_the_version_stands_in_one_place() -> None:
    """A changelog tells what was when, and data by what it was made; players that `mossa new`
    writes have one of their own."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("this is no checkout")
    number = re.compile(rf"(?<![\d.]){re.escape(VERSION)}(?![\d.])")
    allowed = (
        *("CHANGELOG.md", "src/mossa/templates/", "src/mossa/data/", "docs/puzzles.md"),
        *("benchmarks/", "tests/data/"),
    )
    found = []
    for name in listed.stdout.splitlines():
        path = ROOT / name
        if name.startswith(allowed) or not path.is_file() or path.suffix in (".png", ".book"):
            continue
        if number.search(path.read_text(encoding="utf-8", errors="ignore")):
            found.append(name)
    assert found == ["pyproject.toml"]


# --- extras ---------------------------------------------------------------------------------------


def test_all_extras_are_in_all() -> None:
    every = [name for name in EXTRAS if name != "all"]
    assert EXTRAS["all"] == [f"mossa[{','.join(every)}]"]


@pytest.mark.parametrize("page", ["PACKAGE.md", "docs/journeys/install.md"])
def test_extras_are_documented(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    assert [name for name in EXTRAS if f"`{name}`" not in text] == []


def test_only_extras_are_advised() -> None:
    asked = set()
    for path in (ROOT / "src").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        asked |= set(re.findall(r"how_to_install\([\"'](\w+)", text))
        asked |= set(re.findall(r"(?:needed_by|package)\([^)]*extra=[\"'](\w+)", text))
        # How to install something is said by one function.
        assert path.name == "errors.py" or "pip install" not in text, path
    assert asked
    assert asked <= set(EXTRAS)


@pytest.fixture
def _anew() -> Iterator[None]:
    """Where the package came from is asked once, and here anew."""
    errors._sources.cache_clear()
    yield
    errors._sources.cache_clear()


def installed(monkeypatch: pytest.MonkeyPatch, folder: Path, direct_url: str | None) -> None:
    """The package as if it stood in a folder, with what pip wrote about its origin."""
    monkeypatch.setattr(errors, "__file__", str(folder / "site-packages" / "mossa" / "errors.py"))
    found = SimpleNamespace(read_text=lambda name: direct_url)
    monkeypatch.setattr("importlib.metadata.distribution", lambda name: found)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    folder = tmp_path / "a checkout"
    (folder / "src" / "mossa").mkdir(parents=True)
    (folder / "pyproject.toml").touch()
    return folder


@pytest.mark.usefixtures("_anew")
@pytest.mark.parametrize("editable", [True, False])
def test_advice_in_a_checkout(
    editable: bool, checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`pip install .` and an install for development are both from a folder."""
    if editable:
        installed(monkeypatch, tmp_path, None)
        monkeypatch.setattr(errors, "__file__", str(checkout / "src" / "mossa" / "errors.py"))
    else:
        installed(monkeypatch, tmp_path, f'{{"url": "{checkout.as_uri()}", "dir_info": {{}}}}')
    monkeypatch.chdir(checkout)
    assert how_to_install("web") == "pip install '.[web]'"
    monkeypatch.chdir(tmp_path)
    assert how_to_install("web") == f"pip install '.[web]' in {checkout}"


@pytest.mark.usefixtures("_anew")
@pytest.mark.parametrize(
    "direct_url",
    [
        None,
        "",
        "{}",
        "[]",
        "no JSON",
        '{"dir_info": {}}',
        '{"url": 7, "dir_info": {}}',
        '{"url": "file:///gone", "dir_info": {}}',
        '{"url": "file:///tmp/mossa.whl", "archive_info": {}}',
    ],
)
def test_advice_elsewhere(
    direct_url: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed(monkeypatch, tmp_path, direct_url)
    assert how_to_install("web") == "pip install 'mossa[web]'"


# --- the page on the index ------------------------------------------------------------------------


def test_the_page_on_the_index_stands_alone() -> None:
    """An index shows one page: links and pictures that are files of ours would lead nowhere."""
    text = (ROOT / PROJECT["project"]["readme"]).read_text(encoding="utf-8")
    links = re.findall(r"(?:\]\(|(?:src|href)=\")([^)\s\"]+)", text)
    assert [link for link in links if not link.startswith("https://")] == []


# --- the release ----------------------------------------------------------------------------------


def test_every_step_of_a_release_is_a_command() -> None:
    text = (ROOT / "RELEASING.md").read_text(encoding="utf-8")
    steps = re.findall(r"^(\d+)\. (.*?)(?=^\d+\. |\Z)", text, re.MULTILINE | re.DOTALL)
    assert [int(number) for number, _ in steps] == list(range(1, len(steps) + 1))
    assert all("```sh\n" in step for _, step in steps)
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    used = set(re.findall(r"^ +make ([a-z-]+)", text, re.MULTILINE))
    assert used
    assert used <= targets
    for name in re.findall(r"`([\w./]+\.(?:yml|toml|md))`", text):
        assert (ROOT / name).is_file(), name
