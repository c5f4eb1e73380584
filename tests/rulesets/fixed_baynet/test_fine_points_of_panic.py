"""Interactions of panic and night (chapters 14, 15 and 20)."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.fixed_baynet.plain import battle, box, field, house, man, scripted, squad
from tests.rulesets.fixed_baynet.scenarios import shipped

from zareba.space.geometry import Point
from zareba_rulesets.fixed_baynet.actions.activation import begin_activation
from zareba_rulesets.fixed_baynet.chapters.aiming import target_figures
from zareba_rulesets.fixed_baynet.chapters.contact import foes_in_contact
from zareba_rulesets.fixed_baynet.chapters.morale import glory_event, roll_recovery
from zareba_rulesets.fixed_baynet.chapters.movement import resolve_move, way_refused
from zareba_rulesets.fixed_baynet.chapters.night import notice_terrain
from zareba_rulesets.fixed_baynet.chapters.panic import carry_out_panic
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.places import open_ground
from zareba_rulesets.fixed_baynet.forces.units import Figure, Unit
from zareba_rulesets.fixed_baynet.odds.stage import bare_unit


def panicked(
    reaction: str,
    *others: Unit,
    on: Any = None,
    script: tuple[tuple[str, Any], ...] = (),
    settings: dict[str, Any] | None = None,
    at: Point = (50, 50),
    last: int = 0,
    ac: int = 3,
    **spec: Any,
) -> tuple[Battle, Figure]:
    """Play the activation of a man in panic among these other units."""
    unit = bare_unit("red", "red", [man("red/1", "red", *at, **spec)])
    state = battle(unit, *others, on=on or field(**(settings or {})), **(settings or {}))
    figure = unit.figures["red/1"]
    figure.reaction, figure.gl, figure.since, figure.last_gait, figure.ac = reaction, 7, 1, last, ac
    with scripted(state, *script, **(settings or {})) as table:
        carry_out_panic(table, state, unit)
    return state, figure


# --- flight -----------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FBN-166", "FBN-075")
def test_who_flees_goes_the_shortest_way_round_a_crag() -> None:
    crag = field(("crag", list(box(46, 30, 60, 44))))
    _, straight = panicked("flee", on=field())
    assert straight.at == pytest.approx((50, 35))
    _, figure = panicked("flee", on=crag)
    assert figure.x < 46 and figure.y < 40, "for the near corner at once, and on"


@pytest.mark.rule("FBN-166", "FBN-169", "FBN-170", "FBN-075")
def test_riders_and_men_who_run_at_the_enemy_go_round_a_crag_too() -> None:
    crag = field(("crag", list(box(46, 30, 60, 44))))
    for reaction, mounted in (("flee", True), ("onwards", False), ("berserk", False)):
        foe = squad("blue", "blue", 1, (50, 10 if reaction != "flee" else 90), weapon="none")
        state, figure = panicked(reaction, foe, on=crag, mounted=mounted, weapon="none")
        for _ in range(1 + mounted):
            figure.ac, figure.moves = 3, 0
            with scripted(state) as table:
                carry_out_panic(table, state, state.units["red"])
        assert figure.y < 43, reaction


@pytest.mark.rule("FBN-166", "FBN-179")
@pytest.mark.setting("mount_moves_per_turn")
def test_a_rider_flees_as_often_as_he_may_ride() -> None:
    for moves, y in ((1, 53), (3, 39)):
        _, figure = panicked("flee", settings={"mount_moves_per_turn": moves}, at=(50, 60), mounted=True)
        assert (figure.y, figure.moves, figure.ac) == (y, moves, 3 - moves)


@pytest.mark.rule("FBN-050", "FBN-166", "FBN-170")
def test_riders_in_panic_do_not_ride_through_enemies() -> None:
    wall = squad("wall", "blue", 30, (50, 45), facing=0.0, weapon="none")
    _, figure = panicked("flee", wall, at=(50, 50), last=2, mounted=True)
    assert figure.y > 45
    script = (("blow", [3]), ("parry", [4]))
    state, figure = panicked(
        "onwards",
        squad("near", "blue", 9, (50, 58), "closed", 180.0),
        at=(50, 48),
        last=1,
        mounted=True,
        ac=2,
        script=script,
    )
    assert foes_in_contact(state, figure, "red") and figure.y < 58, "he stops at their front rank"


# --- berserk and onwards ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("FBN-169")
def test_berserk_ties_are_diced_for_within_a_unit_too() -> None:
    pair = bare_unit("blue", "blue", [man("blue/1", "blue", 45, 50, weapon="none"), man("blue/2", "blue", 55, 50)])
    script = (("nearest of equals", "blue/2"), ("shot", [12]))
    panicked("berserk", pair, script=script, ac=1)
    assert list(pair.figures) == ["blue/1"]


@pytest.mark.rule("FBN-169", "FBN-005", "FBN-081")
def test_berserk_range_is_from_edge_to_edge() -> None:
    for gap, shot in ((11.95, True), (12.05, False)):
        foe = squad("blue", "blue", 1, (50, 51 + gap), weapon="none")
        _, figure = panicked("berserk", foe, script=(("shot", [2]),) * shot, ac=1, weapon="pistol")
        assert (figure.y == 50) is shot


@pytest.mark.rule("FBN-169", "FBN-052")
@pytest.mark.setting("prone_untargetable")
def test_a_friend_who_lies_is_safe_from_a_berserk_man_or_not() -> None:
    for setting, struck in ((True, "blue"), (False, "friend")):
        settings = {"prone_untargetable": setting}
        friend, foe = squad("friend", "red", 1, (50, 53)), squad("blue", "blue", 1, (50, 58), weapon="none")
        friend.figures["friend/1"].mark("prone")
        state, _ = panicked("berserk", friend, foe, settings=settings, script=(("shot", [12]),), ac=1)
        assert not state.units[struck].figures


@pytest.mark.rule("FBN-164", "FBN-169", "FBN-170")
@pytest.mark.parametrize("reaction", ["onwards", "berserk"])
def test_the_log_tells_where_a_man_ran_before_what_came_of_it(reaction: str) -> None:
    """The log reports a panic move before its results, even if the man falls at its end."""
    red, foe = bare_unit("red", "red", [man("red/1", "red", 50, 50, weapon="none")]), squad("blue", "blue", 1, (50, 54))
    state, figure = battle(red, foe), red.figures["red/1"]
    figure.reaction, figure.gl, figure.since = reaction, 7, 1
    with scripted(state, ("blow", [1]), ("parry", [6])) as table:
        carry_out_panic(table, state, red)
        told = [event.kind for event in table.events]
        assert told == ["panic move", "glory event", "blow", "loss", "destroyed"], "he takes his foe in the rear"
        assert table.events[0].data["y"] == pytest.approx(53, abs=0.05)


@pytest.mark.rule("FBN-096", "FBN-169")
@pytest.mark.parametrize("fire_into_melee", [False, True])
def test_nobody_answers_a_comrade_who_runs_amok(fire_into_melee: bool) -> None:
    """Return fire is possible only in the enemy's activation."""
    friend = squad("friend", "red", 2, (50, 60), facing=180.0, leader="officer")
    script = (("nearest of equals", "friend/1"), ("shot", [11]), ("hit location", [2]))
    panicked("berserk", friend, settings={"fire_into_melee": fire_into_melee}, script=script, ac=1)
    assert [man.spent for man in friend.figures.values()] == [0, 0]


