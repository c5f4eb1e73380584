"""A real browser and a real server, for tests and measurements of the page."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.small_battle import small_battle_text

ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
    "--process-per-site",  # a further page starts no process of its own
]  # fmt: skip
DESK = {"width": 1280, "height": 840}
LAPTOP = {"width": 1366, "height": 768}
PHONE = {"width": 390, "height": 844}
FINGERS: dict[str, Any] = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
"""Options of Playwright for a phone."""
SIZES: dict[str, dict[str, Any]] = {"laptop": {"viewport": LAPTOP}, "phone": FINGERS}


def chromium() -> str | None:
    """Return the path of the system's Chromium, or None."""
    return next(
        (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None
    )


PATIENCE = 180_000
"""Timeout for a page in milliseconds, long because test machines are busy."""


def context_with_long_timeouts(started: Any, **wishes: Any) -> Any:
    """Return a browser context with long timeouts, for busy machines."""
    context = started.new_context(**wishes)
    context.set_default_timeout(PATIENCE)
    context.set_default_navigation_timeout(PATIENCE)
    return context


@contextmanager
def browser() -> Iterator[Any]:
    """Start Chromium without a window."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        started = play.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        try:
            yield started
        finally:
            started.close()


class Server:
    """`zareba serve` on a folder, in a separate process. It can be killed and started again at the same port."""

    def __init__(self, folder: Path, port: int = 0) -> None:
        self.folder = folder
        command = [
            sys.executable,
            "-m",
            "zareba",
            "serve",
            "--no-browser",
            "--folder",
            str(folder),
            "--port",
            str(port),
        ]
        self._said = folder.with_suffix(".stderr")
        with self._said.open("w") as errors:
            self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True)
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:([0-9]+)/enter/\S+", line)
        assert found, f"serve printed no address but {line!r}"
        self.enter = found[0]
        self.port = int(found[1])
        self.home = f"http://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    @property
    def processor_time(self) -> float:
        """The processor time used so far by all threads, in seconds."""
        fields = Path(f"/proc/{self.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self) -> str:
        """Stop the process like Ctrl-C, and return what it printed after the word that Ctrl-C stops it."""
        self._process.send_signal(signal.SIGINT)
        self._process.wait(60)
        said = self._said.read_text()
        self.kill()
        return said.partition("continued\n")[2]

    def kill(self) -> None:
        """Kill the process without warning, like a power failure."""
        if self._process.poll() is None:
            os.kill(self._process.pid, signal.SIGKILL)
        self._process.wait()
        if self._process.stdout:
            self._process.stdout.close()


SKIRMISH = "skirmish"
"""The patrol clash with two small units a side and two turns, for tests that play whole games."""


def lay_out(folder: Path) -> None:
    """Add the skirmish to the battles in the folder of a server."""
    battles = folder / "battles"
    battles.mkdir(parents=True)
    (battles / f"{SKIRMISH}.yaml").write_text(small_battle_text(SKIRMISH, turns=2, figures=6), encoding="utf-8")


@contextmanager
def serving(folder: Path) -> Iterator[Server]:
    """Run a server whose only own battle is the skirmish."""
    lay_out(folder)
    made = Server(folder)
    try:
        yield made
    finally:
        made.kill()


def begin(page: Any, server: Server, ruleset: str, scenario: str = "patrol_clash", seed: int = 3, **seats: str) -> None:
    """Begin a game by the request that the page of its battle sends; the page then shows the table, or the links if
    friends are invited. Without `seats`, the person has the first side and an AI player each of the others.
    """
    page.request.get(server.enter)
    address = f"{server.home}/new/{scenario}"
    sides = re.findall(r'name="seat\.(\w+)"', page.request.get(f"{address}?ruleset={ruleset}").text())
    players = {side: "me" if number == 0 else "doctrine" for number, side in enumerate(sides)} | seats
    fields = {"ruleset": ruleset, "seed": str(seed), **{f"seat.{side}": kind for side, kind in players.items()}}
    answer = page.request.post(address, form=fields)
    assert answer.ok, answer.text()
    page.goto(answer.url)


def begin_by_form(page: Any, server: Server, ruleset: str, scenario: str, **seats: str) -> None:
    """Begin a game on the page of its battle, like a person; this takes longer than `begin`."""
    page.request.get(server.enter)
    page.goto(f"{server.home}/new/{scenario}?ruleset={ruleset}")
    page.fill("[name=seed]", "3")
    for side, kind in seats.items():
        page.select_option(f"[name='seat.{side}']", kind)
    page.click(".begin")


def wait_for_question(page: Any) -> None:
    """Wait until the AI players have finished; skip what the page plays before it asks."""
    page.wait_for_selector("#question h2, .catching-up #question", state="attached")
    page.wait_for_selector("body:not(.thinking):not(.fresh)", timeout=PATIENCE)
    skip_to_question(page)
    page.wait_for_selector("#question h2")
    page.wait_for_selector("body:not(.fresh)", timeout=PATIENCE)


def skip_to_question(page: Any) -> None:
    """Skip the playback if it holds the question back."""
    page.evaluate(
        "import('/static/game/playback.js').then(({ skip }) => document.body.matches('.catching-up') && skip())"
    )


def version(page: Any) -> str:
    """Return the version of the game that the page shows."""
    return str(page.get_attribute("main", "data-version"))


def wait_for_change(page: Any, was: str) -> None:
    """Wait until the page shows another version; skip what the page plays before it asks."""
    wait_for_version(page, was)
    skip_to_question(page)
    page.wait_for_selector("body:not(.fresh)", timeout=PATIENCE)  # the time a person takes to see it


def wait_for_version(page: Any, was: str) -> None:
    """Wait until the page has received another version. It may still play what happened before."""
    page.wait_for_selector(f'main[data-version]:not([data-version="{was}"])', timeout=PATIENCE)


def call(page: Any, function: str, *arguments: Any) -> Any:
    """Call an exported function of a script of the page, such as "game/actions.answerWith", and return its result."""
    module, _, name = function.rpartition(".")
    return page.evaluate(
        "([module, name, ...rest]) => import(module).then((found) => found[name](...rest))",
        [f"/static/{module}.js", name, *arguments],
    )


def page_state(page: Any) -> dict[str, Any]:
    """Return the page state that the page shows."""
    found: dict[str, Any] = page.evaluate("import('/static/game/state.js').then(({ state }) => state.page)")
    return found
