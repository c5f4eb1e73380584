"""Fire of small arms and counter-attacks (chapters 10 and 11)."""

from __future__ import annotations

from contextlib import nullcontext
from fractions import Fraction as F
from typing import Any

import pytest
from tests.rulesets.fixed_baynet.plain import ask, battle, man, rules_with, scripted, squad

from zareba.space.ground.terrain_window import OPEN_WINDOW
from zareba_rulesets.fixed_baynet.chapters.aiming import (
    Answers,
    can_fire,
    find_targets,
    fire_targets,
    firers,
    may_answer,
    men_in_range,
    target_figures,
)
from zareba_rulesets.fixed_baynet.chapters.artillery import blast_facts, gun_facts
from zareba_rulesets.fixed_baynet.chapters.fire import (
    ShotFacts,
    fire_shot,
    fire_volley,
    fire_with_man,
    shot_facts,
    split_fire,
)
from zareba_rulesets.fixed_baynet.chapters.sight import band_of, in_arc
from zareba_rulesets.fixed_baynet.forces.battle import Battle, Captive
from zareba_rulesets.fixed_baynet.forces.units import Gun, Unit
from zareba_rulesets.fixed_baynet.odds.stage import bare_unit

MISS, HIT, CRITICAL = [2], [11], [12]


def need(settings: dict[str, Any] | None = None, **facts: Any) -> int:
    """Return the number needed on a D12."""
    return rules_with(**(settings or {})).tally("fire", ShotFacts(**{"ds": 5, **facts})).total


def duel(
    away: float = 10.0, *, red: dict[str, Any] | None = None, blue: dict[str, Any] | None = None, **settings: Any
) -> tuple[Battle, Unit, Unit]:
    """One man of each side at this distance between bases, red to the south and active."""
    one = bare_unit("red", "red", [man("red/1", "red", 10, 10, **(red or {}))])
    other = bare_unit("blue", "blue", [man("blue/1", "blue", 10, 11 + away, **(blue or {}))])
    state = battle(one, other, **settings)
    state.active = "red"
    return state, one, other


def shot(state: Battle, *script: tuple[str, Any], **settings: Any) -> None:
    """Red's man fires once at blue's man."""
    red, blue = state.units["red"], state.units["blue"]
    with scripted(state, *script, **settings) as table:
        fire_shot(
            table,
            state,
            red,
            next(iter(red.figures.values())),
            blue,
            next(iter(blue.figures.values())),
            OPEN_WINDOW,
            Answers(),
        )


# --- the number needed -------------------------------------------------------------------------------------------------


@pytest.mark.rule("FBN-019", "FBN-082", "FBN-084", "FBN-085", "FBN-184", "FBN-237")
def test_each_circumstance_changes_the_number_needed() -> None:
    assert need() == 5
    assert (need(band="short"), need(band="long")) == (4, 6)
    assert need(saddle=True) == 6
    assert need(sniper=True) == 4
    assert need(cv=4) == 9
    assert need(dark=True) == 6
    assert need(crew=True) == 6


@pytest.mark.rule("FBN-018", "FBN-083")
@pytest.mark.setting("fire_cs")
def test_the_firers_skill_helps_or_not_or_hurts() -> None:
    assert [need({"fire_cs": value}, cs=2) for value in ("bonus", "ignore", "penalty")] == [3, 5, 7]


@pytest.mark.rule("FBN-031", "FBN-057", "FBN-058", "FBN-059", "FBN-086")
@pytest.mark.setting("sign_reading")
def test_formations_by_sense_or_as_printed() -> None:
    assert need(formation="mass") == 4
    assert need(formation="mass", charging=True) == 4
    assert need(formation="closed", charging=True) == 4
    assert (need(formation="closed"), need(formation="square"), need()) == (5, 5, 5)
    literal = {"sign_reading": "literal"}
    assert need(literal, formation="mass") == 6
    assert need(literal, formation="closed", charging=True) == 5


@pytest.mark.rule("FBN-058")
@pytest.mark.setting("cluster_stack")
def test_a_charging_mass_may_count_twice() -> None:
    assert need({"cluster_stack": True}, formation="mass", charging=True) == 3
    assert need({"cluster_stack": False}, formation="mass", charging=True) == 4


