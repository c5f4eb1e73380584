"""Chapters 6 and 8: movement, stacking, terrain."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.afriboria.pieces import chief, ordered, plan_of

from zareba_rulesets.afriboria.chapters.battle.combat import exchange_facts, fight_unit
from zareba_rulesets.afriboria.chapters.battle.eligibility import dice_facts, may_battle, targets
from zareba_rulesets.afriboria.chapters.movement.commander_moves import commander_goals
from zareba_rulesets.afriboria.chapters.movement.movement import move_unit, unit_options
from zareba_rulesets.afriboria.odds.stage import bare_battle, unit_of


def goals(battle: Any, unit: Any) -> set[int]:
    return {act[1] for act in unit_options(battle, unit, plan_of(battle)) if act[0] == "to"}


def total(battle: Any, unit: Any, origin: int, cell: int) -> Any:
    return battle.book.rules.tally("battle_dice", dice_facts(battle, unit, origin, cell)).total


@pytest.mark.rule("AFR-078", "AFR-079", "AFR-084")
def test_one_move_at_a_time_and_one_a_turn(game: Any, book: Any, at: Any, scripted: Any) -> None:
    rules, play = book(), game()
    units = [ordered(unit_of(rules, name, "red", "inf_a", at(n, 4))) for n, name in ((2, "a"), (6, "b"))]
    battle = bare_battle(rules, units)
    battle.stage, battle.waiting = "moves", ["a", "b"]
    with scripted(battle, [("move with", "b"), ("move", ("to", at(7, 4)))]) as table:
        play.sequence.perform(table, battle, play.next_step(battle))
    assert battle.units["b"].hex == at(7, 4) and battle.waiting == ["a"]
    with scripted(battle, [("move with", "done")]) as table:
        play.sequence.perform(table, battle, play.next_step(battle))
    assert battle.stage == "battles"


@pytest.mark.rule("AFR-081", "AFR-082", "AFR-083", "AFR-085", "AFR-086", "AFR-088", "AFR-089")
def test_stacking_and_passing(book: Any, at: Any) -> None:
    rules = book()
    us = ordered(unit_of(rules, "us", "red", "inf_b", at(4, 4), 3))
    full = [unit_of(rules, f"f{n}", "red", "inf_b", at(5, 4), 3) for n in range(2)]
    half = unit_of(rules, "half", "red", "inf_b", at(3, 4), 3)
    foe = unit_of(rules, "foe", "blue", "inf_c", at(4, 5))
    battle = bare_battle(rules, [us, *full, half, foe], [chief("enemy", "blue", at(3, 5))])
    found = goals(battle, us)
    assert at(3, 4) in found and at(5, 4) not in found and at(4, 5) not in found and at(3, 5) not in found
    assert at(2, 4) not in found, "not through a friend's hex"
    assert at(5, 3) in found and at(4, 2) in found, "an enemy beside him does not hold him"
    battle.move(us, at(3, 4))
    assert {u.figures for u in battle.units_in(at(3, 4))} == {3}, "two units never become one"


@pytest.mark.rule("AFR-094", "AFR-096", "AFR-097")
def test_commanders_enter_units_but_never_meet(book: Any, at: Any) -> None:
    rules = book()
    units = [unit_of(rules, f"f{n}", "red", "inf_b", at(5, 4)) for n in range(2)]
    mine = chief("mine", "red", at(4, 4), mounted=True)
    battle = bare_battle(rules, units, [mine, chief("other", "red", at(3, 4))])
    found = commander_goals(battle, mine)
    assert at(5, 4) in found and at(3, 4) not in found
    assert at(6, 4) in found, "round them, not through them"
    ring = [unit_of(rules, f"r{n}", "red", "inf_b", cell) for n, cell in enumerate(battle.field.near[at(4, 4)])]
    shut = bare_battle(rules, ring, [chief("mine", "red", at(4, 4), mounted=True)])
    assert set(commander_goals(shut, shut.commanders["mine"])) == set(shut.field.near[at(4, 4)])


@pytest.mark.rule("AFR-098")
def test_terrain_stops_commanders_by_their_means(book: Any, at: Any) -> None:
    ring = {cell: ["depression"] for cell in bare_battle(book()).field.near[at(4, 4)]}
    for mounted, may in ((True, False), (False, True)):
        battle = bare_battle(book(), commanders=[chief("mine", "red", at(4, 4), mounted=mounted)], terrain=ring)
        assert bool(commander_goals(battle, battle.commanders["mine"])) is may
    wood = {cell: ["wood"] for cell in ring}
    battle = bare_battle(book(), commanders=[chief("mine", "red", at(4, 4), mounted=True)], terrain=wood)
    assert set(commander_goals(battle, battle.commanders["mine"])) == set(wood)


@pytest.mark.rule("AFR-087", "AFR-237")
def test_terrain_is_nothing_to_a_retreat(book: Any, at: Any, scripted: Any) -> None:
    from zareba_rulesets.afriboria.chapters.retreat import retreat

    rules = book()
    gun = unit_of(rules, "gun", "red", "art_field", at(4, 4))
    row = {at(c, 3): ["depression"] for c in range(9)} | {at(c, 2): ["marsh"] for c in range(9)}
    battle = bare_battle(rules, [gun], terrain=row | {at(3, 3): ["impassable"]})
    assert goals(battle, ordered(gun)).isdisjoint(row)
    with scripted(battle, [("retreat to", at(4, 2)), ("retreat to", at(4, 1))]) as table:
        retreat(table, battle, gun, 3)
    assert gun.hex == at(4, 1) and gun.figures == 4, "the impassable hex was not offered, the depression and marsh were"


@pytest.mark.rule("AFR-093", "AFR-092")
@pytest.mark.setting("dismounted_move")
def test_dismounted_cavalry_walks_only_by_setting(book: Any, at: Any) -> None:
    for setting, reach in (("none", 0), ("as_infantry", 2)):
        rules = book(dismounted_move=setting)
        horse = ordered(unit_of(rules, "horse", "red", "cav_b", at(4, 4)))
        horse.mounted = False
        battle = bare_battle(rules, [horse])
        assert max((battle.field.distance[at(4, 4)][c] for c in goals(battle, horse)), default=0) == reach
        horse.moved = 1
        assert may_battle(battle, horse) is (setting == "as_infantry")


@pytest.mark.rule("AFR-092")
def test_mounting_after_the_battle(game: Any, book: Any, at: Any, scripted: Any) -> None:
    rules, play = book(), game()
    horse = ordered(unit_of(rules, "horse", "red", "cav_b", at(4, 4)))
    horse.mounted = False
    battle = bare_battle(rules, [horse])
    battle.stage = "mounting"
    with scripted(battle, [("mount", "mount")]) as table:
        play.sequence.perform(table, battle, play.next_step(battle))
    assert horse.mounted
    horse.mounted, horse.shots, battle.stage = False, 2, "mounting"
    with scripted(battle, []) as table:
        play.sequence.perform(table, battle, play.next_step(battle))
    assert not horse.mounted, "who has fired twice may not mount"


@pytest.mark.rule("AFR-126", "AFR-127", "AFR-130", "AFR-133", "AFR-137", "AFR-138", "AFR-140", "AFR-143", "AFR-150")
@pytest.mark.parametrize(
    ("kinds", "stops", "battles"),
    [
        (["wood"], True, False), (["building"], True, False), (["rough"], True, False), (["river"], True, True),
        (["marsh"], True, True), (["barbed_wire"], True, True), (["debris"], True, True), (["orchard"], False, True),
        (["hill"], False, True), (["field"], False, True), (["fence"], False, True), (["fieldwork"], False, True),
        (["sandbags"], False, True), (["river", "ford"], False, True), (["river", "bridge"], False, True), ([], False, True),
    ],
)  # fmt: skip
def test_what_ground_does_to_a_move(book: Any, at: Any, scripted: Any, kinds: Any, stops: Any, battles: Any) -> None:
    rules = book()
    horse = ordered(unit_of(rules, "horse", "red", "cav_a", at(4, 4)))
    battle = bare_battle(rules, [horse], terrain=dict.fromkeys(bare_battle(rules).field.near[at(4, 4)], kinds))
    assert (len(goals(battle, horse)) == 6) is stops
    with scripted(battle, [("move", ("to", at(4, 5)))]) as table:
        move_unit(table, battle, horse, plan_of(battle))
    assert may_battle(battle, horse) is battles


@pytest.mark.rule("AFR-147", "AFR-148")
def test_a_stop_lasts_for_the_turn_of_entry(game: Any, book: Any, at: Any, scripted: Any) -> None:
    rules, play = book(), game()
    us = ordered(unit_of(rules, "us", "red", "inf_b", at(4, 4)))
    battle = bare_battle(rules, [us], terrain={at(4, 5): ["wood"], at(4, 6): ["wood"]})
    with scripted(battle, [("move", ("to", at(4, 5)))]) as table:
        move_unit(table, battle, us, plan_of(battle))
    assert "no_battle" in us.marks
    battle.stage = "begin"
    with scripted(battle, []) as table:
        play.sequence.perform(table, battle, play.next_step(battle))
    ordered(us)
    assert may_battle(battle, us) and at(5, 4) in goals(battle, us)
    with scripted(battle, [("move", ("to", at(4, 6)))]) as table:
        move_unit(table, battle, us, plan_of(battle))
    assert "no_battle" in us.marks, "from one wood to another is an entry again"


@pytest.mark.rule("AFR-128", "AFR-136", "AFR-139", "AFR-142", "AFR-144", "AFR-145")
@pytest.mark.parametrize(
    ("kind", "rifles", "guns"),
    [
        ("wood", 2, 3), ("orchard", 2, 3), ("hill", 2, 3), ("building", 1, 2), ("marsh", 2, 3), ("sandbags", 2, 4),
        ("field", 2, 3), ("rough", 2, 3), ("fence", 2, 3), ("fieldwork", 1, 2), ("river", 3, 4), ("debris", 3, 4),
        ("barbed_wire", 3, 4),
    ],
)  # fmt: skip
def test_cover_from_every_side(book: Any, at: Any, kind: Any, rifles: Any, guns: Any) -> None:
    rules = book()
    us = unit_of(rules, "us", "red", "inf_a", at(4, 2))
    gun = unit_of(rules, "gun", "red", "mg_foot", at(6, 4))
    battle = bare_battle(rules, [us, gun], terrain={at(4, 4): [kind], at(4, 3): [kind]})
    assert total(battle, us, at(4, 2), at(4, 4)) == rifles
    assert total(battle, gun, at(6, 4), at(4, 4)) == guns


@pytest.mark.rule("AFR-129")
@pytest.mark.setting("hill_vs_hill")
def test_hill_against_hill(book: Any, at: Any) -> None:
    for setting, dice in (("minus", 2), ("none", 3)):
        rules = book(hill_vs_hill=setting)
        us = unit_of(rules, "us", "red", "inf_a", at(4, 4))
        battle = bare_battle(rules, [us], terrain={at(4, 4): ["hill"], at(4, 6): ["hill"]})
        assert total(battle, us, at(4, 4), at(4, 6)) == dice
        assert total(battle, us, at(6, 6), at(4, 6)) == 2


@pytest.mark.rule("AFR-131", "AFR-132", "AFR-214")
@pytest.mark.setting("minus_defender")
def test_river_and_wire_hamper_who_stands_in_them(book: Any, at: Any, defence: Any) -> None:
    seen = {}
    for setting in ("defence_dice", "all_dice", "off"):
        rules = book(minus_defender=setting)
        us = unit_of(rules, "us", "red", "inf_a", at(4, 4))
        them = unit_of(rules, "them", "blue", "inf_a", at(4, 5))
        for kinds in (["river"], ["river", "ford"], ["barbed_wire"], ["river", "bridge"]):
            battle = bare_battle(rules, [us, them], terrain={at(4, 5): kinds})
            answer = defence(battle, exchange_facts(battle, us, at(4, 4), them, at(4, 5), 4, True))
            seen[setting, kinds[-1]] = (answer, total(battle, them, at(4, 5), at(4, 4)))
    for kind in ("river", "ford", "barbed_wire"):
        assert seen["defence_dice", kind] == (1, 4)
        assert seen["all_dice", kind] == (1, 3)
        assert seen["off", kind] == (2, 4)
    assert seen["defence_dice", "bridge"] == (2, 4)


@pytest.mark.rule("AFR-134")
def test_depressions_shelter(book: Any, at: Any) -> None:
    rules = book()
    units = [
        ordered(unit_of(rules, "foot", "red", "inf_b", at(4, 4))),
        ordered(unit_of(rules, "horse", "red", "cav_a", at(3, 5))),
        ordered(unit_of(rules, "gun", "red", "art_field", at(4, 1))),
        ordered(unit_of(rules, "rifles", "red", "inf_a", at(6, 5))),
    ]
    them = unit_of(rules, "them", "blue", "inf_c", at(4, 5))
    battle = bare_battle(rules, [*units, them], terrain={at(4, 5): ["depression"], at(5, 5): ["depression"]})
    battle.move(units[0], at(5, 4))
    assert [bool(targets(battle, unit)) for unit in units] == [True, False, True, False]
    assert at(5, 5) in goals(battle, units[0]) and at(5, 5) not in goals(battle, units[2])


@pytest.mark.rule("AFR-146")
@pytest.mark.setting("terrain_stack")
def test_several_features(book: Any, at: Any) -> None:
    for setting, dice in (("worst", 2), ("sum", 1)):
        rules = book(terrain_stack=setting)
        us = unit_of(rules, "us", "red", "inf_a", at(4, 2))
        battle = bare_battle(rules, [us], terrain={at(4, 4): ["hill", "wood"]})
        assert total(battle, us, at(4, 2), at(4, 4)) == dice
        assert battle.ground(at(4, 4)).stop


@pytest.mark.rule("AFR-143", "AFR-182")
def test_no_dice_no_battle(book: Any, at: Any) -> None:
    rules = book()
    us = ordered(unit_of(rules, "us", "red", "inf_a", at(4, 1)))
    them = unit_of(rules, "them", "blue", "inf_c", at(4, 5))
    assert targets(bare_battle(rules, [us, them]), us) == [("hex", at(4, 5))]
    us = ordered(unit_of(rules, "us", "red", "inf_a", at(4, 1)))
    them = unit_of(rules, "them", "blue", "inf_c", at(4, 5))
    assert targets(bare_battle(rules, [us, them], terrain={at(4, 5): ["fence"]}), us) == []


@pytest.mark.rule("AFR-105", "AFR-106", "AFR-107", "AFR-099")
def test_a_unit_with_its_commander(book: Any, at: Any, scripted: Any) -> None:
    rules = book()
    horse = ordered(unit_of(rules, "horse", "red", "cav_a", at(4, 4)))
    foot = ordered(unit_of(rules, "foot", "red", "inf_a", at(4, 4)))
    battle = bare_battle(rules, [horse, foot], [chief("major", "red", at(4, 4))])
    options = unit_options(battle, horse, plan_of(battle))
    away = {
        kind: max(battle.field.distance[at(4, 4)][act[1]] for act in options if act[0] == kind)
        for kind in ("to", "with")
    }
    assert away == {"to": 3, "with": 2}
    with scripted(battle, [("move", ("with", at(6, 4)))]) as table:
        move_unit(table, battle, horse, plan_of(battle))
    assert battle.commanders["major"].hex == horse.hex == at(6, 4)
    assert battle.commander_of(horse) is battle.commanders["major"]
    battle.commanders["major"].mark("moved")
    battle.move(foot, at(6, 4))
    assert all(act[0] != "with" for act in unit_options(battle, foot, plan_of(battle)) if isinstance(act, tuple))


@pytest.mark.rule("AFR-144")
def test_features_work_all_round(book: Any, at: Any, scripted: Any) -> None:
    rules = book()
    them = unit_of(rules, "them", "blue", "inf_a", at(4, 5))
    for origin in bare_battle(rules).field.near[at(4, 5)]:
        us = unit_of(rules, "us", "red", "inf_a", origin)
        battle = bare_battle(rules, [us, them], terrain={at(4, 5): ["fence"]})
        assert total(battle, us, origin, at(4, 5)) == 3


@pytest.mark.rule("AFR-154", "AFR-155")
def test_fight_unit_is_what_the_field_allows(book: Any, at: Any, scripted: Any) -> None:
    rules = book()
    us = ordered(unit_of(rules, "us", "red", "inf_a", at(4, 2)))
    them = unit_of(rules, "them", "blue", "inf_b", at(4, 5), 1, missile=False)
    battle = bare_battle(rules, [us, them], terrain={at(4, 5): ["wood"]})
    battle.move(us, at(4, 3))
    script = [("defender", "make a stand"), ("battle", [6, 1]), ("saving throws", [6])]
    with scripted(battle, script) as table:
        assert fight_unit(table, battle, us, at(4, 5)) is them
    assert them.hex == -1
