"""The loop: self-play, training, test, and again, until the time is up.

Each turn is a generation. The best player so far plays against itself; the trainer learns from the
games of the last generations; the network that comes of it plays the best one; if it is stronger,
it is the best from then on. Whatever happens, what is finished is in the folder of the run, and
`train` goes on from there.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import date
from importlib.util import find_spec
from pathlib import Path
from threading import Event, Timer
from time import monotonic
from typing import Any, Literal

from mossa import _core
from mossa.cluster import interrupts_held, workers
from mossa.errors import blaming, how_to_install, shorten
from mossa.files import replace_file
from mossa.games import game as game_named
from mossa.learning.gate import gate_plan, run_gate
from mossa.learning.plan import InvalidTrainingError, TrainingPlan, with_network
from mossa.learning.selfplay import Task, self_play
from mossa.learning.shards import ShardWriter
from mossa.learning.state import Epoch, Folder, Generation, State
from mossa.networks import About, Network
from mossa.quantities import counted
from mossa.solving.container import writing
from mossa.solving.journal import Journal

__all__ = ["Progress", "begin", "check_installed", "export", "train"]

AGAIN = "what is finished is kept: make room, and mossa train resume goes on"
"""What to do when the disk is full."""
PLAYING = 0.5
"""Of the time that is left, self-play takes so much at most: the rest is for what follows it."""
_MINUTE = 60.0  # between two notes of the time

Phase = Literal["self-play", "training", "test"]


@dataclass(frozen=True)
class Progress:
    """What a run is doing."""

    state: State
    phase: Phase
    done: int
    total: int
    """Positions of self-play or training, or games of a test."""
    speed: float
    """So many a second in this phase."""
    left: float
    """Seconds of the budget."""


Report = Callable[[Progress], object]


def check_installed() -> None:
    """Raise InvalidTrainingError if the training packages are missing."""
    for name in ("jax", "numpy"):
        if find_spec(name) is None:
            raise InvalidTrainingError(f"training needs JAX and NumPy: {how_to_install('train')}")


def begin(path: Path, plan: TrainingPlan) -> None:
    """Make a new run's folder; raise GameError if something is already there."""
    check_installed()
    plan.check()
    with_network(plan.player, path.absolute())  # refuses a name that no player could be told
    folder = Folder(path)
    if folder.journal.exists():
        raise InvalidTrainingError(
            f"{shorten(str(path))} is a training run already: mossa train resume continues it; "
            "choose another name for a new one"
        )
    if path.exists() and not (path.is_dir() and not any(path.iterdir())):
        raise InvalidTrainingError(f"{shorten(str(path))} exists, but is not a training run")
    with blaming(path):
        path.mkdir(exist_ok=True)
    try:
        with Journal(folder.journal, folder.head_of(plan), again=AGAIN):
            pass
    except BaseException:  # nothing half begun is left
        folder.journal.unlink(missing_ok=True)
        path.rmdir()
        raise


def train(
    path: Path,
    *,
    budget: float | None = None,
    count: int | None = None,
    cluster: str | None = None,
    report: Report | None = None,
) -> State:
    """Continue a run until its budget is spent, and return how far it got.

    ``budget`` is in seconds, from now on; without one, what is left of the last. ``count``
    processes play (one for each core unless said otherwise), or the workers of a Dask ``cluster``.
    Ctrl-C raises KeyboardInterrupt; what is finished is kept.
    """
    check_installed()
    folder = Folder(path)
    plan = folder.read().plan
    with Journal(folder.journal, folder.head_of(plan), again=AGAIN) as journal:
        run = _Run(folder, journal, count, cluster, report or (lambda _: None))
        run.go(budget)
        return run.state


def export(path: Path, target: Path) -> Network:
    """Write the best network of a run to a file of its own, and return it."""
    folder = Folder(path)
    best = folder.read().best
    if best is None:
        raise InvalidTrainingError(
            f"no network of {shorten(str(path))} has passed its test yet: train longer"
        )
    network = Network.load(folder.network(best.number))
    network.save(target)
    return network


class _Spent(Exception):  # noqa: N818 - it is the end, not an error
    """The budget is spent."""


