"""The odds equal an independent calculation, to the exact fraction, and run on to the end of the phase."""

from __future__ import annotations

from fractions import Fraction as F
from functools import cache, partial
from math import ceil
from operator import eq, gt, lt
from typing import Any

import icepool  # type: ignore[import-untyped]  # the library has no types
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from tests.rulesets.vcc import reference as by_hand
from tests.rulesets.vcc.battlefields import ask_odds, battlefield, blue, red
from tests.rulesets.vcc.reference import Victim, joint, then

from zareba.chance import SUM
from zareba.registry import load_rules
from zareba.scenario import load_scenario
from zareba.table import Choose, Roll
from zareba.table.questions import Step
from zareba_rulesets.vcc.forces import Contact
from zareba_rulesets.vcc.game import VccGame

QUALITY = {"elite": 1, "ordinary": 0, "raw": -1}


COVER = {"none": F(1), "soft": F(1, 2), "hard": F(1, 4)}


def fire_dice(facts: dict[str, Any], leader_fires: bool = True, square_fire: str = "full") -> int:
    """Return the fire dice of Table 3, computed independently."""
    n: F = F(facts["bases"] + (facts.get("leader", False) and leader_fires))
    n += facts.get("target_mounted", False) + QUALITY[facts.get("quality", "ordinary")]
    n *= {"close": F(2), "medium": F(1), "long": F(1, 2)}[facts.get("band", "medium")]
    for halving in ("moved", "prone", "target_prone"):
        n *= F(1, 2) if facts.get(halving) else 1
    n *= COVER[facts.get("cover", "none")]
    n *= F(1, 2) if facts.get("square") and square_fire == "half" else 1
    return max(1, ceil(n))


def melee_dice(facts: dict[str, Any]) -> int:
    """Return the melee dice of Table 4, computed independently."""
    n = F(facts["bases"] + facts.get("leader", False) + facts.get("charging", False))
    n += QUALITY[facts.get("quality", "ordinary")]
    n *= 2 if facts.get("flank") else 1
    n *= 2 if facts.get("lancers") and facts.get("enemy_broken") else 1
    n *= F(1, 2) if facts.get("supporting") else 1
    n *= F(1, 2) if facts.get("mounted") and facts.get("enemy_dervish_foot") and not facts.get("flank") else 1
    n *= F(1, 2) if facts.get("broken") else 1
    n *= F(1, 2) if facts.get("uphill") else 1
    n *= COVER[facts.get("cover", "none")]
    return max(1, ceil(n))


# --- pools ------------------------------------------------------------------------------------------------------------
POOLS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"bases": 3, "leader": True, "band": "close", "moved": True}, {}),
    ({"bases": 4, "leader": True, "quality": "raw", "cover": "soft"}, {"fire_includes_leader_base": False}),
    ({"bases": 6, "leader": True, "band": "close", "cover": "hard", "square": True}, {"square_fire": "half"}),
    ({"bases": 7, "leader": True, "fire_die": 3, "moved": True}, {}),
    ({"bases": 7, "leader": True, "fire_die": 3, "moved": True}, {"d3_method": "half_total"}),
    ({"bases": 4, "fire_die": 3, "target_mounted": True}, {"d3_method": "half_total"}),
    ({"bases": 2, "leader": True, "quality": "elite", "prone": True, "target_prone": True, "band": "long"}, {}),
]


@pytest.mark.rule("VCC-077", "VCC-078", "VCC-014", "VCC-063", "VCC-075")
@pytest.mark.parametrize(("facts", "settings"), POOLS)
def test_fire_pools(facts: dict[str, Any], settings: dict[str, Any]) -> None:
    dice = fire_dice(facts, settings.get("fire_includes_leader_base", True), settings.get("square_fire", "full"))
    expected = by_hand.pool(dice, facts.get("fire_die", 6), settings.get("d3_method", "d3"))
    found = ask_odds("fire_pool", facts, **settings)
    assert {(roll.hits, roll.highest_face): p for roll, p in found.outcomes.items()} == expected


