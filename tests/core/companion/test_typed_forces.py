"""Forces typed as a list."""

from __future__ import annotations

import re

import pytest

from zareba.base.errors import ZarebaError
from zareba.companion import edge_phrase, scenario_of_list
from zareba.companion.typed_forces import EXAMPLE
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


@pytest.mark.parametrize(
    ("line", "name", "kind", "quality", "weapon", "leader"),
    [
        ("10 regulars with rifles, Fusiliers", "Fusiliers", "european_regular", "regular", "breech_rifle", ""),
        ("10 regulars with rifles", "Regulars", "european_regular", "regular", "breech_rifle", ""),
        ("10 regulars with rifles, Fusiliers, Lt Ashby", "Fusiliers", "european_regular", "regular", "breech_rifle",
         "Lt Ashby"),
        ("10 rifles, Lt Ashby, Black Watch", "Black Watch", "european_regular", "regular", "breech_rifle", "Lt Ashby"),
        ("10 Fusiliers with rifles, Ashby", "Fusiliers", "european_regular", "regular", "breech_rifle", "Ashby"),
        ("10 rifles, 24th Foot", "24th Foot", "european_regular", "regular", "breech_rifle", ""),
        ("10 rifles, the Buffs, veteran", "The Buffs", "european_regular", "veteran", "breech_rifle", ""),
        ("10 rifles, named Black Watch", "Black Watch", "european_regular", "regular", "breech_rifle", ""),
        ("10 rifles, led by Osman Digna", "Rifles", "european_regular", "regular", "breech_rifle", "Osman Digna"),
        ("10 rifles, Captain Moore's Company", "Captain Moore's Company", "european_regular", "regular",
         "breech_rifle", ""),
        ("30 elite tribesmen with spears", "Elite tribesmen", "tribal", "elite", "throwing_spear", ""),
        ("30 veteran Native Guides with muskets", "Native Guides", "european_regular", "veteran",
         "smoothbore_musket", ""),
        ("30 soldiers with magazine rifles", "Soldiers", "european_regular", "regular", "magazine_rifle", ""),
        ("12 veteran rifles", "Veteran rifles", "european_regular", "veteran", "breech_rifle", ""),
        ("12 Veterans with rifles", "Veterans", "european_regular", "veteran", "breech_rifle", ""),
        ("8 Men rifles", "Men", "european_regular", "regular", "breech_rifle", ""),
        ("12 irregular Turkoman cavalry", "Turkoman", "european_irregular", "regular", "none", ""),
        ("12 horsemen with rifles", "Horsemen", "european_regular", "regular", "breech_rifle", ""),
    ],
)  # fmt: skip
def test_a_line_is_read_as_a_person_reads_it(
    line: str, name: str, kind: str, quality: str, weapon: str, leader: str
) -> None:
    scenario = scenario_of_list(f"A:\n{line}\nB:\n24 spears")
    (unit,) = scenario.units_of("a").values()
    assert (unit.name, unit.kind, unit.quality, unit.weapon) == (name, kind, quality, weapon)
    assert [leader.name for leader in scenario.leaders.values()] == ([leader] if leader else [])


def test_mounted_men_with_rifles_keep_their_horses_and_swords() -> None:
    (unit,) = scenario_of_list("A:\n12 horsemen with rifles\nB:\n24 spears").units_of("a").values()
    assert (unit.arm, unit.weapon, unit.close_weapon) == ("cavalry", "breech_rifle", "sword")


def test_fanatic_before_the_troops_is_added_to_their_traits() -> None:
    (unit,) = scenario_of_list("A:\n24 spears\nB:\n12 fanatic lancers").units_of("b").values()
    assert (unit.name, unit.traits) == ("Fanatic lancers", ("lancers", "fanatic"))


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
        ("A:\nSikhs 12 rifles", "write it first, such as '12 Sikhs rifles'"),
        ("A:\nBlack Watch: 8 veteran rifles, Lt Ashby", "such as '8 veteran rifles, named Black Watch'"),
        ("A:\n2000 rifles", "line 2: a unit has 1 to 200 figures, not 2000"),
        ("A:\n-3 rifles", "line 2: '-3' is not a number of figures; write a whole number, such as '12 rifles'"),
        ("A:\n12 rifles veteran", "line 2: 'rifles veteran' is not known; write a comma before 'veteran'"),
        ("A:\n12 rifles, turn x", "line 2: 'turn x' is not a turn of arrival; write one such as 'turn 3'"),
        ("A:\n12 rifles, turn 3 on 9+", "line 2: 'turn 3 on 9+' is not a turn of arrival"),
        ("999 turns\nA:\n12 rifles", "line 1: a battle has at most 200 turns, not 999"),
        (
            "A:\n12 rifles, Mounted Zaptieh",
            "line 2: 'Mounted Zaptieh' may be the unit or its leader; write 'named Mounted Zaptieh' or 'led by Mounted",
        ),
        ("A:\n12 rifles, Afridis", "line 2: 'Afridis' may be the unit or its leader; write 'named Afridis' or 'led by"),
        (
            "A:\n12 Alpha rifles, Fusiliers",
            "line 2: 'Alpha' and 'Fusiliers' are two names of one unit; write one, or 'led by Fusiliers'",
        ),
        ("A:\n12 rifles, led by", "line 2: write the name after 'led by', such as 'led by Lt Ashby'"),
        ("A:\n12 rifles, named", "line 2: write the name after 'named', such as 'named Fusiliers'"),
        ("A:\n12 regulars", "line 2: 'regulars' names no weapon; write one, such as '12 regulars with rifles'"),
        ("A:\n12 Regulars, rifles", "line 2: 'Regulars' names no weapon; write one, such as '12 regulars with rifles'"),
        ("A:\n12 regulas with rifles", "line 2: 'regulas' is not known; did you mean 'regulars'?"),
        ("A:\n12 regulars with rifels", "line 2: 'rifels' is not known; did you mean 'rifles'?"),
        ("A:\n12 regulars with", "line 2: write a weapon or troops after 'with', such as '12 regulars with rifles'"),
        ("A:\n8 gunners with field gun", "line 2: write a gun or wagon and its crew as '1 field gun, 8 crew'"),
        ("A:\n2 wagons with rifles", "line 2: a wagon carries no rifles"),
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
