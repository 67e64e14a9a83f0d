"""Proofs in jobs: the score of the solver, whatever dies and whatever becomes of the journal."""

from __future__ import annotations

import errno
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from brute_force import BruteForce
from clusters import Cluster
from command import posix
from own_games import NIM
from programs import children, until
from proofs import check_facts, exact, prove_here

import mossa
from mossa import Bound, Exact, GameError, Position, Solver
from mossa.solving.container import BookError
from mossa.solving.proof_jobs import MOST_NEWS, ProofProgress, _News, look_at, prove
from mossa.solving.proof_worker import Found, Job, Settings, work

# --- the same score as one solver -----------------------------------------------------------------

# With the most plies of the positions to prove: brute force must reach the end.
GAMES = [
    ("connect:4x4x4", 4, 7),
    ("connect:5x4x4", 9, 11),
    ("mnk:3x3x3", 0, 4),
    ("mnk:4x3x3", 2, 6),
    ("mnk:4x4x4", 7, 9),
    ("kalah:3x2", 0, 5),
    ("kalah:3x3", 2, 8),
    ("kalah:2x4,empty_capture=yes", 0, 5),
    ("kalah:3x2,swap=yes", 0, 2),
    ("kalah:3x2,majority=yes", 0, 3),
    ("mnk:3x3x3,exact=yes", 1, 4),
    ("breakthrough:4x3", 2, 4),
    ("oware:2x2,repeat=share", 3, 6),
]


def some_position(name: str, least: int, most: int, chosen: random.Random) -> Position:
    while True:
        position = mossa.game(name).start()
        plies = chosen.randint(least, most)
        while position.outcome is None and position.ply < plies:
            position = position.play(chosen.choice(position.moves))
        if position.outcome is None:
            return position


def assert_same_score(found: Exact, truth: Exact, minimal: bool) -> None:
    if minimal:
        assert found == truth
    else:  # proven to be over by then, perhaps sooner
        assert found.value == truth.value
        assert found.distance is not None and truth.distance is not None
        assert found.distance >= truth.distance


@pytest.mark.parametrize(("name", "least", "most"), GAMES)
def test_jobs_prove_the_score_of_the_solver(
    name: str, least: int, most: int, tmp_path: Path, oracle: BruteForce
) -> None:
    """With so few nodes that the tree grows, and results that come in any order."""
    chosen = random.Random(name)
    jobs = facts = 0
    minimal = not re.fullmatch(r"mnk:\dx\dx\d", name)
    for number in range(6):
        position = some_position(name, least, most, chosen)
        path = tmp_path / f"{number}.journal"
        slots, nodes = chosen.randint(1, 4), chosen.choice((1, 3, 10, 40))
        proof = prove_here(position, path, slots=slots, seed=number, job_nodes=nodes)
        assert_same_score(exact(proof.score), oracle.score(position), minimal)
        assert proof.progress.question is None
        for move, score in proof.moves.items():
            if isinstance(score, Exact):
                truth = oracle.after(position, move)
                assert score.value == truth.value
        facts += check_facts(position, path, oracle)
        jobs += proof.progress.done
        again = look_at(position, path)
        assert (again.score, again.nodes) == (proof.score, proof.nodes)
    assert jobs > 9, "the trees have not grown: the test shows nothing"
    assert facts >= jobs


def test_distances_may_be_longer_than_what_is_left_to_play(tmp_path: Path) -> None:
    """Breakthrough counts pieces there: a question that was answered already was asked again."""
    start = mossa.game("breakthrough:5x3").start()
    proof = prove_here(start, tmp_path / "a.journal", slots=1, seed=1, job_nodes=2000)
    assert proof.score == mossa.solve(start).score == Exact(-1, 18)
    assert proof.progress.done > 1


