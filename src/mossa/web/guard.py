"""Who may talk to the server at all: checked before any other code sees a request.

By default the board listens on this machine alone. But any page open in the same browser can send
it requests, and a stranger can make a host name of theirs point to it. So a browser's request must
come from our own pages, under a name of this machine. On any other address a token is needed too.
"""

from __future__ import annotations

import asyncio
import secrets
from http.cookies import CookieError, SimpleCookie
from ipaddress import ip_address
from time import monotonic
from urllib.parse import parse_qs, quote, unquote, urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mossa.web import limits
from mossa.web.limits import BODY_BYTES
from mossa.web.problems import problem

COOKIE = "mossa-token"
_POLICY_VIOLATION = 1008


def is_loopback(host: str) -> bool:
    """Tell whether a host name can only mean this machine."""
    host = host.strip("[]")
    if host.lower() == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


class RefusedError(Exception):
    """A request that is turned away."""

    def __init__(self, status: int, reason: str) -> None:
        """Take what the client is told, and in which sort of answer."""
        super().__init__(reason)
        self.status, self.reason = status, reason


class Guard:
    """A layer around the application that lets only proper requests through."""

    def __init__(self, app: ASGIApp, *, token: str | None) -> None:
        """Take the token clients must show; None: serve only clients on this machine."""
        self._app = app
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check a request and pass it on, or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        try:
            fresh = self._check(scope)
        except RefusedError as refused:
            await _refuse(scope, receive, send, refused)
            return
        if scope["type"] == "websocket":
            await self._app(scope, receive, send)
            return
        if fresh and self._token is not None:
            send = _with_cookie(send, self._token)
        await self._limited(scope, receive, send)

    def _check(self, scope: Scope) -> bool:
        """Raise if a request is improper; return whether its address contained the token."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        self.check_name(host)
        origin = headers.get("origin")
        if origin is not None and _place(origin)[0] != host:
            raise RefusedError(403, "requests from other sites are refused")
        if scope["type"] == "websocket" and origin is None and self._token is None:
            raise RefusedError(403, "the WebSocket needs an Origin header")
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > self.most_bytes(scope):
            raise self.too_large(scope)
        self.check_right(scope, headers)
        return self._token is not None and self._shown(scope, headers)

    def check_name(self, host: str) -> None:
        """Raise unless the server goes by this name."""
        if self._token is None and not is_loopback(_place(f"//{host}")[1]):
            raise RefusedError(403, f"the board is not served under the name {host[:100]!r}")

    def check_right(self, scope: Scope, headers: Headers) -> None:
        """Raise unless whoever asks may ask for that at all; the token is another matter."""

    def most_bytes(self, scope: Scope) -> int:
        """Return how long the body of a request may be; its first word is enough to refuse it."""
        return BODY_BYTES

    def too_large(self, scope: Scope) -> RefusedError:
        """Return what is said of a longer one."""
        return RefusedError(413, f"the request is too large: at most {BODY_BYTES} bytes")

    def most_seconds(self, scope: Scope) -> float:
        """Return how long the body of a request may take to arrive."""
        return limits.BODY_SECONDS

    def _shown(self, scope: Scope, headers: Headers) -> bool:
        """Raise unless the request has the token; return whether it came in the address."""
        assert self._token is not None
        token = self._token.encode()
        query = parse_qs(scope["query_string"].decode("utf-8", "replace"))
        address: bytes = query.get("token", [""])[0].encode()
        # A header is bytes; latin-1 is how they became text.
        header = headers.get("authorization", "").removeprefix("Bearer ").encode("latin-1")
        for given in (header, unquote(_cookie(headers)).encode("utf-8", "replace"), address):
            if secrets.compare_digest(given, token):
                return given == address
        raise RefusedError(
            401, "this server needs a token: open the address that it printed when it started"
        )

    async def _limited(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on a request, unless its body is too large or takes too long.

        The size is counted here, because not every client declares it.
        """
        refused: RefusedError | None = None
        size, complete = 0, False
        most, seconds = self.most_bytes(scope), self.most_seconds(scope)
        deadline = monotonic() + seconds

        async def checked() -> Message:
            nonlocal refused, size, complete
            if complete:
                return await receive()
            if refused is None:
                try:
                    message = await asyncio.wait_for(receive(), deadline - monotonic())
                except TimeoutError:
                    refused = _too_slow(seconds)
                else:
                    size += len(message.get("body", b""))
                    complete = not message.get("more_body", False)
                    if size <= most:
                        return message
                    refused = self.too_large(scope)
            return {"type": "http.disconnect"}  # for the application, the client has left

        async def answered(message: Message) -> None:
            if refused is None:
                await send(message)

        await self._app(scope, checked, answered)
        if refused is not None:
            await _refuse(scope, receive, send, refused)


def _place(address: str) -> tuple[str | None, str]:
    """Return host and port, and the host alone, of an untrusted address."""
    try:
        parts = urlsplit(address)
        return parts.netloc, parts.hostname or ""
    except ValueError:
        return None, ""


def _too_slow(seconds: float) -> RefusedError:
    return RefusedError(408, f"the request took too long: at most {seconds:g} seconds for its body")


def _cookie(headers: Headers) -> str:
    try:
        morsel = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return ""
    return morsel.value if morsel else ""


def _with_cookie(send: Send, token: str) -> Send:
    """Let the browser keep the token, out of reach of scripts and of other sites."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            cookie = f"{COOKIE}={quote(token, safe='')}; Path=/; HttpOnly; SameSite=Strict"
            message["headers"] = [*message["headers"], (b"set-cookie", cookie.encode())]
        await send(message)

    return sending


async def _refuse(scope: Scope, receive: Receive, send: Send, refused: RefusedError) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send(
            {"type": "websocket.close", "code": _POLICY_VIOLATION, "reason": refused.reason[:120]}
        )
        return
    answer = problem(
        scope["path"],
        Headers(scope=scope),
        refused.status,
        refused.reason,
        {"connection": "close"},
    )
    await answer(scope, receive, send)
