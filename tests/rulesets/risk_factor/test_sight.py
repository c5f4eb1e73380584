"""Visibility and lines of sight between units (RSK-126, RSK-150 to RSK-155, RSK-193)."""

from __future__ import annotations

from math import inf
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.rulesets.risk_factor.battlefields import Scene, crowd, ground, leader, line, scene, troops, whole_base

from zareba.base.exact import dist, hypot
from zareba.space.field.bodies import Body, nearest
from zareba.space.geometry import Point, distance_to_polygon, distance_to_segment, edges, hull, is_inside
from zareba_rulesets.risk_factor.chapters.casualties import Figure
from zareba_rulesets.risk_factor.chapters.sight import (
    clearly_sees,
    lines_of_fire,
    nearest_visible,
    roll_sight_dice,
    sees,
    sees_nearest_clearly,
    update_sight,
)
from zareba_rulesets.risk_factor.chapters.targets import able_figures, figures_to_hit, visible_pool
from zareba_rulesets.risk_factor.forces import Battle, Captives, Unit
from zareba_rulesets.risk_factor.ground import Field, SightLine, sight_blockers, view_between

WOOD = ground("wood", "wood", [(0, 60), (200, 60), (200, 120), (0, 120)])
BUSH = ground("bush", "bush", [(0, 60), (200, 60), (200, 120), (0, 120)])


def one(name: str, side: str, *at: tuple[float, float], **more: Any) -> Any:
    return troops(name, side, (0, 0), at=at, **more)


def across(deep: float, away: float, *, die: int = 0, marks: str = "", seen: bool = False, **settings: Any) -> bool:
    """Return True if red, `away` cm off, sees a blue man this deep in a wood."""
    field = scene(
        one("a", "red", (50, 60 + deep - away - 2.5)),
        one("b", "blue", (50, 60 + deep), marks=marks.split()),
        terrain=[WOOD],
        **settings,
    )
    field.battle.sight_dice = {"b": die} if die else {}
    field.battle.seen = frozenset({"b"}) if seen else frozenset()
    return sees(field.battle, field["a"], field["b"])


@pytest.mark.rule("RSK-126", "RSK-155")
def test_open_ground_hides_nothing_and_figures_do_not_block_sight() -> None:
    field = scene(one("a", "red", (50, 10)), one("mate", "red", (50, 20)), one("b", "blue", (50, 190)))
    assert sees(field.battle, field["a"], field["b"])


@pytest.mark.rule("RSK-155")
@pytest.mark.parametrize(
    ("piece", "clear"),
    [
        (ground("house", "built_up", [(40, 60), (60, 60), (60, 70), (40, 70)]), False),
        (ground("copse", "wood", [(40, 60), (60, 60), (60, 69), (40, 69)]), True),
        (ground("forest", "wood", [(40, 60), (60, 60), (60, 71), (40, 71)]), False),
        (
            ground(
                "hill", "open", [(30, 50), (70, 50), (70, 90), (30, 90)], crest=[(45, 65), (55, 65), (55, 75), (45, 75)]
            ),
            False,
        ),
        (line("wall", "high_wall", (0, 70), (100, 70)), False),
        (line("low", "works", (0, 70), (100, 70)), True),
        (ground("marsh", "broken", [(0, 60), (100, 60), (100, 90), (0, 90)]), True),
    ],
)
def test_terrain_that_blocks_a_line_of_sight(piece: Any, clear: bool) -> None:
    field = scene(one("a", "red", (50, 20)), one("b", "blue", (50, 120)), terrain=[piece])
    assert sees(field.battle, field["a"], field["b"]) is clear
    assert sees(field.battle, field["b"], field["a"]) is clear
    beside = ground("beside", "built_up", [(70, 60), (90, 60), (90, 70), (70, 70)])
    there = scene(one("a", "red", (50, 20)), one("b", "blue", (50, 120)), terrain=[piece, beside])
    hides = sight_blockers(there.battle.field, there["a"].body, there["b"].body)
    assert hides == ([] if clear else [piece[0]])


CORNERED = [(40.0, 60.0), (60.0, 60.0), (60.0, 80.0), (40.0, 80.0)]
FORKED = [
    (30.0, 50.0),
    (90.0, 50.0),
    (90.0, 90.0),
    (70.0, 90.0),
    (70.0, 62.0),
    (50.0, 62.0),
    (50.0, 90.0),
    (30.0, 90.0),
]


