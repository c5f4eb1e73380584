"""What the options of a choice are worth, for commanders with sense.

No rule stands here: only means from the rules' own numbers, distances, and what the scenario's objectives ask for. One
unit of worth is a squad of twenty.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import atan2, degrees, hypot
from typing import Any

from zareba.ruleset import Appraisal
from zareba.scenario import Scenario
from zareba.scenario.model import Escort, Hold
from zareba.space.bearings import angle_between
from zareba.space.geometry import Point
from zareba.table import Choose, Confirm, Option, Place
from zareba_rulesets.fixed_baynet.artillery import direct_targets, gun_damage, gun_facts
from zareba_rulesets.fixed_baynet.battle import Battle, Figure, Unit, box_gap
from zareba_rulesets.fixed_baynet.contact import has_close_weapon
from zareba_rulesets.fixed_baynet.fire import aim_at, firers, shot_facts, target_figures
from zareba_rulesets.fixed_baynet.movement import nearest_enemy
from zareba_rulesets.fixed_baynet.ranges import band_of
from zareba_rulesets.fixed_baynet.sight import joint_box, range_between, scene_of

__all__ = ["appraise"]

MAN = 0.05
STANDOFF = 9.0
NOTHING = Appraisal()
FIRST = Appraisal(ground=0.001, reason="as it stands")


def appraise(battle: Battle, scenario: Scenario, question: Choose | Place | Confirm) -> Sequence[Appraisal]:
    """One appraisal for each option, in order; for points one for each suggestion; for confirm no, yes."""
    if isinstance(question, Confirm):
        return [NOTHING, Appraisal(inflicts=MAN / 2, reason="an answer costs 1 AC (FBN-098)")]
    weigh = JUDGEMENTS.get(question.why)
    if weigh is not None:
        return weigh(battle, scenario, question)
    count = len(question.suggestions if isinstance(question, Place) else question.options)
    return [FIRST, *[NOTHING] * (count - 1)]


# --- numbers --------------------------------------------------------------------------------------------------------------


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


def _fire_worth(battle: Battle, unit: Unit, target: Unit) -> tuple[float, float]:
    """Men that one volley is expected to take, and to lose to answers, from one shot like the others."""
    ready = firers(battle, unit, target.spec.id)
    men = target_figures(battle, unit.spec.side, target) if ready else []
    if not men:
        return 0.0, 0.0
    scene = scene_of(battle, joint_box(unit.box, target.box))
    for figure in (ready[len(ready) // 2], ready[0], ready[-1]):
        for man in aim_at(battle, unit, figure, men, scene):
            away = range_between(battle, figure, man)
            band = band_of(battle.book, figure.weapon, away, "arm_light" in figure.locations) or "long"
            need = battle.book.rules.tally("fire", shot_facts(battle, figure, target, man, scene, band)).total
            p = hit_chance(need)
            taken = min(len(ready) * p, float(len(men)))
            answered = 0.0
            if (
                "activated" not in target.marks
                and man.weapon != "none"
                and battle.book.settings.counter_attack == "wounded"
            ):
                answered = taken * hit_chance(figure.spec.ds - man.spec.cs) * 0.9
            return taken, answered
    return 0.0, 0.0


def _melee_worth(battle: Battle, unit: Unit, target: Unit) -> tuple[float, float]:
    """Chances of one blow of a man of the unit against one of the target's."""
    own, foe = _sample(unit), _sample(target)
    bonus = own.spec.cs - foe.spec.cs + (own.mounted and not foe.mounted) - (foe.mounted and not own.mounted)
    if target.shape == "square":
        bonus -= 1
    return blow_chances(int(bonus), has_close_weapon(battle, own), has_close_weapon(battle, foe))


def _sample(unit: Unit) -> Figure:
    return next(reversed(unit.figures.values()))


