"""A real browser and a real server, for tests of the page and for those who measure it."""

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

from zareba.making.edit import put, taken_out
from zareba.scenario.load import scenario_text

ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
DESK = {"width": 1280, "height": 840}
PHONE = {"width": 390, "height": 844}


def chromium() -> str | None:
    """The distribution's browser, if it is there."""
    return next(
        (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None
    )


PATIENCE = 180_000
"""Milliseconds for which a page is waited for: machines on which tests run are busy."""


def patient(started: Any, **wishes: Any) -> Any:
    """A browser of its own, which waits for as long as a busy machine takes."""
    context = started.new_context(**wishes)
    context.set_default_timeout(PATIENCE)
    context.set_default_navigation_timeout(PATIENCE)
    return context


@contextmanager
def browser() -> Iterator[Any]:
    """A Chromium without a window."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        started = play.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        try:
            yield started
        finally:
            started.close()


class Server:
    """`zareba serve` on a folder, in a process of its own; killed without a word and started again at the same port."""

    def __init__(self, folder: Path, port: int = 0) -> None:
        self.folder = folder
        command = [
            sys.executable,
            "-m",
            "zareba.cli",
            "serve",
            "--no-browser",
            "--folder",
            str(folder),
            "--port",
            str(port),
        ]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:([0-9]+)/enter/\S+", line)
        assert found, f"serve printed no address but {line!r}"
        self.enter = found[0]
        self.port = int(found[1])
        self.home = f"http://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        """The number of its process."""
        return self._process.pid

    @property
    def processor_time(self) -> float:
        """Seconds of a processor that it has used so far, all its threads together."""
        fields = Path(f"/proc/{self.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def kill(self) -> None:
        """End it as a loss of power would."""
        if self._process.poll() is None:
            os.kill(self._process.pid, signal.SIGKILL)
        self._process.wait()
        if self._process.stdout:
            self._process.stdout.close()


SKIRMISH = "skirmish"
"""The patrol clash with two small units a side, over after two turns: for tests that play whole games."""
FEW, MEN = ("fusiliers", "lancers", "swordsmen", "jezails"), 6
STAY_AWAY = (
    *(("units", unit) for unit in ("sikhs", "mountain_gun", "young_men", "horsemen")),
    *(("leaders", leader) for leader in ("jemadar", "khan", "elder")),
)


def lay_out(folder: Path) -> None:
    """Put it among the battles that were made in the folder of a server."""
    text = put(put(scenario_text("patrol_clash"), ["id"], SKIRMISH), ["turns"], 2)
    for unit in FEW:
        text = put(text, ["units", unit, "figures"], MEN)
    for path in STAY_AWAY:
        text = taken_out(text, path)
    battles = folder / "battles"
    battles.mkdir(parents=True)
    (battles / f"{SKIRMISH}.yaml").write_text(text, encoding="utf-8")


def begin(page: Any, server: Server, ruleset: str, scenario: str = "patrol_clash", seed: int = 3, **seats: str) -> None:
    """A new game through the start pages; the page is then at the table, or at the links when friends are invited."""
    page.goto(server.enter)
    page.goto(f"{server.home}/new/{scenario}?ruleset={ruleset}")
    page.fill("[name=seed]", str(seed))
    for side, kind in seats.items():
        page.select_option(f"[name='seat.{side}']", kind)
    page.click(".begin")


def wait_for_question(page: Any) -> None:
    """Until the programs have played on."""
    page.wait_for_selector("#question h2")
    page.wait_for_selector("body:not(.thinking):not(.fresh)", timeout=PATIENCE)


def version(page: Any) -> str:
    """Which state of the game the page shows."""
    return str(page.get_attribute("main", "data-version"))


def wait_for_change(page: Any, was: str) -> None:
    """Until the page shows another state."""
    page.wait_for_selector(f'main[data-version]:not([data-version="{was}"])', timeout=PATIENCE)
    page.wait_for_selector("body:not(.fresh)", timeout=PATIENCE)  # as long as a person takes to see it
