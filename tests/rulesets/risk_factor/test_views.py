"""Line of sight between units equals checking every pair of figures (RSK-126, RSK-150 to RSK-155)."""

from __future__ import annotations

from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.rulesets.risk_factor.battlefields import ground, line, scene, troops, whole_base

from zareba.base.exact import dist
from zareba.space.field.bodies import Body
from zareba.space.geometry import Point, distance_to_polygon, hull
from zareba_rulesets.risk_factor.chapters.fire.marksmen import able_figures, visible_pool
from zareba_rulesets.risk_factor.chapters.sight.aim import clearly_sees, lines_of_fire
from zareba_rulesets.risk_factor.ground.field import Field
from zareba_rulesets.risk_factor.ground.sight_lines import SightLine, view_between

HOUSE = ground("house", "built_up", [(60, 60), (80, 60), (80, 85), (60, 85)])
WOOD = ground("wood", "wood", [(110, 90), (150, 90), (155, 140), (110, 140)])
THIN = ground("thin", "wood", [(20, 100), (60, 100), (60, 109), (20, 109)])
BENT = ground("bent", "wood", [(85, 20), (160, 20), (160, 60), (140, 60), (140, 40), (85, 40)])
BUSH = ground("bush", "bush", [(20, 130), (60, 130), (60, 170), (20, 170)])
DONGA = ground("donga", "donga", [(70, 150), (130, 150), (130, 156), (70, 156)])
WALL = line("wall", "high_wall", (30, 120), (95, 130), (100, 110))
HILL = ground("hill", "open", [(20, 20), (70, 20), (70, 50), (20, 50)], crest=[(30, 30), (60, 30), (60, 40), (30, 40)])
GROUND = [HOUSE, WOOD, THIN, BENT, BUSH, DONGA, WALL, HILL]

spots = st.tuples(st.floats(15, 175), st.floats(15, 175))
sizes = st.integers(1, 14)


def asked_one_by_one(field: Field, a: Body, b: Body) -> SightLine:
    """P6 steps 1 to 4 for every pair of figures."""
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
@given(spots, spots, sizes, sizes, st.integers(1, 6), st.sampled_from([5.0, 12.0]))
def test_units_see_what_some_figure_of_theirs_sees(
    here: Point, there: Point, m: int, n: int, width: int, look: float
) -> None:
    field = scene(
        troops("a", "red", here, m, width=width), troops("b", "blue", there, n), terrain=GROUND, woods_look_depth=look
    )
    one, other = field["a"].body, field["b"].body
    for a, b in ((one, other), (other, one)):
        found, expected = view_between(field.battle.field, a, b), asked_one_by_one(field.battle.field, a, b)
        assert found.plain == expected.plain
        assert found.plain or (found.edge, found.deep) == pytest.approx((expected.edge, expected.deep))


@pytest.mark.rule("RSK-126", "RSK-155")
@pytest.mark.parametrize("which", range(12))
def test_one_figure_that_looks_past_the_corner_is_enough(which: int) -> None:
    """Twelve men are behind a house. One of them, in turn, is where he can see past it."""
    behind = [(61.0 + 1.5 * k, 95.0) for k in range(12)]
    at = [point if k != which else (90.0, 95.0) for k, point in enumerate(behind)]
    foe = troops("b", "blue", (0, 0), at=[(90.0, 40.0), (70.0, 50.0), (72.0, 50.0)])
    field = scene(troops("a", "red", (0, 0), at=at), foe, terrain=[HOUSE])
    assert view_between(field.battle.field, field["a"].body, foe.body).plain
    hidden = scene(troops("a", "red", (0, 0), at=behind), foe, terrain=[HOUSE]).battle
    assert not view_between(hidden.field, hidden.units["a"].body, Body(((70.0, 50.0),), 1.25)).plain


@settings(max_examples=60, deadline=None)
@given(st.lists(spots, min_size=3, max_size=6), st.lists(sizes, min_size=6, max_size=6))
def test_somebody_is_clearly_seen_when_any_man_of_his_is(places: list[Point], counts: list[int]) -> None:
    units = [
        troops(f"u{k}", ("red", "blue")[k % 2], at, count, weapon="rifle")
        for k, (at, count) in enumerate(zip(places, counts, strict=False))
    ]
    battle = scene(*units, terrain=[HOUSE, WOOD]).battle
    a, b = battle.units["u0"], battle.units["u1"]
    between = lines_of_fire(battle, a, b)
    pairs = [(i, j) for i in range(a.count) for j in range(b.count)]
    assert clearly_sees(battle, a, b) is any(whole_base(a, i, b, j, between) for i, j in pairs)


@pytest.mark.rule("RSK-094", "RSK-104", "RSK-106")
@settings(max_examples=40, deadline=None)
@given(st.tuples(st.floats(15, 175), st.floats(15, 75)), st.integers(2, 14), st.integers(2, 14), st.integers(2, 7))
def test_who_shoots_and_who_can_be_hit_is_found_man_by_man(at: Point, m: int, n: int, width: int) -> None:
    screen = troops("s", "red", (100, 90), 9, width=9)
    battle = scene(
        troops("a", "red", at, m, width=width, weapon="rifle", loading="breech"),
        troops("b", "blue", (100, 130), n, width=width),
        screen,
        terrain=[HOUSE],
    ).battle
    a, b = battle.units["a"], battle.units["b"]
    between = lines_of_fire(battle, a, b)
    pool = [("b", j) for j in range(n)]
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


# --- blocking figures ----------------------------------------------------------------------------------------------------------


def test_a_wood_hides_a_whole_unit_at_once_only_where_it_is_deep_enough() -> None:
    field = scene(terrain=[HOUSE, WOOD, THIN, BENT, HILL]).battle.field
    screens = {screen.piece.name: screen for screen in field.screens.all}
    behind, before = hull([(62, 90), (78, 90), (70, 95)]), hull([(65, 50), (75, 50)])
    assert screens["house"].hides(before, behind)
    assert not screens["house"].hides(before, hull([(62, 90), (100, 90)]))
    assert screens["wood"].hides([(130, 80)], [(130, 150)])
    assert not screens["wood"].hides([(100, 96)], [(116, 80)]), "only a corner of the wood lies between"


@given(spots, spots)
def test_what_a_screen_hides_no_line_is_clear_to(here: Point, there: Point) -> None:
    field = scene(terrain=[HOUSE, WOOD, BENT, HILL, WALL]).battle.field
    for screen in field.screens.all:
        piece = screen.piece
        if not piece.is_area or not (piece.holds(here) or piece.holds(there)):
            assert not (screen.hides([here], [there]) and field.line_clear(here, there, [screen]))
