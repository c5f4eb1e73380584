"""Line of sight, openings and ranges."""

from __future__ import annotations

from collections.abc import Iterator

from zareba.base.exact import dist, hypot
from zareba.space import bearings
from zareba.space.field.bodies import on_line
from zareba.space.field.line_of_sight import sight_blockers as hiding
from zareba.space.field.pieces import TerrainPiece
from zareba.space.geometry import Point, box_between
from zareba.space.ground.buildings import Building
from zareba.space.ground.terrain_window import Height, rises_between
from zareba.space.outlines import TerrainArea
from zareba_rulesets.fixed_baynet.book.numbers import RangeLimits
from zareba_rulesets.fixed_baynet.book.tables import BANDS, TerrainRow
from zareba_rulesets.fixed_baynet.forces.battle import Battle, bases_of, limits_of, ruins
from zareba_rulesets.fixed_baynet.forces.units import Figure
from zareba_rulesets.fixed_baynet.ground import MOST_LINES, Scene

# --- Openings ---------------------------------------------------------------------------------------------------------
# Windows and doors: sight and fire through them, and how many men may use one per turn (FBN-245, FBN-253, FBN-275).


_AT_OPENING = 0.5  # inches: half the width of a door or window


def opening_to(battle: Battle, figure: Figure, point: Point, place: str = "") -> str:
    """Return the window or door through which a man in a building shoots at a point (FBN-245).

    `place` is the section of the point, if it is in one. The result is "" for a shot within a section, or by a man out
    of doors. In a section it is the opening where he is posted; in a room with figures it is the opening that the line
    passes through.
    """
    if not figure.place or place == figure.place:
        return ""
    if battle.field.is_sectioned(figure.place):
        return figure.post
    house = battle.field.buildings[figure.place.partition(":")[0]]
    if place.partition(":")[0] == house.id:
        return inner_door(battle, figure, point, place)
    level, opened = battle.field.sections[figure.place].level, battle.houses[house.id].open_doors.__contains__
    return next((opening.id for opening in house.exits_passed(level, figure.at, point, _AT_OPENING, opened)), "")


def inner_door(battle: Battle, figure: Figure, point: Point, place: str) -> str:
    """Return the door through which a man looks into the next room at a point there, or ""."""
    house = battle.field.buildings[place.partition(":")[0]]
    return house.inner_opening_passed(figure.place, place, figure.at, point, _AT_OPENING)


def lets_through(battle: Battle, house: Building[TerrainRow], level: int, p: Point, q: Point) -> bool:
    """Return True if a line into or out of rooms passes only through windows and doors (FBN-245, FBN-253)."""
    return house.lets_through(level, p, q, _AT_OPENING, battle.houses[house.id].open_doors.__contains__)


def may_use_opening(battle: Battle, figure: Figure, opening: str, others: int = 0) -> bool:
    """Return True if a man may shoot through an opening.

    Two men may use each window or door per turn; a rail has no limit (FBN-245, FBN-275). `others` is the number of men
    who will use it before him. `opening` is "" for a shot through no opening.
    """
    if not opening or battle.field.openings[opening].kind == "rail" or f"used {opening}" in figure.marks:
        return True
    return battle.houses[opening.partition(":")[0]].used.get(opening, 0) + others < battle.book.users


def is_room_at_opening(battle: Battle, figure: Figure, point: Point) -> bool:
    """Return True if the window or door that a man needs for a shot at a point still has room for him."""
    return not figure.place or may_use_opening(battle, figure, opening_to(battle, figure, point))


def use_opening(battle: Battle, figure: Figure, opening: str) -> None:
    """Record that a man has used an opening this turn. Each man counts once (FBN-245)."""
    if opening and f"used {opening}" not in figure.marks:
        house = battle.houses.change(opening.partition(":")[0])
        house.used[opening] = house.used.get(opening, 0) + 1
        figure.mark(f"used {opening}")


