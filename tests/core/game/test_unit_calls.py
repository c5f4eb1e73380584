"""Activation policies that call units in sequence, with sides alternating or by cards."""

from __future__ import annotations

from importlib.metadata import EntryPoint

import pytest
from tests.core.toy import bare_rules

from zareba.base.errors import ZarebaError
from zareba.game import activation
from zareba.game.activation import (
    AlternateCalls,
    CallsCursor,
    ColourCards,
    SidesInTurn,
    UnitCalls,
    UnitCards,
    policy_named,
)
from zareba.rules import PhaseEntry
from zareba.table import Answer, Choose, Draw, Question, Table

UNITS = {"sikhs": "patrol", "lancers": "patrol", "jezails": "band"}
PHASES = {
    "unit": PhaseEntry(rule="X-001", title="Units", step="unit", each="unit", stages=["move", "shoot"]),
    "end": PhaseEntry(rule="X-002", title="End", step="end", stages=["rally"]),
}


def cursor() -> CallsCursor:
    return CallsCursor(1, "unit", 0, "", 0, "", [], {}, {}, False, "")


class Last(Table):
    """A table that always answers with the last option or card."""

    def answer(self, question: Question) -> Answer:
        if isinstance(question, Draw):
            return question.cards[-1][0]
        assert isinstance(question, Choose)
        return question.options[-1]


def calls(kind: type[UnitCalls], *, lost: str = "") -> list[str]:
    """Return the units called in a phase, in order. The unit `lost` is destroyed after the first call."""
    policy, state = kind(PHASES, ("patrol", "band")), cursor()
    policy.begin(state, UNITS)
    table, found = Last(bare_rules(), state), []
    while unit := policy.call(table, state, "X-001"):
        found.append(unit)
        state.waiting.pop(lost, None)
    return found


def test_one_side_after_the_other() -> None:
    assert calls(SidesInTurn) == ["lancers", "sikhs", "jezails"]


def test_the_sides_by_turns() -> None:
    assert calls(AlternateCalls) == ["lancers", "jezails", "sikhs"]


def test_each_unit_has_a_card_and_the_card_of_a_lost_unit_does_nothing() -> None:
    assert calls(UnitCards) == ["sikhs", "lancers", "jezails"]
    assert calls(UnitCards, lost="lancers") == ["sikhs", "jezails"]


def test_with_a_card_of_its_colour_a_side_chooses_the_unit() -> None:
    assert calls(ColourCards) == ["lancers", "sikhs", "jezails"]
    assert calls(ColourCards, lost="sikhs") == ["lancers", "jezails"]


def test_the_steps_of_a_turn_come_in_order_and_are_distinct() -> None:
    policy, state = AlternateCalls(PHASES, ("patrol", "band")), cursor()
    policy.begin(state, UNITS)
    table, keys, names = Last(bare_rules(), state), [], []
    while (step := policy.next_step(state)) is not None and state.turn == 1:
        keys.append(step.key)
        names.append(step.name)
        if step.name != "unit.call":
            policy.advance(state)
        elif not policy.call(table, state, "X-001"):
            assert policy.end_phase(state) == "unit"
    assert len(set(keys)) == len(keys)
    assert names == [*["unit.call", "unit.move", "unit.shoot"] * 3, "unit.call", "end.rally"]
    assert set(names) | {"set_up"} == set(policy.steps)
    assert (state.turn, state.phase) == (2, "unit")


def test_a_package_brings_a_policy_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    brought = [
        EntryPoint("by_lot", "zareba.game.activation:UnitCards", activation.GROUP),
        EntryPoint("broken", "zareba.nowhere:Nothing", activation.GROUP),
    ]
    monkeypatch.setattr(activation, "entry_points", lambda group: brought if group == activation.GROUP else [])
    assert policy_named("by_lot") is UnitCards
    with pytest.raises(ZarebaError, match=r"'broken'.*cannot be loaded"):
        policy_named("broken")
    with pytest.raises(ZarebaError, match="by_lot"):
        policy_named("by_lots")
