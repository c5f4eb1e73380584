"""Artillery and machine guns: crews, moves, rounds and bursts (chapter 19)."""

from __future__ import annotations

from fractions import Fraction as F
from typing import Any

import pytest
from tests.rulesets.fixed_baynet.plain import (
    acts,
    ask,
    battery,
    battle,
    book,
    box,
    facing_off,
    field,
    gun_against,
    house,
    man,
    perform_with_one_man,
    rules_with,
    run,
    scripted,
    squad,
)
from tests.rulesets.fixed_baynet.scenarios import game, troops

from zareba.table import ScriptedTable
from zareba_rulesets.fixed_baynet.actions.activation import begin_activation, end_activation, perform_action
from zareba_rulesets.fixed_baynet.actions.gunnery import gunners_guess
from zareba_rulesets.fixed_baynet.book.numbers import RangeLimits
from zareba_rulesets.fixed_baynet.chapters.artillery import (
    Impact,
    ammunition_of,
    building_facts,
    direct_targets,
    fire_direct,
    fire_modes,
    guess_limits,
    gun_cover,
    gun_damage,
    gun_facts,
    land_indirect,
    may_aim_indirect,
    may_fire_gun,
    men_gun_can_hit,
    resolve_burst,
    rolls_per_man,
)
from zareba_rulesets.fixed_baynet.chapters.crews import (
    allowed_turns,
    best_cs,
    crew_of,
    haul_gun,
    haul_reach,
    haul_refused,
    haulers,
    is_manned,
    ready_gun,
    serve,
    turn_gun,
)
from zareba_rulesets.fixed_baynet.chapters.machine_guns import (
    clear_jam,
    duel_facts,
    end_gun_turn,
    fire_piece_at_gun,
    fire_salvo,
    gun_shot_facts,
    gun_targets_of_men,
    may_clear,
    may_salvo,
    roll_jam_after_firing,
    salvo_targets,
)
from zareba_rulesets.fixed_baynet.chapters.melee import charge_targets
from zareba_rulesets.fixed_baynet.chapters.sight import sees_point
from zareba_rulesets.fixed_baynet.chapters.targets import fire_targets, marksmen
from zareba_rulesets.fixed_baynet.forces.battle import Battle, BuildingState, Flare
from zareba_rulesets.fixed_baynet.forces.units import Gun, Unit
from zareba_rulesets.fixed_baynet.odds.stage import bare_unit


def pieces(*at: tuple[float, float], kind: str = "light_gun", wounds: int = 2) -> Unit:
    """Enemy guns with one gunner far from all of them."""
    guns = [Gun(kind, x, y, 0.0, 180.0, wounds) for x, y in at]
    return bare_unit("guns", "blue", [man("guns/1", "blue", 90, 90, role="crew")], guns=guns, kind="battery")


@pytest.mark.rule("FBN-217", "FBN-204")
@pytest.mark.setting("artillery_damage")
def test_a_piece_that_was_hit_is_not_burst_upon_again() -> None:
    guns = pieces((50.0, 40.0), (51.5, 40.0), kind="heavy_gun", wounds=4)
    state, unit, gun = gun_against("light_howitzer", guns, artillery_damage="dice")
    state.book.gun_bands["light_howitzer"] = RangeLimits(7.5, 15.0, 30.0)
    script = [("gun", [11]), ("gun again", [1])]
    run(fire_piece_at_gun, state, unit, gun, guns, guns.guns[0], "shell", script=script, artillery_damage="dice")
    assert [piece.wounds for piece in guns.guns] == [2, 4], (
        "under a 2 inch marker lies the first alone, and it has its hit"
    )


@pytest.mark.rule("FBN-016", "FBN-033", "FBN-205")
def test_a_gunner_who_does_not_serve_may_act_and_then_serves_no_more() -> None:
    crew = [man("red/1", "red", 50.0, 8.5, role="crew", weapon="none"), man("red/2", "red", 48.7, 9.2, role="crew")]
    gun = Gun("light_gun", 50.0, 10.0, 0.0, 0.0, 2, ac=3)
    unit = bare_unit("red", "red", crew, guns=[gun], kind="battery")
    state = battle(unit, squad("blue", "blue", 3, (50, 40), weapon="none"))
    offered = acts(state, unit)
    assert "one man" in offered and not {"move", "lie down", "face"} & set(offered)
    perform_with_one_man(state, unit, "red/2", "walk", ("walk to", (48.7, 6.2)))
    assert ("gun fire", 0, "blue") in acts(state, unit)
    script = (("aim the gun at", "blue/2"), ("load", "shot"), ("gun", [1]), ("deviation", [6]), ("direction", [3]))
    run(perform_action, state, unit, ("gun fire", 0, "blue"), script=script)
    assert ["served" in gunner.marks for gunner in crew] == [True, False]
    perform_with_one_man(state, unit, "red/2", "lie down")
    assert crew[1].prone and crew[0].ac == 0


@pytest.mark.rule("FBN-054", "FBN-205")
@pytest.mark.parametrize(
    ("order", "script", "lies"),
    [
        (("gun turn", 0), [("turn gun to", 15)], True),
        (("gun fire", 0, "blue"), [("load", "shot"), ("gun", [11])], False),
    ],
)
def test_firing_a_gun_makes_its_crew_stand_and_turning_it_does_not(order: Any, script: list[Any], lies: bool) -> None:
    state, unit, _ = battery(crew=1, target=squad("blue", "blue", 1, (50, 40), weapon="none"))
    unit.figures["red/1"].mark("prone")
    run(perform_action, state, unit, order, script=script)
    assert unit.figures["red/1"].prone is lies


@pytest.mark.rule("FBN-078", "FBN-204")
@pytest.mark.setting("figures_block_los")
@pytest.mark.parametrize(("figures_block", "seen"), [(False, True), (True, False)])
def test_figures_block_sight_to_a_gun_as_to_men(figures_block: bool, seen: bool) -> None:
    guns = pieces((50.0, 40.0))
    red, between = squad("red", "red", 1, (50, 25)), squad("more", "red", 1, (50, 30))
    state = battle(red, between, guns, figures_block_los=figures_block)
    firers = marksmen(state, red, list(red.figures.values()))
    assert (gun_targets_of_men(state, red, firers) == [("guns", 0)]) is seen
    state.put(between.figures["more/1"], 52, 30)
    assert gun_targets_of_men(state, red, firers) == [("guns", 0)]


