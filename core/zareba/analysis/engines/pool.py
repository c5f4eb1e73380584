"""Play many games at once, in worker processes on this machine.

Processes are spawned, not forked: a progress bar runs a thread, and a fork copies its locks. A worker takes about 0.3
s to start, once.
"""

from __future__ import annotations

import logging
import os
import signal
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing import get_context, parent_process
from threading import Thread

from zareba.analysis.engines.engine import RunGames, failure, play, single_games
from zareba.analysis.games.records import GameRecord, GameTask


@dataclass(slots=True)
class Pool:
    """An engine of `jobs` worker processes. If one dies, its games are played again and `notify` receives a message."""

    jobs: int
    notify: Callable[[str], None] | None = None
    _keeps_workers: bool = field(default=False, init=False)
    _idle_pool: ProcessPoolExecutor | None = field(default=None, init=False)

    def run_tasks(self, tasks: Sequence[GameTask], run_games: RunGames) -> Generator[list[GameRecord], None, None]:
        """Implement `Engine.run_tasks`."""
        waiting = iter(tasks)
        while unfinished := (yield from self._play_until_a_worker_dies(waiting, run_games)):
            if self.notify is not None:
                self.notify("a worker process died; its unfinished games are played again, one worker at a time")
            for task in unfinished:
                yield play_alone(task, run_games)

    @contextmanager
    def keep_workers(self) -> Iterator[Pool]:
        """Implement `Engine.keep_workers`. Workers are not kept after an interrupt or the death of one of them."""
        self._keeps_workers = True
        try:
            yield self
        finally:
            self._keeps_workers = False
            if self._idle_pool is not None:
                self._idle_pool.shutdown()
                self._idle_pool = None

    def _play_until_a_worker_dies(
        self, waiting: Iterator[GameTask], run_games: RunGames
    ) -> Generator[list[GameRecord], None, list[GameTask]]:
        """Play the waiting tasks. Return the unfinished ones if a worker dies, or an empty list."""
        under_way: dict[Future[list[GameRecord]], GameTask] = {}
        pool, self._idle_pool = self._idle_pool or _pool(self.jobs), None
        all_played = False
        try:
            while True:
                # Two tasks per worker keep all workers busy; more would only delay an interrupt.
                while len(under_way) < 2 * self.jobs and (task := next(waiting, None)) is not None:
                    with _interrupts_blocked():
                        try:
                            under_way[pool.submit(play, task, run_games)] = task
                        except BrokenProcessPool:
                            return [*under_way.values(), task]
                if not under_way:
                    all_played = True
                    return []
                finished, _ = wait(under_way, return_when=FIRST_COMPLETED)
                unfinished = []
                for future in [future for future in under_way if future in finished]:
                    task = under_way.pop(future)
                    try:
                        yield future.result()
                    except BrokenProcessPool:
                        unfinished.append(task)
                if unfinished:
                    return [*unfinished, *under_way.values()]
        finally:
            if all_played and self._keeps_workers:
                self._idle_pool = pool
            else:
                pool.shutdown(cancel_futures=True)


def _pool(jobs: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_depend_on_parent)


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Block Ctrl-C while workers are started, because they inherit the signal mask of their parent."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _depend_on_parent() -> None:
    """Make a worker ignore interrupts and exit with its parent; otherwise it would wait for tasks forever."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    logging.getLogger("zareba").setLevel(logging.ERROR)  # the parent has already warned about broken packages
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    assert parent is not None, "a worker has a parent"
    parent.join()
    os._exit(1)


def play_alone(task: GameTask, run_games: RunGames) -> list[GameRecord]:
    """Play a task in its own process, game by game if that process dies. Raises for a game that kills its process
    twice.
    """
    try:
        return _in_own_process(task, run_games)
    except BrokenProcessPool:
        records: list[GameRecord] = []
        for game in single_games(task):
            try:
                records += _in_own_process(game, run_games)
            except BrokenProcessPool:
                try:
                    records += _in_own_process(game, run_games)
                except BrokenProcessPool:
                    raise failure(game, "killed its process") from None
        return records


def _in_own_process(task: GameTask, run_games: RunGames) -> list[GameRecord]:
    with _interrupts_blocked():
        pool = _pool(1)
        future = pool.submit(play, task, run_games)
    with pool:
        return future.result()
