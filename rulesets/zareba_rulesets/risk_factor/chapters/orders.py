"""Moves by Action results and by orders."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from zareba.base.exact import dist
from zareba.rules import procedure
from zareba.space.bearings import bearing_to, direction, widest_gap
from zareba.space.field.bodies import Body
from zareba.space.geometry import Point, about, bounds_meet, towards
from zareba.space.moves import places_round
from zareba.table import LazyOptions, Option, Table
from zareba_rulesets.risk_factor.chapters.action_throws import is_flanked
from zareba_rulesets.risk_factor.chapters.charge import may_reach
from zareba_rulesets.risk_factor.chapters.groups import is_coherent
from zareba_rulesets.risk_factor.chapters.movement import (
    ARRIVED,
    allowance,
    can_walk,
    full_move,
    go,
    march_cost,
    nearest_cover,
    path_to,
    place_body,
    short_of,
    spot_beside,
    stand_to_kill,
    threat_point,
    turn_towards,
)
from zareba_rulesets.risk_factor.chapters.prisoners import take_prisoners
from zareba_rulesets.risk_factor.chapters.sight import nearest_visible, sees
from zareba_rulesets.risk_factor.forces import Battle, Unit, action_table, limits_of, main_weapon
from zareba_rulesets.risk_factor.ground import along_works
from zareba_rulesets.risk_factor.translation import Plan

# --- Moves by Action results in step 2, in their fixed order (RSK-134 to RSK-146, RSK-193) ----------------------------


FAR = 1e6
_ORDER = {"rout": 0, "retreat": 1}


def action_of(unit: Unit) -> str:
    """Return what a unit that is not free does this turn: its result, or for Continue its previous action (RSK-134)."""
    if "stays" in unit.marks:
        return "halt"
    return unit.action if unit.result == "continue" else "advance" if unit.result == "towards" else unit.result


def to_move(battle: Battle) -> tuple[list[str], list[str]]:
    """Return the units that move and the units that charge, each list in order. All other units turn to the enemy and
    stay.

    Routers move first, then retreats, then all others, each by growing distance to the nearest enemy. Attacks come
    last (RSK-137), and so does an Advance of close-combat troops that begins within 50 cm of the enemy (RSK-138).
    """
    moves: list[tuple[int, float, str]] = []
    charges: list[tuple[int, float, str]] = []
    side = battle.side
    groups = battle.groups_of(side)
    for unit in battle.of(side):
        free = "free" in unit.marks
        if unit.spec.leader and not free and battle.host(unit, groups) is not None:
            continue
        doings = "" if free else action_of(unit)
        if not free:
            unit.action = doings if doings != "halt_in_cover" else "halt"
        if doings == "advance" and action_table(battle, unit) == "melee":
            near = nearest_enemy(battle, unit)
            if near is not None and near[1] <= battle.book.lengths["advance_to_attack"]:
                doings = unit.action = "attack"
        if doings == "halt":
            _turn_to_enemy(battle, unit)
        elif doings == "attack":
            charges.append((0, _from_enemy(battle, unit), unit.spec.id))
        elif free or doings != "march" or unit.goal is not None:
            last = 3 if unit.spec.leader and free else 2
            moves.append((_ORDER.get(doings, last), _from_enemy(battle, unit), unit.spec.id))
    return [name for *_, name in sorted(moves)], [name for *_, name in sorted(charges)]


def nearest_first(battle: Battle, names: Iterable[str]) -> list[str]:
    """Sort units by growing distance to the nearest enemy, ties by name."""
    return sorted(names, key=lambda name: (_from_enemy(battle, battle.units[name]), name))


def _from_enemy(battle: Battle, unit: Unit) -> float:
    """Return the distance to the nearest enemy, seen or not."""
    found = battle.nearest_enemy(unit)
    return found[1].gap if found is not None else FAR


def nearest_enemy(battle: Battle, unit: Unit) -> tuple[Unit, float] | None:
    """Return the nearest enemy unit in sight and its distance, or None if no enemy is in sight."""
    found = nearest_visible(battle, unit)
    return (found[0], found[1].gap) if found is not None else None


def _turn_to_enemy(battle: Battle, unit: Unit) -> None:
    """Turn to face the nearest enemy, as on a Halt (RSK-139)."""
    point = threat_point(battle, unit)
    if point is not None:
        turn_towards(unit, point)


@procedure("actions.act")
def act(table: Table, battle: Battle, unit: Unit) -> None:
    """Carry out the Action result of a unit. A unit in contact moves only on Retreat and Rout (RSK-146)."""
    doings = action_of(unit)
    if doings == "rout":
        rout(table, battle, unit)
    elif doings == "retreat":
        retreat(table, battle, unit)
    elif battle.enemies_in_contact(unit):
        _turn_to_enemy(battle, unit)
    elif doings == "halt_in_cover":
        _halt_in_cover(table, battle, unit)
    elif doings == "advance":
        approach(table, battle, unit)
    elif doings == "march" and unit.goal is not None:
        march(table, battle, unit, unit.goal)


def march(table: Table, battle: Battle, unit: Unit, goal: Point) -> None:
    """Move towards a destination. A March that has arrived becomes a Halt (RSK-191).

    It has arrived when the unit's centre is there, or is near and comes no nearer.
    """
    went = go(table, battle, unit, path_to(battle, unit.body.centre, goal), full_move(battle, unit))
    distance = dist(unit.body.centre, goal)
    if unit.hurt and (distance <= ARRIVED or (went <= ARRIVED and distance <= ARRIVED + unit.body.reach / 2)):
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
    found = nearest_enemy(battle, unit)
    if found is not None:
        stop = float(limits_of(battle, unit, weapon)[1]) if weapon else 0.5
        limit = min(limit, found[1] - stop)
    if limit > 0:
        go(table, battle, unit, path_to(battle, unit.body.centre, point), limit)
    elif unit.hurt:
        turn_towards(unit, point)


# --- going back --------------------------------------------------------------------------------------------------------------


@procedure("actions.retreat")
def retreat(table: Table, battle: Battle, unit: Unit) -> None:
    """Retreat into the nearest cover that is farther from every visible enemy, or straight away from the nearest enemy
    (RSK-140).

    Solo units take cover if they can reach it this turn; players choose. If the way into cover is blocked by other
    figures, the unit goes straight away.
    """
    cover = nearest_cover(battle, unit, farther=True)
    chooses = cover is not None and not battle.is_solo(unit.spec.side)
    ways = ["cover", "away"] if chooses else ["cover"]
    way = table.choose(unit.spec.side, ways, why="retreat", rule="RSK-140", actor=unit.spec.id) if chooses else ways[0]
    cm = full_move(battle, unit)
    if cover is None or way != "cover" or not go(table, battle, unit, path_to(battle, unit.body.centre, cover), cm):
        fall_back(table, battle, unit, cm, leaves=True)


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
    leaves: bool = False,
    share: float = 1.0,
) -> None:
    """Move a unit straight away from the nearest enemy seen or known; with no such enemy, straight back (RSK-193)."""
    centre, facing = unit.body.centre, unit.facing
    goal = way_back(battle, unit, length)
    go(table, battle, unit, [centre, goal], length, bonus, leaves, share)
    unit.facing = bearing_to(centre, goal) if unit.hurt else facing


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
        captor = battle.nearest(unit, [enemy for enemy in foes if not enemy.spec.leader]) or battle.nearest(unit, foes)
        if captor is not None:
            with_it = [] if unit.spec.leader else battle.leaders_with(unit)
            for member in (unit, *(leader for leader in with_it if not leader.marks & {"free", "moved"})):
                take_prisoners(table, battle, member, list(range(member.count)), captor[0])
            return
    length = full_move(battle, unit) + bonus
    centre = unit.body.centre
    dx = dy = 0.0
    near = [e for e in battle.enemies_within(unit, battle.book.lengths["rout_from"]) if sees(battle, unit, e)]
    for enemy in near:
        figure = enemy.body.at[battle.gap(unit, enemy).other]
        distance = dist(figure, centre)
        if distance > 0:
            dx, dy = dx + (figure[0] - centre[0]) / distance, dy + (figure[1] - centre[1]) / distance
    if dx * dx + dy * dy < 1e-12:
        fall_back(table, battle, unit, length, bonus, leaves=True)
        return
    goal = towards(centre, (centre[0] - dx, centre[1] - dy), length)
    go(table, battle, unit, [centre, goal], length, bonus, leaves=True)


def blockers(battle: Battle, unit: Unit) -> list[float]:
    """Return the bearings of everything that bars a rout: enemies that do not rout, and closed ground, with a bearing
    for every 10 degrees of its arc (RSK-143).
    """
    reach = full_move(battle, unit) + battle.book.moves["rout_bonus"]
    centre = unit.body.centre
    found = [
        bearing_to(centre, point)
        for enemy in battle.against(unit.spec.side)
        if enemy.status != "routing" and unit.body.circle_gap(enemy.body) <= reach
        for point in enemy.body.at
        if dist(centre, point) - enemy.body.radius <= reach
    ]
    here, turns = about(centre, reach), range(0, 360, battle.book.counts["terrain_bearing"])
    if any(bounds_meet(here, piece.box) for piece in battle.field.closed):
        ends = places_round(centre, reach, 0.0, turns)
        found += [float(turn) for turn, end in zip(turns, ends, strict=True) if battle.field.meets_walls(centre, end)]
    return found


def _is_closed_in(bearings: list[float], escape_gap: int) -> bool:
    """Return True if the widest free angle between neighbouring bearings is less than `escape_gap` degrees
    (RSK-143).
    """
    return bool(bearings) and widest_gap(set(bearings)) < escape_gap


def is_surrounded(battle: Battle, unit: Unit) -> bool:
    """Return True if routers have no way out (RSK-143)."""
    return _is_closed_in(blockers(battle, unit), battle.book.settings.rout_escape_gap)


# --- Orders -----------------------------------------------------------------------------------------------------------
# Orders to units that are free to obey: what a player may do with commanded troops and leaders in step 2 (RSK-066,
# RSK-163).


HOLD, CHARGE, ADVANCE, MARCH, WITHDRAW, TURN = "hold", "charge", "advance", "march", "withdraw", "turn"
MOUNT, DISMOUNT, JOIN = "mount", "dismount", "join"
PACES = {"full": 1.0, "half": 0.5}
NEAREST = 3
_NEARER = 0.1  # cm; smaller differences may be rounding errors
_CLOSE_BY = 0.5  # cm between a leader and the group he joins
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
    options += [(ADVANCE, name) for name in near if not _scatters(battle, unit, battle.units[name].body.centre, move)]
    if unit.spec.leader:
        reach = allowance(battle, unit, any(unit.hurt)) + battle.book.lengths["with_group"]
        groups = battle.within(unit, list(battle.groups(unit.spec.side)), reach)
        host = battle.host(unit)
        options += [(JOIN, g.spec.id) for g in groups if g is host or battle.gap(unit, g).gap > _CLOSE_BY]
    options.append(MARCH)
    if near and not _scatters(battle, unit, way_back(battle, unit, move), move):
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
        name for name, share in PACES.items() if share <= max_share and not _scatters(battle, unit, at, share * move)
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
    length = min(reach, near.gap - _CLOSE_BY)
    if length > 0 and battle.host(unit) is not group:
        goal = group.body.at[near.other]
        end = towards(centre, goal, length)
        others = [other.body for other in battle.units.values() if other.hurt and other is not unit]
        goal_body = unit.body.shifted(end[0] - centre[0], end[1] - centre[1])
        spot = spot_beside(battle, unit, goal_body, others, reach, group.body)
        if spot is not None:
            goal, length = spot.centre, reach
        if spot is None or dist(centre, goal) >= _CLOSE_BY:
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
    elif foe is not None and battle.gap(unit, foe[0]).gap < foe[1].gap - _NEARER:
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
        if _scatters(battle, unit, at, move):
            return "a figure would be out of sight of all its mates (RSK-046)"
        return None

    return refuse


def _scatters(battle: Battle, unit: Unit, at: Point, cm: float) -> bool:
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
