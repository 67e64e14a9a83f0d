"""Networks: evaluations learnt from games, as files.

A file ``.net`` says which games it was trained on, on what data, by which command, when, and how
it did in the test that accepted it. Then come the weights, which only the core understands, and a
checksum. One network serves boards of every size with the same k (or number of pits). ``mossa
train`` makes them; docs/learning.md says how.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Self

from mossa import _core
from mossa._core import Game, NetworkEstimate, Position
from mossa.errors import GameError, InvalidPlayerError, expect_game, is_in_python, shorten
from mossa.files import DATA
from mossa.solving.container import (
    BookError,
    Content,
    Format,
    checksum,
    damaged,
    mapped,
    opened,
    own_folder,
    sealed,
    unsealed,
    write_whole,
)

__all__ = [
    "OFF",
    "SHIPPED",
    "About",
    "Network",
    "NetworkEstimate",
    "network_for",
    "network_name",
    "network_path",
]

OFF, SHIPPED = "off", "shipped"
"""What a player may get instead of a file: no network, or the one for its game."""

# Bytes of the first game's name, of the description and of the weights.
_FORMAT = Format("a network", b"mossane\n", 1, "HII", (0, 1), "mossa train run")


@dataclass(frozen=True)
class About:
    """What a network says about itself."""

    games: tuple[str, ...]
    """The games it was trained on."""
    data: str
    """What it learnt from: ``412,000 positions of 9,200 games``."""
    command: str
    """What made it."""
    date: str
    """When, as ``2026-11-17``."""
    test: str
    """How it did against its predecessor; empty if untested."""


@dataclass(frozen=True)
class Network:
    """A learned evaluation, read from a file or freshly trained."""

    about: About
    weights: bytes
    """As the core reads and writes them."""
    core: _core.Network = field(compare=False)
    path: Path | None = field(default=None, compare=False)
    """The file it was read from."""

    def __repr__(self) -> str:
        """Return one line: what it was trained on."""
        return f"<Network for {', '.join(self.about.games)}: {self.about.data}>"

    @classmethod
    def of(cls, about: About, weights: bytes) -> Self:
        """Return the network with these weights; raise GameError if they are invalid."""
        return cls(about, weights, _core.Network(weights))

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a file; raise BookError unless it is an intact network, OSError if it is missing."""
        with _FORMAT.reading(path):
            return replace(cls._read(mapped(path)), path=Path(path))

    @classmethod
    def shipped(cls, rules: Game) -> Network | None:
        """Return the network that a game's players use by default; None if there is none.

        It is your own from the folder MOSSA_BOOKS, or comes with the package.
        """
        expect_game(rules, "Network.shipped()")
        return opened(Network.load, network_path(rules))

    @classmethod
    def _read(cls, content: Content) -> Self:
        head = _FORMAT.read_head(content)
        guarded, _ = unsealed(content)
        weights = bytes(guarded[head.size :])
        if [len(weights)] != head.numbers:
            raise GameError("is damaged: its weights are not all there")
        about = _read_about(head.texts[1])
        with damaged():
            return cls.of(about, weights)

    @property
    def content(self) -> bytes:
        """The content of the whole file."""
        about = json.dumps(asdict(self.about))
        head = _FORMAT.head([len(self.weights)], self.about.games[0], about)
        return sealed(head + self.weights)

    @property
    def checksum(self) -> int:
        """CRC-32 of the weights: networks with the same checksum give the same answers."""
        return checksum(self.weights)

    def save(self, path: str | Path) -> None:
        """Write the file, whole or not at all."""
        write_whole(Path(path), self.content)

    def to_dict(self) -> dict[str, Any]:
        """Return what it is for and how it was made, as plain data for JSON."""
        core, about = self.core, self.about
        what = f"{core.k} pits" if core.kind == "pits" else f"{core.k} in a row"
        traits = [what, *(["stones fall"] if core.falls else []), *filter(None, [core.rules])]
        return {
            "file": None if self.path is None else str(self.path),
            "kind": core.kind,
            "for": ", ".join(traits),
            "k": core.k,
            "falls": core.falls,
            "rules": core.rules,
            "channels": core.channels,
            "beside": core.beside,
            "games": list(about.games),
            "data": about.data,
            "command": about.command,
            "date": about.date,
            "test": about.test,
            "bytes": len(self.content),
            "checksum": f"{self.checksum:08x}",
        }

    def estimate(self, position: Position) -> NetworkEstimate:
        """Return its opinion of an unfinished position, for the side to move.

        ``win``, ``draw`` and ``loss`` are chances; ``policy`` has each legal move's chance of being
        the best, and is empty for networks of pit games. It does not search.
        """
        self.check_plays(position.game)
        return self.core.estimate(position)

    def check_plays(self, rules: Game) -> None:
        """Raise GameError if the network is for another game."""
        if not self.core.plays(rules):
            trained = ", ".join(self.about.games)
            raise GameError(f"this network is not for {rules}: it was trained on {trained}")


def network_for(choice: str, rules: Game) -> Network | None:
    """Return the network in a file for a game, or what ``shipped`` and ``off`` stand for.

    Raise InvalidPlayerError if there is no such file, or if it is for another game.
    """
    if choice == OFF:
        return None
    if choice == SHIPPED:
        return Network.shipped(rules)
    try:
        network = Network.load(choice)
        network.check_plays(rules)
    except OSError as error:
        raise InvalidPlayerError(f"cannot read the network {choice!r}: {error.strerror}") from None
    except BookError as error:  # names the file
        raise InvalidPlayerError(str(error)) from None
    except GameError as error:
        raise InvalidPlayerError(f"{choice!r}: {error}") from None
    return network


def network_name(rules: Game) -> str:
    """Return the name of the file where players look for a game's network.

    The size of a board is not in it: ``lines-5.net`` is for five in a row, ``falling-4.net`` for
    four where stones fall. Raise GameError if there are no networks for the game.
    """
    shape = _core.network_shape(rules)
    kind = "falling" if shape.falls else shape.kind
    rules_apart = f"-{shape.rules}" if shape.rules else ""
    return f"{kind}-{shape.k}{rules_apart}.net"


def network_path(rules: Game) -> Path | None:
    """Return the file with a game's network: your own, or the package's; None: no file."""
    if is_in_python(rules):
        return None
    try:
        name = network_name(rules)
    except GameError:
        return None
    paths = (folder / name for folder in (own_folder(), DATA) if folder is not None)
    return next((path for path in paths if path.is_file()), None)


def _read_about(text: str) -> About:
    """Return a description as ``content`` writes it, trusting nothing in it."""
    try:
        data = json.loads(text)
        about = About(**{**data, "games": tuple(data["games"])})
        texts = [*about.games, about.data, about.command, about.date, about.test]
        if not about.games or not all(isinstance(each, str) for each in texts):
            raise ValueError
    except (ValueError, TypeError, KeyError, RecursionError):
        raise GameError(f"is damaged: it says of itself {shorten(text)}") from None
    return about
