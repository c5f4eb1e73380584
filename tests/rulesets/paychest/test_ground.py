"""Ground: passable places, cover, posture, sight, and walls to climb."""

from __future__ import annotations

from itertools import pairwise
from math import dist
from random import Random
from typing import Any

import pytest
from tests.rulesets.paychest.stage import (
    Scene,
    Script,
    at,
    bare_unit,
    blue,
    cart,
    facts_of,
    red,
    riding,
    rules_with,
    scenario,
    scene,
)

from zareba.analysis.games.records import Variant
from zareba.analysis.games.simulate import game_for
from zareba.space import Point
from zareba.space.field.line_of_sight import line_is_clear
from zareba_rulesets.paychest.actions.movement import move_unit
from zareba_rulesets.paychest.book.numbers import PaychestBook
from zareba_rulesets.paychest.chapters.fire import groups_of, in_reach, line_of, may_fire, single_targets
from zareba_rulesets.paychest.chapters.marching import MovingFigure, march
from zareba_rulesets.paychest.chapters.mounts import able_to_climb, climb
from zareba_rulesets.paychest.chapters.sight import (
    cover_class,
    covers_of,
    eligible,
    exposures,
    figures_that_may_duck,
    touches,
)
from zareba_rulesets.paychest.forces.battle import Engine
from zareba_rulesets.paychest.forces.formation import wall_slots
from zareba_rulesets.paychest.forces.units import Thing
from zareba_rulesets.paychest.ground import Field, cover_from
from zareba_rulesets.paychest.translation import translate


def groups(place: Scene) -> dict[tuple[str, str], list[str]]:
    reach = in_reach(place.battle, place.unit("red"), may_fire(place.battle, place.unit("red")))
    return {key: [f.spec.id for f in chain] for key, chain in groups_of(place.battle, reach).items()}


WALL = {"wall": ("low_wall", [(10.0, 19.5), (22.0, 19.5)])}


@pytest.mark.rule("PAY-088", "PAY-114")
def test_cover_of_a_group_is_hard_if_half_of_it_is_behind_a_wall() -> None:
    for spots, cover in (
        ([(20.0, 20.0), (26.0, 20.0)], "hard"),
        ([(20.0, 20.0), (26.0, 20.0), (27.5, 20.0)], "none"),
        ([(20.0, 20.6), (21.2, 20.6)], "none"),  # not in contact with it
    ):
        shot = facts_of(scene(red(1), bare_unit("blue", "blue", spots), lines=WALL))
        assert shot is not None and shot.cover == cover
    behind = scene(red(1, y=30.0), blue(1), lines=WALL)
    shot = facts_of(behind)
    assert shot is not None and shot.cover == "none"  # the line does not cross the wall
    grove = {"grove": ("brush", [(15.0, 18.0), (25.0, 18.0), (25.0, 22.0), (15.0, 22.0)])}
    shot = facts_of(scene(red(1), blue(2), areas=grove))
    assert shot is not None and shot.cover == "soft"


@pytest.mark.rule("PAY-089")
@pytest.mark.parametrize(
    ("ground", "shape", "seen"),
    [
        ("building", [(15.0, 14.0), (25.0, 14.0), (25.0, 16.0), (15.0, 16.0)], False),
        ("rise", [(15.0, 14.0), (25.0, 14.0), (25.0, 16.0), (15.0, 16.0)], True),
        ("brush", [(15.0, 12.0), (25.0, 12.0), (25.0, 17.9), (15.0, 17.9)], True),
        ("brush", [(15.0, 12.0), (25.0, 12.0), (25.0, 18.1), (15.0, 18.1)], False),
        ("building", [(15.0, 18.0), (25.0, 18.0), (25.0, 22.0), (15.0, 22.0)], True),
    ],
)
def test_sight(ground: str, shape: list[tuple[float, float]], seen: bool) -> None:
    place = scene(red(1), blue(2), areas={"piece": (ground, shape)})
    assert bool(groups(place)) is seen


