"""Panic and its reactions (chapter 15)."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.fixed_baynet.plain import battle, box, field, fighters, house, man, run, scripted, squad
from tests.rulesets.fixed_baynet.scenarios import shipped

from zareba.space.geometry import Point, is_inside
from zareba_rulesets.fixed_baynet.actions.activation import begin_activation
from zareba_rulesets.fixed_baynet.chapters.contact import foes_in_contact
from zareba_rulesets.fixed_baynet.chapters.melee import can_strike, strikers
from zareba_rulesets.fixed_baynet.chapters.panic import act_in_panic, carry_out_panic, charge_or_move
from zareba_rulesets.fixed_baynet.chapters.targets import target_figures
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.units import Figure, Unit
from zareba_rulesets.fixed_baynet.odds.stage import bare_unit


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


@pytest.mark.rule("FBN-164")
def test_panicking_men_act_before_the_others_nearest_to_the_enemy_first() -> None:
    unit = bare_unit(
        "red", "red", [man("red/1", "red", 50, 50), man("red/2", "red", 52, 53), man("red/3", "red", 54, 50)]
    )
    foe = squad("blue", "blue", 1, (52, 64), weapon="none", facing=180.0)
    state = battle(unit, foe, on=field())
    for key in ("red/1", "red/2"):
        unit.figures[key].reaction = "onwards"
    misses = [("blow", [3]), ("parry", [3])] * 3
    with scripted(state, *misses) as table:
        begin_activation(table, state, unit)
        order = [event.data["figure"] for event in table.events if event.kind == "blow"]
    assert order == ["red/2", "red/2", "red/1"]
    assert unit.figures["red/3"].at == (54, 50)


@pytest.mark.rule("FBN-165", "FBN-167", "FBN-168", "FBN-268")
def test_men_who_may_not_strike() -> None:
    state, red, _ = fighters()
    figure = red.figures["red/1"]
    assert strikers(state, red) == [figure]
    for reaction in ("freeze", "flee", "prone", "take_cover"):
        figure.reaction = reaction
        assert not can_strike(state, figure)
    figure.reaction, figure.ac = "", 0
    assert not can_strike(state, figure)


@pytest.mark.rule("FBN-131", "FBN-165")
def test_a_stunned_man_does_nothing_in_his_panic() -> None:
    for reaction in ("flee", "onwards", "berserk", "take_cover", "prone"):
        unit = bare_unit("red", "red", [man("red/1", "red", 50, 50, role="nco")])
        state = battle(unit, squad("blue", "blue", 1, (50, 56), weapon="none"), on=field())
        figure = unit.figures["red/1"]
        figure.reaction = reaction
        figure.mark("stunned")
        run(carry_out_panic, state, unit)
        assert figure.at == (50, 50) and figure.ac == 3


def panicked(
    reaction: str,
    at: tuple[float, float] = (50, 50),
    foe: tuple[float, float] = (50, 62),
    on: Any = None,
    *script: tuple[str, Any],
    settings: dict[str, Any] | None = None,
    **spec: Any,
) -> tuple[Battle, Unit, Unit]:
    """Play the activation of a man in panic."""
    unit = bare_unit("red", "red", [man("red/1", "red", *at, **spec)])
    other = squad("blue", "blue", 1, foe, facing=180.0, weapon="none")
    state = battle(unit, other, on=on or field(), **(settings or {}))
    figure = unit.figures["red/1"]
    figure.reaction, figure.gl, figure.since = reaction, 7, 1
    run(carry_out_panic, state, unit, script=script, **settings or {})
    return state, unit, other


@pytest.mark.rule("FBN-165")
def test_freeze() -> None:
    _, unit, _ = panicked("freeze")
    assert (unit.figures["red/1"].at, unit.figures["red/1"].ac) == ((50, 50), 3)


def panicked_among(
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
    run(carry_out_panic, state, unit, script=script, **settings or {})
    return state, figure


@pytest.mark.rule("FBN-166", "FBN-075")
def test_fleeing_man_takes_the_shortest_path_round_a_crag() -> None:
    crag = field(("crag", list(box(46, 30, 60, 44))))
    _, straight = panicked_among("flee", on=field())
    assert straight.at == pytest.approx((50, 35))
    _, figure = panicked_among("flee", on=crag)
    assert figure.x < 46 and figure.y < 40, "for the near corner at once, and on"


@pytest.mark.rule("FBN-166", "FBN-011")
def test_fleeing_man_runs_to_the_nearest_zone() -> None:
    ground = field()
    ground.deployment = {"red": (box(0, 88, 100, 100), box(0, 0, 100, 12))}
    _, figure = panicked_among("flee", on=ground, at=(50, 40))
    assert figure.at == pytest.approx((50, 25))
    _, figure = panicked_among("flee", on=ground, at=(50, 60))
    assert figure.at == pytest.approx((50, 75))
    zones = shipped("mission_station").plan.field.deployment["zulu"]
    assert zones == (box(1, 41, 46, 48), box(12, 1, 48, 8))


@pytest.mark.rule("FBN-166")
def test_flee_runs_to_the_deployment_area_and_stays() -> None:
    state, unit, _ = panicked("flee", at=(50, 40))
    assert unit.figures["red/1"].at == (50, 25)
    state, unit, _ = panicked("flee", at=(50, 14))
    assert is_inside(unit.figures["red/1"].at, state.field.deployment["red"][0])
    before = unit.figures["red/1"].at
    unit.figures["red/1"].ac = 3
    run(act_in_panic, state, unit, unit.figures["red/1"])
    assert unit.figures["red/1"].at == before
    _, rider, _ = panicked("flee", at=(50, 60), foe=(50, 90), mounted=True)
    assert rider.figures["red/1"].gait == 1 and rider.figures["red/1"].y == 53


@pytest.mark.rule("FBN-166")
def test_man_who_fled_to_his_zone_stays_there() -> None:
    unit = bare_unit("red", "red", [man("red/1", "red", 50, 6)])
    state = battle(unit, on=field())
    unit.figures["red/1"].reaction = "flee"
    run(carry_out_panic, state, unit)
    assert unit.figures["red/1"].at == (50, 6)


def panicked_near(
    reaction: str,
    foe: tuple[float, float],
    *script: tuple[str, Any],
    on: Any = None,
    place: str = "",
    last_gait: int = 0,
    **spec: Any,
) -> tuple[Battle, Figure]:
    """Play the activation of a man in panic at (50, 50), or in a section. No enemy weapon reaches him."""
    unit = bare_unit("red", "red", [man("red/1", "red", 50, 50, **spec)])
    state = battle(unit, squad("blue", "blue", 1, foe, facing=180.0, weapon="none"), on=on or field())
    figure = unit.figures["red/1"]
    figure.reaction, figure.gl, figure.since, figure.last_gait = reaction, 7, 1, last_gait
    if place:
        figure.place = place
        state.put(figure, 43.0, 43.0)
        unit.measure()
    run(carry_out_panic, state, unit, script=script)
    return state, figure


@pytest.mark.rule("FBN-166", "FBN-244")
def test_fleeing_man_leaves_a_building_by_its_doors() -> None:
    _, figure = panicked_near("flee", (50, 90), on=house(rooms=2), place="hut:0:1")
    assert figure.place == "" and figure.moves == 3 and figure.y < 37
    _, figure = panicked_near("flee", (50, 90), on=house(heavy=True), place="hut:0:0")
    assert figure.place == "hut:0:0" and figure.moves == 0, "the only door is shut"


@pytest.mark.rule("FBN-051", "FBN-166", "FBN-167")
@pytest.mark.setting("leave_contact")
def test_men_in_panic_leave_contact_where_others_may() -> None:
    wood = field(("light_forest", list(box(45, 44, 55, 48))))
    for setting, stays in (("free", False), ("refused", True)):
        for reaction in ("flee", "take_cover"):
            unit = bare_unit("red", "red", [man("red/1", "red", 50, 50, weapon="none")])
            state = battle(unit, squad("blue", "blue", 1, (50, 51)), on=wood, leave_contact=setting)
            unit.figures["red/1"].reaction = reaction
            run(carry_out_panic, state, unit, leave_contact=setting)
            assert (unit.figures["red/1"].at == (50, 50)) is stays


@pytest.mark.rule("FBN-166", "FBN-170", "FBN-260")
def test_panicking_man_on_a_watchtower_descends_with_all_his_ac() -> None:
    for reaction in ("flee", "onwards"):
        _, figure = panicked_near(reaction, (50, 90), on=house("tower", level=1), place="hut:1:0", weapon="none")
        assert (figure.place, figure.post, figure.ac) == ("", "", 0) and figure.y < 40


@pytest.mark.rule("FBN-166", "FBN-170", "FBN-050")
def test_men_in_panic_go_round_whoever_stands_in_their_way() -> None:
    _, figure = panicked_near("flee", (50, 48.9))
    assert figure.y < 40.1 and figure.moves == 3, "past the enemy who bars the straight way home"
    _, figure = panicked_near("flee", (50, 48.2), mounted=True, last_gait=1)
    assert figure.y < 48.2 and figure.gait == 2
    for mounted in (False, True):
        unit = bare_unit("red", "red", [man("red/1", "red", 50, 50, mounted=mounted)])
        radius = 0.75 if mounted else 0.5
        friend = bare_unit("other", "red", [man("other/1", "red", 50, 51.05 + radius, weapon="none", ac=0)])
        enemy = squad("blue", "blue", 1, (50, 53.15 + 2 * radius), weapon="none")
        state = battle(unit, friend, enemy)
        unit.figures["red/1"].reaction, unit.figures["red/1"].gl, unit.figures["red/1"].ac = "onwards", 7, 1
        run(carry_out_panic, state, unit)
        assert unit.figures["red/1"].moves == 1, "a comrade stands between him and the enemy"


@pytest.mark.rule("FBN-167", "FBN-250")
def test_a_ruin_is_cover_to_go_to() -> None:
    for points, goes in ((4, False), (0, True)):
        unit = bare_unit("red", "red", [man("red/1", "red", 43, 36, weapon="none")])
        state = battle(unit, squad("blue", "blue", 1, (43, 20), weapon="none"), on=house())
        state.houses["hut"].points = points
        figure = unit.figures["red/1"]
        figure.reaction = "take_cover"
        run(carry_out_panic, state, unit)
        assert (figure.y > 40) is goes


@pytest.mark.rule("FBN-167")
def test_cover_is_looked_for_nine_inches_about_and_not_to_the_corners_of_a_square() -> None:
    foe = squad("blue", "blue", 1, (20, 20), weapon="none")
    for west, goes in ((55.5, True), (57.0, False)):
        wood = field(("light_forest", list(box(west, west, west + 5, west + 5))))
        _, figure = panicked_among("take_cover", foe, on=wood, weapon="none")
        assert (figure.at != (50, 50)) is goes


@pytest.mark.rule("FBN-167")
def test_take_cover_goes_to_free_cover_near_and_shoots() -> None:
    wood = field(("light_forest", list(box(48, 53, 52, 56))))
    _, unit, _ = panicked(
        "take_cover", (50, 50), (50, 62), wood, ("aim at", "blue/1"), ("shot", [2]), ("aim at", "hold fire")
    )
    assert wood.pieces[0].holds(unit.figures["red/1"].at)
    _, unit, _ = panicked("take_cover", (50, 50), (50, 55), wood, ("aim at", "hold fire"))
    assert unit.figures["red/1"].at == (50, 50)
    far = field(("light_forest", list(box(48, 70, 52, 75))))
    _state, unit, _ = panicked("take_cover", (50, 50), (50, 62), far, ("aim at", "hold fire"))
    assert unit.figures["red/1"].at == (50, 50)


@pytest.mark.rule("FBN-167", "FBN-067")
def test_take_cover_finds_the_far_side_of_a_wall() -> None:
    wall: list[tuple[float, float]] = [(40, 46), (60, 46)]
    _, figure = panicked_near("take_cover", (50, 62), on=field(lines=(("stone_wall", wall),)), weapon="none")
    assert figure.y == pytest.approx(45.4), "behind it, seen from the enemy"
    _, figure = panicked_near("take_cover", (50, 40), on=field(lines=(("stone_wall", wall),)), weapon="none")
    assert figure.at == (50, 50), "the wall already lies between them"
    far: list[tuple[float, float]] = [(40, 40.9), (60, 40.9)]
    _, figure = panicked_near("take_cover", (50, 62), on=field(lines=(("stone_wall", far),)), weapon="none")
    assert figure.at == (50, 50), "more than nine inches away"


@pytest.mark.rule("FBN-167", "FBN-179")
@pytest.mark.setting("mount_moves_per_turn")
def test_a_rider_makes_for_cover_as_often_as_he_may_ride() -> None:
    wood = field(("light_forest", list(box(45, 58.1, 55, 64))))
    for setting, moves in ((1, 1), (3, 2)):
        unit = bare_unit("red", "red", [man("red/1", "red", 50, 50, mounted=True, weapon="none")])
        state = battle(unit, squad("blue", "blue", 1, (50, 90), weapon="none"), on=wood, mount_moves_per_turn=setting)
        unit.figures["red/1"].reaction = "take_cover"
        run(carry_out_panic, state, unit, mount_moves_per_turn=setting)
        assert unit.figures["red/1"].moves == moves


@pytest.mark.rule("FBN-142", "FBN-166")
@pytest.mark.parametrize(("x", "events"), [(50.0, ("ridden at",)), (54.0, ())])
def test_a_rider_who_flees_frightens_those_in_his_way(x: float, events: tuple[str, ...]) -> None:
    unit = bare_unit("red", "red", [man("red/1", "red", 50, 50, mounted=True, weapon="none")])
    state = battle(unit, squad("blue", "blue", 1, (x, 30)), on=field())
    figure = unit.figures["red/1"]
    figure.reaction, figure.last_gait, figure.ac = "flee", 1, 1
    run(carry_out_panic, state, unit)
    assert figure.gait == 2 and state.units["blue"].events == events


@pytest.mark.rule("FBN-131", "FBN-168")
def test_a_stunned_man_does_not_drop_again_and_stays_a_target() -> None:
    for marks, seen in ((("prone", "shown"), False), (("prone", "shown", "stunned"), True)):
        unit = bare_unit("red", "red", [man("red/1", "red", 50, 50, weapon="none")])
        state, figure = battle(unit), unit.figures["red/1"]
        figure.reaction, figure.gl, figure.since = "prone", 7, 1
        figure.mark(*marks)
        run(begin_activation, state, unit)
        assert bool(target_figures(state, "blue", unit)) is seen


@pytest.mark.rule("FBN-168", "FBN-133")
def test_prone_panic_returns_at_the_next_activation() -> None:
    unit = squad("red", "red", 2, weapon="none")
    state = battle(unit)
    figure: Figure = unit.figures["red/1"]
    figure.reaction = "prone"
    figure.mark("prone", "shown")
    run(carry_out_panic, state, unit)
    assert "prone" in figure.marks and "shown" not in figure.marks


@pytest.mark.rule("FBN-168")
def test_prone_only_shoots_and_drops_again() -> None:
    _, unit, _ = panicked(
        "prone", (50, 50), (50, 62), None, ("aim at", "blue/1"), ("shot", [2]), ("aim at", "hold fire")
    )
    figure = unit.figures["red/1"]
    assert figure.marks >= {"prone", "shown"} and figure.ac == 2 and figure.at == (50, 50)


@pytest.mark.rule("FBN-096", "FBN-169")
@pytest.mark.parametrize("fire_into_melee", [False, True])
def test_comrades_do_not_return_fire_at_a_berserk_man(fire_into_melee: bool) -> None:
    """Return fire is possible only in the enemy's activation."""
    friend = squad("friend", "red", 2, (50, 60), facing=180.0, leader="officer")
    script = (("nearest of equals", "friend/1"), ("shot", [11]), ("hit location", [2]))
    panicked_among("berserk", friend, settings={"fire_into_melee": fire_into_melee}, script=script, ac=1)
    assert [man.spent for man in friend.figures.values()] == [0, 0]