@pytest.mark.rule("RSK-155")
@pytest.mark.parametrize(
    ("wood", "start", "end", "length"),
    [
        (CORNERED, (50, 20), (50, 120), 20.0),
        (CORNERED, (50, 60), (50, 120), 20.0),
        (CORNERED, (30, 50), (80, 100), 20 * 2**0.5),
        (CORNERED, (30, 90), (70, 50), 20 * 2**0.5),
        (CORNERED, (20, 70), (50, 100), 0.0),
        (CORNERED, (20, 65), (39, 72), 0.0),
        (CORNERED, (61, 65), (80, 72), 0.0),
        (CORNERED, (32, 54), (68, 81), 25.0),
        (FORKED, (20, 70), (100, 70), 40.0),
        (FORKED, (100, 85), (20, 85), 40.0),
        (FORKED, (20, 56), (100, 56), 60.0),
        (FORKED, (15, 95), (95, 35), 45.0),
    ],
)
def test_length_of_a_line_of_sight_inside_a_wood(wood: Any, start: Any, end: Any, length: float) -> None:
    piece = scene(terrain=[ground("wood", "wood", wood)]).battle.field.pieces["wood"]
    assert piece.length_inside(start, end) == pytest.approx(length)
    assert piece.length_inside(end, start) == pytest.approx(length)


@pytest.mark.rule("RSK-155")
def test_from_the_crest_one_sees_both_ways_and_into_a_donga_only_from_its_lip() -> None:
    hill = ground(
        "hill", "open", [(30, 50), (70, 50), (70, 90), (30, 90)], crest=[(45, 65), (55, 65), (55, 75), (45, 75)]
    )
    top = scene(one("a", "red", (50, 70)), one("b", "blue", (50, 120)), terrain=[hill])
    assert sees(top.battle, top["a"], top["b"]) and sees(top.battle, top["b"], top["a"])
    donga = ground("donga", "donga", [(0, 60), (100, 60), (100, 66), (0, 66)])

    def into(y: float) -> bool:
        field = scene(one("a", "red", (50, y)), one("b", "blue", (50, 63)), terrain=[donga])
        return sees(field.battle, field["a"], field["b"])

    assert into(51) and not into(40)


@pytest.mark.rule("RSK-155")
@pytest.mark.parametrize(("end", "seen"), [(60, False), (45, True)])
def test_donga_behind_a_wall_is_not_seen(end: float, seen: bool) -> None:
    """One man is at the lip behind a wall or next to it. Another sees past the wall, but is too far away."""
    donga = ground("donga", "donga", [(0, 60), (100, 60), (100, 66), (0, 66)])
    wall = line("wall", "high_wall", (40, 56), (end, 56))
    field = scene(one("a", "red", (50, 51), (95, 40)), one("b", "blue", (50, 63)), terrain=[donga, wall])
    assert sees(field.battle, field["a"], field["b"]) is seen


@pytest.mark.rule("RSK-150", "RSK-154")
def test_near_the_edge_the_die_finds_deeper_it_does_not() -> None:
    assert across(3, 45, die=5) and not across(3, 45, die=4)
    assert not across(3, 45)
    assert not across(7, 45, die=6)


@pytest.mark.rule("RSK-150")
@pytest.mark.setting("visibility.fired")
def test_firing_units_are_seen_at_any_range_or_by_a_die() -> None:
    assert across(7, 100, marks="fired")
    assert not across(7, 100, marks="fired", visibility_fired="d6")
    assert across(7, 55, marks="fired", die=6, visibility_fired="d6")
    assert not across(12, 40, marks="fired")


@pytest.mark.rule("RSK-152")
@pytest.mark.setting("woods.look_depth")
def test_one_looks_out_of_a_wood_from_near_its_edge() -> None:
    def looks(deep: float, **settings: Any) -> bool:
        field = scene(one("a", "red", (50, 60 + deep)), one("b", "blue", (50, 20)), terrain=[WOOD], **settings)
        return sees(field.battle, field["a"], field["b"])

    assert looks(5) and not looks(6)
    assert looks(6, woods_look_depth=8.0)


@pytest.mark.rule("RSK-152")
def test_out_of_bushes_one_looks_from_any_depth() -> None:
    field = scene(one("a", "red", (50, 75)), one("b", "blue", (50, 20)), terrain=[BUSH])
    assert sees(field.battle, field["a"], field["b"])


