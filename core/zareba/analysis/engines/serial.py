"""Play games sequentially in this process."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager

from zareba.analysis.engines.task import RunGames, play
from zareba.analysis.games.records import GameRecord, GameTask


class Serial:
    """An engine that plays in this process."""

    def run_tasks(self, tasks: Sequence[GameTask], run_games: RunGames) -> Generator[list[GameRecord], None, None]:
        """Implement `Engine.run_tasks`."""
        for task in tasks:
            yield play(task, run_games)

    @contextmanager
    def keep_workers(self) -> Iterator[Serial]:
        """Implement `Engine.keep_workers`; there are no workers to keep."""
        yield self
