"""Victorian Colonial Combat at a real table: the acts of the rules, and what people have to say about each.

The book of the evening is a battle on an endless plain. Each unit has its own box in the middle row. Units that
share a box on the real table share one here, so that charges, supports and the Army Commander work as in play. Ranges,
cover, flanks and the room for a retreat are laid out for each act as people describe them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, replace
from typing import Any, ClassVar

from zareba.base.errors import ZarebaError
from zareba.base.grammar import amount
from zareba.battle.arrivals import arrives
from zareba.companion import Asked, Choices, Companion, CompanionAct, Opening, Scene, first
from zareba.game import Game
from zareba.space.grid.boxes import BoxGrid, N, S
from zareba.space.lazy import Lazy
from zareba.table import Answer, Choose, Event, Table
from zareba_rulesets.vcc.chapters.army_commander import move_commander
from zareba_rulesets.vcc.chapters.casualties import leader_check, resolve_checks
from zareba_rulesets.vcc.chapters.fire import FireFacts, could_fire, fire_rocket, may_pivot, targets
from zareba_rulesets.vcc.chapters.melee import MeleeFacts, melee
from zareba_rulesets.vcc.chapters.morale import (
    MoraleFacts,
    RallyFacts,
    check_morale,
    checks_after_fire,
    must_rally,
    rally,
)
from zareba_rulesets.vcc.chapters.movement import (
    CHARGE,
    EXIT,
    GO,
    STAY,
    allowance,
    changes_of_footing,
    charge_targets,
    facings,
    formations,
    may_act,
    move_unit,
    turn_unit,
)
from zareba_rulesets.vcc.chapters.setting_up import draw_roles, place_arrival
from zareba_rulesets.vcc.chapters.sight import range_key_of
from zareba_rulesets.vcc.chapters.victory import capture_commanders
from zareba_rulesets.vcc.forces import OFF_TABLE, Battle, Commander, Unit
from zareba_rulesets.vcc.game import VccGame
from zareba_rulesets.vcc.ground import BoxStep, Field
from zareba_rulesets.vcc.presentation.drawing import commander_id
from zareba_rulesets.vcc.presentation.words import commander_line, unit_states
from zareba_rulesets.vcc.sequence import Sequence as Phases
from zareba_rulesets.vcc.sequence import shoot

_Scene = Scene
_APART = 3
"""Columns from box to box in the middle row, so that no unit stands next to another."""
_ALL = "all"
_END, _MELEE, _ROLES = "end of turn", "melee", "roles"


# --- The plain on which the book stands ---------------------------------------------------------------------------------


class RealTable(Field):
    """The field of a battle on a real table: everything is in sight and in reach, and every box is one step away.

    People see and measure; they say what is not possible. `told` returns a copy on which their answers hold.
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        self.sight_lines = Lazy(lambda _: ())
        self.range_bands = Lazy(lambda _: "close")
        self.front_arcs = Lazy(lambda _: True)
        steps = tuple(BoxStep(box, False, True) for box in self.rest_boxes)
        self.open_steps = Lazy(lambda _: steps)

    @property
    def middle(self) -> int:
        """The middle row."""
        return self.grid.rows // 2

    @property
    def rest_boxes(self) -> range:
        """The boxes in the middle row in which units stand."""
        start = self.middle * self.grid.columns
        return range(start + 1, start + self.grid.columns, _APART)

    def told(self, **changes: Any) -> RealTable:
        """Return a copy of the field with other ground or levels."""
        return RealTable(**{one.name: getattr(self, one.name) for one in fields(Field) if one.init} | changes)

    def behind(self, side: str, box: int, boxes: int) -> int | None:
        """Return the box that lies so many boxes behind another one, as a side sees it; None beyond the field."""
        found: int | None = box
        for _ in range(boxes):
            found = self.grid.neighbour(found, self.home_edge[side]) if found is not None else None
        return found


def _real_table(game: VccGame) -> RealTable:
    """Return the plain for the units of a game, with room for every retreat and every drift of a rocket."""
    book, field = game.book, game.plan.field
    drift = book.file.rocket.drift_distance.die
    room = max(book.farthest_retreat, 2 * drift + 1) + 1
    boxes = 2 * len(game.plan.specs) + len(game.plan.commanders) + len(game.plan.prizes) + 2
    grid = BoxGrid(max(_APART * boxes, 2 * drift + 1), 2 * room + 1)
    british, native = field.by_role
    return RealTable(
        book,
        grid,
        (book.file.terrain["open"],) * grid.size,
        (0,) * grid.size,
        frozenset(),
        {},
        frozenset(),
        field.by_role,
        {british: S, native: N},
        field.starting_bases,
        field.units_of,
        field.roles_are_rolled,
        field.names,
    )


def _table(battle: Battle) -> RealTable:
    assert isinstance(battle.field, RealTable), "the companion's battles stand on the plain"
    return battle.field


