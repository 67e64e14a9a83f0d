"""The files of the pages. They are small: reading one is quicker than finding a thread for it."""

from __future__ import annotations

from hashlib import blake2b
from mimetypes import guess_type
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from mossa.games import PRESETS
from mossa.render import drawings

STATIC = Path(__file__).parent / "static"

HEADERS = {
    # Everything comes from this server, so nothing else may be loaded or may frame the pages.
    "Content-Security-Policy": (
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
        "frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    # A browser keeps files but asks whether they have changed, so an update shows at once.
    "Cache-Control": "no-cache",
}
_FILLINGS = {
    "index.html": {
        b"<!--DRAWINGS-->": drawings().encode(),
        b"<!--GAMES-->": "".join(f'<option value="{name}">' for name in PRESETS).encode(),
    }
}
"""Data from elsewhere, and its place in a file."""
_TYPES = {".js": "text/javascript", ".webmanifest": "application/manifest+json"}


def asset(request: Request, name: str) -> Response | None:
    """Return a file, or "not modified" for the browser's copy; None if there is none."""
    path = STATIC / name
    # A listing, because asking for a file with a bad name (too long, a zero byte) is an error.
    if path not in STATIC.iterdir():
        return None
    content = path.read_bytes()
    for place, filling in _FILLINGS.get(name, {}).items():
        content = content.replace(place, filling)
    content = content.replace(b"<!--LINKS-->", request.app.state.links.encode())
    tag = f'"{blake2b(content, digest_size=12).hexdigest()}"'
    headers = {**HEADERS, "ETag": tag}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    kind = _TYPES.get(path.suffix) or guess_type(path.name)[0]
    return Response(content, headers=headers, media_type=kind)
