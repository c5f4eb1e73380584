"""The value of shots: the bases they cost the enemy."""

from __future__ import annotations

from zareba.base.exact import total
from zareba.base.grammar import amount
from zareba.battle.evaluation import Evaluation, evaluate_each
from zareba.table import Choose, Option
from zareba_rulesets.vcc.chapters.fire.fire import fire_facts
from zareba_rulesets.vcc.evaluation.side_view import BASE, NOTHING, SideView, bases_lost
from zareba_rulesets.vcc.forces.battle import Battle, Unit

__all__ = ["fire_at", "fire_with", "rocket_at"]


def expected_loss(battle: Battle, unit: Unit, target: Unit) -> float:
    """Return the bases that a shot is expected to cost its target, at most those it has."""
    dice = battle.book.rules.tally("fire_dice", fire_facts(battle, unit, target), battle, unit, target).total
    hits = dice * (unit.spec.fire_die + 1) / 2 + target.hits
    per_base: int = battle.book.settings.hits_per_base
    return min(hits / per_base, target.strength)


def shot_worth(battle: Battle, unit: Unit, target: Unit) -> Evaluation:
    loss = expected_loss(battle, unit, target)
    value = loss * BASE * (1.3 if target.spec.troop in ("artillery", "machine_gun") else 1.0)
    if loss >= target.strength:
        value += 0.5
    if "broken" in target.marks:
        value *= 0.6
    risk = 0.0
    if "overheated" in unit.marks:
        risk = (unit.streak + 1) / battle.book.file.overheating.die * unit.strength * BASE * 2
    return Evaluation(
        inflicts=value,
        suffers=risk,
        reason=lambda: (
            f"would probably destroy {target.spec.name}"
            if loss >= target.strength
            else f"{target.spec.name} would lose {bases_lost(loss)}"
        )[:80],
    )


@evaluate_each
def fire_at(side_view: SideView, question: Choose, option: Option) -> Evaluation:
    battle = side_view.battle
    if option not in battle.units:
        return Evaluation(reason="no shot worth taking")
    return shot_worth(battle, battle.unit(question.actor), battle.unit(str(option)))


@evaluate_each
def fire_with(side_view: SideView, question: Choose, option: Option) -> Evaluation:
    unit = side_view.battle.units.get(str(option))
    if unit is None:
        return NOTHING
    loss = unit.strength * unit.spec.fire_die * BASE if unit.spec.fire_die else 1.0
    return Evaluation(
        inflicts=loss, reason=f"it fires with {amount(unit.strength, 'gunner' if unit.crewed else 'base')}"
    )


@evaluate_each
def rocket_at(side_view: SideView, question: Choose, option: Option) -> Evaluation:
    if not isinstance(option, int):
        return Evaluation(reason="no target worth a rocket")
    value = total(
        (0.25 if unit.mounted else 0.15) * (1 if unit.spec.side != side_view.side else -1.2)
        for unit in side_view.battle.in_box(option)
        if "broken" not in unit.marks
    )
    rocket = side_view.battle.book.file.rocket
    on_target = (rocket.die + 1 - rocket.on_target) / rocket.die
    return Evaluation(inflicts=value, reason=f"{on_target:.0%} of rockets come down where they are aimed (VCC-098)")
