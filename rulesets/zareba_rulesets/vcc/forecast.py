"""The odds that a player may ask before an attack is committed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from zareba.table import Choose, Option, Question
from zareba_rulesets.vcc.battle import Battle, Unit
from zareba_rulesets.vcc.fire import fire_facts
from zareba_rulesets.vcc.morale import checks_after_fire, morale_facts
from zareba_rulesets.vcc.movement import CHARGE
from zareba_rulesets.vcc.odds.fire import FireStepFacts
from zareba_rulesets.vcc.odds.melee import MeleeFightFacts, MeleeRollFacts
from zareba_rulesets.vcc.odds.rockets import RocketMoraleFacts
from zareba_rulesets.vcc.retreat import room_behind
from zareba_rulesets.vcc.sight import in_front

__all__ = ["odds_before"]


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
    pivots = not in_front(battle, unit, target.box)
    commander = battle.attached_commander(target)
    room, edge = room_behind(battle, target, target.box)
    from_flank = not in_front(battle, target, unit.box) and target.spec.troop != "wagon"
    return FireStepFacts(
        bases=shot.bases,
        leader=shot.leader,
        quality=shot.quality,
        band=shot.band,
        moved=shot.moved or pivots,
        prone=shot.prone,
        square=shot.square,
        target_mounted=shot.target_mounted,
        target_prone=shot.target_prone,
        cover=shot.cover,
        fire_die=unit.spec.fire_die,
        target_bases=target.bases,
        target_leader=target.leader,
        target_quality=target.spec.quality,  # type: ignore[arg-type]  # one of the three
        target_regular=target.regular,
        target_square="square" in target.marks,
        target_hits=target.hits,
        target_wounds=target.wounds,
        target_jest="jest" in target.marks,
        target_lost_base="lost_base" in target.marks,
        commander=battle.commander_in(target.box, target.spec.side),
        commander_attached=commander is not None,
        commander_wounds=commander.wounds if commander is not None else 0,
        flank_shot=from_flank or "flank_shot" in target.marks,
        rocketed="rocketed" in target.marks,
        checks_due=tuple(check.band for check in battle.checks if check.unit == target.spec.id),  # type: ignore[misc]  # bands
        room_behind=room,
        edge_behind=edge,
    )


def _rocket(battle: Battle, unit: Unit) -> RocketMoraleFacts:
    facts = morale_facts(battle, unit)
    room, edge = room_behind(battle, unit, unit.box)
    return RocketMoraleFacts(
        bases=facts.bases,
        leader=facts.leader,
        quality=facts.quality,
        regular=facts.regular,
        mounted=facts.mounted,
        square=facts.square,
        commander=facts.commander,
        jest=facts.jest,
        hits=unit.hits,
        room_behind=room,
        edge_behind=edge,
    )


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
    field = battle.field
    moves = unit.box != enemy.box
    with_a = None if moves else battle.attached_commander(unit)  # a charge leaves him behind (VCC-171)
    with_b = battle.attached_commander(enemy)
    met = battle.copy()
    met.move(met.unit(unit.spec.id), enemy.box)
    (a_room, a_edge), (b_room, b_edge) = (room_behind(met, one, enemy.box) for one in (unit, enemy))
    return MeleeFightFacts(
        a_bases=unit.bases,
        b_bases=enemy.bases,
        a_leader=unit.leader,
        b_leader=enemy.leader,
        a_quality=unit.spec.quality,  # type: ignore[arg-type]  # one of the three
        b_quality=enemy.spec.quality,  # type: ignore[arg-type]  # one of the three
        a_hits=unit.hits,
        b_hits=enemy.hits,
        a_wounds=unit.wounds,
        b_wounds=enemy.wounds,
        a_troop="mounted" if unit.mounted else "foot",
        b_troop="mounted" if enemy.mounted else enemy.troop,  # type: ignore[arg-type]  # one of the classes
        a_melee_die=unit.spec.melee_die,
        b_melee_die=enemy.spec.melee_die,
        a_lancers=unit.spec.lancers,
        a_dervish_foot=unit.dervish_foot,
        b_dervish_foot=enemy.dervish_foot,
        b_regular=enemy.regular,
        b_square="square" in enemy.marks,
        b_broken="broken" in enemy.marks,
        b_flanked=any(c.charged == enemy.spec.id and c.flank for c in battle.contacts),
        a_jest="jest" in unit.marks,
        b_jest="jest" in enemy.marks,
        a_commander=battle.commander_in(enemy.box, unit.spec.side),
        b_commander=battle.commander_in(enemy.box, enemy.spec.side),
        a_commander_attached=with_a is not None,
        b_commander_attached=with_b is not None,
        a_commander_wounds=with_a.wounds if with_a is not None else 0,
        b_commander_wounds=with_b.wounds if with_b is not None else 0,
        a_room_behind=a_room,
        b_room_behind=b_room,
        a_edge_behind=a_edge,
        b_edge_behind=b_edge,
        flank=moves and enemy.spec.troop != "wagon" and not in_front(battle, enemy, unit.box),
        uphill=moves and field.level[unit.box] < field.level[enemy.box],
        cover=field.cover[unit.box, enemy.box],
    )