def test_games_in_python_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody knows how long they are, so a margin was proven before anything was looked at."""
    monkeypatch.chdir(tmp_path)
    Path("nim.py").write_text(NIM)
    position = mossa.game("nim.py:Nim").start()
    for call in (prove, look_at):
        with pytest.raises(GameError, match=r"is for mossa's own games, not for one in Python"):
            call(position, "a.journal")
    assert not Path("a.journal").exists()


@pytest.mark.parametrize(
    ("name", "nodes"),
    [("connect:4x5x4", 100), ("mnk:3x3x3", 5), ("mnk:5x5x4", 2000), ("kalah:3x3", 5)],
)
def test_the_line_of_a_proof_keeps_its_score(name: str, nodes: int, tmp_path: Path) -> None:
    position = mossa.game(name).start()
    proof = prove_here(position, tmp_path / "a.journal", slots=2, job_nodes=nodes)
    assert proof.progress.done > 1
    line = proof.line(Solver(position.game, memory=1, book=None))
    end = position.after(line)
    assert end.outcome is not None
    score = exact(proof.score)
    assert end.outcome.value == score.value
    assert score.distance is None or len(line) <= score.distance


def test_symmetric_positions_are_one_job(tmp_path: Path) -> None:
    position = mossa.game("mnk:3x3x3").start()
    prove_here(position, tmp_path / "a.journal", job_nodes=5)
    first = look_at(position, tmp_path / "a.journal").history[0]
    assert first.looks is not None
    assert [look.move for look in first.looks] == ["a1", "b1", "b2"]


def test_workers_get_different_positions_and_jobs_grow(tmp_path: Path) -> None:
    from mossa.solving import proof_jobs

    given: list[Job] = []

    def noted(job: Job) -> Found:
        given.append(job)
        return work(job)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(proof_jobs, "work", noted)
        position = mossa.game("connect:4x5x4").start()
        prove_here(position, tmp_path / "a.journal", slots=3, job_nodes=50)
    assert given[0].question is None
    asked = [(job.position.key, job.question) for job in given]
    assert len(set(asked)) == len(asked), "a position was asked the same twice"
    by_ply = {job.position.ply: job.nodes for job in given}
    assert len(by_ply) > 2
    assert all(nodes == 50 * 2**ply for ply, nodes in by_ply.items())


def test_workers_hear_of_what_others_have_found() -> None:
    news = _News()
    bound = Exact(0, 16)

    def done(worker: str, findings: bytes, heard: int = 0) -> None:
        news.take(Found(bound, bound, 1, 0.1, findings=findings, worker=worker, heard=heard), 2)

    done("a", b"one")
    assert news.all() == ((1, b"one"),)
    done("b", b"two", heard=1)
    assert news.all() == ((1, b"one"), (2, b"two")), "the first knows what it has found, not more"
    done("a", b"", heard=2)
    assert news.all() == ((2, b"two"),)
    done("b", b"x" * MOST_NEWS, heard=2)
    assert news.all() == ((3, b"x" * MOST_NEWS),)
    done("c", b"four", heard=3)  # has taken the place of one that died
    done("b", b"", heard=4)
    assert news.all() == ((4, b"four"),)
    done("c", b"", heard=4)
    assert news.all() == ()


def test_progress_is_told(tmp_path: Path) -> None:
    told: list[ProofProgress] = []
    position = mossa.game("kalah:3x3").start()
    prove_here(position, tmp_path / "a.journal", job_nodes=30, report=told.append)
    assert [each.done for each in told] == sorted(each.done for each in told)
    bounds = [each.score for each in told if isinstance(each.score, Bound)]
    assert bounds
    questions = {each.question.value for each in told if each.question is not None}
    assert questions
    assert all(each.proof > 0 or each.disproof > 0 for each in told)
    assert told[-1].question is None and told[-1].open == 0
    assert told[-1].nodes == look_at(position, tmp_path / "a.journal").nodes


def test_time_ends_a_run_and_the_next_one_goes_on(tmp_path: Path) -> None:
    position, path = mossa.game("connect:4x5x4").start(), tmp_path / "a.journal"
    runs = 0
    while isinstance(prove_here(position, path, job_nodes=100, time=1e-9).score, Bound):
        before = len(look_at(position, path).history)
        told: list[ProofProgress] = []

        def stop(progress: ProofProgress, told: list[ProofProgress] = told) -> None:
            told.append(progress)
            if len(told) == 5:
                raise KeyboardInterrupt

        try:
            prove_here(position, path, job_nodes=100, report=stop)
        except KeyboardInterrupt:
            assert len(look_at(position, path).history) > before
        runs += 1
        assert runs < 100
    assert runs > 2
    assert look_at(position, path).score == Exact(0, 20)


# --- the journal ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The journal of a finished proof of POSITION."""
    path = tmp_path_factory.mktemp("proofs") / "whole.journal"
    assert prove_here(start(), path, job_nodes=100).score == Exact(0, 16)
    return path.read_bytes()


