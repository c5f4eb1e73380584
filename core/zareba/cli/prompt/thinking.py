"""Show that an AI player is thinking, and let Ctrl-C make it decide."""

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
"""Seconds before the message appears."""


class ThinkingDisplay:
    """Shows which AI player has been thinking for more than a second. The first Ctrl-C makes it decide, the second
    leaves.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._heard = ""

    @contextmanager
    def on(self, player: str, question: Question) -> Iterator[None]:
        """Run while an AI player thinks about a choice."""
        asked = self._session.game.narrator.describe(self._session.state, question)
        with self.told(f"{player} is thinking about: {asked} (Ctrl-C: decide now)", "deciding now"):
            yield

    @contextmanager
    def told(self, about: str, heard: str) -> Iterator[None]:
        """Run during a long operation: print `about` after a second, and `heard` when the user ends it."""
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