@pytest.mark.rule("VCC-012", "VCC-080")
@pytest.mark.parametrize(("dice", "die"), [(1, 6), (5, 6), (11, 6), (6, 3)])
def test_the_sum_of_a_pool_is_that_of_another_dice_library(dice: int, die: int) -> None:
    found = ask_odds("fire_pool", {"bases": dice, "fire_die": die})
    total = dice @ icepool.d(die)
    sums: dict[int, F] = {}
    for roll, p in found.outcomes.items():
        sums[roll.hits] = sums.get(roll.hits, F(0)) + p
    assert sums == {hits: F(total.probability(hits)) for hits in total.outcomes()}


qualities = st.sampled_from(["elite", "ordinary", "raw"])


covers = st.sampled_from(["none", "soft", "hard"])


@pytest.mark.rule("VCC-077", "VCC-079", "VCC-083", "VCC-092")
@hypothesis_settings(max_examples=60)
@given(
    st.fixed_dictionaries(
        {
            "bases": st.integers(1, 12),
            "leader": st.booleans(),
            "quality": qualities,
            "band": st.sampled_from(["close", "medium", "long"]),
            "moved": st.booleans(),
            "prone": st.booleans(),
            "square": st.booleans(),
            "target_mounted": st.booleans(),
            "target_prone": st.booleans(),
            "cover": covers,
        }
    )
)
def test_any_fire_pool_has_the_dice_of_table_3(facts: dict[str, Any]) -> None:
    found = ask_odds("fire_pool", facts)
    assert found.mean(lambda roll: roll.hits) == F(7, 2) * fire_dice(facts)


@pytest.mark.rule("VCC-118", "VCC-119", "VCC-126", "VCC-131")
@hypothesis_settings(max_examples=60)
@given(
    st.fixed_dictionaries(
        {
            "bases": st.integers(1, 12),
            "leader": st.booleans(),
            "quality": qualities,
            "cover": covers,
            **{
                name: st.booleans()
                for name in (
                    "charging",
                    "flank",
                    "lancers",
                    "enemy_broken",
                    "supporting",
                    "mounted",
                    "enemy_dervish_foot",
                    "broken",
                    "uphill",
                )
            },
        }
    )
)
def test_any_melee_pool_has_the_dice_of_table_4(facts: dict[str, Any]) -> None:
    found = ask_odds("melee_roll", facts)
    assert found.mean(lambda roll: roll.hits) == F(7, 2) * melee_dice(facts)


# --- shots and their consequences -------------------------------------------------------------------------------------
def shot_by_hand(facts: dict[str, Any], settings: dict[str, Any]) -> dict[tuple[int, int, str, str], F]:
    """Return (bases after fire, bases at the end, leader, result) of a shot, its leader check and its morale check."""
    per_base = settings.get("hits_per_base", 6)
    had_leader = facts.get("target_leader", True)
    victim = Victim(
        facts.get("target_bases", 5),
        had_leader,
        facts.get("target_hits", 0),
        facts.get("target_wounds", 0),
        facts.get("target_jest", False),
        commander=facts.get("commander_wounds", 0) if facts.get("commander_attached") else None,
    )
    dice = fire_dice(facts, settings.get("fire_includes_leader_base", True), settings.get("square_fire", "full"))
    modifier = QUALITY[facts.get("target_quality", "ordinary")]
    in_square = facts.get("target_square", False)
    modifier += in_square and facts.get("target_regular", False)
    if settings.get("flanked_by") == "melee_and_fire" and facts.get("flank_shot") and not in_square:
        modifier -= 2
    if facts.get("rocketed"):
        modifier -= 2 if facts.get("target_mounted") else 1

    def after_hits(roll: tuple[int, bool]) -> dict[Victim, F]:
        hits, top = roll
        now = by_hand.struck(victim, hits, per_base)
        someone = now.strength and (now.leader or now.commander is not None)
        bands = list(facts.get("checks_due", ()))
        if someone and by_hand.due(hits, top, settings.get("leader_hit_trigger", "max_face")):
            bands.append(facts.get("band", "medium"))
        check = partial(
            by_hand.leader_check,
            removes_base=settings.get("leader_death_removes_base", True),
            commander_at_risk=settings.get("commander_at_risk", "attached_unit") == "attached_unit",
        )
        found = {now: F(1)}
        for band in bands:
            found = then(found, partial(check, band=band))
        return found

    def checked(now: Victim) -> dict[tuple[int, int, str, str], F]:
        due = now.lost or facts.get("rocketed", False) or facts.get("target_lost_base", False)
        if settings.get("morale_trigger") == "base_lost" and not due and now.strength:
            return {(now.strength, now.strength, by_hand.leader_state(now, had_leader), "no check"): F(1)}
        helped = 2 * (
            now.commander is not None or (facts.get("commander", False) and not facts.get("commander_attached"))
        )
        behind = facts.get("room_behind", 2), facts.get("edge_behind", False)
        results = by_hand.morale(now, modifier + helped, per_base, *behind)
        found: dict[tuple[int, int, str, str], F] = {}
        for (result, left), p in results.items():
            key = (now.strength, left.strength, by_hand.leader_state(left, had_leader), result)
            found[key] = found.get(key, F(0)) + p
        return found

    rolls = by_hand.pool(dice, facts.get("fire_die", 6), settings.get("d3_method", "d3"))
    return then(then(rolls, after_hits), checked)


