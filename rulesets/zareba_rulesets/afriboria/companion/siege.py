"""Structures, bombardment and ladders at a real table."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from zareba.base.errors import ZarebaError
from zareba.base.grammar import amount
from zareba.companion import Asked, Choices, CompanionAct, Scene
from zareba.table import Answer, Choose, Table
from zareba_rulesets.afriboria.chapters.combat import may_battle
from zareba_rulesets.afriboria.chapters.engagement import (
    all_targets,
    fight,
)
from zareba_rulesets.afriboria.chapters.exchange import DiceFacts
from zareba_rulesets.afriboria.chapters.movement import GATHER, MAN, allowance, steps_to, wall_options
from zareba_rulesets.afriboria.chapters.sight import set_exposure
from zareba_rulesets.afriboria.companion.common import (
    ALONG,
    has_free_commander,
    hexes_phrase,
    in_one_hex,
    may_move,
    move_by_order,
    named,
    no_actors,
    own_units,
    reach_of_actor,
    same_second,
    take,
)
from zareba_rulesets.afriboria.companion.real_table import (
    carry_structures,
    is_in_zone,
    piece_named,
    put,
    put_sections,
    put_stack,
    table_of,
)
from zareba_rulesets.afriboria.forces.battle import Battle
from zareba_rulesets.afriboria.forces.pieces import Unit


def _standing(battle: Battle, side: str) -> list[int]:
    """Return the hexes of a side's structures that stand."""
    field = table_of(battle)
    return [
        cell
        for cell in field.structure_names
        if battle.has_intact_structure(cell) and field.structures[cell].side == side
    ]


def _bombarders(battle: Battle) -> list[str]:
    able = [unit for unit in own_units(battle) if unit.profile.bombards and may_battle(battle, unit)]
    return [unit.spec.id for unit in able] if _standing(battle, battle.field.enemy(battle.active)) else []


def _ladder_bearers(battle: Battle) -> list[str]:
    walls = _standing(battle, battle.field.enemy(battle.active))
    able = [unit for unit in own_units(battle) if unit.ladders and unit.profile.climbs and may_move(unit)]
    return [unit.spec.id for unit in able if walls and allowance(battle, unit)]


def _climbers(battle: Battle) -> list[str]:
    able = [unit for unit in own_units(battle) if unit.profile.climbs and may_move(unit) and allowance(battle, unit)]
    return [unit.spec.id for unit in able] if battle.ladders else []


def _ladder_throwers(battle: Battle) -> list[str]:
    walls = {wall for wall, _ in battle.ladders}
    return [unit.spec.id for unit in own_units(battle) if may_move(unit) and walls.intersection(unit.hexes)]


def _wall_units(battle: Battle) -> list[str]:
    """Return the units that may spread over several wall hexes (AFR-321)."""
    return [unit.spec.id for unit in own_units(battle) if may_move(unit) and MAN in wall_options(battle, unit)]


def _gatherers(battle: Battle) -> list[str]:
    """Return the units in sections on walls that may gather in one hex."""
    return [unit.spec.id for unit in own_units(battle) if may_move(unit) and GATHER in wall_options(battle, unit)]


def _occupants(battle: Battle) -> list[str]:
    return in_one_hex(battle) if table_of(battle).structure_names else []


def _enemy_structures(battle: Battle, scene: Scene) -> Choices:
    side = battle.field.enemy(battle.units[scene.actor].spec.side)
    return {cell: _structure_phrase(battle, cell) for cell in _standing(battle, side)}


def _structure_phrase(battle: Battle, cell: int) -> str:
    return f"{table_of(battle).structure_names[cell]}: {amount(battle.structures[cell].value, 'point')}"


def _every_structure(battle: Battle, scene: Scene) -> Choices:
    return {cell: _structure_phrase(battle, cell) for cell in table_of(battle).structure_names}


def _walls_with_ladders(battle: Battle, scene: Scene) -> Choices:
    return {wall: _structure_phrase(battle, wall) for wall, _ in battle.ladders}


def _own_gates(battle: Battle, scene: Scene) -> Choices:
    field = table_of(battle)
    return {
        cell: f"{field.structure_names[cell]}: {'shut' if battle.structures[cell].open else 'open'} it"
        for cell in _standing(battle, battle.active)
        if field.structures[cell].gate
    }


