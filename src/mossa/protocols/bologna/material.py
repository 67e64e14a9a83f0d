"""Find the player in what somebody gives us: a folder of Java sources or classes, or a jar.

Nothing is run here. Of a source only the heads of its classes are read, of a class file only the
names in it.
"""

from __future__ import annotations

import os
import re
import struct
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from mossa.errors import InvalidPlayerError, did_you_mean, shorten
from mossa.protocols.bologna.frameworks import FRAMEWORKS, Framework

MOST_FILES = 5_000
MOST_BYTES = 64 << 20
MOST_NAMES = 200_000
"""Java files, their bytes, and files of any kind in the folder of a player: a wrong folder may hold
anything.
"""
LARGEST = 1 << 20
"""The largest source file, in bytes."""
PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""How a zip may be packed: `zipfile` unpacks others at once, however large they become."""
UNKNOWN_PACKING = "the zip uses a compression that mossa cannot read: use plain zip (deflate)"

_ARCHIVES = (".jar", ".zip")
_LISTED = 20  # names in a message


@dataclass(frozen=True)
class Head:
    """What the head of a class says."""

    name: str
    """With its package: ``player.OurPlayer``."""
    parent: str | None
    interfaces: tuple[str, ...]
    is_abstract: bool = False

    @property
    def simple(self) -> str:
        """The name without its package."""
        return last_word(self.name)


@dataclass
class Material:
    """What is in the folder or the jar."""

    sources: dict[str, list[Path]] = field(default_factory=dict)
    """Source files by the full name of their class; often there are copies."""
    texts: dict[Path, str] = field(default_factory=dict)
    """What is in the source files."""
    classes: dict[str, bytes] = field(default_factory=dict)
    """Class files without a source, by the full name of the class."""
    heads: dict[str, Head] = field(default_factory=dict)
    homes: dict[str, str] = field(default_factory=dict)
    """For a class with a source: the name of the file's own class, which may be another."""


def last_word(name: str) -> str:
    """Return a name without its package."""
    return name.rpartition(".")[2]


def split_path(text: str) -> tuple[Path, str | None]:
    """Return the path and the class of ``PATH#package.Class``; a path may have a # of its own."""
    path = _at_home(text)
    if path.exists() or "#" not in text:
        return path, None
    head, _, name = text.rpartition("#")
    return _at_home(head), name.strip()


def _at_home(text: str) -> Path:
    """Return a path whose ~ is somebody's home, as no shell expands it after a colon."""
    try:
        return Path(text).expanduser()
    except RuntimeError:  # nobody is called that
        return Path(text)


# ---------------------------------------------------------------- reading


def read_material(path: Path) -> Material:
    """Read a folder, a jar or a file's folder; raise InvalidPlayerError if it is none of them."""
    if path.is_dir():
        return _sorted_out(_files(path))
    if path.suffix.lower() in _ARCHIVES and path.is_file():
        return _sorted_out(_entries(path))
    if path.suffix in (".java", ".class") and path.is_file():
        return _sorted_out(_files(path.parent))
    what = "is neither a folder nor a jar" if path.exists() else "is not there"
    raise InvalidPlayerError(
        f"{shorten(str(path))} {what}: expected a folder of Java sources or classes, or a jar"
    )


def _files(folder: Path) -> Iterator[tuple[Path, bytes]]:
    """Yield the Java files of a folder, nearest to its top first; hidden ones are nobody's code."""
    found: list[Path] = []
    seen = 0
    for place, folders, names in os.walk(folder):
        folders[:] = [each for each in folders if not each.startswith(".")]
        found += [
            Path(place, name)
            for name in names
            if name.endswith((".java", ".class")) and not name.startswith(".")
        ]
        seen += len(names) + len(folders)
        for count, most, what in (
            (len(found), MOST_FILES, "Java files"),
            (seen, MOST_NAMES, "files"),
        ):
            if count > most:
                raise InvalidPlayerError(
                    f"{shorten(str(folder))} has more than {most:,} {what}: "
                    "give the folder of the player"
                )
    for path in sorted(found, key=lambda path: (len(path.parts), path)):
        if path.is_file():
            _check_size(path, path.stat().st_size)
            yield path, path.read_bytes()


def _check_size(path: Path, size: int) -> None:
    if path.suffix == ".java" and size > LARGEST:
        raise InvalidPlayerError(
            f"{shorten(str(path))} is too large for a source file: at most {LARGEST >> 20} MB"
        )
    if size > MOST_BYTES:
        raise InvalidPlayerError(f"{shorten(str(path))} is too large for a player")


