"""Chapters 10 to 12: eligibility, dice, hits, saves, defence."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.afriboria.pieces import chief, ordered, run
from tests.rulesets.afriboria.test_walls import QUIET

from zareba.odds import odds
from zareba_rulesets.afriboria.chapters.air import air_targets, fight_from_air, fire_at_flier
from zareba_rulesets.afriboria.chapters.combat import attackable_units, dice_facts, exchange_facts, fight_unit, targets
from zareba_rulesets.afriboria.chapters.engagement import engage, fighters
from zareba_rulesets.afriboria.chapters.exchange import (
    DiceFacts,
    Exchange,
    ExchangeFacts,
    answer_flags,
    attack,
    defend,
)
from zareba_rulesets.afriboria.chapters.siege import bombardment_facts
from zareba_rulesets.afriboria.forces.pieces import Flier, FlierSpec
from zareba_rulesets.afriboria.ground import StructureSpec
from zareba_rulesets.afriboria.odds.stage import BattleFacts, bare_battle, unit_of


@pytest.mark.rule("AFR-062", "AFR-162", "AFR-163", "AFR-170")
def test_ordered_units_in_reach_battle_one_after_another(game: Any, book: Any, at: Any, scripted: Any) -> None:
    rules, play = book(), game()
    units = [
        ordered(unit_of(rules, "near", "red", "inf_c", at(4, 4))),
        ordered(unit_of(rules, "far", "red", "inf_c", at(4, 1))),
        unit_of(rules, "idle", "red", "inf_c", at(5, 4)),
        unit_of(rules, "them", "blue", "inf_c", at(4, 6), missile=False),
    ]
    battle = bare_battle(rules, units)
    assert fighters(battle) == ["near"]
    script = [
        ("battle with", "near"),
        ("battle against", ("hex", at(4, 6))),
        ("defender", "make a stand"),
        ("battle", [2, 2]),
    ]
    with scripted(battle, script) as table:
        play.sequence.perform(table, battle, play.play.next_step(battle))
    assert fighters(battle) == []


@pytest.mark.rule("AFR-164", "AFR-168")
def test_units_in_close_combat_are_not_attacked_from_a_distance(rules: Any, at: Any) -> None:
    near = ordered(unit_of(rules, "near", "red", "inf_b", at(4, 5)))
    far = ordered(unit_of(rules, "far", "red", "inf_b", at(6, 6)))
    them = unit_of(rules, "them", "blue", "inf_b", at(4, 6))
    battle = bare_battle(rules, [near, far, them])
    assert targets(battle, far) == [("hex", at(4, 6))]
    script = [("defender", "make a stand"), ("battle", [2, 2, 2, 2]), ("defence", "do not defend")]
    run(fight_unit, battle, near, at(4, 6), script=script)
    assert targets(battle, far) == [] and attackable_units(battle, near, at(4, 5), at(4, 6)) == []


@pytest.mark.rule("AFR-167", "AFR-169", "AFR-297")
def test_owner_chooses_which_unit_of_a_full_hex_is_attacked(rules: Any, at: Any, scripted: Any) -> None:

    def attacked(keys: Any, script: Any) -> list[int]:
        us = ordered(unit_of(rules, "us", "red", "inf_a", at(4, 4)))
        them = [unit_of(rules, f"t{n}", "blue", key, at(4, 6), 2, missile=False) for n, key in enumerate(keys)]
        battle = bare_battle(rules, [us, *them])
        with scripted(
            battle, [*script, ("defender", "make a stand"), ("battle", [6, 6, 6]), ("saving throws", [1])]
        ) as table:
            fight_unit(table, battle, us, at(4, 6))
            assert next(e for e in table.events if e.kind == "battle").data["kills"] == 2
        return [unit.figures for unit in them]

    pick = ("which unit is attacked", "t1")
    assert attacked(["inf_c", "inf_c"], [pick]) == [2, 0]
    assert attacked(["inf_c", "cav_b"], [pick]) == [2, 0]
    asked = []

    def seats(keys: Any) -> Any:
        us = ordered(unit_of(rules, "us", "red", "inf_a", at(4, 4)))
        them = [unit_of(rules, f"t{n}", "blue", key, at(4, 6)) for n, key in enumerate(keys)]
        battle = bare_battle(rules, [us, *them])
        table = scripted(battle, [pick])
        answer = table.answer
        from zareba_rulesets.afriboria.chapters.combat import choose_target_unit

        class Watch(type(table)):  # type: ignore[misc]  # the table's own class
            def answer(self, question: Any) -> Any:
                asked.append(question.seat)
                return answer(question)

        choose_target_unit(Watch(rules.rules, battle, [pick]), battle, us, at(4, 6), them)

    seats(["inf_c", "inf_c"]), seats(["inf_c", "art_field"])
    assert asked == ["red", "blue"]


@pytest.mark.rule("AFR-180", "AFR-192")
def test_every_battle_at_range_one_is_close_combat(rules: Any, at: Any) -> None:
    for key in ("art_field", "mg_foot", "inf_a"):
        us = unit_of(rules, "us", "red", key, at(4, 4))
        them = unit_of(rules, "them", "blue", "inf_c", at(4, 5))
        battle = bare_battle(rules, [us, them])
        assert exchange_facts(battle, us, at(4, 4), them, at(4, 5), 4, True).close


@pytest.mark.rule("AFR-181", "AFR-184", "AFR-203")
def test_few_men_roll_all_their_dice_but_kill_no_more_than_they_are(rules: Any) -> None:
    whole = odds(
        rules.rules,
        rules.rules.ruleset.procedure("battle"),
        BattleFacts("inf_a", 6, 1, defender="inf_c", defender_figures=8),
    )
    two = odds(
        rules.rules,
        rules.rules.ruleset.procedure("battle"),
        BattleFacts("inf_a", 2, 1, defender="inf_c", defender_figures=8),
    )
    assert max(o.kills for o in two.outcomes) == 2
    assert two.probability(lambda o: o.kills == 0) == whole.probability(lambda o: o.kills == 0)


@pytest.mark.rule("AFR-185")
def test_a_gun_is_lost_with_its_last_man(book: Any, at: Any) -> None:
    from zareba_rulesets.afriboria.chapters.losses import lose_figures

    gun = unit_of(book(), "gun", "blue", "art_field", at(4, 4), 1)
    battle = bare_battle(book(), [gun])
    run(lose_figures, battle, gun, 1, "fire", "AFR-185")
    assert battle.gone == {"gun": "destroyed"} and battle.here == {}


def exchange(rules: Any, script: Any, scripted: Any, steps: Any = (attack,), **facts: Any) -> Any:
    given: dict[str, Any] = {"dice": 4, "hits": "modern", "close": False, "figures": 8, "strength": 8} | facts
    course = Exchange("us", "them", "blue", facts=ExchangeFacts(**given))
    with scripted(bare_battle(rules), script) as table:
        for step in steps:
            step(table, rules, course)
    return course


@pytest.mark.rule("AFR-186", "AFR-187")
@pytest.mark.setting("jam_flags")
def test_a_jam_voids_hits_and_perhaps_flags(book: Any, scripted: Any) -> None:
    for setting, flags in (("stand", 1), ("void", 0)):
        course = exchange(book(jam_flags=setting), [("battle", [2, 2, 2, 1])], scripted, jams=True)
        assert (course.jammed, course.kills, course.flags) == (True, 0, flags)
    half = exchange(book(), [("battle", [2, 2, 6, 6]), ("saving throws", [6])], scripted, jams=True)
    assert (half.jammed, half.kills) == (False, 2), "half is not most"


@pytest.mark.rule("AFR-197", "AFR-198", "AFR-199", "AFR-200", "AFR-201")
def test_the_automatic_kill_and_saves(rules: Any, scripted: Any) -> None:
    assert exchange(rules, [("battle", [6, 1, 1, 1]), ("saving throws", [2])], scripted).kills == 0
    assert exchange(rules, [("battle", [6, 5, 1, 1]), ("saving throws", [2])], scripted).kills == 1
    close = {"close": True, "hits": "infantry_b"}
    assert exchange(rules, [("battle", [5, 3, 2, 2]), ("saving throws", [3, 2])], scripted, **close).kills == 1
    assert exchange(rules, [("battle", [5, 4, 3, 2]), ("saving throws", [3, 3])], scripted, **close).kills == 1


@pytest.mark.rule("AFR-202")
@pytest.mark.setting("excess_hits")
def test_hits_beyond_the_men_there(book: Any, scripted: Any) -> None:
    before = [("battle", [6, 6, 6, 6]), ("saving throws", [2])]
    assert exchange(book(), before, scripted, figures=2, strength=2).kills == 1
    after = [("battle", [6, 6, 6, 6]), ("saving throws", [2, 6, 6])]
    assert exchange(book(excess_hits="after_saves"), after, scripted, figures=2, strength=2).kills == 2


@pytest.mark.rule("AFR-207", "AFR-208", "AFR-209", "AFR-210", "AFR-212", "AFR-218")
def test_defence_dice_once_a_turn_before_the_retreat(rules: Any, at: Any, defence: Any) -> None:
    one = ordered(unit_of(rules, "one", "red", "inf_b", at(4, 5)))
    two = ordered(unit_of(rules, "two", "red", "inf_b", at(3, 6)))
    them = unit_of(rules, "them", "blue", "inf_a", at(4, 6), 5)
    battle = bare_battle(rules, [one, two, them])
    script = [
        ("defender", "make a stand"), ("battle", [1, 2, 2, 2]), ("defence", "defend"), ("defence dice", [6, 5]),
        ("flags", "ignore the flags"),
    ]  # fmt: skip
    run(fight_unit, battle, one, at(4, 6), script=script)
    assert one.figures == 6
    run(fight_unit, battle, two, at(4, 6), script=[("defender", "make a stand"), ("battle", [2, 2, 2, 2])])
    assert defence(battle, exchange_facts(battle, one, at(4, 5), them, at(4, 6), 4, True)) == 0


@pytest.mark.rule("AFR-208", "AFR-210", "AFR-211", "AFR-217")
def test_riflemen_fired_at_fire_back(rules: Any, at: Any) -> None:
    us = ordered(unit_of(rules, "us", "red", "inf_b", at(4, 4), 1))
    them = unit_of(rules, "them", "blue", "inf_a", at(4, 6))
    battle = bare_battle(rules, [us, them])
    script = [("defender", "make a stand"), ("battle", [2, 2, 2]), ("defence", "defend"), ("defence dice", [5, 1])]
    run(fight_unit, battle, us, at(4, 6), script=script)
    assert battle.gone == {"us": "destroyed"} and battle.sides["blue"].points == 1


@pytest.mark.rule("AFR-208")
def test_defence_needs_weapons_that_reach(rules: Any, at: Any, defence: Any) -> None:
    for key, missile, distance, dice in (
        ("inf_a", True, 2, 2), ("inf_b", True, 2, 1), ("inf_b", False, 2, 0), ("inf_b", False, 1, 1), ("cav_a", True, 2, 0),
        ("cav_a", True, 1, 2), ("inf_c", True, 4, 0), ("mg_foot", True, 4, 2),
    ):  # fmt: skip
        us = unit_of(rules, "us", "red", "art_field", at(4, 1))
        them = unit_of(rules, "them", "blue", key, at(4, 1 + distance), missile=missile)
        battle = bare_battle(rules, [us, them])
        assert defence(battle, exchange_facts(battle, us, at(4, 1), them, at(4, 1 + distance), 2, True)) == dice


@pytest.mark.rule("AFR-211", "AFR-347")
@pytest.mark.setting("defence_faces")
def test_faces_of_defence_dice(book: Any) -> None:
    reads = {s: book(defence_faces=s).defence_reads for s in ("enemy_class_or_higher", "own_class", "enemy_hit_faces")}

    def faces(setting: str, own: str, enemy: str, close: bool = False) -> int:
        return len(reads[setting][own, enemy, close].groups[0])

    assert [faces("enemy_class_or_higher", "modern", c) for c in "ABCN"] == [1, 2, 3, 3]
    assert [faces("enemy_hit_faces", "modern", c) for c in "ABCN"] == [3, 2, 1, 0]
    assert [faces("own_class", own, "A", True) for own in ("modern", "infantry_b", "infantry_c")] == [3, 3, 2]
    for setting in reads:
        assert [faces(setting, "unarmed", "A", close) for close in (True, False)] == [1, 0]


@pytest.mark.rule("AFR-213", "AFR-219")
def test_defence_kills_no_more_than_men_left(book: Any, scripted: Any) -> None:
    script = [("battle", [6, 6, 2, 2]), ("saving throws", [6]), ("defence", "defend"), ("defence dice", [6, 6])]
    facts = {"figures": 3, "strength": 3, "answer": DiceFacts(2, 2)}
    assert exchange(book(), script, scripted, (attack, defend), **facts).losses == 1
    is_alone = exchange(book(), [("battle", [2, 2, 2, 2])], scripted, (attack, defend))
    assert is_alone.losses == 0


@pytest.mark.rule("AFR-214")
@pytest.mark.setting("defence_terrain")
def test_the_attackers_ground_in_defence(book: Any, at: Any, defence: Any) -> None:
    for setting, dice in (("dice", 0), ("los_only", 2)):
        rules = book(defence_terrain=setting)
        us = unit_of(rules, "us", "red", "inf_b", at(4, 4))
        them = unit_of(rules, "them", "blue", "inf_a", at(4, 5))
        battle = bare_battle(rules, [us, them], terrain={at(4, 4): ["building"]})
        assert defence(battle, exchange_facts(battle, us, at(4, 4), them, at(4, 5), 4, True)) == dice


@pytest.mark.rule("AFR-183")
@pytest.mark.setting("officer_die_in_defence")
def test_the_officer_in_defence(book: Any, at: Any, defence: Any) -> None:
    for setting, dice in ((False, 1), (True, 2)):
        rules = book(officer_die_in_defence=setting)
        us = unit_of(rules, "us", "red", "inf_b", at(4, 4))
        them = unit_of(rules, "them", "blue", "inf_b", at(4, 5))
        battle = bare_battle(rules, [us, them], [chief("boss", "blue", at(4, 5))])
        assert defence(battle, exchange_facts(battle, us, at(4, 4), them, at(4, 5), 4, True)) == dice


@pytest.mark.rule("AFR-183")
def test_the_officer_chooses_once_a_turn(rules: Any, at: Any, scripted: Any) -> None:
    units = [ordered(unit_of(rules, n, "red", "inf_b", at(4, 4))) for n in ("one", "two")]
    them = unit_of(rules, "them", "blue", "inf_b", at(4, 5))
    battle = bare_battle(rules, [*units, them], [chief("boss", "red", at(4, 4))])
    script = [
        ("officer's die", "keep the die"), ("defender", "make a stand"), ("battle", [2, 2, 2, 2]), ("defence", "do not defend"),
    ]  # fmt: skip
    run(fight_unit, battle, units[0], at(4, 5), script=script)
    assert battle.commanders["boss"].supports == "two"
    with scripted(battle, [("defender", "make a stand"), ("battle", [2] * 5), ("defence", "do not defend")]) as table:
        fight_unit(table, battle, units[1], at(4, 5))


@pytest.mark.rule("AFR-215", "AFR-329")
def test_ladders_cost_a_die_in_attack_and_defence(rules: Any, at: Any, defence: Any) -> None:
    us = unit_of(rules, "us", "red", "inf_b", at(4, 4), ladders=True)
    them = unit_of(rules, "them", "blue", "inf_b", at(4, 5))
    battle = bare_battle(rules, [us, them])
    assert rules.rules.tally("battle_dice", dice_facts(battle, us, at(4, 4), at(4, 5))).total == 3
    assert defence(battle, exchange_facts(battle, them, at(4, 5), us, at(4, 4), 4, True)) == 0


@pytest.mark.rule("AFR-216", "AFR-240", "AFR-241", "AFR-242", "AFR-196")
def test_a_voluntary_retreat_after_the_losses(rules: Any, at: Any) -> None:
    us = ordered(unit_of(rules, "us", "red", "inf_b", at(4, 5)))
    them = unit_of(rules, "them", "blue", "inf_b", at(4, 6))
    battle = bare_battle(rules, [us, them], [chief("boss", "blue", at(4, 6))])
    script = [
        ("defender", "retreat voluntarily"), ("battle", [5, 1, 1, 1]), ("saving throws", [6]), ("retreat to", at(4, 7)),
    ]  # fmt: skip
    assert run(fight_unit, battle, us, at(4, 6), script=script) is None, "no breakthrough"
    assert (them.figures, them.hex, battle.commanders["boss"].hex) == (7, at(4, 7), at(4, 7))


@pytest.mark.rule("AFR-205")
def test_figures_without_firearms_go_first(book: Any, at: Any, scripted: Any) -> None:
    from zareba_rulesets.afriboria.chapters.losses import lose_figures

    unit = unit_of(book(), "us", "red", "inf_b", at(4, 4), firearms=3)
    battle = bare_battle(book(), [unit])
    with scripted(battle, []) as table:
        lose_figures(table, battle, unit, 4, "fire", "AFR-205")
        assert (unit.figures, unit.firearms) == (4, 3)
        lose_figures(table, battle, unit, 2, "fire", "AFR-205")
    assert (unit.figures, unit.firearms) == (2, 2)


@pytest.mark.rule("AFR-235")
def test_flags_on_the_dead(book: Any, scripted: Any) -> None:
    script = [("battle", [6, 6, 6, 1]), ("saving throws", [6])]
    assert exchange(book(), script, scripted, (attack, answer_flags), figures=2, strength=2).retreat == 0


@pytest.mark.rule("AFR-166", "AFR-165")
def test_double_fire_is_two_battles(rules: Any, at: Any) -> None:
    us = ordered(unit_of(rules, "us", "red", "inf_a", at(4, 3)))
    them = unit_of(rules, "them", "blue", "inf_c", at(4, 5), missile=False)
    battle = bare_battle(rules, [us, them])
    shot = [("defender", "make a stand"), ("battle", [1, 2, 2]), ("flags to save", 0), ("retreat to", at(4, 6))]
    script = [
        ("battle against", ("hex", at(4, 5))),
        *shot,
        ("battle against", ("hex", at(4, 6))),
        shot[0],
        ("battle", [2, 2]),
    ]
    run(engage, battle, "us", script=script)
    assert them.hex == at(4, 6) and us.shots == 2


@pytest.mark.rule("AFR-183", "AFR-182")
def test_the_officer_cannot_keep_the_only_die(book: Any, at: Any) -> None:
    """Two dice less two for the building: no battle without the officer's die. One hex nearer there is a die more."""
    for row, asked in ((7, []), (6, [("officer's die", "lend the die")])):
        rules = book()
        us, mate = (unit_of(rules, name, "red", "inf_b", at(4, 4)) for name in ("us", "mate"))
        them = unit_of(rules, "them", "blue", "inf_c", at(4, row), missile=False)
        ground = {at(4, row): ["building"]}
        battle = bare_battle(rules, [us, mate, them], [chief("boss", "red", at(4, 4))], terrain=ground)
        for unit in (us, mate):
            unit.mark("ordered", "battle")
        run(fight_unit, battle, us, them.hex, script=[*asked, QUIET, ("battle", [2] * (8 - row))])
        assert battle.commanders["boss"].supports == "us"


