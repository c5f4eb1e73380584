"""Machine guns and artillery: crews, jams, shells, and targets in cover."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.paychest.stage import Scene, Script, bare_unit, blue, chances, machine_acts, red, row, scene

from zareba_rulesets.paychest.actions.fire import fire_step
from zareba_rulesets.paychest.actions.movement import move_unit
from zareba_rulesets.paychest.book.tables import Gait
from zareba_rulesets.paychest.chapters.fire import FireFacts, may_fire
from zareba_rulesets.paychest.chapters.guns import (
    GunTarget,
    cover_shock,
    gun_facts,
    gun_groups,
    gun_shot,
    gun_stretch,
    is_ready,
    roll_to_hit_with_gun,
    servers,
)
from zareba_rulesets.paychest.chapters.targets import gun_refusal, has_gun_target
from zareba_rulesets.paychest.forces.battle import Engine, gun_limit
from zareba_rulesets.paychest.sequence import end_activation

GRAZE = ("casualty card", "arm_graze")


def piece(kind: str, **more: Any) -> dict[str, Engine]:
    return {"gun": Engine(kind, "the gun", "red", "red", (20.0, 10.0), **more)}


def gunners(count: int = 2, **more: Any) -> Any:
    spots = [(18.5, 10.0), (21.5, 10.0), (20.0, 8.5), (30.0, 3.0)]
    return bare_unit("red", "red", spots[:count], **more)


def battery(kind: str, targets: Any, count: int = 2, crew: dict[str, Any] | None = None, **more: Any) -> Scene:
    return scene(gunners(count, **(crew or {})), targets, engines=piece(kind), **more)


def leader(name: str, x: float) -> Any:
    return bare_unit(name, "blue", [(x, 20.0)], kind="irregular", leader="chief")


def gun(place: Scene) -> Engine:
    return place.battle.engines["gun"]


def target(place: Scene) -> GunTarget:
    return next(iter(gun_groups(place.battle, gun(place)).values()))


def shot(place: Scene) -> FireFacts:
    facts = gun_facts(place.battle, gun(place), servers(place.battle, gun(place))[0], target(place))
    assert facts is not None
    return facts


@pytest.mark.rule("PAY-172", "PAY-178")
def test_the_best_shot_at_the_gun_fires_it_and_nothing_else() -> None:
    unit = gunners(4, firearms=3)
    better = bare_unit("red", "red", [(0, 0), (21.5, 10.0)], firearms=5).figures["red.2"]
    unit.figures["red.2"] = better
    place = scene(unit, blue(3), engines=piece("machine_gun"))
    assert [f.spec.id for f in servers(place.battle, gun(place))] == ["red.2"]
    assert shot(place).skill == 5
    script = [("served by", ("red.2",)), ("machine gun", [5]), ("rounds that hit", [1]), ("who is hit", [1]), GRAZE]
    place.play(gun_shot, place.battle, "gun", target(place), script=script)
    assert [f.figure.spec.id for f in may_fire(place.battle, place.unit("red"))] == ["red.1", "red.3", "red.4"]
    away = battery("machine_gun", blue(3))
    for name in ("red.1", "red.2"):
        away.figure(name).at = (30.0, 5.0)
    assert not is_ready(away.battle, gun(away))


@pytest.mark.rule("PAY-172")
@pytest.mark.setting("mg_cover_modifier")
def test_cover_counts_against_machine_guns_unless_ignored() -> None:
    wall = {"wall": ("low_wall", [(10.0, 19.5), (40.0, 19.5)])}
    for setting, skill in (("apply", 2), ("ignore", 4)):
        place = battery("machine_gun", blue(2), lines=wall, mg_cover_modifier=setting)
        assert shot(place).cover == "hard"
        assert place.rules.tallies["firearms"].total(shot(place)) == skill


@pytest.mark.rule("PAY-173", "PAY-181")
@pytest.mark.setting("group_bonus_counts")
def test_a_massed_target_adds_one_for_every_full_three() -> None:
    for setting, bonus in (("exposed", 1), ("all", 2)):
        place = battery("machine_gun", blue(7), group_bonus_counts=setting)
        for name in ("blue.1", "blue.2"):
            place.figure(name).mark("down")
        assert shot(place).bonus == bonus
    assert shot(battery("gun", blue(8))).bonus == 2


@pytest.mark.rule("PAY-175")
@pytest.mark.setting("jam_test")
def test_which_second_one_jams() -> None:
    def fired(setting: str, script: list[tuple[str, Any]], shots: int = 1) -> Engine:
        engine = piece("machine_gun")["gun"]
        place = scene(red(1), jam_test=setting)
        for _ in range(shots):
            place.play(roll_to_hit_with_gun, engine, FireFacts(4, weapon="machine_gun"), "gun", script=script)
        return engine

    assert fired("same_shot", [("machine gun", [1]), ("machine gun again", [1])]).jammed
    assert not fired("same_shot", [("machine gun", [1]), ("machine gun again", [2])]).jammed
    assert not fired("consecutive_shots", [("machine gun", [1])]).jammed
    assert fired("consecutive_shots", [("machine gun", [1])], shots=2).jammed


@pytest.mark.rule("PAY-175")
@pytest.mark.setting("jam_effect")
def test_the_shot_that_jams_hits_or_is_lost() -> None:
    for setting, hit in (("hit_stands", True), ("burst_lost", False)):
        place = scene(red(1), jam_effect=setting)
        script = [("machine gun", [1]), ("machine gun again", [1])]
        engine = piece("machine_gun")["gun"]
        assert place.play(roll_to_hit_with_gun, engine, FireFacts(4, weapon="machine_gun"), "gun", script=script) is hit


@pytest.mark.rule("PAY-175", "PAY-190")
@pytest.mark.setting("jam_effect", "shock_trigger")
@pytest.mark.parametrize(
    ("effect", "trigger", "shaken"),
    [("hit_stands", "on_hit", True), ("burst_lost", "on_hit", False), ("burst_lost", "on_fire", True)],
)
def test_jammed_burst_causes_shock_only_if_every_shot_does(effect: str, trigger: str, shaken: bool) -> None:
    wall = {"wall": ("low_wall", [(10.0, 19.5), (40.0, 19.5)])}
    place = battery("machine_gun", blue(9), lines=wall, jam_effect=effect, shock_trigger=trigger)
    for number in range(1, 9):
        place.figure(f"blue.{number}").mark("down")
    script: list[tuple[str, Any]] = [("served by", ("red.1",)), ("machine gun", [1]), ("machine gun again", [1])]
    script += [("rounds that hit", [1]), GRAZE] if effect == "hit_stands" else []
    script += [("cover shock", [4]), ("second morale roll", [6])] if shaken else []
    place.play(gun_shot, place.battle, "gun", target(place), script=script)
    assert gun(place).jammed and bool(place.told("shock")) is shaken


@pytest.mark.rule("PAY-112", "PAY-175")
def test_jamming_shot_may_also_miss() -> None:
    place, engine = scene(red(1)), piece("machine_gun")["gun"]
    script = [("machine gun", [1]), ("machine gun again", [1])]
    assert not place.play(roll_to_hit_with_gun, engine, FireFacts(0, weapon="machine_gun"), "gun", script=script)
    assert engine.jammed


@pytest.mark.rule("PAY-111", "PAY-172")
@pytest.mark.setting("six_misses")
def test_a_six_misses_with_a_machine_gun_too_if_it_does_with_rifles() -> None:
    for setting, hit in ((False, True), (True, False)):
        place, engine = scene(red(1), six_misses=setting), piece("machine_gun")["gun"]
        facts = FireFacts(4, weapon="machine_gun", bonus=4)
        assert place.play(roll_to_hit_with_gun, engine, facts, "gun", script=[("machine gun", [6])]) is hit


@pytest.mark.rule("PAY-103", "PAY-178")
def test_figure_in_contact_does_not_serve_a_gun() -> None:
    place = battery("gun", bare_unit("blue", "blue", [(17.5, 10.0), (30.0, 20.0), (31.2, 20.0)]), count=3)
    assert [figure.spec.id for figure in servers(place.battle, gun(place))] == ["red.2", "red.3"]
    place.figure("blue.2").at = (22.5, 10.0)
    place.battle.change("blue").measure()
    assert servers(place.battle, gun(place)) == []


@pytest.mark.rule("PAY-165", "PAY-166", "PAY-178")
@pytest.mark.parametrize("mark", ["down", "ran", "back turned"])
def test_figure_unfit_to_fire_does_not_serve_a_gun(mark: str) -> None:
    place = battery("gun", blue(3))
    assert len(servers(place.battle, gun(place))) == 2
    place.figure("red.1").mark(mark)
    assert servers(place.battle, gun(place)) == []


@pytest.mark.rule("PAY-176")
@pytest.mark.setting("jam_clear")
def test_clearing_a_jam_takes_an_activation_or_a_shot() -> None:
    from zareba_rulesets.paychest.actions.movement import move_unit

    place = battery("machine_gun", blue(3))
    gun(place).jammed = True
    assert not is_ready(place.battle, gun(place))
    place.play(move_unit, place.battle, place.unit("red"), script=[("move", "clear the jam")])
    assert may_fire(place.battle, place.unit("red")) == [] and gun(place).jammed
    place.play(end_activation, place.battle, place.unit("red"))
    assert not gun(place).jammed and len(place.told("jam cleared")) == 1
    lost = battery("machine_gun", blue(3))
    gun(lost).jammed = True
    lost.play(move_unit, lost.battle, lost.unit("red"), script=[("move", "clear the jam")])
    for figure in lost.unit("red").able:
        figure.at = (40.0, 40.0)  # no crew is left at the gun
    lost.play(end_activation, lost.battle, lost.unit("red"))
    assert gun(lost).jammed and not lost.told("jam cleared")
    quick = battery("machine_gun", blue(3), count=1, crew={"weapons": ()}, jam_clear="one_shot")
    gun(quick).jammed = True
    script: list[tuple[str, Any]] = [
        ("fire", ("unjam", "gun")),
        ("fire", ("gun", "gun")),
        ("gun at", ("blue", "blue.1")),
    ]
    quick.play(fire_step, quick.battle, quick.unit("red"), script=[*script, ("machine gun", [6])])
    assert not gun(quick).jammed and gun(quick).shots == 2


@pytest.mark.rule("PAY-176", "PAY-178")
@pytest.mark.setting("jam_clear")
def test_clearing_a_jam_uses_the_crewmans_fire() -> None:
    place = battery("machine_gun", blue(3), jam_clear="one_shot")
    gun(place).jammed = True
    script: list[tuple[str, Any]] = [("fire", ("unjam", "gun")), ("served by", ("red.2",)), ("fire", "done")]
    place.play(fire_step, place.battle, place.unit("red"), script=script)
    assert [firer.figure.spec.id for firer in may_fire(place.battle, place.unit("red"))] == ["red.1"]
    assert [figure.spec.id for figure in servers(place.battle, gun(place))] == ["red.2"]


@pytest.mark.rule("PAY-177")
@pytest.mark.setting("mg_shots_regular")
def test_shots_of_a_machine_gun() -> None:
    for setting in (2, 1):
        place = battery("machine_gun", blue(3), mg_shots_regular=setting)
        assert gun_limit(place.battle, gun(place)) == setting
    natives = battery("machine_gun", bare_unit("foe", "blue", row(3)), crew={"kind": "irregular"})
    assert gun_limit(natives.battle, gun(natives)) == 1


@pytest.mark.rule("PAY-178", "PAY-179")
def test_guns_fire_at_groups_or_four_inches_of_ground_never_at_a_leader_alone() -> None:
    place = battery("machine_gun", blue(1, leader="leader"), crew={"weapons": ()})
    assert gun_groups(place.battle, gun(place)) == {}
    place.play(fire_step, place.battle, place.unit("red"))
    spread = bare_unit("blue", "blue", [(16.0, 20.0), (17.2, 20.0), (23.0, 20.0), (24.2, 20.0)])
    other = battery("gun", spread, crew={"weapons": ()})
    script: list[tuple[str, Any]] = [("fire", ("gun", "gun")), ("gun at", "a stretch")]
    script += [("stretch from", (18.0, 26.0))]
    with pytest.raises(AssertionError, match="reaches a legal target"):
        other.play(fire_step, other.battle, other.unit("red"), script=script)
    script[2:] = [("stretch from", (17.2, 20.0)), ("stretch to", (22.2, 20.0))]
    with pytest.raises(AssertionError, match=r"at most 4\.0"):
        other.play(fire_step, other.battle, other.unit("red"), script=script)
    script[3:] = [("stretch to", (21.0, 20.0)), ("fire", [6])]
    other.play(fire_step, other.battle, other.unit("red"), script=script)
    assert other.told("gun fires")[0]["target"] == "the stretch from 17.2, 20 to 21, 20"


@pytest.mark.rule("PAY-096", "PAY-098", "PAY-178")
@pytest.mark.parametrize(("apart", "offered"), [(2.0, True), (2.1, False)])
def test_a_gun_may_fire_at_a_stretch_that_holds_none_but_leaders_if_there_are_two(apart: float, offered: bool) -> None:
    place = scene(gunners(1), leader("a", 20.0), leader("b", 20.0 + apart), engines=piece("machine_gun"))
    assert has_gun_target(place.battle, gun(place)) is offered
    if offered:
        script: list[tuple[str, Any]] = [("fire", ("gun", "gun")), ("gun at", "a stretch")]
        script += [("stretch from", (21.0, 20.0)), ("stretch to", (21.0, 20.0)), ("machine gun", [6]), ("fire", "done")]
        place.play(fire_step, place.battle, place.unit("red"), script=script)
        assert place.told("gun fires")[0]["target"] == "whoever was at 21, 20"


@pytest.mark.rule("PAY-179", "PAY-180", "PAY-110")
def test_shells_have_their_own_ranges_and_no_cover() -> None:
    wall = {"wall": ("low_wall", [(10.0, 39.5), (40.0, 39.5)])}
    place = battery("gun", blue(2, y=40.0), lines=wall)
    facts = shot(place)
    assert (facts.band, facts.weapon) == ("medium", "shell")
    assert place.rules.tallies["firearms"].total(facts) == 3


@pytest.mark.rule("PAY-182", "PAY-184")
def test_a_shell_makes_4d6_hits_with_a_crew_of_two() -> None:
    place = battery("gun", blue(3))
    script = [("fire", [2]), ("rounds that hit", [1, 1, 1, 1]), ("who is hit", [1, 1, 2, 2]), GRAZE, GRAZE, GRAZE]
    place.play(gun_shot, place.battle, "gun", target(place), script=[*script, ("casualty card", "leg_wound")])
    assert place.unit("blue").hits == 4
    alone = battery("gun", blue(3), count=1)
    assert not is_ready(alone.battle, gun(alone))


@pytest.mark.rule("PAY-172", "PAY-178", "PAY-184")
def test_owner_chooses_the_gun_crew() -> None:
    unit = gunners(3, firearms=3)
    unit.figures["red.2"] = bare_unit("red", "red", [(0, 0), (21.5, 10.0)], firearms=5).figures["red.2"]
    place = scene(unit, blue(3), engines=piece("gun"), artillery_shots_regular=2)
    assert shot(place).skill == 5
    script = [("served by", ("red.1", "red.3")), ("fire", [5])]  # 3 + 1 for three men, so a 5 misses
    place.play(gun_shot, place.battle, "gun", target(place), script=script)
    assert [f.figure.spec.id for f in may_fire(place.battle, place.unit("red"))] == ["red.2"]
    place.play(gun_shot, place.battle, "gun", target(place), script=[("fire", [5])])  # the same men again


@pytest.mark.rule("PAY-184")
@pytest.mark.setting("artillery_shots_regular")
def test_shells_of_a_turn() -> None:
    for setting in (1, 2):
        place = battery("gun", blue(3), artillery_shots_regular=setting)
        assert gun_limit(place.battle, gun(place)) == setting
    natives = battery("gun", bare_unit("foe", "blue", row(3)), crew={"kind": "irregular"}, artillery_shots_regular=2)
    assert gun_limit(natives.battle, gun(natives)) == 1


@pytest.mark.rule("PAY-084")
def test_a_field_piece_that_moved_does_not_fire_and_a_machine_gun_fires_worse() -> None:
    for kind, fires in (("gun", False), ("machine_gun", True)):
        place = battery(kind, blue(3))
        gun(place).moved = "advance"
        assert is_ready(place.battle, gun(place)) is fires
    assert shot(place).gait == "advance"
    gun(place).limbered = True
    assert not is_ready(place.battle, gun(place))


@pytest.mark.rule("PAY-084", "PAY-108", "PAY-109", "PAY-172")
@pytest.mark.parametrize("gait", ["advance", "run"])
def test_machine_gunner_fires_at_his_own_gait(gait: Gait) -> None:
    for kind, worst in (("machine_gun", gait), ("gun", "halt")):
        place = battery(kind, blue(3))
        for name in ("red.1", "red.2"):
            place.figure(name).gait = gait
        assert shot(place).gait == worst
    cart = {"cart": Engine("wagon", "cart", "red", "red", (20.0, 10.0), mount="", aboard=("red.1",))}
    aboard = scene(gunners(1), blue(3), engines=cart | piece("machine_gun", mount="conveyance", carrier="cart"))
    man = aboard.figure("red.1")
    man.at, man.aboard, man.gait = (20.0, 10.0), "cart", gait  # he has boarded; the cart halts
    assert shot(aboard).gait == "halt"


@pytest.mark.rule("PAY-187")
def test_a_card_for_a_covered_part_is_void_and_spent() -> None:
    wall = {"wall": ("low_wall", [(10.0, 19.5), (40.0, 19.5)])}
    place = battery("machine_gun", blue(3), count=1, lines=wall)
    script = [("machine gun", [2]), ("rounds that hit", [2]), ("who is hit", [1, 2]), ("casualty card", "leg_crippled")]
    place.play(gun_shot, place.battle, "gun", target(place), script=[*script, ("casualty card", "arm_wound")])
    assert place.unit("blue").hits == 1 and len(place.told("void card")) == 1
    assert sum(place.battle.casualties.discards.values()) == 2


def hiding(down: int, count: int, **settings: Any) -> Scene:
    wall = {"wall": ("low_wall", [(10.0, 19.5), (40.0, 19.5)])}
    place = battery("gun", blue(count), lines=wall, **settings)
    for number in range(1, down + 1):
        place.figure(f"blue.{number}").mark("down")
    return place


@pytest.mark.rule("PAY-186", "PAY-190")
def test_hidden_men_cannot_be_hit_but_count_for_the_shock() -> None:
    place = hiding(7, 9)
    aimed = target(place)
    assert len(aimed.exposed) == 2 and len(aimed.hidden) == 7
    script: list[tuple[str, Any]] = [("fire", [1]), ("rounds that hit", [1, 1, 1, 1])]
    script += [
        ("who is hit", [1, 1, 2, 2]),
        GRAZE,
        GRAZE,
        GRAZE,
        ("casualty card", "head_graze"),
        ("cover shock", [5]),
        ("second morale roll", [6]),
    ]
    place.play(gun_shot, place.battle, "gun", aimed, script=script)
    assert place.told("shock")[0]["hidden"] == 7


@pytest.mark.rule("PAY-189")
def test_number_of_hidden_men_and_a_die_against_twelve() -> None:
    place = hiding(7, 7)
    assert place.play(cover_shock, place.battle, target(place).hidden, script=[("cover shock", [4])]) == []
    few = hiding(5, 5)
    assert few.play(cover_shock, few.battle, target(few).hidden) == []  # they cannot reach 12
    assert chances("cover_shock", hidden=11).probability(lambda o: o.result == "passes") == 0


@pytest.mark.rule("PAY-034", "PAY-040", "PAY-189")
def test_new_leader_is_known_at_once_after_shock() -> None:
    men = blue(7, leader="leader")
    place = scene(men)
    for number, figure in enumerate(men.figures.values(), start=1):
        figure.mark("down")
        figure.at = (20.0 + number, 47.0 if number == 1 else 20.0)
    men.figures["blue.2"].rank = "sub_leader"
    men.measure()
    place.battle.commanders["blue"] = "blue.1"
    script = [("cover shock", [6]), ("second morale roll", [3]), ("forced move", [1, 1])]
    place.play(cover_shock, place.battle, men.able, script=script)
    assert men.figures["blue.1"].fate == "off"
    assert men.leader == place.battle.commanders["blue"] == "blue.2"


@pytest.mark.rule("PAY-190", "PAY-191")
@pytest.mark.setting("shock_trigger")
def test_the_shock_follows_hits_or_every_shot() -> None:
    for setting, shock in (("on_hit", []), ("on_fire", [("cover shock", [1])])):
        place = hiding(7, 7, shock_trigger=setting)
        script: list[tuple[str, Any]] = [("fire", [6]), *shock]
        place.play(gun_shot, place.battle, "gun", target(place), script=script)


@pytest.mark.rule("PAY-113", "PAY-191")
def test_gun_measures_to_the_nearest_hidden_man_on_a_clear_line() -> None:
    house = {"house": ("building", [(18.0, 14.0), (23.0, 14.0), (23.0, 16.0), (18.0, 16.0)])}
    men = bare_unit("blue", "blue", [(20.0 + 2.5 * n, 21.0) for n in range(5)], kind="irregular")
    place = battery("machine_gun", men, count=1, areas=house)
    for figure in men.figures.values():
        figure.mark("down")
    assert len(target(place).hidden) == 5 and shot(place).band == "medium"  # the first is 11 inches away, unseen
    stretch = gun_stretch(place.battle, gun(place), (26.0, 21.0), (30.0, 21.0))
    facts = gun_facts(place.battle, gun(place), place.figure("red.1"), stretch)
    assert facts is not None and facts.band == "medium"


@pytest.mark.rule("PAY-191")
def test_a_wholly_hidden_target_suffers_only_the_shock() -> None:
    place = hiding(7, 7)
    facts = shot(place)
    assert (facts.bonus, facts.cover) == (0, "hard")
    script = [("fire", [1]), ("rounds that hit", [3, 3, 3, 3]), ("cover shock", [1])]
    place.play(gun_shot, place.battle, "gun", target(place), script=script)
    assert place.told("casualty") == []


AT_BLUE_BY_GUN = ("gun at", ("blue", "blue.1"))


def fires(place: Scene, *script: Script) -> list[tuple[str, int]]:
    """Play red's fire step. Returns the target and the number of shots of every volley and single shot."""
    place.play(fire_step, place.battle, place.unit("red"), script=script)
    return [(told["target"], told["shots"]) for told in place.told("fire")]