@pytest.mark.rule("RSK-153")
def test_inside_a_wood_one_sees_fifteen_cm() -> None:
    def inside(away: float) -> bool:
        field = scene(one("a", "red", (50, 80)), one("b", "blue", (50, 80 + away + 2.5)), terrain=[WOOD])
        return sees(field.battle, field["a"], field["b"])

    assert inside(15) and not inside(15.1)


@pytest.mark.rule("RSK-151", "RSK-154")
def test_once_seen_a_unit_stays_seen_while_it_is_near_the_edge() -> None:
    assert across(7, 45, seen=True)
    assert not across(12, 45, seen=True)


@pytest.mark.rule("RSK-151")
def test_the_active_side_throws_for_every_concealed_enemy_it_does_not_see() -> None:
    field = scene(
        one("a", "red", (50, 20)),
        one("near", "blue", (50, 62)),
        one("other", "blue", (85, 62)),
        one("open", "blue", (150, 20)),
        terrain=[WOOD],
    )
    field.run(roll_sight_dice, script=[("sighting", [5]), ("sighting", [1])])
    assert field.battle.seen == {"a", "near", "open"}
    field.run(roll_sight_dice, script=[("sighting", [6])])
    assert field.battle.seen == {"a", "near", "other", "open"}


@pytest.mark.rule("RSK-193")
def test_a_side_remembers_where_it_saw_a_unit_until_it_sees_the_place_empty() -> None:
    house = ground("house", "built_up", [(40, 60), (60, 60), (60, 80), (40, 80)])
    field: Scene = scene(one("a", "red", (50, 20)), one("b", "blue", (90, 100)), terrain=[house])
    update_sight(field.battle)
    assert field.battle.known["b"].centre == (90, 100)
    field["a"].body = field["a"].body.moved_by(0, 37)
    update_sight(field.battle)
    assert "b" not in field.battle.seen and field.battle.known["b"].centre == (90, 100)
    field["b"].body = field["b"].body.moved_by(-40, 0)
    field["a"].body = field["a"].body.moved_by(0, -37)
    update_sight(field.battle)
    assert "b" not in field.battle.seen and "b" not in field.battle.known


@pytest.mark.rule("RSK-193", "RSK-152")
def test_a_place_in_a_wood_is_not_seen_to_be_empty_from_outside() -> None:
    """The unit fell back from the wood's edge. Its last known place is remembered until a man goes and looks."""
    field: Scene = scene(one("a", "red", (50, 40)), one("b", "blue", (50, 63)), terrain=[WOOD])
    field.battle.sight_dice = {"b": 6}
    update_sight(field.battle)
    assert field.battle.known["b"].centre == (50, 63)
    field["b"].body, field.battle.sight_dice = field["b"].body.moved_by(0, 30), {}
    update_sight(field.battle)
    assert "b" not in field.battle.seen and field.battle.known["b"].centre == (50, 63)
    field["a"].body = field["a"].body.moved_by(0, 21)
    update_sight(field.battle)
    assert "b" not in field.battle.seen and "b" not in field.battle.known


spots = st.tuples(st.floats(10, 190), st.floats(10, 190))
sizes = st.integers(1, 10)
HOUSE = ground("house", "built_up", [(80, 80), (110, 80), (110, 120), (80, 120)])
BENT_WOOD = ground("wood", "wood", [(20, 20), (70, 20), (70, 70), (45, 40), (20, 70)])


def is_hidden(field: Scene, here: Point, own: float, there: Point, wide: float) -> bool:
    """Return True if a figure is in the corridor from a point to a whole base, checked figure by figure."""
    book = field.battle.book
    near, either = book.lengths["near_object"] + 1e-9, book.settings.los_near_object == "either"
    length = dist(here, there)
    if length <= own + wide:
        return False
    ux, uy = (there[0] - here[0]) / length, (there[1] - here[1]) / length
    for unit in field.battle.units.values():
        radius = unit.body.radius
        for x, y in unit.body.at:
            px, py = x - here[0], y - here[1]
            ahead, beside = px * ux + py * uy, abs(px * uy - py * ux)
            overlooked = hypot(px, py) - own - radius <= near
            if either:
                overlooked = overlooked or dist((x, y), there) - wide - radius <= near
            if 0 < ahead < length - 1e-6 and beside < radius + wide * ahead / length - 1e-6 and not overlooked:
                return True
    return False


