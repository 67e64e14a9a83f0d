"""Alignments, ways to win and candidates, against their naive definitions."""

import random
from collections import Counter
from collections.abc import Callable

import hypothesis
import pytest
from hypothesis import strategies as st
from line_checks import (
    LINE_GAMES,
    WEIGHTS,
    Board,
    Cell,
    moved,
    random_position,
    stones,
    ways,
    wins_at_once,
)

import mossa
from mossa import (
    Alignment,
    Alignments,
    Estimate,
    GameError,
    Limits,
    Position,
    Priority,
    Search,
    Side,
)
from mossa.evaluations import DIRECTIONS


def naive_alignment(board: Board, side: Side, cell: Cell, direction: str) -> Alignment:
    """The best way to win through a cell; if there is none, what is counted up to the cell."""
    opposing = stones(side)[1]
    if board.stones[cell] == opposing:
        return Alignment(0, 0, None)
    best: list[Cell] = []
    for way, cells in ways(board, side):
        if way != direction or cell not in cells:
            continue
        # Of equals the one that starts last: nearest before the cell.
        rank = board.count_empty(cells), cells.index(cell)
        if not best or rank < (board.count_empty(best), best.index(cell)):
            best = cells
    if best:
        return Alignment(len(best), board.count_empty(best), best[0])
    counted: list[Cell] = []
    while board.stones.get(cell) not in (None, opposing) and len(counted) < board.k:
        counted.append(cell)
        cell = moved(cell, direction, -1)
    return Alignment(len(counted), board.count_empty(counted), None)


def naive_scenarios(board: Board, side: Side, cell: Cell | None = None) -> list[int]:
    found = Counter(
        board.count_empty(cells) for _, cells in ways(board, side) if cell is None or cell in cells
    )
    return [found[moves] for moves in range(board.k + 1)]


def check_alignments(alignments: Alignments, some: int | None = None) -> None:
    """Everything that can be asked, of all cells or of some, against the definitions."""
    position = alignments.position
    board = Board(position)
    cells = list(board.stones)
    if some is not None and some < len(cells):
        cells = random.Random(position.text).sample(cells, some)
    for side in Side:
        whole = alignments.board(side)
        for row, col in cells:
            cell = row, col
            for direction in DIRECTIONS:
                expected = naive_alignment(board, side, cell, direction)
                assert whole[row][col][direction] == expected, (position.text, side, cell)
            assert alignments.scenarios(side, cell) == naive_scenarios(board, side, cell)
        assert alignments.scenarios(side) == naive_scenarios(board, side)


@pytest.mark.parametrize(
    "name",
    [
        *LINE_GAMES,
        "mnk:1x1x1",
        "mnk:3x4x1",
        "mnk:1x9x4",
        "mnk:9x1x4,exact=yes",
        "mnk:5x3x5",
        "mnk:4x4x2,exact=yes",
        "mnk:6x6x6",
        "connect:1x1x1",
        "connect:5x2x5",
    ],
)
def test_alignments_are_those_of_the_definition(name: str) -> None:
    rng = random.Random(name)
    for plies in (0, 3, 8, 20, 40):
        check_alignments(Alignments(random_position(mossa.game(name), rng, plies)), some=12)


@hypothesis.given(st.data())
def test_alignments_on_any_board(data: st.DataObject) -> None:
    rows, cols = data.draw(st.integers(1, 7)), data.draw(st.integers(1, 7))
    k = data.draw(st.integers(1, max(rows, cols)))
    kind = data.draw(st.sampled_from(["connect:{}", "mnk:{}", "mnk:{},exact=yes"]))
    game = mossa.game(kind.format(f"{rows}x{cols}x{k}"))
    rng = random.Random(data.draw(st.integers(0, 1000)))
    plies = data.draw(st.integers(0, rows * cols))
    check_alignments(Alignments(random_position(game, rng, plies)), some=8)


