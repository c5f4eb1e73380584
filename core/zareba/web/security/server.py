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

__all__ = ["BACKLOG", "Connection", "PageServer", "listening_socket", "room_for_connections"]

BACKLOG = 128
"""Number of connections accepted at once, and of those that may wait."""
MOST_CONNECTIONS = 3_000
OWN_FILES = 160
"""Number of files that the server itself may have open: journals, data files, and those of Python."""
SILENCE = 15.0
"""Seconds within which a new connection must send a request."""


def room_for_connections() -> int:
    """Return the number of connections that may be open at once, after raising the limit of open files as far as
    possible.
    """
    try:
        import resource
    except ImportError:  # Windows does not have this limit
        return MOST_CONNECTIONS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_CONNECTIONS + BACKLOG + OWN_FILES
    if resource.RLIM_INFINITY in (soft, hard) or hard >= wanted:
        hard = wanted
    if soft != resource.RLIM_INFINITY and soft < hard:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
            soft = hard
    return max(32, min(MOST_CONNECTIONS, (wanted if soft == resource.RLIM_INFINITY else soft) - BACKLOG - OWN_FILES))


class Connection(H11Protocol):
    """A connection. Without a request it is closed after a while, or at once if another connection needs its place."""

    most = MOST_CONNECTIONS
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._deadline = self.loop.call_later(SILENCE, self._close_if_silent)
        if len(self.connections) > self.most:
            self._make_room()

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

    def _make_room(self) -> None:
        """Close the oldest idle connection, or this one if none is idle."""
        others = [one for one in self.connections if isinstance(one, Connection) and one is not self and one.is_idle]
        chosen = min(others, key=lambda one: one._deadline.when() if one._deadline else 0.0, default=self)
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
    wanted = socket.AF_INET6 if ":" in host else socket.AF_INET  # the printed localhost address is IPv4
    try:
        found = socket.getaddrinfo(host, port, wanted, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except OSError as error:
        raise ZarebaError(f"--host {host} is not an address of this machine ({error.strerror or error})") from error
    family, kind, protocol, _, address = found[0]
    made = socket.socket(family, kind, protocol)
    try:
        if hasattr(socket, "SO_EXCLUSIVEADDRUSE"):  # on Windows SO_REUSEADDR would let two servers share a port
            made.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(address)
        made.listen(BACKLOG)  # early connections wait until the server runs
    except OSError as error:
        made.close()
        raise ZarebaError(_why_not(host, port, error)) from error
    return made


def _why_not(host: str, port: int, error: OSError) -> str:
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
