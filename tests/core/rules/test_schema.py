"""The schema of rulesets refuses impossible numbers and incomplete or contradictory modifiers, with their position."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from pydantic import Field, TypeAdapter, ValidationError

from zareba.base.errors import FileError
from zareba.base.yamlfile import parse_yaml
from zareba.rules import (
    Adjustment,
    Book,
    Chance,
    Count,
    Degrees,
    Dice,
    Faces,
    Length,
    ModifierEntry,
    PositiveInt,
    Score,
    check_order,
)
from zareba.rules.schema import MOST_ADDED


@pytest.mark.parametrize(
    ("kind", "least", "most", "step"),
    [
        (Faces, 2, 100, 1),
        (Score, 1, 100, 1),
        (Dice, 0, 100, 1),
        (Count, 0, 1000, 1),
        (PositiveInt, 1, 1000, 1),
        (Adjustment, -100, 100, 1),
        (Length, 0, 1000, 0.01),
        (Degrees, 0, 360, 0.01),
        (Chance, 0, 1, 0.01),
    ],
)
def test_numbers_outside_their_limits_are_refused(kind: Any, least: int, most: int, step: float) -> None:
    read = TypeAdapter(kind).validate_python
    assert (read(least), read(most)) == (least, most)
    for wrong in (least - step, most + step, True, "2", None, float("nan"), float("inf")):
        with pytest.raises(ValidationError):
            read(wrong)
    if step == 1:
        with pytest.raises(ValidationError):
            read(2.5)
    else:
        assert read(0.5) == 0.5


class Bands(Book):
    """Numbers with a required order, at the top and in nested models."""

    in_order = ("lowest <= die", "short < medium < long")

    lowest: Score = Field(alias="from")
    die: Faces
    short: Length
    medium: Length | None = None
    long: Length | None = None


def test_numbers_out_of_order_are_refused_by_their_names() -> None:
    sound: dict[str, float] = {"from": 6, "die": 6, "short": 1}
    for grows in ({}, {"medium": 2, "long": 3}, {"long": 3}):
        Bands.model_validate(sound | grows)
    for more, told in (
        ({"from": 7}, "from is 7 and die is 6, but the order must be from <= die"),
        ({"medium": 1}, "short is 1 and medium is 1, but the order must be short < medium < long"),
        ({"medium": 2, "long": 1.5}, "medium is 2 and long is 1.5"),
        ({"long": 0.5}, "short is 1 and long is 0.5"),
    ):
        with pytest.raises(ValidationError, match=told):
            Bands.model_validate(sound | more)


def test_nested_numbers_must_be_in_order_too() -> None:
    bands = Bands.model_validate({"from": 1, "die": 6, "short": 1})
    check_order("one.die <= other.die", {"one": bands, "other": bands})
    with pytest.raises(ValueError, match=r"one.die is 6 and other.lowest is 1"):
        check_order("one.die <= other.lowest", {"one": bands, "other": bands})
    check_order("half <= whole", {"half": Fraction(1, 2), "whole": Fraction(1)})
    with pytest.raises(ValueError, match=r"whole is 1 and half is 0.5"):
        check_order("whole <= half", {"half": Fraction(1, 2), "whole": Fraction(1)})


class Lines(Book):
    """A file with modifiers."""

    lines: dict[str, ModifierEntry]


def lines(written: str) -> Lines:
    return parse_yaml(f"lines:\n  smoke: {{rule: T-1, summary: smoke, {written}}}\n", "t.yaml").validate(Lines)


@pytest.mark.parametrize(
    ("written", "amount"),
    [
        ("add: 1000", 1000),
        ("add: -1000", -1000),
        ("times: 1/2", "1/2"),
        ("times: 0.5", 0.5),
        ("set: '+1.25'", "+1.25"),
        ("add: -cover", "-cover"),
        ("at_most: nan", "nan"),  # the name of a fact
    ],
)
def test_an_amount_may_be_a_number_or_a_fact(written: str, amount: Any) -> None:
    assert list(lines(written).lines["smoke"].operations.values()) == [amount]


@pytest.mark.parametrize("written", ["add: 1001", "add: -1000.5", "times: '100000'", "set: 2000/1", "at_least: 100000"])
def test_an_amount_past_the_bound_is_refused(written: str) -> None:
    with pytest.raises(FileError) as caught:
        lines(written)
    told = str(caught.value)
    assert told.startswith("t.yaml:2:") and "lines.smoke." in told
    assert f"keep it within {MOST_ADDED:,} either way" in told


@pytest.mark.parametrize("text", ["1/0", "1/00", "2x", "1e9", "1e1000000", "--2x", "1/2/3", "1.", "0x10", "9" * 2000])
def test_text_that_begins_as_a_number_must_be_one(text: str) -> None:
    with pytest.raises(FileError, match="is not a number; write 2, 1"):
        lines(f"add: '{text}'")


@pytest.mark.parametrize("written", ["", "add: 1, times: 2"])
def test_a_line_needs_exactly_one_operation(written: str) -> None:
    with pytest.raises(FileError, match=r"t.yaml:2:3: lines.smoke: a modifier needs exactly one of add, times, set"):
        lines(written)