def plane(name: str, side: str, cell: int, airborne: bool = True) -> Flier:
    return Flier(cell, airborne, 1, fuel=6, bombs=1, spec=FlierSpec(name, name.title(), side, "aircraft"))


@pytest.mark.rule("AFR-183")
def test_one_of_an_officers_units_has_his_die_in_defence(book: Any, at: Any, defence: Any) -> None:
    rules = book(officer_die_in_defence=True)
    us = unit_of(rules, "us", "red", "inf_b", at(4, 4))
    pair = [unit_of(rules, name, "blue", "inf_a", at(4, 5)) for name in ("one", "two")]
    battle = bare_battle(rules, [us, *pair], [chief("boss", "blue", at(4, 5))])

    def dice() -> list[int]:
        attacks = (exchange_facts(battle, us, at(4, 4), unit, at(4, 5), 4, True) for unit in pair)
        return [defence(battle, facts) for facts in attacks]

    assert dice() == [3, 3]
    script = [
        ("which unit is attacked", "one"), ("defender", "make a stand"), ("battle", [2, 2, 2, 2]), ("defence", "defend"),
        ("defence dice", [1, 1, 1]),
    ]  # fmt: skip
    run(fight_unit, battle, us, at(4, 4 + 1), script=script)
    assert dice() == [0, 2]