def _is_melee(battle: Battle, unit: Unit) -> bool:
    """Whether a unit's business is hand to hand: close weapons, and nothing that reaches beyond a throw."""
    man = _sample(unit)
    longest = battle.book.bands[man.weapon][2] if man.weapon != "none" else -1.0
    return man.spec.close and longest < 12


def _goals(battle: Battle, scenario: Scenario, side: str) -> list[Point]:
    """Places that the side wants to hold or reach."""
    found: list[Point] = []
    width, depth = battle.field.width, battle.field.depth
    edges = {
        "south": (width / 2, 0.0),
        "north": (width / 2, depth),
        "west": (0.0, depth / 2),
        "east": (width, depth / 2),
    }
    for goal in scenario.objectives_of(side).values():
        if isinstance(goal, Hold):
            if goal.at is not None:
                found.append(goal.at)
            elif goal.terrain is not None:
                piece = battle.field.by_name.get(goal.terrain)
                if piece is not None:
                    found.append(((piece.box[0] + piece.box[2]) / 2, (piece.box[1] + piece.box[3]) / 2))
        elif isinstance(goal, Escort):
            found.append(goal.at or edges[goal.edge or "north"])
    return found


# --- which unit, which act ---------------------------------------------------------------------------------------------------


def _activate(battle: Battle, scenario: Scenario, question: Any) -> list[Appraisal]:
    """Those nearest to the enemy first, before he acts."""
    found = []
    for key in question.options:
        unit = battle.units.get(key)
        if unit is None:
            found.append(NOTHING)
            continue
        away = nearest_enemy(battle, unit)[0]
        found.append(Appraisal(ground=1 / (4 + min(away, 100.0)), reason=f'enemy {away:.0f}" away'))
    return found


def _act(battle: Battle, scenario: Scenario, question: Any) -> list[Appraisal]:
    unit = battle.units[question.actor]
    return [_one_act(battle, scenario, unit, option) for option in question.options]


def _one_act(battle: Battle, scenario: Scenario, unit: Unit, option: Option) -> Appraisal:
    if isinstance(option, tuple):
        weigh = TUPLES.get(option[0])
        return NOTHING if weigh is None else weigh(battle, scenario, unit, option)
    weigh_word = WORDS.get(str(option))
    return NOTHING if weigh_word is None else weigh_word(battle, scenario, unit)


def _fire(battle: Battle, scenario: Scenario, unit: Unit, option: tuple[Any, ...]) -> Appraisal:
    target = battle.units[option[1]]
    taken, answered = _fire_worth(battle, unit, target)
    bonus = 0.01 if _is_melee(battle, target) else 0.0
    return Appraisal(
        inflicts=taken * MAN + bonus, suffers=0.6 * answered * MAN, reason=f"{taken:.1f} hits expected (FBN-082)"
    )


def _charge(battle: Battle, scenario: Scenario, unit: Unit, option: tuple[Any, ...]) -> Appraisal:
    target = battle.units[option[1]]
    won, lost = _melee_worth(battle, unit, target)
    men = min(len(unit.figures), 2 * len(target.figures))
    away = box_gap(unit.box, target.box)
    eager = 1.6 if _is_melee(battle, unit) else 0.6
    reaches = 1.0 if away <= 2 * _sample(unit).spec.sp * 0.8 or (unit.figures and _sample(unit).mounted) else 0.4
    return Appraisal(
        inflicts=eager * men * won * MAN * reaches,
        suffers=men * lost * MAN * reaches + 0.03,
        reason=f"{won:.0%} of blows take their man (FBN-105)",
    )


def _gun_fire(battle: Battle, scenario: Scenario, unit: Unit, option: tuple[Any, ...]) -> Appraisal:
    gun, target = unit.guns[option[1]], battle.units[option[2]]
    for other, man in direct_targets(battle, unit, gun):
        if other is target:
            need = battle.book.rules.tally("fire", gun_facts(battle, unit, gun, target, man)).total
            under = sum(
                hypot(f.x - man.x, f.y - man.y) <= battle.book.burst_radius(gun.kind) for f in target.figures.values()
            )
            taken = 0.7 * under * hit_chance(man.spec.ds)
            return Appraisal(
                inflicts=taken * MAN, reason=f"{need}+ to hit, damage {gun_damage(battle, gun, 'shell')} (FBN-215)"
            )
    return NOTHING


