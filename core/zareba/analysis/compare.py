"""Play the same scenario many times under several variants and keep every game.

The work is cut into tasks of `GAMES_A_TASK` games, whatever the number of workers, and each game has a seed
of its own; records are merged in the order of variant and game. So the numbers do not depend on `jobs`.

Workers are spawned, not forked: a progress bar runs a thread, and a fork copies its locks. A worker takes
about 0.3 s to start, once. `run_games` must be importable by name.
"""

from __future__ import annotations

import logging
import os
import signal
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import Any

from zareba.analysis.again import of_plan
from zareba.analysis.games.acts import SECONDS
from zareba.analysis.games.metrics import Scope
from zareba.analysis.games.records import GameRecord, GameTask, Variant
from zareba.analysis.statistics.estimates import Column
from zareba.analysis.statistics.stopping import Verdict, verdicts_so_far
from zareba.analysis.sweep import Sweep
from zareba.errors import ZarebaError

__all__ = ["GAMES_A_TASK", "Comparison", "RunGames", "compare"]

GAMES_A_TASK = 4
"""Small enough that an interrupt answers at once, large enough (0.2 to 1 s) to hide the cost of a task."""

RunGames = Callable[[GameTask], list[GameRecord]]
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Comparison:
    """The games of a run. `records` is ordered by variant and game; `partial` marks an interrupted run.

    `stopping` is the turn limit of the scenario where the run was to stop as soon as it was decided, else None.
    `between_others`: the same between other commanders, by their name; `with_set_pieces`: the summary has them
    too; `sweep`: its variants are the values of a number.
    `header` holds what the caller wants to see repeated in the summary (command, versions, digests), and
    `notes` per variant name what the scenario has and the rules have not; `overrides` what it says for them alone.
    """

    scenario: str
    variants: tuple[Variant, ...]
    games: int
    seed: int
    agents: tuple[tuple[str, str], ...]
    records: tuple[GameRecord, ...]
    partial: bool = False
    header: Mapping[str, Any] = field(default_factory=dict)
    notes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    overrides: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    seconds: Mapping[str, float] = field(default_factory=lambda: SECONDS)
    stopping: int | None = None
    between_others: Mapping[str, Comparison] = field(default_factory=dict)
    with_set_pieces: bool = False
    sweep: Sweep | None = None

    def verdicts(self) -> list[Verdict]:
        """What may be said at any time, where the run is to stop as soon as it is decided; else nothing."""
        return [] if self.stopping is None else verdicts_so_far(self.columns(), self.stopping)

    @property
    def scope(self) -> Scope:
        """The sides and endings that all its games together have."""
        return Scope.of(self.records, self.seconds)

    def columns(self) -> list[Column]:
        """One column a variant, in the order given; a variant without a finished game is left out."""
        games: dict[str, list[GameRecord]] = {variant.name: [] for variant in self.variants}
        for record in self.records:
            games[record.variant].append(record)
        scope = self.scope
        return [Column.of(variant, games[variant.name], scope) for variant in self.variants if games[variant.name]]


def compare(
    scenario: str,
    variants: Sequence[Variant],
    games: int,
    seed: int,
    jobs: int,
    agents: tuple[tuple[str, str], ...],
    run_games: RunGames,
    progress: Progress | None = None,
    header: Mapping[str, Any] | None = None,
    notes: Mapping[str, tuple[str, ...]] | None = None,
    overrides: Mapping[str, tuple[str, ...]] | None = None,
    *,
    played_before: Sequence[GameRecord] = (),
    keep: Callable[[Sequence[GameRecord]], None] | None = None,
    tell: Callable[[str], None] | None = None,
) -> Comparison:
    """Play `games` games of `scenario` under each variant with `jobs` workers (1 plays in this process).

    `progress` is told games finished and games in all. When the agents of the sides differ they are swapped
    in every second game, so that no side profits from the better player. Ctrl-C keeps the games finished so
    far and returns them as a partial comparison, or is passed on when there are none. Games of this comparison that
    were `played_before` are not played again; `keep` is given others as they come. When a worker dies its games are
    played again, and `tell` hears of it. Raises ZarebaError for a request that makes no sense, and when a game fails or
    kills its process, with the command that repeats it.
    """
    _check(variants, games, jobs)
    swap = len({agent for _, agent in agents}) > 1
    tasks = [
        GameTask(variant, scenario, first, min(GAMES_A_TASK, games - first), seed, agents, swap)
        for first in range(0, games, GAMES_A_TASK)
        for variant in variants
    ]
    report = progress or (lambda done, total: None)
    total = games * len(variants)
    wanted = {(variant.name, game) for variant in variants for game in range(games)}
    records = {key: one for one in played_before if (key := (one.variant, one.game)) in wanted}
    left = [task for task in tasks if any((task.variant.name, plan.game) not in records for plan in task.plans())]
    partial = False
    played = _in_this_process(left, run_games) if jobs == 1 else _in_workers(left, run_games, jobs, tell)
    try:
        with closing(played):
            for finished in played:
                fresh = {(one.variant, one.game): one for one in finished if (one.variant, one.game) not in records}
                records |= fresh
                if keep is not None:
                    keep(list(fresh.values()))
                report(len(records), total)
    except KeyboardInterrupt:
        if not records:
            raise
        partial = len(records) < total
    order = {variant.name: index for index, variant in enumerate(variants)}
    return Comparison(
        scenario=scenario,
        variants=tuple(variants),
        games=games,
        seed=seed,
        agents=agents,
        records=tuple(sorted(records.values(), key=lambda one: (order[one.variant], one.game))),
        partial=partial,
        header=header or {},
        notes=notes or {},
        overrides=overrides or {},
    )


