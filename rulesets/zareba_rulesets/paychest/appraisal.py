"""What the options of a question are worth, for commanders with sense (not a rule; odds and distances only).

Losses are shares of a unit of fifteen men. The numbers are rough on purpose: chances to hit from the tallies, means in
place of distributions, and distances for the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import dist
from typing import Any

from zareba.ruleset import Appraisal
from zareba.space import Point
from zareba.table import Choose, Confirm, Option, Place
from zareba_rulesets.paychest.battle import Battle, Unit
from zareba_rulesets.paychest.contact import foes_near
from zareba_rulesets.paychest.goals import centre_of, nearest_enemy, objective_point
from zareba_rulesets.paychest.shooting import FireFacts, ready_weapon

__all__ = ["appraise"]

SHARE = 15.0
OUT = 0.35
"""Roughly the part of all hits that put a man out, and so what a hit is worth against his unit."""
INCH = 0.02
MUSKETRY = 20.0
"""Inches at which men with rifles had better stand and fire."""
STRIDE = {"halt": 0.0, "advance": 7.0, "run": 10.5}
NOTHING = Appraisal()


def hit_chance(battle: Battle, skill: int, weapon: str, inches: float, gait: str) -> float:
    """The chance of one shot in the open (PAY-107 to PAY-112)."""
    band = battle.book.band(weapon, inches)
    if band is None:
        return 0.0
    total = battle.book.rules.tally("firearms", FireFacts(skill, band, gait)).total  # type: ignore[arg-type]  # known words
    return min(total, 6) / 6 if total >= 1 else skill / 36


def _firepower(battle: Battle, unit: Unit, inches: float, gait: str) -> float:
    """Expected losses of a turn's fire at this range, in shares of a unit."""
    total = 0.0
    for figure in unit.able:
        weapon = ready_weapon(battle.book, figure)
        if weapon and not figure.loads:
            total += figure.spec.shots * hit_chance(battle, figure.spec.firearms, weapon, inches, gait)
    return total * OUT / SHARE


def _is_bladed(battle: Battle, unit: Unit) -> bool:
    """Whether most of a unit are better hand to hand than with what they can fire."""
    able = unit.able
    shooters = sum(1 for figure in able if battle.book.ranges.get(ready_weapon(battle.book, figure), 0.0) > 12)
    return 2 * shooters < len(able)


def _melee_edge(battle: Battle, unit: Unit, other: Unit) -> float:
    """The difference of mean Melee Skill between two units, in points."""
    ours, theirs = unit.able, other.able
    if not ours or not theirs:
        return 0.0
    return sum(f.spec.melee for f in ours) / len(ours) - sum(f.spec.melee for f in theirs) / len(theirs)


def _aim_of(battle: Battle, unit: Unit) -> tuple[Point | None, Point | None]:
    """Where a unit wants to go, and its nearest enemy: the blades to the enemy, the others to the objective."""
    enemy = nearest_enemy(battle, unit)
    objective = objective_point(battle, unit)
    here = centre_of(unit)
    if enemy is not None and _is_bladed(battle, unit) and dist(here, enemy) < 30.0:
        return (enemy if not _carries_prize(battle, unit) else objective), enemy
    return objective or enemy, enemy


def _carries_prize(battle: Battle, unit: Unit) -> bool:
    return any(thing.goal and thing.carrier in unit.figures for thing in battle.things.values())


# --- moving -----------------------------------------------------------------------------------------------------------


