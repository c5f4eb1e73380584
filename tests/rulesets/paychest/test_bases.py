"""Bases never overlap after a move: men who put down loads, run, or go round impassable ground (PAY-007)."""

from __future__ import annotations

from itertools import combinations
from math import dist

import pytest
from tests.rulesets.paychest.stage import Scene, bare_unit, red, scene

from zareba_rulesets.paychest.actions.loads import handle
from zareba_rulesets.paychest.chapters.marching import Mover, march
from zareba_rulesets.paychest.chapters.melee import apply_card
from zareba_rulesets.paychest.chapters.morale import fall_back
from zareba_rulesets.paychest.forces.formation import bases_near


def apart(place: Scene) -> bool:
    """Return True if no two bases on the board overlap."""
    everywhere = (-100.0, -100.0, 200.0, 200.0)
    found = bases_near(place.battle, everywhere)
    return all(dist(a[:2], b[:2]) >= a[2] + b[2] - 1e-5 for a, b in combinations(found, 2))


@pytest.mark.rule("PAY-007", "PAY-074")
@pytest.mark.parametrize("x", [18.8, 19.5, 20.5, 21.0, 21.2])
def test_who_runs_past_a_comrade_put_down_stands_clear_of_him(x: float) -> None:
    place = scene(bare_unit("blue", "blue", [(20.0, 20.0), (x, 14.0), (20.0, 20.0)], kind="irregular"))
    carrier, comrade = place.figure("blue.1"), place.figure("blue.3")
    comrade.mark("lame")
    carrier.loads = ("blue.3",)
    place.unit("blue").measure()
    place.play(fall_back, place.battle, place.unit("blue"), 2, backs=True, script=[("forced move", [3, 3])])
    assert not place.figure("blue.1").loads and carrier.at == (20.0, 26.0)
    assert comrade.at is not None and dist(comrade.at, (20.0, 20.0)) < 2.0
    assert apart(place)


@pytest.mark.rule("PAY-007", "PAY-070")
def test_who_goes_round_closed_ground_and_finds_no_room_stands_on_nobody() -> None:
    """The man's path runs east along the bank, through a rank of friends that begins east of his start."""
    rank = bare_unit("rank", "red", [(23.4 + number, 13.3) for number in range(5)])
    pond = {"pond": ("deep_water", [(12.0, 14.0), (28.0, 14.0), (28.0, 30.0), (12.0, 30.0)])}
    place = scene(bare_unit("red", "red", [(20.0, 13.8)]), rank, areas=pond)
    runner = place.figure("red.1")
    march(place.battle, place.unit("red"), [Mover(runner, 7.0)], (20.0, 36.0))
    assert runner.at is not None and runner.at[0] > 21.0
    assert apart(place)


@pytest.mark.rule("PAY-073", "PAY-078")
def test_a_rider_is_not_carried() -> None:
    place = scene(bare_unit("red", "red", [(20.0, 10.0)]), bare_unit("horse", "red", [(21.2, 10.0)], mount="horse"))
    place.figure("horse.1").mark("lame")
    place.unit("horse").measure()
    place.play(handle, place.battle, place.unit("red"), {}, before=True)
    assert place.figure("red.1").loads == ()
    assert place.figure("horse.1").walks


@pytest.mark.rule("PAY-007", "PAY-216")
def test_a_comrade_lies_where_he_was_when_his_bearer_is_killed_under_him() -> None:
    place = scene(red(2))
    bearer, comrade = place.figure("red.1"), place.figure("red.2")
    comrade.mark("lame")
    comrade.at, bearer.loads = bearer.at, ("red.2",)
    place.unit("red").measure()
    assert place.unit("red").able == [bearer, comrade]
    place.play(apply_card, place.battle, bearer, "killed", "fire", [])
    assert place.figure("red.2").at == (20.0, 10.0)  # a dead man has no base
