"""Searches limited by distance give the same results as full searches, on random boards."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from tests.rulesets.fixed_baynet.plain import (
    Battle,
    Figure,
    Unit,
    battle,
    book,
    field,
    house,
    man,
    scripted,
    squad,
)

from zareba.base.exact import atan2d, hypot
from zareba.space.bearings import angle_between, offset
from zareba.space.field.bodies import Base
from zareba.space.field.pieces import TerrainPiece
from zareba.space.geometry import Point, distance_to_segment
from zareba.space.ground.terrain_window import Height
from zareba.space.outlines import TerrainArea
from zareba_rulesets.fixed_baynet.book.numbers import BUMPY, FLAT, JAGGED
from zareba_rulesets.fixed_baynet.chapters.aiming import (
    firers,
    has_target,
    known_target,
    may_aim,
    men_in_range,
    target_figures,
)
from zareba_rulesets.fixed_baynet.chapters.buildings import crossings, men_near_houses
from zareba_rulesets.fixed_baynet.chapters.cavalry import (
    Cavalcade,
    Ridden,
    most_of,
    raise_ridden_at,
    ride_refused,
    turn_cost,
)
from zareba_rulesets.fixed_baynet.chapters.contact import in_contact, men_not_fighting, stands_on_spot
from zareba_rulesets.fixed_baynet.chapters.manoeuvre import March
from zareba_rulesets.fixed_baynet.chapters.melee import spots_beside
from zareba_rulesets.fixed_baynet.chapters.mounted_charges import Leg
from zareba_rulesets.fixed_baynet.chapters.movement import allowance, bases_on_way
from zareba_rulesets.fixed_baynet.chapters.sight import eye_height, sees
from zareba_rulesets.fixed_baynet.forces.battle import summarise_unit
from zareba_rulesets.fixed_baynet.forces.places import bases_near, is_free
from zareba_rulesets.fixed_baynet.forces.units import Gun
from zareba_rulesets.fixed_baynet.ground import Field
from zareba_rulesets.fixed_baynet.odds.stage import bare_unit


def tables(count: int = 120) -> Iterator[Random]:
    """Yield a random generator for each of this many boards."""
    return (Random(seed) for seed in range(count))


def spot(random: Random) -> Point:
    return random.uniform(0, 30), random.uniform(0, 30)


def inch(random: Random) -> Point:
    """Return a random whole number of inches, so that borders are hit exactly."""
    return float(random.randint(0, 30)), float(random.randint(0, 30))


def way(random: Random) -> Point:
    return random.uniform(-12, 12), random.uniform(-12, 12)


# --- ground ---------------------------------------------------------------------------------------------------------------

AREAS = ("rubble", "dense_forest", "light_forest", "deep_river", "crag", "barbed_wire", "clear", "path")
LINES = ("stone_wall", "wooden_wall")


def oblong(random: Random) -> tuple[Point, ...]:
    """Return a random rectangle, usually rotated and sometimes partly off the board."""
    at, turn = (random.uniform(-3, 30), random.uniform(-3, 30)), random.choice((0.0, 20.0, 45.0, 77.0))
    far, across = offset(at, turn, random.uniform(0.5, 14)), random.uniform(0.5, 5)
    return at, far, offset(far, turn + 90, across), offset(at, turn + 90, across)


def ground(random: Random, **settings: Any) -> Field:
    """A board of 30 by 30 inches with a few areas, walls and hills, crossed by fords and paths."""
    made = book(**settings)
    rows = random.choices(AREAS, k=random.randint(1, 5))
    pieces = [
        TerrainPiece.area(f"{row} {number}", made.terrain[row], oblong(random), over=row in ("clear", "path"))
        for number, row in enumerate(rows)
    ]
    walls = random.choices(LINES, k=random.randint(0, 2))
    pieces += [
        TerrainPiece.line(f"wall {number}", made.terrain[row], oblong(random)[:3]) for number, row in enumerate(walls)
    ]
    rises = [(random.choice((2.0, 4.0)), random.choice((1, 2))) for _ in range(random.randint(0, 2))]
    return Field(
        made, 30.0, 30.0, tuple(pieces), tuple(Height(TerrainArea(oblong(random)), high, up) for high, up in rises)
    )


@pytest.mark.rule("FBN-048", "FBN-065", "FBN-073")
def test_what_bars_many_bars_one_of_them() -> None:
    for random in tables():
        on, mounted = ground(random), random.random() < 0.5
        starts = [spot(random) for _ in range(random.randint(1, 3))]
        (west, east), (south, north) = [(min(along), max(along)) for along in zip(*starts, strict=True)]
        refused = on.same_way(starts, on.scene((-20, -20, 60, 60)), mounted, frozenset())
        for dx, dy in [way(random) for _ in range(12)]:
            sweep = (west + min(dx, 0), south + min(dy, 0), east + max(dx, 0), north + max(dy, 0))
            if min(sweep) < 0 or max(sweep) > 30:
                continue  # moves may not leave the board
            legs = [on.leg((x, y), (x + dx, y + dy), mounted) for x, y in starts]
            for most in (FLAT, BUMPY, JAGGED):
                barred = any(leg.closed or leg.difficulty > most for leg in legs)
                assert (refused(dx, dy, sweep, most) is not None) is barred


# --- paths and bases ------------------------------------------------------------------------------------------------------


def crowd(random: Random) -> Battle:
    """Three units with a gun each, on whole inches; some men in a hut, mounted or hidden, some guns wrecked."""
    units = []
    for name, side in (("a", "red"), ("b", "blue"), ("c", "blue")):
        men = [man(f"{name}/{i}", side, *inch(random)) for i in range(random.randint(1, 6))]
        for figure in men:
            figure.mounted, figure.place = random.random() < 0.3, "hut:0:0" if random.random() < 0.2 else ""
        gun = Gun("light_gun", *inch(random), 0.0, 0.0, random.choice((0, 1, 2)))
        unit = bare_unit(name, side, men, guns=[gun])
        if random.random() < 0.3:
            unit.mark("hidden")
        units.append(unit)
    return battle(*units, on=ground(random))


def bases(state: Battle, without: str = "", seat: str = "") -> list[Base]:
    """Return all bases outdoors that a seat may know of."""
    radius, found = state.book.radius, []
    for unit in state.units.values():
        side = unit.spec.side
        if not seat or side == seat or "hidden" not in unit.marks:
            found += [
                Base(one.x, one.y, radius["mounted" if one.mounted else "foot"], side, key)
                for key, one in unit.figures.items()
                if not one.place and key != without
            ]
            found += [Base(gun.x, gun.y, radius["gun"], side, "") for gun in unit.guns if gun.wounds > 0]
    return found


@pytest.mark.rule("FBN-005", "FBN-050")
def test_bases_near_a_box() -> None:
    for random in tables():
        state, a, b = crowd(random), inch(random), inch(random)
        west, east, south, north = min(a[0], b[0]), max(a[0], b[0]), min(a[1], b[1]), max(a[1], b[1])
        for reach in range(9):
            for seat in ("", "red", "blue"):
                assert sorted(bases_near(state, (west, south, east, north), reach, {"a/0"}, seat)) == sorted(
                    base
                    for base in bases(state, "a/0", seat)
                    if west - reach <= base.x <= east + reach and south - reach <= base.y <= north + reach
                )


@pytest.mark.rule("FBN-005", "FBN-050")
def test_bases_on_a_way() -> None:
    for random in tables():
        state = crowd(random)
        figure = state.units["a"].figures["a/0"]
        near = state.radius(figure) + state.book.contact
        for (x, y), (dx, dy), share in [(spot(random), way(random), random.choice((0.05, 1.0))) for _ in range(12)]:
            dx, dy = dx * share, dy * share
            assert sorted(bases_on_way(state, figure, (x, y), (x + dx, y + dy))) == sorted(
                base
                for base in bases(state, "a/0")
                if distance_to_segment(base[:2], (x, y), (x + dx, y + dy)) < near + base.radius
            )


@pytest.mark.rule("FBN-041", "FBN-050", "FBN-180")
def test_nobody_charges_onto_a_base() -> None:
    """No contact position offered, in front of the enemy or beside him, lies on a base or a gun."""
    for random in tables(400):
        state = crowd(random)
        one, other = (next(iter(state.units[name].figures.values())) for name in ("a", "b"))
        everybody = bases(state, one.spec.id, "red")
        for spot in spots_beside(state, state.units["a"], one, other, 40.0):
            assert is_free(state, spot, state.radius(one), everybody)


@pytest.mark.rule("FBN-050", "FBN-270")
def test_who_just_misses_somebody_does_not_come_upon_him() -> None:
    """A man with a base of half an inch passes another exactly at the contact distance of 0.05 inches."""
    walker, gun = man("a", "red", 10, 10), Gun("light_gun", 10.0, 20.0, 0.0, 0.0, 2)
    state = battle(bare_unit("a", "red", [walker]), bare_unit("b", "blue", [man("b", "blue", 30, 30)], guns=[gun]))
    for y, comes in ((18.44, False), (18.46, True)):
        assert bool(bases_on_way(state, walker, (10.0, 10.0), (10.0, y))) is comes
    assert not bases_on_way(state, walker, (10.0, 21.56), (10.0, 25.0))
    assert bases_on_way(state, walker, (10.0, 10.0), (10.0, 30.0))


# --- men on foot ----------------------------------------------------------------------------------------------------------


def refused_alone(state: Battle, one: Figure, dx: float, dy: float) -> bool:
    """Return why ground or move allowance bars a single man from a path (FBN-039, FBN-048, FBN-129)."""
    leg = state.field.leg(one.at, (one.x + dx, one.y + dy), False)
    if leg.closed:
        return True
    length, groin = hypot(dx, dy), "groin" in one.locations
    if length > allowance(state, one) + 1e-6:
        return True
    if state.book.settings.terrain_move == "proportional" and not groin:
        return leg.cost > allowance(state, one) + 1e-6
    return (
        length > (allowance(state, one) if groin else state.book.slowed(allowance(state, one), leg.difficulty)) + 1e-6
    )


@pytest.mark.rule("FBN-039", "FBN-048", "FBN-065", "FBN-128", "FBN-129")
@pytest.mark.setting("terrain_move")
@pytest.mark.parametrize("move", ["worst", "proportional"])
def test_men_may_walk_where_each_of_them_may(move: str) -> None:
    """A group may make a move if each man may. Some paths have exactly a whole allowance; men are alike, or some have leg
    or groin wounds.
    """
    for number, random in enumerate(tables(200)):
        on = ground(random, terrain_move=move)
        red = squad("red", "red", 3, spot(random))
        men = list(red.figures.values())
        for one in men if number % 3 else []:
            one.locations = frozenset(random.choices(("leg_light", "groin", "arm"), k=random.randint(0, 1)))
        state = battle(red, on=on, terrain_move=move)
        march = March(state, red, men, 12.0)
        w, s, e, n = march.box
        lengths = sorted({float(state.book.slowed(allowance(state, one), going)) for one in men for going in range(3)})
        ways = [way(random) for _ in range(6)]
        ways += [offset((0.0, 0.0), random.uniform(0, 360), length) for length in lengths for _ in range(2)]
        for dx, dy in ways:
            sweep = (w + min(dx, 0), s + min(dy, 0), e + max(dx, 0), n + max(dy, 0))
            expected = any(refused_alone(state, one, dx, dy) for one in men)
            assert (march.ground_refused(on.scene(sweep), sweep, dx, dy) is not None) is expected


# --- riders ---------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FBN-174", "FBN-175", "FBN-176", "FBN-182")
@pytest.mark.setting("terrain_move")
@pytest.mark.parametrize("move", ["worst", "proportional"])
def test_riders_may_go_where_each_of_them_may(move: str) -> None:
    for number, random in enumerate(tables()):
        on, gait = ground(random, terrain_move=move), random.choice((1, 2, 3))
        red = squad("red", "red", 3, spot(random), mounted=True, rides=True)
        state = battle(red, on=on, terrain_move=move)
        men = list(red.figures.values())
        for place, one in enumerate(men):
            one.last_gait, one.facing = (gait, 0.0) if number % 2 else (gait - place % 2, 60.0 * place)
        cavalcade = Cavalcade(state, red, men, gait)
        w, s, e, n = cavalcade.box
        lengths = [float(most_of(state.book, gait, going)) for going in range(3)]  # of whole rides straight ahead
        ways = [way(random) for _ in range(6)] + [offset((0.0, 0.0), men[0].facing, length) for length in lengths]
        for dx, dy in ways:
            sweep = (w + min(dx, 0), s + min(dy, 0), e + max(dx, 0), n + max(dy, 0))
            alone = [ride_refused(state, one, (one.at, (one.x + dx, one.y + dy)), gait) for one in men]
            assert (cavalcade.ground_refused(on.scene(sweep), sweep, dx, dy) is not None) is any(alone)


def leg_refused(state: Battle, men: list[Figure], gait: int, ridden: Ridden, dx: float, dy: float) -> bool:
    """Return why a leg of a ride is barred: too long for its gait, with turns paid for, or over impassable ground
    (FBN-175, FBN-182).
    """
    ways = [state.field.leg(one.at, (one.x + dx, one.y + dy), True) for one in men]
    turn = max(turn_cost(state.book, gait, [angle_between(one.facing, atan2d(dx, dy))]) for one in men)
    inches, turns = ridden.inches + hypot(dx, dy), ridden.turns + turn
    price, going = (
        ridden.cost + max(leg.cost for leg in ways),
        max(ridden.difficulty, *(leg.difficulty for leg in ways)),
    )
    if any(leg.closed for leg in ways) or inches + turns > most_of(state.book, gait, 0) + 1e-6:
        return True
    if state.book.settings.terrain_move == "proportional":
        return price + turns > most_of(state.book, gait, 0) + 1e-6
    return inches + turns > most_of(state.book, gait, going) + 1e-6


@pytest.mark.rule("FBN-175", "FBN-180", "FBN-182")
@pytest.mark.setting("terrain_move")
@pytest.mark.parametrize("move", ["worst", "proportional"])
def test_a_leg_of_a_ride_counts_with_what_was_ridden_before_it(move: str) -> None:
    """Some paths use exactly the whole ride."""
    for random in tables(200):
        on, gait = ground(random, terrain_move=move), random.choice((1, 2, 3))
        red = squad("red", "red", 2, spot(random), mounted=True, rides=True)
        state = battle(red, on=on, terrain_move=move)
        men = list(red.figures.values())
        for one in men:
            one.facing = float(random.choice((0, 45, 90)))
        before = float(random.randint(0, 6))
        ridden = Ridden(
            before, random.choice((0.5, 1.0, 1.5)) * before, float(random.randint(0, 2)), random.randint(0, 2)
        )
        leg = Leg(state, red, men, gait, ridden)
        w, s, e, n = leg.box
        ahead = [most_of(state.book, gait, going) - before - ridden.turns for going in range(3)]
        ahead.append(most_of(state.book, gait, 0) - ridden.cost - ridden.turns)
        ways = [way(random) for _ in range(6)]
        ways += [offset((0.0, 0.0), men[0].facing, length) for length in ahead if length > 0]
        for dx, dy in ways:
            sweep = (w + min(dx, 0), s + min(dy, 0), e + max(dx, 0), n + max(dy, 0))
            expected = leg_refused(state, men, gait, ridden, dx, dy)
            assert (leg.ground_refused(on.scene(sweep), sweep, dx, dy) is not None) is expected


@pytest.mark.rule("FBN-142")
def test_those_are_ridden_at_who_stand_in_a_riders_way_in_his_sight() -> None:
    for random in tables():
        red = bare_unit("red", "red", [man(f"red/{i}", "red", *spot(random), mounted=i < 3) for i in range(4)])
        blue = bare_unit("blue", "blue", [man(f"blue/{i}", "blue", *spot(random)) for i in range(2)])
        state = battle(red, blue, on=ground(random))
        for rider, gait in zip(red.figures.values(), (1, 2, 3, 3), strict=True):
            rider.facing, rider.gait = random.uniform(0, 360), gait
        with scripted(state) as table:
            raise_ridden_at(table, state, red)
        view = state.field.scene((0.0, 0.0, 30.0, 30.0))
        expected = any(
            rider.mounted
            and rider.gait > 1
            and distance_to_segment(foe.at, rider.at, offset(rider.at, rider.facing, 17.0)) <= 0.5
            and sees(state, rider, foe, view)
            for rider in red.figures.values()
            for foe in blue.figures.values()
        )
        assert state.units["blue"].events == ("ridden at",) * expected


@pytest.mark.rule("FBN-142")
@pytest.mark.parametrize(
    ("at", "ridden"), [((10, 27.4), True), ((10, 27.6), False), ((10.5, 20), True), ((10.6, 20), False)]
)
def test_a_base_that_the_prolonged_line_touches_is_ridden_at(at: Point, ridden: bool) -> None:
    """A rider at canter faces north. Seventeen inches ahead of him a man with a base of half an inch is at the end of the
    line or next to it.
    """
    red = bare_unit("red", "red", [man("red/0", "red", 10, 10, mounted=True)])
    blue = bare_unit("blue", "blue", [man("blue/0", "blue", *at)])
    state = battle(red, blue, on=field())
    red.figures["red/0"].gait = 2
    with scripted(state) as table:
        raise_ridden_at(table, state, red)
    assert state.units["blue"].events == ("ridden at",) * ridden


# --- sight and aiming -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("FBN-078", "FBN-273")
@pytest.mark.setting("forest_depth_los")
@pytest.mark.parametrize("depth", ["none", 6])
def test_a_line_of_sight_is_ended_by_what_lies_on_it(depth: Any) -> None:
    def ends(state: Battle, hill: Height, a: Figure, b: Figure) -> bool:
        lines = [
            eye_height(state, a) + t * (eye_height(state, b) - eye_height(state, a))
            for span in hill.shape.spans(a.at, b.at)
            for t in span
        ]
        return hill.top > max(a.z, b.z) and any(hill.top > line for line in lines)

    for random in tables():
        on = ground(random, forest_depth_los=depth)
        red = bare_unit("red", "red", [man(f"red/{i}", "red", *spot(random)) for i in range(3)])
        blue = bare_unit("blue", "blue", [man(f"blue/{i}", "blue", *spot(random)) for i in range(3)])
        state = battle(red, blue, on=on, forest_depth_los=depth)
        view = state.field.scene((0.0, 0.0, 30.0, 30.0))
        for a in red.figures.values():
            for b in blue.figures.values():
                hidden = any(ends(state, hill, a, b) for hill in on.heights)
                hidden |= any(one.ground.blocks_sight and one.length_inside(a.at, b.at) > 1e-9 for one in on.pieces)
                wood = [one.length_inside(a.at, b.at) for one in on.pieces if one.ground.forest]
                assert sees(state, a, b, view) is not (hidden or (depth == 6 and sum(wood) >= 6))


def about_a_hut(random: Random, name: str, side: str, kind: str) -> Unit:
    """Men in a hut, some at its window or door, and others about a rifle's range away, some mounted."""
    men = []
    for i in range(random.randint(1, 3)):
        at = random.uniform(36, 54), random.uniform(10, 20)
        figure = man(f"{name}/{i}", side, *at, facing=random.choice((0.0, 180.0)), mounted=random.random() < 0.3)
        if random.random() < 0.4:
            figure.mounted, figure.place = False, "hut:0:0"
            figure.x, figure.y = random.uniform(40.5, 45.5), random.uniform(40.5, 45.5)
            figure.post = random.choice(("hut:rail",) if kind == "tower" else ("hut:window", "hut:door", ""))
        men.append(figure)
    return bare_unit(name, side, men, random.choice(("open", "square")))


