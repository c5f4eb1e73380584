"""Evaluation of a unit's acts, one function for each kind (section 26 of the catalogue lists the decisions)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from zareba.base.amounts import amount
from zareba.battle.evaluation import Evaluation, fixed
from zareba.table import Option
from zareba_rulesets.fixed_baynet.chapters.orders.destinations import ways_to_march
from zareba_rulesets.fixed_baynet.evaluation import guns, riding
from zareba_rulesets.fixed_baynet.evaluation.expected_losses import (
    MAN,
    Volley,
    blow_worth,
    breaks_by_charging,
    comes_home,
    fight_chances,
    is_melee,
    volley_worth,
)
from zareba_rulesets.fixed_baynet.evaluation.positions import NOTHING, STANDOFF, PositionValue
from zareba_rulesets.fixed_baynet.evaluation.unit_view import KEPT, UnitView
from zareba_rulesets.fixed_baynet.forces.units import Unit

__all__ = ["FLAT", "NOTHING", "WALLS", "act_worth", "shot_worth", "verb_of"]

RIFLE = 22.0


def act_worth(look: UnitView, option: Option) -> Evaluation:
    """Return the evaluation of one act of the active unit."""
    verb = verb_of(option)
    flat = FLAT.get(verb)
    if flat is not None:
        return flat
    if isinstance(option, tuple):
        weigh = TUPLES.get(verb)
        return NOTHING if weigh is None else weigh(look, option)
    weigh_word = WORDS.get(verb)
    return NOTHING if weigh_word is None else weigh_word(look)


def verb_of(option: Option) -> str:
    """Return the kind of an act, without its target."""
    return str(option[0] if isinstance(option, tuple) else option)


def _fire(look: UnitView, option: tuple[Any, ...]) -> Evaluation:
    battle, target = look.battle, look.battle.units[option[1]]
    ready = None if battle.book.settings.target_order_ac else look.ready
    return shot_worth(look, target, volley_worth(battle, look.unit, target, ready))


def shot_worth(look: UnitView, target: Unit, volley: Volley) -> Evaluation:
    """Return the evaluation of a volley at a unit.

    Units that close in or carry an object are worth more than other targets.
    """
    bonus = 0.01 if is_melee(look.battle, target) else 0.0
    if any(prize.carrier == target.spec.id for prize in look.battle.prizes.values()):
        bonus += 0.1
    return Evaluation(
        inflicts=volley.taken * MAN + bonus,
        suffers=0.6 * volley.answered * MAN,
        reason=partial("{:.1f} hits expected, {}+ to hit (FBN-082)".format, volley.taken, volley.need),
    )


def _charge(look: UnitView, option: tuple[Any, ...]) -> Evaluation:
    """Return the evaluation of a charge, by the blows that follow it.

    Men who panic from the charge strike none before they rally, nor do men who fall short (FBN-044).
    """
    unit, target = look.unit, look.battle.units[option[1]]
    won, lost = blow_worth(look.battle, unit, target)
    men = min(len(unit.figures), 2 * len(target.figures))
    eager = 1.6 if look.melee else 0.6
    share, broken = (0.3, 0.4 * len(unit.steady)) if breaks_by_charging(look.battle, unit) else (1.0, 0.0)
    reason = partial("{:.0%} of blows take their man (FBN-105)".format, won)

    def if_home(reaches: float) -> Evaluation:
        inflicts = eager * men * won * MAN * reaches * share
        return Evaluation(inflicts=inflicts, suffers=(men * lost * reaches + broken) * MAN + 0.03, reason=reason)

    best = if_home(1.0)
    if option[0] != "charge" or best.total <= 0:  # finding out who makes contact is slow
        return best
    reaches = comes_home(look.battle, unit, target)
    return if_home(reaches) if reaches else SHORT


SHORT = Evaluation(ground=-0.02, reason="the charge falls short and still worsens glory (FBN-044)")


def _fight(look: UnitView) -> Evaluation:
    won, lost = fight_chances(look.battle, look.unit)
    reason = partial("{:.0%} of blows take their man (FBN-105)".format, won)
    return Evaluation(inflicts=6 * won * MAN, suffers=4.8 * lost * MAN, reason=reason)


def _at_house(look: UnitView, option: tuple[Any, ...]) -> Evaluation:
    """Return the evaluation of a shot at a building. Walls are worth a round if enemies are behind them."""
    verb, house = option[0], option[-1]
    return WALLS[verb] if house in look.held else EMPTY


WALLS = fixed(
    "ground",
    {
        "fire at house": (0.015, "most shots take 1 damage point (FBN-247)"),
        "salvo at house": (0.02, "6 shots at a building (FBN-247)"),
        "gun at house": (0.08, "a gun takes 2 or more damage points (FBN-249)"),
    },
)
EMPTY = Evaluation(ground=-0.02, reason="no known enemies inside (FBN-248)")


# --- movement -------------------------------------------------------------------------------------------------------------


def _move(look: UnitView) -> Evaluation:
    """Return the evaluation of a move. It is positive only if some move leads to a better position."""
    worth = _wish_to_move(look)
    return worth if worth.ground <= 0 or _leads_nearer(look) else BARRED


def _wish_to_move(look: UnitView) -> Evaluation:
    """Return the value of moving.

    Units with close weapons close in, shooters go where they can shoot, and a unit with an objective gets there in
    time.
    """
    (away, foe), aim = look.nearest, look.aim
    if look.keeps:
        return KEPT
    if aim is not None and (aim.units or look.is_urgent):
        worth = 0.25 if not aim.units else 0.07
        reason = partial('{:.0f}" to an objective of {} (FBN-265)'.format, look.left, amount(aim.points, "point"))
        return Evaluation(ground=worth if look.left else -0.03, reason=reason)
    if foe is None:
        return UNSEEN if look.left else SETTLED
    near = partial('the enemy is {:.0f}" away'.format, away)
    if look.melee:
        return Evaluation(ground=0.06 if away > 1 else -0.02, reason=near)
    if not look.civil and (look.shoots or look.mission.defends(look.unit.spec.side)):
        shelter = look.shelter(foe)
        if shelter >= 2:
            return Evaluation(ground=-0.05, reason=partial("stay in cover of {} (FBN-023)".format, shelter))
    if away > RIFLE:
        return FAR_OFF
    if look.civil:
        if PositionValue(look).gain(float(look.man.spec.sp)) <= 0:
            return Evaluation(ground=-0.02, reason=near)
        return Evaluation(ground=0.05 if away < 12 else 0.01, reason=near)
    if aim is not None and look.left and away > STANDOFF:
        return Evaluation(
            ground=0.02, reason=partial('{:.0f}" to an objective of {}'.format, look.left, amount(aim.points, "point"))
        )
    if not look.shoots:
        return Evaluation(
            ground=0.02 if away > 1 else -0.02, reason=partial('no target, the enemy is {:.0f}" away'.format, away)
        )
    return Evaluation(ground=0.015 if away > STANDOFF else -0.03, reason=f'stay {STANDOFF:.0f}" away (Table 4-C)')


def _leads_nearer(look: UnitView) -> bool:
    """Return True if some legal move improves the unit's position, not only sideways or back."""
    return PositionValue(look).better(ways_to_march(look.battle, look.unit)[1]) is not None


