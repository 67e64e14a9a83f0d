"""What a student handed in: a file or a folder, and the player in it.

Nothing of it is run to find the player. These rules hold, and the first that fits counts:

1. a folder with ``player.toml``: what that says, as ``mossa new player`` writes it;
2. an executable program: it speaks UGI. In a folder it is called ``bot`` or ``player``, or is the
   only one. It is marked as executable, and is a binary or begins with ``#!``;
3. Python: the function ``choose``, or the only function; the class ``Player``, or the only class
   with a method ``choose``. In a folder it is in ``player.py``, or in the only file that has one;
4. Java, in a folder or a jar: a class that implements an interface of the courses in Bologna;
5. C or C++: all its files are compiled to one program, which speaks UGI.
"""

from __future__ import annotations

import ast
import os
import shlex
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from mossa.errors import InvalidPlayerError, did_you_mean, shorten
from mossa.files import read_text, read_toml
from mossa.players import Player, is_foreign, kind_names
from mossa.players import player as player_named
from mossa.protocols import hosted
from mossa.protocols.bologna.frameworks import FRAMEWORKS
from mossa.protocols.bologna.material import find_player, read_material
from mossa.protocols.external import is_program
from mossa.protocols.process import split_command
from mossa.protocols.systems import SYSTEM, Program
from mossa.sandbox import SandboxError, run

ABOUT = "player.toml"
"""The file that says how to build and start a player."""

BUILD_TIME = 120.0
"""Seconds to build a player."""

_KEYS = {
    "player": "a spec, such as 'ugi:./bot' or 'player.py:choose'",
    "build": "a command, such as 'cc -O2 -o bot bot.c'",
}
_PROTOCOLS = ("ugi", "gomocup")
"""Whose programs may be named in a file: those that are started where it lies."""

_COMPILERS = {
    "c": ((".c",), "cc -O2 -std=gnu17 -o {program} {files} -lm -pthread"),
    "c++": ((".cpp", ".cc", ".cxx"), "c++ -O2 -std=c++20 -o {program} {files} -pthread"),
}
"""What the sources of a language are called, and what builds them."""