@pytest.mark.rule("FBN-059", "FBN-086")
def test_a_unit_is_a_cluster_while_it_bears_the_mark_of_its_charge() -> None:
    for charged, needed in ((False, 5), (True, 4)):
        state, red, blue = duel()
        if charged:
            blue.mark("cluster")
        blue.figures["blue/2"] = man("blue/2", "blue", 11, 21)
        blue.formation = "closed"
        firer, foe = red.figures["red/1"], blue.figures["blue/1"]
        facts = shot_facts(state, firer, blue, foe, OPEN_WINDOW, "medium")
        assert facts.charging is charged and rules_with().tally("fire", facts).total == needed
        assert blast_facts(state, blue, foe).charging is charged
        gun = Gun("light_gun", 30.0, 10.0, 0.0, 0.0, 2)
        guns = bare_unit("guns", "red", [man("guns/1", "red", 30, 8.5, role="crew")], guns=[gun], kind="battery")
        assert gun_facts(state, guns, gun, blue, foe).charging is charged


@pytest.mark.rule("FBN-201")
@pytest.mark.setting("flak_armour_ds")
def test_the_gun_shield_is_worth_what_the_setting_says() -> None:
    assert [need({"flak_armour_ds": value}, crew=True) for value in (0, 1, 2)] == [5, 6, 7]


@pytest.mark.rule("FBN-087", "FBN-088", "FBN-089", "FBN-090", "FBN-095")
@pytest.mark.setting("natural_12_hits")
@pytest.mark.setting("natural_1_misses")
def test_ones_and_twelves() -> None:
    def p(settings: dict[str, Any], result: str, **facts: Any) -> F:
        return ask("shot", settings, **facts).probability(lambda o: o.result == result)

    assert p({}, "critical", ds=20) == F(1, 12)
    assert p({"natural_12_hits": False}, "miss", ds=20) == 1
    assert p({}, "miss", ds=-5) == F(1, 12)
    assert p({"natural_1_misses": False}, "miss", ds=-5) == 0
    assert p({}, "hit", ds=12) == 0


@pytest.mark.rule("FBN-025", "FBN-081", "FBN-189", "FBN-192", "FBN-190")
def test_bands_are_inclusive_and_a_throw_is_long_range() -> None:
    def bands(weapon: str, *inches: float, arm: str = "") -> list[str | None]:
        firer = man("red/1", "red", 10, 10, weapon=weapon)
        firer.locations = frozenset(filter(None, [arm]))
        state = battle(bare_unit("red", "red", [firer]))
        return [band_of(state, firer, one) for one in inches]

    assert bands("rifle", 6, 6.1, 12, 24, 24.1) == ["short", "medium", "medium", "long", None]
    assert bands("spear", 1, 1.5, 8, 8.1) == [None, "long", "long", None]
    assert bands("rifle", 7, arm="arm_light") == ["long"] and bands("pistol", 5, arm="arm_light") == ["short"]
    assert bands("melee_weapon", 2) == [None]


# --- who fires ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FBN-194", "FBN-032")
def test_a_musket_takes_two_ac_and_a_rifle_one() -> None:
    state, red, _ = duel(red={"weapon": "musket"})
    shot(state, ("shot", MISS))
    assert red.figures["red/1"].ac == 1
    assert not can_fire(state, red.figures["red/1"])
    state, red, _ = duel()
    shot(state, ("shot", MISS))
    assert red.figures["red/1"].ac == 2


@pytest.mark.rule("FBN-038")
@pytest.mark.setting("target_order_ac")
def test_naming_a_target_may_cost_an_ac_once() -> None:
    for cost in (0, 1):
        state, red, _ = duel(target_order_ac=cost)
        shot(state, ("shot", MISS), target_order_ac=cost)
        assert red.figures["red/1"].ac == 2 - cost
    assert can_fire(state, red.figures["red/1"], "blue")
    assert not can_fire(state, red.figures["red/1"], "somebody else")


@pytest.mark.rule("FBN-268")
@pytest.mark.setting("attacks_per_activation")
def test_a_man_fires_as_often_as_his_ac_allow_or_once() -> None:
    for setting, again in (("ac", True), (1, False)):
        state, red, _ = duel(attacks_per_activation=setting)
        shot(state, ("shot", MISS), attacks_per_activation=setting)
        assert can_fire(state, red.figures["red/1"]) is again


