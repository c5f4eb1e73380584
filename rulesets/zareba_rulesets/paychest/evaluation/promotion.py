"""Evaluation of promotions (PAY-037)."""

from __future__ import annotations

from zareba.base.grammar import amount
from zareba.battle.evaluation import Evaluation, evaluate_each
from zareba.table import Choose, Option
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.units import Unit


@evaluate_each
def evaluate_corporals(battle: Battle, unit: Unit, question: Choose, option: Option) -> Evaluation:
    """Evaluate the candidates for promotion. The best shot leads, because leaders choose their own target (PAY-092)."""
    figure = unit.figures.get(str(option))
    if figure is None:
        return Evaluation(reason="the unit stays without a leader")
    skill = figure.spec.firearms
    deeds = f", and he has done {amount(figure.brave, 'brave deed')}" if figure.brave else ""
    return Evaluation(steadies=0.2 + 0.01 * skill, reason=f"his Firearms Skill is {skill}{deeds} (PAY-037)")
