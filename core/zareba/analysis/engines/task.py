"""A task as every engine plays it: its records, or an error that names the game and survives the way back from a worker."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Protocol, TypeAlias

from zareba.analysis.games.game_replay import of_plan
from zareba.analysis.games.records import GameRecord, GameTask
from zareba.base.errors import ZarebaError

__all__ = ["Engine", "RunGames", "failure", "play", "singles"]

RunGames: TypeAlias = "Callable[[GameTask], list[GameRecord]]"


class Engine(Protocol):
    """What has tasks played somewhere. Whatever it is, each task comes back once, whole, in any order."""

    def played(self, tasks: Sequence[GameTask], run_games: RunGames) -> Generator[list[GameRecord], None, None]:
        """The records of each task as it is done; raises ZarebaError for a game that fails or kills its process.

        `run_games` is importable by name. Closing the generator gives up what has not been begun.
        """
        ...

    def kept(self) -> AbstractContextManager[Engine]:
        """The engine itself, whose workers stay from one call of `played` to the next until this is left."""
        ...


def play(task: GameTask, run_games: RunGames) -> list[GameRecord]:
    """Run one task; any error comes out as a ZarebaError, which survives the way back from a worker."""
    try:
        records = run_games(task)
    except Exception as error:
        raise failure(*_firstfailure(task, run_games, error)) from error
    expected = [(task.variant.name, plan.game) for plan in task.plans()]
    if [(record.variant, record.game) for record in records] != expected:
        raise failure(task, "came back without the records that were asked for")
    return records


def _firstfailure(task: GameTask, run_games: RunGames, error: Exception) -> tuple[GameTask, str]:
    """The single game of a task that fails, and how; the whole task when none fails on its own."""
    for single in singles(task):
        try:
            run_games(single)
        except Exception as alone:  # noqa: BLE001 - a game may fail in any way; the caller raises it by name
            return single, f"failed: {_words(alone)}"
    return task, f"failed: {_words(error)}"


def singles(task: GameTask) -> list[GameTask]:
    """The games of a task as tasks of one game each."""
    return [replace(task, first=plan.game, count=1) for plan in task.plans()]


def failure(task: GameTask, what: str) -> ZarebaError:
    """The error that says in which game of a task something went wrong, and how to play it again."""
    plan = next(task.plans())
    last = task.first + task.count - 1
    games = f"game {task.first}" if task.count == 1 else f"one of games {task.first} to {last}"
    again = of_plan(task.variant, task.scenario, plan)
    return ZarebaError(f"{games} of variant '{task.variant.name}' {what}; repeat it with: {again}")


def _words(error: Exception) -> str:
    return str(error) if isinstance(error, ZarebaError) else f"{type(error).__name__}: {error}"
