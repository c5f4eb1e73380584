"""Moves by Action results: routs, retreats, halts, advances and marches of units without orders (RSK-134 to
RSK-146).
"""

from __future__ import annotations

from collections.abc import Iterable

from zareba.base.exact import dist
from zareba.rules import procedure
from zareba.space.bearings import bearing_to, direction, widest_gap
from zareba.space.geometry import Point, box_around, boxes_meet, towards
from zareba.space.moves import points_around
from zareba.table import Table
from zareba_rulesets.risk_factor.chapters.movement import (
    ARRIVED,
    full_move,
    go,
    nearest_cover,
    path_to,
    threat_point,
    turn_towards,
)
from zareba_rulesets.risk_factor.chapters.prisoners import take_prisoners
from zareba_rulesets.risk_factor.chapters.sight import nearest_visible, sees
from zareba_rulesets.risk_factor.forces import Battle, Unit, action_table, limits_of, main_weapon

# --- Moves by Action results in step 2, in their fixed order (RSK-134 to RSK-146, RSK-193) ----------------------------


_NO_ENEMY = 1e6  # the distance to the nearest enemy, in cm, if there is none
_MOVE_ORDER = {"rout": 0, "retreat": 1}
_ALL_OTHERS, _FREE_LEADERS = 2, 3  # these move after the actions of `_MOVE_ORDER`


def action_this_turn(unit: Unit) -> str:
    """Return what a unit that is not free does this turn: its Action result, or for Continue its previous action
    (RSK-134).
    """
    if "stays" in unit.marks:
        return "halt"
    if unit.result == "continue":
        return unit.action
    return "advance" if unit.result == "towards" else unit.result


def list_moves_and_charges(battle: Battle) -> tuple[list[str], list[str]]:
    """Return the units that move and the units that charge, each list in order. All other units turn to the enemy and
    stay.

    Routers move first, then retreats, then all others, each by growing distance to the nearest enemy. Attacks come
    last (RSK-137), and so does an Advance of close-combat troops that begins within 50 cm of the enemy (RSK-138).
    """
    moves: list[tuple[int, float, str]] = []
    charges: list[tuple[float, str]] = []
    side = battle.side
    groups = battle.groups_of(side)
    for unit in battle.of(side):
        free = "free" in unit.marks
        if unit.spec.leader and not free and battle.host(unit, groups) is not None:
            continue
        action = "" if free else action_this_turn(unit)
        if not free:
            unit.action = action if action != "halt_in_cover" else "halt"
        if action == "advance" and action_table(battle, unit) == "melee":
            _, gap = nearest_enemy(battle, unit) or (None, _NO_ENEMY)
            if gap <= battle.book.lengths["advance_to_attack"]:
                action = unit.action = "attack"
        if action == "halt":
            _turn_to_enemy(battle, unit)
        elif action == "attack":
            charges.append((_distance_to_enemy(battle, unit), unit.spec.id))
        elif free or action != "march" or unit.goal is not None:
            place = _MOVE_ORDER.get(action, _FREE_LEADERS if unit.spec.leader and free else _ALL_OTHERS)
            moves.append((place, _distance_to_enemy(battle, unit), unit.spec.id))
    return [name for *_, name in sorted(moves)], [name for *_, name in sorted(charges)]


def nearest_first(battle: Battle, names: Iterable[str]) -> list[str]:
    """Sort units by growing distance to the nearest enemy, ties by name."""
    return sorted(names, key=lambda name: (_distance_to_enemy(battle, battle.units[name]), name))


def _distance_to_enemy(battle: Battle, unit: Unit) -> float:
    """Return the distance to the nearest enemy, seen or not."""
    nearest = battle.nearest_enemy(unit)
    if nearest is None:
        return _NO_ENEMY
    _, near = nearest
    return near.gap


def nearest_enemy(battle: Battle, unit: Unit) -> tuple[Unit, float] | None:
    """Return the nearest enemy unit in sight and its distance, or None if no enemy is in sight."""
    nearest = nearest_visible(battle, unit)
    if nearest is None:
        return None
    enemy, near = nearest
    return enemy, near.gap


