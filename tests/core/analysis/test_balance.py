"""The search for an even battle finds the balancing value with the stated confidence, or reports that there is none."""

from __future__ import annotations

import math
import random

import pytest

from zareba.analysis.studies.balance import (
    BalanceParameter,
    BalanceTrial,
    EvenValue,
    balance_parameter,
    even_value,
    next_values,
)
from zareba.base.errors import ZarebaError
from zareba.scenario import load_scenario, parse_scenario

KNOB = BalanceParameter("foot.figures", ("units", "foot", "figures"), 20, 6, 60)


def search(even: float, steep: float, luck: random.Random, games: int = 450) -> EvenValue:
    """Run three rounds against a side whose chances of winning follow a logistic curve."""
    tried: list[BalanceTrial] = []
    for _ in range(3):
        values = next_values(KNOB, tried)
        for value in values:
            chance = 1 / (1 + math.exp(-(value - even) / steep))
            each = games // 3 // len(values)
            tried.append(BalanceTrial(value, each, sum(luck.random() < chance for _ in range(each))))
    return even_value(tried, KNOB)


@pytest.mark.parametrize(("even", "steep"), [(20, 4), (35, 10), (50, 3)])
def test_the_even_value_is_found_and_its_interval_holds_it_19_times_in_20(even: float, steep: float) -> None:
    luck, held, runs, off = random.Random(7), 0, 300, 0.0
    for _ in range(runs):
        found = search(even, steep, luck)
        assert found.value is not None
        off += abs(found.value - even) / runs
        held += found.low is None or found.high is None or found.low <= even <= found.high
    assert off < 1.5 and 0.92 <= held / runs <= 0.995


def test_balance_gives_no_value_if_none_makes_it_even() -> None:
    hopeless = [BalanceTrial(value, 30, 1) for value in (6, 20, 33, 46, 60)]
    assert even_value(hopeless, KNOB) == EvenValue(None, None, None)
    assert even_value([BalanceTrial(6, 30, 15), BalanceTrial(60, 30, 15)], KNOB).low is None, (
        "the result does not depend on this number"
    )


def test_later_rounds_look_near_where_it_seems_even() -> None:
    assert next_values(KNOB, []) == [6, 20, 33, 46, 60]
    near = next_values(
        KNOB, [BalanceTrial(6, 100, 2), BalanceTrial(20, 100, 45), BalanceTrial(33, 100, 90), BalanceTrial(60, 100, 99)]
    )
    assert min(near) > 6 and max(near) < 60 and min(near) < 22 < max(near)


def test_balance_changes_only_the_named_number() -> None:
    scenario = load_scenario("patrol_clash")
    for by, value in (("turns", 9), ("fusiliers.figures", 20), ("enemy_broken.points", 7)):
        parameter = balance_parameter(scenario, by)
        turned = parse_scenario(parameter.scenario_with(scenario, value), "turned.yaml")
        assert turned.digest != scenario.digest
        assert (
            parse_scenario(balance_parameter(turned, by).scenario_with(turned, parameter.now), "back.yaml").digest
            == scenario.digest
        )


@pytest.mark.parametrize(
    ("by", "complaint"),
    [("fusilier.figures", "fusiliers"), ("hill.points", "hill"), ("weather", "UNIT.figures"), ("fusiliers.courage", "UNIT.figures")],
)  # fmt: skip
def test_balance_rejects_values_that_it_cannot_vary(by: str, complaint: str) -> None:
    with pytest.raises(ZarebaError, match=complaint):
        balance_parameter(load_scenario("patrol_clash"), by)


def test_an_empty_range_is_refused() -> None:
    with pytest.raises(ZarebaError, match="--from 30 --to 30 is not a valid range; turns can be 1 to 200"):
        balance_parameter(load_scenario("patrol_clash"), "turns", 30, 30)
