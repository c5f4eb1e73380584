"""Doctrine AI players: a reason from rule data for every choice, sensible moves, and better than random (FBN-266)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from tests.rulesets.fixed_baynet.plain import act_worth, battery, battle, book, field, house, man, rules_with, squad
from tests.rulesets.random_games import play_watched

from zareba.analysis.games.records import GameTask, Variant
from zareba.analysis.games.simulate import run_games
from zareba.base.errors import ZarebaError
from zareba.battle.evaluation import Evaluation
from zareba.battle.positions import MoveSuggestions
from zareba.registry import find_house_rule, load_rules, ruleset
from zareba.rules import Rules
from zareba.scenario import load_scenario
from zareba.scenario.model import Escort
from zareba.table import Choose, Confirm, Option, Place
from zareba_rulesets.fixed_baynet.actions.activation import UNIT_ACTIONS, legal_actions
from zareba_rulesets.fixed_baynet.actions.fire import FEW_SHOTS
from zareba_rulesets.fixed_baynet.actions.gunnery import plot_points
from zareba_rulesets.fixed_baynet.actions.movement import march_destinations
from zareba_rulesets.fixed_baynet.actions.wording import formats, numbers
from zareba_rulesets.fixed_baynet.estimates import (
    GunSites,
    ObjectivePlace,
    PositionValue,
    ScenarioObjectives,
    UnitView,
    blow_chances,
    estimate_volley,
    hit_chance,
    is_threatened,
    share_of_shots,
)
from zareba_rulesets.fixed_baynet.evaluation import ActRanking, best_kinds, evaluate
from zareba_rulesets.fixed_baynet.forces.battle import Battle, BuildingState, ScenarioObject
from zareba_rulesets.fixed_baynet.forces.units import Gun, Unit
from zareba_rulesets.fixed_baynet.game import FbnGame
from zareba_rulesets.fixed_baynet.odds.stage import bare_battle, bare_unit
from zareba_rulesets.fixed_baynet.presentation.words import words

NOTHING_COUNTED = re.compile(r"(?<![\d.])0 (man|men|enem|friend|gained|lost|AC|shot|hit|point)")


def check_reasons(game: FbnGame, state: Battle, question: Any) -> None:
    seen = game.sight.view(state, question.seat)
    before = seen.to_data() if question.why in ("act", "activate") and state.acts % 25 == 0 else None
    found = game.advisor.evaluate(seen, question)
    count = (
        2
        if isinstance(question, Confirm)
        else len(question.suggestions if isinstance(question, Place) else question.options)
    )
    assert len(found) == count
    for evaluation in found:
        reason = evaluation.reason() if callable(evaluation.reason) else evaluation.reason
        assert 0 < len(reason) <= 80 and not NOTHING_COUNTED.search(reason), (question.why, reason)
    assert before is None or before == seen.to_data(), "looking changes nothing"


def play_between(
    name: str, kinds: tuple[str, str], seed: int, view: Callable[..., None] | None = None
) -> tuple[FbnGame, Battle]:
    """Play one game between two kinds of agent. `view` is called with every question, the game and the state."""
    game = FbnGame(rules_with(), load_scenario(name))
    return game, play_watched(game, kinds, seed, view)


@pytest.mark.parametrize("name", ["patrol_clash", "paychest_raid"])
def test_every_choice_has_a_short_reason_without_zero_counts(name: str) -> None:
    play_between(name, ("doctrine", "random"), 5, check_reasons)


@pytest.mark.rule("FBN-266")
def test_ai_plays_any_side_and_doctrine_beats_random_play() -> None:
    assert not ruleset("fixed_baynet").solo, "these rules have no table that plays a side"
    wins = 0
    for seed in range(4):
        kinds = ("doctrine", "random") if seed % 2 else ("random", "doctrine")
        game, state = play_between("patrol_clash", kinds, seed)
        assert state.over and state.turn <= game.scenario.turns
        wins += game.play.outcome(state).winner == game.seats[kinds.index("doctrine")]
    assert wins >= 3
    seats = (("patrol", "solo"), ("tribesmen", "random"))
    task = GameTask(Variant("fixed_baynet", "fixed_baynet"), "patrol_clash", 0, 1, 1, seats, False)
    with pytest.raises(ZarebaError, match="the rulebook has no solo rules"):
        run_games(task)


def test_expected_values_equal_hand_computed_ones() -> None:
    chances = [hit_chance(book(), need) for need in (-3, 2, 7, 12, 15)]
    assert chances == [11 / 12, 11 / 12, 6 / 12, 1 / 12, 1 / 12]
    won, lost = blow_chances(0, 1, 1, 6)
    assert (round(won * 36), round(lost * 36)) == (15, 15)
    won, lost = blow_chances(0, 2, 1, 6)
    assert round(won * 216) == 125 and round(lost * 216) == 55
    red, blue = squad("red", "red", 6, (20, 10)), squad("blue", "blue", 20, (20, 20), "mass", ds=4)
    state = battle(red, blue)
    volley = estimate_volley(state, red, blue)
    assert volley.hits == pytest.approx(6 * 10 / 12)
    view = UnitView(state, ScenarioObjectives(load_scenario("patrol_clash"), state.field), red)
    assert "should hit about 5 men" in str(act_worth(view, ("fire", "blue")).reason())  # type: ignore[operator]  # created on demand


@pytest.mark.rule("FBN-204", "FBN-266")
def test_ai_does_not_shoot_at_guns_without_a_crew() -> None:
    """A unit without men has no crew for its guns, so shots at them are worth nothing."""
    for manned in (True, False):
        red = squad("red", "patrol", 6, (43, 20))
        own, other = squad("own", "patrol", 1, (50, 8.5), role="crew"), squad("blue", "blue", manned, (43, 36.6))
        own.guns, other.guns = [Gun("light_gun", 50, 10, 0, 0, 2, ac=3)], [Gun("light_gun", 43, 35, 0, 180, 2)]
        state = battle(red, own, other)
        for unit, act in ((red, ("fire at gun", "blue", 0)), (own, ("gun at gun", 0, "blue", 0))):
            ranking = ActRanking(state, ScenarioObjectives(load_scenario("patrol_clash"), state.field), unit)
            assert act in [listed for kind in ranking.menu.kinds for listed in ranking.menu.of(kind)]
            assert (ranking.value_of(act).total > 0) is manned
            shooting = [kind for kind in ranking.best_of(ranking.menu.kinds) if kind in ("fire", ("gun fire", 0))]
            assert any(ranking.value_of_kind(kind).total > 0 for kind in shooting) is manned


@pytest.mark.rule("FBN-247", "FBN-248")
@pytest.mark.parametrize("posted", [True, False])
def test_ai_does_not_shoot_at_empty_houses(posted: bool) -> None:
    """Shots at walls are worth something only if an enemy is inside, visible or not."""
    for held in (True, False):
        red, blue = squad("red", "patrol", 6, (43, 30)), squad("blue", "blue", 1, (43, 43) if held else (10, 95))
        if held:
            (man,) = blue.figures.values()
            man.place, man.post = "hut:0:0", "hut:window" if posted else ""
        state = battle(red, blue, on=house())
        ranking = ActRanking(state, ScenarioObjectives(load_scenario("patrol_clash"), state.field), red)
        assert ("fire at house", "hut") in ranking.menu.of("fire")
        assert (ranking.value_of(("fire at house", "hut")).total > 0) is held
        assert ("fire" in ranking.best_of(legal_actions(state, red).kinds)) is held


def test_bearers_lie_down_under_fire_and_run_when_it_is_over() -> None:
    scenario = load_scenario("column_ambushed")
    bearers = squad("mules", "column", 3, (20, 20), role="civilian", weapon="none")
    for away, danger in ((30.0, True), (60.0, False)):
        state = battle(bearers, squad("foe", "tribes", 5, (20, 20 + away)))
        assert is_threatened(state, bearers) is danger
        view = UnitView(state, ScenarioObjectives(scenario, state.field), bearers)
        down, up = (act_worth(view, word) for word in ("lie down", "get up"))
        assert (down.steadies > 0) is danger and (up.ground > 0) is not danger


@pytest.mark.parametrize(("guard", "other", "leaves"), [(25, 90, False), (45, 90, True), (45, 25, False)])
def test_the_nearest_unit_does_not_leave_the_bearers_it_guards(guard: float, other: float, leaves: bool) -> None:
    bearers = squad("bearers", "column", 3, (20, 20), role="civilian", weapon="none")
    near, far = squad("near", "column", 6, (20, guard)), squad("far", "column", 6, (20, other))
    state = battle(bearers, near, far, squad("foe", "tribes", 5, (20, 120)))
    objectives = ScenarioObjectives(load_scenario("column_ambushed"), state.field)
    assert objectives.leaves_its_ward(state, near) is leaves
    assert not objectives.leaves_its_ward(state, bearers)


def test_a_place_full_of_enemies_is_shot_at_before_it_is_entered() -> None:
    red = squad("red", "patrol", 6, (20, 5))
    state = battle(red, squad("blue", "tribesmen", 12, (20, 20)))
    objectives = ScenarioObjectives(load_scenario("patrol_clash"), state.field)
    assert objectives.share_at(state, red, ObjectivePlace((20.0, 20.0), 4.0, 3)) == 0.5
    assert objectives.share_at(state, red, ObjectivePlace((20.0, 60.0), 4.0, 3)) == 1.0


def test_objectives_change_when_the_object_moves() -> None:
    game = FbnGame(rules_with(), load_scenario("paychest_raid"))
    state = game.start()
    wanted = [aim for aim in game.objectives.places_wanted(state, "raiders") if aim.points == 5]
    chest = state.carried_objects["paychest"]
    assert [aim.at for aim in wanted] == [(chest.x, chest.y)] and not wanted[0].units
    taker = next(unit for unit in state.units.values() if unit.spec.side == "raiders")
    state.carried_objects["paychest"] = ScenarioObject(chest.x, chest.y, carrier=taker.spec.id)
    (home,) = [aim for aim in game.objectives.places_wanted(state, "raiders") if aim.points == 5]
    assert home.units == (taker.spec.source,) and home.at[1] == game.plan.field.depth


def test_a_side_ignores_achieved_objectives_and_sends_the_nearest_unit() -> None:
    game = FbnGame(rules_with(), load_scenario("river_ford"))
    objectives, state = game.objectives, game.start()
    side = next(side for side in game.seats if any(not aim.units for aim in objectives.places_wanted(state, side)))
    wanted = max((aim for aim in objectives.places_wanted(state, side) if not aim.units), key=lambda aim: aim.points)
    one, other = [unit for unit in state.units.values() if unit.spec.side == side and not unit.guns][:2]
    for near, far in ((one, other), (other, one)):
        near.box, far.box = (*wanted.at, *wanted.at), (0.0, 0.0, 0.0, 0.0)
        assert objectives.place_for(state, near) == wanted != objectives.place_for(state, far)
    before = len(objectives.places_wanted(state, side))
    for key in game.scenario.objectives_of(side):
        state.achieved[key] = side
    assert before and not objectives.places_wanted(state, side)


def asked(state: Battle, unit: Unit) -> Choose:
    """Return the question for the act of a unit, with lazily listed kinds of act."""
    state.menu = legal_actions(state, unit)
    return Choose("act", "FBN-016", unit.spec.id, unit.spec.side, cast("tuple[Option, ...]", state.menu.kinds), ())


def test_volley_estimate_counts_only_men_who_can_aim() -> None:
    red = squad("red", "patrol", 12, (50, 50))
    reach, worths = battle(red).book.bands["rifle"][2], []
    for away in (8.0, reach, reach + 5.0):
        foe = squad("blue", "tribesmen", 2, (red.box[2] + away, 50), facing=180.0)
        state = battle(red, foe)
        objectives, question = ScenarioObjectives(load_scenario("patrol_clash"), state.field), asked(state, red)
        found = dict(zip(question.options, evaluate(state, objectives, question), strict=True))
        assert found.get("fire") is not FEW_SHOTS
        weighed = best_kinds(state, objectives, asked(state, red))
        assert weighed is not None and ("fire" in weighed) is (away <= reach)
        worths.append(found["fire"].total if "fire" in found else 0.0)
    assert worths[0] > worths[1] > worths[2] == 0


@pytest.mark.rule("FBN-177")
def test_horses_that_may_not_stop_ride_on() -> None:
    red = squad("red", "patrol", 4, (50, 50), mounted=True, rides=True, sp=4)
    state = battle(red, squad("blue", "tribesmen", 6, (50, 53), facing=180.0), decel_steps="one")
    objectives = ScenarioObjectives(load_scenario("patrol_clash"), state.field)
    for gait, bound in ((0, False), (2, True)):
        for figure in red.figures.values():
            figure.last_gait = gait
        question = asked(state, red)
        assert ("end" in question.options) is not bound
        for found in (
            best_kinds(state, objectives, asked(state, red)),
            dict(zip(question.options, evaluate(state, objectives, question), strict=True)),
        ):
            assert found is not None and (max(found, key=lambda kind: found[kind].total) == "ride") is bound


@pytest.mark.rule("FBN-143", "FBN-151", "FBN-266")
def test_ai_does_not_charge_if_the_unit_would_break() -> None:
    def worth(glory: int, *events: str) -> float:
        red = squad("red", "red", 6, (50, 40), "mass", weapon="spear", close=True, cs=1)
        state = battle(red, squad("blue", "blue", 6, (50, 47.5), "closed", facing=180.0))
        for figure in red.figures.values():
            figure.gl = glory
        red.events = events
        return act_worth(
            UnitView(state, ScenarioObjectives(load_scenario("patrol_clash"), state.field), red), ("charge", "blue")
        ).total

    assert worth(4) > 0 > worth(6), "at 6+ the confusion of the charge is the end of it"
    assert worth(6, "charge") > 0, "it counts once a turn"


def objectives_of(state: Battle, *places_wanted: ObjectivePlace) -> ScenarioObjectives:
    """Return the objectives of a patrol that wants these places."""
    objectives = ScenarioObjectives(load_scenario("patrol_clash"), state.field)
    objectives._goals = {"patrol": [(f"aim{i}", aim) for i, aim in enumerate(places_wanted)]}
    return objectives


def worth(state: Battle, unit: Unit, act: object, *places_wanted: ObjectivePlace) -> float:
    return act_worth(UnitView(state, objectives_of(state, *places_wanted), unit), act).total  # type: ignore[arg-type]  # an act


@pytest.mark.rule("FBN-266")
@pytest.mark.parametrize(("goal", "goes"), [((50.0, 57.0), True), ((50.0, 51.0), False), (None, False)])
def test_with_no_enemy_in_sight_a_unit_marches_only_to_where_it_should_be(
    goal: tuple[float, float] | None, goes: bool
) -> None:
    red = squad("red", "patrol", 4, (50, 50))
    state = battle(red)
    places_wanted = [] if goal is None else [ObjectivePlace(goal, 2.0, 3.0)]
    assert (worth(state, red, "move", *places_wanted) > 0) is goes


@pytest.mark.rule("FBN-266", "FBN-174")
@pytest.mark.parametrize("close", [True, False])
def test_riders_do_not_gallop_past_where_they_should_be(close: bool) -> None:
    red = squad("red", "patrol", 4, (50, 50), mounted=True, rides=True, close=close)
    state = battle(red)
    near, far = ObjectivePlace((50.0, 53.0), 1.0, 3.0), ObjectivePlace((50.0, 90.0), 1.0, 3.0)
    walk, gallop = ("ride", 1), ("ride", 3)
    for figure in red.figures.values():
        figure.last_gait = 2
    state.carried_objects["chest"] = ScenarioObject(*near.at)
    assert worth(state, red, walk, near) > 0 > worth(state, red, gallop, near)
    state.carried_objects["chest"] = ScenarioObject(*far.at)
    assert worth(state, red, gallop, far) > worth(state, red, walk, far) > 0
    assert worth(state, red, walk) < 0, "there is nowhere to go"


@pytest.mark.rule("FBN-266", "FBN-208")
def test_ai_does_not_turn_a_gun_towards_empty_ground() -> None:
    state, red, gun = battery(crew=4)
    assert worth(state, red, ("gun turn", 0)) < 0, "the enemy is before it already"
    gun.bearing = 180.0
    assert worth(state, red, ("gun turn", 0)) > 0
    state.units["blue"].figures.clear()
    assert worth(state, red, ("gun turn", 0)) < 0


@pytest.mark.rule("FBN-266", "FBN-208")
def test_ai_turns_a_gun_by_its_own_position() -> None:
    """A gun turns by its own position, not by the centre of its battery."""
    state, _, gun = battery(crew=4, target=squad("blue", "blue", 3, (90, 50)))
    gun.x, gun.y = 90.0, 10.0
    ways = tuple(range(15, 360, 15))
    question = Choose("turn gun to", "FBN-208", "red 1", "red", (*ways, 0), ())
    found = evaluate(state, objectives_of(state), question)
    best = max(zip(question.options, found, strict=True), key=lambda pair: pair[1].total)[0]
    assert best == 0


@pytest.mark.rule("FBN-266", "FBN-265")
def test_ai_moves_escorted_units_all_the_way_to_the_edge() -> None:
    scenario = load_scenario("river_ford")
    goal = next(objective for objective in scenario.objectives.values() if isinstance(objective, Escort))
    red = squad(goal.units[0], "british", 3, (50.0, 197.1), role="civilian", weapon="none")
    state = battle(red)
    objectives = ScenarioObjectives(scenario, state.field)
    assert act_worth(UnitView(state, objectives, red), "move").total > 0


def charges(**ground: object) -> Iterator[tuple[Battle, Unit]]:
    for wall in (False, True):
        red = squad("red", "patrol", 6, (50, 40), "mass", weapon="spear", close=True, cs=1)
        blue = squad("blue", "tribesmen", 6, (50, 48.5), "closed", facing=180.0)
        on = field(lines=(("stone_wall", [(0.0, 44.0), (100.0, 44.0)]),)) if wall else None
        yield battle(red, blue, on=on), red


@pytest.mark.rule("FBN-266", "FBN-044", "FBN-048")
def test_ai_does_not_charge_if_the_charge_falls_short() -> None:
    """Over a wall the whole path counts as jagged and a charge goes 4 inches, so the AI rejects it."""
    (open_, red), (walled, other) = charges()
    assert worth(open_, red, ("charge", "blue")) > 0 > worth(walled, other, ("charge", "blue"))


@pytest.mark.rule("FBN-266", "FBN-103")
def test_a_charge_up_to_a_wall_with_the_enemy_behind_it_is_not_useless() -> None:
    red = squad("red", "patrol", 6, (50, 40), "mass", weapon="spear", close=True, cs=1)
    blue = squad("blue", "tribesmen", 6, (50, 48.1), "closed", facing=180.0)
    low = min(man.y for man in blue.figures.values())
    wall = field(lines=(("stone_wall", [(0.0, low - 0.55), (100.0, low - 0.55)]),))
    state = battle(red, blue, on=wall)
    assert worth(state, red, ("charge", "blue")) > 0


@pytest.mark.rule("FBN-266", "FBN-006", "FBN-216", "FBN-226")
def test_rounds_over_their_heads_go_where_they_do_harm() -> None:
    state, red, _ = battery("medium_howitzer", crew=4, target=squad("far", "blue", 9, (50, 60)))
    state.units["near"] = squad("near", "blue", 9, (50, 35), "mass")
    points = plot_points(state, red, red.guns[0])
    question = Place("aim at point", "FBN-222", "red 1", "red", points, lambda point: None)
    found = evaluate(state, objectives_of(state), question)
    best = max(zip(points, found, strict=True), key=lambda pair: pair[1].total)[0]
    assert best[1] < 40, "46 inches are beyond the piece, whatever anybody guesses"
    reasons = [evaluation.reason() if callable(evaluation.reason) else evaluation.reason for evaluation in found]
    assert not any(reason.startswith("0") for reason in reasons), "nobody is told which is too far (FBN-006)"
    assert worth(state, red, ("gun indirect", 0)) > 0
    del state.units["near"]
    assert worth(state, red, ("gun indirect", 0)) < 0
    state.units["near"] = squad("near", "blue", 1, (50, 35))
    state.units["friends"] = squad("friends", "red", 6, (50.5, 36))
    assert worth(state, red, ("gun indirect", 0)) < 0, "they would be under the marker"


@pytest.mark.rule("FBN-266", "FBN-092")
def test_men_who_see_an_enemy_fire_even_if_the_middle_man_sees_none() -> None:
    red = squad("red", "patrol", 12, (50, 50))
    reach = battle(red).book.bands["rifle"][2]
    state = battle(red, squad("blue", "tribesmen", 2, (red.box[2] + reach, 50), facing=180.0))
    ranking = ActRanking(state, objectives_of(state), red)
    fire = ranking.best_of(ranking.menu.kinds)["fire"]
    assert fire is not FEW_SHOTS and fire.total > 0


@pytest.mark.rule("FBN-266")
def test_ai_does_not_turn_back_from_a_full_objective() -> None:
    """Friends fill the objective, and the only free places are farther away. The AI does not move there."""
    red = squad("red", "patrol", 1, (50, 50))
    friends = [squad(f"friend{i}", "patrol", 1, (46.0 + i, 52.0), weapon="none") for i in range(9)]
    friends += [squad(f"behind{i}", "patrol", 1, (46.0 + i, 54.0), weapon="none") for i in range(9)]
    friends += [squad(f"before{i}", "patrol", 1, (46.0 + i, 51.1), weapon="none") for i in range(9)]
    friends += [squad(f"last{i}", "patrol", 1, (46.0 + i, 53.0), weapon="none") for i in range(9)]
    for crowded in (False, True):
        state = battle(red, *(friends if crowded else ()))
        state.carried_objects["chest"] = ScenarioObject(50.0, 52.4)
        for friend in friends:
            friend.guns = [Gun("light_gun", 190, 190, 0, 0, 2)]  # crews get no move orders
        assert (worth(state, red, "move", ObjectivePlace((50.0, 52.4), 0.5, 3.0)) > 0) is not crowded


@pytest.mark.rule("FBN-266", "FBN-050")
@pytest.mark.parametrize("crowded", [False, True])
def test_ai_does_not_step_aside_and_back_behind_friends(crowded: bool) -> None:
    """A step aside or back gains nothing, because the man would return with his next AC."""
    red = squad("red", "patrol", 1, (50, 50), weapon="spear", close=True)
    blue = squad("blue", "tribesmen", 4, (50, 70), facing=180.0)
    friends = [
        squad(f"friend {x} {y}", "patrol", 1, (42.0 + x, 51.2 + y), weapon="none") for x in range(17) for y in range(6)
    ]
    state = battle(red, blue, *(friends if crowded else ()))
    assert march_destinations(state, red)[1], "ways aside and back are open"
    assert (worth(state, red, "move") > 0) is not crowded


@pytest.mark.rule("FBN-266", "FBN-050")
def test_the_first_way_that_leads_nearer_is_taken_though_a_longer_one_was_barred() -> None:
    """The path to the place is blocked and half a step aside leads away from it. The AI takes the step towards the
    enemy, which leads nearer.
    """
    points = {0: (50.0, 48.0), 1: (52.0, 50.0)}
    full = {0: (50.0, 60.0), 1: (52.0, 50.0)}
    state = battle(squad("red", "patrol", 1, (50, 50)))
    aim = ObjectivePlace((50.0, 90.0), 1.0, 3.0)
    ground = PositionValue(UnitView(state, objectives_of(state, aim), state.units["red"]))
    ways = MoveSuggestions(2, points.get, lambda point: None, ideal=full.__getitem__)
    assert ground.best(ways) == points[0], "neither leads nearer: the first that is open"
    points[1] = full[1] = (50.0, 54.0)
    ways = MoveSuggestions(2, points.get, lambda point: None, ideal=full.__getitem__)
    assert ground.best(ways) == points[1]


@pytest.mark.rule("FBN-266")
def test_the_reason_for_a_move_says_if_no_open_ground_leads_to_the_objective() -> None:
    red = squad("red", "patrol", 1, (50, 50))
    lake = [(40.0, 70.0), (60.0, 70.0), (60.0, 95.0), (40.0, 95.0)]
    for ground, reason in (
        ((), 'it is then 30" from its objective'),
        ((("crag", lake),), "no open ground leads from there to its objective"),
    ):
        state = battle(red, on=field(*ground))
        aim = ObjectivePlace((50.0, 82.0), 1.0, 3.0)
        evaluation = PositionValue(UnitView(state, objectives_of(state, aim), red)).evaluate((50.0, 52.0))
        assert callable(evaluation.reason) and evaluation.reason() == reason


@pytest.mark.rule("FBN-266", "FBN-175")
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


@pytest.mark.rule("FBN-266", "FBN-265")
@pytest.mark.parametrize("mounted", [False, True])
def test_units_at_their_objective_stay(mounted: bool) -> None:
    red = squad("red", "patrol", 4, (50, 50), mounted=mounted, rides=mounted, close=True)
    state = battle(red, squad("blue", "blue", 4, (50, 70)))
    aim, act = ObjectivePlace((50.0, 50.0), 3.0, 3.0), ("ride", 1) if mounted else "move"
    turns = objectives_of(state).scenario.turns
    for turn in (1, turns):
        state.turn = turn
        assert worth(state, red, act, aim) < 0


@pytest.mark.rule("FBN-266", "FBN-052")
def test_ai_does_not_lie_down_out_of_danger() -> None:
    red = squad("red", "patrol", 4, (50, 50))
    for figure in red.figures.values():
        figure.ac = 1
    assert worth(battle(red), red, "lie down") < 0


@pytest.mark.rule("FBN-266", "FBN-033", "FBN-194")
@pytest.mark.parametrize(
    ("weapon", "inches", "share"),
    [
        ("rifle", 24.0, 1.0),
        ("rifle", 29.0, 2 / 3),
        ("rifle", 34.0, 1 / 3),
        ("rifle", 34.1, 0.0),
        ("musket", 29.0, 1.0),
        ("musket", 34.0, 0.0),
    ],
)
def test_moving_into_range_leaves_fewer_shots(weapon: str, inches: float, share: float) -> None:
    """Three AC, moves of 5 inches, and a range of 24: a rifle fires three times, a musket once for 2 AC."""
    state = battle(squad("red", "patrol", 4, (50, 50), weapon=weapon))
    firer = next(iter(state.units["red"].figures.values()))
    assert share_of_shots(state, firer, inches) == share


@pytest.mark.rule("FBN-266", "FBN-052")
@pytest.mark.parametrize(("away", "lies_down"), [(28.0, True), (45.0, False)])
def test_men_who_wait_with_swords_lie_down_before_rifles_come_into_range(away: float, lies_down: bool) -> None:
    red = squad("red", "patrol", 8, (50, 30), close=True, weapon="none")
    state = battle(red, squad("blue", "blue", 12, (50, 30 + away)))
    held = ObjectivePlace((50.0, 30.0), 5.0, 3.0)
    assert (worth(state, red, "lie down", held) > 0) is lies_down


@pytest.mark.rule("FBN-085", "FBN-186", "FBN-266")
@pytest.mark.parametrize(
    ("foe", "blades", "dismounts"),
    [({"weapon": "rifle"}, False, True), ({"weapon": "rifle"}, True, False), ({"close": True}, False, False)],
    ids=["marksmen", "lancers", "band"],
)
def test_riders_who_stay_and_shoot_dismount_unless_they_may_have_to_fight(
    foe: dict[str, Any], blades: bool, dismounts: bool
) -> None:
    red = squad("red", "patrol", 12, (50, 50), mounted=True, rides=True, close=blades, weapon="rifle")
    state = battle(red, squad("blue", "blue", 12, (50, 68), **{"weapon": "none"} | foe))
    view = UnitView(state, objectives_of(state), red)
    view.best_shot = Evaluation(inflicts=0.2)
    assert (act_worth(view, "dismount").total > view.best_shot.total) is dismounts
    assert act_worth(view, "mount").total < 0


@pytest.mark.rule("FBN-176", "FBN-186", "FBN-266")
@pytest.mark.parametrize(
    ("men", "acted", "rides"),
    [(12, False, False), (12, True, True), (2, False, True)],
    ids=["two companies", "companies that have acted", "a few men"],
)
def test_lancers_ride_up_only_to_rifles_that_cannot_shoot_many_of_them(men: int, acted: bool, rides: bool) -> None:
    """Lancers who do not ride up to the rifles dismount to shoot, because a charge is not worth its way."""
    red = squad("red", "patrol", 8, (50, 50), mounted=True, rides=True, close=True, weapon="rifle")
    foes = [squad(name, "blue", men, (x, 70), weapon="rifle") for name, x in (("left", 40), ("right", 60))]
    for foe in foes:
        foe.marks = frozenset({"activated"}) if acted else frozenset()
    state = battle(red, *foes)
    view = UnitView(state, objectives_of(state), red)
    view.best_shot = Evaluation(inflicts=0.1)
    assert view.ride_pays is rides
    assert (act_worth(view, ("ride", 1)).total > 0) is rides
    assert (act_worth(view, "dismount").total > view.best_shot.total) is not rides


@pytest.mark.rule("FBN-207", "FBN-215", "FBN-266")
@pytest.mark.parametrize(("away", "goes"), [(30.0, False), (70.0, True)])
def test_a_gun_moves_towards_the_enemy_only_if_it_reaches_none(away: float, goes: bool) -> None:
    """A light gun reaches 60 inches."""
    state, unit, gun = battery(target=squad("blue", "blue", 6, (50, 10 + away)))
    assert (act_worth(UnitView(state, objectives_of(state), unit), ("gun move", 0)).total > 0) is goes
    sites = GunSites(state, unit, gun)
    assert sites.value((50.0, 15.0)) > sites.value((50.0, 10.0)) > sites.value((50.0, 5.0))


@pytest.mark.rule("FBN-052", "FBN-266")
@pytest.mark.parametrize(("prone", "goes"), [(True, True), (False, False)])
def test_carters_who_lie_down_are_fought_hand_to_hand(prone: bool, goes: bool) -> None:
    marks = frozenset({"prone"}) if prone else frozenset()
    red = squad("red", "patrol", 12, (50, 50), mounted=True, rides=True, weapon="rifle")
    state = battle(red, squad("carts", "blue", 4, (50, 62), role="civilian", weapon="none", cs=-1))
    for figure in state.units["carts"].figures.values():
        figure.marks = marks
    view = UnitView(state, objectives_of(state), red)
    assert (view.prey is not None) is goes


@pytest.mark.rule("FBN-052", "FBN-176", "FBN-266")
def test_riders_go_to_carters_who_lie_down_at_a_canter_if_it_is_allowed() -> None:
    red = squad("red", "patrol", 12, (50, 50), mounted=True, rides=True, weapon="rifle")
    state = battle(red, squad("carts", "blue", 4, (50, 70), role="civilian", weapon="none", cs=-1))
    for figure in state.units["carts"].figures.values():
        figure.marks = frozenset({"prone"})
    for figure in red.figures.values():
        figure.last_gait = 1
    view = UnitView(state, objectives_of(state), red)
    walk, canter = (act_worth(view, ("ride", gait)).total for gait in (1, 2))
    assert 0 < walk < canter


@pytest.mark.rule("FBN-244", "FBN-266")
def test_a_unit_that_has_to_go_into_a_house_dismounts_at_its_door_and_enters() -> None:
    red = squad("red", "patrol", 4, (43, 37), mounted=True, rides=True, weapon="none")
    state = battle(red, on=house())
    inside = ObjectivePlace((43.0, 44.0), 1.0, 5.0)
    view = UnitView(state, objectives_of(state, inside), red)
    assert view.house == "hut" and view.enters_by_door
    assert act_worth(view, "dismount").total > 0
    for figure in red.figures.values():
        figure.mounted = False
    doors = [door.id for door in state.field.doors["hut"]]
    assert act_worth(view, ("cross", doors[0], "hut:0:0")).total > 0
    elsewhere = UnitView(state, objectives_of(state, ObjectivePlace((43.0, 20.0), 1.0, 5.0)), red)
    assert act_worth(elsewhere, ("cross", doors[0], "hut:0:0")).total < 0


@pytest.mark.rule("FBN-266", "FBN-265")
@pytest.mark.parametrize(
    ("foe", "turn", "goes"),
    [((50, 45), 1, False), ((50, 5), 1, True), ((50, 80), 1, True), ((50, 45), 8, True)],
    ids=["ahead", "behind", "far", "late"],
)
def test_bearers_wait_while_an_enemy_bars_their_way_and_there_is_time(
    foe: tuple[float, float], turn: int, goes: bool
) -> None:
    bearers = squad("mules", "patrol", 3, (50, 25), role="civilian", weapon="none")
    state = battle(bearers, squad("blue", "blue", 6, foe))
    state.turn = turn
    edge = ObjectivePlace((50.0, 60.0), 0.5, 5.0, units=("mules",))
    assert (worth(state, bearers, "move", edge) > 0) is goes


SCENARIO = load_scenario("patrol_clash")


def changed(folder: Path, number: str, was: Any, to: Any) -> Rules:
    """Return the rules with one number changed; without a number, the printed rules."""
    if not number:
        return load_rules("fixed_baynet")
    if "." not in number:
        return load_rules("fixed_baynet", {number: to})
    file = folder / "ours.yaml"
    change = f"{{at: {number}, was: {was}, to: {to}}}"
    head = "house_rule: ours\nruleset: fixed_baynet\ntitle: Ours\nchanges:\n"
    file.write_text(f"{head}  - {change}\n", encoding="utf-8")
    return load_rules("fixed_baynet", {}, [find_house_rule(str(file))])


def stage(rules: Rules) -> Battle:
    """A squad with an officer near a hut with an enemy in it; a machine gun; riders; bearers."""
    red = squad("red", "patrol", 6, (43, 34), leader="officer")
    gun = Gun("machine_gun", 50.0, 20.0, 0.0, 0.0, 2, ac=3)
    crew = bare_unit("crew", "patrol", [man("crew/1", "patrol", 50, 19, role="crew")], guns=[gun], kind="machine_gun")
    riders = squad("riders", "patrol", 3, (70, 20), mounted=True, rides=True)
    foe = squad("foe", "tribesmen", 2, (43, 43), leader="hero", weapon="none")
    bearers = squad("bearers", "patrol", 2, (20, 20), role="civilian", weapon="none")
    for figure in foe.figures.values():
        figure.place = "hut:0:0"
    for figure in red.figures.values():
        figure.gl += 3
    state = bare_battle(rules, [red, crew, riders, bearers, foe], house())
    state.houses["hut"] = BuildingState(4)
    return state


def test_the_worth_of_a_leader_as_target_names_what_his_loss_costs(tmp_path: Path) -> None:
    for name, shown in (("", 1), ("glory.event", 2)):
        state = stage(changed(tmp_path, name, 1, 2))
        question = Choose("aim at", "FBN-093", "red/1", "patrol", ("foe/1", "foe/2"), ())
        leader, soldier = evaluate(state, ScenarioObjectives(SCENARIO, state.field), question)
        assert (
            callable(leader.reason)
            and leader.reason() == f"he is a leader, and his fall worsens glory by {shown} (FBN-140)"
        )
        assert soldier.reason == "he is an enemy like any other"


RALLY, FALL_BACK = ("rally", "red/1", "red"), ("fall back", "red/1", "red")


def test_value_of_a_rally_is_its_improvement(tmp_path: Path) -> None:
    """Every man's glory is 3 worse than his own: 2 better is worth less than 4 better."""
    worth = []
    for name in ("", "glory.hearten"):
        state = stage(changed(tmp_path, name, 2, 4))
        actions = UNIT_ACTIONS.for_session(state.book.rules)
        action = actions.action_of(RALLY)
        assert action is not None
        view = UnitView(state, ScenarioObjectives(SCENARIO, state.field), state.units["red"])
        worth.append(actions.value(action, view, state.book).steadies)
    assert worth == [pytest.approx(0.06), pytest.approx(0.09)]


