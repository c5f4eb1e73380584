"""What else is played for a comparison: its claims with one thing changed at a time, and players of unlike strength."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from zareba.agents import agent_names
from zareba.analysis.compare import Comparison
from zareba.analysis.compare import compare as run_comparison
from zareba.analysis.engines.task import Engine
from zareba.analysis.games.simulate import run_games
from zareba.analysis.statistics.estimates import compare_columns
from zareba.analysis.studies.conditions import LOOK, Condition, play, players, stand_ins, translations
from zareba.analysis.studies.tournament import Match, match_of
from zareba.base.amounts import amount
from zareba.base.errors import ZarebaError
from zareba.cli.output import talk
from zareba.cli.study.comparison_options import listed, players_of
from zareba.cli.study.comparison_run import RunWatcher, in_words, interruptible, progress_bar
from zareba.scenario import Scenario

__all__ = ["ALSO", "others_of", "repeated", "with_skill"]

ALSO = "bold,cautious"
PLAYERS_GAMES = 100
"""Games a variant between other commanders."""
CHANGED_GAMES = 60
"""Games a variant with a stand-in or a word changed, which share their luck with those that are there."""

PAIRS = (("doctrine", "random", 1), ("lookahead", "doctrine", 10))
"""Who plays whom to see what room there is for skill, and by how much fewer games than asked for."""

Others = Mapping[str, tuple[tuple[tuple[str, str], ...], int]]


def others_of(scenario: Scenario, written: str) -> Others:
    """The commanders named, as `bold,lookahead:10`, on all sides, and how many games each plays.

    Those that are taken where none is named come with a package, and are left out where it is not installed.
    """
    found = {}
    for one in listed(written):
        if written == ALSO and one not in agent_names():
            continue
        name, colon, number = one.partition(":")
        if colon and not (number.isdecimal() and int(number) > 1):
            raise ZarebaError(f"--also {one}: write NAME:20 for 20 games of each variant, two at least")
        found[name] = players_of(scenario, name), int(number) if colon else PLAYERS_GAMES
    return found


def repeated(comparison: Comparison, scenario: Scenario, others: Others, engine: Engine, folder: Path) -> Comparison:
    """The comparison with the games of all conditions, where it claims anything; interrupted, it is as it was."""
    claims = [one for one in compare_columns(comparison.columns()) if one.primary and one.shown]
    if not claims or comparison.games < LOOK:
        talk("nothing is claimed that could be looked at under other conditions")
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
    changing = [one for one in some if one.kind != "players"]
    look = LOOK * sum(len(one.instead) for one in changing)
    talk(
        f"{amount(len(claims), 'claim')} looked at under {amount(len(some), 'other condition')};"
        f" {amount(look, 'game')} first, {LOOK} of each, to see which of them the battle touches"
    )
    watch = RunWatcher(1)

    def looked(touching: int, games: int) -> None:
        time = in_words(watch.foretold(games))
        talk(
            f"{touching} of {len(changing)} change something; {amount(games, 'game')} more{f', {time}' if time else ''}"
        )

    base = {variant.name: [one for one in comparison.records if one.variant == variant.name] for variant in variants}
    try:
        with progress_bar() as progress, interruptible():
            played = play(some, base, comparison.seed, engine, run_games, watch.over(progress), looked=looked)
    except KeyboardInterrupt:
        talk("interrupted: whether the claims hold under other conditions is not told")
        return comparison
    return replace(comparison, conditions=tuple(played))


def with_skill(comparison: Comparison, games: int, engine: Engine) -> Comparison:
    """The comparison with the matches of players of unlike strength under each variant; interrupted, it is as it was."""
    sides = [side for side, _ in comparison.agents]
    found: dict[str, list[Match]] = {variant.name: [] for variant in comparison.variants}
    for first, second, fewer in PAIRS:
        talk(f"{first} against {second}:")
        number = max(2, games // fewer)
        agents = tuple((side, second if place % 2 else first) for place, side in enumerate(sides))
        try:
            with progress_bar() as progress, interruptible():
                played = run_comparison(
                    comparison.scenario, comparison.variants, number, comparison.seed, 1, agents, run_games, progress,
                    engine=engine, tell=talk,
                )  # fmt: skip
        except KeyboardInterrupt:
            return comparison
        if played.partial:
            return comparison
        for name, matches in found.items():
            matches.append(match_of(first, second, [one for one in played.records if one.variant == name]))
    return replace(comparison, skill={name: tuple(matches) for name, matches in found.items()})
