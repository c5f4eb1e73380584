"""Structures, bombardment and gates (AFR-304 to AFR-314, AFR-328, AFR-336)."""

from __future__ import annotations

from zareba.rules import procedure
from zareba.space.lazy import Lazy
from zareba.table import Table
from zareba_rulesets.afriboria.book.numbers import HITS, AfrBook
from zareba_rulesets.afriboria.chapters.battle.eligibility import Strikes, bonus_dice, rained_off, strikes_of
from zareba_rulesets.afriboria.chapters.battle.exchange import DiceFacts, count_saves
from zareba_rulesets.afriboria.forces.battle import Battle
from zareba_rulesets.afriboria.forces.pieces import Unit
from zareba_rulesets.afriboria.forces.weapon_range import reach_of, row_at

__all__ = ["batter", "bombard", "bombardment_facts", "fall_in", "structure_targets", "work_gates"]

LEAVE, TURN = "leave it", "move the gate"


def bombardment_facts(battle: Battle, unit: Unit, cell: int) -> DiceFacts:
    """Return the facts of a bombardment: usual dice and ranges, the hilltop bonus, no effect of the target's ground
    (AFR-151, AFR-311).
    """
    distance = battle.field.distance[unit.hex][cell]
    return _facts_at(battle, unit, bonus_dice(battle, unit, "bombardment"), distance)


def _facts_at(battle: Battle, unit: Unit, bonus: int, distance: int) -> DiceFacts:
    return DiceFacts(
        row=row_at(unit.profile.dice, distance),
        range=distance,
        hilltop=not unit.profile.no_hilltop and unit.hex in battle.field.hilltops,
        card=bonus - rained_off(battle, unit.spec.side, distance),
    )


def structure_targets(battle: Battle, unit: Unit, strikes: Strikes | None = None) -> list[tuple[str, int]]:
    """Return the enemy structures that a gun can bombard, as ("structure", hex): in range and sight, with at least one
    die.

    Only standing structures count (AFR-182, AFR-306, AFR-311). `strikes` is the unit's line of fire, if already known.
    """
    if not unit.profile.bombards:
        return []
    distances, tally, reach = battle.field.distance[unit.hex], battle.book.rules.tally, reach_of(battle, unit)
    strikes, bonus = strikes_of(battle, unit) if strikes is None else strikes, bonus_dice(battle, unit, "bombardment")
    dice: Lazy[int, int] = Lazy(lambda hexes: tally("battle_dice", _facts_at(battle, unit, bonus, hexes)).total)
    return [
        ("structure", cell)
        for cell in battle.structures
        if battle.standing(cell)
        and battle.field.structures[cell].side != unit.spec.side
        and 1 <= distances[cell] <= reach
        and strikes[unit.hex, cell]
        and dice[distances[cell]] > 0
    ]


@procedure("siege.bombard")
def batter(table: Table, book: AfrBook, dice: int, kind: str, actor: str, structure: str) -> int:
    """Roll a bombardment and return the points that the structure loses.

    The structure type gives the hit faces. It saves each hit with one die. There is no automatic kill and there are no
    flags (AFR-308, AFR-312). Fast play has no saves (AFR-313).
    """
    entry = book.file.structures[kind]
    (hits,) = table.roll(
        dice, 6, book.reading_of(entry.hit), why="bombardment", rule="AFR-308", actor=actor, means=HITS
    )
    read = book.reading_of(entry.save)
    return int(hits) - count_saves(table, book, hits, read, "AFR-308", structure, why="structure saves")


def bombard(table: Table, battle: Battle, unit: Unit, cell: int) -> None:
    """Bombard a structure that was named as the target; guns may, machine guns never (AFR-306, AFR-314)."""
    spec = battle.field.structures[cell]
    dice = table.tally("battle_dice", bombardment_facts(battle, unit, cell), unit).total
    unit.unmark("first")
    lost = batter(table, battle.book, dice, spec.type, unit.spec.id, f"structure {cell}")
    state = battle.structures[cell]
    state.value = max(0, state.value - lost)
    table.emit("bombardment", "AFR-310", unit=unit.spec.id, hex=cell, dice=dice, lost=lost, left=state.value)
    if state.value == 0:
        fall_in(table, battle, cell)


def fall_in(table: Table, battle: Battle, cell: int) -> None:
    """Turn a structure with no value left into rubble: debris that keeps no one out (AFR-310)."""
    battle.rubble = battle.rubble | {cell}
    battle.ladders = [ladder for ladder in battle.ladders if ladder[0] != cell]
    for unit in battle.units_in(cell):
        unit.unmark("unexposed")
    table.emit("rubble", "AFR-310", hex=cell)


def work_gates(table: Table, battle: Battle) -> None:
    """Let the owner open or shut his gates when he announces his orders, at no cost (AFR-328)."""
    for cell, state in battle.structures.items():
        spec = battle.field.structures[cell]
        if spec.gate and spec.side == battle.active and battle.standing(cell):
            about = (cell, state.open)
            choice = table.choose(
                spec.side, (LEAVE, TURN), why="gate", rule="AFR-328", actor=f"gate {cell}", about=about
            )
            if choice == TURN:
                state.open = not state.open
                table.emit("gate", "AFR-328", hex=cell, open=state.open)
