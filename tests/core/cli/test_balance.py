"""`zareba balance` on the command line."""

from __future__ import annotations

import json
from typing import Any

import pytest

from zareba.analysis.studies.balance import BalanceParameter, BalanceTrial, EvenValue, even_sentence, even_value

ASKED = (
    "balance",
    "patrol_clash",
    "--ruleset=vcc",
    "--by=fusiliers.figures",
    "--agent=random",
    "--jobs=1",
    "--games=30",
)

NAMES = ("The patrol", "The ambushers")


def test_balance_prints_the_trials_and_the_even_value(run: Any) -> None:
    found = json.loads(run(*ASKED, "--json").stdout)
    assert (found["side"], found["now"], found["games"]) == (
        "patrol",
        14,
        sum(trial["games"] for trial in found["trials"]),
    )
    assert {trial["value"] for trial in found["trials"]} >= {4, 42}
    again = run(*ASKED)
    assert "fusiliers.figures" in again.stdout and "fusiliers.figures 4: the patrol won" in again.stderr


def test_wrong_names_are_reported(run: Any) -> None:
    assert "fusiliers" in run(*ASKED[:3], "--by=fusilier.figures").stderr
    assert "tribesmen" in run(*ASKED, "--side=tribesman").stderr


def test_forces_are_brought_to_equal_points_first(run: Any) -> None:
    asked = [word.replace("fusiliers", "swordsmen") for word in ASKED]
    result = run(*asked, "--equal-points", "--json")
    found = json.loads(result.stdout)
    assert found["title"].endswith("forces of equal points") and found["now"] == 25
    assert "no rulebook here prices units" in result.stderr and "swordsmen 24 to 25" in result.stderr
    assert "equal_points.yaml" not in result.stderr, "no value makes it even"


def test_balance_reports_all_rounds_and_only_tested_values() -> None:
    knob = BalanceParameter("turns", ("turns",), 10, 4, 30)
    tried = [BalanceTrial(4, 4, 4.0), BalanceTrial(30, 4, 4.0), BalanceTrial(4, 4, 2.0), BalanceTrial(30, 4, 3.0)]
    nowhere = even_sentence(knob, EvenValue(None, None, None), "The patrol", tried, NAMES)
    assert "wins 75\u00a0% at 4 and 88\u00a0% at 30" in nowhere

    def said(low: float | None, high: float | None) -> str:
        return even_sentence(knob, EvenValue(9.7, low, high), "The patrol", tried, NAMES)

    assert "at 9.7 (95 % confidence interval 5.2 to 17.2);" in said(5.2, 17.2)
    assert "up to 17.2, and down to below 4, the smallest value tried);" in said(-9.2, 17.2)
    assert "from 5.0 to above 30, the largest value tried);" in said(5.0, 44.0)
    assert "goes beyond all values tried, 4 to 30);" in said(-9.2, 44.0)


def test_without_an_interval_no_limit_is_named() -> None:
    """The games hardly differ from value to value, so that Fieller's method gives no limits."""
    knob = BalanceParameter("turns", ("turns",), 10, 4, 30)
    tried = [BalanceTrial(4, 20, 9.0), BalanceTrial(17, 20, 11.0), BalanceTrial(30, 20, 11.0)]
    even = even_value(tried, knob)
    assert even.value is not None and even.low is None and even.high is None
    said = even_sentence(knob, even, "The patrol", tried, NAMES)
    assert said.startswith("60 games do not show that a change of turns changes who wins (95 % confidence).")
    assert "above" not in said and "below" not in said


@pytest.mark.parametrize(
    ("value", "left"),
    [(97.6, "At 97.6 the patrol has 98\u00a0%"), (130.0, "At 130 the ambushers have 70\u00a0%")],
)
def test_a_number_of_forces_is_explained(value: float, left: str) -> None:
    knob = BalanceParameter("forces", (), 100, 40, 160)
    told = even_sentence(knob, EvenValue(value, 60.0, 140.0), "The patrol", [BalanceTrial(100, 4, 2.0)], NAMES)
    assert f"it is 100 now. {left} of the figures." in told


def test_forces_are_explained_if_no_balance_makes_the_battle_even() -> None:
    knob = BalanceParameter("forces", (), 100, 40, 160)
    tried = [BalanceTrial(40, 4, 4.0), BalanceTrial(160, 4, 3.0)]
    told = even_sentence(knob, EvenValue(None, None, None), "The patrol", tried, NAMES)
    assert (
        "No value of forces from 40 to 160 makes the battle even. The patrol wins 100\u00a0% at 40 and 75\u00a0% at 160."
        in told
    )
    assert "At 40 the patrol has 40\u00a0% of the figures. At 160 the ambushers have 40\u00a0% of the figures." in told
