"""Java players of the courses in Bologna: found without Java, played with it."""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
import threading
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import cast

import pytest
from command import posix
from programs import children

import mossa
from mossa._core import Limits
from mossa.errors import InvalidPlayerError, PlayerFailedError
from mossa.players.clocks import Conditions, Turn
from mossa.protocols import check_player
from mossa.protocols.bologna import build, material
from mossa.protocols.bologna.build import find, first_error, key_of, program_of
from mossa.protocols.bologna.drive import BolognaConnectPlayer, BolognaMnkPlayer
from mossa.protocols.bologna.frameworks import CONNECT, FRAMEWORKS, MNK, Framework
from mossa.protocols.bologna.material import read_class, read_material, read_source, split_path
from mossa.protocols.check import program_of as program_to_check
from mossa.protocols.java import JDK

HERE = Path(__file__).parent / "bologna"

pytestmark = posix
java = pytest.mark.skipif(
    shutil.which("javac") is None, reason="there is no JDK here: no Java player is tried"
)


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


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a short name."""
    monkeypatch.chdir(tmp_path)
    Path("it").mkdir()
    return Path("it")


def refusal(path: Path | str, framework: Framework = MNK) -> str:
    with pytest.raises(InvalidPlayerError) as error:
        find(framework, str(path))
    return str(error.value)


# --- heads of classes -----------------------------------------------------------------------------


PLAIN = ("A", None, (), False)


@pytest.mark.parametrize(
    ("text", "heads"),
    [
        ("class A implements MNKPlayer {}", [("A", None, ("MNKPlayer",), False)]),
        (
            "package a.b; public final class A<T extends X<Y>> extends B<T>\n"
            " implements Z<T>, mnkgame.MNKPlayer {}",
            [("a.b.A", "B", ("Z", "mnkgame.MNKPlayer"), False)],
        ),
        ("class A {} abstract class B extends A {}", [PLAIN, ("B", "A", (), True)]),
        ("// class B {\n/* class C { */ class A { char c = '{'; String s = \"}{\"; }", [PLAIN]),
        ("class A { class B implements MNKPlayer {} }", [PLAIN]),
        ('class A { String s = """\n class B {{{ "quoted" """; }', [PLAIN]),
        ("interface I {} enum E { X { } } class A { Object o = int.class; }", [PLAIN]),
        ("package ../x; class A {}", [PLAIN]),
        ("package .tmp.x; class A {}", [PLAIN]),
        ("", []),
        ("}}} class A {", []),
    ],
)  # fmt: skip
def test_heads_of_sources(
    text: str, heads: list[tuple[str, str | None, tuple[str, ...], bool]]
) -> None:
    found = read_source(text)[1]
    assert [(each.name, each.parent, each.interfaces, each.is_abstract) for each in found] == heads


def test_heads_of_class_files() -> None:
    head = read_class(class_file("p.A", "mnkgame.MNKPlayer", "q.B", parent="p.C"))
    assert head is not None
    assert (head.name, head.parent, head.interfaces) == ("p.A", "p.C", ("mnkgame.MNKPlayer", "q.B"))
    assert not head.is_abstract
    assert read_class(class_file("p.A", flags=0x421)) == material.Head(
        "p.A", "java.lang.Object", (), True
    )


def test_no_bytes_are_too_strange() -> None:
    whole = class_file("p.A", "mnkgame.MNKPlayer")
    assert all(read_class(whole[:size]) is None for size in range(len(whole) - 6))
    assert read_class(b"\xca\xfe\xba\xbe" + bytes(range(256))) is None
    for at in range(len(whole)):  # whatever a byte is, it is read or refused
        read_class(whole[:at] + b"\xff" + whole[at + 1 :])


@pytest.mark.parametrize("name", ["/etc/x", "a/../../x", "..", "a//b", "a b", ""])
def test_the_name_of_a_class_leads_nowhere_else(name: str) -> None:
    """The name in a class file becomes that of a file in the cache."""
    data = class_file("@", "mnkgame.MNKPlayer").replace(
        struct.pack(">BH", 1, 1) + b"@", struct.pack(">BH", 1, len(name)) + name.encode()
    )
    assert read_class(data) is None


def test_sources_in_old_encodings(tmp_path: Path) -> None:
    text = source("A").replace("{}", '{ String s = "perché"; }')
    for number, coding in enumerate(("utf-8", "utf-8-sig", "latin-1")):
        place = tmp_path / str(number)
        place.mkdir()
        (place / "A.java").write_bytes(text.encode(coding))
        assert list(read_material(place).texts.values()) == [text]


# --- who plays ------------------------------------------------------------------------------------


def test_the_samples_of_the_framework_are_nobody(tmp_path: Path) -> None:
    folder_of(tmp_path, RandomPlayer=source("RandomPlayer"), Mine=source("Mine"))
    folder_of(tmp_path, lib__Other=source("Other", "extends Thread"))
    assert find(MNK, str(tmp_path)).name == "p.Mine"
    (tmp_path / "Mine.java").unlink()
    assert find(MNK, str(tmp_path)).name == "p.RandomPlayer"


def test_a_player_may_extend_another(tmp_path: Path) -> None:
    folder_of(tmp_path, Base=source("Base").replace("class", "abstract class"))
    folder_of(tmp_path, Mine=source("Mine", "extends Base"))
    assert find(MNK, str(tmp_path)).name == "p.Mine"


def test_several_players_need_a_name(here: Path) -> None:
    folder_of(here, A=source("A"), B=source("B"), q__A=source("A", package="q"))
    assert refusal(here) == (
        f"3 players in '{here}': p.A, p.B, q.A; name one, as in bologna-mnk:{here}#p.A"
    )
    assert find(MNK, f"{here}#q.A").name == "q.A"
    assert find(MNK, f"{here}#B").name == "p.B"
    for path, name in (("A", "p.A"), ("B", "p.B"), ("q/A", "q.A")):
        assert find(MNK, str(here / f"{path}.java")).name == name
    assert refusal(f"{here}#A").startswith(f"2 players in '{here}': p.A, q.A; name one")
    assert refusal(f"{here}#p.C") == (
        f"no player 'p.C' in '{here}': did you mean 'p.B'? there are p.A, p.B, q.A"
    )


def test_classes_and_jars(tmp_path: Path) -> None:
    folder_of(
        tmp_path,
        Mine=class_file("p.Mine", "mnkgame.MNKPlayer"),
        Part=class_file("p.Mine$1"),
        Abstract=class_file("p.Abstract", "mnkgame.MNKPlayer", flags=0x421),
    )
    assert find(MNK, str(tmp_path)).name == "p.Mine"
    jar = tmp_path / "player.jar"
    with zipfile.ZipFile(jar, "w") as archive:
        for path in tmp_path.glob("*.class"):
            archive.write(path, f"p/{path.name}")
    found = find(MNK, str(jar))
    assert found.name == "p.Mine" and set(found.material.classes) == {
        "p.Mine", "p.Mine$1", "p.Abstract",
    }  # fmt: skip


def test_a_source_counts_more_than_its_old_class(tmp_path: Path) -> None:
    folder_of(tmp_path, Mine=source("Mine"), out__Mine=class_file("p.Mine", "mnkgame.MNKPlayer"))
    folder_of(tmp_path, out__Part=class_file("p.Mine$1"), out__Help=class_file("p.Help"))
    assert set(find(MNK, str(tmp_path)).material.classes) == {"p.Help"}


def test_hidden_files_are_not_read(tmp_path: Path) -> None:
    folder_of(tmp_path, Mine=source("Mine"))
    (tmp_path / ".git").mkdir()
    folder_of(tmp_path / ".git", Old=source("Old"))
    (tmp_path / "._Mine.java").write_bytes(b"\0\5\26\7")
    assert find(MNK, str(tmp_path)).name == "p.Mine"


def test_nobody_plays_there(here: Path) -> None:
    folder_of(here, A=source("A", "implements CXPlayer"))
    assert refusal(here) == (
        f"no class in '{here}' implements MNKPlayer, but there are players of CXPlayer: "
        f"bologna-connect:{here}"
    )
    assert refusal(f"{here}#p.A") == (
        f"p.A in '{here}' is no player: it is abstract, or does not implement MNKPlayer"
    )
    empty = here / "empty"
    empty.mkdir()
    assert refusal(empty) == (
        f"no class in '{empty}' implements MNKPlayer; "
        "expected the Java sources or classes of a player, or its jar"
    )
    (empty / "x.jar").write_bytes(b"")
    assert refusal(empty).endswith(f"a jar is given as bologna-mnk:{empty}/x.jar")
    assert refusal(empty / "x.jar").startswith(f"'{empty}/x.jar' is no jar: ")
    with zipfile.ZipFile(empty / "x.jar", "w") as archive:
        archive.writestr("p/A.class", class_file("p.A", "java.lang.Runnable"))
    assert refusal(empty / "x.jar").startswith(f"no class in '{empty}/x.jar' implements MNKPlayer;")


def test_paths_that_lead_nowhere(here: Path) -> None:
    assert refusal(here / "no") == (
        f"'{here}/no' is not there: expected a folder of Java sources or classes, or a jar"
    )
    (here / "text.txt").write_text("")
    assert "is neither a folder nor a jar" in refusal(here / "text.txt")
    assert refusal("~nobody-is-called-that/x").startswith("'~nobody-is-called-that/x' is not there")
    assert refusal("x" * 5000) == (
        f"cannot read '{'x' * 60}...' (5000 characters): File name too long"
    )
    assert "is not there" in refusal("a\0b")
    assert refusal(" ") == "no player: expected a folder or a jar, as in bologna-mnk:path/to/player"


def test_a_wrong_folder_is_not_read_for_ever(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder_of(here, A=source("A"), B=source("B"), C=source("C"))
    monkeypatch.setattr(material, "MOST_FILES", 2)
    assert refusal(here) == "'it' has more than 2 Java files: give the folder of the player"
    monkeypatch.setattr(material, "MOST_FILES", 9)
    monkeypatch.setattr(material, "MOST_NAMES", 2)
    assert refusal(here) == "'it' has more than 2 files: give the folder of the player"
    monkeypatch.setattr(material, "MOST_NAMES", 9)
    monkeypatch.setattr(material, "MOST_BYTES", len(source("A")))
    assert refusal(here) == "'it' is too large for a player"
    monkeypatch.setattr(material, "MOST_BYTES", 9)
    assert refusal(here) == "'it/A.java' is too large for a player"


def test_no_jar_is_too_broken(here: Path) -> None:
    jar = here / "x.jar"
    with zipfile.ZipFile(jar, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("p/A.class", class_file("p.A", "mnkgame.MNKPlayer"))
    whole = jar.read_bytes()
    assert find(MNK, str(jar)).name == "p.A"
    for at in range(len(whole)):
        jar.write_bytes(whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1 :])
        with suppress(InvalidPlayerError):
            find(MNK, str(jar))
        jar.write_bytes(whole[:at])
        with suppress(InvalidPlayerError):
            find(MNK, str(jar))


@pytest.mark.parametrize("text", ["/*", '"""', "a ", "{", "<", "class A <", "'", '"', "a.", "\\"])
def test_no_source_takes_for_ever(text: str) -> None:
    read_source(text * 100_000)


def test_a_path_may_have_a_hash_of_its_own(tmp_path: Path) -> None:
    odd = tmp_path / "c#"
    odd.mkdir()
    assert split_path(str(odd)) == (odd, None)
    assert split_path(f"{odd}#p.A") == (odd, "p.A")
    assert split_path("~/x#A") == (Path.home() / "x", "A")


# --- specs ----------------------------------------------------------------------------------------


def test_options_before_the_path(tmp_path: Path) -> None:
    place = folder_of(tmp_path / "a,b=c", Mine=source("Mine"))
    player = mossa.player(f"bologna-mnk:heap=512,time=2,start=30,memory=2048,{place}")
    assert isinstance(player, BolognaMnkPlayer)
    assert (player._heap, player._time, player._memory, player.start) == (512, 2, 2048, 30)
    twin = player.anew()
    assert (twin._heap, twin._time, twin.name) == (512, 2, player.name)
    with pytest.raises(InvalidPlayerError, match="invalid value '1' of 'heap'"):
        mossa.player(f"bologna-mnk:heap=1,{place}")
    with pytest.raises(InvalidPlayerError, match="invalid player 'bologna-connect:"):
        mossa.player(f"bologna-connect:{place}")


def test_what_they_play(tmp_path: Path) -> None:
    mnk = BolognaMnkPlayer([str(folder_of(tmp_path / "m", A=source("A")))])
    connect = BolognaConnectPlayer(
        [str(folder_of(tmp_path / "c", A=source("A", "implements CXPlayer")))]
    )
    names = ("mnk:7x7x4", "mnk:9x9x5,exact=yes", "connect4", "kalah", "breakthrough:5x5")
    games = [mossa.game(name) for name in names]
    assert [mnk.plays(game) for game in games] == [True, False, False, False, False]
    assert [connect.plays(game) for game in games] == [False, False, True, False, False]
    with pytest.raises(InvalidPlayerError, match="does not play kalah"):
        mossa.match(mnk, "random", "kalah")


@pytest.mark.parametrize(
    ("own", "given", "seconds"),
    [
        (None, 10, 10),
        (None, 2.9, 2),
        (None, 0.1, 1),
        (3, 10, 3),
        (20, 10, 10),
        (None, None, 10),
        (None, 1e9, 3600),
    ],
)
def test_whole_seconds(
    own: float | None, given: float | None, seconds: int, tmp_path: Path
) -> None:
    player = BolognaMnkPlayer([str(folder_of(tmp_path, A=source("A")))], time=own)
    assert player._seconds(given) == seconds


def test_about_how_long_a_move_may_take() -> None:
    assert Conditions().usual_time is None
    assert Conditions(time=3).usual_time == 3
    assert Conditions.of(clock="60+1").usual_time == pytest.approx(2.8)
    assert Conditions(time=1, clock=600).usual_time == 1


@pytest.mark.parametrize("framework", FRAMEWORKS, ids=lambda each: each.name)
def test_what_comes_with_the_package(framework: Framework) -> None:
    for path in [*framework.host_files, *map(framework.stand_in, framework.types)]:
        assert path.read_text(encoding="utf-8").startswith("package ")


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
    with pytest.raises(PlayerFailedError, match="there is no home folder: let MOSSA_CACHE name"):
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
    assert reason.endswith(
        "(Not a directory): let MOSSA_CACHE name a folder that can be written to"
    )


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


# --- with Java ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def shared_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def odd(shared_cache: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """What the odd players do; they are compiled once for all tests."""
    monkeypatch.setenv("MOSSA_CACHE", str(shared_cache))
    yield monkeypatch
    assert not children()


def forfeit_of(record: mossa.Record) -> dict[str, str]:
    return cast(dict[str, str], record.extra["forfeit"])


ODD = f"bologna-mnk:{HERE / 'mnk'}"
ODD_COLUMN = f"bologna-connect:{HERE / 'connect'}"


@java
@pytest.mark.parametrize("how", ["good", "print", "read", "threads", "interrupt"])
def test_a_player_may_do_as_it_likes_between_its_moves(how: str, odd: pytest.MonkeyPatch) -> None:
    odd.setenv("MOSSA_ODD", how)
    record = mossa.match(ODD, "random:seed=1", "tictactoe", time=5)
    assert "forfeit" not in record.extra


@java
@pytest.mark.parametrize(
    ("how", "kind", "reason"),
    [
        ("constructor", "start",
         "java.lang.IllegalStateException: not today at odd.Odd.<init> (Odd.java:15); what it"),
        ("init", "start",
         "java.lang.IllegalStateException: no board for me at odd.Odd.initPlayer (Odd.java:20); "),
        ("throw", "crash", "java.lang.ArrayIndexOutOfBoundsException: "),
        ("recurse", "crash", "java.lang.StackOverflowError at odd.Odd.selectCell (Odd.java:"),
        ("heap", "crash", "java.lang.OutOfMemoryError: Java heap space at odd.Odd.selectCell "),
        ("exit", "crash", "ended with exit code 3; it said 'the player called System.exit'"),
        ("hang", "time", "no answer; the limit is 0.2 s, plus 0.1 s of grace"),
        ("null", "output", "selectCell returned null"),
        ("off", "illegal", "selectCell returned the cell -1,99, which is off the board"),
        ("occupied", "illegal", "illegal move '"),
    ],
)  # fmt: skip
def test_a_player_that_fails_loses_its_game_and_nothing_else(
    how: str, kind: str, reason: str, odd: pytest.MonkeyPatch
) -> None:
    odd.setenv("MOSSA_ODD", how)
    spec = ODD.replace(":", ":heap=64,", 1)
    time = 0.2 if how == "hang" else 10.0
    record = mossa.match(spec, "random:seed=1", "tictactoe", time=time)
    assert record.result == "0-1"
    forfeit = forfeit_of(record)
    assert (forfeit["side"], forfeit["kind"]) == ("first", kind)
    assert forfeit["reason"].startswith(reason) and "\n" not in forfeit["reason"]
    if " is in " in forfeit["reason"]:  # the whole of it is in the log
        log = Path(forfeit["reason"].rpartition(" is in ")[2])
        assert "\tat odd.Odd." in log.read_text()


@java
def test_what_a_player_is_told(odd: pytest.MonkeyPatch) -> None:
    odd.setenv("MOSSA_ODD", "told")
    game = mossa.game("mnk:4x5x3")
    # a1 is the bottom left cell, in row 3 of theirs.
    record = mossa.match("random", ODD, game, opening="a1 b4 e1", time=2.9)
    assert forfeit_of(record)["reason"].startswith(
        "java.lang.IllegalStateException: 4 5 3 false 2 games 1 marked 3,0P1;0,1P2;3,4P1; at odd"
    )
    record = mossa.match(ODD, "random", game, clock="300+1")
    assert ": 4 5 3 true 10 games 1 marked at odd" in forfeit_of(record)["reason"]
    record = mossa.match("random", ODD_COLUMN, "connect:4x5x4", opening="5 5 1", time=1)
    assert ": 3,4P12,4P23,0P1 at odd" in forfeit_of(record)["reason"]


@java
def test_the_time_to_begin_is_not_that_of_a_move(odd: pytest.MonkeyPatch) -> None:
    odd.setenv("MOSSA_ODD", "slow init")
    assert "forfeit" not in mossa.match("random", ODD, "tictactoe", time=0.9).extra
    player = mossa.player(ODD)
    player.limit(memory=1024, start=0.7)
    position = mossa.game("tictactoe").start()
    with pytest.raises(PlayerFailedError, match=r"not ready within 0\.7 s"):
        player.choose_within(position, Turn(Limits(time=5), 5, 5))


@java
def test_a_board_that_was_set_up_is_refused(odd: pytest.MonkeyPatch) -> None:
    game = mossa.game("tictactoe")
    player = mossa.player(ODD)
    with pytest.raises(PlayerFailedError, match="cannot begin on a board that was set up"):
        player.ask(game.from_text(game.position("a1").text), Limits(time=5))
    player.close()


@java
@pytest.mark.parametrize(
    ("how", "reason"),
    [
        ("good", None),
        ("full", "column 1 is full"),
        ("off", "selectColumn returned 5, and the columns are 0 to 4"),
    ],
)
def test_columns(how: str, reason: str | None, odd: pytest.MonkeyPatch) -> None:
    odd.setenv("MOSSA_ODD", how)
    record = mossa.match(ODD_COLUMN, ODD_COLUMN, "connect:4x5x4", time=5)
    if reason is None:
        assert record.result == "1-0" and record.extra["end"] == "4 in a row"
    else:
        assert forfeit_of(record)["kind"] == "illegal"
        assert reason in forfeit_of(record)["reason"]


@java
@pytest.mark.slow
def test_wide_boards_have_columns_of_two_letters(odd: pytest.MonkeyPatch) -> None:
    odd.setenv("MOSSA_ODD", "occupied")
    game = mossa.game("mnk:3x60x3")
    for move in ("z1", "aa2", "az3", "ba1", "bh3"):
        player = mossa.player(ODD)
        with pytest.raises(PlayerFailedError, match=f"illegal move '{move}'"):
            player.ask(game.position(move), Limits(time=10))
        player.close()


@java
@pytest.mark.slow
def test_a_tournament_goes_on(tmp_path: Path, odd: pytest.MonkeyPatch) -> None:
    odd.setenv("MOSSA_ODD", "exit")
    report = mossa.tournament(
        {"bad": ODD, "one": "random:seed=1", "two": "random:seed=2"},
        ["tictactoe"],
        time=5,
        plies=0,
        store=tmp_path / "games.db",
    )
    assert report.complete and report.done == 6
    assert {row["player"]: row["forfeits"] for row in report.standings} == {
        "bad": 4, "one": 0, "two": 0,
    }  # fmt: skip


@java
@pytest.mark.slow
def test_the_checks(odd: pytest.MonkeyPatch) -> None:
    program = program_to_check(ODD, start=30)
    checks = {each.name: each for each in check_player(program, margin=5)}
    assert [each for each in checks.values() if not each.passed] == []
    assert checks["handshake"].detail == "odd.Odd is ready for mnk:3x3x3"
    assert not {"legal moves", "board text", "stop"} & set(checks)


def compiled(folder: Path, *files: str | Path, classpath: Sequence[Path] = ()) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = os.pathsep.join(map(str, classpath)) or "."
    subprocess.run(["javac", "-nowarn", "-cp", path, "-d", folder, *files], check=True)
    return folder


@java
@pytest.mark.slow
def test_a_player_of_another_version_of_the_framework(
    tmp_path: Path, odd: pytest.MonkeyPatch
) -> None:
    """Its classes call a method that boards do not have here."""
    types = {each: MNK.stand_in(each).read_text() for each in MNK.types}
    board = types["MNKBoard"].replace("public void reset", "public void later() {}\nvoid reset", 1)
    other = folder_of(tmp_path / "framework", **(types | {"MNKBoard": board}))
    framework = compiled(tmp_path / "fw", *other.glob("*.java"))
    late = source("Late").replace("{}", """{
        public void initPlayer(int M, int N, int K, boolean f, int t) {
            new MNKBoard(M, N, K).later(); }
        public MNKCell selectCell(MNKCell[] FC, MNKCell[] MC) { return FC[0]; }
        public String playerName() { return "Late"; } }""")  # fmt: skip
    lone = folder_of(tmp_path / "player", Late=late)
    classes = compiled(tmp_path / "classes", lone / "Late.java", classpath=[framework])

    record = mossa.match(f"bologna-mnk:{classes}", "random", "tictactoe", time=5)
    assert forfeit_of(record)["kind"] == "start"
    assert "java.lang.NoSuchMethodError" in forfeit_of(record)["reason"]
    with pytest.raises(InvalidPlayerError) as error:  # its source does not compile here
        mossa.match(f"bologna-mnk:{lone}", "random", "tictactoe", time=5)
    assert str(error.value).endswith(
        "javac cannot compile it: p/Late.java:5: cannot find symbol: method later()"
    )
    shutil.copytree(framework, classes, dirs_exist_ok=True)  # with its own framework it plays
    jar = shutil.make_archive(str(tmp_path / "player"), "zip", classes)
    for path in (classes, jar):
        record = mossa.match(f"bologna-mnk:{path}", "random", "tictactoe", time=5)
        assert "forfeit" not in record.extra


@java
@pytest.mark.slow
def test_a_folder_is_compiled_as_far_as_the_player_needs_it(
    tmp_path: Path, odd: pytest.MonkeyPatch
) -> None:
    """Folders of courses hold what does not compile, and classes in files of other names."""
    mine = source("Mine").replace("{}", """{
        public void initPlayer(int M, int N, int K, boolean f, int t) { Help.me(); }
        public MNKCell selectCell(MNKCell[] FC, MNKCell[] MC) { return FC[0]; }
        public String playerName() { return "Mine"; } }""")  # fmt: skip
    place = folder_of(
        tmp_path,
        src__Mine=mine,
        src__Tools="package p; class Help { static void me() {} }",
        test__Broken="package q; import org.junit.*; class Broken {",
    )
    assert "forfeit" not in mossa.match(f"bologna-mnk:{place}", "random", "tictactoe").extra
    folder_of(tmp_path, src__Tools="package p; class Help { void you() {} }")
    with pytest.raises(
        InvalidPlayerError, match=r"p/Mine\.java:4: cannot find symbol: variable Help"
    ):
        mossa.match(f"bologna-mnk:{place}", "random", "tictactoe")


@java
@pytest.mark.slow
@pytest.mark.parametrize(
    ("head", "reason"),
    [
        ("Mine(int size) {}", "p.Mine has no constructor without arguments"),
        ("static int x = 1 / 0;", "java.lang.ArithmeticException: / by zero at p.Mine.<clinit>"),
    ],
)
def test_a_class_that_cannot_be_made(
    head: str, reason: str, tmp_path: Path, odd: pytest.MonkeyPatch
) -> None:
    place = folder_of(tmp_path, Mine=source("Mine").replace("{}", f"""{{ {head}
        public void initPlayer(int M, int N, int K, boolean f, int t) {{}}
        public MNKCell selectCell(MNKCell[] FC, MNKCell[] MC) {{ return FC[0]; }}
        public String playerName() {{ return "Mine"; }} }}"""))  # fmt: skip
    try:
        record = mossa.match(f"bologna-mnk:{place}", "random", "tictactoe")
        told = forfeit_of(record)["reason"]
    except InvalidPlayerError as error:  # it is refused before the first game
        told = str(error)
    assert reason in told


@java
@pytest.mark.slow
@pytest.mark.parametrize("framework", [MNK, CONNECT], ids=lambda each: each.name)
def test_the_stand_ins_know_the_rules(framework: Framework, tmp_path: Path) -> None:
    """Random games on a board of the framework end as they do under our rules."""
    is_mnk = framework is MNK
    main = HERE / ("Replay.java" if is_mnk else "ReplayColumns.java")
    classes = compiled(tmp_path / "c", main, *map(framework.stand_in, framework.types))
    game = mossa.game("mnk:4x5x4" if is_mnk else "connect:4x5x4")
    lines, ends = [], []
    for seed in range(200):
        record = mossa.match(f"random:seed={seed}", f"random:seed={seed + 999}", game)
        moves = [str(move) for move in record.moves]
        lines.append(" ".join(
            f"{4 - int(move[1:])},{ord(move[0]) - ord('a')}" if is_mnk else f"0,{int(move) - 1}"
            for move in moves
        ))  # fmt: skip
        ends.append({"1-0": "WINP1", "0-1": "WINP2", "1/2": "DRAW"}[record.result])
    assert len(set(ends)) == 3
    done = subprocess.run(
        ["java", "-cp", classes, main.stem, "4", "5", "4"],
        input="\n".join(lines) + "\n", capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.split() == ends
