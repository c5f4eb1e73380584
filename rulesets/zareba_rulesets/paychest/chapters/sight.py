"""Line of sight, contact, cover and posture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from functools import partial
from typing import NamedTuple, TypeAlias

from zareba.base.exact import cosd, dist, sind
from zareba.base.speedups import new_tuple
from zareba.space import Base, Point, TerrainLine
from zareba.space.field.bodies import connected_groups as linked
from zareba.space.field.bodies import on_line, touching_pairs
from zareba.space.field.line_of_sight import Observer, SightBlocker, find_visible, line_is_clear
from zareba.space.field.line_of_sight import sight_blockers as hiding
from zareba.space.geometry import bounds, box_between, box_gap, widen
from zareba.table import Table
from zareba_rulesets.paychest.book.tables import Cover, Ground
from zareba_rulesets.paychest.forces.battle import Battle, Engine
from zareba_rulesets.paychest.forces.formation import bases_of
from zareba_rulesets.paychest.forces.units import Box, Figure, Unit, UnitPositions
from zareba_rulesets.paychest.ground import Shelter, cover_from

# --- Contact between figures (PAY-007, PAY-137, PAY-146) --------------------------------------------------------------


WIDEST = 1.6
WIDEST_ABOARD = 3.1
"""Distances between centres, in inches, within which figures may touch.

`WIDEST_ABOARD` applies when figures are in a conveyance, where they are touched at its base.
"""


def base_of(battle: Battle, figure: Figure) -> float | None:
    """Return the radius of the base where a figure is touched, aboard the conveyance's; None in the air (PAY-082)."""
    if not figure.aboard:
        return battle.radius(figure)
    engine = battle.engines[figure.aboard]
    return None if engine.altitude else battle.engine_radius(engine)


def foes_near(battle: Battle, unit: Unit, reach: float | None = None, side: str = "") -> list[Unit]:
    """Return the enemy units whose boxes are within `reach` of a unit's box, by default those it may touch.

    `side` limits the search to the units of that side.
    """
    if not unit.has_able_figures:
        return []
    own = unit.spec.side
    if battle.field.contacts is not None:
        others = battle.side_units(side) if side else battle.enemies(own)
        return [other for other in others if _touch_as_seen(battle, unit, other)] if battle.field.contacts else []
    if reach is None:
        reach = WIDEST
        for engine in battle.engines.values():
            if engine.aboard:
                reach = WIDEST_ABOARD
                break
    west, south, east, north = widen(unit.box, reach)
    foes = []
    for other in battle.units.values():
        left, low, right, high = other.box
        if left <= east and right >= west and low <= north and high >= south and right >= 0:
            owner = other.spec.side
            if owner == side if side else owner != own:
                foes.append(other)
    return foes


def touch_bases(battle: Battle, unit: Unit) -> list[Base]:
    """Return the bases on which the able figures of a unit are touched, in roster order.

    Figures in the air have none.
    """
    positions, side = unit.positions, unit.spec.side
    if len(positions.on_ground) == len(positions.able):
        return bases_of(battle, unit)
    return [
        Base(*figure.at, base, side, figure.spec.id)
        for figure in positions.able
        if figure.at is not None and (base := base_of(battle, figure)) is not None
    ]


def touches(battle: Battle, a: Figure, b: Figure) -> bool:
    """Return True if the bases of two figures touch: a gap of 0.05 inches or less (PAY-007)."""
    if a.at is None or b.at is None:
        return False
    if battle.field.contacts is not None:
        return b.spec.id in battle.field.contacts.get(a.spec.id, ())
    a_radius, b_radius = base_of(battle, a), base_of(battle, b)
    return (
        a_radius is not None and b_radius is not None and dist(a.at, b.at) <= a_radius + b_radius + battle.book.contact
    )


