"""AFR-321 to AFR-325: dice of sections including the officer's die; firearms and bonus dice over all sections."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction as F
from typing import Any

import pytest
from tests.rulesets.afriboria.pieces import ordered, run

from zareba.odds import SmallBattle, odds
from zareba.table import Choose
from zareba_rulesets.afriboria.chapters.cards import is_playable
from zareba_rulesets.afriboria.chapters.combat import exchange_facts, fight_commander, origin_of_attack, targets
from zareba_rulesets.afriboria.chapters.engagement import engage
from zareba_rulesets.afriboria.chapters.movement import unit_options
from zareba_rulesets.afriboria.chapters.orders import figures_to_regain, regain
from zareba_rulesets.afriboria.chapters.siege import (
    fight_from_wall,
    firing_sections,
    gather,
    man_wall,
    may_man,
    room_on_wall,
    section_dice,
    sections_against,
)
from zareba_rulesets.afriboria.forces.battle import Plan
from zareba_rulesets.afriboria.forces.companies import may_form
from zareba_rulesets.afriboria.forces.pieces import Commander, CommanderSpec, Company
from zareba_rulesets.afriboria.ground import StructureSpec
from zareba_rulesets.afriboria.odds.stage import bare_battle, unit_of
from zareba_rulesets.afriboria.presentation.odds_hints import next_act
from zareba_rulesets.afriboria.sequence import may_mount

QUIET = ("defender", "make a stand")


def wall_of(
    book: Any, at: Any, distance: int, ground: Any = (), figures: int = 6, second: bool = False, **more: Any
) -> Any:
    """Guards in sections of two at columns 3 to 5 of row 6, an officer at column 4, spearmen in front of column 4."""
    rules = book(**more.pop("settings", {}))
    cells = [at(column, 6) for column in (3, 4, 5)]
    guards = unit_of(rules, "guards", "blue", "inf_a", cells[1], figures, **more)
    guards.mark("ordered", "battle")
    foe = unit_of(rules, "foe", "red", "inf_c", at(4, 6 - distance), missile=False)
    units = [guards, foe]
    if second:
        units.append(unit_of(rules, "reserve", "blue", "inf_b", cells[1]))
        units[-1].mark("ordered", "battle")
    boss = Commander(cells[1], spec=CommanderSpec("boss", "Boss", "blue", True))
    structures = {cell: StructureSpec("stone", 5, "blue") for cell in cells}
    terrain = {at(4, 6 - distance): list(ground)}
    sheikh = Commander(at(8, 0), spec=CommanderSpec("sheikh", "Sheikh", "red", True))
    battle = bare_battle(rules, units, [boss, sheikh], terrain=terrain, structures=structures, active="blue")
    battle.spread(guards, dict.fromkeys(cells, figures // 3))
    return battle, guards, foe, cells


@pytest.mark.rule("AFR-323", "AFR-182")
@pytest.mark.parametrize(
    ("distance", "ground", "own", "lent"),
    [
        (2, [], 3, 1), (2, ["building"], 1, 1), (3, ["building"], 0, 1), (4, ["fence"], 0, 1), (4, ["building"], 0, 0),
    ],
)  # fmt: skip
def test_the_officers_die_is_added_to_the_dice_that_the_ground_leaves(
    book: Any, at: Any, distance: int, ground: Any, own: int, lent: int
) -> None:
    """Dice are 3, 2, 1 at ranges 2 to 4, less the terrain. The officer's die remains if terrain takes all dice, and is
    lost if it takes more.
    """
    battle, guards, foe, cells = wall_of(book, at, distance, ground)
    assert section_dice(battle, guards, cells[1], foe.hex) == (own, lent)
    for other in (cells[0], cells[2]):
        assert section_dice(battle, guards, other, foe.hex)[1] == 0, "no other section has it"
    assert (cells[1] in firing_sections(battle, guards, foe.hex, second=False)) is (own + lent > 0)


@pytest.mark.rule("AFR-322", "AFR-323")
def test_the_officers_section_alone_throws_his_die(book: Any, at: Any) -> None:
    battle, guards, foe, cells = wall_of(book, at, 3, ["building"])
    assert list(firing_sections(battle, guards, foe.hex, second=False)) == [cells[1]]
    run(fight_from_wall, battle, guards, foe.hex, script=[QUIET, ("battle", [6]), ("saving throws", [6])])
    assert foe.figures == 7


@pytest.mark.rule("AFR-322", "AFR-325")
def test_the_example_of_two_sections_and_an_officer(book: Any, at: Any, scripted: Any) -> None:
    """Four dice at range 1 are split two and two. The officer adds one to his section's; the third does not fire."""
    battle, guards, foe, cells = wall_of(book, at, 1)
    reach = {cell: battle.field.distance[cell][foe.hex] for cell in cells}
    near = [cell for cell in cells if reach[cell] == 1]
    assert len(near) == 2 and cells[1] in near
    dealt = {cell: 2 if cell in near else 0 for cell in cells}
    assert list(firing_sections(battle, guards, foe.hex, second=False)) == cells, "the third could fire at range 2"
    script = [QUIET, *(("dice of the section", dealt[cell]) for cell in cells if cell in near or cell != cells[-1])]
    script += [("battle", [2] * (dealt[cell] + (cell == cells[1]))) for cell in near]
    with scripted(battle, script) as table:
        fight_from_wall(table, battle, guards, foe.hex)
        dice = [event.data["dice"] for event in table.events if event.kind == "battle"]
    assert sorted(dice) == [2, 3]


