"""Artillery: direct and indirect fire, bursts, deviation (chapter 18)."""

from __future__ import annotations

from fractions import Fraction as F

import pytest
from tests.rulesets.fixed_baynet.plain import (
    acts,
    ask,
    battery,
    battle,
    book,
    box,
    field,
    man,
    rules_with,
    scripted,
    squad,
)

from zareba.table import ScriptedTable
from zareba_rulesets.fixed_baynet.actions.activation import perform_action
from zareba_rulesets.fixed_baynet.actions.gunnery import gunners_guess, plot_points
from zareba_rulesets.fixed_baynet.chapters.aiming import fire_targets
from zareba_rulesets.fixed_baynet.chapters.artillery import (
    Impact,
    ammunition_of,
    direct_targets,
    fire_direct,
    fire_modes,
    guess_limits,
    gun_damage,
    land_indirect,
    may_aim_indirect,
    resolve_burst,
    rolls_per_man,
)
from zareba_rulesets.fixed_baynet.chapters.machine_guns import (
    fire_piece_at_gun,
    salvo_targets,
)
from zareba_rulesets.fixed_baynet.forces.units import Gun
from zareba_rulesets.fixed_baynet.odds.stage import bare_unit
from zareba_rulesets.fixed_baynet.presentation.words import event_sentence


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
        state, unit, gun = battery("trench_mortar", mortar_max_range=value)
        assert guess_limits(state, unit, gun) == (12, value)


@pytest.mark.rule("FBN-210", "FBN-228")
@pytest.mark.setting("howitzer_fire")
def test_how_pieces_fire() -> None:
    expected = {"both": {"direct", "indirect"}, "indirect": {"indirect"}, "direct": {"direct"}}
    for value, ways in expected.items():
        state, _, gun = battery("light_howitzer", howitzer_fire=value)
        assert fire_modes(state, gun) == ways
        assert fire_modes(state, Gun("light_gun", 0, 0, 0, 0, 2)) == {"direct"}
        assert fire_modes(state, Gun("trench_mortar", 0, 0, 0, 0, 2)) == {"indirect"}


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
        perform_action(table, state, unit, ("gun fire", 0, "blue"))
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
        resolve_burst(table, state, unit, gun, "shell", Impact(50, 40), None)
    assert len(state.units["blue"].figures) == 9
    state, unit, gun = battery(blast_hits="auto")
    with scripted(state, blast_hits="auto") as table:
        resolve_burst(table, state, unit, gun, "shell", Impact(50, 40), None)
    assert not state.units["blue"].figures


@pytest.mark.rule("FBN-094", "FBN-217")
def test_a_burst_takes_friends_too_and_counts_as_being_shot_at() -> None:
    friend = squad("friend", "red", 1, (50, 42))
    state, unit, gun = battery(target=squad("blue", "blue", 1, (50, 41), weapon="none"))
    state.units["friend"] = friend
    with scripted(state, ("burst", [12]), ("burst", [12])) as table:
        resolve_burst(table, state, unit, gun, "shell", Impact(50, 41), None)
    assert not friend.figures and not state.units["blue"].figures
    assert state.units["blue"].shot_turn == friend.shot_turn == 1


@pytest.mark.rule("FBN-218")
def test_a_stray_ball_may_catch_the_nearest_man() -> None:
    target = bare_unit("blue", "blue", [man("blue/1", "blue", 49, 40), man("blue/2", "blue", 51, 40)])
    state, unit, gun = battery(target=target)
    with scripted(state, ("nearest of equals", "blue/2"), ("burst", [12])) as table:
        resolve_burst(table, state, unit, gun, "shot", Impact(50, 40), None)
    assert list(target.figures) == ["blue/1"]
    with scripted(state) as table:
        resolve_burst(table, state, unit, gun, "shot", Impact(60, 40), None)


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


