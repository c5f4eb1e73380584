"""Movement of units, companies and commanders, and ladders."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from zareba.base.tally import Tally
from zareba.chance import counts
from zareba.rules import procedure
from zareba.table import Table
from zareba_rulesets.afriboria.chapters.combat import may_battle
from zareba_rulesets.afriboria.chapters.engagement import all_targets
from zareba_rulesets.afriboria.chapters.exchange import count_saves
from zareba_rulesets.afriboria.chapters.losses import lose_figures, remove_commander
from zareba_rulesets.afriboria.chapters.siege import gather, man_wall, may_man
from zareba_rulesets.afriboria.chapters.sight import set_exposure
from zareba_rulesets.afriboria.chapters.victory import exit_edge, leave_table, score
from zareba_rulesets.afriboria.forces.battle import Battle, Plan, commander_allowance, reachable
from zareba_rulesets.afriboria.forces.companies import (
    company_pace,
    is_bound,
    is_outside_zone,
    keeps_together,
    slowed_by_heat,
    take_command,
    zone_goals,
)
from zareba_rulesets.afriboria.forces.pieces import OFF, Commander, Unit

# --- Ladders against walls (AFR-329 to AFR-337) -----------------------------------------------------------------------


_REPULSE = counts("that throw it down", "that destroy it")

_CLIMB, _FOOT = "climb", "stay at the foot"
_STANDS, _FALLS, _BROKEN = "stands", "falls", "broken"


def ladder_sites(battle: Battle, unit: Unit) -> list[int]:
    """Return the adjacent wall hexes against which a unit can put up its ladder; only infantry can (AFR-330,
    AFR-337).
    """
    if not unit.ladders or not unit.profile.climbs or not battle.structures:
        return []
    side = unit.spec.side
    return [
        cell
        for cell in battle.field.neighbours[unit.hex]
        if battle.is_shut_out(cell, side) and (cell, unit.hex) not in battle.ladders
    ]


@procedure("siege.ladder")
def roll_ladder_repulse(table: Table, battle: Battle, unit: Unit) -> str:
    """Roll the defender's battle die against a ladder (AFR-332) and return the result.

    A shield brings the ladder down with one hit on the unit, saved as in close combat. Sabres destroy it with an
    automatic kill. Fast play omits the saving throw (AFR-016).
    """
    entry = battle.book.file.ladder
    read = battle.book.reading_of(entry.brought_down, entry.destroyed)
    brought_down, destroyed = table.roll(
        entry.dice, 6, read, why="ladder repulse", rule="AFR-332", actor=unit.spec.id, means=_REPULSE
    )
    if destroyed:
        unit.ladders = False
        lose_figures(table, battle, unit, entry.figures, "melee", "AFR-332")
        return _BROKEN
    if brought_down:
        read = battle.book.save_reads[True]
        hits = entry.figures - count_saves(table, battle.book, entry.figures, read, "AFR-332", unit.spec.id)
        lose_figures(table, battle, unit, hits, "melee", "AFR-332")
        return _FALLS
    return _STANDS


def put_up_ladder(table: Table, battle: Battle, unit: Unit, wall: int) -> bool:
    """Put up a ladder (AFR-330); return True if it stands.

    An empty wall cannot repulse it (AFR-333). After a repulse the move is over (AFR-334).
    """
    is_held = battle.held_by_enemy(wall, unit.spec.side) and wall in battle.here
    result = roll_ladder_repulse(table, battle, unit) if is_held else _STANDS
    table.emit("ladder", "AFR-330", unit=unit.spec.id, hex=wall, result=result)
    if result != _STANDS or unit.hex == OFF:
        return False
    unit.ladders = False
    battle.ladders.append((wall, unit.hex))
    return True


def offer_climb(table: Table, battle: Battle, unit: Unit, wall: int) -> None:
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
    choice = table.choose(unit.spec.side, (_CLIMB, _FOOT), why="climb", rule="AFR-331", actor=unit.spec.id)
    if choice == _CLIMB:
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


# --- Movement of units (chapters 6 and 8) -----------------------------------------------------------------------------


STAY, DISMOUNT, LEAVE, MAN, GATHER = "stay", "dismount", "leave the table", "man the wall", "gather"
MoveOption = Any
"""An option of a move: a word, or a verb with a hex (see `unit_options`)."""


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
        limit = min(limit, company_pace(battle, unit, to_battle=False))
    hexes: int = battle.book.rules.number("movement", limit, battle, unit, seen=seen)
    return hexes


def unit_options(battle: Battle, unit: Unit, plan: Plan) -> list[MoveOption]:
    """Return the actions and moves of an ordered unit.

    Moves are ("to", hex), ("with", hex) with its commander, ("ladder", wall hex) and ("throw down", foot of a ladder).
    The other actions are words.
    """
    options: list[MoveOption] = [STAY]
    limit = allowance(battle, unit)
    along = "along" in unit.marks  # with its NCO or not at all (AFR-103)
    if limit:
        goals = _hexes_for_move(battle, unit, limit)
        moves: list[MoveOption] = [("to", cell) for cell in goals]
        if along:
            return options + moves
        chief = battle.commander_of(unit)
        if chief is not None and goals and "moved" not in chief.marks and not is_bound(battle, chief):
            moves += [("with", cell) for cell in _hexes_with_officer(battle, unit, chief, limit, goals)]
        if plan.exits and exit_edge(battle, unit, plan) is not None:
            moves.append(LEAVE)
        if goals and is_outside_zone(battle, unit):  # it may only come back, or battle from its hex (AFR-118)
            return moves if _has_no_target(battle, unit) else options + moves
        options += moves
        if limit >= battle.book.file.ladder_moves.put_up:
            options += [("ladder", wall) for wall in ladder_sites(battle, unit)]
    if along or "passive" in unit.marks:
        return options
    options += [("throw down", foot) for foot in _ladders_against(battle, unit)]
    if unit.mounted and unit.spec.foot is not None:
        options.append(DISMOUNT)
    return options + wall_options(battle, unit)


def wall_options(battle: Battle, unit: Unit) -> list[MoveOption]:
    """Return the words for manning walls and for gathering in one of them, if a unit may do so (AFR-321)."""
    if not battle.structures or not _hexes_to_spend(battle, unit):
        return []
    return [*([MAN] if may_man(battle, unit) else []), *([GATHER] if unit.sections else [])]


def _hexes_for_move(battle: Battle, unit: Unit, limit: int) -> list[int]:
    """Return the hexes where a unit may end a move of `limit` hexes without its commander.

    NCOs and companies restrict them (AFR-103, AFR-116, AFR-118, AFR-300).
    """
    cells = list(_hexes_within(battle, unit, limit))
    if "along" in unit.marks:
        leaders = [c for c in battle.side_commanders(unit.spec.side) if c.along == unit.spec.id and "moved" in c.marks]
        if not leaders:
            return []
        (nco, *_), distance = leaders, battle.field.distance
        max_distance = 1 if battle.book.room == 1 else 0  # his platoon may be in the next hex if a hex holds one unit
        return [cell for cell in cells if distance[cell][nco.hex] <= max_distance]
    company = battle.company_of(unit)
    if company is None or company.state != "active":
        return cells
    return zone_goals(battle, company, unit, cells)


def must_come_back(battle: Battle, unit: Unit) -> bool:
    """Return True if a member outside its company's zone must move: it can come nearer and has no target (AFR-116,
    AFR-118).
    """
    if not is_outside_zone(battle, unit) or not _hexes_for_move(battle, unit, allowance(battle, unit)):
        return False
    return _has_no_target(battle, unit)


def _has_no_target(battle: Battle, unit: Unit) -> bool:
    """Return True if a unit may not battle or has no target where it is."""
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
    is_his_company = company is not None and company.officer == chief.spec.id
    return [cell for cell in pair if (is_his_company or cell in goals) and keeps_together(battle, chief, cell, unit)]


@procedure("movement.unit")
def move_unit(table: Table, battle: Battle, unit: Unit, plan: Plan) -> None:
    """Move one unit: its figures move together (AFR-084), once a turn (AFR-079), before all battles (AFR-080)."""
    side = unit.spec.side
    options = unit_options(battle, unit, plan)
    choice = table.choose(side, options, why="move", rule="AFR-078", actor=unit.spec.id)
    allowance(battle, unit, table.tallies)
    unit.mark("moved")
    if choice == STAY:
        return
    if isinstance(choice, tuple):
        how, cell = choice
        if how == "ladder":
            _put_up_and_climb(table, battle, unit, cell, allowance(battle, unit))
        elif how == "throw down":
            _throw_down_and_go_on(table, battle, unit, cell)
        else:
            move_to(table, battle, unit, cell, with_officer=how == "with")
    elif choice == DISMOUNT:
        unit.mounted = False
        unit.mark("changed")
        table.emit("dismount", "AFR-091", unit=unit.spec.id)
    elif choice == LEAVE:
        edge = exit_edge(battle, unit, plan)
        assert edge is not None, "leaving is offered only where it is allowed"
        leave_table(table, battle, unit, edge)
    elif choice == MAN:
        man_wall(table, battle, unit)
    elif choice == GATHER:
        gather(table, battle, unit)


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
    options: list[MoveOption] = [STAY, *(("throw down", other) for other in _ladders_against(battle, unit))]
    limit = allowance(battle, unit) - unit.moved
    if limit > 0:
        options += [("to", cell) for cell in _hexes_for_move(battle, unit, limit)]
    if len(options) == 1:
        return
    choice = table.choose(unit.spec.side, options, why="move", rule="AFR-335", actor=unit.spec.id)
    if choice == STAY:
        return
    how, cell = choice
    if how == "throw down":
        _throw_down_and_go_on(table, battle, unit, cell)
    else:
        move_to(table, battle, unit, cell, with_officer=False)


def steps_to(battle: Battle, unit: Unit, cell: int, with_officer: bool) -> int:
    """Return the fewest hexes of a unit's move to a hex within its reach, alone or `with_officer` with its
    commander.
    """
    chief = battle.commander_of(unit) if with_officer else None
    return _hexes_within(battle, unit, allowance(battle, unit) - unit.moved, chief)[cell]


def move_to(table: Table, battle: Battle, unit: Unit, cell: int, with_officer: bool) -> None:
    """Move a unit by the shortest way. No rule depends on the hexes between, and a longer way never gives more options.

    Earlier actions in this move count as hexes moved (AFR-330, AFR-335).
    """
    side, profile = unit.spec.side, unit.profile
    limit = allowance(battle, unit) - unit.moved
    guided = "guided" in unit.marks
    chief = battle.commander_of(unit) if with_officer else None
    steps = steps_to(battle, unit, cell, with_officer)
    meets_piece = cell in battle.here or cell in battle.chiefs
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
    commander_id = chief.spec.id if chief is not None else ""
    table.emit("move", "AFR-078", unit=unit.spec.id, hex=cell, steps=steps, chief=commander_id)
    if battle.structures and not battle.over:
        set_exposure(table, battle, unit)
        move_is_over = meets_piece or (ground.stop and not guided)  # AFR-083, AFR-086
        hexes_left = limit - steps
        if (
            hexes_left
            and hexes_left >= battle.book.file.ladder_moves.put_up
            and not move_is_over
            and "along" not in unit.marks
        ):
            walls = ladder_sites(battle, unit)
            if walls:
                places: list[int | str] = [STAY, *walls]
                wall = table.choose(side, places, why="ladder at", rule="AFR-330", actor=unit.spec.id)
                if isinstance(wall, int):
                    _put_up_and_climb(table, battle, unit, wall, hexes_left)


def _put_up_and_climb(table: Table, battle: Battle, unit: Unit, wall: int, hexes_left: int) -> None:
    """Put up a ladder and perhaps climb it, with the hexes `hexes_left` of a move (AFR-330, AFR-331)."""
    costs = battle.book.file.ladder_moves
    unit.moved += costs.put_up
    if put_up_ladder(table, battle, unit, wall) and hexes_left >= costs.put_up + costs.climb:
        offer_climb(table, battle, unit, wall)


def capture(table: Table, battle: Battle, unit: Unit, captive: Commander) -> None:
    """Capture a wounded character who is alone in the hex that a unit enters (AFR-042, AFR-043)."""
    remove_commander(battle, captive, "captured")
    table.emit("captured", "AFR-043", unit=captive.spec.id, by=unit.spec.id)
    score(table, battle, unit.spec.side, captive.spec.points, captive.spec.name)


# --- Movement of commanders, and of the companies that follow them (AFR-094 to AFR-098, AFR-115 to AFR-119) -----------


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
    company = battle.company_led_by(commander)
    if company is None or company.state != "active":
        return list(cells)
    members = [battle.units[name] for name in company.members]
    company_follows = "company" in commander.marks
    staying = [u for u in members if battle.in_zone(u, commander) and not (company_follows and "company" in u.marks)]
    goals = [cell for cell in cells if all(battle.field.distance[unit.hex][cell] <= 1 for unit in staying)]
    return (
        [cell for cell in goals if _company_can_follow(battle, commander, cell, members)] if company_follows else goals
    )


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
    reachable_hexes = reachable(
        battle,
        unit.hex,
        limit,
        unit.spec.side,
        unit.profile.walks,
        room=battle.book.room,
        guided="guided" in unit.marks,
        climbs=unit.profile.climbs,
    )
    return [cell for cell in reachable_hexes if battle.field.distance[cell][officer.hex] <= 1]


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
    company = battle.company_led_by(commander)
    if company is None or company.state != "active" or "company" not in commander.marks:
        return
    waiting = stragglers(battle, commander, [battle.units[name] for name in company.members])
    for number, unit in enumerate(waiting):
        rest = waiting[number + 1 :]
        goals = [
            cell for cell in follow_goals(battle, commander, unit) if _leaves_room(battle, commander, unit, cell, rest)
        ]
        cell = table.choose(unit.spec.side, goals, why="follow to", rule="AFR-116", actor=unit.spec.id)
        unit.mark("moved")
        move_to(table, battle, unit, cell, with_officer=False)


def _leaves_room(battle: Battle, officer: Commander, unit: Unit, cell: int, rest: list[Unit]) -> bool:
    """Return True if all other members can still reach the zone after one of them has moved to a hex of it."""
    start = unit.hex
    battle.move(unit, cell)
    fits = _members_fit(battle, officer, rest)
    battle.move(unit, start)
    return fits
