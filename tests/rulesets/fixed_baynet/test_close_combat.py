"""Close combat: blows, weapons, prisoners (chapter 12)."""

from __future__ import annotations

from fractions import Fraction as F

import pytest
from tests.rulesets.fixed_baynet.plain import (
    acts,
    ask,
    battle,
    bonus,
    box,
    field,
    fighters,
    gun_against,
    hill,
    man,
    run,
    scripted,
    squad,
    struck,
)

from zareba_rulesets.fixed_baynet.actions.activation import end_activation, perform_action
from zareba_rulesets.fixed_baynet.chapters.contact import foes_in_reach, has_close_weapon
from zareba_rulesets.fixed_baynet.chapters.crews import capture_guns
from zareba_rulesets.fixed_baynet.chapters.hits import capture_man, remove_man
from zareba_rulesets.fixed_baynet.chapters.melee import (
    FightFacts,
    fight_facts,
    foe_in_front,
    strike_blow,
    strike_with_man,
    strike_with_unit,
)
from zareba_rulesets.fixed_baynet.forces.units import Gun
from zareba_rulesets.fixed_baynet.ground import Field
from zareba_rulesets.fixed_baynet.odds.stage import bare_unit


@pytest.mark.rule("FBN-103")
@pytest.mark.setting("melee_reach")
def test_close_weapons_reach_an_inch_or_need_contact() -> None:
    for setting, reach in (("one_inch", 1), ("base_contact", 0)):
        state, red, blue = fighters(0.9, red={"close": True}, melee_reach=setting)
        assert len(foes_in_reach(state, red.figures["red/1"], "red")) == reach
        assert foes_in_reach(state, blue.figures["blue/1"], "blue") == []


@pytest.mark.rule("FBN-103")
def test_the_reach_of_a_close_combat_weapon_is_an_inch() -> None:
    for gap, reached in ((1.0, 1), (1.01, 0)):
        red, blue = squad("red", "red", 1, (50, 50), close=True), squad("blue", "blue", 1, (50, 51 + gap))
        assert len(foes_in_reach(battle(red, blue), red.figures["red/1"], "red")) == reached


@pytest.mark.rule("FBN-104", "FBN-106", "FBN-107", "FBN-108", "FBN-109", "FBN-111")
def test_the_difference_says_what_happens() -> None:
    results = {1: "miss", 2: "capture", 3: "wound", 5: "wound", 6: "critical"}
    for die, result in results.items():
        state, _, blue = fighters()
        assert struck(state, [die], [1])["result"] == result
        assert bool(blue.figures) is (result == "miss")


@pytest.mark.rule("FBN-104", "FBN-120", "FBN-045")
def test_a_blow_costs_the_attacker_an_ac_and_numbers_give_nothing() -> None:
    red = bare_unit("red", "red", [man("red/1", "red", 9.5, 10.14), man("red/2", "red", 10.5, 10.14)])
    blue = squad("blue", "blue", 1, (10, 11), facing=180.0)
    state = battle(red, blue)
    assert run(strike_with_unit, state, red, script=[("blow", [3]), ("parry", [3]), ("blow", [4]), ("parry", [4])]) == 2
    assert [figure.ac for figure in (*red.figures.values(), *blue.figures.values())] == [2, 2, 3]
    assert fight_facts(state, red, red.figures["red/1"], blue.figures["blue/1"], True).uphill is False


@pytest.mark.rule("FBN-016", "FBN-104", "FBN-120")
def test_a_unit_ordered_to_fight_strikes_once_with_each_man_in_contact() -> None:
    red = squad("red", "red", 2, (50, 50), "closed")
    first, second = red.figures.values()
    foes = [bare_unit(name, "blue", [man(f"{name}/1", "blue", x, 51)]) for name, x in (("a", first.x), ("b", second.x))]
    state = battle(red, *foes)
    state.active = "red"
    assert "fight" in acts(state, red)
    script = [("blow", [4]), ("parry", [4]), ("blow", [6]), ("parry", [3])]
    run(perform_action, state, red, "fight", script=script)
    assert [figure.ac for figure in red.figures.values()] == [2, 2]
    assert [len(foe.figures) for foe in foes] == [1, 0]


@pytest.mark.rule("FBN-105", "FBN-115")
@pytest.mark.setting("cc_adds_cs")
def test_cs_counts_or_not() -> None:
    assert [bonus({"cc_adds_cs": value}, cs=2, uphill=True) for value in (True, False)] == [3, 1]


