"""The numbers of a session, prepared for play."""

from __future__ import annotations

from zareba.chance import SumBands
from zareba.rules import CompiledBook, Rules
from zareba_rulesets.vcc.book.tables import Failure, VccFile

__all__ = ["VccBook"]


class VccBook(CompiledBook[VccFile]):
    """The numbers of a session under these rules."""

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules, VccFile)
        file = self.file
        self.bands = {name: weapon.limits() for name, weapon in file.weapons.items()}
        self.classes = file.classes
        self.fire_weapons = {phase: frozenset(entry.weapons) for phase, entry in file.fire_phases.items()}
        effects = sorted(file.leader_hits.effects.items(), key=lambda item: item[1].lowest)
        mortal = file.leader_dies_at.wounds
        self.leader_effects = tuple((name, mortal if effect.kills else effect.wounds) for name, effect in effects)
        self.leader_effect_rows = SumBands(tuple(effect.lowest for _, effect in effects[1:]))
        self.failures = sorted(file.failed_morale.items(), key=lambda item: item[1].missed_by)
        self.fire_factors = self._fire_factors()
        self.farthest_retreat = max(line.retreat for _, line in self.failures)

    def _fire_factors(self) -> dict[tuple[str, str], float]:
        """Return how range and cover multiply fire dice (VCC-086, VCC-087, VCC-091, VCC-092)."""
        bands = {band: self.modifier("fire_dice", band, 1.0) for band in ("close", "medium", "long")}
        covers = {cover: self.modifier("fire_dice", f"{cover}_cover", 1.0) for cover in ("none", "soft", "hard")}
        return {(band, cover): bands[band] * covers[cover] for band in bands for cover in covers}

    def failure(self, missed_by: int) -> tuple[str, Failure]:
        """Return the line of failed morale for a margin; the last line covers all larger margins (VCC-154)."""
        return [line for line in self.failures if line[1].missed_by <= missed_by][-1]
