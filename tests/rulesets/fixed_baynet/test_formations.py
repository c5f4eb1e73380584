"""Formations, squares and facing (chapter 7)."""

from __future__ import annotations

from math import cos, radians, sin
from typing import Any

import pytest
from tests.rulesets.fixed_baynet.plain import battle, bonus, house, man, need, run, scripted, squad

from zareba.space.ground.terrain_window import OPEN_WINDOW
from zareba_rulesets.fixed_baynet.actions.activation import begin_activation, end_activation, perform_action
from zareba_rulesets.fixed_baynet.chapters.buildings import (
    building_targets_of_men,
    fire_at_building,
    planned_building_shots,
)
from zareba_rulesets.fixed_baynet.chapters.machine_guns import gun_targets_of_men, planned_gun_shots
from zareba_rulesets.fixed_baynet.chapters.melee import fight_facts
from zareba_rulesets.fixed_baynet.chapters.morale import rally_unit, roll_recovery
from zareba_rulesets.fixed_baynet.chapters.movement import face_enemy, movers, settle_contacts, shift_men
from zareba_rulesets.fixed_baynet.chapters.sight import in_arc
from zareba_rulesets.fixed_baynet.chapters.targets import find_targets, keeps_facing, marksmen
from zareba_rulesets.fixed_baynet.forces.formations import (
    allowed_formations,
    in_square,
    is_formed,
    is_in_formation,
    layout,
)
from zareba_rulesets.fixed_baynet.forces.units import Gun, Unit
from zareba_rulesets.fixed_baynet.odds.stage import bare_unit


@pytest.mark.rule("FBN-055", "FBN-056", "FBN-057", "FBN-058", "FBN-271")
@pytest.mark.parametrize("formation", ["open", "closed", "mass", "square"])
@pytest.mark.parametrize("count", [2, 5, 9, 10, 19, 20, 32])
def test_men_laid_out_in_a_formation_stand_in_it(formation: str, count: int) -> None:
    unit = squad("red", "red", count, (50, 50), formation)
    state = battle(unit)
    assert is_formed(state, unit)
    assert len(set(layout(formation, count, 0.5, 30.0, 1.0))) == count


@pytest.mark.rule("FBN-056", "FBN-057")
def test_open_order_wants_one_to_three_inches_and_one_facing() -> None:
    for gap, open_order, closed in (
        (0.9, False, False),
        (1.0, True, False),
        (3.0, True, False),
        (3.1, False, False),
        (0.05, False, True),
    ):
        men = [man("red/1", "red", 10, 10), man("red/2", "red", 11 + gap, 10)]
        state = battle(bare_unit("red", "red", men))
        assert (is_in_formation(state, "open", men), is_in_formation(state, "closed", men)) == (open_order, closed)
    men = [man("red/1", "red", 10, 10), man("red/2", "red", 13, 10, facing=2.0)]
    assert not is_in_formation(battle(bare_unit("red", "red", men)), "open", men)
    chain = [man(f"red/{i}", "red", x, 10) for i, x in enumerate((10, 13, 20, 23))]
    assert not is_in_formation(battle(bare_unit("red", "red", chain)), "open", chain)


@pytest.mark.rule("FBN-056", "FBN-272")
def test_a_unit_that_goes_without_one_of_its_men_is_looked_at_when_its_activation_ends() -> None:
    for tired, torn in ((0, False), (1, True)):
        red = squad("red", "red", 6, (50, 50), "closed")
        state = battle(red, squad("blue", "blue", 1, (50, 90)))
        state.active = "red"
        for figure in list(red.figures.values())[:tired]:
            figure.moves = 3
        x, y = red.middle
        with scripted(state, ("move to", (x, y - 4.0))) as table:
            perform_action(table, state, red, "move")
            end_activation(table, state, red)
        assert ("unformed" in red.marks) is torn


@pytest.mark.rule("FBN-058")
@pytest.mark.setting("mass_ds_in_cc")
def test_mass_may_count_hand_to_hand() -> None:
    assert [bonus({"mass_ds_in_cc": value}, mass=True) for value in (False, True)] == [0, -1]


@pytest.mark.rule("FBN-058")
@pytest.mark.setting("cluster_stack")
def test_a_charging_mass_may_count_twice() -> None:
    assert need({"cluster_stack": True}, formation="mass", charging=True) == 3
    assert need({"cluster_stack": False}, formation="mass", charging=True) == 4


