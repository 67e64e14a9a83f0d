"""The loop: it can be stopped anywhere, and goes on; only what passes its test is used."""

from __future__ import annotations

import errno
import json
import re
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from learning_checks import files, small_plan

from mossa import BookError, GameError
from mossa.arena.plan import Entrant
from mossa.arena.store import Store
from mossa.errors import how_to_install
from mossa.learning import run as run_module
from mossa.learning import training
from mossa.learning.gate import gate_plan, run_gate
from mossa.learning.plan import InvalidTrainingError, TrainingPlan, with_network
from mossa.learning.report import epoch_rows, generation_rows, to_dict
from mossa.learning.run import Progress, begin, export, train
from mossa.learning.state import Folder, State, Verdict
from mossa.networks import Network
from mossa.solving.journal import Journal


class Stop:
    """Presses Ctrl-C at the given moment."""

    def __init__(self, phase: str, after: int = 0, generation: int = 1) -> None:
        self.phase, self.after, self.generation = phase, after, generation

    def __call__(self, now: Progress) -> None:
        at = now.state.current.number
        if (now.phase, at) == (self.phase, self.generation) and now.done > self.after:
            raise KeyboardInterrupt


def started(path: Path, **changes: Any) -> Path:
    begin(path, small_plan(**changes))
    return path


def until(path: Path, stop: Stop, budget: float | None = 300) -> State:
    with pytest.raises(KeyboardInterrupt):
        train(path, budget=budget, count=1, report=stop)
    return Folder(path).read()


# --- the loop -------------------------------------------------------------------------------------


def test_it_is_stopped_in_every_phase_and_goes_on(tmp_path: Path) -> None:
    path = started(tmp_path / "a.train")
    state = until(path, Stop("self-play"))
    kept = state.current.games
    assert kept > 0
    assert not state.current.played
    state = until(path, Stop("training"), None)
    assert state.current.played
    assert state.current.games >= kept
    assert state.current.positions >= 60
    played = state.current.games
    state = until(path, Stop("test"), None)
    assert state.current.trained
    assert len(state.current.epochs) == 2
    assert state.current.games == played
    network = Network.load(Folder(path).network(1))
    assert network.about.games == ("mnk:3x3x3",)
    assert network.about.test == ""
    state = until(path, Stop("self-play", generation=2), None)
    first = state.generations[0].test
    assert first is not None
    assert first.games == 4
    assert not first.accepted  # nobody is stronger at tic-tac-toe
    assert Network.load(Folder(path).network(1)).about.test.startswith(
        f"+{first.wins} ={first.draws} -{first.losses} against no network at 200 nodes a move"
    )
    assert state.best is None
    assert state.clock > 0
    rows = generation_rows(state)
    assert [row["generation"] for row in rows] == [1, 2]
    assert rows[0]["accepted"] is False
    assert [row["number"] for row in epoch_rows(state)] == [1, 2]
    assert json.loads(json.dumps(to_dict(state), allow_nan=False))["best"] is None
    with pytest.raises(InvalidTrainingError, match="has passed its test yet: train longer"):
        export(path, tmp_path / "best.net")


def test_a_budget_ends_it_and_another_goes_on(tmp_path: Path) -> None:
    path = started(tmp_path / "a.train", positions=10**6)
    state = train(path, budget=4, count=1)
    assert state.clock >= 4
    assert state.games > 0
    with pytest.raises(InvalidTrainingError, match=r"is spent: give it more, such as --budget 1h"):
        train(path, count=1)
    more = train(path, budget=0.5, count=1)
    assert more.clock >= state.clock + 0.5
    assert more.games >= state.games


def test_two_boards_share_a_network(tmp_path: Path) -> None:
    begin(tmp_path / "a.train", small_plan("mnk:3x3x3", "mnk:3x4x3"))
    until(tmp_path / "a.train", Stop("test"))
    folder = Folder(tmp_path / "a.train")
    assert len(folder.shards([1])) == 2
    assert Network.load(folder.network(1)).about.games == ("mnk:3x3x3", "mnk:3x4x3")


def test_an_accepted_network_plays_from_then_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Path | None] = []

    def spec(player: str, network: Path | None) -> str:
        asked.append(network)
        return player

    accepted = Verdict((0, 0, 0, 0, 2), 4, 0, 0, accepted=True, decided=True, seconds=1.0)
    monkeypatch.setattr(run_module, "with_network", spec)
    monkeypatch.setattr(run_module, "run_gate", lambda *_, **__: accepted)
    path = started(tmp_path / "a.train")
    state = until(path, Stop("training", generation=2))
    assert state.best is state.generations[0]
    assert Folder(path).network(1).absolute() in asked
    network = export(path, tmp_path / "best.net")
    assert Network.load(tmp_path / "best.net") == network
    assert network.about.test.endswith("accepted")
    assert state.strength()[0] == (0, 0.0)
    assert state.strength()[1][1] > 0


def test_one_works_on_a_run_at_a_time(tmp_path: Path) -> None:
    path = started(tmp_path / "a.train")
    folder = Folder(path)
    plan = folder.read().plan
    with Journal(folder.journal, folder.head_of(plan)):
        with pytest.raises(BookError, match=r"a.train' is being made already"):
            train(path, budget=5, count=1)
        assert folder.read().games == 0  # looking is allowed


def test_a_shard_that_was_cut_short_costs_a_game(tmp_path: Path) -> None:
    path = started(tmp_path / "a.train")
    until(path, Stop("training"))
    shard = Folder(path).shard(1, 0)
    shard.write_bytes(shard.read_bytes()[:-1])
    state = until(path, Stop("test"), None)
    assert state.notes == ["generation 1: 1 damaged game left out"]


