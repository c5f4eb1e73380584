"""Men on walls: sections, exposure, fire by sections (AFR-315 to AFR-327)."""

from __future__ import annotations

from dataclasses import replace

from zareba.rules import procedure
from zareba.table import Table
from zareba_rulesets.afriboria.battle import OFF, Battle, Unit
from zareba_rulesets.afriboria.combat import exchange_facts, offer_withdrawal, strike_back, tell_attack
from zareba_rulesets.afriboria.eligibility import candidates, dice_facts, pick_defender
from zareba_rulesets.afriboria.exchange import Exchange, answer_flags, attack
from zareba_rulesets.afriboria.losses import lose
from zareba_rulesets.afriboria.retreat import retreat, withdraw

__all__ = [
    "fight_from_wall",
    "firing_sections",
    "gather",
    "man_wall",
    "may_gather",
    "may_man",
    "set_exposure",
    "wall_room",
]

EXPOSED, HIDDEN = "show themselves", "keep out of sight"


def wall_room(battle: Battle) -> int:
    """Figures of one section: 4 on 15 cm hexes, 2 on 10 cm ones (AFR-318)."""
    figures = battle.book.file.wall_figures
    return figures.cm_15 if battle.book.settings.hex_cm == 15 else figures.cm_10


def set_exposure(table: Table, battle: Battle, unit: Unit) -> None:
    """Inside a building of a true fortification a unit may keep out of sight; its owner says so on entering and when he
    orders it (AFR-316)."""
    cell = unit.hex
    spec = battle.field.structures.get(cell)
    if spec is None or not spec.fortification or not battle.standing(cell) or unit.sections:
        return
    choice = table.choose(unit.spec.side, (EXPOSED, HIDDEN), why="exposure", rule="AFR-316", actor=unit.spec.id)
    if choice == HIDDEN:
        unit.mark("unexposed")
    else:
        unit.unmark("unexposed")


def _wall_hexes(battle: Battle, unit: Unit, start: int) -> list[int]:
    """Own standing structure hexes with room that hang together with `start`, nearest first."""
    side = unit.spec.side
    found, queue = [start], [start]
    while queue:
        cell = queue.pop(0)
        for near in battle.field.near[cell]:
            if near in found or not battle.standing(near) or battle.field.structures[near].side != side:
                continue
            if len(battle.here.get(near, ())) < battle.book.settings.room and not battle.held_by_enemy(near, side):
                found.append(near)
                queue.append(near)
    return found


def may_man(battle: Battle, unit: Unit) -> bool:
    """Whether a unit that stands in its own wall may spread over it (AFR-321)."""
    cell = unit.hex
    if unit.sections or not unit.profile.walks or not battle.standing(cell):
        return False
    if battle.field.structures[cell].side != unit.spec.side or unit.figures < 2:
        return False
    room = len(_wall_hexes(battle, unit, cell))
    return room > 1 and room * wall_room(battle) >= unit.figures


def man_wall(table: Table, battle: Battle, unit: Unit) -> None:
    """Spread a unit over adjacent wall hexes in a chain (AFR-321), each with no more figures than it holds (AFR-318).

    It takes the place of a move of one hex.
    """
    side, most = unit.spec.side, wall_room(battle)
    within = _wall_hexes(battle, unit, unit.hex)
    sections: dict[int, int] = {}
    left = unit.figures
    while left:
        if sections:
            open_hexes = [
                cell for cell in within if cell not in sections and any(cell in battle.field.near[c] for c in sections)
            ]
            cell = table.choose(side, open_hexes, why="man", rule="AFR-321", actor=unit.spec.id, about=(left,))
        else:
            cell = unit.hex
        others = len(within) - len(sections) - 1
        least = max(1, left - most * others)
        counts = list(range(min(most, left), least - 1, -1))
        figures = table.choose(side, counts, why="figures there", rule="AFR-318", actor=unit.spec.id, about=(cell,))
        sections[cell] = figures
        left -= figures
    if len(sections) > 1:
        battle.spread(unit, sections)
    unit.moved = 1
    table.tell("mans the wall", "AFR-321", unit=unit.spec.id, sections=tuple(sections.items()))


