"""Movement: gaits, dice, the cost of ground, contact, and leaving the board."""

from __future__ import annotations

from math import dist
from random import Random

import pytest
from tests.rulesets.paychest.stage import Script, apart, at, bare_unit, blue, chances, red, row, scene

from zareba.space.field.bodies import Base, overlaps_any
from zareba_rulesets.paychest.actions.movement import leave_by_edge, move_unit
from zareba_rulesets.paychest.chapters.marching import MovingFigure, march, straight_cost
from zareba_rulesets.paychest.chapters.movement import movers, roll_allowance
from zareba_rulesets.paychest.chapters.sight import in_contact, touches
from zareba_rulesets.paychest.forces.battle import Engine
from zareba_rulesets.paychest.forces.units import Thing


@pytest.mark.rule("PAY-053", "PAY-066", "PAY-069", "PAY-009")
def test_the_first_dice_are_the_advance_and_all_of_them_the_run() -> None:
    place = scene(red(1))
    script = [("foot advances", [3, 4]), ("foot runs on", [5])]
    assert place.play(roll_allowance, place.battle, "foot", True, "red", script=script) == (7.0, 12.0)
    assert place.play(roll_allowance, place.battle, "foot", False, "red", script=script[:1]) == (7.0, 0.0)


@pytest.mark.rule("PAY-068")
@pytest.mark.setting("movement_method")
def test_moves_are_diced_for_or_three_and_a_half_inches_a_die() -> None:
    assert (
        scene(red(1)).play(roll_allowance, scene(red(1)).battle, "foot", False, "red", script=[("foot advances", 12)])[
            0
        ]
        == 12
    )
    fixed = scene(red(1), movement_method="fixed")
    rolled = [fixed.play(roll_allowance, fixed.battle, mover, True, "red") for mover in ("foot", "horse", "camel")]
    assert rolled == [(7.0, 10.0), (10.0, 17.0), (10.0, 14.0)]


@pytest.mark.rule("PAY-067", "PAY-061", "PAY-069")
@pytest.mark.setting("gait_scope")
def test_each_figure_has_its_gait_or_the_unit_has_one() -> None:
    place = scene(red(2))
    script = [
        ("move", "man by man"),
        ("gait", "advance"),
        ("gait", "run"),
        ("foot advances", [2, 3]),
        ("foot runs on", [4]),
        ("move to", (20.0, 30.0)),
        ("move to", (21.2, 30.0)),
    ]
    place.play(move_unit, place.battle, place.unit("red"), script=script)
    assert at(place, "red.1") == pytest.approx((20.0, 15.0)) and at(place, "red.2") == pytest.approx((21.2, 19.0))
    assert [place.figure(f"red.{n}").gait for n in (1, 2)] == ["advance", "run"]
    unit = scene(red(2), gait_scope="unit")
    with pytest.raises(AssertionError, match="is not an answer to"):
        unit.play(move_unit, unit.battle, unit.unit("red"), script=script)
    unit.play(move_unit, unit.battle, unit.unit("red"), script=[("move", "halt")])
    assert at(unit, "red.1") == (20.0, 10.0)


@pytest.mark.rule("PAY-070", "PAY-069")
def test_the_cost_of_a_move_is_shown_before_the_choice() -> None:
    """The cost shown in advance equals what the move takes of the allowance, as far as the allowance lasts."""
    areas = {
        "rocks": ("rocks", [(0.0, 12.0), (60.0, 12.0), (60.0, 14.0), (0.0, 14.0)]),
        "house": ("building", [(0.0, 30.0), (60.0, 30.0), (60.0, 40.0), (0.0, 40.0)]),
    }
    for goal in ((20.0, 11.0), (20.0, 13.0), (24.0, 15.0)):
        place = scene(red(1), areas=areas)
        told = straight_cost(place.battle, "foot", (20.0, 10.0), goal, 12.0)
        left = march(place.battle, place.unit("red"), [MovingFigure(place.figure("red.1"), 12.0)], goal)
        assert told.spent == pytest.approx(12.0 - left["red.1"]) and at(place, "red.1") == pytest.approx(goal)
    far = straight_cost(place.battle, "foot", (20.0, 10.0), (20.0, 16.0), 5.0)
    assert far.spent == pytest.approx(8.0) and far.allowance == 5
    mounted = straight_cost(place.battle, "mounted", (20.0, 10.0), (20.0, 45.0), 5.0)
    assert mounted.spent is None, "riders go into no house"


