"""Moves at a real table, and who stands together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from zareba.base.errors import ZarebaError
from zareba.base.grammar import amount
from zareba.battle.carried_objects import exit_edges
from zareba.companion import Asked, Choices, CompanionAct, Scene
from zareba.table import Answer, Choose, Table
from zareba_rulesets.afriboria.chapters.movement import (
    DISMOUNT,
    LEAVE,
    allowance,
    move_commander,
    steps_to,
    unit_options,
)
from zareba_rulesets.afriboria.companion.common import (
    ALONG,
    has_free_commander,
    in_one_hex,
    may_move,
    move_by_order,
    named,
    own_units,
    same_second,
    take,
    titles,
)
from zareba_rulesets.afriboria.companion.real_table import (
    free_site,
    is_in_zone,
    piece_named,
    put,
    put_stack,
    stack,
    table_of,
)
from zareba_rulesets.afriboria.forces.battle import Battle
from zareba_rulesets.afriboria.forces.companies import company_pace, is_outside_zone
from zareba_rulesets.afriboria.forces.pieces import OFF, Commander, ScenarioObject, Unit
from zareba_rulesets.afriboria.sequence import may_mount, mount

_ROOM_TO_COME_BACK = 4
"""Hexes between a unit that cannot reach its officer's zone in this turn and that zone, more or less."""


def _movers(battle: Battle) -> list[str]:
    return [unit.spec.id for unit in own_units(battle) if may_move(unit) and allowance(battle, unit) > 0]


def _riders(battle: Battle) -> list[str]:
    return [
        unit.spec.id
        for unit in own_units(battle)
        if may_move(unit) and unit.mounted and unit.spec.foot is not None and "passive" not in unit.marks
    ]


def _ordered_commanders(battle: Battle) -> list[str]:
    return [chief.spec.id for chief in battle.side_commanders(battle.active) if may_move(chief)]


def _leavers(battle: Battle) -> list[str]:
    """Return the units that the scenario lets leave the table over an edge (AFR-090)."""
    plan_exits = table_of(battle).exits
    return [
        unit.spec.id
        for unit in own_units(battle)
        if may_move(unit) and allowance(battle, unit) and _edges_of(battle, unit, plan_exits)
    ]


def _edges_of(battle: Battle, unit: Unit, exits: Mapping[str, Sequence[Any]]) -> list[str]:
    found = exit_edges(exits.get(unit.spec.side, ()), unit.spec.source, battle.carried_objects, unit.spec.id)
    return [edge for edge, _ in found]


def _takers(battle: Battle) -> list[str]:
    """Return the units that could take an object that lies on the table (AFR-051)."""
    lying = any(_lies(battle, carried_object) for carried_object in battle.carried_objects.values())
    return [unit.spec.id for unit in battle.units.values() if lying and unit.hex != OFF]


def _lies(battle: Battle, carried_object: ScenarioObject) -> bool:
    """Return True if an object lies on the table, also if its carrier was lost in this turn and has not dropped it
    yet.
    """
    lost = (
        carried_object.carrier
        and carried_object.carrier not in battle.arrivals
        and battle.units[carried_object.carrier].hex == OFF
    )
    return not carried_object.taken_by and (not carried_object.carrier or bool(lost))


def _captors(battle: Battle) -> list[str]:
    """Return the units that may capture a wounded character (AFR-043)."""
    able = [unit for unit in own_units(battle) if unit.profile.storms and may_move(unit) and allowance(battle, unit)]
    return [unit.spec.id for unit in able if _wounded(battle, unit.spec.id)]


def _wounded(battle: Battle, captor: str) -> list[str]:
    enemy = battle.field.enemy(battle.units[captor].spec.side)
    return [
        chief.spec.id for chief in battle.side_commanders(enemy) if "wounded" in chief.marks and battle.is_alone(chief)
    ]


def _mounting(battle: Battle) -> list[str]:
    return [unit.spec.id for unit in may_mount(battle)]


