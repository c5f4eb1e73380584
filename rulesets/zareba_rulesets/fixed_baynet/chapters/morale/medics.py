"""Medics (FBN-137, FBN-138): their patients and how they heal."""

from __future__ import annotations

from zareba.base.exact import dist
from zareba.chance import AtLeast, named
from zareba.rules import procedure
from zareba.table import Table
from zareba_rulesets.fixed_baynet.forces.battle import Battle, Casualty
from zareba_rulesets.fixed_baynet.forces.formations import note_gaps
from zareba_rulesets.fixed_baynet.forces.places import spot_near
from zareba_rulesets.fixed_baynet.forces.units import Figure, Unit

__all__ = ["heal", "heal_location", "patients"]

MARKER = 0.5


def patients(battle: Battle, figure: Figure) -> list[tuple[str, str]]:
    """Return the patients a medic can heal, as ("fallen", id) or ("wounded", id) (FBN-137).

    He must not have fired in this activation, and heals once in it.
    """
    if figure.spec.role != "medic" or figure.ac < 1 or not figure.able or figure.marks & {"fired", "healed", "served"}:
        return []
    reach = battle.radius(figure) + MARKER + battle.book.contact
    found = [
        ("fallen", casualty.figure)
        for casualty in battle.fallen
        if casualty.curable
        and battle.specs[casualty.figure].side == figure.spec.side
        and "away" not in battle.units[casualty.unit].marks  # a man cannot return to a unit that has left the table
        and _is_beside(battle, figure, casualty, reach)
    ]
    for unit in battle.on_table(figure.spec.side):
        for other in unit.figures.values():
            reach = battle.radius(figure) + battle.radius(other) + battle.book.contact
            if other.locations and other is not figure and _is_beside(battle, figure, other, reach):
                found.append(("wounded", other.spec.id))
    return found


def _is_beside(battle: Battle, figure: Figure, patient: Figure | Casualty, reach: float) -> bool:
    """Return True if a medic touches a patient.

    In one section he reaches everyone; through a wall he reaches no one (FBN-275).
    """
    if figure.place != patient.place:
        return False
    return battle.field.is_sectioned(figure.place) or dist(patient.at, figure.at) <= reach


def _succeeds(table: Table, battle: Battle, figure: Figure) -> bool:
    """Pay 1 AC and return True if the medic succeeds.

    He may not fire in this activation, and rolls a die only by setting.
    """
    figure.ac -= 1
    figure.mark("healed")
    if battle.book.settings.medic_heals == "automatic":
        return True
    medic = battle.book.file.medic
    read, means = AtLeast(medic.lowest), named("he stays down", "he is healed")
    return table.roll(1, medic.die, read, why="heal", rule="FBN-137", actor=figure.spec.id, means=means) > 0


@procedure("medic.heal")
def heal(table: Table, battle: Battle, figure: Figure, fallen: str) -> bool:
    """Heal a fallen soldier: he returns where he fell with 1 wound and his unit's GL, already activated (FBN-137).

    Return False if the medic's roll fails.
    """
    if not _succeeds(table, battle, figure):
        return False
    casualty: Casualty = next(one for one in battle.fallen if one.figure == fallen)
    unit = battle.units.change(casualty.unit)
    battle.fallen = tuple(one for one in battle.fallen if one is not casualty)
    spec = battle.specs[fallen]
    glory = max((other.gl for other in unit.figures.values() if not other.reaction), default=spec.gl)
    man = Figure(0.0, 0.0, 0.0, figure.facing, glory, spec.weapon, mounted=False, place=casualty.place, spec=spec)
    spot = casualty.at if casualty.place else spot_near(battle, casualty.x, casualty.y, battle.radius(man))
    battle.put(man, *spot)
    man.spent = spec.ac  # he counts as activated this turn, even if his unit is not
    unit.figures[fallen] = man
    note_gaps(battle, unit)
    battle.gone.pop(unit.spec.id, None)
    unit.measure()
    table.emit("healed", "FBN-137", unit=unit.spec.id, figure=fallen)
    return True


@procedure("medic.heal_location")
def heal_location(table: Table, battle: Battle, unit: Unit, figure: Figure, patient: Figure) -> bool:
    """Remove one wound effect from a hero, chosen by the healer's owner (FBN-137).

    Return False if the medic's roll fails.
    """
    options = sorted(patient.locations)
    effect = table.choose(unit.spec.side, options, why="heal which wound", rule="FBN-137", actor=figure.spec.id)
    if not _succeeds(table, battle, figure):
        return False
    patient.locations = patient.locations - {effect}
    if effect == "head_light":
        patient.unmark("stunned")
    table.emit("healed", "FBN-137", unit=unit.spec.id, figure=patient.spec.id)
    return True
