"""Units of mixed men: mounted and on foot, with fast and slow horses, indoors and outdoors; and deeds of all kinds."""

from __future__ import annotations

import pytest
from tests.rulesets.fixed_baynet.plain import Battle, act_worth, acts, battle, house, man, scripted, squad

from zareba.scenario import load_scenario
from zareba_rulesets.fixed_baynet.actions.activation import perform_action
from zareba_rulesets.fixed_baynet.chapters.buildings import damage_building, post_man
from zareba_rulesets.fixed_baynet.estimates import SideObjectives, UnitView
from zareba_rulesets.fixed_baynet.odds.stage import bare_unit


@pytest.mark.rule("FBN-049")
@pytest.mark.parametrize("first", ["rider", "walker"])
def test_men_on_foot_turn_whoever_is_named_first(first: str) -> None:
    rider, walker = man("red/1", "red", 50, 50, mounted=True), man("red/2", "red", 53, 50)
    red = bare_unit("red", "red", [rider, walker] if first == "rider" else [walker, rider])
    state = battle(red, squad("blue", "blue", 1, (50, 90)))
    state.active = "red"
    assert "face" in acts(state, red)
    with scripted(state, ("face", "east")) as table:
        perform_action(table, state, red, "face")
    assert (rider.facing, walker.facing) == (0.0, 90.0)
    del red.figures["red/2"]
    assert "face" not in acts(state, red)


@pytest.mark.rule("FBN-176", "FBN-177")
@pytest.mark.parametrize("first", ["fast", "slow"])
@pytest.mark.parametrize("decel", ["any", "one"])
def test_horses_ride_together_at_gaits_that_are_open_to_all(first: str, decel: str) -> None:
    fast, slow = man("red/1", "red", 50, 50, mounted=True), man("red/2", "red", 53, 50, mounted=True)
    fast.last_gait, slow.last_gait = 2, 1
    red = bare_unit("red", "red", [fast, slow] if first == "fast" else [slow, fast])
    state = battle(red, squad("blue", "blue", 1, (50, 90)), decel_steps=decel)
    rides = {option[1] for option in acts(state, red) if isinstance(option, tuple) and option[0] == "ride"}
    assert rides == {1, 2}


@pytest.mark.rule("FBN-176", "FBN-180")
@pytest.mark.parametrize("first", ["fast", "slow"])
def test_a_charge_is_offered_at_the_gait_of_the_fastest(first: str) -> None:
    """In a charge each rider goes on his own; riders who cannot reach the enemy stay."""
    fast, slow = man("red/1", "red", 50, 50, mounted=True), man("red/2", "red", 53, 50, mounted=True)
    fast.last_gait, slow.last_gait = 2, 0
    red = bare_unit("red", "red", [fast, slow] if first == "fast" else [slow, fast])
    state = battle(red, squad("blue", "blue", 1, (50, 64)))
    assert ("ride down", "blue", 3) in acts(state, red)


@pytest.mark.rule("FBN-161", "FBN-248", "FBN-250")
@pytest.mark.parametrize("led", [True, False])
def test_who_brings_a_house_down_upon_a_leader_has_done_a_deed(led: bool) -> None:
    red, blue = squad("red", "red", 1, (43, 20)), squad("blue", "blue", 1, (43, 43), leader="officer" if led else "")
    for figure in blue.figures.values():
        figure.place = "hut:0:0"
    state = battle(red, blue, squad("more", "blue", 1, (90, 90)), on=house())
    state.houses["hut"].points = 1
    with scripted(state, ("collapse", [12])) as table:
        damage_building(table, state, "hut", 1, False, False, red)
    assert not blue.figures and ("deed" in red.marks) is led


def at_door(inside: bool) -> Battle:
    """Red strikes at blue, through a door if blue is behind it."""
    red = squad("red", "patrol", 1, (42, 39.1) if inside else (42, 20))
    blue = squad("blue", "tribesmen", 1, (42, 41) if inside else (42, 21), facing=180.0)
    state = battle(red, blue, on=house())
    foe = blue.figures["blue/1"]
    if inside:
        foe.place = "hut:0:0"
        post_man(state, foe, "hut:door")
    return state


@pytest.mark.rule("FBN-256", "FBN-266")
def test_a_commander_knows_that_those_behind_a_door_have_two_more() -> None:
    worths = []
    for inside in (False, True):
        state = at_door(inside)
        red = state.units["red"]
        assert "fight" in acts(state, red)
        worths.append(
            act_worth(UnitView(state, SideObjectives(load_scenario("patrol_clash"), state.field), red), "fight").total
        )
    assert worths[0] > 0 > worths[1]