SHOTS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"bases": 3, "leader": True, "target_bases": 4}, {}),
    ({"bases": 3, "leader": True, "target_bases": 4}, {"leader_hit_trigger": "five_hits"}),
    ({"bases": 1, "band": "close", "target_bases": 2}, {"leader_hit_trigger": "either"}),
    ({"bases": 2, "leader": True, "band": "close", "target_bases": 3, "target_hits": 2}, {"hits_per_base": 3}),
    ({"bases": 3, "leader": True, "band": "close", "target_bases": 3, "target_hits": 9}, {"hits_per_base": 12}),
    (
        {"bases": 4, "leader": True, "band": "close", "target_bases": 2, "target_wounds": 2},
        {"leader_death_removes_base": False},
    ),
    (
        {"bases": 2, "leader": True, "band": "close", "target_bases": 1, "target_wounds": 2},
        {"leader_death_removes_base": True},
    ),
    ({"bases": 2, "leader": True, "target_bases": 3, "target_hits": 1}, {"morale_trigger": "base_lost"}),
    (
        {"bases": 2, "leader": True, "band": "close", "target_bases": 3, "flank_shot": True},
        {"flanked_by": "melee_and_fire"},
    ),
    ({"bases": 2, "leader": True, "band": "close", "target_bases": 3, "flank_shot": True}, {"flanked_by": "melee"}),
    (
        {
            "bases": 2,
            "leader": True,
            "target_bases": 2,
            "flank_shot": True,
            "target_square": True,
            "target_regular": True,
        },
        {"flanked_by": "melee_and_fire"},
    ),
    ({"bases": 3, "band": "close", "target_bases": 2, "commander": True, "commander_attached": True}, {}),
    (
        {"bases": 3, "band": "close", "target_bases": 2, "commander": True, "commander_attached": True},
        {"commander_at_risk": "never"},
    ),
    ({"bases": 2, "band": "long", "target_bases": 1, "target_leader": False, "commander_attached": True}, {}),
    ({"bases": 3, "band": "close", "target_bases": 2, "commander_attached": True, "commander_wounds": 2}, {}),
    ({"bases": 2, "target_bases": 3, "checks_due": ("long", "close"), "target_wounds": 1}, {}),
    ({"bases": 2, "target_bases": 2, "checks_due": ("close",), "commander_attached": True}, {}),
    ({"bases": 3, "target_bases": 1, "target_hits": 5, "room_behind": 1}, {}),
    ({"bases": 3, "target_bases": 1, "target_hits": 5, "room_behind": 0}, {}),
    ({"bases": 3, "target_bases": 1, "room_behind": 1, "edge_behind": True, "commander_attached": True}, {}),
    ({"bases": 3, "target_bases": 1, "room_behind": 0, "edge_behind": True}, {"hits_per_base": 4}),
    ({"bases": 2, "target_bases": 3, "rocketed": True}, {"morale_trigger": "base_lost"}),
    ({"bases": 1, "leader": False, "target_bases": 3, "target_lost_base": True}, {"morale_trigger": "base_lost"}),
    ({"bases": 2, "target_bases": 3, "target_mounted": True, "rocketed": True}, {}),
    (
        {"bases": 5, "leader": True, "fire_die": 3, "target_bases": 2, "target_quality": "raw"},
        {"d3_method": "half_total"},
    ),
    ({"bases": 4, "leader": True, "square": True, "target_bases": 3, "target_jest": True}, {"square_fire": "half"}),
    ({"bases": 2, "leader": True, "target_bases": 3, "target_quality": "elite"}, {"fire_includes_leader_base": False}),
]


