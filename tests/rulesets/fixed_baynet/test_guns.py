"""Artillery and machine guns (chapters 18 and 19)."""

from __future__ import annotations

from fractions import Fraction as F
from typing import Any

import pytest
from tests.rulesets.fixed_baynet.plain import (
    acts,
    ask,
    battle,
    book,
    box,
    field,
    house,
    man,
    rules_with,
    scripted,
    squad,
)

from zareba.table import ScriptedTable
from zareba_rulesets.fixed_baynet.aiming import fire_targets
from zareba_rulesets.fixed_baynet.artillery import (
    ammunition_of,
    building_facts,
    direct_targets,
    fire_direct,
    fires_how,
    may_fire_gun,
)
from zareba_rulesets.fixed_baynet.battle import Battle, Flare, House
from zareba_rulesets.fixed_baynet.bursts import Impact, burst, gun_cover, gun_damage, rolls_of
from zareba_rulesets.fixed_baynet.crews import (
    best_cs,
    crew_of,
    haul,
    haul_refused,
    haulers,
    is_manned,
    ready_gun,
    serve,
    turn_gun,
    turns_open,
)
from zareba_rulesets.fixed_baynet.gun_orders import gunners_guess
from zareba_rulesets.fixed_baynet.gun_targets import (
    duel_facts,
    fire_piece_at_gun,
    gun_marks,
    gun_shot_facts,
    volley_at_gun,
)
from zareba_rulesets.fixed_baynet.indirect import guess_limits, land_indirect, may_aim_indirect
from zareba_rulesets.fixed_baynet.machine_guns import (
    clear_jam,
    end_of_turn,
    may_clear,
    may_salvo,
    roll_after,
    salvo,
    salvo_targets,
)
from zareba_rulesets.fixed_baynet.odds.stage import bare_unit
from zareba_rulesets.fixed_baynet.orders import act, begin, finish
from zareba_rulesets.fixed_baynet.troops import Gun, Unit


def battery(
    kind: str = "light_gun", crew: int = 2, target: Unit | None = None, team: int = 1, **settings: Any
) -> tuple[Battle, Unit, Gun]:
    """A gun at (50, 10) that looks north, with its crew behind it."""
    spots = [(50.0, 8.5), (48.7, 9.2), (51.3, 9.2), (48.5, 10.0)]
    men = [man(f"red/{i + 1}", "red", *spots[i], role="crew", cs=-1, ds=4, sp=4, ac=2) for i in range(crew)]
    numbers = book(**settings)
    gun = Gun(kind, 50.0, 10.0, 0.0, 0.0, numbers.guns[kind].wounds, ac=3, team=team)
    unit = bare_unit("red", "red", men, guns=[gun], kind="machine_gun" if kind == "machine_gun" else "battery")
    blue = target if target is not None else squad("blue", "blue", 9, (50, 40), "mass", ds=4)
    state = battle(unit, blue, **settings)
    state.active = "red"
    return state, unit, gun


@pytest.mark.rule("FBN-201", "FBN-202", "FBN-204", "FBN-211", "FBN-212", "FBN-264", "FBN-228")
def test_the_table_of_guns() -> None:
    guns = book().guns
    assert {name: (gun.weight, gun.multiple, gun.wounds, gun.crew) for name, gun in guns.items()} == {
        "machine_gun": ("light", 1, 2, 2),
        "trench_mortar": ("medium", 3, 3, 4),
        "light_howitzer": ("medium", 2, 2, 4),
        "medium_howitzer": ("medium", 3, 2, 4),
        "heavy_howitzer": ("heavy", 4, 3, 4),
        "light_gun": ("medium", 3, 2, 4),
        "medium_gun": ("heavy", 4, 3, 4),
        "heavy_gun": ("heavy", 5, 4, 4),
    }
    assert all(gun.ds == 3 for gun in guns.values())
    bands = book().gun_bands
    assert (
        bands["light_gun"] == (15, 30, 60)
        and bands["heavy_howitzer"] == (11.25, 22.5, 45)
        and bands["machine_gun"] == (9, 18, 36)
    )
    assert bands["heavy_gun"] == (47, 94, 188)


