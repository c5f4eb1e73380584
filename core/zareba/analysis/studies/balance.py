"""Find the value of one number of a scenario at which a side wins half of its games, with an interval.

Games are first played at values spread over a range, then at values near the even point. A logistic curve through all
of them gives the even value, and Fieller's theorem its interval.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from zareba.analysis.statistics.intervals import Z
from zareba.authoring.even_forces import AS_WRITTEN, scenario_with_forces
from zareba.base.errors import ZarebaError, unknown_name
from zareba.base.grammar import agreeing, amount, in_a_sentence, percent
from zareba.scenario import Scenario

_VALUES = 5
"""Number of values tried in one round."""
LEAST_FORCES = 25
"""The smallest balance of forces that is tried by default: the first side keeps a quarter of its figures."""


@dataclass(frozen=True, slots=True)
class BalanceParameter:
    """A number of a scenario: its path, its present value and the range to search."""

    name: str
    """The number as in `--by`, such as `b_left.figures`."""
    path: tuple[str, ...]
    """The keys that lead to it in the scenario file; empty for `forces`, which changes many numbers."""
    now: int
    low: int
    high: int

    def scenario_with(self, scenario: Scenario, value: int) -> str:
        """Return the text of the scenario file with this value."""
        if not self.path:
            return scenario_with_forces(scenario, value)
        data = scenario.model_dump(mode="json", exclude_unset=True)
        inner: dict[str, Any] = data
        for key in self.path[:-1]:
            inner = inner[key]
        inner[self.path[-1]] = value
        return json.dumps(data, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class BalanceTrial:
    """A value with the number of games played at it and won by the side. A draw is half a win."""

    value: int
    games: int
    wins: float


@dataclass(frozen=True, slots=True)
class EvenValue:
    """The value at which a side wins half of its games, with its 95 % interval. A limit of None is unbounded.

    `value` is None if there is no such value in the range that was tried.
    """

    value: float | None
    low: float | None
    high: float | None


def balance_parameter(scenario: Scenario, by: str, low: int | None = None, high: int | None = None) -> BalanceParameter:
    """Return the number named by `by`: `forces`, `turns`, `UNIT.figures` or `OBJECTIVE.points`.

    `forces` is the balance of forces (`zareba.authoring.even_forces.scenario_with_forces`). Raises ZarebaError for
    other names.
    """
    name, _, what = by.partition(".")
    path: tuple[str, ...]
    if by == "forces":
        path, now, most = (), AS_WRITTEN, 2 * AS_WRITTEN - 1
        low, high = low or LEAST_FORCES, high or 2 * AS_WRITTEN - LEAST_FORCES
    elif by == "turns":
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
        raise ZarebaError(
            f"'{by}' is not a number that can be varied; write forces, turns, UNIT.figures or OBJECTIVE.points"
        )
    first = low if low is not None else max(1, now // 3)
    last = high if high is not None else min(most, max(now + 4, 3 * now))
    if not 1 <= first < last <= most:
        raise ZarebaError(f"--from {first} --to {last} is not a valid range; {by} can be 1 to {most} and is {now} now")
    return BalanceParameter(by, path, now, first, last)


def next_values(parameter: BalanceParameter, trials: Sequence[BalanceTrial]) -> list[int]:
    """Return the values to try next: first spread over the whole range, then around the estimated even value."""
    low, high = float(parameter.low), float(parameter.high)
    if trials:
        even = even_value(trials, parameter)
        if even.value is not None:
            half_width = max(
                2.0, min(even.value - (even.low or low), (even.high or high) - even.value, (high - low) / 4)
            )
            low, high = max(low, even.value - half_width), min(high, even.value + half_width)
    steps = [low + (high - low) * step / (_VALUES - 1) for step in range(_VALUES)]
    return list(dict.fromkeys(round(step) for step in steps))


def even_value(trials: Sequence[BalanceTrial], parameter: BalanceParameter) -> EvenValue:
    """Return the value at which the fitted curve crosses one half."""
    middle, scale = (parameter.low + parameter.high) / 2, (parameter.high - parameter.low) / 2
    # The values are scaled to -1 for the lowest and 1 for the highest.
    a, b, aa, ab, bb = _logistic([((trial.value - middle) / scale, trial.games, trial.wins) for trial in trials])
    if b == 0 or abs(-a / b) > 1.05:  # outside the range, with some tolerance
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
    """Fit a logistic curve. Return its intercept, slope, their variances and covariance (a, b, var a, cov, var b).

    Half a win and half a loss are added at each value.
    """
    a = b = 0.0
    smoothed = [(x, games + 1.0, wins + 0.5) for x, games, wins in rows]
    aa = ab = bb = 0.0
    for _ in range(50):
        ga = gb = haa = hab = hbb = 0.0
        for x, games, wins in smoothed:
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


def even_sentence(
    parameter: BalanceParameter, even: EvenValue, side: str, trials: Sequence[BalanceTrial], names: Sequence[str]
) -> str:
    """Describe the result of a balance study in words.

    `side` is the name of the side whose wins were counted, `names` those of both sides in the order of the scenario.
    """
    if even.value is None:
        values = [trial.value for trial in trials]
        ends = " and ".join(f"{percent(_share_at(value, trials))} at {value}" for value in (min(values), max(values)))
        return (
            f"No value of {parameter.name} from {parameter.low} to {parameter.high} makes the battle even."
            f" {side} {agreeing(side, 'wins', 'win')} {ends}.{_meaning(parameter, min(values), names)}{_meaning(parameter, max(values), names)} Try a wider range with --from and --to, or another number."
        )
    if even.low is None or even.high is None:
        return (
            f"{amount(sum(trial.games for trial in trials), 'game')} do not show that a change of {parameter.name} changes who wins (95 % confidence)."
            f" The best estimate for an even battle is {even.value:.1f}; it is {parameter.now} now."
            f"{_meaning(parameter, even.value, names)} Play more --games, or try a wider range with --from and --to."
        )
    half = f"{side} {agreeing(side, 'wins', 'win')} half of the games with {parameter.name} at {even.value:.1f}"
    return f"{half} ({_interval(parameter, even.low, even.high)}); it is {parameter.now} now.{_meaning(parameter, even.value, names)}"


def _meaning(parameter: BalanceParameter, value: float, names: Sequence[str]) -> str:
    """Return a sentence on what a value of the forces leaves a side; "" for another number."""
    left = figures_left(parameter, value, names)
    return f" At {round(value, 1):g} {left}." if left else ""


def figures_left(parameter: BalanceParameter, value: float, names: Sequence[str]) -> str:
    """Return what a value of the forces leaves a side; "" for another number, whose name says what it is."""
    if parameter.name != "forces":
        return ""
    name, left = (names[0], value) if value <= 100 else (names[1], 200 - value)
    return f"{in_a_sentence(name)} {agreeing(name, 'has', 'have')} {percent(left / 100)} of the figures"


def _interval(parameter: BalanceParameter, low: float, high: float) -> str:
    """Describe the 95 % confidence interval. A limit beyond the values tried is not given as a number, because no game
    was played there.
    """
    if low < parameter.low and high > parameter.high:
        return f"the 95 % confidence interval goes beyond all values tried, {parameter.low} to {parameter.high}"
    if low < parameter.low:
        return (
            f"95 % confidence interval: up to {high:.1f}, and down to below {parameter.low}, the smallest value tried"
        )
    if high > parameter.high:
        return f"95 % confidence interval: from {low:.1f} to above {parameter.high}, the largest value tried"
    return f"95 % confidence interval {low:.1f} to {high:.1f}"


def _share_at(value: int, trials: Sequence[BalanceTrial]) -> float:
    """Return the share of all games with a value that were won."""
    rounds = [trial for trial in trials if trial.value == value]
    return sum(trial.wins for trial in rounds) / sum(trial.games for trial in rounds)
