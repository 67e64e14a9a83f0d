"""The start menu: games as cards, the opponent, the side, the clock, and sizes to choose."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Static

from mossa._core import Position, Side
from mossa.errors import GameError
from mossa.games import game as game_named
from mossa.render import last_cells
from mossa.session.wording import capitalised
from mossa.tui.board import drawing_of, strip_of
from mossa.tui.canvas import Canvas, Cell, Marks
from mossa.tui.dialogs import Keys
from mossa.tui.keys import KeyLine, shown_keys
from mossa.tui.setup import (
    CLOCKS,
    DEFAULT_LEVEL,
    Card,
    Setup,
    cards,
    chosen,
    opponents,
    sides,
    size_name,
    specs_of,
)

_LARGEST_SIZE = 100
_LEAST_LINES = 7
"""Fewer would show nothing of a large board."""
_AROUND = 4
"""Rows and columns shown around the last move of one."""


class Cards(Widget, can_focus=True):
    """The games, one below the other."""

    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "choose(-1)", "Up", show=False),
        Binding("down", "choose(1)", "Down", show=False),
        Binding("home", "choose(-100)", "First", show=False),
        Binding("end", "choose(100)", "Last", show=False),
    ]

    class Changed(Message):
        """Somebody has moved to another game."""

    class Taken(Message):
        """Somebody has settled on a game."""

    def __init__(self, cards: list[Card], *, ascii_only: bool, at: int = 0) -> None:
        """Take the games, and which one is chosen at first."""
        super().__init__()
        self.cards, self.at = cards, at
        self._pointer = ">" if ascii_only else "▸"

    @property
    def card(self) -> Card:
        """The chosen game."""
        return self.cards[self.at]

    @property
    def _lines(self) -> int:
        """How many lines a card has: one is blank if there is room."""
        return 2 if self.size.height >= 2 * len(self.cards) else 1

    @property
    def _first(self) -> int:
        """The first visible line."""
        return max((self.at + 1) * self._lines - self.size.height, 0)

    def render_line(self, y: int) -> Strip:
        """Return a line of a card."""
        base, width = self.rich_style, self.size.width
        at, line = divmod(self._first + y, self._lines)
        if at >= len(self.cards):
            return Strip.blank(width, base)
        card, here = self.cards[at], at == self.at
        if line:
            return Strip.blank(width, base)
        text = f" {self._pointer if here else ' '} {card.title}"
        style = base + Style(bold=here, reverse=here and self.has_focus)
        return Strip([Segment(text, style)]).adjust_cell_length(width, style)

    def action_choose(self, by: int) -> None:
        """Choose another game."""
        self._choose(self.at + by)

    def _choose(self, at: int) -> None:
        at = min(max(at, 0), len(self.cards) - 1)
        if at != self.at:
            self.at = at
            self.refresh()
            self.post_message(self.Changed())

    def on_click(self, event: events.Click) -> None:
        """Choose the game that was clicked; a second click plays it."""
        at = (self._first + event.y) // self._lines
        if at < len(self.cards):
            self._choose(at)
            if event.chain >= 2:
                self.post_message(self.Taken())

    def on_focus(self) -> None:
        """Show that keys go here."""
        self.refresh()

    def on_blur(self) -> None:
        """Show that keys go elsewhere."""
        self.refresh()


class Choice(Widget, can_focus=True):
    """A thing to choose: left and right change it."""

    ALLOW_SELECT = False
    DEFAULT_CSS = "Choice { height: 1; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,minus", "change(-1)", "Before", show=False),
        Binding("right,plus,space", "change(1)", "Next", show=False),
        Binding("up", "app.focus_previous", "Up", show=False),
        Binding("down", "app.focus_next", "Down", show=False),
    ]

    class Changed(Message):
        """Something else is chosen."""

    _LABEL = 10

    def __init__(
        self, label: str, values: Mapping[str, str], value: str, *, ascii_only: bool, name: str
    ) -> None:
        """Take the label, the values with their names, and the one chosen."""
        super().__init__(name=name, id=f"choice-{name}")
        self.label, self.values, self.value = label, dict(values), value
        self._arrows = ("<", ">") if ascii_only else ("◂", "▸")

    def set_values(self, values: Mapping[str, str]) -> None:
        """Take other values; keep the choice if it is among them."""
        self.values = dict(values)
        if self.value not in self.values:
            self.value = next(iter(self.values))
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Return the label and the value, with arrows around it."""
        base = self.rich_style
        left, right = self._arrows
        style = base + Style(reverse=True, bold=True) if self.has_focus else base
        return Strip(
            [
                Segment(f"{self.label:<{self._LABEL}}", base),
                Segment(f"{left} {self.values[self.value]} {right}", style),
            ]
        ).adjust_cell_length(self.size.width, base)

    def action_change(self, by: int) -> None:
        """Choose the next value or the one before."""
        names = list(self.values)
        at = (names.index(self.value) + by) % len(names)
        self.value = names[at]
        self.refresh()
        self.post_message(self.Changed())

    def on_click(self, event: events.Click) -> None:
        """Choose by clicking an arrow; anywhere else takes the next value."""
        self.action_change(-1 if event.x <= self._LABEL + 1 else 1)

    def on_mouse_scroll_down(self) -> None:
        """Choose the next value."""
        self.action_change(1)

    def on_mouse_scroll_up(self) -> None:
        """Choose the value before."""
        self.action_change(-1)

    def on_focus(self) -> None:
        """Show that keys go here."""
        self.refresh()

    def on_blur(self) -> None:
        """Show that keys go elsewhere."""
        self.refresh()


