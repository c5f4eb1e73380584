"""Run a comparison from the command line: a pilot first, a progress bar, and Ctrl-C."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import active_children
from time import monotonic
from traceback import walk_stack
from types import FrameType
from typing import Any, Protocol

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from zareba.analysis.compare import Comparison
from zareba.analysis.games.metrics import all_metrics
from zareba.analysis.games.records import GameRecord
from zareba.analysis.pilot import MOST_GAMES, PILOT_GAMES, games_wanted, precision
from zareba.analysis.statistics.stopping import FIRST_LOOK, next_look
from zareba.base.grammar import amount, join_with_and
from zareba.cli.output import SafeConsole, print_to_stderr

ProgressCallback = Callable[[int, int], None]
"""Receives the number of finished games and of all games."""


class ComparisonRun(Protocol):
    """Plays until each variant has `games_each` games, including the `finished` ones, with `games_per_task` at a
    time.
    """

    def __call__(
        self,
        games_each: int,
        finished: Sequence[GameRecord],
        progress: ProgressCallback,
        games_per_task: int = ...,
    ) -> Comparison: ...


def run_with_pilot(play: ComparisonRun, earlier: Sequence[GameRecord], games: int | None, workers: int) -> Comparison:
    """Play a pilot, print its prediction, then play the rest of the games.

    If no more games than those of a pilot are wanted, play them without a prediction. `earlier` games are not played
    again.
    """
    if games is not None and games <= PILOT_GAMES:
        with progress_bar() as progress, interruptible():
            return play(games, earlier, progress)
    watcher = RunWatcher(workers)
    with progress_bar() as progress, interruptible():
        pilot = play(PILOT_GAMES, earlier, watcher.timed(progress), 1)
    if pilot.partial:
        return pilot
    with interruptible_outside_imports():
        wanted = games or games_wanted(pilot.columns())
        margins = precision(pilot.columns(), wanted)
    time = in_words(watcher.seconds_for((wanted - PILOT_GAMES) * len(pilot.variants)))
    print_to_stderr(
        f"{amount(wanted, 'game')} of each{f', {time} of play' if time else ''}: win shares to within"
        f" {100 * margins['M1']:.0f} points, length to within {margins['M5']:.1f} turns, losses to within"
        f" {100 * margins['M10']:.0f} points, changes of lead to within {margins['M11']:.2f}"
    )
    with progress_bar() as progress, interruptible():
        return play(wanted, _merged(pilot.records, earlier), progress)


def run_until_decided(play: ComparisonRun, earlier: Sequence[GameRecord], games: int | None) -> Comparison:
    """Look after more and more games, and stop when every primary comparison is decided or at the limit of `games`."""
    limit = games or MOST_GAMES
    titles = {metric.id: metric.title for metric in all_metrics()}
    look = min(FIRST_LOOK, limit)
    while True:
        with progress_bar() as progress, interruptible():
            comparison = play(look, earlier, progress)
        undecided = [verdict for verdict in comparison.verdicts() if not verdict.decision]
        if comparison.partial or not undecided or look >= limit:
            break
        metrics = join_with_and(
            titles[metric].lower() for metric in dict.fromkeys(verdict.metric for verdict in undecided)
        )
        print_to_stderr(
            f"after {amount(look, 'game')} of each {amount(len(undecided), 'comparison is', 'comparisons are')} undecided: {metrics}"
        )
        look, earlier = min(limit, next_look(look)), _merged(comparison.records, earlier)
    if not comparison.partial:
        print_to_stderr(
            f"stopped after {amount(look, 'game')} of each: {'all comparisons are decided' if not undecided else 'the limit of games is reached'}"
        )
    return comparison


def _merged(records: Sequence[GameRecord], earlier: Sequence[GameRecord]) -> list[GameRecord]:
    """Return all games once."""
    return list({(record.variant, record.game): record for record in (*records, *earlier)}.values())


class RunWatcher:
    """Measures the duration of games played one per task, so that all workers stay busy until the end.

    The time that workers need to start does not count as slow games.
    """

    def __init__(self, workers: int, clock: Callable[[], float] = monotonic) -> None:
        self._workers, self._clock = workers, clock
        self._finished: list[tuple[float, int]] = []  # the time at the end of a game, and the number of games by then

    def timed(self, progress: ProgressCallback) -> ProgressCallback:
        """Return a progress callback that also records the time."""

        def record_time(done: int, total: int) -> None:
            self._finished.append((self._clock(), done))
            progress(done, total)

        return record_time

    def seconds_for(self, games: int) -> float:
        """Return the estimated seconds for `games` more games of the same kinds with the same workers; 0 without
        data.
        """
        if len(self._finished) < 2 * self._workers + 1:
            return 0.0
        began, done_before = self._finished[self._workers - 1]  # all workers have started by then
        # At the end each worker plays its last game, and then waits for the slowest one.
        last = self._finished[-self._workers :]
        before_last = self._finished[max(0, len(self._finished) - self._workers - 1)][0]
        worker_seconds = self._workers * (before_last - began) + sum(at - before_last for at, _ in last)
        done = last[-1][1] - done_before - (self._workers - 1) / 2  # without the games under way when it began
        return worker_seconds / max(1.0, done) * games / self._workers


def in_words(seconds: float) -> str:
    """Return a duration in words; "" for zero."""
    if not seconds:
        return ""
    if seconds > 90:
        return f"about {amount(round(seconds / 60), 'minute')}"
    return f"about {amount(max(1, round(seconds)), 'second')}"


@contextmanager
def interruptible() -> Iterator[None]:
    """Let the first Ctrl-C wait for the unfinished games of workers. Further ones kill the workers.

    An interrupt of that wait would otherwise leave the pool running forever.
    """

    def interrupt(*_: Any) -> None:
        signal.signal(signal.SIGINT, kill_workers)
        raise KeyboardInterrupt

    def kill_workers(*_: Any) -> None:
        for worker in active_children():
            worker.kill()

    with _sigint_handler(interrupt):
        yield


@contextmanager
def interruptible_outside_imports() -> Iterator[None]:
    """Let Ctrl-C end the block. During an import it takes effect at the end of the block.

    Python loses an interrupt that arrives while an import lock is held, and prints a traceback for it.
    """
    postponed = False

    def interrupt(_: int, frame: FrameType | None) -> None:
        nonlocal postponed
        postponed = any(caller.f_code.co_filename.startswith("<frozen importlib") for caller, _ in walk_stack(frame))
        if not postponed:
            raise KeyboardInterrupt

    with _sigint_handler(interrupt):
        yield
    if postponed:
        raise KeyboardInterrupt


@contextmanager
def _sigint_handler(interrupt: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    before = signal.getsignal(signal.SIGINT)
    # Background jobs of a shell ignore Ctrl-C; keep it that way.
    if before is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def progress_bar() -> Iterator[ProgressCallback]:
    """Show a bar on a terminal, otherwise an occasional line; both on stderr."""
    if sys.stderr.isatty():
        columns = (TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        with Progress(*columns, console=SafeConsole(stderr=True), transient=True) as bar:
            task = bar.add_task("games", total=None)
            yield lambda done, total: bar.update(task, completed=done, total=total)
        return
    last_tenth = 0

    def print_tenth(done: int, total: int) -> None:
        nonlocal last_tenth
        if (tenth := done * 10 // total) != last_tenth:  # it falls when more games are added
            last_tenth = tenth
            print_to_stderr(f"{done}/{amount(total, 'game')}")

    yield print_tenth
