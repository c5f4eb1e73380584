"""Even forces: the shipped data fits the shipped battles, and changes their figures as stated."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from zareba.authoring import even_forces as even_forces_module
from zareba.authoring.even_forces import (
    EVEN,
    even_forces,
    is_even_version,
    scenario_with_forces,
    with_even_forces,
)
from zareba.base.errors import ZarebaError
from zareba.cli.play.evening_file import evening_of
from zareba.scenario import Scenario, load_scenario, parse_scenario, shipped_scenarios
from zareba.session import new_session


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give `patrol_clash` chances under two rulesets, whatever was measured last."""
    chances = {"chances": {"patrol": 0.8, "tribesmen": 0.2}, "games": 60}
    rulesets: dict[str, Any] = {
        "vcc": {**chances, "forces": 75, "even_chances": {"patrol": 0.55, "tribesmen": 0.45}},
        "paychest": {**chances, "forces": None, "even_chances": {}},
        "risk_factor": {
            **chances,
            "forces": 100,
            "without": ["lancers"],
            "even_chances": {"patrol": 0.4, "tribesmen": 0.6},
        },
    }
    data = {"patrol_clash": {"scenario": load_scenario("patrol_clash").digest, "rulesets": rulesets}}
    monkeypatch.setattr(even_forces_module, "_measured", lambda: data)


def figures(scenario: Scenario) -> dict[str, int]:
    return {key: unit.figures for key, unit in scenario.units.items()}


@pytest.mark.parametrize(
    ("forces", "expected"),
    [
        (75, {"fusiliers": 11, "sikhs": 10, "lancers": 6, "mountain_gun": 4, "swordsmen": 24, "young_men": 24, "jezails": 18, "horsemen": 10}),
        (100, {"fusiliers": 14, "sikhs": 14, "lancers": 8, "mountain_gun": 4, "swordsmen": 24, "young_men": 24, "jezails": 18, "horsemen": 10}),
        (150, {"fusiliers": 14, "sikhs": 14, "lancers": 8, "mountain_gun": 4, "swordsmen": 12, "young_men": 12, "jezails": 9, "horsemen": 5}),
        (1, {"fusiliers": 1, "sikhs": 1, "lancers": 1, "mountain_gun": 4, "swordsmen": 24, "young_men": 24, "jezails": 18, "horsemen": 10}),
    ],
)  # fmt: skip
def test_one_side_loses_figures_but_no_guns(forces: int, expected: dict[str, int]) -> None:
    changed = parse_scenario(scenario_with_forces(load_scenario("patrol_clash"), forces), "changed")
    assert figures(changed) == expected
    assert changed.title.endswith(", even forces")


@pytest.mark.usefixtures("measured")
def test_even_forces_use_the_measured_data_of_the_ruleset() -> None:
    battle = load_scenario("patrol_clash")
    even = with_even_forces(battle, ("vcc",))
    assert figures(even)["fusiliers"] == 11
    assert is_even_version(even, battle, ("vcc",)) and not is_even_version(battle, battle, ("vcc",))
    assert with_even_forces(battle, ("club", "vcc")).digest == even.digest, "a ruleset inherits the data"
    for lineage in (("paychest",), ("afriboria",)):
        with pytest.raises(ZarebaError, match=f"under {lineage[0]}; look for some with 'zareba balance patrol_clash"):
            with_even_forces(battle, lineage)
    with pytest.raises(ZarebaError, match="no even forces are known"):
        with_even_forces(battle.model_copy(update={"turns": 3}), ("vcc",))


@pytest.mark.usefixtures("measured")
def test_a_unit_is_left_out_if_fewer_figures_are_not_enough() -> None:
    battle = load_scenario("patrol_clash")
    even = with_even_forces(battle, ("risk_factor",))
    assert battle.units.keys() - even.units.keys() == {"lancers"}
    assert even.note == f"{battle.note} Left out to make the forces even: Bengal Lancers."
    assert figures(even) == {key: number for key, number in figures(battle).items() if key != "lancers"}
    assert is_even_version(even, battle, ("risk_factor",))


def test_leaders_are_left_out_with_their_unit_but_not_the_commander() -> None:
    battle = load_scenario("patrol_clash")
    changed = parse_scenario(scenario_with_forces(battle, 100, ("sikhs",)), "changed")
    assert battle.leaders.keys() - changed.leaders.keys() == {"jemadar"}
    assert changed.note.endswith("Left out to make the forces even: Sikhs and Jemadar Ishar Singh.")
    with pytest.raises(ZarebaError, match="fusiliers"):
        parse_scenario(scenario_with_forces(battle, 100, ("fusiliers",)), "changed")


@pytest.mark.usefixtures("measured")
def test_an_evening_with_even_forces_says_so(tmp_path: Path) -> None:
    battle = with_even_forces(load_scenario("patrol_clash"), ("vcc",))
    seats = {"patrol": "doctrine", "tribesmen": "doctrine"}
    session = new_session("vcc", battle, seats, seed=1, path=tmp_path / "game.jsonl")
    assert evening_of(session, "Thursday").even
    session.close()


def test_the_shipped_even_forces_are_up_to_date_and_even() -> None:
    file = Path(even_forces_module.__file__).with_name("even_forces.json")
    shipped = json.loads(file.read_text("utf-8"))
    assert shipped and set(shipped) <= set(shipped_scenarios())
    for name, entry in shipped.items():
        battle = load_scenario(name)
        assert entry["scenario"] == battle.digest, f"{name} has changed; measure it with 'make even'"
        for ruleset in entry["rulesets"]:
            known = even_forces(battle, (ruleset,))
            assert known is not None and known.chances.keys() == battle.sides.keys()
            if known.forces is not None:
                assert all(EVEN[0] <= share <= EVEN[1] for share in known.even_chances.values())
                assert known.is_change == (with_even_forces(battle, (ruleset,)) is not battle)
