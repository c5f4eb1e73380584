"""Fire out of turn, for house rules: one shot with the checks that follow it."""

from __future__ import annotations

from zareba.table import Table
from zareba_rulesets.vcc.chapters.casualties.leaders import resolve_checks
from zareba_rulesets.vcc.chapters.fire.fire import fire
from zareba_rulesets.vcc.chapters.morale.morale import check_morale, checks_after_fire
from zareba_rulesets.vcc.forces.battle import Battle, Unit

__all__ = ["shoot_out_of_turn"]


def shoot_out_of_turn(table: Table, battle: Battle, unit: Unit, target: Unit) -> bool:
    """Fire once, as the unit's fire of this turn; leader checks and the morale check follow at once (VCC-028,
    VCC-037). Return True, because the unit has fired.
    """
    fire(table, battle, unit, target)
    resolve_checks(table, battle, "fire")
    if checks_after_fire(battle, target):
        check_morale(table, battle, target)
    return True
