"""Fire: firers, targets, stretches, range, cover, and hits on a group."""

from __future__ import annotations

from math import dist
from pathlib import Path
from typing import Any

import pytest
from tests.rulesets.paychest.stage import (
    Scene,
    Script,
    all_but,
    bare_unit,
    blue,
    chances,
    facts_of,
    printed_book,
    red,
    row,
    scene,
)

from zareba.agents import make_agent
from zareba.analysis.games.records import Variant
from zareba.analysis.games.simulate import game_for
from zareba.registry import find_house_rule, load_rules
from zareba.table import ScriptedTable, SeededTable
from zareba_rulesets.paychest.actions.fire import fire_step
from zareba_rulesets.paychest.chapters.fire import (
    FireFacts,
    Firer,
    front_of,
    groups_of,
    has_single_target,
    in_reach,
    lay_stretch,
    may_fire,
    muzzles_of,
    shoot,
    shoot_out_of_turn,
    single_targets,
    targets_out_of_turn,
    volley,
)
from zareba_rulesets.paychest.chapters.sight import (
    cover_class,
    covers_of,
    foes_near,
    height_of,
    in_contact,
    obstacles_between,
    sees,
)
from zareba_rulesets.paychest.chapters.targets import Targets, volley_group
from zareba_rulesets.paychest.forces.battle import Battle, band_of
from zareba_rulesets.paychest.forces.units import Thing, Unit


@pytest.mark.rule("PAY-008", "PAY-026", "PAY-180")
def test_a_limit_belongs_to_its_band() -> None:
    assert [band_of(printed_book().bands["rifle"], inches) for inches in (12, 12.01, 24, 36, 36.01)] == [
        "short", "medium", "medium", "long", None,
    ]  # fmt: skip
    assert [band_of(printed_book().bands["shell"], inches) for inches in (24, 48, 72, 73)] == [
        "short",
        "medium",
        "long",
        None,
    ]
    assert (
        band_of(printed_book().bands["thrown_spear"], 6) == "medium"
        and band_of(printed_book().bands["thrown_spear"], 7) is None
    )


KILL = ("casualty card", "head_killed")
GRAZE = ("casualty card", "arm_graze")


def firers(place: Scene) -> list[str]:
    return [firer.figure.spec.id for firer in may_fire(place.battle, place.unit("red"))]


def groups(place: Scene) -> dict[tuple[str, str], list[str]]:
    reach = in_reach(place.battle, place.unit("red"), may_fire(place.battle, place.unit("red")))
    return {key: [f.spec.id for f in chain] for key, chain in groups_of(place.battle, reach).items()}


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


@pytest.mark.rule("PAY-094")
@pytest.mark.parametrize(("picked", "fire"), [((), ["red.1", "red.2", "red.3"]), (("red.2",), ["red.2"])])
def test_figures_picked_for_a_volley_fire_alone(picked: Any, fire: list[str]) -> None:
    place = scene(red(3), blue(2, y=16.0))
    firers, group = volley_group(place.battle, place.unit("red"), ("blue", "blue.1"), picked)
    assert [firer.figure.spec.id for firer in firers] == fire and len(group) == 2


@pytest.mark.rule("PAY-007")
def test_figures_at_the_table_edge_count_as_near() -> None:
    place = scene(bare_unit("red", "red", [(0.5, 10.0)]), bare_unit("blue", "blue", [(0.5, 11.0)]))
    assert [unit.spec.id for unit in foes_near(place.battle, place.unit("red"))] == ["blue"]


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
def test_second_shot_of_a_leader_follows_the_setting() -> None:
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
    script += [("stretch from", (20.04, 16.0)), ("stretch to", (20.04, 16.0)), ("fire", [6, 6, 6])]
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

    found = Targets(place.battle, place.unit("red"), men).figures_along[(19.5, 20.0), (23.5, 20.0)]
    assert [figure.spec.id for figure in found] == ["blue.1", "more.1"]
    too_long = Targets(place.battle, place.unit("red"), men).refusal((18.0, 20.0), (25.0, 20.0))
    assert too_long is not None and "7.0 inches long" in too_long
    assert Targets(place.battle, place.unit("red"), men).refusal((19.5, 20.0), (23.5, 20.0)) is None