@pytest.mark.rule("VCC-105", "VCC-107", "VCC-109", "VCC-116", "VCC-139", "VCC-148", "VCC-163")
@pytest.mark.parametrize(("facts", "settings"), SHOTS)
def test_a_shot_with_its_checks(facts: dict[str, Any], settings: dict[str, Any]) -> None:
    found = ask_odds("fire_step", facts, **settings)
    outcomes = {(o.bases_after_fire, o.bases, o.leader, o.result): p for o, p in found.outcomes.items()}
    assert outcomes == shot_by_hand(facts, settings)
    assert sum(outcomes.values()) == 1


# --- melee ------------------------------------------------------------------------------------------------------------
def melee_by_hand(facts: dict[str, Any], settings: dict[str, Any]) -> dict[tuple[Any, ...], F]:
    """Return the distribution (bases, leader, result) of the charger and of the charged unit."""
    per_base = settings.get("hits_per_base", 6)
    rule = settings.get("melee_morale", "hit_units")
    leaders = {side: facts.get(f"{side}_leader", True) for side in "ab"}
    flank = facts.get("flank", False) and not facts.get("b_square", False)

    def dice(side: str, enemy: str) -> int:
        own = {
            "bases": facts[f"{side}_bases"],
            "leader": leaders[side],
            "quality": facts.get(f"{side}_quality", "ordinary"),
            "lancers": facts.get(f"{side}_lancers", False),
            "mounted": facts.get(f"{side}_troop", "foot") == "mounted",
            "enemy_broken": facts.get(f"{enemy}_broken", False),
            "enemy_dervish_foot": facts.get(f"{enemy}_dervish_foot", False),
            "broken": facts.get(f"{side}_broken", False),
        }
        if side == "a":
            own |= {
                "charging": facts.get("charging", True),
                "flank": flank,
                "uphill": facts.get("uphill", False),
                "cover": facts.get("cover", "none"),
            }
        return melee_dice(own)

    @cache
    def after(side: str, roll: tuple[int, bool]) -> dict[Victim, F]:
        hits, top = roll
        attached = facts.get(f"{side}_commander_attached", False)
        before = Victim(
            facts[f"{side}_bases"],
            leaders[side],
            facts.get(f"{side}_hits", 0),
            facts.get(f"{side}_wounds", 0),
            facts.get(f"{side}_jest", False),
            commander=facts.get(f"{side}_commander_wounds", 0) if attached else None,
        )
        now = by_hand.struck(before, hits, per_base)
        trigger = settings.get("leader_hit_trigger", "max_face")
        someone = now.leader or now.commander is not None
        if someone and now.strength and by_hand.due(hits, top, trigger):
            return by_hand.leader_check(now, "close", settings.get("leader_death_removes_base", True))
        return {now: F(1)}

    @cache
    def checked(side: str, now: Victim, is_due: bool) -> dict[tuple[int, str, str], F]:
        if now.strength and not is_due:
            return {(now.strength, by_hand.leader_state(now, leaders[side]), "no check"): F(1)}
        attached = facts.get(f"{side}_commander_attached", False)
        helped = now.commander is not None if attached else facts.get(f"{side}_commander", False)
        modifier = QUALITY[facts.get(f"{side}_quality", "ordinary")] + 2 * helped
        taken = facts.get(f"{side}_flanked", False) or (side == "b" and facts.get("flank", False))
        modifier -= 2 if taken and not (side == "b" and facts.get("b_square", False)) else 0
        if side == "b":
            modifier += facts.get("b_square", False) and facts.get("b_regular", False)
        found: dict[tuple[int, str, str], F] = {}
        behind = facts.get(f"{side}_room_behind", 2), facts.get(f"{side}_edge_behind", False)
        for (result, left), p in by_hand.morale(now, modifier, per_base, *behind).items():
            key = (left.strength, by_hand.leader_state(left, leaders[side]), result)
            found[key] = found.get(key, F(0)) + p
        return found

    method = settings.get("d3_method", "d3")
    of_a = by_hand.pool(dice("a", "b"), facts.get("a_melee_die", 6), method)
    of_b = by_hand.pool(dice("b", "a"), facts.get("b_melee_die", 6), method)

    # The sides are independent, except that under `loser_only` the checks depend on which side took more hits.
    def ends(side: str, rolls: dict[tuple[int, bool], F], is_due: bool) -> dict[int, dict[tuple[int, str, str], F]]:
        """Return the outcomes of each number of hits that a side takes; 0 stands for all if they are not compared."""
        struck: dict[int, dict[Victim, F]] = {}
        for roll, p in rolls.items():
            left = struck.setdefault(roll[0] if rule == "loser_only" else 0, {})
            for victim, q in after(side, roll).items():
                left[victim] = left.get(victim, F(0)) + p * q
        return {hits: then(left, lambda now: checked(side, now, is_due)) for hits, left in struck.items()}

    found: dict[tuple[Any, ...], F] = {}
    for compare in (lt, eq, gt):
        of_a_after = ends("a", of_b, rule != "loser_only" or compare is not gt)
        of_b_after = ends("b", of_a, rule != "loser_only" or compare is not lt)
        for by_b, a_left in of_a_after.items():
            for by_a in [by_a for by_a in of_b_after if compare(by_a, by_b)]:
                for (left, right), p in joint(a_left, of_b_after[by_a]).items():
                    found[*left, *right] = found.get((*left, *right), F(0)) + p
    return found


