"""Security of the web server: request checks, forms, safe pages, and error messages without private data."""

from __future__ import annotations

import asyncio
import errno
import gc
import json
import re
import socket
import sys
import time
from collections.abc import Awaitable, Callable, Collection, MutableMapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias
from urllib.parse import parse_qsl, unquote

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from uvicorn import Config, Server
from uvicorn.protocols.http.h11_impl import H11Protocol

from zareba.base.errors import ZarebaError
from zareba.picture.signs import defs

# --- Removal of local folder names from messages ----------------------------------------------------------------------


_FOLDERS = re.compile(r"(?<![\w.:/\\<])(?:[A-Za-z]:)?(?:[/\\][^\s/\\:;,'\"()<>]+)+[/\\](?=[^\s/\\])")
"""The folders of an absolute path; the character before it is not part of a word or of a URL."""


def without_folders(words: str) -> str:
    """Return a sentence in which file paths are reduced to file names, because local folders are private."""
    for folder in _known_folders():
        words = words.replace(f"{folder}/", "").replace(f"{folder}\\", "").replace(folder, Path(folder).name)
    return _FOLDERS.sub("", words)


def _known_folders() -> list[str]:
    """Return folders whose names may contain spaces, the longest first."""
    found = {str(Path.home()), str(Path.cwd()), sys.prefix, *(entry for entry in sys.path if Path(entry).is_absolute())}
    return sorted((folder for folder in found if len(folder) > 1), key=len, reverse=True)


# --- Submitted forms, read as plain text ------------------------------------------------------------------------------


_MOST_FIELDS = 400


class Form:
    """The fields of a form. A field that occurs several times has several values."""

    def __init__(self, fields: list[tuple[str, str]]) -> None:
        self._fields = fields

    def text(self, name: str, default: str = "") -> str:
        """Return the first value of a field, without spaces around it."""
        return next((value.strip() for key, value in self._fields if key == name), default)

    def all(self, name: str) -> list[str]:
        """Return all values of a field."""
        return [value.strip() for key, value in self._fields if key == name]

    def names(self) -> list[str]:
        """Return the names of the fields, in order."""
        return list(dict.fromkeys(name for name, _ in self._fields))

    def beginning(self, prefix: str) -> dict[str, str]:
        """Return the fields with this prefix, by the rest of their names."""
        return {key.removeprefix(prefix): value.strip() for key, value in self._fields if key.startswith(prefix)}

    def whole(self, name: str) -> int:
        """Return a field as a whole number. Raises ZarebaError if it is not one."""
        value = self.text(name)
        if not value.isdecimal() or len(value) > 16:
            raise ZarebaError(f"'{name}' must be a whole number")
        return int(value)

    def number(self, name: str) -> float:
        """Return a field as a number. Raises ZarebaError if it is not one, or too large for a table."""
        try:
            value = float(self.text(name))
        except ValueError:
            raise ZarebaError(f"'{name}' must be a number") from None
        if not -1e6 < value < 1e6:
            raise ZarebaError(f"'{name}' must be a number")
        return value


async def read_form(request: Request) -> Form:
    """Return the form of a request. Raises ZarebaError if it is invalid."""
    body = await request.body()
    try:
        fields = parse_qsl(
            body.decode("utf-8"), keep_blank_values=True, strict_parsing=bool(body), max_num_fields=_MOST_FIELDS
        )
    except ValueError:
        raise ZarebaError("this is not a form of this server") from None
    return Form(fields)


# --- Request checks: host, origin, size and rate; and the security headers of every response --------------------------
#
# Requests are not trusted just because a page sent them. A request must name a known host, otherwise it may be a DNS
# rebinding attack. A request that changes something must come from a page of this server.


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
"""The headers of a response that has no values of its own for them."""
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
        """Count a request. Return True if its address has not sent too many for this link, or for scripts and styles."""
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


# --- Pages and page parts from templates; all values are escaped as text ----------------------------------------------


@lru_cache(maxsize=1)
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("zareba.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,  # installed templates do not change, and checking for changes is slow
    )
    environment.globals["symbols"] = defs()
    environment.filters["without_folders"] = without_folders
    return environment


def render(template: str, values: dict[str, Any]) -> str:
    """Return a template filled with values."""
    return _environment().get_template(template).render(values)


def json_bytes(data: Any) -> bytes:
    """Return data as JSON for the script of a page."""
    return json.dumps(data, ensure_ascii=False, allow_nan=False).encode()


# --- Error responses: a page for people, a sentence for the script. They never reveal hidden information --------------


class Forbidden(ZarebaError):
    """Raised if a request is for something that belongs to someone else."""


class TooMany(ZarebaError):
    """Raised if somebody sends too much at once."""


class Unknown(ZarebaError):
    """Raised if a thing does not exist or is not visible to the viewer; the message does not reveal which."""


async def refusal_response(request: Request, error: Exception) -> Response:
    """Return the response for a refused request, with the reason."""
    codes: dict[type[Exception], int] = {Forbidden: 403, Unknown: 404, TooMany: 429}
    code = codes.get(type(error), 409)
    words = without_folders(str(error)) or "There is no such game, or this link is no longer valid."
    is_action = request.method == "POST" and "/do/" in f"{request.url.path}/"
    if is_action or request.headers.get("accept", "").startswith("application/json"):
        return JSONResponse({"refused": words}, code)
    return message_page("This is not possible", words, code)


