"""Mounting and dismounting, climbing walls, and getting on and off wagons and boats."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import inf

from zareba.base.exact import dist, distances, hypot
from zareba.space import Point
from zareba.space.field.bodies import SLACK
from zareba.space.geometry import Points, is_inside, nearest_on_segment
from zareba.table import Table
from zareba_rulesets.paychest.book.tables import Conveyance
from zareba_rulesets.paychest.chapters.sight import is_held, reaches
from zareba_rulesets.paychest.forces.battle import Battle, Engine, bearer_of, is_burdened, is_heavy
from zareba_rulesets.paychest.forces.formation import crowd_around, nearest_free
from zareba_rulesets.paychest.forces.units import Figure, Thing, Unit

# --- Mounting, dismounting and climbing walls (PAY-078, PAY-091) ------------------------------------------------------


_RIDDEN = ("horse", "camel")
UP, DOWN = "up", "down"
"""The directions: into the saddle and out of it."""


def able_to_mount(battle: Battle, unit: Unit, direction: str, movable: Sequence[Figure]) -> list[Figure]:
    """Return the figures that may mount or dismount."""
    if direction == DOWN:
        return [figure for figure in movable if figure.mount in _RIDDEN and "lame" not in figure.marks]
    mounts = _mounts_near(battle, unit)
    return [
        figure
        for figure in movable
        if mounts
        and not figure.mount
        and not any(_prevents_mounting(battle, load) for load in figure.loads)
        and _mount_in_touch(battle, figure, mounts, frozenset())
    ]


def _prevents_mounting(battle: Battle, load: str) -> bool:
    """Return True if a figure with this load cannot mount: a heavy load or a led mount.

    Light loads do not matter (PAY-073).
    """
    return is_heavy(battle, load) or battle.things[load].kind == "mount"


def mount_or_dismount(
    table: Table, battle: Battle, unit: Unit, direction: str, movable: Sequence[Figure], *, each: bool = False
) -> dict[str, tuple[str, float]]:
    """Mount or dismount the movable figures that can; with `each` only those that the owner picks.

    Return the mover type with which each of them started, and the share of its move that is left (PAY-078). The empty
    mount of a figure that dismounts stays where it is.
    """
    share = battle.book.file.saddling.times
    changed: dict[str, tuple[str, float]] = {}
    used_mounts: frozenset[str] = frozenset()
    mounts = _mounts_near(battle, unit)
    for figure in able_to_mount(battle, unit, direction, movable):
        key = figure.spec.id
        if each and not table.confirm(unit.spec.side, why="saddle", rule="PAY-078", actor=key, about=(direction,)):
            continue
        if direction == DOWN:
            changed[key] = (figure.mount, share)
            _dismount(battle, figure)
            unit.measure()
            continue
        mount = _mount_in_touch(battle, figure, mounts, used_mounts)
        if mount:
            used_mounts |= {mount}
            changed[key] = ("foot", share)
            _mount(battle, figure, mount)
            unit.measure()
    table.emit("mounted" if direction == UP else "dismounted", "PAY-078", unit=unit.spec.id, figures=len(changed))
    return changed


def _mount(battle: Battle, figure: Figure, mount: str) -> None:
    """Seat a rider at the place of the loose mount, or at the nearest point with room for both."""
    at = battle.things[mount].at
    assert at is not None, "a loose mount is on the table"
    figure.mount = battle.things[mount].name.rpartition(" ")[2]
    figure.mark("mounted")
    battle.remove_thing(mount)
    crowd = crowd_around(battle, at, 14.0, (figure.spec.id,))
    figure.at = nearest_free(battle, at, battle.radius(figure), "mounted", crowd) or at


def _dismount(battle: Battle, figure: Figure) -> None:
    """Place a rider next to the mount, which stays. If there is no room, the rider's position is unchanged."""
    at = figure.at
    assert at is not None, "a rider is on the table"
    loose = Thing("mount", f"loose {figure.mount}", battle.side_of(figure), at)
    battle.add_thing(f"mount of {figure.spec.id}", loose)
    figure.mount = ""
    crowd = crowd_around(battle, at, 14.0, (figure.spec.id,))
    figure.at = nearest_free(battle, at, battle.radius(figure), "foot", crowd) or at