BARRED = Evaluation(ground=-0.02, reason="no legal move leads to a better place (FBN-050)")
UNSEEN = Evaluation(ground=0.02, reason="0 enemies in sight")
SETTLED = Evaluation(ground=-0.02, reason="0 enemies in sight and nothing to gain")
FAR_OFF = Evaluation(ground=0.05, reason='rifles have little effect beyond 22" (Table 4-C)')


def _lie_down(look: UnitView) -> Evaluation:
    """Return the value of lying down.

    Prone men are no targets: civilians crawl, and under fire a shooter's last AC is well spent on it.
    """
    if look.melee or not look.battle.book.settings.prone_untargetable:
        return CLOSE_IN
    if look.civil:
        worth = 0.3 if look.is_threatened else -0.02
        return Evaluation(steadies=worth, reason="prone: cannot be targeted, moves at 1/2 speed (FBN-052)")
    if any(figure.ac > 1 and figure.able for figure in look.unit.figures.values()):
        return ACTIVE
    danger = look.menace
    reason = partial("{:.1f} men in danger; prone men cannot be targeted (FBN-052)".format, danger)
    return Evaluation(steadies=danger * MAN if danger and look.nearest[0] > 8 else -0.05, reason=reason)


CLOSE_IN = Evaluation(ground=-0.02, reason="the unit must close in; lying down halves its speed (FBN-052)")
ACTIVE = Evaluation(ground=-0.02, reason="2 AC or more are better spent on moving and shooting")


