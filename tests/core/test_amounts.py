"""A number and its word agree, and names stand in a row."""

from __future__ import annotations

import pytest

from zareba.amounts import amount, listed


@pytest.mark.parametrize(
    ("number", "words", "sentence"),
    [
        (0, ("hit",), "0 hits"),
        (1, ("hit",), "1 hit"),
        (2, ("hit",), "2 hits"),
        (1, ("die", "dice"), "1 die"),
        (3, ("die", "dice"), "3 dice"),
    ],
)
def test_a_number_is_told_with_its_word(number: int, words: tuple[str, ...], sentence: str) -> None:
    assert amount(number, *words) == sentence


def test_names_in_a_row_have_commas_and_one_and() -> None:
    assert [listed("abc"[:count]) for count in (1, 2, 3)] == ["a", "a and b", "a, b and c"]
