"""Whatever is sent to the server by the description of its requests, it answers as described."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import schemathesis
from browsing import Server
from command import posix
from hypothesis import HealthCheck, settings

from mossa.web.app import create_app
from mossa.web.store import Store

pytestmark = posix
schema = schemathesis.openapi.from_dict(create_app(Store(Path(":memory:"))).openapi())
schema.config.checks.negative_data_rejection.expected_statuses.append("413")
# A description cannot tell which texts name a game, a player or a move.
schema.config.checks.positive_data_acceptance.enabled = False


@schema.parametrize()
@settings(max_examples=10, suppress_health_check=list(HealthCheck))
def test_requests(case: schemathesis.Case[Any], server: Server) -> None:
    case.call_and_validate(base_url=server.address, timeout=30)
