"""What a shell offers when Tab is pressed: games and players, where a parameter takes them.

Commands and options Typer offers by itself; ``mossa --install-completion`` sets it up.
"""

import importlib
from collections.abc import Callable
from typing import Any

from mossa.cli.usage import CLICK
from mossa.games import KINDS, PRESETS, example_of
from mossa.players import kind_names, player_kind

_Item: Any = importlib.import_module(f"{CLICK}.shell_completion").CompletionItem


def offer(command: Any) -> None:
    """Have a command, and those within it, offer the names that their parameters take."""
    for parameter in command.params:
        if find := _OFFERS.get((parameter.metavar or "").rstrip(".")):
            parameter.shell_complete = _completer(find)
    for each in getattr(command, "commands", {}).values():
        offer(each)


def games(begun: str) -> list[str]:
    """Return the games whose names begin so: presets, and each kind with a size."""
    return [name for name in (*PRESETS, *map(example_of, KINDS)) if name.startswith(begun)]


def players(begun: str) -> list[str]:
    """Return the kinds of players that begin so, and after one of them its options."""
    name, colon, rest = begun.partition(":")
    if not colon:
        return kinds(begun)
    if (kind := player_kind(name)) is None:
        return []
    before, comma, last = rest.rpartition(",")
    found = (f"{name}:{before}{comma}{option.name}=" for option in kind.options)
    return [each for each in found if each.startswith(f"{name}:{before}{comma}{last}")]


def kinds(begun: str) -> list[str]:
    """Return the kinds of players that begin so."""
    return [name for name in kind_names() if name.startswith(begun)]


_OFFERS = {"GAME": games, "PLAYER": players, "FIRST": players, "SECOND": players, "KIND": kinds}


def _completer(find: Callable[[str], list[str]]) -> Callable[[Any, str], list[Any]]:
    return lambda _, begun: [_Item(name) for name in find(begun)]
