"""Sieges: bombardment of structures, and troops on walls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from zareba.rules import procedure
from zareba.space.lazy import Lazy
from zareba.table import Table
from zareba_rulesets.afriboria.book import HITS, AfrBook
from zareba_rulesets.afriboria.chapters.combat import (
    Strikes,
    attackable_units,
    bonus_dice,
    choose_target_unit,
    dice_facts,
    dice_lost_to_rain,
    emit_attack,
    exchange_facts,
    lend_die,
    offer_withdrawal,
    retreat_after_attack,
    strike_back,
    strikes_of,
)
from zareba_rulesets.afriboria.chapters.exchange import DiceFacts, Exchange, attack, count_saves
from zareba_rulesets.afriboria.chapters.losses import lose_figures
from zareba_rulesets.afriboria.chapters.sight import set_exposure
from zareba_rulesets.afriboria.forces.battle import Battle, reach_of, row_at
from zareba_rulesets.afriboria.forces.pieces import OFF, Unit

# --- Structures, bombardment and gates (AFR-304 to AFR-314, AFR-328, AFR-336) -----------------------------------------


LEAVE, _TURN = "leave it", "move the gate"


def bombardment_facts(battle: Battle, unit: Unit, cell: int) -> DiceFacts:
    """Return the facts of a bombardment: usual dice and ranges, the hilltop bonus, no effect of the target's ground
    (AFR-151, AFR-311).
    """
    distance = battle.field.distance[unit.hex][cell]
    return _facts_at(battle, unit, bonus_dice(battle, unit, "bombardment"), distance)


def _facts_at(battle: Battle, unit: Unit, bonus: int, distance: int) -> DiceFacts:
    """Return the same at a distance, with `bonus` dice by the card in play."""
    return DiceFacts(
        row=row_at(unit.profile.dice, distance),
        range=distance,
        hilltop=not unit.profile.no_hilltop and unit.hex in battle.field.hilltops,
        card=bonus - dice_lost_to_rain(battle, unit.spec.side, distance),
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
        if battle.has_intact_structure(cell)
        and battle.field.structures[cell].side != unit.spec.side
        and 1 <= distances[cell] <= reach
        and strikes[unit.hex, cell]
        and dice[distances[cell]] > 0
    ]


@procedure("siege.bombard")
def roll_bombardment(table: Table, book: AfrBook, dice: int, kind: str, actor: str, structure: str) -> int:
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
    lost = roll_bombardment(table, battle.book, dice, spec.type, unit.spec.id, f"structure {cell}")
    state = battle.structures[cell]
    state.value = max(0, state.value - lost)
    table.emit("bombardment", "AFR-310", unit=unit.spec.id, hex=cell, dice=dice, lost=lost, left=state.value)
    if state.value == 0:
        collapse_structure(table, battle, cell)


def collapse_structure(table: Table, battle: Battle, cell: int) -> None:
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
        if spec.gate and spec.side == battle.active and battle.has_intact_structure(cell):
            about = (cell, state.open)
            choice = table.choose(
                spec.side, (LEAVE, _TURN), why="gate", rule="AFR-328", actor=f"gate {cell}", about=about
            )
            if choice == _TURN:
                state.open = not state.open
                table.emit("gate", "AFR-328", hex=cell, open=state.open)


# --- Units on walls in sections, and their fire (AFR-318, AFR-321 to AFR-327) -----------------------------------------


def wall_room(book: AfrBook) -> int:
    """Return the figures in sections that a wall hex holds: 4 on 15 cm hexes, 2 on 10 cm hexes (AFR-318)."""
    figures = book.file.wall_figures
    return figures.cm_15 if book.settings.hex_cm == 15 else figures.cm_10


def room_on_wall(battle: Battle, unit: Unit, cell: int) -> int:
    """Return how many figures of a unit fit in a wall hex next to the sections of other units (AFR-318)."""
    others = sum(other.sections.get(cell, 0) for other in battle.units_in(cell) if other is not unit)
    return max(0, wall_room(battle.book) - others)


def _wall_hexes(battle: Battle, unit: Unit, start: int) -> list[int]:
    """Return the connected hexes of own standing structures with room, starting at `start`, nearest first."""
    side = unit.spec.side
    wall_hexes, queue = [start], [start]
    while queue:
        cell = queue.pop(0)
        for near in battle.field.neighbours[cell]:
            if (
                near in wall_hexes
                or not battle.has_intact_structure(near)
                or battle.field.structures[near].side != side
            ):
                continue
            if len(battle.here.get(near, ())) >= battle.book.room or battle.held_by_enemy(near, side):
                continue
            if room_on_wall(battle, unit, near):
                wall_hexes.append(near)
                queue.append(near)
    return wall_hexes


def may_man(battle: Battle, unit: Unit) -> bool:
    """Return True if a unit in its own wall may spread over it (AFR-321)."""
    cell = unit.hex
    if unit.sections or not unit.profile.walks or not battle.has_intact_structure(cell):
        return False
    if battle.field.structures[cell].side != unit.spec.side or unit.figures < 2:
        return False
    room = [room_on_wall(battle, unit, near) for near in _wall_hexes(battle, unit, cell)]
    return len(room) > 1 and room[0] > 0 and sum(room) >= unit.figures


def man_wall(table: Table, battle: Battle, unit: Unit) -> None:
    """Spread a unit over a chain of adjacent wall hexes (AFR-321), within the capacity of each (AFR-318).

    It replaces a move of one hex. Figures on walls are in sight (AFR-316).
    """
    side = unit.spec.side
    room_in = {cell: room_on_wall(battle, unit, cell) for cell in _wall_hexes(battle, unit, unit.hex)}
    sections: dict[int, int] = {}
    figures_left = unit.figures
    while figures_left:
        if sections:
            open_hexes = [
                cell
                for cell in room_in
                if cell not in sections and any(cell in battle.field.neighbours[c] for c in sections)
            ]
            cell = table.choose(side, open_hexes, why="man", rule="AFR-321", actor=unit.spec.id, about=(figures_left,))
        else:
            cell = unit.hex
        others = sum(room for near, room in room_in.items() if near != cell and near not in sections)
        counts = list(range(min(room_in[cell], figures_left), max(1, figures_left - others) - 1, -1))
        figures = table.choose(side, counts, why="figures there", rule="AFR-318", actor=unit.spec.id, about=(cell,))
        sections[cell] = figures
        figures_left -= figures
    if len(sections) > 1:
        battle.spread(unit, sections)
        unit.unmark("unexposed")
    unit.moved = 1
    table.emit("mans the wall", "AFR-321", unit=unit.spec.id, sections=tuple(sections.items()))


def gather(table: Table, battle: Battle, unit: Unit) -> None:
    """Gather a spread unit in one of its hexes, instead of a move of one hex.

    The unit may not leave its company's zone or go further from it (AFR-116).
    """
    cells = list(unit.sections)
    company = battle.company_of(unit)
    if company is not None and company.state == "active":
        distances = battle.field.distance[battle.commanders[company.officer].hex]
        cells = [cell for cell in cells if distances[cell] <= max(1, distances[unit.hex])]
    cell = table.choose(unit.spec.side, cells, why="gather in", rule="AFR-321", actor=unit.spec.id)
    battle.move(unit, cell)
    unit.moved = 1
    table.emit("gathers", "AFR-321", unit=unit.spec.id, hex=cell)
    set_exposure(table, battle, unit)


def firing_sections(battle: Battle, unit: Unit, cell: int, second: bool) -> dict[int, list[Unit]]:
    """Return the sections that can join an attack on a hex, with the units there that each may attack.

    In a second fire only sections 2 or more hexes away can (AFR-325).
    """
    min_distance, distances, reach = 2 if second else 1, battle.field.distance[cell], reach_of(battle, unit)
    near = (origin for origin in unit.sections if min_distance <= distances[origin] <= reach)
    return {origin: found for origin in near if (found := attackable_units(battle, unit, origin, cell))}


def sections_against(pool: Mapping[int, list[Unit]], target: Unit) -> list[int]:
    """Return the firing sections that can attack one particular unit of the hex."""
    return [origin for origin, units in pool.items() if any(unit is target for unit in units)]


@procedure("siege.sections")
def fight_from_wall(table: Table, battle: Battle, unit: Unit, cell: int, second: bool = False) -> bool:
    """Attack one hex with a spread unit (AFR-322 to AFR-325). Return True if a section that fired was next to it.

    Each section rolls separately. Its kills are capped by its own figures and by the firearms left (AFR-038, AFR-324).
    Flags are added up. The defender has one choice and one defence, against the nearest section that fired.
    """
    pool = firing_sections(battle, unit, cell, second)
    names = {target.spec.id for units in pool.values() for target in units}
    target = choose_target_unit(table, battle, unit, cell, [t for t in battle.units_in(cell) if t.spec.id in names])
    sections = sections_against(pool, target)

    def has_dice_without_officer() -> bool:
        return any(section_dice(battle, unit, origin, cell)[0] for origin in sections)

    for origin in sections:
        lend_die(table, battle, unit, origin, cell, has_dice_without=has_dice_without_officer)
    stands = offer_withdrawal(table, battle, target, unit.spec.id, "hex", cell)
    dealt = deal_dice(table, battle, unit, sections, cell)
    unit.battled = (*unit.battled, target.spec.id)
    salvo = Exchange(unit.spec.id, target.spec.id, target.spec.side)
    for origin, dice in table.each(tuple(dealt.items()), salvo):
        if battle.over or cell not in target.hexes:  # no figures are left there to hit (AFR-327)
            continue
        facts = exchange_facts(battle, unit, origin, target, cell, dice, stands)
        if unit.partly_armed and (not facts.close or battle.book.settings.partial_firearms_scope == "all"):
            facts = replace(facts, cap=min(facts.cap, unit.firearms - salvo.kills))
        exchange = Exchange(unit.spec.id, target.spec.id, target.spec.side, facts=facts)
        attack(table, battle.book, exchange)
        emit_attack(table, exchange, cell)
        if facts.close:
            target.mark("engaged")
        salvo.hits += exchange.hits
        salvo.kills += exchange.kills
        salvo.flags += exchange.flags
        lose_figures(table, battle, target, exchange.kills, "melee" if facts.close else "fire", "AFR-324", cell)
    table.emit(
        "salvo", "AFR-322", unit=unit.spec.id, target=target.spec.id, hex=cell, hits=salvo.hits, flags=salvo.flags
    )
    distances = [battle.field.distance[origin][cell] for origin in dealt]
    close = min(distances) == 1
    unit.unmark("first", *(("far",) if max(distances) >= 2 else ()))
    if battle.over or target.hex == OFF:
        return close
    answers = cell in target.hexes  # false if the section attacked has no figures left (AFR-326)
    nearest = min(dealt, key=lambda c: battle.field.distance[c][cell])
    facts_of_nearest = exchange_facts(battle, unit, nearest, target, cell, 0, stands)
    whole_exchange = Exchange(unit.spec.id, target.spec.id, target.spec.side, flags=salvo.flags, facts=facts_of_nearest)
    if answers:
        strike_back(table, battle, unit, target, whole_exchange, cell, nearest)
    if not battle.over:
        retreat_after_attack(table, battle, target, whole_exchange, cell)
    return close


def section_dice(battle: Battle, unit: Unit, origin: int, cell: int) -> tuple[int, int]:
    """Return the most dice that a section may be dealt, and the dice that an officer in its hex adds (AFR-322,
    AFR-323).

    The first number is the row at its range, less the ground.
    """
    return _dice_in(battle, dice_facts(battle, unit, origin, cell))


def _dice_in(battle: Battle, situation: DiceFacts) -> tuple[int, int]:
    """Return the dice of a situation without an officer, and those that he adds."""
    tally = battle.book.rules.tally
    own_dice = tally("battle_dice", replace(situation, officer=False)).total
    return own_dice, tally("battle_dice", situation).total - own_dice


def deal_dice(table: Table, battle: Battle, unit: Unit, sections: Sequence[int], cell: int) -> dict[int, int]:
    """Let the owner deal dice to the sections: each at most its row at its range, in total at most the largest row
    (AFR-322).

    Return the dice of the sections that fire, with the officer's die. It is added to his section's dice, or rolled
    alone where the ground takes all others.
    """
    situations = {origin: dice_facts(battle, unit, origin, cell) for origin in sections}
    max_dice = {origin: _dice_in(battle, situation) for origin, situation in situations.items()}
    for situation in situations.values():  # record the maximum of each section, to explain the dice
        table.tally("battle_dice", situation, unit)
    dice_left = largest = max(own_dice for own_dice, _ in max_dice.values())
    sections_with_dice = [origin for origin, (own_dice, _) in max_dice.items() if own_dice]
    dealt: dict[int, int] = {}
    for origin, (own_dice, officer_dice) in max_dice.items():
        if own_dice:
            min_dice = 1 if origin == sections_with_dice[-1] and dice_left == largest and not any(dealt.values()) else 0
            counts = list(range(min(own_dice, dice_left), min_dice - 1, -1))
            why, about = "dice of the section", (origin, cell)
            share = table.choose(unit.spec.side, counts, why=why, rule="AFR-322", actor=unit.spec.id, about=about)
            dice_left -= share
            dealt[origin] = share + officer_dice if share else 0
        else:
            dealt[origin] = officer_dice
    return {origin: dice for origin, dice in dealt.items() if dice}
