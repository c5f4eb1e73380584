"""Computed odds of casualties equal those of drawing the same cards one by one, as play does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction as F
from functools import partial
from itertools import product
from typing import Any

import pytest
from pydantic import TypeAdapter
from tests.rulesets.paychest.stage import all_but, chances, rules_with

from zareba.odds import Odds
from zareba.odds.drivers.exact_enumerator import Act, ExactEnumerator
from zareba.odds.drivers.sampler import Budget
from zareba.registry import ruleset
from zareba.table import Table
from zareba_rulesets.paychest.book.numbers import PaychestBook
from zareba_rulesets.paychest.chapters.melee import apply_card, strike
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.odds.stage import bare_battle, bare_unit

FEW = {"head_killed": 1, "head_unconscious": 1, "leg_crippled": 1, "leg_wound": 2, "arm_wound": 1}
"""A pile that soon runs out, so that the deck is reshuffled during the draw."""


def pile_of(deck: Mapping[str, int]) -> dict[str, Any]:
    """Return the facts of a deck: all 52 cards, or only these."""
    return {"drawn": all_but(deck)} if deck else {}


def drawn(
    settings: Mapping[str, Any],
    deck: Mapping[str, int],
    wounds: Sequence[Sequence[str]],
    falls: Sequence[Mapping[int, F]],
) -> dict[tuple[str, ...], F]:
    """Return the fates of men with these wounds. `falls` gives each hit's probability of falling on each man."""
    rules = rules_with(**settings)
    found: dict[tuple[str, ...], F] = {}
    for men in product(*falls):
        chance = F(1)
        for fall, man in zip(falls, men, strict=True):
            chance *= fall[man]
        for outcome, p in _cards(rules, deck, wounds, men).items():
            found[outcome] = found.get(outcome, F(0)) + chance * p
    return found


def _cards(rules: Any, deck: Mapping[str, int], wounds: Sequence[Sequence[str]], men: Sequence[int]) -> dict[Any, F]:
    def start() -> Battle:
        unit = bare_unit("unit", "red", [(10.0 + 3 * n, 10.0) for n in range(len(wounds))])
        battle = bare_battle(rules, [unit])
        pack = PaychestBook(rules).full_deck()
        pile = dict(deck or pack)
        battle.casualties.pile = pile
        battle.casualties.discards = {name: pack[name] - pile.get(name, 0) for name in pack}
        return battle

    def before(table: Table, battle: Battle) -> None:
        for number, has in enumerate(wounds, start=1):
            for wound in has:
                apply_card(table, battle, battle.figure(f"unit.{number}"), wound, "fire", [])

    def hit(man: int) -> Any:
        def stage(table: Table, battle: Battle) -> None:
            strike(table, battle, battle.figure(f"unit.{man + 1}"), None, "fire", [])

        return stage

    def fates(battle: Battle) -> tuple[str, ...]:
        words = {"dead": "killed", "unconscious": "unconscious"}
        return tuple(
            words.get(f.fate, "cannot walk" if "lame" in f.marks else "wounded" if f.wounds else "unhurt")
            for f in battle.unit("unit").figures.values()
        )

    draft = start()
    table = ExactEnumerator(rules, draft, lambda question, state: question.options[0], Budget(200_000))
    stages = [doing(table, stage) for stage in (before, *map(hit, men))]
    return {end.result: end.weight for end in table.ends(stages, tell=lambda battle, _: fates(battle))}


def doing(table: Table, stage: Callable[[Table, Battle], None]) -> Act:
    return lambda battle, _: partial(stage, table, battle)


def out(fates: Mapping[tuple[str, ...], F]) -> dict[tuple[int, int], F]:
    found: dict[tuple[int, int], F] = {}
    for one, p in fates.items():
        key = one.count("killed"), one.count("unconscious")
        found[key] = found.get(key, F(0)) + p
    return found


def told(asked: Odds) -> dict[tuple[int, int], F]:
    assert asked.method == "exact"
    return {(o.killed, o.unconscious): p for o, p in asked.outcomes.items()}