@pytest.mark.rule("RSK-106", "RSK-107")
@pytest.mark.parametrize("near", ["shooter", "either"])
@settings(max_examples=40, deadline=None)
@given(st.lists(spots, min_size=3, max_size=6), st.lists(sizes, min_size=6, max_size=6), st.booleans())
def test_remembered_blocker_does_not_change_sight(
    near: str, places: list[Point], counts: list[int], shots_first: bool
) -> None:
    units = [
        troops(f"u{k}", ("red", "blue")[k % 2], at, count, weapon="rifle", loading="breech", mounted=k == 2)
        for k, (at, count) in enumerate(zip(places, counts, strict=False))
    ]
    field = scene(*units, width=200, depth=200, los_near_object=near)
    battle, a, b = field.battle, field["u0"], field["u1"]
    between = lines_of_fire(battle, a, b)
    if shots_first:
        able_figures(battle, a, b, "rifle", figures_to_hit(battle, a, b), between)
    for i, here in enumerate(a.body.at):
        hidden = [is_hidden(field, here, a.body.radius, there, b.body.radius) for there in b.body.at]
        assert [not whole_base(a, i, b, j, between) for j in range(b.count)] == hidden


@pytest.mark.rule("RSK-118")
def test_a_unit_that_steps_between_two_is_seen_to_hide_them() -> None:
    field = scene(troops("a", "red", (50, 50), 1), troops("b", "blue", (50, 90), 1), troops("c", "red", (120, 70), 9))
    a, b, c = field["a"], field["b"], field["c"]
    away, across = c.body, Body(tuple((46.0 + 1.0 * k, 70.0) for k in range(9)), 1.25)
    for body, clear in ((away, True), (across, False), (away, True)):
        c.body = body
        assert sees_nearest_clearly(field.battle, a, b) is clear
        assert clearly_sees(field.battle, a, b) is clear
    field.battle.captives = [Captives("blue", "b", "a", across, (False,) * 9)]
    assert not sees_nearest_clearly(field.battle, a, b)
    assert not clearly_sees(field.battle, a, b)
    field.battle.captives = []
    assert sees_nearest_clearly(field.battle, a, b)


@settings(max_examples=60, deadline=None)
@given(spots, spots, sizes, sizes)
def test_sight_between_bodies_is_mutual(here: Point, there: Point, m: int, n: int) -> None:
    terrain = [HOUSE, BENT_WOOD]
    field = scene(troops("a", "red", here, m), troops("b", "blue", there, n), terrain=terrain)
    a, b = field["a"].body, field["b"].body
    kept = field.battle.field
    kept.views[a, b]  # first computed from the other end
    anew = scene(terrain=terrain).battle.field
    one, other = (kept.between(*bodies) for bodies in ((a, b), (b, a)))
    assert [screen.piece.name for screen in one or ()] == [screen.piece.name for screen in other or ()]
    assert (one is None) == (other is None)
    assert kept.views[b, a] == view_between(anew, b, a)


@given(st.lists(spots, min_size=1, max_size=6))
def test_depth_in_a_wood_is_measured_from_its_border(places: list[Point]) -> None:
    field = scene(terrain=[BENT_WOOD, HOUSE], width=200, depth=200).battle.field
    for point, depth in zip(places, field.depths[Body(tuple(places), 1.25)], strict=True):
        wood = field.pieces["wood"].points
        border = min(distance_to_segment(point, a, b) for a, b in edges(wood))
        if border > 1e-6:
            assert (depth is not None and depth[0] == "wood") == is_inside(point, wood)
            assert depth is None or depth[1] == (border if depth[0] == "wood" else depth[1])


def test_a_circle_round_units_never_hides_who_is_near() -> None:
    battle = crowd([((50.0, 50.0), 9), ((50.0, 80.0), 9), ((90.0, 50.0), 4)])
    unit, enemy = battle.units["u0"], battle.units["u1"]
    gap = min(hypot(p[0] - q[0], p[1] - q[1]) for p in unit.body.at for q in enemy.body.at) - 2 * unit.body.radius
    enemies = battle.standing("blue")
    assert enemies.any_within(unit.body, gap + 1e-6) and not enemies.any_within(unit.body, gap - 1e-6)


