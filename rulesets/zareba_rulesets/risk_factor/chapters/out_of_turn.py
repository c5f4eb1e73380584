"""Fire out of turn, for house rules: a volley with the unit's current rate of fire and loading."""

from __future__ import annotations

from zareba.table import Table
from zareba_rulesets.risk_factor.chapters.shooting import fire_at
from zareba_rulesets.risk_factor.chapters.targets import may_shoot, possible_targets
from zareba_rulesets.risk_factor.forces import Battle, Unit


def targets_out_of_turn(battle: Battle, unit: Unit) -> list[Unit]:
    """Return the enemies that a unit sees in range of a weapon that it may use (RSK-085, RSK-088)."""
    return possible_targets(battle, unit) if may_shoot(battle, unit) else []


def shoot_out_of_turn(table: Table, battle: Battle, unit: Unit, target: Unit) -> bool:
    """Fire with every figure that has a clear shot (RSK-094). Return True if any figure fired."""
    return bool(fire_at(table, battle, unit, target))