async def not_found_response(request: Request, _: Exception) -> Response:
    """Return the response for an unknown address."""
    return message_page("Page not found", f"There is no page {unquote(request.url.path)[:200]}.", 404)


async def failure_response(request: Request, error: Exception) -> Response:
    """Return the response for an internal error."""
    words = f"zareba failed with {type(error).__name__}. Nothing was lost: the journal has every accepted answer."
    if "/game/" in request.url.path:
        return JSONResponse({"refused": words}, 500)
    return message_page("Internal error", words, 500)


def message_page(title: str, words: str, code: int) -> Response:
    """Return a page with a heading and a sentence."""
    return HTMLResponse(render("message.html.j2", {"title": title, "words": words, "home": code != 403}), code)


# --- The HTTP server: its socket, its connections and its shutdown ----------------------------------------------------


BACKLOG = 128
"""Number of connections accepted at once, and of those that may wait."""
_FEWEST_CONNECTIONS, _MOST_CONNECTIONS = 32, 3_000
_FILES_OF_SERVER = 160
"""Number of files that the server itself may have open: journals, data files, and those of Python."""
_SILENCE = 15.0
"""Seconds within which a new connection must send a request."""


def room_for_connections() -> int:
    """Raise the limit of open files as far as possible; return the number of connections that may be open at once."""
    try:
        import resource
    except ImportError:  # Windows does not have this limit
        return _MOST_CONNECTIONS
    limit, highest_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MOST_CONNECTIONS + BACKLOG + _FILES_OF_SERVER
    if limit == resource.RLIM_INFINITY:
        return _MOST_CONNECTIONS
    possible = wanted if highest_limit == resource.RLIM_INFINITY else min(wanted, highest_limit)
    if limit < possible:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (possible, highest_limit))
            limit = possible
    return max(_FEWEST_CONNECTIONS, min(_MOST_CONNECTIONS, limit - BACKLOG - _FILES_OF_SERVER))


class Connection(H11Protocol):
    """A connection. Without a request it is closed after a while, or at once if another connection needs its place."""

    most = _MOST_CONNECTIONS
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._deadline = self.loop.call_later(_SILENCE, self._close_if_silent)
        if len(self.connections) > self.most:
            self._close_oldest_idle()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        super().connection_lost(exc)

    @property
    def is_idle(self) -> bool:
        """True while no request of this connection is in progress."""
        return self.cycle is None or self.cycle.response_complete

    def _close_if_silent(self) -> None:
        if self.cycle is None:
            self.transport.abort()

    def _close_oldest_idle(self) -> None:
        """Close the oldest idle connection, or this one if none is idle."""
        others = [
            connection
            for connection in self.connections
            if isinstance(connection, Connection) and connection is not self and connection.is_idle
        ]
        chosen = min(
            others, key=lambda connection: connection._deadline.when() if connection._deadline else 0.0, default=self
        )
        self.connections.discard(chosen)
        chosen.transport.abort()


class PageServer(Server):
    """A server that ends the event streams of its pages before it waits for connections to close."""

    def __init__(self, config: Config, end_streams: Callable[[], None]) -> None:
        super().__init__(config)
        self._end_streams = end_streams

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams, then wait for requests in progress."""
        self._end_streams()
        await super().shutdown(sockets)

    def serve_until_stopped(self, listening: socket.socket) -> None:
        """Serve until Ctrl-C or a stop request; neither raises an exception."""
        gc.collect()
        gc.freeze()  # the collector skips what is already loaded
        with suppress(KeyboardInterrupt):
            self.run(sockets=[listening])

    def _log_started_message(self, listeners: Any) -> None:
        """Print nothing, because `zareba serve` has printed the address."""


def listening_socket(host: str, port: int) -> socket.socket:
    """Return a listening socket. Raises ZarebaError, with advice, if the address is not available."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET  # the printed localhost address is IPv4
    try:
        addresses = socket.getaddrinfo(host, port, family, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except OSError as error:
        raise ZarebaError(f"--host {host} is not an address of this machine ({error.strerror or error})") from error
    family, kind, protocol, _, address = addresses[0]
    listening = socket.socket(family, kind, protocol)
    try:
        if hasattr(socket, "SO_EXCLUSIVEADDRUSE"):  # on Windows SO_REUSEADDR would let two servers share a port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(BACKLOG)  # early connections wait until the server runs
    except OSError as error:
        listening.close()
        raise ZarebaError(_advice_on_address(host, port, error)) from error
    return listening


def _advice_on_address(host: str, port: int, error: OSError) -> str:
    """Return why a server cannot listen at an address, and what to do about it."""
    if error.errno == errno.EADDRINUSE:
        return (
            f"port {port} of {host} is in use, perhaps by another 'zareba serve'; stop it, or use another port: "
            "zareba serve --port 0 picks a free one"
        )
    if error.errno == errno.EACCES:
        return f"you may not use port {port}; use one above 1023, or --port 0 for a free one"
    if error.errno == errno.EADDRNOTAVAIL:
        return f"--host {host} is not an address of this machine; 0.0.0.0 serves on all its addresses"
    return f"the server cannot use port {port} of {host}: {error.strerror}"