@pytest.mark.parametrize("name", ["mnk:7x7x4", "mnk:5x6x3,exact=yes", "connect4"])
def test_alignments_follow_a_game(name: str) -> None:
    """What is kept from move to move is what would be found anew, whatever was asked before."""
    rng = random.Random(name)
    alignments = Alignments(mossa.game(name).start())
    while alignments.position.outcome is None:
        for _ in range(rng.randrange(4)):
            cell = rng.choice(list(Board(alignments.position).stones))
            alignments.at(cell, rng.choice(list(Side)))
        alignments.play(rng.choice(alignments.position.moves))
        fresh = Alignments(alignments.position)
        for side in Side:
            if rng.random() < 0.7:
                assert alignments.scenarios(side) == fresh.scenarios(side)
            cell = rng.choice(list(Board(alignments.position).stones))
            assert alignments.at(cell, side) == fresh.at(cell, side)
            assert alignments.scenarios(side, cell) == fresh.scenarios(side, cell)
    check_alignments(alignments, some=12)


def test_an_alignment_of_the_report() -> None:
    """The cells take the best window behind them too, which is what the report propagates."""
    position = mossa.game("mnk:1x7x4").from_text("..x.x.o")
    own = [Alignments(position).at((0, col), Side.first)["row"] for col in range(7)]
    assert own[0] == (4, 3, (0, 0))
    assert own[1] == (4, 2, (0, 1))
    assert own[2] == own[3] == own[4] == own[5] == (4, 2, (0, 2))
    assert own[6] == (0, 0, None)
    assert Alignments(position).scenarios(Side.first) == [0, 0, 2, 1, 0]
    assert Alignments(position).at((0, 6), Side.second)["row"] == (2, 1, None)
    # The same by the line alone; its start is a place on the line.
    assert mossa.align("..x.x.o", Side.first, 4) == [
        (4, 3, 0),
        (4, 2, 1),
        *[(4, 2, 2)] * 4,
        (0, 0, None),
    ]


def recurrence(line: str, mine: str, k: int) -> list[tuple[int, int, int | None]]:
    """The report's equations, written down as they stand, with its propagation.

    But for one slip: there the first stretch of k has no start.
    """
    found: list[tuple[int, int, int | None]] = []
    for i, cell in enumerate(line):
        if cell not in (mine, "."):
            found.append((0, 0, None))
            continue
        free = cell == "."
        aligned, moves = 0, 0
        # What the equations call S[i-1], before anything was propagated to it.
        for j in range(i):
            if line[j] not in (mine, "."):
                aligned, moves = 0, 0
            elif aligned < k:
                aligned, moves = aligned + 1, moves + (line[j] == ".")
            else:
                moves += (line[j] == ".") - (line[j - k] == ".")
        if aligned < k:
            here = (aligned + 1, moves + free, i - k + 1 if aligned + 1 == k else None)
        else:
            here = (aligned, moves + free - (line[i - k] == "."), i - (k - 1))
        found.append(here)
        if here[0] < k:
            continue
        for j in range(i - 1, i - k, -1):
            if found[j][0] == k and found[j][2] is not None and found[j][1] < here[1]:
                break
            found[j] = here
    return found


@hypothesis.given(st.text("x.o", max_size=14), st.integers(1, 6))
def test_the_tuples_of_a_line_are_those_of_the_recurrence(line: str, k: int) -> None:
    for side, mine in ((Side.first, "x"), (Side.second, "o")):
        assert mossa.align(line, side, k) == recurrence(line, mine, k)


def test_cells_without_room_for_k_are_counted_up() -> None:
    """As the recurrence does, not all alike."""
    assert mossa.align("o.x.o", Side.first, 4)[1:4] == [(1, 1, None), (2, 1, None), (3, 2, None)]
    alignments = Alignments(mossa.game("mnk:1x6x4").from_text("o.x.ox"))
    assert [each[:2] for each in alignments.line((0, 0), "row", Side.first)] == [
        (0, 0),
        (1, 1),
        (2, 1),
        (3, 2),
        (0, 0),
        (1, 0),
    ]


