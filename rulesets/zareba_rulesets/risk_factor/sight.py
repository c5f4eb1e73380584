"""Visibility (RSK-106, RSK-107, RSK-126, RSK-150 to RSK-155): who sees whom, and whose whole base can be seen."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from math import dist, inf

from zareba.rules import procedure
from zareba.space.geometry import Point, distance_to_polygon, distance_to_segment
from zareba.table import Table
from zareba_rulesets.risk_factor.battle import Battle, Marker, Unit
from zareba_rulesets.risk_factor.body import Body
from zareba_rulesets.risk_factor.book import RskBook
from zareba_rulesets.risk_factor.field import REMEMBERED, Field, View

__all__ = [
    "Obstacles",
    "View",
    "clearly_sees",
    "look",
    "marker_body",
    "obstacles",
    "sees",
    "sees_marker",
    "spots",
    "throw_sight_dice",
    "view",
    "visible_enemies",
    "whole_base",
]

LOOKOUTS = 6


NOTHING = View(False, inf, inf)
PLAIN = View(True, inf, inf)


def view(field: Field, a: Body, b: Body) -> View:
    """What body a has of body b, remembered (P6 steps 1 to 4; the throws and marks of steps 5 to 7 come on top)."""
    pair = (a, b)
    found = field.views.get(pair)
    if found is None:
        if len(field.views) >= REMEMBERED:
            field.views.clear()
        found = field.views[pair] = _view(field, a, b)
    return found


def _view(field: Field, a: Body, b: Body) -> View:
    all_clear = field.lines[a, b]
    own, other = field.depths[a], field.depths[b]
    if all_clear and not any(own) and not any(other):
        return PLAIN
    look_depth, fire_depth = field.book.settings.woods_look_depth, field.book.settings.woods_fire_depth
    lip, wood_sight = field.book.lengths["donga_lip"], field.book.lengths["wood_sight"]
    edge = deep = inf
    for i in _lookouts(a, b):
        mine = own[i]
        looks_out = mine is None or mine[1] <= look_depth or not field.pieces[mine[0]].ground.wood
        for j in _lookouts(b, a):
            theirs = other[j]
            here, there = a.at[i], b.at[j]
            length = max(0.0, dist(here, there) - a.radius - b.radius)
            if mine is not None and theirs is not None and mine[0] == theirs[0]:
                if length <= wood_sight:
                    return PLAIN
                continue
            if not looks_out or (not all_clear and not field.line_clear(here, there)):
                continue
            if theirs is None:
                return PLAIN
            piece = field.pieces[theirs[0]]
            if piece.ground.sunken and distance_to_polygon(here, piece.points) <= lip:
                return PLAIN
            if theirs[1] <= look_depth:
                edge = min(edge, length)
            if theirs[1] <= max(fire_depth, look_depth):
                deep = min(deep, length)
    return View(False, edge, deep)


def _lookouts(body: Body, other: Body) -> list[int]:
    """The figures of a large unit that look and are looked for: the nearest ones and those on its flanks."""
    count = len(body.at)
    if count <= LOOKOUTS:
        return list(range(count))
    (ax, ay), (bx, by) = body.centre, other.centre
    dx, dy = bx - ax, by - ay
    along = sorted(range(count), key=lambda index: -(body.at[index][0] * dx + body.at[index][1] * dy))
    across = sorted(range(count), key=lambda index: body.at[index][0] * dy - body.at[index][1] * dx)
    chosen = [along[0], across[0], across[-1], across[count // 2], along[1], along[-1]]
    return list(dict.fromkeys(chosen))


def sees(battle: Battle, unit: Unit, target: Unit) -> bool:
    """Whether a unit has another in sight: one of its figures sees one of theirs (RSK-126, P6)."""
    found = view(battle.field, unit.body, target.body)
    return found.plain or (found.deep < inf and _finds(battle, found, target.spec.id, "fired" in target.marks))


def _finds(battle: Battle, found: View, target: str, fired: bool) -> bool:
    die = battle.sight_dice.get(target, 0)
    return spots(battle.book, found.edge, found.deep, die, fired, target in battle.seen)


def spots(book: RskBook, edge: float, deep: float, die: int, fired: bool, seen: bool) -> bool:
    """Whether a concealed unit is found (P6 steps 5 to 7): having fired, near the edge within the throw, seen before.

    `edge` and `deep` are the least distances to figures near the edge and to those as deep as one may shoot.
    """
    reach = book.lengths["sight_step"] * die
    if fired and (book.settings.visibility_fired == "any_range" or deep <= reach):
        return True
    return edge <= reach or seen


def visible_enemies(battle: Battle, unit: Unit) -> list[Unit]:
    """The enemy units that a unit has in sight."""
    return [enemy for enemy in battle.against(unit.spec.side) if sees(battle, unit, enemy)]


# --- markers -------------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def marker_body(at: Point) -> Body:
    """A marker as a figure at the edge of its terrain (RSK-188)."""
    return Body((at,), 1.25)


def sees_marker(battle: Battle, unit: Unit, name: str, marker: Marker) -> bool:
    """Whether a unit has spotted a marker (RSK-188): like a figure near the edge, without dice when in plain sight."""
    found = view(battle.field, unit.body, marker_body(marker.at))
    return found.plain or (found.deep < inf and _finds(battle, found, name, False))


# --- once a turn -----------------------------------------------------------------------------------------------------------


@procedure("sight.dice")
def throw_sight_dice(table: Table, battle: Battle) -> None:
    """RSK-151: the active side throws a D6 for each concealed enemy unit or marker that it does not see."""
    side = battle.side
    battle.sight_dice = {}
    depths = battle.field.depths
    hidden = [u.spec.id for u in battle.against(side) if u.spec.id not in battle.seen and any(depths[u.body])]
    hidden += [
        name for name, marker in battle.markers.items() if marker.side != side and depths[marker_body(marker.at)][0]
    ]
    for name in hidden:
        battle.sight_dice[name] = table.roll(1, 6, why="sighting", rule="RSK-151", actor=name)
    look(battle)


def look(battle: Battle) -> None:
    """Bring up to date who is in sight of the enemy, and where units were last seen (RSK-151, RSK-193)."""
    if not battle.field.concealing and not battle.field.blockers:
        battle.seen = frozenset(unit.spec.id for unit in battle.units.values() if unit.hurt)
        return
    seen = []
    for unit in battle.units.values():
        if not unit.hurt:
            continue
        name = unit.spec.id
        enemies = list(battle.against(unit.spec.side))
        if any(sees(battle, enemy, unit) for enemy in enemies):
            seen.append(name)
            nearest = battle.nearest(unit, enemies)
            if nearest is not None:
                battle.known[name] = unit.body.at[nearest[1].own]
        elif name in battle.known:
            place = battle.known[name]
            if any(battle.field.line_clear(enemy.body.centre, place) for enemy in enemies):
                del battle.known[name]
    battle.seen = frozenset(seen)


# --- whole bases -------------------------------------------------------------------------------------------------------------


Obstacles = list[tuple[float, float, float]]


def obstacles(battle: Battle, unit: Unit, target: Unit) -> Obstacles:
    """The figures that could stand between two units, as (x, y, radius): those near the way from one to the other."""
    a, b = unit.body, target.body
    wide = max(a.reach, b.reach)
    bodies: Iterable[Body] = [u.body for u in battle.units.values() if u.hurt and u is not unit and u is not target]
    bodies = [*bodies, *(captives.body for captives in battle.captives)]
    near = [o for o in bodies if distance_to_segment(o.centre, a.centre, b.centre) <= o.reach + wide]
    return [(x, y, body.radius) for body in (*near, a, b) for x, y in body.at]


def whole_base(battle: Battle, unit: Unit, i: int, target: Unit, j: int, between: Obstacles) -> bool:
    """Whether figure i of a unit sees the whole base of figure j of another (RSK-106).

    The corridor from the centre of his base to both edges of the other's must be free of figures, except those within
    2 cm of the shooter, and with `los.near_object` either those within 2 cm of the target too (RSK-107).
    """
    (sx, sy), (tx, ty) = unit.body.at[i], target.body.at[j]
    dx, dy = tx - sx, ty - sy
    length = (dx * dx + dy * dy) ** 0.5
    own, wide = unit.body.radius, target.body.radius
    if length <= own + wide:
        return True
    ux, uy = dx / length, dy / length
    near = battle.book.lengths["near_object"]
    either = battle.book.settings.los_near_object == "either"
    for x, y, radius in between:
        px, py = x - sx, y - sy
        ahead = px * ux + py * uy
        if ahead <= 0.0 or ahead >= length - 1e-6:
            continue
        beside = abs(px * uy - py * ux)
        if beside >= radius + wide * ahead / length - 1e-6:
            continue
        if (px * px + py * py) ** 0.5 - own - radius <= near + 1e-9:
            continue
        if either and ((x - tx) ** 2 + (y - ty) ** 2) ** 0.5 - wide - radius <= near + 1e-9:
            continue
        return False
    if battle.field.lines[unit.body, target.body]:
        return True
    edges = ((tx, ty), (tx - uy * wide, ty + ux * wide), (tx + uy * wide, ty - ux * wide))
    return all(battle.field.line_clear((sx, sy), edge) for edge in edges)


def clearly_sees(battle: Battle, unit: Unit, target: Unit) -> bool:
    """Whether some figure of a unit sees the whole base of one of a target that it has in sight (RSK-118)."""
    between = obstacles(battle, unit, target)
    near = battle.gap(unit, target)
    if whole_base(battle, unit, near.own, target, near.other, between):
        return True
    pairs = ((i, j) for i in _lookouts(unit.body, target.body) for j in _lookouts(target.body, unit.body))
    return any(whole_base(battle, unit, i, target, j, between) for i, j in pairs)
