"""Generate forces and terrain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from zareba.authoring.keyed_random import KeyedRandom
from zareba.base.exact import cosd, sind
from zareba.scenario.vocabulary.words import ARMS, TERRAIN, WEAPONS
from zareba.space.geometry import Point, bounds, boxes_meet

# --- The forces of a generated scenario: troops of a theatre of war, and a rough value for each unit ------------------
#
# No rulebook here prices units. The value is zareba's own estimate, the same under all rulesets: the number of men,
# weighted by their quality, weapons and mounts. It only makes the sides roughly even; `zareba compare` shows how even
# they are.


TroopEntry = dict[str, Any]

QUALITY = {"raw": 0.75, "regular": 1.0, "veteran": 1.25, "elite": 1.5}
_STEADINESS = {
    "european_regular": 0.6,
    "native_regular": 0.5,
    "own_led_regular": 0.4,
    "european_irregular": 0.4,
    "tribal": 0.3,
    "civilian": 0.0,
}
_GUN_VALUE = 9.0  # the worth of a gun of regular quality; see `worth`
_MACHINE_GUN_VALUE = 12.0


@dataclass(frozen=True)
class Army:
    """The troops that a side is raised from, its leaders and its name. The first two troops are always chosen."""

    name: str
    troops: Sequence[TroopEntry]
    leaders: Sequence[str]
    ranks: tuple[str, str]


@dataclass(frozen=True)
class Theatre:
    """A war: its years, places and terrain, and the two armies. Kinds of terrain can add themselves to `ground`."""

    title: str
    years: tuple[int, int]
    places: Sequence[str]
    ground: Sequence[str]
    first: Army
    second: Army


def _foot(name: str, kind: str, figures: int, **more: Any) -> TroopEntry:
    return {"name": name, "arm": "infantry", "kind": kind, "figures": figures, **more}


_REGULARS = {"weapon": "breech_rifle", "close_weapon": "bayonet", "formation": "line", "traits": ["formed", "volley"]}
_FIELD_GUN: TroopEntry = {
    "name": "Field gun", "arm": "artillery", "kind": "european_regular", "figures": 5, "gun": {"kind": "field", "pieces": 1}, "draught": "horse",
    "formation": "limbered",
}  # fmt: skip
_MOUNTAIN_GUN: TroopEntry = {
    **_FIELD_GUN,
    "name": "Mountain gun",
    "kind": "native_regular",
    "gun": {"kind": "mountain", "pieces": 1},
    "draught": "pack",
}

THEATRES: Mapping[str, Theatre] = {
    "frontier": Theatre(
        "the hills of the frontier", (1877, 1898), ("the Khyber hills", "the Kurram valley", "the Swat hills"),
        ("hill", "hill", "rocks", "village", "orchard", "scrub", "rough", "ruins", "crops"),
        Army("The column", (
            _foot("Fusiliers", "european_regular", 16, **_REGULARS),
            _foot("Sikhs", "native_regular", 16, quality="veteran", **_REGULARS),
            _foot("Gurkhas", "native_regular", 14, quality="veteran", **_REGULARS),
            _foot("Punjabis", "native_regular", 16, **_REGULARS),
            {"name": "Lancers", "arm": "cavalry", "kind": "native_regular", "figures": 8, "weapon": "breech_carbine", "close_weapon": "lance", "formation": "line", "traits": ["lancers"]},
            _MOUNTAIN_GUN,
        ), ("Major Hale", "Captain Strand", "Lieutenant Pym", "Subadar Lehna Singh"), ("commander", "officer")),
        Army("The lashkar", (
            _foot("Swordsmen", "tribal", 24, close_weapon="sword", formation="mass", traits=["fanatic"]),
            _foot("Jezails", "tribal", 18, quality="veteran", weapon="jezail", close_weapon="knife", formation="open_order"),
            _foot("Hillmen", "tribal", 22, weapon="smoothbore_musket", share=0.5, close_weapon="sword", formation="mass"),
            _foot("Young men", "tribal", 24, quality="raw", weapon="flintlock_pistol", share=0.5, close_weapon="sword", formation="mass"),
            {"name": "Horsemen", "arm": "cavalry", "kind": "tribal", "figures": 10, "weapon": "smoothbore_carbine", "close_weapon": "sword", "formation": "mass"},
        ), ("Mir Afzal", "Sher Dil", "Mullah Karim", "Zaman Khan"), ("commander", "subchief")),
    ),
    "zulu": Theatre(
        "the Zulu country", (1879, 1879), ("the Buffalo river", "the Tugela heights", "the thorn country"),
        ("hill", "kopje", "tall_grass", "crops", "village", "scrub", "rocks", "light_wood"),
        Army("The British column", (
            _foot("Line company", "european_regular", 18, **_REGULARS),
            _foot("Second company", "european_regular", 16, **_REGULARS),
            _foot("Natal contingent", "native_regular", 18, quality="raw", weapon="smoothbore_musket", share=0.3, close_weapon="spear", formation="open_order"),
            {"name": "Colonial horse", "arm": "mounted_infantry", "kind": "european_irregular", "figures": 10, "weapon": "breech_carbine", "close_weapon": "none", "formation": "open_order"},
            _FIELD_GUN,
        ), ("Major Trask", "Captain Boyle", "Lieutenant Ames", "Sergeant Rudd"), ("commander", "officer")),
        Army("The impi", (
            _foot("Young regiment", "own_led_regular", 26, weapon="throwing_spear", close_weapon="spear", formation="mass", traits=["fanatic"]),
            _foot("Married regiment", "own_led_regular", 24, quality="veteran", weapon="throwing_spear", close_weapon="spear", formation="mass"),
            _foot("Left horn", "own_led_regular", 24, weapon="throwing_spear", close_weapon="spear", formation="mass"),
            _foot("Right horn", "own_led_regular", 24, weapon="throwing_spear", close_weapon="spear", formation="mass"),
            _foot("Marksmen", "own_led_regular", 16, weapon="smoothbore_musket", close_weapon="spear", formation="open_order"),
        ), ("Induna Sihayo", "Induna Mavumengwana", "Mehlokazulu", "Zibhebhu"), ("commander", "subchief")),
    ),
    "sudan": Theatre(
        "the Sudan", (1884, 1898), ("the wells of Abu Hamad", "the Suakin road", "the Nile bank"),
        ("hill", "scrub", "deep_sand", "palm_grove", "village", "rocks", "ruins", "rough"),
        Army("The Egyptian brigade", (
            _foot("Highlanders", "european_regular", 16, quality="veteran", **_REGULARS),
            _foot("Sudanese", "native_regular", 18, quality="veteran", **_REGULARS),
            _foot("Egyptians", "native_regular", 18, **_REGULARS),
            _foot("Rifles", "european_regular", 16, **_REGULARS),
            {"name": "Camel corps", "arm": "camelry", "kind": "native_regular", "figures": 10, "weapon": "breech_rifle", "close_weapon": "sword", "formation": "open_order"},
            {"name": "Hussars", "arm": "cavalry", "kind": "european_regular", "figures": 8, "weapon": "breech_carbine", "close_weapon": "sword", "formation": "line"},
            _FIELD_GUN,
        ), ("Colonel Burne", "Major Keith", "Bimbashi Lowe", "Yuzbashi Hassan"), ("commander", "officer")),
        Army("The ansar", (
            _foot("Beja spears", "tribal", 24, quality="veteran", weapon="throwing_spear", close_weapon="spear", formation="mass", traits=["fanatic"]),
            _foot("Swordsmen of the black flag", "tribal", 26, close_weapon="sword", formation="mass", traits=["fanatic"]),
            _foot("Spears of the green flag", "tribal", 24, weapon="throwing_spear", close_weapon="spear", formation="mass"),
            _foot("Riflemen", "tribal", 18, weapon="breech_rifle", close_weapon="sword", formation="open_order"),
            {"name": "Baggara horse", "arm": "cavalry", "kind": "tribal", "figures": 12, "quality": "veteran", "close_weapon": "spear", "formation": "mass"},
        ), ("Emir Osman", "Emir Yakub", "Sheikh Musa", "Sheikh Idris"), ("commander", "subchief")),
    ),
    "transvaal": Theatre(
        "the Transvaal", (1880, 1881), ("the Drakensberg passes", "the high veld", "the Ingogo heights"),
        ("hill", "kopje", "rocks", "tall_grass", "rough", "scrub", "village", "crops"),
        Army("The relief column", (
            _foot("Line company", "european_regular", 16, **_REGULARS),
            _foot("Highland company", "european_regular", 16, **_REGULARS),
            _foot("Rifles", "european_regular", 14, quality="veteran", weapon="breech_rifle", close_weapon="bayonet", formation="open_order"),
            {"name": "Mounted infantry", "arm": "mounted_infantry", "kind": "european_regular", "figures": 8, "weapon": "breech_rifle", "close_weapon": "none", "formation": "open_order"},
            _FIELD_GUN,
        ), ("Colonel Ward", "Major Greer", "Captain Moss", "Lieutenant Dale"), ("commander", "officer")),
        Army("The commando", (
            _foot("Heidelberg burghers", "european_irregular", 14, quality="veteran", weapon="breech_rifle", close_weapon="none", formation="open_order"),
            _foot("Wakkerstroom burghers", "european_irregular", 14, weapon="breech_rifle", close_weapon="none", formation="open_order"),
            {"name": "Mounted burghers", "arm": "mounted_infantry", "kind": "european_irregular", "figures": 10, "weapon": "breech_rifle", "close_weapon": "none", "formation": "open_order"},
            _foot("Young burghers", "european_irregular", 14, quality="raw", weapon="breech_rifle", close_weapon="none", formation="open_order"),
        ), ("Commandant Nel", "Veldkornet Botma", "Veldkornet Uys", "Oom Piet"), ("commander", "subchief")),
    ),
}  # fmt: skip


def worth(unit: Mapping[str, Any]) -> float:
    """Return the rough value of a unit, from its scenario entry.

    A regular with a bayonet and no rifle is worth about 1. This is zareba's own estimate, not that of any rulebook.
    """
    if ARMS[unit["arm"]].role == "train":
        return 0.0
    quality = QUALITY[unit.get("quality", "regular")]
    if ARMS[unit["arm"]].role == "crew":
        pieces = (unit.get("gun") or {}).get("pieces", 1)
        return quality * (_MACHINE_GUN_VALUE if unit["arm"] == "machine_gun" else _GUN_VALUE) * float(pieces)
    fire = WEAPONS[unit.get("weapon", "none")].fire * float(unit.get("share", 1.0))
    close = 0.45 if unit.get("close_weapon", "none") not in ("none", "knife") else 0.15
    mounted = 1.35 if ARMS[unit["arm"]].role == "mounted" else 1.0
    return float(unit["figures"]) * quality * (0.2 + _STEADINESS[unit["kind"]] * 0.5 + fire * 0.6 + close) * mounted


def raise_army(rng: KeyedRandom, army: Army, side: str, count: int, total_value: float | None) -> dict[str, TroopEntry]:
    """Return about `count` units of a side by id: the first two troops of the army, then random ones.

    If `total_value` is given, their figures are adjusted to it, within limits that keep unit sizes
    reasonable.
    """
    chosen = list(army.troops[:2])
    guns = 0
    while len(chosen) < count:
        troop = rng.one_of(army.troops)
        if troop["arm"] == "artillery":
            if guns * 5 >= count:
                continue
            guns += 1
        chosen.append(troop)
    units: dict[str, TroopEntry] = {}
    for troop in chosen:
        key = troop["name"].lower().replace(" ", "_")
        number = sum(1 for other in units.values() if other["name"].startswith(troop["name"])) + 1
        name = troop["name"] if number == 1 else f"{troop['name']} {number}"
        units[key if number == 1 else f"{key}_{number}"] = {**troop, "name": name, "side": side}
    if total_value is not None:
        _adjust_figures(units, total_value)
    return units


def _adjust_figures(units: dict[str, TroopEntry], total_value: float) -> None:
    """Change the figures of all units except artillery, so that the total value is about `total_value`."""
    fixed = sum(worth(unit) for unit in units.values() if unit["arm"] == "artillery")
    rest = sum(worth(unit) for unit in units.values() if unit["arm"] != "artillery")
    factor = max(0.4, (total_value - fixed) / rest)
    for unit in units.values():
        if unit["arm"] != "artillery":
            most = 14 if ARMS[unit["arm"]].role == "mounted" else 40
            unit["figures"] = min(most, max(6, round(unit["figures"] * factor / 2) * 2))


# --- The terrain of a generated scenario: pieces that do not overlap, with room for the sides at their edges ----------


ZONE = 7.0
"""Depth of a deployment zone, in inches."""
APART = 1.5
"""Distance between two pieces of terrain, in inches."""
TRIES = 40
"""Number of places tried for a piece of terrain."""
MAIN_OBJECTIVES = ("village", "ruins", "hill", "kopje")
"""The kinds of terrain that can be the main objective."""

_WALLS = ("low_wall", "hedge", "sangar", "mealie_bags")


def generate_terrain(
    rng: KeyedRandom, width: float, depth: float, kinds: Sequence[str], count: int
) -> dict[str, dict[str, Any]]:
    """Return pieces of terrain by id: first a piece worth fighting for in the middle, then the others around it.

    Pieces that find no room are left out, even the one in the middle.
    """
    pieces: dict[str, dict[str, Any]] = {}
    taken: list[tuple[float, float, float, float]] = []
    river = rng.for_topic("river").chance(35)
    if river:
        pieces |= _river(rng.for_topic("river"), width, depth, taken)
    main_kind = rng.for_topic("prize").one_of([kind for kind in MAIN_OBJECTIVES if kind in kinds])
    _place_piece(pieces, taken, rng.for_topic("prize"), main_kind, width, depth, (0.3, 0.7))
    for number in range(count):
        kind = rng.for_topic(f"kind/{number}").one_of(kinds)
        _place_piece(pieces, taken, rng.for_topic(f"piece/{number}"), kind, width, depth, (0.1, 0.9))
    if not river:
        pieces["track"] = _track(rng.for_topic("track"), width, depth)
    wall = rng.for_topic("wall")
    settlement = next((key for key, piece in pieces.items() if piece["kind"] in ("village", "ruins")), None)
    if settlement is not None and wall.chance(60):
        west, south, east, north = bounds(pieces[settlement]["area"])
        y = south - 1.0 if wall.chance(50) else north + 1.0
        if ZONE < y < depth - ZONE:
            kind = wall.one_of(_WALLS)
            pieces["wall"] = {"kind": kind, "name": kind.replace("_", " ").capitalize(), "line": [[west, y], [east, y]]}
    return pieces


def _place_piece(
    pieces: dict[str, dict[str, Any]],
    taken: list[tuple[float, float, float, float]],
    rng: KeyedRandom,
    kind: str,
    width: float,
    depth: float,
    middle: tuple[float, float],
) -> None:
    """Place one piece where there is room; after some tries it is left out."""
    word = TERRAIN[kind]
    piece_names = word.names or (f"The {kind.replace('_', ' ')}",)
    for _ in range(TRIES):
        half = rng.between(*word.half_width)
        x = rng.between(width * 0.06 + half, width * 0.94 - half)
        y = rng.between(max(ZONE + half * 0.6, depth * middle[0]), min(depth - ZONE - half * 0.6, depth * middle[1]))
        area = _box(rng, x, y, half) if word.laid_out else _blob(rng, x, y, half)
        box = bounds(area)
        with_gap = box[0] - APART, box[1] - APART, box[2] + APART, box[3] + APART
        if any(boxes_meet(with_gap, other) for other in taken) or box[1] < 1 or box[3] > depth - 1:
            continue
        taken.append(box)
        key = kind if kind not in pieces else next(f"{kind}_{n}" for n in range(2, 99) if f"{kind}_{n}" not in pieces)
        names = [name for name in piece_names if name not in {piece.get("name") for piece in pieces.values()}]
        piece: dict[str, Any] = {
            "kind": kind,
            "name": rng.one_of(names or [f"{piece_names[0]} {len(pieces) + 1}"]),
            "area": _coordinates(area),
        }
        if kind == "hill":
            piece |= {
                "slope": rng.one_of(("gentle", "steep")),
                "levels": rng.integer(1, 2),
                "crest": _coordinates(_crest(area, x, y)),
            }
        if kind == "village":
            piece["material"] = rng.one_of(("adobe", "wood", "stone"))
        pieces[key] = piece
        return


def _blob(rng: KeyedRandom, x: float, y: float, half: float) -> list[Point]:
    """Return an irregular outline around a point, such as that of a hill or a wood, with seven corners."""
    corners = 7
    outline = []
    for corner in range(corners):
        distance = half * (75 + rng.below(30)) / 100
        angle = 360.0 * corner / corners
        outline.append((_to_half_inch(x + distance * cosd(angle)), _to_half_inch(y + distance * 0.75 * sind(angle))))
    return outline


def _box(rng: KeyedRandom, x: float, y: float, half: float) -> list[Point]:
    half_depth = half * (60 + rng.below(30)) / 100
    return [
        (_to_half_inch(x - half), _to_half_inch(y - half_depth)),
        (_to_half_inch(x + half), _to_half_inch(y - half_depth)),
        (_to_half_inch(x + half), _to_half_inch(y + half_depth)),
        (_to_half_inch(x - half), _to_half_inch(y + half_depth)),
    ]


def _crest(area: Sequence[Point], x: float, y: float) -> list[Point]:
    """Return the crest of a hill: its outline shrunk to two fifths."""
    return [(round(x + (px - x) * 0.4, 2), round(y + (py - y) * 0.4, 2)) for px, py in area]


def _to_half_inch(value: float) -> float:
    return round(value * 2) / 2


def _coordinates(points: Sequence[Point]) -> list[list[float]]:
    return [[_without_point(x), _without_point(y)] for x, y in points]


def _without_point(value: float) -> float:
    """Return a whole number as an int, to be written without a decimal point."""
    return int(value) if value == int(value) else value


def _river(
    rng: KeyedRandom, width: float, depth: float, taken: list[tuple[float, float, float, float]]
) -> dict[str, dict[str, Any]]:
    """Return a stream across the middle with two fords; all other terrain keeps off it."""
    y = rng.between(depth * 0.42, depth * 0.58)
    line = [
        [0, y],
        [_to_half_inch(width * 0.35), _to_half_inch(y + rng.between(-2, 2))],
        [_to_half_inch(width * 0.7), _to_half_inch(y + rng.between(-2, 2))],
        [width, y],
    ]
    taken.append((0.0, min(p[1] for p in line) - 1.5, width, max(p[1] for p in line) + 1.5))
    pieces: dict[str, dict[str, Any]] = {
        "stream": {
            "kind": "stream",
            "name": "The stream",
            "line": [[_without_point(a), _without_point(b)] for a, b in line],
        }
    }
    for number, corner in enumerate(line[1:3], start=1):
        a, b = corner
        name = "The upper ford" if number == 1 else "The lower ford"
        pieces[f"ford_{number}"] = {
            "kind": "ford",
            "name": name,
            "line": [[_without_point(a), _without_point(b - 1.5)], [_without_point(a), _without_point(b + 1.5)]],
            "width": 3,
        }
    return pieces


def _track(rng: KeyedRandom, width: float, depth: float) -> dict[str, Any]:
    xs = [rng.between(width * 0.3, width * 0.7) for _ in range(4)]
    ys = [0.0, _to_half_inch(depth / 3), _to_half_inch(depth * 2 / 3), depth]
    return {
        "kind": "road",
        "name": "Track",
        "line": [[_without_point(x), _without_point(y)] for x, y in zip(xs, ys, strict=True)],
    }
