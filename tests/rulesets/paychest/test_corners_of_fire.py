"""Corner cases of the fire step: number of shots, groups, targets, and what guns may aim at."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.rulesets.paychest.stage import Scene, Script, bare_unit, blue, machine_acts, red, row, scene

from zareba.registry import find_house_rule, load_rules
from zareba_rulesets.paychest.actions.fire import fire_step
from zareba_rulesets.paychest.actions.moving import move_unit
from zareba_rulesets.paychest.chapters.fire import in_reach, may_fire, single_targets
from zareba_rulesets.paychest.chapters.guns import cover_shock, gun_facts, gun_groups, gun_stretch, is_ready, servers
from zareba_rulesets.paychest.chapters.sight import cover_class, covers_of, view_of
from zareba_rulesets.paychest.chapters.targets import Targets, has_gun_target
from zareba_rulesets.paychest.chapters.to_hit import FireFacts, aimed_shot, shoot
from zareba_rulesets.paychest.forces.battle import Engine
from zareba_rulesets.paychest.forces.things import Thing
from zareba_rulesets.paychest.sequence import end_activation

GRAZE = ("casualty card", "arm_graze")
AT_BLUE = ("volley at", ("blue", "blue.1"))
AT_BLUE_BY_GUN = ("gun at", ("blue", "blue.1"))


def fires(place: Scene, *script: Script) -> list[tuple[str, int]]:
    """Play red's fire step. Returns the target and the number of shots of every volley and single shot."""
    place.play(fire_step, place.battle, place.unit("red"), script=script)
    return [(told["target"], told["shots"]) for told in place.told("fire")]


# --- volleys ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PAY-094", "PAY-100", "PAY-024")
def test_men_who_held_their_fire_have_no_volley_of_their_own() -> None:
    """One shot a turn means one volley a turn. A unit cannot split into single shots at separate targets."""
    arabs = bare_unit("red", "red", row(3, y=10.0), kind="irregular", shots=1)
    place = scene(arabs, blue(3, y=16.0), bare_unit("more", "blue", row(3, 26.0, 16.0)))
    picked: list[Script] = [("fire", "volley of picked men"), ("fires", True), ("fires", False), ("fires", False)]
    assert fires(place, *picked, AT_BLUE, ("fire", [6])) == [("blue", 1)]
    assert [place.figure(f"red.{n}").shots for n in (1, 2, 3)] == [1, 0, 0]


@pytest.mark.rule("PAY-094", "PAY-100", "PAY-026")
def test_two_shots_are_two_volleys_however_many_men_hold_their_fire() -> None:
    unit = red(3)
    unit.figures["red.3"].weapons = ("musket",)
    place = scene(unit, blue(3, y=16.0))
    picked: list[Script] = [("fire", "volley of picked men"), ("fires", True), ("fires", False), ("fires", False)]
    second: list[Script] = [("fire", "volley"), AT_BLUE, ("fire", [6, 6])]
    # the musketeer did not use his one shot in the first volley
    assert fires(place, *picked, AT_BLUE, ("fire", [6]), *second) == [("blue", 1), ("blue", 2)]


@pytest.mark.rule("PAY-113", "PAY-094")
def test_who_sees_nothing_of_the_target_does_not_fire_and_has_no_second_choice() -> None:
    house = {"house": ("building", [(22.0, 12.0), (27.0, 12.0), (27.0, 14.0), (22.0, 14.0)])}
    unit = bare_unit("red", "red", [(20.0, 10.0), (30.0, 10.0)], kind="irregular", shots=1)
    place = scene(unit, bare_unit("blue", "blue", row(2, 18.0, 16.0)), bare_unit("more", "blue", row(2, 31.0, 16.0)),
                  areas=house)  # fmt: skip
    assert fires(place, ("fire", "volley"), AT_BLUE, ("fire", [6])) == [("blue", 1)]


