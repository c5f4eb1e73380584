"""`zareba serve`: the table in the browser."""

from __future__ import annotations

import gc
import ipaddress
import sys
import webbrowser
from pathlib import Path
from threading import Timer
from typing import Annotated

import typer
from platformdirs import user_data_path

from zareba.base.errors import ZarebaError
from zareba.cli.output import talk
from zareba.cli.trusted import python_files
from zareba.journal import read_journal

__all__ = ["serve"]

HERE = "127.0.0.1"
SELDOM = 5_000, 20, 30
"""How seldom Python looks for what only refers to itself. By its own measure it looked everything through for every hundred
answers, and with 40 games open each such look stopped everybody for 150 ms, an eighth of all the time that the server worked."""

SHARE = 0.001
"""Seconds for which a thread works before another gets its turn. A game that is opened or thinks takes all that it gets."""


def serve(
    host: Annotated[
        str, typer.Option("--host", metavar="ADDRESS", help="Whom to serve: this machine alone, unless told.")
    ] = HERE,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="0 takes a free one.")] = 8765,
    folder: Annotated[
        Path | None,
        typer.Option("--folder", metavar="FOLDER", help="Where the games are kept; in the data folder unless told."),
    ] = None,
    think: Annotated[
        float,
        typer.Option(
            "--think", min=0.1, max=600.0, metavar="SECONDS", help="How long an AI player may take for a choice."
        ),
    ] = 1.0,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Only print the address.")] = False,
) -> None:
    """Serve the table to browsers.

    Those of this machine, of the club's phones, or of a friend by a link. Every answer is in the game's journal before it counts: stop the server at any moment and start it again, and the
    pages go on by themselves. Whoever has the printed address may begin games; a seat's link opens that seat.

    Example: zareba serve --no-browser
    """
    try:
        import uvicorn

        from zareba.web.app import create_app, new_key
        from zareba.web.door.server import BACKLOG, Connection, PageServer, bound, room_for_connections
        from zareba.web.house.games import Games
    except ImportError:
        raise ZarebaError("the page needs starlette, uvicorn and jinja2: pip install 'zareba[web]'") from None
    games = Games(folder or user_data_path("zareba", ensure_exists=True) / "journals", trusted=_trusted, think=think)
    key = new_key()
    local = _is_this_machine(host)
    Connection.most = room_for_connections()
    socket = bound(host, port)
    config = uvicorn.Config(
        create_app(games, key, {"localhost", "127.0.0.1", "[::1]"} if local else None),
        host=host,
        port=port,
        log_level="warning",
        access_log=False,  # it would hold the links of the seats
        server_header=False,
        http=Connection,
        ws="none",
        backlog=BACKLOG,
        timeout_graceful_shutdown=1,
        timeout_keep_alive=30,
        h11_max_incomplete_event_size=16 * 1024,
    )
    shown = "127.0.0.1" if local else host
    address = f"http://{shown}:{socket.getsockname()[1]}/enter/{key}"
    if not local:
        talk(
            f"Warning: with --host {host} everybody who reaches this machine can reach the server; what is sent is not "
            "encrypted. Give links only to people whom you would let at your table."
        )
    typer.echo(f"the table is at {address}")
    talk("Ctrl-C stops the server; every game can be gone on with")
    if not no_browser and local:
        Timer(0.8, webbrowser.open, [address]).start()
    gc.set_threshold(*SELDOM)
    sys.setswitchinterval(SHARE)
    PageServer(config, games.end_streams).serve_until_stopped(socket)


def _is_this_machine(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _trusted(journal: Path) -> list[Path]:
    """The house rules in Python that a game may be gone on with: those whose files this person has named before."""
    return python_files(None, read_journal(journal).house_rules)