def _salvo(battle: Battle, scenario: Scenario, unit: Unit, option: tuple[Any, ...]) -> Appraisal:
    target = battle.units[option[2]]
    away = box_gap(unit.box, target.box)
    taken = min(6 * (0.6 if away <= 18 else 0.45), float(len(target.figures)))
    return Appraisal(inflicts=taken * MAN + 0.03, reason=f"{taken:.0f} hits expected, and pinned (FBN-230)")


def _flat(worth: float, reason: str) -> Callable[..., Appraisal]:
    found = Appraisal(ground=worth, reason=reason)
    return lambda *_: found


def _turn(battle: Battle, scenario: Scenario, unit: Unit, option: tuple[Any, ...]) -> Appraisal:
    gun = unit.guns[option[1]]
    foe = nearest_enemy(battle, unit)[1]
    if foe is None:
        return NOTHING
    x, y = foe.middle
    off = angle_between(gun.bearing, degrees(atan2(x - gun.x, y - gun.y)))
    return Appraisal(
        ground=0.02 if off > 20 else -0.02, reason=f"the nearest enemy lies {off:.0f} degrees off (FBN-208)"
    )


def _move(battle: Battle, scenario: Scenario, unit: Unit) -> Appraisal:
    """Those with close weapons go in; shooters go where they can shoot, or to what is to be held."""
    away, foe = nearest_enemy(battle, unit)
    if foe is None:
        return Appraisal(ground=0.02, reason="no enemy in sight")
    if _is_melee(battle, unit):
        return Appraisal(ground=0.06 if away > 1 else -0.02, reason=f'close in: {away:.0f}" to go')
    if away > 22:
        return Appraisal(ground=0.05, reason="beyond the range of rifles (Table 4-C)")
    if unit.spec.kind == "squad" and _is_civil(unit):
        return Appraisal(ground=0.05, reason="they have somewhere to be")
    return Appraisal(ground=0.015 if away > STANDOFF else -0.03, reason=f'stand off at {STANDOFF:.0f}"')


def _is_civil(unit: Unit) -> bool:
    return _sample(unit).spec.role == "civilian"


def _ride(battle: Battle, scenario: Scenario, unit: Unit, option: tuple[Any, ...]) -> Appraisal:
    away, _ = nearest_enemy(battle, unit)
    melee = _is_melee(battle, unit) or _sample(unit).spec.close
    if melee:
        return Appraisal(
            ground=0.03 + 0.01 * option[1] if away > 2 else -0.02, reason="gather pace for a charge (FBN-176)"
        )
    return Appraisal(ground=0.03 if away > 20 else -0.02, reason=f'{away:.0f}" from the enemy')


def _fight(battle: Battle, scenario: Scenario, unit: Unit) -> Appraisal:
    foe = nearest_enemy(battle, unit)[1]
    if foe is None:
        return NOTHING
    won, lost = _melee_worth(battle, unit, foe)
    return Appraisal(
        inflicts=6 * won * MAN, suffers=6 * lost * MAN * 0.8, reason=f"{won:.0%} of blows take their man (FBN-105)"
    )


def _lie_down(battle: Battle, scenario: Scenario, unit: Unit) -> Appraisal:
    """Lying men cannot be aimed at, so the last AC of shooters is well spent on it when shots are still to come."""
    if _is_melee(battle, unit) or _is_civil(unit) or not battle.book.settings.prone_untargetable:
        return Appraisal(ground=-0.02)
    if any(figure.ac > 1 for figure in unit.figures.values() if figure.able):
        return Appraisal(ground=-0.02)
    danger = 0.0
    for foe in battle.enemies(unit.spec.side):
        weapon = _sample(foe).weapon
        if (
            "activated" not in foe.marks
            and weapon != "none"
            and box_gap(unit.box, foe.box) <= battle.book.bands[weapon][2]
        ):
            danger += 0.2 * len(foe.figures) * MAN
    near = nearest_enemy(battle, unit)[0]
    return Appraisal(steadies=danger if near > 8 else -0.05, reason="lying men are no targets (FBN-052)")