def _entries(path: Path) -> Iterator[tuple[Path, bytes]]:
    """Yield the class files of a jar."""
    try:
        with zipfile.ZipFile(path) as archive:
            entries = [each for each in archive.infolist() if each.filename.endswith(".class")]
            total = sum(each.file_size for each in entries)
            if len(entries) > MOST_FILES or total > MOST_BYTES:
                raise InvalidPlayerError(f"{shorten(str(path))} is too large for a player")
            if any(each.compress_type not in PACKINGS for each in entries):
                raise InvalidPlayerError(f"{shorten(str(path))}: {UNKNOWN_PACKING}")
            for each in entries:
                yield Path(each.filename), archive.read(each)
    except (InvalidPlayerError, OSError):
        raise
    except Exception as error:  # there are many ways to be no jar
        raise InvalidPlayerError(f"{shorten(str(path))} is not a jar: {error}") from None


def _sorted_out(files: Iterable[tuple[Path, bytes]]) -> Material:
    """Tell sources from classes. Of two classes of one name the first counts; sources go first."""
    found = Material()
    compiled: dict[str, tuple[Head, bytes]] = {}
    total = 0
    for path, data in files:
        total += len(data)
        if total > MOST_BYTES:
            raise InvalidPlayerError(f"{shorten(str(path.parent))} is too large for a player")
        if path.suffix == ".java":
            text = decoded(data)
            package, heads = read_source(text)
            name = f"{package}.{path.stem}" if package else path.stem
            found.sources.setdefault(name, []).append(path)
            found.texts[path] = text
            for each in heads:
                found.heads.setdefault(each.name, each)
                found.homes.setdefault(each.name, name)
        elif (head := read_class(data)) is not None:
            compiled.setdefault(head.name, (head, data))
    for name, (_, data) in compiled.items():
        outer = name.partition("$")[0]
        if outer not in found.heads and outer not in found.sources:
            found.classes[name] = data
    for name in found.classes:
        found.heads[name] = compiled[name][0]
    return found


