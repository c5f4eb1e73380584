"""The Risk Factor, line by line (RSK-113 to RSK-126), and that of a platoon (RSK-147)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.rulesets.risk_factor.battlefields import Scene, ground, leader, line, row, scene, troops

from zareba.space.bearings import angle_between, bearing_to
from zareba.space.geometry import Point
from zareba_rulesets.risk_factor.chapters.action_throws import (
    RiskFacts,
    action_throws,
    casualty_steps,
    is_flanked,
    platoon_facts,
    risk_facts,
)


def found(field: Scene, name: str = "a") -> RiskFacts:
    return risk_facts(field.battle, field[name])


def risk(field: Scene, name: str = "a") -> int:
    return field.rules.tally("risk_factor", found(field, name)).total


SPEARS: dict[str, Any] = {"close": "spear", "native": True}


@pytest.mark.rule("RSK-114")
def test_nothing_alarming_in_view() -> None:
    assert risk(scene(troops("a", "red", (50, 50)))) == -4
    assert not found(scene(troops("a", "red", (50, 50)), troops("e", "blue", (50, 180)))).nothing_in_view
    back = scene(troops("a", "red", (50, 50)), troops("b", "red", (150, 50), status="retreating"))
    assert not found(back).nothing_in_view and not found(back).friends


@pytest.mark.rule("RSK-114", "RSK-151")
def test_friends_retreating_through_a_wood_are_in_sight() -> None:
    def alarming(depth: float, *seen: str) -> bool:
        wood = ground("wood", "wood", [(150, 0), (200, 0), (200, 100), (150, 100)])
        fleeing = troops("b", "red", (0, 0), at=[(150 + depth, 50)], status="retreating")
        field = scene(troops("a", "red", (50, 50)), fleeing, terrain=[wood])
        field.battle.seen = frozenset(seen)
        return not found(field).nothing_in_view

    assert alarming(3) and alarming(9)
    assert not alarming(12) and not alarming(12, "b")


@pytest.mark.rule("RSK-012", "RSK-115", "RSK-117")
@pytest.mark.setting("rf.or_lines")
def test_a_hero_or_superior_quality() -> None:
    def both(**settings: Any) -> Scene:
        return scene(
            troops("a", "red", (50, 50), superior_quality=True),
            leader("hero", "red", (50, 44), troop_class="hero"),
            troops("e", "blue", (50, 180)),
            **settings,
        )

    assert risk(both()) == -1
    assert risk(both(rf_or_lines="each")) == -2
    far = scene(
        troops("a", "red", (50, 50)),
        leader("hero", "red", (50, 30), troop_class="hero"),
        troops("e", "blue", (50, 180)),
    )
    assert not found(far).hero and found(far, "hero").hero


@pytest.mark.rule("RSK-016")
@pytest.mark.setting("rf.superior")
def test_superior_by_flag_or_by_comparison() -> None:
    def superior(own: str, *enemies: str, **settings: Any) -> bool:
        foes = [troops(enemy, "blue", (50 + 40 * n, 180), troop_class=enemy) for n, enemy in enumerate(enemies)]
        return found(scene(troops("a", "red", (50, 50), troop_class=own), *foes, **settings)).superior

    assert not superior("veteran", "raw")
    better = {("hero", "veteran"), ("hero", "raw"), ("veteran", "raw")}
    for own in ("raw", "veteran", "hero"):
        for enemy in ("raw", "veteran", "hero"):
            assert superior(own, enemy, rf_superior="relative") is ((own, enemy) in better)
    assert not superior("veteran", "raw", "veteran", rf_superior="relative"), "better than every group in sight"
    assert not superior("hero", rf_superior="relative"), "nobody is in sight"


@pytest.mark.rule("RSK-116", "RSK-117")
def test_wholly_in_cover_or_advancing() -> None:
    def walled(**state: Any) -> Scene:
        wall = line("wall", "works", (0, 53), (200, 53))
        return scene(troops("a", "red", (0, 0), at=row(4, 51), **state), troops("e", "blue", (55, 180)), terrain=[wall])

    assert found(walled()).in_cover and risk(walled()) == -1
    assert risk(walled(action="advance")) == -1
    assert found(scene(troops("a", "red", (50, 50), action="attack"), troops("e", "blue", (50, 180)))).advancing
    behind = scene(
        troops("a", "red", (0, 0), at=row(4, 51)),
        troops("e", "blue", (55, 10)),
        terrain=[line("wall", "works", (0, 53), (200, 53))],
    )
    assert not found(behind).in_cover
    nobody = scene(troops("a", "red", (0, 0), at=row(4, 51)), terrain=[line("wall", "works", (0, 53), (200, 53))])
    assert found(nobody).in_cover


@pytest.mark.rule("RSK-118")
@pytest.mark.setting("rf.in_range_of")
def test_in_range_of_an_enemy_in_clear_sight() -> None:
    def reached(weapon: str, gap: float, own: str = "none", **settings: Any) -> bool:
        field = scene(
            troops("a", "red", (0, 0), at=row(4, 50), weapon=own),
            troops("e", "blue", (0, 0), at=row(4, 52.5 + gap), weapon=weapon),
            **settings,
        )
        return found(field).in_range

    assert reached("bow", 100) and not reached("bow", 100.5)
    assert not reached("none", 5)
    assert not reached("none", 100, own="rifle") and reached("none", 100, own="rifle", rf_in_range_of="own_weapon")


@pytest.mark.rule("RSK-118", "RSK-106")
def test_an_enemy_behind_others_is_not_in_clear_sight() -> None:
    screen = [(44.0 + 2.5 * i, 70.0) for i in range(10)]
    field = scene(
        troops("a", "red", (0, 0), at=[(50, 50)]),
        troops("screen", "blue", (0, 0), at=screen),
        troops("e", "blue", (0, 0), at=[(50, 80)], weapon="bow"),
    )
    assert not found(field).in_range


@pytest.mark.rule("RSK-014", "RSK-119")
def test_raw_troops_within_reach() -> None:
    field = scene(
        troops("a", "red", (0, 0), at=row(4, 50), troop_class="raw"),
        troops("e", "blue", (0, 0), at=row(4, 100), weapon="bow"),
    )
    assert found(field).raw_in_range and risk(field) == 2
    steady = scene(troops("a", "red", (0, 0), at=row(4, 50)), troops("e", "blue", (0, 0), at=row(4, 100), weapon="bow"))
    assert risk(steady) == 1


@pytest.mark.rule("RSK-118", "RSK-119", "RSK-106")
def test_raw_troops_need_only_see_the_enemy_others_must_see_him_clearly() -> None:
    """Bowmen behind a rank of their friends are in sight, but none shows his whole base."""
    screen = [(44.0 + 2.5 * i, 70.0) for i in range(10)]
    field = scene(
        troops("a", "red", (0, 0), at=[(50, 50)], troop_class="raw"),
        troops("screen", "blue", (0, 0), at=screen),
        troops("e", "blue", (0, 0), at=[(50, 80)], weapon="bow"),
    )
    assert (found(field).in_range, found(field).raw_in_range, risk(field)) == (False, True, 1)


@pytest.mark.rule("RSK-120")
@pytest.mark.setting("rf.casualty_rounding")
def test_one_more_for_every_tenth_lost() -> None:
    field = scene(troops("a", "red", (50, 50), 17, dead=3, hurt=1), troops("e", "blue", (50, 180)))
    assert found(field).casualties == 2
    assert [casualty_steps(5, 30, rounding) for rounding in ("down", "nearest", "up")] == [1, 2, 2]
    assert [casualty_steps(4, 30, rounding) for rounding in ("down", "nearest", "up")] == [1, 1, 2]
    assert [casualty_steps(lost, 20, "nearest") for lost in (1, 3, 5)] == [1, 2, 3], "a half counts as a whole"
    assert [casualty_steps(1, 21, rounding) for rounding in ("down", "nearest", "up")] == [0, 0, 1]
    up = scene(
        troops("a", "red", (50, 50), 29, dead=1, width=10), troops("e", "blue", (50, 180)), rf_casualty_rounding="up"
    )
    assert found(up).casualties == 1


@pytest.mark.rule("RSK-121")
@pytest.mark.setting("rf.lone_leader_casualties")
def test_a_lone_leader_counts_his_wound() -> None:
    def steps(**settings: Any) -> int:
        return found(scene(leader("a", "red", (50, 50), hurt=1), troops("e", "blue", (50, 180)), **settings)).casualties

    assert steps() == 0
    assert steps(rf_lone_leader_casualties="count") == 10


@pytest.mark.rule("RSK-122")
@pytest.mark.setting("rf.front_half_arc")
def test_enemies_on_flank_or_rear() -> None:
    def flank(at: tuple[float, float], **settings: Any) -> bool:
        return found(scene(troops("a", "red", (100, 100), 4), troops("e", "blue", (0, 0), at=[at]), **settings)).flank

    assert not flank((100, 180)) and not flank((180, 130)) and flank((180, 90)) and flank((100, 20))
    assert flank((180, 130), rf_front_half_arc=45) and not flank((130, 180), rf_front_half_arc=45)


@pytest.mark.rule("RSK-122")
def test_only_visible_figures_count_for_the_flank() -> None:
    """The nearer of two enemies is behind the group and hidden; the other, farther off, is in front."""
    house = ground("house", "built_up", [(90, 70), (110, 70), (110, 80), (90, 80)])

    def flank(*terrain: Any) -> bool:
        field = scene(
            troops("a", "red", (0, 0), at=[(100, 100)]),
            troops("e", "blue", (0, 0), at=[(100, 60), (100, 160)]),
            terrain=terrain,
        )
        return found(field).flank

    assert flank() and not flank(house)


@pytest.mark.rule("RSK-122")
def test_friends_going_back_close_by() -> None:
    def friends(gap: float, status: str) -> bool:
        field = scene(
            troops("a", "red", (0, 0), at=[(50, 50)]), troops("b", "red", (0, 0), at=[(52.5 + gap, 50)], status=status)
        )
        return found(field).friends

    assert friends(25, "retreating") and friends(20, "routing")
    assert not friends(25.5, "routing") and not friends(20, "steady")
    alone = scene(troops("a", "red", (0, 0), at=[(50, 50)]), leader("b", "red", (60, 50), status="routing", rank="nco"))
    assert not found(alone).friends


@pytest.mark.rule("RSK-123", "RSK-017")
@pytest.mark.setting("rf.cavalry_needs_sight")
def test_natives_fear_cavalry() -> None:
    house = ground("house", "built_up", [(0, 60), (200, 60), (200, 65), (0, 65)])

    def afraid(native: bool = True, gap: float = 40, **settings: Any) -> bool:
        field = scene(
            troops("a", "red", (0, 0), at=[(50, 50)], native=native),
            troops("e", "blue", (0, 0), at=[(50, 50 + 3.25 + gap)], mounted=True, cavalry=True),
            terrain=[house],
            **settings,
        )
        return found(field).cavalry

    assert afraid() and not afraid(native=False)
    assert afraid(gap=50.0) and not afraid(gap=50.01)
    sergeant = scene(
        troops("a", "red", (0, 0), at=[(50, 50)], native=True),
        leader("e", "blue", (50, 70), "nco", mounted=True, cavalry=True),
    )
    assert not found(sergeant).cavalry, "a rider alone is no cavalry"
    on_foot = scene(
        troops("a", "red", (0, 0), at=[(50, 50)], native=True),
        troops("e", "blue", (50, 70), 4, mounted=True, cavalry=True, marks=["dismounted"]),
    )
    assert not found(on_foot).cavalry
    assert not afraid(rf_cavalry_needs_sight=True)


@pytest.mark.rule("RSK-124")
@pytest.mark.setting("rf.melee_window")
def test_routing_or_worse_off_in_melee() -> None:
    routing = scene(troops("a", "red", (50, 50), status="routing"), troops("e", "blue", (50, 180)))
    assert risk(routing) == 3
    worse = scene(troops("a", "red", (50, 50), lost=2, caused=1), troops("e", "blue", (50, 180)))
    assert found(worse).worse and risk(worse) == 3
    even = scene(troops("a", "red", (50, 50), lost=2, caused=2), troops("e", "blue", (50, 180)))
    assert not found(even).worse
    last = scene(
        troops("a", "red", (50, 50), lost=2, caused=1),
        troops("e", "blue", (50, 180)),
        rf_melee_window="last_melee_phase",
    )
    assert not found(last).worse
    last["a"].round_lost = 1
    assert found(last).worse
    worse.run(action_throws, script=[("action", [3])])
    assert (worse["a"].lost, worse["a"].caused) == (0, 0), "the next throw counts from here"


@pytest.mark.rule("RSK-125", "RSK-120", "RSK-115", "RSK-116", "RSK-118")
def test_the_war_band_of_the_catalogue_stands_on_the_table() -> None:
    band = troops(
        "a", "blue", (60, 60), 17, dead=3, hurt=1, action="advance", superior_quality=True, facing=0.0, **SPEARS
    )
    reds = troops("red", "red", (60, 60 + 28 + 2.5 + 6), 6, weapon="rifle", loading="breech", width=6)
    assert risk(scene(band, reds)) == 1


@pytest.mark.rule("RSK-147")
def test_some_risk_factor_lines_need_only_one_figure_and_others_all() -> None:
    field = scene(
        troops("a", "red", (50, 50), 9, dead=0, superior_quality=True, platoon="p"),
        troops("b", "red", (70, 50), 7, dead=2, status="routing", platoon="p"),
        troops("e", "blue", (60, 180)),
    )
    squads = [field["a"], field["b"]]
    together = platoon_facts(field.battle, squads, [risk_facts(field.battle, squad) for squad in squads])
    assert (together.casualties, together.superior, together.routing) == (1, False, True)


@pytest.mark.rule("RSK-117", "RSK-147")
@pytest.mark.setting("rf.or_lines")
@pytest.mark.parametrize(("or_lines", "total"), [("once", -2), ("each", -1)])
def test_each_condition_that_counts_by_itself_must_hold_for_every_squad(or_lines: str, total: int) -> None:
    """One squad is superior and in cover. The other is superior with a Hero, and advancing."""
    squads = [RiskFacts(superior=True, in_cover=True), RiskFacts(hero=True, superior=True, advancing=True)]
    field = scene(troops("a", "red", (50, 50), 9), troops("b", "red", (70, 50), 9), rf_or_lines=or_lines)
    found = platoon_facts(field.battle, [field["a"], field["b"]], squads)
    assert field.rules.tally("risk_factor", found).total == total


spots = st.tuples(st.floats(10, 190), st.floats(10, 190))
counts = st.integers(1, 12)


@pytest.mark.parametrize("arc", [90, 45])
@settings(max_examples=60)
@given(at=spots, foe=spots, m=counts, n=counts, facing=st.sampled_from([0.0, 45.0, 90.0, 200.0, 333.0]))
def test_flanks_are_those_that_the_nearest_figure_stands_on(
    arc: int, at: Point, foe: Point, m: int, n: int, facing: float
) -> None:
    field = scene(troops("a", "red", at, m), troops("b", "blue", foe, n), width=200, depth=200, rf_front_half_arc=arc)
    unit, enemy = field["a"], field["b"]
    unit.facing = facing
    nearest = enemy.body.at[field.battle.gap(unit, enemy).second_index]
    off = angle_between(facing, bearing_to(unit.body.centre, nearest))
    if abs(off - arc) > 1e-6:
        assert is_flanked(field.battle, unit) == (off > arc)