def rifles_at_the_gun(**more: Any) -> tuple[Battle, Unit, Gun, Unit]:
    """A rifleman at medium range north of the gun."""
    field_of_play, settings = more.pop("on", None), more.pop("settings", {})
    state, unit, gun = battery(team=0, **settings)
    if field_of_play is not None:
        state.field = field_of_play
    rifles = squad("rifles", "blue", 1, (50, 20), facing=180.0, **more)
    state.units["rifles"] = rifles
    state.active = "rifles"
    return state, unit, gun, rifles


@pytest.mark.rule("FBN-071", "FBN-204")
def test_far_cover_of_a_piece_is_worth_two_against_a_higher_firer() -> None:
    for back, cv in ((2.9, 4), (3.1, 2)):
        wall = ("stone_wall", [(40.0, 10.0 + back), (60.0, 10.0 + back)])
        state, _, gun, rifles = rifles_at_the_gun(on=field(lines=(wall,)))
        figure = rifles.figures["rifles/1"]
        figure.z = 2.0
        assert gun_cover(state, figure.at, figure, gun) == cv


@pytest.mark.rule("FBN-236", "FBN-238", "FBN-204", "FBN-215")
def test_night_makes_pieces_and_buildings_harder_to_hit_unless_lit() -> None:
    state, _, gun, rifles = rifles_at_the_gun()
    other = Gun("light_gun", 50.0, 40.0, 0.0, 180.0, 2)
    theirs = bare_unit("guns", "blue", [man("guns/1", "blue", 50, 41.5, role="crew")], guns=[other])
    figure = rifles.figures["rifles/1"]

    def dark() -> tuple[bool, bool]:
        return gun_shot_facts(state, figure, gun, "medium").dark, duel_facts(state, theirs, other, gun).dark

    assert dark() == (False, False)
    state.night = True
    assert dark() == (True, True)
    state.flares.append(Flare(50.0, 10.0, 2))
    assert dark() == (False, False)
    state, unit, gun = battery()
    state.field = house()
    state.houses["hut"] = BuildingState(4)
    assert building_facts(state, unit, gun, "hut").dark is False
    state.night = True
    assert building_facts(state, unit, gun, "hut").dark is True


@pytest.mark.rule("FBN-204")
def test_pieces_are_aimed_at_by_rifles_and_by_guns() -> None:
    state, unit, gun = battery(team=0)
    rifles = squad("rifles", "blue", 2, (50, 25), facing=180.0)
    state.units["rifles"] = rifles
    state.active = "rifles"
    assert ("fire at gun", "red", 0) in acts(state, rifles)
    run(perform_action, state, rifles, ("fire at gun", "red", 0), script=[("shot", [12]), ("shot", [2])])
    assert gun.wounds == 1 and len(unit.figures) == 2
    other = Gun("light_gun", 50.0, 40.0, 0.0, 180.0, 2)
    state.units["guns"] = bare_unit("guns", "blue", [man("guns/1", "blue", 50, 44, role="crew")], guns=[other])
    state.active = "red"
    assert ("gun at gun", 0, "guns", 0) in acts(state, unit)
    run(perform_action, state, unit, ("gun at gun", 0, "guns", 0), script=[("load", "shot"), ("gun", [11])])
    assert other.wounds == 0
    assert gun.ac == 0 and all("served" in figure.marks for figure in unit.figures.values()), "a round like any other"


@pytest.mark.rule("FBN-217", "FBN-216", "FBN-204")
def test_a_piece_that_fires_point_blank_stands_under_its_own_burst() -> None:
    foe = squad("blue", "blue", 1, (50, 11.8), ds=4)
    state, unit, gun = battery("light_gun", crew=1, target=foe)
    run(fire_direct, state, unit, gun, foe, foe.figures["blue/1"], "shell", script=[("gun", [11]), ("burst", [11])])
    assert gun.wounds == 0 and "blue" in state.gone


@pytest.mark.rule("FBN-205", "FBN-098")
@pytest.mark.setting("crew_ac")
def test_setting_decides_the_ac_of_a_gun() -> None:
    """Two men with 3 AC have answered fire once and twice this turn."""
    for setting, ac in (("fixed3", 3), ("crew_best", 2), ("crew_sum", 3)):
        state, unit, gun = battery(crew_ac=setting)
        for figure, spent in zip(unit.figures.values(), (1, 2), strict=True):
            figure.spent = spent
        ready_gun(state, unit, gun)
        assert gun.ac == ac
    state, unit, gun = battery(crew_ac="crew_best")
    for answers, expected in ((1, 2), (2, 3), (0, 3)):
        for figure in unit.figures.values():
            figure.spent = answers
        with scripted(state, crew_ac="crew_best") as table:
            begin_activation(table, state, unit)
            assert gun.ac == expected, "what is saved of one turn helps in the next, up to the 3 of a piece"
            end_activation(table, state, unit)
        unit.unmark("activated")


@pytest.mark.rule("FBN-021", "FBN-027", "FBN-205")
@pytest.mark.setting("crew_ac")
def test_the_ac_of_one_gunner_fire_a_piece() -> None:
    crew = game({"guns": troops(arm="artillery", figures=4, weapon="none", gun={"kind": "field"})}).plan.squads["guns"]
    assert {man.ac for man in crew.men} == {3}
    state, unit, gun = battery(crew=1, crew_ac="crew_best")
    ready_gun(state, unit, gun)
    assert gun.ac == int(state.book.file.gun_costs.fire) == 3 and may_fire_gun(state, unit, gun)


@pytest.mark.rule("FBN-205")
def test_gun_crew_does_nothing_else() -> None:
    state, unit, gun = battery()
    serve(state, unit, gun, 3)
    assert all("served" in figure.marks and figure.ac == 0 for figure in unit.figures.values())
    assert not may_fire_gun(state, unit, gun)