@pytest.mark.rule("PAY-070", "PAY-007")
def test_moves_end_on_no_base_but_may_pass_friends() -> None:
    other = bare_unit("other", "red", [(20.0, 15.0)])
    place = scene(red(1), other)
    march(place.battle, place.unit("red"), [MovingFigure(place.figure("red.1"), 5.0)], (20.0, 15.0))
    assert not overlaps_any(at(place, "red.1"), 0.5, [Base(20.0, 15.0, 0.5)])
    march(place.battle, place.unit("red"), [MovingFigure(place.figure("red.1"), 9.0)], (20.0, 20.0))
    assert at(place, "red.1")[1] > 16.0


@pytest.mark.rule("PAY-071", "PAY-136")
def test_a_move_may_end_against_an_enemy_and_stops_there() -> None:
    place = scene(red(1), blue(1, y=16.0))
    march(place.battle, place.unit("red"), [MovingFigure(place.figure("red.1"), 12.0)], (20.0, 16.0))
    assert touches(place.battle, place.figure("red.1"), place.figure("blue.1"))
    assert at(place, "red.1")[1] == pytest.approx(15.0)
    march(place.battle, place.unit("red"), [MovingFigure(place.figure("red.1"), 12.0)], (20.0, 30.0))
    assert at(place, "red.1")[1] == pytest.approx(15.0)  # his base is in the way


@pytest.mark.rule("PAY-076")
@pytest.mark.setting("melee_lock")
def test_breaking_off_is_free_or_forbidden() -> None:
    for lock, free in (("off", 1), ("on", 0)):
        place = scene(red(1), blue(1, y=11.0), melee_lock=lock)
        assert in_contact(place.battle, place.figure("red.1"), [place.unit("blue")])
        assert len(movers(place.battle, place.unit("red"))) == free


@pytest.mark.rule("PAY-070")
def test_no_leg_of_a_path_is_too_short_and_no_rest_too_small() -> None:
    place = scene(red(1))
    script: list[tuple[str, object]] = [("move", "advance"), ("foot advances", [1, 3]), ("move to", (20.5, 10.0))]
    script += [("go on to", (20.5, 12.8)), ("go on to", (30.0, 12.8))]
    place.play(move_unit, place.battle, place.unit("red"), script=script)
    assert at(place, "red.1") == pytest.approx((21.2, 12.8))


@pytest.mark.rule("PAY-070")
def test_blocked_figure_takes_another_path() -> None:
    pond = {"pond": ("deep_water", [(10.0, 10.5), (30.0, 10.5), (30.0, 11.5), (10.0, 11.5)])}
    for again in (False, True):
        place = scene(red(1), bare_unit("other", "red", [(20.0, 9.2)]), areas=pond)
        script: list[tuple[str, object]] = [("move", "advance"), ("foot advances", [1, 3]), ("move to", (20.0, 9.2))]
        if again:
            with pytest.raises(AssertionError, match="no figure could get any further that way"):
                place.play(move_unit, place.battle, place.unit("red"), script=[*script, ("go on to", (20.0, 9.2))])
            continue
        place.play(move_unit, place.battle, place.unit("red"), script=[*script, ("go on to", (16.0, 10.0))])
        assert at(place, "red.1") == pytest.approx((16.0, 10.0))


@pytest.mark.rule("PAY-053", "PAY-070")
def test_the_log_tells_a_move_to_the_hundredth_of_an_inch() -> None:
    place = scene(red(1))
    script: list[tuple[str, object]] = [("move", "advance"), ("foot advances", [1, 3]), ("move to", (21.234567, 10.0))]
    script += [("go on to", (30.0, 11.987654))]
    place.play(move_unit, place.battle, place.unit("red"), script=script)
    assert [(told["to"], told["inches"]) for told in place.told("move")] == [
        ([21.23, 10.0], 1.23),
        ([30.0, 11.99], 2.77),
    ]


