"""Games to be looked at again: the command that plays one before one's eyes, and those in which two variants part most."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from zareba.analysis.games.measures import final_lead
from zareba.analysis.games.records import GamePlan, GameRecord, Setting, Variant
from zareba.analysis.statistics.estimates import Column

__all__ = ["again", "of_plan", "play_command", "told_apart"]

SHOWN = 5
"""Games of each two variants that are named."""


def play_command(
    variant: Variant, scenario: str, seed: int, agents: Mapping[str, str], first: str | None, verbose: bool = False
) -> str:
    """The command that plays a game once more; `first`: the side that is to be listed first, if not that of the scenario."""
    return shlex.join(
        [
            *("zareba", "play", scenario, f"--ruleset={variant.ruleset}", f"--seed={seed}"),
            *(f"--seat={side}={agent}" for side, agent in agents.items()),
            *(f"--set={name}={_setting(value)}" for name, value in variant.settings),
            *(f"--house-rule={name}" for name in variant.house_rules),
            *([f"--listed-first={first}"] if first else []),
            *(["--verbose"] if verbose else []),
        ]
    )


def of_plan(variant: Variant, scenario: str, plan: GamePlan) -> str:
    """The command for a game that is still to be played."""
    first = plan.agents[1][0] if plan.turned and len(plan.agents) > 1 else None
    return play_command(variant, scenario, plan.seed, dict(plan.agents), first)


def again(record: GameRecord, variant: Variant, scenario: str) -> str:
    """The command that tells a game once more, step by step; `scenario` as it was named to the comparison."""
    first = record.listed if record.listed != record.sides[0] else None
    return play_command(variant, scenario, record.seed, record.agents, first, verbose=True)


def told_apart(columns: Sequence[Column], scenario: str) -> list[dict[str, Any]]:
    """Of each two variants of one ruleset, whose games share their luck: the games that differ most, ready to be replayed.

    Those with another winner come first; among them, and among the rest, the greater the difference of the final leads,
    then of the lengths.
    """
    found = []
    for one, other in combinations(columns, 2):
        if one.variant.ruleset != other.variant.ruleset:
            continue
        games = sorted(_pairs(one, other), key=lambda pair: _apart(*pair), reverse=True)
        found.append(
            {
                "first": one.variant.name,
                "second": other.variant.name,
                "games": [
                    {
                        "game": a.game,
                        "winners": [a.winner, b.winner],
                        "leads": [round(final_lead(a), 6), round(final_lead(b), 6)],
                        "turns": [a.turns, b.turns],
                        "again": [again(a, one.variant, scenario), again(b, other.variant, scenario)],
                    }
                    for a, b in games[:SHOWN]
                    if _apart(a, b) > (False, 0.0, 0)
                ],
                "alike": sum(_apart(a, b) == (False, 0.0, 0) for a, b in games),
                "of": len(games),
            }
        )
    return found


def _pairs(one: Column, other: Column) -> Iterator[tuple[GameRecord, GameRecord]]:
    theirs = {record.game: record for record in other.records}
    return ((record, theirs[record.game]) for record in one.records if record.game in theirs)


def _apart(a: GameRecord, b: GameRecord) -> tuple[bool, float, int]:
    return a.winner != b.winner, abs(final_lead(a) - final_lead(b)), abs(a.turns - b.turns)


def _setting(value: Setting) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
