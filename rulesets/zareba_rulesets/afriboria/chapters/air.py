"""Aircraft and airships: flights and air battles."""

from __future__ import annotations

from typing import Any

from zareba.chance import counts
from zareba.rules import procedure
from zareba.table import Table
from zareba_rulesets.afriboria.book import AfrBook
from zareba_rulesets.afriboria.chapters.combat import (
    bonus_dice,
    choose_target_unit,
    dice_facts,
    dice_lost_to_rain,
    dice_of,
    emit_attack,
    is_covered,
    is_steadied,
    lend_die,
    may_strike,
    offer_withdrawal,
    retreat_after_attack,
)
from zareba_rulesets.afriboria.chapters.exchange import (
    DiceFacts,
    Exchange,
    ExchangeFacts,
    attack,
    count_saves,
    is_jammed,
)
from zareba_rulesets.afriboria.chapters.losses import lose_figures, shoot_down
from zareba_rulesets.afriboria.forces.battle import Battle, reach_of
from zareba_rulesets.afriboria.forces.pieces import OFF, Flier, Unit

# --- Flights of aircraft and airships (chapters 17 and 18) ------------------------------------------------------------


_CIRCLE = "circle"


def count_down_fuel(battle: Battle) -> None:
    """Count down the fuel of each aircraft in the air at the start of every player turn (AFR-262).

    The owner's turn that starts on 1 is its last. Airships never have to land (AFR-284).
    """
    for flier in battle.fliers.values():
        if flier.airborne and flier.spec.kind == "aircraft":
            flier.fuel = max(1, flier.fuel - 1)
            if flier.fuel == 1 and flier.spec.side == battle.active:
                flier.mark("land")


def crash_overdue_aircraft(table: Table, battle: Battle) -> None:
    """Crash aircraft that had to land and did not, at the end of their turn (AFR-262)."""
    for flier in battle.fliers.values():
        if flier.airborne and "land" in flier.marks and flier.spec.side == battle.active:
            shoot_down(table, battle, flier, "crashed", "AFR-262")


def _truck_hexes(battle: Battle, side: str) -> list[int]:
    """Return the present hexes of a side's supply trucks, those of their carriers; trucks still to arrive have none."""
    trucks = [battle.carried_objects[name] for name in battle.field.trucks.get(side, ())]
    carriers = [battle.units[truck.carrier].hex if truck.carrier else OFF for truck in trucks]
    cells = [truck.hex if cell == OFF else cell for truck, cell in zip(trucks, carriers, strict=True)]
    return [cell for cell in cells if cell != OFF]


def _base_hexes(battle: Battle, side: str) -> list[int]:
    """Return the hexes of a side's bases: airfields and supply trucks (AFR-260)."""
    return [*battle.field.bases.get(side, ()), *_truck_hexes(battle, side)]


def distance_from_base(battle: Battle, side: str, cell: int) -> int:
    """Return the distance from a hex to the nearest base of a side (AFR-260); 0 for a side without one."""
    return min([battle.field.distance[base][cell] for base in _base_hexes(battle, side)], default=0)


def may_land(battle: Battle, flier: Flier, cell: int) -> bool:
    """Return True if a flier may land or take off in a hex.

    An aircraft needs an empty hex of open ground in the zone of a base (AFR-260). An airship needs an empty, flat hex
    without buildings or woods (AFR-283). A supply truck occupies its hex.
    """
    trucks = _truck_hexes(battle, flier.spec.side) + _truck_hexes(battle, battle.field.enemy(flier.spec.side))
    if cell in battle.here or cell in battle.chiefs or cell in trucks:
        return False
    others = battle.fliers.values()
    if any(other is not flier and not other.airborne and other.hex == cell for other in others):
        return False
    kinds = battle.ground(cell).kinds
    if flier.spec.kind == "airship":
        return not {"hill", "building", "wood", "impassable"} & set(kinds)
    return not kinds and any(battle.field.distance[base][cell] <= 1 for base in _base_hexes(battle, flier.spec.side))


