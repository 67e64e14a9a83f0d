"""Many people at once: clients that play against a level through one server.

python benchmarks/web.py [CLIENTS] [MOVES] [LEVEL]

Every client begins a game, makes moves and waits for the computer's; any error, and any move that
is not in the saved game afterwards, ends the run.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from statistics import median, quantiles
from typing import Any

import httpx
from websockets.asyncio.client import connect


async def play(address: str, client: httpx.AsyncClient, moves: int, level: int) -> list[float]:
    """Play one game; return the seconds from each own move to the computer's."""
    new = {"game": "connect4", "second": f"level:{level}"}
    game: dict[str, Any] = (await client.post("/api/games", json=new)).raise_for_status().json()
    waits: list[float] = []
    origin: Any = address.rstrip("/")
    async with connect(f"{address.replace('http', 'ws')}api/live", origin=origin) as socket:
        for number in range(moves):
            if game["end"]:
                break
            move = random.choice(game["position"]["legal"])["move"]
            sent = {"move": move, "version": game["version"]}
            began = time.perf_counter()
            answer = await client.post(f"/api/games/{game['id']}/moves", json=sent)
            game = answer.raise_for_status().json()
            if game["end"]:
                break
            wanted = {"do": "think", "id": game["id"], "version": game["version"]}
            await socket.send(json.dumps({"request": number, **wanted}))
            said: dict[str, Any] = {}
            while "game" not in said:
                said = json.loads(await socket.recv())
                assert "error" not in said, said
            game = said["game"]
            waits.append(time.perf_counter() - began)
    saved = (await client.get(f"/api/games/{game['id']}")).raise_for_status().json()
    assert saved == game, "a move was lost"
    return waits


async def run(address: str, clients: int, moves: int, level: int) -> None:
    """Let all clients play at once and print what they had to wait."""
    limits = httpx.Limits(max_connections=clients)
    began = time.perf_counter()
    async with httpx.AsyncClient(base_url=address, limits=limits, timeout=120) as client:
        games = (play(address, client, moves, level) for _ in range(clients))
        waits = [wait for each in await asyncio.gather(*games) for wait in each]
    taken = time.perf_counter() - began
    print(
        f"{clients} clients, level {level}: {len(waits)} answers in {taken:.1f} s "
        f"({len(waits) / taken:.0f}/s), no error, no lost move; "
        f"median wait {median(waits):.2f} s, 95 % {quantiles(waits, n=20)[-1]:.2f} s"
    )


def main() -> None:
    """Start a server for the run."""
    clients, moves, level = (*map(int, sys.argv[1:]), *(200, 10, 3)[len(sys.argv) - 1 :])
    with tempfile.TemporaryDirectory() as folder:
        command = ["-m", "mossa", "web", "--port", "0", "--no-browser"]
        server = subprocess.Popen(
            [sys.executable, *command, "--games", f"{folder}/games.sqlite"],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert server.stdout is not None
        found = re.search(r"http://\S+/", server.stdout.readline())
        assert found
        try:
            asyncio.run(run(found[0], clients, moves, level))
        finally:
            server.send_signal(signal.SIGINT)
            server.wait()


if __name__ == "__main__":
    main()
