"""The HTTP server: its socket, its connections and its shutdown."""

from __future__ import annotations

import asyncio
import errno
import gc
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from uvicorn import Config, Server
from uvicorn.protocols.http.h11_impl import H11Protocol

from zareba.base.errors import ZarebaError

BACKLOG = 64
"""Number of connections accepted at once, and of those that may wait."""
_ACCEPTED_BEFORE_CLOSING = 3 * BACKLOG
"""Number of connections that may be open beyond the limit.

asyncio accepts up to `BACKLOG` in each turn of its loop, and closes those that they replace three turns later.
"""
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
    wanted = _MOST_CONNECTIONS + _ACCEPTED_BEFORE_CLOSING + _FILES_OF_SERVER
    if limit == resource.RLIM_INFINITY:
        return _MOST_CONNECTIONS
    possible = wanted if highest_limit == resource.RLIM_INFINITY else min(wanted, highest_limit)
    if limit < possible:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (possible, highest_limit))
            limit = possible
    return max(_FEWEST_CONNECTIONS, min(_MOST_CONNECTIONS, limit - _ACCEPTED_BEFORE_CLOSING - _FILES_OF_SERVER))


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