@pytest.mark.rule("PAY-070")
def test_the_log_tells_only_legs_in_which_a_figure_moved() -> None:
    pond = {"pond": ("deep_water", [(10.0, 10.5), (30.0, 10.5), (30.0, 11.5), (10.0, 11.5)])}
    place = scene(red(1), bare_unit("other", "red", [(20.0, 9.2)]), areas=pond)
    script: list[tuple[str, object]] = [("move", "advance"), ("foot advances", [1, 3]), ("move to", (20.0, 9.2))]
    place.play(move_unit, place.battle, place.unit("red"), script=[*script, ("go on to", (16.0, 10.0))])
    assert [told["to"] for told in place.told("move")] == [[16.0, 10.0]], "another man stands in the way of the first"


@pytest.mark.rule("PAY-070", "PAY-071")
def test_figures_out_of_contact_move_on_after_another_made_contact() -> None:
    place = scene(red(2), blue(1, y=12.0))
    script: list[tuple[str, object]] = [("move", "advance"), ("foot advances", [2, 3]), ("move to", (20.6, 14.0))]
    place.play(move_unit, place.battle, place.unit("red"), script=[*script, ("go on to", (26.0, 14.0))])
    assert touches(place.battle, place.figure("red.1"), place.figure("blue.1"))
    assert at(place, "red.2") == pytest.approx((22.2, 14.0))


@pytest.mark.rule("PAY-072", "PAY-080")
def test_a_load_halves_men_and_animals_but_no_conveyance() -> None:
    for mover, slower in (("foot", True), ("horse", True), ("wagon", False)):
        plain, loaded = (
            chances("move", mover=mover, advance_inches=7.0, loaded=load).probability(lambda o: bool(o.advance_reaches))
            for load in (False, True)
        )
        assert (plain > loaded) is slower


@pytest.mark.rule("PAY-214", "PAY-194")
def test_figure_at_the_edge_may_leave_with_its_loads() -> None:
    things = {"chest": Thing("paychest", "chest", "", None, heavy=True, carrier="red.1")}
    place = scene(red(2, y=0.0), things=things)
    place.figure("red.1").loads = ("chest",)
    for name in ("red.1", "red.2"):
        place.figure(name).gait = "advance"
    place.play(leave_by_edge, place.battle, place.unit("red"), script=[("at the edge", "leave the table")])
    assert place.figure("red.1").fate == "left" and place.unit("red").able == []
    assert (place.battle.things["chest"].taken_by, place.battle.things["chest"].edge) == ("red", "south")
    stays = scene(red(1, y=0.0))
    stays.play(leave_by_edge, stays.battle, stays.unit("red"))  # did not move: no question
    assert stays.figure("red.1").able


@pytest.mark.rule("PAY-008", "PAY-070")
def test_figure_that_stops_at_a_base_has_used_its_path_length() -> None:
    place = scene(red(1), bare_unit("other", "red", [(20.0, 15.0)]))
    left = march(place.battle, place.unit("red"), [MovingFigure(place.figure("red.1"), 5.0)], (20.0, 15.0))
    assert at(place, "red.1") == pytest.approx((20.0, 14.0)) and left["red.1"] == pytest.approx(1.0)
    rocks = {"rocks": ("rocks", [(0.0, 12.0), (60.0, 12.0), (60.0, 40.0), (0.0, 40.0)])}
    slow = scene(red(1), bare_unit("other", "red", [(20.0, 15.0)]), areas=rocks)
    left = march(slow.battle, slow.unit("red"), [MovingFigure(slow.figure("red.1"), 8.0)], (20.0, 15.0))
    assert at(slow, "red.1") == pytest.approx((20.0, 14.0)) and left["red.1"] == pytest.approx(2.0)


@pytest.mark.rule("PAY-067", "PAY-069")
def test_unit_that_names_a_gait_and_stays_has_that_gait() -> None:
    place = scene(red(2))
    here = (20.6, 10.0)
    script = [("move", "run"), ("foot advances", [1, 1]), ("foot runs on", [1]), ("move to", here)]
    place.play(move_unit, place.battle, place.unit("red"), script=script)
    assert place.told("stayed") == [{"unit": "red", "by": "red", "gait": "run"}]
    assert {figure.gait for figure in place.unit("red").able} == {"run"}


