"""What one unit may expect of each way to act this turn, for commanders with sense."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import dist, inf

from zareba.ruleset import Appraisal
from zareba.space.bearings import angle_between
from zareba.space.geometry import Point
from zareba.table import Option
from zareba_rulesets.risk_factor.appraisal.foes import Foes
from zareba_rulesets.risk_factor.appraisal.means import MAN, cover_against, exchange, may_fire, rate_of, shaken
from zareba_rulesets.risk_factor.appraisal.objectives import Aims, Pull
from zareba_rulesets.risk_factor.battle import BACKWARD, Battle, Unit
from zareba_rulesets.risk_factor.body import bearing_to, towards
from zareba_rulesets.risk_factor.book import Cover
from zareba_rulesets.risk_factor.manoeuvre import nearest_cover
from zareba_rulesets.risk_factor.orders import CHARGE, COMPASS, HOLD, MARCH, TURN, WITHDRAW, suggestions
from zareba_rulesets.risk_factor.paths import allowance
from zareba_rulesets.risk_factor.risk import RiskFacts, joined, risk_facts
from zareba_rulesets.risk_factor.weapons import action_table

__all__ = ["Prospect", "worth"]

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
class Shelter:
    """Cover within a move, for a unit that has none; `at` None where there is none."""

    at: Point | None


class Prospect:
    """The worth of the ways in which a unit may act, from one position of everybody.

    `battle` and `unit` are those of the question that is appraised; what was found out about places and about the unit's
    Risk Factor is kept from one question to the next, for its owner drops it when anybody moves.
    """

    def __init__(self, battle: Battle, unit: Unit, aims: Aims, foes: Foes) -> None:
        self.ask(battle, unit)
        self._aims = aims
        self.foes = foes
        self._posts = foes.seen_from(unit)
        self._outlook = aims.of(battle, unit.spec.side)
        self._sheet = action_table(battle, unit)
        self._pull: Pull | None = None
        self._facts: RiskFacts | None = None
        self._risks: dict[tuple[bool, bool, bool], int] = {}
        self._shelter: Shelter | None = None

    def ask(self, battle: Battle, unit: Unit) -> None:
        """Begin with another question."""
        self.battle, self.unit = battle, unit
        self._steady: int | None = None

    def order(self, option: Option, least: float = -inf) -> Appraisal:
        """What one order leads to this turn (`order_options`); if that is worth no more than `least`, it may be any such."""
        if isinstance(option, tuple):
            enemy = self.battle.units[option[1]]
            if option[0] == CHARGE:
                return self.charge(enemy)
            return self.best_way([enemy.body.centre], least, advancing=True)
        if option == HOLD:
            return self.stand()
        if option == MARCH:
            return self.best_way(suggestions(self.battle, self.unit, self._aims.plan), least)
        if option == WITHDRAW:
            return self.back()
        if option == TURN:
            return self.turn()
        return Appraisal(suffers=self.fear(), ground=-0.1, reason="mounting takes half a move (RSK-080)")

    def best_way(self, goals: list[Point], least: float = -inf, advancing: bool = False) -> Appraisal:
        """The best of some places to go to, at the better pace; one worth no more than `least` may do for another.

        Those that promise most come first: fire cannot tell more than at its best, and danger only takes away.
        """
        if not goals:
            return Appraisal(ground=-0.1, reason="nowhere to go (worth -0.1)")
        ways = []
        for pace in PACES:
            fire = self._fire_at_best(pace)
            ways += [(fire + self.pull.worth(self.end_of(goal, pace)), goal, pace) for goal in goals]
        best, most = Appraisal(ground=least), least
        for promised, goal, pace in sorted(ways, reverse=True):
            if promised <= most:
                break
            found = self.go(goal, pace, advancing=advancing, least=most)
            if worth(found) > most:
                best, most = found, worth(found)
        return best

    def turn(self) -> Appraisal:
        """Standing, with the front where it shows fewest enemies a flank."""
        now = self.flanked(self.unit.facing)
        best = min(COMPASS, key=lambda facing: self.flanked(float(facing)))
        after = self.flanked(float(best))
        found = self.stand(facing=float(best))
        return replace(
            found,
            steadies=found.steadies + 0.01 * (now - after) - 0.005,
            reason=lambda: f"turns: {now} enemies on flank or rear, {after} after it (RSK-122)",
        )

    def stand(self, commanded: bool = True, facing: float | None = None) -> Appraisal:
        """Fire from where it stands, against the fire and the charges it must expect there."""
        unit, centre = self.unit, self.unit.body.centre
        out = self.fire(centre, 0.0, commanded)
        risk = self.fear()
        nerve = self.nerve(centre, unit.facing if facing is None else facing, risk, covered=True)
        settled = 0.0
        if out > 0.05 and self._sheet == "missile" and not self._aims.is_pressed(self.battle, unit, self._outlook):
            restless = self.shelter is not None or self._leaves(centre) > 0
            settled = LINGERS if restless else SETTLED
        return Appraisal(
            out, risk, 0.0, settled - nerve, lambda: f"stands: fire fells {10 * out:.1f}, {10 * risk:.1f} men at risk"
        )

    def go(
        self,
        goal: Point,
        moved: float = 1.0,
        commanded: bool = True,
        advancing: bool = False,
        least: float = -inf,
    ) -> Appraisal:
        """Towards a point with that share of its allowance: fire on arrival, danger there, and ground gained.

        Nerve is left out where the rest of it is worth no more than `least`.
        """
        end = self.end_of(goal, moved)
        out = self.fire(end, moved, commanded)
        covered = end == goal and goal == self.shelter
        risk = FEAR * self.danger(end, "hard" if covered else "open")
        pull = self.pull
        ground = pull.worth(end)
        nerve = 0.0
        if out - risk + ground > least:
            nerve = self.nerve(end, bearing_to(self.unit.body.centre, goal), risk, covered=covered, advancing=advancing)
        return Appraisal(
            out,
            risk,
            ground,
            -nerve,
            lambda: f"to {pull.name(end)}: {ground:+.2f}, {10 * risk:.1f} men at risk"[:80],
        )

    def charge(self, enemy: Unit) -> Appraisal:
        """A round of melee with an enemy in reach, and the chance that the worse side breaks."""
        battle, unit = self.battle, self.unit
        helped = sum(
            other.count
            for other in battle.of(unit.spec.side)
            if other is not unit and (other.target == enemy.spec.id or battle.gap(other, enemy).gap <= 0.1)
        )
        deals, takes = exchange(battle, unit, enemy, True, helped)
        over = battle.gap(unit, enemy).gap - allowance(battle, unit, False)
        reach = 1.0 if over <= 0 else max(0.0, (7 - over) / 6)
        price = self._outlook.prey.get(enemy.spec.id, 1.0)
        total = deals + takes
        wins = 0.5 + 0.5 * (deals - takes) / total if total else 0.5
        end = enemy.body.centre
        risk = takes + 0.5 * FEAR * self.danger(end)
        nerve = self.nerve(end, bearing_to(unit.body.centre, end), risk, advancing=True, worse=WORSE * (1 - wins))
        breaks = BREAKS * MAN * enemy.count * self._cracks(enemy, deals, WORSE * wins)
        ground = min(0.3, self.pull.worth(end))
        return Appraisal(
            reach * (deals * price + breaks),
            reach * risk,
            ground,
            -nerve,
            lambda: f"melee fells {10 * deals:.1f}, costs {10 * takes:.1f}, reached {reach:.0%}",
        )

    def back(self) -> Appraisal:
        """Away from the enemy: less danger, no fire, ground lost."""
        centre = self.unit.body.centre
        risk = 0.5 * FEAR * self.danger(centre)
        nerve = self.nerve(centre, (self.unit.facing + 180) % 360, risk)
        return Appraisal(0.0, risk, -0.1, -nerve, lambda: f"goes back, {10 * risk:.1f} men at risk")

    def doing(self, action: str) -> Appraisal:
        """What the unit may expect of an action that the tables make it take."""
        battle, unit = self.battle, self.unit
        if action in ("retreat", "rout"):
            return self.back()
        if action == "march" and unit.goal is not None:
            return self.go(unit.goal, commanded=False)
        if action not in ("advance", "attack"):
            return self.stand(commanded=False)
        found = battle.nearest(unit, [e for e in battle.against(unit.spec.side) if e.spec.id in battle.seen])
        if found is None:
            return self.stand(commanded=False)
        enemy, near = found
        melee = self._sheet == "melee"
        if near.gap <= allowance(battle, unit, False) + 3.5 and (action == "attack" or melee):
            return self.charge(enemy)
        if action == "advance" and not melee and near.gap <= battle.book.lengths["advance_to_attack"]:
            return self.stand(commanded=False)
        return self.go(enemy.body.centre, commanded=False, advancing=True)

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
        risk = self._risk(in_cover, advancing, self._has_flanks(facing, end))
        hits = 0.0 if unit.spec.leader else 10 * (unit.casualties + 0.7 * lost / MAN) / max(1, unit.original)
        likely = risk + hits + worse
        share = (shaken(battle, self._sheet, likely) + shaken(battle, self._sheet, likely + 1)) / 2
        if not share:
            return 0.0
        last = 0.0 if unit.spec.leader else LAST / max(1, self.steady) ** 2
        return share * (unit.count * MAN * (BREAKS + self._leaves(end)) + last)

    @property
    def steady(self) -> int:
        """The groups of the side that are not going back."""
        if self._steady is None:
            self._steady = sum(group.status not in BACKWARD for group in self.battle.groups(self.unit.spec.side))
        return self._steady

    @property
    def facts(self) -> RiskFacts:
        """What bears on the unit's Risk Factor now."""
        if self._facts is None:
            self._facts = risk_facts(self.battle, self.unit)
        return self._facts

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
            known = self._risks[key] = self.battle.book.rules.tally("risk_factor", joined(found)).total
        return known

    def _leaves(self, end: Point) -> float:
        """1 if a unit that goes back from a place, away from the nearest enemy, crosses the edge; else 0."""
        back = self._posts.way_back(end, allowance(self.battle, self.unit, False))
        return 0.0 if back is None or self.battle.field.on_table(back) else 1.0

    def _cracks(self, unit: Unit, lost: float, worse: float) -> float:
        """How much likelier a unit goes back after losing so many men, and a round of melee perhaps."""
        now = 10 * unit.casualties / max(1, unit.original)
        then = now + 10 * (lost / MAN) / max(1, unit.original) + worse
        sheet = action_table(self.battle, unit)
        return shaken(self.battle, sheet, then) - shaken(self.battle, sheet, now)

    # --- parts --------------------------------------------------------------------------------------------------------------

    @property
    def pull(self) -> Pull:
        """What draws the unit to places."""
        if self._pull is None:
            self._pull = Pull(self._aims, self.battle, self.unit, self._outlook)
        return self._pull

    @property
    def shelter(self) -> Point | None:
        """Cover within a move, for a unit that has none."""
        if self._shelter is None:
            bare = bool(self.battle.field.covers) and not self.battle.field.sheltered[self.unit.body]
            self._shelter = Shelter(nearest_cover(self.battle, self.unit, farther=False) if bare else None)
        return self._shelter.at

    def flanked(self, facing: float, at: Point | None = None) -> int:
        """How many enemies in sight stand outside the front of the unit facing so, where it is or at a place."""
        arc = self.battle.book.settings.rf_front_half_arc
        bearings = self._posts.bearings(at or self.unit.body.centre)
        return sum([angle_between(facing, bearing) > arc for bearing in bearings])

    def _has_flanks(self, facing: float, at: Point) -> bool:
        """Whether any enemy in sight would stand outside the front."""
        arc = self.battle.book.settings.rf_front_half_arc
        return any(arc < (bearing - facing) % 360 < 360 - arc for bearing in self._posts.bearings(at))

    def fire(self, at: Point, moved: float, commanded: bool) -> float:
        """The best that the unit's fire can do this turn from a place, after moving that share of its allowance."""
        if not may_fire(self.battle, self.unit, commanded, moved):
            return 0.0
        return self._posts.fire(self.battle, self.unit, at, rate_of(self.battle, self.unit, commanded, moved > 0))

    def _fire_at_best(self, moved: float) -> float:
        """The most that the fire of the unit under orders can do from anywhere."""
        if not may_fire(self.battle, self.unit, True, moved):
            return 0.0
        return max(
            self.foes.fire_of(self.battle, self.unit, rate_of(self.battle, self.unit, True, True)).most, default=0.0
        )

    def danger(self, at: Point, cover: Cover = "open") -> float:
        """The losses to be expected at a place."""
        return self._posts.danger(self.battle, self.unit, at, cover)

    def fear(self) -> float:
        """The losses that count against the unit where it stands, in whatever cover it has."""
        battle, unit = self.battle, self.unit
        cover: Cover = "open"
        if battle.field.near_cover[unit.body]:
            enemies = [e for e in battle.against(unit.spec.side) if not e.spec.leader and e.status not in BACKWARD]
            found = battle.nearest(unit, enemies)
            cover = cover_against(battle, unit, found[0].body.centre) if found is not None else "open"
        return FEAR * self.danger(unit.body.centre, cover)

    def end_of(self, goal: Point, moved: float) -> Point:
        """Where the unit's centre comes to on its way to a point."""
        centre = self.unit.body.centre
        return towards(centre, goal, min(allowance(self.battle, self.unit, False) * moved, dist(centre, goal)))
