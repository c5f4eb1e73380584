"""Cavalry: gaits, rides and mounted charges (chapter 16)."""

from __future__ import annotations

from math import sqrt
from typing import Any

import pytest
from tests.rulesets.fixed_baynet.plain import (
    CANTER,
    GALLOP,
    WALK,
    acts,
    battle,
    book,
    box,
    field,
    man,
    run,
    scripted,
    squad,
    troop,
    wounded,
)
from tests.rulesets.fixed_baynet.random_boards import ground, spot, tables, way

from zareba.space.bearings import offset
from zareba.space.geometry import Point
from zareba_rulesets.fixed_baynet.actions.activation import perform_action
from zareba_rulesets.fixed_baynet.chapters.cavalry import (
    FRESH,
    RideLeg,
    RideSoFar,
    StraightRide,
    allowed_gaits,
    max_distance_of_gait,
    mounted_charge,
    reason_against_gait,
    reason_against_ride,
    ride_points,
    ride_straight,
    ride_targets,
    riders,
    turn_cost,
)
from zareba_rulesets.fixed_baynet.chapters.contact import foes_in_contact
from zareba_rulesets.fixed_baynet.chapters.hits import resolve_hit
from zareba_rulesets.fixed_baynet.odds.stage import bare_unit


@pytest.mark.rule("FBN-173", "FBN-176", "FBN-172", "FBN-177")
@pytest.mark.setting("decel_steps")
def test_gaits_follow_one_another() -> None:
    def gaits(last: int, **settings: Any) -> list[int]:
        state, red, _ = troop(last, **settings)
        return allowed_gaits(state.book, red.figures["red/1"])

    assert [gaits(last) for last in range(4)] == [[1], [1, 2], [1, 2, 3], [1, 2, 3]]
    assert gaits(GALLOP, decel_steps="one") == [2, 3]
    assert "FBN-177" in (reason_against_gait(book(decel_steps="one"), WALK, GALLOP, 5, []) or "")
    assert reason_against_gait(book(decel_steps="any"), WALK, GALLOP, 5, []) is None


@pytest.mark.rule("FBN-179", "FBN-173")
@pytest.mark.setting("mount_moves_per_turn")
def test_one_ride_a_turn_or_three() -> None:
    for setting, left in ((1, 0), (3, 1)):
        state, red, _ = troop(gap=60, mount_moves_per_turn=setting)
        with scripted(state, ("ride to", (50.0, 27.0)), mount_moves_per_turn=setting) as table:
            perform_action(table, state, red, ("ride", WALK))
        assert red.figures["red/1"].ac == 2 and red.figures["red/1"].gait == WALK
        assert len(riders(state, red)) == left


@pytest.mark.rule("FBN-174", "FBN-175", "FBN-176", "FBN-182")
@pytest.mark.setting("terrain_move")
@pytest.mark.parametrize("move", ["worst", "proportional"])
def test_riders_may_go_where_each_of_them_may(move: str) -> None:
    for number, random in enumerate(tables(30)):
        on, gait = ground(random, terrain_move=move), random.choice((1, 2, 3))
        red = squad("red", "red", 3, spot(random), mounted=True, rides=True)
        state = battle(red, on=on, terrain_move=move)
        men = list(red.figures.values())
        for place, one in enumerate(men):
            one.last_gait, one.facing = (gait, 0.0) if number % 2 else (gait - place % 2, 60.0 * place)
        cavalcade = StraightRide(state, red, men, gait)
        w, s, e, n = cavalcade.box
        lengths = [
            float(max_distance_of_gait(state.book, gait, going)) for going in range(3)
        ]  # of whole rides straight ahead
        ways = [way(random) for _ in range(6)] + [offset((0.0, 0.0), men[0].facing, length) for length in lengths]
        for dx, dy in ways:
            sweep = (w + min(dx, 0), s + min(dy, 0), e + max(dx, 0), n + max(dy, 0))
            alone = [reason_against_ride(state, rider, (rider.at, (rider.x + dx, rider.y + dy)), gait) for rider in men]
            assert (cavalcade.reason_against_ground(on.scene(sweep), sweep, dx, dy) is not None) is any(alone)


