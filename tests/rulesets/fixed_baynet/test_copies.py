"""Copies of a battle share unchanged parts, and cached facts about the ground equal a full search."""

from __future__ import annotations

from functools import cache
from math import cos, radians, sin

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.rulesets.fixed_baynet.plain import battle, book, check_shift, squad
from tests.rulesets.fixed_baynet.scenarios import shipped

from zareba.agents import make_agent
from zareba.base.state import digest
from zareba.space.ground.terrain_window import OPEN_WINDOW
from zareba.table import SeededTable
from zareba_rulesets.fixed_baynet.chapters.movement import way_refused
from zareba_rulesets.fixed_baynet.forces.places import open_ground
from zareba_rulesets.fixed_baynet.game import FbnGame
from zareba_rulesets.fixed_baynet.ground import Field

STEPS = 60


def digests(game: FbnGame, agent: str, copying: bool) -> list[str]:
    """Return the state's digest after each of the first steps of a game. With `copying`, each state is copied and the
    copy is checked later.
    """
    state = game.start()
    table = SeededTable(game.rules, state, 5, {side: make_agent(agent, game, side, 5) for side in game.seats})
    found = [digest(state.to_data())]
    while (step := game.play.next_step(state)) is not None and len(found) < STEPS:
        kept = state.copy() if copying else None
        table.begin(step)
        game.play.perform(table, state, step)
        if kept is not None:
            assert digest(kept.to_data()) == found[-1], f"{step.key} changed a copy"
        found.append(digest(state.to_data()))
    return found


@pytest.mark.parametrize(
    ("scenario", "agent"),
    [("patrol_clash", "random"), ("hill_fort", "random"), ("river_ford", "random"), ("square_attacked", "doctrine")],
)
def test_no_step_changes_a_copy_and_no_copy_changes_a_game(scenario: str, agent: str) -> None:
    game = shipped(scenario)
    assert digests(game, agent, copying=True) == digests(game, agent, copying=False)


def test_a_unit_in_hand_is_the_battles_own() -> None:
    state = battle(squad("red", "red", 3), squad("blue", "blue", 3, (0.0, 20.0)))
    kept = state.copy()
    red = state.change(state.units["red"])
    red.figures["red/1"].ac = 7
    assert state.units["red"] is red and kept.units["red"].figures["red/1"].ac != 7
    assert state.change(kept.units["red"]) is red, "whose it is goes by the unit's name, not by who looked it up"
    assert state.units["blue"] is kept.units["blue"]


def test_what_a_seat_sees_leaves_the_state_in_hand() -> None:
    game = shipped("column_ambushed")
    state = game.start()
    hidden = next(unit for unit in state.units.values() if "hidden" in unit.marks)
    other = next(side for side in game.seats if side != hidden.side)
    mine = state.change(next(unit for unit in state.units.values() if unit.side == other))
    seen = game.sight.view(state, other)
    assert hidden.id not in seen.units and hidden.id in state.units
    assert state.change(mine) is mine


# --- the ground -----------------------------------------------------------------------------------------------------------


# Odd numbers, so that no figure is exactly on the edge of a piece.
spots = st.tuples(
    st.integers(0, 5999).map(lambda n: n / 100 + 0.00337), st.integers(0, 4799).map(lambda n: n / 100 + 0.00211)
)


@settings(max_examples=200, deadline=None)
@given(spots, spots)
def test_open_country_touches_nothing(a: tuple[float, float], b: tuple[float, float]) -> None:
    field = shipped("river_ford").plan.field
    box = (min(a[0], b[0]), min(a[1], b[1]), max(a[0], b[0]), max(a[1], b[1]))
    scene = field.scene(box)
    touched: list[object] = [piece for piece in field.pieces if piece.meets(a, b)]
    touched += [hill for hill in field.heights if hill.shape.meets(a, b)]
    assert all(any(one is other for other in (*scene.pieces, *scene.hills)) for one in touched)
    wide = (box[0] - 1, box[1] - 1, box[2] + 1, box[3] + 1)
    if not field.near(wide) and not field.scenes.hills_near(wide):
        assert scene is OPEN_WINDOW and field.scenes.rough.is_open(*box)


@cache
def ford(terrain_move: str) -> Field:
    """The ground of the river ford without its hills."""
    return Field(book(terrain_move=terrain_move), 60, 48, shipped("river_ford").plan.field.pieces)


@settings(max_examples=200, deadline=None)
@given(spots, spots, st.booleans())
def test_a_way_is_as_bad_as_the_worst_of_its_stretches(
    a: tuple[float, float], b: tuple[float, float], mounted: bool
) -> None:
    assume(a != b)
    at_once, cut = (ford(setting).leg(a, b, mounted) for setting in ("worst", "proportional"))
    assert bool(at_once.closed) == bool(cut.closed)
    if not cut.closed:
        assert (at_once.difficulty, at_once.dangerous) == (cut.difficulty, cut.dangerous)


@settings(max_examples=100, deadline=None)
@given(spots, st.integers(0, 359), st.sampled_from((5.0, 4.0, 2.0, 1.3)))
def test_a_squad_may_go_where_each_of_its_men_may(at: tuple[float, float], way: int, inches: float) -> None:
    field = shipped("river_ford").plan.field
    state = battle(squad("red", "red", 6, at), on=field)
    red = state.units["red"]
    men = list(red.figures.values())
    dx, dy = inches * sin(radians(way)), inches * cos(radians(way))
    ends = [(man.x + dx, man.y + dy) for man in men]
    alone = all(
        field.on_table(*end) and way_refused(state, man, end) is None and open_ground(state, *end)
        for man, end in zip(men, ends, strict=True)
    )
    assert (check_shift(state, red, men, dx, dy) is None) is alone
