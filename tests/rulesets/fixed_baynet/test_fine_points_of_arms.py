"""Interactions of fire, close combat and mounts: facing, cover by others, prisoners."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import pytest
from tests.rulesets.fixed_baynet.plain import acts, battle, book, box, field, house, man, scripted, squad

from zareba.space.field.pieces import TerrainPiece
from zareba_rulesets.fixed_baynet.actions.activation import end_activation, perform_action
from zareba_rulesets.fixed_baynet.chapters.aiming import fire_targets
from zareba_rulesets.fixed_baynet.chapters.fire import fire_volley, fire_with_man
from zareba_rulesets.fixed_baynet.chapters.melee import fight_facts, strike_blow
from zareba_rulesets.fixed_baynet.chapters.sight import cover_value
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.units import Unit
from zareba_rulesets.fixed_baynet.ground import Field
from zareba_rulesets.fixed_baynet.odds.stage import bare_unit

# --- fire -----------------------------------------------------------------------------------------------------------------


def shoot_once(state: Battle, unit: Unit, target: Unit, **settings: Any) -> None:
    with scripted(state, ("shot", [2]), **settings) as table:
        assert fire_volley(table, state, unit, target) == 1


@pytest.mark.rule("FBN-049", "FBN-063", "FBN-175")
@pytest.mark.parametrize(
    ("last", "gait", "free"), [(0, 0, True), (0, 1, True), (3, 1, True), (1, 0, False), (1, 2, False), (3, 3, False)]
)
def test_a_horse_turns_for_nothing_at_a_halt_or_a_walk_alone(last: int, gait: int, free: bool) -> None:
    """A rider who has cantered, or may still canter this turn, fires within his arc and his horse keeps its facing."""
    for behind in (True, False):
        rider = bare_unit("red", "red", [man("red/1", "red", 50, 50, mounted=True)])
        foe = squad("blue", "blue", 1, (58, 44 if behind else 56), weapon="none")
        state = battle(rider, foe)
        figure = rider.figures["red/1"]
        figure.last_gait, figure.gait = last, gait
        assert bool(list(fire_targets(state, rider))) is (free or not behind)
        if free or not behind:
            shoot_once(state, rider, foe)
            assert (figure.facing != 0) is free
    state = battle(rider, squad("blue", "blue", 1, (58, 44)), foot_fire_arc=360)
    assert list(fire_targets(state, rider)), "with an arc all round he fires backwards"


@pytest.mark.rule("FBN-093")
@pytest.mark.setting("leaders_targetable")
def test_with_nearest_only_the_nearest_of_a_squad_can_be_picked_and_equals_all_alike() -> None:
    for setting, picks in ((True, {"blue/1", "blue/2", "blue/3"}), ("nearest", {"blue/1", "blue/2"})):
        men = [man("blue/1", "blue", 48, 60, role="nco"), man("blue/2", "blue", 52, 60), man("blue/3", "blue", 50, 63)]
        for pick in ("blue/1", "blue/2", "blue/3"):
            red = squad("red", "red", 1, (50, 50))
            state = battle(red, bare_unit("blue", "blue", men), leaders_targetable=setting)
            allowed = nullcontext() if pick in picks else pytest.raises(AssertionError, match=pick)
            script = (("aim at", pick), ("shot", [2]))
            with allowed, scripted(state, *script, leaders_targetable=setting) as table:
                fire_with_man(table, state, red, red.figures["red/1"])


@pytest.mark.rule("FBN-038")
@pytest.mark.setting("target_order_ac")
def test_who_has_named_a_target_may_go_on_at_it_with_his_last_ac() -> None:
    """A man with 3 AC shoots and pays for a target order. His last AC allows a shot at the same target only."""
    for setting, offered in ((1, {("fire", "blue")}), (0, {("fire", "blue"), ("fire", "far")})):
        red, blue = squad("red", "red", 1, (50, 50)), squad("blue", "blue", 1, (50, 60), weapon="none")
        far = squad("far", "blue", 1, (60, 60), weapon="none")
        state = battle(red, blue, far, target_order_ac=setting)
        state.active = "red"
        figure = red.figures["red/1"]
        with scripted(state, ("shot", [2]), target_order_ac=setting) as table:
            perform_action(table, state, red, ("fire", "blue"))
        assert figure.ac == 2 - setting
        assert {act for act in acts(state, red) if isinstance(act, tuple) and act[0] == "fire"} == offered
        script = [("what he does", "fire"), ("aim at", "blue/1"), ("shot", [2])]
        with scripted(state, *script, target_order_ac=setting) as table:
            perform_action(table, state, red, "one man")
        assert figure.ac == 1 - setting


@pytest.mark.rule("FBN-192", "FBN-099")
@pytest.mark.setting("thrown_spear_lost")
def test_a_spear_thrown_in_answer_at_a_wall_or_at_a_gun_may_be_gone_too() -> None:
    for setting, weapon in ((False, "spear"), (True, "none")):
        red = squad("red", "red", 1, (50, 50))
        blue = bare_unit("blue", "blue", [man("blue/1", "blue", 50, 56, weapon="spear", close=True, role="hero")])
        state = battle(red, blue, thrown_spear_lost=setting)
        state.active = "red"
        script = [
            ("shot", [11]),
            ("hit location", [2]),
            ("counter-attack", "answer every hit"),
            ("counter-attack", [2]),
        ]
        with scripted(state, *script, thrown_spear_lost=setting) as table:
            fire_volley(table, state, red, blue)
        assert blue.figures["blue/1"].weapon == weapon
        red = bare_unit("red", "red", [man("red/1", "red", 43, 36, weapon="spear", close=True)])
        state = battle(red, on=house(thrown_spear_lost=setting), thrown_spear_lost=setting)
        with scripted(state, ("shot", [2]), thrown_spear_lost=setting) as table:
            perform_action(table, state, red, ("fire at house", "hut"))
        assert red.figures["red/1"].weapon == weapon


@pytest.mark.rule("FBN-066", "FBN-072", "FBN-117")
def test_a_bridge_is_no_river() -> None:
    river, bridge = ("deep_river", list(box(0, 50, 100, 54))), ("clear", list(box(48, 50, 52, 54)))
    for x, cv in ((50.0, 0), (60.0, 1)):
        red, blue = squad("red", "red", 1, (x, 40)), squad("blue", "blue", 1, (x, 50.5), facing=180.0)
        state = battle(red, blue, on=field(river, bridge))
        one, other = red.figures["red/1"], blue.figures["blue/1"]
        assert cover_value(state, one, other, state.field.scene((0, 0, 100, 100))) == cv
        state.put(one, x, 49.49)
        assert fight_facts(state, blue, other, one, False).shelter == ("cover" if cv else "none")


@pytest.mark.rule("FBN-066", "FBN-072", "FBN-117")
def test_a_ford_is_a_shallow_river() -> None:
    """A ford over a river replaces the river, but men in it count as in water."""
    made, outline = book(), ((48.0, 48.0), (52.0, 48.0), (52.0, 56.0), (48.0, 56.0))
    water = TerrainPiece.area("river", made.terrain["deep_river"], box(0, 50, 100, 54))
    ford = TerrainPiece.area("ford", made.terrain["shallow_river"], outline, over=True)
    red, blue = squad("red", "red", 1, (50, 40)), squad("blue", "blue", 1, (50, 48.5), facing=180.0)
    state = battle(red, blue, on=Field(made, 100.0, 100.0, (water, ford)))
    one, other = red.figures["red/1"], blue.figures["blue/1"]
    for y in (48.5, 52.0):
        state.put(other, 50, y)
        assert cover_value(state, one, other, state.field.scene((0, 0, 100, 100))) == 1
    state.put(other, 50, 48.5)
    state.put(one, 50, 47.5)
    assert fight_facts(state, blue, other, one, False).shelter == "cover"


# --- close combat ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FBN-049", "FBN-116")
def test_who_strikes_on_foot_turns_to_his_man_and_a_horse_does_not() -> None:
    for mounted, rear in ((False, False), (True, True)):
        red = bare_unit("red", "red", [man("red/1", "red", 50, 50, mounted=mounted, facing=180.0)])
        blue = squad("blue", "blue", 1, (50, 51.25 if mounted else 51), facing=180.0)
        state = battle(red, blue)
        figure, foe = red.figures["red/1"], blue.figures["blue/1"]
        assert fight_facts(state, red, figure, foe, True).rear is rear
        assert fight_facts(state, red, figure, foe, False).rear, "struck at, he has an enemy behind him"
        with scripted(state, ("blow", [3]), ("parry", [4 if mounted else 3])) as table:
            strike_blow(table, state, red, figure, foe)
            assert [tally.total for tally in table.tallies][:1] == [0 + mounted - rear]
        assert (figure.facing == 0) is not mounted


@pytest.mark.rule("FBN-060", "FBN-116")
def test_a_man_in_square_strikes_where_he_looks() -> None:
    unit = squad("red", "red", 12, (50, 50), "square")
    first = unit.figures["red/1"]
    state = battle(unit, squad("blue", "blue", 1, (first.x, first.y + 1), facing=180.0))
    before = first.facing
    with scripted(state, ("blow", [3]), ("parry", [4])) as table:
        strike_blow(table, state, unit, first, state.units["blue"].figures["blue/1"])
    assert first.facing == before


@pytest.mark.rule("FBN-112", "FBN-169", "FBN-161")
def test_nobody_is_the_prisoner_of_his_own_side_and_killing_friends_is_no_deed() -> None:
    for faces, result, left in (([3], "miss", 1), ([4], "wound", 0)):
        red, friend = squad("red", "red", 1, (50, 50)), squad("friend", "red", 1, (50, 51), facing=180.0)
        state = battle(red, friend)
        with scripted(state, ("blow", faces), ("parry", [2])) as table:
            strike_blow(table, state, red, red.figures["red/1"], friend.figures["friend/1"])
            assert next(event.data["result"] for event in table.events if event.kind == "blow") == result
        assert len(friend.figures) == left and not state.captives and red.dealt == 0


# --- mounts ---------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FBN-060", "FBN-185", "FBN-186")
def test_men_who_mount_leave_their_square() -> None:
    for alone in (False, True):
        unit = squad("red", "red", 8, (50, 50), "square", rides=True)
        for figure in unit.figures.values():
            figure.mark(f"horse {figure.x:.2f} {figure.y:.2f}")
        state = battle(unit)
        script = (("which man", "red/1"), ("what he does", "mount")) if alone else ()
        with scripted(state, *script) as table:
            perform_action(table, state, unit, "one man" if alone else "mount")
        assert unit.figures["red/1"].mounted and unit.shape == "open"


@pytest.mark.rule("FBN-064", "FBN-186", "FBN-272")
def test_getting_down_breaks_closed_order() -> None:
    for formation, kept in (("closed", False), ("open", True)):
        unit = squad("red", "red", 6, (50, 50), formation, mounted=True, rides=True)
        state = battle(unit)
        with scripted(state) as table:
            perform_action(table, state, unit, "dismount")
            end_activation(table, state, unit)
        assert ("unformed" not in unit.marks) is kept


@pytest.mark.rule("FBN-186")
def test_who_has_slowed_to_a_walk_may_get_down() -> None:
    for last, gait, able in ((3, 1, True), (3, 0, False), (1, 0, True), (1, 2, False), (0, 0, True)):
        unit = bare_unit("red", "red", [man("red/1", "red", 50, 50, mounted=True, rides=True)])
        state = battle(unit)
        unit.figures["red/1"].last_gait, unit.figures["red/1"].gait = last, gait
        assert ("dismount" in acts(state, unit)) is able


@pytest.mark.rule("FBN-177")
@pytest.mark.setting("decel_steps")
def test_a_canter_does_not_end_in_a_halt_where_slowing_is_step_by_step() -> None:
    for setting, last, may_end in (("any", 3, True), ("one", 1, True), ("one", 2, False)):
        unit = bare_unit("red", "red", [man("red/1", "red", 50, 50, mounted=True)])
        state = battle(unit, decel_steps=setting)
        unit.figures["red/1"].last_gait = last
        assert ("end" in acts(state, unit)) is may_end
    with scripted(state, ("ride to", (50.0, 55.0)), decel_steps="one") as table:
        perform_action(table, state, unit, ("ride", 1))
    assert "end" in acts(state, unit)
