"""Thinking during the session: an AI player searches for an answer while people use the session."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from zareba.game import Game
from zareba.game.advance import AtQuestion, advance
from zareba.table import Answer, Choose, Confirm, GivenAnswer, LooksAhead, Place, Question

_BREATH = 0.001
"""Seconds of sleep, in which other threads of the process run."""
_BREATH_EVERY = 0.01
"""Seconds of thinking between two such sleeps."""


@runtime_checkable
class Searches(LooksAhead, Protocol):
    """An AI player whose answers take time. It stops when `enough` returns True, after `seconds` at the latest."""

    enough: Callable[[], bool]
    seconds: float | None

    def __call__(self, question: Choose | Place | Confirm, state: Any) -> Answer:
        """Return the answer to a question."""

    def searches_at(self, question: Choose | Place | Confirm, state: Any) -> bool:
        """Return True if the player searches before it answers this question."""
        ...


@dataclass
class Thought:
    """The search of an AI player at the pending question. It uses a separate game and state (`Game.twin`).

    Call `think` without the lock of the session. `answer` is then the result, None if the player failed.
    """

    now: AtQuestion
    player: str
    seat: str
    agent: Searches
    game: Game[Any]
    start: dict[str, Any]
    given: Sequence[GivenAnswer]
    seconds: float | None
    is_enough: Callable[[], bool]
    answer: Answer | None = field(default=None, init=False)
    reason: str = field(default="", init=False)

    def think(self) -> None:
        """Search for the answer, until time is up or `is_enough` returns True."""
        game, start = self.game, self.game.from_data(self.start)
        reached = advance(game, start, [answered.answer for answered in self.given])
        assert isinstance(reached, AtQuestion), "the same answers lead to the same question"
        question: Question = reached.question
        assert isinstance(question, (Choose, Place, Confirm)), "a question to a player"
        until = None if self.seconds is None else time.monotonic() + self.seconds
        last_breath = time.monotonic()

        def enough() -> bool:
            nonlocal last_breath
            now = time.monotonic()
            if now - last_breath > _BREATH_EVERY:
                time.sleep(_BREATH)
                last_breath = now
            return self.is_enough() or (until is not None and now > until)

        self.agent.enough, self.agent.seconds = enough, self.seconds
        self.agent.follow(start, self.given)
        self.answer = self.agent(question, game.sight.view(reached.draft, self.seat))
        self.reason = str(getattr(self.agent, "reason", ""))
