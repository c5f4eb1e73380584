"""Terrain windows and difficulty on random terrain, compared with testing every piece at every step of a path."""

from __future__ import annotations

from math import dist
from random import Random

from tests.core.seeds import seeds

from zareba.space import Point, TerrainArea, TerrainPiece
from zareba.space.geometry import joint_box
from zareba.space.ground.movement_cost import SharedPath, climb_of, runs_along, runs_over
from zareba.space.ground.terrain_window import OPEN_WINDOW, Height, TerrainWindows, rises_between

EXTENT = (30.0, 24.0)
STEPS = 600


def rectangle(random: Random) -> tuple[Point, ...]:
    x, y, wide, deep = random.uniform(-3, 28), random.uniform(-3, 22), random.uniform(1, 9), random.uniform(1, 9)
    return (x, y), (x + wide, y + random.uniform(-1, 1)), (x + wide, y + deep), (x, y + deep)


def spot(random: Random) -> Point:
    return random.uniform(0, 30), random.uniform(0, 24)


def lie(random: Random) -> tuple[list[TerrainPiece[int]], list[Height]]:
    """Return terrain pieces with their difficulties, some lying on top of others, and some hills."""
    pieces = [
        TerrainPiece.area(f"area {k}", random.randint(0, 3), rectangle(random), over=random.random() < 0.3)
        for k in range(random.randint(0, 5))
    ]
    pieces += [
        TerrainPiece.line(f"line {k}", random.randint(0, 3), rectangle(random)[:3]) for k in range(random.randint(0, 2))
    ]
    hills = [
        Height(TerrainArea(rectangle(random)), random.choice((2.0, 4.0)), random.randint(1, 2))
        for _ in range(random.randint(0, 3))
    ]
    return pieces, hills


def windows_of(pieces: list[TerrainPiece[int]], hills: list[Height]) -> TerrainWindows[int]:
    return TerrainWindows(EXTENT, pieces, hills, 3.0, lambda piece: piece.ground > 1, lambda piece: piece.ground == 1)


def steps(a: Point, b: Point) -> list[Point]:
    return [(a[0] + (b[0] - a[0]) * k / STEPS, a[1] + (b[1] - a[1]) * k / STEPS) for k in range(STEPS + 1)]


@seeds(80)
def test_a_scene_has_all_that_lies_in_its_rectangle(seed: int) -> None:
    random = Random(seed)
    pieces, hills = lie(random)
    windows = windows_of(pieces, hills)
    for _ in range(20):
        a, b = spot(random), spot(random)
        box = joint_box((*a, *a), (*b, *b))
        window, view = windows.of(box), windows.view(box)
        points = [
            (box[0] + (box[2] - box[0]) * i / 9, box[1] + (box[3] - box[1]) * j / 9)
            for i in range(10)
            for j in range(10)
        ]
        lying = [piece for piece in pieces if any(piece.holds(at) for at in points)]
        rising = [hill for hill in hills if any(hill.shape.holds(at) for at in points)]
        assert set(lying) <= set(window.pieces) <= set(pieces) and set(rising) <= set(window.hills) <= set(hills)
        assert set(window.screens) == {piece for piece in window.pieces if piece.ground > 1}
        assert set(window.covers) == {piece for piece in window.pieces if piece.ground == 1}
        assert {piece for piece in lying if piece.ground > 1} <= set(view.screens) and set(rising) <= set(view.hills)
        assert set(lying) <= set(windows.near(box)) and set(rising) <= set(windows.hills_near(box))
        assert windows.height(a) == max((hill.top for hill in hills if hill.shape.holds(a)), default=0.0)
        if not lying and not rising and all(dist(a, at) > 12 for piece in pieces for at in piece.points):
            assert window is OPEN_WINDOW or window.pieces or window.hills


