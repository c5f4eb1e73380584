"""Fire out of turn, which house rules call for, is paid with AC of each man's next activation (FBN-098)."""

from __future__ import annotations

import pytest
from tests.rulesets.fixed_baynet.plain import run, scripted
from tests.rulesets.fixed_baynet.scenarios import started, troops

from zareba.table.questions import Step
from zareba_rulesets.fixed_baynet.chapters.fire import shoot_out_of_turn, targets_out_of_turn

MISSES = [("shot", [1])] * 10


@pytest.mark.rule("FBN-017", "FBN-098")
@pytest.mark.parametrize("has_acted", [False, True])
def test_fire_out_of_turn_is_paid_by_the_next_activation(has_acted: bool) -> None:
    """A unit that has acted this turn pays in the next turn; one that has not pays in this turn."""
    made, state = started({"foot": troops(position=[30, 32])}, {"counter_attack": "off"})
    unit, enemy = state.units.change("foot"), state.units.change("enemy")
    if has_acted:
        unit.mark("activated")
    assert run(shoot_out_of_turn, state, unit, enemy, script=MISSES, counter_attack="off")
    left = {state.counters_left(man) for man in state.units["foot"].figures.values()}
    assert left == ({3} if has_acted else {2})
    state.phase = "housekeeping"
    with scripted(state, counter_attack="off") as table:
        made.play.perform(table, state, Step("housekeeping.turn", 1, "9"))
    left = {state.counters_left(man) for man in state.units["foot"].figures.values()}
    assert left == ({2} if has_acted else {3})


@pytest.mark.rule("FBN-098")
def test_fire_out_of_turn_is_limited_to_the_ac_of_one_activation() -> None:
    _, state = started({"foot": troops(position=[30, 32])}, {"counter_attack": "off"})
    unit, enemy = state.units.change("foot"), state.units.change("enemy")
    for man in unit.figures.values():
        man.spent = 2  # counter-attacks before the activation, which has paid for them
    unit.mark("activated")
    for _ in range(3):
        assert run(shoot_out_of_turn, state, unit, enemy, script=MISSES, counter_attack="off")
    assert not run(shoot_out_of_turn, state, unit, enemy, counter_attack="off")


@pytest.mark.rule("FBN-098", "FBN-081")
@pytest.mark.parametrize(("spent", "has_target"), [(0, True), (2, True), (3, False)])
def test_targets_out_of_turn_need_ac_of_the_next_activation(spent: int, has_target: bool) -> None:
    _, state = started({"foot": troops(position=[30, 32])}, {"counter_attack": "off"})
    unit, enemy = state.units.change("foot"), state.units["enemy"]
    for man in unit.figures.values():
        man.ac, man.spent = 0, spent
    assert targets_out_of_turn(state, unit) == ([enemy] if has_target else [])