def flight_options(battle: Battle, flier: Flier) -> list[Any]:
    """Return the options of an ordered flier: take off (AFR-264), fly (AFR-265, AFR-286), land (AFR-282) or circle
    (AFR-267).

    Fliers pass over everything (AFR-261). A sandstorm allows only landing and circling.
    """
    entry = battle.book.file.air[flier.spec.kind]  # type: ignore[index]  # aircraft or airship
    distance, cells = battle.field.distance, battle.field.grid.cells
    hexes_with_action = 0 if "passive" in flier.marks else entry.act
    if not flier.airborne:
        is_grounded = "passive" in flier.marks or battle.in_force("ev_sandstorm") or battle.turn <= flier.landed
        if is_grounded or not may_land(battle, flier, flier.hex):
            return [_CIRCLE]
        return [_CIRCLE, *(("take off", cell) for cell in cells if distance[flier.hex][cell] <= hexes_with_action)]
    options: list[Any] = [_CIRCLE]
    if "passive" not in flier.marks:
        near = [cell for cell in cells if distance[flier.hex][cell] <= hexes_with_action]
        options += [("land", cell) for cell in near if may_land(battle, flier, cell)]
        if not battle.in_force("ev_sandstorm"):
            options += [("fly", cell) for cell in cells if 0 < distance[flier.hex][cell] <= entry.fly]
    return options


@procedure("air.flight")
def fly(table: Table, battle: Battle, flier: Flier) -> None:
    """Fly an ordered aircraft or airship; each flight is an order (AFR-266, AFR-285).

    It takes off with full fuel and new bombs (AFR-263).
    """
    side, entry = flier.spec.side, battle.book.file.air[flier.spec.kind]  # type: ignore[index]  # aircraft or airship
    choice = table.choose(side, flight_options(battle, flier), why="fly", rule="AFR-265", actor=flier.spec.id)
    flier.mark("moved")
    if choice == _CIRCLE:
        return
    verb, cell = choice
    flier.flown = battle.field.distance[flier.hex][cell]
    flier.hex = cell
    if verb == "take off":
        flier.airborne, flier.fuel, flier.bombs = True, entry.turns, entry.bombs if flier.spec.bombs else 0
        flier.mark("acted")
    elif verb == "land":
        flier.airborne, flier.landed = False, battle.turn
        flier.mark("acted")
        flier.unmark("land")
    table.emit("flight", "AFR-265", unit=flier.spec.id, hex=cell, act=verb)


# --- Battles in the air and from the air, and attacks on flying or parked aircraft (chapters 17 and 18) ---------------


_AT_FLIERS = counts("hits", "shields")


def air_targets(battle: Battle, flier: Flier) -> list[tuple[str, Any]]:
    """Return the targets of a flier that flew at most 2 hexes; it uses one weapon an order (AFR-294).

    ("hex", hex) within 2 hexes with its gun, ("bomb", hex) beneath it, ("flier", id) within 3 hexes (AFR-269, AFR-270,
    AFR-272, AFR-287, AFR-288, AFR-289).
    """
    if not flier.airborne or "acted" in flier.marks or battle.in_force("ev_sandstorm"):
        return []
    if flier.flown > battle.book.file.air[flier.spec.kind].act:  # type: ignore[index]  # aircraft or airship
        return []
    side, distance = flier.spec.side, battle.field.distance
    targets: list[tuple[str, Any]] = []
    reach = len(battle.book.file.air_ground_dice.dice)
    for cell in sorted(battle.here):
        hex_distance = distance[flier.hex][cell]
        if (
            battle.units[battle.here[cell][0]].spec.side == side
            or hex_distance > reach
            or not exposed_units(battle, cell)
        ):
            continue
        if (
            hex_distance
            and flier.spec.gun
            and _air_dice(battle, battle.book.file.air_ground_dice.dice[hex_distance - 1], hex_distance, cell)
        ):
            targets.append(("hex", cell))
        elif not hex_distance and flier.bombs and _air_dice(battle, battle.book.file.bomb_dice.dice[0], 0, cell):
            targets.append(("bomb", cell))
    if flier.spec.gun:
        targets += [
            ("flier", other.spec.id)
            for other in battle.fliers.values()
            if other.airborne
            and other.spec.side != side
            and distance[flier.hex][other.hex] <= len(battle.book.air_dice)
            and not (flier.spec.kind == other.spec.kind == "airship")  # AFR-295
        ]
    return targets


def exposed_units(battle: Battle, cell: int) -> list[Unit]:
    """Return the units of a hex that can be attacked from the air (AFR-168, AFR-315, AFR-320)."""
    protected = {"engaged", "unexposed"}
    return [unit for unit in battle.units_in(cell) if not unit.marks & protected and not is_covered(battle, unit)]


