"""The acts of the rules at a real table, and what people have to say about each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from zareba.base.errors import ZarebaError
from zareba.base.grammar import amount, join_with_or
from zareba.battle.carried_objects import exit_edges
from zareba.companion import Asked, Choices, CompanionAct, Scene
from zareba.table import Answer, Choose, Event, Table
from zareba_rulesets.afriboria.book import AfrBook
from zareba_rulesets.afriboria.chapters.air import air_targets, fly
from zareba_rulesets.afriboria.chapters.cards import deal, discard_played_card, face_events
from zareba_rulesets.afriboria.chapters.combat import STAND, WITHDRAW, dice_of, may_battle, spend_battle
from zareba_rulesets.afriboria.chapters.engagement import (
    Target,
    all_targets,
    fight,
    strike,
    strike_from_air,
)
from zareba_rulesets.afriboria.chapters.exchange import DEFEND, DiceFacts
from zareba_rulesets.afriboria.chapters.movement import (
    DISMOUNT,
    LEAVE,
    allowance,
    move_commander,
    move_unit,
    steps_to,
    unit_options,
)
from zareba_rulesets.afriboria.chapters.orders import Order, give_order, order_options
from zareba_rulesets.afriboria.chapters.setting_up import bring_on
from zareba_rulesets.afriboria.chapters.sight import set_exposure
from zareba_rulesets.afriboria.companion.real_table import (
    BLOCKED,
    EDGE,
    RALLIED,
    carry_structure,
    free_next_to,
    free_site,
    gather,
    is_in_zone,
    lay_out_way_back,
    piece_named,
    put,
    put_stack,
    stack,
    straight_back,
    table_of,
)
from zareba_rulesets.afriboria.forces.battle import Battle
from zareba_rulesets.afriboria.forces.companies import company_pace, form_company, is_outside_zone
from zareba_rulesets.afriboria.forces.pieces import OFF, Commander, Flier, Unit
from zareba_rulesets.afriboria.forces.weapon_range import reach_of
from zareba_rulesets.afriboria.presentation.words import option_phrase
from zareba_rulesets.afriboria.sequence import may_mount, mount

_Scene = Scene
_TARGET, _OWN = "target", "own"
_HILLTOP = "hilltop"
_NOTHING = "nothing"
"""The ordinary answer about a retreat: nothing is in its way."""
_IN_THE_WAY = "what is in the way of the retreat"
_WHO = "who gets an order"
"""The facts whose questions depend on the battle, by the words of the reference."""
_USUAL, _RETREATS, _ASK = "stands", "retreats", "decides later"
_ROOM_TO_COME_BACK = 4
"""Hexes between a unit that cannot reach its officer's zone in this turn and that zone, more or less."""
TO_DO = "to do"
"""The only word in `waiting` while an act of a stage has still to be done."""

# --- Who may do what ------------------------------------------------------------------------------------------------------


def _nobody(battle: Battle) -> list[str]:
    return []


def _own_units(battle: Battle) -> Iterator[Unit]:
    return iter(battle.side_units(battle.active))


def _movers(battle: Battle) -> list[str]:
    return [unit.spec.id for unit in _own_units(battle) if _may_move(unit) and allowance(battle, unit) > 0]


def _may_move(piece: Unit | Commander | Flier) -> bool:
    """Return True if a piece has an order to move and has not moved (AFR-062, AFR-079)."""
    return "move" in piece.marks and "moved" not in piece.marks


def _riders(battle: Battle) -> list[str]:
    return [
        unit.spec.id
        for unit in _own_units(battle)
        if _may_move(unit) and unit.mounted and unit.spec.foot is not None and "passive" not in unit.marks
    ]


def _ordered_commanders(battle: Battle) -> list[str]:
    return [chief.spec.id for chief in battle.side_commanders(battle.active) if _may_move(chief)]


def _leavers(battle: Battle) -> list[str]:
    """Return the units that the scenario lets leave the table over an edge (AFR-090)."""
    plan_exits = table_of(battle).exits
    return [
        unit.spec.id
        for unit in _own_units(battle)
        if _may_move(unit) and allowance(battle, unit) and _edges_of(battle, unit, plan_exits)
    ]


def _edges_of(battle: Battle, unit: Unit, exits: Mapping[str, Sequence[Any]]) -> list[str]:
    found = exit_edges(exits.get(unit.spec.side, ()), unit.spec.source, battle.prizes, unit.spec.id)
    return [edge for edge, _ in found]


def _takers(battle: Battle) -> list[str]:
    """Return the units that could take an object that lies on the table (AFR-051)."""
    lying = any(not prize.carrier and not prize.taken_by for prize in battle.prizes.values())
    return [unit.spec.id for unit in battle.units.values() if lying and unit.hex != OFF]


def _captors(battle: Battle) -> list[str]:
    """Return the units that may capture a wounded character (AFR-043)."""
    able = [unit for unit in _own_units(battle) if unit.profile.storms and _may_move(unit) and allowance(battle, unit)]
    return [unit.spec.id for unit in able if _wounded(battle, unit.spec.id)]


def _wounded(battle: Battle, captor: str) -> list[str]:
    enemy = battle.field.enemy(battle.units[captor].spec.side)
    return [
        chief.spec.id for chief in battle.side_commanders(enemy) if "wounded" in chief.marks and battle.is_alone(chief)
    ]


def _fighters(battle: Battle) -> list[str]:
    return [unit.spec.id for unit in _own_units(battle) if may_battle(battle, unit) and _enemies(battle, unit.spec.id)]


def _enemies(battle: Battle, fighter: str) -> list[str]:
    """Return the enemy units, and lone commanders, that a unit has not battled yet (AFR-164, AFR-206, AFR-220)."""
    unit = battle.units[fighter]
    enemy = battle.field.enemy(unit.spec.side)
    found = [other.spec.id for other in battle.side_units(enemy) if other.spec.id not in unit.battled]
    if unit.profile.storms:
        found += [chief.spec.id for chief in battle.side_commanders(enemy) if battle.is_alone(chief)]
    if battle.fliers and unit.profile.dice and not unit.profile.jams:
        found += [flier.spec.id for flier in battle.fliers.values() if _is_enemy(flier, enemy) and not flier.airborne]
    return found


def _is_enemy(flier: Flier, enemy: str) -> bool:
    return flier.hex != OFF and flier.spec.side == enemy


def _flying_enemies(battle: Battle, piece: str) -> list[str]:
    """Return the enemy fliers in the air."""
    side = (battle.units.get(piece) or battle.fliers[piece]).spec.side
    enemy = battle.field.enemy(side)
    return [flier.spec.id for flier in battle.fliers.values() if _is_enemy(flier, enemy) and flier.airborne]


def _anti_aircraft(battle: Battle) -> list[str]:
    """Return the units that may fire at fliers (AFR-276)."""
    able = [unit for unit in _own_units(battle) if battle.fliers and unit.profile.anti_air and may_battle(battle, unit)]
    return [unit.spec.id for unit in able if _flying_enemies(battle, unit.spec.id)]


def _ordered_fliers(battle: Battle) -> list[str]:
    return [name for name, flier in battle.fliers.items() if _is_own(battle, flier) and _may_move(flier)]


def _is_own(battle: Battle, flier: Flier) -> bool:
    return flier.hex != OFF and flier.spec.side == battle.active


def _flying_fighters(battle: Battle) -> list[str]:
    """Return the fliers with an order that may attack: they have flown 2 hexes at most (AFR-265)."""
    return [
        name
        for name, flier in battle.fliers.items()
        if _is_own(battle, flier)
        and "ordered" in flier.marks
        and "acted" not in flier.marks
        and flier.airborne
        and flier.flown <= battle.book.file.air[flier.spec.kind].act  # type: ignore[index]  # aircraft or airship
        and not battle.in_force("ev_sandstorm")
    ]


def _targets_from_air(battle: Battle, name: str) -> list[str]:
    flier = battle.fliers[name]
    ground = [unit.spec.id for unit in battle.side_units(battle.field.enemy(flier.spec.side))]
    return [*ground, *(_flying_enemies(battle, name) if flier.spec.gun else [])]


# --- structures of a siege -------------------------------------------------------------------------------------------------


def _standing(battle: Battle, side: str) -> list[int]:
    """Return the hexes of a side's structures that stand."""
    field = table_of(battle)
    return [
        cell
        for cell in field.structure_names
        if battle.has_intact_structure(cell) and field.structures[cell].side == side
    ]


def _bombarders(battle: Battle) -> list[str]:
    able = [unit for unit in _own_units(battle) if unit.profile.bombards and may_battle(battle, unit)]
    return [unit.spec.id for unit in able] if _standing(battle, battle.field.enemy(battle.active)) else []


