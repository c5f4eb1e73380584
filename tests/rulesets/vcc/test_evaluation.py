"""Evaluation by AI players: cached views of the battle, facings, ways round water, and the risk of a new posture."""

from __future__ import annotations

import pytest

from zareba.agents import make_agent
from zareba.registry import load_rules
from zareba.scenario import load_scenario, shipped_scenarios
from zareba.table import Agent, Answer, Choose, Confirm, Place, SeededTable
from zareba.tactics import Position, all_positions
from zareba_rulesets.vcc.evaluation import BoxValues, Evaluator, SideView
from zareba_rulesets.vcc.forces import OFF_TABLE, Battle
from zareba_rulesets.vcc.game import VccGame


def test_cached_situation_is_reused_for_equal_battles_and_unchanged_by_the_first() -> None:
    rules = load_rules("vcc")
    game = VccGame(rules, load_scenario("square_attacked"))
    state = game.start()
    table = SeededTable(rules, state, 1, {side: make_agent("doctrine", game, side, 1) for side in game.seats})
    while (step := game.play.next_step(state)) is not None and step.turn < 3:
        table.begin(step)
        game.play.perform(table, state, step)
    side, evaluator = game.seats[1], Evaluator(game.scenario, game.plan)
    other = state.copy()
    shared = SideView(state, evaluator, side).box_values()
    for unit in state.units.values():
        if unit.spec.side != side:
            unit.box = OFF_TABLE
    assert SideView(other, evaluator, side).box_values() is shared
    fresh = BoxValues(SideView(other, evaluator, side))
    boxes = range(state.field.grid.size)
    assert [shared.danger(box) for box in boxes] == [fresh.danger(box) for box in boxes]
    assert any(fresh.danger(box) for box in boxes)
    weapons = {unit.spec.weapon for unit in state.units.values()} - {"none", "rocket"}
    assert all(shared.shots(weapon, box) == fresh.shots(weapon, box) for weapon in weapons for box in boxes)


@pytest.mark.parametrize("scenario", sorted(shipped_scenarios()))
def test_units_that_deploy_face_the_enemy_or_the_facing_that_the_scenario_suggests(scenario: str) -> None:
    rules = load_rules("vcc")
    game = VccGame(rules, load_scenario(scenario))
    state = game.start()
    agents = {side: make_agent("doctrine", game, side, 1) for side in game.seats}
    table = SeededTable(rules, state, 1, agents)
    suggested = {name: unit.facing for name, unit in state.units.items()}
    deployed = 0
    while (step := game.play.next_step(state)) is not None and step.about == "deployment":
        waiting = list(state.waiting)
        table.begin(step)
        game.play.perform(table, state, step)
        for unit in map(state.unit, set(waiting) - set(state.waiting)):
            deployed += 1
            enemies = [enemy for enemy in state.units.values() if enemy.on_table and enemy.spec.side != unit.spec.side]
            front = [enemy for enemy in enemies if state.field.front_arcs[unit.facing, unit.box, enemy.box]]
            assert front or (not enemies and unit.facing == suggested[unit.spec.id]), unit.spec.name
    assert deployed, "units that deploy"


def test_the_way_to_a_place_leads_round_deep_water() -> None:
    game = VccGame(load_rules("vcc"), position("cross_the_bridge").scenario)
    field = game.plan.field
    bank, far_bank = field.grid.at(1, 1), field.grid.at(1, 4)
    assert bank is not None and far_bank is not None
    assert field.grid.distance(bank, far_bank) == 3
    way = field.path_lengths["foot", (far_bank,)]
    assert way[far_bank] == 0 and 3 < way[bank] < 10, "over the bridge, two boxes to the east"


def test_cached_view_is_not_reused_after_an_enemy_has_turned() -> None:
    game = VccGame(load_rules("vcc"), load_scenario("square_attacked"))
    state = game.start()
    side, evaluator = game.seats[1], Evaluator(game.scenario, game.plan)
    view = SideView(state, evaluator, side).box_values()
    enemy = next(unit for unit in state.units.values() if unit.spec.side != side)
    enemy.facing = (enemy.facing + 4) % 8
    assert SideView(state, evaluator, side).box_values() is not view, "its flank may now be open to a charge"


def test_changing_posture_is_as_risky_as_staying() -> None:
    game = VccGame(load_rules("vcc"), load_scenario("river_ford"))
    state = game.start()
    in_danger: set[str] = set()
    chosen: set[object] = set()

    def watched(side: str) -> Agent:
        agent = make_agent("doctrine", game, side, 1)

        def answer(question: Choose | Place | Confirm, state: Battle) -> Answer:
            answer = agent(question, state)
            if isinstance(question, Choose) and question.why == "move" and "stay" in question.options:
                risks = {
                    option: evaluation.suffers
                    for option, evaluation in zip(question.options, game.advisor.evaluate(state, question), strict=True)
                }
                for option in {"form square", "leave square", "mount", "dismount"} & risks.keys():
                    assert risks[option] == risks["stay"], f"{question.actor} can {option}"
                    in_danger.update([option] if risks["stay"] else [])
                chosen.add(answer)
            return answer

        return answer

    table = SeededTable(game.rules, state, 1, {side: watched(side) for side in game.seats})
    while (step := game.play.next_step(state)) is not None and step.turn < 5:
        table.begin(step)
        game.play.perform(table, state, step)
    assert {"form square", "mount", "dismount"} <= in_danger
    assert "form square" not in chosen, "the riders of the other side fight on foot"


def position(name: str) -> Position:
    return next(candidate for candidate in all_positions("vcc") if candidate.id == name)