def _air_facts(battle: Battle, row: int, distance: int, cell: int) -> DiceFacts:
    """Return the facts for the dice of an attack from the air on a hex (AFR-269, AFR-340)."""
    card = -dice_lost_to_rain(battle, battle.active, distance)
    return DiceFacts(row=row, range=distance, card=card, cover=battle.ground(cell).cover.guns.level)


def _air_dice(battle: Battle, row: int, distance: int, cell: int) -> int:
    """Return the number of dice of an attack from the air on a hex; 0 if none are left."""
    return battle.book.rules.tally("battle_dice", _air_facts(battle, row, distance, cell), battle).total


@procedure("air.attack")
def fight_from_air(table: Table, battle: Battle, flier: Flier, verb: str, cell: int) -> None:
    """Attack a ground unit with gun or bomb: A-class faces (AFR-293), saves as at a distance.

    There is no cap on kills (AFR-271) and no defence (AFR-281). A gun jams like a machine gun; a bomb does not.
    """
    hex_distance = battle.field.distance[flier.hex][cell]
    book = battle.book
    target = choose_target_unit(table, battle, flier, cell, exposed_units(battle, cell))
    row = book.file.bomb_dice.dice[0] if verb == "bomb" else book.file.air_ground_dice.dice[hex_distance - 1]
    dice = table.tally("battle_dice", _air_facts(battle, row, hex_distance, cell), flier, target).total
    stands = offer_withdrawal(table, battle, target, flier.spec.id, verb, cell)
    facts = ExchangeFacts(
        dice,
        "modern",
        close=False,
        figures=target.sections.get(cell, target.figures),
        strength=target.figures,
        jams=verb != "bomb",
        steady_above=book.threshold(target.profile, is_steadied(battle, target)),
        stubborn=battle.has_intact_structure(cell),
        inspired="inspired" in target.marks,
        sandbags="sandbags" in battle.ground(cell).kinds,
        stands=stands,
    )
    exchange = Exchange(flier.spec.id, target.spec.id, target.spec.side, facts=facts)
    flier.mark("acted")
    if verb == "bomb":
        flier.bombs -= 1
    attack(table, book, exchange)
    emit_attack(table, exchange, cell)
    lose_figures(table, battle, target, exchange.kills, "fire", "AFR-269", cell)
    if battle.over or target.hex == OFF:
        return
    retreat_after_attack(table, battle, target, exchange, cell)


# --- attacks on aircraft and airships ---------------------------------------------------------------------------------


def anti_air_targets(battle: Battle, unit: Unit) -> list[tuple[str, Any]]:
    """Return the fliers within 3 hexes that machine guns and anti-aircraft guns may fire at; others may not (AFR-276,
    AFR-277, AFR-290).

    Nothing blocks sight to them (AFR-160). Events may limit fire to the next hex (AFR-340).
    """
    if not unit.profile.anti_air or not battle.fliers:
        return []
    near_only = "no_far" in unit.marks or battle.in_force("ev_sandstorm")
    reach = 1 if near_only else len(battle.book.air_dice)
    return [
        ("flier", flier.spec.id)
        for flier in battle.fliers.values()
        if flier.airborne and flier.spec.side != unit.spec.side and battle.field.distance[unit.hex][flier.hex] <= reach
    ]


def parked_targets(battle: Battle, unit: Unit, second: bool = False) -> list[tuple[str, Any]]:
    """Return the aircraft on the ground that a unit reaches and sees, with no unit in their hex (AFR-278).

    Machine guns may not fire at them, because the text does not name them. A `second` fire needs range 2 or more
    (AFR-165).
    """
    if not battle.fliers or not unit.profile.dice or unit.profile.jams or unit.sections:
        return []
    distances, min_distance, reach = battle.field.distance[unit.hex], 2 if second else 1, reach_of(battle, unit)
    return [
        ("parked", flier.spec.id)
        for flier in battle.fliers.values()
        if not flier.airborne
        and flier.hex != OFF
        and flier.spec.side != unit.spec.side
        and flier.hex not in battle.here
        and min_distance <= distances[flier.hex] <= reach
        and may_strike(battle, unit, unit.hex, flier.hex)
        and dice_of(battle, unit, unit.hex, flier.hex) > 0
    ]


