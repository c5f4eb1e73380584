"""Aircraft and airships (chapters 17 and 18)."""

from __future__ import annotations

from typing import Any

from zareba.rules import procedure
from zareba.table import Table
from zareba_rulesets.afriboria.battle import OFF, Battle, Flier, Unit
from zareba_rulesets.afriboria.book import AfrBook
from zareba_rulesets.afriboria.combat import offer_withdrawal, tell_attack
from zareba_rulesets.afriboria.eligibility import is_covered, may_strike
from zareba_rulesets.afriboria.exchange import DiceFacts, Exchange, ExchangeFacts, answer_flags, attack
from zareba_rulesets.afriboria.losses import down, lose
from zareba_rulesets.afriboria.retreat import retreat, withdraw

__all__ = [
    "air_targets",
    "anti_air_targets",
    "begin_air",
    "crash",
    "fight_from_air",
    "fire_at_flier",
    "fire_at_parked",
    "flight_options",
    "fly",
    "hits_on_flier",
    "may_land",
    "parked_targets",
]  # fmt: skip

CIRCLE = "circle"


def begin_air(battle: Battle) -> None:
    """At the start of every player turn the die of each aircraft in the air goes down by one; the owner's turn that
    starts on 1 is its last (AFR-262). Airships never come down (AFR-284)."""
    for flier in battle.fliers.values():
        if flier.airborne and flier.spec.kind == "aircraft":
            flier.fuel = max(1, flier.fuel - 1)
            if flier.fuel == 1 and flier.spec.side == battle.active:
                flier.mark("land")


def crash(table: Table, battle: Battle) -> None:
    """What had to land and did not, crashes at the end of its turn (AFR-262)."""
    for flier in battle.fliers.values():
        if flier.airborne and "land" in flier.marks and flier.spec.side == battle.active:
            down(table, battle, flier, "crashed", "AFR-262")


def _bases(battle: Battle, side: str) -> list[int]:
    moving = [battle.prizes[name].hex for name in battle.field.trucks.get(side, ())]
    return [*battle.field.bases.get(side, ()), *moving]


def may_land(battle: Battle, flier: Flier, cell: int) -> bool:
    """An aircraft needs an empty hex of open ground in the zone of a base (AFR-260), an airship any empty flat one without
    buildings or woods (AFR-283)."""
    if cell in battle.here or cell in battle.chiefs:
        return False
    others = battle.fliers.values()
    if any(other is not flier and not other.airborne and other.hex == cell for other in others):
        return False
    kinds = battle.ground(cell).kinds
    if flier.spec.kind == "airship":
        return not {"hill", "building", "wood", "impassable"} & set(kinds)
    return not kinds and any(battle.field.distance[base, cell] <= 1 for base in _bases(battle, flier.spec.side))


def flight_options(battle: Battle, flier: Flier) -> list[Any]:
    """What an ordered flier may do: take off (AFR-264), fly far or a little way (AFR-265, AFR-286), land (AFR-282), or
    circle where it is (AFR-267). It flies over everything (AFR-261). A sandstorm leaves landing and circling."""
    entry = battle.book.file.air[flier.spec.kind]  # type: ignore[index]  # aircraft or airship
    distance, size = battle.field.distance, battle.field.grid.size
    act = 0 if "passive" in flier.marks else entry.act
    if not flier.airborne:
        if battle.turn <= flier.landed or "passive" in flier.marks or battle.in_force("ev_sandstorm"):
            return [CIRCLE]
        return [CIRCLE, *(("take off", cell) for cell in range(size) if distance[flier.hex, cell] <= act)]
    options: list[Any] = [CIRCLE]
    if "passive" not in flier.marks:
        near = [cell for cell in range(size) if distance[flier.hex, cell] <= act]
        options += [("land", cell) for cell in near if may_land(battle, flier, cell)]
        if not battle.in_force("ev_sandstorm"):
            options += [("fly", cell) for cell in range(size) if 0 < distance[flier.hex, cell] <= entry.fly]
    return options


@procedure("air.flight")
def fly(table: Table, battle: Battle, flier: Flier) -> None:
    """The flight of an ordered aircraft or airship; refuelled and with fresh bombs when it takes off (AFR-263)."""
    side, entry = flier.spec.side, battle.book.file.air[flier.spec.kind]  # type: ignore[index]  # aircraft or airship
    act = table.choose(side, flight_options(battle, flier), why="fly", rule="AFR-265", actor=flier.spec.id)
    flier.mark("moved")
    if act == CIRCLE:
        return
    verb, cell = act
    flier.flown = battle.field.distance[flier.hex, cell]
    flier.hex = cell
    if verb == "take off":
        flier.airborne, flier.fuel, flier.bombs = True, entry.turns, entry.bombs if flier.spec.bombs else 0
        flier.mark("acted")
    elif verb == "land":
        flier.airborne, flier.landed = False, battle.turn
        flier.mark("acted")
        flier.unmark("land")
    table.tell("flight", "AFR-265", unit=flier.spec.id, hex=cell, act=verb)


