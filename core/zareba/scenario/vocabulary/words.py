"""The words for terrain, arms and missile weapons, each with everything that the core knows about it.

To add a word, add one entry to a table here and run `python -m zareba.schemas`, which also lists the rulesets that do
not decide yet what the word means (docs/how-to/new_word.md). The order of a table is the order of the menus.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Final, Literal, TypeVar

_AS_LIKE: Final[Any] = object()
"""The value of a field that is the same as in the word that this one is `like`, or the default of the field."""


@dataclass(frozen=True, slots=True)
class Symbols:
    """The symbols drawn all over an area: their names, the inches between them, and their scale. With `rows` they stand
    in rows.
    """

    names: tuple[str, ...]
    apart: float
    scale: float
    rows: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """A word of the vocabulary.

    A word may be `like` an entry above it. It is then the same in everything that it does not say, and rulesets without
    an entry for it use their entry for the other word.
    """

    meaning: str
    like: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TerrainWord(Word):
    """A kind of terrain.

    `layer` is its place in the drawing, from bottom to top; `laid_out` means straight edges and sharp corners. `width`
    is the default width of a line in inches. `see_into` is how far a figure sees through it, in inches: 0 if it hides
    everything behind it, None if it hides nothing. In generated battles it has one of the `names` and a `half_width`
    from and to; a new kind lists the `theatres` in which it appears.
    """

    layer: float = _AS_LIKE
    shape: Literal["area", "line", "either"] = _AS_LIKE
    symbols: Symbols | None = _AS_LIKE
    laid_out: bool = _AS_LIKE
    width: float = _AS_LIKE
    see_into: float | None = _AS_LIKE
    half_width: tuple[float, float] = _AS_LIKE
    names: tuple[str, ...] = ()
    theatres: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmWord(Word):
    """An arm of service. `piece` is what the editor draws.

    `role`: soldiers `on_foot` or `mounted` fight as units of the line; a `crew` serves a weapon, a `machine` has one, a
    `train` does not fight. `mount` is the mount of its figures unless the unit has another. `counted` arms have a
    plural ("wagons") and, unless they fly, take the room of a vehicle on the table.
    """

    piece: Literal["foot", "horse", "camel", "gun", "machine_gun", "rocket", "wagon", "vehicle", "flyer"] = _AS_LIKE
    role: Literal["on_foot", "mounted", "crew", "machine", "train"] = _AS_LIKE
    mount: Literal["none", "horse", "camel"] = _AS_LIKE
    counted: bool = _AS_LIKE
    flies: bool = _AS_LIKE


@dataclass(frozen=True, slots=True, kw_only=True)
class WeaponWord(Word):
    """A missile weapon. `fire` is its value in zareba's estimate of a unit, that of a breech-loading rifle being
    1.2.
    """

    fire: float = _AS_LIKE
    firearm: Literal["none", "short", "long"] = _AS_LIKE


_DEFAULTS: Final[Mapping[str, Any]] = {
    "shape": "area", "symbols": None, "laid_out": False, "width": 0.0, "see_into": None, "half_width": (2.5, 4.5),
    "mount": "none", "counted": False, "flies": False, "firearm": "none",
}  # fmt: skip
W = TypeVar("W", bound=Word)


def _filled(table: dict[str, W]) -> Mapping[str, W]:
    """Return a table with every field of its words filled in."""
    filled: dict[str, W] = {}
    for name, word in table.items():
        if word.like and word.like not in filled:
            raise ValueError(f"'{name}' is like '{word.like}', which must be an entry above it in words.py")
        model = (
            _DEFAULTS
            if not word.like
            else {field.name: getattr(filled[word.like], field.name) for field in fields(word)}
        )
        open_fields = [field.name for field in fields(word) if getattr(word, field.name) is _AS_LIKE]
        if lacking := [field for field in open_fields if field not in model]:
            raise ValueError(f"'{name}' in words.py needs {', '.join(lacking)}, or a word that it is like")
        filled[name] = replace(word, **{field: model[field] for field in open_fields})
    return filled


def word_with_ancestors(word: str, table: Mapping[str, W]) -> tuple[str, ...]:
    """Return a word, the word that it is like, the word that this one is like, and so on."""
    words = [word]
    while words[-1] in table and table[words[-1]].like:
        words.append(table[words[-1]].like)
    return tuple(words)


def known_word(word: str, table: Mapping[str, W], known: Container[str]) -> str:
    """Return the word, or the nearest word that it is `like`, that is among `known`; the word itself if there is
    none.
    """
    return next((similar for similar in word_with_ancestors(word, table) if similar in known), word)


TREES: Final = ("tree", "tree-2", "tree-3")

TERRAIN: Final = _filled({
    "open": TerrainWord(meaning="open ground inside other terrain, such as a clearing", layer=0),
    "road": TerrainWord(meaning="a road or track, or paved ground", layer=15, shape="either", width=2.0),
    "scrub": TerrainWord(
        meaning="thorn bushes and undergrowth", layer=6, names=("Scrub", "Thorn scrub", "Low bush"),
        symbols=Symbols(("bush", "bush-2"), 1.5, 1.0),
    ),
    "tall_grass": TerrainWord(
        meaning="grass as high as a man", layer=5, see_into=9.0, names=("Tall grass", "The long grass"),
        symbols=Symbols(("grass",), 1.0, 0.8),
    ),
    "crops": TerrainWord(
        meaning="fields with standing crops", layer=4, laid_out=True, see_into=9.0,
        names=("The mealie field", "Standing corn", "The fields"),
    ),
    "orchard": TerrainWord(
        meaning="fruit trees in rows", layer=18, laid_out=True, see_into=9.0, names=("The orchard", "The apricot garden"),
        symbols=Symbols(("fruit",), 1.5, 1.0, rows=True),
    ),
    "light_wood": TerrainWord(
        meaning="an open wood", layer=20, see_into=6.0, names=("The thorn wood", "The copse", "The acacias"),
        symbols=Symbols(TREES, 2.3, 1.05),
    ),
    "dense_wood": TerrainWord(meaning="a thick wood", layer=21, see_into=3.0, symbols=Symbols(TREES, 1.35, 1.05)),
    "jungle": TerrainWord(
        meaning="tropical forest", layer=22, see_into=3.0, symbols=Symbols(("tree-2", "palm", "tree-3", "tree"), 1.25, 0.95)
    ),
    "palm_grove": TerrainWord(
        meaning="palms of an oasis or river bank", layer=19, see_into=9.0, names=("The palms", "The date garden"),
        symbols=Symbols(("palm",), 1.9, 1.0),
    ),
    "rocks": TerrainWord(
        meaning="boulders high enough to hide men", layer=8, see_into=0, names=("Rocks", "Fallen rocks", "The boulders"),
        symbols=Symbols(("stone", "stone-2"), 1.3, 1.0),
    ),
    "rough": TerrainWord(
        meaning="broken or stony ground", layer=7, names=("Broken ground", "Stony ground"),
        symbols=Symbols(("stone", "grass", "stone-2"), 2.0, 0.65),
    ),
    "kopje": TerrainWord(
        meaning="a small hill of rocks", layer=9, see_into=0, half_width=(3.0, 4.5),
        names=("The kopje", "Baboon rocks", "The black kopje"), symbols=Symbols(("stone-2", "stone"), 1.5, 1.15),
    ),
    "hill": TerrainWord(
        meaning="a hill; its crest hides what is behind it", layer=1, see_into=0, half_width=(5.0, 8.0),
        names=("The knoll", "Signal hill", "The long ridge", "Bald hill", "Vulture hill"),
    ),
    "cliff": TerrainWord(meaning="ground too steep to climb", layer=10, see_into=0),
    "marsh": TerrainWord(
        meaning="wet ground with reeds", layer=3, symbols=Symbols(("reed", "reed", "grass"), 1.6, 0.8)
    ),
    "deep_sand": TerrainWord(meaning="soft sand", layer=2, names=("Drifting sand", "Soft sand")),
    "lake": TerrainWord(meaning="deep still water", layer=11),
    "village": TerrainWord(
        meaning="huts or houses close together", layer=23, laid_out=True, see_into=0, half_width=(4.0, 5.5),
        names=("The village", "The headman's kraal", "The mud village", "The caravanserai"),
        symbols=Symbols(("house", "house-2", "house-3"), 2.9, 1.0, rows=True),
    ),
    "ruins": TerrainWord(
        meaning="ruined buildings", layer=24, laid_out=True, see_into=0, half_width=(2.5, 3.5),
        names=("The ruin", "The old fort", "The burnt farm"), symbols=Symbols(("ruin",), 2.2, 1.0, rows=True),
    ),
    "building": TerrainWord(meaning="a single building", layer=25, laid_out=True, see_into=0),
    "stream": TerrainWord(meaning="a stream that can be crossed anywhere", layer=13, shape="line", width=1.0),
    "river": TerrainWord(meaning="a river", layer=14, shape="line", width=4.0),
    "ford": TerrainWord(meaning="a shallow place of a river or stream", layer=16, shape="line", width=4.0),
    "bridge": TerrainWord(meaning="a bridge", layer=17, shape="line", width=2.0),
    "gully": TerrainWord(meaning="a dry ditch or nullah", layer=12, shape="line", width=2.0),
    "hedge": TerrainWord(meaning="a hedge", layer=27, shape="line", width=0.5),
    "fence": TerrainWord(meaning="a fence", layer=28, shape="line", width=0.25),
    "low_wall": TerrainWord(meaning="a wall that men can fire over", layer=29, shape="line", width=0.5),
    "high_wall": TerrainWord(meaning="a wall higher than a man", layer=30, shape="line", width=1.0, see_into=0),
    "mealie_bags": TerrainWord(meaning="a breastwork of sacks and boxes", layer=31, shape="line", width=0.75),
    "sangar": TerrainWord(meaning="a breastwork of loose stones", layer=33, shape="line", width=0.75),
    "zareba": TerrainWord(meaning="a barrier of cut thorn bushes", layer=34, shape="line", width=1.0, see_into=0),
    "barbed_wire": TerrainWord(meaning="a barbed wire entanglement", layer=35, shape="line", width=1.0),
    "sandbags": TerrainWord(meaning="a breastwork of sandbags", layer=32, shape="line", width=0.75),
    "trench": TerrainWord(meaning="a trench", layer=26, shape="line", width=1.0),
    "rampart": TerrainWord(meaning="the wall of a fort, with a walk for riflemen", layer=36, shape="line", width=1.5, see_into=0),
})  # fmt: skip
"""Kinds of areas, then kinds of lines."""

ARMS: Final = _filled(
    {
        "infantry": ArmWord(meaning="soldiers or warriors on foot", piece="foot", role="on_foot"),
        "cavalry": ArmWord(meaning="men who fight on horses", piece="horse", role="mounted", mount="horse"),
        "camelry": ArmWord(meaning="men on camels", piece="camel", role="mounted", mount="camel"),
        "mounted_infantry": ArmWord(
            meaning="men who ride and fight on foot", piece="horse", role="mounted", mount="horse"
        ),
        "artillery": ArmWord(meaning="guns with their crews", piece="gun", role="crew"),
        "machine_gun": ArmWord(meaning="a machine gun with its crew", piece="machine_gun", role="crew", counted=True),
        "rocket": ArmWord(meaning="rocket troughs with their crews", piece="rocket", role="crew", counted=True),
        "wagon": ArmWord(meaning="wagons or carts with their drivers", piece="wagon", role="train", counted=True),
        "pack_animals": ArmWord(meaning="mules or camels with loads", piece="wagon", role="train"),
        "civilians": ArmWord(meaning="people who do not fight", piece="foot", role="train"),
        "vehicle": ArmWord(meaning="an armoured car or train", piece="vehicle", role="machine", counted=True),
        "aircraft": ArmWord(meaning="an aeroplane", piece="flyer", role="machine", flies=True),
        "airship": ArmWord(meaning="an airship", piece="flyer", role="machine", counted=True, flies=True),
    }
)

WEAPONS: Final = _filled(
    {
        "smoothbore_musket": WeaponWord(meaning="a smoothbore musket", fire=0.5, firearm="long"),
        "jezail": WeaponWord(meaning="a long-barrelled hill musket", fire=0.7, firearm="long"),
        "rifled_musket": WeaponWord(meaning="a muzzle-loading rifle", fire=0.8, firearm="long"),
        "breech_rifle": WeaponWord(meaning="a single-shot breech-loading rifle", fire=1.2, firearm="long"),
        "magazine_rifle": WeaponWord(meaning="a repeating rifle", fire=1.5, firearm="long"),
        "smoothbore_carbine": WeaponWord(meaning="a short smoothbore for riders", fire=0.4, firearm="long"),
        "breech_carbine": WeaponWord(meaning="a short breech-loader for riders", fire=0.9, firearm="long"),
        "repeating_carbine": WeaponWord(meaning="a short repeating rifle", fire=1.1, firearm="long"),
        "pistol": WeaponWord(meaning="a breech-loading pistol", fire=0.2, firearm="short"),
        "revolver": WeaponWord(meaning="a revolver", fire=0.3, firearm="short"),
        "flintlock_pistol": WeaponWord(meaning="a muzzle-loading pistol", fire=0.2, firearm="short"),
        "bow": WeaponWord(meaning="a bow", fire=0.3),
        "sling": WeaponWord(meaning="a sling", fire=0.2),
        "javelin": WeaponWord(meaning="a light spear, thrown from a distance", fire=0.2),
        "throwing_spear": WeaponWord(meaning="a spear thrown before contact", fire=0.3),
        "thrown_rocks": WeaponWord(meaning="stones thrown or rolled down", fire=0.1),
        "none": WeaponWord(meaning="no missile weapon", fire=0.0),
    }
)
