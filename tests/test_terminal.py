"""The game in the terminal, driven by scripts through pipes and by keys on a pseudo-terminal."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import mossa
from mossa import Choice, Exact, Game, Info, Limits, Move, Position
from mossa.players import PlayerLike
from mossa.records import read_records
from mossa.render import to_rich
from mossa.search import NO_LIMITS
from mossa.terminal import HINT_LIMITS, Person, choose_game, play

CONNECT4 = mossa.game("connect4")
TICTACTOE = mossa.game("tictactoe")
KALAH = mossa.game("kalah")

WON = ["4", "3", "4", "3", "4", "3", "4"]  # first wins in the fourth column


class Human(mossa.Player):
    """A person's moves are read from the input: nobody asks this object."""

    name = "human"
    is_person = True

    def choose(self, position: Position, limits: Limits = NO_LIMITS) -> Choice:
        raise AssertionError("a human was asked as if it were a computer")


class Scripted:
    """Plays given moves, then the first legal one; remembers the limits it was given."""

    def __init__(self, moves: Iterable[str] = (), *, info: bool = False) -> None:
        self.name = "scripted"
        self.moves = list(moves)
        self.info = info
        self.limits: list[Limits] = []

    def choose(self, position: Position, limits: Limits) -> Choice:
        self.limits.append(limits)
        move = Move(self.moves.pop(0)) if self.moves else position.moves[0]
        info = Info(move, Exact(1, 7), [move], 8, 1_234_567, 0.523, 64_000_000)
        return Choice(move, info if self.info else None)


class Keyboard(io.StringIO):
    """A script that is typed at a terminal."""

    def isatty(self) -> bool:
        return True


def run(
    game: Game,
    script: Iterable[str],
    first: PlayerLike | None = None,
    second: PlayerLike | None = None,
    *,
    tty: bool = False,
    **options: Any,
) -> tuple[str, Position]:
    """Play with these lines as input; the output and the last position."""
    output = io.StringIO()
    text = "".join(f"{line}\n" for line in script)
    position = play(
        game,
        first or Human(),
        second or Human(),
        console=Console(file=output, width=100),
        input_stream=Keyboard(text) if tty else io.StringIO(text),
        **options,
    )
    return output.getvalue(), position


# --- moves --------------------------------------------------------------------------------------


def test_two_people_play_by_pipe() -> None:
    output, position = run(CONNECT4, WON)
    assert position == CONNECT4.position(" ".join(WON))
    assert position.outcome is not None
    assert "first (x) wins: 4 in a row" in output
    assert "moves: 4 3 4 3 4 3 4" in output
    assert "save FILE" in output
    assert "unfinished" not in output


def test_pieces_move_by_source_and_target() -> None:
    game = mossa.game("breakthrough:5x4")
    output, position = run(game, ["b2b3", "b4a3", "b3b5", "b3", "b3c4", "quit"])
    assert position == game.position("b2b3 b4a3 b3c4")
    assert to_rich(position).plain in output
    assert "illegal move 'b3b5'" in output
    assert "a piece moves one row ahead" in output
    assert "such as a2b3" in output


def test_the_board_is_shown_after_every_move() -> None:
    output, _ = run(CONNECT4, WON)
    for count in range(len(WON) + 1):
        assert to_rich(CONNECT4.position(" ".join(WON[:count]))).plain in output


def test_a_board_wider_than_the_console_is_not_folded() -> None:
    game = mossa.game("mnk:2x100x5")
    assert to_rich(game.start()).plain in run(game, [])[0]


def test_a_pipe_sees_no_prompts_and_a_terminal_does() -> None:
    prompt = "first (x) to move> "
    assert ">" not in run(CONNECT4, WON)[0]
    assert prompt in run(CONNECT4, WON, tty=True)[0]
    assert "first (bottom) to move> " in run(KALAH, [], tty=True)[0]
    assert "game over> " in run(CONNECT4, WON, tty=True)[0]


@pytest.mark.parametrize("count", range(len(WON) + 1))
@pytest.mark.parametrize("tty", [False, True])
def test_the_input_may_end_anywhere(count: int, tty: bool) -> None:
    output, position = run(CONNECT4, WON[:count], tty=tty)
    assert position == CONNECT4.position(" ".join(WON[:count]))
    assert ("game left unfinished" in output) == (count < len(WON))
    if count < len(WON):
        assert output.endswith(f"moves: {' '.join(WON[:count]) or 'none'}\n")


def test_a_last_line_without_newline_counts() -> None:
    console = Console(file=io.StringIO())
    stream = io.StringIO("4\n5")
    position = play(CONNECT4, Human(), Human(), console=console, input_stream=stream)
    assert position.history == ["4", "5"]


