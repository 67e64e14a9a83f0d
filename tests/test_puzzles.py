"""Puzzles: found on small boards and held against brute force; files that are refused."""

from __future__ import annotations

import json
import random
import zlib
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from brute_force import BruteForce

import mossa
from mossa.errors import GameError
from mossa.puzzles import build
from mossa.puzzles.answers import explanation, grade, rest_text, task
from mossa.puzzles.build import Progress, build_puzzles
from mossa.puzzles.check import check_puzzle, check_puzzles
from mossa.puzzles.file import PuzzleError, PuzzleFile, file_bytes, puzzle_from_line, puzzle_line
from mossa.puzzles.making import task_of
from mossa.puzzles.proving import prover
from mossa.puzzles.puzzle import Kind, Proof, Puzzle, packed, unpacked
from mossa.search import Exact

SMALL = "connect:4x4x3"
SHIPPED = ("connect4", "mnk:7x7x4", "mnk:15x15x5", "kalah:6x4")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> PuzzleFile:
    path = tmp_path_factory.mktemp("puzzles") / "small.puzzles"
    return build_puzzles(mossa.game(SMALL), path, count=6)


def test_brute_force_agrees_with_every_puzzle(made: PuzzleFile) -> None:
    oracle = BruteForce()
    assert len(made.puzzles) == 6
    for puzzle in made.puzzles:
        scores = oracle.moves(puzzle.position)
        best = max(scores.values())
        assert [move for move, score in scores.items() if score.standing == best.standing] == [
            puzzle.steps[0].move
        ]
        assert best.standing == {Kind.draw: 0}.get(puzzle.kind, 1)
        for at in range(puzzle.turns):
            position = puzzle.before(at)
            scores = oracle.moves(position)
            if puzzle.kind is Kind.win_in:
                assert max(scores.values()).distance == 2 * (puzzle.turns - at) - 1
                best = max(scores.values())
                assert puzzle.right(at) == [m for m, score in scores.items() if score == best]