def stretch(x: float) -> list[Script]:
    ends: list[Script] = [("stretch from", (x, 20.0)), ("stretch to", (x, 20.0))]
    return [("fire", "volley"), ("volley at", "a stretch"), *ends]


def gun_and_crew(kind: str, *targets: Any, spots: Any = ((18.5, 10.0), (21.5, 10.0)), **more: Any) -> Scene:
    crew = bare_unit("red", "red", list(spots), weapons=())
    gun = {"gun": Engine(kind, "the gun", "red", "red", (20.0, 10.0))}
    return scene(crew, *targets, engines=gun, **more)


@pytest.mark.rule("PAY-178", "PAY-098", "PAY-096")
def test_a_gun_may_fire_at_the_ground_where_one_private_stands() -> None:
    place = gun_and_crew("gun", blue(1))
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
    leader = gun_and_crew("gun", blue(1, leader="leader"))
    assert not has_gun_target(leader.battle, leader.battle.engines["gun"])
    fires(leader)  # no target


WALL = {"wall": ("low_wall", [(10.0, 19.5), (45.0, 19.5)])}


def hidden_behind(count: int, **more: Any) -> Scene:
    """This many men lying behind a wall, the last of them also behind a house."""
    house = {"house": ("building", [(24.0, 13.0), (30.0, 13.0), (30.0, 15.0), (24.0, 15.0)])}
    place = gun_and_crew("gun", blue(count), lines=WALL, areas=house, **more)
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
    unseen = gun_and_crew("gun", blue(8), lines=WALL, areas=wide)
    for figure in unseen.unit("blue").able:
        figure.mark("down")
    assert gun_groups(unseen.battle, unseen.battle.engines["gun"]) == {}


