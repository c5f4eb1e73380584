"""What figures carry: missiles, melee factors, and which Action table a unit uses (RSK-026 to RSK-036, RSK-130)."""

from __future__ import annotations

from zareba_rulesets.risk_factor.battle import Battle, Unit, UnitSpec
from zareba_rulesets.risk_factor.book import RskBook

__all__ = ["action_table", "longest_reach", "main_weapon", "melee_factor", "missiles", "thrown_beside"]


def missiles(battle: Battle, unit: Unit) -> list[str]:
    """The weapons with which a unit can shoot or throw now: its missile arm, its crewed weapon, its thrown close arm.

    A figure may carry several (RSK-035); spears, hatchets and rocks are hurled (RSK-031).
    """
    spec, book = unit.spec, battle.book
    if "disarmed" in unit.marks:
        return []
    if spec.support:
        return [spec.support]
    found = [spec.weapon] if spec.weapon != "none" and any(unit.armed) else []
    if spec.close not in ("none", spec.weapon) and book.ranges[spec.close]:
        found.append(spec.close)
    return found


def carriers(unit: Unit, weapon: str) -> list[int]:
    """The figures of a unit that carry one of its missiles."""
    if weapon == unit.spec.weapon:
        return [index for index, armed in enumerate(unit.armed) if armed]
    return list(range(unit.count))


def thrown_beside(battle: Battle, unit: Unit, weapon: str) -> str:
    """What those throw who do not carry the missile arm with which the others of their unit shoot, "" for nothing (RSK-035)."""
    if weapon != unit.spec.weapon or all(unit.armed):
        return ""
    return next((arm for arm in missiles(battle, unit) if arm != weapon), "")


def loading_of(unit: Unit, weapon: str) -> str:
    """How a weapon is loaded (RSK-033): as the unit's missile arm is, or thrown; crewed weapons like breech-loaders."""
    if unit.spec.support:
        return "breech"
    return unit.spec.loading if weapon == unit.spec.weapon else "hurled"


def longest_reach(battle: Battle, unit: Unit) -> int:
    """The longest range of any weapon a unit carries, 0 with hand weapons only (RSK-118)."""
    return max([battle.book.reach(weapon) for weapon in missiles(battle, unit)], default=0)


def main_weapon(battle: Battle, unit: Unit) -> str:
    """The firearm, bow or sling that most of a unit's figures carry, "" without one (RSK-138)."""
    spec = unit.spec
    if spec.support:
        return spec.support
    weapon = spec.weapon
    return weapon if weapon != "none" and not battle.book.weapons[weapon].hurled and any(unit.armed) else ""


def action_table(battle: Battle, unit: Unit) -> str:
    """The Action table of a unit (RSK-130): missile if half of the living carry a firearm, bow or sling, else melee."""
    spec = unit.spec
    if spec.table != "auto":
        return spec.table
    if spec.support:
        return "missile"
    shooters = sum(unit.armed) if main_weapon(battle, unit) else 0
    return "missile" if 2 * shooters >= unit.count and shooters else "melee"


def melee_factor(book: RskBook, spec: UnitSpec, armed: bool) -> int:
    """The highest melee factor that a figure carries (RSK-035)."""
    own = book.factor(spec.weapon, spec.bayonet) if armed and spec.weapon != "none" else 0
    return max(own, book.factor(spec.close, False))
