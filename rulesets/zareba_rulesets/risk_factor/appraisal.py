"""What the options of a choice are worth, for commanders with sense (not a rule; means and distances only).

One unit of worth is a group of ten men. Losses are means of the dice: hits of a shot by band and cover, matches of a
melee by the difference of their scores.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cache
from math import dist

from zareba.ruleset import Appraisal
from zareba.scenario import Scenario
from zareba.space.geometry import Point
from zareba.table import Choose, Confirm, Option, Place
from zareba_rulesets.risk_factor.battle import BACKWARD, Battle, Unit
from zareba_rulesets.risk_factor.command import GIVE, LINK
from zareba_rulesets.risk_factor.marksmen import share_with_a_clear_shot
from zareba_rulesets.risk_factor.movement import allowance
from zareba_rulesets.risk_factor.orders import ADVANCE, CHARGE, HOLD, JOIN, MARCH, WITHDRAW
from zareba_rulesets.risk_factor.translation import Plan
from zareba_rulesets.risk_factor.weapons import action_table, loading_of, longest_reach, melee_factor, missiles

__all__ = ["Judgement"]

MAN = 0.1
STEP = 0.25  # worth of a whole move nearer to an objective of one point
FEAR = 0.6  # how much of the fire and the charges expected at a place counts against going there
NOTHING = Appraisal()


@dataclass(frozen=True, slots=True)
class Goal:
    """A place that a side wants to reach or to keep, and what it is worth."""

    at: Point
    worth: float
    held: bool = False


class Judgement:
    """Appraises the choices of one game. Remembers each side's goals for a player turn."""

    def __init__(self, scenario: Scenario, plan: Plan) -> None:
        self.scenario = scenario
        self.plan = plan
        self._goals: dict[str, tuple[Hashable, list[Goal]]] = {}

    def appraise(self, battle: Battle, question: Choose | Place | Confirm) -> Sequence[Appraisal]:
        """One appraisal for each option, in order (for a yes or no: no, yes)."""
        unit = battle.units.get(question.actor)
        if isinstance(question, Place):
            return [self._place(battle, unit, at) for at in question.suggestions]
        if isinstance(question, Confirm):
            return [NOTHING, self._yes(battle, unit, question.why)]
        weigh = CHOICES.get(question.why)
        if weigh is None or unit is None:
            return [NOTHING] * len(question.options)
        return [weigh(self, battle, unit, option) for option in question.options]

    # --- where to go ----------------------------------------------------------------------------------------------------

    def goals(self, battle: Battle, side: str) -> list[Goal]:
        """What a side wants: its places first, then enemies that it is to destroy, or any enemy at all."""
        key = (battle.turn, battle.active)
        known = self._goals.get(side)
        if known is None or known[0] != key:
            known = self._goals[side] = (key, self._find_goals(battle, side))
        return known[1]

    def _find_goals(self, battle: Battle, side: str) -> list[Goal]:
        found = []
        enemies = [enemy for enemy in battle.against(side) if not enemy.spec.leader]
        hunt = 0.5
        for key, goal in self.scenario.objectives.items():
            mine = not goal.by or side in goal.by
            if goal.kind == "destroy" and mine:
                hunt += 0.4 * goal.points
            elif key in self.plan.places and goal.kind == "hold":
                at = self.plan.places[key][0]
                near = [unit for unit in battle.groups(side) if dist(unit.body.centre, at) < 25 + unit.body.reach]
                found.append(Goal(at, (1.0 if mine else 0.6) * goal.points, bool(near)))
        for prize in battle.prizes.values():
            if not prize.taken_by and not (prize.carrier and battle.units[prize.carrier].spec.side == side):
                found.append(Goal(prize.at, 2.0))
        weight = hunt / max(1, len(enemies)) + 0.3
        return found + [Goal(enemy.body.centre, weight) for enemy in enemies]

    def pull(self, battle: Battle, unit: Unit, at: Point) -> float:
        """How much nearer to its best goal a place brings a unit, in worth."""
        here, cm = unit.body.centre, allowance(battle, unit, False)
        best = 0.0
        for goal in self.goals(battle, unit.spec.side):
            now, then = dist(here, goal.at), dist(at, goal.at)
            gain = STEP * goal.worth * (now - then) / cm / (1 + now / 100)
            if goal.held and now < 30:
                gain = min(0.0, gain)
            best = gain if abs(gain) > abs(best) and gain > 0 else best
        return best

    def stake(self, battle: Battle, unit: Unit) -> float:
        """What it would cost to leave the goal that a unit is keeping."""
        held = [goal for goal in self.goals(battle, unit.spec.side) if goal.held]
        return max((STEP * goal.worth for goal in held if dist(goal.at, unit.body.centre) < 30), default=0.0)

    # --- single choices ---------------------------------------------------------------------------------------------------

    def _place(self, battle: Battle, unit: Unit | None, at: Point) -> Appraisal:
        if unit is None or not unit.hurt:
            return NOTHING
        cm = allowance(battle, unit, False)
        length = dist(unit.body.centre, at) or 1.0
        share = min(1.0, cm / length)
        x, y = unit.body.centre
        end = (x + (at[0] - x) * share, y + (at[1] - y) * share)
        return Appraisal(ground=self.pull(battle, unit, end), suffers=FEAR * danger(battle, unit, end))

    def _yes(self, battle: Battle, unit: Unit | None, why: str) -> Appraisal:
        if unit is None:
            return NOTHING
        if why == "stay in cover":
            return Appraisal(steadies=0.3, reason="cover is worth more than ground (RSK-141)")
        if why == "combine":
            return Appraisal(steadies=0.1, reason="three men alone run (RSK-047)")
        if why == "follow up":
            enemies = battle.within(unit, battle.against(unit.spec.side), 6.0)
            deals, takes = exchange(battle, unit, enemies[0], False) if enemies else (0.0, 0.1)
            return Appraisal(deals, takes, reason=lambda: f"a further round deals {deals:.2f}, costs {takes:.2f}")
        return NOTHING

    def command(self, battle: Battle, unit: Unit, option: Option) -> Appraisal:
        """Links first while groups are left that points could buy, then the groups that gain most by orders."""
        if not isinstance(option, tuple):
            return NOTHING
        other = battle.units[option[1]]
        if option[0] == LINK:
            return Appraisal(steadies=0.9, reason="a link brings more points than he costs (RSK-061)")
        assert option[0] == GIVE, "a pool buys links and groups"
        enemies = list(battle.against(other.spec.side))
        found = battle.nearest(other, enemies)
        near = found[1].gap if found is not None else 1000.0
        urgent = 0.4 if near <= 60 else 0.2 if near <= longest_reach(battle, other) else 0.1
        value = urgent * other.count * MAN * (1.5 if other.spec.volley else 1.0)
        return Appraisal(steadies=value, reason=lambda: f"{other.count} men with the enemy {near:.0f} cm off")

    def order(self, battle: Battle, unit: Unit, option: Option) -> Appraisal:
        """Fire given and taken where the order leads, melee if it charges, and ground towards the objectives."""
        centre, cm = unit.body.centre, allowance(battle, unit, False)
        if option == HOLD:
            out = fire_from(battle, unit, centre, moved=False)
            return Appraisal(out, FEAR * danger(battle, unit, centre), self.stake(battle, unit), 0.0, "stands")
        if isinstance(option, tuple) and option[0] == CHARGE:
            enemy = battle.units[option[1]]
            deals, takes = exchange(battle, unit, enemy, True)
            odds = min(1.0, max(0.2, (cm + 6.0 - battle.gap(unit, enemy).gap) / 6.0)) if unit.spec.native else 1.0
            ground = min(0.3, self.pull(battle, unit, enemy.body.centre))
            takes *= 4.0 if unit.spec.leader else 1.0
            return Appraisal(
                odds * deals, odds * takes, ground, 0.0, lambda: f"melee deals {deals:.2f}, costs {takes:.2f}"
            )
        if isinstance(option, tuple) and option[0] == ADVANCE:
            target = battle.units[option[1]].body.centre
            share = cm / max(cm, dist(centre, target))
            end = (centre[0] + (target[0] - centre[0]) * share, centre[1] + (target[1] - centre[1]) * share)
            out = fire_from(battle, unit, end, moved=True)
            return Appraisal(
                out, FEAR * danger(battle, unit, end), self.pull(battle, unit, end), 0.0, "closes with the enemy"
            )
        if isinstance(option, tuple) and option[0] == JOIN:
            group = battle.units[option[1]]
            return Appraisal(
                steadies=0.25 if group.status not in BACKWARD else 0.05, reason="stays with his men (RSK-115)"
            )
        if option == MARCH:
            return self._march(battle, unit)
        if option == WITHDRAW:
            return Appraisal(suffers=0.5 * FEAR * danger(battle, unit, centre), ground=-0.1, reason="goes back")
        return Appraisal(suffers=FEAR * danger(battle, unit, centre), ground=-0.05)

    def _march(self, battle: Battle, unit: Unit) -> Appraisal:
        """The best of the goals: ground won on the way to it, against what waits at the end of this move."""
        best = Appraisal(ground=-0.05, reason="nowhere to go")
        x, y = unit.body.centre
        cm = allowance(battle, unit, False)
        for goal in self.goals(battle, unit.spec.side):
            share = min(1.0, cm / (dist(unit.body.centre, goal.at) or 1.0))
            end = (x + (goal.at[0] - x) * share, y + (goal.at[1] - y) * share)
            ground = self.pull(battle, unit, end)
            if ground > best.ground:
                out = 0.5 * fire_from(battle, unit, end, moved=True)
                best = Appraisal(out, FEAR * danger(battle, unit, end), ground, 0.0, "marches on the objective")
        return best

    def pace(self, battle: Battle, unit: Unit, option: Option) -> Appraisal:
        """Half pace for troops who can shoot after it, the whole move for the rest."""
        shoots = fire_from(battle, unit, unit.body.centre, moved=True)
        return Appraisal(inflicts=shoots if option == "half" else 0.0, ground=0.05 if option == "full" else 0.0)

    def shoot_at(self, battle: Battle, unit: Unit, option: Option) -> Appraisal:
        """The men that a volley fells on average."""
        if option not in battle.units:
            return NOTHING
        target = battle.units[str(option)]
        clear = share_with_a_clear_shot(battle, unit, target)
        value = clear * fire_at(battle, unit, target, battle.gap(unit, target).gap, commanded=True)
        near = 1.0 + (0.3 if battle.gap(unit, target).gap < 40 and action_table(battle, target) == "melee" else 0.0)
        return Appraisal(0.01 + value * near, reason=lambda: f"{value * 10:.1f} men on average")

    def shoot_with(self, battle: Battle, unit: Unit, option: Option) -> Appraisal:
        """The longer arm first."""
        return Appraisal(inflicts=battle.book.reach(str(option)) / 1000)

    def retreat_to(self, battle: Battle, unit: Unit, option: Option) -> Appraisal:
        return Appraisal(steadies=0.1 if option == "cover" else 0.0)

    def declare(self, battle: Battle, unit: Unit, option: Option) -> Appraisal:
        """A die of command is worth more than one shot (RSK-053)."""
        return NOTHING if option == "done" else Appraisal(suffers=0.05)

    def strike(self, battle: Battle, unit: Unit, option: Option) -> Appraisal:
        """Leaders first, then the wounded, whom any blow kills (RSK-111)."""
        if not isinstance(option, tuple):
            return NOTHING
        other = battle.units[option[0]]
        return Appraisal(inflicts=MAN * (1.0 + other.hurt[option[1]] + 2.0 * bool(other.spec.leader)))