@pytest.mark.rule("FBN-181", "FBN-174")
@pytest.mark.setting("contact_excuses_minimum")
def test_contact_short_of_the_minimum_is_refused_or_excused() -> None:
    for setting, count in ((False, 0), (True, 1)):
        state, red, _ = troop(WALK, gap=5, contact_excuses_minimum=setting)
        assert len(list(ride_targets(state, red, riders(state, red)))) == count


@pytest.mark.rule("FBN-175", "FBN-174", "FBN-176")
def test_a_ride_may_turn_on_the_way_and_pays_for_every_turn() -> None:
    state, red, _ = troop(CANTER, gap=60)
    figure = red.figures["red/1"]
    assert ("wheel", GALLOP) in acts(state, red)
    east = (50 + 5 * sqrt(0.5), 28 + 5 * sqrt(0.5))
    script = [("ride to", (50.0, 28.0)), ("ride to", east), ("ride on", "halt")]
    run(perform_action, state, red, ("wheel", GALLOP), script=script)
    assert figure.at == pytest.approx(east) and (figure.ac, figure.moves, figure.gait) == (2, 1, GALLOP)
    assert figure.facing == pytest.approx(45)
    state, red, _ = troop(CANTER, gap=60)
    ridden = RideLeg(state, red, riders(state, red), GALLOP, FRESH).ride_after(0, 8)
    figure = red.figures["red/1"]
    state.put(figure, 50, 28)
    leg = RideLeg(state, red, riders(state, red), GALLOP, ridden)
    assert (ridden.inches, ridden.turns, leg.ride_after(5, 5).turns) == (8, 0, 2)
    assert RideLeg(state, red, riders(state, red), GALLOP, leg.ride_after(2, 2)).ride_after(-2, 2).turns == 4, (
        "every turn is paid for"
    )
    assert leg.reason_against_leg(0, 9) is None and "FBN-175" in (leg.reason_against_leg(0, 9.1) or "")
    assert leg.reason_against_leg(7, 0) is None and "FBN-175" in (leg.reason_against_leg(7.1, 0) or "")


@pytest.mark.rule("FBN-174", "FBN-175")
def test_a_leg_must_leave_a_way_to_the_least_distance() -> None:
    wall = field(lines=(("stone_wall", [(40, 30), (60, 30)]),))
    state, red, _ = troop(CANTER, gap=60, on=wall)
    leg = RideLeg(state, red, riders(state, red), GALLOP, FRESH)
    for inches in (5, 8):
        assert "FBN-174" in (leg.reason_against_leg(0, inches) or ""), "a wall bars the twelfth inch"
    assert leg.reason_against_leg(13, 0) is None
    red.figures["red/1"].last_gait = 0
    assert RideLeg(state, red, riders(state, red), WALK, FRESH).reason_against_leg(0, 5) is None


@pytest.mark.rule("FBN-174", "FBN-175")
def test_a_ride_with_turns_can_go_on_to_just_the_least_distance_of_its_gait() -> None:
    """Friends block all longer legs, so the last leg may be shorter than an inch."""
    for ridden in (5.5, 6.5):
        state, red, _ = troop(WALK, gap=60)
        crowd = [man(f"crowd/{place}", "red", 50.0, y) for place, y in enumerate((28.9, 29.9, 30.9, 31.9, 32.9))]
        state.units["crowd"] = bare_unit("crowd", "red", crowd)
        state.put(red.figures["red/1"], 50, 20 + ridden)
        red.measure()
        leg = RideLeg(state, red, riders(state, red), CANTER, RideSoFar(ridden, ridden))
        assert leg.refuse((50.0, 27.0)) is None
        assert any(point == pytest.approx((50.0, 27.0)) for point in leg.suggestions())
    assert "inch" in (leg.reason_against_leg(0, 0.4) or "")
    assert "inch" in (
        RideLeg(state, red, riders(state, red), CANTER, RideSoFar(7.0, 7.0)).reason_against_leg(0, 0.9) or ""
    )


