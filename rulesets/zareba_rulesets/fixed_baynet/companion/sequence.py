"""The sequence of play at a real table: activations, men in panic, glory, and the end of a turn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from zareba.companion import Asked, Choices, Scene
from zareba.space.field.pieces import TerrainPiece
from zareba.table import Answer, Table
from zareba_rulesets.fixed_baynet.actions.activation import end_activation
from zareba_rulesets.fixed_baynet.chapters.crews import is_touching
from zareba_rulesets.fixed_baynet.chapters.fire import HOLD
from zareba_rulesets.fixed_baynet.chapters.morale import (
    glory_phase,
)
from zareba_rulesets.fixed_baynet.chapters.movement import allowance
from zareba_rulesets.fixed_baynet.chapters.victory import take_carried_objects, unit_exit_edges
from zareba_rulesets.fixed_baynet.companion.book import (
    ANSWERING,
    ANSWERS,
    EAST,
    HAIR,
    SHOTS,
    STAGE,
    WEST,
    Inches,
    active_if,
    contacts_of,
    cover_rows,
    enemies_of,
    friends_of,
    has_name,
    make_act,
    men_touching,
    no_actors,
    note_contact,
    note_parting,
    open_plain,
    put_men,
    thrown_together,
    waiting_units,
)
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.units import Unit
from zareba_rulesets.fixed_baynet.sequence import Sequence

_RUNS_AT = ("berserk", "onwards")


_SHOOTS = ("take_cover", "prone")


def _in_panic(*reactions: str) -> Callable[[Battle, Scene], bool]:
    """Return a function that tells if men of the unit have one of these panic reactions (FBN-163)."""

    def some(battle: Battle, scene: Scene) -> bool:
        men = battle.units[scene.actor].figures.values() if scene.actor else ()
        return any(man.reaction in reactions and "stunned" not in man.marks for man in men)

    return some


def _nearest_enemies(battle: Battle, scene: Scene) -> Choices:
    return {key: battle.units[key].spec.name for key in enemies_of(battle, scene.actor)}


def _shelter_distances(battle: Battle, scene: Scene) -> Choices:
    return {0: "they are in cover, or there is none", 1: "one movement action away", 2: "two movement actions away"}


def _lay_out_panic(battle: Battle, scene: Scene) -> None:
    """Put the men in panic where people see them: an enemy, a comrade or cover near by (FBN-164 to FBN-170)."""
    unit = battle.change(battle.units[scene.actor])
    wild = [
        man for man in unit.figures.values() if man.reaction in (*_RUNS_AT, *_SHOOTS) and "stunned" not in man.marks
    ]
    if not wild or not scene["enemy"]:
        return
    target = battle.change(battle.units[scene["enemy"]])
    foes = sorted(target.figures.values(), key=has_name)
    lanes = [STAGE[1] + 60.0 * number for number in range(len(wild))]
    for number, foe in enumerate(foes):
        behind = HAIR * (number // len(lanes))
        put_men(battle, [foe], (STAGE[0] + behind, lanes[number % len(lanes)]), WEST, side=1)
    mates = [man for man in unit.figures.values() if man not in wild]
    for number, (man, y) in enumerate(zip(wild, lanes, strict=True)):
        at = STAGE[0] - float(scene["inches"] or 0) + HAIR, y
        put_men(battle, [man], at, EAST, side=-1)
        if man.reaction == "berserk" and scene["comrades"] and number < len(mates):
            put_men(battle, [mates[number]], (at[0] - 2.0, y + 1.0), EAST, side=-1)
    if scene["shelter"]:
        row = cover_rows(battle)[next(key for key in cover_rows(battle) if key.startswith("area"))]
        speed = min(allowance(battle, man) for man in wild)
        pieces = []
        for number, man in enumerate(wild):
            far = man.y + 0.5 + speed * (scene["shelter"] - 1)
            corners = [(man.x - 1, far), (man.x + 1, far), (man.x + 1, far + 2), (man.x - 1, far + 2)]
            if man.reaction == "take_cover":
                pieces.append(TerrainPiece.area(f"cover {number}", row, corners))
        battle.field = open_plain(battle, tuple(pieces))
    for measured in (unit, target):
        measured.measure()


def _aim_or_hold(battle: Battle, scene: Scene, question: Any) -> Answer:
    """Aim at the nearest enemy, or hold fire as the owner said."""
    return question.options[0] if scene["shoots"] else HOLD


def _may_be_loose(battle: Battle, scene: Scene) -> bool:
    """Return True if the formation has to be judged (FBN-064, FBN-272)."""
    unit = battle.units[scene.actor]
    return "loose" in unit.marks and "unformed" not in unit.marks and unit.shape != "open"


def _guns_without_crew(battle: Battle, scene: Scene) -> Choices:
    """Return the enemy guns without crew (FBN-122)."""
    found: dict[str, str] = {"": "no"}
    for other in battle.units.values():
        for number, gun in enumerate(other.guns):
            crew = any(is_touching(battle, man, gun, 1.0) for man in other.figures.values())
            if gun.in_play and not crew and other.spec.side != battle.units[scene.actor].spec.side:
                found[f"{other.spec.id} gun {number}"] = f"gun {number + 1} of {other.spec.name}"
    return found


def _is_heroic(battle: Battle, scene: Scene) -> bool:
    """Return True if the activation counts as a heroic deed that may hearten friends near by (FBN-161)."""
    unit = battle.units[scene.actor]
    deed = (
        "deed" in unit.marks or scene.answers.get("taken") or unit.dealt - unit.lost >= battle.book.file.heroic.surplus
    )
    return bool(deed) and battle.book.settings.heroic_deeds


def _near_text(battle: Battle, scene: Scene) -> str:
    """The unit did something heroic and heartens friends near by. Which have a man near its men?"""
    name = battle.units[scene.actor].spec.name
    near = battle.book.near
    return f'{name} did something heroic and heartens friends near by. Which have a man within {near:g}" of its men?'


def _to_hearten(battle: Battle, scene: Scene) -> Choices:
    units = friends_of(battle, scene.actor)
    return {
        friend.spec.id: friend.spec.name
        for friend in units
        if friend.spec.id != scene.actor and "heartened" not in friend.marks
    }


def _lay_out_end(battle: Battle, scene: Scene) -> None:
    unit = battle.change(battle.units[scene.actor])
    if scene["formed"]:
        unit.unmark("loose")
    else:
        for number, man in enumerate(unit.figures.values()):
            battle.put(man, man.x, man.y + 10.0 * number)
    steady = unit.steady
    if scene["taken"] and steady:
        key, _, number = scene["taken"].partition(" gun ")
        gun = battle.units[key].guns[int(number)]
        battle.put(steady[0], gun.x, gun.y - battle.book.radius["gun"] - battle.radius(steady[0]))
    for key in scene["near"]:
        friend = battle.change(battle.units[key])
        put_men(battle, [*friend.figures.values()][:1], next(iter(unit.figures.values())).at, 0.0)
        friend.measure()
    unit.measure()


def _exits(battle: Battle, scene: Scene) -> Choices:
    return {edge: f"the {edge} edge" for edge, _ in unit_exit_edges(battle, battle.units[scene.actor])}


def _lay_out_exit(battle: Battle, scene: Scene) -> None:
    unit, field = battle.change(battle.units[scene.actor]), battle.field
    x, y = unit.middle
    edges = {"north": (x, field.depth), "south": (x, 0.0), "east": (field.width, y), "west": (0.0, y)}
    put_men(battle, [man for man in unit.figures.values() if man.steady][:1], edges[scene["edge"]], 0.0)
    unit.measure()


def _objects(battle: Battle, scene: Scene) -> Choices:
    """Return the objects of the scenario that lie on the table."""
    lying = [
        key
        for key, carried_object in battle.carried_objects.items()
        if not carried_object.carrier and not carried_object.taken_by
    ]
    return {key: scene.game.narrator.name_of(key) for key in lying}


def _may_take_object(battle: Battle, unit: Unit) -> bool:
    lying = any(
        not carried_object.carrier and not carried_object.taken_by for carried_object in battle.carried_objects.values()
    )
    return lying and bool(unit.steady)


def _take_object(table: Table, battle: Battle, scene: Scene) -> None:
    carried_object, unit = battle.carried_objects.change(scene["object"]), battle.units[scene.actor]
    carried_object.x, carried_object.y = next(man.at for man in unit.figures.values() if man.steady)
    take_carried_objects(table, battle)


def _phases(scene: Scene) -> Sequence:
    sequence = scene.game.sequence
    assert isinstance(sequence, Sequence), "the companion has set it"
    return sequence


def _roll_initiative(table: Table, battle: Battle, scene: Scene) -> None:
    _phases(scene).initiative_roll(table, battle)


def _activate(table: Table, battle: Battle, scene: Scene) -> None:
    """Activate a unit, or pass. Men who flee leave their enemies, and men who run at an enemy may touch him."""
    fleeing = (
        [man for man in battle.units[scene.actor].figures.values() if man.reaction == "flee"] if scene.actor else []
    )
    _phases(scene).actions_unit(table, battle)
    if fleeing:
        note_parting(battle, scene.actor, len(fleeing))
    enemy = scene.answers.get("enemy")
    if enemy and (men := contacts_of(battle).get((scene.actor, enemy))):
        note_contact(battle, scene.actor, enemy, max(men, men_touching(battle, scene.actor, enemy)), men)


def _this_unit(battle: Battle, scene: Scene, question: Any) -> Answer:
    return scene.actor if scene.actor in question.options else question.options[0]


def finish_activation(table: Table, battle: Battle, scene: Scene) -> None:
    unit = battle.change(battle.units[scene.actor])
    end_activation(table, battle, unit)
    _phases(scene).after_activation(table, battle, unit)


def _test_glory(table: Table, battle: Battle, scene: Scene) -> None:
    glory_phase(table, battle)
    _phases(scene).move_on(table, battle)


def _end_turn(table: Table, battle: Battle, scene: Scene) -> None:
    _phases(scene).housekeeping_turn(table, battle)


INITIATIVE_ACT = make_act(
    "initiative", "roll for initiative", "FBN-008", _roll_initiative, no_actors, out_of_turn=False, has_odds=False
)


ACTIVATE_ACT = make_act(
    "activate",
    "activate",
    "FBN-013",
    _activate,
    waiting_units,
    Asked(
        "enemy",
        "{actor} has men in panic. Which enemy is nearest to them?",
        choices=_nearest_enemies,
        when=_in_panic(*_RUNS_AT, *_SHOOTS),
        default="",
    ),
    Asked("inches", "How far is he?", default=100.0, kind=Inches, unit="inches", when=_in_panic(*_RUNS_AT, *_SHOOTS)),
    Asked(
        "comrades",
        "Is a man of their own unit nearer to the berserk men than any enemy?",
        default=True,
        kind=bool,
        when=_in_panic("berserk"),
    ),
    Asked(
        "shelter",
        "How far is cover that no enemy holds, for the men who run for it?",
        default=0,
        choices=_shelter_distances,
        when=_in_panic("take_cover"),
    ),
    Asked("shoots", "Do the men who can only shoot fire?", default=True, kind=bool, when=_in_panic(*_SHOOTS)),
    ANSWERING,
    lay_out=_lay_out_panic,
    preset_answers={"activate": _this_unit, "aim at": _aim_or_hold, **ANSWERS},
    out_of_turn=False,
    roll_groups=SHOTS,
)


PASS_ACT = make_act(
    "pass",
    "pass",
    "FBN-014",
    _activate,
    no_actors,
    preset_answers={"activate": lambda battle, scene, question: question.options[-1]},
    out_of_turn=False,
    has_odds=False,
)


OBJECT_ACT = make_act(
    "object",
    "take an object that lies near by",
    "FBN-265",
    _take_object,
    active_if(_may_take_object),
    Asked("object", "Which object?", choices=_objects),
    has_odds=False,
)


LEAVE_ACT = make_act(
    "leave",
    "leave the table, which ends the activation",
    "FBN-265",
    finish_activation,
    active_if(unit_exit_edges),
    Asked("edge", "Over which edge?", choices=_exits),
    lay_out=_lay_out_exit,
    out_of_turn=False,
    has_odds=False,
)


END_ACT = make_act(
    "end",
    "end the activation",
    "FBN-016",
    finish_activation,
    active_if(lambda battle, unit: True),
    Asked("formed", "Do the men of {actor} keep their formation?", default=True, kind=bool, when=_may_be_loose),
    Asked("taken", "Does a man of {actor} touch a gun without crew?", default="", choices=_guns_without_crew),
    Asked("near", _near_text, default=(), choices=_to_hearten, many=True, when=_is_heroic),
    lay_out=_lay_out_end,
    out_of_turn=False,
    has_odds=False,
)


GLORY_ACT = make_act(
    "glory",
    "test glory, and recover from panic",
    "FBN-147",
    _test_glory,
    no_actors,
    out_of_turn=False,
    has_odds=False,
    roll_groups=(thrown_together("glory"), thrown_together("recovery"), thrown_together("panic")),
)


TURN_ACT = make_act("turn", "end the turn", "FBN-017", _end_turn, no_actors, out_of_turn=False, has_odds=False)
