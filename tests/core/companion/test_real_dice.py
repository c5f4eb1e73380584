"""Dice that people may not own, and draws without cards."""

from __future__ import annotations

import pytest

from zareba.companion import new_evening, scenario_of_list, without_die
from zareba.companion.real_dice import STANDARD, numbers_of_draw
from zareba.table import Draw


@pytest.mark.parametrize(
    ("sides", "said"),
    [
        (2, "throw a d6; 1 to 3 count as 1, 4 to 6 as 2"),
        (3, "throw a d6 and halve it, rounding up"),
        (5, "throw a d10 and halve it, rounding up"),
        (7, "throw a d8, and again above 7"),
        (9, "throw a d10, and again above 9"),
        (19, "throw a d20, and again above 19"),
        (24, "throw a d12 and a d6; if the d6 shows 4 or more, add 12"),
        (23, "throw a d12 and a d6; if the d6 shows 4 or more, add 12; throw both again above 23"),
        (33, "throw a d20 and a d6; if the d6 shows 4 or more, add 20; throw both again above 33"),
        (57, "throw two d10 as tens and ones, 00 as 100; throw both again above 57"),
        (100, "throw two d10 as tens and ones, 00 as 100"),
    ],
)
def test_usual_dice_stand_for_a_die_that_people_may_not_own(sides: int, said: str) -> None:
    assert without_die(sides) == f"Without a d{sides}: {said}."


def test_usual_dice_need_no_hint() -> None:
    assert {without_die(sides) for sides in (*STANDARD, 1, 101)} == {""}


def test_copies_of_a_card_have_as_many_numbers() -> None:
    assert numbers_of_draw([("kill", 1), ("wound", 3), ("graze", 2)]) == ["1", "2 to 4", "5 to 6"]


def test_a_man_is_drawn_by_a_die_and_a_card_is_not() -> None:
    forces = scenario_of_list("Us:\n8 Alpha rifles\nThem:\n12 Red spears")
    men = tuple(sorted((f"man {number} of Red", 1) for number in range(1, 12)))
    companion = new_evening("risk_factor", forces, seed=1).companion
    question = Draw("victim", "RSK-104", "alpha", None, men)
    assert companion.cards_in_order(question)[:2] == ["man 1 of Red", "man 2 of Red"]
    sides, numbers = companion.die_of_draw(question)
    assert (sides, numbers["man 1 of Red"], numbers["man 10 of Red"]) == (11, "1", "10")
    paychest = new_evening("paychest", forces, seed=1).companion
    assert paychest.die_of_draw(Draw("casualty card", "PAY-115", "", None, (("head_killed", 4),))) == (0, {})
