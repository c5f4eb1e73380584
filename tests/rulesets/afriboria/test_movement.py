"""Chapters 6 and 8: movement, stacking, terrain, paths."""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from tests.rulesets.afriboria.pieces import chief, ordered, plan_of, run

from zareba.registry import load_rules
from zareba.space import HexGrid
from zareba_rulesets.afriboria.book import AfrBook
from zareba_rulesets.afriboria.chapters.combat import dice_facts, exchange_facts, fight_unit, may_battle, targets
from zareba_rulesets.afriboria.chapters.movement import allowance, commander_goals, move_unit, unit_options
from zareba_rulesets.afriboria.chapters.orders import give_order
from zareba_rulesets.afriboria.chapters.retreat import retreat, withdraw
from zareba_rulesets.afriboria.forces.battle import Battle, Plan, reachable
from zareba_rulesets.afriboria.forces.pieces import OFF, TURN_MARKS, Commander, CommanderSpec
from zareba_rulesets.afriboria.ground import Ground, StructureSpec
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
        play.sequence.perform(table, battle, play.play.next_step(battle))
    assert battle.units["b"].hex == at(7, 4) and battle.waiting == ["a"]
    with scripted(battle, [("move with", "done")]) as table:
        play.sequence.perform(table, battle, play.play.next_step(battle))
    assert battle.stage == "battles"


@pytest.mark.rule("AFR-081", "AFR-082", "AFR-083", "AFR-085", "AFR-086", "AFR-088", "AFR-089")
def test_stacking_and_passing(rules: Any, at: Any) -> None:
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
def test_commanders_enter_units_but_never_meet(rules: Any, at: Any) -> None:
    units = [unit_of(rules, f"f{n}", "red", "inf_b", at(5, 4)) for n in range(2)]
    mine = chief("mine", "red", at(4, 4), mounted=True)
    battle = bare_battle(rules, units, [mine, chief("other", "red", at(3, 4))])
    found = commander_goals(battle, mine)
    assert at(5, 4) in found and at(3, 4) not in found
    assert at(6, 4) in found, "round them, not through them"
    ring = [unit_of(rules, f"r{n}", "red", "inf_b", cell) for n, cell in enumerate(battle.field.neighbours[at(4, 4)])]
    shut = bare_battle(rules, ring, [chief("mine", "red", at(4, 4), mounted=True)])
    assert set(commander_goals(shut, shut.commanders["mine"])) == set(shut.field.neighbours[at(4, 4)])


@pytest.mark.rule("AFR-098")
def test_terrain_stops_commanders_by_their_means(book: Any, at: Any) -> None:
    ring = {cell: ["depression"] for cell in bare_battle(book()).field.neighbours[at(4, 4)]}
    for mounted, may in ((True, False), (False, True)):
        battle = bare_battle(book(), commanders=[chief("mine", "red", at(4, 4), mounted=mounted)], terrain=ring)
        assert bool(commander_goals(battle, battle.commanders["mine"])) is may
    wood = {cell: ["wood"] for cell in ring}
    battle = bare_battle(book(), commanders=[chief("mine", "red", at(4, 4), mounted=True)], terrain=wood)
    assert set(commander_goals(battle, battle.commanders["mine"])) == set(wood)


@pytest.mark.rule("AFR-087", "AFR-237")
def test_terrain_is_nothing_to_a_retreat(rules: Any, at: Any) -> None:
    from zareba_rulesets.afriboria.chapters.retreat import retreat

    gun = unit_of(rules, "gun", "red", "art_field", at(4, 4))
    row = {at(c, 3): ["depression"] for c in range(9)} | {at(c, 2): ["marsh"] for c in range(9)}
    battle = bare_battle(rules, [gun], terrain=row | {at(3, 3): ["impassable"]})
    assert goals(battle, ordered(gun)).isdisjoint(row)
    run(retreat, battle, gun, 3, script=[("retreat to", at(4, 2)), ("retreat to", at(4, 1))])
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
        play.sequence.perform(table, battle, play.play.next_step(battle))
    assert horse.mounted
    horse.mounted, horse.shots, battle.stage = False, 2, "mounting"
    with scripted(battle, []) as table:
        play.sequence.perform(table, battle, play.play.next_step(battle))
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
def test_terrain_effects_on_movement(rules: Any, at: Any, kinds: Any, stops: Any, battles: Any) -> None:
    horse = ordered(unit_of(rules, "horse", "red", "cav_a", at(4, 4)))
    battle = bare_battle(rules, [horse], terrain=dict.fromkeys(bare_battle(rules).field.neighbours[at(4, 4)], kinds))
    assert (len(goals(battle, horse)) == 6) is stops
    run(move_unit, battle, horse, plan_of(battle), script=[("move", ("to", at(4, 5)))])
    assert may_battle(battle, horse) is battles