def _mounts_near(battle: Battle, unit: Unit) -> list[tuple[str, Point]]:
    """Return the loose horses and camels that the unit may touch, with their positions."""
    west, south, east, north = unit.box
    near = battle.things_near((west - 2.0, south - 2.0, east + 2.0, north + 2.0), weapons=False)
    return [(key, at) for key, thing, at in near if thing.kind == "mount" and thing.name.rpartition(" ")[2] in _RIDDEN]


def _mount_in_touch(
    battle: Battle, figure: Figure, mounts: Sequence[tuple[str, Point]], used_mounts: frozenset[str]
) -> str:
    """Return the first loose mount of `mounts` that a figure touches and no other has taken, or ""."""
    position = figure.at
    if position is None:
        return ""
    touch = battle.radius(figure) + battle.book.bases["mounted"] + battle.book.contact
    gaps = distances(position, [at for _, at in mounts])
    return next(
        (mount for (mount, _), gap in zip(mounts, gaps, strict=True) if gap <= touch and mount not in used_mounts), ""
    )


def fall_from_saddle(battle: Battle, figure: Figure) -> None:
    """Leave the mount of a figure that is out of action loose, or the pack animal that it led (PAY-078, PAY-216)."""
    if figure.mount:
        name = f"loose {figure.mount}" if figure.mount in _RIDDEN else "loose pack animal"
        battle.add_thing(f"mount of {figure.spec.id}", Thing("mount", name, battle.side_of(figure), figure.at))
    figure.mount = ""


# --- walls ----------------------------------------------------------------------------------------------------------


def _wall_top_in_touch(battle: Battle, figure: Figure) -> Point | None:
    """Return the point on top of a high wall that a figure touches from below, or None (PAY-091)."""
    at = figure.at
    if at is None:
        return None
    touch = battle.radius(figure) + battle.book.contact
    for piece in battle.field.lines.values():
        if piece.ground.climb:
            for a, b in piece.legs:
                top = nearest_on_segment(at, a, b)
                if battle.book.contact < dist(at, top) <= touch:
                    return top
    return None


def able_to_climb(battle: Battle, movable: Sequence[Figure]) -> list[Figure]:
    """Return the figures that may climb: on foot, without a heavy load, touching a high wall (PAY-091)."""
    if not any(piece.ground.climb for piece in battle.field.lines.values()):
        return []
    return [
        figure
        for figure in movable
        if not (figure.mount or battle.leads(figure) or is_burdened(battle, figure))
        and _wall_top_in_touch(battle, figure) is not None
    ]


def climb(table: Table, battle: Battle, unit: Unit, movable: Sequence[Figure], *, each: bool = False) -> list[str]:
    """Make figures that touch a high wall climb it as their move; with `each` only those the owner picks.

    A defender within an inch is in contact. Return the figures that climbed.
    """
    climbed: list[str] = []
    for figure in able_to_climb(battle, movable):
        key, radius = figure.spec.id, battle.radius(figure)
        if each and not table.confirm(unit.spec.side, why="climbs", rule="PAY-091", actor=key):
            continue
        top = _wall_top_in_touch(battle, figure)
        assert top is not None, "a figure that may climb touches a wall"
        crowd = crowd_around(battle, top, battle.book.file.climb_contact.inches + 4.0, (key,))  # 4: more than two bases
        landing = next((at for at in _landing_points(battle, unit, figure, top) if crowd.is_free(at, radius)), None)
        if landing is not None:
            figure.at = landing
            figure.gait = "advance"
            climbed.append(key)
            unit.measure()
    table.emit("climbed", "PAY-091", unit=unit.spec.id, figures=len(climbed))
    return climbed


