"""Evaluation of loads, weapons, leaving the table and promotions (PAY-023, PAY-037, PAY-073, PAY-214)."""

from __future__ import annotations

from zareba.base.amounts import amount
from zareba.battle.evaluation import Evaluation, each
from zareba.table import Choose, Option
from zareba_rulesets.paychest.chapters.to_hit import ready_weapon
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.units import Unit

__all__ = ["corporal", "edge", "handle"]


def _burden(battle: Battle) -> str:
    """Return what a load costs its bearer (PAY-072)."""
    return f"a load leaves its bearer {battle.book.file.halved_by_load.times:.0%} of his move (PAY-072)"


@each
def handle(battle: Battle, unit: Unit, question: Choose, option: Option) -> Evaluation:
    """Evaluate picking up and dropping.

    Objects of an objective are taken and kept; other loads are not worth the slower move.
    """
    if not isinstance(option, tuple):
        return Evaluation(reason="no load is worth the trouble")
    if option[0] == "take":
        better = not ready_weapon(battle.book, battle.figure(option[1])) and option[3] in battle.book.ranges
        weapon, reach = option[3].replace("_", " "), battle.book.ranges.get(option[3], 0.0)
        use = f"reaches {amount(round(reach), 'inch', 'inches')}" if reach else "is for hand-to-hand fighting"
        return Evaluation(
            inflicts=0.05 if better else -0.05,
            reason=f"a {weapon} {use} (PAY-023)",
        )
    thing = battle.things.get(option[2])
    goal = next(
        (g for g in battle.goals if thing is not None and g.thing == thing.goal and g.kind == "carry_off"), None
    )
    wanted = goal is not None and unit.spec.side in goal.sides
    if option[0] == "pick up" and thing is not None and thing.carrier:
        return Evaluation(ground=-0.2, reason="another bearer makes the load no faster (PAY-073)")
    worth = (1.0 if wanted else -0.2) * (1 if option[0] == "pick up" else -1)
    points = goal.points if goal is not None else 0
    return Evaluation(ground=worth, reason=f"worth {amount(points, 'point')}" if wanted else _burden(battle))


def edge(battle: Battle, unit: Unit, question: Choose) -> list[Evaluation]:
    """Evaluate leaving the table: only with an objective's object, or where an escort objective needs it."""
    ways = {goal.edge for goal in battle.goals if goal.kind == "escort" and unit.spec.id in goal.units}
    prizes = {g.thing: g.edge for g in battle.goals if g.kind == "carry_off" and unit.spec.side in g.sides}
    loaded = {t.goal for t in battle.things.values() if t.carrier in unit.figures and t.goal in prizes}
    ways |= {prizes[goal] for goal in loaded}
    home = any(
        figure.at is not None and battle.field.table.distance_to_edge(figure.at, way) < 0.01
        for way in ways
        if way
        for figure in unit.able
    )
    reason = "the right exit for the objective (PAY-214)" if home else "leaving here scores nothing (PAY-214)"
    return [Evaluation(ground=1.0 if (option != "stay") is home else 0.0, reason=reason) for option in question.options]


@each
def corporal(battle: Battle, unit: Unit, question: Choose, option: Option) -> Evaluation:
    """Evaluate the candidates for promotion. The best shot leads, because leaders choose their own target (PAY-092)."""
    figure = unit.figures.get(str(option))
    if figure is None:
        return Evaluation(reason="the unit stays without a leader")
    skill = figure.spec.firearms
    deeds = f", {amount(figure.brave, 'brave deed')}" if figure.brave else ""
    return Evaluation(steadies=0.2 + 0.01 * skill, reason=f"Firearms Skill {skill}{deeds} (PAY-037)")
