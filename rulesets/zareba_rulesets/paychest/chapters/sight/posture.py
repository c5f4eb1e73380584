"""Figures in hard cover: which may lie down out of sight, and when they must get up (PAY-086)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from zareba.table import Table
from zareba_rulesets.paychest.chapters.sight.contact import foes_near, in_contact
from zareba_rulesets.paychest.chapters.sight.cover import in_hard_cover
from zareba_rulesets.paychest.forces.battle import Battle, Engine
from zareba_rulesets.paychest.forces.units import Figure, Unit

__all__ = ["DOWN", "figures_that_may_duck", "raise_touched", "report_posture"]

DOWN = "down"
"""The mark of a figure that is out of sight in cover."""


def figures_that_may_duck(battle: Battle, unit: Unit) -> list[Figure]:
    """Return the figures that may rise or duck: able, in hard cover and not touching an enemy (PAY-086)."""
    return _figures_in_shelter(battle, unit, unit.able)


def _figures_in_shelter(battle: Battle, unit: Unit, figures: Sequence[Figure]) -> list[Figure]:
    """Return the figures in hard cover that touch no enemy, of some able figures of a unit."""
    sheltered = in_hard_cover(battle, unit, figures)
    foes = foes_near(battle, unit) if sheltered else []
    return [figure for figure in sheltered if not foes or not in_contact(battle, figure, foes)]


def report_posture(table: Table, unit_id: str, kind: str, men: int) -> None:
    """Report how many figures of a unit got down or rose, if any."""
    if men:
        table.emit(kind, "PAY-086", unit=unit_id, figures=men)


def raise_touched(table: Table, battle: Battle, unit: Unit) -> None:
    """Raise enemies that a unit now touches, and figures that a departed wagon has left without cover (PAY-086)."""
    down = {
        figure.spec.id: foe.spec.id
        for foe in foes_near(battle, unit)
        for figure in foe.able
        if DOWN in figure.marks and in_contact(battle, figure, [unit])
    }
    if any(_has_driven(battle, engine) for engine in battle.engines.values()):
        for other_id, other in battle.units.items():
            hiding = [figure for figure in other.able if DOWN in figure.marks]
            if hiding:
                sheltered = {figure.spec.id for figure in _figures_in_shelter(battle, other, hiding)}
                down |= {figure.spec.id: other_id for figure in hiding if figure.spec.id not in sheltered}
    for key in down:
        battle.change_figure(key).unmark(DOWN)
    for unit_id, men in Counter(down.values()).items():
        report_posture(table, unit_id, "gets up", men)


def _has_driven(battle: Battle, engine: Engine) -> bool:
    """Return True if a conveyance may have left figures without cover: it has moved recently or is gone."""
    return (engine.moved != "halt" or engine.at is None) and engine.kind in battle.book.file.conveyances