@pytest.mark.rule("FBN-100", "FBN-132", "FBN-244", "FBN-269", "FBN-165")
def test_who_is_unfit_does_not_fire() -> None:
    state, red, _ = duel()
    figure = red.figures["red/1"]
    assert firers(state, red) == [figure]
    for mark in ("stunned", "crossed", "healed", "served"):
        figure.marks = frozenset({mark})
        assert firers(state, red) == []
    figure.marks = frozenset()
    figure.locations = frozenset({"arm_heavy"})
    assert firers(state, red) == []
    figure.locations, figure.reaction = frozenset(), "freeze"
    assert not can_fire(state, figure)


@pytest.mark.rule("FBN-092", "FBN-016")
def test_a_volley_aims_anew_when_a_man_has_fallen() -> None:
    red, blue = squad("red", "red", 3, (10, 10)), squad("blue", "blue", 2, (10, 20), weapon="none")
    state = battle(red, blue)
    state.active = "red"
    with scripted(state, ("shot", HIT), ("shot", MISS), ("shot", CRITICAL)) as table:
        assert fire_volley(table, state, red, blue) == 3
        assert not blue.figures
        assert [event.kind for event in table.events].count("loss") == 2
    assert [casualty.curable for casualty in state.fallen] == [True, False]


@pytest.mark.rule("FBN-092")
def test_shots_at_a_unit_that_is_gone_are_not_made() -> None:
    red, blue = squad("red", "red", 3, (10, 10)), squad("blue", "blue", 1, (10, 20), weapon="none")
    state = battle(red, blue)
    with scripted(state, ("shot", HIT)) as table:
        assert fire_volley(table, state, red, blue) == 1
    assert sorted(figure.ac for figure in red.figures.values()) == [2, 3, 3]


@pytest.mark.rule("FBN-093")
@pytest.mark.setting("leaders_targetable")
def test_a_leader_may_be_picked_out_or_only_when_he_is_nearest() -> None:
    for setting, picked in ((True, True), ("nearest", False)):
        leader = man("blue/1", "blue", 10, 25, role="officer")
        soldier = man("blue/2", "blue", 10, 20, weapon="none")
        red = bare_unit("red", "red", [man("red/1", "red", 10, 10)])
        state = battle(red, bare_unit("blue", "blue", [leader, soldier]), leaders_targetable=setting)
        refused = nullcontext() if picked else pytest.raises(AssertionError, match="blue/1")
        script = (("aim at", "blue/1"), ("shot", MISS))
        with refused, scripted(state, *script, leaders_targetable=setting) as table:
            fire_with_man(table, state, red, red.figures["red/1"])
        assert bool(red.figures["red/1"].attacks) is picked


@pytest.mark.rule("FBN-093", "FBN-016")
def test_split_fire_asks_man_by_man() -> None:
    red, blue, far = (
        squad("red", "red", 2, (10, 10)),
        squad("blue", "blue", 1, (10, 20), weapon="none"),
        squad("far", "blue", 1, (14, 20), weapon="none"),
    )
    state = battle(red, blue, far)
    with scripted(state, ("aim at", "far/1"), ("shot", HIT), ("aim at", "hold fire")) as table:
        split_fire(table, state, red)
    assert not far.figures and blue.figures


@pytest.mark.rule("FBN-079")
@pytest.mark.setting("fire_into_melee")
def test_men_in_contact_with_friends_are_no_targets() -> None:
    for setting, seen in ((False, 0), (True, 1)):
        red, friend = squad("red", "red", 1, (10, 10)), squad("friend", "red", 1, (10, 19))
        blue = squad("blue", "blue", 1, (10, 20))
        state = battle(red, friend, blue, fire_into_melee=setting)
        assert len(target_figures(state, "red", blue)) == seen
        assert len(list(fire_targets(state, red))) == seen


@pytest.mark.rule("FBN-052")
@pytest.mark.setting("prone_untargetable")
def test_lying_men_cannot_be_aimed_at() -> None:
    for setting, seen in ((True, 0), (False, 1)):
        state, _, blue = duel(prone_untargetable=setting)
        blue.figures["blue/1"].mark("prone")
        assert len(target_figures(state, "red", blue)) == seen