FIGHTS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"a_bases": 2, "b_bases": 1}, {}),
    ({"a_bases": 1, "a_leader": False, "b_bases": 2, "flank": True}, {"melee_morale": "loser_only"}),
    ({"a_bases": 1, "b_bases": 1, "charging": False}, {"melee_morale": "loser_only", "hits_per_base": 4}),
    ({"a_bases": 2, "b_bases": 1, "b_hits": 3}, {"melee_morale": "all_in_contact"}),
    (
        {"a_bases": 2, "b_bases": 2, "flank": True, "b_square": True, "b_regular": True},
        {"leader_hit_trigger": "five_hits"},
    ),
    ({"a_bases": 2, "b_bases": 4, "b_leader": False, "b_melee_die": 3, "b_quality": "elite"}, {}),
    ({"a_bases": 2, "b_bases": 4, "b_leader": False, "b_melee_die": 3}, {"d3_method": "half_total"}),
    ({"a_bases": 2, "b_bases": 2, "b_broken": True, "a_lancers": True, "a_troop": "mounted", "flank": True}, {}),
    ({"a_bases": 3, "b_bases": 2, "a_troop": "mounted", "b_dervish_foot": True, "uphill": True}, {"hits_per_base": 3}),
    (
        {"a_bases": 2, "b_bases": 2, "cover": "hard", "b_commander": True, "b_wounds": 2},
        {"leader_death_removes_base": False},
    ),
    ({"a_bases": 2, "b_bases": 1, "a_room_behind": 0, "b_room_behind": 1, "b_edge_behind": True}, {}),
    (
        {"a_bases": 1, "b_bases": 1, "a_leader": False, "a_room_behind": 0, "a_edge_behind": True, "b_room_behind": 0},
        {"melee_morale": "all_in_contact"},
    ),
    ({"a_bases": 3, "b_bases": 3, "a_jest": True, "b_commander_attached": True, "b_commander_wounds": 2}, {}),
    ({"a_bases": 2, "b_bases": 2, "a_flanked": True, "b_flanked": True}, {}),
    ({"a_bases": 2, "b_bases": 2, "b_flanked": True, "flank": True}, {}),
    ({"a_bases": 1, "b_bases": 2, "b_flanked": True, "b_square": True}, {}),
    ({"a_bases": 2, "b_bases": 2, "b_jest": True, "a_commander_attached": True, "a_leader": False}, {}),
]


