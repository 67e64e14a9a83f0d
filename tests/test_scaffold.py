"""Folders to start from: each builds, passes its own tests, and plays."""

from __future__ import annotations

import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from command import call, complaint, good, posix
from laws import python_games

import mossa
from mossa import GameError
from mossa.protocols import check_player
from mossa.protocols.check import program_of
from mossa.scaffold import LANGUAGES, TEMPLATES, first_steps, new_experiment, new_game, new_player

ROOT = Path(__file__).parents[1]

# What a language needs on this machine, and the command that runs the tests of a player in it.
TOOLS = {"c": "cc", "cpp": "c++", "java": "javac", "javascript": "node", "rust": "cargo"}
TESTS = {
    "c": "cc -Wall -Wextra -Werror -o test_bot test_bot.c && ./test_bot",
    "cpp": "c++ -std=c++17 -Wall -Wextra -Werror -o test_bot test_bot.cpp && ./test_bot",
    "java": "javac -Xlint -Werror -d build Bot.java BotTest.java && java -cp build BotTest",
    "javascript": "node --test",
    "rust": "cargo test --quiet",
    "python": f"{shlex.quote(sys.executable)} -m pytest -q -p no:cacheprovider",
}


def made(language: str, folder: Path) -> Path:
    """A player in a language that this machine has."""
    tool = TOOLS.get(language)
    if tool is not None and shutil.which(tool) is None:
        pytest.skip(f"there is no {tool} here: the player in {language} is not tried")
    return new_player("my_bot", language, folder)


def run(command: str, folder: Path) -> str:
    """Run a line of a shell, which must succeed."""
    done = subprocess.run(
        command,
        shell=True,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},  # they take a second to load
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def loaded(path: Path) -> Any:
    found = importlib.util.spec_from_file_location(path.stem, path)
    assert found is not None and found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def test_the_languages() -> None:
    assert LANGUAGES == ["c", "cpp", "java", "javascript", "python", "rust"]
    assert set(TESTS) == set(LANGUAGES)


