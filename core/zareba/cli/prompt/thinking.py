"""What is shown while a program thinks, and how it is told to decide."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from zareba.cli.output import talk
from zareba.session import Session
from zareba.table import Question

__all__ = ["ThinkingDisplay"]

PATIENCE = 1.0
"""Seconds after which it is said what is being thought about."""


class ThinkingDisplay:
    """Says who thinks longer than a second, and about what; Ctrl-C then has him decide, a second one leaves."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._heard = ""

    @contextmanager
    def on(self, player: str, question: Question) -> Iterator[None]:
        """While a program thinks about a choice."""
        asked = self._session.game.describe(self._session.state, question)
        with self.told(f"{player} thinks about: {asked} (Ctrl-C: decide now)", "it decides"):
            yield

    @contextmanager
    def told(self, about: str, heard: str) -> Iterator[None]:
        """While something takes its time; what it is about is said after a second, `heard` when it is told to end."""
        self._heard = heard
        told = threading.Timer(PATIENCE, talk, (about,))
        told.daemon = True
        told.start()
        in_main = threading.current_thread() is threading.main_thread()
        before = signal.signal(signal.SIGINT, self._decide) if in_main else None
        try:
            yield
        finally:
            told.cancel()
            if in_main:
                signal.signal(signal.SIGINT, before)

    def _decide(self, _: int, __: FrameType | None) -> None:
        if self._session.decide_now:
            raise KeyboardInterrupt
        self._session.decide_now = True
        talk(self._heard)