def _free_box(battle: Battle) -> int:
    """Return a box of the middle row in which nothing stands."""
    taken = {commander.box for commander in battle.commanders.values()}
    taken |= {prize.box for prize in battle.prizes.values()} | {unit.gun_box for unit in battle.units.values()}
    return next(box for box in _table(battle).rest_boxes if box not in battle.here and box not in taken)


# --- Who may do what ------------------------------------------------------------------------------------------------------


def _on_table(battle: Battle) -> Iterator[Unit]:
    return (unit for unit in battle.units.values() if unit.on_table)


def _firers(battle: Battle) -> list[str]:
    return [
        u.id for u in _on_table(battle) if u.spec.weapon != "rocket" and could_fire(battle, u) and targets(battle, u)
    ]


def _rockets(battle: Battle) -> list[str]:
    return [unit.id for unit in _on_table(battle) if unit.spec.weapon == "rocket" and could_fire(battle, unit)]


def _targets(battle: Battle, firer: str) -> list[str]:
    return [unit.id for unit in targets(battle, battle.unit(firer))]


def _movers(battle: Battle) -> list[str]:
    return [unit.id for unit in _on_table(battle) if may_act(battle, unit) and allowance(battle, unit)]


def _chargers(battle: Battle) -> list[str]:
    return [unit.id for unit in _on_table(battle) if may_act(battle, unit) and charge_targets(battle, unit)]


def _enemies_to_charge(battle: Battle, charger: str) -> list[str]:
    return [unit.id for unit in charge_targets(battle, battle.unit(charger))]


def _changes(battle: Battle, unit: Unit) -> list[str]:
    """Return the changes of formation, posture and footing that a unit may make."""
    if "lying" in unit.marks:
        return ["get up"]
    if battle.is_in_contact(unit):
        return []
    return [str(change) for change in (*formations(battle, unit), *changes_of_footing(battle, unit))]


def _changers(battle: Battle) -> list[str]:
    return [unit.id for unit in _on_table(battle) if may_act(battle, unit) and _changes(battle, unit)]


def _turners(battle: Battle) -> list[str]:
    """Return the units for which a turn matters: crewed weapons, and by setting all (VCC-043, VCC-046, VCC-047)."""
    every = battle.book.settings.pivot_counts_as_move == "all"
    able = [unit for unit in _on_table(battle) if may_act(battle, unit) and len(facings(unit)) > 1]
    return [unit.id for unit in able if unit.crewed or every]


def _leavers(battle: Battle) -> list[str]:
    return [unit.id for unit in _on_table(battle) if may_act(battle, unit) and battle.exits.get(unit.side)]


def _joiners(battle: Battle) -> list[str]:
    return [unit.id for unit in _on_table(battle) if _friends_apart(battle, unit.id)]


def _friends_apart(battle: Battle, unit_id: str) -> list[str]:
    """Return the friendly units whose box a unit does not share yet."""
    unit = battle.unit(unit_id)
    return [friend.id for friend in battle.side_units(unit.side) if friend.box != unit.box]


def _commanded(battle: Battle) -> list[str]:
    """Return the units in whose box the Army Commander of their side could be: he enters no box with enemies (VCC-056)."""
    boxes = {side: commander.box for side, commander in battle.commanders.items() if commander.box != OFF_TABLE}
    return [
        unit.id
        for unit in _on_table(battle)
        if unit.side in boxes and (boxes[unit.side] == unit.box or not battle.has_enemy_in(unit.box, unit.side))
    ]


def _with_commander(battle: Battle) -> list[str]:
    """Return the units in whose box the Army Commander of their side stands."""
    boxes = {(side, commander.box) for side, commander in battle.commanders.items()}
    return [unit.id for unit in _on_table(battle) if (unit.side, unit.box) in boxes]


def _captors(battle: Battle) -> list[str]:
    """Return the units that could catch the enemy Army Commander without a friendly unit (VCC-171)."""
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
        for unit in _on_table(battle)
        if battle.field.enemy(unit.side) in alone and not battle.is_in_contact(unit) and classes[unit.troop].allowance
    ]


def _takers(battle: Battle) -> list[str]:
    """Return the units that could take an object that lies on the table (VCC-166)."""
    lying = any(not prize.carrier and not prize.taken_by for prize in battle.prizes.values())
    return [unit.id for unit in _on_table(battle) if lying and unit.is_line and "broken" not in unit.marks]


def _to_rally(battle: Battle) -> list[str]:
    return [unit.id for unit in _on_table(battle) if must_rally(battle, unit)]


def _everyone(battle: Battle) -> list[str]:
    return [unit.id for unit in _on_table(battle)]


def _arriving(battle: Battle) -> list[str]:
    return [unit for unit, turn in battle.arrivals.items() if turn <= battle.turn]


def _no_units(battle: Battle) -> list[str]:
    return []


# --- Questions for people -------------------------------------------------------------------------------------------------


def _bands(battle: Battle, scene: _Scene) -> Choices:
    """Return the range bands of the firer's weapon, each with its reach in boxes."""
    range_key = range_key_of(battle, battle.unit(scene.actor))
    limits = battle.book.bands[range_key] if isinstance(range_key, str) else range_key
    return {band: f"{band} (up to {amount(limit, 'box', 'boxes')})" for band, limit in limits}