@pytest.mark.rule("FBN-211")
@pytest.mark.setting("light_gun_range")
def test_the_light_gun_reaches_60_or_70() -> None:
    assert [book(light_gun_range=value).gun_bands["light_gun"] for value in (60, 70)] == [(15, 30, 60), (17.5, 35, 70)]


@pytest.mark.rule("FBN-228", "FBN-226")
@pytest.mark.setting("mortar_max_range")
def test_the_mortar_reaches_30_or_45() -> None:
    for value in (30, 45):
        state, _, gun = battery("trench_mortar", mortar_max_range=value)
        assert guess_limits(state, gun) == (12, value)


@pytest.mark.rule("FBN-210", "FBN-228")
@pytest.mark.setting("howitzer_fire")
def test_how_pieces_fire() -> None:
    expected = {"both": {"direct", "indirect"}, "indirect": {"indirect"}, "direct": {"direct"}}
    for value, ways in expected.items():
        state, _, gun = battery("light_howitzer", howitzer_fire=value)
        assert fires_how(state, gun) == ways
        assert fires_how(state, Gun("light_gun", 0, 0, 0, 0, 2)) == {"direct"}
        assert fires_how(state, Gun("trench_mortar", 0, 0, 0, 0, 2)) == {"indirect"}


@pytest.mark.rule("FBN-213", "FBN-026")
@pytest.mark.setting("artillery_damage")
def test_the_multiple_multiplies_or_counts_rolls() -> None:
    state, _, gun = battery()
    assert (gun_damage(state, gun, "shot"), gun_damage(state, gun, "shell"), rolls_of(state, gun)) == (3, 6, 1)
    state, _, gun = battery(artillery_damage="dice")
    assert (gun_damage(state, gun, "shot"), gun_damage(state, gun, "shell"), rolls_of(state, gun)) == (1, 2, 3)
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


@pytest.mark.rule("FBN-002", "FBN-216")
@pytest.mark.setting("burst_marker")
def test_the_size_of_a_burst() -> None:
    kinds = ("light_howitzer", "light_gun", "medium_gun", "heavy_gun")
    assert [book().burst_radius(kind) for kind in kinds] == [1, 2, 3, 3]
    assert [book(burst_marker="by_class").burst_radius(kind) for kind in kinds] == [2, 2, 3, 3]


@pytest.mark.rule("FBN-214")
def test_shot_or_shell_is_chosen_at_each_round() -> None:
    assert ammunition_of(Gun("light_gun", 0, 0, 0, 0, 2)) == ["shell", "shot"]
    assert ammunition_of(Gun("light_gun", 0, 0, 0, 0, 2, solid=False)) == ["shell"]
    state, unit, gun = battery()
    assert list(direct_targets(state, unit, gun))
    script = [("aim the gun at", "blue/5"), ("load", "shot"), ("gun", [1]), ("deviation", [6]), ("direction", [3])]
    with scripted(state, *script) as table:
        act(table, state, unit, ("gun fire", 0, "blue"))
    assert len(state.units["blue"].figures) == 9


@pytest.mark.rule("FBN-215", "FBN-217", "FBN-219")
def test_a_shell_that_hits_does_not_stray() -> None:
    state, unit, gun = battery()
    target, aimed = next(direct_targets(state, unit, gun))
    bursts = [("burst", [2])] * 8
    with scripted(state, ("gun", [4]), *bursts) as table:
        fire_direct(table, state, unit, gun, target, aimed, "shell")
    assert len(target.figures) == 8 and aimed.id not in target.figures
    assert (gun.ac, [figure.ac for figure in unit.figures.values()]) == (0, [0, 0])