@pytest.mark.rule("FBN-052", "FBN-092", "FBN-129", "FBN-168")
def test_who_falls_prone_in_a_volley_is_out_of_aim_for_the_rest_of_it() -> None:
    red = squad("red", "red", 3, (50, 50))
    blue = bare_unit("blue", "blue", [man("blue/1", "blue", 50, 60, role="nco"), man("blue/2", "blue", 50, 63)])
    blue.mark("activated")
    state = battle(red, blue)
    with scripted(state, ("shot", HIT), ("hit location", [3]), ("shot", HIT)) as table:
        assert fire_volley(table, state, red, blue) == 2
    assert list(blue.figures) == ["blue/1"] and blue.figures["blue/1"].locations == {"groin"}
    blue = bare_unit("blue", "blue", [man(f"blue/{i}", "blue", 49 + i, 60, gl=4) for i in (1, 2)])
    blue.mark("activated")
    for one in blue.figures.values():
        one.gl = 6
    state = battle(red, blue)
    with scripted(state, ("shot", HIT), ("panic", [4])) as table:
        assert fire_volley(table, state, red, blue) == 1, "the last of them has panicked and lies"
    assert [one.reaction for one in blue.figures.values()] == ["prone"]


@pytest.mark.rule("FBN-054", "FBN-133", "FBN-168")
def test_firing_ends_lying_down_or_shows_who_must_lie() -> None:
    state, red, _ = duel()
    red.figures["red/1"].mark("prone")
    shot(state, ("shot", MISS))
    assert not red.figures["red/1"].prone
    state, red, _ = duel()
    red.figures["red/1"].mark("prone")
    red.figures["red/1"].locations = frozenset({"leg_heavy"})
    shot(state, ("shot", MISS))
    assert red.figures["red/1"].marks >= {"prone", "shown"}
    assert target_figures(state, "blue", red) != []


@pytest.mark.rule("FBN-063")
@pytest.mark.setting("foot_fire_arc")
def test_a_square_fires_only_where_its_men_look() -> None:
    for arc, seen in ((180, 1), (90, 0), (360, 1)):
        red = squad("red", "red", 1, (10, 10))
        blue = squad("blue", "blue", 1, (20, 15))
        state = battle(red, blue, foot_fire_arc=arc)
        figure = red.figures["red/1"]
        half = state.book.fire_half_arc
        assert in_arc(figure, (20, 15), half) is bool(seen)
    red.formation = "square"
    red.figures["red/9"] = man("red/9", "red", 12, 10)
    found = find_targets(
        battle(red, blue, foot_fire_arc=90), red, red.figures["red/1"], list(blue.figures.values()), OPEN_WINDOW
    )
    assert found == []


@pytest.mark.rule("FBN-094", "FBN-144", "FBN-231")
def test_a_unit_shot_at_in_two_turns_running_is_pinned() -> None:
    state, _, blue = duel()
    blue.figures["blue/2"] = man("blue/2", "blue", 12, 21)
    shot(state, ("shot", MISS))
    assert "pinned" not in blue.marks and blue.shot_turn == 1
    state.turn = 2
    shot(state, ("shot", MISS))
    assert "pinned" in blue.marks and blue.events == ("pinned",)
    state.turn = 4
    blue.events = ()
    shot(state, ("shot", MISS))
    assert blue.events == ()


@pytest.mark.rule("FBN-192")
@pytest.mark.setting("thrown_spear_lost")
def test_a_thrown_spear_may_be_gone() -> None:
    for setting, weapon in ((False, "spear"), (True, "none")):
        state, red, _ = duel(
            5, red={"weapon": "spear", "close": True}, blue={"weapon": "none"}, thrown_spear_lost=setting
        )
        shot(state, ("shot", MISS), thrown_spear_lost=setting)
        assert red.figures["red/1"].weapon == weapon


@pytest.mark.rule("FBN-085", "FBN-195", "FBN-029")
def test_the_saddle_does_not_trouble_a_winchester() -> None:
    for weapon, saddle in (("rifle", True), ("winchester", False)):
        state, red, blue = duel(red={"weapon": weapon, "mounted": True})
        facts = shot_facts(state, red.figures["red/1"], blue, blue.figures["blue/1"], OPEN_WINDOW, "medium")
        assert facts.saddle is saddle


