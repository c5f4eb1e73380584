"""Marching, leaving the table and handling loads."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial
from math import ceil, sqrt
from typing import NamedTuple

from zareba.base.exact import cosd, dist, sind
from zareba.base.speedups import new_tuple
from zareba.rules import procedure
from zareba.space import Point
from zareba.space.field.bodies import SLACK, Base, Crowd
from zareba.space.geometry import Bounds, bounds, box_between, boxes_near, middle_of, up_to, widen
from zareba.space.moves import first_place_back, first_touch
from zareba.table import MoveCost, Table
from zareba_rulesets.paychest.chapters.mounts import free_point_against
from zareba_rulesets.paychest.chapters.sight import foes_near, in_contact
from zareba_rulesets.paychest.forces.battle import Battle, bearer_of, bearers_of, let_go, loads_left_behind
from zareba_rulesets.paychest.forces.formation import (
    bases_of,
    crowd_around,
    crowd_with,
    nearest_free,
    wall_near,
    wall_slots,
)
from zareba_rulesets.paychest.forces.intentions import UnitIntentions
from zareba_rulesets.paychest.forces.units import Figure, Thing, Unit

# --- Marching ---------------------------------------------------------------------------------------------------------
# How figures walk towards a goal: in a straight line, around other bases, until they touch an enemy (PAY-069 to
# PAY-071).


BACK_STEP = 0.5
"""Inches between the places that a figure tries when it must stop short of its goal."""
_DIRECTIONS = 6
"""The number of directions in which a figure looks for a place around an enemy's base."""
_TURNS = tuple((cosd(360 * turn / _DIRECTIONS), sind(360 * turn / _DIRECTIONS)) for turn in range(1, _DIRECTIONS))
"""The cosine and sine of the turns from the first of these directions to the others."""
_AIM_RADIUS = 1.0
"""A goal within this many inches of a base means that base, and within this many inches of a wall means the wall."""
ROOM = 3.0
"""Bases may touch only within this distance between centres, in inches. The widest bases are 3 inches across."""
_BEHIND_WALL = 1.5
"""Figures that find no room at a wall make for a point this many inches behind it. This is a convention, not a rule."""
_FORMATION_WIDTH = 1.5
"""Figures sent to one place keep formation within this many inches times the square root of their number."""


class MovingFigure(NamedTuple):
    """A figure that moves, and its allowance in inches."""

    figure: Figure
    allowance: float


def column_of(battle: Battle, figure: Figure) -> str:
    """Return the terrain chart's column for a figure.

    One that leads mounts is limited to ground where the mounts can go.
    """
    return "mounted" if figure.mount or (figure.loads and battle.leads(figure)) else "foot"


def march(battle: Battle, unit: Unit, movers: Sequence[MovingFigure], goal: Point) -> dict[str, float]:
    """Send figures of a unit towards a goal together and return the allowance that each has left.

    A goal on an enemy's base means a charge at that unit. A goal at a wall means lining the wall. For any other goal
    the figures keep their formation. Each moves as far as its own allowance permits (PAY-069).
    """
    order = sorted(movers, key=lambda m: dist(m.figure.at or goal, goal)) if len(movers) > 1 else movers
    reach = max(_reach_of(battle, mover) for mover in movers)
    foes = _foes(battle, unit, widen(unit.box, reach + ROOM))
    places = _wanted_places(battle, [mover.figure for mover in order], goal, foes)
    own = {mover.figure.spec.id: _base(battle, mover.figure) for mover in movers}
    within_reach = widen(bounds(tuple(base.at for base in own.values())), reach + ROOM)
    crowd = crowd_with(battle, within_reach, own)
    inches_left = {}
    for (figure, allowance), place in zip(order, places, strict=True):
        base = own[figure.spec.id]
        crowd.remove(base)
        inches_left[figure.spec.id] = max(0.0, allowance - move_figure(battle, figure, place, allowance, foes, crowd))
        x, y = figure.at or place
        crowd.add(new_tuple(Base, (x, y, *base[2:])))
    unit.measure()
    return inches_left


