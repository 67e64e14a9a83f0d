"""``mossa players``: who can play, what they are told, and what they need."""

import json
from collections.abc import Iterable
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from mossa.cli.common import Json
from mossa.errors import GameError, InvalidPlayerError
from mossa.games import KINDS, example_of, game
from mossa.players import Group, PlayerKind, player, player_kinds, unknown_player
from mossa.players.needs import Need

_LEAST_WIDTH = 72  # the longest example, and half a line about it


def run(
    kind: Annotated[
        str | None,
        typer.Argument(metavar="KIND", help="A kind of player, to see its options: alphabeta."),
    ] = None,
    as_json: Json = False,
) -> None:
    """List the players: what they are, an example, what they need; or all about one kind."""
    chosen = player_kinds() if kind is None else {kind: _find(kind)}
    if as_json:
        print(json.dumps({"kinds": [_data(each) for each in chosen.values()]}))
    elif kind is None:
        _show_list(_console(), chosen.values())
    else:
        _show_kind(_console(), chosen[kind])


def _console() -> Console:
    """Return one with room for two columns; a terminal that is narrower folds the lines itself."""
    return Console(width=max(Console().width, _LEAST_WIDTH))


def _find(given: str) -> PlayerKind:
    """Return the kind of this name; a whole spec will do, too."""
    kinds, name = player_kinds(), given.strip().partition(":")[0]
    if name not in kinds:
        raise InvalidPlayerError(unknown_player(given))
    return kinds[name]


def _games(kind: PlayerKind) -> list[str] | None:
    """Return the kinds of games that it plays; None if that cannot be known here."""
    try:
        plays = kind.plays or player(kind.example).plays
    except GameError:  # something is missing
        return None
    return [name for name in KINDS if plays(game(example_of(name)))]


# ---------------------------------------------------------------- text


def _show_list(console: Console, kinds: Iterable[PlayerKind]) -> None:
    # One width for all groups, so that all summaries begin in the same column.
    kinds = list(kinds)
    width = max(len(kind.example) for kind in kinds)
    for group in Group:
        console.print(Text(group.value, "bold"))
        rows = _grid()
        rows.columns[1].min_width = width
        for kind in kinds:
            if kind.group is group:
                summary = Text(kind.summary)
                if kind.needs:
                    summary.append("\nneeds ").append_text(_needs_text(kind.needs))
                rows.add_row("", Text(kind.example), summary)
        console.print(rows)
        console.print()
    print("All others need nothing installed besides mossa.")
    print("mossa players KIND, the word before the colon, shows its options.")
    print("A function or class of your own plays too: path/to/file.py:name")


def _needs_text(needs: Iterable[Need]) -> Text:
    return Text(", ").join(
        Text.assemble(
            need.name if need.always else f"{need.name} for {need.user}",
            " (",
            ("installed", "green") if need.is_there() else ("missing", "bold red"),
            ")",
        )
        for need in needs
    )


def _show_kind(console: Console, kind: PlayerKind) -> None:
    console.print(Text.assemble((kind.name, "bold"), f"  {kind.summary}"))
    facts = _grid()
    facts.add_row("", "example", Text(kind.example))
    games = _games(kind)
    if games is not None:
        facts.add_row("", "plays", "every game" if games == list(KINDS) else ", ".join(games))
    facts.add_row("", "needs", _needs_text(kind.needs) if kind.needs else "nothing besides mossa")
    console.print(facts)
    for need in kind.needs:
        if need.missing:  # in one piece, to be copied
            console.print(Text(f"\n{need.missing}"), soft_wrap=True)
    if not kind.options:
        return
    console.print("\noptions", style="bold")
    options = _grid()
    for option in kind.options:
        accepted = kind.accepted(option)
        if option.default:
            accepted += f"; {option.default} unless given"
        options.add_row("", option.name, Text.assemble(option.help, "\n", (accepted, "dim")))
    console.print(options)


def _grid() -> Table:
    """Return a table of names and what is said about them, without lines."""
    grid = Table.grid(padding=(0, 2))
    grid.add_column()
    grid.add_column(no_wrap=True)
    grid.add_column()
    return grid


# ---------------------------------------------------------------- JSON


def _data(kind: PlayerKind) -> dict[str, Any]:
    return {
        "name": kind.name,
        "group": kind.group.value,
        "summary": kind.summary,
        "example": kind.example,
        "games": _games(kind),
        "needs": [
            {
                "name": need.name,
                "user": need.user,
                "always": need.always,
                "installed": need.is_there(),
                "install": need.install,
            }
            for need in kind.needs
        ],
        "options": [
            {
                "name": option.name,
                "accepted": kind.accepted(option),
                "values": [value for value in option.values if value],
                "default": option.default or None,
                "help": option.help,
            }
            for option in kind.options
        ],
    }
