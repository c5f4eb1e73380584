"""Fire of small arms, counter-attacks and weapons (chapters 10, 11 and 17)."""

from __future__ import annotations

from contextlib import nullcontext
from fractions import Fraction as F
from typing import Any

import pytest
from tests.rulesets.fixed_baynet.plain import (
    CRITICAL,
    HIT,
    MISS,
    ask,
    battle,
    book,
    duel,
    gun_against,
    house,
    man,
    need,
    run,
    scripted,
    shot,
    squad,
)
from tests.rulesets.fixed_baynet.scenarios import game, started, troops

from zareba.space.ground.terrain_window import OPEN_WINDOW
from zareba.table.questions import Step
from zareba_rulesets.fixed_baynet.actions.activation import perform_action
from zareba_rulesets.fixed_baynet.chapters.fire import (
    fire_volley,
    fire_with_man,
    record_shot_at,
    shoot_out_of_turn,
    shot_facts,
    split_fire,
    targets_out_of_turn,
)
from zareba_rulesets.fixed_baynet.chapters.hits import resolve_hit
from zareba_rulesets.fixed_baynet.chapters.sight import band_of
from zareba_rulesets.fixed_baynet.chapters.targets import can_fire, firers, may_answer, men_in_range
from zareba_rulesets.fixed_baynet.odds.stage import bare_unit


@pytest.mark.rule("FBN-025", "FBN-081", "FBN-189", "FBN-192", "FBN-190")
def test_bands_are_inclusive_and_a_throw_is_long_range() -> None:
    def bands(weapon: str, *inches: float, arm: str = "") -> list[str | None]:
        firer = man("red/1", "red", 10, 10, weapon=weapon)
        firer.locations = frozenset(filter(None, [arm]))
        state = battle(bare_unit("red", "red", [firer]))
        return [band_of(state, firer, inch) for inch in inches]

    assert bands("rifle", 6, 6.1, 12, 24, 24.1) == ["short", "medium", "medium", "long", None]
    assert bands("spear", 1, 1.5, 8, 8.1) == [None, "long", "long", None]
    assert bands("rifle", 7, arm="arm_light") == ["long"] and bands("pistol", 5, arm="arm_light") == ["short"]
    assert bands("melee_weapon", 2) == [None]


@pytest.mark.rule("FBN-081", "FBN-192")
def test_men_within_range_of_a_weapon() -> None:
    for weapon, gaps, places in (("rifle", (24.0, 24.1, 3.0), [0, 2]), ("spear", (8.0, 0.9, 1.1, 8.1), [0, 2])):
        firer = man("red/1", "red", 50, 50, weapon=weapon)
        foes = [man(f"blue/{place}", "blue", 50, 51 + gap) for place, gap in enumerate(gaps)]
        state = battle(bare_unit("red", "red", [firer]), bare_unit("blue", "blue", foes))
        assert [place for _, place in men_in_range(state, firer, foes)] == places


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
def test_the_firers_skill_helps_hinders_or_changes_nothing() -> None:
    assert [need({"fire_cs": value}, cs=2) for value in ("bonus", "ignore", "penalty")] == [3, 5, 7]


@pytest.mark.rule("FBN-085", "FBN-195", "FBN-029")
def test_the_saddle_does_not_trouble_a_winchester() -> None:
    for weapon, saddle in (("rifle", True), ("winchester", False)):
        state, red, blue = duel(red={"weapon": weapon, "mounted": True})
        facts = shot_facts(state, red.figures["red/1"], blue, blue.figures["blue/1"], OPEN_WINDOW, "medium")
        assert facts.saddle is saddle


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


@pytest.mark.rule("FBN-087", "FBN-096", "FBN-101")
def test_a_bloody_death_is_not_answered_nor_is_an_answer() -> None:
    state, red, blue = duel()
    shot(state, ("shot", CRITICAL))
    assert red.figures and not blue.figures
    state, red, blue = duel(red={"role": "hero"})
    shot(state, ("shot", HIT), ("counter-attack", "answer every hit"), ("counter-attack", HIT), ("hit location", [2]))
    assert red.figures["red/1"].spent == 0


