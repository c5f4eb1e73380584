"""`zareba serve` as a process: idle connections, a port in use, and Ctrl-C while pages are open."""

from __future__ import annotations

import re
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from zareba.base.errors import ZarebaError
from zareba.cli.play import serve
from zareba.web.http_server import listening_socket

IDLE = 300
FILES = 512
"""Open files allowed to the process: fewer than all connections would need."""


@contextmanager
def served(folder: Path, *options: str, files: int | None = None) -> Iterator[tuple[subprocess.Popen[str], str, int]]:
    """Start a server with its own address and port; stderr goes to a file next to its folder, ending in `.stderr`."""

    def fewer() -> None:
        if files is not None:
            resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))

    said = folder.with_suffix(".stderr")
    with said.open("w") as errors:
        process = subprocess.Popen(
            [sys.executable, "-m", "zareba", "serve", "--no-browser", "--folder", str(folder), "--port", "0", *options],
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            preexec_fn=fewer,
        )  # fmt: skip
        try:
            assert process.stdout is not None
            found = re.search(r"http://127\.0\.0\.1:([0-9]+)(/enter/\S+)", process.stdout.readline())
            assert found, said.read_text()
            yield process, found[2], int(found[1])
        finally:
            if process.poll() is None:
                process.kill()
            process.wait()
            if process.stdout:
                process.stdout.close()


def ask(port: int, path: str, *, cookie: str = "", keep: bool = False) -> tuple[socket.socket, str]:
    """Send a request; return the connection and the start of the answer."""
    connection = socket.create_connection(("127.0.0.1", port), timeout=60)
    close = "" if keep else "Connection: close\r\n"
    head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{cookie}{close}\r\n"
    connection.sendall(head.encode())
    return connection, connection.recv(65536).decode(errors="replace")


def test_idle_connections_delay_nothing_and_log_nothing(tmp_path: Path) -> None:
    with served(tmp_path / "games", files=FILES) as (_, enter, port), ExitStack() as open_ones:
        for _ in range(2 * IDLE):
            open_ones.enter_context(socket.create_connection(("127.0.0.1", port), timeout=60))
        for path in (enter, "/static/game/main.js", enter):
            connection, answer = ask(port, path)
            connection.close()
            assert answer.startswith("HTTP/1.1 "), path
    said = (tmp_path / "games.stderr").read_text()
    assert "Traceback" not in said and len(said) < 2000, said[:2000]


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is sent differently on Windows")
@pytest.mark.parametrize("sent", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.deep)])
def test_a_server_with_open_pages_stops_quietly(sent: signal.Signals, tmp_path: Path) -> None:
    with served(tmp_path / "games") as (process, enter, port):
        connection, answer = ask(port, enter)
        connection.close()
        owner = re.findall("set-cookie: ([^;]+)", answer)[0]
        cookie = f"Cookie: {owner}\r\n"
        form = "ruleset=vcc&seat.patrol=me&seat.tribesmen=doctrine"
        begun = socket.create_connection(("127.0.0.1", port), timeout=120)
        begun.sendall(
            f"POST /new/patrol_clash HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{cookie}Content-Length: {len(form)}\r\n"
            f"Connection: close\r\n\r\n{form}".encode()
        )
        link = re.findall(r"location: (\S+)", begun.recv(65536).decode())[0]
        begun.close()
        streams = [ask(port, f"{link}/events", keep=True) for _ in range(8)]
        streams += [ask(port, f"/events?of={link.removeprefix('/game/')}", keep=True) for _ in range(4)]
        assert all("200 OK" in answer for _, answer in streams)
        start = time.monotonic()
        process.send_signal(sent)
        process.wait(60)
        for stream, _ in streams:
            stream.close()
        assert time.monotonic() - start < 30
    said = (tmp_path / "games.stderr").read_text()
    assert "Traceback" not in said and "rror" not in said, said
    assert len(said.splitlines()) <= 2
    if sent == signal.SIGINT:
        assert process.returncode == 0


def test_a_port_in_use_is_reported_with_a_remedy(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(ZarebaError, match=rf"port {port} of 127\.0\.0\.1 is in use.*--port 0"):
            listening_socket("127.0.0.1", port)
        told = subprocess.run(
            [sys.executable, "-m", "zareba", "serve", "--no-browser", "--folder", str(tmp_path), "--port", str(port)],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )  # fmt: skip
    assert told.returncode != 0 and "is in use" in told.stderr
    assert "Errno" not in told.stderr and "Traceback" not in told.stderr and not told.stdout


@pytest.mark.parametrize("host", ["no.such.host.invalid", "203.0.113.7"])
def test_an_unavailable_address_is_reported(host: str) -> None:
    with pytest.raises(ZarebaError, match="not an address of this machine"):
        listening_socket(host, 0)


def test_the_address_for_other_devices_is_on_the_local_network(monkeypatch: pytest.MonkeyPatch) -> None:
    assert serve.reachable_host("127.0.0.1") == serve.reachable_host("localhost") == "127.0.0.1"
    assert serve.reachable_host("club.example") == "club.example"

    class Asked:
        def __init__(self, *_: object) -> None:
            pass

        def __enter__(self) -> Asked:
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def connect(self, _: object) -> None:
            pass

        def getsockname(self) -> tuple[str, int]:
            return "192.168.1.20", 0

    monkeypatch.setattr(serve, "Socket", Asked)
    assert serve.reachable_host("0.0.0.0") == "192.168.1.20"

    def no_network(*_: object) -> None:
        raise OSError

    monkeypatch.setattr(Asked, "connect", no_network)
    assert serve.reachable_host("0.0.0.0") == "0.0.0.0"
