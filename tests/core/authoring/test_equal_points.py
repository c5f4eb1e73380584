"""Equal points: every side gets the same points value, and nothing else in the battle changes."""

from __future__ import annotations

import pytest

from zareba.authoring.equal_points import MOST_FACTOR, with_equal_points
from zareba.base.errors import ZarebaError
from zareba.base.yamlfile import MAX_NAME
from zareba.registry import load_rules, ruleset_names
from zareba.scenario import Scenario, load_scenario, parse_scenario, shipped_scenarios

DUEL = """
id: duel
title: {title}
year: 1880
place: nowhere
note: Rifles against spears.
turns: 6
table: {{width: 60, depth: 48}}
sides:
  red: {{name: Red, home_edge: south, deployment: {{camp: [[0, 0], [60, 0], [60, 12], [0, 12]]}}}}
  blue: {{name: Blue, home_edge: north, deployment: {{camp: [[0, 36], [60, 36], [60, 48], [0, 48]]}}}}
units:
  rifles: {{name: Rifles, side: red, arm: infantry, kind: european_regular, figures: {rifles}, weapon: breech_rifle, position: [6, 6]}}
  gun: {{name: Gun, side: red, arm: artillery, kind: european_regular, figures: 5, gun: {{kind: field, pieces: {pieces}}}, position: [40, 6]}}
  spears: {{name: Spears, side: blue, arm: infantry, kind: tribal, figures: 40, close_weapon: spear, position: [6, 42]}}
  carts: {{name: Carts, side: blue, arm: wagon, kind: civilian, figures: 4, position: [40, 42]}}
objectives:
  half: {{kind: destroy, name: Half, share: 0.5, points: 2}}
"""


def duel(rifles: int, pieces: int = 1, title: str = "A duel") -> Scenario:
    return parse_scenario(DUEL.format(rifles=rifles, pieces=pieces, title=title), "duel")


def test_both_sides_reach_the_mean_points_by_changing_foot() -> None:
    # A rifleman: .2 + .6 * .5 + 1.2 * .6 + .15 = 1.37; the gun 9; a spearman: .2 + .3 * .5 + .45 = .8, forty of them
    # 32.
    equal = with_equal_points(duel(10))
    assert equal.before == pytest.approx({"red": 22.7, "blue": 32.0})
    # The mean is 27.35: 13.4 riflemen and the gun, or 34.2 spearmen.
    assert equal.men == {"rifles": (10, 13), "spears": (40, 34)}
    assert equal.now == pytest.approx({"red": 26.81, "blue": 27.2})
    assert equal.scenario.units["gun"].figures == 5 and equal.scenario.units["carts"].figures == 4
    assert parse_scenario(equal.text, "again").digest == equal.scenario.digest


def test_equal_points_changes_only_title_and_figures() -> None:
    before = duel(10, title="D" * MAX_NAME)
    after = with_equal_points(before).scenario
    assert after.title.endswith("forces of equal points") and len(after.title) == MAX_NAME
    men = {key: unit.model_copy(update={"figures": before.units[key].figures}) for key, unit in after.units.items()}
    assert after.model_copy(update={"title": before.title, "units": men}).digest == before.digest


def test_changes_that_alter_the_battle_itself_are_rejected() -> None:
    with pytest.raises(ZarebaError, match="Blue is worth about 32 points"):
        with_equal_points(duel(100))
    with pytest.raises(
        ZarebaError, match=f"Red is worth .*45 of them in guns.* by a factor of at most {MOST_FACTOR:g};"
    ):
        with_equal_points(duel(10, pieces=5))


@pytest.mark.parametrize("name", shipped_scenarios())
def test_the_shipped_battles_are_equal_within_a_man(name: str) -> None:
    points = with_equal_points(load_scenario(name)).now.values()
    assert max(points) - min(points) < 2, "less than a lancer"


@pytest.mark.deep
@pytest.mark.parametrize("name", shipped_scenarios())
def test_every_system_has_room_for_the_changed_numbers(name: str) -> None:
    changed = with_equal_points(load_scenario(name)).scenario
    for ruleset in ruleset_names():
        load_rules(ruleset).game(changed)
