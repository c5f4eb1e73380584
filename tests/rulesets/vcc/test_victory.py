"""Captures, withdrawal, collapse, and the end of the battle."""

from __future__ import annotations

import pytest
from tests.rulesets.vcc.battlefields import battlefield, blue, red, rules_with
from tests.rulesets.vcc.scenarios import game_of, troops

from zareba.scenario import load_scenario
from zareba.space.grid.boxes import N
from zareba_rulesets.vcc.chapters.casualties import apply_hits
from zareba_rulesets.vcc.chapters.morale import retreat
from zareba_rulesets.vcc.chapters.movement import charge
from zareba_rulesets.vcc.chapters.victory import (
    VccScoreboard,
    capture_commanders,
    capture_wagons_and_guns,
    effective_loss,
    has_withdrawn,
    take_carried_objects,
)
from zareba_rulesets.vcc.forces import OFF_TABLE, ScenarioObject
from zareba_rulesets.vcc.game import VccGame


@pytest.mark.rule("VCC-164", "VCC-015")
def test_a_wagon_alone_with_an_unbroken_enemy_is_taken_at_the_end_of_the_turn() -> None:
    scene = battlefield(red("Wagon", "D4", "wagon_section"), blue("Spears", "D4"))
    scene.run(capture_wagons_and_guns)
    assert scene.battle.gone == {"Wagon": "captured"}
    assert scene.told("captured") == [{"unit": "Wagon"}]
    assert scene.told("loss")[0]["cause"] == "other"
    for marks, friends in (("broken", ()), ("", (red("Escort", "D4"),))):
        safe = battlefield(red("Wagon", "D4", "wagon_section"), blue("Spears", "D4", marks=marks), *friends)
        safe.run(capture_wagons_and_guns)
        assert safe.battle.gone == {}


@pytest.mark.rule("VCC-164", "VCC-171")
@pytest.mark.setting("wagons_captured")
@pytest.mark.setting("commander_captured")
@pytest.mark.parametrize("value", ["alone_with_enemy", "never"])
def test_wagons_and_commanders_left_alone_with_the_enemy(value: str) -> None:
    scene = battlefield(
        red("Wagon", "D4", "wagon_section"),
        blue("Spears", "D4"),
        blue("Horse", "B4"),
        commanders={"red": ("B4", "")},
        wagons_captured=value,
        commander_captured=value,
    )
    scene.run(capture_wagons_and_guns)
    scene.run(capture_commanders)
    assert scene.battle.gone == ({"Wagon": "captured"} if value == "alone_with_enemy" else {})
    assert (scene.battle.commanders["red"].box == OFF_TABLE) is (value == "alone_with_enemy")


@pytest.mark.rule("VCC-157")
@pytest.mark.parametrize(
    ("taker", "friends", "taken"),
    [
        (blue("Spears", "D4"), (), True),
        (blue("Horse", "D4", "irregular_cavalry"), (), True),
        (blue("Commando", "D4", "mounted_european_irregular", marks="dismounted"), (), True),
        (blue("Spears", "D4", marks="prone broken"), (), True),
        (blue("Crew", "D4", "machine_gun"), (), False),
        (blue("Wagon", "D4", "wagon_section"), (), False),
        (blue("Gunners", "D4", "field_gun", marks="abandoned"), (), False),
        (blue("Crew", "D4", "machine_gun"), (blue("Spears", "D4"),), True),
        (red("Guard", "D4"), (), False),
        (blue("Spears", "D4"), (red("Guard", "D4"),), False),
    ],
)
def test_an_abandoned_gun_is_put_out_of_action_by_troops_of_the_line(
    taker: object, friends: tuple[object, ...], taken: bool
) -> None:
    scene = battlefield(red("Gun", "D2", "field_gun", marks="abandoned"), taker, *friends)  # type: ignore[arg-type]  # units
    scene.unit("Gun").gun_box = scene.box("D4")
    scene.run(capture_wagons_and_guns)
    assert ("wrecked" in scene.marks("Gun")) is taken
    assert scene.told("gun taken") == ([{"unit": "Gun"}] if taken else [])


