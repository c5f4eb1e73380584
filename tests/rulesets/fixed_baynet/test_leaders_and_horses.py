"""Interactions of leader hits and riderless horses (chapters 13, 16 and 19)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction as F

import pytest
from tests.rulesets.fixed_baynet.plain import acts, ask, battle, man, scripted, squad

from zareba_rulesets.fixed_baynet.actions.activation import begin_activation, perform_action
from zareba_rulesets.fixed_baynet.chapters.fire import fire_with_man
from zareba_rulesets.fixed_baynet.chapters.hits import resolve_hit
from zareba_rulesets.fixed_baynet.chapters.morale import glory_phase, lie_down, patients, start_panic
from zareba_rulesets.fixed_baynet.odds.stage import bare_unit

CHEST = F(2, 12)
LIES = F(2, 12)  # groin and heavy leg wound
OUT = F(4, 12)  # locations that remove a leader: 9, 10, 11 and 12


@pytest.mark.rule("FBN-125", "FBN-126", "FBN-217")
def test_a_leader_under_a_burst_is_down_by_his_location_alone() -> None:
    hit, critical = F(8, 12), F(1, 12)  # DS 4
    down = critical + hit * OUT
    assert ask("burst", ds=4, leader=True).probability(lambda o: o.down == 1) == down
    assert ask("burst", ds=4, leader=True, rolls=2).probability(lambda o: o.down == 0) == (1 - down) ** 2
    assert ask("burst", {"blast_hits": "auto"}, ds=4, leader=True).probability(lambda o: o.down == 1) == OUT
    assert ask("burst", ds=4).probability(lambda o: o.down == 1) == hit + critical


@pytest.mark.rule("FBN-052", "FBN-125", "FBN-130", "FBN-229")
@pytest.mark.setting("prone_untargetable")
def test_a_salvo_goes_on_at_a_leader_until_he_is_down_or_lies() -> None:
    for settings, out_of_aim in (({}, LIES), ({"prone_untargetable": False}, F(0))):
        whole, wounded = F(1), F(0)  # he is aimed at before any loss: DS 4, or 3 for his chest (FBN-130)
        lying = F(0)
        for _ in range(6):
            lying = lying * F(3, 12) + (whole * F(8, 12) + wounded * F(9, 12)) * out_of_aim
            stay, chest = 1 - OUT - CHEST - out_of_aim, F(8, 12) * CHEST
            wounded = wounded * (F(2, 12) + F(9, 12) * (1 - OUT - out_of_aim)) + whole * chest
            whole *= F(3, 12) + F(8, 12) * stay
        found = ask("machine_gun", settings, ds=4, cs=0, salvos=1, men=5, jam_die=False, leader=True)
        assert found.probability(lambda o: o.down == 0) == whole + wounded + lying


@pytest.mark.rule("FBN-186", "FBN-187", "FBN-168", "FBN-129")
def test_who_falls_from_his_horse_may_mount_it_again_but_not_with_a_groin_wound() -> None:
    for fall in ("panic", "groin"):
        rider = man("red/1", "red", 20, 20, role="hero", mounted=True, rides=True)
        unit = bare_unit("red", "red", [rider])
        state = battle(unit)
        script = ("panic", [4]) if fall == "panic" else ("hit location", [3])
        with scripted(state, script) as table:
            if fall == "panic":
                start_panic(table, state, unit, rider)
            else:
                resolve_hit(table, state, unit, rider, False, 1, "fire")
        assert rider.prone and not rider.mounted and "horse 20.00 20.00" in rider.marks
        rider.reaction, rider.gl, rider.facing = "", 4, 90.0
        state.turn = 2
        with scripted(state) as table:
            begin_activation(table, state, unit)
            assert "mount" not in acts(state, unit), "he lies beside it"
            perform_action(table, state, unit, "get up")
            assert ("mount" in acts(state, unit)) is (fall == "panic")


@pytest.mark.rule("FBN-052", "FBN-186")
def test_a_man_on_foot_who_lies_down_leaves_no_horse() -> None:
    figure = man("red/1", "red", 20, 20)
    lie_down(battle(bare_unit("red", "red", [figure])), figure)
    assert figure.marks == {"prone"}


@pytest.mark.rule("FBN-096", "FBN-100", "FBN-140")
def test_a_wounded_leader_answers_before_his_wound_frightens_anybody() -> None:
    red, blue = squad("red", "red", 1, (20, 10)), squad("blue", "blue", 1, (20, 20), facing=180.0, leader="nco")
    state = battle(red, blue)
    blue.figures["blue/1"].gl = 6
    script = [("aim at", "blue/1"), ("shot", [11]), ("hit location", [2]), ("answer", True), ("counter-attack", [2])]
    with scripted(state, *script, ("panic", [1])) as table:
        begin_activation(table, state, red)
        fire_with_man(table, state, red, red.figures["red/1"])
    assert blue.figures["blue/1"].reaction == "flee" and blue.events == ("banner",)


@pytest.mark.rule("FBN-012", "FBN-147", "FBN-154")
def test_all_units_test_before_anybody_recovers() -> None:
    units = [squad("red", "red", 2, (20, 10)), squad("blue", "blue", 2, (20, 40))]
    state = battle(*units)
    state.turn = 2
    for unit in units:
        unit.figures[f"{unit.id}/1"].reaction, unit.figures[f"{unit.id}/1"].since = "freeze", 1
        unit.mark("due")
    with scripted(state, ("glory", [1]), ("glory", [1]), ("recovery", [6]), ("recovery", [1])) as table:
        glory_phase(table, state)
    assert [unit.figures[f"{unit.id}/1"].reaction for unit in units] == ["", "freeze"]


@pytest.mark.rule("FBN-137", "FBN-265")
def test_nobody_is_healed_into_a_unit_that_has_left_the_table() -> None:
    medic, squadron = (
        bare_unit("red", "red", [man("red/1", "red", 20, 20, role="medic")]),
        squad("gone", "red", 2, (21, 20)),
    )
    state = battle(medic, squadron)
    with scripted(state) as table:
        resolve_hit(table, state, squadron, squadron.figures["gone/1"], False, 1, "fire")
    state.fallen = (replace(state.fallen[0], x=20.9, y=20.0),)
    assert patients(state, medic.figures["red/1"]) == [("fallen", "gone/1")]
    squadron.mark("away")
    assert patients(state, medic.figures["red/1"]) == []


@pytest.mark.rule("FBN-147", "FBN-157")
@pytest.mark.setting("glory_test_timing")
def test_a_test_at_the_units_orders_lapses_where_nobody_is_steady() -> None:
    unit = squad("red", "red", 2, (20, 20), weapon="none")
    state = battle(unit, glory_test_timing="unit_orders")
    unit.mark("due")
    for figure in unit.figures.values():
        figure.reaction, figure.gl, figure.since = "freeze", 7, 1
    with scripted(state, glory_test_timing="unit_orders") as table:
        begin_activation(table, state, unit)
        for figure in unit.figures.values():
            figure.reaction, figure.gl = "", 6
        begin_activation(table, state, unit)
    assert "due" not in unit.marks


@pytest.mark.rule("FBN-112", "FBN-193")
@pytest.mark.setting("switch_weapon")
def test_a_disarmed_man_has_no_second_weapon_to_change_to() -> None:
    unit = bare_unit("red", "red", [man("red/1", "red", 20, 20, spare="pistol"), man("red/2", "red", 22, 20)])
    state = battle(unit, switch_weapon="in_game")
    unit.figures["red/1"].weapon = "none"
    unit.figures["red/1"].mark("disarmed")
    script = [("which man", "red/1"), ("what he does", "switch weapon")]
    with (
        pytest.raises(AssertionError, match="switch weapon"),
        scripted(state, *script, switch_weapon="in_game") as table,
    ):
        perform_action(table, state, unit, "one man")
    assert unit.figures["red/1"].weapon == "none"
