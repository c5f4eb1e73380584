"""The value of retreats, of moves of the Army Commander, and of melee opponents."""

from __future__ import annotations

from zareba.base.exact import total
from zareba.base.grammar import amount
from zareba.battle.evaluation import Evaluation, evaluate_each
from zareba.table import Choose, Option
from zareba_rulesets.vcc.chapters.morale.retreat import OFF_EDGE
from zareba_rulesets.vcc.evaluation.side_view import BASE, SideView, bases_lost

__all__ = ["commander_to", "fight", "retreat_to", "support"]


def retreat_to(side_view: SideView, question: Choose) -> list[Evaluation]:
    unit_view = side_view.unit_view()
    return [
        Evaluation(ground=-9.0, reason="off the table")
        if option == OFF_EDGE or not isinstance(option, int)
        else Evaluation(
            suffers=unit_view.danger(option) * BASE,
            reason=f"would lose {bases_lost(unit_view.danger(option))} to fire there",
        )
        for option in question.options
    ]


def commander_to(side_view: SideView, question: Choose) -> list[Evaluation]:
    """Prefer the box where his help with morale serves the most bases (VCC-143), away from the enemy."""
    battle, unit_view = side_view.battle, side_view.unit_view()
    morale_bonus = battle.book.modifier("morale", "commander", 0.0)
    evaluations = []
    for option in question.options:
        assert isinstance(option, int), "boxes"
        own_units = battle.in_box(option, side_view.side)
        need = total(unit.strength * (2.0 if unit.marks & {"prone", "broken"} else 1.0) for unit in own_units)
        enemies_near = sum(unit_view.grid.distance(option, enemy.box) <= 1 for enemy in unit_view.enemies)
        value = need * BASE * (1.0 + min(unit_view.danger(option), 3.0) * 0.3)
        evaluations.append(
            Evaluation(
                steadies=value,
                suffers=0.0 if own_units else enemies_near * 1.0,
                reason=f"units with him there get {morale_bonus:+g} morale (VCC-143)"
                if own_units
                else "no unit to help there",
            )
        )
    return evaluations


@evaluate_each
def fight(side_view: SideView, question: Choose, option: Option) -> Evaluation:
    enemy = side_view.battle.unit(str(option))
    bases_left = amount(enemy.strength, "base")
    return Evaluation(inflicts=1.0 / (1 + enemy.strength), reason=f"{enemy.spec.name} has {bases_left} left"[:80])


@evaluate_each
def support(side_view: SideView, question: Choose, option: Option) -> Evaluation:
    """Prefer to support: supporters add dice and take no hits."""
    share = side_view.battle.book.modifier("melee_dice", "supporting", 1.0)
    reason = f"a supporter adds {share:.0%} of its dice and takes no hits (VCC-126, VCC-132)"
    return Evaluation(inflicts=0.0 if option == "nobody" else 0.5, reason=reason)