class Openings:
    """Counts the uses of windows and doors by planned shots of several men, before the shots are made (FBN-245)."""

    __slots__ = ("_battle", "_users")

    def __init__(self, battle: Battle) -> None:
        self._battle = battle
        self._users: dict[str, int] = {}

    def has_room(self, figure: Figure, point: Point, place: str = "") -> bool:
        """Return True and count the man if one more man may shoot at this point."""
        opening = opening_to(self._battle, figure, point, place)
        if not may_use_opening(self._battle, figure, opening, self._users.get(opening, 0)):
            return False
        if opening and f"used {opening}" not in figure.marks:
            self._users[opening] = self._users.get(opening, 0) + 1
        return True


# --- Who sees whom, what cover a target has, and who is in a man's fire arc -------------------------------------------
#
# Rules: FBN-063 to FBN-071, FBN-078 to FBN-080, FBN-235, FBN-258, FBN-273 to FBN-275.


EPSILON = 1e-6  # inches; smaller lengths inside a piece may be rounding errors
NEAR = 1e-9  # as in zareba.space.geometry


def stand_point(battle: Battle, figure: Figure) -> Point:
    """Return a man's position for ranges and sight: his opening if he is posted at one (FBN-275)."""
    return battle.field.openings[figure.post].at if figure.post else (figure.x, figure.y)


def eye_height(battle: Battle, figure: Figure) -> float:
    """Return the height of a man's sight line (FBN-273)."""
    return figure.z + battle.book.eyes[figure.mounted]


def is_higher(battle: Battle, a: Figure, b: Figure) -> bool:
    """Return True if `a` is higher than `b`, or uphill of him (FBN-273)."""
    return a.z - b.z >= battle.book.higher


def range_between(battle: Battle, a: Figure, b: Figure) -> float:
    """Return the inches between two men's bases (FBN-005); 0 within one section, always short range (FBN-275)."""
    if a.place and a.place == b.place and battle.field.is_sectioned(a.place):
        return 0.0
    ax, ay = stand_point(battle, a)
    bx, by = stand_point(battle, b)
    away = hypot(ax - bx, ay - by) - battle.radius(a) - battle.radius(b)
    return away if away > 0 else 0.0


def visibility(battle: Battle) -> float:
    """Return the limit of sight in inches (FBN-235). Fog by day has no effect."""
    if not battle.night:
        return 1e9
    numbers = battle.book.file.night
    return float(numbers.fog if battle.fog else numbers.inches)


def is_lit(battle: Battle, point: Point) -> bool:
    """Return True if a flare lights a point (FBN-238)."""
    half = battle.book.file.flare.across / 2
    return any(dist(flare.at, point) <= half for flare in battle.flares)


def sees(battle: Battle, a: Figure, b: Figure, scene: Scene) -> bool:
    """Return True if `a` sees `b`.

    Night, buildings, crags and higher ground block sight, and by setting forests and figures (FBN-078, FBN-235).
    """
    if a.place or b.place:
        if a.place == b.place:
            return True
        if (battle.field.is_sectioned(a.place) and not a.post) or (battle.field.is_sectioned(b.place) and not b.post):
            return False
        if a.place and b.place and a.place.partition(":")[0] == b.place.partition(":")[0]:
            return not battle.field.is_sectioned(a.place) and _sees_next_room(battle, a, b)
        if not _angle_allows(battle, a, b):
            return False
        p, q = stand_point(battle, a), stand_point(battle, b)
    else:
        p, q = (a.x, a.y), (b.x, b.y)
    if battle.night and range_between(battle, a, b) > visibility(battle) and not is_lit(battle, q):
        return False
    if (scene.screens or scene.hills) and not _is_line_known_clear(battle, p, q, a, b):
        return False
    return not battle.book.settings.figures_block_los or not _is_screened(battle, p, q, a, b)


def _sees_next_room(battle: Battle, a: Figure, b: Figure) -> bool:
    """Return True if the line between two rooms of one level passes through a door that joins them (FBN-245)."""
    return a.z == b.z and inner_door(battle, a, b.at, b.place) != ""


