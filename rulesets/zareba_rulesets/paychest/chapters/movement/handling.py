"""Picking up, carrying and dropping loads, and taking weapons (PAY-023, PAY-073, PAY-214, PAY-216)."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Sequence
from functools import partial

from zareba.base.exact import dist
from zareba.rules import procedure
from zareba.space import Point
from zareba.space.geometry import about, up_to
from zareba.table import Option, Table
from zareba_rulesets.paychest.chapters.movement.marching import Mover, march, straight
from zareba_rulesets.paychest.chapters.movement.seats import room_beside
from zareba_rulesets.paychest.chapters.sight.contact import base_of, foes_near, in_contact
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.formation import crowd_about, nearest_free
from zareba_rulesets.paychest.forces.load_bearers import (
    bearer_of,
    bearers_of,
    have_parted,
    is_burdened,
    is_heavy,
    let_go,
)
from zareba_rulesets.paychest.forces.things import Thing
from zareba_rulesets.paychest.forces.unit_goals import UnitGoals
from zareba_rulesets.paychest.forces.units import Box, Figure, Unit

__all__ = [
    "arm_from_loads",
    "carry_along",
    "drop",
    "drop_all",
    "handle",
    "part_bearers",
    "pick_up",
    "put_down",
    "relieve_bearers",
    "set_beside",
    "take_weapon",
]

DONE, PICK_UP, DROP, TAKE = "done", "pick up", "drop", "take"


def handle(table: Table, battle: Battle, unit: Unit, left: dict[str, float], *, before: bool) -> None:
    """Let figures pick up and drop loads before and after the march, and take weapons after it (PAY-023, PAY-073).

    `left` holds the remaining allowance of each figure. After picking up a heavy load a figure may move on with half
    of it, after dropping one with the full rest, unless it is in contact and so stops (PAY-071). A figure that shares
    a load with another bearer does not move on alone. Each figure handles one thing at a time. One that has picked
    something up and can still move may drop it again.
    """
    busy: set[str] = set()
    held: set[tuple[str, ...]] = set()
    options = _acts(battle, unit, before)
    while options:
        offered: list[Option] = [DONE, *options]
        act = table.choose(unit.spec.side, offered, why="handle", rule="PAY-073", actor=unit.spec.id)
        if not isinstance(act, tuple):
            return
        figure = battle.figure(act[1])
        busy.add(act[1])
        if act[0] == TAKE:
            take_weapon(table, battle, figure, act[2], act[3])
            options = _without(options, busy, act)
            continue
        times, again = battle.book.file.halved_by_load.times, act[0] == PICK_UP and not before
        if act[0] == DROP:
            heavy = is_heavy(battle, act[2])
            drop(table, battle, figure, act[2])
            share = 1.0 / times if heavy else 1.0
        else:
            pick_up(table, battle, figure, act[2])
            share = times if is_heavy(battle, act[2]) else 1.0
        if not before and bearers_of(battle, unit.spec.side, act[2]) in ([], [figure]):
            left[act[1]] = _carry_on(table, battle, unit, figure, left.get(act[1], 0.0) * share)
        if again and left.get(act[1], 0.0) > battle.book.contact:
            held.add(act[1:])
        options = [
            one for one in _acts(battle, unit, before) if one[1] not in busy or (one[0] == DROP and one[1:] in held)
        ]


def _without(options: Sequence[tuple[str, ...]], busy: Collection[str], done: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Return the options left after a figure has taken a thing or a weapon. All other options are unchanged."""
    gone = done[2:]
    return [act for act in options if act[1] not in busy and act[2 : 2 + len(gone)] != gone]


