"""The AI: objectives, destinations, and the value of each option."""

from __future__ import annotations

import re
from math import dist
from typing import Any

import pytest
from tests.rulesets.paychest.stage import Scene, bare_unit, blue, carters, game, red, row, scene

from zareba.agents import make_agent
from zareba.plugins.ruleset import Evaluation
from zareba.space import Point
from zareba.table import Choose, Confirm, Place, SeededTable
from zareba_rulesets.paychest.actions.actor import NOTHING
from zareba_rulesets.paychest.book.tables import Gait
from zareba_rulesets.paychest.chapters.movement import Destinations
from zareba_rulesets.paychest.estimates import (
    DANGER_WEIGHT,
    Arms,
    CoordinatedIntentions,
    PositionValue,
    Survey,
    at_range,
    fire_by_range,
    go,
)
from zareba_rulesets.paychest.evaluation import best_places, evaluate, share_of_points
from zareba_rulesets.paychest.forces.battle import Battle, Engine, Objective
from zareba_rulesets.paychest.forces.intentions import UnitIntentions, can_fight, claim_of, enemies_at
from zareba_rulesets.paychest.forces.units import Thing
from zareba_rulesets.paychest.game import PaychestGame

NEEDLESS = re.compile(r"(?<![\d.,-])0 [a-z]")


"""A count of nothing: "0 men get there"."""


def played(name: str, kinds: tuple[str, str], seed: int) -> tuple[PaychestGame, Any, set[str]]:
    """Play a whole game between two agents, describing and evaluating every question."""
    match = game(name)
    state = match.start()
    asked: set[str] = set()

    def watched(seat: str, kind: str) -> Any:
        agent = make_agent(kind, match, seat, seed)

        def answer(question: Choose | Place | Confirm, battle: Any) -> Any:
            asked.add(question.why)
            assert match.narrator.describe(battle, question).endswith("?")
            worths = match.advisor.evaluate(battle, question)
            if isinstance(question, Choose):
                assert len(worths) == len(question.options)
                assert all(match.narrator.describe_option(battle, question, option) for option in question.options)
            else:
                assert len(worths) == (2 if isinstance(question, Confirm) else len(question.suggestions))
            reasons = [worth.reason() if callable(worth.reason) else worth.reason for worth in worths]
            assert all(len(reason) <= 80 for reason in reasons)
            assert all(reasons), question.why
            assert not any(NEEDLESS.search(reason) for reason in reasons), (question.why, reasons)
            return agent(question, battle)

        return answer

    table = SeededTable(match.rules, state, seed, {s: watched(s, k) for s, k in zip(match.seats, kinds, strict=True)})
    while (step := match.play.next_step(state)) is not None:
        table.begin(step)
        match.play.perform(table, state, step)
    return match, state, asked


def test_questions_have_texts_and_evaluations() -> None:
    _, _, asked = played("patrol_clash", ("random", "random"), 5)
    assert {"move", "move to", "fire", "volley at", "melee", "handle"} <= asked


def test_doctrine_beats_random_play() -> None:
    match, state, _ = played("mission_station", ("doctrine", "random"), 1)
    assert match.play.outcome(state).winner == "british"
    match, state, _ = played("mission_station", ("random", "doctrine"), 1)
    assert match.play.outcome(state).winner == "zulu"


def test_ai_seeks_fights_of_two_against_one() -> None:
    """Over all rolls, two men of skill 4 against one inflict as much as two single fights and suffer a quarter."""
    from itertools import product

    from zareba_rulesets.paychest.actions.melee_pairing import double_up
    from zareba_rulesets.paychest.estimates import expected_melee_losses

    excess = [max(0, 5 - a) + max(0, 5 - b) - max(0, 5 - c) for a, b, c in product(range(1, 7), repeat=3)]
    dealt = sum(1 - (1 - 0.38) ** hits for hits in excess if hits > 0) / 216
    assert expected_melee_losses((4, 4), 4, 0.38)[0] == pytest.approx(dealt)
    alone, pair = expected_melee_losses((4,), 4, 0.38), expected_melee_losses((4, 4), 4, 0.38)
    assert pair[0] > 1.9 * alone[0] and pair[1] < 0.6 * alone[1]
    reach = {"a.1": ["b.1"], "a.2": ["b.1", "b.2"], "a.3": ["b.2"]}
    assert double_up(reach, 2) == {"b.2": ["a.2", "a.3"], "b.1": ["a.1"]}


