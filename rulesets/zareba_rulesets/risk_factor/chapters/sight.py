"""Line of sight and clear shots."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from math import inf

from zareba.base.exact import hypot
from zareba.chance import counts
from zareba.rules import procedure
from zareba.space.field.bodies import Body, FigureBlockers, NearestPair, is_blocked_by_figures
from zareba.space.field.unit_index import IndexedSide
from zareba.space.geometry import Point
from zareba.table import Table
from zareba_rulesets.risk_factor.book import RskBook
from zareba_rulesets.risk_factor.forces import Battle, Marker, Unit
from zareba_rulesets.risk_factor.ground import MOST_CACHED, Field, SightLine, facing_first, view_between

# --- Clear shots: which figures show their whole base past the figures between two units (RSK-106, RSK-107) -----------


class LinesOfFire:
    """The lines of fire from one unit to another. Each line is worked out on first use and then cached."""

    __slots__ = ("_between", "_field")

    def __init__(self, field: Field, between: FigureBlockers) -> None:
        self._field = field
        self._between = between

    def is_clear(self, a: Body, b: Body, start: Point, end: Point) -> bool:
        """Return True if the figure of body `a` at `start` sees the whole base of the figure of body `b` at `end`
        (RSK-106).

        The corridor from the shooter's centre to both edges of the target base must be free of figures. Figures within
        2 cm of the shooter are ignored, and with `los.near_object` set to either those within 2 cm of the target too
        (RSK-107).
        """
        cache = self._between.clear
        clear = cache.get((start, end))
        if clear is None:
            hidden = self._between.hides(start, a.radius, end, b.radius)
            clear = cache[start, end] = not hidden and _ground_is_clear(self._field, a, b, start, end)
        return clear


def lines_of_fire(battle: Battle, unit: Unit, target: Unit) -> LinesOfFire:
    """Return the lines of fire from one unit to another, past the figures near the way. They are cached until a figure
    moves.
    """
    a, b = unit.body, target.body
    if battle.captives:
        bodies = [*battle.bodies(), *(captives.body for captives in battle.captives)]
        return LinesOfFire(battle.field, _look_between(battle, a, b, bodies))
    index, key = battle.unit_index(), ("between", a, b)
    blockers: FigureBlockers | None = index.found.get(key)
    if blockers is None:
        blockers = index.found[key] = _look_between(battle, a, b, index.present)
    return LinesOfFire(battle.field, blockers)


def _look_between(battle: Battle, a: Body, b: Body, bodies: Sequence[Body]) -> FigureBlockers:
    """Return the blockers of the lines between two units: the figures of all bodies near the way."""
    (ax, ay), (bx, by) = a.centre, b.centre
    dx, dy = bx - ax, by - ay
    length = hypot(dx, dy) or 1.0
    dx, dy, wide = dx / length, dy / length, max(a.outer_radius, b.outer_radius)
    between = [a, b]
    for body in bodies:
        if body is a or body is b:
            continue
        x, y = body.centre
        x, y, margin = x - ax, y - ay, body.outer_radius + wide
        if -margin <= y * dx - x * dy <= margin and -margin <= x * dx + y * dy <= length + margin:
            between.append(body)
    return battle.field.figure_blockers[tuple(between)]


def _ground_is_clear(field: Field, a: Body, b: Body, start: Point, end: Point) -> bool:
    """Return True if the terrain lets a figure see the centre and both edges of a base."""
    blockers = field.between(a, b)
    if not blockers:
        return blockers is not None
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = hypot(dx, dy)
    if length <= a.radius + b.radius:
        return True
    across, along = b.radius * dx / length, b.radius * dy / length
    edges = (end, (end[0] - along, end[1] + across), (end[0] + along, end[1] - across))
    for edge in edges:  # noqa: SIM110  # a loop for speed: asked for every line of fire
        if not field.line_clear(start, edge, blockers):
            return False
    return True


def sees_nearest_clearly(battle: Battle, unit: Unit, target: Unit) -> bool:
    """Return True if, of the closest pair of figures of a unit and a target, the one sees the whole base of the
    other.
    """
    if battle.captives:
        return _nearest_is_clear(battle, unit, target, [*battle.bodies(), *(held.body for held in battle.captives)])
    index, key = battle.unit_index(), ("nearest", unit.body, target.body)
    is_clear = index.found.get(key)
    if is_clear is None:
        is_clear = index.found[key] = _nearest_is_clear(battle, unit, target, index.present)
    return is_clear


def _nearest_is_clear(battle: Battle, unit: Unit, target: Unit, bodies: list[Body]) -> bool:
    """Return True if the line between the nearest figures of two units is clear."""
    a, b = unit.body, target.body
    near = battle.gap(unit, target)
    start, end = a.at[near.first_index], b.at[near.second_index]
    near_object, either = battle.book.lengths["near_object"], battle.book.settings.los_near_object == "either"
    if is_blocked_by_figures(bodies, start, a.radius, end, b.radius, near_object, either):
        return False
    return _ground_is_clear(battle.field, a, b, start, end)


def clearly_sees(battle: Battle, unit: Unit, target: Unit) -> bool:
    """Return True if any figure of a unit sees the whole base of any figure of a target in sight (RSK-118)."""
    if sees_nearest_clearly(battle, unit, target):
        return True
    if battle.captives:
        return _any_is_clear(battle, unit, target)
    cache, key = battle.unit_index().found, ("any", unit.body, target.body)
    is_clear = cache.get(key)
    if is_clear is None:
        is_clear = cache[key] = _any_is_clear(battle, unit, target)
    return is_clear


def _any_is_clear(battle: Battle, unit: Unit, target: Unit) -> bool:
    """Return True if a line from some figure of a unit to some figure of the target is clear."""
    lines = lines_of_fire(battle, unit, target)
    ours, theirs = unit.body, target.body
    targets = facing_first(theirs, ours, range(len(theirs)))
    return any(
        lines.is_clear(ours, theirs, ours.at[i], theirs.at[j])
        for i in facing_first(ours, theirs, range(len(ours)))
        for j in targets
    )


# --- Sight ------------------------------------------------------------------------------------------------------------
# Line of sight: which units and markers are in sight, and where enemies were last seen (RSK-126, RSK-150 to RSK-155,
# RSK-193).


def sees(battle: Battle, unit: Unit, target: Unit) -> bool:
    """Return True if a unit has another one in sight: any of its figures sees any figure of the other (RSK-126)."""
    found = battle.field.views[unit.body, target.body]
    return found.plain or (found.deep < inf and _spots_now(battle, found, target.spec.id, "fired" in target.marks))


def sees_any_other(battle: Battle, unit: Unit, target: Unit, but: Collection[int]) -> bool:
    """Return True if a unit sees any figure of another unit that is not in `but`."""
    if not battle.field.concealing and not battle.field.blocking_pieces:
        return True
    sight_line = view_between(battle.field, unit.body, target.body.without(but))
    return sight_line.plain or (
        sight_line.deep < inf and _spots_now(battle, sight_line, target.spec.id, "fired" in target.marks)
    )


def _spots_now(battle: Battle, found: SightLine, target: str, has_fired: bool) -> bool:
    """Return True if a sight line lets a unit see the target with this turn's die."""
    die = battle.sight_dice.get(target, 0)
    return spots(battle.book, found.edge, found.deep, die, has_fired, target in battle.seen)