@pytest.mark.rule("PAY-092", "PAY-094")
def test_one_leader_may_join_the_volley_while_the_other_shoots_alone() -> None:
    unit = red(3, leader="lieutenant", shots=1)
    unit.figures["red.2"].rank = "sergeant"
    place = scene(unit, blue(2, y=16.0))
    script: list[Script] = [("fire", "volley of picked men"), ("fires", True), ("fires", False), ("fires", True)]
    script += [
        AT_BLUE,
        ("fire", [6, 6]),
        ("fire", ("leader", "red.1")),
        ("fire at unit", "blue"),
        ("fire at", "blue.2"),
    ]
    assert fires(place, *script, ("fire", [6])) == [("blue", 2), ("blue.2", 1)]


@pytest.mark.rule("PAY-061", "PAY-094")
def test_nobody_picked_is_fire_held() -> None:
    place = scene(red(2), blue(2, y=16.0))
    assert fires(place, ("fire", "volley of picked men"), ("fires", False), ("fires", False)) == []


@pytest.mark.rule("PAY-103", "PAY-092")
@pytest.mark.setting("fire_in_contact")
def test_a_leader_in_contact_shoots_whom_he_touches_and_joins_no_volley() -> None:
    unit = red(3, leader="lieutenant", shots=1, weapons=("pistol", "rifle"))
    touching = bare_unit("blue", "blue", [(19.2, 10.6)], kind="irregular")
    place = scene(unit, touching, bare_unit("more", "blue", row(2, 21.0, 18.0)), fire_in_contact="leaders_only")
    script: list[Script] = [("fire", "volley"), ("volley at", ("more", "more.1")), ("fire", [6, 6])]
    with pytest.raises(AssertionError, match="'volley with leaders' is not an answer to"):
        fires(place, ("fire", "volley with leaders"))
    alone: list[Script] = [("fire", ("leader", "red.1")), ("fire at unit", "blue"), ("fire", [6])]
    assert fires(place, *script, *alone) == [("more", 2), ("blue.1", 1)]


@pytest.mark.rule("PAY-103", "PAY-092", "PAY-073")
@pytest.mark.setting("fire_in_contact")
def test_only_leaders_fire_in_contact_and_a_light_load_hinders_nobody() -> None:
    for rank, count in (("lieutenant", 1), ("private", 0)):
        unit = red(1, leader=rank, weapons=("pistol", "sword"))
        place = scene(unit, blue(1, y=11.0), fire_in_contact="leaders_only")
        assert len(may_fire(place.battle, unit)) == count
    things = {"flag": Thing("light", "flag", "", None, carrier="red.1")}
    bearer = scene(red(1), blue(2), things=things)
    bearer.figure("red.1").loads = ("flag",)
    assert len(may_fire(bearer.battle, bearer.unit("red"))) == 1


@pytest.mark.rule("PAY-094", "PAY-096", "PAY-097")
@pytest.mark.parametrize(("apart", "offered"), [(6.0, False), (2.5, True)])
def test_no_volley_is_offered_at_leaders_who_form_no_group(apart: float, offered: bool) -> None:
    chiefs = bare_unit("blue", "blue", row(2, y=16.0, apart=apart), kind="irregular", leader="chief")
    chiefs.figures["blue.2"].rank = "leader"
    place = scene(red(2), chiefs)
    script: list[Script] = [("fire", "volley"), AT_BLUE, ("fire", [6, 6]), ("fire", "done")]
    assert fires(place, *(script if offered else ())) == ([("blue", 2)] if offered else [])


@pytest.mark.rule("PAY-096", "PAY-098")
def test_a_stretch_with_a_leader_and_a_private_is_fair() -> None:
    place = scene(red(4), blue(2, leader="leader"))
    men = may_fire(place.battle, place.unit("red"))
    assert Targets(place.battle, place.unit("red"), men).refusal((20.0, 20.0), (21.2, 20.0)) is None
    alone = Targets(place.battle, place.unit("red"), men).refusal((19.5, 20.0), (20.1, 20.0))
    assert alone is not None and "PAY-096" in alone  # the private is 1.1 inches from its end


def by_the_wall(**settings: Any) -> Scene:
    return scene(
        red(3), bare_unit("blue", "blue", [(20.0, 20.0)]), bare_unit("more", "blue", [(26.0, 20.0)]), **settings
    )


