"""Retreats of units and commanders, which are not moves (chapter 15, AFR-087)."""

from __future__ import annotations

from zareba.rules import procedure
from zareba.table import Table
from zareba_rulesets.afriboria.chapters.losses import lose_commander, lose_figures, remove
from zareba_rulesets.afriboria.chapters.sight import set_exposure
from zareba_rulesets.afriboria.forces.battle import Battle
from zareba_rulesets.afriboria.forces.companies import keeps_together, take_command
from zareba_rulesets.afriboria.forces.pieces import OFF, Commander, Unit

_FIGURE, _COMMANDER = "a figure", "the commander"


def retreat_hexes(battle: Battle, unit: Unit, follower: Commander | None) -> list[int]:
    """Return the hexes of one step back: nearer to the own edge (AFR-238), with room and without enemies (AFR-244).

    If a commander goes along, hexes with another commander are closed (AFR-249). Terrain does not matter except closed
    ground and the enemy's structures (AFR-237).
    """
    return [cell for cell in free_hexes_behind(battle, unit, unit.hex) if follower is None or cell not in battle.chiefs]


def free_hexes_behind(battle: Battle, unit: Unit, cell: int) -> list[int]:
    """Return the hexes of a first step back from `cell`, where a unit is attacked; it may leave its commander behind
    (AFR-249).
    """
    side, room = unit.spec.side, battle.book.room
    return [
        near
        for near in battle.field.hexes_behind[side][cell]
        if _is_open(battle, near, side) and len(battle.here.get(near, ())) < room
    ]


def _is_open(battle: Battle, cell: int, side: str) -> bool:
    """Return True if a side may retreat into a hex: no enemy, closed ground or enemy structure (AFR-237, AFR-244)."""
    return not (
        battle.held_by_enemy(cell, side)
        or battle.ground(cell).closed
        or (battle.has_intact_structure(cell) and battle.field.structures[cell].side != side)
    )


def _follower(battle: Battle, unit: Unit) -> Commander | None:
    """Return the commander that a unit takes along: its own, unless a second unit stays with him (AFR-246)."""
    chief = battle.commander_of(unit)
    return chief if chief is not None and len(battle.here[unit.hex]) == 1 else None


def _go_back(table: Table, battle: Battle, unit: Unit, goal: int, follower: Commander | None, rule: str) -> None:
    """Retreat one hex, with the commander who goes along."""
    battle.move(unit, goal)
    unit.unmark("unexposed", "stuck")
    if follower is not None:
        battle.place(follower, goal)
    table.emit("retreat", rule, unit=unit.spec.id, hex=goal, chief=follower.spec.id if follower is not None else "")


def _suspend(battle: Battle, officer: Commander) -> None:
    """Suspend the company of an officer who is forced out of it; its units then move separately (AFR-121)."""
    company = battle.company_led_by(officer)
    if company is not None and company.state == "active":
        company.state = "suspended"


@procedure("retreat.forced")
def retreat(table: Table, battle: Battle, unit: Unit, hexes: int, cell: int | None = None) -> int:
    """Retreat towards the own side hex by hex, out of the commander's zone if necessary (AFR-226). Return the hexes
    gone.

    A unit spread on a wall first gathers in `cell`, where it was attacked, if any of its figures are left there. A
    unit that leaves the field is lost (AFR-248). A unit that enters a commander's hex is rallied (AFR-245).
    """
    if hexes and unit.sections:
        battle.move(unit, cell if cell in unit.sections else unit.hex)
    follower = _follower(battle, unit)
    for step in range(hexes):
        if unit.hex in battle.field.own_edge_hexes[unit.spec.side]:
            remove(table, battle, unit, "left the field", "AFR-248")
            if follower is not None and not battle.over:
                lose_commander(table, battle, follower, "left the field", "AFR-248", "morale")
            return step
        open_hexes = retreat_hexes(battle, unit, follower)
        if not open_hexes and follower is not None:
            open_hexes, follower = retreat_hexes(battle, unit, None), None  # AFR-249: he stays
            if not open_hexes:
                follower = _follower(battle, unit)
        if not open_hexes:
            _lose_to_blocked_retreat(table, battle, unit, follower, hexes - step)
            return step
        goal = table.choose(unit.spec.side, open_hexes, why="retreat to", rule="AFR-238", actor=unit.spec.id)
        rallied = goal in battle.chiefs
        if follower is not None:
            _suspend(battle, follower)
        _go_back(table, battle, unit, goal, follower, "AFR-238")
        if rallied:
            table.emit("rallied", "AFR-245", unit=unit.spec.id)
            take_command(table, battle, goal)
            set_exposure(table, battle, unit)
            return step + 1
    if hexes:
        set_exposure(table, battle, unit)
    return hexes