def _acts(battle: Battle, unit: Unit, before: bool) -> list[tuple[str, ...]]:
    """Return what the unit's figures may handle: things and figures they touch, and loads they hold."""
    found: list[tuple[str, ...]] = [
        (DROP, key, load)
        for key, figure in unit.figures.items()
        if figure.loads and figure.able
        for load in figure.loads
        if load not in battle.things or battle.things[load].kind != "weapon"
    ]
    foot, mounted = battle.book.bases["foot"], battle.book.bases["mounted"]
    spots: list[tuple[float, float, float, tuple[str, Thing] | Figure]] = [
        (*at, mounted if thing.kind == "mount" else 0.0, (thing_id, thing))
        for thing_id, thing, at in battle.things_near(_about(unit), weapons=not before)
    ]
    spots += _fallen_near(battle, unit, own=before)
    spots += _borne_near(battle, unit)
    covered = _covered_near(battle, unit, weapons=not before)
    if not spots and not covered:
        return found
    order = sorted(range(len(spots)), key=lambda place: spots[place][0])
    from_west = [spots[place][0] for place in order]
    contact = battle.book.contact
    for figure in unit.able:
        assert figure.at is not None, "able figures are on the table"
        if base_of(battle, figure) is None:  # in the air
            continue
        (ax, ay), touch = figure.at, (mounted if figure.mount else foot) + contact
        first = bisect_left(from_west, ax - mounted - touch)
        last = bisect_right(from_west, ax + mounted + touch, first)
        near = [
            spots[place][3]
            for place in sorted(order[first:last])
            if dist((ax, ay), spots[place][:2]) <= touch + spots[place][2]
        ]
        for at, radius, things in covered:
            if dist((ax, ay), at) <= touch + radius:
                near += [thing for thing in things if thing not in near]
        if near and not figure.armless:
            found += _acts_of(battle, figure, near, before)
    return found


def _acts_of(
    battle: Battle, figure: Figure, near: Sequence[tuple[str, Thing] | Figure], before: bool
) -> Iterator[tuple[str, ...]]:
    """Yield what one figure may do with the things and figures it touches."""
    key, side = figure.spec.id, battle.side_of(figure)
    may_lift = figure.walks and not figure.aboard and not is_burdened(battle, figure)
    for body in near:
        if isinstance(body, tuple):
            thing_id, thing = body
            if thing.kind == "weapon":
                if thing.name not in figure.weapons:
                    yield TAKE, key, thing_id, thing.name
            elif may_lift and _has_room(battle, figure, thing):
                yield PICK_UP, key, thing_id
            continue
        if body is figure:
            continue
        if may_lift and not figure.mount and battle.side_of(body) == side and body.spec.id not in figure.loads:
            yield PICK_UP, key, body.spec.id
        if not before and body.fate != "able":
            for weapon in body.weapons:
                if weapon not in figure.weapons:
                    yield TAKE, key, body.spec.id, weapon


def _fallen_near(battle: Battle, unit: Unit, *, own: bool) -> Iterator[tuple[float, float, float, Figure]]:
    """Yield figures near a unit that are out of action or cannot walk (PAY-073), with their position and base radius.

    With `own` only figures of the unit's own side are returned.
    """
    west, south, east, north = _about(unit)
    side = unit.spec.side
    for other in battle.units.values():
        fallen = other.standing.fallen
        if fallen and not (own and other.spec.side != side):
            for figure in fallen:
                at = figure.at
                if at is not None and west <= at[0] <= east and south <= at[1] <= north:
                    yield *at, battle.radius(figure), figure


def _borne_near(battle: Battle, unit: Unit) -> Iterator[tuple[float, float, float, tuple[str, Thing]]]:
    """Yield heavy things that friends near a unit hold: more figures may take hold of them (PAY-073)."""
    west, south, east, north = _about(unit)
    for friends in battle.side_units(unit.spec.side):
        for figure in friends.able:
            at = figure.at
            if figure.loads and at is not None and west <= at[0] <= east and south <= at[1] <= north:
                for load in figure.loads:
                    thing = battle.things.get(load)
                    if thing is not None and thing.heavy and thing.carrier == figure.spec.id and not figure.aboard:
                        yield *at, battle.radius(figure), (load, thing)


