"""Moving guns: every row of Table 4-D, the movers, the ground, and the acts still allowed (FBN-205 to FBN-208)."""

from __future__ import annotations

import pytest
from tests.rulesets.fixed_baynet.plain import acts, battery, battle, box, field, man, scripted

from zareba_rulesets.fixed_baynet.actions.activation import begin_activation, end_activation
from zareba_rulesets.fixed_baynet.chapters.crews import haul_gun, haul_reach, haul_refused, haulers, turn_gun
from zareba_rulesets.fixed_baynet.chapters.machine_guns import end_gun_turn, fire_salvo, may_salvo
from zareba_rulesets.fixed_baynet.forces.units import Gun
from zareba_rulesets.fixed_baynet.odds.stage import bare_unit

LIGHT, MEDIUM, HEAVY = (2, 0), (0, 1), (0, 2)
ROWS = {
    "machine_gun": LIGHT,
    "trench_mortar": MEDIUM,
    "light_howitzer": MEDIUM,
    "medium_howitzer": MEDIUM,
    "heavy_howitzer": HEAVY,
    "light_gun": MEDIUM,
    "medium_gun": HEAVY,
    "heavy_gun": HEAVY,
}


@pytest.mark.rule("FBN-207", "FBN-233", "FBN-264")
@pytest.mark.parametrize(("kind", "needs"), ROWS.items())
def test_each_piece_has_the_movers_and_the_speed_of_its_class(kind: str, needs: tuple[int, int]) -> None:
    """Flat, bumpy and jagged ground. Men go at the slower man's speed, horses at a walk (FBN-046, FBN-182)."""
    men, horses = needs
    for team in range(3):
        state, unit, gun = battery(kind, crew=4, team=team)
        pullers = haulers(state, unit, gun)
        assert (pullers is not None) is (men > 0 or team >= horses)
    for row, inches in (("clear", 4 if men else 7), ("rubble", 3 if men else 5), ("dense_forest", 2 if men else 3)):
        on = field((row, list(box(0, 0, 100, 100))))
        crew = [man(f"red/{i}", "red", 48.5 + 3 * i, 10.0, role="crew", sp=4 + i) for i in (0, 1)]
        gun = Gun(kind, 50.0, 10.0, 0.0, 0.0, 2, ac=3, team=2)
        unit = bare_unit("red", "red", crew, guns=[gun], kind="battery")
        state = battle(unit, on=on)
        pullers = haulers(state, unit, gun) or []
        assert len(pullers) == men and haul_reach(state, gun, pullers) == (4 if men else 7)
        assert haul_refused(state, unit, gun, pullers, (50.0, 10.0 + inches)) is None
        assert haul_refused(state, unit, gun, pullers, (50.0, 10.1 + inches)) is not None


@pytest.mark.rule("FBN-205", "FBN-207", "FBN-208")
@pytest.mark.parametrize("first", ["turn", "salvo", "move"])
def test_a_machine_gun_moves_and_turns_or_fires_in_either_order(first: str) -> None:
    """Moving costs 2 of its 3 AC; turning or firing costs 1."""
    state, unit, gun = battery("machine_gun", crew=2, team=0)
    with scripted(state, *([("jam", [1])] + [("shot", [1])] * 6 if first == "salvo" else [])) as table:
        if first == "turn":
            turn_gun(table, state, unit, gun, 90.0)
        elif first == "salvo":
            fire_salvo(table, state, unit, gun, state.units["blue"])
        else:
            haul_gun(table, state, unit, gun, list(unit.figures.values()), (50.0, 12.0))
    other = ("gun turn", 0) if first == "move" else ("gun move", 0)
    assert gun.ac == (1 if first == "move" else 2) and other in acts(state, unit)
    assert may_salvo(state, unit, gun)
    if first != "move":
        pullers = haulers(state, unit, gun)
        assert pullers is not None
        with scripted(state) as table:
            haul_gun(table, state, unit, gun, pullers, (50.0, 13.0))
        assert gun.ac == 0 and gun.y == 13.0 and all(figure.ac == 0 for figure in unit.figures.values())
        assert haulers(state, unit, gun) is not None and ("gun move", 0) not in acts(state, unit)


@pytest.mark.rule("FBN-131", "FBN-165", "FBN-207")
@pytest.mark.parametrize("why", ["stunned", "freeze", "flee", "able"])
def test_a_piece_does_not_take_along_who_can_neither_move_nor_serve(why: str) -> None:
    state, unit, gun = battery("light_gun", crew=3)
    last = unit.figures["red/3"]
    before = last.at
    if why == "stunned":
        last.mark("stunned")
    elif why != "able":
        last.reaction = why
    with scripted(state) as table:
        haul_gun(table, state, unit, gun, [], (50.0, 16.0))
    assert (last.at == before) is (why != "able")
    assert unit.figures["red/1"].y == 14.5 and gun.y == 16.0


