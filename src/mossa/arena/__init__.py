"""The arena: matches and tournaments between any players, with sound statistics.

>>> import mossa
>>> record = mossa.match("alphabeta:depth=4", "random:seed=1", "tictactoe")
>>> record.result, len(record.moves) == len(record.extra["times_ms"])
('1-0', True)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from mossa.arena.driver import Progress, drive, first_pairings
from mossa.arena.openings import read_openings
from mossa.arena.oracle import Judged, judge_games
from mossa.arena.plan import (
    Entrant,
    InvalidTournamentError,
    Plan,
    read_entrant,
    read_games,
)
from mossa.arena.referee import match
from mossa.arena.report import Report, make_report
from mossa.arena.statistics import Sprt
from mossa.arena.store import Store
from mossa.arena.words import report_html
from mossa.errors import described, shorten
from mossa.games import GameLike
from mossa.games import game as game_named
from mossa.players import Player, PlayerLike
from mossa.players import player as player_named
from mossa.players.clocks import Conditions

__all__ = ["Conditions", "Report", "Sprt", "match", "report_html", "tournament"]


def tournament(
    players: Sequence[PlayerLike] | Mapping[str, PlayerLike],
    games: Sequence[GameLike],
    *,
    rounds: int = 1,
    format: str = "round-robin",  # noqa: A002 - the word that users know it by
    time: float | None = None,
    clock: str | float | None = None,
    nodes: int | None = None,
    depth: int | None = None,
    conditions: Conditions | None = None,
    plies: int | None = None,
    balanced: bool = False,
    seed: int = 1,
    openings: str | Path | None = None,
    scoring: str = "chess",
    sprt: Sprt | None = None,
    store: str | Path | None = None,
    workers: int | None = None,
    cluster: str | None = None,
    oracle: float | None = None,
    progress: Progress | None = None,
) -> Report:
    """Play a tournament and return its report.

    Players are specs, or Python functions and objects; give a mapping to name them. ``games`` are
    games, or names of games or of courses; a class of your own is a game too. Every pairing plays
    ``rounds`` pairs of each game, both games of a pair from the same random opening with sides
    swapped; ``balanced`` openings are about even. With ``store`` every finished game is saved in
    that file; the same call again, or ``mossa tournament resume``, continues it. Specs play on all
    cores in processes of their own; if any player is a Python object, all games run here, one after
    another. With ``oracle`` the positions of the games are solved at the end, for up to that many
    seconds each: `report.oracle` tells how well the players played, and `report.moves` what each
    move was worth. Ctrl-C stops it and returns a report on the games played and judged so far.
    """
    if oracle is not None and not oracle > 0:
        raise InvalidTournamentError(f"invalid oracle {oracle!r}: seconds a position, more than 0")
    if conditions is None:
        conditions = Conditions.of(time=time, clock=clock, nodes=nodes, depth=depth)
    _expect_list("players", players, "'random', 'level:3'")
    _expect_list("games", games, "'connect4'")
    entrants, objects = _entrants(players)
    names = read_games([each if isinstance(each, str) else game_named(each).name for each in games])
    rules = [game_named(name) for name in names]
    plan = Plan(
        entrants=entrants,
        games=names,
        rounds=rounds,
        format=format,
        conditions=conditions,
        plies=plies,
        balanced=balanced,
        seed=seed,
        openings=None if openings is None else read_openings(Path(openings), rules),
        scoring=scoring,
        sprt=sprt,
    )
    plan.check(objects)
    with _stored(store, plan) as opened:
        played = drive(opened, cluster=cluster, count=workers, objects=objects, progress=progress)
        judged: dict[tuple[int, int], Judged] = {}
        if oracle is not None and not played.stopped:
            with suppress(KeyboardInterrupt):
                for place, move in judge_games(opened.records(), seconds=oracle):
                    judged[place] = move
        return make_report(opened, judged)


def _expect_list(name: str, given: object, example: str) -> None:
    """Refuse a text, which Python would take as a list of letters, and anything but a list."""
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise InvalidTournamentError(
            f"tournament() takes a list of {name}, such as [{example}], not {described(given)}"
        )


def _entrants(
    players: Sequence[PlayerLike] | Mapping[str, PlayerLike],
) -> tuple[tuple[Entrant, ...], dict[str, Player]]:
    """Return the players by name, and those that are not texts."""
    pairs: list[tuple[str | None, PlayerLike]] = (
        list(players.items())
        if isinstance(players, Mapping)
        else [(None, player) for player in players]
    )
    entrants, objects = [], {}
    for name, given in pairs:
        if isinstance(given, str):
            entrant = read_entrant(given) if name is None else Entrant(name, given)
        else:
            player = player_named(given)
            entrant = Entrant(name or player.name, player.name)
            objects[entrant.name] = player
        entrants.append(entrant)
    return tuple(entrants), objects


@contextmanager
def _stored(path: str | Path | None, plan: Plan) -> Iterator[Store]:
    """Open a tournament's file: an old one with the same plan, or a new one."""
    if path is None:
        with (
            TemporaryDirectory(prefix="mossa-") as folder,
            Store.create(Path(folder, "tournament"), plan, first_pairings(plan)) as store,
        ):
            yield store
        return
    path = Path(path)
    if not path.exists():
        with Store.create(path, plan, first_pairings(plan)) as store:
            yield store
        return
    with Store.resume(path) as store:
        if store.plan != plan:
            raise InvalidTournamentError(
                f"{shorten(str(path))} holds another tournament: choose another file"
            )
        yield store