@pytest.mark.rule("FBN-172", "FBN-176")
@pytest.mark.parametrize(("dx", "dy", "bearing"), [(0, 7, 0), (7, 0, 90), (0, -7, 180), (-7, 0, 270)])
def test_riders_face_the_direction_of_their_ride(dx: int, dy: int, bearing: float) -> None:
    state, red, _ = troop(gap=60)
    rider = red.figures["red/1"]
    run(ride_straight, state, red, [rider], WALK, dx, dy)
    assert rider.facing == pytest.approx(bearing)


def ridden_to(gait: int, last: int, goals: list[Point], *pieces: Any, start: Point | None = None) -> list[Point]:
    """Return the points suggested to a rider at (50, 50) facing north, rounded."""
    red = bare_unit("red", "red", [man("red/1", "red", 50, 50, mounted=True, rides=True)])
    state = battle(red, on=field(*pieces))
    rider = red.figures["red/1"]
    rider.last_gait = last
    found = ride_points(state, red, StraightRide(state, red, [rider], gait), goals, lambda _: None, start)
    points = [(round(x, 2), round(y, 2)) for x, y in found]
    if gait == CANTER and not pieces and found.ideal is not None:
        ideal = [(round(x, 2), round(y, 2)) for x, y in map(found.ideal, range(found.candidates))]
        assert points == list(dict.fromkeys(ideal))
    return points


@pytest.mark.rule("FBN-174", "FBN-175")
def test_riders_are_shown_ways_to_goals_towards_them_and_all_round() -> None:
    """A canter is 7 to 12 inches, 11 after a turn of up to 90 degrees, 10 after one of 180."""
    side = round(11 * sqrt(0.5), 2)
    round_about = [(50, 62), (50 + side, 50 + side), (50 - side, 50 + side), (61, 50), (39, 50), (50, 40)]
    assert ridden_to(CANTER, WALK, []) == round_about
    to_goals = [(50, 60), (59, 50), (50, 57), (50, 62)]
    assert ridden_to(CANTER, WALK, [(50, 50), (50, 60), (59, 50), (50, 53), (50, 90)]) == to_goals + round_about[1:]
    moved = [(x - 10, y - 20) for x, y in to_goals[:1] + round_about]
    assert ridden_to(CANTER, WALK, [(40, 40), (40, 30)], start=(40.0, 30.0)) == moved
    assert len(ridden_to(WALK, 0, [(50, 50.5)])) == 6, "nobody rides less than an inch"
    assert (50, 51.5) in ridden_to(WALK, 0, [(50, 51.5)])


@pytest.mark.rule("FBN-174", "FBN-182")
def test_riders_come_as_far_as_the_ground_lets_them() -> None:
    """A canter suggests 12, 9.5 or 7 inches, a walk 7 or 3.5, and 3 where there is any terrain."""
    for gait, last, crag, y in (
        (CANTER, WALK, 62.1, 62),
        (CANTER, WALK, 61.9, 59.5),
        (CANTER, WALK, 59.4, 57),
        (CANTER, WALK, 56.9, None),
        (WALK, 0, 56.9, 53.5),
        (WALK, 0, 53.4, 53),
        (WALK, 0, 52.9, None),
    ):
        found = ridden_to(gait, last, [], ("crag", list(box(40, crag, 60, crag + 1))))
        assert [at[1] for at in found if at[0] == 50 and at[1] > 50] == ([] if y is None else [y])


@pytest.mark.rule("FBN-174", "FBN-182")
def test_rides_in_a_river_are_suggested_within_its_limit() -> None:
    """On jagged ground a walk is 3 inches at most, so 7 and 3.5 are too far in every direction."""
    found = ridden_to(WALK, 0, [], ("deep_river", list(box(30, 40, 70, 60))))
    assert (50, 53) in found
    assert len(found) == 6