@pytest.mark.rule("FBN-170")
def test_onwards_strikes_the_nearest_and_dices_between_equals() -> None:
    pair = bare_unit("blue", "blue", [man("blue/1", "blue", 49.5, 50.88), man("blue/2", "blue", 50.5, 50.88)])
    script = (("nearest of equals", "blue/2"), ("blow", [6]), ("parry", [1]))
    panicked("onwards", pair, script=script, ac=1)
    assert list(pair.figures) == ["blue/1"]
    pair = bare_unit("blue", "blue", [man("blue/1", "blue", 50, 51.9), man("blue/2", "blue", 50.9, 50.5)])
    panicked("onwards", pair, script=(("blow", [5, 6]), ("parry", [1])), ac=1, close=True)
    assert list(pair.figures) == ["blue/1"], "both within the reach of his spear, the second nearer"


@pytest.mark.rule("FBN-170", "FBN-078")
def test_onwards_goes_for_whom_he_sees_before_others() -> None:
    """The man attacks a distant enemy in the open, not seven nearer ones behind a crag."""
    hidden = bare_unit("near", "blue", [man(f"near/{i}", "blue", 47 + i, 60) for i in range(7)])
    crag = field(("crag", list(box(40, 56, 60, 58))))
    _, figure = panicked("onwards", hidden, squad("far", "blue", 1, (80, 50)), on=crag)
    assert figure.x > 60 and figure.y == pytest.approx(50)


