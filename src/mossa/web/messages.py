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
    """Exactly the declared fields, with exactly their types."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Problem(_Message):
    """Why a request was refused."""

    error: str


class NewGame(_Message):
    """A game to start."""

    game: Name
    first: Name = "human"
    second: Name = "human"
    moves: Moves = ""
    board: Moves = ""
    """The board to start from, instead of the usual one."""
    clock: Name = ""
    """Seconds per game, with an optional increment: ``300+5``; empty means no clock."""
    friend: Literal["", "first", "second"] = ""
    """Your side in a game with a friend, who opens its link."""


class MoveMade(_Message):
    """A person's move, and the version of the game the page shows."""

    move: Name
    version: Version


class Seen(_Message):
    """The version of the game the page shows."""

    version: Version


class Remembered(_Message):
    """What a browser remembers: saved games by their names, analyses by their addresses."""

    games: Annotated[list[Name], Field(max_length=REMEMBERED)] = []
    analyses: Annotated[list[Moves], Field(max_length=REMEMBERED)] = []


class Invited(_Message):
    """Where the page was loaded from, so that a friend's browser can find it."""

    origin: Name


class Wanted(_Message):
    """A position to look at; a board text may replace the start."""

    game: Name
    moves: Moves = ""
    board: Moves = ""


class WantedTrace(Wanted):
    """A search to record, given as a player spec."""

    player: Name
    nodes: Annotated[int, Field(ge=1, le=TRACE_NODES)] = 1000


class WantedPuzzle(_Message):
    """The puzzle wanted: its game, rating and number of moves, and which ones to leave out."""

    game: Name = ""
    rating: Annotated[int, Field(ge=0, le=10_000)] = 1200
    turns: Annotated[int, Field(ge=0, le=4)] = 0
    done: Annotated[list[Annotated[str, Field(max_length=8)]], Field(max_length=PUZZLES)] = []


class Tried(_Message):
    """A move tried at a step of a puzzle."""

    step: Annotated[int, Field(ge=0, le=100)]
    move: Name


class NewTournament(_Message):
    """A tournament to play; players are specs, or name=spec."""

    players: Annotated[list[Name], Field(min_length=2, max_length=ENTRANTS)]
    games: Annotated[list[Name], Field(min_length=1, max_length=8)]
    rounds: Annotated[int, Field(ge=1, le=TOURNAMENT_GAMES)] = 1
    format: Literal["round-robin", "gauntlet", "swiss"] = "round-robin"
    seconds: Annotated[float, Field(ge=0.001, le=TOURNAMENT_SECONDS)] = 0.1
    """Per move."""
    seed: Annotated[int, Field(ge=0, le=2**31)] = 1


class Arranged(_Message):
    """A board set up by hand: the stones on its cells, or the seeds in its pits and stores."""

    game: Name
    cells: Annotated[list[Annotated[list[Count], Field(max_length=CELLS)]], Field(max_length=CELLS)]
    side: Literal["first", "second"] = "first"
    """The side to move, in kalah; in line games the number of stones tells."""


class Pasted(_Message):
    """Moves of this game, with branches, or a record in any format."""

    game: Name
    board: Moves = ""
    text: Moves


class Copied(Wanted):
    """A game to write as a file."""

    form: Literal["mossa", "jsonl", "sgf", "psq"]


class Request(_Message):
    """A page's request over the socket; numbers increase, and answers repeat them."""

    request: Annotated[int, Field(ge=0, le=2**53)]
    do: Literal["think", "hint", "watch", "analyse", "graph", "review", "stop"]
    id: Name = ""
    """The saved game to think about, hint at or watch."""
    version: int = 0
    """The version of the saved game the page shows."""
    seat: Name = ""
    """Your secret, in a game with a friend."""
    position: Wanted | None = None
    """The position to analyse; for a graph or a review, the last of the game."""
    opening: Annotated[int, Field(ge=0, le=CELLS)] = 0
    """For a review: the number of opening moves that no player chose."""
