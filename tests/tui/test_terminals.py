"""The full-screen board on real terminals: it comes, it goes, and the game is kept."""

from __future__ import annotations

import os
import re
import select
import signal
import struct
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import screens  # skips all of this where textual is missing
from command import ENVIRONMENT, call, complaint, good, posix, program

from mossa.errors import how_to_install
from mossa.records import read_records
from mossa.tui.ascii import is_ascii_terminal, to_ascii

pytestmark = posix
assert screens
ENTERED, LEFT = b"\x1b[?1049h", b"\x1b[?1049l"
CTRL_C, CTRL_Z = b"\x03", b"\x1a"


class Terminal:
    """A pseudo-terminal with the command on it."""

    def __init__(self, control: int, process: subprocess.Popen[bytes]) -> None:
        self.control, self.process, self.shown = control, process, b""

    def read(self) -> bytes:
        """What comes next; nothing if the program has closed its end."""
        if not select.select([self.control], [], [], 1)[0]:
            return b""
        try:
            return os.read(self.control, 65536)
        except OSError:  # how Linux reports that the program has closed its end
            return b""

    def until(self, text: bytes) -> bytes:
        """Read until a text is shown; return all up to there."""
        deadline = time.monotonic() + 60
        while text not in self.shown:
            assert time.monotonic() < deadline, f"no {text!r} in {self.shown!r}"
            assert self.process.poll() is None or select.select([self.control], [], [], 0)[0]
            self.shown += self.read()
        found, _, self.shown = self.shown.partition(text)
        return found + text

    def press(self, keys: bytes) -> None:
        os.write(self.control, keys)

    def end(self) -> tuple[int, str]:
        """Wait for the end; the exit code, and what was shown since the last text."""
        while self.process.poll() is None or select.select([self.control], [], [], 0)[0]:
            piece = self.read()
            if not piece and self.process.poll() is not None:
                break
            self.shown += piece
        return self.process.wait(timeout=60), self.shown.decode()


@contextmanager
def terminal(*arguments: str, **more: str) -> Iterator[Terminal]:
    """Run ``mossa play`` on a terminal of its own."""
    pty = pytest.importorskip("pty", reason="there are no pseudo-terminals here")
    import fcntl
    import termios

    control, end = pty.openpty()
    fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    environment = {**ENVIRONMENT, "LANG": "en_US.UTF-8", "LC_ALL": "", **more}
    del environment["COLUMNS"]
    process = subprocess.Popen(
        [program(), "play", *arguments],
        stdin=end,
        stdout=end,
        stderr=end,
        env=environment,
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
    )
    os.close(end)
    made = Terminal(control, process)
    try:
        yield made
    finally:
        process.kill()
        process.wait()
        os.close(control)


def test_ctrl_c_restores_the_screen_and_tells_how_to_go_on() -> None:
    with terminal("connect4", "--second", "human") as shown:
        shown.until(ENTERED)
        shown.until(b"Yellow to move")
        shown.press(b"\r")
        shown.until(b"Red to move")
        shown.press(CTRL_C)
        shown.until(LEFT)
        code, rest = shown.end()
    assert code == 130
    said = re.sub(r"\x1b\[[\d;?<>]*[a-zA-Z]", "", rest).strip()
    again = "mossa play connect:6x7x4 --first human --second human --moves 4"
    assert said.splitlines() == [f"mossa: stopped: game left unfinished; resume it with: {again}"]


def test_a_bot_that_takes_its_process_along_leaves_the_screen_and_the_game(tmp_path: Path) -> None:
    """It ended the board, too: the terminal was left as it was, and the game was lost."""
    bot = tmp_path / "bot.py"
    bot.write_text("import os\ndef choose(position):\n    os._exit(3)\n", encoding="utf-8")
    with terminal("connect4", "--second", f"{bot}:choose") as shown:
        shown.until(b"Your move (Yellow)")
        shown.press(b"\r")
        shown.until(b"exit code 3")
        shown.until(b"The game is kept")
        shown.press(b"q")
        shown.until(LEFT)
        code, rest = shown.end()
    assert code == 0
    assert "--moves 4" in rest