def _lose_to_blocked_retreat(table: Table, battle: Battle, unit: Unit, follower: Commander | None, steps: int) -> None:
    """Remove a figure, or by choice the commander, per step that cannot be made; no saving throws (AFR-247)."""
    table.emit("blocked", "AFR-247", unit=unit.spec.id)
    for _ in range(steps):
        options = [_FIGURE]
        if follower is not None and "wounded" not in follower.marks:
            options.append(_COMMANDER)  # a wounded character cannot be lost in place of a figure
        lost = table.choose(unit.spec.side, options, why="lose", rule="AFR-247", actor=unit.spec.id)
        if lost == _COMMANDER:
            assert follower is not None, "the commander is offered only where he is"
            lose_commander(table, battle, follower, "killed", "AFR-247", "morale")
            follower = None
        else:
            lose_figures(table, battle, unit, 1, "morale", "AFR-247", unit.hex)
        if unit.hex == OFF or battle.over:
            return


def may_withdraw(battle: Battle, unit: Unit) -> bool:
    """Return True if a voluntary retreat is possible: a free hex behind (AFR-239, AFR-241) that keeps it in its
    company's zone.
    """
    return bool(_withdrawals(battle, unit))


def _withdrawals(battle: Battle, unit: Unit) -> list[int]:
    """Return the hexes of a unit's voluntary retreat; none for a unit in sections (AFR-239, AFR-241)."""
    if unit.sections:
        return []
    follower = _follower(battle, unit)
    cells = retreat_hexes(battle, unit, follower)
    if follower is not None:
        cells = [cell for cell in cells if keeps_together(battle, follower, cell, unit)]
    company = battle.company_of(unit)
    if company is not None and company.state == "active":
        officer = battle.commanders[company.officer]
        if officer is not follower and battle.in_zone(unit, officer):  # outside the zone it acts separately (AFR-118)
            cells = [cell for cell in cells if battle.field.distance[cell][officer.hex] <= 1]
    return cells


def withdraw(table: Table, battle: Battle, unit: Unit) -> None:
    """Make the voluntary retreat, one hex after the losses (AFR-239). If the hex is no longer free, the unit stays
    (AFR-243).

    Its commander goes along as in a forced retreat (AFR-242).
    """
    cells = _withdrawals(battle, unit)
    if not cells:
        return
    follower = _follower(battle, unit)
    goal = table.choose(unit.spec.side, cells, why="retreat to", rule="AFR-239", actor=unit.spec.id)
    _go_back(table, battle, unit, goal, follower, "AFR-239")
    if follower is None:
        take_command(table, battle, goal)
    set_exposure(table, battle, unit)


def commander_hexes(battle: Battle, side: str, start: int) -> list[int]:
    """Return the hexes of one step back for a lone commander; never one with another commander (AFR-096)."""
    return [
        cell
        for cell in battle.field.hexes_behind[side][start]
        if _is_open(battle, cell, side) and cell not in battle.chiefs
    ]


def commander_withdrawals(battle: Battle, commander: Commander) -> list[int]:
    """Return the hexes of a lone commander's voluntary retreat, which never leaves his company (AFR-119, AFR-239)."""
    cells = commander_hexes(battle, commander.spec.side, commander.hex)
    return [cell for cell in cells if keeps_together(battle, commander, cell)]


@procedure("retreat.commander")
def retreat_commander(table: Table, battle: Battle, commander: Commander, hexes: int, forced: bool = True) -> None:
    """Retreat a lone commander (AFR-223). He is lost if he cannot retreat or must leave the field (AFR-247,
    AFR-248).
    """
    for _ in range(hexes):
        if forced and commander.hex in battle.field.own_edge_hexes[commander.spec.side]:
            lose_commander(table, battle, commander, "left the field", "AFR-248", "morale")
            return
        if forced:
            cells = commander_hexes(battle, commander.spec.side, commander.hex)
        else:
            cells = commander_withdrawals(battle, commander)
        if not cells:
            if forced:
                table.emit("blocked", "AFR-247", unit=commander.spec.id)
                lose_commander(table, battle, commander, "killed", "AFR-247", "morale")
            return
        goal = table.choose(commander.spec.side, cells, why="retreat to", rule="AFR-238", actor=commander.spec.id)
        if forced:
            _suspend(battle, commander)
        battle.place(commander, goal)
        table.emit("retreat", "AFR-238", unit=commander.spec.id, hex=goal)
    if hexes:
        take_command(table, battle, commander.hex)