@pytest.mark.rule("PAY-007", "PAY-070")
def test_path_round_closed_ground_ends_on_no_base() -> None:
    """The man's path runs east along the bank, through a rank of friends that begins east of his start."""
    rank = bare_unit("rank", "red", [(23.4 + number, 13.3) for number in range(5)])
    pond = {"pond": ("deep_water", [(12.0, 14.0), (28.0, 14.0), (28.0, 30.0), (12.0, 30.0)])}
    place = scene(bare_unit("red", "red", [(20.0, 13.8)]), rank, areas=pond)
    runner = place.figure("red.1")
    march(place.battle, place.unit("red"), [MovingFigure(runner, 7.0)], (20.0, 36.0))
    assert runner.at is not None and runner.at[0] > 21.0
    assert apart(place)


@pytest.mark.rule("PAY-007", "PAY-070", "PAY-071")
def test_mover_next_to_comrades_at_an_enemy_overlaps_none() -> None:
    """Two friends occupy the places next to the enemy. One of them is outside the strip swept by the mover."""
    foe = bare_unit("blue", "blue", [(30.0, 21.45)], mount="horse")
    friends = bare_unit("friends", "red", [(29.6, 19.0), (29.0, 24.0)], mount="horse")
    place = scene(bare_unit("red", "red", [(20.0, 20.0)], mount="horse"), foe, friends)
    march(place.battle, place.unit("red"), [MovingFigure(place.figure("red.1"), 25.0)], (40.0, 20.0))
    others = [(29.6, 19.0), (29.0, 24.0), (30.0, 21.45)]
    assert all(dist(at(place, "red.1"), other) >= 1.5 - 1e-6 for other in others)


@pytest.mark.rule("PAY-070", "PAY-071")
def test_places_off_the_table_are_not_used() -> None:
    """The enemy is at the edge. A friend has the place in front of it; the only other place is off the board."""
    friends = bare_unit("friends", "red", [(28.95, 0.4), (29.55, 1.32)])
    place = scene(bare_unit("red", "red", [(20.0, 0.3)]), bare_unit("blue", "blue", [(30.0, 0.4)]), friends)
    march(place.battle, place.unit("red"), [MovingFigure(place.figure("red.1"), 12.0)], (30.0, 0.4))
    assert place.battle.field.table.is_on_table(at(place, "red.1"))
    assert at(place, "red.1") != (20.0, 0.3)


@pytest.mark.rule("PAY-123", "PAY-120", "PAY-067")
def test_a_leg_wound_halves_and_forbids_the_run_on_foot_alone() -> None:
    place = scene(red(2))
    place.figure("red.1").wounds = ("leg_wound",)
    script: list[Script] = [
        ("move", "run"),
        ("foot advances", [4, 4]),
        ("foot runs on", [4]),
        ("move to", (20.6, 30.0)),
    ]
    place.play(move_unit, place.battle, place.unit("red"), script=script)
    assert at(place, "red.1")[1] == pytest.approx(14.0) and place.figure("red.1").gait == "advance"
    assert place.figure("red.2").gait == "run"
    rider = scene(red(1, mount="horse"))
    rider.figure("red.1").wounds = ("leg_wound",)
    dice: list[Script] = [("horse advances", [4, 4, 4]), ("horse runs on", [4, 4]), ("move to", (20.0, 40.0))]
    rider.play(move_unit, rider.battle, rider.unit("red"), script=[("move", "run"), *dice])
    assert at(rider, "red.1")[1] == pytest.approx(30.0)
    lame = scene(red(1, mount="horse"))
    lame.figure("red.1").mark("lame")
    lame.unit("red").measure()
    with pytest.raises(AssertionError, match="is not an answer to"):
        lame.play(move_unit, lame.battle, lame.unit("red"), script=[("move", ("mount", "down"))])