def enemies_touched(battle: Battle, figure: Figure, foes: Sequence[Unit]) -> list[Figure]:
    """Return the able figures of these units that an able figure touches. Helpless figures do not count (PAY-146)."""
    if battle.field.contacts is not None:
        seen = battle.field.contacts.get(figure.spec.id, ()) if figure.at is not None else ()
        return [man for foe in foes for man in foe.able if man.spec.id in seen]
    key, unit = figure.spec.id, battle.unit_of(figure)
    return [foe.figures[name] for foe in foes for name in _contacts_with(battle, unit, foe).get(key, ())]


def in_contact(battle: Battle, figure: Figure, foes: Sequence[Unit]) -> bool:
    """Return True if a figure touches an able figure of these units."""
    return bool(foes) and bool(enemies_touched(battle, figure, foes))


def is_held(battle: Battle, figure: Figure) -> bool:
    """Return True if `melee_lock` is on and the figure touches an enemy, so that it must stay in place (PAY-076)."""
    if battle.book.settings.melee_lock == "off":
        return False
    return in_contact(battle, figure, foes_near(battle, battle.unit_of(figure)))


def figures_in_contact(battle: Battle, unit: Unit, foes: Sequence[Unit]) -> Set[str]:
    """Return the able figures of a unit that touch an able figure of these units."""
    if battle.field.contacts is not None:
        return {name for foe in foes for name in _touch_as_seen(battle, unit, foe)}
    if len(foes) == 1:
        return _contacts_with(battle, unit, foes[0]).keys()
    return {name for foe in foes for name in _contacts_with(battle, unit, foe)}


def _contacts_with(battle: Battle, unit: Unit, foe: Unit) -> dict[str, list[str]]:
    """Return the figures of an enemy unit that each figure of a unit touches, both in roster order.

    Figures that touch none are left out. The answer is cached until either unit moves or loses a figure.
    """
    cache, pair = battle.fact_cache, (unit.spec.id, foe.spec.id)
    own_positions, foe_positions = unit.positions, foe.positions
    cached: tuple[UnitPositions, UnitPositions, dict[str, list[str]]] | None = cache.get(pair)
    if cached is not None and cached[0] is own_positions and cached[1] is foe_positions:
        return cached[2]
    own_bases, foe_bases = touch_bases(battle, unit), touch_bases(battle, foe)
    contacts = {
        own_bases[index].key: [foe_bases[other].key for other in touched]
        for index, touched in touching_pairs(own_bases, foe_bases, battle.book.contact).items()
    }
    cache[pair] = own_positions, foe_positions, contacts
    return contacts


def _touch_as_seen(battle: Battle, unit: Unit, foe: Unit) -> frozenset[str]:
    """Return the figures of one unit that touch a figure of another, as people at a real table see it."""
    contacts, able = battle.field.contacts or {}, {man.spec.id for man in foe.able}
    return frozenset([man.spec.id for man in unit.able if not able.isdisjoint(contacts.get(man.spec.id, ()))])


def reaches(battle: Battle, figure: Figure, at: Point | None, radius: float) -> bool:
    """Return True if a figure's base touches a base of this radius at a point."""
    if figure.at is None or at is None:
        return False
    return dist(figure.at, at) <= battle.radius(figure) + radius + battle.book.contact


# --- Cover of a target and exposed parts of its body (PAY-080, PAY-082, PAY-087, PAY-088, PAY-114, PAY-187) -----------


_CORNERS = 24
"""Number of corners of a conveyance's base when it serves as cover."""
_MACHINE_REACH = 4.0
"""No figure further than this from the centre of a gun or conveyance touches it, in inches.

The widest bases are 3 inches across.
"""


