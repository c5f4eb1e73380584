"""Groups: membership and combining (RSK-007, RSK-045 to RSK-049)."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.risk_factor.battlefields import RIFLES, Scene, battle_of, leader, row, scene, troops

from zareba.battle.carried_objects import CarriedObject
from zareba_rulesets.risk_factor.chapters.action_throws import risk_facts, throwing_units
from zareba_rulesets.risk_factor.chapters.casualties import KILL, Figure, strike
from zareba_rulesets.risk_factor.chapters.command import merge_side, settle_ties, share_actions
from zareba_rulesets.risk_factor.chapters.melee import factor_of
from zareba_rulesets.risk_factor.chapters.shooting import volley
from zareba_rulesets.risk_factor.forces import (
    Captives,
    Unit,
    action_table,
    figures_carrying,
    loading_of,
    main_weapon,
    melee_factor,
    missile_weapons,
)


@pytest.mark.rule("RSK-007", "RSK-048")
def test_a_leader_within_five_cm_belongs_to_the_nearest_group_else_he_is_a_unit() -> None:
    field = scene(
        troops("a", "red", (50, 50), at=[(50, 50), (53, 50)]),
        troops("b", "red", (70, 50), at=[(66, 50), (70, 50)]),
        leader("near", "red", (60, 50)),
        leader("alone", "red", (60, 100)),
    )
    battle = field.battle
    assert battle.host(field["near"]) is field["b"]
    assert battle.host(field["alone"]) is None
    assert [unit.id for unit in throwing_units(battle, "red")] == ["a", "b", "alone"]


@pytest.mark.rule("RSK-048")
def test_the_owner_settles_a_tie() -> None:
    field = scene(
        troops("a", "red", (50, 50), at=[(50, 50)]),
        troops("b", "red", (60, 50), at=[(60, 50)]),
        leader("x", "red", (55, 50)),
    )
    field.run(settle_ties, script=[("belongs to", "b")])
    assert field.battle.host(field["x"]) is field["b"]


@pytest.mark.rule("RSK-192")
def test_leaders_without_orders_do_what_their_group_does() -> None:
    field = scene(
        troops("a", "red", (50, 50), action="attack", goal=(9.0, 9.0)),
        leader("nco", "red", (50, 45), "nco", action="march", goal=(1.0, 1.0)),
        leader("free", "red", (55, 45), "nco", marks=["linked", "free"]),
        leader("alone", "red", (50, 90), "nco", action="retreat"),
    )
    share_actions(field.battle)
    found = {unit.id: (unit.action, unit.goal) for unit in field.battle.units.values() if unit.spec.leader}
    assert found == {"nco": ("attack", (9.0, 9.0)), "free": ("halt", None), "alone": ("retreat", None)}


@pytest.mark.rule("RSK-192")
def test_leader_with_his_own_throw_keeps_it_after_joining_a_group() -> None:
    """The leader was alone at the start of step 1 and threw Advance. The men he joins are falling back."""
    field = scene(
        troops("a", "red", (50, 50), action="retreat", status="retreating"),
        leader("nco", "red", (50, 45), "nco", action="advance"),
    )
    field.battle.risk = {"a": 4, "nco": 1}
    share_actions(field.battle)
    assert field["nco"].action == "advance"


@pytest.mark.rule("RSK-179", "RSK-192")
@pytest.mark.parametrize("action", ["attack", "halt"])
def test_a_solo_leader_follows_up_with_his_group(action: str) -> None:
    """The leader fights alongside his men in the enemy's turn too, and takes part in their follow-up."""
    field = scene(
        troops("a", "red", (0, 0), at=[(50, 50), (52.6, 50)], close="spear", action=action),
        leader("chief", "red", (55.2, 50), "chief", close="sword"),
        troops("b", "blue", (0, 0), at=[(50, 52.5), (52.6, 52.5), (55.2, 52.5)], close="sword"),
        solo=["red", "blue"],
    )
    share_actions(field.battle)
    battle_of(field, ("melee", [5, 1]), ("melee", [1, 1]), ("melee", [1, 1]))
    assert [bool(field.battle.enemies_in_contact(field[name])) for name in ("a", "chief")] == [action == "attack"] * 2


def weak(**settings: Any) -> Scene:
    return scene(troops("a", "red", (50, 50), 3, dead=7), troops("b", "red", (55, 55), 8, dead=2, width=4), **settings)


