"""What things are worth to a commander: expected hits of volleys and blows, places to hold, who is to go there.

No rule stands here: only means from the rules' own numbers, distances, and what the scenario's objectives ask for.
"""

from __future__ import annotations

from functools import lru_cache
from math import hypot
from typing import NamedTuple

from zareba.scenario import Scenario
from zareba.scenario.model import CarryOff, Escort, Hold
from zareba.space.geometry import Point
from zareba_rulesets.fixed_baynet.aiming import aim_at, firers, target_figures
from zareba_rulesets.fixed_baynet.battle import Battle
from zareba_rulesets.fixed_baynet.contact import has_close_weapon
from zareba_rulesets.fixed_baynet.fire import shot_facts
from zareba_rulesets.fixed_baynet.ranges import band_of
from zareba_rulesets.fixed_baynet.sight import OPEN_SCENE, cover_between, joint_box, range_between, scene_of
from zareba_rulesets.fixed_baynet.troops import Figure, Unit, box_gap

__all__ = [
    "MAN",
    "Aim",
    "Volley",
    "aim_of",
    "aims",
    "blow_worth",
    "cover_at",
    "hit_chance",
    "is_civil",
    "is_melee",
    "is_threatened",
    "is_urgent",
    "menace",
    "sample",
    "to_go",
    "volley_worth",
]

MAN = 0.05


class Aim(NamedTuple):
    """A place that a side wants: where, how near is near enough, its points; `units` that are to go, if the scenario says."""

    at: Point
    radius: float
    points: float
    units: tuple[str, ...] = ()


class Volley(NamedTuple):
    """One volley: men it is expected to take, to lose to answers, and the number that a middling shot needs."""

    taken: float
    answered: float
    need: int


NO_VOLLEY = Volley(0.0, 0.0, 12)


def hit_chance(need: int) -> float:
    """Share of D12 throws that reach a number, a 1 missing and a 12 hitting (Table 10-B)."""
    return min(11, max(1, 13 - need)) / 12


@lru_cache(maxsize=4096)
def blow_chances(bonus: int, own_weapon: bool, foe_weapon: bool) -> tuple[float, float]:
    """Chances that a blow takes the foe, and that it takes the man who strikes, by the difference of their bonuses."""
    won = lost = 0.0
    own = [(2 * face - 1) / 36 if own_weapon else 1 / 6 for face in range(1, 7)]
    foe = [(2 * face - 1) / 36 if foe_weapon else 1 / 6 for face in range(1, 7)]
    for i, p in enumerate(own):
        for j, q in enumerate(foe):
            if i + bonus > j:
                won += p * q
            elif i + bonus < j:
                lost += p * q
    return won, lost


