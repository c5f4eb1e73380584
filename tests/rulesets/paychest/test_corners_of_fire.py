"""Corners of the fire step: how often, who with whom, where to, and what guns may aim at."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.rulesets.paychest.stage import Scene, Script, bare_unit, blue, red, row, scene

from zareba.registry import find_house_rule, load_rules
from zareba_rulesets.paychest.battle import Engine
from zareba_rulesets.paychest.fire import may_fire
from zareba_rulesets.paychest.firestep import fire_step
from zareba_rulesets.paychest.gunnery import cover_shock, gun_groups, gun_places, gun_stretch, servers
from zareba_rulesets.paychest.movement import move_unit
from zareba_rulesets.paychest.sequence import end_activation
from zareba_rulesets.paychest.shooting import FireFacts, shoot

GRAZE = ("casualty card", "arm_graze")
AT_BLUE = ("volley at", ("blue", "blue.1"))


def fires(place: Scene, *script: Script) -> list[tuple[str, int]]:
    """Play red's fire step; returns the target and the shots of every volley and single shot."""
    place.play(fire_step, place.battle, place.unit("red"), script=script)
    return [(told["target"], told["shots"]) for told in place.told("fire")]


# --- volleys ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PAY-094", "PAY-100", "PAY-024")
def test_men_who_held_their_fire_have_no_volley_of_their_own() -> None:
    """One shot a turn is one volley a turn: a unit does not fall into snipers, each with a target to himself."""
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
    # the musketeer, who has one shot, has let it go by with the first volley
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
    with pytest.raises(AssertionError, match="'volley with leaders' is no answer"):
        fires(place, ("fire", "volley with leaders"))
    alone: list[Script] = [("fire", ("leader", "red.1")), ("fire at unit", "blue"), ("fire", [6])]
    assert fires(place, *script, *alone) == [("more", 2), ("blue.1", 1)]


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
    assert gun_places(leader.battle, leader.battle.engines["gun"]) == {}
    fires(leader)  # nothing to fire at


WALL = {"wall": ("low_wall", [(10.0, 19.5), (45.0, 19.5)])}


def hidden_behind(count: int, **more: Any) -> Scene:
    """So many men down behind a wall, the last of them behind a house as well."""
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
    assert place.play(cover_shock, place.battle, hidden) == []  # five of them and a die never come to 12
    hidden[0].mark("down")
    assert place.play(cover_shock, place.battle, hidden, script=[("cover shock", [5])]) == []


@pytest.mark.rule("PAY-176", "PAY-178")
def test_a_jam_is_cleared_by_men_at_the_gun() -> None:
    away = battery("machine_gun", blue(3), spots=[(30.0, 5.0), (31.5, 5.0)])
    away.battle.engines["gun"].jammed = True
    with pytest.raises(AssertionError):
        away.play(move_unit, away.battle, away.unit("red"), script=[("move", "clear the jam")])
    away.unit("red").mark("clearing")
    away.play(end_activation, away.battle, away.unit("red"))
    assert away.battle.engines["gun"].jammed


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
    from zareba_rulesets.paychest.gunnery import try_gun

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


AT_BLUE_BY_GUN = ("gun at", ("blue", "blue.1"))


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
