"""Sensitivity to each number: every step, numbers a battle does not use, the budget, and the false discovery rate."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from tests.core.analysis.fabricated import SIDES, run_games

from zareba.analysis.compare import compare
from zareba.analysis.games.records import GameRecord, Variant
from zareba.analysis.statistics.intervals import benjamini_hochberg
from zareba.analysis.studies.sensitivity import (
    FEWEST_GAMES,
    TRIAL_GAMES,
    MovedNumber,
    measure_effects,
    move_numbers,
    numbers_with_effect,
    plan,
)
from zareba.base.errors import ZarebaError
from zareba.registry import load_rules

AGENTS = tuple((side, "random") for side in SIDES)


def test_adjusted_p_values_equal_those_of_scipy() -> None:
    from scipy.stats import false_discovery_control

    luck = random.Random(3)
    for size in (1, 2, 7, 40):
        p = [luck.random() ** 3 for _ in range(size)]
        assert benjamini_hochberg(p) == pytest.approx(list(false_discovery_control(p, method="bh")), abs=1e-12)


def test_every_number_is_tried_one_step_up_and_down_unless_refused(tmp_path: Path) -> None:
    rules = load_rules("vcc")
    found, refused = move_numbers(rules, "rocket.*", tmp_path)
    steps = {(move.path, move.to) for move in found}
    assert {("rocket.on_target", 4), ("rocket.on_target", 6)} <= steps
    assert len(found) + len(refused) == 2 * len(
        {move.path for move in found} | {step.partition("=")[0] for step in refused}
    )
    settings, _ = move_numbers(rules, "hits_per_base", tmp_path)
    assert [(setting.was, setting.to) for setting in settings] == [(6, 5), (6, 7)]
    for pattern, answer in (
        ("elephants.*", "no number or group of numbers of vcc 'elephants'"),
        ("tallies.fire.*", "did you mean 'tallies.fire_dice'"),
        ("rocket", r"is a group of numbers; write 'rocket\.\*'"),
    ):
        with pytest.raises(ZarebaError, match=answer):
            move_numbers(rules, pattern, tmp_path)


def played(*bites: float, games: int) -> tuple[list[MovedNumber], dict[str, list[GameRecord]]]:
    variants = [Variant("base", "mild"), *(Variant(f"bite={bite}", "mild", (("bite", bite),)) for bite in bites)]
    run = compare("toy", variants, games, 3, 1, AGENTS, run_games)
    found: dict[str, list[GameRecord]] = {}
    for record in run.records:
        found.setdefault(record.variant, []).append(record)
    return [MovedNumber("bite", 0.0, bite, variant) for bite, variant in zip(bites, variants[1:], strict=True)], found


def test_numbers_without_effect_are_found_by_trial_games() -> None:
    steps, games = played(0.0, 0.03, games=TRIAL_GAMES)
    assert numbers_with_effect(steps, "base", games) == steps[1:], "a bite of 0 changes no game"


def test_the_budget_is_kept_and_spread() -> None:
    for budget, numbers, left in ((6000, 250, 100), (2000, 100, 30), (500, 20, 5)):
        each = plan(budget, numbers, left)
        assert TRIAL_GAMES * (numbers + 1) + (each - TRIAL_GAMES) * (left + 1) <= budget
        assert TRIAL_GAMES * (numbers + 1) + (each + 1 - TRIAL_GAMES) * (left + 1) > budget
    assert plan(100, 20, 40) == FEWEST_GAMES


def test_most_influential_numbers_are_listed_first() -> None:
    steps, games = played(0.002, 0.05, games=60)
    ranked = measure_effects(steps, "base", games)
    assert [result.moved.to for result in ranked] == [0.05, 0.002]
    strong, weak = ranked
    assert strong.matters(0.1) and strong.games == 60
    data = strong.to_dict(0.1)
    assert set(data["effects"]) == {"who wins", "how long", "how bloody"}
    length = data["effects"]["how long"]
    by_hand = sum(a.turns - b.turns for a, b in zip(games["bite=0.05"], games["base"], strict=True)) / 60
    assert length["value"] == pytest.approx(by_hand, abs=1e-6) and length["shown"]
    assert abs(weak.effects[1].value) < abs(strong.effects[1].value)
