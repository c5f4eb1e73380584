"""Facts computed for whole units or cached equal a full computation figure by figure."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.rulesets.risk_factor.battlefields import ground, leader, rules_with, scene, troops, whole_base

from zareba.agents import make_agent
from zareba.base.exact import dist, hypot
from zareba.scenario import load_scenario
from zareba.space.bearings import angle_between, bearing_to
from zareba.space.geometry import Point
from zareba.table import Choose, Place, SeededTable
from zareba_rulesets.risk_factor.chapters.actions.risk import is_flanked
from zareba_rulesets.risk_factor.chapters.command import figure_price, price
from zareba_rulesets.risk_factor.chapters.fire.marksmen import able_figures, open_figures
from zareba_rulesets.risk_factor.chapters.movement.paths import full_move
from zareba_rulesets.risk_factor.chapters.movement.refuge import keeps_off
from zareba_rulesets.risk_factor.chapters.orders.orders import ADVANCE, MARCH, order_options, refusal, suggestions
from zareba_rulesets.risk_factor.chapters.sight.aim import lines_of_fire
from zareba_rulesets.risk_factor.chapters.sight.sight import sees
from zareba_rulesets.risk_factor.evaluation import Evaluator
from zareba_rulesets.risk_factor.forces.battle import Battle
from zareba_rulesets.risk_factor.game import RskGame

RIFLES: dict[str, Any] = {"weapon": "rifle", "loading": "breech"}
spots = st.tuples(st.floats(10, 190), st.floats(10, 190))
counts = st.integers(1, 12)
crowds = st.lists(st.tuples(spots, counts), min_size=3, max_size=7)


def crowd(units: list[tuple[Point, int]], **more: Any) -> Battle:
    """Riflemen of both sides, alternating."""
    drawn = [troops(f"u{n}", ("red", "blue")[n % 2], at, count, **RIFLES) for n, (at, count) in enumerate(units)]
    return scene(*drawn, width=200, depth=200, **more).battle


@settings(max_examples=60)
@given(crowds)
def test_a_shooter_aims_at_the_nearest_man_in_clear_sight(units: list[tuple[Point, int]]) -> None:
    battle = crowd(units)
    unit, target = battle.units["u0"], battle.units["u1"]
    pool, reach = open_figures(battle, unit, target), battle.book.ranges["rifle"][-1]
    free = set(range(unit.count)) - battle.engaged(unit)
    shots = able_figures(battle, unit, target, "rifle", pool, lines_of_fire(battle, unit, target))
    battle.field.lanes.clear()
    between, expected = lines_of_fire(battle, unit, target), {}
    for i in free:
        clear = [j for _, j in pool if whole_base(unit, i, target, j, between)]
        gaps = [max(0.0, dist(unit.body.at[i], target.body.at[j]) - 2 * unit.body.radius) for j in clear]
        if gaps and min(gaps) <= reach:
            expected[i] = min(gaps)
    assert {shot.index: shot.distance for shot in shots} == expected


@given(spots, spots, st.tuples(st.floats(-40, 40), st.floats(-40, 40)), counts, counts, st.booleans())
def test_a_shift_away_is_known_without_the_nearest_figures(
    at: Point, foe: Point, shift: Point, m: int, n: int, farther: bool
) -> None:
    battle = scene(troops("a", "red", at, m), troops("b", "blue", foe, n), width=300, depth=300).battle
    unit, enemy = battle.units["a"], battle.units["b"]
    there = unit.body.shifted(*shift)

    def gap(points: tuple[Point, ...]) -> float:
        return max(0.0, min(dist(p, q) for p in points for q in enemy.body.at) - 2 * unit.body.radius)

    new, now = gap(there.at), gap(unit.body.at)
    if abs(new - now) > 1e-9:
        assert keeps_off(battle, unit, there, enemy, farther) == (new > now)


@settings(max_examples=40)
@given(crowds)
def test_units_are_sent_against_the_nearest_enemies_that_they_see(units: list[tuple[Point, int]]) -> None:
    battle = crowd(units, terrain=[ground("house", "built_up", [(80, 80), (110, 80), (110, 120), (80, 120)])])
    unit = battle.units["u0"]
    if battle.touching(unit):
        return
    seen = [enemy for enemy in battle.against("red") if sees(battle, unit, enemy)]
    near = sorted((unit.body.circle_gap(enemy.body), enemy.id) for enemy in seen)[:3]
    advances = [
        option[1] for option in order_options(battle, unit) if isinstance(option, tuple) and option[0] == ADVANCE
    ]
    assert set(advances) <= {name for _, name in near}
    assert advances == [name for _, name in near if name in advances]


@settings(max_examples=60)
@given(spots, counts, st.lists(spots, min_size=1, max_size=4), st.integers(0, 20), st.booleans())
def test_a_group_costs_what_its_figures_cost_one_by_one(
    at: Point, count: int, leaders: list[Point], points: int, loyal: bool
) -> None:
    officers = [
        leader(f"l{n}", "red", where, "nco", people="european" if loyal or n else "native")
        for n, where in enumerate(leaders)
    ]
    battle = scene(troops("a", "red", at, count), *officers, width=200, depth=200).battle
    unit, links = battle.units["a"], [battle.units[officer.id] for officer in officers]
    battle.pools = {links[0].id: points}
    reach = battle.book.lengths["command_open"] + unit.body.radius + links[0].body.radius
    total: int | None = 0
    for figure in unit.body.at:
        near = [figure_price(battle, unit, link) for link in links if dist(link.body.at[0], figure) <= reach]
        total = total + min(near) if near and total is not None else None
    expected = {links[0].id: total} if total is not None and total <= points else None
    assert price(battle, unit, links) == expected


@pytest.mark.parametrize("scenario", ["river_ford", "paychest_raid", "hill_fort"])
def test_a_commander_who_remembers_judges_as_one_who_looks_anew(scenario: str) -> None:
    of = RskGame(rules_with(), load_scenario(scenario))
    asked: list[str] = []

    def watched(seat: str) -> Any:
        doctrine: Any = make_agent("doctrine", of, seat, 1)

        def agent(question: Any, state: Any) -> Any:
            if isinstance(question, Choose) and question.why in ("order", "command", "pace", "face", "shoot at"):
                view = of.sight.view(state, seat)
                kept = [a.total for a in of.advisor.evaluate(view, question)]
                anew = [a.total for a in Evaluator(of.scenario, of.plan).evaluate(view, question)]
                assert kept == anew, (question.why, question.actor)
                asked.append(question.why)
            return doctrine(question, state)

        return agent

    state = of.start()
    table = SeededTable(of.rules, state, 3, {seat: watched(seat) for seat in of.seats})
    while (step := of.play.next_step(state)) is not None and state.turn < 3:
        table.begin(step)
        of.play.perform(table, state, step)
    assert {"command", "order"} <= set(asked)


def test_a_circle_round_units_never_hides_who_is_near() -> None:
    battle = crowd([((50.0, 50.0), 9), ((50.0, 80.0), 9), ((90.0, 50.0), 4)])
    unit, enemy = battle.units["u0"], battle.units["u1"]
    gap = min(hypot(p[0] - q[0], p[1] - q[1]) for p in unit.body.at for q in enemy.body.at) - 2 * unit.body.radius
    enemies = battle.standing("blue")
    assert enemies.any_within(unit.body, gap + 1e-6) and not enemies.any_within(unit.body, gap - 1e-6)


@pytest.mark.parametrize("arc", [90, 45])
@settings(max_examples=60)
@given(at=spots, foe=spots, m=counts, n=counts, facing=st.sampled_from([0.0, 45.0, 90.0, 200.0, 333.0]))
def test_flanks_are_those_that_the_nearest_figure_stands_on(
    arc: int, at: Point, foe: Point, m: int, n: int, facing: float
) -> None:
    field = scene(troops("a", "red", at, m), troops("b", "blue", foe, n), width=200, depth=200, rf_front_half_arc=arc)
    unit, enemy = field["a"], field["b"]
    unit.facing = facing
    nearest = enemy.body.at[field.battle.gap(unit, enemy).other]
    off = angle_between(facing, bearing_to(unit.body.centre, nearest))
    if abs(off - arc) > 1e-6:
        assert is_flanked(field.battle, unit) == (off > arc)


def test_the_places_offered_for_a_march_are_the_legal_ones() -> None:
    of = RskGame(rules_with(), load_scenario("river_ford"))
    refused = 0

    def watched(seat: str) -> Any:
        random: Any = make_agent("random", of, seat, 1)

        def agent(question: Any, state: Any) -> Any:
            nonlocal refused
            if isinstance(question, Place) and question.why == "march to":
                unit = state.units[question.actor]
                move = full_move(state, unit)
                worth_it, refuse = suggestions(state, unit, of.plan, move), refusal(state, unit, move)
                legal = [at for at in worth_it if refuse(at) is None]
                refused += len(worth_it) - len(legal)
                assert list(question.suggestions) == legal
            if isinstance(question, Choose) and MARCH in question.options:
                return MARCH
            return random(question, state)

        return agent

    state = of.start()
    table = SeededTable(of.rules, state, 0, {seat: watched(seat) for seat in of.seats})
    while (step := of.play.next_step(state)) is not None and state.turn < 4:
        table.begin(step)
        of.play.perform(table, state, step)
    assert refused