@pytest.mark.rule("AFR-325", "AFR-165")
def test_sections_of_a_second_fire_are_two_hexes_away(book: Any, at: Any) -> None:
    battle, guards, foe, cells = wall_of(book, at, 1)
    assert list(firing_sections(battle, guards, foe.hex, second=False)) == cells
    assert list(firing_sections(battle, guards, foe.hex, second=True)) == [cells[0]], (
        "the others stand next to the enemy"
    )


@pytest.mark.rule("AFR-325", "AFR-165")
@pytest.mark.setting("wall_second_fire")
@pytest.mark.parametrize(
    ("setting", "deal", "again"),
    [("strict", [3, 0, 0], True), ("strict", [2, 2], False), ("example", [2, 2], True)],
)
def test_only_sections_that_fired_say_how_near_the_first_fire_was(
    book: Any, at: Any, setting: str, deal: list[int], again: bool
) -> None:
    """Two of the three sections are adjacent to the enemy. The first is not, and may fire alone."""
    battle, guards, foe, cells = wall_of(book, at, 1, settings={"wall_second_fire": setting})
    battle.place(battle.commanders["boss"], at(0, 8))
    assert [battle.field.distance[cell][foe.hex] for cell in cells] == [2, 1, 1]
    battle.place(battle.commanders["sheikh"], at(2, 4))
    script = [("battle against", ("hex", foe.hex)), QUIET, *(("dice of the section", dice) for dice in deal)]
    script += [("battle", [2] * dice) for dice in deal if dice]
    run(engage, battle, "guards", script=[*script, *([("battle against", "hold fire")] if again else [])])
    assert guards.shots == 1


@pytest.mark.rule("AFR-325", "AFR-322", "AFR-222")
@pytest.mark.setting("wall_second_fire")
@pytest.mark.parametrize(
    ("setting", "distance", "again"), [("strict", 1, False), ("strict", 2, True), ("example", 1, True)]
)
def test_the_section_that_attacks_a_commander_says_how_near_it_was(
    book: Any, at: Any, setting: str, distance: int, again: bool
) -> None:
    battle, _, _, cells = wall_of(book, at, 3, settings={"wall_second_fire": setting})
    sheikh = battle.commanders["sheikh"]
    battle.place(sheikh, at(6 if distance == 1 else 7, 6))
    assert battle.field.distance[cells[2]][sheikh.hex] == distance
    script = [
        ("battle against", ("commander", "sheikh")),
        ("defender", "make a stand"),
        ("battle", [2] * (5 - distance)),
    ]
    run(engage, battle, "guards", script=[*script, *([("battle against", "hold fire")] if again else [])])


@pytest.mark.rule("AFR-183", "AFR-323")
def test_on_a_wall_the_officer_helps_one_of_his_two_units(book: Any, at: Any) -> None:
    for choice, dice in (("keep the die", 3), ("lend the die", 4)):
        battle, guards, foe, cells = wall_of(book, at, 2, second=True)
        counts = {cell: 3 if cell == cells[1] else 0 for cell in guards.sections}
        script: list[Any] = [("officer's die", choice), QUIET]
        left = 3
        for cell in guards.sections:
            if left:
                script.append(("dice of the section", counts[cell]))
                left -= counts[cell]
        run(fight_from_wall, battle, guards, foe.hex, script=[*script, ("battle", [2] * dice)])
        assert battle.commanders["boss"].supports == ("guards" if dice == 4 else "reserve")