@pytest.mark.rule("FBN-133", "FBN-169")
def test_a_berserk_man_whose_leg_is_broken_lies_out_of_aim_again_when_his_activation_begins() -> None:
    unit = bare_unit("red", "red", [man("red/1", "red", 50, 50, role="nco", weapon="none")])
    state, figure = battle(unit), unit.figures["red/1"]
    figure.reaction, figure.gl, figure.since, figure.locations = "berserk", 7, 1, frozenset({"leg_heavy"})
    figure.mark("prone", "shown")
    run(begin_activation, state, unit)
    assert figure.prone and target_figures(state, "blue", unit) == []


@pytest.mark.rule("FBN-169")
@pytest.mark.setting("berserk_targets")
def test_berserk_shoots_at_the_nearest_friend_or_foe() -> None:
    for setting, hit in (("anyone", "friend"), ("enemy", "blue")):
        unit = bare_unit("red", "red", [man("red/1", "red", 50, 50)])
        friend, foe = squad("friend", "red", 1, (50, 55)), squad("blue", "blue", 1, (50, 60), weapon="none")
        state = battle(unit, friend, foe, on=field(), berserk_targets=setting)
        unit.figures["red/1"].reaction, unit.figures["red/1"].ac = "berserk", 1
        run(carry_out_panic, state, unit, script=[("shot", [12])], berserk_targets=setting)
        assert not state.units[hit].figures


