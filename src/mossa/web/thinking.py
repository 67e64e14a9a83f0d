"""What the searches of a page do: think about the computer's move, find a hint, analyse."""

from __future__ import annotations

from time import monotonic
from typing import Any

from mossa._core import Limits, Position, StopToken
from mossa.analysis import analyse
from mossa.players import player
from mossa.recipes.recipe import Chooser
from mossa.search import Info
from mossa.web import turns
from mossa.web.limits import ANALYSIS_SECONDS, HINT_SECONDS, MEMORY_MB
from mossa.web.opponents import Opponents
from mossa.web.searches import Message, Report, Work
from mossa.web.states import analysis_data, info_data
from mossa.web.store import SavedGame, Store

_INTERVAL = 0.05
"""Seconds between two reports: nobody can read faster."""
_ANALYST = f"engine:memory={MEMORY_MB}"


class _Ticker:
    """Reports what a search thinks, but not more often than people can see."""

    def __init__(self, position: Position, report: Report) -> None:
        self._position, self._report = position, report
        self._last = 0.0

    def __call__(self, info: Info) -> None:
        now = monotonic()
        if now - self._last >= _INTERVAL:
            self._last = now
            self._report({"info": info_data(info, self._position)})


def computer_move(store: Store, opponents: Opponents, saved: SavedGame) -> Work:
    """Return the work that makes the computer's next move in a saved game."""

    def work(stop: StopToken, report: Report) -> None:
        record, position = saved.record, saved.record.position
        spec = turns.spec_of(record, position.side)
        opponent = opponents.take(saved.id, spec)
        choice = opponent.choose(position, _Ticker(position, report), stop)
        opponents.give_back(saved.id, opponent)
        if stop.stopped:  # the page is gone; the move is made when it comes back
            return
        changed = store.change(saved, turns.move(record, str(choice.move)))
        info = choice.info and info_data(choice.info, position)
        report({"info": info, "game": turns.state(changed)})

    return work


def hint(position: Position) -> Work:
    """Return the work that finds a good move for a person."""

    def work(stop: StopToken, report: Report) -> None:
        made = player(_ANALYST)
        assert isinstance(made, Chooser)
        ticker = _Ticker(position, report)
        choice = made.choose(position, Limits(time=HINT_SECONDS), report=ticker, stop=stop)
        assert choice.info is not None
        report({"hint": info_data(choice.info, position)})

    return work


def analysis(position: Position) -> Work:
    """Return the work that scores every move of a position, deeper and deeper."""

    def work(stop: StopToken, report: Report) -> None:
        last: dict[str, Any] | None = None
        told = 0.0
        for found in analyse(position, time=ANALYSIS_SECONDS, player=_ANALYST, stop=stop):
            last = {"analysis": analysis_data(found)}
            if monotonic() - told >= _INTERVAL:
                report(last)
                told, last = monotonic(), None
        if stop.stopped:
            return
        final: Message = {**(last or {}), "done": True}
        report(final)

    return work
