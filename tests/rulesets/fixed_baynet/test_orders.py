"""Orders and the choice of actions (chapter 5)."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.fixed_baynet.plain import (
    MISS,
    STAYS,
    acts,
    battery,
    battle,
    box,
    duel,
    field,
    man,
    perform_with_one_man,
    rules_with,
    run,
    scripted,
    shot,
    squad,
    step,
    three_foes,
)
from tests.rulesets.fixed_baynet.scenarios import PLACED, started, troops

from zareba.agents import make_agent
from zareba.scenario import load_scenario
from zareba.table import Choose, SeededTable
from zareba_rulesets.fixed_baynet.actions.activation import begin_activation, legal_actions, perform_action
from zareba_rulesets.fixed_baynet.chapters import targets
from zareba_rulesets.fixed_baynet.chapters.artillery import may_aim_indirect
from zareba_rulesets.fixed_baynet.chapters.contact import men_in_contact
from zareba_rulesets.fixed_baynet.chapters.morale import voluntary_check
from zareba_rulesets.fixed_baynet.chapters.targets import can_fire
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.formations import is_formed
from zareba_rulesets.fixed_baynet.forces.units import Gun, Unit
from zareba_rulesets.fixed_baynet.game import FbnGame
from zareba_rulesets.fixed_baynet.odds.stage import bare_unit
from zareba_rulesets.fixed_baynet.presentation.words import option_phrase


@pytest.mark.rule("FBN-035", "FBN-034")
def test_a_change_of_formation_takes_an_ac_from_everybody_or_is_refused() -> None:
    unit = squad("red", "red", 6, (50, 50))
    state = battle(unit)
    assert ("form", "closed") in acts(state, unit)
    run(perform_action, state, unit, ("form", "closed"))
    assert [figure.ac for figure in unit.figures.values()] == [2] * 6
    assert unit.formation == "closed" and is_formed(state, unit)
    unit.figures["red/3"].ac = 0
    assert not any(isinstance(option, tuple) and option[0] == "form" for option in acts(state, unit))
    unit.figures["red/3"].mark("stunned")
    assert ("form", "open") in acts(state, unit)


@pytest.mark.rule("FBN-036", "FBN-034")
@pytest.mark.setting("voluntary_glory_check")
def test_a_voluntary_check_can_only_help() -> None:
    for setting, offered in ((True, True), (False, False)):
        unit = squad("red", "red", 2)
        state = battle(unit, voluntary_glory_check=setting)
        assert "check glory" not in acts(state, unit)
        unit.figures["red/1"].gl = 6
        assert ("check glory" in acts(state, unit)) is offered
    for die, gl in ((5, 6), (6, 5)):
        unit = squad("red", "red", 2)
        state = battle(unit)
        unit.figures["red/1"].gl = 6
        run(voluntary_check, state, unit, script=[("voluntary glory check", [die])])
        assert [(figure.gl, figure.ac) for figure in unit.figures.values()] == [(gl, 2), (4, 2)]
        assert "check glory" not in acts(state, unit)


@pytest.mark.rule("FBN-037", "FBN-034")
def test_reserves_are_sent_for_and_come_next_turn() -> None:
    late = troops(arrival={"turn": 2, "edge": "south"})
    _, state = started({**PLACED, "late": late})
    foot = state.units["foot"]
    with scripted(state) as table:
        begin_activation(table, state, foot)
        assert state.arrivals["late"] == 2 and ("reserve", "foot/1", "late") not in acts(state, foot), (
            "it comes by itself"
        )
    made, state = started({**PLACED, "late": late}, overrides={"fixed_baynet": {"forces": {"late": {"reserve": True}}}})
    assert not state.units["late"].on_table and state.arrivals["late"] < 0
    state.active = "foot"
    foot = state.units["foot"]
    with scripted(state) as table:
        begin_activation(table, state, foot)
        assert ("reserve", "foot/1", "late") in acts(state, foot)
        perform_action(table, state, foot, ("reserve", "foot/1", "late"))
    assert state.arrivals["late"] == 2
    state.active, state.phase, state.waiting = "", "housekeeping", []
    step(made, state)
    arrived = state.units["late"]
    assert arrived.on_table and arrived.box[3] < 10
    assert len({figure.at for figure in arrived.figures.values()}) == len(arrived.figures), "not all at one point"
    assert is_formed(state, arrived)


@pytest.mark.rule("FBN-035", "FBN-269", "FBN-272")
def test_immobile_men_stay_while_others_form_up() -> None:
    for mark, formed in (("prone", True), ("stunned", False)):
        unit = squad("red", "red", 6, (50, 50))
        state = battle(unit)
        idle = unit.figures["red/6"]
        idle.mark(mark)
        before = idle.at
        run(perform_action, state, unit, ("form", "closed"))
        others = [figure for figure in unit.figures.values() if figure is not idle]
        assert idle.at == before and idle.ac == (2 if mark == "prone" else 3)
        assert is_formed(state, unit, others) and {figure.ac for figure in others} == {2}
        assert ("unformed" not in unit.marks) is formed, "a stunned man is steady and out of his place"


@pytest.mark.rule("FBN-035", "FBN-051")
@pytest.mark.setting("leave_contact")
def test_men_in_contact_pay_for_a_change_of_formation_and_stay() -> None:
    for setting, stays in STAYS.items():
        red, blue = squad("red", "red", 6, (50, 50)), squad("blue", "blue", 1, (48, 52.0), facing=180.0)
        state = battle(red, blue, leave_contact=setting)
        foe = blue.figures["blue/1"]
        near = min(red.figures.values(), key=lambda one: abs(one.x - 48) + abs(one.y - 51))
        state.put(foe, near.x, near.y + 1.0)
        blue.measure()
        start = near.at
        run(perform_action, state, red, ("form", "closed"), leave_contact=setting)
        assert (near.at == start) is stays and near.ac == 2 and red.formation == "closed"


@pytest.mark.rule("FBN-035", "FBN-270")
@pytest.mark.setting("contact_needs_charge")
def test_forming_up_makes_contact_only_if_the_setting_allows_it() -> None:
    """The usual ranks would touch an enemy in front of the unit, or two rows of enemies around it."""
    one, rows = [(50, 52.03)], [(50 + x, y) for x in range(-8, 9) for y in (47.95, 52.05)]
    for spots in (one, rows):
        for setting in (False, True):
            unit = squad("red", "red", 8, (50, 50), "closed")
            enemy = bare_unit("blue", "blue", [man(f"blue/{i}", "blue", x, y) for i, (x, y) in enumerate(spots)])
            state = battle(unit, enemy, contact_needs_charge=setting)
            assert not men_in_contact(state, unit)
            run(perform_action, state, unit, ("form", "mass"), contact_needs_charge=setting)
            assert bool(men_in_contact(state, unit)) is not setting


@pytest.mark.rule("FBN-036", "FBN-205")
def test_a_crew_may_check_its_glory_instead_of_serving_its_piece() -> None:
    state, unit, _ = battery()
    assert "check glory" not in acts(state, unit)
    for figure in unit.figures.values():
        figure.gl = figure.spec.gl + 1
    assert {"check glory", ("gun fire", 0, "blue")} <= set(acts(state, unit))
    run(perform_action, state, unit, "check glory", script=[("voluntary glory check", [6])])
    assert all((figure.gl, figure.ac) == (figure.spec.gl, 2) for figure in unit.figures.values())
    assert ("gun fire", 0, "blue") not in acts(state, unit), "who has spent AC otherwise serves no more"


@pytest.mark.rule("FBN-037", "FBN-210")
@pytest.mark.setting("howitzer_fire")
def test_direct_fire_howitzers_cannot_be_called() -> None:
    for setting, called in (("both", True), ("indirect", True), ("direct", False)):
        _, guns, _ = battery("light_howitzer", howitzer_fire=setting)
        guns = bare_unit("guns", "red", list(guns.figures.values()), guns=guns.guns, kind="battery")
        callers = squad("callers", "red", 2, (30, 20))
        state = battle(guns, callers, squad("blue", "blue", 1, (50, 40)), howitzer_fire=setting)
        assert (("barrage", "callers/1", "guns") in acts(state, callers)) is called


@pytest.mark.rule("FBN-037", "FBN-224")
def test_any_man_may_call_a_battery_and_it_sees_through_his_eyes() -> None:
    ground = field(("crag", list(box(0, 20, 60, 22))))
    gun = Gun("light_howitzer", 50.0, 10.0, 0.0, 0.0, 2, ac=3)
    guns = bare_unit("guns", "red", [man("guns/1", "red", 50, 8.5, role="crew")], guns=[gun], kind="battery")
    squad_ = bare_unit("red", "red", [man("red/1", "red", 50, 15), man("red/2", "red", 70, 15)])
    blue = squad("blue", "blue", 1, (50, 38))
    for caller, seen in (("red/1", False), ("red/2", True)):
        state = battle(guns, squad_, blue, on=ground)
        state.active = "red"
        squad_.figures[caller].ac = 1
        perform_with_one_man(state, squad_, caller, ("barrage", caller, "guns"))
        assert state.calls == [("red", "guns", caller)] and squad_.figures[caller].ac == 0
        assert may_aim_indirect(state, guns, gun, (50, 38)) is seen


@pytest.mark.rule("FBN-038")
@pytest.mark.setting("target_order_ac")
def test_man_with_a_target_order_may_shoot_with_his_last_ac() -> None:
    """A man with 3 AC shoots and pays for a target order. His last AC allows a shot at the same target only."""
    for setting, offered in ((1, {("fire", "blue")}), (0, {("fire", "blue"), ("fire", "far")})):
        red, blue = squad("red", "red", 1, (50, 50)), squad("blue", "blue", 1, (50, 60), weapon="none")
        far = squad("far", "blue", 1, (60, 60), weapon="none")
        state = battle(red, blue, far, target_order_ac=setting)
        state.active = "red"
        figure = red.figures["red/1"]
        run(perform_action, state, red, ("fire", "blue"), script=[("shot", [2])], target_order_ac=setting)
        assert figure.ac == 2 - setting
        assert {act for act in acts(state, red) if isinstance(act, tuple) and act[0] == "fire"} == offered
        script = [("what he does", "fire"), ("aim at", "blue/1"), ("shot", [2])]
        run(perform_action, state, red, "one man", script=script, target_order_ac=setting)
        assert figure.ac == 1 - setting


@pytest.mark.rule("FBN-038", "FBN-041", "FBN-052")
@pytest.mark.setting("prone_untargetable", "target_order_ac", "charge_actions")
def test_acts_say_what_the_settings_make_of_them() -> None:
    def told(**settings: Any) -> str:
        red, blue = squad("red", "red", 3, (50, 50)), squad("blue", "blue", 3, (50, 57), facing=180.0)
        state = battle(red, blue, **settings)
        options = (*legal_actions(state, red).kinds, ("charge", "blue"))
        question = Choose("act", "FBN-016", "red", "red", options, ())
        return "; ".join(option_phrase(state, question, option) for option in options)

    assert "lie down: cannot be targeted, half speed" in told() and "lie down: half speed" in told(
        prone_untargetable=False
    )
    assert "2 with a musket): 2 options" in told()
    assert "2 with a musket), 1 more to name a new target: 2 options" in told(target_order_ac=1)
    assert 'up to 10" (1 AC)' in told() and 'up to 10" an action (1 AC)' in told(charge_actions=3)


@pytest.mark.rule("FBN-038")
@pytest.mark.setting("target_order_ac")
def test_naming_a_target_may_cost_an_ac_once() -> None:
    for cost in (0, 1):
        state, red, _ = duel(target_order_ac=cost)
        shot(state, ("shot", MISS), target_order_ac=cost)
        assert red.figures["red/1"].ac == 2 - cost
    assert can_fire(state, red.figures["red/1"], "blue")
    assert not can_fire(state, red.figures["red/1"], "somebody else")


@pytest.mark.rule("FBN-268")
@pytest.mark.setting("attacks_per_activation")
def test_a_man_fires_as_often_as_his_ac_allow_or_once() -> None:
    for setting, again in (("ac", True), (1, False)):
        state, red, _ = duel(attacks_per_activation=setting)
        shot(state, ("shot", MISS), attacks_per_activation=setting)
        assert can_fire(state, red.figures["red/1"]) is again


def test_the_first_choice_stops_looking_at_the_first_target(monkeypatch: pytest.MonkeyPatch) -> None:
    state, red = three_foes()
    looked: list[str] = []
    plain = targets.has_target

    def counted(battle: Battle, unit: Unit, target: Unit, ready: Any) -> bool:
        looked.append(target.spec.id)
        return plain(battle, unit, target, ready)

    monkeypatch.setattr(targets, "has_target", counted)
    menu = legal_actions(state, red)
    assert "fire" in menu.kinds and looked == ["blue0"]
    assert menu.of("fire") == [("fire", "blue0"), ("fire", "blue1"), ("fire", "blue2"), "split fire"]
    assert looked == ["blue0", "blue1", "blue2"] and menu.of("fire") == menu.of("fire")
    assert looked == ["blue0", "blue1", "blue2"], "the list is made once"


def test_a_commander_fires_at_the_target_he_meant() -> None:
    game = FbnGame(rules_with(), load_scenario("patrol_clash"))
    state = game.start()
    meant: dict[str, Any] = {}
    agents = {seat: make_agent("doctrine", game, seat, 7) for seat in game.seats}

    def answer(question: Any, now: Battle) -> Any:
        answered = agents[question.seat](question, now)
        if question.why == "act" and answered == "fire":
            found = game.advisor.evaluate(now, question)
            meant["fire"] = found[question.options.index(answered)]
        if question.why == "fire at":
            found = game.advisor.evaluate(now, question)
            assert found[question.options.index(answered)].inflicts == meant["fire"].inflicts
            meant["asked"] = True
        return answered

    table = SeededTable(game.rules, state, 7, dict.fromkeys(game.seats, answer))
    while (step := game.play.next_step(state)) is not None:
        table.begin(step)
        game.play.perform(table, state, step)
    assert "asked" in meant
