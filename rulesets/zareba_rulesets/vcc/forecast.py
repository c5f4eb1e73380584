"""The odds that a player may ask before an attack is committed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from zareba.table import Choose, Option, Question
from zareba_rulesets.vcc.battle import Battle, Unit
from zareba_rulesets.vcc.fire import FireFacts, fire_facts
from zareba_rulesets.vcc.morale import checks_after_fire
from zareba_rulesets.vcc.movement import CHARGE, detach
from zareba_rulesets.vcc.odds.fire import FireStepFacts
from zareba_rulesets.vcc.odds.melee import MeleeFightFacts, MeleeRollFacts
from zareba_rulesets.vcc.odds.rockets import RocketMoraleFacts
from zareba_rulesets.vcc.odds.stage import facts_of
from zareba_rulesets.vcc.sight import in_front

__all__ = ["odds_before"]

OF_TARGET = ("commander", "commander_attached", "commander_wounds", "rocketed", "room_behind", "edge_behind")
"""The facts of a shot that are the target's without saying so."""


def odds_before(battle: Battle, question: Question, option: Option) -> Sequence[tuple[str, str, Any]]:
    """The fire step for a shot, the melee for a charge as if nobody fired on the way in (VCC-093, VCC-050).

    For a rocket the morale of everyone in the box who does not check in this step anyway (VCC-100).
    """
    if not isinstance(question, Choose):
        return ()
    unit = battle.units.get(question.actor)
    if question.why == "fire at" and unit is not None and option in battle.units:
        target = battle.unit(str(option))
        return ((f"{unit.spec.name} fires at {target.spec.name}", "fire_step", _fire_step(battle, unit, target)),)
    if question.why == "move" and unit is not None and isinstance(option, tuple) and option[0] == CHARGE:
        return _charge(battle, unit, battle.unit(option[1]))
    if question.why == "rocket at" and unit is not None and isinstance(option, int):
        return [
            (f"{unit.spec.name} aims a rocket at {other.spec.name}", "rocket_morale", _rocket(battle, other))
            for other in battle.in_box(option)
            if not checks_after_fire(battle, other)
        ]
    return ()


def _fire_step(battle: Battle, unit: Unit, target: Unit) -> FireStepFacts:
    shot = fire_facts(battle, unit, target)
    from_flank = not in_front(battle, target, unit.box) and target.spec.troop != "wagon"
    known = {
        **facts_of(battle, target, FireStepFacts, "target_"),
        **{name: said for name, said in facts_of(battle, target, FireStepFacts).items() if name in OF_TARGET},
        **{one.name: getattr(shot, one.name) for one in fields(FireFacts)},
    }
    return FireStepFacts(
        **known
        | {
            "moved": shot.moved or not in_front(battle, unit, target.box),  # a gun pivots first (VCC-046)
            "fire_die": unit.spec.fire_die,
            "flank_shot": from_flank or "flank_shot" in target.marks,
            "checks_due": tuple(check.band for check in battle.checks if check.unit == target.spec.id),
        }
    )


def _rocket(battle: Battle, unit: Unit) -> RocketMoraleFacts:
    return RocketMoraleFacts(**facts_of(battle, unit, RocketMoraleFacts) | {"rocketed": False, "flanked": False})


def _charge(battle: Battle, unit: Unit, enemy: Unit) -> Sequence[tuple[str, str, Any]]:
    """The melee of a charge; behind a friend who charged there before, the dice of a supporter, if any (VCC-132)."""
    fight = _melee(battle, unit, enemy)
    before = [c for c in battle.contacts if c.charged == enemy.spec.id and c.flank == fight.flank]
    if not before:
        return ((f"{unit.spec.name} charges {enemy.spec.name}, melee if it gets home", "melee", fight),)
    if len(before) > battle.book.settings.max_supports:
        return ()
    roll = MeleeRollFacts(
        bases=unit.bases,
        leader=unit.leader,
        quality=fight.a_quality,
        charging=True,
        flank=fight.flank,
        lancers=unit.spec.lancers and unit.mounted,
        enemy_broken=fight.b_broken,
        supporting=True,
        mounted=unit.mounted,
        enemy_dervish_foot=enemy.dervish_foot,
        uphill=fight.uphill,
        cover=fight.cover,
        melee_die=fight.a_melee_die,
    )
    lead = battle.unit(before[0].charger)
    return ((f"{unit.spec.name} charges {enemy.spec.name} in support of {lead.spec.name}", "melee_roll", roll),)


def _melee(battle: Battle, unit: Unit, enemy: Unit) -> MeleeFightFacts:
    field, box = battle.field, enemy.box
    moves = unit.box != box
    met = battle.copy()
    lead, charged = met.unit(unit.spec.id), met.unit(enemy.spec.id)
    if moves:
        met.move(lead, box)
        detach(met, lead)
    known = {
        **facts_of(met, lead, MeleeFightFacts, "a_"),
        **facts_of(met, charged, MeleeFightFacts, "b_"),
        "a_flanked": False,
        "b_flanked": any(contact.charged == enemy.spec.id and contact.flank for contact in battle.contacts),
        "flank": moves and enemy.spec.troop != "wagon" and not in_front(battle, enemy, unit.box),
        "uphill": moves and field.level[unit.box] < field.level[box],
        "cover": field.cover[unit.box, box],
    }
    return MeleeFightFacts(**known)