@pytest.mark.rule("VCC-171", "VCC-108")
def test_a_commander_whose_last_troops_fall_in_melee_is_taken_at_once() -> None:
    scene = battlefield(
        red("Last", "D4", bases=1, leader=False),
        blue("Spears", "D4"),
        commanders={"red": ("D4", "Last")},
    )
    scene.run(charge, scene.unit("Spears"), scene.unit("Last"))
    scene.play(("melee", [1]), ("melee", [1] * 11), phase="melee")
    assert scene.battle.gone == {"Last": "destroyed"}
    assert scene.told("commander captured")[0]["side"] == "red"
    assert scene.battle.commanders["red"].box == -1


@pytest.mark.rule("VCC-171", "VCC-152")
def test_a_commander_left_behind_by_those_who_fall_back_is_taken() -> None:
    scene = battlefield(red("Rifles", "D4", bases=2), blue("Spears", "D4"), commanders={"red": ("D4", "")})
    scene.unit("Rifles").bases, scene.unit("Rifles").leader = 1, False
    scene.battle.taken = {"Rifles": 3}
    scene.play(("morale", 6), phase="melee_morale")  # 1 base + 2 for the commander: missed by 3
    assert scene.at("Rifles") == "D3"
    assert scene.battle.commanders["red"].box == -1


@pytest.mark.rule("VCC-103", "VCC-164", "VCC-157")
def test_machine_guns_are_checked_and_wagons_taken_as_the_turn_ends() -> None:
    scene = battlefield(
        red("Maxim", "A1", "machine_gun", marks="fired", streak=1),
        red("Wagon", "D4", "wagon_section"),
        blue("Spears", "D4"),
    )
    scene.play(("overheating", 2), phase="end_of_turn")
    assert scene.marks("Maxim") == {"overheated"}
    assert scene.battle.gone == {"Wagon": "captured"}


@pytest.mark.rule("VCC-166")
def test_battle_ends_if_a_side_has_no_unbroken_unit() -> None:
    scene = battlefield(red("Rifles", "D4"), blue("Spears", "D6", marks="broken"))
    scene.play(phase="end_of_turn")
    assert (scene.battle.over, scene.battle.ending) == (True, "collapse")
    coming = battlefield(red("Rifles", "D4"), blue("Spears", "D6", marks="broken"), blue("Late", "A7"))
    coming.battle.move(coming.unit("Late"), -1)
    coming.battle.arrivals = {"Late": 9}
    coming.play(phase="end_of_turn")
    assert not coming.battle.over, "reinforcements are still to come"


@pytest.mark.rule("VCC-166", "VCC-025", "VCC-169")
def test_units_still_to_deploy_count_and_broken_units_do_not() -> None:
    game = VccGame(rules_with(), load_scenario("river_ford"))
    state = game.start()
    assert state.waiting and state.arrivals, "some are to be set out and some to come"
    assert game.strength(state) == {"british": 1.0, "boers": 1.0}
    sizes = {side: game.scoreboard(state).size(side) for side in game.seats}
    assert sizes == game.plan.field.starting_bases
    assert {side: effective_loss(state, side) for side in game.seats} == {"british": 0.0, "boers": 0.0}
    first = state.unit(state.waiting[0])
    size, side = first.strength, first.spec.side
    state.move(first, game.plan.placed[first.spec.id])
    assert game.strength(state)[side] == 1.0
    first.mark("broken")
    assert game.strength(state)[side] == (sizes[side] - size) / sizes[side]
    assert game.scoreboard(state).losses(side) == 0
    assert effective_loss(state, side) == 0.0, "a broken unit is not lost"
    state.remove(first, "routed")
    assert game.strength(state)[side] == (sizes[side] - size) / sizes[side]
    assert effective_loss(state, side) == size / sizes[side]


@pytest.mark.rule("VCC-166")
def test_the_turn_limit_of_the_scenario() -> None:
    scene = battlefield(red("Rifles", "D4"), blue("Spears", "D6"), turns=2)
    scene.play(phase="end_of_turn")
    assert (scene.battle.over, scene.battle.turn) == (False, 2)
    scene.play(phase="end_of_turn")
    assert (scene.battle.over, scene.battle.ending) == (True, "turn_limit")


