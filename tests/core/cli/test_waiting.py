"""Waiting at a real terminal: a slow AI player says so, Ctrl-C makes it decide, and the decision replays exactly."""

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

pty = pytest.importorskip("pty", reason="pseudo-terminals are not available here")
PATIENCE = 120.0
"""Seconds to wait for output, generous because the machine may be busy."""


class Terminal:
    """A program in its own terminal."""

    def __init__(self, *args: str) -> None:
        self._left = ""
        self._pid, self._file = pty.fork()
        if self._pid == 0:
            os.environ.update(COLUMNS="80", LINES="24", TERM="xterm")
            os.execv(sys.executable, [sys.executable, "-m", "zareba", *args])

    def read(self, words: str) -> str:
        """Wait for a match of the regular expression `words`; return the new output up to its end."""
        until = time.monotonic() + PATIENCE
        while (found := re.search(words, self._left)) is None:
            assert time.monotonic() < until, f"'{words}' does not come; shown was {self._left[-300:]!r}"
            if select.select([self._file], [], [], 0.5)[0]:
                self._left += os.read(self._file, 65536).decode(errors="replace")
        shown, self._left = self._left[: found.end()], self._left[found.end() :]
        return shown

    def types(self, keys: str) -> None:
        """Send keystrokes."""
        os.write(self._file, keys.encode())

    def end(self) -> int:
        """Wait for the program to end; return its exit code."""
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
def test_ctrl_c_at_the_prompt_answers_the_question_and_does_not_quit(tmp_path: Path) -> None:
    journal = tmp_path / "game.jsonl"
    # the largest battle under the slowest ruleset; elsewhere the player decides before the wait is announced
    seats = ("--seat=khalifa=general", "--think=90")
    with Terminal(
        "play", "battle_of_the_wells", "--ruleset=risk_factor", *seats, "--seed=3", f"--journal={journal}"
    ) as terminal:
        decide_twice_and_quit(terminal)
    again = replay(journal)
    answers = [answer for answer in again.session.history.answers if isinstance(answer, Answered)]
    assert again.notice == "" and [answer.by for answer in answers].count("general") >= 2


def decide_twice_and_quit(terminal: Terminal) -> None:
    """Tell the AI player to decide, twice; then leave the game."""
    for _ in range(2):
        while "Ctrl-C: decide now" not in terminal.read(
            r"help\] > |general is thinking about: [^\n]*\(Ctrl-C: decide now\)"
        ):
            terminal.types("do phase\n")  # until the AI player has to think
        asked = time.monotonic()
        terminal.types("\x03")
        terminal.read("deciding now")
        assert time.monotonic() - asked < 60, "well before its ninety seconds are over"
    terminal.read(r"help\] > |is thinking about")
    terminal.types("\x03")
    terminal.types("quit\n")
    terminal.end()