def test_a_bot_that_was_fixed_is_asked_again_in_a_process_of_its_own(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("def choose(position):\n    return 1 / 0\n", encoding="utf-8")
    with terminal("connect4", "--second", f"{bot}:choose") as shown:
        shown.until(b"Your move (Yellow)")
        shown.press(b"\r")
        shown.until(b"ZeroDivisionError")
        shown.until(b"The game is kept")
        bot.write_text("import os\ndef choose(position):\n    os._exit(5)\n", encoding="utf-8")
        shown.press(b"t")
        shown.until(b"exit code 5")
        shown.until(b"The game is kept")
        shown.press(b"q")
        shown.until(LEFT)
        code, rest = shown.end()
    assert code == 0
    assert "--moves 4" in rest


def test_ctrl_z_and_back() -> None:
    with terminal("connect4", "--second", "human") as shown:
        shown.until(b"Yellow to move")
        shown.press(CTRL_Z)
        shown.until(LEFT)
        _, status = os.waitpid(shown.process.pid, os.WUNTRACED)
        assert os.WIFSTOPPED(status)
        os.kill(shown.process.pid, signal.SIGCONT)
        shown.until(ENTERED)
        shown.until(b"Yellow to move")  # keys are heard when the board is drawn, and not before
        shown.press(b"\r")
        shown.until(b"Red to move")
        shown.press(b"q")
        shown.until(LEFT)
        code, rest = shown.end()
    assert code == 0
    assert "--moves 4" in rest


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_an_order_to_end_restores_the_screen(number: signal.Signals) -> None:
    with terminal("connect4", "--second", "alphabeta:time=60", "--moves", "4") as shown:
        shown.until(b"is thinking")
        os.kill(shown.process.pid, number)
        shown.until(LEFT)
        code, rest = shown.end()
    assert code == (130 if number == signal.SIGINT else 128 + number)
    assert "Traceback" not in rest and "--moves 4" in rest


def test_a_terminal_that_is_closed_ends_the_program_and_the_game_is_kept(tmp_path: Path) -> None:
    data = {"XDG_DATA_HOME": str(tmp_path), "LOCALAPPDATA": str(tmp_path), "HOME": str(tmp_path)}
    players = ["--second", "alphabeta:time=60"]
    with terminal("connect4", *players, "--moves", "4", **data) as shown:
        shown.until(b"is thinking")
        spare = os.open(os.devnull, os.O_RDONLY)
        os.dup2(spare, shown.control)  # closes it, and leaves something to close
        os.close(spare)
        assert shown.process.wait(timeout=60) == 128 + signal.SIGHUP
    (kept,) = tmp_path.rglob("left.mossa")
    assert read_records(kept)[0].position.history_text == "4"


def test_a_locale_without_unicode_gets_plain_letters() -> None:
    with terminal("connect4", "--second", "human", LANG="C") as shown:
        before = shown.until(b"Yellow to move")
        shown.press(b"q")
        shown.until(LEFT)
        assert shown.end()[0] == 0
    assert before.isascii()
    assert b"+-----" in before and "┌".encode() not in before


def test_a_game_is_chosen_in_the_menu() -> None:
    with terminal() as shown:
        shown.until(b"choose a game")
        shown.press(b"\r")
        shown.until(b"Your move")
        shown.press(b"q")
        assert shown.end()[0] == 0


def test_plain_asks_line_by_line_on_a_terminal_too() -> None:
    with terminal("connect4", "--second", "human", "--plain") as shown:
        before = shown.until(b"first (x) to move> ")
        shown.press(b"quit\r")
        code, rest = shown.end()
    assert ENTERED not in before and code == 0
    assert "game left unfinished; moves: none" in rest


def test_a_dumb_terminal_is_asked_line_by_line() -> None:
    with terminal("connect4", "--second", "human", TERM="dumb") as shown:
        shown.until(b"first (x) to move> ")
        shown.press(b"quit\r")
        assert shown.end()[0] == 0


# ---------------------------------------------------------------- the command


def test_without_textual_lines_are_typed_and_one_line_says_why(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("mossa.cli.play._is_screen", lambda: True)
    monkeypatch.setattr("mossa.cli.play.find_spec", lambda name: None)
    output = good(call("play", "connect4", "--second", "human", lines=["4"]))
    first, *rest = output.splitlines()
    assert first == f"mossa: the full-screen board needs textual: {how_to_install('tui')}"
    assert rest[-1] == "game left unfinished; moves: 4"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["connect4", "--clock", "60"], "--clock is for the full-screen board"),
        (["connect4", "--clock", "soon"], "invalid clock 'soon'"),
    ],
)
def test_clocks_are_for_the_full_screen(arguments: list[str], message: str) -> None:
    assert message in complaint(call("play", *arguments))


def test_moves_need_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mossa.cli.play._is_screen", lambda: True)
    assert "--moves needs a GAME" in complaint(call("play", "--moves", "4"))


# ---------------------------------------------------------------- plain letters


@pytest.mark.parametrize(
    ("environment", "encoding", "ascii_only"),
    [
        ({"LANG": "en_US.UTF-8"}, "utf-8", False),
        ({}, "utf-8", False),
        ({"LANG": "C"}, "utf-8", True),
        ({"LANG": "C", "LC_CTYPE": "C.UTF-8"}, "utf-8", True),  # as Python leaves it
        ({"LANG": "C", "LC_CTYPE": "de_DE.UTF-8"}, "utf-8", False),
        ({"LC_ALL": "POSIX", "LANG": "en_US.UTF-8"}, "utf-8", True),
        ({"LANG": "en_US.UTF-8"}, "ascii", True),
        ({"LANG": "de_DE"}, "latin-1", True),
        ({}, None, True),
    ],
)
def test_terminals_without_unicode(
    environment: dict[str, str], encoding: str | None, ascii_only: bool
) -> None:
    assert is_ascii_terminal(environment, encoding) is ascii_only


@pytest.mark.parametrize("text", ["plain", "▸●◂ ┌─┐ …", "é", "日本", "\u2212", "🎲", ""])
def test_plain_letters_are_as_wide(text: str) -> None:
    from rich.cells import cell_len

    assert to_ascii(text).isascii()
    assert len(to_ascii(text)) == cell_len(text)


def test_no_file_of_the_board_needs_textual_to_be_loaded_by_the_command() -> None:
    done = subprocess.run(
        [program(), "games"], capture_output=True, env={**ENVIRONMENT, "PYTHONVERBOSE": "1"}
    )
    assert b"import 'mossa.cli.games'" in done.stderr and b"import 'textual" not in done.stderr


def test_a_kind_without_sizes_opens_the_menu() -> None:
    with terminal("MNK") as shown:
        shown.until(b"mnk, any size")
        shown.press(CTRL_C)
        code, _ = shown.end()
    assert code == 130