def _ladder_bearers(battle: Battle) -> list[str]:
    walls = _standing(battle, battle.field.enemy(battle.active))
    able = [unit for unit in _own_units(battle) if unit.ladders and unit.profile.climbs and _may_move(unit)]
    return [unit.spec.id for unit in able if walls and allowance(battle, unit)]


def _climbers(battle: Battle) -> list[str]:
    able = [unit for unit in _own_units(battle) if unit.profile.climbs and _may_move(unit) and allowance(battle, unit)]
    return [unit.spec.id for unit in able] if battle.ladders else []


def _ladder_throwers(battle: Battle) -> list[str]:
    walls = {wall for wall, _ in battle.ladders}
    return [unit.spec.id for unit in _own_units(battle) if _may_move(unit) and unit.hex in walls]


def _occupants(battle: Battle) -> list[str]:
    return _everyone(battle) if table_of(battle).structure_names else []


def _enemies_again(battle: Battle, fighter: str) -> list[str]:
    """Return the targets of a second fire (AFR-165, AFR-166)."""
    unit = battle.units[fighter]
    enemy = battle.field.enemy(unit.spec.side)
    every = battle.book.settings.double_fire_targets == "any"
    found = [other.spec.id for other in battle.side_units(enemy) if every or other.spec.id not in unit.battled]
    return found + [name for name in _enemies(battle, fighter) if name in battle.commanders]


def _fire_again(battle: Battle) -> list[str]:
    return [name for name in battle.waiting if name in battle.units] if battle.stage == "battles" else []


def _mounting(battle: Battle) -> list[str]:
    return [unit.spec.id for unit in may_mount(battle)]


def _everyone(battle: Battle) -> list[str]:
    pieces: list[Unit | Commander] = [*battle.units.values(), *battle.commanders.values()]
    return [piece.spec.id for piece in pieces if piece.hex != OFF]


def _friends_apart(battle: Battle, name: str) -> list[str]:
    """Return the friendly pieces whose hex a piece could share (AFR-081, AFR-094, AFR-096)."""
    piece = piece_named(battle, name)
    side = piece.spec.side
    units = [
        unit.spec.id
        for unit in battle.side_units(side)
        if unit.hex != piece.hex
        and (len(battle.here[unit.hex]) < battle.book.room or isinstance(piece, Commander))
        and not (isinstance(piece, Commander) and unit.hex in battle.chiefs)
    ]
    if isinstance(piece, Commander):
        return units
    lone = [chief.spec.id for chief in battle.side_commanders(side) if battle.is_alone(chief)]
    return units + lone


def _joiners(battle: Battle) -> list[str]:
    return [name for name in _everyone(battle) if _friends_apart(battle, name)]


def _stacked(battle: Battle) -> list[str]:
    return [name for name in _everyone(battle) if len(stack(battle, piece_named(battle, name).hex)) > 1]


def _founders(battle: Battle) -> list[str]:
    """Return the officers who could form a company (AFR-110): they lead none, and have enough units that belong to none."""
    sizes = battle.book.company
    return [
        chief.spec.id
        for side in battle.sides
        for chief in battle.side_commanders(side)
        if chief.spec.officer
        and battle.company_led_by(chief) is None
        and len([u for u in battle.side_units(side) if not u.company and "ordered" not in u.marks]) >= sizes.least
    ]


def _founders_by_order(battle: Battle) -> list[str]:
    """Return the officers of the active side who could form a company with an order of this card (AFR-120)."""
    card = battle.book.cards[battle.card] if battle.card else None
    if battle.stage != "orders" or card is None or card.who or not any(battle.slots.values()):
        return []
    own = battle.roster.commanders[battle.active]
    return [name for name in _founders(battle) if name in own and "ordered" not in battle.commanders[name].marks]


def _deserted(battle: Battle) -> list[str]:
    """Return the officers of the active side whose company is suspended (AFR-121)."""
    suspended = {company.officer for company in battle.companies.values() if company.state == "suspended"}
    return [chief.spec.id for chief in battle.side_commanders(battle.active) if chief.spec.id in suspended]


def _members_apart(battle: Battle) -> list[str]:
    return [
        unit.spec.id
        for unit in battle.units.values()
        if unit.company and unit.hex != OFF and not is_in_zone(battle, unit)
    ]


def _members_near(battle: Battle) -> list[str]:
    return [unit.spec.id for unit in battle.units.values() if unit.company and is_in_zone(battle, unit)]


def _platoon_leaders(battle: Battle) -> list[str]:
    """Return the commanders who may name a second unit next to their hex (AFR-298)."""
    if battle.book.room != 1:
        return []
    return [chief.spec.id for chief in battle.commanders.values() if chief.hex != OFF and chief.hex in battle.here]


# --- Questions for people -------------------------------------------------------------------------------------------------


def _name(scene: _Scene, piece: str) -> str:
    return str(scene.game.narrator.name_of(piece))


def _reach(battle: Battle, scene: _Scene) -> int:
    return reach_of(battle, battle.units[scene.actor])


def _hexes_to_target(battle: Battle, scene: _Scene) -> Choices:
    nearest = 2 if battle.units[scene.actor].shots else 1
    return {hexes: _hexes_phrase(hexes) for hexes in range(nearest, _reach(battle, scene) + 1)}


def _hexes_phrase(hexes: int) -> str:
    return "1 hex: close combat" if hexes == 1 else f"{hexes} hexes"


def _checked_range(battle: Battle, scene: _Scene, hexes: float) -> int:
    """Return a range that people have counted. Raises ZarebaError for one that no battle can have."""
    known = _hexes_to_target(battle, scene)
    if hexes in known:
        return int(hexes)
    actor = _name(scene, scene.actor)
    if hexes > max(known, default=0):
        raise ZarebaError(f"the dice of {actor} reach {amount(_reach(battle, scene), 'hex', 'hexes')} (AFR-162)")
    raise ZarebaError(f"count the hexes from {actor}, its own not included: {min(known)} or more (AFR-165, AFR-180)")


def _grounds(battle: Battle, scene: _Scene) -> Choices:
    """Return the ground of the two hexes as far as it matters, kinds of equal effect together (Table 5)."""
    book, unit = battle.book, battle.units[scene.actor]
    groups: dict[Any, list[str]] = {}
    for name, effect in _effects_on_target(book, unit):
        groups.setdefault((_TARGET, effect), []).append(name)
    if unit.profile.bombards or book.counts_as_gun(unit.profile):
        groups[_OWN, (_HILLTOP, "+1 die")] = [_HILLTOP]
    for name, effect in _effects_on_own(battle, scene):
        groups.setdefault((_OWN, effect), []).append(name)
    whose_hex = {_TARGET: "target's hex", _OWN: f"hex of {_name(scene, unit.spec.id)}"}
    return {
        (whose, names[0]): f"{whose_hex[whose]}: {_titles(book, names)} ({effect[-1]})"
        for (whose, effect), names in groups.items()
    }


def _titles(book: AfrBook, names: Sequence[str]) -> str:
    titles = [_HILLTOP if name == _HILLTOP else book.file.terrain[name].title for name in names]
    return join_with_or(titles)


_Effect = tuple[Any, ...]


def _effects_on_target(book: AfrBook, unit: Unit) -> Iterator[tuple[str, _Effect]]:
    """Yield the kinds of ground that matter in the target's hex, each with its effects; the last one is in words."""
    alone = book.settings.terrain_stack == "sum"
    for name, entry in book.file.terrain.items():
        guns = not unit.profile.storms and entry.cover_guns is not None
        cover = entry.cover_guns if guns and entry.cover_guns is not None else entry.cover
        said = [f"-{amount(cover, 'die', 'dice')}"] if cover else []
        said += ["one defence die less"] if entry.hampers and book.settings.minus_defender != "off" else []
        said += ["only guns, and foot from the next hex"] if entry.infantry_only else []
        said += ["may ignore the first flag"] if name == "sandbags" else []
        if said:
            apart = name if alone or name in ("sandbags", "hill") else ""
            yield name, (cover, entry.hampers, entry.infantry_only, apart, ", ".join(said))


