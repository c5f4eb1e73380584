"""The settings of a session."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Settings"]


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a session with their types; names and meanings as in `ruleset.yaml`.

    Settings in parts are tuples of the parts that are on (faces) or a dict (siege values).
    """

    hex_cm: int
    stacking: str
    fastplay: str
    fastplay_flag_saves: str
    event_cards: str
    hand_size: int
    solo_cards: str
    die_display: str
    excess_hits: str
    defence_faces: str
    defence_terrain: str
    officer_die_in_defence: bool
    flag_save_faces: str
    double_fire_targets: str
    partial_firearms_scope: str
    mg_counts_as_artillery: bool
    mg_horse_move_fire: str
    jam_flags: str
    dismounted_move: str
    company_battle: str
    terrain_stack: str
    hill_vs_hill: str
    contiguous_hill_los: str
    minus_defender: str
    commander_flags: str
    commander_save_count: str
    air_hit_faces: tuple[str, ...]
    airship_hit_faces: tuple[str, ...]
    air_dice_range3: int
    air_save: str
    siege_values: dict[str, int]
    vp_quota: str
    breakthrough_target: str
    wall_second_fire: str

    @property
    def room(self) -> int:
        """Units of one side that a hex holds, whatever its size (AFR-081, AFR-296, AFR-297)."""
        return 1 if self.stacking == "one_unit" else 2

    @property
    def defends(self) -> bool:
        """Whether there are defence dice; fast play may leave out saving throws alone (AFR-016)."""
        return self.fastplay != "on"

    @property
    def saves(self) -> bool:
        """Whether there are saving throws at all (AFR-016)."""
        return self.fastplay == "off"