@pytest.mark.rule("PAY-089")
def test_a_high_wall_blocks_but_not_for_those_on_it() -> None:
    fort = {"wall": ("high_wall", [(10.0, 15.0), (40.0, 15.0)])}
    assert groups(scene(red(1), blue(2), lines=fort)) == {}
    assert groups(scene(red(1, y=15.0), blue(2), lines=fort)) != {}
    assert groups(scene(red(1), blue(2, y=15.0), lines=fort)) != {}


@pytest.mark.rule("PAY-089")
def test_a_crest_hides_what_is_lower_on_either_side() -> None:
    hill = [(0.0, 12.0), (60.0, 12.0), (60.0, 18.0), (0.0, 18.0)]
    crest = [(0.0, 14.0), (60.0, 14.0), (60.0, 16.0), (0.0, 16.0)]
    from tests.rulesets.paychest.stage import rules_with

    from zareba_rulesets.paychest.book.numbers import PaychestBook
    from zareba_rulesets.paychest.ground import Field

    field = Field(PaychestBook(rules_with()), 60, 48, {"hill": ("rise", hill, crest)}, {}, {})
    pieces = field.blockers.near((0, 0, 60, 48))
    assert not line_is_clear((20.0, 10.0), (20.0, 20.0), pieces)
    assert line_is_clear((20.0, 15.0), (20.0, 20.0), pieces)


@pytest.mark.rule("PAY-090")
@pytest.mark.setting("los_figures_block")
def test_friends_block_sight_with_the_setting() -> None:
    for setting, seen in (("none", True), ("friends", False)):
        place = scene(red(1), bare_unit("friend", "red", [(20.0, 15.0)]), blue(1), los_figures_block=setting)
        men = may_fire(place.battle, place.unit("red"))
        assert bool(single_targets(place.battle, place.unit("red"), men[0])) is seen


def piece(kind: str, **more: Any) -> dict[str, Engine]:
    return {"gun": Engine(kind, "the gun", "red", "red", (20.0, 10.0), **more)}


def gunners(count: int = 2, **more: Any) -> Any:
    spots = [(18.5, 10.0), (21.5, 10.0), (20.0, 8.5), (30.0, 3.0)]
    return bare_unit("red", "red", spots[:count], **more)


@pytest.mark.rule("PAY-087", "PAY-187")
@pytest.mark.parametrize(
    ("kind", "parts"),
    [
        ("low_wall", {"head", "chest", "arm"}),
        ("high_wall", {"head", "arm"}),
        ("thorn_hedge", {"head", "chest", "belly", "arm", "leg"}),
    ],
)
def test_body_parts_exposed_behind_cover(kind: str, parts: set[str]) -> None:
    place = scene(blue(1), lines={"wall": (kind, [(10.0, 19.5), (40.0, 19.5)])})
    men = place.unit("blue").able
    assert exposures(place.battle, (20.0, 10.0), men, covers_of(place.battle, men)) == [frozenset(parts)]
    behind = exposures(place.battle, (20.0, 30.0), men, covers_of(place.battle, men))
    assert behind == [frozenset({"head", "chest", "belly", "arm", "leg"})]


@pytest.mark.rule("PAY-087", "PAY-088", "PAY-080")
def test_emplacements_and_wagons_cover_on_all_sides() -> None:
    place = scene(gunners(2), engines=piece("gun", mount="emplacement"))
    men = place.unit("red").able
    assert exposures(place.battle, (0.0, 0.0), men, covers_of(place.battle, men)) == [frozenset({"head", "arm"})] * 2
    cart = {"cart": Engine("wagon", "cart", "red", "red", (20.0, 10.0), mount="", aboard=("red.1",))}
    riding = scene(gunners(1), engines=cart)
    riding.figure("red.1").aboard = "cart"
    men = riding.unit("red").able
    assert exposures(riding.battle, (0.0, 0.0), men, covers_of(riding.battle, men)) == [frozenset({"head", "leg"})]


