"""Ladders against walls (AFR-329 to AFR-337)."""

from __future__ import annotations

from zareba.chance import counts
from zareba.rules import procedure
from zareba.table import Table
from zareba_rulesets.afriboria.chapters.battle.exchange import count_saves
from zareba_rulesets.afriboria.chapters.losses import lose
from zareba_rulesets.afriboria.chapters.sight.exposure import set_exposure
from zareba_rulesets.afriboria.forces.battle import Battle
from zareba_rulesets.afriboria.forces.companies import zone_goals
from zareba_rulesets.afriboria.forces.pieces import OFF, Unit

__all__ = ["climb_on", "erect", "ladder_sites", "repulse", "throw_down"]

REPULSE = counts("that throw it down", "that destroy it")

CLIMB, FOOT = "climb", "stay at the foot"
STANDS, FALLS, BROKEN = "stands", "falls", "broken"


def ladder_sites(battle: Battle, unit: Unit) -> list[int]:
    """Return the adjacent wall hexes against which a unit can put up its ladder; only infantry can (AFR-330, AFR-337)."""
    if not unit.ladders or not unit.profile.climbs or not battle.structures:
        return []
    side = unit.spec.side
    return [
        cell
        for cell in battle.field.near[unit.hex]
        if battle.shut_out(cell, side) and (cell, unit.hex) not in battle.ladders
    ]


@procedure("siege.ladder")
def repulse(table: Table, battle: Battle, unit: Unit) -> str:
    """Roll the defender's battle die against a ladder (AFR-332) and return the result.

    A shield brings the ladder down with one hit on the unit, saved as in close combat. Sabres destroy it with an
    automatic kill. Fast play omits the saving throw (AFR-016).
    """
    entry = battle.book.file.ladder
    read = battle.book.reading_of(entry.brought_down, entry.destroyed)
    brought_down, destroyed = table.roll(
        entry.dice, 6, read, why="ladder repulse", rule="AFR-332", actor=unit.spec.id, means=REPULSE
    )
    if destroyed:
        unit.ladders = False
        lose(table, battle, unit, entry.figures, "melee", "AFR-332")
        return BROKEN
    if brought_down:
        read = battle.book.save_reads[True]
        hits = entry.figures - count_saves(table, battle.book, entry.figures, read, "AFR-332", unit.spec.id)
        lose(table, battle, unit, hits, "melee", "AFR-332")
        return FALLS
    return STANDS


def erect(table: Table, battle: Battle, unit: Unit, wall: int) -> bool:
    """Put up a ladder (AFR-330); return True if it stands.

    An empty wall cannot repulse it (AFR-333). After a repulse the move is over (AFR-334).
    """
    is_held = battle.held_by_enemy(wall, unit.spec.side) and wall in battle.here
    result = repulse(table, battle, unit) if is_held else STANDS
    table.emit("ladder", "AFR-330", unit=unit.spec.id, hex=wall, result=result)
    if result != STANDS or unit.hex == OFF:
        return False
    unit.ladders = False
    battle.ladders.append((wall, unit.hex))
    return True


def climb_on(table: Table, battle: Battle, unit: Unit, wall: int) -> None:
    """Offer to climb at once if the wall is free of enemies; this costs movement (AFR-331) and may not leave a company
    (AFR-116).
    """
    if battle.over or battle.held_by_enemy(wall, unit.spec.side):
        return
    company = battle.company_of(unit)
    if company is not None and company.state == "active" and not zone_goals(battle, company, unit, [wall]):
        return
    if len(battle.here.get(wall, ())) >= battle.book.room:
        return
    choice = table.choose(unit.spec.side, (CLIMB, FOOT), why="climb", rule="AFR-331", actor=unit.spec.id)
    if choice == CLIMB:
        battle.move(unit, wall)
        unit.moved += battle.book.file.ladder_moves.climb
        unit.mark("no_battle")
        table.emit("move", "AFR-331", unit=unit.spec.id, hex=wall, steps=1)
        set_exposure(table, battle, unit)


def throw_down(table: Table, battle: Battle, unit: Unit, foot: int) -> None:
    """Throw down a standing ladder from the wall (AFR-335)."""
    wall = next(cell for cell in unit.hexes if (cell, foot) in battle.ladders)
    battle.ladders.remove((wall, foot))
    table.emit("ladder", "AFR-335", unit=unit.spec.id, hex=wall, result="thrown down")