@pytest.mark.rule("AFR-147", "AFR-148")
def test_a_stop_lasts_for_the_turn_of_entry(game: Any, book: Any, at: Any, scripted: Any) -> None:
    rules, play = book(), game()
    us = ordered(unit_of(rules, "us", "red", "inf_b", at(4, 4)))
    battle = bare_battle(rules, [us], terrain={at(4, 5): ["wood"], at(4, 6): ["wood"]})
    run(move_unit, battle, us, plan_of(battle), script=[("move", ("to", at(4, 5)))])
    assert "no_battle" in us.marks
    battle.stage = "begin"
    with scripted(battle, []) as table:
        play.sequence.perform(table, battle, play.play.next_step(battle))
    ordered(us)
    assert may_battle(battle, us) and at(5, 4) in goals(battle, us)
    run(move_unit, battle, us, plan_of(battle), script=[("move", ("to", at(4, 6)))])
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
def test_cover_from_every_side(rules: Any, at: Any, kind: Any, rifles: Any, guns: Any) -> None:
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
def test_depressions_shelter(rules: Any, at: Any) -> None:
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
def test_no_dice_no_battle(rules: Any, at: Any) -> None:
    us = ordered(unit_of(rules, "us", "red", "inf_a", at(4, 1)))
    them = unit_of(rules, "them", "blue", "inf_c", at(4, 5))
    assert targets(bare_battle(rules, [us, them]), us) == [("hex", at(4, 5))]
    us = ordered(unit_of(rules, "us", "red", "inf_a", at(4, 1)))
    them = unit_of(rules, "them", "blue", "inf_c", at(4, 5))
    assert targets(bare_battle(rules, [us, them], terrain={at(4, 5): ["fence"]}), us) == []


@pytest.mark.rule("AFR-105", "AFR-106", "AFR-107", "AFR-099")
def test_a_unit_with_its_commander(rules: Any, at: Any) -> None:
    horse = ordered(unit_of(rules, "horse", "red", "cav_a", at(4, 4)))
    foot = ordered(unit_of(rules, "foot", "red", "inf_a", at(4, 4)))
    battle = bare_battle(rules, [horse, foot], [chief("major", "red", at(4, 4))])
    options = unit_options(battle, horse, plan_of(battle))
    away = {
        kind: max(battle.field.distance[at(4, 4)][act[1]] for act in options if act[0] == kind)
        for kind in ("to", "with")
    }
    assert away == {"to": 3, "with": 2}
    run(move_unit, battle, horse, plan_of(battle), script=[("move", ("with", at(6, 4)))])
    assert battle.commanders["major"].hex == horse.hex == at(6, 4)
    assert battle.commander_of(horse) is battle.commanders["major"]
    battle.commanders["major"].mark("moved")
    battle.move(foot, at(6, 4))
    assert all(act[0] != "with" for act in unit_options(battle, foot, plan_of(battle)) if isinstance(act, tuple))


@pytest.mark.rule("AFR-144")
def test_features_work_all_round(rules: Any, at: Any) -> None:
    them = unit_of(rules, "them", "blue", "inf_a", at(4, 5))
    for origin in bare_battle(rules).field.neighbours[at(4, 5)]:
        us = unit_of(rules, "us", "red", "inf_a", origin)
        battle = bare_battle(rules, [us, them], terrain={at(4, 5): ["fence"]})
        assert total(battle, us, origin, at(4, 5)) == 3


