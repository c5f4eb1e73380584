"""Additional games of a comparison: claims with one thing changed at a time, and players of unequal strength."""

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
"""Games per variant between other AI players."""
CHANGED_GAMES = 60
"""Games per variant with a changed stand-in or word. They share their luck with the original games."""

PAIRS = (("doctrine", "random", 1), ("lookahead", "doctrine", 10))
"""The pairs of players that measure the room for skill, and the divisor of the requested number of games."""

Others = Mapping[str, tuple[tuple[tuple[str, str], ...], int]]


def others_of(scenario: Scenario, written: str) -> Others:
    """Return the AI players named, such as `bold,lookahead:10`, on all sides, with the number of games of each.

    The default players come with a plugin, and are left out if it is not installed.
    """
    found = {}
    for one in listed(written):
        if written == ALSO and one not in agent_names():
            continue
        name, colon, number = one.partition(":")
        if colon and not (number.isdecimal() and int(number) > 1):
            raise ZarebaError(f"--other-agents {one}: write NAME:20 for 20 games of each variant, at least two")
        found[name] = players_of(scenario, name), int(number) if colon else PLAYERS_GAMES
    return found


def repeated(comparison: Comparison, scenario: Scenario, others: Others, engine: Engine, folder: Path) -> Comparison:
    """Return the comparison with the games of all conditions if it makes any claims. If interrupted, return it
    unchanged.
    """
    claims = [one for one in compare_columns(comparison.columns()) if one.primary and one.shown]
    if not claims or comparison.games < LOOK:
        talk("there are no claims to test under other conditions")
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
        f"testing {amount(len(claims), 'claim')} under {amount(len(some), 'other condition')};"
        f" {amount(look, 'game')} first, {LOOK} of each, to find those that affect the battle"
    )
    watch = RunWatcher(1)

    def looked(touching: int, games: int) -> None:
        time = in_words(watch.foretold(games))
        talk(f"{touching} of {len(changing)} have an effect; {amount(games, 'game')} more{f', {time}' if time else ''}")

    base = {variant.name: [one for one in comparison.records if one.variant == variant.name] for variant in variants}
    try:
        with progress_bar() as progress, interruptible():
            played = play(some, base, comparison.seed, engine, run_games, watch.over(progress), looked=looked)
    except KeyboardInterrupt:
        talk("interrupted: the claims are not tested under other conditions")
        return comparison
    return replace(comparison, conditions=tuple(played))


def with_skill(comparison: Comparison, games: int, engine: Engine) -> Comparison:
    """Return the comparison with matches between players of unequal strength. If interrupted, return it unchanged."""
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