@posix
@pytest.mark.parametrize(
    "language",
    [
        each if each in ("c", "javascript") else pytest.param(each, marks=pytest.mark.slow)
        for each in LANGUAGES
    ],
)
def test_a_player_builds_passes_the_checks_and_its_tests(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = made(language, tmp_path)
    monkeypatch.chdir(folder)
    about = tomllib.loads((folder / "player.toml").read_text(encoding="utf-8"))
    if "build" in about:
        run(about["build"], folder)
    game = mossa.game("connect4")
    program = program_of(about["player"], game, margin=5)
    checks = list(check_player(program, game, margin=5))
    assert [check for check in checks if not check.passed] == []
    for name in ("kalah,swap=yes", "mnk:20x20x5", "breakthrough:5x5"):
        record = mossa.match(about["player"], "random:seed=1", name, time=10)
        assert "forfeit" not in record.extra, record.extra["end"]
    run(TESTS[language], folder)


def test_the_tests_of_a_player_in_python_pass(tmp_path: Path) -> None:
    shown = run(TESTS["python"], new_player("my_bot", "python", tmp_path))
    assert shown.splitlines()[-1].startswith("6 passed")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_files_of_a_player_agree(language: str, tmp_path: Path) -> None:
    """The README, player.toml and the page of the protocol have the same commands."""
    folder = new_player("my_bot", language, tmp_path)
    about = tomllib.loads((folder / "player.toml").read_text(encoding="utf-8"))
    *build, check, match = first_steps(folder)
    assert shlex.split(check) == ["mossa", "check-player", about["player"]]
    assert shlex.split(match) == ["mossa", "match", about["player"], "level:1", "connect4"]
    assert (
        [about["build"].removesuffix(" --quiet")] * len(build) == build
        if build
        else ("build" not in about)
    )
    page = (ROOT / "docs" / "ugi.md").read_text(encoding="utf-8")
    (row,) = [line for line in page.splitlines() if line.startswith(f"| `{language}` |")]
    for command in (*build, about["player"]):
        assert f"`{command}`" in row


@pytest.mark.parametrize(
    "template", [*(f"player/{each}" for each in LANGUAGES), "game", "experiment"]
)
def test_nothing_is_left_of_the_name_of_a_template(template: str, tmp_path: Path) -> None:
    kind, _, language = template.partition("/")
    makers = {"game": new_game, "experiment": new_experiment}
    path = (
        new_player("my_bot", language, tmp_path)
        if kind == "player"
        else makers[kind]("my_bot", tmp_path)
    )
    names = {each.relative_to(path).as_posix() for each in path.rglob("*") if each.is_file()}
    source = TEMPLATES / template
    kept = {
        each for each in source.rglob("*") if each.is_file() and "__pycache__" not in each.parts
    }
    assert len(names) == len(kept) >= 3
    assert "README.md" in names
    assert any("test" in name.lower() for name in names) or language == "rust"
    for name in names:
        assert "starter" not in (name + (path / name).read_text(encoding="utf-8")).lower()
    assert (path / "README.md").read_text(encoding="utf-8").startswith("# my_bot\n")


def test_a_name_with_the_name_of_the_template_in_it(tmp_path: Path) -> None:
    """The class of kickstarter was called Kickkickstarter."""
    text = (new_game("kickstarter", tmp_path) / "kickstarter.py").read_text(encoding="utf-8")
    assert "class Kickstarter:" in text
    assert "kickstarter.py:Kickstarter" in text
    assert new_game("starter", tmp_path).joinpath("starter.py").read_text(encoding="utf-8") == (
        TEMPLATES / "game" / "starter.py"
    ).read_text(encoding="utf-8")


def test_a_game_obeys_the_laws_and_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = new_game("hot_potato", tmp_path)
    game = loaded(folder / "hot_potato.py").HotPotato
    for seed in range(10):
        python_games.check(game, seed=seed)
    monkeypatch.chdir(folder)
    _, *matches = first_steps(folder)
    for line in matches:
        shown = good(call(*shlex.split(line)[1:]))
        assert "moves: " in shown
    assert run(TESTS["python"], folder).splitlines()[-1].startswith("33 passed")


def test_an_experiment_runs_in_the_lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = new_experiment("deep_thought", tmp_path)
    monkeypatch.chdir(folder)
    shown = good(call("lab", "deep_thought.toml", "--quick", "--csv", "rows.csv"))
    assert "6 plies" in shown
    assert len((folder / "rows.csv").read_text(encoding="utf-8").splitlines()) == 1 + 3 * 3
    run(TESTS["python"], folder)


@pytest.mark.slow
def test_the_python_files_are_typed(tmp_path: Path) -> None:
    """mypy does not look at the templates where they are; this is what is made of them."""
    mypy = pytest.importorskip("mypy.api")
    for folder in (
        new_player("a_player", "python", tmp_path),
        new_game("a_game", tmp_path),
        new_experiment("an_experiment", tmp_path),
    ):
        shown, errors, code = mypy.run(
            ["--strict", "--no-incremental", "--follow-imports=silent", str(folder)]
        )
        assert code == 0, shown + errors


# --- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("", "invalid name '': a name has up to 40 letters, digits and underscores"),
        ("my-bot", "invalid name 'my-bot': did you mean 'my_bot'? a name has up to 40"),
        ("../bot", "invalid name '../bot': did you mean 'bot'? a name has up to 40"),
        ("7up", "invalid name '7up': a name has up to 40"),
        ("x" * 41, f"invalid name '{'x' * 41}': a name has up to 40"),
        ("b\u00f6t", "invalid name 'b\u00f6t': did you mean 'b_t'? a name"),
        ("bot\n", "invalid name 'bot\\n': did you mean 'bot_'? a name"),
        ("class", "invalid name 'class': Python has a use for it; add something, as my_class"),
        ("none", "invalid name 'none': Python has a use for it; add something, as my_none"),
        ("json", "invalid name 'json': Python has a use for it; add something, as my_json"),
        ("Mossa", "invalid name 'Mossa': Python has a use for it"),
    ],
)
@pytest.mark.parametrize("kind", ["player", "game", "experiment"])
def test_bad_names(
    kind: str, name: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert complaint(call("new", kind, name)).startswith(said)
    assert list(tmp_path.iterdir()) == []


def test_what_exists_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("mine")
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    for name in ("file", "folder", "link"):
        assert complaint(call("new", "game", name)) == (
            f"{name} exists: nothing is written over it; choose another name"
        )
    assert (tmp_path / "file").read_text() == "mine"
    assert list((tmp_path / "folder").iterdir()) == []


@pytest.mark.parametrize(
    ("language", "file"), [("C++", "bot.cpp"), ("js", "bot.js"), ("Java", "Bot.java")]
)
def test_a_language_may_be_called_as_people_call_it(
    language: str, file: str, tmp_path: Path
) -> None:
    """C++ was unknown: it is called cpp in the list."""
    assert (new_player("hal", language, tmp_path) / file).is_file()


def test_unknown_languages(tmp_path: Path) -> None:
    for language, hint in (("Pyton", "did you mean 'python'? "), ("Fortran", ""), ("", "")):
        with pytest.raises(GameError) as refused:
            new_player("bot", language, tmp_path)
        assert str(refused.value) == (
            f"unknown language {language!r}: {hint}there are {', '.join(LANGUAGES)}"
        )
    assert list(tmp_path.iterdir()) == []


@posix
@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tmp_path.chmod(0o500)
    monkeypatch.chdir(tmp_path)
    assert complaint(call("new", "game", "mine")) == "'mine': Permission denied"
