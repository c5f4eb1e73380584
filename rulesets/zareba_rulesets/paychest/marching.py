"""How figures get from where they stand to where they are sent: legs, bases in the way, contact (PAY-069 to PAY-071)."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

from zareba.exact import cosd, dist, sind, total
from zareba.space import Point
from zareba_rulesets.paychest.battle import Battle
from zareba_rulesets.paychest.field import towards
from zareba_rulesets.paychest.formation import (
    SLACK,
    WIDEST,
    Ring,
    bases_near,
    clash,
    clash_among,
    rings_of,
    wall_near,
    wall_slots,
)
from zareba_rulesets.paychest.units import Box, Figure, Unit

__all__ = ["Mover", "column_of", "march", "step", "up_to_enemies"]

BACK = 0.5
ROUND = 6
AIM = 1.0
ROOM = 3.0
CONTACT = 2.5
"""Inches from centre to centre within which the base of a figure may touch another: the widest are 3 across."""
EVERYWHERE: Box = (-1e9, -1e9, 1e9, 1e9)


class Mover(NamedTuple):
    """A figure that moves, and the inches that it may."""

    figure: Figure
    allowance: float


def column_of(battle: Battle, figure: Figure) -> str:
    """The column of Table 3 for a figure: who leads mounts goes where they can go."""
    return "mounted" if figure.mount or (figure.loads and battle.leads(figure)) else "foot"


def march(battle: Battle, unit: Unit, movers: Sequence[Mover], goal: Point) -> dict[str, float]:
    """Send figures of a unit towards a goal together; returns the allowance that each has left.

    A goal on an enemy's base means to charge him and those about him; one at a wall, to line it; any other, to go
    there in the order in which they stand. Each goes as far as his own allowance lets him (PAY-069).
    """
    order = sorted(movers, key=lambda m: dist(m.figure.at or goal, goal)) if len(movers) > 1 else movers
    reach = max(mover.allowance for mover in movers)
    foes = _foes(battle, unit, _widened(unit.box, reach + ROOM))
    wants = _wants(battle, [mover.figure for mover in order], goal, foes)
    names = frozenset(mover.figure.spec.id for mover in movers)
    others = bases_near(battle, _swept(order, wants), names)
    spots = {m.figure.spec.id: _ring(battle, m.figure) for m in movers}
    left = {}
    for (figure, allowance), want in zip(order, wants, strict=True):
        own = figure.spec.id
        ring = spots.pop(own)
        spent = step(battle, figure, want, allowance, foes, [*others, (EVERYWHERE, list(spots.values()))], names)
        left[own] = max(0.0, allowance - spent)
        spots[own] = (*figure.at, ring[2], own)  # type: ignore[misc]  # it stands on the table
    unit.measure()
    return left


def step(
    battle: Battle,
    figure: Figure,
    want: Point,
    allowance: float,
    foes: Sequence[tuple[Box, list[Ring]]],
    others: Sequence[tuple[Box, list[Ring]]],
    names: frozenset[str],
) -> float:
    """Move one figure straight towards a place (PAY-070); returns what it spends of its allowance.

    It passes through friends but stops in contact with the first enemy on its way (PAY-071), and ends on no base.
    """
    start = figure.at
    assert start is not None, "only figures on the table move"
    radius, column = battle.radius(figure), column_of(battle, figure)
    field = battle.field
    foe, goal = None, want
    if foes:
        foe, reach = _first_contact(start, want, radius, _on_way(start, want, foes, CONTACT))
        goal = want if foe is None else towards(start, want, reach)
    end, spent, barred = field.march(start, goal, allowance, column)
    if barred and dist(start, end) < BACK and foe is None:
        onward = battle.ways.heading(start, want, column)
        if onward != want:
            foe, reach = _first_contact(start, onward, radius, _on_way(start, onward, foes, CONTACT))
            onward = onward if foe is None else towards(start, onward, reach)
            end, spent, barred = field.march(start, onward, allowance, column)
            others = [*others, *bases_near(battle, _widened(_box_of((start, end)), ROOM), names)]
    if clash_among(end, radius, others):
        beside = None
        if foe is not None:
            there = foe[0], foe[1]
            around = bases_near(battle, _widened((*there, *there), 2 * ROOM), names)
            rings = _on_way(there, there, [*others, *around], 2 * ROOM)
            beside = _beside(battle, start, foe, radius, allowance, column, rings, foes)
        if beside is None:
            end = _pull_back(start, end, radius, _on_way(start, end, others, radius + WIDEST))
            _, spent, _ = field.march(start, end, allowance, column)
        else:
            end, spent = beside, min(allowance, dist(start, beside))
    figure.at = end
    return spent


def up_to_enemies(battle: Battle, unit: Unit, start: Point, goal: Point, radius: float) -> Point:
    """The goal of a base that moves straight, or where it touches the first enemy on its way (PAY-070, PAY-071)."""
    foes = _foes(battle, unit, _widened(_box_of((start, goal)), ROOM))
    foe, reach = _first_contact(start, goal, radius, _on_way(start, goal, foes, ROOM))
    return goal if foe is None else towards(start, goal, reach)


def _widened(box: Box, by: float) -> Box:
    return box[0] - by, box[1] - by, box[2] + by, box[3] + by


def _swept(order: Sequence[Mover], wants: Sequence[Point]) -> Box:
    """The rectangle in which these figures can end, with room for bases beside them."""
    ways: list[Point] = []
    for mover, want in zip(order, wants, strict=True):
        start = mover.figure.at
        assert start is not None, "a mover is on the table"
        ways += [start, towards(start, want, mover.allowance)]
    return _widened(_box_of(ways), ROOM)


def _box_of(points: Sequence[Point]) -> Box:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), max(xs), max(ys)


def _ring(battle: Battle, figure: Figure) -> Ring:
    assert figure.at is not None, "a mover is on the table"
    return *figure.at, battle.radius(figure), figure.spec.id


def _foes(battle: Battle, unit: Unit, box: Box) -> list[tuple[Box, list[Ring]]]:
    """The bases of the enemy units that a rectangle meets, unit by unit."""
    west, south, east, north = box
    found = []
    for other in battle.enemies(unit.spec.side):
        around = other.box
        if around[2] < west or around[0] > east or around[3] < south or around[1] > north:
            continue
        found.append((around, rings_of(battle, other)))
    for engine in battle.engines.values():
        at = engine.at
        if at is not None and engine.aboard and engine.side != unit.spec.side and not engine.altitude:
            found.append(((*at, *at), [(*at, battle.engine_radius(engine), engine.aboard[0])]))  # PAY-082
    return found


def _on_way(a: Point, b: Point, groups: Sequence[tuple[Box, list[Ring]]], room: float) -> list[Ring]:
    """Those of some bases, given unit by unit with the unit's box, that lie within `room` of the box of a way."""
    west, east = (a[0], b[0]) if a[0] < b[0] else (b[0], a[0])
    south, north = (a[1], b[1]) if a[1] < b[1] else (b[1], a[1])
    west, south, east, north = west - room, south - room, east + room, north + room
    return [
        base
        for box, bases in groups
        if west <= box[2] and box[0] <= east and south <= box[3] and box[1] <= north
        for base in bases
        if west <= base[0] <= east and south <= base[1] <= north
    ]


