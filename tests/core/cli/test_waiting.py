"""Waiting at a real terminal: who thinks long says so, Ctrl-C has him decide, and what he decided is played again exactly."""

from __future__ import annotations

import os
import re
import select
import signal
import sys
import time
from pathlib import Path

import pytest

from zareba.session import Answered, replay

pty = pytest.importorskip("pty", reason="pseudo-terminals are not to be had here")
PATIENCE = 120.0
"""Seconds after which something is taken not to come, on a machine that has much else to do."""


class Terminal:
    """A program in a terminal of its own; `read` gives what it has shown up to some words."""

    def __init__(self, *args: str) -> None:
        self._left = ""
        self._pid, self._file = pty.fork()
        if self._pid == 0:
            os.environ.update(COLUMNS="80", LINES="24", TERM="xterm")
            os.execv(sys.executable, [sys.executable, "-m", "zareba.cli", *args])

    def read(self, words: str) -> str:
        """All that was shown before and with some words, a regular expression."""
        until = time.monotonic() + PATIENCE
        while (found := re.search(words, self._left)) is None:
            assert time.monotonic() < until, f"'{words}' does not come; shown was {self._left[-300:]!r}"
            if select.select([self._file], [], [], 0.5)[0]:
                self._left += os.read(self._file, 65536).decode(errors="replace")
        shown, self._left = self._left[: found.end()], self._left[found.end() :]
        return shown

    def types(self, keys: str) -> None:
        """Type something."""
        os.write(self._file, keys.encode())

    def end(self) -> int:
        """Wait for its end; gives its exit code."""
        code = os.waitstatus_to_exitcode(os.waitpid(self._pid, 0)[1])
        os.close(self._file)
        return code

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            os.kill(self._pid, signal.SIGKILL)
            os.waitpid(self._pid, 0)


@pytest.mark.deep
def test_ctrl_c_decides_and_does_not_quit(tmp_path: Path) -> None:
    journal = tmp_path / "game.jsonl"
    # the largest battle under the slowest system: elsewhere he has decided before anybody waits
    seats = ("--seat=khalifa=lookahead", "--think=90")
    with Terminal(
        "play", "battle_of_the_wells", "--ruleset=risk_factor", *seats, "--seed=3", f"--journal={journal}"
    ) as terminal:
        decide_and_leave(terminal)
    again = replay(journal)
    answers = [one for one in again.session.history.answers if isinstance(one, Answered)]
    assert again.notice == "" and [one.by for one in answers].count("lookahead") >= 2


def decide_and_leave(terminal: Terminal) -> None:
    """Twice he is told to decide; then the game is left."""
    for _ in range(2):
        while "Ctrl-C: decide now" not in terminal.read(
            r"help\] > |lookahead thinks about: [^\n]*\(Ctrl-C: decide now\)"
        ):
            terminal.types("do phase\n")  # until the other has something to think about
        asked = time.monotonic()
        terminal.types("\x03")
        terminal.read("it decides")
        assert time.monotonic() - asked < 60, "long before his ninety seconds"
    terminal.read(r"help\] > |thinks about")
    terminal.types("\x03")
    terminal.types("quit\n")
    terminal.end()
