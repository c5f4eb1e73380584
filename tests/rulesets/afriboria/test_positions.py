"""Cached facts follow every change: positions, paths over empty ground, and possible orders."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from zareba.registry import load_rules
from zareba.space import HexGrid
from zareba_rulesets.afriboria.book.numbers import AfrBook
from zareba_rulesets.afriboria.forces.battle import Battle
from zareba_rulesets.afriboria.forces.movement_limits import reachable
from zareba_rulesets.afriboria.forces.pieces import OFF, Commander, CommanderSpec
from zareba_rulesets.afriboria.ground.field import StructureSpec
from zareba_rulesets.afriboria.odds.stage import bare_battle, unit_of

BOOK = AfrBook(load_rules("afriboria"))
SIZE = 99
GROUNDS = ["wood", "marsh", "rough", "hill", "impassable", "depression", "orchard"]
START = 49
around = st.sampled_from([cell for cell in range(SIZE) if HexGrid(9, 11).distance(START, cell) in (1, 2, 3)])


def cells_counted(battle: Battle, side: str) -> list[int]:
    return sorted({cell for unit in battle.units.values() if unit.side == side for cell in unit.hexes if cell != OFF})


@given(st.lists(st.tuples(st.sampled_from(["r1", "r2", "b1", "b2"]), st.integers(OFF, SIZE - 1)), max_size=12))
@hypothesis_settings(max_examples=60, deadline=None)
def test_the_hexes_of_a_side_follow_every_move(moves: list[tuple[str, int]]) -> None:
    units = [
        unit_of(BOOK, name, "red" if name[0] == "r" else "blue", "inf_c", n)
        for n, name in enumerate(["r1", "r2", "b1", "b2"])
    ]
    battle = bare_battle(BOOK, units)
    for name, cell in moves:
        mover = battle.units[name]
        if cell != OFF and battle.held_by_enemy(cell, mover.side):
            continue
        before = {side: battle.cells_of(side) for side in ("red", "blue")}
        copy = battle.copy()
        battle.move(mover, cell)
        for side in ("red", "blue"):
            assert battle.cells_of(side) == cells_counted(battle, side)
            assert copy.cells_of(side) == before[side] == cells_counted(copy, side)


@pytest.mark.rule("AFR-321")
def test_the_hexes_of_a_side_follow_sections(book: Any, at: Any) -> None:
    wall = {at(3, 4): StructureSpec("stone", 5, "red"), at(4, 4): StructureSpec("stone", 5, "red")}
    guards = unit_of(book(), "guards", "red", "inf_b", at(3, 4))
    battle = bare_battle(book(), [guards], structures=wall)
    assert battle.cells_of("red") == [at(3, 4)]
    battle.spread(guards, {at(3, 4): 4, at(4, 4): 4})
    assert battle.cells_of("red") == [at(3, 4), at(4, 4)]
    battle.drop_section(guards, at(3, 4))
    assert battle.cells_of("red") == [at(4, 4)] and battle.cells_of("blue") == []


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
    units, taken = [unit_of(BOOK, "us", "red", key, start)], {start: "red"}
    for number, (cell, friend) in enumerate(others):
        side = "red" if friend else "blue"
        if taken.setdefault(cell, side) == side and sum(unit.hex == cell for unit in units) < 2:
            units.append(unit_of(BOOK, f"other_{number}", side, "inf_c", cell))
    chiefs = [Commander(chief, spec=CommanderSpec("chief", "Chief", "red", True))] if chief is not None else []
    chiefs = [one for one in chiefs if taken.get(one.hex, "red") == "red"]
    battle = bare_battle(BOOK, units, chiefs, terrain={cell: [kind] for cell, kind in terrain.items()})
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
    while (step := play.play.next_step(battle)) is not None:
        seen.add(step.name)
        if step.name == "moves":
            pieces = {**battle.units, **battle.commanders}
            assert any("moved" not in pieces[name].marks for name in battle.waiting)
        table.begin(step)
        play.play.perform(table, battle, step)
    assert {"moves", "battles", "draw"} <= seen and "mounting" not in seen


def test_promises_follow_losses_and_places(game: Any) -> None:
    play = game()
    battle = play.start()
    rifles, spears = battle.units["rifles"], battle.units["spears"]
    promises = play.evaluator.promises
    row = play.plan.field.grid.columns
    battle.move(spears, 3 * row + 3)
    battle.move(rifles, 3 * row)
    far = promises.units(battle, "red")["rifles"]
    battle.move(rifles, 3 * row + 1)
    near = promises.units(battle, "red")["rifles"]
    spears.figures = 1
    assert far < near < promises.units(battle, "red")["rifles"] and promises.units(battle, "red").keys() >= {"rifles"}
