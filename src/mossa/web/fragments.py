"""HTML that the server makes: forms and tables, all data and no drawing."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Any

from mossa.arena.plan import FORMATS
from mossa.arena.words import elo_text
from mossa.games import PRESETS
from mossa.players.levels import ABILITIES
from mossa.python_games import offered_games
from mossa.quantities import counted
from mossa.search import SEARCHES
from mossa.web.limits import ENTRANTS, TOURNAMENT_SECONDS, TRACE_NODES
from mossa.web.opponents import HUMAN, served_kinds
from mossa.web.states import analysis_query

_PLAIN = "deepen=off,table=off,pvs=off,killers=off,history=off"
LESSONS = {
    "Minimax": "minimax:depth=3",
    "Alpha-beta": f"alphabeta:depth=4,{_PLAIN}",
    "Alpha-beta without move ordering": f"alphabeta:depth=4,{_PLAIN},order=none",
    "Iterative deepening": "alphabeta:depth=4,table=off,pvs=off",
    "Transposition table": "alphabeta:depth=5,pvs=off",
    "Principal variation": "alphabeta:depth=4,table=off",
    "Tree of candidate moves": "gametree:depth=3",
    "Monte Carlo": "mcts:iterations=500",
}
"""Lessons, and the search that shows each."""
_HIDDEN_OPTIONS = {"memory", "threads", "resume", "reuse"}
_USUAL_PLAYERS = ["level:1", "level:3", "alphabeta:depth=4", "mcts:iterations=500", "", ""]
_BUSY = {"playing", "waiting"}
_NONE_YET = "None yet. Players meet in pairs of games: the same opening twice, with sides swapped."
_STATES = {"playing": "in progress", "waiting": "queued"}


def _options(values: Iterable[tuple[str, str]]) -> str:
    return "".join(f'<option value="{escape(value)}">{escape(text)}' for value, text in values)


def _datalists() -> str:
    players = [(f"level:{level}", "") for level in range(1, len(ABILITIES) + 1)]
    players += [(kind.name, kind.summary) for kind in served_kinds().values() if kind.name != HUMAN]
    games = [*PRESETS.items(), *((name, "") for name in offered_games())]
    return (
        f'<datalist id="games">{_options(games)}</datalist>'
        f'<datalist id="players">{_options(players)}</datalist>'
    )


# ---------------------------------------------------------------- the search viewer


def search_page(viewer: str) -> str:
    """Return the search viewer's form, and the markup of the viewer itself."""
    lessons = _options([*((spec, name) for name, spec in LESSONS.items()), ("", "Custom")])
    help_texts = "".join(
        f"<dt>{escape(name)}<dd>{escape(search.summary)}<dl>{_option_list(search.options)}</dl>"
        for name, search in SEARCHES.items()
    )
    return f"""<h1 class="hidden">Watch a search</h1>
<form class="search">
<label>Game <input name="game" value="connect4" list="games" required></label>
<label>Moves <input name="moves" value="4453" spellcheck="false"></label>
<label>Lesson <select id="lesson">{lessons}</select></label>
<label>Search <input name="player" value="{escape(LESSONS["Alpha-beta"])}"
 spellcheck="false" required></label>
<label>Nodes <input name="nodes" type="number" min="1" max="{TRACE_NODES}" value="1000"></label>
<button class="primary">Search</button>
<details><summary>Options</summary><dl class="box">{help_texts}</dl></details>
</form>
<mossa-trace hidden>{viewer}</mossa-trace>{_datalists()}"""


def _option_list(options: Iterable[Any]) -> str:
    return "".join(
        f"<dt>{escape(option.name)}={escape('|'.join(option.values) or option.default or '…')}"
        f"<dd>{escape(option.help)}"
        for option in options
        if option.name not in _HIDDEN_OPTIONS
    )


# ---------------------------------------------------------------- the arena


def arena_page(tournaments: list[dict[str, Any]]) -> str:
    """Return the form for a new tournament and the list of tournaments."""
    entrants = "".join(
        f'<input name="players" value="{name}" list="players" aria-label="Player {number}" '
        'placeholder="spec, or name=spec" spellcheck="false">'
        for number, name in enumerate(_USUAL_PLAYERS, 1)
    )
    rows = "".join(
        f'<li><a href="/arena/{one["name"]}">{escape(" · ".join(one["players"]))}</a><small>'
        f"{escape(', '.join(one['games']))} · {one['done']} of {counted(one['total'], 'game')} · "
        f"{_STATES.get(one['state'], one['state'])}</small>"
        for one in tournaments
    )
    past = f'<ul class="past">{rows}</ul>' if rows else f"<p>{_NONE_YET}</p>"
    return f"""<h1>Arena</h1><div class="arena">
<form class="box begin"><h2>New tournament</h2>
<div>Players (up to {ENTRANTS}) <div class="entrants">{entrants}</div>
<button type="button" id="more">Add a player</button></div>
<label>Games <input name="games" value="connect4 tictactoe" list="games"
 spellcheck="false" required></label>
<label>Format <select name="format">{_options(FORMATS.items())}</select></label>
<label>Pairs of games <input name="rounds" type="number" value="5" min="1" max="1000"></label>
<label>Seconds per move <input name="seconds" type="number" value="0.1" min="0.01"
 max="{TOURNAMENT_SECONDS:g}" step="0.01"></label>
<label>Seed for openings <input name="seed" type="number" value="1" min="0"></label>
<button class="primary">Start</button></form>
<section class="box"><h2>Tournaments</h2>{past}
</section></div>{_datalists()}"""