def _hexes_to_structure(battle: Battle, scene: Scene) -> Choices:
    return {hexes: hexes_phrase(hexes) for hexes in range(1, reach_of_actor(battle, scene) + 1)}


def _whole(battle: Battle, scene: Scene, hexes: float) -> int:
    """Return a distance to a structure. Raises ZarebaError if the gun does not reach so far."""
    if hexes not in _hexes_to_structure(battle, scene):
        raise ZarebaError(
            f"the dice of {named(scene, scene.actor)} reach {amount(reach_of_actor(battle, scene), 'hex', 'hexes')}"
        )
    return int(hexes)


def _hexes_to_wall(battle: Battle, scene: Scene) -> Choices:
    """Return the hexes that a unit may move before it puts up a ladder, which costs movement too (AFR-330)."""
    return _hexes_before(battle, scene, battle.book.file.ladder_moves.put_up)


def _hexes_to_ladder(battle: Battle, scene: Scene) -> Choices:
    """Return the hexes that a unit may move before it climbs a ladder, which costs movement too (AFR-331)."""
    return _hexes_before(battle, scene, battle.book.file.ladder_moves.climb)


def _hexes_before(battle: Battle, scene: Scene, cost: int) -> Choices:
    room = allowance(battle, battle.units[scene.actor]) - cost
    return {hexes: amount(hexes, "hex", "hexes") for hexes in range(min(_MOST_BEFORE_WALL, room) + 1)}


_MOST_BEFORE_WALL = 2
"""The hexes of a move to a wall, at most: no farther from one are those of other pieces."""
_ANOTHER = "another ladder"


def _after_throwing(battle: Battle, scene: Scene) -> Choices:
    """Return what a unit may do with the rest of its move after it has thrown down a ladder (AFR-335)."""
    unit, cost = battle.units[scene.actor], battle.book.file.ladder_moves.throw_down
    room = allowance(battle, unit) - cost
    found: dict[Any, str] = {0: "stay there"}
    if room >= cost and sum(wall in unit.hexes for wall, _ in battle.ladders) > 1:
        found[_ANOTHER] = "throw down another ladder"
    if not unit.sections:
        found |= {hexes: f"move {amount(hexes, 'hex', 'hexes')}" for hexes in range(1, room + 1)}
    return found


def _may_go_on(battle: Battle, scene: Scene) -> bool:
    return len(_after_throwing(battle, scene)) > 1


def _is_gun_with_hilltop(battle: Battle, scene: Scene) -> bool:
    return not battle.units[scene.actor].profile.no_hilltop


def _lay_out_bombardment(battle: Battle, scene: Scene) -> None:
    """Put a gun at its distance from a structure, on a hilltop if people say so."""
    field, unit = table_of(battle), battle.units[scene.actor]
    ring = field.grid.ring(scene["structure"], scene["hexes"])
    origin = next(cell for cell in ring if cell not in battle.here and cell not in battle.structures)
    put_stack(battle, unit.hex, origin)
    battle.field = field.with_ground(hilltops=[origin] if scene["hilltop"] else [scene["structure"]])


def _free_foot(battle: Battle, wall: int) -> int:
    """Return a hex next to a wall from which no ladder stands against it, because each hex has room for one."""
    return next(
        cell
        for cell in battle.field.neighbours[wall]
        if (wall, cell) not in battle.ladders and cell not in battle.structures and cell not in battle.here
    )


def _goes_along(battle: Battle, scene: Scene) -> bool:
    """Return True if a commander could go along with a unit that moves before it puts up its ladder (AFR-105)."""
    return bool(scene["hexes"]) and has_free_commander(battle, scene)


def _lay_out_ladder(battle: Battle, scene: Scene) -> None:
    """Put a unit next to a wall, or so many hexes before it."""
    _put_before_wall(battle, scene, _free_foot(battle, scene["structure"]))


def _lay_out_climb(battle: Battle, scene: Scene) -> None:
    """Put a unit at the foot of a ladder, or so many hexes before it."""
    _put_before_wall(battle, scene, next(foot for wall, foot in battle.ladders if wall == scene["structure"]))


