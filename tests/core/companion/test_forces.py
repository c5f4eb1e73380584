"""Forces typed as a list."""

from __future__ import annotations

import re

import pytest

from zareba.base.errors import ZarebaError
from zareba.companion import edge_phrase, scenario_of_list
from zareba.companion.forces import EXAMPLE
from zareba.scenario import load_scenario


def test_example_has_two_sides() -> None:
    scenario = scenario_of_list(EXAMPLE)
    assert [side.name for side in scenario.sides.values()] == ["The column", "The impi"]
    assert len(scenario.units_of("column")) == 4


def test_line_gives_quality_weapon_and_leader() -> None:
    scenario = scenario_of_list("A:\n12 rifles, veteran, Lt Ashby\nB:\n24 spears")
    (unit,) = scenario.units_of("a").values()
    assert (unit.figures, unit.quality, unit.weapon, unit.kind) == (12, "veteran", "breech_rifle", "european_regular")
    assert [(leader.name, leader.unit) for leader in scenario.leaders.values()] == [("Lt Ashby", "rifles")]
    (enemy,) = scenario.units_of("b").values()
    assert (enemy.kind, enemy.close_weapon) == ("tribal", "spear")


def test_equal_troops_get_numbers_and_given_names_stay() -> None:
    scenario = scenario_of_list("A:\n12 rifles\n12 rifles\n10 Black Watch infantry\nB:\n24 warriors")
    assert [unit.name for unit in scenario.units_of("a").values()] == ["Rifles", "Rifles 2", "Black Watch"]


def test_guns_arrivals_and_traits() -> None:
    scenario = scenario_of_list(
        "A:\n2 mountain guns, 8 crew\n1 machine gun\nB:\n20 lancers, turn 3 on 4+\n9 swords, fanatic"
    )
    guns, machine_gun, lancers, swords = scenario.units.values()
    assert (guns.gun and guns.gun.kind, guns.pieces, guns.figures) == ("mountain", 2, 8)
    assert (machine_gun.arm, machine_gun.figures) == ("machine_gun", 5)
    assert lancers.arrival is not None
    assert (lancers.arrival.turn, lancers.arrival.die, lancers.arrival.at_least) == (3, 6, 4)
    assert swords.traits == ("fanatic",)


@pytest.mark.parametrize(
    ("line", "figures"), [("field gun", 5), ("wagon", 5), ("rifles, 8 men", 8), ("1 rifles", 1), ("12x rifles", 12)]
)
def test_figures_are_counted_where_the_line_names_them(line: str, figures: int) -> None:
    (unit,) = scenario_of_list(f"A:\n{line}\nB:\n24 spears").units_of("a").values()
    assert unit.figures == figures


@pytest.mark.parametrize(("line", "turns"), [("6 turns", 6), ("Turns: 12", 12), ("1 turn", 1), ("", 10)])
def test_line_says_when_the_battle_ends(line: str, turns: int) -> None:
    assert scenario_of_list(f"{line}\nA:\n12 rifles\nB:\n24 spears").turns == turns


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("12 rifles", "line 1: begin with the name of a side"),
        ("A: 12 rifles", "line 1: begin with the name of a side and a colon on a line of their own"),
        ("A:\n12 rifels", "line 2: 'rifels' is not known; did you mean 'rifles'?"),
        ("A:\n12 rifles, vetran", "line 2: 'vetran' is not known; did you mean 'veteran'?"),
        ("A:\n12 rifles, Ashby, Hale", "line 2: 'Hale' is neither"),
        ("", "the list is empty; a list needs two sides"),
        ("A:\n12 rifles", "the list names 1 side (A); a list needs two sides"),
        ("A:\n12 rifles\nB:\n9 spears\nC:\n9 bows", "the list names 3 sides (A, B, C); a list needs two sides"),
        ("A:\n12 rifles\nB:\ncommander Cetshwayo", "'B' has no units; a list needs two sides"),
        ("A:\n12 rifles\na:\n24 spears", "line 3: there is a side 'a' already"),
        (":\n12 rifles", "line 1: write the name of a side before the colon"),
        ("A:\ncommander", "line 2: write the name of the commander, such as 'commander Colonel Wood'"),
        ("A:\n0 rifles", "line 2: a unit has 1 to 200 figures, not 0"),
        ("A:\nrifles", "line 2: 'rifles' has no number of figures; write it first, such as '12 rifles'"),
        ("A:\nAlpha rifles, veteran", "line 2: 'Alpha rifles' has no number of figures; write it first, such as '12"),
        ("A:\ntwelve rifles", "line 2: 'twelve rifles' has no number of figures"),
        ("A:\n2000 rifles", "line 2: a unit has 1 to 200 figures, not 2000"),
        ("A:\n-3 rifles", "line 2: '-3' is not a number of figures; write a whole number, such as '12 rifles'"),
        ("A:\n12 rifles veteran", "line 2: 'rifles veteran' is not known; write a comma before 'veteran'"),
        ("A:\n12 rifles, turn x", "line 2: 'turn x' is not a turn of arrival; write one such as 'turn 3'"),
        ("A:\n12 rifles, turn 3 on 9+", "line 2: 'turn 3 on 9+' is not a turn of arrival"),
        ("999 turns\nA:\n12 rifles", "line 1: a battle has at most 200 turns, not 999"),
        ("0 turns\nA:\n12 rifles", "line 1: a battle has at least one turn"),
    ],
)
def test_an_unreadable_line_is_reported(text: str, said: str) -> None:
    with pytest.raises(ZarebaError, match=re.escape(said)):
        scenario_of_list(text)


def test_without_a_map_an_edge_is_named_by_the_side_behind_it() -> None:
    typed = scenario_of_list("The company:\n6 Alpha rifles\nThe tribes:\n6 Red spears")
    assert [edge_phrase(typed, edge) for edge in ("south", "north", "west", "east")] == [
        "the table edge behind the company", "the table edge behind the tribes",
        "the table edge to the left of the company", "the table edge to the right of the company",
    ]  # fmt: skip
    assert edge_phrase(load_scenario("patrol_clash"), "north") == "the north edge"
