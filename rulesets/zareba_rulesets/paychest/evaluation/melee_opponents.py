"""Evaluation of melees: whether to fight, with two against one where possible (PAY-136 to PAY-144)."""

from __future__ import annotations

from zareba.battle.evaluation import Evaluation, evaluate_each
from zareba.table import Choose, Option
from zareba_rulesets.paychest.actions.melee_pairing import STAY
from zareba_rulesets.paychest.chapters.sight import enemies_touched
from zareba_rulesets.paychest.estimates import UNIT_SIZE, expected_melee_losses, skill_of
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.units import Unit


@evaluate_each
def evaluate_opponents(battle: Battle, unit: Unit, question: Choose, option: Option) -> Evaluation:
    """Evaluate the enemies of one figure. It prefers the one that most friends touch, to fight two against one."""
    if option == STAY:
        return Evaluation(reason="no man is lost without a fight")
    own, foe = battle.figure(question.actor), battle.figure(str(option))
    friends = len(enemies_touched(battle, foe, [unit]))
    mine, max_against_one = skill_of(battle, own), battle.book.file.most_against_one.most
    side = (mine, mine) if min(friends, max_against_one) > 1 else (mine,)
    gain, loss = expected_melee_losses(side, skill_of(battle, foe), battle.book.out_chance)
    if own.spec.id == unit.leader:
        loss *= 1 + battle.book.leader_loss_fails * len(unit.able)  # PAY-128
    value = (gain - loss) / UNIT_SIZE + 0.01 * friends
    if len(side) > 1:
        return Evaluation(inflicts=value, reason="two of our men can fight him together")
    return Evaluation(
        inflicts=value, reason="we should hit him more often" if gain > loss else "he should hit us more often"
    )


@evaluate_each
def evaluate_helpers(battle: Battle, unit: Unit, question: Choose, option: Option) -> Evaluation:
    """Evaluate the second figure against one enemy: the better fighter is preferred."""
    if option == STAY:
        return Evaluation(reason="no other figure is put at risk")
    mine = skill_of(battle, battle.figure(str(option)))
    gain, loss = expected_melee_losses(
        (mine, mine), skill_of(battle, battle.figure(question.actor)), battle.book.out_chance
    )
    return Evaluation(gain / UNIT_SIZE, loss / UNIT_SIZE, reason="two men together fight better than one")


@evaluate_each
def evaluate_victims(battle: Battle, unit: Unit, question: Choose, option: Option) -> Evaluation:
    """Evaluate which of two figures is hit: a leader, else the better fighter (PAY-144)."""
    figure = battle.figure(str(option))
    leads, skill = battle.is_leader(figure), skill_of(battle, figure)
    reason = "he leads his unit" if leads else f"he fights with Melee Skill {skill}"
    return Evaluation(inflicts=0.1 * skill + 0.5 * leads, reason=reason)