@pytest.mark.rule("PAY-190", "PAY-063")
def test_men_no_longer_down_do_not_count_for_cover_shock() -> None:
    place = hidden_behind(8)
    hidden = list(place.unit("blue").able)
    for figure in hidden[:3]:
        figure.unmark("down")
    assert place.play(cover_shock, place.battle, hidden) == []  # five of them + one die never reach 12
    hidden[0].mark("down")
    assert place.play(cover_shock, place.battle, hidden, script=[("cover shock", [5])]) == []


@pytest.mark.rule("PAY-176", "PAY-178")
def test_a_jam_is_cleared_by_men_at_the_gun() -> None:
    away = gun_and_crew("machine_gun", blue(3), spots=[(30.0, 5.0), (31.5, 5.0)])
    away.battle.engines["gun"].jammed = True
    with pytest.raises(AssertionError):
        away.play(move_unit, away.battle, away.unit("red"), script=[("move", "clear the jam")])
    away.figure("red.1").mark("clearing")
    away.play(end_activation, away.battle, away.unit("red"))
    assert away.battle.engines["gun"].jammed


@pytest.mark.rule("PAY-121", "PAY-176", "PAY-084")
def test_a_crewman_without_an_arm_clears_no_jam_and_handles_no_gun() -> None:
    for wounds, able in ((("smashed_arm",), True), (("smashed_arm", "smashed_arm"), False)):
        place = gun_and_crew("machine_gun", blue(3), spots=[(18.5, 10.0)])
        place.figure("red.1").wounds = wounds
        assert (("push", "gun") in machine_acts(place.battle, place.unit("red"))) is able
        place.battle.engines["gun"].jammed = True
        if able:
            place.play(move_unit, place.battle, place.unit("red"), script=[("move", "clear the jam")])
        else:
            with pytest.raises(AssertionError):
                place.play(move_unit, place.battle, place.unit("red"), script=[("move", "clear the jam")])