def text_and_reason(state: Battle, unit_id: str, option: Any) -> tuple[str, str]:
    """Return how an action reads and why it is worth something."""
    actions, unit, book = UNIT_ACTIONS.for_session(state.book.rules), state.units[unit_id], state.book
    action = actions.action_of(option)
    assert action is not None
    reason = actions.value(action, UnitView(state, ScenarioObjectives(SCENARIO, state.field), unit), book).reason
    return (
        actions.text(action, numbers(book), formats(state, unit), words()),
        reason() if callable(reason) else reason,
    )


def test_a_gun_may_be_able_to_move_and_fire(tmp_path: Path) -> None:
    """A gun has 3 AC; to fire takes 3 of them and to move 2. The AC of a whole crew are enough for both (FBN-205)."""
    for number, was, to, both in (("", 0, 0, False), ("gun_costs.fire", 3, 1, True), ("crew_ac", 0, "crew_sum", True)):
        _, why = text_and_reason(stage(changed(tmp_path, number, was, to)), "crew", ("gun move", 0))
        assert ("not both" in why) is not both, number


def test_evaluation_of_a_counter_attack_follows_the_setting(tmp_path: Path) -> None:
    for rule, who in (("wounded", "men who fall"), ("survivors", "men who stay in play")):
        state = stage(changed(tmp_path, "counter_attack", "", rule))
        options = ("answer every hit", "answer none", "ask at each hit")
        question = Choose("counter-attack", "FBN-102", "red", "patrol", options, ())
        found = evaluate(state, ScenarioObjectives(SCENARIO, state.field), question)
        assert all(str(evaluation.reason).startswith(who) for evaluation in found)
        assert max(found, key=lambda evaluation: evaluation.inflicts) is found[0]
