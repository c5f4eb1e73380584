"""Actions of units under any rules on a free table: march, charge, fall back, lose figures, leave the battle.

The ruleset decides when, how far and under which rule. House rules can wrap these procedures like the ruleset's own.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise

from zareba.base.exact import dist
from zareba.battle.positions import MoveSuggestions
from zareba.rules.procedure import procedure
from zareba.simple_ruleset.scoreboard import objective_places
from zareba.simple_ruleset.state import Battle, Unit
from zareba.space import Point
from zareba.space.field.bodies import SLACK, Crowd
from zareba.space.moves import ChargePaths, How, find_blockers, points_around
from zareba.table import MoveCost, Table

_GOALS = 3
"""The number of enemies, and of objectives, towards which a march is suggested."""
_DIRECTIONS = 6
"""The number of further directions that are suggested."""
_PARTS = (1.0, 0.75, 0.5, 0.25)
"""Fractions of a move to try, if there is no room at its end."""
CHARGE_PATHS = ChargePaths(touch=0.0, bend=30.0, most=0, turns=(30, -30, 60, -60))
"""Charges: base to base, straight ahead or slightly to one side."""
_LEAST_GAP = 0.5
"""Smallest distance beyond contact between the end of a march and an enemy."""
_REASONS: dict[How, str] = {  # why another unit blocks a move, with a place for its name
    "on": "there is no room beside {}",
    "through": "the path is blocked by {}",
    "against": "that is too close to {}",
}


@procedure("march")
def march(table: Table, battle: Battle, unit: Unit, allowance: float, rule: str) -> bool:
    """Ask the owner where a unit goes within its move allowance; return True if it moved."""
    places = _march_places(battle, unit, allowance)
    to = table.place(unit.side, places, places.legal, why="march to", rule=rule, actor=unit.id, cost=places.cost)
    if dist(to, unit.place) <= SLACK:
        return False
    unit.at = to
    table.emit("marched", rule, unit=unit.id, to=_rounded(to))
    return True


def _rounded(at: Point) -> list[float]:
    return [round(at[0], 1), round(at[1], 1)]


def _march_places(battle: Battle, unit: Unit, allowance: float) -> MoveSuggestions:
    """Return the suggested places for a unit: its own place, then towards enemies, objectives and all directions."""
    field, here = battle.field, unit.place

    @cache
    def goals() -> list[Point]:
        foes = [foe.place for foe in battle.foes(unit)[:_GOALS]]
        objectives = sorted(objective_places(battle, unit), key=lambda at: dist(at, here))[:_GOALS]
        return [
            *foes,
            *objectives,
            *points_around(here, allowance, 0.0, [360 / _DIRECTIONS * turn for turn in range(_DIRECTIONS)]),
        ]

    def legal(at: Point) -> str | None:
        return reason_against_move(battle, unit, at, allowance)

    def farthest(number: int) -> Point | None:
        if number == 0 or number > len(goals()):
            return None if number else here
        path = field.path(here, field.table.nearest_point_inside(goals()[number - 1]))
        places = [] if path is None else (field.movement_cost.advance(path, allowance * part).point for part in _PARTS)
        return next((at for at in places if legal(at) is None), None)

    def cost(at: Point) -> MoveCost:
        return MoveCost(_path_cost(battle, unit, at), allowance)

    return MoveSuggestions(1 + _GOALS * 2 + _DIRECTIONS, farthest, legal, cost=cost)


def reason_against_move(
    battle: Battle, unit: Unit, to: Point, allowance: float, target: Unit | None = None
) -> str | None:
    """Return the reason why a unit may not go to a place; None if it may. Only contact with `target` is allowed."""
    if dist(to, unit.place) <= SLACK:
        return None
    if not battle.field.table.is_on_table(to):
        return "that is off the table"
    path, cost = battle.field.path(unit.place, to), _path_cost(battle, unit, to)
    if path is None or cost is None:
        return "there is no path to that place"
    if cost > allowance + SLACK:
        return f"the path costs {cost:.1f} of a move allowance of {allowance:g}"
    others = [other for other in battle.on_table() if other is not unit and other is not target]
    gap_at_end = battle.book.reach.contact + (_LEAST_GAP if target is None else 0.0)
    for a, b in pairwise(path):
        is_end = b == path[-1]
        bases = [other.base for other in others if is_end or other.side != unit.side]  # it may pass through friends
        gap = gap_at_end if is_end else 0.0
        blocker = find_blockers([a], (b[0] - a[0], b[1] - a[1]), unit.radius, bases, unit.side, gap)
        if blocker is not None:
            return _REASONS[blocker.how].format(battle.units[blocker.base.key].spec.name)
    return None


def _path_cost(battle: Battle, unit: Unit, to: Point) -> float | None:
    """Return the movement cost of a unit's path to a place; None if there is no path."""
    return battle.field.path_cost(unit.place, to)