@pytest.mark.rule("AFR-154", "AFR-155")
def test_fight_unit_is_what_the_field_allows(rules: Any, at: Any) -> None:
    us = ordered(unit_of(rules, "us", "red", "inf_a", at(4, 2)))
    them = unit_of(rules, "them", "blue", "inf_b", at(4, 5), 1, missile=False)
    battle = bare_battle(rules, [us, them], terrain={at(4, 5): ["wood"]})
    battle.move(us, at(4, 3))
    script = [("defender", "make a stand"), ("battle", [6, 1]), ("saving throws", [6])]
    assert run(fight_unit, battle, us, at(4, 5), script=script) is them
    assert them.hex == -1


@pytest.mark.rule("AFR-131", "AFR-138")
def test_a_bridge_wins_over_the_ford_and_the_river_in_its_hex(book: Any) -> None:
    for kinds, left, stop, hampers in (
        (["river", "ford", "bridge"], ("bridge",), False, False), (["river", "bridge"], ("bridge",), False, False),
        (["river", "ford"], ("ford",), False, True), (["river"], ("river",), True, True),
    ):  # fmt: skip
        ground = Ground.of(book(), kinds)
        assert (ground.kinds, ground.stop, ground.hampers) == (left, stop, hampers)


@pytest.mark.rule("AFR-062", "AFR-078")
def test_ordered_units_wait_to_move(game: Any) -> None:
    play = game(leaders="boss: {name: Boss, side: red, rank: officer}, sub: {name: Sub, side: red, rank: officer}")
    battle = play.start()
    battle.waiting = []
    for number, piece in enumerate((*battle.units.values(), *battle.commanders.values())):
        if piece.hex == OFF:
            (battle.move if piece.id in battle.units else battle.place)(piece, number)
    battle.turn, battle.active, battle.stage = 1, "red", "event"
    for name in ("rifles", "boss"):
        (battle.units.get(name) or battle.commanders[name]).mark("ordered", "move")
    battle.units["spears"].mark("move")
    play.sequence.next_stage(battle)
    assert (battle.stage, battle.waiting) == ("moves", ["rifles", "boss"])


@pytest.mark.rule("AFR-135", "AFR-237")
def test_a_vehicle_driven_out_of_debris_is_free(book: Any, at: Any, scripted: Any) -> None:
    """The extra order for leaving debris is not needed elsewhere, after a retreat or after giving way."""
    for forced in (True, False):
        car = ordered(unit_of(book(), "car", "red", "vehicle_mg", at(4, 3)))
        battle = bare_battle(book(), [car], terrain={at(4, 4): ["debris"]})
        run(move_unit, battle, car, Plan(battle.field, {}, {}, {}), script=[("move", ("to", at(4, 4)))])
        assert "stuck" in car.marks
        with scripted(battle, [("retreat to", at(4, 3))]) as table:
            if forced:
                retreat(table, battle, car, 1)
            else:
                withdraw(table, battle, car)
        car.marks -= TURN_MARKS
        battle.card, battle.slots = "red_1", {"red": 1}
        run(give_order, battle, ("unit", "car"), book().cards["red_1"])
        assert "move" in car.marks and "passive" not in car.marks


KINDS = (
    "wood", "orchard", "hill", "building", "river", "ford", "marsh", "depression", "debris", "sandbags", "barbed_wire",
    "bridge", "field", "rough", "fence", "fieldwork", "impassable",
)  # fmt: skip


STOPS = {"wood", "building", "river", "marsh", "debris", "barbed_wire", "rough"}
FORBIDS_BATTLE = {"wood", "building", "rough"}