@pytest.mark.rule("FBN-180", "FBN-181", "FBN-174")
def test_a_rider_charges_past_men_who_are_too_near_for_his_gait() -> None:
    rider = man("red/1", "red", 50, 20, mounted=True, rides=True)
    rider.last_gait = 1
    red = bare_unit("red", "red", [rider])
    foes = [man(f"blue/{i}", "blue", x, y) for i, (x, y) in enumerate([(47.0, 24.0), (53.0, 24.0), (50.0, 31.0)])]
    state = battle(red, bare_unit("blue", "blue", foes))
    run(perform_action, state, red, ("ride down", "blue", 2))
    assert foes_in_contact(state, rider, "red") == [foes[-1]]


@pytest.mark.rule("FBN-175")
@pytest.mark.setting("turn_rounding")
def test_turns_cost_inches_by_started_right_angles_or_in_proportion() -> None:
    assert [turn_cost(book(), gait, [45.0, 100.0]) for gait in (WALK, CANTER, GALLOP)] == [0, 3, 6]
    assert turn_cost(book(turn_rounding="proportional"), GALLOP, [45.0]) == 1.0


@pytest.mark.rule("FBN-175", "FBN-182")
def test_a_turn_and_bumpy_ground_both_shorten_a_canter() -> None:
    """A canter is 8 inches on bumpy ground, and 7 after a turn of up to 90 degrees. Seven is the shortest canter."""
    state, red, _ = troop(WALK, on=field(("rubble", list(box(0, 0, 100, 100)))))
    rider = red.figures["red/1"]
    for end, refused in (((50, 28), ""), ((50, 28.1), "FBN-175"), ((57, 20), ""), ((57.1, 20), "FBN-175")):
        assert refused in (reason_against_ride(state, rider, ((50, 20), end), CANTER) or "")
        assert (reason_against_ride(state, rider, ((50, 20), end), CANTER) is None) is (not refused)
    assert "FBN-174" in (reason_against_ride(state, rider, ((50, 20), (50, 26.9)), CANTER) or "")
    assert "FBN-175" in (reason_against_ride(state, rider, ((50, 20), (50, 13)), CANTER) or ""), (
        "about face costs 2 inches"
    )


@pytest.mark.rule("FBN-179", "FBN-175")
@pytest.mark.setting("mount_moves_per_turn")
def test_every_ride_with_turns_is_paid_for_where_three_are_allowed() -> None:
    rider = man("red/1", "red", 50, 20, mounted=True, rides=True)
    unit = bare_unit("red", "red", [rider])
    state = battle(unit, squad("blue", "blue", 1, (50, 90)), mount_moves_per_turn=3)
    for number, point in enumerate([(55.0, 20.0), (55.0, 25.0), (50.0, 25.0)], 1):
        script = (("ride on", "ride on"), ("ride to", point), ("ride on", "halt"))
        run(perform_action, state, unit, ("wheel", 1), script=script, mount_moves_per_turn=3)
        assert (rider.at, rider.moves, rider.ac) == (point, number, 3 - number)
    assert ("wheel", 1) not in acts(state, unit)


@pytest.mark.rule("FBN-177")
@pytest.mark.setting("decel_steps")
def test_a_canter_does_not_end_in_a_halt_where_slowing_is_step_by_step() -> None:
    for setting, last, may_end in (("any", 3, True), ("one", 1, True), ("one", 2, False)):
        unit = bare_unit("red", "red", [man("red/1", "red", 50, 50, mounted=True)])
        state = battle(unit, decel_steps=setting)
        unit.figures["red/1"].last_gait = last
        assert ("end" in acts(state, unit)) is may_end
    run(perform_action, state, unit, ("ride", 1), script=[("ride to", (50.0, 55.0))], decel_steps="one")
    assert "end" in acts(state, unit)