def _get_up(look: UnitView) -> Evaluation:
    if look.civil:
        worth = -0.02 if look.is_threatened else 0.1
        return Evaluation(ground=worth, reason="1 AC to get up, twice the speed (FBN-053)")
    worth = 0.26 if look.is_urgent else 0.07 if look.melee or look.nearest[0] > RIFLE else -0.02
    return Evaluation(ground=worth, reason="1 AC to get up and move (FBN-053)")


# --- order ------------------------------------------------------------------------------------------------------------------


def _check(look: UnitView) -> Evaluation:
    worst = max([figure.gl for figure in look.unit.steady])
    worth = 0.03 * (worst - look.man.spec.gl) if worst >= 6 else 0.0
    return Evaluation(steadies=worth, reason=partial("glory is {}+ (FBN-036)".format, worst))


def _rally(look: UnitView, option: tuple[Any, ...]) -> Evaluation:
    target = look.battle.units.get(option[2]) if len(option) > 2 and isinstance(option[2], str) else None
    if target is None:
        return Evaluation(steadies=0.05, reason='rallies panicking men within 9" (FBN-159)')
    worst = max((figure.gl - figure.spec.gl for figure in target.figures.values()), default=0)
    broken = sum(1 for figure in target.figures.values() if figure.reaction)
    reason = partial("{} in panic; glory improves by 2 (FBN-159)".format, amount(broken, "man", "men"))
    return Evaluation(steadies=0.03 * min(2, worst) + 0.04 * broken, reason=reason)


TUPLES: dict[str, Callable[[UnitView, tuple[Any, ...]], Evaluation]] = {
    "fire": _fire,
    "charge": _charge,
    "ride down": _charge,
    "ride": riding.ride,
    "wheel": riding.wheel,
    "salvo": guns.salvo,
    "gun fire": guns.gun_fire,
    "gun turn": guns.turn,
    "gun indirect": guns.indirect,
    "rally": _rally,
    "gather": _rally,
    "fire at gun": guns.at_gun,
    "gun at gun": guns.at_gun,
    "fire at house": _at_house,
    "salvo at house": _at_house,
    "gun at house": _at_house,
}
WORDS: dict[str, Callable[[UnitView], Evaluation]] = {
    "fight": _fight,
    "move": _move,
    "lie down": _lie_down,
    "get up": _get_up,
    "check glory": _check,
}
# acts with the same value for every unit and target
FLAT = fixed(
    "ground",
    {
        "form": (-0.03, "a change of formation costs each man 1 AC (FBN-035)"),
        "gun move": (-0.05, "2 AC: the gun can move or fire, not both (FBN-207)"),
        "plot": (0.02, "plot a target for next turn at 0 AC (FBN-227)"),
        "clear jam": (0.1, "1 AC to clear the jam (FBN-232)"),
        "fall back": (-0.03, "glory improves by 2, but a turn is lost (FBN-160)"),
        "barrage": (0.01, "1 AC: he observes for the guns (FBN-037)"),
        "reserve": (0.1, "1 AC: the reserve arrives next turn (FBN-037)"),
        "flare": (0.01, "lights 6 inches of ground (FBN-238)"),
        "heal": (0.06, "1 man back in the ranks (FBN-137)"),
        "cross": (-0.02, "after crossing, only movement is allowed (FBN-244)"),
        "bash": (0.02, "9 in 12 for an average man (FBN-254)"),
        "open": (0.01, "the door takes 1 man his whole activation (FBN-253)"),
        "climb": (-0.02, "takes a whole activation (FBN-260)"),
        "man the openings": (0.05, "2 men can fire from each opening (FBN-245)"),
        "split fire": (-0.01, "1 target is enough (FBN-092)"),
        "one man": (-0.01, "the unit acts together (FBN-016)"),
        "face": (-0.005, "already faces the enemy; turning costs 0 AC (FBN-049)"),
        "dismount": (-0.04, "riders move up to 17 inches a turn (FBN-174)"),
        "mount": (0.01, "1 AC to mount (FBN-186)"),
    },
)
