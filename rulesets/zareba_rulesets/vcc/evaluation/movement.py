"""The value of moves: ground gained towards the objectives, and fire given and taken at the destination."""

from __future__ import annotations

from zareba.base.exact import total
from zareba.base.grammar import amount
from zareba.battle.evaluation import Evaluation, evaluate_each
from zareba.table import Choose, Option
from zareba_rulesets.vcc.chapters.movement import CHARGE, GO
from zareba_rulesets.vcc.chapters.sight import reach_of
from zareba_rulesets.vcc.evaluation.charges import charge_worth
from zareba_rulesets.vcc.evaluation.side_view import BASE, FEAR, NOTHING, SideView, UnitView, bases_lost
from zareba_rulesets.vcc.forces.battle import Unit
from zareba_rulesets.vcc.ground.field import Field

__all__ = ["move", "move_with", "rate_facing"]


def move(side_view: SideView, question: Choose) -> list[Evaluation]:
    battle = side_view.battle
    unit = battle.unit(question.actor)
    unit_view = side_view.unit_view()
    value_here = unit_view.potential(unit, unit.box)
    return [_act_worth(side_view, unit_view, unit, value_here, option) for option in question.options]


def _act_worth(side_view: SideView, unit_view: UnitView, unit: Unit, value_here: float, option: Option) -> Evaluation:
    battle = side_view.battle
    if isinstance(option, tuple):
        verb, goal = option
        if verb == CHARGE:
            return charge_worth(battle, unit, battle.unit(goal))
        assert verb == GO, "the two verbs of movement"
        gain = unit_view.potential(unit, goal) - value_here
        return _place_worth(side_view, unit_view, unit, goal, gain, moves=True)
    if option == "leave the table":
        return Evaluation(ground=10.0, reason="it may leave the table here (VCC-057)")
    if option == "form square":
        riders = _riders_near(unit_view, unit)
        return Evaluation(
            ground=0.4 if riders else -0.3,
            reason=f"{amount(riders, 'mounted enemy', 'mounted enemies')} near; a square has no flank (VCC-060)"
            if riders
            else "no mounted enemies near",
        )
    if option == "leave square":
        riders = _riders_near(unit_view, unit)
        return Evaluation(
            ground=-0.4 if riders else 0.02, reason="mounted enemies near" if riders else "no mounted enemies near"
        )
    if option == "dismount":
        fire = _best_fire(side_view, unit_view, unit, unit.box) if unit.spec.weapon != "none" else 0.0
        return Evaluation(inflicts=fire * 0.5, ground=-0.05, reason="dismounted, it fires as infantry (VCC-024)")
    if option == "mount":
        fire = _best_fire(side_view, unit_view, unit, unit.box)
        return Evaluation(ground=0.15 if fire == 0 else -0.3, reason="no target in reach: ride on")
    if option == "lie down":
        return Evaluation(ground=-0.3, reason="lying down costs the next move (VCC-066)")
    if option == "get up":
        return Evaluation(ground=0.2, reason="get up and move again")
    return _place_worth(side_view, unit_view, unit, unit.box, 0.0, moves=False)


def _riders_near(unit_view: UnitView, unit: Unit) -> int:
    return sum(enemy.mounted and unit_view.grid.distance(enemy.box, unit.box) <= 3 for enemy in unit_view.enemies)


def _place_worth(
    side_view: SideView, unit_view: UnitView, unit: Unit, box: int, gain: float, *, moves: bool
) -> Evaluation:
    fire = _best_fire(side_view, unit_view, unit, box)
    is_crewed = unit.troop in ("machine_gun", "rocket")
    moved_fire = side_view.battle.book.modifier("fire_dice", "moved", 1.0) if moves else 1.0
    inflicts = fire * BASE * moved_fire * (0.2 if is_crewed and moves else 1.0)
    fear = FEAR if unit.spec.fire_die else FEAR * 0.3
    danger = unit_view.danger(box)
    suffers = min(danger, unit.strength) * BASE * fear

    def reason() -> str:
        goes = "nearer to" if gain > 0.02 else "farther from" if gain < -0.02 else "no nearer to"
        action = f"{goes} its goal" if moves else "stays"
        fires = ["can fire from there" if moves else "can fire from here"] if inflicts >= 0.05 else []
        risk = "safe from fire" if danger < 0.1 else f"may lose {bases_lost(min(danger, unit.strength))} to fire"
        return ", ".join([action, *fires, risk])

    return Evaluation(inflicts=inflicts, suffers=suffers, ground=gain, reason=reason)


def _best_fire(side_view: SideView, unit_view: UnitView, unit: Unit, box: int) -> float:
    """Return the bases that the unit's best shot from a box is expected to cost, without having moved."""
    spec = unit.spec
    weapon = spec.weapon
    if not spec.fire_die or weapon in ("none", "rocket") or (unit.mounted and not spec.can_dismount):
        return 0.0
    bases = unit.strength * (spec.fire_die + 1) / 2 / side_view.battle.book.settings.hits_per_base
    return max(
        (
            min(factor * bases, float(target_bases))
            for factor, target_bases in unit_view.shots(reach_of(side_view.battle, unit), box)
        ),
        default=0.0,
    )


@evaluate_each
def move_with(side_view: SideView, question: Choose, option: Option) -> Evaluation:
    """Move shock troops first, so that their charges are not blocked by other units; then the rest. Never stop early."""
    unit = side_view.battle.units.get(str(option))
    if unit is None:
        return NOTHING
    priority = 2.0 if unit.is_line and not unit.spec.fire_die else 1.0
    return Evaluation(ground=priority, reason="it has not moved yet")


def rate_facing(side_view: SideView, question: Choose) -> list[Evaluation]:
    """Face the enemies, weighted by distance: near enemies in the arc count most.

    Without an enemy on the table, the unit keeps its facing: at deployment the one that the scenario suggests. A pivot
    spoils the next shot of a crewed weapon, but not while the unit is set up (VCC-025, VCC-169).
    """
    battle = side_view.battle
    unit = battle.unit(question.actor)
    field = battle.field
    weights = [
        (enemy.box, 1.0 / (1.0 + float(field.grid.distance(unit.box, enemy.box)) ** 2)) for enemy in side_view.enemies()
    ]
    pivots = unit.crewed and question.rule in ("VCC-044", "VCC-048")
    evaluations = []
    for option in question.options:
        if not isinstance(option, int):
            evaluations.append(Evaluation(ground=-0.1, reason="a square has no front"))
            continue
        keeps = option == unit.facing
        covered_weight = total(weight for box, weight in weights if field.front[option, unit.box, box])
        if not weights:
            evaluations.append(Evaluation(ground=0.1 * keeps, reason=_facing_reason(side_view.side, field, option)))
            continue
        reason = "faces the nearest enemies (VCC-026)" if covered_weight else "has no enemy in front (VCC-026)"
        if pivots and keeps:
            reason = "does not pivot, so the next shot has all its dice (VCC-044)"
        evaluations.append(Evaluation(ground=covered_weight - (0.15 if pivots and not keeps else 0.0), reason=reason))
    return evaluations


def _facing_reason(side: str, field: Field, facing: int) -> str:
    """Return what lies in front of a unit that has no enemy on the table to face."""
    if facing == field.home_edge[field.enemy(side)]:
        return "faces the enemy's edge of the table (VCC-026)"
    return "no enemy is on the table yet (VCC-026)"
