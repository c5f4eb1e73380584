"""Chapter 2: troop types and the acts of each in a turn."""

from __future__ import annotations

from fractions import Fraction as F
from typing import Any

import pytest
from tests.rulesets.afriboria.pieces import ordered, plan_of, run

from zareba.odds import odds
from zareba_rulesets.afriboria.chapters.combat import dice_facts, may_battle, targets
from zareba_rulesets.afriboria.chapters.engagement import _fires_twice, engage
from zareba_rulesets.afriboria.chapters.movement import commander_goals, move_unit, unit_options
from zareba_rulesets.afriboria.forces.pieces import Commander, CommanderSpec
from zareba_rulesets.afriboria.odds.stage import BattleFacts, bare_battle, unit_of


def farthest(battle: Any, name: str) -> int:
    unit = battle.units[name]
    goals = [act[1] for act in unit_options(battle, unit, plan_of(battle)) if act[0] == "to"]
    return max((battle.field.distance[unit.hex][cell] for cell in goals), default=0)


TABLE_3 = [
    ("inf_a", 6, 1, 2, [4, 3, 2, 1]),
    ("inf_b", 8, 1, 2, [4, 3, 2, 1]),
    ("inf_c", 8, 1, 2, [3, 2, 1]),
    ("civ_n", 8, 1, 2, [3]),
    ("pack", 4, -1, 2, []),
    ("cav_a", 5, 3, 3, [3]),
    ("cav_b", 5, 3, 3, [3]),
    ("cav_c", 5, 3, 3, [3]),
    ("cav_a_foot", 5, 0, 0, [3, 3, 2, 1]),
    ("cav_b_foot", 5, 0, 0, [3, 3, 2, 1]),
    ("art_field", 4, 0, 1, [4, 3, 3, 2, 1, 1]),
    ("art_horse", 4, 1, 2, [4, 3, 3, 2, 1]),
    ("art_heavy", 4, 0, 1, [4, 3, 3, 2, 2, 2, 1, 1]),
    ("mg_foot", 4, 0, 1, [4, 4, 3, 3, 2]),
    ("mg_horse", 4, 1, 2, [4, 4, 3, 3, 2]),
    ("aa_gun", 4, 0, 1, [4, 4, 3, 3, 2]),
    ("vehicle", 4, -1, 3, []),
]


@pytest.mark.rule(
    "AFR-019", "AFR-020", "AFR-022", "AFR-023", "AFR-031", "AFR-032", "AFR-034", "AFR-171", "AFR-172", "AFR-175", "AFR-178",
    "AFR-179",
)  # fmt: skip
@pytest.mark.parametrize(("key", "figures", "with_battle", "without", "dice"), TABLE_3)
def test_table_of_units(rules: Any, at: Any, key: Any, figures: Any, with_battle: Any, without: Any, dice: Any) -> None:
    profile = rules.profiles[key]
    assert (profile.figures, profile.battle_move, profile.move, list(profile.dice)) == (
        figures, with_battle, without, dice,
    )  # fmt: skip
    unit = ordered(unit_of(rules, "us", "red", key, at(4, 4)))
    if key.endswith("_foot") and key.startswith("cav"):
        unit = ordered(unit_of(rules, "us", "red", key.removesuffix("_foot"), at(4, 4)))
        unit.mounted = False
    battle = bare_battle(rules, [unit])
    assert farthest(battle, "us") == without
    for moved in range(without + 1):
        unit.moved = moved
        assert may_battle(battle, unit) == (moved <= with_battle and bool(dice))


@pytest.mark.rule("AFR-021", "AFR-025", "AFR-027")
def test_troops_that_fire_twice(rules: Any, at: Any) -> None:
    for key, mounted, twice in [
        ("inf_a", False, True), ("inf_b", False, False), ("cav_a", False, True), ("cav_a", True, False), ("cav_b", False, False),
    ]:  # fmt: skip
        unit = ordered(unit_of(rules, "us", "red", key, at(4, 4)))
        unit.mounted = mounted
        battle = bare_battle(rules, [unit])
        assert _fires_twice(battle, unit, close=False) is twice
        assert not _fires_twice(battle, unit, close=True)
        unit.moved = 1
        assert not _fires_twice(battle, unit, close=False)


