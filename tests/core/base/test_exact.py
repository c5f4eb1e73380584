"""Arithmetic that gives the same result on every Python version and platform, and is as accurate as floats allow."""

from __future__ import annotations

import builtins
import math
from collections.abc import Iterable
from random import Random
from typing import Any

import pytest

from zareba.agents import make_agent
from zareba.base import exact
from zareba.registry import load_rules, ruleset_names
from zareba.scenario import load_scenario
from zareba.table import SeededTable


def test_floats_are_added_from_left_to_right_without_correction() -> None:
    assert exact.total([0.1] * 10) == 0.9999999999999999
    assert exact.total([1e16, 1.0, -1e16]) == 0.0
    assert exact.total([]) == 0


def test_lengths_are_the_root_of_the_sum_of_squares() -> None:
    # math.hypot gives 12.48 up to Python 3.11 and one bit less from 3.12 on
    assert exact.hypot(11.52, -4.8) == exact.dist((11.52, 0.0), (0.0, 4.8)) == math.sqrt(11.52 * 11.52 + 4.8 * 4.8)
    assert exact.hypot(3.0, -4.0) == 5.0


@pytest.mark.parametrize("quarter", range(-8, 9))
def test_quarter_turns_are_exact(quarter: int) -> None:
    assert exact.sind(90 * quarter) == [0.0, 1.0, 0.0, -1.0][quarter % 4]
    assert exact.cosd(90 * quarter) == [1.0, 0.0, -1.0, 0.0][quarter % 4]


def test_angles_agree_with_the_c_library() -> None:
    random = Random(1)
    for _ in range(2_000):
        angle, x, y = random.uniform(-720, 720), random.gauss(0, 20), random.gauss(0, 20)
        assert exact.sind(angle) == pytest.approx(math.sin(math.radians(angle)), abs=4e-15)
        assert exact.cosd(angle) == pytest.approx(math.cos(math.radians(angle)), abs=4e-15)
        assert exact.atan2d(y, x) == pytest.approx(math.degrees(math.atan2(y, x)), rel=1e-15, abs=1e-13)
        sine = random.uniform(-1, 1)
        assert exact.asind(sine) == pytest.approx(math.degrees(math.asin(sine)), abs=1e-13)
        assert exact.acosd(sine) == pytest.approx(math.degrees(math.acos(sine)), abs=1e-13)
        assert exact.power(sine, 5) == pytest.approx(sine**5, rel=1e-14)


@pytest.mark.parametrize(
    ("y", "x", "angle"), [(0, 0, 0), (0, 2, 0), (0, -2, 180), (2, 0, 90), (-2, 0, -90), (2, 2, 45), (-2, -2, -135)]
)
def test_angles_of_the_eight_winds_are_exact(y: float, x: float, angle: float) -> None:
    assert exact.atan2d(y, x) == angle


def test_sines_beyond_one_by_rounding_count_as_one() -> None:
    assert exact.acosd(1.0000000000000002) == 0.0
    assert exact.asind(-1.0000000000000002) == -90.0


def test_the_last_bits_are_the_same_on_every_platform() -> None:
    """The expected bits are fixed: on a platform where this fails, games play differently."""
    values = [f(0.37 * step) for step in range(1, 400) for f in (exact.sind, exact.cosd)]
    values += [exact.atan2d(math.sqrt(step), 7.3) for step in range(1, 400)]
    values += [f(step / 401) for step in range(1, 400) for f in (exact.asind, exact.acosd)]
    values += [exact.hypot(0.48 * step, 1.17 * step) for step in range(1, 400)]
    assert exact.total(values).hex() == "0x1.397a4f4ef549ap+17"


@pytest.mark.parametrize("ruleset", ruleset_names())
def test_no_floats_are_added_by_the_built_in_sum(ruleset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Since Python 3.12 the built-in `sum` compensates rounding errors, so games would differ between versions."""
    add = builtins.sum

    def watched(values: Iterable[Any], /, start: Any = 0) -> Any:
        found = list(values)
        assert not any(isinstance(value, float) for value in found), "add floats with zareba.base.exact.total"
        return add(found, start)

    monkeypatch.setattr(builtins, "sum", watched)
    game = load_rules(ruleset).game(load_scenario("patrol_clash"))
    for kind in ("random", "doctrine"):
        state = game.start()
        table = SeededTable(game.rules, state, 3, {seat: make_agent(kind, game, seat, 3) for seat in game.seats})
        while (step := game.play.next_step(state)) is not None and step.turn <= 4:
            table.begin(step)
            game.play.perform(table, state, step)
        game.play.outcome(state)
        assert any(game.strength(state).values())