def shot_line(battle: Battle, a: Figure, b: Figure, scene: Scene) -> str | None:
    """Return the window or door through which `a` shoots at `b`, "" if none, or None if `a` cannot shoot (FBN-245).

    He must see `b` and, in a building, have room at the window or door.
    """
    if not sees(battle, a, b, scene):
        return None
    if not a.place:
        return ""
    opening = opening_to(battle, a, stand_point(battle, b), b.place)
    return opening if may_use_opening(battle, a, opening) else None


def sight_blockers(battle: Battle, a: Figure, b: Figure) -> list[str]:
    """Return what hides `b` from `a`: terrain pieces and heights, then the units between them (FBN-078).

    Call it only if `a` does not see `b`.
    """
    p, q = stand_point(battle, a), stand_point(battle, b)
    scene = battle.field.view(box_between(p, q))

    def is_clear(obstacles_left: tuple[TerrainPiece[TerrainRow] | Height, ...]) -> bool:
        screens = tuple(obstacle for obstacle in obstacles_left if not isinstance(obstacle, Height))
        hills = tuple(obstacle for obstacle in obstacles_left if isinstance(obstacle, Height))
        return _is_line_clear(battle, p, q, a, b, scene._replace(screens=screens, hills=hills))

    obstacles: tuple[TerrainPiece[TerrainRow] | Height, ...] = (*scene.hills, *scene.screens)
    names = [obstacle.name for obstacle in hiding(obstacles, is_clear)]
    if battle.night and range_between(battle, a, b) > visibility(battle) and not is_lit(battle, q):
        names.append("night")
    if battle.book.settings.figures_block_los:
        names += _units_between(battle, p, q, a, b)
    return names


def _is_line_known_clear(battle: Battle, p: Point, q: Point, a: Figure, b: Figure) -> bool:
    """Return the same as `_is_line_clear`, from the field's cache if men have stood like this before.

    Only places, heights and destroyed buildings count. Lines into rooms are not cached, because doors open and close.
    """
    field = battle.field
    if field.has_rooms and (a.place or b.place):
        return _is_line_clear(battle, p, q, a, b, field.view(box_between(p, q)))
    key = (p, q, a.z, b.z, a.mounted, b.mounted, a.place, b.place, ruins(battle))
    known = field.clear_lines.get(key)
    if known is None:
        if len(field.clear_lines) >= MOST_LINES:
            field.clear_lines.clear()
        known = field.clear_lines[key] = _is_line_clear(battle, p, q, a, b, field.view(box_between(p, q)))
    return known


def _is_line_clear(battle: Battle, p: Point, q: Point, a: Figure, b: Figure, scene: Scene) -> bool:
    """Return True if heights, buildings and forests leave a line of sight open (FBN-078, FBN-273)."""
    hills = scene.hills
    if hills and rises_between(hills, p, q, max(a.z, b.z), eye_height(battle, a), eye_height(battle, b)):
        return False
    if not scene.screens:
        return True
    w, s, e, n = box_between(p, q)
    depth = battle.book.settings.forest_depth_los
    wood = 0.0
    for piece in scene.screens:
        row, box = piece.ground, piece.box
        if box[0] > e or box[2] < w or box[1] > n or box[3] < s:
            continue
        if row.building and not _passes_building(battle, piece, p, q, a, b):
            return False
        if row.blocks_sight and piece.length_inside(p, q) > EPSILON:
            return False
        if row.forest and depth != "none":
            wood += piece.length_inside(p, q)
            if wood > depth - EPSILON:
                return False
    return True


def _passes_building(battle: Battle, piece: TerrainPiece[TerrainRow], p: Point, q: Point, a: Figure, b: Figure) -> bool:
    """Return True if a building lets a line pass: it is down, or the line leaves it or uses its openings (FBN-245)."""
    if battle.houses[piece.building].points <= 0:
        return True
    house = battle.field.buildings[piece.building]
    if house.kind == "tower" and any(f.place.startswith(f"{house.id}:") for f in (a, b)):
        return True
    inside = [f for f in (a, b) if f.place and f.place.startswith(f"{house.id}:")]
    if house.kind != "openable" or not inside:
        return piece.length_inside(p, q) <= EPSILON or (not inside and _passes_over_roof(battle, piece, p, q, a, b))
    level = battle.field.sections[inside[0].place].level
    return lets_through(battle, house, level, p, q)


