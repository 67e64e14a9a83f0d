"""Where work runs: processes that do not share a fate, and a real Dask cluster on loopback."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib import metadata
from pathlib import Path

import pytest
from clusters import Cluster
from command import call, complaint, good
from learning_checks import small_plan
from programs import children, until

import mossa
from mossa.arena.driver import drive, first_pairings
from mossa.arena.plan import Entrant, Plan
from mossa.arena.store import Finished, Store
from mossa.cluster import LocalWorkers, WorkerLostError, as_done, in_order, workers
from mossa.errors import how_to_install
from mossa.learning.run import Progress, begin, train
from mossa.learning.state import Folder
from mossa.packages import version

# --- this machine ---------------------------------------------------------------------------------


def square(x: int) -> int:
    return x * x


def die(code: int) -> None:
    os._exit(code)


def complain() -> None:
    raise mossa.InvalidPlayerError("as it should")


def pid_after(seconds: float) -> int:
    time.sleep(seconds)
    return os.getpid()


def test_workers_do_not_share_a_fate() -> None:
    workers = LocalWorkers(2)
    try:
        good = [workers.submit(square, n) for n in range(5)]
        bad_one = workers.submit(die, 3)
        more = [workers.submit(square, n) for n in range(5)]
        assert [each.result(60) for each in (*good, *more)] == [0, 1, 4, 9, 16] * 2
        with pytest.raises(WorkerLostError, match="exit code 3"):
            bad_one.result(60)
        with pytest.raises(mossa.InvalidPlayerError, match="as it should"):
            workers.submit(complain).result(60)
        with pytest.raises(Exception, match="pickle"):
            workers.submit(lambda: 1).result(60)
        assert workers.submit(square, 7).result(60) == 49
    finally:
        workers.shutdown(cancel_futures=True)
    assert not children()


def test_a_long_piece_of_work_holds_up_the_order_and_nothing_else() -> None:
    last_is_done = threading.Event()

    def work(i: int) -> int:
        if i == 0:
            assert last_is_done.wait(10)
        if i == 99:
            last_is_done.set()
        return i

    with ThreadPoolExecutor(2) as executor:
        assert list(in_order(executor, 2, work, range(100))) == list(range(100))


def die_once(marker: str) -> str:
    path = Path(marker)
    if not path.exists():
        path.touch()
        die(3)
    return path.name


def die_always(_: str) -> None:
    die(4)


def test_what_a_worker_died_of_is_given_to_another(tmp_path: Path) -> None:
    given = [str(tmp_path / name) for name in "abc"]
    with workers(count=2) as (executor, slots):
        found = dict(as_done(executor, slots, die_once, given))
        assert found == {marker: Path(marker).name for marker in given}
        with pytest.raises(WorkerLostError, match="exit code 4"):
            list(as_done(executor, slots, die_always, ["x"]))


def test_workers_can_be_dismissed_in_the_middle() -> None:
    workers = LocalWorkers(1)
    busy, waiting = workers.submit(pid_after, 600), workers.submit(square, 1)
    until(lambda: workers.pids)
    workers.shutdown(cancel_futures=True)
    assert waiting.cancelled()
    with pytest.raises(WorkerLostError):
        busy.result(60)


def deaf(seconds: float, sign: Path) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sign.touch()
    time.sleep(seconds)


def test_one_piece_of_work_can_be_given_up(tmp_path: Path) -> None:
    workers = LocalWorkers(2)
    try:
        hangs = workers.submit(deaf, 600, tmp_path / "sign")
        until((tmp_path / "sign").exists)
        other = workers.submit(pid_after, 1)
        workers.give_up(hangs)
        with pytest.raises(WorkerLostError):
            hangs.result(60)
        assert other.result(60)  # the neighbour lives
        workers.give_up(hangs)  # it has been already
        assert [workers.submit(square, x).result(60) for x in (2, 3)] == [4, 9]
    finally:
        workers.shutdown(cancel_futures=True)


# --- a cluster ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    pytest.importorskip("distributed")
    started = Cluster(tmp_path_factory.mktemp("dask"))
    try:
        started.wait_for_workers()
        yield started
    finally:
        started.stop()


def test_an_experiment_of_the_lab_on_a_cluster(cluster: Cluster) -> None:
    from mossa import lab

    experiment, settings = lab.experiment("bantumi-nodes"), lab.Settings(quick=True)
    here = lab.measure(experiment, settings)
    there = lab.measure(experiment, settings, cluster=cluster.address)
    assert [row.nodes for row in there.rows] == [row.nodes for row in here.rows]
    assert there.complete


def test_a_file_of_positions_is_solved_on_a_cluster(cluster: Cluster, tmp_path: Path) -> None:
    source = tmp_path / "positions.txt"
    source.write_text("\n".join(f"4444441111{a}{b}" for a in "23567" for b in "23567"))
    arguments = ("solve", "connect:6x7x4", "--file", source, "--memory", "16")
    here = good(call(*arguments))
    assert good(call(*arguments, "--cluster", cluster.address)) == here
    assert len(here.splitlines()) == 25
    alone = call("solve", "connect4", "--cluster", cluster.address)
    assert complaint(alone) == "--cluster goes with --file or --journal"


def test_a_book_is_built_on_a_cluster(cluster: Cluster, tmp_path: Path) -> None:
    arguments = ("book", "build", "connect:4x4x4", "--plies", "6", "--memory", "16")
    good(call(*arguments, "--output", tmp_path / "here.book"))
    there = ("--output", tmp_path / "there.book", "--cluster", cluster.address)
    good(call(*arguments, *there))
    assert (tmp_path / "there.book").read_bytes() == (tmp_path / "here.book").read_bytes()


def test_a_proof_on_a_cluster(cluster: Cluster, tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    arguments = ["solve", "connect:4x4x4", "--memory", "1", "--job-nodes", "20", "--book", "none"]
    there = ["--journal", str(path), "--cluster", cluster.address]
    assert "score 0 in 16" in good(call(*arguments, *there))
    assert path.read_bytes().count(b"\n") > 5


def test_workers_of_another_version_are_refused(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there, real = version(), metadata.version
    monkeypatch.setattr(
        metadata, "version", lambda name: "9.9.9" if name == "mossa" else real(name)
    )
    arguments = ["solve", "connect:4x4x4", "--journal", str(tmp_path / "a.journal")]
    message = complaint(call(*arguments, "--cluster", cluster.address))
    assert re.fullmatch(
        rf"worker tcp://127.0.0.1:\d+ of the cluster at '{cluster.address}' has mossa "
        rf"{re.escape(there)}, and this is mossa 9.9.9: install the same version everywhere",
        message,
    )


def test_games_are_reviewed_on_a_cluster(cluster: Cluster, tmp_path: Path) -> None:
    records = [mossa.match(f"random:seed={n}", "random:seed=9", "tictactoe") for n in range(3)]
    mossa.write_records(tmp_path / "games.jsonl", records)
    arguments = ("review", tmp_path / "games.jsonl", "--depth", "3")
    assert good(call(*arguments, "--cluster", cluster.address)) == good(call(*arguments))


@pytest.mark.slow
def test_a_network_is_trained_on_a_cluster(cluster: Cluster, tmp_path: Path) -> None:
    path = tmp_path / "a.train"
    begin(path, small_plan())

    def stop_after_a_test(now: Progress) -> None:
        if now.state.current.number == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(path, budget=300, cluster=cluster.address, report=stop_after_a_test)
    first = Folder(path).read().generations[0]
    assert first.positions >= small_plan().positions
    assert first.trained
    assert first.test is not None
    assert first.test.games == 4


def test_a_cluster_that_loses_a_worker_loses_no_game(cluster: Cluster, tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    entrants = Entrant("a", "random"), Entrant("b", "alphabeta:depth=5")
    plan = Plan(entrants, ("connect:6x7x4", "kalah:5x3"), rounds=10)
    finished: list[int] = []

    def kill_one(store: Store, game: Finished | None) -> None:
        if game is not None:
            finished.append(game.id)
            if len(finished) == 5:
                os.kill(cluster.workers[0].pid, signal.SIGKILL)

    with Store.create(path, plan, first_pairings(plan)) as store:
        outcome = drive(store, cluster=cluster.address, progress=kill_one)
        assert (outcome.done, outcome.total, outcome.stopped) == (40, 40, False)
        assert sorted(finished) == list(range(1, 41))
        assert [pairing.id for pairing, _ in store.records()] == list(range(1, 41))


OPENSSL = """
req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=authority -keyout ca-key.pem -out ca.pem
req -newkey rsa:2048 -nodes -subj /CN=mossa -keyout key.pem -out request.pem
x509 -req -in request.pem -CA ca.pem -CAkey ca-key.pem -CAcreateserial -days 2 -out cert.pem
"""


def test_a_cluster_with_tls(tmp_path: Path) -> None:
    """As the page about clusters says; who has no certificate is not let in."""
    dask = pytest.importorskip("dask")
    pytest.importorskip("distributed")
    if shutil.which("openssl") is None:
        pytest.skip("there is no openssl here")
    for line in OPENSSL.strip().splitlines():
        command = ["openssl", *line.split()]
        subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    settings = {"ca-file": f"{tmp_path}/ca.pem"}
    for role in ("scheduler", "worker", "client"):
        settings |= {f"{role}.cert": f"{tmp_path}/cert.pem", f"{role}.key": f"{tmp_path}/key.pem"}
    names = {f"distributed.comm.tls.{name}": value for name, value in settings.items()}
    names["distributed.comm.default-scheme"] = "tls"
    environment = {
        "DASK_" + name.replace(".", "__").replace("-", "_").upper(): value
        for name, value in names.items()
    }
    with dask.config.set({**names, "distributed.comm.require-encryption": True}):
        secure = Cluster(tmp_path, environment)
        try:
            assert secure.address.startswith("tls://")
            secure.wait_for_workers()
            report = mossa.tournament(
                ["a=random", "b=random"], ["connect4"], rounds=2, cluster=secure.address
            )
            assert report.done == 4
            nothing = {name: None for name in names if "tls" in name}
            with (
                dask.config.set(nothing),
                pytest.raises(mossa.ClusterError),
                workers(cluster=secure.address),
            ):
                pass
        finally:
            secure.stop()


def test_an_address_where_nobody_is(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr("mossa.cluster.CONNECT", 0.5)
    for address in ("tcp://127.0.0.1:9", "nonsense", "tcp://"):
        with pytest.raises(mossa.ClusterError, match="no cluster at"), workers(cluster=address):
            pass


def test_without_dask_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with (
        pytest.raises(mossa.ClusterError, match=re.escape(how_to_install("cluster"))),
        workers(cluster="tcp://127.0.0.1:8786"),
    ):
        pass
