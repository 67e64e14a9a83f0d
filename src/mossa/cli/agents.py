"""The agents of ``mossa tournament kgp``: who is waited for, and how long."""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from mossa.arena.plan import Plan
from mossa.arena.store import Store
from mossa.errors import GameError
from mossa.protocols.kgp.lobby import Lobby

AGENT = "kgp:"
"""What the spec of an agent in a tournament begins with."""


@contextmanager
def lobby_of(plan: Plan, port: int, *, anywhere: bool) -> Iterator[Lobby]:
    """Listen for the agents of a plan; as long as it has none, everybody may come."""
    expected = [each.name for each in plan.entrants if each.spec.startswith(AGENT)]
    taken = set(plan.names) - set(expected)
    lobby = Lobby(port, anywhere=anywhere, expected=expected, taken=taken, tell=tell)
    try:
        tell(f"agents connect to {lobby.address}, or ws://{lobby.address}")
        yield lobby
    finally:
        lobby.close()


def awaited(store: Store) -> list[str]:
    """Return the agents that still have games to play; raise GameError if it was never theirs."""
    if not any(each.spec.startswith(AGENT) for each in store.plan.entrants):
        raise GameError(
            f"the tournament in {store.path} has no agents: mossa tournament resume continues it"
        )
    seen = {at for each in store.open_pairings() for at in (each.first, each.second)}
    entrants = [store.plan.entrants[at] for at in sorted(seen)]
    return [each.name for each in entrants if each.spec.startswith(AGENT)]


def gather_agents(
    lobby: Lobby, names: list[str], *, agents: int | None, wait: float | None
) -> None:
    """Wait for the agents: for those of these names, or for so many."""
    begin = threading.Event()
    if sys.stdin.isatty():

        def press() -> None:
            sys.stdin.readline()
            begin.set()
            lobby.wake()

        threading.Thread(target=press, daemon=True).start()
        tell("press Enter to begin")
    if names:
        tell(f"waiting for {', '.join(names)}")

    def enough(here: list[str]) -> bool:
        if names:
            return set(names) <= set(here)
        return agents is not None and len(here) >= agents

    lobby.wait(enough, seconds=wait, begin=begin)


def tell(line: str) -> None:
    """Say something to whoever waits; standard output belongs to the report."""
    print(f"mossa: {line}", file=sys.stderr, flush=True)