@pytest.mark.rule("FBN-225")
def test_the_gunners_guess() -> None:
    state, unit, gun = battery("light_howitzer")
    with scripted(state, ("guess long", [6]), ("guess short", [1])) as table:
        assert gunners_guess(table, state, unit, gun, (50, 30), "gun") == 25
    with scripted(state, ("guess long", [6]), ("guess short", [1])) as table:
        assert gunners_guess(table, state, unit, gun, (50, 38), "gun") == 30


@pytest.mark.rule("FBN-131", "FBN-224")
def test_a_stunned_gunner_observes_nothing() -> None:
    """A stunned or panicking gunner cannot observe, but a companion at the gun can."""
    for crew, sees in ((1, False), (2, True)):
        for stricken in ("stunned", "frozen"):
            state, unit, gun = battery("light_howitzer", crew=crew)
            first = unit.figures["red/1"]
            assert may_aim_indirect(state, unit, gun, (50.0, 38.0))
            if stricken == "stunned":
                first.mark("stunned")
            else:
                first.reaction = "freeze"
            assert may_aim_indirect(state, unit, gun, (50.0, 38.0)) is sees


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


@pytest.mark.rule("FBN-037")
def test_nobody_hears_of_a_hidden_battery_that_is_called() -> None:
    state, unit, _ = battery("light_howitzer")
    caller = squad("caller", "red", 1, (50, 30))
    seeing = battle(unit, state.units["blue"], caller)
    unit.mark("hidden")
    seeing.active = "caller"
    with scripted(seeing) as table:
        perform_action(table, seeing, caller, ("barrage", "caller/1", "red"))
    called = next(event for event in table.events if event.kind == "barrage")
    assert "red" not in called.data.values()
    assert event_sentence(str, called) == "caller called for a barrage by guns out of sight"


@pytest.mark.rule("FBN-227")
def test_a_mortar_fires_what_was_plotted_a_turn_before() -> None:
    state, unit, gun = battery("trench_mortar")
    assert ("plot", 0) in acts(state, unit) and ("gun indirect", 0) not in acts(state, unit)
    with scripted(state, ("aim at point", (50.0, 40.0)), ("guess the range", 30)) as table:
        perform_action(table, state, unit, ("plot", 0))
    assert gun.plot == (50.0, 40.0, 30.0, 1.0) and gun.ac == 3
    assert ("plot", 0) not in acts(state, unit) and ("gun indirect", 0) not in acts(state, unit)
    state.turn = 2
    assert ("gun indirect", 0) in acts(state, unit)
    with scripted(state, ("lay", [5]), ("deviation", [6]), ("direction", [6]), ("burst", [2])) as table:
        perform_action(table, state, unit, ("gun indirect", 0))
    assert not gun.plot


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


@pytest.mark.rule("FBN-217", "FBN-216", "FBN-204")
def test_a_piece_that_fires_point_blank_stands_under_its_own_burst() -> None:
    foe = squad("blue", "blue", 1, (50, 11.8), ds=4)
    state, unit, gun = battery("light_gun", crew=1, target=foe)
    with scripted(state, ("gun", [11]), ("burst", [11])) as table:
        fire_direct(table, state, unit, gun, foe, foe.figures["blue/1"], "shell")
    assert gun.wounds == 0 and "blue" in state.gone


@pytest.mark.rule("FBN-222", "FBN-224", "FBN-227")
@pytest.mark.parametrize("kind", ["light_howitzer", "trench_mortar"])
def test_a_unit_whose_middle_is_out_of_sight_is_aimed_at_by_a_man_who_is_seen(kind: str) -> None:
    wall = field(("crag", list(box(44, 25, 52, 27))))
    for places, points in (((46, 48, 50), []), ((46, 48, 50, 56), [(56, 35)])):
        men = [man(f"blue/{x}", "blue", x, 35) for x in places]
        _, unit, gun = battery(kind)
        state = battle(unit, bare_unit("blue", "blue", men), on=wall)
        state.active = "red"
        order = "plot" if kind == "trench_mortar" else "gun indirect"
        assert ((order, 0) in acts(state, unit)) is bool(points)
        assert plot_points(state, unit, gun) == points
