"""The panels beside the board: the players and their clocks, the thinking, the moves so far."""

from __future__ import annotations

from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Static

from mossa._core import Move, Shape, Side
from mossa.analysis import Analysis, score_words, thought_text
from mossa.render import side_name
from mossa.render.text import alphabet_of
from mossa.search import Info
from mossa.session.session import Session
from mossa.tui.ascii import printable
from mossa.tui.grid import stone_ground, stone_ink

_FEW = 5
"""Moves listed of an analysis."""


def clock_text(seconds: float) -> str:
    """Return ``4:59``, ``1:00:00``, or ``9.8`` when little is left.

    >>> clock_text(299.2), clock_text(3600), clock_text(9.84)
    ('4:59', '1:00:00', '9.8')
    """
    if seconds < 10:
        return f"{int(seconds * 10) / 10:.1f}"
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


class Players(Static):
    """Both sides: whose turn it is, the stone, the name, the clock, the seeds won."""

    def show(self, session: Session, *, ascii_only: bool) -> None:
        """Show how the game stands."""
        game, clock = session.record.game, session.clock
        pits = game.traits.shape is Shape.pits
        alphabet = alphabet_of(game, ascii_only=ascii_only)
        text = Text(no_wrap=True, overflow="ellipsis")
        width = max(self.size.width, 10)
        for side in Side:
            to_move = not session.is_over and side is session.position.side
            line = Text(f"{alphabet.pointer} " if to_move else "  ", "bold")
            if game.traits.shape is Shape.grid:
                value = side.value + 1
                style = f"bold {stone_ink(game, value)} {stone_ground(game)}".strip()
                line.append(f" {alphabet.stones[value]} ", style).append(" ")
            line.append(side_name(game, side), "bold" if to_move else "")
            line.append(f" {session.names[side]}", "" if to_move else "dim")
            won = str(session.shown.cells[side.value][-1]) if pits else ""
            left = f" {clock_text(clock['left'][side.name])}" if clock is not None else ""
            line.truncate(width - len(won) - len(left) - 1, overflow="ellipsis")
            line.append(" " * (width - cell_len(line.plain) - len(won) - len(left)))
            running = clock is not None and clock["runs"] == side.name
            line.append(won).append(left[:1]).append(left[1:], "bold reverse" if running else "")
            text.append_text(line)
            if side is Side.first:
                text.append("\n")
        self.update(text)


class Thoughts(Static):
    """What the computer thinks, or what the moves are worth."""

    def clear(self) -> None:
        """Show nothing."""
        self.update("")

    def show_info(self, title: str, info: Info) -> None:
        """Show what a search thinks so far, or thought."""
        self.update(Text.assemble((f"{printable(title)}\n", "bold"), thought_text(info, "\n")))

    def show_analysis(self, analysis: Analysis) -> None:
        """Show the best moves with their scores and lines."""
        scored, moves = len(analysis.moves), len(analysis.position.moves)
        complete = f"Analysis, depth {analysis.depth}"
        title = complete if scored == moves else f"Scored {scored:,} of {moves:,} moves"
        text = Text(f"{title}\n", "bold")
        for move, found in list(analysis.moves.items())[:_FEW]:
            score = score_words(found.score, analysis.position)["short"]
            text.append(f"{move!s:>4} ", "bold").append(f"{score:>5} ")
            text.append(_as_fits(found.line[1:], self.size.width - 11), "dim").append("\n")
        text.rstrip()
        self.update(text)


def _as_fits(line: list[Move], width: int) -> str:
    """Return the first moves of a line, as many as fit."""
    text = ""
    for move in line:
        longer = f"{text} {move}".strip()
        if len(longer) > width:
            break
        text = longer
    return text


class Moves(Widget, can_focus=False):
    """The moves so far; the one on the board is marked, and a click shows another."""

    ALLOW_SELECT = False
    DEFAULT_CSS = "Moves { height: 1fr; min-height: 0; }"
    _PER_LINE = 2
    _WIDTH: ClassVar[int] = 13

    class Chosen(Message):
        """Somebody wants to see the position after this many moves."""

        def __init__(self, ply: int) -> None:
            """Take the number of moves."""
            super().__init__()
            self.ply = ply

    def __init__(self) -> None:
        """Begin without moves."""
        super().__init__()
        self._texts: list[str] = []
        self._marks: list[str] = []
        self._shown = 0
        self._first = 0

    def show(self, session: Session, *, ascii_only: bool) -> None:
        """Show a game's moves, scrolled to the position on the board."""
        game = session.record.game
        stones = alphabet_of(game, ascii_only=ascii_only).stones
        pits = game.traits.shape is Shape.pits
        sides = [position.side.value for position in session.positions[:-1]]
        self._texts = [str(move) for move in session.record.moves]
        self._marks = [("vA" if ascii_only else "▼▲")[s] if pits else stones[s + 1] for s in sides]
        self._shown = session.ply
        lines = max(self.size.height, 1)
        at = max(self._shown - 1, 0) // self._PER_LINE
        count = -(-len(self._texts) // self._PER_LINE)
        if not self._first <= at < self._first + lines:
            self._first = at - lines + 1 if at >= self._first else at
        self._first = max(min(self._first, count - lines), 0)
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Return a line of two moves."""
        base, segments = self.rich_style, []
        for at in range(self._PER_LINE):
            ply = (self._first + y) * self._PER_LINE + at
            text = ""
            if ply < len(self._texts):
                text = f"{ply + 1:>3} {self._marks[ply]} {self._texts[ply]}"
            style = base
            if text and ply + 1 == self._shown:
                style += Style(reverse=True)
            segments.append(Segment(text, style))
            segments.append(Segment(" " * max(self._WIDTH - cell_len(text), 0), base))
        return Strip(segments).adjust_cell_length(self.size.width, base)

    def on_click(self, event: events.Click) -> None:
        """Show the position after the move that was clicked."""
        ply = (self._first + event.y) * self._PER_LINE + event.x // self._WIDTH
        if ply < len(self._texts):
            self.post_message(self.Chosen(ply + 1))

    def on_mouse_scroll_down(self) -> None:
        """Scroll."""
        count = -(-len(self._texts) // self._PER_LINE)
        self._first = max(min(self._first + 1, count - max(self.size.height, 1)), 0)
        self.refresh()

    def on_mouse_scroll_up(self) -> None:
        """Scroll."""
        self._first = max(self._first - 1, 0)
        self.refresh()