def _passes_over_roof(
    battle: Battle, piece: TerrainPiece[TerrainRow], p: Point, q: Point, a: Figure, b: Figure
) -> bool:
    """Return True if a sight line passes above all floors of a building (FBN-078, FBN-273)."""
    house = battle.field.buildings[piece.building]
    top = house.ground + house.floors * float(battle.book.file.heights.floor)
    start, end = eye_height(battle, a), eye_height(battle, b)
    if start < top - EPSILON and end < top - EPSILON:
        return False
    spans = piece.shape.spans(p, q) if isinstance(piece.shape, TerrainArea) else []
    return all(min(start + t * (end - start) for t in span) >= top for span in spans)


def _angle_allows(battle: Battle, a: Figure, b: Figure) -> bool:
    """Return True unless the line between two levels is steeper than 45 degrees (FBN-258)."""
    if battle.book.settings.angle_rule == "off":
        return True
    floor_a = battle.field.floor_height(a.place) if a.place else 0.0
    floor_b = battle.field.floor_height(b.place) if b.place else 0.0
    if floor_a == floor_b:
        return True
    p, q = stand_point(battle, a), stand_point(battle, b)
    return dist(p, q) >= abs(a.z - b.z)


def sees_piece(battle: Battle, a: Figure, point: Point) -> bool:
    """Return True if a figure sees a gun at a point. By setting, figures in between block the view (FBN-078,
    FBN-204).
    """
    if not sees_point(battle, a, point):
        return False
    return not battle.book.settings.figures_block_los or not _is_screened(battle, stand_point(battle, a), point, a)


def _is_screened(battle: Battle, p: Point, q: Point, a: Figure, b: Figure | None = None) -> bool:
    """Return True if a figure stands on a line of sight, for `figures_block_los` (FBN-078)."""
    return next(_units_between(battle, p, q, a, b), None) is not None


def _units_between(battle: Battle, p: Point, q: Point, a: Figure, b: Figure | None = None) -> Iterator[str]:
    """Yield the units of the figures on the line from `p` to `q`, without hidden enemies (FBN-078)."""
    for unit in battle.known_to(a.spec.side):
        men = [man for man in unit.figures.values() if man is not a and man is not b and not man.place]
        for _ in on_line(bases_of(battle, men), p, q, -EPSILON):
            yield unit.spec.id


def sees_point(battle: Battle, a: Figure, point: Point) -> bool:
    """Return True if a figure sees a point on the ground (FBN-222, FBN-224)."""
    p = stand_point(battle, a)
    if a.place and battle.field.is_sectioned(a.place) and not a.post:
        return False
    away = dist(p, point)
    if away > visibility(battle) and not is_lit(battle, point):
        return False
    scene = battle.field.view(box_between(p, point))
    if not scene.screens and not scene.hills:
        return True
    mark = Figure(point[0], point[1], battle.field.height(point), 0.0, 0, "none", spec=a.spec)
    screens = [piece for piece in scene.screens if not (piece.building and piece.holds(point))]
    return _is_line_clear(battle, p, point, a, mark, scene._replace(screens=tuple(screens)))


def cover_value(battle: Battle, a: Figure, b: Figure, scene: Scene) -> int:
    """Return the CV that `b` has against `a`: the highest that applies (FBN-066, FBN-067, FBN-069, FBN-070).

    Every man in a building has its CV, also at a window (FBN-246, FBN-257). Cover far from the target counts for less
    (FBN-071).
    """
    return cover_between(battle, stand_point(battle, a), a, b, scene)


