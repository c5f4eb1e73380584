"""Movement of guns, conveyances and flyers (PAY-079 to PAY-084)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from zareba.base.exact import dist
from zareba.space import Point
from zareba.space.field.bodies import Base, Crowd
from zareba.space.geometry import Bounds, box_around, up_to
from zareba.table import Table
from zareba_rulesets.paychest.book.tables import Gait
from zareba_rulesets.paychest.chapters.marching import straight_cost, up_to_enemies
from zareba_rulesets.paychest.chapters.mounts import place_against, take_along
from zareba_rulesets.paychest.chapters.movement import Destinations
from zareba_rulesets.paychest.chapters.sight import is_held, reaches
from zareba_rulesets.paychest.forces.battle import Battle, Engine
from zareba_rulesets.paychest.forces.formation import bases_in_box, crowd_around
from zareba_rulesets.paychest.forces.units import Figure, Unit

GUNS = ("gun", "machine_gun")
_STEP = 0.5
"""An engine without room at its destination stops shorter, in steps of this many inches."""
_ROUNDING = 1e-9
"""The rounding error of a distance, in inches."""


def crew_at(battle: Battle, engine: Engine) -> list[Figure]:
    """Return the able crew in contact with a gun, or in the conveyance that carries it (PAY-178, PAY-184)."""
    unit = battle.unit(engine.unit)
    radius = battle.engine_radius(engine)
    if engine.carrier:
        return [figure for figure in unit.able if figure.aboard == engine.carrier]
    return [figure for figure in unit.able if reaches(battle, figure, engine.at, radius)]


def haulers(battle: Battle, engine: Engine, spent: Collection[str] = ()) -> list[Figure]:
    """Return the crew that move with a gun: not the lame, nor figures held by contact (PAY-076, PAY-077).

    Figures in `spent` have moved already and do not move with it.
    """
    return [
        figure
        for figure in crew_at(battle, engine)
        if figure.can_walk and figure.spec.id not in spent and not is_held(battle, figure)
    ]


def driver(battle: Battle, engine: Engine) -> Figure | None:
    """Return the driver of a conveyance: the first able figure aboard (PAY-080)."""
    return next((f for key in engine.aboard if (f := battle.figure(key)).able), None)


def may_sink(battle: Battle, key: str, engine: Engine) -> bool:
    """Return True if a flyer can descend one step. It lands only where its base has room (PAY-007, PAY-082)."""
    if engine.altitude != 1 or engine.at is None:
        return engine.altitude > 0
    radius = battle.engine_radius(engine)
    crowd = crowd_around(battle, engine.at, 5.0, (key,))
    for _, _, at in battle.things_near(box_around(engine.at, radius), weapons=False):
        crowd.add(Base(*at, 0.0))
    return crowd.is_free(engine.at, radius)


def figures_moving_with(battle: Battle, unit: Unit, key: str) -> list[str]:
    """Return the figures of a unit that move with a gun or conveyance: its crew, or those aboard."""
    engine = battle.engines[key]
    if engine.kind in GUNS:
        return [figure.spec.id for figure in haulers(battle, engine)]
    return [name for name in engine.aboard if name in unit.figures]


def drive_engine(table: Table, battle: Battle, unit: Unit, key: str, inches: float, gait: Gait) -> None:
    """Move an engine straight to a place within its allowance, with its crew or passengers.

    On the ground it stops in contact with the first enemy on its path (PAY-071).
    """
    engine = battle.engines[key]
    start = engine.at
    assert start is not None, "only engines on the table move"
    column = "air" if engine.kind == "flyer" else "wheels"

    def refuse(point: Point) -> str | None:
        return None if point == start or battle.field.move_costs[column].can_stand(point) else "it cannot go there"

    points = Destinations(battle, unit, start, inches, column)
    goal = table.place(
        unit.spec.side,
        points,
        refuse,
        why="drive to",
        rule="PAY-084",
        actor=unit.spec.id,
        cost=lambda point: straight_cost(battle, column, start, point, inches),
    )
    if not engine.altitude:
        goal = up_to_enemies(battle, unit, start, goal, battle.engine_radius(engine))
    end, _, _ = battle.field.move_costs[column].march(start, goal, inches)
    move_engine(battle, key, end, gait)
    new_place = battle.engines[key].at
    assert new_place is not None, "it has moved on the table"
    if new_place == start:
        table.emit("stayed", "PAY-084", unit=unit.spec.id, by=key, gait=gait)
    else:
        table.emit("drives", "PAY-084", unit=unit.spec.id, engine=key, to=[round(x, 2) for x in new_place], gait=gait)


def room_towards(battle: Battle, key: str, end: Point) -> Point:
    """Return the point at or nearest before `end` where the engine's base has room (PAY-007)."""
    return _room_with(battle, key, end, _crew_with(battle, battle.engines[key]))


def _crew_with(battle: Battle, engine: Engine) -> list[Figure]:
    """Return the crew that move on foot with an engine."""
    return haulers(battle, engine) if engine.kind in GUNS and not engine.altitude else []


def _room_with(battle: Battle, key: str, end: Point, crew: Sequence[Figure]) -> Point:
    """Return the last point on the way to `end` where an engine and the crew around it have room."""
    engine = battle.engines[key]
    start = engine.at
    assert start is not None, "only engines on the table move"
    if engine.altitude:
        return end
    radius = battle.engine_radius(engine)
    skip = frozenset([key, *(figure.spec.id for figure in crew)])
    box = (min(start[0], end[0]) - 5, min(start[1], end[1]) - 5, max(start[0], end[0]) + 5, max(start[1], end[1]) + 5)
    crowd = Crowd([*bases_in_box(battle, box, skip), *_loads_in(battle, box, start, radius)])
    while not crowd.is_free(end, radius):
        if dist(start, end) < _STEP + _ROUNDING:
            return start
        end = up_to(end, start, _STEP)
    return end


def _loads_in(battle: Battle, box: Bounds, engine_at: Point, radius: float) -> list[Base]:
    """Return the loads on the ground in a rectangle, over which no engine drives, except those already under this
    engine (PAY-073).
    """
    things_on_ground = battle.things_near(box, weapons=False)
    return [Base(*at, 0.0) for _, _, at in things_on_ground if dist(engine_at, at) >= radius]


def move_engine(battle: Battle, key: str, end: Point, gait: Gait) -> None:
    """Move an engine to a point, or as near as its base has room, with its crew, passengers and the guns aboard."""
    engine = battle.engines.change(key)
    crew, radius = _crew_with(battle, engine), battle.engine_radius(engine)
    engine.at = end = _room_with(battle, key, end, crew)
    for figure in crew:
        battle.change_figure(figure.spec.id).gait = gait
        place_against(battle, figure, end, radius)
    carry_passengers(battle, key, gait)


def carry_passengers(battle: Battle, key: str, gait: Gait) -> None:
    """Move an engine's passengers, the men they carry and its guns to its position, and record their gait."""
    engine = battle.engines.change(key)
    engine.moved = gait
    for name in engine.aboard:
        passenger = battle.change_figure(name)
        passenger.at, passenger.gait = engine.at, gait
        take_along(battle, passenger)
    for carried in [name for name, other in battle.engines.items() if other.carrier == key]:
        other = battle.engines.change(carried)
        other.at, other.moved = engine.at, gait
    for unit_id in dict.fromkeys([engine.unit, *(name.rpartition(".")[0] for name in engine.aboard)]):
        battle.change(unit_id).measure()
