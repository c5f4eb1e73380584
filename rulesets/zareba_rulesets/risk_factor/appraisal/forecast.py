"""What a unit may expect of an order, and of the tables if nobody commands it, for commanders with sense."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from math import dist

from zareba.ruleset import Appraisal
from zareba.space.bearings import angle_between
from zareba.space.geometry import Point
from zareba.table import Option
from zareba_rulesets.risk_factor.appraisal.means import MAN, cover_against, danger, exchange, fire_from, shaken
from zareba_rulesets.risk_factor.appraisal.objectives import Aims
from zareba_rulesets.risk_factor.battle import BACKWARD, Battle, Unit
from zareba_rulesets.risk_factor.body import bearing_to, towards
from zareba_rulesets.risk_factor.book import Cover
from zareba_rulesets.risk_factor.manoeuvre import nearest_cover
from zareba_rulesets.risk_factor.orders import (
    CHARGE,
    COMPASS,
    HOLD,
    MARCH,
    TURN,
    WITHDRAW,
    order_options,
    suggestions,
)
from zareba_rulesets.risk_factor.paths import allowance
from zareba_rulesets.risk_factor.risk import RiskFacts, joined, risk_facts
from zareba_rulesets.risk_factor.translation import Plan
from zareba_rulesets.risk_factor.weapons import action_table

__all__ = ["Forecast", "worth"]

FEAR = 0.9  # how much of the losses expected at a place counts against standing there
SETTLED = 1.0  # worth of going on with fire that tells, rather than of something new
LINGERS = 0.6  # the same where cover is within a move, or the edge of the table close behind
LAST = 3.0  # what the last group costs that goes back, for its side is then beaten (RSK-183)
BREAKS = 0.5  # how much of a unit is as good as lost when it goes back
WORSE = 3  # what the worse side of a melee adds to its Risk Factor (RSK-124)
PACES = (0.5, 1.0)


def worth(appraisal: Appraisal) -> float:
    """An appraisal as a steady officer weighs it."""
    return appraisal.inflicts - appraisal.suffers + appraisal.ground + appraisal.steadies


@dataclass(slots=True)
class Memo:
    """What has been worked out for one position of everybody, by unit."""

    key: Hashable
    gains: dict[str, float] = field(default_factory=dict)
    facts: dict[str, RiskFacts] = field(default_factory=dict)
    shelter: dict[str, Point | None] = field(default_factory=dict)


class Forecast:
    """The worth of the ways in which a unit may act this turn."""

    def __init__(self, aims: Aims, plan: Plan) -> None:
        self.aims = aims
        self.plan = plan
        self._memo = Memo(())

    def order(self, battle: Battle, unit: Unit, option: Option) -> Appraisal:
        """What one order leads to this turn (`order_options`)."""
        if isinstance(option, tuple):
            enemy = battle.units[option[1]]
            if option[0] == CHARGE:
                return self.charge(battle, unit, enemy)
            ways = (self.go(battle, unit, enemy.body.centre, pace, advancing=True) for pace in PACES)
            return max(ways, key=worth)
        if option == HOLD:
            return self.stand(battle, unit)
        if option == MARCH:
            return self.march(battle, unit)
        if option == WITHDRAW:
            return self.back(battle, unit)
        if option == TURN:
            return self.turn(battle, unit)
        return Appraisal(suffers=self.fear(battle, unit), ground=-0.1, reason="mounting takes half a move (RSK-080)")

    def march(self, battle: Battle, unit: Unit) -> Appraisal:
        """The best place to march to, at the better pace."""
        ways = [self.go(battle, unit, at, pace) for at in suggestions(battle, unit, self.plan) for pace in PACES]
        return max(ways, key=worth, default=Appraisal(ground=-0.1, reason="nowhere to go (worth -0.1)"))

    def _shelter(self, battle: Battle, unit: Unit) -> Point | None:
        """Cover within a move, for a unit that has none."""
        name = unit.spec.id
        known = self._here(battle).shelter
        if name not in known:
            bare = not battle.field.sheltered[unit.body]
            known[name] = nearest_cover(battle, unit, farther=False) if bare and battle.field.covers else None
        return known[name]

    def turn(self, battle: Battle, unit: Unit) -> Appraisal:
        """Standing, with the front where it shows fewest enemies a flank."""
        now = self.flanked(battle, unit, unit.facing)
        best = min(COMPASS, key=lambda facing: self.flanked(battle, unit, float(facing)))
        after = self.flanked(battle, unit, float(best))
        found = self.stand(battle, unit, facing=float(best))
        return replace(
            found,
            steadies=found.steadies + 0.01 * (now - after) - 0.005,
            reason=lambda: f"turns: {now} enemies on flank or rear, {after} after it (RSK-122)",
        )

    def flanked(self, battle: Battle, unit: Unit, facing: float, at: Point | None = None) -> int:
        """How many enemies in sight stand outside the front of a unit that faces so, where it is or at a place."""
        arc, centre = battle.book.settings.rf_front_half_arc, at or unit.body.centre
        seen = [e for e in battle.against(unit.spec.side) if e.spec.id in battle.seen]
        return sum(angle_between(facing, bearing_to(centre, e.body.centre)) > arc for e in seen)

    def gain(self, battle: Battle, unit: Unit) -> float:
        """How much better a unit does under orders than if the tables have it; remembered while nothing changes."""
        gains = self._here(battle).gains
        if unit.spec.id not in gains:
            gains[unit.spec.id] = self._gain(battle, unit)
        return gains[unit.spec.id]

    def _here(self, battle: Battle) -> Memo:
        """What was worked out since anybody last moved or fell, or another step of the turn began."""
        key = (battle.turn, battle.active, battle.phase, *(unit.body for unit in battle.units.values()))
        if self._memo.key != key:
            self._memo = Memo(key)
        return self._memo

    def _gain(self, battle: Battle, unit: Unit) -> float:
        best = max(worth(self.order(battle, unit, option)) for option in order_options(battle, unit))
        risk = battle.book.rules.tally("risk_factor", risk_facts(battle, unit)).total
        sheet, falling = action_table(battle, unit), unit.action in ("retreat", "rout")
        values: dict[str, float] = {}
        total = 0.0
        for face in range(1, 7):
            result = battle.book.action(sheet, risk, face, falling)
            if result in battle.book.blue:
                doing = unit.action if result == "continue" else "advance" if result == "towards" else result
                if doing not in values:
                    values[doing] = worth(self._doing(battle, unit, doing))
                total += best - values[doing]
        return total / 6

    def stand(self, battle: Battle, unit: Unit, commanded: bool = True, facing: float | None = None) -> Appraisal:
        """Fire from where it stands, against the fire and the charges it must expect there."""
        centre = unit.body.centre
        out = fire_from(battle, unit, centre, 0.0, commanded)
        risk = self.fear(battle, unit)
        front = unit.facing if facing is None else facing
        nerve = self.nerve(battle, unit, centre, front, risk, covered=True)
        settled = 0.0
        if out > 0.05 and action_table(battle, unit) == "missile" and not self.aims.is_pressed(battle, unit):
            restless = self._shelter(battle, unit) is not None or self._leaves(battle, unit, centre) > 0
            settled = LINGERS if restless else SETTLED
        return Appraisal(
            out, risk, 0.0, settled - nerve, lambda: f"stands: fire fells {10 * out:.1f}, {10 * risk:.1f} men at risk"
        )

    def go(
        self,
        battle: Battle,
        unit: Unit,
        goal: Point,
        moved: float = 1.0,
        commanded: bool = True,
        advancing: bool = False,
    ) -> Appraisal:
        """Towards a point with that share of its allowance: fire on arrival, danger there, and ground gained."""
        end = self.end_of(battle, unit, goal, moved)
        out = fire_from(battle, unit, end, moved, commanded)
        covered = end == goal and goal == self._shelter(battle, unit)
        risk = FEAR * danger(battle, unit, end, "hard" if covered else "open")
        ground = self.aims.pull(battle, unit, end)
        nerve = self.nerve(
            battle, unit, end, bearing_to(unit.body.centre, goal), risk, covered=covered, advancing=advancing
        )
        return Appraisal(
            out,
            risk,
            ground,
            -nerve,
            lambda: f"to {self.aims.drawn_to(battle, unit, end)}: {ground:+.2f}, {10 * risk:.1f} men at risk"[:80],
        )

    def charge(self, battle: Battle, unit: Unit, enemy: Unit) -> Appraisal:
        """A round of melee with an enemy in reach, and the chance that the worse side breaks."""
        helped = sum(
            other.count
            for other in battle.of(unit.spec.side)
            if other is not unit and (other.target == enemy.spec.id or battle.gap(other, enemy).gap <= 0.1)
        )
        deals, takes = exchange(battle, unit, enemy, True, helped)
        over = battle.gap(unit, enemy).gap - allowance(battle, unit, False)
        reach = 1.0 if over <= 0 else max(0.0, (7 - over) / 6)
        worth = self.aims.of(battle, unit.spec.side).prey.get(enemy.spec.id, 1.0)
        total = deals + takes
        wins = 0.5 + 0.5 * (deals - takes) / total if total else 0.5
        end = enemy.body.centre
        risk = takes + 0.5 * FEAR * danger(battle, unit, end)
        nerve = self.nerve(
            battle, unit, end, bearing_to(unit.body.centre, end), risk, advancing=True, worse=WORSE * (1 - wins)
        )
        breaks = BREAKS * MAN * enemy.count * self._cracks(battle, enemy, deals, WORSE * wins)
        ground = min(0.3, self.aims.pull(battle, unit, end))
        return Appraisal(
            reach * (deals * worth + breaks),
            reach * risk,
            ground,
            -nerve,
            lambda: f"melee fells {10 * deals:.1f}, costs {10 * takes:.1f}, reached {reach:.0%}",
        )

    def back(self, battle: Battle, unit: Unit) -> Appraisal:
        """Away from the enemy: less danger, no fire, ground lost."""
        risk = 0.5 * FEAR * danger(battle, unit, unit.body.centre)
        nerve = self.nerve(battle, unit, unit.body.centre, (unit.facing + 180) % 360, risk)
        return Appraisal(0.0, risk, -0.1, -nerve, lambda: f"goes back, {10 * risk:.1f} men at risk")

    # --- nerve ----------------------------------------------------------------------------------------------------------------

    def nerve(
        self,
        battle: Battle,
        unit: Unit,
        end: Point,
        facing: float,
        lost: float,
        *,
        covered: bool = False,
        advancing: bool = False,
        worse: float = 0.0,
    ) -> float:
        """What a unit is likely to lose by going back at its next throw, if it then stands so (Table R).

        Retreat and Rout bind everybody, and whoever is near the edge of the table leaves it (RSK-145).
        """
        now = self._facts_of(battle, unit)
        found = joined(
            replace(
                now,
                in_cover=covered and (now.in_cover or end != unit.body.centre),
                advancing=advancing,
                flank=self.flanked(battle, unit, facing, end) > 0,
                routing=False,
                worse=False,
                casualties=0,
            )
        )
        risk = battle.book.rules.tally("risk_factor", found).total
        hits = 0.0 if unit.spec.leader else 10 * (unit.casualties + 0.7 * lost / MAN) / max(1, unit.original)
        likely = risk + hits + worse
        share = (shaken(battle, unit, likely) + shaken(battle, unit, likely + 1)) / 2
        if not share:
            return 0.0
        steady = sum(group.status not in BACKWARD for group in battle.groups(unit.spec.side))
        last = 0.0 if unit.spec.leader else LAST / max(1, steady) ** 2
        return share * (unit.count * MAN * (BREAKS + self._leaves(battle, unit, end)) + last)

    def _leaves(self, battle: Battle, unit: Unit, end: Point) -> float:
        """1 if a unit that goes back from a place, away from the nearest enemy, crosses the edge; else 0."""
        enemies = [e.body.centre for e in battle.against(unit.spec.side) if not e.spec.leader]
        if not enemies:
            return 0.0
        foe = min(enemies, key=lambda at: dist(at, end))
        back = towards(foe, end, dist(foe, end) + allowance(battle, unit, False))
        return 0.0 if battle.field.on_table(back) else 1.0

    def _facts_of(self, battle: Battle, unit: Unit) -> RiskFacts:
        known = self._here(battle).facts
        if unit.spec.id not in known:
            known[unit.spec.id] = risk_facts(battle, unit)
        return known[unit.spec.id]

    def _doing(self, battle: Battle, unit: Unit, doing: str) -> Appraisal:
        if doing in ("retreat", "rout"):
            return self.back(battle, unit)
        if doing == "march" and unit.goal is not None:
            return self.go(battle, unit, unit.goal, commanded=False)
        found = battle.nearest(unit, [e for e in battle.against(unit.spec.side) if e.spec.id in battle.seen])
        if doing not in ("advance", "attack") or found is None:
            return self.stand(battle, unit, commanded=False)
        enemy, near = found
        melee = action_table(battle, unit) == "melee"
        if near.gap <= allowance(battle, unit, False) + 3.5 and (doing == "attack" or melee):
            return self.charge(battle, unit, enemy)
        if doing == "advance" and not melee and near.gap <= battle.book.lengths["advance_to_attack"]:
            return self.stand(battle, unit, commanded=False)
        return self.go(battle, unit, enemy.body.centre, commanded=False, advancing=True)

    # --- parts --------------------------------------------------------------------------------------------------------------

    def end_of(self, battle: Battle, unit: Unit, goal: Point, moved: float) -> Point:
        """Where a unit's centre comes to on its way to a point."""
        length = min(allowance(battle, unit, False) * moved, dist(unit.body.centre, goal))
        return towards(unit.body.centre, goal, length)

    def fear(self, battle: Battle, unit: Unit) -> float:
        """The losses that count against a unit where it stands, in whatever cover it has."""
        cover: Cover = "open"
        if battle.field.near_cover[unit.body]:
            enemies = [e for e in battle.against(unit.spec.side) if not e.spec.leader and e.status not in BACKWARD]
            found = battle.nearest(unit, enemies)
            cover = cover_against(battle, unit, found[0].body.centre) if found is not None else "open"
        return FEAR * danger(battle, unit, unit.body.centre, cover)

    def _cracks(self, battle: Battle, unit: Unit, lost: float, worse: float) -> float:
        """How much likelier a unit goes back after losing so many men, and a round of melee perhaps."""
        now = 10 * unit.casualties / max(1, unit.original)
        then = now + 10 * (lost / MAN) / max(1, unit.original) + worse
        return shaken(battle, unit, then) - shaken(battle, unit, now)