def covers_of(battle: Battle, targets: Sequence[Figure]) -> list[tuple[Shelter, ...]] | None:
    """Return the shelters of each target, or None if there is no cover near any of them."""
    spots = [figure.at for figure in targets if figure.at is not None]
    box = bounds(spots)
    machines = [machine_cover(battle, figure) for figure in targets] if _has_machine_near(battle, box) else []
    if not any(machines) and not battle.field.has_cover_near(box):
        return None
    covers = []
    for number, figure in enumerate(targets):
        assert figure.at is not None, "targets are on the table"
        shelters = machines[number] if machines else ()
        if not figure.aboard:
            shelters += battle.field.shelters(figure.at, battle.radius(figure))
        covers.append(shelters)
    return covers if any(covers) else None


def in_hard_cover(battle: Battle, unit: Unit, figures: Sequence[Figure]) -> list[Figure]:
    """Return the able figures among those given that have hard cover from some direction (PAY-086)."""
    ground = _covered_by_ground(battle, unit)
    machines = _has_machine_near(battle, unit.box)
    if not machines and not ground:
        return []
    covered = []
    for figure in figures:
        shelters = ground.get(figure.spec.id, ())
        if machines:
            shelters += machine_cover(battle, figure)
        for shelter in shelters:
            if shelter.cover == "hard":
                covered.append(figure)
                break
    return covered


def _covered_by_ground(battle: Battle, unit: Unit) -> dict[str, tuple[Shelter, ...]]:
    """Return the cover that terrain gives to a unit's able figures.

    Cached with its `positions`, because terrain does not change.
    """
    positions = unit.positions
    if positions.sheltered is None:
        positions.sheltered = {}
        if battle.field.has_cover_near(unit.box):
            for x, y, key, figure in positions.on_ground:
                shelters = battle.field.shelters((x, y), battle.radius(figure))
                if shelters:
                    positions.sheltered[key] = shelters
    return positions.sheltered


def _has_machine_near(battle: Battle, box: Box) -> bool:
    """Return True if a gun or conveyance may give cover to figures in the box, or carry them."""
    if not battle.engines:
        return False
    west, south, east, north = box
    west, south, east, north = (
        west - _MACHINE_REACH,
        south - _MACHINE_REACH,
        east + _MACHINE_REACH,
        north + _MACHINE_REACH,
    )
    for engine in battle.engines.values():
        at = engine.at
        if at is not None and west <= at[0] <= east and south <= at[1] <= north:
            return True
    return False


def machine_cover(battle: Battle, figure: Figure) -> tuple[Shelter, ...]:
    """Return the cover from engines: on all sides inside one or in an emplacement, else behind a conveyance.

    Implements PAY-080, PAY-082, PAY-087 and PAY-088.
    """
    if figure.aboard:
        flies = battle.engines[figure.aboard].kind == "flyer"
        return (Shelter("hard", "parapet" if flies else "wagon"),)
    shelters = []
    for engine in battle.engines.values():
        if engine.mount == "emplacement":
            if engine.unit == figure.spec.unit and reaches(battle, figure, engine.at, battle.engine_radius(engine)):
                shelters.append(Shelter("hard", "parapet"))
        elif engine.kind in battle.book.file.conveyances and not engine.altitude:
            radius = battle.engine_radius(engine)
            if engine.at is not None and reaches(battle, figure, engine.at, radius):
                shelters.append(Shelter("hard", "wagon", _outline(engine.at, radius)))
    return tuple(shelters)


def _outline(at: Point, radius: float) -> TerrainLine:
    """Return a round base as a closed line."""
    angles = [360 * corner / _CORNERS for corner in range(_CORNERS + 1)]
    return TerrainLine([(at[0] + radius * cosd(angle), at[1] + radius * sind(angle)) for angle in angles])


def cover_class(a: Point, targets: Sequence[Figure], covers: Sequence[Sequence[Shelter]] | None, share: float) -> Cover:
    """Return a group's cover from one firer (PAY-114).

    Hard if at least `share` of it is in hard cover, else soft if that share has any cover, else none.
    """
    if covers is None:
        return "none"
    hard = soft = 0
    for figure, shelters in zip(targets, covers, strict=True):
        assert figure.at is not None, "targets are on the table"
        cover, _ = cover_from(a, figure.at, shelters) if shelters else ("none", "")
        hard += cover == "hard"
        soft += cover != "none"
    enough = share * len(targets) - 1e-9
    if hard >= enough:
        return "hard"
    return "soft" if soft >= enough else "none"


