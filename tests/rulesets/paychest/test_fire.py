"""Fire: firers and targets, ranges, cover, hits on a group."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.paychest.stage import Scene, all_but, bare_unit, blue, chances, red, row, scene

from zareba.space.field.line_of_sight import line_is_clear
from zareba_rulesets.paychest.actions.fire import fire_step
from zareba_rulesets.paychest.chapters.fire import front_of, groups_of, in_reach, may_fire, single_targets, volley
from zareba_rulesets.paychest.chapters.sight import box_of, covers_of, view_of
from zareba_rulesets.paychest.chapters.targets import Targets, readiness
from zareba_rulesets.paychest.chapters.to_hit import FireFacts, aimed_shot, shoot
from zareba_rulesets.paychest.forces.things import Thing
from zareba_rulesets.paychest.sequence import begin_activation

KILL = ("casualty card", "head_killed")
GRAZE = ("casualty card", "arm_graze")


def firers(place: Scene) -> list[str]:
    return [firer.figure.spec.id for firer in may_fire(place.battle, place.unit("red"))]


def facts_of(place: Scene, number: int = 1, targets: str = "blue") -> FireFacts | None:
    """Return the facts of a shot by one red man at all of a blue unit."""
    unit = place.unit(targets)
    firer = may_fire(place.battle, place.unit("red"))[number - 1]
    from zareba_rulesets.paychest.chapters.fire import muzzles_of

    view = view_of(place.battle, "red", box_of(muzzles_of(place.battle, [firer])), unit.box)
    return aimed_shot(place.battle, view, firer.figure, firer.weapon, unit.able, covers_of(place.battle, unit.able))


def groups(place: Scene) -> dict[tuple[str, str], list[str]]:
    reach = in_reach(place.battle, place.unit("red"), may_fire(place.battle, place.unit("red")))
    return {key: [f.spec.id for f in chain] for key, chain in groups_of(place.battle, reach).items()}


# --- firers and targets -----------------------------------------------------------------------------------------------


@pytest.mark.rule("PAY-054", "PAY-092", "PAY-093", "PAY-094", "PAY-104")
def test_leaders_fire_alone_and_the_others_as_a_group() -> None:
    place = scene(red(3, leader="sergeant"), blue(3, y=16.0, leader="leader"))
    script = [
        ("fire", ("leader", "red.1")),
        ("fire at unit", "blue"),
        ("fire at", "blue.1"),
        ("fire", [5]),
        ("fire", "volley"),
        ("volley at", ("blue", "blue.1")),
        ("fire", [6, 6]),
        ("fire", "done"),
    ]
    place.play(fire_step, place.battle, place.unit("red"), script=script)
    assert [(d["target"], d["shots"]) for d in place.told("fire")] == [("blue.1", 1), ("blue", 2)]
    assert [place.figure(f"red.{n}").shots for n in (1, 2, 3)] == [1, 1, 1]


@pytest.mark.rule("PAY-092")
def test_a_leader_may_join_the_volley() -> None:
    place = scene(red(3, leader="sergeant"), blue(3, y=16.0))
    script = [("fire", "volley with leaders"), ("volley at", ("blue", "blue.1")), ("fire", [6, 6, 6]), ("fire", "done")]
    place.play(fire_step, place.battle, place.unit("red"), script=script)
    assert place.told("fire")[0]["shots"] == 3


@pytest.mark.rule("PAY-094", "PAY-061")
def test_any_man_may_hold_his_fire() -> None:
    place = scene(red(3), blue(3, y=16.0))
    script: list[tuple[str, Any]] = [
        ("fire", "volley of picked men"),
        ("fires", True),
        ("fires", False),
        ("fires", True),
    ]
    script += [("volley at", ("blue", "blue.1")), ("fire", [6, 6]), ("fire", "done")]
    place.play(fire_step, place.battle, place.unit("red"), script=script)
    assert [place.figure(f"red.{n}").shots for n in (1, 2, 3)] == [1, 0, 1]


@pytest.mark.rule("PAY-024", "PAY-100", "PAY-062")
def test_legionnaires_fire_two_volleys_in_their_step() -> None:
    place = scene(red(2), blue(2, y=16.0))
    one = [("fire", "volley"), ("volley at", ("blue", "blue.1")), ("fire", [6, 6])]
    place.play(fire_step, place.battle, place.unit("red"), script=[*one, *one])
    assert len(place.told("fire")) == 2 and firers(place) == []
    arabs = bare_unit("red", "red", row(2, y=10.0), kind="irregular", shots=1)
    other = scene(arabs, blue(2, y=16.0))
    other.play(fire_step, other.battle, other.unit("red"), script=one)


@pytest.mark.rule("PAY-102")
@pytest.mark.setting("second_shot_target")
def test_the_second_volley_is_free_or_bound_to_the_first_target() -> None:
    def place(setting: str) -> Scene:
        return scene(red(2), blue(2, y=16.0), bare_unit("more", "blue", row(2, 26.0, 16.0)), second_shot_target=setting)

    first = [("fire", "volley"), ("volley at", ("blue", "blue.1")), ("fire", [6, 6])]
    second = [("fire", "volley"), ("volley at", ("more", "more.1")), ("fire", [6, 6])]
    free = place("free")
    free.play(fire_step, free.battle, free.unit("red"), script=[*first, *second])
    same = place("same")
    with pytest.raises(AssertionError, match="is not an answer to"):
        same.play(fire_step, same.battle, same.unit("red"), script=[*first, *second])


@pytest.mark.rule("PAY-102", "PAY-092")
@pytest.mark.setting("second_shot_target")
def test_so_is_the_second_shot_of_a_leader() -> None:
    def place(setting: str) -> Scene:
        alone = bare_unit("red", "red", [(20.0, 10.0)], leader="sergeant")
        return scene(alone, blue(2, y=16.0), bare_unit("more", "blue", row(2, 26.0, 16.0)), second_shot_target=setting)

    first: list[tuple[str, Any]] = [("fire", ("leader", "red.1")), ("fire at unit", "blue"), ("fire at", "blue.2")]
    first += [("fire", [6]), ("fire", ("leader", "red.1"))]
    for setting, unit in (("free", "more"), ("same", "blue")):
        here = place(setting)
        script = [*first, ("fire at unit", unit), ("fire at", f"{unit}.1"), ("fire", [6])]
        here.play(fire_step, here.battle, here.unit("red"), script=script)
    bound = place("same")
    with pytest.raises(AssertionError, match="'more' is not an answer to"):
        bound.play(fire_step, bound.battle, bound.unit("red"), script=[*first, ("fire at unit", "more")])


@pytest.mark.rule("PAY-102", "PAY-092")
@pytest.mark.setting("second_shot_target")
def test_both_shots_of_a_leader_have_one_target_also_when_he_joins_a_volley() -> None:
    def place(setting: str) -> Scene:
        more = bare_unit("more", "blue", row(2, 26.0, 16.0))
        return scene(red(3, leader="sergeant"), blue(2, y=16.0), more, second_shot_target=setting)

    joined: list[tuple[str, Any]] = [("fire", "volley with leaders"), ("volley at", ("blue", "blue.1"))]
    joined += [("fire", [6, 6, 6]), ("fire", ("leader", "red.1"))]
    alone: list[tuple[str, Any]] = [("fire", ("leader", "red.1")), ("fire at unit", "blue"), ("fire at", "blue.1")]
    alone += [("fire", [6]), ("fire", "volley with leaders")]
    for script, refused in (([*joined, ("fire at unit", "more")], "'more'"), (alone, "'volley with leaders'")):
        bound = place("same")
        with pytest.raises(AssertionError, match=f"{refused} is not an answer to"):
            bound.play(fire_step, bound.battle, bound.unit("red"), script=script)
    free = place("free")
    more = [("fire at unit", "more"), ("fire at", "more.1"), ("fire", [6]), ("fire", "done")]
    free.play(fire_step, free.battle, free.unit("red"), script=[*joined, *more])


@pytest.mark.rule("PAY-102", "PAY-098")
@pytest.mark.setting("second_shot_target")
def test_a_leader_who_has_fired_at_a_stretch_shoots_again_at_a_man_along_it() -> None:
    place = scene(red(3, leader="sergeant"), blue(4, y=16.0), second_shot_target="same")
    script: list[tuple[str, Any]] = [("fire", "volley with leaders"), ("volley at", "a stretch")]
    script += [("stretch from", (20.0, 16.0)), ("stretch to", (20.0, 16.0)), ("fire", [6, 6, 6])]
    script += [("fire", ("leader", "red.1")), ("fire at unit", "blue"), ("fire", [6]), ("fire", "done")]
    place.play(fire_step, place.battle, place.unit("red"), script=script)  # only one man is there: no choice of target
    assert [told["target"] for told in place.told("fire")] == ["whoever was at 20, 16", "blue.1"]


@pytest.mark.rule("PAY-097")
@pytest.mark.setting("group_gap_in")
def test_a_group_hangs_together_by_small_gaps() -> None:
    spots = [(20.0, 20.0), (22.0, 20.0), (25.5, 20.0), (27.0, 20.0)]
    assert groups(scene(red(2), bare_unit("blue", "blue", spots))) == {
        ("blue", "blue.1"): ["blue.1", "blue.2"],
        ("blue", "blue.3"): ["blue.3", "blue.4"],
    }
    wider = scene(red(2), bare_unit("blue", "blue", spots), group_gap_in=2.5)
    assert list(groups(wider)) == [("blue", "blue.1")]
    assert groups(scene(red(2), blue(1))) == {}


@pytest.mark.rule("PAY-095", "PAY-098", "PAY-099")
def test_a_stretch_is_as_wide_as_the_firers_and_takes_whoever_stands_along_it() -> None:
    place = scene(
        bare_unit("red", "red", [(20.0, 10.0), (21.5, 10.0), (23.0, 10.0)]),
        blue(1),
        bare_unit("more", "blue", [(22.0, 20.9), (26.0, 20.0)]),
    )
    men = may_fire(place.battle, place.unit("red"))
    assert front_of(place.battle, men, (21.5, 20.0)) == pytest.approx(4.0)
    assert front_of(place.battle, men, (31.5, 20.0)) == pytest.approx(3 / 2**0.5 + 1)
    assert front_of(place.battle, men, (60.0, 10.0)) == front_of(place.battle, men, (21.5, 10.0)) == 1.0

    found = Targets(place.battle, place.unit("red"), men).along[(19.5, 20.0), (23.5, 20.0)]
    assert [figure.spec.id for figure in found] == ["blue.1", "more.1"]
    too_long = Targets(place.battle, place.unit("red"), men).refusal((18.0, 20.0), (25.0, 20.0))
    assert too_long is not None and "7.0 inches long" in too_long
    assert Targets(place.battle, place.unit("red"), men).refusal((19.5, 20.0), (23.5, 20.0)) is None


@pytest.mark.rule("PAY-099", "PAY-113")
def test_men_who_do_not_fire_widen_no_frontage() -> None:
    """Two of the three men see the wall. The third, far off on the flank, has a house in front of him."""
    house = {"house": ("building", [(37.0, 11.0), (45.0, 11.0), (45.0, 13.0), (37.0, 13.0)])}
    unit = bare_unit("red", "red", [(20.0, 10.0), (21.5, 10.0), (40.0, 10.0)])
    for areas, wide in ((house, False), ({}, True)):
        place = scene(unit, blue(4), areas=areas)
        men = may_fire(place.battle, unit)
        refused = Targets(place.battle, unit, men).refusal((18.0, 20.0), (24.0, 20.0))
        assert (refused is None) is wide and (wide or "the frontage is 2.5" in str(refused))


@pytest.mark.rule("PAY-098")
def test_a_stretch_may_find_a_single_private() -> None:
    place = scene(red(3), blue(1))
    script = [
        ("fire", "volley"),
        ("volley at", "a stretch"),
        ("stretch from", (20.0, 20.0)),
        ("stretch to", (20.0, 20.0)),
        ("fire", [6, 6, 6]),
        ("fire", "done"),
    ]
    place.play(fire_step, place.battle, place.unit("red"), script=script)
    assert place.told("fire")[0]["shots"] == 3
    place = scene(red(3), blue(3))
    script[2:4] = [("stretch from", (19.5, 20.0)), ("stretch to", (21.25, 20.04))]
    place.play(fire_step, place.battle, place.unit("red"), script=script)
    assert place.told("fire")[0]["target"] == "the stretch from 19.5, 20 to 21.2, 20"


@pytest.mark.rule("PAY-113")
def test_men_who_see_none_of_what_they_were_told_to_fire_at_are_not_told_again(monkeypatch: pytest.MonkeyPatch) -> None:
    place = scene(red(3), blue(4))
    monkeypatch.setattr("zareba_rulesets.paychest.actions.fire.volley", lambda *_: 0)  # no man sees a target
    script = [("fire", "volley"), ("volley at", ("blue", "blue.1"))]
    place.play(fire_step, place.battle, place.unit("red"), script=script)
    assert all("held" in figure.marks for figure in place.unit("red").able)


@pytest.mark.rule("PAY-098", "PAY-099")
def test_a_stretch_has_any_length_up_to_the_frontage_and_lies_as_its_owner_likes() -> None:
    spots = [(20.0, 18.0), (20.0, 20.3), (21.0, 21.8)]
    for end, hit in (((20.0, 19.0), 1), ((20.0, 20.7), 2), ((20.9, 21.1), 3)):
        place = scene(red(3), bare_unit("blue", "blue", spots))  # three firers in a rank have a frontage of 3.4 inches
        script = [("fire", "volley"), ("volley at", "a stretch"), ("stretch from", (20.0, 18.0)), ("stretch to", end)]
        dice: list[tuple[str, Any]] = [("fire", [1, 6, 6])]
        dice += [("who is hit", [hit])] if hit > 1 else []
        script += [*dice, ("casualty card", "arm_graze"), ("fire", "done")]
        place.play(fire_step, place.battle, place.unit("red"), script=script)
        assert place.told("casualty")[0]["figure"] == f"blue.{hit}"
    place = scene(red(3), bare_unit("blue", "blue", spots))
    script = [("fire", "volley"), ("volley at", "a stretch"), ("stretch from", (20.0, 18.0))]
    with pytest.raises(AssertionError, match="inches long"):
        place.play(fire_step, place.battle, place.unit("red"), script=[*script, ("stretch to", (20.0, 22.0))])


@pytest.mark.rule("PAY-098")
def test_a_stretch_may_be_named_from_either_of_its_ends() -> None:
    """Three men in a rank have a frontage of 3.4 inches. A target area begins within 4.4 inches of a target."""
    spots = [(10.0, 20.0), (20.0, 20.0), (30.0, 20.0)]
    for begin, end, hit in (
        ((20.0, 24.2), (20.0, 21.0), 2),
        ((30.0, 17.5), (30.0, 19.3), 3),
        ((7.0, 20.0), (9.2, 20.0), 1),
    ):
        for ends in ((begin, end), (end, begin)):
            place = scene(red(3), bare_unit("blue", "blue", spots))
            script = [
                ("fire", "volley"),
                ("volley at", "a stretch"),
                ("stretch from", ends[0]),
                ("stretch to", ends[1]),
            ]
            script += [("fire", [1, 6, 6]), ("casualty card", "arm_graze"), ("fire", "done")]
            place.play(fire_step, place.battle, place.unit("red"), script=script)
            assert place.told("casualty")[0]["figure"] == f"blue.{hit}"
    place = scene(red(3), bare_unit("blue", "blue", spots))
    script = [("fire", "volley"), ("volley at", "a stretch"), ("stretch from", (20.0, 24.5))]
    with pytest.raises(AssertionError, match="no stretch that begins there reaches a legal target"):
        place.play(fire_step, place.battle, place.unit("red"), script=script)


@pytest.mark.rule("PAY-098", "PAY-099")
def test_who_finds_no_end_for_his_stretch_may_begin_elsewhere() -> None:
    """From the flank the frontage of three men is one inch, which shows only after both ends are named."""
    place = scene(bare_unit("red", "red", row(3, y=20.0)), bare_unit("blue", "blue", [(32.0, 20.0), (34.0, 20.0)]))
    script: list[tuple[str, Any]] = [("fire", "volley"), ("volley at", "a stretch"), ("stretch from", (32.0, 23.0))]
    with pytest.raises(AssertionError, match=r"2\.0 inches long, but the frontage is 1\.\d"):
        place.play(fire_step, place.battle, place.unit("red"), script=[*script, ("stretch to", (32.0, 21.0))])
    place = scene(bare_unit("red", "red", row(3, y=20.0)), bare_unit("blue", "blue", [(32.0, 20.0), (34.0, 20.0)]))
    script += [("stretch to", (32.0, 23.0)), ("stretch from", (32.0, 20.0)), ("stretch to", (32.0, 20.0))]
    script += [("fire", [6, 6, 6]), ("fire", "done")]
    place.play(fire_step, place.battle, place.unit("red"), script=script)
    assert place.told("fire")[0]["target"] == "whoever was at 32, 20"


@pytest.mark.rule("PAY-096", "PAY-098")
def test_a_stretch_that_can_reach_one_leader_alone_is_refused_where_it_begins() -> None:
    foes = bare_unit("blue", "blue", [(20.0, 20.0), (30.0, 20.0)], leader="leader")
    place = scene(red(3), foes)
    script = [("fire", "volley"), ("volley at", "a stretch"), ("stretch from", (19.0, 22.0))]
    with pytest.raises(AssertionError, match="PAY-096"):
        place.play(fire_step, place.battle, place.unit("red"), script=script)


@pytest.mark.rule("PAY-096")
def test_a_unit_cannot_mass_its_fire_on_a_leader() -> None:
    place = scene(red(4), blue(1, leader="leader"))
    men = may_fire(place.battle, place.unit("red"))
    refused = Targets(place.battle, place.unit("red"), men).refusal((20.0, 20.0), (20.0, 20.0))
    assert refused is not None and "PAY-096" in refused
    place.play(fire_step, place.battle, place.unit("red"))  # no target, so no question


@pytest.mark.rule("PAY-101")
def test_who_can_be_fired_at() -> None:
    place = scene(red(2), blue(4), bare_unit("brave", "red", [(23.6, 21.0)]))
    place.figure("blue.1").fate = "unconscious"
    place.figure("blue.2").mark("down")
    reach = in_reach(place.battle, place.unit("red"), may_fire(place.battle, place.unit("red")))
    assert [figure.spec.id for figure in reach["blue"]] == ["blue.3"]  # excluded: unconscious, down, in contact
    far = scene(red(2), blue(2, y=47.0))
    assert in_reach(far.battle, far.unit("red"), may_fire(far.battle, far.unit("red"))) == {}


@pytest.mark.rule("PAY-103", "PAY-074", "PAY-086", "PAY-165")
def test_who_cannot_fire() -> None:
    things = {"chest": Thing("paychest", "c", "", None, heavy=True, carrier="red.1")}
    place = scene(red(7), bare_unit("foe", "blue", [(27.2, 11.0)]), things=things)
    place.figure("red.1").loads = ("chest",)
    place.figure("red.2").mark("down")
    place.figure("red.3").mark("back turned", "ran")
    place.figure("red.4").wounds = ("smashed_arm", "smashed_arm")
    place.figure("red.5").weapons = ("bayonet",)
    assert firers(place) == ["red.6"]  # red.7 is in contact


@pytest.mark.rule("PAY-103")
@pytest.mark.setting("fire_in_contact")
def test_leaders_may_use_pistols_in_contact_with_the_setting() -> None:
    for setting, count in (("no", 0), ("leaders_only", 1)):
        unit = red(1, leader="lieutenant", weapons=("pistol", "sword"))
        place = scene(unit, blue(1, y=11.0), blue_far(), fire_in_contact=setting)
        men = may_fire(place.battle, place.unit("red"))
        assert len(men) == count
        if men:
            assert list(single_targets(place.battle, place.unit("red"), men[0])) == ["blue"]


def blue_far() -> Any:
    return bare_unit("far", "blue", row(2, y=18.0))


# --- to hit -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PAY-107", "PAY-108", "PAY-109", "PAY-110", "PAY-121", "PAY-122")
def test_modifiers_add_up() -> None:
    place = scene(red(1))
    skill = place.rules.tallies["firearms"].total
    assert skill(FireFacts(4)) == 4
    assert skill(FireFacts(4, "medium")) == 3 and skill(FireFacts(4, "long")) == 2
    assert skill(FireFacts(4, "short", "advance")) == 2 and skill(FireFacts(4, "short", "run")) == 1
    assert skill(FireFacts(4, cover="soft")) == 3 and skill(FireFacts(4, cover="hard")) == 2
    assert skill(FireFacts(4, arm_wounds=1, body_wounds=2)) == 1
    assert skill(FireFacts(4, "long", "run", "hard")) == -3


@pytest.mark.rule("PAY-111")
@pytest.mark.setting("six_misses")
def test_a_skill_of_six_always_hits_unless_sixes_miss() -> None:
    for misses, hits in ((False, 1), (True, 0)):
        place = scene(red(1), six_misses=misses)
        assert place.play(shoot, FireFacts(6), 1, "red.1", script=[("fire", [6])]) == hits
        assert place.play(shoot, FireFacts(4), 2, "red.1", script=[("fire", [4, 5])]) == 1


@pytest.mark.rule("PAY-026", "PAY-100")
@pytest.mark.parametrize(("weapon", "most"), [("musket", 3), ("rifle", 6)])
def test_the_odds_of_two_volleys_have_one_shot_of_each_musket(weapon: str, most: int) -> None:
    found = chances("volley", weapon=weapon, inches=5.0, firers=3, shots=2)
    assert max(outcome.hits for outcome in found.outcomes) == most


@pytest.mark.rule("PAY-112")
def test_at_zero_or_less_a_one_and_then_the_plain_skill() -> None:
    place = scene(red(1))
    shot = FireFacts(4, "long", "run", arm_wounds=1)
    script = [("fire", [1, 1, 2, 3]), ("fire again", [4, 5])]
    assert place.play(shoot, shot, 4, "red.1", script=script) == 1
    assert place.play(shoot, shot, 4, "red.1", script=[("fire", [2, 3, 4, 6])]) == 0


@pytest.mark.rule("PAY-113")
def test_each_man_measures_to_the_nearest_target_that_he_sees() -> None:
    place = scene(bare_unit("red", "red", [(20.0, 10.0), (20.0, 2.0)]), blue(2, y=21.0))
    near, far = facts_of(place), facts_of(place, 2)
    assert near is not None and near.band == "short"
    assert far is not None and far.band == "medium"
    house = {"house": ("building", [(18.0, 13.0), (20.6, 13.0), (20.6, 17.0), (18.0, 17.0)])}
    hidden = scene(red(1), bare_unit("blue", "blue", [(20.0, 20.0), (30.0, 26.0)]), areas=house)
    shot = facts_of(hidden)
    assert shot is not None and shot.band == "medium"
    alone = scene(red(1), blue(1), areas=house)
    assert facts_of(alone) is None


WALL = {"wall": ("low_wall", [(10.0, 19.5), (22.0, 19.5)])}


@pytest.mark.rule("PAY-088", "PAY-114")
def test_cover_of_a_group_is_hard_if_half_of_it_is_behind_a_wall() -> None:
    for spots, cover in (
        ([(20.0, 20.0), (26.0, 20.0)], "hard"),
        ([(20.0, 20.0), (26.0, 20.0), (27.5, 20.0)], "none"),
        ([(20.0, 20.6), (21.2, 20.6)], "none"),  # not in contact with it
    ):
        shot = facts_of(scene(red(1), bare_unit("blue", "blue", spots), lines=WALL))
        assert shot is not None and shot.cover == cover
    behind = scene(red(1, y=30.0), blue(1), lines=WALL)
    shot = facts_of(behind)
    assert shot is not None and shot.cover == "none"  # the line does not cross the wall
    grove = {"grove": ("brush", [(15.0, 18.0), (25.0, 18.0), (25.0, 22.0), (15.0, 22.0)])}
    shot = facts_of(scene(red(1), blue(2), areas=grove))
    assert shot is not None and shot.cover == "soft"


@pytest.mark.rule("PAY-089")
@pytest.mark.parametrize(
    ("ground", "shape", "seen"),
    [
        ("building", [(15.0, 14.0), (25.0, 14.0), (25.0, 16.0), (15.0, 16.0)], False),
        ("rise", [(15.0, 14.0), (25.0, 14.0), (25.0, 16.0), (15.0, 16.0)], True),
        ("brush", [(15.0, 12.0), (25.0, 12.0), (25.0, 17.9), (15.0, 17.9)], True),
        ("brush", [(15.0, 12.0), (25.0, 12.0), (25.0, 18.1), (15.0, 18.1)], False),
        ("building", [(15.0, 18.0), (25.0, 18.0), (25.0, 22.0), (15.0, 22.0)], True),
    ],
)
def test_sight(ground: str, shape: list[tuple[float, float]], seen: bool) -> None:
    place = scene(red(1), blue(2), areas={"piece": (ground, shape)})
    assert bool(groups(place)) is seen


@pytest.mark.rule("PAY-089")
def test_a_high_wall_blocks_but_not_for_those_on_it() -> None:
    fort = {"wall": ("high_wall", [(10.0, 15.0), (40.0, 15.0)])}
    assert groups(scene(red(1), blue(2), lines=fort)) == {}
    assert groups(scene(red(1, y=15.0), blue(2), lines=fort)) != {}
    assert groups(scene(red(1), blue(2, y=15.0), lines=fort)) != {}


@pytest.mark.rule("PAY-089")
def test_a_crest_hides_what_is_lower_on_either_side() -> None:
    hill = [(0.0, 12.0), (60.0, 12.0), (60.0, 18.0), (0.0, 18.0)]
    crest = [(0.0, 14.0), (60.0, 14.0), (60.0, 16.0), (0.0, 16.0)]
    from tests.rulesets.paychest.stage import rules_with

    from zareba_rulesets.paychest.book.numbers import PaychestBook
    from zareba_rulesets.paychest.ground import Field

    field = Field(PaychestBook(rules_with()), 60, 48, {"hill": ("rise", hill, crest)}, {}, {})
    pieces = field.screens.near((0, 0, 60, 48))
    assert not line_is_clear((20.0, 10.0), (20.0, 20.0), pieces)
    assert line_is_clear((20.0, 15.0), (20.0, 20.0), pieces)


@pytest.mark.rule("PAY-090")
@pytest.mark.setting("los_figures_block")
def test_friends_block_sight_with_the_setting() -> None:
    for setting, seen in (("none", True), ("friends", False)):
        place = scene(red(1), bare_unit("friend", "red", [(20.0, 15.0)]), blue(1), los_figures_block=setting)
        men = may_fire(place.battle, place.unit("red"))
        assert bool(single_targets(place.battle, place.unit("red"), men[0])) is seen


# --- hits on a group ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("PAY-063", "PAY-105", "PAY-106", "PAY-115", "PAY-127")
def test_hits_pile_up_and_a_man_felled_in_the_volley_still_draws_cards() -> None:
    place = scene(red(3), blue(3, y=16.0))
    targets = place.unit("blue").able
    men = may_fire(place.battle, place.unit("red"))
    script = [("fire", [1, 1, 1]), ("who is hit", [2, 2, 2]), KILL, KILL, GRAZE]
    assert place.play(volley, place.battle, place.unit("red"), men, targets, "blue", script=script) == 3
    assert place.figure("blue.2").fate == "dead" and len(place.unit("blue").able) == 2
    assert place.unit("blue").hits == 3
    assert sum(loss["lost"] for loss in place.told("loss")) == 1
    assert place.told("loss")[0]["cause"] == "fire"


@pytest.mark.rule("PAY-105")
@pytest.mark.setting("hit_spread")
def test_hits_may_be_spread_evenly() -> None:
    place = scene(red(3), blue(3, y=16.0), hit_spread="even")
    targets = place.unit("blue").able
    men = may_fire(place.battle, place.unit("red"))
    script = [("fire", [1, 1, 1]), ("who is hit", [3]), ("who is hit", [1]), GRAZE, GRAZE, GRAZE]
    place.play(volley, place.battle, place.unit("red"), men, targets, "blue", script=script)
    assert [d["figure"] for d in place.told("casualty")] == ["blue.3", "blue.1", "blue.2"]


@pytest.mark.rule("PAY-188", "PAY-187")
@pytest.mark.setting("exposure_check")
def test_rifles_heed_exposure_only_with_the_setting() -> None:
    for setting, counted in (("guns_only", 1), ("all_fire", 0)):
        place = scene(red(1), blue(1), lines=WALL, exposure_check=setting)
        men = may_fire(place.battle, place.unit("red"))
        script = [("fire", [1]), ("casualty card", "leg_wound")]
        place.play(volley, place.battle, place.unit("red"), men, place.unit("blue").able, "blue", script=script)
        assert place.unit("blue").hits == counted


@pytest.mark.rule("PAY-113", "PAY-188")
def test_exposure_is_judged_from_those_who_fire() -> None:
    """A man with a pistol, out of range behind the wall's defender, does not move the centre of the firers there."""
    far = bare_unit("red", "red", [(20, 10), (20, 47)])
    far.figures["red.2"].weapons = ("pistol",)
    place = scene(far, blue(1), lines=WALL, exposure_check="all_fire")
    men = may_fire(place.battle, place.unit("red"))
    script = [("fire", [1]), ("casualty card", "leg_wound")]
    place.play(volley, place.battle, place.unit("red"), men, place.unit("blue").able, "blue", script=script)
    assert place.told("fire")[0]["shots"] == 1
    assert place.unit("blue").hits == 0


