"""Buildings: rooms and openings cover the whole plan, and lines pass only through openings."""

from __future__ import annotations

from zareba.space.ground.buildings import OFF_WALL, Building, BuildingSection, openings_between, tiles

HOUSE = ((0.0, 0.0), (12.0, 0.0), (12.0, 6.0), (0.0, 6.0))
FLAT = tuple(tiles(HOUSE, 6.0))


def house(levels: int = 1, *, heavy: bool = False) -> Building[str]:
    rooms = {
        key: BuildingSection(key, "house", level, box, 20)
        for level in range(levels)
        for number, box in enumerate(FLAT)
        for key in [f"house:{level}:{number}"]
    }
    ways = openings_between("house", HOUSE, rooms, 4.0, heavy=heavy)
    return Building("house", "openable", "brick", HOUSE, (0.0, 0.0, 12.0, 6.0), rooms, ways, 0.0, levels)


def test_rooms_cover_the_ground_and_unbuilt_corners_have_none() -> None:
    assert FLAT == ((0.0, 0.0, 6.0, 6.0), (6.0, 0.0, 12.0, 6.0))
    corner = ((0.0, 0.0), (12.0, 0.0), (12.0, 6.0), (6.0, 6.0), (6.0, 12.0), (0.0, 12.0))
    assert len(tiles(corner, 6.0)) == 3
    assert tiles(((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)), 6.0) == [(0.0, 0.0, 1.0, 1.0)]


def test_openings_stand_along_the_walls_two_doors_among_them() -> None:
    ways = house().openings.values()
    assert sorted(way.kind for way in ways) == ["door", "door", "inner", *["window"] * 8]
    out = [way for way in ways if not way.other]
    assert all(way.at[0] in (-OFF_WALL, 12 + OFF_WALL) or way.at[1] in (-OFF_WALL, 6 + OFF_WALL) for way in out)
    assert [way.kind for way in house(2).openings.values() if way.level != 0 and not way.other] == ["window"] * 10
    assert sum(way.kind == "stairs" for way in house(2).openings.values()) == 1


def test_lines_pass_openings_but_not_shut_doors() -> None:
    made, shut = house(), house(heavy=True)
    door = next(way for way in made.openings.values() if way.kind == "door" and way.at[1] < 0)
    inside, outside = (door.at[0] - 0.4, 1.0), (door.at[0] - 0.1, -5.0)

    def opened(name: str) -> bool:
        return name == door.id

    def none(name: str) -> bool:
        return False

    assert made.lets_through(0, inside, outside, 0.5, none), "a light door does not block"
    assert shut.lets_through(0, inside, outside, 0.5, opened)
    assert not shut.lets_through(0, inside, outside, 0.5, none)
    assert [way.id for way in made.exits_passed(0, inside, outside, 0.5, none)] == [door.id]
    assert not made.lets_through(0, (door.at[0] + 1.2, 1.0), (door.at[0] + 1.2, -5.0), 0.5, none), "a wall"
    one, other = "house:0:0", "house:0:1"
    assert made.inner_opening_passed(one, other, (3.0, 3.0), (9.0, 3.0), 0.5) == f"{one}-{other}"
    assert made.inner_opening_passed(one, other, (5.0, 0.5), (7.0, 0.5), 0.5) == ""
    assert not made.lets_through(0, (9.0, 0.5), (-5.0, 0.5), 0.5, none), "the wall between the rooms blocks it"
    assert made.size == 2