@pytest.mark.rule("VCC-166")
@pytest.mark.setting("withdrawal_share")
def test_a_side_withdraws_at_its_share_of_losses() -> None:
    for native, over in (("off", False), (0.25, True), (0.3, False)):
        scene = battlefield(red("Rifles", "D4"), blue("Spears", "D6", bases=19), withdrawal_share=("off", native))
        scene.unit("Spears").bases -= 5
        assert effective_loss(scene.battle, "blue") == 0.25
        scene.play(phase="end_of_turn")
        assert (scene.battle.over, scene.battle.ending) == (over, "withdrawal" if over else "")


@pytest.mark.rule("VCC-166", "VCC-057")
def test_units_leaving_as_the_scenario_allows_are_not_lost() -> None:
    scene = battlefield(red("Rifles", "D4"), red("Wagon", "D5", "wagon_section"), blue("Spears", "D6"))
    scene.battle.remove(scene.unit("Wagon"), "left north")
    assert effective_loss(scene.battle, "red") == 0
    scene.battle.remove(scene.unit("Rifles"), "routed")
    assert effective_loss(scene.battle, "red") == pytest.approx(6 / 7)


@pytest.mark.rule("VCC-166")
@pytest.mark.setting("withdrawal_share")
def test_side_that_withdraws_loses_despite_its_points() -> None:
    game = VccGame(rules_with(withdrawal_share=(0.1, "off")), load_scenario("patrol_clash"))
    state = game.start()
    for unit_id, box in game.plan.placed.items():
        state.move(state.unit(unit_id), box)
    state.move(state.unit("fusiliers"), min(game.plan.places["village_held"]))
    state.unit("sikhs").bases = 1
    state.ending = "withdrawal"
    assert VccScoreboard(state, game.scenario, game.plan).holder(game.scenario.objectives["village_held"]) == "patrol"  # type: ignore[arg-type]  # a place to hold
    outcome = game.play.outcome(state)
    assert (outcome.winner, outcome.ground) == ("tribesmen", "withdrawal")
    assert game.play.common_outcome(state).points["patrol"] == 0, "who withdraws leaves the village to the enemy"


@pytest.mark.rule("VCC-166", "VCC-057")
def test_the_share_of_an_escort_counts_bases_at_the_place_or_off_its_edge() -> None:
    units = {"foot": troops(position=[3, 45]), "wagon": troops(arm="wagon", kind="civilian", position=[9, 3])}
    escort = {"kind": "escort", "name": "Home", "units": ["foot", "wagon"]}
    goals = {"off": {**escort, "edge": "north"}, "there": {**escort, "at": [9, 3]}}
    game = game_of(units, objectives=goals)
    state = game.start()

    def brought(goal: str) -> float:
        return game.scoreboard(state).share_brought(game.scenario.objectives[goal])  # type: ignore[arg-type]  # an escort

    foot = state.unit("foot")
    assert (foot.strength, state.unit("wagon").strength) == (5, 1)
    assert (brought("off"), brought("there")) == (0.0, 1 / 6)
    foot.bases = 2
    state.remove(foot, "left north")
    assert (brought("off"), brought("there")) == (3 / 6, 1 / 6)


@pytest.mark.rule("VCC-166")
def test_the_way_of_an_escort_leads_to_its_edge_or_its_place() -> None:
    escort = {"kind": "escort", "name": "Home", "units": ["foot"]}
    goals = {"off": {**escort, "edge": "north"}, "there": {**escort, "at": [9, 3]}}
    game = game_of({"foot": troops(position=[3, 3])}, objectives=goals)
    state = game.start()
    board, foot = game.scoreboard(state), state.unit("foot")
    ways = {key: board.boxes_of(foot, key, goal) for key, goal in game.scenario.objectives.items() if key in goals}  # type: ignore[arg-type]  # an escort
    assert ways == {"off": state.field.edge_boxes[N], "there": tuple(sorted(game.plan.places["there"]))}