@pytest.mark.rule("FBN-091", "FBN-024")
def test_a_soldier_has_one_wound_and_leaves_a_marker() -> None:
    unit = squad("red", "red", 3, (10, 10))
    state = battle(unit)
    with scripted(state) as table:
        resolve_hit(table, state, unit, unit.figures["red/2"], False, 1, "fire")
        loss = next(event.data for event in table.events if event.kind == "loss")
    assert loss == {"unit": "red", "side": "red", "lost": 1, "cause": "fire", "how": "down", "figure": "red/2"}
    assert state.fallen[0].curable


@pytest.mark.rule("FBN-092", "FBN-016")
def test_volley_takes_new_aim_after_a_man_falls() -> None:
    red, blue = squad("red", "red", 3, (10, 10)), squad("blue", "blue", 2, (10, 20), weapon="none")
    state = battle(red, blue)
    state.active = "red"
    with scripted(state, ("shot", HIT), ("shot", MISS), ("shot", CRITICAL)) as table:
        assert fire_volley(table, state, red, blue) == 3
        assert not blue.figures
        kinds = [event.kind for event in table.events]
        assert kinds.count("loss") == 2
        assert (kinds[0], kinds[-1]) == ("opens fire", "volley"), (
            "the volley is reported before the losses that it causes"
        )
    assert [casualty.curable for casualty in state.fallen] == [True, False]


@pytest.mark.rule("FBN-092", "FBN-152", "FBN-164")
def test_men_who_panic_in_the_middle_of_their_volley_fire_no_more() -> None:
    for how in ("volley", "split"):
        red = bare_unit(
            "red", "red", [man(f"red/{i}", "red", 46 + 2 * i, 50, role="nco" * (i == 1) or "soldier") for i in (1, 2)]
        )
        for shooter in red.figures.values():
            shooter.gl = 6
        blue = bare_unit("blue", "blue", [man(f"blue/{i}", "blue", 46 + 2 * i, 60, facing=180.0) for i in (1, 2)])
        state = battle(red, blue)
        state.active = "red"
        hit = [("shot", HIT), ("answer", True) if how == "split" else ("counter-attack", "answer every hit")]
        hit += [("counter-attack", HIT), ("hit location", [2]), ("panic", [2]), ("panic", [2])]
        if how == "split":
            run(split_fire, state, red, script=[("aim at", "blue/1"), *hit])
        else:
            assert run(fire_volley, state, red, blue, script=hit) == 1
        assert [figure.reaction for figure in red.figures.values()] == ["onwards"] * 2 and len(blue.figures) == 1


@pytest.mark.rule("FBN-093")
@pytest.mark.setting("leaders_targetable")
def test_with_nearest_only_the_nearest_of_a_squad_is_a_target_and_equal_men_are_one_option() -> None:
    for setting, picks in ((True, {"blue/1", "blue/2", "blue/3"}), ("nearest", {"blue/1", "blue/2"})):
        men = [man("blue/1", "blue", 48, 60, role="nco"), man("blue/2", "blue", 52, 60), man("blue/3", "blue", 50, 63)]
        for pick in ("blue/1", "blue/2", "blue/3"):
            red = squad("red", "red", 1, (50, 50))
            state = battle(red, bare_unit("blue", "blue", men), leaders_targetable=setting)
            allowed = nullcontext() if pick in picks else pytest.raises(AssertionError, match=pick)
            script = (("aim at", pick), ("shot", [2]))
            with allowed, scripted(state, *script, leaders_targetable=setting) as table:
                fire_with_man(table, state, red, red.figures["red/1"])


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
    run(split_fire, state, red, script=[("aim at", "far/1"), ("shot", HIT), ("aim at", "hold fire")])
    assert not far.figures and blue.figures


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