@pytest.mark.rule("PAY-105", "PAY-117", "PAY-119")
@pytest.mark.setting("hit_spread", "collapse_at_wounds", "casualty_reshuffle")
@pytest.mark.parametrize("collapse", [0, 1, 3])
@pytest.mark.parametrize(
    ("deck", "reshuffle"), [({}, "when_empty"), (FEW, "when_empty"), ({}, "every_card")], ids=["full", "few", "again"]
)
def test_hits_on_a_group(collapse: int, deck: dict[str, int], reshuffle: str) -> None:
    settings = {"collapse_at_wounds": collapse, "casualty_reshuffle": reshuffle}
    fresh: list[tuple[str, ...]] = [(), ()]
    either = {0: F(1, 2), 1: F(1, 2)}
    random = chances("group_casualties", settings, hits=3, group=2, **pile_of(deck))
    assert told(random) == out(drawn(settings, deck, fresh, [either] * 3))
    evenly = chances("group_casualties", settings | {"hit_spread": "even"}, hits=3, group=2, **pile_of(deck))
    assert told(evenly) == out(drawn(settings, deck, fresh, [{0: F(1)}, {1: F(1)}, {0: F(1)}]))


@pytest.mark.rule("PAY-117", "PAY-120", "PAY-124")
@pytest.mark.parametrize("deck", [{}, FEW], ids=["full", "few"])
@pytest.mark.parametrize("wounds", [(), ("leg_wound",), ("crippled_leg", "body_wound"), ("leg_wound", "arm_wound")])
def test_cards_on_one_man(deck: dict[str, int], wounds: tuple[str, ...]) -> None:
    for settings in ({}, {"collapse_at_wounds": 0}, {"collapse_at_wounds": 5}):
        facts = {f"{name}s": wounds.count(name) for name in ("leg_wound", "arm_wound", "body_wound")}
        asked = chances(
            "casualty", settings, cards=3, crippled_legs=wounds.count("crippled_leg"), **facts, **pile_of(deck)
        )
        assert {(o.fate,): p for o, p in asked.outcomes.items()} == drawn(settings, deck, [wounds], [{0: F(1)}] * 3)


@pytest.mark.rule("PAY-140", "PAY-141", "PAY-144")
@pytest.mark.setting("melee_excess_spread", "casualty_reshuffle")
@pytest.mark.parametrize(
    ("settings", "falls"),
    [
        ({}, {0: F(1, 2), 1: F(1, 2)}),
        ({"casualty_reshuffle": "every_card", "collapse_at_wounds": 2}, {0: F(1, 2), 1: F(1, 2)}),
        ({"melee_excess_spread": "winner"}, {0: F(1)}),
    ],
)
def test_melee_casualties(settings: dict[str, Any], falls: dict[int, F]) -> None:
    """A man of 3 against two of 1, one of them lame: the excess from `melee`, then its cards one by one."""
    facts: dict[str, Any] = {"a_skill": 3, "b_skill": 1, "b2_skill": 2, "b2_lame": True, "a_body_wounds": 1}
    expected: dict[tuple[str, ...], F] = {}
    for excess, p in chances("melee", settings, **facts).outcomes.items():
        mine = drawn(settings, {}, [("body_wound",)], [{0: F(1)}] * excess.on_a)
        theirs = drawn(settings, {}, [(), ("crippled_leg",)], [falls] * excess.on_b)
        for (a, q), (b, r) in product(mine.items(), theirs.items()):
            expected[a + b] = expected.get(a + b, F(0)) + p * q * r
    asked = chances("melee_casualties", settings, **facts)
    assert {(o.a, o.b, o.b2): p for o, p in asked.outcomes.items()} == expected


UTMOST: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("volley", {"gait": "run", "inches": 30.0}, {"firers": 40, "shots": 5}),
    ("volley_losses", {}, {"firers": 40, "group": 200}),
    ("volley_losses", {"group": 26}, {"firers": 40}),
    ("group_casualties", {}, {"hits": 40, "group": 200}),
    ("shell", {}, {"group": 200}),
    ("exposed_hits", {}, {"hits": 200, "open": 200, "low_wall": 200, "parapet": 200, "wagon": 200}),
    ("shots_at_leader", {}, {"shots": 200}),
    ("melee_casualties", {"b2_skill": 12}, {"a_skill": 12, "b_skill": 12}),
    ("rout", {}, {"inches": 400.0, "moves": 50}),
    ("stand_or_run", {}, {"figures": 200}),
]


@pytest.mark.parametrize(("name", "also", "most"), UTMOST)
@pytest.mark.parametrize("settings", [{}, {"hit_spread": "even"}, {"casualty_reshuffle": "every_card"}], ids=str)
def test_the_utmost_facts_are_counted_too(
    name: str, also: dict[str, Any], most: dict[str, Any], settings: dict[str, Any]
) -> None:
    facts: Any = ruleset("paychest").procedure(name).facts
    limits = TypeAdapter(facts).json_schema()["properties"]
    assert {fact: limits[fact]["maximum"] for fact in most} == most
    asked = chances(name, settings, **also, **most)
    assert asked.method == "exact" and sum(asked.outcomes.values()) == 1
