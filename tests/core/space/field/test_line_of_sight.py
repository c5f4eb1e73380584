"""Terrain that hides whole rectangles, compared with testing many single lines."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from tests.core.seeds import seeds

from zareba.space import Point
from zareba.space.field.line_of_sight import (
    SightBlocker,
    SightBlockers,
    corners_of,
    is_clear_through_growth,
    line_is_clear,
    sight_blockers,
)
from zareba.space.field.pieces import TerrainPiece
from zareba.space.geometry import Bounds, is_inside, joint_box, length_inside
from zareba.space.outlines import TerrainArea, TerrainLine

CONVEX = [(20.0, 20.0), (32.0, 18.0), (34.0, 26.0), (21.0, 28.0)]
BENT = [(8.0, 8.0), (20.0, 8.0), (20.0, 12.0), (12.0, 12.0), (12.0, 20.0), (8.0, 20.0)]
FENCE = [(5.0, 30.0), (18.0, 32.0), (24.0, 38.0)]


def screens(random: Random) -> list[SightBlocker[str]]:
    """Return displaced sight blockers of every kind, with points in either order."""
    found: list[SightBlocker[str]] = []
    for number in range(random.randint(1, 4)):
        dx, dy, kind = random.uniform(-8, 8), random.uniform(-8, 8), random.randrange(6)
        points = [(x + dx, y + dy) for x, y in (CONVEX, CONVEX, BENT, BENT, FENCE, FENCE)[kind]]
        points = points[::-1] if random.random() < 0.5 else points
        piece = (TerrainPiece.line if kind > 3 else TerrainPiece.area)(f"p{number}", "", points)
        found.append(SightBlocker(piece, through=2.0 if kind in (1, 3) else None, loophole=0.55 if kind == 5 else 0.0))
    return found


def box(random: Random, size: float = 5.0) -> Bounds:
    x, y = random.uniform(0, 45), random.uniform(0, 40)
    return x, y, x + random.uniform(0, size), y + random.uniform(0, size)


def inside(random: Random, box: Bounds) -> Point:
    return random.uniform(box[0], box[2]), random.uniform(box[1], box[3])


def lines(random: Random, a: Bounds, b: Bounds, count: int = 12) -> list[tuple[Point, Point]]:
    """Return random lines between two rectangles, and all lines between their corners."""
    corners = [(p, q) for p in corners_of(a) for q in corners_of(b)]
    return corners + [(inside(random, a), inside(random, b)) for _ in range(count)]


def check_whole(random: Random) -> None:
    for screen in screens(random):
        a, b = box(random), box(random)
        parts = screen.blocks_all(a, b)
        if parts is not None:
            assert all(screen.blocks(p, q) is parts for p, q in lines(random, a, b))
        at = inside(random, a)
        seen = [screen.blocks(at, q) for _, q in lines(random, a, b)]
        assert not screen.hides_from(at, b) or all(seen)
        assert not screen.cannot_hide(at, b) or not any(seen)
        about = joint_box(a, b)
        assert screen.is_near(about) or not any(screen.blocks(p, q) for p, q in lines(random, a, b))


def check_between(random: Random) -> None:
    everything = SightBlockers(screens(random), random.choice((1.0, 2.0, 5.0)))
    a, b = box(random), box(random)
    there, back = everything.between(a, b), everything.between(b, a)
    assert there == back
    for p, q in lines(random, a, b, 6):
        assert (there is not None and line_is_clear(p, q, there)) is line_is_clear(p, q, everything.all)


def check_one_line(random: Random) -> None:
    """Check one line with plain geometry, without half-planes or chords."""
    for screen in screens(random):
        if not screen.piece.is_area:
            continue
        a, b, outline = inside(random, box(random)), inside(random, box(random)), screen.piece.points
        deep = length_inside((a, b), outline)
        assert screen.blocks(a, b) is screen.blocks(b, a)
        thick = screen._through is not None
        if abs(deep - (2.0 if thick else 0.0)) < 1e-6:
            continue
        ends = is_inside(a, outline) or is_inside(b, outline)
        assert screen.blocks(a, b) is (deep > 2.0 if thick else deep > 0.0 and not ends)


CHECKS = (check_whole, check_between, check_one_line)


@pytest.mark.parametrize("check", CHECKS)
@seeds(200)
def test_an_area_reported_hidden_at_once_is_hidden_on_every_line(seed: int, check: Callable[[Random], None]) -> None:
    check(Random(seed))


def test_every_kind_of_ground_gives_every_answer() -> None:
    random, found = Random(3), set()
    sorts = {
        "solid": SightBlocker(TerrainPiece.area("solid", "", CONVEX)),
        "thick": SightBlocker(TerrainPiece.area("thick", "", CONVEX), through=2.0),
        "wall": SightBlocker(TerrainPiece.line("wall", "", FENCE)),
    }
    for _ in range(1500):
        a, b = box(random, 2.0), box(random, 2.0)
        found |= {(name, screen.blocks_all(a, b)) for name, screen in sorts.items()}
    assert found == {(name, answer) for name in sorts for answer in (True, False, None)}


@seeds(60)
def test_line_of_sight_is_the_same_mirrored_moved_and_scaled(seed: int) -> None:
    random = Random(seed)
    before = screens(random)
    ways = lines(random, box(random), box(random))

    def again(change: Callable[[Point], Point], scale: float = 1.0) -> None:
        for screen in before:
            piece = screen.piece
            made = (TerrainPiece.area if piece.is_area else TerrainPiece.line)(
                piece.name, "", [change(p) for p in piece.points]
            )
            through = None if screen._through is None else screen._through * scale
            other = SightBlocker(made, through=through, loophole=screen._loophole * scale)
            assert all(other.blocks(change(p), change(q)) is screen.blocks(p, q) for p, q in ways)

    again(lambda at: (-at[0], at[1]))
    again(lambda at: (at[0] + 250.0, at[1] - 30.0))
    again(lambda at: (at[0] * 2.54, at[1] * 2.54), 2.54)


@seeds(120)
def test_growth_along_a_line_is_added_up_and_hides_beyond_its_limit(seed: int) -> None:
    """The length of growth along a line is added up. Terrain at either end does not count, except growth as the caller
    decides.
    """
    random = Random(seed)
    known, most = screens(random), random.choice((1.0, 3.0, 5.0))
    a, b, deep = inside(random, box(random)), inside(random, box(random)), random.random() < 0.5
    asked: list[tuple[Point, Point]] = []

    def hides_end(area: TerrainArea, within: Point, without: Point) -> bool:
        assert area.holds(within) and not area.holds(without)
        asked.append((within, without))
        return deep

    thick, hidden, close = 0.0, False, False
    for screen in known:
        shape = screen.piece.hiding
        if isinstance(shape, TerrainLine):
            hidden |= shape.meets(a, b)
        elif not shape.holds(a) and not shape.holds(b):
            length = length_inside((a, b), shape.points)
            thick += length if screen.is_growth else 0.0
            hidden |= not screen.is_growth and length > 1e-6
            close |= 0 < length < 1e-6
        elif screen.is_growth and shape.holds(a) != shape.holds(b):
            hidden |= deep
    if not close and abs(thick - most) > 1e-6:
        assert is_clear_through_growth(a, b, known, most, hides_end) is not (hidden or thick > most)
        assert is_clear_through_growth(b, a, known[::-1], most, hides_end) is not (hidden or thick > most)
    assert all(pair in ((a, b), (b, a)) for pair in asked)


def test_sight_blockers_block_alone_or_only_together() -> None:
    depth = {"copse": 4.0, "spinney": 3.0, "thicket": 2.0, "house": 99.0}

    def is_clear(woods: tuple[str, ...]) -> bool:
        return sum(depth[wood] for wood in woods) <= 6.0

    assert sight_blockers(("copse", "thicket"), is_clear) == []
    assert sight_blockers(("copse", "house", "thicket"), is_clear) == ["house"]
    assert sight_blockers(("copse", "spinney"), is_clear) == ["copse", "spinney"]
    assert sight_blockers(("copse", "spinney", "thicket"), is_clear) == ["copse", "spinney"]
    assert sight_blockers(("spinney", "thicket", "thicket"), is_clear) == ["spinney", "thicket", "thicket"]