@pytest.mark.rule("PAY-098")
def test_suggested_stretches_are_those_that_are_allowed_and_the_place_of_the_target() -> None:
    offered: dict[str, list[tuple[float, float]]] = {}

    class Noting(ScriptedTable):
        """A table that records where a stretch is suggested to begin and to end."""

        def answer(self, question: Any) -> Any:
            offered[question.why] = list(question.suggestions)
            return super().answer(question)

    def too_long(a: tuple[float, float], b: tuple[float, float]) -> str | None:
        return "too long" if dist(a, b) > 2.1 or a == b else None

    place, here = scene(red(1), blue(1)), (20.0, 20.0)
    script = [("stretch from", (21.0, 20.0)), ("stretch to", (19.0, 20.0))]
    with Noting(place.rules, place.battle, script) as table:
        lay_stretch(table, "red", "red", (20.0, 10.0), [here], lambda _: 4.0, lambda _: None, too_long)
    assert offered["stretch from"] == [(21.0, 20.0), here], "half the frontage, and the target itself"
    assert offered["stretch to"] == [(19.0, 20.0)], "the other end of half the frontage"


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
def test_stretch_without_a_legal_end_may_begin_at_another_figure() -> None:
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
def test_units_that_may_be_fired_at() -> None:
    place = scene(red(2), blue(4), bare_unit("brave", "red", [(23.6, 21.0)]))
    place.figure("blue.1").fate = "unconscious"
    place.figure("blue.2").mark("down")
    reach = in_reach(place.battle, place.unit("red"), may_fire(place.battle, place.unit("red")))
    assert [figure.spec.id for figure in reach["blue"]] == ["blue.3"]  # excluded: unconscious, down, in contact
    far = scene(red(2), blue(2, y=47.0))
    assert in_reach(far.battle, far.unit("red"), may_fire(far.battle, far.unit("red"))) == {}


@pytest.mark.rule("PAY-103", "PAY-074", "PAY-086", "PAY-165")
def test_figures_that_cannot_fire() -> None:
    things = {"chest": Thing("paychest", "c", "", None, heavy=True, carrier="red.1")}
    place = scene(red(7), bare_unit("foe", "blue", [(27.2, 11.0)]), things=things)
    place.figure("red.1").loads = ("chest",)
    place.figure("red.2").mark("down")
    place.figure("red.3").mark("back turned", "ran")
    place.figure("red.4").wounds = ("smashed_arm", "smashed_arm")
    place.figure("red.5").weapons = ("bayonet",)
    assert firers(place) == ["red.6"]  # red.7 is in contact


@pytest.mark.rule("PAY-111")
@pytest.mark.setting("six_misses")
def test_a_skill_of_six_always_hits_unless_sixes_miss() -> None:
    for misses, hits in ((False, 1), (True, 0)):
        place = scene(red(1), six_misses=misses)
        assert place.play(shoot, FireFacts(6), 1, "red.1", script=[("fire", [6])]) == hits
        assert place.play(shoot, FireFacts(4), 2, "red.1", script=[("fire", [4, 5])]) == 1


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


@pytest.mark.rule("PAY-101", "PAY-103", "PAY-106")
def test_a_volley_out_of_turn_is_fired_by_all_who_have_a_shot_left() -> None:
    place = scene(red(3), blue(3, y=16.0))
    us, them = place.unit("red"), place.unit("blue")
    assert targets_out_of_turn(place.battle, us) == [them]
    assert place.play(shoot_out_of_turn, place.battle, us, them, script=[("fire", [6, 6, 6])])
    assert [(fire["shots"], fire["hits"]) for fire in place.told("fire")] == [(3, 0)]


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
    from zareba_rulesets.paychest.chapters.fire import assign_hits

    deck = {"head_killed": 2, "arm_wound": 3, "head_unconscious": 1}
    found: dict[tuple[int, int], Fraction] = {}

    def run(table: Any) -> tuple[int, int]:
        place = scene(blue(2), deck=deck)
        table.state = place.battle
        targets = place.unit("blue").able
        assign_hits(table, place.battle, targets, 3, None, spread=spread, actor="x")
        fates = [figure.fate for figure in place.unit("blue").figures.values()]
        return fates.count("dead"), fates.count("unconscious")

    for key, p in enumerate_paths(scene(red(1)).rules, run):
        found[key] = found.get(key, Fraction(0)) + p
    exact = chances("group_casualties", {"hit_spread": spread}, hits=3, group=2, drawn=all_but(deck))
    assert {(o.killed, o.unconscious): p for o, p in exact.outcomes.items()} == found


