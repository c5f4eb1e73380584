"""Deployment, sequence of play, organisation, victory (chapters 2, 3, 17, 18, 22, 23)."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import dist
from typing import Any

import pytest
from tests.rulesets.fixed_baynet.plain import acts, battle, book, man, rules_with, scripted, squad
from tests.rulesets.fixed_baynet.scenarios import game, scenario, troops

from zareba.game.activation import AlternateUnits
from zareba.scenario.model import Escort
from zareba.scenario.victory import end_of_battle
from zareba.table import SeededTable
from zareba.table.questions import Step
from zareba_rulesets.fixed_baynet.actions.activation import begin_activation, perform_action
from zareba_rulesets.fixed_baynet.chapters.setting_up import roll_initiative
from zareba_rulesets.fixed_baynet.chapters.victory import FbnScoreboard, leave_table
from zareba_rulesets.fixed_baynet.forces.battle import Battle, Flare
from zareba_rulesets.fixed_baynet.forces.formations import is_in_formation
from zareba_rulesets.fixed_baynet.game import FbnGame
from zareba_rulesets.fixed_baynet.odds.stage import bare_unit

PLACED = {"foot": troops(position=[20, 8]), "other": troops(position=[40, 8])}


def started(
    units: dict[str, dict[str, Any]] | None = None, settings: dict[str, Any] | None = None, **parts: Any
) -> tuple[FbnGame, Battle]:
    """A game after initiative: the band goes first and its units are ready to activate."""
    made = game(units or PLACED, settings, **parts)
    state = made.start()
    for key in state.units:
        state.units.change(key)
    with scripted(state, ("initiative", [5]), ("initiative", [2]), **(settings or {})) as table:
        made.play.perform(table, state, Step("initiative.roll", 1, "0"))
    return made, state


def step(made: FbnGame, state: Battle, *script: tuple[str, Any], **settings: Any) -> str:
    """Perform the next step with a script. Return its name."""
    following = made.play.next_step(state)
    assert following is not None
    with scripted(state, *script, **settings) as table:
        made.play.perform(table, state, following)
    return following.name


# --- before play -----------------------------------------------------------------------------------------------------------------


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


# --- activations --------------------------------------------------------------------------------------------------------------------


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


@pytest.mark.rule("FBN-013", "FBN-008")
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


@pytest.mark.rule("FBN-016", "FBN-033", "FBN-098")
def test_each_man_has_his_own_ac_less_his_answers() -> None:
    unit = squad("red", "red", 2)
    state = battle(unit)
    unit.figures["red/1"].spent = 2
    with scripted(state) as table:
        begin_activation(table, state, unit)
    assert [figure.ac for figure in unit.figures.values()] == [1, 3]


@pytest.mark.rule("FBN-017", "FBN-231", "FBN-098", "FBN-172", "FBN-238")
def test_what_is_cleared_at_the_end_of_a_turn() -> None:
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


@pytest.mark.rule("FBN-003", "FBN-265")
def test_turn_limits_come_from_the_scenario() -> None:
    made, state = started()
    assert end_of_battle(FbnScoreboard(state, made.scenario), state.achieved) == ""
    state.turn = 10
    assert end_of_battle(FbnScoreboard(state, made.scenario), state.achieved) == "turn_limit"


@pytest.mark.rule("FBN-265")
def test_a_leader_is_lost_when_he_is_dead_or_taken() -> None:
    leaders = {name: {"name": name, "side": "army", "rank": "officer", "unit": "foot"} for name in ("major", "captain")}
    made, state = started(leaders=leaders)
    standing, foot = FbnScoreboard(state, made.scenario), state.units["foot"]
    (major,) = [key for key, figure in foot.figures.items() if figure.spec.leader_id == "major"]
    assert not standing.leader_lost("major") and not standing.leader_lost("captain")
    foot.figures[major].reaction = "flee"
    assert not standing.leader_lost("major"), "he has run, but is on the table"
    del foot.figures[major]
    assert standing.leader_lost("major") and not standing.leader_lost("captain")
    assert not standing.leader_lost("nobody"), "who never came cannot be lost"


@pytest.mark.rule("FBN-265")
def test_without_objectives_the_greater_share_left_wins() -> None:
    made, state = started()
    state.units["enemy"].figures.pop("enemy/1")
    assert made.play.outcome(state).winner == "army"
    assert made.strength(state)["band"] == 0.9
    next(iter(state.units["foot"].figures.values())).reaction = "flee"
    assert made.strength(state)["army"] == 0.95
    for figure in state.units["enemy"].figures.values():
        figure.reaction = "freeze"
    assert end_of_battle(FbnScoreboard(state, made.scenario), state.achieved) == "collapse"


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
    assert state.units["late"].on_table and state.units["late"].box[3] < 10


# --- stat lines and squads ------------------------------------------------------------------------------------------------------------


def lines(settings: dict[str, Any] | None = None, **unit: Any) -> set[tuple[int, int, int, int, int]]:
    squads = game({"foot": troops(position=[20, 8], **unit)}, settings).plan.squads
    return {
        (m.cs, m.ds, m.sp, m.ac, m.gl) for key, squad in squads.items() if key.startswith("foot") for m in squad.men
    }


@pytest.mark.rule("FBN-018", "FBN-021", "FBN-022", "FBN-027", "FBN-028", "FBN-124")
def test_the_stat_lines_of_both_tables() -> None:
    assert lines(quality="raw") == {(-1, 4, 5, 3, 5)}
    assert lines(quality="regular") == {(0, 5, 5, 3, 4)}
    assert lines(quality="elite") == {(1, 5, 6, 3, 3)}
    native: dict[str, Any] = {"kind": "tribal", "close_weapon": "spear"}
    assert lines(quality="raw", **native) == {(0, 3, 5, 3, 5)}
    assert lines(quality="regular", **native) == {(1, 4, 5, 3, 4)}
    assert lines(quality="elite", **native) == {(2, 4, 6, 3, 3)}


@pytest.mark.rule("FBN-030")
@pytest.mark.setting("veteran_stats")
def test_veterans_and_civilians() -> None:
    assert lines({"veteran_stats": "regular"}, quality="veteran") == {(0, 5, 5, 3, 4)}
    assert lines({"veteran_stats": "elite"}, quality="veteran") == {(1, 5, 6, 3, 3)}
    assert game({"foot": troops(quality="veteran")}).plan.squads["foot"].men[0].column == "elite"
    civilian = game({"foot": troops(arm="civilians", kind="civilian")}).plan.squads["foot"].men[0]
    assert (civilian.cs, civilian.ds, civilian.column, civilian.weapon, civilian.close) == (
        0,
        3,
        "green",
        "none",
        False,
    )


@pytest.mark.rule("FBN-028")
@pytest.mark.setting("native_regular_table")
def test_drilled_natives_on_either_table() -> None:
    assert lines({"native_regular_table": "european"}, kind="native_regular") == {(0, 5, 5, 3, 4)}
    assert lines({"native_regular_table": "native"}, kind="native_regular") == {(1, 4, 5, 3, 4)}


def roles(settings: dict[str, Any] | None = None, **unit: Any) -> list[Counter[str]]:
    squads = game({"foot": troops(position=[20, 8], **unit)}, settings, leaders=unit.pop("leaders", {})).plan.squads
    return [Counter(m.role for m in squad.men) for key, squad in squads.items() if key.startswith("foot")]


@pytest.mark.rule("FBN-123", "FBN-188", "FBN-196", "FBN-197", "FBN-198", "FBN-199", "FBN-200")
def test_squads_and_their_leaders() -> None:
    assert roles(figures=10) == [Counter(soldier=9, nco=1)]
    assert roles(figures=12, arm="cavalry") == [Counter(soldier=11, nco=1)]
    assert roles(figures=20, kind="tribal") == [Counter(soldier=19, hero=1)]
    assert roles(figures=30) == [Counter(soldier=14, nco=1)] * 2
    officer = {"chief": {"name": "Chief", "side": "army", "rank": "officer", "unit": "foot"}}
    squads = game({"foot": troops(figures=20)}, leaders=officer).plan.squads
    assert Counter(m.role for m in squads["foot"].men) == Counter(soldier=18, officer=1, nco=1)
    alone = {"chief": {"name": "Chief", "side": "army", "rank": "chief", "hero": True, "position": [5, 5]}}
    lone = game(PLACED, leaders=alone).plan.squads["chief"]
    assert (lone.spec.kind, [m.role for m in lone.men]) == ("independent", ["hero"])


@pytest.mark.rule("FBN-200")
@pytest.mark.setting("squad_size_strict")
def test_other_sizes_are_allowed_or_made_to_fit() -> None:
    for setting, sizes in ((False, [14]), (True, [10])):
        squads = game({"foot": troops(figures=14)}, {"squad_size_strict": setting}).plan.squads
        assert [len(squad.men) for key, squad in squads.items() if key == "foot"] == sizes


@pytest.mark.rule("FBN-137", "FBN-203", "FBN-237")
def test_medics_bearers_and_snipers_come_from_traits() -> None:
    men = game({"foot": troops(traits=["medic", "standard", "sniper"])}).plan.squads["foot"].men
    assert [m.role for m in men][:3] == ["nco", "medic", "soldier"] and men[2].bearer
    for trait, role in (("medic", "medic"), ("hero", "hero"), ("sniper", "soldier")):
        (alone,) = game({"foot": troops(figures=1, traits=[trait])}).plan.squads["foot"].men
        assert alone.role == role, "a medic or hero may stand by himself"
    assert all(m.sniper for m in men)


@pytest.mark.rule("FBN-123", "FBN-159", "FBN-196")
def test_an_officer_who_is_a_hero_is_still_an_officer() -> None:
    for kind, rank, role in (
        ("european_regular", "officer", "officer"),
        ("european_regular", "nco", "nco"),
        ("tribal", "nco", "hero"),
        ("tribal", "chief", "hero"),
    ):
        leader = {"name": "Boyle", "side": "army", "rank": rank, "hero": True}
        units = {"foot": troops(kind=kind, position=[30, 10])}
        men = game(units, leaders={"boyle": {**leader, "unit": "foot"}}).plan.squads["foot"].men
        assert men[0].role == role and sum(man.role == "nco" for man in men) == (kind == "european_regular")
        (alone,) = game(units, leaders={"boyle": {**leader, "position": [20, 5]}}).plan.squads["boyle"].men
        assert alone.role == role


@pytest.mark.rule("FBN-191", "FBN-190")
def test_the_rifle_is_standard_equipment() -> None:
    assert {m.weapon for m in game({"foot": troops(weapon="none")}).plan.squads["foot"].men} == {"rifle"}
    spears = game({"foot": troops(weapon="none", close_weapon="spear")}).plan.squads["foot"].men
    assert {m.weapon for m in spears} == {"none"} and all(m.close for m in spears)
    assert [name for name, weapon in book().weapons.items() if weapon.long_arm] == ["rifle", "winchester", "musket"]


@pytest.mark.rule("FBN-193")
@pytest.mark.setting("switch_weapon")
def test_a_pistol_is_taken_instead_or_besides() -> None:
    for setting, spare in (("list", "none"), ("in_game", "pistol")):
        men = game({"foot": troops()}, {"switch_weapon": setting}).plan.squads["foot"].men
        assert men[0].spare == spare
    unit = bare_unit("red", "red", [man("red/1", "red", 10, 10, spare="pistol"), man("red/2", "red", 12, 10)])
    state = battle(unit, switch_weapon="in_game")
    with scripted(state, ("which man", "red/1"), ("what he does", "switch weapon"), switch_weapon="in_game") as table:
        perform_action(table, state, unit, "one man")
    assert (unit.figures["red/1"].weapon, unit.figures["red/1"].ac) == ("pistol", 2)


@pytest.mark.rule("FBN-201", "FBN-202")
def test_batteries_are_two_guns_with_four_men_each() -> None:
    guns = game(
        {"guns": troops(arm="artillery", figures=12, weapon="none", gun={"kind": "field", "pieces": 3})}
    ).plan.squads
    assert [(len(guns[key].guns), len(guns[key].men)) for key in ("guns.1", "guns.2")] == [(2, 8), (1, 4)]
    crew = guns["guns.1"].men[0]
    assert (crew.cs, crew.ds, crew.sp, crew.role) == (-1, 4, 5, "crew")
    rockets = game({"r": troops(arm="rocket", figures=4, weapon="none", gun={"kind": "field"})}).plan.squads["r"]
    assert (rockets.guns, rockets.shells, rockets.solid, rockets.rockets) == (["light_howitzer"], True, False, True)
    maxims = game({"mg": troops(arm="machine_gun", figures=4, weapon="none")}).plan.squads
    assert [len(maxims[key].men) for key in ("mg.1", "mg.2")] == [2, 2]


@pytest.mark.rule("FBN-261", "FBN-262")
def test_what_these_rules_do_not_have_is_said() -> None:
    made = game(
        {**PLACED, "car": troops(arm="vehicle", figures=2), "carts": troops(arm="wagon", kind="civilian", figures=4)}
    )
    assert any("vehicle" in note for note in made.untranslated)
    assert any("drivers" in note for note in made.untranslated)
    assert "gas" not in set(book().weapons)


@pytest.mark.rule("FBN-234")
@pytest.mark.setting("night")
@pytest.mark.setting("fog")
def test_night_and_fog_come_from_the_scenario_or_the_settings() -> None:
    for night, fog in ((False, False), (True, True)):
        state = game(PLACED, {"night": night, "fog": fog}).start()
        assert (state.night, state.fog) == (night, fog)
    assert game(PLACED, night=True).start().night


@pytest.mark.rule("FBN-237")
def test_the_view_of_a_side_leaves_out_what_is_hidden_from_it() -> None:
    made, state = started({**PLACED, "ambush": troops(position=[30, 12], hidden=True)})
    assert "ambush" in made.sight.view(state, "army").units
    assert "ambush" not in made.sight.view(state, "band").units
    assert "ambush" in state.units


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


@pytest.mark.rule("FBN-265")
def test_a_unit_follows_its_first_man_over_the_edge_unless_somebody_panics() -> None:
    """A column is longer than the strip at the edge. Its last men leave where the first did."""
    way_out = {
        "kind": "escort",
        "name": "Out",
        "points": 3,
        "by": ["army"],
        "units": ["foot"],
        "share": 0.5,
        "edge": "west",
    }
    for panic, left in (("", True), ("freeze", False)):
        made, state = started(objectives={"out": way_out})
        foot = state.units["foot"]
        for place, figure in enumerate(foot.figures.values()):
            figure.x, figure.y = 1.0 + 2.0 * place, 10.0
        list(foot.figures.values())[-1].reaction = panic
        with scripted(state) as table:
            leave_table(table, state, foot)
            assert [event.kind for event in table.events] == ["left the table"] * left
        assert foot.on_table is not left
        escort = made.scenario.objectives["out"]
        assert isinstance(escort, Escort)
        assert FbnScoreboard(state, made.scenario).share_brought(escort) == left


@pytest.mark.rule("FBN-265")
def test_who_is_left_alone_achieves_what_nobody_can_keep_him_from() -> None:
    goals: dict[str, dict[str, Any]] = {
        "through": {
            "kind": "escort",
            "name": "Through",
            "points": 3,
            "by": ["army"],
            "units": ["foot"],
            "share": 0.5,
            "edge": "north",
        },
        "place": {"kind": "hold", "name": "The place", "points": 2, "at": [30, 30], "radius": 3},
        "stand": {"kind": "survive", "name": "Stand", "points": 1, "by": ["army"], "turn": 9, "share": 0.9},
        "theirs": {"kind": "survive", "name": "Theirs", "points": 5, "by": ["band"], "turn": 9, "share": 0.1},
    }
    for lost, achieved in ((0, {"through", "place", "stand"}), (4, {"through", "place"}), (6, {"place"})):
        made, state = started(objectives=goals)
        state.units["enemy"].figures.clear()
        for key in list(state.units["foot"].figures)[:lost]:
            del state.units["foot"].figures[key]
        assert end_of_battle(FbnScoreboard(state, made.scenario), state.achieved) == "collapse"
        scored = sum(goals[key]["points"] for key in achieved)
        assert made.play.outcome(state).points == {"army": scored, "band": 0.0}
        assert made.play.outcome(state).winner == "army"
    made, state = started(objectives=goals)
    assert made.play.outcome(state).points == {"army": 0.0, "band": 0.0}, "two sides are left"
    made, state = started({"foot": troops(position=[30, 30])}, objectives={"place": goals["place"]})
    state.units["enemy"].figures.clear()
    assert made.play.outcome(state).points == {"army": 2.0, "band": 0.0}, "what is held already counts once"


@pytest.mark.rule("FBN-011", "FBN-050", "FBN-242", "FBN-272")
def test_who_finds_no_room_in_his_building_stands_beside_it_and_on_nobody() -> None:
    hut = {"kind": "building", "name": "Tower", "area": [[20, 4], [24, 4], [24, 8], [20, 8]], "material": "wood"}
    garrison = troops(figures=12, inside="tower", formation="mass")
    overrides = {"fixed_baynet": {"buildings": {"tower": {"kind": "tower"}}}}
    state = game({"guards": garrison}, terrain={"tower": hut}, overrides=overrides).start()
    unit = state.units["guards"]
    outside = [figure for figure in unit.figures.values() if not figure.place]
    assert len(outside) == 8 and unit.shape == ("mass" if is_in_formation(state, "mass", outside) else "open")
    assert all(dist(a.at, b.at) >= 1 - 1e-6 for a, b in combinations(outside, 2))


@pytest.mark.rule("FBN-011")
def test_without_zones_a_side_deploys_in_the_strip_along_its_edge() -> None:
    """The strip is 12 inches deep and runs from corner to corner of the board of 60 by 60."""
    strips = {"south": (0, 0, 60, 12), "north": (0, 48, 60, 60), "west": (0, 0, 12, 60), "east": (48, 0, 60, 60)}
    for edge, (w, s, e, n) in strips.items():
        sides = {"army": {"name": "Army", "home_edge": edge}, "band": {"name": "Band", "home_edge": "north"}}
        zones = game({"foot": troops()}, sides=sides).plan.field.deployment
        assert zones["army"] == (((w, s), (e, s), (e, n), (w, n)),)


@pytest.mark.rule("FBN-265")
def test_what_a_unit_carries_from_the_start_is_with_it() -> None:
    objects = {
        "chest": {"name": "Chest", "kind": "paychest", "carrier": "foot"},
        "flour": {"name": "Flour", "kind": "supplies", "position": [7, 9]},
    }
    for figures, carrier in ((10, "foot"), (40, "foot.1")):
        prizes = game({"foot": troops(position=[20, 8], figures=figures)}, objects=objects).start().prizes
        assert prizes["chest"].carrier == carrier
        assert (prizes["flour"].carrier, prizes["flour"].x, prizes["flour"].y) == ("", 7, 9)


@pytest.mark.rule("FBN-199", "FBN-200")
@pytest.mark.setting("squad_size_strict")
def test_a_handful_of_natives_is_one_squad_of_the_listed_size() -> None:
    for figures, squads in ((5, 1), (29, 1), (31, 2)):
        units = {"foot": troops(kind="tribal", close_weapon="spear", figures=figures, position=[20, 8])}
        made = game(units, {"squad_size_strict": True}).plan.squads
        assert [len(squad.men) for key, squad in made.items() if key.startswith("foot")] == [20] * squads
