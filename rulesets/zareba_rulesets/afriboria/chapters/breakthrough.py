"""Breakthrough (chapter 16)."""

from __future__ import annotations

from zareba.rules import procedure
from zareba.table import Table
from zareba_rulesets.afriboria.chapters.combat import attackable_units, fight_unit
from zareba_rulesets.afriboria.chapters.sight import set_exposure
from zareba_rulesets.afriboria.forces.battle import Battle, may_enter
from zareba_rulesets.afriboria.forces.companies import is_bound, keeps_together
from zareba_rulesets.afriboria.forces.pieces import OFF, Commander, Flier, Unit

HOLD, _ADVANCE, _TOGETHER = "stay", "advance", "advance with the commander"


def may_break_through(battle: Battle, unit: Unit, cell: int) -> bool:
    """Return True if a unit may follow into a hex that close combat has emptied (AFR-251, AFR-252), also up a ladder
    (AFR-331).

    Guns, machine guns and vehicles never do (AFR-253). The ground must admit the unit (AFR-254).
    """
    if unit.hex == OFF or unit.sections or not unit.profile.storms or cell not in battle.field.neighbours[unit.hex]:
        return False
    if cell in battle.here or cell in battle.chiefs or battle.held_by_enemy(cell, unit.spec.side):
        return False
    return may_enter(battle, cell, unit.spec.side, unit.profile.walks, unit.hex)


@procedure("battle.breakthrough")
def break_through(table: Table, battle: Battle, unit: Unit, cell: int, driven: Unit | Commander | Flier) -> None:
    """Enter the emptied hex, whatever the unit has already moved (AFR-258), with or without its commander.

    Mounted troops may then fight the unit they drove off once more, without another follow-up (AFR-255); dismounted
    troops may not (AFR-256). `driven` was destroyed if it is off the table.
    """
    if not may_break_through(battle, unit, cell):
        return
    chief = battle.commander_of(unit)
    options = [HOLD, _ADVANCE]
    side = unit.spec.side
    if chief is not None and _goes_along(battle, unit, chief, cell):
        options.append(_TOGETHER)
    choice = table.choose(side, options, why="breakthrough", rule="AFR-251", actor=unit.spec.id, about=(cell,))
    if choice == HOLD:
        return
    battle.move(unit, cell)
    commander_id = ""
    if choice == _TOGETHER and chief is not None:
        battle.place(chief, cell)
        commander_id = chief.spec.id
    table.emit("breakthrough", "AFR-251", unit=unit.spec.id, hex=cell, chief=commander_id)
    set_exposure(table, battle, unit)
    if battle.ground(cell).no_battle and "guided" not in unit.marks:
        unit.mark("no_battle")
        return
    if unit.profile.arm == "mounted" and "unexposed" not in unit.marks:
        _fight_on(table, battle, unit, driven)


def _goes_along(battle: Battle, unit: Unit, chief: Commander, cell: int) -> bool:
    """Return True if the unit's commander may go with it.

    He may not enter ground closed to him, nor leave his company: only units leave it by a breakthrough (AFR-116,
    AFR-119).
    """
    if is_bound(battle, chief) or not keeps_together(battle, chief, cell, unit):
        return False
    return may_enter(battle, cell, unit.spec.side, unit.profile.walks and not chief.spec.mounted, unit.hex)


def _fight_on(table: Table, battle: Battle, unit: Unit, driven: Unit | Commander | Flier) -> None:
    """Let mounted troops fight once more after a breakthrough, if the owner wants (AFR-255)."""
    cells = _second_targets(battle, unit, driven)
    if not cells:
        return
    options: list[int | str] = [*cells, HOLD]
    only = driven if isinstance(driven, Unit) and driven.hex != OFF else None
    about = () if only is None else (only.spec.id,)
    choice = table.choose(
        unit.spec.side, options, why="fight on against", rule="AFR-255", actor=unit.spec.id, about=about
    )
    if isinstance(choice, int):
        fight_unit(table, battle, unit, choice, only)


def _second_targets(battle: Battle, unit: Unit, driven: Unit | Commander | Flier) -> list[int]:
    """Return the hexes that mounted troops may fight after a breakthrough (AFR-164, AFR-255): that of the unit they
    drove off.

    A lone commander is never a second target.
    """
    battled = unit.battled
    if driven.hex != OFF:
        if not isinstance(driven, Unit) or driven.hex not in battle.field.neighbours[unit.hex]:
            return []
        unit.battled = tuple(name for name in battled if name != driven.spec.id)
        hexes = attackable_units(battle, unit, unit.hex, driven.hex)
        return [driven.hex] if any(target is driven for target in hexes) else []
    if battle.book.settings.breakthrough_target == "same_unit":
        return []
    near = [
        cell
        for cell in battle.field.neighbours[unit.hex]
        if battle.held_by_enemy(cell, unit.spec.side) and cell in battle.here
    ]
    return [cell for cell in near if attackable_units(battle, unit, unit.hex, cell)]
