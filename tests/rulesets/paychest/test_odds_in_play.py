"""The odds of every procedure equal the rules in play, also under house rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction as F
from functools import partial
from itertools import product
from math import comb, sqrt
from typing import Any

import pytest
from pydantic import TypeAdapter
from tests.rulesets.paychest.stage import Scene, all_but, chances, row, rules_with, scene

from zareba.base.errors import ZarebaError
from zareba.chance import KeyedDice
from zareba.odds import Odds, count_outcomes, odds
from zareba.odds.drivers.exact_enumerator import Act, ExactEnumerator
from zareba.odds.drivers.sampler import SamplingBudget
from zareba.registry import load_rules, ruleset
from zareba.table import Choose, SeededTable, Table
from zareba_rulesets.paychest.actions.fire import fire_step
from zareba_rulesets.paychest.book.numbers import PaychestBook
from zareba_rulesets.paychest.chapters.casualties import apply_card, strike
from zareba_rulesets.paychest.forces.battle import Battle, Engine
from zareba_rulesets.paychest.odds.stage import bare_battle, bare_unit, losses_of

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
    table = ExactEnumerator(rules, draft, lambda question, state: question.options[0], SamplingBudget(200_000))
    stages = [doing(table, stage) for stage in (before, *map(hit, men))]
    return {end.result: end.weight for end in table.ends(stages, outcome_of=lambda battle, _: fates(battle))}


def doing(table: Table, stage: Callable[[Table, Battle], None]) -> Act:
    return lambda battle, _: partial(stage, table, battle)


def out(fates: Mapping[tuple[str, ...], F]) -> dict[tuple[int, int], F]:
    found: dict[tuple[int, int], F] = {}
    for fate, p in fates.items():
        key = fate.count("killed"), fate.count("unconscious")
        found[key] = found.get(key, F(0)) + p
    return found


def told(asked: Odds) -> dict[tuple[int, int], F]:
    assert asked.method == "exact"
    return {(o.killed, o.unconscious): p for o, p in asked.outcomes.items()}


@pytest.mark.rule("PAY-105", "PAY-117", "PAY-119")
@pytest.mark.setting("hit_spread", "collapse_at_wounds", "casualty_reshuffle")
@pytest.mark.parametrize(
    ("hits", "collapse", "deck", "reshuffle"),
    [(2, 3, {}, "when_empty"), (3, 1, FEW, "when_empty"), pytest.param(3, 0, {}, "every_card", marks=pytest.mark.deep)],
)
def test_hits_on_a_group(hits: int, collapse: int, deck: dict[str, int], reshuffle: str) -> None:
    settings = {"collapse_at_wounds": collapse, "casualty_reshuffle": reshuffle}
    fresh: list[tuple[str, ...]] = [(), ()]
    either = {0: F(1, 2), 1: F(1, 2)}
    random = chances("group_casualties", settings, hits=hits, group=2, **pile_of(deck))
    assert told(random) == out(drawn(settings, deck, fresh, [either] * hits))
    evenly = chances("group_casualties", settings | {"hit_spread": "even"}, hits=hits, group=2, **pile_of(deck))
    assert told(evenly) == out(drawn(settings, deck, fresh, [{0: F(1)}, {1: F(1)}, {0: F(1)}][:hits]))


@pytest.mark.rule("PAY-117", "PAY-120", "PAY-124")
@pytest.mark.parametrize(
    ("deck", "wounds"),
    [
        pytest.param({}, ("leg_wound",), marks=pytest.mark.deep),
        ({}, ("crippled_leg", "body_wound")),
        (FEW, ()),
        (FEW, ("leg_wound", "arm_wound")),
    ],
)
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


UTMOST: list[Any] = [
    ("volley", {"gait": "run", "inches": 30.0}, {"firers": 40, "shots": 5}),
    ("volley_losses", {}, {"firers": 40, "group": 200}),
    ("volley_losses", {"group": 26}, {"firers": 40}),
    ("group_casualties", {}, {"hits": 40, "group": 200}),
    ("shell", {}, {"group": 200}),
    ("exposed_hits", {}, {"hits": 200, "open": 200, "low_wall": 200, "parapet": 200, "wagon": 200}),
    ("shots_at_leader", {}, {"shots": 200}),
    ("melee_casualties", {"b2_skill": 12}, {"a_skill": 12, "b_skill": 12}),
    pytest.param("rout", {}, {"inches": 400.0, "moves": 50}, marks=pytest.mark.deep),
    ("stand_or_run", {}, {"figures": 200}),
]


@pytest.mark.parametrize(("name", "also", "most"), UTMOST)
def test_the_largest_allowed_facts_have_exact_odds(name: str, also: dict[str, Any], most: dict[str, Any]) -> None:
    facts: Any = ruleset("paychest").procedure(name).facts
    limits = TypeAdapter(facts).json_schema()["properties"]
    assert {fact: limits[fact]["maximum"] for fact in most} == most
    asked = chances(name, **also, **most)
    assert asked.method == "exact" and sum(asked.outcomes.values()) == 1


DRAWN = all_but(FEW)
SMALL: list[Any] = [
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
    pytest.param("machine_gun_losses", {}, {"group": 1, "drawn": DRAWN}, marks=pytest.mark.deep),
    ("exposed_hits", {}, {"hits": 2, "parapet": 1, "open": 1, "drawn": DRAWN}),
    ("melee", {}, {"a_skill": 1, "b_skill": 1, "b2_skill": 1}),
    ("melee_casualties", {}, {"a_skill": 1, "b_skill": 2, "b2_skill": 1, "b_lame": True}),
    pytest.param("melee_casualties", {"melee_excess_spread": "winner"}, {"a_skill": 2, "b_skill": 1, "b2_skill": 0}, marks=pytest.mark.deep),
    ("morale", {}, {"kind": "regular", "hits": 3}),
    ("second_morale", {}, {"kind": "irregular"}),
    ("leader_loss", {"leader_loss_regulars": "fall_back"}, {"kind": "regular"}),
    ("cover_shock", {}, {"hidden": 7, "kind": "irregular"}),
    ("stand_or_run", {}, {"figures": 2, "at_most": 2}),
    ("rout", {}, {"inches": 14, "moves": 3}),
    ("rout", {}, {"inches": 20, "dice": 4, "rallies": False, "moves": 2}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "settings", "facts"), SMALL)
def test_formula_odds_equal_the_odds_of_play(name: str, settings: dict[str, Any], facts: dict[str, Any]) -> None:
    rules, asked = rules_with(**settings), ruleset("paychest").procedure(name)
    assert asked.closed is not None and asked.situation is not None
    run = count_outcomes(rules, asked.situation(rules, asked.facts(**facts)), SamplingBudget(100_000))
    calculated = asked.closed.chances(rules, asked.facts(**facts))
    assert calculated is not None and {outcome: p for outcome, p in calculated.items() if p} == run


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
def test_odds_include_a_house_rule_about_play(name: str, asked: str, facts: dict[str, Any]) -> None:
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
def test_odds_use_the_same_tallies_as_play(name: str, tally: str) -> None:
    asked = ruleset("paychest").procedure(name)
    facts = asked.facts(a_skill=3, b_skill=4) if name == "melee" else asked.facts()
    assert {found.rule.name for found in asked.explain(rules_with(), facts).tallies} == {tally}


PLAYS = [60, pytest.param(20_000, marks=pytest.mark.deep)]
HALF = F(1, 2)
"""A rifleman of skill 4 at 20 inches hits a target in the open with 3 or less."""


def lost(asked: Odds) -> dict[tuple[int, int], F]:
    found: dict[tuple[int, int], F] = {}
    for outcome, p in asked.outcomes.items():
        key = outcome.killed, outcome.unconscious
        found[key] = found.get(key, F(0)) + p
    return found


@pytest.mark.rule("PAY-105", "PAY-119", "PAY-187", "PAY-188")
@pytest.mark.setting("exposure_check")
def test_one_shot_at_two_in_the_open_and_a_wounded_man_behind_a_parapet() -> None:
    targets = ((2, "open", 0), (1, "parapet", 2))
    anywhere = chances("mixed_volleys", firers=1, shots=1, targets=targets)
    assert anywhere.method == "exact"
    killed, knocked = HALF * F(12, 52), HALF * (F(4, 52) + F(1, 3) * F(29, 52))
    assert lost(anywhere) == {(0, 0): 1 - killed - knocked, (1, 0): killed, (0, 1): knocked}
    # the third man shows head and arm: 4 cards kill, 2 knock out, 9 give him his third wound
    shown = chances("mixed_volleys", {"exposure_check": "all_fire"}, firers=1, shots=1, targets=targets)
    killed = HALF * (F(2, 3) * F(12, 52) + F(1, 3) * F(4, 52))
    knocked = HALF * (F(2, 3) * F(4, 52) + F(1, 3) * F(2 + 9, 52))
    assert lost(shown) == {(0, 0): 1 - killed - knocked, (1, 0): killed, (0, 1): knocked}


@pytest.mark.rule("PAY-114")
@pytest.mark.parametrize(
    ("targets", "hits"),
    [
        (((2, "open", 0), (1, "wagon", 0)), 3),
        (((1, "open", 0), (1, "soft", 0)), 2),
        (((2, "open", 0), (1, "soft", 0), (1, "low_wall", 0)), 2),
        (((1, "soft", 0), (1, "low_wall", 0)), 1),
    ],
)
def test_cover_of_half_the_group_is_cover_for_all(targets: Any, hits: int) -> None:
    asked = chances("mixed_volleys", firers=1, shots=1, targets=targets)
    assert asked.mean(lambda o: o.killed) == F(hits, 6) * F(12, 52)


@pytest.mark.rule("PAY-100", "PAY-106", "PAY-116")
def test_second_volley_skips_figures_put_out_of_action_by_the_first() -> None:
    asked = chances("mixed_volleys", firers=1, shots=2, targets=((1, "open", 2),))
    assert asked.method == "exact"
    # the first shot misses, or grazes him and that card is gone from the deck
    again = HALF * F(1, 52) + HALF * F(7, 52) * F(1, 51)
    killed, knocked = (HALF * F(n, 52) + HALF * again * n for n in (12, 33))
    assert lost(asked) == {(0, 0): 1 - killed - knocked, (1, 0): killed, (0, 1): knocked}


def spared(deadly: int, men: int, hits: dict[int, F]) -> F:
    """Return the probability that none of these hits kills a given one of the men."""
    return sum(
        (
            p * sum(F(comb(deadly, k) * comb(52 - deadly, h - k), comb(52, h)) * F(men - 1, men) ** k for k in range(min(h, deadly) + 1))
            for h, p in hits.items()
        ),
        F(0),
    )  # fmt: skip


@pytest.mark.rule("PAY-173", "PAY-174", "PAY-187")
def test_losses_by_a_burst() -> None:
    """Four men 20 inches off: 4 - 1 + 1, and 2 less behind a wall. Then 1 to 6 rounds hit; few kill behind a wall."""
    for facts, hits, deadly in (({}, 4, 12), ({"cover": "hard", "exposure": "parapet"}, 2, 4)):
        asked = chances("machine_gun_losses", {"jam_effect": "hit_stands"}, group=4, **facts)
        assert asked.method == "exact"
        rounds = {number: F(1, 6) for number in range(1, 7)}
        assert asked.mean(lambda o: o.killed) == F(hits, 6) * 4 * (1 - spared(deadly, 4, rounds))
    one = chances("machine_gun_losses", group=1, inches=10, skill=6)
    nobody = sum((F(comb(52 - 12, h), comb(52, h)) for h in range(1, 7)), F(0)) / 6
    assert one.probability(lambda o: o.killed == 1) == 1 - nobody


def close(p: float, expected: float, plays: int) -> bool:
    """Return True if a sampled share is within four standard deviations of the expected one."""
    return abs(p - expected) <= 4 * sqrt(max(expected * (1 - expected), 1 / plays) / plays)


@pytest.mark.rule("PAY-174", "PAY-182")
def test_a_machine_gun_at_equal_men_has_the_computed_odds() -> None:
    played = chances("gun_fire", weapon="machine_gun", inches=20, targets=((7, "open", 0),))
    exact = lost(chances("machine_gun_losses", group=7, inches=20))
    assert played.method == "sampled"
    found = lost(played)
    assert all(close(float(found.get(key, 0)), float(p), played.samples) for key, p in exact.items())


@pytest.mark.rule("PAY-119", "PAY-182")
def test_a_shell_at_men_with_two_wounds() -> None:
    """Any card but a graze puts a man out: 7 of 52 cards spare him."""
    asked = chances("gun_fire", weapon="shell", inches=20, skill=6, targets=((2, "open", 2),))
    faces = {number: F(0) for number in range(4, 25)}
    for a in range(6**4):
        faces[sum(a // 6**n % 6 + 1 for n in range(4))] += F(1, 6**4)
    up = float(spared(45, 2, faces))
    assert close(float(asked.mean(lambda o: o.killed + o.unconscious)) / 2, 1 - up, asked.samples)


@pytest.mark.rule("PAY-175")
def test_a_jammed_gun_fires_no_more() -> None:
    twice = chances("gun_fire", {"jam_effect": "burst_lost"}, shots=2, skill=1, inches=1.5, targets=((2, "open", 0),))
    jams = float(twice.probability(lambda o: o.jammed))
    assert close(jams, 1 - (35 / 36) ** 2, twice.samples)


REFUSED_IN_PLAY = [
    ("mixed_volleys", {"weapon": "musket"}, "PAY-026"),
    ("mixed_volleys", {"inches": 1}, "PAY-103"),
    ("mixed_volleys", {"inches": 100}, "PAY-101"),
    ("mixed_volleys", {"arm_wounds": 2, "body_wounds": 1}, "PAY-119"),
    ("mixed_volleys", {"targets": ((2, "open", 3),)}, "PAY-119"),
    ("mixed_volleys", {"drawn": ("leg_wound",) * 7}, "PAY-116"),
    ("gun_fire", {"shots": 3}, "PAY-177"),
    ("gun_fire", {"weapon": "shell", "shots": 2}, "PAY-184"),
    ("gun_fire", {"weapon": "shell", "gait": "advance"}, "PAY-084"),
    ("gun_fire", {"inches": 1}, "PAY-178"),
    ("gun_fire", {"inches": 300}, "PAY-172"),
    ("machine_gun_losses", {"exposure": "wagon"}, "PAY-187"),
]


@pytest.mark.parametrize(("name", "facts", "rule"), REFUSED_IN_PLAY)
def test_odds_reject_illegal_situations_with_the_rule(name: str, facts: dict[str, Any], rule: str) -> None:
    with pytest.raises(ZarebaError, match=rule):
        chances(name, **facts)


def check_against_play(asked: Odds, place: Scene, plays: int) -> None:
    """Play fire steps with this volley or gun as often as allowed, at the first group, and compare."""

    def answer(question: Any, state: Any) -> Any:
        assert isinstance(question, Choose)
        return next((option for option in question.options if option == "volley" or isinstance(option, tuple)), "done")

    counts: dict[tuple[int, int], int] = {}
    for number in range(plays):
        battle = place.battle.copy()
        table = SeededTable(place.rules, battle, number, {"red": answer})
        table.dice = KeyedDice(number)
        fire_step(table, battle, battle.change("red"))
        found = losses_of(battle, "blue")
        counts[found] = counts.get(found, 0) + 1
    expected = lost(asked)
    few = min(plays, asked.samples or plays)
    for key in {*expected, *counts}:
        p = (float(expected.get(key, 0)) + counts.get(key, 0) / plays) / 2
        assert abs(float(expected.get(key, 0)) - counts.get(key, 0) / plays) <= 4 * sqrt(2 * max(p, 1 / few) / few), key


WALL = {"wall": ("low_wall", [(26.6, 29.5), (32.0, 29.5)])}
"""A wall in front of the last four of ten men in a rank, 30 inches north."""


def ten_men(wounded: int = 0) -> Any:
    """Six men in the open and four behind the wall; the first of each have one wound."""
    unit = bare_unit("blue", "blue", row(10, y=30.0))
    for name in (*list(unit.figures)[:wounded], *list(unit.figures)[6 : 6 + wounded]):
        unit.figures[name].wounds = ("body_wound",)
    return unit


def rows(wounded: int) -> Any:
    found = ((wounded, "open", 1), (6 - wounded, "open", 0), (wounded, "low_wall", 1), (4 - wounded, "low_wall", 0))
    return tuple(pair for pair in found if pair[0])


@pytest.mark.rule("PAY-100", "PAY-105", "PAY-106", "PAY-188")
@pytest.mark.setting("exposure_check", "hit_spread")
@pytest.mark.parametrize("plays", PLAYS)
@pytest.mark.parametrize("spread", [pytest.param("random", marks=pytest.mark.deep), "even"])
def test_odds_of_two_volleys_equal_play(plays: int, spread: str) -> None:
    settings: dict[str, Any] = {"exposure_check": "all_fire", "hit_spread": spread, "group_gap_in": 100}
    place = scene(bare_unit("red", "red", row(8, y=10.0, x=21.0)), ten_men(), lines=WALL, **settings)
    asked = chances("mixed_volleys", settings, firers=8, shots=2, targets=rows(0))
    check_against_play(asked, place, plays)


@pytest.mark.rule("PAY-174", "PAY-182", "PAY-187")
@pytest.mark.parametrize("plays", PLAYS)
@pytest.mark.parametrize(("weapon", "crew"), [("machine_gun", 1), pytest.param("shell", 2, marks=pytest.mark.deep)])
def test_odds_of_a_gun_at_wounded_men_equal_play(plays: int, weapon: str, crew: int) -> None:
    settings: dict[str, Any] = {"group_gap_in": 100}
    spots = [(23.5, 10.0), (26.5, 10.0)][:crew]
    kind = "machine_gun" if weapon == "machine_gun" else "gun"
    gun = {"gun": Engine(kind, "the gun", "red", "red", (25.0, 10.0))}
    place = scene(bare_unit("red", "red", spots, weapons=()), ten_men(2), lines=WALL, engines=gun, **settings)
    shots = 2 if weapon == "machine_gun" else 1
    asked = chances("gun_fire", settings, weapon=weapon, shots=shots, targets=rows(2))
    check_against_play(asked, place, plays)
