"""Players by name: ``player("alphabeta:depth=6")`` reads ``name:option=value,option=value``.

Whatever else can play comes in here too: a function from a position to a move, an object with a
name and ``choose``, or either of them in a file, ``player("my_file.py:my_function")``. Packages add
players of their own as entry points ``mossa.players``.
"""

from collections.abc import Callable

from mossa._core import Move, Position
from mossa.errors import GameError, InvalidPlayerError, did_you_mean, shorten
from mossa.players import searching, simple
from mossa.players.base import MinimalPlayer, Player
from mossa.players.foreign import is_foreign, load
from mossa.players.recipes import RECIPES
from mossa.players.registry import PlayerKind, kind_names, player_kind, register
from mossa.players.simple import FunctionPlayer, WrappedPlayer

for _kind in (*simple.KINDS, *searching.KINDS, *RECIPES):
    register(_kind)

PlayerLike = str | Player | MinimalPlayer | Callable[[Position], Move | str | int]
"""What player() accepts."""


def player(given: PlayerLike) -> Player:
    """Return the player for a spec, a function or an object.

    A Player is returned as it is. Anything else becomes one here, so every player has the whole
    interface.
    """
    if isinstance(given, Player):
        if not hasattr(given, "name"):
            raise InvalidPlayerError(
                f"a {type(given).__name__} is not a player yet: it has no name"
            )
        return given
    if isinstance(given, str):
        return _by_name(given)
    if isinstance(given, type):
        raise InvalidPlayerError(
            f"{given.__name__} is a class, not a player: give an object, {given.__name__}()"
        )
    if isinstance(given, MinimalPlayer):
        return WrappedPlayer(given)
    return FunctionPlayer(given)


def _by_name(spec: str) -> Player:
    name, _, option_text = spec.strip().partition(":")
    if is_foreign(spec):
        made = load(spec.strip(), player)
    else:
        kind = player_kind(name)
        if kind is None:
            raise InvalidPlayerError(unknown_player(spec))
        options = _read_options(spec, kind, option_text)
        try:
            made = player(kind.make(options))
        except GameError as error:
            raise InvalidPlayerError(f"invalid player {shorten(spec)}: {error}") from None
    made.name = spec.strip()
    return made


def unknown_player(spec: str) -> str:
    """Return what is wrong with a spec that does not begin with a player's name."""
    names = kind_names()
    hint = did_you_mean(spec.strip().partition(":")[0], names)
    return (
        f"unknown player {shorten(spec)}: {hint}there are {', '.join(names)}; "
        "a function or class of your own is path/to/file.py:name"
    )


# ---------------------------------------------------------------- options


def _parts(kind: PlayerKind, text: str) -> list[str]:
    """Split options at the commas, except what the kind takes verbatim."""
    if kind.rest is None:
        return text.split(",")
    parts = []
    names = {option.name for option in kind.options} - {kind.rest}
    while (head := text.partition(",")[0]).partition("=")[0].strip() in names:
        parts.append(head)
        text = text.removeprefix(head).removeprefix(",")
    return [*parts, f"{kind.rest}={text}"]


def _read_options(spec: str, kind: PlayerKind, text: str) -> dict[str, str]:
    known = {option.name: option for option in kind.options}
    options: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in _parts(kind, text))):
        key, equals, value = part.partition("=")
        if kind.bare and not equals:
            key, value = kind.bare, part
        if key not in known:
            takes = ", ".join(known) or "no options"
            raise InvalidPlayerError(
                f"unknown option {shorten(key)} in player {shorten(spec)}: "
                f"{did_you_mean(key, known)}{kind.name} takes {takes}"
            )
        if key in options:
            raise InvalidPlayerError(f"option {key!r} is given twice in player {shorten(spec)}")
        is_free = key == kind.rest or (key in kind.files and value)
        if not is_free and not known[key].accepts(value):
            raise InvalidPlayerError(
                f"invalid value {shorten(value)} of {key!r} in player {shorten(spec)}: "
                f"expected {kind.accepted(known[key])}"
            )
        options[key] = value
    return options