def spots(book: RskBook, edge: float, depth: float, die: int, has_fired: bool, was_seen: bool) -> bool:
    """Return True if a concealed unit is found: because it fired, because it is near the edge and within the throw, or
    because it was seen before (RSK-150 to RSK-152).

    `edge` and `depth` are the least distances to figures near the edge, and to figures no deeper than the limit for
    shooting.
    """
    reach = book.lengths["sight_step"] * die
    if has_fired and (book.settings.visibility_fired == "any_range" or depth <= reach):
        return True
    return edge <= reach or was_seen


def visible_enemies(battle: Battle, unit: Unit) -> list[Unit]:
    """Return the enemy units that a unit has in sight."""
    return [enemy for enemy in battle.against(unit.spec.side) if sees(battle, unit, enemy)]


def nearest_visible(battle: Battle, unit: Unit) -> tuple[Unit, NearestPair] | None:
    """Return the nearest enemy in sight of a unit and the gap to it; None if no enemy is in sight."""
    units, enemies = battle.units, battle.standing(battle.enemy(unit.spec.side))
    names = enemies.names
    nearest = enemies.nearest_that(unit.body, lambda k: sees(battle, unit, units[names[k]]))
    if nearest is None:
        return None
    index, near = nearest
    return units[names[index]], near


