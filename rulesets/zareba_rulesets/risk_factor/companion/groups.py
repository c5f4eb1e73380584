"""Companion acts on groups: leaders join and leave, weak groups combine, units touch and break contact (RSK-047)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from zareba.companion import CompanionAct, Scene
from zareba.table import Table
from zareba_rulesets.risk_factor.chapters.command import combine, may_combine
from zareba_rulesets.risk_factor.companion.book import (
    NO_UNIT,
    MeleeUnits,
    enemy_units,
    groups_of_leaders,
    has_two_sides,
    melees_on_table,
    merge_melee,
    place_all,
)
from zareba_rulesets.risk_factor.forces import (
    Battle,
)


def _weak(battle: Battle) -> list[str]:
    if battle.phase != "settle":
        return []
    return [group.id for group in battle.groups(battle.side) if _similar(battle, group.id)]


def _similar(battle: Battle, weak: str) -> list[str]:
    """Return the groups that a weak group may join (RSK-047)."""
    unit = battle.units[weak]
    return [
        other.id for other in battle.groups(unit.spec.side) if other is not unit and may_combine(battle, unit, other)
    ]


def _leaders(battle: Battle) -> list[str]:
    return [unit.id for side in battle.order for unit in battle.of(side) if unit.spec.leader]


def _groups_for(battle: Battle, leader: str) -> list[str]:
    unit = battle.units[leader]
    host = battle.host(unit)
    return [group.id for group in battle.groups(unit.spec.side) if group is not host]


def _with_groups(battle: Battle) -> list[str]:
    return [name for name, host in groups_of_leaders(battle).items() if host]


def _apart(battle: Battle) -> list[str]:
    return [unit.id for side in battle.order for unit in battle.of(side) if _not_met(battle, unit.id)]


def _not_met(battle: Battle, unit: str) -> list[str]:
    """Return the enemies with which a unit is not in contact."""
    met = [enemy.id for enemy in battle.enemies_in_contact(battle.units[unit])]
    return [enemy for enemy in enemy_units(battle, unit) if enemy not in met]


def _in_contact(battle: Battle) -> list[str]:
    return [unit.id for side in battle.order for unit in battle.of(side) if battle.enemies_in_contact(unit)]


def _combine(table: Table, battle: Battle, scene: Scene) -> None:
    combine(table, battle, battle.units[scene.actor], battle.units[scene.target])


def _rearranged(
    battle: Battle, hosts: Mapping[str, str] | None = None, melees: Sequence[MeleeUnits] | None = None
) -> None:
    known, met = groups_of_leaders(battle), melees_on_table(battle)
    place_all(battle, known if hosts is None else {**known, **hosts}, met if melees is None else melees)


def _join(table: Table, battle: Battle, scene: Scene) -> None:
    _rearranged(battle, {scene.actor: scene.target})


def _leave_group(table: Table, battle: Battle, scene: Scene) -> None:
    _rearranged(battle, {scene.actor: NO_UNIT})


def _meet(table: Table, battle: Battle, scene: Scene) -> None:
    _rearranged(battle, melees=merge_melee(melees_on_table(battle), {scene.actor: 1, scene.target: 1}))


def _part(table: Table, battle: Battle, scene: Scene) -> None:
    apart = [{name: count for name, count in melee.items() if name != scene.actor} for melee in melees_on_table(battle)]
    _rearranged(battle, melees=[melee for melee in apart if has_two_sides(battle, melee)])


COMBINE: CompanionAct[Battle] = CompanionAct(
    name="combine",
    title="combine with a group close by",
    rule="RSK-047",
    run=_combine,
    actors=_weak,
    targets=_similar,
    target_question="Which group should {actor} join?",
    out_of_turn=False,
)


JOIN: CompanionAct[Battle] = CompanionAct(
    name="join",
    title="go to a group",
    rule="RSK-048",
    run=_join,
    actors=_leaders,
    targets=_groups_for,
    target_question="To which group should {actor} go?",
)


LEAVE: CompanionAct[Battle] = CompanionAct(
    name="leave", title="leave the group", rule="RSK-048", run=_leave_group, actors=_with_groups
)


TOUCH_ENEMY: CompanionAct[Battle] = CompanionAct(
    name="meet",
    title="touch an enemy",
    rule="RSK-005",
    run=_meet,
    actors=_apart,
    targets=_not_met,
    target_question="Which enemy is in contact with {actor}?",
)


BREAK_CONTACT: CompanionAct[Battle] = CompanionAct(
    name="part", title="break contact", rule="RSK-005", run=_part, actors=_in_contact
)