CHOICES: dict[str, Callable[[Judgement, Battle, Unit, Option], Appraisal]] = {
    "command": Judgement.command,
    "will load or fire": Judgement.declare,
    "order": Judgement.order,
    "pace": Judgement.pace,
    "shoot at": Judgement.shoot_at,
    "shoot with": Judgement.shoot_with,
    "retreat": Judgement.retreat_to,
    "strike whom": Judgement.strike,
}


# --- means ----------------------------------------------------------------------------------------------------------------


def fire_at(battle: Battle, unit: Unit, target: Unit, gap: float, *, commanded: bool) -> float:
    """Mean losses of a unit's fire at a distance, in shares of ten men; a wound counts half."""
    best = 0.0
    book = battle.book
    for weapon in missiles(battle, unit):
        band = book.band(weapon, gap)
        if band is None:
            continue
        need = book.hit_on[band]["hard" if battle.field.sheltered[target.body] else "open"]
        wound, kill = book.damage[book.weapons[weapon].damage]
        felled = ((kill - wound) * 0.5 + (7 - kill)) / 6
        rate = 1.0 if commanded and unit.spec.volley else 0.5
        rate = 1 / 3 if book.weapons[weapon].hurled else rate
        best = max(best, unit.count * rate * (9 - need) / 8 * felled * MAN)
    return best


