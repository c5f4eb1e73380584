"""Where one unit stands: what fire, danger, nerve and ground come to at the places it may go to, for commanders with sense."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property

from zareba.base.exact import cosd, dist
from zareba.space.bearings import direction
from zareba.space.geometry import EPSILON, Point, towards
from zareba_rulesets.risk_factor.book.numbers import Cover
from zareba_rulesets.risk_factor.chapters.actions.risk import RiskFacts, Surroundings, risk_facts
from zareba_rulesets.risk_factor.chapters.movement.paths import allowance
from zareba_rulesets.risk_factor.evaluation.expected_losses import MAN, cover_against, may_fire, rate_of, shaken
from zareba_rulesets.risk_factor.evaluation.objectives import ObjectivePull, Objectives, ObjectivesView
from zareba_rulesets.risk_factor.evaluation.threats import Threats
from zareba_rulesets.risk_factor.forces.battle import BACKWARD, Battle, Unit
from zareba_rulesets.risk_factor.forces.weapons import action_table

__all__ = ["BREAKS", "FEAR", "Position"]

FEAR = 0.9  # how much of the losses expected at a place counts against standing there
LAST = 8.0  # what the last group costs that goes back, for its side is then beaten (RSK-183)
BREAKS = 0.5  # how much of a unit is as good as lost when it goes back


class Position:
    """A unit in one position of everybody.

    `battle` and `unit` are those of the question that is appraised; what was found out about places and about the unit's
    Risk Factor is kept from one question to the next, for its owner drops it when anybody moves.
    """

    def __init__(self, battle: Battle, unit: Unit, aims: Objectives, foes: Threats, outlook: ObjectivesView) -> None:
        self.aims = aims
        self.foes = foes
        self.posts = foes.seen_from(unit)
        self.outlook = outlook
        self.sheet = action_table(battle, unit)
        self._edge = cosd(battle.book.settings.rf_front_half_arc)
        self._risks: dict[tuple[bool, bool, bool], int] = {}

    def ask(self, battle: Battle, unit: Unit, alone: float, around: Callable[[], Surroundings]) -> None:
        """Begin with another question.

        `alone` is the chance that all other groups of the side go back first; `around` looks round for its whole side.
        """
        self._around = around
        self.alone = alone
        self.battle, self.unit = battle, unit
        self.move = allowance(battle, unit, False)
        self._rates: dict[tuple[float, bool], float] = {}
        for name in ("engaged", "fear", "clear"):
            self.__dict__.pop(name, None)

    # --- nerve ----------------------------------------------------------------------------------------------------------------

    def nerve(
        self,
        end: Point,
        facing: float,
        lost: float,
        *,
        covered: bool = False,
        advancing: bool = False,
        worse: float = 0.0,
    ) -> float:
        """What the unit is likely to lose by going back at its next throw, if it then stands so (Table R).

        Retreat and Rout bind everybody, and whoever is near the edge of the table leaves it (RSK-145).
        """
        battle, unit = self.battle, self.unit
        in_cover = covered and (self.facts.in_cover or end != unit.body.centre)
        risk = self._risk(in_cover, advancing, any(self._outside(facing, end)))
        hits = 0.0 if unit.spec.leader else 10 * (unit.casualties + 0.7 * lost / MAN) / max(1, unit.original)
        likely = risk + hits + worse
        share = (shaken(battle, self.sheet, likely) + shaken(battle, self.sheet, likely + 1)) / 2
        if not share:
            return 0.0
        last = 0.0 if unit.spec.leader else LAST * self.alone
        return share * (unit.count * MAN * (BREAKS + self.leaves(end)) + last)

    @cached_property
    def engaged(self) -> list[Unit]:
        """The enemies in contact with the unit."""
        return self.battle.touching(self.unit)

    @cached_property
    def facts(self) -> RiskFacts:
        """What bears on the unit's Risk Factor now."""
        return risk_facts(self.battle, self.unit, self._around())

    def _risk(self, in_cover: bool, advancing: bool, flank: bool) -> int:
        """The Risk Factor that the unit will have when nothing else changes, its losses and melees apart."""
        key = in_cover, advancing, flank
        known = self._risks.get(key)
        if known is None:
            found = replace(
                self.facts,
                in_cover=in_cover,
                advancing=advancing,
                flank=flank,
                routing=False,
                worse=False,
                casualties=0,
            )
            known = self._risks[key] = self.battle.book.rules.tally("risk_factor", found, self.battle, self.unit).total
        return known

    def leaves(self, end: Point) -> float:
        """1 if a unit that goes back from a place, away from the nearest enemy, crosses the edge; else 0."""
        back = self.foes.way_back(end, self.move)
        return 0.0 if back is None or self.battle.field.on_table(back) else 1.0

    def cracks(self, unit: Unit, lost: float, worse: float) -> float:
        """How much likelier a unit goes back after losing so many men, and a round of melee perhaps."""
        now = 10 * unit.casualties / max(1, unit.original)
        then = now + 10 * (lost / MAN) / max(1, unit.original) + worse
        sheet = action_table(self.battle, unit)
        return shaken(self.battle, sheet, then) - shaken(self.battle, sheet, now)

    # --- parts --------------------------------------------------------------------------------------------------------------

    @cached_property
    def pull(self) -> ObjectivePull:
        """What draws the unit to places."""
        return ObjectivePull(self.aims, self.battle, self.unit, self.outlook)

    @property
    def cover(self) -> Point | None:
        """The nearest cover within a move."""
        return self.posts.cover(self.battle, self.unit)

    @property
    def shelter(self) -> Point | None:
        """Cover within a move, for a unit that has none."""
        bare = bool(self.battle.field.covers) and not self.battle.field.sheltered[self.unit.body]
        return self.cover if bare else None

    def flanked(self, facing: float, at: Point | None = None) -> int:
        """How many enemies in sight stand outside the front of the unit facing so, where it is or at a place."""
        return sum(self._outside(facing, at or self.unit.body.centre))

    def _outside(self, facing: float, at: Point) -> Iterator[bool]:
        """For each enemy in sight from a place, whether he stands outside the front: ahead by less than its half arc."""
        x, y = at
        ahead_x, ahead_y = direction(facing)
        least = self._edge
        return (
            (ex - x) * ahead_x + (ey - y) * ahead_y < least * dist(at, (ex, ey)) - EPSILON
            for ex, ey in self.foes.in_sight
        )

    def fire(self, at: Point, moved: float, commanded: bool) -> float:
        """The best that the unit's fire can do this turn from a place, after moving that share of its allowance."""
        rate = self._rate(moved, commanded)
        return self.posts.fire(self.foes, self.battle, self.unit, at, rate) if rate else 0.0

    def _rate(self, moved: float, commanded: bool) -> float:
        """The share of the men that may shoot after moving that share of their allowance; 0: none."""
        key = moved, commanded
        known = self._rates.get(key)
        if known is None:
            may = may_fire(self.battle, self.unit, commanded, moved)
            known = self._rates[key] = rate_of(self.battle, self.unit, commanded, moved > 0) if may else 0.0
        return known

    def fire_at_best(self, moved: float) -> float:
        """The most that the fire of the unit under orders can do from anywhere."""
        rate = self._rate(moved, True)
        return max(self.foes.fire_of(self.battle, self.unit, rate).most, default=0.0) if rate else 0.0

    def danger(self, at: Point, cover: Cover = "open") -> float:
        """The losses to be expected at a place."""
        return self.posts.danger(self.foes, self.battle, self.unit, at, cover)

    @cached_property
    def fear(self) -> float:
        """The losses that count against the unit where it stands, in whatever cover it has."""
        battle, unit = self.battle, self.unit
        cover: Cover = "open"
        if battle.field.shelters[unit.body]:
            enemies = [e for e in battle.against(unit.spec.side) if not e.spec.leader and e.status not in BACKWARD]
            found = battle.nearest(unit, enemies)
            cover = cover_against(battle, unit, found[0].body.centre) if found is not None else "open"
        return FEAR * self.danger(unit.body.centre, cover)

    def end_of(self, goal: Point, moved: float) -> Point:
        """Where the unit's centre comes to on its way to a point."""
        centre = self.unit.body.centre
        return towards(centre, goal, min(self.move * moved, dist(centre, goal)))
