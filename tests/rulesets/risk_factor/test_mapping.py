"""The tables of the scenario mapping, word by word: ground, kinds, qualities, weapons ("Scenario mapping")."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.risk_factor.battlefields import ground, line, scene, troops

from zareba.registry import load_rules
from zareba_rulesets.risk_factor.book.numbers import RskFile

FLAGS = ("difficult", "enclosed", "conceals", "wood", "sunken", "blocks_sight", "barrier", "closed", "fortified")
AREAS = {
    "open": "", "road": "",
    "scrub": "soft conceals", "tall_grass": "soft conceals", "crops": "soft conceals",
    "orchard": "soft difficult enclosed conceals wood", "light_wood": "soft difficult enclosed conceals wood",
    "dense_wood": "soft difficult enclosed conceals wood", "jungle": "soft difficult enclosed conceals wood",
    "palm_grove": "soft difficult enclosed conceals wood",
    "rocks": "hard difficult conceals", "kopje": "hard difficult conceals",
    "rough": "difficult", "marsh": "difficult", "deep_sand": "difficult", "hill": "difficult",
    "cliff": "closed", "lake": "closed",
    "village": "hard enclosed conceals blocks_sight", "ruins": "hard enclosed conceals blocks_sight",
    "building": "hard enclosed conceals blocks_sight",
}  # fmt: skip
LINES = {
    "stream": "difficult", "ford": "difficult", "river": "closed", "bridge": "",
    "gully": "hard difficult conceals sunken",
    "hedge": "soft barrier", "fence": "soft barrier", "zareba": "soft barrier", "barbed_wire": "barrier",
    "low_wall": "hard barrier fortified", "mealie_bags": "hard barrier fortified", "sangar": "hard barrier fortified",
    "sandbags": "hard barrier fortified", "trench": "hard fortified",
    "high_wall": "hard blocks_sight closed", "rampart": "hard closed fortified",
}  # fmt: skip
WEAPONS = {
    "smoothbore_musket": "musket muzzle", "jezail": "musket muzzle", "rifled_musket": "rifle muzzle",
    "breech_rifle": "rifle breech", "magazine_rifle": "rifle magazine", "smoothbore_carbine": "carbine muzzle",
    "breech_carbine": "rifled_carbine breech", "repeating_carbine": "rifled_carbine magazine",
    "pistol": "pistol magazine", "revolver": "pistol magazine", "flintlock_pistol": "pistol muzzle",
    "bow": "bow breech", "sling": "sling breech", "javelin": "spear hurled", "throwing_spear": "spear hurled",
    "thrown_rocks": "rocks hurled", "none": "none none",
}  # fmt: skip
KINDS = {
    "european_regular": "regular formed volley", "native_regular": "regular formed volley native_service",
    "own_led_regular": "regular formed native", "european_irregular": "irregular", "tribal": "irregular native",
    "civilian": "irregular civilian",
}  # fmt: skip
QUALITIES = {
    "raw": "raw", "regular": "veteran", "veteran": "veteran superior_quality",
    "elite": "veteran superior_quality superior_melee",
}  # fmt: skip
CLOSE = {"bayonet": "none", "sword": "sword", "spear": "spear", "lance": "lance", "club": "club", "axe": "hatchet",
         "knife": "hatchet", "none": "none"}  # fmt: skip


def rules_file() -> RskFile:
    file = load_rules("risk_factor").book
    assert isinstance(file, RskFile)
    return file


def flags(entry: Any, first: str, names: tuple[str, ...]) -> str:
    """Return an entry as words: its first word, then its flags, in order."""
    return " ".join([*([first] if first else []), *(name for name in names if getattr(entry, name))])


@pytest.mark.rule("RSK-055", "RSK-076", "RSK-077", "RSK-099", "RSK-135", "RSK-150", "RSK-152", "RSK-155")
@pytest.mark.parametrize("table", ["area_terrain", "linear_terrain"])
def test_what_ground_does(table: str) -> None:
    file, expected = rules_file(), AREAS if table == "area_terrain" else LINES
    mapped: dict[str, str] = getattr(file.mapping, table)
    found = {}
    for kind, word in mapped.items():
        entry = file.grounds[word]
        found[kind] = set(flags(entry, entry.cover if entry.cover != "open" else "", FLAGS).split())
    assert found == {kind: set(words.split()) for kind, words in expected.items()}


@pytest.mark.rule("RSK-135")
def test_a_fortified_building_is_a_building_and_works() -> None:
    entry = rules_file().grounds["keep"]
    assert flags(entry, entry.cover, FLAGS) == f"{AREAS['building']} fortified"


@pytest.mark.rule("RSK-155")
def test_a_gate_is_a_fortified_barrier() -> None:
    entry = rules_file().grounds["gate"]
    assert flags(entry, entry.cover, FLAGS) == "hard barrier fortified"


@pytest.mark.rule("RSK-031", "RSK-033", "RSK-034")
def test_weapons_and_loading() -> None:
    mapping = rules_file().mapping
    assert {name: f"{entry.weapon} {entry.loading}" for name, entry in mapping.weapon.items()} == WEAPONS
    assert mapping.close_weapon == CLOSE
    assert mapping.support == {"artillery": "gun", "machine_gun": "machine_gun", "rocket": "rocket"}


@pytest.mark.rule("RSK-009", "RSK-010", "RSK-014", "RSK-015", "RSK-016", "RSK-017", "RSK-068")
def test_kinds_and_qualities() -> None:
    mapping, men = rules_file().mapping, rules_file().men
    kinds = ("formed", "volley", "native", "native_service", "civilian")
    assert {name: flags(entry, entry.kind, kinds) for name, entry in men.items()} == KINDS
    qualities = ("superior_quality", "superior_melee")
    assert {name: flags(entry, entry.troop_class, qualities) for name, entry in mapping.quality.items()} == QUALITIES


@pytest.mark.rule("RSK-099")
@pytest.mark.parametrize(
    ("kind", "cover"),
    [("wood", "soft"), ("bush", "soft"), ("rocks", "hard"), ("built_up", "hard"), ("donga", "hard"), ("broken", "open"),
     ("steep", "open"), ("|hedge", "soft"), ("|works", "hard"), ("|trench", "hard"), ("|wire", "open")],
)  # fmt: skip
def test_the_cover_that_ground_gives(kind: str, cover: str) -> None:
    """The man is in an area, or a cm behind a line between him and the shooter."""
    area = [(40.0, 90.0), (60.0, 90.0), (60.0, 110.0), (40.0, 110.0)]
    piece = line("x", kind[1:], (0, 98), (90, 98)) if kind[0] == "|" else ground("x", kind, area)
    field = scene(troops("foe", "blue", (0, 0), at=[(50, 100)]), terrain=[piece])
    assert field.battle.field.cover_of(field["foe"].body, 0, (50, 20)) == cover