@pytest.mark.rule("FBN-094", "FBN-144", "FBN-146")
@pytest.mark.setting("same_event_per_turn")
def test_being_pinned_is_an_event_at_the_first_shot_of_a_turn() -> None:
    unit = squad("red", "red", 3)
    state = battle(unit, same_event_per_turn="unlimited")
    for turn, events in ((1, 0), (2, 1), (3, 2), (5, 2)):
        state.turn = turn
        with scripted(state, same_event_per_turn="unlimited") as table:
            record_shot_at(table, state, unit)
            record_shot_at(table, state, unit)
        assert len(unit.events) == events


@pytest.mark.rule("FBN-097", "FBN-100", "FBN-130")
@pytest.mark.setting("sign_reading")
@pytest.mark.parametrize(("reading", "least"), [("sense", 6), ("literal", 4)])
def test_a_light_chest_wound_tells_on_an_answer(reading: str, least: int) -> None:
    for score in (least, least - 1):
        state, red, blue = duel(sign_reading=reading)
        blue.figures["blue/1"].locations = frozenset({"chest_light"})
        answered = (("counter-attack", "answer every hit"), ("counter-attack", [score]))
        shot(state, ("shot", HIT), *answered, sign_reading=reading)
        assert ("red/1" in red.figures) is (score < least)


@pytest.mark.rule("FBN-097", "FBN-087", "FBN-125")
def test_a_twelve_in_a_counter_attack_kills_a_hero_at_once() -> None:
    for score, location in ((CRITICAL, ()), (HIT, (("hit location", [2]),))):
        state, red, _ = duel(red={"role": "hero"})
        shot(state, ("shot", HIT), ("counter-attack", "answer every hit"), ("counter-attack", score), *location)
        assert ("red/1" in red.figures) is (score == HIT)


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
def test_setting_decides_who_returns_fire() -> None:
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


@pytest.mark.rule("FBN-096", "FBN-098", "FBN-099", "FBN-100")
def test_men_who_cannot_return_fire() -> None:
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


@pytest.mark.rule("FBN-096", "FBN-100", "FBN-131")
def test_comrades_and_stunned_men_do_not_return_fire() -> None:
    """Men do not answer fire from their own side, because it is not the enemy's activation. Nor do stunned men."""
    red, blue = squad("red", "red", 1, (50, 50)), squad("blue", "blue", 1, (50, 60), facing=180.0)
    more = squad("more", "blue", 1, (55, 50))
    state = battle(red, blue, more, fire_into_melee=True)
    figure, foe = blue.figures["blue/1"], red.figures["red/1"]
    assert may_answer(state, blue, figure, foe)
    assert not may_answer(state, blue, figure, more.figures["more/1"]), "it is not the enemy's activation"
    figure.mark("stunned")
    assert not may_answer(state, blue, figure, foe)


@pytest.mark.rule("FBN-079", "FBN-099")
@pytest.mark.setting("fire_into_melee")
def test_return_fire_into_a_melee_with_friends_is_forbidden() -> None:
    for setting, answers in ((False, False), (True, True)):
        state, red, blue = duel(fire_into_melee=setting)
        state.units["mate"] = bare_unit("mate", "blue", [man("mate/1", "blue", 11.0, 10)])
        figure, foe = blue.figures["blue/1"], red.figures["red/1"]
        assert may_answer(state, blue, figure, foe) is answers
        state.units["mate"].figures["mate/1"].x = 11.1
        assert may_answer(state, blue, figure, foe)


@pytest.mark.rule("FBN-100", "FBN-132", "FBN-244", "FBN-269", "FBN-165")
def test_unfit_men_do_not_fire() -> None:
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