@pytest.mark.rule("FBN-167", "FBN-250")
def test_a_ruin_is_cover_to_go_to() -> None:
    for points, goes in ((4, False), (0, True)):
        unit = bare_unit("red", "red", [man("red/1", "red", 43, 36, weapon="none")])
        state = battle(unit, squad("blue", "blue", 1, (43, 20), weapon="none"), on=house())
        state.houses["hut"].points = points
        figure = unit.figures["red/1"]
        figure.reaction = "take_cover"
        with scripted(state) as table:
            carry_out_panic(table, state, unit)
        assert (figure.y > 40) is goes


@pytest.mark.rule("FBN-167")
def test_cover_is_looked_for_nine_inches_about_and_not_to_the_corners_of_a_square() -> None:
    foe = squad("blue", "blue", 1, (20, 20), weapon="none")
    for west, goes in ((55.5, True), (57.0, False)):
        wood = field(("light_forest", list(box(west, west, west + 5, west + 5))))
        _, figure = panicked("take_cover", foe, on=wood, weapon="none")
        assert (figure.at != (50, 50)) is goes


@pytest.mark.rule("FBN-131", "FBN-165")
def test_a_stunned_man_does_nothing_in_his_panic() -> None:
    for reaction in ("flee", "onwards", "berserk", "take_cover", "prone"):
        unit = bare_unit("red", "red", [man("red/1", "red", 50, 50, role="nco")])
        state = battle(unit, squad("blue", "blue", 1, (50, 56), weapon="none"), on=field())
        figure = unit.figures["red/1"]
        figure.reaction = reaction
        figure.mark("stunned")
        with scripted(state) as table:
            carry_out_panic(table, state, unit)
        assert figure.at == (50, 50) and figure.ac == 3


# --- night ------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FBN-239")
def test_only_men_on_foot_stumble_at_night() -> None:
    ditch = field(("trench", list(box(52, 0, 54, 100))))
    for mounted, fallen in ((False, True), (True, False)):
        unit = bare_unit("red", "red", [man("red/1", "red", 50.5, 25, mounted=mounted)])
        state = battle(unit, on=ditch)
        state.night = True
        script = [] if mounted else [("notice", [1])]
        with scripted(state, *script) as table:
            resolve_move(table, state, unit, list(unit.figures.values()), [(50.5, 20.0)])
        assert unit.figures["red/1"].prone is fallen


@pytest.mark.rule("FBN-239", "FBN-075")
def test_who_stumbles_against_a_crag_lies_before_it_and_can_go_on() -> None:
    unit = bare_unit("red", "red", [man("red/1", "red", 50.5, 25)])
    state = battle(unit, on=field(("crag", list(box(52, 0, 54, 100)))))
    figure = unit.figures["red/1"]
    with scripted(state, ("notice", [1])) as table:
        notice_terrain(table, state, unit, figure, (50.5, 20.0))
    assert figure.prone and open_ground(state, *figure.at) and 51.5 < figure.x < 52
    assert way_refused(state, figure, (figure.x - 1, figure.y)) is None
    figure.marks, start = frozenset({"prone"}), figure.at
    state.put(figure, start[0] - 0.5, start[1] + 2)
    with scripted(state) as table:  # he has found the obstacle he lies behind
        notice_terrain(table, state, unit, figure, start)


