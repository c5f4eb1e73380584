"""The vocabulary of scenarios: what was on the battlefield, independent of how a ruleset represents it.

The words for terrain, arms and missile weapons are the entries of the tables in `words`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, TypeAlias, get_args

from zareba.scenario.vocabulary.words import ARMS, TERRAIN, WEAPONS
from zareba.space.outlines import OPPOSITE as OPPOSITE
from zareba.space.outlines import Edge as Edge
from zareba.space.outlines import Wind

Role: TypeAlias = Literal["attacker", "defender", "either"]
Controller: TypeAlias = Literal["any", "player", "solo"]
Facing: TypeAlias = Wind

Slope: TypeAlias = Literal["gentle", "steep"]
Depth: TypeAlias = Literal["shallow", "deep"]
Material: TypeAlias = Literal["wood", "adobe", "stone"]
GateKind: TypeAlias = Literal["light_wood", "heavy_wood", "iron"]

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

AREA_KINDS: Final = tuple(name for name, word in TERRAIN.items() if word.shape != "line")
LINE_KINDS: Final = tuple(name for name, word in TERRAIN.items() if word.shape == "line")

TRAITS: Final[tuple[str, ...]] = get_args(Trait)

RANKS: Final[tuple[str, ...]] = get_args(Rank)
"""Highest first."""

FIREARMS: Final = frozenset(name for name, word in WEAPONS.items() if word.firearm != "none")
LINE_ARMS: Final = tuple(name for name, word in ARMS.items() if word.role in ("on_foot", "mounted"))
"""The arms that fight as units of the line."""
CREWED: Final = tuple(name for name, word in ARMS.items() if word.role == "crew")
"""The arms that serve a weapon."""

WIDTHS: Final = {name: word.width for name, word in TERRAIN.items() if word.width}
"""Default width of a line of terrain, in inches."""

if TYPE_CHECKING:
    from zareba.scenario.vocabulary.word_types import AreaKind as AreaKind
    from zareba.scenario.vocabulary.word_types import Arm as Arm
    from zareba.scenario.vocabulary.word_types import LineKind as LineKind
    from zareba.scenario.vocabulary.word_types import Weapon as Weapon

    TerrainKind: TypeAlias = Literal[AreaKind, LineKind]
else:  # the tables decide at once; `python -m zareba.schemas` tells mypy
    AreaKind, LineKind, Arm, Weapon = (Literal[tuple(names)] for names in (AREA_KINDS, LINE_KINDS, ARMS, WEAPONS))
    TerrainKind = Literal[AreaKind, LineKind]
