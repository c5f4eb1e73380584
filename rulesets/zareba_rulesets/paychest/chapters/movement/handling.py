"""Picking up, carrying, dropping, taking weapons, leaving the table (PAY-023, PAY-073, PAY-214, PAY-216)."""

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
from zareba_rulesets.paychest.forces.bearers import bearer_of, bearers_of, have_parted, is_burdened, is_heavy, let_go
from zareba_rulesets.paychest.forces.calls import Calls
from zareba_rulesets.paychest.forces.formation import crowd_about, nearest_free
from zareba_rulesets.paychest.forces.things import Thing
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
    """Let figures pick up and drop, before and after the march; after it also take weapons (PAY-023, PAY-073).

    `left` is what of their allowance figures have left: who picks something up may carry it on with half of that, who
    drops it with all of it, unless he has come into contact and so stops there (PAY-071). Who takes hold of what another
    bears goes no further without him. Each figure handles one thing at a time; who has picked something up and has still
    some way to go may drop it again.
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
    """What is left to do after somebody has taken a thing, or a weapon off a man: all else is as it was."""
    gone = done[2:]
    return [act for act in options if act[1] not in busy and act[2 : 2 + len(gone)] != gone]


def _acts(battle: Battle, unit: Unit, before: bool) -> list[tuple[str, ...]]:
    """What the unit's figures may handle: things and men that they touch, loads that they have."""
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
        if base_of(battle, figure) is None:  # aloft
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
    """What one figure may do with the things and men that he touches."""
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
    """Men out of action, and able men who cannot walk, within reach of a unit (PAY-073), each with his base.

    With `own` those of its own side alone.
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
    """Heavy things in the hands of friends within reach of a unit: others may take hold of them too (PAY-073)."""
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
    """The rectangle in which lies whatever a unit may touch."""
    west, south, east, north = unit.box
    return west - 2.0, south - 2.0, east + 2.0, north + 2.0


def _has_room(battle: Battle, figure: Figure, thing: Thing) -> bool:
    """One man leads at most two loose mounts (PAY-078) and carries one heavy load (PAY-073)."""
    if thing.kind != "mount":
        return True
    led = sum(battle.things[load].kind == "mount" for load in figure.loads if load in battle.things)
    return led < battle.book.file.mounts_led.most and not figure.mount


def relieve_bearers(battle: Battle, body: Figure) -> None:
    """A man who is gone from where he lay is on nobody's shoulders any more."""
    for bearer in bearers_of(battle, battle.side_of(body), body.spec.id):
        let_go(battle, battle.change_figure(bearer.spec.id), body.spec.id)


def put_down(table: Table, battle: Battle, body: Figure) -> None:
    """All who bear a man put him down."""
    for bearer in bearers_of(battle, battle.side_of(body), body.spec.id):
        drop(table, battle, battle.change_figure(bearer.spec.id), body.spec.id)


def part_bearers(table: Table, battle: Battle, side: str) -> None:
    """Who has come too far from the first of those with whom he bears a load has let go of it (PAY-073)."""
    for unit in battle.side_units(side):
        for figure in unit.able:
            for load in have_parted(battle, figure) if figure.loads else ():
                drop(table, battle, battle.change_figure(figure.spec.id), load)


@procedure("handling.pick_up")
def pick_up(table: Table, battle: Battle, figure: Figure, load: str) -> None:
    """Take up a thing, a mount by its halter, or a man, or take hold of what another bears (PAY-073, PAY-078)."""
    figure.loads = (*figure.loads, load)
    bearers = bearers_of(battle, battle.side_of(figure), load)
    if load in battle.things:
        thing = battle.change_thing(load)
        thing.carrier, thing.at = bearers[0].spec.id, None
    _tell(table, battle, "taken up", figure, load, shared=len(bearers) > 1)


