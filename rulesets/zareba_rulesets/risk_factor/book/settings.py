"""The settings of a session with their types."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Settings"]


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a session with their types; names and meanings as in `ruleset.yaml`, dots as underscores."""

    turn_first_side: str
    rf_superior: str
    loyalty_native_service: str
    weapons_long_arm_melee: str
    weapons_sling: str
    bases_foot_cm: float
    bases_mounted_cm: float
    groups_coherency: str
    groups_merge_strength: str
    command_busy_penalty: str
    command_musician: str
    command_enclosed_test: str
    command_disloyal_router_cost: int
    command_link_cost: str
    command_pool: str
    command_loyalty_via: str
    pc_successor: str
    movement_mounted_wounded: float
    movement_mounted_rough: str
    movement_barrier_cost: str
    shooting_no_volley_scope: str
    shooting_fraction: str
    shooting_uncommanded_loading: str
    shooting_split_fire: bool
    shooting_start_loaded: bool
    shooting_hand_hurled: str
    shooting_charge_throw: bool
    shooting_range_by: str
    shooting_at_engaged: str
    shooting_group_cover: str
    shooting_allocation: str
    shooting_allocate_to: str
    los_near_object: str
    rf_or_lines: str
    rf_in_range_of: str
    rf_casualty_rounding: str
    rf_lone_leader_casualties: str
    rf_front_half_arc: int
    rf_cavalry_needs_sight: bool
    rf_melee_window: str
    actions_die_modifier: int
    actions_blue: tuple[str, ...]
    actions_start: str
    actions_fortified_hold: str
    actions_platoon_roll: str
    actions_pc_rolls: str
    attack_native_bonus_when_commanded: bool
    rout_escape_gap: int
    visibility_fired: str
    woods_look_depth: float
    woods_fire_depth: float
    prisoners_capture_contacted_routers: bool
    prisoners_killers: str
    prisoners_rescue: bool
    melee_step_up_cm: float
    melee_max_contact: int
    melee_raw_and_outnumbered: str
    melee_multi: str
    melee_hit_die: str
    melee_result_measure: str
    melee_leaders: str
    victory_stay_in_cover_counts: bool
    victory_lone_leaders_count: bool
    hidden_use: str
    hidden_dummies_rounding: str
    hidden_reveal: str
    extensions_support_weapons: str
    scenario_cm_per_inch: float
    scenario_squad_size: int
    scenario_camels_are_cavalry: bool
