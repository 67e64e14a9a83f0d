"""Figures of tournaments for a paper: what is drawn, what is left out, and why."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from command import call, complaint, good

import mossa
from mossa.arena.report import Report
from mossa.arena.store import Store
from mossa.errors import how_to_install
from mossa.lab import plots
from mossa.lab.figures import figures
from mossa.lab.runner import Cell, Panel, Ranges

NASTY = "_a$b$<&\"'"
PLAYERS = {
    "deep": "alphabeta:depth=4",
    NASTY: "alphabeta:depth=1",
    "report": "mcts:iterations=20",
    "random": "random:seed=1",
}


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a small tournament."""
    path = tmp_path_factory.mktemp("figures") / "cup.db"
    mossa.tournament(PLAYERS, ["tictactoe"], rounds=3, workers=1, store=path, seed=3)
    return path


@pytest.fixture(scope="module")
def report(cup: Path) -> Report:
    """What came of it, with every move judged."""
    return mossa.tournament(
        PLAYERS, ["tictactoe"], rounds=3, workers=1, store=cup, seed=3, oracle=20
    )


def test_what_the_figures_show(report: Report) -> None:
    drawn, missing = figures(report)
    assert list(drawn) == ["elo", "kept_value", "time", "nodes"]
    assert not missing
    elo, kept, time, nodes = drawn.values()
    assert isinstance(elo, Ranges) and isinstance(time, Ranges)
    assert isinstance(kept, Panel) and isinstance(nodes, Panel)
    order = [row["player"] for row in report.standings]
    assert list(elo.rows) == list(time.rows) == order
    first = report.standings[0]
    assert elo.rows[first["player"]] == (first["elo_low"], first["elo"], first["elo_high"])
    assert [name.strip() for name in kept.series] == order
    assert all(0 <= share <= 100 for each in kept.series.values() for share in each.values())
    shares = {each.phase: 100 * each.kept for each in report.oracle if each.player == "random"}
    assert kept.series["random"] == {
        phase: shares[phase] for phase in ("opening", "middle", "end") if phase in shares
    }
    for low, middle, high in time.rows.values():
        assert low is not None and middle is not None and high is not None
        assert 0 < low <= middle <= high
    assert max(x for x in nodes.series["deep"] if isinstance(x, int)) == 4
    assert "random" not in nodes.series  # it does not search
    for figure in drawn.values():
        assert figure.title and figure.x_label
    assert re.search(r"millisec", time.x_label) and "(plies)" in nodes.x_label
    assert "(%)" in kept.y_label


@pytest.mark.parametrize("form", [form[1:] for form in plots.FORMATS])
def test_each_figure_can_be_drawn_in_every_form(report: Report, form: str) -> None:
    pytest.importorskip("matplotlib")
    beginnings = {"png": b"\x89PNG", "pdf": b"%PDF", "svg": b"<?xml"}
    for panel in figures(report)[0].values():
        image = plots.to_image([panel], form)
        assert image.startswith(beginnings[form])
        if form == "svg" and not (isinstance(panel, Panel) and panel.lines):
            assert b"_a$b$&lt;&amp;" in image  # no formula


def test_ranges_without_ends_and_many_names() -> None:
    """Whoever has won everything has no Elo, but a bound of it."""
    pytest.importorskip("matplotlib")
    rows: dict[str, tuple[float | None, float | None, float | None]] = {
        "won all": (183.0, None, None),
        "lost all": (None, None, -183.0),
        "one pair": (None, 20.0, None),
        "nothing known": (None, None, None),
    }
    for number in range(20):
        rows[f"player {number} with a name of many words"] = 0.0, 1.0, 2.0
    assert plots.to_image([Ranges("title", "Elo", rows, zero=True)], "svg")
    few: dict[str, tuple[float | None, float | None, float | None]] = {
        "a": (None, None, None),
        "b": (0.001, 5, None),
    }
    assert plots.to_image([Ranges("title", "ms", few, log=True)], "svg")
    series: dict[str, dict[Cell, float]] = {
        f"player {number}": {"opening": 50.0, "end": 60.0} for number in range(30)
    }
    assert plots.to_image([Panel("title", "x", "y", series, log=False)], "svg")


def test_no_two_of_many_series_look_the_same() -> None:
    looks = {
        (at % len(plots._COLOURS), plots._pick(plots._HATCHES, at), plots._pick(plots._MARKERS, at))
        for at in range(40)
    }
    assert len(looks) == 40


def test_what_there_is_nothing_for_is_left_out(report: Report) -> None:
    nothing = replace(report, standings=[], moves=[], oracle=(), done=0)
    assert figures(nothing) == (
        {},
        {
            "elo": "no pair of games is finished yet",
            "kept_value": "no move has been judged: give the oracle some seconds",
            "time": "no move has been made yet",
            "nodes": "no player tells its nodes and its depth",
        },
    )


# --- the command ----------------------------------------------------------------------------------


def test_the_command_writes_each_figure_in_three_forms(cup: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    folder = tmp_path / "figures"
    folder.mkdir()
    (folder / "elo.svg").write_text("an old one")
    shown = good(call("tournament", "report", cup, "--oracle", "20", "--plot", folder))
    assert shown.splitlines()[-1] == (
        f"figures in {folder}: elo, kept_value, time, nodes (.png, .svg, .pdf)"
    )
    assert (folder / "elo.svg").read_bytes().startswith(b"<?xml")
    assert {path.name for path in folder.iterdir()} == {
        f"{name}{form}"
        for name in ("elo", "kept_value", "time", "nodes")
        for form in (".png", ".svg", ".pdf")
    }


def test_figures_that_are_left_out_are_named(
    cup: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("matplotlib")
    monkeypatch.setattr(plots, "FORMATS", (".svg",))
    done = call("tournament", "report", cup, "--plot", tmp_path, "--json")
    assert done.returncode == 0
    assert done.stdout.startswith("{") and "figure" not in done.stdout
    assert done.stderr.splitlines() == [
        f"figures in {tmp_path}: elo, time, nodes (.svg)",
        "figure left out: kept_value: no move has been judged; give --oracle SECONDS",
    ]


def test_figures_of_nothing_played(cup: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    with Store.look(cup) as store:
        plan = store.plan
    empty = tmp_path / "empty.db"
    with Store.create(empty, plan, []):
        pass
    shown = good(call("tournament", "report", empty, "--oracle", "1", "--plot", tmp_path / "new"))
    assert shown.splitlines()[-4:] == [
        "figure left out: elo: no pair of games is finished yet",
        "figure left out: kept_value: no position could be solved in time",
        "figure left out: time: no move has been made yet",
        "figure left out: nodes: no player tells its nodes and its depth",
    ]


def test_where_figures_cannot_go(cup: Path, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("mine")
    report: list[str | Path] = ["tournament", "report", cup, "--plot"]
    assert complaint(call(*report, file)).endswith("it is a file, not a folder")
    assert complaint(call(*report, tmp_path / "no" / "way")).endswith(
        "there is no folder to make it in"
    )
    assert file.read_text() == "mine"


def test_without_matplotlib(cup: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plots, "find_spec", lambda name: None)
    folder = tmp_path / "figures"
    line = complaint(call("tournament", "report", cup, "--plot", folder))
    assert line == f"plots need matplotlib: {how_to_install('plot')}"
    assert not folder.exists()
