"""Additional games of a comparison from the command line, with messages, a progress bar and Ctrl-C."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from zareba.analysis.compare import Comparison
from zareba.analysis.engines.engine import TaskEngine
from zareba.analysis.studies import additional_games
from zareba.base.grammar import amount
from zareba.cli.output import print_to_stderr
from zareba.cli.study.comparison_options import players_of, split_players
from zareba.cli.study.comparison_run import ProgressCallback, RunWatcher, in_words, interruptible, progress_bar
from zareba.scenario import Scenario

DEFAULT_OTHER_PLAYERS = ",".join(additional_games.DEFAULT_OTHER_PLAYERS)


def other_players_of(scenario: Scenario, option: str) -> additional_games.OtherPlayers:
    """Return the AI players named, such as `bold,general:10`, on all sides, with the number of games of each."""
    games_by_player = additional_games.other_players(
        additional_games.DEFAULT_OTHER_PLAYERS
        if option == DEFAULT_OTHER_PLAYERS
        else split_players(option, "--other-agents")
    )
    return {name: (players_of(scenario, name), games) for name, games in games_by_player.items()}


def repeat_under_conditions(
    comparison: Comparison, scenario: Scenario, others: additional_games.OtherPlayers, engine: TaskEngine, folder: Path
) -> Comparison:
    """Return the comparison with the games of all conditions. The estimate of the time comes from the first games."""
    watcher = RunWatcher(1)

    @contextmanager
    def watch() -> Iterator[ProgressCallback]:
        with _progress() as progress:
            yield watcher.timed(progress)

    def after_trials(effective: int, tried: int, games: int) -> None:
        time = in_words(watcher.seconds_for(games))
        print_to_stderr(
            f"{effective} of {tried} have an effect; {amount(games, 'game')} more{f', {time}' if time else ''}"
        )

    return additional_games.repeat_under_conditions(
        comparison, scenario, others, engine, folder, watch=watch, notify=print_to_stderr, after_trials=after_trials
    )


def add_skill_matches(comparison: Comparison, games: int, engine: TaskEngine) -> Comparison:
    """Return the comparison with matches between players of unequal strength."""
    return additional_games.add_skill_matches(comparison, games, engine, watch=_progress, notify=print_to_stderr)


@contextmanager
def _progress() -> Iterator[ProgressCallback]:
    """Show the progress of games that Ctrl-C may interrupt."""
    with progress_bar() as progress, interruptible():
        yield progress
