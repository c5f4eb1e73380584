"""A leader has the weapons given in the scenario, else those of his unit, else those of his side."""

from __future__ import annotations

import json
from typing import Any

import pytest

from zareba.registry import load_rules
from zareba.scenario import Scenario, parse_scenario


def tribe(weapon: str, close_weapon: str, rank: str, unit: str | None, **overrides: Any) -> Scenario:
    """A tribe with one kind of weapon, and a leader with or without a unit."""
    men = {"name": "Men", "arm": "infantry", "kind": "tribal", "figures": 20}
    chief = {"name": "Chief", "side": "tribe", "rank": rank} | ({"unit": unit} if unit else {"position": [20, 30]})
    return parse_scenario(
        json.dumps(
            {
                "id": "arms",
                "title": "Arms",
                "year": 1880,
                "place": "nowhere",
                "note": "Who carries what.",
                "turns": 4,
                "table": {"width": 48, "depth": 48},
                "sides": {
                    "tribe": {"name": "Tribe", "role": "attacker", "home_edge": "north"},
                    "column": {"name": "Column", "role": "defender", "home_edge": "south"},
                },
                "units": {
                    "spears": men
                    | {"side": "tribe", "weapon": weapon, "close_weapon": close_weapon, "position": [20, 40]},
                    "few": men | {"side": "tribe", "figures": 4, "weapon": "magazine_rifle", "position": [40, 40]},
                    "foot": men | {"side": "column", "weapon": "breech_rifle", "position": [20, 8]},
                },
                "leaders": {"chief": chief},
                "objectives": {"last": {"kind": "destroy", "name": "Drive them off", "share": 0.5}},
                "overrides": overrides,
            }
        ),
        "arms.yaml",
    )


def arms(ruleset: str, scenario: Scenario) -> set[str]:
    """Return the weapons of the chief."""
    plan = load_rules(ruleset).game(scenario).plan
    if ruleset == "paychest":
        return set(plan.figures[plan.leaders["chief"]].weapons)
    if ruleset == "fixed_baynet":
        men = [man for squad in plan.squads.values() for man in squad.men]
        return {man.weapon for man in men if man.leader_id == "chief"}
    return {plan.specs["chief"].weapon, plan.specs["chief"].close}


@pytest.mark.rule("PAY-021", "FBN-191", "RSK-020")
@pytest.mark.parametrize("rank", ["commander", "chief"])
@pytest.mark.parametrize(
    ("ruleset", "unit", "spears", "jezails"),
    [
        ("paychest", "spears", {"thrown_spear", "spear"}, {"musket", "sword"}),
        ("paychest", None, {"thrown_spear", "spear"}, {"musket", "sword"}),
        ("fixed_baynet", "spears", {"spear"}, {"musket"}),
        ("fixed_baynet", None, {"spear"}, {"musket"}),
        ("risk_factor", "spears", {"spear"}, {"musket", "sword"}),
        ("risk_factor", None, {"none", "sword"}, {"none", "sword"}),
    ],
)
def test_the_chief_of_a_tribe_is_armed_like_its_men(
    ruleset: str, rank: str, unit: str | None, spears: set[str], jezails: set[str]
) -> None:
    assert arms(ruleset, tribe("throwing_spear", "spear", rank, unit)) == spears
    assert arms(ruleset, tribe("jezail", "sword", rank, unit)) == jezails


@pytest.mark.rule("RSK-020")
def test_leader_of_spearmen_has_a_spear() -> None:
    assert arms("risk_factor", tribe("none", "spear", "chief", "spears")) == {"none", "spear"}


@pytest.mark.rule("PAY-210")
def test_a_profile_that_the_scenario_gives_a_lone_leader_comes_with_its_arms() -> None:
    said = {"profiles": {"chief.1": "arab_chief"}}
    assert arms("paychest", tribe("throwing_spear", "spear", "commander", None, paychest=said)) == {"rifle", "sword"}


@pytest.mark.rule("PAY-021")
def test_leader_of_unarmed_men_keeps_his_arms() -> None:
    assert arms("paychest", tribe("none", "none", "commander", "spears")) == {"rifle", "sword"}