@pytest.mark.rule("FBN-133", "FBN-168", "FBN-154")
def test_who_has_fired_lying_is_a_target_until_his_next_activation_though_he_recovers() -> None:
    for locations, reaction in ((frozenset({"leg_heavy"}), "berserk"), (frozenset[str](), "prone")):
        unit = bare_unit("red", "red", [man("red/1", "red", 50, 50, role="nco")])
        state, figure = battle(unit), unit.figures["red/1"]
        figure.reaction, figure.gl, figure.since, figure.locations = reaction, 7, 1, locations
        figure.mark("prone", "shown")
        state.turn = 2
        with scripted(state, ("recovery", [6])) as table:
            roll_recovery(table, state, unit, figure)
            assert not figure.reaction and target_figures(state, "blue", unit) == [figure]
            begin_activation(table, state, unit)
        assert figure.prone and target_figures(state, "blue", unit) == []


@pytest.mark.rule("FBN-131", "FBN-168")
def test_a_stunned_man_does_not_drop_again_and_stays_a_target() -> None:
    for marks, seen in ((("prone", "shown"), False), (("prone", "shown", "stunned"), True)):
        unit = bare_unit("red", "red", [man("red/1", "red", 50, 50, weapon="none")])
        state, figure = battle(unit), unit.figures["red/1"]
        figure.reaction, figure.gl, figure.since = "prone", 7, 1
        figure.mark(*marks)
        with scripted(state) as table:
            begin_activation(table, state, unit)
        assert bool(target_figures(state, "blue", unit)) is seen


@pytest.mark.rule("FBN-158")
def test_men_who_all_panic_lose_nothing_more_and_nobody_says_so() -> None:
    unit = squad("red", "red", 2, (50, 50))
    state = battle(unit)
    for figure, told in ((None, 1), ("freeze", 0)):
        unit.events = ()
        for one in unit.figures.values():
            one.reaction = figure or ""
        with scripted(state) as table:
            glory_event(table, state, unit, "charge")
        assert len([event for event in table.events if event.kind == "glory event"]) == told


@pytest.mark.rule("FBN-133", "FBN-169")
def test_a_berserk_man_whose_leg_is_broken_lies_out_of_aim_again_when_his_activation_begins() -> None:
    unit = bare_unit("red", "red", [man("red/1", "red", 50, 50, role="nco", weapon="none")])
    state, figure = battle(unit), unit.figures["red/1"]
    figure.reaction, figure.gl, figure.since, figure.locations = "berserk", 7, 1, frozenset({"leg_heavy"})
    figure.mark("prone", "shown")
    with scripted(state) as table:
        begin_activation(table, state, unit)
    assert figure.prone and target_figures(state, "blue", unit) == []


@pytest.mark.rule("FBN-166", "FBN-011")
def test_who_flees_runs_to_the_nearest_of_several_zones() -> None:
    ground = field()
    ground.deployment = {"red": (box(0, 88, 100, 100), box(0, 0, 100, 12))}
    _, figure = panicked("flee", on=ground, at=(50, 40))
    assert figure.at == pytest.approx((50, 25))
    _, figure = panicked("flee", on=ground, at=(50, 60))
    assert figure.at == pytest.approx((50, 75))
    zones = shipped("mission_station").plan.field.deployment["zulu"]
    assert zones == (box(1, 41, 46, 48), box(12, 1, 48, 8))


@pytest.mark.rule("FBN-168", "FBN-169", "FBN-164")
def test_who_shot_lying_down_lies_again_before_a_comrade_runs_amok() -> None:
    men = [man("red/1", "red", 50, 50, weapon="rifle"), man("red/2", "red", 50, 45, weapon="none")]
    foe = squad("blue", "blue", 1, (50, 80), weapon="none")
    unit = bare_unit("red", "red", men)
    state = battle(unit, foe)
    for figure, reaction in zip(men, ("berserk", "prone"), strict=True):
        figure.reaction, figure.gl, figure.since, figure.ac = reaction, 7, 1, 1
    men[1].mark("prone", "shown")
    with scripted(state) as table:
        carry_out_panic(table, state, unit)
    assert "red/2" in unit.figures and "shown" not in men[1].marks, "there was nobody to shoot at"