def stretch(x: float) -> list[Script]:
    ends: list[Script] = [("stretch from", (x, 20.0)), ("stretch to", (x, 20.0))]
    return [("fire", "volley"), ("volley at", "a stretch"), *ends]


@pytest.mark.rule("PAY-102", "PAY-098")
@pytest.mark.setting("second_shot_target")
def test_a_second_stretch_may_lie_elsewhere_unless_bound_to_the_first() -> None:
    first, second = [*stretch(20.0), ("fire", [1, 6, 6]), GRAZE], [*stretch(26.0), ("fire", [1, 6, 6]), GRAZE]
    free = by_the_wall()
    fires(free, *first, *second)
    assert free.figure("blue.1").fate == "able" and [d["figure"] for d in free.told("casualty")] == ["blue.1", "more.1"]
    bound = by_the_wall(second_shot_target="same")
    fires(bound, *first, *stretch(20.0)[:2], ("fire", [1, 6, 6]), GRAZE)
    assert [d["figure"] for d in bound.told("casualty")] == ["blue.1", "blue.1"]


@pytest.mark.rule("PAY-102")
@pytest.mark.setting("second_shot_target")
def test_when_nothing_is_left_of_the_first_stretch_the_second_volley_is_free() -> None:
    place = by_the_wall(second_shot_target="same")
    killed: list[Script] = [*stretch(20.0), ("fire", [1, 6, 6]), ("casualty card", "head_killed")]
    fires(place, *killed, *stretch(26.0), ("fire", [1, 6, 6]), GRAZE)
    assert place.unit("more").hits == 1


@pytest.mark.rule("PAY-101", "PAY-063")
def test_what_was_found_of_a_unit_is_found_anew_when_one_of_its_men_has_run() -> None:
    """The man in the middle runs behind a house. The outermost men, and so the unit's bounding box, stay."""
    house = {"house": ("building", [(18.0, 23.0), (22.0, 23.0), (22.0, 24.0), (18.0, 24.0)])}
    unit = bare_unit("blue", "blue", [(14.0, 16.0), (26.0, 30.0), (20.0, 20.0)])
    place = scene(red(1), unit, areas=house)

    def seen() -> list[str]:
        men = may_fire(place.battle, place.unit("red"))
        return [figure.spec.id for figure in in_reach(place.battle, place.unit("red"), men)["blue"]]

    assert seen() == ["blue.1", "blue.2", "blue.3"]
    unit.figures["blue.3"].at = (20.0, 26.0)
    unit.measure()
    assert seen() == ["blue.1", "blue.2"]
    unit.figures["blue.1"].fate = "dead"
    unit.measure()
    assert seen() == ["blue.2"]


@pytest.mark.rule("PAY-112")
def test_the_first_die_of_the_double_roll_is_a_number_of_the_rules(tmp_path: Path) -> None:
    patch = tmp_path / "twos.yaml"
    patch.write_text("house_rule: twos\nruleset: paychest\nchanges:\n  - {at: double_roll.first, was: 1, to: 2}\n")
    rules = load_rules("paychest", house_rules=[find_house_rule(str(patch))])
    place, shot = scene(red(1)), FireFacts(3, "long", "run")
    assert place.play(shoot, shot, 3, "red.1", script=[("fire", [1, 2, 1]), ("fire again", [3, 4])]) == 1
    twos = Scene(rules, place.battle)
    assert twos.play(shoot, shot, 3, "red.1", script=[("fire", [1, 2, 1]), ("fire again", [3, 4, 1])]) == 2


# --- guns ---------------------------------------------------------------------------------------------------------------


def battery(kind: str, *targets: Any, spots: Any = ((18.5, 10.0), (21.5, 10.0)), **more: Any) -> Scene:
    crew = bare_unit("red", "red", list(spots), weapons=())
    gun = {"gun": Engine(kind, "the gun", "red", "red", (20.0, 10.0))}
    return scene(crew, *targets, engines=gun, **more)