def _put_before_wall(battle: Battle, scene: Scene, foot: int) -> None:
    """Put a unit into the hex at the foot of a ladder, or so many hexes farther from the wall.

    The officer of its company stands next to the foot and the wall, so that the unit stays in his zone (AFR-116).
    """
    field, unit, wall, hexes = table_of(battle), battle.units[scene.actor], scene["structure"], scene["hexes"]
    company = battle.company_of(unit)
    if company is not None and company.state == "active":
        officer = battle.commanders[company.officer]
        if officer.hex != unit.hex:
            near = [cell for cell in field.neighbours[foot] if cell in field.neighbours[wall]]
            put_stack(battle, officer.hex, near[0])
    start = (
        next(
            cell
            for cell in field.grid.ring(foot, hexes)
            if field.distance[cell][wall] == hexes + 1 and cell not in battle.here and cell not in battle.structures
        )
        if hexes
        else foot
    )
    put_stack(battle, unit.hex, start)
    battle.field = field.with_ground()


def _lay_out_gathering(battle: Battle, scene: Scene) -> None:
    """Put the sections of a member of an active company around its officer: people see who is how near (AFR-116)."""
    field, unit = table_of(battle), battle.units[scene.actor]
    company = battle.company_of(unit)
    if company is None or company.state != "active":
        return
    officer, middle, homes = battle.commanders[company.officer], field.arena_hex(field.middle_row), unit.hexes
    with_him = [cell for cell in homes if cell == officer.hex]
    ring = field.grid.ring(middle, 1 if with_him or is_in_zone(battle, unit) else 2)
    places = dict.fromkeys(with_him, middle)
    places |= dict(zip((cell for cell in homes if cell not in with_him), ring, strict=False))
    put_stack(battle, officer.hex, middle)
    put_sections(battle, places)
    battle.field = field.with_ground()
    carry_structures(battle, homes, unit)


def _bombard(table: Table, battle: Battle, scene: Scene) -> None:
    unit, target = battle.units[scene.actor], ("structure", scene["structure"])
    if target not in all_targets(battle, unit):
        raise ZarebaError(f"{unit.spec.name} has no dice left at that range (AFR-182, AFR-311)")
    fight(table, battle, unit, target)


def _occupy(table: Table, battle: Battle, scene: Scene) -> None:
    """Note that a piece stands in a structure, with the commander of a unit that stands alone in its hex.

    Troops in a fort may keep out of sight (AFR-316).
    """
    piece, cell = piece_named(battle, scene.actor), scene["structure"]
    chief = battle.commander_in(piece.hex)
    together = [piece]
    if isinstance(piece, Unit) and chief is not None and len(battle.units_in(piece.hex)) == 1:
        together.append(chief)
    is_full = isinstance(piece, Unit) and len(battle.here.get(cell, ())) >= battle.book.room
    has_other_chief = chief in together and battle.commander_in(cell) not in (None, chief)
    if battle.held_by_enemy(cell, piece.spec.side) or is_full or has_other_chief:
        raise ZarebaError(
            f"{table_of(battle).structure_names[cell]} has no room for {piece.spec.name} (AFR-081, AFR-096)"
        )
    for one in together:
        put(battle, one, cell)
        table.emit("stand in", "AFR-316", unit=one.spec.id, hex=cell)
    if isinstance(piece, Unit):
        set_exposure(table, battle, piece)


def _work_gates(table: Table, battle: Battle, scene: Scene) -> None:
    for cell in scene["gates"]:
        state = battle.structures[cell]
        state.open = not state.open
        table.emit("gate", "AFR-328", hex=cell, open=state.open)


def _put_up(battle: Battle, scene: Scene, question: Choose) -> Answer:
    """Go to the foot of the wall, if people tell a move, and put up the ladder."""
    wall = scene["structure"]
    verb = "with" if scene[ALONG.fact] and _goes_along(battle, scene) else "to"
    options = [("ladder", wall), wall, (verb, _free_foot(battle, wall))]
    found = next((option for option in options if option in question.options), None)
    if found is None:
        raise ZarebaError(f"{named(scene, scene.actor)} cannot put up its ladder there (AFR-330)")
    return found


def _climb_to(battle: Battle, scene: Scene, question: Choose) -> Answer:
    wanted = "with" if scene[ALONG.fact] and has_free_commander(battle, scene) else "to", scene["structure"]
    if wanted not in question.options:
        raise ZarebaError(f"{named(scene, scene.actor)} cannot climb there: enemies or two units hold it (AFR-331)")
    return wanted


