"""Movement of guns, conveyances and flyers (PAY-079 to PAY-084)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from zareba.base.exact import dist
from zareba.space import Point
from zareba.space.field.bases import Base, Crowd
from zareba.space.geometry import Bounds, about, up_to
from zareba.table import Option, Table
from zareba_rulesets.paychest.chapters.movement.destinations import Destinations
from zareba_rulesets.paychest.chapters.movement.marching import straight, up_to_enemies
from zareba_rulesets.paychest.chapters.movement.seats import (
    EACH,
    board,
    boarders,
    chosen,
    place_beside,
    riders,
    take_along,
)
from zareba_rulesets.paychest.chapters.sight.contact import is_held, reaches
from zareba_rulesets.paychest.forces.battle import Battle, Engine
from zareba_rulesets.paychest.forces.formation import bases_near, crowd_about
from zareba_rulesets.paychest.forces.units import Figure, Unit

__all__ = [
    "GET_OFF",
    "RISE",
    "SINK",
    "crew_at",
    "machine_acts",
    "move_engine",
    "perform_machine_act",
    "room_towards",
]

LIMBER, UNLIMBER, PUSH, DRIVE = "limber", "unlimber", "push", "drive"
BOARD, GET_OFF, RISE, SINK = "board", "get off", "rise", "sink"
GUNS = ("gun", "machine_gun")
STEP = 0.5
"""An engine without room at its destination stops shorter, in steps of this many inches."""
TINY = 1e-9
Rolled = Callable[[str, bool], tuple[float, float]]


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
        if figure.walks and figure.spec.id not in spent and not is_held(battle, figure)
    ]


def driver(battle: Battle, engine: Engine) -> Figure | None:
    """Return the driver of a conveyance: the first able figure aboard (PAY-080)."""
    return next((f for key in engine.aboard if (f := battle.figure(key)).able), None)


def machine_acts(battle: Battle, unit: Unit, spent: Collection[str] = ()) -> list[Option]:
    """Return what a unit may do with its guns and conveyances in its move step (PAY-080, PAY-082, PAY-084).

    `spent` holds its figures and engines that have moved already.
    """
    acts: list[Option] = []
    if not battle.engines:
        return acts
    for key, engine in battle.engines.items():
        if engine.at is None or key in spent:
            continue
        if engine.kind in GUNS:
            if engine.unit == unit.spec.id and engine.mount == "carriage":
                acts += _gun_acts(battle, key, engine, spent)
            continue
        acts += _conveyance_acts(battle, unit, key, engine, spent)
    return acts


def _gun_acts(battle: Battle, key: str, engine: Engine, spent: Collection[str]) -> list[Option]:
    crew = sum(not figure.armless for figure in haulers(battle, engine, spent))
    if not crew:
        return []
    movers = battle.book.movers
    if engine.limbered:
        return [(UNLIMBER, key), *((DRIVE, key, gait) for gait in movers["gun_limbered"].gaits)]
    rules = battle.book.file.guns["machine_gun" if engine.kind == "machine_gun" else "shell"]
    acts: list[Option] = [(LIMBER, key)] if engine.team else []
    if crew >= rules.pushers:
        acts.append((PUSH, key))
        if movers["gun_by_hand"].run:
            acts.append((PUSH, key, "run"))
    return acts


def _conveyance_acts(battle: Battle, unit: Unit, key: str, engine: Engine, spent: Collection[str]) -> list[Option]:
    acts: list[Option] = []
    driving = driver(battle, engine)
    if driving is not None and driving.spec.unit == unit.spec.id and not is_held(battle, driving):
        acts += [(DRIVE, key, gait) for gait in battle.book.movers[engine.kind].gaits]
        if engine.kind == "flyer" and engine.moved == "halt":
            acts += [(RISE, key)] if engine.altitude < battle.book.file.altitude.most else []
            acts += [(SINK, key)] if _may_sink(battle, key, engine) else []
    if engine.altitude == 0:
        off = riders(battle, unit, engine)
        if off:
            acts.append((GET_OFF, key))
        if len(off) > 1:
            acts.append((GET_OFF, key, EACH))
        on = boarders(battle, unit, engine, [name for name in unit.figures if name not in spent])
        if on:
            acts.append((BOARD, key))
        if len(on) > 1:
            acts.append((BOARD, key, EACH))
    return acts


def _may_sink(battle: Battle, key: str, engine: Engine) -> bool:
    """Return True if a flyer can descend one step. It lands only where its base has room (PAY-007, PAY-082)."""
    if engine.altitude != 1 or engine.at is None:
        return engine.altitude > 0
    radius = battle.engine_radius(engine)
    crowd = crowd_about(battle, engine.at, 5.0, (key,))
    for _, _, at in battle.things_near(about(engine.at, radius), weapons=False):
        crowd.add(Base(*at, 0.0))
    return crowd.is_free(engine.at, radius)


def _movers_with(battle: Battle, unit: Unit, key: str) -> list[str]:
    """Return the figures of a unit that move with a gun or conveyance: its crew, or those aboard."""
    engine = battle.engines[key]
    if engine.kind in GUNS:
        return [figure.spec.id for figure in haulers(battle, engine)]
    return [name for name in engine.aboard if name in unit.figures]


def perform_machine_act(
    table: Table, battle: Battle, unit: Unit, act: tuple[str, ...], rolled: Rolled, spent: Collection[str] = ()
) -> list[str]:
    """Limber, unlimber, push, drive, board or change altitude. Return the figures and engines whose move this uses up.

    Figures in `spent` have moved and cannot board. A conveyance with a driver may still be driven after boarding. One
    without a driver may not, because boarding costs its new driver half a move. A flyer may still move after a change
    of altitude.
    """
    verb, key = act[0], act[1]
    engine = battle.engines.change(key)
    if verb == BOARD:
        driverless = not engine.aboard
        free = [name for name in unit.figures if name not in spent]
        boarded = board(table, battle, unit, key, chosen(table, unit, act, boarders(battle, unit, engine, free)))
        return [*boarded, key] if boarded and driverless else boarded
    moved = _movers_with(battle, unit, key)
    if verb in (RISE, SINK):
        engine.altitude += 1 if verb == RISE else -1
        _carry(battle, key, "advance")
        steps, rose = engine.altitude, verb == RISE
        table.emit("altitude", "PAY-082", unit=unit.spec.id, engine=key, steps=steps, rose=rose)
        return moved
    if verb in (LIMBER, UNLIMBER):
        engine.limbered = verb == LIMBER
        engine.moved = "advance"
        table.emit("limbered" if engine.limbered else "unlimbered", "PAY-084", unit=unit.spec.id, engine=key)
    else:
        mover = "gun_by_hand" if verb == PUSH else "gun_limbered" if engine.kind in GUNS else engine.kind
        gait = act[2] if len(act) > 2 else "advance"
        advance, run = rolled(mover, gait == "run")
        _move(table, battle, unit, key, run if gait == "run" else advance, gait)
    return [*moved, key]


def _move(table: Table, battle: Battle, unit: Unit, key: str, inches: float, gait: str) -> None:
    """Move an engine straight to a place within its allowance, with its crew or passengers.

    On the ground it stops in contact with the first enemy on its path (PAY-071).
    """
    engine = battle.engines[key]
    here = engine.at
    assert here is not None, "only engines on the table move"
    column = "air" if engine.kind == "flyer" else "wheels"

    def legal(point: Point) -> str | None:
        return None if point == here or battle.field.going[column].can_stand(point) else "it cannot go there"

    points = Destinations(battle, unit, here, inches, column)
    goal = table.place(
        unit.spec.side,
        points,
        legal,
        why="drive to",
        rule="PAY-084",
        actor=unit.spec.id,
        cost=lambda point: straight(battle, column, here, point, inches),
    )
    if not engine.altitude:
        goal = up_to_enemies(battle, unit, here, goal, battle.engine_radius(engine))
    end, _, _ = battle.field.going[column].march(here, goal, inches)
    move_engine(battle, key, end, gait)
    there = battle.engines[key].at
    assert there is not None, "it has moved on the table"
    if there == here:
        table.emit("stayed", "PAY-084", unit=unit.spec.id, by=key, gait=gait)
    else:
        table.emit("drives", "PAY-084", unit=unit.spec.id, engine=key, to=[round(x, 2) for x in there], gait=gait)


def room_towards(battle: Battle, key: str, end: Point) -> Point:
    """Return the point at or nearest before `end` where the engine's base has room (PAY-007)."""
    return _room_with(battle, key, end, _crew_with(battle, battle.engines[key]))