@pytest.mark.rule("AFR-183", "AFR-182", "AFR-323")
def test_on_a_wall_the_officer_cannot_keep_the_only_die(book: Any, at: Any) -> None:
    """Without the officer's die no section could fire, at a unit or at a commander in a building, so it cannot go to
    his other unit.
    """
    for distance, asked in ((3, []), (2, [("officer's die", "keep the die")])):
        battle, guards, foe, cells = wall_of(book, at, distance, ["building"], second=True)
        shares = [] if distance == 3 else [("dice of the section", 1)]
        run(fight_from_wall, battle, guards, foe.hex, script=[*asked, QUIET, *shares, ("battle", [2])])
        assert battle.commanders["boss"].supports == ("reserve" if asked else "guards")
    battle, guards, foe, cells = wall_of(book, at, 3, ["building"], second=True)
    sheikh, cell = battle.commanders["sheikh"], foe.hex
    battle.move(foe, at(0, 0))
    battle.place(sheikh, cell)
    assert origin_of_attack(battle, guards, cell) == cells[1]
    run(fight_commander, battle, guards, sheikh, cells[1], script=[("defender", "make a stand"), ("battle", [2])])
    assert battle.commanders["boss"].supports == "guards"


@pytest.mark.rule("AFR-038", "AFR-324")
def test_sections_together_kill_no_more_than_their_firearms(book: Any, at: Any) -> None:
    battle, guards, foe, cells = wall_of(book, at, 2, firearms=2)
    assert guards.partly_armed
    assert section_dice(battle, guards, cells[1], foe.hex) == (2, 1), "one less for the missing firearms"
    script = [QUIET, ("dice of the section", 0), ("dice of the section", 1), ("dice of the section", 1)]
    script += [("battle", [6, 6]), ("saving throws", [6]), ("battle", [6]), ("saving throws", [6])]
    run(fight_from_wall, battle, guards, foe.hex, script=script)
    assert foe.figures == 6, "three unsaved hits, two firearms"


@pytest.mark.rule("AFR-342", "AFR-325")
def test_a_bonus_die_for_the_first_battle_is_used_up_on_a_wall_too(book: Any, at: Any) -> None:
    battle, guards, foe, cells = wall_of(book, at, 2)
    guards.mark("far")
    battle.card = "sp_volley"
    assert section_dice(battle, guards, cells[1], foe.hex) == (4, 1)
    script = [QUIET, ("dice of the section", 0), ("dice of the section", 4), ("battle", [2] * 5)]
    run(fight_from_wall, battle, guards, foe.hex, script=script)
    assert section_dice(battle, guards, cells[1], foe.hex) == (3, 1)


@pytest.mark.rule("AFR-220", "AFR-322")
def test_the_nearest_section_attacks_a_lone_commander(book: Any, at: Any) -> None:
    battle, guards, foe, cells = wall_of(book, at, 4)
    battle.move(foe, at(0, 0))
    sheikh = battle.commanders["sheikh"]
    for column, near in ((7, cells[2]), (1, cells[0])):
        battle.place(sheikh, at(column, 6))
        assert ("commander", "sheikh") in targets(battle, guards)
        assert origin_of_attack(battle, guards, sheikh.hex) == near
        assert battle.field.distance[near][sheikh.hex] == 2
    run(fight_commander, battle, guards, sheikh, cells[0], script=[("defender", "make a stand"), ("battle", [2] * 3)])


@pytest.mark.rule("AFR-168", "AFR-322")
def test_sections_afar_are_silent_against_who_is_in_close_combat(book: Any, at: Any) -> None:
    battle, guards, foe, cells = wall_of(book, at, 1)
    foe.mark("engaged")
    assert sections_against(firing_sections(battle, guards, foe.hex, False), foe) == cells[1:]
    guards.mark("far")
    battle.card = "sp_volley"
    script = [QUIET, ("dice of the section", 4), ("battle", [2] * 5)]
    run(fight_from_wall, battle, guards, foe.hex, script=script)
    assert "far" in guards.marks, "no die for fire from afar was used"