counts = st.integers(1, 12)


def measured(a: Body, b: Body) -> float:
    """Return the gap of two bodies, measured between all pairs of figures."""
    return max(0.0, min(dist(p, q) for p in a.at for q in b.at) - a.radius - b.radius)


def crowd_at(places: list[Point], sizes: list[int], **more: Any) -> Scene:
    """Units of both sides, alternating, at some positions."""
    units = [
        troops(f"u{index}", ("red", "blue")[index % 2], place, size, weapon="rifle", loading="breech")
        for index, (place, size) in enumerate(zip(places, sizes, strict=False))
    ]
    return scene(*units, width=200, depth=200, **more)


@given(spots, spots, counts, counts)
def test_the_nearest_figures_of_two_bodies_are_the_nearest_of_all(a: Point, b: Point, m: int, n: int) -> None:
    one, other = troops("a", "red", a, m).body, troops("b", "blue", b, n).body
    near = nearest(one, other)
    assert near.gap == measured(one, other)
    assert max(0.0, dist(one.at[near.first_index], other.at[near.second_index]) - one.radius - other.radius) == near.gap


@given(st.lists(spots, min_size=2, max_size=9), st.lists(counts, min_size=9, max_size=9), st.floats(0, 90))
def test_near_enemies_are_those_that_measuring_everybody_finds(
    places: list[Point], sizes: list[int], cm: float
) -> None:
    battle = crowd_at(places, sizes).battle
    for unit in battle.units.values():
        gaps = {enemy.id: measured(unit.body, enemy.body) for enemy in battle.against(unit.side)}
        assert {enemy.id for enemy in battle.enemies_within(unit, cm)} == {k for k, gap in gaps.items() if gap <= cm}
        found = battle.nearest_enemy(unit)
        assert found is not None and found[1].gap == min(gaps.values())


def test_a_unit_that_moves_is_found_where_it_is_now() -> None:
    field = scene(troops("a", "red", (50, 50)), troops("b", "blue", (50, 150)), leader("c", "red", (50, 44)))
    battle = field.battle
    before = battle.standing("blue")
    assert battle.standing("blue") is before
    assert not battle.enemies_in_contact(field["a"]) and battle.leaders_with(field["a"]) == [field["c"]]
    gap = measured(field["a"].body, field["b"].body)
    field["b"].body = field["b"].body.moved_by(0, -gap)
    assert battle.standing("blue") is not before
    assert battle.enemies_in_contact(field["a"]) == [field["b"]] and battle.enemies_in_contact(field["b"]) == [
        field["a"]
    ]
    field["c"].body = field["c"].body.moved_by(-30, 0)
    assert battle.host(field["c"]) is None and battle.leaders_with(field["a"]) == []


def test_copies_of_a_battle_do_not_disturb_each_other() -> None:
    field = scene(troops("a", "red", (50, 50)), troops("b", "blue", (50, 150)))
    other: Battle = field.battle.copy()
    other.units["b"].body = field["b"].body.moved_by(0, -95)
    for _ in range(2):
        assert not field.battle.enemies_in_contact(field["a"])
        assert other.enemies_in_contact(other.units["a"]) == [other.units["b"]]


def in_the_way(battle: Battle, unit: Unit, i: int, target: Unit, j: int) -> bool:
    """Return the result of RSK-106 and RSK-107 over every figure on the board, without settings."""
    (sx, sy), (tx, ty) = unit.body.at[i], target.body.at[j]
    length = hypot(tx - sx, ty - sy)
    if length <= unit.body.radius + target.body.radius:
        return False
    for other in battle.units.values():
        for x, y in other.body.at:
            ahead = ((x - sx) * (tx - sx) + (y - sy) * (ty - sy)) / length
            beside = abs((x - sx) * (ty - sy) - (y - sy) * (tx - sx)) / length
            overlooked = hypot(x - sx, y - sy) - unit.body.radius - other.body.radius <= 2.0 + 1e-9
            within = (
                0 < ahead < length - 1e-6 and beside < other.body.radius + target.body.radius * ahead / length - 1e-6
            )
            if within and not overlooked:
                return True
    return False


