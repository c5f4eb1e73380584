"""The arms of figures: missiles, melee factors, and the Action table that a unit uses (RSK-026 to RSK-036, RSK-130)."""

from __future__ import annotations

from zareba_rulesets.risk_factor.book.numbers import Band, RskBook, band_within
from zareba_rulesets.risk_factor.forces.battle import Battle, Unit, UnitSpec

__all__ = [
    "action_table",
    "arms_at_hand",
    "arms_of",
    "band_of",
    "carriers",
    "kit_of",
    "kits_of",
    "limits_of",
    "loading_of",
    "longest_reach",
    "main_weapon",
    "melee_factor",
    "missiles",
    "reach_of",
    "used_beside",
]

SLOWEST = ("muzzle", "breech", "magazine")


# --- who carries what --------------------------------------------------------------------------------------------------------


def kit_of(spec: UnitSpec) -> tuple[str, str, str, bool]:
    """Return the arms of the armed figures of a unit: weapon, loading, close weapon and bayonet."""
    return spec.weapon, spec.loading, spec.close, spec.bayonet


def kits_of(unit: Unit) -> tuple[str, ...]:
    """Return for each figure the unit whose arms it carries: its own unit, or the one it came from (RSK-047)."""
    return unit.kits or (unit.spec.id,) * unit.count


def arms_of(battle: Battle, unit: Unit, index: int) -> UnitSpec:
    """Return the unit whose arms a figure carries."""
    return battle.units[unit.kits[index]].spec if unit.kits else unit.spec


def _missiles_of(book: RskBook, spec: UnitSpec, armed: bool) -> list[str]:
    found = [spec.weapon] if armed and spec.weapon != "none" else []
    if spec.close not in ("none", spec.weapon) and book.ranges[spec.close]:
        found.append(spec.close)
    return found


def arms_at_hand(battle: Battle, unit: Unit, index: int) -> list[str]:
    """Return the weapons that one figure can shoot or throw."""
    return _missiles_of(battle.book, arms_of(battle, unit, index), unit.armed[index])


def missiles(battle: Battle, unit: Unit) -> list[str]:
    """Return the weapons that a unit can shoot or throw now: its missile weapon, its crewed weapon, and its close weapon
    if it can be thrown.

    A figure may carry several (RSK-035). Spears, hatchets and rocks are hurled (RSK-031).
    """
    if "disarmed" in unit.marks:
        return []
    if unit.spec.support:
        return [unit.spec.support]
    if unit.kits:
        return list(dict.fromkeys(arm for index in range(unit.count) for arm in arms_at_hand(battle, unit, index)))
    return _missiles_of(battle.book, unit.spec, any(unit.armed))


def carriers(battle: Battle, unit: Unit, weapon: str) -> list[int]:
    """Return the figures of a unit that carry one of its missile weapons."""
    if unit.kits:
        return [index for index in range(unit.count) if weapon in arms_at_hand(battle, unit, index)]
    if weapon == unit.spec.weapon:
        return [index for index, armed in enumerate(unit.armed) if armed]
    return list(range(unit.count))


def used_beside(battle: Battle, unit: Unit, weapon: str) -> list[int]:
    """Return the figures that shoot or throw something else while the rest of their unit uses `weapon` (RSK-035)."""
    if not unit.kits and (weapon != unit.spec.weapon or all(unit.armed)):
        return []
    have = carriers(battle, unit, weapon)
    return [index for index in range(unit.count) if index not in have]


def loading_of(battle: Battle, unit: Unit, weapon: str) -> str:
    """Return how a weapon of a unit is loaded (RSK-033): its missile weapon by its loading, other weapons are hurled, and
    crewed weapons count as breech-loaders.

    If a group carries one weapon with two kinds of loading, the slower counts.
    """
    if unit.spec.support:
        return "breech"
    if not unit.kits:
        return unit.spec.loading if weapon == unit.spec.weapon else "hurled"
    specs = [battle.units[kit].spec for kit in dict.fromkeys(unit.kits)]
    loadings = {spec.loading for spec in specs if spec.weapon == weapon}
    return min(loadings.intersection(SLOWEST), key=SLOWEST.index, default="hurled")


def limits_of(battle: Battle, unit: Unit, weapon: str) -> tuple[int, ...]:
    """Return the outer limits of a weapon's ranges in cm (RSK-029), with changes by house rules for this unit. Empty for
    a weapon without ranges.
    """
    book = battle.book
    if not book.rules.changes("range"):
        return book.ranges[weapon]
    return tuple([far for _, far in book.rules.ranges(book.limits(weapon), battle, unit, weapon)])


def reach_of(battle: Battle, unit: Unit, weapon: str) -> int:
    """Return the longest range of a weapon of a unit in cm, or 0 for a weapon without ranges (RSK-030)."""
    limits = limits_of(battle, unit, weapon)
    return limits[-1] if limits else 0


def band_of(battle: Battle, unit: Unit, weapon: str, distance: float) -> Band | None:
    """Return the range band of a unit's weapon at a distance, limits included (RSK-029), or None beyond long range."""
    return band_within(limits_of(battle, unit, weapon), distance)


def longest_reach(battle: Battle, unit: Unit) -> int:
    """Return the longest range of any weapon that a unit carries, or 0 if it has only hand weapons (RSK-118)."""
    return max([reach_of(battle, unit, weapon) for weapon in missiles(battle, unit)], default=0)


def _firearms(battle: Battle, unit: Unit) -> dict[str, int]:
    """Return the firearms, bows and slings of a unit, and how many figures carry each."""
    weapons, found = battle.book.weapons, dict[str, int]()
    if unit.kits:
        for index, armed in enumerate(unit.armed):
            weapon = arms_of(battle, unit, index).weapon
            found[weapon] = found.get(weapon, 0) + armed
    else:
        found[unit.spec.weapon] = sum(unit.armed)
    return {weapon: count for weapon, count in found.items() if count and not weapons[weapon].hurled}


def main_weapon(battle: Battle, unit: Unit) -> str:
    """Return the firearm, bow or sling that most figures of a unit carry, or "" without one. Ties go to the longer medium
    range (RSK-138).
    """
    if unit.spec.support:
        return unit.spec.support
    counts, ranges = _firearms(battle, unit), battle.book.ranges
    return max(counts, key=lambda weapon: (counts[weapon], ranges[weapon][1]), default="")


def action_table(battle: Battle, unit: Unit) -> str:
    """Return the Action table of a unit: missile if at least half of the living figures carry a firearm, bow or sling,
    otherwise melee (RSK-130).
    """
    spec = unit.spec
    if spec.table != "auto":
        return spec.table
    if spec.support:
        return "missile"
    shooters = sum(_firearms(battle, unit).values())
    return "missile" if shooters and battle.book.suffices("missile_troops", shooters, unit.count) else "melee"


def melee_factor(book: RskBook, spec: UnitSpec, armed: bool) -> int:
    """Return the highest melee factor that a figure carries (RSK-035)."""
    own = book.factor(spec.weapon, spec.bayonet) if armed and spec.weapon != "none" else 0
    return max(own, book.factor(spec.close, False))