@seeds(120)
def test_a_way_runs_over_what_lies_under_it_for_a_length(seed: int) -> None:
    random = Random(seed)
    pieces, hills = lie(random)
    a, b = spot(random), spot(random)
    covers = [piece for piece in pieces if piece.over]
    for piece in pieces:
        if isinstance(piece.shape, TerrainArea):
            bare = [at for at in steps(a, b) if piece.holds(at) and not any(cover.holds(at) for cover in covers)]
            inside = max((last - first for first, last in piece.shape.spans(a, b)), default=0.0)
            if len(bare) != 1 and (
                bare or not 0 < inside < 1 / STEPS
            ):  # it may touch at one step, or at a corner between two steps
                assert runs_over(piece, covers, a, b) is bool(bare)
        elif piece.shape.distance(a) > 0.1:
            assert runs_over(piece, covers, a, b) is piece.meets(a, b)
    heights = [max((hill.top for hill in hills if hill.shape.holds(at)), default=0.0) for at in steps(a, b)]
    climbed = {
        hill.difficulty for hill in hills if hill.top > heights[0] and any(hill.shape.holds(at) for at in steps(a, b))
    }
    assert climb_of(a, b, hills) >= max(climbed, default=0)
    if climb_of(a, b, hills) > max(climbed, default=0):
        assert any(hill.shape.meets(a, b) and hill.top > heights[0] for hill in hills), "a corner between two steps"


def test_a_strip_is_run_along_by_no_more_than_half_a_right_angle_off_it() -> None:
    strip = TerrainPiece.area("trench", 0, [(0, 0), (20, 0), (20, 2), (0, 2)])
    assert runs_along(strip, (1, 1), (9, 2)) and runs_along(strip, (9, 1), (1, 1))
    assert not runs_along(strip, (5, 0), (5, 2)) and not runs_along(strip, (5, 0), (6, 2))


def worse(pieces: list[TerrainPiece[int]], hills: list[Height], a: Point, b: Point, most: int) -> bool:
    """Return True if a path touches or climbs terrain above a difficulty. Where other pieces lie on top, the path must
    run over it for a length.
    """
    covers = [piece for piece in pieces if piece.over]
    near = any(cover.may_meet(joint_box((*a, *a), (*b, *b))) for cover in covers)
    for piece in pieces:
        if piece.ground > most and piece.meets(a, b):
            over = () if piece.over or piece.ground < 3 else covers
            if not near or runs_over(piece, over, a, b):
                return True
    return climb_of(a, b, hills) > most


@seeds(120)
def test_moves_in_parallel_are_blocked_if_one_of_them_is(seed: int) -> None:
    """The answer does not depend on earlier questions or their order."""
    random = Random(seed)
    pieces, hills = lie(random)
    windows = windows_of(pieces, hills)
    starts = [spot(random) for _ in range(random.randint(1, 4))]
    squares = [
        windows.squares([p for p in pieces if p.ground > most], [hill for hill in hills if hill.difficulty > most])
        for most in range(4)
    ]
    way = SharedPath(
        starts,
        windows.of((0.0, 0.0, *EXTENT)),
        squares.__getitem__,
        lambda piece: piece.ground,
        lambda p: p.ground == 3,
    )
    for _ in range(15):
        dx, dy, most = random.uniform(-9, 9), random.uniform(-9, 9), random.randint(0, 2)
        ends = [(x + dx, y + dy) for x, y in starts]
        box = tuple(f(at[k] for at in (*starts, *ends)) for f, k in ((min, 0), (min, 1), (max, 0), (max, 1)))
        if box[0] < 0 or box[1] < 0 or box[2] > EXTENT[0] or box[3] > EXTENT[1]:
            continue
        found = way.blocker(dx, dy, box, most)  # type: ignore[arg-type]  # four numbers
        lines = list(zip(starts, ends, strict=True))
        assert (found is not None) is any(worse(pieces, hills, a, b, most) for a, b in lines)
        if found is not None:
            assert found in pieces or found in hills
            assert (found.difficulty if isinstance(found, Height) else found.ground) > most


@seeds(120)
def test_ground_rises_into_a_sight_line_where_it_is_higher_than_the_line_there(seed: int) -> None:
    random = Random(seed)
    _, hills = lie(random)
    a, b = spot(random), spot(random)
    heights = [random.choice((0.0, 1.0, 3.0)) + random.choice((0.5, 1.2)) for _ in range(2)]
    stand = max(heights) - 0.5
    line = [heights[0] + k / STEPS * (heights[1] - heights[0]) for k in range(STEPS + 1)]
    above = [
        hill.top - height
        for at, height in zip(steps(a, b), line, strict=True)
        for hill in hills
        if hill.top > stand and hill.shape.holds(at)
    ]
    grazed = any(0 < last - first < 3 / STEPS for hill in hills for first, last in hill.shape.spans(a, b))
    if not grazed and (not above or abs(max(above)) > 0.02):
        assert rises_between(hills, a, b, stand, *heights) is (max(above, default=-1.0) > 0)
    assert rises_between(hills, b, a, stand, *heights[::-1]) is rises_between(hills, a, b, stand, *heights)
