"""The troops of a scenario as units of these rules: kinds, colours, figures, commanders, aircraft."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import ceil

from zareba.battle.unit_mapping import evenly, map_unit
from zareba.scenario import Scenario, Unit
from zareba.scenario.known import held_back
from zareba_rulesets.afriboria.book.numbers import AfrBook
from zareba_rulesets.afriboria.book.tables import COLOURS
from zareba_rulesets.afriboria.forces.pieces import CommanderSpec, FlierSpec, UnitSpec
from zareba_rulesets.afriboria.translation.overrides import Overrides

__all__ = ["commanders", "forces"]

HALF = 0.5


def forces(book: AfrBook, scenario: Scenario, overrides: Overrides) -> tuple[dict[str, UnitSpec], dict[str, FlierSpec]]:
    units: dict[str, UnitSpec] = {}
    fliers: dict[str, FlierSpec] = {}
    dealt = dict.fromkeys(scenario.sides, 0)
    flying = Counter(unit.arm for unit in scenario.units.values())
    # units held back come last, so that no visible unit's colour depends on them
    for name, unit in sorted(scenario.units.items(), key=lambda entry: held_back(scenario, entry[0])):
        if unit.arm in ("aircraft", "airship"):
            colour = overrides.colours.get(name, COLOURS[len(fliers) % 3] if flying[unit.arm] > 1 else "")
            guns, bombs = "machine_gun" in unit.armament, "bombs" in unit.armament
            points = unit.points if unit.points is not None else 1
            fliers[name] = FlierSpec(name, unit.name, unit.side, unit.arm, colour, guns, bombs, points)
            continue
        key = overrides.profiles.get(name) or map_unit(book.file.unit_mapping, scenario, name)["profile"]
        parts = ceil(unit.figures / book.profiles[key].figures)  # one unit for each full or partial maximum size
        for number, figures in enumerate(evenly(unit.figures, parts)):
            colour = overrides.colours.get(name, COLOURS[dealt[unit.side] % 3])
            dealt[unit.side] += 1
            spec = _spec(book, unit, name, key, number, figures, colour)
            units[spec.id] = spec
    order = {name: place for place, name in enumerate(scenario.units)}
    return dict(sorted(units.items(), key=lambda entry: order[entry[1].source])), fliers


def _spec(book: AfrBook, unit: Unit, name: str, key: str, number: int, figures: int, colour: str) -> UnitSpec:
    profile = book.profiles[key]
    crewed = profile.arm in ("artillery", "machine_gun", "vehicle")
    missile = crewed or book.file.mapping.missiles[unit.weapon]
    firearms = figures if crewed or unit.share == 1 else max(1, int(unit.share * figures + HALF))
    listed = 0 if profile.arm == "pack" else 1
    points = (unit.points or 0 if number == 0 else 0) if profile.arm == "pack" else listed
    return UnitSpec(
        id=name if number == 0 else f"{name}_{number + 1}",
        name=unit.name if number == 0 else f"{unit.name} {number + 1}",
        side=unit.side,
        key=key,
        profile=profile,
        colour=colour,
        figures=figures,
        firearms=firearms,
        missile=missile,
        foot=book.profiles[profile.on_foot] if profile.on_foot else None,
        lancers=key == "cav_a" and unit.close_weapon == "lance",
        points=points,
        source=name,
    )


def commanders(book: AfrBook, scenario: Scenario, units: Mapping[str, UnitSpec]) -> dict[str, CommanderSpec]:
    found: dict[str, CommanderSpec] = {}
    for name, leader in scenario.leaders.items():
        rank = book.file.mapping.ranks[leader.rank]
        civilian = leader.non_combatant
        points = leader.points if civilian and leader.points is not None else 1
        found[name] = CommanderSpec(
            name, leader.name, leader.side, rank == "officer", leader.mounted, civilian, not civilian, points
        )
    for side in scenario.sides:
        led = any(spec.side == side for spec in found.values())
        if not led and any(spec.side == side for spec in units.values()):
            found[f"{side}_nco"] = CommanderSpec(f"{side}_nco", "the senior NCO", side, officer=False)
    return found
