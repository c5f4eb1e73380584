"""Cached facts equal a new computation while no unit moves, and follow every change."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.rulesets.risk_factor.battlefields import Scene, ground, line, scene, troops, whole_base

from zareba.base.exact import dist, hypot
from zareba.space.field.bodies import Body
from zareba.space.geometry import Point, distance_to_segment, edges, is_inside
from zareba_rulesets.risk_factor.chapters.fire.marksmen import able_figures, open_figures
from zareba_rulesets.risk_factor.chapters.movement.paths import path_to
from zareba_rulesets.risk_factor.chapters.sight.aim import clearly_sees, lines_of_fire, sees_nearest_clearly
from zareba_rulesets.risk_factor.forces.battle import Captives
from zareba_rulesets.risk_factor.ground.sight_lines import view_between

spots = st.tuples(st.floats(10, 190), st.floats(10, 190))
sizes = st.integers(1, 10)
HOUSE = ground("house", "built_up", [(80, 80), (110, 80), (110, 120), (80, 120)])
L_WALL = line("wall", "high_wall", (40.0, 150.0), (90.0, 150.0), (90.0, 180.0))
POND = ground("pond", "closed", [(130, 30), (170, 30), (170, 60), (150, 45), (130, 60)])
WOOD = ground("wood", "wood", [(20, 20), (70, 20), (70, 70), (45, 40), (20, 70)])


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
def test_who_hid_one_man_is_asked_about_the_next_without_harm(
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
        able_figures(battle, a, b, "rifle", open_figures(battle, a, b), between)
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


@pytest.mark.rule("RSK-094")
def test_contact_is_known_anew_when_either_moves_or_loses_men() -> None:
    field = scene(troops("a", "red", (50, 50), at=[(50, 50), (60, 50)]), troops("b", "blue", (50, 90), 1))
    a, b = field["a"], field["b"]
    assert field.battle.engaged(a) == frozenset() == field.battle.engaged(b)
    b.body = Body(((50.0, 52.5),), 1.25)
    assert field.battle.engaged(a) == {0} and field.battle.engaged(b) == {0}
    a.body, a.hurt, a.armed = a.body.without([0]), a.hurt[1:], a.armed[1:]
    assert field.battle.engaged(a) == frozenset() == field.battle.engaged(b)
    a.body = a.body.shifted(-7.5, 2.5)
    assert field.battle.engaged(a) == {0} and field.battle.touching(b) == [a]
    field.battle.remove(b, "killed")
    assert field.battle.engaged(a) == frozenset() and field.battle.touching(a) == []


@settings(max_examples=60, deadline=None)
@given(spots, spots, sizes, sizes)
def test_what_one_body_has_of_another_says_what_that_has_of_it(here: Point, there: Point, m: int, n: int) -> None:
    terrain = [HOUSE, WOOD]
    field = scene(troops("a", "red", here, m), troops("b", "blue", there, n), terrain=terrain)
    a, b = field["a"].body, field["b"].body
    kept = field.battle.field
    kept.views[a, b]  # first computed from the other end
    anew = scene(terrain=terrain).battle.field
    one, other = (kept.between(*bodies) for bodies in ((a, b), (b, a)))
    assert [screen.piece.name for screen in one or ()] == [screen.piece.name for screen in other or ()]
    assert (one is None) == (other is None)
    assert kept.views[b, a] == view_between(anew, b, a)


@given(spots, spots)
def test_ways_run_into_closed_ground_where_it_lies_on_them(start: Point, goal: Point) -> None:
    battle = scene(terrain=[HOUSE, L_WALL, POND, WOOD], width=200, depth=200).battle
    field = battle.field
    closed = any(field.pieces[met.piece].ground.closed for met in field.table.crossed(start, goal))
    assert field.meets_walls(start, goal) is closed
    expected = field.going[False].way_round(start, goal) if closed else None
    for _ in range(2):
        assert path_to(battle, start, goal) == list(expected or (start, goal))


@given(st.lists(spots, min_size=1, max_size=6))
def test_how_deep_men_stand_in_a_wood_is_measured_from_its_border(places: list[Point]) -> None:
    field = scene(terrain=[WOOD, HOUSE], width=200, depth=200).battle.field
    for point, depth in zip(places, field.depths[Body(tuple(places), 1.25)], strict=True):
        wood = field.pieces["wood"].points
        border = min(distance_to_segment(point, a, b) for a, b in edges(wood))
        if border > 1e-6:
            assert (depth is not None and depth[0] == "wood") == is_inside(point, wood)
            assert depth is None or depth[1] == (border if depth[0] == "wood" else depth[1])
