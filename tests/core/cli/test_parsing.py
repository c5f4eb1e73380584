"""Typed answers are understood generously; an ambiguous answer is never guessed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zareba.base.errors import ZarebaError
from zareba.cli.prompt.parsing import pick, read_yes
from zareba.session.dice_results import read_dice

PHRASES = ["go to C3 (scrub)", "go to C4", "charge Swordsmen at C5, 6 bases", "stay", "stay prone"]


@pytest.mark.parametrize(
    ("typed", "index"),
    [
        ("1", 0),
        ("5", 4),
        ("stay", 3),
        ("STAY", 3),
        ("stay p", 4),
        ("c4", 1),
        ("C3", 0),
        ("charge", 2),
        ("c5 swordsmen", 2),
    ],
)
def test_an_option_is_found_by_number_phrase_or_words(typed: str, index: int) -> None:
    assert pick(PHRASES, typed) == index


@pytest.mark.parametrize(
    ("ways", "typed", "index"),
    [
        (["N", "E", "S", "W", "form square"], "north", 0),
        (["N", "E", "S", "W", "form square"], "West", 3),
        (["N", "NE", "E"], "north-east", 1),
        (["N", "NE", "E"], "north east", 1),
        (["N", "NE", "E"], "n", 0),
        (["north", "north-north-east", "north-east"], "NNE", 1),
        (["north", "north-north-east", "north-east"], "n", 0),
        (["north", "north_east"], "ne", 1),
        (["new orders", "north", "stay"], "ne", 0),
        (["face north", "face north-east", "face east", "form square"], "n", 0),
        (["face north", "face north-east", "face east", "form square"], "NE", 1),
        (["face north", "face north-east", "face east", "form square"], "face e", 2),
        (["face north", "face north-east", "face east", "form square"], "north", 0),
    ],
)
def test_points_of_the_compass_go_by_words_and_letters(ways: list[str], typed: str, index: int) -> None:
    assert pick(ways, typed) == index


def test_a_complete_name_takes_precedence_over_names_that_begin_with_it() -> None:
    units = [
        "Fusiliers 2 (blue infantry) at D2, 5 figures",
        "Fusiliers (red infantry) at D2, 5 figures",
        "Lancers at F1",
    ]
    assert pick(units, "fusiliers") == 1
    with pytest.raises(ZarebaError, match="may mean several"):
        pick(units, "fus")


def test_an_option_is_also_found_by_its_other_name() -> None:
    assert pick(["fire the gun", "no more orders"], "done", ["", "done"]) == 1
    with pytest.raises(ZarebaError, match="no option is called 'done'"):
        pick(["fire the gun", "wait"], "done", ["", "wait"])


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("0", "there is no option 0; type a number from 1 to 5"),
        ("6", "there is no option 6; type a number from 1 to 5"),
        ("go", "'go' may mean several options: 1 go to C3 (scrub); 2 go to C4"),
        ("stya", "no option is called 'stya'; did you mean 'stay'?"),
        ("C9", "no option is called 'C9'; type a number from 1 to 5, or help"),
        ("?", "no option is called '?'"),
        ("²", "no option is called '²'"),
    ],
)
def test_ambiguity_is_reported_with_the_possible_answers(typed: str, sentence: str) -> None:
    with pytest.raises(ZarebaError) as told:
        pick(PHRASES, typed)
    assert sentence in str(told.value)


def test_a_list_of_one_option_names_the_only_number() -> None:
    with pytest.raises(ZarebaError, match="there is no option 2; type 1, the only option"):
        pick(["stay"], "2")


@given(st.text(max_size=30))
def test_any_typed_text_gives_an_option_or_a_message(typed: str) -> None:
    try:
        assert pick(PHRASES, typed) in range(len(PHRASES))
    except ZarebaError as error:
        assert str(error)


@pytest.mark.parametrize("typed", ["4 1 6", "4,1,6", "4, 1, 6", "416"])
def test_faces_can_be_typed_in_several_forms(typed: str) -> None:
    assert read_dice(3, 6, typed) == [4, 1, 6]


def test_a_row_of_digits_is_one_number_for_big_dice() -> None:
    assert read_dice(1, 12, "11") == [11]
    assert read_dice(2, 12, "11") == [11]


@pytest.mark.parametrize("typed", ["four", "4 x 6", "-1 2 3", "4.5"])
def test_invalid_numbers_are_not_dice(typed: str) -> None:
    with pytest.raises(ZarebaError, match="type 3 numbers from 1 to 6, one by one"):
        read_dice(3, 6, typed)


def test_yes_or_no() -> None:
    assert (read_yes("Y"), read_yes("no")) == (True, False)
    assert (read_yes("2"), read_yes("1")) == (True, False), "the numbers of the listed answers"
    with pytest.raises(ZarebaError, match="neither yes nor no"):
        read_yes("maybe")
