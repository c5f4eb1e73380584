"""Sentences with gaps."""

from __future__ import annotations

from zareba.battle.templates import filled


def test_gaps_are_filled_with_names_and_unknown_ones_stay() -> None:
    told = filled("{unit} lost {lost} to {enemy}", {"unit": "sikhs", "lost": 2}, lambda word: f"<{word}>")
    assert told == "<sikhs> lost <2> to {enemy}"


def test_a_gap_is_a_word_and_nothing_is_looked_up_in_it() -> None:
    assert filled("{unit.__class__} {0} {}", {"unit": "sikhs"}, str) == "{unit.__class__} {0} {}"