@pytest.mark.rule("AFR-340", "AFR-342")
def test_rain_and_ammunition_in_every_sort_of_battle(rules: Any, at: Any) -> None:
    mg = unit_of(rules, "mg", "red", "mg_foot", at(4, 4))
    gun = unit_of(rules, "gun", "red", "art_field", at(4, 3))
    foe = unit_of(rules, "foe", "blue", "inf_c", at(4, 6))
    ours, theirs = plane("ours", "red", at(4, 4)), plane("theirs", "blue", at(4, 6))
    stone = {at(4, 7): StructureSpec("stone", 5, "blue"), at(4, 2): StructureSpec("stone", 5, "blue")}
    battle = bare_battle(rules, [mg, gun, foe], fliers=[ours, theirs], structures=stone)
    assert bombardment_facts(battle, gun, at(4, 7)).card == 0
    battle.effects["ev_rain"] = 1
    assert [bombardment_facts(battle, gun, cell).card for cell in (at(4, 7), at(4, 2))] == [-1, 0]
    ours.mark("ordered")
    assert ("hex", at(4, 6)) in air_targets(battle, ours)
    run(fight_from_air, battle, ours, "hex", at(4, 6), script=[("defender", "make a stand"), ("battle", [2, 2, 2])])
    run(fire_at_flier, battle, "mg", mg.hex, theirs, script=[("anti-aircraft fire", [2, 2, 2])])
    mg.mark("first")
    for dice in (4, 3):
        run(fire_at_flier, battle, "mg", mg.hex, theirs, script=[("anti-aircraft fire", [2] * dice)])


