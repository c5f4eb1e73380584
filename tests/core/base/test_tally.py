"""Tallies: operations in order, a single rounding, an explanation of every part, and conditions on facts and
settings.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.toy import bare_rules

from zareba.base.errors import RuleBroken, ZarebaError
from zareba.base.state import Record, facts
from zareba.base.tally import (
    Modifier,
    Number,
    Operation,
    Rounding,
    TallyRule,
    as_lines,
    compile_when,
    fact_or_number,
    round_to,
)
from zareba.rules import ModifierEntry, TallyEntry
from zareba.rules.tallies import compile_tallies


@facts
class Shot(Record):
    bases: int = 6
    quality: str = "ordinary"
    range: int = 10
    wind: int = 2


def line(name: str, operation: Operation, amount: Number, **more: Any) -> Modifier:
    return Modifier(name, "T-1", operation, amount, **more)


def tally(*lines: Modifier, rounding: Rounding = "up") -> TallyRule:
    return TallyRule("dice", "T-0", "dice", "bases", rounding, lines, "base.yaml:1")


@pytest.mark.parametrize(
    ("operation", "amount", "total"),
    [
        ("add", 2, 8), ("add", -2, 4), ("times", 2, 12), ("times", Fraction(1, 4), 2), ("set", 1, 1),
        ("at_least", 7, 7), ("at_least", 5, 6), ("at_most", 5, 5), ("at_most", 7, 6),
    ],
)  # fmt: skip
def test_each_operation_has_its_effect(operation: Operation, amount: Number, total: int) -> None:
    assert tally(line("it", operation, amount)).total(Shot()) == total


def test_lines_apply_in_order_and_rounding_comes_once_at_the_end() -> None:
    halves = [line(f"half{n}", "times", Fraction(1, 2)) for n in range(3)]
    assert tally(line("leader", "add", 1), *halves).total(Shot()) == 1  # 7/8, not 7 -> 4 -> 2 -> 1
    assert tally(line("leader", "add", 1), halves[0]).total(Shot()) == 4
    assert tally(halves[0], line("leader", "add", 1), rounding="none").total(Shot()) == 4
    assert tally(line("set", "set", 3), line("double", "times", 2)).total(Shot()) == 6
    assert tally(line("double", "times", 2), line("set", "set", 3)).total(Shot()) == 3


@pytest.mark.parametrize(
    ("rounding", "rounded"),
    [("up", [3, 3, 3, -2]), ("down", [2, 2, 2, -3]), ("half_up", [2, 3, 3, -2])],
)
def test_each_rounding_has_its_effect(rounding: Rounding, rounded: list[int]) -> None:
    numbers = [Fraction(9, 4), Fraction(5, 2), Fraction(11, 4), Fraction(-5, 2)]
    assert [round_to(number, rounding) for number in numbers] == rounded
    assert all(round_to(number, "none") == number for number in numbers)
    assert round_to(7, rounding) == 7


def test_a_condition_decides_whether_a_line_applies() -> None:
    rule = tally(line("elite", "add", 1, when=compile_when({"quality": "elite", "range": {"at_most": 10}})))
    assert rule.total(Shot(quality="elite")) == 7
    assert rule.total(Shot(quality="elite", range=11)) == 6
    assert rule.total(Shot()) == 6


@pytest.mark.parametrize(
    ("when", "holds"),
    [
        ({"range": 10}, True), ({"range": 9}, False),
        ({"range": {"at_least": 10}}, True), ({"range": {"at_least": 11}}, False),
        ({"range": {"at_most": 10}}, True), ({"range": {"at_most": 9}}, False),
        ({"range": {"more_than": 9}}, True), ({"range": {"more_than": 10}}, False),
        ({"range": {"less_than": 11}}, True), ({"range": {"less_than": 10}}, False),
        ({"range": {"not": 9}}, True), ({"range": {"not": 10}}, False),
        ({"range": {"at_least": 5, "at_most": 9}}, False), ({"range": {"at_least": 5, "at_most": 15}}, True),
        ({}, True),
    ],
)  # fmt: skip
def test_each_comparison_has_its_effect(when: dict[str, Any], holds: bool) -> None:
    assert compile_when(when)(Shot()) is holds


@pytest.mark.parametrize(
    ("written", "number"),
    [
        (2, 2),
        ("2", 2),
        (-1, -1),
        ("1/2", Fraction(1, 2)),
        (1.5, Fraction(3, 2)),
        ("-3/4", Fraction(-3, 4)),
        (0.1, Fraction(1, 10)),
    ],
)
def test_amounts_are_formatted_for_people(written: Any, number: Number) -> None:
    assert fact_or_number(written) == number


def test_an_amount_may_be_a_fact_or_its_opposite() -> None:
    rule = tally(line("wind", "add", 0), rounding="none")
    against = TallyRule(
        rule.name, rule.rule, rule.unit, "bases", "none", (Modifier("w", "T-1", "add", fact_or_number("-wind")),)
    )
    along = TallyRule(
        rule.name, rule.rule, rule.unit, "bases", "none", (Modifier("w", "T-1", "add", fact_or_number("wind")),)
    )
    assert (against.total(Shot()), along.total(Shot(wind=5))) == (4, 11)
    assert [part.change for part in against.parts(Shot())] == ["6", "-2"]


# --- explanations -----------------------------------------------------------------------------------------------------

amounts = st.fractions(-5, 5, max_denominator=4)
operations: st.SearchStrategy[Operation] = st.sampled_from(["add", "times", "set", "at_least", "at_most"])
conditions = st.sampled_from([None, compile_when({"quality": "elite"}), compile_when({"quality": "ordinary"})])


@given(
    st.lists(st.tuples(operations, amounts, conditions), max_size=8), st.sampled_from(["up", "down", "half_up", "none"])
)
def test_the_parts_add_up_step_by_step_to_the_total(
    lines: list[tuple[Operation, Fraction, Any]], rounding: Rounding
) -> None:
    made = [line(f"line{n}", operation, amount, when=when) for n, (operation, amount, when) in enumerate(lines)]
    rule = tally(*made, rounding=rounding)
    parts = rule.parts(Shot())
    assert parts[0].running == 6
    assert parts[-1].running == rule.total(Shot())
    by_id = {modifier.id: modifier for modifier in made}
    for before, part in pairwise(parts):
        if part.id == "rounded":
            assert part.running == round_to(before.running, rounding) != before.running
        else:
            assert part.running == by_id[part.id].apply(before.running, Shot())


def test_parts_say_what_each_line_did_and_where_it_comes_from() -> None:
    rule = tally(
        line("leader", "add", 1, summary="the leader fires too", source="base.yaml:3"),
        line("raw", "add", -1, when=compile_when({"quality": "raw"})),
        line("cover", "times", Fraction(1, 4), summary="hard cover"),
        line("minimum", "at_least", 1),
    )
    parts = rule.parts(Shot())
    assert [(part.id, part.change, part.running) for part in parts] == [
        ("bases", "6", 6), ("leader", "+1", 7), ("cover", "x 1/4", Fraction(7, 4)), ("rounded", "rounded up", 2),
    ]  # fmt: skip
    assert (parts[1].rule, parts[1].summary, parts[1].source) == ("T-1", "the leader fires too", "base.yaml:3")


def test_a_base_of_one_is_named_in_the_singular() -> None:
    assert [part.in_words for part in tally().parts(Shot(bases=1))] == ["1 base"]


def test_a_limit_is_explained_only_where_it_bites() -> None:
    rule = tally(line("minimum", "at_least", 3), line("most", "at_most", 10))
    assert [part.id for part in rule.parts(Shot(bases=2))] == ["bases", "minimum"]
    assert [part.change for part in rule.parts(Shot(bases=12))] == ["12", "at most 10"]


# --- tallies in YAML --------------------------------------------------------------------------------------------------


def compiled(settings: dict[str, Any], **modifiers: dict[str, Any]) -> TallyRule:
    lines = {
        name: ModifierEntry.model_validate({"rule": "T-1", "summary": name, **entry})
        for name, entry in modifiers.items()
    }
    entry = TallyEntry(rule="T-0", unit="dice", base="bases", round="up", modifiers=lines)

    class Book:
        tallies = {"dice": entry}  # noqa: RUF012  # a substitute for a ruleset's file, never changed

    tallies, _ = compile_tallies(Book, settings, lambda path: f"base.yaml: {'.'.join(path)}")  # type: ignore[arg-type]  # only its tallies are read
    return tallies["dice"]


def test_a_modifier_applies_only_while_its_setting_holds() -> None:
    entry = {"when": {"quality": "ordinary", "setting.square": "half"}, "times": "1/2"}
    assert compiled({"square": "half"}, square=entry).total(Shot()) == 3
    assert compiled({"square": "full"}, square=entry).total(Shot()) == 6
    assert compiled({"square": "full"}, square=entry).modifiers == ()
    compared = {"when": {"setting.square": {"not": "full"}}, "times": "1/2"}
    assert compiled({"square": "half"}, square=compared).total(Shot()) == 3
    assert compiled({"square": "full"}, square=compared).total(Shot()) == 6


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"add": 1, "when": {"setting.sqare": "half"}}, "there is no setting 'sqare'; did you mean 'square'?"),
    ],
)
def test_a_wrong_line_is_refused_with_its_place(entry: dict[str, Any], message: str) -> None:
    with pytest.raises(ZarebaError) as caught:
        compiled({"square": "half"}, it=entry)
    assert str(caught.value).startswith(f"base.yaml: tallies.dice.modifiers.it: {message}")


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"add": 1, "when": {"qualty": "elite"}}, "modifier 'it' of dice: no fact 'qualty'; did you mean 'quality'?"),
        ({"add": "zzz"}, "modifier 'it' of dice: no fact 'zzz'; the facts are bases, quality, range, wind"),
        ({"add": 1, "when": {"quality": {"at_least": 3}}}, "modifier 'it' of dice does not fit its fact: "),
        ({"add": "quality"}, "modifier 'it' of dice does not fit its fact: "),
    ],
)
def test_a_line_that_does_not_fit_the_facts_is_named_when_it_is_asked(entry: dict[str, Any], message: str) -> None:
    rules = bare_rules(tallies={"dice": compiled({}, fine={"add": 1}, it=entry)})
    with pytest.raises(RuleBroken) as caught:
        rules.tally("dice", Shot())
    assert str(caught.value).startswith(f"base.yaml: tallies.dice.modifiers.it: {message}")


def test_a_line_may_be_put_before_another() -> None:
    first = Modifier("first", "T-1", "times", 2)
    last = Modifier("minimum", "T-2", "at_least", 1)
    added = Modifier("smoke", "H-1", "add", -5, before="minimum")
    assert [line.id for line in as_lines([first, last, added])] == ["first", "smoke", "minimum"]
    with pytest.raises(ValueError, match="before: 'nowhere', which is not a line of this tally"):
        as_lines([first, Modifier("lost", "H-2", "add", 1, before="nowhere")])