@pytest.mark.rule("PAY-178", "PAY-098", "PAY-096")
def test_a_gun_may_fire_at_the_ground_where_one_private_stands() -> None:
    place = battery("gun", blue(1))
    assert gun_groups(place.battle, place.battle.engines["gun"]) == {}
    script: list[Script] = [("fire", ("gun", "gun")), ("gun at", "a stretch"), ("stretch from", (20.0, 20.0))]
    script += [
        ("stretch to", (20.0, 20.0)),
        ("fire", [1]),
        ("rounds that hit", [1, 1, 1, 1]),
        *[("casualty card", "arm_wound")] * 3,
        GRAZE,
    ]
    fires(place, *script)
    assert place.unit("blue").hits == 4
    leader = battery("gun", blue(1, leader="leader"))
    assert not has_gun_target(leader.battle, leader.battle.engines["gun"])
    fires(leader)  # no target


WALL = {"wall": ("low_wall", [(10.0, 19.5), (45.0, 19.5)])}


def hidden_behind(count: int, **more: Any) -> Scene:
    """This many men lying behind a wall, the last of them also behind a house."""
    house = {"house": ("building", [(24.0, 13.0), (30.0, 13.0), (30.0, 15.0), (24.0, 15.0)])}
    place = battery("gun", blue(count), lines=WALL, areas=house, **more)
    for figure in place.unit("blue").able:
        figure.mark("down")
    return place


@pytest.mark.rule("PAY-190", "PAY-191")
def test_all_who_hide_in_the_chain_count_though_the_gun_sees_only_some() -> None:
    place = hidden_behind(12)
    (target,) = gun_groups(place.battle, place.battle.engines["gun"]).values()
    assert (len(target.exposed), len(target.hidden)) == (0, 12)
    stretch = gun_stretch(place.battle, place.battle.engines["gun"], (20.0, 20.0), (24.0, 20.0))
    assert [figure.spec.id for figure in stretch.hidden] == [f"blue.{n}" for n in (1, 2, 3, 4, 5)]
    out_of_sight = gun_stretch(place.battle, place.battle.engines["gun"], (29.6, 20.0), (33.2, 20.0))
    assert not out_of_sight.hidden
    for name in ("blue.1", "blue.2", "blue.3", "blue.4"):
        place.figure(name).at = None
    place.unit("blue").measure()
    wide = {"house": ("building", [(10.0, 13.0), (45.0, 13.0), (45.0, 15.0), (10.0, 15.0)])}
    unseen = battery("gun", blue(8), lines=WALL, areas=wide)
    for figure in unseen.unit("blue").able:
        figure.mark("down")
    assert gun_groups(unseen.battle, unseen.battle.engines["gun"]) == {}


@pytest.mark.rule("PAY-190", "PAY-063")
def test_who_has_run_for_the_loss_of_his_leader_hides_no_more() -> None:
    place = hidden_behind(8)
    hidden = list(place.unit("blue").able)
    for figure in hidden[:3]:
        figure.unmark("down")
    assert place.play(cover_shock, place.battle, hidden) == []  # five of them + one die never reach 12
    hidden[0].mark("down")
    assert place.play(cover_shock, place.battle, hidden, script=[("cover shock", [5])]) == []


@pytest.mark.rule("PAY-176", "PAY-178")
def test_a_jam_is_cleared_by_men_at_the_gun() -> None:
    away = battery("machine_gun", blue(3), spots=[(30.0, 5.0), (31.5, 5.0)])
    away.battle.engines["gun"].jammed = True
    with pytest.raises(AssertionError):
        away.play(move_unit, away.battle, away.unit("red"), script=[("move", "clear the jam")])
    away.figure("red.1").mark("clearing")
    away.play(end_activation, away.battle, away.unit("red"))
    assert away.battle.engines["gun"].jammed


@pytest.mark.rule("PAY-121", "PAY-176", "PAY-084")
def test_a_crewman_without_an_arm_clears_no_jam_and_handles_no_gun() -> None:
    for wounds, able in ((("smashed_arm",), True), (("smashed_arm", "smashed_arm"), False)):
        place = battery("machine_gun", blue(3), spots=[(18.5, 10.0)])
        place.figure("red.1").wounds = wounds
        assert (("push", "gun") in machine_acts(place.battle, place.unit("red"))) is able
        place.battle.engines["gun"].jammed = True
        if able:
            place.play(move_unit, place.battle, place.unit("red"), script=[("move", "clear the jam")])
        else:
            with pytest.raises(AssertionError):
                place.play(move_unit, place.battle, place.unit("red"), script=[("move", "clear the jam")])