@pytest.mark.rule("FBN-130")
def test_a_chest_wound_makes_a_man_worse_at_both_ends() -> None:
    state, red, blue = duel()
    red.figures["red/1"].locations = blue.figures["blue/1"].locations = frozenset({"chest_light"})
    facts = shot_facts(state, red.figures["red/1"], blue, blue.figures["blue/1"], OPEN_WINDOW, "medium")
    assert (facts.cs, facts.chest) == (-1, True)
    assert need(chest=True) == 4
    assert need({"sign_reading": "literal"}, chest=True) == 6


# --- counter-attacks ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FBN-096", "FBN-098", "FBN-102", "FBN-026")
def test_a_man_who_falls_answers_first_and_pays_an_ac() -> None:
    state, red, blue = duel(blue={"weapon": "musket"})
    shot(state, ("shot", HIT), ("counter-attack", "answer every hit"), ("counter-attack", HIT))
    assert not red.figures and not blue.figures
    state, red, blue = duel()
    shot(state, ("shot", HIT), ("counter-attack", "answer none"))
    assert red.figures and not blue.figures


@pytest.mark.rule("FBN-096")
@pytest.mark.setting("counter_attack")
def test_who_answers_is_a_setting() -> None:
    answers = {"wounded": (("counter-attack", "answer none"),), "survivors": (), "off": ()}
    for setting, script in answers.items():
        state, _, blue = duel(counter_attack=setting)
        shot(state, ("shot", HIT), *script, counter_attack=setting)
        assert not blue.figures
    state, _, blue = duel(blue={"role": "hero"}, counter_attack="survivors")
    shot(
        state,
        ("shot", HIT),
        ("hit location", [2]),
        ("counter-attack", "answer every hit"),
        ("counter-attack", MISS),
        counter_attack="survivors",
    )
    assert blue.figures["blue/1"].spent == 1


@pytest.mark.rule("FBN-087", "FBN-096", "FBN-101")
def test_a_bloody_death_is_not_answered_nor_is_an_answer() -> None:
    state, red, blue = duel()
    shot(state, ("shot", CRITICAL))
    assert red.figures and not blue.figures
    state, red, blue = duel(red={"role": "hero"})
    shot(state, ("shot", HIT), ("counter-attack", "answer every hit"), ("counter-attack", HIT), ("hit location", [2]))
    assert red.figures["red/1"].spent == 0


@pytest.mark.rule("FBN-079", "FBN-112")
@pytest.mark.setting("captives")
def test_a_prisoner_freed_by_a_volley_keeps_its_other_shots_off_whom_he_touches() -> None:
    for setting, shots in (("removed", 2), ("escorted", 1)):
        red, mates = squad("red", "red", 2, (50, 50)), squad("mates", "red", 2, (80, 80))
        blue = bare_unit("blue", "blue", [man("blue/1", "blue", 50, 55), man("blue/2", "blue", 50.0, 56.03)])
        blue.mark("activated")
        state = battle(red, mates, blue, captives=setting)
        del mates.figures["mates/1"]
        state.captives = (Captive("mates/1", "mates", "blue", "blue/1"),)
        with scripted(state, *[("shot", HIT)] * shots, captives=setting) as table:
            assert fire_volley(table, state, red, blue) == shots


@pytest.mark.rule("FBN-092", "FBN-152", "FBN-164")
def test_men_who_panic_in_the_middle_of_their_volley_fire_no_more() -> None:
    for how in ("volley", "split"):
        red = bare_unit(
            "red", "red", [man(f"red/{i}", "red", 46 + 2 * i, 50, role="nco" * (i == 1) or "soldier") for i in (1, 2)]
        )
        for one in red.figures.values():
            one.gl = 6
        blue = bare_unit("blue", "blue", [man(f"blue/{i}", "blue", 46 + 2 * i, 60, facing=180.0) for i in (1, 2)])
        state = battle(red, blue)
        state.active = "red"
        hit = [("shot", HIT), ("answer", True) if how == "split" else ("counter-attack", "answer every hit")]
        hit += [("counter-attack", HIT), ("hit location", [2]), ("panic", [2]), ("panic", [2])]
        if how == "split":
            with scripted(state, ("aim at", "blue/1"), *hit) as table:
                split_fire(table, state, red)
        else:
            with scripted(state, *hit) as table:
                assert fire_volley(table, state, red, blue) == 1
        assert [one.reaction for one in red.figures.values()] == ["onwards"] * 2 and len(blue.figures) == 1