@pytest.mark.rule("FBN-176", "FBN-207")
def test_a_horse_that_has_drawn_a_piece_has_walked() -> None:
    rider = man("red/2", "red", 51.8, 10.0, mounted=True, rides=True)
    crew = man("red/1", "red", 50.0, 8.5, role="crew")
    gun = Gun("light_gun", 50.0, 10.0, 0.0, 0.0, 2, ac=3)
    unit = bare_unit("red", "red", [crew, rider], guns=[gun], kind="battery")
    state = battle(unit)
    pullers = haulers(state, unit, gun)
    assert pullers == [rider]
    with scripted(state) as table:
        haul_gun(table, state, unit, gun, pullers, (50.0, 16.0))
        end_activation(table, state, unit)
    assert rider.gait == 1


@pytest.mark.rule("FBN-017", "FBN-174", "FBN-176", "FBN-182", "FBN-207")
@pytest.mark.setting("draught_gait")
def test_a_team_gathers_pace_like_riders() -> None:
    """A walk comes first, then a canter of at least 7 inches, then a gallop of at least 12. On bumpy ground a canter is 7
    or 8.
    """
    state, unit, gun = battery(crew=2, draught_gait="any")
    for gait, inches in ((1, 7), (2, 12), (3, 17)):
        assert haul_reach(state, gun, []) == inches
        assert haul_refused(state, unit, gun, [], (50.0, 10.1 + inches)) is not None
        assert haul_refused(state, unit, gun, [], (50.0, 10.0 + inches)) is None
        gun.gait = gait
        end_gun_turn(state, gun)
    end_gun_turn(state, gun)
    assert haul_reach(state, gun, []) == 7, "it has stood for a turn"
    state, unit, gun = battery(crew=2, draught_gait="walk")
    gun.last_gait = 2
    assert haul_reach(state, gun, []) == 7
    rubble = field(("rubble", list(box(0, 0, 100, 100))), draught_gait="any")
    state = battle(unit, on=rubble, draught_gait="any")
    gun.last_gait = 1
    assert [haul_refused(state, unit, gun, [], (50.0, 10.0 + i)) is None for i in (5, 6, 7, 8, 9)] == [
        True, False, True, True, False,
    ]  # fmt: skip


@pytest.mark.rule("FBN-176", "FBN-207")
def test_the_gait_at_which_a_piece_was_drawn_is_kept_for_the_next_turn() -> None:
    for inches, gait in ((6.0, 1), (9.0, 2), (14.0, 3)):
        state, unit, gun = battery(crew=2, draught_gait="any")
        gun.last_gait = 2
        with scripted(state, draught_gait="any") as table:
            haul_gun(table, state, unit, gun, [], (50.0, 10.0 + inches))
        end_gun_turn(state, gun)
        assert (gun.last_gait, gun.gait) == (gait, 0)


@pytest.mark.rule("FBN-176", "FBN-179", "FBN-207")
@pytest.mark.setting("mount_moves_per_turn")
@pytest.mark.parametrize("moves", [1, 3])
def test_riders_of_another_unit_who_have_drawn_a_piece_have_had_their_ride(moves: int) -> None:
    """By setting they may ride on, at the gait at which they drew the gun. Next turn it counts as their last gait."""
    crew = man("red/1", "red", 50.0, 8.5, role="crew")
    gun = Gun("light_gun", 50.0, 10.0, 0.0, 0.0, 2, ac=3)
    unit = bare_unit("red", "red", [crew], guns=[gun], kind="battery")
    horse = bare_unit("horse", "red", [man("horse/1", "red", 51.8, 10.0, mounted=True, rides=True)])
    state = battle(unit, horse, mount_moves_per_turn=moves)
    rider = horse.figures["horse/1"]
    rider.last_gait = 2
    pullers = haulers(state, unit, gun)
    assert pullers == [rider]
    with scripted(state, mount_moves_per_turn=moves) as table:
        haul_gun(table, state, unit, gun, pullers, (50.0, 14.0))
        assert haulers(state, unit, gun) == (None if moves == 1 else [rider]), "nor do they draw a second one"
        begin_activation(table, state, horse)
        assert (rider.y, rider.ac, rider.gait) == (14.0, 2, 1)
        open_ = [act for act in acts(state, horse) if isinstance(act, tuple) and act[0] == "ride"]
        assert open_ == ([] if moves == 1 else [("ride", 1)])
        end_activation(table, state, horse)
    assert rider.gait == 1
