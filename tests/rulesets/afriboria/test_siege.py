"""Chapter 20: structures, bombardment, men on walls, gates."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.afriboria.pieces import chief, ordered, plan_of, run

from zareba.odds import odds
from zareba.registry import load_rules
from zareba.table import Deck, Pause, RecordedTable
from zareba_rulesets.afriboria.chapters.cards import turn_over
from zareba_rulesets.afriboria.chapters.combat import attackable_units, exchange_facts, may_battle, targets
from zareba_rulesets.afriboria.chapters.engagement import _fires_twice, all_targets, engage
from zareba_rulesets.afriboria.chapters.exchange import Exchange, answer_flags
from zareba_rulesets.afriboria.chapters.movement import move_unit, unit_options
from zareba_rulesets.afriboria.chapters.retreat import retreat, withdraw
from zareba_rulesets.afriboria.chapters.siege import (
    bombard,
    collapse_structure,
    fight_from_wall,
    man_wall,
    may_man,
    structure_targets,
    wall_room,
    work_gates,
)
from zareba_rulesets.afriboria.chapters.sight import sees, set_exposure
from zareba_rulesets.afriboria.forces.battle import may_enter
from zareba_rulesets.afriboria.forces.pieces import Company
from zareba_rulesets.afriboria.ground import StructureSpec
from zareba_rulesets.afriboria.odds.battles import BombardmentOdds
from zareba_rulesets.afriboria.odds.stage import bare_battle, unit_of
from zareba_rulesets.afriboria.presentation.words import question_sentence


def wall(*cells: int, kind: str = "stone", value: int = 5, side: str = "blue", **more: Any) -> dict[int, StructureSpec]:
    return {cell: StructureSpec(kind, value, side, **more) for cell in cells}


SIEGE = """
  keep: {kind: building, area: [[8, 26], [22, 26], [22, 36], [8, 36]], material: stone, true_fortification: true},
  hut: {kind: building, area: [[30, 26], [42, 26], [42, 36], [30, 36]], material: adobe, strength: 8},
  shed: {kind: building, area: [[30, 14], [32, 14], [32, 16], [30, 16]], material: wood},
  low: {kind: low_wall, line: [[0, 6], [20, 6]]},
  wall: {kind: high_wall, line: [[0, 22], [48, 22]], material: wood, gates: {door: {at: [24, 22], kind: iron}}}
