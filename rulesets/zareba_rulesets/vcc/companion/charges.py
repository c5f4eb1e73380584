"""Charges and melees at a real table."""

from __future__ import annotations

from zareba.companion import Asked, Choices, CompanionAct, Scene
from zareba.space.lazy import Lazy
from zareba.table import Answer, Choose, Table
from zareba_rulesets.vcc.book import Cover
from zareba_rulesets.vcc.chapters.army_commander import move_commander
from zareba_rulesets.vcc.chapters.melee import MeleeFacts, melee
from zareba_rulesets.vcc.chapters.movement import CHARGE, charge_targets, may_act
from zareba_rulesets.vcc.chapters.victory import capture_commanders
from zareba_rulesets.vcc.companion.common import done, is_apart, no_units, on_table, take
from zareba_rulesets.vcc.companion.moves import friends_apart, move
from zareba_rulesets.vcc.companion.real_table import plain_of
from zareba_rulesets.vcc.forces import OFF_TABLE, Battle

MELEE = "melee"
"""The checks that wait in the melee step until all melees have been fought."""


def _chargers(battle: Battle) -> list[str]:
    return [unit.id for unit in on_table(battle) if may_act(battle, unit) and charge_targets(battle, unit)]


def _enemies_to_charge(battle: Battle, charger: str) -> list[str]:
    return [unit.id for unit in charge_targets(battle, battle.unit(charger))]


def _has_flank(battle: Battle, scene: Scene) -> bool:
    """Return True if the target of a charge has a flank (VCC-059, VCC-060)."""
    target = battle.unit(scene.target)
    return target.spec.troop != "wagon" and "square" not in target.marks and is_apart(battle, scene)


_FLANK, _UPHILL, _SOFT, _HARD = "flank", "uphill", "soft", "hard"


def _circumstances(battle: Battle, scene: Scene) -> Choices:
    """Return what may matter in a charge: flank, height and cover."""
    flank = {_FLANK: "it hits the flank of the target"} if _has_flank(battle, scene) else {}
    cover = {_SOFT: "the target is in soft cover", _HARD: "the target is in hard cover"}
    return {**flank, _UPHILL: "it goes uphill", **cover}


def _is_open_question(battle: Battle, scene: Scene) -> bool:
    """Return True unless the units share a box, or people have answered one by one, as in entries of older evenings."""
    return is_apart(battle, scene) and not {"flank", "uphill", "cover"} & scene.answers.keys()


def _cover_in(scene: Scene) -> Cover:
    """Return the cover of the target of a charge; the better one if people name both."""
    named = scene["matters"] or ()
    cover: Cover = "hard" if _HARD in named else "soft" if _SOFT in named else scene.answers.get("cover", "none")
    return cover


def _is_so(scene: Scene, fact: str) -> bool:
    return fact in (scene["matters"] or ()) or bool(scene.answers.get(fact))


def _commander_is_there(battle: Battle, scene: Scene) -> bool:
    """Return True if the Army Commander is in the box of a unit that charges."""
    unit = battle.unit(scene.actor)
    return unit.side in battle.commanders and battle.commanders[unit.side].box == unit.box


def _commander_question(battle: Battle, scene: Scene) -> str:
    commander = battle.commanders[battle.unit(scene.actor).side]
    return f"{commander.name} does not charge with {{actor}} (VCC-171). Which unit does he join, up to 2 boxes away?"


def _units_to_join(battle: Battle, scene: Scene) -> Choices:
    """Return the units that the Army Commander could join instead: none with enemies in its box (VCC-056)."""
    side = battle.unit(scene.actor).side
    free = [
        unit
        for unit in battle.side_units(side)
        if unit.spec.id != scene.actor and not battle.has_enemy_in(unit.box, side)
    ]
    return {"": "none: he stays behind", **{unit.spec.id: unit.spec.name for unit in free}}


def _supports(battle: Battle, scene: Scene) -> Choices:
    """Return the units that could stand with a friend in melee, each with that friend (VCC-132)."""
    able = [
        unit.id for unit in on_table(battle) if not unit.marks & {"prone", "broken"} and not battle.is_in_contact(unit)
    ]
    pairs = [(charger, friend) for charger in able for friend in friends_apart(battle, charger)]
    return {
        (charger, friend): f"{battle.unit(charger).spec.name} with {battle.unit(friend).spec.name}"
        for charger, friend in pairs
        if battle.is_in_contact(battle.unit(friend))
    }


def _lay_out_charge(battle: Battle, scene: Scene) -> None:
    """Set flank, height and cover of a charge as people see them (VCC-059, VCC-070, VCC-071)."""
    target = battle.unit(scene.target)
    cover, flank, uphill = _cover_in(scene), _is_so(scene, _FLANK), _is_so(scene, _UPHILL)
    level = tuple(int(uphill and box == target.box) for box in range(battle.field.grid.size))
    field = plain_of(battle).with_changes(level=level)
    field.cover = Lazy(lambda _: cover)
    field.front_arcs = Lazy(lambda key: not (flank and key[1] == target.box))
    battle.field = field


def _lay_out_melee(battle: Battle, scene: Scene) -> None:
    """Put units into the boxes in which people see them next to a friend in melee."""
    for charger, friend in scene["together"]:
        battle.move(battle.unit(charger), battle.unit(friend).box)


def _charge(table: Table, battle: Battle, scene: Scene) -> None:
    """Charge. The Army Commander stays behind (VCC-171), and may join another unit (VCC-056)."""
    unit = battle.unit(scene.actor)
    commander = battle.commanders[unit.side] if _commander_is_there(battle, scene) else None
    move(table, battle, scene)
    if commander is None or commander.box == OFF_TABLE:
        return
    if scene["commander"]:
        move_commander(table, battle, unit.side)
    else:
        table.emit("commander stays", "VCC-171", side=unit.side, name=commander.name, unit=scene.actor)


def _fight(table: Table, battle: Battle, scene: Scene) -> None:
    done(battle, MELEE)
    melee(table, battle)
    capture_commanders(table, battle)


def _to_joined_unit(battle: Battle, scene: Scene, question: Choose) -> Answer:
    box = battle.unit(scene["commander"]).box
    return box if box in question.options else question.options[0]


def _attach_to_joined_unit(battle: Battle, scene: Scene, question: Choose) -> Answer:
    return scene["commander"] if scene["commander"] in question.options else question.options[-1]


CHARGE_ACT: CompanionAct[Battle] = CompanionAct(
    name="charge",
    title="charge",
    rule="VCC-050",
    run=_charge,
    actors=_chargers,
    targets=_enemies_to_charge,
    target_question="Which enemy should {actor} charge?",
    asks=(
        Asked(
            "matters",
            "Which of these apply to the charge?",
            default=(),
            choices=_circumstances,
            many=True,
            when=_is_open_question,
        ),
        Asked("commander", _commander_question, default="", choices=_units_to_join, when=_commander_is_there),
    ),
    facts=MeleeFacts,
    lay_out=_lay_out_charge,
    preset_answers={
        "move": take(lambda scene: (CHARGE, scene.target)),
        "commander to": _to_joined_unit,
        "attach commander to": _attach_to_joined_unit,
    },
)


MELEE_ACT: CompanionAct[Battle] = CompanionAct(
    name="melee",
    title="fight all melees",
    rule="VCC-118",
    run=_fight,
    actors=no_units,
    facts=MeleeFacts,
    asks=(
        Asked(
            "together",
            "Which other units stand in a box with a melee?",
            default=(),
            choices=_supports,
            many=True,
        ),
    ),
    lay_out=_lay_out_melee,
    out_of_turn=False,
)