def test_a_line_of_a_board() -> None:
    alignments = Alignments(mossa.game("mnk:4x6x3").position("b2 c3 b3"))
    for cell, direction, cells in (
        ((1, 3), "row", [(1, col) for col in range(6)]),
        ((1, 3), "column", [(row, 3) for row in range(4)]),
        ((1, 3), "rising", [(0, 2), (1, 3), (2, 4), (3, 5)]),
        ((1, 3), "falling", [(3, 1), (2, 2), (1, 3), (0, 4)]),
    ):
        assert alignments.line(cell, direction, Side.second) == [
            alignments.at(each, Side.second)[direction] for each in cells
        ]


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (
            lambda: mossa.align("x?o", Side.first, 3),
            "invalid line 'x?o': expected x, o and . , not '?'",
        ),
        (
            lambda: mossa.align("x.o", Side.first, 0),
            "invalid k '0': expected a whole number from 1 on",
        ),
        (
            lambda: Alignments(mossa.game("tictactoe").start()).line((0, 0), "colum", Side.first),
            "unknown direction 'colum': did you mean 'column'? "
            "there are row, column, rising, falling",
        ),
        (
            lambda: Alignments(mossa.game("tictactoe").start()).line((3, 0), "row", Side.first),
            "invalid cell '3, 0': row 0 to 2, column 0 to 2",
        ),
    ],
)
def test_no_such_line(ask: Callable[[], object], message: str) -> None:
    with pytest.raises(GameError) as caught:
        ask()
    assert str(caught.value) == message


def test_a_won_game_has_a_way_that_needs_no_move() -> None:
    position = mossa.game("tictactoe").position("a1 a2 b1 b2 c1")
    assert Alignments(position).scenarios(Side.first)[0] == 1
    assert Alignments(position).at((0, 2), Side.first)["row"] == (3, 0, (0, 0))


@pytest.mark.parametrize("name", [each for each in LINE_GAMES if each != "mnk:3x3x3"])
def test_the_evaluation_weighs_the_ways_to_win(name: str) -> None:
    """``evaluate=scenarios`` and the counts are one definition, kept in two ways."""
    game = mossa.game(name)
    rng = random.Random(name)
    checked = 0
    for _ in range(30):
        position = random_position(game, rng, rng.randrange(12))
        k = game.sizes["k"]
        if position.outcome is not None or wins_at_once(position):
            continue
        values = []
        for move in position.moves:
            after = position.play(move)
            counts = [Alignments(after).scenarios(side) for side in (position.side, after.side)]
            value = sum(
                weight * (own - other)
                for moves, (weight, own, other) in enumerate(zip(WEIGHTS, *counts, strict=False))
                if moves < k
            )
            values.append(-100_000_000 if wins_at_once(after) else value)
        info = Search(game, "minimax", {"evaluate": "scenarios"}).run(position, Limits(depth=1))
        assert info.score == Estimate(max(values)), position.history_text
        checked += 1
    assert checked >= 10


# --- candidates -----------------------------------------------------------------------------------