LONG_WALL = {"wall": ("low_wall", [(10.0, 14.0), (40.0, 14.0)])}
FORT = {"wall": ("high_wall", [(10.0, 14.0), (40.0, 14.0)])}


@pytest.mark.rule("PAY-091", "PAY-067")
def test_figures_that_do_not_climb_may_move() -> None:
    place = scene(bare_unit("red", "red", [(20.0, 13.5), (30.0, 5.0)]), lines=FORT)
    script: list[tuple[str, object]] = [("move", "climb"), ("move", "advance"), ("foot advances", [3, 3])]
    script += [("move to", (30.0, 11.0)), ("posture", "up")]
    place.play(move_unit, place.battle, place.unit("red"), script=script)
    assert at(place, "red.1") == (20.0, 14.0) and at(place, "red.2") == (30.0, 11.0)


@pytest.mark.rule("PAY-091")
def test_a_low_wall_costs_three_inches_and_a_high_one_a_move() -> None:
    place = scene(red(1), lines=LONG_WALL)
    march(place.battle, place.unit("red"), [MovingFigure(place.figure("red.1"), 9.0)], (20.0, 30.0))
    assert at(place, "red.1")[1] == pytest.approx(16.0)
    short = scene(red(1), lines=LONG_WALL)
    march(short.battle, short.unit("red"), [MovingFigure(short.figure("red.1"), 6.0)], (20.0, 30.0))
    assert at(short, "red.1")[1] == pytest.approx(13.5, abs=0.01)
    fort = scene(red(1), lines=FORT)
    march(fort.battle, fort.unit("red"), [MovingFigure(fort.figure("red.1"), 12.0)], (20.0, 30.0))
    assert at(fort, "red.1")[1] == pytest.approx(13.5, abs=0.01)
    assert able_to_climb(fort.battle, fort.unit("red").able)
    fort.play(climb, fort.battle, fort.unit("red"), fort.unit("red").able)
    assert at(fort, "red.1") == pytest.approx((20.0, 14.0))


@pytest.mark.rule("PAY-091", "PAY-007")
@pytest.mark.parametrize(
    ("defenders", "x"),
    [
        ([20.0], 19.0),
        ([20.0, 21.5], 19.0),
        ([19.6], 20.6),
        ([17.9, 21.4], 20.4),
        ([22.1], 20.0),
        ([19.5, 20.5], 18.5),
        ([18.5, 19.5, 20.5, 21.5], None),
    ],
)
def test_climber_takes_the_free_place_next_to_the_nearest_defender(defenders: list[float], x: float | None) -> None:
    blues = bare_unit("blue", "blue", [(at, 14.0) for at in defenders])
    place = scene(bare_unit("red", "red", [(20.0, 13.5)]), blues, lines=FORT)
    place.play(climb, place.battle, place.unit("red"), place.unit("red").able)
    assert at(place, "red.1") == pytest.approx((20.0, 13.5) if x is None else (x, 14.0))


@pytest.mark.rule("PAY-091", "PAY-067")
def test_some_climb_while_others_hold_the_foot_of_the_wall() -> None:
    place = scene(bare_unit("red", "red", [(20.0, 13.5), (22.0, 13.5)]), lines=FORT)
    script: list[tuple[str, object]] = [("move", ("climb", "man by man")), ("climbs", False), ("climbs", True)]
    script += [("move", "halt"), ("posture", "up")]
    place.play(move_unit, place.battle, place.unit("red"), script=script)
    assert at(place, "red.1") == (20.0, 13.5) and at(place, "red.2") == (22.0, 14.0)


