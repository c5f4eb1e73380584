"""Closed calculations equal the runs they replace, and house rules take effect in the parts they skip."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.rulesets.paychest.stage import all_but, rules_with

from zareba.base.errors import ZarebaError
from zareba.odds import Odds, count_outcomes, odds
from zareba.odds.drivers.sampler import Budget
from zareba.registry import load_rules, ruleset

FEW = {"head_killed": 1, "head_unconscious": 1, "leg_crippled": 1, "leg_wound": 2, "arm_wound": 1}
DRAWN = all_but(FEW)
SMALL: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("to_hit", {}, {"cover": "soft", "arm_wounds": 1}),
    ("volley", {}, {"firers": 1, "shots": 2, "inches": 30}),
    ("volley", {}, {"firers": 1, "shots": 2, "inches": 5, "weapon": "musket"}),
    ("volley_losses", {}, {"firers": 2, "group": 2, "drawn": DRAWN}),
    ("volley_losses", {"hit_spread": "even"}, {"firers": 2, "group": 2, "drawn": DRAWN}),
    ("volley_losses", {"exposure_check": "all_fire"}, {"firers": 1, "group": 2, "cover": "hard", "exposure": "wagon"}),
    ("group_casualties", {"exposure_check": "all_fire"}, {"hits": 2, "group": 2, "exposure": "parapet", "drawn": DRAWN}),
    ("casualty", {}, {"cards": 2, "leg_wounds": 1, "arm_wounds": 1}),
    ("casualty", {"collapse_at_wounds": 0}, {"cards": 2, "body_wounds": 4}),
    ("shots_at_leader", {}, {"shots": 2, "drawn": DRAWN, "leader_leg_wounds": 1}),
    ("shots_at_leader", {"leader_loss_regulars": "inactive"}, {"shots": 1, "kind": "regular"}),
    ("machine_gun_losses", {}, {"group": 1, "drawn": DRAWN}),
    ("exposed_hits", {}, {"hits": 2, "parapet": 1, "open": 1, "drawn": DRAWN}),
    ("melee", {}, {"a_skill": 1, "b_skill": 1, "b2_skill": 1}),
    ("melee_casualties", {}, {"a_skill": 1, "b_skill": 2, "b2_skill": 1, "b_lame": True}),
    ("melee_casualties", {"melee_excess_spread": "winner"}, {"a_skill": 2, "b_skill": 1, "b2_skill": 0}),
    ("morale", {}, {"kind": "regular", "hits": 3}),
    ("second_morale", {}, {"kind": "irregular"}),
    ("leader_loss", {"leader_loss_regulars": "fall_back"}, {"kind": "regular"}),
    ("cover_shock", {}, {"hidden": 7, "kind": "irregular"}),
    ("stand_or_run", {}, {"figures": 2, "at_most": 2}),
    ("rout", {}, {"inches": 14, "moves": 3}),
    ("rout", {}, {"inches": 20, "dice": 4, "rallies": False, "moves": 2}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "settings", "facts"), SMALL)
def test_what_is_calculated_is_what_is_run(name: str, settings: dict[str, Any], facts: dict[str, Any]) -> None:
    rules, asked = rules_with(**settings), ruleset("paychest").procedure(name)
    assert asked.closed is not None and asked.situation is not None
    run = count_outcomes(rules, asked.situation(rules, asked.facts(**facts)), Budget(100_000))
    calculated = asked.closed.chances(rules, asked.facts(**facts))
    assert calculated is not None and {one: p for one, p in calculated.items() if p} == run


def wrapped(name: str, wrap: Callable[..., Any], asked: str, **facts: Any) -> Odds:
    rules = load_rules("paychest", {})
    rules.wraps[name] = wrap
    found = rules.ruleset.procedure(asked)
    return odds(rules, found, found.facts(**facts), samples=400)


CASES: list[tuple[str, str, dict[str, Any]]] = [
    ("fire.volley", "to_hit", {}),
    ("fire.volley", "volley", {"firers": 1, "shots": 1}),
    ("fire.volley", "volley_losses", {}),
    ("fire.volley", "mixed_volleys", {"firers": 1, "shots": 1}),
    ("shooting.shots", "volley_losses", {}),
    ("casualties.strike", "volley_losses", {}),
    ("casualties.strike", "group_casualties", {}),
    ("casualties.strike", "casualty", {}),
    ("casualties.strike", "exposed_hits", {"hits": 2, "open": 1}),
    ("casualties.strike", "shell", {}),
    ("gunnery.shot", "machine_gun", {"group": 1}),
    ("gunnery.shot", "machine_gun_losses", {"skill": 6, "inches": 10}),
    ("gunnery.to_hit", "shell_hits", {}),
    ("gunnery.to_hit", "gun_fire", {}),
    ("leaders.loss", "shots_at_leader", {}),
    ("leaders.loss", "leader_loss", {"kind": "irregular"}),
    ("melee.fight", "melee", {"a_skill": 2, "b_skill": 2}),
    ("casualties.strike", "melee_casualties", {"a_skill": 2, "b_skill": 1}),
    ("melee.clash", "melee", {"a_skill": 2, "b_skill": 2}),
    ("morale.check", "morale", {"kind": "regular", "hits": 9}),
    ("morale.second_roll", "cover_shock", {"hidden": 9}),
    ("forced.singly", "stand_or_run", {"figures": 2}),
    ("forced.rally", "rout", {"inches": 14, "moves": 2}),
]


@pytest.mark.parametrize(("name", "asked", "facts"), CASES)
def test_a_house_rule_about_what_play_does_is_in_the_odds(name: str, asked: str, facts: dict[str, Any]) -> None:
    def as_it_is(run: Callable[..., Any], table: Any, *args: Any, **kwargs: Any) -> Any:
        return run(table, *args, **kwargs)

    def wrap(run: Callable[..., Any], table: Any, *args: Any, **kwargs: Any) -> Any:
        return (0, 0) if name in ("melee.fight", "melee.clash") else [] if name == "forced.singly" else 0

    assert wrapped(name, wrap, asked, **facts).outcomes != wrapped(name, as_it_is, asked, **facts).outcomes


@pytest.mark.rule("PAY-100", "PAY-111")
def test_a_volley_that_is_fired_twice_hits_as_often_as_two() -> None:
    def twice(run: Callable[..., int], table: Any, *args: Any) -> int:
        return run(table, *args) + run(table, *args)

    found = wrapped("shooting.shots", twice, "volley", firers=1, shots=1, inches=30)
    assert found.method == "exact"
    rules, asked = rules_with(), ruleset("paychest").procedure("volley")
    plain = odds(rules, asked, asked.facts(firers=2, shots=1, inches=30))
    assert found.outcomes == plain.outcomes and plain.note == "by a formula"


REFUSED = [
    ("to_hit", {"inches": 1.0}, "PAY-103"),
    ("volley", {"arm_wounds": 3}, "PAY-119"),
    ("volley_losses", {"exposure": "wagon"}, "PAY-187"),
    ("shots_at_leader", {"leader_other_wounds": 3}, "PAY-128"),
    ("machine_gun", {"shots": 3, "skill": 4}, "PAY-177"),
    ("machine_gun", {"group": 0}, "PAY-178"),
    ("shell", {"gait": "advance"}, "PAY-084"),
    ("exposed_hits", {}, "PAY-187"),
    ("melee", {"a_skill": 4, "b_skill": 4, "b_body_wounds": 3}, "PAY-119"),
    ("morale", {"kind": "regular", "hits": 0}, "PAY-148"),
    ("rout", {"inches": 20.0, "dice": 5}, "PAY-158"),
]


@pytest.mark.parametrize(("name", "facts", "rule"), REFUSED)
def test_facts_that_play_would_refuse_are_refused(name: str, facts: dict[str, Any], rule: str) -> None:
    asked = ruleset("paychest").procedure(name)
    with pytest.raises(ZarebaError, match=rule):
        odds(rules_with(), asked, asked.facts(**facts))


@pytest.mark.parametrize(("name", "tally"), [("volley", "firearms"), ("shell", "firearms"), ("melee", "melee")])
def test_the_numbers_that_go_into_it_are_those_of_play(name: str, tally: str) -> None:
    asked = ruleset("paychest").procedure(name)
    facts = asked.facts(a_skill=3, b_skill=4) if name == "melee" else asked.facts()
    assert {found.rule.name for found in asked.explain(rules_with(), facts).tallies} == {tally}
