"""Visibility (RSK-126, RSK-150 to RSK-155): who sees whom, markers too, and where the enemy was last seen."""

from __future__ import annotations

from functools import lru_cache
from math import dist, inf

from zareba.rules import procedure
from zareba.space.geometry import Point, distance_to_polygon
from zareba.table import Table
from zareba_rulesets.risk_factor.battle import Battle, Marker, Unit
from zareba_rulesets.risk_factor.body import Body, Near
from zareba_rulesets.risk_factor.book import RskBook
from zareba_rulesets.risk_factor.field import Field, View
from zareba_rulesets.risk_factor.remembered import REMEMBERED
from zareba_rulesets.risk_factor.standing import Standing

__all__ = [
    "View",
    "look",
    "lookouts",
    "marker_body",
    "nearest_visible",
    "sees",
    "sees_marker",
    "sees_somebody",
    "spots",
    "throw_sight_dice",
    "view",
    "visible_enemies",
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
    blockers = field.between[a, b]
    own, other = field.depths[a], field.depths[b]
    if not blockers and not any(own) and not any(other):
        return PLAIN
    look_depth, fire_depth = field.book.settings.woods_look_depth, field.book.settings.woods_fire_depth
    lip, wood_sight = field.book.lengths["donga_lip"], field.book.lengths["wood_sight"]
    edge = deep = inf
    sought = lookouts(b, a)
    for i in lookouts(a, b):
        mine = own[i]
        looks_out = mine is None or mine[1] <= look_depth or not field.pieces[mine[0]].ground.wood
        for j in sought:
            theirs = other[j]
            here, there = a.at[i], b.at[j]
            length = max(0.0, dist(here, there) - a.radius - b.radius)
            if mine is not None and theirs is not None and mine[0] == theirs[0]:
                if length <= wood_sight:
                    return PLAIN
                continue
            if not looks_out or (blockers and not field.line_clear(here, there, blockers)):
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


def lookouts(body: Body, other: Body) -> list[int]:
    """The figures of a large unit that look and are looked for: the nearest ones and those on its flanks."""
    count = len(body.at)
    if count <= LOOKOUTS:
        return list(range(count))
    (ax, ay), (bx, by) = body.centre, other.centre
    dx, dy = bx - ax, by - ay
    ahead = [-(x * dx + y * dy) for x, y in body.at]
    aside = [x * dy - y * dx for x, y in body.at]
    along = sorted(range(count), key=ahead.__getitem__)
    across = sorted(range(count), key=aside.__getitem__)
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


def nearest_visible(battle: Battle, unit: Unit) -> tuple[Unit, Near] | None:
    """The nearest enemy that a unit has in sight, and the gap; None with nobody in sight."""
    units, enemies = battle.units, battle.standing(battle.enemy(unit.spec.side))
    names = enemies.names
    found = enemies.nearest_that(unit.body, lambda k: sees(battle, unit, units[names[k]]))
    return (units[names[found[0]]], found[1]) if found is not None else None


def sees_somebody(battle: Battle, unit: Unit) -> bool:
    """Whether a unit has any enemy in sight; the nearest are looked for first."""
    units, enemies = battle.units, battle.standing(battle.enemy(unit.spec.side))
    ranked = sorted(zip(enemies.row(unit.body), enemies.names, strict=True))
    return any(sees(battle, unit, units[name]) for _, name in ranked)


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
    sides = {side: battle.standing(battle.enemy(side)) for side in battle.order}
    for name, unit in battle.units.items():
        if not unit.hurt:
            continue
        enemies = sides[unit.spec.side]
        if _is_seen(battle, unit, enemies):
            seen.append(name)
            battle.known[name] = unit.body
        elif name in battle.known:
            place = battle.known[name].centre
            if any(battle.field.line_clear(enemy.centre, place) for enemy in enemies.bodies):
                del battle.known[name]
    battle.seen = frozenset(seen)


def _is_seen(battle: Battle, unit: Unit, enemies: Standing) -> bool:
    """Whether an enemy has a unit in sight; whoever saw it plainly before is asked first."""
    body, field = unit.body, battle.field
    known = field.witnesses.get(body)
    if known is not None and enemies.has(*known):
        return True
    for name, enemy in zip(enemies.names, enemies.bodies, strict=True):
        found = view(field, enemy, body)
        if found.plain:
            if len(field.witnesses) >= REMEMBERED:
                field.witnesses.clear()
            field.witnesses[body] = (name, enemy)
            return True
        if found.deep < inf and _finds(battle, found, unit.spec.id, "fired" in unit.marks):
            return True
    return False