def _friends_apart(battle: Battle, name: str) -> list[str]:
    """Return the friendly pieces whose hex a piece could share (AFR-081, AFR-094, AFR-096)."""
    piece = piece_named(battle, name)
    side = piece.spec.side
    units = [
        unit.spec.id
        for unit in battle.side_units(side)
        if unit.hex != piece.hex
        and not unit.sections
        and (len(battle.here[unit.hex]) < battle.book.room or isinstance(piece, Commander))
        and not (isinstance(piece, Commander) and unit.hex in battle.chiefs)
    ]
    if isinstance(piece, Commander):
        return units
    lone = [chief.spec.id for chief in battle.side_commanders(side) if battle.is_alone(chief)]
    return units + lone


def _joiners(battle: Battle) -> list[str]:
    return [name for name in in_one_hex(battle) if _friends_apart(battle, name)]


def _stacked(battle: Battle) -> list[str]:
    return [name for name in in_one_hex(battle) if len(stack(battle, piece_named(battle, name).hex)) > 1]


def _move_choices(battle: Battle, scene: Scene) -> Choices:
    """Return the moves of a unit: its hexes, and ground on which it may not battle (Table 3, AFR-147)."""
    unit = battle.units[scene.actor]
    limit = allowance(battle, unit)
    most = _battle_limit(battle, unit)
    fights = most >= 0
    found: dict[Any, str] = {}
    ground = titles(battle.book, [name for name, kind in battle.book.file.terrain.items() if kind.no_battle])
    for hexes in range(1, limit + 1):
        able = hexes <= most
        note = ("may battle" if able else "no battle") if fights else ""
        found[hexes, ""] = amount(hexes, "hex", "hexes") + (f": {note}" if note else "")
    for hexes in range(1, limit + 1):
        if hexes <= most and "guided" not in unit.marks:
            found[hexes, "no battle"] = f"{amount(hexes, 'hex', 'hexes')}, into {ground}: no battle"
    if unit.profile.arm == "vehicle":
        found |= {
            (hexes, "debris"): f"{amount(hexes, 'hex', 'hexes')}, into debris: it is stuck next turn"
            for hexes in range(1, limit + 1)
        }
    return found


def _battle_limit(battle: Battle, unit: Unit) -> int:
    """Return the most hexes after which a unit may still battle; -1 if it may not battle at all this turn."""
    if not unit.marks & {"battle", "company"} or unit.marks & {"no_battle", "done"} or not unit.profile.dice:
        return -1
    pace = company_pace(battle, unit, to_battle=True) if "company" in unit.marks else unit.profile.battle_move
    return min(unit.profile.battle_move, pace)


def _stations(battle: Battle, scene: Scene) -> Choices:
    """Return the units that a commander could go to (AFR-094). On walls with several sections, people say in which
    structure he stands.
    """
    chief = battle.commanders[scene.actor]
    found = {"": "no unit: he stands alone"}
    for unit in battle.side_units(chief.spec.side):
        other = battle.commander_in(unit.hex)
        if other is None and not unit.sections:
            found[unit.spec.id] = unit.spec.name
    return found


def _is_apart(battle: Battle, scene: Scene) -> bool:
    """Return True if a unit of an active company moves from outside its officer's zone (AFR-118)."""
    return is_outside_zone(battle, battle.units[scene.actor])


def _edge_choices(battle: Battle, scene: Scene) -> Choices:
    edges = _edges_of(battle, battle.units[scene.actor], table_of(battle).exits)
    return {edge: f"the {edge} edge" for edge in edges}


def _objects(battle: Battle, scene: Scene) -> Choices:
    lying = [name for name, carried_object in battle.carried_objects.items() if _lies(battle, carried_object)]
    return {name: named(scene, name) for name in lying}


