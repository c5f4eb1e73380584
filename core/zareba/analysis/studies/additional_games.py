"""Play the additional games of a comparison: claims under other conditions, and players of unequal strength."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path

from zareba.agents import agent_names
from zareba.analysis.compare import Comparison, compare
from zareba.analysis.engines.engine import TaskEngine
from zareba.analysis.games.simulate import run_games_for_results
from zareba.analysis.statistics.estimates import compare_columns
from zareba.analysis.studies.conditions import (
    TRIAL_GAMES,
    AfterTrials,
    RobustnessCondition,
    play,
    players,
    stand_ins,
    translation_conditions,
)
from zareba.analysis.studies.tournament import Match, match_of
from zareba.base.errors import ZarebaError
from zareba.base.grammar import amount
from zareba.scenario import Scenario

DEFAULT_OTHER_PLAYERS = ("bold", "cautious")
"""The default other players. They come with a plugin and may be missing."""
PLAYERS_GAMES = 100
"""Games per variant between other AI players."""
CHANGED_GAMES = 60
"""Games per variant with a changed stand-in or word. They share their luck with the original games."""
PAIRS = (("doctrine", "random", 1), ("general", "doctrine", 10))
"""The pairs of players that measure the room for skill, and the divisor of the requested number of games."""

OtherPlayers = Mapping[str, tuple[tuple[tuple[str, str], ...], int]]
"""By name, the players of all sides and the number of games to play."""


Watch = Callable[[], AbstractContextManager[Callable[[int, int], None]]]
"""Opens a display of progress, which receives the numbers of finished games and of all games."""


def other_players(names: Sequence[str]) -> dict[str, int]:
    """Return the number of games for each name, such as `bold` or `general:10`.

    The default players (`DEFAULT_OTHER_PLAYERS`) are left out if they are not installed.
    """
    games = {}
    for entry in names:
        if names is DEFAULT_OTHER_PLAYERS and entry not in agent_names():
            continue
        name, colon, number = entry.partition(":")
        if colon and not (number.isdecimal() and int(number) > 1):
            raise ZarebaError(f"other AI player '{entry}': write NAME:20 for 20 games of each variant, at least two")
        games[name] = int(number) if colon else PLAYERS_GAMES
    return games


def _no_display() -> AbstractContextManager[Callable[[int, int], None]]:
    return nullcontext(lambda done, total: None)


def repeat_under_conditions(
    comparison: Comparison,
    scenario: Scenario,
    others: OtherPlayers,
    engine: TaskEngine,
    folder: Path,
    *,
    watch: Watch = _no_display,
    notify: Callable[[str], None] = lambda message: None,
    after_trials: AfterTrials = lambda effective, tried, games: None,
) -> Comparison:
    """Return the comparison with the games of all conditions, or unchanged if it makes no claims or is interrupted."""
    claims = [
        difference
        for difference in compare_columns(comparison.columns())
        if difference.primary and difference.is_significant
    ]
    if not claims or comparison.games < TRIAL_GAMES:
        notify("there are no claims to test under other conditions")
        return comparison
    claimed = {name for claim in claims for name in (claim.first, claim.second)}
    variants = [variant for variant in comparison.variants if variant.name in claimed]
    changed_games = min(CHANGED_GAMES, comparison.games)
    conditions: list[RobustnessCondition] = [
        *players(
            variants,
            comparison.scenario,
            {name: agents for name, (agents, _) in others.items()},
            {name: min(games, comparison.games) for name, (_, games) in others.items()},
        ),
        *stand_ins(variants, comparison.scenario, comparison.agents, changed_games),
        *translation_conditions(variants, scenario, comparison.agents, changed_games, folder),
    ]
    trial_games = TRIAL_GAMES * sum(len(condition.instead) for condition in conditions if condition.kind != "players")
    notify(
        f"testing {amount(len(claims), 'claim')} under {amount(len(conditions), 'other condition')};"
        f" {amount(trial_games, 'game')} first, {TRIAL_GAMES} of each, to find those that affect the battle"
    )
    base = {
        variant.name: [record for record in comparison.records if record.variant == variant.name]
        for variant in variants
    }
    try:
        with watch() as progress:
            with_games = play(
                conditions, base, comparison.seed, engine, run_games_for_results, progress, after_trials=after_trials
            )
    except KeyboardInterrupt:
        notify("interrupted: the claims are not tested under other conditions")
        return comparison
    return replace(comparison, conditions=tuple(with_games))


def add_skill_matches(
    comparison: Comparison,
    games: int,
    engine: TaskEngine,
    *,
    watch: Watch = _no_display,
    notify: Callable[[str], None] = lambda message: None,
) -> Comparison:
    """Return the comparison with matches between players of unequal strength under each variant, or unchanged if it is
    interrupted.
    """
    matches: dict[str, list[Match]] = {variant.name: [] for variant in comparison.variants}
    sides = [side for side, _ in comparison.agents]
    for first, second, divisor in PAIRS:
        notify(f"{first} against {second}:")
        agents = tuple((side, second if index % 2 else first) for index, side in enumerate(sides))
        number = max(2, games // divisor)
        try:
            with watch() as progress:
                run = compare(
                    comparison.scenario, comparison.variants, number, comparison.seed, 1, agents, run_games_for_results, progress,
                    engine=engine, notify=notify,
                )  # fmt: skip
        except KeyboardInterrupt:
            return comparison
        if run.partial:
            return comparison
        for name, its_matches in matches.items():
            its_matches.append(match_of(first, second, [record for record in run.records if record.variant == name]))
    return replace(comparison, skill={name: tuple(its_matches) for name, its_matches in matches.items()})