class _Run:
    def __init__(
        self,
        folder: Folder,
        journal: Journal,
        count: int | None,
        cluster: str | None,
        report: Report,
    ) -> None:
        self._folder = folder
        self._journal = journal
        self._count = count
        self._cluster = cluster
        self._report = report
        self.state = folder.read()  # again: now that it is locked, nobody else changes it
        self._plan = self.state.plan
        self._begin = monotonic() - self.state.clock
        self._noted = self.state.clock

    def go(self, budget: float | None) -> None:
        """Work until the budget is spent, or somebody presses Ctrl-C."""
        if budget is not None:
            self._note("budget", seconds=self.clock + budget)
        if self._left <= 0:
            raise InvalidTrainingError(
                f"the budget of {shorten(str(self._folder.path))} is spent: "
                "give it more, such as --budget 1h"
            )
        try:
            while True:
                self._check_time()
                one = self.state.current
                if not one.played:
                    self._play(one)
                elif not one.trained:
                    self._train(one)
                else:
                    self._test(one)
        except _Spent:
            pass
        finally:
            self._note("clock")

    # -------------------------------------------------------------- time and notes

    @property
    def clock(self) -> float:
        """Seconds the run has worked."""
        return monotonic() - self._begin

    @property
    def _left(self) -> float:
        return self.state.budget - self.clock

    def _note(self, event: str, **data: Any) -> None:
        """Write an event to the journal and apply it."""
        entry = {"event": event, "clock": round(self.clock, 3), **data}
        self._journal.write(json.dumps(entry))
        self.state.enter(entry)
        self._noted = self.clock

    def _tell(self, phase: Phase, done: int, total: int, speed: float) -> None:
        """Show progress; now and then note the time in the journal."""
        if self.clock - self._noted > _MINUTE:
            self._note("clock")
        self._report(Progress(self.state, phase, done, total, speed, max(0.0, self._left)))

    def _check_time(self) -> None:
        if self._left <= 0:
            raise _Spent

    @property
    def _best(self) -> Path | None:
        best = self.state.best
        return None if best is None else self._folder.network(best.number).absolute()

    # -------------------------------------------------------------- self-play

    def _play(self, one: Generation) -> None:
        plan = self._plan
        best = self._best
        player = with_network(plan.player, best)
        # A shard names the network without its folder: that may be moved before all is played.
        called = with_network(plan.player, best and Path(best.name))
        start = self.clock
        end = start + PLAYING * self._left
        with ExitStack() as stack:
            executor, slots = stack.enter_context(workers(count=self._count, cluster=self._cluster))
            writers = [
                stack.enter_context(
                    ShardWriter(self._folder.shard(one.number, at), name, called, again=AGAIN)
                )
                for at, name in enumerate(plan.games)
            ]
            names = dict(zip((writer.path for writer in writers), plan.games, strict=True))
            before = sum(writer.positions for writer in writers)

            def make(writer: ShardWriter, number: int, size: int) -> Task:
                return Task(
                    names[writer.path],
                    player,
                    plan.nodes,
                    plan.noise,
                    plan.proof_nodes,
                    f"{plan.seed} {one.number}",
                    range(number, number + size),
                )

            def look() -> None:
                one.games = sum(writer.games for writer in writers)
                one.positions = sum(writer.positions for writer in writers)
                speed = (one.positions - before) / max(self.clock - start, 1e-6)
                self._tell("self-play", one.positions, plan.positions, speed)

            def enough() -> bool:
                if one.positions and (one.positions >= plan.positions or self.clock >= end):
                    return True
                self._check_time()
                return False

            look()
            try:
                self_play(executor, slots, make, writers, enough=enough, progress=look)
            except BaseException:
                self._note("playing", seconds=one.seconds + self.clock - start)
                raise
            look()
        seconds = one.seconds + self.clock - start
        self._note("games", games=one.games, positions=one.positions, seconds=seconds)

    # -------------------------------------------------------------- training

    def _train(self, one: Generation) -> None:
        self._tell("training", 0, one.positions, 0.0)
        # JAX takes a second to load, so only whoever trains waits for it; an interrupt in the midst
        # of that can crash it.
        with interrupts_held():
            from mossa.learning import data, training

        plan, folder = self._plan, self._folder
        shape = plan.shape
        first = max(1, one.number - plan.window + 1)
        games = data.Games(
            folder.shards(range(first, one.number + 1)), plan.mix, beside=plan.beside
        )
        if games.damaged:
            note = f"generation {one.number}: {counted(games.damaged, 'damaged game')} left out"
            if note not in self.state.notes:
                self._note("note", text=note)
        # It goes on from the last network, accepted or not: what that had learnt is not lost.
        before = training.read_weights(folder.weights(one.number - 1))
        trainer = training.Trainer(shape, before or training.initial(shape, plan.seed))
        kept = training.read_weights(folder.checkpoint)
        if kept is not None and kept.get("generation") == one.number:
            trainer.restore(kept)
        while trainer.epoch < plan.epochs:
            number, start = trainer.epoch + 1, self.clock
            total = games.positions

            def seen(positions: int, start: float = start, total: int = total) -> None:
                self._check_time()
                speed = positions / max(self.clock - start, 1e-6)
                self._tell("training", positions, total, speed)

            learnt, held_out = training.epoch(
                trainer,
                games,
                epochs=plan.epochs,
                batch=plan.batch,
                rate=plan.rate,
                seed=f"{plan.seed} {one.number}",
                seen=seen,
            )
            with writing(folder.path, AGAIN):
                training.save_state(folder.checkpoint, trainer, one.number)
            done = Epoch(
                number,
                learnt.positions,
                self.clock - start,
                learnt.value,
                learnt.second,
                held_out.value,
                held_out.second,
            )
            self._note("epoch", epoch=asdict(done))
        self._export(one, trainer.weights, games)

    def _export(self, one: Generation, weights: dict[str, Any], games: Any) -> None:
        from mossa.learning import training
        from mossa.learning.export import to_payload

        folder, plan = self._folder, self._plan
        rules = game_named(plan.games[0])
        content = _core.pack_network(rules, to_payload(plan.shape, weights), beside=plan.beside)
        words = f"{counted(games.positions, 'position')} of {counted(games.count, 'game')}"
        about = About(plan.games, words, plan.command, date.today().isoformat(), "")
        with writing(folder.path, AGAIN):
            training.save_weights(folder.weights(one.number), weights)
        self._save(one, Network.of(about, content))
        self._note("trained", data=words)

    def _save(self, one: Generation, network: Network) -> None:
        with writing(self._folder.path, AGAIN):
            replace_file(self._folder.network(one.number), network.content)

    # -------------------------------------------------------------- the test

    def _test(self, one: Generation) -> None:
        folder, plan = self._folder, self._plan
        path = folder.network(one.number)
        best = self.state.best
        tournament = gate_plan(plan, one.number, path.absolute(), self._best)
        start = self.clock
        before: int | None = None

        def look(done: int, total: int) -> None:
            nonlocal before
            before = done if before is None else before
            speed = (done - before) / max(self.clock - start, 1e-6)
            self._tell("test", done, total, speed)

        with _alarm(self._left) as stop:
            test = run_gate(
                folder.test(one.number),
                tournament,
                clock=lambda: self.clock,
                count=self._count,
                cluster=self._cluster,
                progress=look,
                stop=stop,
            )
        if test is None:
            raise _Spent if stop.is_set() else KeyboardInterrupt
        network = Network.load(path)
        against = "no network" if best is None else f"generation {best.number}"
        words = (
            f"+{test.wins} ={test.draws} -{test.losses} against {against} at {_conditions(plan)}: "
            f"{'accepted' if test.accepted else 'not accepted'}"
        )
        self._save(one, replace(network, about=replace(network.about, test=words)))
        self._note("test", test=asdict(test))


def _conditions(plan: TrainingPlan) -> str:
    if plan.gate_time is not None:
        return f"{plan.gate_time:g} s a move"
    return f"{counted(plan.gate_nodes, 'node')} a move"


@contextmanager
def _alarm(seconds: float) -> Iterator[Event]:
    """Provide an event that is set when time is up."""
    event = Event()
    timer = Timer(seconds, event.set)
    timer.daemon = True
    timer.start()
    try:
        yield event
    finally:
        timer.cancel()
