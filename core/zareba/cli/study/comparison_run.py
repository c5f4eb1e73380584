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
from zareba.cli.output import SafeConsole, talk

HowFar = Callable[[int, int], None]
"""Receives the number of finished games and of all games."""


class ComparisonRun(Protocol):
    """Plays games of each variant, including those already played, with `at_a_time` games per task."""

    def __call__(
        self, number: int, before: Sequence[GameRecord], progress: HowFar, at_a_time: int = ...
    ) -> Comparison: ...


def in_two_parts(played: ComparisonRun, before: Sequence[GameRecord], games: int | None, workers: int) -> Comparison:
    """Play a pilot, print its prediction, then play the rest of the games. If the pilot is large enough, play all at
    once.
    """
    if games is not None and games <= PILOT_GAMES:
        with progress_bar() as progress, interruptible():
            return played(games, before, progress)
    watch = RunWatcher(workers)
    with progress_bar() as progress, interruptible():
        pilot = played(PILOT_GAMES, before, watch.over(progress), 1)
    if pilot.partial:
        return pilot
    with heard_between_imports():
        wanted = games or games_wanted(pilot.columns())
        sure = precision(pilot.columns(), wanted)
    time = in_words(watch.foretold((wanted - PILOT_GAMES) * len(pilot.variants)))
    talk(
        f"{amount(wanted, 'game')} of each{f', {time} of play' if time else ''}: win shares to within"
        f" {100 * sure['M1']:.0f} points, length to within {sure['M5']:.1f} turns, losses to within"
        f" {100 * sure['M10']:.0f} points, changes of lead to within {sure['M11']:.2f}"
    )
    known = {(one.variant, one.game): one for one in (*pilot.records, *before)}
    with progress_bar() as progress, interruptible():
        return played(wanted, list(known.values()), progress)


def until_decided(played: ComparisonRun, before: Sequence[GameRecord], games: int | None) -> Comparison:
    """Look after more and more games, and stop when every primary comparison is decided or at the limit."""
    most = games or MOST_GAMES
    titles = {metric.id: metric.title for metric in all_metrics()}
    look = min(FIRST_LOOK, most)
    while True:
        with progress_bar() as progress, interruptible():
            found = played(look, before, progress)
        open_ones = [verdict for verdict in found.verdicts() if not verdict.said]
        if found.partial or not open_ones or look >= most:
            break
        metrics = join_with_and(
            titles[metric].lower() for metric in dict.fromkeys(verdict.metric for verdict in open_ones)
        )
        talk(
            f"after {amount(look, 'game')} of each {amount(len(open_ones), 'comparison is', 'comparisons are')} undecided: {metrics}"
        )
        known = {(one.variant, one.game): one for one in (*found.records, *before)}
        look, before = min(most, next_look(look)), list(known.values())
    if not found.partial:
        talk(
            f"stopped after {amount(look, 'game')} of each: {'all comparisons are decided' if not open_ones else 'the limit of games is reached'}"
        )
    return found


class RunWatcher:
    """Measures the duration of games played one per task, so that all workers stay busy until the end.

    The time that workers need to start does not count as slow games.
    """

    def __init__(self, workers: int, clock: Callable[[], float] = monotonic) -> None:
        self._workers, self._clock = workers, clock
        self._noted: list[tuple[float, int]] = []

    def over(self, progress: HowFar) -> HowFar:
        """Return a progress callback that also records the time."""

        def noted(done: int, total: int) -> None:
            self._noted.append((self._clock(), done))
            progress(done, total)

        return noted

    def foretold(self, games: int) -> float:
        """Return the estimated seconds for `games` more games of the same kinds with the same workers; 0 without data."""
        if len(self._noted) < 2 * self._workers + 1:
            return 0.0
        first, done = self._noted[self._workers - 1]  # all workers have started by then
        last = self._noted[-self._workers :]
        before_last = self._noted[max(0, len(self._noted) - self._workers - 1)][0]
        at_play = self._workers * (before_last - first) + sum(at - before_last for at, _ in last)
        seen = last[-1][1] - done - (self._workers - 1) / 2  # without the games under way at that time
        return at_play / max(1.0, seen) * games / self._workers


def in_words(seconds: float) -> str:
    """Return a duration in words; "" for zero."""
    if not seconds:
        return ""
    if seconds > 90:
        return f"about {amount(round(seconds / 60), 'minute')}"
    return f"about {amount(max(1, round(seconds)), 'second')}"


@contextmanager
def interruptible() -> Iterator[None]:
    """Let the first Ctrl-C wait for the unfinished games of workers, and further ones kill the workers.

    If that wait itself were interrupted, the pool would never end.
    """

    def interrupt(*_: Any) -> None:
        signal.signal(signal.SIGINT, kill_workers)
        raise KeyboardInterrupt

    def kill_workers(*_: Any) -> None:
        for worker in active_children():
            worker.kill()

    with _answering(interrupt):
        yield


@contextmanager
def heard_between_imports() -> Iterator[None]:
    """Let Ctrl-C end the block. During an import it takes effect at the end of the block.

    Python loses an interrupt that arrives while an import lock is held, and prints a traceback for it.
    """
    late = False

    def interrupt(_: int, frame: FrameType | None) -> None:
        nonlocal late
        late = any(one.f_code.co_filename.startswith("<frozen importlib") for one, _ in walk_stack(frame))
        if not late:
            raise KeyboardInterrupt

    with _answering(interrupt):
        yield
    if late:
        raise KeyboardInterrupt


@contextmanager
def _answering(interrupt: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    before = signal.getsignal(signal.SIGINT)
    # Background jobs of a shell ignore Ctrl-C; keep it that way.
    if before is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def progress_bar() -> Iterator[HowFar]:
    """Show a bar on a terminal, otherwise an occasional line; both on stderr."""
    if sys.stderr.isatty():
        columns = (TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        with Progress(*columns, console=SafeConsole(stderr=True), transient=True) as bar:
            task = bar.add_task("games", total=None)
            yield lambda done, total: bar.update(task, completed=done, total=total)
        return
    told = 0

    def line(done: int, total: int) -> None:
        nonlocal told
        if (part := done * 10 // total) != told:  # the share falls when more games are added
            told = part
            talk(f"{done}/{amount(total, 'game')}")

    yield line
