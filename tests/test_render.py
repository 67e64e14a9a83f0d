"""Drawings: every stone where the coordinates say, on every size, in text, colour and SVG."""

from __future__ import annotations

import math
import os
import random
import re
from collections.abc import Iterator
from operator import methodcaller
from pathlib import Path
from xml.etree import ElementTree

import pytest
from rich.console import Console

import mossa
from mossa import Position, Shape
from mossa.render import (
    board_data,
    column_name,
    drawings,
    last_cells,
    side_label,
    status,
    to_rich,
    to_svg,
    to_text,
)
from mossa.render.looks import pits_plan, seed_place

SNAPSHOTS = Path(__file__).parent / "data" / "snapshots"
UPDATE = "MOSSA_UPDATE_SNAPSHOTS" in os.environ  # then look at the difference before you commit it

# name -> game, moves. The positions show what a drawing can show: nothing yet, a last move, a line
# in each direction, two lines at once, a full board, a full store, labels of two and three letters.
SHOWN = {
    "connect-start": ("connect4", ""),
    "connect-middle": ("connect4", "4 4 5 3 4"),
    "connect-column": ("connect4", "4 3 4 3 4 3 4"),
    "connect-diagonal": ("connect4", "1 2 2 3 3 4 3 4 4 6 4"),
    "connect-wide": ("connect:3x12x4", "12 12 11 1 10"),
    "connect-one": ("connect:1x1x1", "1"),
    "mnk-start": ("tictactoe", ""),
    "mnk-draw": ("tictactoe", "a1 b1 c1 b2 a2 c2 b3 a3 c3"),
    "mnk-two-lines": ("tictactoe", "a1 b1 c3 b3 c1 a2 a3 c2 b2"),
    "mnk-gomoku": ("gomoku", "h8 i9 h9 h7 j10 g6 i10 h10 g8"),
    "mnk-gomoku-won": ("gomoku", "h8 a1 i9 b2 j10 c3 k11 c5 l12"),
    "mnk-wide": ("mnk:4x50x4", "a1 z2 aa2 ax4 y3"),
    "mnk-tall": ("mnk:25x5x4", "a1 b24 c25"),
    "kalah-start": ("kalah", ""),
    "kalah-middle": ("kalah", "3 6 2 5 1"),
    "kalah-bantumi": ("bantumi", "4 1"),
    "kalah-large": ("kalah:12x12", "3 6"),
    "kalah-one": ("kalah:1x1", ""),
    "kalah-over": ("kalah:2x1", "2 1"),
    "breakthrough-start": ("breakthrough", ""),
    "breakthrough-capture": ("breakthrough:5x4", "b2b3 b4a3 c2c3 a3b2"),
    "breakthrough-won": ("breakthrough:4x3", "a2b3 c3b2 b3c4"),
}

SIZES = [
    *("connect:1x1x1", "connect:1x100x4", "connect:100x1x5", "connect:6x7x4", "connect:9x10x4"),
    *("mnk:1x1x1", "mnk:1x100x5", "mnk:100x1x5", "mnk:3x3x3", "mnk:9x9x5", "mnk:10x9x5"),
    *("mnk:15x15x5", "mnk:4x26x4", "mnk:4x27x4", "mnk:30x30x6", "connect:30x41x5"),
    *("kalah:1x1", "kalah:6x4", "kalah:6x3,end=mover,majority=yes,leftover=none", "kalah:12x12"),
    *("kalah:4x3,swap=yes", "mnk:9x9x5,exact=yes"),
    *("breakthrough:4x2", "breakthrough:8x8", "breakthrough:16x16"),
]


def shown(name: str) -> Position:
    game, moves = SHOWN[name]
    return mossa.game(game).position(moves)


def random_positions(name: str) -> Iterator[Position]:
    """The start, a few positions on the way, and the end (or the 60th move) of a random game."""
    chooser = random.Random(name)
    position = mossa.game(name).start()
    yield position
    while position.outcome is None and position.ply < 60:
        position = position.play(chooser.choice(position.moves))
        if position.ply in (1, 2, 10) or position.outcome is not None:
            yield position
    yield position


