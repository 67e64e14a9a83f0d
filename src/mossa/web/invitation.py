"""The link that invites a friend to a game, and its QR code for a phone."""

from __future__ import annotations

from urllib.parse import quote, urlsplit

import segno

from mossa.errors import GameError, shorten
from mossa.web.guard import is_loopback

_NOTE = (
    "This address works on this machine only. To play a friend elsewhere, start the board with "
    "mossa web --host 0.0.0.0"
)


def invitation(path: str, origin: str, token: str | None) -> dict[str, str]:
    """Return the link to a path of this server, which brings the token along, its code and a note.

    The origin is what the page was loaded from: behind a proxy only the page knows that.
    """
    try:
        parts = urlsplit(origin)
        host = parts.hostname or ""
    except ValueError:
        parts, host = urlsplit(""), ""
    if parts.scheme not in ("http", "https") or not host or parts.path or parts.query:
        raise GameError(
            f"{shorten(origin)} is not the origin of a page, such as http://localhost:8000"
        )
    link = origin + path + (f"?token={quote(token, safe='')}" if token else "")
    return {"link": link, "code": qr_code(link), "note": _NOTE if is_loopback(host) else ""}


def qr_code(link: str) -> str:
    """Return a link as a picture for a phone: SVG to stand in a page."""
    code = segno.make(link, error="m", micro=False)
    picture: str = code.svg_inline(border=2, dark="#111", light="#fff", omitsize=True)
    return picture