@pytest.mark.rule("FBN-063", "FBN-079", "FBN-093", "FBN-275")
def test_a_unit_finds_somebody_to_aim_at_when_one_of_its_men_does() -> None:
    found = set()
    for random in tables(400):
        kind = random.choice(("sections", "openable", "tower"))
        red, blue = about_a_hut(random, "red", "red", kind), about_a_hut(random, "blue", "blue", kind)
        state = battle(red, blue, on=house(kind))
        for unit in (red, blue):
            unit.measure()
        ready, men = firers(state, red), target_figures(state, "red", blue)
        view = state.field.scene((0.0, 0.0, 100.0, 100.0))
        expected = any(
            may_aim(state, red, one, men[place], view) for one in ready for _, place in men_in_range(state, one, men)
        )
        found.add(expected)
        assert has_target(state, red, blue, ready) is expected
    assert found == {True, False}


@pytest.mark.rule("FBN-079", "FBN-256", "FBN-275")
def test_who_is_in_no_fight_about_a_hut_is_told_as_by_a_look_at_every_pair() -> None:
    found = set()
    for random in tables(600):
        kind = random.choice(("sections", "openable", "tower"))
        red, blue = about_a_hut(random, "red", "red", kind), about_a_hut(random, "blue", "blue", kind)
        for one in (*red.figures.values(), *blue.figures.values()):
            if not one.place:
                one.x, one.y = random.uniform(36, 50), random.choice((random.uniform(36, 50), random.uniform(38, 40.5)))
        state = battle(red, blue, on=house(kind))
        for unit in (red, blue):
            unit.measure()
        men = list(blue.figures.values())
        fighting = [
            any(
                in_contact(state, one, friend, state.book.contact)
                and not (one.place and one.place == friend.place and not stands_on_spot(state, one))
                for friend in red.figures.values()
            )
            for one in men
        ]
        found |= {(one.place != "", fights) for one, fights in zip(men, fighting, strict=True)}
        expected = [one for one, fights in zip(men, fighting, strict=True) if not fights]
        assert list(men_not_fighting(state, blue, men, "red")) == expected
    assert len(found) == 4