def exposures(
    battle: Battle, a: Point, targets: Sequence[Figure], covers: Sequence[Sequence[Shelter]] | None
) -> list[frozenset[str]]:
    """Return for each target the parts of the body that a shot from `a` can hit (PAY-087, PAY-187)."""
    exposed = battle.book.exposed_locations
    exposed_parts = []
    for number, figure in enumerate(targets):
        assert figure.at is not None, "targets are on the table"
        shelters: Iterable[Shelter] = covers[number] if covers is not None else ()
        cover, exposure = cover_from(a, figure.at, tuple(shelters))
        exposed_parts.append(exposed[exposure if cover == "hard" else "open"])
    return exposed_parts


# --- Figures in hard cover: which may lie down out of sight, and when they must get up (PAY-086) ----------------------


DOWN = "down"
"""The mark of a figure that is out of sight in cover."""


def figures_that_may_duck(battle: Battle, unit: Unit) -> list[Figure]:
    """Return the figures that may rise or duck: able, in hard cover and not touching an enemy (PAY-086)."""
    return _figures_in_shelter(battle, unit, unit.able)


def _figures_in_shelter(battle: Battle, unit: Unit, figures: Sequence[Figure]) -> list[Figure]:
    """Return the figures in hard cover that touch no enemy, of some able figures of a unit."""
    sheltered = in_hard_cover(battle, unit, figures)
    foes = foes_near(battle, unit) if sheltered else []
    return [figure for figure in sheltered if not foes or not in_contact(battle, figure, foes)]


def report_posture(table: Table, unit_id: str, kind: str, men: int) -> None:
    """Report how many figures of a unit got down or rose, if any."""
    if men:
        table.emit(kind, "PAY-086", unit=unit_id, figures=men)


def raise_touched(table: Table, battle: Battle, unit: Unit) -> None:
    """Raise enemies that a unit now touches, and figures that a departed wagon has left without cover (PAY-086)."""
    down = {
        figure.spec.id: foe.spec.id
        for foe in foes_near(battle, unit)
        for figure in foe.able
        if DOWN in figure.marks and in_contact(battle, figure, [unit])
    }
    if any(_has_driven(battle, engine) for engine in battle.engines.values()):
        for other_id, other in battle.units.items():
            hiding = [figure for figure in other.able if DOWN in figure.marks]
            if hiding:
                sheltered = {figure.spec.id for figure in _figures_in_shelter(battle, other, hiding)}
                down |= {figure.spec.id: other_id for figure in hiding if figure.spec.id not in sheltered}
    for key in down:
        battle.change_figure(key).unmark(DOWN)
    for unit_id, men in Counter(down.values()).items():
        report_posture(table, unit_id, "gets up", men)


def _has_driven(battle: Battle, engine: Engine) -> bool:
    """Return True if a conveyance may have left figures without cover: it has moved recently or is gone."""
    return (engine.moved != "halt" or engine.at is None) and engine.kind in battle.book.file.conveyances


# --- Line of sight and eligible targets (PAY-089, PAY-090, PAY-097, PAY-101) ------------------------------------------


Muzzle: TypeAlias = Observer
"""The origin of a shot: its point, the reach of the weapon, and the inches that altitude adds (PAY-082)."""


class Obstacles(NamedTuple):
    """The obstacles between some firers and a target: pieces of terrain and the bases of friends (PAY-089, PAY-090).

    `blocked` is True if the terrain hides the target from all of them.
    """

    side: str
    pieces: tuple[SightBlocker[Ground], ...]
    friends: tuple[Base, ...]
    blocked: bool = False


