"""Play what else a comparison asks for: its claims under other conditions, and players of unlike strength."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from zareba.agents import agent_names
from zareba.analysis.compare import Comparison, compare
from zareba.analysis.engines.task import Engine
from zareba.analysis.games.simulate import run_games
from zareba.analysis.statistics.estimates import compare_columns
from zareba.analysis.studies.conditions import LOOK, Condition, play, players, stand_ins, translations
from zareba.analysis.studies.tournament import Match, match_of
from zareba.base.errors import ZarebaError
from zareba.scenario import Scenario

__all__ = ["ALSO", "CHANGED_GAMES", "PAIRS", "PLAYERS_GAMES", "other_players", "repeated", "with_skill"]

ALSO = ("bold", "cautious")
"""The other commanders unless others are named; they come with a package and may be missing."""
PLAYERS_GAMES = 100
"""Games a variant between other commanders."""
CHANGED_GAMES = 60
"""Games a variant with a stand-in or a word changed, which share their luck with those that are there."""
PAIRS = (("doctrine", "random", 1), ("lookahead", "doctrine", 10))
"""The pairs of players that show the room for skill, and by what number the games asked for are divided."""

Others = Mapping[str, tuple[tuple[tuple[str, str], ...], int]]
"""By name the players of all sides, and how many games each plays."""


def other_players(names: Sequence[str]) -> dict[str, tuple[str, int]]:
    """The player and the number of games of each name, as `bold` or `lookahead:10`."""
    found = {}
    for one in names:
        if names is ALSO and one not in agent_names():
            continue
        name, colon, number = one.partition(":")
        if colon and not (number.isdecimal() and int(number) > 1):
            raise ZarebaError(f"{one}: write NAME:20 for 20 games of each variant, two at least")
        found[name] = name, int(number) if colon else PLAYERS_GAMES
    return found


def repeated(comparison: Comparison, scenario: Scenario, others: Others, engine: Engine, folder: Path) -> Comparison:
    """The comparison with the games of all conditions, or as it was where it claims nothing."""
    claims = [one for one in compare_columns(comparison.columns()) if one.primary and one.shown]
    if not claims or comparison.games < LOOK:
        return comparison
    claimed = {name for one in claims for name in (one.first, one.second)}
    variants = [one for one in comparison.variants if one.name in claimed]
    changed = min(CHANGED_GAMES, comparison.games)
    some: list[Condition] = [
        *players(
            variants,
            comparison.scenario,
            {name: agents for name, (agents, _) in others.items()},
            {name: min(games, comparison.games) for name, (_, games) in others.items()},
        ),
        *stand_ins(variants, comparison.scenario, comparison.agents, changed),
        *translations(variants, scenario, comparison.agents, changed, folder),
    ]
    base = {variant.name: [one for one in comparison.records if one.variant == variant.name] for variant in variants}
    played = play(some, base, comparison.seed, engine, run_games, lambda done, total: None)
    return replace(comparison, conditions=tuple(played))


def with_skill(comparison: Comparison, games: int, engine: Engine) -> Comparison:
    """The comparison with the matches of players of unlike strength under each variant."""
    found: dict[str, list[Match]] = {variant.name: [] for variant in comparison.variants}
    sides = [side for side, _ in comparison.agents]
    for first, second, fewer in PAIRS:
        agents = tuple((side, second if place % 2 else first) for place, side in enumerate(sides))
        number = max(2, games // fewer)
        played = compare(
            comparison.scenario, comparison.variants, number, comparison.seed, 1, agents, run_games, engine=engine
        )
        for name, matches in found.items():
            matches.append(match_of(first, second, [one for one in played.records if one.variant == name]))
    return replace(comparison, skill={name: tuple(matches) for name, matches in found.items()})
