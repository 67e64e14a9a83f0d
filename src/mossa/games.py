"""Games by name: ``game("connect4")``, ``game("mnk:15x15x5")``, ``game("kalah:6x3,end=mover")``.

A name is ``kind:SIZExSIZE,option=value`` or a preset. The core knows the sizes and options;
this module only reads the text. ``game("path/to/file.py:Nim")`` is a game of your own.
"""

import re
from collections.abc import Callable
from typing import cast

from mossa._core import Game, InvalidGameError, Position, game_kinds
from mossa.code_files import names_code
from mossa.errors import (
    described,
    did_you_mean,
    expect_position,
    is_in_python,
    shorten,
)
from mossa.python_games import PythonPosition, game_of_code, is_position, known_game, loaded_game

KINDS = {kind.name: kind for kind in game_kinds()}
"""What the core offers, by name."""

PRESETS = {
    preset.name: f"{kind.name}:{preset.sizes}" for kind in KINDS.values() for preset in kind.presets
}
"""Short names of well-known games. Options may follow: ``kalah,empty_capture=yes``."""

FORMS = {"tris:SIZExSERIES": "mnk:SIZExSIZExSERIES"}
"""Short forms of names with sizes."""
_SQUARE = "tris"
_SQUARE_KIND = FORMS["tris:SIZExSERIES"].partition(":")[0]

_SIZES = re.compile(r"[0-9]{1,4}(?:x[0-9]{1,4})*")


GameLike = str | Game | type[PythonPosition] | Callable[[], PythonPosition] | PythonPosition
"""What game() accepts: a name, or a Python game of your own."""

PositionLike = Position | type[PythonPosition] | PythonPosition
"""What position_of() accepts."""


def game(given: GameLike) -> Game:
    """Return the game for a name, for a class of your own, or for a position of one.

    Raise InvalidGameError if there is none. A name may point to a class in a Python file, which is
    then loaded: use named_game() for names that somebody else may have written.
    """
    if isinstance(given, Game) or is_in_python(given):
        return cast(Game, given)
    if isinstance(given, str):
        return loaded_game(given) if names_code(given) else named_game(given)
    if callable(given) or is_position(given):
        return game_of_code(given)
    raise InvalidGameError(f"game() takes a name, such as 'connect4', not {described(given)}")


def position_of(given: PositionLike, taker: str) -> Position:
    """Return a position: as given, of a game in Python, or the start of such a game."""
    ours = isinstance(given, Position) or is_in_python(given)
    if not ours and (isinstance(given, type) or is_position(given)):
        return game_of_code(given).start()
    expect_position(given, taker)
    return cast(Position, given)


def named_game(name: str) -> Game:
    """Return the game for a name from a file or a visitor: no code is loaded.

    A game written in Python counts if it has been loaded before.
    """
    known = known_game(name)
    if known is None and names_code(name):
        raise InvalidGameError(
            f"{shorten(name)} is written in Python, and only you may have its file loaded: "
            "name it on the command line"
        )
    if known is not None and names_code(name):
        return known
    head, *option_texts = name.strip().split(",")
    head = head.lower()
    if head in PRESETS:
        head, *preset_options = PRESETS[head].split(",")
        # What the user says overrides the preset.
        options = _read_options(name, preset_options) | _read_options(name, option_texts)
    else:
        options = _read_options(name, option_texts)
    kind, colon, sizes_text = head.partition(":")
    if kind == _SQUARE:
        kind, sizes = _SQUARE_KIND, _read_tris(name, sizes_text)
    elif kind in KINDS:
        sizes = _read_sizes(name, kind, sizes_text if colon else "")
    elif known is not None:
        return known
    else:
        raise _unknown(name, kind)
    try:
        return Game(kind, sizes, options)
    except InvalidGameError as error:
        # The core quotes the full name; people should see the one they gave.
        quoted, colon, why = str(error).partition(": ")
        if not quoted.startswith("invalid game '"):
            raise
        raise _invalid(name, why) from None


def _position_html(position: Position) -> str:
    """Return what a notebook shows for a position: its picture, drawn by mossa.render.

    The class is the core's; this is all that Python adds to it.
    """
    return f"<div>{position._repr_svg_()}</div>"


Position._repr_html_ = _position_html  # type: ignore[attr-defined]


def lines_anywhere(rules: Game) -> bool:
    """Tell whether k in a row wins, with stones on any empty cell: gomoku and the like."""
    return rules.traits.lines and not rules.traits.falls


def form_of(kind: str) -> str:
    """Return how to write a game of this kind: ``connect:ROWSxCOLSxK``."""
    return f"{kind}:{'x'.join(size.name.upper() for size in KINDS[kind].sizes)}"


def example_of(kind: str) -> str:
    """Return its first preset without options, or else its smallest size: ``kalah:6x4``."""
    for preset in KINDS[kind].presets:
        return PRESETS[preset.name].partition(",")[0]
    return f"{kind}:{'x'.join(str(size.low) for size in KINDS[kind].sizes)}"


def _read_sizes(name: str, kind: str, text: str) -> list[int]:
    """Split ``6x7x4``; the core checks whether the numbers fit."""
    if not _SIZES.fullmatch(text) or text.count("x") + 1 != len(KINDS[kind].sizes):
        raise _invalid(name, f"expected {form_of(kind)}, for example {example_of(kind)}")
    return [int(number) for number in text.split("x")]


def _read_tris(name: str, text: str) -> list[int]:
    """``tris:SIZExSERIES`` is a square mnk board."""
    if not _SIZES.fullmatch(text) or text.count("x") != 1:
        raise _invalid(name, "expected tris:SIZExSERIES, for example tris:10x4")
    size, series = map(int, text.split("x"))
    return [size, size, series]


def _read_options(name: str, texts: list[str]) -> dict[str, str]:
    options: dict[str, str] = {}
    for text in texts:
        option, equals, value = text.strip().partition("=")
        if not equals or not option or not value:
            raise _invalid(name, f"expected option=value after the comma, not {text.strip()!r}")
        if option in options:
            raise _invalid(name, f"option {option!r} is given twice")
        options[option] = value
    return options


def _unknown(name: str, kind: str) -> InvalidGameError:
    known = [*PRESETS, *KINDS, "tris"]
    forms = ", ".join([*PRESETS, *map(form_of, KINDS), *FORMS])
    return InvalidGameError(
        f"unknown game {shorten(name)}: {did_you_mean(kind, known)}there are {forms}"
    )


def _invalid(name: str, why: str) -> InvalidGameError:
    return InvalidGameError(f"invalid game {shorten(name)}: {why}")
