"""The documentation held against the product.

Every Python session and every command with its output is run again, every example too. What the
pages list (commands, options, rules, files, the order of imports) is compared with what there is,
so that a page cannot grow old unnoticed.
"""

from __future__ import annotations

import ast
import doctest
import importlib
import io
import pkgutil
import re
import runpy
import shlex
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
import typer
from consoles import FENCE, assert_shown, commands

import mossa
from mossa import cli
from mossa._core import SearchKind
from mossa.games import KINDS, PRESETS, form_of
from mossa.players import player_kinds
from mossa.players.levels import ABILITIES
from mossa.search import SEARCHES

ROOT = Path(__file__).parents[1]
FOLDERS = ("benchmarks", "core", "docs", "examples", "tests")
PAGES = sorted(
    [*ROOT.glob("*.md"), *(page for folder in FOLDERS for page in (ROOT / folder).rglob("*.md"))]
)
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
# Pages that would be worth little without a session that runs.
GAME_PAGES = [f"docs/games/{kind}.md" for kind in KINDS]
WITH_SESSIONS = ["README.md", "docs/python.md", "docs/players.md", *GAME_PAGES]


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


every_page = pytest.mark.parametrize("page", PAGES, ids=name_of)


# --- what runs -----------------------------------------------------------------------------------


def only(text: str, wanted: re.Pattern[str]) -> str:
    """The code blocks that match, at the lines where they stand; all other lines are empty."""
    kept, at = [], 0
    for block in FENCE.finditer(text):
        kept.append("\n" * text.count("\n", at, block.start(2)))
        at = block.start(2)
        if wanted.search(block[0]):
            kept.append(block[2])
            at = block.end(2)
    return "".join(kept)


def run_sessions(text: str, name: str) -> int:
    """Run the Python sessions of a text as one doctest; return how many examples it has."""
    test = doctest.DocTestParser().get_doctest(text, {}, name, name, 0)
    complaints: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(test, out=complaints.append)
    assert not complaints, "".join(complaints)
    return len(test.examples)


@every_page
def test_sessions(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    count = run_sessions(only(page.read_text(encoding="utf-8"), re.compile(">>> ")), name_of(page))
    assert count or name_of(page) not in WITH_SESSIONS


@pytest.mark.parametrize(
    "module",
    ["mossa", *(found.name for found in pkgutil.walk_packages(mossa.__path__, "mossa."))],
)
def test_docstrings(module: str) -> None:
    try:
        loaded = importlib.import_module(module)
    except ModuleNotFoundError as missing:
        if not module.startswith("mossa.adapters."):
            raise
        pytest.skip(str(missing))  # a framework of other people
    finder = doctest.DocTestFinder(exclude_empty=True)
    for test in finder.find(loaded):
        complaints: list[str] = []
        doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=complaints.append)
        assert not complaints, "".join(complaints)


@pytest.mark.parametrize("example", EXAMPLES, ids=name_of)
def test_example(example: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(example)], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout
    assert not done.stderr


@pytest.mark.parametrize("example", EXAMPLES, ids=name_of)
def test_example_is_short_and_explained(example: Path) -> None:
    text = example.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 40
    assert f"python {name_of(example)}" in (ast.get_docstring(ast.parse(text)) or "")
    assert any(name_of(example) in page.read_text(encoding="utf-8") for page in PAGES)


