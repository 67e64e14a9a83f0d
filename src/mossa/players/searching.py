"""Players that play what one of the core's searches finds best."""

import threading
import weakref
from collections.abc import Mapping
from typing import Any, cast

from mossa._core import Game, Limits, Option, Position, StopToken, check_search
from mossa.errors import InvalidPlayerError, expect_limits, expect_position
from mossa.networks import OFF, SHIPPED, Network, network_for
from mossa.players.base import Choice, Player, Report, SearchingPlayer
from mossa.players.registry import LIMITS, PONDER, Group, PlayerKind, limits_from
from mossa.python_games import PythonPosition
from mossa.search import (
    NO_LIMITS,
    SEARCHES,
    Info,
    PythonGameSearch,
    Search,
)

DEFAULT_TIME = 1.0
"""Seconds a search player thinks if nothing else limits it."""


class SearchPlayer(SearchingPlayer):
    """Plays what a search finds best, within its own limits and the caller's.

    With ``ponder`` it goes on thinking while the opponent does, on the reply it expects; the search
    remembers what it learnt, so a right guess is time won.
    """

    def __init__(
        self,
        algorithm: str,
        options: Mapping[str, str] | None = None,
        *,
        limits: Limits | None = None,
        ponder: bool = False,
        net: str | None = None,
        name: str | None = None,
    ) -> None:
        """Take options as texts. Without any limits, its own or the caller's, it thinks a second.

        ``net`` is the file of a network, ``shipped`` or ``off``; unless given, a network is used
        only by the evaluation ``net``.
        """
        self._algorithm = algorithm
        self._net = net
        self._options = dict(options or {})
        check_search(algorithm, self._options)
        self._limits = limits or Limits()
        self._ponder = ponder
        self.name = name or algorithm
        self._search: tuple[Game, Search] | None = None
        self._python_search: tuple[type, PythonGameSearch] | None = None
        self._pondering: tuple[threading.Thread, StopToken] | None = None

    @property
    def limits(self) -> Limits:
        """Its own limits; the caller's apply as well."""
        return self._limits

    def choose(
        self,
        position: Position | PythonPosition,
        limits: Limits = NO_LIMITS,
        *,
        report: Report | None = None,
        stop: StopToken | None = None,
    ) -> Choice:
        """Search until the stricter of both limits; call ``report`` with every better answer.

        The game may be written in Python (see PythonPosition).
        """
        if not hasattr(position, "play"):  # which any position has, those of Python's games too
            expect_position(position, "choose()")
        expect_limits(limits, "choose()")
        self.close()
        limits = self._defaulted(stricter(self._limits, limits))
        if not hasattr(position, "game"):  # a position of the user's, without a game of ours
            info = self._python_search_of(position).run(position, limits, report=report, stop=stop)
            return Choice(info.move, info)
        position = cast(Position, position)
        search = self.search_of(position.game)
        info = search.run(position, limits, report=report, stop=stop)
        if self._ponder:
            self._start_pondering(search, position, info)
        return Choice(info.move, info)

    def _python_search_of(self, position: PythonPosition) -> PythonGameSearch:
        kind = type(position)
        if self._python_search is None or self._python_search[0] is not kind:
            self._python_search = kind, PythonGameSearch(self._algorithm, self._options)
        return self._python_search[1]

    def width(self, game: Game) -> int | None:
        """Return the most moves of a position it tries; None if it tries all."""
        known = {option.name: option.default for option in SEARCHES[self._algorithm].options}
        return int(float(self._options.get("width") or known.get("width") or 0)) or None

    def network_of(self, game: Game) -> Network | None:
        """Return the network its search uses."""
        return network_for(self._net or (SHIPPED if self._by_net else OFF), game)

    @property
    def _by_net(self) -> bool:
        return self._options.get("evaluate") == "net"

    def plays(self, game: Game) -> bool:
        """Tell whether the search plays this game with these options."""
        try:
            self.check_game(game)
        except InvalidPlayerError:
            return False
        return True

    def check_game(self, game: Game) -> None:
        """Make the search: only that can tell, since some options fit only some games."""
        self.search_of(game)

    def search_of(self, game: Game) -> Search:
        """Keep the search from move to move, and start afresh with another game."""
        if self._search is None or self._search[0] != game:
            network = self.network_of(game)
            if self._by_net and network is None:
                raise InvalidPlayerError(
                    f"evaluate=net needs a network for {game}: give net=FILE; mossa train makes one"
                )
            core = None if network is None else network.core
            self._search = game, Search(game, self._algorithm, self._options, network=core)
        return self._search[1]

    def close(self) -> None:
        """End the thinking in the opponent's time, if there is any."""
        if self._pondering is not None:
            _end_pondering(*self._pondering)
            self._pondering = None

    def _start_pondering(self, search: Search, position: Position, info: Info) -> None:
        expected = position.after(info.line[:2])
        if len(info.line) < 2 or expected.outcome is not None:
            return
        token = StopToken()
        thread = threading.Thread(
            target=search.run, args=(expected, Limits()), kwargs={"stop": token}, daemon=True
        )
        thread.start()
        self._pondering = thread, token
        # A player that is forgotten, or the end of the program, ends its thinking too.
        weakref.finalize(self, _end_pondering, thread, token)

    def _defaulted(self, limits: Limits) -> Limits:
        """Add a time limit if nothing else would end the search."""
        ends = limits.iterations if self._algorithm == "mcts" else limits.depth
        if any(given is not None for given in (limits.time, limits.nodes, ends)):
            return limits
        if "hands" in self._options:
            return limits
        return stricter(limits, Limits(time=DEFAULT_TIME))