class Picture(Widget):
    """A small board of the chosen game."""

    ALLOW_SELECT = False

    def __init__(self, *, ascii_only: bool, colour: bool) -> None:
        """Begin without one."""
        super().__init__()
        self._ascii, self._colour = ascii_only, colour
        self._position: Position | None = None
        self._canvas: Canvas | None = None

    def show(self, game: str, example: str) -> None:
        """Show a game after a few moves; nothing if the game is invalid."""
        try:
            self._position = game_named(game).position(example)
        except GameError:
            self._position = None
        self._canvas = None
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Return a line of the drawing."""
        if self._canvas is None or (self._canvas.width, self._canvas.height) != self.size:
            self._canvas = self._drawn()
        return strip_of(self._canvas, y, self.rich_style)

    def _drawn(self) -> Canvas:
        canvas, position = Canvas(*self.size), self._position
        if position is None:
            return canvas
        drawing = drawing_of(position.game, ascii_only=self._ascii, colour=self._colour)
        last, size = last_cells(position), (self.size.width, self.size.height)
        needed = [(zoom, drawing.size(zoom)) for zoom in drawing.zooms[:2]]
        fitting = [zoom for zoom, (x, y) in needed if x <= size[0] and y <= size[1]]
        corner: Cell = (10_000, 0)
        zoom = fitting[-1] if fitting else drawing.zooms[0]
        if not fitting and last:  # the part of the board where something has happened
            corner = drawing.following(zoom, size, corner, last[-1])
            corner = drawing.scrolled(zoom, size, corner, -_AROUND, _AROUND)
        if fitting or size[1] >= _LEAST_LINES:
            marks = Marks(last=last, winning=position.winning_cells)
            drawing.draw(canvas, zoom, corner, position.cells, marks)
        return canvas


class Menu(Screen[Setup | None]):
    """Everything about a new game on one screen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "start", "Play", priority=True),
        Binding("tab", "app.focus_next", "Next"),
        Binding("l", "app.load", "Load a game"),
        Binding("c", "app.colours", "Light/dark"),
        Binding("question_mark,f1", "help", "Help", key_display="?"),
        Binding("escape", "back", "Back", show=False),
        Binding("q", "app.quit", "Quit"),
    ]
    KEYS: ClassVar[list[tuple[str, str]]] = [
        ("up, down", "choose a game, or go to the next line"),
        ("tab", "go to the next field"),
        ("left, right", "change the opponent, the side, the clock, a size"),
        ("enter", "start"),
        ("l", "resume a game from a file"),
        ("escape", "back to the current game"),
        ("c", "light or dark"),
        ("q, ctrl+c", "leave"),
    ]

    def __init__(
        self,
        *,
        ascii_only: bool,
        colour: bool,
        game: str | None = None,
        players: tuple[str, str] | None = None,
        clock: str = "",
        can_return: bool = False,
    ) -> None:
        """Take the first choices, and whether there is a game to return to."""
        super().__init__()
        self._players = players
        self._can_return = can_return
        self._ascii, self._colour = ascii_only, colour
        found = cards(game)
        names = [card.name for card in found]
        at = names.index(game) if game in names else 0
        self.cards = Cards(found, ascii_only=ascii_only, at=at)
        level = f"level:{DEFAULT_LEVEL}"
        clocks = {**CLOCKS, **({clock: clock} if clock not in CLOCKS else {})}

        def row(name: str, label: str, values: Mapping[str, str], value: str) -> Choice:
            return Choice(label, values, value, ascii_only=ascii_only, name=name)

        first = Side.first.name
        self.opponent = row("opponent", "Opponent", opponents(), level)
        self.side = row("side", "You play", sides(found[at].name), first)
        self.clock = row("clock", "Clock", clocks, clock)
        self.sizes = {
            size: row(
                f"size-{size}",
                size_name(size),
                {str(n): str(n) for n in range(1, _LARGEST_SIZE + 1)},
                str(usual),
            )
            for card in found
            for size, usual in card.sizes.items()
        }
        self.picture = Picture(ascii_only=ascii_only, colour=colour)
        self.about = Static("", id="about", markup=False)
        self.complaint = Static("", id="complaint", markup=False)

    def compose(self) -> ComposeResult:
        """Show the games on the left, the rest on the right."""
        yield Static(Text("mossa: choose a game"), id="heading")
        with Horizontal(id="menu"):
            yield self.cards
            with Vertical(id="choices"):
                yield self.picture
                yield self.about
                yield self.opponent
                yield self.side
                yield self.clock
                yield from self.sizes.values()
                yield self.complaint
        yield KeyLine(shown_keys(self.BINDINGS))

    def on_mount(self) -> None:
        """Show what belongs to the chosen game."""
        self.opponent.display = self.side.display = self._players is None
        self.cards.focus()
        self.on_cards_changed()

    def on_resize(self, event: events.Resize) -> None:
        """Put the choices below the games if there is no room beside them."""
        self.set_class(event.size.width < 70, "narrow")
        self.set_class(event.size.height < 20, "low")

    @property
    def game(self) -> str:
        """The name of the chosen game."""
        return self.cards.card.game({size: int(row.value) for size, row in self.sizes.items()})

    def on_cards_changed(self) -> None:
        """Show the picture, the sides and the sizes of another game."""
        for size, row in self.sizes.items():
            row.display = size in self.cards.card.sizes
        self.on_choice_changed()

    def on_choice_changed(self) -> None:
        """Show what a changed size means."""
        self.side.set_values(sides(self.game))
        card = self.cards.card
        self.picture.show(self.game, card.example)
        self.about.update(f"{capitalised(card.summary)}.{self._who}")
        self.complaint.update("")

    @property
    def _who(self) -> str:
        """Who plays, if the menu does not ask."""
        return "" if self._players is None else f"\n{' against '.join(self._players)}"

    def on_cards_taken(self) -> None:
        """Start the game that was clicked twice."""
        self.action_start()

    def action_start(self) -> None:
        """Start the game, or say why that is impossible."""
        try:
            setup = self.setup_of(self.game)
        except GameError as error:
            self.complaint.update(str(error))
            return
        self.dismiss(setup)

    def setup_of(self, game: str) -> Setup:
        """Return the game as chosen; raise GameError if it is impossible."""
        specs = self._players or specs_of(self.opponent.value, self.side.value)
        return chosen(game, specs, self.clock.value)

    def action_help(self) -> None:
        """Show all keys."""
        self.app.push_screen(Keys(self.KEYS))

    def action_back(self) -> None:
        """Return to the game, if there is one."""
        if self._can_return:
            self.dismiss(None)