def test_a_board_with_one_kind_of_task_still_fills_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On 7x7x4 nearly all puzzles are alike: the file ended at 50 of 220."""
    monkeypatch.setattr(build, "FEW", 1)
    monkeypatch.setattr(build, "LARGEST_SHARE", 0.0)
    monkeypatch.setattr(build, "PATIENCE", 3)
    seen: list[Progress] = []
    path = tmp_path / "a.puzzles"
    made = build_puzzles(mossa.game(SMALL), path, count=4, report=seen.append)
    tasks = [(puzzle.kind, puzzle.turns) for puzzle in made.puzzles]
    assert len(tasks) == 4 > len(set(tasks))
    games = [next(each.games for each in seen if each.found == n) for n in range(1, 5)]
    assert max(later - sooner for sooner, later in pairwise(games)) >= 3


def test_no_position_comes_twice_not_even_its_mirror_image(made: PuzzleFile) -> None:
    keys = [puzzle.position.canonical_key for puzzle in made.puzzles]
    assert len(set(keys)) == len(keys)


def test_the_same_command_makes_the_same_file_and_a_longer_one_begins_with_it(
    made: PuzzleFile, tmp_path: Path
) -> None:
    again = build_puzzles(mossa.game(SMALL), tmp_path / "a.puzzles", count=3)
    assert {puzzle.name for puzzle in again.puzzles} < {puzzle.name for puzzle in made.puzzles}
    assert again.command == f"mossa puzzles build {SMALL} --count 3 --seed 1"


def test_what_was_found_survives_an_interruption(made: PuzzleFile, tmp_path: Path) -> None:
    path = tmp_path / "a.puzzles"

    def interrupt(progress: Progress) -> None:
        if progress.found == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_puzzles(mossa.game(SMALL), path, count=6, report=interrupt)
    assert not path.exists()
    seen: list[int] = []
    again = build_puzzles(
        mossa.game(SMALL), path, count=6, report=lambda progress: seen.append(progress.found)
    )
    assert seen[0] == 4  # nothing was looked for twice
    assert again.puzzles == made.puzzles
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(GameError, match="is there already"):
        build_puzzles(mossa.game(SMALL), path, count=6)


def test_records_give_positions_too(made: PuzzleFile, tmp_path: Path) -> None:
    rules = mossa.game(SMALL)
    wanted = made.puzzles[0]
    record = mossa.Record(rules, tuple(wanted.position.history))
    found = build_puzzles(rules, tmp_path / "a.puzzles", count=1, records=[record])
    assert [puzzle.name for puzzle in found.puzzles] == [wanted.name]
    assert found.command.endswith("--records FILE")


def test_games_that_nobody_can_prove_are_refused(tmp_path: Path) -> None:
    with pytest.raises(GameError, match=r"no puzzles for breakthrough.*too large"):
        build_puzzles(mossa.game("breakthrough"), tmp_path / "a.puzzles", count=1)
    with pytest.raises(GameError, match="invalid count '0': 1 or more"):
        build_puzzles(mossa.game(SMALL), tmp_path / "a.puzzles", count=0)


@pytest.mark.parametrize(
    ("scores", "kind"),
    [
        ({"1": Exact(1, 9), "2": Exact(-1, 4)}, Kind.win_in),
        ({"1": Exact(1, 29), "2": Exact(0, 30)}, Kind.win),
        ({"1": Exact(0, 30), "2": Exact(-1, 4)}, Kind.draw),
        ({"1": Exact(8), "2": Exact(0)}, Kind.win),
        ({"1": Exact(0), "2": Exact(-2)}, Kind.draw),
        ({"1": Exact(1, 1), "2": Exact(-1, 4)}, None),  # seen at once
        ({"1": Exact(1, 9), "2": Exact(1, 11)}, None),  # two moves win
        ({"1": Exact(0, 30), "2": Exact(0, 30)}, None),
        ({"1": Exact(-1, 4), "2": Exact(-1, 2)}, None),  # nothing to hold
        ({"1": Exact(1, 9)}, None),  # the only legal move
    ],
)
def test_what_is_asked_follows_from_the_scores(scores: dict[str, Exact], kind: Kind | None) -> None:
    assert task_of(scores, Proof.solver) is kind


# ---------------------------------------------------------------- grading


def test_every_move_of_every_step_is_graded(made: PuzzleFile) -> None:
    for puzzle in made.puzzles:
        for at in range(puzzle.turns):
            right = puzzle.right(at)
            for move in puzzle.before(at).moves:
                answer = grade(puzzle, at, str(move))
                assert answer.right is (str(move) in right)
                assert answer.done is (answer.right and at == puzzle.turns - 1)
                if answer.right and not answer.done:
                    assert answer.positions[-1] == puzzle.before(at + 1)
                if not answer.right:
                    assert answer.told.startswith(f"{move} ")
                    assert answer.positions == ()


def test_answers_that_are_none_are_refused(made: PuzzleFile) -> None:
    puzzle = made.puzzles[0]
    with pytest.raises(GameError, match="invalid step '9'"):
        grade(puzzle, 9, "1")
    with pytest.raises(GameError, match="illegal move 'h8'"):
        grade(puzzle, 0, "h8")
    with pytest.raises(GameError, match="play one move, not 0"):
        grade(puzzle, 0, "")


def test_a_win_by_threats_is_explained_in_the_words_of_threats() -> None:
    rules = mossa.game("mnk:15x15x5")
    position = rules.position("h8 a1 i8 a2 j8 a3")  # any reply loses, in two ways
    judge = prover(rules)
    assert judge.proof(position) is Proof.threats
    scores = judge.scores(position)
    assert scores is not None
    assert scores["g8"] == Exact(1, 3)
    assert scores["a15"] is None


def test_explanations_name_every_move(made: PuzzleFile) -> None:
    for puzzle in made.puzzles:
        told = explanation(puzzle)
        assert [each.move for each in told] == puzzle.line
        assert all(each.move in each.told for each in told)
        assert rest_text(puzzle).startswith("That ")
        assert str(puzzle.turns) in task(puzzle) or puzzle.kind is not Kind.win_in


# ---------------------------------------------------------------- files


def written(tmp_path: Path, *puzzles: Puzzle) -> Path:
    """A file with a checksum that holds, whatever its puzzles say."""
    path = tmp_path / "forged.puzzles"
    path.write_bytes(file_bytes(puzzles[0].game, puzzles, command="by hand", made_by="nobody"))
    return path


def test_a_file_is_read_as_it_was_written(made: PuzzleFile) -> None:
    assert PuzzleFile.open(made.path) == made
    assert made.path.read_bytes().splitlines()[0].startswith(b'{"format":"mossa-puzzles"')
    for puzzle in made.puzzles:
        assert puzzle_from_line(puzzle.game, puzzle_line(puzzle)) == puzzle
    ratings = [puzzle.rating for puzzle in made.puzzles]
    assert ratings == sorted(ratings)


def test_marks_take_little_room() -> None:
    assert packed("lllWlll") == "3l1W3l"
    assert unpacked("3l1W3l", 7) == "lllWlll"
    for text in ("3l1W", "7l1W", "lW", "3l1X3l", "1l2l1W3l", "9999999l", "0l3l1W3l", ""):
        with pytest.raises(GameError, match="does not mark 7 moves"):
            unpacked(text, 7)


@pytest.mark.parametrize("cut", [1, 20, 200, 700])
def test_cut_files_are_refused(made: PuzzleFile, tmp_path: Path, cut: int) -> None:
    path = tmp_path / "cut.puzzles"
    path.write_bytes(made.path.read_bytes()[:-cut])
    with pytest.raises(PuzzleError, match="damaged or incomplete: its checksum does not hold"):
        PuzzleFile.open(path)


def test_every_changed_byte_is_noticed(made: PuzzleFile, tmp_path: Path) -> None:
    path, chance = tmp_path / "changed.puzzles", random.Random(1)
    content = made.path.read_bytes()
    for _ in range(200):
        at = chance.randrange(len(content))
        changed = bytearray(content)
        changed[at] ^= 1 << chance.randrange(8)
        path.write_bytes(changed)
        with pytest.raises(PuzzleError):
            PuzzleFile.open(path)


@pytest.mark.parametrize(
    "content", [b"", b"mossa", b"\xff\xfe\0", b"{}", b"[1]\n", b"[" * 9999, b'{"format":"x"}\n']
)
def test_foreign_files_are_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "foreign.puzzles"
    path.write_bytes(content)
    with pytest.raises(PuzzleError, match="is not a file of puzzles; mossa puzzles build makes"):
        PuzzleFile.open(path)


def sealed(tmp_path: Path, head: dict[str, object], *lines: str) -> Path:
    body = "".join(f"{line}\n" for line in lines)
    text = json.dumps(head, separators=(",", ":"))
    head = {**head, "checksum": f"{zlib.crc32((text + body).encode()):08x}"}
    path = tmp_path / "sealed.puzzles"
    path.write_text(json.dumps(head, separators=(",", ":")) + "\n" + body, encoding="utf-8")
    return path


HEAD: dict[str, object] = {
    "format": "mossa-puzzles",
    "version": 1,
    "game": SMALL,
    "count": 1,
    "command": "",
    "made_by": "",
}


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"version": 2}, "of format '2'; this program reads format 1"),
        ({"game": "chess"}, "unknown game 'chess'"),
        ({"game": 7}, "does not say what it is"),
        ({"count": 2}, "is incomplete: it has 1 puzzle"),
    ],
)
def test_heads_that_make_no_sense_are_refused(
    made: PuzzleFile, tmp_path: Path, changes: dict[str, object], reason: str
) -> None:
    path = sealed(tmp_path, {**HEAD, **changes}, puzzle_line(made.puzzles[0]))
    with pytest.raises(PuzzleError, match=reason):
        PuzzleFile.open(path)


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("moves", "9 9", "illegal move '9'"),
        ("moves", 4, "its field moves is '4'"),
        ("kind", "lose", "there is no task 'lose'"),
        ("proof", "hope", "with proof 'hope'"),
        ("rating", 9999, "no puzzle has rating 9999"),
        ("rating", True, "its field rating is 'True'"),
        ("depth", 0, "and depth 0"),
        ("line", [], "its line has 0 steps"),
        ("line", [["1"]], "step 1 is not a move, marks and replies"),
        ("line", [["1", "9W", ""]], "'9W' does not mark"),
        ("rest", "9", "illegal move '9'"),
        ("board", 3, "a puzzle has the fields"),
        ("more", 1, "a puzzle has the fields"),
    ],
)
def test_puzzles_against_the_rules_are_refused(
    made: PuzzleFile, tmp_path: Path, field: str, value: object, reason: str
) -> None:
    data = {**json.loads(puzzle_line(made.puzzles[0])), field: value}
    path = sealed(tmp_path, HEAD, json.dumps(data))
    with pytest.raises(PuzzleError, match=f"is damaged: line 2: .*{reason}"):
        PuzzleFile.open(path)


def test_a_puzzle_that_is_there_twice_is_refused(made: PuzzleFile, tmp_path: Path) -> None:
    with pytest.raises(PuzzleError, match="or its mirror image, is there twice"):
        PuzzleFile.open(written(tmp_path, made.puzzles[0], made.puzzles[0]))


# ---------------------------------------------------------------- solved again


def test_a_true_file_passes_the_check(made: PuzzleFile) -> None:
    told: list[int] = []
    check_puzzles(made, report=told.append)
    assert told == list(range(1, len(made.puzzles) + 1))


def test_a_forged_answer_is_found_out(made: PuzzleFile, tmp_path: Path) -> None:
    """The checksum of a forger holds too: only solving tells."""
    puzzle = made.puzzles[0]
    first = puzzle.steps[0]
    moves = [str(move) for move in puzzle.position.moves]
    other = next(move for move in moves if move != first.move)
    marks = "".join("W" if move == other else "l" for move in moves)
    step = replace(first, move=other, marks=marks, replies=())
    forged = replace(puzzle, kind=Kind.win, steps=(step,), rest=())
    file = PuzzleFile.open(written(tmp_path, forged))
    with pytest.raises(PuzzleError, match="puzzle 1 is wrong: "):
        check_puzzles(file)


def test_every_other_lie_is_found_out(made: PuzzleFile) -> None:
    judge = prover(made.game, limited=False)
    puzzle = next(puzzle for puzzle in made.puzzles if puzzle.turns > 1)
    first, *others = puzzle.steps
    lied = first.marks.replace("l", "d", 1) if "l" in first.marks else first.marks + "l"
    lies = {
        "wrong about": replace(puzzle, steps=(replace(first, marks=lied), *others)),
        "proof is not by": replace(puzzle, proof=Proof.threats),
        "asks for a draw": replace(puzzle, kind=Kind.draw),
        "not a win in 1": replace(puzzle, steps=(replace(first, replies=()),)),
    }
    check_puzzle(puzzle, judge)
    for reason, lie in lies.items():
        with pytest.raises(GameError, match=reason):
            check_puzzle(lie, judge)


def test_lies_about_threats_are_found_out() -> None:
    """However the search is tuned: a check has a margin, but not for plain wins and plain lies."""
    file = PuzzleFile.find(mossa.game("mnk:15x15x5"))
    assert file is not None
    judge = prover(file.game, limited=False)
    puzzle = next(each for each in file.puzzles if each.steps[-1].marks.count("W") > 1)
    *others, last = puzzle.steps
    moves = [str(move) for move in puzzle.before(puzzle.turns - 1).moves]
    win = next(at for at, mark in enumerate(last.marks) if mark == "W" and moves[at] != last.move)
    no_win = moves.index("a1")
    assert last.marks[no_win] == "u"
    check_puzzle(puzzle, judge)
    for at, mark in ((win, "u"), (no_win, "W")):
        marks = last.marks[:at] + mark + last.marks[at + 1 :]
        lie = replace(puzzle, steps=(*others, replace(last, marks=marks)))
        with pytest.raises(GameError, match=f"wrong about {moves[at]}"):
            check_puzzle(lie, judge)
    short = replace(puzzle, steps=(*others, replace(last, marks=last.marks[1:])))
    with pytest.raises(GameError, match="marks for"):
        check_puzzle(short, judge)


# ---------------------------------------------------------------- what comes with the package


@pytest.mark.parametrize("name", SHIPPED)
def test_a_sample_of_the_shipped_puzzles_is_right(name: str) -> None:
    file = PuzzleFile.find(mossa.game(name))
    assert file is not None
    assert file.command.startswith(f"mossa puzzles build {file.game} --count ")
    sample = random.Random(7).sample(file.puzzles, 2)
    check_puzzles(replace(file, puzzles=tuple(sample)))


def test_the_shipped_puzzles_take_little_room() -> None:
    files = PuzzleFile.available()
    assert {file.game for file in files} == {mossa.game(name) for name in SHIPPED}
    assert sum(file.size for file in files) < 1_000_000


@pytest.mark.slow
@pytest.mark.parametrize("name", SHIPPED)
def test_all_shipped_puzzles_are_right(name: str) -> None:
    file = PuzzleFile.find(mossa.game(name))
    assert file is not None
    check_puzzles(file)