def _end_pondering(thread: threading.Thread, token: StopToken) -> None:
    token.stop()
    thread.join()


def stricter(one: Limits, other: Limits) -> Limits:
    """Return the limits that satisfy both."""

    def least(name: str) -> Any:
        given = (getattr(limits, name) for limits in (one, other))
        return min((value for value in given if value is not None), default=None)

    # A time without more is the end; with more, only what a move should take.
    ends = [limits.longest or limits.time for limits in (one, other)]
    return Limits(
        time=least("time"),
        longest=min((end for end in ends if end is not None), default=None)
        if one.longest or other.longest
        else None,
        nodes=least("nodes"),
        iterations=least("iterations"),
        depth=least("depth"),
    )


def part_of(limits: Limits, part: float) -> Limits:
    """Return a part of the time and the nodes."""
    return Limits(
        time=None if limits.time is None else limits.time * part,
        longest=None if limits.longest is None else limits.longest * part,
        nodes=None if limits.nodes is None else max(1, int(limits.nodes * part)),
    )


def _kind(algorithm: str) -> PlayerKind:
    kind = SEARCHES[algorithm]
    own = {*LIMITS, PONDER.name, NET.name}

    def make(options: dict[str, str]) -> Player:
        return SearchPlayer(
            algorithm,
            {name: value for name, value in options.items() if name not in own},
            limits=limits_from(options),
            ponder=options.get(PONDER.name) == "on",
            net=options.get(NET.name),
        )

    nets = (NET,) if any(_is_of_networks(option) for option in kind.options) else ()
    options = (*LIMITS.values(), *kind.options, PONDER, *nets)
    files = tuple(option.name for option in nets)
    return PlayerKind(
        algorithm,
        kind.summary,
        make,
        options,
        group=Group.searches,
        example=f"{algorithm}:time=1",
        files=files,
    )


def _is_of_networks(option: Option) -> bool:
    """Tell whether an option, or its value, makes sense only with a network."""
    is_value = option.name == "evaluate" and "net" in option.values
    return is_value or option.name in ("policy", "trust")


NET = Option("net", [OFF, SHIPPED], "the network that says what positions are worth, or its file")

KINDS = tuple(map(_kind, SEARCHES))