# --- attacks from the air ---------------------------------------------------------------------------------------------------


def air_targets(battle: Battle, flier: Flier) -> list[tuple[str, Any]]:
    """What a flier that flew 2 hexes at most may fight: ("hex", hex) with its gun within 2, ("bomb", hex) beneath it,
    ("flier", id) within 3 (AFR-269, AFR-270, AFR-272, AFR-287 to AFR-289). One weapon an order (AFR-294)."""
    if not flier.airborne or "acted" in flier.marks or battle.in_force("ev_sandstorm"):
        return []
    if flier.flown > battle.book.file.air[flier.spec.kind].act:  # type: ignore[index]  # aircraft or airship
        return []
    side, distance = flier.spec.side, battle.field.distance
    found: list[tuple[str, Any]] = []
    reach = len(battle.book.file.air_ground_dice.dice)
    for cell in sorted(battle.here):
        away = distance[flier.hex, cell]
        if battle.units[battle.here[cell][0]].spec.side == side or away > reach or not _exposed(battle, cell):
            continue
        if away and flier.spec.gun and _air_dice(battle, battle.book.file.air_ground_dice.dice[away - 1], away, cell):
            found.append(("hex", cell))
        elif not away and flier.bombs and _air_dice(battle, battle.book.file.bomb_dice.dice[0], 0, cell):
            found.append(("bomb", cell))
    if flier.spec.gun:
        found += [
            ("flier", other.spec.id)
            for other in battle.fliers.values()
            if other.airborne
            and other.spec.side != side
            and distance[flier.hex, other.hex] <= len(battle.book.air_dice)
            and not (flier.spec.kind == other.spec.kind == "airship")  # AFR-295
        ]
    return found


def _exposed(battle: Battle, cell: int) -> list[Unit]:
    shut = {"engaged", "unexposed"}
    return [unit for unit in battle.units_in(cell) if not unit.marks & shut and not is_covered(battle, unit)]


def _air_facts(battle: Battle, row: int, away: int, cell: int) -> DiceFacts:
    return DiceFacts(row=row, range=away, cover=battle.ground(cell).cover[True, False])


def _air_dice(battle: Battle, row: int, away: int, cell: int) -> int:
    return battle.book.rules.tally("battle_dice", _air_facts(battle, row, away, cell)).total


@procedure("air.attack")
def fight_from_air(table: Table, battle: Battle, flier: Flier, verb: str, cell: int) -> None:
    """Gun or bomb at a ground unit: A-class faces, saves as from a distance, no cap (AFR-271), no defence (AFR-281); a gun
    jams like a machine gun, a bomb does not."""
    away = battle.field.distance[flier.hex, cell]
    book = battle.book
    target = _target_of_flier(table, battle, flier, cell)
    row = book.file.bomb_dice.dice[0] if verb == "bomb" else book.file.air_ground_dice.dice[away - 1]
    dice = table.tally("battle_dice", _air_facts(battle, row, away, cell)).total
    stands = offer_withdrawal(table, battle, target)
    chief = battle.commander_of(target)
    facts = ExchangeFacts(
        dice,
        "modern",
        close=False,
        figures=target.sections.get(cell, target.figures),
        strength=target.figures,
        jams=verb != "bomb",
        steady_above=book.threshold(target.profile, chief is not None and chief.spec.officer and chief.spec.bonus),
        stubborn=battle.standing(cell) or "inspired" in target.marks,
        sandbags="sandbags" in battle.ground(cell).kinds,
        stands=stands,
    )
    exchange = Exchange(flier.spec.id, target.spec.id, target.spec.side, facts=facts)
    flier.mark("acted")
    if verb == "bomb":
        flier.bombs -= 1
    attack(table, book, exchange)
    tell_attack(table, exchange, cell)
    lose(table, battle, target, exchange.kills, "fire", "AFR-269", cell)
    if battle.over or target.hex == OFF:
        return
    if not stands:
        withdraw(table, battle, target)
        return
    answer_flags(table, book, exchange)
    retreat(table, battle, target, exchange.retreat, cell)


