"""The form for a new game as HTML, with fields for every game and player."""

from __future__ import annotations

import json
from collections.abc import Mapping
from html import escape
from random import choice

from mossa._core import Side
from mossa.errors import GameError, shorten
from mossa.games import KINDS, example_of, named_game
from mossa.players.levels import ABILITIES
from mossa.python_games import offered_games
from mossa.render import side_name
from mossa.web.opponents import HUMAN, served_kinds
from mossa.web.states import position_state

FRIEND = "friend"
"""The opponent who joins by a link."""
_FIRST = "connect4"
"""The game selected by default."""
_PRESETS = {preset.name: preset for kind in KINDS.values() for preset in kind.presets}
_CARDS = sorted(
    [*_PRESETS, *(example_of(kind.name) for kind in KINDS.values() if not kind.presets)],
    key=lambda name: name != _FIRST,
)
"""Games to choose from: every preset, and an example of each kind without one."""
_NAMES = {"cols": "columns", "k": "in a row", "pits": "pits per side", "seeds": "seeds per pit"}


def _cards() -> list[str]:
    """Return all games to choose from, including Python games the server was started with."""
    return [*_CARDS, *offered_games()]


def setup_form() -> str:
    """Return the form. Rarely changed settings come last, after the button."""
    players = "".join(
        f'<option value="{escape(kind.name)}">{escape(kind.summary)}</option>'
        for kind in served_kinds().values()
        if kind.name != HUMAN
    )
    return f"""<form class="setup">
<h1>New game</h1>
<fieldset class="cards"><legend>Game</legend>{"".join(map(_card, _cards()))}</fieldset>
<div class="choices"><fieldset class="opponent"><legend>Opponent</legend>
{_radio("opponent", "level", "Computer", " checked")}
<label class="level"><span>Level </span><output></output><input type="range" name="level"
 min="1" max="{len(ABILITIES)}" value="3" aria-label="Level">
<small>1 is for beginners, {len(ABILITIES)} is the strongest</small></label>
{_radio("opponent", FRIEND, "A friend, via a link")}
{_radio("opponent", "human", "Another person on this device")}
{_radio("opponent", "spec", "Custom player")}
<input name="spec" list="players" placeholder="mcts:iterations=2000" autocomplete="off"
 aria-label="Custom player" required><datalist id="players">{players}</datalist></fieldset>
<fieldset class="side"><legend>You play</legend>
{_radio("side", "first", _names(Side.first), " checked")}
{_radio("side", "second", _names(Side.second))}{_radio("side", "any", "Random")}</fieldset>
<button class="primary" type="submit">Play</button></div>
<details><summary>Size, rules and clock</summary>{"".join(map(_rules, _cards()))}
<fieldset class="fields"><legend>Clock</legend>
{_number("minutes", "Minutes per player", 0, 0, 600, "0 for no clock", 'step="any"')}
{_number("increment", "Increment", 0, 0, 600, "seconds added after each move", 'step="any"')}
</fieldset></details></form>"""


def chosen_side(fields: Mapping[str, str]) -> Side:
    """Return the side chosen in the form, or a random one."""
    sides = {side.name: side for side in Side} | {"any": choice(list(Side))}
    given = fields.get("side", "")
    if given not in sides:
        raise GameError(f"unknown side {shorten(given)}: one of {', '.join(sides)}")
    return sides[given]


def chosen_game(fields: Mapping[str, str], side: Side) -> dict[str, str]:
    """Return the game chosen in the form, its players and its clock."""

    def field(name: str) -> str:
        if name not in fields:
            raise GameError(f"the new-game form has no field {shorten(name)}")
        return fields[name]

    def number(name: str) -> float:
        try:
            return float(field(name))
        except ValueError:
            raise GameError(f"invalid number {shorten(field(name))} of {name}") from None

    preset, opponent = field("preset"), field("opponent")
    if preset not in _cards():
        raise GameError(f"unknown game {shorten(preset)}: one of {', '.join(_cards())}")
    game = preset
    if (kind := KINDS.get(named_game(preset).kind)) is not None:
        sizes = "x".join(field(f"{preset}.{size.name}") for size in kind.sizes)
        rules = [f"{option.name}={field(f'{preset}.{option.name}')}" for option in kind.options]
        game = ",".join([f"{kind.name}:{sizes}", *rules])
    minutes, increment = number("minutes"), number("increment")
    specs = {
        "level": f"level:{fields.get('level')}",
        FRIEND: HUMAN,
        "human": HUMAN,
        "spec": fields.get("spec"),
    }
    spec = specs.get(opponent)
    if spec is None:
        raise GameError(f"unknown opponent {shorten(opponent)}: one of {', '.join(specs)}")
    return {
        "game": game,
        "first": HUMAN if side is Side.first else spec,
        "second": spec if side is Side.first else HUMAN,
        "clock": f"{60 * minutes:g}+{increment:g}" if minutes else "",
    }


def _number(
    name: str, text: str, value: int, low: int, high: int, note: str = "", more: str = ""
) -> str:
    """Return a number field with the range it takes."""
    return (
        f'<label><span>{text}</span><input type="number" name="{name}" value="{value}" '
        f'min="{low}" max="{high}" {more} required>'
        f"<small>{note or f'{low} to {high}'}</small></label>"
    )


def _radio(name: str, value: str, text: str, checked: str = "") -> str:
    given = f'name="{name}" value="{value}"{checked}'
    return f'<label><input type="radio" {given}> <span>{text}</span></label>\n'


def _names(side: Side) -> str:
    """Return what a side is called, in every game."""
    note = " (moves first)" if side is Side.first else ""
    return "".join(
        f'<span data-preset="{escape(preset)}" hidden>'
        f"{side_name(named_game(preset), side)}{note}</span>"
        for preset in _cards()
    )


def _card(preset: str) -> str:
    known = _PRESETS.get(preset)
    title = known.title if known else escape(preset)
    checked = " checked" if preset == _FIRST else ""
    shown = named_game(preset).position(known.example if known else "")
    position = json.dumps(position_state(shown))
    return (
        f'<label class="card"><input type="radio" name="preset" value="{escape(preset)}"{checked}>'
        f'<mossa-board inert aria-hidden="true" data-position="{escape(position)}"></mossa-board>'
        f"<span>{title}</span></label>"
    )


def _rules(preset: str) -> str:
    """Return the sizes and options of a game, set as the preset says."""
    game = named_game(preset)
    kind = KINDS.get(game.kind)
    if kind is None:  # a game in Python has no choices
        return ""
    sizes = "".join(
        _number(
            f"{preset}.{size.name}",
            _NAMES.get(size.name, size.name).capitalize(),
            game.sizes[size.name],
            size.low,
            size.high,
        )
        for size in kind.sizes
    )
    options = "".join(
        f"<label><span>{option.name.replace('_', ' ').capitalize()}</span>"
        f'<select name="{preset}.{option.name}">'
        f"{_values(option.values, game.options[option.name])}</select>"
        f"<small>{escape(option.help)}</small></label>"
        for option in kind.options
    )
    return (
        f'<fieldset class="fields" data-preset="{preset}" disabled hidden>'
        f"{sizes}{options}</fieldset>"
    )


def _values(values: list[str], chosen: str) -> str:
    return "".join(
        f"<option{' selected' if value == chosen else ''}>{escape(value)}</option>"
        for value in values
    )