@procedure("air.hits")
def hits_on_flier(table: Table, book: AfrBook, dice: int, kind: str, actor: str, target: str) -> int:
    """Roll fire at an aircraft or airship and return the unsaved hits (AFR-274, AFR-275, AFR-290).

    A jam voids all hits, as in ground battles (AFR-186). An aircraft saves only if there are enough hits to bring it
    down.
    """
    settings = book.settings
    faces = settings.airship_hit_faces if kind == "airship" else settings.air_hit_faces
    hits, shields = table.roll(
        dice,
        6,
        book.reading_of(faces, ["shield"]),
        why="anti-aircraft fire",
        rule="AFR-274",
        actor=actor,
        means=_AT_FLIERS,
    )
    if is_jammed(book, shields, dice):
        return 0
    if kind == "aircraft" and hits < book.file.aircraft_falls_at.hits:
        return int(hits)
    if settings.air_save != "none":
        read = book.reading_of(faces) if settings.air_save == "idem" else book.save_reads[False]
        hits -= count_saves(table, book, hits, read, "AFR-275", target)
    return int(hits)


def anti_air_facts(book: AfrBook, distance: int, card: int) -> DiceFacts:
    """Return the facts of fire at a flier: the range, 0 as 1, and dice by cards and events (AFR-272, AFR-276,
    AFR-342).
    """
    return DiceFacts(row=book.air_dice[max(1, distance) - 1], range=distance, card=card)


def anti_air_card(battle: Battle, actor: str, distance: int) -> int:
    """Return the dice that cards and events in force give a unit or flier for fire at a flier."""
    unit = battle.units.get(actor)
    bonus = bonus_dice(battle, unit, "air") if unit is not None else 0
    return bonus - dice_lost_to_rain(battle, battle.active, distance)


def fire_at_flier(table: Table, battle: Battle, actor: str, cell: int, flier: Flier) -> None:
    """Fire at a flier from the ground or the air (AFR-272, AFR-276, AFR-289, AFR-291); flags do not move it
    (AFR-280).
    """
    hex_distance = battle.field.distance[cell][flier.hex]
    dice = table.tally(
        "battle_dice", anti_air_facts(battle.book, hex_distance, anti_air_card(battle, actor, hex_distance)), actor
    ).total
    if actor in battle.units:
        battle.units[actor].unmark("first")
    hits = hits_on_flier(table, battle.book, dice, flier.spec.kind, actor, flier.spec.id)
    table.emit("anti-aircraft fire", "AFR-274", unit=actor, target=flier.spec.id, dice=dice, hits=hits)
    if flier.spec.kind == "aircraft":
        if hits >= battle.book.file.aircraft_falls_at.hits:
            shoot_down(table, battle, flier, "shot down", "AFR-274")
        return
    flier.strength = max(0, flier.strength - hits)
    if flier.strength == 0:
        shoot_down(table, battle, flier, "shot down", "AFR-291")


@procedure("air.parked")
def hits_on_parked(table: Table, book: AfrBook, dice: int, hits: str, close: bool, actor: str, target: str) -> int:
    """Roll an attack on an aircraft on the ground and return the unsaved hits; all hit faces of the line `hits` count
    (AFR-278).
    """
    plain_hits, sabres, _, _ = table.roll(
        dice, 6, book.hit_reads[hits, close], why="battle", rule="AFR-278", actor=actor, means=book.battle_means[False]
    )
    total_hits = int(plain_hits + sabres)
    return total_hits - count_saves(table, book, total_hits, book.save_reads[close], "AFR-278", target)


def fire_at_parked(table: Table, battle: Battle, unit: Unit, flier: Flier) -> bool:
    """Attack a parked flier, with dice as against a lone commander. Return True if the unit may follow into its hex.

    One unsaved hit destroys an aircraft (AFR-278); an airship loses a point for each (AFR-290).
    """
    origin, cell = unit.hex, flier.hex
    close = battle.field.distance[origin][cell] == 1
    lend_die(table, battle, unit, origin, cell)
    dice = table.tally("battle_dice", dice_facts(battle, unit, origin, cell), unit).total
    unit.unmark("first", *(() if close else ("far",)))
    hits = hits_on_parked(table, battle.book, dice, unit.profile.hits, close, unit.spec.id, flier.spec.id)
    table.emit("anti-aircraft fire", "AFR-278", unit=unit.spec.id, target=flier.spec.id, dice=dice, hits=hits)
    flier.strength = 0 if hits and flier.spec.kind == "aircraft" else max(0, flier.strength - hits)
    if flier.strength == 0:
        shoot_down(table, battle, flier, "destroyed", "AFR-278")
    return flier.hex == OFF and not battle.over
