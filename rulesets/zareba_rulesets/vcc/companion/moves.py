"""Moves at a real table: arrivals, marches, changes of formation, objects, exits, and who stands together."""

from __future__ import annotations

from zareba.battle.arrivals import arrives
from zareba.companion import Asked, Choices, CompanionAct, Scene, first
from zareba.space.lazy import Lazy
from zareba.table import Answer, Choose, Table
from zareba_rulesets.vcc.chapters.movement import (
    EXIT,
    GO,
    STAY,
    allowance,
    changes_of_footing,
    facings,
    formations,
    may_act,
    move_unit,
    turn_unit,
)
from zareba_rulesets.vcc.chapters.setting_up import place_arrival
from zareba_rulesets.vcc.chapters.victory import capture_commanders
from zareba_rulesets.vcc.companion.common import done, keep_facing, on_table, take
from zareba_rulesets.vcc.companion.real_table import free_box, plain_of
from zareba_rulesets.vcc.forces import OFF_TABLE, Battle, Unit
from zareba_rulesets.vcc.ground import BoxStep


def _movers(battle: Battle) -> list[str]:
    return [unit.id for unit in on_table(battle) if may_act(battle, unit) and allowance(battle, unit)]


def _changes(battle: Battle, unit: Unit) -> list[str]:
    """Return the changes of formation, posture and footing that a unit may make."""
    if "lying" in unit.marks:
        return ["get up"]
    if battle.is_in_contact(unit):
        return []
    return [str(change) for change in (*formations(battle, unit), *changes_of_footing(battle, unit))]


def _changers(battle: Battle) -> list[str]:
    return [unit.id for unit in on_table(battle) if may_act(battle, unit) and _changes(battle, unit)]


def _turners(battle: Battle) -> list[str]:
    """Return the units for which a turn matters: crewed weapons, and by setting all (VCC-043, VCC-046, VCC-047)."""
    every = battle.book.settings.pivot_counts_as_move == "all"
    able = [unit for unit in on_table(battle) if may_act(battle, unit) and len(facings(unit)) > 1]
    return [unit.id for unit in able if unit.crewed or every]


def _leavers(battle: Battle) -> list[str]:
    return [unit.id for unit in on_table(battle) if may_act(battle, unit) and battle.exits.get(unit.side)]


def _joiners(battle: Battle) -> list[str]:
    return [unit.id for unit in on_table(battle) if friends_apart(battle, unit.id)]


def friends_apart(battle: Battle, unit_id: str) -> list[str]:
    """Return the friendly units whose box a unit does not share yet."""
    unit = battle.unit(unit_id)
    return [friend.id for friend in battle.side_units(unit.side) if friend.box != unit.box]


def _takers(battle: Battle) -> list[str]:
    """Return the units that could take an object that lies on the table (VCC-166)."""
    lying = any(
        not carried_object.carrier and not carried_object.taken_by for carried_object in battle.carried_objects.values()
    )
    return [unit.id for unit in on_table(battle) if lying and unit.is_line and "broken" not in unit.marks]


def arriving(battle: Battle) -> list[str]:
    return [unit for unit, turn in battle.arrivals.items() if turn <= battle.turn]


def _changes_of_actor(battle: Battle, scene: Scene) -> Choices:
    return {change: change for change in _changes(battle, battle.unit(scene.actor))}


def _abandoned_guns(battle: Battle, scene: Scene) -> Choices:
    guns = {unit.id: f"the gun of {unit.spec.name}" for unit in battle.units.values() if unit.gun_box != OFF_TABLE}
    return {"": "no", **guns}


def _guns_are_abandoned(battle: Battle, scene: Scene) -> bool:
    return any(unit.gun_box != OFF_TABLE for unit in battle.units.values())


def _objects(battle: Battle, scene: Scene) -> Choices:
    """Return the objects that lie on the table."""
    lying = [
        name
        for name, carried_object in battle.carried_objects.items()
        if not carried_object.carrier and not carried_object.taken_by
    ]
    return {name: scene.game.narrator.name_of(name) for name in lying}


def _edges(battle: Battle, scene: Scene) -> Choices:
    exits = battle.exits.get(battle.unit(scene.actor).side, ())
    return {edge: f"the {edge} edge" for edge, _, _ in exits}


def _lay_out_move(battle: Battle, scene: Scene) -> None:
    """Leave one step open: into the box of an abandoned gun, or into a new box."""
    unit = battle.unit(scene.actor)
    start, gun = unit.box, scene["gun"]
    steps = (BoxStep(battle.unit(gun).gun_box if gun else free_box(battle), False, True),)
    field = plain_of(battle).with_changes()
    field.open_steps = Lazy(lambda key: steps if key[1] == start else ())
    battle.field = field


