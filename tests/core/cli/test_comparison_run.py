"""A pilot's prediction of the remaining time, compared with a simulated clock that only games advance."""

from __future__ import annotations

import heapq
import random

import pytest

from zareba.cli.study.comparison_run import RunWatcher, in_words

START = 1.0


def played(luck: random.Random, means: list[float], games: int, workers: int, batch: int) -> list[tuple[float, int]]:
    """Return when batches of games of these mean lengths end, each with the number of games finished by then."""
    free = [START + 0.1 * worker for worker in range(workers)]
    done = []
    for first in range(0, games, batch):
        for mean in means:
            number = min(batch, games - first)
            end = heapq.heappop(free) + sum(luck.gammavariate(6, mean / 6) for _ in range(number))
            heapq.heappush(free, end)
            done.append((end, number))
    done.sort()
    return [(end, sum(number for _, number in done[: at + 1])) for at, (end, _) in enumerate(done)]


@pytest.mark.parametrize("workers", [1, 2, 8])
@pytest.mark.parametrize("means", [[0.03, 0.05, 0.1, 0.12, 0.35], [0.5] * 5, [0.3, 0.35]], ids=str)
def test_the_predicted_time_is_right_within_a_fifth(means: list[float], workers: int) -> None:
    right = 0
    for run in range(40):
        luck = random.Random(run)
        ends = played(luck, means, 20, workers, 1)
        watch = RunWatcher(workers, iter([end for end, _ in ends]).__next__)
        tell = watch.timed(lambda done, total: None)
        for _, done in ends:
            tell(done, 20 * len(means))
        takes = played(luck, means, 380, workers, 4)[-1][0] - START  # the pilot's workers continue
        right += abs(watch.seconds_for(380 * len(means)) / takes - 1) < 0.2
    assert right >= 38


def test_without_data_no_time_is_predicted() -> None:
    assert RunWatcher(2).seconds_for(100) == 0 and in_words(0) == ""
    assert (in_words(0.2), in_words(89), in_words(200)) == ("about 1 second", "about 89 seconds", "about 3 minutes")