def _throw_down(battle: Battle, scene: Scene, question: Choose) -> Answer:
    """Throw down a ladder, and then do what people say with the rest of the move."""
    unit, then = battle.units[scene.actor], scene["then"]
    pairs = [option for option in question.options if isinstance(option, tuple)]
    ladders = [option for option in pairs if option[0] == "throw down"]
    is_first = question.rule != "AFR-335"
    if is_first or then == _ANOTHER:
        found = ladders
    elif then:
        goals = [option for option in pairs if option[0] == "to" and option[1] not in battle.structures]
        found = [goal for goal in goals if steps_to(battle, unit, goal[1], with_officer=False) == then]
    else:
        return question.options[0]
    if not found:
        raise ZarebaError(f"{named(scene, scene.actor)} cannot do that with the rest of its move (AFR-335)")
    return found[0]


ACTS: tuple[CompanionAct[Battle], ...] = (
    CompanionAct(
        name="ladder",
        title="put up its ladder",
        rule="AFR-330",
        run=move_by_order,
        actors=_ladder_bearers,
        asks=(
            Asked("structure", "Against which structure should {actor} put up its ladder?", choices=_enemy_structures),
            Asked("hexes", "How many hexes should {actor} move first?", default=0, choices=_hexes_to_wall),
            replace(ALONG, when=_goes_along),
        ),
        lay_out=_lay_out_ladder,
        preset_answers={"move": _put_up, "ladder at": _put_up, "second unit": same_second},
    ),
    CompanionAct(
        name="climb",
        title="climb a ladder that stands",
        rule="AFR-331",
        run=move_by_order,
        actors=_climbers,
        asks=(
            Asked("structure", "Onto which structure should {actor} climb?", choices=_walls_with_ladders),
            Asked("hexes", "How many hexes should {actor} move first?", default=0, choices=_hexes_to_ladder),
            ALONG,
        ),
        lay_out=_lay_out_climb,
        preset_answers={"move": _climb_to, "second unit": same_second},
    ),
    CompanionAct(
        name="throw_down",
        title="throw down a ladder",
        rule="AFR-335",
        run=move_by_order,
        actors=_ladder_throwers,
        asks=(
            Asked(
                "then",
                "What should {actor} do with the rest of its move?",
                default=0,
                choices=_after_throwing,
                when=_may_go_on,
            ),
        ),
        preset_answers={"move": _throw_down},
    ),
    CompanionAct(
        name="man",
        title="man several walls that join",
        rule="AFR-321",
        run=move_by_order,
        actors=_wall_units,
        preset_answers={"move": take(lambda battle, scene: MAN), "second unit": same_second},
    ),
    CompanionAct(
        name="gather",
        title="gather in one of its walls",
        rule="AFR-321",
        run=move_by_order,
        actors=_gatherers,
        lay_out=_lay_out_gathering,
        preset_answers={"move": take(lambda battle, scene: GATHER), "second unit": same_second},
    ),
    CompanionAct(
        name="gate",
        title="open or shut gates",
        rule="AFR-328",
        run=_work_gates,
        actors=no_actors,
        asks=(Asked("gates", "Which gates?", default=(), choices=_own_gates, many=True),),
        out_of_turn=False,
    ),
    CompanionAct(
        name="occupy",
        title="stand in a building or on a wall",
        rule="AFR-316",
        run=_occupy,
        actors=_occupants,
        asks=(Asked("structure", "In which structure does {actor} stand?", choices=_every_structure),),
    ),
    CompanionAct(
        name="bombard",
        title="bombard a structure",
        rule="AFR-311",
        run=_bombard,
        actors=_bombarders,
        asks=(
            Asked("structure", "Which structure should {actor} bombard?", choices=_enemy_structures),
            Asked("hexes", "How many hexes away is it?", choices=_hexes_to_structure, unit="hexes", measured=_whole),
            Asked("hilltop", "Does {actor} stand on a hilltop?", default=False, kind=bool, when=_is_gun_with_hilltop),
        ),
        facts=DiceFacts,
        lay_out=_lay_out_bombardment,
    ),
)