@pytest.mark.rule("VCC-108")
def test_a_unit_without_bases_is_destroyed_and_checks_nothing() -> None:
    found = ask_odds("morale", {"bases": 0, "leader": False})
    assert {(o.result, o.bases): p for o, p in found.outcomes.items()} == {("destroyed", 0): 1}


@pytest.mark.rule("VCC-134", "VCC-136", "VCC-110", "VCC-147")
@pytest.mark.parametrize(("facts", "settings"), FIGHTS)
def test_a_melee_with_its_checks(facts: dict[str, Any], settings: dict[str, Any]) -> None:
    found = ask_odds("melee", facts, **settings)
    outcomes = {
        (o.a_bases, o.a_leader, o.a_result, o.b_bases, o.b_leader, o.b_result): p for o, p in found.outcomes.items()
    }
    assert outcomes == melee_by_hand(facts, settings)


# --- rallies, rockets, overheating ------------------------------------------------------------------------------------
@pytest.mark.rule("VCC-160")
@pytest.mark.setting("rally_method")
@hypothesis_settings(max_examples=40)
@given(st.integers(0, 6), st.booleans(), qualities, st.booleans(), st.booleans())
def test_rallies(bases: int, leader: bool, quality: str, commander: bool, jest: bool) -> None:
    facts = {"bases": bases, "leader": leader, "quality": quality, "commander": commander, "jest": jest}
    number = bases + leader + QUALITY[quality] + 2 * commander + jest
    by_morale = ask_odds("rally", facts).probability(lambda outcome: outcome.rallied)
    assert by_morale == F(max(0, min(6, number)), 6)
    assert ask_odds("rally", facts, rally_method="four_plus").probability(lambda outcome: outcome.rallied) == F(1, 2)


@pytest.mark.rule("VCC-098", "VCC-099")
@pytest.mark.setting("rocket_drift")
@pytest.mark.parametrize("flight", ["N", "SE"])
def test_rockets_land_where_the_compass_and_the_distance_say(flight: str) -> None:
    ways = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]
    onward = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"].index(flight)
    expected: dict[tuple[int | None, int | None], F] = {(3, 2): F(1, 3)}
    for eighths in range(8):
        east, north = ways[(onward + eighths) % 8]
        for distance in range(1, 7):
            x, y = 3 + east * distance, 2 + north * distance
            there = (x, y) if 0 <= x < 9 and 0 <= y < 5 else (None, None)
            expected[there] = expected.get(there, F(0)) + F(2, 3) * F(1, 48)
    facts = {"columns": 9, "rows": 5, "column": 3, "row": 2, "flight": flight}
    found = ask_odds("rocket", facts)
    assert {(o.column, o.row): p for o, p in found.outcomes.items()} == expected
    lost = ask_odds("rocket", facts, rocket_drift="off")
    assert {(o.column, o.row): p for o, p in lost.outcomes.items()} == {(3, 2): F(1, 3), (None, None): F(2, 3)}


@pytest.mark.rule("VCC-103", "VCC-104")
@pytest.mark.parametrize(("turns", "rest"), [(3, True), (4, False), (5, True)])
def test_overheating_turn_by_turn(turns: int, rest: bool) -> None:
    State = tuple[int, bool, bool]  # consecutive turns of fire, overheated, broken

    def turn(state: State) -> dict[State, F]:
        streak, hot, broken = state
        if broken:
            return {state: F(1)}
        if hot and rest:
            return {(0, False, False): F(1)}
        streak += 1
        fails = F(min(streak, 6), 6) if streak >= 2 else F(0)
        outcomes = {(streak, hot, False): 1 - fails, (streak, True, hot): fails}
        return {reached: p for reached, p in outcomes.items() if p}

    expected: dict[State, F] = {(0, False, False): F(1)}
    for _ in range(turns):
        expected = then(expected, turn)
    states: dict[str, F] = {}
    for (_, hot, broken), p in expected.items():
        name = "broken" if broken else "overheated" if hot else "cool"
        states[name] = states.get(name, F(0)) + p
    found: dict[str, F] = {}
    for outcome, p in ask_odds("overheating", {"turns": turns, "rest": rest}).outcomes.items():
        found[outcome.state] = found.get(outcome.state, F(0)) + p
    assert found == states


