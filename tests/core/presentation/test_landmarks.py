"""Points of an open table described by the nearest named place."""

import pytest

from zareba.presentation.landmarks import NO_LANDMARKS, Landmarks
from zareba.scenario import load_scenario

PATROL_CLASH = load_scenario("patrol_clash")


@pytest.mark.parametrize(
    ("point", "spot", "goal"),
    [
        ((24.0, 4.0), "at Track", "Track"),
        ((27.0, 4.0), "3 inches east of Track", "a point 3 inches east of Track"),
        ((12.0, 15.0), "at the knoll", "the knoll"),
    ],
)
def test_a_point_is_named_by_the_nearest_terrain_or_objective(point: tuple[float, float], spot: str, goal: str) -> None:
    landmarks = Landmarks(PATROL_CLASH)
    assert (landmarks.spot(point), landmarks.goal(point)) == (spot, goal)


def test_distances_are_in_the_unit_of_the_rules() -> None:
    in_cm = Landmarks(PATROL_CLASH, "cm", 2.5)
    assert in_cm.spot((27 * 2.5, 4 * 2.5)) == "7 cm east of Track"


def test_without_named_places_a_point_is_its_coordinates() -> None:
    assert (NO_LANDMARKS.spot((24.2, 6.7)), NO_LANDMARKS.goal((24.2, 6.7))) == ("at 24, 7", "24, 7")