@settings(max_examples=40)
@given(st.lists(spots, min_size=3, max_size=7), st.lists(counts, min_size=7, max_size=7))
def test_lines_of_fire_have_the_same_blockers_as_a_full_test(places: list[Point], sizes: list[int]) -> None:
    battle = crowd_at(places, sizes).battle
    unit, target = battle.units["u0"], battle.units["u1"]
    between = lines_of_fire(battle, unit, target)
    free = {(i, j): not in_the_way(battle, unit, i, target, j) for i in range(unit.count) for j in range(target.count)}
    assert {pair: whole_base(unit, pair[0], target, pair[1], between) for pair in free} == free
    near = battle.gap(unit, target)
    assert clearly_sees(battle, unit, target) or not free[near.first_index, near.second_index]


def test_a_figure_that_steps_into_the_lane_is_seen_there() -> None:
    field = scene(troops("a", "red", (50, 50), 1), troops("b", "blue", (50, 90), 1), troops("c", "red", (90, 70), 1))
    assert clearly_sees(field.battle, field["a"], field["b"])
    field["c"].body = field["c"].body.moved_by(-40, 0)
    assert not clearly_sees(field.battle, field["a"], field["b"])
    field["c"].body = field["c"].body.moved_by(5, 0)
    assert clearly_sees(field.battle, field["a"], field["b"])


@settings(max_examples=60)
@given(st.lists(spots, min_size=2, max_size=6), st.lists(counts, min_size=6, max_size=6))
def test_only_ground_between_two_units_can_block_their_lines(places: list[Point], sizes: list[int]) -> None:
    terrain = [
        ground("house", "built_up", [(60, 60), (80, 60), (80, 85), (60, 85)]),
        ground("wood", "wood", [(110, 90), (150, 90), (150, 140), (110, 140)]),
        line("wall", "high_wall", (30, 120), (95, 130)),
    ]
    battle = crowd_at(places, sizes, terrain=terrain).battle
    field, units = battle.field, list(battle.units.values())
    for a in units:
        for b in units:
            few = field.between(a.body, b.body)
            for p in a.body.at[:3]:
                for q in b.body.at[:3]:
                    assert (few is not None and field.line_clear(p, q, few)) == field.line_clear(p, q)
        found = nearest_visible(battle, a)
        gaps = [measured(a.body, enemy.body) for enemy in battle.against(a.side) if sees(battle, a, enemy)]
        assert (found[1].gap if found is not None else None) == min(gaps, default=None)


HAIR = 0.01
WITHIN = pytest.mark.parametrize(("over", "within"), [(0.0, True), (HAIR, False)])


def man(name: str, side: str, x: float, y: float, **more: Any) -> Any:
    return troops(name, side, (0, 0), at=[(x, y)], **more)


@pytest.mark.rule("RSK-150")
@pytest.mark.parametrize("die", [1, 4, 6])
@WITHIN
def test_sight_dice_count_ten_cm(die: int, over: float, within: bool) -> None:
    bush = ground("bush", "bush", [(0, 100), (200, 100), (200, 120), (0, 120)])
    field = scene(man("a", "red", 50, 103 - 2.5 - 10 * die - over), man("b", "blue", 50, 103), terrain=[bush])
    field.battle.sight_dice = {"b": die}
    assert sees(field.battle, field["a"], field["b"]) is within


@pytest.mark.rule("RSK-155")
@pytest.mark.parametrize(("kind", "limit"), [("wood", 10.0), ("donga", 10.0)])
@WITHIN
def test_ten_cm_of_wood_or_to_the_lip_of_a_donga(kind: str, limit: float, over: float, within: bool) -> None:
    if kind == "wood":
        strip = ground("strip", "wood", [(0, 100), (200, 100), (200, 100 + limit + over), (0, 100 + limit + over)])
        field = scene(man("a", "red", 50, 80), man("b", "blue", 50, 150), terrain=[strip])
    else:
        strip = ground("strip", "donga", [(0, 100), (200, 100), (200, 106), (0, 106)])
        field = scene(man("a", "red", 50, 100 - limit - over), man("b", "blue", 50, 103), terrain=[strip])
    assert sees(field.battle, field["a"], field["b"]) is within