@pytest.mark.rule("PAY-121", "PAY-176")
def test_armless_crewman_may_move_while_others_clear_the_jam() -> None:
    place = gun_and_crew("machine_gun", blue(3), spots=[(18.5, 10.0), (20.0, 11.5)])
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
    from zareba_rulesets.paychest.chapters.guns import roll_to_hit_with_gun

    shot = FireFacts(4, "long", "advance", "hard", "machine_gun")
    for setting in ("same_shot", "consecutive_shots"):
        engine = Engine("machine_gun", "the gun", "red", "red", (20.0, 10.0))
        place = scene(red(1), jam_test=setting)
        script: list[Script] = [("machine gun", [first]), ("machine gun again", [second])]
        assert place.play(roll_to_hit_with_gun, engine, shot, "gun", script=script) is hit
        assert engine.jammed is (jammed and setting == "same_shot")
        assert not place.play(roll_to_hit_with_gun, engine, shot, "gun", script=[("machine gun", [2])])


@pytest.mark.rule("PAY-175")
@pytest.mark.setting("jam_test", "jam_effect")
def test_two_first_ones_of_one_activation_jam_and_their_hits_stand() -> None:
    place = gun_and_crew(
        "machine_gun", blue(3), jam_test="consecutive_shots", jam_effect="burst_lost", spots=[(18.5, 10.0)]
    )
    one: list[Script] = [("fire", ("gun", "gun")), AT_BLUE_BY_GUN, ("machine gun", [1]), ("rounds that hit", [1])]
    one += [("who is hit", [1]), GRAZE]
    fires(place, *one, *one)
    assert place.battle.engines["gun"].jammed and place.unit("blue").hits == 2


