"""Odds of solid shot and of rounds that always deviate, compared with a count of all points of impact."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import product
from math import atan2, comb, cos, hypot, radians, sin

import pytest
from tests.rulesets.fixed_baynet.plain import ask

Block = list[tuple[float, float]]
D12 = range(1, 13)


def block(ranks: int, files: int, apart: float) -> Block:
    """Return the centres of men around the origin, rank by rank away from the gun."""
    return [((f - (files - 1) / 2) * apart, (r - (ranks - 1) / 2) * apart) for r in range(ranks) for f in range(files)]


def falls(places: Block, aimed: tuple[float, float], away: float, least: int, most: int) -> list[tuple[float, float]]:
    """Return the equally likely points of impact of a round that deviates by `least` to `most` inches."""
    onwards = atan2(aimed[0], aimed[1] + away)
    ways = [(inches, onwards + radians(30 * hour)) for inches, hour in product(range(least, most + 1), D12)]
    return [(aimed[0] + inches * sin(way), aimed[1] + inches * cos(way)) for inches, way in ways]


def chance(wanted: int) -> F:
    """Return the probability that a D12 reaches a number; 1 always misses and 12 always hits."""
    return F(sum(score == 12 or (score > 1 and score >= wanted) for score in D12), 12)


@pytest.mark.rule("FBN-005", "FBN-215", "FBN-218", "FBN-219", "FBN-220")
@pytest.mark.parametrize(
    ("gun", "distance", "ranks", "files", "apart", "band"),
    [("light_gun", 20.0, 2, 3, 2.0, 0), ("heavy_gun", 40.0, 1, 5, 1.5, -1), ("medium_gun", 60.0, 3, 1, 2.5, 1)],
)
def test_a_ball_takes_whom_it_was_aimed_at_or_the_nearest_man_within_an_inch(
    gun: str, distance: float, ranks: int, files: int, apart: float, band: int
) -> None:
    places = block(ranks, files, apart)
    aimed, p = places[(ranks // 2) * files + files // 2], F(0)
    for score in D12:
        if score == 12 or (score > 1 and score >= 5 + band):
            p += F(1, 12)
            continue
        ways = falls(places, aimed, distance + 1.5, 4 if score == 1 else 1, 9 if score == 1 else 6)
        near = sum(min(hypot(x - at_x, y - at_y) for at_x, at_y in places) <= 1 + 1e-6 for x, y in ways)
        p += F(1, 12) * F(near, len(ways)) * chance(5)
    found = ask(
        "artillery_direct", gun=gun, ammunition="shot", distance=distance, ranks=ranks, files=files, apart=apart,
        formation="open", cs=0, ds=5,
    )  # fmt: skip
    assert found.probability(lambda o: o.down == 1) == p and found.probability(lambda o: o.down > 1) == 0


@pytest.mark.rule("FBN-216", "FBN-217", "FBN-219")
@pytest.mark.setting("deviation_on")
@pytest.mark.setting("burst_marker")
def test_a_shell_that_always_strays_bursts_where_it_comes_down() -> None:
    """A light howitzer's marker is 2 inches across by its multiple, 4 by its class."""
    for marker, radius in (("by_multiple", 1.0), ("by_class", 2.0)):
        places = block(1, 3, 1.0)
        losses = [F(0)] * 4
        for score in D12:
            ways = falls(places, places[1], 11.5, 1, 6 if score == 1 else 3)
            for x, y in ways:
                under = sum(hypot(x - at_x, y - at_y) <= radius + 1e-6 for at_x, at_y in places)
                for k in range(under + 1):
                    losses[k] += F(1, 12 * len(ways)) * comb(under, k) * chance(6) ** k * (1 - chance(6)) ** (under - k)
        settings = {"deviation_on": "always", "burst_marker": marker}
        found = ask(
            "artillery_direct", settings, gun="light_howitzer", distance=10.0, ranks=1, files=3, formation="open", ds=6
        )
        assert [found.probability(lambda o, k=k: o.down == k) for k in range(4)] == losses  # type: ignore[misc]  # a bound default


@pytest.mark.rule("FBN-215", "FBN-220", "FBN-088")
@pytest.mark.setting("natural_12_hits")
def test_a_gun_misses_on_twelve_where_twelves_are_no_wonder() -> None:
    for setting, critical, miss in ((True, F(1, 12), F(10, 12)), (False, F(0), F(11, 12))):
        found = ask("gun_aim", {"natural_12_hits": setting}, ds=9, cv=4)
        assert found.probability(lambda o: o.result == "critical") == critical
        assert found.probability(lambda o: o.result == "miss") == miss
        assert found.probability(lambda o: o.result == "critical miss") == F(1, 12)


@pytest.mark.rule("FBN-096", "FBN-097", "FBN-130")
def test_an_answer_knows_neither_cover_nor_range() -> None:
    plain = ask("exchange", ds=4, firer_ds=5, target_cs=1)
    far = ask("exchange", ds=4, band="long", cv=2, firer_ds=5, target_cs=1)
    for odds in (plain, far):
        hit = odds.probability(lambda o: o.target == "hit")
        assert odds.probability(lambda o: o.target == "hit" and o.firer != "miss") == hit * chance(4)