@pytest.mark.rule("PAY-086")
def test_posture_is_chosen_in_hard_cover_only_and_ends_with_it() -> None:
    place = scene(bare_unit("red", "red", [(20.0, 13.5), (22.0, 10.0)]), lines=LONG_WALL)
    assert [figure.spec.id for figure in figures_that_may_duck(place.battle, place.unit("red"))] == ["red.1"]
    script: list[tuple[str, object]] = [("move", "halt"), ("posture", "down")]
    place.play(move_unit, place.battle, place.unit("red"), script=script)
    assert "down" in place.figure("red.1").marks and "down" not in place.figure("red.2").marks
    assert place.told("lies down") == [{"unit": "red", "figures": 1}]
    place.play(move_unit, place.battle, place.unit("red"), script=script)
    assert not place.told("lies down") and not place.told("gets up")  # he is already down
    place.play(move_unit, place.battle, place.unit("red"), script=[("move", "halt"), ("posture", "up")])
    assert place.told("gets up") == [{"unit": "red", "figures": 1}]
    place.play(move_unit, place.battle, place.unit("red"), script=script)
    script = [("move", "advance"), ("foot advances", [3, 5]), ("move to", (20.0, 2.0))]
    place.play(move_unit, place.battle, place.unit("red"), script=script)
    assert "down" not in place.figure("red.1").marks


@pytest.mark.rule("PAY-086")
def test_charge_makes_touched_men_rise() -> None:
    place = scene(red(1), bare_unit("blue", "blue", [(20.0, 14.5), (24.0, 14.5)]), lines=LONG_WALL)
    for name in ("blue.1", "blue.2"):
        place.figure(name).mark("down")
    script = [("move", "advance"), ("foot advances", [5, 5]), ("move to", (20.0, 14.5))]
    place.play(move_unit, place.battle, place.unit("red"), script=script)
    assert touches(place.battle, place.figure("red.1"), place.figure("blue.1"))
    assert "down" not in place.figure("blue.1").marks and "down" in place.figure("blue.2").marks
    assert place.told("gets up") == [{"unit": "blue", "figures": 1}]


@pytest.mark.rule("PAY-086")
def test_an_enemy_in_contact_makes_a_man_stand_up() -> None:
    place = scene(bare_unit("red", "red", [(20.0, 13.5)]), bare_unit("blue", "blue", [(20.0, 14.5)]), lines=LONG_WALL)
    assert figures_that_may_duck(place.battle, place.unit("red")) == []


@pytest.mark.rule("PAY-007", "PAY-086", "PAY-091")
def test_men_line_a_wall_shoulder_to_shoulder_as_many_as_have_room() -> None:
    place = scene(red(1), lines=LONG_WALL)
    (wall,) = place.battle.field.lines.values()
    slots = wall_slots(wall, (20.0, 14.0), 5, 0.5, (20.0, 10.0))
    xs = sorted(x for x, _ in slots)
    assert {y for _, y in slots} == {13.5} and len(slots) == 5
    assert [b - a for a, b in pairwise(xs)] == pytest.approx([xs[1] - xs[0]] * 4) and 1.0 < xs[1] - xs[0] < 1.15
    length = wall.points[1][0] - wall.points[0][0]
    assert len(wall_slots(wall, (20.0, 14.0), 100, 0.5, (20.0, 10.0))) == int(length / 1.05)


@pytest.mark.rule("PAY-091", "PAY-078")
def test_riders_and_men_leading_mounts_cannot_climb() -> None:
    leading = scene(red(1, y=13.5), lines=FORT, things={"mule": Thing("mount", "mule", "", None, carrier="red.1")})
    assert able_to_climb(leading.battle, leading.unit("red").able)
    leading.figure("red.1").loads = ("mule",)
    assert able_to_climb(leading.battle, leading.unit("red").able) == []
    riding = scene(bare_unit("red", "red", [(20.0, 13.3)], mount="horse"), lines=FORT)
    assert able_to_climb(riding.battle, riding.unit("red").able) == []


