"""Orders to units that are free to obey: what a player may do with commanded troops and leaders in step 2 (RSK-066,
RSK-163).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from zareba.base.exact import dist
from zareba.rules import procedure
from zareba.space.bearings import bearing_to, direction
from zareba.space.field.bodies import Body
from zareba.space.geometry import Point, towards
from zareba.table import LazyOptions, Option, Table
from zareba_rulesets.risk_factor.chapters.action_throws.risk import is_flanked
from zareba_rulesets.risk_factor.chapters.groups import is_coherent
from zareba_rulesets.risk_factor.chapters.melee.charge import may_reach
from zareba_rulesets.risk_factor.chapters.movement.guards import stand_to_kill
from zareba_rulesets.risk_factor.chapters.movement.movement import go, place_body, short_of, spot_beside
from zareba_rulesets.risk_factor.chapters.movement.paths import (
    allowance,
    can_walk,
    full_move,
    march_cost,
    path_to,
    turn_towards,
)
from zareba_rulesets.risk_factor.chapters.movement.refuge import nearest_cover, threat_point
from zareba_rulesets.risk_factor.chapters.orders.manoeuvre import fall_back, way_back
from zareba_rulesets.risk_factor.chapters.sight.sight import nearest_visible, sees
from zareba_rulesets.risk_factor.forces.battle import Battle, Unit
from zareba_rulesets.risk_factor.ground.line_formation import along_works
from zareba_rulesets.risk_factor.translation import Plan

__all__ = ["give_order", "order_options"]

HOLD, CHARGE, ADVANCE, MARCH, WITHDRAW, TURN = "hold", "charge", "advance", "march", "withdraw", "turn"
MOUNT, DISMOUNT, JOIN = "mount", "dismount", "join"
PACES = {"full": 1.0, "half": 0.5}
NEAREST = 3
NEARER = 0.1  # cm; smaller differences may be rounding errors
CLOSE_BY = 0.5  # cm between a leader and the group he joins
COMPASS = (0, 45, 90, 135, 180, 225, 270, 315)


def order_options(battle: Battle, unit: Unit) -> list[Option]:
    """Return the orders that a free unit may be given now, including a charge at any enemy in reach (RSK-163).

    A unit in contact may only fight on or go back. Holding is also how a unit loads (RSK-088).
    """
    options: list[Option] = [HOLD]
    if battle.enemies_in_contact(unit):
        return [HOLD, WITHDRAW]
    if not unit.spec.support and not unit.spec.civilian:
        in_reach = [enemy for enemy in battle.against(unit.spec.side) if may_reach(battle, unit, enemy)]
        options += [(CHARGE, e.spec.id) for e in in_reach if battle.is_a_unit(e) and sees(battle, unit, e)]
    near, move = _nearest_in_sight(battle, unit), full_move(battle, unit)
    options += [(ADVANCE, name) for name in near if not scatters(battle, unit, battle.units[name].body.centre, move)]
    if unit.spec.leader:
        reach = allowance(battle, unit, any(unit.hurt)) + battle.book.lengths["with_group"]
        groups = battle.within(unit, list(battle.groups(unit.spec.side)), reach)
        host = battle.host(unit)
        options += [(JOIN, g.spec.id) for g in groups if g is host or battle.gap(unit, g).gap > CLOSE_BY]
    options.append(MARCH)
    if near and not scatters(battle, unit, way_back(battle, unit, move), move):
        options.append(WITHDRAW)
    options.append(TURN)
    if unit.spec.can_dismount:
        options.append(DISMOUNT if unit.mounted else MOUNT)
    return options


def _nearest_in_sight(battle: Battle, unit: Unit) -> list[str]:
    """Return the nearest enemies in sight that a unit may advance on, at most three, by the circles round the units.
    Leaders with a group are left out.
    """
    enemies = battle.standing(battle.enemy(unit.spec.side))
    found: list[str] = []
    for _, name in sorted(zip(enemies.row(unit.body), enemies.names, strict=True)):
        enemy = battle.units[name]
        if battle.is_a_unit(enemy) and sees(battle, unit, enemy):
            found.append(name)
            if len(found) == NEAREST:
                break
    return found


@procedure("orders.give")
def give_order(table: Table, battle: Battle, unit: Unit, plan: Plan) -> None:
    """Ask for one order to a free unit and carry it out. The order becomes its current action.

    Holding is recorded as Halt, going nearer an enemy as Advance, and charging as Attack, which moves after all other
    units. Going back is Retreat without the status. Any other move is a March with its destination. A group whose move
    has left an enemy on its flank or behind it may be turned.
    """
    side, name = unit.spec.side, unit.spec.id
    order = table.choose(side, order_options(battle, unit), why="order", rule="RSK-066", actor=name)
    unit.goal = None
    unit.status = "steady"
    if isinstance(order, tuple) and order[0] == CHARGE:
        unit.action, unit.target = "attack", order[1]
    elif isinstance(order, tuple) and order[0] == ADVANCE:
        _advance(table, battle, unit, battle.units[order[1]])
    elif isinstance(order, tuple):
        _join(table, battle, unit, battle.units[order[1]])
    elif order == MARCH:
        _march(table, battle, unit, plan)
    elif order == WITHDRAW:
        unit.action = "retreat"
        move = full_move(battle, unit)
        pace = _pace(table, battle, unit, way_back(battle, unit, move), move)
        fall_back(table, battle, unit, move * pace, share=pace)
    else:
        unit.action = "halt"
        if order == TURN:
            _turn(table, unit)
        elif order in (MOUNT, DISMOUNT):
            _change_footing(table, battle, unit, plan)
    if "moved" not in unit.marks or not unit.hurt or unit.spec.leader:
        return
    if battle.book.settings.groups_coherency == "warn" and not is_coherent(battle, unit.body):
        table.emit("scattered", "RSK-046", unit=name)
    if is_flanked(battle, unit):
        _turn(table, unit)


def _turn(table: Table, unit: Unit) -> None:
    """Ask which way to face. Turning is free, and the player chooses (RSK-078)."""
    unit.facing = float(table.choose(unit.spec.side, COMPASS, why="face", rule="RSK-078", actor=unit.spec.id))


def _pace(
    table: Table, battle: Battle, unit: Unit, at: Point, move: float, whither: str = "", max_share: float = 1.0
) -> float:
    """Ask for the pace and return it as a share of the allowance: the full `move`, or half of it. At half pace the
    troops may still shoot (RSK-089, RSK-090).

    A pace that would scatter the group is left out if another pace would not (RSK-046).
    """
    about = (whither,) if whither else ()
    allowed_paces = [
        name for name, share in PACES.items() if share <= max_share and not scatters(battle, unit, at, share * move)
    ]
    paces = allowed_paces or [name for name, share in PACES.items() if share <= max_share]
    return PACES[table.choose(unit.spec.side, paces, why="pace", rule="RSK-090", actor=unit.spec.id, about=about)]


def _advance(table: Table, battle: Battle, unit: Unit, enemy: Unit) -> None:
    unit.action = "advance"
    move = full_move(battle, unit)
    pace = _pace(table, battle, unit, enemy.body.centre, move, enemy.spec.id)
    near = battle.gap(unit, enemy)
    length = min(move * pace, near.gap - 0.5)
    goal = enemy.body.at[near.other]
    if length > 0:
        go(table, battle, unit, path_to(battle, unit.body.centre, goal), length, share=pace)
    else:
        turn_towards(unit, goal)


def _join(table: Table, battle: Battle, unit: Unit, group: Unit) -> None:
    """Move a leader to a group, close enough to belong to it (RSK-048).

    If other figures are in the way, the leader goes past them to the nearest free spot next to the group (RSK-079). A
    leader already with the group, or with less than 0.5 cm to go, does not move.
    """
    unit.action = "march"
    near, centre, reach = battle.gap(unit, group), unit.body.centre, full_move(battle, unit)
    length = min(reach, near.gap - CLOSE_BY)
    if length > 0 and battle.host(unit) is not group:
        goal = group.body.at[near.other]
        end = towards(centre, goal, length)
        others = [other.body for other in battle.units.values() if other.hurt and other is not unit]
        goal_body = unit.body.shifted(end[0] - centre[0], end[1] - centre[1])
        spot = spot_beside(battle, unit, goal_body, others, reach, group.body)
        if spot is not None:
            goal, length = spot.centre, reach
        if spot is None or dist(centre, goal) >= CLOSE_BY:
            go(table, battle, unit, path_to(battle, centre, goal), length)
    unit.action = "halt"


def _march(table: Table, battle: Battle, unit: Unit, plan: Plan, max_share: float = 1.0) -> None:
    """Ask for a destination anywhere on the table. The unit moves as far as it can and remembers the destination
    (RSK-191).

    If the unit comes nearer to the nearest enemy in sight and has not arrived, its action becomes an Advance, which it
    continues (RSK-116, RSK-134).
    """
    move = full_move(battle, unit)
    refuse = refusal(battle, unit, move)
    points = LazyOptions.among(suggestions(battle, unit, plan, move), refuse)
    if not points:
        unit.action = "halt"
        return
    cost = partial(march_cost, battle, unit)
    goal = table.place(unit.spec.side, points, refuse, why="march to", rule="RSK-066", actor=unit.spec.id, cost=cost)
    unit.action, unit.goal = "march", goal
    pace, old, foe = (
        _pace(table, battle, unit, goal, move, max_share=max_share),
        unit.body,
        nearest_visible(battle, unit),
    )
    go(table, battle, unit, path_to(battle, unit.body.centre, goal), move * pace, share=pace)
    if unit.hurt and dist(unit.body.centre, goal) <= 3.0:
        unit.action, unit.goal = "halt", None
        _line_works(table, battle, unit, old, move, pace)
    elif foe is not None and battle.gap(unit, foe[0]).gap < foe[1].gap - NEARER:
        unit.action, unit.goal = "advance", None


def _line_works(table: Table, battle: Battle, unit: Unit, old: Body, move: float, share: float) -> None:
    """Line up a unit under orders along works that it has reached, if every figure can do so within its own move
    (RSK-107).
    """
    threat = threat_point(battle, unit)
    if unit.spec.leader or threat is None or not battle.field.fortified or battle.enemies_in_contact(unit):
        return
    if stand_to_kill(battle, unit):
        return
    facing, reach = bearing_to(unit.body.centre, threat), battle.book.lengths["line_works"]
    others = [other.body for other in battle.units.values() if other.hurt and other is not unit]
    lined = along_works(battle.field, others, unit.body, facing, reach, ())
    if lined is None:
        return
    ahead = direction(facing)
    enemies = [enemy.body for enemy in battle.against(unit.spec.side)]

    def sideways_distance(at: Point) -> float:
        return at[0] * ahead[1] - at[1] * ahead[0]

    places: dict[int, Point] = {}
    for index, spot in zip(
        sorted(range(unit.count), key=lambda i: sideways_distance(old.at[i])),
        sorted(lined.at, key=sideways_distance),
        strict=True,
    ):
        start, hurt = old.at[index], unit.hurt[index]
        less = (share - 1) * allowance(battle, unit, hurt)
        if not can_walk(battle, unit, hurt, (start, spot), less) or short_of(start, spot, old.radius, enemies) != spot:
            return
        places[index] = spot
    place_body(battle, unit, Body(tuple(places[index] for index in range(unit.count)), old.radius))
    unit.facing = facing
    unit.mark("moved")
    if max(dist(old.at[index], spot) for index, spot in places.items()) > move / 2 + 1e-6:
        unit.mark("far")
    table.emit("lines works", "RSK-107", unit=unit.spec.id)


def refusal(battle: Battle, unit: Unit, move: float) -> Callable[[Point], str | None]:
    """Return a function that gives the reason why a unit cannot march to a point, or None if it can (RSK-046)."""

    def refuse(at: Point) -> str | None:
        if not battle.field.on_table(at):
            return "that point is off the table"
        if battle.field.is_closed(at):
            return "figures cannot stand there"
        if scatters(battle, unit, at, move):
            return "a figure would be out of sight of all its mates (RSK-046)"
        return None

    return refuse


def scatters(battle: Battle, unit: Unit, at: Point, cm: float) -> bool:
    """Return True if a move of `cm` towards a point is barred because a figure would see none of its mates
    (RSK-046).
    """
    if battle.book.settings.groups_coherency != "enforce" or unit.count < 2 or not battle.field.blockers:
        return False
    centre = unit.body.centre
    end = towards(centre, at, min(dist(centre, at), cm))
    dx, dy = end[0] - centre[0], end[1] - centre[1]
    west, south, east, north = unit.body.box
    if not battle.field.may_hide_in((west + dx, south + dy, east + dx, north + dy)):
        return False
    return not is_coherent(battle, unit.body.shifted(dx, dy))


def suggestions(battle: Battle, unit: Unit, plan: Plan, move: float) -> list[Point]:
    """Return suggested destinations: the objectives, cover within a move, and a full move in each of the four
    directions.

    If the edge of the table is nearer, the point on the edge is suggested, so that units can leave there.
    """
    cover = nearest_cover(battle, unit, farther=False) if battle.field.covers else None
    return places_to_go(battle, unit, plan, move, cover)


def places_to_go(battle: Battle, unit: Unit, plan: Plan, cm: float, cover: Point | None) -> list[Point]:
    """Return the suggested destinations for a move of `cm`, given the nearest cover."""
    centre = unit.body.centre
    points = [place[0] for place in plan.places.values()]
    points += [(prize.at[0], prize.at[1]) for prize in battle.prizes.values() if not prize.taken_by]
    points += [cover] if cover is not None else []
    x, y = centre
    east, north = battle.field.width, battle.field.depth
    points += [(x, min(y + cm, north)), (min(x + cm, east), y), (x, max(y - cm, 0.0)), (max(x - cm, 0.0), y)]
    return [at for at in dict.fromkeys(points) if dist(at, centre) > 1.0]


def _change_footing(table: Table, battle: Battle, unit: Unit, plan: Plan) -> None:
    """Mount or dismount for half the allowance. While dismounted, one man in four holds the horses (RSK-080).

    The other half may be spent on a march.
    """
    if unit.mounted:
        unit.mark("dismounted")
    else:
        unit.unmark("dismounted")
    unit.mark("footing")
    table.emit("footing", "RSK-080", unit=unit.spec.id, mounted=unit.mounted)
    if table.choose(unit.spec.side, (HOLD, MARCH), why="go on", rule="RSK-080", actor=unit.spec.id) == MARCH:
        _march(table, battle, unit, plan, max_share=0.5)
        if "moved" in unit.marks:
            unit.mark("far")
