"""Mistakes that the doctrine AI avoids: overshooting, marching to and fro, hopeless charges (FBN-266)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.rulesets.fixed_baynet.plain import act_worth, battery, battle, field, squad

from zareba.battle.positions import MoveSuggestions
from zareba.scenario import load_scenario
from zareba.scenario.model import Escort
from zareba.table import Choose, Place
from zareba_rulesets.fixed_baynet.actions.firing import FEW
from zareba_rulesets.fixed_baynet.actions.gunnery import plot_points
from zareba_rulesets.fixed_baynet.actions.movement import ways_to_march
from zareba_rulesets.fixed_baynet.estimates import ObjectivePlace, PositionValue, SideObjectives, UnitView
from zareba_rulesets.fixed_baynet.evaluation import ActRanking, evaluate
from zareba_rulesets.fixed_baynet.forces.battle import Battle, ScenarioObject
from zareba_rulesets.fixed_baynet.forces.units import Gun, Unit

pytestmark = pytest.mark.rule("FBN-266")


def mission_of(state: Battle, *aims: ObjectivePlace) -> SideObjectives:
    """Return the objectives of a patrol that wants these places."""
    mission = SideObjectives(load_scenario("patrol_clash"), state.field)
    mission._goals = {"patrol": [(f"aim{i}", aim) for i, aim in enumerate(aims)]}
    return mission


def worth(state: Battle, unit: Unit, act: object, *aims: ObjectivePlace) -> float:
    return act_worth(UnitView(state, mission_of(state, *aims), unit), act).total  # type: ignore[arg-type]  # an act


@pytest.mark.parametrize(("goal", "goes"), [((50.0, 57.0), True), ((50.0, 51.0), False), (None, False)])
def test_with_no_enemy_in_sight_a_unit_marches_only_to_where_it_should_be(
    goal: tuple[float, float] | None, goes: bool
) -> None:
    red = squad("red", "patrol", 4, (50, 50))
    state = battle(red)
    aims = [] if goal is None else [ObjectivePlace(goal, 2.0, 3.0)]
    assert (worth(state, red, "move", *aims) > 0) is goes


@pytest.mark.rule("FBN-174")
@pytest.mark.parametrize("close", [True, False])
def test_riders_do_not_gallop_past_where_they_should_be(close: bool) -> None:
    red = squad("red", "patrol", 4, (50, 50), mounted=True, rides=True, close=close)
    state = battle(red)
    near, far = ObjectivePlace((50.0, 53.0), 1.0, 3.0), ObjectivePlace((50.0, 90.0), 1.0, 3.0)
    walk, gallop = ("ride", 1), ("ride", 3)
    for man in red.figures.values():
        man.last_gait = 2
    state.prizes["chest"] = ScenarioObject(*near.at)
    assert worth(state, red, walk, near) > 0 > worth(state, red, gallop, near)
    state.prizes["chest"] = ScenarioObject(*far.at)
    assert worth(state, red, gallop, far) > worth(state, red, walk, far) > 0
    assert worth(state, red, walk) < 0, "there is nowhere to go"


@pytest.mark.rule("FBN-208")
def test_a_gun_is_not_turned_where_there_is_nobody() -> None:
    state, red, gun = battery(crew=4)
    assert worth(state, red, ("gun turn", 0)) < 0, "the enemy is before it already"
    gun.bearing = 180.0
    assert worth(state, red, ("gun turn", 0)) > 0
    state.units["blue"].figures.clear()
    assert worth(state, red, ("gun turn", 0)) < 0


@pytest.mark.rule("FBN-208")
def test_a_gun_is_turned_as_it_stands_itself() -> None:
    """A gun turns by its own position, not by the centre of its battery."""
    state, _, gun = battery(crew=4, target=squad("blue", "blue", 3, (90, 50)))
    gun.x, gun.y = 90.0, 10.0
    ways = tuple(range(15, 360, 15))
    question = Choose("turn gun to", "FBN-208", "red 1", "red", (*ways, 0), ())
    found = evaluate(state, mission_of(state), question)
    best = max(zip(question.options, found, strict=True), key=lambda one: one[1].total)[0]
    assert best == 0


@pytest.mark.rule("FBN-265")
def test_who_is_brought_over_an_edge_goes_all_the_way() -> None:
    scenario = load_scenario("river_ford")
    goal = next(one for one in scenario.objectives.values() if isinstance(one, Escort))
    red = squad(goal.units[0], "british", 3, (50.0, 197.1), role="civilian", weapon="none")
    state = battle(red)
    mission = SideObjectives(scenario, state.field)
    assert act_worth(UnitView(state, mission, red), "move").total > 0


def charges(**ground: object) -> Iterator[tuple[Battle, Unit]]:
    for wall in (False, True):
        red = squad("red", "patrol", 6, (50, 40), "mass", weapon="spear", close=True, cs=1)
        blue = squad("blue", "tribesmen", 6, (50, 48.5), "closed", facing=180.0)
        on = field(lines=(("stone_wall", [(0.0, 44.0), (100.0, 44.0)]),)) if wall else None
        yield battle(red, blue, on=on), red


@pytest.mark.rule("FBN-044", "FBN-048")
def test_nobody_charges_who_falls_short() -> None:
    """Over a wall the whole path counts as jagged and a charge goes 4 inches, so the AI rejects it."""
    (open_, red), (walled, other) = charges()
    assert worth(open_, red, ("charge", "blue")) > 0 > worth(walled, other, ("charge", "blue"))


@pytest.mark.rule("FBN-103")
def test_a_charge_up_to_a_wall_with_the_enemy_behind_it_is_no_vain_one() -> None:
    red = squad("red", "patrol", 6, (50, 40), "mass", weapon="spear", close=True, cs=1)
    blue = squad("blue", "tribesmen", 6, (50, 48.1), "closed", facing=180.0)
    low = min(man.y for man in blue.figures.values())
    wall = field(lines=(("stone_wall", [(0.0, low - 0.55), (100.0, low - 0.55)]),))
    state = battle(red, blue, on=wall)
    assert worth(state, red, ("charge", "blue")) > 0


@pytest.mark.rule("FBN-006", "FBN-216", "FBN-226")
def test_rounds_over_their_heads_go_where_they_do_harm() -> None:
    state, red, _ = battery("medium_howitzer", crew=4, target=squad("far", "blue", 9, (50, 60)))
    state.units["near"] = squad("near", "blue", 9, (50, 35), "mass")
    points = plot_points(state, red, red.guns[0])
    question = Place("aim at point", "FBN-222", "red 1", "red", points, lambda point: None)
    found = evaluate(state, mission_of(state), question)
    best = max(zip(points, found, strict=True), key=lambda one: one[1].total)[0]
    assert best[1] < 40, "46 inches are beyond the piece, whatever anybody guesses"
    reasons = [one.reason() if callable(one.reason) else one.reason for one in found]
    assert not any(reason.startswith("0") for reason in reasons), "nobody is told which is too far (FBN-006)"
    assert worth(state, red, ("gun indirect", 0)) > 0
    del state.units["near"]
    assert worth(state, red, ("gun indirect", 0)) < 0
    state.units["near"] = squad("near", "blue", 1, (50, 35))
    state.units["friends"] = squad("friends", "red", 6, (50.5, 36))
    assert worth(state, red, ("gun indirect", 0)) < 0, "they would be under the marker"


@pytest.mark.rule("FBN-092")
def test_those_who_see_somebody_fire_though_the_man_in_the_middle_does_not() -> None:
    red = squad("red", "patrol", 12, (50, 50))
    reach = battle(red).book.bands["rifle"][2]
    state = battle(red, squad("blue", "tribesmen", 2, (red.box[2] + reach, 50), facing=180.0))
    judge = ActRanking(state, mission_of(state), red)
    fire = judge.best_of(judge.menu.kinds)["fire"]
    assert fire is not FEW and fire.total > 0


def test_nobody_turns_back_because_the_way_on_is_barred() -> None:
    """Friends fill the objective, and the only free places are farther away. The AI does not move there."""
    red = squad("red", "patrol", 1, (50, 50))
    friends = [squad(f"friend{i}", "patrol", 1, (46.0 + i, 52.0), weapon="none") for i in range(9)]
    friends += [squad(f"behind{i}", "patrol", 1, (46.0 + i, 54.0), weapon="none") for i in range(9)]
    friends += [squad(f"before{i}", "patrol", 1, (46.0 + i, 51.1), weapon="none") for i in range(9)]
    friends += [squad(f"last{i}", "patrol", 1, (46.0 + i, 53.0), weapon="none") for i in range(9)]
    for crowded in (False, True):
        state = battle(red, *(friends if crowded else ()))
        state.prizes["chest"] = ScenarioObject(50.0, 52.4)
        for friend in friends:
            friend.guns = [Gun("light_gun", 190, 190, 0, 0, 2)]  # crews get no move orders
        assert (worth(state, red, "move", ObjectivePlace((50.0, 52.4), 0.5, 3.0)) > 0) is not crowded


@pytest.mark.rule("FBN-050")
@pytest.mark.parametrize("crowded", [False, True])
def test_nobody_steps_aside_and_back_while_friends_bar_the_way_to_the_enemy(crowded: bool) -> None:
    """A step aside or back gains nothing, because the man would return with his next AC."""
    red = squad("red", "patrol", 1, (50, 50), weapon="spear", close=True)
    blue = squad("blue", "tribesmen", 4, (50, 70), facing=180.0)
    friends = [
        squad(f"friend {x} {y}", "patrol", 1, (42.0 + x, 51.2 + y), weapon="none") for x in range(17) for y in range(6)
    ]
    state = battle(red, blue, *(friends if crowded else ()))
    assert ways_to_march(state, red)[1], "ways aside and back are open"
    assert (worth(state, red, "move") > 0) is not crowded


@pytest.mark.rule("FBN-050")
def test_the_first_way_that_leads_nearer_is_taken_though_a_longer_one_was_barred() -> None:
    """The path to the place is blocked and half a step aside leads away from it. The AI takes the step towards the enemy,
    which leads nearer.
    """
    points = {0: (50.0, 48.0), 1: (52.0, 50.0)}
    full = {0: (50.0, 60.0), 1: (52.0, 50.0)}
    state = battle(squad("red", "patrol", 1, (50, 50)))
    aim = ObjectivePlace((50.0, 90.0), 1.0, 3.0)
    ground = PositionValue(UnitView(state, mission_of(state, aim), state.units["red"]))
    ways = MoveSuggestions(2, points.get, lambda point: None, ideal=full.__getitem__)
    assert ground.best(ways) == points[0], "neither leads nearer: the first that is open"
    points[1] = full[1] = (50.0, 54.0)
    ways = MoveSuggestions(2, points.get, lambda point: None, ideal=full.__getitem__)
    assert ground.best(ways) == points[1]


@pytest.mark.rule("FBN-175")
@pytest.mark.parametrize(("weapon", "far"), [("spear", 40.0), ("rifle", 40.0), ("rifle", 15.0)])
def test_riders_turn_on_the_way_only_where_they_would_ride_on(weapon: str, far: float) -> None:
    """A wall bars riders from the enemy, so they turn. Riflemen within range do not want to ride at all."""
    red = squad("red", "patrol", 3, (50, 50), mounted=True, rides=True, weapon=weapon, close=weapon == "spear")
    blue = squad("blue", "tribesmen", 3, (50, 50 + far), facing=180.0, weapon="none")
    ring = [(48.0, 48.4), (48.0, 51.6), (52.0, 51.6), (52.0, 48.4), (48.0, 48.4)]
    wished = weapon == "spear" or far > 20
    for walled in (False, True):
        on = field(lines=(("stone_wall", [(x * 2 - 50, y) for x, y in ring]),)) if walled else None
        state = battle(red, blue, on=on)
        assert (worth(state, red, ("ride", 1)) > 0) is (wished and not walled)
        assert (worth(state, red, ("wheel", 1)) > 0) is (wished and walled)


@pytest.mark.rule("FBN-265")
@pytest.mark.parametrize("mounted", [False, True])
def test_who_stands_where_he_is_wanted_stays_there_in_the_last_turn(mounted: bool) -> None:
    red = squad("red", "patrol", 4, (50, 50), mounted=mounted, rides=mounted, close=True)
    state = battle(red, squad("blue", "blue", 4, (50, 70)))
    aim, act = ObjectivePlace((50.0, 50.0), 3.0, 3.0), ("ride", 1) if mounted else "move"
    turns = mission_of(state).scenario.turns
    state.turn = turns - 1
    assert worth(state, red, act, aim) > 0
    state.turn = turns
    assert worth(state, red, act, aim) < 0


@pytest.mark.rule("FBN-052")
def test_nobody_lies_down_where_nothing_can_hurt_him() -> None:
    red = squad("red", "patrol", 4, (50, 50))
    for man in red.figures.values():
        man.ac = 1
    assert worth(battle(red), red, "lie down") < 0
