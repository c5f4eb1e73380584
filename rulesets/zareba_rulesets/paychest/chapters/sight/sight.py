"""Line of sight and eligible targets (PAY-089, PAY-090, PAY-097, PAY-101)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple, TypeAlias

from zareba.base.exact import dist
from zareba.space import Base, Point
from zareba.space.field.bases import on_line
from zareba.space.field.bodies import chains as linked
from zareba.space.field.line_of_sight import SightBlocker, line_is_clear
from zareba.space.field.line_of_sight import what_hides as hiding
from zareba.space.field.volley_targets import Observer, find_visible
from zareba.space.geometry import bounds, box_between, box_gap
from zareba_rulesets.paychest.book.tables import Ground
from zareba_rulesets.paychest.chapters.sight.contact import base_of, figures_in_contact, foes_near
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.units import Box, Figure, Unit

__all__ = [
    "FiringLine",
    "Muzzle",
    "View",
    "box_of",
    "chains",
    "eligible",
    "enemies_near_box",
    "firing_line",
    "groups_among",
    "height_of",
    "in_sight",
    "sees",
    "up_or_down",
    "view_of",
    "what_hides",
]

Muzzle: TypeAlias = Observer
"""The origin of a shot: its point, the reach of the weapon, and the inches that altitude adds (PAY-082)."""


class View(NamedTuple):
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
    reach: float
    crew: tuple[Point, ...] = ()


def firing_line(muzzles: Sequence[Muzzle], crew: tuple[Point, ...] = ()) -> FiringLine:
    """Return the firing line of one or more muzzles."""
    return FiringLine(muzzles, frozenset(muzzles), box_of(muzzles), max([muzzle.reach for muzzle in muzzles]), crew)


def box_of(muzzles: Sequence[Muzzle]) -> Box:
    """Return the bounding box of some muzzles."""
    return bounds([muzzle.at for muzzle in muzzles])


def view_of(battle: Battle, side: str, firers: Box, target: Box) -> View:
    """Return the view from the box of some muzzles to a target's box.

    Friends in the air block no line of sight (PAY-082).
    """
    pieces = battle.field.screens.between(firers, target)
    friends: tuple[Base, ...] = ()
    if battle.book.settings.los_figures_block == "friends":
        friends = tuple(
            Base(*figure.at, battle.radius(figure), side, unit.spec.id)
            for unit in battle.side_units(side)
            for figure in unit.able
            if figure.at is not None and base_of(battle, figure) is not None
        )
    return View(side, pieces or (), friends, pieces is None)


def height_of(battle: Battle, figure: Figure) -> float:
    """Return the inches that a flyer's altitude adds to ranges to and from a figure aboard (PAY-082)."""
    if not figure.aboard:
        return 0.0
    return battle.engines[figure.aboard].altitude * float(battle.book.file.altitude.inches_a_step)


def sees(battle: Battle, view: View, a: Point, b: Point) -> bool:
    """Return True if a target at `b` is in sight from `a` (PAY-089).

    With `los_figures_block` friends, friends block too.
    """
    if view.blocked:
        return False
    if view.pieces and not line_is_clear(a, b, view.pieces):
        return False
    return not view.friends or not _is_behind_friends(battle, view, a, b)


def _friends_between(battle: Battle, view: View, a: Point, b: Point) -> Iterator[Base]:
    """Yield the bases of friends that block a line, except those close to the firer (PAY-090)."""
    min_distance = battle.book.file.friends_block_beyond.inches
    return (base for base in on_line(view.friends, a, b) if dist(a, base.at) > min_distance and base.at != b)


def _is_behind_friends(battle: Battle, view: View, a: Point, b: Point) -> bool:
    return next(_friends_between(battle, view, a, b), None) is not None


def what_hides(battle: Battle, side: str, a: Point, b: Point) -> list[str]:
    """Return what hides `b` from a figure of `side` at `a`: pieces of terrain, then friendly units (PAY-089)."""
    screens = battle.field.screens.near(box_between(a, b))
    found = [screen.piece.name for screen in hiding(screens, lambda ones: line_is_clear(a, b, ones))]
    if battle.book.settings.los_figures_block == "friends":
        view = view_of(battle, side, (*a, *a), (*a, *a))
        found += dict.fromkeys(friend.key for friend in _friends_between(battle, view, a, b))
    return found


def eligible(battle: Battle, side: str, line: FiringLine, unit: Unit) -> list[Figure]:
    """Return the figures of an enemy unit that at least one figure of the firing line may aim at (PAY-101).

    They are able, in sight and range, not down, not touching a figure of the firing side, and not driven away earlier
    in the same step (PAY-063).
    """
    return [figure for figure in up_or_down(battle, side, line, unit) if "down" not in figure.marks]


def up_or_down(battle: Battle, side: str, line: FiringLine, unit: Unit) -> list[Figure]:
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
    cached with the unit's `standing`. It is not cached when friends of the firers may block the view.
    """
    if battle.book.settings.los_figures_block == "friends":
        return _in_sight(battle, side, line, unit)
    known = unit.standing.seen
    found = known.get(line.key)
    if found is None:
        found = known[line.key] = _in_sight(battle, side, line, unit)
    return found


def _in_sight(battle: Battle, side: str, line: FiringLine, unit: Unit) -> list[Figure]:
    """Return the figures of `in_sight`, without the cache."""
    view = view_of(battle, side, line.box, unit.box)
    if view.blocked:
        return []
    if line.crew and view.friends:
        view = view._replace(friends=tuple(friend for friend in view.friends if friend.at not in line.crew))
    sought = []
    for figure in unit.able:
        assert figure.at is not None, "able figures are on the table"
        sought.append((figure.at, height_of(battle, figure) if figure.aboard else 0.0))
    hides = partial(_is_behind_friends, battle, view) if view.friends else None
    known = battle.field.screens.open_from[line.key] if hides is None else None
    places = find_visible(line.muzzles, sought, unit.box, view.pieces, hides, known)
    return [unit.able[place] for place in places]


def chains(battle: Battle, figures: Sequence[Figure]) -> list[list[Figure]]:
    """Return the figures in groups linked by gaps of at most `group_gap_in` (PAY-097), in roster order."""
    foot, mounted = battle.book.bases["foot"], battle.book.bases["mounted"]
    men = [figure for figure in figures if figure.at is not None]
    bases = [Base(*figure.at, mounted if figure.mount else foot) for figure in men if figure.at is not None]
    return [[men[place] for place in chain] for chain in linked(bases, battle.book.settings.group_gap_in + 1e-9)]


def groups_among(battle: Battle, unit: Unit, figures: Sequence[Figure]) -> list[list[Figure]]:
    """Return the chains of two or more among some able figures of a unit (PAY-094, PAY-097).

    The chains of all its able figures are cached with its `standing`.
    """
    if len(figures) < 2:
        return []
    positions = unit.standing
    if len(figures) < len(positions.able):
        return [chain for chain in chains(battle, figures) if len(chain) > 1]
    if positions.groups is None:
        positions.groups = [chain for chain in chains(battle, figures) if len(chain) > 1]
    return positions.groups


def enemies_near_box(battle: Battle, side: str, box: Box, reach: float) -> Iterator[Unit]:
    """Yield the enemy units of a side whose boxes are within `reach` inches of a box."""
    return (enemy for enemy in battle.enemies(side) if box_gap(enemy.box, box) <= reach)
