"""What the acts of a unit are worth (section 26 of the catalogue has the decisions): one appraisal for each."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import atan2, degrees, hypot
from typing import Any

from zareba.ruleset import Appraisal
from zareba.scenario import Scenario
from zareba.space.bearings import angle_between
from zareba.table import Option
from zareba_rulesets.fixed_baynet.after_move import nearest_enemy
from zareba_rulesets.fixed_baynet.appraisal.prospects import (
    MAN,
    aim_of,
    blow_worth,
    cover_at,
    hit_chance,
    is_civil,
    is_melee,
    is_threatened,
    is_urgent,
    menace,
    sample,
    to_go,
    volley_worth,
)
from zareba_rulesets.fixed_baynet.artillery import direct_targets, gun_facts
from zareba_rulesets.fixed_baynet.battle import Battle
from zareba_rulesets.fixed_baynet.machine_guns import salvo_aim
from zareba_rulesets.fixed_baynet.options import FIRE, menu_of
from zareba_rulesets.fixed_baynet.troops import Unit, box_gap

__all__ = ["NOTHING", "STANDOFF", "Judge", "act_worth"]

STANDOFF = 9.0
RIFLE = 22.0
NOTHING = Appraisal(reason="0 gained, 0 lost")


class Judge:
    """Judges the acts of the active unit. What it thinks of an act is kept for the second choice (`Menu.judged`)."""

    def __init__(self, battle: Battle, scenario: Scenario, unit: Unit) -> None:
        self.battle, self.scenario, self.unit = battle, scenario, unit
        self.menu = menu_of(battle, unit)
        self.shoots = any(isinstance(act, tuple) and act[0] == FIRE for act in self.menu.of(FIRE))

    def kind(self, kind: Option) -> Appraisal:
        """A kind of act is worth its best act."""
        return max([self.act(act) for act in self.menu.of(kind)], key=_sum)

    def act(self, act: Option) -> Appraisal:
        kept = self.menu.judged.get(act)
        if kept is None:
            kept = act_worth(self.battle, self.scenario, self.unit, act, self.shoots)
            self.menu.judged[act] = kept
        return kept


def _sum(one: Appraisal) -> float:
    return one.inflicts - one.suffers + one.ground + one.steadies


def act_worth(battle: Battle, scenario: Scenario, unit: Unit, option: Option, shoots: bool) -> Appraisal:
    """What one act of the active unit is worth; `shoots`: it has somebody to shoot at."""
    if option == "move":
        return _move(battle, scenario, unit, shoots)
    if isinstance(option, tuple):
        weigh = TUPLES.get(option[0])
        return NOTHING if weigh is None else weigh(battle, scenario, unit, option)
    weigh_word = WORDS.get(str(option))
    return NOTHING if weigh_word is None else weigh_word(battle, scenario, unit)


def _flat(worth: float, reason: str) -> Callable[..., Appraisal]:
    found = Appraisal(ground=worth, reason=reason)
    return lambda *_: found


# --- fire and blows -------------------------------------------------------------------------------------------------------


def _fire(battle: Battle, scenario: Scenario, unit: Unit, option: tuple[Any, ...]) -> Appraisal:
    target = battle.units[option[1]]
    volley = volley_worth(battle, unit, target)
    bonus = 0.01 if is_melee(battle, target) else 0.0
    if any(prize.carrier == target.spec.id for prize in battle.prizes.values()):
        bonus += 0.1
    return Appraisal(
        inflicts=volley.taken * MAN + bonus,
        suffers=0.6 * volley.answered * MAN,
        reason=partial("{:.1f} hits expected, {}+ to hit (FBN-082)".format, volley.taken, volley.need),
    )


def _charge(battle: Battle, scenario: Scenario, unit: Unit, option: tuple[Any, ...]) -> Appraisal:
    target = battle.units[option[1]]
    won, lost = blow_worth(battle, unit, target)
    men = min(len(unit.figures), 2 * len(target.figures))
    away = box_gap(unit.box, target.box)
    eager = 1.6 if is_melee(battle, unit) else 0.6
    reaches = 1.0 if away <= 1.6 * sample(unit).spec.sp or sample(unit).mounted else 0.4
    return Appraisal(
        inflicts=eager * men * won * MAN * reaches,
        suffers=men * lost * MAN * reaches + 0.03,
        reason=partial("{:.0%} of blows take their man (FBN-105)".format, won),
    )


def _fight(battle: Battle, scenario: Scenario, unit: Unit) -> Appraisal:
    foe = nearest_enemy(battle, unit)[1]
    if foe is None:
        return NOTHING
    won, lost = blow_worth(battle, unit, foe)
    reason = partial("{:.0%} of blows take their man (FBN-105)".format, won)
    return Appraisal(inflicts=6 * won * MAN, suffers=4.8 * lost * MAN, reason=reason)


def _gun_fire(battle: Battle, scenario: Scenario, unit: Unit, option: tuple[Any, ...]) -> Appraisal:
    gun, target = unit.guns[option[1]], battle.units[option[2]]
    man = next((man for other, man in direct_targets(battle, unit, gun) if other is target), None)
    if man is None:
        return NOTHING
    need = battle.book.rules.tally("fire", gun_facts(battle, unit, gun, target, man)).total
    radius = battle.book.burst_radius(gun.kind)
    under = sum(hypot(f.x - man.x, f.y - man.y) <= radius for f in target.figures.values())
    taken = 0.7 * under * hit_chance(man.spec.ds)
    reason = partial("{}+ to hit, {} men under the marker (FBN-215)".format, need, under)
    return Appraisal(inflicts=taken * MAN, reason=reason)


def _salvo(battle: Battle, scenario: Scenario, unit: Unit, option: tuple[Any, ...]) -> Appraisal:
    target, gun = battle.units[option[2]], unit.guns[option[1]]
    man = salvo_aim(battle, unit, gun, target)
    if man is None:
        return NOTHING
    need = battle.book.rules.tally("fire", gun_facts(battle, unit, gun, target, man)).total
    taken = min(6 * hit_chance(need), float(len(target.figures)))
    reason = partial("{:.1f} hits expected, and pinned (FBN-230)".format, taken)
    return Appraisal(inflicts=taken * MAN + 0.03, reason=reason)


def _turn(battle: Battle, scenario: Scenario, unit: Unit, option: tuple[Any, ...]) -> Appraisal:
    gun = unit.guns[option[1]]
    foe = nearest_enemy(battle, unit)[1]
    if foe is None:
        return NOTHING
    x, y = foe.middle
    off = angle_between(gun.bearing, degrees(atan2(x - gun.x, y - gun.y)))
    reason = partial("the nearest enemy lies {:.0f} degrees off (FBN-208)".format, off)
    return Appraisal(ground=0.02 if off > 20 else -0.02, reason=reason)


# --- movement -------------------------------------------------------------------------------------------------------------


def _move(battle: Battle, scenario: Scenario, unit: Unit, shoots: bool = True) -> Appraisal:
    """Those with close weapons go in; shooters go where they can shoot; who is to go somewhere goes there in time."""
    away, foe = nearest_enemy(battle, unit)
    aim = aim_of(battle, scenario, unit)
    if aim is not None and (aim.units or is_urgent(battle, scenario, unit, aim)):
        left = to_go(unit, aim)
        worth = 0.25 if not aim.units else 0.07
        reason = partial('{:.0f}" to go for {:g} points (FBN-265)'.format, left, aim.points)
        return Appraisal(ground=worth if left else -0.03, reason=reason)
    if foe is None:
        return Appraisal(ground=0.02, reason="0 enemies in sight")
    near = partial('the enemy is {:.0f}" away'.format, away)
    if is_melee(battle, unit):
        return Appraisal(ground=0.06 if away > 1 else -0.02, reason=near)
    man = sample(unit)
    shelter = cover_at(battle, unit, foe, man.x, man.y) if not is_civil(unit) else 0
    if shelter >= 2 and (shoots or scenario.sides[unit.spec.side].role == "defender"):
        return Appraisal(ground=-0.05, reason=partial("cover of {} is worth staying for (FBN-023)".format, shelter))
    if away > RIFLE:
        return Appraisal(ground=0.05, reason='beyond 22" of the enemy rifles do little (Table 4-C)')
    if is_civil(unit):
        return Appraisal(ground=0.05 if away < 12 else 0.01, reason=near)
    if aim is not None and to_go(unit, aim) and away > STANDOFF:
        return Appraisal(
            ground=0.02, reason=partial('{:.0f}" to a place of {:g} points'.format, to_go(unit, aim), aim.points)
        )
    if not shoots:
        return Appraisal(
            ground=0.02 if away > 1 else -0.02, reason=partial('0 in sight, the enemy is {:.0f}" away'.format, away)
        )
    return Appraisal(ground=0.015 if away > STANDOFF else -0.03, reason=f'stand off at {STANDOFF:.0f}" (Table 4-C)')


def _ride(battle: Battle, scenario: Scenario, unit: Unit, option: tuple[Any, ...]) -> Appraisal:
    away, _ = nearest_enemy(battle, unit)
    aim = aim_of(battle, scenario, unit)
    if aim is not None and is_urgent(battle, scenario, unit, aim):
        reason = partial('{:.0f}" to go for {:g} points (FBN-265)'.format, to_go(unit, aim), aim.points)
        return Appraisal(ground=0.2 + 0.01 * option[1], reason=reason)
    if is_melee(battle, unit) or sample(unit).spec.close:
        return Appraisal(
            ground=0.03 + 0.01 * option[1] if away > 2 else -0.02, reason="gather pace for a charge (FBN-176)"
        )
    return Appraisal(ground=0.03 if away > 20 else -0.02, reason=partial('{:.0f}" from the enemy'.format, away))


def _wheel(battle: Battle, scenario: Scenario, unit: Unit, option: tuple[Any, ...]) -> Appraisal:
    """Straight on is farther, but where no straight way is left a turn on the way is better than standing."""
    stuck = any(mark.startswith("stuck") for mark in unit.marks)
    return Appraisal(ground=0.02 if stuck else -0.02, reason="a turn costs 1 or 2 inches (FBN-175)")


def _lie_down(battle: Battle, scenario: Scenario, unit: Unit) -> Appraisal:
    """Lying men cannot be aimed at: bearers crawl, and the last AC of shooters is well spent on it under fire."""
    if is_melee(battle, unit) or not battle.book.settings.prone_untargetable:
        return Appraisal(ground=-0.02, reason="they must close in, and lying halves that (FBN-052)")
    if is_civil(unit):
        worth = 0.3 if is_threatened(battle, unit) else -0.02
        return Appraisal(steadies=worth, reason="who lies cannot be aimed at, and crawls at 1/2 speed (FBN-052)")
    if any(figure.ac > 1 for figure in unit.figures.values() if figure.able):
        return Appraisal(ground=-0.02, reason="2 AC and more are for moving and shooting")
    danger = menace(battle, unit)
    near = nearest_enemy(battle, unit)[0]
    reason = partial("{:.1f} men in danger; lying men are no targets (FBN-052)".format, danger)
    return Appraisal(steadies=danger * MAN if near > 8 else -0.05, reason=reason)


def _get_up(battle: Battle, scenario: Scenario, unit: Unit) -> Appraisal:
    if is_civil(unit):
        worth = -0.02 if is_threatened(battle, unit) else 0.1
        return Appraisal(ground=worth, reason="1 AC to get up, twice the speed (FBN-053)")
    away = nearest_enemy(battle, unit)[0]
    aim = aim_of(battle, scenario, unit)
    urgent = aim is not None and is_urgent(battle, scenario, unit, aim)
    worth = 0.26 if urgent else 0.07 if is_melee(battle, unit) or away > RIFLE else -0.02
    return Appraisal(ground=worth, reason="1 AC to get up and move (FBN-053)")


# --- order ------------------------------------------------------------------------------------------------------------------


def _check(battle: Battle, scenario: Scenario, unit: Unit) -> Appraisal:
    worst = max(figure.gl for figure in unit.steady)
    worth = 0.03 * (worst - sample(unit).spec.gl) if worst >= 6 else 0.0
    return Appraisal(steadies=worth, reason=partial("glory is {}+ (FBN-036)".format, worst))


def _rally(battle: Battle, scenario: Scenario, unit: Unit, option: tuple[Any, ...]) -> Appraisal:
    target = battle.units.get(option[2]) if len(option) > 2 and isinstance(option[2], str) else None
    if target is None:
        return Appraisal(steadies=0.05, reason='broken men within 9" gathered (FBN-159)')
    worst = max((figure.gl - figure.spec.gl for figure in target.figures.values()), default=0)
    broken = sum(1 for figure in target.figures.values() if figure.reaction)
    reason = partial("{} broken men, glory 2 better (FBN-159)".format, broken)
    return Appraisal(steadies=0.03 * min(2, worst) + 0.04 * broken, reason=reason)


TUPLES: dict[str, Callable[..., Appraisal]] = {
    "fire": _fire,
    "fire at house": _flat(0.015, "a point of wall for most shots (FBN-247)"),
    "charge": _charge,
    "ride down": _charge,
    "ride": _ride,
    "wheel": _wheel,
    "form": _flat(-0.03, "a change of formation costs everybody 1 AC (FBN-035)"),
    "salvo": _salvo,
    "salvo at house": _flat(0.02, "6 shots at a wall (FBN-247)"),
    "gun fire": _gun_fire,
    "fire at gun": _flat(0.03, "the gun itself, DS 3 (FBN-204)"),
    "gun at gun": _flat(0.12, "gun against gun, DS 3 (FBN-204)"),
    "gun at house": _flat(0.08, "guns take 2 points of wall and more (FBN-249)"),
    "gun indirect": _flat(0.06, "a round over their heads, 2 to 6 inches across (FBN-222)"),
    "gun turn": _turn,
    "gun move": _flat(-0.05, "2 AC: it fires or it moves (FBN-207)"),
    "plot": _flat(0.02, "a plot for next turn at 0 AC (FBN-227)"),
    "clear jam": _flat(0.1, "1 AC to clear the jam (FBN-232)"),
    "rally": _rally,
    "gather": _rally,
    "fall back": _flat(-0.03, "glory 2 better, and a turn lost (FBN-160)"),
    "barrage": _flat(0.01, "1 AC: the guns can see through him (FBN-037)"),
    "reserve": _flat(0.1, "1 AC: the reserve comes next turn (FBN-037)"),
    "flare": _flat(0.01, "6 inches of light (FBN-238)"),
    "heal": _flat(0.06, "1 man back in the ranks (FBN-137)"),
    "cross": _flat(-0.02, "crossing leaves nothing but movement (FBN-244)"),
    "bash": _flat(0.02, "9 in 12 for a plain man (FBN-254)"),
    "open": _flat(0.01, "the door takes 1 man all his AC (FBN-253)"),
    "climb": _flat(-0.02, "a whole activation (FBN-260)"),
}
WORDS: dict[str, Callable[..., Appraisal]] = {
    "fight": _fight,
    "lie down": _lie_down,
    "get up": _get_up,
    "check glory": _check,
    "man the openings": _flat(0.05, "2 men to each opening (FBN-245)"),
    "split fire": _flat(-0.01, "1 target is enough (FBN-092)"),
    "one man": _flat(-0.01, "the squad acts as 1 (FBN-016)"),
    "face": _flat(-0.005, "they face the enemy already, turning is 0 AC (FBN-049)"),
    "dismount": _flat(-0.04, "horses are worth 17 inches a turn (FBN-174)"),
    "mount": _flat(0.01, "1 AC back into the saddle (FBN-186)"),
}
