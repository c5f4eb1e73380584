"""The odds run the functions of play, including wraps and reactions of house rules and the refusals of play."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction as F
from typing import Any

import pytest

from zareba.base.errors import ZarebaError
from zareba.odds import Odds, odds
from zareba.registry import load_rules
from zareba.rules import Rules
from zareba_rulesets.afriboria.odds.air import AirAttackOdds, AntiAirOdds, ParkedFacts
from zareba_rulesets.afriboria.odds.facts import BattleFacts, CommanderFacts
from zareba_rulesets.afriboria.odds.siege import BombardmentOdds, LadderOdds
from zareba_rulesets.afriboria.odds.walls import WallFireFacts

UNITS: dict[str, Any] = {"defender": "inf_c", "defender_figures": 8}
CLOSE = BattleFacts("inf_a", 6, 1, **UNITS)
FAR = BattleFacts("inf_a", 6, 2, **UNITS)
CHIEF = CommanderFacts("inf_a", 6, 1)
WALL = WallFireFacts("inf_a", 6, 2, **UNITS, sections=(2, 2), ranges=(2, 2), dice=(2, 1))
BOMB = AirAttackOdds(0, "inf_c", 8)
ASKED: list[tuple[str, Any, str]] = [
    *(("battle", CLOSE, name) for name in ("battle.fight", "battle.attack", "battle.defend", "battle.flags", "retreat.forced")),
    ("battle", CLOSE, "battle.breakthrough"),
    *(("double_fire", FAR, name) for name in ("battle.fight", "battle.attack")),
    *(("attack_on_commander", CHIEF, name) for name in ("battle.fight_commander", "battle.commander", "retreat.commander")),
    *(("fire_from_wall", WALL, name) for name in ("siege.sections", "battle.attack", "battle.flags", "retreat.forced")),
    *(("attack_from_air", BOMB, name) for name in ("air.attack", "battle.attack", "battle.flags", "retreat.forced")),
    ("anti_aircraft", AntiAirOdds("airship"), "air.hits"),
    ("attack_on_parked", ParkedFacts("inf_a", 6, 2), "air.parked"),
    ("bombardment", BombardmentOdds("art_field", 1, "wood", 3), "siege.bombard"),
    ("ladder", LadderOdds(3), "siege.ladder"),
]  # fmt: skip


def ask(rules: Rules, procedure: str, facts: Any) -> Odds:
    return odds(rules, rules.ruleset.procedure(procedure), facts)


@pytest.mark.parametrize(("procedure", "facts", "name"), ASKED, ids=lambda one: one if isinstance(one, str) else "")
def test_every_procedure_that_an_attack_calls_is_in_its_odds(procedure: str, facts: Any, name: str) -> None:
    called: list[str] = []

    def watch(run: Callable[..., Any], table: Any, *args: Any, **more: Any) -> Any:
        called.append(type(table.state).__name__)
        return run(table, *args, **more)

    plain = load_rules("afriboria")
    found = ask(replace(plain, wraps={name: watch}), procedure, facts)
    assert set(called) == {"Battle"}, "a house rule sees the battle of these rules"
    assert found.outcomes == ask(plain, procedure, facts).outcomes


def never(run: Any, table: Any, *args: Any, **more: Any) -> None:
    return None


@pytest.mark.rule("AFR-208", "AFR-226", "AFR-229")
def test_what_a_house_rule_leaves_out_is_missing_in_the_odds() -> None:
    plain = load_rules("afriboria")

    def mean(value: Callable[[Any], Any], *left_out: str) -> F:
        return ask(replace(plain, wraps=dict.fromkeys(left_out, never)), "battle", CLOSE).mean(value)

    assert mean(lambda o: o.attackers_lost) > 0 == mean(lambda o: o.attackers_lost, "battle.defend")
    assert (
        mean(lambda o: o.retreat)
        > 0
        == mean(lambda o: o.retreat, "battle.flags")
        == mean(lambda o: o.retreat, "retreat.forced")
    )
    assert mean(lambda o: o.kills) > 0 == mean(lambda o: o.kills + o.hits, "battle.fight")
    assert (
        ask(replace(plain, wraps={"battle.fight": never}), "double_fire", FAR).probability(lambda o: o.shots == 2) == 1
    )


def test_a_battle_that_is_fought_twice_kills_more() -> None:
    plain = load_rules("afriboria")

    def twice(run: Any, table: Any, battle: Any, unit: Any, *args: Any) -> Any:
        driven = run(table, battle, unit, *args)
        unit.battled = ()
        return run(table, battle, unit, *args) if driven is not None and driven.hex == args[0] else driven

    once = ask(plain, "battle", FAR)
    both = ask(replace(plain, wraps={"battle.fight": twice}), "battle", FAR)
    assert both.method == "exact" and sum(both.outcomes.values()) == 1
    assert both.mean(lambda o: o.kills) > once.mean(lambda o: o.kills)
    assert max(o.kills for o in both.outcomes) == 2 * max(o.kills for o in once.outcomes)


@pytest.mark.rule(
    "AFR-021", "AFR-026", "AFR-038", "AFR-151", "AFR-183", "AFR-239", "AFR-319", "AFR-321", "AFR-340", "AFR-342"
)
@pytest.mark.parametrize(
    ("wrong", "rule"),
    [
        ({"lancers": True}, "AFR-026"),
        ({"hilltop": True}, "AFR-151"),
        ({"attacker": "art_field", "attacker_figures": 4, "officer": True}, "AFR-183"),
        ({"firearms": 7}, "AFR-038"),
        ({"firearms": 3, "attacker_missile": False}, "AFR-038"),
        ({"officer_apart": True}, "AFR-183"),
        ({"stubborn": True}, "AFR-319"),
        ({"voluntary": True, "blocked": True}, "AFR-239"),
        ({"voluntary": True, "at_edge": True}, "AFR-239"),
        ({"voluntary": True, "defender_section": 2}, "AFR-239"),
        ({"defender_section": 8}, "AFR-321"),
        ({"card": 3}, "AFR-342"),
        ({"card": -1}, "AFR-340"),
    ],
)
def test_facts_that_play_does_not_know_are_refused(wrong: dict[str, Any], rule: str) -> None:
    with pytest.raises(ZarebaError, match=rule):
        ask(load_rules("afriboria"), "battle", replace(CLOSE, **wrong))


@pytest.mark.rule("AFR-340", "AFR-342")
def test_dice_by_cards_are_those_of_cards_and_events() -> None:
    """A card adds a die, fresh ammunition another; rain removes one beyond the adjacent hex."""
    rules = load_rules("afriboria")

    def hits(facts: Any, procedure: str = "battle") -> int:
        return max(int(o.hits) for o in ask(rules, procedure, facts).outcomes)

    assert [hits(replace(CLOSE, card=card)) for card in (0, 1, 2)] == [4, 5, 6]
    assert [hits(replace(FAR, card=card)) for card in (-1, 0, 1, 2)] == [2, 3, 4, 5]
    assert [hits(AirAttackOdds(2, "inf_c", 8, card=card), "attack_from_air") for card in (-1, 0)] == [3, 4]
    with pytest.raises(ZarebaError, match="AFR-342"):
        hits(AirAttackOdds(1, "inf_c", 8, card=1), "attack_from_air")
    twice = ask(rules, "double_fire", replace(FAR, card=2, defender_missile=False))
    assert max(o.kills for o in twice.outcomes) == 8, "five dice, then three: cards are for the first shot"


@pytest.mark.rule("AFR-183", "AFR-326", "AFR-327")
def test_of_a_unit_on_a_wall_one_section_is_hit_and_answers() -> None:
    facts = replace(CLOSE, defender="inf_a", defender_figures=6, defender_officer=True)
    rules = load_rules("afriboria", {"officer_die_in_defence": True})
    whole, part = ask(rules, "battle", facts), ask(rules, "battle", replace(facts, defender_section=1))
    assert max(o.kills for o in part.outcomes) == 1 < max(o.kills for o in whole.outcomes)
    apart = ask(rules, "battle", replace(facts, defender_section=1, officer_apart=True))
    assert max(o.attackers_lost for o in part.outcomes) == 1
    assert apart.mean(lambda o: o.attackers_lost) < part.mean(lambda o: o.attackers_lost)


@pytest.mark.rule("AFR-153", "AFR-165")
def test_a_second_shot_does_not_go_through_the_ground_that_the_target_has_left() -> None:
    facts = replace(FAR, officer=True, defender_missile=False)
    rules = load_rules("afriboria")
    for ground, most in (("wood", 0), ("hill", 0), ("fence", 2)):  # four hexes is the range of rifles
        there: Any = replace(facts, terrain=(ground,))  # type: ignore[arg-type]  # features of a hex
        outcomes = ask(rules, "battle", there).outcomes.items()
        out_of_sight = sum(p for outcome, p in outcomes if outcome.retreat > most)
        assert ask(rules, "double_fire", there).probability(lambda o: o.shots == 1) == out_of_sight > 0
