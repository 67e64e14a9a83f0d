"""The kinds of players by name, and the options they take."""

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass
from enum import Enum
from importlib import import_module

from mossa._core import Game, Limits, Option, limit_options
from mossa.players.base import MinimalPlayer
from mossa.players.needs import Need


class Group(Enum):
    """What the kinds of players are listed under, in this order."""

    people = "people and chance"
    searches = "searches"
    engine = "the engine and its levels"
    recipes = "recipes of course reports"
    outside = "programs and bridges"


@dataclass(frozen=True)
class PlayerKind:
    """How to make the players of one name, and the options they take."""

    name: str
    summary: str
    make: Callable[[dict[str, str]], MinimalPlayer]
    options: tuple[Option, ...] = ()
    _: KW_ONLY
    group: Group
    example: str
    """A spec to start from: it plays as it is, or with the user's path or program."""
    needs: tuple[Need, ...] = ()
    """What must be installed besides mossa."""
    plays: Callable[[Game], bool] | None = None
    """Tells which games its players play, if the example cannot be made and asked."""
    bare: str | None = None
    """The option whose value may stand without its name, as in ``level:3``."""
    files: tuple[str, ...] = ()
    """The options whose value may be the name of a file, too, which no server lets strangers
    open."""
    rest: str | None = None
    """The option that takes the rest of the spec verbatim, commas and all: a command line."""
    opens_ports: bool = False
    """Whether its players listen on the network, which no server allows strangers."""

    served: bool = True
    """Whether a server lets strangers ask for them: not for those that nothing can stop."""

    def accepted(self, option: Option) -> str:
        """Return which values an option takes, in words."""
        if option.name == self.rest:
            return "all that is left of the spec"
        if option.name not in self.files:
            return option.accepted
        return f"{option.accepted}, or a file" if any(option.values) else "a file"

    @property
    def runs_commands(self) -> bool:
        """Whether its specs name programs to run, which no server allows strangers."""
        return self.rest is not None

    @property
    def is_outside(self) -> bool:
        """Whether its players are somewhere else: programs to start, or agents to wait for."""
        return self.runs_commands or self.opens_ports


LIMITS = {option.name: option for option in limit_options()}
"""The options that are limits, by name."""

PONDER = Option("ponder", ["off", "on"], "think in the opponent's time too")
SEED = Option("seed", 0, 2_000_000_000, "the same seed plays the same game")


def limits_from(options: Mapping[str, str]) -> Limits:
    """Return the limits among checked options."""

    def whole(name: str) -> int | None:
        return int(float(options[name])) if name in options else None

    return Limits(
        time=float(options["time"]) if "time" in options else None,
        nodes=whole("nodes"),
        iterations=whole("iterations"),
        depth=whole("depth"),
    )


_KINDS: dict[str, PlayerKind] = {}
_OUTSIDE = {
    "ugi": "mossa.protocols.ugi.drive",
    "gomocup": "mossa.protocols.gomocup.drive",
    "bologna-mnk": "mossa.protocols.bologna.drive",
    "bologna-connect": "mossa.protocols.bologna.drive",
    "kgp": "mossa.protocols.kgp.drive",
    "manchester": "mossa.protocols.manchester.drive",
    "kaggle": "mossa.adapters.kaggle.drive",
    "openspiel": "mossa.adapters.openspiel_player",
}
"""The modules that register kinds from outside, each loaded when it is first asked for."""


def register(kind: PlayerKind) -> None:
    """Make a kind of player known to player()."""
    _KINDS[kind.name] = kind


def kind_names() -> list[str]:
    """Return the name of every kind of player."""
    return [*(name for name in _KINDS if name not in _OUTSIDE), *_OUTSIDE]


def player_kind(name: str) -> PlayerKind | None:
    """Return the kind of player with this name, if there is one."""
    if name in _OUTSIDE and name not in _KINDS:
        import_module(_OUTSIDE[name])
    return _KINDS.get(name)


def player_kinds() -> dict[str, PlayerKind]:
    """Return every kind of player, by name."""
    for name in _OUTSIDE:
        player_kind(name)
    return {name: _KINDS[name] for name in kind_names()}