@pytest.mark.rule("FBN-208", "FBN-205")
def test_a_gun_turns_up_to_a_right_angle_for_an_ac() -> None:
    state, unit, gun = battery()
    ways = allowed_turns(state, gun)
    assert (min(ways), max(ways), 90.0 in ways, 105.0 in ways) == (15.0, 345.0, True, False)
    run(turn_gun, state, unit, gun, 90.0)
    assert (gun.bearing, gun.ac) == (90.0, 2)


@pytest.mark.rule("FBN-202", "FBN-205")
@pytest.mark.setting("crew_ac")
def test_a_man_between_two_pieces_serves_one_of_them() -> None:
    """Two guns side by side; one man is between them and one behind the first."""
    for setting, before, after in (
        ("fixed3", (3, 3), (0, 0)),
        ("crew_best", (3, 3), (0, 0)),
        ("crew_sum", (6, 3), (3, 0)),
    ):
        state, unit, gun = battery(crew=1, crew_ac=setting)
        other = Gun(gun.kind, 53.0, 10.0, 0.0, 0.0, 2)
        unit.guns.append(other)
        between = man("red/2", "red", 51.5, 10.0, role="crew")
        unit.figures["red/2"] = between
        for piece in unit.guns:
            ready_gun(state, unit, piece)
        assert (gun.ac, other.ac) == before and crew_of(state, unit, other) == [between]
        serve(state, unit, gun, min(3, gun.ac))
        assert (gun.ac, other.ac) == after and not is_manned(state, unit, other)
        assert len(crew_of(state, unit, gun)) == 2
    run(end_activation, state, unit, crew_ac="crew_sum")
    assert not any(mark.startswith("serve") for figure in unit.figures.values() for mark in figure.marks)


@pytest.mark.rule("FBN-205", "FBN-207", "FBN-229")
def test_only_a_machine_gun_can_move_or_turn_and_still_fire() -> None:
    foe = squad("blue", "blue", 3, (50, 30), weapon="none")
    for kind, kept in (("machine_gun", True), ("light_gun", False)):
        for order in (("gun move", 0), ("gun turn", 0)):
            state, unit, gun = gun_against(kind, foe)
            script: tuple[str, Any] = ("haul to", (50.0, 12.0)) if order[0] == "gun move" else ("turn gun to", 15)
            run(perform_action, state, unit, order, script=[script])
            left = acts(state, unit)
            assert gun.ac == (1 if order[0] == "gun move" else 2)
            assert (("salvo", 0, "blue") in left) is kept and ("gun fire", 0, "blue") not in left


@pytest.mark.rule("FBN-229", "FBN-205")
@pytest.mark.setting("crew_ac")
def test_no_more_than_three_salvos_however_many_ac() -> None:
    gun = Gun("machine_gun", 50.0, 10.0, 0.0, 0.0, 2, ac=6)
    crew = [man(f"red/{i}", "red", 47.5 + i, 8.8, role="crew", weapon="none") for i in (2, 3)]
    unit = bare_unit("red", "red", crew, guns=[gun], kind="machine_gun")
    blue = squad("blue", "blue", 4, (50, 25), weapon="none")
    state = battle(unit, blue, crew_ac="crew_sum")
    for number in range(3):
        assert may_salvo(state, unit, gun)
        script = [("jam", [1])] * (number == 0) + [("shot", [2])] * 6
        run(fire_salvo, state, unit, gun, blue, script=script, crew_ac="crew_sum")
    assert gun.ac == 3 and not may_salvo(state, unit, gun)


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
        run(haul_gun, state, unit, gun, pullers, (50.0, 13.0))
        assert gun.ac == 0 and gun.y == 13.0 and all(figure.ac == 0 for figure in unit.figures.values())
        assert haulers(state, unit, gun) is not None and ("gun move", 0) not in acts(state, unit)


@pytest.mark.rule("FBN-206")
@pytest.mark.setting("min_crew")
def test_the_fewest_gunners() -> None:
    for setting, manned in ((1, True), (2, False)):
        state, unit, gun = battery(crew=1, min_crew=setting)
        assert is_manned(state, unit, gun) is manned
    state, unit, gun = battery("machine_gun", crew=1, min_crew=2)
    kinds = [act[0] for act in acts(state, unit) if isinstance(act, tuple)]
    assert "gun turn" in kinds and "salvo" not in kinds, "one man can turn what it takes two to fire"
    assert best_cs(*battery(crew=1)[:2], battery(crew=1)[2]) == -1
    assert len(crew_of(*battery(crew=4)[:2], battery(crew=4)[2])) == 4


@pytest.mark.rule("FBN-207", "FBN-233")
def test_men_who_may_move_a_gun() -> None:
    state, unit, gun = battery("machine_gun", team=0)
    assert len(haulers(state, unit, gun) or []) == 2
    state, unit, gun = battery("machine_gun", crew=1, team=0)
    assert haulers(state, unit, gun) is None
    for kind, team, able in (
        ("light_gun", 0, False),
        ("light_gun", 1, True),
        ("medium_gun", 1, False),
        ("medium_gun", 2, True),
    ):
        state, unit, gun = battery(kind, team=team)
        assert (haulers(state, unit, gun) is not None) is able
    state, unit, gun = battery("light_gun", team=0)
    state.units["horse"] = bare_unit("horse", "red", [man("horse/1", "red", 51.7, 10, mounted=True)])
    assert len(haulers(state, unit, gun) or []) == 1


@pytest.mark.rule("FBN-205", "FBN-207")
def test_crew_may_haul_a_gun_after_serving_it() -> None:
    for marks, moves, able in (
        (("served", "serves 1"), 0, True),
        (("served", "serves 1"), 3, False),
        (("served", "serves 1", "halted"), 0, False),
        ((), 0, False),
    ):
        state, unit, gun = battery("machine_gun", team=0)
        for figure in unit.figures.values():
            figure.ac, figure.spent, figure.moves = 0, 3, moves
            figure.mark(*marks)
        assert (haulers(state, unit, gun) is not None) is able