def charges(battle: Battle, unit: Unit, allowance: float) -> list[Unit]:
    """Return the enemies that a unit can charge with an allowance, the nearest first."""
    reach = allowance + battle.book.reach.contact
    near = [foe for foe in battle.foes(unit) if battle.gap(unit, foe) <= reach]
    return [foe for foe in near if _contact_point(battle, unit, foe, allowance) is not None]


def _contact_point(battle: Battle, unit: Unit, foe: Unit, allowance: float) -> Point | None:
    """Return the place where a unit makes contact with an enemy, straight ahead or slightly to one side; None if there
    is none.
    """
    ring, others = (foe.place, foe.radius), [other.base for other in battle.on_table() if other not in (unit, foe)]
    occupied = {ring: CHARGE_PATHS.occupied_arcs(unit.radius, Crowd(others), ring)}
    places = CHARGE_PATHS.places_in_contact(unit.place, unit.radius, ring, occupied)
    return next((at for _, at in places if reason_against_move(battle, unit, at, allowance, foe) is None), None)


@procedure("charge")
def charge(table: Table, battle: Battle, unit: Unit, foe: Unit, allowance: float, rule: str) -> bool:
    """Move a unit into contact with an enemy; return False if it cannot reach the enemy, or the enemy has gone."""
    at = _contact_point(battle, unit, foe, allowance) if foe.at is not None else None
    if at is None:
        return False
    unit.at = at
    table.emit("charged", rule, unit=unit.id, enemy=foe.id)
    return True


@procedure("fall back")
def fall_back(table: Table, battle: Battle, unit: Unit, inches: float, rule: str) -> None:
    """Move a unit straight away from its nearest enemy, as far as it can. A unit that would cross the table edge has
    fled.
    """
    foes = battle.foes(unit)
    if not foes:
        return
    (x, y), (foe_x, foe_y) = unit.place, foes[0].place
    distance = dist(unit.place, foes[0].place) or 1.0
    goal = x + (x - foe_x) / distance * inches, y + (y - foe_y) / distance * inches
    if not battle.field.table.is_on_table(goal):
        go(table, battle, unit, "fled", rule)
        return
    path = battle.field.path(unit.place, goal) or (unit.place, goal)
    for part in _PARTS:
        at = battle.field.movement_cost.advance(path, inches * part).point
        if battle.stands_on(unit, at) is None and dist(at, foes[0].place) > distance:
            unit.at = at
            break
    how_far = f"{inches:g} {battle.book.length}"
    table.emit("fell back", rule, unit=unit.id, to=_rounded(unit.place), distance=how_far)


@procedure("lose")
def lose(table: Table, battle: Battle, unit: Unit, figures: int, rule: str, cause: str = "fire") -> int:
    """Remove figures from a unit and return the number lost; without figures left the unit is destroyed.

    `cause` is fire, melee, morale or other; comparisons count losses by cause.
    """
    lost = min(figures, unit.figures)
    if lost <= 0:
        return 0
    unit.figures -= lost
    table.emit("loss", rule, unit=unit.id, side=unit.side, lost=lost, left=unit.figures, cause=cause)
    if not unit.figures:
        go(table, battle, unit, "destroyed", rule)
    return lost


@procedure("leader falls")
def lose_leader(table: Table, battle: Battle, unit: Unit, rule: str, leader: str = "", cause: str = "fire") -> bool:
    """Kill a leader of a unit: the leaders one, or the first who has not fallen. Return True if there was one."""
    leaders = [name for name in unit.leaders if leader in ("", name)]
    if not leaders:
        return False
    unit.fallen[leaders[0]] = cause
    table.emit("leader killed", rule, unit=unit.id, name=battle.scenario.leaders[leaders[0]].name)
    return True


@procedure("go")
def go(table: Table, battle: Battle, unit: Unit, why: str, rule: str) -> None:
    """Remove a unit from the battle for good. `why` is also the kind of the event. Objects that it carries stay on its
    place.
    """
    for carried_object in battle.carried_objects.values():
        if carried_object.carrier == unit.id:
            carried_object.carrier = ""
    unit.at, unit.gone = None, why
    if unit.id in battle.waiting:
        del battle.waiting[unit.id]
    if unit.figures:
        table.emit("loss", rule, unit=unit.id, side=unit.side, lost=unit.figures, left=0, cause="morale")
    table.emit(why, rule, unit=unit.id)
