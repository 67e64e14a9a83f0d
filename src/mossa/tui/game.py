"""The game on the screen: the board, who plays, the thinking, the moves, and all keys."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import ClassVar

from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Static

from mossa._core import Game as Rules
from mossa._core import Limits, Side
from mossa.analysis import Analysis, score_words
from mossa.errors import GameError
from mossa.games import KINDS
from mossa.games import game as game_named
from mossa.players import Choice
from mossa.render import side_name
from mossa.search import Info
from mossa.session.session import Listener, Session
from mossa.session.wording import capitalised
from mossa.tui.ascii import printable
from mossa.tui.board import Board
from mossa.tui.boards import board_for
from mossa.tui.canvas import Note
from mossa.tui.dialogs import Ask, Confirm, Keys
from mossa.tui.keys import KeyLine, shown_keys
from mossa.tui.panels import Moves, Players, Thoughts
from mossa.tui.setup import Setup

_TICK = 0.2
"""Seconds between two looks at the clock."""
_PRESETS = {preset.title: preset for kind in KINDS.values() for preset in kind.presets}


class Delivered(Message):
    """Something a player's thread hands over."""

    def __init__(self, call: Callable[[], None]) -> None:
        """Take the function to call in the screen's thread."""
        super().__init__()
        self.call = call


