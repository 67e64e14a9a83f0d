"""The two Java frameworks that players of the courses in Bologna are written for.

Here are only the names that one must know to find a player and to start it. What the classes do is
in the folder ``java``: ``mossa`` has the program that hosts a player, the others stand in for
classes of a framework that a player comes without.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from mossa._core import Game
from mossa.games import lines_anywhere

JAVA = Path(__file__).parent / "java"
"""The Java sources that come with the package."""

HOST_PACKAGE = "mossa"
"""The Java package of the program that hosts a player."""


@dataclass(frozen=True)
class Framework:
    """What we know about a framework."""

    name: str
    """The player's name in specs."""
    package: str
    interface: str
    """What a player implements."""
    types: tuple[str, ...]
    """Everything in it that a player may use."""
    samples: frozenset[str]
    """Players that come with the framework: never the one that is meant."""
    host: str
    """Our class that plays it."""
    usual_game: str
    plays: Callable[[Game], bool]

    @property
    def host_files(self) -> tuple[Path, ...]:
        """The sources of the program that hosts a player."""
        return JAVA / HOST_PACKAGE / "Host.java", JAVA / HOST_PACKAGE / f"{self.host}.java"

    def stand_in(self, type_name: str) -> Path:
        """Return the source that replaces a type of the framework."""
        return JAVA / self.package / f"{type_name}.java"


def _at_least(game: Game) -> bool:
    """Tell whether more than k in a row win too, as they do in both frameworks."""
    return game.options.get("exact") != "yes"


MNK = Framework(
    "bologna-mnk",
    "mnkgame",
    "MNKPlayer",
    ("MNKBoard", "MNKCell", "MNKCellState", "MNKGameState", "MNKPlayer"),
    frozenset({"RandomPlayer", "QuasiRandomPlayer"}),
    "MnkHost",
    "mnk:3x3x3",
    lambda game: lines_anywhere(game) and _at_least(game),
)
CONNECT = Framework(
    "bologna-connect",
    "connectx",
    "CXPlayer",
    ("CXBoard", "CXCell", "CXCellState", "CXGameState", "CXPlayer"),
    frozenset({"L0", "L1"}),
    "ConnectHost",
    "connect:4x4x4",
    lambda game: game.traits.lines and game.traits.falls and _at_least(game),
)
FRAMEWORKS = (MNK, CONNECT)