def a_field(rules: Any, random: Random) -> Any:
    """A mover in random terrain with friends, enemies and commanders around it, and one hex with a wall."""
    key = random.choice(["inf_a", "inf_c", "cav_a", "art_horse", "mg_foot", "vehicle"])
    mover = unit_of(rules, "mover", "red", key, 40)
    terrain = {cell: [random.choice(KINDS)] for cell in range(99) if cell != 40 and random.random() < 0.45}
    terrain = {cell: [*kinds, "river"] if kinds[0] in ("ford", "bridge") else kinds for cell, kinds in terrain.items()}
    units, chiefs = [mover], []
    free = [cell for cell in range(99) if cell != 40 and terrain.get(cell) != ["impassable"]]
    for number, cell in enumerate(random.sample(free, 14)):
        side = random.choice(["red", "blue"])
        if number % 3 == 2:
            chiefs.append(Commander(cell, spec=CommanderSpec(f"c{number}", f"C{number}", side, True)))
        else:
            units += [
                unit_of(rules, f"u{number}{n}", side, "inf_b", cell)
                for n in range(random.choice([1, min(2, rules.room)]))
            ]
    wall = random.choice([cell for cell in free if all(cell != unit.hex for unit in units)])
    structures = {wall: StructureSpec("adobe", 3, random.choice(["red", "blue"]), gate=random.random() < 0.5)}
    battle = bare_battle(rules, units, chiefs, terrain=terrain, structures=structures)
    battle.structures[wall].open = random.random() < 0.5
    mover.mark("ordered", "move", "battle")
    return battle, mover


def walks(battle: Any, mover: Any, limit: int) -> dict[int, set[tuple[int, bool]]]:
    """Map each hex reached to the step counts and the battle restrictions of all paths to it."""
    found: dict[int, set[tuple[int, bool]]] = {}

    def step(cell: int, taken: int) -> None:
        for near in battle.field.grid.neighbours(cell):
            kinds = set(battle.ground(near).kinds)
            friends = [u for u in battle.units.values() if u.hex == near and u is not mover]
            chief = next((c for c in battle.commanders.values() if c.hex == near), None)
            if any(unit.spec.side == "blue" for unit in friends) or (chief is not None and chief.spec.side == "blue"):
                continue
            if len(friends) >= battle.book.room or "impassable" in kinds:
                continue
            if "depression" in kinds and mover.profile.arm != "infantry":
                continue
            wall = battle.field.structures.get(near)
            if wall is not None and wall.side == "blue" and not battle.structures[near].open:
                continue
            if near != mover.hex:
                found.setdefault(near, set()).add((taken + 1, bool(kinds & FORBIDS_BATTLE)))
            if taken + 1 < limit and not friends and chief is None and not kinds & STOPS:
                step(near, taken + 1)

    step(mover.hex, 0)
    return found


@pytest.mark.rule("AFR-081", "AFR-083", "AFR-086", "AFR-146", "AFR-148", "AFR-088")
@pytest.mark.parametrize("stacking", ["two_units", "one_unit"])
def test_all_ways_to_a_hex_come_to_the_same(book: Any, stacking: str) -> None:
    """The hexes offered are those that can be reached step by step. Every path leaves the same marks, and the shortest
    one counts the fewest hexes moved, which is never worse.
    """
    rules, random = book(stacking=stacking), Random(stacking)
    seen: Counter[str] = Counter()
    for _ in range(40):
        battle, mover = a_field(rules, random)
        plan = Plan(battle.field, {}, {}, {})
        ways = walks(battle, mover, allowance(battle, mover))
        offered = [act[1] for act in unit_options(battle, mover, plan) if act[0] == "to"]
        assert sorted(offered) == sorted(ways)
        for cell in offered:
            assert len({forbidden for _, forbidden in ways[cell]}) == 1, "the way makes no difference"
            steps, forbidden = min(ways[cell])
            now = battle.copy()
            unit = now.units["mover"]
            script = [("move", ("to", cell)), *([("second unit", "nobody")] if names_second(now, cell) else [])]
            run(move_unit, now, unit, plan, script=script)
            assert (unit.hex, unit.moved, "no_battle" in unit.marks) == (cell, steps, forbidden)
            seen[f"{len(ways[cell])} ways"] += 1
    assert seen["1 ways"] and seen["2 ways"], "some hexes are reached by longer ways as well"


def names_second(battle: Any, cell: int) -> bool:
    """With small hexes a commander names his second unit when a unit reaches him."""
    chief = battle.commander_in(cell)
    beside = [unit for near in battle.field.neighbours[cell] for unit in battle.units_in(near)]
    free = [unit for unit in beside if unit.spec.side == "red" and unit.id != "mover" and unit.hex not in battle.chiefs]
    return battle.book.room == 1 and chief is not None and bool(free)