@pytest.mark.rule("FBN-101", "FBN-191", "FBN-201")
def test_gunners_are_armed_like_others_and_answer_who_shoots_at_them() -> None:
    for arms, weapon, close in (
        ({"weapon": "none"}, "rifle", False),
        ({"weapon": "revolver"}, "pistol", False),
        ({"weapon": "none", "close_weapon": "sword"}, "none", True),
    ):
        for arm in ({"arm": "artillery", "gun": {"kind": "field", "ammunition": ["shell"]}}, {"arm": "machine_gun"}):
            men = game({"guns": troops(figures=4, **arm, **arms)}).plan.squads
            crew = [gunner for key, squad in men.items() if key.startswith("guns") for gunner in squad.men]
            assert {(gunner.weapon, gunner.close) for gunner in crew} == {(weapon, close)}
    state, unit, _ = gun_against("light_gun", squad("blue", "blue", 1, (50, 30), facing=180.0))
    gunner, foe = unit.figures["red/1"], state.units["blue"].figures["blue/1"]
    state.active, gunner.weapon = "blue", "rifle"
    assert may_answer(state, unit, gunner, foe)


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
    run(fire_volley, state, red, blue, script=script)
    assert len(red.figures) == 2 and not blue.figures


@pytest.mark.rule("FBN-191", "FBN-190")
def test_the_rifle_is_standard_equipment() -> None:
    assert {m.weapon for m in game({"foot": troops(weapon="none")}).plan.squads["foot"].men} == {"rifle"}
    spears = game({"foot": troops(weapon="none", close_weapon="spear")}).plan.squads["foot"].men
    assert {m.weapon for m in spears} == {"none"} and all(m.close for m in spears)
    assert [name for name, weapon in book().weapons.items() if weapon.long_arm] == ["rifle", "winchester", "musket"]


@pytest.mark.rule("FBN-192")
@pytest.mark.setting("thrown_spear_lost")
def test_a_thrown_spear_may_be_gone() -> None:
    for setting, weapon in ((False, "spear"), (True, "none")):
        state, red, _ = duel(
            5, red={"weapon": "spear", "close": True}, blue={"weapon": "none"}, thrown_spear_lost=setting
        )
        shot(state, ("shot", MISS), thrown_spear_lost=setting)
        assert red.figures["red/1"].weapon == weapon


@pytest.mark.rule("FBN-099", "FBN-192")
@pytest.mark.setting("thrown_spear_lost")
@pytest.mark.parametrize(("lost", "weapon"), [(False, "spear"), (True, "none")])
def test_a_spear_thrown_in_answer_or_at_a_house_may_be_gone(lost: bool, weapon: str) -> None:
    red = squad("red", "red", 1, (50, 50))
    blue = bare_unit("blue", "blue", [man("blue/1", "blue", 50, 56, weapon="spear", close=True, role="hero")])
    state = battle(red, blue, thrown_spear_lost=lost)
    state.active = "red"
    answered = (("counter-attack", "answer every hit"), ("counter-attack", [2]))
    with scripted(state, ("shot", [11]), ("hit location", [2]), *answered, thrown_spear_lost=lost) as table:
        fire_volley(table, state, red, blue)
    assert blue.figures["blue/1"].weapon == weapon
    red = bare_unit("red", "red", [man("red/1", "red", 43, 36, weapon="spear", close=True)])
    state = battle(red, on=house(thrown_spear_lost=lost), thrown_spear_lost=lost)
    run(perform_action, state, red, ("fire at house", "hut"), script=[("shot", [2])], thrown_spear_lost=lost)
    assert red.figures["red/1"].weapon == weapon


@pytest.mark.rule("FBN-193")
@pytest.mark.setting("switch_weapon")
def test_pistol_replaces_or_adds_to_the_weapon() -> None:
    for setting, spare in (("list", "none"), ("in_game", "pistol")):
        men = game({"foot": troops()}, {"switch_weapon": setting}).plan.squads["foot"].men
        assert men[0].spare == spare
    unit = bare_unit("red", "red", [man("red/1", "red", 10, 10, spare="pistol"), man("red/2", "red", 12, 10)])
    state = battle(unit, switch_weapon="in_game")
    with scripted(state, ("which man", "red/1"), ("what he does", "switch weapon"), switch_weapon="in_game") as table:
        perform_action(table, state, unit, "one man")
    assert (unit.figures["red/1"].weapon, unit.figures["red/1"].ac) == ("pistol", 2)


