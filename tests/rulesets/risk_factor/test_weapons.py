"""Weapons: ranges, melee factors, damage, and the choice among several (RSK-026 to RSK-036, RSK-098 to RSK-103)."""

from __future__ import annotations

import pytest
from tests.rulesets.risk_factor.battlefields import (
    RIFLES,
    book,
    row,
    scene,
    troops,
)

from zareba_rulesets.risk_factor.book import band_within
from zareba_rulesets.risk_factor.chapters.casualties import damage
from zareba_rulesets.risk_factor.chapters.shooting import pick_weapon, to_hit
from zareba_rulesets.risk_factor.forces import action_table, loading_of, melee_factor, missile_weapons


@pytest.mark.rule("RSK-026", "RSK-029")
def test_ranges_include_their_limits() -> None:
    table = {
        "rifle": (30, 90, 180), "rifled_carbine": (25, 80, 140), "musket": (20, 40, 120), "carbine": (15, 30, 100),
        "pistol": (5, 10, 30), "bow": (30, 60, 100), "spear": (8, 12, 24), "hatchet": (5, 10, 20), "rocks": (4, 8, 20),
    }  # fmt: skip
    numbers = book()
    for weapon, limits in table.items():
        assert numbers.ranges[weapon] == limits
        assert [band_within(limits, limit) for limit in limits] == ["short", "medium", "long"]
        assert band_within(limits, limits[-1] + 0.01) is None
    assert band_within(table["rifle"], 30.01) == "medium"


@pytest.mark.rule("RSK-030", "RSK-031")
def test_melee_weapons_and_thrown_weapons() -> None:
    numbers = book()
    assert [numbers.ranges[weapon] for weapon in ("sword", "lance", "club")] == [(), (), ()]
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
    assert loading_of(field.battle, field["a"], "sling") == "breech" and not field.battle.book.weapons["sling"].hurled


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
    assert missile_weapons(solo.battle, solo["a"]) == ["rifle", "hatchet"]
    assert solo.run(pick_weapon, solo["a"], solo["foe"]) == "rifle"
    owned = scene(troops("a", "red", (0, 0), at=row(4, 50), marks=["commanded"], **pistols), foe)
    assert owned.run(pick_weapon, owned["a"], owned["foe"], script=[("shoot with", "hatchet")]) == "hatchet"