@pytest.mark.rule("AFR-335")
def test_a_thrown_down_ladder_costs_a_hex_and_leaves_the_rest(rules: Any, at: Any) -> None:
    """Infantry has two hexes: two ladders, or one ladder and a step."""

    def stormed() -> Any:
        guard = unit_of(rules, "guard", "blue", "inf_b", at(4, 5))
        guard.mark("ordered", "move", "battle")
        battle = bare_battle(rules, [guard], structures={at(4, 5): StructureSpec("stone", 5, "blue")}, active="blue")
        battle.ladders = [(at(4, 5), at(4, 4)), (at(4, 5), at(5, 4))]
        return battle, guard

    for second, place in ((("throw down", at(5, 4)), at(4, 5)), (("to", at(4, 6)), at(4, 6)), ("stay", at(4, 5))):
        battle, guard = stormed()
        script = [("move", ("throw down", at(4, 4))), ("move", second)]
        run(move_unit, battle, guard, Plan(battle.field, {}, {}, {}), script=script)
        assert (guard.hex, guard.moved) == (place, 1 if second == "stay" else 2)
        assert (at(4, 5), at(4, 4)) not in battle.ladders
        assert len(battle.ladders) == (0 if second == ("throw down", at(5, 4)) else 1)


SIZE = 99
GROUNDS = ["wood", "marsh", "rough", "hill", "impassable", "depression", "orchard"]
START = 49
around = st.sampled_from([cell for cell in range(SIZE) if HexGrid(9, 11).distance(START, cell) in (1, 2, 3)])


@cache
def printed_book() -> AfrBook:
    """Return the numbers of the rulebook under the printed rules."""
    return AfrBook(load_rules("afriboria"))


def cells_counted(battle: Battle, side: str) -> list[int]:
    return sorted({cell for unit in battle.units.values() if unit.side == side for cell in unit.hexes if cell != OFF})


@given(st.lists(st.tuples(st.sampled_from(["r1", "r2", "b1", "b2"]), st.integers(OFF, SIZE - 1)), max_size=12))
@hypothesis_settings(max_examples=60, deadline=None)
def test_the_hexes_of_a_side_follow_every_move(moves: list[tuple[str, int]]) -> None:
    units = [
        unit_of(printed_book(), name, "red" if name[0] == "r" else "blue", "inf_c", n)
        for n, name in enumerate(["r1", "r2", "b1", "b2"])
    ]
    battle = bare_battle(printed_book(), units)
    for name, cell in moves:
        mover = battle.units[name]
        if cell != OFF and battle.held_by_enemy(cell, mover.side):
            continue
        before = {side: battle.hexes_held_by(side) for side in ("red", "blue")}
        copy = battle.copy()
        battle.move(mover, cell)
        for side in ("red", "blue"):
            assert battle.hexes_held_by(side) == cells_counted(battle, side)
            assert copy.hexes_held_by(side) == before[side] == cells_counted(copy, side)


@pytest.mark.rule("AFR-321")
def test_the_hexes_of_a_side_follow_sections(book: Any, at: Any) -> None:
    wall = {at(3, 4): StructureSpec("stone", 5, "red"), at(4, 4): StructureSpec("stone", 5, "red")}
    guards = unit_of(book(), "guards", "red", "inf_b", at(3, 4))
    battle = bare_battle(book(), [guards], structures=wall)
    assert battle.hexes_held_by("red") == [at(3, 4)]
    battle.spread(guards, {at(3, 4): 4, at(4, 4): 4})
    assert battle.hexes_held_by("red") == [at(3, 4), at(4, 4)]
    battle.drop_section(guards, at(3, 4))
    assert battle.hexes_held_by("red") == [at(4, 4)] and battle.hexes_held_by("blue") == []


def ways_counted(battle: Battle, start: int, limit: int, walks: bool) -> dict[int, int]:
    """Return the fewest steps of a red unit to each hex, by trying every path step by step."""
    best = {start: 0}
    going = [(start, 0)]
    while going:
        cell, steps = going.pop()
        if steps == limit:
            continue
        for near in battle.field.grid.neighbours(cell):
            ground = battle.ground(near)
            friends = [unit for unit in battle.units_in(near) if unit.side == "red"]
            barred = battle.held_by_enemy(near, "red") or len(friends) > 1 or ground.closed
            if barred or (ground.infantry_only and not walks):
                continue
            if steps + 1 < best.get(near, SIZE):
                best[near] = steps + 1
            if not friends and not ground.stop and near not in battle.chiefs:
                going.append((near, steps + 1))
    del best[start]
    return best