@pytest.mark.rule("PAY-121", "PAY-176")
def test_who_has_no_arm_left_goes_on_while_his_comrades_clear_the_jam() -> None:
    place = battery("machine_gun", blue(3), spots=[(18.5, 10.0), (20.0, 11.5)])
    place.figure("red.2").wounds = ("smashed_arm", "smashed_arm")
    place.battle.engines["gun"].jammed = True
    script: list[Script] = [("move", "clear the jam"), ("move", "halt")]
    place.play(move_unit, place.battle, place.unit("red"), script=script)
    assert ["clearing" in place.figure(f"red.{n}").marks for n in (1, 2)] == [True, False]


@pytest.mark.rule("PAY-176", "PAY-177")
@pytest.mark.setting("jam_clear")
def test_a_crew_of_one_shot_has_none_to_give_up_and_takes_its_activation() -> None:
    for kind, offered in (("irregular", True), ("regular", False)):
        crew = bare_unit("red", "red", [(18.5, 10.0)], kind=kind)
        gun = {"gun": Engine("machine_gun", "the gun", "red", "red", (20.0, 10.0), jammed=True)}
        place = scene(crew, blue(3), engines=gun, jam_clear="one_shot")
        script: list[Script] = [("move", "clear the jam")]
        if offered:
            place.play(move_unit, place.battle, crew, script=script)
            place.play(end_activation, place.battle, crew)
            assert not place.battle.engines["gun"].jammed
        else:
            with pytest.raises(AssertionError):
                place.play(move_unit, place.battle, crew, script=script)


@pytest.mark.rule("PAY-175", "PAY-112")
@pytest.mark.setting("jam_test")
@pytest.mark.parametrize(
    ("first", "second", "hit", "jammed"), [(1, 1, True, True), (1, 4, True, False), (1, 5, False, False)]
)
def test_below_one_the_second_die_serves_both_the_hit_and_the_jam(
    first: int, second: int, hit: bool, jammed: bool
) -> None:
    from zareba_rulesets.paychest.chapters.guns import try_gun

    shot = FireFacts(4, "long", "advance", "hard", "machine_gun")
    for setting in ("same_shot", "consecutive_shots"):
        engine = Engine("machine_gun", "the gun", "red", "red", (20.0, 10.0))
        place = scene(red(1), jam_test=setting)
        script: list[Script] = [("machine gun", [first]), ("machine gun again", [second])]
        assert place.play(try_gun, engine, shot, "gun", script=script) is hit
        assert engine.jammed is (jammed and setting == "same_shot")
        assert not place.play(try_gun, engine, shot, "gun", script=[("machine gun", [2])])


@pytest.mark.rule("PAY-175")
@pytest.mark.setting("jam_test", "jam_effect")
def test_two_first_ones_of_one_activation_jam_and_their_hits_stand() -> None:
    place = battery("machine_gun", blue(3), jam_test="consecutive_shots", jam_effect="burst_lost", spots=[(18.5, 10.0)])
    one: list[Script] = [("fire", ("gun", "gun")), AT_BLUE_BY_GUN, ("machine gun", [1]), ("rounds that hit", [1])]
    one += [("who is hit", [1]), GRAZE]
    fires(place, *one, *one)
    assert place.battle.engines["gun"].jammed and place.unit("blue").hits == 2


@pytest.mark.rule("PAY-178", "PAY-103")
def test_who_serves_a_gun_is_free_of_the_enemy_up_and_has_not_fired() -> None:
    spots = [(18.5, 10.0), (21.5, 10.0), (20.0, 8.5)]
    place = scene(
        bare_unit("red", "red", spots),
        blue(3),
        engines={"gun": Engine("machine_gun", "the gun", "red", "red", (20.0, 10.0))},
    )
    crew = place.unit("red")
    assert len(servers(place.battle, place.battle.engines["gun"])) == 1
    crew.figures["red.1"].shots = 1
    crew.figures["red.2"].mark("down")
    assert [f.spec.id for f in servers(place.battle, place.battle.engines["gun"])] == ["red.3"]
    crew.figures["red.3"].wounds = ("smashed_arm", "smashed_arm")
    assert servers(place.battle, place.battle.engines["gun"]) == []
    assert [f.figure.spec.id for f in may_fire(place.battle, crew)] == ["red.1"]


