"""Activation policies: each runs its turn in order, repeats it, stops, and never gives two steps the same name."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from zareba.base.errors import ZarebaError
from zareba.base.state import record
from zareba.game.activation import (
    POLICIES,
    AlternateUnits,
    AlternateUnitsCursor,
    CardPerUnit,
    CardPerUnitCursor,
    CommandCards,
    CommandCardsCursor,
    CommandPoints,
    FixedPhases,
    PhaseCursor,
)
from zareba.registry import load_rules, ruleset_names
from zareba.rules import PhaseEntry
from zareba.scenario import load_scenario
from zareba.table.questions import Step

SIDES = ("red", "blue")


def phases(**stages: list[str]) -> dict[str, PhaseEntry]:
    return {
        name: PhaseEntry(rule="T-1", title=name, step=name[:4], stages=of_phase) for name, of_phase in stages.items()
    }


def test_step_key_contains_turn_kind_and_subject() -> None:
    assert Step("shots", 3, "british_fire").key == "3/british_fire/shots"


# --- fixed phases -----------------------------------------------------------------------------------------------------


def test_fixed_phases_run_through_all_stages_of_all_phases_and_again() -> None:
    policy = FixedPhases(phases(fire=["shots", "morale"], movement=["units"]), SIDES)
    cursor, seen = PhaseCursor(1, policy.first, 0, False, ""), []
    for _ in range(7):
        step = policy.next_step(cursor)
        assert step is not None and step.name == policy.stage(cursor)
        seen.append(step.key)
        policy.advance(cursor)
    assert seen == [
        "1/fire/fire.shots", "1/fire/fire.morale", "1/movement/move.units",
        "2/fire/fire.shots", "2/fire/fire.morale", "2/movement/move.units", "3/fire/fire.shots",
    ]  # fmt: skip
    cursor.over = True
    assert policy.next_step(cursor) is None


# --- alternate units --------------------------------------------------------------------------------------------------


@record
class Alternation(AlternateUnitsCursor):
    waiting: dict[str, int]

    def is_waiting(self, side: str) -> bool:
        return self.waiting[side] > 0


def alternation(phase: str = "activations", **waiting: int) -> Alternation:
    return Alternation(1, phase, False, "", "", 0, ["red", "blue"], 0, waiting)


def test_sides_activate_by_turns_until_one_has_no_units_left() -> None:
    policy = AlternateUnits(phases(activations=["pick", "act"], end=["turn"]), SIDES)
    state = alternation(policy.first, red=1, blue=3)
    picks = []
    while (side := policy.side(state)) is not None:
        picks.append(side)
        state.waiting[side] -= 1
        policy.pass_on(state, side)
    assert picks == ["red", "blue", "blue", "blue"]
    policy.advance(state)
    assert (state.phase, state.at, state.turn) == ("end", 0, 1)
    policy.advance(state)
    assert (state.phase, state.acts, state.turn) == ("activations", 0, 2)


def test_an_active_unit_goes_on_until_its_activation_ends() -> None:
    policy = AlternateUnits(phases(activations=["pick", "act"], end=["turn"]), SIDES)
    state, keys = alternation(red=1, blue=1), []
    for active in ("", "lancers", "lancers", ""):
        state.active = active
        step = policy.next_step(state)
        assert step is not None
        keys.append(step.key)
        state.acts += 1
    assert keys == ["1/0/acti.pick", "1/1/acti.act", "1/2/acti.act", "1/3/acti.pick"]
    state.over = True
    assert policy.next_step(state) is None


# --- a card for each unit ---------------------------------------------------------------------------------------------


def test_each_card_brings_a_unit_through_its_activation() -> None:
    policy = CardPerUnit(
        phases(set_up=["go"], weather=["roll"], card=["draw"], moves=["unit"], shots=["unit"], end=["turn"]), SIDES
    )
    state = CardPerUnitCursor(1, policy.first, "", 0, False, "")
    pile = ["lancers", "joker", "sikhs"]  # the joker activates no unit
    seen = []
    for _ in range(13):
        step = policy.next_step(state)
        assert step is not None
        seen.append(step.key)
        if state.stage == "card":
            card = pile[state.drawn]
            state.drawn += 1
            state.acting = "" if card == "joker" else card
        policy.advance(state, state.drawn < len(pile))
    assert seen[:2] == ["1/set_up 0/set_.go", "1/weather 0/weat.roll"]
    assert seen[2:5] == ["1/card 0/card.draw", "1/lancers/move.unit", "1/lancers/shot.unit"]
    assert seen[5:7] == ["1/card 1/card.draw", "1/card 2/card.draw"]
    assert seen[7:10] == ["1/sikhs/move.unit", "1/sikhs/shot.unit", "1/end 3/end.turn"]
    assert seen[10:] == ["2/weather 0/weat.roll", "2/card 0/card.draw", "2/lancers/move.unit"]
    assert len(set(seen)) == len(seen)


def test_an_activation_may_end_early() -> None:
    policy = CardPerUnit(phases(set_up=["go"], card=["draw"], moves=["unit"], shots=["unit"], end=["turn"]), SIDES)
    for cards_left, stage in ((True, "card"), (False, "end")):
        state = CardPerUnitCursor(1, "moves", "lancers", 0, False, "")
        policy.end_activation(state, cards_left)
        assert (state.stage, state.acting) == (stage, "")
    state.over = True
    assert policy.next_step(state) is None


# --- command cards ----------------------------------------------------------------------------------------------------


def test_after_setting_up_the_sides_play_a_card_by_turns() -> None:
    policy = CommandCards(phases(setup=["roll", "deal"], turn=["card", "orders"]), SIDES)
    state, seen = CommandCardsCursor(0, "red", policy.first, 0, False, ""), []
    for number in range(8):
        step = policy.next_step(state)
        assert step is not None
        seen.append(step.key)
        if number == 3:
            policy.again(state)
        else:
            policy.advance(state)
    assert seen == [
        "0/red.0/roll", "0/red.1/deal", "1/red.0/card", "1/red.1/orders", "1/red.2/orders",
        "2/blue.0/card", "2/blue.1/orders", "3/red.0/card",
    ]  # fmt: skip
    state.over = True
    assert policy.next_step(state) is None


# --- command points ---------------------------------------------------------------------------------------------------


@dataclass
class Points:
    turn: int = 1
    order: list[str] = field(default_factory=lambda: ["red", "blue"])
    active: int = 0
    phase: str = "command"
    waiting: list[str] = field(default_factory=list)
    over: bool = False


def test_a_side_runs_through_its_stages_unit_after_unit() -> None:
    policy = CommandPoints(phases(command=["dice"], moves=["unit"]), SIDES)
    state, seen = Points(phase=policy.first), []
    for _ in range(9):
        step = policy.next_step(state)
        assert step is not None
        seen.append(step.key)
        if len(state.waiting) > 1:
            state.waiting.pop(0)
            continue
        policy.advance(state)
        state.waiting = ["sikhs", "lancers"] if state.phase == "moves" else []
    assert seen == [
        "1/red/comm", "1/red/sikhs/move", "1/red/lancers/move", "1/blue/comm", "1/blue/sikhs/move",
        "1/blue/lancers/move", "2/red/comm", "2/red/sikhs/move", "2/red/lancers/move",
    ]  # fmt: skip
    state.over = True
    assert policy.next_step(state) is None


# --- steps named by the rulesets --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ruleset_names())
def test_every_ruleset_names_its_policy_and_plays_only_listed_steps(name: str) -> None:
    rules = load_rules(name)
    game = rules.game(load_scenario("patrol_clash"))
    assert type(game.policy) is POLICIES[rules.book.activation]
    steps, state = game.policy.steps, game.start()
    first = game.play.next_step(state)
    assert first is not None and first.name in steps
    assert len(steps) == len(set(steps)) or name == "vcc"  # each side has a fire phase


def test_unknown_policy_is_rejected_with_the_nearest_name() -> None:
    rules = load_rules("vcc")
    rules.book = rules.book.model_copy(update={"activation": "fixed_phase"})
    with pytest.raises(ZarebaError, match=r"there is no activation policy 'fixed_phase'.*fixed_phases"):
        rules.game(load_scenario("patrol_clash"))