@pytest.mark.rule("RSK-048")
def test_nearer_group_decides_before_two_equally_far() -> None:
    field = scene(
        leader("chief", "red", (50, 50)),
        *(troops(name, "red", (0, 0), at=[at]) for name, at in (("a", (50, 54)), ("b", (45, 50)), ("c", (55, 50)))),
    )
    field.run(settle_ties)
    assert field["chief"].joins == "" and field.battle.host(field["chief"]) is field["a"]


@pytest.mark.rule("RSK-047")
@pytest.mark.setting("groups.merge_strength")
def test_three_men_may_join_a_group_like_theirs() -> None:
    field = weak()
    field.run(merge_side, script=[("combine", True)])
    assert (field["b"].count, field["b"].original, field["b"].dead) == (11, 20, 9)
    assert field.battle.gone == {"a": "joined b"}
    fresh = weak(groups_merge_strength="fresh", solo=["red"])
    fresh.run(merge_side)
    assert (fresh["b"].count, fresh["b"].original, fresh["b"].dead) == (11, 11, 0)


@pytest.mark.rule("RSK-047")
@pytest.mark.parametrize(
    "other",
    [
        {"native": True},
        {"troop_class": "raw"},
        {"kind": "irregular"},
        {"weapon": "rifle"},
        {"mounted": True, "marks": ["dismounted"]},
        {"count": 29, "width": 10},
        {"centre": (90, 90)},
    ],
)
def test_unlike_full_or_distant_groups_do_not_combine(other: dict[str, Any]) -> None:
    centre, count = other.pop("centre", (58, 58)), other.pop("count", 8)
    field = scene(troops("a", "red", (50, 50), 3), troops("b", "red", centre, count, **other), solo=["red"])
    field.run(merge_side)
    assert field["a"].count == 3


@pytest.mark.rule("RSK-047", "RSK-080")
@pytest.mark.parametrize(("marks", "joins"), [([], True), (["dismounted"], False)])
def test_riders_join_only_others_on_the_same_footing(marks: list[str], joins: bool) -> None:
    weak = troops("a", "red", (50, 50), 3, mounted=True, marks=marks)
    field = scene(weak, troops("b", "red", (60, 60), 8, mounted=True, width=4), solo=["red"])
    field.run(merge_side)
    assert (field["a"].count == 0) is joins


@pytest.mark.rule("RSK-047", "RSK-144", "RSK-161")
@pytest.mark.parametrize(
    ("weak", "strong", "joins"),
    [
        ({"status": "routing"}, {}, False),
        ({}, {"status": "routing"}, False),
        ({"status": "retreating"}, {}, False),
        ({"status": "routing"}, {"status": "retreating"}, False),
        ({"status": "routing"}, {"status": "routing"}, True),
        ({"marks": ["disarmed"]}, {}, False),
        ({"marks": ["disarmed"]}, {"marks": ["disarmed"]}, True),
    ],
)
def test_joining_a_group_ends_no_rout_and_adds_no_arms(
    weak: dict[str, Any], strong: dict[str, Any], joins: bool
) -> None:
    field = scene(
        troops("a", "red", (50, 50), 3, **weak), troops("b", "red", (55, 55), 8, width=4, **strong), solo=["red"]
    )
    field.run(merge_side)
    assert (field["a"].count == 0) is joins


@pytest.mark.rule("RSK-047", "RSK-081", "RSK-088")
@pytest.mark.parametrize(
    ("weak", "strong", "joined"),
    [
        (["loaded"], ["loaded"], {"loaded"}),
        ([], ["loaded"], set()),
        (["loaded", "moved", "far"], ["loaded"], {"loaded", "moved", "far"}),
        (["loaded"], ["moved"], {"moved"}),
        (["loaded", "commanded", "fired"], ["loaded"], {"loaded", "fired"}),
        (["loaded", "charged", "charger"], ["loaded"], {"loaded", "charged", "charger"}),
    ],
)
def test_the_joined_group_shoots_no_better_than_either(weak: list[str], strong: list[str], joined: set[str]) -> None:
    field = scene(
        troops("a", "red", (50, 50), 3, marks=weak),
        troops("b", "red", (55, 55), 8, width=4, marks=strong),
        solo=["red"],
    )
    field.run(merge_side)
    assert field["b"].marks == joined