@pytest.mark.rule("FBN-112", "FBN-108")
@pytest.mark.setting("captives")
def test_prisoners_are_gone_or_go_with_their_captor() -> None:
    for setting, freed in (("removed", False), ("escorted", True)):
        state, red, blue = fighters(captives=setting)
        struck(state, [2], [1], captives=setting)
        assert not blue.figures and [captive.figure for captive in state.captives] == ["blue/1"]
        assert not state.fallen[0].curable
        run(remove_man, state, red, red.figures["red/1"], "down", "fire", captives=setting)
        assert ("blue/1" in blue.figures) is freed
    assert "disarmed" in blue.figures["blue/1"].marks and blue.figures["blue/1"].weapon == "none"


@pytest.mark.rule("FBN-110")
@pytest.mark.setting("cc_symmetric")
def test_the_lower_total_suffers_whoever_attacked_or_only_the_defender() -> None:
    for setting, left in ((True, 0), (False, 1)):
        state, red, blue = fighters(cc_symmetric=setting)
        struck(state, [1], [4], cc_symmetric=setting)
        assert len(red.figures) == left and blue.figures


@pytest.mark.rule("FBN-112", "FBN-169", "FBN-161")
def test_friends_are_not_captured_and_killing_them_is_no_deed() -> None:
    for faces, result, left in (([3], "miss", 1), ([4], "wound", 0)):
        red, friend = squad("red", "red", 1, (50, 50)), squad("friend", "red", 1, (50, 51), facing=180.0)
        state = battle(red, friend)
        with scripted(state, ("blow", faces), ("parry", [2])) as table:
            strike_blow(table, state, red, red.figures["red/1"], friend.figures["friend/1"])
            assert next(event.data["result"] for event in table.events if event.kind == "blow") == result
        assert len(friend.figures) == left and not state.captives and red.dealt == 0


@pytest.mark.rule("FBN-112", "FBN-265")
@pytest.mark.setting("captives")
def test_a_prisoner_who_is_freed_follows_a_unit_that_has_left() -> None:
    red, blue = squad("red", "red", 1, (10, 10)), squad("blue", "blue", 2, (20, 10))
    state = battle(red, blue, captives="escorted")
    with scripted(state, captives="escorted") as table:
        capture_man(table, state, blue, blue.figures["blue/2"], red, red.figures["red/1"])
        state.gone["blue"] = "left west"
        blue.mark("away")
        remove_man(table, state, red, red.figures["red/1"], "down", "fire")
    assert state.gone["blue"] == "left west" and not state.captives
    assert "blue/2" in blue.figures and not blue.on_table


@pytest.mark.rule("FBN-113")
def test_a_close_combat_weapon_throws_twice() -> None:
    state, _, blue = fighters(red={"close": True})
    struck(state, [1, 6], [1])
    assert not blue.figures
    assert ask("close_combat", attacker_weapon=True).probability(lambda o: o.result == "miss") == F(1, 6)


@pytest.mark.rule("FBN-114")
def test_on_an_entrenched_table_only_heroes_have_such_weapons() -> None:
    ground = field()
    ground.entrenched = True
    state, red, blue = fighters(red={"close": True}, blue={"close": True, "role": "hero"}, on=ground)
    assert not has_close_weapon(state, red.figures["red/1"])
    assert has_close_weapon(state, blue.figures["blue/1"])


@pytest.mark.rule("FBN-114", "FBN-123")
def test_officers_and_ncos_are_heroes_on_an_entrenched_table() -> None:
    ground = field()
    ground.entrenched = True
    for role, armed in (("soldier", False), ("nco", True), ("officer", True), ("hero", True)):
        unit = squad("red", "red", 1, (10, 10), role=role, close=True)
        assert has_close_weapon(battle(unit, on=ground), unit.figures["red/1"]) is armed


@pytest.mark.rule("FBN-060", "FBN-074", "FBN-116", "FBN-117", "FBN-118", "FBN-119", "FBN-183", "FBN-115")
def test_each_line_of_the_table_of_modifiers() -> None:
    assert bonus(rear=True) == -1
    assert bonus(square=True) == bonus(uphill=True) == bonus(shelter="cover") == bonus(rider=True) == 1
    assert bonus(shelter="doorway") == 2
    assert (bonus(trench="attacker"), bonus(trench="defender")) == (-1, 1)
    assert bonus(chest=True) == -1


