"""What a tournament is: players, games, pairings and conditions.

A plan is plain data that the store keeps, so that a tournament can be resumed from its file alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import count, islice
from typing import Any

from mossa._core import Game
from mossa.arena.courses import COURSES
from mossa.arena.openings import balanced_openings, check_plies, random_openings
from mossa.arena.referee import check_confined, seated
from mossa.arena.statistics import Sprt
from mossa.code_files import names_code
from mossa.errors import (
    GameError,
    InvalidGameError,
    described,
    did_you_mean,
    is_in_python,
    shorten,
)
from mossa.games import game as game_named
from mossa.players import Player
from mossa.players.clocks import Conditions
from mossa.python_games import code_digest, game_again

FORMATS = {
    "round-robin": "everyone plays everyone",
    "gauntlet": "the first player plays each of the others",
    "swiss": "each round pairs players with about the same points",
}


_NAME = r"[\w.+-]+"


class InvalidTournamentError(GameError):
    """The tournament cannot be played, or its file cannot be used."""


InvalidTournamentError.__module__ = "mossa"


@dataclass(frozen=True)
class Scoring:
    """Points for a game; ``second`` and ``forfeit`` are for wins where a course values them."""

    name: str
    win: float
    draw: float
    loss: float = 0.0
    second: float | None = None
    forfeit: float | None = None

    def points(self, result: str, *, first: bool, forfeit: bool) -> float:
        """Return the points of one player for a game with this result."""
        if result == "1/2":
            return self.draw
        if (result == "1-0") is not first:
            return self.loss
        if forfeit and self.forfeit is not None:
            return self.forfeit
        return self.second if self.second is not None and not first else self.win


SCORINGS = {
    each.name: each
    for each in (
        Scoring("chess", 1, 0.5),
        Scoring("course-mnk", 2, 1, second=3, forfeit=2),
        Scoring("course-connect", 3, 1),
    )
}
"""Scoring schemes: that of chess, and those of the course tournaments."""


@dataclass(frozen=True)
class Entrant:
    """A player under its name in the tournament."""

    name: str
    spec: str


@dataclass(frozen=True)
class Plan:
    """Everything that decides which games are played."""

    entrants: tuple[Entrant, ...]
    games: tuple[str, ...]
    rounds: int = 1
    """Pairs of games for every pairing and game; in a Swiss tournament, rounds."""
    format: str = "round-robin"
    conditions: Conditions = field(default_factory=Conditions)
    plies: int | None = None
    """Random plies of an opening; None: whatever suits the game."""
    balanced: bool = False
    """Whether random openings are about even."""
    seed: int = 1
    openings: dict[str, list[str]] | None = None
    """Openings from a file, by game, instead of random ones."""
    scoring: str = "chess"
    sprt: Sprt | None = None
    code: dict[str, str] = field(default_factory=dict)
    """For games in Python: what their files were when the tournament was planned."""

    def __post_init__(self) -> None:
        """Note which files the games are in."""
        if not self.code:
            own = [name for name in self.games if names_code(name)]
            digests = {name: code_digest(game_named(name)) for name in own}
            kept = {name: digest for name, digest in digests.items() if digest is not None}
            object.__setattr__(self, "code", kept)

    def check_code(self) -> None:
        """Load the games in Python; raise InvalidTournamentError if a file has changed."""
        for name, digest in self.code.items():
            try:
                game_again(name, digest)
            except InvalidGameError as error:
                raise InvalidTournamentError(str(error)) from None

    @property
    def only_here(self) -> bool:
        """Whether only this process knows a game, so that no other can play it."""
        return any(is_in_python(game_named(name)) for name in self.games if name not in self.code)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Plan:
        """Return the plan that to_dict described."""
        return cls(
            **{
                **data,
                "entrants": tuple(Entrant(**each) for each in data["entrants"]),
                "games": tuple(data["games"]),
                "conditions": Conditions.from_dict(data["conditions"]),
                "sprt": data["sprt"] and Sprt(**data["sprt"]),
            }
        )

    @property
    def names(self) -> list[str]:
        """The names of the players."""
        return [each.name for each in self.entrants]

    def check(self, objects: Mapping[str, Player] | None = None, *, others: int = 0) -> None:
        """Raise InvalidTournamentError unless all of it can be played; start nothing.

        ``objects`` are the players that are no texts, by name; ``others`` is how many are still to
        come.
        """
        if len(self.entrants) + others < 2:
            raise InvalidTournamentError("a tournament needs at least two players")
        doubles = {name for name in self.names if self.names.count(name) > 1}
        if doubles:
            raise InvalidTournamentError(self._rename(min(doubles)))
        if not self.games:
            raise InvalidTournamentError("a tournament needs a game, such as connect4")
        _check_known("format", self.format, FORMATS)
        _check_known("scoring", self.scoring, SCORINGS)
        if not isinstance(self.rounds, int):
            raise InvalidTournamentError(
                f"invalid rounds {described(self.rounds)}: a whole number, 1 to 1000000"
            )
        if not 1 <= self.rounds <= 1_000_000:
            raise InvalidTournamentError(f"invalid rounds '{self.rounds}': 1 to 1000000")
        for name in self.games:
            try:
                check_confined(name, self.conditions)
            except InvalidGameError as error:
                raise InvalidTournamentError(str(error)) from None
        if self.sprt is not None and (len(self.entrants) != 2 or self.format == "swiss"):
            raise InvalidTournamentError("a sequential test is for two players, not for Swiss")
        for name in self.games:
            game = game_named(name)
            if self.openings is None and self.plies is not None:
                check_plies(game, self.plies)
            has_opening = any(islice(self.opening_texts(name), 1))
            for entrant in self.entrants:
                player = (objects or {}).get(entrant.name)
                player = player or seated(entrant.spec, self.conditions)
                player.check_game(game)
                if has_opening:
                    player.check_opening()

    def _rename(self, name: str) -> str:
        """Return a hint for two players with the same name: a free name for one of them."""
        spec = [each.spec for each in self.entrants if each.name == name][-1]
        base = name if re.fullmatch(_NAME, name) else re.split(r"\W", spec, maxsplit=1)[0]
        free = next(
            each
            for each in (f"{base or 'player'}{number}" for number in count(2))
            if each not in self.names
        )
        return (
            f"two players are called {shorten(name)}: give one of them another name, "
            f"such as {shorten(f'{free}={spec}')}"
        )

    def opening_texts(self, game: str) -> Iterator[str]:
        """Yield a game's openings, endlessly."""
        if self.openings is not None:
            texts = self.openings[game]
            return (texts[at % len(texts)] for at in count())
        draw = balanced_openings if self.balanced else random_openings
        return draw(game_named(game), self.plies, self.seed)


def read_entrant(text: str) -> Entrant:
    """Return the player of ``spec`` or ``name=spec``."""
    found = re.match(f"({_NAME})=(?=.)", text)
    if found is None:
        return Entrant(text.strip(), text.strip())
    return Entrant(found[1], text[found.end() :].strip())


def read_games(names: Sequence[str], find: Callable[[str], Game] = game_named) -> tuple[str, ...]:
    """Return the full names of games; the name of a course stands for all its configurations.

    ``find`` returns the game of any other name.
    """
    found: list[str] = []
    for name in names:
        is_course = isinstance(name, str) and name in COURSES
        found += COURSES[name] if is_course else [find(name).name]
    return tuple(dict.fromkeys(found))


def _check_known(what: str, given: str, known: dict[str, Any]) -> None:
    if given not in known:
        raise InvalidTournamentError(
            f"unknown {what} {shorten(given)}: {did_you_mean(given, known)}"
            f"there are {', '.join(known)}"
        )