@pytest.mark.rule("AFR-318", "AFR-049", "AFR-339")
def test_men_who_come_back_to_a_wall_find_room_in_its_sections(book: Any, at: Any) -> None:
    """A section holds four men. Returning men go where there is room, and no more return than there is room for."""
    battle, guards, _, cells = wall_of(book, at, 2)
    guards.figures, guards.sections = 5, {cells[0]: 4, cells[1]: 1}
    run(regain, battle, guards, figures_to_regain(battle, guards))
    assert guards.sections == {cells[0]: 4, cells[1]: 2} and guards.figures == 6
    small, guards, _, cells = wall_of(book, at, 2, settings={"hex_cm": 10})
    small.drop_section(guards, cells[2])
    guards.figures = 4
    assert figures_to_regain(small, guards) == 0, "two men in each of two hexes are all that they hold"


@pytest.mark.rule("AFR-339", "AFR-321")
def test_a_commander_with_any_section_rallies_a_spread_unit(book: Any, at: Any) -> None:
    battle, guards, _, cells = wall_of(book, at, 2)
    guards.figures, guards.marks = 5, frozenset()
    boss = battle.commanders["boss"]
    for cell, rallies in ((cells[0], True), (cells[1], True), (at(0, 0), False)):
        battle.place(boss, cell)
        assert is_playable(battle, guards.spec.side, "sp_rally") is rallies


def before_ruins(book: Any, at: Any) -> Any:
    """Guards on their wall. Two hexes away eight enemies hold ruins in three sections, one man in the middle one."""
    rules = book()
    blue, red = ([at(column, row) for column in (3, 4, 5)] for row in (6, 4))
    guards = unit_of(rules, "guards", "blue", "inf_a", blue[1])
    foe = unit_of(rules, "foe", "red", "inf_c", red[0], missile=False)
    guards.mark("ordered", "battle")
    structures = {
        cell: StructureSpec("stone", 5, side) for side, wall in (("red", red), ("blue", blue)) for cell in wall
    }
    battle = bare_battle(rules, [guards, foe], structures=structures, active="blue")
    battle.spread(guards, dict.fromkeys(blue, 2))
    battle.spread(foe, dict(zip(red, (4, 1, 3), strict=True)))
    battle.rubble = frozenset(red)
    return battle, guards, foe, red


@pytest.mark.rule("AFR-327", "AFR-324", "AFR-321")
def test_a_section_without_men_is_fired_at_no_more(book: Any, at: Any) -> None:
    """The second section kills the last man there, so the third rolls no dice. The flags already rolled drive back the
    rest of the unit.
    """
    battle, guards, foe, red = before_ruins(book, at)
    script = [
        *[("dice of the section", 1)] * 3, ("battle", [1]), ("battle", [6]), ("saving throws", [6]),
        ("flags to save", 0), ("retreat to", at(3, 3)),
    ]  # fmt: skip
    run(fight_from_wall, battle, guards, red[1], script=script)
    assert (foe.figures, foe.hex, foe.sections) == (7, at(3, 3), {})
    assert battle.field.distance[foe.hex][red[0]] == 1, "they gather where some of them still are"


@pytest.mark.rule("AFR-327", "AFR-322")
def test_odds_count_the_flags_of_a_section_without_men(book: Any, at: Any) -> None:
    """Three dice at one man of eight: a hit, a flag and a miss (1/6, 2/3 unsaved each), a hit and two flags (1/24, the
    hit unsaved), two hits and a flag (1/8, the flag unsaved).
    """
    battle, _guards, _foe, red = before_ruins(book, at)
    question = Choose("battle against", "AFR-170", "guards", "blue", (("hex", red[1]),), ())
    name, act = next_act(battle, question, ("hex", red[1])) or ("", None)
    assert name == "fire_from_wall" and act is not None

    def driven_with_a_loss(battle: Any, _: object) -> bool:
        return battle.units["foe"].figures == 7 and not battle.units["foe"].sections

    fire = SmallBattle(battle, [lambda table, battle, _: act(table, battle)], driven_with_a_loss)
    rules = battle.book.rules
    driven = odds(rules, rules.ruleset.procedure(name), fire).probability(bool)
    assert driven == F(1, 6) * F(4, 9) + F(1, 24) * F(2, 3) + F(1, 8) * F(2, 3)


