"""``mossa perft``: move sequences and positions, counted."""

import json
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Annotated, Any

import typer

from mossa._core import Position
from mossa.cli.common import MOVES_HELP, GameName, Json, speed
from mossa.cli.display import working
from mossa.cli.ending import stopped
from mossa.errors import GameError
from mossa.games import game
from mossa.render import position_data


def run(
    game_name: GameName,
    depth: Annotated[
        int | None,
        typer.Argument(
            metavar="DEPTH",
            min=0,
            max=10_000,
            help="The longest sequences to count.",
            show_default=False,
        ),
    ] = None,
    moves: Annotated[str, typer.Option(help=MOVES_HELP, metavar="MOVES")] = "",
    states: Annotated[
        bool,
        typer.Option("--states", help="Count the distinct reachable positions instead."),
    ] = False,
    divide: Annotated[
        bool, typer.Option("--divide", help="Count separately for each first move.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Count move sequences of each length up to DEPTH, or all reachable positions.

    Counts of well-known games are published, so this checks the rules. It also shows how fast they
    run.
    """
    if (depth is None) != states or (states and divide):
        raise GameError("perft needs a DEPTH or --states, not both; --divide goes with a DEPTH")
    if divide and not depth:
        raise GameError("--divide needs a DEPTH of 1 or more")
    position = game(game_name).position(moves)
    rows: list[dict[str, Any]] = []
    total = 0
    for what, count in _to_count(position, depth or 0, states=states, divide=divide):
        begin = time.perf_counter()
        try:
            with working("counting"):
                number = count()
        except KeyboardInterrupt:
            done = bool(rows) and not as_json
            stopped("the counts above are complete" if done else "nothing is counted yet")
        seconds = time.perf_counter() - begin
        total += number
        rows.append({"what": what, "count": number, "seconds": round(seconds, 6)})
        if not as_json:
            # Printed one by one: each takes several times as long as the one before.
            print(f"{what:>8} {number:>20,} {speed(number, seconds)}", flush=True)
    if as_json:
        print(json.dumps({**position_data(position), "counts": rows}))
    elif divide:
        print(f"{'total':>8} {total:>20,}")


def _to_count(
    position: Position, depth: int, *, states: bool, divide: bool
) -> Iterator[tuple[str, Callable[[], int]]]:
    """Yield what is counted, and the work that counts it."""
    if states:
        yield "states", position.count_states
    elif divide:
        for move in position.moves:
            yield str(move), partial(position.play(move).perft, depth - 1)
    else:
        for length in range(depth + 1):
            yield str(length), partial(position.perft, length)
