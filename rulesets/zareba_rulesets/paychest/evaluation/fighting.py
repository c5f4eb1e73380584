"""What melees are worth: whether to fight, and two against one wherever it can be had (PAY-136 to PAY-144)."""

from __future__ import annotations

from collections import Counter

from zareba.battle.evaluation import Evaluation, each
from zareba.table import Choose, Option
from zareba_rulesets.paychest.chapters.melee import ALL, NONE, STAY, contacts, melee_facts, pair_all
from zareba_rulesets.paychest.chapters.sight.contact import touched
from zareba_rulesets.paychest.evaluation.estimates import SHAKEN, SHARE, exchange
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.units import Figure, Unit

__all__ = ["fights", "joins", "melee", "press", "victim"]


def skill_of(battle: Battle, figure: Figure) -> int:
    """His Melee Skill as he stands (PAY-143)."""
    return max(0, battle.book.rules.tally("melee", melee_facts(battle, figure), battle, figure).total)


def _sum(battle: Battle, pairs: dict[str, list[str]]) -> tuple[float, float]:
    """Men out to be expected of some fights, theirs and ours."""
    theirs = ours = 0.0
    for foe, men in pairs.items():
        skills = tuple(sorted(skill_of(battle, battle.figure(man)) for man in men))
        gain, loss = exchange(skills, skill_of(battle, battle.figure(foe)))
        theirs, ours = theirs + gain, ours + loss
    return theirs, ours


def doubled(reach: dict[str, list[str]], most: int) -> dict[str, list[str]]:
    """Enemy -> the men against him when each man in turn picks the enemy whom most of his friends touch."""
    crowd = Counter(foe for foes in reach.values() for foe in foes)
    against: dict[str, list[str]] = {}
    for man, foes in reach.items():
        free = [foe for foe in foes if len(against.get(foe, ())) < most]
        if free:
            against.setdefault(max(free, key=lambda foe: (crowd[foe], foe)), []).append(man)
    return against


def melee(battle: Battle, unit: Unit, question: Choose) -> list[Evaluation]:
    """Man against man, two against one, or no fight: by the men who would be out on both sides."""
    reach, most = contacts(battle, unit), battle.book.file.most_against_one.most
    found = []
    for option in question.options:
        if option == NONE:
            found.append(Evaluation(reason="0 men lost on either side"))
            continue
        pairs = pair_all(reach, most) if option == ALL else doubled(reach, most)
        theirs, ours = _sum(battle, pairs)
        reason = f"{len(pairs)} fights: expect {theirs:.1f} of theirs out for {ours:.1f} of ours"
        found.append(Evaluation(theirs / SHARE, ours / SHARE, reason=reason))
    return found


@each
def fights(battle: Battle, unit: Unit, question: Choose, option: Option) -> Evaluation:
    """For one man: the enemy whom most friends touch, so that two fall on one."""
    if option == STAY:
        return Evaluation(reason="0 men lost on either side")
    own, foe = battle.figure(question.actor), battle.figure(str(option))
    friends = len(touched(battle, foe, [unit]))
    mine = skill_of(battle, own)
    gain, loss = exchange((mine, mine) if friends > 1 else (mine,), skill_of(battle, foe))
    if own.spec.id == unit.leader:
        loss *= 1 + SHAKEN * len(unit.able)  # PAY-128
    worth = (gain - loss) / SHARE + 0.01 * friends
    return Evaluation(inflicts=worth, reason=f"{friends} of ours about him, {gain:.2f} to {loss:.2f}")


@each
def joins(battle: Battle, unit: Unit, question: Choose, option: Option) -> Evaluation:
    """A second man against one enemy: the better fighter first."""
    if option == STAY:
        return Evaluation(reason="0 men more at risk")
    mine = skill_of(battle, battle.figure(str(option)))
    gain, loss = exchange((mine, mine), skill_of(battle, battle.figure(question.actor)))
    return Evaluation(gain / SHARE, loss / SHARE, reason=f"two on one: {gain:.2f} out for {loss:.2f}")


@each
def victim(battle: Battle, unit: Unit, question: Choose, option: Option) -> Evaluation:
    """Which of two men is hit: a leader, else the better fighter (PAY-144)."""
    figure = battle.figure(str(option))
    leads, skill = battle.is_leader(figure), skill_of(battle, figure)
    reason = f"{'their leader, ' if leads else ''}Melee Skill {skill}"
    return Evaluation(inflicts=0.1 * skill + 0.5 * leads, reason=reason)


def press(battle: Battle, unit: Unit, enemy: Unit) -> tuple[float, float]:
    """Shares to be expected of a turn's melee with a unit, dealt and taken, if all who can come to grips do.

    With more men than the enemy the odd ones make two against one.
    """
    ours, theirs = unit.able, enemy.able
    if not ours or not theirs:
        return 0.0, 0.0
    mine = round(sum(figure.spec.melee for figure in ours) / len(ours))
    foe = round(sum(figure.spec.melee for figure in theirs) / len(theirs))
    if any("back turned" in figure.marks for figure in theirs):
        foe = max(0, foe + battle.book.settings.back_turned_melee)
    men = min(len(ours), 2 * len(theirs), 12)
    pairs = men // 2 if men > 1 else 0
    gain, loss = exchange((mine, mine), foe) if pairs else exchange((mine,), foe)
    engaged = max(1, pairs)
    back, hurt = exchange((foe,), mine)
    answers = 0.5 * min(len(theirs), len(ours), 12)
    return (gain * engaged + hurt * answers) / SHARE, (loss * engaged + back * answers) / SHARE