def naive_candidates(position: Position) -> dict[str, tuple[int, int, int]]:
    """Priority, own and opposing alignment of every candidate, in the words of the report."""
    sizes = position.game.sizes
    taken = [cell for cell, stone in Board(position).stones.items() if stone]
    near = taken or [(sizes["rows"] // 2, sizes["cols"] // 2)]
    found = {}
    for move in position.moves:
        cell = position.play(move).last_cell
        assert cell is not None
        row, col = cell
        if position.game.kind == "mnk" and not any(
            max(abs(row - r), abs(col - c)) <= 1 for r, c in near
        ):
            continue
        (wins, threats, aligned), (loses, dangers, blocked) = (
            naive_reach(position, cell, side)
            for side in (position.side, Side(1 - position.side.value))
        )
        kinds = (wins, loses, threats >= 2, dangers >= 2, True)
        found[str(move)] = kinds.index(True) + 1, aligned, blocked
    return found


def naive_reach(position: Position, cell: Cell, side: Side) -> tuple[bool, int, int]:
    """What a stone on a cell makes: a win, cells that win next, the stones in its best way."""
    after = Board(position, {cell: stones(side)[0]})
    through = [cells for _, cells in ways(after, side) if cell in cells]
    next_wins = {
        each
        for cells in through
        if after.count_empty(cells) == 1
        for each in cells
        if after.stones[each] == 0
    }
    aligned = max((after.k - after.count_empty(cells) for cells in through), default=0)
    return aligned == after.k, len(next_wins), aligned


@pytest.mark.parametrize(
    "name",
    [
        "mnk:7x7x4",
        "mnk:5x6x3",
        "mnk:9x9x4",
        "mnk:4x4x4",
        "mnk:3x9x3",
        "mnk:6x6x3,exact=yes",
        "mnk:3x3x1",
        "connect4",
        "connect:5x5x3",
    ],
)
def test_candidates_are_those_of_the_definition(name: str) -> None:
    rng = random.Random(name)
    game = mossa.game(name)
    kinds = set()
    for _ in range(60):
        position = random_position(game, rng, rng.randrange(14))
        found = mossa.candidates(position)
        assert {
            str(each.move): (each.priority, each.aligned, each.blocked) for each in found
        } == naive_candidates(position), position.text
        order = [
            (each.priority, *((-each.aligned, -each.blocked) if not each.critical else ()))
            for each in found
        ]
        assert order == sorted(order)
        if position.outcome is not None:
            assert found == []
            continue
        kinds.add(found[0].priority)
        # At height 1 the tree tries its candidates: all of them, or the best critical kind.
        best = [each for each in found if each.priority == found[0].priority]
        search = Search(game, "gametree", {"width": "0", "near": "1"})
        kept = len(best if found[0].critical else found)
        assert search.run(position, Limits(depth=1)).nodes == kept, position.history_text
    assert len(kinds) >= 3 or name == "mnk:3x3x1"


def test_priorities_are_numbers_with_names() -> None:
    assert [(each.name, int(each)) for each in Priority] == [
        ("win", 1),
        ("block", 2),
        ("double_threat", 3),
        ("block_double_threat", 4),
        ("other", 5),
    ]
    position = mossa.game("mnk:7x7x4").position("d4 c3 d5 d3 d6")
    (best, *others) = mossa.candidates(position)
    assert (str(best.move), best.priority, best.critical) == ("d7", Priority.block, True)
    assert not others[-1].critical


# --- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize("ask", [Alignments, mossa.candidates])
def test_kalah_has_no_lines(ask: Callable[[Position], object]) -> None:
    with pytest.raises(GameError, match=r"^no (alignments|candidates) in kalah:6x4: they are for "):
        ask(mossa.game("kalah").start())


@pytest.mark.parametrize("cell", [(-1, 0), (0, 7), (6, 0), (100, 100)])
def test_a_cell_beyond_the_board(cell: Cell) -> None:
    alignments = Alignments(mossa.game("connect4").start())
    expected = f"invalid cell '{cell[0]}, {cell[1]}': row 0 to 5, column 0 to 6"
    for ask in (alignments.at, lambda cell, side: alignments.scenarios(side, cell)):
        with pytest.raises(GameError) as caught:
            ask(cell, Side.first)
        assert str(caught.value) == expected


def test_an_illegal_move_changes_nothing() -> None:
    alignments = Alignments(mossa.game("tictactoe").position("b2"))
    before = alignments.scenarios(Side.first)
    with pytest.raises(mossa.IllegalMoveError):
        alignments.play("b2")
    assert alignments.position.history_text == "b2"
    assert alignments.scenarios(Side.first) == before
