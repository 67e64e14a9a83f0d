"""The full-screen program: a menu, a game, and what they share."""

from __future__ import annotations

import asyncio
import os
import shlex
import signal
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from rich.segment import Segment
from textual import events
from textual.app import App
from textual.binding import Binding, BindingType
from textual.color import Color
from textual.filter import LineFilter

from mossa._core import Limits
from mossa.files import data_folder
from mossa.protocols.process import kill_all
from mossa.records import Record, read_records
from mossa.tui.ascii import to_ascii
from mossa.tui.dialogs import Ask
from mossa.tui.game import Game
from mossa.tui.menu import Menu
from mossa.tui.setup import Setup

_LAST_SECONDS = 5.0
"""Seconds to shut down in once the terminal is gone."""
DARK, LIGHT = "textual-dark", "textual-light"


def kept_path() -> Path:
    """Return where to keep a game whose terminal was closed; the load dialog suggests it."""
    return data_folder() / "left.mossa"


class AsciiFilter(LineFilter):
    """Replaces every character that a terminal without Unicode cannot show."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Return a line in plain letters."""
        return [Segment(to_ascii(text), style, control) for text, style, control in segments]


class PlayApp(App[None]):
    """The board. It returns when somebody quits; `record` is the game as they left it."""

    ENABLE_COMMAND_PALETTE = False
    ALLOW_SELECT = False  # clicks are moves
    TITLE = "mossa"
    CSS_PATH = "play.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "interrupt", "Leave", show=False, priority=True),
        Binding("ctrl+q", "quit", "Leave", show=False, priority=True),
        Binding("ctrl+z", "suspend_process", "To the shell", show=False, priority=True),
    ]

    def __init__(
        self,
        setup: Setup | None = None,
        *,
        game: str | None = None,
        players: tuple[str, str] | None = None,
        clock: str = "",
        limits: Limits | None = None,
        ascii_only: bool = False,
    ) -> None:
        """Take a game to begin with, or else what is chosen in the menu to begin with.

        ``players`` are the specs of both; the menu then asks for neither opponent nor side.
        """
        super().__init__()
        self._setup = setup
        self._chosen: dict[str, Any] = {"game": game, "players": players, "clock": clock}
        self._limits = limits or Limits()
        self.ascii_only = ascii_only
        self._plain = AsciiFilter()
        self._leaving = False
        self.game: Game | None = None
        self.interrupted = False

    @property
    def record(self) -> Record | None:
        """The game as it stands, or was left; None if there was none."""
        return None if self.game is None else self.game.session.record

    @property
    def farewell(self) -> str:
        """One line about the game, to print on the way out; empty if there was none."""
        if self.game is None or not self.game.session.record.moves:
            return ""
        session = self.game.session
        moves = session.position.history_text
        if session.is_over:
            return f"{session.status}; moves: {moves}"
        if session.record.start is not None:  # moves alone do not lead to this board
            return f"game left unfinished; moves: {moves}"
        words = ["mossa", "play", session.record.game.name]
        words += ["--first", session.record.first, "--second", session.record.second]
        return f"game left unfinished; resume it with: {shlex.join([*words, '--moves', moves])}"

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Show plain letters if the terminal has nothing else."""
        filters = super().get_line_filters()
        return [*filters, self._plain] if self.ascii_only else filters

    def on_mount(self) -> None:
        """Begin with a game, or with the menu."""
        if not self.is_headless:
            self._hear_signals()
        if self._setup is not None:
            self.begin(self._setup)
        else:
            self.action_new_game()

    def _hear_signals(self) -> None:
        """Shut down cleanly when the terminal closes or somebody ends the program."""
        loop = asyncio.get_running_loop()
        with suppress(AttributeError, NotImplementedError, ValueError):  # Windows, other threads
            loop.add_signal_handler(signal.SIGINT, self.action_interrupt)
            loop.add_signal_handler(signal.SIGTERM, self._leave, 128 + signal.SIGTERM)
            # The loop may be waiting for a terminal that is gone, so it cannot handle the signal.
            signal.signal(signal.SIGHUP, lambda *_: self._hang_up(loop))

    def _leave(self, code: int) -> None:
        self._leaving = True
        self.exit(return_code=code)

    def _hang_up(self, loop: asyncio.AbstractEventLoop) -> None:
        """Save the game to a file: with the terminal gone, nobody can read a message."""
        code = 128 + signal.SIGHUP
        game = self.game
        if game is not None and game.session.record.moves and not game.session.is_over:
            with suppress(OSError, RuntimeError):  # there is nothing left to try
                path = kept_path()
                path.parent.mkdir(parents=True, exist_ok=True)
                game.session.save(path)
        loop.call_soon_threadsafe(self._leave, code)

        def end() -> None:
            kill_all()
            os._exit(code)

        # Writing to a terminal that is gone may never return.
        watch = threading.Timer(_LAST_SECONDS, end)
        watch.daemon = True
        watch.start()

    def begin(self, setup: Setup) -> None:
        """Start a game and leave the previous one."""
        colour = not self.no_color
        new = Game(setup, limits=self._limits, ascii_only=self.ascii_only, colour=colour)
        if self.game is None:
            self.push_screen(new)
        else:
            self.switch_screen(new)
        self.game = new

    def action_new_game(self) -> None:
        """Show the menu."""

        def taken(setup: Setup | None) -> None:
            if setup is not None:
                self.begin(setup)

        menu = Menu(
            ascii_only=self.ascii_only,
            colour=not self.no_color,
            can_return=self.game is not None,
            **self._chosen,
        )
        self.push_screen(menu, taken)

    def action_load(self) -> None:
        """Resume a game from a file."""

        def named(name: str | None) -> None:
            if name and self.game is not None and self.screen is self.game:
                self.game.load(name)
            elif name:
                self._load_from_menu(name)

        kept = kept_path()
        self.push_screen(Ask("Load which file?", str(kept) if kept.exists() else ""), named)

    def _load_from_menu(self, name: str) -> None:
        """Resume a game from a file, against the opponent chosen in the menu."""
        menu = self.screen
        assert isinstance(menu, Menu)
        try:
            found = read_records(Path(name).expanduser())[-1]
            setup = menu.setup_of(found.game.name)
        except OSError as error:
            menu.complaint.update(f"Not loaded: {name}: {error.strerror or error}")
        except (ValueError, RuntimeError) as error:
            menu.complaint.update(f"Not loaded: {error}")
        else:
            menu.dismiss(replace(setup, file=name))

    def action_colours(self) -> None:
        """Switch between light and dark."""
        self.theme = LIGHT if self.theme == DARK else DARK

    async def on_event(self, event: events.Event) -> None:
        """Ignore keys once somebody has quit: there is no screen left to handle them."""
        gone = self._leaving or not self.screen_stack
        if not (gone and isinstance(event, events.InputEvent)):
            await super().on_event(event)

    def action_interrupt(self, code: int = 130) -> None:
        """Quit, as Ctrl-C does elsewhere."""
        self.interrupted = True
        self._leave(code)

    async def action_quit(self) -> None:
        """Quit."""
        self._leave(0)