def full_board() -> Position:
    """The largest board without an empty cell or a line of 100: pairs of stones, row by row."""
    rows = ["".join("xo"[(col // 2 + row) % 2] for col in range(100)) for row in range(100)]
    return mossa.game("mnk:100x100x100").from_text("/".join(rows))


every_size = pytest.mark.parametrize("name", SIZES)


# --- snapshots --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SHOWN)
def test_drawings_look_as_they_did(name: str) -> None:
    position = shown(name)
    drawing = f"{to_text(position)}\n\n{to_rich(position).plain}\n"
    path = SNAPSHOTS / f"{name}.txt"
    if UPDATE:
        path.write_text(drawing, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == drawing


def test_every_snapshot_belongs_to_a_test() -> None:
    assert {path.stem for path in SNAPSHOTS.iterdir()} == set(SHOWN)


# --- text ---------------------------------------------------------------------------------------


def read_stones(lines: list[str], position: Position) -> list[list[str]]:
    """Find every cell by the labels of its row and column, as a reader does; bottom row first."""
    game = position.game
    rows, cols = game.sizes["rows"], game.sizes["cols"]
    bottom = max(number for number, line in enumerate(lines) if line.lstrip().startswith("+"))
    labels = {match[0]: match for match in re.finditer(r"\w+", lines[bottom + 1])}
    assert list(labels) == [column_name(game, col) for col in range(cols)]
    centers = [match.start() + len(match[0]) // 2 for match in labels.values()]
    if game.traits.falls:
        found = lines[bottom - rows : bottom][::-1]
    else:
        by_label = {line.split()[0]: line for line in lines[:bottom] if re.match(r" *\d+ \|", line)}
        found = [by_label[str(row + 1)] for row in range(rows)]
    return [[line[center] for center in centers] for line in found]


def check_stones(lines: list[str], position: Position) -> None:
    expected = [[".xo"[value] for value in row] for row in position.cells]
    for row, col in position.winning_cells:
        expected[row][col] = expected[row][col].upper()
    assert read_stones(lines, position) == expected


def board_lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if re.match(r"[ \d]*[|+]", line)]


@every_size
def test_text_shows_every_stone_at_its_coordinates(name: str) -> None:
    for position in random_positions(name):
        text = to_text(position)
        lines = text.splitlines()
        assert lines[0] == position.game.name
        assert lines[-1] == status(position)
        assert text.isascii()
        assert all(line == line.rstrip() for line in lines)
        frame = [re.sub(r" *\d*$", "", line) for line in board_lines(text)]
        assert len({len(line) for line in frame}) == 1
        if position.game.traits.shape is not Shape.pits:
            check_stones(lines[1:-1], position)


def test_text_of_the_largest_board() -> None:
    check_stones(to_text(full_board()).splitlines()[1:-1], full_board())


@every_size
def test_the_last_move_stands_in_brackets(name: str) -> None:
    for position in random_positions(name):
        for drawing in (to_text(position), to_rich(position).plain):
            marked = re.findall(r"\[(.+?)\]", drawing)
            values = [position.cells[row][col] for row, col in last_cells(position)]
            if position.game.traits.shape is Shape.pits:
                assert [int(text) for text in marked] == values
            else:  # rows are drawn from the top
                stones = ("·. ", ".xX●◉", ".oO○◎")
                assert len(marked) == len(values)
                for text, value in zip(marked, by_height(position), strict=True):
                    assert text in stones[value]


def by_height(position: Position) -> list[int]:
    """What is on the cells of the last move, the upper one first."""
    cells = sorted(last_cells(position), key=lambda cell: -cell[0])
    return [position.cells[row][col] for row, col in cells]


def test_the_cells_of_the_last_move() -> None:
    assert last_cells(shown("connect-start")) == []
    assert last_cells(shown("connect-column")) == [(3, 3)]
    assert last_cells(shown("kalah-middle")) == [(0, 0)]
    assert last_cells(shown("breakthrough-capture")) == [(2, 0), (1, 1)]
    swapped = mossa.game("kalah:4x3,swap=yes").position("1 swap")
    assert last_cells(swapped) == []


@pytest.mark.parametrize("name", ["kalah:1x1", "kalah:6x4", "kalah:12x12"])
def test_kalah_is_drawn_as_first_sees_it(name: str) -> None:
    for position in random_positions(name):
        lines = to_text(position).splitlines()
        top, middle, bottom = ([int(n) for n in re.findall(r"\d+", line)] for line in lines[3:6])
        (*first, first_store), (*second, second_store) = position.cells
        assert bottom == first
        assert top == second[::-1]
        assert middle == [second_store, first_store]
        numbers = list(range(1, len(first) + 1))
        assert [int(n) for n in lines[7].split()] == numbers
        assert [int(n) for n in lines[1].split()] == numbers[::-1]


def test_column_names_are_those_of_the_moves() -> None:
    game = mossa.game("mnk:1x100x5")
    assert [f"{column_name(game, col)}1" for col in range(100)] == game.start().moves
    game = mossa.game("connect:1x100x5")
    assert [column_name(game, col) for col in range(100)] == game.start().moves


def test_status_names_the_side_or_the_winner() -> None:
    assert status(shown("connect-start")) == "first (x) to move"
    assert status(shown("connect-middle")) == "second (o) to move"
    assert status(shown("kalah-start")) == "first (bottom) to move"
    assert status(shown("connect-column")).startswith("first (x) wins: ")
    assert status(shown("mnk-draw")).startswith("draw: ")
    assert side_label(mossa.game("kalah"), mossa.Side.second) == "second (top)"


def test_repr_draws_the_position() -> None:
    assert repr(shown("mnk-gomoku")) == to_text(shown("mnk-gomoku"))
    notebook_picture = methodcaller("_repr_svg_")  # private, so the type stubs do not list it
    assert notebook_picture(shown("mnk-gomoku")) == to_svg(shown("mnk-gomoku"))


# --- colour -------------------------------------------------------------------------------------


@every_size
def test_ascii_only_shows_the_same_stones(name: str) -> None:
    for position in random_positions(name):
        plain = to_rich(position, ascii_only=True).plain
        assert plain.isascii()
        if position.game.traits.shape is not Shape.pits:
            check_stones(plain.splitlines(), position)


@every_size
def test_discs_tell_the_sides_apart_without_colour(name: str) -> None:
    position = list(random_positions(name))[-1]
    board, _, legend = to_rich(position).plain.rpartition("\n")
    if position.game.traits.shape is Shape.pits:
        return
    values = [value for row in position.cells for value in row]
    letters = board_data(position)["look"] == "letters"
    pattern = ("[xX]", "[oO]") if letters else ("[●◉]", "[○◎]")
    if not letters:
        assert len(re.findall(pattern[0], board)) == values.count(1)
        assert len(re.findall(pattern[1], board)) == values.count(2)
        assert len(re.findall("[◉◎]", board)) == len(position.winning_cells)
    if position.outcome is None:
        assert re.search(rf"{pattern[0]} +first \(x\)", legend)
        assert re.search(rf"{pattern[1]} +second \(o\)", legend)
        assert ("▸" in legend.partition("first")[0]) == (position.side is mossa.Side.first)
    else:
        assert legend == status(position)


def printed(position: Position, **options: object) -> str:
    console = Console(force_terminal=True, width=80, **options)  # type: ignore[arg-type]
    with console.capture() as capture:
        console.print(to_rich(position), soft_wrap=True)
    return capture.get()


@pytest.mark.parametrize("name", ["connect-column", "mnk-two-lines", "mnk-gomoku-won"])
def test_colours_stress_the_winning_line(name: str) -> None:
    position = shown(name)
    output = printed(position, color_system="truecolor")
    highlighted = "".join(re.findall(r"\x1b\[1;38;2;0;0;0;48;2;74;222;96m([^\x1b]*)", output))
    assert len(re.findall("[XO◉◎]", highlighted)) == len(position.winning_cells) > 0


def test_no_colour_keeps_the_board() -> None:
    position = shown("connect-column")
    output = printed(position, no_color=True)
    assert not re.search(r"\x1b\[[\d;]*[34]8;", output)
    assert re.sub(r"\x1b\[[\d;]*m", "", output).rstrip("\n") == to_rich(position).plain


def test_a_wide_board_is_not_folded() -> None:
    output = printed(shown("mnk-wide"), color_system=None)
    assert output.splitlines() == to_rich(shown("mnk-wide")).plain.splitlines()


# --- SVG ----------------------------------------------------------------------------------------

SVG = "{http://www.w3.org/2000/svg}"


def elements(svg: str, css_class: str) -> list[ElementTree.Element]:
    root = ElementTree.fromstring(svg)
    return [e for e in root.iter() if css_class in e.get("class", "").split()]


def check_svg(position: Position) -> None:
    svg = to_svg(position)
    root = ElementTree.fromstring(svg)
    assert root.tag == f"{SVG}svg"
    ids = {e.get("id") for e in root.iter() if e.get("id")}
    used = {e.get("href", "")[1:] for e in root.iter(f"{SVG}use")}
    assert used | set(re.findall(r"url\(#([\w-]+)\)", svg)) <= ids
    assert root.findtext(f"{SVG}title") == f"{position.game.name}: {status(position)}"
    assert root.findtext(f"{SVG}desc")
    assert len(elements(svg, "last")) == len(last_cells(position))
    assert bool(elements(svg, "win")) == bool(position.winning_cells)
    assert not re.search(r"nan|inf\b|https?://(?!www.w3.org/2000/svg)", svg)
    (caption,) = elements(svg, "caption")
    assert all(float(text.attrib["font-size"]) >= 8 for text in caption.iter(f"{SVG}text"))
    if position.game.traits.shape is Shape.pits:
        assert len(elements(svg, "seed")) == sum(map(sum, position.cells))
        assert len(elements(svg, "pit")) == 2 * (position.game.sizes["pits"] + 1)
    else:
        check_svg_stones(svg, position)


def check_svg_stones(svg: str, position: Position) -> None:
    width, height = map(float, ElementTree.fromstring(svg).attrib["viewBox"].split()[2:])
    drawn = {}
    for value, side in ((1, "first"), (2, "second")):
        for stone in elements(svg, side):
            drawn[float(stone.attrib["x"]), float(stone.attrib["y"])] = value
    assert all(18 < x < width - 18 and 18 < y < height - 18 for x, y in drawn)
    stones = [
        (row, col, value)
        for row, values in enumerate(position.cells)
        for col, value in enumerate(values)
        if value
    ]
    assert len(drawn) == len(stones)
    if stones:  # cells are 40 units apart, rows grow upwards
        left = min(x for x, _ in drawn) - 40 * min(col for _, col, _ in stones)
        bottom = max(y for _, y in drawn) + 40 * min(row for row, _, _ in stones)
        expected = {(left + 40 * col, bottom - 40 * row): value for row, col, value in stones}
        assert drawn == expected


@every_size
def test_svg_shows_every_stone(name: str) -> None:
    for position in random_positions(name):
        check_svg(position)


def test_svg_of_the_largest_board() -> None:
    check_svg(full_board())


def test_svg_is_the_same_for_equal_games() -> None:
    assert to_svg(shown("kalah-middle")) == to_svg(shown("kalah-middle"))


@pytest.mark.parametrize("name", SHOWN)
@pytest.mark.parametrize("size", [64, 480, 1000])
def test_size_is_the_longer_side_in_pixels(name: str, size: int) -> None:
    root = ElementTree.fromstring(to_svg(shown(name), size=size))
    assert max(int(root.attrib["width"]), int(root.attrib["height"])) == size


def strikes(name: str) -> int:
    return len(elements(to_svg(shown(name)), "win"))


def test_each_line_is_struck_once() -> None:
    assert strikes("connect-middle") == 0
    assert strikes("connect-column") == 1
    assert strikes("mnk-two-lines") == 2
    assert strikes("connect-one") == 1


def test_the_description_reads_the_board_aloud() -> None:
    def description(name: str) -> str | None:
        return ElementTree.fromstring(to_svg(shown(name))).findtext(f"{SVG}desc")

    assert description("connect-start") == "no stones yet"
    assert description("connect-middle") == (
        "from the bottom up, column 3: o; column 4: x o x; column 5: x"
    )
    assert description("mnk-wide") == "x: a1 aa2 y3; o: z2 ax4"
    assert description("kalah-start") == (
        "first: pits 4 4 4 4 4 4, store 0; second: pits 4 4 4 4 4 4, store 0"
    )
    assert description("breakthrough-won") == "x: a1 b1 c1 c2 c4; o: b2 a3 a4 b4"


def luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return sum(
        w * math.pow(c, 2.2) for w, c in zip((0.2126, 0.7152, 0.0722), channels, strict=True)
    )


def test_stones_differ_in_lightness_and_in_shape() -> None:
    """So that no kind of colour blindness confuses them."""
    root = ElementTree.fromstring(to_svg(shown("connect-middle")))
    discs = [root.find(f".//{SVG}g[@id='mossa-disc-{side}']") for side in ("first", "second")]
    first, second = (disc for disc in discs if disc is not None)
    assert first.find(f"{SVG}path") is not None
    assert second.find(f"{SVG}path") is None
    light, dark = luminance(first[1].attrib["fill"]), luminance(second[1].attrib["fill"])
    assert (light + 0.05) / (dark + 0.05) > 2


# --- looks --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "look"),
    [
        ("connect4", "discs"),
        ("tictactoe", "letters"),
        ("mnk:9x9x5", "letters"),
        ("mnk:9x10x5", "stones"),
        ("kalah", "pits"),
        ("breakthrough:4x2", "pieces"),
    ],
)
def test_a_game_has_a_look_by_its_traits(name: str, look: str) -> None:
    data = board_data(mossa.game(name).start())
    assert data["look"] == look
    shapes = {each.get("id") for each in ElementTree.fromstring(drawings()).iter()}
    assert {stone for stone in data["stones"] if stone} <= shapes
    assert f"mossa-last-{look}" in shapes
    assert set(re.findall(r"url\(#([\w-]+)\)", data["back"] + data["panel"])) <= shapes


@pytest.mark.parametrize("name", ["gomoku", "breakthrough", "kalah"])
def test_pages_and_pictures_have_one_drawing(name: str) -> None:
    """Sizes and colours were written down twice."""
    game = mossa.game(name)
    picture, data = to_svg(game.start()), board_data(game.start())
    board = data["back"].partition("/>")[2]  # all but the panel, which has no caption on a page
    assert board
    assert board in picture


def test_a_piece_that_arrived_is_ringed() -> None:
    assert strikes("breakthrough-won") == 2  # a light ring on a dark one
    assert strikes("breakthrough-capture") == 0


@pytest.mark.parametrize("count", [1, 2, 8, 9, 24, 25, 100, 288])
def test_a_heap_of_seeds_stays_in_its_hollow(count: int) -> None:
    plan = pits_plan(mossa.game("kalah:12x12"))
    assert plan.seeds == tuple(map(seed_place, range(288)))  # what the pages draw
    for hollow in (plan.hollows[0][0], plan.hollows[0][-1]):
        size = min(1.0, math.sqrt(hollow.room / count))
        for x, y in plan.seeds[:count]:
            assert (abs(x) * hollow.stretch + plan.seed) * size <= hollow.half_width
            assert (abs(y) / hollow.stretch + plan.seed) * size <= hollow.half_height
