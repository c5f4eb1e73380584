"""Every way to read a roll: exact distributions checked against all ordered faces and against icepool."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

import icepool  # type: ignore[import-untyped]  # it ships no types
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zareba.chance import EACH, HIGHEST, SUM, SUM_AND_HIGHEST, AtLeast, Counts, Read, SumBands, distribution

FLAGS = Counts((frozenset({1, 2}), frozenset({2, 6}), frozenset({9})))
READS: list[Read[Any]] = [SUM, HIGHEST, SUM_AND_HIGHEST, EACH, AtLeast(4), FLAGS, SumBands((5, 9)), SumBands(())]


@pytest.mark.parametrize("read", READS, ids=lambda read: read.name)
@pytest.mark.parametrize(("count", "sides"), [(0, 6), (1, 1), (1, 10), (2, 6), (3, 4), (5, 3)])
def test_a_distribution_counts_all_ordered_faces(read: Read[Any], count: int, sides: int) -> None:
    brute = Counter(read.of(faces) for faces in product(range(1, sides + 1), repeat=count))
    found = distribution(count, sides, read)
    assert dict(found) == brute
    assert list(found) == sorted(found)
    assert sum(found.values()) == sides**count


@pytest.mark.parametrize(("count", "sides"), [(7, 6), (24, 6), (10, 3), (4, 20)])
def test_sums_and_highest_agree_with_icepool(count: int, sides: int) -> None:
    pool = icepool.d(sides).pool(count)
    assert dict(distribution(count, sides, SUM)) == dict(pool.sum().items())
    assert dict(distribution(count, sides, HIGHEST)) == dict(pool.highest(1).sum().items())
    hits = icepool.d(sides).map(lambda face: int(face >= 3))
    assert dict(distribution(count, sides, AtLeast(3))) == dict((count @ hits).items())


def test_many_dice_are_fast_because_only_readings_are_counted() -> None:
    found = distribution(24, 6, SUM_AND_HIGHEST)
    assert sum(found.values()) == 6**24
    assert found[(24, 1)] == found[(144, 6)] == 1
    assert sum(weight for (_, highest), weight in found.items() if highest < 6) == 5**24


@given(st.lists(st.integers(1, 6), max_size=12), st.sampled_from(READS))
def test_rolled_results_are_in_the_distribution(faces: list[int], read: Read[Any]) -> None:
    if read is not EACH or len(faces) <= 5:
        assert read.of(faces) in distribution(len(faces), 6, read)


@given(st.lists(st.integers(1, 20), max_size=9), st.lists(st.integers(1, 20), max_size=9))
def test_readings_of_two_handfuls_join(left: list[int], right: list[int]) -> None:
    for read in READS:
        if not isinstance(read, SumBands):
            assert read.join(read.of(left), read.of(right)) == read.of(left + right)


def test_bands_count_the_thresholds_that_a_sum_reaches() -> None:
    leader_hit = SumBands((5, 10, 12))
    assert [leader_hit.of(faces) for faces in ([1, 3], [1, 4], [4, 5], [5, 5], [6, 6])] == [0, 1, 1, 2, 3]
    assert dict(distribution(2, 6, leader_hit)) == {0: 6, 1: 24, 2: 5, 3: 1}
    with pytest.raises(TypeError, match="add the dice first and find the band once"):
        leader_hit.join(1, 2)


def test_readings_are_described_in_words() -> None:
    leader_hit = SumBands((5, 10, 12))
    assert [leader_hit.describe(row) for row in range(4)] == ["less than 5", "5 to 9", "10 to 11", "12 or more"]
    assert (SumBands((7, 8)).describe(1), SumBands(()).describe(0)) == ("7", "any sum")
    assert (SUM.describe(7), SUM_AND_HIGHEST.describe((9, 5)), AtLeast(4).describe(2)) == ("7", "9, 5", "2")


def test_instructions_for_reading_dice() -> None:
    assert [SUM.instruction(dice) for dice in (1, 2)] == ["", " and add them"]
    assert SumBands((5, 10)).instruction(2) == " and add them, against 5, 10"
    assert [AtLeast(4).instruction(dice) for dice in (1, 3)] == ["; 4 or more counts", "; each 4 or more counts"]
    assert Counts((frozenset({1, 2, 3}),)).instruction(8) == "; each 1, 2 or 3 counts"
    assert FLAGS.instruction(8) == "; count 1/2, 2/6 and 9 separately"


def test_names_tell_readings_apart() -> None:
    assert SumBands((5, 10)).name == "sum against 5/10"
    assert AtLeast(4).name == "how many show 4 or more"
    assert FLAGS.name == "counts of 1/2, 2/6, 9"
    assert len({read.name for read in READS}) == len(READS)


def test_callers_cannot_change_a_distribution() -> None:
    with pytest.raises(TypeError):
        distribution(1, 6, SUM)[1] = 5  # type: ignore[index]  # that is the point


def test_counts_name_their_faces() -> None:
    assert Counts((frozenset({5, 6}), frozenset())).name == "counts of 5/6, no face"
