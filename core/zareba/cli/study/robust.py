"""Additional games of a comparison from the command line, with messages, a progress bar and Ctrl-C."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from zareba.analysis.compare import Comparison
from zareba.analysis.engines.task import Engine
from zareba.analysis.studies import repeats
from zareba.base.grammar import amount
from zareba.cli.output import talk
from zareba.cli.study.comparison_options import listed, players_of
from zareba.cli.study.comparison_run import HowFar, RunWatcher, in_words, interruptible, progress_bar
from zareba.scenario import Scenario

DEFAULT_OTHER_PLAYERS = ",".join(repeats.DEFAULT_OTHER_PLAYERS)


def others_of(scenario: Scenario, written: str) -> repeats.Others:
    """Return the AI players named, such as `bold,lookahead:10`, on all sides, with the number of games of each."""
    named = repeats.other_players(
        repeats.DEFAULT_OTHER_PLAYERS if written == DEFAULT_OTHER_PLAYERS else listed(written)
    )
    return {name: (players_of(scenario, name), games) for name, games in named.items()}


def repeated(
    comparison: Comparison, scenario: Scenario, others: repeats.Others, engine: Engine, folder: Path
) -> Comparison:
    """Return the comparison with the games of all conditions. The estimate of the time comes from the first games."""
    watcher = RunWatcher(1)

    @contextmanager
    def watch() -> Iterator[HowFar]:
        with _watched() as progress:
            yield watcher.over(progress)

    def looked(effective: int, tried: int, games: int) -> None:
        time = in_words(watcher.foretold(games))
        talk(f"{effective} of {tried} have an effect; {amount(games, 'game')} more{f', {time}' if time else ''}")

    return repeats.repeat_under_conditions(
        comparison, scenario, others, engine, folder, watch=watch, tell=talk, looked=looked
    )


def add_skill_matches(comparison: Comparison, games: int, engine: Engine) -> Comparison:
    """Return the comparison with matches between players of unequal strength."""
    return repeats.add_skill_matches(comparison, games, engine, watch=_watched, tell=talk)


@contextmanager
def _watched() -> Iterator[HowFar]:
    """Show the progress of games that Ctrl-C may interrupt."""
    with progress_bar() as progress, interruptible():
        yield progress