def of_two_arms(weak: dict[str, Any], strong: dict[str, Any], *more: Unit) -> Scene:
    """Three men have joined four others with a different weapon in one row; enemies are 25 cm in front."""
    common = {"kind": "irregular", "volley": True, "formed": False}
    field = scene(
        troops("a", "red", (0, 0), at=row(3, 50), **(weak | common)),
        troops("b", "red", (0, 0), at=row(4, 50, x=58.25), **(strong | common)),
        troops("foe", "blue", (0, 0), at=row(7, 77.5), close="sword"),
        *more,
        solo=["red", "blue"],
    )
    field.run(merge_side)
    assert field["b"].count == 7 and field.battle.gone == {"a": "joined b"}
    return field


MUSKETS: dict[str, Any] = {"weapon": "musket", "loading": "muzzle", "close": "sword", "marks": ["loaded"]}


@pytest.mark.rule("RSK-047", "RSK-035", "RSK-130", "RSK-138")
@pytest.mark.parametrize(
    ("weak", "strong", "missiles_", "main"),
    [
        (RIFLES, MUSKETS, ["musket", "rifle"], "musket"),
        (MUSKETS, RIFLES, ["rifle", "musket"], "rifle"),
        ({"close": "spear"}, {"close": "sword"}, ["spear"], ""),
        (
            {"weapon": "bow", "loading": "breech"},
            {"weapon": "musket", "loading": "muzzle"},
            ["musket", "bow"],
            "musket",
        ),
    ],
)
def test_every_man_keeps_his_arms(
    weak: dict[str, Any], strong: dict[str, Any], missiles_: list[str], main: str
) -> None:
    field = of_two_arms(weak, strong)
    group = field["b"]
    assert missile_weapons(field.battle, group) == missiles_ and main_weapon(field.battle, group) == main
    first, second = strong.get("weapon") or strong["close"], weak.get("weapon") or weak["close"]
    if first in missiles_:
        assert figures_carrying(field.battle, group, first) == [0, 1, 2, 3]
    assert figures_carrying(field.battle, group, second) == [4, 5, 6]
    assert action_table(field.battle, group) == ("missile" if main else "melee")
    factors = [factor_of(field.battle, Figure("b", index)) for index in (0, 6)]
    assert factors == [melee_factor(field.battle.book, field.battle.units[name].spec, True) for name in ("b", "a")]


@pytest.mark.rule("RSK-047", "RSK-081", "RSK-083", "RSK-098")
@pytest.mark.parametrize(
    ("marks", "dice"), [([], [[3, 3, 3]]), (["commanded"], [[3, 3, 3, 3], [1, 1, 1]]), (["moved", "far"], [[3, 3]])]
)
def test_men_of_two_firearms_shoot_together_each_with_his_own(marks: list[str], dice: list[list[int]]) -> None:
    """Four muskets at medium range hit on 4 or more, three rifles at short range on 2. All, one in two, or one in three
    of the seven shoot.
    """
    field = of_two_arms(RIFLES, MUSKETS)
    field["b"].mark("loaded", *marks)
    with field.script(*(("shooting", faces) for faces in dice)) as table:
        volley(table, field.battle, field["b"], field["foe"], "musket")
    told = [event.data for event in table.events if event.kind == "shooting"]
    assert [(shot["shots"], shot["hits"]) for shot in told] == [(sum(map(len, dice)), 0)]


@pytest.mark.rule("RSK-047", "RSK-033", "RSK-088")
@pytest.mark.parametrize(("one", "other", "counts"), [("muzzle", "breech", "muzzle"), ("magazine", "breech", "breech")])
def test_slower_loading_of_a_weapon_counts(one: str, other: str, counts: str) -> None:
    field = of_two_arms({"weapon": "rifle", "loading": one}, {"weapon": "rifle", "loading": other})
    assert loading_of(field.battle, field["b"], "rifle") == counts


@pytest.mark.rule("RSK-047", "RSK-138")
def test_longer_medium_range_decides_the_main_firearm() -> None:
    """Three bows (60 cm) and three muskets (40 cm)."""
    field = of_two_arms({"weapon": "bow", "loading": "breech"}, {"weapon": "musket", "loading": "muzzle"})
    field.run(strike, field["b"], {0: KILL}, "fire")
    assert main_weapon(field.battle, field["b"]) == "bow"