@pytest.mark.rule("PAY-178", "PAY-184")
def test_nobody_serves_two_pieces_in_one_activation() -> None:
    guns = {name: Engine("machine_gun", name, "red", "red", (x, 10.0)) for name, x in (("left", 19.0), ("right", 22.0))}
    place = scene(bare_unit("red", "red", [(20.5, 10.0)]), blue(3), engines=guns)
    assert len(servers(place.battle, place.battle.engines["left"])) == 1
    assert len(servers(place.battle, place.battle.engines["right"])) == 1
    script: list[Script] = [("fire", ("gun", "left")), AT_BLUE_BY_GUN, ("machine gun", [6]), ("fire", ("gun", "left"))]
    fires(place, *script, AT_BLUE_BY_GUN, ("machine gun", [6]))  # then no gun may fire again, not even the right one


@pytest.mark.rule("PAY-084", "PAY-082", "PAY-180")
def test_a_gun_on_a_conveyance_fires_on_the_move_and_from_a_height() -> None:
    flyer = Engine("flyer", "ship", "red", "red", (20.0, 10.0), mount="", aboard=("red.1", "red.2"), altitude=2)
    gun = Engine("gun", "gun", "red", "red", (20.0, 10.0), "flyer", "ship", moved="advance")
    place = scene(bare_unit("red", "red", [(20.0, 10.0)] * 2), blue(3, y=30.0), engines={"ship": flyer, "gun": gun})
    for figure in place.unit("red").able:
        figure.aboard = "ship"
    place.unit("red").measure()
    gun = place.battle.engines["gun"]
    assert is_ready(place.battle, gun)
    (target,) = gun_groups(place.battle, gun).values()
    facts = gun_facts(place.battle, gun, place.figure("red.1"), target)
    assert facts is not None and (facts.gait, facts.band) == ("advance", "medium")  # 20 inches + 2 x 6


@pytest.mark.rule("PAY-105", "PAY-174")
@pytest.mark.setting("hit_spread")
def test_rounds_of_a_machine_gun_fall_at_random_though_volleys_are_spread_evenly() -> None:
    place = battery("machine_gun", blue(3), spots=[(18.5, 10.0)], hit_spread="even")
    script: list[Script] = [("fire", ("gun", "gun")), AT_BLUE_BY_GUN, ("machine gun", [2]), ("rounds that hit", [2])]
    fires(place, *script, ("who is hit", [3, 3]), GRAZE, GRAZE, ("fire", "done"))
    assert [told["figure"] for told in place.told("casualty")] == ["blue.3", "blue.3"]


@pytest.mark.rule("PAY-176")
@pytest.mark.setting("jam_clear")
def test_a_gun_that_has_just_jammed_is_not_cleared_with_its_other_shot() -> None:
    place = battery("machine_gun", blue(3), spots=[(18.5, 10.0)], jam_clear="one_shot")
    script: list[Script] = [("fire", ("gun", "gun")), AT_BLUE_BY_GUN, ("machine gun", [1]), ("machine gun again", [1])]
    fires(place, *script, ("rounds that hit", [1]), ("who is hit", [1]), GRAZE)
    assert place.battle.engines["gun"].jammed


@pytest.mark.rule("PAY-061", "PAY-178")
def test_a_gun_may_hold_its_fire() -> None:
    place = battery("machine_gun", blue(3), spots=[(18.5, 10.0)])
    fires(place, ("fire", ("gun", "gun")), ("gun at", "hold fire"))
    assert place.told("gun fires") == []


