"""Manchester's protocol: whole games under a scripted referee, and one that talks nonsense."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from programs import until

import mossa
from mossa.protocols import serve_manchester
from mossa.protocols.manchester.serve import GAME


class Agent:
    """A served player in a thread, with queues for pipes."""

    def __init__(self, spec: str, **options: object) -> None:
        self.told: list[str] = []
        self._to: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._from: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._thread = threading.Thread(
            target=serve_manchester,
            args=(spec, self._lines(), self._from.put),
            kwargs={"tell": self.told.append, "time": 0.05, **options},
            daemon=True,
        )
        self._thread.start()

    def _lines(self) -> Iterator[str]:
        while (line := self._to.get()) is not None:
            yield f"{line}\n"

    def say(self, line: str) -> None:
        self._to.put(line)

    def answer(self) -> str:
        return self._from.get(timeout=20)

    def silent(self) -> bool:
        return self._from.empty()

    def end(self, line: str | None = None) -> None:
        if line is not None:
            self._to.put(line)
        self._to.put(None)
        self._thread.join(20)
        assert not self._thread.is_alive()


def board(position: mossa.Position, swapped: bool) -> str:
    """The board as the referee writes it: North first, South being who began."""
    south, north = reversed(position.cells) if swapped else position.cells
    return ",".join(map(str, [*north, *south]))


def referee(agent: Agent, opponent: mossa.Player, side: str) -> tuple[mossa.Position, list[str]]:
    """Play a whole game; the rules are ours, the words those of the course's referee."""
    agents = side
    swapped = False
    position = mossa.game(GAME).start()
    moves: list[str] = []
    agent.say(f"START;{side}")
    while position.outcome is None:
        to_move = "South" if (position.side.value == 0) is not swapped else "North"
        # After a swap in our rules first has the pits of North; the referee moves the players.
        mine = to_move == agents
        if mine:
            word, _, pit = agent.answer().partition(";")
            move = pit if word == "MOVE" else word.lower()
        else:
            move = str(opponent.choose(position, mossa.Limits(depth=2)).move)
        moves.append(move)
        position = position.play(move)
        if move == "swap":
            swapped = True
            agents = "North" if agents == "South" else "South"
            if mine:
                continue  # who swaps is not told
        next_side = "South" if (position.side.value == 0) is not swapped else "North"
        turn = "END" if position.outcome else "YOU" if next_side == agents else "OPP"
        agent.say(f"CHANGE;{move.upper()};{board(position, swapped)};{turn}")
    agent.end("END")
    return position, moves


def swapper(position: mossa.Position) -> str:
    """A player that swaps when it can."""
    return str(position.moves[-1] if "swap" in map(str, position.moves) else position.moves[0])


def stayer(position: mossa.Position) -> str:
    """A player that never swaps."""
    return str(position.moves[0])


@pytest.mark.parametrize("side", ["South", "North"])
@pytest.mark.parametrize("opponent", [swapper, stayer])
def test_whole_games(side: str, opponent: Callable[[mossa.Position], str]) -> None:
    agent = Agent("alphabeta:depth=3")
    end, moves = referee(agent, mossa.player(opponent), side)
    assert end.outcome is not None
    assert agent.told == []
    if side == "South" and opponent is swapper:
        assert moves[1] == "swap"


def test_it_swaps_when_that_is_better_and_only_then(tmp_path: Path) -> None:
    file = tmp_path / "swapper.py"
    file.write_text(
        "def swapper(position):\n"
        "    moves = position.moves\n"
        "    return moves[-1] if 'swap' in map(str, moves) else moves[0]\n"
    )
    agent = Agent(f"{file}:swapper")
    end, moves = referee(agent, mossa.player(stayer), "North")
    assert moves[1] == "swap" and moves.count("swap") == 1
    assert end.outcome is not None


def test_the_first_move_of_south_earns_no_extra_turn() -> None:
    """Pit 1 with 7 seeds ends in the store; North is asked, with the right to swap."""
    agent = Agent("alphabeta:depth=4")
    agent.say("START;North")
    agent.say("CHANGE;1;7,7,7,7,7,7,7,0,0,8,8,8,8,8,8,1;YOU")
    assert agent.answer() in {"SWAP", *(f"MOVE;{pit}" for pit in range(1, 8))}
    agent.end("END")


def test_south_begins_at_once_and_the_end_of_input_ends_it() -> None:
    agent = Agent("random:seed=1")
    agent.say("START;South")
    assert agent.answer().startswith("MOVE;")
    agent.end()


def test_end_in_the_middle_of_a_search_is_heard_at_once() -> None:
    agent = Agent("alphabeta", time=60.0)
    before = set(threading.enumerate())
    agent.say("START;South")
    until(lambda: set(threading.enumerate()) - before)  # it thinks
    begin = time.monotonic()
    agent.end("END")
    assert time.monotonic() - begin < 5
    assert agent.silent()


def test_the_clock_of_a_game_is_kept() -> None:
    agent = Agent("alphabeta", time=None, clock=2.0)
    begin = time.monotonic()
    _, moves = referee(agent, mossa.player("random:seed=3"), "South")
    assert len(moves) > 10
    assert time.monotonic() - begin < 20


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("xyzzy", "expected START;South"),
        ("START;West", "expected START;South"),
        ("CHANGE;1;1,2,3;YOU", "2 x 7 pits"),
        ("CHANGE;1;" + ",".join(["-1"] * 16) + ";YOU", "2 x 7 pits"),
        ("CHANGE;1;" + ",".join(["0"] * 16) + ";YOU", "98 seeds in all"),
        ("CHANGE;1;0,0,0,0,0,0,0,49,0,0,0,0,0,0,0,49;YOU", "the game is over"),
        ("CHANGE;" + "9" * 9000 + ";;YOU", "2 x 7 pits"),
        ("\0\1ü", "expected START;South"),
    ],
)
def test_garbage_is_told_to_the_user_and_forgotten(line: str, why: str) -> None:
    agent = Agent("random:seed=1")
    agent.say("START;North")
    agent.say(line)
    agent.say("")
    agent.say("CHANGE;3;8,8,7,7,7,7,7,0,7,7,0,8,8,8,8,1;YOU")
    assert agent.answer()
    agent.end("END")
    assert len(agent.told) == 1 and why in agent.told[0]


def test_other_boards_and_other_games() -> None:
    agent = Agent("random:seed=1", game="kalah:6x4,swap=no")
    agent.say("START;North")
    agent.say("CHANGE;3;4,4,4,4,4,4,0,4,4,0,5,5,5,1;YOU")
    assert agent.answer().startswith("MOVE;")
    agent.end("END")
    with pytest.raises(mossa.GameError, match="for kalah"):
        serve_manchester("random", [], print, game="connect4")


def test_a_player_that_fails_still_moves(tmp_path: Path) -> None:
    file = tmp_path / "broken.py"
    file.write_text("def broken(position):\n    raise RuntimeError('out of ideas')\n")
    agent = Agent(f"{file}:broken")
    agent.say("START;South")
    assert agent.answer() == "MOVE;1"
    assert agent.told == [f"{file}:2: RuntimeError: out of ideas"]
    agent.end("END")
