"""An act is chosen in two steps: its kind, listed if one such act is legal, then its target, manner or place."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from tests.rulesets.fixed_baynet.plain import acts, battle, rules_with, scripted, squad

from zareba.agents import make_agent
from zareba.scenario import load_scenario
from zareba.space.geometry import joint_box
from zareba.table import Choose, Confirm, Place, SeededTable
from zareba_rulesets.fixed_baynet.actions import firing
from zareba_rulesets.fixed_baynet.actions.activation import choose_action, end_activation, perform_action
from zareba_rulesets.fixed_baynet.actions.movement import ways_to_march, ways_to_ride
from zareba_rulesets.fixed_baynet.actions.unit_actions import UNIT_ACTIONS, legal_actions, menu_of
from zareba_rulesets.fixed_baynet.chapters import aiming
from zareba_rulesets.fixed_baynet.chapters.aiming import find_targets, firers, target_figures
from zareba_rulesets.fixed_baynet.estimates import SideObjectives, estimate_volley
from zareba_rulesets.fixed_baynet.evaluation import evaluate
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.units import Unit
from zareba_rulesets.fixed_baynet.game import FbnGame
from zareba_rulesets.fixed_baynet.presentation.odds_hints import next_act
from zareba_rulesets.fixed_baynet.presentation.option_text import option_phrase


def three_foes() -> tuple[Battle, Unit]:
    red = squad("red", "red", 6, (50, 20))
    state = battle(red, *[squad(f"blue{i}", "blue", 4, (40.0 + 10 * i, 34), facing=180.0) for i in range(3)])
    state.active = "red"
    return state, red


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
@pytest.mark.parametrize("name", ["river_ford", "hill_fort", "mission_station"])
def test_a_kind_is_offered_if_and_only_if_some_act_of_it_is_open(name: str) -> None:
    game = FbnGame(rules_with(), load_scenario(name))
    state = game.start()
    random = Random(name)
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
    for _ in range(250):
        step = game.play.next_step(state)
        if step is None:
            break
        table.begin(step)
        game.play.perform(table, state, step)
    assert {"fire", "form"} <= seen


def test_the_first_choice_stops_looking_at_the_first_target(monkeypatch: pytest.MonkeyPatch) -> None:
    state, red = three_foes()
    looked: list[str] = []
    plain = aiming.has_target

    def counted(battle: Battle, unit: Unit, target: Unit, ready: Any) -> bool:
        looked.append(target.spec.id)
        return plain(battle, unit, target, ready)

    monkeypatch.setattr(aiming, "has_target", counted)
    menu = legal_actions(state, red)
    assert "fire" in menu.kinds and looked == ["blue0"]
    assert menu.of("fire") == [("fire", "blue0"), ("fire", "blue1"), ("fire", "blue2"), "split fire"]
    assert looked == ["blue0", "blue1", "blue2"] and menu.of("fire") == menu.of("fire")
    assert looked == ["blue0", "blue1", "blue2"], "the list is made once"


@pytest.mark.rule("FBN-016")
def test_the_second_question_is_asked_where_there_is_a_choice() -> None:
    state, red = three_foes()
    with scripted(state, ("act", "fire"), ("fire at", ("fire", "blue1"))) as table:
        assert choose_action(table, state, red) == ("fire", "blue1")
    with scripted(state, ("act", "move")) as table:
        assert choose_action(table, state, red) == "move"
    single = battle(squad("red", "red", 1, (50, 20)), squad("blue", "blue", 1, (50, 40)))
    with scripted(single, ("act", "fire")) as table:
        assert choose_action(table, single, single.units["red"]) == ("fire", "blue")


def test_a_menu_serves_one_choice_and_no_copy_of_the_battle() -> None:
    state, red = three_foes()
    with scripted(state, ("act", "lie down")) as table:
        perform_action(table, state, red, choose_action(table, state, red))
        assert state.menu is None, "what was found is forgotten when the act is done"
    with scripted(state, ("act", "end")) as table:
        assert choose_action(table, state, red) == "end"
        end_activation(table, state, red)
    assert state.menu is None
    state.menu = legal_actions(state, red)
    assert menu_of(state, red) is state.menu
    aside = state.copy_for_look_ahead("red")
    del aside.units["blue0"]
    assert ("fire", "blue0") not in menu_of(aside, aside.units["red"]).of("fire")
    copy = state.copy()
    copy.units["blue2"].mark("hidden")
    assert ("fire", "blue2") not in menu_of(copy, copy.units["red"]).of("fire")


@pytest.mark.rule("FBN-039", "FBN-173")
def test_the_ways_that_were_weighed_are_those_of_the_move() -> None:
    """Paths are computed once for a choice, and again for a copy of the state and for the next choice."""
    for mounted in (False, True):
        red = squad("red", "red", 4, (50, 20), mounted=mounted, rides=mounted)
        state = battle(red, squad("blue", "blue", 4, (50, 60)))

        def ways(state: Battle = state, mounted: bool = mounted) -> object:
            unit = state.units["red"]
            return ways_to_ride(state, unit, 1) if mounted else ways_to_march(state, unit)

        assert ways() is not ways(), "there is no choice under way"
        state.menu = legal_actions(state, red)
        weighed = ways()
        assert ways() is weighed and ways(state.copy()) is not weighed
        taken = ("ride", 1) if mounted else "move"
        asked = "ride to" if mounted else "move to"
        with scripted(state, (asked, (50.0, 24.0))) as table:
            perform_action(table, state, red, taken)
        assert state.menu is None and red.middle == pytest.approx((50, 24))


@pytest.mark.rule("FBN-078")
def test_who_steps_out_of_hiding_looks_again_where_he_may_go() -> None:
    """A unit that leaves hiding may discover an enemy in its path, so its moves are computed again."""
    red = squad("red", "red", 1, (50, 20))
    foe = squad("blue", "blue", 1, (50, 23))
    red.mark("hidden")
    foe.mark("hidden")
    state = battle(red, foe)
    state.menu = legal_actions(state, red)
    assert ways_to_march(state, red)[1].legal((50.0, 23.0)) is None
    with pytest.raises(AssertionError, match="FBN-050"), scripted(state, ("move to", (50.0, 23.0))) as table:
        perform_action(table, state, red, "move")


def test_a_kind_of_act_is_worth_its_best_act_and_judged_once(monkeypatch: pytest.MonkeyPatch) -> None:
    state, red = three_foes()
    for foe in list(state.units["blue1"].figures.values())[1:]:
        del state.units["blue1"].figures[foe.spec.id]
    mission = SideObjectives(load_scenario("patrol_clash"), state.field)
    judged: list[str] = []
    plain = estimate_volley

    def counted(battle: Battle, unit: Unit, target: Unit, *rest: Any, **named: Any) -> Any:
        judged.append(target.spec.id)
        return plain(battle, unit, target, *rest, **named)

    monkeypatch.setattr(firing, "estimate_volley", counted)
    state.menu = legal_actions(state, red)
    first = Choose("act", "FBN-016", "red", "red", tuple(state.menu.kinds), ())
    second = Choose("fire at", "FBN-092", "red", "red", tuple(state.menu.of("fire")), ())
    kinds = dict(zip(first.options, evaluate(state, mission, first), strict=True))
    shots = dict(zip(second.options, evaluate(state, mission, second), strict=True))
    assert kinds["fire"] in shots.values()
    assert kinds["fire"].inflicts == max(one.inflicts for one in shots.values()) > shots["fire", "blue1"].inflicts
    assert judged == ["blue1", "blue0"], "the two nearest, and neither twice"
    fresh, own = three_foes()
    assert evaluate(fresh, mission, second)[1].inflicts > shots["fire", "blue1"].inflicts, "men who fell were counted"
    assert menu_of(fresh, own) is not menu_of(fresh, own)


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


@pytest.mark.rule("FBN-006")
def test_the_first_choice_tells_how_many_ways_or_the_only_one_with_its_odds() -> None:
    state, _ = three_foes()
    question = Choose("act", "FBN-016", "red", "red", ("fire", "form", "end"), ())
    assert option_phrase(state, question, "fire") == "fire (1 AC a shot, muskets 2): 4 options"
    assert option_phrase(state, question, "form") == "change formation (1 AC each): 3 options"
    assert next_act(state, question, "fire") is None
    second = Choose("fire at", "FBN-092", "red", "red", (("fire", "blue0"), ("fire", "blue1")), ())
    assert next_act(state, second, ("fire", "blue1")) is not None
    alone = battle(squad("red", "red", 1, (50, 20)), squad("blue", "blue", 3, (50, 40)))
    assert option_phrase(alone, question, "fire").startswith('fire at blue, 19.0" away (3 men in open order)')
    assert (next_act(alone, question, "fire") or ("",))[0] == "volley"