def _wants(
    battle: Battle, figures: Sequence[Figure], goal: Point, foes: Sequence[tuple[Box, list[Ring]]]
) -> list[Point]:
    aimed = [
        (away, key)
        for x, y, radius, key in _on_way(goal, goal, foes, ROOM)
        if (away := dist((x, y), goal)) <= radius + AIM
    ]
    if aimed:
        enemy = min(aimed, key=lambda foe: foe[0])[1].rpartition(".")[0]
        rings = [foe for _, bases in foes for foe in bases if foe[3].rpartition(".")[0] == enemy]
        return _charge(figures, rings, battle.book.file.most_against_one.most)
    spots = [figure.at for figure in figures if figure.at is not None]
    middle = (total(x for x, _ in spots) / len(spots), total(y for _, y in spots) / len(spots))
    if not any(figure.mount for figure in figures):
        wall = wall_near(battle, goal, AIM)
        if wall is not None:
            slots = wall_slots(wall, goal, len(figures), battle.book.bases["foot"], middle)
            slots += [towards(goal, middle, 1.5)] * (len(figures) - len(slots))
            return _nearest_slots(spots, slots)
    room = sqrt(len(figures)) * 1.5 + 1.0
    column = "mounted" if any(column_of(battle, figure) == "mounted" for figure in figures) else "foot"
    wants = []
    for x, y in spots:
        aside = (x - middle[0], y - middle[1])
        far = dist((0.0, 0.0), aside)
        close = min(1.0, room / far) if far else 1.0
        want = battle.onto_table((goal[0] + aside[0] * close, goal[1] + aside[1] * close))
        wants.append(want if battle.field.can_stand(want, column) else goal)  # a ford is narrower than a unit
    return wants