@pytest.mark.rule("AFR-165", "AFR-182", "AFR-250")
def test_a_second_shot_without_dice_is_none(book: Any) -> None:
    """There are two dice at range 3, less one for missing firearms. One hex farther there are none."""
    rules = book().rules
    facts = BattleFacts("inf_a", 6, 3, firearms=5, defender="inf_c", defender_figures=8, defender_missile=False)
    found = odds(rules, rules.ruleset.procedure("double_fire"), facts)
    assert found.probability(lambda o: o.retreat > 0) > 0
    assert {o.shots for o in found.outcomes if o.kills == 2} == {2}, "who stays is fired at again"
    assert found.probability(lambda o: o.shots == 1) > 0, "who is driven back is out of reach of the only die"


def told(table: Any) -> list[tuple[str, int]]:
    return [(tally.rule.name, tally.total) for tally in table.tallies]


@pytest.mark.rule("AFR-208", "AFR-214")
def test_defence_dice_are_explained(rules: Any, at: Any, scripted: Any) -> None:
    us = unit_of(rules, "us", "red", "inf_b", at(4, 4))
    them = unit_of(rules, "them", "blue", "inf_a", at(4, 5))
    battle = bare_battle(rules, [us, them], terrain={at(4, 4): ["fence"]})
    script = [("defender", "make a stand"), ("battle", [2] * 4), ("defence", "defend"), ("defence dice", [2])]
    with scripted(battle, script) as table:
        fight_unit(table, battle, us, at(4, 5))
        assert told(table) == [("battle_dice", 4), ("defence_dice", 1)]
        assert [part.id for part in table.tallies[1].parts()] == ["row", "terrain"], "two less the fence"
