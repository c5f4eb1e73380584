"""Carters and other non-combatants stay behind fighting units, and drive or push only where there is a path."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.paychest.stage import Scene, bare_unit, blue, game, red, row, scene

from zareba.table import Choose, Place
from zareba_rulesets.paychest.actions.moving import move_unit
from zareba_rulesets.paychest.chapters.movement import Destinations
from zareba_rulesets.paychest.evaluation import evaluate
from zareba_rulesets.paychest.forces.battle import Battle, Engine, Goal
from zareba_rulesets.paychest.forces.objective_claims import claim_of
from zareba_rulesets.paychest.forces.safe_places import can_fight
from zareba_rulesets.paychest.forces.unit_goals import UnitGoals

DRIVE = ("drive", "cart", "run")
HILL = Goal("hill", "hold", ("red",), 3, (20.0, 44.0), 2.0, due=15)
THROUGH = Goal("through", "escort", ("red",), 5, None, 0.0, edge="north", units=("red",), due=15)


def carters(*units: Any, goal: Goal, weapons: tuple[str, ...] = (), **more: Any) -> Battle:
    """A cart of red's at (20, 18) with a driver and his companion, and other units around it."""
    cart = Engine("wagon", "cart", "red", "red", (20.0, 18.0), mount="", aboard=("red.1", "red.2"))
    place = scene(bare_unit("red", "red", [(20.0, 18.0)] * 2, weapons=weapons), *units, engines={"cart": cart}, **more)
    for name in ("red.1", "red.2"):
        place.figure(name).aboard = "cart"
    place.battle.goals = (goal,)
    return place.battle


def friends(y: float, x: float = 24.0) -> Any:
    return bare_unit("guard", "red", row(6, x, y))


def choice(battle: Battle, *options: Any) -> Any:
    worths = evaluate(battle, Choose("move", "PAY-067", "red", "red", options, ()))
    return options[max(range(len(options)), key=lambda n: worths[n].total)]


def test_who_cannot_fight_has_no_place_to_hold_and_goes_behind_those_who_can() -> None:
    battle = carters(friends(10.0, 32.0), blue(6, y=34.0), goal=HILL)
    purpose = UnitGoals(battle, battle.unit("red")).purpose
    assert purpose is not None and purpose.kind == "refuge" and purpose.at[1] < 10.0
    assert choice(battle, "halt", DRIVE) == DRIVE
    points = Destinations(battle, battle.unit("red"), (20.0, 18.0), 9.0, "wheels")
    worths = evaluate(battle, Place("drive to", "PAY-084", "red", "red", tuple(points), lambda _: None))
    best = max(range(len(points)), key=lambda n: worths[n].total)
    assert points[best][1] < 10.0
    armed = carters(friends(10.0), blue(6, y=34.0), goal=HILL, weapons=("rifle",))
    hill = UnitGoals(armed, armed.unit("red")).purpose
    assert hill is not None and hill.kind == "hold"


@pytest.mark.parametrize("others", [[friends(24.0), blue(6, y=34.0)], [blue(6, y=46.0)]])
def test_behind_friends_or_far_from_the_enemy_they_stay(others: list[Any]) -> None:
    battle = carters(*others, goal=HILL)
    purpose = UnitGoals(battle, battle.unit("red")).purpose
    assert purpose is not None and purpose.kind == "post"
    assert choice(battle, "halt", DRIVE) == "halt"


def test_without_friends_they_go_away_from_the_enemy() -> None:
    battle = carters(blue(6, y=34.0), goal=HILL)
    purpose = UnitGoals(battle, battle.unit("red")).purpose
    assert purpose is not None and purpose.kind == "refuge" and purpose.at[1] < 18.0


@pytest.mark.parametrize(
    ("guard", "enemy", "turn", "goes"),
    [(10.0, 20.0, 3, False), (31.0, 20.0, 3, True), (10.0, 20.0, 12, True), (10.0, 52.0, 3, True)],
)
def test_carts_that_are_to_cross_wait_for_their_friends_till_the_turns_run_out(
    guard: float, enemy: float, turn: int, goes: bool
) -> None:
    battle = carters(friends(guard), bare_unit("blue", "blue", row(6, enemy, 38.0)), goal=THROUGH)
    battle.turn = turn
    assert (choice(battle, "halt", DRIVE) == DRIVE) is goes


def test_an_escort_counts_to_the_last_turn() -> None:
    goals = game("river_ford").origin.goals
    assert next(goal for goal in goals if goal.kind == "escort").due == game("river_ford").scenario.turns


def test_who_cannot_fight_claims_no_place_at_the_end() -> None:
    battle = carters(friends(10.0), blue(6, y=46.0), goal=HILL)
    battle.turn = 12
    assert claim_of(battle, battle.unit("red")) is None
    assert claim_of(battle, battle.unit("guard")) is HILL


def test_half_of_a_unit_with_weapons_fight() -> None:
    unit = bare_unit("red", "red", row(3), weapons=("knife",))
    unit.figures["red.1"].weapons = ()
    assert can_fight(unit)
    unit.figures["red.2"].weapons = ()
    assert not can_fight(unit)


RIVER = {"river": ("deep_water", [(0.0, 30.0), (60.0, 30.0), (60.0, 33.0), (0.0, 33.0)])}


@pytest.mark.parametrize(("areas", "crowd", "goes"), [(None, False, True), (RIVER, False, False), (None, True, False)])
def test_no_gun_is_pushed_where_there_is_no_way_or_no_room(areas: Any, crowd: bool, goes: bool) -> None:
    place: Scene = scene(
        red(4),
        *([bare_unit("others", "red", row(4, 19.5, 13.1))] if crowd else []),
        areas=areas,
        engines={"gun": Engine("machine_gun", "gun", "red", "red", (21.0, 11.4))},
    )
    place.battle.goals = (HILL,)
    assert (choice(place.battle, "halt", ("push", "gun")) != "halt") is goes


@pytest.mark.rule("PAY-007", "PAY-084")
@pytest.mark.parametrize("inches", [[2, 3], [1, 1], [3, 4], [5, 6]])
def test_a_cart_without_room_ahead_is_told_to_have_gone_nowhere(inches: list[int]) -> None:
    crowd = bare_unit("others", "red", [(20.0 + x, 20.1 + 1.1 * n) for n in range(20) for x in (-2.2, -1.1, 0.0, 1.1)])
    cart = Engine("wagon", "cart", "red", "red", (20.0, 18.0), mount="", aboard=("red.1",))
    place = scene(bare_unit("red", "red", [(20.0, 18.0)], weapons=()), crowd, engines={"cart": cart})
    place.figure("red.1").aboard = "cart"
    script = [("move", ("drive", "cart", "advance")), ("wagon advances", inches), ("drive to", (17.5, 38.0))]
    place.play(move_unit, place.battle, place.unit("red"), script=[*script, ("posture", "up")])
    assert place.battle.engines["cart"].at == (20.0, 18.0)
    assert place.told("stayed") and not place.told("drives")


@pytest.mark.rule("PAY-086")
def test_carters_whom_an_enemy_touches_rise_once() -> None:
    battle = carters(bare_unit("blue", "blue", [(20.0, 24.0)]), goal=HILL)
    battle.engines["cart"].moved = "advance"
    for figure in battle.unit("red").able:
        figure.mark("down")
    place = Scene(battle.book.rules, battle)
    script = [("move", "run"), ("foot advances", 12), ("foot runs on", 6), ("move to", (20.0, 18.0))]
    place.play(move_unit, battle, battle.unit("blue"), script=script)
    assert place.told("gets up") == [{"unit": "red", "figures": 2}]