def test_one_unit_stays_on_a_held_place_and_the_others_advance() -> None:
    match = game("patrol_clash")
    battle = match.start()
    for number, name in enumerate(("fusiliers", "sikhs")):
        unit = battle.unit(name)
        for place, figure in enumerate(unit.figures.values()):
            figure.at = (22.0 + place % 6, 16.0 + number * 3 + place // 6)
        unit.measure()
    kept = [UnitIntentions(battle, battle.unit(name)).intention for name in ("fusiliers", "sikhs")]
    goals = {goal.id: goal for goal in battle.objectives}
    assert sorted(goal.id for goal in goals.values() for intention in kept if intention and intention.at == goal.at) == [
        "knoll_held", "village_held",
    ]  # fmt: skip
    band = battle.unit("swordsmen")
    for figure in band.figures.values():
        figure.at = (24.0, 24.0)
    band.measure()
    disputed = [UnitIntentions(battle, battle.unit(name)).intention for name in ("fusiliers", "sikhs")]
    assert all(intention is not None and intention.at == goals["village_held"].at for intention in disputed)


def test_a_leader_leaves_an_even_fight_to_his_men() -> None:
    place = scene(red(12, leader="corporal"), blue(1, y=11.0, melee=4))
    for man, fights in (("red.1", False), ("red.2", True)):
        foe = place.figure("blue.1")
        foe.at = (place.figure(man).at or (0.0, 0.0))[0], 11.0
        place.unit("blue").measure()
        question = Choose("fights", "PAY-142", man, "red", ("blue.1", "does not fight"), ())
        worths = evaluate(place.battle, question)
        assert (worths[0].inflicts > worths[1].inflicts) is fights, man


def fire_worth(battle: Battle, arms: Arms, inches: float, gait: Gait) -> float:
    """Return the value of the firearms at a range."""
    return at_range(fire_by_range(battle, arms, gait), inches)


def test_fire_is_worth_the_sum_of_the_shots_at_every_range() -> None:
    """The value of three rifles of two skills and a pistol equals the sum of the chances of their shots."""
    from zareba_rulesets.paychest.estimates import UNIT_SIZE, hit_chance

    battle = scene(red(1), blue(1)).battle
    arms = {("rifle", 4, 2): 2, ("rifle", 3, 1): 1, ("pistol", 4, 2): 1}
    for gait in ("halt", "advance", "run"):
        for inches in (0.0, 5.0, 6.0, 8.0, 9.0, 12.5, 20.0, 30.0, 36.0, 60.0):
            hits = [
                men * shots * hit_chance(battle, skill, weapon, inches, gait)
                for (weapon, skill, shots), men in arms.items()
            ]
            assert fire_worth(battle, arms, inches, gait) == pytest.approx(
                sum(hits) * battle.book.out_chance / UNIT_SIZE
            ), (
                gait,
                inches,
            )
    assert fire_worth(battle, {}, 5.0, "halt") == 0.0


def test_known_enemies_are_recomputed_for_every_question() -> None:
    from zareba_rulesets.paychest.estimates import Survey

    place, here = scene(red(1), blue(4)), (20.0, 10.0)
    before = Survey(place.battle, place.unit("red"))
    fire, danger = before.fire_and_danger(here, "halt")
    assert fire > 0 and danger > 0 and (fire, danger) == (before.fire(here, "halt"), before.danger(here))
    assert before.sees_any(here, 36.0) and not before.sees_any(here, 5.0)
    for name in ("blue.1", "blue.2"):
        place.figure(name).fate = "dead"
    place.unit("blue").measure()
    place.figure("red.1").weapons = ("knife",)
    after = Survey(place.battle, place.unit("red"))
    assert after.danger(here) == pytest.approx(danger / 2)
    assert (after.fire(here, "halt"), after.reach, after.is_close_quarters) == (0.0, 0.0, True)
    place.unit("blue").rout = "rout_3d6_rally_7"
    assert Survey(place.battle, place.unit("red")).danger(here) == 0.0


def test_fire_estimate_uses_the_best_visible_target_and_danger_all_observers() -> None:
    """A house hides the nearer unit, so only the farther one counts."""
    from zareba_rulesets.paychest.estimates import Survey

    house = {"house": ("building", [(19.0, 14.0), (25.0, 14.0), (25.0, 18.0), (19.0, 18.0)])}
    units = (red(2), blue(3, y=22.0), bare_unit("far", "blue", row(6, 44.0, 24.0), firearms=3, shots=1))
    here = (20.6, 10.0)
    arms = {("rifle", 3, 1): 6}
    for areas, numbers in ((None, 9), (house, 6)):
        place = scene(*units, areas=areas)
        survey = Survey(place.battle, place.unit("red"))
        away = [dist(place.unit(name).positions.middle, here) for name in ("blue", "far")]
        threats = [fire_worth(place.battle, {("rifle", 3, 1): 3}, away[0], "halt")] if numbers == 9 else []
        threats.append(fire_worth(place.battle, arms, away[1], "halt"))
        assert survey.danger(here) == pytest.approx(sum(threats)), numbers
        own = [fire_worth(place.battle, survey.arms, away[0], "halt") / 2] if numbers == 9 else []
        own.append(fire_worth(place.battle, survey.arms, away[1], "halt"))
        assert survey.fire(here, "halt") == pytest.approx(max(own))


@pytest.mark.parametrize(("fate", "taken"), [("able", "volley"), ("dead", "volley with leaders")])
def test_leaders_fire_with_the_group_when_no_enemy_leader_can_be_aimed_at(fate: str, taken: str) -> None:
    place = scene(red(6, leader="corporal"), blue(6, y=22.0, leader="leader"))
    chief = place.unit("blue").leader
    place.figure(chief).fate = fate
    place.unit("blue").measure()
    options = ("done", "volley", "volley with leaders", "volley of picked men")
    worths = evaluate(place.battle, Choose("fire", "PAY-104", "red", "red", options, ()))
    assert options[max(range(4), key=lambda n: worths[n].inflicts - worths[n].suffers)] == taken


@pytest.mark.parametrize(
    ("firers", "men", "gait", "said"),
    [
        (12, 12, "halt", "about 2 men"),
        (24, 12, "halt", "about 5 men"),
        (24, 2, "halt", "about 2 men"),
        (12, 12, "run", "about 1 man"),
    ],
)
def test_the_reason_of_a_volley_counts_the_men_who_can_be_hit(firers: int, men: int, gait: Gait, said: str) -> None:
    place = scene(red(firers), blue(men, y=24.0))
    for figure in place.unit("red").figures.values():
        figure.gait = gait
    first = next(iter(place.unit("blue").figures))
    (worth,) = evaluate(place.battle, Choose("volley at", "PAY-094", "red", "red", (("blue", first),), ()))
    reason = worth.reason() if callable(worth.reason) else worth.reason
    assert reason == f"this volley should cost the enemy {said}"


@pytest.mark.parametrize(("at", "goes"), [((50.0, 40.0), True), ((23.0, 10.0), False)])
def test_ai_does_not_drive_or_climb_away_from_an_objective(at: tuple[float, float], goes: bool) -> None:
    battle = scene(red(4), engines={"gun": Engine("gun", "gun", "red", "red", (22.0, 10.0))}).battle
    battle.objectives = (Objective("hill", "hold", ("red",), 3, at, 6.0, due=12),)
    for act in (("push", "gun"), ("drive", "gun", "run"), "climb"):
        stay, done = evaluate(battle, Choose("move", "PAY-067", "red", "red", ("halt", act), ()))
        assert (done.total > stay.total) is goes, act


def test_riflemen_with_an_objective_ignore_distant_enemies_and_swordsmen_do_not() -> None:
    """Riflemen with an objective ignore enemies out of range; swordsmen always attack."""
    options = ("halt", "advance", "run")
    for weapons, gap, charges in ((("rifle",), 30.0, False), (("rifle",), 8.0, True), (("sword",), 30.0, True)):
        battle = scene(red(6, weapons=weapons), blue(6, y=10.0 + gap)).battle
        battle.objectives = (Objective("hill", "hold", ("red",), 3, (59.0, 10.0), 2.0, due=12),)
        unit = battle.unit("red")
        seen = PositionValue(battle, unit, UnitIntentions(battle, unit))
        assert (seen.may_attack or seen.share_in_contact((20.0, 10.0 + gap), "run") > 0) is charges
        run = evaluate(battle, Choose("move", "PAY-067", "red", "red", options, ()))[2]
        ways = [
            go(seen, (59.0, 10.0), "run"),
            *([go(seen, seen.enemy_point, "run")] if charges and seen.enemy_point else []),
        ]
        assert run.total == max(way.total for way in ways)


HILL = Objective("hill", "hold", ("red",), 3, (20.0, 20.0), 4.0, due=12)
KNOLL = Objective("knoll", "hold", ("red", "blue"), 1, (40.0, 20.0), 4.0, due=12)


def at_turn(turn: int, *units: Any, objectives: tuple[Objective, ...] = (HILL, KNOLL)) -> Battle:
    battle = scene(*units).battle
    battle.turn, battle.objectives = turn, objectives
    return battle


def test_men_who_cannot_walk_do_not_count_for_the_middle() -> None:
    unit = bare_unit("red", "red", row(3))
    unit.figures["red.3"].at = (50.0, 40.0)
    unit.figures["red.3"].mark("lame")
    unit.measure()
    assert unit.positions.middle == (20.6, 20.0)


def test_each_place_gets_the_unit_that_is_nearest_when_it_is_time_to_go() -> None:
    near, far = bare_unit("near", "red", row(4, 20.0, 28.0)), bare_unit("far", "red", row(4, 30.0, 28.0))
    early = at_turn(5, near, far)
    assert claim_of(early, near) is None and claim_of(early, far) is None
    late = at_turn(10, near, far)
    assert claim_of(late, near) == HILL and claim_of(late, far) == KNOLL
    intention = UnitIntentions(late, far).intention
    assert intention is not None and (intention.kind, intention.at) == ("claim", KNOLL.at)


def test_a_place_that_only_the_enemy_may_score_is_denied_to_him() -> None:
    blue = bare_unit("blue", "blue", row(4, 20.0, 28.0))
    assert claim_of(at_turn(11, blue, objectives=(HILL,)), blue) == HILL


def test_a_few_men_do_not_go_to_a_place_full_of_enemies() -> None:
    band = bare_unit("red", "red", row(4, 20.0, 28.0))
    for enemies, goes in ((8, True), (9, False)):
        battle = at_turn(11, band, bare_unit("blue", "blue", row(enemies, 16.0, 20.0)), objectives=(HILL,))
        assert claim_of(battle, band) == HILL
        assert CoordinatedIntentions(battle, band).claim == (HILL if goes else None)


def test_the_last_unit_on_a_place_leaves_it_to_a_free_friend_to_take_the_next() -> None:
    on_knoll = bare_unit("red", "red", row(4, 38.0, 20.0))
    goals = (Objective("hill", "hold", ("red",), 6, (20.0, 20.0), 4.0, due=12), KNOLL)

    def aim(*friends: Any) -> Point:
        intention = CoordinatedIntentions(at_turn(1, on_knoll, *friends, objectives=goals), on_knoll).intention
        assert intention is not None
        return intention.at

    assert aim() == (20.0, 20.0), "the hill is worth six times as much"
    assert aim(bare_unit("free", "red", row(4, 20.0, 44.0))) == (20.0, 20.0), "the friend is further away"
    assert aim(bare_unit("free", "red", row(4, 26.0, 22.0))) == KNOLL.at


def test_an_enemy_on_a_place_matters_more_as_the_end_comes_near() -> None:
    blue = bare_unit("blue", "blue", row(4, 19.0, 20.0))
    for turn, share in ((11, 3 / 4), (10, 3 / 8), (2, 3 / 40)):
        assert share_of_points(at_turn(turn, blue), blue) == pytest.approx(share)
    assert share_of_points(at_turn(11, blue, objectives=(KNOLL,)), blue) == 0.0


def test_a_unit_does_not_charge_men_who_run_away_for_good() -> None:
    def dealt(result: str) -> float:
        place = scene(red(6), blue(6, y=19.0))
        place.unit("blue").rout = result
        seen = PositionValue(place.battle, place.unit("red"), UnitIntentions(place.battle, place.unit("red")))
        assert seen.enemy_point is not None
        return go(seen, seen.enemy_point, "run").inflicts

    assert dealt("rout_4d6_off_board") < 0.5 * dealt("rout_3d6_rally_7")


def test_routers_claim_nothing_and_one_man_only_what_is_free() -> None:
    unit, chief = bare_unit("red", "red", row(4, 20.0, 24.0)), bare_unit("chief", "red", [(20.0, 30.0)])
    battle = at_turn(11, unit, chief, objectives=(HILL,))
    unit.rout = "rout_3d6_rally_7"
    assert claim_of(battle, unit) is None and claim_of(battle, chief) == HILL
    watched = at_turn(11, unit, chief, bare_unit("blue", "blue", [(20.0, 12.0)]), objectives=(HILL,))
    assert claim_of(watched, chief) is None


def test_enemy_on_the_objective_is_attacked_before_a_nearer_one() -> None:
    red = bare_unit("red", "red", row(6, 17.0, 26.0))
    inside, beside = bare_unit("inside", "blue", [(20.0, 20.0)]), bare_unit("beside", "blue", [(20.0, 29.0)])
    battle = at_turn(12, red, inside, beside, objectives=(HILL,))
    assert [figure.spec.id for _, figure in enemies_at(battle, "red", HILL)] == ["inside.1"]
    foe = UnitIntentions(battle, red).intruder
    assert foe is not None and foe.spec.id == "inside.1"
    worths = evaluate(battle, Choose("move", "PAY-067", "red", "red", ("halt", "advance", "run"), ()))
    totals = [worth.inflicts - worth.suffers + worth.ground + worth.steadies for worth in worths]
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
    near = UnitIntentions(battle, unit).intention
    assert near is not None and (near.kind, near.at) == ("carry_off", (30.0, 24.0))
    battle.change_thing(chest).at = (30.0, 2.0)
    home = UnitIntentions(battle, unit).intention
    assert home is not None and home.kind == "carried object"


def test_riders_attack_reachable_enemies_and_dismount_before_a_house() -> None:
    riders = bare_unit("red", "red", row(4, 20.0, 10.0, 1.6), mount="horse")
    house = {"house": ("building", [(18.0, 16.0), (26.0, 16.0), (26.0, 24.0), (18.0, 24.0)])}
    indoors, outdoors = (
        bare_unit("indoors", "blue", row(3, 20.0, 20.0)),
        bare_unit("outdoors", "blue", row(3, 40.0, 30.0)),
    )
    battle = scene(riders, indoors, outdoors, areas=house).battle
    battle.turn, battle.objectives = 3, (Objective("house", "hold", ("red",), 3, (22.0, 20.0), 4.0, due=12),)
    foe = UnitIntentions(battle, riders).enemy
    assert foe is not None and foe.spec.unit == "outdoors"
    points = Destinations(battle, riders, riders.positions.middle, 17.0, "mounted")
    assert min(dist(point, (22.0, 20.0)) for point in points) < dist(riders.positions.middle, (22.0, 20.0))
    options = ("halt", ("mount", "down"))
    stay, down = evaluate(battle, Choose("move", "PAY-067", "red", "red", options, ()))
    assert down.ground > stay.ground


def test_fast_claims_equal_those_from_checking_every_unit() -> None:
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
            lone = not enemies_at(battle, "red", goal, 6.0)
            able = [(dist(unit.positions.middle, goal.at), unit.spec.id) for unit in free if len(unit.able) > 1 or lone]
            away, name = min(able, default=(0.0, ""))
            if name and goal.due - battle.turn <= ceil(max(0.0, away - goal.radius) / 6.0) + 1:
                expected[name] = goal
                free = [unit for unit in free if unit.spec.id != name]
        found = {unit.spec.id: claim_of(battle, unit) for unit in units if unit.spec.side == "red"}
        assert {name: goal for name, goal in found.items() if goal is not None} == expected
        claimed += len(expected)
    assert 20 < claimed < 100


POND = {"pond": ("deep_water", [(0.0, 0.0), (60.0, 0.0), (60.0, 12.0), (0.0, 12.0)])}
WALL = {"wall": ("low_wall", [(10.0, 14.0), (40.0, 14.0)])}


def destinations(place: Scene, *, legs: int = 0) -> Destinations:
    unit = place.unit("red")
    return Destinations(place.battle, unit, unit.positions.middle, 7.0, "foot", legs=legs)


def test_points_on_the_enemy_wall_own_edge_and_present_place_are_suggested_in_this_order() -> None:
    place = scene(red(1), blue(1, y=30.0), lines=WALL)
    foe, wall, back, here = (20.0, 30.0), (20.0, 14.0), (20.0, 5.0), (20.0, 10.0)
    assert list(destinations(place)) == [foe, wall, back, here]
    assert list(destinations(place, legs=1)) == [here, foe, wall, back]


def test_without_an_edge_of_its_own_a_unit_may_go_straight_away_from_the_enemy() -> None:
    place = scene(bare_unit("red", "red", row(1)), blue(1, y=30.0), home={})
    assert list(destinations(place)) == [(20.0, 30.0), (20.0, 13.0), (20.0, 20.0)]


def test_unit_without_free_places_may_stay() -> None:
    place = scene(red(1, y=6.0), areas=POND)
    assert list(destinations(place)) == [(20.0, 6.0)]
    assert destinations(place).any(lambda: 0.0) == (20.0, 6.0)


def asked(place: Scene, why: str = "move to", *, legs: int = 0) -> Place:
    unit = place.unit("red")
    points = Destinations(place.battle, unit, unit.positions.middle, 7.0, "foot", legs=legs)
    return Place(why, "PAY-070", "red", "red", points, lambda _: None)


@pytest.mark.parametrize("hill", [(40.0, 40.0), (26.0, 12.0), (21.0, 2.0), (23.0, 10.0)])
@pytest.mark.parametrize("foe", [16.0, 22.0, 34.0, 46.0])
@pytest.mark.parametrize("weapons", [("rifle",), ("sword",)])
def test_on_open_ground_the_best_of_all_places_is_among_the_suggestions(
    hill: Point, foe: float, weapons: tuple[str, ...]
) -> None:
    place = scene(red(5, weapons=weapons), blue(5, y=foe), lines=WALL)
    place.battle.objectives = (Objective("hill", "hold", ("red", "blue"), 3, hill, 3.0, due=12),)
    best, points = best_places(place.battle, asked(place)), list(asked(place).suggestions)
    worths = dict(zip(points, evaluate(place.battle, asked(place)), strict=True))
    assert list(best) == [point for point in points if point in best], "in their order"
    assert all(best[point].total == worths[point].total for point in best)
    for aggression in (0.5, 1.0, 2.0):
        for caution in (0.5, 1.0, 2.0):
            assert max(
                evaluation.inflicts * aggression - evaluation.suffers * caution + evaluation.ground
                for evaluation in best.values()
            ) == max(worth.inflicts * aggression - worth.suffers * caution + worth.ground for worth in worths.values())


def test_throughout_a_game_suggested_points_have_the_values_of_full_evaluation() -> None:
    match = game("river_ford")
    state = match.start()
    kept = every = 0

    def watched(seat: str) -> Any:
        agent = make_agent("doctrine", match, seat, 3)

        def answer(question: Choose | Place | Confirm, battle: Any) -> Any:
            nonlocal kept, every
            taken = agent(question, battle)
            if isinstance(question, Place):
                best, points = match.advisor.best_places(battle, question), list(question.suggestions)
                worths = match.advisor.evaluate(battle, question)
                assert taken in best and all(point in points or question.legal(point) is None for point in best)
                suggested = [point for point in best if point in points]
                assert all(best[point].total == worths[points.index(point)].total for point in suggested)
                kept, every = kept + len(best), every + len(points)
            return taken

        return answer

    table = SeededTable(match.rules, state, 3, {seat: watched(seat) for seat in match.seats})
    while state.turn < 6 and (step := match.play.next_step(state)) is not None:
        table.begin(step)
        match.play.perform(table, state, step)
    assert 0 < kept < every


RIVER = {"river": ("deep_water", [(0.0, 14.0), (60.0, 14.0), (60.0, 17.0), (0.0, 17.0)])}


def hold(battle: Battle, at: Point, radius: float = 2.0) -> None:
    """Give red a place to hold, long before the end of the game."""
    battle.turn, battle.objectives = 1, (Objective("hill", "hold", ("red",), 3, at, radius, due=15),)


def choice(battle: Battle, *options: Any) -> Any:
    """Return the choices of red's AI in a move step."""
    worths = evaluate(battle, Choose("move", "PAY-067", "red", "red", options, ()))
    return options[max(range(len(options)), key=lambda n: worths[n].total)]


def test_ai_does_not_limber_or_change_seats_needlessly_under_fire() -> None:
    foes = [bare_unit(f"foe{n}", "blue", row(15, 10.0 + n, 22.0 + n), firearms=6) for n in range(8)]
    gun = Engine("gun", "gun", "red", "red", (22.0, 10.0), team=True)
    battle = scene(red(4), *foes, engines={"gun": gun}).battle
    fire, danger = Survey(battle, battle.unit("red")).fire_and_danger((21.8, 10.0), "halt")
    assert DANGER_WEIGHT * danger > fire + NOTHING
    for act in (("mount", "up"), ("limber", "gun"), ("drive", "gun", "run"), "man by man", "climb"):
        assert choice(battle, "halt", act) == "halt", act


@pytest.mark.parametrize(("areas", "charges"), [(None, True), (RIVER, False)])
def test_ai_does_not_charge_over_a_river(areas: Any, charges: bool) -> None:
    battle = scene(red(6), blue(6, y=19.0), areas=areas).battle
    unit = battle.unit("red")
    seen = PositionValue(battle, unit, UnitIntentions(battle, unit))
    assert seen.enemy_point is not None and (seen.share_in_contact(seen.enemy_point, "run") > 0) is charges
    reason = go(seen, seen.enemy_point, "run").reason
    assert callable(reason)
    assert reason().startswith("charge: ") is charges


def test_men_who_cannot_follow_the_unit_over_a_ford_go_one_by_one() -> None:
    """The ford is four inches wide. The man in the east walks into the river if all go straight to it."""
    banks = {
        "west": ("deep_water", [(0.0, 16.0), (18.0, 16.0), (18.0, 20.0), (0.0, 20.0)]),
        "east": ("deep_water", [(22.0, 16.0), (60.0, 16.0), (60.0, 20.0), (22.0, 20.0)]),
    }
    near, cut_off = [(19.0, 14.0), (20.0, 14.0), (21.0, 14.0)], (32.0, 15.0)
    for spots, chosen in (([*near, cut_off], "man by man"), (near, "run")):
        battle = scene(bare_unit("red", "red", spots), areas=banks).battle
        hold(battle, (20.0, 30.0))
        position = PositionValue(battle, battle.unit("red"), CoordinatedIntentions(battle, battle.unit("red")))
        assert (position.straggler is not None) is (chosen == "man by man")
        assert choice(battle, "halt", "run", "man by man") == chosen
    one = Choose("gait", "PAY-067", "red", "red.1", ("halt", "run"), ())
    halt, run = evaluate(battle, one)
    assert run.total > halt.total


def test_men_who_are_down_are_no_targets_but_still_a_danger() -> None:
    place = scene(red(6), blue(6, y=20.0))
    here = place.unit("red").positions.middle

    def looks() -> tuple[bool, float, float]:
        survey = Survey(place.battle, place.unit("red"))
        return survey.sees_any(here, 36.0), *survey.fire_and_danger(here, "halt")

    seen, fire, danger = looks()
    assert seen and fire > 0 and danger > 0
    for figure in list(place.unit("blue").figures.values())[:3]:
        figure.mark("down")
    seen, less, same = looks()
    assert seen and less == pytest.approx(fire / 2) and same == danger
    for figure in place.unit("blue").figures.values():
        figure.mark("down")
    assert looks() == (False, 0.0, danger)


@pytest.mark.rule("PAY-096", "PAY-101")
def test_a_group_counts_on_no_fire_at_men_who_touch_its_friends_or_at_a_leader_alone() -> None:
    friend = bare_unit("friend", "red", row(6, y=25.0))
    for count, leader, away, seen in ((6, "", 10.0, True), (6, "", 1.0, False), (1, "chief", 10.0, False)):
        foe = bare_unit("blue", "blue", row(count, y=25.0 + away), leader=leader)
        place = scene(red(6), friend, foe)
        survey, here = Survey(place.battle, place.unit("red")), place.unit("red").positions.middle
        assert survey.sees_any(here, 36.0) is seen
        assert (survey.fire(here, "halt") > 0.0) is seen


@pytest.mark.parametrize(("men", "leaves"), [(20, True), (5, False)])
def test_a_unit_leaves_its_post_to_finish_an_enemy_who_is_outnumbered_by_far(men: int, leaves: bool) -> None:
    battle = scene(red(men), bare_unit("friend", "red", row(3, y=25.0)), blue(3, y=26.0)).battle
    battle.objectives = (Objective("posts", "post", ("red",), 0, units=("red",)),)
    unit = battle.unit("red")
    position = PositionValue(battle, unit, CoordinatedIntentions(battle, unit))
    assert (position.intention is None) is leaves


def test_a_defenders_reinforcements_have_no_post() -> None:
    """The lancers and the rearguard of the column arrive later; all others have the posts at which they start."""
    match = game("column_ambushed")
    (posts,) = [objective for objective in match.start().objectives if objective.kind == "post"]
    assert {"gurkhas", "sikh_advance", "mules"} <= set(posts.units) and posts.sides == ("column",)
    assert not {"guides", "rearguard"} & set(posts.units)
    battle = scene(red(5), blue(6, y=60.0)).battle
    for units, kind in ((("red",), "post"), ((), None)):
        battle.objectives = (Objective("posts", "post", ("red",), 0, units=units),)
        intention = CoordinatedIntentions(battle, battle.unit("red")).intention
        assert (intention and intention.kind) == kind


def test_a_gun_whose_way_begins_elsewhere_than_the_middle_of_its_crew_goes_round_a_wall() -> None:
    """The first leg leads away from the goal. From the middle of the crew the way turns at the other end."""
    battle = scene(red(4, y=9.0), lines={"wall": ("low_wall", [(2.0, 15.0), (36.0, 15.0)])}).battle
    hold(battle, (22.0, 40.0))
    unit, gun_at = battle.unit("red"), (17.0, 9.0)
    points = Destinations(battle, unit, gun_at, 7.0, "wheels")
    position = PositionValue(battle, unit, CoordinatedIntentions(battle, unit), "wheels")
    first = points.at(0)
    assert first is not None and first != position.way_to((22.0, 40.0))
    question = Place("drive to", "PAY-084", "red", "red", points, lambda _: None)
    worths = best_places(battle, question)
    assert max(worths, key=lambda point: worths[point].total) == first
    assert worths[first].total == evaluate(battle, question)[list(points).index(first)].total > 0.0


@pytest.mark.parametrize(("ahead", "waits"), [((40.0, 10.0), False), ((33.0, 10.0), True), ((20.0, 30.0), False)])
def test_ai_does_not_run_into_a_friends_back(ahead: Point, waits: bool) -> None:
    friend = bare_unit("friend", "red", row(6, ahead[0] - 3.0, ahead[1]))
    battle = scene(red(6), friend).battle
    hold(battle, (50.0, 10.0))
    assert (choice(battle, "halt", "run") == "halt") is waits
    battle.turn = 14
    assert choice(battle, "halt", "run") == "run", "now or never"


def sent(place: Scene) -> tuple[UnitIntentions, Evaluation]:
    hold(place.battle, (23.0, 13.5))
    unit = place.unit("red")
    return UnitIntentions(place.battle, unit), evaluate(
        place.battle, Choose("move", "PAY-067", "red", "red", ("halt",), ())
    )[0]


def test_unit_guards_its_place_until_an_enemy_disputes_it() -> None:
    """A unit near its place may stay where it is. With an enemy about, it moves into the place itself."""
    calls, halt = sent(scene(red(6), blue(6, y=40.0)))
    assert calls.intention is not None and (calls.intention.kind, calls.intention.radius) == ("keep", 4.0)
    assert halt.ground == pytest.approx(0.25)
    calls, halt = sent(scene(red(6), blue(6, y=20.0)))
    assert calls.intention is not None and (calls.intention.kind, calls.intention.radius) == ("hold", 2.0)
    assert halt.ground == 0.0


@pytest.mark.parametrize(("weapons", "y", "gait"), [(("sword",), 19.0, "run"), ((), 35.0, "halt"), ((), 19.0, "run")])
def test_unarmed_men_do_not_charge_and_retire_in_time(weapons: tuple[str, ...], y: float, gait: Gait) -> None:
    battle = scene(red(6, weapons=weapons), blue(6, y=y)).battle
    hold(battle, (22.5, 10.0))
    assert choice(battle, "halt", "run") == gait
    unit = battle.unit("red")
    seen = PositionValue(battle, unit, UnitIntentions(battle, unit))
    assert (seen.enemy_point is not None) is bool(weapons)
    assert seen.intention is not None and (seen.intention.at[1] < 10.0) is (gait == "run" and not weapons)


@pytest.mark.rule("PAY-067", "PAY-109")
def test_fire_estimate_uses_the_named_gait_of_a_unit_that_stays() -> None:
    place = scene(red(6), blue(6, y=25.0))
    here = place.unit("red").positions.middle
    worth = []
    for gait in ("halt", "run"):
        for figure in place.unit("red").able:
            figure.gait = gait
        stays, *_ = evaluate(
            place.battle, Place("move to", "PAY-070", "red", "red", (here, (20.0, 5.0)), lambda _: None)
        )
        worth.append(stays.inflicts)
    survey = Survey(place.battle, place.unit("red"))
    assert worth == [survey.fire(here, "advance"), survey.fire(here, "run")] and worth[0] > worth[1] > 0


@pytest.mark.rule("PAY-066")
@pytest.mark.parametrize(
    ("mount", "advance", "run"), [("", 7.0, 10.5), ("horse", 10.5, 17.5), ("camel", 10.5, 14.0), ("pack", 7.0, 10.5)]
)
def test_move_estimates_use_the_mean_of_the_dice(mount: str, advance: float, run: float) -> None:
    battle = scene(red(2, mount=mount)).battle
    strides = PositionValue(battle, battle.unit("red"), UnitIntentions(battle, battle.unit("red"))).strides
    assert strides == {"halt": 0.0, "advance": advance, "run": run}


POND_AHEAD = {"pond": ("deep_water", [(12.0, 11.5), (32.0, 11.5), (32.0, 15.0), (12.0, 15.0)])}


@pytest.mark.parametrize("gait", ["advance", "run"])
def test_gait_and_destination_are_valued_by_the_whole_path(gait: Gait) -> None:
    """The whole path around a pond counts, both for the gait and for the destination chosen after it."""
    battle = scene(red(6), areas=POND_AHEAD).battle
    hold(battle, (23.0, 24.0))
    unit = battle.unit("red")
    here = unit.positions.middle
    first = battle.field.pathfinders["foot"].heading(here, (23.0, 24.0))
    assert first[1] < 12.0, "they go along the bank"
    judged = evaluate(battle, Choose("move", "PAY-067", "red", "red", (gait,), ()))[0]
    for figure in unit.able:
        figure.gait = gait
    points = Destinations(battle, unit, here, 9.0, "foot")
    found = best_places(battle, Place("move to", "PAY-070", "red", "red", points, lambda _: None))
    assert found[first].ground == pytest.approx(judged.ground) and judged.ground > 0.0
    listed = evaluate(battle, Place("move to", "PAY-070", "red", "red", tuple(points), lambda _: None))
    assert listed[list(points).index(first)].ground == pytest.approx(judged.ground)
    assert max(listed, key=lambda evaluation: evaluation.total) is listed[list(points).index(first)]


def test_retreating_is_not_valued_as_approaching_the_enemy() -> None:
    """Men without an objective gain value by moving towards the enemy and lose it by going home."""
    place = scene(red(6), blue(6, y=45.0))
    unit = place.unit("red")
    seen = PositionValue(place.battle, unit, UnitIntentions(place.battle, unit))
    assert seen.may_attack and go(seen, (23.0, 45.0), "advance").ground > 0.0 > go(seen, (23.0, 1.0), "advance").ground


DRIVE = ("drive", "cart", "run")
FAR_HILL = Objective("hill", "hold", ("red",), 3, (20.0, 44.0), 2.0, due=15)
THROUGH = Objective("through", "escort", ("red",), 5, None, 0.0, edge="north", units=("red",), due=15)


def friends(y: float, x: float = 24.0) -> Any:
    return bare_unit("guard", "red", row(6, x, y))


def test_noncombatants_hold_no_place_and_stay_behind_fighters() -> None:
    battle = carters(friends(10.0, 32.0), blue(6, y=34.0), goal=FAR_HILL)
    intention = UnitIntentions(battle, battle.unit("red")).intention
    assert intention is not None and intention.kind == "refuge" and intention.at[1] < 10.0
    assert choice(battle, "halt", DRIVE) == DRIVE
    points = Destinations(battle, battle.unit("red"), (20.0, 18.0), 9.0, "wheels")
    worths = evaluate(battle, Place("drive to", "PAY-084", "red", "red", tuple(points), lambda _: None))
    best = max(range(len(points)), key=lambda n: worths[n].total)
    assert points[best][1] < 10.0
    armed = carters(friends(10.0), blue(6, y=34.0), goal=FAR_HILL, weapons=("rifle",))
    hill = UnitIntentions(armed, armed.unit("red")).intention
    assert hill is not None and hill.kind == "hold"


@pytest.mark.parametrize("others", [[friends(24.0), blue(6, y=34.0)], [blue(6, y=46.0)]])
def test_noncombatants_stay_behind_friends_or_far_from_the_enemy(others: list[Any]) -> None:
    battle = carters(*others, goal=FAR_HILL)
    intention = UnitIntentions(battle, battle.unit("red")).intention
    assert intention is not None and intention.kind == "post"
    assert choice(battle, "halt", DRIVE) == "halt"


def test_without_friends_they_go_away_from_the_enemy() -> None:
    battle = carters(blue(6, y=34.0), goal=FAR_HILL)
    intention = UnitIntentions(battle, battle.unit("red")).intention
    assert intention is not None and intention.kind == "refuge" and intention.at[1] < 18.0


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
    goals = game("river_ford").origin.objectives
    assert next(goal for goal in goals if goal.kind == "escort").due == game("river_ford").scenario.turns


def test_noncombatants_claim_no_place_at_the_end() -> None:
    battle = carters(friends(10.0), blue(6, y=46.0), goal=FAR_HILL)
    battle.turn = 12
    assert claim_of(battle, battle.unit("red")) is None
    assert claim_of(battle, battle.unit("guard")) is FAR_HILL


def test_half_of_a_unit_with_weapons_fight() -> None:
    unit = bare_unit("red", "red", row(3), weapons=("knife",))
    unit.figures["red.1"].weapons = ()
    assert can_fight(unit)
    unit.figures["red.2"].weapons = ()
    assert not can_fight(unit)


RIVER_AHEAD = {"river": ("deep_water", [(0.0, 30.0), (60.0, 30.0), (60.0, 33.0), (0.0, 33.0)])}


@pytest.mark.parametrize(
    ("areas", "crowd", "goes"), [(None, False, True), (RIVER_AHEAD, False, False), (None, True, False)]
)
def test_no_gun_is_pushed_where_there_is_no_way_or_no_room(areas: Any, crowd: bool, goes: bool) -> None:
    place: Scene = scene(
        red(4),
        *([bare_unit("others", "red", row(4, 19.5, 13.1))] if crowd else []),
        areas=areas,
        engines={"gun": Engine("machine_gun", "gun", "red", "red", (21.0, 11.4))},
    )
    place.battle.objectives = (FAR_HILL,)
    assert (choice(place.battle, "halt", ("push", "gun")) != "halt") is goes


@pytest.mark.parametrize(("hidden", "goes"), [(True, True), (False, False)])
def test_a_machine_gun_that_sees_no_enemy_is_pushed_towards_him(hidden: bool, goes: bool) -> None:
    wall = ("building", [(10.0, 20.0), (30.0, 20.0), (30.0, 24.0), (10.0, 24.0)])
    gun = Engine("machine_gun", "gun", "red", "red", (21.0, 11.4))
    place = scene(red(4), blue(12, y=34.0), areas={"hut": wall} if hidden else None, engines={"gun": gun})
    assert (choice(place.battle, "halt", ("push", "gun")) != "halt") is goes


BRIDGED = {
    "west": ("deep_water", [(0.0, 14.0), (24.0, 14.0), (24.0, 18.0), (0.0, 18.0)]),
    "east": ("deep_water", [(30.0, 14.0), (60.0, 14.0), (60.0, 18.0), (30.0, 18.0)]),
}


def test_the_rest_of_a_move_is_used_on_the_way_round_water() -> None:
    place = scene(red(1), areas=BRIDGED)
    hold(place.battle, (20.0, 26.0))
    unit = place.unit("red")
    seen = PositionValue(place.battle, unit, CoordinatedIntentions(place.battle, unit))
    assert seen.distance_left > 16.0, "the way leads over the gap"
    first = seen.way_to((20.0, 26.0))
    assert go(seen, (20.0, 26.0), "run", first).ground > go(seen, (20.0, 26.0), "advance", first).ground > 0.0
    best = best_places(place.battle, asked(place, "go on to", legs=1))
    assert max(best, key=lambda point: best[point].total) != unit.positions.middle


def test_the_nearest_man_of_a_unit_goes_to_the_object() -> None:
    place = scene(red(2))
    place.battle.objectives = (Objective("loot", "carry_off", ("red",), 5, thing="chest", edge="south"),)
    place.battle.add_thing("chest", Thing("paychest", "chest", "", (30.0, 10.0), heavy=True, goal="chest"))
    place.battle.objective_thing_ids = None
    unit = place.unit("red")
    intention = CoordinatedIntentions(place.battle, unit).intention
    assert intention is not None and intention.kind == "carry_off"
    middle = unit.positions.middle
    moved = [
        (x + intention.at[0] - middle[0], y + intention.at[1] - middle[1]) for x, y in (f.at for f in unit.able if f.at)
    ]
    assert min(dist(at, (30.0, 10.0)) for at in moved) == pytest.approx(0.0)


def test_captain_does_not_block_his_men_and_does_not_charge() -> None:
    captain = bare_unit("captain", "red", row(1, 37.0, 10.0))
    battle = scene(red(6), captain, blue(6, y=40.0)).battle
    hold(battle, (50.0, 10.0))
    assert choice(battle, "halt", "run") == "run"
    unit = battle.unit("captain")
    assert PositionValue(battle, unit, CoordinatedIntentions(battle, unit)).enemy_point is None


def test_the_only_unit_on_a_place_does_not_leave_it_for_one_that_is_worth_a_point_more() -> None:
    place = scene(red(6), blue(6, y=20.0))
    here = place.unit("red").positions.middle
    place.battle.turn, place.battle.objectives = (
        1,
        (
            Objective("hill", "hold", ("red",), 3, here, 4.0, due=15),
            Objective("farm", "hold", ("red",), 4, (here[0] + 10.0, here[1]), 4.0, due=15),
        ),
    )
    intention = CoordinatedIntentions(place.battle, place.unit("red")).intention
    assert intention is not None and intention.at == here


def test_a_shot_at_a_unit_that_is_partly_in_range_has_a_chance() -> None:
    shooter = bare_unit("red", "red", [(2.0, 2.0)], leader="sergeant")
    place = scene(shooter, bare_unit("blue", "blue", [(58.0, 46.0), (2.0, 6.0)]))
    (worth,) = evaluate(place.battle, Choose("fire at unit", "PAY-092", "red.1", "red", ("blue",), ()))
    assert callable(worth.reason) and re.fullmatch(r"the shot has a [1-9][0-9]?\xa0% chance to hit", worth.reason())