@pytest.mark.rule("PAY-214", "PAY-053")
def test_a_move_to_the_edge_may_end_beyond_it() -> None:
    place = scene(red(1, y=5.0))
    script: list[Script] = [("move", "advance"), ("foot advances", [3, 3]), ("move to", (20.0, 0.0))]
    script += [("go on to", (20.0, 0.0)), ("at the edge", "leave the table")]
    place.play(move_unit, place.battle, place.unit("red"), script=script)
    assert place.figure("red.1").fate == "left" and place.battle.exits == {"red.1": "south"}


@pytest.mark.rule("PAY-214")
def test_one_may_leave_while_the_other_stays() -> None:
    place = scene(red(2, y=0.0))
    for figure in place.unit("red").able:
        figure.gait = "advance"
    script: list[Script] = [("at the edge", "man by man"), ("at the edge", "leave the table"), ("at the edge", "stay")]
    place.play(leave_by_edge, place.battle, place.unit("red"), script=script)
    assert [place.figure(name).fate for name in ("red.1", "red.2")] == ["left", "able"]


@pytest.mark.rule("PAY-067", "PAY-069")
@pytest.mark.setting("gait_scope")
@pytest.mark.parametrize(("scope", "offered"), [("figure", True), ("unit", False)])
def test_each_man_has_his_own_gait_though_a_gun_or_a_rider_has_moved_first(scope: str, offered: bool) -> None:
    gun = {"gun": Engine("machine_gun", "gun", "red", "red", (20.0, 10.0))}
    men = bare_unit("red", "red", [(18.5, 10.0), (30.0, 10.0), (32.0, 10.0)])
    place = scene(men, engines=gun, gait_scope=scope)
    script: list[Script] = [("move", ("push", "gun")), ("gun_by_hand advances", [1]), ("drive to", (20.0, 30.0))]
    if offered:
        script += [("move", "man by man"), ("gait", "halt"), ("gait", "run")]
        script += [("foot advances", [3, 3]), ("foot runs on", [3]), ("move to", (32.0, 40.0))]
    else:
        script += [("move", "halt")]
    place.play(move_unit, place.battle, men, script=script)
    assert [figure.gait for figure in men.able] == ["advance", "halt", "run" if offered else "halt"]
    riders = scene(bare_unit("red", "red", [(18.5, 10.0), (30.0, 10.0)], mount="horse"), gait_scope=scope)
    script = [("move", ("mount", "down", "man by man")), ("saddle", True), ("saddle", False)]
    if offered:
        script += [("gait", "man by man"), ("gait", "halt"), ("gait", "advance")]
        script += [("horse advances", [1, 1, 1]), ("move to", (30.0, 13.0))]
    else:
        script += [("gait", "halt")]
    riders.play(move_unit, riders.battle, riders.unit("red"), script=[*script, ("handle", "done")])
    assert riders.figure("red.2").at == (30.0, 13.0 if offered else 10.0)


RIVER = {
    "below": ("deep_water", [(20.0, 0.0), (24.0, 0.0), (24.0, 22.0), (20.0, 22.0)]),
    "above": ("deep_water", [(20.0, 26.0), (24.0, 26.0), (24.0, 48.0), (20.0, 48.0)]),
}


def test_every_point_of_a_river_bank_has_a_path_through_the_ford() -> None:
    """The start may be right at the water, where the straight line to the next cell is blocked."""
    place = scene(red(1), blue(1, y=30.0), areas=RIVER)
    field, ways, even = place.battle.field, place.battle.field.pathfinders["foot"], Random(3)
    goal = (28.0, 16.0)
    for _ in range(300):
        start = here = (even.uniform(14.0, 20.0), even.uniform(12.0, 36.0))
        for _ in range(12):
            here, _, _ = field.move_costs["foot"].march(here, ways.heading(here, goal), 1000.0)
        assert here == goal, start


def test_men_whose_places_lie_in_the_water_make_for_the_place_named() -> None:
    place = scene(bare_unit("red", "red", row(8, 10.0, 8.0)), blue(1, y=30.0), areas=RIVER)
    goal = (19.0, 16.0)
    for _ in range(4):
        unit = place.unit("red")
        march(place.battle, unit, [MovingFigure(figure, 7.0) for figure in unit.able], goal)
    assert all(figure.at is not None and dist(figure.at, goal) < 5.0 for figure in place.unit("red").able)