@pytest.mark.rule("FBN-116", "FBN-118", "FBN-074", "FBN-183")
def test_the_facts_of_a_fight() -> None:
    state, red, blue = fighters(red={"mounted": True}, blue={"facing": 0.0})
    own = fight_facts(state, red, red.figures["red/1"], blue.figures["blue/1"], True)
    other = fight_facts(state, blue, blue.figures["blue/1"], red.figures["red/1"], False)
    assert (own.rider, own.rear) == (True, False)
    assert (other.rider, other.rear) == (False, True)
    state, red, blue = fighters(on=hill(box(0, 10.5, 30, 30), 2.0))
    assert fight_facts(state, blue, blue.figures["blue/1"], red.figures["red/1"], False).uphill
    assert not fight_facts(state, red, red.figures["red/1"], blue.figures["blue/1"], True).uphill


@pytest.mark.rule("FBN-117", "FBN-119")
def test_cover_and_trenches_hand_to_hand() -> None:
    def facts(on: Field) -> tuple[FightFacts, FightFacts]:
        state, red, blue = fighters(on=on)
        a, b = red.figures["red/1"], blue.figures["blue/1"]
        return fight_facts(state, red, a, b, True), fight_facts(state, blue, b, a, False)

    wall = facts(field(lines=(("stone_wall", [(0, 10.5), (20, 10.5)]),)))
    assert [man_facts.shelter for man_facts in wall] == ["cover", "cover"]
    wood = facts(field(("light_forest", list(box(0, 10.5, 20, 20)))))
    assert [man_facts.shelter for man_facts in wood] == ["none", "cover"]
    inside = facts(field(("light_forest", list(box(0, 5, 20, 20)))))
    assert [man_facts.shelter for man_facts in inside] == ["none", "none"], "both men are in the wood"
    trench = facts(field(("trench", list(box(0, 10.5, 20, 12)))))
    assert [(man_facts.trench, man_facts.shelter) for man_facts in trench] == [
        ("attacker", "none"),
        ("defender", "none"),
    ]
    both = facts(field(("trench", list(box(0, 5, 20, 12)))))
    assert [(man_facts.trench, man_facts.shelter) for man_facts in both] == [("none", "none")] * 2
    two = facts(field(("trench", list(box(0, 5, 20, 10.5))), ("trench", list(box(0, 10.5, 20, 12)))))
    assert [(man_facts.trench, man_facts.shelter) for man_facts in two] == [("none", "none")] * 2, (
        "nor from one trench to the next"
    )


@pytest.mark.rule("FBN-117", "FBN-119")
def test_a_man_who_strikes_out_of_a_trench_is_in_cover() -> None:
    ground = field(("trench", list(box(40, 40, 60, 42))))
    red, blue = squad("red", "red", 1, (50, 41.5)), squad("blue", "blue", 1, (50, 42.5), facing=180.0)
    state = battle(red, blue, on=ground)
    one, other = red.figures["red/1"], blue.figures["blue/1"]
    inside, outside = fight_facts(state, red, one, other, True), fight_facts(state, blue, other, one, False)
    assert (inside.shelter, inside.trench, outside.shelter, outside.trench) == ("cover", "none", "none", "none")
    outside, inside = fight_facts(state, blue, other, one, True), fight_facts(state, red, one, other, False)
    assert (inside.shelter, inside.trench, outside.shelter, outside.trench) == ("none", "defender", "none", "attacker")


@pytest.mark.rule("FBN-031", "FBN-119", "FBN-060", "FBN-130")
@pytest.mark.setting("sign_reading")
def test_doubtful_signs_as_printed() -> None:
    literal = {"sign_reading": "literal"}
    assert (bonus(literal, trench="attacker"), bonus(literal, trench="defender")) == (1, -1)
    assert bonus(literal, square=True) == 0
    assert bonus(literal, chest=True) == 1


@pytest.mark.rule("FBN-120")
def test_man_chooses_the_opponent_he_strikes() -> None:
    red = squad("red", "red", 1, (10, 10))
    blue = bare_unit("blue", "blue", [man("blue/1", "blue", 9.5, 10.88), man("blue/2", "blue", 10.5, 10.88)])
    state = battle(red, blue)
    run(strike_with_man, state, red, red.figures["red/1"], script=[("strike", "blue/2"), ("blow", [6]), ("parry", [1])])
    assert list(blue.figures) == ["blue/1"]