def _get_up(battle: Battle, scenario: Scenario, unit: Unit) -> Appraisal:
    return Appraisal(ground=0.07 if _is_melee(battle, unit) or _is_civil(unit) else -0.02, reason="up, to move")


def _check(battle: Battle, scenario: Scenario, unit: Unit) -> Appraisal:
    worst = max(figure.gl for figure in unit.steady)
    return Appraisal(
        steadies=0.03 * (worst - _sample(unit).spec.gl) if worst >= 6 else 0.0, reason=f"glory is {worst}+ (FBN-036)"
    )


def _rally(battle: Battle, scenario: Scenario, unit: Unit, option: tuple[Any, ...]) -> Appraisal:
    target = battle.units.get(option[2]) if len(option) > 2 and isinstance(option[2], str) else None
    if target is None:
        return Appraisal(steadies=0.05, reason="broken men gathered (FBN-159)")
    worst = max((figure.gl - figure.spec.gl for figure in target.figures.values()), default=0)
    broken = sum(1 for figure in target.figures.values() if figure.reaction)
    return Appraisal(
        steadies=0.03 * min(2, worst) + 0.04 * broken, reason=f"{broken} broken men, glory 2 better (FBN-159)"
    )


TUPLES: dict[str, Callable[..., Appraisal]] = {
    "fire": _fire,
    "fire at house": _flat(0.03, "shots at the walls (FBN-247)"),
    "charge": _charge,
    "ride down": _charge,
    "ride": _ride,
    "form": _flat(-0.03, "changing formation costs everybody 1 AC (FBN-035)"),
    "salvo": _salvo,
    "gun fire": _gun_fire,
    "fire at gun": _flat(0.03, "the gun itself, DS 3 (FBN-204)"),
    "gun at gun": _flat(0.12, "gun against gun (FBN-204)"),
    "gun at house": _flat(0.08, "guns bring walls down (FBN-249)"),
    "gun indirect": _flat(0.06, "a round over their heads (FBN-222)"),
    "gun turn": _turn,
    "gun move": _flat(-0.05, "it fires or it moves (FBN-207)"),
    "plot": _flat(0.02, "a plot for next turn (FBN-227)"),
    "clear jam": _flat(0.1, "clear the jam (FBN-232)"),
    "rally": _rally,
    "gather": _rally,
    "fall back": _flat(-0.03, "no need to fall back"),
    "barrage": _flat(0.01, "the guns can see through him (FBN-037)"),
    "reserve": _flat(0.1, "call the reserve (FBN-037)"),
    "flare": _flat(0.01, "light"),
    "heal": _flat(0.06, "a man back in the ranks (FBN-137)"),
    "cross": _flat(-0.02, "crossing leaves nothing but movement (FBN-244)"),
    "bash": _flat(0.02, "9 in 12 for a plain man (FBN-254)"),
    "open": _flat(0.01, "the door (FBN-253)"),
    "climb": _flat(-0.02, "a whole activation (FBN-260)"),
}
WORDS: dict[str, Callable[..., Appraisal]] = {
    "move": _move,
    "fight": _fight,
    "lie down": _lie_down,
    "get up": _get_up,
    "check glory": _check,
    "man the openings": _flat(0.05, "two men to each opening (FBN-245)"),
    "split fire": _flat(-0.01, "one target is enough"),
    "one man": _flat(-0.01, "the squad acts as one"),
    "face": _flat(-0.005, "they face the enemy already"),
    "dismount": _flat(-0.04, "horses are their strength"),
    "mount": _flat(0.01, "back in the saddle"),
}


