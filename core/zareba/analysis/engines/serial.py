"""One game after the other in this process."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager

from zareba.analysis.engines.task import RunGames, play
from zareba.analysis.games.records import GameRecord, GameTask

__all__ = ["Serial"]


class Serial:
    """Plays here."""

    def played(self, tasks: Sequence[GameTask], run_games: RunGames) -> Generator[list[GameRecord], None, None]:
        """As every engine."""
        for task in tasks:
            yield play(task, run_games)

    @contextmanager
    def kept(self) -> Iterator[Serial]:
        """As every engine; nobody is kept."""
        yield self
