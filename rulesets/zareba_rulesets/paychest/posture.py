"""Posture in hard cover: up, or down and out of sight (PAY-086)."""

from __future__ import annotations

from zareba.table import Table
from zareba_rulesets.paychest.battle import Battle
from zareba_rulesets.paychest.contact import foes_near, in_contact
from zareba_rulesets.paychest.units import Figure, Unit

__all__ = ["postures", "raise_touched", "set_postures"]

UP, DOWN, EACH = "up", "down", "man by man"


def postures(battle: Battle, unit: Unit) -> list[Figure]:
    """The figures that may rise or duck: able, in hard cover, not touching an enemy (PAY-086)."""
    if not battle.field.has_cover_near(unit.box):
        return []
    found = []
    for figure in unit.able:
        assert figure.at is not None, "able figures are on the table"
        shelters = battle.field.shelters(figure.at, battle.radius(figure))
        if any(shelter.cover == "hard" for shelter in shelters):
            found.append(figure)
    foes = foes_near(battle, unit)
    return [figure for figure in found if not in_contact(battle, figure, foes)]


def set_postures(table: Table, battle: Battle, unit: Unit) -> None:
    """Everybody is up; those in hard cover may get down till the unit's next move step (PAY-086)."""
    for figure in unit.figures.values():
        if DOWN in figure.marks:
            figure.unmark(DOWN)
    sheltered = postures(battle, unit)
    if not sheltered:
        return
    side, actor = unit.spec.side, unit.spec.id
    options = [UP, DOWN, EACH] if len(sheltered) > 1 else [UP, DOWN]
    chosen = table.choose(side, options, why="posture", rule="PAY-086", actor=actor)
    for figure in sheltered:
        posture = chosen
        if chosen == EACH:
            posture = table.choose(side, [UP, DOWN], why="posture", rule="PAY-086", actor=figure.spec.id)
        if posture == DOWN:
            figure.mark(DOWN)


def raise_touched(battle: Battle, unit: Unit) -> None:
    """Enemies whom a unit has come to touch get up (PAY-086)."""
    for foe in foes_near(battle, unit):
        down = [figure for figure in foe.able if DOWN in figure.marks and in_contact(battle, figure, [unit])]
        for figure in down:
            battle.change_figure(figure.spec.id).unmark(DOWN)