def straight_cost(battle: Battle, column: str, here: Point, goal: Point, allowance: float) -> MoveCost:
    """Return the cost of a straight path in a column of the terrain chart (PAY-070), ignoring figures in the way."""
    return MoveCost(battle.field.move_costs[column].cost((here, goal)), allowance)


def move_figure(
    battle: Battle,
    figure: Figure,
    destination: Point,
    allowance: float,
    foes: Sequence[Base],
    crowd: Crowd,
) -> float:
    """Move one figure straight towards a place (PAY-070) and return the allowance it spends.

    It passes through friends, stops in contact with the first enemy on its path (PAY-071) and does not end on a base.
    """
    start = figure.at
    assert start is not None, "only figures on the table move"
    radius, column = battle.radius(figure), column_of(battle, figure)
    field = battle.field
    goal, foe = _up_to(battle, start, destination, radius, foes)
    end, cost, barred = field.move_costs[column].march(start, goal, allowance)
    if barred and dist(start, end) < BACK_STEP and foe is None:
        onward = battle.field.pathfinders[column].heading(start, destination)
        if onward != destination:
            onward, foe = _up_to(battle, start, onward, radius, foes)
            end, cost, barred = field.move_costs[column].march(start, onward, allowance)
    if not crowd.is_free(end, radius):
        inches = allowance / field.move_costs[column].bare
        beside = (
            None if foe is None else _another_contact_point(battle, start, foe, radius, inches, column, crowd, foes)
        )
        if beside is None:
            end = _pull_back(start, end, radius, crowd)
            _, cost, _ = field.move_costs[column].march(start, end, allowance)
        else:
            end, cost = beside, min(allowance, field.move_costs[column].bare * dist(start, beside))
    figure.at = end
    return cost


def up_to_enemies(battle: Battle, unit: Unit, start: Point, goal: Point, radius: float) -> Point:
    """Return the goal of a straight move, or the point where the base first touches an enemy (PAY-070, PAY-071)."""
    return _up_to(battle, start, goal, radius, _foes(battle, unit, widen(box_between(start, goal), ROOM)))[0]


def _up_to(battle: Battle, start: Point, goal: Point, radius: float, foes: Sequence[Base]) -> tuple[Point, Base | None]:
    """Return the goal and None, or the point where the moving base first touches an enemy, and that enemy's base."""
    if not foes:
        return goal, None
    bases = battle.book.bases
    widest = bases["conveyance" if battle.engines else "mounted"]
    touch = first_touch(start, goal, radius, _on_way(start, goal, foes, radius + widest))
    return (goal, None) if touch is None else (up_to(start, goal, touch.moved), touch.base)


def _reach_of(battle: Battle, mover: MovingFigure) -> float:
    """Return the distance in inches that a figure covers on the easiest terrain."""
    return mover.allowance / battle.field.move_costs[column_of(battle, mover.figure)].least


def _base(battle: Battle, figure: Figure) -> Base:
    """Return the base of a figure on the table."""
    assert figure.at is not None, "a mover is on the table"
    return new_tuple(Base, (*figure.at, battle.radius(figure), battle.side_of(figure), figure.spec.id))


def _foes(battle: Battle, unit: Unit, box: Bounds) -> list[Base]:
    """Return the bases of the enemy units that meet a rectangle."""
    near = [enemy for enemy in battle.enemies(unit.spec.side) if boxes_near(enemy.box, box, 0.0)]
    bases = [base for other in near for base in bases_of(battle, other)]
    for engine in battle.engines.values():
        at = engine.at
        if at is not None and engine.aboard and engine.side != unit.spec.side and not engine.altitude:
            bases.append(Base(*at, battle.engine_radius(engine), engine.side, engine.aboard[0]))  # PAY-082
    return bases


def _on_way(a: Point, b: Point, bases: Sequence[Base], room: float) -> list[Base]:
    """Return the bases that lie within `room` of the box around a path."""
    west, south, east, north = widen(box_between(a, b), room)
    return [base for base in bases if west <= base[0] <= east and south <= base[1] <= north]


