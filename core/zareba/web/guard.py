"""What is let in: requests of this page to this server, not too large and not too many; and what browsers are told.

Nothing is trusted because a page sent it. A request names the server by a host that it is known by, or it is an attack by
way of a name that points here; what changes something comes from a page of this server.
"""

from __future__ import annotations

import re
import time
from collections.abc import Awaitable, Callable, Collection, MutableMapping
from typing import Any, TypeAlias

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse

__all__ = ["Guard"]

Scope: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send: TypeAlias = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

MOST_BYTES = 64 * 1024
SLOWEST = 10.0
"""Seconds in which a body must have come."""
BURST, PER_SECOND = 240, 60.0
"""As many requests of one address at once, and so many a second from then on."""
MOST_ADDRESSES = 10_000

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
TOLD = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",  # with none at all a form would come from nowhere
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
_PORT = re.compile(r":[0-9]{1,5}$")


class Guard:
    """Stands before an application. `hosts` are the names that the server is known by; None: any, as `--host` asks for."""

    def __init__(self, app: App, hosts: Collection[str] | None) -> None:
        self._app = app
        self._hosts = hosts
        self._seen: dict[str, tuple[float, float]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refused = self._refused(scope)
        body = b""
        if refused is None and scope["method"] == "POST":
            try:
                body = await _body(receive)
            except ValueError as error:
                refused = 413, str(error)
            except TimeoutError:
                refused = 408, "the request took too long to come"
        if refused is not None:
            code, words = refused
            await PlainTextResponse(words + "\n", code, headers=TOLD)(scope, receive, send)
            return
        heard = False

        async def again() -> MutableMapping[str, Any]:
            nonlocal heard
            if heard or scope["method"] != "POST":
                return await receive()
            heard = True
            return {"type": "http.request", "body": body, "more_body": False}

        async def with_headers(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in TOLD.items():
                    headers.setdefault(name, value)
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        await self._app(scope, again, with_headers)

    def _refused(self, scope: Scope) -> tuple[int, str] | None:
        """The code and the sentence of a request that is not let in."""
        headers = Headers(scope=scope)
        if scope["method"] not in ("GET", "HEAD", "POST"):
            return 405, "only GET and POST are understood"
        host = headers.get("host", "")
        if len(headers.getlist("host")) != 1 or not host:
            return 400, "a request names its host once"
        if self._hosts is not None and _PORT.sub("", host).lower() not in self._hosts:
            return 421, "this server is not known by that name; open the address that 'zareba serve' printed"
        if scope["method"] == "POST":
            origin = headers.get("origin")
            if origin is not None and origin.partition("://")[2] != host:
                return 403, "the page that sent this is not of this server"
            if origin is None and headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
                return 403, "the page that sent this is not of this server"
            length = headers.get("content-length", "0")
            if not length.isdecimal() or int(length) > MOST_BYTES:
                return 413, f"a request has at most {MOST_BYTES} bytes"
        if not self._admits(scope):
            return 429, "too many requests; wait a moment"
        return None

    def _admits(self, scope: Scope) -> bool:
        """Whether an address has not asked too often: a bucket that fills again with time."""
        address = (scope.get("client") or ("",))[0]
        now = time.monotonic()
        left, last = self._seen.pop(address, (float(BURST), now))
        left = min(float(BURST), left + (now - last) * PER_SECOND)
        if len(self._seen) >= MOST_ADDRESSES:
            self._seen.pop(next(iter(self._seen)))
        self._seen[address] = max(0.0, left - 1.0), now
        return left >= 1.0


async def _body(receive: Receive) -> bytes:
    """The whole body of a request; ValueError when it is too long, TimeoutError when it comes too slowly."""
    import anyio

    body = b""
    with anyio.fail_after(SLOWEST):
        while True:
            message = await receive()
            body += bytes(message.get("body", b""))
            if len(body) > MOST_BYTES:
                raise ValueError(f"a request has at most {MOST_BYTES} bytes")
            if message["type"] == "http.disconnect" or not message.get("more_body", False):
                return body
