"""Java players are compiled once, and kept."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest
from command import posix
from java_files import folder_of, source

import mossa
from mossa.errors import InvalidPlayerError, PlayerFailedError
from mossa.protocols.bologna import build
from mossa.protocols.bologna.build import find, first_error, key_of, program_of
from mossa.protocols.bologna.frameworks import MNK
from mossa.protocols.java import JDK

pytestmark = posix


# --- the cache ------------------------------------------------------------------------------------


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MOSSA_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "bologna"


@pytest.fixture
def jdk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A compiler that writes something, after it has said so in a file."""
    folder = tmp_path / "jdk" / "bin"
    folder.mkdir(parents=True)
    script = (
        '#!/bin/sh\necho run >> "$0.log"\n'
        'while [ "$1" != -d ]; do shift; done\necho x > "$2/Made.class"\n'
    )
    for name in ("javac", "java"):
        (folder / name).write_text(script)
        (folder / name).chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(folder.parent))
    return folder


def no_home() -> Path:
    raise RuntimeError("Could not determine home directory.")


def test_where_the_cache_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.delenv("MOSSA_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", "/x")
    assert build.cache_folder() == Path("/x/mossa/bologna")
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert build.cache_folder() == Path.home() / ".cache/mossa/bologna"
    monkeypatch.setattr("sys.platform", "darwin")
    assert build.cache_folder() == Path.home() / "Library/Caches/mossa/bologna"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert build.cache_folder() == Path.home() / "Library/Caches/mossa/bologna"
    monkeypatch.setattr(Path, "home", no_home)
    with pytest.raises(PlayerFailedError, match="there is no home folder: set MOSSA_CACHE to"):
        build.cache_folder()
    monkeypatch.setenv("MOSSA_CACHE", "/y")
    assert build.cache_folder() == Path("/y/bologna")


def test_the_key_is_of_the_content(tmp_path: Path, jdk: Path) -> None:
    one = folder_of(tmp_path / "one", A=source("A"), B=source("B"))
    same = folder_of(tmp_path / "same", A=source("A"), B=source("B"))
    other = folder_of(tmp_path / "other", A=source("A"), B=source("B") + " ")
    keys = [
        key_of(find(MNK, f"{place}#{name}"), javac)
        for place, name, javac in (
            (one, "A", jdk / "javac"),
            (same, "A", jdk / "javac"),
            (other, "A", jdk / "javac"),
            (one, "B", jdk / "javac"),
            (one, "A", jdk / "java"),
        )
    ]
    assert keys[0] == keys[1] and len(set(keys)) == 4


def test_a_player_is_compiled_once(tmp_path: Path, cache: Path, jdk: Path) -> None:
    place = folder_of(tmp_path / "player", A=source("A"))
    programs = [program_of(find(MNK, str(place))) for _ in range(2)]
    assert programs[0] == programs[1]
    assert (jdk / "javac.log").read_text() == "run\n"
    assert programs[0].command(heap=99, log=Path("x"))[:2] == [str(jdk / "java"), "-Xmx99m"]
    folder_of(place, A=source("A") + " ")
    assert program_of(find(MNK, str(place))).classes != programs[0].classes


def test_several_at_the_same_time_compile_in_peace(tmp_path: Path, cache: Path, jdk: Path) -> None:
    place = folder_of(tmp_path / "player", A=source("A"))
    wait = '#!/bin/sh\nwhile [ ! -e "$0.go" ]; do sleep 0.01; done\n'
    script = (jdk / "javac").read_text()
    (jdk / "javac").write_text(script.replace("#!/bin/sh\n", wait + 'echo run >> "$0.log"\n', 1))
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(program_of(find(MNK, str(place)))))
        for _ in range(4)
    ]
    for each in threads:
        each.start()
    (jdk / "javac.go").touch()
    for each in threads:
        each.join(30)
    assert len(found) == 4 and len(set(found)) == 1
    assert [each.name for each in (cache / "players").iterdir()] == [found[0].classes.name]
    assert (found[0].classes / "Made.class").is_file()


def test_what_is_old_is_forgotten(tmp_path: Path, cache: Path, jdk: Path) -> None:
    for name in ("draft-killed", "0123"):
        (cache / "players" / name).mkdir(parents=True)
        os.utime(cache / "players" / name, (0, 0))
    program = program_of(find(MNK, str(folder_of(tmp_path / "player", A=source("A")))))
    assert [each.name for each in (cache / "players").iterdir()] == [program.classes.name]
    logs = cache / "logs"
    for _ in range(60):
        build.new_log("x").touch()
    assert len(list(logs.iterdir())) == 50


def fault(path: Path) -> str:
    with pytest.raises(PlayerFailedError) as error:
        program_of(find(MNK, str(path)))
    assert error.value.kind == "start"
    return error.value.reason


def test_a_cache_that_cannot_be_written_to(
    tmp_path: Path, jdk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("MOSSA_CACHE", str(tmp_path / "file"))
    reason = fault(folder_of(tmp_path / "player", A=source("A")))
    assert reason.endswith("(Not a directory): set MOSSA_CACHE to a folder that you can write to")


def test_without_java_the_message_tells_what_to_install(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    place = folder_of(tmp_path / "player", A=source("A"))
    assert fault(place) == JDK[0].refusal
    assert JDK[0].refusal.startswith("a Java player needs javac, which is not installed: ")
    with pytest.raises(InvalidPlayerError, match="does not start: a Java player needs javac"):
        mossa.match(f"bologna-mnk:{place}", "random", "tictactoe")


def test_a_compiler_that_fails(tmp_path: Path, cache: Path, jdk: Path) -> None:
    (jdk / "javac").write_text('#!/bin/sh\necho "./p/A.java:3: error: strange"\nexit 1\n')
    place = folder_of(tmp_path / "player", A=source("A"))
    assert fault(place) == "javac cannot compile it: p/A.java:3: strange"
    assert list((cache / "players").iterdir()) == []


@pytest.mark.parametrize(
    ("output", "line"),
    [
        ("./a/B.java:7: error: cannot find symbol\n    x.y();\n     ^\n  symbol:   method y()\n"
         "  location: class X\n./a/B.java:9: error: other\n",
         "a/B.java:7: cannot find symbol: method y()"),
        ("error: one\n./a/B.java:9: error: two\n  symbol:   class C\n", "one"),
        ("Picked up JAVA_TOOL_OPTIONS: -Dx\nThe VM died.\n", "The VM died."),
        ("", "it does not say why"),
    ],
)  # fmt: skip
def test_the_first_error_of_the_compiler(output: str, line: str) -> None:
    assert first_error(output) == line