def may_gather(unit: Unit) -> bool:
    return bool(unit.sections)


def gather(table: Table, battle: Battle, unit: Unit) -> None:
    """A spread unit comes together in one of its hexes; it takes the place of a move of one hex."""
    cell = table.choose(unit.spec.side, list(unit.sections), why="gather in", rule="AFR-321", actor=unit.spec.id)
    battle.move(unit, cell)
    unit.moved = 1
    table.tell("gathers", "AFR-321", unit=unit.spec.id, hex=cell)


def firing_sections(battle: Battle, unit: Unit, cell: int, second: bool) -> list[int]:
    """The sections that can take part in an attack on a hex; in a second fire only those 2 or more away (AFR-325)."""
    least = 2 if second else 1
    distance = battle.field.distance
    return [
        origin
        for origin in unit.sections
        if least <= distance[origin, cell] <= unit.reach and candidates(battle, unit, origin, cell)
    ]


@procedure("siege.sections")
def fight_from_wall(table: Table, battle: Battle, unit: Unit, cell: int, second: bool = False) -> None:
    """An attack of a spread unit on one hex (AFR-322 to AFR-325).

    The owner deals out dice to sections, each up to its row at its own range, in all up to the largest row; only an
    officer's own section has his die (AFR-323). Each section is rolled for and capped by itself, one after another
    (AFR-324); flags are added up, and the defender has one choice and one defence.
    """
    rules, side = battle.book.rules, unit.spec.side
    sections = firing_sections(battle, unit, cell, second)
    pool = {c: candidates(battle, unit, c, cell) for c in sections}
    names = {target.spec.id for found in pool.values() for target in found}
    everyone = [target for target in battle.units_in(cell) if target.spec.id in names]
    target = pick_defender(table, battle, unit, cell, everyone)
    stands = offer_withdrawal(table, battle, target)
    plain = {c: replace(dice_facts(battle, unit, c, cell), officer=False) for c in sections}
    own = {c: rules.tally("battle_dice", plain[c]).total for c in sections}
    left = max(own.values())
    unit.battled = (*unit.battled, target.spec.id)
    flags, nearest = 0, min(sections, key=lambda c: battle.field.distance[c, cell])
    able = [origin for origin in sections if own[origin]]
    for origin in sections:
        lent = int(dice_facts(battle, unit, origin, cell).officer)
        dice = lent if not own[origin] else 0  # an officer's die alone, where the ground takes all others
        if own[origin]:
            least = 1 if origin == able[-1] and left == max(own.values()) else 0
            counts = list(range(min(own[origin], left), least - 1, -1))
            about = (origin,)
            share = table.choose(
                side, counts, why="dice of the section", rule="AFR-322", actor=unit.spec.id, about=about
            )
            left -= share
            dice = share + lent if share else 0
        if not dice:
            continue
        facts = exchange_facts(battle, unit, origin, target, cell, dice, stands)
        exchange = Exchange(unit.spec.id, target.spec.id, target.spec.side, facts=facts)
        attack(table, battle.book, exchange)
        tell_attack(table, exchange, cell)
        if facts.close:
            target.mark("engaged")
        flags += exchange.flags
        lose(table, battle, target, exchange.kills, "melee" if facts.close else "fire", "AFR-324", cell)
        if battle.over or target.hex == OFF:
            return
    facts = exchange_facts(battle, unit, nearest, target, cell, 0, stands)
    whole = Exchange(unit.spec.id, target.spec.id, target.spec.side, flags=flags, facts=facts)
    strike_back(table, battle, unit, target, whole, nearest)
    if battle.over:
        return
    if not stands:
        withdraw(table, battle, target)
        return
    answer_flags(table, battle.book, whole)
    retreat(table, battle, target, whole.retreat, cell)