@pytest.mark.rule("PAY-105")
@pytest.mark.setting("hit_spread")
@pytest.mark.parametrize("spread", ["random", "even"])
def test_the_exact_odds_of_a_group_agree_with_play(spread: str) -> None:
    """Three hits on two men with a deck of three classes, over every path of the real functions."""
    from fractions import Fraction

    from zareba.testing import enumerate_paths
    from zareba_rulesets.paychest.chapters.to_hit import mark_hits

    deck = {"head_killed": 2, "arm_wound": 3, "head_unconscious": 1}
    found: dict[tuple[int, int], Fraction] = {}

    def run(table: Any) -> tuple[int, int]:
        place = scene(blue(2), deck=deck)
        table.state = place.battle
        targets = place.unit("blue").able
        mark_hits(table, place.battle, targets, 3, None, spread=spread, actor="x")
        fates = [figure.fate for figure in place.unit("blue").figures.values()]
        return fates.count("dead"), fates.count("unconscious")

    for key, p in enumerate_paths(scene(red(1)).rules, run):
        found[key] = found.get(key, Fraction(0)) + p
    exact = chances("group_casualties", {"hit_spread": spread}, hits=3, group=2, drawn=all_but(deck))
    assert {(o.killed, o.unconscious): p for o, p in exact.outcomes.items()} == found


