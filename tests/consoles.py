"""The code blocks of pages: commands with the output that is shown below them."""

from __future__ import annotations

import doctest
import re
from collections.abc import Iterator

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def commands(text: str) -> Iterator[tuple[str, str]]:
    """Every command of the console blocks and the output that is shown below it."""
    for block in FENCE.finditer(text):
        yield from commands_of(block[2])


def commands_of(block: str) -> Iterator[tuple[str, str]]:
    """The commands of one block, if it is one of commands."""
    if block.startswith("$ "):
        for shown in block.removeprefix("$ ").split("\n$ "):
            command, _, output = shown.partition("\n")
            yield command, output


def comparable(output: str) -> str:
    """Output without what differs from run to run: seconds, speeds, bytes of memory."""
    output = re.sub(r" *\d+(\.\d+)? m?s\b", " # s", output)
    output = re.sub(r" *\d+\.\d+ M/s\b", " # M/s", output)
    output = re.sub(r"\d+ (bytes|kB|MB)\b", r"# \1", output)
    return "\n".join(line.rstrip() for line in output.strip("\n").split("\n"))


def assert_shown(output: str, shown: str, command: str) -> None:
    """Compare what a command said with what a page shows; `...` stands for anything."""
    said, wanted = comparable(output), comparable(shown)
    # OutputChecker gives `...` its meaning; the assertion shows the difference.
    if not doctest.OutputChecker().check_output(wanted, said, doctest.ELLIPSIS):
        assert said == wanted, command