@pytest.mark.rule("PAY-178", "PAY-103")
def test_gun_crew_must_be_upright_out_of_contact_and_unfired() -> None:
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
def test_figure_serves_only_one_gun_in_an_activation() -> None:
    guns = {name: Engine("machine_gun", name, "red", "red", (x, 10.0)) for name, x in (("left", 19.0), ("right", 22.0))}
    place = scene(bare_unit("red", "red", [(20.5, 10.0)]), blue(3), engines=guns)
    assert len(servers(place.battle, place.battle.engines["left"])) == 1
    assert len(servers(place.battle, place.battle.engines["right"])) == 1
    script: list[Script] = [("fire", ("gun", "left")), AT_BLUE_BY_GUN, ("machine gun", [6]), ("fire", ("gun", "left"))]
    fires(place, *script, AT_BLUE_BY_GUN, ("machine gun", [6]))  # then no gun may fire again, not even the right one


@pytest.mark.rule("PAY-105", "PAY-174")
@pytest.mark.setting("hit_spread")
def test_rounds_of_a_machine_gun_fall_at_random_though_volleys_are_spread_evenly() -> None:
    place = gun_and_crew("machine_gun", blue(3), spots=[(18.5, 10.0)], hit_spread="even")
    script: list[Script] = [("fire", ("gun", "gun")), AT_BLUE_BY_GUN, ("machine gun", [2]), ("rounds that hit", [2])]
    fires(place, *script, ("who is hit", [3, 3]), GRAZE, GRAZE, ("fire", "done"))
    assert [told["figure"] for told in place.told("casualty")] == ["blue.3", "blue.3"]


