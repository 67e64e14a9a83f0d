"""Pipes, disks and signals: what the command reads and writes may end at any time."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from pathlib import Path
from typing import IO

import pytest
from command import ENVIRONMENT, posix, program, start
from programs import cpu_seconds, until


def read_until(stream: IO[str] | None, text: str) -> None:
    assert stream is not None
    for line in stream:
        if text in line:
            return
    pytest.fail(f"no {text!r} in the output")


@posix
@pytest.mark.parametrize(
    "arguments",
    [
        ["show", "mnk:100x100x5", "--svg"],
        ["perft", "connect4", "8"],
        ["play", "connect4", "--first", "alphabeta:depth=5", "--second", "alphabeta:depth=5"],
    ],
)
def test_a_reader_that_leaves_gets_no_traceback(arguments: list[str]) -> None:
    """As in mossa ... | head -1."""
    process = start(*arguments)
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline()
    process.stdout.close()
    with process.stderr:
        assert process.stderr.read() == ""
    assert process.wait(timeout=20) in (0, 1)


@posix
@pytest.mark.parametrize("arguments", [["games", "--json"], ["show", "connect4"]])
def test_a_reader_that_never_was_gets_no_traceback(arguments: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as output:
        done = subprocess.run(
            [program(), *arguments],
            stdout=output,
            stderr=subprocess.PIPE,
            text=True,
            env=ENVIRONMENT,
            timeout=20,
        )
    assert done.stderr == ""
    assert done.returncode in (0, 1)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full disk to write to")
@pytest.mark.parametrize(
    "arguments",
    [["show", "connect4", "--json"], ["show", "mnk:100x100x5", "--svg"], ["games"], ["--version"]],
)
def test_a_full_disk_gets_one_line(arguments: list[str]) -> None:
    """What Python kept back until it exited failed there, with exit code 120."""
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [program(), *arguments],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            env=ENVIRONMENT,
            timeout=20,
        )
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line.startswith("mossa: ")


@pytest.mark.parametrize(
    ("arguments", "asked", "answer"),
    [
        (["engine", "ugi"], "isready", "readyok"),
        (["engine", "gomocup"], "START 15", "OK"),
        (["engine", "manchester", "--player", "random"], "START;South", "MOVE;"),
        (["solve", "connect:7x8x4", "--file", "lines.txt", "--book", "none"], "", "121212 1 "),
        (["analyse", "gomoku", "--time", "inf", "--json"], "", '{"'),
        (["perft", "connect4", "30"], "", "       0 "),
    ],
)
def test_a_line_is_there_as_soon_as_it_is_written(
    arguments: list[str], asked: str, answer: str, tmp_path: Path
) -> None:
    """For programs at the other end of the pipe, while the command goes on."""
    (tmp_path / "lines.txt").write_text("121212\n1\n")  # the second takes minutes
    process = subprocess.Popen(
        [program(), *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT,
        cwd=tmp_path,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    patience = threading.Timer(30, process.kill)
    patience.start()
    with process.stdin, process.stdout:
        try:
            process.stdin.write(f"{asked}\n")
            process.stdin.flush()
            assert process.stdout.readline().startswith(answer)
            assert process.poll() is None
        finally:
            patience.cancel()
            process.kill()
            process.wait()


@posix
@pytest.mark.parametrize("stream", [0, 1])
@pytest.mark.parametrize(
    "arguments", [["play", "connect4", "--second", "human"], ["show", "kalah"]]
)
def test_a_stream_that_is_closed_gets_no_traceback(arguments: list[str], stream: int) -> None:
    """As in mossa ... <&- : there is nothing to read, or nowhere to write."""
    done = subprocess.run(
        [program(), *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env=ENVIRONMENT,
        timeout=20,
        preexec_fn=lambda: os.close(stream),
    )
    assert done.stderr == ""
    assert done.returncode == 0


@posix
@pytest.mark.parametrize(
    ("arguments", "sign", "words"),
    [
        (["perft", "connect4", "30"], " 49 ", ""),
        (["perft", "mnk:100x100x5", "30"], " 10,000 ", ""),
        (["play", "connect4", "--first", "alphabeta:time=60"], "first (x)  ", "unfinished"),
        (["play", "mnk:99x99x5", "--first", "alphabeta:depth=9"], "first (x)  ", "unfinished"),
    ],
)
def test_ctrl_c_ends_long_work_at_once(arguments: list[str], sign: str, words: str) -> None:
    """What each command says then is in test_interrupts.py."""
    process = start(*arguments)
    try:
        read_until(process.stdout, sign)
        printed = cpu_seconds(process.pid)
        until(lambda: cpu_seconds(process.pid) > printed + 0.1)  # what follows has begun
        assert process.poll() is None
        begin = time.perf_counter()
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=10)
        assert time.perf_counter() - begin < 2
    finally:
        process.kill()
    assert process.returncode == 130
    assert words in output
