"""Points of an open table described by the nearest named place."""

import pytest

from zareba.presentation.landmarks import NO_LANDMARKS, Landmarks
from zareba.scenario import load_scenario

PATROL_CLASH = load_scenario("patrol_clash")


@pytest.mark.parametrize(
    ("point", "spot", "goal"),
    [
        ((24.0, 2.0), "at the south end of the Track", "the south end of the Track"),
        (
            (27.0, 3.0),
            "3 inches east of the south end of the Track",
            "a point 3 inches east of the south end of the Track",
        ),
        ((25.7, 35.0), "at the north end of the Track", "the north end of the Track"),
        (
            (23.6, 10.0),
            "1 inch west of the south part of the Track",
            "a point 1 inch west of the south part of the Track",
        ),
        ((24.0, 29.0), "at the north part of the Track", "the north part of the Track"),
        (
            (14.0, 27.0),
            "2 inches north of the middle part of the Nullah",
            "a point 2 inches north of the middle part of the Nullah",
        ),
        ((12.0, 15.0), "at the knoll", "the knoll"),
    ],
)
def test_a_point_is_named_by_the_nearest_terrain_or_objective(point: tuple[float, float], spot: str, goal: str) -> None:
    landmarks = Landmarks(PATROL_CLASH)
    assert (landmarks.spot(point), landmarks.goal(point)) == (spot, goal)


def test_a_large_area_is_named_with_the_part_of_it() -> None:
    hill_fort = load_scenario("hill_fort")
    spur = hill_fort.terrain["spur"].area
    assert spur is not None
    alone = Landmarks(hill_fort.model_copy(update={"terrain": {"spur": hill_fort.terrain["spur"]}, "objectives": {}}))
    (left, right), (low, high) = ((min(axis), max(axis)) for axis in zip(*spur, strict=True))
    assert alone.goal(((left + right) / 2, (low + high) / 2)) == "the middle of the spur"
    west = min(spur)
    assert alone.goal(west).endswith("west part of the spur"), "a move across the spur names its end"
    assert alone.spot((west[0] - 4, west[1])).startswith("4 inches west of the")


def test_a_proper_name_takes_no_article() -> None:
    wells = load_scenario("battle_of_the_wells")
    village = PATROL_CLASH.terrain["village"].model_copy(update={"name": "Omdurman"})
    assert village.area is not None
    renamed = PATROL_CLASH.model_copy(update={"terrain": {**PATROL_CLASH.terrain, "village": village}})
    middle = next(piece.area[0] for piece in wells.terrain.values() if piece.name == "Jebel Gharbi" and piece.area)
    assert Landmarks(wells).spot(middle) == "at Jebel Gharbi"
    assert Landmarks(renamed).spot(village.area[0]) == "at Omdurman"
    assert Landmarks(PATROL_CLASH).spot(village.area[0]) == "at the village"


def test_distances_are_in_the_unit_of_the_rules() -> None:
    in_cm = Landmarks(PATROL_CLASH, "cm", 2.5)
    assert in_cm.spot((27 * 2.5, 3 * 2.5)) == "7 cm east of the south end of the Track"


def test_without_named_places_a_point_is_its_coordinates() -> None:
    assert (NO_LANDMARKS.spot((24.2, 6.7)), NO_LANDMARKS.goal((24.2, 6.7))) == ("at 24, 7", "24, 7")