@pytest.mark.rule("FBN-180", "FBN-143", "FBN-041")
def test_a_mounted_charge_is_a_canter_or_gallop_into_contact() -> None:
    state, red, blue = troop(WALK, gap=10)
    assert list(ride_targets(state, red, riders(state, red))) == [(blue, CANTER)]
    assert run(mounted_charge, state, red, riders(state, red), blue, CANTER) == 1
    assert red.events == ("charge",) and red.figures["red/1"].gait == CANTER
    state, red, blue = troop(WALK, gap=10)
    ambush = squad("ambush", "blue", 1, (53, 31), weapon="none")
    ambush.mark("hidden")
    state.units["ambush"] = ambush
    run(mounted_charge, state, red, riders(state, red), blue, CANTER)
    assert "hidden" not in ambush.marks, "the riders find whoever hides where they arrive"
    state, red, _ = troop(0, gap=5)
    assert list(ride_targets(state, red, riders(state, red))) == []
    wire = field(("barbed_wire", list(box(0, 25, 100, 25.5))))
    state, red, _ = troop(WALK, gap=7, on=wire)
    assert list(ride_targets(state, red, riders(state, red))) == []


@pytest.mark.rule("FBN-143", "FBN-175", "FBN-180")
@pytest.mark.parametrize(("x", "touches"), [(53.75, True), (54.75, False)])
def test_a_charge_may_follow_a_turn_and_is_straight_from_there(x: float, touches: bool) -> None:
    state, red, blue = troop(WALK, gap=60)
    state.put(blue.figures["blue/1"], x, 28.0)
    blue.measure()
    script = [("ride to", (50.0, 28.0)), ("ride on", ("charge", "blue") if touches else "halt")]
    run(perform_action, state, red, ("wheel", CANTER), script=script)
    rider = red.figures["red/1"]
    assert (rider.moves, rider.gait, "charged" in rider.marks) == (1, CANTER, touches)
    assert red.events == (("charge",) if touches else ())
    assert bool(foes_in_contact(state, rider, "red")) is touches


@pytest.mark.rule("FBN-180", "FBN-103")
def test_rider_in_contact_does_not_charge_the_same_man() -> None:
    state, red, blue = troop(WALK, gap=0.04, contact_excuses_minimum=True)
    assert list(ride_targets(state, red, riders(state, red))) == []
    state.put(blue.figures["blue/1"], 50, 24)
    blue.measure()
    assert list(ride_targets(state, red, riders(state, red))) == [(blue, CANTER)]


@pytest.mark.rule("FBN-180")
@pytest.mark.setting("mounted_charge_doubles")
def test_a_mounted_charge_may_double_its_gait() -> None:
    for setting, count in ((False, 0), (True, 1)):
        state, red, _ = troop(WALK, gap=15, mounted_charge_doubles=setting)
        assert len(list(ride_targets(state, red, riders(state, red)))) == count


@pytest.mark.rule("FBN-270", "FBN-180")
def test_a_walk_may_end_in_contact_and_a_canter_only_by_a_charge() -> None:
    state, red, _ = troop(WALK, gap=7)
    men = riders(state, red)
    assert StraightRide(state, red, men, WALK).reason_against(0, 6.99) is None
    state, red, _ = troop(WALK, gap=9)
    assert "FBN-180" in (StraightRide(state, red, riders(state, red), CANTER).reason_against(0, 8.99) or "")


@pytest.mark.rule("FBN-142", "FBN-180")
def test_charge_with_turns_that_falls_short_still_rides_at_enemies_ahead() -> None:
    red = bare_unit("red", "red", [man(f"red/{x}", "red", x, 20, mounted=True, rides=True) for x in (50, 60)])
    for figure in red.figures.values():
        figure.last_gait = WALK
    blue, other = squad("blue", "blue", 1, (50, 31), facing=180.0), squad("other", "blue", 1, (60, 40), facing=180.0)
    state = battle(red, blue, other)
    with scripted(state, ("ride to", (55.0, 28.0)), ("ride on", ("charge", "blue"))) as table:
        perform_action(table, state, red, ("wheel", CANTER))
    assert [figure.gait for figure in red.figures.values()] == [CANTER, CANTER]
    assert blue.events == ("ridden at",) and other.events == ("ridden at",)


