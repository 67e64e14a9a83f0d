"""The search viewer's request: a search recorded node by node."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import Response

from mossa._core import Limits, StopToken
from mossa.analysis import spec_options
from mossa.errors import GameError
from mossa.players import limits_from
from mossa.trace import trace_search
from mossa.web.api import wanted_position
from mossa.web.limits import TRACE_CELLS, TRACE_SECONDS
from mossa.web.messages import WantedTrace
from mossa.web.opponents import check_spec
from mossa.web.searches import Report, Searches

router = APIRouter(prefix="/api")


@router.post(
    "/trace", response_class=Response, responses={200: {"content": {"application/json": {}}}}
)
async def trace(wanted: WantedTrace, request: Request) -> Response:
    """Search a position and return every node, as `mossa trace` writes it to a file."""
    position = wanted_position(wanted)
    spec = check_spec(wanted.player, people=False)
    # A node of a large board has more to draw, for the page and for this process.
    cells = sum(len(row) for row in position.cells)
    nodes = min(wanted.nodes, max(50, TRACE_CELLS // cells))

    def work(stop: StopToken, report: Report) -> None:
        # A search without limits of its own ends when the trace is full.
        options = spec_options(spec)
        limited = limits_from(options) != Limits() or "hands" in options
        limits = Limits(time=TRACE_SECONDS) if limited else None
        found = trace_search(position, spec, limits, nodes=nodes, stop=stop)
        report({"trace": found.to_json()})

    pool: Searches = request.app.state.desk.analyses
    async for message in pool.messages(work):
        return Response(message["trace"], media_type="application/json")
    raise GameError("the search was stopped")
