"""Shooting: who may, at whom, at what rate, and what hits do (RSK-026 to RSK-036, RSK-081 to RSK-112)."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.risk_factor.battlefields import Scene, ground, leader, line, rules_with, scene, troops

from zareba_rulesets.risk_factor.aim import obstacles, whole_base
from zareba_rulesets.risk_factor.book import RskBook
from zareba_rulesets.risk_factor.hits import damage, strike_all
from zareba_rulesets.risk_factor.marksmen import able_figures
from zareba_rulesets.risk_factor.prisoners import take_prisoners
from zareba_rulesets.risk_factor.shooting import number_of_shots, pick_weapon, shoot, to_hit, volley
from zareba_rulesets.risk_factor.targets import (
    may_shoot,
    may_use,
    names_target,
    nearest_target,
    possible_targets,
    ready_to_shoot,
    shoots_commanded,
)
from zareba_rulesets.risk_factor.weapons import action_table, loading_of, melee_factor, missiles

RIFLES: dict[str, Any] = {"weapon": "rifle", "loading": "breech", "formed": True, "volley": True}


def book(**settings: Any) -> RskBook:
    return RskBook(rules_with(**settings))


def able(field: Scene, unit: str = "a", target: str = "foe", weapon: str = "rifle") -> int:
    """How many figures of a unit are able to shoot at a target."""
    between = obstacles(field.battle, field[unit], field[target])
    pool = [(target, j) for j in range(field[target].count)]
    return len(able_figures(field.battle, field[unit], field[target], weapon, pool, between))


def row(count: int, y: float, x: float = 50.0, step: float = 2.75) -> list[tuple[float, float]]:
    return [(x + step * i, y) for i in range(count)]


def duel(gap: float = 60.0, count: int = 4, **more: Any) -> Scene:
    """A row of riflemen and a row of enemies this many cm away from edge to edge."""
    settings = {key: more.pop(key) for key in list(more) if "_" in key and key.split("_")[0] in SETTINGS}
    unit: dict[str, Any] = RIFLES | more
    return scene(
        troops("a", "red", (0, 0), at=row(count, 50), **unit),
        troops("foe", "blue", (0, 0), at=row(count, 50 + gap + 2.5), close="sword"),
        **settings,
    )


SETTINGS = ("shooting", "los", "command", "weapons")


# --- weapons -----------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("RSK-026", "RSK-029")
def test_ranges_include_their_limits() -> None:
    table = {
        "rifle": (30, 90, 180), "rifled_carbine": (25, 80, 140), "musket": (20, 40, 120), "carbine": (15, 30, 100),
        "pistol": (5, 10, 30), "bow": (30, 60, 100), "spear": (8, 12, 24), "hatchet": (5, 10, 20), "rocks": (4, 8, 20),
    }  # fmt: skip
    numbers = book()
    for weapon, limits in table.items():
        assert numbers.ranges[weapon] == limits
        assert [numbers.band(weapon, limit) for limit in limits] == ["short", "medium", "long"]
        assert numbers.band(weapon, limits[-1] + 0.01) is None
    assert numbers.band("rifle", 30.01) == "medium"


@pytest.mark.rule("RSK-030", "RSK-031")
def test_what_only_strikes_and_what_is_thrown() -> None:
    numbers = book()
    assert [numbers.reach(weapon) for weapon in ("sword", "lance", "club")] == [0, 0, 0]
    assert {name for name, weapon in numbers.weapons.items() if weapon.hurled} == {"spear", "hatchet", "rocks"}


@pytest.mark.rule("RSK-027", "RSK-028", "RSK-035", "RSK-036")
@pytest.mark.setting("weapons.long_arm_melee")
def test_melee_factors() -> None:
    numbers, split = book(), book(weapons_long_arm_melee="carbines_2")
    long_arms = ("rifle", "rifled_carbine", "musket", "carbine")
    assert [numbers.factor(weapon, False) for weapon in long_arms] == [2, 2, 2, 2]
    assert [numbers.factor(weapon, True) for weapon in long_arms] == [4, 4, 4, 4]
    assert [split.factor(weapon, True) for weapon in long_arms] == [4, 2, 4, 2]
    assert [
        numbers.factor(w, False) for w in ("pistol", "bow", "spear", "sword", "lance", "club", "hatchet", "rocks")
    ] == [3, 1, 3, 3, 4, 3, 2, 1]
    assert numbers.factor("none", False) == 0
    both = troops("a", "red", (0, 0), 1, weapon="rifle", close="sword").spec
    assert (melee_factor(numbers, both, True), melee_factor(numbers, both, False)) == (3, 3)
    assert melee_factor(numbers, troops("b", "red", (0, 0), 1).spec, True) == 0


@pytest.mark.rule("RSK-034")
@pytest.mark.setting("weapons.sling")
def test_slings_are_missile_arms_with_the_ranges_of_rocks_or_half_a_bow() -> None:
    assert book().ranges["sling"] == (4, 8, 20) and book().factor("sling", False) == 1
    assert book(weapons_sling="bow_half").ranges["sling"] == (15, 30, 50)
    field = scene(troops("a", "red", (0, 0), 4, weapon="sling", loading="breech"))
    assert action_table(field.battle, field["a"]) == "missile"
    assert loading_of(field["a"], "sling") == "breech" and not field.battle.book.weapons["sling"].hurled


@pytest.mark.rule("RSK-032", "RSK-100")
def test_damage_by_class_of_weapon() -> None:
    numbers = book()
    kinds = {name: weapon.damage for name, weapon in numbers.weapons.items() if weapon.damage and not weapon.shots}
    gunpowder = dict.fromkeys(("rifle", "rifled_carbine", "musket", "carbine", "pistol"), "gunpowder")
    assert kinds == gunpowder | {
        "bow": "bow_spear",
        "spear": "bow_spear",
        "sling": "other",
        "hatchet": "other",
        "rocks": "other",
    }


@pytest.mark.rule("RSK-101", "RSK-102", "RSK-103", "RSK-109")
@pytest.mark.parametrize(
    ("kind", "shooter", "effects"),
    [
        ("gunpowder", "veteran", "ggwwkk"),
        ("gunpowder", "hero", "gwwkkk"),
        ("gunpowder", "raw", "gggwwk"),
        ("bow_spear", "veteran", "ggwwwk"),
        ("bow_spear", "hero", "gwwwkk"),
        ("bow_spear", "raw", "gggwww"),
        ("other", "veteran", "gggwwk"),
        ("other", "hero", "ggwwkk"),
        ("other", "raw", "ggggww"),
    ],
)
def test_the_damage_table(kind: str, shooter: str, effects: str) -> None:
    def does(face: int) -> str:
        field = scene()
        with field.script(("damage", [face])) as table:
            found = damage(table, 1, kind, shooter, "a")
        return {(0, 0): "g", (1, 0): "w", (0, 1): "k"}[found]

    assert "".join(does(face) for face in range(1, 7)) == effects


@pytest.mark.rule("RSK-098", "RSK-103")
def test_the_table_of_hits() -> None:
    numbers = book()
    found = [
        [to_hit(numbers, "rifle", band, cover) for cover in ("open", "soft", "hard")]
        for band in ("short", "medium", "long")
    ]
    assert found == [[2, 4, 6], [4, 6, 7], [6, 7, 8]]


@pytest.mark.rule("RSK-035")
def test_the_tables_take_the_weapon_that_hits_best_and_owners_choose() -> None:
    pistols = RIFLES | {"close": "hatchet"}
    foe = troops("foe", "blue", (0, 0), at=row(4, 56.5))
    solo = scene(troops("a", "red", (0, 0), at=row(4, 50), **pistols), foe, solo=["red"])
    assert missiles(solo.battle, solo["a"]) == ["rifle", "hatchet"]
    with solo.script() as table:
        assert pick_weapon(table, solo.battle, solo["a"], solo["foe"]) == "rifle"
    owned = scene(troops("a", "red", (0, 0), at=row(4, 50), marks=["commanded"], **pistols), foe)
    with owned.script(("shoot with", "hatchet")) as table:
        assert pick_weapon(table, owned.battle, owned["a"], owned["foe"]) == "hatchet"


# --- rates ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("RSK-081", "RSK-082", "RSK-083", "RSK-086")
@pytest.mark.setting("shooting.fraction")
@pytest.mark.parametrize(
    ("fraction", "still", "moved", "one"),
    [("down_min1", 5, 3, 1), ("down", 5, 3, 0), ("up", 6, 4, 1)],
)
def test_one_in_two_one_in_three(fraction: str, still: int, moved: int, one: int) -> None:
    numbers = book(shooting_fraction=fraction)
    assert number_of_shots(numbers, 11, False, False, False) == still
    assert number_of_shots(numbers, 11, False, False, True) == moved
    assert number_of_shots(numbers, 1, False, False, False) == one
    assert number_of_shots(numbers, 11, False, True, True) == 11
    assert number_of_shots(numbers, 0, False, False, False) == 0


@pytest.mark.rule("RSK-092", "RSK-093")
@pytest.mark.setting("shooting.hand_hurled")
def test_hurled_weapons_count_one_in_three() -> None:
    plain, multiplied = book(), book(shooting_hand_hurled="multiply")
    assert [
        number_of_shots(plain, 18, True, full, moved) for full, moved in ((True, True), (False, False), (False, True))
    ] == [6, 6, 6]
    assert [
        number_of_shots(multiplied, 18, True, full, moved)
        for full, moved in ((True, True), (False, False), (False, True))
    ] == [6, 3, 2]


@pytest.mark.rule("RSK-067", "RSK-068")
@pytest.mark.setting("shooting.no_volley_scope")
def test_troops_without_volleys_count_as_uncommanded_for_shooting() -> None:
    def kinds(**settings: Any) -> list[tuple[bool, bool]]:
        field = scene(
            troops("drilled", "red", (0, 0), 4, marks=["commanded"], **RIFLES),
            troops("boers", "red", (30, 0), 4, marks=["commanded"], weapon="rifle", loading="breech"),
            troops("idle", "red", (60, 0), 4, **RIFLES),
            **settings,
        )
        return [
            (shoots_commanded(field.battle, field[n]), names_target(field.battle, field[n]))
            for n in ("drilled", "boers", "idle")
        ]

    assert kinds() == [(True, True), (False, False), (False, False)]
    assert kinds(shooting_no_volley_scope="rate_only") == [(True, True), (False, True), (False, False)]


# --- loading and movement -----------------------------------------------------------------------------------------------------


def usable(loading: str, marks: str, **settings: Any) -> bool:
    unit = RIFLES | {"loading": loading}
    field = scene(troops("a", "red", (0, 0), 4, marks=marks.split(), **unit), **settings)
    return may_use(field.battle, field["a"], "rifle")


@pytest.mark.rule("RSK-088", "RSK-089", "RSK-090", "RSK-091")
def test_commanded_troops_load_and_go_slow_to_shoot() -> None:
    assert usable("muzzle", "commanded loaded moved")
    assert not usable("muzzle", "commanded moved")
    assert not usable("muzzle", "commanded loaded moved far")
    assert usable("breech", "commanded moved") and not usable("breech", "commanded moved far")
    assert usable("magazine", "commanded moved far")


@pytest.mark.rule("RSK-084")
@pytest.mark.setting("shooting.uncommanded_loading")
def test_uncommanded_troops_need_not_count_their_loading() -> None:
    assert usable("muzzle", "moved far") and usable("breech", "moved far")
    tracked = {"shooting_uncommanded_loading": "tracked"}
    assert not usable("muzzle", "", **tracked) and usable("muzzle", "loaded", **tracked)
    assert not usable("breech", "moved far", **tracked)


@pytest.mark.rule("RSK-088")
def test_firing_unloads() -> None:
    field = duel(marks=["commanded", "loaded"], loading="muzzle")
    with field.script(("shooting", [1, 1, 1, 1])) as table:
        assert volley(table, field.battle, field["a"], field["foe"], "rifle") == 4
    assert "loaded" not in field["a"].marks and {"fired", "fired_now"} <= field["a"].marks


# --- targets ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("RSK-085", "RSK-148", "RSK-039")
def test_uncommanded_units_shoot_at_the_nearest_seen_enemy() -> None:
    house = ground("house", "built_up", [(40, 70), (80, 70), (80, 80), (40, 80)])
    field = scene(
        troops("a", "red", (0, 0), at=row(4, 50), **RIFLES),
        troops("hidden", "blue", (0, 0), at=row(4, 90)),
        troops("seen", "blue", (0, 0), at=row(4, 100, x=130)),
        troops("far", "blue", (0, 0), at=row(4, 190, x=130)),
        terrain=[house],
    )
    target = nearest_target(field.battle, field["a"])
    assert target is not None and target.id == "seen"
    assert ready_to_shoot(field.battle) == ["a"]
    with field.script(("shooting", [1, 1])) as table:
        shoot(table, field.battle, field["a"])
    assert [event.data["target"] for event in table.events if event.kind == "shooting"] == ["seen"]


@pytest.mark.rule("RSK-086")
@pytest.mark.setting("shooting.split_fire")
def test_commanded_troops_name_their_target_and_may_split_their_fire() -> None:
    def two(**settings: Any) -> Scene:
        return scene(
            troops("a", "red", (0, 0), at=row(4, 50), marks=["commanded"], **RIFLES),
            troops("near", "blue", (0, 0), at=row(4, 100, x=20)),
            troops("far", "blue", (0, 0), at=row(4, 120, x=80)),
            **settings,
        )

    field = two()
    with field.script(("shoot at", "far"), ("shooting", [1, 1, 1, 1])) as table:
        shoot(table, field.battle, field["a"])
    split = two(shooting_split_fire=True)
    answers = (
        ("shoot at", "far"),
        ("split fire", True),
        ("shooting", [1, 1]),
        ("shoot at", "near"),
        ("shooting", [1, 1]),
    )
    with split.script(*answers) as table:
        shoot(table, split.battle, split["a"])


@pytest.mark.rule("RSK-087", "RSK-104")
def test_a_player_character_picks_his_man() -> None:
    field = scene(
        leader("officer", "red", (54, 50), weapon="pistol", loading="magazine", marks=["linked", "busy"]),
        troops("foe", "blue", (0, 0), at=row(4, 60, step=4)),
        commanders=["officer"],
    )
    with field.script(("shoot at", "foe"), ("pick a man", 2), ("shooting", [8]), ("damage", [6])) as table:
        shoot(table, field.battle, field["officer"])
    assert field["foe"].count == 3 and 58 not in [x for x, _ in field["foe"].body.at]


@pytest.mark.rule("RSK-053", "RSK-096")
def test_routers_and_leaders_who_did_not_declare_do_not_shoot() -> None:
    field = scene(
        troops("rout", "red", (0, 0), 4, status="routing", **RIFLES),
        leader("silent", "red", (50, 0), marks=["linked"], weapon="pistol", loading="magazine"),
        leader("idle", "red", (90, 0), weapon="pistol", loading="magazine"),
    )
    assert [may_shoot(field.battle, field[name]) for name in ("rout", "silent", "idle")] == [False, False, True]


@pytest.mark.rule("RSK-097", "RSK-094")
@pytest.mark.setting("shooting.at_engaged")
def test_figures_in_contact_are_not_shot_at() -> None:
    def mixed(**settings: Any) -> Scene:
        return scene(
            troops("a", "red", (0, 0), at=row(4, 50), **RIFLES),
            troops("pals", "red", (0, 0), at=row(4, 97.5)),
            troops("foe", "blue", (0, 0), at=row(4, 100)),
            troops("far", "blue", (0, 0), at=row(4, 100, x=150)),
            **settings,
        )

    assert [target.id for target in possible_targets(mixed().battle, mixed()["a"])] == ["far"]
    both = mixed(shooting_at_engaged="allow")
    assert {target.id for target in possible_targets(both.battle, both["a"])} == {"foe", "far"}


# --- who is able ------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("RSK-094", "RSK-110")
def test_the_wounded_shoot_at_short_range_only_and_men_in_contact_not_at_all() -> None:
    assert able(duel(gap=60)) == 4
    assert able(duel(gap=60, hurt=2)) == 2
    assert able(duel(gap=30, hurt=2)) == 4
    field = scene(
        troops("a", "red", (0, 0), at=row(4, 50), **RIFLES),
        troops("foe", "blue", (0, 0), at=row(4, 100)),
        troops("fists", "blue", (0, 0), at=[(50, 47.5)]),
    )
    assert able(field) == 3


@pytest.mark.rule("RSK-094", "RSK-157")
def test_guards_of_prisoners_do_not_shoot() -> None:
    field = duel(gap=60, count=6)
    field.battle.units["taken"] = troops("taken", "blue", (60, 45), 6)
    with field.script() as table:
        take_prisoners(table, field.battle, field["taken"], range(6), field["a"])
    assert able(field) == 4


@pytest.mark.rule("RSK-094")
@pytest.mark.setting("shooting.charge_throw")
def test_chargers_may_hurl_at_those_they_charged() -> None:
    def shots(**settings: Any) -> int:
        field = scene(
            troops("a", "red", (0, 0), at=row(6, 50), weapon="spear", loading="hurled", marks=["charged"]),
            troops("foe", "blue", (0, 0), at=row(6, 52.5)),
            **settings,
        )
        if nearest_target(field.battle, field["a"]) is None:
            return 0
        with field.script(("shooting", [1, 1])) as table:
            return volley(table, field.battle, field["a"], field["foe"], "spear")

    assert shots() == 0
    assert shots(shooting_charge_throw=True) == 2


@pytest.mark.rule("RSK-095")
@pytest.mark.setting("shooting.range_by")
def test_range_from_each_figure_or_from_the_group() -> None:
    def bands(**settings: Any) -> list[int]:
        field = scene(
            troops("a", "red", (0, 0), at=[(50, 50), (58, 40)], marks=["commanded"], **RIFLES),
            troops("foe", "blue", (0, 0), at=[(50, 82)]),
            **settings,
        )
        answers = [("shooting", [1]), ("shooting", [1])] if not settings else [("shooting", [1, 1])]
        with field.script(*answers) as table:
            volley(table, field.battle, field["a"], field["foe"], "rifle")
        return [len(answers)]

    assert bands() == [2]
    assert bands(shooting_range_by="group") == [1]


@pytest.mark.rule("RSK-106", "RSK-107")
@pytest.mark.setting("los.near_object")
def test_the_whole_base_must_be_clear_but_for_those_within_two_cm() -> None:
    def clear(between: float, **settings: Any) -> bool:
        field = scene(
            troops("a", "red", (0, 0), at=[(50, 50)]),
            troops("mate", "red", (0, 0), at=[(50, between)]),
            troops("foe", "blue", (0, 0), at=[(50, 80)]),
            **settings,
        )
        return whole_base(
            field.battle, field["a"], 0, field["foe"], 0, obstacles(field.battle, field["a"], field["foe"])
        )

    assert clear(54.5) and not clear(54.6)
    assert not clear(65)
    assert not clear(75.5) and clear(75.5, los_near_object="either")


@pytest.mark.rule("RSK-106")
def test_a_corridor_ends_at_the_edges_of_the_target_base() -> None:
    def clear(x: float) -> bool:
        field = scene(
            troops("a", "red", (0, 0), at=[(50, 50)]),
            troops("mate", "blue", (0, 0), at=[(x, 79)]),
            troops("foe", "blue", (0, 0), at=[(50, 82)]),
        )
        return whole_base(
            field.battle, field["a"], 0, field["foe"], 0, obstacles(field.battle, field["a"], field["foe"])
        )

    assert not clear(52.0)
    assert clear(52.5)


# --- cover and allocation --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("RSK-099", "RSK-107")
@pytest.mark.setting("shooting.group_cover")
def test_a_group_has_the_cover_of_most_of_its_men_or_the_least() -> None:
    def need(**settings: Any) -> str:
        wall = line("wall", "works", (0, 98), (57, 98))
        field = scene(
            troops("a", "red", (0, 0), at=row(4, 50), marks=["commanded"], **RIFLES),
            troops("foe", "blue", (0, 0), at=row(4, 100)),
            terrain=[wall],
            **settings,
        )
        with field.script(("shooting", [1, 1, 1, 1])) as table:
            volley(table, field.battle, field["a"], field["foe"], "rifle")
        return str(next(event.data["cover"] for event in table.events if event.kind == "shooting"))

    assert need() == "hard"
    assert need(shooting_group_cover="worst") == "open"


@pytest.mark.rule("RSK-099", "RSK-107")
def test_low_cover_counts_only_near_the_target_and_on_the_right_side() -> None:
    def cover(y: float, seen_from: tuple[float, float] | None) -> str:
        field = scene(troops("foe", "blue", (0, 0), at=[(50, y)]), terrain=[line("wall", "works", (0, 98), (90, 98))])
        return field.battle.field.cover_of(field["foe"].body, 0, seen_from)

    assert cover(100, (50, 20)) == "hard"
    assert cover(102, (50, 20)) == "open"
    assert cover(100, (50, 190)) == "open"
    assert cover(100, None) == "hard"


@pytest.mark.rule("RSK-104", "RSK-105")
@pytest.mark.setting("shooting.allocate_to")
def test_hits_fall_on_men_who_can_be_shot_at_or_on_the_whole_group_and_its_leaders() -> None:
    def drawn(**settings: Any) -> int:
        field = scene(
            troops("a", "red", (0, 0), at=[(50, 50)], marks=["commanded"], **RIFLES),
            troops("foe", "blue", (0, 0), at=[(50, 100), (50, 105), (50, 110)]),
            leader("chief", "blue", (55, 102)),
            **settings,
        )
        with field.script(("shooting", [8]), ("damage", [6]), ("victim", "000")) as table:
            volley(table, field.battle, field["a"], field["foe"], "rifle")
        return len(table.events)

    assert drawn()
    field = scene(
        troops("a", "red", (0, 0), at=[(50, 50)], marks=["commanded"], **RIFLES),
        troops("foe", "blue", (0, 0), at=[(50, 100), (50, 105), (50, 110)]),
        leader("chief", "blue", (55, 102)),
    )
    with field.script(("shooting", [8]), ("damage", [6]), ("victim", "001")) as table:
        volley(table, field.battle, field["a"], field["foe"], "rifle")
    assert "chief" in field.battle.gone
    whole = scene(
        troops("a", "red", (0, 0), at=[(50, 50)], marks=["commanded"], **RIFLES),
        troops("foe", "blue", (0, 0), at=[(50, 100), (50, 105), (50, 110)]),
        leader("chief", "blue", (55, 102)),
        shooting_allocate_to="whole_group",
    )
    with whole.script(("shooting", [8]), ("damage", [6]), ("victim", "003")) as table:
        volley(table, whole.battle, whole["a"], whole["foe"], "rifle")
    assert "chief" in whole.battle.gone


@pytest.mark.rule("RSK-104", "RSK-111", "RSK-112")
@pytest.mark.setting("shooting.allocation")
def test_hits_one_after_another_or_wasted_on_the_fallen() -> None:
    def left(**settings: Any) -> tuple[int, int]:
        field = scene(troops("foe", "blue", (0, 0), 3), **settings)
        pool = [("foe", 0), ("foe", 1), ("foe", 2)]
        draws = (("next hit", "kill"), ("victim", "000"), ("victim", "000"), ("victim", "000"))
        with field.script(*draws) as table:
            strike_all(table, field.battle, 2, 1, pool, "a", "fire")
        return field["foe"].count, sum(field["foe"].hurt)

    assert left() == (1, 0)
    assert left(shooting_allocation="fixed_pool") == (2, 0)


@pytest.mark.rule("RSK-109", "RSK-110", "RSK-111", "RSK-112")
def test_graze_wound_second_wound_and_kill() -> None:
    field = scene(troops("foe", "blue", (0, 0), 3))
    pool = [("foe", 0)]
    with field.script() as table:
        strike_all(table, field.battle, 0, 0, pool, "a", "fire")
        assert (field["foe"].count, field["foe"].casualties) == (3, 0)
        strike_all(table, field.battle, 1, 0, pool, "a", "fire")
        assert (field["foe"].hurt, field["foe"].casualties) == ((True, False, False), 1)
        strike_all(table, field.battle, 1, 0, pool, "a", "melee")
    assert (field["foe"].count, field["foe"].dead, field["foe"].casualties) == (2, 1, 1)
    losses = [event.data for event in table.events if event.kind == "loss"]
    assert losses == [{"unit": "foe", "side": "blue", "lost": 1, "left": 2, "cause": "melee"}]


# --- woods and support weapons -------------------------------------------------------------------------------------------------


@pytest.mark.rule("RSK-108", "RSK-152")
@pytest.mark.setting("woods.fire_depth")
def test_shooting_out_of_a_wood_as_deep_as_ten_cm() -> None:
    def shooters(**settings: Any) -> int:
        wood = ground("wood", "wood", [(0, 20), (200, 20), (200, 60), (0, 60)])
        field = scene(
            troops("a", "red", (0, 0), at=[(40, 57), (60, 53), (80, 47)], **RIFLES),
            troops("foe", "blue", (0, 0), at=row(4, 100)),
            terrain=[wood],
            **settings,
        )
        return able(field)

    assert shooters() == 2
    assert shooters(woods_fire_depth=5.0) == 1


@pytest.mark.rule("RSK-008")
@pytest.mark.setting("extensions.support_weapons")
def test_our_support_weapons() -> None:
    numbers = book(extensions_support_weapons="on")
    assert {name: numbers.ranges[name] for name in ("machine_gun", "gun", "rocket")} == {
        "machine_gun": (30, 90, 180),
        "gun": (60, 120, 240),
        "rocket": (60, 120, 240),
    }
    entries = [numbers.weapons[name] for name in ("machine_gun", "gun", "rocket")]
    assert [(w.factor, w.damage, w.shots, w.uncommanded_shots, w.blast) for w in entries] == [
        (0, "gunpowder", 6, 3, 0),
        (0, "gunpowder", 1, 1, 10),
        (0, "gunpowder", 1, 1, 10),
    ]
    assert [to_hit(numbers, "gun", "short", cover) for cover in ("open", "soft", "hard")] == [2, 4, 6]
    assert [to_hit(numbers, "rocket", band, "hard") for band in ("short", "medium", "long")] == [4, 6, 8]
    crew: dict[str, Any] = {"support": "machine_gun", "formed": True}
    field = scene(
        troops("a", "red", (50, 50), 4, marks=["commanded"], **crew), troops("foe", "blue", (0, 0), at=row(8, 100))
    )
    assert action_table(field.battle, field["a"]) == "missile"
    with field.script(("shooting", [1] * 6)) as table:
        assert volley(table, field.battle, field["a"], field["foe"], "machine_gun") == 6
    idle = scene(troops("a", "red", (50, 50), 4, **crew), troops("foe", "blue", (0, 0), at=row(8, 100)))
    with idle.script(("shooting", [1] * 3)) as table:
        assert volley(table, idle.battle, idle["a"], idle["foe"], "machine_gun") == 3
    moved = scene(troops("a", "red", (50, 50), 4, marks=["moved"], **crew))
    assert not may_shoot(moved.battle, moved["a"])


@pytest.mark.rule("RSK-008")
@pytest.mark.parametrize(("fell", "die", "struck"), [("000", 6, 4), ("003", 6, 6), ("000", 3, 3)])
def test_a_shell_strikes_men_within_ten_cm_of_where_it_falls(fell: str, die: int, struck: int) -> None:
    """Eight men 3 cm apart: the first has three others within 10 cm, the fourth six."""
    field = scene(
        troops("a", "red", (50, 50), 4, support="gun"),
        troops("foe", "blue", (0, 0), at=row(8, 109, step=3.0)),
        extensions_support_weapons="on",
    )
    script = (("shooting", [4]), ("victim", fell), ("shell", [die]), ("damage", [1] * struck))
    with field.script(*script) as table:
        volley(table, field.battle, field["a"], field["foe"], "gun")