SCENARIOS = ["river_ford", "hill_fort", "column_ambushed", "paychest_raid"]


def field_of(scenario: str) -> Field:
    field: Field = game_for(Variant("paychest", "paychest"), scenario).plan.field  # type: ignore[attr-defined]
    return field


def points(field: Field, seed: int, count: int) -> list[Point]:
    random, (width, depth) = Random(seed), field.table.extent
    return [(random.random() * width, random.random() * depth) for _ in range(count)]


@pytest.mark.rule("PAY-085")
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_leg_on_ground_of_one_price_leads_as_far_as_the_price_says(scenario: str) -> None:
    """Legs of a few inches, mostly within one piece of ground or in the open."""
    field, random = field_of(scenario), Random(3)
    dear = 0
    for a in points(field, 4, 600):
        b = field.table.extent[0] * random.random(), field.table.extent[1] * random.random()
        b = a[0] + (b[0] - a[0]) * 0.05, a[1] + (b[1] - a[1]) * 0.05
        spots = [(a[0] + (b[0] - a[0]) * step / 20, a[1] + (b[1] - a[1]) * step / 20) for step in range(21)]
        prices = {price_at(field, spot) for spot in spots}
        if len(prices) > 1 or None in prices or any(met.piece in field.lines for met in field.table.crossed(a, b)):
            continue
        (price,) = prices
        assert price is not None
        end, spent, barred = field.move_costs["foot"].march(a, b, 1.0)
        inches = min(1.0 / price, dist(a, b))
        assert not barred
        assert dist(a, end) == pytest.approx(inches)
        assert spent == pytest.approx(inches * price)
        dear += price > 1
    assert dear > 5


def price_at(field: Field, spot: Point) -> float | None:
    """Return the cost of an inch on foot: that of a road, else that of the costliest ground there (PAY-085)."""
    grounds = [field.areas[name].ground for name in field.table.areas_at(spot)]
    prices = [ground.cost("foot") for ground in grounds]
    if not grounds or any(ground.way for ground in grounds):
        return 1.0
    return None if None in prices else max(price for price in prices if price is not None)


@pytest.mark.rule("PAY-085", "PAY-089", "PAY-091")
def test_a_shut_gate_is_no_wall_to_climb_or_to_fire_from_and_an_open_one_no_bar() -> None:
    before = scenario("hill_fort")
    name, wall = next((key, piece) for key, piece in before.terrain.items() if "main_gate" in piece.gates)
    for is_open in (False, True):
        gate = wall.gates["main_gate"].model_copy(update={"open": is_open})
        terrain = dict(before.terrain) | {name: wall.model_copy(update={"gates": {"main_gate": gate}})}
        field = translate(PaychestBook(rules_with()), before.model_copy(update={"terrain": terrain})).field
        outside, inside, beyond = (31.0, 28.5), (31.0, 29.5), (31.0, 32.0)
        assert field.move_costs["foot"].march(outside, beyond, 6.0)[2] is not is_open
        assert line_is_clear(outside, inside, field.blockers.all) is is_open
        assert not field.shelters(inside, 0.5)
        ends = [end for line in field.lines.values() if line.ground.climb for end in line.points]
        assert (30.0, 29.0) in ends and (32.0, 29.0) in ends  # the wall itself, on both sides of it


@pytest.mark.rule("PAY-085", "PAY-089")
def test_gates_may_take_up_a_whole_wall() -> None:
    before = scenario("hill_fort")
    name, wall = next((key, piece) for key, piece in before.terrain.items() if "main_gate" in piece.gates)
    assert wall.line is not None
    gate = wall.gates["main_gate"].model_copy(update={"width": 20.0, "open": True})
    here = (gate.at[0] - 1.0, gate.at[1]), (gate.at[0] + 1.0, gate.at[1])
    changed = wall.model_copy(update={"line": here, "gates": {"one": gate, "two": gate}})
    terrain = dict(before.terrain) | {name: changed}
    field = translate(PaychestBook(rules_with()), before.model_copy(update={"terrain": terrain})).field
    assert not any(line.ground.climb and gate.at in line.points for line in field.lines.values())
    assert field.move_costs["foot"].march((31.0, 28.5), (31.0, 32.0), 6.0)[2] is False