def _wanted_places(battle: Battle, figures: Sequence[Figure], goal: Point, foes: Sequence[Base]) -> list[Point]:
    """Return the place that each figure makes for: an enemy, a position at a wall, or its place in the formation."""
    aimed_at = [foe for foe in _on_way(goal, goal, foes, ROOM) if dist(foe.at, goal) <= foe.radius + _AIM_RADIUS]
    if aimed_at:
        enemy_unit = min(aimed_at, key=lambda foe: dist(foe.at, goal)).key.rpartition(".")[0]
        bases = [foe for foe in foes if foe.key.rpartition(".")[0] == enemy_unit]
        return _charge(figures, bases, battle.book.file.most_against_one.most)
    spots = [figure.at for figure in figures if figure.at is not None]
    middle = middle_of(spots)
    if not any(figure.mount for figure in figures):
        wall = wall_near(battle, goal, _AIM_RADIUS)
        if wall is not None:
            slots = wall_slots(wall, goal, len(figures), battle.book.bases["foot"], middle)
            slots += [up_to(goal, middle, _BEHIND_WALL)] * (len(figures) - len(slots))
            return _nearest_slots(spots, slots)
    room = sqrt(len(figures)) * _FORMATION_WIDTH + 1.0
    column = "mounted" if any(column_of(battle, figure) == "mounted" for figure in figures) else "foot"
    places = []
    for x, y in spots:
        offset = (x - middle[0], y - middle[1])
        far = dist((0.0, 0.0), offset)
        close = min(1.0, room / far) if far else 1.0
        place = battle.field.table.nearest_point_inside((goal[0] + offset[0] * close, goal[1] + offset[1] * close))
        places.append(
            place if battle.field.move_costs[column].can_stand(place) else goal
        )  # a ford is narrower than a unit
    return places


def _charge(figures: Sequence[Figure], foes: Sequence[Base], max_against_one: int) -> list[Point]:
    """Return for each figure the nearest enemy that fewer than `max_against_one` others are charging."""
    takers = dict.fromkeys((foe.key for foe in foes), 0)
    places = []
    for figure in figures:
        x, y = figure.at or (0.0, 0.0)
        free = [foe for foe in foes if takers[foe.key] < max_against_one] or foes
        foe = min(free, key=lambda foe: (foe.x - x) * (foe.x - x) + (foe.y - y) * (foe.y - y))
        takers[foe.key] += 1
        places.append((foe.x, foe.y))
    return places


def _nearest_slots(spots: Sequence[Point], slots: list[Point]) -> list[Point]:
    """Return for each figure in turn the nearest position that none before it has taken."""
    free = list(slots)
    places = []
    for at in spots:
        best = min(free, key=lambda slot: dist(slot, at))
        free.remove(best)
        places.append(best)
    return places


def _another_contact_point(
    battle: Battle,
    start: Point,
    foe: Base,
    radius: float,
    inches: float,
    column: str,
    crowd: Crowd,
    foes: Sequence[Base],
) -> Point | None:
    """Return another reachable point in contact with the same enemy's base over open ground, or None."""
    foe_x, foe_y, contact_distance = foe.x, foe.y, foe.radius + radius
    x, y = start[0] - foe_x, start[1] - foe_y
    far = dist((0.0, 0.0), (x, y)) or 1.0
    x, y = x / far * contact_distance, y / far * contact_distance
    for cosine, sine in _TURNS:
        at = (foe_x + x * cosine - y * sine, foe_y + x * sine + y * cosine)
        if dist(start, at) > inches or not crowd.is_free(at, radius):
            continue
        if not battle.field.move_costs[column].is_plain(box_between(start, at)) or not battle.field.table.is_on_table(
            at
        ):
            continue
        if first_touch(start, at, radius - SLACK, _on_way(start, at, foes, ROOM)) is None:
            return at
    return None


