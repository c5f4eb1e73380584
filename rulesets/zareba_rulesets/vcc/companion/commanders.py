"""The Army Commanders at a real table."""

from __future__ import annotations

from zareba.companion import Asked, CompanionAct, Scene
from zareba.table import Answer, Choose, Table
from zareba_rulesets.vcc.chapters.army_commander import move_commander
from zareba_rulesets.vcc.chapters.victory import capture_commanders
from zareba_rulesets.vcc.companion.common import on_table
from zareba_rulesets.vcc.companion.real_table import free_box
from zareba_rulesets.vcc.forces import OFF_TABLE, Battle


def _commanded(battle: Battle) -> list[str]:
    """Return the units in whose box the Army Commander of their side could be: he enters no box with enemies
    (VCC-056).
    """
    boxes = {side: commander.box for side, commander in battle.commanders.items() if commander.box != OFF_TABLE}
    return [
        unit.id
        for unit in on_table(battle)
        if unit.side in boxes and (boxes[unit.side] == unit.box or not battle.has_enemy_in(unit.box, unit.side))
    ]


def _with_commander(battle: Battle) -> list[str]:
    """Return the units in whose box the Army Commander of their side stands."""
    boxes = {(side, commander.box) for side, commander in battle.commanders.items()}
    return [unit.id for unit in on_table(battle) if (unit.side, unit.box) in boxes]


def _captors(battle: Battle) -> list[str]:
    """Return the units that could catch the enemy Army Commander without a friendly unit (VCC-171).

    A unit that has charged may have caught him on its way.
    """
    alone = {
        side
        for side, commander in battle.commanders.items()
        if commander.box != OFF_TABLE and not any(unit.side == side for unit in battle.units_in(commander.box))
    }
    if battle.book.settings.commander_captured == "never":
        return []
    classes = battle.book.classes
    return [
        unit.id
        for unit in on_table(battle)
        if battle.field.enemy(unit.side) in alone
        and ("charged" in unit.marks or not battle.is_in_contact(unit))
        and classes[unit.troop].allowance
    ]


def _capture_commander(table: Table, battle: Battle, scene: Scene) -> None:
    unit = battle.unit(scene.actor)
    box, in_contact = unit.box, battle.is_in_contact(unit)
    battle.move(unit, battle.commanders[battle.field.enemy(unit.side)].box)
    capture_commanders(table, battle)
    if in_contact:
        battle.move(unit, box)


def _send_commander_away(table: Table, battle: Battle, scene: Scene) -> None:
    move_commander(table, battle, battle.unit(scene.actor).side)


def _move_commander(table: Table, battle: Battle, scene: Scene) -> None:
    """Move the Army Commander to a unit. If enemies are in its box, he has been there before they came (VCC-056)."""
    unit = battle.unit(scene.actor)
    if battle.has_enemy_in(unit.box, unit.side):
        commander = battle.commanders[unit.side]
        commander.box, commander.unit = unit.box, unit.id if scene["attached"] else ""
    else:
        move_commander(table, battle, unit.side)


def _to_unit(battle: Battle, scene: Scene, question: Choose) -> Answer:
    box = battle.unit(scene.actor).box
    return box if box in question.options else question.options[0]


def _to_free_box(battle: Battle, scene: Scene, question: Choose) -> Answer:
    return free_box(battle)


def _attach(battle: Battle, scene: Scene, question: Choose) -> Answer:
    return scene.actor if scene["attached"] and scene.actor in question.options else question.options[-1]


COMMANDER_ACT: CompanionAct[Battle] = CompanionAct(
    name="commander",
    title="have the Army Commander come to its box",
    rule="VCC-056",
    run=_move_commander,
    actors=_commanded,
    asks=(
        Asked(
            "attached", "Does he attach himself to {actor}? (no: he only stands in its box)", default=False, kind=bool
        ),
    ),
    preset_answers={"commander to": _to_unit, "attach commander to": _attach},
)


COMMANDER_LEAVES_ACT: CompanionAct[Battle] = CompanionAct(
    name="commander_leaves",
    title="be left by its Army Commander, who goes elsewhere",
    rule="VCC-056",
    run=_send_commander_away,
    actors=_with_commander,
    preset_answers={"commander to": _to_free_box},
)


CAPTURE_ACT: CompanionAct[Battle] = CompanionAct(
    name="capture",
    title="capture the enemy's Army Commander, who is alone",
    rule="VCC-171",
    run=_capture_commander,
    actors=_captors,
)