@pytest.mark.rule("FBN-219")
@pytest.mark.setting("deviation_on")
def test_direct_rounds_stray_on_a_miss_or_always() -> None:
    for setting, script in (("miss", ()), ("always", (("deviation", [6]), ("direction", [12])))):
        state, unit, gun = battery(target=squad("blue", "blue", 1, (50, 40), weapon="none"), deviation_on=setting)
        target, aimed = next(direct_targets(state, unit, gun))
        with scripted(state, ("gun", [12]), *script, deviation_on=setting) as table:
            fire_direct(table, state, unit, gun, target, aimed, "shot")
        assert bool(target.figures) is (setting == "always")


@pytest.mark.rule("FBN-217")
@pytest.mark.setting("blast_hits")
def test_men_under_a_burst_roll_or_are_hit() -> None:
    state, unit, gun = battery()
    with scripted(state, *[("burst", [2])] * 9) as table:
        burst(table, state, unit, gun, "shell", Impact(50, 40), None)
    assert len(state.units["blue"].figures) == 9
    state, unit, gun = battery(blast_hits="auto")
    with scripted(state, blast_hits="auto") as table:
        burst(table, state, unit, gun, "shell", Impact(50, 40), None)
    assert not state.units["blue"].figures


@pytest.mark.rule("FBN-094", "FBN-217")
def test_a_burst_takes_friends_too_and_counts_as_being_shot_at() -> None:
    friend = squad("friend", "red", 1, (50, 42))
    state, unit, gun = battery(target=squad("blue", "blue", 1, (50, 41), weapon="none"))
    state.units["friend"] = friend
    with scripted(state, ("burst", [12]), ("burst", [12])) as table:
        burst(table, state, unit, gun, "shell", Impact(50, 41), None)
    assert not friend.figures and not state.units["blue"].figures
    assert state.units["blue"].shot_turn == friend.shot_turn == 1


@pytest.mark.rule("FBN-218")
def test_a_stray_ball_may_catch_the_nearest_man() -> None:
    target = bare_unit("blue", "blue", [man("blue/1", "blue", 49, 40), man("blue/2", "blue", 51, 40)])
    state, unit, gun = battery(target=target)
    with scripted(state, ("nearest of equals", "blue/2"), ("burst", [12])) as table:
        burst(table, state, unit, gun, "shot", Impact(50, 40), None)
    assert list(target.figures) == ["blue/1"]
    with scripted(state) as table:
        burst(table, state, unit, gun, "shot", Impact(60, 40), None)


@pytest.mark.rule("FBN-004", "FBN-219", "FBN-220")
def test_how_far_rounds_stray() -> None:
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


@pytest.mark.rule("FBN-223")
@pytest.mark.setting("indirect_lay_die")
def test_the_laying_die_may_be_left_out() -> None:
    for setting, script in ((True, [("lay", [1]), ("deviation", [6])]), (False, [("deviation", [6])])):
        with ScriptedTable(rules_with(indirect_lay_die=setting), None, [*script, ("direction", [12])]) as table:
            impact = land_indirect(table, (0, 0), (0, 20), 20, "shell", "gun")
        assert impact.y == (26 if setting else 23)


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
        act(table, state, unit, ("gun indirect", 0))
    assert len(state.units["blue"].figures) == 9
    with (
        pytest.raises(AssertionError, match="no answer"),
        scripted(battery("light_howitzer")[0], ("aim at point", (50.0, 40.0)), ("guess the range", 31)) as table,
    ):
        state, unit, gun = battery("light_howitzer")
        table.state = state
        act(table, state, unit, ("gun indirect", 0))
    assert not may_aim_indirect(state, unit, gun, (10, 10))


@pytest.mark.rule("FBN-225")
def test_the_gunners_guess() -> None:
    state, _, gun = battery("light_howitzer")
    with scripted(state, ("guess long", [6]), ("guess short", [1])) as table:
        assert gunners_guess(table, state, gun, (50, 30), "gun") == 25
    with scripted(state, ("guess long", [6]), ("guess short", [1])) as table:
        assert gunners_guess(table, state, gun, (50, 38), "gun") == 30


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
        act(table, seeing, caller, ("barrage", "caller/1", "red"))
    assert caller.figures["caller/1"].ac == 2
    assert may_aim_indirect(seeing, unit, gun, (50, 40))