class FiringLine(NamedTuple):
    """The muzzles of figures that fire together, with their bounding box and the longest reach among them.

    Firing lines with the same `key` see the same figures. `crew` holds the positions of the crew at a gun, who do not
    block its line of sight (PAY-090).
    """

    muzzles: Sequence[Muzzle]
    key: frozenset[Muzzle]
    box: Box
    range: float
    crew: tuple[Point, ...] = ()


def firing_line(muzzles: Sequence[Muzzle], crew: tuple[Point, ...] = ()) -> FiringLine:
    """Return the firing line of one or more muzzles."""
    return FiringLine(muzzles, frozenset(muzzles), box_of(muzzles), max([muzzle.range for muzzle in muzzles]), crew)


def box_of(muzzles: Sequence[Muzzle]) -> Box:
    """Return the bounding box of some muzzles."""
    return bounds([muzzle.at for muzzle in muzzles])


def obstacles_between(battle: Battle, side: str, firers: Box, target: Box) -> Obstacles:
    """Return the view from the box of some muzzles to a target's box.

    Friends in the air block no line of sight (PAY-082).
    """
    pieces = battle.field.blockers.between(firers, target)
    friends: tuple[Base, ...] = ()
    if battle.book.settings.los_figures_block == "friends" and battle.field.contacts is None:  # else people judge it
        friends = tuple(
            Base(*figure.at, battle.radius(figure), side, unit.spec.id)
            for unit in battle.side_units(side)
            for figure in unit.able
            if figure.at is not None and base_of(battle, figure) is not None
        )
    return new_tuple(Obstacles, (side, pieces or (), friends, pieces is None))


def height_of(battle: Battle, figure: Figure) -> float:
    """Return the inches that a flyer's altitude adds to ranges to and from a figure aboard (PAY-082)."""
    if not figure.aboard:
        return 0.0
    return battle.engines[figure.aboard].altitude * float(battle.book.file.altitude.inches_a_step)


def sees(battle: Battle, obstacles: Obstacles, a: Point, b: Point) -> bool:
    """Return True if a target at `b` is in sight from `a` (PAY-089).

    With `los_figures_block` friends, friends block too.
    """
    if obstacles.blocked:
        return False
    if obstacles.pieces and not line_is_clear(a, b, obstacles.pieces):
        return False
    return not obstacles.friends or not _is_behind_friends(battle, obstacles, a, b)


def _friends_between(battle: Battle, obstacles: Obstacles, a: Point, b: Point) -> Iterator[Base]:
    """Yield the bases of friends that block a line, except those close to the firer (PAY-090)."""
    min_distance = battle.book.file.friends_block_beyond.inches
    return (base for base in on_line(obstacles.friends, a, b) if dist(a, base.at) > min_distance and base.at != b)


def _is_behind_friends(battle: Battle, obstacles: Obstacles, a: Point, b: Point) -> bool:
    """Return True if friends stand between two points."""
    return next(_friends_between(battle, obstacles, a, b), None) is not None


def sight_blockers(battle: Battle, side: str, a: Point, b: Point) -> list[str]:
    """Return what hides `b` from a figure of `side` at `a`: pieces of terrain, then friendly units (PAY-089)."""
    blockers = battle.field.blockers.near(box_between(a, b))
    obstacle_names = [blocker.piece.name for blocker in hiding(blockers, lambda ones: line_is_clear(a, b, ones))]
    if battle.book.settings.los_figures_block == "friends":
        obstacles = obstacles_between(battle, side, (*a, *a), (*a, *a))
        obstacle_names += dict.fromkeys(friend.key for friend in _friends_between(battle, obstacles, a, b))
    return obstacle_names


