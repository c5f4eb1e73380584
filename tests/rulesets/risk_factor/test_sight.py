"""Visibility (RSK-126, RSK-150 to RSK-155, RSK-193)."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.risk_factor.battlefields import Scene, ground, line, scene, troops

from zareba_rulesets.risk_factor.chapters.sight.sight import look, sees, throw_sight_dice
from zareba_rulesets.risk_factor.ground.sight_lines import what_hides

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
def test_what_blocks_a_line(piece: Any, clear: bool) -> None:
    field = scene(one("a", "red", (50, 20)), one("b", "blue", (50, 120)), terrain=[piece])
    assert sees(field.battle, field["a"], field["b"]) is clear
    assert sees(field.battle, field["b"], field["a"]) is clear
    beside = ground("beside", "built_up", [(70, 60), (90, 60), (90, 70), (70, 70)])
    there = scene(one("a", "red", (50, 20)), one("b", "blue", (50, 120)), terrain=[piece, beside])
    hides = what_hides(there.battle.field, there["a"].body, there["b"].body)
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
def test_how_much_of_a_line_lies_in_a_wood(wood: Any, start: Any, end: Any, length: float) -> None:
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
def test_nobody_looks_into_a_donga_through_a_wall(end: float, seen: bool) -> None:
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
def test_who_fired_is_seen_at_any_range_or_by_the_die() -> None:
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
    with field.script(("sighting", [5]), ("sighting", [1])) as table:
        throw_sight_dice(table, field.battle)
    assert field.battle.seen == {"a", "near", "open"}
    with field.script(("sighting", [6])) as table:
        throw_sight_dice(table, field.battle)
    assert field.battle.seen == {"a", "near", "other", "open"}


@pytest.mark.rule("RSK-193")
def test_a_side_remembers_where_it_saw_a_unit_until_it_sees_the_place_empty() -> None:
    house = ground("house", "built_up", [(40, 60), (60, 60), (60, 80), (40, 80)])
    field: Scene = scene(one("a", "red", (50, 20)), one("b", "blue", (90, 100)), terrain=[house])
    look(field.battle)
    assert field.battle.known["b"].centre == (90, 100)
    field["a"].body = field["a"].body.shifted(0, 37)
    look(field.battle)
    assert "b" not in field.battle.seen and field.battle.known["b"].centre == (90, 100)
    field["b"].body = field["b"].body.shifted(-40, 0)
    field["a"].body = field["a"].body.shifted(0, -37)
    look(field.battle)
    assert "b" not in field.battle.seen and "b" not in field.battle.known


@pytest.mark.rule("RSK-193", "RSK-152")
def test_a_place_in_a_wood_is_not_seen_to_be_empty_from_outside() -> None:
    """The unit fell back from the wood's edge. Its last known place is remembered until a man goes and looks."""
    field: Scene = scene(one("a", "red", (50, 40)), one("b", "blue", (50, 63)), terrain=[WOOD])
    field.battle.sight_dice = {"b": 6}
    look(field.battle)
    assert field.battle.known["b"].centre == (50, 63)
    field["b"].body, field.battle.sight_dice = field["b"].body.shifted(0, 30), {}
    look(field.battle)
    assert "b" not in field.battle.seen and field.battle.known["b"].centre == (50, 63)
    field["a"].body = field["a"].body.shifted(0, 21)
    look(field.battle)
    assert "b" not in field.battle.seen and "b" not in field.battle.known
