"""Numbers and rolls are listed in the order they were made; consecutive ones of one kind are combined."""

from __future__ import annotations

from typing import Any, NamedTuple

from zareba.base.tally import Tally, TallyRule
from zareba.chance import SUM
from zareba.explain import explanations
from zareba.session import Answered
from zareba.session.narration import dice_text
from zareba.table import Roll


class Facts(NamedTuple):
    base: int


def tally(name: str, total: int, unit: str = "dice") -> Tally:
    return Tally(TallyRule(name, "TOY-001", unit, "base", "none", ()), Facts(total), total)


def throw(why: str, *faces: int) -> Answered:
    return Answered(Roll(why, "TOY-002", "unit", len(faces), 6, SUM), sum(faces), faces)


def told(*numbers: Any) -> list[str]:
    return [explanation.title or "; ".join(map(dice_text, explanation.throws)) for explanation in explanations(numbers)]


def test_a_throw_is_not_mistaken_for_the_number_before_it() -> None:
    made = (throw("action", 6), tally("action_die", 6), throw("action", 2), tally("action_die", 2))
    assert told(*made) == ["6", "action die: 6 dice (TOY-001)", "2", "action die: 2 dice (TOY-001)"]


def test_numbers_of_one_kind_in_a_row_are_one() -> None:
    made = (tally("fire", 1), tally("fire", 3), tally("melee", 1), throw("blow", 2, 3), throw("blow", 1))
    assert told(*made) == ["fire: 1, 3 dice (TOY-001)", "melee: 1 die (TOY-001)", "2 3, so 5; 1"]