@pytest.mark.rule("AFR-165", "AFR-166", "AFR-164", "AFR-163")
@pytest.mark.setting("double_fire_targets")
def test_double_fire_at_one_or_at_different_units(book: Any, at: Any) -> None:
    def fire(setting: str, script: Any) -> Any:
        rules = book(double_fire_targets=setting)
        us = ordered(unit_of(rules, "us", "red", "inf_a", at(4, 4)))
        them = unit_of(rules, "them", "blue", "inf_c", at(4, 7), missile=False)
        battle = bare_battle(rules, [us, them])
        run(engage, battle, "us", script=script)
        return us.shots

    miss = [("battle against", ("hex", at(4, 7))), ("defender", "make a stand"), ("battle", [2, 2])]
    assert fire("any", [*miss, *miss]) == 2
    assert fire("different", miss) == 1


@pytest.mark.rule("AFR-165", "AFR-092", "AFR-091")
def test_dismounting_counts_as_a_move(rules: Any, at: Any) -> None:
    horse = ordered(unit_of(rules, "horse", "red", "cav_a", at(4, 4)))
    battle = bare_battle(rules, [horse])
    run(move_unit, battle, horse, plan_of(battle), script=[("move", "dismount")])
    assert not horse.mounted and horse.moved == 0 and may_battle(battle, horse)
    assert not _fires_twice(battle, horse, close=False)


@pytest.mark.rule("AFR-024", "AFR-036")
def test_packs_and_bearers(rules: Any, at: Any) -> None:
    pack = ordered(unit_of(rules, "mules", "red", "pack", at(4, 4), points=0))
    bearers = ordered(unit_of(rules, "bearers", "red", "civ_n", at(4, 3)))
    them = unit_of(rules, "them", "blue", "inf_c", at(4, 5))
    battle = bare_battle(rules, [pack, bearers, them])
    assert not may_battle(battle, pack) and targets(battle, bearers) == []
    battle.move(pack, at(0, 0))
    battle.move(bearers, at(4, 4))
    assert targets(battle, bearers) == [("hex", at(4, 5))]
    found = odds(
        rules.rules,
        rules.rules.ruleset.procedure("battle"),
        BattleFacts("civ_n", 8, 1, defender="inf_c", defender_figures=8),
    )
    assert found.probability(lambda o: o.kills == 0) == F(31, 36) ** 3


@pytest.mark.rule("AFR-028", "AFR-195")
def test_c_class_cavalry_hits_with_one_face(book: Any) -> None:
    rules = book().rules
    found = odds(
        rules, rules.ruleset.procedure("battle"), BattleFacts("cav_c", 5, 1, defender="inf_c", defender_figures=8)
    )
    assert found.probability(lambda o: o.kills >= 1) < F(1, 2)
    assert book().reading_of(["hit_abc"]).groups[0] == book().hit_reads["cavalry_c", True].groups[0]


@pytest.mark.rule("AFR-028")
def test_c_class_cavalry_only_by_request(game: Any) -> None:
    horse = "horse: {name: Horse, side: red, arm: cavalry, kind: tribal, figures: 5}, "
    foot = "foot: {name: Foot, side: blue, arm: infantry, kind: tribal, figures: 8}"
    assert game(units=horse + foot).plan.units["horse"].key == "cav_b"
    asked = game(units=horse + foot, overrides="afriboria: {profiles: {horse: cav_c}}")
    assert asked.plan.units["horse"].key == "cav_c"