@pytest.mark.rule("AFR-092", "AFR-321")
def test_riders_do_not_mount_while_they_are_spread_over_a_wall(book: Any, at: Any) -> None:
    rules = book(dismounted_move="as_infantry")
    us = unit_of(rules, "us", "blue", "cav_a", at(3, 6))
    us.mounted = False
    us.mark("ordered", "move", "battle")
    walls = {at(column, 6): StructureSpec("stone", 5, "blue") for column in (3, 4)}
    battle = bare_battle(rules, [us], structures=walls, active="blue")
    assert may_mount(battle) == [us]
    battle.spread(us, {at(3, 6): 3, at(4, 6): 2})
    assert may_mount(battle) == []


@pytest.mark.rule("AFR-230", "AFR-327")
def test_an_officer_with_any_section_steadies_the_unit(book: Any, at: Any) -> None:
    """It does not matter which of the unit's hexes is listed first."""
    for first in (0, 1, 2):
        battle, guards, foe, cells = wall_of(book, at, 2)
        battle.spread(guards, {cells[(first + step) % 3]: 2 for step in range(3)})
        facts = exchange_facts(battle, foe, foe.hex, guards, cells[1], 2, True)
        assert (facts.steady_above, facts.strength) == (3, 6)


@pytest.mark.rule("AFR-112", "AFR-120", "AFR-321")
def test_a_spread_unit_is_where_it_is_counted_to_stand_when_a_company_is_formed(book: Any, at: Any) -> None:
    """With only its last section next to the officer, the unit would be outside his zone as soon as it joined."""
    battle, guards, _, cells = wall_of(book, at, 2, second=True)
    boss, reserve = battle.commanders["boss"], battle.units["reserve"]
    guards.marks = reserve.marks = frozenset()
    battle.place(boss, at(6, 6))
    battle.move(reserve, at(6, 6))
    assert not may_form(battle, boss)
    battle.move(guards, cells[2])
    assert may_form(battle, boss)


@pytest.mark.rule("AFR-116", "AFR-321")
@pytest.mark.parametrize(("column", "left"), [(2, [3]), (4, [3, 4, 5]), (6, [3, 4, 5]), (1, [3])])
def test_a_member_does_not_gather_out_of_its_officers_zone(book: Any, at: Any, column: int, left: list[int]) -> None:
    """A unit in the zone stays in it. A unit outside it gathers no farther away than its counted position."""
    start, guards, *_ = wall_of(book, at, 2)
    start.place(start.commanders["boss"], at(column, 6))
    start.companies["company of boss"] = Company("boss", ["guards"], "active")
    guards.company = "company of boss"
    for cell in [at(other, 6) for other in left]:
        battle = start.copy()
        run(gather, battle, battle.units["guards"], script=[("gather in", cell)] if len(left) > 1 else [])
        assert battle.units["guards"].hex == cell


@pytest.mark.rule("AFR-326", "AFR-208")
def test_the_nearest_section_that_fired_is_answered(book: Any, at: Any, scripted: Any) -> None:
    """Spearmen reach only adjacent hexes: those of the second and third section. The first section is farther away and
    fires first.
    """
    battle, guards, foe, cells = wall_of(book, at, 1)
    battle.place(battle.commanders["boss"], at(0, 8))
    script = [
        QUIET, ("dice of the section", 1), ("dice of the section", 0), ("dice of the section", 1), ("battle", [2]), ("battle", [2]),
    ]  # fmt: skip
    with scripted(battle, script) as table:  # the wall's cover of 2 leaves the spearmen no die
        fight_from_wall(table, battle, guards, foe.hex)
    battle.rubble = frozenset(cells)
    guards.battled, foe.marks = (), frozenset()
    run(fight_from_wall, battle, guards, foe.hex, script=[*script, ("defence", "defend"), ("defence dice", [6])])
    assert guards.sections == {cells[0]: 2, cells[1]: 2, cells[2]: 1}, "who was near has lost the man"
    guards.battled, foe.marks = (), frozenset()
    far = [
        QUIET,
        ("dice of the section", 3),
        ("dice of the section", 0),
        ("dice of the section", 0),
        ("battle", [2] * 3),
    ]
    run(fight_from_wall, battle, guards, foe.hex, script=far)


def options_of(battle: Any, unit: Any) -> list[Any]:
    return unit_options(battle, unit, Plan(battle.field, {}, {}, {}))