@pytest.mark.rule("FBN-227")
def test_a_mortar_fires_what_was_plotted_a_turn_before() -> None:
    state, unit, gun = battery("trench_mortar")
    assert ("plot", 0) in acts(state, unit) and ("gun indirect", 0) not in acts(state, unit)
    with scripted(state, ("aim at point", (50.0, 40.0)), ("guess the range", 30)) as table:
        act(table, state, unit, ("plot", 0))
    assert gun.plot == (50.0, 40.0, 30.0, 1.0) and gun.ac == 3
    assert ("plot", 0) not in acts(state, unit) and ("gun indirect", 0) not in acts(state, unit)
    state.turn = 2
    assert ("gun indirect", 0) in acts(state, unit)
    with scripted(state, ("lay", [5]), ("deviation", [6]), ("direction", [6]), ("burst", [2])) as table:
        act(table, state, unit, ("gun indirect", 0))
    assert not gun.plot


def rifles_at_the_gun(**more: Any) -> tuple[Battle, Unit, Gun, Unit]:
    """A rifleman at medium range north of the piece."""
    field_of_play, settings = more.pop("on", None), more.pop("settings", {})
    state, unit, gun = battery(team=0, **settings)
    if field_of_play is not None:
        state.field = field_of_play
    rifles = squad("rifles", "blue", 1, (50, 20), facing=180.0, **more)
    state.units["rifles"] = rifles
    state.active = "rifles"
    return state, unit, gun, rifles


@pytest.mark.rule("FBN-204")
def test_a_critical_on_a_gun_is_a_plain_hit() -> None:
    for score, wounds in ((12, 1), (3, 1), (2, 2), (1, 2)):
        state, unit, gun, rifles = rifles_at_the_gun()
        with scripted(state, ("shot", [score])) as table:
            volley_at_gun(table, state, rifles, unit, gun, list(rifles.figures.values()))
        assert gun.wounds == wounds and gun.in_play and len(unit.figures) == 2


@pytest.mark.rule("FBN-204", "FBN-067", "FBN-069", "FBN-070")
def test_a_piece_behind_a_wall_has_its_cover() -> None:
    wall = ("stone_wall", [(40.0, 12.0), (60.0, 12.0)])
    state, unit, gun, rifles = rifles_at_the_gun(on=field(lines=(wall,)))
    figure = rifles.figures["rifles/1"]
    assert gun_shot_facts(state, figure, gun, "medium").cv == 4
    with scripted(state, ("shot", [6])) as table:
        volley_at_gun(table, state, rifles, unit, gun, [figure])
    assert gun.wounds == 2
    state.put(figure, 50.0, 13.0)
    assert gun_shot_facts(state, figure, gun, "short").cv == 0, "the wall he touches shelters him alone"
    other = Gun("light_gun", 50.0, 40.0, 0.0, 180.0, 2)
    theirs = bare_unit("guns", "blue", [man("guns/1", "blue", 50, 41.5, role="crew")], guns=[other])
    assert duel_facts(state, theirs, other, gun).cv == 4


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
    state.houses["hut"] = House(4)
    assert building_facts(state, unit, gun, "hut").dark is False
    state.night = True
    assert building_facts(state, unit, gun, "hut").dark is True


@pytest.mark.rule("FBN-085", "FBN-130", "FBN-237", "FBN-204")
def test_a_shot_at_a_piece_has_the_firers_modifiers() -> None:
    state, _, gun, rifles = rifles_at_the_gun(cs=1, sniper=True, mounted=True)
    figure = rifles.figures["rifles/1"]
    figure.locations = frozenset({"chest_light"})
    facts = gun_shot_facts(state, figure, gun, "medium")
    assert (facts.ds, facts.cs, facts.sniper, facts.saddle) == (3, 0, True, True)
    assert ("red", 0) in gun_marks(state, rifles, [figure])


