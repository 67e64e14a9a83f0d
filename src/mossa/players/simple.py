"""Players that do not search: people, chance, and the code of other people."""

import random
from collections.abc import Callable

from mossa._core import Limits, Move, Position
from mossa.errors import GameError, InvalidPlayerError, PlayerFailedError, expect_position
from mossa.players.base import Choice, MinimalPlayer, Player, checked
from mossa.players.clocks import Turn
from mossa.players.registry import SEED, Group, PlayerKind
from mossa.search import NO_LIMITS


class RandomPlayer(Player):
    """Plays any legal move, all equally likely; the same seed gives the same game."""

    keeps_time = True
    plays_python = True

    def __init__(self, seed: int | None = None) -> None:
        """Take a seed for reproducible games."""
        self.name = "random" if seed is None else f"random:seed={seed}"
        self._random = random.Random(seed)

    def choose(self, position: Position, limits: Limits = NO_LIMITS) -> Choice:
        """Choose at once, whatever the limits."""
        expect_position(position, "choose()")
        if position.outcome is not None:
            raise GameError(f"no move in {position.game}: the game is over ({position.outcome})")
        return Choice(self._random.choice(position.moves))


class HumanPlayer(Player):
    """A person at the terminal, asked for a move until it is legal."""

    name = "human"
    is_person = True
    plays_python = True

    def choose(self, position: Position, limits: Limits = NO_LIMITS) -> Choice:
        """Ask on standard input; limits do not bind people."""
        while True:
            text = input(f"{position.side.name} to move> ").strip()
            try:
                position.play(text)
            except GameError as error:
                print(error)
            else:
                return checked(text, position)

    def choose_within(self, position: Position, turn: Turn) -> Choice:
        """Ask; the end of the input resigns the game."""
        try:
            return self.choose(position, turn.limits)
        except EOFError:
            raise PlayerFailedError("resign", "") from None


class FunctionPlayer(Player):
    """A plain function from a position to a move (or its text) as a player."""

    plays_python = True

    def __init__(self, function: Callable[[Position], Move | str | int]) -> None:
        """Take the function's name as the player's."""
        if not callable(function):
            raise InvalidPlayerError(
                f"{function!r} is not a player: expected a text, a function, or an "
                "object with a name and a method choose(position, limits)"
            )
        self.name = getattr(function, "__name__", "function")
        self._function = function

    def choose(self, position: Position, limits: Limits = NO_LIMITS) -> Choice:
        """Ask the function, which knows no limits."""
        return checked(self._function(position), position)


class WrappedPlayer(Player):
    """An object with a name and ``choose`` as a player.

    It may have some of a player's abilities too, by their names, and ``stop_pondering``.
    """

    plays_python = True

    _ABILITIES = ("keeps_time", "plays", "prove", "width")

    def __init__(self, player: MinimalPlayer) -> None:
        """Take the object and the abilities it declares."""
        self.name = player.name
        self._player = player
        for ability in self._ABILITIES:
            if hasattr(player, ability):
                setattr(self, ability, getattr(player, ability))

    def choose(self, position: Position, limits: Limits = NO_LIMITS) -> Choice:
        """Ask the object."""
        return self._player.choose(position, limits)

    def close(self) -> None:
        """End its thinking in the opponent's time, if it has any."""
        stop: Callable[[], object] | None = getattr(self._player, "stop_pondering", None)
        if stop is not None:
            stop()


def _make_random(options: dict[str, str]) -> Player:
    return RandomPlayer(int(float(options["seed"])) if "seed" in options else None)


KINDS = (
    PlayerKind(
        HumanPlayer.name,
        "a person at the terminal",
        lambda options: HumanPlayer(),
        group=Group.people,
        example=HumanPlayer.name,
    ),
    PlayerKind(
        "random",
        "any legal move",
        _make_random,
        (SEED,),
        group=Group.people,
        example="random:seed=1",
    ),
)