@pytest.mark.rule("AFR-026")
@pytest.mark.parametrize(
    ("arms", "lancers"),
    [
        ("close_weapon: lance", True),
        ("close_weapon: lance, traits: [lancers]", True),
        ("close_weapon: sword", False),
        ("quality: raw, close_weapon: lance", False),
    ],
)
def test_class_a_horse_with_lances_are_lancers(game: Any, arms: str, lancers: bool) -> None:
    horse = f"horse: {{name: Horse, side: red, arm: cavalry, kind: native_regular, figures: 5, {arms}}}, "
    foot = "foot: {name: Foot, side: blue, arm: infantry, kind: tribal, figures: 8}"
    assert game(units=horse + foot).plan.units["horse"].lancers is lancers


@pytest.mark.rule("AFR-029", "AFR-233")
def test_vehicles(rules: Any, at: Any) -> None:
    car = ordered(unit_of(rules, "car", "red", "vehicle_mg", at(4, 4)))
    battle = bare_battle(rules, [car])
    assert "dismount" not in unit_options(battle, car, plan_of(battle))
    car.moved = 1
    assert not may_battle(battle, car)
    assert rules.threshold(rules.profiles["vehicle"], officer=True) == 3
    assert rules.threshold(rules.profiles["pack"], officer=False) is None


@pytest.mark.rule("AFR-033")
@pytest.mark.setting("mg_horse_move_fire")
def test_horse_drawn_machine_gun(book: Any, at: Any) -> None:
    for setting, may in (("text", True), ("sheet", False)):
        rules = book(mg_horse_move_fire=setting)
        gun = ordered(unit_of(rules, "gun", "red", "mg_horse", at(4, 4)))
        battle = bare_battle(rules, [gun])
        assert farthest(battle, "gun") == 2
        gun.moved = 1
        assert may_battle(battle, gun) is may


@pytest.mark.rule("AFR-035", "AFR-151")
@pytest.mark.setting("mg_counts_as_artillery")
def test_privileges_of_guns_for_machine_guns(book: Any, at: Any) -> None:
    for counts in (True, False):
        rules = book(mg_counts_as_artillery=counts)
        gun = ordered(unit_of(rules, "gun", "red", "mg_foot", at(4, 4)))
        them = unit_of(rules, "them", "blue", "inf_c", at(4, 7))
        battle = bare_battle(rules, [gun, them], terrain={at(4, 4): ["hill"], at(4, 7): ["depression"]})
        assert dice_facts(battle, gun, at(4, 4), at(4, 7)).hilltop is counts
        assert bool(targets(battle, gun)) is counts


@pytest.mark.rule("AFR-037")
def test_only_firearms_and_bows_reach_beyond_the_next_hex(rules: Any, at: Any) -> None:
    spears = ordered(unit_of(rules, "spears", "red", "inf_b", at(4, 4), missile=False))
    far = unit_of(rules, "far", "blue", "inf_c", at(4, 7))
    battle = bare_battle(rules, [spears, far])
    assert targets(battle, spears) == []
    battle.move(far, at(4, 5))
    assert targets(battle, spears) == [("hex", at(4, 5))]


@pytest.mark.rule("AFR-038")
@pytest.mark.setting("partial_firearms_scope")
def test_partly_armed_units(book: Any, at: Any) -> None:
    for scope, close_dice in (("ranged", 4), ("all", 3)):
        rules = book(partial_firearms_scope=scope)
        us = ordered(unit_of(rules, "us", "red", "inf_b", at(4, 4), firearms=3))
        battle = bare_battle(rules, [us, unit_of(rules, "them", "blue", "inf_c", at(4, 6))])
        dice = {
            d: rules.rules.tally("battle_dice", dice_facts(battle, us, at(4, 4), at(4, 4 + d))).total for d in (1, 2)
        }
        assert dice == {1: close_dice, 2: 2}
        us.figures = 3
        assert not us.partly_armed
    rules = book().rules
    found = odds(
        rules,
        rules.ruleset.procedure("battle"),
        BattleFacts("inf_b", 8, 2, defender="inf_c", defender_figures=8, firearms=1),
    )
    assert max(outcome.kills for outcome in found.outcomes) == 1


