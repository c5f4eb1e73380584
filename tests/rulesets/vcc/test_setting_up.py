"""Deployment and reinforcements."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.vcc.battlefields import Script
from tests.rulesets.vcc.scenarios import game_of, troops

from zareba.space.grid.boxes import COMPASS, E, N, S
from zareba.table import ScriptedTable, SeededTable
from zareba_rulesets.vcc.chapters.movement import allowance, charge_targets
from zareba_rulesets.vcc.chapters.setting_up import draw_roles
from zareba_rulesets.vcc.chapters.victory import take_carried_objects
from zareba_rulesets.vcc.evaluation import Evaluator, SideView
from zareba_rulesets.vcc.forces import OFF_TABLE, Battle
from zareba_rulesets.vcc.game import VccGame


def perform(game: VccGame, state: Battle, *script: Script) -> str:
    """Perform the next step with a strict script. Return its name."""
    step = game.play.next_step(state)
    assert step is not None
    with ScriptedTable(game.rules, state, script) as table:
        game.play.perform(table, state, step)
    return step.name


def told(game: VccGame, state: Battle, *script: Script) -> list[str]:
    """Return the descriptions of the events of the next step, played on a copy."""
    copy = state.copy()
    step = game.play.next_step(copy)
    assert step is not None
    with ScriptedTable(game.rules, copy, script) as table:
        game.play.perform(table, copy, step)
    return [game.narrator.describe_event(event) for event in table.events]


def box(game: VccGame, label: str) -> int:
    return game.plan.field.grid.parse(label)


@pytest.mark.rule("VCC-025", "VCC-026")
def test_the_british_side_places_first_in_its_zone_with_a_facing() -> None:
    game = game_of({"band": troops("band", kind="tribal", zone="zone"), "foot": troops(zone="zone")})
    state = game.start()
    assert state.waiting == ["foot", "band"]
    square = (("deploy in", box(game, "C2")), ("face", "form square"))
    assert told(game, state, *square) == ["Unit deployed in C2"]
    perform(game, state, *square)
    assert (state.unit("foot").box, state.unit("foot").marks) == (box(game, "C2"), frozenset({"square"}))
    with pytest.raises(AssertionError, match="is not an answer to 'deploy in'"):
        perform(game, state.copy(), ("deploy in", box(game, "C3")), ("face", S))
    perform(game, state, ("deploy in", box(game, "C8")), ("face", E))
    assert (state.unit("band").facing, state.unit("band").marks) == (E, frozenset())
    assert state.phase != "deployment"


@pytest.mark.rule("VCC-025", "VCC-007")
def test_a_full_box_is_not_offered() -> None:
    units = {name: troops(zone="zone") for name in ("a", "b", "c")}
    game = game_of(units)
    state = game.start()
    for _ in range(2):
        perform(game, state, ("deploy in", box(game, "C2")), ("face", N))
    with pytest.raises(AssertionError, match="is not an answer to 'deploy in'"):
        perform(game, state, ("deploy in", box(game, "C2")), ("face", N))


@pytest.mark.rule("VCC-026")
def test_irregulars_do_not_begin_in_square_and_guns_may_face_a_corner() -> None:
    game = game_of(
        {"gun": troops(arm="artillery", figures=4, zone="zone"), "band": troops("band", kind="tribal", zone="zone")}
    )
    state = game.start()
    perform(game, state, ("deploy in", box(game, "C2")), ("face", COMPASS.index("NE")))
    with pytest.raises(AssertionError, match="is not an answer to 'face'"):
        perform(game, state.copy(), ("deploy in", box(game, "C8")), ("face", "form square"))
    with pytest.raises(AssertionError, match="is not an answer to 'face'"):
        perform(game, state.copy(), ("deploy in", box(game, "C8")), ("face", COMPASS.index("SW")))


@pytest.mark.rule("VCC-163", "VCC-171")
def test_a_commander_is_set_out_with_his_unit() -> None:
    leaders = {"colonel": {"name": "The colonel", "side": "army", "rank": "commander", "unit": "foot"}}
    game = game_of({"foot": troops(zone="zone")}, leaders=leaders)
    state = game.start()
    perform(game, state, ("deploy in", box(game, "G1")), ("face", N))
    commander = state.commanders["army"]
    assert (commander.box, commander.unit) == (box(game, "G1"), "foot")


# --- reinforcements ---------------------------------------------------------------------------------------------------


def arriving(arm: str = "infantry", **arrival: object) -> VccGame:
    kind = "european_regular"
    late = troops(arm=arm, kind=kind, figures=8, arrival={"turn": 2, "edge": "south", "at": [20, 0], **arrival})
    return game_of({"late": late, "first": troops(position=[3, 3])})


def at_entry(game: VccGame, turn: int) -> Battle:
    """Return the state at the moment the army's reinforcements arrive."""
    state = game.start()
    state.turn, state.phase, state.stage = turn, "british_moves", 1
    return state


