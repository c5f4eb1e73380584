"""Getting on and off conveyances (PAY-080, PAY-082)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from zareba.space import Point
from zareba.space.geometry import Points, is_inside
from zareba.table import Table
from zareba_rulesets.paychest.book.tables import Conveyance
from zareba_rulesets.paychest.chapters.sight.contact import is_held, reaches
from zareba_rulesets.paychest.forces.battle import Battle, Engine
from zareba_rulesets.paychest.forces.formation import crowd_about, nearest_free
from zareba_rulesets.paychest.forces.load_bearers import bearer_of, is_heavy
from zareba_rulesets.paychest.forces.units import Figure, Unit

__all__ = [
    "board",
    "boardable",
    "boarders",
    "get_off",
    "place_beside",
    "riders",
    "room_beside",
    "take_along",
]


def boardable(battle: Battle, unit: Unit, names: Collection[str]) -> list[str]:
    """Return the conveyances that some of these figures of a unit touch and can get on (PAY-080)."""
    if not names or not battle.engines:
        return []
    return [key for key, engine in battle.engines.items() if boarders(battle, unit, engine, names)]


def boarders(battle: Battle, unit: Unit, engine: Engine, names: Collection[str]) -> list[str]:
    """Return the figures that can get on a conveyance: on foot, in contact, and as many as it has room for.

    Figures that lead a mount or are held by an enemy cannot. A heavy load needs separate room.
    """
    room = battle.book.file.conveyances.get(engine.kind)
    if room is None or engine.at is None or engine.altitude or engine.side != unit.spec.side:
        return []
    radius = battle.engine_radius(engine)
    borne = _loads_aboard(battle, engine)
    places, loads = room.figures - len(engine.aboard), _room_for_loads(battle, engine, room) - len(borne)
    found = []
    for name, figure in unit.figures.items():
        if name not in names or not figure.walks or figure.aboard or figure.mount or battle.leads(figure):
            continue
        burden = {load for load in figure.loads if is_heavy(battle, load)} - borne
        if (
            places > 0
            and len(burden) <= loads
            and reaches(battle, figure, engine.at, radius)
            and not is_held(battle, figure)
        ):
            found.append(name)
            places, loads = places - 1, loads - len(burden)
            borne |= burden
    return found


def _room_for_loads(battle: Battle, engine: Engine, room: Conveyance) -> int:
    """Return the number of heavy loads a conveyance takes: one, unless a machine gun takes that place (PAY-080)."""
    guns = sum(
        e.kind == "machine_gun" and bool(e.carrier) and battle.engines[e.carrier] is engine
        for e in battle.engines.values()
    )
    return room.loads - guns if room.either else room.loads


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


def riders(battle: Battle, unit: Unit, engine: Engine) -> list[str]:
    """Return the figures of a unit that may get off: they can walk and are not held by an enemy (PAY-076, PAY-080)."""
    own = [unit.figures[name] for name in engine.aboard if name in unit.figures]
    return [figure.spec.id for figure in own if figure.walks and not is_held(battle, figure)]


def get_off(table: Table, battle: Battle, unit: Unit, key: str, leaving: Sequence[str]) -> None:
    """Make some figures of a unit get off a conveyance, and place them next to it (PAY-080)."""
    engine = battle.engines.change(key)
    assert engine.at is not None, "a conveyance with passengers is on the table"
    for name in leaving:
        figure = battle.figure(name)
        figure.aboard = ""
        figure.gait = "advance"
        place_beside(battle, figure, engine.at, battle.engine_radius(engine))
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


def place_beside(battle: Battle, figure: Figure, at: Point, radius: float, zone: Points = ()) -> None:
    """Place a figure against an engine's base, or as near as there is room, inside the zone if there is one."""
    figure = battle.change_figure(figure.spec.id)
    figure.at = room_beside(battle, figure, at, radius, zone) or figure.at or at
    battle.unit_of(figure).measure()


def room_beside(battle: Battle, figure: Figure, at: Point, radius: float, zone: Points = ()) -> Point | None:
    """Return where a figure has room against a base, or as near as there is any; None if there is none."""
    base = battle.radius(figure)
    crowd = crowd_about(battle, at, 14.0, (figure.spec.id,))
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
            and battle.field.going["foot"].can_stand(spot)
            and (not zone or is_inside(spot, zone))
        ):
            return spot
    return nearest_free(battle, at, base, "foot", crowd, zone=zone)
