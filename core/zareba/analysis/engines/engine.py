"""The engine interface, how every engine plays one task, and the engine that plays in this process.

Errors name the game and can be pickled, so that they reach the parent process.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from typing import Protocol, TypeAlias

from zareba.analysis.games.notable import command_of_plan
from zareba.analysis.games.records import GameRecord, GameTask
from zareba.base.errors import ZarebaError

RunGames: TypeAlias = "Callable[[GameTask], list[GameRecord]]"


class TaskEngine(Protocol):
    """Plays tasks. Each task comes back exactly once, complete, in any order."""

    def run_tasks(self, tasks: Sequence[GameTask], run_games: RunGames) -> Generator[list[GameRecord], None, None]:
        """Yield the records of each task when it is done. Raises ZarebaError for a game that fails or kills its
        process.

        `run_games` must be importable by name. Closing the generator drops the tasks that have not started.
        """
        ...

    def keep_workers(self) -> AbstractContextManager[TaskEngine]:
        """Return a context manager that keeps the workers from one call of `run_tasks` to the next."""
        ...


def play(task: GameTask, run_games: RunGames) -> list[GameRecord]:
    """Run one task. Any error is raised as a ZarebaError, which can be pickled on its way back from a worker."""
    try:
        records = run_games(task)
    except Exception as error:
        raise failure(*_first_failure(task, run_games, error)) from error
    expected = [(task.variant.name, plan.game) for plan in task.plans()]
    if [(record.variant, record.game) for record in records] != expected:
        raise failure(task, "returned the wrong records")
    return records


def _first_failure(task: GameTask, run_games: RunGames, error: Exception) -> tuple[GameTask, str]:
    """Return the first game of a task that fails on its own and the error; the whole task if none does."""
    for single in single_games(task):
        try:
            run_games(single)
        except Exception as own_error:  # noqa: BLE001 - a game may fail in any way; the caller raises it by name
            return single, f"failed: {_error_text(own_error)}"
    return task, f"failed: {_error_text(error)}"


def single_games(task: GameTask) -> list[GameTask]:
    """Return the games of a task as tasks of one game each."""
    return [replace(task, first=plan.game, count=1) for plan in task.plans()]


def failure(task: GameTask, what: str) -> ZarebaError:
    """Return the error that says which game of a task failed and how to play it again."""
    plan = next(task.plans())
    last = task.first + task.count - 1
    games = f"game {task.first}" if task.count == 1 else f"one of games {task.first} to {last}"
    again = command_of_plan(task.variant, task.scenario, plan)
    return ZarebaError(f"{games} of variant '{task.variant.name}' {what}; repeat it with: {again}")


def _error_text(error: Exception) -> str:
    return str(error) if isinstance(error, ZarebaError) else f"{type(error).__name__}: {error}"


# --- The engine that plays in this process ----------------------------------------------------------------------------


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