def start() -> Position:
    return mossa.game("connect:4x4x4").start()


def test_a_proof_goes_on_where_it_was_cut(whole: bytes, tmp_path: Path) -> None:
    """At whatever byte: no line that is whole is lost, and the score is the same."""
    path = tmp_path / "cut.journal"
    chosen = random.Random(3)
    assert whole.count(b"\n") > 8
    for size in (0, 5, 40, *(chosen.randrange(len(whole)) for _ in range(12)), len(whole) - 1):
        path.write_bytes(whole[:size])
        assert prove_here(start(), path, job_nodes=100).score == Exact(0, 16)
        kept = whole[: whole[:size].rfind(b"\n") + 1]
        assert path.read_bytes().startswith(kept)


def test_a_finished_proof_is_only_read(whole: bytes, tmp_path: Path) -> None:
    path = tmp_path / "done.journal"
    path.write_bytes(whole)
    proof = prove(start(), path)  # with processes: none is started
    assert (proof.score, proof.progress.done) == (Exact(0, 16), whole.count(b"\n") - 1)
    assert path.read_bytes() == whole


def refused(path: Path, position: Position | None = None) -> str:
    """What is said of a journal that is refused, unchanged."""
    before = path.read_bytes()
    for read in (look_at, partial(prove_here, job_nodes=100)):
        with pytest.raises(GameError) as error:
            read(position or start(), path)
    assert path.read_bytes() == before
    assert "\n" not in str(error.value)
    assert str(path) in str(error.value)
    return str(error.value)


def test_every_damage_is_refused_or_mended(whole: bytes, tmp_path: Path) -> None:
    """A byte anywhere: the line is the last one and done again, or the file is refused."""
    path = tmp_path / "damaged.journal"
    chosen = random.Random(5)
    last = whole[:-1].rfind(b"\n") + 1
    seen = set()
    for _ in range(60):
        at = chosen.randrange(len(whole))
        damaged = bytearray(whole)
        damaged[at] ^= 1 << chosen.randrange(8)
        path.write_bytes(damaged)
        if at < last:
            seen.add(re.sub(r"\d+", "N", refused(path))[-40:])
        else:
            assert prove_here(start(), path, job_nodes=100).score == Exact(0, 16)
            assert path.read_bytes().startswith(whole[:last])
    assert len(seen) >= 1


def test_damage_names_the_line_and_how_to_save_the_rest(whole: bytes, tmp_path: Path) -> None:
    path = tmp_path / "damaged.journal"
    lines = whole.splitlines(keepends=True)
    path.write_bytes(b"".join((*lines[:4], lines[4].replace(b"low", b"lou"), *lines[5:])))
    message = refused(path)
    assert "line 5 does not hold" in message
    assert "head -n 4" in message
    path.write_bytes(b"".join(lines[:4]))  # as the message says
    assert prove_here(start(), path, job_nodes=100).score == Exact(0, 16)


@pytest.mark.parametrize("how", ["missing", "twice", "swapped", "first"])
def test_lines_out_of_place_are_refused(how: str, whole: bytes, tmp_path: Path) -> None:
    lines = whole.splitlines(keepends=True)
    if how == "missing":
        del lines[3]
    elif how == "twice":
        lines.insert(3, lines[3])
    elif how == "swapped":
        lines[3], lines[4] = lines[4], lines[3]
    else:
        del lines[1]
    path = tmp_path / "other.journal"
    path.write_bytes(b"".join(lines))
    assert "should be result" in refused(path)


def line(text: str) -> bytes:
    return f"{text} {zlib.crc32(text.encode()):08x}\n".encode()


def result(number: int, **changes: str) -> bytes:
    fields = {
        "moves": '""',
        "low": "[-1,2]",
        "high": "[1,1]",
        "nodes": "1",
        "seconds": "0.1",
        "at": "0.1",
        "asked": "null",
        "proof": "1",
        "disproof": "null",
        **changes,
    }
    text = ",".join(f'"{name}":{value}' for name, value in fields.items())
    return line(f"{number} {{{text}}}")


HEAD = b"mossa proof journal 1: connect:4x4x4, board ..../..../..../....\n"


