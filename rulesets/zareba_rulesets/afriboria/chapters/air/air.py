"""Flights of aircraft and airships (chapters 17 and 18)."""

from __future__ import annotations

from typing import Any

from zareba.rules import procedure
from zareba.table import Table
from zareba_rulesets.afriboria.chapters.losses import down
from zareba_rulesets.afriboria.forces.battle import Battle
from zareba_rulesets.afriboria.forces.pieces import OFF, Flier

__all__ = ["begin_air", "crash", "flight_options", "fly", "from_base", "may_land"]

CIRCLE = "circle"


def begin_air(battle: Battle) -> None:
    """Count down the fuel of each aircraft in the air at the start of every player turn (AFR-262).

    The owner's turn that starts on 1 is its last. Airships never have to land (AFR-284).
    """
    for flier in battle.fliers.values():
        if flier.airborne and flier.spec.kind == "aircraft":
            flier.fuel = max(1, flier.fuel - 1)
            if flier.fuel == 1 and flier.spec.side == battle.active:
                flier.mark("land")


def crash(table: Table, battle: Battle) -> None:
    """Crash aircraft that had to land and did not, at the end of their turn (AFR-262)."""
    for flier in battle.fliers.values():
        if flier.airborne and "land" in flier.marks and flier.spec.side == battle.active:
            down(table, battle, flier, "crashed", "AFR-262")


def _trucks(battle: Battle, side: str) -> list[int]:
    """Return the present hexes of a side's supply trucks, those of their carriers; trucks still to arrive have none."""
    prizes = [battle.prizes[name] for name in battle.field.trucks.get(side, ())]
    carriers = [battle.units[prize.carrier].hex if prize.carrier else OFF for prize in prizes]
    cells = [prize.hex if cell == OFF else cell for prize, cell in zip(prizes, carriers, strict=True)]
    return [cell for cell in cells if cell != OFF]


def _bases(battle: Battle, side: str) -> list[int]:
    return [*battle.field.bases.get(side, ()), *_trucks(battle, side)]


def from_base(battle: Battle, side: str, cell: int) -> int:
    """Return the distance from a hex to the nearest base of a side (AFR-260); 0 for a side without one."""
    return min([battle.field.distance[base][cell] for base in _bases(battle, side)], default=0)


def may_land(battle: Battle, flier: Flier, cell: int) -> bool:
    """Return True if a flier may land or take off in a hex.

    An aircraft needs an empty hex of open ground in the zone of a base (AFR-260). An airship needs an empty, flat hex
    without buildings or woods (AFR-283). A supply truck occupies its hex.
    """
    trucks = _trucks(battle, flier.spec.side) + _trucks(battle, battle.field.enemy(flier.spec.side))
    if cell in battle.here or cell in battle.chiefs or cell in trucks:
        return False
    others = battle.fliers.values()
    if any(other is not flier and not other.airborne and other.hex == cell for other in others):
        return False
    kinds = battle.ground(cell).kinds
    if flier.spec.kind == "airship":
        return not {"hill", "building", "wood", "impassable"} & set(kinds)
    return not kinds and any(battle.field.distance[base][cell] <= 1 for base in _bases(battle, flier.spec.side))


def flight_options(battle: Battle, flier: Flier) -> list[Any]:
    """Return the options of an ordered flier: take off (AFR-264), fly (AFR-265, AFR-286), land (AFR-282) or circle
    (AFR-267).

    Fliers pass over everything (AFR-261). A sandstorm allows only landing and circling.
    """
    entry = battle.book.file.air[flier.spec.kind]  # type: ignore[index]  # aircraft or airship
    distance, cells = battle.field.distance, battle.field.grid.cells
    act = 0 if "passive" in flier.marks else entry.act
    if not flier.airborne:
        is_grounded = "passive" in flier.marks or battle.in_force("ev_sandstorm") or battle.turn <= flier.landed
        if is_grounded or not may_land(battle, flier, flier.hex):
            return [CIRCLE]
        return [CIRCLE, *(("take off", cell) for cell in cells if distance[flier.hex][cell] <= act)]
    options: list[Any] = [CIRCLE]
    if "passive" not in flier.marks:
        near = [cell for cell in cells if distance[flier.hex][cell] <= act]
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
    act = table.choose(side, flight_options(battle, flier), why="fly", rule="AFR-265", actor=flier.spec.id)
    flier.mark("moved")
    if act == CIRCLE:
        return
    verb, cell = act
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
