"""What the arena costs: per move, per game, and after kill -9.

    python benchmarks/arena.py [overhead] [roundtrip] [games] [kills]

The goals: under 50 microseconds of Python a move outside the search for a player in this process; a
round trip under 2 ms for an external program; 10,000 games of tic-tac-toe between random players in
under 30 s on two cores; after kill -9 at 20 random moments no game lost and none played twice.
"""

import argparse
import json
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import mossa
from mossa.arena.store import Store

ROOT = Path(__file__).parents[1]
STARTERS = ROOT / "src" / "mossa" / "templates" / "player"


class Instant:
    """Plays a move that it is given, so that all the time is the arena's."""

    name = "instant"
    keeps_time = True

    def __init__(self) -> None:
        """Count what its own answers take."""
        self.seconds = 0.0
        self.moves = 0

    def choose(self, position: mossa.Position, limits: mossa.Limits) -> mossa.Choice:
        """Answer at once."""
        begin = time.perf_counter()
        choice = mossa.Choice(position.moves[0])
        self.seconds += time.perf_counter() - begin
        self.moves += 1
        return choice


class Watched(Instant):
    """The same, but not trusted: it thinks in a thread."""

    keeps_time = False


def overhead() -> None:
    """Microseconds a move outside the player."""
    for kind in (Instant, Watched):
        for game in ("connect4", "kalah", "mnk:15x15x5"):
            rounds = []
            for _ in range(5):
                player = kind()
                begin = time.perf_counter()
                while player.moves < 2000:
                    mossa.match(player, player, game, time=1)
                rounds.append((time.perf_counter() - begin - player.seconds) / player.moves)
            best, middle = min(rounds) * 1e6, statistics.median(rounds) * 1e6
            print(
                f"overhead, {kind.__name__.lower()} player, {game}: {middle:.1f} us a move "
                f"(median of 5 rounds of 2000 moves; best {best:.1f}), the record included",
                flush=True,
            )


def roundtrip() -> None:
    """Milliseconds a move of external programs that answer at once."""
    with tempfile.TemporaryDirectory() as folder:
        commands = {"Python": f"{sys.executable} {ROOT / 'examples' / 'bots' / 'bot.py'}"}
        if shutil.which("cc"):
            source = str(STARTERS / "c" / "bot.c")
            subprocess.run(["cc", "-O2", "-o", f"{folder}/bot", source], check=True)
            commands["C"] = f"{folder}/bot"
        if shutil.which("javac"):
            subprocess.run(["javac", "-d", folder, str(STARTERS / "java" / "Bot.java")], check=True)
            commands["Java"] = f"java -cp {folder} Bot"
        for language, command in commands.items():
            times: list[float] = []
            while len(times) < 1000:
                record = mossa.match(f"ugi:{command}", f"ugi:{command}", "kalah", time=5)
                told = record.extra["times_ms"]
                assert isinstance(told, list) and "forfeit" not in record.extra
                times += told
            times.sort()
            print(
                f"round trip, starter bot in {language}: median {statistics.median(times):.3f} ms, "
                f"99% {times[len(times) * 99 // 100]:.3f} ms, {len(times)} moves",
                flush=True,
            )


def games() -> None:
    """Seconds for 10,000 games of tic-tac-toe."""
    with tempfile.TemporaryDirectory() as folder:
        begin = time.perf_counter()
        report = mossa.tournament(
            ["a=random", "b=random"],
            ["tictactoe"],
            rounds=5000,
            store=Path(folder, "t.db"),
            workers=2,
        )
        seconds = time.perf_counter() - begin
    print(f"{report.done:,} games of tic-tac-toe, two workers: {seconds:.1f} s", flush=True)


def kills(moments: int = 20) -> None:
    """Kill the driver at random moments, resume, and count."""
    rng = random.Random(1)
    players = ("a=random", "b=alphabeta:depth=3", "--game", "connect4", "--game", "kalah")
    command = [sys.executable, "-m", "mossa", "tournament"]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "t.db")
        kept: dict[int, str] = {}
        lost = doubled = 0
        arguments = ["run", str(path), *players, "--rounds", "2000"]
        for _ in range(moments):
            driver = subprocess.Popen([*command, *arguments], stdout=subprocess.DEVNULL)
            time.sleep(0.8 + 1.5 * rng.random())
            driver.kill()
            driver.wait()
            if not path.exists():
                continue  # killed before it had begun
            arguments = ["resume", str(path)]
            with Store.look(path) as store:
                now = {pairing.id: json.dumps(dict(r.extra)) for pairing, r in store.records()}
            lost += len(kept.keys() - now.keys())
            doubled += sum(now[number] != text for number, text in kept.items() if number in now)
            kept = now
        done = subprocess.run([*command, *arguments, "--json"], capture_output=True, check=True)
        report = json.loads(done.stdout)
        with Store.look(path) as store:
            now = {pairing.id: json.dumps(dict(r.extra)) for pairing, r in store.records()}
        lost += len(kept.keys() - now.keys()) + report["total"] - len(now)
        doubled += sum(now[number] != text for number, text in kept.items())
    print(
        f"kill -9 at {moments} random moments, then resume: {report['done']:,} of "
        f"{report['total']:,} games, {lost} lost, {doubled} played twice "
        f"({len(kept):,} were finished at the last kill)",
        flush=True,
    )


def main() -> None:
    """Run what was asked for, or all."""
    parts = {"overhead": overhead, "roundtrip": roundtrip, "games": games, "kills": kills}
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("parts", nargs="*", choices=[*parts, []], help="all without")
    for name in parser.parse_args().parts or parts:
        parts[name]()


if __name__ == "__main__":
    main()