@pytest.mark.rule("FBN-062", "FBN-060", "FBN-145")
def test_a_lone_leader_inside_a_square_is_part_of_it() -> None:
    for x, part in ((50.0, True), (56.0, False)):
        square = squad("red", "red", 12, (50, 50), "square")
        leader = bare_unit("chief", "red", [man("chief/1", "red", x, 50, role="officer")], kind="independent")
        foe = squad("blue", "blue", 1, (x, 48.99))
        state = battle(square, leader, foe)
        assert in_square(state, leader) is part and in_square(state, square)
        facts = fight_facts(state, leader, leader.figures["chief/1"], foe.figures["blue/1"], False)
        assert (facts.square, facts.rear) == (part, not part)
        run(settle_contacts, state, foe, list(foe.figures.values()))
        assert leader.events == (() if part else ("flank",))
    square.mark("unformed")
    leader.figures["chief/1"].x = 50
    assert not in_square(state, leader)


@pytest.mark.rule("FBN-060", "FBN-185", "FBN-186")
def test_men_who_mount_leave_their_square() -> None:
    for alone in (False, True):
        unit = squad("red", "red", 8, (50, 50), "square", rides=True)
        for figure in unit.figures.values():
            figure.mark(f"horse {figure.x:.2f} {figure.y:.2f}")
        state = battle(unit)
        script = (("which man", "red/1"), ("what he does", "mount")) if alone else ()
        run(perform_action, state, unit, "one man" if alone else "mount", script=script)
        assert unit.figures["red/1"].mounted and unit.shape == "open"


@pytest.mark.rule("FBN-064", "FBN-171", "FBN-060", "FBN-116")
def test_frozen_man_does_not_count_in_a_square() -> None:
    for reaction, square in (("", True), ("freeze", False)):
        blue = squad("blue", "blue", 8, (50, 50), "square")
        stricken = blue.figures["blue/1"]
        red = squad("red", "red", 1, (stricken.x, stricken.y + 1))
        state = battle(red, blue)
        stricken.reaction, stricken.facing = reaction, 180.0
        facts = fight_facts(state, blue, stricken, red.figures["red/1"], False)
        assert (facts.square, facts.rear) == (square, not square)
        assert keeps_facing(state.book, blue, stricken) is square


@pytest.mark.rule("FBN-060", "FBN-271", "FBN-272")
def test_a_square_that_charges_is_a_square_no_more_once_it_has() -> None:
    for formation in ("square", "mass"):
        red, blue = squad("red", "red", 8, (50, 50), formation), squad("blue", "blue", 1, (50, 60), facing=180.0)
        state = battle(red, blue)
        with scripted(state) as table:
            begin_activation(table, state, red)
            perform_action(table, state, red, ("charge", "blue"))
            end_activation(table, state, red)
        assert ("unformed" in red.marks) is (formation == "square")


@pytest.mark.rule("FBN-060", "FBN-185", "FBN-062")
@pytest.mark.setting("native_regular_square")
def test_units_that_may_form_square() -> None:
    def formations(unit: Unit, **settings: Any) -> list[str]:
        return allowed_formations(battle(unit, **settings), unit)

    assert "square" in formations(squad("red", "red", 10))
    assert "square" not in formations(squad("red", "red", 10, mounted=True))
    assert "square" not in formations(squad("red", "red", 10, table="native"))
    drilled = squad("red", "red", 10, drilled=True)
    assert "square" not in formations(drilled)
    assert "square" in formations(drilled, native_regular_square=True)
    assert formations(squad("red", "red", 1)) == []
    assert squad("red", "red", 1, formation="mass").shape == "open"


@pytest.mark.rule("FBN-061")
def test_a_square_moves_and_keeps_facing_outwards() -> None:
    red, blue = squad("red", "red", 8, (20, 20), "square"), squad("blue", "blue", 1, (20, 60))
    state = battle(red, blue)
    before = [figure.facing for figure in red.figures.values()]
    men = movers(state, red)
    shift_men(state, red, men, 0, 3)
    face_enemy(state, red, men, 0, 3)
    assert [figure.facing for figure in red.figures.values()] == before
    assert red.shape == "square"


def beside(degrees: float, away: float = 1.0) -> tuple[float, float]:
    """Return a point at this many degrees from north, seen from (50, 50)."""
    return 50 + away * sin(radians(degrees)), 50 + away * cos(radians(degrees))


@pytest.mark.rule("FBN-063", "FBN-116", "FBN-145")
def test_front_flank_and_rear_to_the_degree() -> None:
    for degrees, flank, rear in ((44, False, False), (46, True, False), (134, True, False), (136, True, True)):
        red, blue = squad("red", "red", 1, (50, 50), facing=0.0), squad("blue", "blue", 1, beside(degrees))
        state = battle(red, blue)
        run(settle_contacts, state, blue, list(blue.figures.values()))
        assert bool(red.events) is flank
        assert fight_facts(state, red, red.figures["red/1"], blue.figures["blue/1"], False).rear is rear
    for degrees, inside in ((89, True), (91, False)):
        assert in_arc(red.figures["red/1"], beside(degrees), 90.0) is inside