def _charge(figures: Sequence[Figure], foes: Sequence[Ring], most: int) -> list[Point]:
    """Each figure at the nearest enemy whom fewer than `most` others make for."""
    takers = dict.fromkeys((key for _, _, _, key in foes), 0)
    wants = []
    for figure in figures:
        x, y = figure.at or (0.0, 0.0)
        free = [foe for foe in foes if takers[foe[3]] < most] or foes
        foe = min(free, key=lambda foe: (foe[0] - x) * (foe[0] - x) + (foe[1] - y) * (foe[1] - y))
        takers[foe[3]] += 1
        wants.append((foe[0], foe[1]))
    return wants


def _nearest_slots(spots: Sequence[Point], slots: list[Point]) -> list[Point]:
    free = list(slots)
    wants = []
    for at in spots:
        best = min(free, key=lambda slot: dist(slot, at))
        free.remove(best)
        wants.append(best)
    return wants


def _first_contact(start: Point, goal: Point, radius: float, foes: Sequence[Ring]) -> tuple[Ring | None, float]:
    """The first enemy base on the straight way, and how far along it the two bases touch."""
    reach = dist(start, goal)
    if not foes or reach <= 1e-9:
        return None, reach
    ux, uy = (goal[0] - start[0]) / reach, (goal[1] - start[1]) / reach
    best, found = reach, None
    here_x, here_y = start
    for foe in foes:
        across, along = foe[0] - here_x, foe[1] - here_y
        ahead = across * ux + along * uy
        if ahead <= 0 or ahead > best + 3.0:
            continue
        beside = abs(across * uy - along * ux)
        apart = radius + foe[2]
        if beside >= apart:
            continue
        moved = max(0.0, ahead - sqrt(apart * apart - beside * beside))
        if moved < best:
            best, found = moved, foe
    return found, best


def _beside(
    battle: Battle,
    start: Point,
    foe: Ring,
    radius: float,
    allowance: float,
    column: str,
    rings: Sequence[Ring],
    foes: Sequence[tuple[Box, list[Ring]]],
) -> Point | None:
    """Another place against the same enemy's base that the figure reaches on open ground, if there is one."""
    foe_x, foe_y, apart = foe[0], foe[1], foe[2] + radius
    for turn in range(1, ROUND):
        angle = 360 * turn / ROUND
        x, y = start[0] - foe_x, start[1] - foe_y
        far = dist((0.0, 0.0), (x, y)) or 1.0
        x, y = x / far * apart, y / far * apart
        at = (foe_x + x * cosd(angle) - y * sind(angle), foe_y + x * sind(angle) + y * cosd(angle))
        if dist(start, at) > allowance or clash(at, radius, rings):
            continue
        if not battle.field.is_plain(start, at, column) or not battle.field.table.is_on_table(at):
            continue
        if _first_contact(start, at, radius - 1e-6, _on_way(start, at, foes, CONTACT))[0] is None:
            return at
    return None


def _pull_back(start: Point, end: Point, radius: float, rings: Sequence[Ring]) -> Point:
    """The last place on the way, by steps of half an inch, where the base stands on no other; the start if there is none."""
    reach = dist(start, end)
    if reach <= BACK:
        return start
    (x, y), ux, uy = start, (end[0] - start[0]) / reach, (end[1] - start[1]) / reach
    barred = []  # the parts of the way on which it would stand on another
    for other_x, other_y, other_radius, _ in rings:
        across, along, apart = other_x - x, other_y - y, radius + other_radius - SLACK
        beside = across * uy - along * ux
        if -apart < beside < apart:
            middle, half = across * ux + along * uy, sqrt(apart * apart - beside * beside)
            barred.append((middle - half, middle + half))
    while reach > BACK:
        reach -= BACK
        for first, last in barred:
            if first < reach < last:
                break
        else:
            return towards(start, end, reach)
    return start
