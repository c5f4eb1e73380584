"""Sequence of play: initiative, activations, action counters, and what ends with a turn (chapter 3)."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from tests.rulesets.fixed_baynet.plain import (
    acts,
    battle,
    field,
    man,
    perform_with_one_man,
    rules_with,
    run,
    scripted,
    squad,
    step,
    three_foes,
)
from tests.rulesets.fixed_baynet.scenarios import PLACED, game, scenario, started, troops

from zareba.scenario import load_scenario
from zareba.space.geometry import joint_box
from zareba.table import Confirm, Place, SeededTable
from zareba.table.questions import Step
from zareba_rulesets.fixed_baynet.actions.activation import UNIT_ACTIONS, begin_activation, choose_action, legal_actions
from zareba_rulesets.fixed_baynet.chapters.contact import foes_in_contact
from zareba_rulesets.fixed_baynet.chapters.morale import glory_phase
from zareba_rulesets.fixed_baynet.chapters.targets import find_targets, firers, known_target, target_figures
from zareba_rulesets.fixed_baynet.forces.battle import Battle, Flare
from zareba_rulesets.fixed_baynet.forces.units import Unit
from zareba_rulesets.fixed_baynet.game import FbnGame
from zareba_rulesets.fixed_baynet.odds.stage import bare_unit


@pytest.mark.rule("FBN-012", "FBN-147", "FBN-154")
def test_all_units_test_before_anybody_recovers() -> None:
    units = [squad("red", "red", 2, (20, 10)), squad("blue", "blue", 2, (20, 40))]
    state = battle(*units)
    state.turn = 2
    for unit in units:
        unit.figures[f"{unit.id}/1"].reaction, unit.figures[f"{unit.id}/1"].since = "freeze", 1
        unit.mark("due")
    run(glory_phase, state, script=[("glory", [1]), ("glory", [1]), ("recovery", [6]), ("recovery", [1])])
    assert [unit.figures[f"{unit.id}/1"].reaction for unit in units] == ["", "freeze"]


@pytest.mark.rule("FBN-008", "FBN-013")
def test_three_sides_activate_in_turn_from_the_lowest_roll() -> None:
    made = FbnGame(rules_with(), scenario(PLACED, third=True))
    state = made.start()
    with scripted(state, ("initiative", [4]), ("initiative", [6]), ("initiative", [1])) as table:
        made.play.perform(table, state, Step("initiative.roll", 1, "0"))
    assert state.order == ["gang", "army", "band"]
    sides: list[str] = []
    while state.phase == "actions":
        if state.active:
            step(made, state, ("act", "end"))
            continue
        side = made.policy.side(state)
        step(made, state, *([("activate", "foot")] if side == "army" and "army" not in sides else []))
        sides += [side] if state.active else []
    assert sides == ["gang", "army", "band", "army"]
    assert {unit.side for unit in state.enemies("gang")} == {"army", "band"}


@pytest.mark.rule("FBN-013", "FBN-015", "FBN-017")
def test_sides_activate_one_unit_each_by_turns() -> None:
    made, state = started()
    order: list[str] = []
    while state.phase == "actions":
        choice = (
            [("activate", "foot")] if not order[1:] and made.policy.side(state) == "army" and not state.active else []
        )
        name = step(made, state, *choice) if not state.active else step(made, state, ("act", "end"))
        if name == "actions.unit" and state.active:
            order.append(state.active)
    assert order == ["enemy", "foot", "other"]
    assert all("activated" in unit.marks for unit in state.units.values())


@pytest.mark.rule("FBN-014")
@pytest.mark.setting("pass_allowed")
def test_side_may_not_pass_to_itself() -> None:
    made = game({"foot": troops(position=[20, 8]), "other": troops(position=[40, 8])}, {"pass_allowed": True})
    state = made.start()
    with scripted(state, ("initiative", [5]), ("initiative", [2]), pass_allowed=True) as table:
        made.play.perform(table, state, made.play.next_step(state))  # type: ignore[arg-type]  # the first step is there
    state.waiting.remove("enemy")
    following = made.play.next_step(state)
    assert following is not None
    refused = pytest.raises(AssertionError, match=r"possible: foot, other$")
    with refused, scripted(state, ("activate", "pass"), pass_allowed=True) as table:
        made.play.perform(table, state, following)


@pytest.mark.rule("FBN-014")
@pytest.mark.setting("pass_allowed")
def test_a_side_passes_only_where_it_may() -> None:
    made, state = started()
    with pytest.raises(AssertionError, match="never asked"):
        step(made, state, ("activate", "pass"))
    made, state = started(settings={"pass_allowed": True})
    step(made, state, ("activate", "pass"), pass_allowed=True)
    assert state.active == "" and made.policy.side(state) == "army"


@pytest.mark.rule("FBN-015")
def test_a_unit_destroyed_before_its_activation_is_skipped() -> None:
    made, state = started()
    state.units["enemy"].figures.clear()
    step(made, state, ("activate", "other"))
    assert state.active == "other"


def targets(state: Battle, unit: Unit) -> list[str]:
    """Return all targets that men of a unit can aim at, by enemy unit and man."""
    found = []
    for foe in state.enemies(unit.spec.side):
        men = target_figures(state, unit.spec.side, foe)
        scene = state.field.scene(joint_box(unit.box, foe.box))
        if any(find_targets(state, unit, man, men, scene) for man in firers(state, unit)):
            found.append(foe.spec.id)
    return found


@pytest.mark.rule("FBN-016", "FBN-092")
def test_a_kind_is_offered_if_and_only_if_some_act_of_it_is_open() -> None:
    game = FbnGame(rules_with(), load_scenario("river_ford"))
    state = game.start()
    random = Random(1)
    seen: set[str] = set()

    def answer(question: Any, now: Battle) -> Any:
        if isinstance(question, Place):
            return random.choice(question.suggestions)
        if isinstance(question, Confirm):
            return random.random() < 0.5
        if question.why == "act":
            unit = now.units[question.actor]
            menu = legal_actions(now, unit)
            assert tuple(menu.kinds) == tuple(question.options) and len(set(acts(now, unit))) == len(acts(now, unit))
            shot_at = [act[1] for act in menu.of("fire") if isinstance(act, tuple) and act[0] == "fire"]
            assert shot_at == ([] if any(gun.in_play for gun in unit.guns) else targets(now, unit))
            for kind in menu.kinds:
                verb = str(kind[0] if isinstance(kind, tuple) else kind)
                if verb in UNIT_ACTIONS.kinds:
                    seen.add(verb)
                    assert menu.of(kind) and kind not in menu.of(kind)
                else:
                    assert menu.of(kind) == [kind]
        return random.choice(question.options)

    table = SeededTable(game.rules, state, 3, dict.fromkeys(game.seats, answer))
    for _ in range(150):
        step = game.play.next_step(state)
        if step is None:
            break
        table.begin(step)
        game.play.perform(table, state, step)
    assert {"fire", "form"} <= seen


@pytest.mark.rule("FBN-016")
def test_second_question_is_asked_only_with_a_choice() -> None:
    state, red = three_foes()
    assert run(choose_action, state, red, script=[("act", "fire"), ("fire at", ("fire", "blue1"))]) == ("fire", "blue1")
    assert run(choose_action, state, red, script=[("act", "move")]) == "move"
    one_man = battle(squad("red", "red", 1, (50, 20)), squad("blue", "blue", 1, (50, 40)))
    assert run(choose_action, one_man, one_man.units["red"], script=[("act", "fire")]) == ("fire", "blue")


@pytest.mark.rule("FBN-016", "FBN-093", "FBN-120")
def test_a_lone_man_picks_his_target_and_his_foe() -> None:
    chief = bare_unit("chief", "red", [man("chief/1", "red", 50, 50, weapon="pistol")], kind="independent")
    near, far = squad("near", "blue", 1, (50, 53), weapon="none"), squad("far", "blue", 1, (52, 58), weapon="none")
    state = battle(chief, near, far)
    perform_with_one_man(state, chief, "chief/1", "fire", ("aim at", "far/1"), ("shot", [12]))
    assert not far.figures and near.figures
    left, right = squad("left", "blue", 1, (49.2, 50.62)), squad("right", "blue", 1, (50.8, 50.62))
    state = battle(chief, left, right)
    perform_with_one_man(state, chief, "chief/1", "strike", ("strike", "right/1"), ("blow", [6]), ("parry", [1]))
    assert left.figures and not right.figures


@pytest.mark.rule("FBN-016", "FBN-179", "FBN-180")
def test_single_rider_may_ride_or_charge() -> None:
    riders = [man(f"red/{i}", "red", 47 + 3 * i, 20, mounted=True, rides=True) for i in (1, 2)]
    unit = bare_unit("red", "red", riders)
    foe = squad("blue", "blue", 1, (53, 31), facing=180.0)
    state = battle(unit, foe)
    for rider in riders:
        rider.last_gait = 1
    perform_with_one_man(state, unit, "red/1", ("ride", 1), ("ride to", (50.0, 26.0)))
    assert (riders[0].y, riders[0].gait, riders[0].ac, riders[1].y) == (26, 1, 2, 20) and "loose" in unit.marks
    perform_with_one_man(state, unit, "red/2", ("ride down", "blue", 2))
    assert riders[1].gait == 2 and foes_in_contact(state, riders[1], "red") and unit.events == ("charge",)
    with pytest.raises(AssertionError, match="ride"):
        perform_with_one_man(state, unit, "red/1", ("ride", 1), ("ride to", (50.0, 28.0)))


def red_can_fire_at_blue() -> tuple[Battle, Unit, Unit]:
    """Red has established that it can fire at blue."""
    red, blue = squad("red", "red", 2, (50, 20)), squad("blue", "blue", 2, (50, 34), facing=180.0)
    on = field(("crag", [(0, 26), (30, 26), (30, 28), (0, 28)]))
    state = battle(red, blue, squad("own", "red", 2, (80, 20)), on=on)
    state.active = "red"
    assert "fire" in legal_actions(state, red).kinds
    assert known_target(state, red, list(red.figures.values()))
    return state, red, blue


@pytest.mark.rule("FBN-016", "FBN-092")
def test_fire_is_not_offered_after_the_target_is_lost() -> None:
    def gone_far(state: Battle, blue: Unit) -> None:
        for figure in blue.figures.values():
            state.put(figure, figure.x, 90.0)

    def lying(state: Battle, blue: Unit) -> None:
        for figure in blue.figures.values():
            figure.mark("prone")

    def behind_a_crag(state: Battle, blue: Unit) -> None:
        for unit in (state.units["red"], blue):
            for figure in unit.figures.values():
                state.put(figure, figure.x - 35.0, figure.y)
            unit.measure()

    def in_a_melee(state: Battle, blue: Unit) -> None:
        own = list(state.units["own"].figures.values())
        for figure, friend in zip(blue.figures.values(), own, strict=True):
            state.put(friend, figure.x, figure.y + 1.0)
        state.units["own"].measure()

    def hidden(state: Battle, blue: Unit) -> None:
        blue.mark("hidden")

    def fallen(state: Battle, blue: Unit) -> None:
        blue.figures.clear()

    for happens in (gone_far, lying, behind_a_crag, in_a_melee, hidden, fallen):
        state, red, blue = red_can_fire_at_blue()
        happens(state, blue)
        blue.measure()
        assert "fire" not in legal_actions(state, red).kinds, happens.__name__


@pytest.mark.rule("FBN-016", "FBN-033", "FBN-098")
def test_each_man_has_his_own_ac_less_his_answers() -> None:
    unit = squad("red", "red", 2)
    state = battle(unit)
    unit.figures["red/1"].spent = 2
    run(begin_activation, state, unit)
    assert [figure.ac for figure in unit.figures.values()] == [1, 3]


@pytest.mark.rule("FBN-017", "FBN-231", "FBN-098", "FBN-172", "FBN-238")
def test_marks_cleared_at_the_end_of_a_turn() -> None:
    made, state = started({"horse": troops(arm="cavalry", position=[20, 8]), "foot": troops(position=[40, 8])})
    rider = next(iter(state.units["horse"].figures.values()))
    rider.gait, rider.spent = 2, 1
    still = state.units["foot"]
    still.mark("pinned", "activated")
    still.shot_turn = 0
    under = state.units["enemy"]
    under.mark("pinned")
    under.shot_turn = 1
    state.calls = [("army", "x", "y")]
    state.flares = [Flare(1.0, 1.0, 1), Flare(2.0, 2.0, 2)]
    state.phase, state.waiting = "housekeeping", []
    step(made, state)
    assert (rider.last_gait, rider.gait, rider.spent) == (2, 0, 0)
    assert "pinned" not in still.marks and "activated" not in still.marks and "pinned" in under.marks
    assert state.calls == [] and [flare.until for flare in state.flares] == [2]


def test_the_policy_never_gives_two_steps_of_a_turn_one_key() -> None:
    made = game(PLACED)
    state = made.start()
    keys: set[str] = set()

    def last(question: Any, _: Any) -> Any:
        return question.options[-1]

    table = SeededTable(rules_with(), state, 3, dict.fromkeys(made.seats, last))
    while (following := made.play.next_step(state)) is not None:
        assert following.key not in keys
        keys.add(following.key)
        table.begin(following)
        made.play.perform(table, state, following)
    assert state.turn == scenario(PLACED).turns