def eligible(battle: Battle, side: str, line: FiringLine, unit: Unit) -> list[Figure]:
    """Return the figures of an enemy unit that at least one figure of the firing line may aim at (PAY-101).

    They are able, in sight and range, not down, not touching a figure of the firing side, and not driven away earlier
    in the same step (PAY-063).
    """
    return [figure for figure in eligible_up_or_down(battle, side, line, unit) if "down" not in figure.marks]


def eligible_up_or_down(battle: Battle, side: str, line: FiringLine, unit: Unit) -> list[Figure]:
    """Return the eligible figures, and those that are down with a line that would be clear if up (PAY-191)."""
    visible = in_sight(battle, side, line, unit)
    if not visible:
        return visible
    if battle.moved_away:
        visible = [figure for figure in visible if figure.spec.id not in battle.moved_away]
    friends = foes_near(battle, unit, side=side)
    touching = figures_in_contact(battle, unit, friends) if friends else None
    return [figure for figure in visible if figure.spec.id not in touching] if touching else visible


def in_sight(battle: Battle, side: str, line: FiringLine, unit: Unit) -> list[Figure]:
    """Return the able figures of an enemy unit in sight and range of a firing line, up or down.

    Terrain hides the same figures from the same muzzles until a figure of the unit moves or falls, so the answer is
    cached with the unit's `positions`. It is not cached when friends of the firers may block the view.
    """
    if battle.book.settings.los_figures_block == "friends":
        return _in_sight(battle, side, line, unit)
    cache = unit.positions.seen
    figures = cache.get(line.key)
    if figures is None:
        figures = cache[line.key] = _in_sight(battle, side, line, unit)
    return figures


def _in_sight(battle: Battle, side: str, line: FiringLine, unit: Unit) -> list[Figure]:
    """Return the figures of `in_sight`, without the cache."""
    obstacles = obstacles_between(battle, side, line.box, unit.box)
    if obstacles.blocked:
        return []
    if line.crew and obstacles.friends:
        obstacles = obstacles._replace(
            friends=tuple(friend for friend in obstacles.friends if friend.at not in line.crew)
        )
    sought = []
    for figure in unit.able:
        assert figure.at is not None, "able figures are on the table"
        sought.append((figure.at, height_of(battle, figure) if figure.aboard else 0.0))
    hides = partial(_is_behind_friends, battle, obstacles) if obstacles.friends else None
    known = battle.field.blockers.visibility_cache[line.key] if hides is None else None
    places = find_visible(line.muzzles, sought, unit.box, obstacles.pieces, hides, known)
    return [unit.able[place] for place in places]


def chains(battle: Battle, figures: Sequence[Figure]) -> list[list[Figure]]:
    """Return the figures in groups linked by gaps of at most `group_gap_in` (PAY-097), in roster order."""
    foot, mounted = battle.book.bases["foot"], battle.book.bases["mounted"]
    men = [figure for figure in figures if figure.at is not None]
    bases = [
        new_tuple(Base, (*figure.at, mounted if figure.mount else foot, "", ""))
        for figure in men
        if figure.at is not None
    ]
    return [[men[place] for place in chain] for chain in linked(bases, battle.book.settings.group_gap_in + 1e-9)]


def groups_among(battle: Battle, unit: Unit, figures: Sequence[Figure]) -> list[list[Figure]]:
    """Return the chains of two or more among some able figures of a unit (PAY-094, PAY-097).

    The chains of all its able figures are cached with its `positions`.
    """
    if len(figures) < 2:
        return []
    positions = unit.positions
    if len(figures) < len(positions.able):
        return [chain for chain in chains(battle, figures) if len(chain) > 1]
    if positions.groups is None:
        positions.groups = [chain for chain in chains(battle, figures) if len(chain) > 1]
    return positions.groups


def enemies_near_box(battle: Battle, side: str, box: Box, reach: float) -> Iterator[Unit]:
    """Yield the enemy units of a side whose boxes are within `reach` inches of a box."""
    return (enemy for enemy in battle.enemies(side) if box_gap(enemy.box, box) <= reach)