def cover_between(
    battle: Battle,
    p: Point,
    a: Figure | None,
    b: Figure,
    scene: Scene,
    base: float | None = None,
    own: float | None = None,
) -> int:
    """Return the same CV as `cover_value` for a shot from a point.

    A burst has no firer, so only the terrain `b` is in shelters him (FBN-217). `base` is the radius of the target and
    `own` that of the firer, if they are not men.
    """
    if b.place:
        section = battle.field.sections[b.place]
        if a is not None and a.place == b.place:
            return 0
        return battle.field.buildings[section.building].row.cv
    if not scene.covers:
        return 0
    q = b.at
    radius = battle.radius(b) if base is None else base
    numbers = battle.book.file.cover_reach
    west, east = (p[0] - NEAR, q[0] + NEAR) if p[0] < q[0] else (q[0] - NEAR, p[0] + NEAR)
    south, north = (p[1] - NEAR, q[1] + NEAR) if p[1] < q[1] else (q[1] - NEAR, p[1] + NEAR)
    best, fixed = 0, battle.book.settings.high_shooter_cv == "set"
    for piece in scene.covers:
        box = piece.box
        if box[0] > east or box[2] < west or box[1] > north or box[3] < south:
            continue
        row = row_now(battle, piece) if piece.building else piece.ground
        if row.shelter == "none" or (row.cv <= best and not fixed):
            continue
        if row.shelter in ("inside", "both") and piece.holds(q):
            same = a is not None and piece.holds(p) and range_between(battle, a, b) <= numbers.own_cover + EPSILON
            if not same and not battle.field.is_bridged(piece, q):
                best = max(best, row.cv)
            continue
        if a is None or row.shelter == "inside" or not piece.meets(p, q):
            continue
        if row.shelter == "both" and not battle.book.settings.area_cover_behind:
            continue
        if piece.is_within(p, numbers.own_cover + EPSILON + (battle.radius(a) if own is None else own)):
            continue
        value = row.cv
        if is_higher(battle, a, b) and not piece.is_within(q, numbers.inches + EPSILON + radius):
            value = numbers.cv if fixed else min(value, numbers.cv)
        best = max(best, value)
    return best


def row_now(battle: Battle, piece: TerrainPiece[TerrainRow]) -> TerrainRow:
    """Return the current terrain row of a piece: a destroyed building is rubble (FBN-250)."""
    if piece.building and battle.houses[piece.building].points <= 0:
        return battle.book.terrain["rubble"]
    return piece.ground


def in_arc(figure: Figure, point: Point, half: float, start: Point | None = None) -> bool:
    """Return True if a point is within `half` degrees of a man's facing, from him or `start` (FBN-063, FBN-080)."""
    return half >= 180 or bearings.in_arc(figure.facing, half, bearings.bearing_to(start or figure.at, point))


def is_in_fire_arc(battle: Battle, figure: Figure, man: Figure) -> bool:
    """Return True if a target is in the fire arc of a man who may fire only where he faces (FBN-049, FBN-063)."""
    return in_arc(figure, stand_point(battle, man), battle.book.fire_half_arc)


# --- Range bands (FBN-081, FBN-084, FBN-127, FBN-192), and the effect of a chest wound on skill (FBN-130) -------------


def band_of(battle: Battle, figure: Figure, inches: float) -> str | None:
    """Return the range band of a man's shot, or None if it is out of reach.

    Limits are inclusive (FBN-081). A spear is not thrown within 1" (FBN-192). A light arm wound halves the reach of a
    long arm (FBN-127).
    """
    book = battle.book
    kind = book.weapons[figure.weapon]
    if kind.close and inches <= book.close_reach:
        return None
    limits = limits_of(battle, figure)
    if kind.long_arm and "arm_light" in figure.locations:
        limits = RangeLimits(*[limit * book.wounded_arm for limit in limits])
    return band_within(limits, inches)


def band_within(limits: RangeLimits, inches: float) -> str | None:
    """Return the first band whose outer limit is not exceeded, or None beyond long range (FBN-081)."""
    for name, limit in zip(BANDS, limits, strict=True):
        if inches <= limit + 1e-9:
            return name
    return None


def chest_sign(battle: Battle, figure: Figure) -> int:
    """Return the CS change from a light chest wound: -1, or +1 if signs are read as printed (FBN-130)."""
    if "chest_light" not in figure.locations:
        return 0
    return -1 if battle.book.settings.sign_reading == "sense" else 1