@pytest.mark.rule("AFR-321", "AFR-093")
@pytest.mark.setting("dismounted_move")
def test_unit_without_movement_does_not_spread_over_a_wall(book: Any, at: Any) -> None:
    wall = {cell: StructureSpec("stone", 5, "red") for cell in (at(3, 4), at(4, 4), at(5, 4))}
    for walks, may in (("none", False), ("as_infantry", True)):
        rules = book(dismounted_move=walks)
        us = ordered(unit_of(rules, "us", "red", "cav_a", at(4, 4)))
        us.mounted = False
        battle = bare_battle(rules, [us], structures=wall)
        assert ("man the wall" in options_of(battle, us)) is may


@pytest.mark.rule("AFR-318", "AFR-321")
@pytest.mark.setting("hex_cm")
@pytest.mark.parametrize(("hex_cm", "room"), [(15, 4), (10, 2)])
def test_two_units_on_one_wall_share_the_room_of_its_hexes(book: Any, at: Any, hex_cm: int, room: int) -> None:
    """A second unit gets the room left by the first unit's sections. A hex filled by them is closed to it."""
    rules, cells = book(hex_cm=hex_cm), (at(3, 4), at(4, 4), at(5, 4))
    first, second = (
        unit_of(rules, name, "red", "inf_a", cell, room) for name, cell in (("first", cells[1]), ("second", cells[0]))
    )
    battle = bare_battle(rules, [first, second], structures={cell: StructureSpec("stone", 5, "red") for cell in cells})
    battle.spread(first, {cells[1]: room - 1, cells[2]: 1})
    assert may_man(battle, second)
    assert [room_on_wall(battle, second, cell) for cell in cells] == [room, 1, room - 1]
    run(man_wall, battle, second, script=[("figures there", room - 1)])
    assert second.sections == {cells[0]: room - 1, cells[1]: 1}
    assert room_on_wall(battle, first, cells[1]) == room - 1
    first.spec = replace(first.spec, figures=room + 2)
    assert figures_to_regain(battle, first) == min(2, room - 1), "men come back where the others have left room"
    run(regain, battle, first, 1)
    assert first.sections == {cells[1]: room - 1, cells[2]: 2}


@pytest.mark.rule("AFR-316", "AFR-321")
def test_men_who_man_a_wall_come_into_sight(book: Any, at: Any) -> None:
    """A unit is out of sight in the keep of a fort, spreads over keep and wall, and gathers in the keep again."""
    us = ordered(unit_of(book(), "us", "red", "inf_a", at(4, 4)), "unexposed")
    walls = {
        at(4, 4): StructureSpec("stone_fort", 6, "red", fortification=True),
        at(5, 4): StructureSpec("stone", 5, "red"),
    }
    battle = bare_battle(book(), [us], structures=walls)
    run(man_wall, battle, us, script=[("figures there", 4)])
    assert us.sections == {at(4, 4): 4, at(5, 4): 2} and "unexposed" not in us.marks
    run(gather, battle, us, script=[("gather in", at(4, 4)), ("exposure", "keep out of sight")])
    assert us.hex == at(4, 4) and "unexposed" in us.marks


def told(table: Any) -> list[tuple[str, int]]:
    return [(tally.rule.name, tally.total) for tally in table.tallies]


@pytest.mark.rule("AFR-322", "AFR-323")
def test_dice_of_sections_are_explained(book: Any, at: Any, scripted: Any) -> None:
    battle, guards, foe, _ = wall_of(book, at, 2)
    script = [QUIET, ("dice of the section", 0), ("dice of the section", 3), ("battle", [2] * 4)]
    with scripted(battle, script) as table:
        fight_from_wall(table, battle, guards, foe.hex)
        assert told(table) == [("battle_dice", 3), ("battle_dice", 4), ("battle_dice", 3)], "the most of each section"
        assert [part.id for part in table.tallies[1].parts()] == ["row", "officer"]


@pytest.mark.rule("AFR-322", "AFR-208")
def test_the_answer_to_sections_is_explained(book: Any, at: Any, scripted: Any) -> None:
    battle, guards, foe, _ = wall_of(book, at, 1)
    script = [
        QUIET,
        ("dice of the section", 0),
        ("dice of the section", 4),
        ("battle", [2] * 5),
        ("defence", "do not defend"),
    ]
    battle.rubble = frozenset(battle.structures)
    with scripted(battle, script) as table:
        fight_from_wall(table, battle, guards, foe.hex)
        assert told(table)[-1] == ("defence_dice", 1)
