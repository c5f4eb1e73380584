"""The value of retreats, of moves of the Army Commander, and of melee opponents."""

from __future__ import annotations

from zareba.base.exact import total
from zareba.base.grammar import amount
from zareba.battle.evaluation import Evaluation, evaluate_each
from zareba.table import Choose, Option
from zareba_rulesets.vcc.chapters.morale.retreat import OFF_EDGE
from zareba_rulesets.vcc.evaluation.side_view import BASE, SideView, bases_lost

__all__ = ["commander_to", "fight", "retreat_to", "support"]


def retreat_to(situation: SideView, question: Choose) -> list[Evaluation]:
    outlook = situation.outlook()
    return [
        Evaluation(ground=-9.0, reason="off the table")
        if option == OFF_EDGE or not isinstance(option, int)
        else Evaluation(
            suffers=outlook.danger(option) * BASE,
            reason=f"would lose {bases_lost(outlook.danger(option))} to fire there",
        )
        for option in question.options
    ]


def commander_to(situation: SideView, question: Choose) -> list[Evaluation]:
    """Prefer the box where his help with morale serves the most bases (VCC-143), away from the enemy."""
    battle, outlook = situation.battle, situation.outlook()
    helps = battle.book.modifier("morale", "commander", 0.0)
    found = []
    for option in question.options:
        assert isinstance(option, int), "boxes"
        own = battle.in_box(option, situation.side)
        need = total(unit.strength * (2.0 if unit.marks & {"prone", "broken"} else 1.0) for unit in own)
        near = sum(outlook.grid.distance(option, enemy.box) <= 1 for enemy in outlook.enemies)
        worth = need * BASE * (1.0 + min(outlook.danger(option), 3.0) * 0.3)
        found.append(
            Evaluation(
                steadies=worth,
                suffers=0.0 if own else near * 1.0,
                reason=f"units with him there get {helps:+g} morale (VCC-143)" if own else "no unit to help there",
            )
        )
    return found


@evaluate_each
def fight(situation: SideView, question: Choose, option: Option) -> Evaluation:
    enemy = situation.battle.unit(str(option))
    left = amount(enemy.strength, "base")
    return Evaluation(inflicts=1.0 / (1 + enemy.strength), reason=f"{enemy.spec.name} has {left} left"[:80])


@evaluate_each
def support(situation: SideView, question: Choose, option: Option) -> Evaluation:
    """Prefer to support: supporters add dice and take no hits."""
    share = situation.battle.book.modifier("melee_dice", "supporting", 1.0)
    reason = f"a supporter adds {share:.0%} of its dice and takes no hits (VCC-126, VCC-132)"
    return Evaluation(inflicts=0.0 if option == "nobody" else 0.5, reason=reason)