def _turn_to_enemy(battle: Battle, unit: Unit) -> None:
    """Turn to face the nearest enemy, as on a Halt (RSK-139)."""
    point = threat_point(battle, unit)
    if point is not None:
        turn_towards(unit, point)


@procedure("actions.act")
def carry_out_result(table: Table, battle: Battle, unit: Unit) -> None:
    """Carry out the Action result of a unit. A unit in contact moves only on Retreat and Rout (RSK-146)."""
    action = action_this_turn(unit)
    if action == "rout":
        rout(table, battle, unit)
    elif action == "retreat":
        retreat(table, battle, unit)
    elif battle.enemies_in_contact(unit):
        _turn_to_enemy(battle, unit)
    elif action == "halt_in_cover":
        _halt_in_cover(table, battle, unit)
    elif action == "advance":
        approach(table, battle, unit)
    elif action == "march" and unit.goal is not None:
        march(table, battle, unit, unit.goal)


def march(table: Table, battle: Battle, unit: Unit, goal: Point) -> None:
    """Move towards a destination. A March that has arrived becomes a Halt (RSK-191).

    It has arrived when the unit's centre is there, or is near and comes no nearer.
    """
    went = go(table, battle, unit, path_to(battle, unit.body.centre, goal), full_move(battle, unit))
    distance = dist(unit.body.centre, goal)
    if unit.is_on_table and (
        distance <= ARRIVED or (went <= ARRIVED and distance <= ARRIVED + unit.body.outer_radius / 2)
    ):
        unit.action, unit.goal = "halt", None


def approach(table: Table, battle: Battle, unit: Unit, share: float = 1.0) -> None:
    """Advance towards the nearest enemy. Missile troops stop at the medium range of their main weapon (RSK-138).

    If no enemy is in sight or known, the unit stays where it is (RSK-193).
    """
    point = threat_point(battle, unit)
    if point is None:
        return
    limit = full_move(battle, unit) * share
    weapon = main_weapon(battle, unit) if action_table(battle, unit) == "missile" else ""
    nearest = nearest_enemy(battle, unit)
    if nearest is not None:
        _, gap = nearest
        stop = float(limits_of(battle, unit, weapon)[1]) if weapon else 0.5
        limit = min(limit, gap - stop)
    if limit > 0:
        go(table, battle, unit, path_to(battle, unit.body.centre, point), limit)
    elif unit.is_on_table:
        turn_towards(unit, point)


# --- going back -------------------------------------------------------------------------------------------------------


@procedure("actions.retreat")
def retreat(table: Table, battle: Battle, unit: Unit) -> None:
    """Retreat into the nearest cover that is farther from every visible enemy, or straight away from the nearest enemy
    (RSK-140).

    Solo units take cover if they can reach it this turn; players choose. If the way into cover is blocked by other
    figures, the unit goes straight away.
    """
    cover = nearest_cover(battle, unit, farther=True)
    chooses = cover is not None and not battle.is_solo(unit.spec.side)
    choices = ["cover", "away"] if chooses else ["cover"]
    choice = (
        table.choose(unit.spec.side, choices, why="retreat", rule="RSK-140", actor=unit.spec.id)
        if chooses
        else choices[0]
    )
    cm = full_move(battle, unit)
    if cover is None or choice != "cover" or not go(table, battle, unit, path_to(battle, unit.body.centre, cover), cm):
        fall_back(table, battle, unit, cm, may_leave=True)


def way_back(battle: Battle, unit: Unit, length: float) -> Point:
    """Return the point at `length` cm straight away from the nearest enemy seen or known; with no such enemy, straight
    behind the unit (RSK-193).
    """
    point, centre = threat_point(battle, unit), unit.body.centre
    if point is not None and point != centre:
        return towards(point, centre, dist(point, centre) + length)
    dx, dy = direction(unit.facing)
    return centre[0] - dx * length, centre[1] - dy * length


