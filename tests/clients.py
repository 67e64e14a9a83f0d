"""A client of the web server, and what it asks for."""

from __future__ import annotations

from typing import Any

from fastapi.testclient import TestClient

HOME = "http://127.0.0.1:8000"
LIVE = "ws://127.0.0.1:8000/api/live"
OURS = {"origin": HOME}


def begin(client: TestClient, **game: str) -> dict[str, Any]:
    answer = client.post("/api/games", json={"game": "connect4", **game})
    assert answer.status_code == 201, answer.text
    state: dict[str, Any] = answer.json()
    return state


def act(client: TestClient, game: dict[str, Any], what: str, **body: Any) -> dict[str, Any]:
    sent = {"version": game["version"], **body}
    answer = client.post(f"/api/games/{game['id']}/{what}", json=sent)
    assert answer.status_code == 200, answer.text
    state: dict[str, Any] = answer.json()
    return state