@pytest.mark.parametrize(
    "line", ["0", "8", "four", "4 4", "-1", "²", "[red]", ":smile:", "a" * 5000]
)
def test_a_bad_move_gets_one_line_and_another_chance(line: str) -> None:
    output, position = run(CONNECT4, [line, "4"])
    with pytest.raises(mossa.GameError) as error:
        CONNECT4.start().play(line)
    assert str(error.value) in output.splitlines()
    assert position.history == ["4"]


def test_blank_lines_and_blanks_around_a_move_are_nothing() -> None:
    output, position = run(CONNECT4, ["", "   ", "  4  "])
    assert position.history == ["4"]
    assert "illegal" not in output


def test_a_move_after_the_end_is_refused() -> None:
    output, position = run(CONNECT4, [*WON, "1"])
    assert position.ply == len(WON)
    assert "illegal move '1'" in output


def test_a_side_that_moves_again_is_asked_again() -> None:
    output, position = run(KALAH, ["3", "1"], tty=True)
    assert position.history == ["3", "1"]
    assert output.count("first (bottom) to move> ") == 2


# --- computers ----------------------------------------------------------------------------------


def test_the_computer_answers_with_a_tidy_line() -> None:
    output, position = run(CONNECT4, ["4"], second=Scripted(["5"], info=True))
    assert position.history == ["4", "5"]
    line = "second (o) plays 5: score +1 in 7, depth 8, 1,234,567 nodes, 523 ms, 64 MB"
    assert line in output.splitlines()


def test_a_computer_without_info_still_tells_its_time() -> None:
    output, _ = run(CONNECT4, ["4"], second=Scripted(["5"]))
    assert re.search(r"^second \(o\) plays 5: [\d.]+ m?s$", output, re.MULTILINE)
    assert "0.00 s" not in output


@pytest.mark.parametrize(
    ("spec", "width"),
    [
        ("tris:depth=2", ", depth 2, width 10, "),
        ("tris:depth=2,width=3", ", depth 2, width 3, "),
        ("alphabeta:depth=2,width=5", ", depth 2, width 5, "),
        ("alphabeta:depth=2", ", depth 2, 1"),  # all moves: there is no width to tell
    ],
)
def test_the_width_of_a_search_is_shown_with_its_depth(spec: str, width: str) -> None:
    output, _ = run(mossa.game("tris:10x4"), ["e5"], second=mossa.player(spec))
    (line,) = [line for line in output.splitlines() if line.startswith("second (o) plays ")]
    assert width in line
    assert re.search(r", [\d,]+ nodes, [\d.]+ m?s, \d+ [kM]?B?(bytes)?$", line)


def test_the_computer_gets_the_limits() -> None:
    player = Scripted()
    run(CONNECT4, ["4"], second=player, limits=Limits(depth=3))
    assert [limits.depth for limits in player.limits] == [3]


@pytest.mark.parametrize("tty", [False, True])
def test_two_computers_play_to_the_end(tty: bool) -> None:
    players = Scripted(WON[::2]), Scripted(WON[1::2])
    output, position = run(CONNECT4, [], *players, tty=tty)
    assert position == CONNECT4.position(" ".join(WON))
    assert "first (x) wins" in output
    assert ("save FILE" in output) == tty  # only where somebody could type it


def test_two_computers_on_a_pipe_leave_the_input_alone() -> None:
    stream = io.StringIO("save somewhere.mossa\n")
    console = Console(file=io.StringIO())
    play(TICTACTOE, Scripted(), Scripted(), console=console, input_stream=stream)
    assert stream.read() == "save somewhere.mossa\n"


def test_real_players_play_every_kind_of_game() -> None:
    for name in ("connect:4x4x3", "mnk:3x3x3", "kalah:3x2"):
        players = mossa.player("alphabeta:depth=3"), mossa.player("random:seed=1")
        output, position = run(mossa.game(name), [], *players)
        assert position.outcome is not None
        assert "nodes" in output


def test_a_computer_that_cheats_is_an_error_for_the_caller() -> None:
    with pytest.raises(mossa.PlayerFailedError, match="made an illegal move: illegal move '9'"):
        run(CONNECT4, ["4"], second=Scripted(["9"]))


class Broken:
    """Fails as often as it is told to, then plays the first legal move."""

    name = "broken"

    def __init__(self, times: int, error: BaseException | None = None) -> None:
        self.times, self.error = times, error or ZeroDivisionError("of all things")

    def choose(self, position: Position, limits: Limits) -> Choice:
        self.times -= 1
        if self.times >= 0:
            raise self.error
        return Choice(position.moves[0])