@pytest.mark.rule("RSK-108", "RSK-152", "RSK-154")
@pytest.mark.parametrize("shoots_out", [True, False])
@WITHIN
def test_one_shoots_and_is_shot_at_ten_cm_inside_a_wood(shoots_out: bool, over: float, within: bool) -> None:
    """A companion at the edge sees the enemy and makes the unit in the wood visible."""
    wood = ground("wood", "wood", [(0, 100), (200, 100), (200, 140), (0, 140)])
    arms: dict[str, Any] = {"weapon": "rifle", "loading": "breech"}
    inside = troops("in", "red" if shoots_out else "blue", (0, 0), at=[(60, 100.5), (70, 110 + over)], **arms)
    outside = troops("out", "blue" if shoots_out else "red", (0, 0), at=[(70, 60)], **arms)
    field = scene(inside, outside, terrain=[wood])
    field.battle.seen = frozenset({"in", "out"})
    if shoots_out:
        between = lines_of_fire(field.battle, inside, outside)
        shots = able_figures(field.battle, inside, outside, "rifle", [Figure("out", 0)], between)
        assert (1 in {shot.index for shot in shots}) is within
    else:
        assert (("in", 1) in figures_to_hit(field.battle, outside, inside)) is within


FARM = ground("house", "built_up", [(60, 60), (80, 60), (80, 85), (60, 85)])
GROVE = ground("wood", "wood", [(110, 90), (150, 90), (155, 140), (110, 140)])
THIN = ground("thin", "wood", [(20, 100), (60, 100), (60, 109), (20, 109)])
BENT = ground("bent", "wood", [(85, 20), (160, 20), (160, 60), (140, 60), (140, 40), (85, 40)])
SCRUB = ground("bush", "bush", [(20, 130), (60, 130), (60, 170), (20, 170)])
DONGA = ground("donga", "donga", [(70, 150), (130, 150), (130, 156), (70, 156)])
WALL = line("wall", "high_wall", (30, 120), (95, 130), (100, 110))
HILL = ground("hill", "open", [(20, 20), (70, 20), (70, 50), (20, 50)], crest=[(30, 30), (60, 30), (60, 40), (30, 40)])
GROUND = [FARM, GROVE, THIN, BENT, SCRUB, DONGA, WALL, HILL]

inner_spots = st.tuples(st.floats(15, 175), st.floats(15, 175))
larger_sizes = st.integers(1, 14)


def slow_sight_line(field: Field, a: Body, b: Body) -> SightLine:
    """Return the line of sight between two bodies, figure by figure (RSK-126, RSK-152 to RSK-155)."""
    look, fire = field.book.settings.woods_look_depth, field.book.settings.woods_fire_depth
    edge = deep = inf
    for here, mine in zip(a.at, field.depths[a], strict=True):
        for there, theirs in zip(b.at, field.depths[b], strict=True):
            gap = max(0.0, dist(here, there) - a.radius - b.radius)
            if mine is not None and theirs is not None and mine[0] == theirs[0]:
                if gap <= 15:
                    return SightLine(True, inf, inf)
                continue
            if mine is not None and field.pieces[mine[0]].ground.wood and mine[1] > look:
                continue
            if not field.line_clear(here, there):
                continue
            if theirs is None:
                return SightLine(True, inf, inf)
            piece = field.pieces[theirs[0]]
            if piece.ground.sunken and distance_to_polygon(here, piece.points) <= 10:
                return SightLine(True, inf, inf)
            if theirs[1] <= look:
                edge = min(edge, gap)
            if theirs[1] <= max(fire, look):
                deep = min(deep, gap)
    return SightLine(False, edge, deep)


@settings(max_examples=150, deadline=None)
@given(inner_spots, inner_spots, larger_sizes, larger_sizes, st.integers(1, 6), st.sampled_from([5.0, 12.0]))
def test_units_see_what_some_figure_of_theirs_sees(
    here: Point, there: Point, m: int, n: int, width: int, look: float
) -> None:
    field = scene(
        troops("a", "red", here, m, width=width), troops("b", "blue", there, n), terrain=GROUND, woods_look_depth=look
    )
    one, other = field["a"].body, field["b"].body
    for a, b in ((one, other), (other, one)):
        found, expected = view_between(field.battle.field, a, b), slow_sight_line(field.battle.field, a, b)
        assert found.plain == expected.plain
        assert found.plain or (found.edge, found.deep) == pytest.approx((expected.edge, expected.deep))