def _covered_near(battle: Battle, unit: Unit, *, weapons: bool) -> list[tuple[Point, float, list[tuple[str, Thing]]]]:
    """The things under guns and conveyances that a unit may touch: who touches these reaches what lies under them."""
    found = []
    west, south, east, north = _about(unit)
    for engine in battle.engines.values():
        at = engine.at
        if at is None or engine.altitude or engine.carrier:
            continue
        radius = battle.engine_radius(engine)
        if west - radius <= at[0] <= east + radius and south - radius <= at[1] <= north + radius:
            lying = battle.things_near(about(at, radius), weapons=weapons)
            things = [(key, thing) for key, thing, there in lying if dist(there, at) <= radius]
            if things:
                found.append((at, radius, things))
    return found


def _about(unit: Unit) -> Box:
    """Return the rectangle that contains all a unit may touch."""
    west, south, east, north = unit.box
    return west - 2.0, south - 2.0, east + 2.0, north + 2.0


def _has_room(battle: Battle, figure: Figure, thing: Thing) -> bool:
    """Return True if the figure can take the thing: it leads at most two loose mounts (PAY-078).

    Heavy loads (PAY-073) are checked by the caller.
    """
    if thing.kind != "mount":
        return True
    led = sum(battle.things[load].kind == "mount" for load in figure.loads if load in battle.things)
    return led < battle.book.file.mounts_led.most and not figure.mount


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
    _tell(table, battle, "taken up", figure, load, shared=len(bearers) > 1)


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
    _tell(table, battle, "dropped", figure, load, shared=bool(others))


def _beside_conveyance(battle: Battle, figure: Figure) -> Point | None:
    """Return the point next to a conveyance on the ground where a figure aboard puts a load down, or None for other
    figures.
    """
    engine = battle.engines[figure.aboard] if figure.aboard else None
    if engine is None or engine.at is None or engine.altitude:
        return None
    return room_beside(battle, figure, engine.at, battle.engine_radius(engine))


def _tell(table: Table, battle: Battle, kind: str, figure: Figure, load: str, *, shared: bool) -> None:
    """Report that a load was taken up or dropped. `led` is True for a mount on a halter or a shared load."""
    led = shared or (load in battle.things and battle.things[load].kind == "mount")
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


def _carry_on(table: Table, battle: Battle, unit: Unit, figure: Figure, inches: float) -> float:
    """Let a figure use the rest of its move after picking up or dropping, leg by leg (PAY-070, PAY-073).

    It stops in contact (PAY-071). Return the inches left if it stops voluntarily, else 0.
    """
    barred: set[Point] = set()
    least, side, key = battle.book.contact, unit.spec.side, figure.spec.id
    goal = UnitGoals(battle, unit).objective
    while inches > least and figure.at is not None and not in_contact(battle, figure, foes_near(battle, unit)):
        here = figure.at
        legal = partial(_refused_leg, battle, here, inches, barred)
        onward = here if goal is None else up_to(here, battle.field.ways["foot"].heading(here, goal), inches)
        points = [point for point in dict.fromkeys((onward, here)) if legal(point) is None]
        cost = partial(straight, battle, "foot", here, allowance=inches)
        point = table.place(side, points, legal, why="carry on to", rule="PAY-073", actor=key, cost=cost)
        if point == here:
            return inches
        left = march(battle, unit, [Mover(figure, inches)], point)[key]
        part_bearers(table, battle, side)
        carry_along(table, battle, figure, here)
        to = [round(x, 2) for x in point]
        table.emit("move", "PAY-073", unit=unit.spec.id, by=key, to=to, inches=round(inches, 2))
        if inches - left <= least:
            barred.add(point)
        inches = left
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
        least = battle.book.file.brave_deeds.inches_carried
        way = f"{figure.spec.id} {load}"
        was = battle.carried.get(way, 0.0)
        battle.carried[way] = was + inches
        if was < least <= was + inches:
            figure.brave += 1
            saver = figure.spec
            table.emit("brave deed", "PAY-044", figures=[saver.id], unit=saver.unit, deed="saved a comrade")