def decoded(data: bytes) -> str:
    """Return the text of a source; what is not UTF-8 is taken for Latin-1, as editors had it."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def name_in(path: Path) -> str:
    """Return the name of the class that a file is for, with its package."""
    _check_size(path, path.stat().st_size)
    data = path.read_bytes()
    if path.suffix == ".java":
        package, _ = read_source(decoded(data))
        return f"{package}.{path.stem}" if package else path.stem
    head = read_class(data)
    return head.name if head else path.stem


# ---------------------------------------------------------------- heads of classes

# Strangers write what these read, so each takes time in proportion to the text: what is repeated is
# not given back, and a literal without an end still matches, or every quote in it would be a start.
_NOISE = re.compile(
    r"//[^\n]*+|/\*.*?(?:\*/|\Z)"
    r'|""".*?(?:"""|\Z)|"(?:\\.|[^"\\\n])*+"?'
    r"|'(?:\\.|[^'\\\n])*+'?",
    re.DOTALL,
)
_PACKAGE = re.compile(r"^[^\S\n]*+package\s++(\w++(?:\.\w++)*+)\s*+;", re.MULTILINE)
_TOKEN = re.compile(
    r"[{}]|(?P<words>(?:\b\w++\s++){0,8})\bclass\s++(?P<name>\w++)(?P<rest>[^{};]*+)"
)
_NESTED = 5  # levels of type arguments
_TYPE_ARGUMENTS = re.compile(r"<[^<>]*>")
_EXTENDS = re.compile(r"\bextends\s++([\w.]++)")
_IMPLEMENTS = re.compile(r"\bimplements\s++([\w.,\s]++)")


def read_source(text: str) -> tuple[str, list[Head]]:
    """Return the package of a source file, and the heads of the classes at its top level."""
    text = _NOISE.sub(" ", text)
    found = _PACKAGE.search(text)
    package = found[1] if found else ""
    heads = []
    depth = 0
    for token in _TOKEN.finditer(text):
        if token["name"] is None:
            depth += 1 if token[0] == "{" else -1
        elif depth == 0:
            rest = token["rest"]
            for _ in range(_NESTED):
                rest = _TYPE_ARGUMENTS.sub(" ", rest)
            parent, interfaces = _EXTENDS.search(rest), _IMPLEMENTS.search(rest)
            heads.append(
                Head(
                    f"{package}.{token['name']}" if package else token["name"],
                    parent[1] if parent else None,
                    tuple(re.findall(r"[\w.]+", interfaces[1])) if interfaces else (),
                    "abstract" in token["words"].split(),
                )
            )
    return package, heads


_INTERFACE, _ABSTRACT = 0x0200, 0x0400  # flags of a class
_SIZES = {3: 4, 4: 4, 5: 8, 6: 8, 7: 2, 8: 2, 15: 3, 16: 2, 19: 2, 20: 2} | dict.fromkeys(
    (9, 10, 11, 12, 17, 18), 4
)
"""Bytes of a constant after its tag, by the tag (The Java Virtual Machine Specification, 4.4)."""


def read_class(data: bytes) -> Head | None:
    """Return the head of a class file; None if it is none."""
    try:
        return _read_class(data)
    except (struct.error, KeyError, IndexError, UnicodeDecodeError):
        return None


def _read_class(data: bytes) -> Head | None:
    magic, _, count = struct.unpack_from(">IIH", data)
    if magic != 0xCAFEBABE:
        return None
    texts: dict[int, str] = {}
    names: dict[int, int] = {}
    at, index = 10, 1
    while index < count:
        tag = data[at]
        if tag == 1:
            (length,) = struct.unpack_from(">H", data, at + 1)
            texts[index] = data[at + 3 : at + 3 + length].decode(errors="replace")
            at += 3 + length
        else:
            if tag == 7:
                (names[index],) = struct.unpack_from(">H", data, at + 1)
            at += 1 + _SIZES[tag]
        index += 2 if tag in (5, 6) else 1  # long and double take two places

    @cache  # many places may name one long text
    def name(place: int) -> str:
        return texts[names[place]].replace("/", ".")

    flags, own, parent, many = struct.unpack_from(">4H", data, at)
    interfaces = struct.unpack_from(f">{many}H", data, at + 8)
    if not re.fullmatch(r"[\w$]+(?:\.[\w$]+)*", name(own)):
        return None  # its name becomes that of a file
    return Head(
        name(own),
        name(parent) if parent else None,
        tuple(name(each) for each in interfaces),
        bool(flags & (_INTERFACE | _ABSTRACT)),
    )


# ---------------------------------------------------------------- who plays


def find_player(material: Material, framework: Framework, path: Path, wanted: str | None) -> str:
    """Return the name of the player's class, with its package; raise InvalidPlayerError."""
    players = _players(material.heads, framework)
    where = shorten(str(path))
    if wanted is not None:
        fitting = [each for each in players if wanted in (each, last_word(each))]
        if len(fitting) == 1:
            return fitting[0]
        if not fitting and wanted in material.heads:
            raise InvalidPlayerError(
                f"{wanted} in {where} is not a player: it is abstract, or does not implement "
                f"{framework.interface}"
            )
        if not fitting:
            raise InvalidPlayerError(
                f"no player {shorten(wanted)} in {where}: {did_you_mean(wanted, players)}"
                f"there are {_some(players) or 'none'}"
            )
        players = fitting
    own = [each for each in players if last_word(each) not in framework.samples] or players
    if len(own) == 1:
        return own[0]
    if not own:
        raise InvalidPlayerError(_nobody(material, framework, path))
    raise InvalidPlayerError(
        f"{len(own)} players in {where}: {_some(own)}; name one, as in "
        f"{framework.name}:{path}#{own[0]}"
    )


def _players(heads: Mapping[str, Head], framework: Framework) -> list[str]:
    """Return the classes that implement the interface, themselves or by a class they extend."""
    by_simple = {head.simple: head for head in heads.values()}
    known: dict[str, bool] = {}
    """Answers found so far: one class may be the parent of all the others."""

    def implements(head: Head | None) -> bool:
        passed: set[str] = set()
        found = False
        while head is not None and head.name not in passed:
            if head.name in known:
                found = known[head.name]
                break
            passed.add(head.name)
            if framework.interface in map(last_word, head.interfaces):
                found = True
                break
            head = by_simple.get(last_word(head.parent)) if head.parent else None
        known.update(dict.fromkeys(passed, found))
        return found

    return sorted(name for name, head in heads.items() if not head.is_abstract and implements(head))


def _nobody(material: Material, framework: Framework, path: Path) -> str:
    what = f"no class in {shorten(str(path))} implements {framework.interface}"
    for other in FRAMEWORKS:
        if _players(material.heads, other):
            return f"{what}, but there are players of {other.interface}: {other.name}:{path}"
    jars = sorted(each.name for each in path.glob("*.jar")) if path.is_dir() else []
    if jars:
        return f"{what}; a jar is given as {framework.name}:{path / jars[0]}"
    return f"{what}; expected the Java sources or classes of a player, or its jar"


def _some(names: Iterable[str]) -> str:
    names = list(names)
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return ", ".join(names[:_LISTED]) + more