class Game(Screen[None], Listener):
    """One game after another on the same board."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("u", "take_back", "Undo"),
        Binding("h", "hint", "Hint"),
        Binding("a", "analyse", "Analyse"),
        Binding("n", "app.new_game", "New"),
        Binding("s", "save", "Save"),
        Binding("l", "app.load", "Load", show=False),
        Binding("r", "resign", "Resign"),
        Binding("m", "rematch", "Rematch"),
        Binding("t", "retry", "Retry", show=False),
        Binding("colon", "type", "Type a move", show=False),
        Binding("pageup,comma", "step(-1)", "Earlier", show=False),
        Binding("pagedown,full_stop", "step(1)", "Later", show=False),
        Binding("home", "step(-1000000)", "First", show=False),
        Binding("end", "step(1000000)", "Last", show=False),
        Binding("c", "app.colours", "Light/dark", show=False),
        Binding("question_mark,f1", "help", "Help", key_display="?"),
        Binding("q", "app.quit", "Quit"),
    ]
    KEYS: ClassVar[list[tuple[str, str]]] = [
        ("arrows, mouse", "move the cursor, see what a move does"),
        ("enter, click", "play; pick up or put down a piece"),
        ("1 to 9", "go to a column or a pit"),
        (":", "type a move"),
        ("escape", "let go of a piece"),
        ("page up/down", "step through the moves (or , and .)"),
        ("home, end", "first position, last position"),
        ("u", "undo: back to your last decision"),
        ("h", "hint: a good move"),
        ("a", "analyse: score every move, on or off"),
        ("r", "resign"),
        ("m", "rematch with sides swapped"),
        ("n", "new game"),
        ("s, l", "save to a file, load one"),
        ("t", "retry a player that failed"),
        ("+ - 0", "larger, smaller, fit to screen"),
        ("c", "light or dark"),
        ("q, ctrl+c", "quit and print the moves"),
        ("ctrl+z", "suspend to the shell (fg resumes)"),
    ]

    def __init__(self, setup: Setup, *, limits: Limits, ascii_only: bool, colour: bool) -> None:
        """Take the game about to begin, and what the terminal can show."""
        super().__init__()
        self._ascii, self._colour = ascii_only, colour
        self.session = Session(
            setup.position,
            setup.first,
            setup.second,
            clock=setup.clock,
            limits=limits,
            deliver=lambda call: self.post_message(Delivered(call)),
            listener=self,
        )
        self.board = board_for(setup.position, ascii_only=ascii_only, colour=colour)
        self.players, self.thoughts, self.move_list = Players(), Thoughts(), Moves()
        self.heading = Static("", id="heading", markup=False)
        self.line = Static("", id="line", markup=False)
        self._said = ""
        self._thought: tuple[str, Info] | None = None
        self._file = setup.file

    def compose(self) -> ComposeResult:
        """Show the board on the left, the rest on the right."""
        with Horizontal(id="game"):
            yield self.board
            with Vertical(id="panel"):
                yield self.heading
                yield self.players
                yield self.thoughts
                yield self.move_list
        yield self.line
        yield KeyLine(shown_keys(self.BINDINGS))

    def on_mount(self) -> None:
        """Begin the game."""
        self.board.focus()
        self.set_interval(_TICK, self._tick)
        self.session.begin()
        if self._file is not None:
            self.load(self._file)

    def on_unmount(self) -> None:
        """Stop any thinking; the program waits for it to end, the screen does not."""
        threading.Thread(target=self.session.close).start()

    def on_resize(self, event: events.Resize) -> None:
        """Hide the panels beside the board if there is no room."""
        self.set_class(event.size.width < 64, "narrow")
        self.call_after_refresh(self._show_side)

    @on(Delivered)
    def _deliver(self, event: Delivered) -> None:
        event.call()

    # ---------------------------------------------------------------- news from the session

    def changed(self) -> None:
        """Show how the game stands."""
        session = self.session
        if session.shown.game != self.board.game:
            self._change_board()
        enabled = session.is_live and session.awaits_person
        self.board.show(session.shown, enabled=enabled)
        self._said = ""
        thought, self._thought = self._thought, None
        if not session.analysing:
            if thought is None:
                self.thoughts.clear()
            else:
                self.thoughts.show_info(*thought)
        self._show_side()

    def _change_board(self) -> None:
        """Switch boards: the loaded game needs another one."""
        old = self.board
        self.board = board_for(self.session.shown, ascii_only=self._ascii, colour=self._colour)
        self.query_one("#game").mount(self.board, before=old)
        old.remove()
        self.call_after_refresh(self.board.focus)

    def thinking(self, info: Info) -> None:
        """Show what the player to move thinks so far."""
        if not self.session.analysing:
            name = self.session.names[self.session.position.side]
            self.thoughts.show_info(f"{name} thinks", info)

    def moved(self, side: Side, choice: Choice) -> None:
        """Keep the player's thoughts on the screen until the game changes again."""
        if choice.info is not None:
            self._thought = f"{self.session.names[side]} played {choice.move}", choice.info

    def failed(self, message: str) -> None:
        """Say what happened; the game waits."""
        self.board.show(self.session.shown, enabled=self.session.is_live)
        self.say(f"{message}. The game is kept: t retries, or play for that side, undo or save.")

    def hinted(self, info: Info | None, problem: str = "") -> None:
        """Mark a good move."""
        if info is None:
            self.say(problem or "no hint: the engine has no score")
            return
        position = self.session.shown
        self.board.hints = self.board.cells_of(info.move)
        self.board.redraw()
        words = score_words(info.score, position)["words"]
        self.say(f"Hint: {info.move}. {side_name(position.game, position.side)} {words}")

    def analysed(self, analysis: Analysis | None, problem: str = "") -> None:
        """Write scores on the board, and list the best moves."""
        if analysis is None:
            self.thoughts.clear()
            if problem:
                self.say(problem)
            return
        self.thoughts.show_analysis(analysis)
        best = str(analysis.score)
        self.board.scores = {
            move: Note(
                score_words(found.score, analysis.position)["short"],
                short="*" if str(found.score) == best else "",
                best=str(found.score) == best,
            )
            for move, found in analysis.moves.items()
        }
        self.board.redraw()

    # ---------------------------------------------------------------- messages

    def say(self, text: str) -> None:
        """Say something about what was just done."""
        self._said = capitalised(printable(text))
        self._show_line()

    @property
    def status(self) -> str:
        """Whose turn it is, or how the game ended, or which earlier position is shown."""
        session = self.session
        if not session.is_live:
            of = len(session.record.moves)
            return f"Move {session.ply} of {of}: page up and page down step, end returns"
        if session.is_over:
            return f"{session.status}. m: rematch, n: new game, s: save"
        if session.failure is not None:
            return printable(str(session.failure))
        status = session.status
        if session.moves_again:
            again = "you move again" if session.awaits_person else "moves again"
            status = f"{status}: {again}"
        others = self.board.other_moves if session.awaits_person else []
        if others:
            status = f"{status}. Also: {', '.join(map(str, others))} (press : and type it)"
        return status

    def _show_line(self) -> None:
        self.line.update(Text(self._said or self.status))

    def _show_side(self) -> None:
        game = self.session.record.game
        self.heading.update(Text(title_of(game), "bold"))
        self.players.show(self.session, ascii_only=self._ascii)
        self.move_list.show(self.session, ascii_only=self._ascii)
        self._show_line()

    def _tick(self) -> None:
        """Let the clocks run."""
        if self.session.clock is not None:
            self.session.tick()
            self.players.show(self.session, ascii_only=self._ascii)

    # ---------------------------------------------------------------- news from the board

    @on(Board.Played)
    def _play(self, event: Board.Played) -> None:
        self._try(lambda: self.session.move(str(event.move)))

    @on(Board.Refused)
    def _refuse(self, event: Board.Refused) -> None:
        session = self.session
        if event.reason:
            self.say(event.reason)
        elif not session.is_live:
            self.say("This is an earlier position: press end to return to the game")
        elif session.is_over:
            self.say("")
        else:
            self.say(f"Wait: {session.names[session.position.side]} is to move")

    @on(Moves.Chosen)
    def _show_ply(self, event: Moves.Chosen) -> None:
        self.session.show(event.ply)

    def _try(self, action: Callable[[], None]) -> None:
        """Do something, or say in one line why that fails."""
        try:
            action()
        except GameError as error:
            self.say(str(error))

    # ---------------------------------------------------------------- keys

    def action_take_back(self) -> None:
        """Return to a person's last decision."""
        self._try(self.session.take_back)

    def action_hint(self) -> None:
        """Look for a good move."""
        if self.session.shown.outcome is None:
            self.say("Looking for a hint ...")
        self.session.hint()

    def action_analyse(self) -> None:
        """Show or hide what the moves are worth."""
        on = not self.session.analysing
        if not on:
            self.board.scores = {}
            self.board.redraw()
            self.thoughts.clear()
        self.session.analyse(on)
        if on and self.session.shown.outcome is None:
            self.say("Analysing: press a to stop")
        elif not on:
            self.say("")

    def action_resign(self) -> None:
        """Resign, after asking."""
        if self.session.is_over:
            self.say("The game is over")
            return

        def answered(sure: bool | None) -> None:
            if sure:
                self._try(self.session.resign)

        self.app.push_screen(Confirm("Resign this game?"), answered)

    def action_rematch(self) -> None:
        """Start again with sides swapped."""
        if self.session.is_over or not self.session.record.moves:
            self._try(self.session.rematch)
            return

        def answered(sure: bool | None) -> None:
            if sure:
                self._try(self.session.rematch)

        self.app.push_screen(Confirm("Leave this game for a new one?"), answered)

    def action_retry(self) -> None:
        """Ask a player that failed again."""
        self._try(self.session.retry)

    def action_step(self, by: int) -> None:
        """Show an earlier or a later position."""
        self.session.step(by)

    def action_type(self) -> None:
        """Type a move."""

        def typed(text: str | None) -> None:
            if text:
                self._try(lambda: self.session.move(text))

        moves = self.session.position.moves
        example = f", such as {moves[len(moves) // 2]}" if moves else ""
        self.app.push_screen(Ask(f"Move{example}:"), typed)

    def action_save(self) -> None:
        """Write the game to a file."""
        kind = self.session.record.game.kind

        def named(name: str | None) -> None:
            if name:
                self._save(Path(name))

        self.app.push_screen(Ask("Save as (.mossa, .jsonl, .sgf, .psq):", f"{kind}.mossa"), named)

    def _save(self, path: Path, *, replace: bool = False) -> None:
        try:
            path = path.expanduser()
            if path.exists() and not replace:
                self.app.push_screen(
                    Confirm(f"{path} exists; overwrite it?"),
                    lambda sure: self._save(path, replace=True) if sure else self.say("Not saved"),
                )
                return
            self.session.save(path)
        except OSError as error:
            self.say(f"Not saved: {path}: {error.strerror or error}")
        except (ValueError, RuntimeError) as error:  # no such format, no such home folder
            self.say(f"Not saved: {error}")
        else:
            self.say(f"Saved to {path}")

    def load(self, name: str) -> None:
        """Resume the last game in a file."""
        try:
            self.session.load(Path(name).expanduser())
        except OSError as error:
            self.say(f"Not loaded: {name}: {error.strerror or error}")
        except (ValueError, RuntimeError) as error:
            self.say(f"Not loaded: {error}")
        else:
            self.say(f"Loaded {name}: {self.status}")

    def action_help(self) -> None:
        """Show all keys."""
        self.app.push_screen(Keys(self.KEYS))


@lru_cache(64)
def title_of(game: Rules) -> str:
    """Return what people call a game, such as ``Connect 4``, or else its name."""
    titles = {game_named(preset.name): title for title, preset in _PRESETS.items()}
    return titles.get(game, game.name)