@pytest.mark.rule("PAY-087", "PAY-088")
def test_better_of_two_hard_covers_counts() -> None:
    box = [(18.0, 18.0), (22.0, 18.0), (22.0, 22.0), (18.0, 22.0)]
    for first, second in (("rocks", "building"), ("building", "rocks")):
        areas = {"a": (first, box, ()), "b": (second, box, ())}
        field = Field(PaychestBook(rules_with()), 60.0, 48.0, areas, {}, {})
        assert cover_from((20.0, 5.0), (20.0, 20.0), field.shelters((20.0, 20.0), 0.5)) == ("hard", "parapet")


@pytest.mark.rule("PAY-086", "PAY-101")
def test_figure_carried_out_of_cover_is_no_longer_down() -> None:
    wall = {"wall": ("low_wall", [(10.0, 9.5), (30.0, 9.5)])}
    place = scene(red(1), bare_unit("help", "red", [(21.0, 10.0)]), blue(1, y=30.0), lines=wall)
    lame = place.figure("red.1")
    lame.mark("lame", "down")
    script: list[tuple[str, object]] = [("handle", ("pick up", "help.1", "red.1")), ("move", "advance")]
    script += [("foot advances", [3, 3]), ("move to", (21.0, 13.0)), ("handle", "done")]
    place.play(move_unit, place.battle, place.unit("help"), script=script)
    assert lame.at == place.figure("help.1").at
    line = line_of(place.battle, may_fire(place.battle, place.unit("blue")))
    assert lame in eligible(place.battle, "blue", line, place.unit("red"))


@pytest.mark.rule("PAY-091")
def test_a_climber_lands_against_a_defender_on_the_wall_not_against_one_behind_it() -> None:
    behind = bare_unit("blue", "blue", [(21.5, 14.9)])
    place = scene(bare_unit("red", "red", [(20.0, 13.5)]), behind, lines=FORT)
    place.play(climb, place.battle, place.unit("red"), place.unit("red").able)
    assert at(place, "red.1") == (20.0, 14.0)


@pytest.mark.rule("PAY-091")
def test_figure_on_a_wall_may_descend_on_either_side() -> None:
    for goal, y in (((20.0, 30.0), 19.0), ((20.0, 2.0), 9.0)):
        place = scene(bare_unit("red", "red", [(20.0, 14.0)]), lines=FORT)
        assert not able_to_climb(place.battle, place.unit("red").able)
        march(place.battle, place.unit("red"), [MovingFigure(place.figure("red.1"), 5.0)], goal)
        assert at(place, "red.1") == pytest.approx((20.0, y))


@pytest.mark.rule("PAY-091")
def test_climbing_avoids_comrades_and_counts_as_an_advance() -> None:
    place = scene(
        bare_unit("red", "red", [(20.0, 13.5), (30.0, 13.5)]), bare_unit("top", "red", [(20.3, 14.0)]), lines=FORT
    )
    place.play(climb, place.battle, place.unit("red"), place.unit("red").able)
    assert at(place, "red.1") == (20.0, 13.5) and at(place, "red.2") == (30.0, 14.0)
    assert [place.figure(f"red.{n}").gait for n in (1, 2)] == ["halt", "advance"]


