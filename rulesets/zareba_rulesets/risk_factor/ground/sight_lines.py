"""Line of sight between two bodies over the terrain alone (RSK-126, RSK-152 to RSK-155)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf

from zareba.base.exact import dist, distances
from zareba.space.field.bodies import Body, nearest
from zareba.space.field.line_of_sight import SightBlocker
from zareba.space.field.line_of_sight import what_hides as hiding
from zareba.space.geometry import bounds_meet, box_between
from zareba.space.moves.free_space import foremost
from zareba_rulesets.risk_factor.book.numbers import Ground
from zareba_rulesets.risk_factor.ground.terrain import NOTHING, PLAIN, SightLine, Terrain

__all__ = ["SightLine", "facing_first", "nearest_in_sight", "view_between", "what_hides"]


def view_between(field: Terrain, a: Body, b: Body) -> SightLine:
    """Return what body `a` sees of body `b` over the terrain. Sight dice and marks for shooting are applied elsewhere
    (RSK-150, RSK-151).
    """
    screens = field.between(a, b)
    own, other = field.depths[a], field.depths[b]
    concealed = any(other)
    hidden = any(own)
    if screens == () and not (concealed or hidden):
        field.views[b, a] = PLAIN
        return PLAIN
    if concealed and hidden and _share_cover(field, a, b):
        return PLAIN
    if screens is None or _is_screened(field, a, b, screens):
        return NOTHING
    eyes = [i for i, depth in enumerate(own) if _looks_out(field, depth)] if hidden else range(len(a))
    bare = [j for j, depth in enumerate(other) if depth is None] if concealed else range(len(b))
    if eyes and bare and _any_clear(field, a, b, eyes, bare, screens):
        return PLAIN
    return _concealed_distance(field, a, b, eyes, screens) if concealed and eyes else NOTHING


def what_hides(field: Terrain, a: Body, b: Body) -> list[str]:
    """Return the terrain pieces that hide the nearest figure of body `b` from body `a`: pieces between them, and pieces
    they are in (RSK-152).
    """
    near = field.gaps[a, b]
    start, end = a.at[near.own], b.at[near.other]
    screens = field.screens.near(box_between(start, end))
    found = [screen.piece.name for screen in hiding(screens, lambda ones: field.line_clear(start, end, ones))]
    found += [depth[0] for depth in (field.depths[a][near.own], field.depths[b][near.other]) if depth is not None]
    return found


def nearest_in_sight(field: Terrain, a: Body, b: Body) -> int:
    """Return the figure of body `b` nearest to body `a`, among those that a figure of `a` can see or shoot at."""
    near, screens, own, other = field.gaps[a, b].other, field.between(a, b), field.depths[a], field.depths[b]
    if screens is None or not (screens or any(own) or any(other)):
        return near
    deepest = max(field.book.settings.woods_look_depth, field.book.settings.woods_fire_depth)
    eyes = [i for i, depth in enumerate(own) if _looks_out(field, depth)] or range(len(a))

    def distance_of(j: int) -> float:
        return min(distances(b.at[j], a.at))

    for j in sorted(range(len(b)), key=distance_of):
        depth = other[j]
        if (depth is None or depth[1] <= deepest) and _any_clear(field, a, b, eyes, (j,), screens):
            return j
    return near


def facing_first(body: Body, other: Body, figures: Iterable[int]) -> list[int]:
    """Return figures of a body, the foremost towards another body first."""
    return foremost(body.at, (other.centre[0] - body.centre[0], other.centre[1] - body.centre[1]), figures)


def _looks_out(field: Terrain, depth: tuple[str, float] | None) -> bool:
    """Return True if a figure at a depth can see out of its cover (RSK-152)."""
    if depth is None or not field.pieces[depth[0]].ground.wood:
        return True
    return bool(depth[1] <= field.book.settings.woods_look_depth)


def _share_cover(field: Terrain, a: Body, b: Body) -> bool:
    """Return True if two figures in the same cover are near enough to see each other (RSK-153)."""
    reach = field.book.lengths["wood_sight"]
    if a.circle_gap(b) > reach:
        return False
    reach += a.radius + b.radius
    for mine, here in zip(field.depths[a], a.at, strict=True):
        if mine is not None:
            for theirs, target_point in zip(field.depths[b], b.at, strict=True):
                if theirs is not None and mine[0] == theirs[0] and dist(here, target_point) <= reach:
                    return True
    return False


def _is_screened(field: Terrain, a: Body, b: Body, screens: Iterable[SightBlocker[Ground]]) -> bool:
    """Return True if one piece hides the whole of each body from the other. A piece that holds part of a body does not
    count.
    """
    for screen in screens:
        box = screen.piece.hiding.box
        if not (bounds_meet(box, a.box) or bounds_meet(box, b.box)) and screen.hides(field.hulls[a], field.hulls[b]):
            return True
    return False


def _any_clear(
    field: Terrain,
    a: Body,
    b: Body,
    eyes: Sequence[int],
    sought: Sequence[int],
    screens: Sequence[SightBlocker[Ground]],
) -> bool:
    """Return True if any line between figures of two bodies is clear. The foremost figures are tried first."""
    if not screens:
        return True
    here = [a.at[i] for i in facing_first(a, b, eyes)]
    target_points = [b.at[j] for j in facing_first(b, a, sought)]
    return any(field.line_clear(p, q, screens) for q in target_points for p in here)


def _concealed_distance(
    field: Terrain, a: Body, b: Body, eyes: Sequence[int], screens: Sequence[SightBlocker[Ground]]
) -> SightLine:
    """Return how near the concealed figures of a body are along clear lines, or a plain view if they are seen from the
    lip of a donga.
    """
    settings, depths = field.book.settings, field.depths[b]
    shallow, deepest = settings.woods_look_depth, max(settings.woods_look_depth, settings.woods_fire_depth)
    hidden = [(j, depth) for j, depth in enumerate(depths) if depth is not None]
    if _from_the_lip(field, a, b, eyes, screens):
        return PLAIN
    near = [j for j, (_, depth) in hidden if depth <= shallow]
    deep = [j for j, (_, depth) in hidden if depth <= deepest]
    found = _least_line(field, a, b, eyes, near, screens)
    return SightLine(False, found, found if near == deep else _least_line(field, a, b, eyes, deep, screens))


def _from_the_lip(
    field: Terrain, a: Body, b: Body, eyes: Sequence[int], screens: Sequence[SightBlocker[Ground]]
) -> bool:
    """Return True if a figure near the lip of a sunken piece sees a figure in it (RSK-155)."""
    lip, own, other = field.book.lengths["donga_lip"], field.depths[a], field.depths[b]
    for name in dict.fromkeys(depth[0] for depth in other if depth is not None):
        piece = field.pieces[name]
        if not piece.ground.sunken:
            continue
        sought = [j for j, depth in enumerate(other) if depth is not None and depth[0] == name]
        beside = [i for i in eyes if own[i] is None or own[i][0] != name]  # type: ignore[index]  # None is excluded by the first test
        beside = [i for i in beside if piece.is_within(a.at[i], lip)]
        if beside and _any_clear(field, a, b, beside, sought, screens):
            return True
    return False


def _least_line(
    field: Terrain,
    a: Body,
    b: Body,
    eyes: Sequence[int],
    sought: Sequence[int],
    screens: Sequence[SightBlocker[Ground]],
) -> float:
    """Return the shortest clear line between figures of two bodies that are not in the same cover."""
    if not sought:
        return inf
    own, other = field.depths[a], field.depths[b]
    if not any(own):
        near = nearest(a.only(eyes), b.only(sought))
        if not screens or field.line_clear(a.at[eyes[near.own]], b.at[sought[near.other]], screens):
            return near.gap
    pairs = [(i, j) for i in eyes for j in sought if not own[i] or own[i][0] != other[j][0]]  # type: ignore[index]
    lines = sorted((dist(a.at[i], b.at[j]), a.at[i], b.at[j]) for i, j in pairs)
    radii = a.radius + b.radius
    clear = (length for length, p, q in lines if not screens or field.line_clear(p, q, screens))
    return max(0.0, next(clear, inf) - radii)