def _target_of_flier(table: Table, battle: Battle, flier: Flier, cell: int) -> Unit:
    found = _exposed(battle, cell)
    if len(found) == 1:
        return found[0]
    alike = len({unit.profile.type for unit in found}) == 1
    seat = flier.spec.side if alike else found[0].spec.side
    names = [unit.spec.id for unit in found]
    chosen = table.choose(seat, names, why="which unit is attacked", rule="AFR-169", actor=flier.spec.id, about=(cell,))
    return battle.units[chosen]


# --- attacks on what flies ---------------------------------------------------------------------------------------------------


def anti_air_targets(battle: Battle, unit: Unit) -> list[tuple[str, Any]]:
    """Machine guns and anti-aircraft guns fire at what flies within 3 hexes, seen from everywhere (AFR-160, AFR-276,
    AFR-290); nobody else does (AFR-277)."""
    if not unit.profile.anti_air or not battle.fliers or battle.in_force("ev_sandstorm"):
        return []
    reach = len(battle.book.air_dice)
    return [
        ("flier", flier.spec.id)
        for flier in battle.fliers.values()
        if flier.airborne and flier.spec.side != unit.spec.side and battle.field.distance[unit.hex, flier.hex] <= reach
    ]


def parked_targets(battle: Battle, unit: Unit) -> list[tuple[str, Any]]:
    """Aircraft on the ground that a unit reaches and sees; machine guns apart, as the text names none (AFR-278)."""
    if not battle.fliers or not unit.profile.dice or unit.profile.arm == "machine_gun":
        return []
    distance = battle.field.distance
    return [
        ("parked", flier.spec.id)
        for flier in battle.fliers.values()
        if not flier.airborne
        and flier.hex != OFF
        and flier.spec.side != unit.spec.side
        and 1 <= distance[unit.hex, flier.hex] <= unit.reach
        and may_strike(battle, unit, unit.hex, flier.hex)
    ]


@procedure("air.hits")
def hits_on_flier(table: Table, book: AfrBook, dice: int, kind: str, actor: str, target: str) -> int:
    """P8 steps 2 and 3: unsaved hits on an aircraft or airship (AFR-274, AFR-275, AFR-290).

    An aircraft saves only when there are hits enough to bring it down; a jam matters against airships alone.
    """
    settings = book.settings
    faces = settings.airship_hit_faces if kind == "airship" else settings.air_hit_faces
    hits, shields = table.roll(
        dice, 6, book.read(faces, ["shield"]), why="anti-aircraft fire", rule="AFR-274", actor=actor
    )
    if kind == "airship" and 2 * shields > dice:
        return 0
    if kind == "aircraft" and hits < book.file.aircraft_falls_at.hits:
        return int(hits)
    if hits and settings.saves and settings.air_save != "none":
        read = book.read(faces) if settings.air_save == "idem" else book.save_reads[False]
        (saved,) = table.roll(hits, 6, read, why="saving throws", rule="AFR-275", actor=target)
        hits -= saved
    return int(hits)


def fire_at_flier(table: Table, battle: Battle, actor: str, cell: int, flier: Flier) -> None:
    """Fire at a flier from the ground or the air (AFR-272, AFR-276, AFR-289, AFR-291); flags do not move it (AFR-280)."""
    away = max(1, battle.field.distance[cell, flier.hex])
    dice = battle.book.air_dice[away - 1]
    hits = hits_on_flier(table, battle.book, dice, flier.spec.kind, actor, flier.spec.id)
    table.tell("anti-aircraft fire", "AFR-274", unit=actor, target=flier.spec.id, dice=dice, hits=hits)
    if flier.spec.kind == "aircraft":
        if hits >= battle.book.file.aircraft_falls_at.hits:
            down(table, battle, flier, "shot down", "AFR-274")
        return
    flier.strength = max(0, flier.strength - hits)
    if flier.strength == 0:
        down(table, battle, flier, "shot down", "AFR-291")


def fire_at_parked(table: Table, battle: Battle, unit: Unit, flier: Flier) -> None:
    """A parked aircraft is hit by any hit of the attacker; one that is not saved destroys it (AFR-278)."""
    away = battle.field.distance[unit.hex, flier.hex]
    book, close = battle.book, away == 1
    dice = unit.profile.dice[away - 1]
    read = book.hit_reads[unit.profile.hits, close]
    hits, sabres, _, _ = table.roll(dice, 6, read, why="battle", rule="AFR-278", actor=unit.spec.id)
    hits += sabres
    if hits and book.settings.saves:
        saves = book.save_reads[close]
        (saved,) = table.roll(hits, 6, saves, why="saving throws", rule="AFR-278", actor=flier.spec.id)
        hits -= saved
    table.tell("anti-aircraft fire", "AFR-278", unit=unit.spec.id, target=flier.spec.id, dice=dice, hits=hits)
    if hits:
        down(table, battle, flier, "destroyed", "AFR-278")