def _pull_back(start: Point, end: Point, radius: float, crowd: Crowd) -> Point:
    """Return the last point on the path, in half-inch steps, where the base overlaps no other, else the start."""
    length = dist(start, end)
    shares = [(length - number * BACK_STEP) / length for number in range(1, ceil(length / BACK_STEP))]
    step_back = end[0] - start[0], end[1] - start[1]
    return first_place_back(start, step_back, shares, lambda at: crowd.is_free(at, radius)) or start


# --- Leaving the table, voluntarily or driven off (PAY-163, PAY-194, PAY-214) -----------------------------------------


def drive_off(battle: Battle, conveyance: str, at: Point, go: Callable[[Figure], None]) -> None:
    """Take a conveyance over the edge with its guns and all aboard. `go` removes each passenger.

    `at` is the point where its path meets the edge, even if other bases leave it no room there.
    """
    engine = battle.engines.change(conveyance)
    for name in engine.aboard:
        passenger = battle.change_figure(name)
        passenger.at = at
        go(passenger)
        battle.unit_of(passenger).measure()
    engine.at, engine.aboard = None, ()
    for key in [key for key, other in battle.engines.items() if other.carrier == conveyance]:
        battle.engines.change(key).at = None


def leave(table: Table, battle: Battle, figure: Figure, fate: str) -> None:
    """Take a figure over the edge with all that it carries or leads (PAY-163, PAY-194, PAY-214).

    A voluntary exit is reported here, a figure driven off is reported as a loss. A weapon that the figure has taken up
    is its own and not a captured object (PAY-022).
    """
    assert figure.at is not None, "only figures on the table leave it"
    edge = battle.field.table.edge_at(figure.at)
    assert edge is not None, "who leaves stands at an edge"
    for load in figure.loads:
        for other in bearers_of(battle, battle.side_of(figure), load):  # the first bearer to leave takes it along
            if other is not figure:
                let_go(battle, battle.change_figure(other.spec.id), load)
        if load not in battle.things:
            comrade = battle.change_figure(load)
            comrade.fate = fate if comrade.fate == "able" else comrade.fate
            comrade.at = None
            battle.exits[load] = edge
            battle.unit_of(comrade).measure()
            if fate == "left":
                table.emit("left the table", "PAY-214", figure=load, unit=comrade.spec.unit, edge=edge)
        else:
            thing = battle.change_thing(load)
            thing.carrier, thing.taken_by, thing.edge = "", battle.side_of(figure), edge
            if thing.kind != "weapon":
                table.emit("carried off", "PAY-194", object=load, side=thing.taken_by, edge=edge)
    own = figure.spec.id
    if figure.aboard:
        engine = battle.engines.change(figure.aboard)
        engine.aboard = tuple(name for name in engine.aboard if name != own)
        figure.aboard = ""
    figure.loads = ()
    figure.fate, figure.at = fate, None
    battle.exits[own] = edge
    if fate == "left":
        table.emit("left the table", "PAY-214", figure=own, unit=figure.spec.unit, edge=edge)


# --- Picking up, carrying and dropping loads, and taking weapons (PAY-023, PAY-073, PAY-214, PAY-216) -----------------


def release_from_bearers(battle: Battle, body: Figure) -> None:
    """Release a body from all its bearers, because it is no longer where it was."""
    for bearer in bearers_of(battle, battle.side_of(body), body.spec.id):
        let_go(battle, battle.change_figure(bearer.spec.id), body.spec.id)


def put_down(table: Table, battle: Battle, body: Figure) -> None:
    """Make all bearers of a figure put it down."""
    for bearer in bearers_of(battle, battle.side_of(body), body.spec.id):
        drop(table, battle, battle.change_figure(bearer.spec.id), body.spec.id)


def separate_bearers(table: Table, battle: Battle, side: str) -> None:
    """Make bearers let go of a shared load if they are too far from its first bearer (PAY-073)."""
    for name in [unit.spec.id for unit in battle.side_units(side)]:
        for figure in battle.unit(name).able:
            for load in loads_left_behind(battle, figure) if figure.loads else ():
                drop(table, battle, battle.change_figure(figure.spec.id), load)


