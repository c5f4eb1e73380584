"""The odds of shooting and melee equal an independent count of all throws, with the tables copied here."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction as F
from functools import cache
from itertools import combinations, permutations, product
from typing import Any

import pytest
from tests.rulesets.risk_factor.battlefields import rules_with

from zareba.base.errors import ZarebaError
from zareba.odds import odds
from zareba_rulesets.risk_factor.odds import PROCEDURES

TO_HIT = {
    ("short", "open"): 2, ("short", "soft"): 4, ("short", "hard"): 6,
    ("medium", "open"): 4, ("medium", "soft"): 6, ("medium", "hard"): 7,
    ("long", "open"): 6, ("long", "soft"): 7, ("long", "hard"): 8,
}  # fmt: skip
DAMAGE = {"gunpowder": "ggwwkk", "bow_spear": "ggwwwk", "other": "gggwwk"}
KIND = {"rifle": "gunpowder", "musket": "gunpowder", "pistol": "gunpowder", "bow": "bow_spear", "spear": "bow_spear",
        "sling": "other", "hatchet": "other", "rocks": "other"}  # fmt: skip
CLASS = {"raw": -1, "veteran": 0, "hero": 1}


def ask(procedure: str, settings: dict[str, Any] | None = None, **facts: Any) -> dict[Any, F]:
    rules = rules_with(**(settings or {}))
    found = odds(rules, PROCEDURES[procedure], PROCEDURES[procedure].facts(**facts))
    assert found.method == "exact"
    return dict(found.outcomes)


def one_shot(weapon: str, troop_class: str, band: str, cover: str) -> dict[str, F]:
    """Return the distribution of one shot: every D8 with every D6."""
    found: Counter[str] = Counter()
    for hit, die in product(range(1, 9), range(1, 7)):
        does = DAMAGE[KIND[weapon]][min(6, max(1, die + CLASS[troop_class])) - 1]
        found["m" if hit < TO_HIT[band, cover] else does] += 1
    return {does: F(count, 48) for does, count in found.items()}


@pytest.mark.rule("RSK-087", "RSK-098", "RSK-100", "RSK-101", "RSK-102", "RSK-103", "RSK-111")
@pytest.mark.parametrize("weapon", sorted(KIND))
@pytest.mark.parametrize("troop_class", sorted(CLASS))
def test_a_shot_at_one_man(weapon: str, troop_class: str) -> None:
    words = {"m": "miss", "g": "graze", "w": "wound", "k": "kill"}
    for band, cover in TO_HIT:
        for wounded in (False, True):
            expected: defaultdict[str, F] = defaultdict(F)
            for does, p in one_shot(weapon, troop_class, band, cover).items():
                expected["kill" if does == "w" and wounded else words[does]] += p
            found = ask("single_shot", weapon=weapon, troop_class=troop_class, band=band, cover=cover, wounded=wounded)
            assert {o.effect: p for o, p in found.items()} == expected


def fates(shots: list[dict[str, F]], first: str, fixed: bool) -> dict[tuple[str, ...], F]:
    """Return the losses man by man: each hit on one of the men left, and `fixed` hits on the original men."""
    men: dict[tuple[str, ...], F] = {tuple(first): F(1)}
    for shot in shots:
        after: defaultdict[tuple[str, ...], F] = defaultdict(F)
        for state, p in men.items():
            pool = [i for i, man in enumerate(state) if fixed or man != "d"]
            for does, q in shot.items():
                if does in "mg" or not pool:
                    after[state] += p * q
                    continue
                for i in pool:
                    dies = does == "k" or state[i] in "wd"
                    new = (*state[:i], "d" if dies else "w", *state[i + 1 :])
                    after[new] += p * q / len(pool)
        men = dict(after)
    return men


def volley(shots: list[dict[str, F]], unhurt: int, wounded: int, fixed: bool) -> dict[tuple[int, int], F]:
    """Return the distribution of (killed, wounded and still there)."""
    totals: defaultdict[tuple[int, int], F] = defaultdict(F)
    for state, p in fates(shots, "u" * unhurt + "w" * wounded, fixed).items():
        totals[state.count("d"), state.count("w")] += p
    return dict(totals)


@pytest.mark.rule("RSK-081", "RSK-082", "RSK-083", "RSK-086", "RSK-092", "RSK-093", "RSK-104", "RSK-111")
@pytest.mark.setting("shooting.allocation")
@pytest.mark.setting("shooting.fraction")
@pytest.mark.setting("shooting.hand_hurled")
@pytest.mark.parametrize("allocation", ["sequential", "fixed_pool"])
@pytest.mark.parametrize(
    ("settings", "facts", "shots"),
    [
        ({}, {"shooters": 4, "weapon": "musket", "troop_class": "raw", "band": "short", "cover": "soft"}, 4),
        ({}, {"shooters": 8, "weapon": "rifle", "band": "long", "commanded": False}, 4),
        ({}, {"shooters": 8, "weapon": "bow", "commanded": False, "moved": True, "troop_class": "hero"}, 2),
        ({}, {"shooters": 9, "weapon": "spear", "band": "short", "cover": "hard", "commanded": False}, 3),
        ({}, {"shooters": 1, "weapon": "sling", "commanded": False, "moved": True}, 1),
        ({"shooting_fraction": "up"}, {"shooters": 7, "weapon": "rifle", "commanded": False}, 4),
        ({"shooting_fraction": "down"}, {"shooters": 2, "weapon": "rocks", "band": "short"}, 0),
        ({"shooting_hand_hurled": "multiply"}, {"shooters": 13, "weapon": "hatchet", "commanded": False}, 2),
        ({}, {"weapon": "rifle", "bands": ("short", "short", "long")}, 3),
    ],
)  # fmt: skip
def test_a_volley(allocation: str, settings: dict[str, Any], facts: dict[str, Any], shots: int) -> None:
    bands = facts.get("bands") or (facts.get("band", "medium"),) * shots
    kind, cover = facts.get("troop_class", "veteran"), facts.get("cover", "open")
    expected = volley(
        [one_shot(facts["weapon"], kind, band, cover) for band in bands], 2, 1, allocation == "fixed_pool"
    )
    found = ask("volley", settings | {"shooting_allocation": allocation}, unhurt=2, wounded=1, **facts)
    assert {(o.killed, o.wounded): p for o, p in found.items()} == expected


@pytest.mark.rule("RSK-104", "RSK-105", "RSK-111")
@pytest.mark.parametrize("allocation", ["sequential", "fixed_pool"])
@pytest.mark.parametrize("hurt", [False, True])
@pytest.mark.parametrize(("unhurt", "wounded"), [(2, 1), (0, 0)])
def test_a_volley_at_men_with_their_leader(allocation: str, hurt: bool, unhurt: int, wounded: int) -> None:
    men = "u" * unhurt + "w" * wounded
    shots = [one_shot("rifle", "veteran", "short", "open")] * 3
    expected: defaultdict[tuple[int, int, str], F] = defaultdict(F)
    for (*others, leader), p in fates(shots, men + "uw"[hurt], allocation == "fixed_pool").items():
        fate = {"u": "unhurt", "w": "wounded", "d": "killed"}[leader]
        expected[others.count("d"), others.count("w"), fate] += p
    facts: dict[str, Any] = {"shooters": 3, "band": "short", "unhurt": unhurt, "wounded": wounded}
    found = ask("volley_at_leader", {"shooting_allocation": allocation}, leader_wounded=hurt, **facts)
    assert {(o.killed, o.wounded, o.leader): p for o, p in found.items()} == expected


@pytest.mark.rule("RSK-035", "RSK-087", "RSK-101", "RSK-104")
@pytest.mark.parametrize("allocation", ["sequential", "fixed_pool"])
def test_a_volley_of_men_with_several_arms_and_of_several_classes(allocation: str) -> None:
    """Wounds and kills come in any order with equal probability."""
    mixed = (
        ("rifle", "veteran", "medium"),
        ("rifle", "veteran", "short"),
        ("pistol", "hero", "short"),
        ("bow", "raw", "long"),
    )
    orders = list(permutations([one_shot(weapon, kind, band, "soft") for weapon, kind, band in mixed]))
    expected: defaultdict[tuple[int, int], F] = defaultdict(F)
    for order in orders:
        for fallen, p in volley(list(order), 2, 1, allocation == "fixed_pool").items():
            expected[fallen] += p / len(orders)
    found = ask("volley", {"shooting_allocation": allocation}, cover="soft", unhurt=2, wounded=1, mixed=mixed)
    assert {(o.killed, o.wounded): p for o, p in found.items()} == expected


@pytest.mark.rule("RSK-008")
@pytest.mark.setting("extensions.support_weapons")
def test_a_machine_gun_fires_its_own_number_of_shots() -> None:
    for commanded, shots in ((True, 6), (False, 3)):
        expected = volley([one_shot("rifle", "veteran", "medium", "open")] * shots, 2, 1, False)
        facts = {"shooters": 4, "weapon": "machine_gun", "commanded": commanded, "unhurt": 2, "wounded": 1}
        found = ask("volley", {"extensions_support_weapons": "on"}, **facts)
        assert {(o.killed, o.wounded): p for o, p in found.items()} == expected


# --- melee ------------------------------------------------------------------------------------------------------------


class Man:
    """A man of Table M: his modifiers against a number of opponents, as printed in the catalogue."""

    def __init__(self, factor: int, raw: bool = False, superior: bool = False, crossing: bool = False) -> None:
        self.factor, self.raw, self.superior, self.crossing = factor, raw, superior, crossing

    def modifier(self, other: Man, opponents: int, worst_only: bool) -> int:
        bad = [int(self.raw), opponents - 1]
        return self.superior + (self.factor > other.factor) - self.crossing - (max(bad) if worst_only else sum(bad))


@cache
def throws(dice: int) -> Counter[tuple[int, ...]]:
    """Return how many throws of some dice show the same faces."""
    return Counter(tuple(sorted(faces)) for faces in product(range(1, 7), repeat=dice))


def match(one: Man, other: Man, many: int, **how: str) -> dict[tuple[int, int, int], F]:
    """Return the distribution over every throw: (result for the single man: 0 none, 1 wound, 2 death; wounded; killed
    of the others).
    """
    found: Counter[tuple[int, int, int]] = Counter()
    worst_only = how.get("melee_raw_and_outnumbered") == "worst_only"
    mine, theirs = one.modifier(other, many, worst_only), other.modifier(one, 1, worst_only)

    def effect(die: int, score: int) -> int:
        shown = score if how.get("melee_hit_die") == "modified" else die
        return 2 if shown >= 6 else 1 if shown == 5 else 0

    for die, (dice, count) in product(range(1, 7), throws(many).items()):
        score, scores = die + mine, [each + theirs for each in dice]
        together = how.get("melee_multi") == "side_best"
        wins = score > max(scores) if together else any(score > each for each in scores)
        blow = effect(die, score) if wins else 0
        hits = [effect(d, s) for d, s in zip(dice, scores, strict=True) if s > score]
        harm = min(2, sum(hits))
        found[harm, int(blow == 1), int(blow == 2)] += count
    return {key: F(count, 6 ** (many + 1)) for key, count in found.items()}


SINGLE = ("unhurt", "wounded", "killed")
HOW: list[dict[str, str]] = [
    {}, {"melee_raw_and_outnumbered": "worst_only"}, {"melee_hit_die": "modified"}, {"melee_multi": "side_best"},
    {"melee_multi": "side_best", "melee_hit_die": "modified", "melee_raw_and_outnumbered": "worst_only"},
]  # fmt: skip
MEN = [
    (Man(4), Man(3, superior=True)),
    (Man(2, raw=True), Man(2, raw=True, crossing=True)),
    (Man(3, superior=True, crossing=True), Man(4, raw=True)),
]


@pytest.mark.rule("RSK-166", "RSK-167", "RSK-168", "RSK-169", "RSK-170", "RSK-171", "RSK-172", "RSK-173", "RSK-174")
@pytest.mark.setting("melee.raw_and_outnumbered")
@pytest.mark.setting("melee.hit_die")
@pytest.mark.setting("melee.multi")
@pytest.mark.parametrize(
    ("many", "how"),
    [
        pytest.param(many, how, marks=pytest.mark.deep if many == 4 and how not in (HOW[0], HOW[-1]) else ())
        for many, how in product([1, 2, 3, 4], HOW)
    ],
)
def test_one_man_against_several(many: int, how: dict[str, str]) -> None:
    for one, other in MEN:
        found = ask(
            "match", how, opponents=many, factor=one.factor, raw=one.raw, superior=one.superior, crossing=one.crossing,
            enemy_factor=other.factor, enemy_raw=other.raw, enemy_superior=other.superior,
            enemy_crossing=other.crossing,
        )  # fmt: skip
        seen = {(SINGLE.index(o.single), o.wounded, o.killed): p for o, p in found.items()}
        assert seen == match(one, other, many, **how)


@pytest.mark.rule("RSK-164", "RSK-165", "RSK-177", "RSK-178")
@pytest.mark.setting("melee.result_measure")
@pytest.mark.setting("melee.max_contact")
@pytest.mark.parametrize("measure", ["casualties", "weighted"])
@pytest.mark.parametrize(
    ("attackers", "defenders", "most", "matches"),
    [(3, 2, 4, [2, 1]), (2, 3, 4, [2, 1]), (7, 1, 3, [3]), (1, 1, 4, [1]), (2, 9, 2, [2, 2])],
)
def test_a_round_of_melee(measure: str, attackers: int, defenders: int, most: int, matches: list[int]) -> None:
    stormers, wall = Man(3, superior=True, crossing=True), Man(4, raw=True)
    totals: dict[tuple[int, ...], F] = {(0, 0, 0, 0): F(1)}
    for many in matches:
        after: defaultdict[tuple[int, ...], F] = defaultdict(F)
        attacks = attackers <= defenders
        for (harm, wounded, killed), p in match(*((stormers, wall) if attacks else (wall, stormers)), many).items():
            single, others = (int(harm == 1), int(harm == 2)), (wounded, killed)
            gain = (*single, *others) if attacks else (*others, *single)
            for total, q in totals.items():
                after[tuple(a + b for a, b in zip(total, gain, strict=True))] += p * q
        totals = dict(after)
    worth = 2 if measure == "weighted" else 1
    expected: defaultdict[tuple[Any, ...], F] = defaultdict(F)
    for (aw, ak, dw, dk), p in totals.items():
        ours, theirs = aw + worth * ak, dw + worth * dk
        back = "both" if ours == theirs else "attackers" if ours > theirs else "defenders"
        expected[back, aw, ak, dw, dk] += p
    found = ask(
        "melee", {"melee_result_measure": measure, "melee_max_contact": most}, attackers=attackers,
        defenders=defenders, attackers_factor=3, attackers_superior=True, attackers_crossing=True,
        defenders_factor=4, defenders_raw=True,
    )  # fmt: skip
    seen = {
        (o.back, o.attackers_wounded, o.attackers_killed, o.defenders_wounded, o.defenders_killed): p
        for o, p in found.items()
    }
    assert seen == expected


def kind(man: Man, routing: bool = False) -> tuple[bool, bool, int, bool, bool]:
    return man.raw, man.superior, man.factor, man.crossing, routing


@pytest.mark.rule("RSK-164", "RSK-168", "RSK-170", "RSK-176", "RSK-177")
@pytest.mark.parametrize("attacks", [True, False])
def test_a_round_of_melee_of_men_of_several_kinds(attacks: bool) -> None:
    """Two matches: a sword against a bayonet and an unarmed raw man; a superior stormer against a router."""
    sword, bayonet, unarmed, stormer, router = Man(3), Man(4), Man(0, raw=True), Man(3, superior=True), Man(4)
    matches = [(sword, [bayonet, unarmed], [False, False]), (stormer, [router], [True])]
    totals: dict[tuple[int, ...], F] = {(0, 0, 0, 0): F(1)}
    for one, several, runs in matches:
        found: Counter[tuple[int, ...]] = Counter()
        better = all(one.factor > other.factor for other in several)
        for die, *dice in product(range(1, 7), repeat=1 + len(several)):
            score = die + one.superior - one.raw - (len(several) - 1) + better
            scores = [
                0 if runs[i] else d + other.superior - other.raw + (other.factor > one.factor)
                for i, (other, d) in enumerate(zip(several, dice, strict=True))
            ]
            harm = min(2, sum(d - 4 for d, s in zip(dice, scores, strict=True) if s > score and d >= 5))
            hits = die - 4 if die >= 5 and any(score > s for s in scores) else 0
            found[int(harm == 1), int(harm == 2), int(hits == 1), int(hits == 2)] += 1
        after: defaultdict[tuple[int, ...], F] = defaultdict(F)
        for gain, count in found.items():
            for total, q in totals.items():
                after[tuple(a + b for a, b in zip(total, gain, strict=True))] += q * count / 6 ** (1 + len(several))
        totals = dict(after)
    mixed = tuple(
        (kind(one), tuple(kind(m, r) for m, r in zip(several, runs, strict=True))) for one, several, runs in matches
    )
    men: dict[str, Any] = {"attackers": 2, "defenders": 3} if attacks else {"attackers": 3, "defenders": 2}
    seen = {
        (o.attackers_wounded, o.attackers_killed, o.defenders_wounded, o.defenders_killed): p
        for o, p in ask("melee", mixed=mixed, **men).items()
    }
    assert seen == {key if attacks else (*key[2:], *key[:2]): p for key, p in totals.items()}
    for number in ("attackers", "defenders"):
        with pytest.raises(ZarebaError, match="no more men can be matched"):
            ask("melee", mixed=mixed, **men | {number: 1})


@pytest.mark.rule("RSK-110", "RSK-111", "RSK-175", "RSK-177")
@pytest.mark.parametrize("measure", ["casualties", "weighted"])
def test_a_round_of_melee_with_men_wounded_before(measure: str) -> None:
    """Any men may be the ones already wounded. Of those struck now, the first are wounded."""
    how = {"melee_result_measure": measure}
    men: dict[str, Any] = {"attackers": 3, "defenders": 2, "attackers_factor": 3, "defenders_factor": 4}
    worth = 2 if measure == "weighted" else 1
    expected: defaultdict[tuple[Any, ...], F] = defaultdict(F)
    for o, p in ask("melee", how, **men).items():
        cases = list(product(combinations(range(3), 2), combinations(range(2), 1)))
        for hurt, lame in cases:
            a, d = sum(i < o.attackers_wounded for i in hurt), sum(i < o.defenders_wounded for i in lame)
            fallen = (o.attackers_wounded - a, o.attackers_killed + a, o.defenders_wounded - d, o.defenders_killed + d)
            ours, theirs = fallen[0] + worth * fallen[1], fallen[2] + worth * fallen[3]
            back = "both" if ours == theirs else "attackers" if ours > theirs else "defenders"
            expected[back, *fallen] += p / len(cases)
    found = ask("melee", how, **men, attackers_wounded=2, defenders_wounded=1)
    seen = {
        (o.back, o.attackers_wounded, o.attackers_killed, o.defenders_wounded, o.defenders_killed): p
        for o, p in found.items()
    }
    assert seen == {key: p for key, p in expected.items() if p}
    with pytest.raises(ZarebaError, match="no more men can be wounded"):
        ask("melee", attackers=3, attackers_wounded=4)


@pytest.mark.rule("RSK-176")
def test_routers_throw_no_dice_and_are_struck_by_any_five_or_six() -> None:
    single = ask("match", opponents=2, factor=2, enemy_factor=2, enemy_routing=True)
    assert {(o.single, o.wounded, o.killed): p for o, p in single.items()} == {
        ("unhurt", 0, 0): F(4, 6), ("unhurt", 1, 0): F(1, 6), ("unhurt", 0, 1): F(1, 6),
    }  # fmt: skip
    chased = ask("match", opponents=1, factor=2, enemy_factor=2, routing=True)
    assert {(o.single, o.wounded, o.killed): p for o, p in chased.items()} == {
        ("unhurt", 0, 0): F(4, 6), ("wounded", 0, 0): F(1, 6), ("killed", 0, 0): F(1, 6),
    }  # fmt: skip
    for attackers, defenders in ((2, 1), (1, 2)):
        found = ask("melee", attackers=attackers, defenders=defenders, defenders_routing=True)
        assert all(o.attackers_wounded == o.attackers_killed == 0 for o in found)
        struck = sum(p for o, p in found.items() if o.back == "defenders")
        assert struck == 1 - F(2, 3) ** attackers