def fire_from(battle: Battle, unit: Unit, at: Point, moved: bool) -> float:
    """The best that a unit's fire can do from a place this turn."""
    weapons = missiles(battle, unit)
    if not weapons:
        return 0.0
    muzzle = all(loading_of(unit, weapon) == "muzzle" for weapon in weapons)
    if muzzle and unit.spec.volley and ("loaded" not in unit.marks or moved):
        return 0.05
    values = []
    for enemy in battle.against(unit.spec.side):
        gap = dist(at, enemy.body.centre) - enemy.body.reach - unit.body.radius
        values.append(fire_at(battle, unit, enemy, max(0.0, gap), commanded=True))
    return max(values, default=0.0) * (0.9 if moved else 1.0)


def danger(battle: Battle, unit: Unit, at: Point) -> float:
    """Mean losses that a unit must expect at a place: the nearest enemies' fire, and those who may charge it there."""
    total = 0.0
    for enemy in battle.against(unit.spec.side):
        if enemy.spec.leader or enemy.status in BACKWARD:
            continue
        gap = max(0.0, dist(at, enemy.body.centre) - enemy.body.reach - unit.body.radius)
        total += 0.4 * fire_at(battle, enemy, unit, gap, commanded=False)
        if gap <= 31 and action_table(battle, enemy) == "melee":
            deals, takes = exchange(battle, enemy, unit, True)
            total += 0.5 * max(0.0, deals - takes)
    return total


