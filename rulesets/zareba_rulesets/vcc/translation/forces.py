"""Units as profiles of these rules, with their leaders and commanders (VCC-009 to VCC-026)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import floor

from zareba.base.exact import dist
from zareba.base.grammar import amount
from zareba.battle.unit_mapping import map_unit
from zareba.scenario import Scenario, Unit
from zareba.scenario.unsupported import left_out
from zareba.space.geometry import Point
from zareba_rulesets.vcc.book.numbers import VccBook
from zareba_rulesets.vcc.book.tables import CREWED, Profile
from zareba_rulesets.vcc.forces.battle import OFF_TABLE, UnitSpec
from zareba_rulesets.vcc.translation.overrides import Overrides
from zareba_rulesets.vcc.translation.sides import NATIVE_KINDS, REGULAR_KINDS

__all__ = ["army_commanders", "unit_leaders", "unit_specs", "with_leader_names"]


def unit_specs(book: VccBook, scenario: Scenario, overrides: Overrides, notes: list[str]) -> dict[str, UnitSpec]:
    """Return the units of a scenario that these rules can show. A unit without a profile is left out, with a note."""
    specs: dict[str, UnitSpec] = {}
    for unit_id, unit in scenario.units.items():
        profile_id = _profile(book, scenario, overrides, unit_id)
        if profile_id == "none":
            notes.append(left_out(unit))
            continue
        profile = book.file.profiles[profile_id]
        settings = book.settings
        regular_on_foot = profile.regular_on_foot and unit.kind in REGULAR_KINDS
        native_crew = profile.troop in ("artillery", "machine_gun") and unit.kind in NATIVE_KINDS
        specs[unit_id] = UnitSpec(
            id=unit_id,
            name=unit.name,
            side=unit.side,
            profile=profile_id,
            troop=profile.troop,
            weapon=_weapon(book, unit, profile.troop),
            fire_die=book.file.native_crew_fire_die.faces if native_crew else profile.fire_die,
            melee_die=profile.melee_die,
            bases=_bases(book, unit, profile, notes),
            leader=profile.leader,
            quality="elite"
            if unit.quality == "veteran" and settings.veteran_as == "elite"
            else book.file.mapping.quality[unit.quality],
            regular=profile.regular,
            regular_on_foot=regular_on_foot,
            can_square=profile.square,
            can_dismount=profile.can_dismount,
            lancers=profile.troop == "mounted" and unit.close_weapon == "lance",
            dervish_foot=_dervish_foot(book, unit, profile, regular=profile.regular or regular_on_foot),
        )
    return specs


def _profile(book: VccBook, scenario: Scenario, overrides: Overrides, unit_id: str) -> str:
    """Return the profile of a unit: from the scenario's overrides, else from the unit mapping (VCC-167)."""
    if unit_id in overrides.profiles:
        return overrides.profiles[unit_id]
    unit = scenario.units[unit_id]
    shoots = book.file.mapping.weapon[unit.weapon] != "none" and unit.share >= book.file.armed_share.least
    return str(map_unit(book.file.unit_mapping, scenario, unit_id, shoots=shoots)["profile"])


def _dervish_foot(book: VccBook, unit: Unit, profile: Profile, *, regular: bool) -> bool:
    """Return True if a unit is Dervish foot when on foot: as tagged, or every irregular unit, Europeans included
    (VCC-022).
    """
    if profile.troop != "foot" and not profile.can_dismount:
        return False
    return not regular if book.settings.dervish_foot_applies_to == "all_irregular_foot" else "fanatic" in unit.traits


def _weapon(book: VccBook, unit: Unit, troop: str) -> str:
    if troop in CREWED:
        return troop
    if unit.share < book.file.armed_share.least or troop == "wagon":
        return "none"
    return book.file.mapping.weapon[unit.weapon]


def _bases(book: VccBook, unit: Unit, profile: Profile, notes: list[str]) -> int:
    """Return the ordinary bases or gunners: figures by base, halves rounded up, less the leader base (VCC-010,
    VCC-011).
    """
    settings, sizes, troop = book.settings, book.file.unit_size, profile.troop
    if profile.bases is not None:
        return profile.bases  # VCC-164
    if troop not in ("foot", "mounted"):
        total = unit.figures
    else:
        per_base = settings.figures_per_base_infantry if troop == "foot" else settings.figures_per_base_cavalry
        total = floor(unit.figures / per_base + 0.5)
    if total > sizes.most:
        notes.append(
            f"{unit.name}: {amount(unit.figures, 'figure')} reduced to the largest unit size, {amount(sizes.most, 'base')} (VCC-010)"
        )
    return max(sizes.least, min(sizes.most, total) - profile.leader)


def _senior_leader(scenario: Scenario, side: str) -> str | None:
    """Return the leader who becomes a side's Army Commander: the highest in rank who fights (VCC-163)."""
    return next((key for key, leader in scenario.leaders_of(side).items() if not leader.non_combatant), None)


def army_commanders(
    scenario: Scenario, spots: Mapping[str, Point], placed: Mapping[str, int], specs: Mapping[str, UnitSpec]
) -> dict[str, tuple[str, int, str]]:
    """The Army Commander of each side, with his own unit or the nearest one; off the table while that unit lies hidden."""
    commanders: dict[str, tuple[str, int, str]] = {}
    for side in scenario.sides:
        highest = _senior_leader(scenario, side)
        own_units = [unit for unit in placed if specs[unit].side == side]
        if highest is None or not own_units:
            continue
        unit = scenario.leaders[highest].unit
        if unit is not None and unit in specs and unit not in placed and scenario.units[unit].hidden:
            commanders[side] = (scenario.leaders[highest].name, OFF_TABLE, unit)  # hidden with his unit
            continue
        if unit is None or unit not in placed:
            unit = _nearest_unit(own_units, spots.get(highest), spots)
        commanders[side] = (scenario.leaders[highest].name, placed[unit], unit)
    return commanders


def unit_leaders(scenario: Scenario, spots: Mapping[str, Point], specs: Mapping[str, UnitSpec]) -> dict[str, str]:
    """Return the unit of every other leader: his own if it has a leader base, else the nearest that has one."""
    leaders: dict[str, str] = {}
    for side in scenario.sides:
        line = [unit for unit, spec in specs.items() if spec.side == side and spec.leader]
        for key, leader in scenario.leaders_of(side).items():
            if key != _senior_leader(scenario, side) and line:
                leaders[key] = leader.unit if leader.unit in line else _nearest_unit(line, spots.get(key), spots)
    return leaders


def _nearest_unit(units: list[str], at: Point | None, spots: Mapping[str, Point]) -> str:
    """Return the unit nearest to a place; the first listed if no positions are known."""
    placed = [unit for unit in units if unit in spots]
    return min(placed, key=lambda unit: dist(spots[unit], at)) if at is not None and placed else units[0]


def with_leader_names(
    scenario: Scenario, leaders: Mapping[str, str], specs: Mapping[str, UnitSpec]
) -> dict[str, UnitSpec]:
    """Return the units with the names of their leaders; the highest in rank where there are several."""
    names: dict[str, str] = {}
    for key, unit in leaders.items():
        names.setdefault(unit, scenario.leaders[key].name)
    return {unit: replace(spec, leader_name=names.get(unit, "")) for unit, spec in specs.items()}
