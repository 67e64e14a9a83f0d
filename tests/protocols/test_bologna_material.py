"""Who plays in a folder of Java files, or in a jar: found without Java."""

from __future__ import annotations

import struct
import zipfile
from contextlib import suppress
from pathlib import Path
from time import process_time

import pytest
from command import posix
from java_files import class_file, folder_of, source

from mossa.errors import InvalidPlayerError
from mossa.protocols.bologna import material
from mossa.protocols.bologna.build import find
from mossa.protocols.bologna.frameworks import MNK, Framework
from mossa.protocols.bologna.material import read_class, read_material, read_source, split_path

pytestmark = posix


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
        f"p.A in '{here}' is not a player: it is abstract, or does not implement MNKPlayer"
    )
    empty = here / "empty"
    empty.mkdir()
    assert refusal(empty) == (
        f"no class in '{empty}' implements MNKPlayer; "
        "expected the Java sources or classes of a player, or its jar"
    )
    (empty / "x.jar").write_bytes(b"")
    assert refusal(empty).endswith(f"a jar is given as bologna-mnk:{empty}/x.jar")
    assert refusal(empty / "x.jar").startswith(f"'{empty}/x.jar' is not a jar: ")
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


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_jar_that_zipfile_unpacks_at_once_was_read(here: Path, method: int) -> None:
    jar = here / "x.jar"
    with zipfile.ZipFile(jar, "w", method) as archive:
        archive.writestr("p/A.class", class_file("p.A", "mnkgame.MNKPlayer"))
    assert refusal(jar) == (
        "'it/x.jar': the zip uses a compression that mossa cannot read: use plain zip (deflate)"
    )


@pytest.mark.parametrize("text", ["/*", '"""', "a ", "{", "<", "class A <", "'", '"', "a.", "\\"])
def test_no_source_takes_for_ever(text: str) -> None:
    read_source(text * 100_000)


@pytest.mark.parametrize(
    "text",
    [
        "\n" * 60_000,  # every blank line was a start of "package", and ran to the last one
        " \n" * 30_000,
        "package" + "\n" * 60_000,
        '"' + r"\"" * 40_000,  # every quote of a string without an end was a start
        "'" + r"\'" * 40_000,
        "class" + " " * 60_000,
        "class A implements" + " " * 60_000,
        "a" * 60_000,
    ],
    ids=lambda text: repr(text[:20]),
)
def test_reading_a_source_was_quadratic(text: str) -> None:
    begin = process_time()
    assert read_source(text)[0] == ""
    assert process_time() - begin < 1


def test_a_long_line_of_parents_was_quadratic(here: Path) -> None:
    count = 6_000
    text = "".join(f"class C{at} extends C{at + 1} {{}} " for at in range(count))
    folder_of(here, A=text)
    begin = process_time()
    assert refusal(here).startswith("no class in 'it' implements MNKPlayer")
    assert process_time() - begin < 2
    folder_of(here, A=f"{text} abstract class C{count} implements MNKPlayer {{}}")
    assert refusal(here).startswith(f"{count} players in 'it': C0, C1, ")


def test_one_long_name_was_kept_once_for_each_interface() -> None:
    longest = "a." * 32_000
    data = class_file("A", longest)
    many = 60_000
    at = data.rindex(struct.pack(">2H", 1, 6))  # one interface, the sixth constant
    data = data[:at] + struct.pack(">H", many) + struct.pack(">H", 6) * many
    head = read_class(data)
    assert head is not None
    assert len(head.interfaces) == many
    assert len(set(map(id, head.interfaces))) == 1


def test_a_source_of_many_megabytes_was_read(here: Path) -> None:
    folder_of(here, A=source("A") + " " * material.LARGEST)
    assert refusal(here) == ("'it/A.java' is too large for a source file: at most 1 MB")


def test_a_path_may_have_a_hash_of_its_own(tmp_path: Path) -> None:
    odd = tmp_path / "c#"
    odd.mkdir()
    assert split_path(str(odd)) == (odd, None)
    assert split_path(f"{odd}#p.A") == (odd, "p.A")
    assert split_path("~/x#A") == (Path.home() / "x", "A")
