"""A club for tests: a server with its own folder, its owner, and players with links."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TypeVar

import pytest
from anyio.from_thread import start_blocking_portal
from starlette.testclient import TestClient

from zareba.web.app import create_app
from zareba.web.lobby.games import Games, OpenGame

KEY = "the-key-that-serve-printed"
HOST = "testserver"
T = TypeVar("T")


def run_async(main: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run a coroutine in a separate thread, because Playwright may keep a running loop in the thread of the tests."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, main()).result()


class Club:
    """A server in this process, and the pages its players have open.

    One thread runs all requests, as in a server. Otherwise every request of a client would start a thread and an event
    loop.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.games = Games(folder)
        self._stack = ExitStack()
        self._portal = self._stack.enter_context(start_blocking_portal())
        self.client = self._connect(create_app(self.games, KEY, {HOST}))
        self.client.get(f"/enter/{KEY}")

    def stranger(self) -> TestClient:
        """Return a client without the owner's key."""
        return self._connect(self.client.app)

    def _connect(self, app: Any) -> TestClient:
        client = TestClient(app, follow_redirects=False)
        client.portal = self._portal
        return client

    def begin(self, ruleset: str = "vcc", scenario: str = "patrol_clash", **fields: str) -> dict[str, Chair]:
        """Begin a game; return the chairs it has links for, by player."""
        sides = {"seat.patrol": "me", "seat.tribesmen": "doctrine", "seed": "3"}
        answer = self.client.post(f"/new/{scenario}", data={"ruleset": ruleset, **sides, **fields})
        assert answer.status_code == 303, answer.text
        if answer.headers["location"].startswith("/game/"):
            return {"you": Chair(self, answer.headers["location"])}
        return self.chairs(answer.headers["location"])

    def chairs(self, links: str) -> dict[str, Chair]:
        """Return the chairs of a game, by player, from its page of links."""
        page = self.client.get(links).text
        found = re.findall(r"<b hidden>(.*?)</b> <a href=\"(/game/[^\"]+)\"", page)
        return {whom: Chair(self, address) for whom, address in found}

    def close(self) -> None:
        self.games.close()
        self._stack.close()


class Chair:
    """An opened link to a seat."""

    def __init__(self, club: Club, address: str) -> None:
        self.club = club
        self.address = address
        self.client = club.stranger()

    @property
    def name(self) -> str:
        return self.address.split("/")[2]

    @property
    def game(self) -> OpenGame:
        return self.club.games.open(self.name)

    def get(self, path: str = "/parts") -> Any:
        return self.client.get(self.address + path, headers={"Accept": "application/json"})

    def parts(self) -> Any:
        self.wait()
        answer = self.get()
        assert answer.status_code == 200, answer.text
        return answer.json()

    def do(self, what: str, /, **fields: Any) -> Any:
        self.wait()
        if "version" not in fields:
            fields["version"] = self.game.version
        answer = self.client.post(f"{self.address}/do/{what}", data=fields)
        self.wait()
        return answer

    def wait(self) -> None:
        """Wait until no AI player is thinking."""
        while self.game.thinking:
            time.sleep(0.005)


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    made = Club(tmp_path / "games")
    yield made
    made.close()
