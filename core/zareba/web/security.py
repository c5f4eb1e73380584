"""Checks of every request (host, origin, size and rate), and the security headers of every response.

Requests are not trusted just because a page sent them. A request must name a known host, otherwise it may be a DNS
rebinding attack. A request that changes something must come from a page of this server.
"""

from __future__ import annotations

import re
import time
from collections.abc import Awaitable, Callable, Collection, MutableMapping
from typing import Any, NamedTuple, TypeAlias

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse

_Scope: TypeAlias = MutableMapping[str, Any]
_Receive: TypeAlias = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send: TypeAlias = Callable[[MutableMapping[str, Any]], Awaitable[None]]
_App: TypeAlias = Callable[[_Scope, _Receive, Send], Awaitable[None]]

MOST_BYTES = 64 * 1024
SLOWEST = 10.0
"""Seconds within which the body of a request must arrive."""
BURST, PER_SECOND = 240, 60.0
"""Requests of one address for one link: the burst allowed at once, and the rate per second after that."""
STATIC_BURST, _STATIC_PER_SECOND = 2400, 600.0
"""Requests of one address for scripts and styles; a page loads about thirty of them."""
GUESSES, _GUESSES_PER_SECOND = 60, 1.0
"""Failed requests of one address that get their error message: burst and rate; more get a request to wait.

Valid links from the same address are not affected."""
_MOST_CLIENTS = 10_000
"""The largest number of clients whose requests are counted."""

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
SECURITY_HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",  # without a referrer, forms would have no origin
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
_DEFAULT_HEADERS = [
    (name.lower().encode(), value.encode()) for name, value in {**SECURITY_HEADERS, "Cache-Control": "no-store"}.items()
]
"""The headers of a response that does not set them itself."""
_TOO_MANY = "too many requests; wait a moment"
_PORT = re.compile(r":[0-9]{1,5}$")


class Guard:
    """Middleware in front of an application. `hosts` are the names of the server; None allows any name."""

    def __init__(self, app: _App, hosts: Collection[str] | None) -> None:
        self._app = app
        self._hosts = hosts
        self._requests = Buckets()
        self._guesses = Buckets()

    async def __call__(self, scope: _Scope, receive: _Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        body = b""
        if refusal is None and scope["method"] == "POST":
            try:
                body = await _read_body(receive)
            except ValueError as error:
                refusal = 413, str(error)
            except TimeoutError:
                refusal = 408, "the request took too long to arrive"
        if refusal is not None:
            code, words = refusal
            await PlainTextResponse(words + "\n", code, headers=SECURITY_HEADERS)(scope, receive, send)
            return
        body_passed_on = False
        response_replaced = False

        async def receive_with_body() -> MutableMapping[str, Any]:
            """Pass on the body, which has been read already, as if it had just arrived."""
            nonlocal body_passed_on
            if body_passed_on or scope["method"] != "POST":
                return await receive()
            body_passed_on = True
            return {"type": "http.request", "body": body, "more_body": False}

        async def send_with_headers(message: MutableMapping[str, Any]) -> None:
            """Send a response with the default headers; a client that guesses links gets a request to wait instead."""
            nonlocal response_replaced
            if message["type"] == "http.response.start":
                if message["status"] in (403, 404):
                    response_replaced = not self._guesses.take(_client_address(scope), GUESSES, _GUESSES_PER_SECOND)
                if response_replaced:
                    await PlainTextResponse(_TOO_MANY, 429, headers=SECURITY_HEADERS)(scope, receive, send)
                    return
                own = {name.lower() for name, _ in message["headers"]}
                defaults = [(name, value) for name, value in _DEFAULT_HEADERS if name not in own]
                message["headers"] = [*message["headers"], *defaults]
            if not response_replaced:
                await send(message)

        await self._app(scope, receive_with_body, send_with_headers)

    def _refusal(self, scope: _Scope) -> tuple[int, str] | None:
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
        if not self._is_within_rate(scope):
            return 429, _TOO_MANY
        return None

    def _is_within_rate(self, scope: _Scope) -> bool:
        """Count a request. Return True if its address has not sent too many for this link, or for scripts and
        styles.
        """
        parts = scope["path"].split("/", 4)
        if parts[1] == "static":
            return self._requests.take(f"{_client_address(scope)} /static", STATIC_BURST, _STATIC_PER_SECOND)
        link = "/".join(parts[2:4]) if parts[1] == "game" else ""
        return self._requests.take(f"{_client_address(scope)} {link}", BURST, PER_SECOND)


class Buckets:
    """Token buckets by client, which refill with time. The client that was silent the longest is forgotten first."""

    def __init__(self) -> None:
        self._buckets: dict[str, _Bucket] = {}

    def take(self, client: str, most: float, per_second: float) -> bool:
        """Take one token; return False if there was none."""
        now = time.monotonic()
        bucket = self._buckets.pop(client, None) or _Bucket(float(most), now)
        tokens = min(float(most), bucket.tokens + (now - bucket.filled_at) * per_second)
        if len(self._buckets) >= _MOST_CLIENTS:
            self._buckets.pop(next(iter(self._buckets)))
        self._buckets[client] = _Bucket(max(0.0, tokens - 1.0), now)
        return tokens >= 1.0


class _Bucket(NamedTuple):
    tokens: float
    filled_at: float


def _client_address(scope: _Scope) -> str:
    return str((scope.get("client") or ("",))[0])


async def _read_body(receive: _Receive) -> bytes:
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