@pytest.mark.rule("FBN-059", "FBN-180")
def test_single_charging_rider_does_not_cluster_his_troop() -> None:
    for alone in (True, False):
        red = squad("red", "red", 4, (50, 20), "closed", mounted=True)
        for rider in red.figures.values():
            rider.last_gait = WALK
        blue = squad("blue", "blue", 4, (50, 31), "closed", weapon="none", facing=180.0)
        state = battle(red, blue)
        men = riders(state, red)[: 1 if alone else 4]
        assert run(mounted_charge, state, red, men, blue, CANTER)
        assert ("cluster" in red.marks) is not alone


@pytest.mark.rule("FBN-182")
def test_ground_shortens_maxima_and_leaves_minima() -> None:
    numbers = book()
    assert [numbers.allowance_on_ground(numbers.gaits[gait].most, 1) for gait in (WALK, CANTER, GALLOP)] == [5, 8, 12]
    assert reason_against_gait(numbers, CANTER, WALK, 8, [], difficulty=1) is None
    assert reason_against_gait(numbers, GALLOP, CANTER, 12, [], difficulty=1) is None
    assert reason_against_gait(numbers, CANTER, WALK, 7, [], difficulty=2) is not None
    assert reason_against_gait(numbers, WALK, 0, 3, [], difficulty=2) is None
    state, red, _ = troop(WALK, on=field(lines=(("stone_wall", [(0, 24), (100, 24)]),)))
    assert "FBN-182" in (reason_against_ride(state, red.figures["red/1"], ((50, 20), (50, 26)), WALK) or "")


@pytest.mark.rule("FBN-186", "FBN-185")
def test_mounting_and_dismounting() -> None:
    state, red, _ = troop(gap=60)
    run(perform_action, state, red, "dismount")
    figure = red.figures["red/1"]
    assert not figure.mounted and figure.ac == 2
    assert "mount" in acts(state, red)
    run(perform_action, state, red, "mount")
    assert figure.mounted and figure.ac == 1
    figure.mounted = False
    figure.marks = frozenset({"horse 80.00 80.00"})
    assert "mount" not in acts(state, red)
    state, red, _ = troop(CANTER, gap=60)
    assert "dismount" not in acts(state, red)


@pytest.mark.rule("FBN-186")
def test_only_riders_on_slow_horses_dismount() -> None:
    red = squad("red", "red", 3, (50, 20), mounted=True, rides=True)
    for figure, gait in zip(red.figures.values(), (0, CANTER, WALK), strict=True):
        figure.last_gait = gait
    state = battle(red)
    state.active = "red"
    run(perform_action, state, red, "dismount")
    assert [figure.mounted for figure in red.figures.values()] == [False, True, False]


@pytest.mark.rule("FBN-186")
def test_rider_at_a_walk_may_dismount() -> None:
    for last, gait, able in ((3, 1, True), (3, 0, False), (1, 0, True), (1, 2, False), (0, 0, True)):
        unit = bare_unit("red", "red", [man("red/1", "red", 50, 50, mounted=True, rides=True)])
        state = battle(unit)
        unit.figures["red/1"].last_gait, unit.figures["red/1"].gait = last, gait
        assert ("dismount" in acts(state, unit)) is able


@pytest.mark.rule("FBN-187")
def test_every_hit_is_on_the_rider_and_his_horse_goes_with_him() -> None:
    state, red, blue = troop(gap=10)
    run(resolve_hit, state, red, red.figures["red/1"], False, 1, "fire", blue)
    assert not red.figures and [casualty.figure for casualty in state.fallen] == ["red/1"]


@pytest.mark.rule("FBN-187", "FBN-129")
def test_groin_and_heavy_leg_throw_a_rider_off() -> None:
    for score, mounted in ((3, False), (8, False), (2, True)):
        _, _, hero = wounded(score, mounted=True)
        assert hero is not None and hero.mounted is mounted
