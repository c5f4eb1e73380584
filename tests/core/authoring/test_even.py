"""Even forces: the shipped data fits the shipped battles, and a ratio changes the figures as stated."""

from __future__ import annotations

import pytest

from zareba.authoring.even import EVEN, even_forces, with_even_forces, with_ratio
from zareba.base.errors import ZarebaError
from zareba.registry import ruleset_names
from zareba.scenario import load_scenario, shipped_scenarios
from zareba.scenario.vocabulary import CREWED


def test_a_ratio_changes_foot_and_horse_and_no_guns() -> None:
    battle = load_scenario("patrol_clash")
    changed = with_ratio(battle, 4.0)
    for key, unit in battle.units.items():
        figures = changed.units[key].figures
        if unit.arm in CREWED:
            assert figures == unit.figures
        else:
            assert figures == (2 * unit.figures if unit.side == "patrol" else unit.figures / 2)
    assert with_ratio(battle, 1.0) is battle


def test_the_shipped_data_is_of_the_shipped_battles_and_even() -> None:
    known = 0
    for name in shipped_scenarios():
        battle = load_scenario(name)
        for ruleset in ruleset_names():
            found = even_forces(battle, (ruleset,))
            if found is None or found.ratio is None:
                continue
            known += 1
            assert found.even_chances.keys() == battle.sides.keys()
            assert all(EVEN[0] <= share <= EVEN[1] for share in found.even_chances.values())
            assert with_even_forces(battle, (ruleset,)).sides.keys() == battle.sides.keys()
    assert known > 0


def test_an_extended_ruleset_uses_the_forces_of_the_ruleset_it_extends() -> None:
    battle = next(
        load_scenario(name) for name in shipped_scenarios() if even_forces(load_scenario(name), ("vcc",)) is not None
    )
    assert even_forces(battle, ("club", "vcc")) == even_forces(battle, ("vcc",))


def test_a_battle_that_was_changed_has_no_even_forces() -> None:
    battle = load_scenario("patrol_clash").model_copy(update={"turns": 3})
    assert even_forces(battle, ("vcc",)) is None
    with pytest.raises(ZarebaError, match="no even forces are known for patrol_clash under vcc; find some with"):
        with_even_forces(battle, ("vcc",))
