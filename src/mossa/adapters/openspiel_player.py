"""OpenSpiel's players by spec: ``openspiel:mcts,simulations=500``. Loads it only if one is made."""

from __future__ import annotations

from mossa._core import Option
from mossa.errors import InvalidPlayerError
from mossa.players import Group, Player, PlayerKind, register
from mossa.players.needs import package
from mossa.players.registry import SEED

BOTS = ["mcts", "uniform_random"]
_SIMULATIONS = 1000

OPENSPIEL = package("open_spiel", "a bot of OpenSpiel", extra="adapters", module="pyspiel")


def _make(options: dict[str, str]) -> Player:
    if OPENSPIEL.missing:
        raise InvalidPlayerError(OPENSPIEL.missing)
    try:
        from mossa.adapters.openspiel import named_player
    except ModuleNotFoundError as error:
        raise InvalidPlayerError(str(error)) from None
    return named_player(
        options.get("bot", BOTS[0]),
        simulations=int(float(options.get("simulations", _SIMULATIONS))),
        seed=int(float(options["seed"])) if "seed" in options else None,
    )


register(
    PlayerKind(
        "openspiel",
        "a bot of OpenSpiel",
        _make,
        (
            Option("bot", BOTS, "written without its name: openspiel:mcts"),
            Option("simulations", 1, 10_000_000, f"of mcts, for each move ({_SIMULATIONS})"),
            SEED,
        ),
        group=Group.outside,
        example="openspiel:mcts",
        needs=(OPENSPIEL,),
        bare="bot",
        served=False,
    )
)
