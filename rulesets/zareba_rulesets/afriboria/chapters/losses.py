"""Figures and commanders lost (AFR-050, AFR-184, AFR-204 to AFR-206, AFR-225)."""

from __future__ import annotations

from typing import Literal

from zareba.table import Table
from zareba_rulesets.afriboria.chapters.victory import score
from zareba_rulesets.afriboria.forces.battle import Battle
from zareba_rulesets.afriboria.forces.pieces import OFF, Commander, Flier, Unit

Cause = Literal["fire", "melee", "morale", "other"]


def lose_figures(
    table: Table, battle: Battle, unit: Unit, count: int, cause: Cause, rule: str, cell: int | None = None
) -> None:
    """Remove figures, those without firearms first (AFR-038); from a spread unit in the hex `cell` or its fullest one
    (AFR-205).

    A gun goes with its last figure (AFR-185). A destroyed unit scores for the other side (AFR-050, AFR-204, AFR-217).
    """
    count = min(count, unit.figures)
    if not count or unit.hex == OFF:
        return
    unit.figures -= count
    unit.firearms = min(unit.firearms, unit.figures)
    table.emit("loss", rule, unit=unit.spec.id, side=unit.spec.side, lost=count, left=unit.figures, cause=cause)
    if unit.sections and unit.figures:
        _lose_from_sections(battle, unit, count, cell)
    if unit.figures == 0:
        remove(table, battle, unit, "destroyed", rule)


def _lose_from_sections(battle: Battle, unit: Unit, count: int, cell: int | None) -> None:
    """Take figures from the section in `cell`, else from the fullest one (AFR-205)."""
    for _ in range(count):
        at = (
            cell
            if cell in unit.sections
            else max(unit.sections, key=lambda section: (unit.sections[section], -section))
        )
        assert at is not None, "a unit with figures has a section"
        unit.sections[at] -= 1
        if unit.sections[at] == 0:
            battle.drop_section(unit, at)
    if len(unit.sections) == 1:
        unit.sections = {}


def remove(table: Table, battle: Battle, unit: Unit, why: str, rule: str) -> None:
    """Take a unit off the table for good and score it. Its company goes on without it; objects it carried stay in its
    hex.
    """
    for carried_object in battle.carried_objects.values():
        if carried_object.carrier == unit.spec.id:
            carried_object.hex = unit.hex
    if unit.figures:
        table.emit("loss", rule, unit=unit.spec.id, side=unit.spec.side, lost=unit.figures, left=0, cause="morale")
    battle.move(unit, OFF)
    battle.gone[unit.spec.id] = why
    battle.quit_company(unit)
    table.emit("destroyed", rule, unit=unit.spec.id, side=unit.spec.side, how=why)
    score(table, battle, battle.field.enemy(unit.spec.side), unit.spec.points, unit.spec.name)


def lose_commander(table: Table, battle: Battle, commander: Commander, why: str, rule: str, cause: Cause) -> None:
    """Eliminate a commander, with a point for the enemy (AFR-050).

    A killed character is only wounded (AFR-225), but he is lost if he leaves the field.
    """
    if commander.spec.character and why == "killed":
        commander.mark("wounded")
        table.emit("wounded", "AFR-225", unit=commander.spec.id, side=commander.spec.side)
        return
    remove_commander(battle, commander, why)
    table.emit("loss", rule, unit=commander.spec.id, side=commander.spec.side, lost=1, left=0, cause=cause)
    table.emit("commander lost", rule, unit=commander.spec.id, side=commander.spec.side, how=why)
    enemy = battle.field.enemy(commander.spec.side)
    score(table, battle, enemy, commander.spec.points, commander.spec.name)


def remove_commander(battle: Battle, commander: Commander, why: str) -> None:
    """Take a commander off the table for good; his company ends with him (AFR-122)."""
    battle.place(commander, OFF)
    battle.gone[commander.spec.id] = why
    for key, company in list(battle.companies.items()):
        if company.officer == commander.spec.id:
            for member in company.members:
                battle.units[member].company = ""
                battle.units[member].unmark("company")
            del battle.companies[key]


def shoot_down(table: Table, battle: Battle, flier: Flier, why: str, rule: str) -> None:
    """Remove an aircraft or airship and score its points for the enemy (AFR-279, AFR-291)."""
    battle.gone[flier.spec.id] = why
    flier.hex, flier.airborne, flier.strength = OFF, False, 0
    table.emit("loss", rule, unit=flier.spec.id, side=flier.spec.side, lost=1, left=0, cause="fire")
    table.emit("flier lost", rule, unit=flier.spec.id, side=flier.spec.side, how=why)
    score(table, battle, battle.field.enemy(flier.spec.side), flier.spec.points, flier.spec.name)
