"""Picking up, carrying and dropping loads, and taking weapons (PAY-023, PAY-073, PAY-214, PAY-216)."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

from zareba.base.exact import dist
from zareba.rules import procedure
from zareba.space import Point
from zareba.space.geometry import up_to
from zareba.table import Table
from zareba_rulesets.paychest.chapters.movement.marching import Mover, march, straight_cost
from zareba_rulesets.paychest.chapters.movement.seats import room_beside
from zareba_rulesets.paychest.chapters.sight.contact import foes_near, in_contact
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.formation import crowd_about, nearest_free
from zareba_rulesets.paychest.forces.load_bearers import (
    bearer_of,
    bearers_of,
    have_parted,
    let_go,
)
from zareba_rulesets.paychest.forces.things import Thing
from zareba_rulesets.paychest.forces.unit_goals import UnitGoals
from zareba_rulesets.paychest.forces.units import Figure, Unit

__all__ = [
    "arm_from_loads",
    "carry_along",
    "carry_on",
    "drop",
    "drop_all",
    "part_bearers",
    "pick_up",
    "put_down",
    "relieve_bearers",
    "set_beside",
    "take_weapon",
]


def relieve_bearers(battle: Battle, body: Figure) -> None:
    """Release a body from all its bearers, because it is no longer where it was."""
    for bearer in bearers_of(battle, battle.side_of(body), body.spec.id):
        let_go(battle, battle.change_figure(bearer.spec.id), body.spec.id)


def put_down(table: Table, battle: Battle, body: Figure) -> None:
    """Make all bearers of a figure put it down."""
    for bearer in bearers_of(battle, battle.side_of(body), body.spec.id):
        drop(table, battle, battle.change_figure(bearer.spec.id), body.spec.id)


def part_bearers(table: Table, battle: Battle, side: str) -> None:
    """Make bearers let go of a shared load if they are too far from its first bearer (PAY-073)."""
    for unit in battle.side_units(side):
        for figure in unit.able:
            for load in have_parted(battle, figure) if figure.loads else ():
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
        thing.carrier, thing.at = "", _beside_conveyance(battle, figure) or figure.at
    elif not others:
        comrade = battle.figure(load)
        beside = None if comrade.aboard else _beside_conveyance(battle, figure)
        if beside is not None:
            comrade = battle.change_figure(load)
            comrade.at = beside
            battle.unit_of(comrade).measure()
        set_beside(battle, comrade)
    _report_load(table, battle, "dropped", figure, load, is_shared=bool(others))


def _beside_conveyance(battle: Battle, figure: Figure) -> Point | None:
    """Return the point next to a conveyance on the ground where a figure aboard puts a load down, or None for other
    figures.
    """
    engine = battle.engines[figure.aboard] if figure.aboard else None
    if engine is None or engine.at is None or engine.altitude:
        return None
    return room_beside(battle, figure, engine.at, battle.engine_radius(engine))


def _report_load(table: Table, battle: Battle, kind: str, figure: Figure, load: str, *, is_shared: bool) -> None:
    """Report that a load was taken up or dropped. `led` is True for a mount on a halter or a shared load."""
    led = is_shared or (load in battle.things and battle.things[load].kind == "mount")
    table.emit(kind, "PAY-073", unit=figure.spec.unit, figure=figure.spec.id, object=load, led=led)


def set_beside(battle: Battle, comrade: Figure) -> None:
    """Place an able figure that is put down or wakes, without overlapping other bases (PAY-007, PAY-126)."""
    at = comrade.at
    if comrade.fate != "able" or at is None:
        return
    crowd = crowd_about(battle, at, 14.0, (comrade.spec.id,))
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


def carry_on(table: Table, battle: Battle, unit: Unit, figure: Figure, inches: float) -> float:
    """Let a figure use the rest of its move after picking up or dropping, leg by leg (PAY-070, PAY-073).

    It stops in contact (PAY-071). Return the inches left if it stops voluntarily, else 0.
    """
    barred: set[Point] = set()
    contact, side, key = battle.book.contact, unit.spec.side, figure.spec.id
    goal = UnitGoals(battle, unit).objective
    while inches > contact and figure.at is not None and not in_contact(battle, figure, foes_near(battle, unit)):
        start = figure.at
        legal = partial(_refused_leg, battle, start, inches, barred)
        onward = start if goal is None else up_to(start, battle.field.ways["foot"].heading(start, goal), inches)
        points = [point for point in dict.fromkeys((onward, start)) if legal(point) is None]
        cost = partial(straight_cost, battle, "foot", start, allowance=inches)
        point = table.place(side, points, legal, why="carry on to", rule="PAY-073", actor=key, cost=cost)
        if point == start:
            return inches
        inches_left = march(battle, unit, [Mover(figure, inches)], point)[key]
        part_bearers(table, battle, side)
        carry_along(table, battle, figure, start)
        to = [round(x, 2) for x in point]
        table.emit("move", "PAY-073", unit=unit.spec.id, by=key, to=to, inches=round(inches, 2))
        if inches - inches_left <= contact:
            barred.add(point)
        inches = inches_left
    return 0.0


def _refused_leg(battle: Battle, here: Point, inches: float, barred: Collection[Point], point: Point) -> str | None:
    """Return why a figure may not make for a point with the rest of its move, or None."""
    if point == here:
        return None
    if dist(here, point) > inches + 1e-6:
        return f"only {inches:.2f} inches of the move are left"
    if point in barred:
        return "no figure could get any further that way"
    return None if battle.field.going["foot"].can_stand(point) else "that ground is impassable"


def carry_along(table: Table, battle: Battle, figure: Figure, start: Point | None) -> None:
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
        way = f"{figure.spec.id} {load}"
        was = battle.carried.get(way, 0.0)
        battle.carried[way] = was + inches
        if was < inches_needed <= was + inches:
            figure.brave += 1
            saver = figure.spec
            table.emit("brave deed", "PAY-044", figures=[saver.id], unit=saver.unit, deed="saved a comrade")
