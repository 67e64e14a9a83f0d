"""What a page's searches do: choose the computer's move, find a hint, analyse, review."""

from __future__ import annotations

from time import monotonic
from typing import Any

from mossa._core import Limits, Position, StopToken
from mossa.analysis import MANY_MOVES, Analysis, analyse, review
from mossa.players import player
from mossa.records import Record
from mossa.search import Info
from mossa.session import timing, turns
from mossa.web import saved_games
from mossa.web.evaluation import analyst_spec
from mossa.web.limits import (
    ANALYSIS_SECONDS,
    GRAPH_SECONDS,
    GRAPH_TOTAL_SECONDS,
    HINT_SECONDS,
    REVIEW_LEAST_SECONDS,
    REVIEW_SECONDS,
    REVIEW_TOTAL_SECONDS,
)
from mossa.web.opponents import Opponents
from mossa.web.searches import Message, Report, Work
from mossa.web.states import (
    advantage,
    analysis_data,
    glance_data,
    info_data,
    outcome_advantage,
    review_data,
)
from mossa.web.store import OutdatedError, SavedGame, Store

_INTERVAL = 0.05
"""Seconds between two reports: nobody can read faster."""
GLANCE_SECONDS = 0.4


class _Ticker:
    """Reports what a search thinks, but no faster than people can read."""

    def __init__(self, position: Position, report: Report) -> None:
        self._position, self._report = position, report
        self._last = 0.0

    def __call__(self, info: Info) -> None:
        now = monotonic()
        if now - self._last >= _INTERVAL:
            self._last = now
            self._report({"info": info_data(info, self._position)})


def computer_move(store: Store, opponents: Opponents, saved: SavedGame) -> Work:
    """Return the job that makes the computer's next move in a saved game."""

    def work(stop: StopToken, report: Report) -> None:
        record, position = saved.record, saved.record.position
        spec = turns.spec_of(record, position.side)
        opponent = opponents.take(saved.id, spec)
        # Its clock runs while it thinks, not while it waits for a page or in the queue here.
        turn, began = timing.turn(record), monotonic()
        clock = None if turn is None else turn.limits
        choice = opponent.choose(position, _Ticker(position, report), stop, clock)
        thought = monotonic() - began
        opponents.give_back(saved.id, opponent)
        if stop.stopped:  # the page is gone; the move is made when it comes back
            return
        info = choice.info and info_data(choice.info, position)
        try:
            changed = store.change(saved, turns.move(record, str(choice.move), thought=thought))
        except OutdatedError:  # another page was faster
            changed, info = store.load(saved.id), None
        report({"info": info, "game": saved_games.state(changed)})

    return work


def game_as_it_is(saved: SavedGame) -> Work:
    """Return the job for a move nobody wants any more: say how the game stands."""

    def work(stop: StopToken, report: Report) -> None:
        report({"info": None, "game": saved_games.state(saved)})

    return work


def hint(position: Position) -> Work:
    """Return the job that finds a good move for a person."""

    def work(stop: StopToken, report: Report) -> None:
        ticker = _Ticker(position, report)
        limits = Limits(time=HINT_SECONDS)
        choice = player(analyst_spec(position.game)).ask(position, limits, report=ticker, stop=stop)
        assert choice.info is not None
        report({"hint": info_data(choice.info, position)})

    return work


def analysis(position: Position) -> Work:
    """Return the job that scores every move of a position, deeper and deeper."""

    def work(stop: StopToken, report: Report) -> None:
        analyst = player(analyst_spec(position.game))
        last: dict[str, Any] | None = None
        told = 0.0
        if len(position.moves) > MANY_MOVES:
            # Scoring them all takes a while; the best move shows at once.
            info = analyst.ask(position, Limits(time=GLANCE_SECONDS), stop=stop).info
            assert info is not None
            report({"analysis": glance_data(info, position)})
        for found in analyse(position, time=ANALYSIS_SECONDS, player=analyst, stop=stop):
            last = {"analysis": analysis_data(found)}
            if monotonic() - told >= _INTERVAL:
                report(last)
                told, last = monotonic(), None
        final: Message = {**(last or {}), "done": True}
        if not stop.stopped:
            report(final)

    return work


def graph(last: Position) -> Work:
    """Return the job that quickly values every position of the game that led here."""

    def work(stop: StopToken, report: Report) -> None:
        positions = list(Record.from_position(last).positions())
        limits = Limits(time=min(GRAPH_SECONDS, GRAPH_TOTAL_SECONDS / len(positions)))
        analyst = player(analyst_spec(last.game))
        for ply, position in enumerate(positions):
            lean = outcome_advantage(position)
            if lean is None:
                info = analyst.ask(position, limits, stop=stop).info
                assert info is not None
                lean = advantage(info.score, position)
            if stop.stopped:
                return
            report({"point": {"ply": ply, "advantage": lean}})
        report({"done": True})

    return work


def game_review(last: Position, opening: int = 0) -> Work:
    """Return the job that grades the moves of the game that led to this position.

    So many moves of its opening get no grade: no player chose them.
    """

    def work(stop: StopToken, report: Report) -> None:
        record = Record.from_position(last, extra={"opening": opening})
        seconds = min(REVIEW_SECONDS, REVIEW_TOTAL_SECONDS / len(record.moves))
        analyses: list[Analysis | None] = []

        def analysed(found: Analysis | None) -> None:
            lean = None if found is None else advantage(found.score, found.position)
            report({"point": {"ply": len(analyses), "advantage": lean}, "of": len(record.moves)})
            analyses.append(found)

        found = review(
            record,
            time=max(seconds, REVIEW_LEAST_SECONDS),
            total_time=REVIEW_TOTAL_SECONDS,
            player=analyst_spec(last.game),
            report=analysed,
            stop=stop,
        )
        if not stop.stopped:
            report({"review": review_data(found, analyses), "done": True})

    return work