@procedure("handling.pick_up")
def pick_up(table: Table, battle: Battle, figure: Figure, load: str) -> None:
    """Take up a thing, a mount or a figure, or take hold of a load that another bears (PAY-073, PAY-078)."""
    figure.loads = (*figure.loads, load)
    bearers = bearers_of(battle, battle.side_of(figure), load)
    if load in battle.things:
        thing = battle.change_thing(load)
        thing.carrier, thing.at = bearers[0].spec.id, None
    _report_load(table, battle, "taken up", figure, load, is_shared=len(bearers) > 1)


def drop(table: Table, battle: Battle, figure: Figure, load: str) -> None:
    """Put a load down where the figure is. If other figures share the load, they keep it (PAY-073).

    A passenger drops it next to the conveyance, where figures on foot can take it up (PAY-080).
    """
    others = let_go(battle, figure, load)
    if not others and load in battle.things:
        thing = battle.change_thing(load)
        thing.carrier, thing.at = "", _point_by_conveyance(battle, figure) or figure.at
    elif not others:
        comrade = battle.figure(load)
        beside = None if comrade.aboard else _point_by_conveyance(battle, figure)
        if beside is not None:
            comrade = battle.change_figure(load)
            comrade.at = beside
            battle.unit_of(comrade).measure()
        stand_clear(battle, comrade)
    _report_load(table, battle, "dropped", figure, load, is_shared=bool(others))


def _point_by_conveyance(battle: Battle, figure: Figure) -> Point | None:
    """Return the point next to a conveyance on the ground where a figure aboard puts a load down, or None for other
    figures.
    """
    engine = battle.engines[figure.aboard] if figure.aboard else None
    if engine is None or engine.at is None or engine.altitude:
        return None
    return free_point_against(battle, figure, engine.at, battle.engine_radius(engine))


def _report_load(table: Table, battle: Battle, kind: str, figure: Figure, load: str, *, is_shared: bool) -> None:
    """Report that a load was taken up or dropped. `led` is True for a mount on a halter or a shared load."""
    led = is_shared or (load in battle.things and battle.things[load].kind == "mount")
    table.emit(kind, "PAY-073", unit=figure.spec.unit, figure=figure.spec.id, object=load, led=led)


def stand_clear(battle: Battle, comrade: Figure) -> None:
    """Place an able figure that is put down or wakes, without overlapping other bases (PAY-007, PAY-126)."""
    at = comrade.at
    if comrade.fate != "able" or at is None:
        return
    crowd = crowd_around(battle, at, 14.0, (comrade.spec.id,))
    unit = battle.change(comrade.spec.unit)
    unit.figures[comrade.spec.id].at = nearest_free(battle, at, battle.radius(comrade), "foot", crowd) or at
    unit.measure()


def drop_all(table: Table, battle: Battle, figure: Figure) -> None:
    """Drop all loads of a figure that falls or has no arm left to carry with (PAY-121, PAY-216)."""
    for load in figure.loads:
        drop(table, battle, figure, load)


def take_weapon(table: Table, battle: Battle, figure: Figure, source: str, weapon: str) -> None:
    """Take one weapon from a fallen figure or the ground.

    It is ready in the unit's next activation (PAY-022, PAY-023).
    """
    if source in battle.things:
        thing_id = source
    else:
        body = battle.change_figure(source)
        body.weapons = tuple(other for other in body.weapons if other != weapon)
        thing_id = battle.add_thing(f"{weapon} of {source}", Thing("weapon", weapon, "", None))
    thing = battle.change_thing(thing_id)
    thing.carrier, thing.at = figure.spec.id, None
    figure.loads = (*figure.loads, thing_id)
    table.emit("weapon taken", "PAY-022", unit=figure.spec.unit, figure=figure.spec.id, weapon=weapon)


