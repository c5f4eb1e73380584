"""The vocabulary of scenarios: what was on the battlefield, independent of how a ruleset represents it."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, get_args

from zareba.space.table_edges import OPPOSITE as OPPOSITE
from zareba.space.table_edges import Edge as Edge
from zareba.space.table_edges import Wind

Role: TypeAlias = Literal["attacker", "defender", "either"]
Controller: TypeAlias = Literal["any", "player", "solo"]
Facing: TypeAlias = Wind

AreaKind: TypeAlias = Literal[
    "open",
    "road",
    "scrub",
    "tall_grass",
    "crops",
    "orchard",
    "light_wood",
    "dense_wood",
    "jungle",
    "palm_grove",
    "rocks",
    "rough",
    "kopje",
    "hill",
    "cliff",
    "marsh",
    "deep_sand",
    "lake",
    "village",
    "ruins",
    "building",
]
LineKind: TypeAlias = Literal[
    "stream",
    "river",
    "ford",
    "bridge",
    "gully",
    "hedge",
    "fence",
    "low_wall",
    "high_wall",
    "mealie_bags",
    "sangar",
    "zareba",
    "barbed_wire",
    "sandbags",
    "trench",
    "rampart",
]
TerrainKind: TypeAlias = Literal[AreaKind, LineKind]
Slope: TypeAlias = Literal["gentle", "steep"]
Depth: TypeAlias = Literal["shallow", "deep"]
Material: TypeAlias = Literal["wood", "adobe", "stone"]
GateKind: TypeAlias = Literal["light_wood", "heavy_wood", "iron"]

Arm: TypeAlias = Literal[
    "infantry",
    "cavalry",
    "camelry",
    "mounted_infantry",
    "artillery",
    "machine_gun",
    "rocket",
    "wagon",
    "pack_animals",
    "civilians",
    "vehicle",
    "aircraft",
    "airship",
]
Kind: TypeAlias = Literal[
    "european_regular",
    "native_regular",
    "own_led_regular",
    "european_irregular",
    "tribal",
    "civilian",
]
Quality: TypeAlias = Literal["raw", "regular", "veteran", "elite"]
Mount: TypeAlias = Literal["none", "horse", "camel"]
GunClass: TypeAlias = Literal["light", "mountain", "field", "siege", "mortar"]
Ammunition: TypeAlias = Literal["shot", "shell", "case"]
Draught: TypeAlias = Literal["hand", "pack", "horse"]
Armament: TypeAlias = Literal["machine_gun", "gun", "anti_aircraft", "bombs"]
Weapon: TypeAlias = Literal[
    "smoothbore_musket",
    "jezail",
    "rifled_musket",
    "breech_rifle",
    "magazine_rifle",
    "smoothbore_carbine",
    "breech_carbine",
    "repeating_carbine",
    "pistol",
    "revolver",
    "flintlock_pistol",
    "bow",
    "sling",
    "javelin",
    "throwing_spear",
    "thrown_rocks",
    "none",
]
CloseWeapon: TypeAlias = Literal["bayonet", "sword", "spear", "lance", "club", "axe", "knife", "none"]
Formation: TypeAlias = Literal["line", "column", "square", "open_order", "mass", "limbered", "unlimbered", "laager"]
Orders: TypeAlias = Literal["hold", "advance", "attack", "withdraw"]
Trait: TypeAlias = Literal[
    "lancers",
    "fanatic",
    "no_quarter",
    "formed",
    "volley",
    "musician",
    "medic",
    "standard",
    "ladders",
    "engineers",
    "hero",
    "sniper",
    "fearful_of_cavalry",
]
Rank: TypeAlias = Literal["commander", "officer", "chief", "subchief", "nco", "headman"]
Loyalty: TypeAlias = Literal["loyal", "disloyal"]
ObjectKind: TypeAlias = Literal["paychest", "supplies", "standard", "livestock", "prisoners", "airfield", "fuel_truck"]

AREA_KINDS: Final[tuple[str, ...]] = get_args(AreaKind)
LINE_KINDS: Final[tuple[str, ...]] = get_args(LineKind)

TRAITS: Final[tuple[str, ...]] = get_args(Trait)

RANKS: Final[tuple[str, ...]] = get_args(Rank)
"""Highest first."""

FIREARMS: Final = frozenset(
    (
        "smoothbore_musket",
        "jezail",
        "rifled_musket",
        "breech_rifle",
        "magazine_rifle",
        "smoothbore_carbine",
        "breech_carbine",
        "repeating_carbine",
        "pistol",
        "revolver",
        "flintlock_pistol",
    )
)

WIDTHS: Final[dict[str, float]] = {
    "road": 2.0,
    "stream": 1.0,
    "river": 4.0,
    "ford": 4.0,
    "bridge": 2.0,
    "gully": 2.0,
    "hedge": 0.5,
    "fence": 0.25,
    "low_wall": 0.5,
    "high_wall": 1.0,
    "mealie_bags": 0.75,
    "sangar": 0.75,
    "zareba": 1.0,
    "barbed_wire": 1.0,
    "sandbags": 0.75,
    "trench": 1.0,
    "rampart": 1.5,
}
"""Default width of a line of terrain, in inches."""