@pytest.mark.rule("FBN-048", "FBN-207")
@pytest.mark.setting("terrain_move")
def test_a_piece_pays_for_mixed_ground_like_others() -> None:
    """With one inch of rubble in its path a gun goes 5" of the 7" of a walk if the worst ground sets the pace, or 6.5"
    in proportion.
    """
    for setting, most in (("worst", 5.0), ("proportional", 6.5)):
        grass = field(("rubble", list(box(40, 11, 60, 12))), terrain_move=setting)
        gun = Gun("light_gun", 50.0, 10.0, 0.0, 0.0, 2, ac=3, team=1)
        unit = bare_unit("red", "red", [man("red/1", "red", 50.0, 8.5, role="crew")], guns=[gun], kind="battery")
        state = battle(unit, on=grass, terrain_move=setting)
        assert haul_refused(state, unit, gun, [], (50.0, 10.0 + most)) is None
        assert haul_refused(state, unit, gun, [], (50.0, 10.1 + most)) is not None


@pytest.mark.rule("FBN-160", "FBN-207")
def test_a_battery_that_falls_back_is_hauled_away_from_the_enemy() -> None:
    state, unit, gun = gun_against("light_gun", squad("blue", "blue", 3, (50, 40)))
    unit.back = True
    assert "end" not in acts(state, unit)
    assert "FBN-160" in (haul_refused(state, unit, gun, [], (50.0, 15.0)) or "")
    run(perform_action, state, unit, ("gun move", 0), script=[("haul to", (50.0, 5.0))])
    assert gun.y == 5 and "end" in acts(state, unit)


@pytest.mark.rule("FBN-050", "FBN-207")
def test_a_gun_is_not_hauled_through_enemies() -> None:
    for side, refused in (("red", False), ("blue", True)):
        state, unit, gun = gun_against("light_gun", squad("other", side, 1, (50, 13)))
        assert (haul_refused(state, unit, gun, [], (50.0, 16.0)) is not None) is refused
        assert haul_refused(state, unit, gun, [], (50.0, 13.0)) is not None, "nobody ends upon another"


@pytest.mark.rule("FBN-050", "FBN-207")
def test_a_piece_is_not_hauled_where_its_crew_finds_no_room() -> None:
    for x, refused in ((50.0, True), (53.0, False)):
        state, unit, gun = gun_against("light_gun", squad("other", "red", 1, (x, 13.6)))
        assert (haul_refused(state, unit, gun, [], (50.0, 15.5)) is not None) is refused


