"""`zareba serve`: play in the browser."""

from __future__ import annotations

import gc
import ipaddress
import sys
import webbrowser
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from socket import AF_INET, AF_INET6, SOCK_DGRAM
from socket import socket as Socket
from threading import Timer
from typing import TYPE_CHECKING, Annotated

import typer
from platformdirs import user_data_path

from zareba.base.errors import ZarebaError
from zareba.cli.output import print_to_stderr
from zareba.cli.trusted_rules import python_files
from zareba.companion import house_rules_of_evening
from zareba.companion.evening import SUFFIX
from zareba.journal import read_journal

if TYPE_CHECKING:
    from zareba.rules import Rules
    from zareba.web.companion.pages import Chart

_THIS_MACHINE = "127.0.0.1"
_COLLECTOR_THRESHOLDS = 5_000, 20, 30
"""Thresholds of the cyclic garbage collector, at which it seldom runs.

With Python's defaults it runs after every hundred answers, and with 40 open games each run stops all players for 150
ms.
"""
_SWITCH_SECONDS = 0.001
"""Seconds that a thread runs before another gets its turn. A game that is loading or thinking uses all the time it
gets.
"""


def serve(
    host: Annotated[
        str, typer.Option("--host", metavar="ADDRESS", help="Address to listen on (default: this machine only).")
    ] = _THIS_MACHINE,
    port: Annotated[
        int, typer.Option("--port", metavar="NUMBER", min=0, max=65535, help="0 picks a free port.")
    ] = 8765,
    folder: Annotated[
        Path | None,
        typer.Option("--folder", metavar="FOLDER", help="Folder of the games (default: in the data folder)."),
    ] = None,
    think: Annotated[
        float,
        typer.Option(
            "--think", min=0.1, max=600.0, metavar="SECONDS", help="Longest time an AI player may take for a choice."
        ),
    ] = 1.0,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Only print the address.")] = False,
) -> None:
    """Play in the browser, alone or with friends.

    Players can use browsers on this machine, phones in the club network, or a link sent to a friend. Every answer is
    saved in the game's journal at once: you can stop the server at any time and start it again, and open pages
    reconnect. Anyone with the printed address can start games. The link of
    a side lets its holder play that side only.

    Example: zareba serve --no-browser
    """
    try:
        import uvicorn

        from zareba.web.app import create_app, new_key
        from zareba.web.http_server import BACKLOG, Connection, PageServer, listening_socket, room_for_connections
        from zareba.web.lobby.games import Games
    except ImportError:
        raise ZarebaError("the page needs starlette, uvicorn, jinja2 and segno: pip install 'zareba[web]'") from None
    games = Games(folder or user_data_path("zareba", ensure_exists=True) / "journals", trusted=_trusted, think=think)
    key = new_key()
    local = _is_this_machine(host)
    Connection.most = room_for_connections()
    socket = listening_socket(host, port)
    home = f"http://{reachable_host(host)}:{socket.getsockname()[1]}"
    reachable = not local and not is_unspecified(reachable_host(host))
    config = uvicorn.Config(
        create_app(
            games,
            key,
            {"localhost", "127.0.0.1", "[::1]"} if local else None,
            home if reachable else "",
            _charts_of,
        ),
        host=host,
        port=port,
        log_level="warning",
        access_log=False,  # it would record the secret links of the seats
        server_header=False,
        http=Connection,
        ws="none",
        backlog=BACKLOG,
        timeout_graceful_shutdown=1,
        timeout_keep_alive=30,
        h11_max_incomplete_event_size=16 * 1024,
    )
    if not local and not reachable:
        home = f"http://127.0.0.1:{socket.getsockname()[1]}"
        print_to_stderr("this computer is not in a network: no other device can reach the server")
    address = f"{home}/enter/{key}"
    if not local:
        print_to_stderr(
            f"Warning: with --host {host} anyone who can reach this machine can reach the server, and traffic is not "
            "encrypted. Give links only to people you would have at your table."
        )
    typer.echo(f"the table is at {address}")
    print_to_stderr("Ctrl-C stops the server; every game can be continued")
    if not no_browser and local:
        Timer(0.8, webbrowser.open, [address]).start()
    gc.set_threshold(*_COLLECTOR_THRESHOLDS)
    sys.setswitchinterval(_SWITCH_SECONDS)
    PageServer(config, games.end_streams).serve_until_stopped(socket)


def _charts_of(rules: Rules) -> Sequence[Chart]:
    """Return the charts of the quick sheet, for the pages of evenings at a real table."""
    from zareba.report.sheet import sheet_of

    return sheet_of(rules).tables


def _is_this_machine(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def is_unspecified(host: str) -> bool:
    """Return True for 0.0.0.0 and [::], which stand for all addresses and cannot be opened on another device."""
    with suppress(ValueError):
        return ipaddress.ip_address(host.strip("[]")).is_unspecified
    return False


def reachable_host(host: str) -> str:
    """Return the host to print in an address. If the server listens on all addresses, that is this machine's address in
    its network.
    """
    if _is_this_machine(host):
        return "127.0.0.1"
    with suppress(ValueError, OSError):
        number = ipaddress.ip_address(host)
        if number.is_unspecified:
            family, other_host = (AF_INET, "192.0.2.1") if number.version == 4 else (AF_INET6, "2001:db8::1")
            with Socket(family, SOCK_DGRAM) as probe:
                probe.connect((other_host, 9))  # chooses the address of this machine; nothing is sent
                number = ipaddress.ip_address(probe.getsockname()[0])
        return str(number) if number.version == 4 else f"[{number}]"
    return host


def _trusted(journal: Path) -> list[Path]:
    """Return the Python house rules with which a game or an evening may be continued: those whose files the user has
    named before.
    """
    is_evening = journal.suffix == SUFFIX
    return python_files(None, house_rules_of_evening(journal) if is_evening else read_journal(journal).house_rules)