def drop(table: Table, battle: Battle, figure: Figure, load: str) -> None:
    """Put a load down where the figure stands; what others bear with him is still in their hands (PAY-073).

    What a passenger drops lies beside the conveyance, where a man on foot may take it up (PAY-080).
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
    """Where a man aboard a conveyance on the ground puts something down beside it; None for all others."""
    engine = battle.engines[figure.aboard] if figure.aboard else None
    if engine is None or engine.at is None or engine.altitude:
        return None
    return room_beside(battle, figure, engine.at, battle.engine_radius(engine))


def _tell(table: Table, battle: Battle, kind: str, figure: Figure, load: str, *, shared: bool) -> None:
    """`led`: a mount by its halter, or a load that others bear too."""
    led = shared or (load in battle.things and battle.things[load].kind == "mount")
    table.tell(kind, "PAY-073", unit=figure.spec.unit, figure=figure.spec.id, object=load, led=led)


def set_beside(battle: Battle, comrade: Figure) -> None:
    """A man who is put down able, or who wakes, is where he was or beside it, on no other's base (PAY-007, PAY-126)."""
    at = comrade.at
    if comrade.fate != "able" or at is None:
        return
    crowd = crowd_about(battle, at, 14.0, (comrade.spec.id,))
    unit = battle.change(comrade.spec.unit)
    unit.figures[comrade.spec.id].at = nearest_free(battle, at, battle.radius(comrade), "foot", crowd) or at
    unit.measure()


def drop_all(table: Table, battle: Battle, figure: Figure) -> None:
    """Drop everything: a man who falls, or has no arm left to carry with (PAY-121, PAY-216)."""
    for load in figure.loads:
        drop(table, battle, figure, load)


def take_weapon(table: Table, battle: Battle, figure: Figure, source: str, weapon: str) -> None:
    """Take one weapon off a fallen man or the ground; it is ready at the unit's next activation (PAY-022, PAY-023)."""
    if source in battle.things:
        thing_id = source
    else:
        body = battle.change_figure(source)
        body.weapons = tuple(other for other in body.weapons if other != weapon)
        thing_id = battle.add_thing(f"{weapon} of {source}", Thing("weapon", weapon, "", None))
    thing = battle.change_thing(thing_id)
    thing.carrier, thing.at = figure.spec.id, None
    figure.loads = (*figure.loads, thing_id)
    table.tell("weapon taken", "PAY-022", unit=figure.spec.unit, figure=figure.spec.id, weapon=weapon)


def arm_from_loads(battle: Battle, unit: Unit) -> None:
    """Weapons taken up earlier are in hand from this activation on (PAY-023)."""
    for figure in unit.figures.values():
        for load in figure.loads:
            thing = battle.things.get(load)
            if thing is not None and thing.kind == "weapon":
                figure.weapons = (thing.name, *figure.weapons)
                figure.loads = tuple(other for other in figure.loads if other != load)
                battle.remove_thing(load)


def _carry_on(table: Table, battle: Battle, unit: Unit, figure: Figure, inches: float) -> float:
    """The rest of a move after picking up or dropping, leg by leg (PAY-070, PAY-073); in contact he stops (PAY-071).

    Returns the inches that he has left when he stops of his own will, else 0.
    """
    barred: set[Point] = set()
    least, side, key = battle.book.contact, unit.spec.side, figure.spec.id
    goal = Calls(battle, unit).objective
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
        table.tell("move", "PAY-073", unit=unit.spec.id, by=key, to=to, inches=round(inches, 2))
        if inches - left <= least:
            barred.add(point)
        inches = left
    return 0.0


def _refused_leg(battle: Battle, here: Point, inches: float, barred: Collection[Point], point: Point) -> str | None:
    """Why a man may not make for a point with what is left of his move, or None."""
    if point == here:
        return None
    if dist(here, point) > inches + 1e-6:
        return f"only {inches:.2f} inches of the move are left"
    if point in barred:
        return "nobody got any further that way"
    return None if battle.field.going["foot"].can_stand(point) else "nobody can go onto that ground"


def carry_along(table: Table, battle: Battle, figure: Figure, start: Point | None) -> None:
    """Note how far a comrade has been carried; 3 inches are a brave deed, once for each man saved (PAY-044)."""
    if not figure.loads or start is None or figure.at is None:
        return
    side = battle.side_of(figure)
    inches = dist(figure.at, start)
    for load in figure.loads:
        if load in battle.things:
            continue
        comrade = battle.change_figure(load)
        if bearer_of(battle, side, load) is figure:
            comrade.at, comrade.gait = figure.at, figure.gait  # he may fire, but has not stood still (PAY-067)
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
            table.tell("brave deed", "PAY-044", figures=[saver.id], unit=saver.unit, deed="saved a comrade")