def _is_on_wall(battle: Battle, at: Point) -> bool:
    """Return True if a point is on top of a high wall."""
    walls = [piece for piece in battle.field.lines.values() if piece.ground.climb]
    return any(wall.is_within(at, battle.book.contact) for wall in walls)


def _landing_points(battle: Battle, unit: Unit, figure: Figure, top: Point) -> list[Point]:
    """Return the points where a climber may land (PAY-091).

    If a defender's base is within an inch of the point above the climber, it is a point against the nearest defender,
    or one on either side of a defender right above. Otherwise it is the point above the climber.
    """
    radius, at = battle.radius(figure), figure.at
    assert at is not None, "a climber is on the table"
    defenders = [
        (dist(top, foe.at) - radius - battle.radius(foe), foe.at, radius + battle.radius(foe))
        for enemy in battle.enemies(unit.spec.side)
        for foe in enemy.able
        if foe.at is not None and _is_on_wall(battle, foe.at)
    ]
    gap, (x, y), contact_distance = min(defenders, default=(inf, top, 0.0))
    if gap > battle.book.file.climb_contact.inches:
        return [top]
    direction = (top[0] - x, top[1] - y)
    if hypot(*direction) <= SLACK:
        direction = (at[1] - top[1], top[0] - at[0])  # along the wall, at right angles to the climber's approach
    reach = contact_distance / hypot(*direction)
    signs = (1.0,) if gap > 0 else (1.0, -1.0)
    return [(x + direction[0] * reach * sign, y + direction[1] * reach * sign) for sign in signs]


# --- Getting on and off conveyances (PAY-080, PAY-082) ----------------------------------------------------------------


def boardable(battle: Battle, unit: Unit, figure_ids: Collection[str]) -> list[str]:
    """Return the conveyances that any of these figures of a unit can get on (PAY-080)."""
    if not figure_ids or not battle.engines:
        return []
    return [key for key, engine in battle.engines.items() if boarders(battle, unit, engine, figure_ids)]


def boarders(battle: Battle, unit: Unit, engine: Engine, figure_ids: Collection[str]) -> list[str]:
    """Return the figures that can get on a conveyance: on foot, in contact, and as many as it has room for.

    Figures that lead a mount or are held by an enemy cannot. A heavy load needs separate room.
    """
    capacity = battle.book.file.conveyances.get(engine.kind)
    if capacity is None or engine.at is None or engine.altitude or engine.side != unit.spec.side:
        return []
    radius = battle.engine_radius(engine)
    loads_aboard = _loads_aboard(battle, engine)
    free_seats, load_room = (
        capacity.figures - len(engine.aboard),
        _room_for_loads(battle, engine, capacity) - len(loads_aboard),
    )
    boarding = []
    for name, figure in unit.figures.items():
        if name not in figure_ids or not figure.can_walk or figure.aboard or figure.mount or battle.leads(figure):
            continue
        added_loads = {load for load in figure.loads if is_heavy(battle, load)} - loads_aboard
        if (
            free_seats > 0
            and len(added_loads) <= load_room
            and reaches(battle, figure, engine.at, radius)
            and not is_held(battle, figure)
        ):
            boarding.append(name)
            free_seats, load_room = free_seats - 1, load_room - len(added_loads)
            loads_aboard |= added_loads
    return boarding


def _room_for_loads(battle: Battle, engine: Engine, capacity: Conveyance) -> int:
    """Return the number of heavy loads a conveyance takes: one, unless a machine gun takes that place (PAY-080)."""
    guns = sum(
        e.kind == "machine_gun" and bool(e.carrier) and battle.engines[e.carrier] is engine
        for e in battle.engines.values()
    )
    return capacity.loads - guns if capacity.either else capacity.loads