@pytest.mark.rule("FBN-016", "FBN-092")
def test_a_hint_of_who_had_whom_in_his_sights_is_no_more_than_that() -> None:
    def aiming() -> tuple[Battle, Unit]:
        red = bare_unit("red", "red", [man("red/1", "red", 50, 20), man("red/2", "red", 10, 20)])
        blue = bare_unit("blue", "blue", [man("blue/1", "blue", 50, 30)])
        state = battle(red, blue, on=field(("crag", [(0, 24), (48, 24), (48, 26), (0, 26)])))
        assert known_target(state, red, firers(state, red)) == "", "nobody has looked yet"
        assert (
            has_target(state, red, blue, firers(state, red)) and known_target(state, red, firers(state, red)) == "blue"
        )
        return state, red

    state, red = aiming()
    del state.units["blue"]
    assert known_target(state, red, firers(state, red)) == ""
    for changed in ({"reaction": "berserk"}, {"ac": 0}):
        state, red = aiming()
        for name, value in changed.items():
            setattr(red.figures["red/1"], name, value)
        assert known_target(state, red, firers(state, red)) == ""
    state, red = aiming()
    red.figures.pop("red/1")
    red.figures["red/2"].x = 50.0
    assert known_target(state, red, firers(state, red)) == "blue", "another man has him in his sights"


# --- men around a building ------------------------------------------------------------------------------------------------


@pytest.mark.rule("FBN-244", "FBN-252", "FBN-260")
def test_those_near_a_building_are_all_who_may_go_in() -> None:
    for random in tables():
        kind = random.choice(("sections", "openable", "tower"))
        men = [man(f"red/{i}", "red", *inch(random), sp=random.choice((5, 6))) for i in range(4)]
        for figure in men:
            figure.x, figure.y = figure.x + 24, figure.y + 24
            figure.place = "hut:0:0" if random.random() < 0.1 else ""
        red = bare_unit("red", "red", men)
        state = battle(red, on=house(kind))
        able = summarise_unit(red)
        near, most = men_near_houses(state, red, able), able.sp + 2.0
        ways = state.field.ways_in
        assert near == [
            one for one in men if one.place or any(abs(one.x - x) <= most and abs(one.y - y) <= most for x, y in ways)
        ]
        assert {one.spec.id for one in men if crossings(state, one)} <= {one.spec.id for one in near}
