"""Movement of units (chapters 6 and 8)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from zareba.base.tally import Tally
from zareba.rules import procedure
from zareba.table import Table
from zareba_rulesets.afriboria.chapters.battle.eligibility import may_battle
from zareba_rulesets.afriboria.chapters.engagement import all_targets
from zareba_rulesets.afriboria.chapters.losses import take_away
from zareba_rulesets.afriboria.chapters.movement.ladders import climb_on, erect, ladder_sites, throw_down
from zareba_rulesets.afriboria.chapters.siege.walls import gather, man_wall, may_man
from zareba_rulesets.afriboria.chapters.sight.exposure import set_exposure
from zareba_rulesets.afriboria.chapters.victory import exit_edge, leave_table, score
from zareba_rulesets.afriboria.forces.battle import Battle
from zareba_rulesets.afriboria.forces.companies import (
    is_bound,
    keeps_together,
    pace,
    slowed_by_heat,
    strays,
    zone_goals,
)
from zareba_rulesets.afriboria.forces.movement_limits import commander_allowance, reachable
from zareba_rulesets.afriboria.forces.pieces import Commander, Unit
from zareba_rulesets.afriboria.forces.plan import Plan
from zareba_rulesets.afriboria.forces.platoons import take_command

__all__ = ["allowance", "go", "move_unit", "must_come_back", "steps_to", "unit_options"]

STAY, DISMOUNT, LEAVE, MAN, GATHER = "stay", "dismount", "leave the table", "man the wall", "gather"
Act = Any


def allowance(battle: Battle, unit: Unit, seen: list[Tally] | None = None) -> int:
    """Return the most hexes that a unit may move under its order (Table 3); 0 in sections, which must gather first.

    Dismounting uses the whole move (AFR-091). A company keeps to its slowest member (AFR-115).
    """
    return 0 if unit.sections else _hexes_to_spend(battle, unit, seen)


def _hexes_to_spend(battle: Battle, unit: Unit, seen: list[Tally] | None = None) -> int:
    """Return the same for actions that cost hexes of movement without leaving the hex (AFR-335)."""
    marks, profile = unit.marks, unit.profile
    if "passive" in marks:
        return 0
    limit = profile.move
    if "march" in marks:
        limit += battle.book.cards[battle.card].march
    limit = slowed_by_heat(battle, unit, limit)
    if "company" in marks:
        limit = min(limit, pace(battle, unit, to_battle=False))
    hexes: int = battle.book.rules.number("movement", limit, battle, unit, seen=seen)
    return hexes


def unit_options(battle: Battle, unit: Unit, plan: Plan) -> list[Act]:
    """Return the actions and moves of an ordered unit.

    Moves are ("to", hex), ("with", hex) with its commander, ("ladder", wall hex) and ("throw down", foot of a ladder).
    The other actions are words.
    """
    options: list[Act] = [STAY]
    limit = allowance(battle, unit)
    along = "along" in unit.marks  # with its NCO or not at all (AFR-103)
    if limit:
        goals = goals_of(battle, unit, limit)
        moves: list[Act] = [("to", cell) for cell in goals]
        if along:
            return options + moves
        chief = battle.commander_of(unit)
        if chief is not None and goals and "moved" not in chief.marks and not is_bound(battle, chief):
            moves += [("with", cell) for cell in _hexes_with_officer(battle, unit, chief, limit, goals)]
        if plan.exits and exit_edge(battle, unit, plan) is not None:
            moves.append(LEAVE)
        if goals and strays(battle, unit):  # it may only come back, or battle from its hex (AFR-118)
            return moves if _has_nobody_to_battle(battle, unit) else options + moves
        options += moves
        if limit >= battle.book.file.ladder_moves.put_up:
            options += [("ladder", wall) for wall in ladder_sites(battle, unit)]
    if along or "passive" in unit.marks:
        return options
    options += [("throw down", foot) for foot in _ladders_against(battle, unit)]
    if unit.mounted and unit.spec.foot is not None:
        options.append(DISMOUNT)
    if battle.structures and _hexes_to_spend(battle, unit):
        if may_man(battle, unit):
            options.append(MAN)
        if unit.sections:
            options.append(GATHER)
    return options


def goals_of(battle: Battle, unit: Unit, limit: int) -> list[int]:
    """Return the hexes where a unit may end a move of `limit` hexes without its commander.

    NCOs and companies restrict them (AFR-103, AFR-116, AFR-118, AFR-300).
    """
    cells = list(_hexes_within(battle, unit, limit))
    if "along" in unit.marks:
        leaders = [c for c in battle.side_commanders(unit.spec.side) if c.along == unit.spec.id and "moved" in c.marks]
        if not leaders:
            return []
        within = battle.field.distance
        slack = 1 if battle.book.room == 1 else 0
        return [cell for cell in cells if within[cell][leaders[0].hex] <= slack]
    company = battle.company_of(unit)
    if company is None or company.state != "active":
        return cells
    return zone_goals(battle, company, unit, cells)


def must_come_back(battle: Battle, unit: Unit) -> bool:
    """Return True if a member outside its company's zone must move: it can come nearer and has no target (AFR-116,
    AFR-118).
    """
    if not strays(battle, unit) or not goals_of(battle, unit, allowance(battle, unit)):
        return False
    return _has_nobody_to_battle(battle, unit)


def _has_nobody_to_battle(battle: Battle, unit: Unit) -> bool:
    return not (may_battle(battle, unit) and all_targets(battle, unit, first=True))


def _hexes_within(battle: Battle, unit: Unit, limit: int, chief: Commander | None = None) -> Mapping[int, int]:
    """Return the hexes within some steps of a unit, alone or with its commander, and the fewest steps to each."""
    return reachable(
        battle,
        unit.hex,
        limit,
        unit.spec.side,
        unit.profile.walks and not (chief is not None and chief.spec.mounted),
        room=battle.book.room,
        with_chief=chief is not None,
        guided="guided" in unit.marks,
        storms=unit.profile.storms and chief is None,
        climbs=unit.profile.climbs,
    )


def _hexes_with_officer(battle: Battle, unit: Unit, chief: Commander, limit: int, goals: list[int]) -> list[int]:
    """Return the hexes that a unit may enter with its commander: the same way, at the slower pace (AFR-105, AFR-106).

    Neither may leave its company (AFR-116, AFR-119). `goals` are the hexes that the unit may enter alone.
    """
    pair = _hexes_within(battle, unit, min(limit, commander_allowance(battle, chief)), chief)
    company = battle.company_of(unit)
    own = company is not None and company.officer == chief.spec.id
    return [cell for cell in pair if (own or cell in goals) and keeps_together(battle, chief, cell, unit)]


@procedure("movement.unit")
def move_unit(table: Table, battle: Battle, unit: Unit, plan: Plan) -> None:
    """Move one unit: its figures move together (AFR-084), once a turn (AFR-079), before all battles (AFR-080)."""
    side = unit.spec.side
    options = unit_options(battle, unit, plan)
    act = table.choose(side, options, why="move", rule="AFR-078", actor=unit.spec.id)
    allowance(battle, unit, table.tallies)
    unit.mark("moved")
    if act == STAY:
        return
    if act == DISMOUNT:
        unit.mounted = False
        unit.mark("changed")
        table.emit("dismount", "AFR-091", unit=unit.spec.id)
    elif act == LEAVE:
        edge = exit_edge(battle, unit, plan)
        assert edge is not None, "leaving is offered only where it is allowed"
        leave_table(table, battle, unit, edge)
    elif act == MAN:
        man_wall(table, battle, unit)
    elif act == GATHER:
        gather(table, battle, unit)
    elif act[0] == "ladder":
        _put_up_ladder(table, battle, unit, act[1], allowance(battle, unit))
    elif act[0] == "throw down":
        _throw_down_and_go_on(table, battle, unit, act[1])
    else:
        go(table, battle, unit, act[1], act[0] == "with")


def _ladders_against(battle: Battle, unit: Unit) -> list[int]:
    """Return the feet of the ladders against a unit's hexes, if it still has movement to throw one down."""
    hexes_left = _hexes_to_spend(battle, unit) - unit.moved
    if not battle.ladders or hexes_left < max(1, battle.book.file.ladder_moves.throw_down):
        return []
    return [foot for wall, foot in battle.ladders if wall in unit.hexes]