@pytest.mark.rule("RSK-047", "RSK-112")
def test_men_who_fall_take_their_own_arms_with_them() -> None:
    field = of_two_arms({"close": "spear"}, {"close": "sword"})
    field.run(strike, field["b"], {0: KILL, 5: KILL}, "melee")
    assert figures_carrying(field.battle, field["b"], "spear") == [3, 4]


@pytest.mark.rule("RSK-047")
def test_men_who_join_others_again_still_keep_their_arms() -> None:
    """Three spearmen had joined swordsmen. After the swordsmen are dead, the spearmen join men with clubs."""
    clubs = troops("c", "red", (0, 0), at=row(4, 20, x=58.25), close="club", kind="irregular")
    field = of_two_arms({"close": "spear"}, {"close": "sword"}, clubs)
    with field.script() as table:
        strike(table, field.battle, field["b"], dict.fromkeys(range(4), KILL), "melee")
        field["c"].body = field["c"].body.moved_by(0, 30)
        merge_side(table, field.battle)
    assert field["c"].count == 7 and figures_carrying(field.battle, field["c"], "spear") == [4, 5, 6]


@pytest.mark.rule("RSK-047", "RSK-124")
def test_the_joined_group_has_come_off_in_melee_as_both_did_together() -> None:
    field = weak(solo=["red"])
    field["a"].lost, field["b"].caused = 3, 1
    field.run(merge_side)
    assert (field["b"].lost, field["b"].caused) == (3, 1)


@pytest.mark.rule("RSK-047")
def test_prisoners_and_objects_go_with_those_who_held_them() -> None:
    field = weak(solo=["red"])
    field.battle.captives = [Captives("blue", "x", "a", field["a"].body, (False,) * 3)]
    field.battle.carried_objects = {"chest": CarriedObject((50.0, 50.0), "a")}
    field.run(merge_side)
    assert field.battle.captives[0].captor == field.battle.carried_objects["chest"].carrier == "b"


@pytest.mark.rule("RSK-047")
@pytest.mark.parametrize(
    ("falls", "armed", "kits"),
    [(0, (False, True), ("b", "c")), (1, (True, True), ("a", "c")), (2, (True, False), ("a", "b"))],
)
def test_fallen_figure_takes_its_own_arms_with_it(falls: int, armed: tuple[bool, ...], kits: tuple[str, ...]) -> None:
    field = scene(troops("a", "red", (50, 50), 3, **RIFLES), troops("foe", "blue", (50, 90), 3))
    group = field["a"]
    group.armed, group.kits = (True, False, True), ("a", "b", "c")
    field.run(strike, group, {falls: KILL}, "fire")
    assert (group.armed, group.kits) == (armed, kits)


HAIR = 0.01
WITHIN = pytest.mark.parametrize(("over", "within"), [(0.0, True), (HAIR, False)])


def man(name: str, side: str, x: float, y: float, **more: Any) -> Any:
    return troops(name, side, (0, 0), at=[(x, y)], **more)


@pytest.mark.rule("RSK-048", "RSK-115", "RSK-192")
@WITHIN
def test_a_leader_is_with_a_group_within_five_cm(over: float, within: bool) -> None:
    field = scene(man("a", "red", 50, 50), leader("hero", "red", (57.5 + over, 50), troop_class="hero"))
    assert (field.battle.host(field["hero"]) is field["a"]) is within
    assert risk_facts(field.battle, field["a"]).hero is within
    assert (field.battle.leaders_with(field["a"]) == [field["hero"]]) is within


@pytest.mark.rule("RSK-047")
@WITHIN
def test_weak_groups_combine_within_five_cm(over: float, within: bool) -> None:
    field = scene(man("a", "red", 50, 50), man("b", "red", 57.5 + over, 50), solo=["red"])
    field.run(merge_side)
    assert ("a" in field.battle.gone) is within


@pytest.mark.rule("RSK-047", "RSK-045")
@pytest.mark.parametrize(("weak", "strong", "joins"), [(3, 27, True), (3, 28, False), (4, 10, False), (1, 4, True)])
def test_three_at_most_join_thirty_at_most(weak: int, strong: int, joins: bool) -> None:
    field = scene(
        troops("a", "red", (50, 50), weak, width=4), troops("b", "red", (50, 57), strong, width=10), solo=["red"]
    )
    field.run(merge_side)
    assert ("a" in field.battle.gone) is joins
