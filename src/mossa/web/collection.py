"""My games: the ones a browser remembers, as cards with small boards, and all as one file.

Only the browser knows which games those are; the server makes cards of what it is told.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from urllib.parse import parse_qs, urlencode

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, PlainTextResponse, Response

from mossa._core import Position, Side
from mossa.errors import GameError
from mossa.games import KINDS
from mossa.games import game as game_named
from mossa.quantities import counted
from mossa.records import Record, to_text
from mossa.records.record import opening
from mossa.render import to_svg
from mossa.session import timing, turns
from mossa.session.wording import player_names
from mossa.web.api import Games, Secret
from mossa.web.assets import HEADERS
from mossa.web.messages import Moves, Name, Remembered
from mossa.web.saved_games import side_of
from mossa.web.states import game_of
from mossa.web.store import SavedGame, Store, UnknownGameError

router = APIRouter(prefix="/api")
pages = APIRouter(prefix="/pages", include_in_schema=False)

_PICTURE = 240
_TITLES = {
    game_named(preset.name).name: preset.title for kind in KINDS.values() for preset in kind.presets
}
_RESULTS = {
    "won": "You won",
    "lost": "You lost",
    "draw": "Draw",
    "over": "Over",
    "open": "Unfinished",
}
_NONE = '<p class="none">No games yet. Games you play in this browser show up here.</p>'


@pages.get("/games/{name}/picture")
def game_picture(name: str, store: Games) -> Response:
    """Return the board of a saved game as an SVG picture."""
    return _picture(store.load(name).record.position)


@pages.get("/picture")
def picture(game: Name, moves: Moves = "", board: Moves = "") -> Response:
    """Return a position as an SVG picture."""
    return _picture(opening(game_of(game), board or None).after(moves))


@router.post(
    "/records",
    response_class=Response,
    responses={200: {"content": {"text/plain": {}}}},
)
def records(remembered: Remembered, store: Games) -> PlainTextResponse:
    """Return saved games as one record file."""
    found = [timing.stopped(saved.record) for saved in _known(store, remembered.games)]
    if not found:
        raise GameError("this server has none of these games")
    return PlainTextResponse(to_text(found))


@pages.post("/games")
def cards(remembered: Remembered, store: Games, secret: Secret) -> HTMLResponse:
    """Return the games and analyses a browser remembers, as cards."""
    games = [_game_card(saved, secret) for saved in _known(store, remembered.games)]
    analyses = [_analysis_card(query) for query in remembered.analyses]
    return HTMLResponse(_page(games, list(filter(None, analyses))), headers=HEADERS)


def _known(store: Store, names: Iterable[str]) -> Iterator[SavedGame]:
    """Return the games that still exist: the least recently used get deleted in time."""
    for name in names:
        try:
            yield store.load(name)
        except UnknownGameError:
            continue


def _page(games: list[str], analyses: list[str]) -> str:
    results = "".join(f'<option value="{key}">{text}' for key, text in _RESULTS.items())
    return f"""<h1>My games</h1><form class="filter" role="search">
<input type="search" name="text" aria-label="Search by game or opponent"
 placeholder="Game or opponent">
<select name="result" aria-label="Result"><option value="">All results{results}</select>
<button type="button" data-do="download"{"" if games else " disabled"}>Download all</button></form>
<h2>Games</h2>{f'<ul class="shelf">{"".join(games)}</ul>' if games else _NONE}
<h2>Analyses</h2>{f'<ul class="shelf">{"".join(analyses)}</ul>' if analyses else "<p>None yet.</p>"}
<p role="status" data-name="found"></p>"""


def _game_card(saved: SavedGame, secret: str) -> str:
    record = saved.record
    you = side_of(saved, secret)
    names = player_names(record, you if saved.seats is not None else None)
    if len(set(names.values())) == 1:
        against = "two people"
    elif you is None:
        against = " against ".join(names.values())
    else:
        (opponent,) = (name for side, name in names.items() if side != you.name)
        against = f"against {opponent}".replace("Your", "your")
    result = _result(record, you)
    facts = [
        against,
        _RESULTS[result].lower(),
        counted(len(record.moves), "move"),
        record.date or "",
    ]
    return _card(
        f"/play/{saved.id}",
        f"/pages/games/{saved.id}/picture?{saved.version}",
        _title(record.game.name),
        " · ".join(filter(None, facts)),
        f'data-result="{result}" data-id="{escape(saved.id)}"',
    )


def _analysis_card(query: str) -> str:
    """Return the card of an analysis from its address's query; nothing if it is not one."""
    fields = {name: values[0] for name, values in parse_qs(query).items()}
    game = fields.get("game", "")
    try:
        title = _title(game_of(game).name)
    except GameError:
        return ""
    shown = {name: fields[name] for name in ("game", "board") if name in fields}
    # Only the page knows branches; the picture shows the main line.
    moves = fields.get("moves", "").partition("(")[0]
    return _card(
        f"/analyse?{query}",
        f"/pages/picture?{urlencode(shown | {'moves': moves})}",
        title,
        moves or "the start",
        f'data-query="{escape(query)}"',
    )


def _card(address: str, image: str, title: str, facts: str, data: str) -> str:
    return (
        f'<li {data}><a href="{escape(address)}"><img src="{escape(image)}" alt="" loading="lazy" '
        f'width="120" height="120"><b>{escape(title)}</b><small>{escape(facts)}</small></a>'
        f'<button type="button" data-do="delete" aria-label="Delete {escape(title)}, '
        f'{escape(facts)}" title="Delete">×</button>'  # noqa: RUF001 - the sign for closing
    )


def _title(game: str) -> str:
    return _TITLES.get(game, game)


def _result(record: Record, you: Side | None) -> str:
    end = turns.end_of(record)
    if end is None:
        return "open"
    if end["winner"] is None:
        return "draw"
    if you is None:
        return "over"
    return "won" if end["winner"] == you.name else "lost"


def _picture(position: Position) -> Response:
    drawn = to_svg(position, size=_PICTURE)
    return Response(drawn, media_type="image/svg+xml", headers=HEADERS)