_PROGRAMS = ("bot", "player")
_BINARIES = (b"#!", b"MZ", b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe")
_SKIPPED = ("test_", "conftest", "setup")
_OUTPUT = 200  # characters of a compiler's complaint
_LOG = 20_000  # of all that it says
_LARGEST = 1 << 20  # bytes of a file that somebody has written


class NoPlayerError(InvalidPlayerError):
    """The submission is not a player."""

    def __init__(self, why: str) -> None:
        """Say why."""
        super().__init__(f"no player found: {why}")


class BuildError(InvalidPlayerError):
    """A player that cannot be built."""

    def __init__(self, command: str, why: str, output: str = "") -> None:
        """Take the command, why it failed, and what the compiler said."""
        self.output = output
        super().__init__(f"cannot build with {shorten(command)}: {why}")


NoPlayerError.__module__ = BuildError.__module__ = "mossa"


@dataclass(frozen=True)
class Entry:
    """A student's file or folder."""

    student: str
    path: Path


@dataclass(frozen=True)
class Handed:
    """The player in a student's submission."""

    spec: str
    """What it is, seen from the folder."""
    folder: Path
    build: str | None = None
    compiled_from: str | None = None
    """The language of what we compile ourselves, ``c`` or ``c++``; None: anything else."""

    def player(self, *, sandbox: bool = False) -> Player:
        """Build the player if need be, and return it; raise InvalidPlayerError if that fails.

        In a ``sandbox`` a compiler cannot reach anything but the player's folder.
        """
        self.compile(sandbox=sandbox)
        return self.built()

    def compile(self, *, sandbox: bool = False) -> str:
        """Build the player if need be; return what the compiler said, or raise BuildError."""
        if self.build is None:
            return ""
        return (_build_confined if sandbox else _build)(self.build, self.folder)

    def built(self) -> Player:
        """Return the player, which has been built."""
        if is_foreign(self.spec):
            made: Player = hosted(self.spec)
        else:
            made = player_named(self.spec)
        if is_program(made):
            made.folder = made.own = self.folder
            made.drop_own_limits()
        return made


def entries(folder: Path, *, but: Iterable[Path] = ()) -> list[Entry]:
    """Return the submissions in a folder, by name; a player's own folder is one.

    Hidden files are nobody's, and so are those that ``but`` names.
    """
    if (folder / ABOUT).is_file():
        return [Entry(folder.resolve().name, folder)]
    left_out = {path.resolve() for path in but}
    found = [
        path
        for path in sorted(folder.iterdir(), key=lambda path: (path.name.lower(), path.name))
        if not path.name.startswith((".", "__")) and path.resolve() not in left_out
    ]
    short = [path.stem if path.is_file() else path.name for path in found]
    return [
        Entry(path.name if short.count(name) > 1 else name, path)
        for path, name in zip(found, short, strict=True)
    ]


def handed_in(path: Path) -> Handed:
    """Return the player in a file or folder; raise NoPlayerError if there is none."""
    try:
        return _in_folder(path.absolute()) if path.is_dir() else _in_file(path.absolute())
    except OSError as error:
        raise NoPlayerError(f"{shorten(path.name)}: {error.strerror}") from None


def _in_file(path: Path) -> Handed:
    if not path.is_file():
        raise NoPlayerError(f"{shorten(path.name)} is neither a file nor a folder")
    if _is_executable(path):
        return Handed(f"ugi:{shlex.quote(f'./{path.name}')}", path.parent)
    if path.suffix == ".py":
        return Handed(f"{path.name}:{_python_player(path)}", path.parent)
    if path.suffix == ".jar":
        return Handed(_java_player(path), path.parent)
    if (compiled := _compiled([path], path.stem)) is not None:
        return compiled
    raise NoPlayerError(
        f"{shorten(path.name)} is not a Python file, a jar, C, C++ or an executable program"
    )


def _in_folder(folder: Path) -> Handed:
    if (folder / ABOUT).is_file():
        return _from_file(folder / ABOUT)
    files = sorted(path for path in folder.iterdir() if path.is_file())
    programs = [path.name for path in files if _is_executable(path)]
    for name in (*_PROGRAMS, *(programs if len(programs) == 1 else ())):
        if name in programs:
            return Handed(f"ugi:{shlex.quote(f'./{name}')}", folder)
    if programs:
        raise NoPlayerError(f"{', '.join(programs)} can be executed: call one of them bot")
    sources = [path for path in files if path.suffix == ".py" and not _is_test(path)]
    if sources:
        path, name = _python_file(sources)
        return Handed(f"{path.name}:{name}", folder)
    if any(folder.rglob("*.java")) or any(folder.rglob("*.class")):
        return Handed(_java_player(folder), folder)
    if jars := [path for path in files if path.suffix == ".jar"]:
        return Handed(_java_player(jars[0]), folder)
    if (compiled := _compiled(files, "bot")) is not None:
        return compiled
    raise NoPlayerError(
        f"there is no {ABOUT}, no executable program, no Python, no Java, no C and no C++"
    )


# ---------------------------------------------------------------- player.toml


def _from_file(path: Path) -> Handed:
    _check_size(path)
    data = read_toml(path, NoPlayerError)
    for key, value in data.items():
        if key not in _KEYS:
            raise NoPlayerError(
                f"{ABOUT}: unknown key {shorten(key)}: {did_you_mean(key, _KEYS)}"
                f"there are {', '.join(_KEYS)}"
            )
        if not isinstance(value, str) or not value.strip():
            raise NoPlayerError(f"{ABOUT}: {key} must be {_KEYS[key]}")
    if "player" not in data:
        raise NoPlayerError(f"{ABOUT}: player is missing: {_KEYS['player']}")
    spec = data["player"].strip()
    kind = spec.partition(":")[0]
    if kind not in _PROTOCOLS and (kind in kind_names() or not is_foreign(spec)):
        raise NoPlayerError(
            f"{ABOUT}: player {shorten(spec)} is nothing that a student has written: expected a "
            "program, as ugi:./bot or gomocup:./brain, or Python, as player.py:choose"
        )
    return Handed(spec, path.parent, data.get("build"))


def _build(command: str, folder: Path) -> str:
    """Run a command in a folder, to its end or for BUILD_TIME; return its output."""
    words = split_command(command)
    try:
        compiler = SYSTEM.start(words, folder=folder)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise BuildError(command, why) from None
    try:
        compiler.end_input()
        output = _first_words(compiler, monotonic() + BUILD_TIME).decode(errors="replace")
        finished = compiler.has_exited()
    finally:
        code = compiler.kill()  # it, and what it has left behind
    if not finished:
        raise BuildError(command, f"it took over {BUILD_TIME:g} s", output)
    if code:
        raise BuildError(command, _complaint(output, code), output)
    return output


def _build_confined(command: str, folder: Path) -> str:
    """Do the same in a sandbox, which shows the compiler nothing but this folder."""
    words = split_command(command)
    try:
        ended = run(
            words, seconds=BUILD_TIME, folder=folder, own=folder, writes=[folder], handed_in=True
        )
    except SandboxError as error:
        raise BuildError(command, str(error)) from None
    if not ended.succeeded:
        output = ended.output[:_LOG]
        raise BuildError(command, ended.reason or _complaint(output, ended.code), output)
    return ended.output[:_LOG]


def _complaint(output: str, code: int | None) -> str:
    return " ".join(output[: 4 * _OUTPUT].split())[:_OUTPUT] or f"exit code {code}"


def _first_words(program: Program, deadline: float) -> bytes:
    """Wait for a program to end, and return how its output begins, however much there is."""
    kept = b""
    while monotonic() < deadline:
        exited = program.has_exited()  # asked first: what it wrote before its end is there then
        heard = program.wait(0.05)
        pieces = program.read_output(), program.read_errors()
        kept = (kept + b"".join(piece or b"" for piece in pieces))[:_LOG]
        if exited and not heard:
            break
    return kept


# ---------------------------------------------------------------- programs, Python, Java


def _is_executable(path: Path) -> bool:
    """Tell whether a file can be executed, and looks like it: archives may mark all files so."""
    if not os.access(path, os.X_OK) or path.suffix == ".class":
        return False
    with path.open("rb") as file:
        return file.read(4).startswith(_BINARIES)


def _check_size(path: Path) -> None:
    if path.stat().st_size > _LARGEST:
        raise NoPlayerError(f"{path.name} is too large for what somebody has written")


def _is_test(path: Path) -> bool:
    return path.name.startswith(_SKIPPED) or path.stem.endswith("_test")


def _python_file(sources: list[Path]) -> tuple[Path, str]:
    """Return the file in a folder that holds the player, and the player's name in it."""
    for path in sources:
        if path.name == "player.py" or len(sources) == 1:
            return path, _python_player(path)
    found = []
    for path in sources:
        try:
            found.append((path, _python_player(path)))
        except NoPlayerError:
            continue
    # A file of helpers may have a single function too: the name decides.
    named = [each for each in found if each[1] in ("choose", "Player")]
    if len(named or found) == 1:
        return (named or found)[0]
    which = ", ".join(path.name for path, _ in named or found) or "none of them"
    raise NoPlayerError(
        f"{which} of {len(sources)} Python files could be it: call it player.py, with a function "
        "choose(position)"
    )


def _python_player(path: Path) -> str:
    """Return the name of the function or class that plays, from a file's source."""
    _check_size(path)
    text = read_text(path, NoPlayerError)
    try:
        tree = ast.parse(text)
    except SyntaxError as error:
        raise NoPlayerError(f"{path.name}:{error.lineno}: {error.msg}") from None
    except (ValueError, RecursionError, MemoryError):
        raise NoPlayerError(f"{path.name} cannot be read as Python") from None
    functions = {each.name: each for each in tree.body if isinstance(each, ast.FunctionDef)}
    classes = [
        each.name
        for each in tree.body
        if isinstance(each, ast.ClassDef)
        and any(isinstance(part, ast.FunctionDef) and part.name == "choose" for part in each.body)
    ]
    if "choose" in functions:
        if not _takes_position(functions["choose"]):
            count = len(functions["choose"].args.args)
            raise NoPlayerError(
                f"{path.name}: choose takes {count} arguments; a player takes one, the position"
            )
        return "choose"
    fitting = [
        name
        for name, each in functions.items()
        if not name.startswith(("_", "test")) and name != "main" and _takes_position(each)
    ]
    for names in (["Player"] if "Player" in classes else classes, fitting):
        if len(names) == 1:
            return names[0]
        if names:
            raise NoPlayerError(f"{path.name} has {', '.join(names)}: call one of them choose")
    raise NoPlayerError(f"{path.name} has no function choose(position)")


def _takes_position(function: ast.FunctionDef) -> bool:
    """Tell whether a function can be called with one argument."""
    given = function.args
    least = len(given.posonlyargs) + len(given.args) - len(given.defaults)
    most = len(given.posonlyargs) + len(given.args)
    needed = any(default is None for default in given.kw_defaults)
    return least <= 1 and (most >= 1 or given.vararg is not None) and not needed


def _compiled(files: list[Path], program: str) -> Handed | None:
    """Return the player that is compiled from these files; None if they are in no such language."""
    for language, (suffixes, command) in _COMPILERS.items():
        sources = [path.name for path in files if path.suffix in suffixes]
        if sources:
            # A name that begins with a dash would be an option.
            names = " ".join(shlex.quote(f"./{name}") for name in sources)
            build = command.format(program=shlex.quote(f"./{program}"), files=names)
            spec = f"ugi:{shlex.quote(f'./{program}')}"
            return Handed(spec, files[0].parent, build, compiled_from=language)
    return None


def _java_player(path: Path) -> str:
    """Return the spec of a Java player, whichever course it is for."""
    material = read_material(path)
    why = ""
    for framework in FRAMEWORKS:
        try:
            find_player(material, framework, path, None)
        except InvalidPlayerError as error:
            why = why or str(error)
        else:
            return f"{framework.name}:{path}"
    raise NoPlayerError(f"{why}; a Java program that speaks UGI is named in {ABOUT}")