def _lay_out_move(battle: Battle, scene: Scene) -> None:
    """Put a unit into the arena, with the ground that people tell at the end of its move."""
    field, unit = table_of(battle), battle.units[scene.actor]
    hexes, ground = scene["move"]
    start = field.arena_hex(field.middle_row)
    company, site = battle.company_of(unit), unit.hex
    put_stack(battle, site, start)
    if "along" in unit.marks:
        nco = next(chief for chief in battle.side_commanders(unit.spec.side) if chief.along == scene.actor)
        put_stack(battle, nco.hex, field.arena_hex(field.middle_row + hexes))
    elif company is not None and company.state == "active" and battle.commanders[company.officer].hex != start:
        was_near = site in field.zone[battle.commanders[company.officer].hex]
        away = 1 if was_near else hexes + 1 if scene["back"] else allowance(battle, unit) + _ROOM_TO_COME_BACK
        put_stack(battle, battle.commanders[company.officer].hex, field.arena_hex(field.middle_row + away))
    kinds = {"": (), "no battle": _no_battle_ground(battle), "debris": ("debris",)}[ground]
    goal = _goal_of_move(battle, scene, unit_options(battle, unit, scene.game.plan))[1]
    battle.field = field.with_ground({goal: kinds})


def _no_battle_ground(battle: Battle) -> tuple[str, ...]:
    terrain = battle.book.file.terrain
    return tuple([name for name, kind in terrain.items() if kind.no_battle and not kind.closed][:1])


def _lay_out_commander(battle: Battle, scene: Scene) -> None:
    """Put a commander next to where he goes."""
    field, chief = table_of(battle), battle.commanders[scene.actor]
    start = field.arena_hex(field.middle_row)
    goal, left, right = field.neighbours[start][0], field.neighbours[start][1], field.neighbours[start][5]
    company = battle.company_led_by(chief)
    near = [battle.units[name] for name in company.members if is_in_zone(battle, battle.units[name])] if company else []
    if scene["unit"]:
        put_stack(battle, battle.units[scene["unit"]].hex, goal)
    for number, unit in enumerate(near):
        if unit.hex not in (goal, chief.hex) and not unit.sections:
            battle.move(unit, (left, right)[number % 2])
    put_stack(battle, chief.hex, start)


