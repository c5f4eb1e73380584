"""The numbers of the ruleset, prepared for play."""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

from zareba.chance import SUM, Counts, distribution
from zareba.rules import CompiledBook, Rules
from zareba.space.lazy import Lazy
from zareba_rulesets.paychest.book.tables import COLUMNS, DIE, Band, Passing, PaychestFile, Weapon

_DISABLING = ("killed", "unconscious", "crippled_leg")
"""Results of a casualty card that put a figure out of the fight."""

_EFFECTIVE_SHARE = 0.9
"""The share of disabling hits that count, an estimate for AI players."""


def at_most(score: int) -> Counts:
    """Return a reading of six-sided dice (PAY-009): how many show `score` or less, as a tuple of one number."""
    return Counts((frozenset(range(1, score + 1)),))


class Limits(NamedTuple):
    """Two limits of a weapon's range, in inches."""

    medium: float
    extreme: float


class PaychestBook(CompiledBook[PaychestFile]):
    """The numbers of a game under these rules."""

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules, PaychestFile)
        file = self.file
        self.contact = float(file.contact.inches)
        self.mixed_cover = float(file.mixed_cover.share)
        self.held_within = float(file.held_within.inches)
        self.bases = {name: base.inches / 2 for name, base in file.bases.items()}
        self.open_ground_cost = {column: float(file.terrain["open"].cost(column) or 0.0) for column in COLUMNS}

        self.blades = frozenset(file.blades.weapons)
        self.cards = file.casualty_cards
        self.exposed_locations = {name: frozenset(entry.locations) for name, entry in file.exposure.items()}
        self.movers = file.movers
        self.results = file.results
        self.rank_order = {name: (rank.line, index) for index, (name, rank) in enumerate(file.ranks.items())}
        self.leader_ranks = frozenset(name for name, rank in file.ranks.items() if rank.leader)
        self.bands = {name: _bands(weapon) for name, weapon in file.weapons.items()}
        self.has_range_lines = rules.changes("range")
        self.ranges = {name: bands[-1][1] for name, bands in self.bands.items()}
        self.most_shots = {name: weapon.shots_at_most for name, weapon in file.weapons.items()}
        self.inches_per_die = self._inches_per_die()
        # chances of a shot in each range band, by weapon, skill and gait; used by AI players
        self.chances: dict[tuple[str, int, str], tuple[tuple[float, float], ...]] = {}
        # value of a unit's fire by gait and arms; used by AI players
        self.fire_by_range_cache: dict[tuple[Any, ...], tuple[tuple[float, ...], tuple[float, ...]]] = {}
        self.best_firearm: Lazy[tuple[tuple[str, ...], int], str] = Lazy(self._furthest)
        self.second_morale = {
            kind: {int(roll): row.result for roll, row in rows.items()} for kind, rows in file.second_morale.items()
        }
        self.result_rows = {kind: _rows(rows) for kind, rows in self.second_morale.items()}

    def _furthest(self, key: tuple[tuple[str, ...], int]) -> str:
        """Return the longest-ranged of some weapons, one-handed only if an arm is smashed (PAY-103, PAY-121), or ""."""
        weapons, smashed = key
        best, reach = "", 0.0
        for weapon in weapons:
            if self.ranges.get(weapon, 0.0) > reach and not (smashed and self.file.weapons[weapon].hands > 1):
                best, reach = weapon, self.ranges[weapon]
        return best

    def _inches_per_die(self) -> float:
        """Return the average inches that a movement die gives (PAY-068)."""
        fixed = self.settings.movement_method == "fixed"
        return float(self.file.fixed_inches_per_die.inches) if fixed else (1 + DIE) / 2

    @cached_property
    def disabling_share(self) -> float:
        """The share of the casualty cards that kill a figure, knock it out or stop it from walking (PAY-116)."""
        copies = sum(card.copies for card in self.cards.values() if card.result in _DISABLING)
        total: int = sum(card.copies for card in self.cards.values())
        return copies / total

    @cached_property
    def out_chance(self) -> float:
        """The chance, in whole percent, that a hit puts a figure out of the fight.

        Some of the disabling hits fall on figures that were already unable to walk.
        """
        return round(_EFFECTIVE_SHARE * self.disabling_share, 2)

    @cached_property
    def leader_loss_fails(self) -> float:
        """The chance that a unit fails its roll for the loss of its leader (PAY-128)."""
        return _chance_to_fail(self.file.leader_loss)

    @cached_property
    def long_arm(self) -> Limits:
        """Medium and extreme range of the weapon that reaches farthest of those that a figure fires alone (PAY-026)."""
        fired_alone = [name for name, weapon in self.file.weapons.items() if weapon.hands]
        return self._limits(max(fired_alone, key=self.ranges.__getitem__, default=""))

    @cached_property
    def shell(self) -> Limits:
        """Medium and extreme range of a gun (PAY-180)."""
        return self._limits("shell")

    def _limits(self, weapon: str) -> Limits:
        """Return the medium and extreme range of a weapon; 0 for one that the game does not have."""
        limits = [limit for _, limit in self.bands.get(weapon, ())]
        return Limits(limits[1], limits[-1]) if limits else Limits(0.0, 0.0)

    def radius(self, base: str) -> float:
        """Return the radius of a base: foot, mounted, gun or conveyance (PAY-007)."""
        return self.bases[base]

    def full_deck(self) -> dict[str, int]:
        """Return the 52 casualty cards by class (PAY-116)."""
        return {name: card.copies for name, card in self.cards.items()}


def _chance_to_fail(roll: Passing) -> float:
    """Return the chance that a roll of several dice fails."""
    ways = distribution(roll.dice, DIE, SUM)
    failures = sum(count for total, count in ways.items() if total < roll.passes_at)
    return float(failures / DIE**roll.dice)


def _bands(weapon: Weapon) -> tuple[tuple[Band, float], ...]:
    """Return the range bands that a weapon has, nearest first, with their limits."""
    bands: tuple[tuple[Band, Any], ...] = (("short", weapon.short), ("medium", weapon.medium), ("long", weapon.long))
    return tuple((name, float(limit)) for name, limit in bands if limit is not None)


def _rows(results: dict[int, str]) -> dict[str, int]:
    """Return the row of each result, 1 the worst. A rout off the table is worse than row 1 (PAY-169)."""
    rows: dict[str, int] = {"rout_4d6_off_board": 0}
    for row, result in sorted(results.items()):
        rows.setdefault(result, row)
    return rows