# --- where -----------------------------------------------------------------------------------------------------------------


def _points(battle: Battle, scenario: Scenario, question: Any) -> list[Appraisal]:
    """Nearer to the enemy for those who strike, at a good range for those who shoot, towards what is to be held."""
    unit = battle.units.get(question.actor)
    if unit is None:
        return [FIRST, *[NOTHING] * (len(question.suggestions) - 1)]
    foe = nearest_enemy(battle, unit)[1]
    places = _goals(battle, scenario, unit.spec.side)
    melee = _is_melee(battle, unit)
    civil = _is_civil(unit)
    found = []
    for x, y in question.suggestions:
        ground = 0.0
        if foe is not None:
            away = box_gap((x, y, x, y), foe.box)
            if civil:
                ground += 0.002 * min(away, 20.0)
            else:
                ground -= 0.012 * (away if melee else abs(away - STANDOFF))
        if places:
            near = min(hypot(x - px, y - py) for px, py in places)
            ground -= (0.03 if civil else 0.004 if melee else 0.006) * near
        found.append(Appraisal(ground=ground, reason="towards the enemy" if melee else "at a good range"))
    return found


def _deploy(battle: Battle, scenario: Scenario, question: Any) -> list[Appraisal]:
    count = len(question.suggestions)
    return [Appraisal(ground=-0.001 * index, reason="where the scenario puts it") for index in range(count)]


# --- smaller choices ---------------------------------------------------------------------------------------------------------


def _answers(battle: Battle, scenario: Scenario, question: Any) -> list[Appraisal]:
    return [
        Appraisal(inflicts=MAN * (2 if option == "answer every hit" else 0), reason="dying men cost nothing (FBN-096)")
        for option in question.options
    ]


def _load(battle: Battle, scenario: Scenario, question: Any) -> list[Appraisal]:
    return [
        Appraisal(inflicts=0.1 if option == "shell" else 0.0, reason="shell has an area (FBN-216)")
        for option in question.options
    ]


def _aim(battle: Battle, scenario: Scenario, question: Any) -> list[Appraisal]:
    """Leaders before others, and anybody rather than nobody."""
    found = []
    for option in question.options:
        spec = battle.specs.get(str(option))
        worth = 0.0 if spec is None or spec.side == question.seat else MAN * (1.5 if spec.leads else 1.0)
        found.append(Appraisal(inflicts=worth, reason="a leader" if worth > MAN else ""))
    return found


def _bearing(battle: Battle, scenario: Scenario, question: Any) -> list[Appraisal]:
    unit = battle.units.get(question.actor.rpartition(" ")[0]) or battle.units.get(question.actor)
    foe = nearest_enemy(battle, unit)[1] if unit is not None else None
    if unit is None or foe is None:
        return [FIRST, *[NOTHING] * (len(question.options) - 1)]
    (x, y), (fx, fy) = unit.middle, foe.middle
    wanted = degrees(atan2(fx - x, fy - y))
    names = {name: 45.0 * place for place, name in enumerate(WINDS)}
    return [
        Appraisal(
            ground=-angle_between(wanted, names.get(str(option), float(option) if not isinstance(option, str) else 0.0))
            / 1000
        )
        for option in question.options
    ]


def _hold(battle: Battle, scenario: Scenario, question: Any) -> list[Appraisal]:
    return [Appraisal(ground=0.01 if option == "nothing" else 0.0) for option in question.options]


WINDS = ("north", "north_east", "east", "south_east", "south", "south_west", "west", "north_west")
JUDGEMENTS: dict[str, Callable[..., Sequence[Appraisal]]] = {
    "activate": _activate,
    "act": _act,
    "move to": _points,
    "ride to": _points,
    "deploy at": _deploy,
    "counter-attack": _answers,
    "load": _load,
    "aim at": _aim,
    "strike": _aim,
    "face": _bearing,
    "turn gun to": _bearing,
    "what he does": _hold,
}