QUOTED = re.compile(r"^<!-- (examples/\S+) -->\n```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@every_page
def test_quoted_examples(page: Path) -> None:
    """A block behind the name of an example is that file, letter by letter."""
    text = page.read_text(encoding="utf-8")
    assert len(QUOTED.findall(text)) == text.count("<!-- examples/")
    for name, quoted in QUOTED.findall(text):
        assert quoted == read(name)


# --- commands and their output -------------------------------------------------------------------


def run_command(command: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Run `[printf TEXT |] mossa ... [> FILE]`, `python FILE ...` or `cat FILE`."""
    words = shlex.split(command)
    typed, file = "", None
    if "|" in words:
        assert (words[0], words[2]) == ("printf", "|"), command
        typed, words = words[1].replace("\\n", "\n"), words[3:]
    if ">" in words:
        words, file = words[: words.index(">")], Path(words[-1])
    match words:
        case ["mossa", *arguments]:
            output = io.StringIO()
            with monkeypatch.context() as patch:
                patch.setattr(sys, "argv", ["mossa", *arguments])
                patch.setattr(sys, "stdin", io.StringIO(typed))
                patch.setattr(sys, "stdout", output)
                patch.setattr(sys, "stderr", output)
                patch.setenv("COLUMNS", "80")
                for name in ("FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
                    patch.delenv(name, raising=False)
                with suppress(SystemExit):
                    cli.main()
            shown = output.getvalue()
        case ["python", script, *arguments]:
            done = subprocess.run(
                [sys.executable, str(ROOT / script), *arguments], capture_output=True, text=True
            )
            shown = done.stdout + done.stderr
        case ["cat", name]:
            shown = Path(name).read_text(encoding="utf-8")
        case _:
            raise AssertionError(f"a console block holds a command that is not run: {command}")
    if file is None:
        return shown
    file.write_text(shown, encoding="utf-8")
    return ""


@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if page.parent.name != "journeys"],  # tests/test_journeys.py walks them
    ids=name_of,
)
def test_commands(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for command, shown in commands(page.read_text(encoding="utf-8")):
        assert_shown(run_command(command, monkeypatch), shown, command)


def test_every_command_is_documented() -> None:
    """A section for every command, in the order of `mossa --help`, that names all its options."""
    text = read("docs/command-line.md")
    sections = dict(re.findall(r"^## mossa ([\w-]+)\n(.*?)(?=^## |\Z)", text, re.M | re.S))
    group = typer.main.get_command(cli.app)
    assert isinstance(group, typer.core.TyperGroup)
    assert list(sections) == list(cli.COMMANDS)
    for name, command in group.commands.items():
        inner = command.commands if isinstance(command, typer.core.TyperGroup) else {}
        assert all(f"`mossa {name} {each} " in sections[name] for each in inner)
        for parameter in [each for one in (command, *inner.values()) for each in one.params]:
            for option in parameter.opts if parameter.param_type_name == "option" else ():
                assert f"`{option}" in sections[name], f"mossa {name} {option}"
        assert f"mossa {name}" in read("README.md")


# --- what the pages list -------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_game_page_is_complete(kind: str) -> None:
    text = read(f"docs/games/{kind}.md")
    assert form_of(kind) in text
    for size in KINDS[kind].sizes:
        assert f"`{size.name}`" in text
        assert f"{size.low} to {size.high}" in text or size.name == "k"
    for option in KINDS[kind].options:
        assert f"### `{option.name}`" in text
        for value in option.values:
            assert f"`{option.name}={value}`" in text
        assert f"`{option.name}={option.values[0]}` (the default)" in text
    for preset, meaning in PRESETS.items():
        if meaning.startswith(f"{kind}:"):
            assert f"`{preset}`" in text
            assert f"`{meaning}`" in text


def test_game_pages_have_one_structure() -> None:
    headings = [re.findall(r"^## .*$", read(page), re.MULTILINE) for page in GAME_PAGES]
    assert headings[0]
    assert headings == [headings[0]] * len(GAME_PAGES)


def test_every_game_and_preset_is_in_the_readme() -> None:
    for name in [*PRESETS, *map(form_of, KINDS)]:
        assert f"`{name}`" in read("README.md")


def test_every_public_name_is_in_the_guide() -> None:
    text = read("docs/python.md")
    assert [name for name in mossa.__all__ if f"`{name}" not in text] == []


def test_every_player_is_documented() -> None:
    text = read("docs/players.md")
    assert [name for name in player_kinds() if f"`{name}`" not in text] == []


def test_every_level_is_documented() -> None:
    section = read("docs/players.md").split("\n## Levels\n")[1].split("\n## ")[0]
    rows = re.findall(r"^(\| \d+ \|.*) \|[^|]*\|$", section, re.MULTILINE)
    expected = []
    for level, own in enumerate(ABILITIES, start=1):
        unit = "ply" if own.depth == 1 else "plies"
        plies = "no limit" if own.depth is None else f"{own.depth} {unit}"
        lapses = f"{own.lapses:.0%}" if own.lapses else "never"
        expected.append(f"| {level} | {plies} | {lapses} | {own.margin:g} | {own.time:g}")
        if own.nodes is not None:
            assert f"{own.nodes:,} nodes" in section
    assert rows == expected


@pytest.mark.parametrize("kind", SEARCHES.values(), ids=lambda kind: kind.name)
def test_every_option_of_a_search_is_documented(kind: SearchKind) -> None:
    """A row for each option, in the order of the core, with its default and its help."""
    section = read("docs/players.md").split(f"### `{kind.name}`\n")[1].split("\n##")[0]
    rows = re.findall(r"^\| `(\w+)` \| .* \| (\S+) \| (.*) \|$", section, re.MULTILINE)
    assert rows == [
        (option.name, f"`{option.default}`" if option.default else "none", option.help)
        for option in kind.options
    ]


# --- the order of files --------------------------------------------------------------------------


def test_core_readme_lists_every_file_lowest_first() -> None:
    listed = re.findall(r"^\| `([\w/.]+)` \|", read("core/README.md"), re.MULTILINE)
    files = {
        path.relative_to(ROOT / "core").as_posix() for path in (ROOT / "core").rglob("*.[ch]pp")
    }
    assert sorted(listed) == sorted(files)
    for at, name in enumerate(listed):
        folder = (ROOT / "core" / name).parent
        for included in re.findall(r'^#include "(.+)"', read(f"core/{name}"), re.MULTILINE):
            path = (folder / included).resolve().relative_to(ROOT / "core").as_posix()
            assert path in listed[:at], f"{name} includes {path}"


def test_modules_import_only_from_their_left() -> None:
    """The table of modules in the architecture page is the order of imports."""
    order = re.findall(r"^\| `mossa\.([\w.]+)` \|", read("docs/architecture.md"), re.MULTILINE)
    source = ROOT / "src" / "mossa"
    there = {path.stem for path in source.glob("[!_]*.py")}
    there |= {path.parent.name for path in source.glob("*/__init__.py")}
    assert sorted(row for row in order if "." not in row) == sorted(there | {"_core"})

    def row(module: str) -> str:
        """A module that stands apart from its package has a row of its own."""
        return module if module in order else module.partition(".")[0]

    for path in source.rglob("*.py"):
        if path.is_relative_to(source / "templates"):  # what `mossa new` copies
            continue
        module = ".".join(path.relative_to(source).with_suffix("").parts)
        if module in ("__init__", "__main__"):  # above all others
            continue
        allowed = {*order[: order.index(row(module))], row(module)}
        used = {row(other) for other in imported(path)}
        assert used <= allowed, f"{module} imports {used - allowed}"


def imported(path: Path) -> set[str]:
    """The modules of the package that a file imports."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "mossa":
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("mossa."):
            found.add((node.module or "").partition(".")[2])
        elif isinstance(node, ast.Import):
            found |= {
                alias.name.partition(".")[2] for alias in node.names if "mossa." in alias.name
            }
    return found


# --- links and pictures --------------------------------------------------------------------------

LINK = re.compile(r"\]\(([^)\s]+)\)|(?:src|href)=\"([^\"]+)\"")


def anchors(page: Path) -> set[str]:
    """The names that the headings of a page can be linked by."""
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {
        re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings
    }


@every_page
def test_links(page: Path) -> None:
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    for found in LINK.finditer(text):
        link = found[1] or found[2]
        if re.match(r"\w+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = page.parent / name if name else page
        assert target.exists(), f"{name_of(page)} links to {link}"
        if anchor:
            assert anchor in anchors(target), f"{name_of(page)} links to {link}"


def test_every_page_can_be_reached() -> None:
    index = read("docs/index.md")
    for page in (ROOT / "docs").rglob("*.md"):
        name = page.relative_to(ROOT / "docs").as_posix()
        assert name == "index.md" or f"]({name})" in index


def test_pictures_are_what_the_renderer_draws() -> None:
    folder = ROOT / "docs" / "images"
    pictures: dict[str, str] = runpy.run_path(str(folder / "make.py"))["pictures"]()
    # tests/tui/ compares those of the terminal.
    files = {path.name for path in folder.glob("*.svg") if not path.match("terminal-*")}
    assert set(pictures) == files
    for name, content in pictures.items():
        assert read(f"docs/images/{name}") == content + "\n", "run python docs/images/make.py"
