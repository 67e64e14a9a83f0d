"""A class on the server of a course: how long pages take, and that nothing is ever lost.

python benchmarks/course.py [--minutes 10] [--students 100] [--versions 3] [--kills 20]

Every student has a page open that looks again every few seconds, as a browser does, and hands in
several versions of a small player. Meanwhile the server is killed again and again (kill -9), every
third time with its driver, and started anew. In the end the file of the course must have every
version that was taken, every verdict and every result that anybody was shown, and its counts must
add up; if not, the exit code is 1.

With --sandbox off the players run without one: less is measured of bubblewrap, more of the server.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import httpx

from mossa.course import Course

LOOK = 2.5
"""Seconds between two looks of a page, as in course.js."""
WARM_UP = 600.0
"""Seconds until it begins nevertheless."""
PLAN = """
title = "A class"
boards = ["tictactoe"]
suite = ""
time = 1.0
start = 30.0
uploads_a_day = 1000
rivals = ["random"]
pairs = 10000
"""
PLAYER = '''\
"""Player {number}: takes the first move, or the last."""

def choose(position):
    return position.moves[{index}]
'''
_SHOWN = re.compile(r'<li id="g(\d+)"><span class="(won|drawn|lost)">')


@dataclass
class Seen:
    """What students were told, and how long it took."""

    waits: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    taken: dict[tuple[int, int], str] = field(default_factory=dict)
    """Versions that were taken: student and number to a digest of the file."""
    verdicts: dict[tuple[int, int], str] = field(default_factory=dict)
    results: dict[tuple[int, int], str] = field(default_factory=dict)
    """Student and game to won, drawn or lost."""
    most_games: int = 0
    faults: list[str] = field(default_factory=list)
    broken: int = 0
    """Requests that a killed server did not answer."""


class Server:
    """``mossa course serve``, which may be killed."""

    def __init__(self, folder: Path, arguments: list[str]) -> None:
        """Take the course and options of the command."""
        self._command = [sys.executable, "-m", "mossa", "course", "serve", str(folder)]
        self._command += ["--no-browser", *arguments]
        self.address = ""
        self.process = self._start("0")

    def _start(self, port: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [*self._command, "--port", port],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        assert process.stdout is not None
        found = re.search(r"http://\S+:\d+/", process.stdout.readline())
        assert found, "the server did not start"
        self.address = found[0]
        return process

    def kill(self) -> None:
        """Kill it, and start another one on the same port."""
        port = self.address.rstrip("/").rpartition(":")[2]
        self.process.kill()
        self.process.wait()
        self.process = self._start(port)

    def kill_driver(self) -> None:
        """Kill the driver; the server is to start another one."""
        for child in _children(self.process.pid):
            os.kill(child, signal.SIGKILL)

    def stop(self) -> None:
        """End it as Ctrl-C does."""
        self.process.send_signal(signal.SIGINT)
        self.process.wait(timeout=120)


def _children(parent: int) -> list[int]:
    path = Path(f"/proc/{parent}/task")
    lists = [each / "children" for each in path.iterdir()] if path.exists() else []
    return [int(word) for each in lists for word in each.read_text().split()]


class Student:
    """Somebody with a browser."""

    def __init__(self, number: int, secret: str, client: httpx.AsyncClient, seen: Seen) -> None:
        """Take who it is, and where to write down what was seen."""
        self.number, self._client, self._seen = number, client, seen
        self._headers = {"authorization": f"Bearer {secret}"}
        self._tags: dict[str, str] = {}

    async def live(self, until: float, versions: int, given: int = 0) -> None:
        """Look at pages until the time is up, and hand in versions on the way."""
        began = time.monotonic()
        await asyncio.sleep(LOOK * (self.number % 50) / 50)
        while (now := time.monotonic()) < until:
            share = (now - began) / (until - began)
            # The last one in time to be tested.
            if given < versions and share >= 0.6 * given / versions:
                given += await self.hand_in(given + 1)
            await self.look("me" if self.number % 2 else "standings")
            if self.number % 10 == 1:
                await self.count()
            await asyncio.sleep(max(0.0, LOOK - (time.monotonic() - now)))

    async def hand_in(self, number: int) -> bool:
        """Hand in a version; False if nobody said that it was taken."""
        text = PLAYER.format(number=f"{self.number}.{number}", index=-(number % 2)).encode()
        path = "/api/course/submissions?name=player.py"
        answer = await self._ask("hand in", "PUT", path, content=text)
        if answer is None or answer.status_code == 409:
            return False
        if answer.status_code != 201:
            self._seen.faults.append(f"handing in: {answer.status_code} {answer.text[:200]}")
            return True
        key = self.number, answer.json()["version"]
        self._seen.taken[key] = hashlib.sha256(text).hexdigest()
        return True

    async def look(self, page: str) -> None:
        """Look at a page as a browser does, and remember what it says."""
        headers = {"if-none-match": self._tags.get(page, "")}
        answer = await self._ask(page, "GET", f"/pages/course/{page}", headers=headers)
        if answer is None or answer.status_code == 304:
            return
        if answer.status_code != 200:
            self._seen.faults.append(f"{page}: {answer.status_code} {answer.text[:200]}")
            return
        self._tags[page] = answer.headers["etag"]
        for game, outcome in _SHOWN.findall(answer.text):
            known = self._seen.results.setdefault((self.number, int(game)), outcome)
            if known != outcome:
                self._seen.faults.append(f"game {game} was {known} and is {outcome}")

    async def count(self) -> None:
        """Ask how many games there are, and what became of one's versions."""
        answer = await self._ask("count", "GET", "/api/course/standings")
        if answer is not None and answer.status_code == 200:
            games = answer.json()["games"]
            if games < self._seen.most_games:
                self._seen.faults.append(f"there were {self._seen.most_games} games, now {games}")
            self._seen.most_games = max(games, self._seen.most_games)
        answer = await self._ask("versions", "GET", "/api/course/versions")
        if answer is not None and answer.status_code == 200:
            for each in answer.json()["versions"]:
                if each["decided"]:
                    self._seen.verdicts[self.number, each["version"]] = each["state"]

    async def _ask(
        self, kind: str, method: str, path: str, *, headers: dict[str, str] | None = None,
        content: bytes | None = None,
    ) -> httpx.Response | None:  # fmt: skip
        """Ask and take the time; None: the server was killed meanwhile."""
        began = time.perf_counter()
        try:
            answer = await self._client.request(
                method, path, headers={**self._headers, **(headers or {})}, content=content
            )
        except httpx.TransportError:
            self._seen.broken += 1
            await asyncio.sleep(0.2)
            return None
        self._seen.waits[kind].append(time.perf_counter() - began)
        return answer


