"""Keyed dice: results depend on the key alone and are even, and an additional roll leaves all others unchanged."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.toy import bare_rules

from zareba.chance import EACH, KeyedDice
from zareba.table import ChanceKeys, SeededTable
from zareba.table.questions import Step

# Chi-square bounds that fair dice pass in 999 of 1000 trials, by degrees of freedom.
CHI_SQUARE = {1: 10.83, 2: 13.82, 5: 20.52, 9: 27.88, 35: 66.62}


def chi_square(counts: Counter[object], outcomes: int, trials: int) -> float:
    expected = trials / outcomes
    missing = (outcomes - len(counts)) * expected
    return missing + sum((seen - expected) ** 2 / expected for seen in counts.values())


@given(st.integers(), st.text(max_size=30), st.integers(0, 1000), st.integers(1, 1000))
def test_faces_are_within_the_dice_and_repeatable(seed: int, key: str, count: int, sides: int) -> None:
    faces = KeyedDice(seed).faces(key, count, sides)
    assert len(faces) == count
    assert all(1 <= face <= sides for face in faces)
    assert faces == KeyedDice(seed).faces(key, count, sides)


@pytest.mark.parametrize("sides", [2, 3, 6, 10])
def test_single_dice_are_uniform_over_keys(sides: int) -> None:
    dice = KeyedDice(1880)
    seen: Counter[object] = Counter(dice.faces(f"3/fire/{n}", 1, sides)[0] for n in range(20_000))
    assert chi_square(seen, sides, 20_000) < CHI_SQUARE[sides - 1]


def test_dice_of_one_handful_are_uniform_and_independent() -> None:
    seen: Counter[object] = Counter()
    for n in range(600):
        faces = KeyedDice(7).faces(f"volley/{n}", 40, 6)
        seen.update(zip(faces[::2], faces[1::2], strict=True))
    assert chi_square(seen, 36, 12_000) < CHI_SQUARE[35]


def test_dice_are_uniform_over_seeds() -> None:
    seen: Counter[object] = Counter(KeyedDice(seed).faces("1/fire", 1, 6)[0] for seed in range(20_000))
    assert chi_square(seen, 6, 20_000) < CHI_SQUARE[5]


def test_picks_below_a_bound_are_uniform() -> None:
    seen: Counter[object] = Counter(KeyedDice(3).below(str(n), 10) for n in range(20_000))
    assert chi_square(seen, 10, 20_000) < CHI_SQUARE[9]


def test_dice_do_not_depend_on_the_hash_seed() -> None:
    here = KeyedDice(42).faces("2/melee/fusiliers", 12, 6)
    script = "from zareba.chance import KeyedDice; print(KeyedDice(42).faces('2/melee/fusiliers', 12, 6))"
    for hash_seed in ("0", "77"):
        there = subprocess.run(
            [sys.executable, "-c", script],
            capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": hash_seed},
        )  # fmt: skip
        assert there.stdout.strip() == str(here)


def test_keys_number_the_throws_of_each_actor_and_purpose() -> None:
    keys = ChanceKeys(Step("shots", 2, "fire"))
    assert keys.next("fusiliers", "fire") == "2/fire/shots/fusiliers/fire/0"
    assert keys.next("sikhs", "fire") == "2/fire/shots/sikhs/fire/0"
    assert keys.next("fusiliers", "fire") == "2/fire/shots/fusiliers/fire/1"


def test_one_more_roll_does_not_change_any_other() -> None:
    def thrown(extra: bool) -> list[tuple[int, ...]]:
        table = SeededTable(bare_rules(), None, 5, {})
        table.begin(Step("shots", 1, "fire"))
        found = []
        for actor in ("fusiliers", "sikhs"):
            if extra:
                table.roll(3, 6, EACH, why="second wind", rule="HOUSE-1", actor=actor)
            found += [table.roll(8, 6, EACH, why="fire", rule="T-1", actor=actor) for _ in range(2)]
        return found

    assert thrown(True) == thrown(False)
    assert len(set(thrown(False))) == 4