@pytest.mark.rule("VCC-166", "VCC-167")
def test_a_place_is_held_by_the_side_that_alone_has_unbroken_units_there() -> None:
    game = VccGame(rules_with(), load_scenario("patrol_clash"))
    state = game.start()
    goal = game.scenario.objectives["village_held"]
    box = min(game.plan.places["village_held"])

    def holder() -> str | None:
        return VccScoreboard(state, game.scenario, game.plan).holder(goal)  # type: ignore[arg-type]  # a place to hold

    assert holder() is None
    state.move(state.unit("fusiliers"), box)
    assert holder() == "patrol"
    state.move(state.unit("swordsmen"), max(game.plan.places["village_held"]))
    assert holder() is None
    state.unit("swordsmen").mark("broken")
    assert holder() == "patrol"


@pytest.mark.rule("VCC-116", "VCC-163")
def test_a_leader_is_lost_with_his_base_or_as_commander_with_his_figure() -> None:
    game = VccGame(rules_with(), load_scenario("patrol_clash"))
    state = game.start()
    for unit_id, box in game.plan.placed.items():
        state.move(state.unit(unit_id), box)
    scoreboard = VccScoreboard(state, game.scenario, game.plan)
    assert [leader for leader in game.scenario.leaders if scoreboard.leader_lost(leader)] == []
    state.unit("sikhs").leader = False
    state.commanders["tribesmen"].box = -1
    assert [leader for leader in game.scenario.leaders if scoreboard.leader_lost(leader)] == ["jemadar", "khan"]


@pytest.mark.rule("VCC-116", "VCC-163", "VCC-166")
def test_a_leader_is_on_the_table_with_his_base_or_as_commander_with_his_figure() -> None:
    game = VccGame(rules_with(), load_scenario("patrol_clash"))
    state = game.start()
    for unit_id, box in game.plan.placed.items():
        state.move(state.unit(unit_id), box)
    state.commanders["tribesmen"].box = state.unit("horsemen").box

    def present() -> list[str]:
        scoreboard = VccScoreboard(state, game.scenario, game.plan)
        return [leader for leader in ("jemadar", "khan") if scoreboard.is_on_table(leader)]

    assert present() == ["jemadar", "khan"]
    state.unit("sikhs").leader = False
    assert present() == ["khan"], "his unit fights on without him"
    state.commanders["tribesmen"].box = OFF_TABLE
    assert present() == []


@pytest.mark.rule("VCC-166", "VCC-108")
def test_an_object_lies_where_its_carrier_fell_not_where_he_set_out() -> None:
    scene = battlefield(red("Rifles", "D4"), blue("Carrier", "D5", bases=1), blue("Friends", "D6"))
    carried_object = scene.battle.carried_objects["chest"] = ScenarioObject(scene.box("D5"), "Carrier")
    scene.battle.move(scene.unit("Carrier"), scene.box("D6"))
    scene.run(apply_hits, scene.unit("Carrier"), 12, "fire")
    assert (carried_object.carrier, carried_object.box) == ("", scene.box("D6"))
    scene.run(take_carried_objects)
    assert carried_object.carrier == "Friends"


@pytest.mark.rule("VCC-171", "VCC-156")
def test_a_commander_who_goes_off_the_table_with_his_unit_is_reported() -> None:
    scene = battlefield(blue("Spears", "D7"), commanders={"blue": ("D7", "Spears")})
    scene.run(retreat, scene.unit("Spears"), 1)
    assert scene.battle.commanders["blue"].box == OFF_TABLE
    assert scene.told("commander routed") == [{"side": "blue", "name": "commander of blue"}]


@pytest.mark.rule("VCC-166")
@pytest.mark.setting("withdrawal_share")
@pytest.mark.parametrize(("share", "left"), [(0.2, 8), (0.3, 7), (0.4, 6), (0.7, 3), (0.9, 1)])
def test_a_side_withdraws_when_its_losses_are_exactly_its_share(share: float, left: int) -> None:
    scene = battlefield(red("Rifles", "D4", bases=9), blue("Spears", "D6"), withdrawal_share=(share, "off"))
    scene.unit("Rifles").bases = left
    assert not has_withdrawn(scene.battle, "red")
    scene.unit("Rifles").leader = False
    assert has_withdrawn(scene.battle, "red")
