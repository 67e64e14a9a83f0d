"""What clients are told when something goes wrong: JSON for programs, a page for people."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from starlette.datastructures import Headers
from starlette.responses import HTMLResponse, JSONResponse, Response

from mossa.errors import shorten
from mossa.web.assets import HEADERS

_TITLES = {401: "Token needed", 403: "Not allowed", 404: "Page not found", 500: "Server error"}
_PLACES = {"body", "query", "path"}
"""Where a field is in a request, which nobody needs to know."""


def problem(
    path: str, asked: Headers, status: int, reason: str, headers: dict[str, str] | None = None
) -> Response:
    """Answer a failed request: with a page if a browser wants one, else in JSON."""
    if path.startswith("/api/") or "text/html" not in asked.get("accept", ""):
        return JSONResponse({"error": reason}, status, headers=headers)
    return HTMLResponse(_page(status, reason), status, headers={**HEADERS, **(headers or {})})


def _page(status: int, reason: str) -> str:
    title = _TITLES.get(status, "Something went wrong")
    text = f"{reason[:1].upper()}{reason[1:]}."
    # Without a token, home is as closed as this page.
    home = "" if status == 401 else '<p><a href="/">Go to the start page</a></p>'
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f"<title>mossa: {title.lower()}</title>"
        '<link rel="icon" href="/static/icon.svg" type="image/svg+xml">'
        '<link rel="stylesheet" href="/static/style.css"></head><body><header class="top">'
        '<a class="brand" href="/"><img src="/static/icon.svg" alt="" width="28" height="28">mossa'
        f"</a></header><main><h1>{title}</h1><p>{escape(text)}</p>{home}</main>"
    )


def malformed(errors: Sequence[Any]) -> str:
    """Say in one line which field of a message is wrong, and why."""
    first = errors[0]
    field = ".".join(str(part) for part in first["loc"] if part not in _PLACES) or "the message"
    kind, text = first["type"], first["msg"]
    if kind == "json_invalid":
        return "the message is not valid JSON"
    if kind == "missing":
        return f"{field} is missing"
    if kind == "extra_forbidden":
        return f"there is no field {shorten(field)}"
    if text.startswith("Input should"):
        return f"{field}{text.removeprefix('Input')}, not {shorten(str(first['input']))}"
    return f"{field}: {text[:1].lower()}{text[1:].removesuffix(' after validation')}"