def test_a_full_disk_is_reported_and_work_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    path = started(tmp_path / "a.train")
    with monkeypatch.context() as patch:
        patch.setattr(training, "save_state", fail)
        with pytest.raises(BookError, match="No space left on device; what is finished is kept"):
            train(path, budget=300, count=1)
    assert Folder(path).read().current.played
    assert until(path, Stop("test"), None).current.trained


def test_a_test_that_cannot_be_read_is_played_again(tmp_path: Path) -> None:
    path = started(tmp_path / "a.train")
    until(path, Stop("test"))
    Folder(path).test(1).write_bytes(b"no database")
    state = until(path, Stop("self-play", generation=2), None)
    assert state.generations[0].test is not None


# --- the gate -------------------------------------------------------------------------------------


def test_only_a_stronger_network_passes(tmp_path: Path) -> None:
    plan = small_plan("connect:5x5x4", gate_games=200, elo1=200.0)
    tournament = gate_plan(plan, 1, Path("new.net"), None)
    strong, weak = Entrant("new", "alphabeta:depth=4"), Entrant("old", "random")

    def verdict(name: str, *entrants: Entrant) -> Verdict | None:
        return run_gate(
            tmp_path / name,
            replace(tournament, entrants=entrants),
            clock=lambda: 0.0,
            count=1,
            progress=lambda *_: None,
            stop=Event(),
        )

    better = verdict("better.db", strong, weak)
    assert better is not None
    assert better.accepted
    assert better.wins > better.losses
    worse = verdict("worse.db", replace(weak, name="new"), replace(strong, name="old"))
    assert worse is not None
    assert not worse.accepted
    assert worse.decided
    assert worse.games < 200
    with Store.look(tmp_path / "worse.db") as store:
        assert store.plan.sprt == plan.sprt


def test_every_generation_has_other_openings() -> None:
    plan = small_plan("connect:6x7x4", gate_games=20)
    first, second = (gate_plan(plan, number, Path("a.net"), None) for number in (1, 2))
    assert first.seed != second.seed
    assert first.rounds == 10


# --- what cannot be trained -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("games", "changes", "why"),
    [
        ((), {}, "training needs a game"),
        (("breakthrough:4x4",), {}, "no network for breakthrough:4x4"),
        (("mnk:5x5x4", "connect:5x5x4"), {}, "one network cannot serve mnk:5x5x4 and connect"),
        (("mnk:5x5x4", "mnk:5x5x5"), {}, "one network cannot serve mnk:5x5x4 and mnk:5x5x5"),
        (("mnk:5x5x4",), {"mix": 1.5}, "invalid mix '1.5': 0 to 1"),
        (("mnk:5x5x4",), {"noise": -1.0}, "invalid noise '-1': 0 to 1"),
        (("mnk:5x5x4",), {"elo0": 50.0}, "elo0 50 must be less than elo1 30"),
        (("mnk:5x5x4",), {"player": "nobody"}, "unknown player 'nobody"),
    ],
)
def test_a_plan_that_makes_no_sense(
    games: tuple[str, ...], changes: dict[str, Any], why: str, tmp_path: Path
) -> None:
    with pytest.raises(GameError, match=why):
        begin(tmp_path / "a.train", replace(small_plan(), games=games, **changes))
    assert not (tmp_path / "a.train").exists()


def test_where_there_is_something_already(tmp_path: Path) -> None:
    started(tmp_path / "a.train")
    with pytest.raises(InvalidTrainingError, match="is a training run already: mossa train resume"):
        started(tmp_path / "a.train")
    (tmp_path / "b.train").write_text("a file")
    (tmp_path / "c.train").mkdir()
    (tmp_path / "c.train" / "mine").write_text("mine")
    for name in ("b.train", "c.train"):
        with pytest.raises(InvalidTrainingError, match="exists, but is not a training run"):
            started(tmp_path / name)
    assert files(tmp_path / "c.train") == {"mine"}


def test_without_jax_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = started(tmp_path / "a.train")
    monkeypatch.setattr(run_module, "find_spec", lambda name: None)
    for call in (lambda: started(tmp_path / "b.train"), lambda: train(path, budget=1)):
        with pytest.raises(InvalidTrainingError, match=re.escape(how_to_install("train"))):
            call()


def test_a_folder_that_is_no_run(tmp_path: Path) -> None:
    with pytest.raises(InvalidTrainingError, match="there is no training run"):
        train(tmp_path / "none.train", budget=1)
    with pytest.raises(InvalidTrainingError, match="is not a training run"):
        Folder(tmp_path).read()
    path = started(tmp_path / "a.train")
    Folder(path).journal.write_text("mossa training 99: {}\n")
    with pytest.raises(InvalidTrainingError, match="of another version, or damaged"):
        Folder(path).read()


def test_a_comma_in_the_name_is_refused() -> None:
    assert with_network("engine", None) == "engine:net=off"
    assert with_network("engine:book=off", Path("/a/b.net")) == "engine:book=off,net=/a/b.net"
    with pytest.raises(InvalidTrainingError, match="a comma ends an option"):
        with_network("engine", Path("a,b.net"))


def test_a_plan_is_plain_data() -> None:
    plan = small_plan("mnk:3x3x3", "mnk:4x4x3")
    assert TrainingPlan.from_dict(json.loads(json.dumps(plan.to_dict()))) == plan