def _loads_aboard(battle: Battle, engine: Engine) -> set[str]:
    """Return the heavy loads held by figures aboard. A shared load counts once."""
    return {load for name in engine.aboard for load in battle.figure(name).loads if is_heavy(battle, load)}


def board(table: Table, battle: Battle, unit: Unit, key: str, names: Collection[str]) -> list[str]:
    """Put figures that touch a conveyance aboard, as far as there is room (PAY-080). Return the figures that got on."""
    engine = battle.engines.change(key)
    boarding = boarders(battle, unit, engine, names)
    engine.aboard = (*engine.aboard, *boarding)
    for name in boarding:
        figure = unit.figures[name]
        figure.aboard, figure.at, figure.gait = key, engine.at, "advance"
        take_along(battle, figure)
    unit.measure()
    table.emit("got on", "PAY-080", unit=unit.spec.id, engine=key, figures=len(boarding))
    return boarding


def able_to_get_off(battle: Battle, unit: Unit, engine: Engine) -> list[str]:
    """Return the figures of a unit that may get off: they can walk and are not held by an enemy (PAY-076, PAY-080)."""
    aboard = [unit.figures[name] for name in engine.aboard if name in unit.figures]
    return [figure.spec.id for figure in aboard if figure.can_walk and not is_held(battle, figure)]


def get_off(table: Table, battle: Battle, unit: Unit, key: str, leaving: Sequence[str]) -> None:
    """Make some figures of a unit get off a conveyance, and place them next to it (PAY-080)."""
    engine = battle.engines.change(key)
    assert engine.at is not None, "a conveyance with passengers is on the table"
    for name in leaving:
        figure = battle.figure(name)
        figure.aboard = ""
        figure.gait = "advance"
        place_against(battle, figure, engine.at, battle.engine_radius(engine))
        take_along(battle, figure)
    engine.aboard = tuple(name for name in engine.aboard if name not in leaving)
    unit.measure()
    table.emit("got off", "PAY-080", unit=unit.spec.id, engine=key, figures=len(leaving))


def take_along(battle: Battle, passenger: Figure) -> None:
    """Move the figures that a passenger carries to its position and give them its gait."""
    for load in passenger.loads:
        if load not in battle.things and bearer_of(battle, battle.side_of(passenger), load) is passenger:
            comrade = battle.change_figure(load)
            comrade.at, comrade.gait = passenger.at, passenger.gait
            comrade.unmark("down")  # PAY-086
            battle.unit_of(comrade).measure()


def place_against(battle: Battle, figure: Figure, at: Point, radius: float, zone: Points = ()) -> None:
    """Place a figure against an engine's base, or as near as there is room, inside the zone if there is one."""
    figure = battle.change_figure(figure.spec.id)
    figure.at = free_point_against(battle, figure, at, radius, zone) or figure.at or at
    battle.unit_of(figure).measure()


def free_point_against(battle: Battle, figure: Figure, at: Point, radius: float, zone: Points = ()) -> Point | None:
    """Return the free point for a figure against another base, or else the nearest free one; None if there is none."""
    base = battle.radius(figure)
    crowd = crowd_around(battle, at, 14.0, (figure.spec.id,))
    reach = radius + base
    diagonal = reach * 0.7071
    spots = [
        (at[0] - reach, at[1]),
        (at[0] + reach, at[1]),
        (at[0] - diagonal, at[1] - diagonal),
        (at[0] + diagonal, at[1] - diagonal),
        (at[0] - diagonal, at[1] + diagonal),
        (at[0] + diagonal, at[1] + diagonal),
        (at[0], at[1] - reach),
        (at[0], at[1] + reach),
    ]
    for spot in spots:
        if (
            crowd.is_free(spot, base)
            and battle.field.move_costs["foot"].can_stand(spot)
            and (not zone or is_inside(spot, zone))
        ):
            return spot
    return nearest_free(battle, at, base, "foot", crowd, zone=zone)
