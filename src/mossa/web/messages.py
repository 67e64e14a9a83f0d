"""What pages send: the bodies of requests and the messages of the socket."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from mossa.web.limits import (
    BODY_BYTES,
    CELLS,
    ENTRANTS,
    PUZZLES,
    REMEMBERED,
    SPEC_LENGTH,
    TOURNAMENT_GAMES,
    TOURNAMENT_SECONDS,
    TRACE_NODES,
)

Name = Annotated[str, Field(max_length=SPEC_LENGTH)]
Moves = Annotated[str, Field(max_length=BODY_BYTES // 2)]
Count = Annotated[int, Field(ge=0, le=CELLS)]
Version = Annotated[int, Field(ge=1, le=2**53)]


class _Message(BaseModel):
    """Exactly the fields that are declared, of exactly their types."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Problem(_Message):
    """Why a request was refused."""

    error: str


class NewGame(_Message):
    """A game to begin."""

    game: Name
    first: Name = "human"
    second: Name = "human"
    moves: Moves = ""
    board: Moves = ""
    """To begin from, instead of the usual start."""
    clock: Name = ""
    """Seconds a game, perhaps with an increment: ``300+5``; nothing is no clock."""
    friend: Literal["", "first", "second"] = ""
    """Your side in a game with a friend, who opens its link."""


class MoveMade(_Message):
    """A person's move, in the version of the game that the page shows."""

    move: Name
    version: Version


class Seen(_Message):
    """The version of the game that the page shows."""

    version: Version


class Remembered(_Message):
    """What a browser remembers: saved games by their names, analyses by their addresses."""

    games: Annotated[list[Name], Field(max_length=REMEMBERED)] = []
    analyses: Annotated[list[Moves], Field(max_length=REMEMBERED)] = []


class Invited(_Message):
    """Where the page was loaded from, as a friend's browser shall find it."""

    origin: Name


class Wanted(_Message):
    """A position to look at; a board text may stand for the start."""

    game: Name
    moves: Moves = ""
    board: Moves = ""


class WantedTrace(Wanted):
    """A search to record, by the spec of its player."""

    player: Name
    nodes: Annotated[int, Field(ge=1, le=TRACE_NODES)] = 1000


class WantedPuzzle(_Message):
    """A puzzle to solve: of which game, how hard, how many moves to find, and none of these."""

    game: Name = ""
    rating: Annotated[int, Field(ge=0, le=10_000)] = 1200
    turns: Annotated[int, Field(ge=0, le=4)] = 0
    done: Annotated[list[Annotated[str, Field(max_length=8)]], Field(max_length=PUZZLES)] = []


class Tried(_Message):
    """A move that somebody tries at a step of a puzzle."""

    step: Annotated[int, Field(ge=0, le=100)]
    move: Name


class NewTournament(_Message):
    """A tournament to play; players are specs, or name=spec."""

    players: Annotated[list[Name], Field(min_length=2, max_length=ENTRANTS)]
    games: Annotated[list[Name], Field(min_length=1, max_length=8)]
    rounds: Annotated[int, Field(ge=1, le=TOURNAMENT_GAMES)] = 1
    format: Literal["round-robin", "gauntlet", "swiss"] = "round-robin"
    seconds: Annotated[float, Field(ge=0.001, le=TOURNAMENT_SECONDS)] = 0.1
    """For a move."""
    seed: Annotated[int, Field(ge=0, le=2**31)] = 1


class Arranged(_Message):
    """A board as somebody has arranged it: stones of the cells, or seeds of the hollows."""

    game: Name
    cells: Annotated[list[Annotated[list[Count], Field(max_length=CELLS)]], Field(max_length=CELLS)]
    side: Literal["first", "second"] = "first"
    """To move, in kalah; in line games it follows from the number of stones."""


class Pasted(_Message):
    """Moves with branches, or a record in any format; moves are of this game."""

    game: Name
    board: Moves = ""
    text: Moves


class Copied(Wanted):
    """A game to write down."""

    form: Literal["mossa", "jsonl", "sgf", "psq"]


class Request(_Message):
    """What a page wants of the socket; numbers grow, and the answers carry them."""

    request: Annotated[int, Field(ge=0, le=2**53)]
    do: Literal["think", "hint", "watch", "analyse", "graph", "review", "stop"]
    id: Name = ""
    """Of the saved game, to think, to hint and to watch."""
    version: int = 0
    """Of the saved game, as the page shows it."""
    seat: Name = ""
    """Your secret, in a game with a friend."""
    position: Wanted | None = None
    """To analyse; for a graph or a review, the last one of the game."""
    opening: Annotated[int, Field(ge=0, le=CELLS)] = 0
    """For a review: moves that no player chose."""