def _effects_on_own(battle: Battle, scene: _Scene) -> Iterator[tuple[str, _Effect]]:
    """Yield the kinds of ground that matter in the attacker's own hex, each with its effects."""
    book = battle.book
    target = battle.units.get(scene.target)
    all_dice = book.settings.minus_defender == "all_dice"
    defends = book.defends and target is not None and "defended" not in target.marks
    if target is not None and scene.answers.get("hexes", 1) > reach_of(battle, target):
        defends = False
    sheltered = defends and book.settings.defence_terrain == "dice"
    for name, entry in book.file.terrain.items():
        guns = target is not None and not target.profile.storms and entry.cover_guns is not None
        cover = (entry.cover_guns if guns and entry.cover_guns is not None else entry.cover) if sheltered else 0
        said = [f"defence -{amount(cover, 'die', 'dice')}"] if cover else []
        hampers = entry.hampers and all_dice
        said += ["-1 die"] if hampers else []
        shelters = sheltered and entry.infantry_only
        said += ["no defence, except by guns or foot in the next hex"] if shelters else []
        level = name == "hill" and book.settings.hill_vs_hill == "none"
        said += ["level with a target on a hill"] if level else []
        if said:
            apart = name if level or book.settings.terrain_stack == "sum" else ""
            yield name, (cover, hampers, shelters, apart, ", ".join(said))


def _grounds_of_target(battle: Battle, scene: _Scene) -> Choices:
    return {key: words for key, words in _grounds(battle, scene).items() if key[0] == _TARGET}


def _may_fight_on(battle: Battle, scene: _Scene, events: Sequence[Event]) -> bool:
    """Return True if mounted troops have broken through and are next to the unit that they drove off (AFR-255)."""
    unit, other = battle.units[scene.actor], battle.units.get(scene.target)
    broken_through = any(event.kind == "breakthrough" for event in events)
    if not broken_through or other is None or other.hex == OFF or unit.hex == OFF:
        return False
    return unit.profile.arm == "mounted" and battle.field.distance[unit.hex][other.hex] == 1 and not battle.over


_REACTIONS: Choices = {
    _USUAL: "stands; uses its defence dice if it has any, and saves or ignores flags",
    _RETREATS: "retreats voluntarily before the dice",
    _ASK: "stands, and decides about defence and flags after the dice",
}
_REACTIONS_ALONE: Choices = {
    _USUAL: "stands; saves or ignores flags",
    _RETREATS: "retreats voluntarily before the dice",
    _ASK: "stands, and decides about flags after the dice",
}


def _reactions(battle: Battle, scene: _Scene) -> Choices:
    return _REACTIONS if scene.target in battle.units else _REACTIONS_ALONE


def _may_react(battle: Battle, scene: _Scene) -> bool:
    return scene.target not in battle.fliers


def _has_ladder(battle: Battle, scene: _Scene) -> bool:
    """Return True if a ladder stands against the structure in which the target is."""
    unit = battle.units.get(scene.target)
    return unit is not None and scene.answers.get("hexes") == 1 and any(wall == unit.hex for wall, _ in battle.ladders)


def _hexes_in_air(battle: Battle, scene: _Scene) -> Choices:
    """Return the ranges from a flier to its target (Table 7)."""
    flier = battle.fliers.get(scene.actor)
    if scene.target in battle.fliers:
        return {hexes: amount(hexes, "hex", "hexes") for hexes in range(len(battle.book.air_dice) + 1)}
    found: dict[Any, str] = {}
    if flier is not None and flier.bombs:
        found[0] = "0 hexes: a bomb on the hex beneath"
    if flier is None or flier.spec.gun:
        reach = len(battle.book.file.air_ground_dice.dice)
        found |= {hexes: amount(hexes, "hex", "hexes") for hexes in range(1, reach + 1)}
    return found


def _checked_air_range(battle: Battle, scene: _Scene, hexes: float) -> int:
    """Return a range in the air. Raises ZarebaError for one that no attack can have."""
    known = _hexes_in_air(battle, scene)
    if hexes not in known:
        raise ZarebaError(
            f"{_name(scene, scene.actor)} attacks at {join_with_or(map(str, known))} hexes (AFR-269, AFR-272)"
        )
    return int(hexes)


def _is_on_ground(battle: Battle, scene: _Scene) -> bool:
    return scene.target in battle.units


def _grounds_from_air(battle: Battle, scene: _Scene) -> Choices:
    """Return the ground of the target that takes dice from an attack from the air."""
    found: dict[Any, str] = {}
    for name, entry in battle.book.file.terrain.items():
        cover = entry.cover if entry.cover_guns is None else entry.cover_guns
        if cover or name == "sandbags":
            found[_TARGET, name] = f"{entry.title} (-{amount(cover, 'die', 'dice')})"
    return found


def _flights(battle: Battle, scene: _Scene) -> Choices:
    """Return what an ordered flier may do (AFR-264, AFR-265, AFR-282, AFR-286)."""
    flier = battle.fliers[scene.actor]
    entry = battle.book.file.air[flier.spec.kind]  # type: ignore[index]  # aircraft or airship
    near = range(entry.act + 1) if "passive" not in flier.marks else range(1)
    if not flier.airborne:
        return {("take off", hexes): f"take off and fly {amount(hexes, 'hex', 'hexes')}" for hexes in near}
    found: dict[Any, str] = {
        ("fly", hexes): f"fly {amount(hexes, 'hex', 'hexes')}" + ("" if hexes in near else ": no attack")
        for hexes in range(1, entry.fly + 1)
    }
    return found | {("land", hexes): f"fly {amount(hexes, 'hex', 'hexes')} and land" for hexes in near}


def _enemy_structures(battle: Battle, scene: _Scene) -> Choices:
    side = battle.field.enemy(battle.units[scene.actor].spec.side)
    return {cell: _structure_phrase(battle, cell) for cell in _standing(battle, side)}


def _structure_phrase(battle: Battle, cell: int) -> str:
    return f"{table_of(battle).structure_names[cell]}: {amount(battle.structures[cell].value, 'point')}"


def _every_structure(battle: Battle, scene: _Scene) -> Choices:
    return {cell: _structure_phrase(battle, cell) for cell in table_of(battle).structure_names}


def _walls_with_ladders(battle: Battle, scene: _Scene) -> Choices:
    return {wall: _structure_phrase(battle, wall) for wall, _ in battle.ladders}


def _own_gates(battle: Battle, scene: _Scene) -> Choices:
    field = table_of(battle)
    return {
        cell: f"{field.structure_names[cell]}: {'shut' if battle.structures[cell].open else 'open'} it"
        for cell in _standing(battle, battle.active)
        if field.structures[cell].gate
    }


def _hexes_to_structure(battle: Battle, scene: _Scene) -> Choices:
    return {hexes: _hexes_phrase(hexes) for hexes in range(1, _reach(battle, scene) + 1)}


def _whole(battle: Battle, scene: _Scene, hexes: float) -> int:
    """Return a distance to a structure. Raises ZarebaError if the gun does not reach so far."""
    if hexes not in _hexes_to_structure(battle, scene):
        raise ZarebaError(
            f"the dice of {_name(scene, scene.actor)} reach {amount(_reach(battle, scene), 'hex', 'hexes')}"
        )
    return int(hexes)


def _hexes_to_wall(battle: Battle, scene: _Scene) -> Choices:
    """Return the hexes that a unit may move before it puts up a ladder, which costs movement too (AFR-330)."""
    room = allowance(battle, battle.units[scene.actor]) - battle.book.file.ladder_moves.put_up
    return {hexes: amount(hexes, "hex", "hexes") for hexes in range(min(1, room) + 1)}


def _air_reactions(battle: Battle, scene: _Scene) -> Choices:
    """Return the reactions to an attack from the air, against which there is no defence (AFR-281)."""
    return _REACTIONS_ALONE


def _is_gun_with_hilltop(battle: Battle, scene: _Scene) -> bool:
    return not battle.units[scene.actor].profile.no_hilltop


def _of_two_types(battle: Battle, scene: _Scene) -> bool:
    """Return True if the target shares its hex with a unit of another type (AFR-169)."""
    unit = battle.units.get(scene.target)
    return unit is not None and len({other.profile.type for other in battle.units_in(unit.hex)}) > 1


def _units_with_target(battle: Battle, scene: _Scene) -> Choices:
    return {unit.spec.id: unit.spec.name for unit in battle.units_in(battle.units[scene.target].hex)}


def _retreats(events: Sequence[Event]) -> dict[str, int]:
    """Return the hexes that pieces have been forced back, by piece; an event of a voluntary retreat does not count."""
    found: dict[str, int] = {}
    for event in events:
        if event.kind == "retreat" and event.rule == "AFR-238":
            found[event.data["unit"]] = found.get(event.data["unit"], 0) + 1
    return found


def _is_driven_back(battle: Battle, scene: _Scene, events: Sequence[Event]) -> bool:
    return bool(_retreats(events))


def _way_back_question(battle: Battle, scene: _Scene) -> str:
    ((name, hexes), *_) = _retreats(scene.events).items()
    back = amount(hexes, "hex", "hexes")
    return f"{_name(scene, name)} must go back {back} towards its own edge, each hex nearer to it: what is in the way?"


