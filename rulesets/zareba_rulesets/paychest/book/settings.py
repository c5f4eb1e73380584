"""The settings of a session as typed fields."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Settings"]


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a session with their types; names and meanings as in `ruleset.yaml`."""

    double_fire: str
    commander_card: str
    acting_corporal_choice: str
    gait_scope: str
    movement_method: str
    melee_lock: str
    flyers: str
    los_figures_block: str
    group_gap_in: float
    second_shot_target: str
    fire_in_contact: str
    hit_spread: str
    six_misses: bool
    casualty_reshuffle: str
    collapse_at_wounds: int
    unconscious_recovery: str
    remove_irregular_casualties: bool
    morale_counts: str
    leader_loss_regulars: str
    leader_loss_scope: str
    two_to_one_dice: str
    back_turned_melee: int
    melee_excess_spread: str
    retreat_direction: str
    rally_may_act: str
    routers_test: bool
    single_figure_morale: str
    mg_cover_modifier: str
    group_bonus_counts: str
    jam_test: str
    jam_effect: str
    jam_clear: str
    mg_shots_regular: int
    artillery_shots_regular: int
    exposure_check: str
    shock_trigger: str
    recycle_irregulars: str