@pytest.mark.rule("AFR-082", "AFR-083", "AFR-086", "AFR-134")
@given(
    st.dictionaries(around, st.sampled_from(GROUNDS), max_size=30),
    st.lists(st.tuples(around, st.booleans()), max_size=5),
    st.one_of(st.none(), around),
    st.sampled_from([("inf_a", 2), ("inf_a", 3), ("cav_a", 3), ("art_horse", 2)]),
)
@example({}, [], START + 1, ("inf_a", 2))
@example({}, [(START + 1, True)], None, ("cav_a", 3))
@hypothesis_settings(max_examples=80, deadline=None)
def test_ways_agree_with_trying_them_all(
    terrain: dict[int, str], others: list[tuple[int, bool]], chief: int | None, mover: tuple[str, int]
) -> None:
    start, (key, limit) = START, mover
    units, taken = [unit_of(printed_book(), "us", "red", key, start)], {start: "red"}
    for number, (cell, friend) in enumerate(others):
        side = "red" if friend else "blue"
        if taken.setdefault(cell, side) == side and sum(unit.hex == cell for unit in units) < 2:
            units.append(unit_of(printed_book(), f"other_{number}", side, "inf_c", cell))
    chiefs = [Commander(chief, spec=CommanderSpec("chief", "Chief", "red", True))] if chief is not None else []
    chiefs = [leader for leader in chiefs if taken.get(leader.hex, "red") == "red"]
    battle = bare_battle(printed_book(), units, chiefs, terrain={cell: [kind] for cell, kind in terrain.items()})
    walks = units[0].profile.walks
    ways = reachable(battle, start, limit, "red", walks, room=2)
    assert dict(ways) == ways_counted(battle, start, limit, walks)


@pytest.mark.rule("AFR-078", "AFR-092")
def test_stages_without_anything_to_do_are_passed_over(game: Any) -> None:
    """The last move is followed by the battles. There is no mounting stage if no unit is dismounted."""
    from zareba.agents import make_agent
    from zareba.table import SeededTable

    play = game(turns=4)
    battle = play.start()
    table = SeededTable(play.rules, battle, 3, {side: make_agent("random", play, side, 3) for side in play.seats})
    seen = set()
    while (step := play.next_step(battle)) is not None:
        seen.add(step.name)
        if step.name == "moves":
            pieces = {**battle.units, **battle.commanders}
            assert any("moved" not in pieces[name].marks for name in battle.waiting)
        table.begin(step)
        play.perform(table, battle, step)
    assert {"moves", "battles", "draw"} <= seen and "mounting" not in seen


def test_order_values_follow_losses_and_places(game: Any) -> None:
    play = game()
    battle = play.start()
    rifles, spears = battle.units["rifles"], battle.units["spears"]
    order_values = play.advisor.evaluator.order_values
    row = play.plan.field.grid.columns
    battle.move(spears, 3 * row + 3)
    battle.move(rifles, 3 * row)
    far = order_values.units(battle, "red")["rifles"]
    battle.move(rifles, 3 * row + 1)
    near = order_values.units(battle, "red")["rifles"]
    spears.figures = 1
    assert far < near < order_values.units(battle, "red")["rifles"] and order_values.units(battle, "red").keys() >= {
        "rifles"
    }


@pytest.mark.rule("AFR-079")
def test_a_house_rule_that_changes_a_move_is_explained(ruled: Any, at: Any, scripted: Any) -> None:
    mud = {"rule": "AFR-079", "summary": "deep mud", "add": -1}
    rules = ruled({"tallies.movement.modifiers": {"mud": mud}})
    us = ordered(unit_of(rules, "us", "red", "inf_b", at(4, 4)))
    battle = bare_battle(rules, [us])
    with scripted(battle, [("move", ("to", at(4, 5)))]) as table:
        move_unit(table, battle, us, plan_of(battle))
    (tally,) = table.tallies
    assert (tally.rule.name, tally.total, [part.id for part in tally.parts()]) == ("movement", 1, ["printed", "mud"])
