"""The computer players a client may ask for, and those currently playing."""

from __future__ import annotations

import threading
from collections import OrderedDict

from mossa._core import Game, Limits, Position, StopToken
from mossa.analysis import spec_options
from mossa.errors import InvalidPlayerError, did_you_mean, shorten
from mossa.players import (
    Choice,
    HumanPlayer,
    PlayerKind,
    Report,
    is_foreign,
    limits_from,
    player,
    player_kind,
    player_kinds,
    stricter,
)
from mossa.web.limits import MEMORY_MB, PLAYERS, SPEC_LENGTH, THINKING_SECONDS

HUMAN = HumanPlayer.name
_LONG_OPTIONS = {"hands", "study"}
"""Not limits, but they decide how long a player takes."""


def served_kinds() -> dict[str, PlayerKind]:
    """Return the kinds of players a client may ask for.

    Programs are not among them: whoever can reach the server would run any command on it. Nor are
    players that would think for as long as they are told to.
    """
    kinds = player_kinds().items()
    return {name: kind for name, kind in kinds if kind.served and not kind.is_outside}


def check_spec(spec: str, game: Game | None = None, *, people: bool = True) -> str:
    """Return a player's spec if this server allows it and it plays the game."""
    spec = spec.strip()
    if len(spec) > SPEC_LENGTH:
        raise InvalidPlayerError(f"player {shorten(spec)}: at most {SPEC_LENGTH} characters")
    name, served = spec.partition(":")[0], served_kinds()
    if not people:
        del served[HUMAN]
    # Name only players this server allows, here and in the hint.
    choices = f"choose from {', '.join(served)}"
    kind = player_kind(name)
    if is_foreign(spec) or (kind is not None and kind.is_outside):
        raise InvalidPlayerError(
            f"player {shorten(spec)} is a program, which this server does not run: {choices}"
        )
    if name == HUMAN and not people:
        raise InvalidPlayerError(f"a person cannot play here: {choices}")
    if name not in served:
        hint = did_you_mean(name, served)
        raise InvalidPlayerError(f"unknown player {shorten(spec)}: {hint}{choices}")
    player(spec)  # objects to anything that is not a spec
    options = spec_options(spec)
    for known in served[name].options:
        given = options.get(known.name)
        if known.name in served[name].files and given is not None and not known.accepts(given):
            raise InvalidPlayerError(
                f"player {shorten(spec)}: this server opens no files; "
                f"{known.name} is {known.accepted}"
            )
    if int(float(options.get("memory", "0"))) > MEMORY_MB:
        raise InvalidPlayerError(
            f"player {shorten(spec)}: this server allows at most memory={MEMORY_MB}"
        )
    for option, most in (("threads", "1"), ("ponder", "off")):
        if options.get(option, most) != most:
            raise InvalidPlayerError(
                f"player {shorten(spec)}: this server allows only {option}={most}"
            )
    if game is not None:
        player(modest_spec(spec)).check_game(game)
    return spec


def modest_spec(spec: str) -> str:
    """Return a spec whose player takes no more memory than the server allows."""
    kind = player_kind(spec.partition(":")[0])
    assert kind is not None
    options = kind.options
    if "memory" in spec_options(spec) or all(option.name != "memory" for option in options):
        return spec
    return f"{spec}{',' if ':' in spec else ':'}memory={MEMORY_MB}"


class Opponent:
    """A computer player in one game."""

    def __init__(self, spec: str) -> None:
        """Take a spec that check_spec has approved."""
        self.spec = spec
        given = spec_options(spec)
        self._limits = Limits()
        if limits_from(given) != Limits() or _LONG_OPTIONS & given.keys():
            # Its own limits may be too long; without any it knows what is reasonable.
            self._limits = Limits(time=THINKING_SECONDS)
        self._player = player(modest_spec(spec))

    def choose(
        self,
        position: Position,
        report: Report,
        stop: StopToken,
        clock: Limits | None = None,
    ) -> Choice:
        """Think within the limits, report better answers, return the best one when stopped.

        ``clock`` is what the clock leaves for the move, if there is one.
        """
        limits = self._limits
        if clock is not None:
            limits = stricter(clock, Limits(time=THINKING_SECONDS))
        return self._player.ask(position, limits, report=report, stop=stop)


class Opponents:
    """Players that keep their memory from move to move: the most recently used ones."""

    def __init__(self) -> None:
        """Begin with none."""
        self._lock = threading.Lock()
        self._resting: OrderedDict[tuple[str, str], Opponent] = OrderedDict()

    def take(self, game_id: str, spec: str) -> Opponent:
        """Return a game's player for one thread; until it is given back, others get a new one.

        No two threads share a player, even if two pages show the same game.
        """
        with self._lock:
            return self._resting.pop((game_id, spec), None) or Opponent(spec)

    def give_back(self, game_id: str, opponent: Opponent) -> None:
        """Keep a player for its next move."""
        with self._lock:
            self._resting[game_id, opponent.spec] = opponent
            while len(self._resting) > PLAYERS:
                self._resting.popitem(last=False)