def sees_any_enemy(battle: Battle, unit: Unit, enemies: IndexedSide) -> bool:
    """Return True if a unit has any enemy in sight. The nearest is checked first."""
    if not enemies.names:
        return False
    units, names, row = battle.units, enemies.names, enemies.least_gaps(unit.body)
    first = row.index(min(row))
    return sees(battle, unit, units[names[first]]) or any(sees(battle, unit, units[name]) for name in names)


# --- markers ----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def _figure_at(at: Point, radius: float) -> Body:
    """Return a body of one figure at a point."""
    return Body((at,), radius)


def marker_body(battle: Battle, at: Point) -> Body:
    """Return a marker as a figure on foot at the edge of its terrain (RSK-188)."""
    return _figure_at(at, battle.book.settings.bases_foot_cm / 2)


def sees_marker(battle: Battle, unit: Unit, name: str, marker: Marker) -> bool:
    """Return True if a unit has spotted a marker (RSK-188). A marker is seen like a figure near the edge; in plain
    sight it needs no die.
    """
    found = battle.field.views[unit.body, marker_body(battle, marker.at)]
    return found.plain or (found.deep < inf and _spots_now(battle, found, name, False))


def marker_sees(battle: Battle, marker: Marker, unit: Unit) -> bool:
    """Return True if the figures behind a marker have an enemy unit in sight (RSK-188, RSK-189)."""
    found = battle.field.views[marker_body(battle, marker.at), unit.body]
    return found.plain or (found.deep < inf and _spots_now(battle, found, unit.spec.id, "fired" in unit.marks))


# --- once a turn ------------------------------------------------------------------------------------------------------


@procedure("sight.dice")
def roll_sight_dice(table: Table, battle: Battle) -> None:
    """Throw a D6 for each concealed enemy unit or marker that the active side does not see (RSK-151)."""
    side = battle.side
    battle.sight_dice = {}
    depths = battle.field.depths
    hidden = [u.spec.id for u in battle.against(side) if u.spec.id not in battle.seen and any(depths[u.body])]
    hidden += [
        name
        for name, marker in battle.markers.items()
        if marker.side != side and depths[marker_body(battle, marker.at)][0]
    ]
    means = counts(f"times {battle.book.lengths['sight_step']:g} cm, the distance at which it is seen in cover")
    for name in hidden:
        battle.sight_dice[name] = table.roll(1, 6, why="sighting", rule="RSK-151", actor=name, means=means)
    update_sight(battle)


def update_sight(battle: Battle) -> None:
    """Update which units the enemy has in sight, and where units were last seen (RSK-151, RSK-193)."""
    if not battle.field.concealing and not battle.field.blocking_pieces:
        battle.seen = frozenset(unit.spec.id for unit in battle.units.values() if unit.is_on_table)
        return
    visible = []
    sides = {side: battle.standing(battle.enemy(side)) for side in battle.order}
    for name, unit in battle.units.items():
        if not unit.is_on_table:
            continue
        enemies = sides[unit.spec.side]
        if _is_seen(battle, unit, enemies):
            visible.append(name)
            battle.known[name] = unit.body
        elif name in battle.known:
            place = battle.known[name]
            if any(battle.field.views[enemy, place].plain for enemy in enemies.bodies):
                del battle.known[name]
    battle.seen = frozenset(visible)


def _is_seen(battle: Battle, unit: Unit, enemies: IndexedSide) -> bool:
    """Return True if any enemy has a unit in sight. The enemy that last saw it plainly is checked first."""
    body, field = unit.body, battle.field
    known = field.last_seen_by.get(body)
    if known is not None and enemies.has(*known):
        return True
    for name, enemy in zip(enemies.names, enemies.bodies, strict=True):
        found = field.views[enemy, body]
        if found.plain:
            if len(field.last_seen_by) >= MOST_CACHED:
                field.last_seen_by.clear()
            field.last_seen_by[body] = (name, enemy)
            return True
        if found.deep < inf and _spots_now(battle, found, unit.spec.id, "fired" in unit.marks):
            return True
    return False