@pytest.mark.rule("FBN-120", "FBN-152", "FBN-164")
def test_men_who_panic_in_the_middle_of_a_fight_strike_no_more() -> None:
    red = bare_unit(
        "red", "red", [man(f"red/{i}", "red", 46 + 2 * i, 50, role="nco" * (i == 1) or "soldier") for i in (1, 2)]
    )
    blue = bare_unit("blue", "blue", [man(f"blue/{i}", "blue", 46 + 2 * i, 51) for i in (1, 2)])
    for figure in red.figures.values():
        figure.gl = 6
    state = battle(red, blue)
    script = [("blow", [1]), ("parry", [3]), ("hit location", [2]), ("panic", [2]), ("panic", [2])]
    assert run(strike_with_unit, state, red, script=script) == 1
    assert [figure.reaction for figure in red.figures.values()] == ["onwards"] * 2


@pytest.mark.rule("FBN-120")
def test_leaders_are_struck_only_if_no_other_enemy_is_in_contact() -> None:
    red = bare_unit("red", "red", [man("red/1", "red", 10, 10)])
    foes = [man("blue/1", "blue", 10, 11, role="hero"), man("blue/2", "blue", 11, 10)]
    blue = bare_unit("blue", "blue", foes)
    state = battle(red, blue)
    assert foe_in_front(state, red, red.figures["red/1"]) is foes[1], "who stands beside him, not the leader in front"
    del blue.figures["blue/2"]
    assert foe_in_front(state, red, red.figures["red/1"]) is foes[0]


@pytest.mark.rule("FBN-121")
def test_frozen_fleeing_and_stunned_men_do_no_harm() -> None:
    for change in ({"reaction": "freeze"}, {"reaction": "flee"}, {"marks": frozenset({"stunned"})}):
        state, red, blue = fighters()
        for name, value in change.items():
            setattr(blue.figures["blue/1"], name, value)
        assert struck(state, [1], [6])["result"] == "miss"
        assert red.figures


@pytest.mark.rule("FBN-122", "FBN-161")
def test_conditions_that_prevent_taking_a_gun() -> None:
    for crew_at, captor, reaction, taken in (
        ((90.0, 90.0), "red", "", True),
        ((48.0, 51.5), "red", "", False),
        ((90.0, 90.0), "blue", "", False),
        ((90.0, 90.0), "red", "freeze", False),
    ):
        gun = Gun("light_gun", 50.0, 51.5, 0.0, 0.0, 2)
        guns = bare_unit("guns", "blue", [man("guns/1", "blue", *crew_at, role="crew")], guns=[gun], kind="battery")
        unit = squad("unit", captor, 1, (50, 50))
        unit.figures["unit/1"].reaction = reaction
        state = battle(guns, unit)
        run(capture_guns, state, unit)
        assert bool(gun.taken_by) is taken and ("deed" in unit.marks) is taken
    far = squad("far", "red", 1, (50, 49.8))
    gun.taken_by = ""
    state = battle(bare_unit("guns", "blue", [man("guns/1", "blue", 90, 90)], guns=[gun]), far)
    run(capture_guns, state, far)
    assert not gun.taken_by, "nobody is in contact"


@pytest.mark.rule("FBN-122", "FBN-161")
def test_a_gun_that_its_crew_leaves_or_loses_is_taken_by_whoever_touches_it() -> None:
    for fallen in (True, False):
        toucher = bare_unit("toucher", "blue", [man("toucher/1", "blue", 50.0, 11.5)])
        state, unit, _ = gun_against("light_gun", toucher, squad("blue", "blue", 1, (50, 40)), crew=1)
        if fallen:
            unit.figures.clear()
        else:
            unit.figures["red/1"].y = 3.0
        unit.measure()
        active = state.units["blue"] if fallen else unit
        with scripted(state) as table:
            end_activation(table, state, active)
        assert unit.guns[0].taken_by == "blue" and "deed" not in toucher.marks
        assert [event.data["by"] for event in table.events if event.kind == "gun taken"] == ["toucher"]


@pytest.mark.rule("FBN-161", "FBN-104")
@pytest.mark.parametrize(("own", "foe", "winner"), [([6], [1], "red"), ([1], [6], "blue")])
def test_a_man_who_falls_in_close_combat_is_counted_by_both_units(own: list[int], foe: list[int], winner: str) -> None:
    state, red, blue = fighters(cc_symmetric=True)
    struck(state, own, foe, cc_symmetric=True)
    for unit in (red, blue):
        assert (unit.dealt, unit.lost) == ((1, 0) if unit.spec.id == winner else (0, 1))