@pytest.mark.rule("VCC-169")
def test_reinforcements_enter_near_their_point_with_a_facing_and_have_moved() -> None:
    game = arriving()
    state = at_entry(game, 2)
    assert [game.plan.field.grid.label(entry) for entry in game.plan.entries["late"]] == ["D1", "C1", "E1"]
    coming = (("arrive in", box(game, "E1")), ("face", N))
    assert told(game, state, *coming) == ["Unit arrived in E1"]
    assert perform(game, state, *coming) == "move.reinforce"
    late = state.unit("late")
    assert (late.box, late.facing, late.marks) == (box(game, "E1"), N, frozenset({"moved", "arrived"}))
    assert allowance(state, late) == 0, "one box is spent on coming on"
    assert state.arrivals == {}


@pytest.mark.rule("VCC-169")
def test_reinforcements_do_not_arrive_early() -> None:
    game = arriving()
    state = at_entry(game, 1)
    perform(game, state)
    assert not state.unit("late").on_table


@pytest.mark.rule("VCC-169")
def test_riders_have_a_box_left_and_may_not_charge() -> None:
    game = arriving("cavalry")
    state = at_entry(game, 2)
    perform(game, state, ("arrive in", box(game, "D1")), ("face", N))
    state.move(state.unit("enemy"), box(game, "D2"))
    assert allowance(state, state.unit("late")) == 1
    assert charge_targets(state, state.unit("late")) == []


@pytest.mark.rule("VCC-169", "VCC-043", "VCC-045")
@pytest.mark.parametrize(
    ("arm", "marks"),
    [
        ("artillery", set()),
        ("machine_gun", {"moved", "arrived", "gun_moved"}),
        ("rocket", {"moved", "arrived", "gun_moved"}),
    ],
)
def test_a_gun_is_simply_placed_and_other_weapons_have_moved(arm: str, marks: set[str]) -> None:
    game = arriving(arm)
    state = at_entry(game, 2)
    perform(game, state, ("arrive in", box(game, "D1")), ("face", N))
    assert state.unit("late").marks == marks


@pytest.mark.rule("VCC-169", "VCC-007")
def test_reinforcements_without_a_legal_box_wait() -> None:
    game = arriving()
    state = at_entry(game, 2)
    state.move(state.unit("enemy"), box(game, "D1"))
    perform(game, state.copy(), ("arrive in", box(game, "C1")), ("face", N))
    with pytest.raises(AssertionError, match="is not an answer to 'arrive in'"):
        perform(game, state.copy(), ("arrive in", box(game, "D1")), ("face", N))
    blocked = game_of(
        {
            "late": troops(figures=8, arrival={"turn": 2, "edge": "south", "at": [20, 0]}),
            **{f"foe_{x}": troops("band", kind="tribal", position=[x, 3]) for x in (15, 21, 27)},
        }
    )
    waits = at_entry(blocked, 2)
    perform(blocked, waits)
    assert waits.arrivals == {"late": 2}


@pytest.mark.rule("VCC-169", "VCC-055")
@pytest.mark.setting("terrain_movement")
@pytest.mark.parametrize(
    ("arm", "kind", "road", "value", "comes"),
    [
        ("artillery", "rocks", False, "standin", False),
        ("artillery", "rocks", False, "off", True),
        ("artillery", "dense_wood", False, "standin", False),
        ("artillery", "dense_wood", True, "standin", True),
        ("infantry", "rocks", False, "standin", True),
        ("infantry", "lake", False, "standin", False),
        ("infantry", "lake", False, "off", True),
    ],
)
def test_ground_that_is_closed_at_the_entry_keeps_a_unit_waiting_by_the_setting(
    arm: str, kind: str, road: bool, value: str, comes: bool
) -> None:
    late = troops(arm=arm, figures=8, arrival={"turn": 2, "edge": "south", "at": [20, 0]})
    edge = {"kind": kind, "area": [[0, 0], [48, 0], [48, 6], [0, 6]]}
    track = {"track": {"kind": "road", "line": [[0, 3], [48, 3]]}} if road else {}
    game = game_of({"late": late}, {"terrain_movement": value}, terrain={"edge": edge, **track})
    state = at_entry(game, 2)
    if comes:
        perform(game, state, ("arrive in", box(game, "D1")), ("face", N))
    else:
        perform(game, state)
    assert state.unit("late").on_table is comes