def _lay_out_exit(battle: Battle, scene: Scene) -> None:
    """Put a unit at the table edge over which it leaves (VCC-057)."""
    field, unit = plain_of(battle), battle.unit(scene.actor)
    corner = {"south": 0, "west": 0, "north": field.grid.size - 1, "east": field.grid.size - 1}[scene["edge"]]
    battle.move(unit, corner)


def move(table: Table, battle: Battle, scene: Scene) -> None:
    done(battle, scene.actor)
    move_unit(table, battle, battle.unit(scene.actor))
    capture_commanders(table, battle)


def _turn(table: Table, battle: Battle, scene: Scene) -> None:
    done(battle, scene.actor)
    turn_unit(table, battle, battle.unit(scene.actor))


def _join(table: Table, battle: Battle, scene: Scene) -> None:
    """Put a unit into the box of a friend, with an Army Commander attached to it.

    A unit in contact brings everyone from its box: the two boxes are one.
    """
    unit, box = battle.unit(scene.actor), battle.unit(scene.target).box
    old, attached = unit.box, battle.attached_commander(unit)
    if not battle.is_in_contact(unit):
        battle.move(unit, box)
        if attached is not None:
            attached.box = box
        return
    for other in battle.units_in(old):
        battle.move(other, box)
    for commander in battle.commanders.values():
        if commander.box == old:
            commander.box = box


def _arrive(table: Table, battle: Battle, scene: Scene) -> None:
    done(battle, scene.actor)
    if arrives(table, scene.game.scenario.units[scene.actor].arrival, scene.actor, "VCC-169"):
        place_arrival(table, battle, battle.unit(scene.actor), [free_box(battle)])


def _reach_object(table: Table, battle: Battle, scene: Scene) -> None:
    """Note that an object lies in the box of a unit, which takes it at the end of the turn if no enemy is there."""
    battle.carried_objects[scene["object"]].box = battle.unit(scene.actor).box


def _go(battle: Battle, scene: Scene, question: Choose) -> Answer:
    """Take the only step that the layout has left open; then stay there."""
    return next((option for option in question.options if isinstance(option, tuple) and option[0] == GO), STAY)


def _turn_away(battle: Battle, scene: Scene, question: Choose) -> Answer:
    return next(facing for facing in question.options if facing != battle.unit(scene.actor).facing)


ARRIVE_ACT: CompanionAct[Battle] = CompanionAct(
    name="arrive", title="arrive", rule="VCC-169", run=_arrive, actors=arriving, preset_answers={"face": first}
)


MOVE_ACT: CompanionAct[Battle] = CompanionAct(
    name="move",
    title="move",
    rule="VCC-039",
    run=move,
    actors=_movers,
    asks=(
        Asked(
            "gun",
            "{actor}: into the box of an abandoned gun?",
            default="",
            choices=_abandoned_guns,
            when=_guns_are_abandoned,
        ),
    ),
    lay_out=_lay_out_move,
    preset_answers={"move": _go, "face": keep_facing},
    choice="move",
)


CHANGE_ACT: CompanionAct[Battle] = CompanionAct(
    name="change",
    title="change formation or posture, mount or dismount",
    rule="VCC-061",
    run=move,
    actors=_changers,
    asks=(Asked("change", "{actor}: which change?", choices=_changes_of_actor),),
    preset_answers={"move": take(lambda scene: scene["change"]), "face": keep_facing},
)


TURN_ACT: CompanionAct[Battle] = CompanionAct(
    name="turn",
    title="turn to another facing",
    rule="VCC-044",
    run=_turn,
    actors=_turners,
    preset_answers={"face": _turn_away},
)


LEAVE_ACT: CompanionAct[Battle] = CompanionAct(
    name="leave",
    title="leave the table",
    rule="VCC-057",
    run=move,
    actors=_leavers,
    asks=(Asked("edge", "Over which edge?", choices=_edges),),
    lay_out=_lay_out_exit,
    preset_answers={"move": take(lambda scene: EXIT)},
)


OBJECT_ACT: CompanionAct[Battle] = CompanionAct(
    name="object",
    title="reach an object",
    rule="VCC-166",
    run=_reach_object,
    actors=_takers,
    asks=(Asked("object", "Which object lies in the box of {actor}?", choices=_objects),),
)


JOIN_ACT: CompanionAct[Battle] = CompanionAct(
    name="join",
    title="stand in the box of a friend",
    rule="VCC-007",
    run=_join,
    actors=_joiners,
    targets=friends_apart,
    target_question="Which friend should {actor} share a box with?",
)
