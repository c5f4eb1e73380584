"""What figures carry: missiles, melee factors, and which Action table a unit uses (RSK-026 to RSK-036, RSK-130)."""

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
    """What the armed figures of a unit carry."""
    return spec.weapon, spec.loading, spec.close, spec.bayonet


def kits_of(unit: Unit) -> tuple[str, ...]:
    """For each figure the unit whose arms it carries: its own, or the one from which it came (RSK-047)."""
    return unit.kits or (unit.spec.id,) * unit.count


def arms_of(battle: Battle, unit: Unit, index: int) -> UnitSpec:
    """The unit whose arms a figure carries."""
    return battle.units[unit.kits[index]].spec if unit.kits else unit.spec


def _missiles_of(book: RskBook, spec: UnitSpec, armed: bool) -> list[str]:
    found = [spec.weapon] if armed and spec.weapon != "none" else []
    if spec.close not in ("none", spec.weapon) and book.ranges[spec.close]:
        found.append(spec.close)
    return found


def arms_at_hand(battle: Battle, unit: Unit, index: int) -> list[str]:
    """What one figure can shoot or throw."""
    return _missiles_of(battle.book, arms_of(battle, unit, index), unit.armed[index])


def missiles(battle: Battle, unit: Unit) -> list[str]:
    """The weapons with which a unit can shoot or throw now: its missile arm, its crewed weapon, its thrown close arm.

    A figure may carry several (RSK-035); spears, hatchets and rocks are hurled (RSK-031).
    """
    if "disarmed" in unit.marks:
        return []
    if unit.spec.support:
        return [unit.spec.support]
    if unit.kits:
        return list(dict.fromkeys(arm for index in range(unit.count) for arm in arms_at_hand(battle, unit, index)))
    return _missiles_of(battle.book, unit.spec, any(unit.armed))


def carriers(battle: Battle, unit: Unit, weapon: str) -> list[int]:
    """The figures of a unit that carry one of its missiles."""
    if unit.kits:
        return [index for index in range(unit.count) if weapon in arms_at_hand(battle, unit, index)]
    if weapon == unit.spec.weapon:
        return [index for index, armed in enumerate(unit.armed) if armed]
    return list(range(unit.count))


def used_beside(battle: Battle, unit: Unit, weapon: str) -> list[int]:
    """The figures that shoot or throw something else while the others of their unit use a weapon (RSK-035)."""
    if not unit.kits and (weapon != unit.spec.weapon or all(unit.armed)):
        return []
    have = carriers(battle, unit, weapon)
    return [index for index in range(unit.count) if index not in have]


def loading_of(battle: Battle, unit: Unit, weapon: str) -> str:
    """How a weapon is loaded (RSK-033): as the unit's missile arm is, or thrown; crewed weapons like breech-loaders.

    Of one weapon with two ways of loading in a group the slower counts.
    """
    if unit.spec.support:
        return "breech"
    if not unit.kits:
        return unit.spec.loading if weapon == unit.spec.weapon else "hurled"
    specs = [battle.units[kit].spec for kit in dict.fromkeys(unit.kits)]
    loadings = {spec.loading for spec in specs if spec.weapon == weapon}
    return min(loadings.intersection(SLOWEST), key=SLOWEST.index, default="hurled")


def limits_of(battle: Battle, unit: Unit, weapon: str) -> tuple[int, ...]:
    """The outer limits of a weapon's ranges in cm (RSK-029) in a unit's hands, as house rules have them here and now; () without any."""
    book = battle.book
    if not book.rules.changes("range"):
        return book.ranges[weapon]
    return tuple([far for _, far in book.rules.ranges(book.limits(weapon), battle, unit, weapon)])


def reach_of(battle: Battle, unit: Unit, weapon: str) -> int:
    """The longest range of a weapon in a unit's hands in cm, 0 for one that only strikes (RSK-030)."""
    limits = limits_of(battle, unit, weapon)
    return limits[-1] if limits else 0


def band_of(battle: Battle, unit: Unit, weapon: str, distance: float) -> Band | None:
    """The range band of a unit's weapon at a distance, limits included (RSK-029); None beyond long range."""
    return band_within(limits_of(battle, unit, weapon), distance)


def longest_reach(battle: Battle, unit: Unit) -> int:
    """The longest range of any weapon a unit carries, 0 with hand weapons only (RSK-118)."""
    return max([reach_of(battle, unit, weapon) for weapon in missiles(battle, unit)], default=0)


def _firearms(battle: Battle, unit: Unit) -> dict[str, int]:
    """The firearms, bows and slings of a unit's figures, and how many carry them."""
    weapons, found = battle.book.weapons, dict[str, int]()
    if unit.kits:
        for index, armed in enumerate(unit.armed):
            weapon = arms_of(battle, unit, index).weapon
            found[weapon] = found.get(weapon, 0) + armed
    else:
        found[unit.spec.weapon] = sum(unit.armed)
    return {weapon: count for weapon, count in found.items() if count and not weapons[weapon].hurled}


def main_weapon(battle: Battle, unit: Unit) -> str:
    """The firearm, bow or sling that most of a unit's figures carry, ties to the longer medium range; "" without one (RSK-138)."""
    if unit.spec.support:
        return unit.spec.support
    counts, ranges = _firearms(battle, unit), battle.book.ranges
    return max(counts, key=lambda weapon: (counts[weapon], ranges[weapon][1]), default="")


def action_table(battle: Battle, unit: Unit) -> str:
    """The Action table of a unit (RSK-130): missile if half of the living carry a firearm, bow or sling, else melee."""
    spec = unit.spec
    if spec.table != "auto":
        return spec.table
    if spec.support:
        return "missile"
    shooters = sum(_firearms(battle, unit).values())
    return "missile" if shooters and battle.book.suffices("missile_troops", shooters, unit.count) else "melee"


def melee_factor(book: RskBook, spec: UnitSpec, armed: bool) -> int:
    """The highest melee factor that a figure carries (RSK-035)."""
    own = book.factor(spec.weapon, spec.bayonet) if armed and spec.weapon != "none" else 0
    return max(own, book.factor(spec.close, False))