async def kill_often(server: Server, until: float, kills: int) -> None:
    """Kill the server so many times, at equal distances."""
    began = time.monotonic()
    for number in range(1, kills + 1):
        due = began + number * (until - began) / (kills + 1)
        await asyncio.sleep(due - time.monotonic())
        if number % 3 == 0:
            await asyncio.to_thread(server.kill_driver)
        await asyncio.to_thread(server.kill)


async def run(server: Server, course: Course, secrets: list[str], given: Any) -> Seen:
    """Let a class live for some minutes; return what it saw."""
    seen = Seen()
    limits = httpx.Limits(max_connections=2 * len(secrets))
    async with httpx.AsyncClient(base_url=server.address, limits=limits, timeout=60) as client:
        people = [Student(at, each, client, seen) for at, each in enumerate(secrets, 1)]
        if given.warm_up:
            for each in people:
                await each.hand_in(1)
            deadline = time.monotonic() + WARM_UP
            while course.overview().games < given.warm_up and time.monotonic() < deadline:
                await asyncio.sleep(0.5)
            seen.waits.clear()
        until = time.monotonic() + 60 * given.minutes
        first = 1 if given.warm_up else 0
        lives = [each.live(until, given.versions, first) for each in people]
        await asyncio.gather(*lives, kill_often(server, until, given.kills))
    kills = given.kills
    print(f"killed the server {kills} times, and {kills // 3} times the driver as well")
    return seen


def check(course: Course, seen: Seen) -> list[str]:
    """Return everything that was shown to somebody and is not in the file of the course."""
    lost = list(seen.faults)
    versions = {(each.student, each.number): each for each in course.store.versions()}
    for key, digest in seen.taken.items():
        found = versions.get(key)
        if found is None:
            lost.append(f"version {key[1]} of student {key[0]} was taken and is not there")
        elif hashlib.sha256(course.uploaded_file(found).read_bytes()).hexdigest() != digest:
            lost.append(f"version {key[1]} of student {key[0]} is another file")
    for key, state in seen.verdicts.items():
        now = versions[key].state
        if now != state and (state, now) != ("current", "replaced"):
            lost.append(f"version {key[1]} of student {key[0]} was {state} and is {now}")
    for (student, game), outcome in seen.results.items():
        played = course.store.game(game)
        if played is None or played.result is None:
            lost.append(f"game {game} was {outcome} for student {student} and is not there")
    counted = sum(duel.games for duel in course.store.duels())
    finished = course.store.count_finished()
    if not seen.most_games <= finished:
        lost.append(f"{seen.most_games} games were counted, and {finished} are there")
    if counted > finished:
        lost.append(f"{counted} results are counted of {finished} games")
    return lost


def report(course: Course, seen: Seen) -> None:
    """Print what was measured."""
    for kind, waits in sorted(seen.waits.items()):
        late = quantiles(waits, n=100)[-1] if len(waits) > 1 else waits[0]
        print(
            f"{kind:10} {len(waits):6} answers, median {1000 * median(waits):6.1f} ms, "
            f"99 % {1000 * late:6.0f} ms, longest {1000 * max(waits):6.0f} ms"
        )
    overview = course.overview()
    print(
        f"{len(seen.taken)} versions taken, {len(seen.verdicts)} verdicts and {len(seen.results)} "
        f"results seen, {overview.games} games played, {overview.on_ladder} on the ladder, "
        f"{overview.waiting} still to be tested; {seen.broken} requests hit a dead server"
    )


def main() -> None:
    """Do what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--students", type=int, default=100)
    parser.add_argument("--versions", type=int, default=3)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument(
        "--warm-up", type=int, default=0, metavar="GAMES", help="play so many before it begins"
    )
    parser.add_argument("--sandbox", choices=["on", "off"], default="on")
    parser.add_argument("--workers", type=int)
    given = parser.parse_args()
    place = Path(tempfile.mkdtemp(prefix="mossa-course-"))
    try:
        course, _ = Course.create(place / "course")
        (place / "course" / "course.toml").write_text(PLAN, encoding="utf-8")
        names = "".join(f"Student {number}\n" for number in range(1, given.students + 1))
        links, _ = course.add_students(names)
        arguments = [f"--sandbox={given.sandbox}"]
        arguments += [f"--workers={given.workers}"] if given.workers else []
        secrets = [each.link.partition("#")[2] for each in links]
        server = Server(place / "course", arguments)
        try:
            seen = asyncio.run(run(server, course, secrets, given))
        finally:
            server.stop()
        report(course, seen)
        lost = check(course, seen)
        course.close()
    finally:
        shutil.rmtree(place, ignore_errors=True)
    print(f"{len(lost)} lost" + "".join(f"\n  {each}" for each in lost[:20]))
    sys.exit(bool(lost))


if __name__ == "__main__":
    main()
