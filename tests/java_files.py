"""Java files for the tests of players from Bologna, made without Java."""

from __future__ import annotations

import struct
from pathlib import Path


def class_file(
    name: str, *interfaces: str, parent: str = "java.lang.Object", flags: int = 0x21
) -> bytes:
    """The least that a class file says of a class."""
    constants: list[bytes] = []
    places: list[int] = []
    for each in (name, parent, *interfaces):
        text = each.replace(".", "/").encode()
        constants += [
            struct.pack(">BH", 1, len(text)) + text,
            struct.pack(">BH", 7, len(constants) + 1),
        ]
        places.append(len(constants))
    constants += [struct.pack(">Bq", 5, 7)]  # a long, which takes two places
    pool = struct.pack(">IIH", 0xCAFEBABE, 52, len(constants) + 2) + b"".join(constants)
    head = struct.pack(f">4H{len(interfaces)}H", flags, *places[:2], len(interfaces), *places[2:])
    return pool + head + struct.pack(">3H", 0, 0, 0)


def source(name: str, head: str = "implements MNKPlayer", package: str = "p") -> str:
    return f"package {package};\nimport mnkgame.*;\npublic class {name} {head} {{}}\n"


def folder_of(place: Path, **files: str | bytes) -> Path:
    """A folder of Java files by their names, with ``__`` for a slash; no suffix is .java."""
    for name, content in files.items():
        path = place / name.replace("__", "/")
        path = path.with_suffix(".class" if isinstance(content, bytes) else ".java")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return place