@pytest.mark.rule("VCC-025", "VCC-055")
@pytest.mark.setting("terrain_movement")
@pytest.mark.parametrize(("value", "placed", "offered"), [("standin", "C1", False), ("off", "C2", True)])
def test_closed_ground_keeps_troops_out_at_set_up_only_by_the_setting(value: str, placed: str, offered: bool) -> None:
    lake = {"lake": {"kind": "lake", "area": [[12, 6], [18, 6], [18, 12], [12, 12]]}}
    there = game_of({"foot": troops(position=[15, 10])}, {"terrain_movement": value}, terrain=lake)
    assert there.plan.field.grid.label(there.plan.placed["foot"]) == placed
    chosen = game_of({"foot": troops(zone="zone")}, {"terrain_movement": value}, terrain=lake)
    state = chosen.start()
    if offered:
        perform(chosen, state, ("deploy in", box(chosen, "C2")), ("face", N))
    else:
        with pytest.raises(AssertionError, match="is not an answer to 'deploy in'"):
            perform(chosen, state, ("deploy in", box(chosen, "C2")), ("face", N))


@pytest.mark.rule("VCC-169", "VCC-166")
def test_reinforcement_brings_its_carried_object() -> None:
    late = troops(figures=8, arrival={"turn": 2, "edge": "south", "at": [20, 0]})
    chest = {"name": "Chest", "kind": "paychest", "carrier": "late"}
    off = {"kind": "carry_off", "name": "The chest", "object": "chest", "edge": "north"}
    game = game_of(
        {"late": late, "first": troops(position=[3, 3])}, objects={"chest": chest}, objectives={"chest": off}
    )
    state = at_entry(game, 2)
    take_carried_objects(ScriptedTable(game.rules, state, []), state)
    assert (state.carried_objects["chest"].carrier, state.carried_objects["chest"].box) == ("late", OFF_TABLE)
    for side in game.seats:
        outlook = SideView(state, Evaluator(game.scenario, game.plan), side).box_values()
        assert all(box != OFF_TABLE for objective in outlook.objectives for box in objective.boxes), (
            "nobody seeks it before it is there"
        )
    perform(game, state, ("arrive in", box(game, "D1")), ("face", N))
    take_carried_objects(ScriptedTable(game.rules, state, []), state)
    assert (state.carried_objects["chest"].carrier, state.carried_objects["chest"].box) == ("late", box(game, "D1"))


@pytest.mark.rule("VCC-169")
def test_a_die_may_decide_the_turn_of_arrival() -> None:
    game = arriving(die=6, at_least=4)
    state = at_entry(game, 2)
    assert told(game, state, ("arrival", 3)) == ["Unit did not arrive this turn (rolled 3)"]
    perform(game, state, ("arrival", [3]))
    assert not state.unit("late").on_table
    again = at_entry(game, 3)
    perform(game, again, ("arrival", 4), ("arrive in", box(game, "D1")), ("face", N))
    assert again.unit("late").on_table


EQUAL = {"foot": troops(position=[3, 3]), "men": troops("band", position=[3, 45])}
"""One unit of regulars on each side."""


def begun(seed: int, **settings: Any) -> Battle:
    """Return the battle of equal sides after deployment."""
    game = game_of(EQUAL, settings)
    state = game.start()
    table = SeededTable(game.rules, state, seed, {})
    step = game.play.next_step(state)
    assert step is not None and step.name == "deploy.place"
    table.begin(step)
    game.play.perform(table, state, step)
    return state


@pytest.mark.rule("VCC-016")
@pytest.mark.setting("equal_sides")
def test_sides_with_as_many_regulars_throw_for_the_british_role() -> None:
    """Equal sides roll for the British role. It decides who fires first and who moves last."""
    drawn = [begun(seed) for seed in range(12)]
    assert {state.by_role for state in drawn} == {("army", "band"), ("band", "army")}
    assert all(state.drawn == state.by_role[0] for state in drawn)
    state = begun(1, equal_sides="listed_first")
    assert (state.drawn, state.by_role) == ("", ("army", "band"))
    unequal = game_of({"foot": troops(position=[3, 3]), "men": troops("band", kind="tribal", position=[3, 45])})
    assert not unequal.plan.field.roles_are_rolled


@pytest.mark.rule("VCC-016")
def test_the_higher_die_is_british_and_places_first() -> None:
    game = game_of(EQUAL)
    state = game.start()
    table = ScriptedTable(game.rules, state, [("British role", [die]) for die in (3, 3, 2, 5)])
    with table:
        draw_roles(table, state)
    assert state.by_role == ("band", "army")
    assert [event.kind for event in table.events] == ["role drawn"]
    assert game.narrator.describe_event(table.events[0]) == "by the dice, the British side is Band"


@pytest.mark.rule("VCC-016")
def test_a_role_that_was_drawn_is_part_of_the_battle_and_others_are_written_as_before() -> None:
    state = begun(3)
    data = state.to_data()
    assert Battle.from_data(data, like=state).by_role == state.by_role and data["drawn"] == state.by_role[0]
    plain = game_of({"foot": troops(position=[3, 3]), "men": troops("band", kind="tribal", position=[3, 45])}).start()
    assert "drawn" not in plain.to_data() and Battle.from_data(plain.to_data(), like=plain) == plain
