"""Groups, command points, the chain of command and loyalty (RSK-007, RSK-018 to RSK-024, RSK-045 to RSK-070)."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.rulesets.risk_factor.battlefields import RIFLES, Scene, battle_of, ground, leader, row, scene, troops

from zareba.base.exact import dist
from zareba.battle.carried_objects import CarriedObject
from zareba.space.geometry import Point
from zareba_rulesets.risk_factor.chapters.action_throws import risk_facts, throwing_units
from zareba_rulesets.risk_factor.chapters.casualties import KILL, Figure, strike
from zareba_rulesets.risk_factor.chapters.command import (
    command,
    command_cost,
    figure_price,
    is_loyal,
    link_price,
    merge_side,
    replace_lost_commanders,
    roll_command_points,
    senior_leader,
    settle_ties,
    share_actions,
)
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

# --- Groups: membership and combining ---------------------------------------------------------------------------------


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


# --- Command points, the chain of command, loyalty --------------------------------------------------------------------


STOP = ("command", "stop")


def platoon(**settings: Any) -> Scene:
    """The officer, two NCOs and three squads of nine from the example of the text, all within reach of one another."""
    return scene(
        leader("officer", "red", (100, 50)),
        leader("first", "red", (100, 70), "nco"),
        leader("second", "red", (100, 90), "nco", troop_class="raw"),
        troops("a", "red", (70, 60), 9),
        troops("b", "red", (100, 80), 9),
        troops("c", "red", (130, 70), 9),
        troops("foe", "blue", (100, 190), 5, close="sword"),
        commanders=["officer"],
        **settings,
    )


def run(field: Scene, *answers: tuple[str, Any], pc: str = "officer") -> list[Any]:
    """Play command with these answers. Returns its events."""
    with field.script(*answers) as table:
        command(table, field.battle, field[pc])
    return list(table.events)


@pytest.mark.rule("RSK-018", "RSK-019", "RSK-037", "RSK-056", "RSK-060", "RSK-061")
@pytest.mark.setting("command.link_cost")
def test_twelve_seven_and_ten_command_the_whole_platoon() -> None:
    throws = (
        ("command points", [6, 4, 2]),
        ("command", ("link", "first")),
        ("command points", [3, 2, 2]),
        ("command", ("link", "second")),
        ("command points", [4, 6]),
    )
    field = platoon()
    run(field, *throws, *(("command", ("command", squad)) for squad in "abc"))
    assert all("commanded" in field[squad].marks for squad in "abc")
    free = platoon(command_link_cost="free")
    prices = [link_price(where.battle, where["first"], where["officer"], where["officer"]) for where in (field, free)]
    assert prices == [1, 0]


@pytest.mark.rule("RSK-059", "RSK-062", "RSK-065")
def test_twelve_points_buy_one_squad_whole_and_the_rest_lapse() -> None:
    field = platoon()
    run(field, ("command points", [6, 4, 2]), ("command", ("command", "b")), STOP)
    assert [name for name in "abc" if "commanded" in field[name].marks] == ["b"]
    assert field.battle.pools == {"officer": 0}
    poor = platoon()
    poor.battle.pools = {"officer": 8}
    assert command_cost(poor.battle, poor["a"], [poor["officer"]]) is None
    poor.battle.pools = {"officer": 9}
    assert command_cost(poor.battle, poor["a"], [poor["officer"]]) == {"officer": 9}


@pytest.mark.rule("RSK-059", "RSK-055")
def test_group_with_a_figure_out_of_reach_is_not_commanded() -> None:
    at = [(100.0 + 2.8 * i, 60.0) for i in range(9)]
    near = scene(leader("officer", "red", (100, 50)), troops("a", "red", (0, 0), at=at), commanders=["officer"])
    near.battle.pools = {"officer": 20}
    assert command_cost(near.battle, near["a"], [near["officer"]]) == {"officer": 9}
    far = scene(
        leader("officer", "red", (100, 50)),
        troops("a", "red", (0, 0), at=[*at[:8], (100.0, 104.0)]),
        commanders=["officer"],
    )
    far.battle.pools = {"officer": 20}
    assert command_cost(far.battle, far["a"], [far["officer"]]) is None


@pytest.mark.rule("RSK-053")
@pytest.mark.setting("command.busy_penalty")
@pytest.mark.parametrize(
    ("setting", "troop_class", "faces"),
    [
        ("all_leaders", "raw", [3]),
        ("all_leaders", "hero", [3, 3, 3]),
        ("veteran_only", "raw", [3, 3]),
        ("veteran_only", "veteran", [3, 3]),
    ],
)
def test_a_busy_leader_throws_a_die_less(setting: str, troop_class: str, faces: list[int]) -> None:
    chief = leader("chief", "red", (50, 50), troop_class=troop_class, marks=["busy"])
    field = scene(chief, command_busy_penalty=setting)
    assert field.run(roll_command_points, field["chief"], script=[("command points", faces)]) == sum(faces)


@pytest.mark.rule("RSK-053")
def test_contact_is_busy_and_loading_or_firing_is_declared_first() -> None:
    met = scene(leader("chief", "red", (50, 50)), leader("foe", "blue", (50, 52.5)))
    assert met.run(roll_command_points, met["chief"], script=[("command points", [2, 2])]) == 4
    armed = scene(
        leader("officer", "red", (50, 50), weapon="pistol", loading="magazine"),
        troops("foe", "blue", (50, 70), 5),
        commanders=["officer"],
    )
    run(armed, ("will load or fire", "officer"), ("command points", [1, 1]))
    assert "busy" in armed["officer"].marks


@pytest.mark.rule("RSK-054")
@pytest.mark.setting("command.musician")
def test_the_first_musician_adds_a_die() -> None:
    def band(**settings: Any) -> Scene:
        return scene(
            leader("officer", "red", (50, 50)),
            leader("drum", "red", (50, 60), "musician", musician=True),
            leader("bugle", "red", (60, 60), "musician", musician=True),
            commanders=["officer"],
            **settings,
        )

    throws = (("command points", [4, 4, 4]), ("command", ("link", "drum")), ("drum or bugle", [5]))
    field = band()
    run(field, *throws, ("command", ("link", "bugle")))
    assert set(field.battle.linked) == {"officer", "drum", "bugle"}
    both = band(command_musician="class_dice")
    run(both, *throws, ("command points", [1, 1, 1]), STOP)
    assert set(both.battle.linked) == {"officer", "drum"}


@pytest.mark.rule("RSK-054", "RSK-070")
def test_each_player_character_has_a_die_for_his_first_musician() -> None:
    field = scene(
        leader("major", "red", (50, 50)),
        leader("officer", "red", (60, 50)),
        leader("drum", "red", (50, 60), "musician", musician=True),
        leader("bugle", "red", (60, 60), "musician", musician=True),
        commanders=["major", "officer"],
    )
    three = ("command points", [4, 4, 4])
    with field.script(three, ("command", ("link", "drum")), ("drum or bugle", [5]), STOP) as table:
        command(table, field.battle, field["major"])
    with field.script(three, ("command", ("link", "bugle")), ("drum or bugle", [6])) as table:
        command(table, field.battle, field["officer"])
    assert [event.data["pool"] for event in table.events if event.kind == "linked"] == [12 - 1 + 6]


WOOD = ground("wood", "wood", [(90, 60), (140, 60), (140, 90), (90, 90)])


@pytest.mark.rule("RSK-055")
@pytest.mark.setting("command.enclosed_test")
def test_enclosed_terrain_halves_command_distance() -> None:
    def reach(target: tuple[float, float], **settings: Any) -> bool:
        field = scene(
            leader("officer", "red", (100, 50)),
            troops("a", "red", (0, 0), at=[target]),
            terrain=[WOOD],
            commanders=["officer"],
            **settings,
        )
        field.battle.pools = {"officer": 20}
        return command_cost(field.battle, field["a"], [field["officer"]]) is not None

    assert reach((60, 50)) and not reach((47, 50))
    assert reach((100, 76)) and not reach((100, 79))
    assert reach((100, 95))
    assert not reach((100, 95), command_enclosed_test="line")


@pytest.mark.rule("RSK-055")
@pytest.mark.parametrize(("y", "heard"), [(44, True), (30, False)])
def test_a_leader_in_a_wood_is_heard_no_farther_than_men_in_it(y: float, heard: bool) -> None:
    """The leader is 10 cm inside a wood; the men are in the open, 23.5 or 37.5 cm from him."""
    field = scene(leader("officer", "red", (100, 70)), troops("a", "red", (0, 0), at=[(100, y)]), terrain=[WOOD])
    field.battle.pools = {"officer": 20}
    assert (command_cost(field.battle, field["a"], [field["officer"]]) is not None) == heard


@pytest.mark.rule("RSK-021", "RSK-022", "RSK-023", "RSK-024", "RSK-057")
@pytest.mark.setting("loyalty.native_service")
def test_loyalty_goes_by_people_unless_the_scenario_says_otherwise() -> None:
    european, own = leader("captain", "red", (0, 0)).spec, leader("jemadar", "red", (0, 0), people="service").spec
    chief = leader("chief", "red", (0, 0), people="native").spec
    sworn = leader("friend", "red", (0, 0), loyalty={"levies": "loyal"}).spec
    field, strict = scene(), scene(loyalty_native_service="own_only")
    regulars = troops("regulars", "red", (0, 0)).spec
    sepoys = troops("sepoys", "red", (0, 0), people="service").spec
    levies = troops("levies", "red", (0, 0), people="native").spec

    def follows(where: Scene, unit: Any, whom: Any) -> bool:
        return is_loyal(where.battle, unit, whom)

    assert follows(field, regulars, european) and not follows(field, regulars, chief)
    assert follows(field, levies, chief) and not follows(field, levies, european)
    assert follows(field, levies, sworn)
    assert follows(field, sepoys, european) and follows(field, sepoys, own)
    assert not follows(strict, sepoys, european) and follows(strict, sepoys, own)


@pytest.mark.rule("RSK-057", "RSK-058")
@pytest.mark.setting("command.disloyal_router_cost")
def test_disloyal_and_routing_figures_cost_two() -> None:
    def cost(people: str, status: str, **settings: Any) -> int | None:
        field = scene(
            leader("officer", "red", (50, 50)),
            troops("a", "red", (50, 60), 4, people=people, status=status),
            commanders=["officer"],
            **settings,
        )
        field.battle.pools = {"officer": 24}
        bill = command_cost(field.battle, field["a"], [field["officer"]])
        return bill["officer"] if bill else None

    assert cost("native", "steady") == 8
    assert cost("european", "routing") == 8
    assert cost("native", "routing") == 8
    assert cost("native", "routing", command_disloyal_router_cost=4) == 16


@pytest.mark.rule("RSK-063")
@pytest.mark.setting("command.loyalty_via")
def test_loyalty_towards_the_link_or_towards_the_officer() -> None:
    def cost(**settings: Any) -> int:
        field = scene(
            leader("officer", "red", (50, 50)),
            leader("headman", "red", (50, 60), "nco", people="native"),
            troops("a", "red", (50, 70), 4, people="native"),
            commanders=["officer"],
            **settings,
        )
        field.battle.pools = {"officer": 24}
        bill = command_cost(field.battle, field["a"], [field["officer"], field["headman"]])
        assert bill is not None
        return bill["officer"]

    assert cost() == 4
    assert cost(command_loyalty_via="officer") == 8


@pytest.mark.rule("RSK-063", "RSK-061")
@pytest.mark.setting("command.loyalty_via")
def test_links_of_the_chain_are_judged_like_groups() -> None:
    def paid(**settings: Any) -> int:
        chain = [
            leader("officer", "red", (50, 50)),
            leader("headman", "red", (50, 60), "nco", people="native"),
            leader("son", "red", (50, 65), "nco", people="native"),
        ]
        field = scene(*chain, commanders=["officer"], **settings)
        return link_price(field.battle, field["son"], field["headman"], field["officer"])

    assert paid() == 1
    assert paid(command_loyalty_via="officer") == 2


@pytest.mark.rule("RSK-061")
@pytest.mark.setting("command.pool")
def test_each_leader_may_have_a_purse_of_his_own() -> None:
    def bill(**settings: Any) -> dict[str, int] | None:
        near, far = [(50.0 + 3 * i, 60.0) for i in range(4)], [(50.0 + 3 * i, 115.0) for i in range(4)]
        field = scene(
            leader("officer", "red", (50, 50)), leader("nco", "red", (50, 95), "nco"), troops("a", "red", (0, 0), at=near + far),
            commanders=["officer"], **settings,
        )  # fmt: skip
        field.battle.pools = {"officer": 8, "nco": 3}
        return command_cost(field.battle, field["a"], [field["officer"], field["nco"]])

    assert bill() == {"officer": 8}
    assert bill(command_pool="per_leader") is None


@pytest.mark.rule("RSK-061", "RSK-059")
@pytest.mark.setting("command.pool")
@example([(True, 0), (True, 1), (True, 1)], [60, 40])
@given(
    st.lists(st.tuples(st.booleans(), st.integers(0, 6)), min_size=3, max_size=3),
    st.lists(st.integers(0, 80), min_size=2, max_size=6),
)
def test_purses_pay_for_a_group_if_any_way_to_share_it_out_does(
    leaders: list[tuple[bool, int]], figures: list[int]
) -> None:
    names = ["officer", "first", "second"]
    chain = [
        leader(name, "red", (30.0 + 40 * n, 50), people="european" if loyal else "native")
        for n, (name, (loyal, _)) in enumerate(zip(names, leaders, strict=True))
    ]
    field = scene(*chain, troops("a", "red", (0, 0), at=[(30.0 + x, 96.5) for x in figures]), command_pool="per_leader")
    field.battle.pools = {name: points for name, (_, points) in zip(names, leaders, strict=True)}
    bill = command_cost(field.battle, field["a"], [field[name] for name in names])
    costs = [1 if loyal else 2 for loyal, _ in leaders]
    reached = [[n for n in range(3) if dist((40.0 * n, 46.5), (x, 0)) - 2.5 <= 50] for x in figures]
    ways = [
        way
        for way in product(*reached)
        if all(costs[n] * way.count(n) <= points for n, (_, points) in enumerate(leaders))
    ]
    assert (bill is not None) == bool(ways)
    assert bill is None or all(points <= field.battle.pools[name] for name, points in bill.items())


@pytest.mark.rule("RSK-061", "RSK-060")
def test_with_purses_of_their_own_every_leader_pays_for_men_near_him() -> None:
    field = platoon(command_pool="per_leader")
    events = run(
        field,
        ("command points", [6, 6, 6]),
        ("command", ("link", "first")),
        ("command points", [5, 5, 5]),
        ("command", ("command", "a")),
        ("command", ("command", "b")),
        STOP,
    )
    assert {name for name in "abc" if "commanded" in field[name].marks} == {"a", "b"}
    thrown = sum(event.data["points"] for event in events if event.kind == "command points")
    paid = sum(event.data["points"] for event in events if event.kind == "commanded")
    assert events[-1].data["left"] == thrown - 1 - paid


@pytest.mark.rule("RSK-060")
def test_only_leaders_linked_in_an_unbroken_chain_pass_orders_on() -> None:
    field = scene(
        leader("officer", "red", (50, 50)),
        leader("far", "red", (50, 150), "nco"),
        troops("a", "red", (50, 160), 4),
        commanders=["officer"],
    )
    run(field, ("command points", [6, 6, 6]))
    assert set(field.battle.linked) == {"officer"}
    assert "commanded" not in field["a"].marks


@pytest.mark.rule("RSK-069")
@pytest.mark.setting("pc.successor")
def test_successor_of_a_lost_player_character() -> None:
    def heirs(**settings: Any) -> dict[str, str]:
        field = scene(
            leader("captain", "red", (50, 50), "commander", order=0),
            leader("sergeant", "red", (60, 50), "nco", order=4, hurt=0),
            leader("lieutenant", "red", (70, 50), order=1, hurt=1),
            leader("ensign", "red", (80, 50), order=1),
            troops("foe", "blue", (50, 150), 5),
            commanders=["captain"],
            **settings,
        )
        field.battle.remove(field["captain"], "killed")
        with field.script() as table:
            replace_lost_commanders(table, field.battle)
        told.extend(event.kind for event in table.events)
        return field.battle.commanders

    told: list[str] = []
    assert heirs() == {} and told == ["nobody commands"]
    alone = scene(leader("captain", "red", (50, 50)), commanders=["captain"], pc_successor="senior_leader")
    alone.battle.remove(alone["captain"], "killed")
    with alone.script() as table:
        replace_lost_commanders(table, alone.battle)
    assert alone.battle.commanders == {}, "nobody is left to follow him"
    assert heirs(pc_successor="senior_leader") == {"ensign": "red"} and told[-1] == "takes command"
    assert senior_leader(scene().battle, "red") is None
    others = [leader("chief", "red", (90, 50), "chief", order=2), leader("nco", "red", (95, 50), "nco", order=4)]
    two = scene(*others, commanders=["chief"])
    heir = senior_leader(two.battle, "red")
    assert heir is not None and heir.spec.id == "nco", "a Player Character is nobody's heir"


@pytest.mark.rule("RSK-070")
def test_two_player_characters_have_pools_of_their_own() -> None:
    field = scene(
        leader("captain", "red", (50, 50)),
        leader("chief", "red", (60, 50), "chief"),
        leader("nco", "red", (50, 60), "nco"),
        troops("a", "red", (50, 70), 4),
        commanders=["captain", "chief"],
    )
    run(
        field,
        ("command points", [1, 1, 1]),
        ("command", ("link", "nco")),
        ("command points", [1, 1, 1]),
        ("command", ("command", "a")),
        pc="captain",
    )
    assert "commanded" in field["a"].marks
    run(field, ("command points", [6, 6, 6]), pc="chief")
    assert field.battle.linked == {"captain": "captain", "nco": "captain", "chief": "chief"}


@pytest.mark.rule("RSK-060")
def test_person_without_rank_is_commanded_and_does_not_command() -> None:
    field = scene(
        leader("officer", "red", (100, 50)),
        leader("missionary", "red", (100, 90), non_combatant=True),
        troops("far", "red", (100, 130), 4),
        commanders=["officer"],
    )
    run(field, ("command points", [6, 6, 6]), ("command", ("command", "missionary")))
    assert "commanded" in field["missionary"].marks and field.battle.linked == {"officer": "officer"}


spots = st.tuples(st.floats(10, 190), st.floats(10, 190))
counts = st.integers(1, 12)


@settings(max_examples=60)
@given(spots, counts, st.lists(spots, min_size=1, max_size=4), st.integers(0, 20), st.booleans())
def test_a_group_costs_what_its_figures_cost_one_by_one(
    at: Point, count: int, leaders: list[Point], points: int, loyal: bool
) -> None:
    officers = [
        leader(f"l{n}", "red", where, "nco", people="european" if loyal or n else "native")
        for n, where in enumerate(leaders)
    ]
    battle = scene(troops("a", "red", at, count), *officers, width=200, depth=200).battle
    unit, links = battle.units["a"], [battle.units[officer.id] for officer in officers]
    battle.pools = {links[0].id: points}
    reach = battle.book.lengths["command_open"] + unit.body.radius + links[0].body.radius
    total: int | None = 0
    for figure in unit.body.at:
        near = [figure_price(battle, unit, link) for link in links if dist(link.body.at[0], figure) <= reach]
        total = total + min(near) if near and total is not None else None
    expected = {links[0].id: total} if total is not None and total <= points else None
    assert command_cost(battle, unit, links) == expected


@pytest.mark.rule("RSK-055")
@pytest.mark.parametrize(("wood", "reach"), [((), 50.0), ((100, 50), 25.0), ((100, 102), 25.0)])
@WITHIN
def test_command_reaches_fifty_cm_or_twenty_five(
    wood: tuple[float, ...], reach: float, over: float, within: bool
) -> None:
    """A wood of two cm surrounds the leader, or the figure he commands."""
    y = 50 + 2.5 + reach + over
    terrain = []
    if wood:
        x, here = wood[0], 50.0 if wood[1] == 50 else y
        terrain = [ground("wood", "wood", [(x - 2, here - 2), (x + 2, here - 2), (x + 2, here + 2), (x - 2, here + 2)])]
    field = scene(leader("pc", "red", (100, 50)), man("a", "red", 100, y), terrain=terrain, commanders=["pc"])
    field.battle.pools = {"pc": 9}
    assert (command_cost(field.battle, field["a"], [field["pc"]]) is not None) is within
