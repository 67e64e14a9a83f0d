"""The game of the terminal as a program: on real pipes and real terminals."""

from __future__ import annotations

import os
import re
import select
import subprocess
import sys
import time

import pytest

# --- real pipes and terminals ---------------------------------------------------------------------

PROGRAM = """
import sys, time
import mossa
from mossa import terminal

class Slow:
    name = "slow"
    def choose(self, position, limits):
        print("thinking hard", flush=True)
        time.sleep(60)

try:
    game = mossa.game("connect4") if sys.argv[1] == "play" else terminal.choose_game()
    second = Slow() if "slow" in sys.argv else mossa.player("human")
    if game is not None:
        terminal.play(game, mossa.player("human"), second)
except KeyboardInterrupt:
    sys.exit(130)
"""


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "latin-1"])
def test_bytes_that_are_no_text_are_a_bad_move(encoding: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, "play"],
        input=b"\xff\xfe\n\xc3\xa9\n4\n",
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": encoding},
        timeout=20,
    )
    assert done.returncode == 0
    assert done.stderr == b""
    output = done.stdout.decode(encoding)
    assert "game left unfinished; moves: 4" in output
    assert ("│" in output) == (encoding == "utf-8")


OWN_TERMINAL = "import fcntl, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0)"  # for Ctrl-C


def press(keys: list[tuple[str, bytes]], *arguments: str, **environment: str) -> str:
    """Run the program on a pseudo-terminal; send each key once the text before it has appeared."""
    pty = pytest.importorskip("pty", reason="there are no pseudo-terminals here")
    terminal, end_of_program = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", f"{OWN_TERMINAL}\n{PROGRAM}", *arguments],
        stdin=end_of_program,
        stdout=end_of_program,
        stderr=end_of_program,
        start_new_session=True,
        env={**os.environ, "TERM": "xterm-256color", **environment},
    ) as process:
        os.close(end_of_program)
        output = ""
        try:
            for text, key in keys:
                output += read_until(terminal, text)
                os.write(terminal, key)
            output += read_until(terminal, None, again=keys[-1][1])
            assert process.wait(timeout=10) == (130 if keys[-1][1] == CTRL_C else 0)
        finally:
            process.kill()
            os.close(terminal)
    assert "Traceback" not in output
    return output


def read_until(terminal: int, text: str | None, *, again: bytes = b"") -> str:
    """What the program shows until it shows the text, or until it ends.

    A key that has no effect is pressed `again`, as a person would: Python's line editor misses a
    Ctrl-C between the moment it prints the prompt and the moment it begins to wait. That something
    is shown means nothing: a terminal echoes the key, and a spinner turns.
    """
    shown = b""
    began = time.monotonic()
    pressed = began
    while text is None or text.encode() not in shown:
        now = time.monotonic()
        assert now < began + 30, f"no {text!r} in {shown!r}"
        if now > pressed + 3:
            os.write(terminal, again)
            pressed = now
        if not select.select([terminal], [], [], 1)[0]:
            continue
        try:
            chunk = os.read(terminal, 65536)
        except OSError:  # how Linux reports that the program has closed its end
            chunk = b""
        if not chunk:
            assert text is None, f"ended before {text!r}: {shown!r}"
            break
        shown += chunk
    return shown.decode()


CTRL_C, CTRL_D = b"\x03", b"\x04"
PROMPT = "first (x) to move> "


@pytest.mark.parametrize("key", [CTRL_C, CTRL_D])
def test_a_key_leaves_the_game(key: bytes) -> None:
    output = press([(PROMPT, b"4\r"), ("second (o) to move> ", key)], "play")
    assert output.rstrip().endswith("game left unfinished; moves: 4")
    assert "\x1b[" in output  # colours
    assert "●" in output


def test_ctrl_c_leaves_while_the_computer_thinks() -> None:
    output = press([(PROMPT, b"4\r"), ("thinking hard", CTRL_C)], "play", "slow")
    assert output.rstrip().endswith("game left unfinished; moves: 4")


@pytest.mark.parametrize("key", [CTRL_C, CTRL_D])
def test_a_key_leaves_the_choice_of_a_game(key: bytes) -> None:
    press([("game [connect4]> ", b"2\r"), ("rows [3]> ", key)], "choose")


def test_a_search_of_the_core_can_be_interrupted_too() -> None:
    keys = [(PROMPT, b"hint\r"), ("looking for a hint", CTRL_C)]
    assert "game left unfinished" in press(keys, "play")


def test_a_dumb_terminal_gets_plain_letters() -> None:
    output = press([(PROMPT, b"4\r"), ("second (o) to move> ", CTRL_D)], "play", TERM="dumb")
    assert "[x]" in output
    assert "\x1b[" not in output
    assert output.isascii()


def test_no_color_is_respected() -> None:
    output = press([(PROMPT, CTRL_D)], "play", NO_COLOR="1")
    assert not re.search(r"\x1b\[[\d;]*[34][0-8]", output)
    assert "●" in output