@pytest.mark.parametrize(
    ("lines", "part"),
    [
        ([line("1 nonsense")], "result 1 is not one"),
        ([line("1 [1,2]")], "result 1 is not one"),
        ([line("1 {}")], "result 1 is not one"),
        ([line("1 " + "[" * 50_000)], "result 1 is not one"),
        ([result(1, nodes="1.5")], "result 1 is not one"),
        ([result(1, low="[0,1,2]")], "result 1 is not one"),
        ([result(1, looks="[[]]")], "result 1 is not one"),
        ([result(1), result(3)], "should be result 2"),
        ([result(1, moves='"9"')], "result 1: illegal move '9'"),
        ([result(1, moves='"1 1"')], "result 1: no line before leads to '1 1'"),
        ([result(1, low="[12]")], "no position of connect:4x4x4 has the score +12"),
        ([result(1, high="[1]")], "no position of connect:4x4x4 has the score +1"),
        ([result(1, low="[7,3]")], "has the score +7"),
        ([result(1, low="[1,5]", high="[0,16]")], "contradict each other"),
        ([result(1, low="[1,9]"), result(2, high="[0,16]")], "result 2: two results contradict"),
        ([result(1, looks='[["9",[-1,2],[1,1],0]]')], "no such move after no moves: '9'"),
    ],
)
def test_results_that_cannot_be_are_refused(lines: list[bytes], part: str, tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    path.write_bytes(HEAD + b"".join(lines))
    assert part in refused(path)


def test_lies_that_contradict_the_moves_are_found(tmp_path: Path) -> None:
    """The root is said to be won; then all its moves are said to lose."""
    path = tmp_path / "lies.journal"
    looks = ",".join(f'["{move}",[-1,2],[1,1],0]' for move in (1, 2))
    lines = [result(1, looks=f"[{looks}]"), result(2, low="[1,9]")]
    lines += [result(3 + at, moves=f'"{move}"', low="[0,15]") for at, move in enumerate((1, 2))]
    path.write_bytes(HEAD + b"".join(lines))
    assert "result 4: two results contradict each other" in refused(path)


def test_a_lie_that_contradicts_nothing_is_believed(tmp_path: Path) -> None:
    """As the documentation says: a journal is only as good as whoever wrote it."""
    path = tmp_path / "lie.journal"
    path.write_bytes(HEAD + result(1, low="[1,9]", high="[1,9]"))
    assert look_at(start(), path).score == Exact(1, 9)


def test_journals_of_other_work_are_refused(whole: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    path.write_bytes(whole)
    other = refused(path, mossa.game("connect:5x4x4").start())
    assert "journal of another proof, of 'connect:4x4x4, board" in other
    assert "and not of 'connect:5x4x4, board" in other
    assert "journal of another proof" in refused(path, start().play("1"))
    path.write_bytes(whole.replace(b"journal 1", b"journal 2", 1))
    assert "is a journal of format '2'; this program reads format 1" in refused(path)
    for content in (b"hello", b"hello\n", b"mossa book journal 1: connect:4x4x4\n", b"\0\0\0"):
        path.write_bytes(content)
        assert "is not the journal of a proof: choose another name" in refused(path)


def test_files_that_cannot_be_journals(tmp_path: Path) -> None:
    with pytest.raises((GameError, OSError), match=re.escape(str(tmp_path))):
        prove_here(start(), tmp_path)
    with pytest.raises((GameError, OSError), match="No such file"):
        prove_here(start(), tmp_path / "no" / "such")
    with pytest.raises(BookError, match="there is no journal"):
        look_at(start(), tmp_path / "none.journal")


def test_a_journal_in_use_is_refused_and_can_be_looked_at(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    looked: list[int] = []

    def second(progress: ProofProgress) -> None:
        if progress.done == 3 and not looked:
            with pytest.raises(BookError, match=r"'.*' is in use: another process works on it"):
                prove_here(start(), path)
            looked.append(len(look_at(start(), path).history))

    prove_here(start(), path, job_nodes=100, report=second)
    assert looked == [3]


def test_a_full_disk_keeps_what_is_proven(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "full.journal"
    from mossa.solving.journal import Journal

    write = Journal._append
    room = [6]

    def full(self: Journal, text: bytes) -> None:
        room[0] -= 1
        if room[0] < 0:
            write(self, text[:10])  # as much as there is room for
            raise BookError("cannot write: " + os.strerror(errno.ENOSPC))
        write(self, text)

    with monkeypatch.context() as patch:
        patch.setattr(Journal, "_append", full)
        with pytest.raises(BookError, match="No space left"):
            prove_here(start(), path, job_nodes=100)
    kept = path.read_bytes()
    assert kept.count(b"\n") == 6 and not kept.endswith(b"\n")
    assert prove_here(start(), path, job_nodes=100).score == Exact(0, 16)
    assert path.read_bytes().startswith(kept[: kept.rfind(b"\n") + 1])


@pytest.mark.parametrize(
    ("settings", "part"),
    [
        ({"workers": 0}, "invalid workers '0': 1 to 256"),
        ({"threads": 0}, "invalid threads '0': 1 to 256"),
        ({"job_nodes": 0}, "invalid nodes of a job '0'"),
        ({"memory": 0}, "invalid memory '0'"),
        ({"memory": 10**9}, "invalid memory"),
        ({"book": "no-such.book"}, "no-such.book"),
        ({"book": "a.book", "cluster": "tcp://127.0.0.1:9"}, "does not go to a cluster"),
    ],
)
def test_settings_are_checked_before_anything_is_written(
    settings: dict[str, object], part: str, tmp_path: Path
) -> None:
    path = tmp_path / "a.journal"
    with pytest.raises((GameError, OSError), match=re.escape(part)):
        prove(start(), path, **settings)  # type: ignore[arg-type]
    assert not path.exists()


def test_a_game_that_is_over_is_refused(tmp_path: Path) -> None:
    over = start().after("1 2 1 2 1 2 1")
    assert over.outcome is not None
    with pytest.raises(GameError, match="nothing to prove: the game is over"):
        prove(over, tmp_path / "a.journal")


# --- processes that die ---------------------------------------------------------------------------

PROVE = """
import sys, mossa
from mossa.solving.proof_jobs import prove
if __name__ == "__main__":
    name, path, nodes, cluster = sys.argv[1:]
    proof = prove(mossa.game(name).start(), path, workers=None if cluster else 2, memory=1,
                  book=None, job_nodes=int(nodes), cluster=cluster or None)
    print(proof.score)
"""


class Run:
    """A driver in a process of its own."""

    def __init__(
        self,
        path: Path,
        name: str,
        nodes: int,
        cluster: str = "",
        before: Callable[[], None] | None = None,
    ) -> None:
        self.path = path
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROVE, name, str(path), str(nodes), cluster],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=before,
        )

    def results(self) -> int:
        return self.path.read_bytes().count(b"\n") if self.path.exists() else 0

    def grows(self, more: int) -> bool:
        """Wait until there are more results; False if the proof is finished before."""
        goal = self.results() + more
        until(lambda: self.results() >= goal or self.process.poll() is not None, 120)
        return self.process.poll() is None

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate()

    def end(self) -> str:
        output, errors = self.process.communicate(timeout=300)
        assert self.process.returncode == 0, errors
        return output.strip()


def kill_again_and_again(path: Path, name: str, nodes: int, kills: int, wanted: str) -> None:
    """Kill workers and drivers in turn; no result may be lost, and the score must be right."""
    run = Run(path, name, nodes)
    kept = b""
    workers_killed = 0
    for number in range(kills):
        assert run.grows(2), "the proof is over before it was killed often enough"
        if number % 2:
            pids = [pid for pid in children(run.process.pid) if _is_worker(pid)]
            if pids:
                os.kill(pids[number % len(pids)], signal.SIGKILL)
                workers_killed += 1
            continue
        run.kill()
        content = path.read_bytes()
        assert content.startswith(kept), "a result was lost"
        kept = content[: content.rfind(b"\n") + 1]
        run = Run(path, name, nodes)
    assert run.end() == wanted
    assert workers_killed or kills < 2
    assert path.read_bytes().startswith(kept)


def _is_worker(pid: int) -> bool:
    try:
        return b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


@posix
def test_kills_lose_no_result(tmp_path: Path, oracle: BruteForce) -> None:
    path = tmp_path / "killed.journal"
    kill_again_and_again(path, "connect:4x4x4", 1, 3, "0 in 16")
    assert check_facts(start(), path, oracle) > 20


@posix
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "nodes", "wanted"),
    [("connect:4x5x4", 2, "0 in 20"), ("kalah:4x5", 20, None), ("mnk:5x5x4", 20, "0 in 25")],
)
def test_twenty_kills_lose_no_result(
    name: str, nodes: int, wanted: str | None, tmp_path: Path
) -> None:
    path = tmp_path / "killed.journal"
    score = str(mossa.solve(mossa.game(name).start(), book=None).score)
    assert wanted in (None, score)
    kill_again_and_again(path, name, nodes, 20, score)
    solver = Solver(mossa.game(name), memory=64, book=None)
    position = mossa.game(name).start()
    for entry in look_at(position, path).history:
        truth = solver.solve(position.after(entry.moves)).proven
        assert entry.low.value <= truth.value <= entry.high.value


