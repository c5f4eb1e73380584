"""The AI's plan for objectives: which unit holds which place at the end, and when it must set out."""

from __future__ import annotations

from math import dist
from typing import Any

from tests.rulesets.paychest.stage import bare_unit, game, row, scene

from zareba.table import Choose
from zareba_rulesets.paychest.chapters.movement import Destinations
from zareba_rulesets.paychest.evaluation import evaluate
from zareba_rulesets.paychest.forces.battle import Battle, Goal
from zareba_rulesets.paychest.forces.objective_claims import claim_of, strangers_at
from zareba_rulesets.paychest.forces.unit_goals import UnitGoals

HILL = Goal("hill", "hold", ("red",), 3, (20.0, 20.0), 4.0, due=12)
KNOLL = Goal("knoll", "hold", ("red", "blue"), 1, (40.0, 20.0), 4.0, due=12)


def at_turn(turn: int, *units: Any, goals: tuple[Goal, ...] = (HILL, KNOLL)) -> Battle:
    battle = scene(*units).battle
    battle.turn, battle.goals = turn, goals
    return battle


def test_who_cannot_walk_is_left_out_of_the_middle() -> None:
    unit = bare_unit("red", "red", row(3))
    unit.figures["red.3"].at = (50.0, 40.0)
    unit.figures["red.3"].mark("lame")
    unit.measure()
    assert unit.standing.middle == (20.6, 20.0)


def test_each_place_gets_the_unit_that_is_nearest_when_it_is_time_to_go() -> None:
    near, far = bare_unit("near", "red", row(4, 20.0, 28.0)), bare_unit("far", "red", row(4, 30.0, 28.0))
    early = at_turn(5, near, far)
    assert claim_of(early, near) is None and claim_of(early, far) is None
    late = at_turn(10, near, far)
    assert claim_of(late, near) == HILL and claim_of(late, far) == KNOLL
    purpose = UnitGoals(late, far).purpose
    assert purpose is not None and (purpose.kind, purpose.at) == ("claim", KNOLL.at)


def test_a_place_that_only_the_enemy_may_score_is_denied_to_him() -> None:
    blue = bare_unit("blue", "blue", row(4, 20.0, 28.0))
    assert claim_of(at_turn(11, blue, goals=(HILL,)), blue) == HILL


def test_routers_claim_nothing_and_one_man_only_what_is_free() -> None:
    unit, chief = bare_unit("red", "red", row(4, 20.0, 24.0)), bare_unit("chief", "red", [(20.0, 30.0)])
    battle = at_turn(11, unit, chief, goals=(HILL,))
    unit.rout = "rout_3d6_rally_7"
    assert claim_of(battle, unit) is None and claim_of(battle, chief) == HILL
    watched = at_turn(11, unit, chief, bare_unit("blue", "blue", [(20.0, 12.0)]), goals=(HILL,))
    assert claim_of(watched, chief) is None


def test_an_enemy_on_the_place_is_driven_out_before_a_nearer_one_beside_it() -> None:
    red = bare_unit("red", "red", row(6, 17.0, 26.0))
    inside, beside = bare_unit("inside", "blue", [(20.0, 20.0)]), bare_unit("beside", "blue", [(20.0, 29.0)])
    battle = at_turn(12, red, inside, beside, goals=(HILL,))
    assert [figure.spec.id for _, figure in strangers_at(battle, "red", HILL)] == ["inside.1"]
    foe = UnitGoals(battle, red).intruder
    assert foe is not None and foe.spec.id == "inside.1"
    worths = evaluate(battle, Choose("move", "PAY-067", "red", "red", ("halt", "advance", "run"), ()))
    totals = [one.inflicts - one.suffers + one.ground + one.steadies for one in worths]
    assert totals.index(max(totals)) > 0


def test_a_dearer_prize_close_by_comes_before_the_way_home() -> None:
    match = game("paychest_raid")
    battle = match.start()
    unit = battle.change("horsemen")
    for number, figure in enumerate(unit.figures.values()):
        figure.at = (28.0 + number % 4 * 1.6, 16.0 + number // 4 * 1.6)
    unit.measure()
    mule = next(key for key, thing in battle.things.items() if thing.goal == "mules")
    first = next(iter(unit.figures))
    battle.change_thing(mule).carrier = first
    chest = next(key for key, thing in battle.things.items() if thing.goal == "paychest")
    battle.change_thing(chest).at = (30.0, 24.0)
    near = UnitGoals(battle, unit).purpose
    assert near is not None and (near.kind, near.at) == ("carry_off", (30.0, 24.0))
    battle.change_thing(chest).at = (30.0, 2.0)
    home = UnitGoals(battle, unit).purpose
    assert home is not None and home.kind == "prize"


def test_riders_make_for_those_whom_they_can_ride_at_and_get_down_before_a_house() -> None:
    riders = bare_unit("red", "red", row(4, 20.0, 10.0, 1.6), mount="horse")
    house = {"house": ("building", [(18.0, 16.0), (26.0, 16.0), (26.0, 24.0), (18.0, 24.0)])}
    indoors, outdoors = (
        bare_unit("indoors", "blue", row(3, 20.0, 20.0)),
        bare_unit("outdoors", "blue", row(3, 40.0, 30.0)),
    )
    battle = scene(riders, indoors, outdoors, areas=house).battle
    battle.turn, battle.goals = 3, (Goal("house", "hold", ("red",), 3, (22.0, 20.0), 4.0, due=12),)
    foe = UnitGoals(battle, riders).enemy
    assert foe is not None and foe.spec.unit == "outdoors"
    points = Destinations(battle, riders, riders.standing.middle, 17.0, "mounted")
    assert min(dist(point, (22.0, 20.0)) for point in points) < dist(riders.standing.middle, (22.0, 20.0))
    options = ("halt", ("mount", "down"))
    stay, down = evaluate(battle, Choose("move", "PAY-067", "red", "red", options, ()))
    assert down.ground > stay.ground


def test_claims_are_what_a_look_at_every_unit_says() -> None:
    """The most valuable place goes first to the nearest free unit, once that unit must set out or come too late."""
    from math import ceil
    from random import Random

    chance = Random(5)
    claimed = 0
    for _ in range(60):
        units = [
            bare_unit(f"{side}{n}", side, row(chance.randint(1, 4), chance.uniform(2, 50), chance.uniform(2, 46)))
            for side in ("red", "blue")
            for n in range(4)
        ]
        battle = at_turn(chance.randint(4, 12), *units)
        units[chance.randrange(4)].rout = "rout_3d6_rally_7"
        free, expected = [unit for unit in units if unit.spec.side == "red" and not unit.rout], {}
        for goal in (HILL, KNOLL):
            assert goal.at is not None
            lone = not strangers_at(battle, "red", goal, 6.0)
            able = [(dist(unit.standing.middle, goal.at), unit.spec.id) for unit in free if len(unit.able) > 1 or lone]
            away, name = min(able, default=(0.0, ""))
            if name and goal.due - battle.turn <= ceil(max(0.0, away - goal.radius) / 6.0) + 1:
                expected[name] = goal
                free = [unit for unit in free if unit.spec.id != name]
        found = {unit.spec.id: claim_of(battle, unit) for unit in units if unit.spec.side == "red"}
        assert {name: goal for name, goal in found.items() if goal is not None} == expected
        claimed += len(expected)
    assert 20 < claimed < 100