FAILED = r"^second \(o\) crashed: .*test_terminal\.py:\d+: ZeroDivisionError: of all things$"


def test_a_computer_that_fails_does_not_lose_the_game(tmp_path: Path) -> None:
    path = tmp_path / "kept.mossa"
    script = ["4", f"save {path}", "retry", "5"]
    output, position = run(CONNECT4, script, second=Broken(1))
    assert len(re.findall(FAILED, output, re.MULTILINE)) == 1
    assert "Traceback" not in output
    assert position.history == ["4", "1", "5", "1"]
    (record,) = read_records(path)
    assert record.position.history == ["4"]


@pytest.mark.parametrize("error", [SystemExit(3), RuntimeError("one\n\ntwo")])
def test_whatever_a_computer_raises_is_one_line(error: BaseException) -> None:
    output, _ = run(CONNECT4, ["4", "2"], second=Broken(1, error), tty=True)
    assert len([line for line in output.splitlines() if type(error).__name__ in line]) == 1


def test_a_person_may_move_for_a_computer_that_fails() -> None:
    _, position = run(CONNECT4, ["4", "5", "6"], second=Broken(1))
    assert position.history == ["4", "5", "6", "1"]


def test_a_person_may_take_back_when_a_computer_fails() -> None:
    _, position = run(CONNECT4, ["4", "undo", "3"], second=Broken(1))
    assert position.history == ["3", "1"]


def test_retry_loads_a_mended_file(tmp_path: Path) -> None:
    path = tmp_path / "bot.py"
    path.write_text("def bot(position):\n    return 1 / 0\n")
    player = mossa.player(f"{path}:bot")

    class Mended(io.StringIO):
        """Mends the file before "retry" is read."""

        def readline(self, *_: Any) -> str:  # type: ignore[override]
            line = super().readline()
            if line == "retry\n":
                path.write_text("def bot(position):\n    return 7\n")
                os.utime(path, (1, 1))  # else the cached byte code may look fresh
            return line

    output = io.StringIO()
    position = play(
        CONNECT4,
        Human(),
        player,
        console=Console(file=output, width=100),
        input_stream=Mended("4\nretry\nquit\n"),
    )
    assert position.history == ["4", "7"]
    assert f"second (o) crashed: {path}:2: ZeroDivisionError: division by zero" in output.getvalue()


def test_there_may_be_nothing_to_retry() -> None:
    assert "nothing to retry" in run(CONNECT4, ["retry"])[0]


@pytest.mark.parametrize("tty", [False, True])
def test_two_computers_of_which_one_fails(tty: bool) -> None:
    players = Scripted(["4"]), Broken(99)
    if tty:
        output, position = run(CONNECT4, ["quit"], *players, tty=True)
        assert position.history == ["4"]
        assert re.search(FAILED, output, re.MULTILINE)
    else:
        with pytest.raises(mossa.PlayerFailedError, match="crashed"):
            run(CONNECT4, [], *players)


# --- commands -----------------------------------------------------------------------------------


def test_undo_takes_back_one_move_between_people() -> None:
    assert run(CONNECT4, ["4", "5", "undo"])[1].history == ["4"]
    assert run(CONNECT4, ["4", "5", "undo", "UNDO"])[1].history == []


def test_undo_goes_back_to_the_persons_own_decision() -> None:
    _, position = run(CONNECT4, ["4", "3", "undo"], second=Scripted(["5", "6"]))
    assert position.history == ["4", "5"]


def test_undo_stops_at_each_of_several_moves_in_a_turn() -> None:
    # First moves twice, then the computer: back to the second of the decisions, then the first.
    _, position = run(KALAH, ["3", "1", "undo"], second=Scripted(["1"]))
    assert position.history == ["3"]
    _, position = run(KALAH, ["3", "1", "undo", "undo"], second=Scripted(["1"]))
    assert position.history == []


def test_undo_has_an_end() -> None:
    output, position = run(CONNECT4, ["undo", "4"])
    assert "nothing to take back" in output
    assert position.history == ["4"]
    output, position = run(CONNECT4, ["undo"], first=Scripted(["4"]))
    assert "nothing to take back" in output
    assert position.history == ["4"]


def test_undo_reopens_a_finished_game() -> None:
    output, position = run(CONNECT4, [*WON, "undo"])
    assert position.history == WON[:-1]
    assert "unfinished" in output