def _ways_back(battle: Battle, scene: _Scene) -> Choices:
    """Return how the retreat of a piece can end (AFR-245 to AFR-248)."""
    ((name, hexes), *_) = _retreats(scene.events).items()
    piece = piece_named(battle, name)
    found: dict[Any, str] = {_NOTHING: f"nothing: it goes back {amount(hexes, 'hex', 'hexes')}"}
    for done in range(hexes):
        first = f"after {amount(done, 'hex', 'hexes')} " if done else ""
        found[BLOCKED, done, name, ""] = f"{first}no free hex (enemies, two units, impassable ground)"
        found[EDGE, done, name, ""] = f"{first}the edge of the table: it leaves"
    for chief in battle.side_commanders(piece.spec.side) if isinstance(piece, Unit) else ():
        if chief.hex == piece.hex or len(battle.here.get(chief.hex, ())) >= battle.book.room:
            continue
        for done in range(1, hexes + 1):
            ordinal = "" if hexes == 1 else f" in hex {done}"
            found[RALLIED, done, name, chief.spec.id] = f"{chief.spec.name}{ordinal}: he rallies it there"
    return found


def _order_choices(battle: Battle, scene: _Scene) -> Choices:
    card = battle.book.cards[battle.card]
    question = Choose("order", "AFR-062", battle.active, battle.active, (), ())
    options = order_options(battle, battle.active, card, battle.slots)
    others = [option for option in options if option[0] != "form"]
    return {
        option: _order_phrase(battle, scene, question, option)
        for option in (*others, *(("form", name) for name in _founders_by_order(battle)))
    }


def _officer_of_company(scene: _Scene) -> str:
    """Return the officer who forms a company: at the start the actor, later the one with that order."""
    return scene.actor or next((name for kind, name in scene.answers.get(_WHO, ()) if kind == "form"), "")


def _forms_company(battle: Battle, scene: _Scene) -> bool:
    return bool(_officer_of_company(scene))


def _members_question(battle: Battle, scene: _Scene) -> str:
    officer = _name(scene, _officer_of_company(scene))
    return f"Which units in the hex of {officer} or next to it form his company?"


def _order_phrase(battle: Battle, scene: _Scene, question: Choose, order: Order) -> str:
    kind, name = order
    if kind == "unit":
        unit = battle.units[name]
        return f"{unit.spec.name} ({unit.spec.colour})"
    if kind in ("commander", "flier"):
        return _name(scene, name)
    return option_phrase(battle, question, order)


def _orders_question(battle: Battle, scene: _Scene) -> str:
    card = battle.book.cards[battle.card]
    any_colour = "" if card.who else " A commander counts as any colour."
    left = ", ".join(amount(number, f"{colour} unit") for colour, number in battle.slots.items() if number)
    return f"{_name(scene, battle.active)}, '{card.title}': which get an order (left: {left})?{any_colour}"


def _move_choices(battle: Battle, scene: _Scene) -> Choices:
    """Return the moves of a unit: its hexes, and ground on which it may not battle (Table 3, AFR-147)."""
    unit = battle.units[scene.actor]
    limit = allowance(battle, unit)
    most = _battle_limit(battle, unit)
    fights = most >= 0
    found: dict[Any, str] = {}
    ground = _titles(battle.book, [name for name, one in battle.book.file.terrain.items() if one.no_battle])
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


def _has_free_commander(battle: Battle, scene: _Scene) -> bool:
    """Return True if a commander could go along with a unit (AFR-105, AFR-106)."""
    chief = battle.commander_of(battle.units[scene.actor])
    return chief is not None and "moved" not in chief.marks and "along" not in battle.units[scene.actor].marks


def _commander_question(battle: Battle, scene: _Scene) -> str:
    chief = battle.commander_of(battle.units[scene.actor])
    assert chief is not None, "the question is asked only with a commander in the hex"
    return f"Does {chief.spec.name} go along with {_name(scene, scene.actor)}?"


def _stations(battle: Battle, scene: _Scene) -> Choices:
    """Return the units that a commander could go to (AFR-094)."""
    chief = battle.commanders[scene.actor]
    found = {"": "no unit: he stands alone"}
    for unit in battle.side_units(chief.spec.side):
        other = battle.commander_in(unit.hex)
        if other is None:
            found[unit.spec.id] = unit.spec.name
    return found


def _recruits(battle: Battle, scene: _Scene) -> Choices:
    """Return the units that could belong to a company of an officer (AFR-111)."""
    side = battle.commanders[_officer_of_company(scene)].spec.side
    units = [unit for unit in battle.side_units(side) if not unit.company and "ordered" not in unit.marks]
    return {unit.spec.id: f"{unit.spec.name} ({unit.spec.colour})" for unit in units}


def _is_apart(battle: Battle, scene: _Scene) -> bool:
    """Return True if a unit of an active company moves from outside its officer's zone (AFR-118)."""
    return is_outside_zone(battle, battle.units[scene.actor])


def _seconds(battle: Battle, scene: _Scene) -> Choices:
    """Return the units that could be the second of a platoon (AFR-298)."""
    chief = battle.commanders[scene.actor]
    units = [unit for unit in battle.side_units(chief.spec.side) if unit.hex not in battle.chiefs]
    return {"": "none", **{unit.spec.id: unit.spec.name for unit in units}}


def _edge_choices(battle: Battle, scene: _Scene) -> Choices:
    edges = _edges_of(battle, battle.units[scene.actor], table_of(battle).exits)
    return {edge: f"the {edge} edge" for edge in edges}


def _objects(battle: Battle, scene: _Scene) -> Choices:
    lying = [name for name, prize in battle.prizes.items() if not prize.carrier and not prize.taken_by]
    return {name: _name(scene, name) for name in lying}


def _has_quotas(battle: Battle) -> bool:
    return any(side.quota is not None for side in battle.sides.values())


def _places_count(battle: Battle, scene: _Scene) -> bool:
    """Return True if places score now: towards a quota, or because the battle ends with this player turn (AFR-051)."""
    return _has_quotas(battle) or battle.turn >= scene.game.plan.turn_limit


def _place_changes(battle: Battle, scene: _Scene) -> Choices:
    """Return the places that may have changed hands, each with its new holder (AFR-051)."""
    goals = scene.game.scenario.objectives
    found: dict[Any, str] = {}
    for key in scene.game.plan.places:
        owner = battle.owners.get(key, "")
        for side in battle.sides:
            if side != owner:
                found[key, side] = f"{goals[key].name}: {_name(scene, side)} stands there alone"
        if owner and battle.book.settings.objective_held == "while_there":
            found[key, ""] = f"{goals[key].name}: {_name(scene, owner)} has nobody there any more"
    for key in scene.game.plan.areas:
        goal = goals[key]
        if key not in battle.achieved:
            sources = goal.units or [unit.spec.source for unit in battle.units.values() if unit.spec.side in goal.by]
            for unit in battle.units.values():
                if unit.hex != OFF and unit.spec.source in sources:
                    found[key, unit.spec.id] = f"{goal.name}: {unit.spec.name} is there"
    return found


# --- Layouts: the answers become true on a copy of the battle -----------------------------------------------------------


def _lay_out_battle(battle: Battle, scene: _Scene) -> None:
    """Set range, ground and the way back of the target as people see them."""
    field, unit = table_of(battle), battle.units[scene.actor]
    way, hexes = scene[_IN_THE_WAY], scene["hexes"] or 1
    side = battle.field.enemy(unit.spec.side)
    was_at, attacker_at = _hex_of_target(battle, scene), unit.hex
    ground: dict[int, tuple[str, ...]] = {}
    if scene.target in battle.fliers:
        row = field.middle
        battle.fliers[scene.target].hex = field.spot(row)
    else:
        row, ground = lay_out_way_back(battle, scene.target, way)
    origin, cell = field.spot(field.behind(side, row, -hexes)), field.spot(row)
    put_stack(battle, attacker_at, origin)
    told = scene["ground"]
    kinds = {cell: [kind for whose, kind in told if whose == _TARGET]}
    back = field.spot(field.behind(side, row, 1))
    if scene["ground behind"]:
        kinds[back] = [kind for whose, kind in scene["ground behind"] if whose == _TARGET]
    kinds[origin] = ["hill" if kind == _HILLTOP else kind for whose, kind in told if whose == _OWN]
    hilltops = [origin] if (_OWN, _HILLTOP) in told else [cell]  # without any, each hill would count as a hilltop
    battle.field = field.laid_out({**ground, **kinds}, hilltops=hilltops)
    carry_structure(battle, was_at, cell)
    carry_structure(battle, attacker_at, origin)
    if scene["ladder"]:
        battle.ladders.append((cell, origin))