def arm_from_loads(battle: Battle, unit: Unit) -> None:
    """Put weapons taken earlier into the figures' hands, ready from this activation on (PAY-023)."""
    for figure in unit.figures.values():
        for load in figure.loads:
            thing = battle.things.get(load)
            if thing is not None and thing.kind == "weapon":
                figure.weapons = (thing.name, *figure.weapons)
                figure.loads = tuple(other for other in figure.loads if other != load)
                battle.remove_thing(load)


SHORTEST_MOVE = 0.05
"""Inches; a shorter move would read "moved 0 inches", so it is not reported."""
_MOST_TRIES = 20
"""The legs without progress after which a figure stops. Rounding moves a stuck figure by 1e-14 inches, and then the
next point differs from those that were tried.
"""


def use_rest_of_move(table: Table, battle: Battle, unit: Unit, figure: Figure, inches: float) -> float:
    """Let a figure use the rest of its move after picking up or dropping, leg by leg (PAY-070, PAY-073).

    It stops in contact (PAY-071). Return the inches left if it stops voluntarily, else 0.
    """
    barred: set[Point] = set()
    contact, side, key = battle.book.contact, unit.spec.side, figure.spec.id
    goal = UnitIntentions(battle, unit).destination
    while inches > contact and figure.at is not None and not in_contact(battle, figure, foes_near(battle, unit)):
        if len(barred) == _MOST_TRIES:
            return inches
        start = figure.at
        refuse = partial(_refused_leg, battle, start, inches, barred)
        onward = start if goal is None else up_to(start, battle.field.pathfinders["foot"].heading(start, goal), inches)
        points = [point for point in dict.fromkeys((onward, start)) if refuse(point) is None]
        cost = partial(straight_cost, battle, "foot", start, allowance=inches)
        point = table.place(side, points, refuse, why="carry on to", rule="PAY-073", actor=key, cost=cost)
        if point == start:
            return inches
        inches_left = march(battle, unit, [MovingFigure(figure, inches)], point)[key]
        separate_bearers(table, battle, side)
        record_carrying(table, battle, figure, start)
        to, moved = [round(x, 2) for x in point], round(dist(start, figure.at), 2)
        if moved >= SHORTEST_MOVE:
            table.emit("move", "PAY-073", unit=unit.spec.id, by=key, to=to, inches=moved)
        if inches - inches_left <= contact:
            barred.add(point)
        inches = inches_left
    return 0.0


def _refused_leg(battle: Battle, here: Point, inches: float, barred: Collection[Point], point: Point) -> str | None:
    """Return why a figure may not make for a point with the rest of its move, or None."""
    if point == here:
        return None
    if dist(here, point) > inches + 1e-6:
        return f"only {inches:.1f} inches of the move are left"
    if point in barred:
        return "no figure could get any further that way"
    return None if battle.field.move_costs["foot"].can_stand(point) else "that ground is impassable"


def record_carrying(table: Table, battle: Battle, figure: Figure, start: Point | None) -> None:
    """Add up how far a comrade has been carried. 3 inches are a brave deed, once for each comrade (PAY-044)."""
    if not figure.loads or start is None or figure.at is None:
        return
    side = battle.side_of(figure)
    inches = dist(figure.at, start)
    for load in figure.loads:
        if load in battle.things:
            continue
        comrade = battle.change_figure(load)
        if bearer_of(battle, side, load) is figure:
            comrade.at, comrade.gait = figure.at, figure.gait  # may fire, but counts as moving (PAY-067)
            comrade.unmark("down")  # PAY-086
            battle.unit_of(comrade).measure()
        if comrade.fate == "dead" or battle.side_of(comrade) != side:
            continue
        inches_needed = battle.book.file.brave_deeds.inches_carried
        pair = f"{figure.spec.id} {load}"
        inches_before = battle.carried.get(pair, 0.0)
        battle.carried[pair] = inches_before + inches
        if inches_before < inches_needed <= inches_before + inches:
            figure.brave += 1
            saver = figure.spec
            table.emit("brave deed", "PAY-044", figures=[saver.id], unit=saver.unit, deed="saved a comrade")
