"""Request checks: host, origin, size and rate; and the security headers of every response.

Requests are not trusted just because a page sent them. A request must name a known host, otherwise it may be a DNS
rebinding attack. A request that changes something must come from a page of this server.
"""

from __future__ import annotations

import re
import time
from collections.abc import Awaitable, Callable, Collection, MutableMapping
from typing import Any, TypeAlias

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse

__all__ = ["Guard"]

Scope: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send: TypeAlias = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

MOST_BYTES = 64 * 1024
SLOWEST = 10.0
"""Seconds within which the body of a request must arrive."""
BURST, PER_SECOND = 240, 60.0
"""Requests of one address for one link: the burst allowed at once, and the rate per second after that."""
GUESSES, GUESSES_PER_SECOND = 60, 1.0
"""Failed requests of one address that get their error message: burst and rate; more get a request to wait.

Valid links from the same address are not affected."""
MOST_KEPT = 10_000

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
TOLD = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",  # without a referrer, forms would have no origin
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
TOLD_OF_ALL = [(name.lower().encode(), value.encode()) for name, value in {**TOLD, "Cache-Control": "no-store"}.items()]
TOO_MANY = "too many requests; wait a moment"
_PORT = re.compile(r":[0-9]{1,5}$")


class Guard:
    """Middleware in front of an application. `hosts` are the names of the server; None allows any name."""

    def __init__(self, app: App, hosts: Collection[str] | None) -> None:
        self._app = app
        self._hosts = hosts
        self._requests = _Buckets()
        self._guesses = _Buckets()

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
                refused = 408, "the request took too long to arrive"
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

        put_off = False

        async def with_headers(message: MutableMapping[str, Any]) -> None:
            nonlocal put_off
            if message["type"] == "http.response.start":
                if message["status"] in (403, 404):
                    put_off = not self._guesses.take(_address(scope), GUESSES, GUESSES_PER_SECOND)
                if put_off:
                    await PlainTextResponse(TOO_MANY, 429, headers=TOLD)(scope, receive, send)
                    return
                said = {name.lower() for name, _ in message["headers"]}
                message["headers"] = [*message["headers"], *(one for one in TOLD_OF_ALL if one[0] not in said)]
            if not put_off:
                await send(message)

        await self._app(scope, again, with_headers)

    def _refused(self, scope: Scope) -> tuple[int, str] | None:
        """Return the status code and message for a refused request; None if it is allowed."""
        headers = Headers(scope=scope)
        if scope["method"] not in ("GET", "HEAD", "POST"):
            return 405, "only GET and POST are supported"
        host = headers.get("host", "")
        if len(headers.getlist("host")) != 1 or not host:
            return 400, "a request must name its host exactly once"
        if self._hosts is not None and _PORT.sub("", host).lower() not in self._hosts:
            return 421, "this server is not known by that name; open the address that 'zareba serve' printed"
        if scope["method"] == "POST":
            origin = headers.get("origin")
            if origin is not None and origin.partition("://")[2] != host:
                return 403, "the request comes from a page of another server"
            if origin is None and headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
                return 403, "the request comes from a page of another server"
            length = headers.get("content-length", "0")
            if not length.isdecimal() or int(length) > MOST_BYTES:
                return 413, f"a request can have at most {MOST_BYTES} bytes"
        if not self._admits(scope):
            return 429, TOO_MANY
        return None

    def _admits(self, scope: Scope) -> bool:
        """Return True if the address has not sent too many requests for this link."""
        parts = scope["path"].split("/", 4)
        link = "/".join(parts[2:4]) if parts[1] == "game" else ""
        return self._requests.take(f"{_address(scope)} {link}", BURST, PER_SECOND)


class _Buckets:
    """Token buckets by client, which refill with time; the oldest are dropped."""

    def __init__(self) -> None:
        self._left: dict[str, tuple[float, float]] = {}

    def take(self, who: str, most: float, per_second: float) -> bool:
        """Take one token; return False if there was none."""
        left = self._filled(who, most, per_second)
        if len(self._left) >= MOST_KEPT:
            self._left.pop(next(iter(self._left)))
        self._left[who] = max(0.0, left - 1.0), time.monotonic()
        return left >= 1.0

    def _filled(self, who: str, most: float, per_second: float) -> float:
        now = time.monotonic()
        left, last = self._left.pop(who, (float(most), now))
        left = min(float(most), left + (now - last) * per_second)
        self._left[who] = left, now
        return left


def _address(scope: Scope) -> str:
    return str((scope.get("client") or ("",))[0])


async def _body(receive: Receive) -> bytes:
    """Return the body of a request. Raises ValueError if it is too long, TimeoutError if it is too slow."""
    import anyio

    body = b""
    with anyio.fail_after(SLOWEST):
        while True:
            message = await receive()
            body += bytes(message.get("body", b""))
            if len(body) > MOST_BYTES:
                raise ValueError(f"a request can have at most {MOST_BYTES} bytes")
            if message["type"] == "http.disconnect" or not message.get("more_body", False):
                return body