"""


@pytest.mark.rule("AFR-304", "AFR-305", "AFR-307", "AFR-309", "AFR-317", "AFR-336")
def test_walls_and_buildings_become_structures_in_a_siege(game: Any) -> None:
    field = game(siege="true", terrain=SIEGE).plan.field
    by_type: dict[str, set[int]] = {}
    for spec in field.structures.values():
        by_type.setdefault(spec.type, set()).add(spec.value)
        assert spec.side == "blue"
    assert by_type == {"stone_fort": {6}, "adobe": {8}, "wood": {3}}, "the shed covers less than half a hex"
    gate = [spec for spec in field.structures.values() if spec.gate]
    assert [(spec.type, spec.value) for spec in gate] == [("stone_fort", 6)]
    kinds = {kind for ground in field.ground for kind in ground.kinds}
    assert "fieldwork" in kinds and "fence" not in kinds
    peaceful = game(terrain=SIEGE).plan.field
    assert peaceful.structures == {} and "fence" in {kind for ground in peaceful.ground for kind in ground.kinds}


@pytest.mark.rule("AFR-141", "AFR-305")
def test_a_high_wall_is_a_fence_unless_there_is_a_siege(game: Any) -> None:
    line = "wall: {kind: high_wall, line: [[0, 22], [48, 22]], material: stone}"
    for siege, kinds, cover in (("false", {"fence"}, 1), ("true", {"building"}, 2)):
        field = game(siege=siege, terrain=line).plan.field
        found = [ground for ground in field.ground if ground.kinds]
        assert {kind for ground in found for kind in ground.kinds} == kinds
        assert {ground.cover.troops.level for ground in found} == {cover}
        assert bool(field.structures) is (siege == "true")


@pytest.mark.rule("AFR-308")
@pytest.mark.setting("siege_values")
def test_structures_have_the_value_of_their_material(game: Any) -> None:
    field = game({"siege_values": "2,4,5,7"}, siege="true", terrain=SIEGE).plan.field
    assert {spec.value for spec in field.structures.values() if spec.type in ("wood", "stone_fort")} == {2, 7}


@pytest.mark.rule("AFR-306", "AFR-314", "AFR-035")
def test_guns_bombard_walls_and_machine_guns_do_not(rules: Any, at: Any) -> None:
    for key, may in (
        ("art_field", True),
        ("art_horse", True),
        ("art_heavy", True),
        ("mg_foot", False),
        ("inf_a", False),
    ):
        gun = ordered(unit_of(rules, "gun", "red", key, at(4, 2)))
        them = unit_of(rules, "them", "blue", "inf_c", at(4, 4))
        battle = bare_battle(rules, [gun, them], structures=wall(at(4, 4)))
        found = all_targets(battle, gun)
        assert (("structure", at(4, 4)) in found) is may and ("hex", at(4, 4)) in found


@pytest.mark.rule("AFR-310", "AFR-311", "AFR-312", "AFR-135")
def test_bombardment_to_rubble(rules: Any, at: Any) -> None:
    gun = ordered(unit_of(rules, "gun", "red", "art_heavy", at(4, 2), 1))
    battle = bare_battle(rules, [gun], terrain={at(4, 2): ["hill"]}, structures=wall(at(4, 4), value=3))
    gun.mark("first")
    script = [("bombardment", [6, 6, 6, 1, 1]), ("structure saves", [3, 2, 6])]
    run(bombard, battle, gun, at(4, 4), script=script)
    assert "first" not in gun.marks, "only its first fire has one die more"
    assert battle.structures[at(4, 4)].value == 1 and not may_enter(battle, at(4, 4), "red", True, at(4, 3))
    run(bombard, battle, gun, at(4, 4), script=[("bombardment", [6, 6, 6, 6]), ("structure saves", [6, 6, 6, 6])])
    assert battle.structures[at(4, 4)].value == 0
    assert battle.ground(at(4, 4)).kinds == ("debris",) and may_enter(battle, at(4, 4), "red", True, at(4, 3))
    assert ("structure", at(4, 4)) not in all_targets(battle, gun)


@pytest.mark.rule("AFR-310", "AFR-146")
def test_a_fallen_house_on_a_hill_leaves_the_hill(book: Any, at: Any, scripted: Any) -> None:
    battle = bare_battle(book(), terrain={at(4, 4): ["hill"]}, structures=wall(at(4, 4), at(5, 4)))
    assert battle.ground(at(4, 4)).kinds == ("hill", "building")
    with scripted(battle, []) as table:
        collapse_structure(table, battle, at(4, 4))
        collapse_structure(table, battle, at(5, 4))
    assert battle.ground(at(4, 4)).kinds == ("hill", "debris") and battle.ground(at(5, 4)).kinds == ("debris",)
    assert battle.ground(at(4, 4)).cover.troops.level == 1


@pytest.mark.rule("AFR-316")
def test_a_unit_decides_to_show_itself_when_it_is_ordered(game: Any, book: Any, at: Any, scripted: Any) -> None:
    """The choice also comes with cards that allow no move, and again on entering."""
    rules, play = book(), game()
    them = unit_of(rules, "them", "red", "inf_a", at(4, 4))
    fort = wall(at(4, 4), at(5, 4), side="red", fortification=True)
    battle = bare_battle(rules, [them], structures=fort)
    battle.stage, battle.card, battle.slots = "orders", "sp_volley", {"any": 2}
    with scripted(battle, [("order", ("unit", "them"))]) as table:
        play.sequence.perform(table, battle, play.play.next_step(battle))
    with scripted(battle, [("exposure", "keep out of sight")]) as table:
        play.sequence.perform(table, battle, play.play.next_step(battle))
    assert "unexposed" in them.marks and battle.stage == "event"
    them.marks = frozenset({"move", "unexposed"})
    run(move_unit, battle, them, plan_of(battle), script=[("move", ("to", at(5, 4))), ("exposure", "show themselves")])
    assert "unexposed" not in them.marks


@pytest.mark.rule("AFR-313", "AFR-016")
def test_structures_in_fast_play() -> None:
    facts = BombardmentOdds("art_field", 1, "stone", 5)
    for setting in ("on", "saves_only"):
        rules = load_rules("afriboria", {"fastplay": setting})
        found = odds(rules, rules.ruleset.procedure("bombardment"), facts)
        assert found.mean(lambda o: 5 - o.value_left) * 6 == 4


@pytest.mark.rule("AFR-315", "AFR-316")
def test_men_out_of_sight_cannot_be_attacked(rules: Any, at: Any, defence: Any) -> None:
    us = ordered(unit_of(rules, "us", "red", "inf_a", at(4, 3)))
    them = ordered(unit_of(rules, "them", "blue", "inf_a", at(4, 4)))
    battle = bare_battle(rules, [us, them], structures=wall(at(4, 4), fortification=True))
    run(set_exposure, battle, them, script=[("exposure", "keep out of sight")])
    assert targets(battle, us) == [] and not may_battle(battle, them)
    assert defence(battle, exchange_facts(battle, us, at(4, 3), them, at(4, 4), 2, True)) == 0
    run(collapse_structure, battle, at(4, 4))
    assert targets(battle, us) == [("hex", at(4, 4))] and may_battle(battle, them)
    plain = bare_battle(rules, [us, them], structures=wall(at(4, 4)))
    run(set_exposure, plain, them)
    assert "unexposed" not in them.marks


@pytest.mark.rule("AFR-319")
def test_defenders_of_buildings_choose_the_flags_they_accept(rules: Any, at: Any, scripted: Any) -> None:
    us = unit_of(rules, "us", "red", "inf_a", at(4, 3))
    them = unit_of(rules, "them", "blue", "inf_c", at(4, 4), 2)
    for structures, stubborn in ((wall(at(4, 4)), True), ({}, False)):
        terrain = {at(4, 4): ["building"]}
        battle = bare_battle(rules, [us, them], terrain=terrain, structures=structures)
        facts = exchange_facts(battle, us, at(4, 3), them, at(4, 4), 2, True)
        assert facts.stubborn is stubborn
    facts = exchange_facts(
        bare_battle(rules, [us, them], structures=wall(at(4, 4))), us, at(4, 3), them, at(4, 4), 2, True
    )
    course = Exchange("us", "them", "blue", flags=3, facts=facts)
    with scripted(battle, [("flags accepted", 1)]) as table:
        answer_flags(table, rules, course)
    assert course.retreat == 1


@pytest.mark.rule("AFR-320")
def test_another_unit_may_cover_heavy_guns(book: Any, at: Any) -> None:
    for stacking, cell in (("two_units", at(4, 6)), ("one_unit", at(5, 6))):
        rules = book(stacking=stacking)
        us = unit_of(rules, "us", "red", "inf_a", at(4, 4))
        guns = unit_of(rules, "guns", "blue", "art_heavy", at(4, 6))
        cover = unit_of(rules, "cover", "blue", "inf_c", cell)
        battle = bare_battle(rules, [us, guns, cover], [chief("boss", "blue", at(8, 10))])
        assert guns in attackable_units(battle, us, at(4, 4), at(4, 6))
        battle.companies["c"] = Company("boss", ["guns", "cover"], "active")
        guns.company = cover.company = "c"
        assert [u.id for u in attackable_units(battle, us, at(4, 4), at(4, 6))] == (
            ["cover"] if cell == at(4, 6) else []
        )
        battle.move(cover, at(0, 10))
        assert [u.id for u in attackable_units(battle, us, at(4, 4), at(4, 6))] == ["guns"]
        battle.move(cover, cell)
        guns.company = cover.company = ""
        boss = battle.commanders["boss"]
        battle.place(boss, at(4, 6))
        covered = "guns" not in [u.id for u in attackable_units(battle, us, at(4, 4), at(4, 6))]
        assert covered is (stacking == "two_units"), "a unit beside him is of his platoon once it is named"
        boss.second = "cover"
        assert "guns" not in [u.id for u in attackable_units(battle, us, at(4, 4), at(4, 6))]


@pytest.mark.rule("AFR-318", "AFR-321")
def test_a_unit_spreads_over_its_wall(book: Any, at: Any) -> None:
    assert (wall_room(book()), wall_room(book(hex_cm=10))) == (4, 2)
    rules = book()
    guards = ordered(unit_of(rules, "guards", "blue", "inf_a", at(4, 6)))
    cells = (at(3, 6), at(4, 6), at(5, 6))
    battle = bare_battle(rules, [guards], structures=wall(*cells), active="blue")
    assert may_man(battle, guards) and "man the wall" in unit_options(battle, guards, plan_of(battle))
    script = [
        ("figures there", 2),
        ("man", at(3, 6)),
        ("figures there", 2),
    ]
    run(man_wall, battle, guards, script=script)
    assert guards.sections == {at(4, 6): 2, at(3, 6): 2, at(5, 6): 2}
    assert all(battle.here[cell] == ("guards",) for cell in cells)
    single = bare_battle(
        rules, [unit_of(rules, "g", "blue", "inf_a", at(4, 6))], structures=wall(at(4, 6)), active="blue"
    )
    assert not may_man(single, single.units["g"])
    run(move_unit, battle, guards, plan_of(battle), script=[("move", "gather"), ("gather in", at(4, 6))])
    assert guards.sections == {} and battle.here == {at(4, 6): ("guards",)}


def manned(rules: Any, at: Any, figures: int = 6, **more: Any) -> Any:
    """Guards in three sections of two behind a wall, an officer in the middle, and spearmen at the foot of the wall."""
    guards = ordered(unit_of(rules, "guards", "blue", "inf_a", at(4, 6), figures))
    foe = unit_of(rules, "foe", "red", "inf_c", at(4, 5), 8, missile=False)
    cells = (at(3, 6), at(4, 6), at(5, 6))
    battle = bare_battle(
        rules, [guards, foe], [chief("boss", "blue", at(4, 6))], structures=wall(*cells), active="blue", **more
    )
    battle.move(guards, at(3, 6))
    battle.spread(guards, dict.fromkeys(cells, 2))
    return battle, guards, foe


@pytest.mark.rule("AFR-322", "AFR-323", "AFR-324", "AFR-325")
@pytest.mark.setting("wall_second_fire")
def test_sections_fire_separately(book: Any, at: Any) -> None:
    rules = book()
    battle, guards, foe = manned(rules, at)
    assert [battle.field.distance[c][at(4, 5)] for c in guards.sections] == [2, 1, 1]
    script = [
        ("battle against", ("hex", at(4, 5))), ("defender", "make a stand"),
        ("dice of the section", 0), ("dice of the section", 2), ("dice of the section", 2),
        ("battle", [6, 6, 1]), ("saving throws", [6]), ("battle", [6, 1]), ("saving throws", [3]),
        ("flags to save", 1), ("flag saves", [3]), ("retreat to", at(4, 4)),
        ("battle against", ("hex", at(4, 3))), ("defender", "make a stand"),
        ("dice of the section", 2), ("battle", [2, 2]),
    ]  # fmt: skip
    other = unit_of(rules, "other", "red", "inf_c", -1, 8, missile=False)
    battle.units["other"] = other
    battle.move(other, at(4, 3))
    run(engage, battle, "guards", script=script)
    assert (foe.figures, foe.hex) == (6, at(4, 4)), "two killed by the officer's section, which has one die more"
    assert guards.shots == 2
    for setting, may in (("example", True), ("strict", False)):
        battle, guards, foe = manned(book(wall_second_fire=setting), at)
        assert _fires_twice(battle, guards, close=True) is may
        assert _fires_twice(battle, guards, close=False)
        guards.moved = 1
        assert not _fires_twice(battle, guards, close=False)


@pytest.mark.rule("AFR-325", "AFR-165")
def test_the_second_fire_from_a_wall_is_at_two_or_more(book: Any, at: Any) -> None:
    battle, guards, _foe = manned(book(), at)
    assert [cell for kind, cell in targets(battle, guards, second=True)] == [at(4, 5)]
    battle.drop_section(guards, at(3, 6))
    assert targets(battle, guards, second=True) == []


@pytest.mark.rule("AFR-326", "AFR-327")
def test_an_attack_hits_only_the_section_in_its_hex(rules: Any, at: Any, defence: Any) -> None:
    battle, guards, foe = manned(rules, at)
    facts = exchange_facts(battle, foe, at(4, 5), guards, at(4, 6), 2, True)
    assert (facts.figures, facts.strength, defence(battle, facts)) == (2, 6, 2)
    from zareba_rulesets.afriboria.chapters.losses import lose_figures

    run(lose_figures, battle, guards, 2, "melee", "AFR-327", at(4, 6))
    assert guards.sections == {at(3, 6): 2, at(5, 6): 2} and at(4, 6) not in battle.here and guards.figures == 4


@pytest.mark.rule("AFR-328")
def test_walls_keep_the_enemy_out_and_gates_let_in(rules: Any, at: Any) -> None:
    battle = bare_battle(
        rules, [unit_of(rules, "us", "blue", "inf_a", at(4, 6))], structures=wall(at(4, 4), gate=True), active="blue"
    )
    assert not may_enter(battle, at(4, 4), "red", True, at(4, 3)) and may_enter(
        battle, at(4, 4), "blue", True, at(4, 5)
    )
    assert battle.ground(at(4, 4)).cover.troops.level == 2 and not sees(battle, at(2, 4), at(6, 4))
    run(work_gates, battle, script=[("gate", "move the gate")])
    assert may_enter(battle, at(4, 4), "red", True, at(4, 3))
    battle.active = "red"
    run(work_gates, battle)


@pytest.mark.rule("AFR-315", "AFR-314")
def test_fight_from_wall_needs_a_section_in_reach(rules: Any, at: Any) -> None:
    battle, guards, foe = manned(rules, at)
    battle.move(foe, at(4, 2))
    script = [
        ("defender", "make a stand"), ("dice of the section", 1), ("battle", [2]),
    ]  # fmt: skip
    run(fight_from_wall, battle, guards, at(4, 2), script=script)
    assert foe.figures == 8


@pytest.mark.rule("AFR-320")
def test_two_heavy_guns_do_not_cover_each_other(book: Any, at: Any) -> None:
    us = unit_of(book(), "us", "red", "inf_a", at(4, 4))
    guns = [unit_of(book(), name, "blue", "art_heavy", at(4, 6)) for name in ("one", "two")]
    battle = bare_battle(book(), [us, *guns], [chief("boss", "blue", at(4, 6))])
    battle.companies["c"] = Company("boss", ["one", "two"], "active")
    for gun in guns:
        gun.company = "c"
    assert [unit.id for unit in attackable_units(battle, us, at(4, 4), at(4, 6))] == ["one", "two"]


@pytest.mark.rule("AFR-316")
@pytest.mark.parametrize("way", ["voluntary", "forced", "rallied"])
def test_a_unit_that_retreats_into_a_fort_may_keep_out_of_sight(book: Any, at: Any, scripted: Any, way: str) -> None:
    us = unit_of(book(), "us", "red", "inf_b", at(4, 4))
    fort = {at(4, 3): StructureSpec("stone_fort", 6, "red", fortification=True)}
    battle = bare_battle(book(), [us], [chief("boss", "red", at(4, 3))] if way == "rallied" else [], structures=fort)
    script = [("retreat to", at(4, 3)), ("exposure", "keep out of sight")]
    with scripted(battle, script) as table:
        if way == "voluntary":
            withdraw(table, battle, us)
        else:
            retreat(table, battle, us, 1)
    assert us.hex == at(4, 3) and "unexposed" in us.marks


@pytest.mark.rule("AFR-311")
def test_guns_bombard_the_next_hex_too(book: Any, at: Any) -> None:
    gun = unit_of(book(), "gun", "red", "art_field", at(4, 4))
    for row, reached in ((5, True), (10, True), (11, False)):
        battle = bare_battle(book(), [gun], structures={at(4, row): StructureSpec("wood", 3, "blue")}, size=(9, 12))
        assert (structure_targets(battle, gun) == [("structure", at(4, row))]) is reached


@pytest.mark.rule("AFR-316", "AFR-340")
def test_units_ordered_by_a_second_wind_may_show_themselves(rules: Any, at: Any) -> None:
    men = unit_of(rules, "men", "red", "inf_a", at(4, 4))
    fort = {at(4, 4): StructureSpec("stone_fort", 6, "red", fortification=True)}
    battle = bare_battle(rules, [men], structures=fort)
    men.mark("unexposed")
    battle.card, battle.event_deck = "red_1", Deck({"ev_second_wind": 1}, {})
    script = [("event card", "ev_second_wind"), ("ev_second_wind", ("unit", "men")), ("exposure", "show themselves")]
    run(turn_over, battle, "red", script=script)
    assert "battle" in men.marks and "unexposed" not in men.marks


@pytest.mark.rule("AFR-317")
def test_a_building_over_exactly_half_a_hex_is_in_it(game: Any) -> None:
    """The building ends at the centre of a hex on each side. A rounding error must not make it less than half."""
    field = game(terrain="keep: {kind: building, area: [[12, 14], [24, 14], [24, 22], [12, 22]]}").plan.field
    keep = [field.grid.column_row(cell) for cell in field.grid.cells if "building" in field.ground[cell].kinds]
    assert [place for place in keep if place[1] == 3] == [(1, 3), (2, 3), (3, 3)]


@pytest.mark.rule("AFR-182", "AFR-311", "AFR-340")
def test_rain_may_leave_no_dice_for_a_bombardment(book: Any, at: Any) -> None:
    """A field gun has one die at five hexes, two from a hilltop."""
    for ground, rain, may in (([], False, True), ([], True, False), (["hill"], True, True)):
        gun = ordered(unit_of(book(), "gun", "red", "art_field", at(4, 1)))
        wall = {at(4, 6): StructureSpec("wood", 3, "blue")}
        battle = bare_battle(book(), [gun], terrain={at(4, 1): ground}, structures=wall)
        battle.effects = {"ev_rain": battle.turn} if rain else {}
        assert (("structure", at(4, 6)) in all_targets(battle, gun)) is may


@pytest.mark.rule("AFR-308")
def test_a_saving_throw_of_a_structure_names_its_hex(book: Any, at: Any) -> None:
    gun = unit_of(book(), "gun", "red", "art_field", at(4, 4))
    battle = bare_battle(book(), [gun], structures={at(4, 5): StructureSpec("wood", 3, "blue")})
    with pytest.raises(Pause) as paused:
        bombard(RecordedTable(battle.book.rules, battle, [(1,)]), battle, gun, at(4, 5))
    assert question_sentence(battle, paused.value.question, {}).startswith(
        "Structure saves for structure at E6: throw "
    )