@pytest.mark.rule("FBN-169")
def test_berserk_ties_are_diced_for_and_without_a_shot_he_strikes() -> None:
    unit = bare_unit("red", "red", [man("red/1", "red", 50, 50)])
    left, right = squad("left", "blue", 1, (45, 50), weapon="none"), squad("right", "blue", 1, (55, 50), weapon="none")
    state = battle(unit, left, right, on=field())
    unit.figures["red/1"].reaction, unit.figures["red/1"].ac = "berserk", 1
    run(carry_out_panic, state, unit, script=[("nearest of equals", "right/1"), ("shot", [12])])
    assert left.figures and not right.figures
    _, unit, other = panicked(
        "berserk", (50, 50), (50, 54), None, ("blow", [3]), ("parry", [3]), ("blow", [6]), ("parry", [1]), weapon="none"
    )
    assert not other.figures and unit.figures["red/1"].y > 52


BLOWS = (("blow", [3]), ("parry", [4]), ("blow", [3]), ("parry", [4]))  # a rider adds 1 against a man on foot


@pytest.mark.rule("FBN-169", "FBN-142", "FBN-176")
def test_a_berserk_rider_without_a_shot_rides_at_the_nearest_man_and_strikes() -> None:
    state, figure = panicked_near("berserk", (50, 57), *BLOWS, mounted=True, weapon="none")
    assert foes_in_contact(state, figure, "red") and (figure.gait, figure.moves, figure.ac) == (1, 1, 0)
    assert state.units["blue"].events == (), "at a walk nobody is ridden at"
    state, figure = panicked_near("berserk", (50, 61), *BLOWS, mounted=True, weapon="none", last_gait=1)
    assert foes_in_contact(state, figure, "red") and figure.gait == 2 and "charged" in figure.marks
    assert state.units["blue"].events == ("ridden at",) and state.units["red"].events == ()
    state, figure = panicked_near("berserk", (50, 90), mounted=True, weapon="none", last_gait=2)
    assert (figure.x, figure.y, figure.gait) == (50, 67, 3)


