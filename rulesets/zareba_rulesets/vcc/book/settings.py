"""The settings of a session as typed fields."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

__all__ = ["Settings"]


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a session with their types; names and meanings as in `ruleset.yaml`."""

    box_inches: int
    diagonal_move: str
    diagonal_range: Fraction
    stack_points: int
    figures_per_base_infantry: int
    figures_per_base_cavalry: int
    d3_method: str
    dervish_foot_applies_to: str
    dismount: str
    gun_move_memory: str
    pivot_counts_as_move: str
    charge_facing: str
    contact_pins: bool
    terrain_movement: str
    square_may_move: bool
    square_fire: str
    voluntary_prone: str
    rocket_los_required: bool
    rocket_drift: str
    fire_includes_leader_base: bool
    mounted_fire: bool
    fire_into_contact: str
    mg_overheat: str
    hits_per_base: int
    leader_hit_trigger: str
    leader_death_removes_base: bool
    max_supports: int
    melee_morale: str
    morale_trigger: str
    flanked_by: str
    veteran_as: str
    rally_method: str
    rally_then_move: bool
    commander_at_risk: str
    withdrawal_share_british: float | str
    withdrawal_share_native: float | str