@pytest.mark.parametrize(("turn", "phase", "belongs"), [(1, 0, True), (1, 1, False), (2, 0, False)])
def test_leader_checks_and_morale_belong_to_the_fire_of_their_own_phase(turn: int, phase: int, belongs: bool) -> None:
    game = load_rules("vcc").game(load_scenario("patrol_clash"))
    assert isinstance(game, VccGame)
    fires = [name for name in game.policy.phases if name.endswith("fire") or "small_arms" in name]
    before = game.start()
    before.turn, before.phase = 1, fires[0]
    after = before.copy()
    after.turn, after.phase = turn, fires[phase]
    for name in ("fire.shots", "fire.leaders", "fire.morale"):
        assert game.odds_horizon.includes(before, after, Step(name, turn, "patrol")) is belongs
    assert not game.odds_horizon.includes(before, before, Step("move.units", 1, "patrol"))


@pytest.mark.rule("VCC-034", "VCC-050", "VCC-134")
def test_odds_of_a_charge_include_its_melee_and_morale() -> None:
    scene = battlefield(red("Rifles", "D3"), blue("Spears", "D4", bases=3), red("Far", "A1"), blue("Other", "G7"))
    game = load_rules("vcc").game(load_scenario("patrol_clash"))
    assert isinstance(game, VccGame)
    before = scene.battle
    before.turn, before.phase = 1, "native_moves"
    after = before.copy()
    assert not game.odds_horizon.includes(before, after, Step("fire.shots", 1, "red")), "it has only moved"
    after.contacts = [Contact("Spears", "Rifles", False, False, "none", 1)]
    after.phase = "british_fire"
    for name in ("move.units", "fire.shots", "fire.morale", "melee.fight", "melee.morale"):
        assert game.odds_horizon.includes(before, after, Step(name, 1, "red"))
    assert not game.odds_horizon.includes(before, after, Step("end.turn", 1, "red"))
    after.contacts, after.taken = [], {"Rifles": 2}
    assert game.odds_horizon.includes(before, after, Step("melee.morale", 1, "red")), (
        "who has fled is in contact no more"
    )
    after.turn = 2
    assert not game.odds_horizon.includes(before, after, Step("fire.shots", 2, "red"))
    for why, waits in (("fire with", True), ("move with", True), ("fight", False), ("retreat to", False)):
        assert game.odds_horizon.assumes_pass(Choose(why, "VCC-038", "red", "red", ("a", "done"), ())) is waits


@pytest.mark.rule("VCC-134", "VCC-160")
def test_odds_of_a_charge_leave_out_other_melees() -> None:
    scene = battlefield(red("Rifles", "D3"), blue("Spears", "D4"), red("Far", "A1"), blue("Other", "A1"))
    game = load_rules("vcc").game(load_scenario("patrol_clash"))
    before, after = scene.battle, scene.battle.copy()
    after.move(after.unit("Spears"), scene.box("D3"))
    after.contacts = [Contact("Spears", "Rifles", False, False, "none", 1)]

    def settled(why: str, actor: str) -> object:
        return game.odds_horizon.neutral_answer(before, after, Roll(why, "VCC-118", actor, 1, 6, SUM))

    assert settled("melee", "Far") == (0, False)
    assert settled("melee", "Rifles") is settled("melee", "Spears") is settled("rally", "Rifles") is None
    assert settled("rally", "Other") == 99, "more than any total"
    assert settled("morale", "Far") == 0 and settled("morale", "Spears") is None
