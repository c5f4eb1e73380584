"""The stage of battles: who battles next, against which target, how often, and the consequences.

`engage` picks the target of a unit and `strike` attacks it. Against a unit in a hex that is `fight_unit` in
`combat.py`, which rolls the dice with `attack`, `defend` and `answer_flags` of `exchange.py`. Close combat
is a battle at range 1; these rules have no separate charge.
"""

from __future__ import annotations

from typing import Any

from zareba.table import Table
from zareba_rulesets.afriboria.chapters.air import (
    air_targets,
    anti_air_targets,
    fight_from_air,
    fire_at_flier,
    fire_at_parked,
    parked_targets,
)
from zareba_rulesets.afriboria.chapters.breakthrough import break_through
from zareba_rulesets.afriboria.chapters.combat import (
    attacking_hex,
    fight_commander,
    fight_unit,
    may_battle,
    spend_battle,
    strikes_of,
)
from zareba_rulesets.afriboria.chapters.combat import targets as ground_targets
from zareba_rulesets.afriboria.chapters.siege import bombard, fight_from_wall, structure_targets
from zareba_rulesets.afriboria.forces.battle import Battle
from zareba_rulesets.afriboria.forces.pieces import OFF, Flier, Unit

HOLD = "hold fire"
Target = tuple[str, Any]


def all_targets(battle: Battle, unit: Unit, second: bool = False, *, first: bool = False) -> list[Target]:
    """Return all targets that a unit may battle: on the ground, in the air, structures (AFR-162). `first`: stop at
    one.
    """
    strikes = strikes_of(battle, unit) if battle.structures else None
    targets = ground_targets(battle, unit, second, first=first, strikes=strikes)
    if battle.structures:
        targets += structure_targets(battle, unit, strikes)
    if battle.fliers:
        targets += anti_air_targets(battle, unit) + parked_targets(battle, unit, second)
    return targets


def fighters(battle: Battle) -> list[str]:
    """Return the units and fliers of the active side that may battle now and have a target."""
    names = [
        unit.spec.id
        for unit in battle.side_units(battle.active)
        if ("battle" in unit.marks or "company" in unit.marks)
        and may_battle(battle, unit)
        and all_targets(battle, unit, first=True)
    ]
    for name, flier in battle.fliers.items():
        if flier.spec.side == battle.active and "ordered" in flier.marks and air_targets(battle, flier):
            names.append(name)
    return names


def engage(table: Table, battle: Battle, name: str) -> None:
    """Fight one unit's battle; a double fire is two complete battles (AFR-165, AFR-250).

    Only units that battle in their own turn may break through (AFR-257).
    """
    if name in battle.fliers:
        _engage_from_air(table, battle, battle.fliers[name])
        return
    unit = battle.units[name]
    target = choose_target(table, unit, all_targets(battle, unit))
    if target == HOLD:
        spend_battle(battle, unit)
        return
    if not fight(table, battle, unit, target):
        return
    second_targets = all_targets(battle, unit, second=True)
    if battle.book.settings.double_fire_targets == "different":
        second_targets = [other for other in second_targets if other != target or other[0] == "hex"]
    if second_targets:
        target = choose_target(table, unit, second_targets)
        if target != HOLD:
            strike(table, battle, unit, target)
            unit.shots += 1


def fight(table: Table, battle: Battle, unit: Unit, target: Target) -> bool:
    """Spend a unit's battle on a target. Return True if it may fire a second time."""
    spend_battle(battle, unit)
    close = strike(table, battle, unit, target)
    unit.shots += 1
    return not battle.over and unit.hex != OFF and _fires_twice(battle, unit, close)


def _fires_twice(battle: Battle, unit: Unit, close: bool) -> bool:
    """Return True for A-class foot that neither moved nor dismounted and fired at range 2 or more (AFR-021, AFR-025,
    AFR-165).

    From a wall, the first fire may be at range 1 by setting (AFR-325).
    """
    if not unit.profile.double_fire or unit.moved or "changed" in unit.marks:
        return False
    if unit.sections and unit.profile.arm == "infantry":
        return not close or battle.book.settings.wall_second_fire == "example"
    return not close


def choose_target(table: Table, unit: Unit, options: list[Target]) -> Any:
    """Ask the owner for one of a unit's targets, or to hold fire (AFR-170)."""
    targets: list[Target | str] = [*options, HOLD]
    return table.choose(unit.spec.side, targets, why="battle against", rule="AFR-170", actor=unit.spec.id)


def strike(table: Table, battle: Battle, unit: Unit, target: Target) -> bool:
    """Fight one battle and its consequences. Return True if any of the unit's figures fought in the next hex."""
    kind, goal = target
    if kind == "flier":
        fire_at_flier(table, battle, unit.spec.id, unit.hex, battle.fliers[goal])
        return False
    if kind == "hex" and unit.sections:
        return fight_from_wall(table, battle, unit, goal, second=unit.shots > 0)
    origin = unit.hex
    if kind == "structure":
        cell = goal
        bombard(table, battle, unit, cell)
    elif kind == "parked":
        flier = battle.fliers[goal]
        cell = flier.hex
        if fire_at_parked(table, battle, unit, flier):
            break_through(table, battle, unit, cell, flier)
    elif kind == "commander":
        chief = battle.commanders[goal]
        cell, origin = chief.hex, attacking_hex(battle, unit, chief.hex)
        if fight_commander(table, battle, unit, chief, origin):
            break_through(table, battle, unit, cell, chief)
    else:
        cell = goal
        attacked = fight_unit(table, battle, unit, cell)
        if attacked is not None and not battle.over:
            break_through(table, battle, unit, cell, attacked)
    return battle.field.distance[origin][cell] == 1


def _engage_from_air(table: Table, battle: Battle, flier: Flier) -> None:
    """Let the owner choose the target of a flier and attack it (AFR-294)."""
    options: list[Target | str] = [*air_targets(battle, flier), HOLD]
    target: Any = table.choose(flier.spec.side, options, why="battle against", rule="AFR-294", actor=flier.spec.id)
    flier.mark("acted")
    if target != HOLD:
        strike_from_air(table, battle, flier, target)


def strike_from_air(table: Table, battle: Battle, flier: Flier, target: Target) -> None:
    """Make one attack of a flier, in the air or on the ground."""
    kind, goal = target
    if kind == "flier":
        fire_at_flier(table, battle, flier.spec.id, flier.hex, battle.fliers[goal])
    else:
        fight_from_air(table, battle, flier, kind, goal)
