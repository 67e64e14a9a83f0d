"""The form of a new game as HTML: its fields are those of the games and players that there are."""

from __future__ import annotations

import json
from html import escape

from mossa.games import KINDS, PRESETS
from mossa.games import game as game_named
from mossa.recipes.level import ABILITIES
from mossa.web.opponents import served_kinds
from mossa.web.states import position_state

_CARDS = {
    "connect4": ("Connect 4", "44353"),
    "tictactoe": ("Tic-tac-toe", "b2 a1 c3"),
    "gomoku": ("Gomoku", "h8 i9 h9 h10 g8"),
    "kalah": ("Kalah", ""),
    "bantumi": ("Bantumi", ""),
}
"""Games to choose from, each with a position to show."""
_NAMES = {"cols": "columns", "k": "in a row"}


def setup_form() -> str:
    """Return the form."""
    players = "".join(
        f'<option value="{escape(kind.name)}">{escape(kind.summary)}</option>'
        for kind in served_kinds().values()
    )
    return f"""<form class="setup">
<h1>New game</h1>
<fieldset class="cards"><legend>Game</legend>{"".join(map(_card, _CARDS))}</fieldset>
<details><summary>Size and rules</summary>{"".join(map(_rules, _CARDS))}</details>
<fieldset class="opponent"><legend>Opponent</legend>
{_radio("opponent", "level", "Computer", " checked")}
<label class="level"><span>Level </span><output></output><input type="range" name="level"
 min="1" max="{len(ABILITIES)}" value="3" aria-label="Level">
<small>1 for beginners, {len(ABILITIES)} the strongest</small></label>
{_radio("opponent", "human", "A person on this device")}
{_radio("opponent", "spec", "A player by its spec")}
<input name="spec" list="players" placeholder="mcts:iterations=2000" autocomplete="off"
 aria-label="Spec of the player"><datalist id="players">{players}</datalist></fieldset>
<fieldset class="side"><legend>You play</legend>{_radio("side", "first", "First", " checked")}
{_radio("side", "second", "Second")}{_radio("side", "any", "Either")}</fieldset>
<fieldset class="side clocks"><legend>Clock</legend>
<label><input type="number" name="minutes" value="0" min="0" max="600" step="any"> minutes a game
 (0: no clock)</label>
<label><input type="number" name="increment" value="0" min="0" max="600" step="any"> seconds more
 a move</label></fieldset>
<button class="primary" type="submit">Play</button></form>"""


def _radio(name: str, value: str, text: str, checked: str = "") -> str:
    given = f'name="{name}" value="{value}"{checked}'
    return f'<label><input type="radio" {given}> <span>{text}</span></label>\n'


def _card(preset: str) -> str:
    title, moves = _CARDS[preset]
    checked = " checked" if preset == next(iter(_CARDS)) else ""
    position = json.dumps(position_state(game_named(preset).position(moves)))
    return (
        f'<label class="card"><input type="radio" name="preset" value="{preset}"{checked}>'
        f'<mossa-board inert aria-hidden="true" data-position="{escape(position)}"></mossa-board>'
        f"<span>{title}</span></label>"
    )


def _rules(preset: str) -> str:
    """Return the sizes and options of a game, set as the preset says."""
    game = game_named(PRESETS[preset])
    kind = KINDS[game.kind]
    sizes = "".join(
        f"<label><span>{_NAMES.get(size.name, size.name)}</span>"
        f'<input type="number" min="{size.low}" max="{size.high}" required '
        f'value="{game.sizes[size.name]}"></label>'
        for size in kind.sizes
    )
    options = "".join(
        f"<label><span>{option.name.replace('_', ' ')}</span>"
        f'<select name="{option.name}">{_values(option.values, game.options[option.name])}</select>'
        f"<small>{escape(option.help)}</small></label>"
        for option in kind.options
    )
    return (
        f'<fieldset class="fields" data-preset="{preset}" data-kind="{kind.name}" disabled hidden>'
        f"{sizes}{options}</fieldset>"
    )


def _values(values: list[str], chosen: str) -> str:
    return "".join(
        f"<option{' selected' if value == chosen else ''}>{escape(value)}</option>"
        for value in values
    )