@pytest.mark.rule("FBN-063", "FBN-049")
def test_men_in_square_fire_at_guns_and_buildings_only_where_they_look() -> None:
    for facing, shots in ((0.0, 1), (180.0, 0)):
        for formation in ("square", "open"):
            red = bare_unit(
                "red", "red", [man("red/1", "red", 43, 30, facing=facing), man("red/2", "red", 80, 80)], formation
            )
            gun = Gun("light_gun", 43.0, 38.0, 0.0, 180.0, 2)
            state = battle(red, bare_unit("guns", "blue", [man("guns/1", "blue", 70, 70)], guns=[gun]), on=house())
            ready = [red.figures["red/1"]]
            seen = shots if formation == "square" else 1
            assert (
                len(planned_gun_shots(state, red, gun, ready))
                == len(gun_targets_of_men(state, red, marksmen(state, red, ready)))
                == seen
            )
            assert (
                len(planned_building_shots(state, red, "hut", ready))
                == len(building_targets_of_men(state, red, marksmen(state, red, ready)))
                == seen
            )
    run(fire_at_building, state, red, "hut", ready, script=[("shot", [1])])
    assert red.figures["red/1"].facing == 0.0, "in open order he turns to what he shoots at"


@pytest.mark.rule("FBN-063")
@pytest.mark.setting("foot_fire_arc")
def test_a_square_fires_only_where_its_men_look() -> None:
    for arc, seen in ((180, 1), (90, 0), (360, 1)):
        red = squad("red", "red", 1, (10, 10))
        blue = squad("blue", "blue", 1, (20, 15))
        state = battle(red, blue, foot_fire_arc=arc)
        figure = red.figures["red/1"]
        half = state.book.fire_half_arc
        assert in_arc(figure, (20, 15), half) is bool(seen)
    red.formation = "square"
    red.figures["red/9"] = man("red/9", "red", 12, 10)
    found = find_targets(
        battle(red, blue, foot_fire_arc=90), red, red.figures["red/1"], list(blue.figures.values()), OPEN_WINDOW
    )
    assert found == []


@pytest.mark.rule("FBN-063", "FBN-116")
def test_arcs_of_front_and_rear() -> None:
    arcs = battle().book.file.arcs
    assert (arcs.front, arcs.rear) == (45, 135)


@pytest.mark.rule("FBN-064", "FBN-272")
def test_gaps_that_losses_have_torn_are_looked_at_when_the_unit_has_moved() -> None:
    for fallen, unformed in ((("red/4", "red/5", "red/6"), True), (("red/1", "red/2", "red/3"), False)):
        for mounted, order, place in ((False, "move", "move to"), (True, ("ride", 1), "ride to")):
            unit = squad("red", "red", 9, (50, 50), "mass", mounted=mounted)
            state = battle(unit, squad("blue", "blue", 1, (50, 80)))
            for key in fallen:
                del unit.figures[key]
            unit.measure()
            assert unit.shape == "mass", "not when men fall"
            x, y = unit.middle
            run(perform_action, state, unit, order, script=[(place, (x, y + 4))])
            assert ("unformed" in unit.marks) is unformed


@pytest.mark.rule("FBN-053", "FBN-064", "FBN-154", "FBN-159", "FBN-272")
def test_men_who_belong_to_the_ranks_again_but_stand_elsewhere_break_them() -> None:
    """A man who gets up, recovers or is rallied away from his place breaks the formation. A fault once skipped this
    check in units at full strength.
    """
    for how in ("get up", "recovery", "rally"):
        for strayed in (False, True):
            unit = squad("red", "red", 9, (50, 50), "mass")
            stray = unit.figures["red/5"]
            stray.y += 12 if strayed else 0
            if how == "get up":
                stray.mark("prone")
            else:
                stray.reaction, stray.since, stray.gl = "freeze", 1, 7
            leader = bare_unit("major", "red", [man("major", "red", 50, 55, role="officer")], kind="independent")
            state = battle(unit, leader)
            state.turn = 2
            with scripted(state, *[("recovery", [6])] * (how == "recovery")) as table:
                if how == "get up":
                    perform_action(table, state, unit, "get up")
                elif how == "recovery":
                    roll_recovery(table, state, unit, stray)
                else:
                    rally_unit(table, state, leader.figures["major"], unit)
                assert not stray.prone and not stray.reaction and unit.shape == "mass", "when its activation ends"
                end_activation(table, state, unit)
            assert unit.shape == ("open" if strayed else "mass")


@pytest.mark.rule("FBN-271")
def test_a_square_is_known_by_its_outline() -> None:
    unit = squad("red", "red", 12, (50, 50), "square")
    state = battle(unit)
    men = list(unit.figures.values())
    assert is_in_formation(state, "square", men)
    men[0].facing = (men[0].facing + 50) % 360
    assert not is_in_formation(state, "square", men)
    men[0].facing = (men[0].facing - 50) % 360
    men[0].x, men[0].y = 50.0, 50.0
    assert not is_in_formation(state, "square", men)
