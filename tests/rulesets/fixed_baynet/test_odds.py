"""The odds equal independent calculations and play, and cover the later steps of a choice."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction as F
from itertools import product
from math import comb
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from tests.rulesets.fixed_baynet.plain import ask, battle, rules_with, squad

from zareba.base.errors import ZarebaError
from zareba.odds import SmallBattle, count_outcomes, odds
from zareba.scenario import load_scenario
from zareba.table import Choose
from zareba.table.questions import Step
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.game import FbnGame
from zareba_rulesets.fixed_baynet.presentation.odds_hints import next_act

ACT = Step("actions.act", 1, "unit")


def begun() -> tuple[FbnGame, Battle, str]:
    """A game in which a unit is active."""
    game = FbnGame(rules_with(), load_scenario("patrol_clash"))
    battle = game.start()
    battle.active = next(iter(battle.units))
    return game, battle, battle.active


@pytest.mark.rule("FBN-043", "FBN-104")
def test_the_odds_of_a_charge_include_the_blows_of_men_in_contact() -> None:
    game, before, key = begun()
    assert not game.odds_horizon.includes(before, before.copy(), ACT)
    after = before.copy()
    man = next(iter(after.units.change(key).figures.values()))
    man.mark("charged")
    assert game.odds_horizon.includes(before, after, ACT)
    assert not game.odds_horizon.includes(after, after.copy(), ACT), "a shot after the charge is done in its own step"
    assert not game.odds_horizon.includes(before, after, Step("actions.unit", 1, "unit"))
    over = after.copy()
    over.active = ""
    assert not game.odds_horizon.includes(before, over, ACT)
    man.attacks = 1
    assert not game.odds_horizon.includes(before, after, ACT), "each strikes once"


@pytest.mark.rule("FBN-104")
def test_the_neutral_answer_is_to_fight_after_a_charge_and_to_hold_fire_otherwise() -> None:
    game, _, key = begun()
    assert game.odds_horizon.hold(Choose("act", "FBN-016", key, "red", ("move", "fight", "end"), ())) == "fight"
    assert game.odds_horizon.hold(Choose("aim at", "FBN-093", key, "red", ("somebody", "hold fire"), ())) == "hold fire"


@pytest.mark.rule("FBN-091", "FBN-125", "FBN-152", "FBN-231")
def test_changes_of_a_unit_are_its_losses_wounds_panic_and_marks() -> None:
    game, before, key = begun()
    after = before.copy()
    unit = after.units.change(key)
    first, second, third, *_ = unit.figures.values()
    del unit.figures[first.id]
    second.locations = frozenset({"arm_light"})
    third.reaction = "flee"
    unit.mark("pinned")
    changes = game.display.changes(before, after)
    assert {change.unit for change in changes} == {key}
    assert first.spec.leads
    assert {(change.what, float(change.now) - float(change.was)) for change in changes} == {
        ("figures", -1), ("leaders", -1), ("wounded", 1), ("in panic", 1), ("pinned", 1)
    }  # fmt: skip
    assert f"{game.narrator.name_of(key)}: 1 figure lost" in [
        game.narrator.describe_change(change) for change in changes
    ]


D6, D12 = range(1, 7), range(1, 13)
BAND = {"short": -1, "medium": 0, "long": 1}


def need(facts: dict[str, Any]) -> int:
    """Return the number of Table 10-A, computed independently, in the default reading."""
    total = facts["ds"] + facts.get("cv", 0) + BAND[facts.get("band", "medium")] - facts.get("cs", 0)
    mass = facts.get("formation") == "mass"
    total -= mass or (facts.get("formation") == "closed" and facts.get("charging", False))
    total += facts.get("crew", False) + facts.get("saddle", False) + facts.get("dark", False)
    return int(total - facts.get("chest", False) - facts.get("sniper", False))


def shot(score: int, wanted: int) -> str:
    return "critical" if score == 12 else "miss" if score == 1 or score < wanted else "hit"


def of_shot(facts: dict[str, Any]) -> Counter[str]:
    return Counter(shot(score, need(facts)) for score in D12)


shots = st.fixed_dictionaries(
    {"ds": st.integers(0, 9)},
    optional={
        "formation": st.sampled_from(["open", "closed", "mass", "square"]),
        "cv": st.integers(0, 5),
        "band": st.sampled_from(list(BAND)),
        "cs": st.integers(-2, 3),
        **{name: st.booleans() for name in ("charging", "crew", "chest", "saddle", "dark", "sniper")},
    },
)


@pytest.mark.rule("FBN-082", "FBN-084", "FBN-085", "FBN-086", "FBN-201", "FBN-236", "FBN-237")
@hypothesis_settings(max_examples=60, deadline=None)
@given(shots)
def test_the_odds_of_a_shot_are_those_of_table_10_b(facts: dict[str, Any]) -> None:
    found = ask("shot", **facts)
    assert {o.result: p for o, p in found.outcomes.items()} == {name: F(n, 12) for name, n in of_shot(facts).items()}


def has(**values: Any) -> Any:
    """Return True if an outcome has these values."""
    return lambda outcome: all(getattr(outcome, name) == value for name, value in values.items())


@pytest.mark.rule("FBN-091", "FBN-092")
@hypothesis_settings(max_examples=20, deadline=None)
@given(shots, st.integers(1, 6), st.integers(1, 5))
def test_a_volley_is_binomial_and_stops_when_all_are_down(facts: dict[str, Any], fired: int, men: int) -> None:
    p = F(12 - of_shot(facts)["miss"], 12)
    plain = [comb(fired, k) * p**k * (1 - p) ** (fired - k) for k in range(fired + 1)]
    expected = [*plain[:men], sum(plain[men:], F(0))]
    found = ask("volley", **facts, shots=fired, men=men)
    assert [found.probability(has(down=k)) for k in range(men + 1)] == (expected + [F(0)] * men)[: men + 1]


@pytest.mark.rule("FBN-125", "FBN-126", "FBN-135")
@pytest.mark.parametrize("ds", [2, 5, 11])
def test_a_hero_shot_by_two_dice(ds: int) -> None:
    rows = ["arm_light", "leg_light", "groin", "chest_light", "chest_light", "head_light", "arm_heavy", "leg_heavy"]
    rows += ["chest_heavy", "head_heavy", "bloody_death", "bloody_death"]
    seen: Counter[str] = Counter()
    for score, place in product(D12, D12):
        result = shot(score, ds)
        seen[rows[place - 1] if result == "hit" else result] += 1
    found = ask("hero_shot", ds=ds)
    assert {o.location: p for o, p in found.outcomes.items()} == {name: F(n, 144) for name, n in seen.items()}


@pytest.mark.rule("FBN-096", "FBN-097")
@pytest.mark.parametrize(("facts", "firer_ds", "skill"), [({"ds": 5}, 3, 1), ({"ds": 4, "cv": 3, "cs": 1}, 5, -1)])
def test_an_exchange_by_two_dice(facts: dict[str, Any], firer_ds: int, skill: int) -> None:
    seen: Counter[tuple[str, str]] = Counter()
    for one, other in product(D12, D12):
        target = shot(one, need(facts))
        seen[target, shot(other, firer_ds - skill) if target == "hit" else "miss"] += 1
    found = ask("exchange", **facts, firer_ds=firer_ds, target_cs=skill)
    assert {(o.target, o.firer): p for o, p in found.outcomes.items()} == {key: F(n, 144) for key, n in seen.items()}
    answer = ask("counter_attack", cs=skill, ds=firer_ds)
    expected = Counter(shot(score, firer_ds - skill) for score in D12)
    assert {o.result: p for o, p in answer.outcomes.items()} == {name: F(n, 12) for name, n in expected.items()}


FIGHTS: list[tuple[dict[str, Any], int, int, bool, bool, bool]] = [
    ({"attacker_cs": 2, "defender_cs": -1, "attacker_weapon": True}, 2, -1, True, False, False),
    ({"attacker_cs": 1, "trench": True, "defender_cover": True, "defender_weapon": True}, 0, 1, False, True, False),
    ({"doorway": True, "defender_cs": 1, "attacker_rider": True}, 1, 3, False, False, False),
    ({"attacker_rear": True, "defender_square": True, "defender_uphill": True}, -1, 2, False, False, False),
    ({"defender_harmless": True, "attacker_cover": True, "attacker_chest": True}, 0, 0, False, False, True),
]


def worked_by_hand(attacker: int, defender: int, own: bool, foe: bool, harmless: bool) -> Counter[tuple[str, str]]:
    """Count one blow over all faces of two dice a side; `own` and `foe` keep the better of two dice."""
    seen: Counter[tuple[str, str]] = Counter()
    for a, b, c, d in product(D6, D6, D6, D6):
        gap = (max(a, b) if own else a) + attacker - (max(c, d) if foe else c) - defender
        name = "critical" if abs(gap) >= 5 else "wound" if abs(gap) >= 2 else "capture" if gap else "miss"
        loser = "defender" if gap > 0 else "attacker"
        if name == "miss" or (harmless and loser == "attacker"):
            name, loser = "miss", ""
        seen[name, loser] += 1
    return seen


@pytest.mark.rule("FBN-104", "FBN-113", "FBN-115", "FBN-116", "FBN-118", "FBN-119", "FBN-121", "FBN-256")
@pytest.mark.parametrize(("facts", "attacker", "defender", "own", "foe", "harmless"), FIGHTS)
def test_blows_by_all_faces(
    facts: dict[str, Any], attacker: int, defender: int, own: bool, foe: bool, harmless: bool
) -> None:
    seen = worked_by_hand(attacker, defender, own, foe, harmless)
    one = {key: F(n, 6**4) for key, n in seen.items()}
    found = ask("close_combat", **facts)
    assert {(o.result, o.loser): p for o, p in found.outcomes.items()} == one
    still = one.get(("miss", ""), F(0))
    three = ask("close_combat", **facts, blows=3)
    for key, p in one.items():
        expected = still**3 if key == ("miss", "") else p * (1 + still + still**2)
        assert three.probability(has(result=key[0], loser=key[1])) == expected


@pytest.mark.rule("FBN-036", "FBN-163", "FBN-239", "FBN-254")
def test_checks_panic_noticing_and_doors() -> None:
    for gl in (5, 6):
        assert ask("glory_check", printed=4, gl=gl).probability(has(gl=gl - 1)) == F(7 - gl, 6)
    assert ask("glory_check", printed=5, gl=5).probability(lambda o: o.gl == 5) == 1
    columns = {
        "regular": ["flee", "onwards", "onwards", "prone", "take_cover", "berserk"],
        "elite": ["flee", "prone", "prone", "take_cover", "take_cover", "berserk"],
    }
    for column, rows in columns.items():
        pairs = Counter(tuple(sorted(pair)) for pair in product(rows, rows))
        found = ask("panic", column=column, men=2)
        for pair, n in pairs.items():
            told = Counter(pair)
            assert found.probability(has(**told)) == F(n, 36)
    assert ask("night_notice", gl=5, features=3).probability(lambda o: not o.fell) == F(1, 3) ** 3
    for cs, least in ((-1, 5), (0, 4), (2, 2), (5, 2)):
        fails = F(least - 1, 12)
        assert ask("door", cs=cs, attempts=2).probability(lambda o: not o.opened) == fails**2
    assert ask("door", {"bash_die": "d6"}, cs=0).probability(lambda o: o.opened) == F(3, 6)


@pytest.mark.rule("FBN-219", "FBN-220", "FBN-221")
@pytest.mark.parametrize(
    ("ammunition", "critical"), [("shot", False), ("shot", True), ("shell", False), ("shell", True)]
)
def test_deviation_is_a_die_and_a_clock(ammunition: str, critical: bool) -> None:
    found = ask("deviation", ammunition=ammunition, critical=critical)
    faces, plus = (
        (3, 0) if ammunition == "shell" and not critical else (6, 3 if ammunition == "shot" and critical else 0)
    )
    expected = {(plus + inches, hour): F(1, 12 * faces) for inches in range(1, faces + 1) for hour in D12}
    assert {(o.inches, o.hour): p for o, p in found.outcomes.items()} == expected


@pytest.mark.rule("FBN-247", "FBN-248", "FBN-249")
@pytest.mark.parametrize(
    ("material", "sections", "lost", "damage", "cv"), [("stone_building", 1, 0, 1, 4), ("wooden_building", 2, 3, 2, 3)]
)
def test_a_wall_is_worn_down_shot_by_shot(material: str, sections: int, lost: int, damage: int, cv: int) -> None:
    points, wanted, fired = cv - 1 + 2 * sections - lost, cv + 1, 4
    states: dict[tuple[int, int], F] = {(points, 0): F(1)}
    for _ in range(fired):
        following: dict[tuple[int, int], F] = {}
        for (left, inside), p in states.items():
            for score in D12 if left else [0]:
                result = shot(score, wanted) if left else "miss"
                key = (left if result == "miss" else max(0, left - damage), inside + (result == "critical"))
                following[key] = following.get(key, F(0)) + p / (12 if left else 1)
        states = following
    found = ask(
        "building", material=material, sections=sections, lost=lost, damage=damage, shots=fired, band="long", cs=0
    )
    assert {(o.points, o.pierced): p for o, p in found.outcomes.items()} == states


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
def test_a_formula_gives_the_same_odds_as_play(name: str, facts: dict[str, Any], settings: dict[str, Any]) -> None:
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
def test_odds_include_a_house_rule_for_each_procedure_that_they_run(
    name: str, facts: dict[str, Any], wrapped: str
) -> None:
    rules = rules_with()
    without = (lambda *_, **__: ("miss", "")) if wrapped == "close_combat.result" else never
    changed = replace(rules, wraps={wrapped: without})
    asked = rules.ruleset.procedure(name)
    said = asked.facts(**facts)
    assert odds(changed, asked, said).outcomes != odds(rules, asked, said).outcomes
    assert len(odds(changed, asked, said).outcomes) < len(odds(rules, asked, said).outcomes)


def losses_of(unit: str) -> Any:
    return lambda battle, _: sum(casualty.unit == unit for casualty in battle.fallen)


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


def test_odds_report_the_wound_of_a_leader_hit_by_return_fire() -> None:
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

    fire = SmallBattle(state, [shoot], lambda _, found: tuple(found), answer=answer, kept_events={"located"})
    hits = replace(rules_with(), wraps={"fire.to_hit": lambda run, table, *a: 1})
    assert {len(found) for found in odds(hits, hits.ruleset.procedure(procedure), fire).outcomes} == {0, 1}


@pytest.mark.rule("FBN-215", "FBN-220", "FBN-088")
@pytest.mark.setting("natural_12_hits")
def test_a_gun_may_miss_on_a_twelve_without_natural_12_hits() -> None:
    for setting, critical, miss in ((True, F(1, 12), F(10, 12)), (False, F(0), F(11, 12))):
        found = ask("gun_aim", {"natural_12_hits": setting}, ds=9, cv=4)
        assert found.probability(lambda o: o.result == "critical") == critical
        assert found.probability(lambda o: o.result == "miss") == miss
        assert found.probability(lambda o: o.result == "critical miss") == F(1, 12)


def chance(wanted: int) -> F:
    """Return the probability that a D12 reaches a number; 1 always misses and 12 always hits."""
    return F(sum(score == 12 or (score > 1 and score >= wanted) for score in D12), 12)


@pytest.mark.rule("FBN-096", "FBN-097", "FBN-130")
def test_return_fire_ignores_cover_and_range() -> None:
    plain = ask("exchange", ds=4, firer_ds=5, target_cs=1)
    far = ask("exchange", ds=4, band="long", cv=2, firer_ds=5, target_cs=1)
    for found in (plain, far):
        hit = found.probability(lambda o: o.target == "hit")
        assert found.probability(lambda o: o.target == "hit" and o.firer != "miss") == hit * chance(4)