def _hex_of_target(battle: Battle, scene: _Scene) -> int:
    return battle.fliers[scene.target].hex if scene.target in battle.fliers else piece_named(battle, scene.target).hex


def _lay_out_air_attack(battle: Battle, scene: _Scene) -> None:
    """Put a flier, or a gun that fires at one, at its distance from its target, with the ground of the target."""
    field, hexes = table_of(battle), scene["hexes"] or 0
    row = field.middle
    ground: dict[int, tuple[str, ...]] = {}
    if scene.target in battle.fliers:
        battle.fliers[scene.target].hex = field.spot(row)
    else:
        was_at = piece_named(battle, scene.target).hex
        row, ground = lay_out_way_back(battle, scene.target, scene[_IN_THE_WAY])
        ground[field.spot(row)] = tuple([kind for _, kind in scene["ground"]])
    side = (battle.fliers.get(scene.actor) or battle.units[scene.actor]).spec.side
    origin = field.spot(field.behind(battle.field.enemy(side), row, -hexes))
    if scene.actor in battle.fliers:
        battle.fliers[scene.actor].hex = origin
    else:
        put_stack(battle, battle.units[scene.actor].hex, origin)
    battle.field = field.laid_out(ground)
    if scene.target in battle.units:
        carry_structure(battle, was_at, field.spot(row))


def _lay_out_flight(battle: Battle, scene: _Scene) -> None:
    """Put a flier into the arena, with its base where it takes off or lands: people see if that is allowed (AFR-260)."""
    field, flier = table_of(battle), battle.fliers[scene.actor]
    _, hexes = scene["flight"]
    flier.hex = field.spot(field.middle)
    battle.field = field.laid_out()
    battle.field.bases = {flier.spec.side: (flier.hex, field.spot(field.middle + hexes))}


def _lay_out_bombardment(battle: Battle, scene: _Scene) -> None:
    """Put a gun at its distance from a structure, on a hilltop if people say so."""
    field, unit = table_of(battle), battle.units[scene.actor]
    ring = field.grid.ring(scene["structure"], scene["hexes"])
    origin = next(cell for cell in ring if cell not in battle.here and cell not in battle.structures)
    put_stack(battle, unit.hex, origin)
    battle.field = field.laid_out(hilltops=[origin] if scene["hilltop"] else [scene["structure"]])


def _lay_out_ladder(battle: Battle, scene: _Scene) -> None:
    """Put a unit next to a wall, or so many hexes before it."""
    field, unit = table_of(battle), battle.units[scene.actor]
    foot = field.neighbours[scene["structure"]][0]
    ring = [cell for cell in field.neighbours[foot] if field.distance[cell][scene["structure"]] == 2]
    put_stack(battle, unit.hex, ring[0] if scene["hexes"] else foot)


def _lay_out_climb(battle: Battle, scene: _Scene) -> None:
    """Put a unit at the foot of a ladder."""
    foot = next(foot for wall, foot in battle.ladders if wall == scene["structure"])
    put_stack(battle, battle.units[scene.actor].hex, foot)


def _lay_out_move(battle: Battle, scene: _Scene) -> None:
    """Put a unit into the arena, with the ground that people tell at the end of its move."""
    field, unit = table_of(battle), battle.units[scene.actor]
    hexes, ground = scene["move"]
    start = field.spot(field.middle)
    company, site = battle.company_of(unit), unit.hex
    put_stack(battle, site, start)
    if "along" in unit.marks:
        nco = next(chief for chief in battle.side_commanders(unit.spec.side) if chief.along == scene.actor)
        put_stack(battle, nco.hex, field.spot(field.middle + hexes))
    elif company is not None and company.state == "active" and battle.commanders[company.officer].hex != start:
        was_near = site in field.zone[battle.commanders[company.officer].hex]
        away = 1 if was_near else hexes + 1 if scene["back"] else allowance(battle, unit) + _ROOM_TO_COME_BACK
        put_stack(battle, battle.commanders[company.officer].hex, field.spot(field.middle + away))
    kinds = {"": (), "no battle": _no_battle_ground(battle), "debris": ("debris",)}[ground]
    goal = _goal_of_move(battle, scene, unit_options(battle, unit, scene.game.plan))[1]
    battle.field = field.laid_out({goal: kinds})


def _lay_out_company(battle: Battle, scene: _Scene) -> None:
    """Bring the members of a new company into the zone of their officer."""
    if officer := _officer_of_company(scene):
        gather(battle, battle.commanders[officer], scene["units of the company"])


def _no_battle_ground(battle: Battle) -> tuple[str, ...]:
    terrain = battle.book.file.terrain
    return tuple([name for name, one in terrain.items() if one.no_battle and not one.closed][:1])


def _lay_out_commander(battle: Battle, scene: _Scene) -> None:
    """Put a commander next to where he goes."""
    field, chief = table_of(battle), battle.commanders[scene.actor]
    start = field.spot(field.middle)
    goal, left, right = field.neighbours[start][0], field.neighbours[start][1], field.neighbours[start][5]
    company = battle.company_led_by(chief)
    near = [battle.units[name] for name in company.members if is_in_zone(battle, battle.units[name])] if company else []
    if scene["unit"]:
        put_stack(battle, battle.units[scene["unit"]].hex, goal)
    for number, unit in enumerate(near):
        if unit.hex not in (goal, chief.hex):
            battle.move(unit, (left, right)[number % 2])
    for unit in battle.units_in(chief.hex):
        battle.move(unit, start)
    battle.place(chief, start)