def test_hint_shows_move_and_score_and_plays_nothing() -> None:
    player = Scripted(["6"], info=True)
    output, position = run(CONNECT4, ["hint"], hint=player)
    assert "hint: play 6: score +1 in 7, depth 8" in output
    assert player.limits == [HINT_LIMITS]
    assert position.ply == 0


@pytest.mark.parametrize(
    "moves", ["56", "2", "3", "17", "26", "31", "42", "57", "63", "4416", "2353", "5641", "7311"]
)
def test_hints_keep_what_is_won(moves: str) -> None:
    """Alpha-beta, asked for a second, gave away three of these openings of Connect 4."""
    output, position = run(CONNECT4, [*moves, "hint"])
    found = re.search(r"hint: play (\d): score (\S+ in \d+),", output)
    assert found, output
    solver = mossa.Solver(CONNECT4, memory=1)
    best = solver.solve(position).proven
    assert found[2] == str(best)
    assert solver.solve(position.play(found[1])).proven.value == -best.value


def test_hint_searches_when_no_player_is_given_for_it() -> None:
    output, _ = run(TICTACTOE, ["a1", "a2", "b1", "b2", "hint"])
    assert "hint: play c1: score +1 in 1" in output


def test_moves_lists_the_legal_moves() -> None:
    assert "moves: 1 2 3 5 6 7\n" in run(CONNECT4, ["4"] * 6 + ["moves"])[0]
    assert "moves: a1 b1 c1 a2 b2 c2 a3 b3 c3\n" in run(TICTACTOE, ["moves"])[0]


def test_board_shows_the_board_again() -> None:
    drawing = to_rich(CONNECT4.position("4")).plain
    assert run(CONNECT4, ["4"])[0].count(drawing) == 1
    assert run(CONNECT4, ["4", "board"])[0].count(drawing) == 2


def test_help_names_every_command_and_a_move() -> None:
    output, _ = run(TICTACTOE, ["help"])
    for word in ("undo", "hint", "moves", "board", "save FILE", "help", "quit", "such as b2"):
        assert word in output


def test_quit_leaves_at_once() -> None:
    output, position = run(CONNECT4, ["4", "quit", "5"])
    assert position.history == ["4"]
    assert "game left unfinished; moves: 4" in output
    assert "unfinished" not in run(CONNECT4, [*WON, "quit"])[0]


def test_commands_after_the_end() -> None:
    script = [*WON, "hint", "moves", "board", "help"]
    output, position = run(CONNECT4, script)
    assert "no hint: the game is over" in output
    assert "no moves: the game is over" in output
    assert position == CONNECT4.position(" ".join(WON))


# --- save ---------------------------------------------------------------------------------------


def test_save_writes_a_record(tmp_path: Path) -> None:
    path = tmp_path / "my game.mossa"
    output, position = run(CONNECT4, [*WON[:6], "1", f"save {path}"], second=Scripted(["3"] * 3))
    assert f"saved to {path}" in output
    (record,) = read_records(path)
    assert record.position == position
    assert (record.first, record.second) == ("human", "scripted")


def test_save_knows_the_home_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    run(CONNECT4, ["4", "save ~/game.mossa"])
    assert (tmp_path / "game.mossa").exists()


def test_save_does_not_overwrite_from_a_pipe(tmp_path: Path) -> None:
    path = tmp_path / "game.mossa"
    path.write_text("precious")
    output, position = run(CONNECT4, ["4", f"save {path}", "y"])
    assert f"not saved: {path} exists" in output
    assert path.read_text() == "precious"
    assert position.history == ["4"]


@pytest.mark.parametrize(
    ("answer", "saved"), [("y", True), ("YES", True), ("n", False), ("", False)]
)
def test_save_asks_a_person_before_it_overwrites(answer: str, saved: bool, tmp_path: Path) -> None:
    path = tmp_path / "game.mossa"
    path.write_text("precious")
    output, _ = run(CONNECT4, ["4", f"save {path}", answer, "quit"], tty=True)
    assert "overwrite it? [y/N] " in output
    assert (path.read_text() != "precious") == saved


def test_save_explains_why_it_cannot(tmp_path: Path) -> None:
    for name, reason in {
        "": "save needs a file name",
        f"{tmp_path}/none/game.mossa": "No such file",
        f"{tmp_path}/game.docx": "not saved:",
        f"{tmp_path}/{'x' * 300}.mossa": "not saved:",
        "~nobody-of-this-name/game.mossa": "not saved:",
        f"{tmp_path}/nul\0.mossa": "not saved:",
    }.items():
        output, position = run(CONNECT4, ["4", f"save {name}", "5"])
        assert reason in output
        assert "saved to" not in output
        assert position.history == ["4", "5"]
    assert list(tmp_path.iterdir()) == []


