"""Settings that all tests share."""

from __future__ import annotations

import compileall
import gc
import re
import signal
from pathlib import Path

import pytest
from brute_force import BruteForce
from hypothesis import settings

import mossa

# These are plain asserts in libraries: have pytest explain them as it explains a test's own.
pytest.register_assert_rewrite("command", "laws", "record_checks", "search_checks")

# A shell has programs in the background ignore Ctrl-C, and whatever they start: so would we, and so
# would the programs that the tests interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The same examples on every run and no time limit on a slow machine: a red test is a real fault.
settings.register_profile("mossa", deadline=None, derandomize=True)
settings.load_profile("mossa")


@pytest.fixture(scope="session")
def oracle() -> BruteForce:
    """One for all tests: what it has found out is found out."""
    return BruteForce()


def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile the package once: where Python is told to keep no compiled files, as it often is in
    containers, each of the hundreds of programs that the tests start would do it again.
    """
    if not hasattr(session.config, "workerinput"):  # one of several processes that run the tests
        folder = Path(mossa.__file__).parent
        compileall.compile_dir(folder, quiet=2, rx=re.compile(r"[/\\]templates[/\\]"))


def pytest_collection_finish() -> None:
    """Take ten thousand tests out of what is looked through for garbage: that takes a second or so,
    in the midst of a test that may be one of time.
    """
    gc.collect()
    gc.freeze()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say loudly what a whole kind of tests was skipped for: nobody reads a count of skips."""
    reasons = {
        report.longrepr[2].removeprefix("Skipped: ")
        for report in terminalreporter.stats.get("skipped", [])
        if isinstance(report.longrepr, tuple)
    }
    for reason in sorted(reason for reason in reasons if reason.startswith("NO ")):
        terminalreporter.write_line(reason, red=True, bold=True)
