"""Cached facts about positions equal a full measurement, and a change of position takes effect at once."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.rulesets.risk_factor.battlefields import Scene, ground, leader, line, scene, troops, whole_base

from zareba.base.exact import dist, hypot
from zareba.space.field.bodies import Body, nearest
from zareba.space.geometry import Point
from zareba_rulesets.risk_factor.chapters.sight.aim import clearly_sees, lines_of_fire
from zareba_rulesets.risk_factor.chapters.sight.sight import nearest_visible, sees
from zareba_rulesets.risk_factor.forces.battle import Battle, Unit

spots = st.tuples(st.floats(10, 190), st.floats(10, 190))
counts = st.integers(1, 12)


def measured(a: Body, b: Body) -> float:
    """Return the gap of two bodies, measured between all pairs of figures."""
    return max(0.0, min(dist(p, q) for p in a.at for q in b.at) - a.radius - b.radius)


def crowd(places: list[Point], sizes: list[int], **more: Any) -> Scene:
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
    assert max(0.0, dist(one.at[near.own], other.at[near.other]) - one.radius - other.radius) == near.gap


@given(st.lists(spots, min_size=2, max_size=9), st.lists(counts, min_size=9, max_size=9), st.floats(0, 90))
def test_near_enemies_are_those_that_measuring_everybody_finds(
    places: list[Point], sizes: list[int], cm: float
) -> None:
    battle = crowd(places, sizes).battle
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
    assert not battle.touching(field["a"]) and battle.leaders_with(field["a"]) == [field["c"]]
    gap = measured(field["a"].body, field["b"].body)
    field["b"].body = field["b"].body.shifted(0, -gap)
    assert battle.standing("blue") is not before
    assert battle.touching(field["a"]) == [field["b"]] and battle.touching(field["b"]) == [field["a"]]
    field["c"].body = field["c"].body.shifted(-30, 0)
    assert battle.host(field["c"]) is None and battle.leaders_with(field["a"]) == []


def test_copies_of_a_battle_do_not_disturb_each_other() -> None:
    field = scene(troops("a", "red", (50, 50)), troops("b", "blue", (50, 150)))
    other: Battle = field.battle.copy()
    other.units["b"].body = field["b"].body.shifted(0, -95)
    for _ in range(2):
        assert not field.battle.touching(field["a"])
        assert other.touching(other.units["a"]) == [other.units["b"]]


def test_a_view_without_hidden_units_does_not_hide_them_from_the_battle() -> None:
    field = scene(troops("a", "red", (50, 50)), troops("b", "blue", (50, 150)), troops("c", "blue", (50, 58)))
    seen: Battle = field.battle.copy()
    del seen.units["c"]
    for _ in range(2):
        near, hidden = field.battle.nearest_enemy(field["a"]), seen.nearest_enemy(seen.units["a"])
        assert near is not None and near[0].id == "c"
        assert hidden is not None and hidden[0].id == "b"


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
def test_lines_of_fire_are_barred_by_those_whom_testing_everybody_finds(places: list[Point], sizes: list[int]) -> None:
    battle = crowd(places, sizes).battle
    unit, target = battle.units["u0"], battle.units["u1"]
    between = lines_of_fire(battle, unit, target)
    free = {(i, j): not in_the_way(battle, unit, i, target, j) for i in range(unit.count) for j in range(target.count)}
    assert {pair: whole_base(unit, pair[0], target, pair[1], between) for pair in free} == free
    near = battle.gap(unit, target)
    assert clearly_sees(battle, unit, target) or not free[near.own, near.other]


def test_a_figure_that_steps_into_the_lane_is_seen_there() -> None:
    field = scene(troops("a", "red", (50, 50), 1), troops("b", "blue", (50, 90), 1), troops("c", "red", (90, 70), 1))
    assert clearly_sees(field.battle, field["a"], field["b"])
    field["c"].body = field["c"].body.shifted(-40, 0)
    assert not clearly_sees(field.battle, field["a"], field["b"])
    field["c"].body = field["c"].body.shifted(5, 0)
    assert clearly_sees(field.battle, field["a"], field["b"])


@settings(max_examples=60)
@given(st.lists(spots, min_size=2, max_size=6), st.lists(counts, min_size=6, max_size=6))
def test_only_ground_between_two_units_can_block_their_lines(places: list[Point], sizes: list[int]) -> None:
    terrain = [
        ground("house", "built_up", [(60, 60), (80, 60), (80, 85), (60, 85)]),
        ground("wood", "wood", [(110, 90), (150, 90), (150, 140), (110, 140)]),
        line("wall", "high_wall", (30, 120), (95, 130)),
    ]
    battle = crowd(places, sizes, terrain=terrain).battle
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


def test_the_edge_belongs_to_the_table_in_spite_of_rounding() -> None:
    field = scene(troops("a", "red", (20, 20), 3), width=200, depth=120).battle.field
    assert field.on_table((141.5, -3.6e-15)) and field.on_table((200.0, 120.0))
    assert not field.on_table((141.5, -0.01))
