"""What can be chosen before a game: the game, its sizes, the opponent, the side, the clock."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import choice

from mossa._core import Position, Side
from mossa.errors import GameError
from mossa.games import KINDS
from mossa.games import game as game_named
from mossa.players import HumanPlayer, Player
from mossa.players.levels import ABILITIES
from mossa.render import side_name
from mossa.session import turns
from mossa.session.opponents import opponent_of
from mossa.terminal import FORM_SIZES, MENU, SIZE_NAMES, missing_sizes

HUMAN = HumanPlayer.name
RANDOM = "random side"
DEFAULT_LEVEL = 3

CLOCKS = {
    "": "none",
    "60": "1 minute",
    "180+2": "3 min + 2 s a move",
    "300": "5 minutes",
    "300+5": "5 min + 5 s a move",
    "600": "10 minutes",
    "1800": "30 minutes",
}
"""The clocks in the menu; the command line takes any."""


@dataclass(frozen=True)
class Card:
    """A game of the menu."""

    name: str
    title: str
    summary: str
    example: str
    sizes: Mapping[str, int] = field(default_factory=dict)
    """The sizes to choose, with their defaults."""

    def game(self, sizes: Mapping[str, int]) -> str:
        """Return the name of the game with these sizes."""
        if not self.sizes:
            return self.name
        return f"{self.name}:{'x'.join(str(sizes[size]) for size in self.sizes)}"


def cards(kind: str | None = None) -> list[Card]:
    """Return every game with a name of its own, best known first.

    A kind that somebody asked for without sizes, such as ``mnk``, comes last.
    """
    presets = {preset.name: preset for kind in KINDS.values() for preset in kind.presets}
    found = []
    for name, summary in MENU.items():
        preset = presets.get(name)
        title = name.capitalize() if preset is None else preset.title
        example = "" if preset is None else preset.example
        found.append(Card(name, title, summary, example, FORM_SIZES.get(name, {})))
    if kind in KINDS and kind not in MENU:
        sizes = missing_sizes(kind) or {}
        found.append(Card(kind, f"{kind}, any size", KINDS[kind].summary, "", sizes))
    return found


def size_name(size: str) -> str:
    """Return what a size is called: ``columns``."""
    return SIZE_NAMES.get(size, size).capitalize()


def opponents() -> dict[str, str]:
    """Return the opponents by spec, and what they are called."""
    levels = {
        f"level:{level}": f"Level {level}, {ability.word}"
        for level, ability in enumerate(ABILITIES, start=1)
    }
    return {**levels, HUMAN: "Another person"}


def sides(game: str) -> dict[str, str]:
    """Return the sides a person may choose, and what they are called."""
    try:
        rules = game_named(game)
    except GameError:
        names = {side: side.name for side in Side}
    else:
        names = {side: side_name(rules, side) for side in Side}
    return {
        Side.first.name: f"{names[Side.first]} (first)",
        Side.second.name: f"{names[Side.second]} (second)",
        RANDOM: "Random",
    }


@dataclass(frozen=True)
class Setup:
    """A game about to begin."""

    position: Position
    first: Player
    second: Player
    clock: str = ""
    file: str | None = None
    """A file with a game to resume, instead of the position."""

    def __post_init__(self) -> None:
        """Raise GameError for anything a record cannot hold, before the screen appears."""
        turns.begin(self.position, self.first.name, self.second.name, clock=self.clock)


def specs_of(opponent: str, side: str) -> tuple[str, str]:
    """Return who plays first and second, if a person plays this side."""
    is_second = side == Side.second.name or (side == RANDOM and choice([True, False]))
    return (opponent, HUMAN) if is_second else (HUMAN, opponent)


def chosen(game: str, specs: tuple[str, str], clock: str) -> Setup:
    """Return the game that was chosen; raise GameError if there is none."""
    position = game_named(game).start()
    first, second = map(opponent_of, specs)
    for player in (first, second):
        player.check_game(position.game)
    return Setup(position, first, second, clock)
