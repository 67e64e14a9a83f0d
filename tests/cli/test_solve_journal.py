"""``mossa solve --journal``: a proof in jobs."""

from __future__ import annotations

import json
import re
import signal
from pathlib import Path

import pytest
from command import call, complaint, good, on_terminal, posix, start
from programs import until_lines

import mossa
from mossa.lab import plots
from mossa.lab.runner import Panel
from mossa.solving.proof_jobs import look_at

SMALL = ["solve", "mnk:3x3x3", "--memory", "1", "--job-nodes", "5"]


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished proof, by a real process."""
    path = tmp_path_factory.mktemp("proof") / "a.journal"
    good(call(*SMALL, "--journal", path, "--workers", "1"))
    return path


def test_a_proof_is_shown(journal: Path) -> None:
    lines = good(call(*SMALL, "--journal", journal)).splitlines()
    assert lines[:2] == ["mnk:3x3x3: first (x) to move", "score 0 in 9"]
    assert lines[2].split() == ["move", "score"]
    assert any(re.fullmatch(r"line( [abc][123]){9}", line) for line in lines)
    assert re.fullmatch(r"\d+ jobs, \d+ nodes, .*; kept in .*a.journal", lines[-1])
    short = good(call(*SMALL, "--journal", journal, "--no-moves")).splitlines()
    assert len(short) == 4


def test_a_proof_as_json(journal: Path) -> None:
    data = json.loads(good(call(*SMALL, "--journal", journal, "--json")))
    assert data["score"]["value"] == 0
    assert len(data["line"]) == 9
    assert data["jobs"] == journal.read_text().count("\n") - 1
    assert (data["open"], data["question"], data["proof_number"]) == (0, None, None)
    assert data["analysis"]


def test_a_proof_that_is_not_finished_says_what_is_left(journal: Path, tmp_path: Path) -> None:
    begun = tmp_path / "begun.journal"
    begun.write_bytes(b"".join(journal.read_bytes().splitlines(keepends=True)[:4]))
    looking = (*SMALL, "--journal", str(begun), "--time", "0")
    shown = " ".join(good(call(*looking)).split())
    assert "score 0 in 9 .. +1 in 3" in shown
    assert re.search(r"at least \+1\? Proof number \d+, disproof number \d+: about so many", shown)
    assert re.search(r"\d+ positions? open", shown)
    data = json.loads(good(call(*looking, "--json")))
    assert (data["question"], data["score"]["text"]) == ("+1", "0 in 9 .. +1 in 3")
    assert data["proof_number"] > 0
    assert "the score is not proven yet" in complaint(
        call(*looking, "--certificate", tmp_path / "c.json")
    )


def test_a_certificate_of_a_proof(journal: Path, tmp_path: Path) -> None:
    path = tmp_path / "draw.json"
    good(call(*SMALL, "--journal", journal, "--certificate", path))
    assert "score 0 is proven" in good(call("check-certificate", path))


def test_a_plot_of_a_proof(journal: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    picture = tmp_path / "a.svg"
    good(call(*SMALL, "--journal", journal, "--time", "0", "--plot", picture))
    text = picture.read_text()
    assert text.startswith("<?xml")
    for words in (
        "mnk:3x3x3: what is left",
        "What is proven",
        "to disprove",
        "seconds of all runs",
    ):
        assert words in text


def test_a_plot_shows_scores_below_nothing() -> None:
    """The axis of every plot with lines began at 0, and hid what is proven of a loser."""
    pytest.importorskip("matplotlib")
    panel = Panel(
        "a", "x", "y", {"low": {1: -1, 2: -1}, "high": {1: 1, 2: 0}}, lines=True, log=False
    )
    assert ">-1<" in plots.to_image([panel], "svg").decode()


@posix
def test_a_terminal_sees_how_far_it_is(tmp_path: Path) -> None:
    code, shown = on_terminal(*SMALL, "--workers", "1", "--journal", tmp_path / "a.journal")
    assert code == 0
    assert re.search(r"at least \+1\?", shown)
    assert re.search(r"proof \d+, disproof \d+", shown)
    assert re.search(r"\d+ jobs? done, \d running, \d+ open", shown)


@posix
def test_ctrl_c_keeps_the_results(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    arguments = ["solve", "connect:6x6x4", "--journal", str(path), "--workers", "1"]
    process = start(*arguments, "--memory", "1", "--job-nodes", "100")
    until_lines(path, 4, process)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    assert (process.returncode, output) == (130, "")
    assert re.fullmatch(
        r"mossa: stopped: the score is proven to be .* \.\. .*; \d+ jobs kept in .*a\.journal; "
        r"the same command goes on\n",
        errors,
    )
    assert len(look_at(mossa.game("connect:6x6x4").start(), path).history) >= 4


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["--workers", "2"], "--workers goes with --journal"),
        (["--job-nodes", "2"], "--job-nodes goes with --journal"),
        (["--plot", "a.svg"], "--plot goes with --journal"),
        (["--journal", "{}/a", "--file", "b"], "--file has no effect with --journal"),
        (["--journal", "{}/a", "--threads", "2", "--workers", "2"], "--workers has no effect with"),
        (
            ["--journal", "{}/a", "--cluster", "tcp://x:1", "--workers", "2"],
            "--workers has no effect with --cluster",
        ),
        (["--journal", "{}/a", "--plot", "{}/a.gif"], "plots end in .png, .svg, .pdf"),
        (["--journal", "{}/no/a"], "there is no such folder"),
        (["--journal", "{}"], "it is a folder"),
        (["--journal", "{}/a", "--time", "0"], "there is no journal"),
        (["--journal", "{}/other"], "is not the journal of a proof"),
        (["--journal", "{}/a", "--book", "no.book"], "no.book"),
    ],
)
def test_mistakes_are_explained(arguments: list[str], part: str, tmp_path: Path) -> None:
    (tmp_path / "other").write_text("precious")
    given = [each.replace("{}", str(tmp_path)) for each in arguments]
    assert part in complaint(call("solve", "mnk:3x3x3", *given))
    assert [each.name for each in tmp_path.iterdir()] == ["other"]
    assert (tmp_path / "other").read_text() == "precious"