_CROSS = {"gauntlet": "The challenger against each opponent"}


def tournament_page(report: dict[str, Any], games: list[dict[str, Any]], duel: list[str]) -> str:
    """Return how a tournament stands, with the games of a duel or the latest ones."""
    state, done, total = report["state"], report["done"], report["total"]
    what = "stop" if state in _BUSY else "resume" if state != "finished" else ""
    button = f'<button type="button" id="{what}" data-do="{what}">{what.title()}</button>'
    error = f'<p class="failed">{escape(report["error"])}</p>' if report["error"] else ""
    title = "match" if len(report["players"]) == 2 else "tournament"
    return f"""<div class="arena" data-state="{state}"><h1><a href="/arena">Arena</a>: {title}</h1>
<p class="progress"><progress max="{total}" value="{done}" aria-label="Games played"></progress>
{done} of {counted(total, "game")} played, {_STATES.get(state, state)}
{button if what else ""}</p>
<p>{escape(", ".join(report["games"]))} · {escape(FORMATS[report["format"]])} ·
{escape(report["conditions"])}</p>{error}
<section class="box wide" tabindex="0" aria-label="Standings"><h2>Standings</h2>
{_standings(report)}</section>
<section class="box wide" tabindex="0" aria-label="Cross table">
<h2>{_CROSS.get(report["format"], "Head to head")}</h2>{_cross(report)}
<p>Each cell has the row player's wins, draws and losses against the column player.
Click one to see its games.</p></section>
{_games(games, duel)}</div>"""


def _standings(report: dict[str, Any]) -> str:
    ends = [abs(row[end] or 0) for row in report["standings"] for end in ("elo_low", "elo_high")]
    far = max(100, *ends)
    rows = "".join(
        f'<tr><td>{place}<th scope="row">{escape(row["player"])}<td>{row["points"]:g}'
        f"<td>{row['games']}<td>{row['wins']}<td>{row['draws']}<td>{row['losses']}<td>{elo_text(row)}"
        f'<td class="error">{_error_bar(row, far)}'
        for place, row in enumerate(report["standings"], 1)
    )
    head = "".join(
        f'<th scope="col">{name}'
        for name in ("#", "Player", "Points", "Games", "+", "=", "−", "Elo", "95 %")  # noqa: RUF001
    )
    return f'<table class="standings"><thead><tr>{head}<tbody>{rows}</table>'


def _error_bar(row: dict[str, Any], far: float) -> str:
    """Return an Elo as a point with its error bar; an unknown end is open."""
    elo, low, high = row["elo"], row["elo_low"], row["elo_high"]
    if low is None and high is None:
        return ""

    def x(value: float | None, open_end: float) -> float:
        return open_end if value is None else round(80 + 75 * value / far, 1)

    point = "" if elo is None else f'<circle cx="{x(elo, 0)}" cy="8" r="4"/>'
    return (
        '<svg viewBox="0 0 160 16" aria-hidden="true"><path d="M80 0V16" class="zero"/>'
        f'<path d="M{x(low, 0)} 8H{x(high, 160)}"/>{point}</svg>'
    )


def _cross(report: dict[str, Any]) -> str:
    names = [row["player"] for row in report["standings"]]
    found = {(duel["player"], duel["opponent"]): duel for duel in report["duels"]}
    rows = ""
    shown = names[:1] if report["format"] == "gauntlet" else names
    for place, name in enumerate(shown):
        rows += f'<tr><th scope="row">{place + 1} {escape(name)}'
        for column, other in enumerate(names):
            duel = found.get((name, other))
            if duel is None:
                rows += "<td>"
                continue
            rows += (
                f'<td style="--lean:{duel["score"]:.0%}"><button type="button" '
                f'id="d{place}-{column}" data-duel="{escape(name)}" data-other="{escape(other)}" '
                f'title="{escape(name)} scored {duel["score"]:.0%} against {escape(other)}">'
                f"+{duel['wins']} ={duel['draws']} −{duel['losses']}</button>"  # noqa: RUF001
            )
    head = "".join(f'<th scope="col">{place + 1}' for place in range(len(names)))
    return f'<table class="cross"><thead><tr><td>{head}<tbody>{rows}</table>'


def _query(game: dict[str, Any]) -> str:
    return analysis_query(game["game"], game["moves"], opening=game["opening_length"])


def _plies(game: dict[str, Any]) -> str:
    return counted(game["plies"], "ply", "plies")


def _games(games: list[dict[str, Any]], duel: list[str]) -> str:
    if not games:
        return ""
    title = " against ".join(duel) if all(duel) else "Latest games"
    rows = "".join(
        f"<tr><td>{one['id']}<td>{escape(one['game'])}<td>{escape(one['first'])} –"  # noqa: RUF001
        f" {escape(one['second'])}<td>{one['result']}<td>{escape(one['end'])}, {_plies(one)}"
        f'<td><a href="/analyse?{escape(_query(one))}"'
        f' aria-label="Open game {one["id"]}">Open</a>'
        for one in reversed(games)
    )
    return (
        '<section class="box wide list" tabindex="0" aria-label="Games">'
        f"<h2>{escape(title)}</h2><table><tbody>{rows}</table></section>"
    )