def fall_back(
    table: Table,
    battle: Battle,
    unit: Unit,
    length: float,
    bonus: float = 0.0,
    may_leave: bool = False,
    share: float = 1.0,
) -> None:
    """Move a unit straight away from the nearest enemy seen or known; with no such enemy, straight back (RSK-193)."""
    centre, facing = unit.body.centre, unit.facing
    goal = way_back(battle, unit, length)
    go(table, battle, unit, [centre, goal], length, bonus, may_leave, share)
    unit.facing = bearing_to(centre, goal) if unit.is_on_table else facing


def _halt_in_cover(table: Table, battle: Battle, unit: Unit) -> None:
    """Stop in the nearest cover, or on the spot, and face where the enemy was last known (RSK-136)."""
    point = threat_point(battle, unit)
    cover = nearest_cover(battle, unit, farther=False)
    if cover is not None:
        go(table, battle, unit, path_to(battle, unit.body.centre, cover), full_move(battle, unit))
    unit.action, unit.goal, unit.status = "halt", None, "steady"
    if point is not None:
        turn_towards(unit, point)


@procedure("actions.rout")
def rout(table: Table, battle: Battle, unit: Unit) -> None:
    """Make routers surrender if they are surrounded (RSK-143). Otherwise they run 5 cm more than their move from the
    enemies near them (RSK-142).

    Leaders without orders surrender with their group (RSK-192).
    """
    bonus = battle.book.moves["rout_bonus"]
    if is_surrounded(battle, unit):
        foes = [enemy for enemy in battle.against(unit.spec.side) if enemy.status != "routing"]
        found = battle.nearest(unit, [enemy for enemy in foes if not enemy.spec.leader]) or battle.nearest(unit, foes)
        if found is not None:
            captor, _ = found
            companions = [] if unit.spec.leader else battle.leaders_with(unit)
            for member in (unit, *(leader for leader in companions if not leader.marks & {"free", "moved"})):
                take_prisoners(table, battle, member, list(range(member.count)), captor)
            return
    length = full_move(battle, unit) + bonus
    centre = unit.body.centre
    dx = dy = 0.0
    near = [e for e in battle.enemies_within(unit, battle.book.lengths["rout_from"]) if sees(battle, unit, e)]
    for enemy in near:
        figure = enemy.body.at[battle.gap(unit, enemy).second_index]
        distance = dist(figure, centre)
        if distance > 0:
            dx, dy = dx + (figure[0] - centre[0]) / distance, dy + (figure[1] - centre[1]) / distance
    if dx * dx + dy * dy < 1e-12:
        fall_back(table, battle, unit, length, bonus, may_leave=True)
        return
    goal = towards(centre, (centre[0] - dx, centre[1] - dy), length)
    go(table, battle, unit, [centre, goal], length, bonus, may_leave=True)


def rout_blocker_bearings(battle: Battle, unit: Unit) -> list[float]:
    """Return the bearings of everything that bars a rout: enemies that do not rout, and closed ground, with a bearing
    for every 10 degrees of its arc (RSK-143).
    """
    reach = full_move(battle, unit) + battle.book.moves["rout_bonus"]
    centre = unit.body.centre
    bearings = [
        bearing_to(centre, point)
        for enemy in battle.against(unit.spec.side)
        if enemy.status != "routing" and unit.body.circle_gap(enemy.body) <= reach
        for point in enemy.body.at
        if dist(centre, point) - enemy.body.radius <= reach
    ]
    search_box, bearings_around = box_around(centre, reach), range(0, 360, battle.book.counts["terrain_bearing"])
    if any(boxes_meet(search_box, piece.box) for piece in battle.field.closed):
        ends = points_around(centre, reach, 0.0, bearings_around)
        bearings += [
            float(bearing)
            for bearing, end in zip(bearings_around, ends, strict=True)
            if battle.field.meets_walls(centre, end)
        ]
    return bearings


def _is_closed_in(bearings: list[float], escape_gap: int) -> bool:
    """Return True if the widest free angle between neighbouring bearings is less than `escape_gap` degrees
    (RSK-143).
    """
    return bool(bearings) and widest_gap(set(bearings)) < escape_gap


def is_surrounded(battle: Battle, unit: Unit) -> bool:
    """Return True if routers have no way out (RSK-143)."""
    return _is_closed_in(rout_blocker_bearings(battle, unit), battle.book.settings.rout_escape_gap)
