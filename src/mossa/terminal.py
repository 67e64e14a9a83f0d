"""The game behind `mossa play`: one line in, one board out.

People and programs use the same loop. On a terminal it prompts; from a pipe it silently reads a
move or a command per line, and the end of the input ends the game. There are no rules here: a line
that is not a command goes to the position, and any objection from there is shown as it is.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext, suppress
from io import StringIO, TextIOWrapper, UnsupportedOperation
from pathlib import Path
from time import perf_counter
from typing import IO

from rich.console import Console
from rich.text import Text

from mossa._core import Game, Position, Side
from mossa.errors import (
    BrokenGameError,
    GameError,
    InvalidPlayerError,
    PlayerFailedError,
    blamed,
)
from mossa.games import KINDS, PRESETS, example_of
from mossa.games import game as game_named
from mossa.players import Choice, HumanPlayer, Player, PlayerLike, choice_of, is_foreign
from mossa.players import player as player_named
from mossa.players.engine import STRONGEST
from mossa.protocols.external import is_program
from mossa.quantities import counted, duration
from mossa.records import Record, write_records
from mossa.render import draw, drawable, only_ascii, side_label, status
from mossa.search import NO_LIMITS, Info, Limits

# Long enough for a good answer, short enough to ask often.
HINT_LIMITS = Limits(time=1.0)

DEFAULT_GAME = "connect4"
_TOLD = {preset.name: preset.summary for kind in KINDS.values() for preset in kind.presets}
MENU = {DEFAULT_GAME: _TOLD[DEFAULT_GAME]} | _TOLD
MENU |= {"tris": "as many in a row as you like, on a square board"}
"""Games to choose from, with a description; Enter takes the first."""
SIZE_NAMES = {"cols": "columns", "k": "in a row"}
FORM_SIZES = {"tris": {"size": 10, "series": 4}}
"""Short forms that need sizes, and the sizes to suggest."""

_HELP = """\
a move       its text, such as {example}
undo         go back to your previous decision
hint         ask the engine for a good move
moves        list the legal moves
board        show the board again
save FILE    write the game to a file (.mossa, .jsonl, .sgf, .psq)
retry        retry a player that failed; one in a file is reloaded
help         show this list
quit         leave the game"""

_PERSON_HELP = """\
a move       its text, such as {example}
moves        list the legal moves
board        show the board again
help         show this list
resign       give up the game"""


def play(
    game: Game,
    first: PlayerLike,
    second: PlayerLike,
    *,
    limits: Limits | None = None,
    hint: PlayerLike | None = None,
    position: Position | None = None,
    console: Console | None = None,
    input_stream: IO[str] | None = None,
) -> Position:
    """Play a game in the terminal and return the position where it was left.

    A person ("human") types moves; any other player chooses them within `limits`. The player
    `hint`, the engine by default, answers the command of that name within a second. The game starts
    at `position`, or at the usual start. It ends with the input, or with Ctrl-C, which then raises
    KeyboardInterrupt.

    A computer player that fails does not end the game: the person may retry, move for it, take
    back or save. If nobody does, PlayerFailedError says at the end what happened.
    """
    dialog = Dialog(console or Console(), input_stream or sys.stdin or StringIO())
    players = player_named(first), player_named(second)
    helper = None if hint is None else player_named(hint)
    session = _Session(dialog, position or game.start(), players, limits or Limits(), helper)
    return session.run()


def choose_game(
    name: str | None = None,
    *,
    console: Console | None = None,
    input_stream: IO[str] | None = None,
) -> Game | None:
    """Return the game with a name, asking for whatever is missing. None: the person left.

    Without a name it asks for the game; with a name without sizes, such as ``tris``, for the sizes.
    On a pipe it asks nothing: the game is connect4, or the name must be complete.
    """
    dialog = Dialog(console or Console(), input_stream or sys.stdin or StringIO())
    if not dialog.interactive:
        return game_named(DEFAULT_GAME if name is None else name)
    try:
        return _ask_game(dialog) if name is None else _sized(dialog, name)
    except EOFError:
        dialog.say("")
        return None


def _ask_game(dialog: Dialog) -> Game:
    dialog.say("Which game? Type its number, or any name such as mnk:8x8x5.", "bold")
    numbered = {str(number): name for number, name in enumerate(MENU, start=1)}
    for number, name in numbered.items():
        dialog.say(f"  {number}  {name:<10} {MENU[name]}")
    while True:
        answer = dialog.ask(f"game [{DEFAULT_GAME}]> ") or DEFAULT_GAME
        name = numbered.get(answer, answer)
        try:
            chosen = _sized(dialog, name)
        except GameError as error:
            dialog.complain(error)
            continue
        if ":" in name or missing_sizes(name) is not None:
            return chosen
        options = "".join(f",{option}={value}" for option, value in chosen.options.items())
        return _ask_sizes(dialog, chosen.kind, chosen.sizes, options)


def _sized(dialog: Dialog, name: str) -> Game:
    """Return the game with a name, after asking for its sizes if it has none."""
    kind = name.strip().lower()
    sizes = missing_sizes(kind)
    return game_named(name) if sizes is None else _ask_sizes(dialog, kind, sizes)


def missing_sizes(name: str) -> Mapping[str, int] | None:
    """Sizes to suggest if the name needs sizes to be a game: those of its last preset.

    The name is one in small letters; None if it needs none, or is not known at all.
    """
    if name in PRESETS or name not in KINDS:
        return FORM_SIZES.get(name)
    presets = [preset.name for preset in KINDS[name].presets]
    return game_named(presets[-1] if presets else example_of(name)).sizes


def _ask_sizes(dialog: Dialog, kind: str, defaults: Mapping[str, int], options: str = "") -> Game:
    """Ask for every size, Enter keeping the default, until they make a game."""
    while True:
        sizes = [
            dialog.ask(f"{SIZE_NAMES.get(name, name)} [{default}]> ") or str(default)
            for name, default in defaults.items()
        ]
        try:
            return game_named(f"{kind}:{'x'.join(sizes)}{options}")
        except GameError as error:
            dialog.complain(error)


class Dialog:
    """Lines to and from whoever plays: a person at a terminal, or a program through pipes."""

    def __init__(self, console: Console, stream: IO[str]) -> None:
        """Prompt only if the lines come from a terminal."""
        self.console = console
        self.stream = stream
        self.interactive = stream.isatty()
        self.ascii_only = only_ascii(console)
        if self.interactive:
            with suppress(ImportError):  # absent on Windows; elsewhere it provides line editing
                import readline  # noqa: F401
        if isinstance(stream, TextIOWrapper):
            with suppress(UnsupportedOperation):  # already reading, so already set
                stream.reconfigure(errors="replace")  # bytes that are not text are a bad move

    def ask(self, prompt: str) -> str:
        """Return the next line, stripped; raise EOFError at the end of the input."""
        if self.interactive and self.stream is sys.stdin and self.console.file is sys.stdout:
            return input(prompt).strip()  # the only way to get line editing and history
        if self.interactive:
            self.console.print(Text(prompt), end="", soft_wrap=True)
        line = self.stream.readline()
        if not line:
            raise EOFError
        return line.strip()

    def say(self, message: str, style: str = "") -> None:
        """Print a line, with escapes for characters the output cannot show."""
        encoding = self.console.encoding
        printable = message.encode(encoding, "backslashreplace").decode(encoding)
        self.console.print(Text(printable, style), soft_wrap=True)

    def complain(self, error: GameError) -> None:
        """Show what was wrong with the last line; the caller asks again."""
        self.say(str(error), "red")

    def show(self, position: Position) -> None:
        """Draw the board, never wrapped: nobody can read a board cut into pieces."""
        self.console.print()
        draw(self.console, position)

    def thinking(self, message: str) -> AbstractContextManager[object]:
        """Show a sign of life while a computer thinks, if it can be erased afterwards."""
        if not self.console.is_terminal or self.console.is_dumb_terminal:
            return nullcontext()
        return self.console.status(Text(message), spinner="line" if self.ascii_only else "dots")


class _Session:
    """One game: the positions so far, and what each line of input does."""

    def __init__(
        self,
        dialog: Dialog,
        position: Position,
        players: tuple[Player, Player],
        limits: Limits,
        hint: Player | None,
    ) -> None:
        self.dialog = dialog
        self.positions = [position]
        self.players = list(players)
        self.limits = limits
        self.hint_player = hint
        self.leaving = False
        self.failure: PlayerFailedError | None = None  # of the player whose turn it is
        self.commands: dict[str, Callable[[str], None]] = {
            "undo": self.undo,
            "hint": self.hint,
            "moves": self.list_moves,
            "board": self.show_board,
            "save": self.save,
            "retry": self.retry,
            "help": self.help,
            "quit": self.quit,
        }

    @property
    def position(self) -> Position:
        return self.positions[-1]

    def run(self) -> Position:
        """Play until the game is over and everything is said, or until somebody leaves."""
        sides = zip(Side, self.players, strict=True)
        names = (f"{side_label(self.position.game, side)} {player.name}" for side, player in sides)
        self.dialog.say(f"{self.position.game.name}: {' against '.join(names)}", "bold")
        if self.has_human:
            self.dialog.say("Type a move, or help for the commands.", "dim")
        try:
            self.show_board()
            while not self.leaving:
                self.step()
        except (EOFError, KeyboardInterrupt) as end:
            if self.dialog.interactive:
                self.dialog.say("")  # the cursor is still behind the prompt
            if isinstance(end, KeyboardInterrupt):
                self.say_moves()
                raise
        self.say_moves()
        if self.failure is not None and not self.dialog.interactive:
            raise self.failure
        return self.position

    def say_moves(self) -> None:
        """Show the moves of an unfinished game on the way out."""
        if self.position.outcome is None:
            moves = self.position.history_text
            self.dialog.say(f"game left unfinished; moves: {moves or 'none'}")

    @property
    def has_human(self) -> bool:
        return any(player.is_person for player in self.players)

    @property
    def has_listener(self) -> bool:
        """Whether somebody could type a command: always, except for two computers on a pipe."""
        return self.dialog.interactive or self.has_human

    def step(self) -> None:
        """Take one line from a person, or one move from a computer."""
        position = self.position
        if position.outcome is not None:
            # Somebody may still want to save or take back.
            if self.has_listener:
                self.obey(self.dialog.ask("game over> "))
            else:
                self.leaving = True
        elif self.failure is not None and not self.has_listener:
            self.leaving = True
        elif self.failure is not None or self.players[position.side.value].is_person:
            self.obey(self.dialog.ask(f"{status(position)}> "))
        else:
            self.computer_move(self.players[position.side.value])

    def obey(self, line: str) -> None:
        """Carry out a command, or else a move."""
        word, _, argument = line.partition(" ")
        if not line:
            return
        try:
            if command := self.commands.get(word.lower()):
                command(argument.strip())
            else:
                self.advance(drawable(self.position.play(line)))
        except GameError as error:
            self.dialog.complain(error)

    def advance(self, position: Position) -> None:
        self.failure = None
        self.positions.append(position)
        self.show_board()

    def computer_move(self, player: Player) -> None:
        label = side_label(self.position.game, self.position.side)
        started = perf_counter()
        try:
            with self.dialog.thinking(f"{label} is thinking"):
                choice = choice_of(player, self.position, self.limits)
            after = drawable(self.position.play(choice.move))
        except (PlayerFailedError, BrokenGameError) as error:
            self.failure = blamed(error, label)
            self.dialog.say(str(self.failure), "red")
            if self.has_listener:
                self.dialog.say(
                    "The game is kept. Type retry to ask again, a move to play for that side, "
                    "or undo, save FILE or quit.",
                    "dim",
                )
            return
        effort = duration(perf_counter() - started)
        if choice.info is not None:
            effort = describe(choice.info, player.width(self.position.game))
        self.dialog.say(f"{label} plays {choice.move}: {effort}")
        self.advance(after)

    # The commands. Each gets the rest of its line.

    def show_board(self, _: str = "") -> None:
        self.dialog.show(self.position)
        if self.position.outcome is not None:
            self.dialog.say(f"moves: {self.position.history_text}")
            if self.has_listener:
                self.dialog.say(
                    "save FILE to save the game, undo to take back, quit to leave", "dim"
                )

    def undo(self, _: str) -> None:
        """Go back to the last earlier position where a person had to decide.

        Turns need not alternate, so the positions are asked, not counted.
        """
        for count in range(len(self.positions) - 1, 0, -1):
            if self.players[self.positions[count - 1].side.value].is_person:
                del self.positions[count:]
                self.failure = None
                self.show_board()
                return
        self.dialog.say("nothing to take back")

    def hint(self, _: str) -> None:
        if self.position.outcome is not None:
            self.dialog.say("no hint: the game is over")
            return
        self.hint_player = self.hint_player or player_named(STRONGEST)
        with self.dialog.thinking("looking for a hint"):
            choice = self.hint_player.choose(self.position, HINT_LIMITS)
        effort = f": {describe(choice.info)}" if choice.info else ""
        self.dialog.say(f"hint: play {choice.move}{effort}")

    def list_moves(self, _: str) -> None:
        moves = " ".join(str(move) for move in self.position.moves)
        self.dialog.say(f"moves: {moves}" if moves else "no moves: the game is over")

    def save(self, name: str) -> None:
        if not name:
            self.dialog.say("save needs a file name: save FILE")
            return
        first, second = (player.name for player in self.players)
        try:
            path = Path(name).expanduser()
            if path.exists() and not self.may_overwrite(path):
                self.dialog.say(f"not saved: {path} exists; choose another name")
                return
            record = Record.from_position(self.position, first=first, second=second)
            write_records(path, [record])
        except OSError as error:
            self.dialog.say(f"not saved: {name}: {error.strerror or error}", "red")
        except (ValueError, RuntimeError) as error:  # no such format, no such home directory
            self.dialog.say(f"not saved: {error}", "red")
        else:
            self.dialog.say(f"saved to {path}")

    def may_overwrite(self, path: Path) -> bool:
        """Ask a person; a program that means it can remove the file first."""
        if not self.dialog.interactive:
            return False
        return self.dialog.ask(f"{path} exists; overwrite it? [y/N] ").lower() in ("y", "yes")

    def retry(self, _: str) -> None:
        """Retry a player that failed; its file may have been fixed meanwhile."""
        if self.failure is None:
            self.dialog.say("nothing to retry: no player has failed")
            return
        at = self.position.side.value
        failed = self.players[at]
        try:
            if is_program(failed):
                failed.kill()  # to ask it starts it again, as it is now
            elif is_foreign(failed.name):
                self.players[at] = player_named(failed.name)
        except InvalidPlayerError as error:
            self.dialog.complain(error)
        else:
            self.failure = None

    def help(self, _: str) -> None:
        moves = self.position.moves or self.positions[0].moves
        example = moves[len(moves) // 2] if moves else "4"
        self.dialog.say(_HELP.format(example=example))

    def quit(self, _: str) -> None:
        self.leaving = True


class Person(HumanPlayer):
    """A person at this terminal, playing under a referee as in `mossa match`."""

    def __init__(
        self, *, console: Console | None = None, input_stream: IO[str] | None = None
    ) -> None:
        """Take the dialog to show the board and read moves."""
        self._dialog = Dialog(console or Console(), input_stream or sys.stdin or StringIO())

    def choose(self, position: Position, limits: Limits = NO_LIMITS) -> Choice:
        """Show the board and ask until the move is legal; the end of the input resigns."""
        self._dialog.show(position)
        while True:
            try:
                line = self._dialog.ask(f"{status(position)}> ")
            except EOFError:
                line = "resign"
            match line.lower():
                case "":
                    continue
                case "moves":
                    self._dialog.say(f"moves: {' '.join(map(str, position.moves))}")
                case "board":
                    self._dialog.show(position)
                case "help":
                    example = position.moves[len(position.moves) // 2]
                    self._dialog.say(_PERSON_HELP.format(example=example))
                case "resign" | "quit":
                    raise PlayerFailedError("resign", "")
                case _:
                    try:
                        moved = position.play(line)
                    except GameError as error:
                        self._dialog.complain(error)
                    else:
                        assert moved.last_move is not None
                        return Choice(moved.last_move)


def describe(info: Info, width: int | None = None) -> str:
    """Return in one line what a search found and what it cost."""
    parts = [f"score {info.score}", f"depth {info.depth}"]
    if width is not None:
        parts.append(f"width {width}")
    parts += [counted(info.nodes, "node"), duration(info.time), _memory(info.memory)]
    return ", ".join(parts)


def _memory(size: int) -> str:
    value = float(size)
    for unit in ("bytes", "kB", "MB"):
        if round(value) < 1000:
            return f"{value:.0f} {unit}"
        value /= 1000
    return f"{value:.1f} GB"
