"""``mossa show``: a position as a board, as SVG or as JSON."""

import json
from typing import Annotated, Any

import typer
from rich.console import Console

from mossa._core import Position
from mossa.cli.common import Board, GameName, Json, Moves, not_with, set_up
from mossa.render import draw, position_data, to_svg


def run(
    game_name: GameName,
    moves: Moves = "",
    board: Board = "",
    svg: Annotated[bool, typer.Option("--svg", help="Print an SVG picture.")] = False,
    as_json: Json = False,
) -> None:
    """Show a position as a board, as SVG or as JSON."""
    not_with({"--svg": svg and as_json}, "--json")
    position = set_up(game_name, moves, board)
    if svg:
        print(to_svg(position))
    elif as_json:
        print(json.dumps(describe(position)))
    else:
        draw(Console(), position)


def describe(position: Position) -> dict[str, Any]:
    """Return all there is to know of a position, as plain data."""
    outcome = position.outcome
    return {
        **position_data(position),
        "legal": [str(move) for move in position.moves],
        "cells": position.cells,
        "outcome": outcome
        and {
            "winner": outcome.winner and outcome.winner.name,
            "value": outcome.value,
            "reason": outcome.reason,
        },
    }