def volley_worth(battle: Battle, unit: Unit, target: Unit) -> Volley:
    """What one volley of a unit at another is expected to do, from one shot like the others."""
    ready = firers(battle, unit, target.spec.id)
    men = target_figures(battle, unit.spec.side, target) if ready else []
    if not men:
        return NO_VOLLEY
    scene = scene_of(battle, joint_box(unit.box, target.box))
    for figure in (ready[len(ready) // 2], ready[0], ready[-1]):
        for man in aim_at(battle, unit, figure, men, scene):
            away = range_between(battle, figure, man)
            band = band_of(battle.book, figure.weapon, away, "arm_light" in figure.locations) or "long"
            need = battle.book.rules.tally("fire", shot_facts(battle, figure, target, man, scene, band)).total
            taken = min(len(ready) * hit_chance(need), float(len(men)))
            answered = 0.0
            answers = battle.book.settings.counter_attack == "wounded" and "activated" not in target.marks
            if answers and man.weapon != "none":
                answered = taken * hit_chance(figure.spec.ds - man.spec.cs) * 0.9
            return Volley(taken, answered, need)
    return NO_VOLLEY


def blow_worth(battle: Battle, unit: Unit, target: Unit) -> tuple[float, float]:
    """Chances of one blow of a man of the unit against one of the target's."""
    own, foe = sample(unit), sample(target)
    bonus = own.spec.cs - foe.spec.cs + (own.mounted and not foe.mounted) - (foe.mounted and not own.mounted)
    if target.shape == "square":
        bonus -= 1
    return blow_chances(int(bonus), has_close_weapon(battle, own), has_close_weapon(battle, foe))


def sample(unit: Unit) -> Figure:
    """A man like most of the others."""
    return next(reversed(unit.figures.values()))


def is_melee(battle: Battle, unit: Unit) -> bool:
    """Whether a unit's business is hand to hand: close weapons, and nothing that reaches beyond a throw."""
    man = sample(unit)
    longest = battle.book.bands[man.weapon][2] if man.weapon != "none" else -1.0
    return man.spec.close and longest < 12


def is_civil(unit: Unit) -> bool:
    return sample(unit).spec.role == "civilian"


def menace(battle: Battle, unit: Unit) -> float:
    """Men whom enemies may shoot down before this unit acts again: those who have acted this turn may not come to it."""
    danger = 0.0
    for foe in battle.enemies(unit.spec.side):
        weapon = sample(foe).weapon
        if weapon != "none" and box_gap(unit.box, foe.box) <= battle.book.bands[weapon][2]:
            danger += (0.1 if "activated" in foe.marks else 0.2) * len(foe.figures)
    return min(danger, float(len(unit.figures)))


def cover_at(battle: Battle, unit: Unit, foe: Unit, x: float, y: float) -> int:
    """The CV that a man of the unit would have at a point against a man of the enemy (FBN-070)."""
    man, firer = sample(unit), sample(foe)
    if man.place:
        return cover_between(battle, firer.at, firer, man, OPEN_SCENE)
    box = min(x, firer.x), min(y, firer.y), max(x, firer.x), max(y, firer.y)
    scene = scene_of(battle, box)
    if not scene.covers:
        return 0
    mark = Figure(x, y, battle.field.height((x, y)), man.facing, man.gl, man.weapon, mounted=man.mounted, spec=man.spec)
    return cover_between(battle, firer.at, firer, mark, scene)


def is_threatened(battle: Battle, unit: Unit) -> bool:
    """Whether men who shoot may come within reach of a unit this turn, or enemies who are not seen yet."""
    foes = battle.enemies(unit.spec.side)
    if not foes:
        return True
    shooters = 0
    for foe in foes:
        weapon = sample(foe).weapon
        reach = battle.book.bands[weapon][2] if weapon != "none" else -1.0
        if reach > 0 and box_gap(unit.box, foe.box) <= reach + 10:
            shooters += len(foe.figures)
    return shooters > 2


def aims(battle: Battle, scenario: Scenario, side: str) -> list[Aim]:
    """The places that a side wants to hold, to reach or to take something from."""
    found: list[Aim] = []
    width, depth = battle.field.width, battle.field.depth
    edges = {
        "south": (width / 2, 0.0),
        "north": (width / 2, depth),
        "west": (0.0, depth / 2),
        "east": (width, depth / 2),
    }
    for key, goal in scenario.objectives_of(side).items():
        if key in battle.achieved:
            continue
        if isinstance(goal, Hold):
            piece = battle.field.by_name.get(goal.terrain) if goal.terrain is not None else None
            if goal.at is not None:
                found.append(Aim(goal.at, goal.radius, goal.points))
            elif piece is not None:
                w, s, e, n = piece.box
                found.append(Aim(((w + e) / 2, (s + n) / 2), min(e - w, n - s) / 2, goal.points))
        elif isinstance(goal, Escort):
            found.append(Aim(goal.at or edges[goal.edge or "north"], goal.radius, goal.points, goal.units))
        elif isinstance(goal, CarryOff):
            prize = battle.prizes.get(goal.object)
            holder = battle.units.get(prize.carrier) if prize is not None and prize.carrier else None
            if prize is None or prize.taken_by:
                continue
            if holder is not None and holder.spec.side == side:
                found.append(Aim(edges[goal.edge], 0.0, goal.points, (holder.spec.source,)))
            else:
                found.append(Aim((prize.x, prize.y), 2.0, goal.points))
    return found


def aim_of(battle: Battle, scenario: Scenario, unit: Unit) -> Aim | None:
    """The place to which a unit should go: one named for it, or one to which no other unit of its side is nearer."""
    best: tuple[float, Aim] | None = None
    for aim in aims(battle, scenario, unit.spec.side):
        if aim.units:
            if unit.spec.source in aim.units:
                return aim
            continue
        if (best is None or aim.points > best[0]) and _is_nearest(battle, unit, aim.at):
            best = (aim.points, aim)
    return None if best is None else best[1]


def _is_nearest(battle: Battle, unit: Unit, at: Point) -> bool:
    """Whether no other unit of its side that could be sent is nearer to a place."""
    away, side = _gap(unit, at), unit.spec.side
    for other in battle.units.values():
        if other.spec.side != side or other is unit or other.guns or not other.on_table:
            continue
        if _gap(other, at) < away and not is_civil(other):
            return False
    return True


def _gap(unit: Unit, at: Point) -> float:
    w, s, e, n = unit.box
    return hypot((w + e) / 2 - at[0], (s + n) / 2 - at[1])


def to_go(unit: Unit, aim: Aim) -> float:
    """Inches that a unit has still to go to a place; 0 when it is there."""
    return max(0.0, _gap(unit, aim.at) - aim.radius)


def is_urgent(battle: Battle, scenario: Scenario, unit: Unit, aim: Aim) -> bool:
    """Whether a unit must set out now to be there when the battle ends."""
    stride = 7.0 if is_civil(unit) else 12.0
    return to_go(unit, aim) > 0 and scenario.turns - battle.turn <= 1 + to_go(unit, aim) / stride
