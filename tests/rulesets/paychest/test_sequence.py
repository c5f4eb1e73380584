"""The sequence of play: cards, the steps of an activation, and the end of a turn."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from tests.rulesets.paychest.stage import Scene, Script, bare_unit, blue, game, opened, red, row, rules_with, scene

from zareba.game.activation import CardPerUnit
from zareba.table import Choose, Confirm, Place, SeededTable
from zareba_rulesets.paychest.actions.melee_pairing import melee_step
from zareba_rulesets.paychest.chapters.setting_up import set_down
from zareba_rulesets.paychest.forces.battle import Engine
from zareba_rulesets.paychest.forces.units import Thing
from zareba_rulesets.paychest.sequence import Sequence, begin_activation, end_activation


def steps_of_a_turn(seed: int = 3) -> list[tuple[str, str]]:
    """Return the names and units of the steps in the first turn of a random game."""
    played = game("patrol_clash")
    random = Random(seed)

    def agent(question: Choose | Place | Confirm, state: Any) -> Any:
        if isinstance(question, Choose):
            return random.choice(question.options)
        return random.choice(question.suggestions) if isinstance(question, Place) else False

    state = played.start()
    table = SeededTable(played.rules, state, seed, dict.fromkeys(played.seats, agent))
    found = []
    while (step := played.play.next_step(state)) is not None and state.turn == 1:
        found.append((step.name, step.about))
        table.begin(step)
        played.play.perform(table, state, step)
    return found


@pytest.mark.rule("PAY-052", "PAY-053", "PAY-054", "PAY-055", "PAY-056", "PAY-057", "PAY-058")
def test_cards_one_by_one_then_morale() -> None:
    steps = [step for step in steps_of_a_turn() if step[0] != "setup.place"]
    assert steps[0][0] == "turn.start" and steps[-1][0] == "turn.end"
    acted = [about for name, about in steps if name == "unit.move"]
    assert len(acted) == len(set(acted)) >= 6
    for unit in acted:
        at = steps.index(("unit.move", unit))
        assert [name for name, _ in steps[at - 1 : at + 3]] == ["unit.card", "unit.move", "unit.fire", "unit.melee"]


def starting() -> tuple[Scene, Sequence, CardPerUnit]:
    played = game("patrol_clash")
    place = Scene(rules_with(), scene(red(2, leader="sergeant"), blue(2, leader="leader")).battle)
    place.battle.stage, place.battle.acting = "start", ""
    return place, Sequence(played.policy, played.scenario, played.plan), played.policy


@pytest.mark.rule("PAY-046", "PAY-047", "PAY-059", "PAY-060", "PAY-150")
def test_one_deck_with_a_card_for_every_unit_that_is_there() -> None:
    place, sequence, _ = starting()
    place.unit("red").hits = 4
    place.play(sequence.turn_start, place.battle)
    assert place.battle.cards.pile == {"red": 1, "blue": 1} and place.unit("red").hits == 0
    place.play(sequence.unit_card, place.battle, script=[("card", "blue")])
    assert place.battle.acting == "blue" and place.battle.stage == "move"
    place.battle.acting, place.battle.stage = "", "card"
    for figure in place.unit("red").figures.values():
        figure.fate = "dead"
    place.unit("red").measure()
    place.play(sequence.unit_card, place.battle, script=[("card", "red")])
    assert not place.told("card without effect")[0]["ran"] and place.battle.stage == "end"
    place.battle.stage = "start"
    place.play(sequence.turn_start, place.battle)
    assert place.battle.cards.pile == {"blue": 1}


@pytest.mark.rule("PAY-131", "PAY-060")
def test_a_unit_that_has_run_does_nothing_on_a_card_still_to_come() -> None:
    place, sequence, _ = starting()
    place.play(sequence.turn_start, place.battle)
    place.unit("red").mark("skip")
    place.play(sequence.unit_card, place.battle, script=[("card", "red")])
    assert place.battle.acting == "" and place.battle.stage == "card"
    assert place.told("card without effect")[0]["ran"]


@pytest.mark.rule("PAY-061", "PAY-062")
def test_counters_reset_at_an_activation() -> None:
    place = scene(red(2, leader="sergeant"))
    for figure in place.unit("red").figures.values():
        figure.gait, figure.shots = "run", 2
        figure.mark("back turned", "ran")
    assert place.play(begin_activation, place.battle, place.unit("red"))
    assert all((f.gait, f.shots, f.marks) == ("halt", 0, frozenset()) for f in place.unit("red").figures.values())


@pytest.mark.rule("PAY-063")
def test_immediate_results_precede_the_next_declaration() -> None:
    """A leader falls to the first volley. His unit runs before the second volley can be declared."""
    from zareba_rulesets.paychest.actions.fire import fire_step

    place = scene(red(2), blue(2, y=16.0, leader="leader"))
    script: list[tuple[str, Any]] = [
        ("fire", "volley"), ("volley at", ("blue", "blue.1")), ("fire", [1, 6]), ("who is hit", [1]),
        ("casualty card", "head_killed"), ("loss of leader", [1, 1]), ("forced move", [6, 6, 6, 6]),
    ]  # fmt: skip
    place.play(fire_step, place.battle, place.unit("red"), script=script)
    at = place.figure("blue.2").at
    assert at is not None and at[1] == pytest.approx(40.0)


@pytest.mark.rule("PAY-063", "PAY-101")
def test_figures_driven_away_by_a_volley_are_no_targets_in_the_step() -> None:
    from zareba_rulesets.paychest.actions.fire import fire_step

    place = scene(red(2), blue(3, y=16.0, leader="leader"), bare_unit("more", "blue", row(2, x=26.0, y=16.0)))
    script: list[tuple[str, Any]] = [
        ("fire", "volley"), ("volley at", ("blue", "blue.1")), ("fire", [1, 6]), ("who is hit", [1]),
        ("casualty card", "head_killed"), ("loss of leader", [1, 1]), ("forced move", [1, 1, 1, 1]), ("fire", "volley"),
    ]  # fmt: skip
    with pytest.raises(AssertionError, match="is not an answer to"):
        place.play(fire_step, place.battle, place.unit("red"), script=[*script, ("volley at", ("blue", "blue.2"))])
    again = scene(red(2), blue(3, y=16.0), bare_unit("more", "blue", row(2, x=26.0, y=16.0)))
    sequence = starting()[1]
    again.battle.stage, again.battle.acting, again.battle.moved_away = "fire", "red", ("blue.1", "blue.2", "blue.3")
    more: list[tuple[str, Any]] = [("fire", "volley"), ("volley at", ("more", "more.1")), ("fire", [6, 6])]
    again.play(sequence.unit_fire, again.battle, script=[*more, ("fire", "done")])
    assert not again.battle.moved_away


@pytest.mark.rule("PAY-063", "PAY-142")
def test_figure_that_ran_does_not_fight_in_the_same_step() -> None:
    reds = bare_unit("red", "red", [(20.0, 10.0), (24.0, 10.0), (24.0, 13.0)])
    place = scene(reds, bare_unit("blue", "blue", [(20.0, 11.0), (24.0, 11.0)], kind="irregular", leader="leader"))
    script: list[tuple[str, Any]] = [
        ("melee", "fight all"), ("melee", [1]), ("melee", [6]), *[("casualty card", "head_killed")] * 4,
        ("loss of leader", [1, 1]), ("forced move", [3, 3, 3, 3]),
    ]  # fmt: skip
    place.play(melee_step, place.battle, reds, script=script)
    assert place.figure("blue.2").at == (24.0, 11.0) and reds.figures["red.2"].brave == 0


@pytest.mark.rule("PAY-065", "PAY-046", "PAY-197", "PAY-059")
@pytest.mark.setting("recycle_irregulars")
def test_arriving_unit_has_a_card_in_the_same_turn() -> None:
    played = game("paychest_raid", recycle_irregulars="on")
    battle = played.start()
    for unit_id in battle.waiting:
        set_down(battle, battle.change(unit_id), played.plan.placed[unit_id], played.plan.ahead[unit_id])
    battle.waiting, battle.turn = [], 6
    place = Scene(rules_with(recycle_irregulars="on"), battle)
    for figure in battle.change("knives").figures.values():
        figure.fate, figure.at = "dead", None
    battle.unit("knives").measure()
    battle.change("knives").mark("acted", "skip")
    battle.returning = ["knives"]
    home = battle.field.home_edges["raiders"]
    depth = battle.field.table.extent[1]
    script: list[Script] = [
        ("arrival", [4]),
        ("arrive at", (30.0, 0.0)),
        ("arrive at", (30.0, depth if home == "north" else 0.0)),
    ]
    script += [("order for", "no more orders")] * 2
    sequence = Sequence(played.policy, played.scenario, played.plan)
    place.play(sequence.turn_start, battle, script=script)
    assert battle.cards.pile["goum"] == battle.cards.pile["knives"] == 1
    assert not battle.unit("knives").marks
    first = next(iter(battle.units))
    battle.change(first).mark("acted", "skip")
    place.play(sequence.turn_start, battle, script=[("order for", "no more orders")] * 2)
    assert battle.unit(first).marks.isdisjoint(("acted", "skip"))


@pytest.mark.rule("PAY-023", "PAY-124")
@pytest.mark.setting("unconscious_recovery")
def test_an_activation_begins_with_who_wakes_and_what_was_picked_up() -> None:
    rifle = {"gun of x": Thing("weapon", "rifle", "", None, carrier="red.1")}
    place = scene(red(2, leader="sergeant", weapons=("sword",)), things=rifle, unconscious_recovery="six")
    place.figure("red.1").loads = ("gun of x",)
    place.figure("red.2").fate = "unconscious"
    place.unit("red").measure()
    place.play(begin_activation, place.battle, place.unit("red"), script=[("come round", [6])])
    assert place.figure("red.1").weapons == ("rifle", "sword") and place.figure("red.2").able


@pytest.mark.rule("PAY-057", "PAY-064", "PAY-148", "PAY-168", "PAY-170")
def test_the_turn_ends_with_morale_of_those_who_were_hit_as_their_cards_came_up() -> None:
    played, place = opened("patrol_clash")
    battle = place.battle
    hit = [name for name, unit in battle.units.items() if not unit.spec.single][:4]
    alone = next(name for name, unit in battle.units.items() if unit.spec.single)
    for name in (*hit, alone):
        battle.change(name).hits = 3
    battle.change(hit[3]).rout = "rout_3d6_rally_7"
    battle.order = [hit[2], alone, hit[0]]
    sequence = Sequence(played.policy, played.scenario, played.plan)
    battle.stage = "end"
    script: list[Script] = [("morale", [6, 6])] * 3 + [("brave deed in", "nobody")] * 2
    place.play(sequence.turn_end, battle, script=script)
    assert [told["unit"] for told in place.told("morale passed")] == [hit[2], hit[0], hit[1]]
    assert battle.turn == 2


@pytest.mark.rule("PAY-100", "PAY-024", "PAY-175", "PAY-102")
def test_shots_are_counted_afresh_in_each_activation() -> None:
    gun = {"gun": Engine("machine_gun", "gun", "red", "red", (20.0, 10.0), shots=2, first_ones=1, moved="advance")}
    place = scene(red(2, leader="sergeant"), engines=gun)
    unit = place.unit("red")
    unit.shot_at, unit.aimed, unit.volleys = "blue", (("red.1", "blue"),), 2
    place.play(begin_activation, place.battle, unit)
    assert (unit.shot_at, len(unit.aimed), unit.volleys) == ("", 0, 0)
    engine = place.battle.engines["gun"]
    assert (engine.shots, engine.first_ones, engine.moved) == (0, 0, "halt")
    for figure in unit.figures.values():
        figure.mark("served", "held")
    unit.mark("no fire", "no move")
    place.play(end_activation, place.battle, unit)
    assert unit.marks == {"acted"} and not any(figure.marks for figure in unit.figures.values())
