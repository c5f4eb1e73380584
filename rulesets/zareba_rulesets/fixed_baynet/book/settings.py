"""The settings of a session (section 25 of the catalogue) as typed attributes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["Settings"]


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a session with their types; names and meanings as in `ruleset.yaml`."""

    initiative_highest: str
    initiative_each_turn: bool
    pass_allowed: bool
    veteran_stats: str
    sign_reading: str
    voluntary_glory_check: bool
    target_order_ac: int
    attacks_per_activation: Any
    move_per: str
    charge_actions: int
    terrain_move: str
    leave_contact: str
    contact_needs_charge: bool
    prone_untargetable: bool
    cluster_stack: bool
    mass_ds_in_cc: bool
    native_regular_square: bool
    foot_fire_arc: int
    cover_passable: str
    high_shooter_cv: str
    trench_along: str
    area_cover_behind: bool
    figures_block_los: bool
    forest_depth_los: Any
    fire_into_melee: bool
    arc_is_total: bool
    fire_cs: str
    natural_12_hits: bool
    natural_1_misses: bool
    leaders_targetable: Any
    counter_attack: str
    melee_reach: str
    cc_adds_cs: bool
    cc_symmetric: bool
    captives: str
    arm_light_bars: str
    medic_heals: str
    half_strength_trigger: str
    same_event_per_turn: Any
    glory_test_timing: str
    glory_floor: str
    glory_cap: Any
    panic_timing: str
    panic_check_target: str
    nearby_inches: float
    nco_may_rally: bool
    heroic_deeds: bool
    panic_row_reads: str
    berserk_targets: str
    turn_rounding: str
    decel_steps: str
    mount_moves_per_turn: int
    mounted_charge_doubles: bool
    contact_excuses_minimum: bool
    thrown_spear_lost: bool
    switch_weapon: str
    squad_size_strict: bool
    flak_armour_ds: int
    crew_ac: str
    min_crew: int
    draught_gait: str
    howitzer_fire: str
    light_gun_range: int
    artillery_damage: str
    burst_marker: str
    blast_hits: str
    deviation_on: str
    indirect_lay_die: bool
    mortar_max_range: int
    mg_salvo_ac: int
    pinned_blocks_charge: bool
    jam_roll: str
    jam_clears: str
    night: bool
    fog: bool
    building_targets: str
    building_critical: str
    bash_die: str
    doorway_cc: str
    angle_rule: str
    native_regular_table: str