@pytest.mark.rule("FBN-079", "FBN-099")
@pytest.mark.setting("fire_into_melee")
def test_nobody_answers_into_a_fight_with_his_friends() -> None:
    for setting, answers in ((False, False), (True, True)):
        state, red, blue = duel(fire_into_melee=setting)
        state.units["mate"] = bare_unit("mate", "blue", [man("mate/1", "blue", 11.0, 10)])
        figure, foe = blue.figures["blue/1"], red.figures["red/1"]
        assert may_answer(state, blue, figure, foe) is answers
        state.units["mate"].figures["mate/1"].x = 11.1
        assert may_answer(state, blue, figure, foe)


@pytest.mark.rule("FBN-096", "FBN-098", "FBN-099", "FBN-100")
def test_who_cannot_answer() -> None:
    state, red, blue = duel()
    figure, foe = blue.figures["blue/1"], red.figures["red/1"]
    assert may_answer(state, blue, figure, foe)
    blue.mark("activated")
    assert not may_answer(state, blue, figure, foe)
    blue.unmark("activated")
    figure.spent = 3
    assert not may_answer(state, blue, figure, foe)
    figure.spent, figure.facing = 0, 0.0
    assert not may_answer(state, blue, figure, foe)
    figure.facing, figure.weapon = 180.0, "none"
    assert not may_answer(state, blue, figure, foe)
    figure.weapon = "rifle"
    for reaction in ("freeze", "flee"):
        figure.reaction = reaction
        assert not may_answer(state, blue, figure, foe)
    figure.reaction = ""
    figure.locations = frozenset({"arm_light"})
    assert may_answer(state, blue, figure, foe)
    state, red, blue = duel(20)
    blue.figures["blue/1"].locations = frozenset({"arm_light"})
    assert not may_answer(state, blue, blue.figures["blue/1"], red.figures["red/1"])


@pytest.mark.rule("FBN-100", "FBN-130", "FBN-097")
@pytest.mark.setting("sign_reading")
def test_a_light_chest_wound_tells_on_an_answer() -> None:
    for reading, least in (("sense", 6), ("literal", 4)):
        for score, falls in ((least, True), (least - 1, False)):
            state, red, blue = duel(sign_reading=reading)
            blue.figures["blue/1"].locations = frozenset({"chest_light"})
            answer = (("counter-attack", "answer every hit"), ("counter-attack", [score]))
            shot(state, ("shot", HIT), *answer, sign_reading=reading)
            assert ("red/1" not in red.figures) is falls


@pytest.mark.rule("FBN-102")
def test_the_owner_may_decide_hit_by_hit() -> None:
    red, blue = squad("red", "red", 2, (10, 10)), squad("blue", "blue", 2, (10, 20))
    state = battle(red, blue)
    state.active = "red"
    for figure in blue.figures.values():
        figure.facing = 180.0
    script = [
        ("shot", HIT),
        ("counter-attack", "ask at each hit"),
        ("answer", True),
        ("counter-attack", MISS),
        ("shot", HIT),
        ("answer", False),
    ]
    with scripted(state, *script) as table:
        fire_volley(table, state, red, blue)
    assert len(red.figures) == 2 and not blue.figures


@pytest.mark.rule("FBN-081", "FBN-192")
def test_who_of_a_unit_is_within_reach_of_a_weapon() -> None:
    for weapon, gaps, places in (("rifle", (24.0, 24.1, 3.0), [0, 2]), ("spear", (8.0, 0.9, 1.1, 8.1), [0, 2])):
        firer = man("red/1", "red", 50, 50, weapon=weapon)
        foes = [man(f"blue/{place}", "blue", 50, 51 + gap) for place, gap in enumerate(gaps)]
        state = battle(bare_unit("red", "red", [firer]), bare_unit("blue", "blue", foes))
        assert [place for _, place in men_in_range(state, firer, foes)] == places