@pytest.mark.rule("FBN-170", "FBN-169", "FBN-275")
def test_onwards_and_berserk_in_a_building_strike_in_the_room_or_go_out() -> None:
    for reaction in ("onwards", "berserk"):
        unit = bare_unit("red", "red", [man("red/1", "red", 43, 43, weapon="none")])
        other = squad("blue", "blue", 1, (44, 43), weapon="none")
        state = battle(unit, other, on=house())
        for figure in (unit.figures["red/1"], other.figures["blue/1"]):
            figure.place = "hut:0:0"
        unit.figures["red/1"].reaction, unit.figures["red/1"].ac = reaction, 1
        run(carry_out_panic, state, unit, script=[("blow", [3]), ("parry", [3])])
        _, figure = panicked_near(reaction, (43, 30), on=house(), place="hut:0:0", weapon="none")
        assert figure.place == "" and figure.y < 40


@pytest.mark.rule("FBN-170")
def test_onwards_on_horseback_ends_in_contact_where_a_gait_reaches() -> None:
    state, figure = panicked_near("onwards", (50, 61), *BLOWS, mounted=True, last_gait=1)
    assert foes_in_contact(state, figure, "red") and figure.gait == 2
    assert state.units["red"].events == (), "a panic charge is no event of glory"
    state, figure = panicked_near("onwards", (50, 61), mounted=True)
    assert figure.y == 57 and not foes_in_contact(state, figure, "red")


@pytest.mark.rule("FBN-050", "FBN-170")
def test_surrounded_man_does_not_advance_and_keeps_his_ac() -> None:
    walls = [
        ("crag", list(box(*edges)))
        for edges in ((48, 50.3, 52, 52), (48, 48, 52, 49.7), (48, 48, 49.7, 52), (50.3, 48, 52, 52))
    ]
    for rocks, nearer in (([], True), (walls, False)):
        red = bare_unit("red", "red", [man("red/1", "red", 50, 50)])
        blue = squad("blue", "blue", 1, (50, 70), facing=180.0)
        state, figure = battle(red, blue, on=field(*rocks)), red.figures["red/1"]
        assert charge_or_move(state, red, figure, list(blue.figures.values())) is nearer
        assert (figure.ac < 3) is nearer
