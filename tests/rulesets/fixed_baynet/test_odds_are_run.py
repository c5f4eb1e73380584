"""The odds run the functions of play: each closed calculation equals the run, and house rules take effect."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.rulesets.fixed_baynet.plain import battle, rules_with, squad

from zareba.base.errors import ZarebaError
from zareba.odds import SmallBattle, count_outcomes, odds
from zareba.table import Choose
from zareba_rulesets.fixed_baynet.presentation.odds_hints import next_act

SMALL: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("volley", {"ds": 4, "shots": 3, "men": 2, "formation": "mass"}, {}),
    ("volley", {"ds": 5, "shots": 2, "men": 3, "cv": 2, "band": "long", "dark": True, "saddle": True}, {}),
    ("machine_gun", {"salvos": 1, "men": 2}, {}),
    ("machine_gun", {"salvos": 1, "men": 1, "leader": True, "jam_die": False, "cv": 3, "band": "long"}, {}),
    ("burst", {"ds": 4, "men": 2, "rolls": 2, "crew": True, "cv": 1}, {}),
    ("burst", {"ds": 4, "leader": True, "rolls": 2}, {"artillery_damage": "dice"}),
    ("artillery_direct", {"ranks": 1, "files": 3}, {}),
    ("artillery_direct", {"ranks": 1, "files": 2, "ammunition": "shot"}, {"deviation_on": "always"}),
    ("panic", {"men": 3, "column": "elite"}, {}),
]


@pytest.mark.parametrize(("name", "facts", "settings"), SMALL)
def test_a_closed_calculation_is_what_play_comes_to(name: str, facts: dict[str, Any], settings: dict[str, Any]) -> None:
    rules = rules_with(**settings)
    asked = rules.ruleset.procedure(name)
    said = asked.facts(**facts)
    assert asked.closed is not None and asked.situation is not None
    assert asked.closed.chances(rules, said) == count_outcomes(rules, asked.situation(rules, said))


def never(run: Any, table: Any, *args: Any, **named: Any) -> int:
    return 0


@pytest.mark.parametrize(
    ("name", "facts", "wrapped"),
    [
        ("shot", {"ds": 5}, "fire.shot"),
        ("volley", {"ds": 5, "shots": 2, "men": 2}, "fire.shot"),
        ("exchange", {"ds": 5}, "counter_attack.answer"),
        ("counter_attack", {}, "counter_attack.answer"),
        ("close_combat", {}, "close_combat.result"),
        ("machine_gun", {"salvos": 1, "men": 2}, "hits.strike"),
        ("burst", {"ds": 4}, "artillery.burst"),
        ("building", {"shots": 2}, "building.damage"),
        ("glory_check", {"gl": 6}, "glory.voluntary"),
    ],
)
def test_a_house_rule_about_what_is_run_is_in_the_odds(name: str, facts: dict[str, Any], wrapped: str) -> None:
    rules = rules_with()
    without = (lambda *_, **__: ("miss", "")) if wrapped == "close_combat.result" else never
    changed = replace(rules, wraps={wrapped: without})
    asked = rules.ruleset.procedure(name)
    said = asked.facts(**facts)
    assert odds(changed, asked, said).outcomes != odds(rules, asked, said).outcomes
    assert len(odds(changed, asked, said).outcomes) < len(odds(rules, asked, said).outcomes)


@pytest.mark.parametrize("wrapped", ["activation.act", "fire.volley", "fire.shot", "hits.strike"])
def test_the_odds_of_a_volley_in_play_are_those_under_the_house_rules(wrapped: str) -> None:
    state = battle(squad("red", "red", 2, (50, 10)), squad("blue", "blue", 3, (50, 20), weapon="none"))
    question = Choose("act", "FBN-016", "red", "red", (("fire", "blue"), "end"), ())
    before = state.to_data()
    procedure, act = next_act(state, question, ("fire", "blue")) or ("", None)
    assert procedure == "volley" and act is not None
    fire = SmallBattle(state, [lambda table, battle, _: act(table, battle)], losses_of("blue"))
    rules = rules_with()
    asked = rules.ruleset.procedure(procedure)
    assert odds(rules, asked, fire).mean(lambda down: down) > 1
    assert odds(replace(rules, wraps={wrapped: never}), asked, fire).mean(lambda down: down) == 0
    assert state.to_data() == before


def losses_of(unit: str) -> Any:
    return lambda battle, _: sum(one.unit == unit for one in battle.fallen)


@pytest.mark.parametrize(
    ("name", "facts", "rule"),
    [
        ("machine_gun", {"saddle": True}, "FBN-229"),
        ("machine_gun", {"dark": True, "band": "long"}, "FBN-235"),
        ("building", {"lost": 40}, "FBN-249"),
        ("building", {"shell": True, "damage": 3}, "FBN-213"),
        ("artillery_direct", {"gun": "trench_mortar"}, "FBN-210"),
        ("artillery_direct", {"distance": 190, "gun": "heavy_gun"}, "FBN-211"),
        ("artillery_direct", {"ranks": 1, "files": 1}, "FBN-062"),
    ],
)
def test_facts_that_play_refuses_are_refused(name: str, facts: dict[str, Any], rule: str) -> None:
    asked = rules_with().ruleset.procedure(name)
    with pytest.raises(ZarebaError, match=rule):
        odds(rules_with(), asked, asked.facts(**facts))


def test_what_an_answer_does_to_a_leader_is_told() -> None:
    """If return fire hits a leader who shot, the odds report his wound."""
    red = squad("red", "red", 1, (20, 10), leader="nco")
    blue = squad("blue", "blue", 1, (20, 20), facing=180.0, cs=2)
    state = battle(red, blue)
    aim = Choose("aim at", "FBN-093", "red/1", "red", ("blue/1", "hold fire"), ())
    procedure, act = next_act(state, aim, "blue/1") or ("", None)
    assert procedure == "shot" and act is not None

    def shoot(table: Any, battle: Any, _: None) -> set[str]:
        act(table, battle)
        return {str(event.data["location"]) for event in table.events if event.kind == "located"}

    def answer(question: Any, state: Any) -> Any:
        return question.why == "answer" or "blue/1"

    fire = SmallBattle(state, [shoot], lambda _, found: tuple(found), answer=answer, hears={"located"})
    hits = replace(rules_with(), wraps={"fire.to_hit": lambda run, table, *a: 1})
    assert {len(found) for found in odds(hits, hits.ruleset.procedure(procedure), fire).outcomes} == {0, 1}


def test_an_act_that_leaves_nobody_ends_the_activation_in_the_odds_as_in_play() -> None:
    """A single man fires and falls to the return fire. The end of the activation follows at once (FBN-161)."""
    state = battle(squad("red", "red", 1, (50, 10)), squad("blue", "blue", 2, (50, 20), facing=180.0, cs=3))
    question = Choose("act", "FBN-016", "red", "red", (("fire", "blue"), "end"), ())
    procedure, act = next_act(state, question, ("fire", "blue")) or ("", None)
    assert act is not None
    left: set[int] = set()

    def deed(run: Any, table: Any, battle: Any, unit: Any) -> None:
        left.add(len(unit.figures))

    def answer(question: Any, state: Any) -> Any:
        return question.options[-1] if isinstance(question, Choose) else True

    rules = replace(rules_with(), wraps={"rally.deed": deed})
    fire = SmallBattle(state, [lambda table, battle, _: act(table, battle)], losses_of("red"), answer=answer)
    assert set(odds(rules, rules.ruleset.procedure(procedure), fire).outcomes) == {0, 1}
    assert left == {0}, "only where nobody is left"
