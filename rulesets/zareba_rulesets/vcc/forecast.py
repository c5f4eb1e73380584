"""The odds that a player may ask before an attack is committed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from zareba.table import Choose, Option, Question
from zareba_rulesets.vcc.battle import Battle, Unit
from zareba_rulesets.vcc.fire import fire_facts
from zareba_rulesets.vcc.movement import CHARGE
from zareba_rulesets.vcc.odds.fire import FireStepFacts
from zareba_rulesets.vcc.odds.melee import MeleeFightFacts
from zareba_rulesets.vcc.sight import in_front

__all__ = ["odds_before"]


def odds_before(battle: Battle, question: Question, option: Option) -> Sequence[tuple[str, str, Any]]:
    """The fire step for a shot; the melee for a charge, as if nobody fired on the way in (VCC-093, VCC-050)."""
    if not isinstance(question, Choose):
        return ()
    unit = battle.units.get(question.actor)
    if question.why == "fire at" and unit is not None and option in battle.units:
        target = battle.unit(str(option))
        return ((f"{unit.spec.name} fires at {target.spec.name}", "fire_step", _fire_step(battle, unit, target)),)
    if question.why == "move" and unit is not None and isinstance(option, tuple) and option[0] == CHARGE:
        enemy = battle.unit(option[1])
        title = f"{unit.spec.name} charges {enemy.spec.name}, melee if it gets home"
        return ((title, "melee", _melee(battle, unit, enemy)),)
    return ()


def _fire_step(battle: Battle, unit: Unit, target: Unit) -> FireStepFacts:
    shot = fire_facts(battle, unit, target)
    pivots = not in_front(battle, unit, target.box)
    commander = battle.attached_commander(target)
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
        fire_die=unit.spec.fire_die,  # type: ignore[arg-type]  # d6 or d3
        target_bases=target.bases,
        target_leader=target.leader,
        target_quality=target.spec.quality,  # type: ignore[arg-type]  # one of the three
        target_regular=target.regular,
        target_square="square" in target.marks,
        target_hits=target.hits,
        target_wounds=target.wounds,
        target_jest="jest" in target.marks,
        commander=battle.commander_in(target.box, target.spec.side),
        commander_attached=commander is not None,
        flank_shot=not in_front(battle, target, unit.box),
    )


def _melee(battle: Battle, unit: Unit, enemy: Unit) -> MeleeFightFacts:
    field = battle.field
    moves = unit.box != enemy.box
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
        a_melee_die=unit.spec.melee_die,  # type: ignore[arg-type]  # d6 or d3
        b_melee_die=enemy.spec.melee_die,  # type: ignore[arg-type]  # d6 or d3
        a_lancers=unit.spec.lancers,
        a_dervish_foot=unit.spec.dervish_foot,
        b_dervish_foot=enemy.spec.dervish_foot,
        b_regular=enemy.regular,
        b_square="square" in enemy.marks,
        b_broken="broken" in enemy.marks,
        a_commander=battle.commander_in(enemy.box, unit.spec.side),
        b_commander=battle.commander_in(enemy.box, enemy.spec.side),
        flank=moves and enemy.spec.troop != "wagon" and not in_front(battle, enemy, unit.box),
        uphill=moves and field.level[unit.box] < field.level[enemy.box],
        cover=field.cover[unit.box, enemy.box],
    )