@posix
@pytest.mark.slow
def test_kills_on_a_cluster_lose_no_result(tmp_path: Path) -> None:
    """Of its workers, its scheduler and the driver, in turn; whatever dies is started again."""
    pytest.importorskip("distributed")
    name, nodes, path = "connect:4x5x4", 2, tmp_path / "killed.journal"
    cluster = Cluster(tmp_path)
    try:
        cluster.wait_for_workers()
        run, kept = Run(path, name, nodes, cluster.address), b""
        for number in range(9):
            assert run.grows(2), "the proof is over before it was killed often enough"
            if number % 3 == 0:
                cluster.workers[0].kill()
                cluster.replace_worker(0)
                continue
            if number % 3 == 1:
                cluster.scheduler.kill()
                _, errors = run.process.communicate(timeout=120)
                assert run.process.returncode, "it cannot go on without a scheduler"
                assert "ClusterError: the cluster has gone" in errors
                cluster.stop()
                cluster = Cluster(Path(tempfile.mkdtemp(dir=tmp_path)))
                cluster.wait_for_workers()
            else:
                run.kill()
            content = path.read_bytes()
            assert content.startswith(kept), "a result was lost"
            kept = content[: content.rfind(b"\n") + 1]
            run = Run(path, name, nodes, cluster.address)
        assert run.end() == "0 in 20"
        assert path.read_bytes().startswith(kept)
    finally:
        cluster.stop()