def _lay_out_exit(battle: Battle, scene: _Scene) -> None:
    """Put a unit at the edge over which it leaves (AFR-090)."""
    row = battle.field.grid.edge_row(scene["edge"])
    put_stack(battle, battle.units[scene.actor].hex, row[len(row) // 2])


def _lay_out_capture(battle: Battle, scene: _Scene) -> None:
    """Put a unit next to a wounded character (AFR-043)."""
    field = table_of(battle)
    start = field.spot(field.middle)
    put_stack(battle, battle.units[scene.actor].hex, start)
    battle.place(battle.commanders[scene.target], field.neighbours[start][0])


def _lay_out_places(battle: Battle, scene: _Scene) -> None:
    """Put a piece of the new holder into each place, and of the old one into all others."""
    told = scene["places"]
    holders = dict(battle.owners) | {key: side for key, side in told if key in scene.game.plan.places}
    for key, (cell, *_) in scene.game.plan.places.items():
        side = holders.get(key, "")
        names = [unit.spec.id for unit in battle.side_units(side)] if side else []
        if names:
            battle.here[cell] = (names[0],)
    battle.held = None
    for key, name in told:
        if key in scene.game.plan.areas:
            battle.move(battle.units[name], *scene.game.plan.areas[key])


def _lay_out_way_back(battle: Battle, scene: _Scene) -> None:
    way = scene[_IN_THE_WAY]
    if way != _NOTHING:
        _, ground = lay_out_way_back(battle, way[2], way)
        battle.field = table_of(battle).laid_out(ground)


# --- Acts: the functions of play ----------------------------------------------------------------------------------------


def _done(battle: Battle, name: str) -> None:
    battle.waiting = [waiting for waiting in battle.waiting if waiting != name]


def _deal(table: Table, battle: Battle, scene: _Scene) -> None:
    _done(battle, TO_DO)
    deal(table, battle)


def _decide_first(table: Table, battle: Battle, scene: _Scene) -> None:
    _done(battle, TO_DO)
    scene.game.sequence.first(table, battle)
    _clear_places(battle, scene)


def _clear_places(battle: Battle, scene: _Scene) -> None:
    """Take the markers of holders out of the places again."""
    for cell, *_ in scene.game.plan.places.values():
        battle.here.pop(cell, None)
    battle.held = None


def _arrive(table: Table, battle: Battle, scene: _Scene) -> None:
    _done(battle, scene.actor)
    plan = replace(scene.game.plan, entries={scene.actor: [free_site(battle)]})
    bring_on(table, battle, plan, scene.game.scenario, scene.actor)


def _play_card(table: Table, battle: Battle, scene: _Scene) -> None:
    _done(battle, TO_DO)
    scene.game.sequence.card(table, battle)


def _give_orders(table: Table, battle: Battle, scene: _Scene) -> None:
    """Give the orders that people name; without any, no more follow (AFR-061, AFR-062)."""
    card, side = battle.book.cards[battle.card], battle.active
    for order in scene[_WHO]:
        if order not in order_options(battle, side, card, battle.slots):
            name = _order_phrase(battle, scene, Choose("order", "AFR-062", side, side, (), ()), order)
            raise ZarebaError(f"no order of '{card.title}' is left for {name} (AFR-064)")
        give_order(table, battle, order, card)
    if not scene[_WHO] or not any(battle.slots.values()):
        _done(battle, TO_DO)
        scene.game.sequence.show_or_hide(table, battle)


def _form_at_start(table: Table, battle: Battle, scene: _Scene) -> None:
    form_company(table, battle, battle.commanders[scene.actor], "active")


def _reunite(table: Table, battle: Battle, scene: _Scene) -> None:
    """Reactivate a company whose units are all around its officer again (AFR-121)."""
    company = battle.company_led_by(battle.commanders[scene.actor])
    assert company is not None, "only officers with a suspended company may do it"
    gather(battle, battle.commanders[scene.actor], company.members)
    company.state = "active"
    table.emit("company", "AFR-121", officer=scene.actor, members=tuple(company.members), hex=OFF)


def _come_into_zone(table: Table, battle: Battle, scene: _Scene) -> None:
    """Note that a member of a company stands in its officer's zone."""
    company = battle.company_of(battle.units[scene.actor])
    assert company is not None, "only members of companies may do it"
    gather(battle, battle.commanders[company.officer], [scene.actor])


def _leave_zone(table: Table, battle: Battle, scene: _Scene) -> None:
    """Note that a member of a company is no longer in its officer's zone."""
    battle.field = table_of(battle).with_near(battle, table_of(battle).near - {scene.actor})


def _choose_member(battle: Battle, scene: _Scene, question: Choose) -> Answer:
    """Choose the next unit that people have named for a company, or no more."""
    wanted = [name for name in scene["units of the company"] if name in question.options]
    if not wanted and question.options[0] in battle.units:
        sizes = battle.book.company
        raise ZarebaError(
            f"a company has {sizes.least} to {sizes.most} units in {sizes.colours} colours, all in the officer's hex or "
            "next to it (AFR-111, AFR-112)"
        )
    return wanted[0] if wanted else question.options[0]


def _name_second(table: Table, battle: Battle, scene: _Scene) -> None:
    """Name the unit next to a commander that belongs to his platoon, where a hex holds one unit (AFR-298)."""
    chief = battle.commanders[scene.actor]
    chief.second = scene["second"]
    for other in battle.commanders.values():
        if other is not chief and other.second == chief.second:
            other.second = ""
    if chief.second and battle.field.distance[battle.units[chief.second].hex][chief.hex] != 1:
        put_stack(battle, battle.units[chief.second].hex, free_next_to(battle, chief.hex))
        table.emit("stand together", "AFR-298", unit=chief.second, friend=scene.actor)


def _face_events(table: Table, battle: Battle, scene: _Scene) -> None:
    _done(battle, TO_DO)
    face_events(table, battle)


def _move(table: Table, battle: Battle, scene: _Scene) -> None:
    move_unit(table, battle, battle.units[scene.actor], scene.game.plan)


def _move_commander(table: Table, battle: Battle, scene: _Scene) -> None:
    move_commander(table, battle, battle.commanders[scene.actor])
    battle.commanders[scene.actor].mark("moved")


def _target(battle: Battle, scene: _Scene) -> Target:
    """Return the target of an act as play names it."""
    if scene.target in battle.fliers:
        return ("parked", scene.target)
    unit = battle.units.get(scene.target)
    return ("hex", unit.hex) if unit is not None else ("commander", scene.target)


def _fight(table: Table, battle: Battle, scene: _Scene) -> None:
    unit = battle.units[scene.actor]
    if fight(table, battle, unit, _legal_target(battle, scene)):
        battle.waiting = [*battle.waiting, unit.spec.id]


def _fight_again(table: Table, battle: Battle, scene: _Scene) -> None:
    unit = battle.units[scene.actor]
    _done(battle, scene.actor)
    strike(table, battle, unit, _legal_target(battle, scene))
    unit.shots += 1


def _legal_target(battle: Battle, scene: _Scene) -> Target:
    """Return the target if the rules allow it. Raises ZarebaError with the reason if they do not."""
    unit, target = battle.units[scene.actor], _target(battle, scene)
    if target in all_targets(battle, unit, second=unit.shots > 0):
        return target
    name, goal = unit.spec.name, _name(scene, scene.target)
    cell = battle.fliers[scene.target].hex if scene.target in battle.fliers else piece_named(battle, scene.target).hex
    other = battle.units.get(scene.target)
    far = battle.field.distance[unit.hex][cell] > 1
    ground = battle.ground(cell)
    if ground.shelters(
        battle.field.distance[unit.hex][cell], walks=unit.profile.walks, gun=battle.book.counts_as_gun(unit.profile)
    ):
        why = "only guns, and foot from the next hex, attack into a depression (AFR-134)"
    elif dice_of(battle, unit, unit.hex, cell) <= 0:
        why = "no dice are left (AFR-182)"
    elif far and ("no_far" in unit.marks or battle.in_force("ev_sandstorm")):
        why = "an event forbids battles beyond the next hex (AFR-340)"
    elif far and other is not None and "engaged" in other.marks:
        why = f"{goal} was in close combat this turn (AFR-168)"
    else:
        why = "the rules do not allow it (AFR-162, AFR-164, AFR-320)"
    raise ZarebaError(f"{name} cannot battle {goal}: {why}")


def _hold_fire(table: Table, battle: Battle, scene: _Scene) -> None:
    spend_battle(battle, battle.units[scene.actor])


def _fly(table: Table, battle: Battle, scene: _Scene) -> None:
    fly(table, battle, battle.fliers[scene.actor])


def _attack_from_air(table: Table, battle: Battle, scene: _Scene) -> None:
    flier = battle.fliers[scene.actor]
    unit = battle.units.get(scene.target)
    kind = "bomb" if not scene["hexes"] else "hex"
    target: Target = ("flier", scene.target) if unit is None else (kind, unit.hex)
    if target not in air_targets(battle, flier):
        raise ZarebaError(
            f"{flier.spec.name} cannot attack {_name(scene, scene.target)} there (AFR-168, AFR-269, AFR-295)"
        )
    strike_from_air(table, battle, flier, target)


def _fire_at_flier(table: Table, battle: Battle, scene: _Scene) -> None:
    unit, target = battle.units[scene.actor], ("flier", scene.target)
    if target not in all_targets(battle, unit):
        raise ZarebaError(f"{unit.spec.name} cannot fire at {_name(scene, scene.target)} at that range (AFR-276)")
    fight(table, battle, unit, target)


def _bombard(table: Table, battle: Battle, scene: _Scene) -> None:
    unit, target = battle.units[scene.actor], ("structure", scene["structure"])
    if target not in all_targets(battle, unit):
        raise ZarebaError(f"{unit.spec.name} has no dice left at that range (AFR-182, AFR-311)")
    fight(table, battle, unit, target)


def _occupy(table: Table, battle: Battle, scene: _Scene) -> None:
    """Note that a piece stands in a structure; troops in a fort may keep out of sight (AFR-316)."""
    piece, cell = piece_named(battle, scene.actor), scene["structure"]
    if battle.held_by_enemy(cell, piece.spec.side) or len(battle.here.get(cell, ())) >= battle.book.room:
        raise ZarebaError(f"{table_of(battle).structure_names[cell]} has no room for {piece.spec.name} (AFR-081)")
    put(battle, piece, cell)
    table.emit("stand in", "AFR-316", unit=scene.actor, hex=cell)
    if isinstance(piece, Unit):
        set_exposure(table, battle, piece)


def _work_gates(table: Table, battle: Battle, scene: _Scene) -> None:
    for cell in scene["gates"]:
        state = battle.structures[cell]
        state.open = not state.open
        table.emit("gate", "AFR-328", hex=cell, open=state.open)


def _mount(table: Table, battle: Battle, scene: _Scene) -> None:
    mount(table, battle.units[scene.actor])


def _draw(table: Table, battle: Battle, scene: _Scene) -> None:
    discard_played_card(table, battle)


def _close(table: Table, battle: Battle, scene: _Scene) -> None:
    _done(battle, TO_DO)
    if not _has_quotas(battle):  # the end of the battle decides, when nobody stands in the places of the book any more
        battle.achieved |= {key: side for key, side in scene["places"] if key in scene.game.plan.places and side}
    scene.game.sequence.close(table, battle)
    _clear_places(battle, scene)


def _reach_object(table: Table, battle: Battle, scene: _Scene) -> None:
    """Note that an object lies in the hex of a unit, which takes it at the end of the player turn (AFR-051)."""
    battle.prizes[scene["object"]].hex = battle.units[scene.actor].hex


def _join(table: Table, battle: Battle, scene: _Scene) -> None:
    """Put a piece into the hex of a friend."""
    put(battle, piece_named(battle, scene.actor), piece_named(battle, scene.target).hex)
    table.emit("stand together", "AFR-081", unit=scene.actor, friend=scene.target)


def _part(table: Table, battle: Battle, scene: _Scene) -> None:
    """Give a piece a hex of its own."""
    put(battle, piece_named(battle, scene.actor), free_site(battle))
    table.emit("stand apart", "AFR-081", unit=scene.actor)


# --- Answers to questions that people have answered already ---------------------------------------------------------------


_Settle = Callable[[Battle, _Scene, Any], Answer]


def _take(wanted: Callable[[Battle, _Scene], Answer]) -> _Settle:
    """Return a function that takes an option if the rules offer it, and otherwise the first one."""

    def answer(battle: Battle, scene: _Scene, question: Choose) -> Answer:
        option = wanted(battle, scene)
        return option if option in question.options else question.options[0]

    return answer


def _go(battle: Battle, scene: _Scene, question: Choose) -> Answer:
    return _goal_of_move(battle, scene, question.options)


def _goal_of_move(battle: Battle, scene: _Scene, options: Sequence[Any]) -> Answer:
    """Return a move of the hexes that people tell, with the commander if he goes along."""
    unit, (hexes, _) = battle.units[scene.actor], scene["move"]
    together = bool(scene["its commander goes along"]) and _has_free_commander(battle, scene)
    verb = "with" if together else "to"
    for option in options:
        if isinstance(option, tuple) and option[0] == verb and steps_to(battle, unit, option[1], together) == hexes:
            return option
    raise ZarebaError(f"{unit.spec.name} cannot move {amount(hexes, 'hex', 'hexes')}{' with its commander' * together}")


def _leave(battle: Battle, scene: _Scene, question: Choose) -> Answer:
    if LEAVE not in question.options:
        raise ZarebaError(f"{_name(scene, scene.actor)} may not leave the table there (AFR-090)")
    return LEAVE


def _capture(battle: Battle, scene: _Scene, question: Choose) -> Answer:
    goal = ("to", battle.commanders[scene.target].hex)
    if goal not in question.options:
        raise ZarebaError(f"{_name(scene, scene.actor)} cannot capture {_name(scene, scene.target)} now (AFR-043)")
    return goal


def _go_to_unit(battle: Battle, scene: _Scene, question: Choose) -> Answer:
    """Go to the hex that the layout has made the goal."""
    chief = battle.commanders[scene.actor]
    goal = battle.field.neighbours[chief.hex][0]
    if goal not in question.options:
        raise ZarebaError(f"{chief.spec.name} cannot go there: he must keep his company together (AFR-119)")
    return goal


def _react(battle: Battle, scene: _Scene, question: Choose) -> Answer:
    if any(event.kind == "breakthrough" for event in scene.events):
        return None  # a second battle: the defender decides anew
    return WITHDRAW if scene["reaction"] == _RETREATS else STAND


def _defend(battle: Battle, scene: _Scene, question: Choose) -> Answer:
    return None if scene["reaction"] == _ASK else DEFEND


def _answer_flags(battle: Battle, scene: _Scene, question: Choose) -> Answer:
    """Ignore or save as many flags as the rules allow, unless the defender wants to decide."""
    return None if scene["reaction"] == _ASK else question.options[0]


def _take_flight(battle: Battle, scene: _Scene, question: Choose) -> Answer:
    """Take the flight that people tell: straight on, into the middle column of the arena."""
    verb, hexes = scene["flight"]
    goal = table_of(battle).spot(table_of(battle).middle + hexes)
    if (verb, goal) not in question.options:
        raise ZarebaError(f"{_name(scene, scene.actor)} cannot {verb} now (AFR-260, AFR-263, AFR-283)")
    return verb, goal


def _put_up(battle: Battle, scene: _Scene, question: Choose) -> Answer:
    """Go to the foot of the wall, if people tell a move, and put up the ladder."""
    wall = scene["structure"]
    options = [("ladder", wall), wall, ("to", battle.field.neighbours[wall][0])]
    found = next((option for option in options if option in question.options), None)
    if found is None:
        raise ZarebaError(f"{_name(scene, scene.actor)} cannot put up its ladder there (AFR-330)")
    return found


def _climb_to(battle: Battle, scene: _Scene, question: Choose) -> Answer:
    if ("to", scene["structure"]) not in question.options:
        raise ZarebaError(f"{_name(scene, scene.actor)} cannot climb there: enemies or two units hold it (AFR-331)")
    return "to", scene["structure"]


def _throw_down(battle: Battle, scene: _Scene, question: Choose) -> Answer:
    return next(
        (one for one in question.options if isinstance(one, tuple) and one[0] == "throw down"), question.options[0]
    )


def _same_second(battle: Battle, scene: _Scene, question: Choose) -> Answer:
    """Keep the second unit of a platoon; people name another one by an act of its own (AFR-298)."""
    second = battle.commanders[question.actor].second
    return second if second in question.options else question.options[-1]


def _step_back(battle: Battle, scene: _Scene, question: Choose) -> Answer:
    return straight_back(battle, question.options)


# --- The companion --------------------------------------------------------------------------------------------------------


_WAY_BACK: Asked[Battle] = Asked(
    _IN_THE_WAY, _way_back_question, default=_NOTHING, choices=_ways_back, after=_is_driven_back
)
_PLACES: Asked[Battle] = Asked(
    "places",
    "Which of these has happened at the places of the scenario?",
    default=(),
    choices=_place_changes,
    when=_places_count,
    many=True,
)
_BATTLE_ASKS: tuple[Asked[Battle], ...] = (
    Asked(
        "attacked",
        "The units in the hex of {target} are of two types: which one does the defender choose?",
        choices=_units_with_target,
        when=_of_two_types,
    ),
    Asked(
        "hexes",
        "How many hexes from {actor} to {target}?",
        choices=_hexes_to_target,
        unit="hexes",
        measured=_checked_range,
    ),
    Asked("ground", "Ground that matters? (Enter: both in the open)", default=(), choices=_grounds, many=True),
    Asked("reaction", "How does {target} react?", default=_USUAL, choices=_reactions, when=_may_react),
    Asked("ladder", "Does {actor} stand at the foot of a ladder there?", default=False, kind=bool, when=_has_ladder),
    _WAY_BACK,
    Asked(
        "ground behind",
        "Ground of {target} now, for a second battle? (Enter: open)",
        default=(),
        choices=_grounds_of_target,
        after=_may_fight_on,
        many=True,
    ),
)
_BATTLE_SETTLED: dict[str, _Settle] = {
    "which unit is attacked": _take(lambda battle, scene: scene["attacked"] or scene.target),
    "defender": _react,
    "defence": _defend,
    "flags": _answer_flags,
    "first flag": _answer_flags,
    "flags accepted": _answer_flags,
    "flags to save": _answer_flags,
    "retreat to": _step_back,
    "second unit": _same_second,
}

_MEMBERS: Asked[Battle] = Asked(
    "units of the company", _members_question, default=(), choices=_recruits, when=_forms_company, many=True
)

ACTS: tuple[CompanionAct[Battle], ...] = (
    CompanionAct(
        name="company",
        title="form a company at the start",
        rule="AFR-110",
        run=_form_at_start,
        actors=lambda battle: _founders(battle) if battle.stage == "companies" else [],
        asks=(_MEMBERS,),
        lay_out=_lay_out_company,
        settled={"company of": _choose_member},
    ),
    CompanionAct(
        name="deal",
        title="deal the hands",
        rule="AFR-044",
        run=_deal,
        actors=_nobody,
        out_of_turn=False,
        has_odds=False,
    ),
    CompanionAct(
        name="first",
        title="decide who goes first",
        rule="AFR-046",
        run=_decide_first,
        actors=_nobody,
        asks=(replace(_PLACES, question="Which places does a side hold at the start?"),),
        lay_out=_lay_out_places,
        out_of_turn=False,
        has_odds=False,
    ),
    CompanionAct(
        name="arrive",
        title="arrive",
        rule="AFR-047",
        run=_arrive,
        actors=lambda battle: [name for name in battle.waiting if name in battle.arrivals],
    ),
    CompanionAct(
        name="card",
        title="play a command card",
        rule="AFR-059",
        run=_play_card,
        actors=_nobody,
        out_of_turn=False,
        has_odds=False,
    ),
    CompanionAct(
        name="orders",
        title="give orders",
        rule="AFR-062",
        run=_give_orders,
        actors=_nobody,
        asks=(Asked(_WHO, _orders_question, default=(), choices=_order_choices, many=True), _MEMBERS),
        lay_out=_lay_out_company,
        settled={"company of": _choose_member},
        out_of_turn=False,
        has_odds=False,
    ),
    CompanionAct(
        name="event",
        title="turn over an event card",
        rule="AFR-067",
        run=_face_events,
        actors=_nobody,
        asks=(_WAY_BACK,),
        lay_out=_lay_out_way_back,
        settled={"retreat to": _step_back, "second unit": _same_second},
        out_of_turn=False,
        has_odds=False,
    ),
    CompanionAct(
        name="move",
        title="move",
        rule="AFR-078",
        run=_move,
        actors=_movers,
        asks=(
            Asked("move", "How far does {actor} move?", choices=_move_choices),
            Asked("its commander goes along", _commander_question, default=True, kind=bool, when=_has_free_commander),
            Asked(
                "back", "Does {actor} end next to its officer, or in his hex?", default=False, kind=bool, when=_is_apart
            ),
        ),
        lay_out=_lay_out_move,
        settled={"move": _go, "second unit": _same_second},
    ),
    CompanionAct(
        name="dismount",
        title="dismount",
        rule="AFR-091",
        run=_move,
        actors=_riders,
        settled={"move": _take(lambda battle, scene: DISMOUNT)},
    ),
    CompanionAct(
        name="commander",
        title="move, as a commander",
        rule="AFR-040",
        run=_move_commander,
        actors=_ordered_commanders,
        asks=(Asked("unit", "In the hex of which unit does {actor} end his move?", default="", choices=_stations),),
        lay_out=_lay_out_commander,
        settled={"commander to": _go_to_unit, "second unit": _same_second},
    ),
    CompanionAct(
        name="leave",
        title="leave the table",
        rule="AFR-090",
        run=_move,
        actors=_leavers,
        asks=(Asked("edge", "Over which edge?", choices=_edge_choices),),
        lay_out=_lay_out_exit,
        settled={"move": _leave},
    ),
    CompanionAct(
        name="capture",
        title="capture a wounded character in the next hex",
        rule="AFR-043",
        run=_move,
        actors=_captors,
        targets=_wounded,
        lay_out=_lay_out_capture,
        settled={"move": _capture},
    ),
    CompanionAct(
        name="object",
        title="reach an object",
        rule="AFR-051",
        run=_reach_object,
        actors=_takers,
        asks=(Asked("object", "Which object lies in the hex of {actor}?", choices=_objects),),
    ),
    CompanionAct(
        name="fly",
        title="fly",
        rule="AFR-265",
        run=_fly,
        actors=_ordered_fliers,
        asks=(Asked("flight", "What does {actor} do?", choices=_flights),),
        lay_out=_lay_out_flight,
        settled={"fly": _take_flight},
    ),
    CompanionAct(
        name="ladder",
        title="put up its ladder",
        rule="AFR-330",
        run=_move,
        actors=_ladder_bearers,
        asks=(
            Asked("structure", "Against which structure does {actor} put up its ladder?", choices=_enemy_structures),
            Asked("hexes", "How many hexes does {actor} move first?", default=0, choices=_hexes_to_wall),
        ),
        lay_out=_lay_out_ladder,
        settled={"move": _put_up, "ladder at": _put_up, "second unit": _same_second},
    ),
    CompanionAct(
        name="climb",
        title="climb a ladder that stands",
        rule="AFR-331",
        run=_move,
        actors=_climbers,
        asks=(Asked("structure", "Onto which structure does {actor} climb?", choices=_walls_with_ladders),),
        lay_out=_lay_out_climb,
        settled={"move": _climb_to, "second unit": _same_second},
    ),
    CompanionAct(
        name="throw_down",
        title="throw down a ladder",
        rule="AFR-335",
        run=_move,
        actors=_ladder_throwers,
        settled={"move": _throw_down},
    ),
    CompanionAct(
        name="gate",
        title="open or shut gates",
        rule="AFR-328",
        run=_work_gates,
        actors=_nobody,
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
        name="battle",
        title="battle",
        rule="AFR-162",
        run=_fight,
        actors=_fighters,
        targets=_enemies,
        facts=DiceFacts,
        asks=_BATTLE_ASKS,
        lay_out=_lay_out_battle,
        settled=_BATTLE_SETTLED,
    ),
    CompanionAct(
        name="again",
        title="fire a second time",
        rule="AFR-165",
        run=_fight_again,
        actors=_fire_again,
        targets=_enemies_again,
        facts=DiceFacts,
        asks=_BATTLE_ASKS,
        lay_out=_lay_out_battle,
        settled=_BATTLE_SETTLED,
    ),
    CompanionAct(
        name="bombard",
        title="bombard a structure",
        rule="AFR-311",
        run=_bombard,
        actors=_bombarders,
        asks=(
            Asked("structure", "Which structure does {actor} bombard?", choices=_enemy_structures),
            Asked("hexes", "How many hexes away is it?", choices=_hexes_to_structure, unit="hexes", measured=_whole),
            Asked("hilltop", "Does {actor} stand on a hilltop?", default=False, kind=bool, when=_is_gun_with_hilltop),
        ),
        facts=DiceFacts,
        lay_out=_lay_out_bombardment,
    ),
    CompanionAct(
        name="from_air",
        title="attack from the air",
        rule="AFR-269",
        run=_attack_from_air,
        actors=_flying_fighters,
        targets=_targets_from_air,
        facts=DiceFacts,
        asks=(
            Asked(
                "hexes",
                "How many hexes from {actor} to {target}?",
                choices=_hexes_in_air,
                unit="hexes",
                measured=_checked_air_range,
            ),
            Asked(
                "ground",
                "Ground of {target}? (Enter: open)",
                default=(),
                choices=_grounds_from_air,
                when=_is_on_ground,
                many=True,
            ),
            Asked("reaction", "How does {target} react?", default=_USUAL, choices=_air_reactions, when=_is_on_ground),
            _WAY_BACK,
        ),
        lay_out=_lay_out_air_attack,
        settled=_BATTLE_SETTLED | {"which unit is attacked": _take(lambda battle, scene: scene.target)},
    ),
    CompanionAct(
        name="anti_air",
        title="fire at an aircraft or airship",
        rule="AFR-276",
        run=_fire_at_flier,
        actors=_anti_aircraft,
        targets=_flying_enemies,
        facts=DiceFacts,
        asks=(
            Asked(
                "hexes",
                "How many hexes from {actor} to {target}?",
                choices=_hexes_in_air,
                unit="hexes",
                measured=_checked_air_range,
            ),
        ),
        lay_out=_lay_out_air_attack,
    ),
    CompanionAct(
        name="hold",
        title="give up its battle of this turn",
        rule="AFR-162",
        run=_hold_fire,
        actors=lambda battle: [unit.spec.id for unit in _own_units(battle) if may_battle(battle, unit)],
    ),
    CompanionAct(name="mount", title="mount", rule="AFR-092", run=_mount, actors=_mounting),
    CompanionAct(
        name="draw",
        title="discard the card played and draw another",
        rule="AFR-072",
        run=_draw,
        actors=_nobody,
        out_of_turn=False,
        has_odds=False,
    ),
    CompanionAct(
        name="end",
        title="end the player turn",
        rule="AFR-051",
        run=_close,
        actors=_nobody,
        asks=(_PLACES,),
        lay_out=_lay_out_places,
        out_of_turn=False,
        has_odds=False,
    ),
    CompanionAct(
        name="join",
        title="stand in the hex of a friend",
        rule="AFR-081",
        run=_join,
        actors=_joiners,
        targets=_friends_apart,
    ),
    CompanionAct(
        name="reunite",
        title="take control of his company again, all around him",
        rule="AFR-121",
        run=_reunite,
        actors=_deserted,
    ),
    CompanionAct(
        name="near",
        title="stand next to its officer, or in his hex",
        rule="AFR-112",
        run=_come_into_zone,
        actors=_members_apart,
    ),
    CompanionAct(
        name="away",
        title="stand farther than the next hex from its officer",
        rule="AFR-118",
        run=_leave_zone,
        actors=_members_near,
    ),
    CompanionAct(
        name="second",
        title="name the second unit of his platoon",
        rule="AFR-298",
        run=_name_second,
        actors=_platoon_leaders,
        asks=(Asked("second", "Which unit in a hex next to {actor} belongs to his platoon?", choices=_seconds),),
    ),
    CompanionAct(name="part", title="stand in a hex of its own", rule="AFR-081", run=_part, actors=_stacked),
)

MOVES = ("move", "dismount", "commander", "fly", "ladder", "climb", "throw_down", "capture", "leave", "object", "join")
BATTLES = ("battle", "again", "bombard", "from_air", "anti_air")
"""The acts of the stage of moves, in the order in which they are offered."""
DUE = {"deal": "deal", "first": "first", "event": "event", "close": "end", "orders": "orders"}
"""The act that the rules demand in a stage, once."""