@pytest.mark.rule("PAY-096", "PAY-098")
@pytest.mark.parametrize(("apart", "offered"), [(2.0, True), (2.1, False)])
def test_stretch_is_offered_if_two_leaders_stand_alone_together(apart: float, offered: bool) -> None:
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


AT_BLUE = ("volley at", ("blue", "blue.1"))


def fires(place: Scene, *script: Script) -> list[tuple[str, int]]:
    """Play red's fire step. Returns the target and the number of shots of every volley and single shot."""
    place.play(fire_step, place.battle, place.unit("red"), script=script)
    return [(told["target"], told["shots"]) for told in place.told("fire")]


@pytest.mark.rule("PAY-094", "PAY-100", "PAY-024")
def test_men_who_held_their_fire_do_not_fire_a_separate_volley() -> None:
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
def test_figures_that_see_no_target_do_not_fire_at_another() -> None:
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
def test_picking_no_figure_holds_fire() -> None:
    place = scene(red(2), blue(2, y=16.0))
    assert fires(place, ("fire", "volley of picked men"), ("fires", False), ("fires", False)) == []


@pytest.mark.rule("PAY-103", "PAY-092")
@pytest.mark.setting("fire_in_contact")
def test_leader_in_contact_shoots_only_at_his_opponent() -> None:
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
def test_only_leaders_fire_in_contact_and_light_loads_do_not_prevent_fire() -> None:
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
def test_second_volley_is_free_if_the_first_stretch_is_empty() -> None:
    place = by_the_wall(second_shot_target="same")
    killed: list[Script] = [*stretch(20.0), ("fire", [1, 6, 6]), ("casualty card", "head_killed")]
    fires(place, *killed, *stretch(26.0), ("fire", [1, 6, 6]), GRAZE)
    assert place.unit("more").hits == 1


@pytest.mark.rule("PAY-101", "PAY-063")
def test_cached_targets_are_recomputed_after_a_man_runs() -> None:
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


def lines_drawn(battle: Battle, unit: Unit, firers: list[Firer]) -> dict[str, list[str]]:
    """Map each enemy unit to those of its men that some firer may aim at."""
    ground = tuple(battle.field.blockers.all)
    found = {}
    for enemy in battle.enemies(unit.spec.side):
        friends = foes_near(battle, enemy, side=unit.spec.side)
        men = []
        for figure in enemy.able:
            at = figure.at
            assert at is not None
            view = obstacles_between(battle, unit.spec.side, unit.box, enemy.box)._replace(pieces=ground, blocked=False)
            clear = any(
                dist(muzzle.at, at) + muzzle.height + height_of(battle, figure) <= muzzle.range
                and sees(battle, view, muzzle.at, at)
                for muzzle in muzzles_of(battle, firers)
            )
            driven = figure.spec.id in battle.moved_away
            if clear and not driven and "down" not in figure.marks and not in_contact(battle, figure, friends):
                men.append(figure.spec.id)
        if men:
            found[enemy.spec.id] = men
    return found


@pytest.mark.parametrize(
    ("scenario", "settings"),
    [
        ("hill_fort", ()),
        ("patrol_clash", (("los_figures_block", "friends"), ("fire_in_contact", "leaders_only"))),
    ],
)
def test_only_units_in_sight_and_range_may_be_fired_at(scenario: str, settings: tuple[tuple[str, Any], ...]) -> None:
    game = game_for(Variant("paychest", "paychest", settings), scenario)
    state: Battle = game.start()
    players = {seat: make_agent("random", game, seat, 9) for seat in game.seats}
    asked = seen = 0

    def agent(question: Any, battle: Any) -> Any:
        nonlocal asked, seen
        if question.why == "fire":
            asked += 1
            unit = battle.unit(question.actor)
            firers = may_fire(battle, unit)
            reach = in_reach(battle, unit, firers)
            men = {name: [figure.spec.id for figure in figures] for name, figures in reach.items()}
            assert men == lines_drawn(battle, unit, firers)
            seen += len(men)
            for firer in firers:
                there = bool(single_targets(battle, unit, firer))
                assert has_single_target(battle, unit, firer) is there, firer.figure.spec.id
                if battle.is_leader(firer.figure) and "held" not in firer.figure.marks:
                    assert (("leader", firer.figure.spec.id) in question.options) is there
        return players[question.seat](question, battle)

    table = SeededTable(game.rules, state, 9, dict.fromkeys(game.seats, agent))
    while (step := game.play.next_step(state)) is not None and asked < 30:
        table.begin(step)
        game.play.perform(table, state, step)
    assert asked >= 30 and seen > 30