def _band_at(battle: Battle, scene: _Scene, boxes: float) -> str:
    """Return the range band at so many boxes (VCC-081). Raises ZarebaError beyond the reach of the weapon."""
    unit = battle.unit(scene.actor)
    range_key = range_key_of(battle, unit)
    limits = battle.book.bands[range_key] if isinstance(range_key, str) else range_key
    found = next((band for band, limit in limits if boxes <= limit), None)
    if found is None:
        raise ZarebaError(f"{unit.spec.name} reaches {amount(limits[-1][1], 'box', 'boxes')}, not {boxes:g} (VCC-081)")
    return str(found)


def _is_apart(battle: Battle, scene: _Scene) -> bool:
    """Return True unless the two units share a box, where range and cover are known (VCC-068, VCC-081)."""
    return battle.unit(scene.actor).box != battle.unit(scene.target).box


def _may_pivot(battle: Battle, scene: _Scene) -> bool:
    return may_pivot(battle, battle.unit(scene.actor)) and _is_apart(battle, scene)


def _flank_fire_counts(battle: Battle, scene: _Scene) -> bool:
    target = battle.unit(scene.target)
    has_flank = target.spec.troop != "wagon" and "square" not in target.marks
    return battle.book.settings.flanked_by == "melee_and_fire" and has_flank and _is_apart(battle, scene)


def _has_flank(battle: Battle, scene: _Scene) -> bool:
    """Return True if the target of a charge has a flank (VCC-059, VCC-060)."""
    target = battle.unit(scene.target)
    return target.spec.troop != "wagon" and "square" not in target.marks and _is_apart(battle, scene)


def _commander_is_there(battle: Battle, scene: _Scene) -> bool:
    """Return True if the Army Commander is in the box of a unit that charges."""
    unit = battle.unit(scene.actor)
    return unit.side in battle.commanders and battle.commanders[unit.side].box == unit.box


def _commander_question(battle: Battle, scene: _Scene) -> str:
    commander = battle.commanders[battle.unit(scene.actor).side]
    return f"{commander.name} does not charge with {{actor}} (VCC-171). Which unit does he join, up to 2 boxes away?"


def _units_to_join(battle: Battle, scene: _Scene) -> Choices:
    """Return the units that the Army Commander could join instead: none with enemies in its box (VCC-056)."""
    side = battle.unit(scene.actor).side
    free = [
        unit
        for unit in battle.side_units(side)
        if unit.spec.id != scene.actor and not battle.has_enemy_in(unit.box, side)
    ]
    return {"": "none: he stays behind", **{unit.spec.id: unit.spec.name for unit in free}}


def _changes_of_actor(battle: Battle, scene: _Scene) -> Choices:
    return {change: change for change in _changes(battle, battle.unit(scene.actor))}


def _abandoned_guns(battle: Battle, scene: _Scene) -> Choices:
    guns = {unit.id: f"the gun of {unit.spec.name}" for unit in battle.units.values() if unit.gun_box != OFF_TABLE}
    return {"": "no", **guns}


def _guns_are_abandoned(battle: Battle, scene: _Scene) -> bool:
    return any(unit.gun_box != OFF_TABLE for unit in battle.units.values())


def _everyone_there(battle: Battle, scene: _Scene) -> Choices:
    return {unit.id: unit.spec.name for unit in _on_table(battle)}


def _has_landed(battle: Battle, scene: _Scene, events: Sequence[Event]) -> bool:
    return any(event.kind == "rocket" and event.data["landing"] is not None for event in events)


def _supports(battle: Battle, scene: _Scene) -> Choices:
    """Return the units that could stand with a friend in melee, each with that friend (VCC-132)."""
    able = [
        unit.id for unit in _on_table(battle) if not unit.marks & {"prone", "broken"} and not battle.is_in_contact(unit)
    ]
    pairs = [(one, friend) for one in able for friend in _friends_apart(battle, one)]
    return {
        (one, friend): f"{battle.unit(one).spec.name} with {battle.unit(friend).spec.name}"
        for one, friend in pairs
        if battle.is_in_contact(battle.unit(friend))
    }


def _boxes_to_go(battle: Battle, events: Sequence[Event]) -> int:
    """Return how many boxes a retreat takes by the failed check (VCC-153, VCC-154)."""
    failed = [event.data["result"] for event in events if event.kind == "morale failed"]
    return next((line.retreat for name, line in battle.book.failures if failed and name == failed[-1]), 0)


def _falls_back(battle: Battle, scene: _Scene, events: Sequence[Event]) -> bool:
    return _boxes_to_go(battle, events) > 0


def _retreat_question(battle: Battle, scene: _Scene) -> str:
    boxes = amount(_boxes_to_go(battle, scene.events), "box", "boxes")
    return f"{{actor}} must fall back {boxes}, straight towards its own table edge or diagonally: how far can it go?"