def _move(battle: Battle, unit: Unit, option: Option) -> Appraisal:
    aim, enemy = _aim_of(battle, unit)
    here = centre_of(unit)
    away = dist(here, enemy) if enemy is not None else 99.0
    if isinstance(option, tuple):
        return _machine(battle, unit, option, away)
    if option == "clear the jam":
        return Appraisal(inflicts=0.5, reason="the gun must fire again (PAY-176)")
    if option not in STRIDE:
        return Appraisal(suffers=0.2, reason="no need for it")
    gait = str(option)
    stride = STRIDE[gait]
    bladed = _is_bladed(battle, unit)
    gain = min(stride, dist(here, aim)) if aim is not None else 0.0
    fire = _firepower(battle, unit, max(0.0, away - (gain if bladed else gain / 2)), gait)
    haste = 2.0 if bladed or _carries_prize(battle, unit) else 0.25 if away < MUSKETRY else 1.0
    ground = gain * INCH * haste
    if bladed and away <= stride + 4.0 and gait != "halt":
        fire += 0.3
    return Appraisal(fire, 0.0, ground, reason=f"{gait}: fire worth {fire:.2f}, {gain:.0f} inches gained")


def _machine(battle: Battle, unit: Unit, option: tuple[Any, ...], away: float) -> Appraisal:
    verb = option[0]
    if verb == "unlimber" and away < 48:
        return Appraisal(inflicts=0.5, reason=f"the enemy is {away:.0f} inches away")
    if verb == "drive":
        engine = battle.engines[option[1]]
        fights = engine.kind in ("gun", "machine_gun") and away < 40
        worth = 0.0 if fights else (0.14 if option[2] == "advance" else 0.2)
        return Appraisal(ground=worth, reason="on the way")
    return Appraisal(suffers=0.1, reason="better stay as they are")


def _place(battle: Battle, unit: Unit, question: Place) -> list[Appraisal]:
    aim, enemy = _aim_of(battle, unit)
    here = centre_of(unit)
    if question.why in ("set up at", "arrive at", "stretch at"):
        return [Appraisal(ground=0.1 if not n else 0.0) for n in range(len(question.suggestions))]
    bladed = _is_bladed(battle, unit)
    found = []
    for point in question.suggestions:
        if aim is None:
            found.append(NOTHING)
            continue
        far = dist(here, point)
        share = min(1.0, 10.5 / far) if far else 0.0
        end = (here[0] + (point[0] - here[0]) * share, here[1] + (point[1] - here[1]) * share)
        gain = dist(here, aim) - dist(end, aim)
        charge = 0.2 if enemy is not None and point == enemy and bladed else 0.0
        near = 0.1 if enemy is not None and not bladed and dist(end, enemy) < 4.0 else 0.0
        found.append(Appraisal(charge, near, gain * INCH, reason=f"{gain:.0f} inches nearer"))
    return found


def _handle(battle: Battle, unit: Unit, option: Option) -> Appraisal:
    if not isinstance(option, tuple):
        return NOTHING
    if option[0] == "take":
        armed = ready_weapon(battle.book, battle.figure(option[1]))
        better = not armed and option[3] in battle.book.ranges
        return Appraisal(inflicts=0.05 if better else -0.05, reason=f"a {option[3]} for him (PAY-023)")
    thing = battle.things.get(option[2])
    wanted = thing is not None and any(
        goal.thing == thing.goal and goal.kind == "carry_off" and unit.spec.side in goal.sides for goal in battle.goals
    )
    worth = 1.0 if wanted else -0.2
    return Appraisal(ground=worth if option[0] == "pick up" else -worth, reason="what they came for")


def _edge(battle: Battle, unit: Unit, option: Option) -> Appraisal:
    going = {goal.edge for goal in battle.goals if goal.kind == "escort" and unit.spec.id in goal.units}
    prizes = {goal.thing for goal in battle.goals if goal.kind == "carry_off" and unit.spec.side in goal.sides}
    loaded = any(thing.carrier in unit.figures and thing.goal in prizes for thing in battle.things.values())
    leaves = bool(going) or loaded
    return Appraisal(ground=1.0 if (option != "stay") is leaves else 0.0, reason="the way home (PAY-214)")


# --- fire and melee ---------------------------------------------------------------------------------------------------

FIRE = {
    "done": 0.0,
    "volley": 0.3,
    "volley with leaders": 0.32,
    "volley of picked men": -1.0,
    "leader": 0.2,
    "gun": 0.6,
    "unjam": 0.4,
}