@pytest.mark.rule("FBN-204", "FBN-217")
def test_a_piece_under_a_burst_rolls_with_the_cover_it_stands_in() -> None:
    for ground, score, wounds in ((None, 3, 0), ("light_forest", 3, 2), ("light_forest", 5, 0)):
        state, unit, gun = battery()
        target = Gun("light_gun", 20.0, 60.0, 0.0, 180.0, 2)
        state.units["guns"] = bare_unit("guns", "blue", [man("guns/1", "blue", 30, 60, role="crew")], guns=[target])
        if ground is not None:
            state.field = field((ground, list(box(10, 50, 40, 70))))
        with scripted(state, ("burst", [score])) as table:
            burst(table, state, unit, gun, "shell", Impact(20.0, 60.0), None)
        assert target.wounds == wounds


@pytest.mark.rule("FBN-204")
def test_pieces_are_aimed_at_by_rifles_and_by_guns() -> None:
    state, unit, gun = battery(team=0)
    rifles = squad("rifles", "blue", 2, (50, 25), facing=180.0)
    state.units["rifles"] = rifles
    state.active = "rifles"
    assert ("fire at gun", "red", 0) in acts(state, rifles)
    with scripted(state, ("shot", [12]), ("shot", [2])) as table:
        act(table, state, rifles, ("fire at gun", "red", 0))
    assert gun.wounds == 1 and len(unit.figures) == 2
    other = Gun("light_gun", 50.0, 40.0, 0.0, 180.0, 2)
    state.units["guns"] = bare_unit("guns", "blue", [man("guns/1", "blue", 50, 44, role="crew")], guns=[other])
    state.active = "red"
    assert ("gun at gun", 0, "guns", 0) in acts(state, unit)
    with scripted(state, ("load", "shot"), ("gun", [11])) as table:
        act(table, state, unit, ("gun at gun", 0, "guns", 0))
    assert other.wounds == 0


# --- crews ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FBN-205")
@pytest.mark.setting("crew_ac")
def test_where_a_guns_ac_come_from() -> None:
    for setting, ac in (("fixed3", 3), ("crew_best", 2), ("crew_sum", 4)):
        state, unit, gun = battery(crew_ac=setting)
        ready_gun(state, unit, gun)
        assert gun.ac == ac
    state, unit, gun = battery(crew_ac="crew_best")
    for expected in (2, 3):
        with scripted(state, crew_ac="crew_best") as table:
            begin(table, state, unit)
            assert gun.ac == expected
            finish(table, state, unit)
        unit.unmark("activated")


@pytest.mark.rule("FBN-205")
def test_those_who_serve_do_nothing_else() -> None:
    state, unit, gun = battery()
    serve(state, unit, gun, 3)
    assert all("served" in figure.marks and figure.ac == 0 for figure in unit.figures.values())
    assert not may_fire_gun(state, unit, gun)


@pytest.mark.rule("FBN-206")
@pytest.mark.setting("min_crew")
def test_the_fewest_gunners() -> None:
    for setting, manned in ((1, True), (2, False)):
        state, unit, gun = battery(crew=1, min_crew=setting)
        assert is_manned(state, unit, gun) is manned
    assert best_cs(*battery(crew=1)[:2], battery(crew=1)[2]) == -1
    assert len(crew_of(*battery(crew=4)[:2], battery(crew=4)[2])) == 4


@pytest.mark.rule("FBN-208", "FBN-205")
def test_a_gun_turns_up_to_a_right_angle_for_an_ac() -> None:
    state, unit, gun = battery()
    ways = turns_open(state, gun)
    assert (min(ways), max(ways), 90.0 in ways, 105.0 in ways) == (15.0, 345.0, True, False)
    with scripted(state) as table:
        turn_gun(table, state, unit, gun, 90.0)
    assert (gun.bearing, gun.ac) == (90.0, 2)


@pytest.mark.rule("FBN-207", "FBN-233")
def test_who_moves_a_piece() -> None:
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


