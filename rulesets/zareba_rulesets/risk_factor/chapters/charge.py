"""Charges: the last moves of step 2, figure by figure into base contact (RSK-137, RSK-162, RSK-163)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from zareba.base.exact import dist, distances
from zareba.chance import counts
from zareba.rules import procedure
from zareba.space.bearings import bearing_to
from zareba.space.field.bodies import Base, Body, Crowd, crowd_of_bodies
from zareba.space.geometry import Bounds, Point, bounds, length, widen
from zareba.space.lazy import Lazy
from zareba.space.moves import ChargePaths, ContactArc, Ring, even_shares_back, first_free, first_place_back, rings
from zareba.table import Table
from zareba_rulesets.risk_factor.chapters.movement import (
    AT_BARRIER,
    allowance,
    bring_leaders,
    can_walk,
    full_move,
    go,
    is_walled_off,
    leave_killers,
    moves_at_barrier,
    path_to,
    place_body,
    short_of,
    threat_point,
    walk,
)
from zareba_rulesets.risk_factor.chapters.sight import nearest_visible
from zareba_rulesets.risk_factor.forces import Battle, Unit

_FARTHER = counts("cm more")
_MOST_BONUS = 6  # highest throw of the natives' D6
_MOST_DETOURS = 6  # how many places barred by other enemies are tried again with a way round them
_MOST_COSTLY = 2  # extra ways tried when one costs too much, because another may avoid a wall
TOUCH = 0.05  # cm between bases in contact
_BEND = 20.0  # degrees between places tried round a base
CHARGE_PATHS = ChargePaths(
    TOUCH, _BEND, 4, tuple(_BEND * number * turn_sign for number in range(1, 9) for turn_sign in (1, -1))
)


def may_reach(battle: Battle, unit: Unit, enemy: Unit) -> bool:
    """Return True if some figure could come into contact with an enemy this turn, with the best throw of the natives'
    D6.
    """
    if unit.spec.support:
        return False
    reach = full_move(battle, unit) + (_MOST_BONUS if _rolls_for_bonus(battle, unit) else 0)
    return unit.body.circle_gap(enemy.body) <= reach and battle.gap(unit, enemy).gap <= reach


@procedure("charge.attack")
def carry_out_charge(table: Table, battle: Battle, unit: Unit) -> None:
    """Attack with one unit: throw the D6 of natives, move every figure that can reach into contact, and close up the
    others behind (RSK-137, RSK-162).

    The target is the one ordered, or else the nearest enemy in sight. If no enemy is in sight, the unit goes towards
    the place where one was last known. Crewed weapons do not charge (RSK-008). A unit already in contact stays and
    fights (RSK-146).
    """
    if not unit.is_on_table or battle.enemies_in_contact(unit) or unit.spec.support:
        return
    enemy = enemy_of_charge(battle, unit)
    unit.target = ""
    point = threat_point(battle, unit) if enemy is None else enemy.body.at[battle.gap(unit, enemy).second_index]
    if point is None:
        return
    bonus = reach_bonus(table, battle, unit)
    if enemy is not None and battle.gap(unit, enemy).gap <= full_move(battle, unit) + bonus:
        charge_home(table, battle, unit, enemy, bonus)
        return
    path = path_to(battle, unit.body.centre, point)
    go(table, battle, unit, path, full_move(battle, unit) + bonus, bonus)


def enemy_of_charge(battle: Battle, unit: Unit) -> Unit | None:
    """Return the target of an attack: the one ordered, or else the nearest enemy in sight. For a leader with a group,
    this is the group.
    """
    enemy = battle.units.get(unit.target)
    if enemy is None or not enemy.is_on_table:
        enemy, _ = nearest_visible(battle, unit) or (None, None)
    if enemy is not None and enemy.spec.leader:
        enemy = battle.host(enemy) or enemy
    return enemy


def reach_bonus(table: Table, battle: Battle, unit: Unit) -> int:
    """Throw the D6 of attacking natives and return the extra cm for the whole group, or 0 (RSK-137). Commanded natives
    throw by setting.
    """
    return (
        table.roll(1, 6, why="attack", rule="RSK-137", actor=unit.spec.id, means=_FARTHER)
        if _rolls_for_bonus(battle, unit)
        else 0
    )


def _rolls_for_bonus(battle: Battle, unit: Unit) -> bool:
    """Return True if a charging unit rolls for a bonus: natives, by setting only without an order."""
    is_commanded = "free" in unit.marks
    return unit.spec.native and (not is_commanded or battle.book.settings.attack_native_bonus_when_commanded)


@procedure("charge.home")
def charge_home(table: Table, battle: Battle, unit: Unit, enemy: Unit, bonus: float) -> None:
    """Charge an enemy unit. Figures that can reach a base go into contact, spread evenly; the rest move up
    (RSK-162).
    """
    contacts = run_home(battle, unit, enemy, bonus)
    touched_units = [other.spec.id for other in battle.enemies_in_contact(unit)]
    distance_left = round(battle.gap(unit, enemy).gap, 1)
    table.emit(
        "charge",
        "RSK-162",
        unit=unit.spec.id,
        target=enemy.spec.id,
        contact=contacts,
        met=touched_units,
        left=distance_left,
        bonus=bonus,
    )


def run_home(battle: Battle, unit: Unit, enemy: Unit, bonus: float) -> int:
    """Move a charging unit and its leaders, and return how many of its figures are then in contact.

    Besides the target, its leaders and neighbouring units within reach may be contacted.
    """
    old = unit.body
    targets = _bases_to_contact(battle, enemy)
    enemies = battle.standing(enemy.spec.side).bodies
    friends = crowd_of_bodies(body for body in battle.standing(unit.spec.side).bodies if body is not old)
    contact = battle.book.lengths["contact"]
    opponents: dict[Point, int] = {point: len(friends.near(point, wide + contact)) for point, wide in targets}
    points = list(opponents)
    distances_to_enemy = [min(distances(point, points)) for point in old.at]
    killers = leave_killers(battle, unit)
    order = sorted((index for index in range(unit.count) if index not in killers), key=distances_to_enemy.__getitem__)
    west, south, east, north = box = bounds([*old.at, *points])
    margin = 2 * old.radius + max(wide for _, wide in targets) + 2 * TOUCH
    # Paths go round targets only, so they pass no enemy farther from all figures and targets than two bases.
    others = [(at, body.radius) for body in enemies for at in _within(widen(box, 2 * margin + body.radius), body)]
    if battle.field.hinders((west, south, east, north), unit.mounted):
        margin += full_move(battle, unit) + bonus  # a figure that goes round something may end anywhere in reach
    bodies_nearby = battle.unit_index().in_box((west - margin, south - margin, east + margin, north + margin))
    occupied = crowd_of_bodies(body for body in bodies_nearby if body is not old)
    contact_arcs = Lazy(partial(CHARGE_PATHS.occupied_arcs, old.radius, occupied))
    widest = max(wide for _, wide in targets) + 3 * old.radius + 2 * TOUCH
    final = {index: old.at[index] for index in sorted(killers)}
    for at in final.values():
        occupied.add(Base(*at, old.radius))
    followers: list[int] = []
    for index in order:
        spot = _contact_spot(battle, unit, index, targets, others, opponents, occupied, contact_arcs, bonus)
        if spot is None:
            followers.append(index)
        else:
            final[index] = spot
            occupied.add(Base(*spot, old.radius))
            for ring in [ring for ring in contact_arcs if dist(ring[0], spot) <= widest]:
                del contact_arcs[ring]
    is_barred = False
    for index in followers:
        final[index], is_stopped = _close_up(battle, unit, index, enemy, enemies, occupied, bonus)
        occupied.add(Base(*final[index], old.radius))
        is_barred = is_barred or is_stopped
    unit.crossing = moves_at_barrier(battle, unit, is_barred)
    body = Body(tuple(final[index] for index in range(unit.count)), old.radius)
    unit.facing = bearing_to(old.centre, enemy.body.centre)
    unit.mark("charged")
    unit.action = "attack"
    if body.at != old.at:
        place_body(battle, unit, body, with_prisoners=not killers)
        unit.mark("moved", "far")
        bring_leaders(battle, unit, old)
    contacts = len(battle.figures_in_contact(unit))
    if contacts:
        unit.mark("charger")
    return contacts


def _bases_to_contact(battle: Battle, enemy: Unit) -> list[Ring]:
    """Return the bases that a charge can contact: those of the charged unit, its leaders, and its neighbours."""
    own = () if enemy.spec.leader else battle.leaders_with(enemy)
    neighbour_units = [e for e in neighbours(battle, enemy) if e not in own]
    return [(point, e.body.radius) for e in (enemy, *own, *neighbour_units) for point in e.body.at]


def neighbours(battle: Battle, enemy: Unit) -> list[Unit]:
    """Return the units so close to a charged unit that the charge meets them too (RSK-162)."""
    others = [unit for unit in battle.of(enemy.spec.side) if unit is not enemy]
    return battle.within(enemy, others, battle.book.lengths["charged_with"])


def _within(box: Bounds, body: Body) -> list[Point]:
    """Return the middles of the bases of a body that are in a rectangle."""
    west, south, east, north = box
    return [(x, y) for x, y in body.at if west <= x <= east and south <= y <= north]


def _contact_spot(
    battle: Battle,
    unit: Unit,
    index: int,
    targets: list[Ring],
    others: list[Ring],
    opponents: dict[Point, int],
    occupied: Crowd,
    contact_arcs: Mapping[Ring, Sequence[ContactArc]],
    bonus: float,
) -> Point | None:
    """Return the point where a figure comes into contact: with the enemy it can reach that has the fewest opponents,
    then the nearest. None if it reaches no enemy.

    At most `melee.max_contact` figures fight one enemy (RSK-165). A figure never ends on a base or passes through
    those in `others` (RSK-079). If the straight way is barred by enemies who have enough opponents, it goes round them
    if its move allows.
    """
    start, radius = unit.body.at[index], unit.body.radius
    hurt = unit.hurt[index]
    max_opponents = battle.book.settings.melee_max_contact
    reach = allowance(battle, unit, hurt) + bonus
    away = distances(start, [point for point, _ in targets])
    open_targets = [
        (opponents[point], distance, point, enemy_radius)
        for (point, enemy_radius), distance in zip(targets, away, strict=True)
        if distance - enemy_radius - radius <= reach and opponents[point] < max_opponents
    ]
    barred: list[tuple[Point, Point]] = []
    for _, _, point, enemy_radius in sorted(open_targets):
        if is_walled_off(battle, unit, hurt, start, point, radius + enemy_radius + TOUCH, bonus):
            continue
        too_far = 0
        ring = point, enemy_radius
        for turn, spot in CHARGE_PATHS.places_in_contact(start, radius, ring, contact_arcs, reach + TOUCH):
            if not battle.field.on_table(spot) or not occupied.is_free(spot, radius):
                continue
            way = CHARGE_PATHS.path_into_contact(start, radius, ring, turn)
            if length(way) > reach + TOUCH:
                break  # places farther round are farther still
            if not can_walk(battle, unit, hurt, way, bonus):
                too_far += 1
                if too_far > _MOST_COSTLY:
                    break
            elif not CHARGE_PATHS.is_barred(way, point, radius, others):
                opponents[point] += 1
                return spot
            elif len(barred) < _MOST_DETOURS:
                barred.append((spot, point))
    full_points = {point for point, number in opponents.items() if number >= max_opponents}
    for spot, point in barred if full_points else ():
        for turn_sign in (1, -1):
            past = CHARGE_PATHS.past(start, spot, point, radius, others, full_points, turn_sign)
            if past is not None and can_walk(battle, unit, hurt, past, bonus):
                opponents[point] += 1
                return spot
    return None


def _close_up(
    battle: Battle,
    unit: Unit,
    index: int,
    enemy: Unit,
    enemies: Sequence[Body],
    occupied: Crowd,
    bonus: float,
) -> tuple[Point, bool]:
    """Return how far a figure moves up that reaches no enemy base, and True if a barrier stops it there.

    It passes through none of the `enemies`, but comes into contact with one that is in its way (RSK-079).
    """
    start, radius, hurt = unit.body.at[index], unit.body.radius, unit.hurt[index]
    away = distances(start, enemy.body.at)
    distance = min(away)
    goal = enemy.body.at[away.index(distance)]
    keep = radius + enemy.body.radius + 0.5
    reach = min(allowance(battle, unit, hurt) + bonus, max(0.0, distance - keep))
    if reach <= 0:
        return _spot_close_by(battle, start, radius, occupied), False
    is_barred = False
    end = (start[0] + (goal[0] - start[0]) * reach / distance, start[1] + (goal[1] - start[1]) * reach / distance)
    box = (min(start[0], end[0]), min(start[1], end[1]), max(start[0], end[0]), max(start[1], end[1]))
    if battle.field.hinders(box, unit.mounted):
        end, distance_moved, is_stopped = walk(battle, unit, hurt, [start, end], bonus)
        is_barred = is_stopped and distance_moved <= AT_BARRIER
    end = short_of(start, end, radius, enemies, TOUCH)
    way, shares = (end[0] - start[0], end[1] - start[1]), even_shares_back(dist(start, end), 1.5)[:-1]
    spot = first_place_back(
        start, way, shares, lambda at: occupied.is_free(at, radius) and not battle.field.is_closed(at)
    )
    return spot or _spot_close_by(battle, start, radius, occupied), is_barred


def _spot_close_by(battle: Battle, start: Point, radius: float, occupied: Crowd) -> Point:
    """Return where a figure stands that cannot advance: its place, or a spot close by if a charging mate has taken that
    (RSK-079).
    """
    field, around = battle.field, rings(1.0, 8.0, least=12)
    return (
        first_free(start, radius, occupied, around, lambda at: field.on_table(at) and not field.meets_walls(start, at))
        or start
    )
