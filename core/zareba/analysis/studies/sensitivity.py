"""Find the numbers of a ruleset that matter in a battle, by changing each one step up or down with the same dice.

A few games per number find those that never affect the battle. The rest of the budget is spread over the others.
Differences are tested game by game, all together at a stated false discovery rate.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from zareba.analysis.games.measures import course, mean_losses
from zareba.analysis.games.records import GameRecord, Variant
from zareba.analysis.statistics.intervals import Mean, benjamini_hochberg, p_value
from zareba.analysis.studies.sweep import Number, numbers_matching, with_number
from zareba.base.errors import ZarebaError
from zareba.rules import Rules

TRIAL_GAMES = 4
"""Games played to see whether a number affects the battle at all."""
FEWEST_GAMES = 12
"""Fewest games per number that can show how much it matters."""
_STEP = 0.1
"""Relative step of a number that is not whole. Whole numbers move by 1."""

Games: TypeAlias = "Mapping[str, Sequence[GameRecord]]"


def _points(record: GameRecord) -> float:
    return 0.5 if record.winner is None else float(record.winner == record.sides[0])


MEASURES: Mapping[str, tuple[str, float, Callable[[GameRecord], float]]] = {
    "who wins": ("share", 1.0, _points),
    "how long": ("turns", math.inf, lambda record: float(record.turns)),
    "how bloody": ("share", 1.0, mean_losses),
}
"""The measures: unit, largest value, and the value in a game. A draw counts as half a win of the first side."""


@dataclass(frozen=True, slots=True)
class MovedNumber:
    """A number that is moved one step, as a variant."""

    path: str
    was: Number
    to: Number
    variant: Variant


@dataclass(frozen=True, slots=True)
class Effect:
    """The change in one measure when a number is moved."""

    measure: str
    value: float
    """The mean difference, game by game."""
    low: float
    high: float
    p: float
    p_adjusted: float
    """The p adjusted for all numbers and measures together, by Benjamini and Hochberg."""


@dataclass(frozen=True, slots=True)
class SensitivityResult:
    """A moved number with its effects, in the order of `MEASURES`, and the number of games behind them."""

    moved: MovedNumber
    games: int
    effects: tuple[Effect, ...]

    def matters(self, rate: float) -> bool:
        """Return True if any effect is significant at a false discovery rate."""
        return any(effect.p_adjusted < rate for effect in self.effects)

    def to_dict(self, rate: float) -> dict[str, Any]:
        """Return the JSON-ready form."""
        return {
            "path": self.moved.path, "was": self.moved.was, "to": self.moved.to, "games": self.games,
            "effects": {
                effect.measure: {
                    "value": round(effect.value, 6), "low": round(effect.low, 6), "high": round(effect.high, 6),
                    "p": round(effect.p, 6), "p_adjusted": round(effect.p_adjusted, 6), "shown": effect.p_adjusted < rate,
                }
                for effect in self.effects
            },
        }  # fmt: skip


def move_numbers(rules: Rules, only: str, folder: Path) -> tuple[list[MovedNumber], list[str]]:
    """Return every number whose path fits the pattern, one step down and one up, and the steps that the rules
    refuse.
    """
    moved: list[MovedNumber] = []
    refused: list[str] = []
    for path, value in numbers_matching(rules, only).items():
        step: Number = 1 if isinstance(value, int) else (abs(value) * _STEP or _STEP)
        for to in (value - step, value + step):
            to = to if isinstance(value, int) else round(to, 9)
            try:
                moved.append(MovedNumber(path, value, to, with_number(rules, path, to, folder)))
            except ZarebaError:
                refused.append(f"{path}={to}")
    return moved, refused


def numbers_with_effect(all_moved: Sequence[MovedNumber], base: str, games: Games) -> list[MovedNumber]:
    """Return the numbers that changed the course of at least one game of the first look."""
    unchanged = [course(record) for record in games[base]]
    return [step for step in all_moved if [course(record) for record in games[step.variant.name]] != unchanged]


def plan(budget: int, steps: int, effective: int) -> int:
    """Return the number of games for each of the `effective` steps, so that the total stays within the budget.

    `steps` is the number of steps that were tried.
    """
    each = (budget - TRIAL_GAMES * (steps + 1)) // (effective + 1) + TRIAL_GAMES
    return max(FEWEST_GAMES, each)


def measure_effects(moved: Sequence[MovedNumber], base: str, games: Games) -> list[SensitivityResult]:
    """Return the effects of the numbers, the most important first: by largest effect relative to the spread of the
    games.
    """
    unchanged = {record.game: record for record in games[base]}
    differences = []
    for number in moved:
        pairs = [(unchanged[record.game], record) for record in games[number.variant.name] if record.game in unchanged]
        differences.append((number, len(pairs), [(name, _difference(name, pairs)) for name in MEASURES]))
    p_values = [p_value(mean) for _, _, means in differences for _, mean in means]
    adjusted = iter(zip(p_values, benjamini_hochberg(p_values), strict=True))
    results = []
    for number, count, means in differences:
        effects = []
        for name, mean in means:
            limits, (p, p_adjusted) = mean.limits(), next(adjusted)
            effects.append(Effect(name, mean.value, limits.low, limits.high, p, p_adjusted))
        results.append(SensitivityResult(number, count, tuple(effects)))
    spread = {
        name: _standard_deviation([read(record) for record in unchanged.values()])
        for name, (_, _, read) in MEASURES.items()
    }
    return sorted(
        results, key=lambda result: -max(abs(effect.value) / spread[effect.measure] for effect in result.effects)
    )


def _difference(name: str, pairs: Sequence[tuple[GameRecord, GameRecord]]) -> Mean:
    _, bound, read = MEASURES[name]
    return Mean.of([read(changed) - read(unchanged) for unchanged, changed in pairs], -bound, bound)


def _standard_deviation(values: Sequence[float]) -> float:
    mean = math.fsum(values) / len(values)
    return math.sqrt(math.fsum((value - mean) ** 2 for value in values) / len(values)) or 1.0