def _rooms(battle: Battle, scene: _Scene) -> Choices:
    """Return the ways in which a retreat can end (VCC-156)."""
    boxes_to_go = _boxes_to_go(battle, scene.events)
    found = {_ALL: f"all the way: {amount(boxes_to_go, 'box', 'boxes')}"}
    for boxes in range(boxes_to_go):
        stops = "it stops there" if boxes else "it stays where it is"
        found[f"barred {boxes}"] = f"{_first(boxes)}barred by enemies, friends or ground: {stops}"
        found[f"edge {boxes}"] = f"{_first(boxes)}off its own table edge: it routs"
    return found


def _first(boxes: int) -> str:
    return f"{amount(boxes, 'box', 'boxes')}, then " if boxes else ""


def _objects(battle: Battle, scene: _Scene) -> Choices:
    """Return the objects that lie on the table."""
    lying = [name for name, prize in battle.prizes.items() if not prize.carrier and not prize.taken_by]
    return {name: scene.game.narrator.name_of(name) for name in lying}


def _edges(battle: Battle, scene: _Scene) -> Choices:
    exits = battle.exits.get(battle.unit(scene.actor).side, ())
    return {edge: f"the {edge} edge" for edge, _, _ in exits}


# --- Layouts: the answers become true on a copy of the battle -----------------------------------------------------------


def _lay_out_shot(battle: Battle, scene: _Scene) -> None:
    """Set range, cover and facings of a shot as people see them."""
    firer, target = battle.unit(scene.actor), battle.unit(scene.target)
    field = _table(battle).told()
    if _is_apart(battle, scene):
        band, cover = scene["band"], scene["cover"]
        field.range_bands = Lazy(lambda _: band)
        field.cover = Lazy(lambda _: cover)

    def in_arc(key: tuple[int, int, int]) -> bool:
        facing, box, _ = key
        if box == firer.box and scene["pivots"]:
            return facing != firer.facing
        return not (box == target.box and scene["flank"])

    field.front_arcs = Lazy(in_arc)
    battle.field = field


def _lay_out_charge(battle: Battle, scene: _Scene) -> None:
    """Set flank, height and cover of a charge as people see them (VCC-059, VCC-070, VCC-071)."""
    target = battle.unit(scene.target)
    cover, flank = scene["cover"], scene["flank"]
    level = tuple(int(scene["uphill"] and box == target.box) for box in range(battle.field.grid.size))
    field = _table(battle).told(level=level)
    field.cover = Lazy(lambda _: cover)
    field.front_arcs = Lazy(lambda key: not (flank and key[1] == target.box))
    battle.field = field


def _retreat_start(battle: Battle, scene: _Scene) -> int:
    """Return the box in which a unit with this much room behind it stands for its check."""
    unit, field = battle.unit(scene.actor), _table(battle)
    how, _, boxes = str(scene["room"]).partition(" ")
    if how != "edge":
        return unit.box
    rows = field.middle - int(boxes)
    start = field.behind(unit.side, unit.box, rows)
    assert start is not None, "the plain is deep enough for the longest retreat"
    return start