@pytest.mark.rule("FBN-207")
@pytest.mark.setting("draught_gait")
def test_a_gun_team_walks_or_takes_any_gait() -> None:
    for setting, refused in (("walk", True), ("any", False)):
        state, unit, gun = battery(draught_gait=setting)
        assert haul_refused(state, unit, gun, [], (50.0, 17.0)) is None
        assert (haul_refused(state, unit, gun, [], (50.0, 20.0)) is not None) is refused


@pytest.mark.rule("FBN-207", "FBN-205")
def test_a_move_costs_a_gun_two_ac_and_its_crew_goes_along() -> None:
    state, unit, gun = battery()
    with scripted(state) as table:
        haul(table, state, unit, gun, [], (50.0, 15.0))
    assert (gun.y, gun.ac, unit.figures["red/1"].y) == (15.0, 1, 13.5)
    assert not may_fire_gun(state, unit, gun)


# --- machine guns ----------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FBN-229", "FBN-230", "FBN-231", "FBN-263", "FBN-144")
def test_a_salvo_is_six_shots_and_pins_at_once() -> None:
    state, unit, gun = battery("machine_gun", target=squad("blue", "blue", 9, (50, 28), ds=4, weapon="none"))
    with scripted(state, ("jam", [1]), *[("shot", [2])] * 5, ("shot", [12])) as table:
        assert salvo(table, state, unit, gun, state.units["blue"]) == 1
    blue = state.units["blue"]
    assert "pinned" in blue.marks and blue.events == ("pinned",)
    assert (gun.salvos, gun.ac, len(blue.figures)) == (1, 2, 8)
    for _ in range(2):
        with scripted(state, *[("shot", [2])] * 6) as table:
            salvo(table, state, unit, gun, blue)
    assert not may_salvo(state, unit, gun)


@pytest.mark.rule("FBN-229")
@pytest.mark.setting("mg_salvo_ac")
def test_a_salvo_costs_one_ac_or_three() -> None:
    for setting, left in ((1, 2), (3, 0)):
        state, unit, gun = battery("machine_gun", mg_salvo_ac=setting)
        with scripted(state, ("jam", [1]), *[("shot", [2])] * 6, mg_salvo_ac=setting) as table:
            salvo(table, state, unit, gun, state.units["blue"])
        assert gun.ac == left


@pytest.mark.rule("FBN-232")
@pytest.mark.setting("jam_roll")
def test_a_six_jams_before_firing_or_after() -> None:
    state, unit, gun = battery("machine_gun")
    with scripted(state, ("jam", [6])) as table:
        assert salvo(table, state, unit, gun, state.units["blue"]) == 0
    assert not may_salvo(state, unit, gun) and "pinned" not in state.units["blue"].marks
    end_of_turn(state, gun)
    assert gun.jam == ""
    state, unit, gun = battery("machine_gun", jam_roll="after_firing")
    with scripted(state, *[("shot", [2])] * 6, ("jam", [6]), jam_roll="after_firing") as table:
        salvo(table, state, unit, gun, state.units["blue"])
        roll_after(table, state, unit, gun)
    end_of_turn(state, gun)
    state.turn, gun.ac = 2, 3
    assert not may_salvo(state, unit, gun)
    end_of_turn(state, gun)
    assert may_salvo(state, unit, gun)


@pytest.mark.rule("FBN-232")
@pytest.mark.setting("jam_clears")
def test_a_jam_is_over_next_turn_or_cleared_by_hand() -> None:
    for setting, stays in (("next_turn", False), ("action_1ac", True)):
        state, unit, gun = battery("machine_gun", jam_clears=setting)
        gun.jam, gun.jammed_in = "jammed", 1
        end_of_turn(state, gun)
        assert (gun.jam == "jammed") is stays
        assert may_clear(state, unit, gun) is stays
    with scripted(state, jam_clears="action_1ac") as table:
        clear_jam(table, state, unit, gun)
    assert gun.ac == 2 and gun.jam == "clear"


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
