"""The path of a move is never a choice: every path to a hex has the same result as the shortest one (P3)."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from zareba_rulesets.afriboria.chapters.movement.movement import allowance, move_unit, unit_options
from zareba_rulesets.afriboria.forces.pieces import Commander, CommanderSpec
from zareba_rulesets.afriboria.forces.plan import Plan
from zareba_rulesets.afriboria.ground.field import StructureSpec
from zareba_rulesets.afriboria.odds.stage import bare_battle, unit_of

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
def test_all_ways_to_a_hex_come_to_the_same(book: Any, scripted: Any, stacking: str) -> None:
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
            with scripted(now, script) as table:
                move_unit(table, now, unit, plan)
            assert (unit.hex, unit.moved, "no_battle" in unit.marks) == (cell, steps, forbidden)
            seen[f"{len(ways[cell])} ways"] += 1
    assert seen["1 ways"] and seen["2 ways"], "some hexes are reached by longer ways as well"


def names_second(battle: Any, cell: int) -> bool:
    """With small hexes a commander names his second unit when a unit reaches him."""
    chief = battle.commander_in(cell)
    beside = [unit for near in battle.field.near[cell] for unit in battle.units_in(near)]
    free = [unit for unit in beside if unit.spec.side == "red" and unit.id != "mover" and unit.hex not in battle.chiefs]
    return battle.book.room == 1 and chief is not None and bool(free)


@pytest.mark.rule("AFR-335")
def test_a_thrown_down_ladder_costs_a_hex_and_leaves_the_rest(book: Any, at: Any, scripted: Any) -> None:
    """Infantry has two hexes: two ladders, or one ladder and a step."""
    rules = book()

    def stormed() -> Any:
        guard = unit_of(rules, "guard", "blue", "inf_b", at(4, 5))
        guard.mark("ordered", "move", "battle")
        battle = bare_battle(rules, [guard], structures={at(4, 5): StructureSpec("stone", 5, "blue")}, active="blue")
        battle.ladders = [(at(4, 5), at(4, 4)), (at(4, 5), at(5, 4))]
        return battle, guard

    for second, place in ((("throw down", at(5, 4)), at(4, 5)), (("to", at(4, 6)), at(4, 6)), ("stay", at(4, 5))):
        battle, guard = stormed()
        script = [("move", ("throw down", at(4, 4))), ("move", second)]
        with scripted(battle, script) as table:
            move_unit(table, battle, guard, Plan(battle.field, {}, {}, {}))
        assert (guard.hex, guard.moved) == (place, 1 if second == "stay" else 2)
        assert (at(4, 5), at(4, 4)) not in battle.ladders
        assert len(battle.ladders) == (0 if second == ("throw down", at(5, 4)) else 1)
