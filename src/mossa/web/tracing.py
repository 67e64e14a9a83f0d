"""Requests of the search viewer: which searches there are, and a search recorded node by node."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from mossa._core import Limits, StopToken
from mossa.errors import GameError
from mossa.search import SEARCHES
from mossa.trace import trace_search
from mossa.web.api import wanted_position
from mossa.web.limits import TRACE_CELLS, TRACE_NODES, TRACE_SECONDS
from mossa.web.messages import WantedTrace
from mossa.web.opponents import check_spec
from mossa.web.searches import Report, Searches

router = APIRouter(prefix="/api")


@router.get("/searches")
def searches() -> dict[str, Any]:
    """Return the searches that can be watched, with their options."""
    return {
        "nodes": TRACE_NODES,
        "searches": [
            {
                "name": name,
                "summary": search.summary,
                "options": [
                    {
                        "name": option.name,
                        "default": option.default,
                        "values": option.values,
                        "help": option.help,
                    }
                    for option in search.options
                    if option.name not in ("memory", "threads", "resume", "reuse")
                ],
            }
            for name, search in SEARCHES.items()
        ],
    }


@router.post("/trace", response_class=Response, responses={200: {"content": {"application/json": {}}}})
async def trace(wanted: WantedTrace, request: Request) -> Response:
    """Search a position and return every node, as `mossa trace` writes it to a file."""
    position = wanted_position(wanted)
    spec = check_spec(wanted.player)
    # A node of a large board has more to draw; the page and this process have to bear it.
    cells = sum(len(row) for row in position.cells)
    nodes = min(wanted.nodes, max(50, TRACE_CELLS // cells))

    def work(stop: StopToken, report: Report) -> None:
        limits = Limits(time=TRACE_SECONDS)
        found = trace_search(position, spec, limits, nodes=nodes, stop=stop)
        report({"trace": found.to_json()})

    pool: Searches = request.app.state.desk.analyses
    async for message in pool.messages(work):
        return Response(message["trace"], media_type="application/json")
    raise GameError("the search was stopped")