@pytest.mark.rule("PAY-090")
@pytest.mark.setting("los_figures_block")
@pytest.mark.parametrize(
    ("friend", "seen"), [((20.0, 11.0), True), ((20.0, 11.1), False), ((20.5, 15.0), True), ((20.4, 15.0), False)]
)
def test_a_friend_blocks_from_more_than_an_inch_away_with_his_base_on_the_line(
    friend: tuple[float, float], seen: bool
) -> None:
    place = scene(red(1, leader="sergeant"), bare_unit("friend", "red", [friend]), blue(1), los_figures_block="friends")
    (leader,) = may_fire(place.battle, place.unit("red"))
    assert bool(single_targets(place.battle, place.unit("red"), leader)) is seen


@pytest.mark.rule("PAY-090", "PAY-178")
@pytest.mark.setting("los_figures_block")
@pytest.mark.parametrize(("friend", "seen"), [((20.0, 11.5), True), ((20.0, 11.6), False)])
def test_the_crew_at_a_gun_is_not_in_its_way_but_friends_before_it_are(friend: tuple[float, float], seen: bool) -> None:
    place = battery("machine_gun", blue(2), spots=[(18.5, 10.0), friend], los_figures_block="friends")
    assert bool(gun_groups(place.battle, place.battle.engines["gun"])) is seen


@pytest.mark.rule("PAY-090", "PAY-082")
@pytest.mark.setting("los_figures_block")
@pytest.mark.parametrize(("altitude", "seen"), [(0, False), (1, True)])
def test_friends_aloft_block_nobodys_sight(altitude: int, seen: bool) -> None:
    flyer = Engine("flyer", "ship", "red", "friend", (20.0, 15.0), mount="", aboard=("friend.1",), altitude=altitude)
    friend = bare_unit("friend", "red", [(20.0, 15.0)])
    friend.figures["friend.1"].aboard = "ship"
    place = scene(red(1), friend, blue(1), engines={"ship": flyer}, los_figures_block="friends")
    assert bool(in_reach(place.battle, place.unit("red"), may_fire(place.battle, place.unit("red")))) is seen


@pytest.mark.rule("PAY-114")
@pytest.mark.parametrize(
    ("spots", "cover"),
    [([(20.0, 20.0), (41.0, 20.0)], "soft"), ([(20.0, 20.0), (41.0, 20.0), (42.5, 20.0)], "none"),
     ([(20.0, 20.0), (30.0, 20.0), (41.0, 20.0), (42.5, 20.0)], "soft")],
)  # fmt: skip
def test_cover_of_a_group_is_soft_if_half_of_it_has_any(spots: list[tuple[float, float]], cover: str) -> None:
    """A grove is at x = 20, a wall in front of x = 30, open ground from x = 40 on. The firer is far to the south."""
    grove = {"grove": ("brush", [(18.0, 18.0), (22.0, 18.0), (22.0, 22.0), (18.0, 22.0)])}
    place = scene(
        bare_unit("blue", "blue", spots), areas=grove, lines={"wall": ("low_wall", [(28.0, 19.5), (32.0, 19.5)])}
    )
    men = place.unit("blue").able
    assert cover_class((30.0, 1.0), men, covers_of(place.battle, men), 0.5) == cover


@pytest.mark.rule("PAY-082", "PAY-110")
@pytest.mark.parametrize(("aloft", "band"), [("red", "medium"), ("blue", "medium"), ("", "short")])
def test_altitude_lengthens_the_range_of_rifles_to_it_and_from_it(aloft: str, band: str) -> None:
    place = scene(red(1), blue(1, y=20.0))
    if aloft:
        aboard = (f"{aloft}.1",)
        ship = Engine("flyer", "ship", aloft, aloft, place.figure(f"{aloft}.1").at, mount="", aboard=aboard, altitude=1)
        place.battle.engines["ship"] = ship
        place.figure(f"{aloft}.1").aboard = "ship"
        place.unit(aloft).measure()
    battle, targets = place.battle, place.unit("blue").able
    view = view_of(battle, "red", place.unit("red").box, place.unit("blue").box)
    facts = aimed_shot(battle, view, place.figure("red.1"), "rifle", targets, covers_of(battle, targets))
    assert facts is not None and facts.band == band
