"""Evaluation of melees: whether to fight, with two against one where possible (PAY-136 to PAY-144)."""

from __future__ import annotations

from collections import Counter

from zareba.base.amounts import amount
from zareba.battle.evaluation import Evaluation, each
from zareba.table import Choose, Option
from zareba_rulesets.paychest.chapters.melee import ALL, NONE, STAY, contacts, pair_all
from zareba_rulesets.paychest.chapters.sight.contact import touched
from zareba_rulesets.paychest.estimates.expected_losses import SHARE, exchange, out_chance
from zareba_rulesets.paychest.estimates.melee import skill_of
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.units import Unit

__all__ = ["fights", "joins", "melee", "victim"]


def _sum(battle: Battle, pairs: dict[str, list[str]]) -> tuple[float, float]:
    """Return the expected figures out in some fights, the enemy's and ours."""
    theirs = ours = 0.0
    out = out_chance(battle)
    for foe, men in pairs.items():
        skills = tuple(sorted(skill_of(battle, battle.figure(man)) for man in men))
        gain, loss = exchange(skills, skill_of(battle, battle.figure(foe)), out)
        theirs, ours = theirs + gain, ours + loss
    return theirs, ours


def doubled(reach: dict[str, list[str]], most: int) -> dict[str, list[str]]:
    """Return the figures against each enemy if every figure picks the enemy touched by most of its friends."""
    crowd = Counter(foe for foes in reach.values() for foe in foes)
    against: dict[str, list[str]] = {}
    for man, foes in reach.items():
        free = [foe for foe in foes if len(against.get(foe, ())) < most]
        if free:
            against.setdefault(max(free, key=lambda foe: (crowd[foe], foe)), []).append(man)
    return against


def melee(battle: Battle, unit: Unit, question: Choose) -> list[Evaluation]:
    """Evaluate one against one, two against one, and no fight by the expected losses of both sides."""
    reach, most = contacts(battle, unit), battle.book.file.most_against_one.most
    found = []
    for option in question.options:
        if option == NONE:
            found.append(Evaluation(reason="nobody is lost without a fight"))
            continue
        pairs = pair_all(reach, most) if option == ALL else doubled(reach, most)
        theirs, ours = _sum(battle, pairs)
        reason = f"{amount(len(pairs), 'fight')}: expected losses {theirs:.1f} theirs, {ours:.1f} ours"
        found.append(Evaluation(theirs / SHARE, ours / SHARE, reason=reason))
    return found


@each
def fights(battle: Battle, unit: Unit, question: Choose, option: Option) -> Evaluation:
    """Evaluate the enemies of one figure. It prefers the one that most friends touch, to fight two against one."""
    if option == STAY:
        return Evaluation(reason="nobody is lost without a fight")
    own, foe = battle.figure(question.actor), battle.figure(str(option))
    friends = len(touched(battle, foe, [unit]))
    mine, most = skill_of(battle, own), battle.book.file.most_against_one.most
    side = (mine, mine) if min(friends, most) > 1 else (mine,)
    gain, loss = exchange(side, skill_of(battle, foe), out_chance(battle))
    if own.spec.id == unit.leader:
        loss *= 1 + battle.book.leader_loss_fails * len(unit.able)  # PAY-128
    worth = (gain - loss) / SHARE + 0.01 * friends
    return Evaluation(inflicts=worth, reason=f"{friends} of ours in contact, losses {gain:.2f} theirs, {loss:.2f} ours")


@each
def joins(battle: Battle, unit: Unit, question: Choose, option: Option) -> Evaluation:
    """Evaluate the second figure against one enemy: the better fighter is preferred."""
    if option == STAY:
        return Evaluation(reason="no other figure is put at risk")
    mine = skill_of(battle, battle.figure(str(option)))
    gain, loss = exchange((mine, mine), skill_of(battle, battle.figure(question.actor)), out_chance(battle))
    return Evaluation(gain / SHARE, loss / SHARE, reason=f"two on one: losses {gain:.2f} theirs, {loss:.2f} ours")


@each
def victim(battle: Battle, unit: Unit, question: Choose, option: Option) -> Evaluation:
    """Evaluate which of two figures is hit: a leader, else the better fighter (PAY-144)."""
    figure = battle.figure(str(option))
    leads, skill = battle.is_leader(figure), skill_of(battle, figure)
    reason = f"{'their leader, ' if leads else ''}Melee Skill {skill}"
    return Evaluation(inflicts=0.1 * skill + 0.5 * leads, reason=reason)