@pytest.mark.rule("PAY-090")
@pytest.mark.setting("los_figures_block")
@pytest.mark.parametrize(
    ("friend", "seen"), [((20.0, 11.0), True), ((20.0, 11.1), False), ((20.5, 15.0), True), ((20.4, 15.0), False)]
)
def test_a_friend_blocks_from_more_than_an_inch_away_with_his_base_on_the_line(
    friend: tuple[float, float], seen: bool
) -> None:
    place = scene(red(1, leader="sergeant"), bare_unit("friend", "red", [friend]), blue(1), los_figures_block="friends")
    (leader,) = may_fire(place.battle, place.unit("red"))
    assert bool(single_targets(place.battle, place.unit("red"), leader)) is seen


@pytest.mark.rule("PAY-090", "PAY-082")
@pytest.mark.setting("los_figures_block")
@pytest.mark.parametrize(("altitude", "seen"), [(0, False), (1, True)])
def test_friends_aloft_do_not_block_sight(altitude: int, seen: bool) -> None:
    flyer = Engine("flyer", "ship", "red", "friend", (20.0, 15.0), mount="", aboard=("friend.1",), altitude=altitude)
    friend = bare_unit("friend", "red", [(20.0, 15.0)])
    friend.figures["friend.1"].aboard = "ship"
    place = scene(red(1), friend, blue(1), engines={"ship": flyer}, los_figures_block="friends")
    assert bool(in_reach(place.battle, place.unit("red"), may_fire(place.battle, place.unit("red")))) is seen


@pytest.mark.rule("PAY-087", "PAY-088")
def test_a_conveyance_covers_those_who_stand_behind_it() -> None:
    men = blue(1, y=12.0)
    place = scene(men, engines=cart())
    covers = covers_of(place.battle, men.able)
    assert cover_class((20.0, 0.0), men.able, covers, 0.5) == "hard"
    assert exposures(place.battle, (20.0, 0.0), men.able, covers) == [frozenset({"head", "leg"})]
    for beside in ((20.0, 30.0), (30.0, 12.0)):
        assert cover_class(beside, men.able, covers, 0.5) == "none"
    men.figures["blue.1"].at = (20.0, 12.2)
    men.measure()
    assert covers_of(place.battle, men.able) is None  # not in contact with it
    aloft = scene(blue(1, y=12.0), engines=cart("flyer", altitude=1))
    assert covers_of(aloft.battle, aloft.unit("blue").able) is None


@pytest.mark.rule("PAY-086", "PAY-080", "PAY-088")
def test_men_aboard_behind_or_in_an_emplacement_may_get_down() -> None:
    place = riding(1, 1)
    place.figure("red.2").at = (20.0, 12.0)
    place.unit("red").measure()
    assert [figure.spec.id for figure in figures_that_may_duck(place.battle, place.unit("red"))] == ["red.1", "red.2"]
    gun = {"gun": Engine("gun", "gun", "red", "red", (20.0, 10.0), mount="emplacement")}
    crew = scene(bare_unit("red", "red", [(18.5, 10.0), (30.0, 10.0)]), engines=gun)
    assert [figure.spec.id for figure in figures_that_may_duck(crew.battle, crew.unit("red"))] == ["red.1"]
    place.figure("red.1").mark("down")
    foes = scene(bare_unit("blue", "blue", [(20.0, 20.0)], leader="leader")).unit("blue")
    place.battle.units["blue"] = foes
    (leader,) = may_fire(place.battle, foes)
    assert [f.spec.id for f in single_targets(place.battle, foes, leader)["red"]] == ["red.2"]


@pytest.mark.rule("PAY-086")
def test_men_whose_cart_drives_away_are_no_longer_down() -> None:
    behind = bare_unit("behind", "red", [(20.0, 12.0)])
    place = riding(1, 0, "wagon", behind)
    behind.figures["behind.1"].mark("down")
    script: list[Script] = [
        ("move", ("drive", "cart", "advance")),
        ("wagon advances", [3, 3]),
        ("drive to", (50.0, 10.0)),
    ]
    place.play(move_unit, place.battle, place.unit("red"), script=[*script, ("posture", "up")])
    assert "down" not in place.figure("behind.1").marks
