"""Sentence templates with placeholders."""

from __future__ import annotations

from typing import Any

import pytest

from zareba.battle.sentence_templates import Words, event_text, fill, question_text
from zareba.table import Choose, Event


def test_gaps_are_filled_with_names_and_unknown_ones_stay() -> None:
    event_text = fill("{unit} lost {lost} to {enemy}", {"unit": "sikhs", "lost": 2}, lambda word: f"<{word}>")
    assert event_text == "<sikhs> lost <2> to {enemy}"


def test_a_name_keeps_its_capital_article_only_at_the_start_of_a_sentence() -> None:
    names = {"guns": "The guns", "column": "The column", "mills": "Mills"}
    data = {"unit": "guns", "target": "column", "units": ("mills", "guns"), "flank": True}
    assert fill("{unit} charged {target}", data, names.__getitem__) == "The guns charged the column"
    assert fill("melee of {units:listed}", data, names.__getitem__) == "melee of Mills and the guns"
    assert fill("[flank?{unit} fell back||{target} stood]", data, names.__getitem__) == "The guns fell back"
    assert fill("lost '{unit}'", data, names.__getitem__) == "lost 'The guns'"
    assert fill("lost[flank?: {unit}]", data, names.__getitem__) == "lost: the guns"


def test_a_placeholder_is_a_single_word_without_lookups() -> None:
    assert fill("{unit.__class__} {0} {}", {"unit": "sikhs"}, str) == "{unit.__class__} {0} {}"


WORDS = Words(
    questions={"fire at": "{actor}: fire at whom?"},
    events={
        "fire": "{unit} fired {dice|die|dice} at {targets}: {hits|hit}",
        "rode": "{unit} [way=none?went nowhere||{act@acts} {cm:.1f} cm to {box:place}][flank? on the flank][!left?, the last]",
        "rank": "{unit} became {rank:words} of {side:raw}; seen by {by:listed}; {change:+d}",
    },
    tables={"acts": {"trot": "trotted"}},
)


def said(kind: str, **data: Any) -> str:
    return event_text(WORDS, Event(kind, "X-1", data), lambda word: f"<{word}>", {"place": lambda box: f"box {box}"})


def test_numbers_come_with_their_word_and_several_names_one_after_the_other() -> None:
    assert said("fire", unit="a", dice=1, hits=2, targets=["b", "c"]) == "<a> fired 1 die at <b>, <c>: 2 hits"
    assert said("fire", unit="a", dice=3, hits=1, targets="b") == "<a> fired 3 dice at <b>: 1 hit"


def test_parts_of_a_sentence_stand_under_conditions() -> None:
    ride = {"unit": "a", "act": "trot", "cm": 2.34, "box": 7}
    assert said("rode", **ride, flank=True, left=2) == "<a> trotted 2.3 cm to box 7 on the flank"
    assert said("rode", **ride, left=0) == "<a> trotted 2.3 cm to box 7, the last"
    assert said("rode", unit="a", way="none", left=1) == "<a> went nowhere"
    assert (
        said("rode", **{**ride, "act": "amble"}, left=1) == "<a> amble 2.3 cm to box 7"
    )  # words without an entry stay as they are


def test_words_lists_and_numbers_are_written_as_people_write_them() -> None:
    data = {"unit": "a", "rank": "sub_chief", "side": "red", "by": ["b", "c", "d"], "change": 2}
    assert said("rank", **data) == "<a> became sub chief of red; seen by <b>, <c> and <d>; +2"


def test_event_without_a_field_of_its_template_gets_plain_text() -> None:
    with pytest.raises(KeyError, match="hits"):
        said("fire", unit="a", dice=1, targets="b")
    assert said("digs", unit="a") == "<a>: digs"  # default words of the core for an event without a sentence


def test_a_question_without_words_is_refused() -> None:
    asks = Choose("fire at", "X-1", "a", "red", ("b", "c"), ())
    assert question_text(WORDS, asks, {"actor": "Sikhs"}) == "Sikhs: fire at whom?"
    with pytest.raises(KeyError):
        question_text(WORDS, asks._replace(why="dig at"), {"actor": "Sikhs"})


def test_no_format_makes_a_sentence_endless() -> None:
    assert fill("{hits:999999999d}", {"hits": 3}, str) == "3"