def _throw_down_and_go_on(table: Table, battle: Battle, unit: Unit, foot: int) -> None:
    """Throw down a ladder, which costs movement (AFR-335), then use the rest to throw down another or to move."""
    throw_down(table, battle, unit, foot)
    unit.moved += battle.book.file.ladder_moves.throw_down
    options: list[Act] = [STAY, *(("throw down", other) for other in _ladders_against(battle, unit))]
    limit = allowance(battle, unit) - unit.moved
    if limit > 0:
        options += [("to", cell) for cell in goals_of(battle, unit, limit)]
    if len(options) == 1:
        return
    act = table.choose(unit.spec.side, options, why="move", rule="AFR-335", actor=unit.spec.id)
    if act == STAY:
        return
    if act[0] == "throw down":
        _throw_down_and_go_on(table, battle, unit, act[1])
    else:
        go(table, battle, unit, act[1], with_officer=False)


def steps_to(battle: Battle, unit: Unit, cell: int, with_officer: bool) -> int:
    """Return the fewest hexes of a unit's move to a hex within its reach, alone or `with_officer` with its commander."""
    chief = battle.commander_of(unit) if with_officer else None
    return _hexes_within(battle, unit, allowance(battle, unit) - unit.moved, chief)[cell]


def go(table: Table, battle: Battle, unit: Unit, cell: int, with_officer: bool) -> None:
    """Move a unit by the shortest way. No rule depends on the hexes between, and a longer way never gives more options.

    Earlier actions in this move count as hexes moved (AFR-330, AFR-335).
    """
    side, profile = unit.spec.side, unit.profile
    limit = allowance(battle, unit) - unit.moved
    guided = "guided" in unit.marks
    chief = battle.commander_of(unit) if with_officer else None
    steps = steps_to(battle, unit, cell, with_officer)
    met = cell in battle.here or cell in battle.chiefs
    captive = battle.commander_in(cell)
    if captive is not None and captive.spec.side != side:
        capture(table, battle, unit, captive)
    battle.move(unit, cell)
    unit.moved += steps
    unit.unmark("unexposed")
    if chief is not None:
        battle.place(chief, cell)
        chief.mark("moved")
    if not with_officer:
        take_command(table, battle, cell)
    ground = battle.ground(cell)
    if ground.no_battle and not guided:
        unit.mark("no_battle")
    if profile.arm == "vehicle" and "debris" in ground.kinds and not guided:
        unit.mark("stuck")
    led_by = chief.spec.id if chief is not None else ""
    table.emit("move", "AFR-078", unit=unit.spec.id, hex=cell, steps=steps, chief=led_by)
    if battle.structures and not battle.over:
        set_exposure(table, battle, unit)
        ends = met or (ground.stop and not guided)  # AFR-083, AFR-086
        hexes_left = limit - steps
        if hexes_left and hexes_left >= battle.book.file.ladder_moves.put_up and not ends and "along" not in unit.marks:
            walls = ladder_sites(battle, unit)
            if walls:
                places: list[int | str] = [STAY, *walls]
                wall = table.choose(side, places, why="ladder at", rule="AFR-330", actor=unit.spec.id)
                if isinstance(wall, int):
                    _put_up_ladder(table, battle, unit, wall, hexes_left)


def _put_up_ladder(table: Table, battle: Battle, unit: Unit, wall: int, hexes_left: int) -> None:
    """Put up a ladder and perhaps climb it, with the hexes `hexes_left` of a move (AFR-330, AFR-331)."""
    costs = battle.book.file.ladder_moves
    unit.moved += costs.put_up
    if erect(table, battle, unit, wall) and hexes_left >= costs.put_up + costs.climb:
        climb_on(table, battle, unit, wall)


def capture(table: Table, battle: Battle, unit: Unit, captive: Commander) -> None:
    """Capture a wounded character who is alone in the hex that a unit enters (AFR-042, AFR-043)."""
    take_away(battle, captive, "captured")
    table.emit("captured", "AFR-043", unit=captive.spec.id, by=unit.spec.id)
    score(table, battle, unit.spec.side, captive.spec.points, captive.spec.name)