def _check(variants: Sequence[Variant], games: int, jobs: int) -> None:
    names = [variant.name for variant in variants]
    if not names:
        raise ZarebaError("there is nothing to compare; name at least one ruleset")
    for name in names:
        if names.count(name) > 1:
            raise ZarebaError(f"two variants are called '{name}'; give each a name of its own")
    if games < 1 or jobs < 1:
        raise ZarebaError(f"games and jobs start at 1, not at {min(games, jobs)}")


def _in_this_process(tasks: Sequence[GameTask], run_games: RunGames) -> Generator[list[GameRecord], None, None]:
    for task in tasks:
        yield _play(task, run_games)


def _in_workers(
    tasks: Sequence[GameTask], run_games: RunGames, jobs: int, tell: Callable[[str], None] | None
) -> Generator[list[GameRecord], None, None]:
    waiting = iter(tasks)
    while bereft := (yield from _until_one_dies(waiting, run_games, jobs)):
        if tell is not None:
            tell("a worker process died; the games that were under way are played again, one worker at a time")
        for task in bereft:
            yield _alone(task, run_games)


def _until_one_dies(
    waiting: Iterator[GameTask], run_games: RunGames, jobs: int
) -> Generator[list[GameRecord], None, list[GameTask]]:
    """Play what is waiting; ends with the tasks that came to nothing when a worker died, none when all is played."""
    under_way: dict[Future[list[GameRecord]], GameTask] = {}
    pool = _pool(jobs)
    try:
        while True:
            # Two tasks a worker keep every worker busy; more would only make an interrupt wait.
            while len(under_way) < 2 * jobs and (task := next(waiting, None)) is not None:
                with _interrupts_held_back():
                    try:
                        under_way[pool.submit(_play, task, run_games)] = task
                    except BrokenProcessPool:
                        return [*under_way.values(), task]
            if not under_way:
                return []
            finished, _ = wait(under_way, return_when=FIRST_COMPLETED)
            bereft = []
            for future in [future for future in under_way if future in finished]:
                task = under_way.pop(future)
                try:
                    yield future.result()
                except BrokenProcessPool:
                    bereft.append(task)
            if bereft:
                return [*bereft, *under_way.values()]
    finally:
        pool.shutdown(cancel_futures=True)


def _pool(jobs: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_depend_on_parent)


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """Let Ctrl-C wait while workers are started: they hold it back as their parent does, from their first moment on."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _depend_on_parent() -> None:
    """Have a worker leave interrupts to its parent, and end with it: it would wait for tasks for ever."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    logging.getLogger("zareba").setLevel(logging.ERROR)  # its parent has warned of broken packages
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    assert parent is not None, "a worker has a parent"
    parent.join()
    os._exit(1)


def _play(task: GameTask, run_games: RunGames) -> list[GameRecord]:
    """Run one task; any error comes out as a ZarebaError, which survives the way back from a worker."""
    try:
        records = run_games(task)
    except Exception as error:
        raise _failure(*_first_failure(task, run_games, error)) from error
    expected = [(task.variant.name, plan.game) for plan in task.plans()]
    if [(record.variant, record.game) for record in records] != expected:
        raise _failure(task, "came back without the records that were asked for")
    return records


def _first_failure(task: GameTask, run_games: RunGames, error: Exception) -> tuple[GameTask, str]:
    """The single game of a task that fails, and how; the whole task when none fails on its own."""
    for single in _singles(task):
        try:
            run_games(single)
        except Exception as alone:  # noqa: BLE001 - a game may fail in any way; the caller raises it by name
            return single, f"failed: {_words(alone)}"
    return task, f"failed: {_words(error)}"


def _alone(task: GameTask, run_games: RunGames) -> list[GameRecord]:
    """Play a task in a process of its own, game by game when that dies; names a game that kills its process twice."""
    try:
        return _apart(task, run_games)
    except BrokenProcessPool:
        records: list[GameRecord] = []
        for game in _singles(task):
            try:
                records += _apart(game, run_games)
            except BrokenProcessPool:
                try:
                    records += _apart(game, run_games)
                except BrokenProcessPool:
                    raise _failure(game, "killed its process") from None
        return records


def _apart(task: GameTask, run_games: RunGames) -> list[GameRecord]:
    with _interrupts_held_back():
        pool = _pool(1)
        future = pool.submit(_play, task, run_games)
    with pool:
        return future.result()


def _singles(task: GameTask) -> list[GameTask]:
    return [replace(task, first=plan.game, count=1) for plan in task.plans()]


def _failure(task: GameTask, what: str) -> ZarebaError:
    plan = next(task.plans())
    last = task.first + task.count - 1
    games = f"game {task.first}" if task.count == 1 else f"one of games {task.first} to {last}"
    again = of_plan(task.variant, task.scenario, plan)
    return ZarebaError(f"{games} of variant '{task.variant.name}' {what}; repeat it with: {again}")


def _words(error: Exception) -> str:
    return str(error) if isinstance(error, ZarebaError) else f"{type(error).__name__}: {error}"