@pytest.mark.rule("RSK-126", "RSK-155")
@pytest.mark.parametrize("which", range(12))
def test_one_figure_that_looks_past_the_corner_is_enough(which: int) -> None:
    """Twelve men are behind a house. One of them, in turn, is where he can see past it."""
    behind = [(61.0 + 1.5 * k, 95.0) for k in range(12)]
    at = [point if k != which else (90.0, 95.0) for k, point in enumerate(behind)]
    foe = troops("b", "blue", (0, 0), at=[(90.0, 40.0), (70.0, 50.0), (72.0, 50.0)])
    field = scene(troops("a", "red", (0, 0), at=at), foe, terrain=[FARM])
    assert view_between(field.battle.field, field["a"].body, foe.body).plain
    hidden = scene(troops("a", "red", (0, 0), at=behind), foe, terrain=[FARM]).battle
    assert not view_between(hidden.field, hidden.units["a"].body, Body(((70.0, 50.0),), 1.25)).plain


@settings(max_examples=60, deadline=None)
@given(st.lists(inner_spots, min_size=3, max_size=6), st.lists(larger_sizes, min_size=6, max_size=6))
def test_unit_is_clearly_seen_if_any_man_is(places: list[Point], counts: list[int]) -> None:
    units = [
        troops(f"u{k}", ("red", "blue")[k % 2], at, count, weapon="rifle")
        for k, (at, count) in enumerate(zip(places, counts, strict=False))
    ]
    battle = scene(*units, terrain=[FARM, GROVE]).battle
    a, b = battle.units["u0"], battle.units["u1"]
    between = lines_of_fire(battle, a, b)
    pairs = [(i, j) for i in range(a.count) for j in range(b.count)]
    assert clearly_sees(battle, a, b) is any(whole_base(a, i, b, j, between) for i, j in pairs)


@pytest.mark.rule("RSK-094", "RSK-104", "RSK-106")
@settings(max_examples=40, deadline=None)
@given(st.tuples(st.floats(15, 175), st.floats(15, 75)), st.integers(2, 14), st.integers(2, 14), st.integers(2, 7))
def test_shooters_and_victims_are_found_man_by_man(at: Point, m: int, n: int, width: int) -> None:
    screen = troops("s", "red", (100, 90), 9, width=9)
    battle = scene(
        troops("a", "red", at, m, width=width, weapon="rifle", loading="breech"),
        troops("b", "blue", (100, 130), n, width=width),
        screen,
        terrain=[FARM],
    ).battle
    a, b = battle.units["a"], battle.units["b"]
    between = lines_of_fire(battle, a, b)
    pool = [Figure("b", j) for j in range(n)]
    free = {(i, j) for i in range(m) for j in range(n) if whole_base(a, i, b, j, between)}
    shots = able_figures(battle, a, b, "rifle", pool, between)
    assert {shot.index for shot in shots} == {i for i, _ in free}
    for shot in shots:
        assert shot.distance == pytest.approx(
            min(max(0.0, dist(a.body.at[i], b.body.at[j]) - 2.5) for i, j in free if i == shot.index)
        )
    fire = shots[: max(1, len(shots) // 2)]
    if fire:
        seen = {j for i, j in free if i in {shot.index for shot in fire}}
        assert {j for _, j in visible_pool(battle, fire, pool, between)} == seen


# --- blocking figures -------------------------------------------------------------------------------------------------
def test_a_wood_hides_a_whole_unit_at_once_only_where_it_is_deep_enough() -> None:
    field = scene(terrain=[FARM, GROVE, THIN, BENT, HILL]).battle.field
    screens = {screen.piece.name: screen for screen in field.blockers.all}
    behind, before = hull([(62, 90), (78, 90), (70, 95)]), hull([(65, 50), (75, 50)])
    assert screens["house"].hides(before, behind)
    assert not screens["house"].hides(before, hull([(62, 90), (100, 90)]))
    assert screens["wood"].hides([(130, 80)], [(130, 150)])
    assert not screens["wood"].hides([(100, 96)], [(116, 80)]), "only a corner of the wood lies between"


@given(inner_spots, inner_spots)
def test_no_clear_line_leads_to_a_screened_man(here: Point, there: Point) -> None:
    field = scene(terrain=[FARM, GROVE, BENT, HILL, WALL]).battle.field
    for screen in field.blockers.all:
        piece = screen.piece
        if not piece.is_area or not (piece.holds(here) or piece.holds(there)):
            assert not (screen.hides([here], [there]) and field.line_clear(here, there, [screen]))
