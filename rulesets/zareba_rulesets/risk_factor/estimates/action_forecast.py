"""The position of one unit for an AI player, and what each way of acting is worth there this turn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from math import inf, sqrt
from operator import attrgetter

from zareba.base.exact import cosd, dist, total
from zareba.base.grammar import amount, in_a_sentence, percent
from zareba.base.speedups import cached_attribute
from zareba.battle.evaluation import about_men
from zareba.plugins.ruleset import Evaluation
from zareba.space.bearings import bearing_to, direction
from zareba.space.geometry import EPSILON, Point, towards
from zareba.space.outlines import cut_off
from zareba_rulesets.risk_factor.book import Cover
from zareba_rulesets.risk_factor.chapters.action_throws import RiskFacts, Surroundings, risk_facts
from zareba_rulesets.risk_factor.chapters.charge import neighbours
from zareba_rulesets.risk_factor.chapters.movement import affordable_bonuses, allowance, path_to, walk
from zareba_rulesets.risk_factor.chapters.targets import share_with_a_clear_shot
from zareba_rulesets.risk_factor.estimates.expected_losses import (
    DIE,
    MAN,
    Threats,
    chance_of_going_back,
    cover_against,
    expected_melee_losses,
    may_fire,
    shooting_rate,
)
from zareba_rulesets.risk_factor.estimates.objectives import ObjectivePull, Objectives, SideObjectives
from zareba_rulesets.risk_factor.forces import BACKWARD, Battle, Unit, action_table

# --- The position of one unit: fire, danger, nerve and ground at the places it may go to ------------------------------


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


# --- The forecast for one unit: what each way of acting is worth this turn --------------------------------------------


_FIRE_BONUS = 1.0  # bonus for continuing effective fire instead of doing something new
_FIRE_BONUS_NEAR_COVER = 0.6
"""The same if the edge of the table is close behind, or cover is within a move; then none if the unit loses more than
it fells.
"""
_ENEMIES_CHECKED = 3  # number of nearest enemies checked for a clear shot
_PACES = (0.5, 1.0)
_FACINGS = range(0, 360, 45)


def enemies(count: int) -> str:
    """Return a number of enemies in words."""
    return amount(count, "enemy", "enemies") if count else "no enemies"


def _chance(dealt: float, taken: float) -> float:
    """Estimate the chance of doing better in a round of melee from the mean losses of both sides."""
    felled = dealt + taken
    return 0.5 + 0.5 * (dealt - taken) / felled if felled else 0.5


def _by_fire(fells: float, where: str) -> str:
    """Return what fire from a place should do; "" for no fire."""
    return f"its fire from {where} should fell {about_men(10 * fells)}" if fells else ""


class ActionForecast(UnitPosition):
    """The worth of the ways in which a unit may act from its present position."""

    def best_way(self, goals: list[Point], at_least: float = -inf, advancing: bool = False) -> Evaluation:
        """Return the best of several destinations at the better pace. If none is worth more than `at_least`, a
        placeholder may be returned.

        The most promising destinations come first. Their fire is taken at its best and danger only lowers their worth,
        so the search can stop early.
        """
        if not goals:
            return Evaluation(ground=-0.1, reason="there is nowhere to go")
        ways = []
        for pace in _PACES:
            fire = self.fire_at_best(pace)
            ways += [(fire + self.pull.value(self.end_of(goal, pace)), goal, pace) for goal in goals]
        best, best_total = Evaluation(ground=at_least), at_least
        for promise, goal, pace in sorted(ways, reverse=True):
            if promise <= best_total:
                break
            found = self.go(goal, pace, advancing=advancing, at_least=best_total)
            if found.total > best_total:
                best, best_total = found, found.total
        return best

    def turn(self) -> Evaluation:
        """Evaluate standing with the facing that leaves the fewest enemies on flank or rear."""
        flanks_now = self.enemies_on_flank(self.unit.facing)
        best = self._best_facing(None)
        flanks_after = self.enemies_on_flank(best)
        found = self.stand(facing=best)
        return replace(
            found,
            steadies=found.steadies + 0.01 * (flanks_now - flanks_after) - 0.005,
            reason=lambda: f"after the turn, {enemies(flanks_after)} on its flank or rear (RSK-122)",
        )

    def stand(self, commanded: bool = True, facing: float | None = None) -> Evaluation:
        """Evaluate standing: the unit's fire, against the fire and charges to expect there."""
        if self.enemies_in_contact:
            return self.fight()
        unit, centre = self.unit, self.unit.body.centre
        out = self.fire(centre, 0.0, commanded)
        if out:
            out *= self.share_with_clear_shot
        risk = self.danger_here
        break_cost = self.break_cost(centre, unit.facing if facing is None else facing, risk, covered=True)
        ground_value = 0.0
        if (
            out > 0.05
            and self.table_name == "missile"
            and not self.objectives.is_pressed(self.battle, unit, self.side_objectives)
        ):
            if self.shelter is not None:
                ground_value = _FIRE_BONUS_NEAR_COVER if out >= risk else 0.0
            else:
                ground_value = _FIRE_BONUS_NEAR_COVER if self.leaves_table_from(centre) > 0 else _FIRE_BONUS
        return Evaluation(
            out, risk, 0.0, ground_value - break_cost, lambda: _by_fire(out, "here") or "nothing is gained by moving"
        )

    @cached_property
    def share_with_clear_shot(self) -> float:
        """The share of the men who have a clear shot from where they stand, 0 if no enemy is in sight. A unit that
        fired in its last turn counts as 1 (RSK-106).
        """
        battle, unit = self.battle, self.unit
        if "fired" in unit.marks or unit.spec.leader or self.table_name != "missile":
            return 1.0
        seen = [enemy for enemy in battle.against(unit.spec.side) if enemy.spec.id in battle.seen]
        near = sorted(seen, key=lambda enemy: unit.body.circle_gap(enemy.body))[:_ENEMIES_CHECKED]
        return max([share_with_a_clear_shot(battle, unit, enemy) for enemy in near], default=0.0)

    def go(
        self,
        goal: Point,
        share_moved: float = 1.0,
        commanded: bool = True,
        advancing: bool = False,
        at_least: float = -inf,
    ) -> Evaluation:
        """Evaluate a move towards a point with a share of the allowance: fire on arrival, danger there, and ground
        gained.

        The danger and the risk of going back are left out if the rest is worth no more than `at_least` without them.
        """
        end = self.end_of(goal, share_moved)
        if end == goal and goal == self.shelter:
            end = self._end_in_cover(goal, share_moved)
        out = self.fire(end, share_moved, commanded)
        pull = self.pull
        ground = pull.value(end)
        if out + ground <= at_least:
            return Evaluation(out, 0.0, ground)
        covered = end == goal and goal == self.shelter
        risk = DANGER_WEIGHT * self.danger(end, "hard" if covered else "open")
        break_cost = 0.0
        if out - risk + ground > at_least:
            facing = bearing_to(self.unit.body.centre, goal)
            if covered and commanded and self.table_name == "missile":
                facing = self._best_facing(end)  # orders may turn it after a move (RSK-078)
            break_cost = self.break_cost(end, facing, risk, covered=covered, advancing=advancing)
        return Evaluation(
            out,
            risk,
            ground,
            -break_cost,
            lambda: (
                f"goes towards {in_a_sentence(pull.name(end))}"[:80]
                if ground > 0
                else _by_fire(out, "there") or "gains no ground"
            ),
        )

    def _end_in_cover(self, goal: Point, share_moved: float) -> Point:
        """Return where the unit arrives on the way into cover. Ground that slows it may stop it in front of the
        cover.
        """
        path = path_to(self.battle, self.unit.body.centre, goal)
        end, _, _ = walk(self.battle, self.unit, False, path, 0.0, share_moved)
        return end

    def _best_facing(self, at: Point | None) -> float:
        """Return the facing that leaves the fewest enemies on flank or rear, at a place or here."""
        return float(min(_FACINGS, key=lambda facing: self.enemies_on_flank(float(facing), at)))

    def charge(self, enemy: Unit) -> Evaluation:
        """Evaluate a round of melee with an enemy in reach, including the chance that the losing side breaks."""
        battle, unit = self.battle, self.unit
        reach = self._reaches(enemy)
        if not reach:
            return self.go(enemy.body.centre, advancing=True)
        helped = sum(
            other.count
            for other in battle.of(unit.spec.side)
            if other is not unit and (other.target == enemy.spec.id or battle.gap(other, enemy).gap <= 0.1)
        )
        enemies_met = [enemy, *(other for other in neighbours(battle, enemy) if not other.spec.leader)]
        men = sum(foe.count for foe in enemies_met)
        rounds = [expected_melee_losses(battle, unit, foe, True, helped, part=foe.count / men) for foe in enemies_met]
        dealt, taken = rounds[0][0], total(loss for _, loss in rounds)
        enemy_worth = self.side_objectives.enemy_worth
        damage = total(
            felled * enemy_worth.get(foe.spec.id, 1.0) for foe, (felled, _) in zip(enemies_met, rounds, strict=True)
        )
        wins = _chance(total(felled for felled, _ in rounds), taken)
        end = enemy.body.centre
        risk = taken + 0.5 * DANGER_WEIGHT * self.danger(end)
        break_cost = self.break_cost(
            end, bearing_to(unit.body.centre, end), risk, advancing=True, defeat_risk=self._defeat_modifier * (1 - wins)
        )
        breaks = (
            LOST_ON_BREAKING * MAN * enemy.count * self.added_break_chance(enemy, dealt, self._defeat_modifier * wins)
        )
        ground = min(0.3, self.pull.value(end))
        return Evaluation(
            reach * (damage + breaks),
            reach * risk,
            ground,
            -break_cost,
            lambda: (
                f"the melee should fell {about_men(10 * total(f for f, _ in rounds))}"
                if reach == 1.0
                else f"the charge makes contact in {percent(reach)} of cases"
            ),
        )

    @property
    def _defeat_modifier(self) -> float:
        """Return the number that a lost round of melee adds to the Risk Factor (RSK-124)."""
        return self.battle.book.modifier("risk_factor", "routing_or_worse")

    def _reaches(self, enemy: Unit) -> float:
        """Return the chance that the nearest man reaches contact over the terrain between, with the natives' D6."""
        battle, unit, near = self.battle, self.unit, self.battle.gap(self.unit, enemy)
        start, hurt = unit.body.at[near.first_index], unit.hurt[near.first_index]
        way = (start, towards(start, enemy.body.at[near.second_index], near.gap))
        throws = range(DIE + 1) if unit.spec.native else (0,)
        enough = affordable_bonuses(battle, unit, hurt, way, throws)
        return 1.0 if 0 in enough else len(enough) / DIE

    def fight(self) -> Evaluation:
        """Evaluate another round of the present melee, against the largest of the enemies in contact."""
        unit, enemy = self.unit, max(self.enemies_in_contact, key=lambda other: other.count)
        dealt, taken = expected_melee_losses(self.battle, unit, enemy, False)
        wins = _chance(dealt, taken)
        break_cost = self.break_cost(
            unit.body.centre, unit.facing, taken, covered=True, defeat_risk=self._defeat_modifier * (1 - wins)
        )
        breaks = (
            LOST_ON_BREAKING * MAN * enemy.count * self.added_break_chance(enemy, dealt, self._defeat_modifier * wins)
        )
        worth_of_a_man = self.side_objectives.enemy_worth.get(enemy.spec.id, 1.0)
        return Evaluation(
            dealt * worth_of_a_man + breaks,
            taken,
            0.0,
            -break_cost,
            lambda: f"another round should fell {about_men(10 * dealt)}",
        )

    def go_back(self) -> Evaluation:
        """Evaluate going back: less danger, but ground lost. Missile troops in a melee may step back and fire."""
        if self.enemies_in_contact and self.table_name == "missile":
            return max([self.back_by(pace) for pace in _PACES], key=attrgetter("total"))
        centre = self.unit.body.centre
        risk = 0.5 * DANGER_WEIGHT * self.danger(centre)
        break_cost = self.break_cost(centre, (self.unit.facing + 180) % 360, risk)
        return Evaluation(0.0, risk, -0.1, -break_cost, lambda: "falling back is safer")

    def back_by(self, share_moved: float) -> Evaluation:
        """Evaluate going back by a share of the move, with the fire that troops under orders can give from there."""
        centre = self.unit.body.centre
        end = self.threats.way_back(centre, self.move * share_moved) or centre
        out = self.fire(end, share_moved, True)
        risk = DANGER_WEIGHT * self.danger(end)
        break_cost = self.break_cost(end, self.unit.facing, risk)
        return Evaluation(out, risk, -0.1, -break_cost, lambda: _by_fire(out, "there") or "falling back is safer")

    def table_action(self, action: str) -> Evaluation:
        """Evaluate an action that the Action table makes the unit take."""
        battle, unit = self.battle, self.unit
        if action in ("retreat", "rout"):
            return self.go_back()
        if action == "march" and unit.goal is not None:
            return self.go(unit.goal, commanded=False)
        if action not in ("advance", "attack"):
            return self.stand(commanded=False)
        found = battle.nearest(unit, [e for e in battle.against(unit.spec.side) if e.spec.id in battle.seen])
        if found is None:
            return self.stand(commanded=False)
        enemy, near = found
        melee = self.table_name == "melee"
        if near.gap <= self.move + (1 + DIE) / 2 and (action == "attack" or melee):
            return self.charge(enemy)
        if action == "advance" and not melee and near.gap <= battle.book.lengths["advance_to_attack"]:
            return self.stand(commanded=False)
        return self.go(enemy.body.centre, commanded=False, advancing=True)
