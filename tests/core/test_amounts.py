"""A number and its word agree."""

from __future__ import annotations

import pytest

from zareba.amounts import amount


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
