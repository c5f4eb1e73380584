"""Cached facts about the ground equal direct measurement."""

from __future__ import annotations

from math import dist
from random import Random

import pytest
from tests.rulesets.paychest.stage import rules_with, scenario

from zareba.analysis.games.records import Variant
from zareba.analysis.games.simulate import game_for
from zareba.space import Point
from zareba.space.field.line_of_sight import line_is_clear
from zareba_rulesets.paychest.book.numbers import PaychestBook
from zareba_rulesets.paychest.ground import Field, cover_from
from zareba_rulesets.paychest.translation import translate

SCENARIOS = ["river_ford", "hill_fort", "column_ambushed", "paychest_raid"]


def field_of(scenario: str) -> Field:
    field: Field = game_for(Variant("paychest", "paychest"), scenario).plan.field  # type: ignore[attr-defined]
    return field


def points(field: Field, seed: int, count: int) -> list[Point]:
    random, (width, depth) = Random(seed), field.table.extent
    return [(random.random() * width, random.random() * depth) for _ in range(count)]


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_ground_is_open_where_no_closed_area_lies_unless_a_way_leads_over_it(scenario: str) -> None:
    field = field_of(scenario)
    for column in ("foot", "mounted", "wheels"):
        for point in points(field, 1, 400):
            grounds = [field.areas[name].ground for name in field.table.areas_at(point)]
            way = any(ground.way for ground in grounds)
            closed = any(ground.cost(column) is None for ground in grounds)
            assert field.going[column].can_stand(point) is (way or not closed), (point, column)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_way_is_open_exactly_where_a_march_is_not_barred(scenario: str) -> None:
    field = field_of(scenario)
    found = set()
    spots = points(field, 2, 300)
    for a, b in zip(spots, reversed(spots), strict=True):
        barred = field.going["wheels"].march(a, b, 1000.0)[2]
        assert field.going["wheels"].is_open(a, b) is not barred, (a, b)
        found.add(barred)
    assert found == {True, False}


@pytest.mark.rule("PAY-085")
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_leg_on_ground_of_one_price_leads_as_far_as_the_price_says(scenario: str) -> None:
    """Legs of a few inches, mostly within one piece of ground or in the open."""
    field, random = field_of(scenario), Random(3)
    dear = 0
    for a in points(field, 4, 600):
        b = field.table.extent[0] * random.random(), field.table.extent[1] * random.random()
        b = a[0] + (b[0] - a[0]) * 0.05, a[1] + (b[1] - a[1]) * 0.05
        spots = [(a[0] + (b[0] - a[0]) * step / 20, a[1] + (b[1] - a[1]) * step / 20) for step in range(21)]
        prices = {price_at(field, spot) for spot in spots}
        if len(prices) > 1 or None in prices or any(met.piece in field.lines for met in field.table.crossed(a, b)):
            continue
        (price,) = prices
        assert price is not None
        end, spent, barred = field.going["foot"].march(a, b, 1.0)
        inches = min(1.0 / price, dist(a, b))
        assert not barred
        assert dist(a, end) == pytest.approx(inches)
        assert spent == pytest.approx(inches * price)
        dear += price > 1
    assert dear > 5


def price_at(field: Field, spot: Point) -> float | None:
    """Return the cost of an inch on foot: that of a road, else that of the costliest ground there (PAY-085)."""
    grounds = [field.areas[name].ground for name in field.table.areas_at(spot)]
    prices = [ground.cost("foot") for ground in grounds]
    if not grounds or any(ground.way for ground in grounds):
        return 1.0
    return None if None in prices else max(price for price in prices if price is not None)


def test_sight_between_rectangles_leaves_out_no_screen() -> None:
    field = field_of("river_ford")
    spots = points(field, 4, 200)
    for a, b in zip(spots, reversed(spots), strict=True):
        screens = field.screens.between((*a, *a), (*b, *b))
        seen = screens is not None and line_is_clear(a, b, screens)
        assert seen is line_is_clear(a, b, field.screens.all), (a, b)


@pytest.mark.rule("PAY-085", "PAY-089", "PAY-091")
def test_a_shut_gate_is_no_wall_to_climb_or_to_fire_from_and_an_open_one_no_bar() -> None:
    before = scenario("hill_fort")
    name, wall = next((key, piece) for key, piece in before.terrain.items() if "main_gate" in piece.gates)
    for is_open in (False, True):
        gate = wall.gates["main_gate"].model_copy(update={"open": is_open})
        terrain = dict(before.terrain) | {name: wall.model_copy(update={"gates": {"main_gate": gate}})}
        field = translate(PaychestBook(rules_with()), before.model_copy(update={"terrain": terrain})).field
        outside, inside, beyond = (31.0, 28.5), (31.0, 29.5), (31.0, 32.0)
        assert field.going["foot"].march(outside, beyond, 6.0)[2] is not is_open
        assert line_is_clear(outside, inside, field.screens.all) is is_open
        assert not field.shelters(inside, 0.5)
        ends = [end for line in field.lines.values() if line.ground.climb for end in line.points]
        assert (30.0, 29.0) in ends and (32.0, 29.0) in ends  # the wall itself, on both sides of it


@pytest.mark.rule("PAY-085", "PAY-089")
def test_gates_may_take_up_a_whole_wall() -> None:
    before = scenario("hill_fort")
    name, wall = next((key, piece) for key, piece in before.terrain.items() if "main_gate" in piece.gates)
    assert wall.line is not None
    gate = wall.gates["main_gate"].model_copy(update={"width": 20.0, "open": True})
    here = (gate.at[0] - 1.0, gate.at[1]), (gate.at[0] + 1.0, gate.at[1])
    changed = wall.model_copy(update={"line": here, "gates": {"one": gate, "two": gate}})
    terrain = dict(before.terrain) | {name: changed}
    field = translate(PaychestBook(rules_with()), before.model_copy(update={"terrain": terrain})).field
    assert not any(line.ground.climb and gate.at in line.points for line in field.lines.values())
    assert field.going["foot"].march((31.0, 28.5), (31.0, 32.0), 6.0)[2] is False


@pytest.mark.rule("PAY-087", "PAY-088")
def test_of_two_hard_covers_the_one_that_shows_less_counts() -> None:
    box = [(18.0, 18.0), (22.0, 18.0), (22.0, 22.0), (18.0, 22.0)]
    for first, second in (("rocks", "building"), ("building", "rocks")):
        areas = {"a": (first, box, ()), "b": (second, box, ())}
        field = Field(PaychestBook(rules_with()), 60.0, 48.0, areas, {}, {})
        assert cover_from((20.0, 5.0), (20.0, 20.0), field.shelters((20.0, 20.0), 0.5)) == ("hard", "parapet")