def exchange(battle: Battle, unit: Unit, enemy: Unit, charges: bool) -> tuple[float, float]:
    """Mean losses dealt and taken in a round of melee, in shares of ten men, and a little for pushing back."""
    ours, theirs = min(unit.count, 4 * enemy.count), min(enemy.count, 4 * unit.count)
    if not ours or not theirs:
        return 0.0, 0.0
    own, other = _factor(battle, unit), _factor(battle, enemy)
    crossing = charges and battle.field.barrier_between(unit.body.centre, enemy.body.centre)
    plus = _class(unit) + (own > other) - crossing
    minus = _class(enemy) + (other > own)
    per_us, per_them = max(1, round(ours / theirs)), max(1, round(theirs / ours))
    edge = plus - (per_them - 1) - minus + (per_us - 1)
    pairs = max(ours, theirs)
    deals = min(pairs * blow(edge, enemy.status == "routing") * MAN, enemy.count * MAN)
    takes = 0.0 if enemy.status == "routing" else min(pairs * blow(-edge, False) * MAN, unit.count * MAN)
    if per_them > 1:
        deals /= per_them
    if per_us > 1:
        takes /= per_us
    return deals + 0.1 * (deals > takes), takes + 0.1 * (takes > deals)


def _class(unit: Unit) -> int:
    return (unit.spec.superior_melee or unit.spec.troop_class == "hero") - (unit.spec.troop_class == "raw")


def _factor(battle: Battle, unit: Unit) -> int:
    return melee_factor(battle.book, unit.spec, bool(unit.armed and unit.armed[0]))


@cache
def blow(edge: int, helpless: bool) -> float:
    """Mean losses that one man inflicts in a match with so much better a score; a wound counts half (RSK-173)."""
    total = 0.0
    for die, worth in ((5, 0.5), (6, 1.0)):
        beaten = 6 if helpless else sum(die + edge > other for other in range(1, 7))
        total += worth * beaten / 36
    return total
