"""A game at the board: its record, its players thinking in threads, and the move on show.

Nothing here knows about screens. A board calls the methods from one thread, and its `Listener`
hears in the same thread what has changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Any

from mossa._core import Limits, Position, Side, StopToken
from mossa.analysis import Analysis, analyse
from mossa.errors import BrokenGameError, GameError, PlayerFailedError, blamed, failure
from mossa.players import Choice, Player, checked, is_foreign, stricter
from mossa.players import player as player_named
from mossa.players.engine import STRONGEST
from mossa.protocols.external import is_program
from mossa.protocols.process import kill_all
from mossa.records import Record, read_records, write_records
from mossa.render import side_name
from mossa.search import Info
from mossa.session import timing, turns
from mossa.session.seats import Deliver, Job, Seat
from mossa.session.wording import game_status, player_names

HINT_SECONDS = 1.0
"""Long enough for a good answer, short enough to ask often."""
ANALYSIS_SECONDS = 60.0
"""After that, nobody waits for a deeper analysis."""
PATIENCE = 1.0
"""Seconds players have to finish when the board closes."""


class Listener:
    """A board that wants to know what happens. It overrides only what it cares about."""

    def changed(self) -> None:
        """Hear that the game has changed, or the move on show."""

    def thinking(self, info: Info) -> None:
        """Hear what the player to move thinks so far."""

    def moved(self, side: Side, choice: Choice) -> None:
        """Hear what a player has chosen, and why, before the game changes."""

    def failed(self, message: str) -> None:
        """Hear that the player to move failed: the game waits."""

    def hinted(self, info: Info | None, problem: str = "") -> None:
        """Hear of a good move, or why there is none."""

    def analysed(self, analysis: Analysis | None, problem: str = "") -> None:
        """Hear what the moves of the position on show are worth, or why nobody knows."""


class Session:
    """One game after another between the same two players."""

    def __init__(
        self,
        position: Position,
        first: Player,
        second: Player,
        *,
        deliver: Deliver,
        listener: Listener | None = None,
        limits: Limits | None = None,
        clock: str = "",
    ) -> None:
        """Take where the game starts, who plays, and how long computers may think.

        ``deliver`` calls a function in the board's thread.
        """
        self.record = turns.begin(position, first.name, second.name, clock=clock)
        self.players = [first, second]
        self.failure: PlayerFailedError | None = None
        """What the player to move did instead of moving."""
        self.analysing = False
        self.listener = listener or Listener()
        self._limits = limits or Limits()
        self._deliver = deliver
        self._seats = [Seat(f"mossa {side.name}") for side in Side]
        self._helper, self._analyst = Seat("mossa hint"), Seat("mossa analysis")
        self._helping: Player | None = None  # each is made and used in its own thread
        self._scoring: Player | None = None
        self._unready = set(Side)  # players to be told that a new game begins
        self._positions = list(self.record.positions())
        self._shown: int | None = None

    # ---------------------------------------------------------------- looking

    @property
    def position(self) -> Position:
        """Where the game stands."""
        return self._positions[-1]

    @property
    def positions(self) -> list[Position]:
        """Every position of the game so far, the start first."""
        return self._positions

    @property
    def shown(self) -> Position:
        """The position on show: where the game stands, or an earlier one."""
        return self._positions[self.ply]

    @property
    def ply(self) -> int:
        """The number of moves that led to the position on show."""
        return len(self.record.moves) if self._shown is None else self._shown

    @property
    def is_live(self) -> bool:
        """Tell whether the position on show is where the game stands."""
        return self._shown is None

    @property
    def is_over(self) -> bool:
        """Tell whether the game has ended."""
        return turns.is_over(self.record)

    @property
    def awaits_person(self) -> bool:
        """Tell whether the board may make the next move: a person's, or one for a failed player."""
        return turns.awaits_person(self.record) or (self.failure is not None and not self.is_over)

    @property
    def moves_again(self) -> bool:
        """Tell whether the side to move also made the last move."""
        return (
            len(self._positions) > 1
            and not self.is_over
            and self._positions[-2].side is self.position.side
        )

    @property
    def can_take_back(self) -> bool:
        """Tell whether there is a person's decision to take back."""
        lost = timing.is_lost_on_time(self.record)
        return not lost and turns.decision_before(self.record) is not None

    @property
    def names(self) -> dict[Side, str]:
        """Who plays the sides."""
        return {Side[side]: name for side, name in player_names(self.record).items()}

    @property
    def status(self) -> str:
        """Whose turn it is, or how the game ended."""
        return game_status(self.record, turns.end_of(self.record))

    @property
    def clock(self) -> dict[str, Any] | None:
        """The seconds left and whose clock runs; None without a clock."""
        return timing.clock_state(self.record, awaits_person=not self.is_over)

    # ---------------------------------------------------------------- acting

    def begin(self) -> None:
        """Let the game go on: a computer whose turn it is begins to think."""
        self._changed()

    def move(self, text: str) -> None:
        """Make a person's move, or one for a player that failed."""
        if self.is_over:
            raise GameError("the game is over")
        if not self.awaits_person:
            raise GameError(f"it is not your turn: {self.names[self.position.side]} is to move")
        if not self.is_live:
            raise GameError("this is an earlier position: go to the last move to play on")
        thought = None if self.failure is None else 0.0  # the clock running is not the person's
        self._set(turns.move(self.record, text, thought=thought))

    def take_back(self) -> None:
        """Return to a person's last decision."""
        self._set(turns.take_back(self.record))

    def resign(self) -> None:
        """Resign."""
        self._set(turns.resign(self.record))

    def rematch(self) -> None:
        """Start again with sides swapped."""
        self._stop()
        self.players.reverse()
        self._seats.reverse()
        self._restart(turns.rematch(self.record))

    def retry(self) -> None:
        """Retry a player that failed; one in a file, which may have been fixed, is reloaded."""
        if self.failure is None:
            raise GameError("nothing to retry: no player has failed")
        at = self.position.side.value
        failed = self.players[at]
        if is_program(failed):
            failed.kill()  # to ask it starts it again, as it is now
        elif is_foreign(failed.name):
            self.players[at] = player_named(failed.name)
        self._set(self.record)

    def tick(self) -> None:
        """Check the clock: a person may have run out of time."""
        if turns.awaits_person(self.record) and timing.is_late(
            self.record, timing.taken(self.record)
        ):
            self._set(turns.flag(self.record))

    def step(self, by: int) -> None:
        """Show an earlier or a later position."""
        self.show(self.ply + by)

    def show(self, ply: int) -> None:
        """Show the position after a number of moves; the game goes on meanwhile."""
        ply = min(max(ply, 0), len(self.record.moves))
        self._shown = None if ply == len(self.record.moves) else ply
        self._look_again()
        self.listener.changed()

    # ---------------------------------------------------------------- files

    def save(self, path: Path) -> None:
        """Write the game to a file; raise OSError or ValueError if that fails."""
        write_records(path, [timing.stopped(self.record)])

    def load(self, path: Path) -> None:
        """Resume the last game in a file; the players stay."""
        loaded = read_records(path)[-1]
        first, second = (player.name for player in self.players)
        for player in self.players:
            player.check_game(loaded.game)
        record = timing.resumed(replace(loaded, first=first, second=second, branches=None))
        self._stop()
        self._restart(record)

    # ---------------------------------------------------------------- help

    def hint(self) -> None:
        """Look for a good move; the listener hears of it."""
        position = self.shown
        if position.outcome is not None:
            self.listener.hinted(None, "no hint: the game is over")
            return

        def work(stop: StopToken, report: Callable[[Info], None]) -> Info | None:
            self._helping = self._helping or player_named(STRONGEST)
            return self._helping.ask(position, Limits(time=HINT_SECONDS), stop=stop).info

        self._helper.start(
            Job(
                work,
                self._deliver,
                reported=lambda info: None,
                ended=self.listener.hinted,
                failed=lambda error: self.listener.hinted(None, f"no hint: {failure(error)}"),
            )
        )

    def analyse(self, on: bool) -> None:
        """Start or stop scoring the moves of the position on show."""
        self.analysing = on
        self._look_again()

    def _look_again(self) -> None:
        self._helper.cancel()
        self._analyst.cancel()
        if not self.analysing:
            return
        position = self.shown
        if position.outcome is not None:
            self.listener.analysed(None, "nothing to analyse: the game is over")
            return

        def work(stop: StopToken, report: Callable[[Analysis], None]) -> Analysis | None:
            last = None
            self._scoring = self._scoring or player_named(STRONGEST)
            looks = analyse(
                position, time=ANALYSIS_SECONDS, player=self._scoring, stop=stop, partial=True
            )
            for last in looks:
                report(last)
            return last

        self._analyst.start(
            Job(
                work,
                self._deliver,
                reported=self.listener.analysed,
                ended=self.listener.analysed,
                failed=lambda error: self.listener.analysed(None, str(failure(error))),
            )
        )

    # ---------------------------------------------------------------- turns

    def _set(self, record: Record) -> None:
        self._stop()
        kept = len(_common(self.record.moves, record.moves))
        del self._positions[kept + 1 :]
        for move in record.moves[kept:]:
            self._positions.append(self._positions[-1].play(move))
        self.record = record
        self._changed()

    def _restart(self, record: Record) -> None:
        self.record = record
        self._positions = list(record.positions())
        self._unready = set(Side)
        self._changed()

    def _changed(self) -> None:
        """Show where the game stands, and ask the computer to move if it is its turn."""
        self._shown = None
        self.failure = None
        self._look_again()
        self.listener.changed()
        if not self.is_over and not turns.awaits_person(self.record):
            self._think()

    def _stop(self) -> None:
        for seat in self._seats:
            seat.cancel()

    def _think(self) -> None:
        position, side = self.position, self.position.side
        player = self.players[side.value]
        turn = timing.turn(self.record)
        limits = self._limits if turn is None else stricter(turn.limits, self._limits)
        is_new = side in self._unready
        self._unready.discard(side)
        began = monotonic()

        def work(stop: StopToken, report: Callable[[Info], None]) -> Choice:
            try:
                if is_new:
                    player.prepare(position.game, side)
                return checked(player.ask(position, limits, report=report, stop=stop), position)
            except (Exception, SystemExit) as error:
                raise failure(error) from error

        def ended(choice: Choice) -> None:
            try:
                after = turns.move(self.record, str(choice.move), thought=monotonic() - began)
            except BrokenGameError as error:
                failed(error)
                return
            self.listener.moved(side, choice)
            self._set(after)

        def failed(error: BaseException) -> None:
            self.failure = blamed(failure(error), side_name(position.game, side))
            self.listener.failed(str(self.failure))

        self._seats[side.value].start(
            Job(
                work,
                self._deliver,
                reported=self.listener.thinking,
                ended=ended,
                failed=failed,
            )
        )

    def close(self) -> None:
        """Stop everything at once; players that cannot be stopped are abandoned."""
        seats = [*self._seats, self._helper, self._analyst]
        for seat in seats:
            seat.close()
        until = monotonic() + PATIENCE
        ended = [seat.join(max(0.0, until - monotonic())) for seat in seats]
        for player, has_ended in zip(self.players, ended, strict=False):
            if has_ended:
                player.close()
        if not all(ended):
            kill_all()


def _common(some: tuple[Any, ...], others: tuple[Any, ...]) -> list[Any]:
    """Return the opening that two games share."""

    def pairs() -> Iterator[Any]:
        for one, other in zip(some, others, strict=False):
            if one != other:
                return
            yield one

    return list(pairs())
