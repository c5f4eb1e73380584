"""Panic moves: riders, men in buildings, men who look for cover (chapter 15)."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.fixed_baynet.plain import battle, box, field, house, man, scripted, squad

from zareba_rulesets.fixed_baynet.chapters.contact import foes_in_contact
from zareba_rulesets.fixed_baynet.chapters.panic import carry_out_panic, charge_or_move
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.units import Figure
from zareba_rulesets.fixed_baynet.odds.stage import bare_unit

BLOWS = (("blow", [3]), ("parry", [4]), ("blow", [3]), ("parry", [4]))  # a rider adds 1 against a man on foot


def panicked(
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
    with scripted(state, *script) as table:
        carry_out_panic(table, state, unit)
    return state, figure


@pytest.mark.rule("FBN-169", "FBN-142", "FBN-176")
def test_a_berserk_rider_without_a_shot_rides_at_the_nearest_man_and_strikes() -> None:
    state, figure = panicked("berserk", (50, 57), *BLOWS, mounted=True, weapon="none")
    assert foes_in_contact(state, figure, "red") and (figure.gait, figure.moves, figure.ac) == (1, 1, 0)
    assert state.units["blue"].events == (), "at a walk nobody is ridden at"
    state, figure = panicked("berserk", (50, 61), *BLOWS, mounted=True, weapon="none", last_gait=1)
    assert foes_in_contact(state, figure, "red") and figure.gait == 2 and "charged" in figure.marks
    assert state.units["blue"].events == ("ridden at",) and state.units["red"].events == ()
    state, figure = panicked("berserk", (50, 90), mounted=True, weapon="none", last_gait=2)
    assert (figure.x, figure.y, figure.gait) == (50, 67, 3)


@pytest.mark.rule("FBN-170")
def test_onwards_on_horseback_ends_in_contact_where_a_gait_reaches() -> None:
    state, figure = panicked("onwards", (50, 61), *BLOWS, mounted=True, last_gait=1)
    assert foes_in_contact(state, figure, "red") and figure.gait == 2
    assert state.units["red"].events == (), "a panic charge is no event of glory"
    state, figure = panicked("onwards", (50, 61), mounted=True)
    assert figure.y == 57 and not foes_in_contact(state, figure, "red")


@pytest.mark.rule("FBN-166", "FBN-244")
def test_who_flees_from_a_building_goes_out_by_the_doors_and_on() -> None:
    _, figure = panicked("flee", (50, 90), on=house(rooms=2), place="hut:0:1")
    assert figure.place == "" and figure.moves == 3 and figure.y < 37
    _, figure = panicked("flee", (50, 90), on=house(heavy=True), place="hut:0:0")
    assert figure.place == "hut:0:0" and figure.moves == 0, "the only door is shut"


@pytest.mark.rule("FBN-170", "FBN-169", "FBN-275")
def test_onwards_and_berserk_in_a_building_strike_in_the_room_or_go_out() -> None:
    for reaction in ("onwards", "berserk"):
        unit = bare_unit("red", "red", [man("red/1", "red", 43, 43, weapon="none")])
        other = squad("blue", "blue", 1, (44, 43), weapon="none")
        state = battle(unit, other, on=house())
        for figure in (unit.figures["red/1"], other.figures["blue/1"]):
            figure.place = "hut:0:0"
        unit.figures["red/1"].reaction, unit.figures["red/1"].ac = reaction, 1
        with scripted(state, ("blow", [3]), ("parry", [3])) as table:
            carry_out_panic(table, state, unit)
        _, figure = panicked(reaction, (43, 30), on=house(), place="hut:0:0", weapon="none")
        assert figure.place == "" and figure.y < 40


@pytest.mark.rule("FBN-167", "FBN-067")
def test_take_cover_finds_the_far_side_of_a_wall() -> None:
    wall: list[tuple[float, float]] = [(40, 46), (60, 46)]
    _, figure = panicked("take_cover", (50, 62), on=field(lines=(("stone_wall", wall),)), weapon="none")
    assert figure.y == pytest.approx(45.4), "behind it, seen from the enemy"
    _, figure = panicked("take_cover", (50, 40), on=field(lines=(("stone_wall", wall),)), weapon="none")
    assert figure.at == (50, 50), "the wall already lies between them"
    far: list[tuple[float, float]] = [(40, 40.9), (60, 40.9)]
    _, figure = panicked("take_cover", (50, 62), on=field(lines=(("stone_wall", far),)), weapon="none")
    assert figure.at == (50, 50), "more than nine inches away"


@pytest.mark.rule("FBN-167")
def test_a_rider_takes_cover_at_a_gait_that_he_has() -> None:
    wood = field(("light_forest", list(box(45, 53, 55, 60))))
    _, figure = panicked("take_cover", (50, 80), on=wood, mounted=True, weapon="none")
    assert wood.pieces[0].holds(figure.at) and (figure.gait, figure.moves) == (1, 1)


@pytest.mark.rule("FBN-170", "FBN-270")
@pytest.mark.setting("contact_needs_charge")
def test_a_walking_horse_in_panic_makes_no_contact_where_only_a_charge_does() -> None:
    for setting, touches in ((False, True), (True, False)):
        unit = bare_unit("red", "red", [man("red/1", "red", 50, 50, mounted=True, ac=1)])
        state = battle(unit, squad("blue", "blue", 1, (50, 55), weapon="none"), contact_needs_charge=setting)
        figure = unit.figures["red/1"]
        figure.reaction, figure.gl, figure.since = "onwards", 7, 1
        with scripted(state, contact_needs_charge=setting) as table:
            carry_out_panic(table, state, unit)
        assert bool(foes_in_contact(state, figure, "red")) is touches and figure.y > 51


@pytest.mark.rule("FBN-051", "FBN-166", "FBN-167")
@pytest.mark.setting("leave_contact")
def test_men_in_panic_leave_contact_where_others_may() -> None:
    wood = field(("light_forest", list(box(45, 44, 55, 48))))
    for setting, stays in (("free", False), ("refused", True)):
        for reaction in ("flee", "take_cover"):
            unit = bare_unit("red", "red", [man("red/1", "red", 50, 50, weapon="none")])
            state = battle(unit, squad("blue", "blue", 1, (50, 51)), on=wood, leave_contact=setting)
            unit.figures["red/1"].reaction = reaction
            with scripted(state, leave_contact=setting) as table:
                carry_out_panic(table, state, unit)
            assert (unit.figures["red/1"].at == (50, 50)) is stays


@pytest.mark.rule("FBN-142", "FBN-166")
def test_a_rider_who_flees_at_a_canter_frightens_those_who_stand_in_his_way() -> None:
    for x, events in ((50.0, ("ridden at",)), (54.0, ())):
        unit = bare_unit("red", "red", [man("red/1", "red", 50, 50, mounted=True, weapon="none")])
        state = battle(unit, squad("blue", "blue", 1, (x, 30)), on=field())
        figure = unit.figures["red/1"]
        figure.reaction, figure.last_gait, figure.ac = "flee", 1, 1
        with scripted(state) as table:
            carry_out_panic(table, state, unit)
        assert figure.gait == 2 and state.units["blue"].events == events


@pytest.mark.rule("FBN-166", "FBN-170", "FBN-260")
def test_who_panics_up_a_watchtower_goes_down_the_ladder_with_all_his_ac() -> None:
    for reaction in ("flee", "onwards"):
        _, figure = panicked(reaction, (50, 90), on=house("tower", level=1), place="hut:1:0", weapon="none")
        assert (figure.place, figure.post, figure.ac) == ("", "", 0) and figure.y < 40


@pytest.mark.rule("FBN-167", "FBN-179")
@pytest.mark.setting("mount_moves_per_turn")
def test_a_rider_makes_for_cover_as_often_as_he_may_ride() -> None:
    wood = field(("light_forest", list(box(45, 58.1, 55, 64))))
    for setting, moves in ((1, 1), (3, 2)):
        unit = bare_unit("red", "red", [man("red/1", "red", 50, 50, mounted=True, weapon="none")])
        state = battle(unit, squad("blue", "blue", 1, (50, 90), weapon="none"), on=wood, mount_moves_per_turn=setting)
        unit.figures["red/1"].reaction = "take_cover"
        with scripted(state, mount_moves_per_turn=setting) as table:
            carry_out_panic(table, state, unit)
        assert unit.figures["red/1"].moves == moves


@pytest.mark.rule("FBN-166", "FBN-170", "FBN-050")
def test_men_in_panic_go_round_whoever_stands_in_their_way() -> None:
    _, figure = panicked("flee", (50, 48.9))
    assert figure.y < 40.1 and figure.moves == 3, "past the enemy who bars the straight way home"
    _, figure = panicked("flee", (50, 48.2), mounted=True, last_gait=1)
    assert figure.y < 48.2 and figure.gait == 2
    for mounted in (False, True):
        unit = bare_unit("red", "red", [man("red/1", "red", 50, 50, mounted=mounted)])
        radius = 0.75 if mounted else 0.5
        friend = bare_unit("other", "red", [man("other/1", "red", 50, 51.05 + radius, weapon="none", ac=0)])
        enemy = squad("blue", "blue", 1, (50, 53.15 + 2 * radius), weapon="none")
        state = battle(unit, friend, enemy)
        unit.figures["red/1"].reaction, unit.figures["red/1"].gl, unit.figures["red/1"].ac = "onwards", 7, 1
        with scripted(state) as table:
            carry_out_panic(table, state, unit)
        assert unit.figures["red/1"].moves == 1, "a comrade stands between him and the enemy"


@pytest.mark.rule("FBN-050", "FBN-170")
def test_who_is_hemmed_in_does_not_get_nearer_and_says_so() -> None:
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