@pytest.mark.rule("PAY-096")
def test_two_leaders_are_no_leader_alone() -> None:
    place = scene(red(4), blue(2, leader="leader"))
    place.figure("blue.2").rank = "sub_leader"
    men = may_fire(place.battle, place.unit("red"))
    assert Targets(place.battle, place.unit("red"), men).refusal((20.0, 20.0), (21.2, 20.0)) is None


@pytest.mark.rule("PAY-096", "PAY-098")
@pytest.mark.parametrize(("apart", "offered"), [(2.0, True), (2.1, False)])
def test_a_stretch_is_offered_where_two_leaders_stand_together_and_nobody_else(apart: float, offered: bool) -> None:
    chiefs = [
        bare_unit(name, "blue", [(x, 20.0)], kind="irregular", leader="chief")
        for name, x in (("a", 20.0), ("b", 20.0 + apart))
    ]
    place = scene(red(2, shots=1), *chiefs)
    script: list[tuple[str, Any]] = []
    if offered:
        script = [("fire", "volley"), ("volley at", "a stretch"), ("stretch from", (21.0, 20.0))]
        script += [("stretch to", (21.0, 20.0)), ("fire", [6, 6])]
    place.play(fire_step, place.battle, place.unit("red"), script=script)
    assert bool(place.told("fire")) is offered


@pytest.mark.rule("PAY-098", "PAY-099")
def test_one_man_has_a_frontage_of_an_inch() -> None:
    place = scene(red(1), blue(2))
    men = may_fire(place.battle, place.unit("red"))
    for end, allowed in ((21.0, True), (21.1, False)):
        assert (Targets(place.battle, place.unit("red"), men).refusal((20.0, 20.0), (end, 20.0)) is None) is allowed


@pytest.mark.rule("PAY-024", "PAY-100")
def test_every_activation_begins_with_all_shots_and_volleys() -> None:
    place = scene(red(3), blue(4))
    volleys: list[tuple[str, Any]] = [("fire", "volley"), ("volley at", ("blue", "blue.1")), ("fire", [6, 6, 6])]
    for _ in range(2):
        place.play(begin_activation, place.battle, place.unit("red"), script=[("acting corporal", "nobody")])
        place.play(fire_step, place.battle, place.unit("red"), script=[*volleys, *volleys])
        assert place.unit("red").volleys == 2 and not readiness(place.battle, place.unit("red")).group