def _fire(battle: Battle, unit: Unit, option: Option) -> Appraisal:
    word = option[0] if isinstance(option, tuple) else option
    return Appraisal(inflicts=FIRE[str(word)], reason="fire while there is a target")


def _target(battle: Battle, unit: Unit, option: Option) -> Appraisal:
    """A group by its range; a stretch only where there is no group."""
    if not isinstance(option, tuple):
        return Appraisal(inflicts=0.01 if option == "a stretch" else 0.0)
    spot = battle.figure(option[1]).at
    away = dist(centre_of(unit), spot) if spot is not None else 36.0
    weight = 1.0 + 0.3 * bool(battle.unit(option[0]).hits)
    return Appraisal(inflicts=weight * max(0.05, 1.0 - away / 40.0), reason=f"{away:.0f} inches away")


def _unit_target(battle: Battle, unit: Unit, option: Option) -> Appraisal:
    other = battle.units.get(str(option))
    if other is None:
        return NOTHING
    worth = 0.4 if other.leader else 0.1
    away = dist(centre_of(unit), centre_of(other))
    return Appraisal(inflicts=max(0.01, worth - away / 200.0), reason=f"{away:.0f} inches away")


def _man_target(battle: Battle, unit: Unit, option: Option) -> Appraisal:
    figure = battle.figure(str(option))
    leads = figure.spec.id == battle.unit_of(figure).leader
    return Appraisal(inflicts=0.4 if leads else 0.1, reason="their leader (PAY-092)" if leads else "a man less")


def _melee(battle: Battle, unit: Unit, option: Option) -> Appraisal:
    if option == "no melee":
        return NOTHING
    if option != "fight all":
        return Appraisal(suffers=1.0)
    edge = max((_melee_edge(battle, unit, other) for other in foes_near(battle, unit)), default=0.0)
    return Appraisal(inflicts=0.2 * (edge + 0.6), reason=f"Melee Skill {edge:+.1f} against theirs")


def _plainly(good: Sequence[str]) -> Callable[[Battle, Unit, Option], Appraisal]:
    """An appraisal that prefers these words."""

    def judge(battle: Battle, unit: Unit, option: Option) -> Appraisal:
        return Appraisal(steadies=0.1 if option in good else 0.0)

    return judge


def _promotes(battle: Battle, unit: Unit, option: Option) -> Appraisal:
    return Appraisal(steadies=0.0 if option == "nobody" else 0.2, reason="somebody must lead (PAY-037)")


JUDGES: dict[str, Callable[[Battle, Unit, Option], Appraisal]] = {
    "acting corporal": _promotes,
    "handle": _handle,
    "move": _move,
    "gait": _plainly(["advance"]),
    "at the edge": _edge,
    "posture": _plainly(["up"]),
    "fire": _fire,
    "volley at": _target,
    "gun at": _target,
    "stretch width": _plainly(["full"]),
    "fire at unit": _unit_target,
    "fire at": _man_target,
    "melee": _melee,
    "brave deed in": _plainly(["nobody"]),
}


def appraise(battle: Battle, question: Choose | Place | Confirm) -> Sequence[Appraisal]:
    """One appraisal for each option, in order (for a confirmation: no, yes)."""
    unit = _unit_of(battle, question.actor)
    if isinstance(question, Confirm):
        return [NOTHING, Appraisal(inflicts=0.1)]
    if isinstance(question, Place):
        return _place(battle, unit, question)
    judge = JUDGES.get(question.why)
    if judge is None:
        return [Appraisal(steadies=0.1 if n == 0 else 0.0) for n in range(len(question.options))]
    return [judge(battle, unit, option) for option in question.options]


def _unit_of(battle: Battle, actor: str) -> Unit:
    """The unit that a question is about, whoever is named: unit, figure or gun."""
    if actor in battle.units:
        return battle.units[actor]
    if actor in battle.engines:
        return battle.unit(battle.engines[actor].unit)
    return battle.units[actor.rpartition(".")[0]]