# --- people in matches ----------------------------------------------------------------------------


def person(script: Iterable[str]) -> tuple[io.StringIO, Person]:
    output = io.StringIO()
    text = "".join(f"{line}\n" for line in script)
    return output, Person(console=Console(file=output, width=100), input_stream=Keyboard(text))


def test_a_person_in_a_match_sees_the_board_and_is_asked_until_the_move_is_legal() -> None:
    output, player = person(["", "9", "moves", "help", "board", "4"])
    assert player.choose(CONNECT4.position("4"), Limits()) == Choice(Move("4"))
    shown = output.getvalue()
    assert shown.count(to_rich(CONNECT4.position("4")).plain) == 2
    assert "illegal move '9'" in shown
    assert "moves: 1 2 3 4 5 6 7\n" in shown
    assert "such as 4" in shown and "resign" in shown
    assert shown.count("second (o) to move> ") == 6


@pytest.mark.parametrize("script", [[], ["resign"], ["QUIT"]])
def test_a_person_in_a_match_can_resign(script: list[str]) -> None:
    record = mossa.match("random:seed=1", person(script)[1], "connect4")
    assert (record.second, record.result) == ("human", "1-0")
    assert record.extra["end"] == "second resigned"


# --- where the game starts, and which game ------------------------------------------------------


def test_a_game_can_go_on_from_a_position() -> None:
    start = CONNECT4.position("4 4")
    output, position = run(CONNECT4, ["undo", "5"], position=start)
    assert position.history == ["4", "4", "5"]
    assert "nothing to take back" in output


def choose(
    script: Iterable[str], name: str | None = None, *, tty: bool = True
) -> tuple[str, Game | None]:
    output = io.StringIO()
    text = "".join(f"{line}\n" for line in script)
    stream = Keyboard(text) if tty else io.StringIO(text)
    game = choose_game(name, console=Console(file=output), input_stream=stream)
    return output.getvalue(), game


@pytest.mark.parametrize(
    ("script", "name"),
    [
        (["", "", "", ""], "connect:6x7x4"),
        (["1", "", "8", ""], "connect:6x8x4"),
        (["tictactoe", "4", "4", "4"], "mnk:4x4x4"),
        (["3", "", "", ""], "mnk:15x15x5"),
        (["kalah", "", "6"], "kalah:6x6"),
        (["5", "4", ""], "kalah:4x3,empty_capture=yes,leftover=none,end=mover,majority=yes"),
        (["mnk:8x8x5,exact=yes"], "mnk:8x8x5,exact=yes"),
        (["chess", "connect5", "9", "4", "", ""], "kalah:6x4"),
        (["6", "", ""], "oware:6x4"),
        (["7", "", ""], "breakthrough:8x8"),
        (["8", "", ""], "mnk:10x10x4"),
        (["breakthrough", "5", "4"], "breakthrough:5x4"),
        (["tris", "7", "5"], "mnk:7x7x5"),
        (["mnk", "4", "5", "3"], "mnk:4x5x3"),
        (["1", "six", "", "", "0", "", "", "5", "", ""], "connect:5x7x4"),
    ],
)
def test_choose_game_asks_until_it_knows(script: list[str], name: str) -> None:
    assert choose(script)[1] == mossa.game(name)


@pytest.mark.parametrize(
    ("name", "script", "game"),
    [
        ("tris", ["", ""], "mnk:10x10x4"),
        (" TRIS", ["6", "4"], "mnk:6x6x4"),
        ("tris", ["six", "4", "0", "", "5", "3"], "mnk:5x5x3"),
        ("connect", ["", "8", ""], "connect:6x8x4"),
        ("connect4", [], "connect:6x7x4"),
    ],
)
def test_a_game_without_sizes_is_asked_for_them(name: str, script: list[str], game: str) -> None:
    output, chosen = choose(script, name)
    assert chosen == mossa.game(game)
    if "tris" in name:
        assert "size [10]> " in output and "series [4]> " in output


def test_a_game_without_sizes_on_a_pipe_is_told_how_to_write_them() -> None:
    with pytest.raises(mossa.InvalidGameError, match="for example tris:10x4"):
        choose(["6", "4"], "tris", tty=False)
    assert choose([], "tris")[1] is None


def test_choose_game_on_a_pipe_asks_nothing() -> None:
    output, game = choose(["gomoku"], tty=False)
    assert game == CONNECT4
    assert output == ""


@pytest.mark.parametrize("script", [[], ["1"], ["1", "6", "7"], ["chess"]])
def test_choose_game_can_be_left(script: list[str]) -> None:
    assert choose(script)[1] is None