@posix
def test_a_disk_without_room_is_no_loss(tmp_path: Path) -> None:
    import resource

    path = tmp_path / "full.journal"
    limit = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (1500, 1500))
    run = Run(path, "connect:4x4x4", 100, before=limit)
    _, errors = run.process.communicate(timeout=120)
    assert f"cannot write '{path}': File too large; what is proven is kept" in errors
    assert path.stat().st_size == 1500
    kept = path.read_bytes()
    assert prove_here(start(), path, job_nodes=100).score == Exact(0, 16)
    assert path.read_bytes().startswith(kept[: kept.rfind(b"\n") + 1])


def test_a_worker_of_another_version_does_no_job() -> None:
    """One that joins a cluster later is not asked before."""
    settings = Settings("0.0.1", memory=1, threads=1, book=None, job_nodes=1)
    with pytest.raises(
        mossa.ClusterError, match=r"a worker has mossa .*, and this is mossa 0\.0\.1"
    ):
        work(Job(start(), None, 1, settings))


def test_a_job_that_kills_its_workers_ends_the_proof(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three workers die of one position, and nothing that was proven is lost."""
    from mossa.cluster import WorkerLostError
    from mossa.solving import proof_jobs

    tries: list[str] = []

    def result(
        self: proof_jobs._Driver, future: object, running: proof_jobs._Running
    ) -> Found | None:
        if running.job.position.history_text == "2":
            tries.append("2")

            class Lost:
                def result(self) -> Found:
                    raise WorkerLostError("a worker process died (signal 9)")

            future = Lost()
        return kept(self, future, running)  # type: ignore[arg-type]

    kept = proof_jobs._Driver._result
    monkeypatch.setattr(proof_jobs._Driver, "_result", result)
    path = tmp_path / "a.journal"
    with pytest.raises(GameError, match=r"3 workers died of the position after 2 .*signal 9"):
        prove_here(start(), path, job_nodes=100)
    assert len(tries) == 3
    monkeypatch.undo()
    assert prove_here(start(), path, job_nodes=100).score == Exact(0, 16)