@pytest.mark.rule("FBN-233", "FBN-207")
def test_any_two_men_move_a_light_piece() -> None:
    helper = squad("foot", "red", 1, (51.3, 9.2))
    state, unit, gun = gun_against("machine_gun", helper, crew=1)
    found = haulers(state, unit, gun)
    assert found is not None and [figure.id for figure in found] == ["red/1", "foot/1"]
    helper.figures["foot/1"].spent = 3
    assert haulers(state, unit, gun) is None


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
    run(haul_gun, state, unit, gun, [], (50.0, 16.0))
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
    """A walk comes first, then a canter of at least 7 inches, then a gallop of at least 12. On bumpy ground a canter is
    7 or 8.
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
        run(haul_gun, state, unit, gun, [], (50.0, 10.0 + inches), draught_gait="any")
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


@pytest.mark.rule("FBN-210", "FBN-228")
@pytest.mark.setting("howitzer_fire")
def test_fire_modes_of_guns() -> None:
    expected = {"both": {"direct", "indirect"}, "indirect": {"indirect"}, "direct": {"direct"}}
    for value, ways in expected.items():
        state, _, gun = battery("light_howitzer", howitzer_fire=value)
        assert fire_modes(state, gun) == ways
        assert fire_modes(state, Gun("light_gun", 0, 0, 0, 0, 2)) == {"direct"}
        assert fire_modes(state, Gun("trench_mortar", 0, 0, 0, 0, 2)) == {"indirect"}


@pytest.mark.rule("FBN-211")
@pytest.mark.setting("light_gun_range")
def test_the_light_gun_reaches_60_or_70() -> None:
    assert [book(light_gun_range=value).gun_bands["light_gun"] for value in (60, 70)] == [(15, 30, 60), (17.5, 35, 70)]


@pytest.mark.rule("FBN-213", "FBN-026")
@pytest.mark.setting("artillery_damage")
def test_the_multiple_multiplies_or_counts_rolls() -> None:
    state, _, gun = battery()
    assert (gun_damage(state, gun, "shot"), gun_damage(state, gun, "shell"), rolls_per_man(state, gun)) == (3, 6, 1)
    state, _, gun = battery(artillery_damage="dice")
    assert (gun_damage(state, gun, "shot"), gun_damage(state, gun, "shell"), rolls_per_man(state, gun)) == (1, 2, 3)
    multiple, dice = (
        ask("artillery_direct", {"artillery_damage": value}, ranks=1, files=2).mean(lambda o: o.down)
        for value in ("multiple", "dice")
    )
    assert dice > multiple
    for setting, script, wounds in (("multiple", (), 1), ("dice", (("gun again", [11]), ("gun again", [2])), 2)):
        state, unit, gun = battery(artillery_damage=setting)
        other = Gun("heavy_gun", 50.0, 40.0, 0.0, 180.0, 4)
        home = bare_unit("guns", "blue", [man("guns/1", "blue", 50, 44, role="crew")], guns=[other])
        state.units["guns"] = home
        with scripted(state, ("gun", [11]), *script, artillery_damage=setting) as table:
            fire_piece_at_gun(table, state, unit, gun, home, other, "shot")
        assert other.wounds == wounds, "3 wounds at once, or a wound for each of three rolls"


@pytest.mark.rule("FBN-214")
def test_shot_or_shell_is_chosen_at_each_round() -> None:
    assert ammunition_of(Gun("light_gun", 0, 0, 0, 0, 2)) == ["shell", "shot"]
    assert ammunition_of(Gun("light_gun", 0, 0, 0, 0, 2, solid=False)) == ["shell"]
    state, unit, gun = battery()
    assert list(direct_targets(state, unit, gun))
    script = [("aim the gun at", "blue/5"), ("load", "shot"), ("gun", [1]), ("deviation", [6]), ("direction", [3])]
    run(perform_action, state, unit, ("gun fire", 0, "blue"), script=script)
    assert len(state.units["blue"].figures) == 9


@pytest.mark.rule("FBN-093", "FBN-215")
@pytest.mark.setting("leaders_targetable")
def test_owner_chooses_the_man_a_gun_aims_at() -> None:
    line = bare_unit("blue", "blue", [man(f"blue/{i}", "blue", 46 + 2 * i, 40 - (i == 3)) for i in (1, 2, 3)])
    state, unit, gun = gun_against("light_gun", line)
    assert [figure.id for figure in men_gun_can_hit(state, unit, gun, line)] == ["blue/2", "blue/1", "blue/3"]
    script = [("aim the gun at", "blue/1"), ("load", "shot"), ("gun", [11])]
    run(perform_action, state, unit, ("gun fire", 0, "blue"), script=script)
    assert list(line.figures) == ["blue/2", "blue/3"]
    state, unit, gun = gun_against("light_gun", line, leaders_targetable="nearest")
    assert [figure.id for figure in men_gun_can_hit(state, unit, gun, line)] == ["blue/3"]


@pytest.mark.rule("FBN-069", "FBN-215")
def test_a_wall_at_the_edge_of_a_piece_does_not_shelter_its_target() -> None:
    for gap, cv in ((0.9, 0), (1.1, 4)):
        wall = field(lines=(("stone_wall", [(40.0, 11.0 + gap), (60.0, 11.0 + gap)]),))
        blue = squad("blue", "blue", 1, (50, 30))
        state, unit, gun = gun_against("light_gun", blue, on=wall)
        assert gun_facts(state, unit, gun, blue, blue.figures["blue/1"]).cv == cv


@pytest.mark.rule("FBN-130", "FBN-215")
def test_the_best_gunner_is_worse_with_a_chest_wound() -> None:
    state, unit, gun = gun_against(crew=1)
    unit.figures["red/1"].locations = frozenset({"chest_light"})
    assert best_cs(state, unit, gun) == -2


@pytest.mark.rule("FBN-248", "FBN-215")
def test_critical_of_a_gun_pierces_the_facing_room() -> None:
    inside = bare_unit("blue", "blue", [man("blue/1", "blue", 43, 43), man("blue/2", "blue", 49, 43)])
    state, unit, gun = gun_against("light_gun", inside, on=house(rooms=2))
    for figure, room in zip(inside.figures.values(), ("hut:0:0", "hut:0:1"), strict=True):
        figure.place = room
    gun.x, gun.bearing = 60.0, -21.0 % 360
    for figure in unit.figures.values():
        figure.x += 10
    run(perform_action, state, unit, ("gun at house", 0, "hut"), script=[("load", "shot"), ("gun", [12])])
    assert list(inside.figures) == ["blue/1"], "the eastern room is nearer to the gun"


@pytest.mark.rule("FBN-215", "FBN-217", "FBN-219")
def test_a_shell_that_hits_does_not_stray() -> None:
    state, unit, gun = battery()
    target, victim = next(direct_targets(state, unit, gun))
    bursts = [("burst", [2])] * 8
    run(fire_direct, state, unit, gun, target, victim, "shell", script=[("gun", [4]), *bursts])
    assert len(target.figures) == 8 and victim.id not in target.figures
    assert (gun.ac, [figure.ac for figure in unit.figures.values()]) == (0, [0, 0])


@pytest.mark.rule("FBN-005", "FBN-081", "FBN-215", "FBN-229")
def test_ranges_are_from_edge_to_edge_to_the_last_inch() -> None:
    for kind in ("light_gun", "machine_gun"):
        gun = Gun(kind, 50.0, 5.0, 0.0, 0.0, 2, ac=3)
        crew = [man(f"red/{i}", "red", 50 + i, 3.5, role="crew") for i in (0, 1)]
        red = bare_unit("red", "red", crew, guns=[gun], kind="battery" if kind == "light_gun" else "machine_gun")
        most = book().gun_range[kind]
        for beyond, seen in ((-0.01, 1), (0.01, 0)):
            gap = most + beyond + book().radius["gun"] + book().radius["foot"]
            state = battle(red, squad("blue", "blue", 1, (50, 5 + gap)))
            found = salvo_targets(state, red, gun) if kind == "machine_gun" else direct_targets(state, red, gun)
            assert len(list(found)) == seen
    rifle = squad("red", "red", 1, (50, 20))
    longest = book().bands["rifle"][2]
    for beyond, seen in ((-0.01, 1), (0.01, 0)):
        state = battle(rifle, squad("blue", "blue", 1, (50, 21 + longest + beyond)))
        assert len(list(fire_targets(state, rifle))) == seen


@pytest.mark.rule("FBN-002", "FBN-216")
@pytest.mark.setting("burst_marker")
def test_the_size_of_a_burst() -> None:
    kinds = ("light_howitzer", "light_gun", "medium_gun", "heavy_gun")
    assert [book().burst_radius(kind) for kind in kinds] == [1, 2, 3, 3]
    assert [book(burst_marker="by_class").burst_radius(kind) for kind in kinds] == [2, 2, 3, 3]


@pytest.mark.rule("FBN-094", "FBN-217")
def test_a_unit_whose_piece_is_under_a_marker_has_been_shot_at() -> None:
    guns = pieces((50.0, 40.0))
    state, unit, gun = gun_against("light_gun", guns)
    run(resolve_burst, state, unit, gun, "shell", Impact(50.0, 41.0), None, script=[("burst", [2])])
    assert guns.shot_turn == state.turn and guns.guns[0].wounds == 2


@pytest.mark.rule("FBN-217")
@pytest.mark.setting("blast_hits")
def test_men_under_a_burst_roll_or_are_hit() -> None:
    state, unit, gun = battery()
    run(resolve_burst, state, unit, gun, "shell", Impact(50, 40), None, script=[("burst", [2])] * 9)
    assert len(state.units["blue"].figures) == 9
    state, unit, gun = battery(blast_hits="auto")
    run(resolve_burst, state, unit, gun, "shell", Impact(50, 40), None, blast_hits="auto")
    assert not state.units["blue"].figures


@pytest.mark.rule("FBN-094", "FBN-217")
def test_a_burst_takes_friends_too_and_counts_as_being_shot_at() -> None:
    friend = squad("friend", "red", 1, (50, 42))
    state, unit, gun = battery(target=squad("blue", "blue", 1, (50, 41), weapon="none"))
    state.units["friend"] = friend
    run(resolve_burst, state, unit, gun, "shell", Impact(50, 41), None, script=[("burst", [12]), ("burst", [12])])
    assert not friend.figures and not state.units["blue"].figures
    assert state.units["blue"].shot_turn == friend.shot_turn == 1


@pytest.mark.rule("FBN-218", "FBN-005")
def test_a_stray_ball_takes_the_nearest_man_or_piece_within_an_inch_of_its_middle() -> None:
    for at, struck in (((51.0, 40.0), True), ((51.1, 40.0), False)):
        blue = squad("blue", "blue", 1, (50, 40))
        state, unit, gun = gun_against("light_gun", blue)
        run(resolve_burst, state, unit, gun, "shot", Impact(*at), None, script=[("burst", [12])] * struck)
        assert bool(blue.figures) is not struck
    for at, wounds, men in (((60.4, 40.0), 0, 1), ((61.6, 40.0), 2, 0)):
        blue, guns = squad("blue", "blue", 1, (62, 40)), pieces((60.0, 40.0))
        state, unit, gun = gun_against("light_gun", blue, guns)
        run(resolve_burst, state, unit, gun, "shot", Impact(*at), None, script=[("burst", [11])])
        assert (guns.guns[0].wounds, len(blue.figures)) == (wounds, men)
    blue, guns = squad("blue", "blue", 1, (61, 40)), pieces((60.0, 40.0))
    state, unit, gun = gun_against("light_gun", blue, guns)
    with scripted(state, ("nearest of equals", "guns gun 1"), ("burst", [11])) as table:
        resolve_burst(table, state, unit, gun, "shot", Impact(60.5, 40.0), None)
    assert guns.guns[0].wounds == 0 and blue.figures


@pytest.mark.rule("FBN-218", "FBN-247")
def test_a_stray_ball_does_not_damage_a_building_and_a_shell_does() -> None:
    for ammunition, points in (("shot", 4), ("shell", 0)):
        state, unit, gun = gun_against(on=house())
        run(resolve_burst, state, unit, gun, ammunition, Impact(43.0, 43.0), None)
        assert state.houses["hut"].points == points


@pytest.mark.rule("FBN-219")
@pytest.mark.setting("deviation_on")
def test_direct_rounds_stray_on_a_miss_or_always() -> None:
    for setting, script in (("miss", ()), ("always", (("deviation", [6]), ("direction", [12])))):
        state, unit, gun = battery(target=squad("blue", "blue", 1, (50, 40), weapon="none"), deviation_on=setting)
        target, victim = next(direct_targets(state, unit, gun))
        with scripted(state, ("gun", [12]), *script, deviation_on=setting) as table:
            fire_direct(table, state, unit, gun, target, victim, "shot")
        assert bool(target.figures) is (setting == "always")


@pytest.mark.rule("FBN-004", "FBN-219", "FBN-220")
def test_deviation_of_rounds() -> None:
    def spread(ammunition: str, critical: bool) -> list[int]:
        return sorted({o.inches for o in ask("deviation", ammunition=ammunition, critical=critical).outcomes})

    assert spread("shell", False) == [1, 2, 3] and spread("shot", False) == [1, 2, 3, 4, 5, 6]
    assert spread("shell", True) == [1, 2, 3, 4, 5, 6] and spread("shot", True) == [4, 5, 6, 7, 8, 9]
    assert ask("deviation").probability(lambda o: o.inches == 1) == F(1, 3)


@pytest.mark.rule("FBN-221")
def test_the_clock_is_seen_from_the_gun() -> None:
    expected = {12: (0.0, 2.0), 3: (2.0, 0.0), 6: (0.0, -2.0), 9: (-2.0, 0.0)}
    for hour, (right, beyond) in expected.items():
        with ScriptedTable(rules_with(), None, [("lay", [7]), ("deviation", [3]), ("direction", [hour])]) as table:
            impact = land_indirect(table, (0, 0), (0, 20), 20, "shell", "gun")
        assert (round(impact.x, 6) + 0.0, round(impact.y - 20, 6) + 0.0) == (right, beyond)


@pytest.mark.rule("FBN-006", "FBN-222", "FBN-224", "FBN-226")
def test_the_range_is_guessed_before_anybody_measures() -> None:
    state, unit, gun = battery("light_howitzer")
    assert ("gun indirect", 0) in acts(state, unit)
    script = [
        ("aim at point", (50.0, 40.0)),
        ("guess the range", 25),
        ("load", "shell"),
        ("lay", [5]),
        ("deviation", [1]),
        ("direction", [12]),
    ]
    with scripted(state, *script) as table:
        perform_action(table, state, unit, ("gun indirect", 0))
    assert len(state.units["blue"].figures) == 9
    with (
        pytest.raises(AssertionError, match="is not an answer to"),
        scripted(battery("light_howitzer")[0], ("aim at point", (50.0, 40.0)), ("guess the range", 31)) as table,
    ):
        state, unit, gun = battery("light_howitzer")
        table.state = state
        perform_action(table, state, unit, ("gun indirect", 0))
    assert not may_aim_indirect(state, unit, gun, (10, 10))


@pytest.mark.rule("FBN-223")
@pytest.mark.setting("indirect_lay_die")
def test_the_laying_die_may_be_left_out() -> None:
    for setting, script in ((True, [("lay", [1]), ("deviation", [6])]), (False, [("deviation", [6])])):
        with ScriptedTable(rules_with(indirect_lay_die=setting), None, [*script, ("direction", [12])]) as table:
            impact = land_indirect(table, (0, 0), (0, 20), 20, "shell", "gun")
        assert impact.y == (26 if setting else 23)


@pytest.mark.rule("FBN-224", "FBN-235", "FBN-238")
def test_a_point_is_seen_at_night_within_twelve_inches_or_by_the_light_of_a_flare() -> None:
    unit = squad("red", "red", 1, (50, 50))
    state = battle(unit, on=field())
    figure = unit.figures["red/1"]
    assert sees_point(state, figure, (50.0, 90.0))
    state.night = True
    assert sees_point(state, figure, (50.0, 62.0)) and not sees_point(state, figure, (50.0, 62.1))
    state.flares = [Flare(50.0, 80.0, 2)]
    assert sees_point(state, figure, (50.0, 83.0)) and not sees_point(state, figure, (50.0, 83.1))


@pytest.mark.rule("FBN-224")
def test_only_men_at_the_piece_observe_for_it() -> None:
    ground = field(("crag", list(box(0, 20, 60, 22))))
    guns = [Gun("light_howitzer", x, 10.0, 0.0, 0.0, 2, ac=3) for x in (50.0, 70.0)]
    crew = [man("red/1", "red", 50, 8.5, role="crew"), man("red/2", "red", 70, 8.5, role="crew")]
    unit = bare_unit("red", "red", crew, guns=guns, kind="battery")
    state = battle(unit, squad("blue", "blue", 1, (62, 38)), on=ground)
    point = (61.0, 38.0)
    assert not may_aim_indirect(state, unit, guns[0], point), "the man at the other howitzer sees it, not this crew"
    assert may_aim_indirect(state, unit, guns[1], point)


@pytest.mark.rule("FBN-037", "FBN-224", "FBN-034")
def test_a_caller_directs_a_battery_that_sees_nothing() -> None:
    wall = field(("crag", list(box(0, 20, 100, 22))))
    state, unit, gun = battery("light_howitzer")
    caller = squad("caller", "red", 1, (50, 30))
    seeing = battle(unit, state.units["blue"], caller, on=wall)
    assert not may_aim_indirect(seeing, unit, gun, (50, 40))
    seeing.active = "caller"
    assert ("barrage", "caller/1", "red") in acts(seeing, caller)
    with scripted(seeing) as table:
        perform_action(table, seeing, caller, ("barrage", "caller/1", "red"))
    assert caller.figures["caller/1"].ac == 2
    assert may_aim_indirect(seeing, unit, gun, (50, 40))
    assert [event.data["battery"] for event in table.events if event.kind == "barrage"] == ["red"]


@pytest.mark.rule("FBN-225")
def test_the_gunners_guess() -> None:
    state, unit, gun = battery("light_howitzer")
    with scripted(state, ("guess long", [6]), ("guess short", [1])) as table:
        assert gunners_guess(table, state, unit, gun, (50, 30), "gun") == 25
    with scripted(state, ("guess long", [6]), ("guess short", [1])) as table:
        assert gunners_guess(table, state, unit, gun, (50, 38), "gun") == 30


@pytest.mark.rule("FBN-228", "FBN-226")
@pytest.mark.setting("mortar_max_range")
def test_the_mortar_reaches_30_or_45() -> None:
    for value in (30, 45):
        state, unit, gun = battery("trench_mortar", mortar_max_range=value)
        assert guess_limits(state, unit, gun) == (12, value)


@pytest.mark.rule("FBN-227", "FBN-080")
def test_a_plot_is_fired_only_where_the_mortar_still_points() -> None:
    state, unit, gun = gun_against("trench_mortar", squad("blue", "blue", 3, (50, 40)))
    gun.plot = (50.0, 40.0, 30.0, 1.0)
    state.turn = 2
    for bearing, open_to in ((0.0, True), (15.0, True), (45.0, False)):
        gun.bearing = bearing
        assert (("gun indirect", 0) in acts(state, unit)) is open_to


@pytest.mark.rule("FBN-227")
def test_a_mortar_fires_what_was_plotted_a_turn_before() -> None:
    assert ("plot", 0) not in acts(*battery("light_howitzer")[:2])
    state, unit, gun = battery("trench_mortar")
    assert ("plot", 0) in acts(state, unit) and ("gun indirect", 0) not in acts(state, unit)
    run(perform_action, state, unit, ("plot", 0), script=[("aim at point", (50.0, 40.0)), ("guess the range", 30)])
    assert gun.plot == (50.0, 40.0, 30.0, 1.0) and gun.ac == 3
    assert ("plot", 0) not in acts(state, unit) and ("gun indirect", 0) not in acts(state, unit)
    state.turn = 2
    assert ("gun indirect", 0) in acts(state, unit)
    with scripted(state, ("lay", [5]), ("deviation", [6]), ("direction", [6]), ("burst", [2])) as table:
        perform_action(table, state, unit, ("gun indirect", 0))
    assert not gun.plot


@pytest.mark.rule("FBN-227", "FBN-206")
@pytest.mark.setting("min_crew")
@pytest.mark.parametrize(("crew", "least", "plots"), [(1, 1, True), (1, 2, False), (2, 2, True)])
def test_a_mortar_plots_only_with_the_smallest_crew(crew: int, least: int, plots: bool) -> None:
    state, unit, _ = battery("trench_mortar", crew, min_crew=least)
    assert (("plot", 0) in acts(state, unit)) is plots


@pytest.mark.rule("FBN-247", "FBN-229", "FBN-232")
@pytest.mark.setting("building_targets")
def test_a_machine_gun_fires_at_walls_where_every_weapon_may() -> None:
    for setting, offered in (("any", True), ("artillery", False)):
        state, unit, gun = gun_against("machine_gun", on=house(building_targets=setting), building_targets=setting)
        gun.x, gun.y = 43.0, 28.0
        for number, figure in enumerate(unit.figures.values()):
            figure.x, figure.y = 43.0 + number, 26.5
        assert (("salvo at house", 0, "hut") in acts(state, unit)) is offered
    state, unit, gun = gun_against("machine_gun", on=house())
    gun.x, gun.y = 43.0, 28.0
    for number, figure in enumerate(unit.figures.values()):
        figure.x, figure.y = 43.0 + number, 26.5
    with scripted(
        state, ("jam", [1]), *[("shot", [4])] * 2, ("shot", [3]), ("shot", [2]), *[("shot", [11])] * 2
    ) as table:
        perform_action(table, state, unit, ("salvo at house", 0, "hut"))
        assert [event.data["hits"] for event in table.events if event.kind == "salvo"] == [4]
    assert state.houses["hut"].points == 0 and (gun.salvos, gun.ac) == (1, 2)
    state, unit, gun = gun_against("machine_gun", on=house())
    gun.x, gun.y, unit.figures["red/1"].x, unit.figures["red/1"].y = 43.0, 28.0, 43.0, 26.5
    run(perform_action, state, unit, ("salvo at house", 0, "hut"), script=[("jam", [6])])
    assert state.houses["hut"].points == 4 and gun.salvos == 0


@pytest.mark.rule("FBN-229", "FBN-230", "FBN-231", "FBN-263", "FBN-144")
def test_a_salvo_is_six_shots_and_pins_at_once() -> None:
    state, unit, gun = battery("machine_gun", target=squad("blue", "blue", 9, (50, 28), ds=4, weapon="none"))
    with scripted(state, ("jam", [1]), *[("shot", [2])] * 5, ("shot", [12])) as table:
        assert fire_salvo(table, state, unit, gun, state.units["blue"]) == 1
    blue = state.units["blue"]
    assert "pinned" in blue.marks and blue.events == ("pinned",)
    assert (gun.salvos, gun.ac, len(blue.figures)) == (1, 2, 8)
    for _ in range(2):
        run(fire_salvo, state, unit, gun, blue, script=[("shot", [2])] * 6)
    assert not may_salvo(state, unit, gun)


@pytest.mark.rule("FBN-229")
@pytest.mark.setting("mg_salvo_ac")
def test_a_salvo_costs_one_ac_or_three() -> None:
    for setting, left in ((1, 2), (3, 0)):
        state, unit, gun = battery("machine_gun", mg_salvo_ac=setting)
        with scripted(state, ("jam", [1]), *[("shot", [2])] * 6, mg_salvo_ac=setting) as table:
            fire_salvo(table, state, unit, gun, state.units["blue"])
        assert gun.ac == left


@pytest.mark.rule("FBN-229", "FBN-230", "FBN-064")
def test_the_first_shot_of_a_salvo_is_aimed_before_its_pin_breaks_the_mass() -> None:
    state, unit, gun = battery("machine_gun", target=squad("blue", "blue", 9, (50, 26), "mass", ds=4, weapon="none"))
    blue = state.units["blue"]
    for figure in blue.figures.values():
        figure.gl = 6
    with scripted(state, ("jam", [1]), *[("panic", [3])] * 9, *[("shot", [4])] * 6) as table:
        assert fire_salvo(table, state, unit, gun, blue) == 1, "a 4 hits a man in mass, and no man out of it"
    assert {figure.reaction for figure in blue.figures.values()} == {"onwards"}


@pytest.mark.rule("FBN-231")
@pytest.mark.setting("pinned_blocks_charge")
def test_a_pinned_unit_may_be_kept_from_charging() -> None:
    for setting, count in ((False, 1), (True, 0)):
        state, red, _ = facing_off(5, pinned_blocks_charge=setting)
        red.mark("pinned")
        assert len(list(charge_targets(state, red))) == count


@pytest.mark.rule("FBN-232")
@pytest.mark.setting("jam_roll")
def test_a_six_jams_before_firing_or_after() -> None:
    state, unit, gun = battery("machine_gun")
    assert run(fire_salvo, state, unit, gun, state.units["blue"], script=[("jam", [6])]) == 0
    assert not may_salvo(state, unit, gun) and "pinned" not in state.units["blue"].marks
    end_gun_turn(state, gun)
    assert gun.jam == ""
    state, unit, gun = battery("machine_gun", jam_roll="after_firing")
    with scripted(state, *[("shot", [2])] * 6, ("jam", [6]), jam_roll="after_firing") as table:
        fire_salvo(table, state, unit, gun, state.units["blue"])
        roll_jam_after_firing(table, state, unit, gun)
    end_gun_turn(state, gun)
    state.turn, gun.ac = 2, 3
    assert not may_salvo(state, unit, gun)
    end_gun_turn(state, gun)
    assert may_salvo(state, unit, gun)


@pytest.mark.rule("FBN-232")
@pytest.mark.setting("jam_clears")
def test_a_jam_is_over_next_turn_or_cleared_by_hand() -> None:
    for setting, stays in (("next_turn", False), ("action_1ac", True)):
        state, unit, gun = battery("machine_gun", jam_clears=setting)
        gun.jam, gun.jammed_in = "jammed", 1
        end_gun_turn(state, gun)
        assert (gun.jam == "jammed") is stays
        assert may_clear(state, unit, gun) is stays
    run(clear_jam, state, unit, gun, jam_clears="action_1ac")
    assert gun.ac == 2 and gun.jam == "clear"


@pytest.mark.rule("FBN-232")
@pytest.mark.setting("jam_clears")
@pytest.mark.setting("jam_roll")
def test_a_gun_whose_old_jam_is_cleared_rolls_again_in_the_same_turn() -> None:
    for roll, rolls in (("before_first_salvo", [("jam", [1])]), ("after_firing", [])):
        state, unit, gun = battery("machine_gun", jam_clears="action_1ac", jam_roll=roll)
        gun.jam, gun.jammed_in, state.turn = "jammed", 1 if rolls else 2, 2
        with scripted(state, *rolls, *[("shot", [2])] * 6, jam_clears="action_1ac", jam_roll=roll) as table:
            clear_jam(table, state, unit, gun)
            fire_salvo(table, state, unit, gun, state.units["blue"])
        if not rolls:
            run(roll_jam_after_firing, state, unit, gun, script=[("jam", [1])], jam_clears="action_1ac", jam_roll=roll)
        assert gun.jam == "clear"
