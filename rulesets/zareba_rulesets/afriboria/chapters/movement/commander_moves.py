"""Movement of commanders, and of the companies that follow them (AFR-094 to AFR-098, AFR-115 to AFR-119)."""

from __future__ import annotations

from zareba.rules import procedure
from zareba.table import Table
from zareba_rulesets.afriboria.chapters.movement.movement import allowance, go
from zareba_rulesets.afriboria.forces.battle import Battle
from zareba_rulesets.afriboria.forces.movement_limits import commander_allowance, reachable
from zareba_rulesets.afriboria.forces.pieces import OFF, Commander, Unit
from zareba_rulesets.afriboria.forces.platoons import take_command

__all__ = ["commander_goals", "follow_goals", "move_commander", "stragglers"]


def commander_goals(battle: Battle, commander: Commander) -> list[int]:
    """Return the hexes that an ordered commander may go to (AFR-094 to AFR-098).

    He never leaves a company that he leads, nor members with separate orders (AFR-116, AFR-119, AFR-346).
    """
    cells = reachable(
        battle,
        commander.hex,
        commander_allowance(battle, commander),
        commander.spec.side,
        not commander.spec.mounted,
        room=99,
        with_chief=True,
    )
    led = battle.led_by(commander)
    if led is None or led[1].state != "active":
        return list(cells)
    members = [battle.units[name] for name in led[1].members]
    all_go = "company" in commander.marks
    staying = [u for u in members if battle.in_zone(u, commander) and not (all_go and "company" in u.marks)]
    goals = [cell for cell in cells if all(battle.field.distance[unit.hex][cell] <= 1 for unit in staying)]
    return [cell for cell in goals if _company_can_follow(battle, commander, cell, members)] if all_go else goals


def _company_can_follow(battle: Battle, officer: Commander, cell: int, members: list[Unit]) -> bool:
    """Return True if every ordered member can still end its move in the zone around `cell` (AFR-116)."""
    start = officer.hex
    battle.place(officer, cell)
    fits = _members_fit(battle, officer, stragglers(battle, officer, members))
    battle.place(officer, start)
    return fits


def stragglers(battle: Battle, officer: Commander, members: list[Unit]) -> list[Unit]:
    """Return the ordered members of a company that are outside their officer's zone."""
    return [u for u in members if u.hex != OFF and "company" in u.marks and not battle.in_zone(u, officer)]


def _members_fit(battle: Battle, officer: Commander, left: list[Unit]) -> bool:
    """Return True if all members can reach hexes of the zone, one after another."""
    if not left:
        return True
    unit, rest = left[0], left[1:]
    if "moved" in unit.marks:
        return False
    if not rest:
        return bool(follow_goals(battle, officer, unit))
    return any(_leaves_room(battle, officer, unit, cell, rest) for cell in follow_goals(battle, officer, unit))


def follow_goals(battle: Battle, officer: Commander, unit: Unit) -> list[int]:
    """Return the hexes of the officer's zone that a member can reach; none for a unit in sections (AFR-321)."""
    limit = allowance(battle, unit)
    ways = reachable(
        battle,
        unit.hex,
        limit,
        unit.spec.side,
        unit.profile.walks,
        room=battle.book.room,
        guided="guided" in unit.marks,
        climbs=unit.profile.climbs,
    )
    return [cell for cell in ways if battle.field.distance[cell][officer.hex] <= 1]


@procedure("movement.commander")
def move_commander(table: Table, battle: Battle, commander: Commander) -> None:
    """Move an ordered commander, with or without his units (AFR-040). His company follows into his zone (AFR-116).

    It does not follow if an event has driven him out of it (AFR-121).
    """
    options = [commander.hex, *commander_goals(battle, commander)]
    goal = table.choose(commander.spec.side, options, why="commander to", rule="AFR-040", actor=commander.spec.id)
    if goal == commander.hex:
        return
    commander.mark("moved")
    battle.place(commander, goal)
    table.emit("move", "AFR-040", unit=commander.spec.id, hex=goal, steps=0)
    take_command(table, battle, goal)
    led = battle.led_by(commander)
    if led is None or led[1].state != "active" or "company" not in commander.marks:
        return
    waiting = stragglers(battle, commander, [battle.units[name] for name in led[1].members])
    for number, unit in enumerate(waiting):
        rest = waiting[number + 1 :]
        goals = [
            cell for cell in follow_goals(battle, commander, unit) if _leaves_room(battle, commander, unit, cell, rest)
        ]
        cell = table.choose(unit.spec.side, goals, why="follow to", rule="AFR-116", actor=unit.spec.id)
        unit.mark("moved")
        go(table, battle, unit, cell, with_officer=False)


def _leaves_room(battle: Battle, officer: Commander, unit: Unit, cell: int, rest: list[Unit]) -> bool:
    """Return True if all other members can still reach the zone after one of them has moved to a hex of it."""
    start = unit.hex
    battle.move(unit, cell)
    fits = _members_fit(battle, officer, rest)
    battle.move(unit, start)
    return fits