@pytest.mark.rule("PAY-176")
@pytest.mark.setting("jam_clear")
def test_a_gun_that_has_just_jammed_is_not_cleared_with_its_other_shot() -> None:
    place = gun_and_crew("machine_gun", blue(3), spots=[(18.5, 10.0)], jam_clear="one_shot")
    script: list[Script] = [("fire", ("gun", "gun")), AT_BLUE_BY_GUN, ("machine gun", [1]), ("machine gun again", [1])]
    fires(place, *script, ("rounds that hit", [1]), ("who is hit", [1]), GRAZE)
    assert place.battle.engines["gun"].jammed


@pytest.mark.rule("PAY-061", "PAY-178")
def test_a_gun_may_hold_its_fire() -> None:
    place = gun_and_crew("machine_gun", blue(3), spots=[(18.5, 10.0)])
    fires(place, ("fire", ("gun", "gun")), ("gun at", "hold fire"))
    assert place.told("gun fires") == []


@pytest.mark.rule("PAY-090", "PAY-178")
@pytest.mark.setting("los_figures_block")
@pytest.mark.parametrize(("friend", "seen"), [((20.0, 11.5), True), ((20.0, 11.6), False)])
def test_the_crew_at_a_gun_is_not_in_its_way_but_friends_before_it_are(friend: tuple[float, float], seen: bool) -> None:
    place = gun_and_crew("machine_gun", blue(2), spots=[(18.5, 10.0), friend], los_figures_block="friends")
    assert bool(gun_groups(place.battle, place.battle.engines["gun"])) is seen


@pytest.mark.rule("PAY-096", "PAY-178")
def test_a_gun_fires_at_a_stretch_up_to_its_width() -> None:
    place = battery("machine_gun", blue(3))
    figures = list(place.unit("blue").figures.values())
    aim = GunTarget("a stretch", figures, [], figures)
    assert gun_refusal(place.battle, aim, 4.0, (20.0, 20.0), (24.0, 20.0)) is None
    assert "4.1 inches long" in str(gun_refusal(place.battle, aim, 4.0, (20.0, 20.0), (24.1, 20.0)))