def _lay_out_exit(battle: Battle, scene: Scene) -> None:
    """Put a unit at the edge over which it leaves (AFR-090)."""
    row = battle.field.grid.edge_row(scene["edge"])
    put_stack(battle, battle.units[scene.actor].hex, row[len(row) // 2])


def _lay_out_capture(battle: Battle, scene: Scene) -> None:
    """Put a unit next to a wounded character (AFR-043)."""
    field = table_of(battle)
    start = field.arena_hex(field.middle_row)
    put_stack(battle, battle.units[scene.actor].hex, start)
    battle.place(battle.commanders[scene.target], field.neighbours[start][0])


def _move_commander(table: Table, battle: Battle, scene: Scene) -> None:
    move_commander(table, battle, battle.commanders[scene.actor])
    battle.commanders[scene.actor].mark("moved")


def _mount(table: Table, battle: Battle, scene: Scene) -> None:
    mount(table, battle.units[scene.actor])


def _reach_object(table: Table, battle: Battle, scene: Scene) -> None:
    """Note that an object lies in the hex of a unit, which takes it at the end of the player turn (AFR-051)."""
    carried_object = battle.carried_objects[scene["object"]]
    carried_object.hex, carried_object.carrier = battle.units[scene.actor].hex, ""


def _join(table: Table, battle: Battle, scene: Scene) -> None:
    """Put a piece into the hex of a friend."""
    put(battle, piece_named(battle, scene.actor), piece_named(battle, scene.target).hex)
    table.emit("stand together", "AFR-081", unit=scene.actor, friend=scene.target)


def _part(table: Table, battle: Battle, scene: Scene) -> None:
    """Give a piece a separate hex."""
    put(battle, piece_named(battle, scene.actor), free_site(battle))
    table.emit("stand apart", "AFR-081", unit=scene.actor)


def _go(battle: Battle, scene: Scene, question: Choose) -> Answer:
    return _goal_of_move(battle, scene, question.options)


def _goal_of_move(battle: Battle, scene: Scene, options: Sequence[Any]) -> Answer:
    """Return a move of the hexes that people tell, with the commander if he goes along.

    It ends in an empty hex if the rules allow one: people say by other acts who stands together.
    """
    unit, (hexes, _) = battle.units[scene.actor], scene["move"]
    together = bool(scene[ALONG.fact]) and has_free_commander(battle, scene)
    verb = "with" if together else "to"
    found = [
        option
        for option in options
        if isinstance(option, tuple) and option[0] == verb and steps_to(battle, unit, option[1], together) == hexes
    ]
    empty = (option for option in found if option[1] not in battle.here and option[1] not in battle.chiefs)
    if found:
        return next(empty, found[0])
    raise ZarebaError(f"{unit.spec.name} cannot move {amount(hexes, 'hex', 'hexes')}{' with its commander' * together}")


def _leave(battle: Battle, scene: Scene, question: Choose) -> Answer:
    if LEAVE not in question.options:
        raise ZarebaError(f"{named(scene, scene.actor)} may not leave the table there (AFR-090)")
    return LEAVE


def _capture(battle: Battle, scene: Scene, question: Choose) -> Answer:
    goal = ("to", battle.commanders[scene.target].hex)
    if goal not in question.options:
        raise ZarebaError(f"{named(scene, scene.actor)} cannot capture {named(scene, scene.target)} now (AFR-043)")
    return goal


def _go_to_unit(battle: Battle, scene: Scene, question: Choose) -> Answer:
    """Go to the hex that the layout has made the goal."""
    chief = battle.commanders[scene.actor]
    goal = battle.field.neighbours[chief.hex][0]
    if goal not in question.options:
        raise ZarebaError(f"{chief.spec.name} cannot go there: he must keep his company together (AFR-119)")
    return goal


ACTS: tuple[CompanionAct[Battle], ...] = (
    CompanionAct(
        name="move",
        title="move",
        rule="AFR-078",
        run=move_by_order,
        actors=_movers,
        asks=(
            Asked("move", "How far should {actor} move?", choices=_move_choices),
            ALONG,
            Asked(
                "back", "Does {actor} end next to its officer, or in his hex?", default=False, kind=bool, when=_is_apart
            ),
        ),
        lay_out=_lay_out_move,
        preset_answers={"move": _go, "second unit": same_second},
        choice="move",
    ),
    CompanionAct(
        name="dismount",
        title="dismount",
        rule="AFR-091",
        run=move_by_order,
        actors=_riders,
        preset_answers={"move": take(lambda battle, scene: DISMOUNT)},
    ),
    CompanionAct(
        name="commander",
        title="move, as a commander",
        rule="AFR-040",
        run=_move_commander,
        actors=_ordered_commanders,
        asks=(Asked("unit", "In the hex of which unit should {actor} end his move?", default="", choices=_stations),),
        lay_out=_lay_out_commander,
        preset_answers={"commander to": _go_to_unit, "second unit": same_second},
    ),
    CompanionAct(
        name="leave",
        title="leave the table",
        rule="AFR-090",
        run=move_by_order,
        actors=_leavers,
        asks=(Asked("edge", "Over which edge?", choices=_edge_choices),),
        lay_out=_lay_out_exit,
        preset_answers={"move": _leave},
    ),
    CompanionAct(
        name="capture",
        title="capture a wounded character in the next hex",
        rule="AFR-043",
        run=move_by_order,
        actors=_captors,
        targets=_wounded,
        target_question="Which wounded enemy character should {actor} capture?",
        lay_out=_lay_out_capture,
        preset_answers={"move": _capture},
    ),
    CompanionAct(
        name="object",
        title="reach an object",
        rule="AFR-051",
        run=_reach_object,
        actors=_takers,
        asks=(Asked("object", "Which object lies in the hex of {actor}?", choices=_objects),),
    ),
    CompanionAct(name="mount", title="mount", rule="AFR-092", run=_mount, actors=_mounting),
    CompanionAct(
        name="join",
        title="stand in the hex of a friend",
        rule="AFR-081",
        run=_join,
        actors=_joiners,
        targets=_friends_apart,
        target_question="Which friend should {actor} share a hex with?",
    ),
    CompanionAct(name="part", title="stand in a hex of its own", rule="AFR-081", run=_part, actors=_stacked),
)
