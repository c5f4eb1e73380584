"""What makes a battle even: the value of one number of a scenario at which a side wins half of the games, with its interval.

Games are played at values spread over a range, then more of them near where the chances seem even; a logistic curve through
all of them says where it crosses one half, and Fieller's theorem how sure that is.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from zareba.analysis.statistics.intervals import Z
from zareba.base.errors import ZarebaError, unknown_name
from zareba.scenario import Scenario

__all__ = ["BalanceParameter", "BalanceTrial", "EvenValue", "even_value", "knob_of", "next_values"]

VALUES = 5
"""How many values are tried in one round."""


@dataclass(frozen=True, slots=True)
class BalanceParameter:
    """A number of a scenario: the way to it, what it is now, and between what it is looked for."""

    name: str
    path: tuple[str, ...]
    now: int
    low: int
    high: int

    def turned(self, scenario: Scenario, value: int) -> str:
        """The scenario with this value, as the text of its file."""
        data = scenario.model_dump(mode="json", exclude_unset=True)
        inner: dict[str, Any] = data
        for key in self.path[:-1]:
            inner = inner[key]
        inner[self.path[-1]] = value
        return json.dumps(data, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class BalanceTrial:
    """A value with the games that were played at it, and those that the side has won; a draw is half a win."""

    value: int
    games: int
    wins: float


@dataclass(frozen=True, slots=True)
class EvenValue:
    """The value at which a side wins half of its games, and its 95 % interval; `low` or `high` None: without end.

    `value` None: nowhere in the range that was tried.
    """

    value: float | None
    low: float | None
    high: float | None


def knob_of(scenario: Scenario, by: str, low: int | None = None, high: int | None = None) -> BalanceParameter:
    """The number that `by` names: `turns`, `UNIT.figures` or `OBJECTIVE.points`; ZarebaError when there is none such."""
    name, _, what = by.partition(".")
    path: tuple[str, ...]
    if by == "turns":
        path, now, most = ("turns",), scenario.turns, 200
    elif what == "figures":
        if name not in scenario.units:
            raise unknown_name("unit", name, scenario.units)
        path, now, most = ("units", name, "figures"), scenario.units[name].figures, 200
    elif what == "points":
        if name not in scenario.objectives:
            raise unknown_name("objective", name, scenario.objectives)
        path, now, most = ("objectives", name, "points"), scenario.objectives[name].points, 100
    else:
        raise ZarebaError(f"'{by}' is no number to turn; write turns, UNIT.figures or OBJECTIVE.points")
    first = low if low is not None else max(1, now // 3)
    last = high if high is not None else min(most, max(now + 4, 3 * now))
    if not 1 <= first < last <= most:
        raise ZarebaError(
            f"--from {first} --to {last}: there is nothing to look for between them; {by} may be from 1 to {most}, and is {now} now"
        )
    return BalanceParameter(by, path, now, first, last)


def next_values(knob: BalanceParameter, tried: Sequence[BalanceTrial]) -> list[int]:
    """The values to be tried next: over the whole range at first, then around where the chances seem even."""
    low, high = float(knob.low), float(knob.high)
    if tried:
        found = even_value(tried, knob)
        if found.value is not None:
            reach = max(
                2.0, min(found.value - (found.low or low), (found.high or high) - found.value, (high - low) / 4)
            )
            low, high = max(low, found.value - reach), min(high, found.value + reach)
    steps = [low + (high - low) * step / (VALUES - 1) for step in range(VALUES)]
    return list(dict.fromkeys(round(step) for step in steps))


def even_value(tried: Sequence[BalanceTrial], knob: BalanceParameter) -> EvenValue:
    """Where the curve through what was tried crosses one half."""
    middle, scale = (knob.low + knob.high) / 2, (knob.high - knob.low) / 2
    fit = _logistic([((one.value - middle) / scale, one.games, one.wins) for one in tried])
    a, b, aa, ab, bb = fit
    if b == 0 or abs(-a / b) > 1.05:
        return EvenValue(None, None, None)
    # Fieller: all x at which (a + bx)^2 is no more than z^2 times its variance.
    square, mixed, constant = b * b - Z * Z * bb, a * b - Z * Z * ab, a * a - Z * Z * aa
    inner = mixed * mixed - square * constant
    value = middle - a / b * scale
    if square <= 0 or inner < 0:
        return EvenValue(value, None, None)
    ends = sorted((-mixed + sign * math.sqrt(inner)) / square for sign in (-1, 1))
    return EvenValue(value, middle + ends[0] * scale, middle + ends[1] * scale)


def _logistic(rows: Sequence[tuple[float, int, float]]) -> tuple[float, float, float, float, float]:
    """Intercept and slope of a logistic curve, with their variances and covariance; half a game is lent to each answer."""
    a = b = 0.0
    lent = [(x, games + 1.0, wins + 0.5) for x, games, wins in rows]
    aa = ab = bb = 0.0
    for _ in range(50):
        ga = gb = haa = hab = hbb = 0.0
        for x, games, wins in lent:
            p = 1 / (1 + math.exp(-max(-30.0, min(30.0, a + b * x))))
            weight = games * p * (1 - p)
            ga, gb = ga + wins - games * p, gb + (wins - games * p) * x
            haa, hab, hbb = haa + weight, hab + weight * x, hbb + weight * x * x
        determinant = haa * hbb - hab * hab
        if determinant <= 1e-12:
            return a, 0.0, math.inf, 0.0, math.inf
        aa, ab, bb = hbb / determinant, -hab / determinant, haa / determinant
        step_a, step_b = aa * ga + ab * gb, ab * ga + bb * gb
        a, b = a + max(-2.0, min(2.0, step_a)), b + max(-2.0, min(2.0, step_b))
        if abs(step_a) + abs(step_b) < 1e-9:
            break
    return a, b, aa, ab, bb
