"""The position of one unit: fire, danger, nerve and ground at the places it may go to. Used by the AI evaluation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import sqrt

from zareba.base.cached_attribute import cached_attribute
from zareba.base.exact import cosd, dist
from zareba.space.bearings import direction
from zareba.space.geometry import EPSILON, Point, towards
from zareba.space.outlines import cut_off
from zareba_rulesets.risk_factor.book import Cover
from zareba_rulesets.risk_factor.chapters.action_throws import RiskFacts, Surroundings, risk_facts
from zareba_rulesets.risk_factor.chapters.movement import allowance, path_to
from zareba_rulesets.risk_factor.estimates.expected_losses import (
    MAN,
    chance_of_going_back,
    cover_against,
    may_fire,
    shooting_rate,
)
from zareba_rulesets.risk_factor.estimates.objectives import ObjectivePull, Objectives, SideObjectives
from zareba_rulesets.risk_factor.estimates.threats import Threats
from zareba_rulesets.risk_factor.forces import BACKWARD, Battle, Unit, action_table

DANGER_WEIGHT = 0.9  # weight of the losses to expect at a place
_LAST_GROUP_COST = 8.0  # cost when the last steady group goes back, because its side is then beaten (RSK-183)
LOST_ON_BREAKING = 0.5  # share of a unit that counts as lost when it goes back


class UnitPosition:
    """A unit in one position of all units.

    `battle` and `unit` belong to the current question. Results about places and the unit's Risk Factor are cached from
    one question to the next; the owner drops the object when a unit moves.
    """

    def __init__(
        self, battle: Battle, unit: Unit, objectives: Objectives, threats: Threats, side_objectives: SideObjectives
    ) -> None:
        self.objectives = objectives
        self.threats = threats
        self.place_estimates = threats.estimates_for(unit)
        self.side_objectives = side_objectives
        self.table_name = action_table(battle, unit)
        self._edge = cosd(battle.book.settings.rf_front_half_arc)
        self._risks: dict[tuple[bool, bool, bool, bool], int] = {}

    def start_question(
        self, battle: Battle, unit: Unit, isolation_chance: float, around: Callable[[], Surroundings]
    ) -> None:
        """Prepare for another question.

        `isolation_chance` is the chance that all other groups of the side go back first. `around` returns the
        surroundings of the side.
        """
        self._around = around
        self.isolation_chance = isolation_chance
        self.battle, self.unit = battle, unit
        self.move = allowance(battle, unit, False)
        self._rates: dict[tuple[float, bool], float] = {}
        for cached in ("enemies_in_contact", "danger_here", "share_with_clear_shot"):
            self.__dict__.pop(cached, None)

    # --- nerve --------------------------------------------------------------------------------------------------------

    def break_cost(
        self,
        end: Point,
        facing: float,
        lost: float,
        *,
        covered: bool = False,
        advancing: bool = False,
        defeat_risk: float = 0.0,
    ) -> float:
        """Return the loss to expect from going back at the next throw, with the unit at `end` (Table R).

        Retreat and Rout bind all troops, and units near the edge of the table leave it (RSK-145).
        """
        battle, unit = self.battle, self.unit
        in_cover = covered and (self.facts.in_cover or end != unit.body.centre)
        comes_under_fire = (
            end != unit.body.centre
            and self.facts.nothing_in_view
            and self.place_estimates.can_be_shot_at(self.threats, battle, unit, end)
        )
        risk = self._risk(in_cover, advancing, self.enemies_on_flank(facing, end) > 0, comes_under_fire)
        hits = 0.0 if unit.spec.leader else 10 * (unit.casualties + 0.7 * lost / MAN) / max(1, unit.original)
        likely = risk + hits + defeat_risk
        share = (
            chance_of_going_back(battle, self.table_name, likely)
            + chance_of_going_back(battle, self.table_name, likely + 1)
        ) / 2
        if not share:
            return 0.0
        last_group_cost = 0.0 if unit.spec.leader else _LAST_GROUP_COST * self.isolation_chance
        return share * (unit.count * MAN * (LOST_ON_BREAKING + self.leaves_table_from(end)) + last_group_cost)

    @cached_attribute
    def enemies_in_contact(self) -> list[Unit]:
        """The enemies in contact with the unit."""
        return self.battle.enemies_in_contact(self.unit)

    @cached_attribute
    def facts(self) -> RiskFacts:
        """The Risk Factor facts of the unit now."""
        return risk_facts(self.battle, self.unit, self._around())

    def _risk(self, in_cover: bool, advancing: bool, flank: bool, comes_under_fire: bool) -> int:
        """Return the Risk Factor that the unit will have if nothing else changes, without losses and melee."""
        key = in_cover, advancing, flank, comes_under_fire
        known = self._risks.get(key)
        if known is None:
            found = replace(
                self.facts,
                nothing_in_view=self.facts.nothing_in_view and not comes_under_fire,
                in_range=self.facts.in_range or comes_under_fire,
                in_cover=in_cover,
                advancing=advancing,
                flank=flank,
                routing=False,
                worse=False,
                casualties=0,
            )
            known = self._risks[key] = self.battle.book.rules.tally("risk_factor", found, self.battle, self.unit).total
        return known

    def leaves_table_from(self, end: Point) -> float:
        """Return 1 if a unit that goes back from a place, away from the nearest enemy, crosses the edge of the table,
        otherwise 0.
        """
        back = self.threats.way_back(end, self.move)
        return 0.0 if back is None or self.battle.field.on_table(back) else 1.0

    def added_break_chance(self, unit: Unit, lost: float, defeat_risk: float) -> float:
        """Return how much likelier a unit goes back after losing a number of men. `defeat_risk` is added to its Risk
        Factor for a lost melee.
        """
        now = 10 * unit.casualties / max(1, unit.original)
        then = now + 10 * (lost / MAN) / max(1, unit.original) + defeat_risk
        table_name = action_table(self.battle, unit)
        return chance_of_going_back(self.battle, table_name, then) - chance_of_going_back(self.battle, table_name, now)

    # --- parts --------------------------------------------------------------------------------------------------------

    @cached_attribute
    def pull(self) -> ObjectivePull:
        """The pull of the objectives on the unit."""
        return ObjectivePull(self.objectives, self.battle, self.unit, self.side_objectives)

    @property
    def cover(self) -> Point | None:
        """The nearest cover within a move."""
        return self.place_estimates.cover(self.battle, self.unit)

    @property
    def shelter(self) -> Point | None:
        """Cover within a move if the unit has no cover now, otherwise None."""
        bare = bool(self.battle.field.covers) and not self.battle.field.sheltered[self.unit.body]
        return self.cover if bare else None

    def enemies_on_flank(self, facing: float, at: Point | None = None) -> int:
        """Return how many enemies in sight are outside the frontal arc of the unit with this facing, here or at a
        place.
        """
        x, y = at or self.unit.body.centre
        ahead_x, ahead_y = direction(facing)
        edge, found = self._edge, 0
        for enemy_x, enemy_y in self.threats.in_sight:
            across, along = enemy_x - x, enemy_y - y
            if across * ahead_x + along * ahead_y < edge * sqrt(across * across + along * along) - EPSILON:
                found += 1
        return found

    def fire(self, at: Point, moved: float, commanded: bool) -> float:
        """Return the best result of the unit's fire this turn from a place, after moving a share of its allowance."""
        rate = self._rate(moved, commanded)
        return self.place_estimates.fire(self.threats, self.battle, self.unit, at, rate) if rate else 0.0

    def _rate(self, moved: float, commanded: bool) -> float:
        """Return the share of the men that may shoot after moving a share of the allowance, or 0."""
        key = moved, commanded
        known = self._rates.get(key)
        if known is None:
            may = may_fire(self.battle, self.unit, commanded, moved)
            known = self._rates[key] = shooting_rate(self.battle, self.unit, commanded, moved > 0) if may else 0.0
        return known

    def fire_at_best(self, moved: float) -> float:
        """Return the best result that the unit's fire can have under orders from any place."""
        rate = self._rate(moved, True)
        return max(self.threats.fire_of(self.battle, self.unit, rate).most, default=0.0) if rate else 0.0

    def danger(self, at: Point, cover: Cover = "open") -> float:
        """Return the losses to expect at a place."""
        return self.place_estimates.danger(self.threats, self.battle, self.unit, at, cover)

    @cached_attribute
    def danger_here(self) -> float:
        """The weighted losses to expect where the unit stands, with the cover it has."""
        battle, unit = self.battle, self.unit
        cover: Cover = "open"
        if battle.field.shelters[unit.body]:
            enemies = [e for e in battle.against(unit.spec.side) if not e.spec.leader and e.status not in BACKWARD]
            found = battle.nearest(unit, enemies)
            if found is not None:
                enemy, _ = found
                cover = cover_against(battle, unit, enemy.body.centre)
        return DANGER_WEIGHT * self.danger(unit.body.centre, cover)

    def end_of(self, goal: Point, moved: float) -> Point:
        """Return where the unit's centre arrives on the way to a point, round water and walls."""
        centre = self.unit.body.centre
        if self.battle.field.meets_walls(centre, goal):
            return cut_off(path_to(self.battle, centre, goal), self.move * moved)[-1]
        return towards(centre, goal, min(self.move * moved, dist(centre, goal)))
