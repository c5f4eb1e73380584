"""Reasons of AI players take their numbers from the rules: change a number, and text and reason change together."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.rulesets.fixed_baynet.plain import house, man, squad

from zareba.registry import find_house_rule, load_rules
from zareba.rules import Rules
from zareba.scenario import load_scenario
from zareba.table import Choose
from zareba_rulesets.fixed_baynet.actions.unit_actions import UNIT_ACTIONS
from zareba_rulesets.fixed_baynet.actions.wording import formats, numbers
from zareba_rulesets.fixed_baynet.estimates import SideObjectives, UnitView
from zareba_rulesets.fixed_baynet.evaluation import evaluate
from zareba_rulesets.fixed_baynet.forces.battle import Battle, BuildingState
from zareba_rulesets.fixed_baynet.forces.units import Gun
from zareba_rulesets.fixed_baynet.odds.stage import bare_battle, bare_unit
from zareba_rulesets.fixed_baynet.presentation.words import words

SCENARIO = load_scenario("patrol_clash")
RALLY, FALL_BACK = ("rally", "red/1", "red"), ("fall back", "red/1", "red")


def changed(folder: Path, number: str, was: Any, to: Any) -> Rules:
    """Return the rules with one number changed; without a number, the printed rules."""
    if not number:
        return load_rules("fixed_baynet")
    if "." not in number:
        return load_rules("fixed_baynet", {number: to})
    file = folder / "ours.yaml"
    change = f"{{at: {number}, was: {was}, to: {to}}}"
    head = "house_rule: ours\nruleset: fixed_baynet\ntitle: Ours\nchanges:\n"
    file.write_text(f"{head}  - {change}\n", encoding="utf-8")
    return load_rules("fixed_baynet", {}, [find_house_rule(str(file))])


def stage(rules: Rules) -> Battle:
    """A squad with an officer near a hut with an enemy in it; a machine gun; riders; bearers."""
    red = squad("red", "patrol", 6, (43, 34), leader="officer")
    gun = Gun("machine_gun", 50.0, 20.0, 0.0, 0.0, 2, ac=3)
    crew = bare_unit("crew", "patrol", [man("crew/1", "patrol", 50, 19, role="crew")], guns=[gun], kind="machine_gun")
    riders = squad("riders", "patrol", 3, (70, 20), mounted=True, rides=True)
    foe = squad("foe", "tribesmen", 2, (43, 43), leader="hero", weapon="none")
    bearers = squad("bearers", "patrol", 2, (20, 20), role="civilian", weapon="none")
    for figure in foe.figures.values():
        figure.place = "hut:0:0"
    for figure in red.figures.values():
        figure.gl += 3
    state = bare_battle(rules, [red, crew, riders, bearers, foe], house())
    state.houses["hut"] = BuildingState(4)
    return state


def text_and_reason(state: Battle, unit_id: str, option: Any) -> tuple[str, str]:
    """Return how an action reads and why it is worth something."""
    actions, unit, book = UNIT_ACTIONS.of(state.book.rules), state.units[unit_id], state.book
    action = actions.read(option)
    assert action is not None
    reason = actions.value(action, UnitView(state, SideObjectives(SCENARIO, state.field), unit), book).reason
    return (
        actions.text(action, numbers(book), formats(state, unit), words()),
        reason() if callable(reason) else reason,
    )


NUMBERS = [
    ("glory.hearten", 2, 4, "red", RALLY, "glory improves by {}", "glory improves by {}"),
    ("glory.hearten", 2, 4, "red", FALL_BACK, "glory improves by {}", "glory improves by {},"),
    ("movement.prone", "1/2", "1/3", "bearers", "lie down", "{} speed", "moves at {} speed"),
    ("salvo.shots", 6, 8, "crew", ("salvo at house", 0, "hut"), "salvo of {} shots", "{} shots at a building"),
    ("door.ds", 4, 6, "red", ("bash", "red/1", "hut:door"), "CS, {} or more", "CS, {} or more"),
    ("bash_die", "d12", "d6", "red", ("bash", "red/1", "hut:door"), "{} + CS", "{} + CS"),
    ("buildings.users", 2, 3, "red", "man the openings", "", "{} men can fire from each opening"),
    ("nearby_inches", 9, 12, "red", ("gather", "red/1", False), "", 'within {}"'),
    ("flare.across", 6, 8, "red", ("flare", "red/1"), "", "lights {} inches"),
    ("gaits.gallop.most", 17, 21, "riders", "dismount", "", "up to {} inches a turn"),
]


@pytest.mark.parametrize(("number", "was", "to", "unit", "option", "text", "reason"), NUMBERS)
def test_a_changed_number_changes_the_text_and_the_reason(
    tmp_path: Path, number: str, was: Any, to: Any, unit: str, option: Any, text: str, reason: str
) -> None:
    for name, value in (("", was), (number, to)):
        said, why = text_and_reason(stage(changed(tmp_path, name, was, to)), unit, option)
        shown = {"1/2": "half", "d12": "D12", "d6": "D6"}.get(str(value), value)
        assert text.format(shown) in said
        assert reason.format(shown) in why


def test_the_worth_of_a_leader_as_target_names_what_his_loss_costs(tmp_path: Path) -> None:
    for name, shown in (("", 1), ("glory.event", 2)):
        state = stage(changed(tmp_path, name, 1, 2))
        question = Choose("aim at", "FBN-093", "red/1", "patrol", ("foe/1", "foe/2"), ())
        leader, soldier = evaluate(state, SideObjectives(SCENARIO, state.field), question)
        assert (
            callable(leader.reason)
            and leader.reason() == f"he is a leader, and his fall worsens glory by {shown} (FBN-140)"
        )
        assert soldier.reason == "he is an enemy like any other"


def test_a_rally_is_worth_as_much_as_it_helps(tmp_path: Path) -> None:
    """Every man's glory is 3 worse than his own: 2 better is worth less than 4 better."""
    worth = []
    for name in ("", "glory.hearten"):
        state = stage(changed(tmp_path, name, 2, 4))
        actions = UNIT_ACTIONS.of(state.book.rules)
        action = actions.read(RALLY)
        assert action is not None
        view = UnitView(state, SideObjectives(SCENARIO, state.field), state.units["red"])
        worth.append(actions.value(action, view, state.book).steadies)
    assert worth == [pytest.approx(0.06), pytest.approx(0.09)]


def test_a_gun_may_be_able_to_move_and_fire(tmp_path: Path) -> None:
    """A gun has 3 AC; to fire takes 3 of them and to move 2. The AC of a whole crew are enough for both (FBN-205)."""
    for number, was, to, both in (("", 0, 0, False), ("gun_costs.fire", 3, 1, True), ("crew_ac", 0, "crew_sum", True)):
        _, why = text_and_reason(stage(changed(tmp_path, number, was, to)), "crew", ("gun move", 0))
        assert ("not both" in why) is not both, number


def test_who_counter_attacks_depends_on_the_setting(tmp_path: Path) -> None:
    for rule, who in (("wounded", "falling men"), ("survivors", "men who stay in play")):
        state = stage(changed(tmp_path, "counter_attack", "", rule))
        options = ("answer every hit", "answer none", "ask at each hit")
        question = Choose("counter-attack", "FBN-102", "red", "patrol", options, ())
        found = evaluate(state, SideObjectives(SCENARIO, state.field), question)
        assert all(str(one.reason).startswith(who) for one in found)
        assert max(found, key=lambda one: one.inflicts) is found[0]