def _lay_out_retreat(battle: Battle, scene: _Scene) -> None:
    """Bar the way behind a unit, or put it near its own edge, with everyone in its box (VCC-156)."""
    unit, field = battle.unit(scene.actor), _table(battle)
    start, rest = _retreat_start(battle, scene), unit.box
    how, _, boxes = str(scene["room"]).partition(" ")
    if how == "barred":
        barred = field.behind(unit.side, rest, int(boxes) + 1)
        closed, open_ground = battle.book.file.terrain["closed"], battle.book.file.terrain["open"]
        row = -1 if barred is None else barred // field.grid.columns
        ground = tuple(closed if box // field.grid.columns == row else open_ground for box in range(field.grid.size))
        battle.field = field.told(ground=ground)
    if start != rest:
        for other in battle.units_in(rest):
            battle.move(other, start)
        for commander in battle.commanders.values():
            if commander.box == rest:
                commander.box = start


def _lay_out_move(battle: Battle, scene: _Scene) -> None:
    """Leave one step open: into the box of an abandoned gun, or into a new box."""
    unit = battle.unit(scene.actor)
    start, gun = unit.box, scene["gun"]
    steps = (BoxStep(battle.unit(gun).gun_box if gun else _free_box(battle), False, True),)
    field = _table(battle).told()
    field.open_steps = Lazy(lambda key: steps if key[1] == start else ())
    battle.field = field


def _lay_out_exit(battle: Battle, scene: _Scene) -> None:
    """Put a unit at the table edge over which it leaves (VCC-057)."""
    field, unit = _table(battle), battle.unit(scene.actor)
    corner = {"south": 0, "west": 0, "north": field.grid.size - 1, "east": field.grid.size - 1}[scene["edge"]]
    battle.move(unit, corner)


def _lay_out_melee(battle: Battle, scene: _Scene) -> None:
    """Put units into the boxes in which people see them next to a friend in melee."""
    for one, friend in scene["together"]:
        battle.move(battle.unit(one), battle.unit(friend).box)


# --- Acts: the functions of play ----------------------------------------------------------------------------------------


def _done(battle: Battle, name: str) -> None:
    battle.waiting = [waiting for waiting in battle.waiting if waiting != name]


def _fire(table: Table, battle: Battle, scene: _Scene) -> None:
    _done(battle, scene.actor)
    shoot(table, battle, battle.unit(scene.actor))


def _check_leader_of_target(table: Table, battle: Battle, scene: _Scene) -> None:
    battle.checks = [check for check in battle.checks if check.unit == scene.target]
    resolve_checks(table, battle, "fire")


def _check_morale_of_target(table: Table, battle: Battle, scene: _Scene) -> None:
    target = battle.unit(scene.target)
    if checks_after_fire(battle, target):
        check_morale(table, battle, target)


def _fire_rocket(table: Table, battle: Battle, scene: _Scene) -> None:
    """Fire a rocket well away from all units; people say which ones stand where it lands (VCC-098 to VCC-102)."""
    _done(battle, scene.actor)
    unit, field = battle.unit(scene.actor), _table(battle)
    drift = battle.book.file.rocket.drift_distance.die
    aim = (field.middle + drift + 2) * field.grid.columns + field.grid.columns // 2
    battle.move(unit, aim - (drift + 1) * field.grid.columns)
    fire_rocket(table, battle, unit, aim)
    for struck in scene["struck"]:
        battle.unit(struck).mark("rocketed")


def _next_leader_check(table: Table, battle: Battle, scene: _Scene) -> None:
    check, *battle.checks = battle.checks
    leader_check(table, battle, battle.unit(check.unit), check.band, "fire")
    capture_commanders(table, battle)


def _morale(table: Table, battle: Battle, scene: _Scene) -> None:
    _done(battle, scene.actor)
    check_morale(table, battle, battle.unit(scene.actor))
    capture_commanders(table, battle)


def _rally(table: Table, battle: Battle, scene: _Scene) -> None:
    _done(battle, scene.actor)
    rally(table, battle, battle.unit(scene.actor))


def _move(table: Table, battle: Battle, scene: _Scene) -> None:
    _done(battle, scene.actor)
    move_unit(table, battle, battle.unit(scene.actor))
    capture_commanders(table, battle)


def _charge(table: Table, battle: Battle, scene: _Scene) -> None:
    """Charge. The Army Commander stays behind (VCC-171), and may join another unit (VCC-056)."""
    unit = battle.unit(scene.actor)
    commander = battle.commanders[unit.side] if _commander_is_there(battle, scene) else None
    _move(table, battle, scene)
    if commander is None or commander.box == OFF_TABLE:
        return
    if scene["commander"]:
        move_commander(table, battle, unit.side)
    else:
        table.emit("commander stays", "VCC-171", side=unit.side, name=commander.name, unit=scene.actor)


def _turn(table: Table, battle: Battle, scene: _Scene) -> None:
    _done(battle, scene.actor)
    turn_unit(table, battle, battle.unit(scene.actor))


def _join(table: Table, battle: Battle, scene: _Scene) -> None:
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


def _capture_commander(table: Table, battle: Battle, scene: _Scene) -> None:
    unit = battle.unit(scene.actor)
    battle.move(unit, battle.commanders[battle.field.enemy(unit.side)].box)
    capture_commanders(table, battle)


def _send_commander_away(table: Table, battle: Battle, scene: _Scene) -> None:
    move_commander(table, battle, battle.unit(scene.actor).side)


def _move_commander(table: Table, battle: Battle, scene: _Scene) -> None:
    """Move the Army Commander to a unit. If enemies are in its box, he has been there before they came (VCC-056)."""
    unit = battle.unit(scene.actor)
    if battle.has_enemy_in(unit.box, unit.side):
        commander = battle.commanders[unit.side]
        commander.box, commander.unit = unit.box, unit.id if scene["attached"] else ""
    else:
        move_commander(table, battle, unit.side)


def _arrive(table: Table, battle: Battle, scene: _Scene) -> None:
    _done(battle, scene.actor)
    if arrives(table, scene.game.scenario.units[scene.actor].arrival, scene.actor, "VCC-169"):
        place_arrival(table, battle, battle.unit(scene.actor), [_free_box(battle)])


def _fight(table: Table, battle: Battle, scene: _Scene) -> None:
    _done(battle, _MELEE)
    melee(table, battle)
    capture_commanders(table, battle)


def _reach_object(table: Table, battle: Battle, scene: _Scene) -> None:
    """Note that an object lies in the box of a unit, which takes it at the end of the turn if no enemy is there."""
    battle.prizes[scene["object"]].box = battle.unit(scene.actor).box


def _end_turn(table: Table, battle: Battle, scene: _Scene) -> None:
    _done(battle, _END)
    scene.game.sequence.end_turn(table, battle)
    capture_commanders(table, battle)


def _draw_roles(table: Table, battle: Battle, scene: _Scene) -> None:
    draw_roles(table, battle)


# --- Answers to questions that people have answered already ---------------------------------------------------------------


_Settle = Callable[[Battle, _Scene, Any], Answer]


def _take(wanted: Callable[[_Scene], Answer]) -> _Settle:
    """Return a function that takes an option if the rules offer it, and otherwise the first one: to stay."""

    def answer(battle: Battle, scene: _Scene, question: Choose) -> Answer:
        option = wanted(scene)
        return option if option in question.options else question.options[0]

    return answer


def _go(battle: Battle, scene: _Scene, question: Choose) -> Answer:
    """Take the only step that the layout has left open; then stay there."""
    return next((one for one in question.options if isinstance(one, tuple) and one[0] == GO), STAY)


def _keep_facing(battle: Battle, scene: _Scene, question: Choose) -> Answer:
    return battle.unit(scene.actor).facing


def _turn_away(battle: Battle, scene: _Scene, question: Choose) -> Answer:
    return next(facing for facing in question.options if facing != battle.unit(scene.actor).facing)


def _to_unit(battle: Battle, scene: _Scene, question: Choose) -> Answer:
    box = battle.unit(scene.actor).box
    return box if box in question.options else question.options[0]


def _to_joined_unit(battle: Battle, scene: _Scene, question: Choose) -> Answer:
    box = battle.unit(scene["commander"]).box
    return box if box in question.options else question.options[0]


def _attach_to_joined_unit(battle: Battle, scene: _Scene, question: Choose) -> Answer:
    return scene["commander"] if scene["commander"] in question.options else question.options[-1]


def _to_free_box(battle: Battle, scene: _Scene, question: Choose) -> Answer:
    return _free_box(battle)


def _attach(battle: Battle, scene: _Scene, question: Choose) -> Answer:
    return scene.actor if scene["attached"] and scene.actor in question.options else question.options[-1]


# --- The companion --------------------------------------------------------------------------------------------------------


_COVER: Asked[Battle] = Asked("cover", "Cover of {target}?", default="none", when=_is_apart)
_ROOM: Asked[Battle] = Asked(
    "room",
    _retreat_question,
    default=_ALL,
    choices=_rooms,
    after=_falls_back,
)

ACTS: tuple[CompanionAct[Battle], ...] = (
    CompanionAct(
        name="roles",
        title="roll for the British side",
        rule="VCC-016",
        run=_draw_roles,
        actors=_no_units,
        out_of_turn=False,
    ),
    CompanionAct(
        name="fire",
        title="fire",
        rule="VCC-074",
        run=_fire,
        actors=_firers,
        targets=_targets,
        facts=FireFacts,
        asks=(
            Asked(
                "band",
                "How many boxes from {actor} to {target}?",
                choices=_bands,
                when=_is_apart,
                unit="boxes",
                measured=_band_at,
            ),
            _COVER,
            Asked("pivots", "Must {actor} turn to face the target first?", default=False, kind=bool, when=_may_pivot),
            Asked(
                "flank",
                "Does the shot come from the flank of {target}?",
                default=False,
                kind=bool,
                when=_flank_fire_counts,
            ),
        ),
        lay_out=_lay_out_shot,
        preset_answers={"fire at": _take(lambda scene: scene.target), "pivot to": first},
        choice="fire at",
        consequences=(_check_leader_of_target, _check_morale_of_target),
    ),
    CompanionAct(
        name="rocket",
        title="fire a rocket",
        rule="VCC-098",
        run=_fire_rocket,
        actors=_rockets,
        asks=(
            Asked(
                "struck",
                "Which units are in the box where the rocket lands?",
                default=(),
                choices=_everyone_there,
                many=True,
                after=_has_landed,
            ),
        ),
    ),
    CompanionAct(
        name="leader",
        title="check its leader",
        rule="VCC-110",
        run=_next_leader_check,
        actors=lambda battle: [check.unit for check in battle.checks[:1]],
        out_of_turn=False,
    ),
    CompanionAct(
        name="morale",
        title="check morale",
        rule="VCC-137",
        run=_morale,
        actors=_everyone,
        facts=MoraleFacts,
        asks=(_ROOM,),
        lay_out=_lay_out_retreat,
    ),
    CompanionAct(name="rally", title="rally", rule="VCC-160", run=_rally, actors=_to_rally, facts=RallyFacts),
    CompanionAct(
        name="arrive", title="arrive", rule="VCC-169", run=_arrive, actors=_arriving, preset_answers={"face": first}
    ),
    CompanionAct(
        name="move",
        title="move",
        rule="VCC-039",
        run=_move,
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
        preset_answers={"move": _go, "face": _keep_facing},
        choice="move",
    ),
    CompanionAct(
        name="charge",
        title="charge",
        rule="VCC-050",
        run=_charge,
        actors=_chargers,
        targets=_enemies_to_charge,
        asks=(
            Asked("flank", "Does the charge hit the flank of {target}?", default=False, kind=bool, when=_has_flank),
            Asked("uphill", "Is the charge uphill?", default=False, kind=bool, when=_is_apart),
            _COVER,
            Asked("commander", _commander_question, default="", choices=_units_to_join, when=_commander_is_there),
        ),
        facts=MeleeFacts,
        lay_out=_lay_out_charge,
        preset_answers={
            "move": _take(lambda scene: (CHARGE, scene.target)),
            "commander to": _to_joined_unit,
            "attach commander to": _attach_to_joined_unit,
        },
    ),
    CompanionAct(
        name="change",
        title="change formation or posture, mount or dismount",
        rule="VCC-061",
        run=_move,
        actors=_changers,
        asks=(Asked("change", "{actor}: which change?", choices=_changes_of_actor),),
        preset_answers={"move": _take(lambda scene: scene["change"]), "face": _keep_facing},
    ),
    CompanionAct(
        name="turn",
        title="turn to another facing",
        rule="VCC-044",
        run=_turn,
        actors=_turners,
        preset_answers={"face": _turn_away},
    ),
    CompanionAct(
        name="leave",
        title="leave the table",
        rule="VCC-057",
        run=_move,
        actors=_leavers,
        asks=(Asked("edge", "Over which edge?", choices=_edges),),
        lay_out=_lay_out_exit,
        preset_answers={"move": _take(lambda scene: EXIT)},
    ),
    CompanionAct(
        name="object",
        title="reach an object",
        rule="VCC-166",
        run=_reach_object,
        actors=_takers,
        asks=(Asked("object", "Which object lies in the box of {actor}?", choices=_objects),),
    ),
    CompanionAct(
        name="commander",
        title="be joined by its Army Commander",
        rule="VCC-056",
        run=_move_commander,
        actors=_commanded,
        asks=(Asked("attached", "Is he attached to {actor}?", default=False, kind=bool),),
        preset_answers={"commander to": _to_unit, "attach commander to": _attach},
    ),
    CompanionAct(
        name="commander_leaves",
        title="be left by its Army Commander, who goes elsewhere",
        rule="VCC-056",
        run=_send_commander_away,
        actors=_with_commander,
        preset_answers={"commander to": _to_free_box},
    ),
    CompanionAct(
        name="capture",
        title="capture the enemy's Army Commander, who is alone",
        rule="VCC-171",
        run=_capture_commander,
        actors=_captors,
    ),
    CompanionAct(
        name="join",
        title="stand in the box of a friend",
        rule="VCC-007",
        run=_join,
        actors=_joiners,
        targets=_friends_apart,
    ),
    CompanionAct(
        name="melee",
        title="fight all melees",
        rule="VCC-118",
        run=_fight,
        actors=_no_units,
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
    ),
    CompanionAct(name="end", title="end the turn", rule="VCC-166", run=_end_turn, actors=_no_units, out_of_turn=False),
)


_MOVES = ("move", "charge", "change", "turn", "leave", "join", "commander", "commander_leaves", "capture", "object")
_ANY_TIME = ("join", "commander", "commander_leaves", "capture", "object")
"""Acts that a unit can do in the movement steps of its side whether it has moved or not."""
"""The acts of the movement steps, in the order in which they are offered."""
_WAYS = (
    "straight on", "forward to the right", "to the right", "back to the right", "straight back", "back to the left",
    "to the left", "forward to the left",
)  # fmt: skip
"""The eight directions as seen along the flight of a rocket."""


class VccCompanion(Companion[Battle]):
    """An evening of Victorian Colonial Combat at a real table."""

    game: VccGame
    acts: ClassVar[Sequence[CompanionAct[Any]]] = ACTS
    places: ClassVar[frozenset[str]] = frozenset({"in"})

    def __init__(self, game: Game[Battle]) -> None:
        assert isinstance(game, VccGame)
        super().__init__(game)
        field = _real_table(game)
        boxes = iter(field.rest_boxes)
        plan = game.plan
        placed = {unit: next(boxes) for unit in plan.placed}
        commanders = {
            side: (name, placed[unit] if unit in placed else next(boxes), unit)
            for side, (name, _, unit) in plan.commanders.items()
        }
        prizes = {
            name: (placed[carrier] if carrier else next(boxes), carrier) for name, (_, carrier) in plan.prizes.items()
        }
        game.plan = replace(plan, field=field, placed=placed, zones={}, commanders=commanders, places={}, prizes=prizes)
        game.sequence = self._phases = Phases(game.policy, game.scenario, game.plan)

    def start(self) -> Battle:
        """Return the battle with all units set up. People deploy the figures as they like (VCC-025)."""
        battle = self.game.start()
        if not battle.field.roles_are_rolled:
            self.advance(battle)
        return battle

    def advance(self, state: Battle) -> None:
        self._phases.advance(state)
        stage = self.game.policy.stage(state)
        if stage == "move.rally":
            side = self.acting_side(state)
            state.waiting = [unit.id for unit in state.side_units(side) if must_rally(state, unit)]
        elif stage == "move.reinforce":
            side = self.acting_side(state)
            state.waiting = [unit for unit in _arriving(state) if state.unit(unit).side == side]
        elif stage in ("move.commander", "melee.fight", "end.turn"):
            state.waiting = {"melee.fight": [_MELEE], "end.turn": [_END]}.get(stage, [])

    def openings(self, state: Battle) -> Sequence[Opening]:
        if state.phase == "deployment":
            return () if state.drawn else (Opening("roles", (), due=True),)
        stage, waiting = self.game.policy.stage(state), [name for name in state.waiting if name not in state.gone]
        if stage == "fire.leaders":
            return [Opening("leader", (state.checks[0].unit,), due=True)] if state.checks else []
        if stage in ("move.rally", "move.reinforce", "fire.morale", "melee.morale"):
            act = {"move.rally": "rally", "move.reinforce": "arrive"}.get(stage, "morale")
            first_side = [name for name in waiting if state.unit(name).side == state.unit(waiting[0]).side]
            return [Opening(act, tuple(first_side), due=True)] if waiting else []
        if stage in ("melee.fight", "end.turn"):
            act = "melee" if stage == "melee.fight" else "end"
            return [Opening(act, (), due=True)] if waiting else []
        offered = {"fire.shots": ("fire", "rocket"), "move.units": _MOVES}.get(stage, ())
        openings = [Opening(act, self._able(state, act, waiting)) for act in offered]
        return [opening for opening in openings if opening.actors]

    def _able(self, state: Battle, act: str, waiting: Sequence[str]) -> tuple[str, ...]:
        """Return the waiting units that can do an act; for some acts, all units of the side."""
        able = self.act_named[act].actors(state)
        if act in _ANY_TIME:
            return tuple(unit for unit in able if state.unit(unit).side == self.acting_side(state))
        return tuple(unit for unit in able if unit in waiting)

    def tidy(self, before: Battle, after: Battle, events: Sequence[Event]) -> None:
        """Bring every unit back into the middle row: into its own box, or a new one if it has fallen back."""
        retreated = {event.data["unit"] for event in events if event.kind == "retreat"}
        after.field, middle = before.field, _table(before).rest_boxes
        moved = [unit for unit in after.units.values() if unit.on_table and unit.box not in middle]
        for unit in sorted(moved, key=lambda unit: unit.id in retreated):
            old = before.unit(unit.id).box
            after.move(unit, _free_box(after) if unit.id in retreated else old)
            if unit.gun_box != OFF_TABLE and unit.gun_box not in middle:
                unit.gun_box = old
        for side, commander in after.commanders.items():
            if commander.box != OFF_TABLE and commander.box not in middle:
                commander.box = after.unit(commander.unit).box if commander.unit else before.commanders[side].box

    def acting_side(self, state: Battle) -> str:
        return self._phases.side(state) if self.game.policy.phases[state.phase].side else ""

    def headline(self, state: Battle) -> str:
        side = self.acting_side(state)
        return self.game.display.headline(state, *[self.game.narrator.name_of(side)] * bool(side))

    def units(self, state: Battle, side: str) -> Sequence[str]:
        units = [unit for unit, spec in self.game.plan.specs.items() if spec.side == side]
        return [*units, commander_id(side)] if side in state.commanders else units

    def unit_line(self, state: Battle, unit: str) -> str:
        if unit not in state.units:
            commander = self._commander(state, unit)
            return (
                "off the table" if commander.box == OFF_TABLE else commander_line(state, commander).partition(", ")[2]
            )
        one = state.unit(unit)
        if not one.on_table:
            return state.gone.get(unit) or "still to arrive"
        return unit_states(state, one)

    def strength_boxes(self, state: Battle, unit: str) -> tuple[int, int]:
        if unit not in state.units:
            return int(self._commander(state, unit).box != OFF_TABLE), 1
        one = state.unit(unit)
        return (one.strength if unit not in state.gone else 0), one.spec.bases + one.spec.leader

    def record_id(self, unit: str) -> str:
        sides = {commander_id(side): side for side in self.game.seats}
        return sides.get(unit, unit)

    def bring_back(self, state: Battle, unit: str) -> None:
        box = _free_box(state)
        if unit not in state.units:
            commander = self._commander(state, unit)
            commander.box, commander.unit, commander.wounds = box, "", 0
            return
        one = state.unit(unit)
        state.gone.pop(unit, None)
        state.arrivals.pop(unit, None)
        if not one.strength:
            one.bases = 1
        state.move(one, box)

    def _commander(self, state: Battle, unit: str) -> Commander:
        return next(one for side, one in state.commanders.items() if commander_id(side) == unit)

    def describe_event(self, event: Event) -> str:
        if event.kind == "rocket":
            return self._rocket_sentence(event)
        return super().describe_event(event)

    def _rocket_sentence(self, event: Event) -> str:
        """Return where a rocket lands, seen along its line of flight (VCC-099)."""
        name, grid = self.game.narrator.name_of(event.data["unit"]), self.game.plan.field.grid
        aim, landing = event.data["box"], event.data["landing"]
        if landing is None:
            return f"{name} fired a rocket: it missed completely"
        if landing == aim:
            return f"{name} fired a rocket: it landed in its box"
        way = _WAYS[grid.direction(aim, landing)]
        boxes = amount(int(grid.distance(aim, landing)), "box", "boxes")
        return f"{name} fired a rocket: from its box it drifted {boxes} {way}"
