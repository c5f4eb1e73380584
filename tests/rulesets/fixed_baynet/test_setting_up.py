"""Setting up: components, forces, deployment zones and formations at the start (chapters 1 and 2)."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import dist
from typing import Any

import pytest
from tests.rulesets.fixed_baynet.plain import (
    battle,
    book,
    facing_off,
    field,
    house,
    man,
    pair,
    rules_with,
    run,
    scripted,
    squad,
    step,
    three_foes,
)
from tests.rulesets.fixed_baynet.scenarios import PLACED, game, started, troops

from zareba.chance import SUM
from zareba.game.activation import AlternateUnits
from zareba.scenario import load_scenario, shipped_scenarios
from zareba.scenario.victory import end_of_battle
from zareba.table import Choose, Roll
from zareba_rulesets.fixed_baynet.actions.activation import perform_action
from zareba_rulesets.fixed_baynet.chapters.cavalry import may_mount
from zareba_rulesets.fixed_baynet.chapters.contact import foes_in_contact
from zareba_rulesets.fixed_baynet.chapters.setting_up import fitting_ranks, form_up, roll_initiative, room_near
from zareba_rulesets.fixed_baynet.chapters.sight import range_between, visibility
from zareba_rulesets.fixed_baynet.chapters.victory import FbnScoreboard
from zareba_rulesets.fixed_baynet.forces.battle import bases_near
from zareba_rulesets.fixed_baynet.forces.formations import is_formed, is_in_formation
from zareba_rulesets.fixed_baynet.game import FbnGame
from zareba_rulesets.fixed_baynet.odds.stage import bare_unit
from zareba_rulesets.fixed_baynet.presentation.odds_hints import next_act
from zareba_rulesets.fixed_baynet.presentation.words import option_phrase, question_sentence


@pytest.mark.rule("FBN-003", "FBN-265")
def test_turn_limits_come_from_the_scenario() -> None:
    made, state = started()
    assert end_of_battle(FbnScoreboard(state, made.scenario), state.achieved) == ""
    state.turn = 10
    assert end_of_battle(FbnScoreboard(state, made.scenario), state.achieved) == "turn_limit"


@pytest.mark.rule("FBN-005", "FBN-050", "FBN-186")
def test_men_who_mount_sit_on_their_horses_and_not_on_one_another() -> None:
    red = squad("red", "red", 6, (50, 50), "closed", mounted=True, rides=True)
    state = battle(red, squad("blue", "blue", 1, (50, 90)))
    horses = [figure.at for figure in red.figures.values()]
    with scripted(state) as table:
        perform_action(table, state, red, "dismount")
        perform_action(table, state, red, ("form", "closed"))
        perform_action(table, state, red, "mount")
    mounted = [figure for figure in red.figures.values() if figure.mounted]
    assert len(mounted) >= 4
    assert all(range_between(state, a, b) > 0 for a in mounted for b in red.figures.values() if a is not b)
    assert all(any(dist(figure.at, at) < 1 for at in horses) for figure in mounted)
    inside = bare_unit("red", "red", [man("red/1", "red", 43, 40.6, rides=True)])
    state = battle(inside, on=house())
    rider = inside.figures["red/1"]
    rider.mark("horse 43.00 39.40")
    assert may_mount(state, rider)
    rider.place = "hut:0:0"
    assert not may_mount(state, rider)


@pytest.mark.rule("FBN-005", "FBN-235")
def test_ranges_run_between_edges() -> None:
    state, one, other = pair(None, (10, 10), (10, 17))
    assert range_between(state, one, other) == 6.0
    assert visibility(state) > 1e6


@pytest.mark.rule("FBN-005", "FBN-011")
def test_men_are_placed_singly_if_no_formation_fits() -> None:
    crowd = squad("crowd", "blue", 60, (50, 50), "mass")
    unit = squad("red", "red", 5, (50, 50), "closed")
    state = battle(unit, crowd)
    spots, ranks = fitting_ranks(state, unit.figures, (50.0, 50.0), "closed", 0.0, 0.5)
    assert len(spots) == 5 and ranks is None
    for place, spot in enumerate(spots):
        others = [*spots[:place], *[figure.at for figure in crowd.figures.values()]]
        assert all(dist(spot, other) >= 1 - 1e-6 for other in others)


@pytest.mark.rule("FBN-005")
def test_bases_and_contact() -> None:
    numbers = book()
    assert numbers.radius == {"foot": 0.5, "mounted": 0.75, "gun": 1.0}
    for inches, touching in ((0.05, 1), (0.06, 0)):
        state, red, _ = facing_off(inches)
        assert len(foes_in_contact(state, red.figures["red/1"], "red")) == touching
    state, red, _ = facing_off(3)
    assert len(bases_near(state, red.box, 5.0, ())) == 2


@pytest.mark.rule("FBN-006")
def test_the_first_choice_tells_how_many_ways_or_the_only_one_with_its_odds() -> None:
    state, _ = three_foes()
    question = Choose("act", "FBN-016", "red", "red", ("fire", "form", "end"), ())
    assert option_phrase(state, question, "fire") == "fire (1 AC a shot, 2 with a musket): 4 options"
    assert option_phrase(state, question, "form") == "change formation (1 AC each): 3 options"
    assert next_act(state, question, "fire") is None
    second = Choose("fire at", "FBN-092", "red", "red", (("fire", "blue0"), ("fire", "blue1")), ())
    assert next_act(state, second, ("fire", "blue1")) is not None
    alone = battle(squad("red", "red", 1, (50, 20)), squad("blue", "blue", 3, (50, 40)))
    assert option_phrase(alone, question, "fire").startswith('fire at blue, 19" away, 3 men in open order')
    assert (next_act(alone, question, "fire") or ("",))[0] == "volley"


@pytest.mark.rule("FBN-007", "FBN-012")
def test_the_order_of_preparation_and_of_a_turn() -> None:
    phases = list(book().file.sequence)
    assert phases == ["initiative", "deployment", "actions", "glory", "housekeeping"]
    policy = AlternateUnits(book().file.sequence, ("red", "blue"))
    state = battle()
    state.phase, found = "initiative", []
    for _ in range(6):
        found.append(state.phase)
        policy.advance(state)
    assert found == [*phases, "initiative"] and state.turn == 2


@pytest.mark.rule("FBN-008", "FBN-009")
@pytest.mark.setting("initiative_highest")
def test_three_sides_with_the_highest_first_keep_the_order_of_the_others() -> None:
    for setting, order in (("last", ["b", "c", "a"]), ("first", ["a", "b", "c"])):
        state = battle(initiative_highest=setting)
        state.order = ["a", "b", "c"]
        rolls = [("initiative", [6]), ("initiative", [1]), ("initiative", [3])]
        run(roll_initiative, state, script=rolls, initiative_highest=setting)
        assert state.order == order


@pytest.mark.rule("FBN-008")
@pytest.mark.setting("initiative_highest")
def test_advantage_of_the_highest_roll_follows_the_setting() -> None:
    said = {"last": "activates last", "first": "activates first", "chooses": "first or last"}
    for setting, words in said.items():
        roll = Roll("initiative", "FBN-008", "red", 1, 6, SUM)
        assert words in question_sentence(battle(initiative_highest=setting), roll, {})
    choice = Choose("activate", "FBN-008", "red", "red", ("last", "first"), ())
    assert (
        question_sentence(battle(), choice, {"red": "The Reds"})
        == "The Reds rolled highest: first or last to activate?"
    )


@pytest.mark.rule("FBN-008", "FBN-009")
def test_the_highest_activates_last_and_ties_roll_again() -> None:
    state = battle()
    state.order = ["a", "b", "c"]
    with scripted(
        state, ("initiative", [6]), ("initiative", [3]), ("initiative", [3]), ("initiative", [1]), ("initiative", [2])
    ) as table:
        roll_initiative(table, state)
    assert state.order == ["b", "c", "a"]


@pytest.mark.rule("FBN-008")
@pytest.mark.setting("initiative_highest")
def test_the_highest_may_go_first_or_choose() -> None:
    scripts: dict[str, tuple[tuple[str, Any], ...]] = {"last": (), "first": (), "chooses": (("activate", "first"),)}
    for setting, script in scripts.items():
        state = battle(initiative_highest=setting)
        with scripted(state, ("initiative", [6]), ("initiative", [1]), *script, initiative_highest=setting) as table:
            roll_initiative(table, state)
        assert state.order == (["blue", "red"] if setting == "last" else ["red", "blue"])


@pytest.mark.rule("FBN-008")
@pytest.mark.setting("initiative_each_turn")
def test_initiative_is_kept_or_rolled_every_turn() -> None:
    for setting, phase in ((False, "actions"), (True, "initiative")):
        made, state = started(settings={"initiative_each_turn": setting})
        state.phase, state.waiting = "housekeeping", []
        step(made, state, initiative_each_turn=setting)
        assert (state.turn, state.phase) == (2, phase)


@pytest.mark.rule("FBN-010")
def test_forces_come_from_the_scenario_and_nothing_has_a_price() -> None:
    made = game(PLACED)
    assert Counter(squad.spec.side for squad in made.plan.squads.values()) == {"army": 2, "band": 1}
    assert not any("point" in field for field in type(made.plan.squads["foot"].men[0]).__dataclass_fields__)


@pytest.mark.rule("FBN-011")
@pytest.mark.parametrize(
    ("edge", "west", "south", "east", "north"),
    [("south", 0, 0, 60, 12), ("north", 0, 48, 60, 60), ("west", 0, 0, 12, 60), ("east", 48, 0, 60, 60)],
)
def test_without_zones_a_side_deploys_in_the_strip_along_its_edge(
    edge: str, west: int, south: int, east: int, north: int
) -> None:
    """The strip is 12 inches deep, on a board of 60 by 60."""
    sides = {"army": {"name": "Army", "home_edge": edge}, "band": {"name": "Band", "home_edge": "north"}}
    zones = game({"foot": troops()}, sides=sides).plan.field.deployment
    assert zones["army"] == (((west, south), (east, south), (east, north), (west, north)),)


@pytest.mark.rule("FBN-011", "FBN-271")
@pytest.mark.parametrize("name", shipped_scenarios())
def test_every_unit_of_a_shipped_scenario_starts_in_its_formation(name: str) -> None:
    state = FbnGame(rules_with(), load_scenario(name)).start()
    for unit in state.on_table():
        if not unit.guns:
            assert is_formed(state, unit) and "unformed" not in unit.marks, unit.spec.id


@pytest.mark.rule("FBN-011")
def test_unit_whose_place_is_taken_stands_nearby_on_the_same_side_of_a_wall() -> None:
    first = squad("first", "red", 12, (50, 50), "mass")
    second = squad("second", "red", 12, (-50, -50), "mass")
    state = battle(first, second, on=field())
    at = room_near(state, second, (50.0, 50.0), "mass", 0.0)
    assert at is not None and 3 < dist(at, (50, 50)) <= 5
    form_up(state, second, at, "mass", 0.0)
    assert is_formed(state, second) and is_formed(state, first)
    assert second.middle == pytest.approx(at, abs=0.5), "it is measured where it stands"
    walls = [("stone_wall", [(52.6, 40.0), (52.6, 60.0)]), ("stone_wall", [(47.4, 40.0), (47.4, 60.0)])]
    state = battle(first, second, on=field(lines=tuple(walls)))
    at = room_near(state, second, (50.0, 50.0), "mass", 0.0)
    assert at is not None and 47.4 < at[0] < 52.6 and abs(at[1] - 50) >= 3
    full = [squad(f"full{i}", "blue", 100, (5 + 10 * (i % 10), 5 + 10 * (i // 10)), "mass") for i in range(100)]
    assert room_near(battle(second, *full, on=field()), second, (50.0, 50.0), "square", 0.0) is None


@pytest.mark.rule("FBN-011")
def test_sides_deploy_by_turns_in_their_zones_in_a_legal_formation() -> None:
    made, state = started({"foot": troops()})
    assert state.phase == "deployment" and state.waiting == ["foot"]
    spot = (made.plan.spots["foot"][0], made.plan.spots["foot"][1] - 3)
    with pytest.raises(AssertionError, match="FBN-011"):
        step(made, state.copy(), ("deploy as", "closed"), ("deploy facing", "north"), ("deploy at", (30.0, 30.0)))
    step(made, state, ("deploy as", "closed"), ("deploy facing", "north_east"), ("deploy at", spot))
    unit = state.units["foot"]
    assert unit.formation == "closed" and {figure.facing for figure in unit.figures.values()} == {45.0}
    assert state.phase == "actions"
    assert made.plan.field.deployment["band"] == (((0.0, 48.0), (60.0, 48.0), (60.0, 60.0), (0.0, 60.0)),)


@pytest.mark.rule("FBN-011")
def test_all_men_stand_in_their_zone_where_there_is_room_and_else_their_middle() -> None:
    for south, edge, refused in ((0.0, 14.0, "some of its men would stand outside"), (6.0, 6.9, None)):
        zone = [[0, south], [60, south], [60, edge], [0, edge]]
        sides = {"army": {"name": "Army", "home_edge": "south", "deployment": {"zone": zone}}}
        made, state = started({"foot": troops()}, sides=sides | {"band": {"name": "Band", "home_edge": "north"}})
        spot = (made.plan.spots["foot"][0], edge - 0.1)
        script = (("deploy as", "closed"), ("deploy facing", "north"), ("deploy at", spot))
        if refused:
            with pytest.raises(AssertionError, match=refused):
                step(made, state, *script)
        else:
            step(made, state, *script)
            assert len({figure.y > edge for figure in state.units["foot"].figures.values()}) == 2


@pytest.mark.rule("FBN-011", "FBN-050", "FBN-242", "FBN-272")
def test_unit_without_room_in_its_building_stands_next_to_it() -> None:
    hut = {"kind": "building", "name": "Tower", "area": [[20, 4], [24, 4], [24, 8], [20, 8]], "material": "wood"}
    garrison = troops(figures=12, inside="tower", formation="mass")
    overrides = {"fixed_baynet": {"buildings": {"tower": {"kind": "tower"}}}}
    state = game({"guards": garrison}, terrain={"tower": hut}, overrides=overrides).start()
    unit = state.units["guards"]
    outside = [figure for figure in unit.figures.values() if not figure.place]
    assert len(outside) == 8 and unit.shape == ("mass" if is_in_formation(state, "mass", outside) else "open")
    assert all(dist(a.at, b.at) >= 1 - 1e-6 for a, b in combinations(outside, 2))