def _crew_with(battle: Battle, engine: Engine) -> list[Figure]:
    """Return the crew that move on foot with an engine."""
    return haulers(battle, engine) if engine.kind in GUNS and not engine.altitude else []


def _room_with(battle: Battle, key: str, end: Point, crew: Sequence[Figure]) -> Point:
    engine = battle.engines[key]
    here = engine.at
    assert here is not None, "only engines on the table move"
    if engine.altitude:
        return end
    radius = battle.engine_radius(engine)
    skip = frozenset([key, *(figure.spec.id for figure in crew)])
    box = (min(here[0], end[0]) - 5, min(here[1], end[1]) - 5, max(here[0], end[0]) + 5, max(here[1], end[1]) + 5)
    crowd = Crowd([*bases_near(battle, box, skip), *_loads_in(battle, box, here, radius)])
    while not crowd.is_free(end, radius):
        if dist(here, end) < STEP + TINY:
            return here
        end = up_to(end, here, STEP)
    return end


def _loads_in(battle: Battle, box: Bounds, here: Point, radius: float) -> list[Base]:
    """The loads on the ground in a rectangle, over which nothing drives; not those under the engine already (PAY-073)."""
    lying = battle.things_near(box, weapons=False)
    return [Base(*at, 0.0) for _, _, at in lying if dist(here, at) >= radius]


def move_engine(battle: Battle, key: str, end: Point, gait: str) -> None:
    """Move an engine to a point, or as near as its base has room, with its crew, passengers and the guns aboard."""
    engine = battle.engines.change(key)
    crew, radius = _crew_with(battle, engine), battle.engine_radius(engine)
    engine.at = end = _room_with(battle, key, end, crew)
    for figure in crew:
        battle.change_figure(figure.spec.id).gait = gait
        place_beside(battle, figure, end, radius)
    _carry(battle, key, gait)


def _carry(battle: Battle, key: str, gait: str) -> None:
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
