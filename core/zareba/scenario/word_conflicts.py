"""Fields of one unit, or of one piece of terrain, that contradict each other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zareba.base.grammar import amount
from zareba.scenario.model import Terrain, Unit
from zareba.scenario.vocabulary import AREA_KINDS, CREWED, FIREARMS, LINE_KINDS
from zareba.scenario.vocabulary.words import ARMS, TERRAIN, WEAPONS, likes

__all__ = ["terrain_conflicts", "unit_conflicts"]

_ON_FOOT: Final = (*(name for name, word in ARMS.items() if word.role == "on_foot"), "civilians")
_MACHINES: Final = tuple(name for name, word in ARMS.items() if word.role == "machine")
_LONG_ARMS: Final = frozenset(name for name, word in WEAPONS.items() if word.firearm == "long")

_ONLY_FOR: Final[dict[str, tuple[str, ...]]] = {
    "slope": ("hill",),
    "levels": ("hill",),
    "crest": ("hill",),
    "depth": ("river",),
    "floors": ("building",),
    "rooms": ("building",),
    "material": ("building", "village", "high_wall", "rampart"),
    "true_fortification": ("building", "high_wall", "rampart"),
    "strength": ("building", "high_wall", "rampart"),
    "gates": ("fence", "low_wall", "high_wall", "zareba", "rampart"),
}


def terrain_conflicts(piece: Terrain) -> Iterator[tuple[str, str]]:
    """Yield each field of a piece of terrain that does not suit its kind, with a message saying how to fix it."""
    either = TERRAIN[piece.kind].shape == "either"
    if piece.kind in LINE_KINDS and piece.line is None:
        yield "kind", f"a {piece.kind} is a line; give 'line' with at least two points"
    elif piece.kind in AREA_KINDS and piece.area is None and (not either or piece.line is None):
        yield "kind", f"a {piece.kind} is an area; give 'area' with at least three corners"
    if piece.area is not None and piece.kind in LINE_KINDS:
        yield "area", f"a {piece.kind} is a line; remove 'area'"
    if piece.line is not None and piece.kind in AREA_KINDS and not either:
        yield "line", f"a {piece.kind} is an area; remove 'line'"
    if piece.area is not None and piece.line is not None and either:
        yield "line", f"a {piece.kind} is an area or a line; remove one"
    if piece.width is not None and piece.line is None:
        yield "width", "only a line has a width; remove it"
    for name, kinds in _ONLY_FOR.items():
        if getattr(piece, name) and set(kinds).isdisjoint(likes(piece.kind, TERRAIN)):
            yield name, f"'{name}' does not suit a {piece.kind}, only {_either(kinds)}; remove it"


def unit_conflicts(unit: Unit) -> Iterator[tuple[str, str]]:
    """Yield each field of a unit that contradicts another, with a message saying how to fix it."""
    yield from _misfits_of_arm(unit)
    yield from _misfits_of_weapons(unit)
    yield from _misfits_of_formation(unit)
    yield from _misfits_of_traits(unit)


def _misfits_of_arm(unit: Unit) -> Iterator[tuple[str, str]]:
    arm = unit.arm
    if arm == "artillery" and unit.gun is None:
        yield "arm", "artillery needs guns; add 'gun'"
    if arm != "artillery" and unit.gun is not None:
        yield "gun", f"'gun' does not suit the arm {arm}, only artillery; remove it"
    if unit.gun is not None and unit.figures < unit.gun.pieces:
        yield (
            "figures",
            f"{amount(unit.figures, 'figure')} cannot serve {amount(unit.gun.pieces, 'gun')}; add men or remove guns",
        )
    if unit.draught is not None and arm not in CREWED:
        yield "draught", f"'draught' does not suit the arm {arm}, only {_either(CREWED)}; remove it"
    if unit.strength is not None and arm != "airship":
        yield "strength", f"'strength' does not suit the arm {arm}, only airship; remove it"
    if ARMS[arm].role == "mounted" and unit.mount == "none":
        yield "mount", f"{arm} without mounts is infantry; change the arm or the mount"
    if ARMS[arm].mount == "camel" and unit.mount == "horse":
        yield "mount", f"{arm} rides camels; change the arm or the mount"
    if arm in CREWED and unit.mounted:
        yield "mount", "a crew does not ride into action; use 'draught: horse'"
    if arm in _MACHINES and unit.mounted:
        yield "mount", f"the crew of a {arm} does not ride; remove the mount"
    if arm == "civilians" and unit.kind != "civilian":
        yield "kind", "civilians must be of the kind civilian; people who fight are infantry"


def _misfits_of_weapons(unit: Unit) -> Iterator[tuple[str, str]]:
    arm = unit.arm
    if arm == "civilians" and unit.weapon not in ("none", "thrown_rocks"):
        yield (
            "weapon",
            f"civilians do not carry the weapon {unit.weapon}; armed ones are infantry of kind civilian",
        )
    if unit.share < 1 and unit.weapon == "none":
        yield "share", "'share' needs a weapon; name the weapon or remove the share"
    if unit.close_weapon == "lance" and arm in CREWED:
        yield "close_weapon", f"the crew of {arm} cannot fight with the lance; choose sword, knife or none"
    elif unit.close_weapon == "lance" and not unit.mounted:
        yield "close_weapon", "a lance needs a mount; give one, or choose the spear"
    if unit.close_weapon == "bayonet" and unit.weapon not in _LONG_ARMS:
        yield (
            "close_weapon",
            f"a bayonet does not fit on the weapon {unit.weapon}; choose another close weapon",
        )
    if unit.armament and arm not in (*_MACHINES, "machine_gun"):
        yield "armament", f"'armament' does not suit the arm {arm}, only {_either(_MACHINES)}; remove it"
    if "bombs" in unit.armament and arm not in ("aircraft", "airship"):
        yield "armament", f"the arm {arm} cannot drop bombs; only aircraft and airship can"


def _misfits_of_formation(unit: Unit) -> Iterator[tuple[str, str]]:
    formation = unit.formation
    if formation == "square" and (unit.arm != "infantry" or unit.mounted):
        yield "formation", "only infantry on foot forms square; choose another formation"
    if formation in ("limbered", "unlimbered") and unit.arm not in CREWED:
        yield "formation", f"'{formation}' is for {_either(CREWED)}; choose another formation"
    if formation == "laager" and unit.arm != "wagon":
        yield "formation", "only wagons form a laager; choose another formation"
    if formation in ("line", "mass") and unit.arm in CREWED:
        yield "formation", "guns are limbered or unlimbered; choose one"


def _misfits_of_traits(unit: Unit) -> Iterator[tuple[str, str]]:
    traits = unit.traits
    if "lancers" in traits and unit.close_weapon != "lance":
        yield "traits", "lancers need the lance; set 'close_weapon: lance' or remove the trait"
    for trait in ("volley", "sniper"):
        if trait in traits and unit.weapon not in FIREARMS:
            yield "traits", f"'{trait}' needs a firearm; name the weapon or remove the trait"
    for trait in ("ladders", "engineers"):
        if trait in traits and (unit.arm not in _ON_FOOT or unit.mounted):
            yield "traits", f"'{trait}' needs men on foot; remove the trait"
    if "fanatic" in traits and unit.kind not in ("tribal", "own_led_regular"):
        yield "traits", f"'fanatic' does not suit the kind {unit.kind}; remove the trait"
    if len(set(traits)) < len(traits):
        yield "traits", "a trait is listed twice; keep one"


def _either(words: tuple[str, ...]) -> str:
    return " or ".join((", ".join(words[:-1]), words[-1])) if len(words) > 1 else words[0]
