"""What evaluates a position: its game's network, or the hand-written evaluation."""

from __future__ import annotations

from html import escape
from math import sqrt
from pathlib import Path
from typing import Any

from mossa._core import Game, Position, Side
from mossa.errors import GameError
from mossa.networks import OFF, Network, NetworkEstimate, network_path
from mossa.players.engine import STRONGEST
from mossa.quantities import percentages
from mossa.render import side_name
from mossa.solving.container import BookError
from mossa.web.limits import MEMORY_MB

_BY_HAND = "Evaluation: hand-written."
_LONGEST = 200
"""Characters a file may say about itself."""
_LEAST_SHARE = 0.005
"""The smallest share to show: those below would read 0%."""


def analyst_spec(game: Game) -> str:
    """Return the player that analyses a game, without its network if that is unusable."""
    _, problem = _speaker(game)
    return f"{STRONGEST}:memory={MEMORY_MB}{f',net={OFF}' if problem else ''}"


def evaluation_state(position: Position) -> dict[str, Any]:
    """Return who evaluates a position, and what a network thinks of it, if one does."""
    network, problem = _speaker(position.game)
    if network is None:
        return {"told": f"{_BY_HAND} {problem}".strip(), "chances": "", "policy": {}}
    told = f"Evaluation: {_described(network)}."
    if position.outcome is not None:
        return {"told": told, "chances": "", "policy": {}}
    estimate = network.estimate(position)
    return {"told": told, "chances": _chances(estimate, position), "policy": _policy(estimate)}


def _speaker(game: Game) -> tuple[Network | None, str]:
    """Return a game's network, or why the one there is unusable."""
    path = Path()
    try:
        path = network_path(game) or path
        network = Network.shipped(game)
        if network is not None:
            network.check_plays(game)
    except BookError as error:
        # The error names the file; a page need not know the server's folder.
        problem = str(error).replace(repr(str(path)), repr(path.name))
    except OSError as error:
        problem = f"{path.name!r} cannot be read: {error.strerror}"
    except GameError as error:
        problem = f"{path.name!r}: {error}"
    else:
        return network, ""
    return None, f"No network: {problem}."


def _described(network: Network) -> str:
    about, name = network.about, "" if network.path is None else f" {network.path.name}"
    trained = f"trained on {', '.join(about.games)}, {about.date}"
    if len(trained) > _LONGEST:
        trained = f"{trained[:_LONGEST]}…"
    return f"network{name}, {trained}, checksum {network.checksum:08x}"


def _chances(estimate: NetworkEstimate, position: Position) -> str:
    """Return the three chances as a bar, first's on the left, and in words."""
    win, draw, loss = percentages(estimate.win, estimate.draw, estimate.loss)
    first, second = (win, loss) if position.side is Side.first else (loss, win)
    shares = {Side.first.name: first, "draw": draw, Side.second.name: second}
    bar = "".join(f'<i class="{each}" style="flex-grow:{n}"></i>' for each, n in shares.items())
    names = [escape(side_name(position.game, side)) for side in Side]
    words = [f"{names[0]} wins {first}%", f"draw {draw}%", f"{names[1]} wins {second}%"]
    told = " ".join(f"<span>{each}</span>" for each in words)
    return f'<div class="shares" aria-hidden="true">{bar}</div><p>{told}</p>'


def _policy(estimate: NetworkEstimate) -> dict[str, dict[str, Any]]:
    """Return how likely moves are to be best: how dark to draw them, and in words."""
    return {
        str(move): {
            # By the square root, so that the eye tells 2% from 5% as well as 20% from 50%.
            "heat": round(sqrt(share), 3),
            "text": f"{share:.0%}",
            "words": f"policy {share:.0%}",
        }
        for move, share in estimate.policy.items()
        if share > _LEAST_SHARE
    }