@pytest.mark.rule("AFR-039", "AFR-040", "AFR-095")
def test_commanders_move_by_their_means(rules: Any, at: Any) -> None:
    for mounted, reach in ((True, 3), (False, 2)):
        chief = Commander(at(4, 4), spec=CommanderSpec("chief", "Chief", "red", True, mounted))
        foe = Commander(at(4, 5), spec=CommanderSpec("foe", "Foe", "blue", True))
        battle = bare_battle(rules, commanders=[chief, foe])
        goals = commander_goals(battle, chief)
        assert max(battle.field.distance[at(4, 4)][cell] for cell in goals) == reach
        assert at(4, 5) not in goals


@pytest.mark.rule("AFR-042", "AFR-043", "AFR-225")
def test_a_wounded_character_is_captured_by_moving_in(rules: Any, at: Any) -> None:
    us = ordered(unit_of(rules, "us", "red", "inf_a", at(4, 4)))
    spec = CommanderSpec("prince", "Prince", "blue", True, character=True, bonus=False, points=2)
    prince = Commander(at(4, 5), spec=spec)
    battle = bare_battle(rules, [us], [prince])
    assert ("to", at(4, 5)) not in unit_options(battle, us, plan_of(battle))
    prince.mark("wounded")
    assert max(battle.field.distance[at(4, 5)][c] for c in commander_goals(battle, prince)) == 1
    run(move_unit, battle, us, plan_of(battle), script=[("move", ("to", at(4, 5)))])
    assert battle.gone["prince"] == "captured"
    assert (battle.sides["red"].points, us.hex) == (2, at(4, 5))


@pytest.mark.rule("AFR-030", "AFR-135")
def test_debris_holds_vehicles_for_a_turn(rules: Any, at: Any, scripted: Any) -> None:
    from zareba_rulesets.afriboria.chapters.orders import give_order

    car = ordered(unit_of(rules, "car", "red", "vehicle", at(4, 4)))
    battle = bare_battle(rules, [car], terrain={at(4, 5): ["debris"]})
    run(move_unit, battle, car, plan_of(battle), script=[("move", ("to", at(4, 5)))])
    assert "stuck" in car.marks
    for held in (True, False):
        car.marks = car.marks & {"stuck"}
        battle.card, battle.slots = "red_1", {"red": 1}
        give_order(scripted(battle, []), battle, ("unit", "car"), rules.cards["red_1"])
        assert (farthest(battle, "car") == 0) is held


@pytest.mark.rule("AFR-053", "AFR-054", "AFR-217", "AFR-050")
def test_first_to_the_quota_wins_at_once(rules: Any, at: Any) -> None:
    us = ordered(unit_of(rules, "us", "red", "inf_b", at(4, 4), 1))
    them = unit_of(rules, "them", "blue", "inf_b", at(4, 5), 1)
    battle = bare_battle(rules, [us, them])
    battle.sides["red"].quota = battle.sides["blue"].quota = 1
    script = [("battle against", ("hex", at(4, 5))), ("defender", "make a stand"), ("battle", [5, 5, 2, 2])]
    run(engage, battle, "us", script=script)
    assert battle.over and battle.winner == "red" and us.figures == 1
    us = ordered(unit_of(rules, "us", "red", "inf_b", at(4, 4), 1))
    them = unit_of(rules, "them", "blue", "inf_b", at(4, 5), 2)
    battle = bare_battle(rules, [us, them])
    battle.sides["red"].quota = battle.sides["blue"].quota = 1
    script = [*script[:2], ("battle", [2, 2, 2, 2]), ("defence", "defend"), ("defence dice", [5])]
    run(engage, battle, "us", script=script)
    assert battle.winner == "blue"