@pytest.mark.rule("FBN-112", "FBN-193")
@pytest.mark.setting("switch_weapon")
def test_a_disarmed_man_has_no_second_weapon_to_change_to() -> None:
    unit = bare_unit("red", "red", [man("red/1", "red", 20, 20, spare="pistol"), man("red/2", "red", 22, 20)])
    state = battle(unit, switch_weapon="in_game")
    unit.figures["red/1"].weapon = "none"
    unit.figures["red/1"].mark("disarmed")
    script = [("which man", "red/1"), ("what he does", "switch weapon")]
    refused = pytest.raises(AssertionError, match="switch weapon")
    with refused, scripted(state, *script, switch_weapon="in_game") as table:
        perform_action(table, state, unit, "one man")


@pytest.mark.rule("FBN-194", "FBN-032")
def test_a_musket_takes_two_ac_and_a_rifle_one() -> None:
    state, red, _ = duel(red={"weapon": "musket"})
    shot(state, ("shot", MISS))
    assert red.figures["red/1"].ac == 1
    assert not can_fire(state, red.figures["red/1"])
    state, red, _ = duel()
    shot(state, ("shot", MISS))
    assert red.figures["red/1"].ac == 2


# --- Fire out of turn, for house rules (FBN-098) ----------------------------------------------------------------------


MISSES = [("shot", [1])] * 10


@pytest.mark.rule("FBN-017", "FBN-098")
@pytest.mark.parametrize("has_acted", [False, True])
def test_fire_out_of_turn_is_paid_by_the_next_activation(has_acted: bool) -> None:
    """A unit that has acted this turn pays in the next turn; one that has not pays in this turn."""
    made, state = started({"foot": troops(position=[30, 32])}, {"counter_attack": "off"})
    unit, enemy = state.units.change("foot"), state.units.change("enemy")
    if has_acted:
        unit.mark("activated")
    assert run(shoot_out_of_turn, state, unit, enemy, script=MISSES, counter_attack="off")
    left = {state.counters_left(man) for man in state.units["foot"].figures.values()}
    assert left == ({3} if has_acted else {2})
    state.phase = "housekeeping"
    with scripted(state, counter_attack="off") as table:
        made.play.perform(table, state, Step("housekeeping.turn", 1, "9"))
    left = {state.counters_left(man) for man in state.units["foot"].figures.values()}
    assert left == ({2} if has_acted else {3})


@pytest.mark.rule("FBN-098")
def test_fire_out_of_turn_is_limited_to_the_ac_of_one_activation() -> None:
    _, state = started({"foot": troops(position=[30, 32])}, {"counter_attack": "off"})
    unit, enemy = state.units.change("foot"), state.units.change("enemy")
    for soldier in unit.figures.values():
        soldier.spent = 2  # counter-attacks before the activation, which has paid for them
    unit.mark("activated")
    for _ in range(3):
        assert run(shoot_out_of_turn, state, unit, enemy, script=MISSES, counter_attack="off")
    assert not run(shoot_out_of_turn, state, unit, enemy, counter_attack="off")


@pytest.mark.rule("FBN-098", "FBN-081")
@pytest.mark.parametrize(("spent", "has_target"), [(0, True), (2, True), (3, False)])
def test_targets_out_of_turn_need_ac_of_the_next_activation(spent: int, has_target: bool) -> None:
    _, state = started({"foot": troops(position=[30, 32])}, {"counter_attack": "off"})
    unit, enemy = state.units.change("foot"), state.units["enemy"]
    for soldier in unit.figures.values():
        soldier.ac, soldier.spent = 0, spent
    assert targets_out_of_turn(state, unit) == ([enemy] if has_target else [])
